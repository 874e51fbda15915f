/* SPDX-License-Identifier: Apache-2.0 */
#include "bytecode/arguments.h"
#include "emit/lowering.h"

#define ARGUMENTS_MAX 40

/* ---- steps
 * -------------------------------------------------------------------------------------- */

void bl_lower_step(struct bl_body *body, const struct bl_statement *s, unsigned step,
                   uint32_t detail, unsigned first, size_t count)
{
    uint32_t site = bl_emit_site(body->e, step, detail, s->span);
    bl_put(body, BL_OP_STEP, first, (unsigned)count, site, s->span);
}

/* The attributes of an own comment that exists already: those that the test gives. */
static size_t posted_types(struct bl_body *body, const struct bl_statement *s, bl_type *types,
                           size_t count)
{
    const struct bl_document *document = s->symbol->as.document;
    for (size_t i = 0; i < document->attribute_count && count < ARGUMENTS_MAX; i++)
        types[count++] = BL_OPTIONAL(bl_emit_type(body->e, document->attributes[i].type));
    return count;
}

static void posted_values(struct bl_body *body, struct bl_statement *s, unsigned first)
{
    const struct bl_document *document = s->symbol->as.document;
    for (size_t i = 0; i < document->attribute_count; i++) {
        unsigned reg = first + (unsigned)i;
        struct bl_node *value = NULL;
        for (struct bl_pair *pair = s->pairs; pair != NULL; pair = pair->next)
            if (bl_str_equal(pair->name, document->attributes[i].name))
                value = pair->value;
        if (value != NULL)
            bl_lower_into(body, value, reg);
        else
            bl_put(body, BL_OP_ABSENT, reg, 0, 0, s->span);
    }
}

static void item(struct bl_body *body, struct bl_statement *s, size_t index, unsigned reg)
{
    struct bl_node *node = index < s->items.count ? s->items.items[index] : NULL;
    if (s->member == BL_STEP_GIVEN_FAILS && index == 0) {
        bl_put(body, BL_OP_CONST, reg, 0, bl_builder_text(body->e->b, BL_TYPE_TEXT, s->name),
               s->span);
    } else if (s->member == BL_STEP_ANSWERS && index == 0) {
        uint32_t task = bl_builder_number(body->e->b, BL_TYPE_TASK, s->symbol->number);
        bl_put(body, BL_OP_CONST, reg, 0, task, s->span); /* the verifier looks for it */
    } else if (node != NULL && bl_type_is(node->type, BL_TYPE_DATE) &&
               bl_type_is(bl_code_type(body->code, reg), BL_TYPE_TIME)) {
        /* A day where a moment is asked for: its first second. */
        unsigned midnight = bl_code_register(body->code, BL_TYPE_TIME);
        bl_put(body, BL_OP_FIELD, midnight, bl_lower(body, node), BL_FIELD_DATE_MIDNIGHT,
               node->span);
        bl_put(body, BL_OP_MOVE, reg, midnight, 0, node->span);
    } else if (node != NULL) {
        bl_lower_into(body, node, reg);
    } else if (bl_type_is_optional(bl_code_type(body->code, reg))) {
        bl_put(body, BL_OP_ABSENT, reg, 0, 0, s->span);
    } else if (bl_type_is(bl_code_type(body->code, reg), BL_TYPE_BOOL)) {
        bl_put(body, BL_OP_CONST, reg, 0, bl_builder_number(body->e->b, BL_TYPE_BOOL, 0),
               s->span);
    } else {
        bl_put(body, BL_OP_CONST, reg, 0,
               bl_builder_text(body->e->b, BL_TYPE_TEXT, (bl_str){NULL, 0}), s->span);
    }
}

static bl_type answer_type(struct bl_body *body, const struct bl_statement *s)
{
    uint32_t record = s->symbol->as.task->record;
    return record != UINT32_MAX ? bl_emit_type(body->e, BL_TYPE_MAKE(BL_TYPE_RECORD, record))
                                : (bl_type)BL_TYPE_BOOL;
}

static void given_row(struct bl_body *body, struct bl_statement *s)
{
    bl_type types[ARGUMENTS_MAX];
    size_t count = bl_row_types(body, s->symbol, types);
    unsigned first = bl_code_range(body->code, types, count);
    uint32_t detail = bl_lower_row(body, s, s->value, first);
    bl_lower_step(body, s, s->member, detail, first, count);
}

