/* SPDX-License-Identifier: Apache-2.0 */
#include "base/utf8.h"
#include "event/names.h"
#include "world/github/github_parts.h"

/* The effects, each as the call that GitHub has for it. What it has to read first is read anew;
 * what is so already is not written again. */

#define WORDS_BYTES 400
#define BODY_BYTES  ((size_t)1 << 20)

#define MILESTONE_PAGES 100

/* GitHub's bounds; it would answer 422. */
#define LABEL_DESCRIPTION_CHARS  100
#define STATUS_DESCRIPTION_CHARS 140

struct writing {
    struct bl_github *github;
    const struct bl_effect_call *call;
    struct bl_failure *failure;
    int64_t number; /* of the issue or pull request, or the id of the comment */
    struct bl_buf url;
    struct bl_buf body;
    struct bl_json_writer json;
    struct bl_github_result result;
};

static struct bl_value argument(const struct writing *w, size_t index)
{
    return index < w->call->arg_count ? w->call->args[index] : bl_absent();
}

static enum bl_written refuse(struct writing *w, bl_str why)
{
    w->failure->why = why;
    w->failure->again = false;
    return BL_NOT_WRITTEN;
}

/* ---- requests ---------------------------------------------------------------------------- */

static void begin(struct writing *w, const char *below)
{
    bl_github_url_below(w->github, &w->url, below);
    bl_buf_init(&w->body, &w->github->scratch, BODY_BYTES);
}

static void begin_number(struct writing *w, const char *below, int64_t number,
                         const char *behind)
{
    begin(w, below);
    bl_buf_put_int(&w->url, number);
    bl_buf_put(&w->url, bl_str_from(behind));
}

static void begin_body(struct writing *w)
{
    bl_json_writer_init(&w->json, &w->body, false);
    bl_json_begin_object(&w->json);
}

static void put_text(struct writing *w, const char *key, bl_str value)
{
    bl_json_key(&w->json, bl_str_from(key));
    bl_json_string(&w->json, value);
}

static enum bl_github_outcome send_call(struct writing *w, enum bl_github_method method)
{
    if (!bl_github_url_end(w->github, &w->url, w->failure)) {
        return BL_GITHUB_FAILED;
    }
    if (w->body.failed) {
        (void)bl_github_no_memory(w->failure);
        return BL_GITHUB_FAILED;
    }
    const struct bl_github_call call = {
        .method = method,
        .url = bl_buf_str(&w->url),
        .body = method == BL_GITHUB_GET ? BL_STR("") : bl_buf_str(&w->body),
        .elsewhere_is_missing = method == BL_GITHUB_GET,
        .permission = bl_effect_info(w->call->effect)->permission,
    };
    w->result = (struct bl_github_result){.json = NULL};
    return bl_github_call(w->github, &call, &w->result, w->failure);
}

static enum bl_github_outcome send_body(struct writing *w, enum bl_github_method method)
{
    bl_json_end_object(&w->json);
    return send_call(w, method);
}

static enum bl_written written(enum bl_github_outcome outcome)
{
    switch (outcome) {
    case BL_GITHUB_DONE:
        return BL_WRITTEN;
    case BL_GITHUB_UNKNOWN:
        return BL_UNKNOWN_WRITTEN;
    case BL_GITHUB_MISSING: /* what it is about is gone; why stands in the failure */
    case BL_GITHUB_FAILED:
        break;
    }
    return BL_NOT_WRITTEN;
}

static bl_str text_in(const struct bl_json *json, const char *key)
{
    const struct bl_json *node = bl_json_get(json, bl_str_from(key));
    return node != NULL && node->kind == BL_JSON_STRING ? node->string : BL_STR("");
}

static int64_t number_in(const struct bl_json *json, const char *key)
{
    const struct bl_json *node = bl_json_get(json, bl_str_from(key));
    return node != NULL && node->kind == BL_JSON_INT ? node->integer : 0;
}

static enum bl_written unreadable(struct writing *w)
{
    const struct bl_github_call call = {.method = BL_GITHUB_GET, .url = bl_buf_str(&w->url)};
    (void)bl_github_wrong_shape(w->github, &call, w->failure);
    return BL_NOT_WRITTEN;
}

/* ---- labels ------------------------------------------------------------------------------ */

static void put_label(struct writing *w)
{
    put_text(w, "color", w->call->label_color);
    put_text(w, "description", w->call->label_description);
}

