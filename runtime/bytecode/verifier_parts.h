/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_BYTECODE_VERIFIER_PARTS_H
#define BL_BYTECODE_VERIFIER_PARTS_H

#include "bytecode/arguments.h"
#include "bytecode/layout.h"

#include <string.h>

/* What the files of the verifier share; nobody else includes it.
 *
 * Each check returns false when something is refused (a diagnostic was added) or memory ran out
 * (`nomem`); the first one ends everything. So later checks rely on what earlier ones proved,
 * in this order: layout, pool, rows, code. */

struct bl_builtin_memo { /* one answer of bl_builtin_check */
    bl_type args[4];
    bl_type result;
    uint32_t builtin;
    bool known;
};
#define BL_BUILTIN_MEMOS 64u

struct bl_verify {
    struct bl_module *module;
    struct bl_arena *arena;
    struct bl_diagnostics *sink;
    bool nomem;
    uint32_t *next_nul; /* of the pool: where the first NUL at or behind byte 64 * i is */

    /* Proved of messages: their joined type, one of their functions, the greatest index among
     * them. The depth is that of the deepest one, 0 until a call asks. */
    bl_type *message_types;
    uint32_t *message_functions;
    uint32_t *message_last;
    uint8_t *message_depths;

    uint32_t label_last; /* the greatest index of a function that describes a label; BL_NONE */
    uint8_t label_depth; /* of the deepest of them, once a field asked */
    bool label_known;
    uint32_t
        *secrets_last; /* of a set of secrets: the greatest index of its functions, plus 1 */

    uint8_t *depths; /* of calls, by function: 1 when it calls none */

    struct bl_arguments effects[BL_EFFECT_COUNT];
    bool effect_known[BL_EFFECT_COUNT];
    int8_t builtin_counts[BL_BUILTIN_COUNT]; /* registers that a BUILTIN takes, 0: not asked
                                                yet; plus 1 */
    bool builtin_repeated[BL_BUILTIN_COUNT];
    struct bl_builtin_memo memos[BL_BUILTIN_MEMOS];
};

/* Refusals come once at the most: the compiler keeps what they need out of the way. */
#if defined(__GNUC__)
#define BL_COLD __attribute__((cold, noinline))
#else
#define BL_COLD
#endif
/* Adds the diagnostic, for its arguments. */
BL_COLD struct bl_diagnostic *bl_verify_refuse(struct bl_verify *v,
                                               enum bl_diagnostic_code code);
/* A row is refused: false. `problem` goes on with "…: its text is not in the pool". */
BL_COLD bool bl_verify_bad_row(struct bl_verify *v, enum bl_section section, size_t row,
                               const char *problem);
/* Zeroed scratch memory; NULL sets `nomem`. */
void *bl_verify_scratch(struct bl_verify *v, size_t count, size_t size);

/* verify_rows.c: the pool and what is declared; verify_index.c: functions, jobs, entries;
 * verify_candidates.c, called by that: the index of rules, the map; verify_code.c: the code. */
bool bl_verify_pool(struct bl_verify *v);
bool bl_verify_rows(struct bl_verify *v);
bool bl_verify_index(struct bl_verify *v);
bool bl_verify_candidates(struct bl_verify *v);
/* verify_secrets.c, called by that, too: what is found in texts, and what is masked. */
bool bl_verify_secrets(struct bl_verify *v);
bool bl_verify_code(struct bl_verify *v);

/* A text of the pool: a whole one, from behind a NUL to the next. Takes constant time, since a
 * module may name one long text many times. */
static inline bool bl_verify_text(const struct bl_verify *v, uint64_t offset, uint32_t length)
{
    const char *pool = v->module->STRINGS_rows;
    uint32_t size = v->module->STRINGS_count;

    if (offset >= size || length >= size - offset || (offset > 0 && pool[offset - 1] != '\0'))
        return false;
    const char *nul = memchr(pool + offset, '\0', length < 64 ? length + 1 : 64);
    if (length < 64)
        return nul == pool + offset + length;
    return nul == NULL && v->next_nul[(offset + 63) / 64] == offset + length;
}
static inline bool bl_verify_string(const struct bl_verify *v, struct bl_string_ref ref)
{
    return bl_verify_text(v, ref.offset, ref.length);
}
/* verify_stores.c */
bool bl_verify_stores(struct bl_verify *v);
bool bl_verify_called(struct bl_verify *v);
/* verify_job_steps.c */
bool bl_verify_takes_given(const struct bl_verify *v, uint32_t function);
bool bl_verify_job_steps(struct bl_verify *v);
/* verify_sanitizer.c */
bool bl_verify_sanitizers(struct bl_verify *v);
/* A type of values, with refs that exist. */
bool bl_verify_type(const struct bl_verify *v, bl_type type);
/* A place in the sources, or none. */
bool bl_verify_place(const struct bl_verify *v, uint32_t source, uint32_t lo, uint32_t hi);

/* Is it a function of that kind with so many parameters whose result fits the type
 * (BL_TYPE_ERROR: any value; BL_TYPE_NONE: no result)? */
bool bl_verify_function(const struct bl_verify *v, uint32_t index, enum bl_function_kind kind,
                        unsigned params, bl_type result);

#endif
