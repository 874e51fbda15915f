/* SPDX-License-Identifier: Apache-2.0 */
#include "vm/compose.h"

#include "text/clean.h"
#include "text/reread.h"

/* Composed texts, and the second reading of what is posted. */

#define NOBODY     UINT32_MAX
#define MOST_TRIED 32u /* with more texts of others in it, all of a comment become code */

/* A stretch of a text: own words, or those of others with what stands behind their line ends.
 */
struct stretch {
    uint32_t foreign; /* NOBODY: own words */
    bl_str text;      /* own words; or what stands behind line ends */
};

struct composition {
    struct stretch *stretches;
    uint32_t count;
};

struct bl_compositions {
    BL_VEC(struct bl_foreign_words) foreign;
    BL_VEC(struct composition) made; /* value.aux is the number of one, from 1 */
};

/* As code nothing in it can close: a block, or a span where a block cannot begin. */
enum form { STAND_IN, CLEANED, BLOCK, SPAN };

static struct bl_compositions *compositions(struct bl_machine *machine)
{
    if (machine->state->compositions == NULL)
        machine->state->compositions = BL_NEW(machine->arena, struct bl_compositions);
    return machine->state->compositions;
}

static const struct composition *composition_of(const struct bl_machine *machine,
                                                struct bl_value value)
{
    if (value.tag != BL_V_TEXT || value.aux == 0)
        return NULL;
    const struct bl_compositions *all = machine->state->compositions;
    return all != NULL && value.aux <= all->made.count ? &all->made.items[value.aux - 1] : NULL;
}

static enum bl_status add(struct bl_machine *machine, struct composition made,
                          struct bl_value *value)
{
    struct bl_compositions *all = machine->state->compositions;

    if (all->made.count >= UINT16_MAX)
        return bl_machine_fail(machine, BL_ERR_LIMIT,
                               BL_STR("Too many texts hold words of others."));
    struct composition *slot = BL_PUSH(machine->arena, all->made);
    if (slot == NULL)
        return bl_machine_nomem(machine);
    *slot = made;
    value->aux = (uint16_t)all->made.count;
    return bl_charge(machine, made.count);
}

enum bl_status bl_compose_foreign(struct bl_machine *machine, struct bl_foreign_words words,
                                  struct bl_value *value)
{
    struct bl_compositions *all = compositions(machine);
    struct stretch *stretch = BL_NEW(machine->arena, struct stretch);
    struct bl_foreign_words *slot = NULL;

    if (all != NULL && stretch != NULL)
        slot = BL_PUSH(machine->arena, all->foreign);
    if (slot == NULL)
        return bl_machine_nomem(machine);
    *slot = words;
    stretch->foreign = (uint32_t)all->foreign.count - 1;
    return add(machine, (struct composition){stretch, 1}, value);
}

/* ---- joining ----------------------------------------------------------------------------- */

static enum bl_status join_stretches(struct bl_machine *machine, const struct bl_value *parts,
                                     size_t count, struct bl_value *out)
{
    struct composition made = {NULL, 0};
    uint32_t total = 0;

    for (size_t i = 0; i < count; i++) {
        const struct composition *part = composition_of(machine, parts[i]);
        total += part != NULL ? part->count : 1;
    }
    made.stretches = BL_NEW_ARRAY(machine->arena, total, struct stretch);
    if (made.stretches == NULL)
        return bl_machine_nomem(machine);
    for (size_t i = 0; i < count; i++) {
        const struct composition *part = composition_of(machine, parts[i]);
        if (part == NULL)
            made.stretches[made.count++] = (struct stretch){NOBODY, bl_text_of(parts[i])};
        for (uint32_t k = 0; part != NULL && k < part->count; k++)
            made.stretches[made.count++] = part->stretches[k];
    }
    return add(machine, made, out);
}

