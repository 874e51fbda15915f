/* SPDX-License-Identifier: Apache-2.0 */
/* realpath, getentropy, flock */
#define _DEFAULT_SOURCE

#include "cli/files.h"

#include "base/buf.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static bl_str reason(struct bl_arena *arena, int error)
{
    char text[128];
    if (strerror_r(error, text, sizeof text) != 0)
        return BL_STR("The system gave no reason.");
    size_t length = strnlen(text, sizeof text - 2);
    text[length] = '.';
    text[length + 1] = '\0';
    return bl_arena_copy(arena, (bl_str){text, length + 1});
}

static bool is_dash(bl_str path)
{
    return path.len == 1 && path.ptr[0] == '-';
}

/* Reads to the end; the size of a file is only a first guess, since pipes have none. */
static enum bl_file_result read_all(struct bl_arena *arena, int descriptor, size_t guess,
                                    size_t limit, bl_str *out, bl_str *why)
{
    size_t capacity = guess < limit ? guess + 1 : limit + 1;
    if (capacity < 4096)
        capacity = 4096;
    char *bytes = bl_arena_alloc(arena, capacity + 1, 1);
    size_t length = 0;
    while (bytes != NULL) {
        ssize_t got = read(descriptor, bytes + length, capacity - length);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            *why = reason(arena, errno);
            return BL_FILE_FAILED;
        }
        if (got == 0)
            break;
        length += (size_t)got;
        if (length > limit) {
            *why = BL_STR("It is larger than the limit.");
            return BL_FILE_FAILED;
        }
        if (length == capacity) {
            char *larger = bl_arena_alloc(arena, capacity * 2 + 1, 1);
            if (larger != NULL)
                memcpy(larger, bytes, length);
            bytes = larger;
            capacity *= 2;
        }
    }
    if (bytes == NULL) {
        *why = BL_STR("Out of memory.");
        return BL_FILE_FAILED;
    }
    bytes[length] = '\0';
    *out = (bl_str){bytes, length};
    return BL_FILE_READ;
}

/* The pipe of `<(command)` has none: /dev/fd/63 leads nowhere in the tree. */
static bool has_name(const char *path)
{
    char *name = realpath(path, NULL);
    bool has = name != NULL;
    free(name);
    return has;
}

enum bl_file_result bl_file_read(struct bl_arena *arena, bl_str path, size_t limit, bl_str *out,
                                 bl_str *why)
{
    if (is_dash(path))
        return read_all(arena, STDIN_FILENO, 0, limit, out, why);
    bl_str terminated = bl_arena_copy(arena, path);
    if (terminated.ptr == NULL || memchr(path.ptr, '\0', path.len) != NULL) {
        *why = BL_STR("The path is not usable.");
        return BL_FILE_FAILED;
    }
    /* A pipe with a name that nobody writes would wait for ever; one that the shell made
     * (/dev/fd/63) has its writer. */
    int descriptor = open(terminated.ptr, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) {
        *why = reason(arena, errno);
        return errno == ENOENT || errno == ENOTDIR ? BL_FILE_MISSING : BL_FILE_FAILED;
    }
    struct stat info;
    enum bl_file_result result = BL_FILE_FAILED;
    if (fstat(descriptor, &info) != 0 || fcntl(descriptor, F_SETFL, 0) != 0)
        *why = reason(arena, errno);
    else if (S_ISDIR(info.st_mode))
        *why = BL_STR("It is a folder.");
    else if (S_ISFIFO(info.st_mode) && has_name(terminated.ptr))
        *why = BL_STR("It is a pipe with a name, into which nobody may ever write. What it "
                      "gives can come through standard input.");
    else
        result = read_all(arena, descriptor, info.st_size > 0 ? (size_t)info.st_size : 0, limit,
                          out, why);
    close(descriptor);
    return result;
}

