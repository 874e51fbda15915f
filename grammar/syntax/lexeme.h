/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_SYNTAX_LEXEME_H
#define BL_SYNTAX_LEXEME_H

#include "base/str.h"
#include "syntax/declaration.h"

/* Inside of the room: what policy.l yields. A lexeme is a kind and the bytes [lo, hi); what it
 * means, and what is wrong with it, is the matter of tokens.c. */
enum bl_lexeme {
    BL_LEXEME_END, /* 0, as Flex wants it */
    BL_LEXEME_NEWLINE,
    BL_LEXEME_SEMICOLON,
    BL_LEXEME_COMMENT,       /* from # to the end of the line */
    BL_LEXEME_SLASH_COMMENT, /* from // to the end of the line */
    BL_LEXEME_BLOCK_COMMENT, /* from slash star to its end, or to where it was given up */
    BL_LEXEME_NAME,
    BL_LEXEME_ODD_NAME, /* with capitals or characters beyond ASCII */
    BL_LEXEME_NUMBER,
    BL_LEXEME_ODD_NUMBER, /* digits with letters at their end */
    BL_LEXEME_FRACTION,
    BL_LEXEME_PERCENT,
    BL_LEXEME_MONEY,
    BL_LEXEME_DATE,          /* a date, a time, or nearly one */
    BL_LEXEME_SIGN,          /* of the language: one of ==, <, ( and so on */
    BL_LEXEME_ALIEN,         /* a sign of other languages, or a character that means nothing */
    BL_LEXEME_EXPRESSION,    /* ${{ … }} of GitHub's workflow files */
    BL_LEXEME_SINGLE_QUOTED, /* in '…' or `…` */
    BL_LEXEME_CURLY_QUOTED,
    BL_LEXEME_TEXT_OPEN,     /* the quotes that open a text */
    BL_LEXEME_TEXT_CLOSE,    /* the quotes that close it */
    BL_LEXEME_TEXT_UNCLOSED, /* empty, where the text was given up */
    BL_LEXEME_TEXT_BRACE,    /* a } in a text that closes nothing */
    BL_LEXEME_HOLE_OPEN,     /* { in a text */
    BL_LEXEME_HOLE_CLOSE,    /* } behind it */
    BL_LEXEME_HOLE_UNCLOSED, /* empty, in front of the quotes or line end that stopped it */
    BL_LEXEME_HOLE_ALIEN,    /* what no placeholder may hold */
    BL_LEXEME_PATTERN,       /* /…/flags */
    BL_LEXEME_PATTERN_UNCLOSED,
};

/* The scanner takes no memory but this: room for what Flex keeps of itself. */
#define BL_SCANNER_POOL 1024

struct bl_scanner {
    bl_str text;
    uint32_t lo; /* of the lexeme */
    uint32_t hi;
    uint32_t begin; /* of a lexeme that is scanned in pieces */
    int text_state; /* start condition to go back to behind a placeholder */
    /* Set by tokens.c: does a value end with the last token, and where? Then a / divides. */
    bool after_value;
    uint32_t value_end;
    /* Give up """ and block comments at a line that begins a declaration? Set on the second
     * attempt, when the first found one that reaches the end of the file. */
    bool cautious;
    size_t pool_used;
    _Alignas(max_align_t) char pool[BL_SCANNER_POOL];
};

/* Prepares to scan `buffer`: a copy of text with two NUL behind it, which Flex writes into.
 * False when Flex wanted more memory than the pool has. */
bool bl_scanner_start(struct bl_scanner *scanner, void **handle, char *buffer, size_t size);
/* Next lexeme; its place is in the scanner. */
enum bl_lexeme bl_scanner_next(void *handle);

/* Is the / at the scanner's place a division and not the beginning of a pattern? */
bool bl_scanner_divides(const struct bl_scanner *scanner);

#endif
