/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_SPEC_TABLES_H
#define BL_SPEC_TABLES_H

#include "base/diagnostic.h"
#include "spec/types.h"

/* The tables of runtime/spec as enumerations and as rows to look up. Every *_find compares
 * exact spellings and returns the COUNT of its enumeration when there is none. Infos are
 * static. Numbers may come from a module: an info function gives NULL for a number without row,
 * a name function the empty slice. */

/* ---- enumerations of GitHub -------------------------------------------------------------- */

enum bl_enum {
#define BL_ENUM(id, name) BL_ENUM_##id,
#define BL_MEMBER(list, id, spelling)
#include "spec/enums.def"
#undef BL_ENUM
#undef BL_MEMBER
    BL_ENUM_OWN_COUNT,
    /* The first number of the enumerations that a policy declares. Types in modules hold such
     * numbers, so it leaves room for rows that come later; those between have no members. */
    BL_ENUM_COUNT = 64
};

/* BL_ISSUE_STATE_OPEN …: the member's index within its enumeration. The rows of one enumeration
 * stand together; the dense numbers only serve to count them from 0. */
enum bl_member_dense {
#define BL_ENUM(id, name)                                                                      \
    BL_MEMBERS_##id##_FROM, BL_MEMBERS_##id##_BEFORE = BL_MEMBERS_##id##_FROM - 1,
#define BL_MEMBER(list, id, spelling) BL_DENSE_##list##_##id,
#include "spec/enums.def"
#undef BL_ENUM
#undef BL_MEMBER
    BL_MEMBERS_TOTAL
};
enum bl_member {
#define BL_ENUM(id, name)
#define BL_MEMBER(list, id, spelling)                                                          \
    BL_##list##_##id = (int)BL_DENSE_##list##_##id - (int)BL_MEMBERS_##list##_FROM,
#include "spec/enums.def"
#undef BL_ENUM
#undef BL_MEMBER
};

bl_str bl_enum_name(enum bl_enum which);
enum bl_enum bl_enum_find(bl_str name);
unsigned bl_enum_member_count(enum bl_enum which);
bl_str bl_enum_member(enum bl_enum which, unsigned member);
/* bl_enum_member_count(which) when it has no such member. */
unsigned bl_enum_member_find(enum bl_enum which, bl_str spelling);

/* ---- permissions, reads, places ---------------------------------------------------------- */

enum bl_permission {
#define BL_PERMISSION(id, key, level) BL_PERMISSION_##id,
#include "spec/permissions.def"
#undef BL_PERMISSION
    BL_PERMISSION_COUNT
};
#define BL_CAP(permission) (1u << (permission))

struct bl_permission_info {
    bl_str key;
    bl_str level;
};
const struct bl_permission_info *bl_permission_info(enum bl_permission permission);
/* The permission of a key as policies write it ("pull_requests") at a level;
 * BL_PERMISSION_COUNT when GitHub has none, or this table lacks it. */
enum bl_permission bl_permission_named(bl_str word, bl_str level);

/* A step of a job that no rule is; index: what a row of JOB_STEPS names. */
enum bl_job_step_kind {
    BL_JOB_STEP_WRITE,  /* index: of FILES */
    BL_JOB_STEP_ENGINE, /* the engine of the job */
    BL_JOB_STEP_CHECK,  /* index: the entry of a check of one patch or text; path: of a file */
    BL_JOB_STEP_POST,   /* index: an entry that posts */
    BL_JOB_STEP_SECRET, /* no step: the name of a secret that the engine of the job gets */
    BL_JOB_STEP_KINDS
};

enum bl_read {
#define BL_READ(id, name, permission, doc) BL_READ_##id,
#include "spec/reads.def"
#undef BL_READ
    BL_READ_COUNT
};
struct bl_read_info {
    bl_str name;
    enum bl_permission permission;
    bl_str doc;
};
const struct bl_read_info *bl_read_info(enum bl_read read);
enum bl_read bl_read_find(bl_str name);

