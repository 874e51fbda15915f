/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/clause_slips.h"
#include "sema/foreign.h"

/* The rows that may stand in each block, made once for each file: a file has many clauses. */
struct candidates {
    uint16_t *ids;
    uint32_t count;
    bool free_beginning; /* a row takes any beginning */
    bool rows;           /* a row "=>" */
};

struct matcher {
    struct bl_arena *arena;
    struct bl_diagnostics *sink;
    struct bl_sources *sources;
    struct candidates blocks[BL_BLOCK_COUNT];
};

static void collect_candidates(struct matcher *m, enum bl_clause_block block)
{
    struct candidates *c = &m->blocks[block];

    if (c->ids != NULL)
        return;
    c->ids = BL_NEW_ARRAY(m->arena, BL_CLAUSE_COUNT, uint16_t);
    for (unsigned i = 0; c->ids != NULL && i < BL_CLAUSE_COUNT; i++) {
        const struct bl_clause_info *row = bl_clause_info((enum bl_clause_id)i);

        if (!bl_clause_block_takes(block, row->block))
            continue;
        c->ids[c->count++] = (uint16_t)i;
        c->free_beginning |= row->words.len == 0;
        c->rows |= bl_str_equal(row->words, BL_STR("=>"));
    }
}

/* ---- what is reported -----------------------------------------------------------------------
 */

static void add_text(struct matcher *m, struct bl_diagnostic *d, const char *name, bl_str value)
{
    bl_diagnostic_text(m->sink, d, name, value);
}

static void add_shape_help(struct matcher *m, struct bl_diagnostic *d,
                           const struct bl_clause_info *row)
{
    struct bl_buf buf;

    if (row->words.len == 0)
        return;
    bl_buf_init(&buf, m->arena, 1024);
    BL_PUT(&buf, "It is written: ");
    bl_shape_describe(row, &buf);
    bl_diagnostic_help(m->sink, d, bl_buf_str(&buf));
}

static bl_str quoted(struct matcher *m, bl_str word)
{
    struct bl_buf buf;

    bl_buf_init(&buf, m->arena, 256);
    bl_buf_put_char(&buf, '\'');
    for (size_t i = 0; i < word.len; i++) {
        if (word.ptr[i] == '|')
            BL_PUT(&buf, "' or '");
        else
            bl_buf_put_char(&buf, word.ptr[i]);
    }
    bl_buf_put_char(&buf, '\'');
    return bl_buf_str(&buf);
}

static struct bl_span place_of(const struct bl_fitting *f)
{
    struct bl_span span = f->clause->node->span;

    if (f->at < f->count)
        return f->items[f->at]->span;
    if (f->count > 0) {
        span = f->items[f->count - 1]->span;
        span.lo = span.hi;
    }
    return span;
}

static struct bl_diagnostic *start_report(struct matcher *m, const struct bl_fitting *f)
{
    struct bl_node *node = f->clause->node;
    struct bl_diagnostic *d;

    switch (f->misfit) {
    case BL_MISFIT_NONE:
    case BL_MISFIT_BROKEN:
        break;
    case BL_MISFIT_ENDS:
        d = bl_report(m->sink, BL_D_CLAUSE_ENDS, place_of(f));
        add_text(m, d, "wanted", f->wanted_word ? quoted(m, f->wanted) : f->wanted);
        return d;
    case BL_MISFIT_OTHER:
        if (f->wanted.len == 0)
            return bl_report(m->sink, BL_D_CLAUSE_NOTHING_MORE, place_of(f));
        d = bl_report(m->sink, BL_D_CLAUSE_OTHER, place_of(f));
        add_text(m, d, "wanted", f->wanted_word ? quoted(m, f->wanted) : f->wanted);
        return d;
    case BL_MISFIT_MANY:
        d = bl_report(m->sink, BL_D_CLAUSE_MANY_VALUES, place_of(f));
        bl_diagnostic_int(m->sink, d, "count", f->excess);
        return d;
    case BL_MISFIT_VALUE_MISSING:
        return bl_report(m->sink, BL_D_CLAUSE_NO_VALUE, place_of(f));
    case BL_MISFIT_VALUE:
        return bl_report(m->sink, BL_D_CLAUSE_VALUE, node->kids[1]->span);
    case BL_MISFIT_BLOCK_MISSING:
        return bl_report(m->sink, BL_D_CLAUSE_NO_BLOCK, place_of(f));
    case BL_MISFIT_BLOCK:
        return bl_report(m->sink, BL_D_CLAUSE_BLOCK,
                         (struct bl_span){node->kids[2]->span.lo, node->kids[2]->span.lo + 1,
                                          node->kids[2]->span.source});
    }
    return NULL;
}

