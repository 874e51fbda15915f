/* SPDX-License-Identifier: Apache-2.0 */
#include "text/reread.h"

#include "base/buf.h"

#include <setjmp.h>
#include <string.h>

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm-extension_api.h>
#include <cmark-gfm.h>

/* cmark-gfm within a budget. It has no user pointer and ends the process when memory runs out,
 * so that the budget in hand stands in this file, and the way out of an exhausted one is a
 * jump. All its memory is the arena's: a jump loses nothing. */

#define BUDGET_BYTES       ((size_t)24 << 20)
#define BUDGET_ALLOCATIONS 1000000u
#define DEEPEST            64u /* containers in one line; cmark-gfm looks at each again and again */
#define LONGEST_CLOSING                                                                        \
    256u /* parentheses in a row: its autolinks count them from the end each time */

struct budget {
    struct bl_arena *arena;
    size_t bytes;
    size_t allocations;
    jmp_buf out;
};

static struct budget *in_hand;

struct block {
    size_t size;
    size_t unused; /* what follows is aligned for any type */
};

static void *take(size_t size)
{
    if (size > in_hand->bytes || in_hand->allocations == 0)
        longjmp(in_hand->out, 1);
    struct block *block = bl_arena_alloc(in_hand->arena, 1, size + sizeof *block);
    if (block == NULL)
        longjmp(in_hand->out, 1);
    in_hand->bytes -= size;
    in_hand->allocations--;
    block->size = size;
    return block + 1;
}

static void *budget_calloc(size_t count, size_t size)
{
    if (size != 0 && count > BUDGET_BYTES / size)
        longjmp(in_hand->out, 1);
    return take(count * size);
}

static void *budget_realloc(void *old, size_t size)
{
    void *block = take(size);

    if (old != NULL) {
        size_t before = ((struct block *)old - 1)->size;
        memcpy(block, old, before < size ? before : size);
    }
    return block;
}

static void budget_free(void *block)
{
    (void)block;
}

static cmark_mem memory = {budget_calloc, budget_realloc, budget_free};

/* ---- before the parser ------------------------------------------------------------------- */

/* A mark of a quote, or of a list with a blank behind it: a ruler of hyphens is none. */
static bool opens_container(bl_str s, size_t at)
{
    char next = at + 1 < s.len ? s.ptr[at + 1] : '\n';

    return s.ptr[at] == '>' ||
           (strchr("-+*", s.ptr[at]) != NULL && (next == ' ' || next == '\t' || next == '\n'));
}

/* What it reads in quadratic time. */
static bool is_too_deep(bl_str s)
{
    size_t closing = 0;

    for (size_t at = 0; at < s.len;) {
        unsigned depth = 0;
        bool leading = true;
        for (; at < s.len && s.ptr[at] != '\n'; at++) {
            char c = s.ptr[at];
            closing = c == ')' ? closing + 1 : 0;
            if (closing > LONGEST_CLOSING)
                return true;
            if (leading && opens_container(s, at) && ++depth > DEEPEST)
                return true;
            leading = leading && (strchr(">-+*.) \t", c) != NULL || bl_is_ascii_digit(c));
        }
        at++;
    }
    return false;
}

/* ---- what may show ----------------------------------------------------------------------- */

struct judge {
    const bl_str *allowed;
    uint32_t *slots; /* numbers of `allowed` from 1, by hash */
    size_t mask;
    struct bl_buf text; /* the run of text in hand */
    bl_str found;
};

static bool fill(struct bl_arena *arena, struct judge *j, const bl_str *allowed, size_t count)
{
    size_t size = 8;

    while (size < 2 * count)
        size *= 2;
    j->allowed = allowed;
    j->mask = size - 1;
    j->slots = BL_NEW_ARRAY(arena, size, uint32_t);
    for (size_t i = 0; j->slots != NULL && i < count; i++) {
        size_t slot = bl_str_hash(allowed[i], 0) & j->mask;
        while (j->slots[slot] != 0)
            slot = (slot + 1) & j->mask;
        j->slots[slot] = (uint32_t)i + 1;
    }
    return j->slots != NULL;
}

static bool may_show(const struct judge *j, bl_str s)
{
    for (size_t slot = bl_str_hash(s, 0) & j->mask; j->slots[slot] != 0;
         slot = (slot + 1) & j->mask) {
        if (bl_str_equal(j->allowed[j->slots[slot] - 1], s))
            return true;
    }
    return false;
}

static bool is_word(char c)
{
    return bl_is_ascii_alpha(c) || bl_is_ascii_digit(c);
}

static bool in_name(char c)
{
    return is_word(c) || c == '_' || c == '-' || c == '.' || c == '/';
}

static size_t digits_end(bl_str s, size_t at)
{
    while (at < s.len && bl_is_ascii_digit(s.ptr[at]))
        at++;
    return at;
}

/* A number: with the name in front of it, or alone. */
static void judge_number(struct judge *j, bl_str s, size_t sign, size_t begin)
{
    size_t end = digits_end(s, sign + 1);
    size_t from = sign;

    if (end == sign + 1)
        return;
    while (from > begin && in_name(s.ptr[from - 1]))
        from--;
    if (!may_show(j, bl_str_slice(s, from, end)) &&
        !((sign == from || !is_word(s.ptr[sign - 1])) &&
          may_show(j, bl_str_slice(s, sign, end))))
        j->found = BL_STR("reference");
}

