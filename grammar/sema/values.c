/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/checker.h"

/* Labels, groups, languages. */

/* ---- labels
 * ------------------------------------------------------------------------------------------ */

static bl_str read_color(struct bl_checker *c, struct bl_node *node)
{
    bl_str text = bl_sema_plain_text(c, node);
    char *lower = BL_NEW_ARRAY(c->arena, text.len + 1, char);
    bool good = text.len == 6;

    for (size_t i = 0; lower != NULL && i < text.len; i++) {
        lower[i] = bl_ascii_lower(text.ptr[i]);
        good &= bl_is_ascii_digit(lower[i]) || (lower[i] >= 'a' && lower[i] <= 'f');
    }
    if (!good) {
        struct bl_diagnostic *d = bl_sema_error(c, BL_D_BAD_COLOR, node->span);

        if (bl_str_starts_with(text, BL_STR("#")))
            bl_sema_help(c, d, "It stands without the '#'.");
        return (bl_str){NULL, 0};
    }
    return (bl_str){lower, text.len};
}

static void add_options(struct bl_checker *c, struct bl_label *label, struct bl_clause *clause)
{
    for (uint32_t i = 0; i < clause->slots[0].count; i++) {
        struct bl_node **slot = BL_PUSH(c->arena, label->options);

        bl_sema_plain_text(c, clause->slots[0].nodes[i]);
        if (slot != NULL)
            *slot = clause->slots[0].nodes[i];
    }
}

static void read_label_part(struct bl_checker *c, struct bl_symbol *symbol,
                            struct bl_clause *clause)
{
    struct bl_label *label = symbol->as.label;
    struct bl_node *node = bl_slot_node(clause, 0);

    if (clause->id == BL_CLAUSE_LABEL_COLOR) {
        label->color = read_color(c, node);
    } else if (clause->id == BL_CLAUSE_LABEL_GROUP) {
        label->group = bl_sema_find_kind(c, node, BL_SYMBOL_GROUP);
    } else if (clause->id == BL_CLAUSE_LABEL_DESCRIPTION) {
        label->description = node;
        bl_sema_type(c, node, BL_NO_TYPE);
    } else if (clause->id == BL_CLAUSE_LABEL_ASK) {
        bl_sema_expect(c, node, BL_TYPE_BOOL);
        if (node->kind != BL_NODE_BOOL)
            bl_sema_error(c, BL_D_NOT_CONSTANT, node->span);
        label->ask = node->number != 0;
    } else {
        add_options(c, label, clause);
    }
}

/* The declaration of a product first, then what packages that use it change. */
static void read_label(struct bl_checker *c, struct bl_symbol *symbol, struct bl_clause *clause)
{
    if (clause->overridden != NULL)
        read_label(c, symbol, clause->overridden);
    for (struct bl_clause *part = clause->block; part != NULL; part = part->next)
        read_label_part(c, symbol, part);
}

static void type_label(struct bl_checker *c, struct bl_symbol *symbol)
{
    struct bl_label *label = symbol->as.label;
    struct bl_symbol **slot;
    struct bl_body body;

    label->ask = true;
    label->shown = bl_sema_plain_text(c, bl_slot_node(symbol->clause, 1));
    bl_sema_body_begin(c, &body, symbol);
    read_label(c, symbol, symbol->clause);
    if (body.reads && body.first_read != NULL)
        bl_sema_error(c, BL_D_NOT_CONSTANT, body.first_read->span);
    bl_sema_body_end(c);
    if (label->group == NULL)
        return;
    slot = BL_PUSH(c->arena, label->group->as.group->labels);
    if (slot != NULL)
        *slot = symbol;
}

