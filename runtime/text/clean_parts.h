/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TEXT_CLEAN_PARTS_H
#define BL_TEXT_CLEAN_PARTS_H

#include "text/clean.h"

/* The inside of the cleaner, for the files text/clean_*.c alone. */

/* Code that stays: a fenced block with its line end, or a span with its backticks. */
struct bl_code_piece {
    uint32_t lo, hi;
    bool fenced;
    uint32_t info_lo, info_hi; /* of a fence: its info string */
};

/* A byte of the decoded text and the source that it stands for, in the stable text. A byte that
 * was written as it is has one byte of source. */
#define BL_DECODED_CODE  '\xFF' /* a piece of code; `lo` is where it begins */
#define BL_DECODED_OPEN  '\xFE' /* "[" of a link that is kept */
#define BL_DECODED_CLOSE '\xFD' /* "](target)" of it */
#define BL_DECODED_WHOLE '\xFC' /* a link that becomes code with its target */
#define BL_DECODED_MARK  '\xF8' /* the least of these; no text has such a byte */

struct bl_source_span {
    uint32_t lo, hi;
};

struct bl_cleaning {
    struct bl_arena *arena;
    const struct bl_clean_rules *rules;
    bl_str input;
    bool failed; /* out of memory */
    uint64_t steps;

    char *text; /* stable: what removals left */
    uint32_t len;
    uint32_t *origin;                  /* of each byte of it, in the input */
    BL_VEC(struct bl_code_piece) code; /* in the input, then in the stable text */
    BL_VEC(struct bl_clean_part) links;

    char *decoded;
    uint32_t decoded_len;
    struct bl_source_span *source;
    BL_VEC(struct bl_clean_part) found;

    BL_VEC(struct bl_clean_finding) findings;
    BL_VEC(bl_str) allowed;
};

static inline bl_str bl_clean_text(const struct bl_cleaning *c)
{
    return (bl_str){c->text, c->len};
}

/* Fences and spans of the input. */
void bl_clean_code(struct bl_cleaning *c);
/* The stable text: without tags, comments, heading marks, definitions. */
void bl_clean_remove(struct bl_cleaning *c);
void bl_clean_lines(struct bl_cleaning *c);
/* Links and images in brackets, in the stable text. */
void bl_clean_find_links(struct bl_cleaning *c);
/* The decoded text, and what GitHub would link in it. */
void bl_clean_decode(struct bl_cleaning *c);
void bl_clean_find(struct bl_cleaning *c);

static inline bool bl_clean_is_mark(char c)
{
    return (unsigned char)c >= (unsigned char)BL_DECODED_MARK;
}

/* Could the bracket at `i` of the decoded text open or close what is not allowed? */
bool bl_clean_bracket_acts(const struct bl_cleaning *c, uint32_t i);
/* Could the line be the delimiter row of a table, behind marks of quotes and lists? */
bool bl_clean_is_delimiter(const char *s, struct bl_source_span line);
/* Could the line make a heading of the text above it: signs of equality or hyphens alone? An
 * `above` that ends at UINT32_MAX is not known. */
bool bl_clean_underlines(const char *s, struct bl_source_span above,
                         struct bl_source_span line);

void bl_clean_report(struct bl_cleaning *c, bl_str kind, enum bl_clean_word word, size_t lo,
                     size_t hi);

/* The piece of code that begins at or behind `at`, from number *next on; NULL when there is
 * none. */
static inline const struct bl_code_piece *bl_clean_next_code(const struct bl_cleaning *c,
                                                             size_t *next, size_t at)
{
    while (*next < c->code.count && c->code.items[*next].hi <= at)
        *next += 1;
    return *next < c->code.count ? &c->code.items[*next] : NULL;
}

/* Behind the bytes from `at` on that stand for nothing but themselves: the first that `acts`,
 * or `limit`. */
static inline uint32_t bl_clean_behind_plain(const char *s, uint32_t at, uint32_t limit,
                                             const bool acts[256])
{
    while (at < limit && !acts[(unsigned char)s[at]])
        at++;
    return at;
}

static inline bool bl_clean_alnum(char c)
{
    return bl_is_ascii_alpha(c) || bl_is_ascii_digit(c);
}
static inline bool bl_clean_punctuation(char c)
{
    return c > ' ' && c < 0x7F && !bl_clean_alnum(c);
}
static inline bool bl_clean_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

#endif
