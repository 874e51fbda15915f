/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_SYNTAX_PARSER_H
#define BL_SYNTAX_PARSER_H

#include "spec/tables.h"
#include "syntax/ast.h"

/* Inside of the room. A parse goes through five hands, each of which sees the work of the one
 * before it and nothing else:
 *   source_check.c  characters that nobody can see are reported and blanked out
 *   tokens.c        lexemes of policy.l become tokens, line ends among them
 *   brackets.c      brackets that do not match are closed or dropped: the rest is whole then
 *   token_filter.c  line ends that end no clause go; signs of other languages are answered
 *   policy.y        clauses; its actions call ast.c, literals.c, text_literals.c, answers.c
 * Everything lives in struct bl_parser; there is no state beside it. */

/* The kinds are those of policy.y: BL_TK_… of syntax/policy_parser.h. */
struct bl_token {
    uint16_t kind;
    uint16_t flags;
    uint32_t lo;
    uint32_t hi;
};
#define BL_TOKEN_FIRST 1u /* on its line */
#define BL_TOKEN_APART 2u /* something stands between it and the token before */
#define BL_TOKEN_ODD   4u /* a name in another spelling, to be mended */
/* Made by us: what is missing was reported, so what the parser thinks of it is no news. */
#define BL_TOKEN_INSERTED 8u
/* Something was reported at it or right in front of it. */
#define BL_TOKEN_SUSPECT  16u
#define BL_TOKEN_UNCLOSED 32u /* a text without its closing quotes */

struct bl_tokens {
    struct bl_token *items;
    size_t count;
    size_t capacity;
};

/* Deeper brackets than limits.def allows never reach the grammar. */
#define BL_NESTING_MAX 200

struct bl_filter {
    size_t next; /* index of the token to be looked at */
    /* The last token given to the parser, and the one before; kind 0 in front of the first. */
    int previous;
    struct bl_span previous_span;
    int before;
    struct bl_span before_span;
    /* The last token that made its line go on, and how many were given since; 0: none in this
     * clause. */
    struct bl_span joint;
    unsigned since_joint;
    unsigned brackets; /* open ones of all kinds */
    struct bl_open_bracket {
        bool is_block;
        bool suspect;     /* the clause that it stands in */
        uint16_t pending; /* of the filter when it was opened */
    } open[BL_NESTING_MAX];
    /* What the parser's stack may hold because of open brackets and of words that stand before
     * their operand; bounds it, and with it the recursion of everything that walks the tree. */
    unsigned pending;
    /* Of the clause in hand. */
    bool at_clause;     /* the next token is the first of a clause */
    bool is_binding;    /* it begins with a word that binds a name */
    bool is_hyphenated; /* it begins with a word whose name may hold hyphens */
    bool has_assign;    /* a = was given */
    bool has_condition; /* a word was given behind which a condition stands */
    bool has_colon;     /* since the last bracket or comma */
    bool suspect;       /* something in it was reported already */
    bool broken;        /* the grammar makes no sense of it: no line goes on any more */
    bool each_due;      /* `each` is missing in front of the next token */
    unsigned ifs;       /* words 'if' without their 'then' */
    bl_str instead;     /* what the next name is to be called, or empty */
};

struct bl_parser {
    struct bl_arena *arena;
    struct bl_diagnostics *sink;
    struct bl_ast *ast;
    uint32_t source;
    bl_str text; /* what is parsed: of the source's length, without what source_check.c took */
    struct bl_tokens tokens;
    struct bl_filter filter;
    bool too_deep;        /* reported for the clause of the file in hand */
    struct bl_node spare; /* what constructors give when memory is out */
    uint32_t *reductions; /* for tests: how often each rule of the grammar was used, or NULL */
    struct bl_tokens *given; /* for the formatter: what the grammar was given, or NULL */
};

static inline struct bl_span bl_parser_span(const struct bl_parser *parser, uint32_t lo,
                                            uint32_t hi)
{
    return (struct bl_span){lo, hi, parser->source};
}
static inline bl_str bl_parser_slice(const struct bl_parser *parser, struct bl_span span)
{
    return bl_str_slice(parser->text, span.lo, span.hi);
}

