/* SPDX-License-Identifier: Apache-2.0 */
#include "text/clean_parts.h"
#include "text/entity.h"

#include <string.h>

/* The cleaned text: parts as it was decided, code as it is, and everything else with the marks
 * escaped that could open what the policy does not allow. Nothing is removed here. */

/* The line in hand, in the decoded text. */
struct line {
    struct bl_source_span span; /* without its end */
    bool delimiter;             /* it could be the delimiter row of a table */
    uint32_t heading;           /* of a sign that could make a heading; UINT32_MAX: none does */
    uint32_t first;             /* behind marks of quotes and lists */
};

/* What a bracket in front of `end` that nothing closed before would meet there. */
struct label {
    uint32_t end;
    bool defines;
};

struct writer {
    struct bl_cleaning *c;
    struct line line;
    struct label label;
    struct bl_buf *out;
    bool behind_code;   /* the last byte is the backtick that ends a span */
    bool slash_pending; /* a lone backslash was written; a mark behind it would be escaped */
    bool in_link;       /* inside the words of a link that is kept */
    uint32_t part;      /* the next one of `found` */
    size_t code;
    size_t link;
};

static bool has(const struct writer *w, enum bl_clean_word word)
{
    return bl_clean_has(w->c->rules, word);
}

static void put(struct writer *w, bl_str s)
{
    if (s.len == 0)
        return;
    if (w->slash_pending && bl_clean_punctuation(s.ptr[0]))
        BL_PUT(w->out, "\\");
    w->slash_pending = false;
    w->behind_code = false;
    bl_buf_put(w->out, s);
}

/* `words` as code that is closed at its end and not before. */
static void put_code(struct writer *w, bl_str words)
{
    size_t longest = 0;
    size_t run = 0;

    for (size_t i = 0; i < words.len; i++) {
        run = words.ptr[i] == '`' ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    bool padded = words.len > 0 && (words.ptr[0] == '`' || words.ptr[words.len - 1] == '`' ||
                                    (words.ptr[0] == ' ' && words.ptr[words.len - 1] == ' '));
    if (w->behind_code)
        put(w, BL_STR(" "));
    put(w, BL_STR("`"));
    for (size_t i = 0; i < longest; i++)
        bl_buf_put_char(w->out, '`');
    if (padded)
        bl_buf_put_char(w->out, ' ');
    for (size_t i = 0; i < words.len; i++)
        bl_buf_put_char(w->out, words.ptr[i] == '\n' ? ' ' : words.ptr[i]);
    if (padded)
        bl_buf_put_char(w->out, ' ');
    for (size_t i = 0; i <= longest; i++)
        bl_buf_put_char(w->out, '`');
    w->behind_code = true;
}

static void allow(struct writer *w, bl_str s)
{
    bl_str *slot = BL_PUSH(w->c->arena, w->c->allowed);

    if (slot == NULL)
        w->c->failed = true;
    else
        *slot = s;
}

/* ---- code -------------------------------------------------------------------------------- */

static bool is_drawn(bl_str info)
{
    static const char *const words[] = {
#define BL_CLEAN_DRAWN(word) word,
#include "spec/cleaning.def"
#undef BL_CLEAN_DRAWN
    };
    size_t end = 0;

    info = bl_str_trim(info);
    /* Escapes and references to characters count in info strings too. */
    if (bl_str_find_char(info, '&') != SIZE_MAX || bl_str_find_char(info, '\\') != SIZE_MAX)
        return true;
    while (end < info.len && (bl_clean_alnum(info.ptr[end]) || info.ptr[end] == '-'))
        end++;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (bl_str_equal_nocase(bl_str_slice(info, 0, end), bl_str_from(words[i])))
            return true;
    }
    return false;
}

