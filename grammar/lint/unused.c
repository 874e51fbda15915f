/* SPDX-License-Identifier: Apache-2.0 */
#include "lint/linter.h"

/* Names that nothing uses. Uses are counted in the clauses, so that those in constructs that
 * are not lowered yet count, too: a name that was not resolved counts for all that are called
 * so. Tests do not count: what only they use, they prove for nothing. */

struct use {
    const struct bl_symbol *symbol;
    bool used, tested;
};
struct counting {
    struct bl_linter *l;
    struct use *uses; /* of all symbols of the program that may be unused; open hash */
    size_t slots;
    bool in_test;
    uint64_t *packages; /* bits of the packages of which something is used */
    uint64_t *members;  /* bits of the members that are named, by number of the enumeration */
};

/* ---- the table ------------------------------------------------------------------------- */

static size_t slot_of(const struct counting *c, const struct bl_symbol *symbol)
{
    size_t at = (size_t)((uintptr_t)symbol >> 4) * 2654435761u & (c->slots - 1);

    while (c->uses[at].symbol != NULL && c->uses[at].symbol != symbol)
        at = (at + 1) & (c->slots - 1);
    return at;
}

static void use(struct counting *c, const struct bl_symbol *symbol)
{
    struct use *u;

    symbol = symbol->original != NULL ? symbol->original : symbol;
    u = &c->uses[slot_of(c, symbol)];
    if (symbol->package != NULL && c->packages != NULL)
        c->packages[symbol->package->number / 64] |= UINT64_C(1)
                                                     << symbol->package->number % 64;
    if (u->symbol == NULL)
        return;
    u->used = u->used || !c->in_test;
    u->tested = true;
}

static bool begin(struct counting *c)
{
    struct bl_program *program = c->l->program;
    size_t count = 0;

    for (unsigned kind = 0; kind < BL_SYMBOL_KIND_COUNT; kind++)
        count += program->symbols[kind].count;
    c->slots = 64;
    while (c->slots < 2 * count)
        c->slots *= 2;
    c->uses = BL_NEW_ARRAY(c->l->arena, c->slots, struct use);
    c->packages = BL_NEW_ARRAY(c->l->arena, program->packages.count / 64 + 1, uint64_t);
    c->members = BL_NEW_ARRAY(c->l->arena, program->enums.count + 1, uint64_t);
    if (c->uses == NULL || c->packages == NULL || c->members == NULL)
        return false;
    for (unsigned kind = 0; kind < BL_SYMBOL_KIND_COUNT; kind++) {
        for (size_t i = 0; i < program->symbols[kind].count; i++) {
            const struct bl_symbol *symbol = program->symbols[kind].items[i];

            c->uses[slot_of(c, symbol)].symbol = symbol;
        }
    }
    return true;
}

/* ---- counting -------------------------------------------------------------------------- */

static bool same_span(struct bl_span a, struct bl_span b)
{
    return a.lo == b.lo && a.source == b.source;
}

/* A name that the clause gives, or that sema keeps elsewhere: it counts for what is called so.
 */
static void use_by_name(struct counting *c, const struct bl_node *node)
{
    static const enum bl_space spaces[] = {BL_SPACE_VALUES, BL_SPACE_DOCUMENTS,
                                           BL_SPACE_RUNNING, BL_SPACE_TYPES};

    for (size_t i = 0; i < sizeof(spaces) / sizeof(spaces[0]); i++) {
        const struct bl_symbol *symbol = bl_program_find(c->l->program, spaces[i], node->text);

        if (symbol != NULL && !same_span(symbol->span, node->span))
            use(c, symbol);
    }
}

static void use_member(struct counting *c, const struct bl_node *node)
{
    bl_type type = bl_type_base(node->declared);

    if (bl_type_is(type, BL_TYPE_ENUM) && bl_type_ref(type) >= BL_ENUM_COUNT &&
        bl_type_ref(type) - BL_ENUM_COUNT < c->l->program->enums.count && node->index < 64 &&
        !c->in_test)
        c->members[bl_type_ref(type) - BL_ENUM_COUNT] |= UINT64_C(1) << node->index;
}

