/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_WORLD_GITHUB_GITHUB_PARTS_H
#define BL_WORLD_GITHUB_GITHUB_PARTS_H

#include "event/payload.h"
#include "world/github/github_address.h"
#include "world/github/github_wire.h"

/* What the files of this room share. Private to it. */

struct bl_github_player; /* github_tape.h */

/* An answer that GitHub need not send again while it stays the same. */
struct bl_github_known {
    bl_str url;
    bl_str etag;
    bl_str link;
    bl_str body;
};

/* What is read of many things at once (github_batch.c). */
#define BL_GITHUB_BATCH 20
struct bl_github_fetched {
    struct bl_object *issue;
    enum bl_field field;
};
struct bl_github_batch {
    struct bl_list *things;                   /* that somebody goes through; NULL: none */
    uint32_t at;                              /* index of the last one that was asked for */
    BL_VEC(struct bl_github_fetched) fetched; /* the snapshot never asked for them */
};

struct bl_github {
    struct bl_arena *arena;
    struct bl_arena scratch; /* of one call; see bl_github_scratch_begin */
    struct bl_github_options options;
    struct bl_world world;
    struct bl_github_transport transport;
    struct bl_address api; /* slices of options.api_url, which has no '/' at its end */
    bl_str owner;
    bl_str name;
    struct bl_github_counts counts;
    int64_t last_write; /* when it ended; 0: there was none */
    bool told;          /* to stop */
    bool out_of_points; /* a primary limit was met: nothing more is asked */
    int64_t points_back;
    bl_str closed;      /* why nothing more is asked, whenever that is; empty: it is */
    unsigned silent[2]; /* reads, and writes, that GitHub did not answer, in a row */
    BL_VEC(struct bl_github_known) known;
    size_t known_bytes;
    struct bl_failure last_failure;
    struct bl_github_player *player; /* of a recording; NULL */
    struct bl_github_batch batch;
};

/* ---- one call (github_exchange.c) -------------------------------------------------------- */

/* What became of a call. */
enum bl_github_outcome {
    BL_GITHUB_DONE,    /* answered as it should be; `json` is whole */
    BL_GITHUB_MISSING, /* 404, or 410, which GitHub says of an issue that was deleted */
    BL_GITHUB_FAILED,  /* nothing was read, nothing was written; *failure says why */
    BL_GITHUB_UNKNOWN, /* of a write: nobody knows */
};

struct bl_github_call {
    enum bl_github_method method;
    bl_str url;                /* absolute, on the host of the API */
    bl_str body;               /* JSON, or empty */
    bool query;                /* GraphQL that only reads, though it is a POST */
    bool elsewhere_is_missing; /* an issue that moved to another repository is missing here */
    enum bl_permission permission; /* what the call needs, for the help of a refusal */
};

struct bl_github_result {
    const struct bl_json *json; /* NULL: an answer without a body (204) */
    bl_str next;                /* address of the next page; empty: the last */
    long status;
};

/* Sends it, with the retries and waits that its kind allows, and reads the answer. The result
 * lives in github->scratch. *failure gets why, help and again. */
enum bl_github_outcome bl_github_call(struct bl_github *github,
                                      const struct bl_github_call *call,
                                      struct bl_github_result *result,
                                      struct bl_failure *failure);

/* Calls may not overlap: each begins with an empty scratch arena. */
void bl_github_scratch_begin(struct bl_github *github);

/* Addresses of this repository: "{api}/repos/{owner}/{name}" and what is appended. */
void bl_github_url_begin(struct bl_github *github, struct bl_buf *out);
void bl_github_url_below(struct bl_github *github, struct bl_buf *out, const char *below);
/* False with *failure when the address could not be written. */
bool bl_github_url_end(struct bl_github *github, const struct bl_buf *url,
                       struct bl_failure *failure);

/* GraphQL: `variables` is a JSON object without its braces, beside owner and name, and may be
 * empty. DONE: *data is the repository. With `missing_ok`, parts that were not found are null
 * in it; without, any such part makes it MISSING. A repository that is not found is FAILED. */
enum bl_github_outcome bl_github_query(struct bl_github *github, bl_str query, bl_str variables,
                                       enum bl_permission permission, bool missing_ok,
                                       const struct bl_json **data, struct bl_failure *failure);

/* ---- failures ---------------------------------------------------------------------------- */

/* "GET /repos/o/r/issues/12": without what stands behind a '?', where the words of a search
 * are, which may be a stranger's. Addresses are ASCII without control characters. */
void bl_github_put_asked(struct bl_buf *out, const struct bl_github *github,
                         const struct bl_github_call *call);
/* GitHub answered something that is not what it should be. Always FAILED. */
enum bl_github_outcome bl_github_wrong_shape(struct bl_github *github,
                                             const struct bl_github_call *call,
                                             struct bl_failure *failure);
enum bl_answer bl_github_no_memory(struct bl_failure *failure);
enum bl_answer bl_github_answer(enum bl_github_outcome outcome);

/* ---- things ------------------------------------------------------------------------------ */

/* Puts what a thing of the scratch arena knows into the snapshot's object of its identity,
 * which it returns; NULL when out of memory. */
struct bl_object *bl_github_take(struct bl_snapshot *snapshot, const struct bl_object *from);

/* A reader of payloads into the scratch arena. */
struct bl_payload_reader bl_github_reader(struct bl_github *github);

