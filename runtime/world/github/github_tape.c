/* SPDX-License-Identifier: Apache-2.0 */
#include "world/github/github_tape.h"

#include "base/utf8.h"
#include "event/json.h"

#define LINE_BYTES   ((size_t)128 << 20)
#define LINE_DEPTH   4
#define SHOWN_BYTES  300
#define NO_TEXT      '\x01'
#define SENTENCE_MAX ((size_t)1000)

static const char *const wires[] = {
    [BL_WIRE_ANSWERED] = "answered",   [BL_WIRE_NOT_SENT] = "not sent",
    [BL_WIRE_BROKEN] = "broken",       [BL_WIRE_TOO_LARGE] = "too large",
    [BL_WIRE_DISTRUST] = "distrusted", [BL_WIRE_NO_CURL] = "no libcurl",
    [BL_WIRE_NO_MEMORY] = "no memory",
};

/* ---- recording --------------------------------------------------------------------------- */

struct recorder {
    const struct bl_github_options *options;
    struct bl_github_transport inner;
    struct bl_arena scratch; /* of one line */
};

static void put_text(struct bl_json_writer *w, const char *key, bl_str text)
{
    bl_json_key(w, bl_str_from(key));
    bl_json_string(w, text);
}

static void put_number(struct bl_json_writer *w, const char *key, int64_t number)
{
    bl_json_key(w, bl_str_from(key));
    bl_json_integer(w, number);
}

/* What a proxy or a broken connection leaves need be no text. Then each byte that could be why
 * becomes one that no JSON holds either: what is not read when it comes is not when it is
 * played, and there is no second form in which a secret could stand. */
static void put_answer(struct bl_json_writer *w, struct bl_arena *arena, bl_str body)
{
    struct bl_buf text;
    if (bl_utf8_invalid_at(body) == body.len && bl_str_find_char(body, '\0') == SIZE_MAX) {
        put_text(w, "answer", body);
        return;
    }
    bl_buf_init(&text, arena, body.len + 1);
    for (size_t i = 0; i < body.len; i++) {
        unsigned char byte = (unsigned char)body.ptr[i];
        bl_buf_put_char(&text, byte == 0 || byte >= 0x80 ? NO_TEXT : body.ptr[i]);
    }
    put_text(w, "answer", bl_buf_str(&text));
}

static void put_back(struct bl_json_writer *w, struct bl_arena *arena,
                     const struct bl_github_answer *answer)
{
    const struct bl_github_headers *headers = &answer->headers;
    put_number(w, "status", answer->status);
    bl_json_key(w, BL_STR("json"));
    bl_json_bool(w, headers->json);
    put_text(w, "link", headers->link);
    put_text(w, "location", headers->location);
    put_text(w, "etag_back", headers->etag);
    put_text(w, "accepted", headers->accepted);
    put_number(w, "retry_after", headers->retry_after);
    put_number(w, "remaining", headers->remaining);
    put_number(w, "reset", headers->reset);
    put_answer(w, arena, answer->body);
}

static void record(struct recorder *recorder, int64_t at,
                   const struct bl_github_request *request, enum bl_github_wire wire,
                   const struct bl_github_answer *answer)
{
    struct bl_buf line;
    struct bl_json_writer w;
    bl_arena_reset(&recorder->scratch);
    bl_buf_init(&line, &recorder->scratch, LINE_BYTES);
    bl_json_writer_init(&w, &line, false);
    bl_json_begin_object(&w);
    put_number(&w, "at", at);
    put_text(&w, "method", bl_github_method_name(request->method));
    put_text(&w, "url", request->url);
    put_text(&w, "body", request->body);
    put_text(&w, "etag", request->etag);
    put_text(&w, "wire", bl_str_from(wires[wire]));
    if (wire == BL_WIRE_ANSWERED) {
        put_back(&w, &recorder->scratch, answer);
    }
    bl_json_end_object(&w);
    /* The caller sees a line that is missing: the recording then does not play. */
    recorder->options->record.line(recorder->options->record.context,
                                   line.failed ? BL_STR("") : bl_buf_str(&line));
}

