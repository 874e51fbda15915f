/* SPDX-License-Identifier: Apache-2.0 */
#include "world/github/github_parts.h"

/* GraphQL: one query about this repository. Errors come with HTTP 200 and perhaps a part of the
 * data; only NOT_FOUND says that something is missing (github_verdict.c). */

#define BODY_BYTES ((size_t)64 << 10)

static bool put_body(struct bl_github *github, struct bl_buf *out, bl_str query,
                     bl_str variables)
{
    struct bl_json_writer w;
    bl_buf_init(out, &github->scratch, BODY_BYTES);
    bl_json_writer_init(&w, out, false);
    bl_json_begin_object(&w);
    bl_json_key(&w, BL_STR("query"));
    bl_json_string(&w, query);
    bl_json_key(&w, BL_STR("variables"));
    bl_json_begin_object(&w);
    bl_json_key(&w, BL_STR("owner"));
    bl_json_string(&w, github->owner);
    bl_json_key(&w, BL_STR("name"));
    bl_json_string(&w, github->name);
    if (variables.len > 0) {
        bl_buf_put_char(out, ',');
        bl_buf_put(out, variables);
    }
    bl_json_end_object(&w);
    bl_json_end_object(&w);
    return !out->failed;
}

enum bl_github_outcome bl_github_query(struct bl_github *github, bl_str query, bl_str variables,
                                       enum bl_permission permission, bool missing_ok,
                                       const struct bl_json **data, struct bl_failure *failure)
{
    struct bl_buf body;
    struct bl_github_result result;
    struct bl_github_call call = {
        .method = BL_GITHUB_POST,
        .url = github->options.graphql_url,
        .query = true,
        .permission = permission,
    };
    if (!put_body(github, &body, query, variables)) {
        (void)bl_github_no_memory(failure);
        return BL_GITHUB_FAILED;
    }
    call.body = bl_buf_str(&body);
    enum bl_github_outcome outcome = bl_github_call(github, &call, &result, failure);
    if (outcome != BL_GITHUB_DONE) {
        return outcome;
    }
    const struct bl_json *errors = bl_json_get(result.json, BL_STR("errors"));
    const struct bl_json *repository = bl_json_at(result.json, BL_STR("data.repository"));
    bool missing = errors != NULL && errors->count > 0;
    if (repository == NULL ||
        (repository->kind != BL_JSON_OBJECT && repository->kind != BL_JSON_NULL)) {
        return bl_github_wrong_shape(github, &call, failure);
    }
    if (repository->kind != BL_JSON_OBJECT) {
        /* Then nothing in it can be said to be missing. */
        failure->why = BL_STR("GitHub does not know the repository, or the token may not see "
                              "it");
        failure->again = false;
        return BL_GITHUB_FAILED;
    }
    if (missing && !missing_ok) {
        return BL_GITHUB_MISSING;
    }
    *data = repository;
    return BL_GITHUB_DONE;
}

enum bl_github_outcome bl_github_wrong_shape(struct bl_github *github,
                                             const struct bl_github_call *call,
                                             struct bl_failure *failure)
{
    struct bl_buf why;
    if (github->scratch.failed) {
        (void)bl_github_no_memory(failure);
        return BL_GITHUB_FAILED;
    }
    bl_buf_init(&why, github->arena, 400);
    BL_PUT(&why, "GitHub's answer to ");
    bl_github_put_asked(&why, github, call);
    BL_PUT(&why, " has not the shape that it should have");
    *failure = (struct bl_failure){.what = failure->what, .why = bl_buf_str(&why)};
    return BL_GITHUB_FAILED;
}
