/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/clause_slips.h"

static bl_str text_of(const struct bl_slips *s, struct bl_span span)
{
    return bl_sources_text(s->sources, span);
}

static struct bl_diagnostic *report(const struct bl_slips *s, enum bl_diagnostic_code code,
                                    struct bl_span span, const struct bl_fitting *f)
{
    struct bl_diagnostic *d = bl_report(s->sink, code, span);

    bl_diagnostic_text(s->sink, d, "clause", bl_clause_info(f->clause->id)->words);
    return d;
}

bool bl_block_knows(enum bl_clause_block block, bl_str word)
{
    for (unsigned i = 0; i < BL_CLAUSE_COUNT; i++) {
        const struct bl_clause_info *row = bl_clause_info((enum bl_clause_id)i);

        if (bl_clause_block_takes(block, row->block) && row->words.len > 0 &&
            bl_str_equal(bl_str_slice(row->words, 0, bl_str_find_char(row->words, ' ')), word))
            return true;
    }
    return false;
}

static bool is_path(const struct bl_node *node)
{
    while (node->kind == BL_NODE_FIELD && node->kid_count > 0)
        node = node->kids[0];
    return node->kind == BL_NODE_NAME;
}

static struct bl_node *item_at(const struct bl_fitting *f, uint32_t at)
{
    return at < f->count ? f->items[at] : NULL;
}

/* ---- commas ---------------------------------------------------------------------------------
 */

/* The first comma of the gap; a comma in a comment there is no harm. */
static struct bl_span comma_between(const struct bl_slips *s, const struct bl_node *left,
                                    const struct bl_node *right)
{
    struct bl_span gap = {left->span.hi, right->span.lo, left->span.source};
    size_t at = bl_str_find_char(text_of(s, gap), ',');

    if (at != SIZE_MAX) {
        gap.lo += (uint32_t)at;
        gap.hi = gap.lo + 1;
    }
    return gap;
}

/* `color "b60205", description "…"`: behind the comma another clause begins. */
static bool joined_clauses(const struct bl_slips *s, enum bl_clause_block block,
                           const struct bl_fitting *f)
{
    for (uint32_t i = 0; i < f->count; i++) {
        const struct bl_node *list = f->items[i];

        if (list->kind != BL_NODE_COMMA || i + 1 >= f->count)
            continue;
        const struct bl_node *last = list->kids[list->kid_count - 1];
        if (last->kind != BL_NODE_NAME || !bl_block_knows(block, last->text))
            continue;
        struct bl_span comma = comma_between(s, list->kids[list->kid_count - 2], last);
        struct bl_span gap = {comma.hi, last->span.lo, comma.source};
        bool line_ends = bl_str_find_char(text_of(s, gap), '\n') != SIZE_MAX;
        struct bl_diagnostic *d = report(s, BL_D_CLAUSE_COMMA, comma, f);
        bl_diagnostic_text(s->sink, d, "word", last->text);
        bl_diagnostic_fix(s->sink, d, comma, line_ends ? BL_STR("") : BL_STR(";"));
        return true;
    }
    return false;
}

static bool takes_lists(const struct bl_fitting *f)
{
    return bl_str_find_char(f->shape, '*') != SIZE_MAX;
}

/* `on a b`, `labels a b`: a comma is missing. */
static bool comma_missing(const struct bl_slips *s, const struct bl_fitting *f)
{
    const struct bl_node *next = item_at(f, f->at), *before;

    if (f->at == 0 || next == NULL || !takes_lists(f))
        return false;
    before = f->items[f->at - 1];
    if (before->kind == BL_NODE_COMMA)
        before = before->kids[before->kid_count - 1];
    if (!is_path(next) || !is_path(before) || f->misfit == BL_MISFIT_ENDS || f->slot == 0)
        return false;
    struct bl_span gap = {before->span.hi, next->span.lo, next->span.source};
    if (bl_str_find_char(text_of(s, gap), '\n') != SIZE_MAX || f->wanted.len > 0)
        return false;
    struct bl_diagnostic *d = report(s, BL_D_CLAUSE_COMMA_MISSING, next->span, f);
    bl_diagnostic_fix(s->sink, d, gap, BL_STR(", "));
    return true;
}

static bool put_paths(const struct bl_slips *s, const struct bl_node *node, struct bl_buf *out,
                      enum bl_node_kind joint)
{
    if (node->kind == joint && node->kid_count == 2) {
        if (!put_paths(s, node->kids[0], out, joint))
            return false;
        BL_PUT(out, ", ");
        return put_paths(s, node->kids[1], out, joint);
    }
    bl_buf_put(out, text_of(s, node->span));
    return is_path(node);
}

