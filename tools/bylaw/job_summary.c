/* SPDX-License-Identifier: Apache-2.0 */
#include "bylaw/job_summary.h"

#include "run/outputs.h"

#define ROOM 1000u /* for what a run says at its end */

static enum bl_exit fail(struct bl_job_summary *summary, bl_str why)
{
    bl_session_say(summary->session, summary->path, why);
    summary->broken = true;
    summary->path = (bl_str){NULL, 0};
    return BL_EXIT_INTERNAL;
}

/* What cannot be written is said once, and the run goes on: it is the repository that counts.
 */
static void append(struct bl_job_summary *summary, bl_str text)
{
    struct bl_arena arena;
    bl_str why = {NULL, 0};
    bl_arena_init(&arena, 1 << 16, NULL);
    if (summary->from + summary->written + text.len + ROOM < BL_SUMMARY_BYTES) {
        if (bl_file_append(&arena, summary->path, text, &why) == BL_OK)
            summary->written += text.len;
        else
            (void)fail(summary, why);
    }
    bl_arena_reset(&arena);
}

void bl_job_summary_begin(struct bl_job_summary *summary, struct bl_session *session,
                          bl_str job)
{
    struct bl_buf head;
    *summary = (struct bl_job_summary){.session = session};
    summary->path = bl_environment("GITHUB_STEP_SUMMARY");
    if (summary->path.len == 0 || !bl_path_is_file(&session->arena, summary->path))
        return;
    summary->from = bl_file_size(&session->arena, summary->path);
    bl_buf_init(&head, &session->arena, 1000);
    bl_buf_printf(&head,
                  "### bylaw run %.*s: cut short\n\nThe run was ended before it could say how. "
                  "Below stands what it had written. Run the job again: it finds what is there "
                  "and goes on from it.\n\n",
                  BL_STR_ARG(job));
    append(summary, bl_buf_str(&head));
}

void bl_job_summary_written(struct bl_job_summary *summary, const struct bl_effect_call *call)
{
    struct bl_arena arena;
    struct bl_buf line;
    if (summary->path.len == 0)
        return;
    bl_arena_init(&arena, 1 << 16, NULL);
    bl_buf_init(&line, &arena, 1 << 14);
    bl_summary_line(&summary->session->module, call, &line);
    append(summary, bl_buf_str(&line));
    bl_arena_reset(&arena);
}

enum bl_exit bl_job_summary_end(struct bl_job_summary *summary, bl_str text)
{
    struct bl_arena *arena = &summary->session->arena;
    bl_str why = {NULL, 0};
    if (summary->path.len == 0)
        return summary->broken ? BL_EXIT_INTERNAL : BL_EXIT_OK;
    size_t size = bl_file_size(arena, summary->path);
    bool last = summary->written > 0 && size == summary->from + summary->written;
    if ((last ? summary->from : size) + text.len >= BL_SUMMARY_BYTES)
        return BL_EXIT_OK;
    enum bl_status status =
        last ? bl_file_rewrite(arena, summary->path, summary->from, text, &why)
             : bl_file_append(arena, summary->path, text, &why);
    return status == BL_OK ? BL_EXIT_OK : fail(summary, why);
}
