/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TESTS_SUPPORT_SCRIPTED_WORLD_H
#define BL_TESTS_SUPPORT_SCRIPTED_WORLD_H

#include "world/world.h"

/* A repository of a few issues whose answers a test sets, and that can be told to fail. It
 * carries out effects as plainly as can be and keeps a line of each, so that a test sees what
 * was written in which order. Independent of world/sim. */

#define SCRIPTED_ISSUES   40
#define SCRIPTED_COMMENTS 60
#define SCRIPTED_LABELS   8

struct scripted_comment {
    int64_t id, issue;
    const char *author;
    bl_str text;
    int64_t created;
    unsigned reactions; /* bits of reaction_kind: those of the account */
    bool deleted;
};
struct scripted_issue {
    int64_t number;
    const char *author, *title, *text;
    unsigned association;
    bl_str labels[SCRIPTED_LABELS];
    size_t label_count;
    bool closed, locked, deleted;
    unsigned reason; /* when closed */
    int64_t created;
};

struct scripted_world {
    struct bl_world world;
    struct bl_arena *arena;
    const char *repository; /* "o/r" */
    const char *account;    /* "bot[bot]" */
    struct scripted_issue issues[SCRIPTED_ISSUES];
    size_t issue_count;
    struct scripted_comment comments[SCRIPTED_COMMENTS];
    size_t comment_count;
    const char *variable; /* value of AI_SWITCH; NULL: not set */
    bool secret;          /* is AI_KEY set */
    const char *store;    /* the file of every store; NULL: there is none */
    enum bl_read failing; /* this read fails … */
    int64_t failing_key;  /* … of the thing of this number; 0: of any */
    bool fails;
    unsigned fail_times; /* so often; 0: always */
    size_t lost;         /* the answer to this write never comes, counted from 1; 0: all do */
    size_t cut_after;    /* this many writes are carried out, further ones fail */
    bool refuses;        /* effects of this kind fail, and count as no write: */
    enum bl_effect refused;
    size_t reads[BL_READ_COUNT];
    size_t writes;
    struct bl_buf log; /* one line a write */
};

void scripted_init(struct scripted_world *s, struct bl_arena *arena);
/* Number, author alice, no labels. */
struct scripted_issue *scripted_issue(struct scripted_world *s, int64_t number);
void scripted_label(struct scripted_world *s, int64_t number, const char *label);
struct scripted_comment *scripted_comment(struct scripted_world *s, int64_t issue,
                                          const char *author, const char *text);
bool scripted_has_label(const struct scripted_world *s, int64_t number, const char *label);
/* The whole state as text, for comparing ends. */
bl_str scripted_state(struct scripted_world *s);

#endif