static void put_piece(struct writer *w, uint32_t lo)
{
    struct bl_cleaning *c = w->c;
    const struct bl_code_piece *piece = bl_clean_next_code(c, &w->code, lo);
    bl_str text = bl_clean_text(c);

    if (piece == NULL)
        return;
    bl_str whole = bl_str_slice(text, piece->lo, piece->hi);
    if (!piece->fenced) {
        if (w->behind_code)
            put(w, BL_STR(" "));
        put(w, whole);
        w->behind_code = true;
        return;
    }
    bl_str info = bl_str_slice(text, piece->info_lo, piece->info_hi);
    if (w->out->len > 0 && w->out->ptr[w->out->len - 1] != '\n')
        put(w, BL_STR("\n"));
    if (!has(w, BL_CLEAN_DRAWN) || !is_drawn(info)) {
        put(w, whole);
        return;
    }
    bl_clean_report(c, BL_STR("drawn"), BL_CLEAN_DRAWN, c->origin[piece->info_lo],
                    (size_t)c->origin[piece->info_hi - 1] + 1);
    put(w, bl_str_slice(text, piece->lo, piece->info_lo));
    put(w, bl_str_slice(text, piece->info_hi, piece->hi));
}

/* ---- parts ------------------------------------------------------------------------------- */

/* owner/name#31 as a link that no emphasis around it can break. */
static bool put_reference(struct writer *w, const struct bl_clean_part *part)
{
    struct bl_buf address;
    bl_str name = part->repository;
    size_t slash = bl_str_find_char(name, '/');

    if (part->kind != BL_CLASS_FOREIGN || part->number <= 0 || slash == SIZE_MAX ||
        slash + 1 >= name.len || part->after_bang || w->in_link)
        return false;
    bl_buf_init(&address, w->c->arena, 1024);
    bl_buf_printf(&address, "https://github.com/%.*s/issues/%lld", BL_STR_ARG(name),
                  (long long)part->number);
    if (address.failed)
        return false;
    put(w, BL_STR("["));
    for (size_t i = 0; i < name.len; i++) {
        if (name.ptr[i] == '_')
            bl_buf_put_char(w->out, '\\');
        bl_buf_put_char(w->out, name.ptr[i]);
    }
    bl_buf_printf(w->out, "#%lld](", (long long)part->number);
    bl_buf_put(w->out, bl_buf_str(&address));
    BL_PUT(w->out, ")");
    allow(w, bl_buf_str(&address));
    return true;
}

/* Nothing of the source between its bytes is gone. */
static bool is_together(const struct bl_cleaning *c, const struct bl_clean_part *part)
{
    for (uint32_t i = part->first + 1; i < part->last; i++) {
        if (c->source[i].lo != c->source[i - 1].hi)
            return false;
    }
    return true;
}

static void put_part(struct writer *w, const struct bl_clean_part *part)
{
    struct bl_cleaning *c = w->c;
    struct bl_source_span from = c->source[part->first];
    struct bl_source_span to = c->source[part->last - 1];

    if (part->action == BL_ACTION_KEEP) {
        put(w, is_together(c, part) ? bl_str_slice(bl_clean_text(c), from.lo, to.hi)
                                    : part->words);
        allow(w, part->words);
    } else if (part->action != BL_ACTION_LINK || !put_reference(w, part)) {
        put_code(w, part->words);
    }
}

/* ---- text -------------------------------------------------------------------------------- */

static char next_byte(const struct bl_cleaning *c, uint32_t i)
{
    return i + 1 < c->decoded_len ? c->decoded[i + 1] : '\0';
}

bool bl_clean_bracket_acts(const struct bl_cleaning *c, uint32_t i)
{
    char byte = c->decoded[i];
    char next = next_byte(c, i);
    char previous = i > 0 ? c->decoded[i - 1] : '\0';

    if (byte == ']') /* the end of the text as well: what follows there is not ours */
        return next == '(' || next == '[' || next == ':' || next == '\0' ||
               bl_clean_is_mark(next);
    if (next == '^' || next == '!' || previous == '!' || previous == ']' ||
        bl_clean_is_mark(previous))
        return true;
    return i + 2 < c->decoded_len && c->decoded[i + 2] == ']' &&
           (next == ' ' || next == 'x' || next == 'X' || next == '\t' || next == '\n');
}

static bool closes_label(bl_str code)
{
    return bl_str_find(code, BL_STR("]:")) != SIZE_MAX;
}

/* What the part, mark or byte at *at is to a label that is open there: true when it ends, and
 * then `defines` when that is inside of code, where no escape can keep the bracket from it. */
