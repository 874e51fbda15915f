/* SPDX-License-Identifier: Apache-2.0 */
#include "bytecode/disassembler_parts.h"
#include "bytecode/facts.h"

/* The tables of a module, one line a row, in the order in which a reader needs them. Nothing
 * here depends on where a text lies in the pool, so that goldens change when the policy does.
 */

/* ---- small things -------------------------------------------------------------------------
 */

/* In quotes, with what a terminal could act on escaped. */
static void list_quoted(const struct bl_listing *l, bl_str s)
{
    bl_buf_put_char(l->out, '"');
    for (size_t i = 0; i < s.len; i++) {
        unsigned char byte = (unsigned char)s.ptr[i];

        if (byte == '\n')
            BL_PUT(l->out, "\\n");
        else if (byte == '"' || byte == '\\')
            bl_buf_printf(l->out, "\\%c", byte);
        else if (byte < 0x20 || byte == 0x7f)
            bl_buf_printf(l->out, "\\x%02x", byte);
        else
            bl_buf_put_char(l->out, s.ptr[i]);
    }
    bl_buf_put_char(l->out, '"');
}

static void put_quoted(const struct bl_listing *l, struct bl_string_ref ref)
{
    list_quoted(l, bl_module_string(l->m, ref));
}

void bl_list_sought(const struct bl_listing *l, uint32_t sought)
{
    const struct bl_module_set *set = &l->m->SETS_rows[bl_module_set_of(l->m, sought)];
    bool is_literal = sought - set->first_sought < set->literal_count;

    bl_buf_put(l->out, is_literal ? BL_STR("contains ") : BL_STR("matches "));
    put_quoted(l, l->m->SOUGHT_rows[sought].source);
}

void bl_list_type(const struct bl_listing *l, bl_type type)
{
    bl_module_type_name(l->m, type, l->out);
}

void bl_list_function(const struct bl_listing *l, uint32_t index)
{
    if (index >= l->m->FUNCTIONS_count) {
        BL_PUT(l->out, "-");
        return;
    }
    bl_list_string(l, l->m->FUNCTIONS_rows[index].name);
    if (l->occurrences != NULL && l->occurrences[index] > 0)
        bl_buf_printf(l->out, "#%u", l->occurrences[index] + 1);
}

/* A text stands in the pool once, so equal names have equal places. */
static uint32_t *count_occurrences(const struct bl_module *m, struct bl_arena *arena)
{
    size_t capacity = 16;

    while (capacity < (size_t)m->FUNCTIONS_count * 2)
        capacity *= 2;
    uint32_t *occurrences = BL_NEW_ARRAY(arena, m->FUNCTIONS_count, uint32_t);
    uint32_t *newest = BL_NEW_ARRAY(arena, capacity, uint32_t); /* function plus 1, by name */
    if (occurrences == NULL || newest == NULL)
        return NULL;
    for (uint32_t i = 0; i < m->FUNCTIONS_count; i++) {
        uint32_t name = m->FUNCTIONS_rows[i].name.offset;
        size_t at = (name * UINT32_C(2654435761)) & (capacity - 1);

        while (newest[at] != 0 && m->FUNCTIONS_rows[newest[at] - 1].name.offset != name)
            at = (at + 1) & (capacity - 1);
        if (newest[at] != 0)
            occurrences[i] = occurrences[newest[at] - 1] + 1;
        newest[at] = i + 1;
    }
    return occurrences;
}

static void list_entry(const struct bl_listing *l, uint32_t index)
{
    if (index < l->m->ENTRIES_count)
        bl_list_string(l, l->m->ENTRIES_rows[index].name);
    else
        BL_PUT(l->out, "-");
}

static void put_indexed(const struct bl_listing *l, const struct bl_module_name *rows,
                        uint32_t count, int64_t index)
{
    if (index >= 0 && index < (int64_t)count)
        bl_list_string(l, rows[index].name);
}

