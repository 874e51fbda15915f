/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/checker.h"

/* Texts and the places that they are made for. */

/* What is absent has words of its own where a list of facts goes on without it. */
static bool names_absence(enum bl_place place)
{
    return place == BL_PLACE_SUMMARY || place == BL_PLACE_PROMPT;
}

bl_type bl_shown_type(bl_type type, enum bl_place place)
{
    if (bl_type_is_optional(type) && names_absence(place))
        return bl_text_join(bl_render_type(bl_type_base(type), place), BL_TYPE_TEXT);
    return bl_render_type(type, place);
}

static bl_type not_rendered(struct bl_checker *c, struct bl_node *node, bl_type type,
                            enum bl_place place)
{
    struct bl_diagnostic *d;

    if (bl_type_is(type, BL_TYPE_UNTRUSTED) ||
        (bl_type_is_list(type) && bl_type_kind(type) == BL_TYPE_UNTRUSTED)) {
        bl_sema_flow_error(c, node, place);
        return BL_TYPE_ERROR;
    }
    if (bl_type_kind(type) == BL_TYPE_SECRET) {
        bl_sema_error(c, BL_D_SECRET_IN_TEXT, node->span);
        return BL_TYPE_ERROR;
    }
    if (place == BL_PLACE_COUNT && !bl_is_error(bl_render_type(type, BL_PLACE_LOG))) {
        d = bl_sema_error(c, BL_D_TEXT_WITHOUT_PLACE, node->span);
        bl_sema_arg_type(c, d, "type", type);
        return BL_TYPE_ERROR;
    }
    d = bl_sema_error(c, BL_D_NOT_SHOWN, node->span);
    bl_sema_arg_type(c, d, "type", type);
    if (bl_type_is(type, BL_TYPE_CLEAN) && place != BL_PLACE_COUNT)
        bl_sema_help(c, d, "It is cleaned for another place; this one is '%.*s'.",
                     BL_STR_ARG(bl_place_name(place)));
    else if (bl_type_is(type, BL_TYPE_RECORD) || bl_type_is(type, BL_TYPE_ENTITY))
        bl_sema_help(c, d, "Name one of its fields.");
    return BL_TYPE_ERROR;
}

bl_type bl_sema_render(struct bl_checker *c, struct bl_node *node, bl_type type,
                       enum bl_place place)
{
    bl_type shown;

    if (bl_is_error(type))
        return type;
    if (!names_absence(place) && bl_sema_is_absent_here(c, node, type))
        return BL_TYPE_ERROR;
    shown = bl_shown_type(type, place == BL_PLACE_COUNT ? BL_PLACE_LOG : place);
    if (bl_is_error(shown) || (place == BL_PLACE_COUNT && shown != BL_TYPE_TEXT))
        return not_rendered(c, node, type, place);
    return shown;
}

bl_type bl_sema_string(struct bl_checker *c, struct bl_node *node)
{
    enum bl_place place = c->body != NULL ? c->body->place : BL_PLACE_COUNT;
    bl_type type = BL_TYPE_TEXT;
    bool broken = false;

    for (uint32_t i = 0; i < node->kid_count; i++) {
        struct bl_node *kid = node->kids[i];
        bl_type shown;

        if (kid->kind == BL_NODE_STRING_PART)
            continue;
        shown = bl_sema_render(c, kid, bl_sema_type(c, kid, BL_NO_TYPE), place);
        node->resolution = BL_RESOLVED_TEXT;
        broken |= bl_is_error(shown);
        if (!broken)
            type = bl_text_join(type, shown);
    }
    node->index = place;
    return broken ? (bl_type)BL_TYPE_ERROR : type;
}

bl_type bl_sema_put(struct bl_checker *c, struct bl_node *node, enum bl_place place)
{
    enum bl_place before = c->body->place;
    bl_type type;

    c->body->place = place;
    type = bl_sema_type(c, node, BL_NO_TYPE);
    c->body->place = before;
    return bl_sema_render(c, node, type, place);
}

bl_str bl_sema_plain_text(struct bl_checker *c, struct bl_node *node)
{
    if (node == NULL)
        return (bl_str){NULL, 0};
    node->type = node->declared = BL_TYPE_TEXT;
    for (uint32_t i = 0; i < node->kid_count; i++) {
        if (node->kids[i]->kind != BL_NODE_STRING_PART) {
            if (node->kids[i]->kind != BL_NODE_BROKEN)
                bl_sema_error(c, BL_D_TEXT_NOT_PLAIN, node->kids[i]->span);
            return (bl_str){NULL, 0};
        }
    }
    /* The parser gives plain words as one part. */
    return node->kid_count > 0 ? node->kids[0]->text : BL_STR("");
}
