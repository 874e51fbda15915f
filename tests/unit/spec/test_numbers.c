/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/tables.h"
#include "support/check.h"

#include <stdio.h>
#include <string.h>

/* Modules hold the numbers of these tables, so a number never changes and never means anything
 * else. tests/golden/numbers.txt is what was committed: "kind number name" a line. */

struct row {
    const char *kind;
    int number;
    const char *name;
};

static const struct row rows[] = {
#define BL_TYPE(id, spelling, flags, doc) {"type", BL_TYPE_##id, #id},
#include "spec/types.def"
#undef BL_TYPE
#define BL_PLACE(id, name, doc) {"place", BL_PLACE_##id, name},
#include "spec/places.def"
#undef BL_PLACE
#define BL_ENUM(id, name)             {"enum", BL_ENUM_##id, name},
#define BL_MEMBER(list, id, spelling) {"member", BL_##list##_##id, #list "." #id},
#include "spec/enums.def"
#undef BL_ENUM
#undef BL_MEMBER
#define BL_ENTITY(id, name, kind) {"entity", BL_ENTITY_##id, name},
#define BL_FIELD(entity, id, name, type, read, level, doc)                                     \
    {"field", BL_FIELD_##entity##_##id, #entity "." #id},
#include "spec/entities.def"
#undef BL_ENTITY
#undef BL_FIELD
#define BL_AMBIENT(id, name, type, doc) {"ambient", BL_AMBIENT_##id, name},
#include "spec/ambients.def"
#undef BL_AMBIENT
#define BL_EVENT_FAMILY(id, name, ambients, level)
#define BL_EVENT(id, event, action, family) {"event", BL_EVENT_##id, #id},
#define BL_EVENT_ACTION(family, action)
#define BL_EVENT_CARRIES(field, families)
#include "spec/events.def"
#undef BL_EVENT_FAMILY
#undef BL_EVENT
#undef BL_EVENT_ACTION
#undef BL_EVENT_CARRIES
#define BL_EFFECT(id, words, order, permission, proof, args, doc)                              \
    {"effect", BL_EFFECT_##id, #id},
#include "spec/effects.def"
#undef BL_EFFECT
#define BL_STEP(id, words, phase, args, doc) {"step", BL_STEP_##id, #id},
#include "spec/steps.def"
#undef BL_STEP
#define BL_PERMISSION(id, key, level) {"permission", BL_PERMISSION_##id, #id},
#include "spec/permissions.def"
#undef BL_PERMISSION
#define BL_BUILTIN(id, name, params, result, read, cost, doc)                                  \
    {"builtin", BL_BUILTIN_##id, name},
#include "spec/builtins.def"
#undef BL_BUILTIN
#define BL_OP(id, mnemonic, a, b, c, rule, flags, doc) {"opcode", BL_OP_##id, mnemonic},
#include "spec/opcodes.def"
#undef BL_OP
#define BL_DIAGNOSTIC(id, number, lint, severity, message, help, more)                         \
    {"diagnostic", BL_D_##id, #id},
#include "spec/diagnostics.def"
#undef BL_DIAGNOSTIC
};
#define COUNT (sizeof(rows) / sizeof(rows[0]))

static bool seen[COUNT];

/* The row of a kind and name; COUNT when there is none. */
static size_t find(const char *kind, const char *name)
{
    for (size_t i = 0; i < COUNT; i++) {
        if (strcmp(rows[i].kind, kind) == 0 && strcmp(rows[i].name, name) == 0)
            return i;
    }
    return COUNT;
}

TEST(committed_numbers_have_not_changed)
{
    FILE *file = fopen(BL_CHECKOUT "/tests/golden/numbers.txt", "r");
    char kind[16];
    char name[80];
    int number;

    check(file != NULL);
    memset(seen, 0, sizeof(seen));
    while (fscanf(file, "%15s %d %79s", kind, &number, name) == 3) {
        size_t at = find(kind, name);

        check_case("%s %d %s: append rows, never change or remove one", kind, number, name);
        check(at != COUNT);
        check_int(rows[at].number, number);
        seen[at] = true;
    }
    check_case("the end of numbers.txt");
    check(feof(file));
    check_int(fclose(file), 0);
}

TEST(new_numbers_are_committed)
{
    for (size_t i = 0; i < COUNT; i++) {
        check_case("%s %d %s: run tools/gen/run", rows[i].kind, rows[i].number, rows[i].name);
        check(seen[i]);
    }
}

/* From 0 and without gaps, but for fields, which begin anew at multiples of 32, members, which
 * begin at 0 in each enumeration, and diagnostics, which have ranges. */
TEST(numbers_are_dense)
{
    for (size_t i = 0; i < COUNT; i++) {
        const struct row *before = i > 0 ? &rows[i - 1] : NULL;
        bool first = true;

        if (strcmp(rows[i].kind, "diagnostic") == 0)
            continue;
        /* Rows of two tables that stand in one file alternate: the one before of this kind. */
        for (size_t j = i; j-- > 0;) {
            if (strcmp(rows[j].kind, rows[i].kind) == 0) {
                before = &rows[j];
                first = false;
                break;
            }
        }
        check_case("%s %d %s", rows[i].kind, rows[i].number, rows[i].name);
        if (first)
            check_int(rows[i].number, 0);
        else if (strcmp(rows[i].kind, "field") == 0 && rows[i].number % 32 == 0)
            check_int(rows[i].number / 32, before->number / 32 + 1);
        else if (strcmp(rows[i].kind, "member") == 0 && rows[i].number == 0)
            check(strchr(rows[i].name, '.') != NULL &&
                  strncmp(rows[i].name, before->name,
                          (size_t)(strchr(rows[i].name, '.') - rows[i].name) + 1) != 0);
        else
            check_int(rows[i].number, before->number + 1);
    }
}

/* Numbers of one kind, and names of one kind, are each there once. */
TEST(no_number_is_there_twice)
{
    for (size_t i = 0; i < COUNT; i++) {
        check_case("%s %d %s", rows[i].kind, rows[i].number, rows[i].name);
        check_size(find(rows[i].kind, rows[i].name), i);
        for (size_t j = 0; j < i && strcmp(rows[i].kind, "member") != 0; j++) {
            if (strcmp(rows[i].kind, rows[j].kind) == 0)
                check(rows[i].number != rows[j].number);
        }
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(committed_numbers_have_not_changed),
        cmocka_unit_test(new_numbers_are_committed),
        cmocka_unit_test(numbers_are_dense),
        cmocka_unit_test(no_number_is_there_twice),
    };

    return check_main(tests);
}
