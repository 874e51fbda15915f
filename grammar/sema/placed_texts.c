/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/checker.h"

/* Texts and the places that they are made for. */

/* Things that will render themselves and cannot yet. */
static bool renders_later(bl_type type, enum bl_place place)
{
    static const enum bl_entity entities[] = {BL_ENTITY_NUMBERED, BL_ENTITY_REPOSITORY,
                                              BL_ENTITY_DISCUSSION, BL_ENTITY_COMMIT};
    bl_type base = bl_type_base(type);

    if (place == BL_PLACE_COUNT)
        return false;
    if (bl_type_is_list(base))
        base = bl_type_element(base);
    if (bl_type_is_list(base))
        return false;
    if (bl_type_kind(base) == BL_TYPE_POSTED)
        return true;
    for (size_t i = 0; i < sizeof entities / sizeof entities[0]; i++) {
        if (base == BL_TYPE_MAKE(BL_TYPE_ENTITY, entities[i]))
            return true;
    }
    /* What is absent is left out of summaries and prompts, with words of the place. */
    return bl_type_is_optional(type) &&
           (place == BL_PLACE_SUMMARY || place == BL_PLACE_PROMPT) &&
           !bl_is_error(bl_render_type(bl_type_base(type), place));
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
    if (renders_later(type, place)) {
        bl_sema_later(
            c, node->span,
            bl_sema_text(c, "%.*s in a text", BL_STR_ARG(bl_sema_type_text(c, type))));
        return BL_TYPE_MAKE(BL_TYPE_CLEAN, 1u << place);
    }
    if (bl_sema_is_absent_here(c, node, type))
        return BL_TYPE_ERROR;
    shown = bl_render_type(type, place == BL_PLACE_COUNT ? BL_PLACE_LOG : place);
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
