/* SPDX-License-Identifier: Apache-2.0 */
#include "event/names.h"
#include "world/sim/sim_model.h"
#include "world/sim/sim_people.h"
#include "world/sim/sim_read.h"

/* What is simply there: no timeline event, no delivery. */

#define LINK_BYTES     100
#define MADE_UP_COMMIT "c0ffee0000000000000000000000000000000000"

static enum bl_status refuse(struct bl_sim *sim, const char *why)
{
    sim->problem = bl_str_from(why);
    return BL_ERR_INVALID;
}

static enum bl_status done(const struct bl_sim *sim)
{
    return sim->arena->failed ? BL_ERR_NOMEM : BL_OK;
}

enum bl_status bl_sim_user(struct bl_sim *sim, bl_str login, unsigned kind,
                           unsigned association, unsigned permission)
{
    if (!bl_is_login(login)) {
        return refuse(sim, "This is no login.");
    }
    struct bl_object *user = bl_sim_user_of(sim, login);
    if (user == NULL) {
        return BL_ERR_NOMEM;
    }
    bl_object_set(user, BL_FIELD_USER_KIND, bl_member_value(BL_ENUM_USER_KIND, kind));
    bl_object_set(user, BL_FIELD_USER_ASSOCIATION,
                  bl_member_value(BL_ENUM_ASSOCIATION, association));
    bl_object_set(user, BL_FIELD_USER_PERMISSION,
                  bl_member_value(BL_ENUM_PERMISSION, permission));
    return BL_OK;
}

enum bl_status bl_sim_user_id(struct bl_sim *sim, bl_str login, int64_t id)
{
    struct bl_object *user = bl_is_login(login) ? bl_sim_user_of(sim, login) : NULL;
    if (user == NULL) {
        return bl_is_login(login) ? BL_ERR_NOMEM : refuse(sim, "This is no login.");
    }
    bl_object_set(user, BL_FIELD_USER_ID, bl_int(id));
    return BL_OK;
}

enum bl_status bl_sim_variable(struct bl_sim *sim, bl_str name, bl_str value)
{
    if (!bl_is_name(name)) {
        return refuse(sim, "A variable needs a name.");
    }
    for (size_t i = 0; i < sim->variables.count; i++) {
        if (bl_str_equal_nocase(sim->variables.items[i].name, name)) {
            sim->variables.items[i].value = bl_sim_keep(sim, value);
            return done(sim);
        }
    }
    struct bl_sim_setting *setting = BL_PUSH(sim->arena, sim->variables);
    if (setting != NULL) {
        *setting = (struct bl_sim_setting){bl_sim_keep(sim, name), bl_sim_keep(sim, value)};
    }
    return done(sim);
}

static enum bl_status give_file(struct bl_sim *sim, struct bl_sim_files *files, bl_str name,
                                bl_str text)
{
    if (!bl_is_name(name)) {
        return refuse(sim, "A file needs a name.");
    }
    for (size_t i = 0; i < files->count; i++) {
        if (bl_str_equal(files->items[i].name, name)) {
            files->items[i].value = bl_sim_keep(sim, text);
            return done(sim);
        }
    }
    struct bl_sim_setting *file = BL_PUSH(sim->arena, *files);
    if (file != NULL) {
        *file = (struct bl_sim_setting){bl_sim_keep(sim, name), bl_sim_keep(sim, text)};
    }
    return done(sim);
}

enum bl_status bl_sim_job_file(struct bl_sim *sim, bl_str name, bl_str text)
{
    return give_file(sim, &sim->job_files, name, text);
}

enum bl_status bl_sim_store(struct bl_sim *sim, bl_str path, bl_str text)
{
    return give_file(sim, &sim->stores, path, text);
}

bl_str bl_sim_store_text(const struct bl_sim *sim, bl_str path)
{
    for (size_t i = 0; i < sim->stores.count; i++) {
        if (bl_str_equal(sim->stores.items[i].name, path)) {
            return sim->stores.items[i].value;
        }
    }
    return BL_STR("");
}

enum bl_status bl_sim_checkout_file(struct bl_sim *sim, bl_str path, bl_str text)
{
    bool is_tracked = false;
    for (size_t i = 0; i < sim->files.count; i++) {
        is_tracked = is_tracked || bl_str_equal(sim->files.items[i], path);
    }
    enum bl_status status = is_tracked ? BL_OK : bl_sim_file(sim, path);
    if (status != BL_OK) {
        return status;
    }
    return give_file(sim, &sim->checkout, path, text);
}