static enum bl_written write_ensure_label(struct writing *w)
{
    bl_str name = bl_text_of(argument(w, 0));
    if (bl_utf8_length(w->call->label_description) > LABEL_DESCRIPTION_CHARS) {
        return refuse(w, BL_STR("the description of a label has at most 100 characters on "
                                "GitHub"));
    }
    begin(w, "/labels/");
    bl_address_put_step(&w->url, name);
    enum bl_github_outcome outcome = send_call(w, BL_GITHUB_GET);
    if (outcome == BL_GITHUB_MISSING) {
        begin(w, "/labels");
        begin_body(w);
        put_text(w, "name", name);
        put_label(w);
        return written(send_body(w, BL_GITHUB_POST));
    }
    if (outcome != BL_GITHUB_DONE) {
        return BL_NOT_WRITTEN;
    }
    if (text_in(w->result.json, "name").len == 0) {
        return unreadable(w);
    }
    if (bl_str_equal_nocase(text_in(w->result.json, "color"), w->call->label_color) &&
        bl_str_equal(text_in(w->result.json, "description"), w->call->label_description)) {
        return BL_WRITTEN;
    }
    begin(w, "/labels/");
    bl_address_put_step(&w->url, name);
    begin_body(w);
    put_label(w);
    return written(send_body(w, BL_GITHUB_PATCH));
}

static enum bl_written write_add_label(struct writing *w)
{
    bl_str rationale = bl_text_of(argument(w, 2));
    begin_number(w, "/issues/", w->number, "/labels");
    begin_body(w);
    bl_json_key(&w->json, BL_STR("labels"));
    bl_json_begin_array(&w->json);
    if (rationale.len == 0) {
        bl_json_string(&w->json, bl_text_of(argument(w, 1)));
    } else {
        bl_json_begin_object(&w->json);
        put_text(w, "name", bl_text_of(argument(w, 1)));
        put_text(w, "rationale", rationale);
        bl_json_end_object(&w->json);
    }
    bl_json_end_array(&w->json);
    return written(send_body(w, BL_GITHUB_POST));
}

static bool has_label(const struct bl_json *labels, bl_str name)
{
    for (size_t i = 0; i < labels->count; i++) {
        if (bl_str_equal_nocase(text_in(&labels->items[i], "name"), name)) {
            return true;
        }
    }
    return false;
}

/* 404 says that the issue lacks the label, or that there is no such issue; the issue knows. */
static enum bl_written write_remove_label(struct writing *w)
{
    bl_str name = bl_text_of(argument(w, 1));
    begin_number(w, "/issues/", w->number, "/labels/");
    bl_address_put_step(&w->url, name);
    enum bl_github_outcome outcome = send_call(w, BL_GITHUB_DELETE);
    if (outcome != BL_GITHUB_MISSING) {
        return written(outcome);
    }
    begin_number(w, "/issues/", w->number, "");
    outcome = send_call(w, BL_GITHUB_GET);
    if (outcome != BL_GITHUB_DONE) {
        return BL_NOT_WRITTEN;
    }
    const struct bl_json *labels = bl_json_get(w->result.json, BL_STR("labels"));
    if (labels == NULL || labels->kind != BL_JSON_ARRAY) {
        return unreadable(w);
    }
    return has_label(labels, name)
               ? refuse(w, BL_STR("GitHub does not find the label that it lists"))
               : BL_WRITTEN;
}

/* ---- comments ---------------------------------------------------------------------------- */

static enum bl_written check_comment(struct writing *w, bl_str text)
{
    if (text.len == 0) {
        return refuse(w, BL_STR("a comment cannot be empty"));
    }
    if (bl_utf8_length(text) > bl_limit(BL_LIMIT_COMMENT_CHARS)) {
        return refuse(w, BL_STR("a comment has at most 65536 characters on GitHub"));
    }
    return BL_WRITTEN;
}

static enum bl_written write_post(struct writing *w)
{
    if (check_comment(w, w->call->body) != BL_WRITTEN) {
        return BL_NOT_WRITTEN;
    }
    begin_number(w, "/issues/", w->number, "/comments");
    begin_body(w);
    put_text(w, "body", w->call->body);
    return written(send_body(w, BL_GITHUB_POST));
}

