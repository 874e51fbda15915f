/* SPDX-License-Identifier: Apache-2.0 */
#include "show/show_text.h"

/* The page of a policy: a section for each kind of declaration, in this order. */

static void put_heading(struct bl_buf *out, const char *level, bl_str words)
{
    bl_buf_printf(out, "%s ", level);
    bl_show_prose(out, words);
    BL_PUT(out, "\n\n");
}

static void put_doc(const struct bl_program *program, const struct bl_symbol *symbol,
                    struct bl_buf *out)
{
    bl_str doc = bl_show_doc(program, symbol->clause);

    if (doc.len == 0)
        return;
    bl_show_prose(out, doc);
    BL_PUT(out, "\n\n");
}

static void put_cell(struct bl_buf *out)
{
    BL_PUT(out, " | ");
}

/* ---- tables
 * ----------------------------------------------------------------------------------------- */

static void put_bounds(const struct bl_program *program, const struct bl_setting *setting,
                       struct bl_buf *out)
{
    bool some = false;

    if (setting->least != NULL) {
        BL_PUT(out, "at least ");
        bl_show_code(out, bl_show_node(program, setting->least));
        some = true;
    }
    if (setting->greatest != NULL) {
        bl_buf_put(out, some ? BL_STR(", at most ") : BL_STR("at most "));
        bl_show_code(out, bl_show_node(program, setting->greatest));
        some = true;
    }
    for (const struct bl_requirement *r = setting->requires; r != NULL; r = r->next) {
        bl_buf_put(out, some ? BL_STR("; ") : BL_STR(""));
        bl_show_code(out, bl_show_node(program, r->condition));
        some = true;
    }
}

static void setting_row(const struct bl_program *program, const struct bl_symbol *symbol,
                        struct bl_buf *out)
{
    const struct bl_setting *setting = symbol->as.setting;
    struct bl_buf type;

    bl_buf_init(&type, program->arena, 0x100000);
    bl_program_type_name(program, symbol->type, &type);
    bl_show_code(out, symbol->name);
    put_cell(out);
    bl_show_code(out, bl_buf_str(&type));
    put_cell(out);
    bl_show_code(out, bl_show_node(program, setting->preset));
    if (setting->value != setting->preset) {
        BL_PUT(out, ", set to ");
        bl_show_code(out, bl_show_node(program, setting->value));
    }
    put_cell(out);
    put_bounds(program, setting, out);
    put_cell(out);
    bl_show_prose(out, bl_show_doc(program, symbol->clause));
}

/* What a setting is: a plain value as words, what rests on others as it is written. */
static void put_value(const struct bl_program *program, const struct bl_node *value,
                      struct bl_buf *out)
{
    if (value->kid_count == 0 && value->resolution == BL_RESOLVED_NOT)
        bl_show_prose_part(out, bl_show_node(program, value), false);
    else
        bl_show_code(out, bl_show_node(program, value));
}

/* A text with the values of the settings in it; other placeholders stay as they are written. */
static void put_text(const struct bl_program *program, const struct bl_node *text,
                     struct bl_buf *out)
{
    if (text == NULL)
        return;
    if (text->kid_count == 0)
        bl_show_prose(out, text->text);
    for (uint32_t i = 0; i < text->kid_count; i++) {
        const struct bl_node *kid = text->kids[i];

        if (kid->kind == BL_NODE_STRING_PART)
            bl_show_prose_part(out, kid->text, i == 0);
        else if (kid->resolution == BL_RESOLVED_SETTING && kid->symbol != NULL)
            put_value(program, kid->symbol->as.setting->value, out);
        else
            bl_show_code(out, bl_show_node(program, kid));
    }
}

static void label_row(const struct bl_program *program, const struct bl_symbol *symbol,
                      struct bl_buf *out)
{
    const struct bl_label *label = symbol->as.label;
    bl_str doc = bl_show_doc(program, symbol->clause);

