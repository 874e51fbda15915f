/* SPDX-License-Identifier: Apache-2.0 */
#include "bylaw/redact_check.h"

/* What redact-check prints: for people, as the stable document of RCK-07, as SARIF. None holds
 * a value (RCK-06, RCK-16). It is made piece by piece: what is found of a sample in `head`, its
 * masked text in `body`, and whole samples in `all`, since a report that fails is none. */

typedef bool (*was_matched)(const struct bl_redactor *redactor, size_t index);

/* ---- pieces -------------------------------------------------------------------------------
 */

static bool put_into(void *spool, bl_str text)
{
    bl_spool_put(spool, text);
    return true;
}

static bool put_out(void *output, bl_str text)
{
    bl_quoted_put(output, text);
    return !((struct bl_quoted_output *)output)->failed;
}

static void put_string(struct bl_buf *out, bl_str value)
{
    struct bl_json_writer w;

    bl_json_writer_init(&w, out, false);
    bl_json_string(&w, value);
}

bool bl_check_report_begin(struct bl_check *c)
{
    bl_spool_begin(&c->head);
    bl_spool_begin(&c->body);
    bl_spool_begin(&c->all);
    c->format = bl_argument_is(c->arguments, "sarif")  ? BL_CHECK_SARIF
                : bl_argument_is(c->arguments, "json") ? BL_CHECK_JSON
                                                       : BL_CHECK_TEXT;
    c->quiet = bl_argument_is(c->arguments, "quiet");
    return !c->head.failed && !c->body.failed && !c->all.failed;
}

void bl_check_report_free(struct bl_check *c)
{
    bl_spool_end(&c->head);
    bl_spool_end(&c->body);
    bl_spool_end(&c->all);
}

/* ---- one match ----------------------------------------------------------------------------
 */

static void text_match(const struct bl_redacted_span *span, uint64_t base, struct bl_buf *out)
{
    bl_buf_printf(out, "  %llu-%llu  ", (unsigned long long)(base + span->lo),
                  (unsigned long long)(base + span->hi));
    bl_report_visible(span->source, out);
    bl_buf_printf(out, "  %.*s\n", BL_STR_ARG(span->marker));
}

static void json_match(const struct bl_check *c, const struct bl_redacted_span *span,
                       uint64_t base, struct bl_buf *out)
{
    bl_buf_printf(
        out, "%s\n    {\"start\": %llu, \"end\": %llu, \"marker\": ", c->matches > 0 ? "," : "",
        (unsigned long long)(base + span->lo), (unsigned long long)(base + span->hi));
    put_string(out, span->marker);
    BL_PUT(out, ", \"source\": ");
    put_string(out, span->source);
    BL_PUT(out, "}");
}

/* A file's name as an address (RFC 3986). */
static void put_address(struct bl_buf *out, bl_str name)
{
    static const char digits[] = "0123456789ABCDEF";
    const bl_str kept = BL_STR("-_.~/!$&'()*+,;=@");

    for (size_t i = 0; i < name.len; i++) {
        unsigned char byte = (unsigned char)name.ptr[i];
        if (bl_is_ascii_alpha((char)byte) || bl_is_ascii_digit((char)byte) ||
            bl_str_find_char(kept, (char)byte) != SIZE_MAX) {
            bl_buf_put_char(out, (char)byte);
        } else {
            bl_buf_put_char(out, '%');
            bl_buf_put_char(out, digits[byte >> 4]);
            bl_buf_put_char(out, digits[byte & 15]);
        }
    }
}

static void sarif_match(const struct bl_check *c, bl_str name,
                        const struct bl_redacted_span *span, uint64_t base, struct bl_buf *out)
{
    struct bl_buf said, address;

    bl_buf_init(&said, out->arena, 4096);
    bl_buf_init(&address, out->arena, 1 << 16);
    bl_buf_printf(&said, "%.*s stands here, from %.*s.", BL_STR_ARG(span->marker),
                  BL_STR_ARG(span->source));
    put_address(&address, name.len > 0 ? name : BL_STR("stdin"));
    bl_buf_printf(out, "%s\n        {\"ruleId\": ",
                  c->matches > 0 || c->all.len > 0 || c->all.file != NULL ? "," : "");
    put_string(out, span->kind);
    BL_PUT(out, ", \"level\": \"warning\", \"message\": {\"text\": ");
    put_string(out, bl_buf_str(&said));
    BL_PUT(out, "}, \"locations\": [{\"physicalLocation\": {\"artifactLocation\": {\"uri\": ");
    put_string(out, bl_buf_str(&address));
    bl_buf_printf(out,
                  "}, \"region\": {\"startLine\": %llu, \"byteOffset\": %llu, "
                  "\"byteLength\": %zu}}}]}",
                  (unsigned long long)c->line, (unsigned long long)(base + span->lo),
                  span->hi - span->lo);
}

