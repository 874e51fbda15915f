/* SPDX-License-Identifier: Apache-2.0 */
#include "bylaw/unknown.h"

static enum bl_exit unknown(struct bl_session *session, const char *kind,
                            const struct bl_likeness *like)
{
    char names[400];
    struct bl_buf out;

    bl_buf_init(&out, &session->arena, 4096);
    bl_buf_printf(&out, "The policy has no %s '", kind);
    bl_report_visible(like->name, &out);
    BL_PUT(&out, "'");
    bl_str all = bl_likeness_list(like, names, sizeof names);
    if (like->best.len > 0)
        bl_buf_printf(&out, ". Did you mean '%.*s'?", BL_STR_ARG(like->best));
    else if (all.len > 0)
        bl_buf_printf(&out, "; it has %.*s.", BL_STR_ARG(all));
    else
        BL_PUT(&out, ".");
    bl_session_say(session, (bl_str){NULL, 0}, bl_buf_str(&out));
    return BL_EXIT_USAGE;
}

/* For each table of the module that has rows with names. */
#define UNKNOWN_ROW(function, kind, TABLE)                                                     \
    enum bl_exit function(struct bl_session *session, bl_str name)                             \
    {                                                                                          \
        const struct bl_module *m = &session->module;                                          \
        struct bl_likeness like = bl_likeness_begin(name);                                     \
                                                                                               \
        for (uint32_t i = 0; i < m->TABLE##_count; i++)                                        \
            bl_likeness_consider(&like, bl_module_string(m, m->TABLE##_rows[i].name));         \
        return unknown(session, kind, &like);                                                  \
    }

UNKNOWN_ROW(bl_unknown_job, "job", JOBS)
UNKNOWN_ROW(bl_unknown_task, "task", TASKS)
UNKNOWN_ROW(bl_unknown_redaction, "redaction", REDACTIONS)
UNKNOWN_ROW(bl_unknown_secrets, "set of secrets", SECRETS)

enum bl_exit bl_unknown_entry(struct bl_session *session, const char *kind,
                              enum bl_entry_kind entry, bl_str name)
{
    const struct bl_module *m = &session->module;
    struct bl_likeness like = bl_likeness_begin(name);

    for (uint32_t i = 0; i < m->ENTRIES_count; i++) {
        if (m->ENTRIES_rows[i].kind == (uint32_t)entry)
            bl_likeness_consider(&like, bl_module_string(m, m->ENTRIES_rows[i].name));
    }
    return unknown(session, kind, &like);
}
