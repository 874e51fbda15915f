/* SPDX-License-Identifier: Apache-2.0 */
#include "base/buf.h"
#include "syntax/parser.h"

/* What the language leaves out on purpose is parsed and answered with the way to say it here. A
 * fix is offered where it says what was meant for certain. */

/* A longer fix is not offered: nobody would read it. */
#define FIX_MAX 8192

static void start_fix(struct bl_parser *parser, struct bl_buf *fix)
{
    bl_buf_init(fix, parser->sink->arena, FIX_MAX);
}

static void put_span(struct bl_parser *parser, struct bl_buf *fix, uint32_t lo, uint32_t hi)
{
    bl_buf_put(fix, bl_str_slice(parser->text, lo, hi));
}

static void put_text(struct bl_parser *parser, struct bl_buf *fix, struct bl_span span)
{
    put_span(parser, fix, span.lo, span.hi);
}

static struct bl_diagnostic *report(struct bl_parser *parser, enum bl_diagnostic_code code,
                                    struct bl_span span)
{
    struct bl_diagnostic *d = bl_report(parser->sink, code, span);

    bl_diagnostic_text(parser->sink, d, "text", bl_parser_slice(parser, span));
    return d;
}

/* The fix, which is also the argument {instead} of the message, cut there. */
static void offer(struct bl_parser *parser, struct bl_diagnostic *d, struct bl_span span,
                  const struct bl_buf *fix)
{
    if (!fix->failed) {
        bl_diagnostic_text(parser->sink, d, "instead", bl_buf_str(fix));
        bl_diagnostic_fix(parser->sink, d, span, bl_buf_str(fix));
    }
}

/* ---- conditions ------------------------------------------------------------------------- */

static bool is_chain(const struct bl_node *node, enum bl_node_kind kind)
{
    return node->kind == kind && !node->parenthesised;
}

/* The quantifier that reaches to the end of an operand, or NULL. */
static struct bl_node *open_quantifier(struct bl_node *node)
{
    while (is_chain(node, BL_NODE_NOT) && node->kid_count == 1) {
        node = node->kids[0];
    }
    bool is_quantifier =
        node->kind == BL_NODE_ANY || node->kind == BL_NODE_ALL || node->kind == BL_NODE_NO;
    return is_quantifier && !node->parenthesised && node->kid_count == 2 ? node : NULL;
}

static bool mentions(const struct bl_node *node, bl_str name)
{
    if (node == NULL) {
        return false;
    }
    if (node->kind == BL_NODE_NAME && bl_str_equal(node->text, name)) {
        return true;
    }
    for (uint32_t i = 0; i < node->kid_count; i++) {
        if (mentions(node->kids[i], name)) {
            return true;
        }
    }
    return false;
}

/* Where an operand begins, the parenthesis in front of it included. */
static uint32_t outer_lo(const struct bl_parser *parser, const struct bl_node *node)
{
    uint32_t lo = node->span.lo;

    if (!node->parenthesised) {
        return lo;
    }
    while (lo > 0 && parser->text.ptr[lo - 1] != '(') {
        lo--;
    }
    return lo > 0 ? lo - 1 : lo;
}

/* `rest` stands behind the quantifier and its and/or; `end` is where the whole condition ends.
 * What speaks of the loop's variable belongs into the loop, anything else behind it. */
static void report_quantifier(struct bl_parser *parser, struct bl_node *quantifier,
                              const struct bl_node *rest, uint32_t end)
{
    struct bl_diagnostic *d = report(parser, BL_D_QUANTIFIER_PARENTHESES, quantifier->span);
    struct bl_span span = quantifier->span;
    struct bl_buf fix;

    if (mentions(rest, quantifier->text)) {
        span.lo = outer_lo(parser, quantifier->kids[1]);
        span.hi = end;
    }
    start_fix(parser, &fix);
    BL_PUT(&fix, "(");
    put_text(parser, &fix, span);
    BL_PUT(&fix, ")");
    offer(parser, d, span, &fix);
}

