/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/subprocess.h"

#include "base/buf.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static bool start(const char *const *argv, int from, pid_t *child)
{
    posix_spawn_file_actions_t actions;
    if (posix_spawn_file_actions_init(&actions) != 0)
        return false;
    bool good = posix_spawn_file_actions_adddup2(&actions, from, STDOUT_FILENO) == 0 &&
                posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY,
                                                 0) == 0 &&
                posix_spawnp(child, argv[0], &actions, NULL, (char *const *)(uintptr_t)argv,
                             environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    return good;
}

static bool take(int descriptor, struct bl_buf *text)
{
    char chunk[16384];
    for (;;) {
        ssize_t got = read(descriptor, chunk, sizeof chunk);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return got == 0 && !text->failed;
        bl_buf_put(text, (bl_str){chunk, (size_t)got});
    }
}

bool bl_command_output(struct bl_arena *arena, const char *const *argv, size_t limit,
                       bl_str *out, bl_str *why)
{
    struct bl_buf text;
    int ends[2], state = 0;
    pid_t child;
    bl_buf_init(&text, arena, limit);
    *why = BL_STR("It cannot be run.");
    if (pipe(ends) != 0)
        return false;
    (void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    (void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    bool started = start(argv, ends[1], &child);
    close(ends[1]);
    /* To the end also when there is no room: it must not wait for a reader. */
    bool whole = started && take(ends[0], &text);
    close(ends[0]);
    if (!started)
        return false;
    while (waitpid(child, &state, 0) < 0 && errno == EINTR)
        continue;
    if (!WIFEXITED(state) || WEXITSTATUS(state) != 0)
        *why = BL_STR("It failed.");
    else if (!whole)
        *why = BL_STR("It printed more than there is room for.");
    *out = bl_buf_str(&text);
    return whole && WIFEXITED(state) && WEXITSTATUS(state) == 0;
}
