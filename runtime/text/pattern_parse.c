/* SPDX-License-Identifier: Apache-2.0 */
#include "base/utf8.h"
#include "spec/tables.h"
#include "text/pattern_escape.h"

#include <string.h>

static struct bl_pattern_node *node_new(struct bl_pattern_parser *p,
                                        enum bl_pattern_node_kind kind, size_t at)
{
    struct bl_pattern_node *node = BL_NEW(p->arena, struct bl_pattern_node);
    if (node == NULL) {
        bl_pattern_out_of_memory(p->error);
        return NULL;
    }
    node->kind = kind;
    node->at = (uint32_t)at;
    return node;
}

static struct bl_pattern_node *chars_node(struct bl_pattern_parser *p, struct bl_chars chars,
                                          size_t at)
{
    struct bl_pattern_node *node = node_new(p, BL_NODE_CHARS, at);
    if (node != NULL) {
        node->chars = chars;
    }
    return node;
}

static void append(struct bl_pattern_node *parent, struct bl_pattern_node *child)
{
    if (parent->child == NULL) {
        parent->child = child;
    } else {
        parent->last_child->next = child;
    }
    parent->last_child = child;
}

/* ---- assertions ------------------------------------------------------------------------- */

static bl_context where(bool (*holds)(enum bl_char_kind before, enum bl_char_kind behind))
{
    bl_context context = 0;
    for (unsigned before = 0; before < BL_CHAR_KINDS; before++) {
        for (unsigned behind = 0; behind < BL_CHAR_KINDS; behind++) {
            if (holds((enum bl_char_kind)before, (enum bl_char_kind)behind)) {
                context |= BL_CONTEXT_BIT(before, behind);
            }
        }
    }
    return context;
}

static bool at_begin(enum bl_char_kind before, enum bl_char_kind behind)
{
    (void)behind;
    return before == BL_CHAR_EDGE;
}

static bool at_end(enum bl_char_kind before, enum bl_char_kind behind)
{
    (void)before;
    return behind == BL_CHAR_EDGE;
}

static bool at_line_begin(enum bl_char_kind before, enum bl_char_kind behind)
{
    (void)behind;
    return before == BL_CHAR_EDGE || before == BL_CHAR_LINE;
}

static bool at_line_end(enum bl_char_kind before, enum bl_char_kind behind)
{
    (void)before;
    return behind == BL_CHAR_EDGE || behind == BL_CHAR_LINE;
}

static bool at_word_edge(enum bl_char_kind before, enum bl_char_kind behind)
{
    return (before == BL_CHAR_WORD) != (behind == BL_CHAR_WORD);
}

static struct bl_pattern_node *assertion(struct bl_pattern_parser *p, size_t width,
                                         bl_context context)
{
    struct bl_pattern_node *node = node_new(p, BL_NODE_ASSERT, p->at);
    if (node != NULL) {
        node->context = context;
        p->at += width;
    }
    return node;
}

/* ---- quantifiers ------------------------------------------------------------------------ */

/* Digits; values beyond BL_REPEAT_MAX come back as one more than that. False without digits. */
static bool number(struct bl_pattern_parser *p, uint32_t *out)
{
    size_t begin = p->at;
    *out = 0;
    for (; p->at < p->source.len && bl_is_ascii_digit(p->source.ptr[p->at]); p->at++) {
        *out = *out * 10 + (uint32_t)(p->source.ptr[p->at] - '0');
        *out = *out > BL_REPEAT_MAX ? BL_REPEAT_MAX + 1 : *out;
    }
    return p->at > begin;
}

static bool braces(struct bl_pattern_parser *p, uint32_t *min, uint32_t *max)
{
    size_t begin = p->at++;
    bool good = number(p, min);
    *max = *min;
    if (good && bl_pattern_peek(p) == ',') {
        p->at++;
        if (!number(p, max)) {
            *max = BL_REPEAT_UNBOUNDED;
        }
    }
    if (!good || bl_pattern_peek(p) != '}') {
        return BL_PATTERN_FAIL(
            p, begin, "This '{' begins no count.",
            "Write '{3}', '{3,}' or '{3,9}' to count, '\\{' for the character.");
    }
    p->at++;
    if (*min > BL_REPEAT_MAX || (*max > BL_REPEAT_MAX && *max != BL_REPEAT_UNBOUNDED)) {
        return BL_PATTERN_FAIL(p, begin, "A count is at most 1000.",
                               "Write '{1000,}' or '*' when more may come.");
    }
    if (*max < *min) {
        return BL_PATTERN_FAIL(p, begin, "The first number of a count exceeds the second.",
                               "Put the smaller number first.");
    }
    return true;
}

