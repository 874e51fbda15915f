/* SPDX-License-Identifier: Apache-2.0 */
#include "support/allocator.h"

#include <stdlib.h>

static void *allocate(void *context, size_t size)
{
    struct failing_allocator *failing = context;
    failing->calls += 1;
    if (failing->fail_at != 0 && failing->calls >= failing->fail_at) {
        return NULL;
    }
    void *block = malloc(size);
    failing->live += block != NULL;
    return block;
}

static void release(void *context, void *block)
{
    struct failing_allocator *failing = context;
    failing->live -= block != NULL;
    free(block);
}

void failing_allocator_init(struct failing_allocator *failing, size_t fail_at)
{
    *failing = (struct failing_allocator){
        .allocator = {allocate, release, failing},
        .fail_at = fail_at,
    };
}
