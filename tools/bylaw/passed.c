/* SPDX-License-Identifier: Apache-2.0 */
#include "bylaw/passed.h"

#include "base/digest.h"
#include "base/utf8.h"
#include "bylaw/git_reading.h"
#include "cli/subprocess.h"

#include <string.h>

#define NOTHING     ((bl_str){NULL, 0})
#define FILES_BYTES ((size_t)64 << 20)
#define LINE_DEPTH  2

/* ---- recordings -------------------------------------------------------------------------- */

static const char *const answers[] = {
    [BL_FOUND] = "found", [BL_MISSING] = "missing", [BL_FAILED] = "failed"};

bool bl_passed_replay(struct bl_passed *passed, bl_str lines)
{
    passed->is_replay = true;
    while (lines.len > 0) {
        struct bl_json_error error;
        size_t notes = 0;
        size_t end = bl_str_find_char(lines, '\n');
        const struct bl_json *json = bl_json_parse(passed->arena, bl_str_slice(lines, 0, end),
                                                   LINE_DEPTH, &notes, &error);
        const struct bl_json **slot =
            json != NULL ? BL_PUSH(passed->arena, passed->lines) : NULL;
        if (slot == NULL)
            return false;
        *slot = json;
        lines = bl_str_slice(lines, end == SIZE_MAX ? end : end + 1, SIZE_MAX);
    }
    return true;
}

static bool says(const struct bl_json *line, const char *key, bl_str text)
{
    const struct bl_json *node = bl_json_get(line, bl_str_from(key));
    return node != NULL && node->kind == BL_JSON_STRING && bl_str_equal(node->string, text);
}

/* What was not asked when it was recorded, nobody knows. */
static enum bl_answer replay(const struct bl_passed *passed, const char *kind, bl_str name,
                             bl_str *value)
{
    for (size_t i = 0; i < passed->lines.count; i++) {
        const struct bl_json *line = passed->lines.items[i];
        const struct bl_json *text = bl_json_get(line, BL_STR("value"));
        if (!says(line, "kind", bl_str_from(kind)) || !says(line, "name", name))
            continue;
        *value = text != NULL && text->kind == BL_JSON_STRING ? text->string : BL_STR("");
        return says(line, "answer", BL_STR("found"))     ? BL_FOUND
               : says(line, "answer", BL_STR("missing")) ? BL_MISSING
                                                         : BL_FAILED;
    }
    return BL_FAILED;
}

static enum bl_answer record(struct bl_passed *passed, const char *kind, bl_str name,
                             enum bl_answer answer, bl_str value)
{
    struct bl_buf line;
    struct bl_json_writer w;
    const char *const keys[] = {"kind", "name", "answer", "value"};
    const bl_str texts[] = {bl_str_from(kind), name, bl_str_from(answers[answer]), value};
    if (passed->recording == NULL)
        return answer;
    bl_buf_init(&line, passed->arena, (size_t)8 << 20);
    bl_json_writer_init(&w, &line, false);
    bl_json_begin_object(&w);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        bl_json_key(&w, bl_str_from(keys[i]));
        bl_json_string(&w, texts[i]);
    }
    bl_json_end_object(&w);
    bl_recording_line(passed->recording, "passed.jsonl",
                      line.failed ? NOTHING : bl_buf_str(&line));
    return answer;
}

/* ---- variables and secrets --------------------------------------------------------------- */

/* Names of variables and secrets are those of the policy, and so are the ones of the
 * environment; the runner's own are not the repository's. NULL in the text: it is not there. */
static bl_str environment_of(struct bl_passed *passed, bl_str name)
{
    bl_str copy = bl_arena_copy(passed->arena, name);
    bool plain =
        copy.ptr != NULL && name.len > 0 && !bl_str_starts_with(name, BL_STR("GITHUB_"));
    for (size_t i = 0; i < name.len; i++)
        plain = plain && (bl_is_ascii_alpha(name.ptr[i]) || bl_is_ascii_digit(name.ptr[i]) ||
                          name.ptr[i] == '_');
    return plain ? bl_environment(copy.ptr) : NOTHING;
}

/* `${{ vars.NAME }}` of a variable that is not set is the empty text; one that the workflow
 * does not pass at all is not known. */