bl_str bl_place_name(enum bl_place place);
enum bl_place bl_place_find(bl_str name);

/* ---- entities and their fields ----------------------------------------------------------- */

enum bl_entity {
#define BL_ENTITY(id, name, kind) BL_ENTITY_##id,
#define BL_FIELD(entity, id, name, type, read, level, doc)
#include "spec/entities.def"
#undef BL_ENTITY
#undef BL_FIELD
    BL_ENTITY_COUNT
};
/* Outputs that jobs have beside those of the policy: the task that was started, what an engine
 * answered, and the policy's own as one object. */
#define BL_OUTPUT_TASK   "task"
#define BL_OUTPUT_ANSWER "answer"
#define BL_OUTPUT_ALL    "outputs"

#define BL_FIELDS_MAX 32u /* fields of one entity: known fields are a bit set */
/* Position of a field among those of its entity. */
enum bl_field_position {
#define BL_ENTITY(id, name, kind)                          BL_BEFORE_##id = -1,
#define BL_FIELD(entity, id, name, type, read, level, doc) BL_SLOT_##entity##_##id,
#include "spec/entities.def"
#undef BL_ENTITY
#undef BL_FIELD
};
/* Entity and position make the number of a field, so that a field added at the end of its
 * entity renumbers none. Not every number below BL_FIELD_COUNT is a field: bl_field_info gives
 * NULL. */
enum bl_field {
#define BL_ENTITY(id, name, kind)
#define BL_FIELD(entity, id, name, type, read, level, doc)                                     \
    BL_FIELD_##entity##_##id =                                                                 \
        (int)BL_ENTITY_##entity * (int)BL_FIELDS_MAX + (int)BL_SLOT_##entity##_##id,
#include "spec/entities.def"
#undef BL_ENTITY
#undef BL_FIELD
    BL_FIELD_COUNT = (int)BL_ENTITY_COUNT * (int)BL_FIELDS_MAX
};
enum bl_level {
    BL_LEVEL_ANYONE,
    BL_LEVEL_AI,
    BL_LEVEL_MAINTAINER,
    BL_LEVEL_POLICY,
    BL_LEVEL_ACTOR
};

struct bl_entity_info {
    bl_str name;
    bl_type type; /* what a value of it has: an ENTITY type, or the scalar type for `time` and
                     such */
    bool is_object;
    bool renders;         /* an object that shows itself as the place asks, such as a link */
    unsigned first_field; /* enum bl_field; the others follow by one */
    unsigned field_count; /* at most BL_FIELDS_MAX */
};
struct bl_field_info {
    enum bl_entity entity;
    bl_str name;
    bl_type type;
    enum bl_read read;
    enum bl_level level;
    bl_str doc;
};
const struct bl_entity_info *bl_entity_info(enum bl_entity entity);
const struct bl_field_info *bl_field_info(enum bl_field field);
enum bl_entity bl_entity_find(bl_str name);
/* The entity whose fields values of this type have (a posted comment: those of COMMENT);
 * BL_ENTITY_COUNT when it has none, as lists and optional values: take bl_type_base first. */
enum bl_entity bl_entity_of_type(bl_type type);
/* BL_FIELD_COUNT when the entity has none of that name. */
enum bl_field bl_field_find(enum bl_entity entity, bl_str name);
/* Position of a field among those of its entity: its bit in the set of known fields. */
unsigned bl_field_slot(enum bl_field field);

/* ---- ambient names and events ------------------------------------------------------------ */

enum bl_ambient {
#define BL_AMBIENT(id, name, type, doc) BL_AMBIENT_##id,
#include "spec/ambients.def"
#undef BL_AMBIENT
    BL_AMBIENT_COUNT
};
#define BL_AMBIENT_BIT(ambient) (1u << (ambient))
struct bl_ambient_info {
    bl_str name;
    bl_type type;
    bl_str doc;
};
const struct bl_ambient_info *bl_ambient_info(enum bl_ambient ambient);
enum bl_ambient bl_ambient_find(bl_str name);