/* The first line is ours, the rest is what it is now. */
static enum bl_written write_mark(struct writing *w)
{
    struct bl_buf text;
    begin_number(w, "/issues/comments/", w->number, "");
    if (send_call(w, BL_GITHUB_GET) != BL_GITHUB_DONE) {
        return BL_NOT_WRITTEN;
    }
    const struct bl_json *body = bl_json_get(w->result.json, BL_STR("body"));
    if (body == NULL || body->kind != BL_JSON_STRING) {
        return unreadable(w);
    }
    if (!bl_str_starts_with(body->string, BL_STR("<!--"))) {
        return refuse(w, BL_STR("somebody took the marker out of the comment"));
    }
    bl_buf_init(&text, &w->github->scratch, BODY_BYTES);
    bl_buf_put(&text, w->call->body);
    bl_buf_put(&text, bl_str_behind_line(body->string));
    if (text.failed || check_comment(w, bl_buf_str(&text)) != BL_WRITTEN) {
        return BL_NOT_WRITTEN;
    }
    if (bl_str_equal(bl_buf_str(&text), body->string)) {
        return BL_WRITTEN;
    }
    begin_number(w, "/issues/comments/", w->number, "");
    begin_body(w);
    put_text(w, "body", bl_buf_str(&text));
    return written(send_body(w, BL_GITHUB_PATCH));
}

static enum bl_written write_react(struct writing *w)
{
    static const bl_str contents[] = {
        [BL_REACTION_KIND_THUMBS_UP] = {"+1", 2}, [BL_REACTION_KIND_THUMBS_DOWN] = {"-1", 2},
        [BL_REACTION_KIND_EYES] = {"eyes", 4},    [BL_REACTION_KIND_CONFUSED] = {"confused", 8},
        [BL_REACTION_KIND_HEART] = {"heart", 5},  [BL_REACTION_KIND_HOORAY] = {"hooray", 6},
        [BL_REACTION_KIND_LAUGH] = {"laugh", 5},  [BL_REACTION_KIND_ROCKET] = {"rocket", 6},
    };
    size_t kind = (size_t)argument(w, 1).as.i;
    if (kind >= sizeof(contents) / sizeof(contents[0])) {
        return refuse(w, BL_STR("GitHub has no such reaction"));
    }
    begin_number(w, "/issues/comments/", w->number, "/reactions");
    begin_body(w);
    put_text(w, "content", contents[kind]);
    return written(send_body(w, BL_GITHUB_POST));
}

/* ---- milestones -------------------------------------------------------------------------- */

/* Its number; 0 when there is none of that title. A list that was not read to its end does not
 * say that. */
static enum bl_github_outcome find_milestone(struct writing *w, bl_str title, int64_t *number)
{
    struct bl_github_trail trail = {.reach = 0};
    *number = 0;
    begin(w, "/milestones?state=all&per_page=100");
    trail.kept = bl_buf_str(&w->url);
    for (unsigned page = 0; page < MILESTONE_PAGES; page++) {
        enum bl_github_outcome outcome = send_call(w, BL_GITHUB_GET);
        const struct bl_json *json = w->result.json;
        if (outcome != BL_GITHUB_DONE) {
            return outcome == BL_GITHUB_MISSING ? BL_GITHUB_FAILED : outcome;
        }
        if (json == NULL || json->kind != BL_JSON_ARRAY) {
            (void)unreadable(w);
            return BL_GITHUB_FAILED;
        }
        for (size_t i = 0; i < json->count; i++) {
            if (bl_str_equal(text_in(&json->items[i], "title"), title)) {
                *number = number_in(&json->items[i], "number");
                return BL_GITHUB_DONE;
            }
        }
        bl_str next = w->result.next;
        if (next.len == 0) {
            return BL_GITHUB_DONE;
        }
        if (!bl_github_leads_on(&trail, &w->github->scratch, next)) {
            (void)unreadable(w);
            return BL_GITHUB_FAILED;
        }
        bl_buf_init(&w->url, &w->github->scratch, next.len);
        bl_buf_put(&w->url, next);
    }
    (void)refuse(w, BL_STR("the repository has more milestones than are looked through"));
    return BL_GITHUB_FAILED;
}

static enum bl_written write_milestone(struct writing *w)
{
    bl_str title = bl_text_of(argument(w, 1));
    int64_t number;
    if (find_milestone(w, title, &number) != BL_GITHUB_DONE) {
        return BL_NOT_WRITTEN;
    }
    if (number == 0) {
        begin(w, "/milestones");
        begin_body(w);
        put_text(w, "title", title);
        put_text(w, "state", BL_STR("closed"));
        enum bl_github_outcome outcome = send_body(w, BL_GITHUB_POST);
        if (outcome != BL_GITHUB_DONE) {
            return written(outcome);
        }
        number = number_in(w->result.json, "number");
        if (number <= 0) {
            return unreadable(w);
        }
    }
    begin_number(w, "/issues/", w->number, "");
    begin_body(w);
    bl_json_key(&w->json, BL_STR("milestone"));
    bl_json_integer(&w->json, number);
    return written(send_body(w, BL_GITHUB_PATCH));
}

