/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_WORLD_GITHUB_GITHUB_H
#define BL_WORLD_GITHUB_GITHUB_H

#include "world/world.h"

/* GitHub as a world: its REST and GraphQL APIs over libcurl.
 *
 * What it trusts: the host of the API, over TLS, and nobody else. The token goes to that host
 * alone. Every answer is checked for its status, its type and its shape before it is data; only
 * "not found" means that a thing is missing. A write is sent at most once, save when GitHub
 * said that it did nothing with it.
 *
 * libcurl is opened at the first request: a run that asks nothing does not pay for it. One
 * client is for one thread. */
struct bl_github;

/* The clock and the waits are the caller's, so that tests need none. */
struct bl_github_clock {
    int64_t (*now)(void *context); /* seconds since 1970, UTC */
    void (*wait)(void *context, int64_t seconds);
    void *context;
};

/* Whether somebody told the run to stop: nothing more is asked then. A request that only reads
 * is given up on the way; one that writes is waited for, since its end is worth knowing. */
struct bl_github_stop {
    bool (*told)(void *context); /* NULL: nobody can */
    void *context;
};

/* What a run may ask for and GitHub does not know: what the workflow passes, the files of the
 * checkout, and what git and earlier steps of the job say. Texts that are handed out live as
 * long as the client. A function that is NULL makes its read fail, and so does FAILED: that
 * nobody said it is not "no". */
struct bl_github_job {
    enum bl_answer (*variable)(void *context, bl_str name, bl_str *value);
    enum bl_answer (*secret)(void *context, bl_str name, bool *is_set); /* FOUND or FAILED */
    /* The n-th file that git tracks, asked from 0 on; MISSING behind the last. */
    enum bl_answer (*tracked_file)(void *context, size_t n, bl_str *path);
    /* A text that is asked for with a text, by its read (world/world.h): how git reads a patch,
     * a file of the job or of the checkout, the commit that is checked out,
     * the file of a store. */
    enum bl_answer (*text)(void *context, enum bl_read read, bl_str asked, bl_str *value);
    /* Writes the file of a store, whole or not at all; NULL: nothing is kept. */
    enum bl_written (*keep)(void *context, bl_str path, bl_str text,
                            struct bl_failure *failure);
    void *context;
};

/* Is told of each exchange with GitHub: a line of JSON without its end, valid during the call.
 * The token is no part of it. An empty line is one that memory had no room for. */
struct bl_github_record {
    void (*line)(void *context, bl_str line); /* NULL: nobody */
    void *context;
};

/* Is told of each effect that GitHub took, when it took it: a run that is killed says nothing
 * at its end. */
struct bl_github_journal {
    void (*written)(void *context, const struct bl_effect_call *call); /* NULL: nobody */
    void *context;
};

/* Texts are copied. Zero and the empty text take what stands in brackets. */
struct bl_github_options {
    bl_str api_url;        /* of GITHUB_API_URL [https://api.github.com] */
    bl_str graphql_url;    /* of GITHUB_GRAPHQL_URL [the API's, and /graphql; of an Enterprise
                              Server's /api/v3 /api/graphql] */
    bl_str repository;     /* owner/name */
    int64_t repository_id; /* of GITHUB_REPOSITORY_ID: tells a renamed repository from an issue
                              that moved to another one */
    bl_str token;
    struct bl_github_clock clock;
    struct bl_github_stop stop;
    struct bl_github_job job;
    struct bl_github_record record;
    struct bl_github_journal journal;
    /* The fields of issues that the run asks for, a bit each by bl_field_slot; 0: all. Lists of
     * issues leave out the costly ones among the others. What is asked for all the same is read
     * with the issue itself. */
    uint32_t issue_fields;
    bl_str user_agent; /* [bylaw] */
    bl_str proxy;      /* of HTTPS_PROXY; none when empty, whatever the environment says */
    bl_str no_proxy;   /* of NO_PROXY */
    bl_str ca_file;    /* certificates to trust [those of the system] */
    /* For tests: HTTP to a loopback address (127.0.0.0/8, [::1]) is taken. */
    bool loopback_http;
    uint32_t connect_ms;   /* [10,000] until a connection stands */
    uint32_t request_ms;   /* [60,000] for a request as a whole */
    uint32_t answer_bytes; /* [16 MiB] of one answer, unpacked */
    uint32_t requests;     /* [10,000] of all */
    uint32_t write_gap_s;  /* [1] between writes, as GitHub asks for; UINT32_MAX: none */
};

/* NULL when out of memory, or when an option cannot be used: *problem says which in a sentence,
 * without the token. Everything lives in `arena`; what a single request needs is given back
 * when it ends. */
struct bl_github *bl_github_create(struct bl_arena *arena,
                                   const struct bl_github_options *options, bl_str *problem);
/* The same over the lines of a recording: nothing is sent, and the clock is that of the
 * recording, whatever the options say. `lines` stay the caller's and must outlive the client.
 */
struct bl_github *bl_github_replay(struct bl_arena *arena,
                                   const struct bl_github_options *options, bl_str lines,
                                   bl_str *problem);
/* What the run asked otherwise than the recording has it, in a sentence; empty: nothing so far,
 * and nothing of the recording is left. Of a client that is none of a recording: empty. */
bl_str bl_github_replay_difference(const struct bl_github *github);
/* Closes the connection; the arena stays the caller's. */
void bl_github_close(struct bl_github *github);

/* The interface for the machine. Stays valid until the client is closed. */
const struct bl_world *bl_github_world(struct bl_github *github);

/* What was sent so far. */
struct bl_github_counts {
    size_t requests; /* all of them, the next rows included */
    size_t queries;  /* GraphQL */
    size_t points;   /* what they cost, as GitHub counts */
    size_t writes;
    size_t unchanged; /* answers that GitHub did not have to send again */
    size_t retries;   /* after a server error or a broken connection */
    size_t waits;     /* for a secondary rate limit */
};
struct bl_github_counts bl_github_counts(const struct bl_github *github);

/* Why the last page of a list, of which a list itself can only say that it failed, did not
 * come. */
const struct bl_failure *bl_github_last_failure(const struct bl_github *github);

#endif
