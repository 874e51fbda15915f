/* SPDX-License-Identifier: Apache-2.0 */
#include "workflows/writer.h"

/* The list of hosts that a runner reads before a job begins, in a file of its own: what it does
 * with others, its own list, and what the engines of its jobs need. */

static bool names(const struct bl_clause *row, const char *word)
{
    for (uint32_t i = 0; row != NULL && i < row->slots[0].count; i++) {
        if (bl_str_equal(row->slots[0].nodes[i]->text, bl_str_from(word)))
            return true;
    }
    return false;
}

static bool runs_on(const struct bl_symbol *job, const struct bl_symbol *runner)
{
    const struct bl_clause *row =
        job->clause != NULL ? bl_find_row(job->clause->block, BL_CLAUSE_JOB_RUNNER) : NULL;

    return row != NULL && bl_str_equal(bl_slot_node(row, 0)->text, runner->name);
}

static bool is_known(bl_str *hosts, size_t count, bl_str host)
{
    for (size_t i = 0; i < count; i++) {
        if (bl_str_equal(hosts[i], host))
            return true;
    }
    return false;
}

/* Each host once, in the order of the jobs. */
static void put_hosts(const struct bl_program *program, const struct bl_symbol *runner,
                      struct bl_buf *out)
{
    const struct bl_symbol_list *jobs = &program->symbols[BL_SYMBOL_JOB];
    struct {
        bl_str *items;
        size_t count, capacity;
    } seen = {NULL, 0, 0};

    for (size_t i = 0; i < jobs->count; i++) {
        const struct bl_symbol *engine = jobs->items[i]->as.job->engine;

        if (engine == NULL || !runs_on(jobs->items[i], runner))
            continue;
        for (size_t k = 0; k < engine->as.engine->hosts.count; k++) {
            bl_str host = engine->as.engine->hosts.items[k];
            bl_str *slot;

            if (is_known(seen.items, seen.count, host))
                continue;
            slot = BL_PUSH(program->arena, seen);
            if (slot == NULL)
                return;
            *slot = host;
            bl_buf_put(out, seen.count == 1 ? BL_STR("\n  - ") : BL_STR("  - "));
            bl_yaml_text(out, host);
            bl_buf_put_char(out, '\n');
        }
    }
    if (seen.count == 0)
        BL_PUT(out, " []\n");
}

bool bl_write_runner(const struct bl_program *program, const struct bl_symbol *runner,
                     bl_str *text)
{
    const struct bl_clause *rows = runner->clause->block;
    const struct bl_clause *hosts = bl_find_row(rows, BL_CLAUSE_RUNNER_HOSTS);
    const struct bl_clause *mode = bl_find_row(rows, BL_CLAUSE_RUNNER_MODE);
    struct bl_buf out;

    if (bl_find_row(rows, BL_CLAUSE_RUNNER_FILE) == NULL || mode == NULL)
        return false;
    bl_buf_init(&out, program->arena, (size_t)bl_limit(BL_LIMIT_COMPILE_BYTES));
    bl_buf_printf(&out,
                  BL_WORKFLOW_FIRST_LINE
                  " (runner %.*s).\n# Change the policy and write it again.\n"
                  "mode: %.*s\ndefault-hosts: %s\nhosts:",
                  BL_STR_ARG(runner->name), BL_STR_ARG(bl_slot_node(mode, 0)->text),
                  names(hosts, "default") ? "true" : "false");
    if (names(hosts, "engine"))
        put_hosts(program, runner, &out);
    else
        BL_PUT(&out, " []\n");
    *text = bl_buf_str(&out);
    return true;
}
