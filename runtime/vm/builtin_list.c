/* SPDX-License-Identifier: Apache-2.0 */
#include "base/num.h"
#include "base/sort.h"
#include "base/time.h"
#include "vm/builtins.h"

#include <string.h>

/* Lists, numbers and days. */

static enum bl_status new_list(struct bl_builtin_call *call, struct bl_list **out)
{
    *out = bl_list_create(call->machine->arena);
    if (*out == NULL)
        return bl_machine_nomem(call->machine);
    *call->out = bl_list_value(*out);
    return BL_OK;
}

enum bl_status bl_builtin_count_of(struct bl_builtin_call *call)
{
    struct bl_list *list;
    enum bl_status status = bl_machine_list(call->machine, call->args[0], &list);

    if (status == BL_OK)
        *call->out = bl_int(list->count);
    return status;
}

enum bl_status bl_builtin_first(struct bl_builtin_call *call)
{
    bool end;

    if (call->args[0].tag != BL_V_LIST)
        return bl_machine_guard(call->machine, BL_STR("first is asked of no list."));
    return bl_machine_item(call->machine, call->args[0].as.list, 0, call->out, &end);
}

enum bl_status bl_builtin_last(struct bl_builtin_call *call)
{
    struct bl_list *list;
    enum bl_status status = bl_machine_list(call->machine, call->args[0], &list);

    if (status == BL_OK && list->count > 0)
        *call->out = list->items[list->count - 1];
    return status;
}

enum bl_status bl_builtin_only(struct bl_builtin_call *call)
{
    struct bl_value second;
    bool end;
    enum bl_status status = bl_builtin_first(call);

    if (status == BL_OK && !bl_is_absent(*call->out)) {
        status = bl_machine_item(call->machine, call->args[0].as.list, 1, &second, &end);
        if (status == BL_OK && !end)
            *call->out = bl_absent();
    }
    return status;
}

/* All of it is read here, where a failure has somewhere to go (ATTEMPT). */
enum bl_status bl_builtin_attempt(struct bl_builtin_call *call)
{
    struct bl_list *list;
    enum bl_status status = bl_machine_list(call->machine, call->args[0], &list);

    if (status == BL_OK)
        *call->out = call->args[0];
    return status;
}

/* Asks for no page that it does not need. */
enum bl_status bl_builtin_take(struct bl_builtin_call *call)
{
    struct bl_list *taken;
    enum bl_status status = new_list(call, &taken);
    bool end = call->args[0].tag != BL_V_LIST;

    for (uint32_t i = 0; status == BL_OK && !end && (int64_t)i < call->args[1].as.i; i++) {
        struct bl_value item;

        status = bl_machine_item(call->machine, call->args[0].as.list, i, &item, &end);
        if (status == BL_OK && !end)
            status = bl_machine_push(call->machine, taken, item);
    }
    return status;
}

/* ---- distinct ---------------------------------------------------------------------------- */

/* Equal values have equal hashes. Where equality knows more than this (records, lists) all have
 * the same one, and the search is as long as the list: such lists are the policy's own. */
static uint64_t hash_of(struct bl_value v)
{
    const struct bl_object *object = bl_object_of(v);

    if (object != NULL)
        return bl_str_hash_nocase(object->name, object->entity) ^
               (object->entity == BL_ENTITY_USER ? 0 : (uint64_t)object->key * 31);
    if (v.tag == BL_V_TEXT)
        return bl_str_hash_nocase(bl_text_of(v), 0);
    if (v.tag == BL_V_LIST || v.tag == BL_V_RECORD)
        return v.tag;
    return ((uint64_t)v.as.i + v.tag) * UINT64_C(0x9E3779B97F4A7C15);
}

struct seen {
    uint32_t *slots; /* index + 1 of an element, 0 for none */
    size_t mask;
    const struct bl_list *list;
    bl_type type;
};

/* Was an equal one there? Else it is now. */
static enum bl_status meet(struct bl_machine *machine, struct seen *seen, uint32_t index,
                           bool *met)
{
    struct bl_value v = seen->list->items[index];
    size_t slot = hash_of(v) & seen->mask;

    *met = false;
    for (; seen->slots[slot] != 0; slot = (slot + 1) & seen->mask) {
        enum bl_status status = bl_charge(machine, 1);
        if (status != BL_OK)
            return status;
        if (bl_value_equal(v, seen->list->items[seen->slots[slot] - 1], seen->type)) {
            *met = true;
            return BL_OK;
        }
    }
    seen->slots[slot] = index + 1;
    return BL_OK;
}

