/* SPDX-License-Identifier: Apache-2.0 */
#include "syntax/filter_words.h"
#include "syntax/lexeme.h"
#include "syntax/policy_parser.h"

/* Between the tokens and the grammar.
 *
 * A line ends a clause unless it stands in ( ) or [ ], ends with what needs something behind it
 * (a comma, =, =>, :, an operator, not, if, then, else, where, giving), or the next one begins
 * with what cannot begin a clause (a literal, =>, {, an operator other than not). A line end is
 * added in front of } and of the end of the file. A ( directly behind a name makes it a call.
 *
 * Signs and words of other languages that the grammar need not know are answered here. */

/* ---- line ends -------------------------------------------------------------------------- */

/* Behind = stands one expression, and no expression has a name with one of these behind it. So
 * a line that begins with such two is a clause, and the one above lacks its end. */
static bool begins_clause(struct bl_parser *parser, size_t index)
{
    int next = bl_filter_kind(parser, index + 1);

    return parser->filter.has_assign && bl_filter_kind(parser, index) == BL_TK_NAME &&
           (next == BL_TK_NAME || next == BL_TK_COLON || next == BL_TK_ASSIGN ||
            bl_kind_is_literal(next));
}

/* No expression goes on with a word of a declaration and a name behind it; in column 0 and
 * outside of brackets the line above lacks its end. */
static bool begins_declaration(struct bl_parser *parser, size_t index)
{
    const struct bl_token *token = bl_filter_token(parser, index);

    return parser->filter.brackets == 0 && token->kind == BL_TK_NAME &&
           (token->lo == 0 || parser->text.ptr[token->lo - 1] == '\n') &&
           bl_declaration_begins(parser->text, token->lo);
}

/* A line that begins with a literal goes on with the clause above, save behind an empty line
 * outside of brackets: there a declaration lacks its word, and that above is none the worse. */
static bool goes_on(struct bl_parser *parser, size_t index)
{
    bool apart = parser->filter.brackets == 0 && index > 1 &&
                 bl_filter_kind(parser, index - 1) == BL_TK_NEWLINE &&
                 bl_filter_kind(parser, index - 2) == BL_TK_NEWLINE;

    return bl_kind_is_literal(bl_filter_kind(parser, index)) && !apart;
}

/* Does the line end in front of token `next` end a clause? */
static bool ends_clause(struct bl_parser *parser, size_t next)
{
    const struct bl_filter *filter = &parser->filter;
    int kind = bl_filter_kind(parser, next);

    if (filter->at_clause || bl_filter_in_parentheses(filter)) {
        return false;
    }
    if (kind == BL_TK_END || kind == BL_TK_RBRACE) {
        return true;
    }
    if (goes_on(parser, next) || bl_kind_joins(kind) || kind == BL_TK_LBRACE) {
        return false;
    }
    if (bl_kind_needs_more(filter->previous)) {
        return !bl_kind_is_literal(kind) && (filter->broken || begins_clause(parser, next) ||
                                             begins_declaration(parser, next));
    }
    return filter->previous != BL_TK_RBRACE ||
           !bl_word_is(bl_filter_word(parser, next), BL_WORD_ELSE_IF);
}

static void begin_clause(struct bl_filter *filter)
{
    filter->at_clause = true;
    filter->is_binding = filter->is_hyphenated = false;
    filter->has_assign = filter->has_condition = filter->has_colon = false;
    filter->broken = filter->each_due = false;
    filter->instead = BL_STR("");
    filter->ifs = 0;
}

/* Back to what the innermost bracket brought. */
static void settle(struct bl_filter *filter)
{
    filter->pending =
        filter->brackets > 0 ? filter->open[filter->brackets - 1].pending + 1U : 0;
    filter->has_colon = false;
}

/* ---- brackets and depth ----------------------------------------------------------------- */

/* Index behind the partner of the bracket at `index`. */
static size_t behind_partner(struct bl_parser *parser, size_t index)
{
    size_t depth = 0;

    for (; index < parser->tokens.count; index++) {
        int kind = parser->tokens.items[index].kind;
        if (kind == BL_TK_LPAREN || kind == BL_TK_LBRACKET || kind == BL_TK_LBRACE) {
            depth++;
        } else if (kind == BL_TK_RPAREN || kind == BL_TK_RBRACKET || kind == BL_TK_RBRACE) {
            if (--depth == 0) {
                return index + 1;
            }
        }
    }
    return index;
}

