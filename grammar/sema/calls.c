/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/checker.h"
#include "sema/foreign.h"
#include "spec/signature.h"

#define ARGUMENTS_MAX 64 /* of a builtin that takes any number */

/* ---- arguments
 * ---------------------------------------------------------------------------------- */

static struct bl_diagnostic *count_error(struct bl_checker *c, struct bl_node *call,
                                         size_t wanted)
{
    struct bl_diagnostic *d = bl_sema_error(c, BL_D_ARGUMENT_COUNT, call->span);

    bl_sema_arg(c, d, "name", call->text);
    bl_sema_arg(c, d, "wanted",
                wanted == 1 ? BL_STR("one argument")
                            : bl_sema_text(c, "%zu arguments", wanted));
    bl_diagnostic_int(c->sink, d, "count", call->kid_count);
    return d;
}

/* "It is written: greeting(author : user)." */
static void show_parameters(struct bl_checker *c, struct bl_diagnostic *d,
                            const struct bl_node *call, const struct bl_symbol_list *params)
{
    struct bl_buf buf;

    bl_buf_init(&buf, c->arena, 4096);
    bl_buf_printf(&buf, "It is written: %.*s", BL_STR_ARG(call->text));
    for (size_t i = 0; i < params->count; i++)
        bl_buf_printf(&buf, "%s%.*s : %.*s", i == 0 ? "(" : ", ",
                      BL_STR_ARG(params->items[i]->name),
                      BL_STR_ARG(bl_sema_type_text(c, params->items[i]->type)));
    if (params->count > 0)
        BL_PUT(&buf, ")");
    BL_PUT(&buf, ".");
    bl_diagnostic_help(c->sink, d, bl_buf_str(&buf));
}

/* A wrong argument shows the parameter that it is for. */
static void expect_argument(struct bl_checker *c, struct bl_node *node,
                            const struct bl_symbol *param)
{
    size_t before = c->sink->list.count;
    struct bl_diagnostic *d;

    bl_sema_expect(c, node, param->type);
    if (c->sink->list.count <= before || param->span.source == BL_NO_SOURCE)
        return;
    d = c->sink->list.items[c->sink->list.count - 1];
    if (d->code == BL_D_TYPE_MISMATCH && d->span.lo == node->span.lo &&
        d->span.source == node->span.source)
        bl_diagnostic_label(c->sink, d, param->span, BL_STR("is what it is for"));
}

void bl_sema_arguments(struct bl_checker *c, struct bl_node *node,
                       const struct bl_symbol_list *params)
{
    if (node->kid_count != params->count)
        show_parameters(c, count_error(c, node, params->count), node, params);
    for (uint32_t i = 0; i < node->kid_count; i++) {
        if (i < params->count)
            expect_argument(c, node->kids[i], params->items[i]);
        else
            bl_sema_type(c, node->kids[i], BL_NO_TYPE);
    }
}

/* A file for an engine and a report may lack what cannot be read; so may what they use. */
static void note_attempt(struct bl_checker *c, struct bl_node *node)
{
    struct bl_symbol *symbol = c->body->symbol;
    bool is_part = symbol != NULL &&
                   (symbol->kind == BL_SYMBOL_DEFINE || symbol->kind == BL_SYMBOL_DECISION);

    if (is_part)
        symbol->as.callable->attempts = true;
    else if (symbol == NULL ||
             (symbol->kind != BL_SYMBOL_FILE && symbol->kind != BL_SYMBOL_REPORT))
        bl_sema_error(c, BL_D_ATTEMPT_READ, node->span);
}

static void note_call(struct bl_checker *c, struct bl_node *node,
                      const struct bl_symbol *symbol)
{
    const struct bl_callable *callable = symbol->as.callable;

    bl_sema_need_all(c, node, &callable->needs);
    if (callable->attempts)
        note_attempt(c, node);
    if (!callable->reads)
        return;
    c->body->reads = true;
    if (c->body->first_read == NULL)
        c->body->first_read = node;
}

/* Itself, or the one for the answer of who calls. */
static struct bl_symbol *callable_here(struct bl_checker *c, struct bl_symbol *symbol,
                                       const struct bl_node *call)
{
    bl_sema_callable(c, symbol, call->span);
    if (c->body == NULL || !symbol->as.callable->says_answer ||
        !bl_is_error(symbol->as.callable->answer) || !bl_sema_has_answer(c, call, symbol))
        return symbol;
    symbol = bl_sema_instance(c, symbol, c->body->answer);
    bl_sema_callable(c, symbol, call->span);
    return symbol;
}