enum bl_event_family {
#define BL_EVENT_FAMILY(id, name, ambients, level) BL_FAMILY_##id,
#define BL_EVENT(id, event, action, family)
#define BL_EVENT_ACTION(family, action)
#define BL_EVENT_CARRIES(field, families)
#include "spec/events.def"
#undef BL_EVENT_FAMILY
#undef BL_EVENT
#undef BL_EVENT_ACTION
#undef BL_EVENT_CARRIES
    BL_FAMILY_COUNT
};
enum bl_event_id {
#define BL_EVENT_FAMILY(id, name, ambients, level)
#define BL_EVENT(id, event, action, family) BL_EVENT_##id,
#define BL_EVENT_ACTION(family, action)
#define BL_EVENT_CARRIES(field, families)
#include "spec/events.def"
#undef BL_EVENT_FAMILY
#undef BL_EVENT
#undef BL_EVENT_ACTION
#undef BL_EVENT_CARRIES
    BL_EVENT_COUNT
};
struct bl_event_info {
    bl_str event;
    bl_str action; /* empty when the event has none */
    enum bl_event_family family;
    uint32_t
        ambients; /* bits of ambients.def that this event brings, beside those of every run */
    enum bl_level level; /* of who can cause it */
};
const struct bl_event_info *bl_event_info(enum bl_event_id event);
/* By GitHub's names; action empty for events without. */
enum bl_event_id bl_event_find(bl_str event, bl_str action);
/* "issues.opened", "schedule": as policies spell them. */
enum bl_event_id bl_event_find_spelling(bl_str spelling);
bl_str bl_family_name(enum bl_event_family family);
enum bl_event_family bl_family_find(bl_str event);
/* Does GitHub send this action for the event, handled or not? */
bool bl_event_action_exists(enum bl_event_family family, bl_str action);
/* Does this event carry that field of the entity EVENT? */
bool bl_event_carries(enum bl_event_id event, enum bl_field field);

/* ---- effects, builtins, opcodes, limits, diagnostics ------------------------------------- */

enum bl_proof {
    BL_PROOF_ALWAYS, /* none: done every time */
    BL_PROOF_LABEL_EQUAL,
    BL_PROOF_VALUE_IN_MARKER,
    BL_PROOF_LABEL_THERE,
    BL_PROOF_OWN_COMMENT,
    BL_PROOF_OWN_REACTION,
    BL_PROOF_MILESTONE_SET,
    BL_PROOF_STATE_CLOSED,
    BL_PROOF_LOCKED,
    BL_PROOF_LABEL_GONE,
    BL_PROOF_STATE_OPEN,
    BL_PROOF_STATUS_EQUAL,
    BL_PROOF_ALERT_CLOSED,
    BL_PROOF_ROW_EQUAL,
};
enum bl_effect {
#define BL_EFFECT(id, words, order, permission, proof, args, doc) BL_EFFECT_##id,
#include "spec/effects.def"
#undef BL_EFFECT
    BL_EFFECT_COUNT
};
struct bl_effect_info {
    bl_str words;
    unsigned order;
    enum bl_permission permission;
    enum bl_proof proof;
    bl_str args;
    bl_str doc;
};
const struct bl_effect_info *bl_effect_info(enum bl_effect effect);

enum bl_step_phase { BL_PHASE_GIVEN, BL_PHASE_WHEN, BL_PHASE_EXPECT };
enum bl_step {
#define BL_STEP(id, words, phase, args, doc) BL_STEP_##id,
#include "spec/steps.def"
#undef BL_STEP
    BL_STEP_COUNT
};
struct bl_step_info {
    bl_str words;
    enum bl_step_phase phase;
    bl_str args;
    bl_str doc;
};
const struct bl_step_info *bl_step_info(enum bl_step step);

