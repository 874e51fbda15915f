/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/clause_shape.h"

/* ---- items of a shape ---------------------------------------------------------------------
 */

enum item_kind {
    ITEM_END,
    ITEM_SLOT,
    ITEM_WORDS,
    ITEM_COLON,
    ITEM_VALUE,
    ITEM_ARROW,
    ITEM_BLOCK,
    ITEM_OPTION
};

struct item {
    enum item_kind kind;
    char letter;     /* SLOT */
    char repeat;     /* '*', '+' or 0 */
    bl_str text;     /* WORDS, BLOCK, OPTION: what stands inside */
    const char *end; /* behind it */
};

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static const char *skip_blanks(const char *p, const char *end)
{
    while (p < end && *p == ' ')
        p++;
    return p;
}

/* The shapes are rows of our own table: brackets match. */
static const char *closing(const char *p, const char *end)
{
    unsigned depth = 0;

    for (; p < end; p++) {
        if (*p == '[')
            depth++;
        else if (*p == ']' && --depth == 0)
            break;
    }
    return p;
}

static struct item next_item(const char *p, const char *end)
{
    struct item item = {.kind = ITEM_END, .end = end};
    const char *from;

    p = skip_blanks(p, end);
    if (p == end)
        return item;
    from = p;
    if (*p == '[') {
        p = closing(p, end);
        item.kind = ITEM_OPTION;
        item.text = (bl_str){from + 1, (size_t)(p - from - 1)};
        p++;
    } else if (*p == '{') {
        while (p < end && *p != '}')
            p++;
        item.kind = ITEM_BLOCK;
        item.text = (bl_str){from + 1, (size_t)(p - from - 1)};
        p++;
    } else if (*p == ':') {
        item.kind = ITEM_COLON;
        p++;
    } else if (*p == '=') {
        p++;
        item.kind = p < end && *p == '>' ? ITEM_ARROW : ITEM_VALUE;
        p += item.kind == ITEM_ARROW;
    } else if (is_upper(*p)) {
        item.kind = ITEM_SLOT;
        item.letter = *p++;
        if (p < end && (*p == '*' || *p == '+'))
            item.repeat = *p++;
    } else {
        while (p < end && *p != ' ' && *p != ']')
            p++;
        item.kind = ITEM_WORDS;
        item.text = (bl_str){from, (size_t)(p - from)};
    }
    item.end = p;
    return item;
}

/* Is the word one of the alternatives "a|b|c"? Its number, or -1. */
static int alternative(bl_str words, bl_str word)
{
    int number = 0;

    for (;;) {
        size_t bar = bl_str_find_char(words, '|');

        if (bl_str_equal(bl_str_slice(words, 0, bar), word))
            return number;
        if (bar == SIZE_MAX)
            return -1;
        words = bl_str_slice(words, bar + 1, words.len);
        number++;
    }
}

static bool has_alternatives(bl_str words)
{
    return bl_str_find_char(words, '|') != SIZE_MAX;
}

/* Does the rest of the shape have this word? Then no slot takes it. */
static bool word_follows(const char *p, const char *end, bl_str word)
{
    while (p < end) {
        const char *from;

        while (p < end && !(*p >= 'a' && *p <= 'z'))
            p++;
        from = p;
        while (p < end && *p != ' ' && *p != ']')
            p++;
        if (p > from && alternative((bl_str){from, (size_t)(p - from)}, word) >= 0)
            return true;
    }
    return false;
}

static unsigned count_slots(bl_str shape)
{
    unsigned count = 0;

    for (size_t i = 0; i < shape.len; i++) {
        if (shape.ptr[i] == '{') {
            while (i < shape.len && shape.ptr[i] != '}')
                i++;
        } else if (is_upper(shape.ptr[i])) {
            count++;
        } else if (shape.ptr[i] == '|' && (i == 0 || shape.ptr[i - 1] != '|')) {
            /* An alternative is a slot, too; its further bars belong to it. */
            while (i + 1 < shape.len && shape.ptr[i + 1] != ' ' && shape.ptr[i + 1] != ']')
                i++;
            count++;
        }
    }
    return count;
}

/* What a letter stands for: "a value". */
static bl_str letter_words(char letter)
{
    switch (letter) {
    case 'C':
        return BL_STR("a condition");
    case 'S':
        return BL_STR("a text in quotes");
    case 'N':
    case 'D':
    case 'H':
        return BL_STR("a name");
    case 'P':
        return BL_STR("a name");
    case 'T':
        return BL_STR("a type");
    case 'Q':
        return BL_STR("'each x in' and a list");
    case 'M':
        return BL_STR("a message");
    case 'K':
        return BL_STR("the name of a comment, part or entry");
    case 'U':
        return BL_STR("a login");
    case 'R':
        return BL_STR("an effect");
    default:
        return BL_STR("a value");
    }
}

