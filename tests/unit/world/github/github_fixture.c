/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/world/github/github_fixture.h"

#include <stdio.h>
#include <string.h>

static int64_t now(void *context)
{
    const struct fixture *f = context;
    return f->now;
}

static void wait(void *context, int64_t seconds)
{
    struct fixture *f = context;
    f->now += seconds;
    if (f->wait_count < SENT_MAX) {
        f->waits[f->wait_count++] = seconds;
    }
}

static void copy(char *out, size_t size, bl_str text)
{
    (void)snprintf(out, size, "%.*s", BL_STR_ARG(text));
}

static void take_headers(struct bl_arena *arena, const char *lines,
                         struct bl_github_headers *headers)
{
    bl_str rest = bl_str_from(lines);
    while (rest.len > 0) {
        size_t end = bl_str_find_char(rest, '\n');
        bl_github_headers_line(headers, arena, bl_str_slice(rest, 0, end));
        rest = end == SIZE_MAX ? (bl_str){NULL, 0} : bl_str_slice(rest, end + 1, rest.len);
    }
}

static enum bl_github_wire send_request(void *self, struct bl_arena *arena,
                                        const struct bl_github_request *request,
                                        struct bl_github_answer *answer)
{
    struct fixture *f = self;
    struct reply reply = {BL_WIRE_BROKEN, 0, NULL, ""};
    if (f->sent_count < f->reply_count) {
        reply = f->replies[f->sent_count];
    }
    if (f->sent_count < SENT_MAX) {
        struct sent *sent = &f->sent[f->sent_count++];
        sent->method = request->method;
        sent->fresh = request->fresh;
        copy(sent->url, sizeof(sent->url), request->url);
        copy(sent->body, sizeof(sent->body), request->body);
        copy(sent->etag, sizeof(sent->etag), request->etag);
    }
    *answer = (struct bl_github_answer){.status = reply.status};
    bl_github_headers_init(&answer->headers);
    take_headers(arena,
                 reply.headers != NULL ? reply.headers : "Content-Type: application/json",
                 &answer->headers);
    answer->body = bl_arena_copy(arena, bl_str_from(reply.body));
    return arena->failed ? BL_WIRE_NO_MEMORY : reply.wire;
}

void begin_client(struct fixture *f, const struct bl_allocator *allocator,
                  void (*change)(struct bl_github_options *options))
{
    memset(f, 0, sizeof(*f));
    bl_arena_init(&f->arena, (size_t)64 << 20, allocator);
    f->now = 1000000;
    struct bl_github_options options = {
        .repository = BL_STR("octo/demo"),
        .repository_id = 77,
        .token = BL_STR("secret-token"),
        .clock = {now, wait, f},
        .write_gap_s = UINT32_MAX,
    };
    if (change != NULL) {
        change(&options);
    }
    const struct bl_github_transport transport = {.self = f, .send = send_request};
    f->github = bl_github_create_over(&f->arena, &options, &transport, &f->problem);
    f->snapshot =
        f->github != NULL ? bl_snapshot_create(&f->arena, bl_github_world(f->github)) : NULL;
}

void end_client(struct fixture *f)
{
    if (f->github != NULL) {
        bl_github_close(f->github);
    }
    bl_arena_reset(&f->arena);
}

void give_replies(struct fixture *f, const struct reply *replies, size_t count)
{
    f->replies = replies;
    f->reply_count = count;
    f->sent_count = 0;
    f->wait_count = 0;
}

struct bl_object *thing(struct fixture *f, enum bl_entity entity, int64_t key, const char *name)
{
    return bl_snapshot_object(f->snapshot, entity, key, bl_str_from(name));
}

enum bl_answer load(struct fixture *f, struct bl_object *object, enum bl_read read,
                    struct bl_failure *failure)
{
    *failure = (struct bl_failure){.again = false};
    return bl_snapshot_load(f->snapshot, object, read, failure);
}
