/* SPDX-License-Identifier: Apache-2.0 */
#include "bytecode/facts.h"
#include "support/check.h"
#include "verify_support.h"

#include <string.h>

/* Rows: with one number of the sample changed (and the checksum made good again) it is refused
 * where the number stands. */

static const bl_type list_of_records = BL_LIST_OF(BL_TYPE_MAKE(BL_TYPE_RECORD, 1));

/* The first row, whose parts are bit-fields. */
#define EVENT_RULE(event, entry)                                                               \
    BL_SECTION_EVENT_RULES, 0, 0, (uint32_t)(event) | (uint32_t)(entry) << 8,                  \
        BL_SECTION_EVENT_RULES
#define FACT(row, kind, path)                                                                  \
    BL_SECTION_ACCESS, row, 0, (uint32_t)(kind) | (uint32_t)(path) << 16, BL_SECTION_ACCESS
#define RUN(cases) verify_rows(whole_sample, cases, sizeof(cases) / sizeof((cases)[0]))

TEST(texts_lie_whole_in_the_pool)
{
    static const struct row_case cases[] = {
        {AT(INFO, 0, bl_module_info, package.offset, BIG), "not in the pool"},
        {AT(INFO, 0, bl_module_info, package.length, 3), "not in the pool"},
        {AT(INFO, 0, bl_module_info, package.length, BIG), "not in the pool"},
        {AT(INFO, 0, bl_module_info, account.offset, 2), "not in the pool"},
        {AT(INFO, 0, bl_module_info, marker.length, BIG), "not in the pool"},
        {AT(INFO, 0, bl_module_info, folder.length, 1), "not in the pool"},
        {AT(SOURCES, 0, bl_module_source, path.length, 1), "not in the pool"},
        {AT(ENUMS, 0, bl_module_enum, name.offset, BIG), "not in the pool"},
        {BL_SECTION_MEMBERS, 1, 0, BIG, BL_SECTION_MEMBERS, "not in the pool"},
        {AT(RECORDS, 1, bl_module_record, name.offset, BIG), "not in the pool"},
        {AT(RECORD_FIELDS, 2, bl_module_member, name.offset, BIG), "not in the pool"},
        {AT(COMMENTS, 1, bl_module_comment, name.length, 0), "not in the pool"},
        {AT(ATTRIBUTES, 5, bl_module_member, name.length, 0), "not in the pool"},
        {AT(LABELS, 0, bl_module_label, name.length, 1), "not in the pool"},
        {AT(LABELS, 0, bl_module_label, shown.length, 1), "not in the pool"},
        {AT(LABELS, 0, bl_module_label, color.length, 1), "not in the pool"},
        {AT(LABELS, 0, bl_module_label, description.length, 1), "not in the pool"},
        {BL_SECTION_LABEL_OPTIONS, 1, 4, 0, BL_SECTION_LABEL_OPTIONS, "not in the pool"},
        {AT(SETTINGS, 0, bl_module_setting, name.length, 0), "not in the pool"},
        {AT(TASKS, 1, bl_module_task, name.length, 0), "not in the pool"},
        {AT(LOCALES, 1, bl_module_locale, code.length, 1), "not in the pool"},
        {AT(LOCALES, 1, bl_module_locale, name.length, 1), "not in the pool"},
        {AT(LOCALES, 1, bl_module_locale, day.length, 1), "not in the pool"},
        {BL_SECTION_MONTHS, 11, 4, 1, BL_SECTION_MONTHS, "not in the pool"},
        {BL_SECTION_STOPWORDS, 1, 4, 1, BL_SECTION_STOPWORDS, "not in the pool"},
        {AT(MESSAGES, 0, bl_module_message, name.length, 1), "not in the pool"},
        {AT(PATTERNS, 0, bl_module_blob, source.length, 1), "not in the pool"},
        {AT(FUNCTIONS, 3, bl_function, name.length, 1), "not in the pool"},
        {AT(JOBS, 0, bl_module_job, name.length, 1), "not in the pool"},
        {AT(ENTRIES, 0, bl_entry, name.length, 1), "not in the pool"},
        {AT(CASES, 0, bl_module_case, name.length, 1), "not in the pool"},
        {AT(VARIABLES, 1, bl_module_name, shown.length, 1), "not in the pool"},
        {AT(ACCEPTED, 0, bl_module_accepted, rule.length, 1), "not in the pool"},
        {AT(STORES, 0, bl_module_store, name.length, 1), "not in the pool"},
        {AT(STORES, 0, bl_module_store, file.length, 1), "not in the pool"},
    };

    RUN(cases);
}