static void count_node(struct counting *c, const struct bl_node *node)
{
    if (node == NULL)
        return;
    if (node->symbol != NULL && node->symbol->kind != BL_SYMBOL_LOCAL)
        use(c, node->symbol);
    else if (node->resolution == BL_RESOLVED_ENUM)
        use_member(c, node);
    else if ((node->kind == BL_NODE_NAME || node->kind == BL_NODE_CALL) && node->symbol == NULL)
        use_by_name(c, node);
    for (uint32_t i = 0; i < node->kid_count; i++)
        count_node(c, node->kids[i]);
}

/* Slots that name something without using it: the declaration's own name, `set x`, the group
 * that a label belongs to, the message in another catalog. */
static bool only_names(const struct bl_clause *clause, unsigned slot)
{
    return slot == 0 && (clause->id == BL_CLAUSE_SET || clause->id == BL_CLAUSE_LABEL_GROUP ||
                         clause->id == BL_CLAUSE_WORDS_MESSAGE || clause->overridden != NULL);
}

static void count_clauses(struct counting *c, const struct bl_clause *clauses)
{
    for (const struct bl_clause *clause = clauses; clause != NULL; clause = clause->next) {
        bool was_test = c->in_test;

        c->in_test = was_test || clause->id == BL_CLAUSE_TEST;
        for (unsigned slot = 0; slot < BL_CLAUSE_SLOTS; slot++) {
            const struct bl_slot *nodes = &clause->slots[slot];

            for (uint32_t i = 0; i < nodes->count && !only_names(clause, slot); i++)
                count_node(c, nodes->nodes[i]);
            /* The parameters of a message have types. */
            for (uint32_t i = 0; i < nodes->count && only_names(clause, slot); i++) {
                for (uint32_t k = 0; nodes->nodes[i] != NULL && k < nodes->nodes[i]->kid_count;
                     k++)
                    count_node(c, nodes->nodes[i]->kids[k]);
            }
        }
        count_clauses(c, clause->inner);
        count_clauses(c, clause->block);
        c->in_test = was_test;
    }
}

/* ---- what is not used ------------------------------------------------------------------ */

static const struct {
    enum bl_symbol_kind kind;
    enum bl_diagnostic_code code;
} unused_kinds[] = {
    {BL_SYMBOL_LABEL, BL_D_UNUSED_LABEL},     {BL_SYMBOL_GROUP, BL_D_UNUSED_GROUP},
    {BL_SYMBOL_SETTING, BL_D_UNUSED_SETTING}, {BL_SYMBOL_MESSAGE, BL_D_UNUSED_MESSAGE},
    {BL_SYMBOL_DEFINE, BL_D_UNUSED_DEFINE},   {BL_SYMBOL_DECISION, BL_D_UNUSED_DECISION},
    {BL_SYMBOL_CHECK, BL_D_UNUSED_CHECK},     {BL_SYMBOL_ACTOR, BL_D_UNUSED_ACTOR},
    {BL_SYMBOL_TASK, BL_D_UNUSED_TASK},       {BL_SYMBOL_COMMENT, BL_D_UNUSED_COMMENT},
    {BL_SYMBOL_PART, BL_D_UNUSED_COMMENT},    {BL_SYMBOL_VARIABLE, BL_D_UNUSED_OUTSIDE},
    {BL_SYMBOL_SECRET, BL_D_UNUSED_OUTSIDE},  {BL_SYMBOL_STEP, BL_D_UNUSED_STEP},
    {BL_SYMBOL_LIFECYCLE, BL_D_UNUSED_STEP},  {BL_SYMBOL_REPORT, BL_D_UNUSED_STEP},
    {BL_SYMBOL_SWEEP, BL_D_UNUSED_STEP},      {BL_SYMBOL_STORE, BL_D_UNUSED_STORE},
};

