/* SPDX-License-Identifier: Apache-2.0 */
#include "show/show_text.h"

/* Which permission a job needs, and for what. An effect is found in the statements of what the
 * job runs, a read in the clause trees of that and of all that it calls: what stands anywhere
 * in them counts, so that the table never lacks a read that can happen. */

struct finding {
    enum bl_permission permission;
    bool is_effect;
    bl_str what;
    const struct bl_symbol *where;
    struct bl_span span;
    size_t more; /* further places of the same read */
};
struct gathering {
    const struct bl_program *program;
    const struct bl_symbol *where;
    bool *visited[BL_SYMBOL_KIND_COUNT];
    bool later;   /* runs something whose needs are not known yet */
    size_t begin; /* where the findings of `where` begin, while its effects are looked for */
    size_t reads[BL_READ_COUNT]; /* 1 + index of the finding; 0: none yet */
    BL_VEC(struct finding) findings;
};

static void find(struct gathering *g, enum bl_permission permission, bool is_effect,
                 bl_str what, struct bl_span span)
{
    struct finding *finding = BL_PUSH(g->program->arena, g->findings);

    if (finding != NULL)
        *finding = (struct finding){permission, is_effect, what, g->where, span, 0};
}

/* The same effect of the same rule has one row. */
static void find_effect(struct gathering *g, enum bl_permission permission, bl_str words,
                        struct bl_span span)
{
    if (permission == BL_PERMISSION_NONE)
        return;
    for (size_t i = g->begin; i < g->findings.count; i++) {
        struct finding *finding = &g->findings.items[i];

        if (finding->permission == permission && finding->is_effect &&
            bl_str_equal(finding->what, words)) {
            finding->more++;
            return;
        }
    }
    find(g, permission, true, words, span);
}

/* ---- reads
 * ------------------------------------------------------------------------------------------ */

static void visit_symbol(struct gathering *g, const struct bl_symbol *symbol);

/* So has the same read of the job. */
static void find_read(struct gathering *g, enum bl_read read, struct bl_span span)
{
    const struct bl_read_info *info = bl_read_info(read);

    if (info == NULL || info->permission == BL_PERMISSION_NONE)
        return;
    if (g->reads[read] > 0) {
        g->findings.items[g->reads[read] - 1].more++;
        return;
    }
    find(g, info->permission, false, info->name, span);
    g->reads[read] = g->findings.count;
}

static void find_field(struct gathering *g, unsigned field, struct bl_span span)
{
    const struct bl_field_info *info = bl_field_info((enum bl_field)field);

    if (info != NULL)
        find_read(g, info->read, span);
}

static void visit_node(struct gathering *g, const struct bl_node *node)
{
    if (node == NULL)
        return;
    if (node->resolution == BL_RESOLVED_FIELD || node->resolution == BL_RESOLVED_HAS)
        find_field(g, node->index, node->span);
    else if (node->resolution == BL_RESOLVED_IS_PULL)
        find_field(g, BL_FIELD_ISSUE_IS_PULL_REQUEST, node->span);
    else if (node->resolution == BL_RESOLVED_BUILTIN)
        find_read(g, bl_builtin_info((enum bl_builtin)node->index)->read, node->span);
    if (node->symbol != NULL)
        visit_symbol(g, node->symbol);
    for (uint32_t i = 0; i < node->kid_count; i++)
        visit_node(g, node->kids[i]);
}

static bool is_command_of(const struct bl_symbol *command, const struct bl_symbol *family)
{
    const struct bl_node *name =
        command->clause != NULL ? bl_slot_node(command->clause, 1) : NULL;

    return name != NULL && bl_str_equal(name->text, family->name);
}

/* A judged command is judged by all of its family. */
static void visit_family(struct gathering *g, const struct bl_symbol *family)
{
    const struct bl_symbol_list *commands = &g->program->symbols[BL_SYMBOL_COMMAND];

    for (size_t i = 0; i < commands->count; i++) {
        if (is_command_of(commands->items[i], family))
            visit_symbol(g, commands->items[i]);
    }
}

/* What a name brings along when it is used; names that are constants bring nothing. */
static bool is_followed(enum bl_symbol_kind kind)
{
    return kind == BL_SYMBOL_DEFINE || kind == BL_SYMBOL_DECISION || kind == BL_SYMBOL_CHECK ||
           kind == BL_SYMBOL_ACTOR || kind == BL_SYMBOL_MESSAGE || kind == BL_SYMBOL_COMMENT ||
           kind == BL_SYMBOL_PART || kind == BL_SYMBOL_COMMANDS || kind == BL_SYMBOL_COMMAND;
}