/* `on a or b`: what stands in a list is kept apart by commas. */
static bool joined_by_word(const struct bl_slips *s, const struct bl_fitting *f)
{
    const struct bl_node *node = item_at(f, f->at);
    struct bl_buf fix;

    if (node == NULL || (node->kind != BL_NODE_OR && node->kind != BL_NODE_AND) ||
        !takes_lists(f))
        return false;
    bl_buf_init(&fix, s->arena, 1024);
    if (!put_paths(s, node, &fix, (enum bl_node_kind)node->kind) || fix.failed)
        return false;
    struct bl_diagnostic *d = report(s, BL_D_CLAUSE_COMMA_MISSING, node->span, f);
    bl_diagnostic_fix(s->sink, d, node->span, bl_buf_str(&fix));
    return true;
}

/* ---- lists of YAML, colons ------------------------------------------------------------------
 */

static bool put_elements(const struct bl_slips *s, const struct bl_node *node,
                         struct bl_buf *out, bool first)
{
    if (node->kind == BL_NODE_ARITHMETIC && node->op == BL_OPERATOR_SUB) {
        if (!put_elements(s, node->kids[0], out, true))
            return false;
        /* Behind the word of the clause stands a blank, behind an element a comma. */
        bl_buf_put(out, node->kids[0]->kind == BL_NODE_ARITHMETIC ? BL_STR(", ") : BL_STR(" "));
        return put_elements(s, node->kids[1], out, false);
    }
    bl_buf_put(out, text_of(s, node->span));
    return first ? node->kind == BL_NODE_NAME : is_path(node);
}

/* `add labels` and below it `- bug`, which subtracts. */
static bool dashed_list(const struct bl_slips *s, const struct bl_fitting *f)
{
    const struct bl_node *node = item_at(f, f->at), *left = node;
    struct bl_buf fix;

    if (node == NULL || node->kind != BL_NODE_ARITHMETIC || node->op != BL_OPERATOR_SUB ||
        !f->wanted_word)
        return false;
    while (left->kind == BL_NODE_ARITHMETIC && left->op == BL_OPERATOR_SUB)
        left = left->kids[0];
    if (left->kind != BL_NODE_NAME || bl_str_find(f->wanted, left->text) == SIZE_MAX)
        return false;
    bl_buf_init(&fix, s->arena, 1024);
    if (!put_elements(s, node, &fix, true) || fix.failed)
        return false;
    struct bl_span span = {left->span.hi, node->span.hi, node->span.source};
    struct bl_diagnostic *d = report(s, BL_D_CLAUSE_DASH, span, f);
    bl_diagnostic_fix(s->sink, d, node->span, bl_buf_str(&fix));
    return true;
}

/* `on issues: [opened, edited]`, as workflow files have it. */
static bool put_types(const struct bl_slips *s, const struct bl_fitting *f, struct bl_buf *out,
                      struct bl_span *span)
{
    const struct bl_node *event = f->at > 0 ? f->items[f->at - 1] : NULL;
    const struct bl_node *list = item_at(f, f->at + 1);

    if (event == NULL || list == NULL || event->kind != BL_NODE_NAME ||
        list->kind != BL_NODE_LIST || list->kid_count == 0)
        return false;
    bl_buf_init(out, s->arena, 1024);
    for (uint32_t i = 0; i < list->kid_count; i++) {
        if (list->kids[i]->kind != BL_NODE_NAME)
            return false;
        if (i > 0)
            BL_PUT(out, ", ");
        bl_buf_printf(out, "%.*s.%.*s", BL_STR_ARG(event->text),
                      BL_STR_ARG(list->kids[i]->text));
    }
    *span = (struct bl_span){event->span.lo, list->span.hi, list->span.source};
    return !out->failed;
}

/* Would the clause fit without it? */
static bool fits_without_colon(const struct bl_slips *s, const struct bl_fitting *f)
{
    struct bl_node phrase = *f->clause->node->kids[0], node = *f->clause->node;
    struct bl_node **kids = BL_NEW_ARRAY(s->arena, node.kid_count + 1, struct bl_node *);
    struct bl_node **items = BL_NEW_ARRAY(s->arena, f->count + 1, struct bl_node *);
    struct bl_clause clause = {.node = &node};
    struct bl_fitting again = {
        .clause = &clause, .arena = s->arena, .shape = f->shape, .inner = f->inner};

    if (kids == NULL || items == NULL || node.kind != BL_NODE_CLAUSE)
        return false;
    for (uint32_t i = 0, n = 0; i < f->count; i++) {
        if (i != f->at)
            items[n++] = f->items[i];
    }
    phrase.kids = items;
    phrase.kid_count = f->count - 1;
    for (uint32_t i = 0; i < node.kid_count; i++)
        kids[i] = i == 0 ? &phrase : node.kids[i];
    node.kids = kids;
    return bl_shape_fit(&again, f->from);
}

