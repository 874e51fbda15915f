/* SPDX-License-Identifier: Apache-2.0 */
#include "base/utf8.h"
#include "bytecode/verifier_parts.h"
#include "text/pattern.h"

#include <string.h>

/* The pool, and the rows of what a policy declares. */

/* ---- pool ---------------------------------------------------------------------------------
 */

bool bl_verify_pool(struct bl_verify *v)
{
    bl_str pool = {v->module->STRINGS_rows, v->module->STRINGS_count};
    size_t blocks = (pool.len + 63) / 64;

    if (pool.len == 0 || pool.ptr[pool.len - 1] != '\0')
        return bl_verify_bad_row(v, BL_SECTION_STRINGS, pool.len, "no NUL ends the pool");
    size_t invalid = bl_utf8_invalid_at(pool);
    if (invalid != pool.len)
        return bl_verify_bad_row(v, BL_SECTION_STRINGS, invalid, "it is not valid UTF-8");
    v->next_nul = bl_verify_scratch(v, blocks + 1, sizeof *v->next_nul);
    if (v->next_nul == NULL)
        return false;
    v->next_nul[blocks] = (uint32_t)pool.len;
    for (size_t i = blocks; i-- > 0;) {
        size_t size = pool.len - 64 * i < 64 ? pool.len - 64 * i : 64;
        const char *nul = memchr(pool.ptr + 64 * i, '\0', size);

        v->next_nul[i] = nul != NULL ? (uint32_t)(nul - pool.ptr) : v->next_nul[i + 1];
    }
    return true;
}

/* ---- types --------------------------------------------------------------------------------
 */

static bool check_ref(const struct bl_module *m, enum bl_type_kind kind, unsigned ref)
{
    const struct bl_entity_info *entity;

    switch (kind) {
    case BL_TYPE_ERROR:
    case BL_TYPE_NONE:
    case BL_TYPE_ITERATOR:
    case BL_TYPE_KIND_COUNT:
        return false;
    case BL_TYPE_CLEAN:
        return ref != 0 && ref < 1u << BL_PLACE_COUNT;
    case BL_TYPE_ENUM:
        return ref < BL_ENUM_OWN_COUNT ||
               (ref >= BL_ENUM_COUNT && ref - BL_ENUM_COUNT < m->ENUMS_count);
    case BL_TYPE_ENTITY:
        entity = bl_entity_info((enum bl_entity)ref);
        return entity != NULL && entity->is_object;
    case BL_TYPE_RECORD:
        return ref < m->RECORDS_count;
    case BL_TYPE_POSTED:
        return ref < m->POSTED_SETS_count;
    case BL_TYPE_BOOL:
    case BL_TYPE_INT:
    case BL_TYPE_TEXT:
    case BL_TYPE_UNTRUSTED:
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
        return ref == 0;
    }
    return false;
}

bool bl_verify_type(const struct bl_verify *v, bl_type type)
{
    return (type & 0xf800u) == 0 && check_ref(v->module, bl_type_kind(type), bl_type_ref(type));
}

bool bl_verify_place(const struct bl_verify *v, uint32_t source, uint32_t lo, uint32_t hi)
{
    if (source == BL_NO_SOURCE)
        return lo == 0 && hi == 0;
    return source < v->module->SOURCES_count && lo <= hi &&
           hi <= v->module->SOURCES_rows[source].bytes;
}

/* ---- constants ----------------------------------------------------------------------------
 */

static unsigned enum_members(const struct bl_module *m, unsigned ref)
{
    if (ref >= BL_ENUM_COUNT)
        return m->ENUMS_rows[ref - BL_ENUM_COUNT].count;
    return bl_enum_member_count((enum bl_enum)ref);
}

static bool below(int64_t payload, uint32_t count)
{
    return payload >= 0 && payload < (int64_t)count;
}