enum bl_builtin {
#define BL_BUILTIN(id, name, params, result, read, cost, doc) BL_BUILTIN_##id,
#include "spec/builtins.def"
#undef BL_BUILTIN
    BL_BUILTIN_COUNT
};
enum bl_cost { BL_COST_UNIT, BL_COST_LIST, BL_COST_TEXT, BL_COST_READ };
struct bl_builtin_info {
    bl_str name;
    bl_str params; /* spelled as in builtins.def; spec/signature.h reads them */
    bl_str result;
    enum bl_read read;
    enum bl_cost cost;
    bl_str doc;
};
const struct bl_builtin_info *bl_builtin_info(enum bl_builtin builtin);
enum bl_builtin bl_builtin_find(bl_str name);

/* Types of a call of a builtin, one rule for checker and verifier. `args` are the argument
 * types in order; for `*T` they are what was written, or the one list of them that the emitter
 * makes. Gives the result type with *bad == SIZE_MAX. When something does not fit:
 * BL_TYPE_ERROR, and *bad is the argument and *wanted the type asked for (a list of
 * BL_TYPE_ERROR: any list); or *bad == count and *wanted is how many arguments it takes. An
 * argument of BL_TYPE_ERROR fits, and a result that depends on it has the kind ERROR. POSTED
 * and its `kinds` are not for this function. */
bl_type bl_builtin_check(enum bl_builtin builtin, const bl_type *args, size_t count,
                         size_t *bad, bl_type *wanted);

enum bl_operand {
    BL_OPERAND_NO,
    BL_OPERAND_DST,
    BL_OPERAND_SRC,
    BL_OPERAND_RANGE,
    BL_OPERAND_COUNT,
    BL_OPERAND_CONST,
    BL_OPERAND_FN,
    BL_OPERAND_FIELD,
    BL_OPERAND_BUILTIN,
    BL_OPERAND_AMBIENT,
    BL_OPERAND_EVENT,
    BL_OPERAND_PLACE,
    BL_OPERAND_RECORD,
    BL_OPERAND_MEMBER,
    BL_OPERAND_TYPE,
    BL_OPERAND_SITE,
    BL_OPERAND_JUMP,
    BL_OPERAND_LOOP,
    BL_OPERAND_SETTING,
    BL_OPERAND_MESSAGE,
    BL_OPERAND_SOUGHT,
    BL_OPERAND_SANITIZER,
    BL_OPERAND_SECRETS,
    BL_OPERAND_STORE,
    BL_OPERAND_TRUTH,
};
enum bl_rule_kind {
    BL_RULE_CONST,
    BL_RULE_ABSENT,
    BL_RULE_FITS,
    BL_RULE_REQUIRE,
    BL_RULE_IS_SET,
    BL_RULE_BOOLS,
    BL_RULE_EQUAL,
    BL_RULE_ORDER,
    BL_RULE_ADD,
    BL_RULE_SUB,
    BL_RULE_MUL,
    BL_RULE_IN,
    BL_RULE_TEXTS,
    BL_RULE_MATCHES,
    BL_RULE_FOUND,
    BL_RULE_GLOB,
    BL_RULE_FIELD,
    BL_RULE_ATTR,
    BL_RULE_MEMBER,
    BL_RULE_ANSWER,
    BL_RULE_GATE,
    BL_RULE_RECORD,
    BL_RULE_VERDICT,
    BL_RULE_LIST,
    BL_RULE_PUSH,
    BL_RULE_ITER,
    BL_RULE_NEXT,
    BL_RULE_LOOP,
    BL_RULE_JUMP,
    BL_RULE_BRANCH,
    BL_RULE_CALL,
    BL_RULE_BUILTIN,
    BL_RULE_POSTED,
    BL_RULE_AS_POSTED,
    BL_RULE_AMBIENT,
    BL_RULE_BIND,
    BL_RULE_EVENT_IS,
    BL_RULE_RENDER,
    BL_RULE_BUILD,
    BL_RULE_MESSAGE,
    BL_RULE_EFFECT,
    BL_RULE_FIRED,
    BL_RULE_STEP,
    BL_RULE_EXPECT,
    BL_RULE_RETURN,
    BL_RULE_END,
    BL_RULE_SETTING,
    BL_RULE_CLEAN,
    BL_RULE_HOLDS,
    BL_RULE_SETTLE,
    BL_RULE_STORED,
    BL_RULE_RETURN_BOOL,
};
#define BL_OP_B 1u
#define BL_OP_E 2u
#define BL_OP_R 4u
#define BL_OP_W 8u
enum bl_opcode {
#define BL_OP(id, mnemonic, a, b, c, rule, flags, doc) BL_OP_##id,
#include "spec/opcodes.def"
#undef BL_OP
    BL_OP_COUNT
};
struct bl_op_info {
    bl_str mnemonic;
    enum bl_operand a, b, c;
    enum bl_rule_kind rule;
    unsigned flags;
    bl_str doc;
};
/* `op` below BL_OP_COUNT. */
const struct bl_op_info *bl_op_info(enum bl_opcode op);
/* Result type of b + c, b - c, b * c for the opcodes ADD, SUB, MUL; BL_TYPE_ERROR when the pair
 * has no meaning. One table for checker and verifier. Lists join when one of the two types fits
 * the other; the result is the wider. */
