/* SPDX-License-Identifier: Apache-2.0 */
#include "base/digest.h"
#include "vm/builtins.h"

/* Ids that nothing has yet, and texts of chance that are the same in every run of a test. */

#define ID_DIGITS 16

enum bl_status bl_machine_new_id(struct bl_machine *machine, struct bl_value *out)
{
    struct bl_buf seed;
    unsigned char digest[BL_DIGEST_BYTES];
    char hex[BL_DIGEST_HEX];
    bl_str id;

    bl_buf_init(&seed, machine->arena, 64);
    BL_PUT(&seed, "id ");
    bl_buf_put_int(&seed, machine->id_seed);
    BL_PUT(&seed, " ");
    bl_buf_put_int(&seed, (int64_t)machine->ids++);
    bl_digest(bl_buf_str(&seed), digest);
    bl_digest_hex(digest, hex);
    id = bl_arena_copy(machine->arena, (bl_str){hex, ID_DIGITS});
    if (machine->arena->failed)
        return bl_machine_nomem(machine);
    *out = bl_text(id);
    return BL_OK;
}

/* SplitMix64 (Steele, Lea and Flood, 2014): every seed is a good one, and anyone can compute
 * the same numbers. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);

    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

/* A character for each number, by its six upper bits. */
static void put_run(uint64_t *state, int64_t length, struct bl_buf *out)
{
    static const char base64[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    for (int64_t i = 0; i < length; i++)
        bl_buf_put_char(out, base64[next_random(state) >> 58]);
}

enum bl_status bl_builtin_random_runs(struct bl_builtin_call *call)
{
    struct bl_machine *machine = call->machine;
    struct bl_list *list = bl_list_create(machine->arena);
    int64_t count = call->args[0].as.i, length = call->args[1].as.i;
    uint64_t state = (uint64_t)call->args[2].as.i;
    enum bl_status status = list != NULL ? BL_OK : bl_machine_nomem(machine);

    if (status == BL_OK)
        *call->out = bl_list_value(list);
    for (int64_t i = 0; status == BL_OK && i < count; i++) {
        struct bl_buf run;
        struct bl_value text = bl_absent();

        bl_machine_buf(machine, &run);
        status = bl_charge_text(machine, length > 0 ? (size_t)length : 0);
        if (status == BL_OK)
            put_run(&state, length, &run);
        if (status == BL_OK)
            status = bl_machine_text(machine, &run, &text);
        if (status == BL_OK)
            status = bl_machine_push(machine, list, text);
    }
    return status;
}