void bl_list_const(const struct bl_listing *l, const struct bl_const *row)
{
    const struct bl_module *m = l->m;
    enum bl_type_kind kind = bl_type_kind(row->type);

    if (kind != BL_TYPE_INT && kind != BL_TYPE_TEXT && kind != BL_TYPE_BOOL) {
        bl_list_type(l, row->type);
        BL_PUT(l->out, " ");
    }
    if (bl_type_is_text(row->type))
        list_quoted(l, (bl_str){m->STRINGS_rows + row->payload, row->length});
    else if (kind == BL_TYPE_BOOL)
        bl_buf_put(l->out, row->payload != 0 ? BL_STR("true") : BL_STR("false"));
    else if (kind == BL_TYPE_ENUM)
        bl_buf_put(l->out, bl_module_member(m, bl_type_ref(row->type), (unsigned)row->payload));
    else if (kind == BL_TYPE_TASK)
        bl_list_string(l, m->TASKS_rows[row->payload].name);
    else if (kind == BL_TYPE_ENTITY)
        put_indexed(l, m->VARIABLES_rows, m->VARIABLES_count, row->payload);
    else if (kind == BL_TYPE_LOCALE)
        bl_list_string(l, m->LOCALES_rows[row->payload].code);
    else if (kind == BL_TYPE_PATTERN)
        put_quoted(l, m->PATTERNS_rows[row->payload].source);
    else
        bl_buf_put_int(l->out, row->payload);
}

/* The source whose path the module names. */
static uint32_t find_source(const struct bl_listing *l, uint32_t source)
{
    bl_str path = bl_module_string(l->m, l->m->SOURCES_rows[source].path);
    const struct bl_source *same = bl_sources_get(l->sources, source);

    if (same != NULL && bl_str_equal(same->path, path))
        return source;
    for (uint32_t i = 0; i < l->sources->list.count; i++) {
        if (bl_str_equal(l->sources->list.items[i].path, path))
            return i;
    }
    return BL_NO_SOURCE;
}

struct bl_listing_line bl_list_line(const struct bl_listing *l, uint32_t source,
                                    uint32_t offset)
{
    struct bl_listing_line line = {BL_NO_SOURCE, 0};

    if (l->sources == NULL || source >= l->m->SOURCES_count)
        return line;
    line.source = find_source(l, source);
    if (line.source != BL_NO_SOURCE)
        line.line = bl_sources_position(l->sources, line.source, offset).line;
    return line;
}

void bl_list_place(const struct bl_listing *l, struct bl_listing_line line)
{
    bl_str path = bl_sources_get(l->sources, line.source)->path;

    bl_buf_printf(l->out, "%.*s:%u  ", BL_STR_ARG(path), line.line);
    bl_buf_put(l->out, bl_str_trim(bl_sources_line(l->sources, line.source, line.line)));
}

/* ---- declarations -------------------------------------------------------------------------
 */

static void put_comma(const struct bl_listing *l, uint32_t i)
{
    if (i > 0)
        BL_PUT(l->out, ", ");
}

static void list_info(const struct bl_listing *l)
{
    const struct bl_module_info *info = &l->m->INFO_rows[0];

    BL_PUT(l->out, "module ");
    bl_list_string(l, info->package);
    BL_PUT(l->out, "\n  account ");
    put_quoted(l, info->account);
    BL_PUT(l->out, "  marker ");
    put_quoted(l, info->marker);
    BL_PUT(l->out, "  folder ");
    put_quoted(l, info->folder);
    BL_PUT(l->out, "\n");
    for (uint32_t i = 0; i < l->m->SOURCES_count; i++) {
        BL_PUT(l->out, "source ");
        bl_list_string(l, l->m->SOURCES_rows[i].path);
        BL_PUT(l->out, "\n");
    }
}

static void list_names(const struct bl_listing *l, const char *what,
                       const struct bl_module_name *rows, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        bl_buf_printf(l->out, "%s ", what);
        bl_list_string(l, rows[i].name);
        BL_PUT(l->out, " ");
        put_quoted(l, rows[i].shown);
        BL_PUT(l->out, "\n");
    }
}

static void list_members(const struct bl_listing *l, const struct bl_module_member *rows,
                         uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        BL_PUT(l->out, "  ");
        bl_list_string(l, rows[i].name);
        BL_PUT(l->out, " : ");
        bl_list_type(l, rows[i].type);
        if ((rows[i].flags & BL_ATTRIBUTE_ONCE) != 0)
            BL_PUT(l->out, "  once");
        BL_PUT(l->out, "\n");
    }
}