void bl_github_record_stop(struct bl_arena *arena, const struct bl_github_options *options)
{
    struct bl_buf line;
    bl_buf_init(&line, arena, 100);
    bl_buf_printf(&line, "{\"at\":%lld,\"stop\":true}",
                  (long long)options->clock.now(options->clock.context));
    if (options->record.line != NULL) {
        options->record.line(options->record.context, bl_buf_str(&line));
    }
}

static enum bl_github_wire send_recorded(void *self, struct bl_arena *arena,
                                         const struct bl_github_request *request,
                                         struct bl_github_answer *answer)
{
    struct recorder *recorder = self;
    const struct bl_github_clock *clock = &recorder->options->clock;
    int64_t at = clock->now(clock->context);
    enum bl_github_wire wire =
        recorder->inner.send(recorder->inner.self, arena, request, answer);
    record(recorder, at, request, wire, answer);
    return wire;
}

static void close_recorder(void *self)
{
    struct recorder *recorder = self;
    if (recorder->inner.close != NULL) {
        recorder->inner.close(recorder->inner.self);
    }
    bl_arena_reset(&recorder->scratch);
}

bool bl_github_recorder(struct bl_arena *arena, const struct bl_github_options *options,
                        const struct bl_github_transport *inner,
                        struct bl_github_transport *out)
{
    struct recorder *recorder = BL_NEW(arena, struct recorder);
    if (recorder == NULL) {
        return false;
    }
    recorder->options = options;
    recorder->inner = *inner;
    bl_arena_init(&recorder->scratch, LINE_BYTES * 2, arena->allocator);
    *out = (struct bl_github_transport){
        .self = recorder, .send = send_recorded, .close = close_recorder};
    return true;
}

/* ---- playing ----------------------------------------------------------------------------- */

struct bl_github_player {
    struct bl_arena *arena;
    struct bl_arena scratch; /* of the next line */
    bl_str left;
    const struct bl_json *next; /* NULL: behind the last, or broken */
    int64_t now;
    bl_str difference;
};

static void differ(struct bl_github_player *player, const char *words, bl_str about)
{
    struct bl_buf sentence;
    if (player->difference.len > 0) {
        return;
    }
    bl_buf_init(&sentence, player->arena, SENTENCE_MAX);
    bl_buf_put(&sentence, bl_str_from(words));
    bl_buf_put(&sentence, bl_str_slice(about, 0, SHOWN_BYTES));
    BL_PUT(&sentence, ".");
    player->difference = bl_buf_str(&sentence);
}

static void look_ahead(struct bl_github_player *player)
{
    struct bl_json_error error;
    size_t notes = 0;
    size_t end = bl_str_find_char(player->left, '\n');
    bl_str line = bl_str_slice(player->left, 0, end);
    player->next = NULL;
    if (player->left.len == 0) {
        return;
    }
    player->left = bl_str_slice(player->left, end == SIZE_MAX ? end : end + 1, SIZE_MAX);
    bl_arena_reset(&player->scratch);
    player->next = bl_json_parse(&player->scratch, line, LINE_DEPTH, &notes, &error);
    const struct bl_json *at = bl_json_get(player->next, BL_STR("at"));
    if (at == NULL || at->kind != BL_JSON_INT) {
        player->next = NULL;
        differ(player, "A line of the recording cannot be read: ", line);
        return;
    }
    player->now = at->integer;
}

static bl_str text_of(const struct bl_json *line, const char *key)
{
    const struct bl_json *node = bl_json_get(line, bl_str_from(key));
    return node != NULL && node->kind == BL_JSON_STRING ? node->string : BL_STR("");
}

static int64_t number_of(const struct bl_json *line, const char *key)
{
    const struct bl_json *node = bl_json_get(line, bl_str_from(key));
    return node != NULL && node->kind == BL_JSON_INT ? node->integer : -1;
}