/* ---- elements ------------------------------------------------------------------------------
 */

static bool is_path(const struct bl_node *node)
{
    while (node->kind == BL_NODE_FIELD && node->kid_count > 0)
        node = node->kids[0];
    return node->kind == BL_NODE_NAME;
}

/* A lint rule's name, `dead-row`, reads as a subtraction. */
static bool is_hyphened(const struct bl_node *node)
{
    while (node->kind == BL_NODE_ARITHMETIC && node->op == BL_OPERATOR_SUB &&
           node->kids[1]->kind == BL_NODE_NAME)
        node = node->kids[0];
    return node->kind == BL_NODE_NAME;
}

/* May the letter take this one expression? */
static bool letter_takes(char letter, const struct bl_node *node)
{
    switch (letter) {
    case 'S':
        return node->kind == BL_NODE_STRING;
    case 'N':
        return node->kind == BL_NODE_NAME;
    case 'D':
    case 'M':
    case 'K':
        return node->kind == BL_NODE_NAME || node->kind == BL_NODE_CALL;
    case 'P':
        return is_path(node);
    case 'H':
        return is_hyphened(node);
    case 'U':
        return node->kind == BL_NODE_NAME || node->kind == BL_NODE_STRING;
    case 'Q':
        return node->kind == BL_NODE_EACH;
    default:
        return node->kind != BL_NODE_COLON && node->kind != BL_NODE_PARAMETER;
    }
}

/* ---- fitting -------------------------------------------------------------------------------
 */

static bool misfit(struct bl_fitting *f, enum bl_misfit why, bl_str wanted, bool word)
{
    if (f->misfit == BL_MISFIT_NONE) {
        f->misfit = why;
        f->wanted = wanted;
        f->wanted_word = word;
    }
    return false;
}

static bool missing(struct bl_fitting *f, bl_str wanted, bool word)
{
    if (f->at < f->count && f->items[f->at]->kind == BL_NODE_BROKEN)
        return misfit(f, BL_MISFIT_BROKEN, wanted, word);
    return misfit(f, f->at < f->count ? BL_MISFIT_OTHER : BL_MISFIT_ENDS, wanted, word);
}

static void take(struct bl_fitting *f, struct bl_node **nodes, uint32_t count)
{
    if (f->slot < BL_CLAUSE_SLOTS)
        f->clause->slots[f->slot] = (struct bl_slot){nodes, count};
    f->slot++;
}

static void advance(struct bl_fitting *f, uint32_t count)
{
    f->at += count;
    f->reached += count;
}

/* `end` is that of the whole shape, so that words behind an optional part count. */
static bool takes_at(const struct bl_fitting *f, uint32_t at, const struct item *item)
{
    const char *end = f->shape.ptr + f->shape.len;
    const struct bl_node *node;

    if (at >= f->count)
        return false;
    node = f->items[at];
    if (node->kind == BL_NODE_NAME && word_follows(item->end, end, node->text))
        return false;
    if (node->kind != BL_NODE_COMMA)
        return letter_takes(item->letter, node);
    if (item->repeat != '*' && item->letter != 'T')
        return false;
    for (uint32_t i = 0; i < node->kid_count; i++) {
        if (!letter_takes(item->letter, node->kids[i]))
            return false;
    }
    return true;
}

/* R: the rest of the phrase and the block make a clause of their own. */
static bool take_rest_as_clause(struct bl_fitting *f)
{
    struct bl_node *clause = BL_NEW(f->arena, struct bl_node);
    struct bl_node *phrase = BL_NEW(f->arena, struct bl_node);
    struct bl_node **kids = BL_NEW_ARRAY(f->arena, 3, struct bl_node *);
    struct bl_node *whole = f->clause->node;

    if (clause == NULL || phrase == NULL || kids == NULL)
        return misfit(f, BL_MISFIT_BROKEN, BL_STR(""), false);
    phrase->kind = BL_NODE_PHRASE;
    phrase->kids = f->items + f->at;
    phrase->kid_count = f->count - f->at;
    phrase->span = bl_span_join(phrase->kids[0]->span, f->items[f->count - 1]->span);
    *clause = *whole;
    clause->span = bl_span_join(phrase->span, whole->span);
    clause->span.lo = phrase->span.lo;
    clause->kids = kids;
    kids[0] = phrase;
    kids[1] = whole->kids[1];
    kids[2] = whole->kids[2];
    f->clause->inner_node = clause;
    f->value_used = f->block_used = true;
    advance(f, f->count - f->at);
    f->slot++;
    return true;
}