static void list_types(const struct bl_listing *l)
{
    const struct bl_module *m = l->m;

    for (uint32_t i = 0; i < m->ENUMS_count; i++) {
        BL_PUT(l->out, "enum ");
        bl_list_string(l, m->ENUMS_rows[i].name);
        BL_PUT(l->out, ": ");
        for (uint32_t j = 0; j < m->ENUMS_rows[i].count; j++) {
            put_comma(l, j);
            bl_list_string(l, m->MEMBERS_rows[m->ENUMS_rows[i].first + j]);
        }
        BL_PUT(l->out, "\n");
    }
    for (uint32_t i = 0; i < m->RECORDS_count; i++) {
        BL_PUT(l->out, "record ");
        bl_list_string(l, m->RECORDS_rows[i].name);
        BL_PUT(l->out, "\n");
        list_members(l, m->RECORD_FIELDS_rows + m->RECORDS_rows[i].first,
                     m->RECORDS_rows[i].count);
    }
    for (uint32_t i = 0; i < m->COMMENTS_count; i++) {
        BL_PUT(l->out, "comment ");
        bl_list_string(l, m->COMMENTS_rows[i].name);
        BL_PUT(l->out, "\n");
        list_members(l, m->ATTRIBUTES_rows + m->COMMENTS_rows[i].first_attribute,
                     m->COMMENTS_rows[i].attribute_count);
    }
}

static void list_labels(const struct bl_listing *l)
{
    const struct bl_module *m = l->m;

    for (uint32_t i = 0; i < m->LABELS_count; i++) {
        const struct bl_module_label *row = &m->LABELS_rows[i];

        BL_PUT(l->out, "label ");
        bl_list_string(l, row->name);
        BL_PUT(l->out, " ");
        put_quoted(l, row->shown);
        BL_PUT(l->out, " color ");
        put_quoted(l, row->color);
        if (row->ask != 0)
            BL_PUT(l->out, " ask");
        BL_PUT(l->out, " description ");
        if (row->description_function != BL_NONE)
            bl_list_function(l, row->description_function);
        else
            put_quoted(l, row->description);
        for (uint32_t j = 0; j < row->option_count; j++) {
            bl_buf_put(l->out, j == 0 ? BL_STR(" options ") : BL_STR(", "));
            put_quoted(l, m->LABEL_OPTIONS_rows[row->first_option + j]);
        }
        BL_PUT(l->out, "\n");
    }
}

static void list_locales(const struct bl_listing *l)
{
    const struct bl_module *m = l->m;

    for (uint32_t i = 0; i < m->LOCALES_count; i++) {
        const struct bl_module_locale *row = &m->LOCALES_rows[i];

        BL_PUT(l->out, "locale ");
        bl_list_string(l, row->code);
        BL_PUT(l->out, " ");
        put_quoted(l, row->name);
        BL_PUT(l->out, " day ");
        put_quoted(l, row->day);
        if (row->like != BL_NONE) {
            BL_PUT(l->out, " like ");
            bl_list_string(l, m->LOCALES_rows[row->like].code);
        }
        for (uint32_t j = 0; row->first_month != BL_NONE && j < 12; j++) {
            bl_buf_put(l->out, j == 0 ? BL_STR("\n  months ") : BL_STR(", "));
            bl_list_string(l, m->MONTHS_rows[row->first_month + j]);
        }
        for (uint32_t j = 0; j < row->stopword_count; j++) {
            bl_buf_put(l->out, j == 0 ? BL_STR("\n  stop words ") : BL_STR(", "));
            bl_list_string(l, m->STOPWORDS_rows[row->first_stopword + j]);
        }
        BL_PUT(l->out, "\n");
    }
}

