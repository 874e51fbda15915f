/* SPDX-License-Identifier: Apache-2.0 */
#include "syntax/formatter.h"
#include "syntax/policy_parser.h"

#include <stdlib.h>

/* Columns. An author who puts more than one blank in front of a token wants it to stand below
 * others; which ones, the columns of the text say. What is moved is moved to the right alone,
 * so a second pass finds all groups where the first one put them, and nothing to do.
 *
 * A run are the lines of neighbouring clauses of a block, without an empty line between them.
 * Items of a line get their places from left to right, in these stages. */
enum stage {
    STAGE_WORD,  /* what stands behind the first word of a clause */
    STAGE_LEFT,  /* other items */
    STAGE_ARROW, /* => */
    STAGE_RIGHT, /* items behind it */
};

/* Lines above a line in which something may stand below which it stands. */
#define ANCHOR_LINES 8

struct entry {
    uint32_t run;
    uint32_t stage;
    uint32_t column; /* the author's; 0 where it does not matter */
    uint32_t class;
    uint32_t line;
    uint32_t index; /* of the item in its line */
};
/* Behind all others of a column: a line that begins below one of them. */
#define CLASS_FOLLOWER UINT32_MAX
/* What may be a value; other tokens have the class of their kind. */
#define CLASS_VALUE 0U

struct aligner {
    struct bl_formatter *f;
    BL_VEC(struct entry) entries;
};

static struct bl_format_item *item_at(const struct bl_formatter *f,
                                      const struct bl_format_line *line, uint32_t index)
{
    return &f->items.items[line->first + index];
}

static uint32_t width_of(const struct bl_formatter *f, const struct bl_format_item *item)
{
    return bl_format_piece_of(f, item)->width + item->semicolon;
}

static bool is_comment(const struct bl_formatter *f, const struct bl_format_item *item)
{
    return bl_format_piece_of(f, item)->kind == BL_PIECE_COMMENT;
}

/* ---- runs and stages ---------------------------------------------------------------- */

static void find_runs(struct bl_formatter *f)
{
    uint32_t of_depth[BL_NESTING_MAX + 2] = {0}; /* each with its section */
    uint32_t section_of_depth[BL_NESTING_MAX + 2] = {0};
    uint32_t section = 1;
    uint32_t runs = 0;
    uint32_t depth_before = 0;

    for (size_t i = 0; i < f->lines.count; i++) {
        struct bl_format_line *line = &f->lines.items[i];
        uint32_t depth = line->clause_indent / 2;
        section += line->blank_before;
        if (depth > depth_before || section_of_depth[depth] != section) {
            of_depth[depth] = ++runs;
            section_of_depth[depth] = section;
        }
        depth_before = depth;
        line->run = of_depth[depth];
        line->section = section;
    }
}

static bool is_value(int kind)
{
    switch (kind) {
    case BL_TK_NAME:
    case BL_TK_TRUE:
    case BL_TK_FALSE:
    case BL_TK_NONE:
    case BL_TK_NOT:
    case BL_TK_LPAREN:
    case BL_TK_LBRACKET:
    case BL_TK_ANY:
    case BL_TK_ALL:
    case BL_TK_NO:
    case BL_TK_FIRST:
    case BL_TK_LAST:
    case BL_TK_COUNT:
    case BL_TK_EACH:
    case BL_TK_IF:
        return true;
    }
    return bl_kind_is_literal(kind);
}

/* Is the second item of a clause what its first word speaks of? */
static bool is_behind_word(const struct bl_formatter *f, const struct bl_format_line *line,
                           uint32_t index)
{
    const struct bl_format_item *item = item_at(f, line, index);

    return index == 1 && item->gap == 1 && &f->lines.items[line->clause] == line &&
           bl_format_piece_of(f, item - 1)->kind == BL_TK_NAME &&
           is_value(bl_format_piece_of(f, item)->kind);
}

static void find_stages(struct bl_formatter *f, const struct bl_format_line *line)
{
    uint8_t stage = STAGE_LEFT;

    for (uint32_t i = 0; i < line->count; i++) {
        struct bl_format_item *item = item_at(f, line, i);
        if (bl_format_piece_of(f, item)->kind == BL_TK_ARROW) {
            item->stage = STAGE_ARROW;
            stage = STAGE_RIGHT;
        } else {
            item->stage = is_behind_word(f, line, i) ? STAGE_WORD : stage;
        }
    }
}