static void visit_symbol(struct gathering *g, const struct bl_symbol *symbol)
{
    const struct bl_symbol *before = g->where;
    bool *visited = g->visited[symbol->kind];

    if (!is_followed(symbol->kind) || visited == NULL || visited[symbol->number])
        return;
    visited[symbol->number] = true;
    g->where = symbol;
    if (symbol->kind == BL_SYMBOL_MESSAGE) {
        for (size_t i = 0; i < symbol->as.message->count; i++) {
            if (symbol->as.message->texts[i].clause != NULL)
                visit_node(g, symbol->as.message->texts[i].clause->node);
        }
    } else if (symbol->clause != NULL) {
        visit_node(g, symbol->clause->node);
    }
    if (symbol->kind == BL_SYMBOL_COMMANDS)
        visit_family(g, symbol);
    g->where = before;
}

/* ---- effects
 * ---------------------------------------------------------------------------------------- */

static void visit_statements(struct gathering *g, const struct bl_statement *list)
{
    for (const struct bl_statement *s = list; s != NULL; s = s->next) {
        for (unsigned p = 0; s->kind == BL_STATEMENT_EFFECT && p < BL_PERMISSION_COUNT; p++) {
            if ((s->needed & BL_CAP(p)) != 0)
                find_effect(g, (enum bl_permission)p, bl_effect_info(s->effect)->words,
                            s->span);
        }
        g->later = g->later || s->kind == BL_STATEMENT_LATER;
        visit_statements(g, s->body);
        if (s->otherwise != NULL)
            visit_statements(g, s->otherwise);
    }
}

/* The effects of a command are found by their clauses: the same rows of the tables. */
static void visit_clauses(struct gathering *g, const struct bl_clause *list)
{
    for (const struct bl_clause *clause = list; clause != NULL; clause = clause->next) {
        bl_str words = bl_clause_info(clause->id)->words;

        for (unsigned i = 0;
             bl_clause_info(clause->id)->block == BL_BLOCK_EFFECTS && i < BL_EFFECT_COUNT;
             i++) {
            const struct bl_effect_info *info = bl_effect_info((enum bl_effect)i);

            /* "add" of the clauses is "add label" of the effects. */
            if (bl_str_equal(info->words, words) ||
                (bl_str_starts_with(info->words, words) && info->words.ptr[words.len] == ' ' &&
                 info->words.len > words.len))
                find_effect(g, info->permission, info->words, clause->node->span);
        }
        visit_clauses(g, clause->block);
        visit_clauses(g, clause->inner);
    }
}

static void visit_runnable(struct gathering *g, const struct bl_symbol *symbol)
{
    g->where = symbol;
    g->begin = g->findings.count;
    visit_statements(g, symbol->as.rule->body);
    if (symbol->clause != NULL)
        visit_node(g, symbol->clause->node);
}

static bool takes_commands(const struct bl_symbol *job, const struct bl_symbol *commands)
{
    return job->as.job->runs == BL_RUNS_RULES && job->package == commands->package;
}

static void visit_commands(struct gathering *g, const struct bl_symbol *job)
{
    static const enum bl_symbol_kind kinds[] = {BL_SYMBOL_COMMANDS, BL_SYMBOL_COMMAND};

    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        const struct bl_symbol_list *list = &g->program->symbols[kinds[k]];

        for (size_t i = 0; i < list->count; i++) {
            if (!takes_commands(job, list->items[i]) || list->items[i]->clause == NULL)
                continue;
            g->where = list->items[i];
            g->begin = g->findings.count;
            visit_clauses(g, list->items[i]->clause->block);
            visit_symbol(g, list->items[i]);
        }
    }
}

static void visit_job(struct gathering *g, const struct bl_symbol *job)
{
    static const enum bl_symbol_kind kinds[] = {BL_SYMBOL_RULE, BL_SYMBOL_STEP,
                                                BL_SYMBOL_LIFECYCLE};
    const struct bl_job *j = job->as.job;

    g->where = job;
    g->later = j->runs == BL_RUNS_ANSWERS || j->runs == BL_RUNS_TASK || j->engine != NULL;
    visit_node(g, job->clause->node);
    if (j->sweep != NULL && j->sweep->clause != NULL) {
        g->where = j->sweep;
        visit_node(g, j->sweep->clause->node);
    }
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        const struct bl_symbol_list *list = &g->program->symbols[kinds[k]];

        for (size_t i = 0; i < list->count; i++) {
            if (list->items[i]->as.rule == NULL)
                g->later = true;
            else if (list->items[i]->as.rule->job == job)
                visit_runnable(g, list->items[i]);
        }
    }
    visit_commands(g, job);
}

