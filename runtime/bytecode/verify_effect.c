/* SPDX-License-Identifier: Apache-2.0 */
#include "bytecode/verify_flow.h"

/* EFFECT and STEP: who may have them, and what their registers hold. This is the last place
 * where text could leave unclean, so it asks for the types that the tables name and nothing
 * less. */

static const char *const argument_names[] = {"1", "2", "3", "4", "5", "6", "7", "8"};

static bool wrong_count(struct bl_verify_code *c, bl_str what, uint32_t found, size_t wanted)
{
    struct bl_diagnostic *d = bl_code_refuse(c, BL_D_CODE_ARGUMENTS);

    bl_diagnostic_text(c->v->sink, d, "what", what);
    bl_diagnostic_int(c->v->sink, d, "found", found);
    bl_diagnostic_int(c->v->sink, d, "wanted", (int64_t)wanted);
    return false;
}

/* Text where clean text is asked for: said in words of its own, since it is the one promise
 * that people rely on most. */
static bool unclean(struct bl_verify_code *c, bl_str what, bl_type found, bl_type wanted)
{
    struct bl_diagnostic *d = bl_code_refuse(c, BL_D_CODE_UNTRUSTED);
    struct bl_buf words;
    unsigned place = 0;

    while (place < BL_PLACE_COUNT && (bl_type_ref(wanted) >> place & 1) == 0)
        place++;
    bl_buf_init(&words, c->v->arena, 512);
    bl_module_type_name(c->v->module, found, &words);
    bl_diagnostic_text(c->v->sink, d, "what", what);
    bl_diagnostic_text(c->v->sink, d, "found", bl_buf_str(&words));
    bl_diagnostic_text(c->v->sink, d, "place", bl_place_name((enum bl_place)place));
    return false;
}

/* ---- arguments ----------------------------------------------------------------------------
 */

struct call {
    bl_str what; /* the effect or step in words */
    uint32_t first, count;
    uint32_t detail;
    const struct bl_arguments *arguments;
};

static bool wrong_constant(struct bl_verify_code *c, const struct call *call, size_t argument)
{
    struct bl_diagnostic *d = bl_code_refuse(c, BL_D_CODE_CONSTANT);

    bl_diagnostic_int(c->v->sink, d, "operand", (int64_t)argument + 1);
    bl_diagnostic_text(c->v->sink, d, "what", call->what);
    return false;
}

/* The constant in a register, or NULL when this run of code loaded none into it. */
static const struct bl_const *constant_in(const struct bl_verify_code *c, uint32_t reg)
{
    return c->constant[reg] >> 32 == c->block
               ? &c->v->module->CONSTS_rows[(uint32_t)c->constant[reg]]
               : NULL;
}

static bool check_key(struct bl_verify_code *c, const struct call *call, size_t i)
{
    const struct bl_const *key = constant_in(c, call->first + (uint32_t)i);

    if (!bl_fits(c->types[call->first + i], BL_TYPE_NAME))
        return bl_code_bad_fit(c, argument_names[i], c->types[call->first + i], BL_TYPE_NAME);
    return (key != NULL && (key->type == BL_TYPE_NAME || key->type == BL_TYPE_TEXT)) ||
           wrong_constant(c, call, i);
}

/* posted, name, value: an attribute that every kind of the comment has; of a list one element.
 */
static bool check_value(struct bl_verify_code *c, const struct call *call, size_t i)
{
    const struct bl_module *m = c->v->module;
    uint32_t reg = call->first + (uint32_t)i;
    const struct bl_const *key = constant_in(c, reg - 1);
    bl_type wanted;

    if (key == NULL ||
        !bl_code_attribute(m, c->types[reg - 2],
                           (bl_str){m->STRINGS_rows + key->payload, key->length}, &wanted))
        return wrong_constant(c, call, i - 1);
    if (bl_type_is_list(wanted))
        wanted = bl_type_element(bl_type_base(wanted));
    return bl_fits(c->types[reg], wanted) ||
           bl_code_bad_fit(c, argument_names[i], c->types[reg], wanted);
}

static bool check_setting(struct bl_verify_code *c, const struct call *call, size_t i)
{
    const struct bl_const *number = constant_in(c, call->first + (uint32_t)i);

    return (number != NULL && number->type == BL_TYPE_INT && number->payload >= 0 &&
            number->payload < (int64_t)c->v->module->SETTINGS_count) ||
           wrong_constant(c, call, i);
}

