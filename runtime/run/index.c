/* SPDX-License-Identifier: Apache-2.0 */
#include "run/index.h"

#include "base/sort.h"

#include <string.h>

struct bl_index {
    const struct bl_module *module;
    uint32_t *always; /* rules without access, by event; ascending within one */
    uint32_t first[BL_EVENT_COUNT + 1];
};

struct range {
    uint32_t from, to;
};

/* ---- preparing --------------------------------------------------------------------------- */

static bool needs_fact(const struct bl_module *module, uint32_t entry)
{
    return module->ENTRIES_rows[entry].first_access != BL_NONE;
}

struct bl_index *bl_index_create(struct bl_arena *arena, const struct bl_module *module)
{
    struct bl_index *index = BL_NEW(arena, struct bl_index);
    uint32_t *always = BL_NEW_ARRAY(arena, module->EVENT_RULES_count, uint32_t);
    uint32_t count = 0;
    uint32_t row = 0;

    if (index == NULL || always == NULL)
        return NULL;
    index->module = module;
    index->always = always;
    for (uint32_t event = 0; event < BL_EVENT_COUNT; event++) {
        index->first[event] = count;
        for (; row < module->EVENT_RULES_count && module->EVENT_RULES_rows[row].event == event;
             row++) {
            if (!needs_fact(module, module->EVENT_RULES_rows[row].entry))
                always[count++] = module->EVENT_RULES_rows[row].entry;
        }
    }
    index->first[BL_EVENT_COUNT] = count;
    return index;
}

/* ---- the event's rules ------------------------------------------------------------------- */

