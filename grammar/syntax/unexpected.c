/* SPDX-License-Identifier: Apache-2.0 */
#include "base/buf.h"
#include "syntax/parser.h"
#include "syntax/policy_parser.h"

/* At most so many things are named as expected; more is no help. */
#define NAMED_MAX 6

static const struct {
    enum bl_expectation what;
    const char *words;
} groups[] = {
    /* The most telling first. */
    {BL_EXPECT_CLOSING_PARENTHESIS, "')'"},
    {BL_EXPECT_CLOSING_BRACKET, "']'"},
    {BL_EXPECT_HOLE_END, "the '}' of the placeholder"},
    {BL_EXPECT_IN, "'in'"},
    {BL_EXPECT_WHERE, "'where'"},
    {BL_EXPECT_GIVING, "'giving'"},
    {BL_EXPECT_THEN, "'then'"},
    {BL_EXPECT_EXPRESSION, "an expression"},
    {BL_EXPECT_VALUE, "a value"},
    {BL_EXPECT_NAME, "a name"},
    {BL_EXPECT_LINE_END, "the end of the line"},
    {BL_EXPECT_FILE_END, "the end of the file"},
    {BL_EXPECT_BLOCK, "'{'"},
    {BL_EXPECT_BLOCK_END, "'}'"},
    {BL_EXPECT_COMMA, "','"},
    {BL_EXPECT_COMPARISON, "an operator"},
    {BL_EXPECT_ARITHMETIC, "an operator"},
    {BL_EXPECT_AND_OR, "'and' or 'or'"},
    {BL_EXPECT_ELSE, "'else'"},
    {BL_EXPECT_ASSIGN, "'='"},
    {BL_EXPECT_ARROW, "'=>'"},
    {BL_EXPECT_COLON, "':'"},
    {BL_EXPECT_FIELD, "'.'"},
};

static bool has(uint32_t set, enum bl_expectation what)
{
    return (set >> what & 1) != 0;
}

static uint32_t without(uint32_t set, enum bl_expectation what)
{
    return set & ~(UINT32_C(1) << what);
}

/* Without what another group says already. */
static uint32_t condense(uint32_t set)
{
    if (has(set, BL_EXPECT_EXPRESSION)) {
        set = without(set, BL_EXPECT_VALUE);
        set = without(set, BL_EXPECT_NAME);
        set = without(set, BL_EXPECT_COLON);
    }
    if (has(set, BL_EXPECT_VALUE)) {
        set = without(set, BL_EXPECT_NAME);
    }
    if (has(set, BL_EXPECT_COMPARISON)) {
        set = without(set, BL_EXPECT_ARITHMETIC);
        set = without(set, BL_EXPECT_AND_OR);
        set = without(set, BL_EXPECT_IN);
        set = without(set, BL_EXPECT_FIELD);
    }
    if (has(set, BL_EXPECT_ARITHMETIC)) {
        set = without(set, BL_EXPECT_FIELD);
    } else if (!has(set, BL_EXPECT_COMPARISON) && has(set, BL_EXPECT_LINE_END)) {
        /* Behind a block, where 'else' is only read to be answered. */
        set = without(set, BL_EXPECT_ELSE);
    }
    return set;
}

static bl_str expected_words(struct bl_parser *parser, uint32_t set)
{
    const char *named[NAMED_MAX];
    size_t count = 0;
    struct bl_buf out;

    set = condense(set);
    for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]) && count < NAMED_MAX; i++) {
        if (has(set, groups[i].what)) {
            named[count++] = groups[i].words;
        }
    }
    bl_buf_init(&out, parser->sink->arena, 256);
    for (size_t i = 0; i < count; i++) {
        bl_buf_put(&out, i == 0 ? BL_STR("") : i + 1 == count ? BL_STR(" or ") : BL_STR(", "));
        bl_buf_put(&out, bl_str_from(named[i]));
    }
    return count > 0 ? bl_buf_str(&out) : BL_STR("nothing more");
}

