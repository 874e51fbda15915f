/* SPDX-License-Identifier: Apache-2.0 */
#include "base/time.h"
#include "testing/case_step.h"

/* Steps of steps.def, one function each; a table says which. */

#define MINUTE 60

struct bl_value bl_step_arg(const struct bl_case_step *s, size_t index)
{
    return index < s->count ? s->args[index] : bl_absent();
}

bl_str bl_step_words(const struct bl_case_step *s, size_t index)
{
    return bl_text_of(bl_step_arg(s, index));
}

/* Who acts: `me` is the account that the policy writes with. */
bl_str bl_step_login(const struct bl_case_step *s, size_t index)
{
    bl_str who = bl_step_words(s, index);
    return bl_str_equal(who, BL_STR("me")) ? bl_sim_account(s->c->sim) : who;
}

int64_t bl_step_number(const struct bl_case_step *s, size_t index)
{
    struct bl_value v = bl_step_arg(s, index);
    return bl_is_absent(v) ? 0 : v.as.i;
}

/* The time that a step names, else a minute after everything so far. */
int64_t bl_step_moment(const struct bl_case_step *s, size_t index)
{
    struct bl_value v = bl_step_arg(s, index);
    return bl_is_absent(v) ? bl_sim_now(s->c->sim) + MINUTE : v.as.i;
}

/* The time since which something is so, else now. */
int64_t bl_step_since(const struct bl_case_step *s, size_t index)
{
    struct bl_value v = bl_step_arg(s, index);
    return bl_is_absent(v) ? bl_sim_now(s->c->sim) : v.as.i;
}

/* ---- given
 * ----------------------------------------------------------------------------------- */

static enum bl_status given_issue(struct bl_case_step *s)
{
    struct bl_value created = bl_step_arg(s, 2), closed = bl_step_arg(s, 3);
    int64_t now = bl_sim_now(s->c->sim);
    int64_t at = !bl_is_absent(created)  ? created.as.i
                 : !bl_is_absent(closed) ? closed.as.i - BL_SECONDS_PER_DAY
                                         : now - BL_SECONDS_PER_DAY;
    enum bl_status status =
        bl_sim_open(s->c->sim, bl_step_words(s, 1), bl_step_number(s, 0), BL_STR("An issue"),
                    BL_STR("Something happened."), at, NULL);
    if (status == BL_OK && !bl_is_absent(closed))
        status = bl_sim_close(s->c->sim, bl_sim_account(s->c->sim), bl_step_number(s, 0),
                              BL_STATE_REASON_COMPLETED, closed.as.i, NULL);
    return status;
}

static enum bl_status given_label(struct bl_case_step *s)
{
    return bl_sim_label(s->c->sim, bl_sim_account(s->c->sim), bl_step_number(s, 0),
                        bl_step_words(s, 1), bl_step_since(s, 2), NULL);
}

static enum bl_status given_label_later(struct bl_case_step *s)
{
    return bl_sim_label(s->c->sim, bl_sim_account(s->c->sim), bl_step_number(s, 1),
                        bl_step_words(s, 0), bl_step_since(s, 2), NULL);
}

/* What an attribute that the test does not give holds, so that the marker is whole. */
static struct bl_value plain_attribute(bl_type type, int64_t at)
{
    if (bl_type_is_optional(type) || bl_type_is_list(type))
        return bl_absent();
    switch (bl_tag_of_type(type)) {
    case BL_V_TIME:
        return bl_number(BL_V_TIME, at);
    case BL_V_DATE:
        return bl_number(BL_V_DATE, bl_day_of_time(at));
    case BL_V_TEXT:
        return bl_text(BL_STR("test"));
    case BL_V_BOOL:
    case BL_V_INT:
    case BL_V_LOCALE:
        return bl_number(bl_tag_of_type(type), 0);
    case BL_V_ABSENT:
    case BL_V_DURATION:
    case BL_V_MONEY:
    case BL_V_PERCENT:
    case BL_V_ENUM:
    case BL_V_TASK:
    case BL_V_COMMAND:
    case BL_V_PATTERN:
    case BL_V_LIST:
    case BL_V_OBJECT:
    case BL_V_RECORD:
    case BL_V_POSTED:
        break;
    }
    return bl_absent();
}

