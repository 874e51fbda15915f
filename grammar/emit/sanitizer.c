/* SPDX-License-Identifier: Apache-2.0 */
#include "emit/lowering.h"
#include "spec/cleaning.h"

/* A sanitizer is a function: the steps that ask for no Markdown are builtins in the order in
 * which they are written; then the parts of the text are asked for, each is decided by the rows
 * of its class, and CLEAN writes the result. A decision is the number of the row; -1 when none
 * holds. */

#define NUMBER_LIST BL_LIST_OF(BL_TYPE_INT)

struct row {
    struct bl_clause *clause;
    const struct bl_cleaner *cleaner; /* whose names the condition uses */
    enum bl_clean_class kind;
};

struct cleaner {
    struct bl_body body;
    struct bl_module_sanitizer table;
    uint32_t number;   /* of the sanitizer */
    unsigned text;     /* register of the text in hand */
    unsigned patterns; /* and of the list of what was stripped */
    unsigned seen;     /* and of the numbers that were looked up, */
    unsigned count;    /* so many */
    BL_VEC(struct row) rows;
    BL_VEC(struct bl_module_clean_row) words;
};

static const struct {
    const char *word;
    enum bl_clause_id clause;
} words[] = {
#define BL_CLEAN_WORD(id, clause, word, doc) {word, BL_CLAUSE_CLEAN_##clause},
#include "spec/cleaning.def"
#undef BL_CLEAN_WORD
};

/* ---- the steps on text alone ------------------------------------------------------------- */

static void call_text(struct cleaner *s, enum bl_builtin builtin, const unsigned *args,
                      size_t count, struct bl_span span)
{
    unsigned result = bl_lower_builtin(&s->body, builtin, BL_TYPE_UNTRUSTED, args, count, span);

    bl_put(&s->body, BL_OP_MOVE, s->text, result, 0, span);
}

static void lower_strip(struct cleaner *s, const struct bl_clause *clause)
{
    struct bl_node *except = bl_slot_node(clause, 1);

    for (uint32_t i = 0; i < clause->slots[0].count; i++) {
        size_t mark = bl_code_mark(s->body.code);
        unsigned args[3] = {s->text,
                            bl_lower_as(&s->body, clause->slots[0].nodes[i], BL_TYPE_PATTERN)};

        bl_put(&s->body, BL_OP_PUSH, s->patterns, args[1], 0, clause->node->span);
        if (except != NULL)
            args[2] = bl_lower_as(&s->body, except, BL_TYPE_PATTERN);
        call_text(s, except != NULL ? BL_BUILTIN_STRIP_EXCEPT : BL_BUILTIN_STRIP, args,
                  except != NULL ? 3 : 2, clause->node->span);
        bl_code_release(s->body.code, mark);
    }
}

static void lower_cut(struct cleaner *s, const struct bl_clause *clause)
{
    size_t mark = bl_code_mark(s->body.code);
    unsigned args[2] = {s->text, bl_lower_as(&s->body, bl_slot_node(clause, 0), BL_TYPE_INT)};

    call_text(s, BL_BUILTIN_CUT_SHORT, args, 2, clause->node->span);
    bl_code_release(s->body.code, mark);
}

/* ---- rows -------------------------------------------------------------------------------- */

static void note_word(struct cleaner *s, const struct bl_clause *clause, bl_str word)
{
    for (uint32_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (words[i].clause != clause->id || !bl_str_equal(bl_str_from(words[i].word), word))
            continue;
        struct bl_module_clean_row *row = BL_PUSH(s->body.e->arena, s->words);
        if (row != NULL)
            *row = (struct bl_module_clean_row){.word = i,
                                                .kind = BL_NONE,
                                                .source = clause->node->span.source,
                                                .lo = clause->node->span.lo,
                                                .hi = clause->node->span.hi};
    }
}

static void note_words(struct cleaner *s, const struct bl_clause *clause)
{
    for (uint32_t i = 0; i < clause->slots[0].count; i++)
        note_word(s, clause, clause->slots[0].nodes[i]->text);
}

static void note_row(struct cleaner *s, struct bl_clause *clause,
                     const struct bl_cleaner *cleaner)
{
    bl_str name = bl_clause_info(clause->id)->words;

    for (unsigned kind = 0; kind < BL_CLASS_COUNT; kind++) {
        struct row *row;
        if (!bl_str_equal(bl_clean_class_name((enum bl_clean_class)kind), name))
            continue;
        row = BL_PUSH(s->body.e->arena, s->rows);
        if (row != NULL)
            *row = (struct row){clause, cleaner, (enum bl_clean_class)kind};
    }
}