/* A call, or a bare name, of something that is declared. */
bl_type bl_sema_call_symbol(struct bl_checker *c, struct bl_node *node,
                            struct bl_symbol *symbol)
{
    const struct bl_symbol_list *params;
    enum bl_resolution resolution = BL_RESOLVED_CALL;

    symbol->used = true;
    if (symbol->kind == BL_SYMBOL_MESSAGE) {
        bl_sema_message(c, symbol, node->span);
        params = &symbol->as.message->params;
        resolution = BL_RESOLVED_MESSAGE;
    } else {
        symbol = callable_here(c, symbol, node);
        params = &symbol->as.callable->params;
    }
    bl_sema_arguments(c, node, params);
    if (symbol->kind == BL_SYMBOL_MESSAGE) {
        bl_sema_need_all(c, node, &symbol->as.message->needs);
        bl_sema_need_ambient(c, node, BL_AMBIENT_LANGUAGE); /* each language in locales … */
    } else {
        note_call(c, node, symbol);
    }
    return bl_sema_resolved(node, resolution, symbol, symbol->number, symbol->type);
}

/* ---- builtins
 * ------------------------------------------------------------------------------------ */

static bool is_test_only(enum bl_builtin builtin)
{
    return builtin == BL_BUILTIN_ISSUE || builtin == BL_BUILTIN_ALERT ||
           builtin == BL_BUILTIN_SUGGESTED_DUPLICATE || builtin == BL_BUILTIN_RANDOM_RUNS ||
           builtin == BL_BUILTIN_GENERATED || builtin == BL_BUILTIN_PULL_REQUEST;
}

static bl_type posted_call(struct bl_checker *c, struct bl_node *node)
{
    struct bl_symbol **kinds = BL_NEW_ARRAY(c->arena, node->kid_count + 1, struct bl_symbol *);
    size_t count = 0;
    bl_type type;

    if (kinds == NULL || node->kid_count < 2) {
        bl_sema_error(c, BL_D_POSTED_KINDS, node->span);
        return BL_TYPE_ERROR;
    }
    type = bl_sema_type(c, node->kids[0], BL_NO_TYPE);
    if (!bl_sema_is_absent_here(c, node->kids[0], type) && !bl_is_error(type) &&
        type != BL_ENTITY_TYPE(ISSUE) &&
        !(bl_type_is_list(type) && bl_sema_fits(type, BL_LIST_OF(BL_ENTITY_TYPE(COMMENT))))) {
        struct bl_diagnostic *d = bl_sema_error(c, BL_D_TYPE_MISMATCH, node->kids[0]->span);

        bl_sema_arg(c, d, "wanted", BL_STR("issue or list of comment"));
        bl_sema_arg_type(c, d, "type", type);
    }
    for (uint32_t i = 1; i < node->kid_count; i++) {
        struct bl_symbol *kind = bl_sema_find_kind(c, node->kids[i], BL_SYMBOL_COMMENT);

        if (kind == NULL)
            continue;
        bl_sema_resolved(node->kids[i], BL_RESOLVED_KIND, kind, kind->number, BL_TYPE_ERROR);
        kinds[count++] = kind;
    }
    if (count + 1 < node->kid_count)
        return BL_TYPE_ERROR;
    return BL_LIST_OF(bl_sema_posted_type(c, kinds, count));
}

/* What a redaction finds: it is named, and its number is what runs. */
static bl_type masks_call(struct bl_checker *c, struct bl_node *node)
{
    struct bl_symbol *redaction = NULL;

    if (node->kid_count != 2) {
        count_error(c, node, 2);
        return BL_TYPE_ERROR;
    }
    bl_sema_expect(c, node->kids[0], BL_TYPE_UNTRUSTED);
    redaction = bl_sema_find_kind(c, node->kids[1], BL_SYMBOL_REDACTION);
    if (redaction == NULL)
        return BL_TYPE_ERROR;
    bl_sema_redaction(c, redaction, node->span);
    bl_sema_resolved(node->kids[1], BL_RESOLVED_KIND, redaction, redaction->number,
                     BL_TYPE_INT);
    return BL_LIST_OF(BL_ENTITY_TYPE(MASK));
}

