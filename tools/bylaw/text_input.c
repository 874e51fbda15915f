/* SPDX-License-Identifier: Apache-2.0 */
#include "bylaw/text_input.h"

#include "base/digest.h"

#include <string.h>
#include <unistd.h>

extern char **environ;

/* ---- names --------------------------------------------------------------------------------
 */

uint32_t bl_texts_secrets(const struct bl_module *m, bl_str name)
{
    for (uint32_t i = 0; i < m->SECRETS_count; i++)
        if (bl_str_equal(bl_module_string(m, m->SECRETS_rows[i].name), name))
            return i;
    return BL_NONE;
}

uint32_t bl_texts_redaction(const struct bl_module *m, bl_str name)
{
    for (uint32_t i = 0; i < m->REDACTIONS_count; i++)
        if (bl_str_equal(bl_module_string(m, m->REDACTIONS_rows[i].name), name))
            return i;
    return BL_NONE;
}

bl_str bl_texts_place(struct bl_session *session, struct bl_arena *arena, uint32_t source,
                      uint32_t lo)
{
    const struct bl_module *m = &session->module;
    struct bl_buf out;

    bl_buf_init(&out, arena, 4096);
    if (source >= m->SOURCES_count)
        return (bl_str){NULL, 0};
    bl_buf_put(&out, bl_module_string(m, m->SOURCES_rows[source].path));
    struct bl_position at = bl_sources_position(&session->sources, source, lo);
    if (at.line > 0) {
        bl_str line = bl_sources_line(&session->sources, source, at.line);
        size_t end = bl_str_find(line, BL_STR(" #"));
        bl_buf_printf(&out, ":%u: %.*s", at.line,
                      BL_STR_ARG(bl_str_trim(bl_str_slice(line, at.column - 1u, end))));
    }
    return bl_buf_str(&out);
}

/* ---- the process --------------------------------------------------------------------------
 */

enum bl_exit bl_texts_key(struct bl_session *session, bl_str path,
                          unsigned char key[BL_REDACTION_KEY_BYTES])
{
    bl_str text, why = {NULL, 0};

    if (path.len == 0) {
        if (bl_random(key, BL_REDACTION_KEY_BYTES))
            return BL_EXIT_OK;
        bl_session_say(session, path, BL_STR("The system has no random numbers."));
        return BL_EXIT_INTERNAL;
    }
    if (bl_file_read(&session->arena, path, 1 << 16, &text, &why) != BL_FILE_READ) {
        bl_session_say(session, path, why);
        return BL_EXIT_INPUT;
    }
    bl_digest(text, key);
    return BL_EXIT_OK;
}

bool bl_texts_environment(struct bl_arena *arena, struct bl_environment_variable **out,
                          size_t *count)
{
    size_t all = 0;

    while (environ != NULL && environ[all] != NULL)
        all++;
    *out = BL_NEW_ARRAY(arena, all + 1, struct bl_environment_variable);
    *count = 0;
    for (size_t i = 0; *out != NULL && i < all; i++) {
        bl_str row = bl_str_from(environ[i]);
        size_t sign = bl_str_find_char(row, '=');
        if (sign == SIZE_MAX)
            continue;
        (*out)[(*count)++] = (struct bl_environment_variable){
            bl_str_slice(row, 0, sign), bl_str_slice(row, sign + 1, row.len)};
    }
    return *out != NULL;
}

/* Ids of this run are those of no other. */
static bool give_id_seed(struct bl_run_options *options)
{
    unsigned char bytes[7];

    if (!bl_random(bytes, sizeof bytes))
        return false;
    /* A recording writes it as a number, which JSON has exactly up to 53 bits. */
    options->id_seed = bytes[0] & 0x0F;
    for (size_t i = 1; i < sizeof bytes; i++)
        options->id_seed = options->id_seed << 8 | bytes[i];
    return true;
}

bool bl_texts_redactions(struct bl_arena *arena, struct bl_run_options *options)
{
    struct bl_environment_variable *variables = NULL;
    unsigned char *key = BL_NEW_ARRAY(arena, BL_REDACTION_KEY_BYTES, unsigned char);

    if (!give_id_seed(options))
        return false;
    if (options->module->REDACTIONS_count == 0)
        return true;
    if (key == NULL || !bl_random(key, BL_REDACTION_KEY_BYTES) ||
        !bl_texts_environment(arena, &variables, &options->environment_count))
        return false;
    options->environment = variables;
    options->redaction_key = key;
    return true;
}