/* Looks for what a line of a clause that is not its first begins below. */
static void find_anchor(struct bl_formatter *f, uint32_t index)
{
    struct bl_format_line *line = &f->lines.items[index];
    uint32_t column = item_at(f, line, 0)->column;
    uint32_t first = index > line->clause + ANCHOR_LINES ? index - ANCHOR_LINES : line->clause;

    line->anchor = UINT32_MAX;
    if (line->clause == index || column == BL_NO_COLUMN ||
        bl_format_piece_of(f, item_at(f, line, 0))->kind == BL_TK_LBRACE) {
        return;
    }
    for (uint32_t i = index; i-- > first && line->anchor == UINT32_MAX;) {
        const struct bl_format_line *above = &f->lines.items[i];
        if (above->clause != line->clause) {
            continue; /* of a block inside */
        }
        for (uint32_t k = above->anchor != UINT32_MAX ? 0 : 1; k < above->count; k++) {
            const struct bl_format_item *item = item_at(f, above, k);
            if (item->column == column && !is_comment(f, item)) {
                line->anchor = above->first + k;
                break;
            }
        }
    }
}

/* ---- places ------------------------------------------------------------------------- */

/* Places the items in front of `index`, and gives where that one comes without a column. */
static uint32_t flow(struct bl_formatter *f, struct bl_format_line *line, uint32_t index)
{
    for (; line->placed < index; line->placed++) {
        struct bl_format_item *item = item_at(f, line, line->placed);
        if (line->placed == 0) {
            item->at = line->indent;
        } else {
            item->at = (item - 1)->at + width_of(f, item - 1) + item->gap;
        }
    }
    if (index == 0) {
        return line->indent;
    }
    const struct bl_format_item *item = item_at(f, line, index);
    return (item - 1)->at + width_of(f, item - 1) + item->gap;
}

static void place(struct bl_formatter *f, struct bl_format_line *line, uint32_t index,
                  uint32_t at)
{
    uint32_t natural = flow(f, line, index);

    if (at > natural) {
        line->shift += at - natural;
    } else {
        at = natural;
    }
    item_at(f, line, index)->at = at;
    line->placed = index + 1;
}

/* What the line is wide behind the beginning of the item; what fits nowhere may stand anywhere.
 */
static uint32_t rest_of(struct bl_formatter *f, struct bl_format_line *line, uint32_t index)
{
    uint32_t width = line->width - line->hopeless + line->shift;
    uint32_t natural = flow(f, line, index);

    return width > natural ? width - natural : 0;
}

static struct bl_format_line *line_of(const struct aligner *a, const struct entry *entry)
{
    return &a->f->lines.items[entry->line];
}

/* Does the line end with the brace of a block that stands below it? */
static bool opens_block(const struct bl_formatter *f, const struct bl_format_line *line)
{
    uint32_t last = line->count - 1;

    last -= last > 0 && is_comment(f, item_at(f, line, last));
    return bl_format_piece_of(f, item_at(f, line, last))->kind == BL_TK_LBRACE;
}

static uint32_t author_blanks(const struct aligner *a, const struct entry *entry)
{
    const struct bl_format_item *item = item_at(a->f, line_of(a, entry), entry->index);

    return item->column == BL_NO_COLUMN ? 0 : bl_format_piece_of(a->f, item)->blanks;
}

/* ---- groups ------------------------------------------------------------------------- */

/* Below each other as far right as the ones need that all others can follow; a line that is too
 * long for that stays out. */
static void align_all(struct aligner *a, const struct entry *entries, size_t count)
{
    struct bl_formatter *f = a->f;
    uint32_t column = 0;
    uint32_t room = BL_FORMAT_WIDTH;

    /* The widest column up to which every line with a smaller one fits is found by taking away
     * the line that asks for most, as long as some line does not fit; so a few rounds over the
     * group, each with less of it. */
    for (bool again = true; again;) {
        uint32_t most = 0;
        uint32_t least = room;
        for (size_t i = 0; i < count; i++) {
            struct bl_format_line *line = line_of(a, &entries[i]);
            uint32_t natural = flow(f, line, entries[i].index);
            uint32_t rest = rest_of(f, line, entries[i].index);
            if (natural > room || natural + rest > BL_FORMAT_WIDTH) {
                continue;
            }
            most = natural > most ? natural : most;
            least = BL_FORMAT_WIDTH - rest < least ? BL_FORMAT_WIDTH - rest : least;
        }
        column = most;
        again = most > least;
        room = least;
    }
    for (size_t i = 0; i < count; i++) {
        struct bl_format_line *line = line_of(a, &entries[i]);
        uint32_t natural = flow(f, line, entries[i].index);
        bool stays = natural + rest_of(f, line, entries[i].index) > BL_FORMAT_WIDTH;
        place(f, line, entries[i].index, stays ? natural : column);
    }
}

