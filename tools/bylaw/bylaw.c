/* SPDX-License-Identifier: Apache-2.0 */
#include "bylaw/scene.h"
#include "bylaw/text_input.h"

/* bylaw: policies on events of GitHub. */

static const struct {
    const char *word;
    enum bl_exit (*command)(int argc, char **argv);
    const char *what;
} commands[] = {
    {"run", bl_bylaw_run, "run a job of a policy on an event"},
    {"step", bl_bylaw_step,
     "carry out a step of a job: a file, the engine, a check, a comment"},
    {"call", bl_bylaw_call, "call an entry of a policy on its stores"},
    {"replay", bl_bylaw_replay, "decide a recorded run again"},
    {"try", bl_bylaw_try,
     "try one declaration of a policy: a decision, a check, a set of secrets"},
    {"check", bl_bylaw_check, "hold a repository against its policy"},
    {"install", bl_bylaw_install, "write what a policy asks of its repository"},
    {"redact-check", bl_bylaw_redact_check, "see what a redaction masks in a text"},
};

static void overview(struct bl_buf *out)
{
    BL_PUT(out, "bylaw: runs policies on events of GitHub\n\nUsage: bylaw COMMAND "
                "[options]\n\nCommands:\n");
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        bl_buf_printf(out, "  %-13s %s\n", commands[i].word, commands[i].what);
    BL_PUT(out,
           "\n'bylaw COMMAND --help' says more. Policies are written, checked and tested with "
           "policyc.\n");
}

int main(int argc, char **argv)
{
    bl_str word = argc > 1 ? bl_str_from(argv[1]) : (bl_str){NULL, 0};
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (bl_str_equal(word, bl_str_from(commands[i].word)))
            return (int)commands[i].command(argc, argv);
    struct bl_arena arena;
    struct bl_buf out;
    bl_arena_init(&arena, 1 << 16, NULL);
    bl_buf_init(&out, &arena, 1 << 14);
    enum bl_exit exit = BL_EXIT_USAGE;
    if (bl_str_equal(word, BL_STR("--version"))) {
        BL_PUT(&out, "bylaw " BL_VERSION "\n");
        exit = BL_EXIT_OK;
    } else {
        if (word.len > 0 && word.ptr[0] != '-')
            bl_buf_printf(&out, "bylaw: There is no command '%.*s'.\n\n", BL_STR_ARG(word));
        overview(&out);
        if (bl_str_equal(word, BL_STR("--help")) || bl_str_equal(word, BL_STR("-h")))
            exit = BL_EXIT_OK;
    }
    if (exit == BL_EXIT_OK && bl_print(bl_buf_str(&out)) != BL_OK)
        exit = BL_EXIT_INTERNAL;
    else if (exit == BL_EXIT_USAGE)
        bl_print_error(bl_buf_str(&out));
    bl_arena_reset(&arena);
    return (int)exit;
}
