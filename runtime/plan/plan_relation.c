/* SPDX-License-Identifier: Apache-2.0 */
#include "plan/plan_parts.h"

/* Which effects are one, and which contradict each other. Each effect is about one slot of the
 * world: a label of an issue, its state, its milestone, an attribute of a comment. Two effects
 * in one slot are equal or they conflict, but for comments and lists, of which there can be
 * many. */

enum slot {
    SLOT_DECLARED_LABEL, /* a label of the repository */
    SLOT_LABEL,          /* a label of an issue */
    SLOT_STATE,
    SLOT_MILESTONE,
    SLOT_LOCK,
    SLOT_COMMENT, /* comments of one kind on an issue */
    SLOT_ATTRIBUTE,
    SLOT_REACTION,
    SLOT_STATUS,
    SLOT_ALERT,
    SLOT_ROW, /* of a store */
    SLOT_SUGGESTION,
    SLOT_TASK,
    SLOT_OUTPUT,
    SLOT_SUMMARY,
    SLOT_LOG,
};

static enum slot slot_of(enum bl_effect effect)
{
    switch (effect) {
    case BL_EFFECT_ENSURE_LABEL:
        return SLOT_DECLARED_LABEL;
    case BL_EFFECT_MARK:
        return SLOT_ATTRIBUTE;
    case BL_EFFECT_ADD_LABEL:
    case BL_EFFECT_REMOVE_LABEL:
        return SLOT_LABEL;
    case BL_EFFECT_POST:
        return SLOT_COMMENT;
    case BL_EFFECT_REACT:
        return SLOT_REACTION;
    case BL_EFFECT_MILESTONE:
        return SLOT_MILESTONE;
    case BL_EFFECT_CLOSE:
    case BL_EFFECT_REOPEN:
        return SLOT_STATE;
    case BL_EFFECT_LOCK:
        return SLOT_LOCK;
    case BL_EFFECT_STATUS:
        return SLOT_STATUS;
    case BL_EFFECT_DISMISS:
        return SLOT_ALERT;
    case BL_EFFECT_KEEP:
        return SLOT_ROW;
    case BL_EFFECT_SUGGEST_DUPLICATE:
        return SLOT_SUGGESTION;
    case BL_EFFECT_START:
        return SLOT_TASK;
    case BL_EFFECT_OUTPUT:
        return SLOT_OUTPUT;
    case BL_EFFECT_SUMMARY:
        return SLOT_SUMMARY;
    case BL_EFFECT_NOTICE:
    case BL_EFFECT_WARN:
    case BL_EFFECT_ERROR:
    case BL_EFFECT_FAIL:
    case BL_EFFECT_COUNT:
        break;
    }
    return SLOT_LOG;
}

bool bl_effect_is_log(enum bl_effect effect)
{
    return slot_of(effect) == SLOT_LOG;
}

struct bl_object *bl_planned_target(const struct bl_planned *planned)
{
    return bl_object_of(bl_planned_arg(planned, 0));
}

const struct bl_module_comment *bl_planned_kind(const struct bl_module *module,
                                                const struct bl_planned *planned)
{
    return planned->site != NULL && planned->site->detail < module->COMMENTS_count
               ? &module->COMMENTS_rows[planned->site->detail]
               : NULL;
}

uint32_t bl_kind_attribute(const struct bl_module *module, uint32_t kind, bl_str name)
{
    const struct bl_module_comment *row = &module->COMMENTS_rows[kind];

    for (uint32_t i = 0; i < row->attribute_count; i++) {
        if (bl_str_equal(bl_module_string(
                             module, module->ATTRIBUTES_rows[row->first_attribute + i].name),
                         name))
            return i;
    }
    return BL_NONE;
}

/* ---- equality ---------------------------------------------------------------------------- */

bool bl_arg_equal(struct bl_value a, struct bl_value b, bl_type type)
{
    if (bl_is_absent(a) || bl_is_absent(b))
        return bl_is_absent(a) && bl_is_absent(b);
    return bl_value_equal(a, b, type);
}