/* From a place behind a NUL to the next NUL, and nothing else. */
TEST(texts_begin_and_end_with_their_own_nul)
{
    struct sample_bytes b = whole_sample();
    struct bl_string_ref *ref = sample_row(b.at, BL_SECTION_MEMBERS, 0);
    struct bl_string_ref whole = *ref;

    check(whole.length > 1);
    *ref = (struct bl_string_ref){whole.offset + 1, whole.length - 1};
    check_int(verify_repaired(&b, NULL), BL_D_MODULE_ROW); /* the end of a text */
    *ref = (struct bl_string_ref){whole.offset, whole.length - 1};
    check_int(verify_repaired(&b, NULL), BL_D_MODULE_ROW); /* its beginning */
    *ref = (struct bl_string_ref){whole.offset, whole.length + 1};
    check_int(verify_repaired(&b, NULL), BL_D_MODULE_ROW); /* more than it */
    *ref = whole;
    check_int(verify_repaired(&b, NULL), 0);
    char *pool = sample_row(b.at, BL_SECTION_STRINGS, 0);
    uint32_t size = sample_count(b.at, BL_SECTION_STRINGS);
    pool[whole.offset] = (char)0xff;
    check_int(verify_repaired(&b, NULL), BL_D_MODULE_ROW);
    pool[whole.offset] = '\0';
    check_int(verify_repaired(&b, NULL), BL_D_MODULE_ROW);
    pool[whole.offset] = 'x';
    check_int(verify_repaired(&b, NULL), 0);
    char words[512];
    pool[size - 1] = 'x';
    check_int(verify_repaired(&b, words), BL_D_MODULE_ROW);
    check(strstr(words, "no NUL ends the pool") != NULL);
    bl_arena_reset(&b.arena);
}

/* The pool is looked at in blocks of 64 bytes; texts of every length lie across them. */
TEST(texts_of_any_length_are_found_whole)
{
    for (size_t length = 0; length < 300; length++) {
        struct bl_arena arena;
        struct bl_module_bytes made;
        char text[300];

        bl_arena_init(&arena, SIZE_MAX, NULL);
        struct bl_builder *b = sample_begin(&arena);
        memset(text, 'x', sizeof text);
        struct bl_string_ref ref = bl_builder_string(b, (bl_str){text, length});
        bl_add_TASKS(b, bl_plain_task(ref));
        check_status(bl_builder_finish(b, &made), BL_OK);
        check_case("%zu bytes", length);
        check_int(verify_bytes(made.bytes, made.size, NULL), 0);
        unsigned char *bytes = bl_arena_alloc(&arena, 1, made.size);
        memcpy(bytes, made.bytes, made.size);
        for (int step = -1; step <= 1; step += 2) {
            struct bl_module_task *row = sample_row(bytes, BL_SECTION_TASKS, 2);

            row->name.length = (uint32_t)((int)length + step);
            sample_repair(bytes, made.size);
            check_int(verify_bytes(bytes, made.size, NULL), BL_D_MODULE_ROW);
        }
        bl_arena_reset(&arena);
    }
}

TEST(ranges_follow_each_other)
{
    static const struct row_case cases[] = {
        {AT(ENUMS, 0, bl_module_enum, first, 1), "do not follow"},
        {AT(ENUMS, 0, bl_module_enum, count, 3), "do not follow"},
        {AT_OTHER(ENUMS, 0, bl_module_enum, count, 1, MEMBERS), "belongs to no row"},
        {AT(RECORDS, 1, bl_module_record, first, 1), "do not follow"},
        {AT(RECORDS, 1, bl_module_record, count, BIG), "do not follow"},
        {AT(COMMENTS, 1, bl_module_comment, first_attribute, 0), "do not follow"},
        {AT(COMMENTS, 0, bl_module_comment, attribute_count, 65), "do not follow"},
        {AT(POSTED_SETS, 1, bl_posted_set, first, 0), "do not follow"},
        {AT(POSTED_SETS, 0, bl_posted_set, count, 0), "do not follow"},
        {AT(POSTED_SETS, 1, bl_posted_set, count, 3), "do not follow"},
        {BL_SECTION_POSTED_KINDS, 1, 0, 1, BL_SECTION_POSTED_KINDS, "ascending"},
        {BL_SECTION_POSTED_KINDS, 2, 0, 3, BL_SECTION_POSTED_KINDS, "ascending"},
        {AT(LABELS, 0, bl_module_label, first_option, 1), "options have a gap"},
        {AT(LABELS, 0, bl_module_label, option_count, 3), "options have a gap"},
        {AT(LOCALES, 0, bl_module_locale, first_month, 1), "do not follow"},
        {AT(LOCALES, 1, bl_module_locale, first_month, 0), "do not follow"},
        {AT(LOCALES, 0, bl_module_locale, stopword_count, 4), "do not follow"},
        {AT_OTHER(LOCALES, 0, bl_module_locale, stopword_count, 2, LOCALES), "do not follow"},
        {AT(MESSAGES, 1, bl_module_message, first_function, 0), "functions have a gap"},
        {AT(PATTERNS, 0, bl_module_blob, first, 1), "do not follow"},
        {AT(PATTERNS, 0, bl_module_blob, count, BIG), "do not follow"},
        {AT(SETS, 0, bl_module_set, first, 0), "do not follow"},
        {AT(SETS, 0, bl_module_set, count, BIG), "do not follow"},
        {AT(SETS, 0, bl_module_set, first_sought, 1), "a row for each pattern"},
        {AT(SETS, 0, bl_module_set, sought_count, 1), "a row for each pattern"},
        {AT(SETS, 0, bl_module_set, literal_count, 3), "a row for each pattern"},
        {AT(FUNCTIONS, 0, bl_function, first_insn, 1), "not the first"},
        {AT(FUNCTIONS, 0, bl_function, first_place, 1), "not the first"},
    };

    RUN(cases);
}

