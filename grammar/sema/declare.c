/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/checker.h"
#include "sema/secrets.h"

/* Names of all declarations, before any type is looked at, so that their order means nothing.
 */

void bl_sema_each_clause(struct bl_checker *c,
                         void (*visit)(struct bl_checker *c, struct bl_file *file,
                                       struct bl_clause *clause))
{
    for (size_t i = 0; i < c->program->files.count; i++) {
        struct bl_file *file = c->program->files.items[i];

        for (struct bl_clause *clause = file->clauses; clause != NULL; clause = clause->next)
            visit(c, file, clause);
    }
}

static enum bl_symbol_kind kind_of_clause(enum bl_clause_id id)
{
    static const struct {
        enum bl_clause_id clause;
        enum bl_symbol_kind kind;
    } kinds[] = {
        {BL_CLAUSE_SETTING, BL_SYMBOL_SETTING},     {BL_CLAUSE_GROUP, BL_SYMBOL_GROUP},
        {BL_CLAUSE_ENUM, BL_SYMBOL_ENUM},           {BL_CLAUSE_RECORD, BL_SYMBOL_RECORD},
        {BL_CLAUSE_VARIABLE, BL_SYMBOL_VARIABLE},   {BL_CLAUSE_SECRET, BL_SYMBOL_SECRET},
        {BL_CLAUSE_LABEL, BL_SYMBOL_LABEL},         {BL_CLAUSE_ACTOR, BL_SYMBOL_ACTOR},
        {BL_CLAUSE_DEFINE, BL_SYMBOL_DEFINE},       {BL_CLAUSE_DECISION, BL_SYMBOL_DECISION},
        {BL_CLAUSE_CHECK, BL_SYMBOL_CHECK},         {BL_CLAUSE_GATE, BL_SYMBOL_CHECK},
        {BL_CLAUSE_SCREEN, BL_SYMBOL_CHECK},        {BL_CLAUSE_RULE, BL_SYMBOL_RULE},
        {BL_CLAUSE_STEP, BL_SYMBOL_STEP},           {BL_CLAUSE_SWEEP, BL_SYMBOL_SWEEP},
        {BL_CLAUSE_LIFECYCLE, BL_SYMBOL_LIFECYCLE}, {BL_CLAUSE_COMMANDS, BL_SYMBOL_COMMANDS},
        {BL_CLAUSE_COMMAND, BL_SYMBOL_COMMAND},     {BL_CLAUSE_TASK, BL_SYMBOL_TASK},
        {BL_CLAUSE_ENGINE, BL_SYMBOL_ENGINE},       {BL_CLAUSE_COMMENT, BL_SYMBOL_COMMENT},
        {BL_CLAUSE_PART, BL_SYMBOL_PART},           {BL_CLAUSE_FILE, BL_SYMBOL_FILE},
        {BL_CLAUSE_REPORT, BL_SYMBOL_REPORT},       {BL_CLAUSE_SANITIZER, BL_SYMBOL_SANITIZER},
        {BL_CLAUSE_SECRETS, BL_SYMBOL_SECRETS},     {BL_CLAUSE_VIEW, BL_SYMBOL_VIEW},
        {BL_CLAUSE_REDACTION, BL_SYMBOL_REDACTION}, {BL_CLAUSE_LOCALE, BL_SYMBOL_LOCALE},
        {BL_CLAUSE_WORKFLOW, BL_SYMBOL_WORKFLOW},   {BL_CLAUSE_JOB, BL_SYMBOL_JOB},
        {BL_CLAUSE_STEPS, BL_SYMBOL_STEPS},         {BL_CLAUSE_ACTION, BL_SYMBOL_ACTION},
        {BL_CLAUSE_RUNNER, BL_SYMBOL_RUNNER},       {BL_CLAUSE_STORE, BL_SYMBOL_STORE},
        {BL_CLAUSE_ENTRY, BL_SYMBOL_ENTRY},
    };

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (kinds[i].clause == id)
            return kinds[i].kind;
    }
    return BL_SYMBOL_KIND_COUNT;
}

