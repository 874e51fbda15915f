/* SPDX-License-Identifier: Apache-2.0 */
#include "world/github/github_verdict.h"

#define SENTENCE_BYTES 600
#define SHOWN_BYTES    160
#define WORD_BYTES     40

static const bl_str method_names[] = {
    [BL_GITHUB_GET] = {"GET", 3},       [BL_GITHUB_POST] = {"POST", 4},
    [BL_GITHUB_PUT] = {"PUT", 3},       [BL_GITHUB_PATCH] = {"PATCH", 5},
    [BL_GITHUB_DELETE] = {"DELETE", 6},
};

bl_str bl_github_method_name(enum bl_github_method method)
{
    return method_names[method];
}

/* ---- judging ----------------------------------------------------------------------------- */

static bool holds(bl_str text, bl_str words)
{
    for (size_t i = 0; i + words.len <= text.len; i++) {
        if (bl_str_equal_nocase(bl_str_slice(text, i, i + words.len), words)) {
            return true;
        }
    }
    return false;
}

/* How octokit tells it too: GitHub gives no other sign when it sends no Retry-After. The second
 * is what it was called before, as an older Enterprise Server still does. */
static bool says_secondary(bl_str text)
{
    return holds(text, BL_STR("secondary rate")) || holds(text, BL_STR("abuse detection"));
}

static enum bl_github_verdict judge_refusal(const struct bl_github_answer *answer)
{
    const struct bl_github_headers *headers = &answer->headers;
    if (headers->retry_after >= 0 || says_secondary(bl_str_slice(answer->body, 0, 4096))) {
        return BL_VERDICT_SECONDARY;
    }
    if (headers->remaining == 0) {
        return BL_VERDICT_PRIMARY;
    }
    return answer->status == 429 ? BL_VERDICT_SECONDARY : BL_VERDICT_REFUSED;
}

static bl_str text_at(const struct bl_json *object, const char *key)
{
    const struct bl_json *node = bl_json_get(object, bl_str_from(key));
    return node != NULL && node->kind == BL_JSON_STRING ? node->string : BL_STR("");
}

static bl_str code_of(const struct bl_json *error)
{
    return text_at(bl_json_get(error, BL_STR("extensions")), "code");
}

/* ["repository", "issue"]: what was asked for, or the repository itself. Further down it would
 * be a part of something that is there, and nobody knows which. */
static bool is_asked_for(const struct bl_json *path)
{
    return path != NULL && path->kind == BL_JSON_ARRAY && path->count >= 1 &&
           path->count <= 2 && path->items[0].kind == BL_JSON_STRING &&
           bl_str_equal(path->items[0].string, BL_STR("repository"));
}

static enum bl_github_verdict judge_error(const struct bl_json *error)
{
    bl_str type = text_at(error, "type");
    if (error->kind != BL_JSON_OBJECT) {
        return BL_VERDICT_UNREADABLE;
    }
    if (bl_str_equal(type, BL_STR("NOT_FOUND"))) {
        return is_asked_for(bl_json_get(error, BL_STR("path"))) ? BL_VERDICT_MISSING
                                                                : BL_VERDICT_REFUSED;
    }
    if (bl_str_equal(type, BL_STR("RATE_LIMITED"))) {
        return BL_VERDICT_PRIMARY;
    }
    if (says_secondary(text_at(error, "message"))) {
        return BL_VERDICT_SECONDARY;
    }
    /* A field or an argument that this GitHub does not have: it has none the next time. */
    if (type.len == 0 && code_of(error).len > 0) {
        return BL_VERDICT_REFUSED;
    }
    /* "Something went wrong while executing your query" comes without a type. */
    return type.len == 0 || bl_str_equal(type, BL_STR("INTERNAL")) ||
                   bl_str_equal(type, BL_STR("SERVICE_UNAVAILABLE"))
               ? BL_VERDICT_SERVER
               : BL_VERDICT_REFUSED;
}

/* Of several errors the worst counts; that parts are missing is for the caller to see. */
static enum bl_github_verdict judge_query(const struct bl_json *json)
{
    const struct bl_json *errors = bl_json_get(json, BL_STR("errors"));
    const struct bl_json *data = bl_json_get(json, BL_STR("data"));
    if (json == NULL || json->kind != BL_JSON_OBJECT) {
        return BL_VERDICT_UNREADABLE;
    }
    if (errors != NULL && errors->kind != BL_JSON_ARRAY) {
        return BL_VERDICT_UNREADABLE;
    }
    for (size_t i = 0; errors != NULL && i < errors->count; i++) {
        enum bl_github_verdict verdict = judge_error(&errors->items[i]);
        if (verdict != BL_VERDICT_MISSING) {
            return verdict;
        }
    }
    return data != NULL && data->kind == BL_JSON_OBJECT ? BL_VERDICT_DONE
                                                        : BL_VERDICT_UNREADABLE;
}