/* Does anything run? Without, the files are definitions for others. */
static bool is_library(const struct bl_program *program)
{
    static const enum bl_symbol_kind running[] = {
        BL_SYMBOL_RULE,   BL_SYMBOL_JOB,      BL_SYMBOL_SWEEP,    BL_SYMBOL_LIFECYCLE,
        BL_SYMBOL_REPORT, BL_SYMBOL_COMMANDS, BL_SYMBOL_WORKFLOW, BL_SYMBOL_ENTRY};

    for (size_t i = 0; i < sizeof(running) / sizeof(running[0]); i++) {
        if (program->symbols[running[i]].count > 0)
            return false;
    }
    return true;
}

/* A report that names its events, and a sweep's own name in a job, run by themselves. */
static bool runs_by_itself(const struct bl_symbol *symbol)
{
    if (symbol->kind != BL_SYMBOL_REPORT || symbol->clause == NULL)
        return false;
    for (const struct bl_clause *row = symbol->clause->block; row != NULL; row = row->next) {
        if (row->id == BL_CLAUSE_REPORT_ON)
            return true;
    }
    return false;
}

/* A label is used with its group, and all are where the policy says `declared_labels`. */
static bool is_used_with_others(const struct counting *c, const struct bl_symbol *symbol,
                                bool all_labels)
{
    const struct bl_symbol *group;

    if (symbol->kind == BL_SYMBOL_SETTING && c->l->program->product != NULL &&
        c->l->program->product->is_root)
        return true;
    if (symbol->kind != BL_SYMBOL_LABEL)
        return runs_by_itself(symbol);
    group = symbol->as.label->group;
    return all_labels || (group != NULL && c->uses[slot_of(c, group)].used);
}

static bool says_declared_labels(const struct bl_program *program)
{
    for (size_t i = 0; i < program->files.count; i++) {
        const struct bl_file *file = program->files.items[i];
        const struct bl_source *source = bl_sources_get(program->sources, file->ast.source);

        if (source != NULL && bl_str_find(source->text, BL_STR("declared_labels")) != SIZE_MAX)
            return true;
    }
    return false;
}

static void report_unused(struct counting *c, const struct bl_symbol *symbol,
                          enum bl_diagnostic_code code)
{
    const struct use *u = &c->uses[slot_of(c, symbol)];
    struct bl_diagnostic *d = bl_lint_report(c->l, code, symbol->span);

    bl_lint_text(c->l, d, "name", symbol->name);
    bl_lint_text(c->l, d, "kind", bl_symbol_kind_name(symbol->kind));
    if (u->tested)
        bl_diagnostic_help(&c->l->found, d,
                           BL_STR("Only tests use it. Delete both, or use it."));
}

static void report_symbols(struct counting *c)
{
    struct bl_program *program = c->l->program;
    bool all_labels = says_declared_labels(program);

    for (size_t k = 0; k < sizeof(unused_kinds) / sizeof(unused_kinds[0]); k++) {
        const struct bl_symbol_list *list = &program->symbols[unused_kinds[k].kind];

        for (size_t i = 0; i < list->count; i++) {
            const struct bl_symbol *symbol = list->items[i];

            if (bl_lint_is_own(symbol) && !c->uses[slot_of(c, symbol)].used &&
                !is_used_with_others(c, symbol, all_labels))
                report_unused(c, symbol, unused_kinds[k].code);
        }
    }
}

/* ---- entries --------------------------------------------------------------------------- */

static bool has_effect(const struct bl_statement *list)
{
    for (const struct bl_statement *s = list; s != NULL; s = s->next) {
        if (s->kind == BL_STATEMENT_EFFECT || has_effect(s->body) || has_effect(s->otherwise))
            return true;
    }
    return false;
}

