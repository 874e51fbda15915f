/* SPDX-License-Identifier: Apache-2.0 */
#include "world/github/github.h"

#include "event/names.h"
#include "world/github/github_parts.h"
#include "world/github/github_tape.h"

/* A page of GraphQL with a hundred long texts, its tree and its things. */
#define SCRATCH_BYTES ((size_t)192 << 20)

#define API_URL BL_STR("https://api.github.com")
/* Where an Enterprise Server has REST; its GraphQL is at /api/graphql. */
#define ENTERPRISE_PATH BL_STR("/api/v3")
#define USER_AGENT      BL_STR("bylaw")
#define TOKEN_BYTES     4096
#define URL_BYTES       ((size_t)2048)
#define CONNECT_MS      10000
#define REQUEST_MS      60000
#define ANSWER_BYTES    ((uint32_t)16 << 20)
#define REQUESTS        10000

static int64_t now(void *self)
{
    const struct bl_github *github = self;
    return github->options.clock.now(github->options.clock.context);
}

static const struct bl_failure *page_failure(void *self)
{
    const struct bl_github *github = self;
    return &github->last_failure;
}

/* ---- options ----------------------------------------------------------------------------- */

/* Whatever could end a header line, or be no token at all. */
static bool is_token(bl_str token)
{
    for (size_t i = 0; i < token.len; i++) {
        if (token.ptr[i] <= 0x20 || token.ptr[i] >= 0x7F) {
            return false;
        }
    }
    return token.len > 0 && token.len <= TOKEN_BYTES;
}

static bool is_line(bl_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] < 0x20 || text.ptr[i] >= 0x7F) {
            return false;
        }
    }
    return text.len <= URL_BYTES;
}

static bool may_be_asked(const struct bl_github_options *options,
                         const struct bl_address *address)
{
    return bl_str_equal(address->scheme, BL_STR("https")) ||
           (options->loopback_http && bl_address_is_loopback(address));
}

static bl_str or_else(struct bl_arena *arena, bl_str text, bl_str otherwise)
{
    return bl_arena_copy(arena, text.len > 0 ? text : otherwise);
}

static uint32_t number_or(uint32_t number, uint32_t otherwise)
{
    return number != 0 ? number : otherwise;
}

static void fill_options(struct bl_github *github, const struct bl_github_options *given)
{
    struct bl_arena *arena = github->arena;
    struct bl_github_options *own = &github->options;
    *own = *given;
    own->api_url = or_else(arena, given->api_url, API_URL);
    while (bl_str_ends_with(own->api_url, BL_STR("/"))) {
        own->api_url.len--;
    }
    if (given->graphql_url.len > 0) {
        own->graphql_url = bl_arena_copy(arena, given->graphql_url);
    } else {
        struct bl_buf url;
        bl_str above = own->api_url;
        if (bl_str_ends_with(above, ENTERPRISE_PATH)) {
            above.len -= sizeof("/v3") - 1;
        }
        bl_buf_init(&url, arena, URL_BYTES);
        bl_buf_put(&url, above);
        BL_PUT(&url, "/graphql");
        own->graphql_url = bl_buf_str(&url);
    }
    own->repository = bl_arena_copy(arena, given->repository);
    own->token = bl_arena_copy(arena, given->token);
    own->user_agent = or_else(arena, given->user_agent, USER_AGENT);
    own->proxy = bl_arena_copy(arena, given->proxy);
    own->no_proxy = bl_arena_copy(arena, given->no_proxy);
    own->ca_file = bl_arena_copy(arena, given->ca_file);
    own->connect_ms = number_or(given->connect_ms, CONNECT_MS);
    own->request_ms = number_or(given->request_ms, REQUEST_MS);
    own->answer_bytes = number_or(given->answer_bytes, ANSWER_BYTES);
    own->requests = number_or(given->requests, REQUESTS);
    own->write_gap_s = number_or(given->write_gap_s, 1);
}

/* Empty when all is well. */
static bl_str check_options(struct bl_github *github)
{
    const struct bl_github_options *own = &github->options;
    struct bl_address graphql;
    if (!bl_address_parse(own->api_url, &github->api) || !may_be_asked(own, &github->api) ||
        bl_str_find_char(own->api_url, '?') != SIZE_MAX) {
        return BL_STR("The address of GitHub's API must begin with https:// and name a host.");
    }
    if (!bl_address_parse(own->graphql_url, &graphql) || !may_be_asked(own, &graphql)) {
        return BL_STR("The address of GitHub's GraphQL must begin with https:// and name a "
                      "host.");
    }
    if (!bl_address_same_origin(&github->api, &graphql)) {
        return BL_STR("GitHub's API and its GraphQL must stand on one host: the token is for "
                      "that one alone.");
    }
    if (!bl_is_repository_name(own->repository)) {
        return BL_STR("The repository must be given as owner/name.");
    }
    if (!is_token(own->token)) {
        return BL_STR("The token for GitHub is missing, or holds blanks or line ends.");
    }
    if (!is_line(own->user_agent) || !is_line(own->proxy) || !is_line(own->no_proxy)) {
        return BL_STR("A proxy or the name of the client holds characters that it cannot "
                      "have.");
    }
    if (own->clock.now == NULL || own->clock.wait == NULL) {
        return BL_STR("The client for GitHub needs a clock.");
    }
    return BL_STR("");
}