/* `add labl bug`: a word that is nearly one of those that are asked for. */
static bool add_slip(struct matcher *m, struct bl_diagnostic *d, const struct bl_fitting *f)
{
    const struct bl_node *node = f->at < f->count ? f->items[f->at] : NULL;
    struct bl_likeness like;
    bl_str rest = f->wanted;
    struct bl_buf buf;

    if (f->misfit != BL_MISFIT_OTHER || !f->wanted_word || node == NULL ||
        node->kind != BL_NODE_NAME)
        return false;
    like = bl_likeness_begin(node->text);
    while (rest.len > 0) {
        size_t bar = bl_str_find_char(rest, '|');

        bl_likeness_consider(&like, bl_str_slice(rest, 0, bar));
        rest = bar == SIZE_MAX ? (bl_str){NULL, 0} : bl_str_slice(rest, bar + 1, rest.len);
    }
    if (like.best.len == 0)
        return false;
    bl_buf_init(&buf, m->arena, 256);
    bl_buf_printf(&buf, "Did you mean '%.*s'?", BL_STR_ARG(like.best));
    bl_diagnostic_help(m->sink, d, bl_buf_str(&buf));
    bl_diagnostic_fix(m->sink, d, node->span, like.best);
    return true;
}

static void report_misfit(struct matcher *m, const struct bl_fitting *f,
                          enum bl_clause_block block)
{
    const struct bl_clause_info *row = bl_clause_info(f->clause->id);
    struct bl_slips slips = {m->arena, m->sink, m->sources};
    struct bl_diagnostic *d;

    if (f->misfit != BL_MISFIT_BROKEN && bl_slip_report(&slips, block, f))
        return;
    d = start_report(m, f);
    if (d == NULL)
        return;
    add_text(m, d, "clause", row->words);
    if (f->misfit == BL_MISFIT_MANY)
        return; /* its own help says more: an operator or a comma */
    if (!add_slip(m, d, f) && !bl_slip_help(&slips, d, f))
        add_shape_help(m, d, row);
}

/* First word of a row that is near the word that stands there. */
static bl_str nearest_word(struct matcher *m, enum bl_clause_block block, bl_str word)
{
    const struct candidates *c = &m->blocks[block];
    unsigned best = word.len < 5 ? 2 : 3;
    bl_str found = {NULL, 0};

    for (uint32_t i = 0; i < c->count; i++) {
        bl_str words = bl_clause_info((enum bl_clause_id)c->ids[i])->words;
        bl_str first = bl_str_slice(words, 0, bl_str_find_char(words, ' '));
        unsigned distance = bl_str_distance(word, first, best);

        if (distance < best && first.len > 0) {
            best = distance;
            found = first;
        }
    }
    return found;
}

/* A block in which the word could stand, for the help; BL_BLOCK_COUNT when none. */
static enum bl_clause_block block_of_word(bl_str word)
{
    for (unsigned i = 0; i < BL_CLAUSE_COUNT; i++) {
        const struct bl_clause_info *row = bl_clause_info((enum bl_clause_id)i);

        if (bl_str_equal(bl_str_slice(row->words, 0, bl_str_find_char(row->words, ' ')), word))
            return row->block;
    }
    return BL_BLOCK_COUNT;
}

