/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/tables.h"
#include "world/github/github_tape.h"
#include "world/github/github_verdict.h"

/* One call, until GitHub has said what becomes of it. What may be sent again, and when:
 *
 *                          read                       write
 *   secondary limit        after a minute or as said, three times, both alike: GitHub did
 *                          nothing with it (FLT-04)
 *   5xx, broken            after 2, 4, 8 s (FLT-05)   never (FLT-06)
 *   everything else        never (FLT-07)             never
 */
#define SECONDARY_TRIES   3
#define SECONDARY_SECONDS 60
#define PATIENCE_SECONDS  600 /* longer waits than this are left to another run */
#define SERVER_TRIES      3
#define SILENT_CALLS      3u /* after their tries, one after another */
#define REDIRECTS         3

#define KNOWN_MAX          64
#define KNOWN_BYTES        ((size_t)8 << 20)
#define KNOWN_ANSWER_BYTES ((size_t)512 << 10)

void bl_github_scratch_begin(struct bl_github *github)
{
    bl_arena_reset(&github->scratch);
}

/* ---- answers that are known -------------------------------------------------------------- */

static struct bl_github_known *find_known(struct bl_github *github, bl_str url)
{
    for (size_t i = 0; i < github->known.count; i++) {
        if (bl_str_equal(github->known.items[i].url, url)) {
            return &github->known.items[i];
        }
    }
    return NULL;
}

/* What is replaced stays in the arena, so that the sum of all that was ever kept is bounded. */
static void keep_known(struct bl_github *github, bl_str url,
                       const struct bl_github_answer *answer)
{
    size_t bytes = url.len + answer->body.len + answer->headers.link.len;
    struct bl_github_known *known = find_known(github, url);
    if (answer->headers.etag.len == 0 || bytes > KNOWN_ANSWER_BYTES ||
        github->known_bytes + bytes > KNOWN_BYTES ||
        (known == NULL && github->known.count >= KNOWN_MAX)) {
        if (known != NULL) {
            known->etag = BL_STR("");
        }
        return;
    }
    if (known == NULL) {
        known = BL_PUSH(github->arena, github->known);
    }
    if (known != NULL) {
        github->known_bytes += bytes;
        known->url = bl_arena_copy(github->arena, url);
        known->link = bl_arena_copy(github->arena, answer->headers.link);
        known->body = bl_arena_copy(github->arena, answer->body);
        known->etag = bl_arena_copy(github->arena, answer->headers.etag);
    }
}

/* ---- one attempt ------------------------------------------------------------------------- */

struct attempt {
    enum bl_github_wire wire;
    struct bl_github_answer answer;
    const struct bl_json *json;
    enum bl_github_verdict verdict;
};

static bool is_write(const struct bl_github_call *call)
{
    return call->method != BL_GITHUB_GET && !call->query;
}

static const struct bl_json *parse(struct bl_github *github,
                                   const struct bl_github_answer *answer)
{
    struct bl_json_error error;
    size_t notes = 0;
    if (!answer->headers.json || answer->body.len == 0) {
        return NULL;
    }
    return bl_json_parse(&github->scratch, answer->body, bl_limit(BL_LIMIT_JSON_DEPTH), &notes,
                         &error);
}

/* GitHub asks for a second between writes. */
static void wait_for_write(struct bl_github *github)
{
    const struct bl_github_clock *clock = &github->options.clock;
    int64_t gap = github->options.write_gap_s;
    if (github->options.write_gap_s == UINT32_MAX || github->last_write == 0) {
        return;
    }
    int64_t since = clock->now(clock->context) - github->last_write;
    if (since < gap) {
        clock->wait(clock->context, since < 0 ? gap : gap - since);
    }
}

static void count_points(struct bl_github *github, const struct bl_json *json)
{
    const struct bl_json *cost = bl_json_at(json, BL_STR("data.rateLimit.cost"));
    if (cost != NULL && cost->kind == BL_JSON_INT && cost->integer > 0 &&
        cost->integer < INT32_MAX) {
        github->counts.points += (size_t)cost->integer;
    }
}

