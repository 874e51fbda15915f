/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_VM_MACHINE_H
#define BL_VM_MACHINE_H

#include "text/pattern.h"
#include "vm/vm.h"

/* The inside of the machine, for the files of this room alone. */

/* Registers of active functions, on a stack of chunks that is kept for the next call. */
#define BL_CHUNK_REGISTERS 1024u
struct bl_register_chunk {
    struct bl_register_chunk *older, *newer;
    uint32_t used;
    struct bl_value registers[BL_CHUNK_REGISTERS];
};

/* As limits.def's loop_depth. */
#define BL_LOOPS 3u

struct bl_frame {
    const struct bl_function *function;
    const struct bl_insn *code;
    const bl_type *types;
    struct bl_value *registers;
    struct bl_register_chunk *chunk;
    uint32_t pc;          /* the next instruction */
    uint32_t dst;         /* register of the caller that gets the result */
    uint32_t bound;       /* bits of ambients whose value before is on the stack of bindings */
    size_t binding_count; /* height of that stack when the function began */
    uint32_t last_atom;   /* the newest condition of this function itself, BL_NONE */
    bool is_gate;         /* a read that fails in it gives the caller nothing instead */
    bool is_attempt;      /* and that is told */
    /* The loops that are open, the outermost first: the register of the list and the element.
     * One that was left on the way stays until a loop around it or beside it goes on. */
    struct bl_open_loop {
        uint16_t list;
        struct bl_value item;
    } loops[BL_LOOPS];
    unsigned loop_count;
};

struct bl_binding {
    enum bl_ambient ambient;
    struct bl_value before;
};

/* The last answer of a set of patterns. */
struct bl_scan {
    bool known;
    bl_str text;
    uint64_t *found;
};

struct bl_machine_state {
    struct bl_arena *home; /* of frames, chunks and bindings */
    struct bl_frame *frames;
    size_t depth;
    struct bl_register_chunk *chunk; /* the newest in use */
    BL_VEC(struct bl_binding) bindings;
    struct bl_scan *scans; /* of each set; NULL until one is asked */
    uint64_t *conditions;  /* bit n: instruction n is flagged in the map; made when traced */
    struct bl_value returned;
    struct bl_redactor **redactors;       /* of each redaction; NULL until one is called */
    struct bl_cleaning_state *cleaning;   /* vm/sanitize.c; NULL until a sanitizer runs */
    struct bl_compositions *compositions; /* vm/compose.c; NULL until one has run */
    struct bl_stored *stored; /* vm/stores.c; of each store; NULL until one is read */
};

/* ---- endings ----------------------------------------------------------------------------- */

/* Sets the sentence of the failure (a string of ours or of the arena) and gives the status. */
enum bl_status bl_machine_fail(struct bl_machine *machine, enum bl_status status, bl_str what);
/* A guard that the compiler proved did not hold. */
enum bl_status bl_machine_guard(struct bl_machine *machine, bl_str what);
enum bl_status bl_machine_nomem(struct bl_machine *machine);

static inline enum bl_status bl_charge(struct bl_machine *machine, uint64_t units)
{
    uint64_t taken = units < machine->budget ? units : machine->budget;

    machine->budget -= taken;
    machine->used += taken;
    return taken == units ? BL_OK
                          : bl_machine_fail(machine, BL_ERR_LIMIT,
                                            BL_STR("The budget of instructions is used up."));
}
static inline enum bl_status bl_charge_text(struct bl_machine *machine, size_t bytes)
{
    return bl_charge(machine, bytes / BL_CHARGE_BYTES);
}

/* ---- frames ------------------------------------------------------------------------------ */

/* Begins function `index`; its parameters are copied from `args`. */
enum bl_status bl_frame_push(struct bl_machine *machine, uint32_t index,
                             const struct bl_value *args, size_t count, uint32_t dst);
/* Ends the innermost function: its registers and bindings go. */
void bl_frame_pop(struct bl_machine *machine);
/* Runs until the depth is `base` again. */
enum bl_status bl_interpret(struct bl_machine *machine, size_t base);
enum bl_status bl_bind(struct bl_machine *machine, struct bl_frame *frame,
                       enum bl_ambient ambient, struct bl_value value);

/* ---- trace ------------------------------------------------------------------------------- */

/* Makes the bit set of flagged instructions. */
enum bl_status bl_trace_prepare(struct bl_machine *machine);
static inline bool bl_trace_wants(const struct bl_machine *machine, uint32_t insn)
{
    return machine->state->conditions != NULL &&
           (machine->trace != NULL || machine->coverage != NULL) &&
           (machine->state->conditions[insn / 64] >> insn % 64 & 1) != 0;
}
static inline void bl_cover(uint32_t *counts, uint32_t insn)
{
    counts[insn] += counts[insn] != UINT32_MAX;
}
/* The operands of a comparison, before it runs: its result may be written over them. */
void bl_trace_operands(const struct bl_frame *frame, const struct bl_insn *insn,
                       struct bl_atom *atom);
enum bl_status bl_trace_add(struct bl_machine *machine, struct bl_frame *frame,
                            struct bl_atom atom);

/* ---- operations -------------------------------------------------------------------------- */

enum bl_status bl_op_equal(struct bl_machine *machine, const struct bl_frame *frame,
                           const struct bl_insn *insn, bool negated);
enum bl_status bl_op_order(struct bl_machine *machine, const struct bl_frame *frame,
                           const struct bl_insn *insn, bool or_equal);
