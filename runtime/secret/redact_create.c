/* SPDX-License-Identifier: Apache-2.0 */
#include "secret/redact_parts.h"

#include <string.h>

/* What a redaction knows before it sees a text. */

static enum bl_status call_text(struct bl_redactor *r, uint32_t function,
                                const struct bl_value *args, size_t count, bl_str *out)
{
    struct bl_value value = bl_absent();
    enum bl_status status = r->host.call(r->host.context, function, args, count, &value);

    *out = bl_arena_copy(r->arena, bl_text_of(value));
    return status == BL_OK && r->arena->failed ? BL_ERR_NOMEM : status;
}

/* ---- lists --------------------------------------------------------------------------------
 */

struct taking {
    struct bl_redactor *r;
    uint32_t mask;
    size_t count; /* elements of the list so far */
};

static uint32_t count_of(const struct bl_redactor *r, enum bl_known_kind what)
{
    uint32_t count = 0;

    for (size_t i = 0; i < r->known.count; i++)
        count += r->known.items[i].what == what;
    return count;
}

/* One value that stands there twice keeps both numbers, so that each index can be told. */
static enum bl_status add_known(struct taking *t, enum bl_known_kind what,
                                struct bl_value element, bl_str value,
                                struct bl_pattern pattern)
{
    const struct bl_module_mask *row = &t->r->m->MASKS_rows[t->mask];
    struct bl_known_value *slot = BL_PUSH(t->r->arena, t->r->known);
    const struct bl_value args[2] = {element, bl_int((int64_t)t->count)};

    if (slot == NULL)
        return BL_ERR_NOMEM;
    t->count++;
    slot->what = BL_KNOWN_ENVIRONMENT; /* it is none of its kind while they are counted */
    slot->index = count_of(t->r, what);
    slot->what = what;
    slot->mask = t->mask;
    slot->value = bl_arena_copy(t->r->arena, value);
    slot->pattern = pattern;
    enum bl_status status = call_text(t->r, row->kind, args, 2, &slot->kind);
    return status == BL_OK ? call_text(t->r, row->source, args, 2, &slot->source) : status;
}

static enum bl_status add_element(struct taking *t, struct bl_value element)
{
    const struct bl_pattern none = {NULL, 0};
    struct bl_object *variable = bl_object_of(element);

    if (variable != NULL)
        return add_known(
            t, BL_KNOWN_ENVIRONMENT, element,
            bl_text_of(bl_object_get(variable, BL_FIELD_ENVIRONMENT_VARIABLE_VALUE)), none);
    if (element.tag == BL_V_PATTERN) {
        const struct bl_module *m = t->r->m;
        uint32_t index = (uint32_t)element.as.i;
        return add_known(t, BL_KNOWN_PATTERN, element,
                         bl_module_string(m, m->PATTERNS_rows[index].source),
                         bl_secret_pattern(m, index));
    }
    return add_known(t, BL_KNOWN_LITERAL, element, bl_text_of(element), none);
}

static bl_type element_of(const struct bl_module *m, const struct bl_module_mask *row)
{
    return bl_type_element(m->FUNCTIONS_rows[row->list].result);
}

static enum bl_status take_list(struct bl_redactor *r, uint32_t mask,
                                const struct bl_redaction_input *input, bool *given)
{
    const struct bl_module_mask *row = &r->m->MASKS_rows[mask];
    bl_type element = element_of(r->m, row);
    struct taking t = {r, mask, 0};
    struct bl_value list = bl_absent();
    enum bl_status status = r->host.call(r->host.context, row->list, NULL, 0, &list);

    if (status == BL_OK && list.tag == BL_V_LIST)
        status = bl_list_complete(list.as.list);
    for (uint32_t i = 0; status == BL_OK && list.tag == BL_V_LIST && i < list.as.list->count;
         i++)
        status = add_element(&t, list.as.list->items[i]);
    if (element == BL_TYPE_SECRET && !given[0]) {
        given[0] = true;
        for (size_t i = 0; status == BL_OK && i < input->literal_count; i++)
            status = add_element(&t, bl_text(input->literals[i]));
    } else if (element == BL_TYPE_PATTERN && !given[1]) {
        given[1] = true;
        for (size_t i = 0; status == BL_OK && i < input->pattern_count; i++)
            status = add_known(&t, BL_KNOWN_PATTERN, bl_number(BL_V_PATTERN, 0),
                               (bl_str){NULL, 0}, input->patterns[i]);
    }
    return status;
}

/* ---- the forms of values ------------------------------------------------------------------
 */

