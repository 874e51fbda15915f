/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_VM_VM_H
#define BL_VM_VM_H

#include "bytecode/module.h"
#include "secret/secret.h"
#include "world/world.h"

/* The register machine: runs verified functions over one snapshot of the world. Deterministic
 * in (module, event, world, clock, limits). It plans effects and never carries one out. */

/* An effect as a function planned it; what it will be on the world is made by runtime/plan.
 * Lives in the run's arena. */
struct bl_planned {
    const struct bl_site *site; /* NULL: no instruction asked for it (the decision of a job) */
    enum bl_effect effect;
    uint32_t entry;    /* the rule, step or decision that planned it */
    uint32_t chain;    /* which chain: one for each rule, one for each unit of a step */
    uint32_t position; /* within the chain: the written order */
    struct bl_value *args;
    size_t arg_count;
    uint32_t insn; /* BL_NONE without site */
};

/* What traces show: one evaluated condition. */
struct bl_atom {
    uint32_t insn;
    bool result;
    struct bl_value left, right; /* operands; absent when the condition has none */
    uint32_t called; /* index of the atom that decided inside a called function, or that `not`
                        turns around; BL_NONE */
};

enum bl_outcome {
    BL_OUTCOME_FIRED,
    BL_OUTCOME_NOT,     /* a condition was false */
    BL_OUTCOME_SKIPPED, /* the index: a fact of the event excludes it */
    BL_OUTCOME_STOPPED, /* it ended with an error */
};
struct bl_rule_trace {
    uint32_t entry;
    enum bl_outcome outcome;
    uint32_t decided; /* index of the atom that decided; BL_NONE when there is none */
    uint32_t access;  /* SKIPPED: the row of ACCESS that did not hold */
};
/* The most atoms that one trace keeps. A run that evaluates more goes on, and its last atom is
 * the newest one. */
#define BL_TRACE_ATOMS 65536u
struct bl_trace {
    struct bl_arena *arena;
    BL_VEC(struct bl_atom) atoms;
    BL_VEC(struct bl_rule_trace) rules;
};

/* What ran, over all runs that are given the same counters: how often each instruction was
 * passed, and how often each condition (BL_MAP_CONDITION) held and did not. By index of CODE,
 * zero at first; they stop at their greatest value. */
struct bl_coverage {
    uint32_t *passed, *held, *failed;
};

/* What a test step does; NULL outside of tests. `runtime/testing` gives it. It may give the
 * machine another snapshot and other ambients. */
struct bl_test_host {
    enum bl_status (*step)(void *context, const struct bl_site *site,
                           const struct bl_value *args, size_t count);
    /* Called for each EXPECT; `trace` has the atoms of its condition. */
    enum bl_status (*expect)(void *context, const struct bl_site *site, bool holds);
    void *context;
};

/* Settings that have another value in a test. */
struct bl_setting_values {
    const struct bl_value *values; /* by index of SETTINGS */
    const bool *is_given;
};

struct bl_machine_limits {
    uint64_t instructions; /* of one unit; 0: limits.def */
    uint64_t call_depth;   /* 0: limits.def, which is also the most */
};

/* What the last sanitizer did: for `bylaw try`. */
struct bl_clean_finding;
struct bl_cleaned {
    bl_str text; /* which findings count their bytes in: what the steps before the scan left */
    const struct bl_clean_finding *findings;
    size_t finding_count;
    bl_str fallback; /* why the whole text became code; empty: it did not */
};

/* Where the last verdict was given: for `bylaw try`. */
#define BL_VERDICT_ITEMS 4u
struct bl_verdict_place {
    uint32_t insn; /* index in CODE */
    /* What the loops around it were at, the innermost first. */
    struct bl_value items[BL_VERDICT_ITEMS];
    size_t item_count;
};

struct bl_machine_state; /* frames and registers, vm/machine.h */

struct bl_redacted; /* secret/redact.h */

/* Told what a call of redaction `redaction` (in REDACTIONS) found, and may give the policy
 * something else: what a recorded run was given. */
struct bl_redacted_hook {
    enum bl_status (*done)(void *context, struct bl_arena *arena, uint32_t redaction,
                           struct bl_redacted *redacted);
    void *context;
};

/* A machine for one unit. Initialise, set the ambients of the event, run functions. */
struct bl_machine {
    const struct bl_module *module;
    struct bl_arena *arena; /* the run's */
    struct bl_snapshot *snapshot;
    struct bl_value ambient[BL_AMBIENT_COUNT]; /* absent: not there */
    enum bl_event_id event;                    /* BL_EVENT_COUNT: none */
    uint64_t budget;                           /* instructions left */
    uint64_t used;
    uint64_t call_depth;
    BL_VEC(struct bl_planned) planned;
    uint32_t entry, chain, position; /* for what is planned next */
    bool fired;                      /* FIRED was passed */
    uint32_t decided;                /* after a call: its deciding atom, as in bl_rule_trace */
    struct bl_trace *trace;          /* NULL: none is kept */
    struct bl_coverage *coverage;    /* NULL: nothing is counted */
    const unsigned char *redaction_key; /* of markers, BL_REDACTION_KEY_BYTES; NULL: zeros */
    const struct bl_redacted_hook *redacted; /* NULL: nobody asks */
    int64_t id_seed;                         /* of new_id, and how many there were */
    uint64_t ids;
    BL_VEC(struct bl_failure) attempts; /* reads that were attempted in vain, in their order */
    const struct bl_test_host *host;
    struct bl_cleaned *cleaned;       /* NULL: nobody asks */
    struct bl_verdict_place *verdict; /* NULL: nobody asks */
    /* What a test gave to settings, by index of SETTINGS: opcode SETTING takes it instead of
     * calling the setting's function. NULL: nothing. */
    const struct bl_setting_values *settings;
    struct bl_value answer; /* of the task that the run is about: a RECORD; absent: none */
    /* After a status other than BL_OK: */
    struct bl_failure failure; /* BL_ERR_READ: which read; else a sentence in `what` */
    uint32_t failed_at;        /* index in CODE, BL_NONE */
    /* BL_ERR_INTERNAL because an ambient name stands for nothing: which; else the count. */
    enum bl_ambient lacking;
    struct bl_machine_state *state;
};