enum bl_status bl_compose_join(struct bl_machine *machine, const struct bl_value *parts,
                               size_t count, struct bl_value *out)
{
    struct bl_buf joined;
    struct bl_value text;
    bool composed = false;

    bl_machine_buf(machine, &joined);
    for (size_t i = 0; i < count; i++) {
        bl_buf_put(&joined, bl_text_of(parts[i]));
        composed = composed || composition_of(machine, parts[i]) != NULL;
    }
    enum bl_status status = bl_machine_text(machine, &joined, &text);
    if (status == BL_OK && composed)
        status = join_stretches(machine, parts, count, &text);
    *out = text;
    return status;
}

/* ---- lines ------------------------------------------------------------------------------- */

/* Markdown ends lines with LF, CR or both together. */
static void put_indented(struct bl_buf *out, bl_str s, bl_str prefix)
{
    for (size_t i = 0; i < s.len; i++) {
        bool split = s.ptr[i] == '\r' && i + 1 < s.len && s.ptr[i + 1] == '\n';

        bl_buf_put_char(out, s.ptr[i]);
        if (!split && (s.ptr[i] == '\n' || s.ptr[i] == '\r'))
            bl_buf_put(out, prefix);
    }
}

static enum bl_status indent_stretch(struct bl_machine *machine, struct stretch *stretch,
                                     bl_str prefix)
{
    struct bl_value text;
    struct bl_buf out;

    bl_machine_buf(machine, &out);
    if (stretch->foreign == NOBODY) {
        put_indented(&out, stretch->text, prefix);
    } else {
        bl_buf_put(&out, prefix);
        bl_buf_put(&out, stretch->text);
    }
    enum bl_status status = bl_machine_text(machine, &out, &text);
    stretch->text = bl_text_of(text);
    return status;
}

enum bl_status bl_compose_lines(struct bl_machine *machine, struct bl_value value,
                                bl_str prefix, struct bl_value *out)
{
    const struct composition *from = composition_of(machine, value);
    struct bl_value text;
    struct bl_buf lines;

    bl_machine_buf(machine, &lines);
    put_indented(&lines, bl_text_of(value), prefix);
    enum bl_status status = bl_machine_text(machine, &lines, &text);
    if (status == BL_OK && from != NULL) {
        struct composition made = {BL_NEW_ARRAY(machine->arena, from->count, struct stretch),
                                   from->count};
        if (made.stretches == NULL)
            return bl_machine_nomem(machine);
        for (uint32_t i = 0; status == BL_OK && i < made.count; i++) {
            made.stretches[i] = from->stretches[i];
            status = indent_stretch(machine, &made.stretches[i], prefix);
        }
        if (status == BL_OK)
            status = add(machine, made, &text);
    }
    if (status == BL_OK)
        *out = text;
    return status;
}

/* ---- the whole --------------------------------------------------------------------------- */

struct settling {
    struct bl_machine *machine;
    const struct composition *whole;
    enum form *forms; /* of each stretch */
    bl_str without;   /* with the stand-in for all that others wrote */
    struct bl_reread_rules rules;
};

static void put_form(const struct settling *s, uint32_t index, struct bl_buf *out)
{
    const struct stretch *stretch = &s->whole->stretches[index];
    const struct bl_foreign_words *words =
        &s->machine->state->compositions->foreign.items[stretch->foreign];
    struct bl_buf code;

    switch (s->forms[index]) {
    case STAND_IN:
        BL_PUT(out, BL_REREAD_STAND_IN);
        return;
    case CLEANED:
        put_indented(out, words->text, stretch->text);
        return;
    case BLOCK:
    case SPAN:
        break;
    }
    bl_machine_buf(s->machine, &code);
    bl_clean_fenced(words->source, words->one_line || s->forms[index] == SPAN, &code);
    put_indented(out, bl_buf_str(&code), stretch->text);
    out->failed = out->failed || code.failed;
}

static enum bl_status build(struct settling *s, struct bl_value *out)
{
    struct bl_buf text;