static bool make_forms(struct bl_redactor *r)
{
    for (size_t i = 0; i < r->known.count; i++) {
        const struct bl_known_value *known = &r->known.items[i];

        if (known->what != BL_KNOWN_PATTERN &&
            !bl_known_add(r->arena, &r->forms, (uint32_t)i, known->value))
            return false;
    }
    return bl_known_ready(r->arena, &r->forms);
}

/* ---- all of it ----------------------------------------------------------------------------
 */

static enum bl_status ask_when(struct bl_redactor *r)
{
    struct bl_value on = bl_bool(true);
    enum bl_status status = BL_OK;

    if (r->row->when != BL_NONE)
        status = r->host.call(r->host.context, r->row->when, NULL, 0, &on);
    r->is_on = on.tag == BL_V_BOOL && on.as.i != 0;
    return status;
}

enum bl_status bl_redactor_create(struct bl_arena *arena, const struct bl_module *m,
                                  uint32_t redaction, const struct bl_secret_host *host,
                                  const struct bl_redaction_input *input,
                                  struct bl_redactor **out, bl_str *problem)
{
    struct bl_redactor *r = BL_NEW(arena, struct bl_redactor);
    bool given[2] = {false, false};

    *out = r;
    if (r == NULL)
        return BL_ERR_NOMEM;
    r->arena = arena;
    r->m = m;
    r->row = &m->REDACTIONS_rows[redaction];
    r->host = *host;
    r->margin = input->margin;
    r->anew = input->anew;
    bl_redactor_set_key(r, input->key);
    r->words = BL_NEW_ARRAY(arena, r->row->mask_count + 1, struct bl_mask_words);
    r->counts = BL_NEW_ARRAY(arena, r->row->mask_count + 1, struct bl_mask_count);
    enum bl_status status = r->words != NULL && r->counts != NULL ? ask_when(r) : BL_ERR_NOMEM;
    for (uint32_t i = 0; status == BL_OK && i < r->row->mask_count; i++) {
        uint32_t mask = r->row->first_mask + i;
        const struct bl_module_mask *row = &m->MASKS_rows[mask];

        if (row->list != BL_NONE) {
            status = take_list(r, mask, input, given);
            continue;
        }
        status = call_text(r, row->kind, NULL, 0, &r->words[i].kind);
        if (status == BL_OK)
            status = call_text(r, row->source, NULL, 0, &r->words[i].source);
    }
    if (status != BL_OK)
        return status;
    if ((input->literal_count > 0 && !given[0]) || (input->pattern_count > 0 && !given[1])) {
        *problem = BL_STR("The redaction has no row that takes further literals or patterns.");
        return BL_ERR_INVALID;
    }
    return make_forms(r) ? BL_OK : BL_ERR_NOMEM;
}

/* ---- questions ----------------------------------------------------------------------------
 */

static bool matched(const struct bl_redactor *r, enum bl_known_kind what, size_t index)
{
    for (size_t i = 0; i < r->known.count; i++) {
        if (r->known.items[i].what == what && r->known.items[i].index == index)
            return r->known.items[i].matched;
    }
    return false;
}

size_t bl_redactor_literals(const struct bl_redactor *r)
{
    return count_of(r, BL_KNOWN_LITERAL);
}

bool bl_redactor_literal_matched(const struct bl_redactor *r, size_t index)
{
    return matched(r, BL_KNOWN_LITERAL, index);
}

size_t bl_redactor_patterns(const struct bl_redactor *r)
{
    return count_of(r, BL_KNOWN_PATTERN);
}

bool bl_redactor_pattern_matched(const struct bl_redactor *r, size_t index)
{
    return matched(r, BL_KNOWN_PATTERN, index);
}

size_t bl_redactor_known_count(const struct bl_redactor *r)
{
    return r->known.count;
}

struct bl_redactor_known bl_redactor_known(const struct bl_redactor *r, size_t index)
{
    const struct bl_known_value *known = &r->known.items[index];
    bool is_pattern = known->what == BL_KNOWN_PATTERN;
    const bl_str none = {NULL, 0};

    return (struct bl_redactor_known){.value = is_pattern ? none : known->value,
                                      .pattern = is_pattern ? known->value : none,
                                      .source = known->source,
                                      .mask = known->mask};
}

struct bl_redactor_row bl_redactor_row(const struct bl_redactor *r, uint32_t mask)
{
    uint32_t index = mask - r->row->first_mask;

    return (struct bl_redactor_row){.matches = r->counts[index].matches,
                                    .bytes = r->counts[index].bytes,
                                    .spans = r->counts[index].spans,
                                    .kind = r->words[index].kind,
                                    .source = r->words[index].source};
}

bool bl_redactor_is_on(const struct bl_redactor *r)
{
    return r->is_on;
}