static enum bl_github_verdict judge_success(const struct bl_github_call *call,
                                            const struct bl_github_answer *answer,
                                            const struct bl_json *json)
{
    if (call->query) {
        return answer->status == 200 ? judge_query(json) : BL_VERDICT_UNREADABLE;
    }
    bool no_body = answer->status == 204;
    if (no_body && answer->body.len == 0 && call->method != BL_GITHUB_GET) {
        return BL_VERDICT_DONE;
    }
    return !no_body && json != NULL ? BL_VERDICT_DONE : BL_VERDICT_UNREADABLE;
}

static enum bl_github_verdict judge_status(const struct bl_github_call *call,
                                           const struct bl_github_answer *answer,
                                           const struct bl_json *json)
{
    long status = answer->status;
    if (status >= 200 && status <= 299) {
        return judge_success(call, answer, json);
    }
    switch (status) {
    case 304:
        return BL_VERDICT_UNCHANGED;
    case 301:
    case 302:
    case 307:
    case 308:
        return BL_VERDICT_MOVED;
    case 404:
    case 410:
        if (call->query) {
            return BL_VERDICT_REFUSED;
        }
        /* GitHub says so in JSON; a page comes from something between, or from another
         * server. */
        return json != NULL && json->kind == BL_JSON_OBJECT ? BL_VERDICT_MISSING
                                                            : BL_VERDICT_UNREADABLE;
    case 403:
    case 429:
        return judge_refusal(answer);
    }
    return status >= 500 && status <= 599 ? BL_VERDICT_SERVER : BL_VERDICT_REFUSED;
}

enum bl_github_verdict bl_github_judge(const struct bl_github_call *call,
                                       enum bl_github_wire wire,
                                       const struct bl_github_answer *answer,
                                       const struct bl_json *json)
{
    switch (wire) {
    case BL_WIRE_ANSWERED:
        return judge_status(call, answer, json);
    case BL_WIRE_NOT_SENT:
    case BL_WIRE_DISTRUST:
    case BL_WIRE_NO_CURL:
        return BL_VERDICT_NO_CONTACT;
    case BL_WIRE_TOO_LARGE:
    case BL_WIRE_NO_MEMORY:
        return BL_VERDICT_UNREADABLE;
    case BL_WIRE_BROKEN:
        break;
    }
    return BL_VERDICT_BROKEN;
}

/* ---- words ------------------------------------------------------------------------------- */

void bl_github_put_asked(struct bl_buf *out, const struct bl_github *github,
                         const struct bl_github_call *call)
{
    if (call->query) {
        BL_PUT(out, "a GraphQL query");
        return;
    }
    bl_str url = call->url;
    bl_str base = github->options.api_url;
    bl_buf_put(out, bl_github_method_name(call->method));
    bl_buf_put_char(out, ' ');
    bl_str path =
        bl_str_starts_with(url, base) ? bl_str_slice(url, base.len, url.len) : BL_STR("…");
    path = bl_str_slice(path, 0, bl_str_find_char(path, '?'));
    bl_buf_put(out, bl_str_slice(path, 0, SHOWN_BYTES));
    if (path.len > SHOWN_BYTES) {
        BL_PUT(out, "…");
    }
}

static bool is_word(bl_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (!bl_is_ascii_alpha(text.ptr[i]) && text.ptr[i] != '_') {
            return false;
        }
    }
    return text.len > 0 && text.len <= WORD_BYTES;
}

static void put_word(struct bl_buf *out, bl_str word)
{
    if (is_word(word)) {
        bl_buf_put_char(out, ' ');
        bl_buf_put(out, word);
    }
}

/* What GitHub complains of, in its own closed words: "(Label name already_exists)". */
static void put_complaint(struct bl_buf *out, const struct bl_json *json)
{
    const struct bl_json *errors = bl_json_get(json, BL_STR("errors"));
    if (errors == NULL || errors->kind != BL_JSON_ARRAY || errors->count == 0) {
        return;
    }
    const struct bl_json *first = &errors->items[0];
    if (is_word(text_at(first, "code"))) {
        BL_PUT(out, " (");
        bl_buf_put(out, is_word(text_at(first, "resource")) ? text_at(first, "resource")
                                                            : BL_STR("request"));
        put_word(out, text_at(first, "field"));
        put_word(out, text_at(first, "code"));
        BL_PUT(out, ")");
    } else if (is_word(text_at(first, "type"))) {
        BL_PUT(out, " with");
        put_word(out, text_at(first, "type"));
    } else if (is_word(code_of(first))) {
        BL_PUT(out, " with");
        put_word(out, code_of(first));
    }
}

static void put_answered(struct bl_buf *out, const struct bl_github *github,
                         const struct bl_github_call *call,
                         const struct bl_github_answer *answer, const struct bl_json *json)
{
    BL_PUT(out, "GitHub answered ");
    bl_buf_put_int(out, answer->status);
    BL_PUT(out, " to ");
    bl_github_put_asked(out, github, call);
    put_complaint(out, json);
}