/* ---- the page
 * --------------------------------------------------------------------------------------- */

static void put_permission(enum bl_permission permission, struct bl_buf *out)
{
    const struct bl_permission_info *info = bl_permission_info(permission);

    bl_buf_printf(out, "`%.*s: %.*s`", BL_STR_ARG(info->key), BL_STR_ARG(info->level));
}

static void put_finding(const struct gathering *g, const struct finding *finding,
                        struct bl_buf *out)
{
    BL_PUT(out, "| ");
    put_permission(finding->permission, out);
    bl_buf_put(out, finding->is_effect ? BL_STR(" | effect ") : BL_STR(" | read "));
    bl_show_code(out, finding->what);
    bl_buf_printf(out, " | %.*s ", BL_STR_ARG(bl_symbol_kind_name(finding->where->kind)));
    bl_show_code(out, finding->where->name);
    BL_PUT(out, " | ");
    bl_show_code(out, bl_show_place(g->program, finding->span));
    if (finding->more > 0)
        bl_buf_printf(out, " and %zu more", finding->more);
    BL_PUT(out, " |\n");
}

/* Who may write a key may read it. */
static bool is_implied(uint32_t needed, unsigned permission)
{
    const struct bl_permission_info *info = bl_permission_info((enum bl_permission)permission);

    for (unsigned i = 0; i < BL_PERMISSION_COUNT; i++) {
        const struct bl_permission_info *other = bl_permission_info((enum bl_permission)i);

        if (i != permission && (needed & BL_CAP(i)) != 0 &&
            bl_str_equal(other->key, info->key) &&
            bl_str_equal(other->level, BL_STR("write")) &&
            bl_str_equal(info->level, BL_STR("read")))
            return true;
    }
    return false;
}

static void put_set(const char *title, uint32_t set, struct bl_buf *out)
{
    bool some = false;

    bl_buf_printf(out, "%s: ", title);
    for (unsigned p = BL_PERMISSION_NONE + 1; p < BL_PERMISSION_COUNT; p++) {
        if ((set & BL_CAP(p)) == 0 || is_implied(set, p))
            continue;
        bl_buf_put(out, some ? BL_STR(", ") : BL_STR(""));
        put_permission((enum bl_permission)p, out);
        some = true;
    }
    bl_buf_put(out, some ? BL_STR(".\n\n") : BL_STR("nothing.\n\n"));
}

static void put_job(const struct bl_program *program, const struct bl_symbol *job,
                    struct bl_buf *out)
{
    struct gathering g = {.program = program};
    uint32_t needed = 0;

    for (unsigned kind = 0; kind < BL_SYMBOL_KIND_COUNT; kind++)
        g.visited[kind] = BL_NEW_ARRAY(program->arena, program->symbols[kind].count + 1, bool);
    visit_job(&g, job);
    BL_PUT(out, "## Job ");
    bl_show_code(out, job->name);
    BL_PUT(out, "\n\n");
    if (g.findings.count > 0)
        BL_PUT(out, "| permission | for | of | place |\n|---|---|---|---|\n");
    for (unsigned p = 0; p < BL_PERMISSION_COUNT; p++) {
        for (size_t i = 0; i < g.findings.count; i++) {
            if (g.findings.items[i].permission != p)
                continue;
            needed |= BL_CAP(p);
            put_finding(&g, &g.findings.items[i], out);
        }
    }
    bl_buf_put(out, g.findings.count > 0 ? BL_STR("\n") : BL_STR(""));
    put_set("Needed", needed, out);
    put_set("Given to write", job->as.job->capabilities, out);
    if (g.later)
        BL_PUT(out, "It runs parts whose needs are not known yet, so what it is given may be "
                    "needed.\n\n");
    else
        put_set("Given and not needed", job->as.job->capabilities & ~needed, out);
}

void bl_show_permissions(const struct bl_program *program, struct bl_buf *out)
{
    const struct bl_symbol_list *jobs = &program->symbols[BL_SYMBOL_JOB];

    BL_PUT(out, "# Permissions of ");
    bl_show_prose(out, bl_show_title(program));
    BL_PUT(out, "\n\nMade from the policy by `policyc --emit=permissions`.\n\n");
    for (size_t i = 0; i < jobs->count; i++) {
        if (jobs->items[i]->clause != NULL && jobs->items[i]->as.job != NULL)
            put_job(program, jobs->items[i], out);
    }
    out->failed = out->failed || program->arena->failed;
}
