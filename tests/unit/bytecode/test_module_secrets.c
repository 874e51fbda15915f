/* SPDX-License-Identifier: Apache-2.0 */
#include "module_sample.h"
#include "support/check.h"
#include "text/pattern.h"
#include "verify_support.h"

#include <string.h>

/* Sets of secrets and redactions: with one number changed the module is refused where it
 * stands.
 */

static const char secrets[] = "pure key_like(untrusted) : bool\n"
                              "  regs bool\n"
                              "  const r1, true\n"
                              "  return r1\n"
                              "pure literals() : list of secret\n"
                              "  regs list of secret\n"
                              "  list r0\n"
                              "  return r0\n"
                              "pure mask_kind() : name\n"
                              "  regs name\n"
                              "  const r0, name \"token\"\n"
                              "  return r0\n"
                              "pure mask_source() : text\n"
                              "  regs text\n"
                              "  const r0, \"structured:token\"\n"
                              "  return r0\n"
                              "pure literal_kind(secret, int) : name\n"
                              "  regs name\n"
                              "  const r2, name \"literal\"\n"
                              "  return r2\n"
                              "pure literal_source(secret, int) : text\n"
                              "  regs text\n"
                              "  const r2, \"literal\"\n"
                              "  return r2\n"
                              "pure marker(text, text, text) : text\n"
                              "  return r0\n"
                              "pure marker_size(int) : text\n"
                              "  regs text\n"
                              "  const r1, \"short\"\n"
                              "  return r1\n"
                              "pure masks_on() : bool\n"
                              "  regs bool\n"
                              "  const r0, true\n"
                              "  return r0\n";

static struct bl_string_ref str(struct bl_builder *b, const char *text)
{
    return bl_builder_string(b, bl_str_from(text));
}

static uint32_t function(const struct bl_builder *b, const char *name)
{
    for (size_t i = b->FUNCTIONS.count; i-- > 0;) {
        struct bl_string_ref ref = b->FUNCTIONS.items[i].name;
        if (bl_str_equal((bl_str){b->STRINGS.items + ref.offset, ref.length},
                         bl_str_from(name)))
            return (uint32_t)i;
    }
    return BL_NONE;
}

static void add_sieve(struct bl_arena *arena, struct bl_builder *b)
{
    const struct bl_pattern_set_input input = {BL_STR("key"), BL_STR(""), false};
    bool left_out[1];
    struct bl_pattern set;

    check(bl_pattern_starts_compile(arena, &input, 1, left_out, &set));
    bl_builder_sieve(b, set);
}

static void add_rows(struct bl_builder *b)
{
    bl_add_PARTS(b, (struct bl_module_part){0, BL_NONE, BL_NONE, BL_NONE, 0});
    bl_add_PARTS(b, (struct bl_module_part){0, 0, 0, BL_NONE, 0});
    bl_add_PARTS(b, (struct bl_module_part){0, BL_NONE, BL_NONE, 0, 0});
    bl_add_FINDERS(b, (struct bl_module_finder){.kind = str(b, "token"),
                                                .part = 1,
                                                .first_outside = 2,
                                                .outside_count = 1,
                                                .when = function(b, "key_like"),
                                                .source = 0,
                                                .lo = 1,
                                                .hi = 2});
    bl_add_FINDERS(b, (struct bl_module_finder){.kind = str(b, "chance"),
                                                .part = BL_NONE,
                                                .least = 24,
                                                .bits = 52,
                                                .when = BL_NONE,
                                                .source = BL_NO_SOURCE});
    bl_add_SECRETS(b, (struct bl_module_secrets){str(b, "keys"), 1, 2, 1, {0, 0, 0, 0}});
    bl_add_MASKS(b, (struct bl_module_mask){.part = 3,
                                            .list = BL_NONE,
                                            .kind = function(b, "mask_kind"),
                                            .source = function(b, "mask_source"),
                                            .when = function(b, "key_like"),
                                            .place = BL_NO_SOURCE});
    bl_add_MASKS(b, (struct bl_module_mask){.part = BL_NONE,
                                            .list = function(b, "literals"),
                                            .kind = function(b, "literal_kind"),
                                            .source = function(b, "literal_source"),
                                            .when = BL_NONE,
                                            .place = BL_NO_SOURCE});
    bl_add_REDACTIONS(b, (struct bl_module_redaction){.name = str(b, "outputs"),
                                                      .first_mask = 0,
                                                      .mask_count = 2,
                                                      .sieve = 2,
                                                      .when = function(b, "masks_on"),
                                                      .marker = function(b, "marker"),
                                                      .size = function(b, "marker_size"),
                                                      .keep = 0});
}

