/* SPDX-License-Identifier: Apache-2.0 */
/* nanosleep */
#define _POSIX_C_SOURCE 200809L

#include "bylaw/on_github.h"

#include "bylaw/job_summary.h"

#include <errno.h>
#include <signal.h>
#include <time.h>

#define NOTHING ((bl_str){NULL, 0})

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

/* A run that is cancelled gets SIGINT, after seven seconds SIGTERM, and is killed two seconds
 * later: time enough to stop before the next request and to say what is left. A second signal
 * of the kind does what it always does. */
static volatile sig_atomic_t is_stopped;

static void stop(int signal)
{
    (void)signal;
    is_stopped = 1;
}

static bool told(void *context)
{
    (void)context;
    return is_stopped != 0;
}

static void hear_signals(void)
{
    struct sigaction action = {.sa_handler = stop, .sa_flags = (int)SA_RESETHAND};
    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
}

static void sleep_for(int64_t seconds)
{
    /* Second by second: a signal that comes before the sleep begins does not end it. */
    for (; seconds > 0 && is_stopped == 0; seconds--) {
        struct timespec left = {.tv_sec = 1};
        while (nanosleep(&left, &left) != 0 && errno == EINTR && is_stopped == 0)
            continue;
    }
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

/* ---- the journal ------------------------------------------------------------------------- */

/* What and where, in words that hold no text of anybody. */
static void written(void *context, const struct bl_effect_call *call)
{
    struct bl_on_github *github = context;
    struct bl_buf line;
    bl_buf_init(&line, github->arena, 200);
    bl_buf_printf(&line, "Written: %.*s", BL_STR_ARG(bl_effect_info(call->effect)->words));
    if (call->target != NULL && call->target->key > 0)
        bl_buf_printf(&line, ", %.*s %lld",
                      BL_STR_ARG(bl_entity_info((enum bl_entity)call->target->entity)->name),
                      (long long)call->target->key);
    BL_PUT(&line, ".");
    bl_session_say(github->session, NOTHING, bl_buf_str(&line));
    if (github->summary != NULL)
        bl_job_summary_written(github->summary, call);
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

static struct bl_on_github *begin(struct bl_session *session, struct bl_arena *arena)
{
    struct bl_on_github *github = BL_NEW(arena, struct bl_on_github);
    if (github == NULL) {
        bl_session_say(session, NOTHING, BL_STR("Out of memory."));
        return NULL;
    }
    *github = (struct bl_on_github){
        .session = session,
        .arena = arena,
        .passed = {.session = session,
                   .arena = arena,
                   .stores = bl_store_files_at(session, arena,
                                               bl_environment("GITHUB_WORKSPACE"), 0)},
    };
    github->options.clock = (struct bl_github_clock){now, wait_for, github};
    github->options.job = bl_passed_job(&github->passed);
    github->options.user_agent = BL_STR("bylaw/" BL_VERSION);
    return github;
}

/* A list of issues need not bring what no instruction of the module asks for. */
static uint32_t fields_of(const struct bl_module *module, enum bl_entity entity)
{
    uint32_t fields = 0;
    for (uint32_t f = 0; f < module->FUNCTIONS_count; f++) {
        const struct bl_insn *code = bl_module_code(module, &module->FUNCTIONS_rows[f]);
        uint32_t count = bl_module_insn_count(module, &module->FUNCTIONS_rows[f]);

        for (uint32_t i = 0; i < count; i++) {
            const struct bl_field_info *field =
                code[i].op == BL_OP_FIELD ? bl_field_info((enum bl_field)code[i].c) : NULL;
            if (field != NULL && field->entity == entity)
                fields |= UINT32_C(1) << bl_field_slot((enum bl_field)code[i].c);
        }
    }
    /* One that stands for all would be none. */
    return fields | UINT32_C(1) << bl_field_slot(BL_FIELD_ISSUE_NUMBER);
}

static void read_environment(struct bl_on_github *github)
{
    struct bl_github_options *options = &github->options;
    options->api_url = bl_environment("GITHUB_API_URL");
    options->graphql_url = bl_environment("GITHUB_GRAPHQL_URL");
    options->repository = bl_environment("GITHUB_REPOSITORY");
    options->repository_id = number_of(bl_environment("GITHUB_REPOSITORY_ID"));
    options->token = bl_environment("GITHUB_TOKEN");
    options->proxy = either("HTTPS_PROXY", "https_proxy");
    options->no_proxy = either("NO_PROXY", "no_proxy");
    options->ca_file = bl_environment("SSL_CERT_FILE");
    options->loopback_http = github->is_test;
    if (github->is_test)
        options->request_ms = (uint32_t)number_of(bl_environment("BYLAW_TEST_REQUEST_MS"));
}

static void record(void *context, bl_str line)
{
    struct bl_on_github *github = context;
    bl_recording_line(github->passed.recording, "github.jsonl", line);
}

static struct bl_on_github *refuse(struct bl_on_github *github, bl_str problem,
                                   enum bl_exit *exit)
{
    bl_session_say(github->session, NOTHING, problem);
    *exit = github->arena->failed ? BL_EXIT_INTERNAL : BL_EXIT_USAGE;
    return NULL;
}

struct bl_on_github *bl_on_github_open(struct bl_session *session, struct bl_arena *arena,
                                       int64_t clock, struct bl_recording *recording,
                                       enum bl_exit *exit)
{
    struct bl_on_github *github = begin(session, arena);
    bl_str problem = NOTHING;
    *exit = BL_EXIT_INTERNAL;
    if (github == NULL)
        return NULL;
    github->is_test = bl_str_equal(bl_environment("BYLAW_TEST_LOOPBACK"), BL_STR("1"));
    github->test_now = clock;
    read_environment(github);
    github->options.journal = (struct bl_github_journal){written, github};
    github->options.stop = (struct bl_github_stop){told, NULL};
    hear_signals();
    github->options.issue_fields = fields_of(&session->module, BL_ENTITY_ISSUE);
    const char *lacks = lacking(&github->options);
    if (lacks != NULL)
        return refuse(github, bl_str_from(lacks), exit);
    if (recording != NULL) {
        bl_recording_hide(recording, github->options.token);
        github->passed.recording = recording;
        github->options.record = (struct bl_github_record){record, github};
    }
    github->client = bl_github_create(arena, &github->options, &problem);
    return github->client != NULL ? github : refuse(github, problem, exit);
}

struct bl_on_github *bl_on_github_replay(struct bl_session *session, struct bl_arena *arena,
                                         bl_str folder, const struct bl_recorded *recorded,
                                         enum bl_exit *exit)
{
    struct bl_on_github *github = begin(session, arena);
    bl_str lines, passed, problem = NOTHING;
    *exit = BL_EXIT_INPUT;
    if (github == NULL || !bl_recording_read(session, folder, "github.jsonl", true, &lines) ||
        !bl_recording_read(session, folder, "passed.jsonl", true, &passed))
        return NULL;
    if (!bl_passed_replay(&github->passed, passed)) {
        bl_session_say(session, bl_recording_path(arena, folder, "passed.jsonl"),
                       BL_STR("A line of it cannot be read."));
        return NULL;
    }
    github->options.api_url = recorded->api_url;
    github->options.graphql_url = recorded->graphql_url;
    github->options.repository = recorded->repository;
    github->options.repository_id = recorded->repository_id;
    github->options.issue_fields = recorded->issue_fields;
    github->options.token = BL_STR("none");
    github->options.loopback_http = true; /* nothing is sent anywhere */
    github->client = bl_github_replay(arena, &github->options, lines, &problem);
    if (github->client != NULL)
        return github;
    (void)refuse(github, problem, exit);
    *exit = BL_EXIT_INPUT;
    return NULL;
}

void bl_on_github_close(struct bl_on_github *github)
{
    if (github->client != NULL)
        bl_github_close(github->client);
}
