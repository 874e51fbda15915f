/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TEXT_FOLD_H
#define BL_TEXT_FOLD_H

#include "base/str.h"

/* What a reader takes for one sign, as one (spec/foldings.def). */

enum bl_folding {
#define BL_FOLDING(ID, word, what) BL_FOLDING_##ID,
#include "spec/foldings.def"
#undef BL_FOLDING
    BL_FOLDING_COUNT
};

#define BL_FOLD_BYTES 32u

/* What stands at `at` in valid UTF-8, folded in the ways of `foldings` (bits): writes it and
 * its length, which may be 0, and returns how many bytes it stands for; 0 when nothing changes
 * there. */
size_t bl_fold_read(bl_str s, size_t at, unsigned foldings, char out[BL_FOLD_BYTES],
                    size_t *length);

#endif
