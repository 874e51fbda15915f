/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TESTS_GITHUB_FIXTURE_H
#define BL_TESTS_GITHUB_FIXTURE_H

#include "world/github/github_parts.h"

/* A client whose answers the test has written down, and a clock that only waits move. */

struct reply {
    enum bl_github_wire wire;
    long status;
    const char *headers; /* lines with LF; NULL: JSON and nothing else */
    const char *body;
};

/* What the client sent. */
struct sent {
    enum bl_github_method method;
    char url[512];
    char body[2048];
    char etag[128];
    bool fresh;
};

#define SENT_MAX 64

struct fixture {
    struct bl_arena arena;
    struct bl_github *github;
    struct bl_snapshot *snapshot;
    const struct reply *replies;
    size_t reply_count; /* behind the last one everything is broken */
    struct sent sent[SENT_MAX];
    size_t sent_count;
    int64_t now;
    int64_t waits[SENT_MAX];
    size_t wait_count;
    bl_str problem;
};

#define OK(text)                                                                               \
    {                                                                                          \
        BL_WIRE_ANSWERED, 200, NULL, text                                                      \
    }
#define ANSWER(n, text)                                                                        \
    {                                                                                          \
        BL_WIRE_ANSWERED, n, NULL, text                                                        \
    }
#define BROKEN(how)                                                                            \
    {                                                                                          \
        how, 0, NULL, ""                                                                       \
    }
#define WITH(n, h, text)                                                                       \
    {                                                                                          \
        BL_WIRE_ANSWERED, n, h, text                                                           \
    }

/* `change` may change the options; NULL. The test ends with end_client. */
void begin_client(struct fixture *f, const struct bl_allocator *allocator,
                  void (*change)(struct bl_github_options *options));
void end_client(struct fixture *f);
#define REPLIES(f, ...)                                                                        \
    do {                                                                                       \
        static const struct reply list[] = {__VA_ARGS__};                                      \
        give_replies((f), list, sizeof(list) / sizeof(list[0]));                               \
    } while (0)
void give_replies(struct fixture *f, const struct reply *replies, size_t count);

struct bl_object *thing(struct fixture *f, enum bl_entity entity, int64_t key,
                        const char *name);
enum bl_answer load(struct fixture *f, struct bl_object *object, enum bl_read read,
                    struct bl_failure *failure);

/* An issue as REST writes it, with `more` put in front of its members. */
#define ISSUE(more)                                                                            \
    "{" more "\"number\":12,\"title\":\"It crashes\",\"body\":null,\"state\":\"open\","        \
    "\"state_reason\":null,\"user\":{\"login\":\"alice\",\"id\":5,\"type\":\"User\"},"         \
    "\"author_association\":\"NONE\",\"created_at\":\"2026-11-01T10:00:00Z\","                 \
    "\"closed_at\":null,\"labels\":[{\"name\":\"bug\"}],\"assignees\":[],\"locked\":false,"    \
    "\"reactions\":{\"+1\":2},\"comments\":0}"

#endif
