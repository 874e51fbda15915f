/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_WORLD_GITHUB_GITHUB_ADDRESS_H
#define BL_WORLD_GITHUB_GITHUB_ADDRESS_H

#include "base/buf.h"

/* Addresses: which ones may be asked, and how paths are written. Private to this room. */

/* "https", "api.github.com", "443", "/repos/…?page=2" as slices of an address. */
struct bl_address {
    bl_str scheme;
    bl_str host; /* an IPv6 address keeps its brackets */
    uint32_t port;
    bl_str path; /* with its query; begins with '/', or is empty */
};

/* An absolute HTTP address without user, password, fragment, blanks or control characters; all
 * of it ASCII. False for everything else. */
bool bl_address_parse(bl_str text, struct bl_address *out);
/* Same scheme, host (without case) and port. */
bool bl_address_same_origin(const struct bl_address *a, const struct bl_address *b);
/* A literal address of this machine; a name is never one, since a name can be taken over. */
bool bl_address_is_loopback(const struct bl_address *address);

/* One step of a path: everything but letters, digits and "-._~" is escaped. "." and "..", which
 * would lead to another address however they are written, set out->failed. */
void bl_address_put_step(struct bl_buf *out, bl_str step);

#endif
