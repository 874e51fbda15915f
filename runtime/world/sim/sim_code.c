/* SPDX-License-Identifier: Apache-2.0 */
#include "base/digest.h"
#include "event/names.h"
#include "world/sim/sim_change.h"
#include "world/sim/sim_payload.h"
#include "world/sim/sim_people.h"

/* Pull requests, releases and statuses: what people do with code. */

#define SHA_HEX    40
#define NAME_BYTES 40
#define ZEROS      BL_STR("0000000000000000000000000000000000000000")

static enum bl_status refuse(struct bl_sim *sim, bl_str name, const char *what)
{
    struct bl_buf text;
    bl_buf_init(&text, sim->arena, 300);
    bl_buf_printf(&text, "'%.*s' %s.", BL_STR_ARG(bl_str_slice(name, 0, 100)), what);
    sim->problem = bl_buf_str(&text);
    return BL_ERR_INVALID;
}

static enum bl_status refuse_number(struct bl_sim *sim, int64_t number, const char *what)
{
    struct bl_buf text;
    bl_buf_init(&text, sim->arena, NAME_BYTES);
    BL_PUT(&text, "#");
    bl_buf_put_int(&text, number);
    return refuse(sim, bl_buf_str(&text), what);
}

/* A commit that nobody named: its id is made of what it is for, so that runs repeat. */
static struct bl_object *made_up_commit(struct bl_sim *sim, const char *what, int64_t number)
{
    struct bl_buf text;
    unsigned char digest[BL_DIGEST_BYTES];
    char hex[BL_DIGEST_HEX];
    bl_buf_init(&text, sim->arena, NAME_BYTES);
    bl_buf_printf(&text, "%s ", what);
    bl_buf_put_int(&text, number);
    bl_digest(bl_buf_str(&text), digest);
    bl_digest_hex(digest, hex);
    return bl_sim_commit_of(sim, (bl_str){hex, SHA_HEX});
}

static struct bl_value name_or(struct bl_sim *sim, bl_str name, bl_str other)
{
    return bl_sim_keep_text(sim, name.len > 0 ? name : other);
}

static bool set_closes(struct bl_sim *sim, struct bl_object *pull,
                       const struct bl_sim_pull *from)
{
    struct bl_list *closes = bl_sim_new_list(sim, pull, BL_FIELD_PULL_REQUEST_CLOSES);
    for (size_t i = 0; closes != NULL && i < from->close_count; i++) {
        struct bl_object *issue = bl_sim_issue_of(sim, from->closes[i]);
        if (bl_list_push(sim->arena, closes, bl_object_value(issue)) != BL_OK) {
            return false;
        }
    }
    return closes != NULL;
}

static bool add_pull(struct bl_sim *sim, struct bl_object *issue,
                     const struct bl_sim_pull *from)
{
    struct bl_object *pull = bl_sim_issue_more(issue)->pull;
    struct bl_object *head = from->head_sha.len > 0 ? bl_sim_commit_of(sim, from->head_sha)
                                                    : made_up_commit(sim, "head", issue->key);
    struct bl_buf branch;
    bl_buf_init(&branch, sim->arena, NAME_BYTES);
    BL_PUT(&branch, "branch-");
    bl_buf_put_int(&branch, issue->key);
    struct bl_list *commits = bl_sim_new_list(sim, pull, BL_FIELD_PULL_REQUEST_COMMITS);
    if (head == NULL || commits == NULL || !set_closes(sim, pull, from) ||
        bl_list_push(sim->arena, commits, bl_object_value(head)) != BL_OK) {
        return false;
    }
    bl_object_set(pull, BL_FIELD_PULL_REQUEST_HEAD, bl_object_value(head));
    bl_object_set(
        pull, BL_FIELD_PULL_REQUEST_BASE,
        name_or(sim, from->base,
                bl_text_of(bl_object_get(sim->self, BL_FIELD_REPOSITORY_DEFAULT_BRANCH))));
    bl_object_set(pull, BL_FIELD_PULL_REQUEST_HEAD_BRANCH,
                  name_or(sim, from->head_branch, bl_buf_str(&branch)));
    bl_object_set(pull, BL_FIELD_PULL_REQUEST_HEAD_REPOSITORY,
                  name_or(sim, from->head_repository, sim->repository));
    bl_object_set(pull, BL_FIELD_PULL_REQUEST_MERGED_AT, bl_absent());
    bl_object_set(pull, BL_FIELD_PULL_REQUEST_MERGE_COMMIT, bl_absent());
    return !sim->arena->failed;
}

