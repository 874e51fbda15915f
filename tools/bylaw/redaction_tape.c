/* SPDX-License-Identifier: Apache-2.0 */
#include "bylaw/redaction_tape.h"

#include "secret/redact.h"

#define TAPE       "redactions.jsonl"
#define LINE_DEPTH 4

/* ---- recording --------------------------------------------------------------------------- */

static void put_masks(struct bl_json_writer *w, const struct bl_redacted *redacted)
{
    bl_json_key(w, BL_STR("masked"));
    bl_json_string(w, redacted->text);
    bl_json_key(w, BL_STR("masks"));
    bl_json_begin_array(w);
    for (size_t i = 0; i < redacted->list.count; i++) {
        bl_json_begin_object(w);
        bl_json_key(w, BL_STR("kind"));
        bl_json_string(w, redacted->list.items[i].kind);
        bl_json_key(w, BL_STR("source"));
        bl_json_string(w, redacted->list.items[i].source);
        bl_json_end_object(w);
    }
    bl_json_end_array(w);
}

static enum bl_status record(void *context, struct bl_arena *arena, uint32_t redaction,
                             struct bl_redacted *redacted)
{
    struct bl_recording *recording = context;
    struct bl_buf line;
    struct bl_json_writer w;

    bl_buf_init(&line, arena, (size_t)64 << 20);
    bl_json_writer_init(&w, &line, false);
    bl_json_begin_object(&w);
    bl_json_key(&w, BL_STR("redaction"));
    bl_json_integer(&w, redaction);
    if (redacted->list.count > 0)
        put_masks(&w, redacted);
    bl_json_end_object(&w);
    bl_recording_line(recording, TAPE, line.failed ? BL_STR("") : bl_buf_str(&line));
    return BL_OK;
}

const struct bl_redacted_hook *bl_redaction_tape_record(struct bl_recording *recording)
{
    struct bl_redacted_hook *hook = BL_NEW(recording->arena, struct bl_redacted_hook);

    if (hook != NULL)
        *hook = (struct bl_redacted_hook){record, recording};
    return hook;
}

/* ---- replay ------------------------------------------------------------------------------ */

struct bl_redaction_tape {
    BL_VEC(const struct bl_json *) lines;
    size_t next;
};

static bl_str text_of(const struct bl_json *json, const char *key)
{
    const struct bl_json *node = bl_json_get(json, bl_str_from(key));

    return node != NULL && node->kind == BL_JSON_STRING ? node->string : BL_STR("");
}

/* A call that was not recorded gives what was found now: nothing, in a text that is masked. */
static enum bl_status replay(void *context, struct bl_arena *arena, uint32_t redaction,
                             struct bl_redacted *redacted)
{
    struct bl_redaction_tape *tape = context;
    const struct bl_json *line =
        tape->next < tape->lines.count ? tape->lines.items[tape->next++] : NULL;
    const struct bl_json *index = bl_json_get(line, BL_STR("redaction"));
    const struct bl_json *masks = bl_json_get(line, BL_STR("masks"));

    if (index == NULL || index->kind != BL_JSON_INT || index->integer != redaction ||
        masks == NULL || masks->kind != BL_JSON_ARRAY)
        return BL_OK;
    redacted->text = text_of(line, "masked");
    redacted->list.count = 0;
    for (size_t i = 0; i < masks->count; i++) {
        struct bl_redacted_span *span = BL_PUSH(arena, redacted->list);

        if (span == NULL)
            return BL_ERR_NOMEM;
        *span = (struct bl_redacted_span){.kind = text_of(&masks->items[i], "kind"),
                                          .source = text_of(&masks->items[i], "source")};
    }
    return BL_OK;
}

static bool read_lines(struct bl_arena *arena, struct bl_redaction_tape *tape, bl_str text)
{
    while (text.len > 0) {
        struct bl_json_error error;
        size_t notes = 0, end = bl_str_find_char(text, '\n');
        const struct bl_json *json =
            bl_json_parse(arena, bl_str_slice(text, 0, end), LINE_DEPTH, &notes, &error);
        const struct bl_json **slot = json != NULL ? BL_PUSH(arena, tape->lines) : NULL;

        if (slot == NULL)
            return false;
        *slot = json;
        text = bl_str_slice(text, end == SIZE_MAX ? end : end + 1, SIZE_MAX);
    }
    return true;
}

const struct bl_redacted_hook *bl_redaction_tape_replay(struct bl_session *session,
                                                        bl_str folder)
{
    struct bl_redaction_tape *tape = BL_NEW(&session->arena, struct bl_redaction_tape);
    struct bl_redacted_hook *hook = BL_NEW(&session->arena, struct bl_redacted_hook);
    bl_str text;

    if (tape == NULL || hook == NULL || !bl_recording_read(session, folder, TAPE, true, &text))
        return NULL;
    if (!read_lines(&session->arena, tape, text)) {
        bl_session_say(session, bl_recording_path(&session->arena, folder, TAPE),
                       BL_STR("A line of it cannot be read."));
        return NULL;
    }
    *hook = (struct bl_redacted_hook){replay, tape};
    return hook;
}
