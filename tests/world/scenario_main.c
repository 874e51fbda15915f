/* SPDX-License-Identifier: Apache-2.0 */
#include "world/scenario.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads commands, a line of JSON each, and answers each with a line of JSON. The first opens a
 * world:
 *   {"do": "sim", "file": a world file}
 *   {"do": "github", "api": …, "graphql": …, "repository": …, "repository_id": …, "token": …,
 *    "account": …, "now": seconds, and request_ms, answer_bytes, proxy, no_proxy, ca_file}
 * and the others ask it: read, ask, effect, act (of the simulator), dump (likewise), counts,
 * fresh (a new snapshot). */

#define LINE_BYTES  ((size_t)8 << 20)
#define ARENA_BYTES ((size_t)512 << 20)
#define DUMP_BYTES  ((size_t)64 << 20)
#define DEPTH       64

bl_str scenario_text(const struct bl_json *command, const char *key)
{
    const struct bl_json *node = bl_json_get(command, bl_str_from(key));
    return node != NULL && node->kind == BL_JSON_STRING ? node->string : BL_STR("");
}

int64_t scenario_number(const struct bl_json *command, const char *key)
{
    const struct bl_json *node = bl_json_get(command, bl_str_from(key));
    return node != NULL && node->kind == BL_JSON_INT ? node->integer : 0;
}

bool scenario_flag(const struct bl_json *command, const char *key)
{
    const struct bl_json *node = bl_json_get(command, bl_str_from(key));
    return node != NULL && node->kind == BL_JSON_TRUE;
}

static void die(const char *words)
{
    (void)fprintf(stderr, "scenario: %s\n", words);
    exit(70);
}

static int64_t now(void *context)
{
    const struct scenario *s = context;
    return s->now;
}

static void wait(void *context, int64_t seconds)
{
    struct scenario *s = context;
    s->now += seconds;
    s->waited += seconds;
}

static bl_str read_whole(struct bl_arena *arena, bl_str path)
{
    char name[4096];
    struct bl_buf text;
    char chunk[8192];
    (void)snprintf(name, sizeof(name), "%.*s", BL_STR_ARG(path));
    FILE *file = fopen(name, "rb");
    if (file == NULL) {
        die("a file cannot be read");
    }
    bl_buf_init(&text, arena, DUMP_BYTES);
    for (size_t n = fread(chunk, 1, sizeof(chunk), file); n > 0;
         n = fread(chunk, 1, sizeof(chunk), file)) {
        bl_buf_put(&text, (bl_str){chunk, n});
    }
    (void)fclose(file);
    return bl_buf_str(&text);
}

static void begin_world(struct scenario *s)
{
    if (s->github != NULL) {
        bl_github_close(s->github);
    }
    bl_arena_reset(&s->arena);
    *s = (struct scenario){.arena = s->arena};
}

static void open_sim(struct scenario *s, const struct bl_json *command,
                     struct bl_json_writer *out)
{
    struct bl_diagnostics sink;
    bl_str file = scenario_text(command, "file");
    begin_world(s);
    s->sim = bl_sim_create(&s->arena, BL_STR("octo/demo"), BL_STR("github-actions[bot]"), 0);
    bl_diagnostics_init(&sink, &s->arena, 10);
    if (s->sim == NULL || bl_sim_load(s->sim, read_whole(&s->arena, file), 0, &sink) != BL_OK) {
        for (size_t i = 0; i < sink.list.count; i++) {
            for (size_t k = 0; k < sink.list.items[i]->arg_count; k++) {
                (void)fprintf(stderr, "%s: %.*s\n", sink.list.items[i]->args[k].name,
                              BL_STR_ARG(sink.list.items[i]->args[k].value));
            }
        }
        die("the world file cannot be loaded");
    }
    s->world = bl_sim_world(s->sim);
    s->repository = bl_sim_repository(s->sim);
    s->account = bl_sim_account(s->sim);
    s->snapshot = bl_snapshot_create(&s->arena, s->world);
    bl_json_key(out, BL_STR("open"));
    bl_json_string(out, BL_STR("sim"));
}

