/* SPDX-License-Identifier: Apache-2.0 */
#include "text/pattern_dfa.h"

#include <string.h>

/* Blocks of states that nothing has told apart so far. Each block is a slice of `order`.
 * Marking a state moves it to the front of its block; a block of which only a part was marked
 * is cut. */
struct blocks {
    size_t states;
    uint32_t *order; /* all states */
    uint32_t *place; /* of each state, in order */
    uint32_t *of;    /* block of each state */
    uint32_t *begin; /* of each block, in order */
    uint32_t *end;
    uint32_t *marked; /* states marked, of each block */
    size_t count;
    uint32_t *hit; /* blocks with marks */
    size_t hit_count;
    uint32_t *work; /* blocks that may still tell others apart */
    size_t work_count;
    bool *waiting; /* is in `work` */
};

/* Where each state is reached from: from[at[class * (states + 1) + s]] and so on, by class. */
struct inverse {
    uint32_t *at;
    uint16_t *from;
};

static bool blocks_init(struct bl_arena *arena, struct blocks *b, size_t states)
{
    b->states = states;
    b->order = BL_NEW_ARRAY(arena, states, uint32_t);
    b->place = BL_NEW_ARRAY(arena, states, uint32_t);
    b->of = BL_NEW_ARRAY(arena, states, uint32_t);
    b->begin = BL_NEW_ARRAY(arena, states + 1, uint32_t);
    b->end = BL_NEW_ARRAY(arena, states + 1, uint32_t);
    b->marked = BL_NEW_ARRAY(arena, states + 1, uint32_t);
    b->hit = BL_NEW_ARRAY(arena, states + 1, uint32_t);
    b->work = BL_NEW_ARRAY(arena, states + 1, uint32_t);
    b->waiting = BL_NEW_ARRAY(arena, states + 1, bool);
    return !arena->failed;
}

static void add_work(struct blocks *b, uint32_t block)
{
    if (!b->waiting[block]) {
        b->waiting[block] = true;
        b->work[b->work_count++] = block;
    }
}

/* The first blocks: states that accept alike. */
static void first_blocks(struct blocks *b, const struct bl_dfa *dfa)
{
    size_t at = 0;
    for (unsigned accept = 0; accept <= BL_ACCEPT_ALWAYS; accept++) {
        size_t begin = at;
        for (size_t s = 0; s < b->states; s++) {
            if (dfa->accept[s] == accept) {
                b->place[s] = (uint32_t)at;
                b->of[s] = (uint32_t)b->count;
                b->order[at++] = (uint32_t)s;
            }
        }
        if (at > begin) {
            b->begin[b->count] = (uint32_t)begin;
            b->end[b->count] = (uint32_t)at;
            add_work(b, (uint32_t)b->count++);
        }
    }
}

static bool inverse_init(struct bl_arena *arena, struct inverse *inverse,
                         const struct bl_dfa *dfa)
{
    size_t width = dfa->states + 1;
    inverse->at = BL_NEW_ARRAY(arena, dfa->classes * width + 1, uint32_t);
    inverse->from = BL_NEW_ARRAY(arena, dfa->states * dfa->classes, uint16_t);
    if (arena->failed) {
        return false;
    }
    uint32_t sum = 0;
    for (size_t class = 0; class < dfa->classes; class ++) {
        uint32_t *at = inverse->at + class * width;
        for (size_t s = 0; s < dfa->states; s++) {
            at[dfa->next[s * dfa->classes + class]]++;
        }
        for (size_t s = 0; s <= dfa->states; s++) {
            uint32_t count = at[s];
            at[s] = sum;
            sum += count;
        }
        /* This moves each `at` to the end of its slice, which is where the next one begins. */
        for (size_t s = 0; s < dfa->states; s++) {
            inverse->from[at[dfa->next[s * dfa->classes + class]]++] = (uint16_t)s;
        }
        for (size_t s = dfa->states; s > 0; s--) {
            at[s] = at[s - 1];
        }
        at[0] = (uint32_t)(class * dfa->states);
    }
    return true;
}

