/* SPDX-License-Identifier: Apache-2.0 */
#include "base/utf8.h"
#include "vm/builtins.h"

/* Words: runs of letters and digits, and what is counted of them. */

/* Beyond ASCII everything is a letter but what stands between words in Latin texts: signs and
 * punctuation of Latin-1, general and CJK punctuation, full-width signs, symbols and arrows,
 * pictures. For counting words that is close enough, and it needs no tables of a version of
 * Unicode. */
static bool is_word(uint32_t c)
{
    if (c < 0x80)
        return bl_is_ascii_alpha((char)c) || bl_is_ascii_digit((char)c);
    if (c < 0xC0)
        return c == 0xAA || c == 0xB5 || c == 0xBA;
    return c != 0xD7 && c != 0xF7 && !(c >= 0x2000 && c <= 0x2BFF) &&
           !(c >= 0x3000 && c <= 0x303F) && !(c >= 0xFE00 && c <= 0xFE0F) &&
           !(c >= 0xFF00 && c <= 0xFF0F) && !(c >= 0xFF1A && c <= 0xFF20) && c != 0xFEFF &&
           !(c >= 0x1F000 && c <= 0x1FAFF) && c < 0xE0000;
}

/* Lower case of the letters of Latin, Greek and Cyrillic whose capitals stand at a fixed
 * distance; others stay as they are. */
static uint32_t folded(uint32_t c)
{
    if (c < 0x80)
        return (uint32_t)(unsigned char)bl_ascii_lower((char)c);
    if ((c >= 0xC0 && c <= 0xDE && c != 0xD7) || (c >= 0x391 && c <= 0x3A9) ||
        (c >= 0x410 && c <= 0x42F))
        return c + 0x20;
    if (c >= 0x400 && c <= 0x40F)
        return c + 0x50;
    if ((c >= 0x100 && c <= 0x137 && c != 0x130 && c != 0x131) || (c >= 0x14A && c <= 0x177))
        return c | 1;
    if (((c >= 0x139 && c <= 0x148) || (c >= 0x179 && c <= 0x17E)) && c % 2 == 1)
        return c + 1;
    return c == 0x178 ? 0xFF : c;
}

/* The next word from *at on; empty at the end. */
static bl_str next_word(bl_str s, size_t *at)
{
    size_t from = s.len;
    size_t to = s.len;

    while (*at < s.len) {
        size_t here = *at;
        bool word = is_word(bl_utf8_decode(s, at));

        if (word && from == s.len)
            from = here;
        if (!word && from != s.len) {
            to = here;
            break;
        }
    }
    return bl_str_slice(s, from, to);
}

enum bl_status bl_builtin_words(struct bl_builtin_call *call)
{
    bl_str s = bl_text_of(call->args[0]);
    struct bl_list *words = bl_list_create(call->machine->arena);
    size_t at = 0;

    if (words == NULL)
        return bl_machine_nomem(call->machine);
    enum bl_status status = bl_charge_text(call->machine, s.len);
    for (bl_str word = next_word(s, &at); status == BL_OK && word.len > 0;
         word = next_word(s, &at)) {
        status = bl_charge(call->machine, 1);
        if (status == BL_OK)
            status = bl_machine_push(call->machine, words, bl_text(word));
    }
    *call->out = bl_list_value(words);
    return status;
}

/* ---- stop words -------------------------------------------------------------------------- */

#define WORD_BYTES 64 /* no stop word is longer */

/* Folded into `bytes`; empty when it is too long to be one. */
static bl_str fold_word(bl_str word, char bytes[WORD_BYTES])
{
    size_t length = 0;

    for (size_t at = 0; at < word.len;) {
        if (length + 4 > WORD_BYTES)
            return (bl_str){NULL, 0};
        length += bl_utf8_encode(folded(bl_utf8_decode(word, &at)), bytes + length);
    }
    return (bl_str){bytes, length};
}

static bool is_stopword(const struct bl_module *module, const struct bl_module_locale *locale,
                        bl_str word)
{
    uint32_t low = 0;
    uint32_t high = locale->stopword_count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        bl_str here =
            bl_module_string(module, module->STOPWORDS_rows[locale->first_stopword + middle]);
        int order = bl_str_compare(here, word);

        if (order == 0)
            return true;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

enum bl_status bl_builtin_stopwords(struct bl_builtin_call *call)
{
    const struct bl_module *module = call->machine->module;
    int64_t locale = call->args[1].as.i;
    int64_t count = 0;
    struct bl_list *list;
    enum bl_status status = bl_machine_list(call->machine, call->args[0], &list);

    if (call->args[1].tag != BL_V_LOCALE || locale < 0 || locale >= module->LOCALES_count)
        return bl_machine_guard(call->machine, BL_STR("A language is asked for."));
    for (uint32_t i = 0; status == BL_OK && i < list->count; i++) {
        bl_str s = bl_text_of(list->items[i]);
        size_t at = 0;

        status = bl_charge_text(call->machine, s.len * 2);
        for (bl_str word = next_word(s, &at); status == BL_OK && word.len > 0;
             word = next_word(s, &at)) {
            char bytes[WORD_BYTES];

            status = bl_charge(call->machine, 1);
            count += is_stopword(module, &module->LOCALES_rows[locale], fold_word(word, bytes));
        }
    }
    *call->out = bl_int(count);
    return status;
}

/* ---- same thing -------------------------------------------------------------------------- */

/* The next letter or digit, folded; 0 at the end. */
static uint32_t next_letter(bl_str s, size_t *at)
{
    while (*at < s.len) {
        uint32_t c = bl_utf8_decode(s, at);

        if (is_word(c))
            return folded(c);
    }
    return 0;
}

enum bl_status bl_builtin_same_thing(struct bl_builtin_call *call)
{
    bl_str a = bl_text_of(call->args[0]);
    bl_str b = bl_text_of(call->args[1]);
    size_t at_a = 0;
    size_t at_b = 0;
    uint32_t letter;
    bool same;

    do {
        letter = next_letter(a, &at_a);
        same = letter == next_letter(b, &at_b);
    } while (same && letter != 0);
    *call->out = bl_bool(same);
    return bl_charge_text(call->machine, a.len + b.len);
}
