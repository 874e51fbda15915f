/* SPDX-License-Identifier: Apache-2.0 */
#include "base/lower_case.h"
#include "base/utf8.h"
#include "vm/builtins.h"

#include <inttypes.h>

/* Texts as characters, and what patterns find in them. */

enum bl_status bl_builtin_length(struct bl_builtin_call *call)
{
    bl_str s = bl_text_of(call->args[0]);

    *call->out = bl_int((int64_t)bl_utf8_length(s));
    return bl_charge_text(call->machine, s.len);
}

enum bl_status bl_builtin_bytes_of(struct bl_builtin_call *call)
{
    *call->out = bl_int((int64_t)bl_text_of(call->args[0]).len);
    return BL_OK;
}

enum bl_status bl_builtin_lower(struct bl_builtin_call *call)
{
    bl_str s = bl_text_of(call->args[0]);
    struct bl_buf out;

    bl_machine_buf(call->machine, &out);
    bl_lower_case(&out, s);
    return bl_machine_text(call->machine, &out, call->out);
}

enum bl_status bl_builtin_trim(struct bl_builtin_call *call)
{
    bl_str s = bl_text_of(call->args[0]);

    *call->out = bl_text(bl_str_trim(s));
    return bl_charge_text(call->machine, s.len);
}

enum bl_status bl_builtin_cut(struct bl_builtin_call *call)
{
    bl_str s = bl_text_of(call->args[0]);
    int64_t most = call->args[1].as.i;
    bl_str first = bl_utf8_first(s, most > 0 ? (size_t)most : 0);

    *call->out = bl_text(first);
    return bl_charge_text(call->machine, first.len);
}

enum bl_status bl_builtin_join(struct bl_builtin_call *call)
{
    bl_str between = bl_text_of(call->args[1]);
    struct bl_list *list;
    struct bl_buf out;
    enum bl_status status = bl_machine_list(call->machine, call->args[0], &list);

    if (status != BL_OK)
        return status;
    bl_machine_buf(call->machine, &out);
    for (size_t i = 0; i < list->count; i++) {
        bl_buf_put(&out, i > 0 ? between : BL_STR(""));
        bl_buf_put(&out, bl_text_of(list->items[i]));
    }
    status = bl_machine_text(call->machine, &out, call->out);
    return status == BL_OK ? bl_charge_text(call->machine, out.len + list->count) : status;
}

/* ---- checksums of tokens ------------------------------------------------------------------
 */

#define CRC32_REFLECTED UINT32_C(0xEDB88320)
#define MOST_DIGITS     32 /* of 32 bits, with two digits */

/* The CRC-32 of zip files (ISO 3309). */
static uint32_t crc32_of(bl_str s)
{
    uint32_t rest = UINT32_MAX;

    for (size_t i = 0; i < s.len; i++) {
        rest ^= (unsigned char)s.ptr[i];
        for (unsigned bit = 0; bit < 8; bit++)
            rest = rest >> 1 ^ (CRC32_REFLECTED & (0 - (rest & 1)));
    }
    return ~rest;
}

/* The number in as many digits as the largest of 32 bits takes. Fewer than two digits write
 * nothing. */
static enum bl_status in_digits(struct bl_builtin_call *call, uint32_t number)
{
    bl_str digits = bl_text_of(call->args[1]);
    char shown[MOST_DIGITS];
    size_t first = MOST_DIGITS;
    struct bl_buf out;

    for (uint32_t most = UINT32_MAX; most > 0 && digits.len > 1 && first > 0;
         most /= (uint32_t)digits.len) {
        shown[--first] = digits.ptr[number % digits.len];
        number /= (uint32_t)digits.len;
    }
    bl_machine_buf(call->machine, &out);
    bl_buf_put(&out, (bl_str){shown + first, MOST_DIGITS - first});
    enum bl_status status = bl_machine_text(call->machine, &out, call->out);
    return status == BL_OK ? bl_charge_text(call->machine, bl_text_of(call->args[0]).len)
                           : status;
}

enum bl_status bl_builtin_crc32(struct bl_builtin_call *call)
{
    return in_digits(call, crc32_of(bl_text_of(call->args[0])));
}

enum bl_status bl_builtin_crc32_swapped(struct bl_builtin_call *call)
{
    uint32_t sum = crc32_of(bl_text_of(call->args[0]));

    return in_digits(call, sum >> 24 | (sum >> 8 & 0xFF00) | (sum << 8 & 0xFF0000) | sum << 24);
}

/* ---- patterns ---------------------------------------------------------------------------- */