/* ---- source_check.c, tokens.c, brackets.c, token_filter.c -------------------------------
 * Out of memory shows in parser->arena->failed. */

/* The text with blanks in place of bytes that are no UTF-8 and of characters that nobody can
 * see, each run of them reported. Takes a copy when there are any. */
bl_str bl_source_check(struct bl_parser *parser, bl_str text);
/* Fills parser->tokens and the comments of the tree. */
void bl_tokens_read(struct bl_parser *parser);
/* Does the region [from, to), which begins as a declaration, lack both braces of its block?
 * Reports it, and says in front of which tokens they belong; at *opening may stand a colon. */
bool bl_block_missing(struct bl_parser *parser, size_t from, size_t to, size_t *opening,
                      size_t *closing);
/* Is it the colon behind the word of a clause, in such a block of a head that ends with one? */
bool bl_block_colon(const struct bl_parser *parser, size_t index);
/* Afterwards every bracket of parser->tokens has its partner, and no ) or ] stands across a {
 * }. */
void bl_brackets_repair(struct bl_parser *parser);
/* Before the first token is asked for (bl_policy_lex of syntax/policy_parser.h). */
void bl_filter_start(struct bl_parser *parser);
/* The name that a token spells: its bytes, or what they were meant to be. */
bl_str bl_token_name(struct bl_parser *parser, const struct bl_token *token);

/* ---- token_kinds.c ------------------------------------------------------------------------
 */

bool bl_kind_is_literal(int kind);
/* Operator of a relation that is a word, or NONE. */
enum bl_operator bl_kind_relation(int kind);
/* Stands between two things, so that a clause neither begins nor ends with it. */
bool bl_kind_joins(int kind);
/* Needs something behind it. */
bool bl_kind_needs_more(int kind);
/* Does a line that begins with `kind` go on with the clause of the line before, which ends with
 * `before`? Outside of parentheses, where every line does. */
bool bl_token_continues(int before, int kind);

/* ---- keyword_table.c -------------------------------------------------------------------- */

/* Kind of token of a sign of other languages, or 0; *instead is what to write. */
int bl_sign_foreign(bl_str sign, bl_str *instead);
/* What is to be said of a sign of other languages that is no token here, or 0. */
unsigned bl_alien_code(bl_str sign);
/* Words of keywords.def. The kind of token of a reserved word, or 0. */
int bl_keyword_kind(bl_str word);
/* Seconds of a unit of time; 0 when the word is none. */
int64_t bl_unit_seconds(bl_str word);
/* The same for a unit that this language does not have; *unit and *times are what to write. */
bool bl_unit_foreign(bl_str spelling, bl_str *unit, int64_t *times);

enum bl_word_class {
    BL_WORD_LOOP,
    BL_WORD_EACH_LOOP,
    BL_WORD_ELSE_IF,
    BL_WORD_ABSENT,
    BL_WORD_CONDITION,
    BL_WORD_BINDING,
    BL_WORD_HYPHENATED,
    BL_WORD_DOTTED,
};
bool bl_word_is(bl_str word, enum bl_word_class set);

/* ---- ast.c: never NULL; parser->spare when memory is out -------------------------------- */

struct bl_node *bl_node_make(struct bl_parser *parser, enum bl_node_kind kind,
                             struct bl_span span);
/* Appends a child, which may be NULL. A block's clauses that are a BLOCK themselves are taken
 * over one by one. A child that is too deep becomes BROKEN. */
void bl_node_add(struct bl_parser *parser, struct bl_node *node, struct bl_node *kid);
struct bl_node *bl_node_make1(struct bl_parser *parser, enum bl_node_kind kind,
                              struct bl_span span, struct bl_node *a);
struct bl_node *bl_node_make2(struct bl_parser *parser, enum bl_node_kind kind,
                              struct bl_span span, struct bl_node *a, struct bl_node *b);
struct bl_node *bl_node_make3(struct bl_parser *parser, enum bl_node_kind kind,
                              struct bl_span span, struct bl_node *a, struct bl_node *b,
                              struct bl_node *c);
