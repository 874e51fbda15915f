/* SPDX-License-Identifier: Apache-2.0 */
#include "base/sort.h"
#include "base/utf8.h"
#include "vm/builtins.h"
#include "vm/compose.h"

#include <string.h>

/* What documents are made with: fences, quotations, lists in an order. */

/* ---- texts ------------------------------------------------------------------------------- */

#define LEAST_FENCE 3u /* CommonMark: fewer back-ticks are no fence */

static void put_fence(struct bl_buf *out, size_t length)
{
    for (size_t i = 0; i < length; i++)
        bl_buf_put_char(out, '`');
}

/* A fence is closed by a line of at least as many back-ticks, so one more than the longest run
 * in the text cannot be closed by it, wherever its lines begin. */
enum bl_status bl_builtin_fenced(struct bl_builtin_call *call)
{
    bl_str s = bl_text_of(call->args[0]);
    size_t longest = LEAST_FENCE - 1, run = 0;
    struct bl_buf out;

    for (size_t i = 0; i < s.len; i++) {
        run = s.ptr[i] == '`' ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    bl_machine_buf(call->machine, &out);
    put_fence(&out, longest + 1);
    bl_buf_put_char(&out, '\n');
    bl_buf_put(&out, s);
    if (s.len > 0 && s.ptr[s.len - 1] != '\n')
        bl_buf_put_char(&out, '\n');
    put_fence(&out, longest + 1);
    return bl_machine_text(call->machine, &out, call->out);
}

enum bl_status bl_builtin_quoted(struct bl_builtin_call *call)
{
    return bl_compose_lines(call->machine, call->args[0], BL_STR("> "), call->out);
}

/* As wide as a bullet and its blank. */
enum bl_status bl_builtin_item_lines(struct bl_builtin_call *call)
{
    return bl_compose_lines(call->machine, call->args[0], BL_STR("  "), call->out);
}

enum bl_status bl_builtin_joined(struct bl_builtin_call *call)
{
    struct bl_list *list;
    enum bl_status status = bl_machine_list(call->machine, call->args[0], &list);

    return status == BL_OK ? bl_compose_join(call->machine, list->items, list->count, call->out)
                           : status;
}

/* ---- JSON -------------------------------------------------------------------------------- */

/* Whatever is no visible character is written by its number, so that a line stays one line for
 * every program and what nobody sees is seen. */
static void put_string(struct bl_buf *out, bl_str s)
{
    bl_buf_put_char(out, '"');
    for (size_t at = 0; at < s.len;) {
        size_t from = at;
        uint32_t c = bl_utf8_decode(s, &at);
        bool hidden = c < 0x20 || (c >= 0x7F && c <= 0xA0) || c == 0xAD || c == 0x61C ||
                      (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) ||
                      (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF || c >= 0xE0000;

        if (c == '"' || c == '\\')
            bl_buf_printf(out, "\\%c", (int)c);
        else if (c == '\n')
            BL_PUT(out, "\\n");
        else if (hidden && c > 0xFFFF)
            bl_buf_printf(out, "\\u%04X\\u%04X", 0xD800u + (unsigned)((c - 0x10000) >> 10),
                          0xDC00u + (unsigned)((c - 0x10000) & 0x3FF));
        else if (hidden)
            bl_buf_printf(out, "\\u%04X", (unsigned)c);
        else
            bl_buf_put(out, bl_str_slice(s, from, at));
    }
    bl_buf_put_char(out, '"');
}

/* A thing is its name: a number, a login, a tag. */
static void put_json(struct bl_builtin_call *call, struct bl_value v, struct bl_buf *out)
{
    struct bl_value_names names = bl_machine_names(call->machine->module);
    const struct bl_object *object = bl_object_of(v);
    struct bl_buf words;

    if (bl_is_absent(v)) {
        BL_PUT(out, "null");
    } else if (v.tag == BL_V_BOOL) {
        bl_buf_put(out, v.as.i != 0 ? BL_STR("true") : BL_STR("false"));
    } else if (v.tag == BL_V_INT) {
        bl_buf_put_int(out, v.as.i);
    } else if (v.tag == BL_V_TEXT) {
        put_string(out, bl_text_of(v));
    } else if (object != NULL && object->key != 0 && object->entity != BL_ENTITY_USER) {
        bl_buf_put_int(out, object->key);
    } else if (object != NULL) {
        put_string(out, object->name);
    } else {
        bl_machine_buf(call->machine, &words);
        bl_value_describe(&words, v, &names);
        put_string(out, bl_buf_str(&words));
    }
}

enum bl_status bl_builtin_json_value(struct bl_builtin_call *call)
{
    struct bl_list *list;
    struct bl_buf out;
    enum bl_status status = BL_OK;

    bl_machine_buf(call->machine, &out);
    if (call->args[0].tag != BL_V_LIST) {
        put_json(call, call->args[0], &out);
        return bl_machine_text(call->machine, &out, call->out);
    }
    status = bl_machine_list(call->machine, call->args[0], &list);
    bl_buf_put_char(&out, '[');
    for (uint32_t i = 0; status == BL_OK && i < list->count; i++) {
        if (i > 0)
            bl_buf_put_char(&out, ',');
        put_json(call, list->items[i], &out);
    }
    bl_buf_put_char(&out, ']');
    return status == BL_OK ? bl_machine_text(call->machine, &out, call->out) : status;
}

/* ---- order ------------------------------------------------------------------------------- */

struct keyed {
    int64_t key;
    struct bl_value value;
};

static int compare_keyed(const void *a, const void *b, const void *context)
{
    const struct keyed *x = a, *y = b;

    (void)context;
    return (x->key > y->key) - (x->key < y->key);
}

/* `largest` turns the order round: complements compare the other way, and none overflows. */
static enum bl_status in_order(struct bl_builtin_call *call, bool largest)
{
    struct bl_machine *machine = call->machine;
    struct bl_list *list, *keys, *sorted = bl_list_create(machine->arena);
    enum bl_status status = bl_machine_list(machine, call->args[0], &list);

    if (status == BL_OK)
        status = bl_machine_list(machine, call->args[1], &keys);
    if (status != BL_OK)
        return status;
    if (keys->count != list->count)
        return bl_machine_guard(machine, BL_STR("An order has not one key for each element."));
    size_t count = list->count;
    struct keyed *rows = BL_NEW_ARRAY(machine->arena, count + 1, struct keyed);
    if (rows == NULL || sorted == NULL)
        return bl_machine_nomem(machine);
    for (size_t i = 0; i < count; i++)
        rows[i] = (struct keyed){largest ? ~keys->items[i].as.i : keys->items[i].as.i,
                                 list->items[i]};
    if (!bl_sort(machine->arena, rows, count, sizeof *rows, compare_keyed, NULL))
        return bl_machine_nomem(machine);
    for (size_t i = 0; status == BL_OK && i < count; i++)
        status = bl_machine_push(machine, sorted, rows[i].value);
    *call->out = bl_list_value(sorted);
    return status;
}

enum bl_status bl_builtin_oldest_first(struct bl_builtin_call *call)
{
    return in_order(call, false);
}

enum bl_status bl_builtin_most_first(struct bl_builtin_call *call)
{
    return in_order(call, true);
}
