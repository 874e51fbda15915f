/* SPDX-License-Identifier: Apache-2.0 */
#include "text/clean_parts.h"

#include <string.h>

/* What GitHub would link in the decoded text. Shapes are wider than GitHub's where that is not
 * known to the letter: what is found too much becomes code, what is found too little becomes a
 * mention. */

/* A dollar sign that a formula may begin with. */
struct dollar {
    bool open;
    bool whole;   /* nothing stands behind it that no code span can hold */
    bool earlier; /* others are open in front of it */
    uint32_t at;
    uint32_t length; /* so many in a row, or in front of it */
};

struct finder {
    struct bl_cleaning *c;
    uint32_t strong; /* end of the last part that nothing may reach back over */
    uint32_t end;    /* end of the last part */
    uint32_t open;   /* brackets of the paragraph that nothing closed yet */
    bool in_link;    /* between the brackets of a link that is kept */
    struct dollar dollar;
};

static char at(const struct bl_cleaning *c, uint32_t i)
{
    return i < c->decoded_len ? c->decoded[i] : '\0';
}

/* What stands in front: NUL at the beginning, and behind a part, where GitHub reads afresh. */
static char before(const struct finder *f, uint32_t i)
{
    return i == 0 || i <= f->end ? '\0' : f->c->decoded[i - 1];
}

static bool is_name(char c)
{
    return bl_clean_alnum(c) || c == '_' || c == '-' || c == '.';
}

