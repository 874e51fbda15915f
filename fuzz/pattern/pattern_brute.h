/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_FUZZ_PATTERN_BRUTE_H
#define BL_FUZZ_PATTERN_BRUTE_H

#include "text/pattern_tree.h"

/* A matcher that shares nothing with the automata but the tree: it walks the tree over sets of
 * places, as the words of the language say. For texts of at most BRUTE_MAX characters. */

#define BRUTE_MAX 62u

/* Where the match that begins at character `from` ends; SIZE_MAX when none does. */
size_t brute_match(const struct bl_pattern_node *tree, const uint32_t *chars, size_t count,
                   size_t from);

#endif
