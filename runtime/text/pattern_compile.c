/* SPDX-License-Identifier: Apache-2.0 */
#include "text/pattern_compile.h"

#include "spec/tables.h"
#include "text/pattern_escape.h"
#include "text/pattern_write.h"

/* A pattern whose automata take more is simulated: its tables would push other things out of
 * the processor's caches and make modules large, for a text that is seldom read. */
#define AUTOMATA_BYTES_MAX ((size_t)256 << 10)

_Static_assert(BL_GRAPH_NODES_MAX >= 4096, "pattern_states of limits.def must fit");

struct compiler {
    struct bl_arena *arena; /* given back at the end */
    struct bl_char_table chars;
    struct bl_pattern_graph graph;
    struct bl_char_classes classes;
    struct bl_blob_writer writer;
    size_t states_max;
};

static bool out_of_memory(struct bl_pattern_error *error)
{
    bl_pattern_out_of_memory(error);
    return false;
}

static bool make_graph(struct compiler *c, const struct bl_pattern_node *tree,
                       struct bl_pattern_error *error)
{
    size_t blame = 0;
    switch (
        bl_pattern_graph_make(c->arena, tree, c->states_max, &c->chars, &c->graph, &blame)) {
    case BL_GRAPH_DONE:
        break;
    case BL_GRAPH_NO_MEMORY:
        return out_of_memory(error);
    case BL_GRAPH_TOO_LARGE:
        *error = (struct bl_pattern_error){
            blame,
            BL_STR(
                "The pattern is too large: written out, its repeats make too many states, or "
                "too many ways from one to another."),
            BL_STR("Lower the count, repeat a smaller part, or leave the upper end open: "
                   "'{20,}' costs less than '{20,500}'."),
            false};
        return false;
    }
    return true;
}

static bool make_classes(struct compiler *c, struct bl_pattern_error *error)
{
    const struct bl_chars *sets = bl_char_table_all(&c->chars);
    return (sets != NULL && bl_char_classes_make(c->arena, sets, c->chars.interner.keys.count,
                                                 c->graph.by_kind, &c->classes)) ||
           out_of_memory(error);
}

/* Writes the automata when they stay small. */
static enum bl_dfa_result write_automata(struct compiler *c)
{
    struct bl_dfa dfa;
    struct bl_reverse reverse;
    enum bl_dfa_result result =
        bl_dfa_make(c->arena, &c->graph, &c->classes, c->states_max, &dfa);
    if (result != BL_DFA_DONE) {
        return result;
    }
    if (!bl_dfa_minimise(c->arena, &dfa)) {
        return BL_DFA_NO_MEMORY;
    }
    if (!c->graph.anchored) {
        result = bl_reverse_make(c->arena, &dfa, &c->classes, c->states_max, AUTOMATA_BYTES_MAX,
                                 &reverse);
        if (result != BL_DFA_DONE) {
            return result;
        }
    }
    const struct bl_reverse *backward = c->graph.anchored ? NULL : &reverse;
    if (bl_blob_dfa_size(&c->classes, &dfa, backward) > AUTOMATA_BYTES_MAX) {
        return BL_DFA_TOO_LARGE;
    }
    bl_blob_put_dfa(&c->writer, &c->classes, &dfa, backward);
    return BL_DFA_DONE;
}

static bool read_graph(struct compiler *c, bl_str source, bl_str flags,
                       struct bl_pattern_error *error)
{
    c->chars.interner.arena = c->arena;
    c->states_max = (size_t)bl_limit(BL_LIMIT_PATTERN_STATES);
    const struct bl_pattern_node *tree = bl_pattern_parse(c->arena, source, flags, error);
    return tree != NULL && make_graph(c, tree, error);
}

static bool compile(struct compiler *c, bl_str source, bl_str flags, enum bl_pattern_form form,
                    struct bl_pattern_error *error)
{
    if (!read_graph(c, source, flags, error) || !make_classes(c, error)) {
        return false;
    }
    c->writer.arena = c->arena;
    if (form != BL_PATTERN_GRAPH) {
        switch (write_automata(c)) {
        case BL_DFA_DONE:
            return !c->arena->failed || out_of_memory(error);
        case BL_DFA_NO_MEMORY:
            return out_of_memory(error);
        case BL_DFA_TOO_LARGE:
            break;
        }
    }
    if (form == BL_PATTERN_DFA) {
        return false;
    }
    bl_blob_put_graph(&c->writer, &c->classes, &c->graph);
    return !c->arena->failed || out_of_memory(error);
}

bool bl_pattern_compile_as(struct bl_arena *arena, bl_str source, bl_str flags,
                           enum bl_pattern_form form, struct bl_pattern *out,
                           struct bl_pattern_error *error)
{
    /* What the steps in between need would else stay with the caller, a hundred times the
     * result. */
    struct bl_arena scratch;
    struct compiler compiler = {.arena = &scratch};
    bl_arena_init(&scratch, (size_t)bl_limit(BL_LIMIT_COMPILE_BYTES), arena->allocator);
    *error = (struct bl_pattern_error){0};
    bool done = compile(&compiler, source, flags, form, error);
    if (done && !bl_blob_finish(&compiler.writer, arena, out)) {
        done = out_of_memory(error);
    }
    bl_arena_reset(&scratch);
    return done;
}

bool bl_pattern_compile(struct bl_arena *arena, bl_str source, bl_str flags,
                        struct bl_pattern *out, struct bl_pattern_error *error)
{
    return bl_pattern_compile_as(arena, source, flags, BL_PATTERN_BEST, out, error);
}

bool bl_pattern_check(struct bl_arena *arena, bl_str source, bl_str flags,
                      struct bl_pattern_error *error)
{
    struct bl_arena scratch;
    struct compiler compiler = {.arena = &scratch};
    bl_arena_init(&scratch, (size_t)bl_limit(BL_LIMIT_COMPILE_BYTES), arena->allocator);
    *error = (struct bl_pattern_error){0};
    bool done = read_graph(&compiler, source, flags, error);
    bl_arena_reset(&scratch);
    return done;
}
