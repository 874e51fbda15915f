/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_SEMA_EMBEDDED_H
#define BL_SEMA_EMBEDDED_H

#include <stddef.h>

/* The definitions that come with the compiler: every .policy file of stdlib/, locales/ and
 * policies/ but the tests of policies. The build writes the table
 * (tools/cmake/BylawEmbed.cmake). */
struct bl_embedded_file {
    const char *path;          /* from the top of the checkout: "stdlib/markers.policy" */
    const unsigned char *text; /* a NUL stands behind it */
    size_t len;                /* without that NUL */
};

/* Ordered by the bytes of the path; one row of NULLs behind the last. */
extern const struct bl_embedded_file bl_embedded_files[];
extern const size_t bl_embedded_file_count;

#endif
