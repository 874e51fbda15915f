/* SPDX-License-Identifier: Apache-2.0 */
#include "text/clean.h"
#include "text/reread.h"
#include "vm/builtins.h"
#include "vm/compose.h"

/* Sanitizers. Their functions ask for the parts of a text, decide about each, and let CLEAN
 * write the result. The machine keeps the scan of the text in hand, so that each stage is done
 * once. */

enum stage { LINKS, FOUND };

struct bl_cleaning_state {
    bl_str text;
    uint32_t sanitizer;
    enum stage stage;
    struct bl_clean_rules rules;
    struct bl_cleaning *cleaning; /* NULL: nothing is in hand */
};

static uint32_t words_of(const struct bl_module *m, const struct bl_module_sanitizer *row)
{
    uint32_t words = 0;

    for (uint32_t i = 0; i < row->count; i++) {
        uint32_t word = m->CLEAN_ROWS_rows[row->first_row + i].word;
        if (word != BL_NONE)
            words |= 1u << word;
    }
    return words;
}

static enum bl_status patterns(struct bl_machine *machine, struct bl_value list,
                               struct bl_clean_rules *rules)
{
    uint32_t count = list.tag == BL_V_LIST ? list.as.list->count : 0;
    struct bl_pattern *strips = BL_NEW_ARRAY(machine->arena, count + 1u, struct bl_pattern);

    if (strips == NULL)
        return bl_machine_nomem(machine);
    for (uint32_t i = 0; i < count; i++)
        strips[i] = bl_machine_pattern(machine->module, list.as.list->items[i]);
    rules->strips = strips;
    rules->strip_count = count;
    return BL_OK;
}

/* What the function decided about part `index`: a row of the sanitizer, or none. */
static void decide(const struct bl_module *m, const struct bl_module_sanitizer *row,
                   struct bl_value list, size_t index, struct bl_clean_part *part)
{
    struct bl_value answer = bl_absent();

    if (list.tag == BL_V_LIST && index < list.as.list->count)
        answer = list.as.list->items[index];
    part->action = BL_ACTION_CODE;
    part->rule = UINT32_MAX;
    if (answer.tag != BL_V_INT || answer.as.i < 0 || answer.as.i >= (int64_t)row->count)
        return;
    part->rule = row->first_row + (uint32_t)answer.as.i;
    part->action = (enum bl_clean_action)m->CLEAN_ROWS_rows[part->rule].action;
}

/* The scan of the text, as far as links. args: text, patterns. */
static enum bl_status scan(struct bl_machine *machine, const struct bl_value *args,
                           uint32_t sanitizer)
{
    const struct bl_module *m = machine->module;
    const struct bl_module_sanitizer *row = &m->SANITIZERS_rows[sanitizer];
    struct bl_object *repository = bl_object_of(machine->ambient[BL_AMBIENT_REPOSITORY]);
    struct bl_cleaning_state *state = machine->state->cleaning;
    bl_str text = bl_text_of(args[0]);

    if (state == NULL)
        state = machine->state->cleaning = BL_NEW(machine->arena, struct bl_cleaning_state);
    if (state == NULL)
        return bl_machine_nomem(machine);
    *state = (struct bl_cleaning_state){.text = text, .sanitizer = sanitizer};
    enum bl_status status = bl_charge_text(machine, text.len);
    if (status == BL_OK)
        status = patterns(machine, args[1], &state->rules);
    if (status != BL_OK)
        return status;
    state->rules.words = words_of(m, row);
    state->rules.repository =
        repository != NULL ? bl_text_of(bl_object_get(repository, BL_FIELD_REPOSITORY_NAME))
                           : (bl_str){NULL, 0};
    state->cleaning = bl_clean_begin(machine->arena, text, &state->rules);
    return state->cleaning == NULL ? bl_machine_nomem(machine)
                                   : bl_charge(machine, bl_clean_steps(state->cleaning) / 8);
}

static bool in_hand(const struct bl_machine *machine, const struct bl_value *args,
                    uint32_t sanitizer)
{
    const struct bl_cleaning_state *state = machine->state->cleaning;
    bl_str text = bl_text_of(args[0]);

    return state != NULL && state->cleaning != NULL && state->sanitizer == sanitizer &&
           state->text.ptr == text.ptr && state->text.len == text.len;
}

/* The text with its links decided. */
static enum bl_status read_text(struct bl_machine *machine, const struct bl_value *args,
                                struct bl_value links, uint32_t sanitizer)
{
    const struct bl_module *m = machine->module;
    enum bl_status status = BL_OK;
    size_t count;

