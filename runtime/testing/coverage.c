/* SPDX-License-Identifier: Apache-2.0 */
#include "testing/coverage.h"

#include <stdlib.h>

struct bl_coverage *bl_coverage_create(struct bl_arena *arena, const struct bl_module *module)
{
    struct bl_coverage *coverage = BL_NEW(arena, struct bl_coverage);
    size_t count = (size_t)module->CODE_count + 1;

    if (coverage == NULL)
        return NULL;
    coverage->passed = BL_NEW_ARRAY(arena, count, uint32_t);
    coverage->held = BL_NEW_ARRAY(arena, count, uint32_t);
    coverage->failed = BL_NEW_ARRAY(arena, count, uint32_t);
    return arena->failed ? NULL : coverage;
}

/* ---- reading the counters -----------------------------------------------------------------
 */

struct collecting {
    struct bl_arena *arena;
    const struct bl_module *module;
    const struct bl_coverage *coverage;
    struct bl_sources *sources;
    const bool *wanted;
    struct bl_coverage_report *out;
};

static bool is_wanted(const struct collecting *c, uint32_t source)
{
    return source < c->module->SOURCES_count && (c->wanted == NULL || c->wanted[source]);
}

static void add_item(struct collecting *c, struct bl_coverage_item item)
{
    struct bl_coverage_item *slot = BL_PUSH(c->arena, c->out->items);

    if (slot != NULL)
        *slot = item;
}

static void add_line(struct collecting *c, const struct bl_map_row *row, uint32_t insn)
{
    struct bl_position at = bl_sources_position(c->sources, row->source, row->lo);
    struct bl_coverage_line *slot = at.line != 0 ? BL_PUSH(c->arena, c->out->lines) : NULL;

    if (slot != NULL)
        *slot = (struct bl_coverage_line){row->source, at.line, c->coverage->passed[insn]};
}

/* `insn`: index of CODE. */
static void read_row(struct collecting *c, const struct bl_map_row *row, uint32_t insn)
{
    struct bl_coverage_item item = {.source = row->source,
                                    .lo = row->lo,
                                    .hi = bl_map_hi(row),
                                    .taken = c->coverage->passed[insn],
                                    .yes = c->coverage->held[insn],
                                    .no = c->coverage->failed[insn]};

    if (c->sources != NULL)
        add_line(c, row, insn);
    if (row->flags == 0 || row->flags == BL_MAP_REASON)
        return;
    item.kind = row->flags == BL_MAP_CONDITION ? BL_COVERAGE_CONDITION : BL_COVERAGE_ROW;
    add_item(c, item);
}

/* Effects of the function, and whether it fired. */
static uint64_t read_code(struct collecting *c, const struct bl_function *function)
{
    const struct bl_module *m = c->module;
    uint64_t fired = 0;

    uint32_t end = function->first_insn + bl_module_insn_count(m, function);
    for (uint32_t i = function->first_insn; i < end; i++) {
        const struct bl_insn *insn = &m->CODE_rows[i];

        if (insn->op == BL_OP_FIRED && c->coverage->passed[i] > fired)
            fired = c->coverage->passed[i];
        if (insn->op != BL_OP_EFFECT)
            continue;
        const struct bl_site *site = &m->SITES_rows[insn->c];
        if (is_wanted(c, site->source))
            add_item(c, (struct bl_coverage_item){.kind = BL_COVERAGE_EFFECT,
                                                  .source = site->source,
                                                  .lo = site->lo,
                                                  .hi = site->hi,
                                                  .taken = c->coverage->passed[i]});
    }
    return fired;
}

static void read_entries(struct collecting *c)
{
    const struct bl_module *m = c->module;

    for (uint32_t i = 0; i < m->ENTRIES_count; i++) {
        const struct bl_entry *entry = &m->ENTRIES_rows[i];
        if ((entry->kind != BL_ENTRY_RULE && entry->kind != BL_ENTRY_STEP &&
             entry->kind != BL_ENTRY_REPORT && entry->kind != BL_ENTRY_CALLED &&
             entry->kind != BL_ENTRY_POSTED) ||
            entry->function >= m->FUNCTIONS_count)
            continue;
        const struct bl_function *function = &m->FUNCTIONS_rows[entry->function];
        uint64_t fired = read_code(c, function);
        uint64_t ran = c->coverage->passed[function->first_insn];
        if (is_wanted(c, entry->source))
            add_item(c, (struct bl_coverage_item){.kind = BL_COVERAGE_RULE,
                                                  .source = entry->source,
                                                  .lo = entry->lo,
                                                  .hi = entry->hi,
                                                  .name = bl_module_string(m, entry->name),
                                                  .taken = entry->kind == BL_ENTRY_RULE ? fired
                                                                                        : ran});
    }
}

