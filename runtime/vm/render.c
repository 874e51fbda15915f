/* SPDX-License-Identifier: Apache-2.0 */
#include "vm/render.h"

#include "base/time.h"
#include "vm/compose.h"

#include <inttypes.h>

/* Values as text. What may stand where is the verifier's to know (bl_render_type); here it is
 * asked again, since a wrong answer would let a stranger's text out. */

/* ---- days -------------------------------------------------------------------------------- */

static bl_str pattern_of(const struct bl_module *module, uint32_t locale)
{
    for (unsigned step = 0; locale != BL_NONE; step++) {
        bl_str day = bl_module_string(module, module->LOCALES_rows[locale].day);

        if (day.len > 0)
            return day;
        locale = bl_locale_fallback(module, locale, step);
    }
    return BL_STR("{year}-{month_number}-{day_number}");
}

/* `month` from 1. */
static void put_month(struct bl_buf *out, const struct bl_module *module, uint32_t locale,
                      unsigned month)
{
    for (unsigned step = 0; locale != BL_NONE; step++) {
        uint32_t first = module->LOCALES_rows[locale].first_month;

        if (first != BL_NONE) {
            bl_buf_put(out, bl_module_string(module, module->MONTHS_rows[first + month - 1]));
            return;
        }
        locale = bl_locale_fallback(module, locale, step);
    }
    bl_buf_put_int(out, month);
}

/* Day of the calendar as a language writes it: its pattern with its months. */
static void put_day(struct bl_buf *out, const struct bl_module *module, uint32_t locale,
                    int64_t day)
{
    struct bl_civil date = bl_civil_from_days(day);
    bl_str pattern = pattern_of(module, locale);

    while (pattern.len > 0) {
        size_t open = bl_str_find_char(pattern, '{');
        bl_str rest = bl_str_slice(pattern, open == SIZE_MAX ? pattern.len : open, pattern.len);
        size_t close = bl_str_find_char(rest, '}');
        bl_str field = close == SIZE_MAX ? rest : bl_str_slice(rest, 1, close);

        bl_buf_put(out, bl_str_slice(pattern, 0, pattern.len - rest.len));
        if (bl_str_equal(field, BL_STR("year")))
            bl_buf_printf(out, "%04" PRId64, date.year);
        else if (bl_str_equal(field, BL_STR("month")))
            put_month(out, module, locale, date.month);
        else if (bl_str_equal(field, BL_STR("month_number")))
            bl_buf_printf(out, "%02u", date.month);
        else if (bl_str_equal(field, BL_STR("day")))
            bl_buf_printf(out, "%u", date.day);
        else if (bl_str_equal(field, BL_STR("day_number")))
            bl_buf_printf(out, "%02u", date.day);
        else
            bl_buf_put(out, bl_str_slice(rest, 0, close == SIZE_MAX ? rest.len : close + 1));
        pattern = bl_str_slice(rest, close == SIZE_MAX ? rest.len : close + 1, rest.len);
    }
}

/* ---- things ------------------------------------------------------------------------------ */

static bool is_repository_name(bl_str name)
{
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];

        if (!bl_is_ascii_alpha(c) && !bl_is_ascii_digit(c) &&
            bl_str_find_char(BL_STR("._-/"), c) == SIZE_MAX)
            return false;
    }
    return true;
}

/* "#12", or "owner/name#12" for a thing that stands elsewhere. */
static void put_numbered(const struct bl_machine *machine, const struct bl_object *thing,
                         enum bl_place place, struct bl_buf *out)
{
    const struct bl_object *here = bl_object_of(machine->ambient[BL_AMBIENT_REPOSITORY]);
    bool elsewhere =
        thing->name.len > 0 && here != NULL && !bl_str_equal_nocase(here->name, thing->name);

    if (elsewhere && is_repository_name(thing->name))
        bl_buf_put(out, thing->name);
    else if (elsewhere)
        bl_put_name(out, thing->name, place);
    bl_buf_printf(out, "#%" PRId64, thing->key);
}

/* The repository's own page, above that for new issues; nothing when nobody knows it. */
static enum bl_status repository_address(struct bl_machine *machine, struct bl_buf *address)
{
    struct bl_object *here = bl_object_of(machine->ambient[BL_AMBIENT_REPOSITORY]);
    struct bl_value link;

    if (here == NULL)
        return BL_OK;
    enum bl_status status =
        bl_machine_field(machine, here, BL_FIELD_REPOSITORY_NEW_ISSUE_LINK, &link);
    if (status != BL_OK)
        return status;
    size_t end = bl_str_find(bl_text_of(link), BL_STR("/issues/new"));
    if (end == SIZE_MAX)
        return BL_OK;
    bl_buf_put(address, bl_str_slice(bl_text_of(link), 0, end));
    return BL_OK;
}