static bool check_setting_value(struct bl_verify_code *c, const struct call *call, size_t i)
{
    const struct bl_module *m = c->v->module;
    const struct bl_const *number = constant_in(c, call->first + (uint32_t)i - 1);
    uint32_t function = m->SETTINGS_rows[number->payload].function;
    bl_type wanted = m->FUNCTIONS_rows[function].result;

    return bl_fits(c->types[call->first + i], wanted) ||
           bl_code_bad_fit(c, argument_names[i], c->types[call->first + i], wanted);
}

static bool check_answer(struct bl_verify_code *c, const struct call *call, size_t i)
{
    const struct bl_module *m = c->v->module;
    const struct bl_const *task = constant_in(c, call->first);

    if (task == NULL || task->type != BL_TYPE_TASK)
        return wrong_constant(c, call, 0);
    uint32_t record = m->TASKS_rows[task->payload].record;
    bl_type wanted = BL_TYPE_MAKE(BL_TYPE_RECORD, record);
    return record == BL_NONE || bl_fits(c->types[call->first + i], wanted) ||
           bl_code_bad_fit(c, argument_names[i], c->types[call->first + i], wanted);
}

/* All from argument i on: as the kind declares them, in its order; absent ones are left out of
 * the marker. */
static bool check_attributes(struct bl_verify_code *c, const struct call *call, size_t i)
{
    const struct bl_module *m = c->v->module;
    const struct bl_module_comment *kind = &m->COMMENTS_rows[call->detail];

    for (uint32_t j = 0; j < kind->attribute_count; j++) {
        bl_type found = c->types[call->first + i + j];
        bl_type wanted = BL_OPTIONAL(m->ATTRIBUTES_rows[kind->first_attribute + j].type);

        if (!bl_fits(found, wanted))
            return bl_code_bad_fit(c, argument_names[i], found, wanted);
    }
    return true;
}

/* As the record has them; which of them are given says the site. */
static bool check_row(struct bl_verify_code *c, const struct call *call, size_t i)
{
    const struct bl_module *m = c->v->module;
    const struct bl_module_store *store = &m->STORES_rows[BL_KEEP_STORE(call->detail)];
    const struct bl_module_record *record = &m->RECORDS_rows[store->record];

    for (uint32_t j = 0; j < record->count; j++) {
        bl_type found = c->types[call->first + i + j];
        bl_type type = m->RECORD_FIELDS_rows[record->first + j].type;
        bl_type wanted = j == store->key ? type : BL_OPTIONAL(type);

        if (!bl_fits(found, wanted))
            return bl_code_bad_fit(c, argument_names[i], found, wanted);
    }
    return record->count == 24 || (call->detail >> (8 + record->count)) == 0 ||
           bl_code_bad_operand(c, "c", call->detail);
}

static bool check_parameters(struct bl_verify_code *c, const struct call *call, size_t i)
{
    const struct bl_module *m = c->v->module;
    const struct bl_function *f = &m->FUNCTIONS_rows[m->ENTRIES_rows[call->detail].function];
    const bl_type *params = bl_module_registers(m, f);

    for (unsigned j = 0; j < f->param_count; j++) {
        bl_type found = c->types[call->first + i + j];

        if (!bl_fits(found, params[j]))
            return bl_code_bad_fit(c, argument_names[i], found, params[j]);
    }
    return true;
}

static bool check_typed(struct bl_verify_code *c, const struct call *call, size_t i)
{
    bl_type found = c->types[call->first + i];
    bl_type wanted = call->arguments->list[i].type;

    if (bl_fits(found, wanted))
        return true;
    if (bl_type_kind(wanted) == BL_TYPE_CLEAN && bl_type_is_text(found))
        return unclean(c, call->what, found, wanted);
    return bl_code_bad_fit(c, argument_names[i], found, wanted);
}