enum what { WITHOUT, BLANKED, LISTED };
struct finding {
    struct bl_machine *machine;
    enum what what;
    bl_str text;
    size_t done; /* bytes of the text that are in `out` */
    struct bl_buf out;
    struct bl_list *list;
    enum bl_status status;
};

/* Lines stay lines, and each character keeps one column. */
static void put_blanks(struct bl_buf *out, bl_str s)
{
    for (size_t at = 0; at < s.len;) {
        uint32_t c = bl_utf8_decode(s, &at);
        bl_buf_put_char(out, c == '\n' || c == '\r' ? (char)c : ' ');
    }
}

static bool found(void *context, struct bl_match match)
{
    struct finding *f = context;
    bl_str part = bl_str_slice(f->text, match.lo, match.hi);

    f->status = bl_charge(f->machine, 1);
    if (f->status == BL_OK && f->what == LISTED)
        f->status = bl_machine_push(f->machine, f->list, bl_text(part));
    if (f->what != LISTED) {
        bl_buf_put(&f->out, bl_str_slice(f->text, f->done, match.lo));
        if (f->what == BLANKED)
            put_blanks(&f->out, part);
        f->done = match.hi;
    }
    return f->status == BL_OK;
}

static enum bl_status find(struct bl_builtin_call *call, enum what what)
{
    struct bl_machine *machine = call->machine;
    struct finding f = {
        .machine = machine,
        .what = what,
        .text = bl_text_of(call->args[0]),
        .list = bl_list_create(machine->arena),
    };

    if (f.list == NULL)
        return bl_machine_nomem(machine);
    if (call->args[1].tag != BL_V_PATTERN)
        return bl_machine_guard(machine, BL_STR("A pattern is asked for and none is there."));
    enum bl_status status = bl_charge_text(machine, f.text.len);
    if (status != BL_OK)
        return status;
    bl_machine_buf(machine, &f.out);
    if (!bl_pattern_each(machine->arena, bl_machine_pattern(machine->module, call->args[1]),
                         f.text, found, &f))
        return bl_machine_nomem(machine);
    if (f.status != BL_OK)
        return f.status;
    if (what == LISTED) {
        *call->out = bl_list_value(f.list);
        return BL_OK;
    }
    bl_buf_put(&f.out, bl_str_slice(f.text, f.done, f.text.len));
    return bl_machine_text(machine, &f.out, call->out);
}

enum bl_status bl_builtin_strip(struct bl_builtin_call *call)
{
    return find(call, WITHOUT);
}

enum bl_status bl_builtin_blank(struct bl_builtin_call *call)
{
    return find(call, BLANKED);
}

enum bl_status bl_builtin_finds(struct bl_builtin_call *call)
{
    return find(call, LISTED);
}

/* ---- steps of sanitizers ----------------------------------------------------------------- */

static bool keep_match(void *context, struct bl_match match)
{
    struct bl_list *list = context;

    /* Numbers in a list of our own: where a match begins and ends. */
    if (list->count + 2 <= list->capacity) {
        list->items[list->count++] = bl_int((int64_t)match.lo);
        list->items[list->count++] = bl_int((int64_t)match.hi);
    }
    return true;
}

/* Where the pattern finds something, as numbers: begin, end, begin, … */
static bool matches_of(struct bl_builtin_call *call, struct bl_value pattern, bl_str text,
                       struct bl_list *list)
{
    struct bl_machine *machine = call->machine;

    list->capacity = (uint32_t)(2 * text.len + 4);
    list->items = BL_NEW_ARRAY(machine->arena, list->capacity, struct bl_value);
    return list->items != NULL &&
           bl_pattern_each(machine->arena, bl_machine_pattern(machine->module, pattern), text,
                           keep_match, list);
}

enum bl_status bl_builtin_strip_except(struct bl_builtin_call *call)
{
    struct bl_machine *machine = call->machine;
    bl_str text = bl_text_of(call->args[0]);
    struct bl_list gone = {0};
    struct bl_list kept = {0};
    struct bl_buf out;
    size_t done = 0;
    uint32_t k = 0;