    if (in_hand(machine, args, sanitizer) && machine->state->cleaning->stage == FOUND)
        return BL_OK;
    if (!in_hand(machine, args, sanitizer))
        status = scan(machine, args, sanitizer);
    if (status != BL_OK)
        return status;
    struct bl_cleaning_state *state = machine->state->cleaning;
    struct bl_clean_part *parts = bl_clean_links(state->cleaning, &count);
    for (size_t i = 0; i < count; i++)
        decide(m, &m->SANITIZERS_rows[sanitizer], links, i, &parts[i]);
    if (!bl_clean_read(state->cleaning))
        return bl_machine_nomem(machine);
    state->stage = FOUND;
    return bl_charge_text(machine, state->text.len);
}

/* ---- parts as things --------------------------------------------------------------------- */

static struct bl_value link_of(struct bl_machine *machine, const struct bl_clean_part *part)
{
    struct bl_object *o =
        bl_object_create(machine->arena, BL_ENTITY_LINK_PART, 0, (bl_str){NULL, 0});
    const struct bl_address *a = &part->address;

    if (o == NULL)
        return bl_absent();
    bl_object_set(o, BL_FIELD_LINK_PART_SCHEME,
                  bl_text(a->whole ? a->scheme : (bl_str){NULL, 0}));
    bl_object_set(o, BL_FIELD_LINK_PART_HOST, bl_text(a->whole ? a->host : (bl_str){NULL, 0}));
    bl_object_set(o, BL_FIELD_LINK_PART_USER, a->has_user ? bl_text(a->user) : bl_absent());
    bl_object_set(o, BL_FIELD_LINK_PART_PORT, a->has_port ? bl_int(a->port) : bl_absent());
    bl_object_set(o, BL_FIELD_LINK_PART_TARGET, bl_text(a->target));
    bl_object_set(o, BL_FIELD_LINK_PART_IN_REPOSITORY, bl_bool(a->whole && a->in_repository));
    bl_object_set(o, BL_FIELD_LINK_PART_CLIMBS, bl_bool(!a->whole || a->climbs));
    bl_object_set(o, BL_FIELD_LINK_PART_STANDS_ALONE, bl_bool(part->stands_alone));
    bl_object_set(o, BL_FIELD_LINK_PART_KIND, bl_member_value(BL_ENUM_LINK_KIND, a->kind));
    bl_object_set(o, BL_FIELD_LINK_PART_NUMBER,
                  a->number > 0 ? bl_int(a->number) : bl_absent());
    return bl_object_value(o);
}

static struct bl_value reference_of(struct bl_machine *machine,
                                    const struct bl_clean_part *part)
{
    struct bl_object *o =
        bl_object_create(machine->arena, BL_ENTITY_REFERENCE_PART, 0, (bl_str){NULL, 0});

    if (o == NULL)
        return bl_absent();
    bl_str repository = part->kind == BL_CLASS_FOREIGN
                            ? part->repository
                            : machine->state->cleaning->rules.repository;
    bl_object_set(o, BL_FIELD_REFERENCE_PART_KIND,
                  bl_member_value(BL_ENUM_PART_KIND, (unsigned)part->kind));
    bl_object_set(o, BL_FIELD_REFERENCE_PART_NUMBER, bl_int(part->number));
    bl_object_set(o, BL_FIELD_REFERENCE_PART_REPOSITORY, bl_text(repository));
    bl_object_set(o, BL_FIELD_REFERENCE_PART_AFTER_BANG, bl_bool(part->after_bang));
    bl_object_set(o, BL_FIELD_REFERENCE_PART_AFTER_AT, bl_bool(part->after_at));
    return bl_object_value(o);
}

static enum bl_status
list_parts(struct bl_builtin_call *call, const struct bl_clean_part *parts, size_t count,
           bool (*wanted)(const struct bl_clean_part *),
           struct bl_value (*make)(struct bl_machine *, const struct bl_clean_part *))
{
    struct bl_machine *machine = call->machine;
    struct bl_list *list = bl_list_create(machine->arena);
    enum bl_status status = list == NULL ? bl_machine_nomem(machine) : BL_OK;

    for (size_t i = 0; status == BL_OK && i < count; i++) {
        if (!wanted(&parts[i]))
            continue;
        struct bl_value part = make(machine, &parts[i]);
        status = bl_is_absent(part) ? bl_machine_nomem(machine)
                                    : bl_machine_push(machine, list, part);
    }
    if (status == BL_OK)
        *call->out = bl_list_value(list);
    return status;
}

static bool is_any(const struct bl_clean_part *part)
{
    (void)part;
    return true;
}

static bool is_address(const struct bl_clean_part *part)
{
    return part->kind == BL_CLASS_ADDRESS;
}

static bool is_reference(const struct bl_clean_part *part)
{
    return part->kind != BL_CLASS_ADDRESS;
}

static bool names_sanitizer(const struct bl_builtin_call *call, uint32_t *sanitizer)
{
    struct bl_value number = call->args[2];

    *sanitizer = (uint32_t)number.as.i;
    return number.tag == BL_V_INT && number.as.i >= 0 &&
           number.as.i < (int64_t)call->machine->module->SANITIZERS_count;
}

