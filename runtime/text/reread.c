/* SPDX-License-Identifier: Apache-2.0 */
#include "text/reread.h"

#include "text/reread_judge.h"

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

/* ---- what the parser saw ------------------------------------------------------------------
 */

/* The document in hand, for what the parser does not say: how the text itself is written. */
struct reading {
    struct bl_judge *judge;
    bl_str text;
    size_t at; /* where line `line` begins */
    int line;
};

/* What stands in the text where a node begins. */
static bl_str written(struct reading *r, cmark_node *node)
{
    int line = cmark_node_get_start_line(node);
    int column = cmark_node_get_start_column(node);

    while (r->line < line && r->at < r->text.len) {
        size_t end = bl_str_find_char(bl_str_slice(r->text, r->at, r->text.len), '\n');
        r->at = end == SIZE_MAX ? r->text.len : r->at + end + 1;
        r->line++;
    }
    return bl_str_slice(r->text, r->at + (column > 0 ? (size_t)column - 1 : 0), r->text.len);
}

/* A quotation that begins with [!WORD] is a box in a colour. Escaped it is none, which the tree
 * does not show. */
static void see_paragraph(struct reading *r, cmark_node *node)
{
    cmark_node *parent = cmark_node_parent(node);

    if (parent == NULL || cmark_node_get_type(parent) != CMARK_NODE_BLOCK_QUOTE ||
        cmark_node_first_child(parent) != node)
        return;
    bl_str s = written(r, node);
    size_t end = 2;
    while (end < s.len && bl_is_ascii_alpha(s.ptr[end]))
        end++;
    if (end > 2 && end < s.len && s.ptr[0] == '[' && s.ptr[1] == '!' && s.ptr[end] == ']')
        bl_judge_see(r->judge, BL_STR("alert"), bl_str_slice(s, 2, end), true);
}

static void see_link(struct bl_judge *j, cmark_node *node)
{
    const char *title = cmark_node_get_title(node);

    bl_judge_see(j, BL_STR("link"), bl_str_from(cmark_node_get_url(node)), true);
    if (title != NULL && title[0] != '\0')
        bl_judge_see(j, BL_STR("title"), bl_str_from(title), true);
}

/* What extensions make. */
static void see_extension(struct bl_judge *j, cmark_node *node)
{
    static const char *const kinds[] = {"table", "tasklist"};

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(cmark_node_get_type_string(node), kinds[i]) == 0)
            bl_judge_see(j, bl_str_from(kinds[i]), (bl_str){NULL, 0}, true);
    }
}

static void see(struct reading *r, cmark_node *node)
{
    struct bl_judge *j = r->judge;
    const char *literal = cmark_node_get_literal(node);
    cmark_node_type type = cmark_node_get_type(node);

    if (type == CMARK_NODE_HTML_BLOCK || type == CMARK_NODE_HTML_INLINE)
        bl_judge_see(j, BL_STR("html"), bl_str_from(literal), true);
    else if (type == CMARK_NODE_IMAGE)
        bl_judge_see(j, BL_STR("image"), bl_str_from(cmark_node_get_url(node)), true);
    else if (type == CMARK_NODE_FOOTNOTE_REFERENCE || type == CMARK_NODE_FOOTNOTE_DEFINITION)
        bl_judge_see(j, BL_STR("note"), (bl_str){NULL, 0}, true);
    else if (type == CMARK_NODE_HEADING)
        bl_judge_heading(j);
    else if (type == CMARK_NODE_CODE)
        bl_judge_code(j, bl_str_from(literal), (bl_str){NULL, 0});
    else if (type == CMARK_NODE_CODE_BLOCK)
        bl_judge_code(j, bl_str_from(literal), bl_str_from(cmark_node_get_fence_info(node)));
    else if (type == CMARK_NODE_LINK)
        see_link(j, node);
    else if (type == CMARK_NODE_PARAGRAPH)
        see_paragraph(r, node);
    else
        see_extension(j, node);
}

