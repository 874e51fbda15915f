/* SPDX-License-Identifier: Apache-2.0 */

/* policy.y — the grammar of policies: clauses and expressions.
 *
 * It knows no clause word and looks at nothing but tokens; what a clause means is found later, in
 * runtime/spec/clauses.def. Three kinds of rules stand here: those of the language; `broken` ones,
 * where parsing goes on behind a mistake; and those marked "answer", which take what other
 * languages have and this one leaves out, and say how to write it here.
 *
 * Nodes live in an arena, so values need no destructors. */

%require "3.8"
%define api.pure full
%define api.prefix {bl_policy_}
%define api.token.prefix {BL_TK_}
%define api.location.type {struct bl_span}
%define parse.error custom
%define parse.lac full
%locations
%expect 0
%param { struct bl_parser *parser }
%initial-action { @$ = bl_parser_span(parser, 0, 0); }

%code requires {
#include "syntax/parser.h"
}

%union {
    bl_str name;
    bool closed; /* has the text its closing quotes? */
    enum bl_operator op;
    struct bl_node *node;
}

/* token_filter.c */
%code provides {
int bl_policy_lex(BL_POLICY_STYPE *value, BL_POLICY_LTYPE *span, struct bl_parser *parser);
}

%code {
static void bl_policy_error(const BL_POLICY_LTYPE *span, struct bl_parser *parser, const char *message);

/* Deep enough for BL_NESTING_MAX brackets or words in front of their operand, each with one
 * unfinished operand of every level of the grammar; token_filter.c lets no more through. So the
 * stack never grows, and the parser asks nobody for memory. */
#define YYINITDEPTH 4096
#define YYMAXDEPTH  4096
#define YYMALLOC(size) NULL
#define YYFREE(block)  ((void)(block))

static bool is_reduction(const struct bl_parser *parser, const struct bl_span *right,
                         const struct bl_span *mistake)
{
    return parser->reductions != NULL && right != mistake;
}

/* Also the place where tests count rules: it is run for each reduction, and once more for the
 * place of a mistake, where yyn is no rule. */
#define YYLLOC_DEFAULT(Current, Rhs, N)                                                        \
    do {                                                                                       \
        if (is_reduction(parser, (Rhs), yyerror_range)) {                                                    \
            parser->reductions[yyn] += 1;                                                      \
        }                                                                                      \
        if (N) {                                                                               \
            (Current) = bl_span_join(YYRHSLOC(Rhs, 1), YYRHSLOC(Rhs, N));                      \
        } else {                                                                               \
            (Current) = YYRHSLOC(Rhs, 0);                                                      \
            (Current).lo = (Current).hi;                                                       \
        }                                                                                      \
    } while (0)

#define NODE1(kind, a)    bl_node_make1(parser, BL_NODE_##kind, yyloc, (a))
#define NODE2(kind, a, b) bl_node_make2(parser, BL_NODE_##kind, yyloc, (a), (b))
#define NODE3(kind, a, b, c) bl_node_make3(parser, BL_NODE_##kind, yyloc, (a), (b), (c))
#define LITERAL(kind)     bl_literal_make(parser, BL_NODE_##kind, yyloc)
#define TREE(kind)        bl_node_make(parser, BL_NODE_##kind, yyloc)

static struct bl_node *quantifier(struct bl_parser *parser, enum bl_node_kind kind,
                                  struct bl_span span, bl_str name, struct bl_span name_span,
                                  struct bl_node *list, struct bl_node *where)
{
    struct bl_node *node = bl_node_make_word(parser, kind, span, name, name_span);

    bl_node_add(parser, node, list);
    bl_node_add(parser, node, where);
    return node;
}

/* What was not understood: up to the block that stands behind it, or to the end of the line. */
static struct bl_span broken_span(struct bl_span error, const struct bl_node *block,
                                  struct bl_span line_end)
{
    uint32_t end = block != NULL ? block->span.lo : line_end.lo;

    if (end > error.lo) {
        error.hi = end;
    }
    return error;
}
#define BROKEN(error, block, line_end) broken_span((error), (block), (line_end))

#define CLAUSE(phrase, block)                                                                  \
    bl_clause_make(parser, (phrase), NULL, bl_parser_span(parser, 0, 0), (block))
#define SPANS(a, b, c) ((struct bl_span[3]){(a), (b), (c)})

#define QUANTIFIER(kind, name, name_span, list, where)                                         \
    quantifier(parser, BL_NODE_##kind, yyloc, (name), (name_span), (list), (where))
}

%token END 0            "the end of the file"
%token NEWLINE          "the end of the line"
%token <name> NAME      "a name"
%token <closed> STRING  "a text"
%token NUMBER           "a number"
%token DURATION         "a duration"
%token PERCENT          "a percentage"
%token MONEY            "an amount"
%token DATE             "a date"
%token TIME             "a time"
%token PATTERN          "a pattern"
%token <closed> TEXT_OPEN "a text with placeholders"
%token TEXT_CLOSE       "the end of the text"
%token WORDS            "the words of a text"
%token HOLE_OPEN        "a placeholder"
%token HOLE_CLOSE       "the end of the placeholder"

%token LPAREN           "("
%token CALL             "( behind a name"
%token RPAREN           ")"
%token LBRACKET         "["
%token INDEX            "[ behind a value"
%token RBRACKET         "]"
%token LBRACE           "{"
%token RBRACE           "}"
%token ASSIGN           "="
%token ARROW            "=>"
%token COMMA            ","
%token COLON            ":"
%token DOT              "."
%token OPTIONAL_DOT     "?."
%token OPTIONAL         "?"
%token EQ               "=="
%token NE               "!="
%token LT               "<"
%token LE               "<="
%token GT               ">"
%token GE               ">="
%token PLUS             "+"
%token MINUS            "-"
%token TIMES            "*"

%token AND              "and"
%token OR               "or"
%token NOT              "not"
%token IN               "in"
%token IS               "is"
%token HAS              "has"
%token LACKS            "lacks"
%token CONTAINS         "contains"
%token STARTS_WITH      "starts_with"
%token ENDS_WITH        "ends_with"
%token MATCHES          "matches"
%token ANY              "any"
%token ALL              "all"
%token NO               "no"
%token FIRST            "first"
%token LAST             "last"
%token COUNT            "count"
%token EACH             "each"
%token WHERE            "where"
%token GIVING           "giving"
%token IF               "if"
%token THEN             "then"
%token ELSE             "else"
%token TRUE             "true"
%token FALSE            "false"
%token NONE             "none"

/* Made by the filter from what other languages write. */
%token ELSE_IF          "else if"
%token <op> NEGATED     "not with an operator"
%token NEGATIVE         "- in front of a value"
%token QUESTION         "? of a condition"
/* Reported already, and fits nowhere. */
%token BAD              "what was reported"

%type <node> file clauses clause block phrase element list broken otherwise
%type <node> expr condition or and unit test value comparison compare sum product post
%type <node> primary literal text parts part items call arguments argument
%type <op> relation sign

%start start

%%

start:
  file
;

file:
  %empty                                { $$ = parser->ast->file; }
| file clause                           { bl_node_add(parser, $1, $2); $$ = $1; parser->too_deep = false; }
;

clauses:
  %empty                                { $$ = TREE(BLOCK); }
| clauses clause                        { bl_node_add(parser, $1, $2); $$ = $1; }
;

clause:
  phrase NEWLINE                        { $$ = CLAUSE($phrase, NULL); }
| phrase block NEWLINE                  { $$ = CLAUSE($phrase, $block); }
| phrase "=" list NEWLINE               { $$ = bl_clause_make(parser, $phrase, $list, @list, NULL); }
| phrase "=" list block NEWLINE         { $$ = bl_clause_make(parser, $phrase, $list, @list, $block); }
| phrase[left] "=>" phrase[right] NEWLINE
    { $$ = bl_node_make2(parser, BL_NODE_ROW, bl_span_join(@left, @right), $left, $right); }

  /* answer: `if C { } else { }` is `when C { }` and `otherwise { }` */
| phrase block otherwise NEWLINE
    {
        $$ = TREE(BLOCK);
        bl_node_add(parser, $$, CLAUSE($phrase, $block));
        bl_node_add(parser, $$, $otherwise);
    }
| IF condition block NEWLINE            { $$ = bl_answer_if_block(parser, @IF, $condition, $block); }
| IF condition block otherwise NEWLINE
    {
        $$ = TREE(BLOCK);
        bl_node_add(parser, $$, bl_answer_if_block(parser, @IF, $condition, $block));
        bl_node_add(parser, $$, $otherwise);
    }

  /* broken: up to the line end, and with the block that stands there */
| broken NEWLINE
    {
        yyerrok;
        $$ = CLAUSE(bl_phrase_break(parser, NULL, BROKEN(@broken, $broken, @NEWLINE)), $broken);
    }
| phrase broken NEWLINE
    {
        yyerrok;
        $$ = CLAUSE(bl_phrase_break(parser, $phrase, BROKEN(@broken, $broken, @NEWLINE)), $broken);
    }
| phrase "=" broken NEWLINE
    {
        yyerrok;
        struct bl_span span = BROKEN(@broken, $broken, @NEWLINE);
        $$ = bl_clause_make(parser, $phrase, bl_node_make(parser, BL_NODE_BROKEN, span), span, $broken);
    }
| phrase[left] "=>" broken NEWLINE
    {
        yyerrok;
        $$ = bl_node_make2(parser, BL_NODE_ROW, bl_span_join(@left, @broken), $left,
                           bl_phrase_break(parser, NULL, BROKEN(@broken, $broken, @NEWLINE)));
    }
| phrase block broken NEWLINE
    {
        yyerrok;
        $$ = TREE(BLOCK);
        bl_node_add(parser, $$, CLAUSE($phrase, $block));
        bl_node_add(parser, $$, CLAUSE(bl_phrase_break(parser, NULL, BROKEN(@broken, $broken, @NEWLINE)), $broken));
    }
;

broken:
  error                                 { $$ = NULL; }
| error block                           { $$ = $block; }
;

/* answer */
otherwise:
  ELSE block                            { $$ = TREE(BLOCK); bl_node_add(parser, $$, bl_answer_else_block(parser, @ELSE, NULL, NULL, $block)); }
| ELSE IF condition block               { $$ = TREE(BLOCK); bl_node_add(parser, $$, bl_answer_else_block(parser, bl_span_join(@ELSE, @IF), NULL, $condition, $block)); }
| ELSE phrase block                     { $$ = TREE(BLOCK); bl_node_add(parser, $$, bl_answer_else_block(parser, @ELSE, $phrase, NULL, $block)); }
| ELSE_IF condition block               { $$ = TREE(BLOCK); bl_node_add(parser, $$, bl_answer_else_block(parser, @1, NULL, $condition, $block)); }
| otherwise[all] ELSE block             { $$ = $all; bl_node_add(parser, $$, bl_answer_else_block(parser, @ELSE, NULL, NULL, $block)); }
| otherwise[all] ELSE IF condition block { $$ = $all; bl_node_add(parser, $$, bl_answer_else_block(parser, bl_span_join(@ELSE, @IF), NULL, $condition, $block)); }
| otherwise[all] ELSE phrase block      { $$ = $all; bl_node_add(parser, $$, bl_answer_else_block(parser, @ELSE, $phrase, NULL, $block)); }
| otherwise[all] ELSE_IF condition block { $$ = $all; bl_node_add(parser, $$, bl_answer_else_block(parser, @2, NULL, $condition, $block)); }
;

block:
  "{" clauses "}"                       { $$ = $clauses; $$->span = yyloc; }
;

phrase:
  element                               { $$ = NODE1(PHRASE, $element); }
| phrase[all] element                   { $$ = $all; $$->span = yyloc; bl_node_add(parser, $$, $element); }
| phrase[all] NO NAME                   { $$ = bl_phrase_absence(parser, $all, @NO, @NAME, yylloc); }
;

element:
  list
| ":"                                   { $$ = TREE(COLON); }
;

list:
  expr
| list[all] "," expr                    { $$ = bl_comma_add(parser, $all, $expr, yyloc); }
;

expr:
  condition
| condition[left] ELSE expr[right]      { $$ = NODE2(ELSE, $left, $right); }
| value
| value ELSE expr[right]                { $$ = NODE2(ELSE, $value, $right); }
| IF condition[if] THEN condition[then] ELSE expr[else]  { $$ = NODE3(IF, $[if], $then, $[else]); }

  /* answer: an if without else, C ? a : b, where C and D */
| IF condition[if] THEN condition[then] { $$ = bl_answer_if_alone(parser, yyloc, $[if], $then); }
| condition[if] QUESTION condition[then] ":" expr[else]  { $$ = bl_answer_ternary(parser, SPANS(@[if], @then, @[else]), $[if], $then, $[else]); }
| value AND or[rest]                    { $$ = bl_answer_where(parser, yyloc, $value, BL_NODE_AND, $rest); }
| value OR or[rest]                     { $$ = bl_answer_where(parser, yyloc, $value, BL_NODE_OR, $rest); }
;

condition:
  or                                    { $$ = bl_answer_condition(parser, yyloc, $or); }
;

or:
  and
| or[left] OR and[right]                { $$ = NODE2(OR, $left, $right); }
;

and:
  unit
| and[left] AND unit[right]             { $$ = NODE2(AND, $left, $right); }
;

unit:
  NOT unit[operand]                     { $$ = NODE1(NOT, $operand); }
| test
| compare
;

test:
  ANY NAME IN sum WHERE unit            { $$ = QUANTIFIER(ANY, $NAME, @NAME, $sum, $unit); }
| ALL NAME IN sum WHERE unit            { $$ = QUANTIFIER(ALL, $NAME, @NAME, $sum, $unit); }
| NO NAME IN sum WHERE unit             { $$ = QUANTIFIER(NO, $NAME, @NAME, $sum, $unit); }
;

value:
  FIRST NAME IN sum WHERE unit          { $$ = QUANTIFIER(FIRST, $NAME, @NAME, $sum, $unit); }
| LAST NAME IN sum WHERE unit           { $$ = QUANTIFIER(LAST, $NAME, @NAME, $sum, $unit); }
| COUNT NAME IN sum WHERE unit          { $$ = QUANTIFIER(COUNT, $NAME, @NAME, $sum, $unit); }
| EACH NAME IN sum
    { $$ = QUANTIFIER(EACH, $NAME, @NAME, $sum, NULL); bl_node_add(parser, $$, NULL); }
| EACH NAME IN sum WHERE unit
    { $$ = QUANTIFIER(EACH, $NAME, @NAME, $sum, $unit); bl_node_add(parser, $$, NULL); }
| EACH NAME IN sum[list] GIVING sum[giving]
    { $$ = QUANTIFIER(EACH, $NAME, @NAME, $[list], NULL); bl_node_add(parser, $$, $giving); }
| EACH NAME IN sum[list] WHERE unit GIVING sum[giving]
    { $$ = QUANTIFIER(EACH, $NAME, @NAME, $[list], $unit); bl_node_add(parser, $$, $giving); }
;

compare:
  sum
| comparison
;

comparison:
  sum[left] relation sum[right]
    { $$ = bl_node_make_operator(parser, BL_NODE_COMPARE, yyloc, $relation, $left, $right); }
| sum[left] IS sum[right]               { $$ = NODE2(IS, $left, $right); }
| sum[left] IS NOT sum[right]           { $$ = NODE2(IS_NOT, $left, $right); }

  /* answer: a < b < c, a not in b */
| comparison[left] relation sum[right]  { $$ = bl_answer_chain(parser, yyloc, $left, @relation, @right); }
| sum[left] NEGATED sum[right]          { $$ = bl_answer_negated(parser, SPANS(@left, @NEGATED, @right), $left, $NEGATED, $right); }
;

relation:
  "=="                                  { $$ = BL_OPERATOR_EQ; }
| "!="                                  { $$ = BL_OPERATOR_NE; }
| "<"                                   { $$ = BL_OPERATOR_LT; }
| "<="                                  { $$ = BL_OPERATOR_LE; }
| ">"                                   { $$ = BL_OPERATOR_GT; }
| ">="                                  { $$ = BL_OPERATOR_GE; }
| IN                                    { $$ = BL_OPERATOR_IN; }
| HAS                                   { $$ = BL_OPERATOR_HAS; }
| LACKS                                 { $$ = BL_OPERATOR_LACKS; }
| CONTAINS                              { $$ = BL_OPERATOR_CONTAINS; }
| STARTS_WITH                           { $$ = BL_OPERATOR_STARTS_WITH; }
| ENDS_WITH                             { $$ = BL_OPERATOR_ENDS_WITH; }
| MATCHES                               { $$ = BL_OPERATOR_MATCHES; }
;

sum:
  product
| sum[left] sign product[right]
    { $$ = bl_node_make_operator(parser, BL_NODE_ARITHMETIC, yyloc, $sign, $left, $right); }
;

sign:
  "+"                                   { $$ = BL_OPERATOR_ADD; }
| "-"                                   { $$ = BL_OPERATOR_SUB; }
;

product:
  post
| product[left] "*" post[right]
    { $$ = bl_node_make_operator(parser, BL_NODE_ARITHMETIC, yyloc, BL_OPERATOR_MUL, $left, $right); }
;

post:
  primary
| post[object] "." NAME
    { $$ = bl_node_make_word(parser, BL_NODE_FIELD, yyloc, $NAME, @NAME); bl_node_add(parser, $$, $object); }
| post[object] "?." NAME
    { $$ = bl_node_make_word(parser, BL_NODE_OPTIONAL_FIELD, yyloc, $NAME, @NAME); bl_node_add(parser, $$, $object); }
| post[type] "?"                        { $$ = NODE1(OPTIONAL_TYPE, $type); }

  /* answer: a.f(b), a[0] */
| post[object] "." NAME call            { $$ = bl_answer_method(parser, SPANS(@object, @NAME, @call), $object, $NAME, $call); }
| post[list] INDEX expr "]"             { $$ = bl_answer_index(parser, @list, @expr, bl_span_join(@INDEX, @4)); }
;

primary:
  literal
| NAME                                  { $$ = bl_node_make_word(parser, BL_NODE_NAME, yyloc, $NAME, @NAME); }
| NAME call                             { $$ = bl_call_make(parser, yyloc, $NAME, @NAME, $call); }
| FIRST call                            { $$ = $call; $$->text = bl_parser_slice(parser, @1); $$->name_span = @1; $$->span = yyloc; }
| LAST call                             { $$ = $call; $$->text = bl_parser_slice(parser, @1); $$->name_span = @1; $$->span = yyloc; }
| COUNT call                            { $$ = $call; $$->text = bl_parser_slice(parser, @1); $$->name_span = @1; $$->span = yyloc; }
| "(" expr ")"                          { $$ = $expr; $$->parenthesised = true; }
| "[" "]"                               { $$ = TREE(LIST); }
| "[" items "]"                         { $$ = $items; $$->span = yyloc; }

  /* answer: [a, b,], (a, b), -1 */
| "[" items "," "]"                     { $$ = $items; $$->span = yyloc; bl_answer_comma(parser, @3, @4); }
| "(" expr "," items ")"                { $$ = bl_answer_tuple(parser, yyloc, $expr, $items); }
| NEGATIVE primary[operand]             { $$ = bl_answer_negative(parser, yyloc, @operand, $operand); }
;

call:
  CALL ")"                              { $$ = TREE(CALL); }
| CALL arguments ")"                    { $$ = $arguments; $$->span = yyloc; }
  /* answer: f(a,) */
| CALL arguments "," ")"                { $$ = $arguments; $$->span = yyloc; bl_answer_comma(parser, @3, @4); }
;

arguments:
  argument                              { $$ = NODE1(CALL, $argument); }
| arguments[all] "," argument           { $$ = $all; bl_node_add(parser, $$, $argument); }
;

argument:
  expr
| argument[first] expr[next]            { $$ = bl_parameter_add(parser, $first, $next, yyloc); }
| argument[first] ":"                   { $$ = bl_parameter_add(parser, $first, bl_node_make(parser, BL_NODE_COLON, @2), yyloc); }
;

items:
  expr                                  { $$ = NODE1(LIST, $expr); }
| items[all] "," expr                   { $$ = $all; bl_node_add(parser, $$, $expr); }
;

literal:
  text
| NUMBER                                { $$ = LITERAL(INT); }
| DURATION                              { $$ = LITERAL(DURATION); }
| PERCENT                               { $$ = LITERAL(PERCENT); }
| MONEY                                 { $$ = LITERAL(MONEY); }
| DATE                                  { $$ = LITERAL(DATE); }
| TIME                                  { $$ = LITERAL(TIME); }
| PATTERN                               { $$ = bl_pattern_make(parser, yyloc); }
| TRUE                                  { $$ = TREE(BOOL); $$->text = BL_STR("true"); $$->number = 1; }
| FALSE                                 { $$ = TREE(BOOL); $$->text = BL_STR("false"); }
| NONE                                  { $$ = TREE(NONE); }
;

text:
  STRING                                { $$ = bl_text_make(parser, yyloc, $STRING); }
| TEXT_OPEN parts TEXT_CLOSE            { $$ = $parts; $$->span = yyloc; $$ = bl_text_finish(parser, $$, $TEXT_OPEN); }
;

parts:
  part                                  { $$ = NODE1(STRING, $part); }
| parts[all] part                       { $$ = $all; bl_node_add(parser, $$, $part); }
;

part:
  WORDS                                 { $$ = TREE(STRING_PART); }
| HOLE_OPEN sum HOLE_CLOSE              { $$ = $sum; }
| HOLE_OPEN value HOLE_CLOSE            { $$ = $value; }
  /* broken: the rest of the text stays */
| HOLE_OPEN error HOLE_CLOSE            { $$ = TREE(BROKEN); yyerrok; }
;

%%

static const unsigned char expectations[YYNTOKENS] = {
    [YYSYMBOL_YYEOF] = BL_EXPECT_FILE_END,
    [YYSYMBOL_YYerror] = BL_EXPECT_NOTHING,
    [YYSYMBOL_YYUNDEF] = BL_EXPECT_NOTHING,
    [YYSYMBOL_NEWLINE] = BL_EXPECT_LINE_END,
    [YYSYMBOL_NAME] = BL_EXPECT_NAME,
    [YYSYMBOL_STRING] = BL_EXPECT_VALUE,
    [YYSYMBOL_NUMBER] = BL_EXPECT_VALUE,
    [YYSYMBOL_DURATION] = BL_EXPECT_VALUE,
    [YYSYMBOL_PERCENT] = BL_EXPECT_VALUE,
    [YYSYMBOL_MONEY] = BL_EXPECT_VALUE,
    [YYSYMBOL_DATE] = BL_EXPECT_VALUE,
    [YYSYMBOL_TIME] = BL_EXPECT_VALUE,
    [YYSYMBOL_PATTERN] = BL_EXPECT_VALUE,
    [YYSYMBOL_TEXT_OPEN] = BL_EXPECT_VALUE,
    [YYSYMBOL_TEXT_CLOSE] = BL_EXPECT_NOTHING,
    [YYSYMBOL_WORDS] = BL_EXPECT_NOTHING,
    [YYSYMBOL_HOLE_OPEN] = BL_EXPECT_NOTHING,
    [YYSYMBOL_HOLE_CLOSE] = BL_EXPECT_HOLE_END,
    [YYSYMBOL_LPAREN] = BL_EXPECT_VALUE,
    [YYSYMBOL_CALL] = BL_EXPECT_NOTHING,
    [YYSYMBOL_RPAREN] = BL_EXPECT_CLOSING_PARENTHESIS,
    [YYSYMBOL_LBRACKET] = BL_EXPECT_VALUE,
    [YYSYMBOL_INDEX] = BL_EXPECT_NOTHING,
    [YYSYMBOL_RBRACKET] = BL_EXPECT_CLOSING_BRACKET,
    [YYSYMBOL_LBRACE] = BL_EXPECT_BLOCK,
    [YYSYMBOL_RBRACE] = BL_EXPECT_BLOCK_END,
    [YYSYMBOL_ASSIGN] = BL_EXPECT_ASSIGN,
    [YYSYMBOL_ARROW] = BL_EXPECT_ARROW,
    [YYSYMBOL_COMMA] = BL_EXPECT_COMMA,
    [YYSYMBOL_COLON] = BL_EXPECT_COLON,
    [YYSYMBOL_DOT] = BL_EXPECT_FIELD,
    [YYSYMBOL_OPTIONAL_DOT] = BL_EXPECT_FIELD,
    [YYSYMBOL_OPTIONAL] = BL_EXPECT_NOTHING,
    [YYSYMBOL_EQ] = BL_EXPECT_COMPARISON,
    [YYSYMBOL_NE] = BL_EXPECT_COMPARISON,
    [YYSYMBOL_LT] = BL_EXPECT_COMPARISON,
    [YYSYMBOL_LE] = BL_EXPECT_COMPARISON,
    [YYSYMBOL_GT] = BL_EXPECT_COMPARISON,
    [YYSYMBOL_GE] = BL_EXPECT_COMPARISON,
    [YYSYMBOL_PLUS] = BL_EXPECT_ARITHMETIC,
    [YYSYMBOL_MINUS] = BL_EXPECT_ARITHMETIC,
    [YYSYMBOL_TIMES] = BL_EXPECT_ARITHMETIC,
    [YYSYMBOL_AND] = BL_EXPECT_AND_OR,
    [YYSYMBOL_OR] = BL_EXPECT_AND_OR,
    [YYSYMBOL_NOT] = BL_EXPECT_EXPRESSION,
    [YYSYMBOL_IN] = BL_EXPECT_IN,
    [YYSYMBOL_IS] = BL_EXPECT_COMPARISON,
    [YYSYMBOL_HAS] = BL_EXPECT_COMPARISON,
    [YYSYMBOL_LACKS] = BL_EXPECT_COMPARISON,
    [YYSYMBOL_CONTAINS] = BL_EXPECT_COMPARISON,
    [YYSYMBOL_STARTS_WITH] = BL_EXPECT_COMPARISON,
    [YYSYMBOL_ENDS_WITH] = BL_EXPECT_COMPARISON,
    [YYSYMBOL_MATCHES] = BL_EXPECT_COMPARISON,
    [YYSYMBOL_ANY] = BL_EXPECT_EXPRESSION,
    [YYSYMBOL_ALL] = BL_EXPECT_EXPRESSION,
    [YYSYMBOL_NO] = BL_EXPECT_EXPRESSION,
    [YYSYMBOL_FIRST] = BL_EXPECT_VALUE,
    [YYSYMBOL_LAST] = BL_EXPECT_VALUE,
    [YYSYMBOL_COUNT] = BL_EXPECT_VALUE,
    [YYSYMBOL_EACH] = BL_EXPECT_EXPRESSION,
    [YYSYMBOL_WHERE] = BL_EXPECT_WHERE,
    [YYSYMBOL_GIVING] = BL_EXPECT_GIVING,
    [YYSYMBOL_IF] = BL_EXPECT_EXPRESSION,
    [YYSYMBOL_THEN] = BL_EXPECT_THEN,
    [YYSYMBOL_ELSE] = BL_EXPECT_ELSE,
    [YYSYMBOL_TRUE] = BL_EXPECT_VALUE,
    [YYSYMBOL_FALSE] = BL_EXPECT_VALUE,
    [YYSYMBOL_NONE] = BL_EXPECT_VALUE,
    [YYSYMBOL_ELSE_IF] = BL_EXPECT_NOTHING,
    [YYSYMBOL_NEGATED] = BL_EXPECT_NOTHING,
    [YYSYMBOL_NEGATIVE] = BL_EXPECT_NOTHING,
    [YYSYMBOL_QUESTION] = BL_EXPECT_NOTHING,
    [YYSYMBOL_BAD] = BL_EXPECT_NOTHING,
};

static int yyreport_syntax_error(const yypcontext_t *context, struct bl_parser *parser)
{
    yysymbol_kind_t tokens[YYNTOKENS];
    int count = yypcontext_expected_tokens(context, tokens, YYNTOKENS);
    uint32_t expected = 0;

    for (int i = 0; i < count; i++) {
        expected |= UINT32_C(1) << expectations[tokens[i]];
    }
    bl_unexpected(parser, *yypcontext_location(context),
                  expected & ~(UINT32_C(1) << BL_EXPECT_NOTHING));
    return 0;
}

/* Mistakes go the other way; this is for the stack alone, whose end the filter keeps out of
 * reach. */
static void bl_policy_error(const BL_POLICY_LTYPE *span, struct bl_parser *parser, const char *message)
{
    (void)message;
    bl_too_deep(parser, *span);
}

const char *bl_token_alias(int kind)
{
    return yysymbol_name(YYTRANSLATE(kind));
}

size_t bl_grammar_rule_count(void)
{
    return YYNRULES;
}
