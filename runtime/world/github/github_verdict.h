/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_WORLD_GITHUB_GITHUB_VERDICT_H
#define BL_WORLD_GITHUB_GITHUB_VERDICT_H

#include "world/github/github_parts.h"

/* What an answer means, from its bytes alone. Private to this room. */

enum bl_github_verdict {
    BL_VERDICT_DONE,
    BL_VERDICT_UNCHANGED, /* 304 */
    BL_VERDICT_MISSING,
    BL_VERDICT_MOVED,      /* a redirect; of a GET it may be followed */
    BL_VERDICT_SECONDARY,  /* GitHub did nothing with it and asks for patience */
    BL_VERDICT_PRIMARY,    /* nothing more until the limit begins anew */
    BL_VERDICT_SERVER,     /* GitHub could not; of a write nobody knows what became of it */
    BL_VERDICT_UNREADABLE, /* it said yes, in a way that cannot be used */
    BL_VERDICT_REFUSED,    /* it said no */
    BL_VERDICT_NO_CONTACT, /* nothing reached GitHub */
    BL_VERDICT_BROKEN,     /* something may have */
};

/* `json` is the body, NULL when it is none. */
enum bl_github_verdict bl_github_judge(const struct bl_github_call *call,
                                       enum bl_github_wire wire,
                                       const struct bl_github_answer *answer,
                                       const struct bl_json *json);

/* Sets why and help: what was asked, and what came back, without text of strangers. The texts
 * live in `arena`. `wire` and `answer` are those of the last attempt. */
void bl_github_explain(struct bl_arena *arena, const struct bl_github *github,
                       const struct bl_github_call *call, enum bl_github_verdict verdict,
                       enum bl_github_wire wire, const struct bl_github_answer *answer,
                       const struct bl_json *json, struct bl_failure *failure);

#endif