static void lower_steps(struct cleaner *s, const struct bl_symbol *symbol)
{
    for (struct bl_clause *clause = symbol->clause->block; clause != NULL;
         clause = clause->next) {
        enum bl_clause_id id = clause->id;

        if (id == BL_CLAUSE_CLEAN_STRIP)
            lower_strip(s, clause);
        else if (id == BL_CLAUSE_CLEAN_TRIM)
            call_text(s, BL_BUILTIN_TRIM, &s->text, 1, clause->node->span);
        else if (id == BL_CLAUSE_CLEAN_ONE_LINE)
            call_text(s, BL_BUILTIN_ONE_LINE, &s->text, 1, clause->node->span);
        else if (id == BL_CLAUSE_CLEAN_CUT)
            lower_cut(s, clause);
        else if (id == BL_CLAUSE_CLEAN_LIKE) /* sema saw that the other one comes first */
            lower_steps(s, clause->slots[0].nodes[0]->symbol);
        else if (id == BL_CLAUSE_CLEAN_REREAD)
            note_word(s, clause, BL_STR(""));
        else if (id == BL_CLAUSE_CLEAN_CODE || id == BL_CLAUSE_CLEAN_DRAWN ||
                 id == BL_CLAUSE_CLEAN_REMOVE || id == BL_CLAUSE_CLEAN_ESCAPE)
            note_words(s, clause);
        else
            note_row(s, clause, symbol->as.cleaner);
    }
}

/* ---- decisions --------------------------------------------------------------------------- */

/* The number of a reference, or of the address in a link, which may have none: on at `without`
 * then. */
static unsigned number_of(struct cleaner *s, unsigned part, bool link, unsigned without,
                          struct bl_span span)
{
    struct bl_body *body = &s->body;
    struct bl_code *code = body->code;

    if (!link)
        return bl_lower_field(body, part, BL_FIELD_REFERENCE_PART_NUMBER, span);
    unsigned maybe = bl_lower_field(body, part, BL_FIELD_LINK_PART_NUMBER, span);
    unsigned known = bl_code_register(code, BL_TYPE_BOOL);
    unsigned number = bl_code_register(code, BL_TYPE_INT);
    bl_put(body, BL_OP_IS_SET, known, maybe, 0, span);
    bl_code_jump(code, BL_OP_JUMP_UNLESS, known, without, span);
    bl_put(body, BL_OP_REQUIRE, number, maybe, 0, span);
    return number;
}

/* `looks_up N`: the row holds for at most N different numbers that were not asked before, in a
 * text with its links, addresses and references. */
static void count_look_up(struct cleaner *s, struct bl_node *most, unsigned part, bool link,
                          unsigned next)
{
    struct bl_body *body = &s->body;
    struct bl_code *code = body->code;
    unsigned behind = bl_code_target(code);
    unsigned number = number_of(s, part, link, behind, most->span);
    unsigned known = bl_code_register(code, BL_TYPE_BOOL);
    unsigned seen = s->seen, count = s->count;

    bl_put(body, BL_OP_IN, known, number, seen, most->span);
    bl_code_jump(code, BL_OP_JUMP_IF, known, behind, most->span);
    unsigned limit = bl_lower_as(body, most, BL_TYPE_INT);
    bl_put(body, BL_OP_LT, known, count, limit, most->span);
    bl_code_jump(code, BL_OP_JUMP_UNLESS, known, next, most->span);
    unsigned one = bl_const_number(body, BL_TYPE_INT, 1, most->span);
    bl_put(body, BL_OP_ADD, count, count, one, most->span);
    bl_put(body, BL_OP_PUSH, seen, number, 0, most->span);
    bl_code_place(code, behind);
}

struct decisions {
    bool links; /* of link parts: LINK or ADDRESS; else of references */
    enum bl_clean_class kind;
    unsigned element, list;
};