static bool check_argument(struct bl_verify_code *c, const struct call *call, size_t i)
{
    const bl_type issue = BL_TYPE_MAKE(BL_TYPE_ENTITY, BL_ENTITY_ISSUE);
    const bl_type pull = BL_TYPE_MAKE(BL_TYPE_ENTITY, BL_ENTITY_PULL_REQUEST);
    bl_type found = c->types[call->first + i];

    switch (call->arguments->list[i].form) {
    case BL_ARGUMENT_TYPED:
        return check_typed(c, call, i);
    case BL_ARGUMENT_THING:
        return found == issue || found == pull ||
               bl_code_bad_type(c, argument_names[i], found, "an issue or a pull request");
    case BL_ARGUMENT_POSTED:
        return (bl_type_is(found, BL_TYPE_POSTED) && !bl_type_is_optional(found)) ||
               bl_code_bad_type(c, argument_names[i], found, "an own comment");
    case BL_ARGUMENT_KEY:
        return check_key(c, call, i);
    case BL_ARGUMENT_VALUE:
        return check_value(c, call, i);
    case BL_ARGUMENT_SMALL:
        return bl_type_is_small(found) ||
               bl_code_bad_type(c, argument_names[i], found, "a small value");
    case BL_ARGUMENT_SETTING:
        return check_setting(c, call, i);
    case BL_ARGUMENT_SETTING_VALUE:
        return check_setting_value(c, call, i);
    case BL_ARGUMENT_ANSWER:
        return check_answer(c, call, i);
    case BL_ARGUMENT_ATTRIBUTES:
        return check_attributes(c, call, i);
    case BL_ARGUMENT_ROW:
        return check_row(c, call, i);
    case BL_ARGUMENT_PARAMETERS:
        return check_parameters(c, call, i);
    }
    return false;
}

/* How many registers the last argument stands for; the detail says of what. */
static bool count_last(struct bl_verify_code *c, const struct call *call,
                       enum bl_argument_form last, size_t *count)
{
    const struct bl_module *m = c->v->module;
    uint32_t store = BL_KEEP_STORE(call->detail);

    if (last == BL_ARGUMENT_ATTRIBUTES && call->detail < m->COMMENTS_count)
        *count = m->COMMENTS_rows[call->detail].attribute_count;
    else if (last == BL_ARGUMENT_ROW && store < m->STORES_count)
        *count = m->RECORDS_rows[m->STORES_rows[store].record].count;
    else if (last == BL_ARGUMENT_PARAMETERS && call->detail < m->ENTRIES_count &&
             m->ENTRIES_rows[call->detail].kind == BL_ENTRY_CALLED)
        *count = m->FUNCTIONS_rows[m->ENTRIES_rows[call->detail].function].param_count;
    else
        return last < BL_ARGUMENT_ATTRIBUTES || bl_code_bad_operand(c, "c", call->detail);
    return true;
}

static bool check_arguments(struct bl_verify_code *c, const struct call *call)
{
    const struct bl_arguments *arguments = call->arguments;
    size_t wanted = arguments->count;
    size_t last = 1;

    if (wanted > 0 && !count_last(c, call, arguments->list[wanted - 1].form, &last))
        return false;
    if (wanted > 0)
        wanted = wanted - 1 + last;
    if (call->count != wanted)
        return wrong_count(c, call->what, call->count, wanted);
    if (!bl_code_registers(c, "a", call->first, call->count, true))
        return false;
    for (size_t i = 0; i < arguments->count; i++) {
        if (!check_argument(c, call, i))
            return false;
    }
    return true;
}

/* ---- effects ------------------------------------------------------------------------------
 */

static bool has_capability(const struct bl_verify_code *c, enum bl_permission permission)
{
    const struct bl_function *f = c->function;

    return permission == BL_PERMISSION_NONE ||
           (f->job != BL_NONE &&
            (c->v->module->JOBS_rows[f->job].capabilities & BL_CAP(permission)) != 0);
}

/* GitHub takes a comment on a pull request with the permission for pull requests, too. */
static bool is_permitted(const struct bl_verify_code *c, const struct bl_insn *insn,
                         enum bl_permission permission)
{
    const bl_type pull = BL_TYPE_MAKE(BL_TYPE_ENTITY, BL_ENTITY_PULL_REQUEST);

    return has_capability(c, permission) ||
           (permission == BL_PERMISSION_ISSUES_WRITE && insn->b > 0 &&
            c->types[insn->a] == pull && has_capability(c, BL_PERMISSION_PULL_REQUESTS_WRITE));
}