/* Instructions are charged one each. Work on lists is charged one an element more, on texts one
 * for each 8 bytes more, a read 16 more: so the budget bounds time whatever a stranger wrote.
 */
#define BL_CHARGE_BYTES 8u
#define BL_CHARGE_READ  16u

/* `snapshot` may be NULL for functions that read nothing. `limits` may be NULL. */
void bl_machine_init(struct bl_machine *machine, const struct bl_module *module,
                     struct bl_arena *arena, struct bl_snapshot *snapshot,
                     enum bl_event_id event, const struct bl_machine_limits *limits);
/* What runs next has its values in `arena`, which may be emptied before this is called again;
 * what the machine itself keeps stays where it was. BL_ERR_NOMEM. */
BL_NODISCARD enum bl_status bl_machine_values(struct bl_machine *machine,
                                              struct bl_arena *arena);

/* Runs function `index` with its parameters. *result (may be NULL) gets what it returns, absent
 * when it returns nothing. BL_ERR_READ, BL_ERR_LIMIT (budget, depth, sizes), BL_ERR_NOMEM,
 * BL_ERR_INTERNAL (a guard did not hold), or what the test host returned. After a failure the
 * ambients are as they were before the call, and what was planned stays planned. */
BL_NODISCARD enum bl_status bl_machine_call(struct bl_machine *machine, uint32_t index,
                                            const struct bl_value *args, size_t count,
                                            struct bl_value *result);

/* Which patterns of a set find something in the text: bits, as bl_pattern_set_scan gives them,
 * good until the next call for this set. The machine keeps the last answer of each set, so what
 * is asked of one text again and again costs one pass. Texts stay as they are as long as the
 * arena. *scanned (may be NULL) says whether this call had to look. BL_ERR_NOMEM. */
BL_NODISCARD enum bl_status bl_machine_scan(struct bl_machine *machine, uint32_t set,
                                            bl_str text, const uint64_t **found, bool *scanned);

/* What a set of secrets (index of SECRETS) finds in a text, charged as work on texts is; see
 * bl_secret_find. Findings live in the machine's arena. */
BL_NODISCARD enum bl_status bl_machine_secrets(struct bl_machine *machine, uint32_t set,
                                               bl_str text, bool first,
                                               struct bl_secret_findings *out);
/* The machine as what calls functions for runtime/secret. */
struct bl_secret_host bl_machine_host(struct bl_machine *machine);

/* Names for bl_value_describe of this module. */
struct bl_value_names bl_machine_names(const struct bl_module *module);

/* A value as text for a place, as RENDER does: "15 days", "@alice", "#12", "`v1.2`"; days in
 * the language of the ambient LANGUAGE where people read it (comments and timeline), else as
 * ISO 8601. Escaped for the place, so that what stands before and behind it cannot change what
 * it is. BL_ERR_INTERNAL when a value of this type may not stand there (bl_render_type),
 * BL_ERR_LIMIT, BL_ERR_NOMEM, BL_ERR_READ (a list of the world, a release's address). */
BL_NODISCARD enum bl_status bl_render(struct bl_machine *machine, struct bl_value v,
                                      bl_type type, enum bl_place place, struct bl_buf *out);

/* A patch as a thing: its text, which may be any bytes and is not copied. NULL when out of
 * memory. */
struct bl_object *bl_patch_thing(struct bl_arena *arena, bl_str text);

/* The marker line of an own comment of `kind` with these attribute values, without line end
 * (docs/language.md, "Markers"):
 *
 *     <!-- issue-assistant:closed-unanswered day=2026-12-02 -->
 *
 * Absent attributes and empty lists are left out. */
void bl_marker_write(const struct bl_module *module, uint32_t kind,
                     const struct bl_value *attributes, struct bl_buf *out);
/* And back: BL_OK with *out NULL when the first line of `text` is no marker of the module. Who
 * wrote the comment is the caller's to check. Linear in the first line. BL_ERR_NOMEM. */
BL_NODISCARD enum bl_status bl_marker_read(struct bl_arena *arena,
                                           const struct bl_module *module,
                                           struct bl_object *comment, bl_str text,
                                           struct bl_posted **out);
/* The own comment that `comment` is: written by the module's account and with a marker. *out is
 * NULL when it is none. The answer is kept in the object. BL_ERR_READ, BL_ERR_NOMEM. */
BL_NODISCARD enum bl_status bl_posted_of(struct bl_machine *machine, struct bl_object *comment,
                                         const struct bl_posted **out);

/* Does the path pattern name this path? `*` stands for any characters of one part, `?` for one
 * of them, `**` as a part for any number of parts (at the end: at least one). Everything else
 * stands for itself, and the whole path is compared. Time pattern.len * path.len at most. */
bool bl_glob_matches(bl_str pattern, bl_str path);

#endif
