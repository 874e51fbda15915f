/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/checker.h"

/* What a body asks of its run besides its arguments. Defines and comments gather; rules, steps
 * and tests are where it is held against what their events bring. */

_Static_assert(BL_EVENT_COUNT <= 64, "sets of events have 64 bits");

/* What every run has; the rest comes with events, tests, documents or commands. */
#define ALWAYS                                                                                 \
    (BL_AMBIENT_BIT(BL_AMBIENT_EVENT) | BL_AMBIENT_BIT(BL_AMBIENT_REPOSITORY) |                \
     BL_AMBIENT_BIT(BL_AMBIENT_NOW) | BL_AMBIENT_BIT(BL_AMBIENT_TODAY) |                       \
     BL_AMBIENT_BIT(BL_AMBIENT_ME) | BL_AMBIENT_BIT(BL_AMBIENT_LOCALES) |                      \
     BL_AMBIENT_BIT(BL_AMBIENT_DECLARED_LABELS) | BL_AMBIENT_BIT(BL_AMBIENT_ACCEPTED) |        \
     BL_AMBIENT_BIT(BL_AMBIENT_LANGUAGE) | BL_AMBIENT_BIT(BL_AMBIENT_NEW_ID))

uint64_t bl_sema_bringers(enum bl_ambient ambient)
{
    uint64_t events = 0;

    if ((ALWAYS & BL_AMBIENT_BIT(ambient)) != 0)
        return BL_ALL_EVENTS;
    for (unsigned i = 0; i < BL_EVENT_COUNT; i++) {
        if ((bl_event_info((enum bl_event_id)i)->ambients & BL_AMBIENT_BIT(ambient)) != 0)
            events |= UINT64_C(1) << i;
    }
    return events;
}

static uint64_t carriers(enum bl_field field)
{
    uint64_t events = 0;

    for (unsigned i = 0; i < BL_EVENT_COUNT; i++) {
        if (bl_event_carries((enum bl_event_id)i, field))
            events |= UINT64_C(1) << i;
    }
    return events;
}

static void add_need(struct bl_checker *c, struct bl_node *use, bool is_field, uint32_t what,
                     uint64_t events)
{
    struct bl_need_list *list = c->body->needs;
    struct bl_need *need;

    if (list == NULL || events == 0)
        return;
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].is_field == is_field && list->items[i].what == what) {
            list->items[i].events |= events;
            return;
        }
    }
    need = BL_PUSH(c->arena, *list);
    if (need != NULL)
        *need = (struct bl_need){is_field, what, events, use};
}

static void need_ambient(struct bl_checker *c, struct bl_node *use, enum bl_ambient ambient,
                         uint64_t events)
{
    struct bl_symbol *local = c->body->rebound[ambient];

    if (c->body->ambients_given || (c->body->brings & BL_AMBIENT_BIT(ambient)) != 0)
        return;
    if (local != NULL) {
        local->used = true;
        local->as.local->ambient_used = true;
        return;
    }
    if ((ALWAYS & BL_AMBIENT_BIT(ambient)) == 0)
        add_need(c, use, false, ambient, events);
}

void bl_sema_need_ambient(struct bl_checker *c, struct bl_node *use, enum bl_ambient ambient)
{
    need_ambient(c, use, ambient, c->body->events);
}

void bl_sema_need_account(struct bl_checker *c, struct bl_span use, bl_str name)
{
    const struct bl_package *product = c->program->product;

    if (c->options->for_running && (product == NULL || product->account.len == 0))
        bl_sema_arg(c, bl_sema_error(c, BL_D_NO_ACCOUNT, use), "name", name);
}

void bl_sema_need_field(struct bl_checker *c, struct bl_node *use, enum bl_field field)
{
    if (!c->body->ambients_given && carriers(field) != BL_ALL_EVENTS)
        add_need(c, use, true, field, c->body->events);
}

void bl_sema_need_all(struct bl_checker *c, struct bl_node *use,
                      const struct bl_need_list *needs)
{
    for (size_t i = 0; i < needs->count; i++) {
        const struct bl_need *need = &needs->items[i];
        uint64_t events = need->events & c->body->events;

        if (!need->is_field)
            need_ambient(c, use, (enum bl_ambient)need->what, events);
        else if (!c->body->ambients_given)
            add_need(c, use, true, need->what, events);
    }
}

/* ---- events
 * ----------------------------------------------------------------------------------------- */

bl_str bl_sema_event_name(struct bl_checker *c, unsigned event)
{
    const struct bl_event_info *info = bl_event_info((enum bl_event_id)event);

    if (info->action.len == 0)
        return info->event;
    return bl_sema_text(c, "%.*s.%.*s", BL_STR_ARG(info->event), BL_STR_ARG(info->action));
}

bl_str bl_sema_path_text(struct bl_checker *c, const struct bl_node *path)
{
    if (path->kind == BL_NODE_FIELD && path->kid_count > 0)
        return bl_sema_text(c, "%.*s.%.*s", BL_STR_ARG(bl_sema_path_text(c, path->kids[0])),
                            BL_STR_ARG(path->text));
    return path->kind == BL_NODE_NAME ? path->text : bl_sema_source(c, path->span);
}