/* ---- one sample ---------------------------------------------------------------------------
 */

void bl_check_sample_begin(struct bl_check *c)
{
    c->matches = 0;
    c->body_ends_line = true;
    c->line = 1;
    c->counted = 0;
}

static void put_body(struct bl_check *c, bl_str text)
{
    struct bl_buf quoted;

    if (c->quiet || c->format == BL_CHECK_SARIF || text.len == 0)
        return;
    c->body_ends_line = text.ptr[text.len - 1] == '\n';
    if (c->format == BL_CHECK_TEXT) {
        bl_spool_put(&c->body, text);
        return;
    }
    bl_buf_init(&quoted, &c->work, c->work.limit);
    put_string(&quoted, text);
    c->body.failed = c->body.failed || quoted.failed;
    bl_spool_put(&c->body, bl_str_slice(bl_buf_str(&quoted), 1, quoted.len - 1));
}

/* In which line a place stands; places come in order. */
static void count_lines(struct bl_check *c, bl_str text, uint64_t base, uint64_t place)
{
    for (; c->counted < place; c->counted++)
        c->line += text.ptr[c->counted - base] == '\n';
}

void bl_check_sample_piece(struct bl_check *c, bl_str name, bl_str text,
                           const struct bl_redacted *redacted, uint64_t base)
{
    struct bl_spool *into = c->format == BL_CHECK_SARIF ? &c->all : &c->head;

    for (size_t i = 0; i < redacted->list.count; i++) {
        struct bl_arena_mark mark = bl_arena_mark(&c->work);
        struct bl_buf row;
        bl_buf_init(&row, &c->work, 1 << 18);
        if (c->format == BL_CHECK_SARIF)
            count_lines(c, text, base, base + redacted->list.items[i].lo);
        if (c->format == BL_CHECK_TEXT)
            text_match(&redacted->list.items[i], base, &row);
        else if (c->format == BL_CHECK_JSON)
            json_match(c, &redacted->list.items[i], base, &row);
        else
            sarif_match(c, name, &redacted->list.items[i], base, &row);
        into->failed = into->failed || row.failed;
        bl_spool_put(into, bl_buf_str(&row));
        bl_arena_release(&c->work, mark);
        c->matches++;
    }
    if (c->format == BL_CHECK_SARIF)
        count_lines(c, text, base, base + redacted->settled);
    put_body(c, redacted->text);
}

static void text_sample_end(struct bl_check *c, bl_str name, struct bl_buf *out)
{
    if (name.len > 0) {
        bl_report_visible(name, out);
        BL_PUT(out, ": ");
    }
    if (c->matches == 0)
        BL_PUT(out, "no matches\n");
    else
        bl_buf_printf(out, "%zu match%s\n", c->matches, c->matches == 1 ? "" : "es");
    bl_spool_put(&c->all, bl_buf_str(out));
    c->all.failed = !bl_spool_send(&c->head, put_into, &c->all) || c->all.failed;
    if (c->quiet)
        return;
    bl_spool_put(&c->all, BL_STR("\n"));
    c->all.failed = !bl_spool_send(&c->body, put_into, &c->all) || c->all.failed;
    if (!c->body_ends_line)
        bl_spool_put(&c->all, BL_STR("\n"));
}

static void send_matches(struct bl_check *c, struct bl_spool *into)
{
    bl_spool_put(into, BL_STR("\"matches\": ["));
    into->failed = !bl_spool_send(&c->head, put_into, into) || into->failed;
    bl_spool_put(into, c->matches > 0 ? BL_STR("\n  ],") : BL_STR("],"));
}

static void send_body(struct bl_check *c, struct bl_spool *into)
{
    bl_spool_put(into, BL_STR("\"redacted\": "));
    bl_spool_put(into, c->quiet ? BL_STR("null") : BL_STR("\""));
    into->failed = !bl_spool_send(&c->body, put_into, into) || into->failed;
    if (!c->quiet)
        bl_spool_put(into, BL_STR("\""));
}

void bl_check_sample_end(struct bl_check *c, bl_str name)
{
    struct bl_buf out;

    c->samples++;
    bl_buf_init(&out, &c->work, 1 << 18);
    if (c->format == BL_CHECK_TEXT)
        text_sample_end(c, name, &out);
    /* The only sample stands at the top: it waits until the rest is known. */
    if (c->format != BL_CHECK_JSON || c->sources.count <= 1)
        return;
    bl_buf_printf(&out, "%s\n  {\"file\": ", c->samples > 1 ? "," : "");
    put_string(&out, name);
    BL_PUT(&out, ", ");
    c->all.failed = c->all.failed || out.failed;
    bl_spool_put(&c->all, bl_buf_str(&out));
    send_matches(c, &c->all);
    bl_spool_put(&c->all, BL_STR("\n  "));
    send_body(c, &c->all);
    bl_spool_put(&c->all, BL_STR("}"));
    bl_arena_reset(&c->work);
}

