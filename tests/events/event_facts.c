/* SPDX-License-Identifier: Apache-2.0 */
#include "event/event.h"
#include "support/things.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* event_facts PATH…: reads lines "event name, tab, payload" and answers each with a line of
 * JSON:
 * ["read", words of each path…], ["not handled", reason] or ["broken", code and path]. */

#define LINE_BYTES ((size_t)4 << 20)
#define ANSWER     ((size_t)1 << 20)

static int no_task(const void *context, bl_str name)
{
    (void)context;
    (void)name;
    return -1;
}

static void answer(struct bl_arena *arena, bl_str name, bl_str payload, int count, char **paths)
{
    struct bl_event event;
    struct bl_diagnostics sink;
    struct bl_buf out;
    struct bl_json_writer w;
    bl_str reason;
    struct bl_event_source from = {
        .name = name, .started = INT64_C(4000000000), .task_index = no_task};
    bl_diagnostics_init(&sink, arena, 10);
    bl_buf_init(&out, arena, ANSWER);
    bl_json_writer_init(&w, &out, false);
    bl_json_begin_array(&w);
    switch (bl_event_read(arena, payload, &from, &event, &sink, &reason)) {
    case BL_EVENT_READ:
        bl_json_string(&w, BL_STR("read"));
        for (int i = 0; i < count; i++) {
            bl_json_string(&w, event_words(arena, &event, paths[i]));
        }
        break;
    case BL_EVENT_NOT_HANDLED:
        bl_json_string(&w, BL_STR("not handled"));
        bl_json_string(&w, reason);
        break;
    case BL_EVENT_BROKEN:
        bl_json_string(&w, BL_STR("broken"));
        for (size_t i = 0; i < sink.list.count; i++) {
            bl_json_integer(&w, sink.list.items[i]->code);
            bl_json_string(&w, sink.list.items[i]->args[0].value);
        }
        break;
    }
    bl_json_end_array(&w);
    (void)printf("%.*s\n", BL_STR_ARG(bl_buf_str(&out)));
}

int main(int argc, char **argv)
{
    char *line = malloc(LINE_BYTES);
    if (line == NULL) {
        return 1;
    }
    while (fgets(line, (int)LINE_BYTES, stdin) != NULL) {
        bl_str text = bl_str_from(line);
        size_t tab = bl_str_find_char(text, '\t');
        if (tab == SIZE_MAX || !bl_str_ends_with(text, BL_STR("\n"))) {
            (void)fprintf(stderr, "A line is not a name, a tab and a payload.\n");
            free(line);
            return 1;
        }
        struct bl_arena arena;
        bl_arena_init(&arena, (size_t)256 << 20, NULL);
        answer(&arena, bl_str_slice(text, 0, tab), bl_str_slice(text, tab + 1, text.len - 1),
               argc - 1, argv + 1);
        bl_arena_reset(&arena);
    }
    free(line);
    return 0;
}