/* They are called by their names, from outside; one that changes nothing is called in vain. */
static void report_entries(struct bl_linter *l)
{
    const struct bl_symbol_list *entries = &l->program->symbols[BL_SYMBOL_ENTRY];

    for (size_t i = 0; i < entries->count; i++) {
        if (bl_lint_is_own(entries->items[i]) && !has_effect(entries->items[i]->as.rule->body))
            bl_lint_text(l, bl_lint_report(l, BL_D_IDLE_ENTRY, entries->items[i]->span), "name",
                         entries->items[i]->name);
    }
}

/* ---- members --------------------------------------------------------------------------- */

/* Values of the type come from outside: from who sets it, from an answer, from a marker. */
static bool comes_from_outside(const struct bl_program *program, bl_type type)
{
    const struct bl_symbol_list *settings = &program->symbols[BL_SYMBOL_SETTING];
    const struct bl_symbol_list *comments = &program->symbols[BL_SYMBOL_COMMENT];

    for (size_t i = 0; i < settings->count; i++) {
        if (bl_type_kind(settings->items[i]->type) == BL_TYPE_ENUM &&
            bl_type_ref(settings->items[i]->type) == bl_type_ref(type))
            return true;
    }
    for (size_t i = 0; i < program->records.count; i++) {
        const struct bl_record_declared *record = &program->records.items[i];

        for (size_t k = 0; record->symbol == NULL && k < record->count; k++) {
            if (bl_type_kind(record->fields[k].type) == BL_TYPE_ENUM &&
                bl_type_ref(record->fields[k].type) == bl_type_ref(type))
                return true;
        }
    }
    for (size_t i = 0; i < comments->count; i++) {
        const struct bl_document *document = comments->items[i]->as.document;

        for (size_t k = 0; k < document->attribute_count; k++) {
            if (bl_type_kind(document->attributes[k].type) == BL_TYPE_ENUM &&
                bl_type_ref(document->attributes[k].type) == bl_type_ref(type))
                return true;
        }
    }
    return false;
}

static struct bl_span member_span(const struct bl_symbol *symbol, bl_str member)
{
    for (const struct bl_clause *row = symbol->clause != NULL ? symbol->clause->block : NULL;
         row != NULL; row = row->next) {
        for (uint32_t i = 0; i < row->slots[0].count; i++) {
            if (bl_str_equal(row->slots[0].nodes[i]->text, member))
                return row->slots[0].nodes[i]->span;
        }
    }
    return symbol->span;
}

static void report_members(struct counting *c)
{
    struct bl_program *program = c->l->program;

    for (size_t i = 0; i < program->enums.count; i++) {
        const struct bl_enum_declared *list = &program->enums.items[i];
        bl_type type = BL_TYPE_MAKE(BL_TYPE_ENUM, BL_ENUM_COUNT + i);

        if (list->symbol == NULL || !bl_lint_is_own(list->symbol) || list->members.count > 64 ||
            comes_from_outside(program, type))
            continue;
        for (size_t k = 0; k < list->members.count; k++) {
            struct bl_diagnostic *d;

            if ((c->members[i] >> k & 1) != 0)
                continue;
            d = bl_lint_report(c->l, BL_D_UNUSED_MEMBER,
                               member_span(list->symbol, list->members.items[k]));
            bl_lint_text(c->l, d, "name", list->members.items[k]);
            bl_lint_text(c->l, d, "owner", list->symbol->name);
        }
    }
}

/* ---- packages -------------------------------------------------------------------------- */

/* Rules, jobs, languages and words count by being there. */
static bool counts_by_itself(const struct bl_program *program, const struct bl_package *package)
{
    static const enum bl_symbol_kind kinds[] = {
        BL_SYMBOL_RULE,   BL_SYMBOL_JOB,      BL_SYMBOL_SWEEP,    BL_SYMBOL_LIFECYCLE,
        BL_SYMBOL_REPORT, BL_SYMBOL_COMMANDS, BL_SYMBOL_WORKFLOW, BL_SYMBOL_ENTRY,
        BL_SYMBOL_LOCALE, BL_SYMBOL_MESSAGE,  BL_SYMBOL_LABEL,    BL_SYMBOL_COMMENT};

    for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
        for (size_t i = 0; i < program->symbols[kinds[k]].count; i++) {
            if (program->symbols[kinds[k]].items[i]->package == package)
                return true;
        }
    }
    return package->name.len > 0;
}

