/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TESTS_SUPPORT_POLICY_LOADER_H
#define BL_TESTS_SUPPORT_POLICY_LOADER_H

#include "sema/sema.h"

/* Policies of the file system, for tests that compile some. */
extern const struct bl_loader policy_loader;
/* A whole file; BL_ERR_INVALID when there is none. */
enum bl_status read_policy(void *context, struct bl_arena *arena, bl_str path, bl_str *text);

#endif
