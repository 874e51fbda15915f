/* SPDX-License-Identifier: Apache-2.0 */
#include "base/time.h"
#include "run/run_parts.h"

/* What the names of ambients.def stand for in a run. */

static void set(struct bl_runner *runner, enum bl_ambient ambient, struct bl_object *object)
{
    if (object != NULL)
        runner->machine.ambient[ambient] = bl_object_value(object);
}

/* An event of an issue or a status happens at its own time, however long it waited; sweeps and
 * the rest happen now. */
static bool has_its_own_time(enum bl_event_id event)
{
    const struct bl_event_info *info = bl_event_info(event);

    return info != NULL &&
           (info->family == BL_FAMILY_ISSUES || info->family == BL_FAMILY_ISSUE_COMMENT ||
            info->family == BL_FAMILY_STATUS);
}

static void set_time(struct bl_runner *runner)
{
    const struct bl_event *event = runner->options->event;
    int64_t now = runner->options->now;

    if (event != NULL && has_its_own_time(event->id) && event->at != 0)
        now = event->at;
    runner->machine.ambient[BL_AMBIENT_NOW] = bl_number(BL_V_TIME, now);
    runner->machine.ambient[BL_AMBIENT_TODAY] = bl_number(BL_V_DATE, bl_day_of_time(now));
}

/* Without an account nobody is `me`: a user of no login, whom no other equals. */
static enum bl_status set_me(struct bl_runner *runner)
{
    const struct bl_module *module = runner->module;
    bl_str account = {NULL, 0};

    if (module->INFO_count > 0)
        account = bl_module_string(module, module->INFO_rows[0].account);
    struct bl_object *me = bl_snapshot_object(runner->snapshot, BL_ENTITY_USER, 0, account);
    if (me == NULL)
        return BL_ERR_NOMEM;
    bool bot = bl_str_ends_with(account, BL_STR("[bot]"));
    bl_object_set(me, BL_FIELD_USER_LOGIN, bl_text(account));
    bl_object_set(
        me, BL_FIELD_USER_KIND,
        bl_member_value(BL_ENUM_USER_KIND, bot ? BL_USER_KIND_BOT : BL_USER_KIND_PERSON));
    set(runner, BL_AMBIENT_ME, me);
    return BL_OK;
}

static enum bl_status set_accepted(struct bl_machine *machine, struct bl_arena *arena)
{
    const struct bl_module *m = machine->module;
    struct bl_list *list = bl_list_create(arena);
    enum bl_status status = list != NULL ? BL_OK : BL_ERR_NOMEM;

    for (uint32_t i = 0; status == BL_OK && i < m->ACCEPTED_count; i++) {
        const struct bl_module_accepted *row = &m->ACCEPTED_rows[i];
        struct bl_object *one =
            bl_object_create(arena, BL_ENTITY_ACCEPTED_FINDING, i, (bl_str){NULL, 0});

        if (one == NULL)
            return BL_ERR_NOMEM;
        bl_object_set(one, BL_FIELD_ACCEPTED_FINDING_TOOL,
                      bl_text(bl_module_string(m, row->tool)));
        bl_object_set(one, BL_FIELD_ACCEPTED_FINDING_RULE,
                      bl_text(bl_module_string(m, row->rule)));
        bl_object_set(one, BL_FIELD_ACCEPTED_FINDING_PATH,
                      row->path.length > 0 ? bl_text(bl_module_string(m, row->path))
                                           : bl_absent());
        bl_object_set(one, BL_FIELD_ACCEPTED_FINDING_UNTIL,
                      row->until != INT64_MIN ? bl_number(BL_V_DATE, row->until) : bl_absent());
        bl_object_set(one, BL_FIELD_ACCEPTED_FINDING_REASON,
                      bl_member_value(BL_ENUM_DISMISSAL, row->reason));
        bl_object_set(one, BL_FIELD_ACCEPTED_FINDING_COMMENT,
                      bl_text(bl_module_string(m, row->comment)));
        status = bl_list_push(arena, list, bl_object_value(one));
    }
    if (status == BL_OK)
        machine->ambient[BL_AMBIENT_ACCEPTED] = bl_list_value(list);
    return status;
}

enum bl_status bl_run_set_declared(struct bl_machine *machine, struct bl_arena *arena)
{
    const struct bl_module *module = machine->module;
    struct bl_list *locales = bl_list_create(arena);
    struct bl_list *labels = bl_list_create(arena);
    struct bl_list *environment = bl_list_create(arena);
    enum bl_status status =
        locales != NULL && labels != NULL && environment != NULL ? BL_OK : BL_ERR_NOMEM;

    for (uint32_t i = 0; status == BL_OK && i < module->LOCALES_count; i++)
        status = bl_list_push(arena, locales, bl_number(BL_V_LOCALE, i));
    for (uint32_t i = 0; status == BL_OK && i < module->LABELS_count; i++)
        status = bl_list_push(arena, labels,
                              bl_text(bl_module_string(module, module->LABELS_rows[i].shown)));
    if (status == BL_OK)
        status = set_accepted(machine, arena);
    if (status != BL_OK)
        return status;
    machine->ambient[BL_AMBIENT_LOCALES] = bl_list_value(locales);
    machine->ambient[BL_AMBIENT_DECLARED_LABELS] = bl_list_value(labels);
    machine->ambient[BL_AMBIENT_ENVIRONMENT] = bl_list_value(environment);
    /* Words that no document says in another language are in the reference. */
    if (module->LOCALES_count > 0)
        machine->ambient[BL_AMBIENT_LANGUAGE] = bl_number(BL_V_LOCALE, 0);
    return BL_OK;
}

