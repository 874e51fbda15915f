/* SPDX-License-Identifier: Apache-2.0 */
#include "support/allocator.h"
#include "support/check.h"
#include "support/stage.h"
#include "vm/builtins.h"

/* Patches as things: read when they are asked for, and equal to git's reading or to nothing. */

static struct bl_arena arena;
static struct stage stage;

static int set_up(void **state)
{
    (void)state;
    bl_arena_init(&arena, 64 << 20, NULL);
    stage_of(&stage, &arena, "pure nothing()\n  end\n");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    bl_arena_reset(&arena);
    return 0;
}

static struct bl_value field(struct bl_object *thing, enum bl_field which)
{
    struct bl_value out = bl_absent();

    check_status(bl_machine_field(&stage.machine, thing, which, &out), BL_OK);
    return out;
}

#define TEXT                                                                                   \
    "diff --git a/x.ts b/x.ts\nindex 1111111..2222222 100644\n"                                \
    "--- a/x.ts\n+++ b/x.ts\n@@ -1 +1,2 @@\n-a\n+b\n+c\n"
static const bl_str text = {TEXT, sizeof(TEXT) - 1};

/* req: PRF-10 */
TEST(its_length_is_known_before_it_is_read)
{
    struct bl_object *patch = bl_patch_thing(&arena, text);

    check_int(field(patch, BL_FIELD_PATCH_BYTES).as.i, sizeof(TEXT) - 1);
    check(!bl_object_knows(patch, BL_FIELD_PATCH_READABLE));
    check_int(field(patch, BL_FIELD_PATCH_ADDED).as.i, 2);
    check_int(field(patch, BL_FIELD_PATCH_REMOVED).as.i, 1);
    check_int(field(patch, BL_FIELD_PATCH_READABLE).as.i, 1);
    struct bl_list *files = field(patch, BL_FIELD_PATCH_FILES).as.list;
    check_int(files->count, 1);
    struct bl_object *file = files->items[0].as.object;
    check_str(bl_text_of(field(file, BL_FIELD_PATCH_FILE_PATH)), "x.ts");
    struct bl_list *lines = field(file, BL_FIELD_PATCH_FILE_ADDED_LINES).as.list;
    check_int(lines->count, 2);
    check_int(field(lines->items[1].as.object, BL_FIELD_PATCH_LINE_NUMBER).as.i, 2);
    check_str(bl_text_of(field(lines->items[1].as.object, BL_FIELD_PATCH_LINE_TEXT)), "c");
}

/* req: PAT-27 PAT-28 */
TEST(what_cannot_be_read_equals_nothing)
{
    bl_type type = BL_TYPE_MAKE(BL_TYPE_ENTITY, BL_ENTITY_PATCH_READING);
    struct bl_object *good = bl_patch_thing(&arena, text);
    struct bl_object *same = bl_patch_thing(&arena, text);
    struct bl_object *bad = bl_patch_thing(&arena, BL_STR("x\n"));
    struct bl_object *worse = bl_patch_thing(&arena, BL_STR("\xFF"));

    check(bl_value_equal(field(good, BL_FIELD_PATCH_READING),
                         field(same, BL_FIELD_PATCH_READING), type));
    check(!bl_value_equal(field(good, BL_FIELD_PATCH_READING),
                          field(bad, BL_FIELD_PATCH_READING), type));
    check(!bl_value_equal(field(bad, BL_FIELD_PATCH_READING),
                          field(worse, BL_FIELD_PATCH_READING), type));
    check_int(field(bad, BL_FIELD_PATCH_READABLE).as.i, 0);
    check_int(field(bad, BL_FIELD_PATCH_FILES).as.list->count, 0);
    check_int(field(worse, BL_FIELD_PATCH_READABLE).as.i, 0);
    check_int(field(worse, BL_FIELD_PATCH_ADDED).as.i, 0);
}

/* No world: git cannot be asked, and that is no reading. req: PAT-28 */
TEST(without_a_world_git_says_nothing)
{
    struct bl_value patch = bl_object_value(bl_patch_thing(&arena, text));
    bl_type type = BL_TYPE_MAKE(BL_TYPE_ENTITY, BL_ENTITY_PATCH);
    struct bl_value out = bl_absent();
    struct bl_builtin_call call = {&stage.machine, &patch, &type, &out};

    check_status(bl_builtin_run(BL_BUILTIN_GIT_READING, &call), BL_ERR_READ);
    check(bl_is_absent(out));
}

TEST(memory_that_runs_out_is_said)
{
    enum bl_status status = BL_ERR_NOMEM;
    size_t n = 1;

    for (; status != BL_OK; n++) {
        struct failing_allocator failing;
        struct bl_arena small;
        struct bl_value out = bl_absent();
        struct bl_value args[] = {bl_text(BL_STR("a.ts")), bl_text(BL_STR("x\ny"))};
        bl_type types[] = {BL_TYPE_PATH, BL_TYPE_UNTRUSTED};

        failing_allocator_init(&failing, n);
        bl_arena_init(&small, 64 << 20, &failing.allocator);
        stage.machine.arena = &small;
        struct bl_builtin_call call = {&stage.machine, args, types, &out};
        status = bl_builtin_run(BL_BUILTIN_PATCH_CREATING, &call);
        if (status == BL_OK)
            status = bl_machine_field(&stage.machine, bl_object_of(out),
                                      BL_FIELD_PATCH_READABLE, &out);
        check(status == BL_OK ? out.as.i == 1 : status == BL_ERR_NOMEM);
        bl_arena_reset(&small);
        check_size(failing.live, 0);
        stage.machine.arena = &arena;
    }
    check(n > 2);
}

#define PATCH_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        PATCH_TEST(its_length_is_known_before_it_is_read),
        PATCH_TEST(what_cannot_be_read_equals_nothing),
        PATCH_TEST(without_a_world_git_says_nothing),
        PATCH_TEST(memory_that_runs_out_is_said),
    };
    return check_main(tests);
}
