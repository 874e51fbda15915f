/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/subprocess.h"

#include "base/buf.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* The input as a file without a name: it is all there before the program begins, so nobody
 * waits for anybody. NULL when there is no room for it. */
static FILE *input_file(bl_str input)
{
    FILE *file = tmpfile();

    if (file != NULL && (fwrite(input.ptr, 1, input.len, file) != input.len ||
                         fflush(file) != 0 || fseek(file, 0, SEEK_SET) != 0)) {
        (void)fclose(file);
        return NULL;
    }
    return file;
}

static bool start(const struct bl_command *command, int in, int from, pid_t *child)
{
    char *const *argv = (char *const *)(uintptr_t)command->argv;
    char *const *given = (char *const *)(uintptr_t)command->environment;
    posix_spawn_file_actions_t actions;

    if (posix_spawn_file_actions_init(&actions) != 0)
        return false;
    bool good = posix_spawn_file_actions_adddup2(&actions, from, STDOUT_FILENO) == 0;
    if (in >= 0)
        good = good && posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO) == 0;
    else
        good = good && posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null",
                                                        O_RDONLY, 0) == 0;
    if (command->is_quiet)
        good = good && posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null",
                                                        O_WRONLY, 0) == 0;
    good = good && posix_spawnp(child, argv[0], &actions, NULL, argv,
                                given != NULL ? given : environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    return good;
}

/* Milliseconds until `seconds` have passed since `begin`; -1: there is no end. */
static int time_left(const struct timespec *begin, unsigned seconds)
{
    struct timespec now;

    if (seconds == 0)
        return -1;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    int64_t passed =
        (int64_t)(now.tv_sec - begin->tv_sec) * 1000 + (now.tv_nsec - begin->tv_nsec) / 1000000;
    int64_t left = (int64_t)seconds * 1000 - passed;
    return left > 0 ? (int)left : 0;
}

static bool take(int descriptor, unsigned seconds, struct bl_buf *text, bool *late)
{
    struct pollfd wait = {.fd = descriptor, .events = POLLIN};
    struct timespec begin;
    char chunk[16384];

    (void)clock_gettime(CLOCK_MONOTONIC, &begin);
    for (;;) {
        int ready = poll(&wait, 1, time_left(&begin, seconds));
        if (ready < 0 && errno == EINTR)
            continue;
        *late = ready == 0;
        if (ready <= 0)
            return false;
        ssize_t got = read(descriptor, chunk, sizeof chunk);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return got == 0 && !text->failed;
        bl_buf_put(text, (bl_str){chunk, (size_t)got});
    }
}

static bool run(const struct bl_command *command, int in, struct bl_buf *text, int *code,
                bl_str *why)
{
    int ends[2], state = 0;
    bool late = false;
    pid_t child;

    *why = BL_STR("It cannot be run.");
    if (pipe(ends) != 0)
        return false;
    (void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    (void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    bool started = start(command, in, ends[1], &child);
    close(ends[1]);
    /* To the end also when there is no room: it must not wait for a reader. */
    bool whole = started && take(ends[0], command->seconds, text, &late);
    close(ends[0]);
    if (!started)
        return false;
    if (late)
        (void)kill(child, SIGKILL);
    while (waitpid(child, &state, 0) < 0 && errno == EINTR)
        continue;
    *code = WIFEXITED(state) ? WEXITSTATUS(state) : -1;
    *why = late     ? BL_STR("It took too long.")
           : !whole ? BL_STR("It printed more than there is room for.")
                    : BL_STR("It failed.");
    return whole && WIFEXITED(state);
}

bool bl_command_run(struct bl_arena *arena, const struct bl_command *command, bl_str *out,
                    int *code, bl_str *why)
{
    struct bl_buf text;
    FILE *input = command->input.len > 0 ? input_file(command->input) : NULL;

    bl_buf_init(&text, arena, command->limit);
    *why = BL_STR("There is no room for what it reads.");
    bool good = (input != NULL || command->input.len == 0) &&
                run(command, input != NULL ? fileno(input) : -1, &text, code, why);
    if (input != NULL)
        (void)fclose(input);
    *out = bl_buf_str(&text);
    return good;
}

bool bl_command_output(struct bl_arena *arena, const char *const *argv, size_t limit,
                       bl_str *out, bl_str *why)
{
    const struct bl_command command = {.argv = argv, .limit = limit};
    int code = -1;

    return bl_command_run(arena, &command, out, &code, why) && code == 0;
}
