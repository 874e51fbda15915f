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

/* What a commit says of itself, each field that is not known yet. */
static bool describe_commit(struct bl_sim *sim, struct bl_object *commit,
                            const struct bl_sim_commit *from, int64_t at)
{
    struct bl_object *author = bl_sim_user_of(sim, from->author);
    struct bl_object *committer =
        from->committer.len > 0 ? bl_sim_user_of(sim, from->committer) : author;
    struct bl_buf email;
    bl_buf_init(&email, sim->arena, 400);
    bl_buf_put(&email, from->email);
    if (from->email.len == 0) {
        bl_buf_put(&email, from->author);
        BL_PUT(&email, "@users.noreply.github.com");
    }
    if (author == NULL || committer == NULL) {
        return false;
    }
    bl_object_set(commit, BL_FIELD_COMMIT_AUTHOR, bl_object_value(author));
    bl_object_set(commit, BL_FIELD_COMMIT_COMMITTER, bl_object_value(committer));
    bl_object_set(commit, BL_FIELD_COMMIT_AUTHOR_EMAIL, bl_text(bl_buf_str(&email)));
    bl_object_set(commit, BL_FIELD_COMMIT_MESSAGE, bl_sim_keep_text(sim, from->message));
    bl_object_set(commit, BL_FIELD_COMMIT_COMMITTED_AT, bl_number(BL_V_TIME, at));
    bl_object_set(commit, BL_FIELD_COMMIT_MADE_AT, bl_number(BL_V_TIME, at));
    return !sim->arena->failed;
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
    const struct bl_sim_commit own = {
        .author = bl_object_of(bl_object_get(issue, BL_FIELD_ISSUE_AUTHOR))->name,
        .message = from->title};
    if (!bl_object_knows(head, BL_FIELD_COMMIT_AUTHOR) &&
        !describe_commit(sim, head, &own, bl_sim_time(issue, BL_FIELD_ISSUE_CREATED_AT))) {
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

/* An open pull request of a number; *status says why not. */
static struct bl_object *open_pull(struct bl_sim *sim, int64_t number, enum bl_status *status)
{
    struct bl_object *pull = bl_sim_find(sim, BL_ENTITY_PULL_REQUEST, number, BL_STR(""));
    *status = BL_OK;
    if (pull == NULL) {
        *status = refuse_number(sim, number, "is no pull request");
    } else if (bl_sim_member(pull->handle, BL_FIELD_ISSUE_STATE) == BL_ISSUE_STATE_CLOSED) {
        *status = refuse_number(sim, number, "is closed already");
    }
    return *status == BL_OK ? pull : NULL;
}

/* The one that every pull request has is left only where nobody gives another. */
static bool add_commit(struct bl_sim *sim, struct bl_object *pull, struct bl_object *commit)
{
    struct bl_list *commits = bl_sim_list(pull, BL_FIELD_PULL_REQUEST_COMMITS);
    const struct bl_object *made_up = made_up_commit(sim, "head", pull->key);
    if (commits == NULL || made_up == NULL) {
        return false;
    }
    if (commits->count == 1 && commits->items[0].as.object == made_up) {
        commits->count = 0;
    }
    bl_object_set(pull, BL_FIELD_PULL_REQUEST_HEAD, bl_object_value(commit));
    return bl_list_push(sim->arena, commits, bl_object_value(commit)) == BL_OK;
}

static bool has_commit(const struct bl_object *pull, const struct bl_object *commit)
{
    const struct bl_list *commits = bl_sim_list(pull, BL_FIELD_PULL_REQUEST_COMMITS);
    for (uint32_t i = 0; commits != NULL && i < commits->count; i++) {
        if (commits->items[i].as.object == commit) {
            return true;
        }
    }
    return false;
}

enum bl_status bl_sim_commit_to(struct bl_sim *sim, bl_str who, int64_t number,
                                const struct bl_sim_commit *from, int64_t at,
                                struct bl_sim_delivery *out)
{
    enum bl_status status;
    struct bl_object *pull = open_pull(sim, number, &status);
    if (pull == NULL) {
        return status;
    }
    if (!bl_is_login(who) || !bl_is_login(from->author) ||
        (from->committer.len > 0 && !bl_is_login(from->committer))) {
        return refuse(sim, bl_is_login(who) ? from->author : who, "is no login");
    }
    if (!bl_is_name(from->sha)) {
        return refuse(sim, from->sha, "is no name");
    }
    struct bl_object *person = bl_sim_user_of(sim, who);
    struct bl_object *commit = bl_sim_commit_of(sim, from->sha);
    if (commit != NULL && has_commit(pull, commit)) {
        return refuse(sim, from->sha, "is a commit of it already");
    }
    /* On another branch a commit is what it was. */
    bool is_new = commit != NULL && !bl_object_knows(commit, BL_FIELD_COMMIT_AUTHOR);
    if (person == NULL || commit == NULL ||
        (is_new && !describe_commit(sim, commit, from, at)) || !add_commit(sim, pull, commit)) {
        return BL_ERR_NOMEM;
    }
    struct bl_sim_sending sending = {.name = "pull_request",
                                     .action = "synchronize",
                                     .sender = person,
                                     .pull = pull,
                                     .at = at};
    bl_sim_set_now(sim, at);
    return bl_sim_send(sim, &sending, out);
}

static enum bl_status give_name(struct bl_sim *sim, int64_t number, enum bl_field field,
                                bl_str name)
{
    enum bl_status status;
    struct bl_object *pull = open_pull(sim, number, &status);
    if (pull == NULL) {
        return status;
    }
    if (!bl_is_name(name)) {
        return refuse(sim, name, "is no name");
    }
    bl_object_set(pull, field, bl_sim_keep_text(sim, name));
    return sim->arena->failed ? BL_ERR_NOMEM : BL_OK;
}

enum bl_status bl_sim_give_branch(struct bl_sim *sim, int64_t number, bl_str branch)
{
    return give_name(sim, number, BL_FIELD_PULL_REQUEST_HEAD_BRANCH, branch);
}

enum bl_status bl_sim_give_fork(struct bl_sim *sim, int64_t number, bl_str repository)
{
    return give_name(sim, number, BL_FIELD_PULL_REQUEST_HEAD_REPOSITORY, repository);
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

enum bl_status bl_sim_set_status(struct bl_sim *sim, bl_str who,
                                 const struct bl_sim_status *set, int64_t at,
                                 struct bl_sim_delivery *out)
{
    if (!bl_is_login(who)) {
        return refuse(sim, who, "is no login");
    }
    if (!bl_is_name(set->context) || !bl_is_name(set->sha)) {
        return refuse(sim, bl_is_name(set->sha) ? set->context : set->sha, "is no name");
    }
    struct bl_object *person = bl_sim_user_of(sim, who);
    struct bl_object *commit = bl_sim_commit_of(sim, set->sha);
    struct bl_object *status = person != NULL && commit != NULL
                                   ? bl_sim_change_status(sim, commit, person, set->context,
                                                          set->state, BL_STR(""), at)
                                   : NULL;
    if (status == NULL) {
        return BL_ERR_NOMEM;
    }
    if (set->link.len > 0) {
        bl_object_set(status, BL_FIELD_STATUS_TARGET_LINK, bl_sim_keep_text(sim, set->link));
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
