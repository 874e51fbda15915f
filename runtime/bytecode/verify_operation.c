/* SPDX-License-Identifier: Apache-2.0 */
#include "bytecode/verify_flow.h"

/* Types: one case for each rule of opcodes.def. */

#define TYPE_BOOL ((bl_type)BL_TYPE_BOOL)

static const bl_type untrusted = BL_TYPE_UNTRUSTED;

static bl_type type_b(const struct bl_verify_code *c, const struct bl_insn *insn)
{
    return c->types[insn->b];
}

static bl_type type_c(const struct bl_verify_code *c, const struct bl_insn *insn)
{
    return c->types[insn->c];
}

static bool is_error(bl_type type)
{
    return bl_type_kind(type) == BL_TYPE_ERROR;
}

/* ---- values ----------------------------------------------------------------------------- */

static bool absent(struct bl_verify_code *c, const struct bl_insn *insn, bl_type *result)
{
    *result = c->types[insn->a];
    return bl_type_is_optional(*result) ||
           bl_code_bad_type(c, "a", *result, "a value that may be absent");
}

static bool condition(struct bl_verify_code *c, const struct bl_insn *insn)
{
    return type_b(c, insn) == TYPE_BOOL || bl_code_bad_fit(c, "b", type_b(c, insn), TYPE_BOOL);
}

static bool equal(struct bl_verify_code *c, const struct bl_insn *insn)
{
    return bl_types_equatable(type_b(c, insn), type_c(c, insn)) ||
           bl_code_bad_type(c, "c", type_c(c, insn), "a value that compares with b");
}

static bool ordered(struct bl_verify_code *c, const struct bl_insn *insn)
{
    return bl_types_ordered(type_b(c, insn), type_c(c, insn)) ||
           bl_code_bad_type(c, "c", type_c(c, insn), "a value that has an order with b");
}

static bool arithmetic(struct bl_verify_code *c, const struct bl_insn *insn, bl_type *result)
{
    *result = bl_arith_type((enum bl_opcode)insn->op, type_b(c, insn), type_c(c, insn));
    return !is_error(*result) ||
           bl_code_bad_type(c, "c", type_c(c, insn), "a value that goes with b");
}

static bool in(struct bl_verify_code *c, const struct bl_insn *insn)
{
    bl_type list = type_c(c, insn);

    if (!bl_type_is_list(list) || bl_type_is_optional(list))
        return bl_code_bad_type(c, "c", list, "a list");
    return bl_types_equatable(type_b(c, insn), bl_type_element(list)) ||
           bl_code_bad_type(c, "c", list, "a list of what compares with b");
}

/* Whether something stands in a masked text may be asked; its words go nowhere. */
static bool is_asked(struct bl_verify_code *c, const char *operand, bl_type type)
{
    return type == BL_TYPE_MASKED || bl_fits(type, untrusted) ||
           bl_code_bad_fit(c, operand, type, untrusted);
}

static bool texts(struct bl_verify_code *c, const struct bl_insn *insn)
{
    return is_asked(c, "b", type_b(c, insn)) && is_asked(c, "c", type_c(c, insn));
}

static bool matches(struct bl_verify_code *c, const struct bl_insn *insn)
{
    return is_asked(c, "b", type_b(c, insn)) &&
           (type_c(c, insn) == BL_TYPE_PATTERN ||
            bl_code_bad_fit(c, "c", type_c(c, insn), BL_TYPE_PATTERN));
}

static bool glob(struct bl_verify_code *c, const struct bl_insn *insn)
{
    bl_type paths = type_c(c, insn);
    bl_type path = BL_TYPE_PATH;

    if (!bl_fits(type_b(c, insn), path))
        return bl_code_bad_fit(c, "b", type_b(c, insn), path);
    return bl_fits(paths, path) || bl_fits(paths, BL_LIST_OF(path)) ||
           bl_code_bad_fit(c, "c", paths, BL_LIST_OF(path));
}

/* ---- things, records, lists ------------------------------------------------------------- */

