/* SPDX-License-Identifier: Apache-2.0 */
#include "syntax/parser.h"
#include "syntax/policy_parser.h"

/* What a kind of token does to the lines around it. */

bool bl_kind_is_literal(int kind)
{
    switch (kind) {
    case BL_TK_STRING:
    case BL_TK_TEXT_OPEN:
    case BL_TK_NUMBER:
    case BL_TK_DURATION:
    case BL_TK_PERCENT:
    case BL_TK_MONEY:
    case BL_TK_DATE:
    case BL_TK_TIME:
    case BL_TK_PATTERN:
        return true;
    }
    return false;
}

enum bl_operator bl_kind_relation(int kind)
{
    switch (kind) {
    case BL_TK_IN:
        return BL_OPERATOR_IN;
    case BL_TK_HAS:
        return BL_OPERATOR_HAS;
    case BL_TK_LACKS:
        return BL_OPERATOR_LACKS;
    case BL_TK_CONTAINS:
        return BL_OPERATOR_CONTAINS;
    case BL_TK_STARTS_WITH:
        return BL_OPERATOR_STARTS_WITH;
    case BL_TK_ENDS_WITH:
        return BL_OPERATOR_ENDS_WITH;
    case BL_TK_MATCHES:
        return BL_OPERATOR_MATCHES;
    }
    return BL_OPERATOR_NONE;
}

bool bl_kind_joins(int kind)
{
    switch (kind) {
    case BL_TK_AND:
    case BL_TK_OR:
    case BL_TK_IS:
    case BL_TK_WHERE:
    case BL_TK_GIVING:
    case BL_TK_THEN:
    case BL_TK_ELSE:
    case BL_TK_EQ:
    case BL_TK_NE:
    case BL_TK_LT:
    case BL_TK_LE:
    case BL_TK_GT:
    case BL_TK_GE:
    case BL_TK_PLUS:
    case BL_TK_MINUS:
    case BL_TK_TIMES:
    case BL_TK_ASSIGN:
    case BL_TK_ARROW:
    case BL_TK_COMMA:
    case BL_TK_COLON:
    case BL_TK_DOT:
    case BL_TK_OPTIONAL_DOT:
        return true;
    }
    return bl_kind_relation(kind) != BL_OPERATOR_NONE;
}

bool bl_kind_needs_more(int kind)
{
    return bl_kind_joins(kind) || kind == BL_TK_NOT || kind == BL_TK_IF ||
           kind == BL_TK_QUESTION || kind == BL_TK_NEGATED || kind == BL_TK_NEGATIVE ||
           kind == BL_TK_ELSE_IF;
}

bool bl_token_continues(int before, int kind)
{
    return bl_kind_is_literal(kind) || bl_kind_joins(kind) || kind == BL_TK_LBRACE ||
           bl_kind_needs_more(before);
}