bl_type bl_arith_type(enum bl_opcode op, bl_type b, bl_type c);
/* May values of these types be compared with ==, or with <? An ERROR on either side may. */
bool bl_types_equatable(bl_type a, bl_type b);
bool bl_types_ordered(bl_type a, bl_type b);
/* Type of the texts joined by BUILD or ADD: untrusted if one is, else clean for the places of
 * all, else own text. Names, paths, links and labels count as untrusted here: strangers choose
 * them, and only RENDER makes them fit for a place. BL_TYPE_ERROR when one fits no `untrusted`,
 * or when no place takes both. */
bl_type bl_text_join(bl_type a, bl_type b);
/* Type of a value rendered for a place: own text when the value renders itself safely in every
 * place alike (bool, int, duration, date, time, money, percent, own text, enum, locale, task,
 * command), clean text for the place alone for names, paths, repository names, links, labels,
 * users, issues, pull requests, releases and for text that is clean there; a list as its
 * elements. BL_TYPE_ERROR when it may not stand there: untrusted text, other places' clean
 * text, records, optional values, lists of lists. */
bl_type bl_render_type(bl_type value, enum bl_place place);

enum bl_limit {
#define BL_LIMIT(id, name, value, why) BL_LIMIT_##id,
#include "spec/limits.def"
#undef BL_LIMIT
    BL_LIMIT_COUNT
};
struct bl_limit_info {
    bl_str name;
    uint64_t value;
    bl_str why;
};
const struct bl_limit_info *bl_limit_info(enum bl_limit limit);
/* The default value: bl_limit(BL_LIMIT_SOURCE_BYTES). */
uint64_t bl_limit(enum bl_limit limit);

enum bl_diagnostic_code {
#define BL_DIAGNOSTIC(id, number, lint, severity, message, help, more) BL_D_##id = number,
#include "spec/diagnostics.def"
#undef BL_DIAGNOSTIC
};
struct bl_diagnostic_info {
    unsigned number;
    const char *id;
    bl_str lint; /* kebab-case name of a lint rule, else empty */
    enum bl_severity severity;
    bl_str message;
    bl_str help;
    bl_str more;
};
const struct bl_diagnostic_info *bl_diagnostic_info(unsigned code);
/* By number, by "PL0123" or by lint name; NULL when unknown. */
const struct bl_diagnostic_info *bl_diagnostic_find(bl_str name);
size_t bl_diagnostic_count(void);
const struct bl_diagnostic_info *bl_diagnostic_at(size_t index);
/* Adds one with the severity of the table. */
struct bl_diagnostic *bl_report(struct bl_diagnostics *sink, enum bl_diagnostic_code code,
                                struct bl_span span);

#endif
