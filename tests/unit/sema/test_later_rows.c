/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/tables.h"
#include "support/check.h"

/* Rows of later.def go when the tables of runtime/spec have them. */

#define BL_LATER_ENTITY(name)                                                                  \
    check_case("thing %s", name);                                                              \
    check_int(bl_entity_find(bl_str_from(name)), BL_ENTITY_COUNT);
#define BL_LATER_FIELD(thing, field, type)                                                     \
    check_case("field %s.%s", thing, field);                                                   \
    check(bl_entity_find(bl_str_from(thing)) == BL_ENTITY_COUNT ||                             \
          bl_field_find(bl_entity_find(bl_str_from(thing)), bl_str_from(field)) ==             \
              BL_FIELD_COUNT);
#define BL_LATER_AMBIENT(name, type)                                                           \
    check_case("name %s", name);                                                               \
    check_int(bl_ambient_find(bl_str_from(name)), BL_AMBIENT_COUNT);

TEST(rows_are_not_in_the_tables_yet)
{
#include "sema/later.def"
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_are_not_in_the_tables_yet)};
    return check_main(tests);
}