static void list_settings_and_messages(const struct bl_listing *l)
{
    const struct bl_module *m = l->m;

    for (uint32_t i = 0; i < m->SETTINGS_count; i++) {
        BL_PUT(l->out, "setting ");
        bl_list_string(l, m->SETTINGS_rows[i].name);
        BL_PUT(l->out, " = ");
        bl_list_function(l, m->SETTINGS_rows[i].function);
        if (m->SETTINGS_rows[i].check != BL_NONE) {
            BL_PUT(l->out, " check ");
            bl_list_function(l, m->SETTINGS_rows[i].check);
        }
        BL_PUT(l->out, "\n");
    }
    for (uint32_t i = 0; i < m->MESSAGES_count; i++) {
        BL_PUT(l->out, "message ");
        bl_list_string(l, m->MESSAGES_rows[i].name);
        for (uint32_t j = 0; j < m->LOCALES_count; j++) {
            uint32_t function =
                m->MESSAGE_FUNCTIONS_rows[m->MESSAGES_rows[i].first_function + j];

            if (function == BL_NONE)
                continue;
            BL_PUT(l->out, " ");
            bl_list_string(l, m->LOCALES_rows[j].code);
            BL_PUT(l->out, "=");
            bl_list_function(l, function);
        }
        BL_PUT(l->out, "\n");
    }
}

/* ---- jobs and entries ---------------------------------------------------------------------
 */

static void list_jobs(const struct bl_listing *l)
{
    const struct bl_module *m = l->m;

    for (uint32_t i = 0; i < m->JOBS_count; i++) {
        const struct bl_module_job *row = &m->JOBS_rows[i];

        BL_PUT(l->out, "job ");
        bl_list_string(l, row->name);
        if (row->runs_rules != 0)
            BL_PUT(l->out, " rules");
        if (row->when != BL_NONE) {
            BL_PUT(l->out, " when ");
            bl_list_function(l, row->when);
        }
        if (row->decision != BL_NONE) {
            BL_PUT(l->out, " decision ");
            list_entry(l, row->decision);
        }
        BL_PUT(l->out, "\n");
        for (unsigned p = 1; p < BL_PERMISSION_COUNT; p++) {
            const struct bl_permission_info *info = bl_permission_info((enum bl_permission)p);

            if ((row->capabilities & BL_CAP(p)) != 0)
                bl_buf_printf(l->out, "  may %.*s: %.*s\n", BL_STR_ARG(info->key),
                              BL_STR_ARG(info->level));
        }
        for (unsigned e = 0; e < BL_EVENT_COUNT; e++) {
            const struct bl_event_info *event = bl_event_info((enum bl_event_id)e);

            if ((row->events[e / 32] >> (e % 32) & 1) != 0)
                bl_buf_printf(l->out, "  on %.*s%s%.*s\n", BL_STR_ARG(event->event),
                              event->action.len > 0 ? "." : "", BL_STR_ARG(event->action));
        }
        for (uint32_t j = 0; j < row->step_count; j++) {
            BL_PUT(l->out, "  step ");
            list_entry(l, row->first_step + j);
            BL_PUT(l->out, "\n");
        }
        bl_list_job_steps(l, row);
    }
}

static void put_access(const struct bl_listing *l, const struct bl_access *row)
{
    const struct bl_module *m = l->m;
    uint32_t path = row->kind == BL_ACCESS_PATTERN ? m->SETS_rows[row->path].path : row->path;

    BL_PUT(l->out, " needs ");
    bl_buf_put(l->out, bl_fact_info((enum bl_fact)path)->path);
    if (row->kind == BL_ACCESS_PATTERN) {
        bl_buf_put_char(l->out, ' ');
        bl_list_sought(l, m->SETS_rows[row->path].first_sought + row->key);
        return;
    }
    bl_buf_put(l->out, row->kind == BL_ACCESS_LABEL ? BL_STR(" has ") : BL_STR(" == "));
    if (row->kind == BL_ACCESS_ENUM)
        bl_buf_put(l->out, bl_module_member(m, bl_type_ref(bl_fact_type((enum bl_fact)path)),
                                            row->key));
    else
        list_quoted(l, (bl_str){m->STRINGS_rows + row->key, row->length});
}