/* The last operand of what stands to the left of an and/or. */
static struct bl_node *last_operand(struct bl_node *left)
{
    while ((is_chain(left, BL_NODE_OR) || is_chain(left, BL_NODE_AND)) &&
           left->kid_count == 2) {
        left = left->kids[1];
    }
    return left;
}

/* Every quantifier of a chain that has an operand behind it. */
static void check_quantifiers(struct bl_parser *parser, struct bl_node *chain, uint32_t end)
{
    for (struct bl_node *at = chain;
         (is_chain(at, BL_NODE_OR) || is_chain(at, BL_NODE_AND)) && at->kid_count == 2;
         at = at->kids[0]) {
        struct bl_node *quantifier = open_quantifier(last_operand(at->kids[0]));
        if (quantifier != NULL) {
            report_quantifier(parser, quantifier, at->kids[1], end);
        }
    }
}

/* Operands of an or-chain that are and-chains, last first. */
static struct bl_node *next_mixed(struct bl_node **at)
{
    while (*at != NULL) {
        struct bl_node *node = *at;
        struct bl_node *operand = node;
        *at = NULL;
        if (is_chain(node, BL_NODE_OR) && node->kid_count == 2) {
            operand = node->kids[1];
            *at = node->kids[0];
        }
        if (is_chain(operand, BL_NODE_AND)) {
            return operand;
        }
    }
    return NULL;
}

#define MIXED_MAX 16

static void report_mixed(struct bl_parser *parser, struct bl_span span, struct bl_node *chain)
{
    struct bl_node *operands[MIXED_MAX];
    size_t count = 0;
    struct bl_node *at = chain;
    struct bl_buf fix;

    for (struct bl_node *one = next_mixed(&at); one != NULL; one = next_mixed(&at)) {
        if (count == MIXED_MAX) {
            count = 0;
            break;
        }
        operands[count++] = one;
    }
    struct bl_diagnostic *d = report(parser, BL_D_MIXED_AND_OR, span);
    if (count == 0) {
        return;
    }
    start_fix(parser, &fix);
    uint32_t place = span.lo;
    while (count-- > 0) {
        put_span(parser, &fix, place, operands[count]->span.lo);
        BL_PUT(&fix, "(");
        put_text(parser, &fix, operands[count]->span);
        BL_PUT(&fix, ")");
        place = operands[count]->span.hi;
    }
    put_span(parser, &fix, place, span.hi);
    offer(parser, d, span, &fix);
}

struct bl_node *bl_answer_condition(struct bl_parser *parser, struct bl_span span,
                                    struct bl_node *condition)
{
    struct bl_node *at = condition;

    if (is_chain(condition, BL_NODE_OR) && next_mixed(&at) != NULL) {
        report_mixed(parser, span, condition);
    } else {
        check_quantifiers(parser, condition, span.hi);
    }
    return condition;
}

struct bl_node *bl_answer_where(struct bl_parser *parser, struct bl_span span,
                                struct bl_node *value, enum bl_node_kind kind,
                                struct bl_node *rest)
{
    struct bl_diagnostic *d = report(parser, BL_D_QUANTIFIER_PARENTHESES, value->span);
    bool ends_with_where = value->kid_count >= 2 && value->kids[1] != NULL &&
                           (value->kid_count < 3 || value->kids[2] == NULL);
    struct bl_buf fix;

    if (!ends_with_where) {
        return bl_node_make(parser, BL_NODE_BROKEN, span);
    }
    struct bl_node *where = value->kids[1];
    struct bl_span inner = bl_parser_span(parser, outer_lo(parser, where), span.hi);
    start_fix(parser, &fix);
    BL_PUT(&fix, "(");
    put_text(parser, &fix, inner);
    BL_PUT(&fix, ")");
    offer(parser, d, inner, &fix);
    struct bl_node *both = bl_node_make2(parser, kind, inner, where, rest);
    if (both->height >= BL_NESTING_MAX) {
        return bl_node_make(parser, BL_NODE_BROKEN, span);
    }
    both->parenthesised = true;
    value->kids[1] = both;
    value->span = span;
    value->height =
        both->height >= value->height ? (uint16_t)(both->height + 1) : value->height;
    return value;
}