bool bl_once_equal(const struct bl_module *module, uint32_t kind, const struct bl_value *a,
                   const struct bl_value *b)
{
    const struct bl_module_comment *row = &module->COMMENTS_rows[kind];

    for (uint32_t i = 0; i < row->attribute_count; i++) {
        const struct bl_module_member *attribute =
            &module->ATTRIBUTES_rows[row->first_attribute + i];

        if ((attribute->flags & BL_ATTRIBUTE_ONCE) != 0 &&
            !bl_arg_equal(a[i], b[i], bl_type_base(attribute->type)))
            return false;
    }
    return true;
}

static bool same_arg(const struct bl_planned *a, const struct bl_planned *b, size_t index,
                     bl_type type)
{
    return bl_arg_equal(bl_planned_arg(a, index), bl_planned_arg(b, index), type);
}

static bool same_slot(const struct bl_module *module, const struct bl_planned *a,
                      const struct bl_planned *b)
{
    enum slot slot = slot_of(a->effect);

    if (slot != slot_of(b->effect))
        return false;
    switch (slot) {
    case SLOT_DECLARED_LABEL:
        return same_arg(a, b, 0, BL_TYPE_LABEL);
    case SLOT_LABEL:
        return same_arg(a, b, 0, BL_TYPE_ERROR) && same_arg(a, b, 1, BL_TYPE_LABEL);
    case SLOT_STATE:
    case SLOT_MILESTONE:
    case SLOT_LOCK:
    case SLOT_ALERT:
        return same_arg(a, b, 0, BL_TYPE_ERROR);
    case SLOT_COMMENT:
        return same_arg(a, b, 0, BL_TYPE_ERROR) && bl_planned_kind(module, a) != NULL &&
               bl_planned_kind(module, a) == bl_planned_kind(module, b);
    case SLOT_ATTRIBUTE:
    case SLOT_REACTION:
    case SLOT_STATUS:
        return same_arg(a, b, 0, BL_TYPE_ERROR) && same_arg(a, b, 1, BL_TYPE_NAME);
    case SLOT_SUGGESTION:
        return same_arg(a, b, 0, BL_TYPE_ERROR) && same_arg(a, b, 1, BL_TYPE_ERROR);
    case SLOT_ROW:
        return bl_planned_store(a) == bl_planned_store(b) &&
               bl_value_equal(bl_planned_row_key(module, a), bl_planned_row_key(module, b),
                              BL_TYPE_NAME);
    case SLOT_TASK:
        return true;
    case SLOT_OUTPUT:
        return same_arg(a, b, 0, BL_TYPE_NAME);
    case SLOT_SUMMARY:
    case SLOT_LOG:
        return a->effect == b->effect && same_arg(a, b, 0, BL_TYPE_TEXT);
    }
    return false;
}

/* The same fields are given, with equal values. */
static bool same_row(const struct bl_module *module, const struct bl_planned *a,
                     const struct bl_planned *b)
{
    const struct bl_module_record *record =
        &module->RECORDS_rows[module->STORES_rows[bl_planned_store(a)].record];

    if (a->site->detail != b->site->detail)
        return false;
    for (uint32_t i = 0; i < record->count; i++) {
        if (!same_arg(a, b, i,
                      bl_type_base(module->RECORD_FIELDS_rows[record->first + i].type)))
            return false;
    }
    return true;
}

/* A list takes many values; anything else has one. */
static bool is_list_attribute(const struct bl_module *module, const struct bl_planned *mark)
{
    struct bl_value comment = bl_planned_arg(mark, 0);

    if (comment.tag != BL_V_POSTED)
        return false;
    uint32_t kind = comment.as.posted->kind;
    uint32_t index = bl_kind_attribute(module, kind, bl_text_of(bl_planned_arg(mark, 1)));
    return index != BL_NONE &&
           bl_type_is_list(
               module->ATTRIBUTES_rows[module->COMMENTS_rows[kind].first_attribute + index]
                   .type);
}