enum bl_status bl_builtin_distinct(struct bl_builtin_call *call)
{
    struct bl_list *list;
    struct bl_list *distinct;
    size_t slots = 16;
    enum bl_status status = bl_machine_list(call->machine, call->args[0], &list);

    if (status == BL_OK)
        status = new_list(call, &distinct);
    if (status != BL_OK)
        return status;
    while (slots < (size_t)list->count * 2)
        slots *= 2;
    struct seen seen = {
        .slots = BL_NEW_ARRAY(call->machine->arena, slots, uint32_t),
        .mask = slots - 1,
        .list = list,
        .type = bl_type_element(bl_type_base(call->types[0])),
    };
    if (seen.slots == NULL)
        return bl_machine_nomem(call->machine);
    for (uint32_t i = 0; status == BL_OK && i < list->count; i++) {
        bool met;

        status = meet(call->machine, &seen, i, &met);
        if (status == BL_OK && !met)
            status = bl_machine_push(call->machine, distinct, list->items[i]);
    }
    return status;
}

enum bl_status bl_builtin_flat(struct bl_builtin_call *call)
{
    struct bl_list *list;
    struct bl_list *flat;
    enum bl_status status = bl_machine_list(call->machine, call->args[0], &list);

    if (status == BL_OK)
        status = new_list(call, &flat);
    for (uint32_t i = 0; status == BL_OK && i < list->count; i++) {
        struct bl_list *part;

        status = bl_machine_list(call->machine, list->items[i], &part);
        for (uint32_t k = 0; status == BL_OK && k < part->count; k++)
            status = bl_machine_push(call->machine, flat, part->items[k]);
    }
    return status;
}

/* ---- numbers ----------------------------------------------------------------------------- */

enum bl_status bl_builtin_sum(struct bl_builtin_call *call)
{
    struct bl_list *list;
    int64_t sum = 0;
    enum bl_status status = bl_machine_list(call->machine, call->args[0], &list);

    for (uint32_t i = 0; status == BL_OK && i < list->count; i++)
        sum = bl_int_add(sum, list->items[i].as.i);
    if (status == BL_OK)
        *call->out = bl_int(sum);
    return status;
}

static int compare_numbers(const void *a, const void *b, const void *context)
{
    const int64_t *x = a, *y = b;

    (void)context;
    return (*x > *y) - (*x < *y);
}

/* Whole minutes between two lengths, rounded down. */
static int64_t mean_in_minutes(int64_t low, int64_t high)
{
    int64_t mean = bl_int_add(low, bl_int_sub(high, low) / 2);
    int64_t rest = mean % 60;

    return mean - (rest < 0 ? rest + 60 : rest);
}

enum bl_status bl_builtin_median(struct bl_builtin_call *call)
{
    struct bl_list *list;
    enum bl_status status = bl_machine_list(call->machine, call->args[0], &list);

    if (status != BL_OK || list->count == 0)
        return status;
    size_t count = list->count;
    int64_t *numbers = BL_NEW_ARRAY(call->machine->arena, count, int64_t);
    if (numbers == NULL)
        return bl_machine_nomem(call->machine);
    for (size_t i = 0; i < count; i++)
        numbers[i] = list->items[i].as.i;
    if (!bl_sort(call->machine->arena, numbers, count, sizeof *numbers, compare_numbers, NULL))
        return bl_machine_nomem(call->machine);
    int64_t middle = count % 2 == 1
                         ? numbers[count / 2]
                         : mean_in_minutes(numbers[count / 2 - 1], numbers[count / 2]);
    *call->out = bl_number(BL_V_DURATION, middle);
    return BL_OK;
}

enum bl_status bl_builtin_latest(struct bl_builtin_call *call)
{
    struct bl_list *list;
    enum bl_status status = bl_machine_list(call->machine, call->args[0], &list);

    for (uint32_t i = 0; status == BL_OK && i < list->count; i++) {
        if (bl_is_absent(*call->out) || bl_value_order(*call->out, list->items[i]) < 0)
            *call->out = list->items[i];
    }
    return status;
}

enum bl_status bl_builtin_larger(struct bl_builtin_call *call)
{
    bool second = bl_value_order(call->args[0], call->args[1]) < 0;

    *call->out = call->args[second ? 1 : 0];
    return BL_OK;
}

enum bl_status bl_builtin_days(struct bl_builtin_call *call)
{
    *call->out = bl_int(bl_int_sub(call->args[1].as.i, call->args[0].as.i));
    return BL_OK;
}