static enum bl_answer variable(void *context, bl_str name, bl_str *value)
{
    struct bl_passed *passed = context;
    if (passed->is_replay)
        return replay(passed, "variable", name, value);
    *value = environment_of(passed, name);
    return record(passed, "variable", name,
                  value->ptr == NULL ? BL_FAILED
                  : value->len > 0   ? BL_FOUND
                                     : BL_MISSING,
                  *value);
}

/* `${{ secrets.NAME != '' }}` says whether it is set and does not give it away. Who passes the
 * secret itself finds it in no recording. */
static enum bl_answer secret(void *context, bl_str name, bool *is_set)
{
    struct bl_passed *passed = context;
    bl_str value = NOTHING;
    if (passed->is_replay) {
        enum bl_answer answer = replay(passed, "secret", name, &value);
        *is_set = bl_str_equal(value, BL_STR("true"));
        return answer;
    }
    value = environment_of(passed, name);
    *is_set = value.len > 0 && !bl_str_equal(value, BL_STR("false"));
    if (passed->recording != NULL)
        bl_recording_hide(passed->recording, value);
    return record(passed, "secret", name, value.ptr != NULL ? BL_FOUND : BL_FAILED,
                  *is_set ? BL_STR("true") : BL_STR("false"));
}

/* ---- the checkout ------------------------------------------------------------------------ */

static bool read_files(struct bl_passed *passed)
{
    static const char *const list[] = {"git", "ls-files", "-z", NULL};
    static const char *const list_there[] = {"git", "-C", NULL, "ls-files", "-z", NULL};
    const char *argv[sizeof list_there / sizeof list_there[0]];
    bl_str folder = bl_environment("GITHUB_WORKSPACE"), why;
    memcpy(argv, list_there, sizeof list_there);
    argv[2] = folder.ptr;
    if (!bl_command_output(passed->arena, folder.len > 0 ? argv : list, FILES_BYTES,
                           &passed->files, &why)) {
        bl_session_say(passed->session, BL_STR("git ls-files"), why);
        return false;
    }
    return true;
}

static enum bl_answer next_file(struct bl_passed *passed, size_t n, bl_str *path)
{
    if (!passed->files_read) {
        passed->files_read = true;
        passed->files_known = read_files(passed);
    }
    /* The list is asked for from its begin to its end. */
    if (n == 0)
        passed->files_left = passed->files;
    size_t end = bl_str_find_char(passed->files_left, '\0');
    *path = BL_STR("");
    if (!passed->files_known)
        return BL_FAILED;
    if (end == SIZE_MAX)
        return BL_MISSING;
    *path = bl_str_slice(passed->files_left, 0, end);
    passed->files_left = bl_str_slice(passed->files_left, end + 1, SIZE_MAX);
    return BL_FOUND;
}

static enum bl_answer tracked_file(void *context, size_t n, bl_str *path)
{
    struct bl_passed *passed = context;
    struct bl_buf number;
    bl_buf_init(&number, passed->arena, 24);
    bl_buf_put_int(&number, (int64_t)n);
    if (passed->is_replay)
        return replay(passed, "file", bl_buf_str(&number), path);
    return record(passed, "file", bl_buf_str(&number), next_file(passed, n, path), *path);
}

static bl_str workspace(void)
{
    bl_str folder = bl_environment("GITHUB_WORKSPACE");
    return folder.len > 0 ? folder : BL_STR(".");
}

/* ---- git, and what the job left --------------------------------------------------------- */

/* A file that an earlier step left beside the checkout, by the name that the policy has for it:
 * below the folder of the job, and through no link. What is no text is none. */
static enum bl_answer job_file(struct bl_passed *passed, bl_str name, bl_str *value)
{
    bl_str why;
    enum bl_file_result result = bl_file_read_below(
        passed->arena, workspace(), name, (size_t)bl_limit(BL_LIMIT_TEXT_BYTES), value, &why);

    if (result == BL_FILE_READ && bl_utf8_invalid_at(*value) == value->len &&
        bl_str_find_char(*value, '\0') == SIZE_MAX)
        return BL_FOUND;
    bl_session_say(passed->session, name,
                   result == BL_FILE_READ ? BL_STR("It is not text in UTF-8.") : why);
    return BL_FAILED;
}