static struct sample_bytes sample(void)
{
    struct sample_bytes b;
    struct bl_module_bytes made;

    bl_arena_init(&b.arena, SIZE_MAX, NULL);
    struct bl_builder *builder = sample_begin(&b.arena);
    check(builder != NULL);
    sample_add(builder, secrets);
    add_sieve(&b.arena, builder);
    add_sieve(&b.arena, builder);
    add_rows(builder);
    check_status(bl_builder_finish(builder, &made), BL_OK);
    b.size = made.size;
    b.at = bl_arena_alloc(&b.arena, 1, made.size + 64);
    check(b.at != NULL);
    memcpy(b.at, made.bytes, made.size);
    return b;
}

TEST(secrets_are_whole)
{
    static const struct row_case cases[] = {
        {AT(PARTS, 1, bl_module_part, pattern, BIG), "no such pattern"},
        {AT(PARTS, 2, bl_module_part, front, BL_NONE), "no such pattern"},
        {AT(PARTS, 2, bl_module_part, part, BIG), "no such pattern"},
        {AT(PARTS, 2, bl_module_part, until, 0), "no such pattern"},
        {AT(PARTS, 3, bl_module_part, until, BIG), "no such pattern"},
        {AT(SIEVES, 1, bl_module_sieve, first, 0), "do not follow"},
        {AT(SIEVES, 2, bl_module_sieve, count, BIG), "do not follow"},
        {AT(FINDERS, 1, bl_module_finder, kind.length, 1), "not in the pool"},
        {AT(FINDERS, 1, bl_module_finder, part, BIG), "no such pattern"},
        {AT(FINDERS, 1, bl_module_finder, part, BL_NONE), "measures nothing"},
        {AT(FINDERS, 2, bl_module_finder, bits, 0), "measures nothing"},
        {AT(FINDERS, 2, bl_module_finder, least, 0), "measures nothing"},
        {AT(FINDERS, 2, bl_module_finder, part, 0), "not measured"},
        {AT_OTHER(PARTS, 1, bl_module_part, sought, 1, FINDERS),
         "its sieve has no such pattern"},
        {AT_OTHER(PARTS, 2, bl_module_part, sought, 1, FINDERS),
         "its sieve has no such pattern"},
        {AT(FINDERS, 1, bl_module_finder, first_outside, BIG), "no such patterns"},
        {AT(FINDERS, 1, bl_module_finder, outside_count, 4), "no such patterns"},
        {AT(FINDERS, 1, bl_module_finder, when, BIG), "its function"},
        {AT(FINDERS, 1, bl_module_finder, when, 0), "its function"},
        {AT(FINDERS, 1, bl_module_finder, hi, BIG), "its place"},
        {AT(SECRETS, 1, bl_module_secrets, name.offset, 1), "not in the pool"},
        {AT(SECRETS, 1, bl_module_secrets, first_finder, 0), "rows have a gap"},
        {AT(SECRETS, 1, bl_module_secrets, finder_count, 3), "rows have a gap"},
        {AT_OTHER(SECRETS, 1, bl_module_secrets, finder_count, 1, FINDERS),
         "belongs to no row"},
        {AT(SECRETS, 1, bl_module_secrets, sieve, 3), "no such sieve"},
        {AT(MASKS, 0, bl_module_mask, part, BL_NONE), "no such pattern"},
        {AT(MASKS, 0, bl_module_mask, part, BIG), "no such pattern"},
        {AT_OTHER(PARTS, 3, bl_module_part, sought, 1, MASKS), "no such pattern"},
        {AT(MASKS, 0, bl_module_mask, list, 0), "no such pattern"},
        {AT(MASKS, 0, bl_module_mask, field, 2), "no pattern"},
        {AT(MASKS, 0, bl_module_mask, field, 1), "no pattern"},
        {AT(MASKS, 1, bl_module_mask, field, 1), "no pattern"},
        {AT(MASKS, 0, bl_module_mask, kind, 0), "its function"},
        {AT(MASKS, 0, bl_module_mask, source, BIG), "its function"},
        {AT(MASKS, 0, bl_module_mask, when, 0), "its function"},
        {AT(MASKS, 1, bl_module_mask, list, 0), "its function"},
        {AT(MASKS, 1, bl_module_mask, kind, 0), "its function"},
        {AT(MASKS, 1, bl_module_mask, place, BIG), "its place"},
        {AT(REDACTIONS, 0, bl_module_redaction, first_mask, 1), "rows have a gap"},
        {AT(REDACTIONS, 0, bl_module_redaction, mask_count, 3), "rows have a gap"},
        {AT_OTHER(REDACTIONS, 0, bl_module_redaction, mask_count, 1, MASKS),
         "belongs to no row"},
        {AT(REDACTIONS, 0, bl_module_redaction, sieve, 3), "no such sieve"},
        {AT(REDACTIONS, 0, bl_module_redaction, when, 0), "its function"},
        {AT(REDACTIONS, 0, bl_module_redaction, marker, 0), "its function"},
        {AT(REDACTIONS, 0, bl_module_redaction, size, BIG), "its function"},
        {AT(REDACTIONS, 0, bl_module_redaction, keep, BIG), "no such pattern"},
        {AT(REDACTIONS, 0, bl_module_redaction, keep, 2), "no such pattern"},
        {AT(REDACTIONS, 0, bl_module_redaction, keep, 3), "no such pattern"},
        {AT(MASKS, 0, bl_module_mask, field, 4), "no pattern"},
        {AT(REDACTIONS, 0, bl_module_redaction, view.first_without, BIG), "what is not there"},
        {AT(REDACTIONS, 0, bl_module_redaction, view.without_count, BIG), "what is not there"},
        {AT(REDACTIONS, 0, bl_module_redaction, view.decoded, 64), "what is not there"},
        {AT(REDACTIONS, 0, bl_module_redaction, view.folded, 32), "what is not there"},
        {AT(SECRETS, 1, bl_module_secrets, view.first_without, BIG), "what is not there"},
        {AT(SECRETS, 1, bl_module_secrets, view.without_count, 5), "what is not there"},
        {AT(SECRETS, 1, bl_module_secrets, view.decoded, 64), "what is not there"},
        {AT(SECRETS, 1, bl_module_secrets, view.folded, 32), "what is not there"},
    };

    verify_rows(sample, cases, sizeof cases / sizeof cases[0]);
}

TEST(the_sample_itself_is_whole)
{
    struct sample_bytes b = sample();

    check_int(verify_repaired(&b, NULL), 0);
    bl_arena_reset(&b.arena);
}

/* A condition that came after who asks could ask itself. */
TEST(conditions_come_before_who_asks)
{
    struct bl_arena arena;
    struct bl_module_bytes made;
    char words[512];

    bl_arena_init(&arena, SIZE_MAX, NULL);
    struct bl_builder *b = sample_begin(&arena);
    check(b != NULL);
    sample_add(b, "pure asks(untrusted) : bool\n  regs bool\n  holds r1, r0, known\n"
                  "  return r1\n");
    b->FINDERS.items[0].when = function(b, "asks");
    check_status(bl_builder_finish(b, &made), BL_OK);
    check_int(verify_bytes(made.bytes, made.size, words), BL_D_CODE_CALL);
    check(strstr(words, "comes after it") != NULL);
    bl_arena_reset(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sample_itself_is_whole),
        cmocka_unit_test(secrets_are_whole),
        cmocka_unit_test(conditions_come_before_who_asks),
    };
    return check_main(tests);
}