static bool colon(const struct bl_slips *s, const struct bl_fitting *f)
{
    struct bl_span typed;
    struct bl_buf types;
    const struct bl_node *node = item_at(f, f->at);

    if (node == NULL || node->kind != BL_NODE_COLON)
        return false;
    for (uint32_t i = f->at; i < f->count; i++) {
        if (f->items[i]->kind == BL_NODE_BROKEN)
            return true; /* told by the parser */
    }
    bool fits = fits_without_colon(s, f);
    bool types_fit = !fits && put_types(s, f, &types, &typed);
    if (!fits && !types_fit)
        return false;
    struct bl_diagnostic *d = report(s, BL_D_CLAUSE_COLON, node->span, f);
    if (types_fit) {
        bl_diagnostic_help(s->sink, d, BL_STR("Each event is written whole, with its action."));
        bl_diagnostic_fix(s->sink, d, typed, bl_buf_str(&types));
        return true;
    }
    bl_diagnostic_fix(s->sink, d, node->span, BL_STR(""));
    return true;
}

/* ---- questions of other languages
 * ------------------------------------------------------------ */

/* `x not set`, `x exists`: how one asks whether it is there. */
static bool asks_presence(const struct bl_slips *s, const struct bl_fitting *f)
{
    static const struct {
        bl_str word, here;
    } words[] = {
        {{"exists", 6}, {"is set", 6}},
        {{"present", 7}, {"is set", 6}},
        {{"set", 3}, {"is set", 6}},
        {{"absent", 6}, {"is absent", 9}},
        {{"missing", 7}, {"is absent", 9}},
        {{"not set", 7}, {"is absent", 9}},
        {{"not present", 11}, {"is absent", 9}},
    };
    const struct bl_node *node = item_at(f, f->at);

    if (node == NULL || f->misfit != BL_MISFIT_MANY)
        return false;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (!bl_str_equal(text_of(s, node->span), words[i].word))
            continue;
        struct bl_diagnostic *d = bl_report(s->sink, BL_D_NULL, node->span);
        bl_diagnostic_fix(s->sink, d, node->span, words[i].here);
        return true;
    }
    return false;
}

/* `issue has label bug`. */
static bool has_the_word(const struct bl_slips *s, const struct bl_fitting *f)
{
    const struct bl_node *node = item_at(f, f->at),
                         *left = f->at > 0 ? f->items[f->at - 1] : NULL;
    struct bl_buf help;

    if (node == NULL || left == NULL || f->misfit != BL_MISFIT_MANY ||
        left->kind != BL_NODE_COMPARE ||
        (left->op != BL_OPERATOR_HAS && left->op != BL_OPERATOR_LACKS) ||
        !bl_str_equal(left->kids[1]->text, BL_STR("label")))
        return false;
    struct bl_span span = {left->kids[1]->span.lo, node->span.lo, node->span.source};
    struct bl_diagnostic *d = report(s, BL_D_CLAUSE_MANY_VALUES, left->kids[1]->span, f);
    bl_diagnostic_int(s->sink, d, "count", f->excess);
    bl_buf_init(&help, s->arena, 256);
    bl_str word = bl_operator_spelling(left->op);
    bl_buf_printf(&help, "Behind '%.*s' stands the label alone.", BL_STR_ARG(word));
    bl_diagnostic_help(s->sink, d, bl_buf_str(&help));
    bl_diagnostic_fix(s->sink, d, span, BL_STR(""));
    return true;
}

bool bl_slip_report(const struct bl_slips *slips, enum bl_clause_block block,
                    const struct bl_fitting *f)
{
    return joined_clauses(slips, block, f) || colon(slips, f) || asks_presence(slips, f) ||
           has_the_word(slips, f) || comma_missing(slips, f) || joined_by_word(slips, f) ||
           dashed_list(slips, f);
}

/* ---- names and texts
 * ------------------------------------------------------------------------- */

