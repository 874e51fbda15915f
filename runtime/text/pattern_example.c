/* SPDX-License-Identifier: Apache-2.0 */
#include "base/utf8.h"
#include "text/pattern_tree.h"

/* Texts that a pattern describes, by chance: fakes for trying what is built on the pattern. */

#define MORE_REPEATS 12u /* beyond those that have to be */

struct making {
    uint64_t *random;
    struct bl_buf *out;
    bool *of_line;
};

/* splitmix64: the same numbers everywhere. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);

    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

uint32_t bl_pattern_chance(uint64_t *random, uint32_t below)
{
    return below > 0 ? (uint32_t)(next_random(random) % below) : 0;
}

static bool is_member(struct bl_chars set, uint32_t point)
{
    for (size_t i = 0; i < set.count; i++) {
        if (set.ranges[i].lo <= point && point <= set.ranges[i].hi)
            return true;
    }
    return false;
}

static bool is_wanted(char c, bool plain)
{
    return !plain || bl_is_ascii_alpha(c) || bl_is_ascii_digit(c);
}

/* A visible character of ASCII, if there is one: mostly a letter or a digit. */
static void make_character(const struct making *m, struct bl_chars set)
{
    bool plain = bl_pattern_chance(m->random, 8) != 0;
    char members[95];

    for (unsigned round = 0; round < 2; round++, plain = !plain) {
        uint32_t count = 0;
        for (char c = ' '; c < 0x7F; c++) {
            if (is_wanted(c, plain) && is_member(set, (uint32_t)c))
                members[count++] = c;
        }
        if (count > 0) {
            bl_buf_put_char(m->out, members[bl_pattern_chance(m->random, count)]);
            return;
        }
    }
    if (set.count > 0) {
        size_t size = bl_utf8_encode(set.ranges[0].lo, members);
        bl_buf_put(m->out, (bl_str){members, size});
    }
}

/* It holds nowhere between two signs that are no word. */
static bool is_of_line(bl_context context)
{
    return (context & (BL_CONTEXT_BIT(BL_CHAR_OTHER, BL_CHAR_OTHER) |
                       BL_CONTEXT_BIT(BL_CHAR_OTHER, BL_CHAR_WORD) |
                       BL_CONTEXT_BIT(BL_CHAR_WORD, BL_CHAR_OTHER))) == 0;
}

static void make(const struct making *m, const struct bl_pattern_node *node);

static void make_one_of(const struct making *m, const struct bl_pattern_node *node)
{
    const struct bl_pattern_node *child = node->child;
    uint32_t count = 0;

    for (; child != NULL; child = child->next)
        count++;
    child = node->child;
    for (uint32_t skip = bl_pattern_chance(m->random, count); skip > 0; skip--)
        child = child->next;
    if (child != NULL)
        make(m, child);
}

static void make_repeat(const struct making *m, const struct bl_pattern_node *node)
{
    uint32_t spare = node->max - node->min; /* BL_REPEAT_UNBOUNDED is large, too */
    uint32_t more = bl_pattern_chance(m->random, 2) == 0
                        ? 0
                        : bl_pattern_chance(m->random, MORE_REPEATS + 1);

    more = more < spare ? more : spare;
    for (uint32_t i = 0; i < node->min + more && !m->out->failed; i++)
        make(m, node->child);
}

/* As deep as the source nests, which has a limit. */
static void make(const struct making *m, const struct bl_pattern_node *node)
{
    switch (node->kind) {
    case BL_NODE_EMPTY:
        break;
    case BL_NODE_ASSERT:
        *m->of_line = *m->of_line || is_of_line(node->context);
        break;
    case BL_NODE_CHARS:
        make_character(m, node->chars);
        break;
    case BL_NODE_JOIN:
        for (const struct bl_pattern_node *c = node->child; c != NULL; c = c->next)
            make(m, c);
        break;
    case BL_NODE_EITHER:
        make_one_of(m, node);
        break;
    case BL_NODE_REPEAT:
        make_repeat(m, node);
        break;
    }
}

bool bl_pattern_example(struct bl_arena *arena, bl_str source, uint64_t *random,
                        struct bl_buf *out, bool *of_line)
{
    struct bl_pattern_error error;
    size_t end = source.len;

    while (end > 1 && source.ptr[end - 1] != '/')
        end--;
    if (end < 2 || source.ptr[0] != '/')
        return false;
    const struct bl_pattern_node *root = bl_pattern_parse(
        arena, bl_str_slice(source, 1, end - 1), bl_str_slice(source, end, source.len), &error);
    if (root == NULL)
        return false;
    make(&(struct making){random, out, of_line}, root);
    return !out->failed;
}