/* The file is read here, beside the policy, and its text is what runs. */
static bl_type lines_call(struct bl_checker *c, struct bl_node *node)
{
    bl_str path = {NULL, 0};

    if (node->kid_count != 1)
        count_error(c, node, 1);
    else if (node->kids[0]->kind != BL_NODE_STRING)
        bl_sema_error(c, BL_D_TEXT_NOT_PLAIN, node->kids[0]->span);
    else
        path = bl_sema_plain_text(c, node->kids[0]);
    if (path.len > 0)
        (void)bl_sema_read_beside(c, node->kids[0]->span, path, &node->included);
    return BL_LIST_OF(BL_TYPE_UNTRUSTED);
}

/* The workflow is named, and the text of its file is what runs. */
static bl_type generated_call(struct bl_checker *c, struct bl_node *node)
{
    if (node->kid_count != 1) {
        count_error(c, node, 1);
        return BL_TYPE_TEXT;
    }
    node->symbol = bl_sema_find_kind(c, node->kids[0], BL_SYMBOL_WORKFLOW);
    bl_sema_resolved(node->kids[0], BL_RESOLVED_KIND, node->symbol, 0, BL_TYPE_TEXT);
    return node->symbol != NULL ? (bl_type)BL_TYPE_TEXT : (bl_type)BL_TYPE_ERROR;
}

static bl_type wanted_argument(const struct bl_signature *signature, uint32_t i, bl_type first)
{
    const struct bl_signature_type *param;

    if (!signature->repeated && i >= signature->count)
        return BL_NO_TYPE;
    param = &signature->params[signature->repeated ? 0 : i];
    if (param->form == BL_SIGNATURE_PLAIN)
        return param->type;
    return i > 0 && (param->form == BL_SIGNATURE_ANY || param->form == BL_SIGNATURE_ORDERED)
               ? first
               : BL_NO_TYPE;
}

static void report_argument(struct bl_checker *c, struct bl_node *node, size_t bad,
                            bl_type wanted)
{
    struct bl_node *arg;

    if (bad >= node->kid_count) {
        count_error(c, node, wanted);
        return;
    }
    arg = node->kids[bad];
    /* A function of ours that elsewhere is about texts. */
    bool elsewhere =
        bl_foreign_function(node->text) != NULL && bl_type_is_text(bl_type_base(arg->type));
    if (bl_type_is_optional(arg->type) && !bl_type_is_optional(wanted)) {
        bl_sema_is_absent_here(c, arg, arg->type);
        return;
    }
    if (!bl_is_error(wanted) && !elsewhere) {
        bl_sema_mismatch(c, arg, wanted);
        return;
    }
    struct bl_diagnostic *d = bl_sema_error(c, BL_D_ARGUMENT_KIND, arg->span);

    if (elsewhere)
        bl_foreign_help(c->sink, d, bl_foreign_function(node->text), node->name_span);

    bl_sema_arg(c, d, "name", node->text);
    bl_sema_arg_type(c, d, "type", arg->type);
}

static bl_type check_builtin(struct bl_checker *c, struct bl_node *node,
                             enum bl_builtin builtin)
{
    const struct bl_builtin_info *info = bl_builtin_info(builtin);
    struct bl_signature signature;
    bl_type types[ARGUMENTS_MAX];
    size_t bad;
    bl_type type, wanted;

