/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_BASE_DIGEST_H
#define BL_BASE_DIGEST_H

#include "base/str.h"

/* SHA-256 (FIPS 180-4). */

#define BL_DIGEST_BYTES 32
#define BL_DIGEST_HEX   (2 * BL_DIGEST_BYTES)

struct bl_digest_state {
    uint32_t hash[8];
    uint64_t length; /* bytes so far */
    unsigned char block[64];
};

void bl_digest_begin(struct bl_digest_state *state);
void bl_digest_add(struct bl_digest_state *state, bl_str bytes);
/* The digest of all that was added. The state must begin again before it is used again. */
void bl_digest_end(struct bl_digest_state *state, unsigned char out[BL_DIGEST_BYTES]);

/* All three in one. */
void bl_digest(bl_str bytes, unsigned char out[BL_DIGEST_BYTES]);

/* Lower-case hexadecimal digits; not terminated. */
void bl_digest_hex(const unsigned char digest[BL_DIGEST_BYTES], char out[BL_DIGEST_HEX]);

#endif
