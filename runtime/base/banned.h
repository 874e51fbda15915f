/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_BASE_BANNED_H
#define BL_BASE_BANNED_H

/* Included by the build in front of every source of the libraries. Functions that a library may
 * not call become an unknown name whose second half says what to use. A file that must call
 * some is named with bl_allow() in its room's CMakeLists.txt, which defines BL_ALLOW_<GROUP>.
 *
 * The C library's headers come first: they declare what is banned. Nothing here excuses a
 * source from including what it uses. */

#include <ctype.h>
#include <locale.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define BL_BANNED(function, instead) bl_##function##_is_banned_use_##instead

/* No bound on what they write, or a bound that leaves the result without its end. */
#undef strcpy
#undef strcat
#undef strncpy
#undef strncat
#undef stpcpy
#undef sprintf
#undef vsprintf
#undef gets
#define strcpy(...)   BL_BANNED(strcpy, bl_arena_copy)
#define strcat(...)   BL_BANNED(strcat, bl_buf)
#define strncpy(...)  BL_BANNED(strncpy, bl_str_slice)
#define strncat(...)  BL_BANNED(strncat, bl_buf)
#define stpcpy(...)   BL_BANNED(stpcpy, bl_buf)
#define sprintf(...)  BL_BANNED(sprintf, bl_buf_printf)
#define vsprintf(...) BL_BANNED(vsprintf, bl_buf_printf)
#define gets(...)     BL_BANNED(gets, nothing)

/* Hidden state, or input that they cannot refuse. */
#undef strtok
#undef strtok_r
#undef atoi
#undef atol
#undef atoll
#undef atof
#undef strtol
#undef strtoll
#undef strtoul
#undef strtoull
#undef strtod
#undef sscanf
#undef rand
#undef srand
#undef random
#define strtok(...)   BL_BANNED(strtok, bl_str_find_char)
#define strtok_r(...) BL_BANNED(strtok_r, bl_str_find_char)
#define atoi(...)     BL_BANNED(atoi, bl_int_parse)
#define atol(...)     BL_BANNED(atol, bl_int_parse)
#define atoll(...)    BL_BANNED(atoll, bl_int_parse)
#define atof(...)     BL_BANNED(atof, bl_int_parse)
#define strtol(...)   BL_BANNED(strtol, bl_int_parse)
#define strtoll(...)  BL_BANNED(strtoll, bl_int_parse)
#define strtoul(...)  BL_BANNED(strtoul, bl_int_parse)
#define strtoull(...) BL_BANNED(strtoull, bl_int_parse)
#define strtod(...)   BL_BANNED(strtod, bl_int_parse)
#define sscanf(...)   BL_BANNED(sscanf, bl_int_parse)
#define rand(...)     BL_BANNED(rand, nothing)
#define srand(...)    BL_BANNED(srand, nothing)
#define random(...)   BL_BANNED(random, nothing)

/* They answer differently in another locale or time zone. */
#undef setlocale
#undef isalpha
#undef isalnum
#undef isdigit
#undef isspace
#undef isupper
#undef islower
#undef ispunct
#undef isprint
#undef isxdigit
#undef tolower
#undef toupper
#undef strcasecmp
#undef strncasecmp
#undef strcoll
#undef localtime
#undef localtime_r
#undef gmtime
#undef gmtime_r
#undef ctime
#undef asctime
#undef strftime
#undef mktime
#define setlocale(...)   BL_BANNED(setlocale, nothing)
#define isalpha(...)     BL_BANNED(isalpha, bl_is_ascii_alpha)
#define isalnum(...)     BL_BANNED(isalnum, bl_is_ascii_alpha)
#define isdigit(...)     BL_BANNED(isdigit, bl_is_ascii_digit)
#define isspace(...)     BL_BANNED(isspace, bl_is_ascii_space)
#define isupper(...)     BL_BANNED(isupper, comparisons)
#define islower(...)     BL_BANNED(islower, comparisons)
#define ispunct(...)     BL_BANNED(ispunct, comparisons)
#define isprint(...)     BL_BANNED(isprint, comparisons)
#define isxdigit(...)    BL_BANNED(isxdigit, comparisons)
#define tolower(...)     BL_BANNED(tolower, bl_ascii_lower)
#define toupper(...)     BL_BANNED(toupper, comparisons)
#define strcasecmp(...)  BL_BANNED(strcasecmp, bl_str_equal_nocase)
#define strncasecmp(...) BL_BANNED(strncasecmp, bl_str_equal_nocase)
#define strcoll(...)     BL_BANNED(strcoll, bl_str_compare)
#define localtime(...)   BL_BANNED(localtime, bl_time_format)
#define localtime_r(...) BL_BANNED(localtime_r, bl_time_format)
#define gmtime(...)      BL_BANNED(gmtime, bl_time_format)
#define gmtime_r(...)    BL_BANNED(gmtime_r, bl_time_format)
#define ctime(...)       BL_BANNED(ctime, bl_time_format)
#define asctime(...)     BL_BANNED(asctime, bl_time_format)
#define strftime(...)    BL_BANNED(strftime, bl_time_format)
#define mktime(...)      BL_BANNED(mktime, bl_time_parse)