/* A text or a hyphened word as a name: "Crash reports" and crash-reports are crash_reports. */
static bool as_name(const struct bl_slips *s, bl_str words, bool dots, struct bl_buf *out)
{
    bl_buf_init(out, s->arena, 256);
    for (size_t i = 0; i < words.len; i++) {
        char c = bl_ascii_lower(words.ptr[i]);
        bool plain = bl_is_ascii_alpha(c) || bl_is_ascii_digit(c) || (dots && c == '.');

        if (plain)
            bl_buf_put_char(out, c);
        else if (out->len > 0 && out->ptr[out->len - 1] != '_')
            bl_buf_put_char(out, '_');
        if ((unsigned char)c >= 0x80)
            return false;
    }
    while (out->len > 0 && out->ptr[out->len - 1] == '_')
        out->len--;
    return out->len > 0 && !out->failed && bl_is_ascii_alpha(out->ptr[0]);
}

static bool is_hyphened(const struct bl_node *node)
{
    return node->kind == BL_NODE_ARITHMETIC && node->op == BL_OPERATOR_SUB &&
           node->kids[1]->kind == BL_NODE_NAME &&
           (node->kids[0]->kind == BL_NODE_NAME || is_hyphened(node->kids[0]));
}

static bool help_with_name(const struct bl_slips *s, struct bl_diagnostic *d,
                           const struct bl_node *node)
{
    bool is_text = node->kind == BL_NODE_STRING && node->kid_count <= 1;
    struct bl_buf name, help;

    if ((!is_text && !is_hyphened(node)) ||
        !as_name(s, is_text ? node->text : text_of(s, node->span), is_text, &name))
        return false;
    bl_buf_init(&help, s->arena, 512);
    bl_buf_printf(&help,
                  "A name has small letters, digits and '_', and stands without quotes: %.*s.",
                  BL_STR_ARG(bl_buf_str(&name)));
    bl_diagnostic_help(s->sink, d, bl_buf_str(&help));
    bl_diagnostic_fix(s->sink, d, node->span, bl_buf_str(&name));
    return true;
}

static bool help_with_quotes(const struct bl_slips *s, struct bl_diagnostic *d,
                             const struct bl_node *node)
{
    struct bl_buf quoted, help;

    if (node->kind != BL_NODE_NAME && node->kind != BL_NODE_INT && !is_hyphened(node))
        return false;
    bl_buf_init(&quoted, s->arena, 256);
    bl_buf_init(&help, s->arena, 512);
    bl_buf_printf(&quoted, "\"%.*s\"", BL_STR_ARG(text_of(s, node->span)));
    bl_buf_printf(&help, "Put quotes around it: %.*s.", BL_STR_ARG(bl_buf_str(&quoted)));
    if (quoted.failed || help.failed)
        return false;
    bl_diagnostic_help(s->sink, d, bl_buf_str(&help));
    bl_diagnostic_fix(s->sink, d, node->span, bl_buf_str(&quoted));
    return true;
}

/* `rule r when C {`, `rule r on E {`: a clause of the block stands in its head. */
static bool help_with_head(const struct bl_slips *s, struct bl_diagnostic *d,
                           const struct bl_fitting *f)
{
    const struct bl_node *node = f->items[f->at];
    struct bl_buf help;
    size_t brace = bl_str_find_char(f->shape, '{');

    if (node->kind != BL_NODE_NAME || brace == SIZE_MAX)
        return false;
    bl_str inside = bl_str_slice(f->shape, brace + 1, bl_str_find_char(f->shape, '}'));
    if (!bl_block_knows(bl_clause_block_named(inside, f->inner), node->text))
        return false;
    bl_buf_init(&help, s->arena, 256);
    bl_buf_printf(&help, "'%.*s' is a clause of its own, and stands in the block.",
                  BL_STR_ARG(node->text));
    bl_diagnostic_help(s->sink, d, bl_buf_str(&help));
    return true;
}

bool bl_slip_help(const struct bl_slips *slips, struct bl_diagnostic *d,
                  const struct bl_fitting *f)
{
    const struct bl_node *node = item_at(f, f->at);

    if (node == NULL || f->misfit != BL_MISFIT_OTHER)
        return false;
    if (f->letter == 'S')
        return help_with_quotes(slips, d, node);
    if (f->letter == 'N' || f->letter == 'D' || f->letter == 'P')
        return help_with_name(slips, d, node);
    if (f->letter == 'K' && node->kind == BL_NODE_STRING && f->clause->id == BL_CLAUSE_POST) {
        bl_diagnostic_help(
            slips->sink, d,
            BL_STR("A comment says messages of a catalog and is posted by its name: "
                   "words en { message thanks \"Thanks!\" }, comment hello { "
                   "say thanks }, and here 'post hello'."));
        return true;
    }
    return help_with_head(slips, d, f);
}