static void read_map(struct collecting *c)
{
    const struct bl_module *m = c->module;

    for (uint32_t f = 0; f < m->FUNCTIONS_count; f++) {
        const struct bl_function *function = &m->FUNCTIONS_rows[f];
        uint32_t end = bl_module_places_end(m, function);

        for (uint32_t i = function->first_place; i < end; i++) {
            const struct bl_map_row *row = &m->MAP_rows[i];

            if (function->kind != BL_FUNCTION_TEST && is_wanted(c, row->source))
                read_row(c, row, function->first_insn + row->insn);
        }
    }
}

/* ---- one item for what is written once ----------------------------------------------------
 */

static int order(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

static int compare_items(const void *left, const void *right)
{
    const struct bl_coverage_item *a = left, *b = right;
    int by = order(a->source, b->source);

    by = by != 0 ? by : order(a->lo, b->lo);
    by = by != 0 ? by : order(a->hi, b->hi);
    return by != 0 ? by : order(a->kind, b->kind);
}

static int compare_lines(const void *left, const void *right)
{
    const struct bl_coverage_line *a = left, *b = right;
    int by = order(a->source, b->source);

    return by != 0 ? by : order(a->line, b->line);
}

static void merge_items(struct bl_coverage_report *report)
{
    size_t kept = 0;

    for (size_t i = 0; i < report->items.count; i++) {
        const struct bl_coverage_item *item = &report->items.items[i];
        struct bl_coverage_item *last = kept > 0 ? &report->items.items[kept - 1] : NULL;
        if (last == NULL || compare_items(last, item) != 0) {
            report->items.items[kept++] = *item;
            continue;
        }
        last->taken += item->taken;
        last->yes += item->yes;
        last->no += item->no;
    }
    report->items.count = kept;
}

static void merge_lines(struct bl_coverage_report *report)
{
    size_t kept = 0;

    for (size_t i = 0; i < report->lines.count; i++) {
        const struct bl_coverage_line *line = &report->lines.items[i];
        struct bl_coverage_line *last = kept > 0 ? &report->lines.items[kept - 1] : NULL;
        if (last == NULL || compare_lines(last, line) != 0)
            report->lines.items[kept++] = *line;
        else if (line->count > last->count)
            last->count = line->count;
    }
    report->lines.count = kept;
}

/* ---- sums ---------------------------------------------------------------------------------
 */

struct bl_coverage_sum bl_coverage_sum_of(const struct bl_coverage_report *report,
                                          uint32_t source)
{
    struct bl_coverage_sum sum = {0};

    for (size_t i = 0; i < report->items.count; i++) {
        const struct bl_coverage_item *item = &report->items.items[i];
        if (source != BL_NO_SOURCE && item->source != source)
            continue;
        if (item->kind == BL_COVERAGE_CONDITION) {
            sum.goals[item->kind] += 2;
            sum.met[item->kind] += (size_t)(item->yes > 0) + (size_t)(item->no > 0);
        } else {
            sum.goals[item->kind]++;
            sum.met[item->kind] += item->taken > 0;
        }
    }
    return sum;
}

unsigned bl_coverage_percent(const struct bl_coverage_sum *sum)
{
    uint64_t goals = 0, met = 0;

    for (unsigned i = 0; i < BL_COVERAGE_KIND_COUNT; i++) {
        goals += sum->goals[i];
        met += sum->met[i];
    }
    return goals == 0 ? 100 : (unsigned)(met * 100 / goals);
}

bl_str bl_coverage_lack(const struct bl_coverage_item *item)
{
    switch (item->kind) {
    case BL_COVERAGE_RULE:
        return item->taken > 0 ? (bl_str){NULL, 0} : BL_STR("never fired");
    case BL_COVERAGE_ROW:
        return item->taken > 0 ? (bl_str){NULL, 0} : BL_STR("never taken");
    case BL_COVERAGE_EFFECT:
        return item->taken > 0 ? (bl_str){NULL, 0} : BL_STR("never planned");
    case BL_COVERAGE_CONDITION:
        if (item->yes == 0 && item->no == 0)
            return BL_STR("never asked");
        if (item->yes == 0)
            return BL_STR("never true");
        return item->no == 0 ? BL_STR("never false") : (bl_str){NULL, 0};
    case BL_COVERAGE_KIND_COUNT:
        break;
    }
    return (bl_str){NULL, 0};
}

enum bl_status bl_coverage_collect(struct bl_arena *arena, const struct bl_module *module,
                                   const struct bl_coverage *coverage,
                                   struct bl_sources *sources, const bool *wanted,
                                   struct bl_coverage_report *out)
{
    struct collecting c = {arena, module, coverage, sources, wanted, out};

    *out = (struct bl_coverage_report){.sum = {{0}, {0}}};
    read_entries(&c);
    read_map(&c);
    if (arena->failed)
        return BL_ERR_NOMEM;
    if (out->items.count > 1)
        qsort(out->items.items, out->items.count, sizeof *out->items.items, compare_items);
    if (out->lines.count > 1)
        qsort(out->lines.items, out->lines.count, sizeof *out->lines.items, compare_lines);
    merge_items(out);
    merge_lines(out);
    out->sum = bl_coverage_sum_of(out, BL_NO_SOURCE);
    return BL_OK;
}
