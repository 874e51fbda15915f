/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/rows.h"
#include "spec/tables.h"

/* The columns of events.def. */
#define A(ambient) BL_AMBIENT_BIT(BL_AMBIENT_##ambient)
#define F(family)  (1u << BL_FAMILY_##family)

_Static_assert(BL_FAMILY_COUNT <= 32, "sets of families are 32 bits");
/* The sets are enumerators below, which are int. */
_Static_assert(BL_AMBIENT_COUNT < 32, "a set of ambient names fits an enumerator");

enum family_ambients {
#define BL_EVENT_FAMILY(id, name, ambients, level) AMBIENTS_##id = (int)(ambients),
#define BL_EVENT(id, event, action, family)
#define BL_EVENT_ACTION(family, action)
#define BL_EVENT_CARRIES(field, families)
#include "spec/events.def"
#undef BL_EVENT_FAMILY
#undef BL_EVENT
};

enum family_levels {
#define BL_EVENT_FAMILY(id, name, ambients, level) LEVEL_##id = (int)BL_LEVEL_##level,
#define BL_EVENT(id, event, action, family)
#include "spec/events.def"
#undef BL_EVENT_FAMILY
#undef BL_EVENT
};

static const bl_str families[] = {
#define BL_EVENT_FAMILY(id, name, ambients, level) [BL_FAMILY_##id] = BL_ROW_STR(name),
#define BL_EVENT(id, event, action, family)
#include "spec/events.def"
#undef BL_EVENT_FAMILY
#undef BL_EVENT
};
BL_ROWS_COMPLETE(families, BL_FAMILY_COUNT);

static const struct bl_event_info events[] = {
#define BL_EVENT_FAMILY(id, name, ambients, level)
#define BL_EVENT(id, event, action, family)                                                    \
    [BL_EVENT_##id] = {BL_ROW_STR(event), BL_ROW_STR(action), BL_FAMILY_##family,              \
                       (uint32_t)AMBIENTS_##family, (enum bl_level)LEVEL_##family},
#include "spec/events.def"
#undef BL_EVENT_ACTION
};
BL_ROWS_COMPLETE(events, BL_EVENT_COUNT);

#undef BL_EVENT
#define BL_EVENT(id, event, action, family)

/* Actions that GitHub sends beside those of the rows above. */
static const struct {
    enum bl_event_family family;
    bl_str action;
} further_actions[] = {
#define BL_EVENT_ACTION(family, action) {BL_FAMILY_##family, BL_ROW_STR(action)},
#include "spec/events.def"
#undef BL_EVENT_ACTION
#undef BL_EVENT_CARRIES
};

/* By position among the fields of EVENT; 0: every event carries it. */
static const uint32_t carried_by[BL_FIELDS_MAX] = {
#define BL_EVENT_ACTION(family, action)
#define BL_EVENT_CARRIES(field, families) [BL_SLOT_EVENT_##field] = (families),
#include "spec/events.def"
#undef BL_EVENT_FAMILY
#undef BL_EVENT
#undef BL_EVENT_ACTION
#undef BL_EVENT_CARRIES
};

const struct bl_event_info *bl_event_info(enum bl_event_id event)
{
    return BL_ROW_AT(events, event, BL_EVENT_COUNT);
}

enum bl_event_id bl_event_find(bl_str event, bl_str action)
{
    for (unsigned i = 0; i < BL_EVENT_COUNT; i++) {
        if (bl_row_is(events[i].event, event) && bl_row_is(events[i].action, action))
            return (enum bl_event_id)i;
    }
    return BL_EVENT_COUNT;
}

enum bl_event_id bl_event_find_spelling(bl_str spelling)
{
    size_t dot = bl_str_find_char(spelling, '.');
    bl_str action = {NULL, 0};

    if (dot != SIZE_MAX) {
        action = bl_str_slice(spelling, dot + 1, spelling.len);
        if (action.len == 0)
            return BL_EVENT_COUNT;
    }
    return bl_event_find(bl_str_slice(spelling, 0, dot), action);
}

enum bl_event_family bl_family_find(bl_str event)
{
    for (unsigned i = 0; i < BL_FAMILY_COUNT; i++) {
        if (bl_row_is(families[i], event))
            return (enum bl_event_family)i;
    }
    return BL_FAMILY_COUNT;
}

bl_str bl_family_name(enum bl_event_family family)
{
    return (unsigned)family < BL_FAMILY_COUNT ? families[family] : (bl_str){NULL, 0};
}

bool bl_event_action_exists(enum bl_event_family family, bl_str action)
{
    for (unsigned i = 0; i < BL_EVENT_COUNT; i++) {
        if (events[i].family == family && bl_row_is(events[i].action, action))
            return true;
    }
    for (size_t i = 0; i < sizeof further_actions / sizeof further_actions[0]; i++) {
        if (further_actions[i].family == family && bl_row_is(further_actions[i].action, action))
            return true;
    }
    return false;
}

bool bl_event_carries(enum bl_event_id event, enum bl_field field)
{
    const struct bl_field_info *info = bl_field_info(field);

    if ((unsigned)event >= BL_EVENT_COUNT || info == NULL || info->entity != BL_ENTITY_EVENT)
        return false;
    uint32_t only = carried_by[bl_field_slot(field)];
    return only == 0 || (only & (1u << (unsigned)events[event].family)) != 0;
}
