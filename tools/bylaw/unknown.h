/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_BYLAW_UNKNOWN_H
#define BL_BYLAW_UNKNOWN_H

#include "cli/session.h"

/* Names of a command line that the policy does not have: what was perhaps meant, or what there
 * is. Always BL_EXIT_USAGE. */
enum bl_exit bl_unknown_job(struct bl_session *session, bl_str name);
enum bl_exit bl_unknown_task(struct bl_session *session, bl_str name);
enum bl_exit bl_unknown_redaction(struct bl_session *session, bl_str name);
enum bl_exit bl_unknown_secrets(struct bl_session *session, bl_str name);
enum bl_exit bl_unknown_entry(struct bl_session *session, const char *kind,
                              enum bl_entry_kind entry, bl_str name);

#endif
