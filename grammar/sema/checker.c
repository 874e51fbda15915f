/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/checker.h"

/* ---- messages ------------------------------------------------------------------------------
 */

struct bl_diagnostic *bl_sema_error(struct bl_checker *c, enum bl_diagnostic_code code,
                                    struct bl_span span)
{
    bool unknown = code == BL_D_UNKNOWN_NAME || code == BL_D_UNKNOWN_KIND_NAME ||
                   code == BL_D_UNKNOWN_FUNCTION || code == BL_D_UNKNOWN_TYPE;

    if (unknown && bl_sema_is_broken(c, span)) {
        c->sink->spare = (struct bl_diagnostic){.span = BL_NO_SPAN};
        return &c->sink->spare;
    }
    return bl_report(c->sink, code, span);
}

void bl_sema_arg(struct bl_checker *c, struct bl_diagnostic *d, const char *name, bl_str value)
{
    bl_diagnostic_text(c->sink, d, name, value);
}

void bl_sema_defect(struct bl_checker *c, const struct bl_clause *clause)
{
    bl_sema_arg(c, bl_sema_error(c, BL_D_EMIT_DEFECT, clause->node->span), "what",
                bl_clause_info(clause->id)->words);
}

void bl_sema_arg_type(struct bl_checker *c, struct bl_diagnostic *d, const char *name,
                      bl_type type)
{
    bl_diagnostic_text(c->sink, d, name, bl_sema_type_text(c, type));
}

bl_str bl_sema_source(struct bl_checker *c, struct bl_span span)
{
    return bl_sources_text(c->sources, span);
}

void bl_sema_arg_node(struct bl_checker *c, struct bl_diagnostic *d, const char *name,
                      const struct bl_node *node)
{
    bl_str text = bl_sema_source(c, node->span);
    struct bl_buf buf;
    bool blank = false;

    bl_buf_init(&buf, c->arena, 256);
    for (size_t i = 0; i < text.len && buf.len < 60; i++) {
        if (bl_is_ascii_space(text.ptr[i])) {
            blank = true;
            continue;
        }
        if (blank && buf.len > 0)
            bl_buf_put_char(&buf, ' ');
        blank = false;
        bl_buf_put_char(&buf, text.ptr[i]);
    }
    /* Not in the middle of a character. */
    while (buf.len > 0 && buf.len < text.len && (buf.ptr[buf.len - 1] & 0x80) != 0)
        buf.len--;
    if (buf.len >= 60)
        BL_PUT(&buf, "…");
    bl_diagnostic_text(c->sink, d, name, bl_buf_str(&buf));
}

static bl_str formatted(struct bl_checker *c, const char *format, va_list args) BL_PRINTF(2, 0);
static bl_str formatted(struct bl_checker *c, const char *format, va_list args)
{
    struct bl_buf buf;

    bl_buf_init(&buf, c->arena, 1024);
    bl_buf_vprintf(&buf, format, args);
    return bl_buf_str(&buf);
}

bl_str bl_sema_text(struct bl_checker *c, const char *format, ...)
{
    va_list args;
    bl_str text;

    va_start(args, format);
    text = formatted(c, format, args);
    va_end(args);
    return text;
}

void bl_sema_help(struct bl_checker *c, struct bl_diagnostic *d, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    bl_diagnostic_help(c->sink, d, formatted(c, format, args));
    va_end(args);
}

/* ---- bodies --------------------------------------------------------------------------------
 */

void bl_sema_body_begin(struct bl_checker *c, struct bl_body *body, struct bl_symbol *symbol)
{
    *body = (struct bl_body){.outer = c->body,
                             .symbol = symbol,
                             .package = symbol != NULL ? symbol->package : NULL,
                             .events = BL_ALL_EVENTS,
                             .place = BL_PLACE_COUNT,
                             .answer = BL_TYPE_ERROR,
                             .about = BL_AMBIENT_COUNT};
    c->body = body;
}

void bl_sema_body_end(struct bl_checker *c)
{
    c->body = c->body->outer;
}

/* Trees are at most limits.def's nesting high; twenty of that height may wait at once. */
#define HEIGHTS_MAX (20 * (unsigned)bl_limit(BL_LIMIT_NESTING))

bool bl_sema_nest(struct bl_checker *c, const struct bl_symbol *symbol)
{
    unsigned height = symbol->clause->node->height;

    if (c->depth > bl_limit(BL_LIMIT_CALL_DEPTH) || c->height + height > HEIGHTS_MAX)
        return false;
    c->depth++;
    c->height += height;
    return true;
}

void bl_sema_unnest(struct bl_checker *c, const struct bl_symbol *symbol)
{
    c->depth--;
    c->height -= symbol->clause->node->height;
}