/* The type is well formed. */
static bool check_payload(const struct bl_verify *v, const struct bl_const *row)
{
    const struct bl_module *m = v->module;

    switch (bl_type_kind(row->type)) {
    case BL_TYPE_TEXT:
    case BL_TYPE_LABEL:
    case BL_TYPE_NAME:
    case BL_TYPE_PATH:
    case BL_TYPE_REPOSITORY_NAME:
    case BL_TYPE_LINK:
    case BL_TYPE_SECRET:
        return row->payload >= 0 && bl_verify_text(v, (uint64_t)row->payload, row->length);
    case BL_TYPE_BOOL:
        return row->length == 0 && below(row->payload, 2);
    case BL_TYPE_INT:
    case BL_TYPE_DURATION:
    case BL_TYPE_DATE:
    case BL_TYPE_TIME:
    case BL_TYPE_MONEY:
    case BL_TYPE_PERCENT:
        return row->length == 0;
    case BL_TYPE_ENUM:
        return row->length == 0 && below(row->payload, enum_members(m, bl_type_ref(row->type)));
    case BL_TYPE_TASK:
        return row->length == 0 && below(row->payload, m->TASKS_count);
    case BL_TYPE_LOCALE:
        return row->length == 0 && below(row->payload, m->LOCALES_count);
    case BL_TYPE_PATTERN:
        return row->length == 0 && below(row->payload, m->PATTERNS_count);
    case BL_TYPE_COMMAND: /* numbers that are only compared */
        return row->length == 0 && row->payload >= 0 && row->payload < (int64_t)BL_NONE;
    case BL_TYPE_ENTITY:
        return row->length == 0 && below(row->payload, m->VARIABLES_count) &&
               (bl_type_ref(row->type) == BL_ENTITY_VARIABLE ||
                bl_type_ref(row->type) == BL_ENTITY_SECRET_SETTING);
    case BL_TYPE_ERROR:
    case BL_TYPE_NONE:
    case BL_TYPE_UNTRUSTED:
    case BL_TYPE_FILE_LINK:
    case BL_TYPE_MASKED:
    case BL_TYPE_CLEAN:
    case BL_TYPE_RECORD:
    case BL_TYPE_POSTED:
    case BL_TYPE_ITERATOR:
    case BL_TYPE_KIND_COUNT:
        break;
    }
    return false;
}

static bool check_consts(struct bl_verify *v)
{
    for (uint32_t i = 0; i < v->module->CONSTS_count; i++) {
        const struct bl_const *row = &v->module->CONSTS_rows[i];

        if (!bl_verify_type(v, row->type) || bl_type_is_list(row->type) ||
            bl_type_is_optional(row->type))
            return bl_verify_bad_row(v, BL_SECTION_CONSTS, i, "a constant has no such type");
        if (!check_payload(v, row))
            return bl_verify_bad_row(v, BL_SECTION_CONSTS, i, "its value is none of its type");
    }
    return true;
}

/* ---- declarations -------------------------------------------------------------------------
 */

static const char not_in_pool[] = "a text of it is not in the pool";
static const char has_gap[] = "its rows do not follow those of the row before";

/* Does a range go on where the one before ended? Moves *end behind it. */
static bool goes_on(uint32_t first, uint32_t count, uint32_t total, uint32_t *end)
{
    if (first != *end || count > total - *end)
        return false;
    *end += count;
    return true;
}

static bool check_ends(struct bl_verify *v, enum bl_section section, uint32_t end,
                       uint32_t total)
{
    return end == total || bl_verify_bad_row(v, section, end, "it belongs to no row");
}

static bool check_refs(struct bl_verify *v, enum bl_section section,
                       const struct bl_string_ref *rows, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!bl_verify_string(v, rows[i]))
            return bl_verify_bad_row(v, section, i, not_in_pool);
    }
    return true;
}

static bool check_names(struct bl_verify *v, enum bl_section section,
                        const struct bl_module_name *rows, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!bl_verify_string(v, rows[i].name) || !bl_verify_string(v, rows[i].shown))
            return bl_verify_bad_row(v, section, i, not_in_pool);
    }
    return true;
}

static bool check_info(struct bl_verify *v)
{
    const struct bl_module *m = v->module;
    const struct bl_module_info *info = m->INFO_rows;

    if (m->INFO_count != 1)
        return bl_verify_bad_row(v, BL_SECTION_INFO, m->INFO_count, "it has one row");
    if (!bl_verify_string(v, info->package) || !bl_verify_string(v, info->account) ||
        !bl_verify_string(v, info->marker) || !bl_verify_string(v, info->folder))
        return bl_verify_bad_row(v, BL_SECTION_INFO, 0, not_in_pool);
    if (m->SOURCES_count > bl_limit(BL_LIMIT_SOURCES))
        return bl_verify_bad_row(v, BL_SECTION_SOURCES, m->SOURCES_count,
                                 "there are more than limits.def allows");
    for (uint32_t i = 0; i < m->SOURCES_count; i++) {
        if (!bl_verify_string(v, m->SOURCES_rows[i].path))
            return bl_verify_bad_row(v, BL_SECTION_SOURCES, i, not_in_pool);
        if (m->SOURCES_rows[i].unused != 0)
            return bl_verify_bad_row(v, BL_SECTION_SOURCES, i, "an unused field is not 0");
    }
    return true;
}