/* What the variables of the process are; the markers' key goes with them. */
static enum bl_status set_environment(struct bl_runner *runner)
{
    const struct bl_run_options *options = runner->options;
    struct bl_list *list = bl_list_create(runner->arena);
    enum bl_status status = list != NULL ? BL_OK : BL_ERR_NOMEM;

    runner->machine.redaction_key = options->redaction_key;
    runner->machine.redacted = options->redacted;
    for (size_t i = 0; i < options->environment_count && status == BL_OK; i++) {
        const struct bl_environment_variable *variable = &options->environment[i];
        struct bl_object *object =
            bl_object_create(runner->arena, BL_ENTITY_ENVIRONMENT_VARIABLE, 0, variable->name);

        if (object == NULL)
            return BL_ERR_NOMEM;
        bl_object_set(object, BL_FIELD_ENVIRONMENT_VARIABLE_NAME, bl_text(variable->name));
        bl_object_set(object, BL_FIELD_ENVIRONMENT_VARIABLE_VALUE, bl_text(variable->value));
        status = bl_list_push(runner->arena, list, bl_object_value(object));
    }
    if (status == BL_OK)
        runner->machine.ambient[BL_AMBIENT_ENVIRONMENT] = bl_list_value(list);
    return status;
}

static enum bl_status set_repository(struct bl_runner *runner, const struct bl_event *event)
{
    struct bl_failure failure = {0};
    struct bl_value repository = bl_absent();

    if (event != NULL && event->repository != NULL) {
        set(runner, BL_AMBIENT_REPOSITORY,
            bl_snapshot_adopt(runner->snapshot, event->repository));
        return runner->arena->failed ? BL_ERR_NOMEM : BL_OK;
    }
    /* A world always knows where it is; without one (pure tests) there is no repository. */
    if (runner->options->world != NULL &&
        bl_snapshot_query(runner->snapshot, BL_READ_REPOSITORY, NULL, 0, &repository,
                          &failure) == BL_OK)
        set(runner, BL_AMBIENT_REPOSITORY, bl_object_of(repository));
    return runner->arena->failed ? BL_ERR_NOMEM : BL_OK;
}

enum bl_status bl_run_set_ambients(struct bl_runner *runner)
{
    const struct bl_event *event = runner->options->event;
    enum bl_status status = set_repository(runner, event);

    set_time(runner);
    if (status == BL_OK)
        status = set_me(runner);
    if (status == BL_OK)
        status = bl_run_set_declared(&runner->machine, runner->arena);
    if (status == BL_OK)
        status = set_environment(runner);
    if (status != BL_OK || event == NULL)
        return status;
    /* The payload's own facts, its actor among them, are what they were. */
    set(runner, BL_AMBIENT_EVENT, event->event);
    set(runner, BL_AMBIENT_ISSUE, bl_snapshot_adopt(runner->snapshot, event->issue));
    set(runner, BL_AMBIENT_COMMENT, bl_snapshot_adopt(runner->snapshot, event->comment));
    runner->machine.ambient[BL_AMBIENT_EVENT_COMMENT] =
        runner->machine.ambient[BL_AMBIENT_COMMENT];
    set(runner, BL_AMBIENT_PULL_REQUEST,
        bl_snapshot_adopt(runner->snapshot, event->pull_request));
    set(runner, BL_AMBIENT_STATUS, bl_snapshot_adopt(runner->snapshot, event->status));
    set(runner, BL_AMBIENT_RELEASE, bl_snapshot_adopt(runner->snapshot, event->release));
    return runner->arena->failed ? BL_ERR_NOMEM : BL_OK;
}

/* ---- the event's own things -------------------------------------------------------------- */

/* Events that are about a thing's end: it is not there any more, and rules ask the payload. */
static bool ends_its_thing(enum bl_event_id event)
{
    return event == BL_EVENT_ISSUES_DELETED || event == BL_EVENT_ISSUES_TRANSFERRED ||
           event == BL_EVENT_ISSUE_COMMENT_DELETED;
}

static enum bl_status read_thing(struct bl_runner *runner, enum bl_ambient ambient,
                                 enum bl_read read)
{
    struct bl_object *thing = bl_object_of(runner->machine.ambient[ambient]);

    if (thing == NULL || runner->gone)
        return BL_OK;
    runner->machine.failure = (struct bl_failure){0};
    switch (bl_snapshot_load(runner->snapshot, thing, read, &runner->machine.failure)) {
    case BL_FOUND:
        return BL_OK;
    case BL_MISSING:
        runner->gone = true;
        return BL_OK;
    case BL_FAILED:
        break;
    }
    return runner->arena->failed ? BL_ERR_NOMEM : BL_ERR_READ;
}

enum bl_status bl_run_read_event(struct bl_runner *runner)
{
    enum bl_status status;

    if (ends_its_thing(runner->machine.event) || runner->options->world == NULL)
        return BL_OK;
    status = read_thing(runner, BL_AMBIENT_ISSUE, BL_READ_ISSUE);
    if (status == BL_OK)
        status = read_thing(runner, BL_AMBIENT_PULL_REQUEST, BL_READ_PULL);
    if (status == BL_OK)
        status = read_thing(runner, BL_AMBIENT_COMMENT, BL_READ_COMMENTS);
    return status;
}