TEST(types_are_whole)
{
    static const struct row_case cases[] = {
        {AT(RECORD_FIELDS, 0, bl_module_member, type, BL_TYPE_KIND_COUNT), "no such type"},
        {AT(RECORD_FIELDS, 0, bl_module_member, type, BL_TYPE_ERROR), "no such type"},
        {AT(RECORD_FIELDS, 0, bl_module_member, type, BL_TYPE_NONE), "no such type"},
        {AT(RECORD_FIELDS, 0, bl_module_member, type, BL_TYPE_ITERATOR), "no such type"},
        {AT(RECORD_FIELDS, 0, bl_module_member, type, BL_TYPE_LIST_STEP), "no such type"},
        {AT(RECORD_FIELDS, 0, bl_module_member, type, BL_TYPE_INT | 0x800), "no such type"},
        {AT(RECORD_FIELDS, 0, bl_module_member, type, BL_TYPE_INT | 0x8000), "no such type"},
        {AT(RECORD_FIELDS, 0, bl_module_member, type, BL_TYPE_INT | 0x10000), "no such type"},
        {AT(RECORD_FIELDS, 0, bl_module_member, type, BL_TYPE_CLEAN), "no such type"},
        {AT(RECORD_FIELDS, 0, bl_module_member, type,
            BL_TYPE_MAKE(BL_TYPE_CLEAN, 1 << BL_PLACE_COUNT)),
         "no such type"},
        {AT(RECORD_FIELDS, 0, bl_module_member, type,
            BL_TYPE_MAKE(BL_TYPE_ENTITY, BL_ENTITY_COUNT)),
         "no such type"},
        {AT(RECORD_FIELDS, 0, bl_module_member, type,
            BL_TYPE_MAKE(BL_TYPE_ENTITY, BL_ENTITY_TIME)),
         "no such type"},
        {AT(RECORD_FIELDS, 0, bl_module_member, type,
            BL_TYPE_MAKE(BL_TYPE_ENUM, BL_ENUM_OWN_COUNT)),
         "no such type"},
        {AT(RECORD_FIELDS, 0, bl_module_member, type,
            BL_TYPE_MAKE(BL_TYPE_ENUM, BL_ENUM_COUNT + 1)),
         "no such type"},
        {AT(RECORD_FIELDS, 0, bl_module_member, type, BL_TYPE_MAKE(BL_TYPE_RECORD, 4)),
         "no such type"},
        {AT(RECORD_FIELDS, 0, bl_module_member, type, BL_TYPE_MAKE(BL_TYPE_POSTED, 2)),
         "no such type"},
        {AT(RECORD_FIELDS, 0, bl_module_member, flags, 1), "no such type"},
        {AT(RECORD_FIELDS, 0, bl_module_member, type, BL_TYPE_MAKE(BL_TYPE_RECORD, 0)),
         "its record does not come before"},
        {AT(RECORD_FIELDS, 2, bl_module_member, type, list_of_records),
         "its record does not come before"},
        {AT(ATTRIBUTES, 0, bl_module_member, type, BL_TYPE_UNTRUSTED), "no such type"},
        {AT(ATTRIBUTES, 0, bl_module_member, type, BL_TYPE_DURATION), "no such type"},
        {AT(ATTRIBUTES, 0, bl_module_member, type, BL_TYPE_INT + 2 * BL_TYPE_LIST_STEP),
         "no such type"},
        {AT(ATTRIBUTES, 0, bl_module_member, flags, 2), "no such type"},
        {AT(FUNCTIONS, 0, bl_function, result, BL_TYPE_KIND_COUNT), "no such type"},
        {AT(FUNCTIONS, 0, bl_function, result, BL_TYPE_ERROR), "no such type"},
        {AT(FUNCTIONS, 0, bl_function, result, BL_TYPE_ITERATOR), "no such type"},
        {BL_SECTION_REGISTERS, 0, 0, BL_TYPE_NONE, BL_SECTION_REGISTERS, "no such type"},
        {BL_SECTION_REGISTERS, 3, 0, BL_TYPE_ERROR, BL_SECTION_REGISTERS, "no such type"},
        {AT(CONSTS, 0, bl_const, type, BL_TYPE_UNTRUSTED), "none of its type"},
        {AT(CONSTS, 0, bl_const, type, BL_TYPE_SECRET), "none of its type"},
        {AT(CONSTS, 0, bl_const, type, BL_TYPE_MAKE(BL_TYPE_ENTITY, BL_ENTITY_USER)),
         "none of its type"},
        {AT(CONSTS, 0, bl_const, type, BL_OPTIONAL(BL_TYPE_INT)), "no such type"},
        {AT(CONSTS, 0, bl_const, type, BL_LIST_OF(BL_TYPE_INT)), "no such type"},
    };

    RUN(cases);
}