bool bl_sema_declares(bl_str text)
{
    for (unsigned i = 0; i < BL_CLAUSE_COUNT; i++) {
        const struct bl_clause_info *row = bl_clause_info((enum bl_clause_id)i);

        if (row->block == BL_BLOCK_TOP && bl_str_starts_with(text, row->words) &&
            row->words.len < text.len && bl_is_ascii_space(text.ptr[row->words.len]))
            return kind_of_clause((enum bl_clause_id)i) != BL_SYMBOL_KIND_COUNT;
    }
    return false;
}

/* The part that the kind has of its own. */
static bool add_part(struct bl_checker *c, struct bl_symbol *symbol)
{
    void *part = symbol;

    switch (symbol->kind) {
    case BL_SYMBOL_SETTING:
        part = symbol->as.setting = BL_NEW(c->arena, struct bl_setting);
        break;
    case BL_SYMBOL_LABEL:
        part = symbol->as.label = BL_NEW(c->arena, struct bl_label);
        break;
    case BL_SYMBOL_GROUP:
        part = symbol->as.group = BL_NEW(c->arena, struct bl_group);
        break;
    case BL_SYMBOL_TASK:
        part = symbol->as.task = BL_NEW(c->arena, struct bl_task_declared);
        break;
    case BL_SYMBOL_LOCALE:
        part = symbol->as.locale = BL_NEW(c->arena, struct bl_locale);
        break;
    case BL_SYMBOL_VARIABLE:
    case BL_SYMBOL_SECRET:
        part = symbol->as.outside = BL_NEW(c->arena, struct bl_outside);
        break;
    case BL_SYMBOL_DEFINE:
    case BL_SYMBOL_DECISION:
    case BL_SYMBOL_CHECK:
    case BL_SYMBOL_ACTOR:
        part = symbol->as.callable = BL_NEW(c->arena, struct bl_callable);
        if (symbol->as.callable != NULL)
            symbol->as.callable->symbol = symbol;
        break;
    case BL_SYMBOL_MESSAGE:
        part = symbol->as.message = BL_NEW(c->arena, struct bl_message);
        break;
    case BL_SYMBOL_SANITIZER:
        part = symbol->as.cleaner = BL_NEW(c->arena, struct bl_cleaner);
        break;
    case BL_SYMBOL_SECRETS:
        part = symbol->as.secrets = BL_NEW(c->arena, struct bl_secret_set);
        break;
    case BL_SYMBOL_VIEW:
        part = symbol->as.view = BL_NEW(c->arena, struct bl_view_declared);
        break;
    case BL_SYMBOL_REDACTION:
        part = symbol->as.redaction = BL_NEW(c->arena, struct bl_redaction);
        break;
    case BL_SYMBOL_COMMANDS:
    case BL_SYMBOL_COMMAND:
        part = symbol->as.commands = BL_NEW(c->arena, struct bl_commands);
        break;
    case BL_SYMBOL_COMMENT:
    case BL_SYMBOL_PART:
    case BL_SYMBOL_FILE:
    case BL_SYMBOL_REPORT:
        part = symbol->as.document = BL_NEW(c->arena, struct bl_document);
        if (symbol->as.document != NULL)
            symbol->as.document->symbol = symbol;
        break;
    case BL_SYMBOL_JOB:
        part = symbol->as.job = BL_NEW(c->arena, struct bl_job);
        if (symbol->as.job != NULL)
            symbol->as.job->symbol = symbol;
        break;
    case BL_SYMBOL_STORE:
        part = symbol->as.store = BL_NEW(c->arena, struct bl_store);
        break;
    case BL_SYMBOL_RULE:
    case BL_SYMBOL_STEP:
    case BL_SYMBOL_LIFECYCLE:
    case BL_SYMBOL_ENTRY:
        part = symbol->as.rule = BL_NEW(c->arena, struct bl_rule);
        if (symbol->as.rule != NULL)
            symbol->as.rule->symbol = symbol;
        break;
    case BL_SYMBOL_SWEEP:
        part = symbol->as.sweep = BL_NEW(c->arena, struct bl_sweep);
        if (symbol->as.sweep != NULL)
            symbol->as.sweep->symbol = symbol;
        break;
    case BL_SYMBOL_WORKFLOW:
        part = symbol->as.workflow = BL_NEW(c->arena, struct bl_workflow);
        break;
    case BL_SYMBOL_ENGINE:
        part = symbol->as.engine = BL_NEW(c->arena, struct bl_engine_declared);
        break;
    case BL_SYMBOL_LOCAL:
    case BL_SYMBOL_STEPS:
    case BL_SYMBOL_ACTION:
    case BL_SYMBOL_RUNNER:
    case BL_SYMBOL_ENUM:
    case BL_SYMBOL_RECORD:
    case BL_SYMBOL_KIND_COUNT:
        break;
    }
    return part != NULL;
}