enum bl_status bl_builtin_clean_links(struct bl_builtin_call *call)
{
    uint32_t sanitizer;
    size_t count;

    if (!names_sanitizer(call, &sanitizer))
        return bl_machine_guard(call->machine, BL_STR("There is no such sanitizer."));
    enum bl_status status = scan(call->machine, call->args, sanitizer);
    if (status != BL_OK)
        return status;
    const struct bl_clean_part *parts =
        bl_clean_links(call->machine->state->cleaning->cleaning, &count);
    return list_parts(call, parts, count, is_any, link_of);
}

static enum bl_status
list_found(struct bl_builtin_call *call, bool (*wanted)(const struct bl_clean_part *),
           struct bl_value (*make)(struct bl_machine *, const struct bl_clean_part *))
{
    uint32_t sanitizer;
    size_t count;

    if (!names_sanitizer(call, &sanitizer))
        return bl_machine_guard(call->machine, BL_STR("There is no such sanitizer."));
    enum bl_status status = read_text(call->machine, call->args, call->args[3], sanitizer);
    if (status != BL_OK)
        return status;
    const struct bl_clean_part *parts =
        bl_clean_found(call->machine->state->cleaning->cleaning, &count);
    return list_parts(call, parts, count, wanted, make);
}

enum bl_status bl_builtin_clean_addresses(struct bl_builtin_call *call)
{
    return list_found(call, is_address, link_of);
}

enum bl_status bl_builtin_clean_references(struct bl_builtin_call *call)
{
    return list_found(call, is_reference, reference_of);
}

/* ---- CLEAN ------------------------------------------------------------------------------- */

static void report(struct bl_machine *machine, const struct bl_cleaning *cleaning,
                   bl_str fallback)
{
    struct bl_cleaned *out = machine->cleaned;

    if (out == NULL)
        return;
    out->text = machine->state->cleaning->text;
    out->findings = bl_clean_findings(cleaning, &out->finding_count);
    out->fallback = fallback;
}

static bool one_line(uint32_t places)
{
    return (places & 1u << BL_PLACE_COMMENT_LINE) != 0 ||
           (places & 1u << BL_PLACE_COMMENT) == 0;
}

/* The text as CLEAN leaves it: what was cleaned, or what the second reading makes of it. What
 * is read again in its place, too, is known as words of others from here on. */
static enum bl_status finish(struct bl_machine *machine, struct bl_buf *cleaned, bool one_line,
                             struct bl_value *out)
{
    struct bl_cleaning_state *state = machine->state->cleaning;
    struct bl_foreign_words words = {.words = state->rules.words};
    bl_str fallback = {NULL, 0};

    words.allowed = bl_clean_allowed(state->cleaning, &words.allowed_count);
    if (!cleaned->failed && bl_clean_has(&state->rules, BL_CLEAN_REREAD)) {
        const struct bl_reread_rules rules = {words.allowed, words.allowed_count, words.words};
        fallback = bl_reread(machine->arena, bl_buf_str(cleaned), &rules);
    }
    report(machine, state->cleaning, fallback);
    state->cleaning = NULL;
    if (fallback.len > 0) {
        words.allowed_count = 0;
        bl_machine_buf(machine, cleaned);
        bl_clean_fenced(state->text, one_line, cleaned);
    }
    enum bl_status status = bl_charge_text(machine, cleaned->len);
    if (status == BL_OK)
        status = bl_machine_text(machine, cleaned, out);
    if (status != BL_OK || !bl_clean_has(&state->rules, BL_CLEAN_REREAD) || out->len == 0)
        return status;
    words.text = bl_text_of(*out);
    words.source = state->text;
    words.one_line = one_line;
    return bl_compose_foreign(machine, words, out);
}

enum bl_status bl_op_clean(struct bl_machine *machine, const struct bl_frame *frame,
                           const struct bl_insn *insn)
{
    const struct bl_module *m = machine->module;
    const struct bl_module_sanitizer *row = &m->SANITIZERS_rows[insn->c];
    const struct bl_value *args = frame->registers + insn->b;
    struct bl_buf out;
    size_t count;
    size_t next[2] = {0, 0}; /* addresses, references */

    if (row->reads_markdown == 0) {
        frame->registers[insn->a] = args[0];
        return BL_OK;
    }
    enum bl_status status = read_text(machine, args, args[2], insn->c);
    if (status != BL_OK)
        return status;
    struct bl_cleaning *cleaning = machine->state->cleaning->cleaning;
    struct bl_clean_part *parts = bl_clean_found(cleaning, &count);
    for (size_t i = 0; i < count; i++) {
        unsigned which = is_address(&parts[i]) ? 0 : 1;
        decide(m, row, args[3 + which], next[which]++, &parts[i]);
    }
    bl_machine_buf(machine, &out);
    if (!bl_clean_finish(cleaning, &out) && !out.failed)
        return bl_machine_nomem(machine);
    return finish(machine, &out, one_line(row->places), &frame->registers[insn->a]);
}