/* The column of the words of a block: the author's, or less when no word is so long. Words that
 * reach over it have one blank behind them. */
static void align_words(struct aligner *a, const struct entry *entries, size_t count)
{
    struct bl_formatter *f = a->f;
    uint32_t wanted = 0;
    uint32_t column = 0;

    for (size_t i = 0; i < count; i++) {
        const struct bl_format_line *line = line_of(a, &entries[i]);
        const struct bl_format_item *item = item_at(f, line, entries[i].index);
        uint32_t author = author_blanks(a, &entries[i]) > 1
                              ? item->column - (item - 1)->column + line->indent
                              : 0;
        wanted = author > wanted ? author : wanted;
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t natural = flow(f, line_of(a, &entries[i]), entries[i].index);
        column = natural > column ? natural : column;
    }
    column = wanted < column ? wanted : column;
    for (size_t i = 0; i < count; i++) {
        struct bl_format_line *line = line_of(a, &entries[i]);
        uint32_t natural = flow(f, line, entries[i].index);
        bool stays = column + rest_of(f, line, entries[i].index) > BL_FORMAT_WIDTH ||
                     (opens_block(f, line) && author_blanks(a, &entries[i]) <= 1);
        place(f, line, entries[i].index, stays ? natural : column);
    }
}

static void follow(struct aligner *a, const struct entry *entry)
{
    struct bl_formatter *f = a->f;
    struct bl_format_line *line = line_of(a, entry);
    struct bl_format_line *above = line;

    while (above->first > line->anchor) {
        above--;
    }
    uint32_t index = line->anchor - above->first;
    if (above->placed <= index) {
        place(f, above, index, 0);
    }
    uint32_t at = f->items.items[line->anchor].at;
    uint32_t width = line->width - line->indent;
    if (at + width <= BL_FORMAT_WIDTH) {
        line->width = at + width;
        line->indent = at;
    }
}

static void align_group(struct aligner *a, const struct entry *entries, size_t count)
{
    bool wanted = false;

    switch ((enum stage)entries[0].stage) {
    case STAGE_WORD:
        if (entries[0].class != CLASS_FOLLOWER) {
            align_words(a, entries, count);
            return;
        }
        break;
    case STAGE_ARROW:
        if (entries[0].class != CLASS_FOLLOWER) {
            align_all(a, entries, count);
            return;
        }
        break;
    case STAGE_LEFT:
    case STAGE_RIGHT:
        break;
    }
    if (entries[0].class == CLASS_FOLLOWER) {
        for (size_t i = 0; i < count; i++) {
            follow(a, &entries[i]);
        }
        return;
    }
    for (size_t i = 0; i < count; i++) {
        wanted |= author_blanks(a, &entries[i]) > 1;
    }
    if (wanted && count > 1) {
        align_all(a, entries, count);
    }
}

/* ---- entries ------------------------------------------------------------------------ */

static int compare_numbers(uint32_t x, uint32_t y)
{
    return x < y ? -1 : x > y;
}

static int compare_groups(const struct entry *x, const struct entry *y)
{
    int order = compare_numbers(x->run, y->run);

    order = order != 0 ? order : compare_numbers(x->stage, y->stage);
    order = order != 0 ? order : compare_numbers(x->column, y->column);
    return order != 0 ? order : compare_numbers(x->class, y->class);
}

static int compare_entries(const void *x, const void *y)
{
    const struct entry *left = x;
    const struct entry *right = y;
    int order = compare_groups(left, right);

    order = order != 0 ? order : compare_numbers(left->line, right->line);
    return order != 0 ? order : compare_numbers(left->index, right->index);
}

static void add_entry(struct aligner *a, struct entry entry)
{
    struct entry *slot = BL_PUSH(a->f->arena, a->entries);

    if (slot != NULL) {
        *slot = entry;
    }
}

