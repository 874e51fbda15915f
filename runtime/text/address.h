/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TEXT_ADDRESS_H
#define BL_TEXT_ADDRESS_H

#include "base/str.h"
#include "spec/tables.h"

/* The parts of an address, read strictly: what browsers and GitHub could read in two ways is
 * not `whole`. Slices point into the address. */
struct bl_address {
    bool whole;    /* scheme://host…, only characters that addresses may have */
    bl_str scheme; /* in its own spelling */
    bl_str host;
    bl_str user; /* empty: none */
    bool has_user;
    bool has_port;
    int64_t port;
    bl_str target;      /* all of it */
    bool in_repository; /* its path is below that of the repository */
    bool climbs;    /* a dot segment, backslash, control or broken escape, in any spelling */
    int64_t number; /* of what is below, when it has one; 0 */
    unsigned kind;  /* member of link_kind, of what is below; OTHER elsewhere */
};

/* Reads a decoded address. `repository` is owner/name. Linear. */
struct bl_address bl_address_read(bl_str address, bl_str repository);

#endif