static bool ends_label(const struct writer *w, uint32_t *at, size_t *part, size_t *code,
                       bool *defines)
{
    struct bl_cleaning *c = w->c;
    uint32_t i = *at;
    char byte = c->decoded[i];
    bl_str source = bl_str_slice(bl_clean_text(c), c->source[i].lo, c->source[i].hi);

    while (*part < c->found.count && c->found.items[*part].first < i)
        *part += 1;
    *at = i + 1;
    if (*part < c->found.count && c->found.items[*part].first == i) {
        *at = c->found.items[*part].last;
        *defines = closes_label(c->found.items[*part].words);
    } else if (byte == BL_DECODED_CODE) {
        const struct bl_code_piece *piece = bl_clean_next_code(c, code, c->source[i].lo);
        if (piece == NULL || piece->fenced)
            return true;
        *defines = closes_label(bl_str_slice(bl_clean_text(c), piece->lo, piece->hi));
    } else if (byte == BL_DECODED_WHOLE) {
        *defines = closes_label(source);
    } else if (bl_clean_is_mark(byte)) {
        return true;
    } else if ((byte == '[' || byte == ']') && source.len == 1) {
        return !bl_clean_bracket_acts(c, i);
    } else if (byte == '\n') {
        return next_byte(c, i) == '\n';
    }
    return *defines;
}

/* Does the bracket that a line begins with open the label of a definition that ends in code? */
static bool begins_definition(struct writer *w, uint32_t i)
{
    struct bl_cleaning *c = w->c;
    size_t part = w->part;
    size_t code = w->code;
    uint32_t at = i + 1;

    if (i != w->line.first || !has(w, BL_CLEAN_DEFINITION))
        return false;
    if (i < w->label.end)
        return w->label.defines;
    w->label.defines = false;
    while (at < c->decoded_len && !ends_label(w, &at, &part, &code, &w->label.defines))
        continue;
    c->steps += at - i;
    w->label.end = at;
    return w->label.defines;
}

/* "![" of a link that is kept would be an image, "[!" the mark of a box. */
static bool bang_acts(const struct bl_cleaning *c, uint32_t i)
{
    return next_byte(c, i) == BL_DECODED_OPEN ||
           (i > 0 && c->decoded[i - 1] == BL_DECODED_OPEN);
}

static bool angle_acts(struct bl_cleaning *c, uint32_t i)
{
    char next = next_byte(c, i);
    uint32_t end = i + 1;

    if (next == '\0' || bl_clean_space(next) || next == '<')
        return false;
    if (!bl_is_ascii_digit(next) && next != '=' && next != '-')
        return true;
    while (end < c->decoded_len && !bl_clean_space(c->decoded[end]) &&
           strchr("<>@", c->decoded[end]) == NULL)
        end++;
    c->steps += end - i;
    return end < c->decoded_len && c->decoded[end] == '@'; /* of mail */
}

static bool in_long_run(const struct bl_cleaning *c, uint32_t i)
{
    uint32_t lo = i;
    uint32_t hi = i + 1;

    while (lo > 0 && i - lo < 3 && c->decoded[lo - 1] == c->decoded[i])
        lo--;
    while (hi < c->decoded_len && hi - i < 3 && c->decoded[hi] == c->decoded[i])
        hi++;
    return hi - lo >= 3;
}

static bool begins_reference(const struct bl_cleaning *c, uint32_t i)
{
    char entity[BL_ENTITY_BYTES];
    size_t length;

    return bl_entity_read((bl_str){c->decoded, c->decoded_len}, i, entity, &length) > 0;
}

/* Bytes that put_raw looks at; and what stands for more than itself. */
static const bool acts[256] = {
    ['`'] = true,  ['['] = true,  [']'] = true,  ['~'] = true,  ['-'] = true,
    ['#'] = true,  ['='] = true,  ['!'] = true,  ['&'] = true,  ['<'] = true,
    ['\\'] = true, [0xF8] = true, [0xF9] = true, [0xFA] = true, [0xFB] = true,
    [0xFC] = true, [0xFD] = true, [0xFE] = true, [0xFF] = true,
};