static void list_entries(const struct bl_listing *l)
{
    static const char *const kinds[] = {"rule", "step",      "decision", "check", "define",
                                        "test", "sanitizer", "report",   "entry", "posted"};
    const struct bl_module *m = l->m;

    for (uint32_t i = 0; i < m->ENTRIES_count; i++) {
        const struct bl_entry *row = &m->ENTRIES_rows[i];
        const struct bl_module_step step = bl_module_step(m, i);

        bl_buf_printf(l->out, "%s ", kinds[row->kind]);
        bl_list_string(l, row->name);
        BL_PUT(l->out, " = ");
        bl_list_function(l, row->function);
        if (row->job != BL_NONE) {
            BL_PUT(l->out, " job ");
            bl_list_string(l, m->JOBS_rows[row->job].name);
        }
        bl_list_optional_function(l, "when", step.when);
        bl_list_optional_function(l, "units", step.units);
        bl_list_optional_function(l, "at most", step.at_most);
        if (step.attempted != 0)
            BL_PUT(l->out, " attempted");
        if (step.ambient != BL_NONE) {
            BL_PUT(l->out, " as ");
            bl_buf_put(l->out, bl_ambient_info((enum bl_ambient)step.ambient)->name);
        }
        if (row->first_access != BL_NONE)
            put_access(l, &m->ACCESS_rows[row->first_access]);
        BL_PUT(l->out, "\n");
    }
}

static void list_events(const struct bl_listing *l)
{
    const struct bl_module *m = l->m;

    for (uint32_t i = 0; i < m->EVENT_RULES_count; i++) {
        uint32_t event = m->EVENT_RULES_rows[i].event;
        const struct bl_event_info *info = bl_event_info((enum bl_event_id)event);

        if (i == 0 || event != m->EVENT_RULES_rows[i - 1].event) {
            if (i > 0)
                BL_PUT(l->out, "\n");
            bl_buf_printf(l->out, "on %.*s%s%.*s:", BL_STR_ARG(info->event),
                          info->action.len > 0 ? "." : "", BL_STR_ARG(info->action));
        }
        BL_PUT(l->out, " ");
        list_entry(l, m->EVENT_RULES_rows[i].entry);
    }
    if (m->EVENT_RULES_count > 0)
        BL_PUT(l->out, "\n");
    for (uint32_t i = 0; i < m->OVERRIDES_count; i++) {
        list_entry(l, m->OVERRIDES_rows[i].winner);
        BL_PUT(l->out, " over ");
        list_entry(l, m->OVERRIDES_rows[i].loser);
        BL_PUT(l->out, "\n");
    }
    for (uint32_t i = 0; i < m->CASES_count; i++) {
        BL_PUT(l->out, "case ");
        put_quoted(l, m->CASES_rows[i].name);
        BL_PUT(l->out, " = ");
        bl_list_function(l, m->CASES_rows[i].function);
        BL_PUT(l->out, "\n");
    }
}

static void list_tasks(const struct bl_listing *l)
{
    const struct bl_module *m = l->m;

    for (uint32_t i = 0; i < m->TASKS_count; i++) {
        const struct bl_module_task *row = &m->TASKS_rows[i];

        BL_PUT(l->out, "task ");
        bl_list_string(l, row->name);
        if (row->record != BL_NONE) {
            BL_PUT(l->out, " answers ");
            bl_list_string(l, m->RECORDS_rows[row->record].name);
        }
        bl_list_optional_function(l, "model", row->model);
        bl_list_optional_function(l, "turns", row->turns);
        bl_list_optional_function(l, "budget", row->budget);
        bl_list_optional_function(l, "judges", row->judges);
        bl_list_optional_function(l, "passes", row->passes);
        bl_list_optional_function(l, "counts", row->counts);
        for (uint32_t k = 0; k < m->ANSWER_RULES_count; k++) {
            if (m->ANSWER_RULES_rows[k].task == i) {
                BL_PUT(l->out, " runs ");
                list_entry(l, m->ANSWER_RULES_rows[k].entry);
            }
        }
        BL_PUT(l->out, "\n");
    }
}

void bl_module_disassemble(const struct bl_module *m, struct bl_sources *sources,
                           struct bl_buf *out)
{
    const struct bl_listing l = {m, sources, out, count_occurrences(m, out->arena)};

    list_info(&l);
    list_names(&l, "variable", m->VARIABLES_rows, m->VARIABLES_count);
    list_tasks(&l);
    bl_list_accepted(&l);
    bl_list_stores(&l);
    list_types(&l);
    list_labels(&l);
    list_locales(&l);
    list_settings_and_messages(&l);
    bl_list_secrets(&l);
    list_jobs(&l);
    list_entries(&l);
    list_events(&l);
    for (uint32_t i = 0; i < m->FUNCTIONS_count; i++)
        bl_list_code(&l, i);
}
