/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/checker.h"

bl_str bl_symbol_kind_name(enum bl_symbol_kind kind)
{
    switch (kind) {
#define BL_SYMBOL(id, name, space)                                                             \
    case BL_SYMBOL_##id:                                                                       \
        return BL_STR(name);
#include "sema/symbols.def"
#undef BL_SYMBOL
    case BL_SYMBOL_KIND_COUNT:
        break;
    }
    return (bl_str){NULL, 0};
}

bl_str bl_program_member(const struct bl_program *program, unsigned enumeration,
                         unsigned member)
{
    const struct bl_enum_declared *list;

    if (enumeration < BL_ENUM_COUNT)
        return bl_enum_member((enum bl_enum)enumeration, member);
    if (enumeration - BL_ENUM_COUNT >= program->enums.count)
        return (bl_str){NULL, 0};
    list = &program->enums.items[enumeration - BL_ENUM_COUNT];
    return member < list->members.count ? list->members.items[member] : (bl_str){NULL, 0};
}

unsigned bl_program_member_count(const struct bl_program *program, unsigned enumeration)
{
    if (enumeration < BL_ENUM_COUNT)
        return bl_enum_member_count((enum bl_enum)enumeration);
    if (enumeration - BL_ENUM_COUNT >= program->enums.count)
        return 0;
    return (unsigned)program->enums.items[enumeration - BL_ENUM_COUNT].members.count;
}

static void put_enum(const struct bl_program *program, unsigned ref, struct bl_buf *out)
{
    unsigned count = bl_program_member_count(program, ref);

    BL_PUT(out, "one of ");
    for (unsigned i = 0; i < count; i++) {
        if (i > 0)
            BL_PUT(out, ", ");
        bl_buf_put(out, bl_program_member(program, ref, i));
        if (i == 5 && count > 7) {
            BL_PUT(out, " …");
            break;
        }
    }
}

static void put_posted(const struct bl_program *program, unsigned ref, struct bl_buf *out)
{
    const struct bl_posted_kinds *set;

    BL_PUT(out, "own comment of kind ");
    if (ref >= program->posted.count)
        return;
    set = &program->posted.items[ref];
    for (size_t i = 0; i < set->count; i++) {
        if (i > 0)
            BL_PUT(out, " or ");
        bl_buf_put(out, set->kinds[i]->name);
    }
}

static void put_clean(unsigned mask, struct bl_buf *out)
{
    bool first = true;

    BL_PUT(out, "text clean for ");
    for (unsigned i = 0; i < BL_PLACE_COUNT; i++) {
        if ((mask >> i & 1) == 0)
            continue;
        if (!first)
            BL_PUT(out, ", ");
        first = false;
        bl_buf_put(out, bl_place_name((enum bl_place)i));
    }
}

static void put_scalar(const struct bl_program *program, bl_type type, struct bl_buf *out)
{
    unsigned ref = bl_type_ref(type);

    switch (bl_type_kind(type)) {
    case BL_TYPE_ERROR:
        BL_PUT(out, "something");
        return;
    case BL_TYPE_ENUM:
        put_enum(program, ref, out);
        return;
    case BL_TYPE_ENTITY:
        bl_buf_put(out, bl_entity_info((enum bl_entity)ref)->name);
        return;
    case BL_TYPE_RECORD:
        if (ref < program->records.count)
            bl_buf_put(out, program->records.items[ref].name);
        return;
    case BL_TYPE_POSTED:
        put_posted(program, ref, out);
        return;
    case BL_TYPE_CLEAN:
        put_clean(ref, out);
        return;
    case BL_TYPE_UNTRUSTED:
        BL_PUT(out, "untrusted text");
        return;
    case BL_TYPE_NONE:
    case BL_TYPE_BOOL:
    case BL_TYPE_INT:
    case BL_TYPE_TEXT:
    case BL_TYPE_NAME:
    case BL_TYPE_PATH:
    case BL_TYPE_REPOSITORY_NAME:
    case BL_TYPE_LINK:
    case BL_TYPE_FILE_LINK:
    case BL_TYPE_LABEL:
    case BL_TYPE_SECRET:
    case BL_TYPE_MASKED:
    case BL_TYPE_PATTERN:
    case BL_TYPE_DURATION:
    case BL_TYPE_DATE:
    case BL_TYPE_TIME:
    case BL_TYPE_MONEY:
    case BL_TYPE_PERCENT:
    case BL_TYPE_LOCALE:
    case BL_TYPE_TASK:
    case BL_TYPE_COMMAND:
    case BL_TYPE_ITERATOR:
        bl_buf_put(out, bl_type_kind_name(bl_type_kind(type)));
        return;
    case BL_TYPE_KIND_COUNT:
        break;
    }
}

void bl_program_type_name(const struct bl_program *program, bl_type type, struct bl_buf *out)
{
    bool optional = bl_type_is_optional(type);

    type = bl_type_base(type);
    for (; bl_type_is_list(type); type = bl_type_element(type))
        BL_PUT(out, "list of ");
    put_scalar(program, type, out);
    if (!optional)
        return;
    /* One word takes a question mark, as policies write it. */
    if (bl_type_kind(type) == BL_TYPE_ENUM || bl_type_kind(type) == BL_TYPE_POSTED ||
        bl_type_kind(type) == BL_TYPE_CLEAN || bl_type_kind(type) == BL_TYPE_UNTRUSTED)
        BL_PUT(out, ", or absent");
    else
        bl_buf_put_char(out, '?');
}

bl_str bl_sema_type_text(struct bl_checker *c, bl_type type)
{
    struct bl_buf buf;

    bl_buf_init(&buf, c->arena, 1024);
    bl_program_type_name(c->program, type, &buf);
    return bl_buf_str(&buf);
}
