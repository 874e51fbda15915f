/* SPDX-License-Identifier: Apache-2.0 */
#include "base/sort.h"
#include "syntax/lexeme.h"
#include "syntax/parser.h"
#include "syntax/policy_parser.h"

/* Brackets that do not match.
 *
 * A file whose brackets match is left as it is, however it is laid out. In any other the
 * declarations are looked at one by one: one begins where a line begins in column 0 with a word
 * of clauses.def and a name. Where the brackets of a declaration match, nothing happens to it
 * either. In the others the indentation says what was meant: a } at the beginning of a line
 * closes the block whose line begins in the same column, and a bracket without its partner ends
 * with the line in front of the first one that is not indented deeper than its own. So a
 * mistake stays in its clause or block, and one message names the bracket. */

struct open_bracket {
    size_t index;    /* of the token */
    uint32_t indent; /* column of the first token of its line */
    size_t close_at; /* first token of the line that it does not reach, or 0 while unknown */
    size_t below;    /* the next lower one whose close_at is unknown: its index + 1, or 0 */
};

struct insertion {
    size_t before; /* index of the token */
    int kind;
};

struct repair {
    struct bl_parser *parser;
    BL_VEC(struct open_bracket) open;
    BL_VEC(struct insertion) insertions;
    bool *dropped;  /* tokens to be left out */
    size_t from;    /* first token of the region */
    size_t unknown; /* topmost bracket whose close_at is unknown: its index + 1, or 0 */
    size_t round;   /* open ( */
    size_t square;  /* open [ */
    size_t braces;  /* open { */
    struct bl_diagnostic *unclosed; /* the last message of a bracket without its partner */
    size_t unclosed_at;             /* and the token in front of which that would stand */
    size_t looked_to;               /* up to here braces in parentheses were looked at, */
    bool is_slip;                   /* and they are slips: the parentheses go on behind them */
    size_t slips;                   /* { that were, and wait for their } */
    bool header_mended;             /* a { was put behind the first line */
    bool quiet; /* quotes are missing in the region: what brackets they took nobody knows */
};

static int kind_at(const struct repair *repair, size_t index)
{
    return repair->parser->tokens.items[index].kind;
}

static bool opens(int kind)
{
    return kind == BL_TK_LPAREN || kind == BL_TK_LBRACKET || kind == BL_TK_LBRACE;
}

static bool closes(int kind)
{
    return kind == BL_TK_RPAREN || kind == BL_TK_RBRACKET || kind == BL_TK_RBRACE;
}

static int partner(int kind)
{
    switch (kind) {
    case BL_TK_LPAREN:
        return BL_TK_RPAREN;
    case BL_TK_LBRACKET:
        return BL_TK_RBRACKET;
    case BL_TK_LBRACE:
        return BL_TK_RBRACE;
    case BL_TK_RPAREN:
        return BL_TK_LPAREN;
    case BL_TK_RBRACKET:
        return BL_TK_LBRACKET;
    }
    return BL_TK_LBRACE;
}

static bl_str spelling(int kind)
{
    return bl_str_from(bl_token_alias(kind));
}

/* Do the brackets of tokens [from, to) match? */
static bool is_whole(struct repair *repair, size_t from, size_t to)
{
    repair->open.count = 0;
    for (size_t i = from; i < to; i++) {
        int kind = kind_at(repair, i);
        if (opens(kind)) {
            struct open_bracket *open = BL_PUSH(repair->parser->arena, repair->open);
            if (open == NULL) {
                return true;
            }
            open->index = i;
        } else if (closes(kind)) {
            if (repair->open.count == 0 ||
                kind_at(repair, repair->open.items[repair->open.count - 1].index) !=
                    partner(kind)) {
                return false;
            }
            repair->open.count -= 1;
        }
    }
    return repair->open.count == 0;
}

/* ---- one declaration -------------------------------------------------------------------- */

static struct open_bracket *top(struct repair *repair)
{
    return repair->open.count > 0 ? &repair->open.items[repair->open.count - 1] : NULL;
}