static void judge_at(struct judge *j, bl_str s, size_t sign, size_t begin)
{
    size_t end = sign + 1;
    size_t hex = 0;
    bool inside = sign > begin && is_word(s.ptr[sign - 1]);

    while (end < s.len && (is_word(s.ptr[end]) || s.ptr[end] == '-'))
        end++;
    if (end == sign + 1 || !is_word(s.ptr[sign + 1]))
        return;
    for (size_t i = sign + 1; i < end; i++)
        hex += strchr("0123456789abcdef", s.ptr[i]) != NULL;
    if (!inside && !may_show(j, bl_str_slice(s, sign, end)))
        j->found = BL_STR("mention");
    else if (inside && hex == end - sign - 1 && hex >= 7 && hex <= 40)
        j->found = BL_STR("reference");
}

/* One run of text as the reader gives it: escapes and references to characters are gone. */
static void judge_text(struct judge *j)
{
    bl_str s = bl_buf_str(&j->text);
    size_t begin = 0; /* of the word in hand: names are sought no further back */

    for (size_t at = 0; at < s.len && j->found.len == 0; at++) {
        char c = s.ptr[at];
        char before = at > 0 ? s.ptr[at - 1] : ' ';
        if (c == ' ' || c == '\n')
            begin = at + 1;
        if (c == '@') {
            judge_at(j, s, at, begin);
            begin = at;
        } else if (c == '#') {
            judge_number(j, s, at, begin);
            begin = at;
        } else if ((c == 'G' || c == 'g') && !is_word(before) && at + 3 < s.len &&
                   (s.ptr[at + 1] == 'H' || s.ptr[at + 1] == 'h') && s.ptr[at + 2] == '-' &&
                   bl_is_ascii_digit(s.ptr[at + 3])) {
            if (!may_show(j, bl_str_slice(s, at, digits_end(s, at + 3))))
                j->found = BL_STR("reference");
        }
    }
    j->text.len = 0;
}

static void judge_link(struct judge *j, cmark_node *node)
{
    const char *url = cmark_node_get_url(node);
    const char *title = cmark_node_get_title(node);

    if (!may_show(j, bl_str_from(url)) || (title != NULL && title[0] != '\0'))
        j->found = BL_STR("link");
}

static void judge_node(struct judge *j, cmark_node *node)
{
    cmark_node_type type = cmark_node_get_type(node);

    if (type == CMARK_NODE_TEXT) {
        bl_buf_put(&j->text, bl_str_from(cmark_node_get_literal(node)));
        return;
    }
    if (type == CMARK_NODE_SOFTBREAK) {
        bl_buf_put_char(&j->text, '\n');
        return;
    }
    judge_text(j);
    if (type == CMARK_NODE_HTML_BLOCK || type == CMARK_NODE_HTML_INLINE)
        j->found = BL_STR("html");
    else if (type == CMARK_NODE_IMAGE)
        j->found = BL_STR("image");
    else if (strcmp(cmark_node_get_type_string(node), "table") == 0)
        j->found = BL_STR("table");
    else if (type == CMARK_NODE_FOOTNOTE_REFERENCE || type == CMARK_NODE_FOOTNOTE_DEFINITION)
        j->found = BL_STR("note");
    else if (type == CMARK_NODE_LINK)
        judge_link(j, node);
}

static void judge_document(struct judge *j, cmark_node *document)
{
    cmark_iter *iter = cmark_iter_new(document);
    bool in_link = false;

    for (cmark_event_type event = cmark_iter_next(iter);
         event != CMARK_EVENT_DONE && j->found.len == 0 && !j->text.failed;
         event = cmark_iter_next(iter)) {
        cmark_node *node = cmark_iter_get_node(iter);
        if (event == CMARK_EVENT_ENTER && !in_link)
            judge_node(j, node);
        else if (!in_link)
            judge_text(j);
        /* GitHub looks for nothing inside of a link. */
        if (cmark_node_get_type(node) == CMARK_NODE_LINK)
            in_link = event == CMARK_EVENT_ENTER;
    }
    judge_text(j);
}

static void attach(cmark_parser *parser)
{
    static const char *const names[] = {"table", "strikethrough", "autolink"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        cmark_syntax_extension *extension = cmark_find_syntax_extension(names[i]);
        if (extension != NULL)
            (void)cmark_parser_attach_syntax_extension(parser, extension);
    }
}

static bl_str read_and_judge(struct budget *budget, struct judge *j, bl_str text)
{
    cmark_parser *volatile parser = NULL;

    if (setjmp(budget->out) != 0) {
        /* The parser changes tables of the library while it runs. */
        if (parser != NULL)
            cmark_manage_extensions_special_characters(parser, 0);
        return BL_STR("budget");
    }
    parser = cmark_parser_new_with_mem(CMARK_OPT_FOOTNOTES, &memory);
    attach(parser);
    cmark_parser_feed(parser, text.ptr, text.len);
    cmark_node *document = cmark_parser_finish(parser);
    parser = NULL;
    if (document == NULL)
        return BL_STR("budget");
    judge_document(j, document);
    return j->text.failed ? BL_STR("budget") : j->found;
}

bl_str bl_reread(struct bl_arena *arena, bl_str text, const bl_str *allowed, size_t count)
{
    struct bl_arena_mark mark = bl_arena_mark(arena);
    struct budget budget = {
        .arena = arena, .bytes = BUDGET_BYTES, .allocations = BUDGET_ALLOCATIONS};
    struct judge j = {.found = {NULL, 0}};
    bl_str found = BL_STR("budget");

    if (text.len == 0)
        return (bl_str){NULL, 0};
    cmark_gfm_core_extensions_ensure_registered();
    bl_buf_init(&j.text, arena, text.len + 1);
    if (!is_too_deep(text) && fill(arena, &j, allowed, count)) {
        in_hand = &budget;
        found = read_and_judge(&budget, &j, text);
        in_hand = NULL;
    }
    bl_arena_release(arena, mark);
    return found;
}