/* ---- the end ------------------------------------------------------------------------------
 */

static void put_unmatched(const struct bl_redactor *redactor, const char *what, size_t count,
                          was_matched matched, struct bl_buf *out)
{
    size_t unmatched = 0;
    const char *between = " ";

    for (size_t i = 0; i < count; i++)
        unmatched += !matched(redactor, i);
    if (unmatched == 0)
        return;
    bl_buf_printf(out, "warning: %zu of %zu %s matched nothing:", unmatched, count, what);
    for (size_t i = 0; i < count; i++) {
        if (matched(redactor, i))
            continue;
        bl_buf_printf(out, "%s%zu", between, i);
        between = ", ";
    }
    BL_PUT(out, "\n");
}

static void put_indices(struct bl_buf *out, const struct bl_redactor *redactor, size_t count,
                        was_matched matched)
{
    const char *between = "";

    BL_PUT(out, "[");
    for (size_t i = 0; i < count; i++) {
        if (matched(redactor, i))
            continue;
        bl_buf_printf(out, "%s%zu", between, i);
        between = ", ";
    }
    BL_PUT(out, "]");
}

static void text_end(struct bl_check *c, struct bl_quoted_output *out)
{
    const struct bl_redactor *r = c->redactor;
    struct bl_buf buf;

    bl_buf_init(&buf, &c->arena, 1 << 20);
    put_unmatched(r, "literals", bl_redactor_literals(r), bl_redactor_literal_matched, &buf);
    put_unmatched(r, "patterns", bl_redactor_patterns(r), bl_redactor_pattern_matched, &buf);
    bl_spool_put(&c->all, bl_buf_str(&buf));
    out->failed = !bl_spool_send(&c->all, put_out, out) || out->failed;
}

/* One sample stands at the top, as the contract has it; several in `samples`. */
static void json_end(struct bl_check *c, struct bl_quoted_output *out)
{
    const struct bl_redactor *r = c->redactor;
    struct bl_buf buf;
    bool one = c->sources.count <= 1 && c->samples == 1;

    /* `all` holds the samples when there are several; else it is the rest of the document. */
    bl_quoted_put(out,
                  BL_STR("{\n  \"artifact_kind\": \"redact_check\",\n  \"schema_version\": "
                         "{\"major\": 1, \"minor\": 0},\n  "));
    if (one) {
        send_matches(c, &c->all);
        out->failed = !bl_spool_send(&c->all, put_out, out) || out->failed;
        bl_quoted_put(out, BL_STR("\n  "));
    }
    bl_buf_init(&buf, &c->arena, 1 << 20);
    BL_PUT(&buf, "\"unmatched_literal_indices\": ");
    put_indices(&buf, r, bl_redactor_literals(r), bl_redactor_literal_matched);
    BL_PUT(&buf, ",\n  \"unmatched_pattern_indices\": ");
    put_indices(&buf, r, bl_redactor_patterns(r), bl_redactor_pattern_matched);
    BL_PUT(&buf, ",\n  ");
    bl_quoted_put(out, bl_buf_str(&buf));
    if (one)
        send_body(c, &c->all);
    else
        bl_quoted_put(out, BL_STR("\"samples\": ["));
    out->failed = !bl_spool_send(&c->all, put_out, out) || out->failed || buf.failed;
    bl_quoted_put(out, one ? BL_STR("\n}\n") : BL_STR("\n  ]\n}\n"));
}

static void sarif_end(struct bl_check *c, struct bl_quoted_output *out)
{
    bl_quoted_put(
        out, BL_STR("{\n  \"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\",\n"
                    "  \"version\": \"2.1.0\",\n  \"runs\": [\n    {\n"
                    "      \"tool\": {\"driver\": {\"name\": \"bylaw redact-check\"}},\n"
                    "      \"results\": ["));
    out->failed = !bl_spool_send(&c->all, put_out, out) || out->failed;
    bl_quoted_put(out, BL_STR("]\n    }\n  ]\n}\n"));
}

enum bl_exit bl_check_report_end(struct bl_check *c)
{
    struct bl_quoted_output out;

    bl_quoted_begin(&out, c->format != BL_CHECK_TEXT);
    if (c->format == BL_CHECK_TEXT)
        text_end(c, &out);
    else if (c->format == BL_CHECK_JSON)
        json_end(c, &out);
    else
        sarif_end(c, &out);
    if (c->head.failed || c->body.failed || c->all.failed)
        return bl_check_say(c, (bl_str){NULL, 0},
                            BL_STR("The report needs more room for temporary files."),
                            BL_EXIT_INTERNAL);
    return bl_quoted_end(&out)
               ? BL_EXIT_OK
               : bl_check_say(c, (bl_str){NULL, 0},
                              BL_STR("Standard output is closed or full."), BL_EXIT_INTERNAL);
}