static enum bl_status given_posted(struct bl_case_step *s)
{
    struct bl_case *c = s->c;
    const struct bl_module_comment *kind = &c->module->COMMENTS_rows[s->site->detail];
    int64_t at = bl_step_since(s, 1);
    struct bl_value *values =
        BL_NEW_ARRAY(c->arena, kind->attribute_count + 1, struct bl_value);
    if (values == NULL)
        return BL_ERR_NOMEM;
    for (uint32_t i = 0; i < kind->attribute_count; i++) {
        bl_type type = c->module->ATTRIBUTES_rows[kind->first_attribute + i].type;
        values[i] = bl_is_absent(bl_step_arg(s, i + 2)) ? plain_attribute(type, at)
                                                        : bl_step_arg(s, i + 2);
    }
    struct bl_buf body;
    bl_buf_init(&body, c->arena, bl_limit(BL_LIMIT_TEXT_BYTES));
    bl_marker_write(c->module, s->site->detail, values, &body);
    BL_PUT(&body, "\nA comment.");
    return bl_sim_comment(c->sim, bl_sim_account(c->sim), bl_step_number(s, 0),
                          bl_buf_str(&body), at, NULL);
}

static enum bl_status given_title(struct bl_case_step *s)
{
    return bl_sim_give_title(s->c->sim, bl_step_number(s, 0), bl_step_words(s, 1));
}

static enum bl_status given_text(struct bl_case_step *s)
{
    return bl_sim_give_text(s->c->sim, bl_step_number(s, 0), bl_step_words(s, 1));
}

static enum bl_status given_comment(struct bl_case_step *s)
{
    return bl_sim_comment(s->c->sim, bl_step_words(s, 1), bl_step_number(s, 0),
                          bl_step_words(s, 2), bl_step_since(s, 3), NULL);
}

static enum bl_status given_assigned(struct bl_case_step *s)
{
    return bl_sim_assign(s->c->sim, bl_step_words(s, 1), bl_step_number(s, 0),
                         bl_step_words(s, 1), bl_sim_now(s->c->sim), NULL);
}

static enum bl_status given_upvotes(struct bl_case_step *s)
{
    return bl_sim_give_thumbs_up(s->c->sim, bl_step_number(s, 0), bl_step_number(s, 1));
}

static enum bl_status given_locked(struct bl_case_step *s)
{
    return bl_sim_lock(s->c->sim, bl_sim_account(s->c->sim), bl_step_number(s, 0),
                       bl_sim_now(s->c->sim), NULL);
}

static enum bl_status given_maintainer(struct bl_case_step *s)
{
    return bl_sim_user(s->c->sim, bl_step_words(s, 0), BL_USER_KIND_PERSON,
                       BL_ASSOCIATION_OWNER, BL_PERMISSION_ADMIN);
}

static enum bl_status given_person(struct bl_case_step *s)
{
    return bl_sim_user(s->c->sim, bl_step_words(s, 0), BL_USER_KIND_PERSON,
                       BL_ASSOCIATION_NOBODY, BL_PERMISSION_READ);
}

static enum bl_status given_id(struct bl_case_step *s)
{
    return bl_sim_user_id(s->c->sim, bl_step_words(s, 0), bl_step_number(s, 1));
}

static enum bl_status given_robot(struct bl_case_step *s)
{
    return bl_sim_user(s->c->sim, bl_step_words(s, 0), BL_USER_KIND_BOT, BL_ASSOCIATION_NOBODY,
                       BL_PERMISSION_READ);
}

static enum bl_status given_member(struct bl_case_step *s)
{
    return bl_sim_user(s->c->sim, bl_step_words(s, 0), BL_USER_KIND_PERSON,
                       BL_ASSOCIATION_CONTRIBUTOR, BL_PERMISSION_WRITE);
}

static enum bl_status given_variable(struct bl_case_step *s)
{
    return bl_sim_variable(s->c->sim, bl_step_words(s, 0), bl_step_words(s, 1));
}