/* The row of a constant of that kind, put where the first one stands. */
TEST(constants_are_values_of_their_types)
{
    static const struct {
        const char *name;
        struct bl_const row;
        bool accepted;
    } cases[] = {
        {"a number", {BL_TYPE_INT, 0, INT64_MIN}, true},
        {"a number with a length", {BL_TYPE_INT, 1, 3}, false},
        {"yes", {BL_TYPE_BOOL, 0, 1}, true},
        {"neither yes nor no", {BL_TYPE_BOOL, 0, 2}, false},
        {"a task", {BL_TYPE_TASK, 0, 1}, true},
        {"a task too many", {BL_TYPE_TASK, 0, 2}, false},
        {"a task below none", {BL_TYPE_TASK, 0, -1}, false},
        {"a language", {BL_TYPE_LOCALE, 0, 1}, true},
        {"a language too many", {BL_TYPE_LOCALE, 0, 2}, false},
        {"a pattern", {BL_TYPE_PATTERN, 0, 0}, true},
        {"a pattern too many", {BL_TYPE_PATTERN, 0, 1}, false},
        {"a member", {BL_TYPE_MAKE(BL_TYPE_ENUM, BL_ENUM_COUNT), 0, 1}, true},
        {"a member too many", {BL_TYPE_MAKE(BL_TYPE_ENUM, BL_ENUM_COUNT), 0, 2}, false},
        {"open", {BL_TYPE_MAKE(BL_TYPE_ENUM, BL_ENUM_ISSUE_STATE), 0, 0}, true},
        {"no state", {BL_TYPE_MAKE(BL_TYPE_ENUM, BL_ENUM_ISSUE_STATE), 0, 2}, false},
        {"a variable", {BL_TYPE_MAKE(BL_TYPE_ENTITY, BL_ENTITY_VARIABLE), 0, 0}, true},
        {"a variable too many",
         {BL_TYPE_MAKE(BL_TYPE_ENTITY, BL_ENTITY_VARIABLE), 0, 2},
         false},
        {"a secret", {BL_TYPE_MAKE(BL_TYPE_ENTITY, BL_ENTITY_SECRET_SETTING), 0, 1}, true},
        {"a text", {BL_TYPE_TEXT, 0, 0}, true},
        {"a text outside", {BL_TYPE_TEXT, 0, 0x100000000}, false},
        {"a text before", {BL_TYPE_TEXT, 0, -1}, false},
        {"a text that is longer", {BL_TYPE_LABEL, 1, 0}, false},
        {"a date", {BL_TYPE_DATE, 0, 20000}, true},
        {"a command", {BL_TYPE_COMMAND, 0, 7}, true},
        {"a command below none", {BL_TYPE_COMMAND, 0, -1}, false},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct sample_bytes b = whole_sample();
        uint32_t last = sample_count(b.at, BL_SECTION_CONSTS) - 1;
        char words[512];
        unsigned code;

        /* The last one is used where its type matters; so code may be refused, rows may not. */
        memcpy(sample_row(b.at, BL_SECTION_CONSTS, last), &cases[i].row, sizeof cases[i].row);
        code = verify_repaired(&b, words);
        check_case("%s: %s", cases[i].name, words);
        check_int(code == BL_D_MODULE_ROW, !cases[i].accepted);
        bl_arena_reset(&b.arena);
    }
}