static enum bl_status check_pull(struct bl_sim *sim, bl_str who, const struct bl_sim_pull *pull,
                                 int64_t number)
{
    if (!bl_is_login(who)) {
        return refuse(sim, who, "is no login");
    }
    if (number < 0 || bl_sim_issue_of(sim, number) != NULL ||
        bl_sim_find(sim, BL_ENTITY_DISCUSSION, number, BL_STR("")) != NULL) {
        return refuse_number(sim, number, "exists already");
    }
    for (size_t i = 0; i < pull->close_count; i++) {
        if (bl_sim_issue_of(sim, pull->closes[i]) == NULL) {
            return refuse_number(sim, pull->closes[i], "does not exist");
        }
    }
    return BL_OK;
}

enum bl_status bl_sim_open_pull(struct bl_sim *sim, bl_str who, const struct bl_sim_pull *pull,
                                int64_t at, struct bl_sim_delivery *out)
{
    int64_t number = pull->number != 0 ? pull->number : bl_sim_next_number(sim);
    enum bl_status status = check_pull(sim, who, pull, number);
    if (status != BL_OK) {
        return status;
    }
    struct bl_object *author = bl_sim_user_of(sim, who);
    struct bl_object *issue =
        author != NULL
            ? bl_sim_add_issue(sim, number, author, pull->title, pull->text, at, true)
            : NULL;
    if (issue == NULL || !add_pull(sim, issue, pull)) {
        return BL_ERR_NOMEM;
    }
    struct bl_sim_sending sending = {.name = "pull_request",
                                     .action = "opened",
                                     .sender = author,
                                     .pull = bl_sim_issue_more(issue)->pull,
                                     .at = at};
    bl_sim_set_now(sim, at);
    return bl_sim_send(sim, &sending, out);
}

void bl_sim_set_closes_at_merge(struct bl_sim *sim, bool closes)
{
    sim->closes_at_merge = closes;
}

/* GitHub closes them in the name of who merged, when the merge goes to the default branch. */
static bool close_at_merge(struct bl_sim *sim, const struct bl_object *pull,
                           struct bl_object *who, int64_t at)
{
    bl_str base = bl_text_of(bl_object_get(pull, BL_FIELD_PULL_REQUEST_BASE));
    bl_str main = bl_text_of(bl_object_get(sim->self, BL_FIELD_REPOSITORY_DEFAULT_BRANCH));
    const struct bl_list *closes = bl_sim_list(pull, BL_FIELD_PULL_REQUEST_CLOSES);
    if (!sim->closes_at_merge || !bl_str_equal(base, main)) {
        return true;
    }
    for (uint32_t i = 0; closes != NULL && i < closes->count; i++) {
        struct bl_object *issue = closes->items[i].as.object;
        bool changed;
        if (bl_sim_member(issue, BL_FIELD_ISSUE_STATE) == BL_ISSUE_STATE_OPEN &&
            !bl_sim_change_close(sim, issue, who, BL_STATE_REASON_COMPLETED, 0, at, &changed)) {
            return false;
        }
    }
    return true;
}