/* A node with a word: NAME, CALL, FIELD, quantifiers. */
struct bl_node *bl_node_make_word(struct bl_parser *parser, enum bl_node_kind kind,
                                  struct bl_span span, bl_str word, struct bl_span word_span);
struct bl_node *bl_node_make_operator(struct bl_parser *parser, enum bl_node_kind kind,
                                      struct bl_span span, enum bl_operator op,
                                      struct bl_node *a, struct bl_node *b);
/* From the phrase to the end of the value or the block; value_span is the value's. */
struct bl_node *bl_clause_make(struct bl_parser *parser, struct bl_node *phrase,
                               struct bl_node *value, struct bl_span value_span,
                               struct bl_node *block);
/* A clause or a phrase of nothing but BROKEN, or with BROKEN at its end. */
struct bl_node *bl_phrase_break(struct bl_parser *parser, struct bl_node *phrase,
                                struct bl_span span);
/* `expect no effect …`: both words, as names. Behind anything else `no` begins a quantifier,
 * and what stands at `next` instead of its `in` is told. */
struct bl_node *bl_phrase_absence(struct bl_parser *parser, struct bl_node *phrase,
                                  struct bl_span no, struct bl_span name, struct bl_span next);
/* `first` with `next` behind a comma: a COMMA node from the second on. */
struct bl_node *bl_comma_add(struct bl_parser *parser, struct bl_node *first,
                             struct bl_node *next, struct bl_span span);
/* The same for what stands between commas of an argument list: PARAMETER from the second on. */
struct bl_node *bl_parameter_add(struct bl_parser *parser, struct bl_node *first,
                                 struct bl_node *next, struct bl_span span);
void bl_too_deep(struct bl_parser *parser, struct bl_span span);

/* ---- literals.c, text_literals.c -------------------------------------------------------- */

/* INT, DURATION, PERCENT, MONEY, DATE, TIME: the value, or 0 and a message. */
struct bl_node *bl_literal_make(struct bl_parser *parser, enum bl_node_kind kind,
                                struct bl_span span);
struct bl_node *bl_pattern_make(struct bl_parser *parser, struct bl_span span);
/* A text without placeholders: quotes included in the span. */
struct bl_node *bl_text_make(struct bl_parser *parser, struct bl_span span, bool closed);
/* Does it stand in 'such' or in curly quotes? Their lengths; answered when they were scanned.
 */
bool bl_quotes_foreign(bl_str whole, size_t *before, size_t *behind);
/* A text whose parts are there: STRING_PART nodes get their words. */
struct bl_node *bl_text_finish(struct bl_parser *parser, struct bl_node *text, bool closed);

/* ---- answers.c: what the language leaves out on purpose --------------------------------- */

/* Spans of operands hold their parentheses, which those of the nodes don't. */

/* The end of an or-chain: mixed and/or, quantifiers in front of a conjunction. */
struct bl_node *bl_answer_condition(struct bl_parser *parser, struct bl_span span,
                                    struct bl_node *condition);
/* `count x in xs where C and D`: `kind` is AND or OR. */
struct bl_node *bl_answer_where(struct bl_parser *parser, struct bl_span span,
                                struct bl_node *value, enum bl_node_kind kind,
                                struct bl_node *rest);
/* `C ? a : b` */
struct bl_node *bl_answer_ternary(struct bl_parser *parser, const struct bl_span spans[3],
                                  struct bl_node *condition, struct bl_node *then,
                                  struct bl_node *otherwise);
struct bl_node *bl_answer_if_alone(struct bl_parser *parser, struct bl_span span,
                                   struct bl_node *condition, struct bl_node *then);
/* `a < b < c` */
struct bl_node *bl_answer_chain(struct bl_parser *parser, struct bl_span span,
                                struct bl_node *comparison, struct bl_span relation,
                                struct bl_span right);
/* `a not in b`: left, not and operator, right */
struct bl_node *bl_answer_negated(struct bl_parser *parser, const struct bl_span spans[3],
                                  struct bl_node *left, enum bl_operator op,
                                  struct bl_node *right);
/* `-a` */
struct bl_node *bl_answer_negative(struct bl_parser *parser, struct bl_span span,
                                   struct bl_span operand_span, struct bl_node *operand);
