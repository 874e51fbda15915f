/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_WORLD_GITHUB_GITHUB_HEADERS_H
#define BL_WORLD_GITHUB_GITHUB_HEADERS_H

#include "base/buf.h"

/* The headers of an answer that mean something here. Private to this room. */

struct bl_github_headers {
    bool json; /* the type is application/json, or one of GitHub's that is JSON */
    bl_str link;
    bl_str location;
    bl_str etag;
    bl_str accepted;     /* the permissions that GitHub asks for, in letters, "_=,; " alone */
    int64_t retry_after; /* seconds; -1: none that can be understood */
    int64_t remaining;   /* of the primary limit; -1: not said */
    int64_t reset;       /* when it begins anew; -1: not said */
};

#define BL_GITHUB_HEADER_BYTES 8192 /* one line; longer ones are as if they were not there */

void bl_github_headers_init(struct bl_github_headers *headers);
/* Takes one line, with or without its end. Lines of an earlier answer (an interim one, or a
 * proxy's) are forgotten at the status line of the next. Copies into `arena`. */
void bl_github_headers_line(struct bl_github_headers *headers, struct bl_arena *arena,
                            bl_str line);

/* The address with rel="next" in a Link header; false when there is none. Linear. */
bool bl_github_link_next(bl_str link, bl_str *url);

#endif