/* Counts what stands before its operand. False: too deep, and reported. */
static bool take_pending(struct bl_parser *parser, struct bl_span span)
{
    if (parser->filter.pending >= BL_NESTING_MAX) {
        bl_too_deep(parser, span);
        return false;
    }
    parser->filter.pending += 1;
    return true;
}

static int open_bracket(struct bl_parser *parser, size_t index, int kind)
{
    struct bl_filter *filter = &parser->filter;
    bool is_block = kind == BL_TK_LBRACE;

    struct bl_span span = bl_filter_span(parser, index);
    struct bl_open_bracket open = {is_block, filter->suspect, (uint16_t)filter->pending};

    if (is_block && bl_filter_in_parentheses(filter)) {
        bl_filter_answer(parser, BL_D_BLOCK_IN_PARENTHESES, span, BL_STR(""));
        filter->next = behind_partner(parser, index);
        return BL_TK_BAD;
    }
    if (filter->brackets == BL_NESTING_MAX || !take_pending(parser, span)) {
        bl_too_deep(parser, span);
        filter->next = behind_partner(parser, index);
        return BL_TK_BAD;
    }
    filter->open[filter->brackets++] = open;
    if (is_block) {
        begin_clause(filter);
    }
    filter->has_colon = false;
    return kind;
}

static void close_bracket(struct bl_filter *filter)
{
    if (filter->brackets > 0) {
        filter->brackets -= 1;
        filter->pending = filter->open[filter->brackets].pending;
        if (filter->open[filter->brackets].is_block) {
            filter->suspect = filter->open[filter->brackets].suspect;
        }
    }
}

/* ---- words and signs -------------------------------------------------------------------- */

/* Does a value end with such a token, so that a - behind it subtracts? */
static bool ends_value(int kind)
{
    return bl_kind_is_literal(kind) || kind == BL_TK_NAME || kind == BL_TK_TEXT_CLOSE ||
           kind == BL_TK_RPAREN || kind == BL_TK_RBRACKET || kind == BL_TK_OPTIONAL ||
           kind == BL_TK_TRUE || kind == BL_TK_FALSE || kind == BL_TK_NONE || kind == BL_TK_BAD;
}

static int read_name(struct bl_parser *parser, size_t index, bool at_clause)
{
    struct bl_filter *filter = &parser->filter;
    bl_str word = bl_filter_word(parser, index);
    int next = bl_filter_kind(parser, index + 1);

    if (filter->previous == BL_TK_DOT || filter->previous == BL_TK_OPTIONAL_DOT ||
        filter->instead.len > 0) {
        return BL_TK_NAME;
    }
    if (at_clause) {
        return bl_filter_first_word(parser, index, word);
    }
    if (filter->previous == BL_TK_RBRACE && bl_word_is(word, BL_WORD_ELSE_IF)) {
        return BL_TK_ELSE_IF;
    }
    if (next == BL_TK_COLON || next == BL_TK_ASSIGN) {
        return BL_TK_NAME;
    }
    if (bl_word_is(word, BL_WORD_ABSENT) &&
        (filter->previous == BL_TK_IS ||
         (filter->previous == BL_TK_NOT && index > 1 &&
          bl_str_equal(bl_parser_slice(parser, bl_filter_span(parser, index - 2)),
                       BL_STR("is"))))) {
        filter->instead = BL_STR("absent");
        bl_filter_answer(parser, BL_D_NULL, bl_filter_span(parser, index), filter->instead);
        return BL_TK_NAME;
    }
    if (bl_word_is(word, BL_WORD_ABSENT)) {
        bl_filter_answer(parser, BL_D_NULL, bl_filter_span(parser, index), BL_STR("none"));
        return BL_TK_NONE;
    }
    filter->has_condition |= bl_word_is(word, BL_WORD_CONDITION);
    return BL_TK_NAME;
}

