/* SPDX-License-Identifier: Apache-2.0 */
#include "base/num.h"
#include "base/utf8.h"
#include "bylaw/redact_questions.h"

#include <string.h>

/* redact-check --probe N: fakes of all that the redaction masks, made of its own patterns, set
 * into texts of all sorts. What the redaction finds when it stands alone it has to find there.
 */

#define NOTHING   ((bl_str){NULL, 0})
#define MOST      1000
#define TRIES     200u /* for one fake that the row itself takes: conditions refuse many */
#define SEED      UINT64_C(20)
#define SHOWN     240u /* bytes of an example */
#define AROUND    256u /* bytes of the sample on each side of a fake */
#define LEAST_RUN 16u  /* shorter runs of Base64 and hex are words: decodings.def */
#define LONG_FORM 8u   /* shorter values are looked for as they are: secret/known.h */

static const struct {
    const char *name;
    bool is_line;
    bl_str before, behind, never;
} places[] = {
#define BL_PROBE_PLACE(name, is_line, before, behind, never)                                   \
    {name,                                                                                     \
     is_line,                                                                                  \
     {before, sizeof(before) - 1},                                                             \
     {behind, sizeof(behind) - 1},                                                             \
     {never, sizeof(never) - 1}},
#define BL_PROBE_FORM(name, encoder, front, decoding, known)
#include "bylaw/redact_probe.def"
#undef BL_PROBE_PLACE
#undef BL_PROBE_FORM
};
#define PLACES (sizeof places / sizeof places[0])