static void see_document(struct reading *r, cmark_node *document)
{
    cmark_iter *iter = cmark_iter_new(document);
    struct bl_judge *j = r->judge;

    for (cmark_event_type event = cmark_iter_next(iter);
         event != CMARK_EVENT_DONE && !bl_judge_is_done(j); event = cmark_iter_next(iter)) {
        cmark_node *node = cmark_iter_get_node(iter);
        cmark_node_type type = cmark_node_get_type(node);
        bool is_block = (type & CMARK_NODE_TYPE_MASK) == CMARK_NODE_TYPE_BLOCK;

        if (type == CMARK_NODE_TEXT) {
            bl_judge_words(j, bl_str_from(cmark_node_get_literal(node)));
            continue;
        }
        if (type == CMARK_NODE_SOFTBREAK || type == CMARK_NODE_LINEBREAK) {
            bl_judge_words(j, BL_STR("\n"));
            continue;
        }
        bl_judge_end_words(j);
        if (is_block)
            bl_judge_end_block(j);
        if (event == CMARK_EVENT_ENTER)
            see(r, node);
        /* GitHub looks for no names inside of a link. */
        if (type == CMARK_NODE_LINK)
            bl_judge_link(j, event == CMARK_EVENT_ENTER);
    }
    bl_judge_end_words(j);
    bl_judge_end_block(j);
}

static void attach(cmark_parser *parser)
{
    static const char *const names[] = {"table", "strikethrough", "autolink", "tasklist"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        cmark_syntax_extension *extension = cmark_find_syntax_extension(names[i]);
        if (extension != NULL)
            (void)cmark_parser_attach_syntax_extension(parser, extension);
    }
}

/* False when the budget was used up. */
static bool read_within(struct budget *budget, struct bl_judge *j, bl_str text)
{
    cmark_parser *volatile parser = NULL;

    if (setjmp(budget->out) != 0) {
        /* The parser changes tables of the library while it runs. */
        if (parser != NULL)
            cmark_manage_extensions_special_characters(parser, 0);
        return false;
    }
    parser = cmark_parser_new_with_mem(CMARK_OPT_FOOTNOTES, &memory);
    attach(parser);
    cmark_parser_feed(parser, text.ptr, text.len);
    cmark_node *document = cmark_parser_finish(parser);
    parser = NULL;
    if (document == NULL)
        return false;
    struct reading reading = {.judge = j, .text = text, .line = 1};
    see_document(&reading, document);
    return true;
}

static bool read_text(struct bl_arena *arena, struct bl_judge *j, bl_str text)
{
    struct budget budget = {
        .arena = arena, .bytes = BUDGET_BYTES, .allocations = BUDGET_ALLOCATIONS};

    if (is_too_deep(text))
        return false;
    cmark_gfm_core_extensions_ensure_registered();
    in_hand = &budget;
    bool read = read_within(&budget, j, text);
    in_hand = NULL;
    return read;
}

bl_str bl_reread(struct bl_arena *arena, bl_str text, const struct bl_reread_rules *rules)
{
    return bl_reread_in_place(arena, text, (bl_str){NULL, 0}, rules);
}

bl_str bl_reread_in_place(struct bl_arena *arena, bl_str text, bl_str without,
                          const struct bl_reread_rules *rules)
{
    struct bl_arena_mark mark = bl_arena_mark(arena);
    struct bl_judge j;
    bl_str found = BL_STR("budget");

    if (text.len == 0)
        return (bl_str){NULL, 0};
    bool read = bl_judge_init(&j, arena, rules, 2 * (text.len + without.len) + 16);
    if (read && without.len > 0) {
        bl_judge_listen(&j, true);
        read = read_text(arena, &j, without);
        bl_judge_listen(&j, false);
    }
    if (read && read_text(arena, &j, text))
        found = bl_judge_verdict(&j);
    bl_arena_release(arena, mark);
    return found;
}