static void report_taken(struct bl_checker *c, struct bl_span span, bl_str name,
                         const struct bl_symbol *taken)
{
    struct bl_diagnostic *d = bl_sema_error(c, BL_D_DECLARED_TWICE, span);

    bl_sema_arg(c, d, "name", name);
    bl_diagnostic_label(c->sink, d, taken->span,
                        bl_sema_text(c, "The %.*s '%.*s' stands here.",
                                     BL_STR_ARG(bl_symbol_kind_name(taken->kind)),
                                     BL_STR_ARG(taken->name)));
}

/* A value that is named as what every rule has already: the rule would mean that. A group is
 * never meant by its name alone where such a thing is. */
static bool is_reserved_value(struct bl_checker *c, const struct bl_symbol *symbol)
{
    bool function = symbol->kind == BL_SYMBOL_DEFINE || symbol->kind == BL_SYMBOL_DECISION ||
                    symbol->kind == BL_SYMBOL_CHECK || symbol->kind == BL_SYMBOL_ACTOR ||
                    symbol->kind == BL_SYMBOL_MESSAGE;
    struct bl_diagnostic *d;

    if (bl_symbol_space(symbol->kind) != BL_SPACE_VALUES || symbol->kind == BL_SYMBOL_GROUP)
        return false;
    if (bl_ambient_find(symbol->name) == BL_AMBIENT_COUNT &&
        !(function && bl_builtin_find(symbol->name) != BL_BUILTIN_COUNT))
        return false;
    d = bl_sema_error(c, BL_D_NAME_RESERVED, symbol->span);
    bl_sema_arg(c, d, "name", symbol->name);
    return true;
}

static void number_symbol(struct bl_checker *c, struct bl_symbol *symbol)
{
    struct bl_symbol_list *list = &c->program->symbols[symbol->kind];
    struct bl_symbol **slot = BL_PUSH(c->arena, *list);

    if (slot == NULL)
        return;
    symbol->number = (uint32_t)list->count - 1;
    *slot = symbol;
}

static struct bl_symbol *new_symbol(struct bl_checker *c, struct bl_file *file,
                                    enum bl_symbol_kind kind, const struct bl_node *name,
                                    struct bl_clause *clause)
{
    struct bl_symbol *symbol = BL_NEW(c->arena, struct bl_symbol);

    if (symbol == NULL)
        return NULL;
    symbol->kind = kind;
    symbol->name = name->text;
    symbol->span = name->kind == BL_NODE_CALL ? name->name_span : name->span;
    symbol->clause = clause;
    symbol->package = file->package;
    return add_part(c, symbol) ? symbol : NULL;
}

/* The parts of a label that a repository's own file changes. */
static void override_label(struct bl_checker *c, struct bl_symbol *label,
                           struct bl_package *package, struct bl_clause *clause)
{
    bl_str shown = bl_sema_plain_text(c, bl_slot_node(clause, 1));
    bl_str first = bl_sema_plain_text(c, bl_slot_node(label->clause, 1));
    struct bl_clause *last = clause;