static bool is_hex(char c)
{
    return bl_is_ascii_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static struct bl_clean_part *push(struct finder *f, enum bl_clean_class kind, uint32_t first,
                                  uint32_t last)
{
    struct bl_cleaning *c = f->c;
    struct bl_clean_part *part = BL_PUSH(c->arena, c->found);
    if (part == NULL) {
        c->failed = true;
        return NULL;
    }
    *part = (struct bl_clean_part){
        .kind = kind,
        .action = BL_ACTION_CODE,
        .rule = UINT32_MAX,
        .words = {c->decoded + first, last - first},
        .lo = c->origin[c->source[first].lo],
        .hi = (size_t)c->origin[c->source[last - 1].hi - 1] + 1,
        .first = first,
        .last = last,
        .after_bang = first > 0 && c->decoded[first - 1] == '!',
        .after_at = first > 0 && c->decoded[first - 1] == '@',
    };
    c->steps += last - first;
    f->end = last;
    if (kind != BL_CLASS_COMMIT)
        f->strong = last;
    return part;
}

static bool is_local(char c);

/* Dollar signs that letters behind them kept from ending a formula: those become code. */
static void dollars_before(struct finder *f, uint32_t first)
{
    const struct dollar *d = &f->dollar;
    uint32_t from = first;

    while (from > f->end && f->c->decoded[from - 1] == '$')
        from--;
    f->c->steps += first - from;
    if (from < first && (d->earlier || (d->open && d->at < from)))
        (void)push(f, BL_CLASS_FORMULA, from, first);
}

/* user@0123456 in front of letters that become code and no longer belong to it. */
static void commit_before(struct finder *f, uint32_t first)
{
    const struct bl_cleaning *c = f->c;
    uint32_t hex = first;

    while (hex > f->end && first - hex < 40 && is_hex(c->decoded[hex - 1]))
        hex--;
    if (first - hex < 7 || hex <= f->end + 1 || c->decoded[hex - 1] != '@')
        return;
    uint32_t from = hex - 1;
    while (from > f->end && (is_local(c->decoded[from - 1]) || c->decoded[from - 1] == '/'))
        from--;
    f->c->steps += first - from;
    if (from == hex - 1)
        return;
    dollars_before(f, from);
    struct bl_clean_part *part = push(f, BL_CLASS_FOREIGN, from, first);
    if (part != NULL)
        part->repository = bl_str_slice(part->words, 0, hex - 1 - from);
}

static struct bl_clean_part *add(struct finder *f, enum bl_clean_class kind, uint32_t first,
                                 uint32_t last)
{
    struct bl_cleaning *c = f->c;

    /* A commit, or parts of a formula, that turn out to be the beginning of something else. */
    while (c->found.count > 0 && c->found.items[c->found.count - 1].last > first) {
        c->found.count--;
        f->end = c->found.count > 0 ? c->found.items[c->found.count - 1].last : 0;
        f->strong = f->strong < f->end ? f->strong : f->end;
    }
    commit_before(f, first);
    dollars_before(f, first);
    return push(f, kind, first, last);
}

/* Back from `i` over bytes of a kind, not over the last strong part. */
static uint32_t back(struct finder *f, uint32_t i, bool (*is)(char))
{
    uint32_t from = i;

    while (from > f->strong && is(f->c->decoded[from - 1]))
        from--;
    f->c->steps += i - from;
    return from;
}

static uint32_t forth(const struct finder *f, uint32_t i, bool (*is)(char))
{
    while (i < f->c->decoded_len && is(f->c->decoded[i]))
        i++;
    return i;
}

static bool is_digit(char c)
{
    return bl_is_ascii_digit(c);
}

static int64_t number_of(const struct finder *f, uint32_t from, uint32_t to)
{
    int64_t number = 0;

    for (uint32_t i = from; i < to && number < INT32_MAX; i++)
        number = number * 10 + (f->c->decoded[i] - '0');
    return number;
}

/* ---- addresses --------------------------------------------------------------------------- */

static bool says(const struct bl_cleaning *c, uint32_t i, const char *word)
{
    for (; *word != '\0'; word++, i++) {
        if (bl_ascii_lower(at(c, i)) != *word)
            return false;
    }
    return true;
}

static bool begins_address(const struct finder *f, uint32_t i)
{
    const struct bl_cleaning *c = f->c;

    switch (bl_ascii_lower(c->decoded[i])) {
    case 'h':
        return says(c, i, "http://") || says(c, i, "https://");
    case 'f':
        return says(c, i, "ftp://");
    case 'w':
        return says(c, i, "www.") && !bl_clean_alnum(before(f, i));
    default:
        return false;
    }
}

/* GitHub cuts punctuation and unpaired parentheses from the end. */
static uint32_t without_tail(const struct bl_cleaning *c, uint32_t first, uint32_t last)
{
    size_t open = 0;
    size_t close = 0;

    for (uint32_t i = first; i < last; i++) {
        open += c->decoded[i] == '(';
        close += c->decoded[i] == ')';
    }
    while (last > first) {
        char byte = c->decoded[last - 1];
        if (byte == ')' && close > open)
            close--;
        else if (byte == ')' || strchr("?!.,:;*_~'\"]}>`", byte) == NULL)
            break;
        last--;
    }
    return last;
}

/* Blanks and punctuation that are none of ASCII's. People end an address there (a cut of ours
 * does), GitHub's link goes on, and parsers differ on the blanks. */
static bool ends_words(const struct bl_cleaning *c, uint32_t i)
{
    static const char *const beginnings[] = {"\xC2",        "\xE2\x80",     "\xE2\x81",
                                             "\xE3\x80",    "\xE1\x9A\x80", "\xE1\xA0\x8E",
                                             "\xEF\xBB\xBF"};
    bl_str rest = {c->decoded + i, c->decoded_len - i};

    if ((unsigned char)c->decoded[i] < 0xC2)
        return false;
    for (size_t k = 0; k < sizeof beginnings / sizeof beginnings[0]; k++) {
        if (bl_str_starts_with(rest, bl_str_from(beginnings[k])))
            return true;
    }
    return false;
}

/* Would GitHub's link cover these bytes and no others? They stand between white space, and
 * behind them comes punctuation at most that the link leaves out. Dollar signs in them could
 * still make a formula. */
static bool stands_alone(const struct finder *f, uint32_t first, uint32_t last, uint32_t end)
{
    const struct bl_cleaning *c = f->c;
    char left = first == 0 ? '\n' : c->decoded[first - 1];

    if (!bl_clean_space(left) && left != '(')
        return false;
    if (end < c->decoded_len && !bl_clean_space(c->decoded[end]))
        return false;
    /* A blank that is written as a reference to it belongs to GitHub's link. */
    if (end < c->decoded_len && c->source[end].hi - c->source[end].lo != 1)
        return false;
    for (uint32_t i = last; i < end; i++) {
        if (strchr(".,:;!?)'\"", c->decoded[i]) == NULL)
            return false;
    }
    for (uint32_t i = first; i < end; i++) {
        /* Marks of a link that are gone stood there. */
        if (i + 1 < c->decoded_len && c->source[i + 1].lo != c->source[i].hi)
            return false;
        if (c->source[i].hi - c->source[i].lo != 1 ||
            strchr("*~`\\[]|$", c->decoded[i]) != NULL || ends_words(c, i))
            return false;
    }
    return true;
}

/* GitHub links no address behind an open bracket: it is words there, in which a sign of these
 * can make a name or another address. */
static bool could_name(const struct bl_cleaning *c, uint32_t first, uint32_t last)
{
    for (uint32_t i = first; i < last; i++) {
        if (c->decoded[i] == '@' || (c->decoded[i] == '#' && bl_is_ascii_digit(at(c, i + 1))) ||
            (says(c, i, "gh-") && bl_is_ascii_digit(at(c, i + 3))) || says(c, i, "www.") ||
            (i > first + 5 && says(c, i, "://")))
            return true;
    }
    return false;
}

static uint32_t address(struct finder *f, uint32_t first)
{
    struct bl_cleaning *c = f->c;
    uint32_t end = first;

    while (end < c->decoded_len && !bl_clean_space(c->decoded[end]) &&
           !bl_clean_is_mark(c->decoded[end]) && c->decoded[end] != '<')
        end++;
    c->steps += end - first;
    uint32_t last = without_tail(c, first, end);
    if (last <= first)
        return first + 1;
    bool alone =
        stands_alone(f, first, last, end) && (f->open == 0 || !could_name(c, first, last));
    struct bl_clean_part *part = add(f, BL_CLASS_ADDRESS, first, last);
    if (part == NULL)
        return end;
    part->address = bl_address_read(part->words, c->rules->repository);
    part->stands_alone = alone;
    return last;
}

/* ---- what an @ makes --------------------------------------------------------------------- */

static bool is_local(char c)
{
    return bl_clean_alnum(c) || c == '.' || c == '+' || c == '-' || c == '_';
}

static bool is_login(char c)
{
    return bl_clean_alnum(c) || c == '-' || c == '_';
}

static bool is_path(char c)
{
    return is_name(c) || c == '/';
}

static bool is_xmpp(struct finder *f, uint32_t first)
{
    return first > f->strong && f->c->decoded[first - 1] == ':' &&
           says(f->c, back(f, first - 1, bl_is_ascii_alpha), "xmpp:");
}

/* Behind a host with a dot and a letter behind that; `i` when there is none. Of xmpp: a
 * resource may stand anywhere in it. */
static uint32_t behind_host(struct finder *f, uint32_t i, bool (*is)(char))
{
    uint32_t end = forth(f, i, is);
    bool dot = false;
    bool letter = false;

    f->c->steps += end - i;
    for (uint32_t k = i; k < end; k++) {
        letter = letter || (dot && bl_is_ascii_alpha(f->c->decoded[k]));
        dot = dot || f->c->decoded[k] == '.';
    }
    return letter ? end : i;
}

/* An address of mail; mailto: and xmpp: belong to it. */
static uint32_t mail(struct finder *f, uint32_t first, uint32_t last)
{
    struct bl_cleaning *c = f->c;

    if (first > f->strong && c->decoded[first - 1] == ':') {
        uint32_t scheme = back(f, first - 1, bl_is_ascii_alpha);
        if (says(c, scheme, "xmpp:") || says(c, scheme, "mailto:"))
            first = scheme;
    }
    (void)add(f, BL_CLASS_EMAIL, first, last);
    return last;
}

/* Does a number end in front of `i`? It may stay, and what follows would go on with it. */
static bool behind_number(const struct finder *f, uint32_t i)
{
    const struct bl_cleaning *c = f->c;

    return i > 0 && i == f->end && c->found.items[c->found.count - 1].kind == BL_CLASS_NUMBER;
}

static uint32_t at_sign(struct finder *f, uint32_t i)
{
    struct bl_cleaning *c = f->c;
    uint32_t first = back(f, i, is_local);
    uint32_t host = behind_host(f, i + 1, is_xmpp(f, first) ? is_path : is_name);
    uint32_t hex = forth(f, i + 1, is_hex);
    uint32_t last;

    if ((first < i || behind_number(f, i) || is_xmpp(f, i)) && host > i + 1)
        return mail(f, first, host);
    if (first < i && hex - (i + 1) >= 7 && hex - (i + 1) <= 40 && !bl_clean_alnum(at(c, hex))) {
        if (first > f->strong && c->decoded[first - 1] == '/')
            first = back(f, first - 1, is_name);
        struct bl_clean_part *part = add(f, BL_CLASS_FOREIGN, first, hex);
        if (part != NULL)
            part->repository = bl_str_slice(part->words, 0, i - first);
        return hex;
    }
    if (bl_clean_alnum(before(f, i)) || !is_login(at(c, i + 1)))
        return i + 1;
    last = forth(f, i + 1, is_login);
    if (at(c, last) == '/' && is_login(at(c, last + 1)))
        last = forth(f, last + 1, is_name);
    while (c->decoded[last - 1] == '.')
        last--;
    (void)add(f, BL_CLASS_MENTION, i, last);
    return last;
}

/* ---- numbers and commits ----------------------------------------------------------------- */

static uint32_t number_sign(struct finder *f, uint32_t i)
{
    struct bl_cleaning *c = f->c;
    uint32_t last = forth(f, i + 1, is_digit);
    struct bl_clean_part *part;

    if (last == i + 1)
        return i + 1;
    uint32_t first = back(f, i, is_name);
    bool named = behind_number(f, first);
    bool owned = first < i && first > f->strong && c->decoded[first - 1] == '/';
    for (uint32_t k = first; k < i; k++)
        named = named || bl_clean_alnum(c->decoded[k]);
    if (!named && !owned) {
        part = add(f, BL_CLASS_NUMBER, i, last);
    } else {
        if (owned)
            first = back(f, first - 1, is_name);
        part = add(f, BL_CLASS_FOREIGN, first, last);
        if (part != NULL)
            part->repository = bl_str_slice(part->words, 0, i - first);
    }
    if (part != NULL)
        part->number = number_of(f, i + 1, last);
    return last;
}

/* A word of letters and digits: GH-7, an id of an advisory, a commit. */
static uint32_t word(struct finder *f, uint32_t i)
{
    struct bl_cleaning *c = f->c;
    uint32_t end = forth(f, i, bl_clean_alnum);
    uint32_t hex = forth(f, i, is_hex);

    c->steps += end - i;
    if (end - i == 2 && says(c, i, "gh-") && is_digit(at(c, end + 1))) {
        uint32_t last = forth(f, end + 1, is_digit);
        struct bl_clean_part *part = add(f, BL_CLASS_NUMBER, i, last);
        if (part != NULL)
            part->number = number_of(f, end + 1, last);
        return last;
    }
    if ((end - i == 4 && says(c, i, "ghsa-")) || (end - i == 3 && says(c, i, "cve-"))) {
        uint32_t last = end;
        while (at(c, last) == '-' && bl_clean_alnum(at(c, last + 1)))
            last = forth(f, last + 1, bl_clean_alnum);
        (void)add(f, BL_CLASS_CUSTOM, i, last);
        return last;
    }
    if (says(c, end, "://")) { /* 1http://… */
        for (uint32_t k = end - i < 5 ? i : end - 5; k < end; k++)
            if (k > i && begins_address(f, k))
                return k;
    }
    if (hex == end && end - i >= 7 && end - i <= 40 && at(c, end) != '_')
        (void)add(f, BL_CLASS_COMMIT, i, end);
    return end;
}

/* ---- formulas ---------------------------------------------------------------------------- */

/* Dollar signs in a row. They end a formula that is open when no white space stands in front
 * and no letter behind, whatever is behind when code is in front, or when they are two. They
 * begin one when no white space follows. What
 * is open at a sign that cannot end it stays so: only the end that is found becomes code then,
 * and without an end there is no formula. Five are a formula by themselves, of one sign. */
static uint32_t dollars(struct finder *f, uint32_t i)
{
    const struct bl_cleaning *c = f->c;
    struct dollar *d = &f->dollar;
    uint32_t end = i;
    char left = i > 0 ? c->decoded[i - 1] : ' ';

    while (at(c, end) == '$')
        end++;
    char right = end < c->decoded_len ? c->decoded[end] : ' ';
    bool two = end - i > 1;
    bool ends = two || (!bl_clean_space(left) && !bl_clean_alnum(right)) ||
                bl_clean_is_mark(left) || (i > 0 && i == f->end);
    if ((d->open || d->earlier) && ends) {
        bool whole = d->open && d->whole;
        d->earlier = d->earlier || (d->open && !whole);
        d->open = false;
        (void)add(f, BL_CLASS_FORMULA, whole ? d->at : i, end);
    } else if (end - i >= 5) {
        (void)add(f, BL_CLASS_FORMULA, i, end);
    } else if (two || !bl_clean_space(right)) {
        uint32_t length = d->open || d->earlier ? d->length : 0;
        *d = (struct dollar){true, true, d->earlier || d->open, i,
                             end - i > length ? end - i : length};
    }
    return end;
}

/* A newline of the text itself, none that a reference to a character stands for. */
static bool ends_line(const struct bl_cleaning *c, uint32_t i)
{
    return at(c, i) == '\n' && c->text[c->source[i].lo] == '\n';
}

/* An empty line ends what one sign began. */
static void end_paragraph(struct finder *f, uint32_t i)
{
    const struct bl_cleaning *c = f->c;

    if ((!f->dollar.open && !f->dollar.earlier && f->open == 0) || !ends_line(c, i))
        return;
    while (at(c, i + 1) == ' ' || at(c, i + 1) == '\t')
        i++;
    if (!ends_line(c, i + 1))
        return;
    f->open = 0;
    if (f->dollar.length > 1)
        f->dollar.whole = false;
    else
        f->dollar = (struct dollar){0};
}

/* A mark, or a byte that is part of nothing. */
static void pass(struct finder *f, uint32_t i)
{
    const struct bl_cleaning *c = f->c;
    char byte = c->decoded[i];

    if (bl_clean_is_mark(byte)) {
        f->dollar.whole = false;
        f->in_link = byte == BL_DECODED_OPEN || (f->in_link && byte != BL_DECODED_CLOSE);
    } else if ((byte == '[' || byte == ']') && c->source[i].hi - c->source[i].lo == 1 &&
               !f->in_link && !bl_clean_bracket_acts(c, i)) {
        if (byte == '[')
            f->open++;
        else if (f->open > 0)
            f->open--;
    }
}

void bl_clean_find(struct bl_cleaning *c)
{
    struct finder f = {.c = c};

    for (uint32_t i = 0; i < c->decoded_len && !c->failed;) {
        char byte = c->decoded[i];
        char left = before(&f, i);

        c->steps++;
        if (bl_is_ascii_alpha(byte) && begins_address(&f, i))
            i = address(&f, i);
        else if (byte == '@')
            i = at_sign(&f, i);
        else if (byte == '#')
            i = number_sign(&f, i);
        else if (byte == '$')
            i = dollars(&f, i);
        else if (bl_clean_alnum(byte) && !bl_clean_alnum(left))
            i = word(&f, i);
        else {
            if (byte == '\n')
                end_paragraph(&f, i);
            else
                pass(&f, i);
            i++;
        }
    }
}
