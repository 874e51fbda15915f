/* SPDX-License-Identifier: Apache-2.0 */
#include "bylaw/git_reading.h"

#include "cli/subprocess.h"
#include "text/patch.h"

#define PRINTED_BYTES ((size_t)64 << 20)
#define SECONDS       60u

enum bl_answer bl_git_reading(struct bl_session *session, struct bl_arena *arena, bl_str patch,
                              bl_str *reading)
{
    /* In a repository git would leave out what is not below the folder, and take settings of
     * whoever wrote its configuration. */
    static const char *const argv[] = {"git", "apply", "--numstat", "-z", NULL};
    static const char *const away[] = {
        "GIT_DIR=/dev/null",
        "GIT_CONFIG_NOSYSTEM=1",
        "GIT_CONFIG_GLOBAL=/dev/null",
        "HOME=/dev/null",
        "LC_ALL=C",
        NULL,
    };
    const struct bl_command command = {.argv = argv,
                                       .environment = away,
                                       .input = patch,
                                       .is_quiet = true,
                                       .limit = PRINTED_BYTES,
                                       .seconds = SECONDS};
    bl_str printed, why;
    int code = -1;

    *reading = BL_STR("");
    if (!bl_command_run(arena, &command, &printed, &code, &why)) {
        bl_session_say(session, BL_STR("git apply --numstat"), why);
        return BL_FAILED;
    }
    /* 1 and 128: what git says of patches that it does not take; 127: there is no git. */
    if (code == 127) {
        bl_session_say(session, BL_STR("git apply --numstat"), BL_STR("There is no git."));
        return BL_FAILED;
    }
    if (code != 0 || !bl_patch_numstat(arena, printed, reading))
        return arena->failed ? BL_FAILED : BL_MISSING;
    return BL_FOUND;
}