    bl_show_code(out, symbol->name);
    put_cell(out);
    bl_show_prose(out, label->shown);
    put_cell(out);
    bl_show_code(out, label->color);
    put_cell(out);
    if (label->group != NULL)
        bl_show_code(out, label->group->name);
    put_cell(out);
    put_text(program, label->description, out);
    if (doc.len > 0) {
        BL_PUT(out, " ");
        bl_show_prose(out, doc);
    }
}

static void outside_row(const struct bl_program *program, const struct bl_symbol *symbol,
                        struct bl_buf *out)
{
    bl_show_code(out, symbol->name);
    put_cell(out);
    bl_show_code(out, symbol->as.outside->shown);
    put_cell(out);
    bl_show_code(out, symbol->as.outside->environment);
    put_cell(out);
    bl_show_prose(out, bl_show_doc(program, symbol->clause));
}

static void source_row(const struct bl_program *program, const struct bl_symbol *symbol,
                       struct bl_buf *out)
{
    bl_show_code(out, symbol->name);
    put_cell(out);
    bl_show_code(out, bl_show_source(program, symbol->clause->node->span));
    put_cell(out);
    bl_show_prose(out, bl_show_doc(program, symbol->clause));
}

/* ---- sections
 * --------------------------------------------------------------------------------------- */

static void put_indent(struct bl_buf *out, unsigned depth)
{
    for (unsigned i = 0; i < depth; i++)
        BL_PUT(out, "  ");
}

/* Clauses as they are written, blocks as lists in lists. */
static void put_clauses(const struct bl_program *program, const struct bl_clause *list,
                        unsigned depth, struct bl_buf *out)
{
    for (const struct bl_clause *clause = list; clause != NULL; clause = clause->next) {
        put_indent(out, depth);
        BL_PUT(out, "- ");
        bl_show_code(out, bl_show_head(program, clause->node));
        BL_PUT(out, "\n");
        put_clauses(program, clause->block, depth + 1, out);
    }
}

static void put_lets(const struct bl_program *program, const struct bl_statement *list,
                     struct bl_buf *out)
{
    bool some = false;

    for (const struct bl_statement *s = list; s != NULL; s = s->next) {
        if (s->kind != BL_STATEMENT_LET || s->clause == NULL)
            continue;
        BL_PUT(out, "- ");
        bl_show_code(out, bl_show_source(program, s->clause->node->span));
        BL_PUT(out, "\n");
        some = true;
    }
    if (some)
        BL_PUT(out, "\n");
}

static void decision_body(const struct bl_program *program, const struct bl_symbol *symbol,
                          struct bl_buf *out)
{
    const struct bl_statement *body = symbol->as.callable->body;
    unsigned row = 0;

    put_lets(program, body, out);
    BL_PUT(out, "The first row that holds decides.\n\n| | when | gives |\n|--:|---|---|\n");
    for (const struct bl_statement *s = body; s != NULL; s = s->next) {
        if (s->kind != BL_STATEMENT_ROW)
            continue;
        bl_buf_printf(out, "| %u | ", ++row);
        if (s->condition == NULL)
            BL_PUT(out, "otherwise");
        else
            bl_show_code(out, bl_show_node(program, s->condition));
        put_cell(out);
        bl_show_code(out, bl_show_node(program, s->value));
        BL_PUT(out, " |\n");
    }
    BL_PUT(out, "\n");
}

static bl_str outcome(enum bl_statement_kind kind)
{
    if (kind == BL_STATEMENT_REFUSE)
        return BL_STR("refuses when");
    if (kind == BL_STATEMENT_REQUIRE)
        return BL_STR("refuses unless");
    return kind == BL_STATEMENT_PASS ? BL_STR("passes when") : BL_STR("refuses as");
}

static bl_str both(const struct bl_program *program, bl_str outer, bl_str inner)
{
    struct bl_buf out;

    if (outer.len == 0)
        return inner;
    bl_buf_init(&out, program->arena, 0x100000);
    bl_buf_printf(&out, "%.*s; %.*s", BL_STR_ARG(outer), BL_STR_ARG(inner));
    return bl_buf_str(&out);
}