    if (call->args[1].tag != BL_V_PATTERN || call->args[2].tag != BL_V_PATTERN)
        return bl_machine_guard(machine, BL_STR("A pattern is asked for and none is there."));
    enum bl_status status = bl_charge_text(machine, 2 * text.len);
    if (status != BL_OK)
        return status;
    if (!matches_of(call, call->args[1], text, &gone) ||
        !matches_of(call, call->args[2], text, &kept))
        return bl_machine_nomem(machine);
    bl_machine_buf(machine, &out);
    for (uint32_t i = 0; i < gone.count; i += 2) {
        int64_t lo = gone.items[i].as.i;
        int64_t hi = gone.items[i + 1].as.i;
        while (k < kept.count && kept.items[k + 1].as.i <= lo)
            k += 2;
        if (k < kept.count && kept.items[k].as.i <= lo && hi <= kept.items[k + 1].as.i)
            continue;
        bl_buf_put(&out, bl_str_slice(text, done, (size_t)lo));
        done = (size_t)hi;
    }
    bl_buf_put(&out, bl_str_slice(text, done, text.len));
    return bl_machine_text(machine, &out, call->out);
}

enum bl_status bl_builtin_one_line(struct bl_builtin_call *call)
{
    bl_str s = bl_str_trim(bl_text_of(call->args[0]));
    struct bl_buf out;
    bool blank = false;

    bl_machine_buf(call->machine, &out);
    for (size_t i = 0; i < s.len; i++) {
        bool end = s.ptr[i] == '\n' || s.ptr[i] == '\r';
        if (!end)
            bl_buf_put_char(&out, s.ptr[i]);
        else if (!blank)
            bl_buf_put_char(&out, ' ');
        blank = end || (blank && s.ptr[i] == ' ');
    }
    enum bl_status status = bl_charge_text(call->machine, s.len);
    return status != BL_OK ? status : bl_machine_text(call->machine, &out, call->out);
}

enum bl_status bl_builtin_cut_short(struct bl_builtin_call *call)
{
    static const bl_str ellipsis = {"\xE2\x80\xA6", 3};
    bl_str s = bl_text_of(call->args[0]);
    int64_t most = call->args[1].as.i;
    struct bl_buf out;
    size_t at = 0;
    size_t before = 0; /* where the last character that fits beside an ellipsis ends */

    for (int64_t i = 0; i < most && at < s.len; i++) {
        (void)bl_utf8_decode(s, &at);
        before = i + 1 < most ? at : before;
    }
    enum bl_status status = bl_charge_text(call->machine, at);
    if (status != BL_OK || at >= s.len) {
        *call->out = bl_text(s);
        return status;
    }
    bl_machine_buf(call->machine, &out);
    bl_buf_put(&out, bl_str_slice(s, 0, before));
    if (most > 0)
        bl_buf_put(&out, ellipsis);
    return bl_machine_text(call->machine, &out, call->out);
}

/* ---- amounts ----------------------------------------------------------------------------- */

#define MONEY_DECIMALS 4 /* an amount is in ten-thousandths */

enum bl_status bl_builtin_money(struct bl_builtin_call *call)
{
    int64_t amount = call->args[0].as.i;
    int64_t asked = call->args[1].as.i;
    unsigned decimals = asked < 0                ? 0
                        : asked > MONEY_DECIMALS ? MONEY_DECIMALS
                                                 : (unsigned)asked;
    uint64_t size = amount < 0 ? 0 - (uint64_t)amount : (uint64_t)amount;
    uint64_t unit = 1; /* ten-thousandths in the last decimal that is shown */
    uint64_t per_dollar = 1;
    struct bl_buf out;

    for (unsigned i = 0; i < MONEY_DECIMALS; i++) {
        unit *= i < MONEY_DECIMALS - decimals ? 10 : 1;
        per_dollar *= i < decimals ? 10 : 1;
    }
    /* Halves go up. */
    uint64_t shown = size / unit + (size % unit * 2 >= unit && unit > 1 ? 1 : 0);
    bl_machine_buf(call->machine, &out);
    bl_buf_printf(&out, "%s$%" PRIu64, amount < 0 && shown > 0 ? "-" : "", shown / per_dollar);
    if (decimals > 0)
        bl_buf_printf(&out, ".%0*" PRIu64, (int)decimals, shown % per_dollar);
    return bl_machine_text(call->machine, &out, call->out);
}

#define THOUSAND 1000u

enum bl_status bl_builtin_grouped(struct bl_builtin_call *call)
{
    int64_t number = call->args[0].as.i;
    uint64_t size = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    uint64_t unit = 1; /* of the first group */
    struct bl_buf out;

    while (size / unit >= THOUSAND)
        unit *= THOUSAND;
    bl_machine_buf(call->machine, &out);
    bl_buf_printf(&out, "%s%" PRIu64, number < 0 ? "-" : "", size / unit);
    for (unit /= THOUSAND; unit > 0; unit /= THOUSAND)
        bl_buf_printf(&out, ",%03" PRIu64, size / unit % THOUSAND);
    return bl_machine_text(call->machine, &out, call->out);
}