enum bl_status bl_sim_merge(struct bl_sim *sim, bl_str who, int64_t number, bl_str sha,
                            int64_t at, struct bl_sim_delivery *out)
{
    struct bl_object *pull = bl_sim_find(sim, BL_ENTITY_PULL_REQUEST, number, BL_STR(""));
    bool changed;
    if (!bl_is_login(who)) {
        return refuse(sim, who, "is no login");
    }
    if (pull == NULL) {
        return refuse_number(sim, number, "is no pull request");
    }
    struct bl_object *issue = pull->handle;
    if (bl_sim_member(issue, BL_FIELD_ISSUE_STATE) == BL_ISSUE_STATE_CLOSED) {
        return refuse_number(sim, number, "is closed already");
    }
    struct bl_object *merger = bl_sim_user_of(sim, who);
    struct bl_object *commit =
        sha.len > 0 ? bl_sim_commit_of(sim, sha) : made_up_commit(sim, "merge", number);
    if (merger == NULL || commit == NULL ||
        !bl_sim_change_close(sim, issue, merger, BL_STATE_REASON_COMPLETED, 0, at, &changed) ||
        !close_at_merge(sim, pull, merger, at)) {
        return BL_ERR_NOMEM;
    }
    bl_object_set(issue, BL_FIELD_ISSUE_STATE_REASON,
                  bl_absent()); /* pull requests have none */
    bl_object_set(pull, BL_FIELD_PULL_REQUEST_MERGED_AT, bl_number(BL_V_TIME, at));
    bl_object_set(pull, BL_FIELD_PULL_REQUEST_MERGE_COMMIT, bl_object_value(commit));
    struct bl_sim_sending sending = {
        .name = "pull_request", .action = "closed", .sender = merger, .pull = pull, .at = at};
    bl_sim_set_now(sim, at);
    return bl_sim_send(sim, &sending, out);
}

enum bl_status bl_sim_publish(struct bl_sim *sim, bl_str who,
                              const struct bl_sim_release *release, int64_t at,
                              struct bl_sim_delivery *out)
{
    if (!bl_is_login(who)) {
        return refuse(sim, who, "is no login");
    }
    if (!bl_is_name(release->tag)) {
        return refuse(sim, release->tag, "is no tag");
    }
    if (bl_sim_find(sim, BL_ENTITY_RELEASE, 0, release->tag) != NULL) {
        return refuse(sim, release->tag, "is released already");
    }
    struct bl_object *person = bl_sim_user_of(sim, who);
    struct bl_object *thing = bl_sim_add(sim, BL_ENTITY_RELEASE, 0, release->tag);
    if (person == NULL || thing == NULL) {
        return BL_ERR_NOMEM;
    }
    struct bl_sim_release_more *more = thing->handle;
    more->commit = bl_sim_keep(sim, release->commit);
    bl_object_set(thing, BL_FIELD_RELEASE_TAG, bl_text(thing->name));
    bl_object_set(thing, BL_FIELD_RELEASE_DRAFT, bl_bool(release->draft));
    bl_object_set(thing, BL_FIELD_RELEASE_PRERELEASE, bl_bool(release->prerelease));
    if (!release->draft) {
        bl_object_set(thing, BL_FIELD_RELEASE_PUBLISHED_AT, bl_number(BL_V_TIME, at));
    }
    struct bl_sim_sending sending = {.name = "release",
                                     .action = release->draft ? "created" : "published",
                                     .sender = person,
                                     .release = thing,
                                     .at = at};
    bl_sim_set_now(sim, at);
    return bl_sim_send(sim, &sending, out);
}

