/* SPDX-License-Identifier: Apache-2.0 */
#include "base/sort.h"
#include "bytecode/builder_parts.h"

#include <string.h>

/* Rows that have rows of another section below them. */

uint32_t bl_builder_enum(struct bl_builder *b, bl_str name, const bl_str *members, size_t count)
{
    if (!bl_builder_is_good(b))
        return BL_NONE;
    uint32_t first = (uint32_t)b->MEMBERS.count;
    for (size_t i = 0; i < count; i++)
        bl_add_MEMBERS(b, bl_builder_string(b, members[i]));
    return bl_add_ENUMS(
        b, (struct bl_module_enum){bl_builder_string(b, name), first, (uint32_t)count});
}

static struct bl_module_member member_row(struct bl_builder *b,
                                          const struct bl_builder_member *member)
{
    return (struct bl_module_member){bl_builder_string(b, member->name), member->type,
                                     member->flags};
}

uint32_t bl_builder_record(struct bl_builder *b, bl_str name,
                           const struct bl_builder_member *fields, size_t count)
{
    if (!bl_builder_is_good(b))
        return BL_NONE;
    uint32_t first = (uint32_t)b->RECORD_FIELDS.count;
    for (size_t i = 0; i < count; i++)
        bl_add_RECORD_FIELDS(b, member_row(b, &fields[i]));
    return bl_add_RECORDS(
        b, (struct bl_module_record){bl_builder_string(b, name), first, (uint32_t)count});
}

uint32_t bl_builder_comment(struct bl_builder *b, bl_str name,
                            const struct bl_builder_member *attributes, size_t count)
{
    if (!bl_builder_is_good(b))
        return BL_NONE;
    if (count > bl_limit(BL_LIMIT_MARKER_ATTRIBUTES)) {
        bl_builder_over(b, BL_LIMIT_MARKER_ATTRIBUTES);
        return BL_NONE;
    }
    uint32_t first = (uint32_t)b->ATTRIBUTES.count;
    for (size_t i = 0; i < count; i++)
        bl_add_ATTRIBUTES(b, member_row(b, &attributes[i]));
    return bl_add_COMMENTS(b, (struct bl_module_comment){bl_builder_string(b, name), first,
                                                         (uint32_t)count, BL_NONE});
}

uint32_t bl_builder_label(struct bl_builder *b, struct bl_module_label row,
                          const bl_str *options, size_t option_count)
{
    if (!bl_builder_is_good(b))
        return BL_NONE;
    row.first_option = (uint32_t)b->LABEL_OPTIONS.count;
    row.option_count = (uint32_t)option_count;
    for (size_t i = 0; i < option_count; i++)
        bl_add_LABEL_OPTIONS(b, bl_builder_string(b, options[i]));
    return bl_add_LABELS(b, row);
}

static int compare_texts(const void *a, const void *b, const void *context)
{
    (void)context;
    return bl_str_compare(*(const bl_str *)a, *(const bl_str *)b);
}

uint32_t bl_builder_locale(struct bl_builder *b, struct bl_module_locale row,
                           const bl_str *months, const bl_str *stopwords, size_t stopword_count)
{
    if (!bl_builder_is_good(b))
        return BL_NONE;
    bl_str *sorted = BL_NEW_ARRAY(b->arena, stopword_count, bl_str);
    if (sorted != NULL && stopword_count > 0)
        memcpy(sorted, stopwords, stopword_count * sizeof *sorted);
    if (sorted == NULL ||
        !bl_sort(b->arena, sorted, stopword_count, sizeof *sorted, compare_texts, NULL)) {
        bl_builder_fail(b, BL_ERR_NOMEM);
        return BL_NONE;
    }
    row.first_stopword = (uint32_t)b->STOPWORDS.count;
    for (size_t i = 0; i < stopword_count; i++) {
        if (i == 0 || !bl_str_equal(sorted[i], sorted[i - 1]))
            bl_add_STOPWORDS(b, bl_builder_string(b, sorted[i]));
    }
    row.stopword_count = (uint32_t)b->STOPWORDS.count - row.first_stopword;
    row.first_month = months != NULL ? (uint32_t)b->MONTHS.count : BL_NONE;
    for (size_t i = 0; months != NULL && i < 12; i++)
        bl_add_MONTHS(b, bl_builder_string(b, months[i]));
    return bl_add_LOCALES(b, row);
}

uint32_t bl_builder_message(struct bl_builder *b, bl_str name, const uint32_t *functions,
                            size_t locale_count, uint32_t param_count)
{
    if (!bl_builder_is_good(b))
        return BL_NONE;
    uint32_t first = (uint32_t)b->MESSAGE_FUNCTIONS.count;
    for (size_t i = 0; i < locale_count; i++)
        bl_add_MESSAGE_FUNCTIONS(b, functions[i]);
    return bl_add_MESSAGES(
        b, (struct bl_module_message){bl_builder_string(b, name), first, param_count});
}

/* ---- rules and their index ----------------------------------------------------------------
 */

void bl_builder_event_rule(struct bl_builder *b, enum bl_event_id event, uint32_t entry)
{
    bl_add_EVENT_RULES(b, (struct bl_event_rule){(unsigned)event & 0xffu, entry & 0xffffffu});
}

void bl_builder_override(struct bl_builder *b, uint32_t winner, uint32_t loser)
{
    bl_add_OVERRIDES(b, (struct bl_module_pair){winner, loser});
}

void bl_builder_access_text(struct bl_builder *b, enum bl_access_kind kind, uint32_t path,
                            bl_str key, uint32_t entry)
{
    if (key.len > bl_limit(BL_LIMIT_INDEX_KEY_BYTES))
        return;
    struct bl_string_ref ref = bl_builder_string(b, key);
    bl_add_ACCESS(
        b, (struct bl_access){(uint16_t)kind, (uint16_t)path, ref.offset, ref.length, entry});
}

void bl_builder_access_number(struct bl_builder *b, enum bl_access_kind kind, uint32_t path,
                              uint32_t key, uint32_t entry)
{
    bl_add_ACCESS(b, (struct bl_access){(uint16_t)kind, (uint16_t)path, key, 0, entry});
}

uint32_t bl_builder_set(struct bl_builder *b, uint32_t fact, struct bl_pattern set,
                        const bl_str *sources, size_t literal_count)
{
    if (!bl_builder_is_good(b))
        return BL_NONE;
    struct bl_module_set row = {.path = fact,
                                .first_sought = (uint32_t)b->SOUGHT.count,
                                .sought_count = (uint32_t)bl_pattern_set_count(set),
                                .literal_count = (uint32_t)literal_count};
    for (uint32_t i = 0; i < row.sought_count; i++)
        bl_add_SOUGHT(b, (struct bl_module_sought){bl_builder_string(b, sources[i]), BL_NONE});
    struct bl_pattern *kept = BL_PUSH(b->arena, b->intern->sets);
    if (kept == NULL) {
        bl_builder_fail(b, BL_ERR_NOMEM);
        return BL_NONE;
    }
    *kept = set;
    return bl_add_SETS(b, row);
}

uint32_t bl_builder_sieve(struct bl_builder *b, struct bl_pattern set)
{
    if (!bl_builder_is_good(b))
        return BL_NONE;
    struct bl_pattern *kept = BL_PUSH(b->arena, b->intern->sieves);
    if (kept == NULL) {
        bl_builder_fail(b, BL_ERR_NOMEM);
        return BL_NONE;
    }
    *kept = set;
    return bl_add_SIEVES(b, (struct bl_module_sieve){0, 0});
}