/* `x == null` is a question about being there, and has words of its own. */
static int read_equality(struct bl_parser *parser, size_t index, int kind)
{
    struct bl_filter *filter = &parser->filter;
    struct bl_span span = bl_filter_span(parser, index);

    if (bl_word_is(bl_filter_word(parser, index + 1), BL_WORD_ABSENT)) {
        struct bl_span both = bl_span_join(span, bl_filter_span(parser, index + 1));
        bool same = kind == BL_TK_EQ;
        bl_filter_answer(parser, BL_D_NULL, both,
                         same ? BL_STR("is absent") : BL_STR("is set"));
        filter->instead = same ? BL_STR("absent") : BL_STR("set");
        return BL_TK_IS;
    }
    if (kind == BL_TK_EQ && filter->is_binding && !filter->has_assign &&
        !filter->has_condition && !bl_filter_in_parentheses(filter)) {
        bl_filter_answer(parser, BL_D_COMPARISON_FOR_VALUE, span, BL_STR("="));
        filter->has_assign = true;
        return BL_TK_ASSIGN;
    }
    return kind;
}

static int read_assign(struct bl_parser *parser, size_t index)
{
    struct bl_filter *filter = &parser->filter;

    if (bl_filter_in_parentheses(filter) ? filter->has_colon
                                         : !filter->has_assign && !filter->has_condition) {
        filter->has_assign = true;
        return BL_TK_ASSIGN;
    }
    bl_filter_answer(parser, BL_D_VALUE_FOR_COMPARISON, bl_filter_span(parser, index),
                     BL_STR("=="));
    return BL_TK_EQ;
}

/* `a ? b : c` has a blank in front of its ?, `int?` has none. */
static int read_question(struct bl_parser *parser, size_t index)
{
    int next = bl_filter_kind(parser, index + 1);
    bool asks = (bl_filter_token(parser, index)->flags & BL_TOKEN_APART) != 0 &&
                (bl_kind_is_literal(next) || next == BL_TK_NAME || next == BL_TK_LPAREN ||
                 next == BL_TK_TRUE || next == BL_TK_FALSE || next == BL_TK_NONE);

    return asks ? BL_TK_QUESTION : BL_TK_OPTIONAL;
}

/* `not in`, `is not in` and their like are one token, `is in` is `in`; *span grows over all of
 * it. */
static int read_negation(struct bl_parser *parser, size_t index, struct bl_span *span,
                         enum bl_operator *op)
{
    int kind = bl_filter_kind(parser, index);
    bool is_not = kind == BL_TK_IS && bl_filter_kind(parser, index + 1) == BL_TK_NOT;
    size_t last = index + 1 + is_not;
    enum bl_operator next = bl_kind_relation(bl_filter_kind(parser, last));

    if (next == BL_OPERATOR_NONE) {
        return kind;
    }
    *span = bl_span_join(*span, bl_filter_span(parser, last));
    parser->filter.next = last + 1;
    if (kind == BL_TK_IS && !is_not) {
        bl_filter_answer(parser, BL_D_SIGN_FOREIGN, *span, bl_operator_spelling(next));
        return bl_filter_kind(parser, last);
    }
    *op = next;
    return BL_TK_NEGATED;
}

/* `has not` is `lacks`, and the other way round. */
static int read_denied(struct bl_parser *parser, size_t index, struct bl_span *span,
                       enum bl_operator *op)
{
    int kind = bl_filter_kind(parser, index);

    if (bl_filter_kind(parser, index + 1) != BL_TK_NOT) {
        return kind;
    }
    *span = bl_span_join(*span, bl_filter_span(parser, index + 1));
    parser->filter.next = index + 2;
    *op = bl_kind_relation(kind);
    return BL_TK_NEGATED;
}

/* Kind of the token at `index`, which is no line end; *span is its place already. */
static int read_token(struct bl_parser *parser, size_t index, BL_POLICY_STYPE *value,
                      struct bl_span *span)
{
    struct bl_filter *filter = &parser->filter;
    const struct bl_token *token = bl_filter_token(parser, index);
    bool apart = (token->flags & BL_TOKEN_APART) != 0;
    bool at_clause = filter->at_clause;
    int kind = token->kind;

