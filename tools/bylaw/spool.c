/* SPDX-License-Identifier: Apache-2.0 */
/* fileno */
#define _DEFAULT_SOURCE

#include "bylaw/spool.h"

#include "cli/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- pieces -------------------------------------------------------------------------------
 */

#define LONGEST_PATH 4096

static bool fail(struct bl_pieces *pieces, const char *sentence, bl_str *why)
{
    *why = bl_str_from(sentence);
    bl_pieces_close(pieces);
    return false;
}

/* Without waiting: who opens a pipe would wait for a writer. */
static int open_file(bl_str path, const char **sentence)
{
    char terminated[LONGEST_PATH];
    struct stat info;
    int descriptor = -1;

    if (path.len >= sizeof terminated || memchr(path.ptr, '\0', path.len) != NULL) {
        *sentence = "The path is not usable.";
        return -1;
    }
    memcpy(terminated, path.ptr, path.len);
    terminated[path.len] = '\0';
    descriptor = open(terminated, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) {
        *sentence = errno == ENOENT || errno == ENOTDIR ? "There is no such file."
                    : errno == EACCES                   ? "It may not be read."
                                                        : "It cannot be opened.";
    } else if (fstat(descriptor, &info) != 0 || !S_ISREG(info.st_mode)) {
        *sentence = "It is no regular file; what a pipe or a device gives can come through "
                    "standard input.";
        close(descriptor);
        descriptor = -1;
    }
    return descriptor;
}

bool bl_pieces_open(struct bl_pieces *pieces, bl_str path, size_t size, bl_str *why)
{
    const char *sentence = NULL;

    *pieces = (struct bl_pieces){.descriptor = -1, .capacity = size};
    bl_arena_init(&pieces->arena, SIZE_MAX, NULL);
    pieces->bytes = bl_arena_alloc(&pieces->arena, size + 1, 1);
    if (pieces->bytes == NULL)
        return fail(pieces, "Out of memory.", why);
    pieces->descriptor =
        bl_str_equal(path, BL_STR("-")) ? STDIN_FILENO : open_file(path, &sentence);
    return sentence == NULL || fail(pieces, sentence, why);
}

bool bl_pieces_of(struct bl_pieces *pieces, bl_str text, bl_str *why)
{
    *pieces = (struct bl_pieces){.descriptor = -1, .ended = true, .len = text.len};
    bl_arena_init(&pieces->arena, SIZE_MAX, NULL);
    pieces->bytes = bl_arena_alloc(&pieces->arena, text.len + 1, 1);
    if (pieces->bytes == NULL)
        return fail(pieces, "Out of memory.", why);
    if (text.len > 0)
        memcpy(pieces->bytes, text.ptr, text.len);
    return true;
}

bool bl_pieces_fill(struct bl_pieces *pieces, bl_str *why)
{
    while (!pieces->ended && pieces->len < pieces->capacity) {
        ssize_t got = read(pieces->descriptor, pieces->bytes + pieces->len,
                           pieces->capacity - pieces->len);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fail(pieces, "It cannot be read.", why);
        pieces->ended = got == 0;
        pieces->len += (size_t)got;
    }
    return true;
}

bool bl_pieces_grow(struct bl_pieces *pieces, size_t limit, bl_str *why)
{
    struct bl_arena larger;
    size_t size = pieces->capacity * 2;

    if (pieces->capacity >= limit) {
        *why = BL_STR("");
        return false;
    }
    bl_arena_init(&larger, SIZE_MAX, NULL);
    char *bytes = bl_arena_alloc(&larger, size + 1, 1);
    if (bytes == NULL)
        return fail(pieces, "Out of memory.", why);
    memcpy(bytes, pieces->bytes, pieces->len);
    bl_arena_reset(&pieces->arena);
    pieces->arena = larger;
    pieces->bytes = bytes;
    pieces->capacity = size;
    return bl_pieces_fill(pieces, why);
}

void bl_pieces_take(struct bl_pieces *pieces, size_t at)
{
    size_t keep = at;

    for (unsigned i = 0; i < 4 && keep > 0; i++) {
        keep--;
        if (((unsigned char)pieces->bytes[keep] & 0xC0) != 0x80)
            break;
    }
    memmove(pieces->bytes, pieces->bytes + keep, pieces->len - keep);
    pieces->len -= keep;
    pieces->base += keep;
    pieces->from = at - keep;
}

bl_str bl_pieces_text(const struct bl_pieces *pieces)
{
    return (bl_str){pieces->bytes, pieces->len};
}

void bl_pieces_close(struct bl_pieces *pieces)
{
    if (pieces->descriptor > STDIN_FILENO)
        close(pieces->descriptor);
    pieces->descriptor = -1;
    bl_arena_reset(&pieces->arena);
    pieces->bytes = NULL;
    pieces->len = pieces->from = 0;
}