struct bl_node *bl_answer_ternary(struct bl_parser *parser, const struct bl_span spans[3],
                                  struct bl_node *condition, struct bl_node *then,
                                  struct bl_node *otherwise)
{
    struct bl_span span = bl_span_join(spans[0], spans[2]);
    struct bl_diagnostic *d = report(parser, BL_D_TERNARY, span);
    struct bl_buf fix;

    start_fix(parser, &fix);
    BL_PUT(&fix, "if ");
    put_text(parser, &fix, spans[0]);
    BL_PUT(&fix, " then ");
    put_text(parser, &fix, spans[1]);
    BL_PUT(&fix, " else ");
    put_text(parser, &fix, spans[2]);
    offer(parser, d, span, &fix);
    return bl_node_make3(parser, BL_NODE_IF, span, condition, then, otherwise);
}

struct bl_node *bl_answer_if_alone(struct bl_parser *parser, struct bl_span span,
                                   struct bl_node *condition, struct bl_node *then)
{
    struct bl_span end = bl_parser_span(parser, span.hi, span.hi);

    (void)report(parser, BL_D_IF_WITHOUT_ELSE, span);
    return bl_node_make3(parser, BL_NODE_IF, span, condition, then,
                         bl_node_make(parser, BL_NODE_BROKEN, end));
}

/* ---- operators -------------------------------------------------------------------------- */

struct bl_node *bl_answer_chain(struct bl_parser *parser, struct bl_span span,
                                struct bl_node *comparison, struct bl_span relation,
                                struct bl_span right)
{
    struct bl_diagnostic *d = report(parser, BL_D_COMPARISON_CHAIN, relation);
    struct bl_buf fix;

    if (comparison->kind == BL_NODE_COMPARE && comparison->kid_count == 2) {
        const struct bl_node *middle = comparison->kids[1];
        start_fix(parser, &fix);
        put_span(parser, &fix, span.lo, relation.lo);
        BL_PUT(&fix, "and ");
        put_span(parser, &fix, outer_lo(parser, middle), relation.lo);
        put_span(parser, &fix, relation.lo, right.hi);
        offer(parser, d, span, &fix);
    }
    return bl_node_make(parser, BL_NODE_BROKEN, span);
}

struct bl_node *bl_answer_negated(struct bl_parser *parser, const struct bl_span spans[3],
                                  struct bl_node *left, enum bl_operator op,
                                  struct bl_node *right)
{
    struct bl_span span = bl_span_join(spans[0], spans[2]);
    struct bl_diagnostic *d = report(parser, BL_D_NEGATED_OPERATOR, spans[1]);
    bool has_word = op == BL_OPERATOR_HAS || op == BL_OPERATOR_LACKS;
    struct bl_buf fix;

    start_fix(parser, &fix);
    if (!has_word) {
        BL_PUT(&fix, "not (");
    }
    put_text(parser, &fix, spans[0]);
    bl_buf_put_char(&fix, ' ');
    bl_buf_put(&fix, op == BL_OPERATOR_HAS     ? BL_STR("lacks")
                     : op == BL_OPERATOR_LACKS ? BL_STR("has")
                                               : bl_operator_spelling(op));
    bl_buf_put_char(&fix, ' ');
    put_text(parser, &fix, spans[2]);
    if (!has_word) {
        BL_PUT(&fix, ")");
    }
    offer(parser, d, span, &fix);
    return bl_node_make1(parser, BL_NODE_NOT, span,
                         bl_node_make_operator(parser, BL_NODE_COMPARE, span, op, left, right));
}