static bool check_enums(struct bl_verify *v)
{
    const struct bl_module *m = v->module;
    uint32_t end = 0;

    for (uint32_t i = 0; i < m->ENUMS_count; i++) {
        const struct bl_module_enum *row = &m->ENUMS_rows[i];

        if (!bl_verify_string(v, row->name))
            return bl_verify_bad_row(v, BL_SECTION_ENUMS, i, not_in_pool);
        if (!goes_on(row->first, row->count, m->MEMBERS_count, &end))
            return bl_verify_bad_row(v, BL_SECTION_ENUMS, i, has_gap);
    }
    return check_ends(v, BL_SECTION_MEMBERS, end, m->MEMBERS_count) &&
           check_refs(v, BL_SECTION_MEMBERS, m->MEMBERS_rows, m->MEMBERS_count);
}

static bool check_record_field(struct bl_verify *v, uint32_t record, uint32_t index)
{
    const struct bl_module_member *row = &v->module->RECORD_FIELDS_rows[index];

    if (!bl_verify_string(v, row->name))
        return bl_verify_bad_row(v, BL_SECTION_RECORD_FIELDS, index, not_in_pool);
    if (!bl_verify_type(v, row->type) || row->flags != 0)
        return bl_verify_bad_row(v, BL_SECTION_RECORD_FIELDS, index, "it has no such type");
    /* Values are as deep as their types: nothing that follows a value meets itself. */
    if (bl_type_kind(row->type) == BL_TYPE_RECORD && bl_type_ref(row->type) >= record)
        return bl_verify_bad_row(v, BL_SECTION_RECORD_FIELDS, index,
                                 "its record does not come before");
    return true;
}

static bool check_records(struct bl_verify *v)
{
    const struct bl_module *m = v->module;
    uint32_t end = 0;

    for (uint32_t i = 0; i < m->RECORDS_count; i++) {
        const struct bl_module_record *row = &m->RECORDS_rows[i];

        if (!bl_verify_string(v, row->name))
            return bl_verify_bad_row(v, BL_SECTION_RECORDS, i, not_in_pool);
        if (!goes_on(row->first, row->count, m->RECORD_FIELDS_count, &end))
            return bl_verify_bad_row(v, BL_SECTION_RECORDS, i, has_gap);
        for (uint32_t j = row->first; j < end; j++) {
            if (!check_record_field(v, i, j))
                return false;
        }
    }
    return check_ends(v, BL_SECTION_RECORD_FIELDS, end, m->RECORD_FIELDS_count);
}

static bool check_posted_sets(struct bl_verify *v)
{
    const struct bl_module *m = v->module;
    uint32_t end = 0;

    for (uint32_t i = 0; i < m->POSTED_SETS_count; i++) {
        const struct bl_posted_set *row = &m->POSTED_SETS_rows[i];

        if (row->count == 0 || row->count > bl_limit(BL_LIMIT_POSTED_KINDS) ||
            !goes_on(row->first, row->count, m->POSTED_KINDS_count, &end))
            return bl_verify_bad_row(v, BL_SECTION_POSTED_SETS, i, has_gap);
        for (uint32_t j = row->first; j < end; j++) {
            if (m->POSTED_KINDS_rows[j] >= m->COMMENTS_count ||
                (j > row->first && m->POSTED_KINDS_rows[j] <= m->POSTED_KINDS_rows[j - 1]))
                return bl_verify_bad_row(v, BL_SECTION_POSTED_KINDS, j,
                                         "kinds are ascending numbers of comments");
        }
    }
    return check_ends(v, BL_SECTION_POSTED_KINDS, end, m->POSTED_KINDS_count);
}

static bool check_attribute(struct bl_verify *v, uint32_t index)
{
    const struct bl_module_member *row = &v->module->ATTRIBUTES_rows[index];

    if (!bl_verify_string(v, row->name))
        return bl_verify_bad_row(v, BL_SECTION_ATTRIBUTES, index, not_in_pool);
    if (row->name.length > bl_limit(BL_LIMIT_NAME_BYTES))
        return bl_verify_bad_row(v, BL_SECTION_ATTRIBUTES, index, "its name is too long");
    if (!bl_verify_type(v, row->type) ||
        (bl_type_flags(bl_type_kind(row->type)) & BL_TYPE_V) == 0 ||
        (row->type & BL_TYPE_LIST_MASK) > BL_TYPE_LIST_STEP ||
        (row->flags & ~BL_ATTRIBUTE_ONCE) != 0)
        return bl_verify_bad_row(v, BL_SECTION_ATTRIBUTES, index, "it has no such type");
    return true;
}