/* ---- state ------------------------------------------------------------------------------- */

/* What an issue is called where its number will not do. */
static enum bl_written find_id(struct writing *w, int64_t number, int64_t *id)
{
    begin_number(w, "/issues/", number, "");
    if (send_call(w, BL_GITHUB_GET) != BL_GITHUB_DONE) {
        return BL_NOT_WRITTEN;
    }
    *id = number_in(w->result.json, "id");
    return *id > 0 ? BL_WRITTEN : unreadable(w);
}

static enum bl_written write_close(struct writing *w)
{
    unsigned reason = (unsigned)argument(w, 1).as.i;
    const struct bl_object *original = bl_object_of(argument(w, 2));
    bool duplicate = reason == BL_STATE_REASON_DUPLICATE && original != NULL;
    int64_t id = 0;
    if (duplicate && find_id(w, original->key, &id) != BL_WRITTEN) {
        return BL_NOT_WRITTEN;
    }
    begin_number(w, "/issues/", w->number, "");
    begin_body(w);
    put_text(w, "state", BL_STR("closed"));
    put_text(w, "state_reason", bl_enum_member(BL_ENUM_STATE_REASON, reason));
    if (duplicate) {
        bl_json_key(&w->json, BL_STR("duplicate_issue_id"));
        bl_json_integer(&w->json, id);
    }
    return written(send_body(w, BL_GITHUB_PATCH));
}

static enum bl_written write_reopen(struct writing *w)
{
    begin_number(w, "/issues/", w->number, "");
    begin_body(w);
    put_text(w, "state", BL_STR("open"));
    return written(send_body(w, BL_GITHUB_PATCH));
}

static enum bl_written write_lock(struct writing *w)
{
    static const bl_str reasons[] = {
        [BL_LOCK_REASON_OFF_TOPIC] = {"off-topic", 9},
        [BL_LOCK_REASON_TOO_HEATED] = {"too heated", 10},
        [BL_LOCK_REASON_RESOLVED] = {"resolved", 8},
        [BL_LOCK_REASON_SPAM] = {"spam", 4},
    };
    size_t reason = (size_t)argument(w, 1).as.i;
    if (reason >= sizeof(reasons) / sizeof(reasons[0])) {
        return refuse(w, BL_STR("GitHub has no such reason to lock"));
    }
    begin_number(w, "/issues/", w->number, "/lock");
    begin_body(w);
    put_text(w, "lock_reason", reasons[reason]);
    return written(send_body(w, BL_GITHUB_PUT));
}

static enum bl_written write_status(struct writing *w)
{
    const struct bl_object *commit = bl_object_of(argument(w, 0));
    bl_str description = bl_text_of(argument(w, 3));
    if (commit == NULL) {
        return refuse(w, BL_STR("a status needs a commit"));
    }
    if (bl_utf8_length(description) > STATUS_DESCRIPTION_CHARS) {
        return refuse(w, BL_STR("the description of a status has at most 140 characters on "
                                "GitHub"));
    }
    begin(w, "/statuses/");
    bl_address_put_step(&w->url, commit->name);
    begin_body(w);
    put_text(w, "state", bl_enum_member(BL_ENUM_STATUS_STATE, (unsigned)argument(w, 2).as.i));
    put_text(w, "context", bl_text_of(argument(w, 1)));
    if (description.len > 0) {
        put_text(w, "description", description);
    }
    return written(send_body(w, BL_GITHUB_POST));
}

/* GitHub writes the reasons in words. */
static enum bl_written write_dismiss(struct writing *w)
{
    static const bl_str reasons[] = {
        [BL_DISMISSAL_FALSE_POSITIVE] = {"false positive", 14},
        [BL_DISMISSAL_WONT_FIX] = {"won't fix", 9},
        [BL_DISMISSAL_USED_IN_TESTS] = {"used in tests", 13},
    };
    size_t reason = (size_t)argument(w, 1).as.i;
    bl_str comment = bl_text_of(argument(w, 2));
    if (reason >= sizeof(reasons) / sizeof(reasons[0])) {
        return refuse(w, BL_STR("GitHub has no such reason to dismiss"));
    }
    if (bl_utf8_length(comment) > bl_limit(BL_LIMIT_DISMISSAL_CHARS)) {
        return refuse(w, BL_STR("the comment of a dismissal has at most 280 characters on "
                                "GitHub"));
    }
    begin_number(w, "/code-scanning/alerts/", w->number, "");
    begin_body(w);
    put_text(w, "state", BL_STR("dismissed"));
    put_text(w, "dismissed_reason", reasons[reason]);
    if (comment.len > 0) {
        put_text(w, "dismissed_comment", comment);
    }
    return written(send_body(w, BL_GITHUB_PATCH));
}