/* Reads a quantifier into *min and *max; *found says whether there is one. */
static bool quantifier(struct bl_pattern_parser *p, bool *found, uint32_t *min, uint32_t *max)
{
    *found = true;
    *max = BL_REPEAT_UNBOUNDED;
    switch (bl_pattern_peek(p)) {
    case '*':
        *min = 0;
        p->at++;
        return true;
    case '+':
        *min = 1;
        p->at++;
        return true;
    case '?':
        *min = 0;
        *max = 1;
        p->at++;
        return true;
    case '{':
        return braces(p, min, max);
    default:
        *found = false;
        return true;
    }
}

/* Puts the quantifier that follows, if any, around the node. */
static struct bl_pattern_node *quantified(struct bl_pattern_parser *p,
                                          struct bl_pattern_node *node)
{
    size_t at = p->at;
    uint32_t min;
    uint32_t max;
    bool found;
    if (node == NULL || !quantifier(p, &found, &min, &max)) {
        return NULL;
    }
    if (!found) {
        return node;
    }
    if (node->kind == BL_NODE_ASSERT) {
        BL_PATTERN_FAIL(p, at, "An assertion cannot be repeated.",
                        "It takes no characters: write it once.");
        return NULL;
    }
    int next = bl_pattern_peek(p);
    if (next == '?') {
        BL_PATTERN_FAIL(p, p->at,
                        "Lazy quantifiers are left out: a match is always the longest.",
                        "Say what must not come in between: '<[^>]*>' for '<.*?>'.");
        return NULL;
    }
    if (next == '+') {
        BL_PATTERN_FAIL(p, p->at, "Possessive quantifiers are left out.",
                        "Drop the second '+': no pattern ever goes back.");
        return NULL;
    }
    if (next == '*' || next == '{') {
        BL_PATTERN_FAIL(p, p->at, "A quantifier stands behind another.",
                        "Put a group around what the second one repeats: '(?:a{2})*'.");
        return NULL;
    }
    struct bl_pattern_node *repeat = node_new(p, BL_NODE_REPEAT, at);
    if (repeat != NULL) {
        repeat->min = min;
        repeat->max = max;
        append(repeat, node);
    }
    return repeat;
}

/* ---- atoms ------------------------------------------------------------------------------ */

static struct bl_pattern_node *either(struct bl_pattern_parser *p);

/* What stands behind "(?". False when it is nothing that a pattern may have. */
static bool group_kind(struct bl_pattern_parser *p, size_t begin)
{
    bl_str rest = bl_str_slice(p->source, p->at, p->source.len);
    if (bl_str_starts_with(rest, BL_STR(":"))) {
        p->at++;
        return true;
    }
    if (bl_str_starts_with(rest, BL_STR("=")) || bl_str_starts_with(rest, BL_STR("!"))) {
        return BL_PATTERN_FAIL(p, begin, "Look-ahead is left out: it has no linear time.",
                               "Use two conditions, one 'matches' for each pattern.");
    }
    if (bl_str_starts_with(rest, BL_STR("<=")) || bl_str_starts_with(rest, BL_STR("<!"))) {
        return BL_PATTERN_FAIL(p, begin, "Look-behind is left out: it has no linear time.",
                               "Use two conditions, or '\\b', '^' for what stands before.");
    }
    if (bl_str_starts_with(rest, BL_STR("<")) || bl_str_starts_with(rest, BL_STR("P"))) {
        return BL_PATTERN_FAIL(p, begin, "Groups have no names here.", "Write '(?:' or '('.");
    }
    if (bl_str_starts_with(rest, BL_STR("#"))) {
        return BL_PATTERN_FAIL(p, begin, "A pattern has no comments inside.",
                               "Put the comment behind the pattern.");
    }
    if (bl_str_starts_with(rest, BL_STR(">"))) {
        return BL_PATTERN_FAIL(p, begin, "Atomic groups are left out.",
                               "Write '(?:': no pattern ever goes back.");
    }
    return BL_PATTERN_FAIL(p, begin, "Only ':' may stand behind '(?'.",
                           "Write '(?:' for a group; flags stand behind the closing '/'.");
}

