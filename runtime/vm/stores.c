/* SPDX-License-Identifier: Apache-2.0 */
#include "vm/stores.h"

#include "base/sort.h"
#include "vm/machine.h"
#include "vm/records.h"

/* What was read of a store, as long as the snapshot gives the same text. */
struct bl_stored {
    bl_str text;
    struct bl_list *rows; /* NULL: not read */
    uint32_t *by_key;     /* their places, by ascending keys */
};

#define LINE_DEPTH 2 /* an object, and lists in it */

/* ---- lines ------------------------------------------------------------------------------- */

void bl_store_line(const struct bl_module *module, struct bl_value row, struct bl_buf *out)
{
    struct bl_json_writer writer;

    bl_json_writer_init(&writer, out, false);
    bl_record_write(module, row, &writer);
    bl_buf_put_char(out, '\n');
}

/* "runs_left must be a whole number" */
static bl_str problem_of(const struct bl_record_reader *reader)
{
    struct bl_buf words;

    bl_buf_init(&words, reader->arena, 8192);
    bl_buf_put(&words, bl_str_equal(reader->problem.path, BL_STR("$")) ? BL_STR("it")
                                                                       : reader->problem.path);
    bl_buf_put_char(&words, ' ');
    bl_buf_put(&words, reader->problem.problem);
    return bl_buf_str(&words);
}

enum bl_status bl_store_read_line(struct bl_arena *arena, const struct bl_module *module,
                                  uint32_t store, bl_str line, struct bl_value *row,
                                  bl_str *problem)
{
    struct bl_record_reader reader = {
        .arena = arena, .module = module, .kinds = BL_STORE_KINDS};
    struct bl_json_error error;
    size_t notes = 0;
    const struct bl_json *json = bl_json_parse(arena, line, LINE_DEPTH, &notes, &error);

    if (json == NULL) {
        *problem = error.message;
        return error.no_memory ? BL_ERR_NOMEM : BL_ERR_INVALID;
    }
    enum bl_status status =
        bl_record_read(&reader, json, module->STORES_rows[store].record, row);
    if (status == BL_OK)
        status = bl_record_check(&reader, *row);
    if (status == BL_ERR_INVALID)
        *problem = problem_of(&reader);
    return status;
}

/* ---- keys -------------------------------------------------------------------------------- */

static struct bl_value key_of(const struct bl_module *module, uint32_t store,
                              struct bl_value row)
{
    return row.as.fields[module->STORES_rows[store].key];
}

/* Both are ints, or both are names. */
static int compare_keys(struct bl_value a, struct bl_value b)
{
    if (a.tag == BL_V_TEXT)
        return bl_str_compare(bl_text_of(a), bl_text_of(b));
    return (a.as.i > b.as.i) - (a.as.i < b.as.i);
}

struct sorting {
    const struct bl_module *module;
    const struct bl_stored *stored;
    uint32_t store;
};

static int compare_rows(const void *a, const void *b, const void *context)
{
    const struct sorting *s = context;
    const uint32_t *x = a, *y = b;

    return compare_keys(key_of(s->module, s->store, s->stored->rows->items[*x]),
                        key_of(s->module, s->store, s->stored->rows->items[*y]));
}

uint32_t bl_machine_row_of(const struct bl_machine *machine, uint32_t store,
                           struct bl_value key)
{
    const struct bl_stored *stored = &machine->state->stored[store];
    uint32_t lo = 0, hi = stored->rows->count;

    while (lo < hi) {
        uint32_t middle = lo + (hi - lo) / 2;

        if (compare_keys(
                key_of(machine->module, store, stored->rows->items[stored->by_key[middle]]),
                key) < 0)
            lo = middle + 1;
        else
            hi = middle;
    }
    if (lo == stored->rows->count)
        return BL_NONE;
    uint32_t row = stored->by_key[lo];
    return compare_keys(key_of(machine->module, store, stored->rows->items[row]), key) == 0
               ? row
               : BL_NONE;
}

/* ---- files ------------------------------------------------------------------------------- */

/* "Line 3 of the store 'learned' (learnings.jsonl) cannot be read" */
static enum bl_status refuse(struct bl_machine *machine, uint32_t store, uint32_t line,
                             bl_str why)
{
    const struct bl_module *m = machine->module;
    struct bl_buf what;

    bl_buf_init(&what, machine->arena, 8192);
    if (line > 0)
        bl_buf_printf(&what, "Line %u of the store", line);
    else
        BL_PUT(&what, "The store");
    bl_buf_printf(&what, " '%.*s' (%.*s) cannot be read",
                  BL_STR_ARG(bl_module_string(m, m->STORES_rows[store].name)),
                  BL_STR_ARG(bl_module_string(m, m->STORES_rows[store].file)));
    machine->failure = (struct bl_failure){
        .what = bl_buf_str(&what),
        .why = why,
        .help = BL_STR("Correct the file, or take it as it was before the line was changed."),
    };
    return what.failed ? bl_machine_nomem(machine) : BL_ERR_READ;
}

