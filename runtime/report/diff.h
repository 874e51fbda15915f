/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_REPORT_DIFF_H
#define BL_REPORT_DIFF_H

#include "base/buf.h"

/* Appends what leads from one text to the other as a unified diff with three lines around each
 * change, which `patch` reads; nothing when they are equal. The path is written as it may be
 * shown. Takes (lines × changed lines); where more than some thousand lines differ, the part
 * between the first and the last of them is shown as replaced. Out of memory shows in `out`. */
void bl_diff_write(struct bl_arena *arena, bl_str path, bl_str before, bl_str after,
                   struct bl_buf *out);

#endif
