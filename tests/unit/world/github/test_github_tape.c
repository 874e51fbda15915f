/* SPDX-License-Identifier: Apache-2.0 */
#include "support/check.h"
#include "world/github/github_tape.h"

/* What was recorded is played: every kind of ending, every header that counts, and answers that
 * are no text. */

static struct bl_arena arena;
static struct bl_buf tape;
static int64_t moment;

static int set_up(void **state)
{
    (void)state;
    bl_arena_init(&arena, (size_t)512 << 20, NULL);
    bl_buf_init(&tape, &arena, (size_t)1 << 20);
    moment = 1795154400;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    bl_arena_reset(&arena);
    return 0;
}

static int64_t now(void *context)
{
    (void)context;
    return moment;
}

static void wait_for(void *context, int64_t seconds)
{
    (void)context;
    moment += seconds;
}

static void line(void *context, bl_str text)
{
    (void)context;
    bl_buf_put(&tape, text);
    BL_PUT(&tape, "\n");
}

#define BODY(text)                                                                             \
    {                                                                                          \
        text, sizeof(text) - 1                                                                 \
    }

#define SAME BODY("")

static const struct script {
    enum bl_github_wire wire;
    long status;
    const char *link;
    int64_t retry_after;
    bl_str body;
    bl_str played; /* empty: the same */
} scripts[] = {
    {BL_WIRE_ANSWERED, 200, "<https://api.github.com/x?page=2>; rel=\"next\"", -1,
     BODY("[{\"a\":\"\\u00e9\"}]"), SAME},
    {BL_WIRE_ANSWERED, 502, "", -1, BODY("<html>\n\"quoted\"\\</html>"), SAME},
    {BL_WIRE_ANSWERED, 429, "", 30, BODY(""), SAME},
    {BL_WIRE_ANSWERED, 200, "", -1, BODY("a\0b"),
     BODY("a\x01"
          "b")},
    {BL_WIRE_ANSWERED, 200, "", -1, BODY("\xFF\xFE\x00\x7F"), BODY("\x01\x01\x01\x7F")},
    {BL_WIRE_BROKEN, 0, "", -1, BODY(""), SAME},
    {BL_WIRE_NOT_SENT, 0, "", -1, BODY(""), SAME},
    {BL_WIRE_TOO_LARGE, 0, "", -1, BODY(""), SAME},
    {BL_WIRE_DISTRUST, 0, "", -1, BODY(""), SAME},
};
#define COUNT (sizeof(scripts) / sizeof(scripts[0]))

static enum bl_github_wire scripted(void *self, struct bl_arena *to,
                                    const struct bl_github_request *request,
                                    struct bl_github_answer *answer)
{
    size_t *at = self;
    const struct script *script = &scripts[(*at)++];
    (void)to;
    (void)request;
    *answer = (struct bl_github_answer){.status = script->status, .body = script->body};
    bl_github_headers_init(&answer->headers);
    answer->headers.json = script->status == 200;
    answer->headers.link = bl_str_from(script->link);
    answer->headers.etag = BL_STR("W/\"1\"");
    answer->headers.retry_after = script->retry_after;
    answer->headers.remaining = 17;
    return script->wire;
}

static const struct bl_github_request request = {
    .method = BL_GITHUB_PATCH,
    .url = BODY("https://api.github.com/repos/octo/demo/issues/12"),
    .body = BODY("{\"body\":\"two\\nlines\"}"),
};

static void record_all(void)
{
    size_t at = 0;
    const struct bl_github_options options = {.clock = {now, wait_for, NULL},
                                              .record = {line, NULL}};
    const struct bl_github_transport inner = {.self = &at, .send = scripted};
    struct bl_github_transport recorder;
    struct bl_github_answer answer;
    check(bl_github_recorder(&arena, &options, &inner, &recorder));
    for (size_t i = 0; i < COUNT; i++) {
        check_int(recorder.send(recorder.self, &arena, &request, &answer), scripts[i].wire);
        moment += 7;
    }
    recorder.close(recorder.self);
}

TEST(what_was_recorded_is_played)
{
    record_all();
    struct bl_github_player *player = bl_github_player_create(&arena, bl_buf_str(&tape));
    struct bl_github_transport wire = bl_github_player_transport(player);
    struct bl_github_clock clock = bl_github_player_clock(player);
    check_str(bl_github_player_difference(player), "The recording goes on where the run ends.");
    for (size_t i = 0; i < COUNT; i++) {
        struct bl_github_answer answer;
        check_case("%zu", i);
        check_int(clock.now(clock.context), 1795154400 + 7 * (int64_t)i);
        clock.wait(clock.context, 1000);
        check_int(wire.send(wire.self, &arena, &request, &answer), scripts[i].wire);
        check_int(answer.status, scripts[i].status);
        bl_str body = scripts[i].played.len > 0 ? scripts[i].played : scripts[i].body;
        check(
            bl_str_equal(answer.body, scripts[i].wire == BL_WIRE_ANSWERED ? body : BL_STR("")));
        if (scripts[i].wire != BL_WIRE_ANSWERED) {
            continue;
        }
        check_str(answer.headers.link, scripts[i].link);
        check_str(answer.headers.etag, "W/\"1\"");
        check_int(answer.headers.retry_after, scripts[i].retry_after);
        check_int(answer.headers.remaining, 17);
        check_int(answer.headers.reset, -1);
        check_int(answer.headers.json, scripts[i].status == 200);
    }
    check_str(bl_github_player_difference(player), "");
    wire.close(wire.self);
}

TEST(another_request_is_a_difference)
{
    struct bl_github_answer answer;
    record_all();
    const struct bl_github_request others[] = {
        {.method = BL_GITHUB_POST, .url = request.url, .body = request.body},
        {.method = request.method,
         .url = BL_STR("https://api.github.com/"),
         .body = request.body},
        {.method = request.method, .url = request.url, .body = BL_STR("{}")},
        {.method = request.method,
         .url = request.url,
         .body = request.body,
         .etag = BL_STR("x")},
    };
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        struct bl_github_player *player = bl_github_player_create(&arena, bl_buf_str(&tape));
        struct bl_github_transport wire = bl_github_player_transport(player);
        check_case("%zu", i);
        check_int(wire.send(wire.self, &arena, &others[i], &answer), BL_WIRE_NO_CURL);
        check(bl_str_starts_with(bl_github_player_difference(player),
                                 BL_STR("The run asks for what the recording does not have")));
        /* After it nothing is trusted any more. */
        check_int(wire.send(wire.self, &arena, &request, &answer), BL_WIRE_NO_CURL);
        wire.close(wire.self);
    }
}

TEST(broken_lines_are_said)
{
    static const char *const lines[] = {"{", "[]\n", "{\"at\":\"x\"}", "\n", "{\"at\":1}x"};
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        struct bl_github_answer answer;
        struct bl_github_player *player =
            bl_github_player_create(&arena, bl_str_from(lines[i]));
        struct bl_github_transport wire = bl_github_player_transport(player);
        check_case("%s", lines[i]);
        check(bl_str_starts_with(bl_github_player_difference(player),
                                 BL_STR("A line of the recording cannot be read")));
        check_int(wire.send(wire.self, &arena, &request, &answer), BL_WIRE_NO_CURL);
        wire.close(wire.self);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_was_recorded_is_played, set_up, tear_down),
        cmocka_unit_test_setup_teardown(another_request_is_a_difference, set_up, tear_down),
        cmocka_unit_test_setup_teardown(broken_lines_are_said, set_up, tear_down),
    };
    return check_main(tests);
}
