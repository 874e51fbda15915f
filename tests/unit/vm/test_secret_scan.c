/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"
#include "support/stage.h"

/* Sets of secrets cost what their texts are long, whatever a stranger writes: in counted steps.
 */

static struct bl_arena arena;
static struct stage stage;

static uint64_t steps_for(const char *part, size_t bytes)
{
    struct bl_secret_findings found;
    struct bl_buf text;

    bl_arena_init(&arena, SIZE_MAX, NULL);
    check(stage_begin(&stage, &arena));
    stage_secrets(&stage);
    check(stage_ready(&stage, NULL));
    bl_buf_init(&text, &arena, bytes + 64);
    while (text.len < bytes)
        bl_buf_put(&text, bl_str_from(part));
    stage.machine.budget = UINT64_MAX;
    check_status(bl_machine_secrets(&stage.machine, 1, bl_buf_str(&text), false, &found),
                 BL_OK);
    uint64_t steps = found.steps + stage.machine.used;
    bl_arena_reset(&arena);
    return steps;
}

TEST(steps_double_with_the_text)
{
    static const char *const parts[] = {
        "a", "crash", "cras", "crashes ", "crash 7 ", "crashe",
        "0", "/",     "eyJ",  "\xC3\xA9", "\xFF",
    };

    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        uint64_t before = steps_for(parts[i], 1024);
        for (size_t bytes = 2048; bytes <= 1u << 18; bytes *= 2) {
            uint64_t steps = steps_for(parts[i], bytes);
            check_case("'%s', %zu bytes: %llu and then %llu steps", parts[i], bytes,
                       (unsigned long long)before, (unsigned long long)steps);
            check(10 * steps <= 22 * before);
            before = steps;
        }
    }
}

struct segments {
    size_t count;
    struct bl_chance_segment last;
};

static bool note(void *context, struct bl_chance_segment segment)
{
    struct segments *s = context;
    s->count++;
    s->last = segment;
    return true;
}

TEST(chance_is_told_from_words)
{
    static const struct {
        const char *text;
        size_t count;
    } rows[] = {
        {"Zk9wJr3TqLmX8vBcN2sYhD7eKf1UgP5a", 1},
        {"say Zk9wJr3TqLmX8vBcN2sYhD7eKf1UgP5a and Qx4RtWnEbV6uLpS0aGz2MhCyFd8KjT1o too", 2},
        {"AbstractAuthenticationProcessingFilterConfigurerTests", 0},
        {"abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", 0},
        {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 0},
        {"Zk9wJr3TqLmX8vB cN2sYhD7eKf1UgP5a", 0},
        {"", 0},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct segments s = {.count = 0};

        bl_arena_init(&arena, SIZE_MAX, NULL);
        check(bl_chance_each(&arena, bl_str_from(rows[i].text), 24, 52, note, &s));
        check_case("%s", rows[i].text);
        check_size(s.count, rows[i].count);
        check(s.count == 0 || (s.last.bits >= 52 && s.last.hi - s.last.lo >= 24));
        bl_arena_reset(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_double_with_the_text),
        cmocka_unit_test(chance_is_told_from_words),
    };
    return check_main(tests);
}
