/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TESTS_SUPPORT_ALLOCATOR_H
#define BL_TESTS_SUPPORT_ALLOCATOR_H

#include "base/arena.h"

/* An allocator that counts, and fails at its n-th call and from then on: memory that has run
 * out does not come back. A test that sweeps n from 1 until nothing fails any more has met
 * every allocation of what it calls. */
struct failing_allocator {
    struct bl_allocator allocator; /* pass the address of this one */
    size_t fail_at;                /* number of the first call that fails, from 1; 0 never */
    size_t calls;
    size_t live; /* blocks not given back */
};

/* Keep it where it is: the allocator's context is its own address. */
void failing_allocator_init(struct failing_allocator *failing, size_t fail_at);

#endif
