/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/tables.h"
#include "specdump.h"

#include <stdio.h>

void specdump_numbers(void)
{
#define BL_TYPE(id, spelling, flags, doc) printf("type %d %s\n", (int)BL_TYPE_##id, #id);
#include "spec/types.def"
#undef BL_TYPE
#define BL_PLACE(id, name, doc) printf("place %d %s\n", (int)BL_PLACE_##id, name);
#include "spec/places.def"
#undef BL_PLACE
#define BL_ENUM(id, name) printf("enum %d %s\n", (int)BL_ENUM_##id, name);
#define BL_MEMBER(list, id, spelling)
#include "spec/enums.def"
#undef BL_ENUM
#undef BL_MEMBER
#define BL_ENUM(id, name)
#define BL_MEMBER(list, id, spelling)                                                          \
    printf("member %d %s.%s\n", (int)BL_##list##_##id, #list, #id);
#include "spec/enums.def"
#undef BL_ENUM
#undef BL_MEMBER
#define BL_ENTITY(id, name, kind) printf("entity %d %s\n", (int)BL_ENTITY_##id, name);
#define BL_FIELD(entity, id, name, type, read, level, doc)
#include "spec/entities.def"
#undef BL_ENTITY
#undef BL_FIELD
#define BL_ENTITY(id, name, kind)
#define BL_FIELD(entity, id, name, type, read, level, doc)                                     \
    printf("field %d %s.%s\n", (int)BL_FIELD_##entity##_##id, #entity, #id);
#include "spec/entities.def"
#undef BL_ENTITY
#undef BL_FIELD
#define BL_AMBIENT(id, name, type, doc) printf("ambient %d %s\n", (int)BL_AMBIENT_##id, name);
#include "spec/ambients.def"
#undef BL_AMBIENT
#define BL_EVENT_FAMILY(id, name, ambients, level)
#define BL_EVENT(id, event, action, family) printf("event %d %s\n", (int)BL_EVENT_##id, #id);
#define BL_EVENT_ACTION(family, action)
#define BL_EVENT_CARRIES(field, families)
#include "spec/events.def"
#undef BL_EVENT_FAMILY
#undef BL_EVENT
#undef BL_EVENT_ACTION
#undef BL_EVENT_CARRIES
#define BL_EFFECT(id, words, order, permission, proof, args, doc)                              \
    printf("effect %d %s\n", (int)BL_EFFECT_##id, #id);
#include "spec/effects.def"
#undef BL_EFFECT
#define BL_STEP(id, words, phase, args, doc) printf("step %d %s\n", (int)BL_STEP_##id, #id);
#include "spec/steps.def"
#undef BL_STEP
#define BL_PERMISSION(id, key, level)                                                          \
    printf("permission %d %s\n", (int)BL_PERMISSION_##id, #id);
#include "spec/permissions.def"
#undef BL_PERMISSION
#define BL_BUILTIN(id, name, params, result, read, cost, doc)                                  \
    printf("builtin %d %s\n", (int)BL_BUILTIN_##id, name);
#include "spec/builtins.def"
#undef BL_BUILTIN
#define BL_OP(id, mnemonic, a, b, c, rule, flags, doc)                                         \
    printf("opcode %d %s\n", (int)BL_OP_##id, mnemonic);
#include "spec/opcodes.def"
#undef BL_OP
#define BL_DIAGNOSTIC(id, number, lint, severity, message, help, more)                         \
    printf("diagnostic %d %s\n", (int)BL_D_##id, #id);
#include "spec/diagnostics.def"
#undef BL_DIAGNOSTIC
}