/* Who, when, and what the entry takes. */
static void call(struct bl_body *body, struct bl_statement *s)
{
    const struct bl_symbol_list *params = &s->symbol->as.rule->params;
    bl_type types[ARGUMENTS_MAX] = {BL_TYPE_BOOL, BL_OPTIONAL(BL_TYPE_TIME)};
    size_t count = 2;
    for (size_t i = 0; i < params->count && count < ARGUMENTS_MAX; i++)
        types[count++] = bl_emit_type(body->e, params->items[i]->type);
    unsigned first = bl_code_range(body->code, types, count);
    for (size_t i = 0; i < count; i++)
        item(body, s, i, first + (unsigned)i);
    bl_lower_step(body, s, s->member, s->symbol->emit[0] - 1, first, count);
}

static uint32_t job_of(const struct bl_body *body, const struct bl_symbol *symbol)
{
    const struct bl_symbol_list *jobs = &body->e->program->symbols[BL_SYMBOL_JOB];
    uint32_t at = 0;
    while (at < jobs->count && jobs->items[at] != symbol)
        at++;
    return at;
}

/* What the site says beside the kind of step. */
static uint32_t detail_of(const struct bl_body *body, const struct bl_statement *s)
{
    if (s->member == BL_STEP_GIVEN_ISSUE_POSTED)
        return s->symbol->number;
    return s->member == BL_STEP_RUNS ? job_of(body, s->symbol) : 0;
}

static void step(struct bl_body *body, struct bl_statement *s)
{
    struct bl_arguments arguments;
    bl_type types[ARGUMENTS_MAX];
    size_t count = 0;
    if (s->member == BL_STEP_GIVEN_ROW || s->member == BL_STEP_CALLS) {
        (s->member == BL_STEP_CALLS ? call : given_row)(body, s);
        return;
    }
    if (!bl_step_arguments((enum bl_step)s->member, &arguments))
        return;
    for (; count < arguments.count; count++) {
        if (arguments.list[count].form == BL_ARGUMENT_ATTRIBUTES)
            break;
        types[count] = arguments.list[count].form == BL_ARGUMENT_ANSWER
                           ? answer_type(body, s)
                           : arguments.list[count].type;
    }
    size_t fixed = count;
    bool is_posted = s->member == BL_STEP_GIVEN_ISSUE_POSTED;
    if (is_posted)
        count = posted_types(body, s, types, count);
    unsigned first = bl_code_range(body->code, types, count);
    bool is_answer = s->member == BL_STEP_ANSWERS;
    if (is_answer)
        bl_lower_answer(body, s, first + (unsigned)fixed - 1);
    for (size_t i = 0; i < fixed - is_answer; i++)
        item(body, s, i, first + (unsigned)i);
    if (is_posted)
        posted_values(body, s, first + (unsigned)fixed);
    bl_lower_step(body, s, s->member, detail_of(body, s), first, count);
}

static void set(struct bl_body *body, struct bl_statement *s)
{
    struct bl_emitter *e = body->e;
    bl_type types[2] = {BL_TYPE_INT, bl_emit_type(e, s->symbol->type)};
    uint32_t setting = bl_emit_setting(e, s->symbol);
    unsigned first = bl_code_range(body->code, types, 2);
    bl_lower_into(body, s->value, first + 1);
    bl_put(body, BL_OP_CONST, first, 0, bl_builder_number(e->b, BL_TYPE_INT, setting), s->span);
    bl_lower_step(body, s, BL_STEP_SET, 0, first, 2);
}

static void statement(struct bl_body *body, struct bl_statement *s, void *context)
{
    (void)context;
    size_t mark = bl_code_mark(body->code);
    if (s->kind == BL_STATEMENT_STEP)
        step(body, s);
    else if (s->kind == BL_STATEMENT_TEST_SET)
        set(body, s);
    else if (!bl_lower_expectation(body, s))
        bl_emit_defect(body->e, s->span, BL_STR("a step of a test"));
    bl_code_release(body->code, mark);
}

/* ---- tests and their rows
 * ------------------------------------------------------------------------------ */

/* A value as a row writes it, without the quotes of a text. */
static bl_str written(struct bl_emitter *e, const struct bl_node *value)
{
    bl_str text = bl_sources_text(e->program->sources, value->span);
    bool is_quoted = value->kind == BL_NODE_STRING && text.len >= 2 &&
                     bl_str_starts_with(text, BL_STR("\""));
    return is_quoted ? bl_str_slice(text, 1, text.len - 1) : text;
}