enum bl_status bl_sim_set_status(struct bl_sim *sim, bl_str who, bl_str sha, bl_str context,
                                 unsigned state, int64_t at, struct bl_sim_delivery *out)
{
    if (!bl_is_login(who)) {
        return refuse(sim, who, "is no login");
    }
    if (!bl_is_name(context) || !bl_is_name(sha)) {
        return refuse(sim, bl_is_name(sha) ? context : sha, "is no name");
    }
    struct bl_object *person = bl_sim_user_of(sim, who);
    struct bl_object *commit = bl_sim_commit_of(sim, sha);
    struct bl_object *status =
        person != NULL && commit != NULL
            ? bl_sim_change_status(sim, commit, person, context, state, BL_STR(""), at)
            : NULL;
    if (status == NULL) {
        return BL_ERR_NOMEM;
    }
    struct bl_sim_sending sending = {
        .name = "status", .sender = person, .status = status, .at = at};
    bl_sim_set_now(sim, at);
    return bl_sim_send(sim, &sending, out);
}

enum bl_status bl_sim_push(struct bl_sim *sim, bl_str who, int64_t at,
                           struct bl_sim_delivery *out)
{
    if (!bl_is_login(who)) {
        return refuse(sim, who, "is no login");
    }
    struct bl_object *person = bl_sim_user_of(sim, who);
    struct bl_object *commit = made_up_commit(sim, "push", at);
    if (person == NULL || commit == NULL) {
        return BL_ERR_NOMEM;
    }
    struct bl_sim_sending sending = {
        .name = "push", .sender = person, .pushed = commit, .at = at};
    bl_sim_set_now(sim, at);
    return bl_sim_send(sim, &sending, out);
}

enum bl_status bl_sim_end_run(struct bl_sim *sim, bl_str workflow, bl_str started_by,
                              int64_t at, struct bl_sim_delivery *out)
{
    if (!bl_is_name(workflow) || !bl_is_name(started_by)) {
        return refuse(sim, bl_is_name(workflow) ? started_by : workflow, "is no name");
    }
    struct bl_sim_sending sending = {.name = "workflow_run",
                                     .action = "completed",
                                     .sender = bl_sim_user_of(sim, sim->account),
                                     .workflow = workflow,
                                     .started_by = started_by,
                                     .at = at};
    if (sending.sender == NULL) {
        return BL_ERR_NOMEM;
    }
    bl_sim_set_now(sim, at);
    return bl_sim_send(sim, &sending, out);
}

/* ---- what ships ---------------------------------------------------------------------------
 */

/* When the commit came to the default branch by a merge; 0 when no merge brought it. */
static int64_t merged_to_default(const struct bl_sim *sim, bl_str sha)
{
    const struct bl_sim_things *pulls = &sim->things[BL_ENTITY_PULL_REQUEST];
    bl_str main = bl_text_of(bl_object_get(sim->self, BL_FIELD_REPOSITORY_DEFAULT_BRANCH));
    for (size_t i = 0; i < pulls->count; i++) {
        const struct bl_object *pull = pulls->items[i];
        const struct bl_object *commit =
            bl_object_of(bl_object_get(pull, BL_FIELD_PULL_REQUEST_MERGE_COMMIT));
        if (commit != NULL && bl_str_equal(commit->name, sha) &&
            bl_str_equal(bl_text_of(bl_object_get(pull, BL_FIELD_PULL_REQUEST_BASE)), main)) {
            return bl_sim_time(pull, BL_FIELD_PULL_REQUEST_MERGED_AT);
        }
    }
    return 0;
}

enum bl_answer bl_sim_ships(const struct bl_sim *sim, bl_str tag, bl_str sha, bool *out)
{
    const struct bl_object *release = bl_sim_find(sim, BL_ENTITY_RELEASE, 0, tag);
    if (release == NULL || bl_sim_find(sim, BL_ENTITY_COMMIT, 0, sha) == NULL) {
        return BL_MISSING;
    }
    const struct bl_sim_release_more *more = release->handle;
    int64_t cut = more->commit.len > 0 ? merged_to_default(sim, more->commit)
                                       : bl_sim_time(release, BL_FIELD_RELEASE_PUBLISHED_AT);
    int64_t merged = merged_to_default(sim, sha);
    *out = bl_str_equal(more->commit, sha) || (merged != 0 && merged <= cut);
    return BL_FOUND;
}
