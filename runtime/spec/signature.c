/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/signature.h"

/* ---- reading ---------------------------------------------------------------------------- */

static bool skip(bl_str *s, bl_str word)
{
    if (!bl_str_starts_with(*s, word))
        return false;
    *s = bl_str_slice(*s, word.len, s->len);
    return true;
}

static bool read_named(bl_str name, struct bl_signature_type *out)
{
    enum bl_type_kind kind = bl_type_kind_find(name);
    enum bl_entity entity = bl_entity_find(name);

    bl_str place = name;

    if (skip(&place, BL_STR("clean ")) && bl_place_find(place) != BL_PLACE_COUNT) {
        out->type = BL_TYPE_MAKE(BL_TYPE_CLEAN, 1u << (unsigned)bl_place_find(place));
    } else if (bl_str_equal(name, BL_STR("T"))) {
        out->form = BL_SIGNATURE_ANY;
    } else if (bl_str_equal(name, BL_STR("ordered"))) {
        out->form = BL_SIGNATURE_ORDERED;
    } else if (kind != BL_TYPE_KIND_COUNT) {
        out->type = (bl_type)kind;
    } else if (entity != BL_ENTITY_COUNT) {
        out->type = bl_entity_info(entity)->type;
    } else if (bl_str_equal(name, BL_STR("redaction"))) {
        out->type = BL_TYPE_INT;
    } else if (bl_str_equal(name, BL_STR("workflow"))) {
        out->type = BL_TYPE_TEXT;
    } else if (bl_str_equal(name, BL_STR("posted"))) {
        out->type = BL_TYPE_POSTED;
    } else {
        return false;
    }
    return true;
}

static bool read_type(bl_str s, struct bl_signature_type *out)
{
    unsigned lists = 0;
    bool optional = false;

    *out = (struct bl_signature_type){BL_SIGNATURE_PLAIN, BL_TYPE_ERROR};
    if (bl_str_equal(s, BL_STR("kinds"))) {
        out->form = BL_SIGNATURE_KINDS;
        return true;
    }
    if (bl_str_equal(s, BL_STR("issue or list of comment"))) {
        out->form = BL_SIGNATURE_COMMENTS;
        return true;
    }
    if (bl_str_equal(s, BL_STR("record"))) {
        out->form = BL_SIGNATURE_RECORD;
        return true;
    }
    if (bl_str_equal(s, BL_STR("text!"))) {
        out->form = BL_SIGNATURE_TEXT;
        return true;
    }
    if (bl_str_equal(s, BL_STR("placed!")) || bl_str_equal(s, BL_STR("list of placed!"))) {
        out->form = BL_SIGNATURE_PLACED;
        out->type = s.len == 7 ? BL_TYPE_ERROR : BL_LIST_OF(BL_TYPE_ERROR);
        return true;
    }
    if (bl_str_equal(s, BL_STR("shown!"))) {
        out->form = BL_SIGNATURE_SHOWN;
        return true;
    }
    while (skip(&s, BL_STR("list of ")))
        lists++;
    if (bl_str_ends_with(s, BL_STR("?"))) {
        optional = true;
        s.len--;
    }
    if (lists > 3 || !read_named(s, out))
        return false;
    while (lists-- > 0)
        out->type = BL_LIST_OF(out->type);
    if (optional)
        out->type = BL_OPTIONAL(out->type);
    return true;
}

bool bl_signature_read(const struct bl_builtin_info *builtin, struct bl_signature *out)
{
    bl_str rest = builtin->params;

    *out = (struct bl_signature){.count = 0};
    out->repeated = skip(&rest, BL_STR("*"));
    for (;;) {
        size_t comma = bl_str_find_char(rest, ',');

        if (out->count == BL_SIGNATURE_PARAMS_MAX ||
            !read_type(bl_str_slice(rest, 0, comma), &out->params[out->count]))
            return false;
        out->count++;
        if (comma == SIZE_MAX)
            break;
        rest = bl_str_slice(rest, comma, rest.len);
        if (!skip(&rest, BL_STR(", ")))
            return false;
    }
    if (out->repeated && out->count != 1)
        return false;
    return read_type(builtin->result, &out->result);
}

/* ---- checking --------------------------------------------------------------------------- */

/* What the arguments so far say about `T`, `ordered` and `text!`. */
struct binding {
    bl_type type;
    bool known;
};

/* The texts that a builtin may change and whose kind still holds: changed clean text may be fit
 * for no place, a changed address is not one that the runtime made. */
static bool is_changeable_text(bl_type t)
{
    if (bl_type_is_list(t) || bl_type_is_optional(t))
        return false;
    switch (bl_type_kind(t)) {
    case BL_TYPE_TEXT:
    case BL_TYPE_UNTRUSTED:
    case BL_TYPE_NAME:
    case BL_TYPE_PATH:
    case BL_TYPE_REPOSITORY_NAME:
    case BL_TYPE_LABEL:
        return true;
    case BL_TYPE_ERROR:
    case BL_TYPE_NONE:
    case BL_TYPE_BOOL:
    case BL_TYPE_INT:
    case BL_TYPE_LINK:
    case BL_TYPE_FILE_LINK:
    case BL_TYPE_SECRET:
    case BL_TYPE_MASKED:
    case BL_TYPE_CLEAN:
    case BL_TYPE_PATTERN:
    case BL_TYPE_DURATION:
    case BL_TYPE_DATE:
    case BL_TYPE_TIME:
    case BL_TYPE_MONEY:
    case BL_TYPE_PERCENT:
    case BL_TYPE_LOCALE:
    case BL_TYPE_TASK:
    case BL_TYPE_COMMAND:
    case BL_TYPE_ENUM:
    case BL_TYPE_ENTITY:
    case BL_TYPE_RECORD:
    case BL_TYPE_POSTED:
    case BL_TYPE_ITERATOR:
    case BL_TYPE_KIND_COUNT:
        break;
    }
    return false;
}