    filter->at_clause = false;
    if (filter->is_hyphenated && bl_keyword_kind(bl_parser_slice(parser, *span)) != 0) {
        kind = BL_TK_NAME;
        value->name = bl_parser_slice(parser, *span);
        return kind;
    }
    switch (kind) {
    case BL_TK_NAME:
        kind = read_name(parser, index, at_clause);
        value->name = filter->instead.len > 0 ? filter->instead : bl_filter_word(parser, index);
        filter->instead = BL_STR("");
        return kind;
    case BL_TK_STRING:
    case BL_TK_TEXT_OPEN:
        value->closed = (token->flags & BL_TOKEN_UNCLOSED) == 0;
        return kind;
    case BL_TK_LPAREN:
        if (!apart && (filter->previous == BL_TK_NAME || filter->previous == BL_TK_FIRST ||
                       filter->previous == BL_TK_LAST || filter->previous == BL_TK_COUNT)) {
            kind = BL_TK_CALL;
        }
        return open_bracket(parser, index, kind);
    case BL_TK_LBRACKET:
        if (!apart && (filter->previous == BL_TK_NAME || filter->previous == BL_TK_RPAREN ||
                       filter->previous == BL_TK_RBRACKET)) {
            kind = BL_TK_INDEX;
        }
        return open_bracket(parser, index, kind);
    case BL_TK_LBRACE:
        return open_bracket(parser, index, kind);
    case BL_TK_RPAREN:
    case BL_TK_RBRACKET:
    case BL_TK_RBRACE:
        close_bracket(filter);
        return kind;
    case BL_TK_COMMA:
        settle(filter);
        return kind;
    case BL_TK_COLON:
        filter->has_colon = true;
        return kind;
    case BL_TK_ASSIGN:
        return read_assign(parser, index);
    case BL_TK_EQ:
    case BL_TK_NE:
        return read_equality(parser, index, kind);
    case BL_TK_BAD:
        if (filter->previous == BL_TK_NAME &&
            bl_str_equal(bl_parser_slice(parser, *span), BL_STR("/")) &&
            bl_word_is(bl_parser_slice(parser, filter->before_span), BL_WORD_DOTTED)) {
            bl_filter_answer(parser, BL_D_SIGN_FOREIGN, *span, BL_STR("."));
            return BL_TK_DOT;
        }
        if ((token->flags & BL_TOKEN_SUSPECT) == 0) {
            bl_filter_answer(
                parser, (enum bl_diagnostic_code)bl_alien_code(bl_parser_slice(parser, *span)),
                *span, BL_STR(""));
        }
        return kind;
    case BL_TK_OPTIONAL:
        kind = read_question(parser, index);
        break;
    case BL_TK_MINUS:
        if (filter->previous == BL_TK_COLON && (token->flags & BL_TOKEN_FIRST) != 0) {
            bl_filter_answer(parser, BL_D_CLAUSE_DASH, *span, BL_STR(""));
            return BL_TK_BAD;
        }
        kind = ends_value(filter->previous) ? kind : BL_TK_NEGATIVE;
        break;
    case BL_TK_NOT:
        filter->has_condition = true;
        kind = read_negation(parser, index, span, &value->op);
        break;
    case BL_TK_IS:
        kind = read_negation(parser, index, span, &value->op);
        break;
    case BL_TK_HAS:
    case BL_TK_LACKS:
        kind = read_denied(parser, index, span, &value->op);
        break;
    case BL_TK_CONTAINS:
    case BL_TK_STARTS_WITH:
    case BL_TK_ENDS_WITH:
    case BL_TK_MATCHES:
        if (bl_filter_operator_called(parser, index)) {
            value->name = bl_token_name(parser, token);
            return BL_TK_NAME;
        }
        break;
    case BL_TK_THEN:
        return bl_filter_then_alone(parser, index) ? BL_TK_BAD : kind;
    case BL_TK_IF:
        if (bl_filter_if_for_when(parser, index, at_clause)) {
            value->name = BL_STR("when");
            return BL_TK_NAME;
        }
        filter->ifs += 1;
        filter->has_condition = true;
        break;
    case BL_TK_WHERE:
    case BL_TK_AND:
    case BL_TK_OR:
    case BL_TK_ANY:
    case BL_TK_ALL:
    case BL_TK_NO:
        filter->has_condition = true;
        break;
    }
    return kind;
}

/* Stands before an operand for which the parser's stack waits. */
static bool waits(int kind)
{
    return kind == BL_TK_NOT || kind == BL_TK_IF || kind == BL_TK_THEN || kind == BL_TK_ELSE ||
           kind == BL_TK_WHERE || kind == BL_TK_GIVING || kind == BL_TK_QUESTION ||
           kind == BL_TK_NEGATIVE || kind == BL_TK_ELSE_IF;
}

static int give(struct bl_filter *filter, int kind, struct bl_span span)
{
    filter->before = filter->previous;
    filter->before_span = filter->previous_span;
    filter->previous = kind;
    filter->previous_span = span;
    filter->since_joint += filter->since_joint > 0;
    return kind;
}