static enum bl_status given_secret(struct bl_case_step *s)
{
    bool is_set = bl_is_absent(bl_step_arg(s, 1)) || bl_step_number(s, 1) != 0;
    return bl_sim_secret(s->c->sim, bl_step_words(s, 0), is_set);
}

static enum bl_status given_alert(struct bl_case_step *s)
{
    return bl_sim_alert(s->c->sim, bl_step_number(s, 0), bl_step_words(s, 1),
                        bl_step_words(s, 2), bl_step_words(s, 3));
}

static enum bl_status given_run(struct bl_case_step *s)
{
    return bl_sim_run(s->c->sim, bl_step_words(s, 0), bl_step_arg(s, 1).as.i,
                      bl_step_words(s, 2), bl_step_arg(s, 3).as.i);
}

static enum bl_status given_foreign_issue(struct bl_case_step *s)
{
    return bl_sim_foreign_issue(s->c->sim, bl_step_words(s, 0), bl_step_number(s, 1));
}

static enum bl_status given_git_reading(struct bl_case_step *s)
{
    return bl_sim_git_reading(s->c->sim, bl_step_words(s, 0));
}

static enum bl_status given_store(struct bl_case_step *s)
{
    return bl_sim_store(s->c->sim, bl_step_words(s, 0), bl_step_words(s, 1));
}

static enum bl_status given_row(struct bl_case_step *s)
{
    return bl_case_given_row(s->c, s->site, s->args, s->count);
}

static enum bl_status calls(struct bl_case_step *s)
{
    bl_sim_set_now(s->c->sim, bl_step_moment(s, 1));
    return bl_case_call(s->c, s->site, s->args, s->count);
}

static enum bl_status given_job_file(struct bl_case_step *s)
{
    return bl_sim_job_file(s->c->sim, bl_step_words(s, 0), bl_step_words(s, 1));
}

static enum bl_status given_discussion(struct bl_case_step *s)
{
    return bl_sim_discussion(s->c->sim, bl_step_number(s, 0), bl_step_words(s, 1));
}

static enum bl_status given_file(struct bl_case_step *s)
{
    return bl_is_absent(bl_step_arg(s, 1))
               ? bl_sim_file(s->c->sim, bl_step_words(s, 0))
               : bl_sim_checkout_file(s->c->sim, bl_step_words(s, 0), bl_step_words(s, 1));
}

static enum bl_status given_fails(struct bl_case_step *s)
{
    enum bl_read read = bl_read_find(bl_step_words(s, 0));
    enum bl_sim_fault fault = bl_sim_fault_find(bl_step_words(s, 1));
    if (read == BL_READ_COUNT || fault == BL_FAULT_NONE)
        return bl_case_broken(s->c, s->site, BL_STR("There is no such read or no such fault."));
    int64_t times = bl_step_number(s, 2);
    bl_sim_fail_reads(s->c->sim, read, fault, 0, times > 0 ? (unsigned)times : 1);
    return BL_OK;
}

static enum bl_status crashes(struct bl_case_step *s)
{
    s->c->crashes = true;
    return BL_OK;
}

static enum bl_status set(struct bl_case_step *s)
{
    int64_t setting = bl_step_number(s, 0);
    if (setting >= 0 && setting < (int64_t)s->c->module->SETTINGS_count) {
        s->c->setting_values[setting] = bl_step_arg(s, 1);
        s->c->setting_given[setting] = true;
    }
    return BL_OK;
}

/* ---- when
 * -------------------------------------------------------------------------------------- */

static enum bl_status opens(struct bl_case_step *s)
{
    return bl_sim_open(s->c->sim, bl_step_login(s, 0), bl_step_number(s, 1),
                       bl_step_words(s, 2), bl_step_words(s, 3), bl_step_moment(s, 4),
                       &s->delivery);
}

static enum bl_status comments(struct bl_case_step *s)
{
    return bl_sim_comment(s->c->sim, bl_step_login(s, 0), bl_step_number(s, 1),
                          bl_step_words(s, 2), bl_step_moment(s, 3), &s->delivery);
}