static enum bl_status read_rows(struct bl_machine *machine, uint32_t store,
                                struct bl_stored *stored)
{
    struct bl_arena *home = machine->state->home;
    bl_str rest = stored->text;
    uint32_t line = 0;

    while (rest.len > 0) {
        size_t end = bl_str_find_char(rest, '\n');
        struct bl_value row = bl_absent();
        bl_str problem = {NULL, 0};
        enum bl_status status = bl_store_read_line(home, machine->module, store,
                                                   bl_str_slice(rest, 0, end), &row, &problem);

        line++;
        if (status == BL_OK)
            status = bl_list_push(home, stored->rows, row);
        if (status == BL_ERR_INVALID)
            return refuse(machine, store, line, problem);
        if (status == BL_ERR_LIMIT)
            return refuse(machine, store, line, BL_STR("it has too many rows"));
        if (status != BL_OK)
            return bl_machine_nomem(machine);
        rest = end == SIZE_MAX ? (bl_str){NULL, 0} : bl_str_slice(rest, end + 1, rest.len);
    }
    return bl_charge(machine, stored->rows->count);
}

/* Rows are told apart by their keys. */
static enum bl_status index_rows(struct bl_machine *machine, uint32_t store,
                                 struct bl_stored *stored)
{
    const struct sorting s = {machine->module, stored, store};
    uint32_t count = stored->rows->count;

    stored->by_key = BL_NEW_ARRAY(machine->state->home, (size_t)count + 1, uint32_t);
    if (stored->by_key == NULL)
        return bl_machine_nomem(machine);
    for (uint32_t i = 0; i < count; i++)
        stored->by_key[i] = i;
    if (!bl_sort(machine->arena, stored->by_key, count, sizeof *stored->by_key, compare_rows,
                 &s))
        return bl_machine_nomem(machine);
    for (uint32_t i = 1; i < count; i++) {
        struct bl_buf why;

        if (compare_rows(&stored->by_key[i - 1], &stored->by_key[i], &s) != 0)
            continue;
        bl_buf_init(&why, machine->arena, 100);
        bl_buf_printf(&why, "line %u has its key already", stored->by_key[i - 1] + 1);
        return refuse(machine, store, stored->by_key[i] + 1, bl_buf_str(&why));
    }
    return bl_charge(machine, count);
}

static enum bl_status read_file(struct bl_machine *machine, uint32_t store, bl_str *text)
{
    const struct bl_module *m = machine->module;
    struct bl_value path = bl_text(bl_module_string(m, m->STORES_rows[store].file));
    struct bl_value answer = bl_absent();
    enum bl_status status = bl_machine_ask(machine, BL_READ_STORE, &path, 1, &answer);

    *text = bl_is_absent(answer) ? BL_STR("") : bl_text_of(answer);
    if (status == BL_OK && text->len > bl_limit(BL_LIMIT_STORE_BYTES))
        return refuse(machine, store, 0, BL_STR("it is larger than a store may be"));
    return status == BL_OK ? bl_charge_text(machine, text->len) : status;
}

enum bl_status bl_machine_rows(struct bl_machine *machine, uint32_t store,
                               struct bl_list **rows)
{
    struct bl_machine_state *state = bl_machine_state_of(machine);
    bl_str text;

    if (state == NULL)
        return bl_machine_nomem(machine);
    if (state->stored == NULL)
        state->stored =
            BL_NEW_ARRAY(state->home, machine->module->STORES_count, struct bl_stored);
    if (state->stored == NULL)
        return bl_machine_nomem(machine);
    struct bl_stored *stored = &state->stored[store];
    enum bl_status status = read_file(machine, store, &text);
    if (status != BL_OK)
        return status;
    if (stored->rows == NULL || text.ptr != stored->text.ptr || text.len != stored->text.len) {
        struct bl_stored fresh = {text, bl_list_create(state->home), NULL};

        *stored = (struct bl_stored){.rows = NULL};
        if (fresh.rows == NULL)
            return bl_machine_nomem(machine);
        status = read_rows(machine, store, &fresh);
        if (status == BL_OK)
            status = index_rows(machine, store, &fresh);
        if (status != BL_OK)
            return status;
        *stored = fresh;
    }
    *rows = stored->rows;
    return BL_OK;
}

enum bl_status bl_op_stored(struct bl_machine *machine, const struct bl_frame *frame,
                            const struct bl_insn *insn)
{
    struct bl_list *rows = NULL;
    enum bl_status status = bl_machine_rows(machine, insn->c, &rows);

    if (status == BL_OK)
        frame->registers[insn->a] = bl_list_value(rows);
    return status;
}