/* Calls of the functions that describe labels: the machine makes one when the field is read. */
static bool describe_label(struct bl_verify_code *c)
{
    struct bl_verify *v = c->v;
    const struct bl_module *m = v->module;

    if (v->label_last == BL_NONE)
        return true;
    if (v->label_last >= c->index)
        return bl_code_problem(c, BL_D_CODE_CALL,
                               "a function that describes a label comes after it");
    for (uint32_t i = 0; !v->label_known && i < m->LABELS_count; i++) {
        uint32_t function = m->LABELS_rows[i].description_function;

        if (function != BL_NONE && v->depths[function] > v->label_depth)
            v->label_depth = v->depths[function];
    }
    v->label_known = true;
    return bl_code_called(c, v->label_depth);
}

static bool field(struct bl_verify_code *c, const struct bl_insn *insn, bl_type *result)
{
    const struct bl_field_info *info = bl_field_info((enum bl_field)insn->c);

    if (info == NULL)
        return bl_code_bad_operand(c, "c", insn->c);
    if (bl_entity_of_type(type_b(c, insn)) != info->entity)
        return bl_code_bad_type(c, "b", type_b(c, insn), "a thing that has the field");
    *result = info->type;
    return insn->c != BL_FIELD_LABEL_DESCRIPTION || describe_label(c);
}

bool bl_code_attribute(const struct bl_module *m, bl_type posted, bl_str name, bl_type *result)
{
    const struct bl_posted_set *set = &m->POSTED_SETS_rows[bl_type_ref(posted)];

    for (uint32_t i = 0; i < set->count; i++) {
        const struct bl_module_comment *kind =
            &m->COMMENTS_rows[m->POSTED_KINDS_rows[set->first + i]];
        const struct bl_module_member *rows = m->ATTRIBUTES_rows + kind->first_attribute;
        uint32_t at = 0;

        while (at < kind->attribute_count &&
               !bl_str_equal(bl_module_string(m, rows[at].name), name))
            at++;
        if (at == kind->attribute_count || (i > 0 && rows[at].type != *result))
            return false;
        *result = rows[at].type;
    }
    return true;
}

static bool attribute(struct bl_verify_code *c, const struct bl_insn *insn, bl_type *result)
{
    const struct bl_module *m = c->v->module;
    const struct bl_const *name = &m->CONSTS_rows[insn->c];
    bl_type b = type_b(c, insn);

    if (!bl_type_is(b, BL_TYPE_POSTED) || bl_type_is_optional(b))
        return bl_code_bad_type(c, "b", b, "an own comment");
    if (name->type != BL_TYPE_NAME && name->type != BL_TYPE_TEXT)
        return bl_code_bad_type(c, "c", name->type, "a name");
    return bl_code_attribute(m, b, (bl_str){m->STRINGS_rows + name->payload, name->length},
                             result) ||
           bl_code_bad_operand(c, "c", insn->c);
}

static bool member(struct bl_verify_code *c, const struct bl_insn *insn, bl_type *result)
{
    const struct bl_module *m = c->v->module;
    bl_type b = type_b(c, insn);

    if (!bl_type_is(b, BL_TYPE_RECORD) || bl_type_is_optional(b))
        return bl_code_bad_type(c, "b", b, "a record");
    const struct bl_module_record *record = &m->RECORDS_rows[bl_type_ref(b)];
    if (insn->c >= record->count)
        return bl_code_bad_operand(c, "c", insn->c);
    *result = m->RECORD_FIELDS_rows[record->first + insn->c].type;
    return true;
}

static bool record(struct bl_verify_code *c, const struct bl_insn *insn, bl_type *result)
{
    const struct bl_module_record *row = &c->v->module->RECORDS_rows[insn->c];

    if (!bl_code_registers(c, "b", insn->b, row->count, true))
        return false;
    for (uint32_t i = 0; i < row->count; i++) {
        bl_type wanted = c->v->module->RECORD_FIELDS_rows[row->first + i].type;

        if (!bl_fits(c->types[insn->b + i], wanted))
            return bl_code_bad_fit(c, "b", c->types[insn->b + i], wanted);
    }
    if (insn->c > UINT16_MAX)
        return bl_code_bad_operand(c, "c", insn->c);
    *result = BL_TYPE_MAKE(BL_TYPE_RECORD, insn->c);
    return true;
}