static void use_known(struct bl_github *github, const struct bl_github_known *known,
                      struct attempt *attempt)
{
    attempt->answer.body = known->body;
    attempt->answer.headers.link = known->link;
    attempt->answer.headers.json = true;
    attempt->answer.status = 200;
    attempt->json = parse(github, &attempt->answer);
    attempt->verdict = attempt->json != NULL ? BL_VERDICT_DONE : BL_VERDICT_UNREADABLE;
    github->counts.unchanged++;
}

static void make_attempt(struct bl_github *github, const struct bl_github_call *call,
                         struct attempt *attempt)
{
    const struct bl_github_clock *clock = &github->options.clock;
    bool write = is_write(call);
    struct bl_github_known *known =
        call->method == BL_GITHUB_GET ? find_known(github, call->url) : NULL;
    const struct bl_github_request request = {
        .method = call->method,
        .url = call->url,
        .body = call->body,
        .etag = known != NULL ? known->etag : BL_STR(""),
        .fresh = write,
        .stop = write ? (struct bl_github_stop){NULL, NULL} : github->options.stop,
    };
    *attempt = (struct attempt){.json = NULL};
    attempt->wire = github->transport.send(github->transport.self, &github->scratch, &request,
                                           &attempt->answer);
    github->counts.requests++;
    github->counts.queries += call->query;
    github->counts.writes += write;
    if (write) {
        github->last_write = clock->now(clock->context);
    }
    if (attempt->wire == BL_WIRE_ANSWERED) {
        attempt->json = parse(github, &attempt->answer);
    }
    attempt->verdict = bl_github_judge(call, attempt->wire, &attempt->answer, attempt->json);
    if (attempt->verdict == BL_VERDICT_UNCHANGED) {
        if (known != NULL && known->etag.len > 0) {
            use_known(github, known, attempt);
        } else {
            attempt->verdict = BL_VERDICT_UNREADABLE;
        }
    } else if (attempt->verdict == BL_VERDICT_DONE && call->method == BL_GITHUB_GET) {
        keep_known(github, call->url, &attempt->answer);
    }
    if (call->query) {
        count_points(github, attempt->json);
    }
}

/* ---- redirects --------------------------------------------------------------------------- */

enum move { MOVE_FOLLOW, MOVE_ELSEWHERE, MOVE_REFUSED };

/* The number in "/repositories/{id}/…"; 0 when the path is another one. */
static int64_t repository_in(bl_str path)
{
    static const bl_str prefix = {"/repositories/", 14};
    int64_t id = 0;
    size_t i = prefix.len;
    if (!bl_str_starts_with(path, prefix)) {
        return 0;
    }
    while (i < path.len && bl_is_ascii_digit(path.ptr[i]) && id < INT64_C(1) << 53) {
        id = id * 10 + (path.ptr[i++] - '0');
    }
    return i == path.len || path.ptr[i] == '/' || path.ptr[i] == '?' ? id : 0;
}

static bool is_of_api(const struct bl_github *github, bl_str url, struct bl_address *address)
{
    bl_str base = github->api.path;
    return bl_address_parse(url, address) && bl_address_same_origin(address, &github->api) &&
           bl_str_starts_with(address->path, base) &&
           bl_str_starts_with(bl_str_slice(address->path, base.len, SIZE_MAX), BL_STR("/"));
}

/* A repository that was renamed answers with its number, an issue that was moved with that of
 * the repository where it is now. */
static enum move look_at_move(struct bl_github *github, const struct bl_github_call *call,
                              bl_str location, bl_str *url)
{
    struct bl_address address;
    bl_str base = github->api.path;
    int64_t own = github->options.repository_id;
    if (call->method != BL_GITHUB_GET || !is_of_api(github, location, &address)) {
        return MOVE_REFUSED;
    }
    int64_t id = repository_in(bl_str_slice(address.path, base.len, address.path.len));
    if (call->elsewhere_is_missing && (id == 0 || own == 0)) {
        return MOVE_REFUSED; /* nobody can say whose it is */
    }
    if (call->elsewhere_is_missing && id != own) {
        return MOVE_ELSEWHERE;
    }
    *url = bl_arena_copy(&github->scratch, location);
    return url->len > 0 ? MOVE_FOLLOW : MOVE_REFUSED;
}