static void lower_row(struct cleaner *s, const struct decisions *d, const struct row *row,
                      uint32_t number, unsigned again)
{
    struct bl_body *body = &s->body;
    struct bl_code *code = body->code;
    struct bl_node *condition = bl_slot_node(row->clause, 1);
    struct bl_node *most = bl_slot_node(row->clause, 2);
    struct bl_span span = row->clause->node->span;
    size_t mark = bl_code_mark(code);
    unsigned next = bl_code_target(code);

    if (!d->links) {
        bl_type kinds = BL_TYPE_MAKE(BL_TYPE_ENUM, BL_ENUM_PART_KIND);
        unsigned kind = bl_lower_field(body, d->element, BL_FIELD_REFERENCE_PART_KIND, span);
        unsigned wanted = bl_const_number(body, kinds, (int64_t)row->kind, span);
        unsigned same = bl_code_register(code, BL_TYPE_BOOL);
        bl_put(body, BL_OP_EQ, same, kind, wanted, span);
        bl_code_jump(code, BL_OP_JUMP_UNLESS, same, next, span);
    }
    bl_body_local(body, d->links ? row->cleaner->link : row->cleaner->ref, d->element);
    if (most != NULL)
        count_look_up(s, most, d->element, d->links, next);
    if (condition != NULL)
        bl_lower_condition(body, condition, false, next);
    bl_put(body, BL_OP_PUSH, d->list, bl_const_number(body, BL_TYPE_INT, number, span), 0,
           span);
    bl_code_jump(code, BL_OP_JUMP, 0, again, span);
    bl_code_place(code, next);
    bl_code_release(code, mark);
}

static bool concerns(const struct decisions *d, const struct row *row)
{
    bool link = row->kind == BL_CLASS_LINK || row->kind == BL_CLASS_ADDRESS;

    return d->links ? row->kind == d->kind : !link;
}

/* A list of decisions for the parts that the builtin gives. `links`: the decisions about links,
 * or 0. */
static void decide(struct cleaner *s, struct decisions *d, enum bl_builtin builtin,
                   unsigned links)
{
    struct bl_body *body = &s->body;
    struct bl_code *code = body->code;
    struct bl_span span = body->span;
    bl_type part =
        BL_TYPE_MAKE(BL_TYPE_ENTITY, d->links ? BL_ENTITY_LINK_PART : BL_ENTITY_REFERENCE_PART);
    unsigned args[4] = {s->text, s->patterns,
                        bl_const_number(body, BL_TYPE_INT, s->number, span), links};

    bl_put(body, BL_OP_LIST, d->list, 0, 0, span);
    if (s->table.reads_markdown == 0)
        return;
    size_t mark = bl_code_mark(code);
    d->element = bl_code_register(code, part);
    unsigned list = bl_code_loop_list(code, BL_LIST_OF(part));
    unsigned found = bl_lower_builtin(body, builtin, BL_LIST_OF(part), args,
                                      builtin == BL_BUILTIN_CLEAN_LINKS ? 3 : 4, span);
    bl_put(body, BL_OP_MOVE, list, found, 0, span);
    struct bl_code_loop loop = bl_code_loop_begin(code, list, d->element, span);
    for (size_t i = 0; i < s->rows.count; i++) {
        if (concerns(d, &s->rows.items[i]))
            lower_row(s, d, &s->rows.items[i], (uint32_t)(s->words.count + i), loop.again);
    }
    bl_put(body, BL_OP_PUSH, d->list, bl_const_number(body, BL_TYPE_INT, -1, span), 0, span);
    bl_code_loop_end(code, &loop, span);
    bl_code_release(code, mark);
}

/* ---- the function ------------------------------------------------------------------------ */

static enum bl_clean_action action_of(const struct bl_clause *clause)
{
    for (unsigned action = 0; action < BL_ACTION_COUNT; action++) {
        if (bl_str_equal(bl_clean_action_name((enum bl_clean_action)action),
                         clause->slots[0].nodes[0]->text))
            return (enum bl_clean_action)action;
    }
    return BL_ACTION_CODE;
}

/* The rows of the table: words, then decisions. They follow those of the sanitizer before. */
static void add_rows(struct cleaner *s)
{
    struct bl_builder *b = s->body.e->b;

    s->table.first_row = (uint32_t)b->CLEAN_ROWS.count;
    s->table.count = (uint32_t)(s->words.count + s->rows.count);
    for (size_t i = 0; i < s->words.count; i++)
        bl_add_CLEAN_ROWS(b, s->words.items[i]);
    for (size_t i = 0; i < s->rows.count; i++) {
        const struct bl_clause *clause = s->rows.items[i].clause;
        bl_add_CLEAN_ROWS(b, (struct bl_module_clean_row){.word = BL_NONE,
                                                          .kind = s->rows.items[i].kind,
                                                          .action = action_of(clause),
                                                          .source = clause->node->span.source,
                                                          .lo = clause->node->span.lo,
                                                          .hi = clause->node->span.hi});
    }
}