static bool not_permitted(struct bl_verify_code *c, const struct bl_effect_info *info)
{
    struct bl_diagnostic *d = bl_code_refuse(c, BL_D_CODE_CAPABILITY);
    const struct bl_permission_info *permission = bl_permission_info(info->permission);
    const struct bl_module *m = c->v->module;
    struct bl_buf words;

    bl_buf_init(&words, c->v->arena, 128);
    bl_buf_printf(&words, "%.*s: %.*s", BL_STR_ARG(permission->key),
                  BL_STR_ARG(permission->level));
    bl_diagnostic_text(c->v->sink, d, "what", info->words);
    bl_diagnostic_text(c->v->sink, d, "permission", bl_buf_str(&words));
    bl_diagnostic_text(c->v->sink, d, "job",
                       c->function->job != BL_NONE
                           ? bl_module_string(m, m->JOBS_rows[c->function->job].name)
                           : BL_STR(""));
    return false;
}

static const struct bl_arguments *effect_arguments(struct bl_verify *v, uint32_t effect)
{
    if (!v->effect_known[effect])
        v->effect_known[effect] =
            bl_effect_arguments((enum bl_effect)effect, &v->effects[effect]);
    return v->effect_known[effect] ? &v->effects[effect] : NULL;
}

bool bl_code_effect(struct bl_verify_code *c, const struct bl_insn *insn)
{
    if (c->function->kind != BL_FUNCTION_ENTRY)
        return bl_code_problem(c, BL_D_CODE_EFFECT, "only rules and steps have effects");
    if (insn->op == BL_OP_FIRED)
        return true;
    const struct bl_site *site = &c->v->module->SITES_rows[insn->c];
    const struct bl_effect_info *info = bl_effect_info((enum bl_effect)site->kind);
    if (info == NULL)
        return bl_code_bad_operand(c, "c", insn->c);
    const struct bl_arguments *arguments = effect_arguments(c->v, site->kind);
    bool has_detail = site->kind == BL_EFFECT_POST || site->kind == BL_EFFECT_KEEP ||
                      (site->kind == BL_EFFECT_MILESTONE && site->detail == 1);
    if (arguments == NULL || (site->detail != 0 && !has_detail))
        return bl_code_bad_operand(c, "c", insn->c);
    const struct call call = {info->words, insn->a, insn->b, site->detail, arguments};
    if (!check_arguments(c, &call))
        return false;
    return is_permitted(c, insn, info->permission) || not_permitted(c, info);
}

/* ---- tests --------------------------------------------------------------------------------
 */

bool bl_code_step(struct bl_verify_code *c, const struct bl_insn *insn)
{
    const struct bl_site *site = &c->v->module->SITES_rows[insn->c];
    const bl_type condition = BL_TYPE_BOOL;
    struct bl_arguments arguments;

    if (c->function->kind != BL_FUNCTION_TEST)
        return bl_code_problem(c, BL_D_CODE_EFFECT, "only tests have steps and expectations");
    if (insn->op == BL_OP_EXPECT)
        return c->types[insn->b] == condition ||
               bl_code_bad_fit(c, "b", c->types[insn->b], condition);
    const struct bl_step_info *info = bl_step_info((enum bl_step)site->kind);
    if (info == NULL || !bl_step_arguments((enum bl_step)site->kind, &arguments))
        return bl_code_bad_operand(c, "c", insn->c);
    const struct call call = {info->words, insn->a, insn->b, site->detail, &arguments};
    return check_arguments(c, &call);
}

/* ---- secrets ------------------------------------------------------------------------------
 */

/* The conditions of a set of secrets are called where its rows find something. */
bool bl_code_holds(struct bl_verify_code *c, const struct bl_insn *insn)
{
    const struct bl_module *m = c->v->module;
    const struct bl_module_secrets *set = &m->SECRETS_rows[insn->c];
    unsigned depth = 0;

    if (!bl_fits(c->types[insn->b], BL_TYPE_UNTRUSTED))
        return bl_code_bad_fit(c, "b", c->types[insn->b], BL_TYPE_UNTRUSTED);
    if (c->v->secrets_last[insn->c] > c->index)
        return bl_code_problem(c, BL_D_CODE_CALL,
                               "a function of the set of secrets comes after it");
    for (uint32_t i = 0; i < set->finder_count; i++) {
        uint32_t when = m->FINDERS_rows[set->first_finder + i].when;

        if (when != BL_NONE && c->v->depths[when] > depth)
            depth = c->v->depths[when];
    }
    return depth == 0 || bl_code_called(c, depth);
}

bl_type bl_code_rows(const struct bl_verify_code *c, const struct bl_insn *insn)
{
    return BL_LIST_OF(BL_TYPE_MAKE(BL_TYPE_RECORD, c->v->module->STORES_rows[insn->c].record));
}