static bool fit_slot(struct bl_fitting *f, const struct item *item)
{
    const char *end = f->shape.ptr + f->shape.len;
    uint32_t length = 1;

    if (item->letter == 'X') {
        take(f, f->items + f->at, f->count - f->at);
        advance(f, f->count - f->at);
        return true;
    }
    if (item->letter == 'R' && f->at < f->count)
        return take_rest_as_clause(f);
    if (!takes_at(f, f->at, item)) {
        if (f->at < f->count && f->items[f->at]->kind == BL_NODE_COMMA && item->repeat == 0) {
            f->excess = f->items[f->at]->kid_count;
            return misfit(f, BL_MISFIT_MANY, BL_STR(""), false);
        }
        if (f->misfit == BL_MISFIT_NONE)
            f->letter = item->letter;
        return missing(f, letter_words(item->letter), false);
    }
    f->was_value = item->letter == 'E' || item->letter == 'C' || item->letter == 'S';
    if (item->letter == 'T') {
        while (f->at + length < f->count && f->items[f->at + length]->kind != BL_NODE_COLON &&
               !(f->items[f->at + length]->kind == BL_NODE_NAME &&
                 word_follows(item->end, end, f->items[f->at + length]->text)))
            length++;
        take(f, f->items + f->at, length);
    } else if (f->items[f->at]->kind == BL_NODE_COMMA) {
        take(f, f->items[f->at]->kids, f->items[f->at]->kid_count);
    } else {
        while (item->repeat == '+' && takes_at(f, f->at + length, item))
            length++;
        take(f, f->items + f->at, length);
    }
    advance(f, length);
    return true;
}

static bool fit_words(struct bl_fitting *f, const struct item *item)
{
    if (f->at >= f->count || f->items[f->at]->kind != BL_NODE_NAME ||
        alternative(item->text, f->items[f->at]->text) < 0)
        return missing(f, item->text, true);
    f->was_value = false;
    if (has_alternatives(item->text))
        take(f, f->items + f->at, 1);
    advance(f, 1);
    return true;
}

enum bl_clause_block bl_clause_block_named(bl_str name, enum bl_clause_block inner)
{
    static const struct {
        const char *name;
        size_t len;
    } names[] = {
#define BL_CLAUSE_BLOCK(id, name, included, inner) {#id, sizeof(#id) - 1},
#define BL_CLAUSE(id, block, words, shape, often, doc)
#include "spec/clauses.def"
#undef BL_CLAUSE_BLOCK
#undef BL_CLAUSE
    };

    for (unsigned i = 0; i < BL_BLOCK_COUNT; i++) {
        if (bl_str_equal((bl_str){names[i].name, names[i].len}, name))
            return (enum bl_clause_block)i;
    }
    return inner; /* {.} */
}

static bool fit_value(struct bl_fitting *f)
{
    struct bl_node *node = f->clause->node;

    if (node->kid_count < 2 || node->kids[1] == NULL)
        return misfit(f, BL_MISFIT_VALUE_MISSING, BL_STR(""), false);
    if (f->at < f->count)
        return misfit(f, BL_MISFIT_OTHER, BL_STR("="), true);
    f->value_used = true;
    take(f, &node->kids[1], 1);
    return true;
}

static bool fit_arrow(struct bl_fitting *f)
{
    struct bl_node *node = f->clause->node;

    if (f->at < f->count)
        return misfit(f, BL_MISFIT_MANY, BL_STR(""), false);
    f->items = node->kids[1]->kids;
    f->count = node->kids[1]->kid_count;
    f->at = 0;
    return true;
}

static bool option_starts(const struct bl_fitting *f, bl_str shape)
{
    struct item first = next_item(shape.ptr, shape.ptr + shape.len);
    const struct bl_node *node = f->clause->node;

    switch (first.kind) {
    case ITEM_SLOT:
        return takes_at(f, f->at, &first);
    case ITEM_WORDS:
        return f->at < f->count && f->items[f->at]->kind == BL_NODE_NAME &&
               alternative(first.text, f->items[f->at]->text) >= 0;
    case ITEM_COLON:
        return f->at < f->count && f->items[f->at]->kind == BL_NODE_COLON;
    case ITEM_VALUE:
        return node->kid_count > 1 && node->kids[1] != NULL;
    case ITEM_BLOCK:
        return node->kid_count > 2 && node->kids[2] != NULL;
    case ITEM_OPTION:
    case ITEM_ARROW:
    case ITEM_END:
        break;
    }
    return false;
}

static bool fit_items(struct bl_fitting *f, bl_str shape);