static bl_str case_name(struct bl_emitter *e, const struct bl_test *test,
                        const struct bl_test_row *row)
{
    struct bl_buf name;
    bl_buf_init(&name, e->arena, 4096);
    for (uint32_t i = 0; i < test->name->kid_count; i++) {
        const struct bl_node *part = test->name->kids[i];
        if (part->kind == BL_NODE_STRING_PART) {
            bl_buf_put(&name, part->text);
            continue;
        }
        for (size_t c = 0; row != NULL && c < test->columns.count; c++)
            if (bl_str_equal(test->columns.items[c]->name, part->text))
                bl_buf_put(&name, written(e, row->values[c]));
    }
    return bl_buf_str(&name);
}

/* Names of rows in an open table, so that the second of a name is found at once. */
struct row_names {
    bl_str *slots; /* NULL: there was no memory, and no module comes of it */
    size_t count;
};

static struct row_names row_names_of(struct bl_emitter *e, const struct bl_test *test)
{
    struct row_names names = {.count = 16};
    while (names.count < 2 * test->row_count)
        names.count *= 2;
    names.slots = BL_NEW_ARRAY(e->arena, names.count, bl_str);
    return names;
}

/* A row whose name another one has says which row it is: every test can be told apart. */
static bl_str row_name(struct bl_emitter *e, const struct bl_test *test, size_t index,
                       struct row_names *names)
{
    bl_str name = case_name(e, test, &test->rows[index]);
    if (names->slots == NULL)
        return name;
    size_t slot = bl_str_hash(name, 0) & (names->count - 1);
    while (names->slots[slot].ptr != NULL && !bl_str_equal(names->slots[slot], name))
        slot = (slot + 1) & (names->count - 1);
    if (names->slots[slot].ptr == NULL) {
        names->slots[slot] = name;
        return name;
    }
    struct bl_buf numbered;
    bl_buf_init(&numbered, e->arena, name.len + 40);
    bl_buf_put(&numbered, name);
    bl_buf_printf(&numbered, " (row %zu)", index + 1);
    return bl_buf_str(&numbered);
}

static uint32_t row_function(struct bl_emitter *e, const struct bl_test *test, bl_str name,
                             const struct bl_test_row *row, uint32_t function)
{
    struct bl_body body = bl_body_begin(e, name, BL_FUNCTION_TEST, BL_TYPE_NONE, BL_NONE);
    bl_type types[64] = {0};
    size_t count = test->columns.count < 64 ? test->columns.count : 64;
    for (size_t i = 0; i < count; i++)
        types[i] = bl_emit_type(e, test->columns.items[i]->type);
    unsigned first = bl_code_range(body.code, types, count);
    for (size_t i = 0; i < count; i++)
        bl_lower_into(&body, row->values[i], first + (unsigned)i);
    bl_put(&body, BL_OP_CALL, BL_NO_REGISTER, first, function, row->span);
    bl_put(&body, BL_OP_END, 0, 0, 0, row->span);
    return bl_body_end(&body);
}

static void add_case(struct bl_emitter *e, uint32_t function, bl_str name, struct bl_span span)
{
    struct bl_module_case row = {.function = function,
                                 .name = bl_builder_string(e->b, name),
                                 .source = span.source,
                                 .lo = span.lo,
                                 .hi = span.hi};
    bl_add_CASES(e->b, row);
}

static void add_test(struct bl_emitter *e, struct bl_test *test)
{
    bl_str name = case_name(e, test, NULL);
    struct bl_entry row = bl_emit_entry(e, BL_ENTRY_TEST, name, test->span);
    uint32_t entry = bl_add_ENTRIES(e->b, row);
    struct bl_body body = bl_body_begin(e, name, BL_FUNCTION_TEST, BL_TYPE_NONE, BL_NONE);
    bl_body_params(&body, &test->columns);
    bl_lower_list(&body, test->body, statement, NULL);
    bl_put(&body, BL_OP_END, 0, 0, 0, test->span);
    uint32_t function = bl_body_end(&body);
    if (entry < e->b->ENTRIES.count)
        e->b->ENTRIES.items[entry].function = function;
    if (test->columns.count == 0) {
        add_case(e, function, name, test->span);
        return;
    }
    struct row_names names = row_names_of(e, test);
    for (size_t i = 0; i < test->row_count; i++) {
        bl_str own = row_name(e, test, i, &names);
        add_case(e, row_function(e, test, own, &test->rows[i], function), own,
                 test->rows[i].span);
    }
}

void bl_emit_tests(struct bl_emitter *e)
{
    for (size_t i = 0; i < e->program->tests.count; i++)
        add_test(e, &e->program->tests.items[i]);
}