    if (info->read != BL_READ_STORED) {
        c->body->reads = true;
        if (c->body->first_read == NULL)
            c->body->first_read = node;
    }
    if (is_test_only(builtin) && !c->body->in_test) {
        struct bl_diagnostic *d = bl_sema_error(c, BL_D_TEST_ONLY, node->span);

        bl_sema_arg(c, d, "name", node->text);
    }
    if (builtin == BL_BUILTIN_POSTED)
        return bl_sema_resolved(node, BL_RESOLVED_BUILTIN, NULL, builtin, posted_call(c, node));
    if (builtin == BL_BUILTIN_MASKS)
        return bl_sema_resolved(node, BL_RESOLVED_BUILTIN, NULL, builtin, masks_call(c, node));
    if (builtin == BL_BUILTIN_LINES_OF)
        return bl_sema_resolved(node, BL_RESOLVED_BUILTIN, NULL, builtin, lines_call(c, node));
    if (builtin == BL_BUILTIN_GENERATED)
        return bl_sema_resolved(node, BL_RESOLVED_BUILTIN, NULL, builtin,
                                generated_call(c, node));
    if (builtin == BL_BUILTIN_ATTEMPT)
        note_attempt(c, node);
    if (!bl_signature_read(info, &signature) || node->kid_count > ARGUMENTS_MAX) {
        count_error(c, node, ARGUMENTS_MAX);
        return bl_sema_resolved(node, BL_RESOLVED_NOT, NULL, 0, BL_TYPE_ERROR);
    }
    for (uint32_t i = 0; i < node->kid_count; i++)
        types[i] = bl_sema_type(c, node->kids[i],
                                wanted_argument(&signature, i, i > 0 ? types[0] : BL_NO_TYPE));
    type = bl_builtin_check(builtin, types, node->kid_count, &bad, &wanted);
    if (bad != SIZE_MAX) {
        report_argument(c, node, bad, wanted);
        return bl_sema_resolved(node, BL_RESOLVED_NOT, NULL, 0, BL_TYPE_ERROR);
    }
    for (uint32_t i = 0; i < node->kid_count; i++)
        bl_sema_settle(node->kids[i],
                       wanted_argument(&signature, i, i > 0 ? types[0] : BL_NO_TYPE));
    return bl_sema_resolved(node, BL_RESOLVED_BUILTIN, NULL, builtin, type);
}

/* ---- records, cleaners
 * --------------------------------------------------------------------------- */

static bl_type record_call(struct bl_checker *c, struct bl_node *node, struct bl_symbol *symbol)
{
    uint32_t number = bl_type_ref(symbol->type);
    size_t count = c->program->records.items[number].count;

    symbol->used = true;
    if (node->kid_count != count)
        count_error(c, node, count);
    for (uint32_t i = 0; i < node->kid_count; i++) {
        if (i < count)
            bl_sema_expect(c, node->kids[i], c->program->records.items[number].fields[i].type);
        else
            bl_sema_type(c, node->kids[i], BL_NO_TYPE);
    }
    return bl_sema_resolved(node, BL_RESOLVED_RECORD, symbol, number, symbol->type);
}

static bl_type cleaner_call(struct bl_checker *c, struct bl_node *node,
                            struct bl_symbol *symbol)
{
    bool sanitizer = symbol->kind == BL_SYMBOL_SANITIZER;
    unsigned places = sanitizer ? symbol->as.cleaner->places : 0;

    symbol->used = true;
    if (node->kid_count != 1)
        count_error(c, node, 1);
    for (uint32_t i = 0; i < node->kid_count; i++)
        bl_sema_expect(c, node->kids[i], BL_TYPE_UNTRUSTED);
    if (symbol->kind == BL_SYMBOL_REDACTION)
        bl_sema_redaction(c, symbol, node->span);
    bl_type type = sanitizer                        ? BL_TYPE_MAKE(BL_TYPE_CLEAN, places)
                   : symbol->kind == BL_SYMBOL_VIEW ? BL_LIST_OF(BL_TYPE_UNTRUSTED)
                                                    : (bl_type)BL_TYPE_MASKED;
    return bl_sema_resolved(node, BL_RESOLVED_CLEANER, symbol, symbol->number, type);
}

/* ---- all
 * ----------------------------------------------------------------------------------------- */