static struct bl_pattern_node *group(struct bl_pattern_parser *p)
{
    size_t begin = p->at++;
    if (bl_pattern_peek(p) == '?') {
        p->at++;
        if (!group_kind(p, begin)) {
            return NULL;
        }
    }
    if (++p->depth > bl_limit(BL_LIMIT_NESTING)) {
        BL_PATTERN_FAIL(p, begin, "Groups are nested too deeply.", "Use fewer groups.");
        return NULL;
    }
    struct bl_pattern_node *inner = either(p);
    p->depth--;
    if (inner == NULL) {
        return NULL;
    }
    if (bl_pattern_peek(p) != ')') {
        BL_PATTERN_FAIL(p, begin, "This '(' is not closed.",
                        "Add a ')', or write '\\(' for the character.");
        return NULL;
    }
    p->at++;
    if (inner->kind == BL_NODE_ASSERT) {
        /* A repeated group is no repeated assertion to whoever wrote it. */
        struct bl_pattern_node *join = node_new(p, BL_NODE_JOIN, begin);
        if (join != NULL) {
            append(join, inner);
        }
        return join;
    }
    return inner;
}

static struct bl_pattern_node *escaped(struct bl_pattern_parser *p)
{
    size_t begin = p->at;
    char letter = p->at + 1 < p->source.len ? p->source.ptr[p->at + 1] : '\0';
    if (letter == 'b') {
        return assertion(p, 2, where(at_word_edge));
    }
    if (letter == 'B') {
        return assertion(p, 2, BL_CONTEXT_ALL & ~where(at_word_edge));
    }
    struct bl_chars_builder builder = {.arena = p->arena};
    struct bl_pattern_escape escape;
    if (!bl_pattern_escape_read(p, false, &escape)) {
        return NULL;
    }
    bl_chars_add_set(&builder, escape.chars);
    return chars_node(p, bl_chars_finish(&builder, p->fold, false), begin);
}

static struct bl_pattern_node *nothing_to_repeat(struct bl_pattern_parser *p)
{
    BL_PATTERN_FAIL(p, p->at, "There is nothing that this quantifier repeats.",
                    "Put a backslash in front of it for the character itself.");
    return NULL;
}

static struct bl_pattern_node *any(struct bl_pattern_parser *p)
{
    struct bl_chars_builder builder = {.arena = p->arena};
    if (!p->dot_all) {
        bl_chars_add(&builder, '\n', '\n');
    }
    struct bl_chars chars = bl_chars_finish(&builder, false, true);
    return chars_node(p, chars, p->at++);
}

/* One atom; the caller has seen that there is one. */
static struct bl_pattern_node *atom(struct bl_pattern_parser *p)
{
    size_t begin = p->at;
    switch (p->source.ptr[p->at]) {
    case '.':
        return any(p);
    case '[':
        return chars_node(p, bl_pattern_class_read(p), begin);
    case '(':
        return group(p);
    case '^':
        return assertion(p, 1, where(p->lines ? at_line_begin : at_begin));
    case '$':
        return assertion(p, 1, where(p->lines ? at_line_end : at_end));
    case '\\':
        return escaped(p);
    case '*':
    case '+':
    case '?':
    case '{':
        return nothing_to_repeat(p);
    case ']':
        BL_PATTERN_FAIL(p, begin, "This ']' closes no class.",
                        "Write '\\]' for the character.");
        return NULL;
    case '}':
        BL_PATTERN_FAIL(p, begin, "This '}' closes no count.",
                        "Write '\\}' for the character.");
        return NULL;
    default: {
        struct bl_chars_builder builder = {.arena = p->arena};
        uint32_t code = bl_utf8_decode(p->source, &p->at);
        bl_chars_add(&builder, code, code);
        return chars_node(p, bl_chars_finish(&builder, p->fold, false), begin);
    }
    }
}

static struct bl_pattern_node *join(struct bl_pattern_parser *p)
{
    struct bl_pattern_node *node = node_new(p, BL_NODE_JOIN, p->at);
    while (node != NULL && p->at < p->source.len && bl_pattern_peek(p) != '|' &&
           bl_pattern_peek(p) != ')') {
        struct bl_pattern_node *part = atom(p);
        if (p->error->message.len > 0) {
            return NULL;
        }
        part = quantified(p, part);
        if (part == NULL) {
            return NULL;
        }
        append(node, part);
    }
    if (node != NULL && node->child == NULL) {
        node->kind = BL_NODE_EMPTY;
    }
    return node != NULL && node->child != NULL && node->child == node->last_child ? node->child
                                                                                  : node;
}

