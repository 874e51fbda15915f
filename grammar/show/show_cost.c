/* SPDX-License-Identifier: Apache-2.0 */
#include "show/show_cost.h"

#include "show/show_text.h"

/* Jumps go forward, loops go through a list, and functions call those of a lower index. So each
 * instruction runs once in each round of the loops around it, and functions are counted in the
 * order of their indices. */

#define DEGREES   9u /* more loops in loops are counted as a bound that is not known */
#define UNBOUNDED UINT64_MAX

/* Coefficients of 1, n, n² …; UNBOUNDED sticks. */
struct polynomial {
    uint64_t of[DEGREES];
    bool unknown;
};
enum counted { INSTRUCTIONS, READS, EFFECTS, COUNTED };
struct cost {
    struct polynomial of[COUNTED];
};
struct counting {
    const struct bl_module *module;
    struct cost *functions; /* by index */
    uint32_t current;
};

static uint64_t sum(uint64_t a, uint64_t b)
{
    return a > UNBOUNDED - b ? UNBOUNDED : a + b;
}

static void add(struct polynomial *to, const struct polynomial *what, unsigned degree)
{
    to->unknown = to->unknown || what->unknown;
    for (unsigned i = 0; i < DEGREES; i++) {
        if (what->of[i] == 0)
            continue;
        if (i + degree >= DEGREES)
            to->unknown = true;
        else
            to->of[i + degree] = sum(to->of[i + degree], what->of[i]);
    }
}

static void add_cost(struct cost *to, const struct cost *what, unsigned degree)
{
    for (unsigned k = 0; k < COUNTED; k++)
        add(&to->of[k], &what->of[k], degree);
}

static void add_one(struct cost *to, enum counted what, unsigned degree)
{
    static const struct polynomial one = {.of = {1}};

    add(&to->of[what], &one, degree);
}

/* The greatest of each coefficient: at least as much as either. */
static void raise_cost(struct cost *most, const struct cost *what)
{
    for (unsigned k = 0; k < COUNTED; k++) {
        most->of[k].unknown = most->of[k].unknown || what->of[k].unknown;
        for (unsigned d = 0; d < DEGREES; d++) {
            if (what->of[k].of[d] > most->of[k].of[d])
                most->of[k].of[d] = what->of[k].of[d];
        }
    }
}

/* ---- functions
 * -------------------------------------------------------------------------------------- */

static void add_call(struct counting *c, struct cost *to, uint32_t function, unsigned degree)
{
    if (function < c->current)
        add_cost(to, &c->functions[function], degree);
    else
        to->of[INSTRUCTIONS].unknown = true;
}

/* In one language of all of them. */
static void add_message(struct counting *c, struct cost *to, uint32_t message, unsigned degree)
{
    const struct bl_module *m = c->module;
    struct cost most = {0};

    for (uint32_t i = 0; i < m->LOCALES_count; i++) {
        uint32_t function =
            m->MESSAGE_FUNCTIONS_rows[m->MESSAGES_rows[message].first_function + i];

        if (function >= c->current)
            continue;
        raise_cost(&most, &c->functions[function]);
    }
    add_cost(to, &most, degree);
}

static bool asks(enum bl_read read)
{
    return read != BL_READ_PAYLOAD && read != BL_READ_STORED && read != BL_READ_DECLARED;
}

static void add_field(struct counting *c, struct cost *to, uint32_t field, unsigned degree)
{
    const struct bl_module *m = c->module;
    const struct bl_field_info *info = bl_field_info((enum bl_field)field);

    if (info != NULL && asks(info->read))
        add_one(to, READS, degree);
    for (uint32_t i = 0; field == BL_FIELD_LABEL_DESCRIPTION && i < m->LABELS_count; i++) {
        if (m->LABELS_rows[i].description_function != BL_NONE)
            add_call(c, to, m->LABELS_rows[i].description_function, degree);
    }
}

