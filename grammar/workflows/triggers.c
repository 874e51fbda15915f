/* SPDX-License-Identifier: Apache-2.0 */
#include "workflows/writer.h"

/* `on:`: the events in the order in which the policy names their kinds first. */

static bool names_family(const struct bl_clause *on, enum bl_event_family family)
{
    for (uint32_t i = 0; i < on->slots[0].count; i++) {
        const struct bl_node *path = on->slots[0].nodes[i];

        if (path->kind == BL_NODE_FIELD) /* issues.opened */
            path = path->kids[0];
        if (bl_str_equal(path->text, bl_family_name(family)))
            return true;
    }
    return false;
}

static const struct bl_clause *next_of(const struct bl_clause *on, enum bl_event_family family)
{
    while (on != NULL && (on->id != BL_CLAUSE_WORKFLOW_ON || !names_family(on, family)))
        on = on->next;
    return on;
}

#define EACH_OF(w, on, family)                                                                 \
    (const struct bl_clause *on = next_of((w)->workflow->clause->block, family); on != NULL;   \
     on = next_of(on->next, family))

static void put_key(struct bl_writer *w, unsigned columns, const char *key)
{
    bl_yaml_indent(&w->out, columns);
    bl_buf_printf(&w->out, "%s:", key);
}

/* ---- filters
 * ------------------------------------------------------------------------------------ */

/* A filter is a pattern to GitHub, and none can be an expression there. */
static void put_list(struct bl_writer *w, enum bl_event_family family, enum bl_clause_id id,
                     const char *key)
{
    bool begun = false;

    for
        EACH_OF(w, on, family)
        {
            for (const struct bl_clause *row = on->block; row != NULL; row = row->next) {
                for (uint32_t i = 0; row->id == id && i < row->slots[0].count; i++) {
                    const struct bl_node *node = row->slots[0].nodes[i];

                    if (node->kind != BL_NODE_STRING)
                        continue;
                    if (!begun) {
                        put_key(w, 4, key);
                        bl_buf_put_char(&w->out, '\n');
                    }
                    begun = true;
                    BL_PUT(&w->out, "      - ");
                    bl_yaml_text(&w->out,
                                 node->kid_count > 0 ? node->kids[0]->text : BL_STR(""));
                    bl_buf_put_char(&w->out, '\n');
                }
            }
        }
}

/* Does the workflow listen to the default branch alone? Its name stands in no policy, so the
 * filter cannot hold it. */
static bool wants_default(const struct bl_writer *w, enum bl_event_family family)
{
    for
        EACH_OF(w, on, family)
        {
            const struct bl_clause *row = bl_find_row(on->block, BL_CLAUSE_LISTENS_BRANCH);

            for (uint32_t i = 0; row != NULL && i < row->slots[0].count; i++) {
                if (row->slots[0].nodes[i]->kind == BL_NODE_NAME)
                    return true;
            }
        }
    return false;
}

static void put_branches(struct bl_writer *w, enum bl_event_family family)
{
    /* Literal ones beside it would lock the default branch out. */
    if (!wants_default(w, family))
        put_list(w, family, BL_CLAUSE_LISTENS_BRANCH, "branches");
}

static void put_other_branches(struct bl_writer *w, enum bl_event_family family,
                               const char *branch, struct bl_buf *out)
{
    for
        EACH_OF(w, on, family)
        {
            const struct bl_clause *row = bl_find_row(on->block, BL_CLAUSE_LISTENS_BRANCH);

            for (uint32_t i = 0; row != NULL && i < row->slots[0].count; i++) {
                const struct bl_node *node = row->slots[0].nodes[i];

                if (node->kind != BL_NODE_STRING || node->kid_count == 0)
                    continue;
                bl_buf_printf(out, " || %s == ", branch);
                bl_write_quoted(out, node->kids[0]->text);
            }
        }
}