static enum bl_status edits(struct bl_case_step *s)
{
    return bl_sim_edit(s->c->sim, bl_step_login(s, 0), bl_step_number(s, 1),
                       bl_step_words(s, 2), bl_step_moment(s, 3), &s->delivery);
}

static enum bl_status retitles(struct bl_case_step *s)
{
    return bl_sim_retitle(s->c->sim, bl_step_login(s, 0), bl_step_number(s, 1),
                          bl_step_words(s, 2), bl_step_moment(s, 3), &s->delivery);
}

static enum bl_status labels(struct bl_case_step *s)
{
    return bl_sim_label(s->c->sim, bl_step_login(s, 0), bl_step_number(s, 1),
                        bl_step_words(s, 2), bl_step_moment(s, 3), &s->delivery);
}

static enum bl_status unlabels(struct bl_case_step *s)
{
    return bl_sim_unlabel(s->c->sim, bl_step_login(s, 0), bl_step_number(s, 1),
                          bl_step_words(s, 2), bl_step_moment(s, 3), &s->delivery);
}

static enum bl_status closes(struct bl_case_step *s)
{
    return bl_sim_close(s->c->sim, bl_step_login(s, 0), bl_step_number(s, 1),
                        BL_STATE_REASON_COMPLETED, bl_step_moment(s, 2), &s->delivery);
}

static enum bl_status reopens(struct bl_case_step *s)
{
    return bl_sim_reopen(s->c->sim, bl_step_login(s, 0), bl_step_number(s, 1),
                         bl_step_moment(s, 2), &s->delivery);
}

static enum bl_status locks(struct bl_case_step *s)
{
    return bl_sim_lock(s->c->sim, bl_step_login(s, 0), bl_step_number(s, 1),
                       bl_step_moment(s, 2), &s->delivery);
}

static enum bl_status unlocks(struct bl_case_step *s)
{
    return bl_sim_unlock(s->c->sim, bl_step_login(s, 0), bl_step_number(s, 1),
                         bl_step_moment(s, 2), &s->delivery);
}

static enum bl_status reacts(struct bl_case_step *s)
{
    int64_t comment = bl_sim_newest_comment(s->c->sim, bl_step_number(s, 1));
    for (unsigned m = 0; m < bl_enum_member_count(BL_ENUM_REACTION_KIND); m++)
        if (bl_str_equal(bl_enum_member(BL_ENUM_REACTION_KIND, m), bl_step_words(s, 2)))
            return bl_sim_react(s->c->sim, bl_step_login(s, 0), comment, m,
                                bl_step_moment(s, 3));
    return bl_case_broken(s->c, s->site, BL_STR("There is no such reaction."));
}

static enum bl_status deletes(struct bl_case_step *s)
{
    int64_t comment = bl_sim_newest_comment(s->c->sim, bl_step_number(s, 1));
    return bl_sim_delete_comment(s->c->sim, bl_step_login(s, 0), comment, bl_step_moment(s, 2),
                                 &s->delivery);
}

/* Schedules run early; six in the morning is as good as any hour. */
static enum bl_status morning(struct bl_case_step *s)
{
    int64_t at = bl_step_number(s, 0) * BL_SECONDS_PER_DAY + 6 * 60 * MINUTE;
    return bl_sim_morning(s->c->sim, at, &s->delivery);
}

static int task_index(const void *context, bl_str name)
{
    const struct bl_module *module = context;
    for (uint32_t i = 0; i < module->TASKS_count; i++)
        if (bl_str_equal(bl_module_string(module, module->TASKS_rows[i].name), name))
            return (int)i;
    return -1;
}

static enum bl_status by_hand(struct bl_case_step *s)
{
    struct bl_value task = bl_step_arg(s, 0);
    struct bl_sim_inputs inputs = {
        .number = bl_step_number(s, 1), .task_index = task_index, .task_context = s->c->module};
    if (!bl_is_absent(task) && (uint64_t)task.as.i < s->c->module->TASKS_count)
        inputs.task = bl_module_string(s->c->module, s->c->module->TASKS_rows[task.as.i].name);
    return bl_sim_by_hand(s->c->sim, BL_STR("someone"), &inputs, bl_step_moment(s, 2),
                          &s->delivery);
}

