/* SPDX-License-Identifier: Apache-2.0 */
#include "compile.h"
#include "support/check.h"

static const struct bl_sema_options with_tests = {.tests = true, .no_embedded = true};

TEST(a_root_that_is_not_there)
{
    static const struct memory_file files[] = {{0}};
    struct compiled c;
    compile_files(&c, files, "none.policy", NULL, NULL);
    check_status(c.status, BL_ERR_INVALID);
    check_size(count_code(&c, BL_D_FILE_UNREADABLE), 1);
    release_compiled(&c);
}

TEST(a_file_that_cannot_be_read)
{
    static const struct memory_file files[] = {
        {"a.policy", "use b\nuse c\n", BL_OK},
        {"b.policy", "", BL_ERR_IO},
        {"c.policy", "", BL_ERR_LIMIT},
        {0},
    };
    struct compiled c;
    compile_files(&c, files, "a.policy", NULL, NULL);
    check_size(count_code(&c, BL_D_FILE_UNREADABLE), 1);
    check_size(count_code(&c, BL_D_FILE_TOO_LARGE), 1);
    check_size(c.sink.errors, 2);
    release_compiled(&c);
}

TEST(more_files_than_a_program_may_have)
{
    enum { COUNT = 1030 };
    static struct memory_file files[COUNT + 1];
    static char names[COUNT][24];
    struct compiled c;
    for (int i = 0; i < COUNT; i++) {
        int n = i, at = 16;
        for (const char *p = "p/00000000000.policy"; names[i][0] == '\0' || *p != '\0'; p++)
            names[i][p - "p/00000000000.policy"] = *p;
        for (; n > 0; n /= 10)
            names[i][--at - 3] = (char)('0' + n % 10);
        files[i] = (struct memory_file){names[i], "", BL_OK};
    }
    compile_files(&c, files, "p", NULL, NULL);
    check(count_code(&c, BL_D_TOO_MANY_FILES) > 0);
    check_size(c.program->files.count, bl_limit(BL_LIMIT_SOURCES));
    release_compiled(&c);
}

/* A product is every file of the folder that holds its `package` declaration. */
TEST(a_file_with_a_package_brings_its_folder)
{
    static const struct memory_file files[] = {
        {"p/product.policy", "package product { marker \"mark\" }\ndefine a : int = b\n",
         BL_OK},
        {"p/other.policy", "define b : int = 1\n", BL_OK},
        {"p/some_test.policy", "define c : int = nothing\n", BL_OK},
        {"alone.policy", "define a : int = 1\n", BL_OK},
        {"beside.policy", "define a : int = 2\n", BL_OK},
        {0},
    };
    struct compiled c;
    compile_files(&c, files, "p/product.policy", NULL, NULL);
    check_status(c.status, BL_OK);
    check_size(c.program->files.count, 2);
    check(c.program->product != NULL);
    check_str(c.program->product->marker, "mark");
    release_compiled(&c);

    compile_files(&c, files, "alone.policy", NULL, NULL);
    check_size(c.program->files.count, 1);
    check(c.program->product == NULL);
    release_compiled(&c);
}

TEST(tests_take_part_when_they_are_asked_for)
{
    static const struct memory_file files[] = {
        {"p/product.policy", "use q\npackage product\n", BL_OK},
        {"p/some_test.policy", "test \"one\" { expect now == now }\n", BL_OK},
        {"p/q/used.policy", "define x : int = 1\ntest \"two\" { expect now == now }\n", BL_OK},
        {"p/q/used_test.policy", "test \"three\" { expect now == now }\n", BL_OK},
        {0},
    };
    struct compiled c;
    compile_files(&c, files, "p", NULL, NULL);
    check_size(c.program->files.count, 2);
    check_size(c.program->tests.count, 0);
    release_compiled(&c);

    compile_files(&c, files, "p", &with_tests, NULL);
    check_status(c.status, BL_OK);
    check_size(c.program->files.count, 3);
    check_size(c.program->tests.count, 1); /* those of a used package are its own business */
    release_compiled(&c);
}

TEST(the_using_files_folder_comes_before_the_search_path)
{
    static const struct memory_file files[] = {
        {"p/a.policy", "use x\nuse y\n", BL_OK},
        {"p/x.policy", "define where_x : int = 1\n", BL_OK},
        {"lib/x.policy", "define elsewhere : int = 1\n", BL_OK},
        {"lib/y/y.policy", "define where_y : int = 1\n", BL_OK},
        {0},
    };
    const bl_str search[] = {BL_STR("lib")};
    const struct bl_sema_options options = {
        .no_embedded = true, .search = search, .search_count = 1};
    struct compiled c;
    compile_files(&c, files, "p/a.policy", &options, NULL);
    check_status(c.status, BL_OK);
    check(find_symbol(&c, "where_x") != NULL);
    check(find_symbol(&c, "where_y") != NULL);
    check(find_symbol(&c, "elsewhere") == NULL);
    release_compiled(&c);
}