static const struct {
    const char *name;
    bl_probe_encoder *encode;
    bl_str front;
    unsigned decoding; /* BL_DECODING_COUNT: none is needed */
    bool of_known;
} forms[] = {
#define BL_PROBE_PLACE(name, is_line, before, behind, never)
#define BL_PROBE_FORM(name, encoder, front, decoding, known)                                   \
    {name, bl_probe_##encoder, {front, sizeof(front) - 1}, BL_DECODING_##decoding, known},
#include "bylaw/redact_probe.def"
#undef BL_PROBE_PLACE
#undef BL_PROBE_FORM
};
#define FORMS (sizeof forms / sizeof forms[0])

/* What fakes are made of: a row with a pattern, a further pattern, or a known value. */
struct origin {
    bl_str kind, source;
    uint32_t mask;
    bl_str pattern; /* "/…/flags" */
    bl_str until;   /* of what ends it; empty */
    bl_str value;   /* then there is no pattern */
};
struct fake {
    bl_str text;
    size_t lo, hi; /* what of it is secret */
    bool of_line;  /* its row wants a line of its own */
};
struct tally {
    uint64_t tried, left;
    bl_str example; /* of what was left, as long as it is no known value */
};
struct probe {
    struct bl_check_answer *a;
    struct bl_redactor *redactor;
    uint64_t random;
    int64_t count;
    const struct origin *origin;
    struct tally tallies[FORMS][PLACES + 1]; /* behind the places: in the sample */
    uint64_t texts, left, origins, without;
};

/* ---- fakes ------------------------------------------------------------------------------- */

static bl_str source_of(const struct probe *p, uint32_t pattern)
{
    const struct bl_module *m = &p->a->c->session.module;

    return pattern == BL_NONE ? NOTHING : bl_module_string(m, m->PATTERNS_rows[pattern].source);
}

/* The span of the row, else the first. */
static bool find_secret(const struct origin *origin, const struct bl_redacted *masked,
                        struct fake *fake)
{
    const struct bl_redacted_span *span = NULL;

    for (size_t i = 0; i < masked->list.count; i++) {
        const struct bl_redacted_span *this = &masked->list.items[i];
        if (span == NULL || (span->mask != origin->mask && this->mask == origin->mask))
            span = this;
    }
    if (span == NULL)
        return false;
    fake->lo = span->lo;
    fake->hi = span->hi;
    return true;
}

/* The row found it, and at first: all of it alone. Rows that seldom do have others, which find
 * more. */
static bool is_of_row(const struct bl_redactor_row *before, struct bl_redactor_row row,
                      const struct fake *fake, unsigned tries)
{
    uint64_t matches = row.matches - before->matches;

    return tries < TRIES / 2 ? matches == 1 && row.bytes - before->bytes == fake->hi - fake->lo
                             : matches > 0;
}

/* One that the row itself finds when nothing stands around it. */
static enum bl_exit make_fake(struct probe *p, struct bl_arena *arena, struct fake *fake,
                              bool *made)
{
    const struct origin *origin = p->origin;
    enum bl_exit exit = BL_EXIT_OK;

    *made = origin->value.len > 0;
    *fake = (struct fake){origin->value, 0, origin->value.len, false};
    for (unsigned i = 0; i < TRIES && !*made && exit == BL_EXIT_OK; i++) {
        struct bl_redactor_row before = bl_redactor_row(p->redactor, origin->mask);
        struct bl_redacted masked;
        struct bl_buf out;

        bl_buf_init(&out, arena, 1 << 18);
        fake->of_line = false;
        if (!bl_pattern_example(&p->a->c->work, origin->pattern, &p->random, &out,
                                &fake->of_line) ||
            (origin->until.len > 0 && !bl_pattern_example(&p->a->c->work, origin->until,
                                                          &p->random, &out, &fake->of_line)))
            return bl_check_out_of_memory(p->a->c);
        fake->text = bl_buf_str(&out);
        exit = bl_answer_mask(p->a, p->redactor, fake->text, &masked);
        *made = exit == BL_EXIT_OK && find_secret(origin, &masked, fake) &&
                is_of_row(&before, bl_redactor_row(p->redactor, origin->mask), fake, i);
        bl_arena_reset(&p->a->c->work);
    }
    return exit;
}

/* ---- one text ---------------------------------------------------------------------------- */

static bool is_read(const struct probe *p, size_t form)
{
    const struct bl_module *m = &p->a->c->session.module;
    uint32_t decoded = m->REDACTIONS_rows[p->a->c->redaction].view.decoded;
    const struct origin *origin = p->origin;

    if (forms[form].decoding == BL_DECODING_COUNT)
        return true;
    if (origin->value.len > 0 && origin->value.len < LONG_FORM)
        return false;
    return (decoded >> forms[form].decoding & 1) != 0 ||
           (origin->value.len > 0 && forms[form].of_known);
}

static bool may_stand(bl_str text, bl_str never)
{
    for (size_t i = 0; i < never.len; i++) {
        if (bl_str_find_char(text, never.ptr[i]) != SIZE_MAX)
            return false;
    }
    return true;
}

static bool is_covered(const struct bl_redacted *masked, size_t lo, size_t hi)
{
    for (size_t i = 0; i < masked->list.count && lo < hi; i++) {
        const struct bl_redacted_span *span = &masked->list.items[i];
        if (span->lo <= lo && lo < span->hi)
            lo = span->hi;
    }
    return lo >= hi;
}

static enum bl_exit try_text(struct probe *p, size_t form, size_t place, bl_str before,
                             const struct fake *coded, bl_str behind)
{
    struct tally *tally = &p->tallies[form][place];
    struct bl_redacted masked;
    struct bl_buf out;

    bl_buf_init(&out, &p->a->c->work, p->a->c->work.limit);
    bl_buf_put(&out, before);
    bl_buf_put(&out, coded->text);
    bl_buf_put(&out, behind);
    if (out.failed)
        return bl_check_out_of_memory(p->a->c);
    enum bl_exit exit = bl_answer_mask(p->a, p->redactor, bl_buf_str(&out), &masked);
    if (exit != BL_EXIT_OK)
        return exit;
    bool left = !is_covered(&masked, before.len + coded->lo, before.len + coded->hi);
    tally->tried++;
    tally->left += left;
    if (left && tally->example.len == 0 && p->origin->value.len == 0)
        tally->example = bl_arena_copy(&p->a->c->arena, bl_buf_str(&out));
    bl_arena_reset(&p->a->c->work);
    return BL_EXIT_OK;
}

/* In place of a word of the sample, with what stands around it there. */
static enum bl_exit try_in_sample(struct probe *p, size_t form, const struct fake *coded)
{
    const bl_str ends = BL_STR(" \t\r\n\"'`<>()[]{},;|=:&?");
    bl_str sample = p->a->sample;
    size_t lo, hi;

    if (sample.len == 0)
        return BL_EXIT_OK;
    lo = bl_pattern_chance(&p->random, (uint32_t)sample.len);
    while (lo > 0 && bl_str_find_char(ends, sample.ptr[lo - 1]) == SIZE_MAX)
        lo--;
    for (hi = lo; hi < sample.len && bl_str_find_char(ends, sample.ptr[hi]) == SIZE_MAX;)
        hi++;
    return try_text(p, form, PLACES, bl_str_slice(sample, lo > AROUND ? lo - AROUND : 0, lo),
                    coded, bl_str_slice(sample, hi, hi + AROUND));
}

static enum bl_exit try_form(struct probe *p, size_t form, const struct fake *coded)
{
    enum bl_exit exit = BL_EXIT_OK;

    for (size_t i = 0; i < PLACES && exit == BL_EXIT_OK; i++) {
        if (may_stand(coded->text, places[i].never) && (!coded->of_line || places[i].is_line))
            exit = try_text(p, form, i, places[i].before, coded, places[i].behind);
    }
    return exit == BL_EXIT_OK && p->a->has_sample && !coded->of_line
               ? try_in_sample(p, form, coded)
               : exit;
}

static enum bl_exit try_fake(struct probe *p, const struct fake *fake)
{
    enum bl_exit exit = BL_EXIT_OK;

    for (size_t f = 0; f < FORMS && exit == BL_EXIT_OK; f++) {
        struct bl_arena arena;
        struct bl_buf plain, out;
        size_t lo = fake->lo + forms[f].front.len, hi = fake->hi + forms[f].front.len;
        bool is_run =
            forms[f].decoding == BL_DECODING_BASE64 || forms[f].decoding == BL_DECODING_HEX;

        if (!is_read(p, f) || (fake->of_line && forms[f].front.len > 0))
            continue;
        bl_arena_init(&arena, SIZE_MAX, NULL);
        bl_buf_init(&plain, &arena, 1 << 20);
        bl_buf_init(&out, &arena, 1 << 23);
        bl_buf_put(&plain, forms[f].front);
        bl_buf_put(&plain, fake->text);
        forms[f].encode(&out, bl_buf_str(&plain), &lo, &hi);
        struct fake coded = {bl_buf_str(&out), lo, hi, fake->of_line};
        if (plain.failed || out.failed)
            exit = bl_check_out_of_memory(p->a->c);
        else if (!is_run || coded.text.len >= LEAST_RUN)
            exit = try_form(p, f, &coded);
        bl_arena_reset(&arena);
    }
    return exit;
}

/* ---- what is said ------------------------------------------------------------------------ */

static void json_left(struct probe *p, const char *form, const char *place,
                      const struct tally *tally)
{
    struct bl_check_answer *a = p->a;
    const struct bl_module_mask *row = &a->c->session.module.MASKS_rows[p->origin->mask];

    bl_json_begin_object(&a->w);
    bl_answer_text(a, "kind", p->origin->kind);
    bl_answer_text(a, "source", p->origin->source);
    bl_answer_text(a, "encoding", bl_str_from(form));
    bl_answer_text(a, "context", bl_str_from(place));
    bl_answer_number(a, "tried", tally->tried);
    bl_answer_number(a, "left", tally->left);
    bl_answer_text(a, "rule", bl_answer_place(a, row->place, row->lo));
    bl_json_key(&a->w, BL_STR("example"));
    if (tally->example.len > 0)
        bl_json_string(&a->w, tally->example);
    else
        bl_json_null(&a->w);
    bl_json_end_object(&a->w);
}

/* A line for each form: the places in which it stays, and one of the texts. */
static void text_left(struct probe *p, size_t form, bool *first)
{
    struct bl_check_answer *a = p->a;
    const struct bl_module_mask *row = &a->c->session.module.MASKS_rows[p->origin->mask];
    bl_str example = NOTHING;

    if (*first) {
        BL_PUT(&a->out, "left: ");
        bl_report_visible(p->origin->source, &a->out);
        bl_buf_printf(&a->out, ", %.*s\n", BL_STR_ARG(bl_answer_place(a, row->place, row->lo)));
    }
    *first = false;
    bl_buf_printf(&a->out, "  %s", forms[form].name);
    for (size_t i = 0; i <= PLACES; i++) {
        const struct tally *tally = &p->tallies[form][i];
        if (tally->left == 0)
            continue;
        bl_buf_printf(&a->out, ", in %s %llu of %llu",
                      i < PLACES ? places[i].name : "the sample",
                      (unsigned long long)tally->left, (unsigned long long)tally->tried);
        example = example.len > 0 ? example : tally->example;
    }
    BL_PUT(&a->out, "\n");
    if (example.len > 0) {
        BL_PUT(&a->out, "      ");
        bl_report_visible(bl_utf8_prefix(example, SHOWN), &a->out);
        bl_buf_put(&a->out, example.len > SHOWN ? BL_STR(" …\n") : BL_STR("\n"));
    }
}

static void settle(struct probe *p)
{
    bool first = true;

    for (size_t f = 0; f < FORMS; f++) {
        uint64_t left = 0;
        for (size_t i = 0; i <= PLACES; i++) {
            const struct tally *tally = &p->tallies[f][i];
            p->texts += tally->tried;
            left += tally->left;
            if (tally->left > 0 && p->a->json)
                json_left(p, forms[f].name, i < PLACES ? places[i].name : "the sample", tally);
        }
        p->left += left;
        if (left > 0 && !p->a->json)
            text_left(p, f, &first);
    }
    memset(p->tallies, 0, sizeof p->tallies);
}

static void say_none(struct probe *p)
{
    struct bl_check_answer *a = p->a;
    const struct bl_module_mask *row = &a->c->session.module.MASKS_rows[p->origin->mask];

    p->without++;
    if (a->json)
        return;
    BL_PUT(&a->out, "not probed: ");
    bl_report_visible(p->origin->source, &a->out);
    bl_buf_printf(&a->out, ", for no fake was found that its row takes\n      %.*s\n",
                  BL_STR_ARG(bl_answer_place(a, row->place, row->lo)));
}

static enum bl_exit probe_origin(struct probe *p, const struct origin *origin)
{
    enum bl_exit exit = BL_EXIT_OK;
    int64_t count = origin->value.len > 0 ? 1 : p->count;
    bool made = true;

    p->origin = origin;
    p->origins++;
    for (int64_t i = 0; i < count && exit == BL_EXIT_OK && made; i++) {
        struct bl_arena arena;
        struct fake fake;

        bl_arena_init(&arena, SIZE_MAX, NULL);
        exit = make_fake(p, &arena, &fake, &made);
        if (exit == BL_EXIT_OK && made)
            exit = try_fake(p, &fake);
        bl_arena_reset(&arena);
    }
    if (exit == BL_EXIT_OK && !made)
        say_none(p);
    settle(p);
    return exit;
}

/* ---- all of them ------------------------------------------------------------------------- */

static enum bl_exit probe_rows(struct probe *p)
{
    const struct bl_module *m = &p->a->c->session.module;
    const struct bl_module_redaction *redaction = &m->REDACTIONS_rows[p->a->c->redaction];
    enum bl_exit exit = BL_EXIT_OK;

    for (uint32_t i = 0; i < redaction->mask_count && exit == BL_EXIT_OK; i++) {
        uint32_t mask = redaction->first_mask + i;
        const struct bl_module_mask *row = &m->MASKS_rows[mask];
        struct bl_redactor_row words = bl_redactor_row(p->redactor, mask);

        if (row->part == BL_NONE || row->field != BL_MASK_TEXT)
            continue;
        const struct bl_module_part *part = &m->PARTS_rows[row->part];
        struct origin origin = {words.kind,
                                words.source,
                                mask,
                                source_of(p, part->pattern),
                                source_of(p, part->until),
                                NOTHING};
        exit = probe_origin(p, &origin);
    }
    return exit;
}

/* The source of pattern `number` of the command line as a policy would have it. */
static bl_str given_pattern(const struct probe *p, size_t number)
{
    const struct bl_arguments *arguments = p->a->c->arguments;
    struct bl_buf out;

    bl_buf_init(&out, &p->a->c->arena, 1 << 20);
    for (size_t i = 0; i < arguments->given.count; i++) {
        const struct bl_given *g = &arguments->given.items[i];
        if (!bl_str_equal(bl_str_from(g->option->name), BL_STR("pattern")) || number-- > 0)
            continue;
        bl_buf_printf(&out, "/%.*s/", BL_STR_ARG(g->value));
        break;
    }
    return bl_buf_str(&out);
}

static enum bl_exit probe_known(struct probe *p)
{
    enum bl_exit exit = BL_EXIT_OK;
    size_t given = 0;

    for (size_t i = 0; i < bl_redactor_known_count(p->redactor) && exit == BL_EXIT_OK; i++) {
        struct bl_redactor_known known = bl_redactor_known(p->redactor, i);
        struct origin origin = {.kind = known.source,
                                .source = known.source,
                                .mask = known.mask,
                                .value = known.value,
                                .pattern = known.pattern};
        if (known.value.len == 0 && known.pattern.len == 0)
            origin.pattern = given_pattern(p, given++);
        exit = probe_origin(p, &origin);
    }
    return exit;
}

static enum bl_exit wrong_number(struct bl_check *c)
{
    struct bl_buf why;

    bl_buf_init(&why, &c->arena, 1024);
    bl_buf_printf(&why, "--probe takes a number of fakes of each kind, 1 to %d.", MOST);
    return bl_check_say(c, NOTHING, bl_buf_str(&why), BL_EXIT_USAGE);
}

/* Decodings that the redaction does not read, so that its kinds are not tried in them. */
static void say_not_read(struct probe *p)
{
    static const char *const words[] = {
#define BL_DECODING(ID, word, what) word,
#include "spec/decodings.def"
#undef BL_DECODING
    };
    struct bl_check_answer *a = p->a;
    uint32_t decoded = a->c->session.module.REDACTIONS_rows[a->c->redaction].view.decoded;
    const char *between = "probe: kinds are not tried in encodings that its view does not "
                          "decode: ";

    if (a->json) {
        bl_json_key(&a->w, BL_STR("not_read"));
        bl_json_begin_array(&a->w);
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if ((decoded >> i & 1) != 0)
            continue;
        if (a->json)
            bl_json_string(&a->w, bl_str_from(words[i]));
        else
            bl_buf_printf(&a->out, "%s%s", between, words[i]);
        between = ", ";
    }
    if (a->json)
        bl_json_end_array(&a->w);
    else if (between[0] == ',')
        BL_PUT(&a->out, "\n");
}

static void say_sum(struct probe *p)
{
    struct bl_check_answer *a = p->a;

    a->failed = a->failed || p->left > 0;
    if (a->json)
        bl_json_end_array(&a->w);
    say_not_read(p);
    if (a->json) {
        bl_answer_number(a, "kinds", p->origins - p->without);
        bl_answer_number(a, "not_probed", p->without);
        bl_answer_number(a, "texts", p->texts);
        bl_answer_number(a, "left_texts", p->left);
        bl_json_end_object(&a->w);
        return;
    }
    bl_buf_printf(&a->out,
                  "probe: %llu rows and values in %llu texts; in %llu of them something stays "
                  "readable\n",
                  (unsigned long long)(p->origins - p->without), (unsigned long long)p->texts,
                  (unsigned long long)p->left);
}

enum bl_exit bl_answer_probe(struct bl_check_answer *a)
{
    struct probe *p = BL_NEW(&a->c->arena, struct probe);
    int64_t count = 0;

    if (!bl_int_parse(bl_argument(a->c->arguments, "probe", NOTHING), &count) || count < 1 ||
        count > MOST)
        return wrong_number(a->c);
    if (a->c->is_trajectory)
        return bl_check_say(a->c, NOTHING,
                            BL_STR("--probe sets fakes into texts; give the sample as --file."),
                            BL_EXIT_USAGE);
    if (p == NULL)
        return bl_check_out_of_memory(a->c);
    p->a = a;
    p->random = SEED;
    p->count = count;
    enum bl_exit exit = bl_check_redactor(a->c, &p->redactor);
    if (exit == BL_EXIT_OK && a->json) {
        bl_json_key(&a->w, BL_STR("probe"));
        bl_json_begin_object(&a->w);
        bl_json_key(&a->w, BL_STR("left"));
        bl_json_begin_array(&a->w);
    }
    if (exit == BL_EXIT_OK)
        exit = probe_rows(p);
    if (exit == BL_EXIT_OK)
        exit = probe_known(p);
    if (exit == BL_EXIT_OK)
        say_sum(p);
    return exit;
}