static void suggest_event(struct bl_checker *c, struct bl_diagnostic *d, bl_str name,
                          struct bl_span span)
{
    struct bl_likeness like = bl_likeness_begin(name);

    for (unsigned i = 0; i < BL_EVENT_COUNT; i++)
        bl_likeness_consider(&like, bl_sema_event_name(c, i));
    bl_likeness_help(c, &like, d, span);
}

unsigned bl_sema_read_event(struct bl_checker *c, struct bl_node *path)
{
    bl_str name, action = {NULL, 0};
    enum bl_event_id event;
    enum bl_event_family family;
    struct bl_diagnostic *d;
    size_t dot;

    if (path->kind == BL_NODE_BROKEN)
        return BL_EVENT_COUNT;
    name = bl_sema_path_text(c, path);
    event = bl_event_find_spelling(name);
    if (event != BL_EVENT_COUNT)
        return event;
    dot = bl_str_find_char(name, '.');
    family = bl_family_find(bl_str_slice(name, 0, dot));
    if (dot != SIZE_MAX)
        action = bl_str_slice(name, dot + 1, name.len);
    if (family == BL_FAMILY_COUNT) {
        d = bl_sema_error(c, BL_D_UNKNOWN_EVENT, path->span);
        bl_sema_arg(c, d, "name", name);
        suggest_event(c, d, name, path->span);
    } else if (action.len == 0) {
        d = bl_sema_error(c, BL_D_EVENT_WITHOUT_ACTION, path->span);
        bl_sema_arg(c, d, "name", name);
        for (unsigned i = 0; i < BL_EVENT_COUNT; i++) {
            if (bl_event_info((enum bl_event_id)i)->family == family) {
                bl_sema_help(c, d, "Say which, such as '%.*s'.",
                             BL_STR_ARG(bl_sema_event_name(c, i)));
                break;
            }
        }
    } else if (bl_event_action_exists(family, action)) {
        d = bl_sema_error(c, BL_D_EVENT_NOT_HANDLED, path->span);
        bl_sema_arg(c, d, "name", name);
    } else {
        d = bl_sema_error(c, BL_D_UNKNOWN_EVENT, path->span);
        bl_sema_arg(c, d, "name", name);
        suggest_event(c, d, name, path->span);
    }
    return BL_EVENT_COUNT;
}

/* ---- settling
 * ---------------------------------------------------------------------------------------- */

static unsigned lowest(uint64_t events)
{
    unsigned i = 0;

    while (i < BL_EVENT_COUNT && (events >> i & 1) == 0)
        i++;
    return i;
}

static void report_need(struct bl_checker *c, const struct bl_need *need, uint64_t bad)
{
    bl_str event = bl_sema_event_name(c, lowest(bad));
    struct bl_diagnostic *d;

    if (need->is_field) {
        d = bl_sema_error(c, BL_D_EVENT_LACKS_FIELD, need->use->span);
        bl_sema_arg(c, d, "name", bl_field_info((enum bl_field)need->what)->name);
    } else {
        d = bl_sema_error(c, BL_D_EVENT_LACKS_THING, need->use->span);
        bl_sema_arg(c, d, "name", bl_ambient_info((enum bl_ambient)need->what)->name);
    }
    bl_sema_arg(c, d, "event", event);
    if (need->use->symbol != NULL && need->use->symbol->kind != BL_SYMBOL_LOCAL)
        bl_diagnostic_label(
            c->sink, d, need->use->symbol->span,
            bl_sema_text(c, "'%.*s' asks for it.", BL_STR_ARG(need->use->symbol->name)));
}

void bl_sema_settle_needs(struct bl_checker *c, const struct bl_need_list *needs,
                          uint64_t events, bool in_test)
{
    for (size_t i = 0; i < needs->count; i++) {
        const struct bl_need *need = &needs->items[i];
        uint64_t there;

        if (need->is_field)
            there = carriers((enum bl_field)need->what);
        else
            there = bl_sema_bringers((enum bl_ambient)need->what);
        if (in_test) {
            bool given = !need->is_field &&
                         (need->what == BL_AMBIENT_TASK || need->what == BL_AMBIENT_NOTICES ||
                          need->what == BL_AMBIENT_SUMMARY || need->what == BL_AMBIENT_FILES ||
                          need->what == BL_AMBIENT_JOBS);
            struct bl_diagnostic *d;

            if (given)
                continue;
            d = bl_sema_error(c, BL_D_NOT_IN_A_TEST, need->use->span);
            bl_sema_arg(c, d, "name",
                        need->is_field ? bl_field_info((enum bl_field)need->what)->name
                                       : bl_ambient_info((enum bl_ambient)need->what)->name);
        } else if ((need->events & events & ~there) != 0) {
            report_need(c, need, need->events & events & ~there);
        }
    }
}