static bool is_package_used(const struct counting *c, const struct bl_package *package)
{
    const struct bl_program *program = c->l->program;

    for (size_t i = 0; i < program->packages.count; i++) {
        const struct bl_package *other = program->packages.items[i];
        bool reached = other == package ||
                       (package->reaches != NULL &&
                        (package->reaches[other->number / 64] >> other->number % 64 & 1) != 0);

        if (reached && ((c->packages[other->number / 64] >> other->number % 64 & 1) != 0 ||
                        counts_by_itself(program, other)))
            return true;
    }
    return false;
}

/* `use a.b` names a/b.policy or the folder a/b, wherever that was found. */
static bool is_named(const struct bl_package *package, bl_str dotted)
{
    bl_str path = package->path;
    size_t from;

    if (path.len > 2 && path.ptr[0] == '(')
        path = bl_str_slice(path, 1, path.len - 1); /* it came with the compiler */
    if (bl_str_ends_with(path, BL_STR(".policy")))
        path = bl_str_slice(path, 0, path.len - (sizeof(".policy") - 1));
    if (path.len < dotted.len)
        return false;
    from = path.len - dotted.len;
    if (from > 0 && path.ptr[from - 1] != '/')
        return false;
    for (size_t i = 0; i < dotted.len; i++) {
        if (path.ptr[from + i] != (dotted.ptr[i] == '.' ? '/' : dotted.ptr[i]))
            return false;
    }
    return true;
}

static void report_package(struct counting *c, const struct bl_clause *clause)
{
    const struct bl_program *program = c->l->program;
    const struct bl_node *node = bl_slot_node(clause, 0);
    bl_str dotted;

    if (node == NULL)
        return;
    dotted = bl_sources_text(program->sources, node->span);
    for (size_t i = 0; i < program->packages.count; i++) {
        const struct bl_package *package = program->packages.items[i];
        struct bl_diagnostic *d;

        if (package->is_root || !is_named(package, dotted) || is_package_used(c, package))
            continue;
        d = bl_lint_report(c->l, BL_D_UNUSED_PACKAGE, clause->node->span);
        bl_lint_text(c->l, d, "name", dotted);
        bl_diagnostic_fix(&c->l->found, d, clause->node->span, BL_STR(""));
    }
}

static void report_packages(struct counting *c)
{
    const struct bl_program *program = c->l->program;

    for (size_t i = 0; i < program->files.count; i++) {
        const struct bl_file *file = program->files.items[i];

        for (const struct bl_clause *clause = file->clauses; clause != NULL;
             clause = clause->next) {
            if (clause->id == BL_CLAUSE_USE && file->package->is_root && !file->is_test)
                report_package(c, clause);
        }
    }
}

void bl_lint_unused(struct bl_linter *l)
{
    struct counting c = {.l = l};
    const struct bl_program *program = l->program;
    bool library = is_library(program);

    if (!begin(&c))
        return;
    /* What other packages use of each other says nothing about what the root takes in. */
    uint64_t *packages = c.packages;
    for (unsigned own = 0; own < 2; own++) {
        c.packages = own == 1 ? packages : NULL;
        for (size_t i = 0; i < program->files.count; i++) {
            const struct bl_file *file = program->files.items[i];

            c.in_test = file->is_test;
            if (file->package->is_root == (own == 1))
                count_clauses(&c, file->clauses);
        }
    }
    report_packages(&c);
    if (library)
        return;
    report_symbols(&c);
    report_members(&c);
    report_entries(l);
}