/* `a.f(b)`: object, name, call */
struct bl_node *bl_answer_method(struct bl_parser *parser, const struct bl_span spans[3],
                                 struct bl_node *object, bl_str name, struct bl_node *call);
/* `xs[0]` */
/* f(a): a call, or an operator that was written as one. */
struct bl_node *bl_call_make(struct bl_parser *parser, struct bl_span span, bl_str name,
                             struct bl_span name_span, struct bl_node *call);
/* Do other languages have a method of this name for what is an operator here? */
bool bl_operator_is_method(bl_str name);
struct bl_node *bl_answer_index(struct bl_parser *parser, struct bl_span list,
                                struct bl_span index, struct bl_span brackets);
/* `(a, b)` */
struct bl_node *bl_answer_tuple(struct bl_parser *parser, struct bl_span span,
                                struct bl_node *first, struct bl_node *rest);
/* `[a, b,]`, `f(a,)` */
void bl_answer_comma(struct bl_parser *parser, struct bl_span comma, struct bl_span closing);
/* `if C { }`: the clause that `when C { }` is. */
struct bl_node *bl_answer_if_block(struct bl_parser *parser, struct bl_span word,
                                   struct bl_node *condition, struct bl_node *block);
/* `else { }`, `else if C { }`, `else when C { }`: the clause that begins with `otherwise`.
 * `phrase` and `condition` may be NULL. */
struct bl_node *bl_answer_else_block(struct bl_parser *parser, struct bl_span word,
                                     struct bl_node *phrase, struct bl_node *condition,
                                     struct bl_node *block);

/* ---- unexpected.c ----------------------------------------------------------------------- */

/* What the parser could have taken, in groups that a person thinks in. */
enum bl_expectation {
    BL_EXPECT_EXPRESSION,
    BL_EXPECT_VALUE, /* an expression that begins without not, if or a quantifier */
    BL_EXPECT_NAME,
    BL_EXPECT_LINE_END,
    BL_EXPECT_FILE_END,
    BL_EXPECT_BLOCK,
    BL_EXPECT_BLOCK_END,
    BL_EXPECT_ASSIGN,
    BL_EXPECT_ARROW,
    BL_EXPECT_COMMA,
    BL_EXPECT_COLON,
    BL_EXPECT_CLOSING_PARENTHESIS,
    BL_EXPECT_CLOSING_BRACKET,
    BL_EXPECT_HOLE_END,
    BL_EXPECT_IN,
    BL_EXPECT_WHERE,
    BL_EXPECT_GIVING,
    BL_EXPECT_THEN,
    BL_EXPECT_ELSE,
    BL_EXPECT_AND_OR,
    BL_EXPECT_COMPARISON,
    BL_EXPECT_ARITHMETIC,
    BL_EXPECT_FIELD,
    BL_EXPECT_NOTHING, /* tokens that are never asked for */
    BL_EXPECTATION_COUNT
};
/* One message for the last token that the filter gave, which cannot stand at its place;
 * `expected` are bits of what could. */
void bl_unexpected(struct bl_parser *parser, struct bl_span span, uint32_t expected);

/* ---- policy.y --------------------------------------------------------------------------- */

/* Spelling of a kind of token in messages, "a name" or "and". */
const char *bl_token_alias(int kind);
size_t bl_grammar_rule_count(void);
/* bl_parse, counting the rules of the grammar that were used into rule_count numbers. */
BL_NODISCARD enum bl_status bl_parse_counted(struct bl_arena *arena, struct bl_sources *sources,
                                             uint32_t source, struct bl_diagnostics *sink,
                                             struct bl_ast *out, uint32_t *reductions);
/* bl_parse, with the tokens that the grammar was given, line ends that end a clause among them:
 * where there are no mistakes, they are the text but for blanks, comments and line breaks. */
BL_NODISCARD enum bl_status bl_parse_tokens(struct bl_arena *arena, struct bl_sources *sources,
                                            uint32_t source, struct bl_diagnostics *sink,
                                            struct bl_ast *out, struct bl_tokens *given);

#endif