/* ---- the call ---------------------------------------------------------------------------- */

struct patience {
    unsigned secondary;
    unsigned server;
    unsigned redirects;
};

static bool is_told_to_stop(struct bl_github *github)
{
    const struct bl_github_stop *stop = &github->options.stop;
    if (!github->told && stop->told != NULL && stop->told(stop->context)) {
        github->told = true;
        bl_github_record_stop(github->arena, &github->options);
    }
    return github->told;
}

/* What the next call would meet as well. A sweep over hundreds of issues must neither ask
 * hundreds of times nor wait for each of them. */
static void see_whether_over(struct bl_github *github, const struct attempt *attempt,
                             bool write)
{
    bool silent = attempt->verdict == BL_VERDICT_SERVER ||
                  attempt->verdict == BL_VERDICT_BROKEN ||
                  attempt->verdict == BL_VERDICT_NO_CONTACT;
    github->silent[write] = silent ? github->silent[write] + 1 : 0;
    if (attempt->verdict == BL_VERDICT_SECONDARY) {
        github->closed = BL_STR("GitHub asked for fewer requests before, and again after the "
                                "waits that it named");
    } else if (attempt->wire == BL_WIRE_ANSWERED && attempt->answer.status == 401) {
        github->closed = BL_STR("GitHub refused the token before");
    } else if (github->silent[write] >= SILENT_CALLS) {
        github->closed = BL_STR("GitHub did not answer several requests in a row");
    }
}

static enum bl_github_outcome fail(struct bl_github *github, const struct bl_github_call *call,
                                   const struct attempt *attempt, struct bl_failure *failure)
{
    bl_github_explain(github->arena, github, call, attempt->verdict, attempt->wire,
                      &attempt->answer, attempt->json, failure);
    if (attempt->wire == BL_WIRE_NO_MEMORY || github->scratch.failed) {
        (void)bl_github_no_memory(failure);
    }
    see_whether_over(github, attempt, is_write(call));
    failure->over = github->out_of_points || github->closed.len > 0 || is_told_to_stop(github);
    if (is_told_to_stop(github) && !is_write(call)) {
        failure->why = BL_STR("the run was told to stop");
        failure->help = BL_STR("");
        failure->again = true;
    }
    /* Of a write that GitHub may have got, and of which it did not say no. */
    bool unknown = is_write(call) && (attempt->verdict == BL_VERDICT_SERVER ||
                                      attempt->verdict == BL_VERDICT_BROKEN ||
                                      attempt->verdict == BL_VERDICT_UNREADABLE);
    if (unknown) {
        failure->help = BL_STR("It may have taken effect. The next run of the job looks, and "
                               "goes on from there.");
    }
    return unknown ? BL_GITHUB_UNKNOWN : BL_GITHUB_FAILED;
}

/* Waits when the call may be made once more. */
static bool may_repeat(struct bl_github *github, const struct bl_github_call *call,
                       const struct attempt *attempt, struct patience *patience)
{
    const struct bl_github_clock *clock = &github->options.clock;
    int64_t seconds = 0;
    if (attempt->verdict == BL_VERDICT_SECONDARY) {
        int64_t said = attempt->answer.headers.retry_after;
        seconds = said >= 0 ? said : SECONDARY_SECONDS;
        if (patience->secondary >= SECONDARY_TRIES || seconds > PATIENCE_SECONDS) {
            return false;
        }
        patience->secondary++;
        github->counts.waits++;
    } else if (!is_write(call) && (attempt->verdict == BL_VERDICT_SERVER ||
                                   attempt->verdict == BL_VERDICT_BROKEN ||
                                   (attempt->verdict == BL_VERDICT_NO_CONTACT &&
                                    attempt->wire == BL_WIRE_NOT_SENT))) {
        if (patience->server >= SERVER_TRIES) {
            return false;
        }
        patience->server++;
        seconds = INT64_C(1) << patience->server;
        github->counts.retries++;
    } else {
        return false;
    }
    if (seconds > 0) {
        clock->wait(clock->context, seconds);
    }
    return true;
}

