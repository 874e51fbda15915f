/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_SYNTAX_FORMATTER_H
#define BL_SYNTAX_FORMATTER_H

#include "syntax/format.h"
#include "syntax/parser.h"

/* Inside of the room: between the files of the formatter. A text goes through three hands:
 *   format.c        tokens and comments become pieces; at the end the check that nothing is
 * lost format_lines.c  pieces become lines (format_breaks.c says where long ones may break)
 *   format_align.c  items of lines get their columns
 * Columns and widths are code points, from 0. */

/* Beside the kinds of tokens. */
#define BL_PIECE_COMMENT 0xFFFF
/* An item that stood on another line, so that its column means nothing. */
#define BL_NO_COLUMN UINT32_MAX

/* A token, a whole text or a comment, as the author wrote it. */
struct bl_format_piece {
    uint16_t kind;     /* BL_TK_… */
    bool line_before;  /* it is the first of its line */
    bool blank_before; /* and an empty line stands above */
    bool ends_clause;
    bool is_long;  /* a text over several lines */
    bool is_tight; /* of a name with hyphens: nothing may come between it and the one before */
    bool is_apart;
    bool placed; /* a comment that moved */
    uint32_t lo;
    uint32_t hi;
    uint32_t line; /* where it begins, from 0 */
    uint32_t column;
    uint32_t blanks;  /* in front of it, on its line */
    uint32_t width;   /* of its first line */
    uint32_t partner; /* of a brace */
};

struct bl_format_item {
    uint32_t piece;
    uint32_t column; /* the author's, or BL_NO_COLUMN */
    uint32_t at;     /* where it will stand */
    uint8_t gap;     /* blanks that belong in front of it */
    bool semicolon;  /* behind it */
    uint8_t stage;   /* format_align.c */
};

struct bl_format_line {
    uint32_t first; /* item */
    uint32_t count;
    uint32_t clause; /* index of the first line of its clause */
    uint32_t clause_indent;
    uint32_t indent;
    uint32_t brackets; /* open ones of its clause, at its start */
    uint32_t width;    /* without comments and columns */
    uint32_t hopeless; /* of that, texts and patterns for which no line is long enough */
    bool blank_before;
    bool is_own;   /* it begins where a line of the author began: columns mean something */
    bool has_long; /* a text over several lines */
    /* format_align.c */
    uint32_t shift;  /* what columns added to its width */
    uint32_t placed; /* items that have their place */
    uint32_t anchor; /* item below which it stands, or UINT32_MAX */
    uint32_t run;
    uint32_t section;
};

struct bl_formatter {
    struct bl_arena *arena;
    bl_str text;
    BL_VEC(struct bl_format_piece) pieces;
    BL_VEC(struct bl_format_item) items;
    BL_VEC(struct bl_format_line) lines;
};

static inline struct bl_format_piece *bl_format_piece_of(const struct bl_formatter *f,
                                                         const struct bl_format_item *item)
{
    return &f->pieces.items[item->piece];
}

bool bl_kind_opens(int kind);  /* ( and [ */
bool bl_kind_closes(int kind); /* ) and ] */

/* ---- format_lines.c */

/* Out of memory shows in the arena. */
void bl_format_lines(struct bl_formatter *f);

/* ---- format_breaks.c */

/* Blanks between two pieces that stand beside each other: 0 or 1. */
uint8_t bl_format_gap(const struct bl_format_piece *before,
                      const struct bl_format_piece *piece);
/* Does it not fit a line of its own either? Then nothing is won by breaks around it. */
bool bl_format_is_hopeless(const struct bl_format_line *line,
                           const struct bl_format_piece *piece);
/* The item of the line in front of which it had best be broken; 0: nowhere. *brackets are the
 * open ones there. */
uint32_t bl_format_break(const struct bl_formatter *f, const struct bl_format_line *line,
                         uint32_t *brackets);

/* ---- format_align.c */

void bl_format_align(struct bl_formatter *f);

/* ---- format_check.c */

/* Has the result the tokens and the comments of the text? BL_ERR_INTERNAL when not. */
BL_NODISCARD enum bl_status bl_format_check(struct bl_formatter *f,
                                            const struct bl_tokens *tokens, bl_str result);

#endif