/* ---- the checkout's own files ------------------------------------------------------------ */

static bool is_tracked(struct bl_passed *passed, bl_str path)
{
    bl_str one;
    for (size_t n = 0; next_file(passed, n, &one) == BL_FOUND; n++)
        if (bl_str_equal(one, path))
            return true;
    return false;
}

/* No text, too long, a link: what a policy may not have is as if it were not there. */
static enum bl_answer checkout_file(struct bl_passed *passed, bl_str path, bl_str *value)
{
    bl_str why;
    bool tracked = is_tracked(passed, path);
    if (!passed->files_known)
        return BL_FAILED;
    if (!tracked)
        return BL_MISSING;
    enum bl_file_result result = bl_file_read_below(
        passed->arena, workspace(), path, (size_t)bl_limit(BL_LIMIT_TEXT_BYTES), value, &why);
    bool good = result == BL_FILE_READ && bl_utf8_invalid_at(*value) == value->len &&
                bl_str_find_char(*value, '\0') == SIZE_MAX;
    if (!good)
        *value = BL_STR("");
    return good ? BL_FOUND : BL_MISSING;
}

static enum bl_answer checkout_commit(struct bl_passed *passed, bl_str *value)
{
    bl_str folder = workspace(), why, said = BL_STR("");
    const char *const argv[] = {"git", "-C", folder.ptr, "rev-parse", "--verify", "HEAD", NULL};
    bool good = bl_command_output(passed->arena, argv, 256, &said, &why);
    *value = bl_str_trim(said);
    for (size_t i = 0; good && i < value->len; i++)
        good =
            bl_is_ascii_digit(value->ptr[i]) || (value->ptr[i] >= 'a' && value->ptr[i] <= 'f');
    good = good && (value->len == 40 || value->len == 64);
    if (!good)
        *value = BL_STR("");
    return good ? BL_FOUND : BL_FAILED;
}

static enum bl_answer store(struct bl_passed *passed, bl_str path, bl_str *value)
{
    bl_str why = NOTHING;
    enum bl_answer answer = bl_store_file_read(&passed->stores, path, value, &why);

    if (answer == BL_FAILED)
        bl_session_say(passed->session, path, why);
    return answer;
}

/* A run that is decided again writes nothing. */
static enum bl_written keep(void *context, bl_str path, bl_str text, struct bl_failure *failure)
{
    struct bl_passed *passed = context;

    return passed->is_replay ? BL_WRITTEN
                             : bl_store_file_write(&passed->stores, path, text, failure);
}

/* A patch is long: in a recording its digest stands for it. */
static bl_str digest_of(struct bl_passed *passed, bl_str patch)
{
    unsigned char digest[BL_DIGEST_BYTES];
    char text[BL_DIGEST_HEX];

    bl_digest(patch, digest);
    bl_digest_hex(digest, text);
    return bl_arena_copy(passed->arena, (bl_str){text, sizeof text});
}

static enum bl_answer text(void *context, enum bl_read read, bl_str asked, bl_str *value)
{
    struct bl_passed *passed = context;
    bl_str kind = bl_read_info(read)->name;
    bl_str name = read == BL_READ_GIT_READING ? digest_of(passed, asked) : asked;
    enum bl_answer answer = BL_FAILED;

    if (passed->is_replay)
        return replay(passed, kind.ptr, name, value);
    *value = BL_STR("");
    if (read == BL_READ_GIT_READING)
        answer = bl_git_reading(passed->session, passed->arena, asked, value);
    else if (read == BL_READ_JOB_FILE)
        answer = job_file(passed, asked, value);
    else if (read == BL_READ_CHECKOUT_FILE)
        answer = checkout_file(passed, asked, value);
    else if (read == BL_READ_CHECKOUT_COMMIT)
        answer = checkout_commit(passed, value);
    else if (read == BL_READ_STORE)
        answer = store(passed, asked, value);
    return record(passed, kind.ptr, name, answer, *value);
}

struct bl_github_job bl_passed_job(struct bl_passed *passed)
{
    return (struct bl_github_job){variable, secret, tracked_file, text, keep, passed};
}