struct bl_node *bl_answer_negative(struct bl_parser *parser, struct bl_span span,
                                   struct bl_span operand_span, struct bl_node *operand)
{
    struct bl_diagnostic *d = report(parser, BL_D_NO_NEGATIVE, span);
    struct bl_node *zero = bl_node_make(parser, BL_NODE_INT, span);
    struct bl_buf fix;

    start_fix(parser, &fix);
    BL_PUT(&fix, "(0 - ");
    put_text(parser, &fix, operand_span);
    BL_PUT(&fix, ")");
    offer(parser, d, span, &fix);
    struct bl_node *node =
        bl_node_make_operator(parser, BL_NODE_ARITHMETIC, span, BL_OPERATOR_SUB, zero, operand);
    node->parenthesised = true;
    return node;
}

/* ---- calls and lists -------------------------------------------------------------------- */

/* What other languages have as a method, and this one as an operator. */
static enum bl_operator operator_named(bl_str name, bl_str *word)
{
    static const struct {
        bl_str name, word;
        enum bl_operator op;
    } operators[] = {
        {{"contains", 8}, {"contains", 8}, BL_OPERATOR_CONTAINS},
        {{"includes", 8}, {"contains", 8}, BL_OPERATOR_CONTAINS},
        {{"starts_with", 11}, {"starts_with", 11}, BL_OPERATOR_STARTS_WITH},
        {{"startswith", 10}, {"starts_with", 11}, BL_OPERATOR_STARTS_WITH},
        {{"ends_with", 9}, {"ends_with", 9}, BL_OPERATOR_ENDS_WITH},
        {{"endswith", 8}, {"ends_with", 9}, BL_OPERATOR_ENDS_WITH},
        {{"matches", 7}, {"matches", 7}, BL_OPERATOR_MATCHES},
        {{"has", 3}, {"has", 3}, BL_OPERATOR_HAS},
        {{"lacks", 5}, {"lacks", 5}, BL_OPERATOR_LACKS},
    };

    for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++) {
        if (bl_str_equal(name, operators[i].name)) {
            *word = operators[i].word;
            return operators[i].op;
        }
    }
    return BL_OPERATOR_NONE;
}

bool bl_operator_is_method(bl_str name)
{
    bl_str word;

    return operator_named(name, &word) != BL_OPERATOR_NONE;
}

/* Is it a field that is a list wherever a thing has it: labels, comments? */
static bool is_list_field(const struct bl_node *node)
{
    bool found = false;

    if (node->kind != BL_NODE_FIELD) {
        return false;
    }
    for (unsigned i = 0; i < BL_ENTITY_COUNT; i++) {
        enum bl_field field = bl_field_find((enum bl_entity)i, node->text);
        if (field == BL_FIELD_COUNT) {
            continue;
        }
        if (!bl_type_is_list(bl_field_info(field)->type)) {
            return false;
        }
        found = true;
    }
    return found;
}

/* `labels.includes(bug)` is `bug in labels`. */
static struct bl_node *answer_member(struct bl_parser *parser, const struct bl_span spans[3],
                                     struct bl_node *object, struct bl_node *argument)
{
    struct bl_span span = bl_span_join(spans[0], spans[2]);
    struct bl_diagnostic *d = report(parser, BL_D_METHOD_OPERATOR, spans[1]);
    struct bl_buf fix;

    start_fix(parser, &fix);
    put_text(parser, &fix, argument->span);
    BL_PUT(&fix, " in ");
    put_text(parser, &fix, spans[0]);
    offer(parser, d, span, &fix);
    struct bl_node *node =
        bl_node_make_operator(parser, BL_NODE_COMPARE, span, BL_OPERATOR_IN, argument, object);
    node->parenthesised = true;
    return node;
}