    if (!bl_str_equal(shown, first)) {
        struct bl_diagnostic *d =
            bl_sema_error(c, BL_D_LABEL_RENAMED, bl_slot_node(clause, 1)->span);

        bl_sema_arg(c, d, "name", label->name);
        bl_sema_arg(c, d, "shown", first);
        bl_diagnostic_label(c->sink, d, bl_slot_node(label->clause, 1)->span,
                            BL_STR("It is called so here."));
    }
    /* The newest one is read first. */
    while (last->overridden != NULL)
        last = last->overridden;
    last->overridden = label->clause;
    label->clause = clause;
    label->as.label->changed_by = package;
}

static void declare_symbol(struct bl_checker *c, struct bl_file *file, struct bl_clause *clause,
                           enum bl_symbol_kind kind)
{
    struct bl_node *name = bl_slot_node(clause, 0);
    struct bl_symbol *symbol = name != NULL ? new_symbol(c, file, kind, name, clause) : NULL;
    struct bl_symbol *taken;

    if (symbol == NULL || is_reserved_value(c, symbol))
        return;
    if (!bl_scope_add(c, symbol, &taken)) {
        if (kind == BL_SYMBOL_LABEL && taken->kind == BL_SYMBOL_LABEL &&
            bl_package_uses(file->package, taken->package) &&
            (taken->as.label->changed_by == NULL ||
             bl_package_uses(file->package, taken->as.label->changed_by)))
            override_label(c, taken, file->package, clause);
        else
            report_taken(c, symbol->span, symbol->name, taken);
        return;
    }
    number_symbol(c, symbol);
}

/* ---- messages ------------------------------------------------------------------------------
 */

static void add_message_text(struct bl_checker *c, struct bl_file *file,
                             struct bl_symbol *symbol, struct bl_symbol *locale,
                             struct bl_clause *clause)
{
    struct bl_message *message = symbol->as.message;
    struct bl_message_text *text = NULL;
    struct bl_node *name = bl_slot_node(clause, 0);

    for (size_t i = 0; i < message->count; i++) {
        if (message->texts[i].locale == locale)
            text = &message->texts[i];
    }
    if (text != NULL && !bl_package_uses(file->package, text->package)) {
        struct bl_diagnostic *d = bl_sema_error(c, BL_D_DECLARED_TWICE, name->span);

        bl_sema_arg(c, d, "name", name->text);
        bl_diagnostic_label(c->sink, d, text->span, BL_STR("It stands here first."));
        return;
    }
    struct bl_clause *overridden = text != NULL ? text->clause : NULL;

    if (text == NULL)
        text = bl_arena_push(c->arena, (void **)&message->texts, &message->count,
                             &message->capacity, sizeof *message->texts);
    if (text == NULL)
        return;
    *text = (struct bl_message_text){.locale = locale,
                                     .package = file->package,
                                     .clause = clause,
                                     .overridden = overridden,
                                     .text = bl_slot_node(clause, 1),
                                     .span = name->kind == BL_NODE_CALL ? name->name_span
                                                                        : name->span};
}

static void declare_words(struct bl_checker *c, struct bl_file *file, struct bl_clause *words)
{
    struct bl_node *code = bl_slot_node(words, 0);
    struct bl_symbol *locale = bl_scope_find(c, BL_SPACE_VALUES, code->text);

    if (locale == NULL || locale->kind != BL_SYMBOL_LOCALE) {
        struct bl_likeness like = bl_likeness_begin(code->text);
        struct bl_diagnostic *d = bl_sema_error(c, BL_D_UNKNOWN_NAME, code->span);

        bl_sema_arg(c, d, "name", code->text);
        bl_sema_help(c, d,
                     "Declare the language: locale %.*s \"…\" { … }, or use the package "
                     "that does.",
                     BL_STR_ARG(code->text));
        bl_likeness_symbols(c, &like, BL_SYMBOL_LOCALE);
        bl_likeness_help(c, &like, d, code->span);
        return;
    }
    locale->used = true;
    for (struct bl_clause *clause = words->block; clause != NULL; clause = clause->next) {
        struct bl_node *name = bl_slot_node(clause, 0);
        struct bl_symbol *taken = bl_scope_find(c, BL_SPACE_VALUES, name->text);

        if (taken != NULL && taken->kind != BL_SYMBOL_MESSAGE) {
            report_taken(c, name->span, name->text, taken);
            continue;
        }
        if (taken == NULL) {
            taken = new_symbol(c, file, BL_SYMBOL_MESSAGE, name, clause);
            if (taken == NULL || is_reserved_value(c, taken))
                continue;
            bl_scope_add(c, taken, &(struct bl_symbol *){NULL});
            number_symbol(c, taken);
        }
        add_message_text(c, file, taken, locale, clause);
    }
}

