/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FUZZ_POLICY_MODULE_H
#define FUZZ_POLICY_MODULE_H

#include "run/run.h"

/* A policy of the target, compiled once; it lives as long as the process. */
const struct bl_module *fuzz_policy_module(const char *policy);
/* A machine for one text, without a world and with a fixed clock. */
struct bl_machine *fuzz_policy_machine(struct bl_arena *arena, const struct bl_module *module);

#endif