/* GitHub compares names of labels without case. */
static void check_label_names(struct bl_checker *c)
{
    const struct bl_symbol_list *labels = &c->program->symbols[BL_SYMBOL_LABEL];
    size_t capacity = 16;
    struct bl_symbol **table;

    while (capacity < labels->count * 2)
        capacity *= 2;
    table = BL_NEW_ARRAY(c->arena, capacity, struct bl_symbol *);
    for (size_t i = 0; table != NULL && i < labels->count; i++) {
        struct bl_symbol *label = labels->items[i];
        size_t at = (size_t)bl_str_hash_nocase(label->as.label->shown, 0) & (capacity - 1);

        while (table[at] != NULL &&
               !bl_str_equal_nocase(table[at]->as.label->shown, label->as.label->shown))
            at = (at + 1) & (capacity - 1);
        if (table[at] != NULL && label->as.label->shown.len > 0) {
            struct bl_diagnostic *d =
                bl_sema_error(c, BL_D_LABEL_SAME_NAME, bl_slot_node(label->clause, 1)->span);

            bl_sema_arg(c, d, "name", label->as.label->shown);
            bl_diagnostic_label(
                c->sink, d, table[at]->span,
                bl_sema_text(c, "'%.*s' is called so, too.", BL_STR_ARG(table[at]->name)));
        }
        table[at] = label;
    }
}

/* ---- languages
 * --------------------------------------------------------------------------------------- */

static void read_texts(struct bl_checker *c, struct bl_clause *clause, struct bl_str_list *list)
{
    for (uint32_t i = 0; i < clause->slots[0].count; i++) {
        bl_str *slot = BL_PUSH(c->arena, *list);

        if (slot != NULL)
            *slot = bl_sema_plain_text(c, clause->slots[0].nodes[i]);
    }
}

/* The day's pattern holds names of its own in braces: its words as they stand. */
static bl_str day_pattern(struct bl_checker *c, struct bl_node *node)
{
    bl_str text = bl_sema_source(c, node->span);

    return text.len >= 2 ? bl_str_slice(text, 1, text.len - 1) : text;
}

static bl_str read_written(struct bl_checker *c, const struct bl_node *node)
{
    static const char *const words[] = {"by_hand", "machine_draft"};
    struct bl_likeness like = bl_likeness_begin(node->text);
    struct bl_diagnostic *d;

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (bl_str_equal(node->text, bl_str_from(words[i])))
            return node->text;
        bl_likeness_consider(&like, bl_str_from(words[i]));
    }
    if (node->kind == BL_NODE_BROKEN)
        return (bl_str){NULL, 0};
    d = bl_sema_error(c, BL_D_UNKNOWN_KIND_NAME, node->span);
    bl_sema_arg(c, d, "kind", BL_STR("way to write a language"));
    bl_sema_arg(c, d, "name", node->text);
    bl_likeness_help(c, &like, d, node->span);
    return (bl_str){NULL, 0};
}

static void read_locale_part(struct bl_checker *c, struct bl_locale *locale,
                             struct bl_clause *clause)
{
    struct bl_node *node = bl_slot_node(clause, 0);

    if (clause->id == BL_CLAUSE_LOCALE_WRITTEN)
        locale->written = read_written(c, node);
    else if (clause->id == BL_CLAUSE_LOCALE_ADDRESS)
        locale->address = bl_sema_plain_text(c, node);
    else if (clause->id == BL_CLAUSE_LOCALE_DAY)
        locale->day = day_pattern(c, node);
    else if (clause->id == BL_CLAUSE_LOCALE_MONTHS)
        read_texts(c, clause, &locale->months);
    else if (clause->id == BL_CLAUSE_LOCALE_STOPWORDS)
        read_texts(c, clause, &locale->stopwords);
    if (clause->id == BL_CLAUSE_LOCALE_MONTHS && clause->slots[0].count != 12) {
        struct bl_diagnostic *d = bl_sema_error(c, BL_D_TWELVE_MONTHS, clause->node->span);

        bl_diagnostic_int(c->sink, d, "count", clause->slots[0].count);
    }
}

static struct bl_clause *part_of(const struct bl_symbol *locale, enum bl_clause_id id)
{
    struct bl_clause *part = locale->clause->block;

    while (part != NULL && part->id != id)
        part = part->next;
    return part;
}

static void check_months(struct bl_checker *c, const struct bl_symbol *symbol)
{
    const struct bl_locale *locale = symbol->as.locale;
    struct bl_diagnostic *d;

    if (bl_str_find(locale->day, BL_STR("{month}")) == SIZE_MAX ||
        part_of(symbol, BL_CLAUSE_LOCALE_MONTHS) != NULL)
        return;
    d = bl_sema_error(c, BL_D_MONTHS_MISSING,
                      part_of(symbol, BL_CLAUSE_LOCALE_DAY)->node->span);
    bl_sema_arg(c, d, "name", symbol->name);
}

