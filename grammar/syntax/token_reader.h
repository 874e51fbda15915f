/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_SYNTAX_TOKEN_READER_H
#define BL_SYNTAX_TOKEN_READER_H

#include "syntax/lexeme.h"
#include "syntax/parser.h"

/* Between tokens.c, token_words.c and token_texts.c, which make tokens of lexemes. */

/* Where the reading of lexemes stands. */
struct bl_reader {
    struct bl_parser *parser;
    struct bl_scanner scanner;
    bool first_on_line;
    bool line_is_odd; /* a character without meaning stands in it */
    bool suspect;     /* something was left out in front of the next token */
    bool at_end;      /* a text or a comment goes on to the end of the file */
    /* Of the line in hand: its first token, and the messages in front of it. */
    size_t line_token;
    struct bl_diagnostics line_sink;
    /* Its first text in which a quote stopped a placeholder, one behind its index; 0: none. */
    size_t line_cut_text;
    /* Of the text in hand. */
    size_t text_token; /* index of what opened it */
    uint32_t words_lo; /* where the words behind the last placeholder begin */
    bool has_holes;
    /* Of the placeholder in hand. */
    size_t hole_token;
    bool in_hole;
    bool hole_doubled; /* it begins with another {, as templates elsewhere do */
    bool hole_spoiled; /* it holds what no placeholder may, and that was reported */
};

/* ---- tokens.c --------------------------------------------------------------------------- */

struct bl_span bl_reader_here(const struct bl_reader *reader);
/* The bytes of the lexeme in hand. */
bl_str bl_reader_lexeme(const struct bl_reader *reader);
/* A message with the argument {text}, the bytes of the span; nothing on a line that is odd
 * already. */
struct bl_diagnostic *bl_reader_report(struct bl_reader *reader, enum bl_diagnostic_code code,
                                       struct bl_span span);
/* And with {instead}, which is the fix as well. */
struct bl_diagnostic *bl_reader_report_fix(struct bl_reader *reader,
                                           enum bl_diagnostic_code code, struct bl_span span,
                                           bl_str instead);
void bl_reader_push(struct bl_reader *reader, int kind, uint32_t lo, uint32_t hi);
void bl_reader_push_here(struct bl_reader *reader, int kind);
/* NULL in front of the first. */
struct bl_token *bl_reader_last(struct bl_reader *reader);

/* ---- token_words.c: one lexeme each ----------------------------------------------------- */

void bl_read_name(struct bl_reader *reader);
void bl_read_odd_name(struct bl_reader *reader);
void bl_read_odd_number(struct bl_reader *reader);
void bl_read_fraction(struct bl_reader *reader);

/* ---- token_texts.c ---------------------------------------------------------------------- */

void bl_read_text_open(struct bl_reader *reader);
void bl_read_text_close(struct bl_reader *reader);
void bl_read_text_unclosed(struct bl_reader *reader);
void bl_read_hole_open(struct bl_reader *reader);
void bl_read_hole_close(struct bl_reader *reader);
void bl_read_hole_unclosed(struct bl_reader *reader);
void bl_read_hole_alien(struct bl_reader *reader);
void bl_read_quoted(struct bl_reader *reader);
void bl_read_pattern_unclosed(struct bl_reader *reader);

#endif