static bl_str second_word(bl_str words)
{
    size_t blank = bl_str_find_char(words, ' ');

    words = blank == SIZE_MAX ? (bl_str){NULL, 0} : bl_str_slice(words, blank + 1, words.len);
    return bl_str_slice(words, 0, bl_str_find_char(words, ' '));
}

/* `given user alice`: the first word may stand there, and what follows it may not. */
static void report_second(struct matcher *m, struct bl_node *phrase, enum bl_clause_block block)
{
    const struct candidates *c = &m->blocks[block];
    bl_str first = phrase->kids[0]->text;
    struct bl_span span = phrase->kids[0]->span;
    struct bl_buf help, words;
    struct bl_diagnostic *d;

    bl_buf_init(&help, m->arena, 512);
    bl_buf_init(&words, m->arena, 256);
    bl_buf_put(&words, first);
    if (phrase->kid_count > 1 && phrase->kids[1]->kind == BL_NODE_NAME) {
        bl_buf_printf(&words, " %.*s", BL_STR_ARG(phrase->kids[1]->text));
        span = bl_span_join(span, phrase->kids[1]->span);
    }
    d = bl_report(m->sink, BL_D_CLAUSE_UNKNOWN, span);
    add_text(m, d, "word", bl_buf_str(&words));
    add_text(m, d, "block", bl_clause_block_info(block)->name);
    for (uint32_t i = 0; i < c->count; i++) {
        bl_str row = bl_clause_info((enum bl_clause_id)c->ids[i])->words;
        bl_str second = second_word(row);

        if (second.len == 0 ||
            !bl_str_equal(bl_str_slice(row, 0, bl_str_find_char(row, ' ')), first))
            continue;
        bl_buf_put(&help, help.len == 0 ? BL_STR("Behind it stands ") : BL_STR(", "));
        bl_buf_printf(&help, "'%.*s'", BL_STR_ARG(second));
    }
    BL_PUT(&help, ".");
    bl_diagnostic_help(m->sink, d, bl_buf_str(&help));
}

/* As JSON has it: "on": "issues.opened", */
static bl_str help_without_quotes(struct matcher *m, bl_str word)
{
    struct bl_buf help;

    bl_buf_init(&help, m->arena, 256);
    bl_buf_printf(&help, "The word stands without quotes, and no ':' behind it: %.*s …",
                  BL_STR_ARG(word));
    return bl_buf_str(&help);
}

static void report_unknown(struct matcher *m, struct bl_node *node, enum bl_clause_block block)
{
    struct bl_node *first = node->kids[0]->kids[0];
    const struct bl_foreign *foreign;
    struct bl_diagnostic *d;
    struct bl_buf help;
    bl_str near;

    if (first->kind == BL_NODE_BROKEN)
        return;
    if (first->kind != BL_NODE_NAME && first->kind != BL_NODE_CALL) {
        d = bl_report(m->sink, BL_D_CLAUSE_BEGINNING, first->span);
        add_text(m, d, "block", bl_clause_block_info(block)->name);
        if (first->kind == BL_NODE_STRING && bl_block_knows(block, first->text))
            bl_diagnostic_help(m->sink, d, help_without_quotes(m, first->text));
        return;
    }
    foreign = bl_foreign_clause(block, first->text);
    near = foreign == NULL ? nearest_word(m, block, first->text) : (bl_str){NULL, 0};
    if (bl_str_equal(near, first->text)) {
        report_second(m, node->kids[0], block);
        return;
    }
    d = bl_report(m->sink, BL_D_CLAUSE_UNKNOWN, first->span);
    add_text(m, d, "word", first->text);
    add_text(m, d, "block", bl_clause_block_info(block)->name);
    bl_buf_init(&help, m->arena, 256);
    if (foreign != NULL) {
        bl_foreign_help(m->sink, d, foreign, first->span);
    } else if (near.len > 0) {
        bl_buf_printf(&help, "Did you mean '%.*s'?", BL_STR_ARG(near));
        bl_diagnostic_fix(m->sink, d, first->span, near);
    } else if (block_of_word(first->text) != BL_BLOCK_COUNT) {
        bl_str name = bl_clause_block_info(block_of_word(first->text))->name;

        bl_buf_printf(&help, "It stands in %.*s.", BL_STR_ARG(name));
    }
    if (help.len > 0)
        bl_diagnostic_help(m->sink, d, bl_buf_str(&help));
}