static void check_stopword_count(struct bl_checker *c, const struct bl_symbol *symbol)
{
    struct bl_clause *part = part_of(symbol, BL_CLAUSE_LOCALE_STOPWORDS);
    struct bl_diagnostic *d;

    if (part == NULL || part->slots[0].count >= bl_limit(BL_LIMIT_STOPWORDS_MIN))
        return;
    d = bl_sema_error(c, BL_D_STOPWORDS_FEW, part->node->span);
    bl_diagnostic_int(c->sink, d, "limit", (int64_t)bl_limit(BL_LIMIT_STOPWORDS_MIN));
    bl_diagnostic_int(c->sink, d, "count", part->slots[0].count);
}

/* The words of all languages in one table; a word that is there belongs to another one, or
 * stands twice in this one. */
struct stopword {
    bl_str word;
    const struct bl_symbol *locale;
    struct bl_span span;
};

static void add_stopword(struct bl_checker *c, struct stopword *table, size_t capacity,
                         const struct stopword *word)
{
    size_t at = (size_t)bl_str_hash_nocase(word->word, 0) & (capacity - 1);

    while (table[at].locale != NULL && !bl_str_equal_nocase(table[at].word, word->word))
        at = (at + 1) & (capacity - 1);
    if (table[at].locale != NULL) {
        struct bl_diagnostic *d = bl_sema_error(c, BL_D_STOPWORD_SHARED, word->span);

        bl_sema_arg(c, d, "word", word->word);
        bl_sema_arg(c, d, "language", table[at].locale->name);
        bl_diagnostic_label(c->sink, d, table[at].span, BL_STR("It stands here."));
    }
    table[at] = *word;
}

static void check_stopwords(struct bl_checker *c)
{
    const struct bl_symbol_list *locales = &c->program->symbols[BL_SYMBOL_LOCALE];
    size_t count = 0;
    size_t capacity = 16;
    struct stopword *table;

    for (size_t i = 0; i < locales->count; i++) {
        check_stopword_count(c, locales->items[i]);
        count += locales->items[i]->as.locale->stopwords.count;
    }
    while (capacity < count * 2)
        capacity *= 2;
    table = BL_NEW_ARRAY(c->arena, capacity, struct stopword);
    for (size_t i = 0; table != NULL && i < locales->count; i++) {
        struct bl_clause *part = part_of(locales->items[i], BL_CLAUSE_LOCALE_STOPWORDS);
        const struct bl_str_list *words = &locales->items[i]->as.locale->stopwords;

        for (size_t w = 0; part != NULL && w < words->count; w++)
            add_stopword(c, table, capacity,
                         &(struct stopword){words->items[w], locales->items[i],
                                            part->slots[0].nodes[w]->span});
    }
}

static void type_locale(struct bl_checker *c, struct bl_symbol *symbol)
{
    struct bl_locale *locale = symbol->as.locale;
    struct bl_node *like = bl_slot_node(symbol->clause, 2);
    unsigned steps = 0;

    locale->shown = bl_sema_plain_text(c, bl_slot_node(symbol->clause, 1));
    if (like != NULL)
        locale->like = bl_sema_find_kind(c, like, BL_SYMBOL_LOCALE);
    for (struct bl_clause *part = symbol->clause->block; part != NULL; part = part->next)
        read_locale_part(c, locale, part);
    for (struct bl_symbol *at = locale->like; at != NULL; at = at->as.locale->like) {
        if (at == symbol || ++steps > bl_limit(BL_LIMIT_LOCALE_CHAIN)) {
            struct bl_diagnostic *d = bl_sema_error(c, BL_D_DEFINITION_CYCLE, like->span);

            bl_sema_arg(c, d, "name", symbol->name);
            locale->like = NULL;
            break;
        }
    }
    check_months(c, symbol);
}

void bl_sema_values(struct bl_checker *c)
{
    bl_sema_settings(c);
    for (size_t i = 0; i < c->program->symbols[BL_SYMBOL_LABEL].count; i++)
        type_label(c, c->program->symbols[BL_SYMBOL_LABEL].items[i]);
    check_label_names(c);
    for (size_t i = 0; i < c->program->symbols[BL_SYMBOL_LOCALE].count; i++)
        type_locale(c, c->program->symbols[BL_SYMBOL_LOCALE].items[i]);
    check_stopwords(c);
}
