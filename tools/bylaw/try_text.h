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
/* A line of --jsonl: {"id", "input"} and, when it has them, "place", "settings" and "world".
 * What cannot be read of it is said in `problem`. */
struct bl_try_line {
    const struct bl_json *id; /* NULL: none */
    bl_str input, place;
    const struct bl_setting_values *settings; /* NULL: those of the policy */
    struct bl_sim *sim;
    bl_str problem;
    bool refused; /* what was tried says it */
};
/* Tries a line and answers it, with bl_try_answer_begin, findings, bl_try_answer_end; or sets
 * `problem` and answers nothing. */
typedef void bl_try_one(void *context, struct bl_arena *arena, struct bl_try_line *line,
                        struct bl_buf *out);
/* Each line by itself, in an arena of its own. One that cannot be read is answered as refused
 * and told with its number, the others go on; then the exit is 4, else 1 when one was refused.
 */
enum bl_exit bl_try_lines(struct bl_scene *scene, bl_str text, bl_try_one *one, void *context);

/* {"id","output","findings":[{"kind","start","end","rule"}],"fallback","refused","reason"} */
void bl_try_answer_begin(struct bl_json_writer *w, const struct bl_json *id, bl_str output);
void bl_try_finding(struct bl_json_writer *w, bl_str kind, size_t start, size_t end,
                    bl_str rule);
void bl_try_answer_end(struct bl_json_writer *w, bool fallback, bool refused, bl_str reason);

/* The place of a row of a policy, "path:line", and the line's words. */
bl_str bl_try_place(struct bl_scene *scene, struct bl_arena *arena, uint32_t source,
                    uint32_t lo);

/* Why a sanitizer, a check … gave no result, in a sentence. */
bl_str bl_try_failure(struct bl_arena *arena, const char *what, enum bl_status status);

/* Does the check of this entry ask about one text or one patch, and nothing else? */
bool bl_try_takes_text(const struct bl_module *m, uint32_t entry);
enum bl_exit bl_try_check(struct bl_scene *scene, const struct bl_arguments *arguments,
                          bl_str name, uint32_t entry);
enum bl_exit bl_try_sanitizer(struct bl_scene *scene, const struct bl_arguments *arguments,
                              bl_str name);

#endif