static size_t *counter_of(struct repair *repair, int kind)
{
    return kind == BL_TK_LPAREN     ? &repair->round
           : kind == BL_TK_LBRACKET ? &repair->square
                                    : &repair->braces;
}

static void open_one(struct repair *repair, size_t index, uint32_t indent)
{
    struct open_bracket *open = BL_PUSH(repair->parser->arena, repair->open);

    if (open != NULL) {
        *open = (struct open_bracket){
            .index = index,
            .indent = indent,
            .below = repair->unknown,
        };
        repair->unknown = repair->open.count;
        *counter_of(repair, kind_at(repair, index)) += 1;
    }
}

static void pop(struct repair *repair)
{
    if (repair->unknown == repair->open.count) {
        repair->unknown = top(repair)->below;
    }
    *counter_of(repair, kind_at(repair, top(repair)->index)) -= 1;
    repair->open.count -= 1;
}

static struct bl_diagnostic *report(struct repair *repair, enum bl_diagnostic_code code,
                                    size_t index)
{
    struct bl_parser *parser = repair->parser;
    const struct bl_token *token = &parser->tokens.items[index];

    if (repair->quiet) {
        parser->sink->spare = (struct bl_diagnostic){.span = BL_NO_SPAN};
        return &parser->sink->spare;
    }
    struct bl_diagnostic *d =
        bl_report(parser->sink, code, bl_parser_span(parser, token->lo, token->hi));
    bl_diagnostic_text(parser->sink, d, "bracket", spelling(token->kind));
    bl_diagnostic_text(parser->sink, d, "partner", spelling(partner(token->kind)));
    return d;
}

static void insert(struct repair *repair, size_t before, int kind)
{
    struct insertion *insertion = BL_PUSH(repair->parser->arena, repair->insertions);

    if (insertion != NULL) {
        *insertion = (struct insertion){before, kind};
    }
}

/* The innermost bracket has no partner: it gets one in front of token `before` at the latest.
 * Several that end at one place are one mistake, told of the innermost. */
static void close_top(struct repair *repair, size_t before)
{
    struct bl_parser *parser = repair->parser;
    struct open_bracket *open = top(repair);
    size_t at = open->close_at != 0 ? open->close_at : before;
    int kind = kind_at(repair, open->index);

    /* In front of the line ends that stand there. */
    while (at > open->index + 1 && kind_at(repair, at - 1) == BL_TK_NEWLINE) {
        at--;
    }
    if (repair->unclosed != NULL && repair->unclosed_at == at) {
        const struct bl_token *token = &parser->tokens.items[open->index];
        bl_diagnostic_label(parser->sink, repair->unclosed,
                            bl_parser_span(parser, token->lo, token->hi),
                            BL_STR("and this one has none either"));
    } else {
        struct bl_diagnostic *d = report(repair, BL_D_BRACKET_UNCLOSED, open->index);
        uint32_t place = parser->tokens.items[at - 1].hi;
        bl_diagnostic_label(parser->sink, d, bl_parser_span(parser, place, place),
                            BL_STR("it would have to be closed here"));
        repair->unclosed = d;
        repair->unclosed_at = at;
    }
    insert(repair, at, partner(kind));
    pop(repair);
}

static bool in_parentheses(struct repair *repair)
{
    return top(repair) != NULL && kind_at(repair, top(repair)->index) != BL_TK_LBRACE;
}

static void close_parentheses(struct repair *repair, size_t before)
{
    while (in_parentheses(repair)) {
        close_top(repair, before);
    }
}

static void drop(struct repair *repair, size_t index)
{
    (void)report(repair, BL_D_BRACKET_STRAY, index);
    repair->dropped[index] = true;
}