/* Opens one part after another, each in the folder before it. -1 with *why. */
static int open_below(struct bl_arena *arena, bl_str folder, bl_str path, bool *missing,
                      bl_str *why)
{
    bl_str start = bl_arena_copy(arena, folder);
    int at = start.ptr != NULL ? open(start.ptr, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    *why = BL_STR("The path is not usable.");
    while (at >= 0) {
        size_t slash = bl_str_find_char(path, '/');
        bl_str part = bl_arena_copy(arena, bl_str_slice(path, 0, slash));
        bool is_last = slash == SIZE_MAX;
        int flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK;
        bool good = part.ptr != NULL && part.len > 0 && !bl_str_equal(part, BL_STR(".")) &&
                    !bl_str_equal(part, BL_STR("..")) &&
                    bl_str_find_char(part, '\0') == SIZE_MAX;
        int next = good ? openat(at, part.ptr, is_last ? flags : flags | O_DIRECTORY) : -1;
        if (good && next < 0) {
            *missing = errno == ENOENT;
            *why = reason(arena, errno);
        }
        close(at);
        at = next;
        if (is_last)
            break;
        path = bl_str_slice(path, slash + 1, path.len);
    }
    return at;
}

enum bl_file_result bl_file_read_below(struct bl_arena *arena, bl_str folder, bl_str path,
                                       size_t limit, bl_str *out, bl_str *why)
{
    struct stat info;
    enum bl_file_result result = BL_FILE_FAILED;
    bool missing = false;
    int descriptor = open_below(arena, folder, path, &missing, why);
    if (descriptor < 0)
        return missing ? BL_FILE_MISSING : BL_FILE_FAILED;
    if (fstat(descriptor, &info) != 0)
        *why = reason(arena, errno);
    else if (!S_ISREG(info.st_mode))
        *why = BL_STR("It is no ordinary file.");
    else
        result = read_all(arena, descriptor, info.st_size > 0 ? (size_t)info.st_size : 0, limit,
                          out, why);
    close(descriptor);
    return result;
}

static bool write_all(int descriptor, bl_str content)
{
    while (content.len > 0) {
        ssize_t written = write(descriptor, content.ptr, content.len);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        content = bl_str_slice(content, (size_t)written, content.len);
    }
    return true;
}

/* Devices, pipes and links are written through; only a file of its own is replaced. */
static bool is_replaceable(const char *path)
{
    struct stat info;
    return lstat(path, &info) != 0 || S_ISREG(info.st_mode);
}

/* A descriptor below 0 is a file that could not be opened; errno says why. */
static enum bl_status write_and_close(struct bl_arena *arena, int descriptor, bl_str content,
                                      bl_str *why)
{
    bool good = descriptor >= 0 && write_all(descriptor, content);
    int error = errno;
    if (descriptor >= 0 && close(descriptor) != 0 && good) {
        good = false;
        error = errno;
    }
    if (!good)
        *why = reason(arena, error);
    return good ? BL_OK : BL_ERR_IO;
}

static enum bl_status write_through(struct bl_arena *arena, const char *path, bl_str content,
                                    bl_str *why)
{
    return write_and_close(arena, open(path, O_WRONLY | O_TRUNC | O_CLOEXEC), content, why);
}

static enum bl_status write_neighbour(struct bl_arena *arena, bl_str path, mode_t mode,
                                      bl_str content, bl_str *why)
{
    size_t size = path.len + sizeof ".XXXXXX";
    char *neighbour = bl_arena_alloc(arena, size, 1);
    bl_str target = bl_arena_copy(arena, path);
    if (neighbour == NULL || target.ptr == NULL)
        return BL_ERR_NOMEM;
    if (!is_replaceable(target.ptr))
        return write_through(arena, target.ptr, content, why);
    memcpy(neighbour, path.ptr, path.len);
    memcpy(neighbour + path.len, ".XXXXXX", sizeof ".XXXXXX");
    int descriptor = mkstemp(neighbour);
    if (descriptor < 0) {
        *why = reason(arena, errno);
        return BL_ERR_IO;
    }
    bool good = fchmod(descriptor, mode) == 0 && write_all(descriptor, content);
    int error = errno;
    if (close(descriptor) != 0 && good) {
        good = false;
        error = errno;
    }
    if (good && rename(neighbour, target.ptr) != 0) {
        good = false;
        error = errno;
    }
    if (!good) {
        unlink(neighbour);
        *why = reason(arena, error);
        return BL_ERR_IO;
    }
    return BL_OK;
}

enum bl_status bl_file_write(struct bl_arena *arena, bl_str path, bl_str content, bl_str *why)
{
    if (is_dash(path)) {
        enum bl_status status = bl_print(content);
        if (status != BL_OK)
            *why = BL_STR("Standard output is closed or full.");
        return status;
    }
    return write_neighbour(arena, path, 0644, content, why);
}

enum bl_status bl_file_replace(struct bl_arena *arena, bl_str path, bl_str content, bl_str *why)
{
    struct stat info;
    bl_str terminated = bl_arena_copy(arena, path);
    if (is_dash(path))
        return bl_file_write(arena, path, content, why);
    if (terminated.ptr == NULL)
        return BL_ERR_NOMEM;
    char *target = realpath(terminated.ptr, NULL);
    if (target == NULL || stat(target, &info) != 0) {
        *why = reason(arena, errno);
        free(target);
        return BL_ERR_IO;
    }
    enum bl_status status =
        write_neighbour(arena, bl_str_from(target), info.st_mode & 07777, content, why);
    free(target);
    return status;
}

/* A link would lead elsewhere, and a pipe that nobody reads would wait for ever. */
static enum bl_status append(struct bl_arena *arena, bl_str path, mode_t mode, bl_str content,
                             bl_str *why)
{
    bl_str terminated = bl_arena_copy(arena, path);
    if (terminated.ptr == NULL)
        return BL_ERR_NOMEM;
    return write_and_close(
        arena,
        open(terminated.ptr,
             O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, mode),
        content, why);
}

enum bl_status bl_file_append(struct bl_arena *arena, bl_str path, bl_str content, bl_str *why)
{
    return append(arena, path, 0644, content, why);
}

enum bl_status bl_file_append_private(struct bl_arena *arena, bl_str path, bl_str content,
                                      bl_str *why)
{
    return append(arena, path, 0600, content, why);
}

enum bl_status bl_file_write_private(struct bl_arena *arena, bl_str path, bl_str content,
                                     bl_str *why)
{
    return write_neighbour(arena, path, 0600, content, why);
}

enum bl_status bl_file_rewrite(struct bl_arena *arena, bl_str path, size_t from, bl_str content,
                               bl_str *why)
{
    bl_str terminated = bl_arena_copy(arena, path);
    if (terminated.ptr == NULL)
        return BL_ERR_NOMEM;
    int descriptor = open(terminated.ptr, O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) {
        *why = reason(arena, errno);
        return BL_ERR_IO;
    }
    bool good = lseek(descriptor, (off_t)from, SEEK_SET) >= 0 &&
                write_all(descriptor, content) &&
                ftruncate(descriptor, (off_t)(from + content.len)) == 0;
    int error = errno;
    if (close(descriptor) != 0 && good) {
        good = false;
        error = errno;
    }
    if (!good)
        *why = reason(arena, error);
    return good ? BL_OK : BL_ERR_IO;
}

bool bl_file_is_odd(struct bl_arena *arena, bl_str path)
{
    bl_str terminated = bl_arena_copy(arena, path);
    struct stat info;

    return terminated.ptr == NULL ||
           (lstat(terminated.ptr, &info) == 0 && !S_ISREG(info.st_mode));
}

bool bl_file_begins(struct bl_arena *arena, bl_str path, bl_str bytes)
{
    bl_str terminated = bl_arena_copy(arena, path);
    int descriptor = terminated.ptr != NULL && !is_dash(path)
                         ? open(terminated.ptr, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
                         : -1;
    struct stat info;
    char first[64];
    bool good = descriptor >= 0 && fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode) &&
                bytes.len <= sizeof first &&
                read(descriptor, first, bytes.len) == (ssize_t)bytes.len &&
                memcmp(first, bytes.ptr, bytes.len) == 0;

    if (descriptor >= 0)
        close(descriptor);
    return good;
}

bool bl_file_exists(struct bl_arena *arena, bl_str path, bl_str *why)
{
    bl_str terminated = bl_arena_copy(arena, path);
    if (terminated.ptr != NULL && access(terminated.ptr, R_OK) == 0)
        return true;
    *why = reason(arena, errno);
    return false;
}

static enum bl_status make_folder(struct bl_arena *arena, bl_str path, mode_t mode, bl_str *why)
{
    bl_str terminated = bl_arena_copy(arena, path);
    if (path.len == 0)
        return BL_OK;
    if (terminated.ptr == NULL)
        return BL_ERR_NOMEM;
    if (mkdir(terminated.ptr, mode) == 0 || errno == EEXIST)
        return BL_OK;
    *why = reason(arena, errno);
    return BL_ERR_IO;
}

enum bl_status bl_folder_make(struct bl_arena *arena, bl_str path, bl_str *why)
{
    return make_folder(arena, path, 0777, why);
}

enum bl_status bl_folder_make_private(struct bl_arena *arena, bl_str path, bl_str *why)
{
    enum bl_status status = make_folder(arena, path, 0700, why);
    bl_str terminated = bl_arena_copy(arena, path);
    if (status != BL_OK || terminated.ptr == NULL)
        return status != BL_OK ? status : BL_ERR_NOMEM;
    /* One that was there: no link, and from now on for its owner. */
    int folder = open(terminated.ptr, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    bool good = folder >= 0 && fchmod(folder, 0700) == 0;
    if (!good)
        *why = errno == ELOOP || errno == ENOTDIR ? BL_STR("It is a link or no folder.")
                                                  : reason(arena, errno);
    if (folder >= 0)
        close(folder);
    return good ? BL_OK : BL_ERR_IO;
}

bool bl_path_is_folder(struct bl_arena *arena, bl_str path)
{
    struct stat info;
    bl_str terminated = bl_arena_copy(arena, path);
    return terminated.ptr != NULL && stat(terminated.ptr, &info) == 0 && S_ISDIR(info.st_mode);
}

bool bl_path_is_file(struct bl_arena *arena, bl_str path)
{
    struct stat info;
    bl_str terminated = bl_arena_copy(arena, path);
    return terminated.ptr != NULL && stat(terminated.ptr, &info) == 0 && S_ISREG(info.st_mode);
}

bool bl_path_is_link(struct bl_arena *arena, bl_str path)
{
    struct stat info;
    bl_str terminated = bl_arena_copy(arena, path);
    return terminated.ptr != NULL && lstat(terminated.ptr, &info) == 0 && S_ISLNK(info.st_mode);
}

static int by_name(const void *a, const void *b)
{
    return bl_str_compare(*(const bl_str *)a, *(const bl_str *)b);
}

enum bl_status bl_folder_create(struct bl_arena *arena, bl_str path, bl_str *why)
{
    bl_str terminated = bl_arena_copy(arena, path);
    if (terminated.ptr == NULL) {
        *why = BL_STR("Out of memory.");
        return BL_ERR_IO;
    }
    if (mkdir(terminated.ptr, 0777) == 0 || (errno == EEXIST && bl_path_is_folder(arena, path)))
        return BL_OK;
    *why = reason(arena, errno);
    return BL_ERR_IO;
}

/* A NULL suffix takes all, hidden ones too. */
static bool is_listed(bl_str name, bl_str suffix)
{
    if (suffix.ptr == NULL)
        return !bl_str_equal(name, BL_STR(".")) && !bl_str_equal(name, BL_STR(".."));
    return name.len > 0 && name.ptr[0] != '.' && bl_str_ends_with(name, suffix);
}

enum bl_file_result bl_folder_list(struct bl_arena *arena, bl_str path, bl_str suffix,
                                   bl_str **names, size_t *count, bl_str *why)
{
    bl_str terminated = bl_arena_copy(arena, path);
    DIR *folder = terminated.ptr != NULL ? opendir(terminated.ptr) : NULL;
    if (folder == NULL) {
        *why = reason(arena, errno);
        return errno == ENOENT || errno == ENOTDIR ? BL_FILE_MISSING : BL_FILE_FAILED;
    }
    BL_VEC(bl_str) found = {NULL, 0, 0};
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        bl_str name = bl_str_from(entry->d_name);
        if (!is_listed(name, suffix))
            continue;
        bl_str *slot = BL_PUSH(arena, found);
        if (slot == NULL)
            break;
        *slot = bl_arena_copy(arena, name);
    }
    closedir(folder);
    if (arena->failed) {
        *why = BL_STR("Out of memory.");
        return BL_FILE_FAILED;
    }
    if (found.count > 0)
        qsort(found.items, found.count, sizeof *found.items, by_name);
    *names = found.items;
    *count = found.count;
    return BL_FILE_READ;
}

enum bl_status bl_print(bl_str text)
{
    return write_all(STDOUT_FILENO, text) ? BL_OK : BL_ERR_IO;
}

/* Nobody is left to tell when standard error is gone. */
void bl_print_error(bl_str text)
{
    (void)write_all(STDERR_FILENO, text);
}

bool bl_wants_colour(bl_str when, int descriptor)
{
    if (bl_str_equal(when, BL_STR("always")))
        return true;
    if (bl_str_equal(when, BL_STR("never")) || bl_environment("NO_COLOR").len > 0 ||
        bl_str_equal(bl_environment("TERM"), BL_STR("dumb")))
        return false;
    return isatty(descriptor) == 1;
}

bl_str bl_environment(const char *name)
{
    return bl_str_from(getenv(name));
}

int64_t bl_clock(void)
{
    return (int64_t)time(NULL);
}

bool bl_random(unsigned char *bytes, size_t count)
{
    return getentropy(bytes, count) == 0;
}

size_t bl_file_size(struct bl_arena *arena, bl_str path)
{
    struct stat info;
    bl_str terminated = bl_arena_copy(arena, path);
    return terminated.ptr != NULL && stat(terminated.ptr, &info) == 0 && info.st_size > 0
               ? (size_t)info.st_size
               : 0;
}

#define LOCK_TRIES    600
#define LOCK_PAUSE_NS (50L * 1000 * 1000)

int bl_folder_lock(struct bl_arena *arena, bl_str path, bl_str *why)
{
    const struct timespec pause = {.tv_nsec = LOCK_PAUSE_NS};
    bl_str terminated = bl_arena_copy(arena, path);
    if (terminated.ptr == NULL) {
        *why = BL_STR("Out of memory.");
        return -1;
    }
    int folder = open(terminated.ptr, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (unsigned i = 0; folder >= 0 && i < LOCK_TRIES; i++) {
        if (flock(folder, LOCK_EX | LOCK_NB) == 0)
            return folder;
        if (errno != EWOULDBLOCK && errno != EINTR)
            break;
        nanosleep(&pause, NULL);
    }
    *why = folder >= 0 && errno == EWOULDBLOCK
               ? BL_STR("Another run holds the folder, and did not let go of it in time.")
               : reason(arena, errno);
    bl_folder_unlock(folder);
    return -1;
}

void bl_folder_unlock(int lock)
{
    if (lock >= 0)
        close(lock);
}