static void add_instruction(struct counting *c, struct cost *to, const struct bl_insn *insn,
                            unsigned degree)
{
    const struct bl_builtin_info *builtin;

    add_one(to, INSTRUCTIONS, degree);
    if (insn->op == BL_OP_CALL || insn->op == BL_OP_GATE)
        add_call(c, to, insn->c, degree);
    else if (insn->op == BL_OP_SETTING)
        add_call(c, to, c->module->SETTINGS_rows[insn->c].function, degree);
    else if (insn->op == BL_OP_MESSAGE)
        add_message(c, to, insn->c, degree);
    else if (insn->op == BL_OP_FIELD)
        add_field(c, to, insn->c, degree);
    else if (insn->op == BL_OP_POSTED || insn->op == BL_OP_STORED)
        add_one(to, READS, degree);
    else if (insn->op == BL_OP_EFFECT)
        add_one(to, EFFECTS, degree);
    if (insn->op != BL_OP_BUILTIN)
        return;
    builtin = bl_builtin_info((enum bl_builtin)insn->c);
    if (asks(builtin->read))
        add_one(to, READS, degree);
    if (builtin->cost == BL_COST_LIST)
        add_one(to, INSTRUCTIONS, degree + 1);
}

/* A loop is what stands from its NEXT to the LOOP that goes back there. The NEXT runs once more
 * than the rest. */
static void count_function(struct counting *c, struct bl_arena *arena, uint32_t index)
{
    const struct bl_function *f = &c->module->FUNCTIONS_rows[index];
    const struct bl_insn *code = bl_module_code(c->module, f);
    uint32_t count = bl_module_insn_count(c->module, f);
    uint32_t *closes = BL_NEW_ARRAY(arena, count + 1, uint32_t);
    unsigned degree = 0;

    c->current = index;
    if (closes == NULL)
        return;
    for (uint32_t i = 0; i < count; i++) {
        if (code[i].op == BL_OP_LOOP && code[i].c < count)
            closes[code[i].c] = i;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (code[i].op == BL_OP_NEXT && closes[i] > i) {
            add_one(&c->functions[index], INSTRUCTIONS, degree);
            degree++;
        }
        add_instruction(c, &c->functions[index], &code[i], degree);
        if (code[i].op == BL_OP_LOOP && degree > 0)
            degree--;
    }
}

/* ---- the page
 * --------------------------------------------------------------------------------------- */

static void put_polynomial(const struct polynomial *p, struct bl_buf *out)
{
    bool some = false;

    if (p->unknown) {
        BL_PUT(out, "not known");
        return;
    }
    for (unsigned d = 0; d < DEGREES; d++) {
        if (p->of[d] == 0)
            continue;
        bl_buf_put(out, some ? BL_STR(" + ") : BL_STR(""));
        if (p->of[d] == UNBOUNDED)
            BL_PUT(out, "∞");
        else if (p->of[d] != 1 || d == 0)
            bl_buf_put_int(out, (int64_t)p->of[d]);
        if (d > 0)
            BL_PUT(out, "n");
        if (d > 1)
            bl_buf_printf(out, "^%u", d);
        some = true;
    }
    bl_buf_put(out, some ? BL_STR("") : BL_STR("0"));
}

static void put_cost(const struct cost *cost, struct bl_buf *out)
{
    for (unsigned k = 0; k < COUNTED; k++) {
        put_polynomial(&cost->of[k], out);
        bl_buf_put(out, k + 1 < COUNTED ? BL_STR(" | ") : BL_STR(" |\n"));
    }
}

/* An entry with its conditions, and once for each unit where it has units. */
static struct cost entry_cost(const struct counting *c, const struct bl_entry *entry)
{
    struct cost total = {0};
    const struct bl_module_step step =
        bl_module_step(c->module, (uint32_t)(entry - c->module->ENTRIES_rows));
    const uint32_t once[] = {step.units, step.when, step.at_most};

    add_cost(&total, &c->functions[entry->function], step.units != BL_NONE ? 1 : 0);
    for (size_t i = 0; i < sizeof once / sizeof once[0]; i++) {
        if (once[i] != BL_NONE)
            add_cost(&total, &c->functions[once[i]], 0);
    }
    return total;
}

static bl_str kind_name(enum bl_entry_kind kind)
{
    switch (kind) {
    case BL_ENTRY_RULE:
        return BL_STR("rule");
    case BL_ENTRY_STEP:
        return BL_STR("step");
    case BL_ENTRY_DECISION:
        return BL_STR("decision");
    case BL_ENTRY_CHECK:
        return BL_STR("check");
    case BL_ENTRY_SCREEN:
        return BL_STR("screen");
    case BL_ENTRY_DEFINE:
        return BL_STR("define");
    case BL_ENTRY_TEST:
        return BL_STR("test");
    case BL_ENTRY_SANITIZER:
        return BL_STR("sanitizer");
    case BL_ENTRY_REPORT:
        return BL_STR("report");
    case BL_ENTRY_CALLED:
        return BL_STR("entry");
    case BL_ENTRY_POSTED:
        return BL_STR("posted");
    }
    return (bl_str){NULL, 0};
}