void bl_write_branch_condition(struct bl_writer *w, struct bl_buf *out)
{
    static const struct {
        enum bl_event_family family;
        const char *branch;
    } rows[] = {
        {BL_FAMILY_PUSH, "github.ref_name"},
        {BL_FAMILY_WORKFLOW_RUN, "github.event.workflow_run.head_branch"},
        {BL_FAMILY_PULL_REQUEST, "github.base_ref"},
        {BL_FAMILY_PULL_REQUEST_TARGET, "github.base_ref"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bl_str name = bl_family_name(rows[i].family);

        if (!wants_default(w, rows[i].family))
            continue;
        if (out->len > 0)
            BL_PUT(out, BL_YAML_BREAK "&& ");
        bl_buf_printf(out, "(github.event_name != '%.*s' || ", BL_STR_ARG(name));
        /* A tag may be called as the branch is. */
        if (rows[i].family == BL_FAMILY_PUSH)
            BL_PUT(out, "github.ref_type == 'branch' && (");
        bl_buf_printf(out, "%s == " BL_DEFAULT_BRANCH, rows[i].branch);
        put_other_branches(w, rows[i].family, rows[i].branch, out);
        bl_buf_put(out, rows[i].family == BL_FAMILY_PUSH ? BL_STR("))") : BL_STR(")"));
    }
}

/* ---- runs by hand
 * ------------------------------------------------------------------------------- */

static void put_option(struct bl_writer *w, bl_str option)
{
    BL_PUT(&w->out, "          - ");
    bl_yaml_text(&w->out, option);
    bl_buf_put_char(&w->out, '\n');
}

static void put_options(struct bl_writer *w, bl_type type)
{
    const struct bl_symbol_list *tasks = &w->program->symbols[BL_SYMBOL_TASK];
    unsigned list = bl_type_ref(type);

    BL_PUT(&w->out, "        options:\n");
    for (size_t i = 0; bl_type_is(type, BL_TYPE_TASK) && i < tasks->count; i++)
        put_option(w, tasks->items[i]->name);
    for (unsigned i = 0;
         bl_type_is(type, BL_TYPE_ENUM) && i < bl_program_member_count(w->program, list); i++)
        put_option(w, bl_program_member(w->program, list, i));
}

static void put_input(struct bl_writer *w, const struct bl_clause *row)
{
    const struct bl_node *name = bl_slot_node(row, 0), *preset = bl_slot_node(row, 2);
    enum bl_type_kind kind = bl_type_kind(name->type);
    const struct bl_knowing nothing = {NULL, 0};
    struct bl_buf value;

    bl_yaml_indent(&w->out, 6);
    bl_yaml_text(&w->out, name->text);
    bl_buf_printf(&w->out, ":\n        type: %s\n",
                  kind == BL_TYPE_INT    ? "number"
                  : kind == BL_TYPE_BOOL ? "boolean"
                  : kind == BL_TYPE_TEXT ? "string"
                                         : "choice");
    if (kind == BL_TYPE_TASK || kind == BL_TYPE_ENUM)
        put_options(w, name->type);
    if (preset == NULL) {
        BL_PUT(&w->out, "        required: true\n");
        return;
    }
    BL_PUT(&w->out, "        default: ");
    bl_buf_init(&value, w->program->arena, (size_t)bl_limit(BL_LIMIT_TEXT_BYTES));
    bl_write_value(w, &nothing, preset, &value);
    if (kind == BL_TYPE_INT || kind == BL_TYPE_BOOL)
        bl_buf_put(&w->out, bl_buf_str(&value));
    else
        bl_yaml_text(&w->out, bl_buf_str(&value));
    bl_buf_put_char(&w->out, '\n');
}

static void put_inputs(struct bl_writer *w)
{
    bool begun = false;

    for
        EACH_OF(w, on, BL_FAMILY_WORKFLOW_DISPATCH)
        {
            for (const struct bl_clause *row = on->block; row != NULL; row = row->next) {
                if (row->id != BL_CLAUSE_LISTENS_INPUT)
                    continue;
                if (!begun)
                    BL_PUT(&w->out, "    inputs:\n");
                begun = true;
                put_input(w, row);
            }
        }
}

/* ---- all
 * ---------------------------------------------------------------------------------------- */

static void put_types(struct bl_writer *w, enum bl_event_family family)
{
    uint64_t events = w->workflow->as.workflow->events;
    bool begun = false;

    for (unsigned i = 0; i < BL_EVENT_COUNT; i++) {
        const struct bl_event_info *event = bl_event_info((enum bl_event_id)i);

        if ((events >> i & 1) == 0 || event->family != family || event->action.len == 0)
            continue;
        bl_buf_printf(&w->out, begun ? ", %.*s" : "    types: [%.*s",
                      BL_STR_ARG(event->action));
        begun = true;
    }
    if (begun)
        BL_PUT(&w->out, "]\n");
}

static void put_family(struct bl_writer *w, enum bl_event_family family)
{
    bl_str name = bl_family_name(family);

    bl_buf_printf(&w->out, "  %.*s:\n", BL_STR_ARG(name));
    put_types(w, family);
    put_list(w, family, BL_CLAUSE_LISTENS_OF, "workflows");
    put_branches(w, family);
    put_list(w, family, BL_CLAUSE_LISTENS_PATHS, "paths");
    if (family == BL_FAMILY_WORKFLOW_DISPATCH)
        put_inputs(w);
    for
        EACH_OF(w, on, family)
        {
            if (family != BL_FAMILY_SCHEDULE)
                break;
            BL_PUT(&w->out, "    - cron: ");
            bl_yaml_text(&w->out, bl_row_text(on, 1));
            bl_buf_put_char(&w->out, '\n');
        }
}

void bl_write_triggers(struct bl_writer *w)
{
    bool written[BL_FAMILY_COUNT] = {false};

    BL_PUT(&w->out, "on:\n");
    for (const struct bl_clause *on = w->workflow->clause->block; on != NULL; on = on->next) {
        for (unsigned f = 0; on->id == BL_CLAUSE_WORKFLOW_ON && f < BL_FAMILY_COUNT; f++) {
            if (written[f] || !names_family(on, (enum bl_event_family)f))
                continue;
            written[f] = true;
            put_family(w, (enum bl_event_family)f);
        }
    }
}