/* Whether pages lead on: one that leads back to an earlier one would go on for ever. Of the
 * pages that were met it keeps one, and a later one each time that the way has doubled: a
 * circle comes round to it before it was gone through three times. Begins as zero. */
struct bl_github_trail {
    bl_str kept;
    unsigned since, reach;
};
bool bl_github_leads_on(struct bl_github_trail *trail, struct bl_arena *arena, bl_str next);

/* ---- lists by pages (github_pages.c) ----------------------------------------------------- */

/* An element of a list while it is read. */
struct bl_github_item {
    const struct bl_object *holder; /* what the list belongs to; may be NULL */
    bool skip;                      /* out: of a kind that policies do not know */
    bl_str text;                    /* out: of a list of texts, instead of a thing */
};
/* Makes the thing that an element is, in the scratch arena. NULL when it is to be skipped, when
 * it is a text, or when its shape is wrong. */
typedef struct bl_object *bl_github_element(struct bl_github *github,
                                            const struct bl_json *json,
                                            struct bl_github_item *item);

/* A list whose first page is read now and whose further ones when they are asked for. `holder`
 * is what the elements belong to. */
enum bl_github_outcome bl_github_list(struct bl_github *github, struct bl_snapshot *snapshot,
                                      const struct bl_github_call *first,
                                      bl_github_element *element, struct bl_object *holder,
                                      struct bl_value *out, struct bl_failure *failure);
/* The same over a connection of GraphQL, which stands under `path` of the repository. */
enum bl_github_outcome
bl_github_connection(struct bl_github *github, struct bl_snapshot *snapshot, bl_str query,
                     bl_str variables, bl_str path, enum bl_permission permission,
                     bl_github_element *element, struct bl_object *holder, struct bl_value *out,
                     struct bl_failure *failure);

/* Does a list of issues bring the field along? */
bool bl_github_wants(const struct bl_github *github, enum bl_field field);

/* ---- many at once (github_batch.c) ------------------------------------------------------- */

void bl_github_expect(void *self, struct bl_list *things);
/* True when what this read brings of the issue is known now, and perhaps that of others. */
bool bl_github_batch(struct bl_github *github, struct bl_snapshot *snapshot,
                     struct bl_object *issue, enum bl_read read);
/* Something was written: what came along may not be true any more. */
void bl_github_batch_forget(struct bl_github *github);

/* ---- GraphQL things (github_graph.c) ----------------------------------------------------- */

struct bl_object *bl_github_graph_issue(struct bl_github *github, const struct bl_json *json,
                                        struct bl_github_item *item);
struct bl_object *bl_github_graph_pull(struct bl_github *github, const struct bl_json *json,
                                       struct bl_github_item *item);
/* `item->holder` is the issue. */
struct bl_object *bl_github_graph_comment(struct bl_github *github, const struct bl_json *json,
                                          struct bl_github_item *item);
struct bl_object *bl_github_graph_event(struct bl_github *github, const struct bl_json *json,
                                        struct bl_github_item *item);
/* GitHub gives the newest first. False when their times say otherwise. */
bool bl_github_sort_edits(struct bl_list *edits);
struct bl_object *bl_github_graph_edit(struct bl_github *github, const struct bl_json *json,
                                       struct bl_github_item *item);
struct bl_object *bl_github_graph_discussion(struct bl_github *github,
                                             const struct bl_json *json,
                                             struct bl_github_item *item);

/* ---- struct bl_world --------------------------------------------------------------------- */

enum bl_answer bl_github_load(void *self, struct bl_snapshot *snapshot,
                              struct bl_object *object, enum bl_read read,
                              struct bl_failure *failure);
enum bl_answer bl_github_ask(void *self, struct bl_snapshot *snapshot, enum bl_read read,
                             const struct bl_value *args, size_t count, struct bl_value *out,
                             struct bl_failure *failure);
/* The reads that go over GraphQL (github_read_graph.c). */
enum bl_github_outcome bl_github_load_graph(struct bl_github *github,
                                            struct bl_snapshot *snapshot,
                                            struct bl_object *object, enum bl_read read,
                                            struct bl_failure *failure);
enum bl_github_outcome bl_github_numbered(struct bl_github *github,
                                          struct bl_snapshot *snapshot, int64_t number,
                                          struct bl_value *out, struct bl_failure *failure);
enum bl_github_outcome bl_github_issues_with(struct bl_github *github,
                                             struct bl_snapshot *snapshot, bl_str label,
                                             struct bl_value *out, struct bl_failure *failure);
enum bl_github_outcome bl_github_issues_created(struct bl_github *github,
                                                struct bl_snapshot *snapshot, int64_t from,
                                                int64_t to, struct bl_value *out,
                                                struct bl_failure *failure);
/* Merges, and whether a tag holds a commit (github_read_merges.c). */
enum bl_github_outcome bl_github_merged_pulls(struct bl_github *github,
                                              struct bl_snapshot *snapshot, int64_t since,
                                              struct bl_value *out, struct bl_failure *failure);
enum bl_written bl_github_write(void *self, struct bl_arena *arena,
                                const struct bl_effect_call *call, struct bl_failure *failure);
enum bl_answer bl_github_holds(void *self, struct bl_arena *arena,
                               const struct bl_effect_call *call, bool *there,
                               struct bl_failure *failure);

#endif