static enum bl_status release_address(struct bl_machine *machine, bl_str tag,
                                      struct bl_buf *address)
{
    enum bl_status status = repository_address(machine, address);

    if (status != BL_OK || address->len == 0)
        return status;
    BL_PUT(address, "/releases/tag/");
    for (size_t i = 0; i < tag.len; i++) {
        if (bl_is_ascii_alpha(tag.ptr[i]) || bl_is_ascii_digit(tag.ptr[i]) ||
            bl_str_find_char(BL_STR("._-~"), tag.ptr[i]) != SIZE_MAX)
            bl_buf_put_char(address, tag.ptr[i]);
        else
            bl_buf_printf(address, "%%%02X", (unsigned)(unsigned char)tag.ptr[i]);
    }
    return BL_OK;
}

static enum bl_status put_release(struct bl_machine *machine, const struct bl_object *release,
                                  enum bl_place place, struct bl_buf *out)
{
    struct bl_buf address;

    bl_machine_buf(machine, &address);
    if (bl_place_is_markdown(place)) {
        enum bl_status status = release_address(machine, release->name, &address);
        if (status != BL_OK)
            return status;
    }
    bl_put_linked(out, release->name, bl_buf_str(&address), place);
    return BL_OK;
}

/* GitHub shows the address of a comment as "#12 (comment)". */
static enum bl_status put_comment(struct bl_machine *machine, struct bl_object *comment,
                                  enum bl_place place, struct bl_buf *out)
{
    struct bl_value issue;
    struct bl_buf address;
    enum bl_status status = bl_machine_field(machine, comment, BL_FIELD_COMMENT_ISSUE, &issue);

    bl_machine_buf(machine, &address);
    if (status == BL_OK && bl_object_of(issue) == NULL)
        return bl_machine_guard(machine, BL_STR("A comment stands on no issue."));
    if (status == BL_OK && bl_place_is_markdown(place))
        status = repository_address(machine, &address);
    if (status != BL_OK)
        return status;
    if (address.len == 0) {
        put_numbered(machine, bl_object_of(issue), place, out);
        return BL_OK;
    }
    bl_buf_printf(&address, "/issues/%" PRId64 "#issuecomment-%" PRId64,
                  bl_object_of(issue)->key, comment->key);
    bl_put_link(out, bl_buf_str(&address), place);
    return BL_OK;
}

static enum bl_status put_thing(struct bl_machine *machine, struct bl_object *thing,
                                enum bl_place place, struct bl_buf *out)
{
    if (thing->entity == BL_ENTITY_USER)
        bl_put_login(out, thing->name, place);
    else if (thing->entity == BL_ENTITY_REPOSITORY || thing->entity == BL_ENTITY_COMMIT)
        bl_put_name(out, thing->name, place);
    else if (thing->entity == BL_ENTITY_RELEASE)
        return put_release(machine, thing, place, out);
    else if (thing->entity == BL_ENTITY_COMMENT)
        return put_comment(machine, thing, place, out);
    else
        put_numbered(machine, thing, place, out);
    return BL_OK;
}

/* ---- values ------------------------------------------------------------------------------ */

/* A link to a file shows the file's name, unless words for it stand behind the address. */
static void put_file_link(struct bl_buf *out, bl_str address, enum bl_place place)
{
    size_t from, words = bl_str_find_char(address, '\n');

    if (words != SIZE_MAX && bl_place_is_markdown(place)) {
        bl_put_linked(out, bl_str_slice(address, words + 1, address.len),
                      bl_str_slice(address, 0, words), place);
        return;
    }
    address = bl_str_slice(address, 0, words);
    size_t fragment = bl_str_find_char(address, '#');
    size_t end = fragment == SIZE_MAX ? address.len : fragment;

    for (from = end; from > 0 && address.ptr[from - 1] != '/'; from--)
        continue;
    if (bl_place_is_markdown(place))
        bl_put_linked(out, bl_str_slice(address, from, end), address, place);
    else
        bl_put_link(out, address, place);
}

static enum bl_status put_text(struct bl_machine *machine, bl_str s, bl_type type,
                               enum bl_place place, struct bl_buf *out)
{
    enum bl_type_kind kind = bl_type_kind(type);

    if (place == BL_PLACE_ARGUMENT && bl_str_starts_with(s, BL_STR("-")))
        return bl_machine_guard(machine, BL_STR("A value for a command line begins with '-'."));
    if (kind == BL_TYPE_TEXT)
        bl_put_words(out, s, place);
    else if (kind == BL_TYPE_CLEAN)
        bl_buf_put(out, s);
    else if (kind == BL_TYPE_LINK)
        bl_put_link(out, s, place);
    else if (kind == BL_TYPE_FILE_LINK)
        put_file_link(out, s, place);
    else
        bl_put_name(out, s, place);
    return BL_OK;
}

