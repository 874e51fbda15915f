/* SPDX-License-Identifier: Apache-2.0 */

/* Runs a fuzz target over files: what ctest does with each corpus, with any compiler. Arguments
 * are files and folders (not their subfolders). Fails when there was nothing to run. */

#include "fuzz_target.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static size_t inputs;

static bool run_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return false;
    }
    uint8_t *bytes = NULL;
    size_t len = 0;
    size_t capacity = 0;
    for (;;) {
        if (len == capacity) {
            capacity = capacity == 0 ? 4096 : capacity * 2;
            uint8_t *grown = realloc(bytes, capacity);
            if (grown == NULL) {
                break;
            }
            bytes = grown;
        }
        size_t got = fread(bytes + len, 1, capacity - len, file);
        if (got == 0) {
            break;
        }
        len += got;
    }
    bool whole = feof(file) != 0;
    fclose(file);
    if (!whole) {
        fprintf(stderr, "%s: could not be read whole.\n", path);
        free(bytes);
        return false;
    }
    /* A block of the exact size, so that a sanitizer sees a read of one byte more. */
    uint8_t *exact = malloc(len > 0 ? len : 1);
    if (exact != NULL && len > 0) {
        memcpy(exact, bytes, len);
    }
    free(bytes);
    if (exact == NULL) {
        return false;
    }
    /* Told in front: a crash ends the process, and the last line names its cause. */
    printf("%s\n", path);
    fflush(stdout);
    LLVMFuzzerTestOneInput(exact, len);
    free(exact);
    inputs++;
    return true;
}

static bool run_folder(const char *path)
{
    struct dirent **entries = NULL;
    int count = scandir(path, &entries, NULL, alphasort);
    bool good = count >= 0;
    for (int i = 0; i < count; i++) {
        char name[4096];
        int len = snprintf(name, sizeof(name), "%s/%s", path, entries[i]->d_name);
        struct stat info;
        if (len < 0 || (size_t)len >= sizeof(name) || stat(name, &info) != 0) {
            good = false;
        } else if (S_ISREG(info.st_mode)) {
            good = run_file(name) && good;
        }
        free(entries[i]);
    }
    free(entries);
    return good;
}

int main(int argc, char **argv)
{
    bool good = true;
    for (int i = 1; i < argc; i++) {
        struct stat info;
        if (stat(argv[i], &info) != 0) {
            fprintf(stderr, "%s: %s\n", argv[i], strerror(errno));
            good = false;
        } else if (S_ISDIR(info.st_mode)) {
            good = run_folder(argv[i]) && good;
        } else {
            good = run_file(argv[i]) && good;
        }
    }
    printf("%zu inputs.\n", inputs);
    return good && inputs > 0 ? 0 : 1;
}