/* A ) or ]. */
static void close_round(struct repair *repair, size_t index)
{
    struct bl_token *token = &repair->parser->tokens.items[index];
    int wanted = partner(token->kind);
    size_t there = wanted == BL_TK_LPAREN ? repair->round : repair->square;

    if (top(repair) == NULL || kind_at(repair, top(repair)->index) == BL_TK_LBRACE) {
        drop(repair, index);
        return;
    }
    if (there == 0) {
        /* Of the other kind: meant for the innermost one. */
        struct bl_diagnostic *d = report(repair, BL_D_BRACKET_MISMATCH, index);
        int kind = kind_at(repair, top(repair)->index);
        const struct bl_token *opening = &repair->parser->tokens.items[top(repair)->index];
        bl_diagnostic_label(repair->parser->sink, d,
                            bl_parser_span(repair->parser, opening->lo, opening->hi),
                            BL_STR("opened here"));
        bl_diagnostic_fix(repair->parser->sink, d,
                          bl_parser_span(repair->parser, token->lo, token->hi),
                          spelling(partner(kind)));
        token->kind = (uint16_t)partner(kind);
        wanted = kind;
    }
    while (kind_at(repair, top(repair)->index) != wanted) {
        close_top(repair, index);
    }
    pop(repair);
}

/* The token behind the head of the declaration, of a head that is names, texts and parameters
 * alone; 0 when it is none of these, or when a block follows. */
static size_t behind_head(struct repair *repair, size_t to)
{
    const struct bl_token *tokens = repair->parser->tokens.items;
    bl_str head = bl_declaration_head(repair->parser->text, tokens[repair->from].lo);
    size_t at = repair->from + 1;
    bool fits = head.len > 0;

    for (size_t i = 0; i < head.len && fits; i++) {
        if (head.ptr[i] == ' ' || (i > 0 && head.ptr[i - 1] != ' ')) {
            continue; /* of a word the first letter counts */
        }
        fits = at < to && tokens[at].kind == (head.ptr[i] == 'S' ? BL_TK_STRING : BL_TK_NAME) &&
               (head.ptr[i] == 'N' || head.ptr[i] == 'S' || head.ptr[i] == 'D' ||
                head.ptr[i] == 'o');
        at++;
        if (fits && head.ptr[i] == 'D' && at < to && tokens[at].kind == BL_TK_LPAREN) {
            while (at < to && tokens[at].kind != BL_TK_RPAREN) {
                at++;
            }
            at++;
        }
    }
    return fits && at < to && tokens[at].kind != BL_TK_NEWLINE &&
                   tokens[at].kind != BL_TK_LBRACE && tokens[at].kind != BL_TK_RBRACE &&
                   tokens[at].kind != BL_TK_ASSIGN && tokens[at].kind != BL_TK_COLON
               ? at
               : 0;
}

/* The end of the first line, when it has no { and deeper lines follow; else 0. */
static size_t behind_line(struct repair *repair, size_t index)
{
    const struct bl_token *tokens = repair->parser->tokens.items;
    size_t end = repair->from;

    while (end < index && tokens[end].kind != BL_TK_NEWLINE) {
        if (tokens[end++].kind == BL_TK_LBRACE) {
            return 0;
        }
    }
    return end == repair->from || end + 1 >= index || tokens[end + 1].lo == tokens[end].hi
               ? 0
               : end;
}

/* A } and no block open. Where clauses follow the head of the declaration without a {, or
 * deeper lines its first one, that is what is missing. */
static bool mend_header(struct repair *repair, size_t index, bool first)
{
    const struct bl_token *tokens = repair->parser->tokens.items;
    size_t end = behind_head(repair, index);

    end = end == 0 && first ? behind_line(repair, index) : end;
    if (repair->header_mended || end == 0) {
        return false;
    }
    repair->header_mended = true;
    struct bl_diagnostic *d = report(repair, BL_D_BRACKET_MISSING, index);
    uint32_t place = tokens[end - 1].hi;
    d->span = bl_parser_span(repair->parser, place, place);
    bl_diagnostic_label(repair->parser->sink, d,
                        bl_parser_span(repair->parser, tokens[index].lo, tokens[index].hi),
                        BL_STR("closes nothing without it"));
    bl_diagnostic_fix(repair->parser->sink, d, d->span, BL_STR(" {"));
    insert(repair, end, BL_TK_LBRACE);
    return true;
}