/* ---- all --------------------------------------------------------------------------------- */

static enum bl_written carry_out(struct writing *w)
{
    switch (w->call->effect) {
    case BL_EFFECT_ENSURE_LABEL:
        return write_ensure_label(w);
    case BL_EFFECT_MARK:
        return write_mark(w);
    case BL_EFFECT_ADD_LABEL:
        return write_add_label(w);
    case BL_EFFECT_POST:
        return write_post(w);
    case BL_EFFECT_REACT:
        return write_react(w);
    case BL_EFFECT_MILESTONE:
        return write_milestone(w);
    case BL_EFFECT_CLOSE:
        return write_close(w);
    case BL_EFFECT_LOCK:
        return write_lock(w);
    case BL_EFFECT_REMOVE_LABEL:
        return write_remove_label(w);
    case BL_EFFECT_REOPEN:
        return write_reopen(w);
    case BL_EFFECT_STATUS:
        return write_status(w);
    case BL_EFFECT_DISMISS:
        return write_dismiss(w);
    case BL_EFFECT_SUGGEST_DUPLICATE:
        /* GitHub shows such suggestions, and describes no request that makes one. */
        return refuse(w, BL_STR("GitHub describes no way to suggest it"));
    case BL_EFFECT_KEEP: /* of the job, see write_rows */
    case BL_EFFECT_START:
    case BL_EFFECT_OUTPUT:
    case BL_EFFECT_NOTICE:
    case BL_EFFECT_WARN:
    case BL_EFFECT_ERROR:
    case BL_EFFECT_FAIL:
    case BL_EFFECT_SUMMARY:
    case BL_EFFECT_COUNT:
        break;
    }
    return refuse(w, BL_STR("this effect is the job's own, not GitHub's"));
}

/* A store is a file of the checkout, which is the job's to write. */
static enum bl_written write_rows(struct writing *w)
{
    const struct bl_github_job *job = &w->github->options.job;

    if (job->keep == NULL) {
        return refuse(w, BL_STR("this run keeps no files"));
    }
    return job->keep(job->context, w->call->path, w->call->body, w->failure);
}

static enum bl_written write_on_target(struct writing *w)
{
    enum bl_effect effect = w->call->effect;
    if (effect == BL_EFFECT_KEEP) {
        return write_rows(w);
    }
    if (effect == BL_EFFECT_ENSURE_LABEL || effect == BL_EFFECT_STATUS) {
        return carry_out(w);
    }
    const struct bl_object *target =
        w->call->target != NULL ? w->call->target : bl_object_of(argument(w, 0));
    if (target == NULL) {
        return refuse(w, BL_STR("an effect acts on nothing"));
    }
    if (!bl_str_equal_nocase(target->name, w->github->options.repository)) {
        return refuse(w, BL_STR("it belongs to another repository"));
    }
    w->number = target->key;
    return carry_out(w);
}

enum bl_written bl_github_write(void *self, struct bl_arena *arena,
                                const struct bl_effect_call *call, struct bl_failure *failure)
{
    struct bl_github *github = self;
    struct writing w = {.github = github, .call = call, .failure = failure};
    *failure = (struct bl_failure){.again = false};
    bl_github_scratch_begin(github);
    bl_github_batch_forget(github);
    enum bl_written result = write_on_target(&w);
    const struct bl_github_journal *journal = &github->options.journal;
    if (result == BL_WRITTEN && journal->written != NULL) {
        journal->written(journal->context, call);
    }
    if (result != BL_WRITTEN && failure->why.len == 0) {
        (void)bl_github_no_memory(failure);
    }
    if (result != BL_WRITTEN) {
        struct bl_buf what;
        bl_buf_init(&what, arena, WORDS_BYTES);
        bl_buf_printf(&what, "'%.*s' was not carried out",
                      BL_STR_ARG(bl_effect_info(call->effect)->words));
        failure->what = bl_buf_str(&what);
    }
    return result;
}