enum bl_relation bl_planned_relation(const struct bl_module *module, const struct bl_planned *a,
                                     const struct bl_planned *b)
{
    bool equal = a->effect == b->effect;

    if (!same_slot(module, a, b))
        return BL_RELATION_NONE;
    switch (slot_of(a->effect)) {
    case SLOT_DECLARED_LABEL:
    case SLOT_LABEL:
    case SLOT_REACTION:
    case SLOT_SUGGESTION:
    case SLOT_SUMMARY:
    case SLOT_LOG:
        break;
    case SLOT_STATE:
        /* The reason, and of what it is a duplicate. */
        equal = equal && same_arg(a, b, 1, BL_TYPE_ERROR) && same_arg(a, b, 2, BL_TYPE_ERROR);
        break;
    case SLOT_MILESTONE:
    case SLOT_LOCK:
    case SLOT_ALERT:
    case SLOT_OUTPUT:
        equal = same_arg(a, b, 1, BL_TYPE_ERROR);
        break;
    case SLOT_STATUS:
        equal = same_arg(a, b, 2, BL_TYPE_ERROR);
        break;
    case SLOT_ROW:
        equal = same_row(module, a, b);
        break;
    case SLOT_TASK:
        equal = same_arg(a, b, 0, BL_TYPE_ERROR);
        break;
    case SLOT_ATTRIBUTE:
        equal = same_arg(a, b, 2, BL_TYPE_ERROR);
        if (!equal && is_list_attribute(module, a))
            return BL_RELATION_NONE;
        break;
    case SLOT_COMMENT:
        return bl_once_equal(module, a->site->detail, a->args + 2, b->args + 2)
                   ? BL_RELATION_EQUAL
                   : BL_RELATION_NONE;
    }
    return equal ? BL_RELATION_EQUAL : BL_RELATION_CONFLICT;
}

/* ---- keys -------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t key, uint64_t value)
{
    return (key ^ value) * UINT64_C(0x9E3779B97F4A7C15) + (key >> 29);
}

static uint64_t mix_arg(uint64_t key, struct bl_value v)
{
    const struct bl_object *object = bl_object_of(v);

    if (object != NULL)
        return mix(mix(key, (uint64_t)object->key), bl_str_hash_nocase(object->name, 0));
    if (v.tag == BL_V_TEXT)
        return mix(key, bl_str_hash_nocase(bl_text_of(v), 0));
    return v.tag == BL_V_LIST || v.tag == BL_V_RECORD ? mix(key, v.tag)
                                                      : mix(key, (uint64_t)v.as.i);
}

uint64_t bl_planned_key(const struct bl_module *module, const struct bl_planned *planned)
{
    enum slot slot = slot_of(planned->effect);
    uint64_t key = mix(0, (uint64_t)slot + 1);

    if (slot == SLOT_ROW)
        return mix_arg(mix(key, bl_planned_store(planned)),
                       bl_planned_row_key(module, planned));
    if (slot != SLOT_TASK)
        key = mix_arg(key, bl_planned_arg(planned, 0));
    if (slot == SLOT_LABEL || slot == SLOT_ATTRIBUTE || slot == SLOT_REACTION ||
        slot == SLOT_STATUS || slot == SLOT_SUGGESTION)
        key = mix_arg(key, bl_planned_arg(planned, 1));
    const struct bl_module_comment *kind = bl_planned_kind(module, planned);
    if (slot != SLOT_COMMENT || kind == NULL)
        return key;
    key = mix(key, planned->site->detail);
    for (uint32_t i = 0; i < kind->attribute_count; i++) {
        if ((module->ATTRIBUTES_rows[kind->first_attribute + i].flags & BL_ATTRIBUTE_ONCE) != 0)
            key = mix_arg(key, bl_planned_arg(planned, 2 + (size_t)i));
    }
    return key;
}