enum bl_status bl_sim_checkout_commit(struct bl_sim *sim, bl_str sha)
{
    if (!bl_is_name(sha)) {
        return refuse(sim, "A commit needs an id.");
    }
    sim->checkout_commit = bl_sim_keep(sim, sha);
    return done(sim);
}

/* The last line may lack its end. */
enum bl_status bl_sim_git_reading(struct bl_sim *sim, bl_str lines)
{
    struct bl_buf text;
    bl_buf_init(&text, sim->arena, lines.len + 1);
    bl_buf_put(&text, lines);
    if (!bl_str_ends_with(lines, BL_STR("\n"))) {
        bl_buf_put_char(&text, '\n');
    }
    sim->git_reading = bl_buf_str(&text);
    return done(sim);
}

enum bl_status bl_sim_secret(struct bl_sim *sim, bl_str name, bool is_set)
{
    if (!bl_is_name(name)) {
        return refuse(sim, "A secret needs a name.");
    }
    size_t i = 0;
    while (i < sim->secrets.count && !bl_str_equal_nocase(sim->secrets.items[i], name)) {
        i++;
    }
    if (is_set && i == sim->secrets.count) {
        bl_str *secret = BL_PUSH(sim->arena, sim->secrets);
        if (secret != NULL) {
            *secret = bl_sim_keep(sim, name);
        }
    } else if (!is_set && i < sim->secrets.count) {
        sim->secrets.items[i] = sim->secrets.items[--sim->secrets.count];
    }
    return done(sim);
}

enum bl_status bl_sim_file(struct bl_sim *sim, bl_str path)
{
    if (!bl_is_name(path)) {
        return refuse(sim, "A file needs a path.");
    }
    bl_str *file = BL_PUSH(sim->arena, sim->files);
    if (file != NULL) {
        *file = bl_sim_keep(sim, path);
    }
    return done(sim);
}

enum bl_status bl_sim_discussion(struct bl_sim *sim, int64_t number, bl_str title)
{
    if (number <= 0 || bl_sim_issue_of(sim, number) != NULL ||
        bl_sim_find(sim, BL_ENTITY_DISCUSSION, number, BL_STR("")) != NULL) {
        return refuse(sim, "A discussion needs a number that is free.");
    }
    struct bl_object *discussion = bl_sim_add(sim, BL_ENTITY_DISCUSSION, number, BL_STR(""));
    if (discussion == NULL) {
        return BL_ERR_NOMEM;
    }
    bl_object_set(discussion, BL_FIELD_DISCUSSION_NUMBER, bl_int(number));
    bl_object_set(discussion, BL_FIELD_DISCUSSION_TITLE, bl_sim_keep_text(sim, title));
    return bl_sim_complete(sim, discussion) ? done(sim) : BL_ERR_NOMEM;
}

enum bl_status bl_sim_alert(struct bl_sim *sim, int64_t number, bl_str tool, bl_str rule,
                            bl_str path)
{
    if (number <= 0 || bl_sim_find(sim, BL_ENTITY_ALERT, number, BL_STR("")) != NULL) {
        return refuse(sim, "An alert needs a number that no other one has.");
    }
    if (!bl_is_name(tool) || !bl_is_name(rule) || !bl_is_name(path)) {
        return refuse(sim, "An alert needs a tool, a rule and a file.");
    }
    struct bl_object *alert = bl_sim_add(sim, BL_ENTITY_ALERT, number, BL_STR(""));
    if (alert == NULL) {
        return BL_ERR_NOMEM;
    }
    struct bl_buf path_of;
    bl_buf_init(&path_of, sim->arena, LINK_BYTES);
    BL_PUT(&path_of, "/security/code-scanning/");
    bl_buf_put_int(&path_of, number);
    bl_object_set(alert, BL_FIELD_ALERT_LINK, bl_sim_link(sim, bl_buf_str(&path_of)));
    bl_object_set(alert, BL_FIELD_ALERT_NUMBER, bl_int(number));
    bl_object_set(alert, BL_FIELD_ALERT_TOOL, bl_sim_keep_text(sim, tool));
    bl_object_set(alert, BL_FIELD_ALERT_RULE, bl_sim_keep_text(sim, rule));
    bl_object_set(alert, BL_FIELD_ALERT_PATH, bl_sim_keep_text(sim, path));
    return bl_sim_complete(sim, alert) ? done(sim) : BL_ERR_NOMEM;
}