/* `title.contains("x")` is `title contains "x"`. */
static struct bl_node *answer_operator(struct bl_parser *parser, const struct bl_span spans[3],
                                       struct bl_node *object, bl_str word, enum bl_operator op,
                                       struct bl_node *argument)
{
    if (op == BL_OPERATOR_CONTAINS && is_list_field(object)) {
        return answer_member(parser, spans, object, argument);
    }
    struct bl_span span = bl_span_join(spans[0], spans[2]);
    struct bl_diagnostic *d = report(parser, BL_D_METHOD_OPERATOR, spans[1]);
    struct bl_buf fix;

    start_fix(parser, &fix);
    put_text(parser, &fix, object->span);
    BL_PUT(&fix, " ");
    bl_buf_put(&fix, word);
    BL_PUT(&fix, " ");
    put_text(parser, &fix, argument->span);
    offer(parser, d, span, &fix);
    struct bl_node *node =
        bl_node_make_operator(parser, BL_NODE_COMPARE, span, op, object, argument);
    node->parenthesised = true;
    return node;
}

struct bl_node *bl_answer_method(struct bl_parser *parser, const struct bl_span spans[3],
                                 struct bl_node *object, bl_str name, struct bl_node *call)
{
    bl_str word = {NULL, 0};
    enum bl_operator op = operator_named(name, &word);
    if (op != BL_OPERATOR_NONE && call->kid_count == 1)
        return answer_operator(parser, spans, object, word, op, call->kids[0]);
    struct bl_span span = bl_span_join(spans[0], spans[2]);
    struct bl_diagnostic *d = report(parser, BL_D_METHOD_CALL, spans[1]);
    struct bl_node *node = bl_node_make_word(parser, BL_NODE_CALL, span, name, spans[1]);
    struct bl_buf fix;

    start_fix(parser, &fix);
    bl_buf_put(&fix, name);
    BL_PUT(&fix, "(");
    put_text(parser, &fix, spans[0]);
    if (call->kid_count > 0) {
        BL_PUT(&fix, ", ");
    }
    put_span(parser, &fix, spans[2].lo + 1, spans[2].hi);
    offer(parser, d, span, &fix);
    bl_node_add(parser, node, object);
    for (uint32_t i = 0; i < call->kid_count; i++) {
        bl_node_add(parser, node, call->kids[i]);
    }
    return node;
}

struct bl_node *bl_call_make(struct bl_parser *parser, struct bl_span span, bl_str name,
                             struct bl_span name_span, struct bl_node *call)
{
    bl_str word = {NULL, 0};

    if (bl_keyword_kind(name) != 0 && call->kid_count == 2) {
        enum bl_operator op = operator_named(name, &word);
        const struct bl_span spans[3] = {span, name_span, span};
        if (op != BL_OPERATOR_NONE) {
            return answer_operator(parser, spans, call->kids[0], word, op, call->kids[1]);
        }
    }
    call->text = name;
    call->name_span = name_span;
    call->span = span;
    return call;
}

struct bl_node *bl_answer_index(struct bl_parser *parser, struct bl_span list,
                                struct bl_span index, struct bl_span brackets)
{
    struct bl_span span = bl_span_join(list, brackets);
    struct bl_diagnostic *d = report(parser, BL_D_NO_INDEX, brackets);
    struct bl_buf fix;

    if (bl_str_equal(bl_parser_slice(parser, index), BL_STR("0"))) {
        start_fix(parser, &fix);
        BL_PUT(&fix, "first(");
        put_text(parser, &fix, list);
        BL_PUT(&fix, ")");
        offer(parser, d, span, &fix);
    }
    return bl_node_make(parser, BL_NODE_BROKEN, span);
}

struct bl_node *bl_answer_tuple(struct bl_parser *parser, struct bl_span span,
                                struct bl_node *first, struct bl_node *rest)
{
    struct bl_diagnostic *d = report(parser, BL_D_LIST_PARENTHESES, span);
    struct bl_node *list = bl_node_make1(parser, BL_NODE_LIST, span, first);
    struct bl_buf fix;