/* Comments have few attributes. */
static bool has_equal_names(const struct bl_module *m, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++) {
        for (uint32_t j = i + 1; j < end; j++) {
            /* Each text may stand in the pool once or often. */
            if (bl_str_equal(bl_module_string(m, m->ATTRIBUTES_rows[i].name),
                             bl_module_string(m, m->ATTRIBUTES_rows[j].name)))
                return true;
        }
    }
    return false;
}

static bool check_comments(struct bl_verify *v)
{
    const struct bl_module *m = v->module;
    uint32_t end = 0;

    for (uint32_t i = 0; i < m->COMMENTS_count; i++) {
        const struct bl_module_comment *row = &m->COMMENTS_rows[i];

        if (!bl_verify_string(v, row->name))
            return bl_verify_bad_row(v, BL_SECTION_COMMENTS, i, not_in_pool);
        if (row->attribute_count > bl_limit(BL_LIMIT_MARKER_ATTRIBUTES) ||
            !goes_on(row->first_attribute, row->attribute_count, m->ATTRIBUTES_count, &end))
            return bl_verify_bad_row(v, BL_SECTION_COMMENTS, i, has_gap);
        if (row->screen != BL_NONE && row->screen >= m->SECRETS_count)
            return bl_verify_bad_row(v, BL_SECTION_COMMENTS, i, "it is screened by no set");
        for (uint32_t j = row->first_attribute; j < end; j++) {
            if (!check_attribute(v, j))
                return false;
        }
        if (has_equal_names(m, row->first_attribute, end))
            return bl_verify_bad_row(v, BL_SECTION_COMMENTS, i, "two attributes share a name");
    }
    return check_ends(v, BL_SECTION_ATTRIBUTES, end, m->ATTRIBUTES_count);
}

/* ---- languages ----------------------------------------------------------------------------
 */

static bool check_stopwords(struct bl_verify *v, uint32_t first, uint32_t end)
{
    const struct bl_module *m = v->module;

    for (uint32_t i = first; i < end; i++) {
        if (!bl_verify_string(v, m->STOPWORDS_rows[i]))
            return bl_verify_bad_row(v, BL_SECTION_STOPWORDS, i, not_in_pool);
        if (i > first && bl_str_compare(bl_module_string(m, m->STOPWORDS_rows[i - 1]),
                                        bl_module_string(m, m->STOPWORDS_rows[i])) >= 0)
            return bl_verify_bad_row(v, BL_SECTION_STOPWORDS, i, "they are not ascending");
    }
    return true;
}

/* Does the chain of `like` end within its limit? */
static bool check_chain(const struct bl_module *m, uint32_t locale)
{
    for (uint64_t left = bl_limit(BL_LIMIT_LOCALE_CHAIN); left > 0; left--) {
        locale = m->LOCALES_rows[locale].like;
        if (locale == BL_NONE)
            return true;
        if (locale >= m->LOCALES_count)
            return false;
    }
    return false;
}

static bool check_locales(struct bl_verify *v)
{
    const struct bl_module *m = v->module;
    uint32_t months = 0;
    uint32_t stopwords = 0;

    for (uint32_t i = 0; i < m->LOCALES_count; i++) {
        const struct bl_module_locale *row = &m->LOCALES_rows[i];

        if (!bl_verify_string(v, row->code) || !bl_verify_string(v, row->name) ||
            !bl_verify_string(v, row->day))
            return bl_verify_bad_row(v, BL_SECTION_LOCALES, i, not_in_pool);
        if ((row->first_month != BL_NONE &&
             !goes_on(row->first_month, 12, m->MONTHS_count, &months)) ||
            !goes_on(row->first_stopword, row->stopword_count, m->STOPWORDS_count, &stopwords))
            return bl_verify_bad_row(v, BL_SECTION_LOCALES, i, has_gap);
        if (!check_chain(m, i) || (i == 0 && row->like != BL_NONE))
            return bl_verify_bad_row(v, BL_SECTION_LOCALES, i,
                                     "the languages that it is like have no end");
        if (!check_stopwords(v, row->first_stopword, stopwords))
            return false;
    }
    return check_ends(v, BL_SECTION_MONTHS, months, m->MONTHS_count) &&
           check_refs(v, BL_SECTION_MONTHS, m->MONTHS_rows, m->MONTHS_count) &&
           check_ends(v, BL_SECTION_STOPWORDS, stopwords, m->STOPWORDS_count);
}

/* ---- patterns -----------------------------------------------------------------------------
 */