TEST(indices_have_their_rows)
{
    static const struct row_case cases[] = {
        {AT(SOURCES, 0, bl_module_source, unused, 1), "unused field"},
        {AT(LABELS, 0, bl_module_label, ask, 2), "neither yes nor no"},
        {AT(LABELS, 0, bl_module_label, description_function, BIG), "not of the kind"},
        {AT(LABELS, 0, bl_module_label, description_function, 0), "not of the kind"},
        {AT(SETTINGS, 0, bl_module_setting, function, BIG), "not of the kind"},
        {AT(SETTINGS, 0, bl_module_setting, function, 3), "not of the kind"},
        {AT(SETTINGS, 0, bl_module_setting, check, 0), "not of the kind"},
        {AT(SETTINGS, 0, bl_module_setting, source, 1), "its place"},
        {AT(SETTINGS, 0, bl_module_setting, lo, 21), "its place"},
        {AT(SETTINGS, 0, bl_module_setting, hi, 2001), "its place"},
        {AT(LOCALES, 0, bl_module_locale, like, 1), "have no end"},
        {AT(LOCALES, 1, bl_module_locale, like, 1), "have no end"},
        {AT(LOCALES, 1, bl_module_locale, like, 2), "have no end"},
        {BL_SECTION_MESSAGE_FUNCTIONS, 0, 0, 5, BL_SECTION_MESSAGES, "not of the kind"},
        {BL_SECTION_MESSAGE_FUNCTIONS, 1, 0, BIG, BL_SECTION_MESSAGES, "not of the kind"},
        {BL_SECTION_MESSAGE_FUNCTIONS, 2, 0, BL_NONE, BL_SECTION_MESSAGES,
         "a language lacks it"},
        {AT(MESSAGES, 0, bl_module_message, param_count, 1), "not of the kind"},
        {AT(MESSAGES, 0, bl_module_message, param_count, 258), "not of the kind"},
        {BL_SECTION_FUNCTIONS, 0, 8, 3 | 1 << 16, BL_SECTION_FUNCTIONS, "no such kind"},
        {BL_SECTION_FUNCTIONS, 0, 8, 251u << 16, BL_SECTION_FUNCTIONS, "too many registers"},
        {BL_SECTION_FUNCTIONS, 0, 8, 2 << 8 | 1 << 16, BL_SECTION_FUNCTIONS,
         "too many registers"},
        {AT(FUNCTIONS, 0, bl_function, first_register, BIG), "no such registers"},
        {AT(FUNCTIONS, 0, bl_function, job, 0), "no such job"},
        {AT(FUNCTIONS, 11, bl_function, job, 3), "no such job"},
        {AT(SITES, 0, bl_site, source, 1), "its place"},
        {AT(JOBS, 0, bl_module_job, capabilities, 1u << BL_PERMISSION_COUNT), "permission"},
        {AT(JOBS, 0, bl_module_job, runs_rules, 2), "permission"},
        {AT(JOBS, 0, bl_module_job, events[1], 0x80000000u), "no such event"},
        {AT(JOBS, 0, bl_module_job, when, 0), "not of the kind"},
        {AT(JOBS, 0, bl_module_job, first_step, BIG), "no such steps"},
        {AT(JOBS, 0, bl_module_job, step_count, BIG), "no such steps"},
        {AT(JOBS, 0, bl_module_job, first_step, 2), "none of its"},
        {AT(JOBS, 1, bl_module_job, step_count, 1), "none of its"},
        {AT(JOBS, 0, bl_module_job, decision, 0), "no such decision"},
        {AT(JOBS, 0, bl_module_job, decision, BIG), "no such decision"},
        {AT(ENTRIES, 0, bl_entry, kind, BL_ENTRY_SCREEN + 1), "no such kind"},
        {AT(ENTRIES, 0, bl_entry, kind, BL_ENTRY_POSTED), "its fact is another"},
        {AT(ENTRIES, 0, bl_entry, kind, BL_ENTRY_SANITIZER), "no such job"},
        {AT(SANITIZERS, 0, bl_module_sanitizer, name.offset, BIG), "not in the pool"},
        {AT(SANITIZERS, 0, bl_module_sanitizer, places, 0), "no place"},
        {AT(SANITIZERS, 0, bl_module_sanitizer, places, 1u << BL_PLACE_COUNT), "no place"},
        {AT(SANITIZERS, 0, bl_module_sanitizer, reads_markdown, 2), "no place"},
        {AT(SANITIZERS, 0, bl_module_sanitizer, first_row, 1), "do not follow"},
        {AT(SANITIZERS, 0, bl_module_sanitizer, count, 3), "do not follow"},
        {AT(CLEAN_ROWS, 0, bl_module_clean_row, word, 99), "no step and no class"},
        {AT(CLEAN_ROWS, 0, bl_module_clean_row, action, 1), "no step and no class"},
        {AT(CLEAN_ROWS, 0, bl_module_clean_row, hi, 2001), "no source"},
        {AT(CLEAN_ROWS, 1, bl_module_clean_row, kind, 99), "no step and no class"},
        {AT(CLEAN_ROWS, 1, bl_module_clean_row, action, 99), "no step and no class"},
        {AT(ENTRIES, 0, bl_entry, function, BIG), "not of the kind"},
        {AT(ENTRIES, 0, bl_entry, function, 13), "not of the kind"}, /* a rule of another job */
        {AT(ENTRIES, 0, bl_entry, function, 6), "not of the kind"},
        {AT(ENTRIES, 0, bl_entry, job, 1), "not of the kind"},
        {AT(ENTRIES, 0, bl_entry, job, 3), "no such job"},
        {AT(ENTRIES, 5, bl_entry, job, 0), "no such job"},
        {AT(STEPS, 0, bl_module_step, entry, 0), "its entry is no step"},
        {AT(STEPS, 0, bl_module_step, entry, BIG), "its entry is no step"},
        {AT(STEPS, 1, bl_module_step, entry, 3), "not ascending"},
        {AT(STEPS, 0, bl_module_step, attempted, 2), "attempted twice"},
        {AT(ENTRIES, 0, bl_entry, first_access, 0), "its fact is another's"},
        {AT(ENTRIES, 0, bl_entry, first_access, 3), "its fact is another's"},
        {AT(ENTRIES, 0, bl_entry, hi, 2001), "its place"},
        {AT_OTHER(STEPS, 0, bl_module_step, units, 10, ENTRIES), "not of the kind"},
        {AT_OTHER(STEPS, 0, bl_module_step, units, BL_NONE, ENTRIES), "not of the kind"},
        {AT_OTHER(STEPS, 0, bl_module_step, ambient, BL_AMBIENT_COMMENT, ENTRIES),
         "not of the kind"},
        {AT_OTHER(STEPS, 0, bl_module_step, ambient, BL_AMBIENT_COUNT, ENTRIES),
         "not of the kind"},
        {AT_OTHER(STEPS, 0, bl_module_step, at_most, 10, ENTRIES), "not of the kind"},
        {AT_OTHER(STEPS, 1, bl_module_step, when, 0, ENTRIES), "not of the kind"},
        {AT_OTHER(STEPS, 1, bl_module_step, at_most, 0, ENTRIES), "not of the kind"},
        {AT(ENTRIES, 5, bl_entry, function, 11), "not of the kind"},
        {AT(ENTRIES, 6, bl_entry, function, 0), "not of the kind"},
        {AT(ENTRIES, 8, bl_entry, function, 0), "not of the kind"},
        {AT(CASES, 0, bl_module_case, function, 16), "not of the kind"},
        {AT(CASES, 0, bl_module_case, lo, 311), "its place"},
    };

    RUN(cases);
}