static enum bl_status put_value(struct bl_machine *machine, struct bl_value v, bl_type type,
                                enum bl_place place, struct bl_buf *out)
{
    struct bl_value_names names = bl_machine_names(machine->module);

    if (bl_is_absent(v))
        return bl_machine_guard(machine, BL_STR("A value that is to be shown is not there."));
    if (v.tag == BL_V_TEXT)
        return put_text(machine, bl_text_of(v), type, place, out);
    if (bl_object_of(v) != NULL)
        return put_thing(machine, bl_object_of(v), place, out);
    if (v.tag == BL_V_DATE && bl_place_is_spoken(place)) {
        put_day(out, machine->module, bl_machine_locale(machine), v.as.i);
        return BL_OK;
    }
    if (v.tag == BL_V_MONEY && place == BL_PLACE_ARGUMENT) {
        /* Programs take an amount as a number. */
        struct bl_buf amount;
        bl_machine_buf(machine, &amount);
        bl_value_describe(&amount, v, &names);
        bl_buf_put(out, bl_str_slice(bl_buf_str(&amount), v.as.i >= 0 ? 1 : 0, amount.len));
        return BL_OK;
    }
    /* Numbers, lengths, amounts and words of closed lists read the same everywhere. */
    bl_value_describe(out, v, &names);
    return BL_OK;
}

static enum bl_status put_list(struct bl_machine *machine, struct bl_list *list,
                               bl_type element, enum bl_place place, struct bl_buf *out)
{
    bool end = false;

    for (uint32_t i = 0; !end; i++) {
        struct bl_value item;
        enum bl_status status = bl_machine_item(machine, list, i, &item, &end);

        if (status == BL_OK && !end) {
            if (i > 0)
                BL_PUT(out, ", ");
            status = put_value(machine, item, element, place, out);
        }
        if (status != BL_OK)
            return status;
    }
    return BL_OK;
}

enum bl_status bl_render(struct bl_machine *machine, struct bl_value v, bl_type type,
                         enum bl_place place, struct bl_buf *out)
{
    type = bl_type_base(type);
    if (bl_type_is(bl_render_type(type, place), BL_TYPE_ERROR))
        return bl_machine_guard(machine, BL_STR("A value may not be shown in this place."));
    if (v.tag == BL_V_LIST)
        return put_list(machine, v.as.list, bl_type_element(type), place, out);
    return put_value(machine, v, type, place, out);
}

static bool is_clean(bl_type type, enum bl_place place)
{
    bl_type one = bl_type_is_list(type) ? bl_type_element(type) : type;

    return bl_type_kind(one) == BL_TYPE_CLEAN &&
           !bl_type_is(bl_render_type(type, place), BL_TYPE_ERROR);
}

/* It is fit for its places as it is, and stays known as words of others. */
static enum bl_status keep_clean(struct bl_machine *machine, struct bl_value value,
                                 struct bl_value *out)
{
    BL_VEC(struct bl_value) parts = {0};
    bool end = false;

    if (value.tag == BL_V_TEXT) {
        *out = value;
        return BL_OK;
    }
    if (value.tag != BL_V_LIST)
        return bl_machine_guard(machine, BL_STR("A value that is to be shown is not there."));
    for (uint32_t i = 0; !end; i++) {
        struct bl_value item;
        enum bl_status status = bl_machine_item(machine, value.as.list, i, &item, &end);
        if (status != BL_OK)
            return status;
        for (unsigned part = i > 0 ? 0 : 1; !end && part < 2; part++) {
            struct bl_value *slot = BL_PUSH(machine->arena, parts);
            if (slot == NULL)
                return bl_machine_nomem(machine);
            *slot = part == 0 ? bl_text(BL_STR(", ")) : item;
        }
    }
    return bl_compose_join(machine, parts.items, parts.count, out);
}

enum bl_status bl_op_render(struct bl_machine *machine, const struct bl_frame *frame,
                            const struct bl_insn *insn)
{
    struct bl_buf out;

    if (is_clean(frame->types[insn->b], (enum bl_place)insn->c))
        return keep_clean(machine, frame->registers[insn->b], &frame->registers[insn->a]);
    bl_machine_buf(machine, &out);
    enum bl_status status = bl_render(machine, frame->registers[insn->b], frame->types[insn->b],
                                      (enum bl_place)insn->c, &out);
    if (status != BL_OK)
        return status;
    return bl_machine_text(machine, &out, &frame->registers[insn->a]);
}
