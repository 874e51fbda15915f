/* SPDX-License-Identifier: Apache-2.0 */
#include "text/reread_judge.h"

#include "spec/cleaning.h"

#include <string.h>

/* ---- what is ours ------------------------------------------------------------------------ */

bool bl_judge_init(struct bl_judge *j, struct bl_arena *arena,
                   const struct bl_reread_rules *rules, size_t most)
{
    size_t size = 8;

    *j = (struct bl_judge){.arena = arena, .rules = rules};
    while (size < 2 * rules->count)
        size *= 2;
    j->mask = size - 1;
    j->slots = BL_NEW_ARRAY(arena, size, uint32_t);
    bl_buf_init(&j->words, arena, most);
    bl_buf_init(&j->block, arena, most);
    for (size_t i = 0; j->slots != NULL && i < rules->count; i++) {
        size_t slot = bl_str_hash(rules->allowed[i], 0) & j->mask;
        while (j->slots[slot] != 0)
            slot = (slot + 1) & j->mask;
        j->slots[slot] = (uint32_t)i + 1;
    }
    return j->slots != NULL;
}

static bool may_show(const struct bl_judge *j, bl_str s)
{
    for (size_t slot = bl_str_hash(s, 0) & j->mask; j->slots[slot] != 0;
         slot = (slot + 1) & j->mask) {
        if (bl_str_equal(j->rules->allowed[j->slots[slot] - 1], s))
            return true;
    }
    return false;
}

void bl_judge_listen(struct bl_judge *j, bool listens)
{
    j->listens = listens;
}

/* Words with the stand-in in them will be others. */
static void remember(struct bl_judge *j, bl_str kind, bl_str text)
{
    char *bytes = BL_NEW_ARRAY(j->arena, text.len + 1, char);
    struct bl_judged *own = NULL;

    if (bl_str_find(text, BL_STR(BL_REREAD_STAND_IN)) != SIZE_MAX)
        return;
    if (bytes != NULL)
        own = BL_PUSH(j->arena, j->own);
    if (own == NULL) {
        j->failed = true;
        return;
    }
    if (text.len > 0)
        memcpy(bytes, text.ptr, text.len);
    *own = (struct bl_judged){kind, {bytes, text.len}};
}

void bl_judge_see(struct bl_judge *j, bl_str kind, bl_str text, bool is_live)
{
    if (j->listens) {
        remember(j, kind, text);
        return;
    }
    if (j->met < j->own.count && bl_str_equal(j->own.items[j->met].kind, kind) &&
        bl_str_equal(j->own.items[j->met].text, text))
        j->met++;
    else if (is_live && j->found.len == 0 &&
             (bl_str_equal(kind, BL_STR("image")) || !may_show(j, text)))
        j->found = kind; /* an address that may be a link is none for an image */
}

bool bl_judge_is_done(const struct bl_judge *j)
{
    return j->found.len > 0 || j->failed || j->words.failed || j->block.failed;
}

bl_str bl_judge_verdict(const struct bl_judge *j)
{
    if (j->failed || j->words.failed || j->block.failed)
        return BL_STR("budget");
    if (j->found.len == 0 && j->met < j->own.count)
        return BL_STR("surroundings");
    return j->found;
}

/* ---- names in words ---------------------------------------------------------------------- */

static bool is_word(char c)
{
    return bl_is_ascii_alpha(c) || bl_is_ascii_digit(c);
}

static bool in_name(char c)
{
    return is_word(c) || c == '_' || c == '-' || c == '.' || c == '/';
}

static size_t digits_end(bl_str s, size_t at)
{
    while (at < s.len && bl_is_ascii_digit(s.ptr[at]))
        at++;
    return at;
}

/* Is this the name of a repository: letters or digits, or anything behind a slash? */
static bool is_repository(bl_str s)
{
    bool named = false;

    for (size_t i = 0; i < s.len; i++)
        named = named || is_word(s.ptr[i]) || s.ptr[i] == '/';
    return named && s.ptr[s.len - 1] != '/';
}

/* A number: with the name in front of it, or alone. */
static void judge_number(struct bl_judge *j, bl_str s, size_t sign, size_t begin)
{
    size_t end = digits_end(s, sign + 1);
    size_t from = sign;

    if (end == sign + 1)
        return;
    while (from > begin && in_name(s.ptr[from - 1]))
        from--;
    bl_str whole = bl_str_slice(s, from, end);
    bl_str number = bl_str_slice(s, sign, end);
    bool alone = !is_repository(bl_str_slice(s, from, sign));
    bl_judge_see(j, BL_STR("reference"), alone && !may_show(j, whole) ? number : whole, true);
}