TEST(tasks_and_their_answers_are_whole)
{
    static const struct row_case cases[] = {
        {AT(TASKS, 0, bl_module_task, record, 4), "its answer is no record"},
        {AT(TASKS, 0, bl_module_task, model, 0), "not of the kind"},
        {AT(TASKS, 0, bl_module_task, turns, BIG - 1), "not of the kind"},
        {AT(TASKS, 0, bl_module_task, counts, 0), "not of the kind"},
        {AT(TASKS, 1, bl_module_task, passes, 0), "not of the kind"},
        {AT(TASKS, 1, bl_module_task, judges, 0), "not of the kind"},
        {AT(ANSWER_RULES, 0, bl_answer_rule, task, 2), "no such task or rule"},
        {AT(ANSWER_RULES, 0, bl_answer_rule, entry, 3), "no such task or rule"},
        {AT(ANSWER_RULES, 1, bl_answer_rule, entry, 0), "not ascending"},
        {AT(ANSWER_RULES, 0, bl_answer_rule, task, 1), "not ascending"},
        {AT(ANSWER_BOUNDS, 1, bl_answer_bound, field, 0), "not ascending"},
        {AT(ANSWER_BOUNDS, 1, bl_answer_bound, field, 100), "its field is none"},
        {AT(ANSWER_BOUNDS, 1, bl_answer_bound, label_count, 2), "do not follow"},
        {AT(ANSWER_BOUNDS, 0, bl_answer_bound, label_count, 1), "do not follow"},
        {AT(TASKS, 0, bl_module_task, file_count, 2), "no such files"},
        {AT(TASKS, 0, bl_module_task, first_file, BL_NONE), "no such files"},
        {AT(FILES, 0, bl_module_file, name.length, 0), "not in the pool"},
        {AT(FILES, 0, bl_module_file, path, 0), "not of the kind"},
        {AT(FILES, 0, bl_module_file, text, BIG - 1), "not of the kind"},
        {AT(FILES, 0, bl_module_file, list, 0), "not of the kind"},
        {BL_SECTION_TASK_FILES, 0, 0, 1, BL_SECTION_TASK_FILES, "no such file"},
        {BL_SECTION_ENGINE_WORDS, 0, 4, 1, BL_SECTION_ENGINE_WORDS, "not in the pool"},
        {AT(ENGINE_FLAGS, 0, bl_engine_flag, kind, 4), "not of the kind"},
        {AT(ENGINE_FLAGS, 0, bl_engine_flag, kind, BL_ARGUMENT_OWN), "not of the kind"},
        {AT(ENGINE_FLAGS, 0, bl_engine_flag, argument, 1), "not of the kind"},
        {AT(ENGINE_FLAGS, 0, bl_engine_flag, when, 0), "not of the kind"},
        {AT(ENGINES, 0, bl_module_engine, word_count, 0), "do not follow"},
        {AT(ENGINES, 0, bl_module_engine, host_count, 2), "do not follow"},
        {AT(ENGINES, 0, bl_module_engine, outputs, 8), "do not follow"},
        {AT(JOBS, 0, bl_module_job, engine, 1), "no such engine"},
        {AT(JOBS, 0, bl_module_job, first_own, 1), "do not follow"},
        {AT(JOBS, 0, bl_module_job, own_count, 4), "do not follow"},
        {AT(JOB_STEPS, 0, bl_module_job_step, kind, BL_JOB_STEP_KINDS), "nothing of the kind"},
        {AT(JOB_STEPS, 0, bl_module_job_step, kind, BL_JOB_STEP_ENGINE), "nothing of the kind"},
        {AT(JOB_STEPS, 0, bl_module_job_step, kind, BL_JOB_STEP_POST), "nothing of the kind"},
        {AT(JOB_STEPS, 0, bl_module_job_step, kind, BL_JOB_STEP_CHECK), "no such path"},
        {AT(JOB_STEPS, 0, bl_module_job_step, index, 1), "nothing of the kind"},
        {AT(JOB_STEPS, 1, bl_module_job_step, index, 0), "nothing of the kind"},
        {AT(JOB_STEPS, 2, bl_module_job_step, index, 0), "nothing of the kind"},
        {AT(JOB_STEPS, 2, bl_module_job_step, name.offset, BIG), "not in the pool"},
        {AT(JOB_STEPS, 2, bl_module_job_step, path.offset, BIG), "not in the pool"},
        {AT(JOB_STEPS, 2, bl_module_job_step, path.length, 3), "not in the pool"},
        {AT(ACCEPTED, 0, bl_module_accepted, reason, 3), "its reason is none"},
        {AT(ACCEPTED, 0, bl_module_accepted, unused, 1), "its reason is none"},
        {AT(STORES, 0, bl_module_store, record, 4), "no such key"},
        {AT(STORES, 0, bl_module_store, key, 2), "no such key"},
        {AT(STORES, 0, bl_module_store, key, 1), "no int and no name"},
        {AT(STORES, 0, bl_module_store, record, 1), "no int and no name"},
        {AT(CALLED, 0, bl_module_called, record, 2), "takes something else"},
        {AT(CALLED, 0, bl_module_called, record, BL_NONE), "takes something else"},
        {AT(CALLED, 0, bl_module_called, record, 4), "takes something else"},
        {AT(CALLED, 0, bl_module_called, by, 2), "takes something else"},
        {AT_OTHER(CALLED, 0, bl_module_called, entry, 0, ENTRIES),
         "nothing says what it takes"},
        {AT_OTHER(ENTRIES, 9, bl_entry, kind, BL_ENTRY_CHECK, ENTRIES), "not of the kind"},
        {AT(COMMENTS, 0, bl_module_comment, screen, 9), "screened by no set"},
        {AT(JOBS, 0, bl_module_job, runs_answers, 2), "no such permission"},
    };

    RUN(cases);
}