/* Gives a line end; the next token begins a clause. */
static int give_line_end(struct bl_filter *filter, struct bl_span span)
{
    settle(filter);
    begin_clause(filter);
    return give(filter, BL_TK_NEWLINE, span);
}

/* The end of the file; blocks that are still open, of which the repair leaves none, are closed.
 */
static int give_end(struct bl_parser *parser, BL_POLICY_LTYPE *span)
{
    struct bl_filter *filter = &parser->filter;
    uint32_t end = (uint32_t)parser->text.len;

    *span = bl_parser_span(parser, end, end);
    if (parser->arena->failed) {
        return BL_TK_END;
    }
    if (!filter->at_clause) {
        return give_line_end(filter, *span);
    }
    if (filter->brackets > 0) {
        close_bracket(filter);
        filter->at_clause = false;
        return give(filter, BL_TK_RBRACE, *span);
    }
    return give(filter, BL_TK_END, *span);
}

/* Goes over the line ends that stand here. True when they end a clause; *span is the first. */
static bool pass_line_ends(struct bl_parser *parser, struct bl_span *span)
{
    struct bl_filter *filter = &parser->filter;
    const struct bl_token *line_end = bl_filter_token(parser, filter->next);

    if (bl_filter_kind(parser, filter->next) != BL_TK_NEWLINE) {
        return false;
    }
    while (bl_filter_kind(parser, filter->next) == BL_TK_NEWLINE) {
        /* A bracket that closes nothing stood in front of it. */
        filter->suspect |= !filter->at_clause && (bl_filter_token(parser, filter->next)->flags &
                                                  BL_TOKEN_SUSPECT) != 0;
        filter->next++;
    }
    if (ends_clause(parser, filter->next)) {
        *span = bl_parser_span(parser, line_end->lo, line_end->hi);
        return true;
    }
    if (!filter->at_clause && !bl_filter_in_parentheses(filter) &&
        bl_kind_needs_more(filter->previous)) {
        filter->joint = filter->previous_span;
        filter->since_joint = 1;
    }
    return false;
}

static int next_token(BL_POLICY_STYPE *value, BL_POLICY_LTYPE *span, struct bl_parser *parser)
{
    struct bl_filter *filter = &parser->filter;

    if (!parser->arena->failed && pass_line_ends(parser, span)) {
        return give_line_end(filter, *span);
    }
    const struct bl_token *token = bl_filter_token(parser, filter->next);
    if (token == NULL || parser->arena->failed) {
        return give_end(parser, span);
    }
    *span = bl_parser_span(parser, token->lo, token->hi);
    if (token->kind == BL_TK_RBRACE && !filter->at_clause &&
        !bl_filter_in_parentheses(filter)) {
        span->hi = span->lo;
        return give_line_end(filter, *span);
    }
    if (filter->each_due && filter->previous == BL_TK_NAME) {
        filter->each_due = false;
        span->hi = span->lo;
        return give(filter, BL_TK_EACH, *span);
    }
    if (filter->at_clause) {
        filter->suspect = false;
        filter->since_joint = 0;
    }
    filter->suspect |= (token->flags & BL_TOKEN_SUSPECT) != 0;
    size_t index = filter->next++;
    int kind = read_token(parser, index, value, span);
    if (waits(kind) && !take_pending(parser, *span)) {
        kind = BL_TK_BAD;
    }
    filter->suspect |= kind == BL_TK_BAD;
    return give(filter, kind, *span);
}

int bl_policy_lex(BL_POLICY_STYPE *value, BL_POLICY_LTYPE *span, struct bl_parser *parser)
{
    uint32_t end_before = parser->filter.previous_span.hi;
    int kind = next_token(value, span, parser);
    struct bl_token *token =
        parser->given != NULL ? BL_PUSH(parser->arena, *parser->given) : NULL;

    if (token != NULL) {
        *token = (struct bl_token){
            .kind = (uint16_t)kind,
            .flags = span->lo != end_before ? BL_TOKEN_APART : 0,
            .lo = span->lo,
            .hi = span->hi,
        };
    }
    return kind;
}

void bl_filter_start(struct bl_parser *parser)
{
    parser->filter = (struct bl_filter){0};
    begin_clause(&parser->filter);
}