/* Rows under a `when` come with its condition. */
static void check_rows(const struct bl_program *program, const struct bl_statement *list,
                       bl_str under, struct bl_buf *out)
{
    for (const struct bl_statement *s = list; s != NULL; s = s->next) {
        if (s->kind == BL_STATEMENT_WHEN || s->kind == BL_STATEMENT_OTHERWISE) {
            check_rows(program, s->body,
                       both(program, under, bl_show_condition(program, s->condition)), out);
            if (s->otherwise != NULL)
                check_rows(program, s->otherwise, under, out);
            continue;
        }
        if (s->kind != BL_STATEMENT_REFUSE && s->kind != BL_STATEMENT_REQUIRE &&
            s->kind != BL_STATEMENT_PASS && s->kind != BL_STATEMENT_CHECK)
            continue;
        BL_PUT(out, "| ");
        bl_show_code(out, s->name);
        put_cell(out);
        bl_buf_put(out, outcome(s->kind));
        put_cell(out);
        if (under.len > 0) {
            BL_PUT(out, "under ");
            bl_show_code(out, under);
            BL_PUT(out, ": ");
        }
        bl_show_code(out,
                     bl_show_node(program, s->condition != NULL ? s->condition : s->value));
        put_cell(out);
        put_text(program, s->text, out);
        BL_PUT(out, " |\n");
    }
}

static void check_body(const struct bl_program *program, const struct bl_symbol *symbol,
                       struct bl_buf *out)
{
    put_lets(program, symbol->as.callable->body, out);
    BL_PUT(out, "The first row that decides ends it; at the end it passes.\n\n");
    BL_PUT(out, "| row | | condition | words |\n|---|---|---|---|\n");
    check_rows(program, symbol->as.callable->body, (bl_str){NULL, 0}, out);
    BL_PUT(out, "\n");
}

static void block_body(const struct bl_program *program, const struct bl_symbol *symbol,
                       struct bl_buf *out)
{
    if (symbol->clause->block == NULL)
        return;
    put_clauses(program, symbol->clause->block, 0, out);
    BL_PUT(out, "\n");
}

static void rule_body(const struct bl_program *program, const struct bl_symbol *symbol,
                      struct bl_buf *out)
{
    const struct bl_rule *rule = symbol->as.rule;
    bool some = false;

    if (symbol->kind == BL_SYMBOL_RULE && rule != NULL) {
        BL_PUT(out, "On ");
        for (unsigned i = 0; i < BL_EVENT_COUNT; i++) {
            if ((rule->events >> i & 1) == 0)
                continue;
            bl_buf_put(out, some ? BL_STR(", `") : BL_STR("`"));
            bl_show_event(out, i);
            BL_PUT(out, "`");
            some = true;
        }
        bl_buf_put(out, some ? BL_STR("") : BL_STR("answers"));
        if (rule->job != NULL) {
            BL_PUT(out, ", in the job ");
            bl_show_code(out, rule->job->name);
        }
        BL_PUT(out, ".\n\n");
    }
    block_body(program, symbol, out);
}

/* How a language is written: by hand, or by a machine and open to correction. */
static void locale_row(const struct bl_program *program, const struct bl_symbol *symbol,
                       struct bl_buf *out)
{
    const struct bl_locale *locale = symbol->as.locale;

    (void)program;
    bl_show_code(out, symbol->name);
    put_cell(out);
    bl_show_prose(out, locale->shown);
    put_cell(out);
    bl_show_prose(out, bl_str_equal(locale->written, BL_STR("by_hand")) ? BL_STR("by hand")
                       : locale->written.len > 0 ? BL_STR("by a machine, as a draft")
                                                 : BL_STR(""));
    put_cell(out);
    bl_show_prose(out, locale->address);
    put_cell(out);
    if (locale->like != NULL)
        bl_show_code(out, locale->like->name);
}