/* A byte that was written as it is and stays. */
static void put_raw(struct writer *w, uint32_t i)
{
    struct bl_cleaning *c = w->c;
    char byte = c->decoded[i];
    bool escaped = false;

    switch (byte) {
    case '`':
        escaped = has(w, BL_CLEAN_CODE_MARKS);
        break;
    case '[':
    case ']':
        escaped = has(w, BL_CLEAN_BRACKETS) && (w->in_link || bl_clean_bracket_acts(c, i) ||
                                                (byte == '[' && begins_definition(w, i)));
        break;
    case '!':
        escaped = has(w, BL_CLEAN_BRACKETS) && bang_acts(c, i);
        break;
    case '~':
        escaped = has(w, BL_CLEAN_FENCES) && in_long_run(c, i);
        break;
    case '-':
        escaped = w->line.delimiter || i == w->line.heading;
        break;
    case '#':
    case '=':
        escaped = i == w->line.heading;
        break;
    case '&': /* what stood between it and the rest of a name is gone */
        if (has(w, BL_CLEAN_AMPERSAND) && begins_reference(c, i)) {
            put(w, BL_STR("&amp;"));
            return;
        }
        break;
    case '<':
        if (has(w, BL_CLEAN_ANGLE) && angle_acts(c, i)) {
            put(w, BL_STR("&lt;"));
            return;
        }
        break;
    case '\\':
        put(w, BL_STR("\\"));
        w->slash_pending = has(w, BL_CLEAN_CODE_MARKS);
        return;
    default:
        break;
    }
    if (escaped)
        put(w, BL_STR("\\"));
    /* A second backslash is no mark that escapes: it was written by us. */
    w->slash_pending = false;
    put(w, (bl_str){c->decoded + i, 1});
}

/* Where the words of a line begin, behind marks of quotes and lists. */
static uint32_t behind_marks(const struct bl_cleaning *c, struct bl_source_span line)
{
    uint32_t at = line.lo;

    while (at < line.hi && c->decoded[at] != '\0' &&
           (strchr(" \t>-+*.)", c->decoded[at]) != NULL || bl_is_ascii_digit(c->decoded[at])))
        at++;
    return at;
}

/* Where the sign of a heading stands, behind marks of quotes and lists; UINT32_MAX. */
static uint32_t heading_sign(const struct bl_cleaning *c, struct bl_source_span line)
{
    uint32_t at = behind_marks(c, line);
    uint32_t from = at;
    while (at < line.hi && c->decoded[at] == '#')
        at++;
    return at > from && at - from <= 6 &&
                   (at == line.hi || c->decoded[at] == ' ' || c->decoded[at] == '\t')
               ? from
               : UINT32_MAX;
}

static bool is_block(const struct bl_cleaning *c, uint32_t i)
{
    return c->decoded[i] == BL_DECODED_CODE && c->text[c->source[i].hi - 1] == '\n';
}

/* What stands above the line at `lo`, from `above` on: a block of code at its end is no text
 * that a heading could be made of. */
static struct bl_source_span text_above(const struct bl_cleaning *c, uint32_t above,
                                        uint32_t lo)
{
    for (uint32_t i = above; i < lo; i++) {
        if (is_block(c, i))
            above = i + 1;
    }
    return (struct bl_source_span){above, lo};
}

static void begin_line(struct writer *w, uint32_t lo)
{
    const struct bl_cleaning *c = w->c;
    struct bl_source_span above = {0, UINT32_MAX};
    const char *end = memchr(c->decoded + lo, '\n', c->decoded_len - lo);

    if (is_block(c, lo)) /* ends its line itself */
        end = c->decoded + lo;
    if (lo > 0)
        above = text_above(c, w->line.span.lo, lo);
    w->line.span.lo = lo;
    w->line.span.hi = end != NULL ? (uint32_t)(end - c->decoded) : c->decoded_len;
    w->line.delimiter =
        has(w, BL_CLEAN_TABLE_MARKS) && bl_clean_is_delimiter(c->decoded, w->line.span);
    w->line.heading = UINT32_MAX;
    w->line.first = behind_marks(c, w->line.span);
    if (!has(w, BL_CLEAN_HEADING_MARKS))
        return;
    if (bl_clean_underlines(c->decoded, above, w->line.span))
        w->line.heading = lo + (uint32_t)strspn(c->decoded + lo, " \t>");
    else
        w->line.heading = heading_sign(c, w->line.span);
}

