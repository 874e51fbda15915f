/* SPDX-License-Identifier: Apache-2.0 */
#include "lint/linter.h"

/* Numbers that the words of one language say and those of another do not: 14 Tage, 15 days. */

#define NUMBERS_MOST 32u

struct numbers {
    bl_str items[NUMBERS_MOST]; /* digits alone, a point before decimals */
    size_t count;
    bool full;
};

static bool is_digit_at(bl_str text, size_t at)
{
    return at < text.len && bl_is_ascii_digit(text.ptr[at]);
}

static bool has(const struct numbers *numbers, bl_str number)
{
    for (size_t i = 0; i < numbers->count; i++) {
        if (bl_str_equal(numbers->items[i], number))
            return true;
    }
    return false;
}

/* From *at on; 1,000 and 1.000 are one number, and so are 0.5 and 0,5. */
static bl_str read_number(struct bl_linter *l, bl_str text, size_t *at)
{
    struct bl_buf digits;

    bl_buf_init(&digits, l->arena, text.len + 1);
    while (is_digit_at(text, *at)) {
        bl_buf_put_char(&digits, text.ptr[(*at)++]);
        if (*at >= text.len || bl_str_find_char(BL_STR(".,_'"), text.ptr[*at]) == SIZE_MAX ||
            !is_digit_at(text, *at + 1))
            continue;
        if (!is_digit_at(text, *at + 2) || !is_digit_at(text, *at + 3) ||
            is_digit_at(text, *at + 4))
            bl_buf_put_char(&digits, '.');
        ++*at;
    }
    return bl_buf_str(&digits);
}

/* One is as often a word as a number, and none is no number. */
static void add_words(struct bl_linter *l, bl_str words, struct numbers *out)
{
    for (size_t at = 0; at < words.len;) {
        bl_str number;

        if (!is_digit_at(words, at) || (at > 0 && bl_lint_is_word(words, at - 1))) {
            at++;
            continue;
        }
        number = read_number(l, words, &at);
        if (bl_lint_is_word(words, at) || bl_str_equal(number, BL_STR("1")) ||
            bl_str_equal(number, BL_STR("0")) || has(out, number))
            continue;
        if (out->count < NUMBERS_MOST)
            out->items[out->count++] = number;
        else
            out->full = true;
    }
}

static void add_text(struct bl_linter *l, const struct bl_node *text, struct numbers *out)
{
    for (uint32_t i = 0; text != NULL && i < text->kid_count; i++) {
        if (text->kids[i]->kind == BL_NODE_STRING_PART)
            add_words(l, text->kids[i]->text, out);
    }
}

static void add_all(struct bl_linter *l, const struct bl_message_text *text,
                    struct numbers *out)
{
    *out = (struct numbers){.count = 0};
    add_text(l, text->text, out);
    for (const struct bl_statement *row = text->rows; row != NULL; row = row->next)
        add_text(l, row->text, out);
}

/* The first of them that is none of the others. */
static bl_str alone(const struct numbers *numbers, const struct numbers *others)
{
    for (size_t i = 0; i < numbers->count; i++) {
        if (!has(others, numbers->items[i]))
            return numbers->items[i];
    }
    return (bl_str){NULL, 0};
}

/* Each language with the first: when either says a number that the other lacks, one is wrong.
 * A number that only one of them says may be a word in the other. */
static void compare(struct bl_linter *l, const struct bl_symbol *symbol)
{
    const struct bl_message *message = symbol->as.message;
    struct numbers first, numbers;

    add_all(l, &message->texts[0], &first);
    for (size_t t = 1; t < message->count && first.count > 0 && !first.full; t++) {
        const struct bl_message_text *text = &message->texts[t];
        struct bl_diagnostic *d;
        bl_str said, wanted;

        if (text->package == NULL || !text->package->is_root)
            continue;
        add_all(l, text, &numbers);
        said = alone(&numbers, &first);
        wanted = alone(&first, &numbers);
        if (numbers.full || said.len == 0 || wanted.len == 0)
            continue;
        d = bl_lint_report(l, BL_D_TRANSLATION_DIFFERS, text->span);
        bl_lint_text(l, d, "name", symbol->name);
        bl_lint_text(l, d, "said", said);
        bl_lint_text(l, d, "other", wanted);
        bl_diagnostic_label(&l->found, d, message->texts[0].span, BL_STR("says the other"));
    }
}

void bl_lint_said_numbers(struct bl_linter *l)
{
    const struct bl_symbol_list *messages = &l->program->symbols[BL_SYMBOL_MESSAGE];

    for (size_t i = 0; i < messages->count; i++) {
        if (messages->items[i]->as.message->count > 1)
            compare(l, messages->items[i]);
    }
}