static bool verdict(struct bl_verify_code *c, const struct bl_insn *insn, bl_type *result)
{
    static const enum bl_field fields[] = {BL_FIELD_VERDICT_PASSES, BL_FIELD_VERDICT_RULE,
                                           BL_FIELD_VERDICT_TEXT};

    if (!bl_code_registers(c, "b", insn->b, 3, true))
        return false;
    for (unsigned i = 0; i < 3; i++) {
        bl_type wanted = bl_field_info(fields[i])->type;

        if (!bl_fits(c->types[insn->b + i], wanted))
            return bl_code_bad_fit(c, "b", c->types[insn->b + i], wanted);
    }
    *result = BL_TYPE_MAKE(BL_TYPE_ENTITY, BL_ENTITY_VERDICT);
    return true;
}

static bool list(struct bl_verify_code *c, const struct bl_insn *insn, bl_type *result)
{
    *result = c->types[insn->a];
    return (bl_type_is_list(*result) && !bl_type_is_optional(*result)) ||
           bl_code_bad_type(c, "a", *result, "a list");
}

static bool push(struct bl_verify_code *c, const struct bl_insn *insn)
{
    bl_type into = c->types[insn->a];

    if (!bl_type_is_list(into) || bl_type_is_optional(into))
        return bl_code_bad_type(c, "a", into, "a list");
    if (!bl_fits(bl_type_base(type_b(c, insn)), bl_type_element(into)))
        return bl_code_bad_fit(c, "b", type_b(c, insn), bl_type_element(into));
    if (bl_set_has(c->now.fresh, insn->a))
        return true;
    struct bl_diagnostic *d = bl_code_refuse(c, BL_D_CODE_PUSH);
    bl_diagnostic_int(c->v->sink, d, "register", insn->a);
    return false;
}

static bool iterated(struct bl_verify_code *c, const struct bl_insn *insn)
{
    return (bl_type_is_list(type_b(c, insn)) && !bl_type_is_optional(type_b(c, insn))) ||
           bl_code_bad_type(c, "b", type_b(c, insn), "a list");
}

/* ---- calls ------------------------------------------------------------------------------ */

bool bl_code_called(struct bl_verify_code *c, uint32_t depth)
{
    if (depth > c->depth)
        c->depth = depth;
    return c->depth < bl_limit(BL_LIMIT_CALL_DEPTH) ||
           bl_code_problem(c, BL_D_CODE_CALL, "calls nest too deep");
}

static bool parameters(struct bl_verify_code *c, const struct bl_insn *insn,
                       const struct bl_function *callee)
{
    const bl_type *wanted = bl_module_registers(c->v->module, callee);

    if (!bl_code_registers(c, "b", insn->b, callee->param_count, true))
        return false;
    for (unsigned i = 0; i < callee->param_count; i++) {
        if (!bl_fits(c->types[insn->b + i], wanted[i]))
            return bl_code_bad_fit(c, "b", c->types[insn->b + i], wanted[i]);
    }
    return true;
}

static bool call(struct bl_verify_code *c, const struct bl_insn *insn, bl_type *result)
{
    const struct bl_function *callee = &c->v->module->FUNCTIONS_rows[insn->c];

    if (insn->c >= c->index)
        return bl_code_problem(c, BL_D_CODE_CALL, "the function that it calls comes after it");
    if (callee->kind != BL_FUNCTION_PURE &&
        (callee->kind != c->function->kind || callee->job != c->function->job))
        return bl_code_problem(c, BL_D_CODE_CALL,
                               "the function that it calls may do what this one may not");
    if ((callee->result == BL_TYPE_NONE) != (insn->a == BL_NO_REGISTER))
        return bl_code_bad_operand(c, "a", insn->a);
    *result = callee->result;
    return parameters(c, insn, callee) && bl_code_called(c, c->v->depths[insn->c]);
}

static bool gate(struct bl_verify_code *c, const struct bl_insn *insn, bl_type *result)
{
    const struct bl_function *callee = &c->v->module->FUNCTIONS_rows[insn->c];
    if (callee->kind != BL_FUNCTION_PURE || bl_type_is_optional(callee->result))
        return bl_code_problem(c, BL_D_CODE_CALL, "a gate asks a pure function for a value");
    bool fits = call(c, insn, result); /* its register takes a value, so there is one */
    *result = BL_OPTIONAL(*result);
    return fits;
}