static void put_entries(const struct counting *c, struct bl_buf *out)
{
    const struct bl_module *m = c->module;

    BL_PUT(out, "| entry | instructions | reads | effects |\n|---|--:|--:|--:|\n");
    for (uint32_t i = 0; i < m->ENTRIES_count; i++) {
        const struct bl_entry *entry = &m->ENTRIES_rows[i];
        struct cost cost = entry_cost(c, entry);

        if (entry->kind == BL_ENTRY_TEST)
            continue;
        bl_buf_printf(out, "| %.*s ", BL_STR_ARG(kind_name((enum bl_entry_kind)entry->kind)));
        bl_show_code(out, bl_module_string(m, entry->name));
        BL_PUT(out, " | ");
        put_cost(&cost, out);
    }
    BL_PUT(out, "\n");
}

/* What whoever opens an issue, edits it or comments on it can make the policy do each time. */
static void put_hostile(const struct cost *most, struct bl_buf *out)
{
    BL_PUT(out, "One hostile issue, edit or comment causes at most ");
    put_polynomial(&most->of[EFFECTS], out);
    BL_PUT(out, " effects, ");
    put_polynomial(&most->of[READS], out);
    BL_PUT(out, " reads and ");
    put_polynomial(&most->of[INSTRUCTIONS], out);
    bl_buf_printf(out,
                  " instructions, whatever it says, and never more than the %llu effects and "
                  "%llu instructions that end a unit.\n\n",
                  (unsigned long long)bl_limit(BL_LIMIT_EFFECTS),
                  (unsigned long long)bl_limit(BL_LIMIT_RUN_INSTRUCTIONS));
}

static void put_events(const struct counting *c, struct bl_buf *out)
{
    const struct bl_module *m = c->module;
    struct cost most = {0};
    bool by_anyone = false;

    if (m->EVENT_RULES_count == 0)
        return;
    BL_PUT(out, "The most that one event causes, all rules that listen to it together:\n\n");
    BL_PUT(out, "| event | instructions | reads | effects |\n|---|--:|--:|--:|\n");
    for (uint32_t i = 0; i < m->EVENT_RULES_count;) {
        uint32_t event = m->EVENT_RULES_rows[i].event;
        struct cost total = {0};

        for (; i < m->EVENT_RULES_count && m->EVENT_RULES_rows[i].event == event; i++) {
            struct cost cost = entry_cost(c, &m->ENTRIES_rows[m->EVENT_RULES_rows[i].entry]);

            add_cost(&total, &cost, 0);
        }
        if (bl_event_info((enum bl_event_id)event)->level == BL_LEVEL_ANYONE) {
            raise_cost(&most, &total);
            by_anyone = true;
        }
        BL_PUT(out, "| `");
        bl_show_event(out, event);
        BL_PUT(out, "` | ");
        put_cost(&total, out);
    }
    BL_PUT(out, "\n");
    if (by_anyone)
        put_hostile(&most, out);
}

void bl_show_cost(struct bl_arena *arena, const struct bl_module *module, struct bl_buf *out)
{
    struct counting c = {.module = module};

    c.functions = BL_NEW_ARRAY(arena, module->FUNCTIONS_count + 1, struct cost);
    if (c.functions == NULL) {
        out->failed = true;
        return;
    }
    for (uint32_t i = 0; i < module->FUNCTIONS_count; i++)
        count_function(&c, arena, i);
    out->failed = out->failed || arena->failed;
    BL_PUT(
        out,
        "# Cost\n\nMade from the module by `policyc --emit=cost`. Each number is a bound "
        "that counts every branch; n is the length of the longest list that is gone "
        "through. What is read twice is asked once, so there are fewer reads; work inside of "
        "a text is charged to the limit of instructions and not counted here. ");
    bl_buf_printf(out,
                  "Whatever stands here, one unit ends after %llu instructions or %llu "
                  "effects, and a list has at most %llu elements.\n\n",
                  (unsigned long long)bl_limit(BL_LIMIT_RUN_INSTRUCTIONS),
                  (unsigned long long)bl_limit(BL_LIMIT_EFFECTS),
                  (unsigned long long)bl_limit(BL_LIMIT_LIST_ITEMS));
    put_entries(&c, out);
    put_events(&c, out);
}