/* A }, which at the beginning of a line closes the block of its column. */
static void close_brace(struct repair *repair, size_t index, uint32_t column)
{
    bool first = (repair->parser->tokens.items[index].flags & BL_TOKEN_FIRST) != 0;

    if (repair->braces == 0) {
        close_parentheses(repair, index);
        if (!mend_header(repair, index, first)) {
            drop(repair, index);
        }
        return;
    }
    close_parentheses(repair, index);
    /* With parentheses out of the way what lies below is a block of the same declaration. */
    while (first && top(repair)->indent > column && repair->open.count > 1) {
        const struct open_bracket *below = &repair->open.items[repair->open.count - 2];
        if (kind_at(repair, below->index) != BL_TK_LBRACE || below->indent < column) {
            break;
        }
        close_top(repair, index);
    }
    pop(repair);
}

/* The first token of a line: brackets whose lines are indented as deep or deeper do not reach
 * it, should they turn out to have no partner. */
static void pass_line(struct repair *repair, size_t index, uint32_t column)
{
    while (repair->unknown > 0) {
        struct open_bracket *open = &repair->open.items[repair->unknown - 1];
        if (open->indent < column) {
            break;
        }
        open->close_at = index;
        repair->unknown = open->below;
    }
}

/* A brace in parentheses that are closed behind it on the same line is a slip of the hand: it
 * goes, and the parentheses stay whole. Each line is looked at once. */
static bool drop_slip(struct repair *repair, size_t index, size_t to)
{
    const struct bl_token *tokens = repair->parser->tokens.items;
    size_t depth = repair->round + repair->square;

    if (!in_parentheses(repair)) {
        return false;
    }
    if (index >= repair->looked_to) {
        size_t i = index;
        for (; i < to && depth > 0 && tokens[i].kind != BL_TK_NEWLINE; i++) {
            depth += tokens[i].kind == BL_TK_LPAREN || tokens[i].kind == BL_TK_LBRACKET;
            depth -= tokens[i].kind == BL_TK_RPAREN || tokens[i].kind == BL_TK_RBRACKET;
        }
        repair->looked_to = i;
        repair->is_slip = depth == 0;
    }
    if (!repair->is_slip) {
        return false;
    }
    repair->dropped[index] = true;
    if (tokens[index].kind == BL_TK_LBRACE) {
        (void)report(repair, BL_D_BLOCK_IN_PARENTHESES, index);
        repair->slips++;
    } else if (repair->slips > 0) {
        repair->slips--;
    } else {
        (void)report(repair, BL_D_BRACKET_STRAY, index);
    }
    return true;
}

static void repair_region(struct repair *repair, size_t from, size_t to)
{
    const struct bl_tokens *tokens = &repair->parser->tokens;
    uint32_t line = tokens->items[from].lo;
    uint32_t column = 0;
    uint32_t indent = 0;
    int last = BL_TK_NEWLINE;

    repair->open.count = 0;
    repair->from = from;
    repair->unknown = repair->round = repair->square = repair->braces = 0;
    repair->quiet = repair->header_mended = false;
    repair->unclosed = NULL;
    repair->looked_to = repair->slips = 0;
    repair->is_slip = false;
    for (size_t i = from; i < to && !repair->parser->arena->failed; i++) {
        const struct bl_token *token = &tokens->items[i];
        if ((token->flags & BL_TOKEN_FIRST) != 0 && token->kind != BL_TK_NEWLINE) {
            column = token->lo - line;
            if (!bl_token_continues(last, token->kind)) {
                /* A clause over lines is indented as its first one. */
                indent = in_parentheses(repair) ? indent : column;
                if (!closes(token->kind)) {
                    pass_line(repair, i, column);
                }
            }
        }
        last = token->kind != BL_TK_NEWLINE ? token->kind : last;
        repair->quiet |= token->kind == BL_TK_BAD || (token->flags & BL_TOKEN_UNCLOSED) != 0;
        if (token->kind == BL_TK_NEWLINE) {
            line = token->hi;
        } else if ((token->kind == BL_TK_LBRACE || token->kind == BL_TK_RBRACE) &&
                   drop_slip(repair, i, to)) {
            continue;
        } else if (opens(token->kind)) {
            if (token->kind == BL_TK_LBRACE) {
                close_parentheses(repair, i);
            }
            open_one(repair, i, indent);
        } else if (token->kind == BL_TK_RBRACE) {
            close_brace(repair, i, column);
        } else if (closes(token->kind)) {
            close_round(repair, i);
        }
    }
    while (top(repair) != NULL && !repair->parser->arena->failed) {
        close_top(repair, to);
    }
}

