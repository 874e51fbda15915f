/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz_target.h"
#include "secret/policy_module.h"

/* The shipped sets of secrets over any bytes: findings are in order and inside of the text,
 * what is found once is found each time, and the steps stay below a line in the text. A known
 * token set behind the text is found whatever stands in front of it, unless it becomes a part
 * of what does. */

#define TOKEN "ghp_wJalrXUtnFEMIK7MDENGbPxRfiCYEX0mLq17"

static const char policy[] = "use std.tokens\n"
                             "use std.readers\n"
                             "secrets viewed { view as_others_read; like any_secret }\n";

static uint32_t set_of(const struct bl_module *m, bl_str name)
{
    for (uint32_t i = 0; i < m->SECRETS_count; i++) {
        if (bl_str_equal(bl_module_string(m, m->SECRETS_rows[i].name), name))
            return i;
    }
    FUZZ_REQUIRE(false);
    return 0;
}

static void find(struct bl_arena *arena, const struct bl_module *m, bl_str set, bl_str text,
                 bool first, struct bl_secret_findings *out)
{
    struct bl_machine *machine = fuzz_policy_machine(arena, m);
    enum bl_status status = bl_machine_secrets(machine, set_of(m, set), text, first, out);

    FUZZ_REQUIRE(status == BL_OK || status == BL_ERR_LIMIT);
}

/* The same as its readers have the text: in order, inside of it, linear, and no less than in
 * the text itself. */
static void look_at_views(struct bl_arena *arena, const struct bl_module *m, bl_str text,
                          bool in_text)
{
    struct bl_secret_findings all, one;

    find(arena, m, BL_STR("viewed"), text, false, &all);
    find(arena, m, BL_STR("viewed"), text, true, &one);
    FUZZ_REQUIRE((all.list.count > 0) == (one.list.count > 0));
    FUZZ_REQUIRE(!in_text || all.list.count > 0);
    FUZZ_REQUIRE(all.steps <= 8000 * (uint64_t)text.len + 8000);
    for (size_t i = 0; i < all.list.count; i++) {
        const struct bl_secret_finding *f = &all.list.items[i];
        FUZZ_REQUIRE(f->lo < f->hi && f->hi <= text.len);
        FUZZ_REQUIRE(i == 0 || all.list.items[i - 1].lo <= f->lo);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct bl_module *m = fuzz_policy_module(policy);
    bl_str text = {(const char *)data, size};
    struct bl_secret_findings all, one, known;
    struct bl_arena arena;
    struct bl_buf longer;

    if (size > 1 << 16)
        return 0;
    bl_arena_init(&arena, (size_t)1 << 29, NULL);
    find(&arena, m, BL_STR("any_secret"), text, false, &all);
    find(&arena, m, BL_STR("any_secret"), text, true, &one);
    FUZZ_REQUIRE((all.list.count > 0) == (one.list.count > 0));
    FUZZ_REQUIRE(all.steps <= 400 * (uint64_t)size + 400);
    for (size_t i = 0; i < all.list.count; i++) {
        const struct bl_secret_finding *f = &all.list.items[i];
        FUZZ_REQUIRE(f->lo < f->hi && f->hi <= size);
        FUZZ_REQUIRE(i == 0 || all.list.items[i - 1].lo <= f->lo);
    }
    look_at_views(&arena, m, text, all.list.count > 0);
    bl_buf_init(&longer, &arena, size + 100);
    bl_buf_put(&longer, text);
    BL_PUT(&longer, " " TOKEN);
    find(&arena, m, BL_STR("known_tokens"), bl_buf_str(&longer), false, &known);
    bool found = false;
    for (size_t i = 0; i < known.list.count; i++)
        found = found || known.list.items[i].hi == size + sizeof TOKEN;
    FUZZ_REQUIRE(found);
    bl_arena_reset(&arena);
    return 0;
}