static void add_entries(struct aligner *a, uint32_t index)
{
    struct bl_formatter *f = a->f;
    const struct bl_format_line *line = &f->lines.items[index];
    struct entry entry = {.run = line->run, .line = index};

    if (line->anchor != UINT32_MAX) {
        const struct bl_format_item *anchor = &f->items.items[line->anchor];
        entry.stage = anchor->stage;
        entry.column =
            anchor->stage == STAGE_LEFT || anchor->stage == STAGE_RIGHT ? anchor->column : 0;
        entry.class = CLASS_FOLLOWER;
        if (item_at(f, line, 0)->stage != STAGE_ARROW) {
            add_entry(a, entry);
        }
    }
    for (uint32_t i = 0; i < line->count; i++) {
        const struct bl_format_item *item = item_at(f, line, i);
        int kind = bl_format_piece_of(f, item)->kind;
        bool is_column = item->gap == 1 && item->column != BL_NO_COLUMN && i > 0;
        if (kind == BL_PIECE_COMMENT || bl_format_piece_of(f, item)->is_long ||
            (kind == BL_TK_LBRACE && opens_block(f, line))) {
            return;
        }
        entry.stage = item->stage;
        entry.index = i;
        entry.column = 0;
        entry.class = CLASS_VALUE;
        if (item->stage == STAGE_LEFT || item->stage == STAGE_RIGHT) {
            entry.column = item->column;
            entry.class = is_value(kind) ? CLASS_VALUE : (uint32_t)kind;
        } else {
            is_column = true;
        }
        if (is_column) {
            add_entry(a, entry);
        }
    }
}

static void align_code(struct aligner *a)
{
    struct entry *entries = a->entries.items;
    size_t begin = 0;

    if (a->entries.count == 0) {
        return;
    }
    qsort(entries, a->entries.count, sizeof(*entries), compare_entries);
    for (size_t i = 1; i <= a->entries.count; i++) {
        if (i == a->entries.count || compare_groups(&entries[begin], &entries[i]) != 0) {
            align_group(a, &entries[begin], i - begin);
            begin = i;
        }
    }
}

/* ---- comments ----------------------------------------------------------------------- */

static void align_comments(struct aligner *a)
{
    struct bl_formatter *f = a->f;

    a->entries.count = 0;
    for (uint32_t i = 0; i < f->lines.count; i++) {
        struct bl_format_line *line = &f->lines.items[i];
        uint32_t last = line->count - 1;
        if (last > 0 && !line->has_long && is_comment(f, item_at(f, line, last)) &&
            item_at(f, line, last)->column != BL_NO_COLUMN) {
            struct entry entry = {.run = line->section,
                                  .column = item_at(f, line, last)->column,
                                  .line = i,
                                  .index = last};
            add_entry(a, entry);
        }
    }
    struct entry *entries = a->entries.items;
    size_t begin = 0;
    if (a->entries.count == 0 || f->arena->failed) {
        return;
    }
    qsort(entries, a->entries.count, sizeof(*entries), compare_entries);
    for (size_t i = 1; i <= a->entries.count; i++) {
        if (i < a->entries.count && compare_groups(&entries[begin], &entries[i]) == 0) {
            continue;
        }
        uint32_t column = entries[begin].column;
        for (size_t k = begin; k < i; k++) {
            uint32_t natural = flow(f, line_of(a, &entries[k]), entries[k].index);
            column = natural > column ? natural : column;
        }
        for (; begin < i; begin++) {
            place(f, line_of(a, &entries[begin]), entries[begin].index, column);
        }
    }
}

void bl_format_align(struct bl_formatter *f)
{
    struct aligner a = {.f = f};

    find_runs(f);
    for (uint32_t i = 0; i < f->lines.count; i++) {
        find_stages(f, &f->lines.items[i]);
        find_anchor(f, i);
    }
    for (uint32_t i = 0; i < f->lines.count; i++) {
        add_entries(&a, i);
    }
    if (!f->arena->failed) {
        align_code(&a);
        align_comments(&a);
    }
    for (size_t i = 0; i < f->lines.count; i++) {
        struct bl_format_line *line = &f->lines.items[i];
        if (line->placed < line->count) {
            place(f, line, line->count - 1, 0);
        }
    }
}