    bl_machine_buf(s->machine, &text);
    for (uint32_t i = 0; i < s->whole->count; i++) {
        struct stretch stretch = s->whole->stretches[i];
        if (stretch.foreign == NOBODY)
            bl_buf_put(&text, stretch.text);
        else
            put_form(s, i, &text);
    }
    return bl_machine_text(s->machine, &text, out);
}

static void take_form(struct settling *s, enum form form)
{
    for (uint32_t i = 0; i < s->whole->count; i++)
        s->forms[i] = form;
}

/* What shows in the text with the forms in hand; empty: nothing. */
static enum bl_status judge(struct settling *s, struct bl_value *text, bl_str *shows)
{
    enum bl_status status = build(s, text);

    if (status == BL_OK)
        status = bl_charge_text(s->machine, text->len);
    if (status == BL_OK)
        *shows =
            bl_reread_in_place(s->machine->arena, bl_text_of(*text), s->without, &s->rules);
    return status;
}

/* All that may show in some part of the whole. */
static enum bl_status gather(struct settling *s)
{
    const struct bl_foreign_words *foreign = s->machine->state->compositions->foreign.items;
    size_t count = 0;

    for (uint32_t i = 0; i < s->whole->count; i++) {
        if (s->whole->stretches[i].foreign != NOBODY)
            count += foreign[s->whole->stretches[i].foreign].allowed_count;
    }
    bl_str *allowed = BL_NEW_ARRAY(s->machine->arena, count + 1, bl_str);
    s->forms = BL_NEW_ARRAY(s->machine->arena, s->whole->count, enum form);
    if (allowed == NULL || s->forms == NULL)
        return bl_machine_nomem(s->machine);
    s->rules.allowed = allowed;
    for (uint32_t i = 0; i < s->whole->count; i++) {
        if (s->whole->stretches[i].foreign == NOBODY)
            continue;
        const struct bl_foreign_words *words = &foreign[s->whole->stretches[i].foreign];
        for (size_t k = 0; k < words->allowed_count; k++)
            allowed[s->rules.count++] = words->allowed[k];
        s->rules.words |= words->words;
    }
    return bl_charge(s->machine, count);
}

/* Text after text is put in the place of its stand-in; one that shows becomes code. */
static enum bl_status try_each(struct settling *s, struct bl_value *text, bl_str *shows)
{
    enum bl_status status = BL_OK;
    uint32_t tried = 0;

    take_form(s, STAND_IN);
    for (uint32_t i = 0; status == BL_OK && i < s->whole->count; i++) {
        if (s->whole->stretches[i].foreign == NOBODY)
            continue;
        s->forms[i] = tried++ < MOST_TRIED ? CLEANED : BLOCK;
        status = judge(s, text, shows);
        while (status == BL_OK && shows->len > 0 && s->forms[i] < SPAN) {
            s->forms[i]++;
            status = judge(s, text, shows);
        }
        if (shows->len > 0)
            break;
    }
    return status;
}

enum bl_status bl_op_settle(struct bl_machine *machine, const struct bl_frame *frame,
                            const struct bl_insn *insn)
{
    struct bl_value text = frame->registers[insn->b];
    struct settling s = {.machine = machine, .whole = composition_of(machine, text)};
    bl_str shows = {NULL, 0};
    struct bl_value without;

    frame->registers[insn->a] = text;
    if (s.whole == NULL)
        return BL_OK;
    enum bl_status status = gather(&s);
    if (status == BL_OK)
        status = build(&s, &without);
    if (status != BL_OK)
        return status;
    s.without = bl_text_of(without);
    take_form(&s, CLEANED);
    status = judge(&s, &text, &shows);
    if (status == BL_OK && shows.len > 0)
        status = try_each(&s, &text, &shows);
    if (status == BL_OK && shows.len > 0)
        return bl_machine_guard(
            machine, BL_STR("What others wrote would show as more than words in this comment, "
                            "also as code: it stands where Markdown is off, inside of HTML."));
    if (status == BL_OK)
        frame->registers[insn->a] = text;
    return status;
}