static enum bl_status give(struct bl_sim *sim, int64_t number, enum bl_field field,
                           struct bl_value value)
{
    struct bl_object *issue = bl_sim_issue_of(sim, number);
    if (issue == NULL) {
        return refuse(sim, "There is no issue of that number.");
    }
    bl_object_set(issue, field, value);
    return done(sim);
}

enum bl_status bl_sim_give_title(struct bl_sim *sim, int64_t number, bl_str title)
{
    return give(sim, number, BL_FIELD_ISSUE_TITLE, bl_sim_keep_text(sim, title));
}

enum bl_status bl_sim_give_text(struct bl_sim *sim, int64_t number, bl_str text)
{
    return give(sim, number, BL_FIELD_ISSUE_TEXT, bl_sim_keep_text(sim, text));
}

enum bl_status bl_sim_give_thumbs_up(struct bl_sim *sim, int64_t number, int64_t count)
{
    return give(sim, number, BL_FIELD_ISSUE_THUMBS_UP, bl_int(count));
}

/* ---- what a job has beside the repository ------------------------------------------------ */

/* What was given, or what git says. */
static enum bl_answer git_reading(struct bl_sim *sim, struct bl_arena *arena, bl_str patch,
                                  struct bl_value *out, struct bl_failure *failure)
{
    bl_str reading = sim->git_reading;
    enum bl_answer answer = BL_FAILED;
    if (reading.ptr != NULL) {
        answer = BL_FOUND;
    } else if (sim->git.read != NULL) {
        answer = sim->git.read(sim->git.context, arena, patch, &reading);
    }
    if (answer == BL_FAILED) {
        failure->why = BL_STR("git did not say how it reads it");
    }
    *out = bl_text(reading);
    return answer;
}

static enum bl_answer find_setting(const struct bl_sim_setting *items, size_t count,
                                   bl_str name, bool case_counts, struct bl_value *out)
{
    for (size_t i = 0; i < count; i++) {
        if (case_counts ? bl_str_equal(items[i].name, name)
                        : bl_str_equal_nocase(items[i].name, name)) {
            *out = bl_text(items[i].value);
            return BL_FOUND;
        }
    }
    return BL_MISSING;
}

/* A file that nobody gave a text holds nobody knows what. */
static enum bl_answer checkout_file(struct bl_sim *sim, bl_str path, struct bl_value *out,
                                    struct bl_failure *failure)
{
    if (find_setting(sim->checkout.items, sim->checkout.count, path, true, out) == BL_FOUND) {
        return BL_FOUND;
    }
    for (size_t i = 0; i < sim->files.count; i++) {
        if (bl_str_equal(sim->files.items[i], path)) {
            failure->why = BL_STR("nobody said what it holds");
            failure->help = BL_STR("In a test: given file PATH TEXT. In a world file: "
                                   "\"checkout\".");
            return BL_FAILED;
        }
    }
    return BL_MISSING;
}

bool bl_sim_job_text(const struct bl_sim *sim, bl_str name, bl_str *out)
{
    struct bl_value text;
    if (find_setting(sim->job_files.items, sim->job_files.count, name, true, &text) !=
        BL_FOUND) {
        return false;
    }
    *out = bl_text_of(text);
    return true;
}

enum bl_answer bl_sim_query_job(struct bl_sim *sim, struct bl_arena *arena, enum bl_read read,
                                bl_str asked, struct bl_value *out, struct bl_failure *failure)
{
    if (read == BL_READ_GIT_READING) {
        return git_reading(sim, arena, asked, out, failure);
    }
    if (read == BL_READ_JOB_FILE) {
        return find_setting(sim->job_files.items, sim->job_files.count, asked, true, out);
    }
    if (read == BL_READ_STORE) {
        return find_setting(sim->stores.items, sim->stores.count, asked, true, out);
    }
    if (read == BL_READ_CHECKOUT_FILE) {
        return checkout_file(sim, asked, out, failure);
    }
    if (read == BL_READ_CHECKOUT_COMMIT) {
        *out = bl_text(sim->checkout_commit.len > 0 ? sim->checkout_commit
                                                    : BL_STR(MADE_UP_COMMIT));
        return BL_FOUND;
    }
    if (read == BL_READ_VARIABLE) {
        return find_setting(sim->variables.items, sim->variables.count, asked, false, out);
    }
    *out = bl_bool(false);
    for (size_t i = 0; i < sim->secrets.count; i++) {
        if (bl_str_equal_nocase(sim->secrets.items[i], asked)) {
            *out = bl_bool(true);
        }
    }
    return BL_FOUND;
}