static bl_type unknown_function(struct bl_checker *c, struct bl_node *node)
{
    struct bl_likeness like = bl_likeness_begin(node->text);
    struct bl_symbol *other = bl_scope_find(c, BL_SPACE_VALUES, node->text);
    struct bl_symbol *document = bl_scope_find(c, BL_SPACE_DOCUMENTS, node->text);
    struct bl_diagnostic *d;

    for (uint32_t i = 0; i < node->kid_count; i++)
        bl_sema_type(c, node->kids[i], BL_NO_TYPE);
    if (other == NULL && document != NULL)
        other = document;
    if (other != NULL || bl_scope_find_local(c, node->text) != NULL) {
        d = bl_sema_error(c, BL_D_NOT_A_FUNCTION, node->name_span);
        bl_sema_arg(c, d, "name", node->text);
        bl_sema_arg(c, d, "kind",
                    other != NULL ? bl_symbol_kind_name(other->kind) : BL_STR("value"));
        if (other != NULL && other->kind == BL_SYMBOL_COMMENT)
            bl_sema_help(c, d, "It is posted: post %.*s(…).", BL_STR_ARG(node->text));
        return BL_TYPE_ERROR;
    }
    bl_likeness_symbols(c, &like, BL_SYMBOL_DEFINE);
    bl_likeness_symbols(c, &like, BL_SYMBOL_DECISION);
    bl_likeness_symbols(c, &like, BL_SYMBOL_CHECK);
    bl_likeness_symbols(c, &like, BL_SYMBOL_MESSAGE);
    bl_likeness_symbols(c, &like, BL_SYMBOL_SANITIZER);
    bl_likeness_symbols(c, &like, BL_SYMBOL_VIEW);
    bl_likeness_symbols(c, &like, BL_SYMBOL_RECORD);
    for (unsigned i = 0; i < BL_BUILTIN_COUNT; i++) {
        bl_str name = bl_builtin_info((enum bl_builtin)i)->name;

        if (bl_str_find_char(name, '-') == SIZE_MAX) /* one that a policy can spell */
            bl_likeness_consider(&like, name);
    }
    d = bl_sema_error(c, BL_D_UNKNOWN_FUNCTION, node->name_span);
    bl_sema_arg(c, d, "name", node->text);
    if (bl_foreign_function(node->text) != NULL)
        bl_foreign_help(c->sink, d, bl_foreign_function(node->text), node->name_span);
    else
        bl_likeness_help(c, &like, d, node->name_span);
    return BL_TYPE_ERROR;
}

static bool is_function(const struct bl_symbol *symbol)
{
    return symbol != NULL &&
           (symbol->kind == BL_SYMBOL_DEFINE || symbol->kind == BL_SYMBOL_DECISION ||
            symbol->kind == BL_SYMBOL_CHECK || symbol->kind == BL_SYMBOL_ACTOR ||
            symbol->kind == BL_SYMBOL_MESSAGE);
}

bl_type bl_sema_call(struct bl_checker *c, struct bl_node *node, bl_type want)
{
    struct bl_symbol *symbol = bl_scope_find(c, BL_SPACE_VALUES, node->text);
    enum bl_builtin builtin = bl_builtin_find(node->text);

    (void)want;
    if (is_function(symbol))
        return bl_sema_call_symbol(c, node, symbol);
    if (symbol != NULL &&
        (symbol->kind == BL_SYMBOL_SANITIZER || symbol->kind == BL_SYMBOL_REDACTION ||
         symbol->kind == BL_SYMBOL_VIEW))
        return cleaner_call(c, node, symbol);
    if (builtin != BL_BUILTIN_COUNT)
        return check_builtin(c, node, builtin);
    symbol = bl_scope_find(c, BL_SPACE_TYPES, node->text);
    if (symbol != NULL && symbol->kind == BL_SYMBOL_RECORD)
        return record_call(c, node, symbol);
    bl_sema_resolved(node, BL_RESOLVED_NOT, NULL, 0, BL_TYPE_ERROR);
    return unknown_function(c, node);
}

/* A name that must be of some kind in its space: of a comment, a step, a group. Reports. */
struct bl_symbol *bl_sema_find_kind(struct bl_checker *c, struct bl_node *node,
                                    enum bl_symbol_kind kind)
{
    struct bl_symbol *symbol = bl_scope_find(c, bl_symbol_space(kind), node->text);
    struct bl_likeness like = bl_likeness_begin(node->text);
    struct bl_diagnostic *d;
    struct bl_span span;

    if ((node->kind == BL_NODE_NAME || node->kind == BL_NODE_CALL) && symbol != NULL &&
        symbol->kind == kind) {
        symbol->used = true;
        return symbol;
    }
    if (node->kind == BL_NODE_BROKEN)
        return NULL;
    span = node->kind == BL_NODE_CALL ? node->name_span : node->span;
    d = bl_sema_error(c, BL_D_UNKNOWN_KIND_NAME, span);
    bl_sema_arg(c, d, "kind", bl_symbol_kind_name(kind));
    if (node->kind == BL_NODE_NAME || node->kind == BL_NODE_CALL)
        bl_sema_arg(c, d, "name", node->text);
    else
        bl_sema_arg_node(c, d, "name", node);
    bl_likeness_symbols(c, &like, kind);
    bl_likeness_help(c, &like, d, span);
    return NULL;
}