static const struct section {
    enum bl_symbol_kind kind;
    const char *title;
    const char *columns; /* of a table with `row`; NULL: a heading for each, and `body` */
    const char *rule;
    void (*row)(const struct bl_program *, const struct bl_symbol *, struct bl_buf *);
    void (*body)(const struct bl_program *, const struct bl_symbol *, struct bl_buf *);
} sections[] = {
    {BL_SYMBOL_SETTING, "Settings", "| setting | type | default | bounds | what it is |",
     "|---|---|---|---|---|", setting_row, NULL},
    {BL_SYMBOL_VARIABLE, "Variables", "| variable | in GitHub | environment | what it is |",
     "|---|---|---|---|", outside_row, NULL},
    {BL_SYMBOL_SECRET, "Secrets", "| secret | in GitHub | environment | what it is |",
     "|---|---|---|---|", outside_row, NULL},
    {BL_SYMBOL_LABEL, "Labels", "| label | in GitHub | colour | group | description |",
     "|---|---|---|---|---|", label_row, NULL},
    {BL_SYMBOL_ENUM, "Enumerations", "| name | as declared | what it is |", "|---|---|---|",
     source_row, NULL},
    {BL_SYMBOL_RECORD, "Records", "| name | as declared | what it is |", "|---|---|---|",
     source_row, NULL},
    {BL_SYMBOL_STORE, "Stores", NULL, NULL, NULL, block_body},
    {BL_SYMBOL_ENTRY, "Entries", NULL, NULL, NULL, rule_body},
    {BL_SYMBOL_WORKFLOW, "Workflows", NULL, NULL, NULL, block_body},
    {BL_SYMBOL_JOB, "Jobs", NULL, NULL, NULL, block_body},
    {BL_SYMBOL_RULE, "Rules", NULL, NULL, NULL, rule_body},
    {BL_SYMBOL_SWEEP, "Sweeps", NULL, NULL, NULL, block_body},
    {BL_SYMBOL_STEP, "Steps", NULL, NULL, NULL, rule_body},
    {BL_SYMBOL_LIFECYCLE, "Lifecycles", NULL, NULL, NULL, block_body},
    {BL_SYMBOL_REPORT, "Reports", NULL, NULL, NULL, block_body},
    {BL_SYMBOL_COMMANDS, "Families of commands", NULL, NULL, NULL, block_body},
    {BL_SYMBOL_COMMAND, "Commands", NULL, NULL, NULL, block_body},
    {BL_SYMBOL_DECISION, "Decisions", NULL, NULL, NULL, decision_body},
    {BL_SYMBOL_CHECK, "Checks", NULL, NULL, NULL, check_body},
    {BL_SYMBOL_TASK, "Tasks", NULL, NULL, NULL, block_body},
    {BL_SYMBOL_ENGINE, "Engines", NULL, NULL, NULL, block_body},
    {BL_SYMBOL_COMMENT, "Comments", NULL, NULL, NULL, block_body},
    {BL_SYMBOL_PART, "Parts of comments", NULL, NULL, NULL, block_body},
    {BL_SYMBOL_FILE, "Files", NULL, NULL, NULL, block_body},
    {BL_SYMBOL_SECRETS, "Sets of secrets", NULL, NULL, NULL, block_body},
    {BL_SYMBOL_REDACTION, "Redactions", NULL, NULL, NULL, block_body},
    {BL_SYMBOL_LOCALE, "Languages", "| language | name | written | readers are | words like |",
     "|---|---|---|---|---|", locale_row, NULL},
    {BL_SYMBOL_ACTOR, "Actors", "| name | as declared | what it is |", "|---|---|---|",
     source_row, NULL},
    {BL_SYMBOL_DEFINE, "Definitions", "| name | as declared | what it is |", "|---|---|---|",
     source_row, NULL},
};

