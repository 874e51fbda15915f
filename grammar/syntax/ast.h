/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_SYNTAX_AST_H
#define BL_SYNTAX_AST_H

#include "base/buf.h"
#include "base/diagnostic.h"
#include "spec/types.h"

enum bl_node_kind {
#define BL_NODE(id, name, children) BL_NODE_##id,
#include "syntax/ast.def"
#undef BL_NODE
    BL_NODE_KIND_COUNT
};

enum bl_operator {
    BL_OPERATOR_NONE,
    BL_OPERATOR_EQ,
    BL_OPERATOR_NE,
    BL_OPERATOR_LT,
    BL_OPERATOR_LE,
    BL_OPERATOR_GT,
    BL_OPERATOR_GE,
    BL_OPERATOR_IN,
    BL_OPERATOR_HAS,
    BL_OPERATOR_LACKS,
    BL_OPERATOR_CONTAINS,
    BL_OPERATOR_STARTS_WITH,
    BL_OPERATOR_ENDS_WITH,
    BL_OPERATOR_MATCHES,
    BL_OPERATOR_ADD,
    BL_OPERATOR_SUB,
    BL_OPERATOR_MUL,
};

struct bl_symbol; /* sema/program.h */

/* A node of the clause tree. The parser fills the first part and never looks at anything but
 * the text; sema fills the second for expressions. */
struct bl_node {
    enum bl_node_kind kind;
    enum bl_operator op; /* COMPARE, ARITHMETIC */
    bool parenthesised;  /* ( … ) stood around it; the span is without them */
    uint16_t height;     /* 1 + the greatest of the children's, at most limits.def nesting, so
                            passes may recurse; FILE may be one more */
    uint32_t kid_count;
    struct bl_node **kids;
    struct bl_span span;      /* the whole construct */
    struct bl_span name_span; /* of the word in `text`: field, callee, loop variable */
    bl_str text;    /* NAME; FIELD: the field; CALL: the callee; quantifiers and EACH: the
                       variable; STRING_PART: the words with escapes resolved; STRING: the
                       same, of one without placeholders; PATTERN: between the slashes;
                       BOOL: true or false; count(…), first(…), last(…) are CALL */
    bl_str flags;   /* PATTERN */
    int64_t number; /* INT; DURATION seconds; PERCENT hundredths; MONEY 1/10000 $; DATE days;
                       TIME seconds; BOOL 0 or 1 */

    /* ---- sema -------------------------------------------------------------------------------
     */
    bl_type type;             /* after narrowing by guards */
    bl_type declared;         /* before: differs where a guard narrowed it */
    unsigned resolution;      /* enum bl_resolution of sema/program.h */
    struct bl_symbol *symbol; /* what a NAME or CALL means */
    uint32_t index;           /* field, builtin, event, enum member …, by resolution */
    bl_str included;          /* CALL of lines_of: the text of the file */
};

struct bl_comment {
    struct bl_span span; /* from # to the end of the line */
    bool is_doc;         /* ## */
    bool own_line;       /* nothing but blanks before it */
};

struct bl_ast {
    uint32_t source;
    struct bl_node *file; /* never NULL after a parse that had memory */
    BL_VEC(struct bl_comment) comments;
};

/* A copy of what the parser made of a tree, without what sema found: for declarations whose
 * bodies have another meaning in another place. NULL when out of memory. Linear; as deep as the
 * tree. */
struct bl_node *bl_node_copy(struct bl_arena *arena, const struct bl_node *node);

/* Names for dumps: of ast.def, and as the operator is written. */
bl_str bl_node_kind_name(enum bl_node_kind kind);
bl_str bl_operator_spelling(enum bl_operator op);

/* Parses source number `source`. Diagnostics go to the sink, all of them; the tree holds
 * everything that was understood, with BROKEN nodes where it was not. Placeholders in texts are
 * parsed with the same grammar and stand as expressions between the STRING_PARTs. BL_ERR_NOMEM
 * when the arena failed; BL_ERR_INVALID when there were errors (the tree is still there). */
BL_NODISCARD enum bl_status bl_parse(struct bl_arena *arena, struct bl_sources *sources,
                                     uint32_t source, struct bl_diagnostics *sink,
                                     struct bl_ast *out);

/* The tree as text, one node a line, indented: `policyc --emit=ast` before typing, and goldens.
 */
void bl_ast_dump(const struct bl_node *node, struct bl_buf *out);

#endif