static bool fit_item(struct bl_fitting *f, const struct item *item)
{
    struct bl_node *node = f->clause->node;

    switch (item->kind) {
    case ITEM_SLOT:
        return fit_slot(f, item);
    case ITEM_WORDS:
        return fit_words(f, item);
    case ITEM_COLON:
        if (f->at >= f->count || f->items[f->at]->kind != BL_NODE_COLON)
            return missing(f, BL_STR(":"), true);
        advance(f, 1);
        return true;
    case ITEM_VALUE:
        return fit_value(f);
    case ITEM_ARROW:
        return fit_arrow(f);
    case ITEM_BLOCK:
        if (node->kid_count < 3 || node->kids[2] == NULL)
            return f->at < f->count ? missing(f, BL_STR("{"), true)
                                    : misfit(f, BL_MISFIT_BLOCK_MISSING, BL_STR(""), false);
        f->block_used = true;
        f->clause->has_block = true;
        f->clause->block_kind = bl_clause_block_named(item->text, f->inner);
        return true;
    case ITEM_OPTION:
        if (option_starts(f, item->text))
            return fit_items(f, item->text);
        f->slot += count_slots(item->text);
        return true;
    case ITEM_END:
        break;
    }
    return true;
}

static bool fit_items(struct bl_fitting *f, bl_str shape)
{
    const char *p = shape.ptr;
    const char *end = shape.ptr + shape.len;

    for (;;) {
        struct item item = next_item(p, end);

        if (item.kind == ITEM_END)
            return true;
        if (!fit_item(f, &item))
            return false;
        p = item.end;
        /* The value of `= E` is taken by the '=': its letter is not an element. */
        if (item.kind == ITEM_VALUE)
            p = next_item(p, end).end;
    }
}

/* How many elements stand where the last value was the only one asked for. */
static uint32_t excess_values(const struct bl_fitting *f)
{
    uint32_t count = 1;

    for (uint32_t i = f->at; i < f->count; i++, count++) {
        if (f->items[i]->kind == BL_NODE_NAME &&
            word_follows(f->shape.ptr, f->shape.ptr + f->shape.len, f->items[i]->text))
            break;
    }
    return count;
}

bool bl_shape_fit(struct bl_fitting *f, uint32_t from)
{
    struct bl_node *node = f->clause->node;
    bool row = node->kind == BL_NODE_ROW;

    f->items = node->kids[0]->kids;
    f->count = node->kids[0]->kid_count;
    f->at = f->reached = f->from = from;
    if (!fit_items(f, f->shape)) {
        if (f->misfit == BL_MISFIT_MANY && f->excess == 0)
            f->excess = excess_values(f);
        return false;
    }
    if (f->at < f->count) {
        f->excess = excess_values(f);
        if (f->items[f->at]->kind == BL_NODE_BROKEN)
            return misfit(f, BL_MISFIT_BROKEN, BL_STR(""), false);
        return misfit(f, f->was_value && f->excess > 1 ? BL_MISFIT_MANY : BL_MISFIT_OTHER,
                      BL_STR(""), false);
    }
    if (!row && node->kids[1] != NULL && !f->value_used)
        return misfit(f, BL_MISFIT_VALUE, BL_STR(""), false);
    if (!row && node->kids[2] != NULL && !f->block_used)
        return misfit(f, BL_MISFIT_BLOCK, BL_STR(""), false);
    return true;
}

/* ---- description ----------------------------------------------------------------------------
 */

static void describe_items(bl_str shape, struct bl_buf *out)
{
    const char *p = shape.ptr;
    const char *end = shape.ptr + shape.len;

    for (struct item item = next_item(p, end); item.kind != ITEM_END;
         item = next_item(item.end, end)) {
        if (out->len > 0 && out->ptr[out->len - 1] != '[')
            bl_buf_put_char(out, ' ');
        switch (item.kind) {
        case ITEM_SLOT: {
            bl_str what = letter_words(item.letter);

            bl_buf_put(out, bl_str_starts_with(what, BL_STR("a "))
                                ? bl_str_slice(what, 2, what.len)
                                : what);
            if (item.repeat != 0)
                bl_buf_put(out, item.repeat == '*' ? BL_STR(", …") : BL_STR(" …"));
            break;
        }
        case ITEM_WORDS:
            bl_buf_put(out, item.text);
            break;
        case ITEM_COLON:
            bl_buf_put_char(out, ':');
            break;
        case ITEM_VALUE:
            bl_buf_put_char(out, '=');
            break;
        case ITEM_ARROW:
            BL_PUT(out, "=>");
            break;
        case ITEM_BLOCK:
            BL_PUT(out, "{ … }");
            break;
        case ITEM_OPTION:
            bl_buf_put_char(out, '[');
            describe_items(item.text, out);
            bl_buf_put_char(out, ']');
            break;
        case ITEM_END:
            break;
        }
    }
}

void bl_shape_describe(const struct bl_clause_info *row, struct bl_buf *out)
{
    if (!bl_str_equal(row->words, BL_STR("=>")))
        bl_buf_put(out, row->words);
    describe_items(row->shape, out);
}