TEST(the_index_of_rules_is_sorted_and_whole)
{
    static const struct row_case cases[] = {
        {EVENT_RULE(BL_EVENT_COUNT, 0), "no such event"},
        {EVENT_RULE(BL_EVENT_ISSUES_OPENED, 3), "no such event or rule"},
        {EVENT_RULE(BL_EVENT_ISSUES_OPENED, 1), "not ascending"},
        {EVENT_RULE(5, 0), "not ascending"},
        {FACT(0, 4, BL_FACT_ISSUE_LABELS), "no such fact"},
        {FACT(0, BL_ACCESS_LABEL, 1), "no such fact"}, /* ISSUE_TITLE is no list of labels */
        {FACT(0, BL_ACCESS_LABEL, 100), "no such fact"},
        {AT(ACCESS, 0, bl_access, key, BIG), "no such fact"},
        {AT(ACCESS, 0, bl_access, length, 1025), "no such fact"},
        {AT_OTHER(ACCESS, 0, bl_access, entry, 0, ENTRIES), "its fact is another's"},
        {AT_OTHER(ENTRIES, 1, bl_entry, first_access, BL_NONE, ACCESS), "no fact of its rule"},
        {AT(ACCESS, 1, bl_access, key, 2), "no such fact"},
        {FACT(1, BL_ACCESS_TEXT, BL_FACT_ISSUE_STATE), "no such fact"},
        {FACT(2, BL_ACCESS_PATTERN, 1), "no such fact"},
        {AT(ACCESS, 2, bl_access, key, 2), "no such fact"},
        {AT(SETS, 0, bl_module_set, path, 100), "no such text"},
        {AT(SETS, 0, bl_module_set, path, 0), "no such text"},
        {AT(SOUGHT, 1, bl_module_sought, first_access, 0), "not the first fact"},
        {AT(SOUGHT, 1, bl_module_sought, first_access, BIG), "not the first fact"},
        {AT(SOUGHT, 0, bl_module_sought, first_access, 2), "not the first fact"},
        {AT_OTHER(SOUGHT, 1, bl_module_sought, first_access, BL_NONE, ACCESS),
         "does not know it"},
        {AT(OVERRIDES, 0, bl_module_pair, winner, 2), "two rules"},
        {AT(OVERRIDES, 0, bl_module_pair, loser, 3), "two rules"},
        {AT(OVERRIDES, 0, bl_module_pair, winner, 1), "not ascending"},
    };

    RUN(cases);
}

