/* SPDX-License-Identifier: Apache-2.0 */
#include "syntax/ast.h"

static const bl_str kind_names[] = {
#define BL_NODE(id, name, children) [BL_NODE_##id] = {name, sizeof(name) - 1},
#include "syntax/ast.def"
#undef BL_NODE
};

bl_str bl_node_kind_name(enum bl_node_kind kind)
{
    return (unsigned)kind < BL_NODE_KIND_COUNT ? kind_names[kind] : BL_STR("");
}

bl_str bl_operator_spelling(enum bl_operator op)
{
    switch (op) {
    case BL_OPERATOR_NONE:
        break;
    case BL_OPERATOR_EQ:
        return BL_STR("==");
    case BL_OPERATOR_NE:
        return BL_STR("!=");
    case BL_OPERATOR_LT:
        return BL_STR("<");
    case BL_OPERATOR_LE:
        return BL_STR("<=");
    case BL_OPERATOR_GT:
        return BL_STR(">");
    case BL_OPERATOR_GE:
        return BL_STR(">=");
    case BL_OPERATOR_IN:
        return BL_STR("in");
    case BL_OPERATOR_HAS:
        return BL_STR("has");
    case BL_OPERATOR_LACKS:
        return BL_STR("lacks");
    case BL_OPERATOR_CONTAINS:
        return BL_STR("contains");
    case BL_OPERATOR_STARTS_WITH:
        return BL_STR("starts_with");
    case BL_OPERATOR_ENDS_WITH:
        return BL_STR("ends_with");
    case BL_OPERATOR_MATCHES:
        return BL_STR("matches");
    case BL_OPERATOR_ADD:
        return BL_STR("+");
    case BL_OPERATOR_SUB:
        return BL_STR("-");
    case BL_OPERATOR_MUL:
        return BL_STR("*");
    }
    return BL_STR("");
}

/* In quotes, on one line. */
static void put_quoted(struct bl_buf *out, bl_str text)
{
    bl_buf_put_char(out, '"');
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (c == '\n') {
            BL_PUT(out, "\\n");
        } else if (c == '"' || c == '\\') {
            bl_buf_put_char(out, '\\');
            bl_buf_put_char(out, c);
        } else if ((unsigned char)c < 0x20) {
            bl_buf_printf(out, "\\x%02X", (unsigned)(unsigned char)c);
        } else {
            bl_buf_put_char(out, c);
        }
    }
    bl_buf_put_char(out, '"');
}

static bool has_number(enum bl_node_kind kind)
{
    return kind == BL_NODE_INT || kind == BL_NODE_DURATION || kind == BL_NODE_PERCENT ||
           kind == BL_NODE_MONEY || kind == BL_NODE_DATE || kind == BL_NODE_TIME;
}

static void dump(const struct bl_node *node, unsigned depth, struct bl_buf *out)
{
    for (unsigned i = 0; i < depth; i++) {
        BL_PUT(out, "  ");
    }
    if (node == NULL) {
        BL_PUT(out, "-\n");
        return;
    }
    bl_buf_put(out, bl_node_kind_name(node->kind));
    if (node->op != BL_OPERATOR_NONE) {
        bl_buf_put_char(out, ' ');
        bl_buf_put(out, bl_operator_spelling(node->op));
    }
    if (node->text.len > 0 && node->kind != BL_NODE_STRING) {
        bl_buf_put_char(out, ' ');
        put_quoted(out, node->text);
    }
    if (node->flags.len > 0) {
        bl_buf_printf(out, " flags %.*s", BL_STR_ARG(node->flags));
    }
    if (has_number(node->kind)) {
        bl_buf_put_char(out, ' ');
        bl_buf_put_int(out, node->number);
    }
    if (node->parenthesised) {
        BL_PUT(out, " in parentheses");
    }
    bl_buf_printf(out, " %u-%u\n", node->span.lo, node->span.hi);
    for (uint32_t i = 0; i < node->kid_count; i++) {
        dump(node->kids[i], depth + 1, out);
    }
}

void bl_ast_dump(const struct bl_node *node, struct bl_buf *out)
{
    dump(node, 0, out);
}