static bl_str found_words(struct bl_parser *parser, int kind, struct bl_span span)
{
    bl_str text = bl_parser_slice(parser, span);
    struct bl_buf out;

    bl_buf_init(&out, parser->sink->arena, 256);
    if (kind == BL_TK_END) {
        return BL_STR("the end of the file");
    }
    if (kind == BL_TK_NEWLINE) {
        /* One that was put in front of a } or of the end of the file. */
        if (text.len == 0) {
            bool at_end = span.lo >= parser->text.len;
            return at_end ? BL_STR("the end of the file") : BL_STR("'}'");
        }
        return text.ptr[0] == ';' ? BL_STR("';'") : BL_STR("the end of the line");
    }
    if (kind == BL_TK_STRING || kind == BL_TK_TEXT_OPEN || kind == BL_TK_PATTERN) {
        return kind == BL_TK_PATTERN ? BL_STR("a pattern") : BL_STR("a text");
    }
    if (kind == BL_TK_HOLE_CLOSE) {
        return BL_STR("the end of the placeholder");
    }
    if (kind == BL_TK_NAME) {
        BL_PUT(&out, "the name ");
    }
    /* No text of more than one line is among the others. */
    bl_buf_printf(&out, "'%.*s'", (int)(text.len < 100 ? text.len : 100), text.ptr);
    return bl_buf_str(&out);
}

/* A word that begins a quantifier, where a name was meant: `let count = 5`. */
static bool is_reserved_name(const struct bl_parser *parser, uint32_t expected,
                             struct bl_span *word)
{
    const struct bl_filter *filter = &parser->filter;

    if (!has(expected, BL_EXPECT_NAME) || has(expected, BL_EXPECT_VALUE)) {
        return false;
    }
    if (bl_keyword_kind(bl_parser_slice(parser, filter->previous_span)) != 0 &&
        filter->previous != BL_TK_IN) {
        *word = filter->previous_span;
        return true;
    }
    *word = filter->before_span;
    return filter->previous != BL_TK_IN &&
           bl_keyword_kind(bl_parser_slice(parser, filter->before_span)) != 0;
}

void bl_unexpected(struct bl_parser *parser, struct bl_span span, uint32_t expected)
{
    struct bl_filter *filter = &parser->filter;
    struct bl_diagnostics *sink = parser->sink;
    struct bl_span word;

    /* A line end that was not expected ended its clause; the next one is none the worse. */
    filter->broken = !filter->at_clause;
    if (filter->suspect) {
        return;
    }
    filter->suspect = true;
    if (is_reserved_name(parser, expected, &word)) {
        struct bl_diagnostic *d = bl_report(sink, BL_D_RESERVED_WORD, word);
        bl_diagnostic_text(sink, d, "word", bl_parser_slice(parser, word));
        return;
    }
    struct bl_span place = span;
    if (filter->previous == BL_TK_NEWLINE) {
        place.hi = place.lo; /* in front of the line end, not over it */
    }
    struct bl_diagnostic *d = bl_report(sink, BL_D_UNEXPECTED, place);
    bl_diagnostic_text(sink, d, "found", found_words(parser, filter->previous, span));
    bl_diagnostic_text(sink, d, "expected", expected_words(parser, expected));
    if (filter->before == BL_TK_MATCHES) {
        bl_diagnostic_help(sink, d, BL_STR("A pattern stands between slashes: /crash/i."));
    } else if (filter->previous == BL_TK_LBRACE && has(expected, BL_EXPECT_FILE_END)) {
        bl_diagnostic_help(sink, d,
                           BL_STR("A policy is no JSON: a declaration begins with its word, "
                                  "label bug \"bug\" { color \"d73a4a\" }."));
    }
    /* A line that ends with an operator takes the next one in, which then makes no sense. */
    if (filter->since_joint > 0 && filter->since_joint <= 4) {
        bl_diagnostic_label(sink, d, filter->joint,
                            BL_STR("because of this the line goes on below"));
    }
}