    start_fix(parser, &fix);
    BL_PUT(&fix, "[");
    put_span(parser, &fix, span.lo + 1, span.hi - 1);
    BL_PUT(&fix, "]");
    offer(parser, d, span, &fix);
    for (uint32_t i = 0; i < rest->kid_count; i++) {
        bl_node_add(parser, list, rest->kids[i]);
    }
    return list;
}

void bl_answer_comma(struct bl_parser *parser, struct bl_span comma, struct bl_span closing)
{
    if (closing.lo == closing.hi) {
        return; /* made by us, and what is missing was reported */
    }
    struct bl_diagnostic *d = report(parser, BL_D_COMMA_TRAILING, comma);
    bl_diagnostic_fix(parser->sink, d, comma, BL_STR(""));
}

/* ---- statements ------------------------------------------------------------------------- */

static struct bl_node *word(struct bl_parser *parser, bl_str text, struct bl_span span)
{
    return bl_node_make_word(parser, BL_NODE_NAME, span, text, span);
}

static struct bl_node *statement(struct bl_parser *parser, struct bl_node *phrase,
                                 struct bl_node *block)
{
    phrase->span.hi = block->span.lo;
    return bl_clause_make(parser, phrase, NULL, phrase->span, block);
}

struct bl_node *bl_answer_if_block(struct bl_parser *parser, struct bl_span span,
                                   struct bl_node *condition, struct bl_node *block)
{
    struct bl_diagnostic *d = report(parser, BL_D_IF_BLOCK, span);

    bl_diagnostic_fix(parser->sink, d, span, BL_STR("when"));
    struct bl_node *phrase = bl_node_make2(parser, BL_NODE_PHRASE, span,
                                           word(parser, BL_STR("when"), span), condition);
    return statement(parser, phrase, block);
}

/* `otherwise` begins a clause, so it gets a line of its own, indented as this one; what the fix
 * replaces begins behind what stands in front then. */
static struct bl_span put_new_line(struct bl_parser *parser, struct bl_buf *fix,
                                   struct bl_span span)
{
    bl_str text = parser->text;
    uint32_t line = span.lo;
    uint32_t first;
    uint32_t end = span.lo;

    while (line > 0 && text.ptr[line - 1] != '\n') {
        line--;
    }
    for (first = line; text.ptr[first] == ' ' || text.ptr[first] == '\t'; first++) {
    }
    if (first == span.lo) {
        return span;
    }
    while (text.ptr[end - 1] == ' ' || text.ptr[end - 1] == '\t') {
        end--;
    }
    BL_PUT(fix, "\n");
    put_span(parser, fix, line, first);
    span.lo = end;
    return span;
}

struct bl_node *bl_answer_else_block(struct bl_parser *parser, struct bl_span span,
                                     struct bl_node *phrase, struct bl_node *condition,
                                     struct bl_node *block)
{
    struct bl_diagnostic *d = report(parser, BL_D_ELSE_BLOCK, span);
    struct bl_node *all = bl_node_make(parser, BL_NODE_PHRASE, span);
    struct bl_buf fix;

    start_fix(parser, &fix);
    struct bl_span fix_span = put_new_line(parser, &fix, span);
    BL_PUT(&fix, "otherwise");
    bl_node_add(parser, all, word(parser, BL_STR("otherwise"), span));
    if (condition != NULL) {
        BL_PUT(&fix, " when");
        bl_node_add(parser, all, word(parser, BL_STR("when"), span));
        bl_node_add(parser, all, condition);
    }
    for (uint32_t i = 0; phrase != NULL && i < phrase->kid_count; i++) {
        bl_node_add(parser, all, phrase->kids[i]);
    }
    if (!fix.failed) {
        bl_diagnostic_fix(parser->sink, d, fix_span, bl_buf_str(&fix));
    }
    return statement(parser, all, block);
}