static bool message(struct bl_verify_code *c, const struct bl_insn *insn, bl_type *result)
{
    struct bl_verify *v = c->v;
    const struct bl_module *m = v->module;
    const uint32_t *functions =
        m->MESSAGE_FUNCTIONS_rows + m->MESSAGES_rows[insn->c].first_function;
    uint8_t *depth = &v->message_depths[insn->c];
    bool is_known = *depth != 0;

    if (v->message_last[insn->c] >= c->index)
        return bl_code_problem(c, BL_D_CODE_CALL, "a function of the message comes after it");
    for (uint32_t i = 0; !is_known && i < m->LOCALES_count; i++) {
        if (functions[i] != BL_NONE && v->depths[functions[i]] > *depth)
            *depth = v->depths[functions[i]];
    }
    *result = v->message_types[insn->c];
    return parameters(c, insn, &m->FUNCTIONS_rows[v->message_functions[insn->c]]) &&
           bl_code_called(c, *depth);
}

static bool setting(struct bl_verify_code *c, const struct bl_insn *insn, bl_type *result)
{
    uint32_t function = c->v->module->SETTINGS_rows[insn->c].function;

    if (function >= c->index)
        return bl_code_problem(c, BL_D_CODE_CALL, "the function of the setting comes after it");
    *result = c->v->module->FUNCTIONS_rows[function].result;
    return bl_code_called(c, c->v->depths[function]);
}

/* ---- builtins --------------------------------------------------------------------------- */

static bl_type ask_builtin(struct bl_verify *v, uint32_t builtin, const bl_type *args,
                           uint32_t count)
{
    size_t bad;
    bl_type wanted;

    /* What was written as several arguments is one list here. */
    if (v->builtin_repeated[builtin] && !bl_type_is_list(args[0]))
        return BL_TYPE_ERROR;
    return bl_builtin_check((enum bl_builtin)builtin, args, count, &bad, &wanted);
}

/* A module calls few builtins with few types, and reading a signature takes longer than
 * everything else here: answers are kept. */
static bl_type builtin_type(struct bl_verify *v, uint32_t builtin, const bl_type *args,
                            uint32_t count)
{
    bl_type key[4] = {0, 0, 0, 0};
    uint32_t hash = builtin * 7;

    if (count > 4)
        return ask_builtin(v, builtin, args, count);
    for (uint32_t i = 0; i < count; i++) {
        key[i] = args[i];
        hash = hash * 31 + (args[i] ^ args[i] >> 16);
    }
    struct bl_builtin_memo *memo = &v->memos[hash % BL_BUILTIN_MEMOS];
    if (memo->known && memo->builtin == builtin && memo->args[0] == key[0] &&
        memo->args[1] == key[1] && memo->args[2] == key[2] && memo->args[3] == key[3])
        return memo->result;
    *memo = (struct bl_builtin_memo){
        {key[0], key[1], key[2], key[3]}, ask_builtin(v, builtin, args, count), builtin, true};
    return memo->result;
}

static bool builtin(struct bl_verify_code *c, const struct bl_insn *insn, bl_type *result)
{
    uint32_t count = bl_code_range_count(c->v, insn);

    if (!bl_code_registers(c, "b", insn->b, count, true))
        return false;
    *result = builtin_type(c->v, insn->c, c->types + insn->b, count);
    return !is_error(*result) ||
           bl_code_bad_type(c, "b", count > 0 ? type_b(c, insn) : (bl_type)BL_TYPE_ERROR,
                            "what the builtin takes");
}

/* ---- own comments, ambients, texts ------------------------------------------------------ */

/* An operand that names a set of kinds. */
static bool is_posted(const struct bl_verify_code *c, bl_type type)
{
    return bl_verify_type(c->v, type) && bl_type_is(type, BL_TYPE_POSTED) &&
           !bl_type_is_optional(type);
}

static bool posted(struct bl_verify_code *c, const struct bl_insn *insn, bl_type *result)
{
    const bl_type issue = BL_TYPE_MAKE(BL_TYPE_ENTITY, BL_ENTITY_ISSUE);
    const bl_type comment = BL_TYPE_MAKE(BL_TYPE_ENTITY, BL_ENTITY_COMMENT);

    if (!is_posted(c, insn->c))
        return bl_code_bad_operand(c, "c", insn->c);
    if (type_b(c, insn) != issue && !bl_fits(type_b(c, insn), BL_LIST_OF(comment)))
        return bl_code_bad_type(c, "b", type_b(c, insn), "an issue or a list of comments");
    *result = BL_LIST_OF(insn->c);
    return true;
}