static bool check_patterns(struct bl_verify *v)
{
    const struct bl_module *m = v->module;
    uint32_t end = 0;

    for (uint32_t i = 0; i < m->PATTERNS_count; i++) {
        const struct bl_module_blob *row = &m->PATTERNS_rows[i];

        if (!bl_verify_string(v, row->source))
            return bl_verify_bad_row(v, BL_SECTION_PATTERNS, i, not_in_pool);
        if (!goes_on(row->first, row->count, m->BLOBS_count, &end))
            return bl_verify_bad_row(v, BL_SECTION_PATTERNS, i, has_gap);
        if (!bl_pattern_verify(m->BLOBS_rows + row->first, (size_t)row->count * 8))
            return bl_verify_bad_row(v, BL_SECTION_PATTERNS, i, "its automaton is not whole");
    }
    for (uint32_t i = 0; i < m->SETS_count; i++) {
        const struct bl_module_set *row = &m->SETS_rows[i];

        if (!goes_on(row->first, row->count, m->BLOBS_count, &end))
            return bl_verify_bad_row(v, BL_SECTION_SETS, i, has_gap);
        if (!bl_pattern_set_verify(m->BLOBS_rows + row->first, (size_t)row->count * 8))
            return bl_verify_bad_row(v, BL_SECTION_SETS, i, "its automaton is not whole");
    }
    for (uint32_t i = 0; i < m->SIEVES_count; i++) {
        const struct bl_module_sieve *row = &m->SIEVES_rows[i];

        if (!goes_on(row->first, row->count, m->BLOBS_count, &end))
            return bl_verify_bad_row(v, BL_SECTION_SIEVES, i, has_gap);
        if (!bl_pattern_starts_verify(m->BLOBS_rows + row->first, (size_t)row->count * 8))
            return bl_verify_bad_row(v, BL_SECTION_SIEVES, i, "it is not whole");
    }
    return check_ends(v, BL_SECTION_BLOBS, end, m->BLOBS_count);
}

/* ---- bounds of answers --------------------------------------------------------------------
 */

static bool check_bounds(struct bl_verify *v)
{
    const struct bl_module *m = v->module;
    uint32_t labels = 0;

    for (uint32_t i = 0; i < m->ANSWER_BOUNDS_count; i++) {
        const struct bl_answer_bound *row = &m->ANSWER_BOUNDS_rows[i];

        if (row->field >= m->RECORD_FIELDS_count ||
            (i > 0 && row->field <= m->ANSWER_BOUNDS_rows[i - 1].field))
            return bl_verify_bad_row(v, BL_SECTION_ANSWER_BOUNDS, i,
                                     "its field is none, or they are not ascending");
        if (row->first_label == BL_NONE
                ? row->label_count != 0
                : !goes_on(row->first_label, row->label_count, m->ANSWER_LABELS_count, &labels))
            return bl_verify_bad_row(v, BL_SECTION_ANSWER_BOUNDS, i, has_gap);
    }
    for (uint32_t i = 0; i < m->ANSWER_LABELS_count; i++) {
        if (m->ANSWER_LABELS_rows[i] >= m->LABELS_count)
            return bl_verify_bad_row(v, BL_SECTION_ANSWER_LABELS, i, "there is no such label");
    }
    return check_ends(v, BL_SECTION_ANSWER_LABELS, labels, m->ANSWER_LABELS_count);
}

static bool check_accepted(struct bl_verify *v)
{
    const struct bl_module *m = v->module;

    for (uint32_t i = 0; i < m->ACCEPTED_count; i++) {
        const struct bl_module_accepted *row = &m->ACCEPTED_rows[i];

        if (!bl_verify_string(v, row->tool) || !bl_verify_string(v, row->rule) ||
            !bl_verify_string(v, row->path) || !bl_verify_string(v, row->comment))
            return bl_verify_bad_row(v, BL_SECTION_ACCEPTED, i, not_in_pool);
        if (row->reason >= bl_enum_member_count(BL_ENUM_DISMISSAL) || row->unused != 0)
            return bl_verify_bad_row(v, BL_SECTION_ACCEPTED, i, "its reason is none");
    }
    return true;
}

bool bl_verify_rows(struct bl_verify *v)
{
    const struct bl_module *m = v->module;

    return check_info(v) && check_enums(v) && check_records(v) && check_comments(v) &&
           check_posted_sets(v) && check_bounds(v) && bl_verify_stores(v) &&
           check_names(v, BL_SECTION_VARIABLES, m->VARIABLES_rows, m->VARIABLES_count) &&
           check_locales(v) && check_accepted(v) && check_patterns(v) && check_consts(v) &&
           bl_verify_sanitizers(v);
}