static void judge_at(struct bl_judge *j, bl_str s, size_t sign, size_t begin)
{
    size_t end = sign + 1;
    size_t hex = 0;
    bool inside = sign > begin && is_word(s.ptr[sign - 1]);

    while (end < s.len && (is_word(s.ptr[end]) || s.ptr[end] == '-'))
        end++;
    if (end == sign + 1 || !is_word(s.ptr[sign + 1]))
        return;
    for (size_t i = sign + 1; i < end; i++)
        hex += strchr("0123456789abcdef", s.ptr[i]) != NULL;
    bl_str name = bl_str_slice(s, sign, end);
    if (!inside)
        bl_judge_see(j, BL_STR("mention"), name, true);
    else if (hex == end - sign - 1 && hex >= 7 && hex <= 40)
        bl_judge_see(j, BL_STR("reference"), name, true);
}

static bool is_gh(bl_str s, size_t at)
{
    char before = at > 0 ? s.ptr[at - 1] : ' ';

    return !is_word(before) && at + 3 < s.len && (s.ptr[at] == 'G' || s.ptr[at] == 'g') &&
           (s.ptr[at + 1] == 'H' || s.ptr[at + 1] == 'h') && s.ptr[at + 2] == '-' &&
           bl_is_ascii_digit(s.ptr[at + 3]);
}

/* One run of words as the reader gives it: escapes and references to characters are gone. */
static void judge_names(struct bl_judge *j, bl_str s)
{
    size_t begin = 0; /* of the word in hand: names are sought no further back */

    for (size_t at = 0; at < s.len && !bl_judge_is_done(j); at++) {
        char c = s.ptr[at];
        if (c == ' ' || c == '\n')
            begin = at + 1;
        if (c == '@') {
            judge_at(j, s, at, begin);
            begin = at;
        } else if (c == '#') {
            judge_number(j, s, at, begin);
            begin = at;
        } else if (is_gh(s, at)) {
            bl_judge_see(j, BL_STR("reference"), bl_str_slice(s, at, digits_end(s, at + 3)),
                         true);
        }
    }
}

void bl_judge_words(struct bl_judge *j, bl_str words)
{
    bl_buf_put(&j->words, words);
    bl_buf_put(&j->block, words);
}

void bl_judge_end_words(struct bl_judge *j)
{
    bl_str s = bl_buf_str(&j->words);

    if (s.len > 0)
        bl_judge_see(j, BL_STR("words"), s, false);
    if (!j->in_link)
        judge_names(j, s);
    j->words.len = 0;
}

void bl_judge_link(struct bl_judge *j, bool begins)
{
    j->in_link = begins;
}

/* ---- blocks ------------------------------------------------------------------------------ */

void bl_judge_heading(struct bl_judge *j)
{
    bl_judge_see(j, BL_STR("heading"), (bl_str){NULL, 0},
                 (j->rules->words >> BL_CLEAN_HEADING_MARK & 1u) != 0);
}

void bl_judge_code(struct bl_judge *j, bl_str code, bl_str info)
{
    static const char *const drawn[] = {
#define BL_CLEAN_DRAWN(word) word,
#include "spec/cleaning.def"
#undef BL_CLEAN_DRAWN
    };

    bl_buf_put_char(&j->block, '\1');
    bl_judge_see(j, BL_STR("code"), code, false);
    for (size_t i = 0; i < sizeof drawn / sizeof drawn[0]; i++) {
        bl_str word = bl_str_from(drawn[i]);
        if (info.len >= word.len &&
            bl_str_equal_nocase(bl_str_slice(info, 0, word.len), word) &&
            !(info.len > word.len &&
              (is_word(info.ptr[word.len]) || info.ptr[word.len] == '-')) &&
            (j->rules->words >> BL_CLEAN_DRAWN & 1u) != 0)
            bl_judge_see(j, BL_STR("drawing"), word, true);
    }
}

static bool is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\t';
}

/* $formula$ and $$formula$$ in the words of a block. */
void bl_judge_end_block(struct bl_judge *j)
{
    bl_str s = bl_buf_str(&j->block);
    size_t one = SIZE_MAX, two = SIZE_MAX; /* signs that one may begin with */

    for (size_t at = 0; at < s.len;) {
        size_t end = at;
        while (end < s.len && s.ptr[end] == '$')
            end++;
        if (end == at) {
            at++;
            continue;
        }
        char left = at > 0 ? s.ptr[at - 1] : ' ';
        char right = end < s.len ? s.ptr[end] : ' ';
        if (end - at > 1 && two != SIZE_MAX)
            bl_judge_see(j, BL_STR("formula"), bl_str_slice(s, two, end), true);
        else if (end - at >= 5)
            bl_judge_see(j, BL_STR("formula"), bl_str_slice(s, at, end), true);
        else if (one != SIZE_MAX && !is_space(left) &&
                 (!is_word(right) || (left == '\1' && one + 2 == at)))
            bl_judge_see(j, BL_STR("formula"), bl_str_slice(s, one, end), true);
        if (end - at > 1)
            two = at;
        if (!is_space(right))
            one = at;
        at = end;
    }
    j->block.len = 0;
}