#ifndef BL_ALLOW_MEMORY
#undef malloc
#undef calloc
#undef realloc
#undef free
#undef strdup
#undef strndup
#undef asprintf
#undef alloca
#define malloc(...)   BL_BANNED(malloc, bl_arena_alloc)
#define calloc(...)   BL_BANNED(calloc, bl_arena_alloc)
#define realloc(...)  BL_BANNED(realloc, bl_arena_push)
#define free(...)     BL_BANNED(free, bl_arena_reset)
#define strdup(...)   BL_BANNED(strdup, bl_arena_copy)
#define strndup(...)  BL_BANNED(strndup, bl_arena_copy)
#define asprintf(...) BL_BANNED(asprintf, bl_buf_printf)
#define alloca(...)   BL_BANNED(alloca, bl_arena_alloc)
#endif

#ifndef BL_ALLOW_EXIT
#undef exit
#undef _exit
#undef _Exit
#undef abort
#undef system
#undef popen
#define exit(...)   BL_BANNED(exit, enum_bl_status)
#define _exit(...)  BL_BANNED(exit, enum_bl_status)
#define _Exit(...)  BL_BANNED(exit, enum_bl_status)
#define abort(...)  BL_BANNED(abort, enum_bl_status)
#define system(...) BL_BANNED(system, nothing)
#define popen(...)  BL_BANNED(popen, nothing)
#endif

#ifndef BL_ALLOW_JUMP
#undef setjmp
#undef longjmp
#undef sigsetjmp
#undef siglongjmp
#define setjmp(...)     BL_BANNED(setjmp, enum_bl_status)
#define longjmp(...)    BL_BANNED(longjmp, enum_bl_status)
#define sigsetjmp(...)  BL_BANNED(sigsetjmp, enum_bl_status)
#define siglongjmp(...) BL_BANNED(siglongjmp, enum_bl_status)
#endif

#ifndef BL_ALLOW_OUTPUT
#undef printf
#undef fprintf
#undef vprintf
#undef vfprintf
#undef puts
#undef putchar
#undef perror
#define printf(...)   BL_BANNED(printf, bl_diagnostic_add)
#define fprintf(...)  BL_BANNED(fprintf, bl_diagnostic_add)
#define vprintf(...)  BL_BANNED(vprintf, bl_diagnostic_add)
#define vfprintf(...) BL_BANNED(vfprintf, bl_diagnostic_add)
#define puts(...)     BL_BANNED(puts, bl_diagnostic_add)
#define putchar(...)  BL_BANNED(putchar, bl_diagnostic_add)
#define perror(...)   BL_BANNED(perror, bl_diagnostic_add)
#endif

#ifndef BL_ALLOW_CLOCK
#undef time
#undef clock_gettime
#undef gettimeofday
#undef sleep
#undef usleep
#undef nanosleep
#define time(...)          BL_BANNED(time, the_callers_clock)
#define clock_gettime(...) BL_BANNED(clock_gettime, the_callers_clock)
#define gettimeofday(...)  BL_BANNED(gettimeofday, the_callers_clock)
#define sleep(...)         BL_BANNED(sleep, the_callers_clock)
#define usleep(...)        BL_BANNED(usleep, the_callers_clock)
#define nanosleep(...)     BL_BANNED(nanosleep, the_callers_clock)
#endif

#ifndef BL_ALLOW_ENVIRONMENT
#undef getenv
#undef secure_getenv
#undef setenv
#undef putenv
#define getenv(...)        BL_BANNED(getenv, the_callers_settings)
#define secure_getenv(...) BL_BANNED(secure_getenv, the_callers_settings)
#define setenv(...)        BL_BANNED(setenv, the_callers_settings)
#define putenv(...)        BL_BANNED(putenv, the_callers_settings)
#endif

#endif
