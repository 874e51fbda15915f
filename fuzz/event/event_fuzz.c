/* SPDX-License-Identifier: Apache-2.0 */
#include "event/event.h"
#include "world/sim/sim.h"

#include <stdlib.h>

/* A payload: a line with the event's name, then the JSON. Whatever is in it, the reader ends
 * with one of its three results; what it reads has the types of its tables, goes through the
 * writer and back, and seeds a simulator. */

#define MEMORY ((size_t)64 << 20)

static void must(bool condition)
{
    if (!condition) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void put_again(struct bl_json_writer *w, const struct bl_json *node)
{
    switch (node->kind) {
    case BL_JSON_NULL:
        bl_json_null(w);
        return;
    case BL_JSON_FALSE:
    case BL_JSON_TRUE:
        bl_json_bool(w, node->kind == BL_JSON_TRUE);
        return;
    case BL_JSON_INT:
        bl_json_integer(w, node->integer);
        return;
    case BL_JSON_NUMBER:
    case BL_JSON_STRING:
        bl_json_string(w, node->string);
        return;
    case BL_JSON_ARRAY:
    case BL_JSON_OBJECT:
        break;
    }
    bool object = node->kind == BL_JSON_OBJECT;
    object ? bl_json_begin_object(w) : bl_json_begin_array(w);
    for (size_t i = 0; i < node->count; i++) {
        if (object) {
            bl_json_key(w, node->items[i].key);
        }
        put_again(w, &node->items[i]);
    }
    object ? bl_json_end_object(w) : bl_json_end_array(w);
}

static void compare(const struct bl_json *a, const struct bl_json *b)
{
    bool number = a->kind == BL_JSON_NUMBER; /* went through as a string */
    must(number ? b->kind == BL_JSON_STRING : a->kind == b->kind);
    must(a->count == b->count && bl_str_equal(a->key, b->key) && a->integer == b->integer);
    must(a->kind == BL_JSON_INT || bl_str_equal(a->string, b->string));
    for (size_t i = 0; i < a->count; i++) {
        compare(&a->items[i], &b->items[i]);
        must(a->kind != BL_JSON_OBJECT || bl_json_get(a, a->items[i].key) == &a->items[i]);
    }
}

static void json(struct bl_arena *arena, bl_str text)
{
    struct bl_json_error error;
    size_t notes = 0;
    const struct bl_json *root =
        bl_json_parse(arena, text, BL_JSON_WRITE_DEPTH, &notes, &error);
    if (root == NULL) {
        must(error.message.len > 0 && error.offset <= text.len);
        return;
    }
    struct bl_buf out;
    struct bl_json_writer w;
    bl_buf_init(&out, arena, MEMORY);
    bl_json_writer_init(&w, &out, text.len % 2 == 0);
    put_again(&w, root);
    if (!out.failed && !arena->failed) {
        const struct bl_json *back =
            bl_json_parse(arena, bl_buf_str(&out), BL_JSON_WRITE_DEPTH, &notes, &error);
        must(back != NULL || error.no_memory);
        if (back != NULL) {
            compare(root, back);
        }
    }
}

static void typed(const struct bl_object *thing)
{
    if (thing == NULL) {
        return;
    }
    const struct bl_entity_info *info = bl_entity_info((enum bl_entity)thing->entity);
    for (unsigned i = 0; i < info->field_count; i++) {
        enum bl_field field = (enum bl_field)(info->first_field + i);
        must(!bl_object_knows(thing, field) ||
             bl_value_has_type(bl_object_get(thing, field), bl_field_info(field)->type));
    }
}

static void seed(struct bl_arena *arena, const struct bl_event *event)
{
    struct bl_buf out;
    struct bl_sim *sim = bl_sim_create(arena, BL_STR("o/r"), BL_STR("github-actions[bot]"), 1);
    if (sim != NULL && bl_sim_seed(sim, event) == BL_OK) {
        bl_buf_init(&out, arena, MEMORY);
        bl_sim_dump(sim, &out);
    }
}

static int no_task(const void *context, bl_str name)
{
    (void)context;
    return name.len == 6 ? 0 : -1;
}

static void read_event(struct bl_arena *arena, bl_str name, bl_str payload)
{
    struct bl_diagnostics sink;
    struct bl_event event;
    bl_str reason;
    struct bl_event_source from = {
        .name = name, .started = INT64_C(1800000000), .task_index = no_task};
    bl_diagnostics_init(&sink, arena, 20);
    switch (bl_event_read(arena, payload, &from, &event, &sink, &reason)) {
    case BL_EVENT_READ:
        must(event.id < BL_EVENT_COUNT && sink.errors == 0);
        typed(event.event);
        typed(event.issue);
        typed(event.comment);
        typed(event.pull_request);
        typed(event.status);
        typed(event.release);
        typed(event.repository);
        seed(arena, &event);
        return;
    case BL_EVENT_NOT_HANDLED:
        must(reason.len > 0 && sink.errors == 0);
        return;
    case BL_EVENT_BROKEN:
        must(sink.errors > 0 || arena->failed);
        return;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bl_str input = {(const char *)data, size};
    size_t line = bl_str_find_char(input, '\n');
    bl_str payload = bl_str_slice(input, line == SIZE_MAX ? size : line + 1, size);
    struct bl_arena arena;
    bl_arena_init(&arena, MEMORY, NULL);
    json(&arena, payload);
    bl_arena_reset(&arena);
    read_event(&arena, bl_str_slice(input, 0, line), payload);
    bl_arena_reset(&arena);
    /* With memory that does not reach. */
    bl_arena_init(&arena, size % 97 * 1024, NULL);
    read_event(&arena, bl_str_slice(input, 0, line), payload);
    bl_arena_reset(&arena);
    return 0;
}