static bool runs_answers(const struct bl_module *m)
{
    for (uint32_t i = 0; i < m->JOBS_count; i++)
        if (m->JOBS_rows[i].runs_answers != 0)
            return true;
    return false;
}

/* The event that started the task is the last one about the issue; without one a person did. */
static enum bl_status started(struct bl_case_step *s, struct bl_sim_delivery *out)
{
    const struct bl_sim_delivery *sent = &s->c->sent;
    struct bl_sim_inputs inputs = {
        .number = bl_step_number(s, 1), .task_index = task_index, .task_context = s->c->module};
    if (sent->sent && sent->event.issue != NULL &&
        sent->event.issue->key == bl_step_number(s, 1)) {
        *out = *sent;
        return BL_OK;
    }
    inputs.task =
        bl_module_string(s->c->module, s->c->module->TASKS_rows[bl_step_number(s, 0)].name);
    return bl_sim_by_hand(s->c->sim, BL_STR("someone"), &inputs, bl_sim_now(s->c->sim), out);
}

/* An answer that breaks a bound is refused before any job begins, as in a run. */
static enum bl_status answers(struct bl_case_step *s)
{
    struct bl_case *c = s->c;
    struct bl_task_answer answer = {(uint32_t)bl_step_number(s, 0), bl_step_arg(s, 3)};
    struct bl_sim_delivery delivery = {.sent = false};
    struct bl_diagnostics sink;
    bl_diagnostics_init(&sink, c->arena, 20);
    if (!runs_answers(c->module))
        return bl_case_broken(c, s->site, BL_STR("No job of the policy runs answers."));
    bl_sim_set_now(c->sim, bl_step_moment(s, 2));
    enum bl_status status = bl_answer_check(c->arena, c->module, &answer, &sink);
    c->runs.count = 0;
    if (status == BL_ERR_INVALID) {
        bl_case_tell(c, &sink);
        return BL_OK;
    }
    if (status == BL_OK)
        status = started(s, &delivery);
    return status == BL_OK ? bl_case_answer(c, &delivery, &answer) : status;
}

static enum bl_status opened(struct bl_case_step *s)
{
    return bl_sim_opened(s->c->sim, bl_step_number(s, 0), &s->delivery);
}

/* ---- expect
 * -------------------------------------------------------------------------------------- */

static enum bl_status expect_effect(struct bl_case_step *s)
{
    return bl_case_expect_effect(s->c, s->site, s->args, s->count);
}

static enum bl_status expect_exactly(struct bl_case_step *s)
{
    return bl_case_expect_exactly(s->c, s->site);
}

static enum bl_status expect_golden(struct bl_case_step *s)
{
    return bl_case_expect_golden(s->c, s->site, bl_step_words(s, 0));
}

/* ---- the table
 * -------------------------------------------------------------------------------------- */