static void open_github(struct scenario *s, const struct bl_json *command,
                        struct bl_json_writer *out)
{
    bl_str problem;
    begin_world(s);
    s->now = scenario_number(command, "now");
    const struct bl_github_options options = {
        .api_url = scenario_text(command, "api"),
        .graphql_url = scenario_text(command, "graphql"),
        .repository = scenario_text(command, "repository"),
        .repository_id = scenario_number(command, "repository_id"),
        .token = scenario_text(command, "token"),
        .clock = {now, wait, s},
        .user_agent = BL_STR("bylaw-test"),
        .loopback_http = true,
        .request_ms = (uint32_t)scenario_number(command, "request_ms"),
        .answer_bytes = (uint32_t)scenario_number(command, "answer_bytes"),
        .proxy = scenario_text(command, "proxy"),
        .no_proxy = scenario_text(command, "no_proxy"),
        .ca_file = scenario_text(command, "ca_file"),
    };
    s->github = bl_github_create(&s->arena, &options, &problem);
    if (s->github == NULL) {
        (void)fprintf(stderr, "%.*s\n", BL_STR_ARG(problem));
        die("the client cannot be made");
    }
    s->world = bl_github_world(s->github);
    s->repository = bl_arena_copy(&s->arena, options.repository);
    s->account = bl_arena_copy(&s->arena, scenario_text(command, "account"));
    s->snapshot = bl_snapshot_create(&s->arena, s->world);
    bl_json_key(out, BL_STR("open"));
    bl_json_string(out, BL_STR("github"));
}

static void put_number(struct bl_json_writer *out, const char *key, int64_t value)
{
    bl_json_key(out, bl_str_from(key));
    bl_json_integer(out, value);
}

static void counts(struct scenario *s, struct bl_json_writer *out)
{
    if (s->github == NULL) {
        die("only the client counts");
    }
    struct bl_github_counts all = bl_github_counts(s->github);
    put_number(out, "requests", (int64_t)all.requests);
    put_number(out, "queries", (int64_t)all.queries);
    put_number(out, "points", (int64_t)all.points);
    put_number(out, "writes", (int64_t)all.writes);
    put_number(out, "unchanged", (int64_t)all.unchanged);
    put_number(out, "retries", (int64_t)all.retries);
    put_number(out, "waits", (int64_t)all.waits);
    put_number(out, "waited", s->waited);
}

static void dump(struct scenario *s, struct bl_json_writer *out)
{
    struct bl_buf text;
    if (s->sim == NULL) {
        die("only the simulator dumps");
    }
    bl_buf_init(&text, &s->arena, DUMP_BYTES);
    bl_sim_dump(s->sim, &text);
    bl_json_key(out, BL_STR("dump"));
    bl_json_string(out, bl_buf_str(&text));
}

static void answer(struct scenario *s, const struct bl_json *command,
                   struct bl_json_writer *out)
{
    bl_str what = scenario_text(command, "do");
    bl_json_begin_object(out);
    if (bl_str_equal(what, BL_STR("sim"))) {
        open_sim(s, command, out);
    } else if (bl_str_equal(what, BL_STR("github"))) {
        open_github(s, command, out);
    } else if (s->world == NULL) {
        die("no world is open");
    } else if (bl_str_equal(what, BL_STR("read"))) {
        scenario_read(s, command, out);
    } else if (bl_str_equal(what, BL_STR("ask"))) {
        scenario_ask(s, command, out);
    } else if (bl_str_equal(what, BL_STR("effect"))) {
        scenario_effect(s, command, out);
    } else if (bl_str_equal(what, BL_STR("act"))) {
        scenario_act(s, command, out);
    } else if (bl_str_equal(what, BL_STR("dump"))) {
        dump(s, out);
    } else if (bl_str_equal(what, BL_STR("counts"))) {
        counts(s, out);
    } else if (bl_str_equal(what, BL_STR("fresh"))) {
        s->snapshot = bl_snapshot_create(&s->arena, s->world);
    } else {
        die("this command is not known");
    }
    bl_json_end_object(out);
}

int main(void)
{
    struct scenario s = {.now = 0};
    struct bl_arena lines;
    char *line = malloc(LINE_BYTES);
    bl_arena_init(&s.arena, ARENA_BYTES, NULL);
    bl_arena_init(&lines, ARENA_BYTES, NULL);
    if (line == NULL) {
        die("out of memory");
    }
    while (fgets(line, (int)LINE_BYTES, stdin) != NULL) {
        struct bl_json_error error;
        struct bl_json_writer out;
        struct bl_buf text;
        size_t notes;
        bl_str input = bl_str_trim(bl_str_from(line));
        const struct bl_json *command = bl_json_parse(&lines, input, DEPTH, &notes, &error);
        if (command == NULL) {
            die("a line is no JSON");
        }
        bl_buf_init(&text, &lines, DUMP_BYTES * 2);
        bl_json_writer_init(&out, &text, false);
        answer(&s, command, &out);
        if (text.failed) {
            die("an answer is too long");
        }
        (void)printf("%.*s\n", BL_STR_ARG(bl_buf_str(&text)));
        (void)fflush(stdout);
        bl_arena_reset(&lines);
    }
    if (s.github != NULL) {
        bl_github_close(s.github);
    }
    bl_arena_reset(&s.arena);
    free(line);
    return 0;
}