static bool as_posted(struct bl_verify_code *c, const struct bl_insn *insn, bl_type *result)
{
    const bl_type comment = BL_TYPE_MAKE(BL_TYPE_ENTITY, BL_ENTITY_COMMENT);

    if (!is_posted(c, insn->c))
        return bl_code_bad_operand(c, "c", insn->c);
    if (!bl_fits(type_b(c, insn), comment))
        return bl_code_bad_fit(c, "b", type_b(c, insn), comment);
    *result = BL_OPTIONAL(insn->c);
    return true;
}

static bool ambient(struct bl_verify_code *c, const struct bl_insn *insn, bl_type *result)
{
    *result = bl_ambient_info((enum bl_ambient)insn->c)->type;
    if (bl_type_is_optional(*result) && !bl_type_is_optional(c->types[insn->a]))
        *result = bl_type_base(*result);
    return true;
}

/* What a rule is about may change on the way; what the run is about may not. */
static bool bind(struct bl_verify_code *c, const struct bl_insn *insn)
{
    static const uint32_t bindable =
        BL_AMBIENT_BIT(BL_AMBIENT_ISSUE) | BL_AMBIENT_BIT(BL_AMBIENT_COMMENT) |
        BL_AMBIENT_BIT(BL_AMBIENT_PULL_REQUEST) | BL_AMBIENT_BIT(BL_AMBIENT_STATUS) |
        BL_AMBIENT_BIT(BL_AMBIENT_RELEASE) | BL_AMBIENT_BIT(BL_AMBIENT_LANGUAGE) |
        BL_AMBIENT_BIT(BL_AMBIENT_REFUSAL) | BL_AMBIENT_BIT(BL_AMBIENT_COMMAND);
    const struct bl_ambient_info *info = bl_ambient_info((enum bl_ambient)insn->c);

    if ((bindable & BL_AMBIENT_BIT(insn->c)) == 0) {
        struct bl_diagnostic *d = bl_code_refuse(c, BL_D_CODE_BIND);

        bl_diagnostic_text(c->v->sink, d, "what", info->name);
        return false;
    }
    return bl_fits(bl_type_base(type_b(c, insn)), info->type) ||
           bl_code_bad_fit(c, "b", type_b(c, insn), info->type);
}

static bool render(struct bl_verify_code *c, const struct bl_insn *insn, bl_type *result)
{
    *result = bl_render_type(type_b(c, insn), (enum bl_place)insn->c);
    return !is_error(*result) ||
           bl_code_bad_type(c, "b", type_b(c, insn), "what may stand in that place");
}

static bool build(struct bl_verify_code *c, const struct bl_insn *insn, bl_type *result)
{
    if (!bl_code_registers(c, "b", insn->b, insn->c, true))
        return false;
    *result = BL_TYPE_TEXT;
    for (uint32_t i = 0; i < insn->c; i++) {
        *result = bl_text_join(*result, c->types[insn->b + i]);
        if (is_error(*result))
            return bl_code_bad_type(c, "b", c->types[insn->b + i],
                                    "a text that goes with those before");
    }
    return true;
}

/* `value`: BL_TYPE_NONE for none. */
static bool ends(struct bl_verify_code *c, const char *operand, bl_type value)
{
    bl_type result = c->function->result;
    if ((result == BL_TYPE_NONE) != (value == BL_TYPE_NONE))
        return bl_code_problem(c, BL_D_CODE_END,
                               value != BL_TYPE_NONE ? "the function has no result"
                                                     : "the function has a result");
    return value == result || bl_fits(value, result) ||
           bl_code_bad_fit(c, operand, value, result);
}

/* ---- the table -------------------------------------------------------------------------- */