static void put_no_contact(struct bl_buf *out, const struct bl_github *github,
                           enum bl_github_wire wire)
{
    if (wire == BL_WIRE_NO_CURL) {
        BL_PUT(out, "libcurl could not be loaded");
    } else if (wire == BL_WIRE_DISTRUST) {
        bl_buf_printf(out, "the certificate of %.*s is not to be trusted",
                      BL_STR_ARG(github->api.host));
    } else {
        bl_buf_printf(out, "no connection to %.*s came about", BL_STR_ARG(github->api.host));
    }
}

static void put_why(struct bl_buf *out, const struct bl_github *github,
                    const struct bl_github_call *call, enum bl_github_verdict verdict,
                    enum bl_github_wire wire, const struct bl_github_answer *answer,
                    const struct bl_json *json)
{
    switch (verdict) {
    case BL_VERDICT_NO_CONTACT:
        put_no_contact(out, github, wire);
        return;
    case BL_VERDICT_BROKEN:
        BL_PUT(out, "the connection broke, or nothing came in time, at ");
        bl_github_put_asked(out, github, call);
        return;
    case BL_VERDICT_UNREADABLE:
        if (wire == BL_WIRE_TOO_LARGE) {
            BL_PUT(out, "the answer was too large to ");
            bl_github_put_asked(out, github, call);
            return;
        }
        put_answered(out, github, call, answer, json);
        BL_PUT(out, ", but with nothing that can be read");
        return;
    case BL_VERDICT_PRIMARY:
        BL_PUT(out, "the rate limit of the token was reached at ");
        bl_github_put_asked(out, github, call);
        return;
    case BL_VERDICT_SECONDARY:
        BL_PUT(out, "GitHub's secondary rate limit was reached at ");
        bl_github_put_asked(out, github, call);
        return;
    case BL_VERDICT_MOVED:
        put_answered(out, github, call, answer, NULL);
        BL_PUT(out, ", an address that is not followed");
        return;
    case BL_VERDICT_DONE:
    case BL_VERDICT_UNCHANGED:
    case BL_VERDICT_MISSING:
    case BL_VERDICT_SERVER:
    case BL_VERDICT_REFUSED:
        put_answered(out, github, call, answer, json);
        return;
    }
}

/* A query that GitHub refuses for what is asked, and not for how. */
static bool is_typed(const struct bl_json *json)
{
    const struct bl_json *errors = bl_json_get(json, BL_STR("errors"));
    return errors != NULL && errors->kind == BL_JSON_ARRAY && errors->count > 0 &&
           text_at(&errors->items[0], "type").len > 0;
}

static void put_permission(struct bl_buf *out, const struct bl_github_call *call,
                           const struct bl_github_answer *answer)
{
    const struct bl_permission_info *info = bl_permission_info(call->permission);
    if (answer->headers.accepted.len > 0) {
        bl_buf_printf(out, "The token lacks a permission; GitHub asks for '%.*s'.",
                      BL_STR_ARG(answer->headers.accepted));
    } else if (info->key.len > 0) {
        bl_buf_printf(out, "Give the job '%.*s: %.*s' under 'permissions:'.",
                      BL_STR_ARG(info->key), BL_STR_ARG(info->level));
    }
}

void bl_github_explain(struct bl_arena *arena, const struct bl_github *github,
                       const struct bl_github_call *call, enum bl_github_verdict verdict,
                       enum bl_github_wire wire, const struct bl_github_answer *answer,
                       const struct bl_json *json, struct bl_failure *failure)
{
    struct bl_buf why;
    struct bl_buf help;
    bl_buf_init(&why, arena, SENTENCE_BYTES);
    bl_buf_init(&help, arena, SENTENCE_BYTES);
    put_why(&why, github, call, verdict, wire, answer, json);
    if (verdict == BL_VERDICT_NO_CONTACT && wire == BL_WIRE_NO_CURL) {
        BL_PUT(&help, "Install it (Debian: apt-get install libcurl4).");
    } else if (wire == BL_WIRE_ANSWERED && answer->status == 401) {
        BL_PUT(&help, "Pass a token that is valid, such as that of the job.");
    } else if (wire == BL_WIRE_ANSWERED && verdict == BL_VERDICT_REFUSED &&
               (answer->status == 403 || is_typed(json))) {
        put_permission(&help, call, answer);
    }
    failure->why = bl_buf_str(&why);
    failure->help = bl_buf_str(&help);
    failure->again = verdict != BL_VERDICT_REFUSED && verdict != BL_VERDICT_MOVED &&
                     verdict != BL_VERDICT_MISSING && wire != BL_WIRE_NO_CURL &&
                     wire != BL_WIRE_DISTRUST;
}