/* ---- the file --------------------------------------------------------------------------- */

/* Is this the first token of a line in column 0 that begins a declaration? */
static bool begins_region(const struct repair *repair, size_t index)
{
    const struct bl_token *token = &repair->parser->tokens.items[index];
    bl_str text = repair->parser->text;

    return token->kind == BL_TK_NAME && (token->flags & BL_TOKEN_FIRST) != 0 &&
           (token->lo == 0 || text.ptr[token->lo - 1] == '\n') &&
           bl_declaration_begins(text, token->lo);
}

/* Stable, so those of one place close the innermost bracket first. */
static int compare_insertions(const void *a, const void *b, const void *context)
{
    const struct insertion *x = a, *y = b;

    (void)context;
    return (x->before > y->before) - (x->before < y->before);
}

/* The tokens with what was inserted and without what was dropped. */
static void rebuild(struct repair *repair)
{
    struct bl_parser *parser = repair->parser;
    struct bl_tokens old = parser->tokens;
    size_t count = repair->insertions.count;
    struct bl_token *items = BL_NEW_ARRAY(parser->arena, old.count + count, struct bl_token);
    size_t next = 0;
    size_t kept = 0;
    bool suspect = false;

    if (items == NULL || !bl_sort(parser->arena, repair->insertions.items, count,
                                  sizeof(struct insertion), compare_insertions, NULL)) {
        return;
    }
    for (size_t i = 0; i <= old.count; i++) {
        while (next < count && repair->insertions.items[next].before == i) {
            uint32_t place = i > 0 ? old.items[i - 1].hi : 0;
            items[kept++] = (struct bl_token){
                .kind = (uint16_t)repair->insertions.items[next++].kind,
                .flags = BL_TOKEN_INSERTED | BL_TOKEN_SUSPECT,
                .lo = place,
                .hi = place,
            };
        }
        if (i < old.count && !repair->dropped[i]) {
            items[kept] = old.items[i];
            items[kept++].flags |= suspect ? BL_TOKEN_SUSPECT : 0;
        }
        suspect = i < old.count && repair->dropped[i];
    }
    parser->tokens = (struct bl_tokens){items, kept, old.count + count};
}

/* Both braces of the region's block are missing: they are put in, and a colon goes that stands
 * for the first. */
static bool add_block(struct repair *repair, size_t from, size_t to)
{
    size_t opening, closing;

    if (!bl_block_missing(repair->parser, from, to, &opening, &closing)) {
        return false;
    }
    if (kind_at(repair, opening) == BL_TK_COLON) {
        repair->dropped[opening] = true;
        for (size_t i = opening + 1; i < closing; i++) {
            repair->dropped[i] = bl_block_colon(repair->parser, i);
        }
    }
    insert(repair, opening, BL_TK_LBRACE);
    insert(repair, closing, BL_TK_RBRACE);
    return true;
}

void bl_brackets_repair(struct bl_parser *parser)
{
    struct repair repair = {.parser = parser};
    size_t count = parser->tokens.count;
    bool whole = is_whole(&repair, 0, count);

    repair.dropped = BL_NEW_ARRAY(parser->arena, count + 1, bool);
    for (size_t from = 0, to; from < count && !parser->arena->failed; from = to) {
        to = from + 1;
        while (to < count && !begins_region(&repair, to)) {
            to++;
        }
        if (kind_at(&repair, from) == BL_TK_NAME && add_block(&repair, from, to)) {
            continue;
        }
        if (!whole && !is_whole(&repair, from, to)) {
            repair_region(&repair, from, to);
        }
    }
    if (!parser->arena->failed && (!whole || repair.insertions.count > 0)) {
        rebuild(&repair);
    }
}
