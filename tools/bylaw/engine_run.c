/* SPDX-License-Identifier: Apache-2.0 */
#include "bylaw/engine_run.h"

#include "cli/subprocess.h"

#include <inttypes.h>

#define PRINTED_BYTES ((size_t)16 << 20)
#define INPUT_BYTES   ((size_t)64 << 20)

/* What programs need to find themselves, their certificates and their way to the network. The
 * runner's tokens and files are not among them. */
static const char *const passed[] = {
    "PATH",
    "HOME",
    "LANG",
    "LC_ALL",
    "TERM",
    "TMPDIR",
    "TZ",
    "USER",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "NODE_EXTRA_CA_CERTS",
};
#define PASSED (sizeof passed / sizeof passed[0])

struct environment {
    struct bl_arena *arena;
    const char **items;
    size_t count;
};

static void put(struct environment *e, bl_str name, bl_str value)
{
    struct bl_buf text;

    bl_buf_init(&text, e->arena, name.len + value.len + 2);
    bl_buf_put(&text, name);
    bl_buf_put_char(&text, '=');
    bl_buf_put(&text, value);
    bl_buf_put_char(&text, '\0');
    if (!text.failed)
        e->items[e->count++] = bl_buf_str(&text).ptr;
}

static void pass(struct environment *e, bl_str name)
{
    bl_str value = bl_environment(name.ptr);

    if (value.ptr != NULL)
        put(e, name, value);
}

/* Where nobody else knows of it, and outside of the checkout. */
static bl_str usage_path(struct bl_arena *arena)
{
    unsigned char bytes[16];
    bl_str folder = bl_environment("RUNNER_TEMP");
    struct bl_buf path;

    if (!bl_random(bytes, sizeof bytes))
        return (bl_str){NULL, 0};
    bl_buf_init(&path, arena, folder.len + 100);
    bl_buf_put(&path, folder.len > 0 ? folder : BL_STR("/tmp"));
    BL_PUT(&path, "/bylaw-usage-");
    for (size_t i = 0; i < sizeof bytes; i++)
        bl_buf_printf(&path, "%02x", (unsigned)bytes[i]);
    BL_PUT(&path, ".json");
    return bl_buf_str(&path);
}

static const char *const *environment_of(const struct bl_module *m, uint32_t job,
                                         struct bl_arena *arena, bl_str usage)
{
    const struct bl_module_job *row = &m->JOBS_rows[job];
    struct environment e = {.arena = arena};

    e.items = BL_NEW_ARRAY(arena, PASSED + row->own_count + 2, const char *);
    if (e.items == NULL)
        return NULL;
    for (size_t i = 0; i < PASSED; i++)
        pass(&e, bl_str_from(passed[i]));
    for (uint32_t i = 0; i < row->own_count; i++) {
        const struct bl_module_job_step *step = &m->JOB_STEPS_rows[row->first_own + i];

        if (step->kind == BL_JOB_STEP_SECRET)
            pass(&e, bl_module_string(m, step->name));
    }
    put(&e, BL_STR("BYLAW_USAGE"), usage);
    return arena->failed ? NULL : e.items;
}

/* Written for this run, or by a step before it. */
static bool read_input(struct bl_scene *scene, const struct bl_run_shown *run, bl_str folder,
                       bl_str *text)
{
    const struct bl_run_result *result = run->result;
    bl_str declared =
        bl_module_string(&scene->session.module, scene->session.module.INFO_rows[0].folder);
    bl_str why = {NULL, 0};
    bl_str name = declared.len > 0
                      ? bl_str_slice(result->input, declared.len + 1, result->input.len)
                      : result->input;

    *text = (bl_str){NULL, 0};
    if (result->input.len == 0)
        return true;
    for (size_t i = 0; i < result->files.count; i++) {
        if (bl_str_equal(result->files.items[i].path, name)) {
            *text = result->files.items[i].text;
            return true;
        }
    }
    if (bl_file_read_below(&scene->session.arena, folder.len > 0 ? folder : BL_STR("."), name,
                           INPUT_BYTES, text, &why) == BL_FILE_READ)
        return true;
    bl_session_say(&scene->session, result->input,
                   why.len > 0 ? why : BL_STR("A step before this one writes it."));
    return false;
}

static const char *const *words_of(struct bl_arena *arena, const struct bl_run_result *result)
{
    const char **words = BL_NEW_ARRAY(arena, result->command.count + 1, const char *);

    for (size_t i = 0; words != NULL && i < result->command.count; i++) {
        struct bl_buf word;

        bl_buf_init(&word, arena, result->command.items[i].len + 1);
        bl_buf_put(&word, result->command.items[i]);
        bl_buf_put_char(&word, '\0');
        words[i] = bl_buf_str(&word).ptr;
    }
    return words;
}

bool bl_engine_run(struct bl_scene *scene, const struct bl_run_shown *run, bl_str folder,
                   struct bl_engine_run *out)
{
    struct bl_arena *arena = &scene->session.arena;
    const struct bl_module *m = &scene->session.module;
    const struct bl_module_engine *engine =
        &m->ENGINES_rows[m->JOBS_rows[run->options->job].engine];
    struct bl_command command = {.is_quiet = true, .limit = PRINTED_BYTES};
    bl_str why = {NULL, 0};

    *out = (struct bl_engine_run){.usage = usage_path(arena)};
    command.argv = words_of(arena, run->result);
    command.environment = environment_of(m, run->options->job, arena, out->usage);
    if (out->usage.len == 0 || command.argv == NULL || command.environment == NULL) {
        bl_session_say(&scene->session, (bl_str){NULL, 0},
                       BL_STR("There is no memory, or the system has no random numbers."));
        return false;
    }
    if (!read_input(scene, run, folder, &command.input))
        return false;
    if (!bl_command_run(arena, &command, &out->printed, &out->code, &why)) {
        bl_session_say(&scene->session, run->result->command.items[0], why);
        return false;
    }
    if ((engine->outputs & 2u) == 0 || !bl_path_is_file(arena, out->usage))
        out->usage = (bl_str){NULL, 0};
    return true;
}