/* Alternatives of one character each are one set, which makes one state of several. */
static struct bl_pattern_node *merge_chars(struct bl_pattern_parser *p,
                                           struct bl_pattern_node *node)
{
    struct bl_chars_builder builder = {.arena = p->arena};
    struct bl_pattern_node *merged = NULL;
    struct bl_pattern_node *child = node->child;
    node->child = NULL;
    while (child != NULL) {
        struct bl_pattern_node *next = child->next;
        child->next = NULL;
        if (child->kind != BL_NODE_CHARS) {
            append(node, child);
        } else {
            bl_chars_add_set(&builder, child->chars);
            if (merged == NULL) {
                merged = child;
                append(node, child);
            }
        }
        child = next;
    }
    if (merged != NULL) {
        merged->chars = bl_chars_finish(&builder, false, false);
    }
    return node->child == node->last_child ? node->child : node;
}

static struct bl_pattern_node *either(struct bl_pattern_parser *p)
{
    size_t begin = p->at;
    struct bl_pattern_node *first = join(p);
    if (first == NULL || bl_pattern_peek(p) != '|') {
        return first;
    }
    struct bl_pattern_node *node = node_new(p, BL_NODE_EITHER, begin);
    if (node == NULL) {
        return NULL;
    }
    append(node, first);
    while (bl_pattern_peek(p) == '|') {
        p->at++;
        struct bl_pattern_node *branch = join(p);
        if (branch == NULL) {
            return NULL;
        }
        append(node, branch);
    }
    return merge_chars(p, node);
}

/* ---- the whole -------------------------------------------------------------------------- */

static bool read_flags(struct bl_pattern_parser *p, bl_str flags)
{
    for (size_t i = 0; i < flags.len; i++) {
        size_t at = p->source.len + 1 + i;
        bool *flag = NULL;
        switch (flags.ptr[i]) {
        case 'i':
            flag = &p->fold;
            break;
        case 'm':
            flag = &p->lines;
            break;
        case 's':
            flag = &p->dot_all;
            break;
        case 'g':
            return BL_PATTERN_FAIL(p, at, "There is no flag 'g'.",
                                   "Drop it: what asks for all matches gets all.");
        case 'u':
        case 'v':
            return BL_PATTERN_FAIL(p, at, "There is no flag 'u'.",
                                   "Drop it: patterns always read Unicode.");
        default:
            return BL_PATTERN_FAIL(p, at, "The flags of a pattern are 'i', 'm' and 's'.",
                                   "Drop the others.");
        }
        if (*flag) {
            return BL_PATTERN_FAIL(p, at, "A flag stands twice.", "Write it once.");
        }
        *flag = true;
    }
    return true;
}

struct bl_pattern_node *bl_pattern_parse(struct bl_arena *arena, bl_str source, bl_str flags,
                                         struct bl_pattern_error *error)
{
    struct bl_pattern_parser parser = {.arena = arena, .source = source, .error = error};
    struct bl_pattern_parser *p = &parser;
    *error = (struct bl_pattern_error){0};
    if (source.len > bl_limit(BL_LIMIT_PATTERN_BYTES)) {
        BL_PATTERN_FAIL(p, bl_limit(BL_LIMIT_PATTERN_BYTES), "The pattern is too long.",
                        "Use several patterns.");
        return NULL;
    }
    size_t invalid = bl_utf8_invalid_at(source);
    if (invalid < source.len) {
        BL_PATTERN_FAIL(p, invalid, "The pattern is not valid UTF-8.", "");
        return NULL;
    }
    if (!read_flags(p, flags)) {
        return NULL;
    }
    struct bl_pattern_node *root = either(p);
    if (root != NULL && p->at < source.len) {
        BL_PATTERN_FAIL(p, p->at, "This ')' closes no group.",
                        "Write '\\)' for the character.");
        return NULL;
    }
    if (arena->failed) {
        bl_pattern_out_of_memory(error);
        return NULL;
    }
    return root;
}

struct bl_pattern_node *bl_pattern_literal(struct bl_arena *arena, bl_str text, bool fold)
{
    struct bl_pattern_error error = {0};
    struct bl_pattern_parser parser = {.arena = arena, .source = text, .error = &error};
    struct bl_pattern_node *root = node_new(&parser, BL_NODE_JOIN, 0);
    size_t at = 0;
    while (root != NULL && at < text.len) {
        struct bl_chars_builder builder = {.arena = arena};
        size_t begin = at;
        uint32_t code = bl_utf8_decode(text, &at);
        bl_chars_add(&builder, code, code);
        struct bl_pattern_node *node =
            chars_node(&parser, bl_chars_finish(&builder, fold, false), begin);
        if (node == NULL) {
            return NULL;
        }
        append(root, node);
    }
    if (root != NULL && root->child == NULL) {
        root->kind = BL_NODE_EMPTY;
    }
    return root;
}
