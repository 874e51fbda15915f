/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_BASE_STATUS_H
#define BL_BASE_STATUS_H

/* The one result type of everything that can fail. What went wrong in words is a diagnostic
 * (base/diagnostic.h); the status only says which kind of ending it was. */
enum bl_status {
    BL_OK = 0,
    BL_ERR_NOMEM,      /* an allocation failed or a memory limit was reached */
    BL_ERR_LIMIT,      /* a bound of limits.def was reached: instructions, sizes, depths */
    BL_ERR_INVALID,    /* the input is not what it should be; a diagnostic says where */
    BL_ERR_UNVERIFIED, /* a module that the verifier refuses */
    BL_ERR_READ,       /* the world could not answer: neither yes nor no */
    BL_ERR_WRITE,      /* the world did not carry out an effect */
    BL_ERR_REFUSED,    /* the policy itself said no: `fail`, a setting out of its bounds */
    BL_ERR_IO,         /* a file could not be read or written */
    BL_ERR_INTERNAL,   /* a defect of ours */
};

#if defined(__GNUC__)
#define BL_NODISCARD         __attribute__((warn_unused_result))
#define BL_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define BL_NODISCARD
#define BL_PRINTF(fmt, args)
#endif

#endif
