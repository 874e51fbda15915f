/* SPDX-License-Identifier: Apache-2.0 */
/* nanosleep */
#define _POSIX_C_SOURCE 200809L

#include "bylaw/on_github.h"

#include "cli/subprocess.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#define NOTHING     ((bl_str){NULL, 0})
#define FILES_BYTES ((size_t)64 << 20)

bool bl_in_actions(void)
{
    return bl_str_equal(bl_environment("GITHUB_ACTIONS"), BL_STR("true"));
}

/* ---- the clock --------------------------------------------------------------------------- */

static int64_t now(void *context)
{
    const struct bl_on_github *github = context;
    return github->is_test ? github->test_now : bl_clock();
}

static void sleep_for(int64_t seconds)
{
    struct timespec left = {.tv_sec = (time_t)seconds};
    while (nanosleep(&left, &left) != 0 && errno == EINTR)
        continue;
}

/* A second between two writes is not worth a line; a minute of silence is. */
static void wait_for(void *context, int64_t seconds)
{
    struct bl_on_github *github = context;
    struct bl_buf line;
    if (seconds > 1) {
        bl_buf_init(&line, github->arena, 200);
        bl_buf_printf(&line, "GitHub is asked again after %lld seconds.", (long long)seconds);
        bl_session_say(github->session, NOTHING, bl_buf_str(&line));
    }
    if (github->is_test)
        github->test_now += seconds;
    else
        sleep_for(seconds);
}

/* ---- what the workflow passes ------------------------------------------------------------ */

/* Names of variables and secrets are those of the policy, and so are the ones of the
 * environment; the runner's own are not the repository's. */
static const char *passed_name(struct bl_on_github *github, bl_str name)
{
    bl_str copy = bl_arena_copy(github->arena, name);
    bool plain =
        copy.ptr != NULL && name.len > 0 && !bl_str_starts_with(name, BL_STR("GITHUB_"));
    for (size_t i = 0; i < name.len; i++)
        plain = plain && (bl_is_ascii_alpha(name.ptr[i]) || bl_is_ascii_digit(name.ptr[i]) ||
                          name.ptr[i] == '_');
    return plain ? copy.ptr : NULL;
}

/* `${{ vars.NAME }}` of a variable that is not set is the empty text; one that the workflow
 * does not pass at all is not known. */
static enum bl_answer variable(void *context, bl_str name, bl_str *value)
{
    const char *known = passed_name(context, name);
    *value = known != NULL ? bl_environment(known) : NOTHING;
    if (value->ptr == NULL)
        return BL_FAILED;
    return value->len > 0 ? BL_FOUND : BL_MISSING;
}

/* `${{ secrets.NAME != '' }}` says whether it is set and does not give it away. */
static enum bl_answer secret(void *context, bl_str name, bool *is_set)
{
    const char *known = passed_name(context, name);
    bl_str value = known != NULL ? bl_environment(known) : NOTHING;
    *is_set = value.len > 0 && !bl_str_equal(value, BL_STR("false"));
    return value.ptr != NULL ? BL_FOUND : BL_FAILED;
}

static bool read_files(struct bl_on_github *github)
{
    static const char *const list[] = {"git", "ls-files", "-z", NULL};
    static const char *const list_there[] = {"git", "-C", NULL, "ls-files", "-z", NULL};
    const char *argv[sizeof list_there / sizeof list_there[0]];
    bl_str folder = bl_environment("GITHUB_WORKSPACE"), why;
    memcpy(argv, list_there, sizeof list_there);
    argv[2] = folder.ptr;
    if (!bl_command_output(github->arena, folder.len > 0 ? argv : list, FILES_BYTES,
                           &github->files, &why)) {
        bl_session_say(github->session, BL_STR("git ls-files"), why);
        return false;
    }
    return true;
}

static enum bl_answer tracked_file(void *context, size_t n, bl_str *path)
{
    struct bl_on_github *github = context;
    if (!github->files_read) {
        github->files_read = true;
        github->files_known = read_files(github);
    }
    /* The list is asked for once, from its begin to its end. */
    if (n == 0)
        github->files_left = github->files;
    size_t end = bl_str_find_char(github->files_left, '\0');
    if (!github->files_known)
        return BL_FAILED;
    if (end == SIZE_MAX)
        return BL_MISSING;
    *path = bl_str_slice(github->files_left, 0, end);
    github->files_left = bl_str_slice(github->files_left, end + 1, SIZE_MAX);
    return BL_FOUND;
}

/* ---- the client -------------------------------------------------------------------------- */

static bl_str either(const char *one, const char *other)
{
    bl_str value = bl_environment(one);
    return value.len > 0 ? value : bl_environment(other);
}

static int64_t number_of(bl_str text)
{
    int64_t number = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (!bl_is_ascii_digit(text.ptr[i]) || number > INT64_C(1) << 53)
            return 0;
        number = number * 10 + (text.ptr[i] - '0');
    }
    return number;
}

static const char *lacking(const struct bl_github_options *options)
{
    if (options->token.len == 0)
        return "There is no token for GitHub: give the step 'env: GITHUB_TOKEN: ${{ "
               "github.token }}', or --world FILE for a simulated repository.";
    if (options->repository.len == 0)
        return "It is not known which repository on GitHub is meant: set GITHUB_REPOSITORY to "
               "owner/name, as GitHub Actions does.";
    return NULL;
}

struct bl_on_github *bl_on_github_open(struct bl_session *session, struct bl_arena *arena,
                                       int64_t clock, enum bl_exit *exit)
{
    struct bl_on_github *github = BL_NEW(arena, struct bl_on_github);
    bl_str problem = BL_STR("Out of memory.");
    *exit = BL_EXIT_INTERNAL;
    if (github == NULL) {
        bl_session_say(session, NOTHING, problem);
        return NULL;
    }
    *github = (struct bl_on_github){
        .session = session,
        .arena = arena,
        .is_test = bl_str_equal(bl_environment("BYLAW_TEST_LOOPBACK"), BL_STR("1")),
        .test_now = clock,
    };
    const struct bl_github_options options = {
        .api_url = bl_environment("GITHUB_API_URL"),
        .graphql_url = bl_environment("GITHUB_GRAPHQL_URL"),
        .repository = bl_environment("GITHUB_REPOSITORY"),
        .repository_id = number_of(bl_environment("GITHUB_REPOSITORY_ID")),
        .token = bl_environment("GITHUB_TOKEN"),
        .clock = {now, wait_for, github},
        .job = {variable, secret, tracked_file, github},
        .user_agent = BL_STR("bylaw/" BL_VERSION),
        .proxy = either("HTTPS_PROXY", "https_proxy"),
        .no_proxy = either("NO_PROXY", "no_proxy"),
        .ca_file = bl_environment("SSL_CERT_FILE"),
        .loopback_http = github->is_test,
    };
    const char *lacks = lacking(&options);
    if (lacks == NULL)
        github->client = bl_github_create(arena, &options, &problem);
    if (github->client != NULL)
        return github;
    *exit = arena->failed ? BL_EXIT_INTERNAL : BL_EXIT_USAGE;
    bl_session_say(session, NOTHING, lacks != NULL ? bl_str_from(lacks) : problem);
    return NULL;
}

void bl_on_github_close(struct bl_on_github *github)
{
    bl_github_close(github->client);
}
