/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_BYTECODE_LAYOUT_H
#define BL_BYTECODE_LAYOUT_H

#include "bytecode/module.h"

/* How the file is laid out: what writer and verifier share. */

#if !defined(__BYTE_ORDER__) || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "Modules are little-endian and used where they are mapped."
#endif

/* Where a section begins that stands behind `end` bytes. */
static inline uint64_t bl_section_place(uint64_t end)
{
    return (end + 7u) & ~UINT64_C(7);
}
uint32_t bl_section_row_size(enum bl_section section);
bl_str bl_section_name(enum bl_section section);

/* Order of rows of ACCESS, without `entry`. `pool`: bytes of STRINGS, which hold the keys. */
int bl_access_order(const char *pool, const struct bl_access *x, const struct bl_access *y);

#endif