static void mark(struct blocks *b, uint32_t state)
{
    uint32_t block = b->of[state];
    uint32_t front = b->begin[block] + b->marked[block];
    if (b->place[state] < front) {
        return;
    }
    uint32_t other = b->order[front];
    b->order[b->place[state]] = other;
    b->place[other] = b->place[state];
    b->order[front] = state;
    b->place[state] = front;
    if (b->marked[block]++ == 0) {
        b->hit[b->hit_count++] = block;
    }
}

static void cut_hit_blocks(struct blocks *b)
{
    for (size_t i = 0; i < b->hit_count; i++) {
        uint32_t block = b->hit[i];
        uint32_t middle = b->begin[block] + b->marked[block];
        b->marked[block] = 0;
        if (middle == b->end[block]) {
            continue;
        }
        uint32_t new_block = (uint32_t)b->count++;
        b->begin[new_block] = b->begin[block];
        b->end[new_block] = middle;
        b->begin[block] = middle;
        for (uint32_t at = b->begin[new_block]; at < middle; at++) {
            b->of[b->order[at]] = new_block;
        }
        /* Of a block that waits, both parts must; else the smaller is enough. */
        bool smaller = middle - b->begin[new_block] <= b->end[block] - middle;
        add_work(b, b->waiting[block] || smaller ? new_block : block);
    }
    b->hit_count = 0;
}

static bool find_blocks(struct bl_arena *arena, struct blocks *b, const struct bl_dfa *dfa)
{
    struct inverse inverse;
    uint32_t *splitter = BL_NEW_ARRAY(arena, dfa->states, uint32_t);
    if (!blocks_init(arena, b, dfa->states) || !inverse_init(arena, &inverse, dfa)) {
        return false;
    }
    first_blocks(b, dfa);
    while (b->work_count > 0) {
        uint32_t block = b->work[--b->work_count];
        size_t count = b->end[block] - b->begin[block];
        b->waiting[block] = false;
        memcpy(splitter, b->order + b->begin[block], count * sizeof(*splitter));
        for (size_t class = 0; class < dfa->classes; class ++) {
            const uint32_t *at = inverse.at + class * (dfa->states + 1);
            for (size_t i = 0; i < count; i++) {
                for (uint32_t j = at[splitter[i]]; j < at[splitter[i] + 1]; j++) {
                    mark(b, inverse.from[j]);
                }
            }
            cut_hit_blocks(b);
        }
    }
    return true;
}

bool bl_dfa_minimise(struct bl_arena *arena, struct bl_dfa *dfa)
{
    struct blocks b = {0};
    if (!find_blocks(arena, &b, dfa)) {
        return false;
    }
    /* Blocks are numbered by their first states, so the dead state stays number 0. */
    uint16_t *number = BL_NEW_ARRAY(arena, b.count, uint16_t);
    bool *known = BL_NEW_ARRAY(arena, b.count, bool);
    uint16_t *next = BL_NEW_ARRAY(arena, b.count * dfa->classes, uint16_t);
    uint8_t *accept = BL_NEW_ARRAY(arena, b.count, uint8_t);
    uint32_t *speaker = BL_NEW_ARRAY(arena, b.count, uint32_t);
    if (arena->failed) {
        return false;
    }
    size_t count = 0;
    for (size_t s = 0; s < dfa->states; s++) {
        uint32_t block = b.of[s];
        if (!known[block]) {
            known[block] = true;
            speaker[count] = (uint32_t)s;
            number[block] = (uint16_t)count++;
        }
    }
    for (size_t s = 0; s < count; s++) {
        accept[s] = dfa->accept[speaker[s]];
        for (size_t class = 0; class < dfa->classes; class ++) {
            next[s * dfa->classes + class] =
                number[b.of[dfa->next[speaker[s] * dfa->classes + class]]];
        }
    }
    for (unsigned kind = 0; kind < BL_CHAR_KINDS; kind++) {
        dfa->start[kind] = number[b.of[dfa->start[kind]]];
    }
    dfa->states = count;
    dfa->next = next;
    dfa->accept = accept;
    return true;
}