/* First row of EVENT_RULES that is not before (event, entry). */
static uint32_t lower_rule(const struct bl_module *module, uint32_t event, uint32_t entry)
{
    uint32_t low = 0;
    uint32_t high = module->EVENT_RULES_count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const struct bl_event_rule *row = &module->EVENT_RULES_rows[middle];

        if (row->event < event || (row->event == event && row->entry < entry))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool listens(const struct bl_module *module, uint32_t event, uint32_t entry)
{
    uint32_t at = lower_rule(module, event, entry);

    return at < module->EVENT_RULES_count && module->EVENT_RULES_rows[at].event == event &&
           module->EVENT_RULES_rows[at].entry == entry;
}

struct finding {
    struct bl_machine *machine; /* its arena, and the scans that its rules use again */
    const struct bl_module *module;
    uint32_t event, job;
    struct bl_candidates *out;
};

static enum bl_status add(struct finding *f, uint32_t entry)
{
    uint32_t job = f->module->ENTRIES_rows[entry].job;

    if (job != f->job && job != BL_NONE)
        return BL_OK;
    uint32_t *slot = BL_PUSH(f->machine->arena, f->out->entries);
    if (slot == NULL)
        return BL_ERR_NOMEM;
    *slot = entry;
    return BL_OK;
}

bool bl_index_any(const struct bl_machine *machine, uint32_t job)
{
    const struct bl_module *module = machine->module;
    uint32_t event = (uint32_t)machine->event;

    for (uint32_t row = lower_rule(module, event, 0);
         row < module->EVENT_RULES_count && module->EVENT_RULES_rows[row].event == event;
         row++) {
        uint32_t owner = module->ENTRIES_rows[module->EVENT_RULES_rows[row].entry].job;

        if (owner == job || owner == BL_NONE)
            return true;
    }
    return false;
}

enum bl_status bl_index_all(struct bl_machine *machine, uint32_t job, struct bl_candidates *out)
{
    const struct bl_module *module = machine->module;
    struct finding f = {machine, module, (uint32_t)machine->event, job, out};
    enum bl_status status = BL_OK;

    *out = (struct bl_candidates){0};
    for (uint32_t row = lower_rule(module, f.event, 0);
         status == BL_OK && row < module->EVENT_RULES_count &&
         module->EVENT_RULES_rows[row].event == f.event;
         row++)
        status = add(&f, module->EVENT_RULES_rows[row].entry);
    return status;
}

/* ---- facts ------------------------------------------------------------------------------- */

/* What the event says of a fact; false when nobody knows. */
static bool fact_value(const struct bl_machine *machine, enum bl_fact fact,
                       struct bl_value *out)
{
    const struct bl_fact_info *info = bl_fact_info(fact);
    struct bl_object *object =
        info != NULL ? bl_object_of(machine->ambient[info->ambient]) : NULL;

    *out = bl_absent();
    if (object == NULL || !bl_object_knows(object, info->first))
        return false;
    *out = bl_object_get(object, info->first);
    if (info->second == BL_FIELD_COUNT)
        return true;
    object = bl_object_of(*out);
    *out = bl_absent();
    if (object == NULL || !bl_object_knows(object, info->second))
        return false;
    *out = bl_object_get(object, info->second);
    return true;
}

/* ---- rows of a fact ---------------------------------------------------------------------- */

static int compare_nocase(bl_str a, bl_str b)
{
    size_t shared = a.len < b.len ? a.len : b.len;

    for (size_t i = 0; i < shared; i++) {
        unsigned char left = (unsigned char)bl_ascii_lower(a.ptr[i]);
        unsigned char right = (unsigned char)bl_ascii_lower(b.ptr[i]);

        if (left != right)
            return left < right ? -1 : 1;
    }
    return (a.len > b.len) - (a.len < b.len);
}

static bl_str key_text(const struct bl_module *module, const struct bl_access *row)
{
    return (bl_str){module->STRINGS_rows + row->key, row->length};
}

/* A row that is looked for; the key counts only where `level` says so. */
struct wanted {
    uint32_t kind, path;
    bool is_text;
    bl_str text;
    uint32_t number;
};

static int compare_row(const struct bl_module *module, const struct bl_access *row,
                       const struct wanted *wanted, bool with_key)
{
    if (row->kind != wanted->kind)
        return row->kind < wanted->kind ? -1 : 1;
    if (row->path != wanted->path)
        return row->path < wanted->path ? -1 : 1;
    if (!with_key)
        return 0;
    if (wanted->is_text)
        return compare_nocase(key_text(module, row), wanted->text);
    return (row->key > wanted->number) - (row->key < wanted->number);
}

/* First row that is not before what is wanted; with `behind`, the first one behind it. */
static uint32_t bound(const struct bl_module *module, const struct wanted *wanted,
                      bool with_key, bool behind)
{
    uint32_t low = 0;
    uint32_t high = module->ACCESS_count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = compare_row(module, &module->ACCESS_rows[middle], wanted, with_key);

        if (order < 0 || (behind && order == 0))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct range rows_of(const struct bl_module *module, const struct wanted *wanted)
{
    return (struct range){bound(module, wanted, true, false),
                          bound(module, wanted, true, true)};
}

/* ---- each kind of fact ------------------------------------------------------------------- */

static enum bl_status add_rows(struct finding *f, struct range range)
{
    enum bl_status status = BL_OK;

    for (uint32_t i = range.from; status == BL_OK && i < range.to; i++) {
        uint32_t entry = f->module->ACCESS_rows[i].entry;

        if (listens(f->module, f->event, entry))
            status = add(f, entry);
    }
    return status;
}

/* Labels compare without case, as the rows are sorted. */
static enum bl_status add_labels(struct finding *f, struct wanted wanted,
                                 struct bl_value labels)
{
    bool end = labels.tag != BL_V_LIST;
    enum bl_status status = BL_OK;

    wanted.is_text = true;
    for (uint32_t i = 0; status == BL_OK && !end; i++) {
        struct bl_value label;

        status = bl_list_at(labels.as.list, i, &label, &end);
        if (status != BL_OK || end)
            continue;
        wanted.text = bl_text_of(label);
        status = add_rows(f, rows_of(f->module, &wanted));
    }
    return status;
}

/* The rows are sorted without case; which of them equal the text is the machine's own rule. */
static enum bl_status add_text(struct finding *f, struct wanted wanted, struct bl_value text)
{
    bl_type type = bl_type_base(bl_fact_type((enum bl_fact)wanted.path));
    enum bl_status status = BL_OK;

    wanted.is_text = true;
    wanted.text = bl_text_of(text);
    struct range range = rows_of(f->module, &wanted);
    for (uint32_t i = range.from; status == BL_OK && i < range.to; i++) {
        bl_str key = key_text(f->module, &f->module->ACCESS_rows[i]);

        if (bl_value_equal(text, bl_text(key), type))
            status = add_rows(f, (struct range){i, i + 1});
    }
    return status;
}

static enum bl_status add_member(struct finding *f, struct wanted wanted,
                                 struct bl_value member)
{
    if (member.tag != BL_V_ENUM || member.as.i < 0)
        return BL_OK;
    wanted.number = (uint32_t)member.as.i;
    return add_rows(f, rows_of(f->module, &wanted));
}

/* One pass over the text says which patterns find something, here and for the rules. */
static enum bl_status add_patterns(struct finding *f, uint32_t set, bl_str text)
{
    const struct bl_module *module = f->module;
    const struct bl_module_set *row = &module->SETS_rows[set];
    const uint64_t *found;
    enum bl_status status = bl_machine_scan(f->machine, set, text, &found, NULL);

    for (size_t word = 0; status == BL_OK && word < (row->sought_count + 63) / 64; word++) {
        for (uint64_t bits = found[word]; status == BL_OK && bits != 0; bits &= bits - 1) {
            uint32_t key = (uint32_t)(word * 64) + (uint32_t)__builtin_ctzll(bits);
            struct range range = {
                .from = module->SOUGHT_rows[row->first_sought + key].first_access};

            if (range.from == BL_NONE)
                continue;
            range.to = range.from;
            while (range.to < module->ACCESS_count &&
                   module->ACCESS_rows[range.to].kind == BL_ACCESS_PATTERN &&
                   module->ACCESS_rows[range.to].path == set &&
                   module->ACCESS_rows[range.to].key == key)
                range.to++;
            status = add_rows(f, range);
        }
    }
    return status;
}

/* All rows of one kind and path. */
static enum bl_status add_group(struct finding *f, struct wanted wanted, struct range group)
{
    enum bl_access_kind kind = (enum bl_access_kind)wanted.kind;
    uint32_t fact =
        kind == BL_ACCESS_PATTERN ? f->module->SETS_rows[wanted.path].path : wanted.path;
    struct bl_value value;

    /* Nobody knows: each of these rules asks itself. */
    if (!fact_value(f->machine, (enum bl_fact)fact, &value))
        return add_rows(f, group);
    switch (kind) {
    case BL_ACCESS_LABEL:
        return add_labels(f, wanted, value);
    case BL_ACCESS_TEXT:
        return bl_is_absent(value) ? BL_OK : add_text(f, wanted, value);
    case BL_ACCESS_ENUM:
        return add_member(f, wanted, value);
    case BL_ACCESS_PATTERN:
        return bl_is_absent(value) ? BL_OK : add_patterns(f, wanted.path, bl_text_of(value));
    }
    return BL_ERR_INTERNAL;
}

/* ---- all --------------------------------------------------------------------------------- */

static int compare_entries(const void *a, const void *b, const void *context)
{
    const uint32_t *x = a, *y = b;

    (void)context;
    return (*x > *y) - (*x < *y);
}

/* A thing that names one label twice names its rules twice. */
static void drop_repeated(struct bl_candidates *c)
{
    size_t kept = 0;

    for (size_t i = 0; i < c->entries.count; i++) {
        if (kept == 0 || c->entries.items[kept - 1] != c->entries.items[i])
            c->entries.items[kept++] = c->entries.items[i];
    }
    c->entries.count = kept;
}

enum bl_status bl_index_candidates(const struct bl_index *index, struct bl_machine *machine,
                                   uint32_t job, struct bl_candidates *out)
{
    const struct bl_module *module = machine->module;
    struct finding f = {machine, module, (uint32_t)machine->event, job, out};
    enum bl_status status = BL_OK;

    *out = (struct bl_candidates){0};
    if (f.event >= BL_EVENT_COUNT)
        return BL_OK;
    for (uint32_t i = index->first[f.event]; status == BL_OK && i < index->first[f.event + 1];
         i++)
        status = add(&f, index->always[i]);
    for (uint32_t i = 0; status == BL_OK && i < module->ACCESS_count;) {
        const struct bl_access *row = &module->ACCESS_rows[i];
        struct wanted wanted = {.kind = row->kind, .path = row->path};
        struct range group = {i, bound(module, &wanted, false, true)};

        status = add_group(&f, wanted, group);
        i = group.to;
    }
    if (status == BL_OK && !bl_sort(machine->arena, out->entries.items, out->entries.count,
                                    sizeof *out->entries.items, compare_entries, NULL))
        status = BL_ERR_NOMEM;
    drop_repeated(out);
    return status;
}
