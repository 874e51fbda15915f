/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_WORLD_GITHUB_GITHUB_WIRE_H
#define BL_WORLD_GITHUB_GITHUB_WIRE_H

#include "world/github/github.h"
#include "world/github/github_headers.h"

/* One request and its answer, and what carries them: libcurl (github_curl.c), or in tests a
 * function that has the answers. Private to this room. */

enum bl_github_method {
    BL_GITHUB_GET,
    BL_GITHUB_POST,
    BL_GITHUB_PUT,
    BL_GITHUB_PATCH,
    BL_GITHUB_DELETE,
};
bl_str bl_github_method_name(enum bl_github_method method);

struct bl_github_request {
    enum bl_github_method method;
    bl_str url;
    bl_str body; /* JSON; empty: none */
    bl_str etag; /* what was answered before; empty: nothing */
    /* On a new connection. One that was used before may die in a way after which libcurl sends
     * the request again by itself, which for a write is a second effect. */
    bool fresh;
    struct bl_github_stop stop; /* asked on the way; of a request that may be given up */
};

/* How it ended. Only the first brings status, headers and body. */
enum bl_github_wire {
    BL_WIRE_ANSWERED,
    BL_WIRE_NOT_SENT,  /* no connection came about: GitHub knows nothing of it */
    BL_WIRE_BROKEN,    /* the connection ended on the way, or nothing came in time */
    BL_WIRE_TOO_LARGE, /* the answer */
    BL_WIRE_DISTRUST,  /* the certificate of the host is none to trust */
    BL_WIRE_NO_CURL,   /* libcurl is not there, or cannot be used */
    BL_WIRE_NO_MEMORY,
};

struct bl_github_answer {
    long status;
    struct bl_github_headers headers;
    bl_str body;
};

struct bl_github_transport {
    void *self;
    /* Texts of the answer live in `arena`. */
    enum bl_github_wire (*send)(void *self, struct bl_arena *arena,
                                const struct bl_github_request *request,
                                struct bl_github_answer *answer);
    void (*close)(void *self);
};

/* `options` with every bracket of github.h filled in. */
bool bl_github_curl(struct bl_arena *arena, const struct bl_github_options *options,
                    struct bl_github_transport *out);
/* bl_github_create with another transport, for tests and the fuzz targets. */
struct bl_github *bl_github_create_over(struct bl_arena *arena,
                                        const struct bl_github_options *options,
                                        const struct bl_github_transport *transport,
                                        bl_str *problem);

#endif