/* ---- the spool ----------------------------------------------------------------------------
 */

#define SPOOL_BYTES (1u << 20)

void bl_spool_begin(struct bl_spool *spool)
{
    *spool = (struct bl_spool){.len = 0};
    bl_arena_init(&spool->arena, SIZE_MAX, NULL);
    spool->bytes = bl_arena_alloc(&spool->arena, SPOOL_BYTES, 1);
    spool->failed = spool->bytes == NULL;
}

static void flush(struct bl_spool *spool)
{
    if (spool->file == NULL)
        spool->file = tmpfile();
    spool->failed = spool->failed || spool->file == NULL ||
                    fwrite(spool->bytes, 1, spool->len, spool->file) != spool->len;
    spool->len = 0;
}

void bl_spool_put(struct bl_spool *spool, bl_str text)
{
    while (text.len > 0 && !spool->failed) {
        size_t room = SPOOL_BYTES - spool->len;
        size_t part = text.len < room ? text.len : room;
        memcpy(spool->bytes + spool->len, text.ptr, part);
        spool->len += part;
        text = bl_str_slice(text, part, text.len);
        if (spool->len == SPOOL_BYTES)
            flush(spool);
    }
}

static bool send_file(struct bl_spool *spool, bool (*put)(void *context, bl_str text),
                      void *context)
{
    flush(spool);
    if (spool->failed || fseeko(spool->file, 0, SEEK_SET) != 0)
        return false;
    for (;;) {
        size_t got = fread(spool->bytes, 1, SPOOL_BYTES, spool->file);
        if (got == 0)
            break;
        if (!put(context, (bl_str){spool->bytes, got}))
            return false;
    }
    bool good = ferror(spool->file) == 0;
    fclose(spool->file);
    spool->file = NULL;
    return good;
}

bool bl_spool_send(struct bl_spool *spool, bool (*put)(void *context, bl_str text),
                   void *context)
{
    bool good = !spool->failed;
    if (good && spool->file != NULL)
        good = send_file(spool, put, context);
    else if (good && spool->len > 0)
        good = put(context, (bl_str){spool->bytes, spool->len});
    spool->len = 0;
    return good;
}

void bl_spool_end(struct bl_spool *spool)
{
    if (spool->file != NULL)
        fclose(spool->file);
    spool->file = NULL;
    bl_arena_reset(&spool->arena);
}

/* ---- standard output ----------------------------------------------------------------------
 */

static void print(struct bl_quoted_output *out, bl_str text)
{
    if (text.len == 0 || out->failed)
        return;
    out->failed = bl_print(text) != BL_OK;
    out->last = text.ptr[text.len - 1];
}

void bl_quoted_begin(struct bl_quoted_output *out, bool json)
{
    static const char digits[] = "0123456789abcdef";
    unsigned char chance[16];
    struct stat info;
    bool shown = bl_str_equal(bl_environment("GITHUB_ACTIONS"), BL_STR("true")) &&
                 !(fstat(STDOUT_FILENO, &info) == 0 && S_ISREG(info.st_mode));

    *out = (struct bl_quoted_output){.fenced = shown && !json, .escaped = shown && json};
    if (!out->fenced)
        return;
    out->failed = !bl_random(chance, sizeof chance);
    for (unsigned i = 0; i < sizeof chance; i++) {
        out->word[2 * i] = digits[chance[i] >> 4];
        out->word[2 * i + 1] = digits[chance[i] & 15];
    }
    print(out, BL_STR("::stop-commands::"));
    print(out, (bl_str){out->word, 32});
    print(out, BL_STR("\n"));
}

/* "##[" stands in strings of JSON alone. */
static void put_escaped(struct bl_quoted_output *out, bl_str text)
{
    size_t done = 0;

    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '[' && out->pending >= 2) {
            print(out, bl_str_slice(text, done, i));
            print(out, BL_STR("\\u005b"));
            done = i + 1;
        }
        out->pending = text.ptr[i] == '#' ? out->pending + 1 : 0;
    }
    print(out, bl_str_slice(text, done, text.len));
}

void bl_quoted_put(struct bl_quoted_output *out, bl_str text)
{
    if (out->escaped)
        put_escaped(out, text);
    else
        print(out, text);
}

bool bl_quoted_end(struct bl_quoted_output *out)
{
    if (out->fenced) {
        print(out, out->last == '\n' ? BL_STR("::") : BL_STR("\n::"));
        print(out, (bl_str){out->word, 32});
        print(out, BL_STR("::\n"));
    }
    return !out->failed;
}