static void remember_limit(struct bl_github *github, const struct attempt *attempt)
{
    const struct bl_github_clock *clock = &github->options.clock;
    int64_t reset = attempt->answer.headers.reset;
    github->out_of_points = true;
    github->points_back = reset >= 0 ? reset : clock->now(clock->context) + 3600;
}

/* What stops a call before anything is sent. */
static bool may_ask(struct bl_github *github, struct bl_failure *failure)
{
    const struct bl_github_clock *clock = &github->options.clock;
    if (github->out_of_points && clock->now(clock->context) >= github->points_back) {
        github->out_of_points = false;
    }
    bl_str why = BL_STR("");
    if (is_told_to_stop(github)) {
        why = BL_STR("the run was told to stop");
    } else if (github->out_of_points) {
        why = BL_STR("the rate limit of the token was reached before");
    } else if (github->closed.len > 0) {
        why = github->closed;
    } else if (github->counts.requests >= github->options.requests) {
        why = BL_STR("this run has made as many requests as it may");
    }
    if (why.len > 0) {
        *failure = (struct bl_failure){.why = why, .again = true, .over = true};
    }
    return why.len == 0;
}

static bool done(struct bl_github *github, const struct attempt *attempt,
                 struct bl_github_result *result)
{
    bl_str next;
    struct bl_address address;
    *result = (struct bl_github_result){
        .json = attempt->json, .next = BL_STR(""), .status = attempt->answer.status};
    if (!bl_github_link_next(attempt->answer.headers.link, &next)) {
        return true;
    }
    /* The token goes along, so only to the host that it is for. */
    if (!is_of_api(github, next, &address)) {
        return false;
    }
    result->next = next;
    return true;
}

enum bl_github_outcome bl_github_call(struct bl_github *github,
                                      const struct bl_github_call *call,
                                      struct bl_github_result *result,
                                      struct bl_failure *failure)
{
    struct bl_github_call now = *call;
    struct patience patience = {0};
    struct attempt attempt;
    for (;;) {
        if (is_write(&now)) {
            wait_for_write(github);
        }
        if (!may_ask(github, failure)) {
            return BL_GITHUB_FAILED;
        }
        struct bl_arena_mark mark = bl_arena_mark(&github->scratch);
        make_attempt(github, &now, &attempt);
        if (github->scratch.failed) {
            return fail(github, &now, &attempt, failure);
        }
        if (attempt.verdict == BL_VERDICT_DONE) {
            github->silent[is_write(&now)] = 0;
            if (done(github, &attempt, result)) {
                return BL_GITHUB_DONE;
            }
            attempt.verdict = BL_VERDICT_UNREADABLE;
            return fail(github, &now, &attempt, failure);
        }
        if (attempt.verdict == BL_VERDICT_MOVED && patience.redirects++ < REDIRECTS) {
            enum move move =
                look_at_move(github, &now, attempt.answer.headers.location, &now.url);
            if (move == MOVE_FOLLOW) {
                continue;
            }
            if (move == MOVE_ELSEWHERE) {
                attempt.verdict = BL_VERDICT_MISSING;
            }
        }
        if (attempt.verdict == BL_VERDICT_MISSING) {
            bl_github_explain(github->arena, github, &now, attempt.verdict, attempt.wire,
                              &attempt.answer, attempt.json, failure);
            return BL_GITHUB_MISSING;
        }
        if (attempt.verdict == BL_VERDICT_PRIMARY) {
            remember_limit(github, &attempt);
        }
        if (!may_repeat(github, &now, &attempt, &patience)) {
            return fail(github, &now, &attempt, failure);
        }
        bl_arena_release(&github->scratch, mark);
    }
}