TEST(automata_are_whole)
{
    struct sample_bytes b = whole_sample();
    uint64_t *blob = sample_row(b.at, BL_SECTION_BLOBS, 0);
    uint64_t kept = *blob;

    *blob = UINT64_MAX;
    check_int(verify_repaired(&b, NULL), BL_D_MODULE_ROW);
    *blob = kept;
    const struct bl_module_set *set = sample_row(b.at, BL_SECTION_SETS, 0);
    blob = sample_row(b.at, BL_SECTION_BLOBS, set->first);
    *blob = UINT64_MAX;
    check_int(verify_repaired(&b, NULL), BL_D_MODULE_ROW);
    bl_arena_reset(&b.arena);
}

/* Keys of the index compare as GitHub compares labels: by bytes, without ASCII case. */
TEST(keys_of_the_index_are_sorted_without_case)
{
    static const char *const keys[] = {"zebra", "Bug", "apple", "bug", "BUG!", "a", ""};
    static const char *const sorted[] = {"", "a", "apple", "Bug", "bug", "BUG!", "zebra"};
    struct bl_arena arena;
    struct bl_module_bytes made;
    struct bl_module module;
    struct bl_diagnostics sink;

    bl_arena_init(&arena, SIZE_MAX, NULL);
    bl_diagnostics_init(&sink, &arena, 10);
    struct bl_builder *b = sample_begin(&arena);
    sample_add(b, "entry f() : bool\n"
                  "  regs bool\n"
                  "  const r0, true\n"
                  "  return r0\n");
    for (uint32_t i = 0; i < 7; i++) {
        struct bl_entry rule = {.kind = BL_ENTRY_RULE,
                                .function = 6,
                                .job = BL_NONE,
                                .first_access = BL_NONE,
                                .source = BL_NO_SOURCE};

        rule.name = bl_builder_string(b, BL_STR("f"));
        bl_builder_access_text(b, BL_ACCESS_LABEL, 0, bl_str_from(keys[i]),
                               bl_add_ENTRIES(b, rule));
    }
    check_status(bl_builder_finish(b, &made), BL_OK);
    check_status(bl_module_verify(&arena, made.bytes, made.size, &module, &sink), BL_OK);
    for (uint32_t i = 0; i < 7; i++) {
        const struct bl_access *row = &module.ACCESS_rows[i];

        check_str(((bl_str){module.STRINGS_rows + row->key, row->length}), sorted[i]);
        check_int(module.ENTRIES_rows[row->entry].first_access, i);
    }
    bl_arena_reset(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_lie_whole_in_the_pool),
        cmocka_unit_test(texts_begin_and_end_with_their_own_nul),
        cmocka_unit_test(texts_of_any_length_are_found_whole),
        cmocka_unit_test(ranges_follow_each_other),
        cmocka_unit_test(types_are_whole),
        cmocka_unit_test(constants_are_values_of_their_types),
        cmocka_unit_test(indices_have_their_rows),
        cmocka_unit_test(tasks_and_their_answers_are_whole),
        cmocka_unit_test(the_index_of_rules_is_sorted_and_whole),
        cmocka_unit_test(automata_are_whole),
        cmocka_unit_test(keys_of_the_index_are_sorted_without_case),
    };
    return check_main(tests);
}