/* What comes with the compiler is found last. */
TEST(packages_that_come_with_the_compiler)
{
    static const struct memory_file files[] = {
        {"a.policy", "use std.github\nrule r { on issues.opened; when event.actor is robot }\n",
         BL_OK},
        {0},
    };
    const struct bl_sema_options options = {.tests = false};
    struct compiled c;
    compile_files(&c, files, "a.policy", &options, NULL);
    check(find_symbol(&c, "robot") != NULL);
    check(c.program->files.items[0]->package->embedded);
    release_compiled(&c);
    compile_files(&c, files, "a.policy", NULL, NULL);
    check_size(count_code(&c, BL_D_PACKAGE_MISSING), 1);
    release_compiled(&c);
}

/* Used packages first, each once, files by their names: the order of declarations is fixed. */
TEST(the_order_of_the_program)
{
    static const struct memory_file files[] = {
        {"a.policy", "use c\nuse b\ndefine four : int = 1\n", BL_OK},
        {"b.policy", "use c\ndefine three : int = 1\n", BL_OK},
        {"c/1.policy", "define one : int = 1\n", BL_OK},
        {"c/2.policy", "define two : int = 1\n", BL_OK},
        {0},
    };
    static const char *const names[] = {"one", "two", "three", "four"};
    struct compiled c;
    compile_files(&c, files, "a.policy", NULL, NULL);
    check_status(c.status, BL_OK);
    check_size(c.program->files.count, 4);
    check_size(c.program->symbols[BL_SYMBOL_DEFINE].count, 4);
    for (unsigned i = 0; i < 4; i++) {
        check_case("%s", names[i]);
        check_str(c.program->symbols[BL_SYMBOL_DEFINE].items[i]->name, names[i]);
        check_size(c.program->symbols[BL_SYMBOL_DEFINE].items[i]->number, i);
    }
    release_compiled(&c);
}

/* The last `set` on the way from the product to the repository holds. */
TEST(sets_on_the_way)
{
    static const struct memory_file files[] = {
        {"repository.policy", "use team\nset days = 30\n", BL_OK},
        {"team.policy", "use product\nset days = 20\nset weeks = 2\n", BL_OK},
        {"product.policy", "setting days : int = 10\nsetting weeks : int = 1\n", BL_OK},
        {"apart.policy", "use left\nuse right\n", BL_OK},
        {"left.policy", "use product\nset days = 1\n", BL_OK},
        {"right.policy", "use product\nset days = 2\n", BL_OK},
        {0},
    };
    struct compiled c;
    compile_files(&c, files, "repository.policy", NULL, NULL);
    check_status(c.status, BL_OK);
    check_int(find_symbol(&c, "days")->as.setting->value->number, 30);
    check_int(find_symbol(&c, "days")->as.setting->preset->number, 10);
    check_int(find_symbol(&c, "weeks")->as.setting->value->number, 2);
    release_compiled(&c);

    compile_files(&c, files, "apart.policy", NULL, NULL);
    check_size(count_code(&c, BL_D_SET_TWICE), 1);
    release_compiled(&c);
}

TEST(out_of_memory_is_said_and_nothing_else)
{
    static const struct memory_file files[] = {
        {"a.policy",
         "use b\nlabel bug \"bug\" { color \"ffffff\" }\n"
         "job j { may write issues; runs rules }\n"
         "rule r { on issues.opened; when hot(issue) { add label bug } }\n"
         "test \"t {n}\" { column n : int; case 1; expect n == 1 }\n",
         BL_OK},
        {"b.policy",
         "define hot(issue) : bool = any c in issue.comments where c.text contains \"hot\"\n",
         BL_OK},
        {0},
    };
    struct failing_allocator failing;
    bool done = false;
    for (size_t n = 1; !done && n < 10000; n++) {
        struct compiled c;
        failing_allocator_init(&failing, n);
        compile_files(&c, files, "a.policy", &with_tests, &failing.allocator);
        done = c.status == BL_OK;
        check_case("allocation %d", (int)n);
        check(done || c.status == BL_ERR_NOMEM);
        release_compiled(&c);
        check_size(failing.live, 0);
    }
    check(done);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_root_that_is_not_there),
        cmocka_unit_test(a_file_that_cannot_be_read),
        cmocka_unit_test(more_files_than_a_program_may_have),
        cmocka_unit_test(a_file_with_a_package_brings_its_folder),
        cmocka_unit_test(tests_take_part_when_they_are_asked_for),
        cmocka_unit_test(the_using_files_folder_comes_before_the_search_path),
        cmocka_unit_test(packages_that_come_with_the_compiler),
        cmocka_unit_test(the_order_of_the_program),
        cmocka_unit_test(sets_on_the_way),
        cmocka_unit_test(out_of_memory_is_said_and_nothing_else),
    };
    return check_main(tests);
}