static inline bool operation(struct bl_verify_code *c, enum bl_rule_kind rule,
                             const struct bl_insn *insn, bl_type *result)
{
    switch (rule) {
    case BL_RULE_CONST:
        *result = c->v->module->CONSTS_rows[insn->c].type;
        return true;
    case BL_RULE_ABSENT:
        return absent(c, insn, result);
    case BL_RULE_FITS:
        *result = type_b(c, insn);
        return true;
    case BL_RULE_REQUIRE:
        *result = bl_type_base(type_b(c, insn));
        return true;
    case BL_RULE_IS_SET:
    case BL_RULE_EVENT_IS:
        *result = TYPE_BOOL;
        return true;
    case BL_RULE_BOOLS:
        *result = TYPE_BOOL;
        return condition(c, insn);
    case BL_RULE_EQUAL:
        *result = TYPE_BOOL;
        return equal(c, insn);
    case BL_RULE_ORDER:
        *result = TYPE_BOOL;
        return ordered(c, insn);
    case BL_RULE_ADD:
    case BL_RULE_SUB:
    case BL_RULE_MUL:
        return arithmetic(c, insn, result);
    case BL_RULE_IN:
        *result = TYPE_BOOL;
        return in(c, insn);
    case BL_RULE_TEXTS:
        *result = TYPE_BOOL;
        return texts(c, insn);
    case BL_RULE_MATCHES:
        *result = TYPE_BOOL;
        return matches(c, insn);
    case BL_RULE_FOUND:
        *result = TYPE_BOOL;
        return is_asked(c, "b", type_b(c, insn));
    case BL_RULE_HOLDS:
        *result = TYPE_BOOL;
        return bl_code_holds(c, insn);
    case BL_RULE_GLOB:
        *result = TYPE_BOOL;
        return glob(c, insn);
    case BL_RULE_FIELD:
        return field(c, insn, result);
    case BL_RULE_ATTR:
        return attribute(c, insn, result);
    case BL_RULE_MEMBER:
        return member(c, insn, result);
    case BL_RULE_GATE:
        return gate(c, insn, result);
    case BL_RULE_ANSWER:
        *result = BL_TYPE_MAKE(BL_TYPE_RECORD, insn->c);
        return insn->c <= UINT16_MAX || bl_code_bad_operand(c, "c", insn->c);
    case BL_RULE_STORED:
        *result = bl_code_rows(c, insn);
        return true;
    case BL_RULE_RECORD:
        return record(c, insn, result);
    case BL_RULE_VERDICT:
        return verdict(c, insn, result);
    case BL_RULE_LIST:
        return list(c, insn, result);
    case BL_RULE_PUSH:
        return push(c, insn);
    case BL_RULE_ITER:
        return iterated(c, insn) && bl_code_iter(c, insn);
    case BL_RULE_NEXT:
        *result = bl_type_element(type_b(c, insn));
        return iterated(c, insn) && bl_code_next(c, insn);
    case BL_RULE_LOOP:
        return bl_code_loop(c, insn);
    case BL_RULE_JUMP:
        return bl_code_branch(c, insn);
    case BL_RULE_BRANCH:
        return condition(c, insn) && bl_code_branch(c, insn);
    case BL_RULE_CALL:
        return call(c, insn, result);
    case BL_RULE_BUILTIN:
        return builtin(c, insn, result);
    case BL_RULE_POSTED:
        return posted(c, insn, result);
    case BL_RULE_AS_POSTED:
        return as_posted(c, insn, result);
    case BL_RULE_AMBIENT:
        return ambient(c, insn, result);
    case BL_RULE_BIND:
        return bind(c, insn);
    case BL_RULE_RENDER:
        return render(c, insn, result);
    case BL_RULE_BUILD:
        return build(c, insn, result);
    case BL_RULE_MESSAGE:
        return message(c, insn, result);
    case BL_RULE_SETTING:
        return setting(c, insn, result);
    case BL_RULE_CLEAN:
        return bl_code_clean(c, insn, result);
    case BL_RULE_SETTLE:
        return bl_code_settle(c, insn, result);
    case BL_RULE_EFFECT:
    case BL_RULE_FIRED:
        return bl_code_effect(c, insn);
    case BL_RULE_STEP:
    case BL_RULE_EXPECT:
        return bl_code_step(c, insn);
    case BL_RULE_RETURN:
        return ends(c, "b", type_b(c, insn));
    case BL_RULE_RETURN_BOOL:
        return ends(c, "c", TYPE_BOOL);
    case BL_RULE_END:
        return ends(c, NULL, BL_TYPE_NONE);
    }
    return bl_code_bad_operand(c, "a", insn->a);
}

bl_type bl_code_operation(struct bl_verify_code *c, enum bl_rule_kind rule,
                          const struct bl_insn *insn)
{
    bl_type result = BL_TYPE_NONE;

    return operation(c, rule, insn, &result) ? result : BL_REFUSED;
}