static enum bl_status (*const by_step[BL_STEP_COUNT])(struct bl_case_step *) = {
    [BL_STEP_GIVEN_ISSUE] = given_issue,
    [BL_STEP_GIVEN_ISSUE_LABEL] = given_label,
    [BL_STEP_GIVEN_ISSUE_POSTED] = given_posted,
    [BL_STEP_GIVEN_ISSUE_TITLE] = given_title,
    [BL_STEP_GIVEN_ISSUE_TEXT] = given_text,
    [BL_STEP_GIVEN_ISSUE_COMMENT] = given_comment,
    [BL_STEP_GIVEN_ISSUE_ASSIGNED] = given_assigned,
    [BL_STEP_GIVEN_ISSUE_UPVOTES] = given_upvotes,
    [BL_STEP_GIVEN_ISSUE_LOCKED] = given_locked,
    [BL_STEP_GIVEN_MAINTAINER] = given_maintainer,
    [BL_STEP_GIVEN_ROBOT] = given_robot,
    [BL_STEP_GIVEN_MEMBER] = given_member,
    [BL_STEP_GIVEN_LABEL] = given_label_later,
    [BL_STEP_GIVEN_RELEASE] = bl_step_given_release,
    [BL_STEP_GIVEN_PULL] = bl_step_given_pull,
    [BL_STEP_GIVEN_COMMIT] = bl_step_given_commit,
    [BL_STEP_GIVEN_BRANCH] = bl_step_given_branch,
    [BL_STEP_GIVEN_FORK] = bl_step_given_fork,
    [BL_STEP_GIVEN_PERSON] = given_person,
    [BL_STEP_GIVEN_ID] = given_id,
    [BL_STEP_GIVEN_USAGE] = bl_step_given_usage,
    [BL_STEP_GIVEN_ALERT] = given_alert,
    [BL_STEP_GIVEN_RUN] = given_run,
    [BL_STEP_GIVEN_FOREIGN_ISSUE] = given_foreign_issue,
    [BL_STEP_GIVEN_DISCUSSION] = given_discussion,
    [BL_STEP_GIVEN_FILE] = given_file,
    [BL_STEP_GIVEN_VARIABLE] = given_variable,
    [BL_STEP_GIVEN_SECRET] = given_secret,
    [BL_STEP_GIVEN_FAILS] = given_fails,
    [BL_STEP_GIVEN_GIT_READING] = given_git_reading,
    [BL_STEP_GIVEN_JOB_FILE] = given_job_file,
    [BL_STEP_GIVEN_STORE] = given_store,
    [BL_STEP_GIVEN_ROW] = given_row,
    [BL_STEP_CALLS] = calls,
    [BL_STEP_CRASHES] = crashes,
    [BL_STEP_SET] = set,
    [BL_STEP_OPENS] = opens,
    [BL_STEP_COMMENTS] = comments,
    [BL_STEP_EDITS] = edits,
    [BL_STEP_RETITLES] = retitles,
    [BL_STEP_LABELS] = labels,
    [BL_STEP_UNLABELS] = unlabels,
    [BL_STEP_CLOSES] = closes,
    [BL_STEP_REOPENS] = reopens,
    [BL_STEP_LOCKS] = locks,
    [BL_STEP_UNLOCKS] = unlocks,
    [BL_STEP_REACTS] = reacts,
    [BL_STEP_DELETES] = deletes,
    [BL_STEP_MERGES] = bl_step_merges,
    [BL_STEP_PUBLISHES] = bl_step_publishes,
    [BL_STEP_PUSHES] = bl_step_pushes,
    [BL_STEP_RUN_ENDS] = bl_step_run_ends,
    [BL_STEP_SETS_STATUS] = bl_step_sets_status,
    [BL_STEP_COMMITS] = bl_step_commits,
    [BL_STEP_RUNS] = bl_step_runs,
    [BL_STEP_MORNING] = morning,
    [BL_STEP_BY_HAND] = by_hand,
    [BL_STEP_OPENED] = opened,
    [BL_STEP_ANSWERS] = answers,
    [BL_STEP_EXPECT_EFFECT] = expect_effect,
    [BL_STEP_EXPECT_EXACTLY] = expect_exactly,
    [BL_STEP_EXPECT_GOLDEN] = expect_golden,
};

enum bl_status bl_case_step(void *context, const struct bl_site *site,
                            const struct bl_value *args, size_t count)
{
    struct bl_case *c = context;
    struct bl_case_step s = {.c = c, .site = site, .args = args, .count = count};
    c->trace.atoms.count = 0;
    if (site->kind >= BL_STEP_COUNT || by_step[site->kind] == NULL)
        return BL_ERR_INTERNAL;
    enum bl_status status = by_step[site->kind](&s);
    if (status == BL_ERR_INVALID && !c->stopped)
        return bl_case_broken(c, site, bl_sim_problem(c->sim));
    struct bl_sim_delivery twin = {.sent = false};
    if (status == BL_OK)
        status = bl_sim_twin(c->sim, &s.delivery, &twin);
    if (status == BL_OK && s.delivery.sent)
        status = bl_case_deliver(c, &s.delivery, &twin);
    if (status == BL_OK)
        status = bl_case_refresh(c);
    return status;
}