static bool is_same(const struct bl_json *line, const struct bl_github_request *request)
{
    return bl_str_equal(text_of(line, "method"), bl_github_method_name(request->method)) &&
           bl_str_equal(text_of(line, "url"), request->url) &&
           bl_str_equal(text_of(line, "body"), request->body) &&
           bl_str_equal(text_of(line, "etag"), request->etag);
}

static void take_answer(struct bl_arena *arena, const struct bl_json *line,
                        struct bl_github_answer *answer)
{
    const struct bl_json *json = bl_json_get(line, BL_STR("json"));
    answer->status = (long)number_of(line, "status");
    answer->headers.json = json != NULL && json->kind == BL_JSON_TRUE;
    answer->headers.link = bl_arena_copy(arena, text_of(line, "link"));
    answer->headers.location = bl_arena_copy(arena, text_of(line, "location"));
    answer->headers.etag = bl_arena_copy(arena, text_of(line, "etag_back"));
    answer->headers.accepted = bl_arena_copy(arena, text_of(line, "accepted"));
    answer->headers.retry_after = number_of(line, "retry_after");
    answer->headers.remaining = number_of(line, "remaining");
    answer->headers.reset = number_of(line, "reset");
    answer->body = bl_arena_copy(arena, text_of(line, "answer"));
}

static enum bl_github_wire play(void *self, struct bl_arena *arena,
                                const struct bl_github_request *request,
                                struct bl_github_answer *answer)
{
    struct bl_github_player *player = self;
    enum bl_github_wire wire = BL_WIRE_NO_CURL;
    *answer = (struct bl_github_answer){.status = 0};
    bl_github_headers_init(&answer->headers);
    if (player->next == NULL || player->difference.len > 0 || !is_same(player->next, request)) {
        differ(player,
               "The run asks for what the recording does not have next: ", request->url);
        return BL_WIRE_NO_CURL;
    }
    for (unsigned i = 0; i < sizeof(wires) / sizeof(wires[0]); i++) {
        if (bl_str_equal(text_of(player->next, "wire"), bl_str_from(wires[i]))) {
            wire = (enum bl_github_wire)i;
        }
    }
    if (wire == BL_WIRE_ANSWERED) {
        take_answer(arena, player->next, answer);
    }
    look_ahead(player);
    return arena->failed ? BL_WIRE_NO_MEMORY : wire;
}

static void close_player(void *self)
{
    struct bl_github_player *player = self;
    bl_arena_reset(&player->scratch);
}

static int64_t player_now(void *context)
{
    const struct bl_github_player *player = context;
    return player->now;
}

static void no_wait(void *context, int64_t seconds)
{
    (void)context;
    (void)seconds;
}

/* The run was told to stop before it asked for more. */
static bool is_stop(void *context)
{
    const struct bl_github_player *player = context;
    const struct bl_json *stop = bl_json_get(player->next, BL_STR("stop"));
    return stop != NULL && stop->kind == BL_JSON_TRUE;
}

struct bl_github_player *bl_github_player_create(struct bl_arena *arena, bl_str lines)
{
    struct bl_github_player *player = BL_NEW(arena, struct bl_github_player);
    if (player == NULL) {
        return NULL;
    }
    player->arena = arena;
    player->left = lines;
    bl_arena_init(&player->scratch, LINE_BYTES * 2, arena->allocator);
    look_ahead(player);
    return player;
}

struct bl_github_transport bl_github_player_transport(struct bl_github_player *player)
{
    return (struct bl_github_transport){.self = player, .send = play, .close = close_player};
}

struct bl_github_clock bl_github_player_clock(struct bl_github_player *player)
{
    return (struct bl_github_clock){player_now, no_wait, player};
}

struct bl_github_stop bl_github_player_stop(struct bl_github_player *player)
{
    return (struct bl_github_stop){is_stop, player};
}

bl_str bl_github_player_difference(const struct bl_github_player *player)
{
    if (player->difference.len > 0 || player->next == NULL ||
        is_stop((void *)(uintptr_t)player)) {
        return player->difference;
    }
    return BL_STR("The recording goes on where the run ends.");
}