static void put_symbol(const struct bl_program *program, const struct section *section,
                       const struct bl_symbol *symbol, struct bl_buf *out)
{
    if (section->row != NULL) {
        BL_PUT(out, "| ");
        section->row(program, symbol, out);
        BL_PUT(out, " |\n");
        return;
    }
    put_heading(out, "###", symbol->name);
    put_doc(program, symbol, out);
    BL_PUT(out, "Declared as ");
    bl_show_code(out, bl_show_head(program, symbol->clause->node));
    BL_PUT(out, ".\n\n");
    section->body(program, symbol, out);
}

/* Languages count wherever they stand: they are those of the comments. */
static bool is_shown(const struct bl_program *program, const struct bl_symbol *symbol)
{
    return symbol->kind == BL_SYMBOL_LOCALE || bl_show_is_own(program, symbol);
}

static void put_section(const struct bl_program *program, const struct section *section,
                        struct bl_buf *out)
{
    const struct bl_symbol_list *list = &program->symbols[section->kind];

    size_t count = section->kind == BL_SYMBOL_LOCALE
                       ? list->count
                       : bl_show_own_count(program, section->kind);

    if (count == 0)
        return;
    bl_buf_printf(out, "## %s\n\n", section->title);
    if (section->columns != NULL)
        bl_buf_printf(out, "%s\n%s\n", section->columns, section->rule);
    for (size_t i = 0; i < list->count; i++) {
        if (is_shown(program, list->items[i]))
            put_symbol(program, section, list->items[i], out);
    }
    if (section->columns != NULL)
        BL_PUT(out, "\n");
}

/* The words at the top of a file of the policy itself; empty of every other one. */
static bl_str words_of(const struct bl_program *program, const struct bl_file *file)
{
    if (file->package == NULL || file->is_test ||
        !(file->package->is_root || file->package == program->product))
        return (bl_str){NULL, 0};
    return bl_show_file_doc(program, file);
}

/* The file that declares its package says what the policy is for. */
static bool introduces(const struct bl_file *file)
{
    return file->package->name.len == 0 || file->package->span.source == file->ast.source;
}

static void put_file_name(const struct bl_program *program, const struct bl_file *file,
                          struct bl_buf *out)
{
    static const bl_str end = {".policy", 7};
    bl_str path = bl_sources_get(program->sources, file->ast.source)->path;
    size_t from = path.len;

    while (from > 0 && path.ptr[from - 1] != '/')
        from--;
    path = bl_str_slice(path, from, path.len);
    if (bl_str_ends_with(path, end))
        path = bl_str_slice(path, 0, path.len - end.len);
    bl_show_code(out, path);
}

static void put_files(const struct bl_program *program, struct bl_buf *out)
{
    bool any = false;

    for (size_t i = 0; i < program->files.count; i++) {
        const struct bl_file *file = program->files.items[i];
        bl_str words = words_of(program, file);

        if (words.len == 0 || !introduces(file))
            continue;
        bl_show_prose(out, words);
        BL_PUT(out, "\n\n");
    }
    for (size_t i = 0; i < program->files.count; i++) {
        const struct bl_file *file = program->files.items[i];
        bl_str words = words_of(program, file);

        if (words.len == 0 || introduces(file))
            continue;
        if (!any)
            BL_PUT(out, "## Files\n\n");
        any = true;
        BL_PUT(out, "- ");
        put_file_name(program, file, out);
        BL_PUT(out, ": ");
        bl_show_prose(out, words);
        BL_PUT(out, "\n");
    }
    if (any)
        BL_PUT(out, "\n");
}

void bl_show_docs(const struct bl_program *program, struct bl_buf *out)
{
    put_heading(out, "#", bl_show_title(program));
    BL_PUT(out, "Made from the policy by `policyc --emit=docs`.\n\n");
    put_files(program, out);
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++)
        put_section(program, &sections[i], out);
    out->failed = out->failed || program->arena->failed;
}