/* Where readers see Markdown, what GitHub would link is looked for also when no row names it.
 */
static bool reads_markdown(const struct cleaner *s)
{
    const unsigned plain = 1u << BL_PLACE_PROMPT | 1u << BL_PLACE_ARGUMENT;

    return s->rows.count + s->words.count > 0 || (s->table.places & ~plain) != 0;
}

uint32_t bl_emit_sanitizer(struct bl_emitter *e, struct bl_symbol *symbol)
{
    if (symbol->emit[0] != 0)
        return symbol->emit[0] - 1;
    bl_type result = BL_TYPE_MAKE(BL_TYPE_CLEAN, symbol->as.cleaner->places);
    struct cleaner s = {.body =
                            bl_body_begin(e, symbol->name, BL_FUNCTION_PURE, result, BL_NONE)};
    struct bl_body *body = &s.body;
    struct bl_span at = symbol->span;
    const bl_type types[BL_CLEAN_REGISTERS] = {BL_TYPE_UNTRUSTED, BL_LIST_OF(BL_TYPE_PATTERN),
                                               NUMBER_LIST, NUMBER_LIST, NUMBER_LIST};

    body->span = at;
    unsigned given = bl_code_param(body->code, BL_TYPE_UNTRUSTED);
    unsigned first = bl_code_range(body->code, types, BL_CLEAN_REGISTERS);
    s.text = first;
    s.patterns = first + 1;
    bl_put(body, BL_OP_MOVE, s.text, given, 0, at);
    bl_put(body, BL_OP_LIST, s.patterns, 0, 0, at);
    lower_steps(&s, symbol);
    s.table = (struct bl_module_sanitizer){.name = bl_builder_string(e->b, symbol->name),
                                           .places = symbol->as.cleaner->places};
    s.table.reads_markdown = reads_markdown(&s);
    add_rows(&s);
    s.number = bl_add_SANITIZERS(e->b, s.table);
    s.seen = bl_code_register(body->code, NUMBER_LIST);
    s.count = bl_code_register(body->code, BL_TYPE_INT);
    bl_put(body, BL_OP_LIST, s.seen, 0, 0, at);
    bl_put(body, BL_OP_CONST, s.count, 0, bl_builder_number(e->b, BL_TYPE_INT, 0), at);
    struct decisions links = {.links = true, .kind = BL_CLASS_LINK, .list = first + 2};
    struct decisions addresses = {.links = true, .kind = BL_CLASS_ADDRESS, .list = first + 3};
    struct decisions references = {.list = first + 4};
    decide(&s, &links, BL_BUILTIN_CLEAN_LINKS, 0);
    decide(&s, &addresses, BL_BUILTIN_CLEAN_ADDRESSES, first + 2);
    decide(&s, &references, BL_BUILTIN_CLEAN_REFERENCES, first + 2);
    unsigned clean = bl_code_register(body->code, result);
    bl_put(body, BL_OP_CLEAN, clean, first, s.number, at);
    bl_put(body, BL_OP_RETURN, 0, clean, 0, at);
    uint32_t index = bl_body_end(body);
    symbol->emit[0] = index + 1;
    return index;
}

unsigned bl_lower_cleaner(struct bl_body *body, struct bl_node *node)
{
    struct bl_symbol *symbol = node->symbol;
    bl_type result = BL_TYPE_MAKE(BL_TYPE_CLEAN, symbol->as.cleaner->places);
    const bl_type untrusted = BL_TYPE_UNTRUSTED;
    uint32_t function = bl_emit_sanitizer(body->e, symbol);
    unsigned out = bl_code_register(body->code, result);
    size_t mark = bl_code_mark(body->code);
    unsigned first = bl_code_range(body->code, &untrusted, 1);

    bl_lower_into(body, node->kids[0], first);
    bl_put(body, BL_OP_CALL, out, first, function, node->span);
    bl_code_release(body->code, mark);
    return out;
}