/* ---- matching -------------------------------------------------------------------------------
 */

static struct bl_clause *match_block(struct matcher *m, struct bl_node *block,
                                     enum bl_clause_block kind);

/* How many elements the words of the row take; 0 when they do not stand there. */
static uint32_t words_fit(bl_str words, const struct bl_node *phrase)
{
    uint32_t count = 0;

    /* Most rows begin with another letter. */
    if (words.len > 0 && phrase->kid_count > 0 && phrase->kids[0]->text.len > 0 &&
        phrase->kids[0]->text.ptr[0] != words.ptr[0])
        return 0;
    while (words.len > 0) {
        size_t blank = bl_str_find_char(words, ' ');
        bl_str word = bl_str_slice(words, 0, blank);

        if (count >= phrase->kid_count || phrase->kids[count]->kind != BL_NODE_NAME ||
            !bl_str_equal(phrase->kids[count]->text, word))
            return 0;
        count++;
        words =
            blank == SIZE_MAX ? (bl_str){NULL, 0} : bl_str_slice(words, blank + 1, words.len);
    }
    return count;
}

static struct bl_fitting try_row(struct matcher *m, struct bl_node *node,
                                 enum bl_clause_block block, enum bl_clause_id id,
                                 uint32_t from)
{
    const struct bl_clause_info *row = bl_clause_info(id);
    struct bl_clause *clause = BL_NEW(m->arena, struct bl_clause);
    struct bl_fitting f = {.clause = clause,
                           .arena = m->arena,
                           .shape = row->shape,
                           .inner = bl_clause_block_info(block)->inner};

    if (clause == NULL) {
        f.misfit = BL_MISFIT_BROKEN;
        return f;
    }
    clause->id = id;
    clause->node = node;
    if (bl_shape_fit(&f, from))
        f.misfit = BL_MISFIT_NONE;
    return f;
}

/* Of the rows whose words stand there: the first of those with the most words that fits, else
 * the one that came furthest. */
static struct bl_clause *match_one(struct matcher *m, struct bl_node *node,
                                   enum bl_clause_block block)
{
    const struct candidates *c = &m->blocks[block];
    struct bl_fitting best = {.clause = NULL};
    uint32_t most = 0;
    bool row = node->kind == BL_NODE_ROW;

    for (uint32_t i = 0; i < c->count && !row; i++) {
        uint32_t words =
            words_fit(bl_clause_info((enum bl_clause_id)c->ids[i])->words, node->kids[0]);

        most = words > most ? words : most;
    }
    for (uint32_t i = 0; i < c->count; i++) {
        enum bl_clause_id id = (enum bl_clause_id)c->ids[i];
        bl_str words = bl_clause_info(id)->words;
        bool is_row = bl_str_equal(words, BL_STR("=>"));
        struct bl_fitting f;

        if (row != is_row || (!row && words_fit(words, node->kids[0]) != most) ||
            (!row && (most > 0) != (words.len > 0)))
            continue;
        f = try_row(m, node, block, id, most);
        if (f.clause == NULL)
            return NULL;
        if (f.misfit == BL_MISFIT_NONE)
            return f.clause;
        if (best.clause == NULL || f.reached > best.reached)
            best = f;
    }
    if (best.clause != NULL)
        report_misfit(m, &best, block);
    return NULL;
}

static struct bl_clause *match_clause(struct matcher *m, struct bl_node *node,
                                      enum bl_clause_block block)
{
    const struct candidates *c = &m->blocks[block];
    struct bl_clause *clause;

