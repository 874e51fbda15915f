/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_BYLAW_TRY_TEXT_H
#define BL_BYLAW_TRY_TEXT_H

#include "bylaw/scene.h"
#include "event/json.h"
#include "vm/vm.h"

/* `bylaw try` of what takes a text: the text on standard input, the result on standard output;
 * with
 * --jsonl one JSON object a line. */

/* Valid UTF-8 without NUL: what is not becomes U+FFFD. */
bl_str bl_text_read(struct bl_arena *arena, bl_str bytes);
/* The values that a line gives to settings of the module, by index. NULL with a sentence in
 * *why when one cannot be: an unknown setting, another type. Types: bool, int, texts, and lists
 * of them. */
const struct bl_setting_values *bl_try_settings(struct bl_arena *arena,
                                                const struct bl_module *m,
                                                const struct bl_json *given, bl_str *why);
/* The place of a row of a policy, "path:line", and the line's words. */
bl_str bl_try_place(struct bl_scene *scene, struct bl_arena *arena, uint32_t source,
                    uint32_t lo);

enum bl_exit bl_try_sanitizer(struct bl_scene *scene, const struct bl_arguments *arguments,
                              bl_str name);

#endif
