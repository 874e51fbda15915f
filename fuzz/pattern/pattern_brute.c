/* SPDX-License-Identifier: Apache-2.0 */
#include "pattern/pattern_brute.h"

struct brute {
    const uint32_t *chars;
    size_t count;
};

/* A set of places: bit i is in front of character i. */
typedef uint64_t places;

static unsigned kind_at(const struct brute *brute, size_t at)
{
    if (at >= brute->count) {
        return BL_CHAR_EDGE;
    }
    uint32_t c = brute->chars[at];
    bool word =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    return word ? BL_CHAR_WORD : c == '\n' ? BL_CHAR_LINE : BL_CHAR_OTHER;
}

static bool holds(const struct brute *brute, bl_context context, size_t at)
{
    unsigned before = at == 0 ? BL_CHAR_EDGE : kind_at(brute, at - 1);
    return (context & BL_CONTEXT_BIT(before, kind_at(brute, at))) != 0;
}

static bool takes(const struct bl_chars *chars, uint32_t c)
{
    for (size_t i = 0; i < chars->count; i++) {
        if (c >= chars->ranges[i].lo && c <= chars->ranges[i].hi) {
            return true;
        }
    }
    return false;
}

static places ends(const struct brute *brute, const struct bl_pattern_node *node, places from);

static places ends_of_repeat(const struct brute *brute, const struct bl_pattern_node *node,
                             places from)
{
    places reached = node->min == 0 ? from : 0;
    for (uint32_t i = 1; from != 0 && i <= node->max; i++) {
        places next = ends(brute, node->child, from);
        bool settled = next == from; /* and so for ever */
        from = next;
        if (i >= node->min || settled) {
            places before = reached;
            reached |= from;
            /* With an open end, rounds that add nothing may still lead to some that do; but
             * after as many rounds as there are places everything has been reached. */
            if (settled || (before == reached && i > node->min + 2 * BRUTE_MAX)) {
                break;
            }
        }
    }
    return reached;
}

static places ends(const struct brute *brute, const struct bl_pattern_node *node, places from)
{
    places result = 0;
    switch (node->kind) {
    case BL_NODE_EMPTY:
        return from;
    case BL_NODE_CHARS:
        for (size_t i = 0; i < brute->count; i++) {
            if ((from >> i & 1) != 0 && takes(&node->chars, brute->chars[i])) {
                result |= (places)1 << (i + 1);
            }
        }
        return result;
    case BL_NODE_ASSERT:
        for (size_t i = 0; i <= brute->count; i++) {
            if ((from >> i & 1) != 0 && holds(brute, node->context, i)) {
                result |= (places)1 << i;
            }
        }
        return result;
    case BL_NODE_JOIN:
        for (const struct bl_pattern_node *child = node->child; child != NULL && from != 0;
             child = child->next) {
            from = ends(brute, child, from);
        }
        return from;
    case BL_NODE_EITHER:
        for (const struct bl_pattern_node *child = node->child; child != NULL;
             child = child->next) {
            result |= ends(brute, child, from);
        }
        return result;
    case BL_NODE_REPEAT:
        return ends_of_repeat(brute, node, from);
    }
    return 0;
}

size_t brute_match(const struct bl_pattern_node *tree, const uint32_t *chars, size_t count,
                   size_t from)
{
    struct brute brute = {chars, count};
    places reached = ends(&brute, tree, (places)1 << from);
    return reached == 0 ? SIZE_MAX : (size_t)(63 - __builtin_clzll(reached));
}
