/* SPDX-License-Identifier: Apache-2.0 */
#include "base/digest.h"

#include <string.h>

#define BLOCK 64

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t round_constants[BLOCK] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
    0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
    0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
    0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
    0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
    0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
    0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
    0xc67178f2,
};

static uint32_t rotate(uint32_t x, unsigned by)
{
    return x >> by | x << (32 - by);
}

static uint32_t read_word(const unsigned char *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static void write_word(unsigned char *at, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++) {
        at[i] = (unsigned char)(word >> (24 - 8 * i));
    }
}

/* One round, in which v[a] is the first of the eight words. */
static inline void turn(uint32_t v[8], unsigned a, uint32_t add)
{
    uint32_t e = v[(a + 4) % 8];
    uint32_t first = v[(a + 7) % 8] + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +
                     ((e & v[(a + 5) % 8]) ^ (~e & v[(a + 6) % 8])) + add;
    uint32_t second =
        (rotate(v[a], 2) ^ rotate(v[a], 13) ^ rotate(v[a], 22)) +
        ((v[a] & v[(a + 1) % 8]) ^ (v[a] & v[(a + 2) % 8]) ^ (v[(a + 1) % 8] & v[(a + 2) % 8]));
    v[(a + 3) % 8] += first;
    v[(a + 7) % 8] = first + second;
}

static void mix(uint32_t hash[8], const unsigned char *block)
{
    uint32_t schedule[BLOCK];
    for (size_t i = 0; i < 16; i++) {
        schedule[i] = read_word(block + 4 * i);
    }
    for (size_t i = 16; i < BLOCK; i++) {
        uint32_t near = schedule[i - 2];
        uint32_t far = schedule[i - 15];
        schedule[i] = schedule[i - 16] + (rotate(far, 7) ^ rotate(far, 18) ^ far >> 3) +
                      schedule[i - 7] + (rotate(near, 17) ^ rotate(near, 19) ^ near >> 10);
    }
    uint32_t v[8];
    memcpy(v, hash, sizeof(v));
    for (size_t i = 0; i < BLOCK; i += 8) {
        /* The words move on by one place each round; so instead their names do. */
        turn(v, 0, round_constants[i] + schedule[i]);
        turn(v, 7, round_constants[i + 1] + schedule[i + 1]);
        turn(v, 6, round_constants[i + 2] + schedule[i + 2]);
        turn(v, 5, round_constants[i + 3] + schedule[i + 3]);
        turn(v, 4, round_constants[i + 4] + schedule[i + 4]);
        turn(v, 3, round_constants[i + 5] + schedule[i + 5]);
        turn(v, 2, round_constants[i + 6] + schedule[i + 6]);
        turn(v, 1, round_constants[i + 7] + schedule[i + 7]);
    }
    for (size_t i = 0; i < 8; i++) {
        hash[i] += v[i];
    }
}

void bl_digest_begin(struct bl_digest_state *state)
{
    /* The first 32 bits of the fractional parts of the square roots of the first 8 primes. */
    *state = (struct bl_digest_state){
        .hash = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c,
                 0x1f83d9ab, 0x5be0cd19},
    };
}

void bl_digest_add(struct bl_digest_state *state, bl_str bytes)
{
    const unsigned char *at = (const unsigned char *)bytes.ptr;
    size_t left = bytes.len;
    while (left > 0) {
        size_t filled = state->length % BLOCK;
        size_t take = BLOCK - filled < left ? BLOCK - filled : left;
        memcpy(state->block + filled, at, take);
        state->length += take;
        at += take;
        left -= take;
        if (filled + take == BLOCK) {
            mix(state->hash, state->block);
        }
    }
}

void bl_digest_end(struct bl_digest_state *state, unsigned char out[BL_DIGEST_BYTES])
{
    uint64_t bits = state->length * 8;
    size_t filled = state->length % BLOCK;
    /* A one bit, zeros, and the length in bits as the last eight bytes of a block. */
    state->block[filled++] = 0x80;
    if (filled > BLOCK - 8) {
        memset(state->block + filled, 0, BLOCK - filled);
        mix(state->hash, state->block);
        filled = 0;
    }
    memset(state->block + filled, 0, BLOCK - 8 - filled);
    write_word(state->block + BLOCK - 8, (uint32_t)(bits >> 32));
    write_word(state->block + BLOCK - 4, (uint32_t)bits);
    mix(state->hash, state->block);
    for (size_t i = 0; i < 8; i++) {
        write_word(out + 4 * i, state->hash[i]);
    }
}

void bl_digest(bl_str bytes, unsigned char out[BL_DIGEST_BYTES])
{
    struct bl_digest_state state;
    bl_digest_begin(&state);
    bl_digest_add(&state, bytes);
    bl_digest_end(&state, out);
}

void bl_digest_hex(const unsigned char digest[BL_DIGEST_BYTES], char out[BL_DIGEST_HEX])
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < BL_DIGEST_BYTES; i++) {
        out[2 * i] = digits[digest[i] >> 4];
        out[2 * i + 1] = digits[digest[i] & 15];
    }
}