static void put_mark(struct writer *w, uint32_t i)
{
    struct bl_cleaning *c = w->c;
    bl_str source = bl_str_slice(bl_clean_text(c), c->source[i].lo, c->source[i].hi);

    if (c->decoded[i] == BL_DECODED_CODE) {
        put_piece(w, c->source[i].lo);
    } else if (c->decoded[i] == BL_DECODED_WHOLE) {
        put_code(w, source);
    } else if (c->decoded[i] == BL_DECODED_OPEN) {
        put(w, BL_STR("["));
        w->in_link = true;
    } else {
        /* Kept links stand in no other: they end in the order in which they began. */
        while (c->links.items[w->link].tail != c->source[i].lo)
            w->link++;
        put(w, BL_STR("]("));
        bl_buf_put(w->out, c->links.items[w->link].written);
        BL_PUT(w->out, ")");
        allow(w, c->links.items[w->link].address.target);
        w->in_link = false;
    }
}

/* Letters and signs that open nothing go together; up to `limit`. */
static uint32_t put_plain(struct writer *w, uint32_t at, uint32_t limit)
{
    const struct bl_cleaning *c = w->c;
    uint32_t from = at;

    while (at < limit && c->source[at].hi - c->source[at].lo == 1 &&
           !acts[(unsigned char)c->decoded[at]])
        at++;
    put(w, (bl_str){c->decoded + from, at - from});
    w->c->steps += at - from;
    return at;
}

static void write_text(struct writer *w)
{
    struct bl_cleaning *c = w->c;
    uint32_t end = 0; /* behind the line in hand */

    for (uint32_t i = 0; i < c->decoded_len && !w->out->failed;) {
        c->steps++;
        if (i >= end) {
            begin_line(w, i);
            c->steps += w->line.span.hi - i;
            end = w->line.span.hi + 1;
        }
        uint32_t limit = w->part < c->found.count ? c->found.items[w->part].first : UINT32_MAX;
        uint32_t plain = put_plain(w, i, limit < w->line.span.hi ? limit : w->line.span.hi);
        if (plain > i) {
            i = plain;
            continue;
        }
        if (w->part < c->found.count && c->found.items[w->part].first == i) {
            const struct bl_clean_part *part = &c->found.items[w->part++];
            put_part(w, part);
            i = part->last;
        } else if (bl_clean_is_mark(c->decoded[i])) {
            put_mark(w, i++);
        } else if (c->source[i].hi - c->source[i].lo == 1) {
            put_raw(w, i++);
        } else {
            put(w, bl_str_slice(bl_clean_text(c), c->source[i].lo, c->source[i].hi));
            i++;
        }
    }
    if (w->slash_pending)
        BL_PUT(w->out, "\\");
}

/* What is left at the ends goes; a backslash there would escape what follows. */
static void trim(struct bl_buf *out)
{
    bl_str s = bl_str_trim(bl_buf_str(out));
    size_t slashes = 0;

    if (out->failed || out->len == 0)
        return;
    memmove(out->ptr, s.ptr, s.len);
    out->len = s.len;
    out->ptr[s.len] = '\0';
    while (slashes < s.len && out->ptr[s.len - 1 - slashes] == '\\')
        slashes++;
    if (slashes % 2 == 1)
        BL_PUT(out, "\\");
}

static void report_parts(struct bl_cleaning *c, const struct bl_clean_part *parts, size_t count)
{
    for (size_t i = 0; i < count && !c->failed; i++) {
        const struct bl_clean_part *part = &parts[i];
        struct bl_clean_finding *finding = BL_PUSH(c->arena, c->findings);
        if (finding == NULL) {
            c->failed = true;
            return;
        }
        *finding = (struct bl_clean_finding){
            .kind = part->image ? bl_clean_word_name(BL_CLEAN_IMAGE)
                                : bl_clean_class_name(part->kind),
            .word = part->image ? BL_CLEAN_IMAGE : BL_CLEAN_WORD_COUNT,
            .action = part->action,
            .rule = part->rule,
            .lo = part->lo,
            .hi = part->hi,
        };
    }
}

bool bl_clean_finish(struct bl_cleaning *c, struct bl_buf *out)
{
    struct writer w = {.c = c, .out = out};

    if (c->failed)
        return false;
    write_text(&w);
    if (has(&w, BL_CLEAN_CODE_MARKS))
        trim(out);
    report_parts(c, c->links.items, c->links.count);
    report_parts(c, c->found.items, c->found.count);
    c->failed = c->failed || out->failed;
    return !c->failed;
}