enum bl_status bl_op_add(struct bl_machine *machine, const struct bl_frame *frame,
                         const struct bl_insn *insn);
enum bl_status bl_op_subtract(struct bl_machine *machine, const struct bl_frame *frame,
                              const struct bl_insn *insn);
enum bl_status bl_op_multiply(struct bl_machine *machine, const struct bl_frame *frame,
                              const struct bl_insn *insn);
enum bl_status bl_op_in(struct bl_machine *machine, const struct bl_frame *frame,
                        const struct bl_insn *insn);
enum bl_status bl_op_text(struct bl_machine *machine, const struct bl_frame *frame,
                          const struct bl_insn *insn);
enum bl_status bl_op_matches(struct bl_machine *machine, const struct bl_frame *frame,
                             const struct bl_insn *insn);
enum bl_status bl_op_found(struct bl_machine *machine, const struct bl_frame *frame,
                           const struct bl_insn *insn);
enum bl_status bl_op_holds(struct bl_machine *machine, const struct bl_frame *frame,
                           const struct bl_insn *insn);
enum bl_status bl_op_glob(struct bl_machine *machine, const struct bl_frame *frame,
                          const struct bl_insn *insn);
enum bl_status bl_op_build(struct bl_machine *machine, const struct bl_frame *frame,
                           const struct bl_insn *insn);
enum bl_status bl_op_clean(struct bl_machine *machine, const struct bl_frame *frame,
                           const struct bl_insn *insn);
enum bl_status bl_op_settle(struct bl_machine *machine, const struct bl_frame *frame,
                            const struct bl_insn *insn);
enum bl_status bl_op_const(struct bl_machine *machine, const struct bl_frame *frame,
                           const struct bl_insn *insn);
/* FIELD; a described label may begin a function, whose result goes to the register. */
enum bl_status bl_op_field(struct bl_machine *machine, const struct bl_frame *frame,
                           const struct bl_insn *insn);
enum bl_status bl_op_attribute(struct bl_machine *machine, const struct bl_frame *frame,
                               const struct bl_insn *insn);
enum bl_status bl_op_record(struct bl_machine *machine, const struct bl_frame *frame,
                            const struct bl_insn *insn);
enum bl_status bl_op_verdict(struct bl_machine *machine, const struct bl_frame *frame,
                             const struct bl_insn *insn);
enum bl_status bl_op_posted(struct bl_machine *machine, const struct bl_frame *frame,
                            const struct bl_insn *insn);
enum bl_status bl_op_as_posted(struct bl_machine *machine, const struct bl_frame *frame,
                               const struct bl_insn *insn);
enum bl_status bl_op_render(struct bl_machine *machine, const struct bl_frame *frame,
                            const struct bl_insn *insn);
enum bl_status bl_op_message(struct bl_machine *machine, const struct bl_frame *frame,
                             const struct bl_insn *insn);
enum bl_status bl_op_effect(struct bl_machine *machine, const struct bl_frame *frame,
                            const struct bl_insn *insn);
enum bl_status bl_op_stored(struct bl_machine *machine, const struct bl_frame *frame,
                            const struct bl_insn *insn);
enum bl_status bl_op_step(struct bl_machine *machine, const struct bl_frame *frame,
                          const struct bl_insn *insn);

/* Item `index` of a list, charged; as bl_list_at, with the failure in words. */
enum bl_status bl_machine_item(struct bl_machine *machine, struct bl_list *list, uint32_t index,
                               struct bl_value *out, bool *end);
/* The whole list, charged. */
enum bl_status bl_machine_list(struct bl_machine *machine, struct bl_value v,
                               struct bl_list **out);
enum bl_status bl_machine_push(struct bl_machine *machine, struct bl_list *list,
                               struct bl_value item);
/* A text in the arena, at most limits.def's text_bytes. */
enum bl_status bl_machine_text(struct bl_machine *machine, const struct bl_buf *built,
                               struct bl_value *out);
void bl_machine_buf(struct bl_machine *machine, struct bl_buf *buf);
/* "https://github.com/owner/name/": where the repository stands, as the page for new issues
 * says, with `more` characters behind it. Empty when nobody knows. */
bl_str bl_repository_page(const struct bl_machine *machine, size_t more);
/* A field of a thing, read when it is not known. */
enum bl_status bl_machine_field(struct bl_machine *machine, struct bl_object *object,
                                enum bl_field field, struct bl_value *out);
/* An id that the run has not given yet. */
enum bl_status bl_machine_new_id(struct bl_machine *machine, struct bl_value *out);
/* A read of no thing, charged; MISSING leaves *out absent. */
enum bl_status bl_machine_ask(struct bl_machine *machine, enum bl_read read,
                              const struct bl_value *args, size_t count, struct bl_value *out);
/* Reads the text of a patch, so that all its fields are known. */
enum bl_status bl_patch_load(struct bl_machine *machine, struct bl_object *thing);
/* Makes what a machine needs to run, once. NULL when out of memory. */
struct bl_machine_state *bl_machine_state_of(struct bl_machine *machine);
struct bl_pattern bl_machine_pattern(const struct bl_module *module, struct bl_value v);

/* The locale of the ambient LANGUAGE, or the reference; BL_NONE when the module has none. */
uint32_t bl_machine_locale(const struct bl_machine *machine);
/* The next one to ask when a locale lacks something; BL_NONE at the end. */
uint32_t bl_locale_fallback(const struct bl_module *module, uint32_t locale, unsigned step);

#endif
