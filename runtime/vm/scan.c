/* SPDX-License-Identifier: Apache-2.0 */
#include "vm/machine.h"

/* What is sought in texts by sets of patterns. Many rules ask one text for many things; the set
 * finds them all in one pass, and the answer is kept for the next rule. */

static bool is_same(bl_str a, bl_str b)
{
    return a.ptr == b.ptr && a.len == b.len;
}

static struct bl_scan *scan_of(struct bl_machine *machine, uint32_t set, size_t words)
{
    struct bl_machine_state *state = bl_machine_state_of(machine);

    if (state == NULL)
        return NULL;
    if (state->scans == NULL)
        state->scans =
            BL_NEW_ARRAY(machine->arena, machine->module->SETS_count, struct bl_scan);
    if (state->scans == NULL)
        return NULL;
    struct bl_scan *scan = &state->scans[set];
    if (scan->found == NULL)
        scan->found = BL_NEW_ARRAY(machine->arena, words, uint64_t);
    return scan->found != NULL ? scan : NULL;
}

enum bl_status bl_machine_scan(struct bl_machine *machine, uint32_t set, bl_str text,
                               const uint64_t **found, bool *scanned)
{
    const struct bl_module_set *row = &machine->module->SETS_rows[set];
    struct bl_pattern automata = {machine->module->BLOBS_rows + row->first,
                                  row->count * sizeof(uint64_t)};
    size_t words = (row->sought_count + 63) / 64;
    struct bl_scan *scan = scan_of(machine, set, words);

    if (scan == NULL)
        return bl_machine_nomem(machine);
    bool known = scan->known && is_same(scan->text, text);
    if (!known) {
        for (size_t i = 0; i < words; i++)
            scan->found[i] = 0;
        bl_pattern_set_scan(automata, text, scan->found);
        scan->text = text;
        scan->known = true;
    }
    if (scanned != NULL)
        *scanned = !known;
    *found = scan->found;
    return BL_OK;
}

enum bl_status bl_op_found(struct bl_machine *machine, const struct bl_frame *frame,
                           const struct bl_insn *insn)
{
    struct bl_value text = frame->registers[insn->b];
    uint32_t set = bl_module_set_of(machine->module, insn->c);
    uint32_t pattern = insn->c - machine->module->SETS_rows[set].first_sought;
    const uint64_t *found;
    bool scanned;

    frame->registers[insn->a] = bl_bool(false);
    if (text.tag != BL_V_TEXT)
        return BL_OK;
    enum bl_status status = bl_machine_scan(machine, set, bl_text_of(text), &found, &scanned);
    if (status != BL_OK)
        return status;
    frame->registers[insn->a] = bl_bool((found[pattern / 64] >> pattern % 64 & 1) != 0);
    return bl_charge_text(machine, scanned ? text.len : 0);
}
