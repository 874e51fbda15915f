/* SPDX-License-Identifier: Apache-2.0 */
#include "verify_support.h"

#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_words(const struct bl_diagnostic *d, char words[512])
{
    size_t at = 0;

    words[0] = '\0';
    for (size_t i = 0; i < d->arg_count && at < 500; i++) {
        int len = snprintf(words + at, 512 - at, "%s%s=%.*s", i > 0 ? " " : "", d->args[i].name,
                           BL_STR_ARG(d->args[i].value));

        at += len > 0 ? (size_t)len : 0;
    }
}

unsigned verify_bytes(const void *bytes, size_t size, char words[512])
{
    void *copy = malloc(size > 0 ? size : 1);
    struct bl_arena arena;
    struct bl_module module;
    struct bl_diagnostics sink;
    unsigned code = 0;

    check(copy != NULL);
    memcpy(copy, bytes, size);
    bl_arena_init(&arena, SIZE_MAX, NULL);
    bl_diagnostics_init(&sink, &arena, 10);
    enum bl_status status = bl_module_verify(&arena, copy, size, &module, &sink);
    if (words != NULL)
        words[0] = '\0';
    if (status == BL_OK) {
        check_size(sink.list.count, 0);
        check(module.bytes == copy);
    } else {
        check_status(status, BL_ERR_UNVERIFIED);
        check_size(sink.list.count, 1);
        check(module.bytes == NULL);
        code = sink.list.items[0]->code;
        if (words != NULL)
            put_words(sink.list.items[0], words);
    }
    bl_arena_reset(&arena);
    free(copy);
    return code;
}

unsigned verify_text(const char *text, char words[512])
{
    struct bl_arena arena;
    struct bl_module_bytes made;
    unsigned code;

    bl_arena_init(&arena, SIZE_MAX, NULL);
    check(sample_of(&arena, text, &made));
    code = verify_bytes(made.bytes, made.size, words);
    bl_arena_reset(&arena);
    return code;
}

void verify_cases(const struct code_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char words[512];
        unsigned code = verify_text(cases[i].text, words);

        check_case("%s: %s", cases[i].name, words);
        check_int(code, cases[i].code);
        if (cases[i].says != NULL)
            check(strstr(words, cases[i].says) != NULL);
    }
}

struct sample_bytes whole_sample(void)
{
    struct sample_bytes b;
    struct bl_module_bytes made;

    bl_arena_init(&b.arena, SIZE_MAX, NULL);
    check(sample_build(&b.arena, &made));
    b.size = made.size;
    b.at = bl_arena_alloc(&b.arena, 1, made.size + 64);
    check(b.at != NULL);
    memcpy(b.at, made.bytes, made.size);
    return b;
}

unsigned verify_repaired(struct sample_bytes *b, char words[512])
{
    sample_repair(b->at, b->size);
    return verify_bytes(b->at, b->size, words);
}

void verify_rows(struct sample_bytes (*sample)(void), const struct row_case *cases,
                 size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct sample_bytes b = sample();
        char words[512];
        char section[64];

        memcpy((char *)sample_row(b.at, cases[i].section, cases[i].row) + cases[i].offset,
               &cases[i].value, sizeof cases[i].value);
        unsigned code = verify_repaired(&b, words);
        check_case("case %zu, section %u, offset %zu: %s", i, cases[i].section, cases[i].offset,
                   words);
        check_int(code, BL_D_MODULE_ROW);
        check(strstr(words, cases[i].says) != NULL);
        switch (cases[i].found) {
#define BL_SECTION(id, name, row, doc)                                                         \
    case BL_SECTION_##id:                                                                      \
        strcpy(section, "section=" name " row=");                                              \
        break;
#include "bytecode/sections.def"
#undef BL_SECTION
        case BL_SECTION_COUNT:
            break;
        }
        check(strstr(words, section) == words);
        bl_arena_reset(&b.arena);
    }
}