static struct bl_github *prepare(struct bl_arena *arena,
                                 const struct bl_github_options *options, bl_str *problem)
{
    struct bl_github *github = BL_NEW(arena, struct bl_github);
    *problem = BL_STR("Out of memory.");
    if (github == NULL) {
        return NULL;
    }
    github->arena = arena;
    fill_options(github, options);
    bl_arena_init(&github->scratch, SCRATCH_BYTES, arena->allocator);
    github->world = (struct bl_world){
        .self = github,
        .load = bl_github_load,
        .query = bl_github_ask,
        .write = bl_github_write,
        .holds = bl_github_holds,
        .now = now,
        .page_failure = page_failure,
        .expect = bl_github_expect,
    };
    if (arena->failed) {
        return NULL;
    }
    *problem = check_options(github);
    size_t slash = bl_str_find_char(github->options.repository, '/');
    github->owner = bl_str_slice(github->options.repository, 0, slash);
    github->name = bl_str_slice(github->options.repository, slash + 1, SIZE_MAX);
    return problem->len == 0 ? github : NULL;
}

struct bl_github *bl_github_create_over(struct bl_arena *arena,
                                        const struct bl_github_options *options,
                                        const struct bl_github_transport *transport,
                                        bl_str *problem)
{
    struct bl_github *github = prepare(arena, options, problem);
    if (github != NULL) {
        github->transport = *transport;
    }
    return github;
}

struct bl_github *bl_github_create(struct bl_arena *arena,
                                   const struct bl_github_options *options, bl_str *problem)
{
    struct bl_github *github = prepare(arena, options, problem);
    struct bl_github_transport wire;
    if (github == NULL) {
        return NULL;
    }
    if (!bl_github_curl(arena, &github->options, &wire) ||
        (options->record.line != NULL &&
         !bl_github_recorder(arena, &github->options, &wire, &wire))) {
        *problem = BL_STR("Out of memory.");
        return NULL;
    }
    github->transport = wire;
    return github;
}

struct bl_github *bl_github_replay(struct bl_arena *arena,
                                   const struct bl_github_options *options, bl_str lines,
                                   bl_str *problem)
{
    struct bl_github_player *player = bl_github_player_create(arena, lines);
    struct bl_github_options own = *options;
    if (player == NULL) {
        *problem = BL_STR("Out of memory.");
        return NULL;
    }
    const struct bl_github_transport transport = bl_github_player_transport(player);
    own.clock = bl_github_player_clock(player);
    own.stop = bl_github_player_stop(player);
    struct bl_github *github = bl_github_create_over(arena, &own, &transport, problem);
    if (github != NULL) {
        github->player = player;
    }
    return github;
}

bl_str bl_github_replay_difference(const struct bl_github *github)
{
    return github->player != NULL ? bl_github_player_difference(github->player) : BL_STR("");
}

void bl_github_close(struct bl_github *github)
{
    if (github->transport.close != NULL) {
        github->transport.close(github->transport.self);
    }
    bl_arena_reset(&github->scratch);
}

const struct bl_world *bl_github_world(struct bl_github *github)
{
    return &github->world;
}

struct bl_github_counts bl_github_counts(const struct bl_github *github)
{
    return github->counts;
}

const struct bl_failure *bl_github_last_failure(const struct bl_github *github)
{
    return &github->last_failure;
}

/* ---- what the files share ---------------------------------------------------------------- */

void bl_github_url_begin(struct bl_github *github, struct bl_buf *out)
{
    bl_buf_init(out, &github->scratch, URL_BYTES * 4);
    bl_buf_put(out, github->options.api_url);
}

void bl_github_url_below(struct bl_github *github, struct bl_buf *out, const char *below)
{
    bl_github_url_begin(github, out);
    BL_PUT(out, "/repos/");
    bl_address_put_step(out, github->owner);
    bl_buf_put_char(out, '/');
    bl_address_put_step(out, github->name);
    bl_buf_put(out, bl_str_from(below));
}

bool bl_github_url_end(struct bl_github *github, const struct bl_buf *url,
                       struct bl_failure *failure)
{
    if (url->failed && !github->scratch.failed) {
        failure->why = BL_STR("a name in it cannot be part of an address");
        failure->again = false;
    } else if (url->failed) {
        (void)bl_github_no_memory(failure);
    }
    return !url->failed;
}

enum bl_answer bl_github_no_memory(struct bl_failure *failure)
{
    failure->why = BL_STR("out of memory");
    failure->help = BL_STR("");
    failure->again = false;
    return BL_FAILED;
}

enum bl_answer bl_github_answer(enum bl_github_outcome outcome)
{
    switch (outcome) {
    case BL_GITHUB_DONE:
        return BL_FOUND;
    case BL_GITHUB_MISSING:
        return BL_MISSING;
    case BL_GITHUB_FAILED:
    case BL_GITHUB_UNKNOWN:
        break;
    }
    return BL_FAILED;
}
