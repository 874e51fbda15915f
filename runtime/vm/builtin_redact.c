/* SPDX-License-Identifier: Apache-2.0 */
#include "base/utf8.h"
#include "secret/redact.h"
#include "vm/builtins.h"

#include <string.h>

/* Redactions that a policy calls. Each has one redactor as long as the machine lives, so that a
 * value has the same marker each time (RED-08). */

static enum bl_status fail(struct bl_machine *machine, enum bl_status status, bl_str problem)
{
    if (status == BL_ERR_NOMEM)
        return bl_machine_nomem(machine);
    return problem.len > 0 ? bl_machine_fail(machine, BL_ERR_INVALID, problem) : status;
}

static enum bl_status create(struct bl_machine *machine, uint32_t index,
                             struct bl_redactor **out)
{
    struct bl_secret_host host = bl_machine_host(machine);
    struct bl_redaction_input input = {.literal_count = 0};
    bl_str problem = {NULL, 0};

    if (machine->redaction_key != NULL)
        memcpy(input.key, machine->redaction_key, sizeof input.key);
    enum bl_status status = bl_redactor_create(machine->state->home, machine->module, index,
                                               &host, &input, out, &problem);
    return status == BL_OK ? BL_OK : fail(machine, status, problem);
}

/* Kept once it is whole. */
static enum bl_status redactor_of(struct bl_machine *machine, int64_t index,
                                  struct bl_redactor **out)
{
    struct bl_machine_state *state = machine->state;
    size_t count = machine->module->REDACTIONS_count;

    if (index < 0 || (uint64_t)index >= count)
        return bl_machine_guard(machine, BL_STR("There is no such redaction."));
    if (state->redactors == NULL)
        state->redactors = BL_NEW_ARRAY(state->home, count, struct bl_redactor *);
    if (state->redactors == NULL)
        return bl_machine_nomem(machine);
    *out = state->redactors[index];
    if (*out != NULL)
        return BL_OK;
    enum bl_status status = create(machine, (uint32_t)index, out);
    if (status == BL_OK)
        state->redactors[index] = *out;
    return status;
}

static enum bl_status redact(struct bl_builtin_call *call, struct bl_redacted *out)
{
    struct bl_machine *machine = call->machine;
    bl_str text = bl_text_of(call->args[0]), problem = {NULL, 0};
    struct bl_redactor *redactor;
    enum bl_status status = redactor_of(machine, call->args[1].as.i, &redactor);

    if (status == BL_OK)
        status = bl_charge_text(machine, text.len);
    if (status != BL_OK)
        return status;
    status = bl_redact(redactor, machine->arena, text, out, &problem);
    if (status != BL_OK)
        return fail(machine, status, problem);
    if (machine->redacted != NULL)
        status = machine->redacted->done(machine->redacted->context, machine->arena,
                                         (uint32_t)call->args[1].as.i, out);
    if (status != BL_OK)
        return fail(machine, status, problem);
    return bl_charge_text(machine, out->steps > text.len ? out->steps - text.len : 0);
}

enum bl_status bl_builtin_redacted(struct bl_builtin_call *call)
{
    struct bl_redacted redacted;
    enum bl_status status = redact(call, &redacted);

    if (status != BL_OK)
        return status;
    if (redacted.text.len > bl_limit(BL_LIMIT_TEXT_BYTES))
        return bl_machine_fail(call->machine, BL_ERR_LIMIT, BL_STR("A text is too long."));
    *call->out = bl_text(redacted.text);
    return BL_OK;
}

enum bl_status bl_builtin_masks(struct bl_builtin_call *call)
{
    struct bl_arena *arena = call->machine->arena;
    struct bl_list *list = bl_list_create(arena);
    struct bl_redacted redacted;
    enum bl_status status =
        list != NULL ? redact(call, &redacted) : bl_machine_nomem(call->machine);

    for (size_t i = 0; status == BL_OK && i < redacted.list.count; i++) {
        const struct bl_redacted_span *span = &redacted.list.items[i];
        struct bl_object *mask = bl_object_create(arena, BL_ENTITY_MASK, 0, span->kind);

        if (mask == NULL)
            return bl_machine_nomem(call->machine);
        bl_object_set(mask, BL_FIELD_MASK_KIND, bl_text(span->kind));
        bl_object_set(mask, BL_FIELD_MASK_SOURCE, bl_text(span->source));
        status = bl_machine_push(call->machine, list, bl_object_value(mask));
    }
    if (status == BL_OK)
        *call->out = bl_list_value(list);
    return status;
}

/* The first character that begins at the place or behind it. */
static size_t next_character(bl_str s, size_t at)
{
    while (at < s.len && ((unsigned char)s.ptr[at] & 0xC0) == 0x80)
        at++;
    return at;
}

/* What went wrong stands mostly at the end, what was asked at the beginning. */
enum bl_status bl_builtin_shorten(struct bl_builtin_call *call)
{
    static const bl_str ellipsis = {"\xE2\x80\xA6", 3};
    bl_str s = bl_text_of(call->args[0]);
    int64_t most = call->args[1].as.i;
    struct bl_buf out;

    enum bl_status status = bl_charge_text(call->machine, s.len);
    if (status != BL_OK || most >= (int64_t)s.len) {
        *call->out = bl_text(s);
        return status;
    }
    size_t room = most > (int64_t)ellipsis.len ? (size_t)most - ellipsis.len : 0;
    size_t tail = next_character(s, s.len - room / 2);
    bl_machine_buf(call->machine, &out);
    bl_buf_put(&out, bl_utf8_prefix(s, room - room / 2));
    if (most >= (int64_t)ellipsis.len)
        bl_buf_put(&out, ellipsis);
    bl_buf_put(&out, bl_str_slice(s, tail, s.len));
    return bl_machine_text(call->machine, &out, call->out);
}