    if (node->kid_count == 0 || node->kids[0] == NULL || node->kids[0]->kid_count == 0)
        return NULL;
    if (node->kind == BL_NODE_ROW && !c->rows) {
        struct bl_diagnostic *d = bl_report(m->sink, BL_D_CLAUSE_ROW, node->span);

        add_text(m, d, "block", bl_clause_block_info(block)->name);
        return NULL;
    }
    if (node->kind == BL_NODE_CLAUSE && !c->free_beginning) {
        bool known = false;

        for (uint32_t i = 0; i < c->count && !known; i++)
            known = words_fit(bl_clause_info((enum bl_clause_id)c->ids[i])->words,
                              node->kids[0]) > 0;
        if (!known) {
            report_unknown(m, node, block);
            return NULL;
        }
    }
    clause = match_one(m, node, block);
    if (clause == NULL)
        return NULL;
    if (clause->inner_node != NULL) {
        collect_candidates(m, BL_BLOCK_EFFECTS);
        clause->inner = match_clause(m, clause->inner_node, BL_BLOCK_EFFECTS);
        return clause->inner != NULL ? clause : NULL;
    }
    if (clause->has_block)
        clause->block = match_block(m, node->kids[2], clause->block_kind);
    return clause;
}

/* Clauses that must stand, or may stand once. */
static void check_counts(struct matcher *m, const struct bl_clause *first,
                         struct bl_node *block, enum bl_clause_block kind, bool complete)
{
    const struct candidates *c = &m->blocks[kind];

    for (uint32_t i = 0; i < c->count; i++) {
        enum bl_clause_id id = (enum bl_clause_id)c->ids[i];
        const struct bl_clause_info *row = bl_clause_info(id);
        const struct bl_clause *seen = NULL;
        struct bl_diagnostic *d;

        if (row->often == BL_OFTEN_MANY)
            continue;
        for (const struct bl_clause *at = first; at != NULL; at = at->next) {
            if (at->id != id)
                continue;
            if (seen != NULL && row->often != BL_OFTEN_SOME) {
                d = bl_report(m->sink, BL_D_CLAUSE_TWICE, at->node->kids[0]->span);
                add_text(m, d, "clause", row->words);
                add_text(m, d, "block", bl_clause_block_info(kind)->name);
                bl_diagnostic_label(m->sink, d, seen->node->kids[0]->span,
                                    BL_STR("It stands here first."));
            }
            seen = seen == NULL ? at : seen;
        }
        if (seen != NULL || !complete || row->often == BL_OFTEN_ONCE)
            continue;
        d = bl_report(m->sink, BL_D_CLAUSE_MISSING,
                      (struct bl_span){block->span.lo, block->span.lo + 1, block->span.source});
        add_text(m, d, "clause", row->words.len > 0 ? quoted(m, row->words) : row->doc);
        add_text(m, d, "block", bl_clause_block_info(kind)->name);
        add_shape_help(m, d, row);
    }
}

static struct bl_clause *match_block(struct matcher *m, struct bl_node *block,
                                     enum bl_clause_block kind)
{
    struct bl_clause *first = NULL;
    struct bl_clause **tail = &first;
    bool complete = true;

    collect_candidates(m, kind);
    for (uint32_t i = 0; i < block->kid_count; i++) {
        struct bl_clause *clause;

        if (block->kids[i]->kind != BL_NODE_CLAUSE && block->kids[i]->kind != BL_NODE_ROW) {
            complete = false; /* broken: what is missing may stand in it */
            continue;
        }
        clause = match_clause(m, block->kids[i], kind);
        if (clause == NULL) {
            complete = false;
            continue;
        }
        *tail = clause;
        tail = &clause->next;
    }
    check_counts(m, first, block, kind, complete);
    return first;
}

struct bl_clause *bl_clauses_match(struct bl_arena *arena, struct bl_sources *sources,
                                   struct bl_diagnostics *sink, struct bl_node *block,
                                   enum bl_clause_block kind)
{
    struct matcher m = {.arena = arena, .sink = sink, .sources = sources};

    return match_block(&m, block, kind);
}