/* ---- packages ------------------------------------------------------------------------------
 */

static void declare_package(struct bl_checker *c, struct bl_file *file,
                            struct bl_clause *clause)
{
    struct bl_package *package = file->package;
    struct bl_node *name = bl_slot_node(clause, 0);

    if (package->name.len > 0) {
        struct bl_diagnostic *d = bl_sema_error(c, BL_D_DECLARED_TWICE, name->span);

        bl_sema_arg(c, d, "name", name->text);
        bl_diagnostic_label(c->sink, d, package->span, BL_STR("The package is named here."));
        bl_sema_help(c, d,
                     "The files of a folder are one package, which one of them names. A policy "
                     "of its own stands in a folder of its own.");
        return;
    }
    package->name = name->text;
    package->span = name->span;
    for (struct bl_clause *part = clause->block; part != NULL; part = part->next) {
        bl_str text = bl_sema_plain_text(c, bl_slot_node(part, 0));

        if (part->id == BL_CLAUSE_PACKAGE_ACCOUNT)
            package->account = text;
        else if (part->id == BL_CLAUSE_PACKAGE_MARKER)
            package->marker = text;
        else
            package->folder = text;
    }
    c->program->product = package; /* users come behind what they use */
}

/* ---- all -----------------------------------------------------------------------------------
 */

static void visit_types(struct bl_checker *c, struct bl_file *file, struct bl_clause *clause)
{
    enum bl_symbol_kind kind = kind_of_clause(clause->id);

    if (kind != BL_SYMBOL_KIND_COUNT)
        declare_symbol(c, file, clause, kind);
    else if (clause->id == BL_CLAUSE_PACKAGE)
        declare_package(c, file, clause);
}

static void visit_words(struct bl_checker *c, struct bl_file *file, struct bl_clause *clause)
{
    if (clause->id == BL_CLAUSE_WORDS)
        declare_words(c, file, clause);
}

static struct bl_clause *reference_of(const struct bl_symbol *locale)
{
    struct bl_clause *part = locale->clause->block;

    while (part != NULL && part->id != BL_CLAUSE_LOCALE_REFERENCE)
        part = part->next;
    return part;
}

/* The language of reference has the number 0: what others lack comes from there, and a marker
 * that names no known language means it. Files are read by name, so the first is any. */
static void put_reference_first(struct bl_checker *c)
{
    struct bl_symbol_list *locales = &c->program->symbols[BL_SYMBOL_LOCALE];
    struct bl_symbol *reference = NULL;

    for (size_t i = 0; i < locales->count; i++) {
        struct bl_clause *part = reference_of(locales->items[i]);

        if (part == NULL)
            continue;
        if (reference != NULL) {
            struct bl_diagnostic *d = bl_sema_error(c, BL_D_REFERENCE_TWICE, part->node->span);

            bl_sema_arg(c, d, "name", locales->items[i]->name);
            bl_diagnostic_label(c->sink, d, reference_of(reference)->node->span,
                                BL_STR("This is the first."));
            continue;
        }
        reference = locales->items[i];
        for (size_t at = i; at > 0; at--)
            locales->items[at] = locales->items[at - 1];
        locales->items[0] = reference;
    }
    for (size_t i = 0; i < locales->count; i++)
        locales->items[i]->number = (uint32_t)i;
}

void bl_sema_declare(struct bl_checker *c)
{
    bl_sema_each_clause(c, visit_types);
    put_reference_first(c);
    bl_sema_each_clause(c, visit_words);
}