/* The type that a form with lists and `?` around T has once T is bound. */
static bl_type with_binding(bl_type form, bl_type bound)
{
    bl_type t = bound + (form & BL_TYPE_LIST_MASK);

    return bl_type_is_optional(form) ? BL_OPTIONAL(t) : t;
}

/* Takes off as many `list of` as the form has; false when the argument has fewer, or is
 * optional where no optional value is asked for. */
static bool bound_part(bl_type form, bl_type arg, bl_type *part)
{
    if (bl_type_is_optional(arg) && !bl_type_is_optional(form))
        return false;
    arg = bl_type_base(arg);
    for (form = bl_type_base(form); bl_type_is_list(form); form = bl_type_element(form)) {
        /* The elements of the empty list are lists, too, when lists are asked for. */
        if (bl_type_is(arg, BL_TYPE_ERROR))
            break;
        if (!bl_type_is_list(arg))
            return false;
        arg = bl_type_element(arg);
    }
    *part = arg;
    return true;
}

static bool argument_binds(const struct bl_signature_type *param, bl_type arg,
                           struct binding *bound)
{
    bl_type part;

    if (!bound_part(param->type, arg, &part))
        return false;
    if (param->form == BL_SIGNATURE_ORDERED && !bl_types_ordered(part, part))
        return false;
    if (!bound->known) {
        *bound = (struct binding){part, true};
        return true;
    }
    return bl_type_fits(part, bound->type);
}

static bool argument_fits(const struct bl_signature_type *param, bl_type arg,
                          struct binding *bound)
{
    if (bl_type_is(arg, BL_TYPE_ERROR))
        return true;
    switch (param->form) {
    case BL_SIGNATURE_PLAIN:
        return bl_type_fits(arg, param->type);
    case BL_SIGNATURE_ANY:
    case BL_SIGNATURE_ORDERED:
        return argument_binds(param, arg, bound);
    case BL_SIGNATURE_TEXT:
        *bound = (struct binding){arg, true};
        return is_changeable_text(arg);
    case BL_SIGNATURE_PLACED:
        if (bl_type_is_optional(arg) || bl_type_is_list(arg) != bl_type_is_list(param->type))
            return false;
        arg = bl_type_is_list(arg) ? bl_type_element(arg) : arg;
        *bound = (struct binding){arg, true};
        return bl_type_is(arg, BL_TYPE_TEXT) || bl_type_is(arg, BL_TYPE_CLEAN);
    case BL_SIGNATURE_SHOWN:
        return !bl_type_is(bl_render_type(bl_type_base(arg), BL_PLACE_PROMPT), BL_TYPE_ERROR);
    case BL_SIGNATURE_RECORD:
        return bl_type_is(arg, BL_TYPE_RECORD) && !bl_type_is_optional(arg);
    case BL_SIGNATURE_KINDS:
    case BL_SIGNATURE_COMMENTS:
        break;
    }
    return false;
}

static bl_type wanted_type(const struct bl_signature_type *param, const struct binding *bound)
{
    if (param->form == BL_SIGNATURE_TEXT)
        return BL_TYPE_UNTRUSTED;
    if (param->form == BL_SIGNATURE_PLACED || param->form == BL_SIGNATURE_SHOWN)
        return BL_TYPE_TEXT;
    if (param->form == BL_SIGNATURE_PLAIN)
        return param->type;
    return bound->known ? with_binding(param->type, bound->type) : param->type;
}

static bl_type result_type(const struct bl_signature_type *result, const struct binding *bound)
{
    bl_type t = bound->known ? bound->type : (bl_type)BL_TYPE_ERROR;

    if (result->form == BL_SIGNATURE_PLAIN)
        return result->type;
    bool keeps = result->form == BL_SIGNATURE_TEXT || result->form == BL_SIGNATURE_PLACED;
    return keeps ? t : with_binding(result->type, t);
}

bl_type bl_builtin_check(enum bl_builtin builtin, const bl_type *args, size_t count,
                         size_t *bad, bl_type *wanted)
{
    const struct bl_builtin_info *info = bl_builtin_info(builtin);
    struct bl_signature signature;
    struct binding bound = {BL_TYPE_ERROR, false};

    *bad = 0;
    *wanted = BL_TYPE_ERROR;
    if (info == NULL || !bl_signature_read(info, &signature))
        return BL_TYPE_ERROR;
    if (signature.repeated ? count == 0 : count != signature.count) {
        *bad = count;
        *wanted = (bl_type)signature.count;
        return BL_TYPE_ERROR;
    }
    /* `*T` is one list when it was lowered, or when a list was written. */
    if (signature.repeated && count == 1 && bl_type_is_list(args[0]))
        signature.params[0].type = BL_LIST_OF(signature.params[0].type);
    for (size_t i = 0; i < count; i++) {
        const struct bl_signature_type *param = &signature.params[signature.repeated ? 0 : i];

        if (!argument_fits(param, args[i], &bound)) {
            *bad = i;
            *wanted = wanted_type(param, &bound);
            return BL_TYPE_ERROR;
        }
    }
    *bad = SIZE_MAX;
    return result_type(&signature.result, &bound);
}
