/* SPDX-License-Identifier: Apache-2.0 */
#include "lint/linter.h"

/* Messages that say a number and have one form for what their language tells apart. Only where
 * some language has rows for a number is its form a matter of words: "Links: 3" needs none. */

#define SAMPLES 30 /* of 1 to this; what larger numbers tell apart, these do, too */

enum plural { ZERO, ONE, TWO, FEW, MANY, OTHER };

static const char *const plural_words[] = {"zero", "one", "two", "few", "many", "other"};

/* A family is known by its name, since the preprocessor has no other list of them. */
static const struct {
    const char *family;
    enum plural form;
    uint32_t modulus, least, most, not_modulus, not_least, not_most;
} rules[] = {
#define BL_PLURAL(family, form, modulus, least, most, not_modulus, not_least, not_most)        \
    {#family, form, modulus, least, most, not_modulus, not_least, not_most},
#include "lint/plurals.def"
};
static const struct {
    const char *code, *family;
} languages[] = {
#define BL_PLURAL_LANGUAGE(code, family) {code, #family},
#include "lint/plurals.def"
};

/* Of a locale: de, pt_br. NULL: its numbers are not known, or it tells none apart. */
static const char *family_of(const struct bl_symbol *locale)
{
    size_t bar = locale != NULL ? bl_str_find_char(locale->name, '_') : SIZE_MAX;
    bl_str code = locale == NULL    ? (bl_str){NULL, 0}
                  : bar == SIZE_MAX ? locale->name
                                    : bl_str_slice(locale->name, 0, bar);

    for (size_t i = 0; i < sizeof(languages) / sizeof(languages[0]); i++) {
        if (bl_str_equal(code, bl_str_from(languages[i].code)))
            return languages[i].family;
    }
    return NULL;
}

static uint32_t rest(uint32_t number, uint32_t modulus)
{
    return modulus == 0 ? number : number % modulus;
}

static enum plural form_of(const char *family, uint32_t n)
{
    for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
        uint32_t in = rest(n, rules[i].modulus), out = rest(n, rules[i].not_modulus);

        if (bl_str_equal(bl_str_from(rules[i].family), bl_str_from(family)) &&
            in >= rules[i].least && in <= rules[i].most &&
            !(out >= rules[i].not_least && out <= rules[i].not_most))
            return rules[i].form;
    }
    return OTHER;
}

/* ---- which row a number takes ---------------------------------------------------------- */

enum answer { NO, YES, UNKNOWN };

static enum answer answer_of(bool yes)
{
    return yes ? YES : NO;
}

static bool is_param(const struct bl_node *node, const struct bl_symbol *param)
{
    return node->kind == BL_NODE_NAME && node->symbol == param;
}

static enum answer compare(const struct bl_node *node, const struct bl_symbol *param, int64_t n)
{
    const struct bl_node *other = node->kids[1];

    if (!is_param(node->kids[0], param))
        return UNKNOWN;
    if (node->op == BL_OPERATOR_IN && other->kind == BL_NODE_LIST) {
        enum answer found = NO;

        for (uint32_t i = 0; i < other->kid_count; i++) {
            if (other->kids[i]->kind != BL_NODE_INT)
                return UNKNOWN;
            if (other->kids[i]->number == n)
                found = YES;
        }
        return found;
    }
    if (other->kind != BL_NODE_INT)
        return UNKNOWN;
    if (node->op == BL_OPERATOR_EQ)
        return answer_of(n == other->number);
    if (node->op == BL_OPERATOR_NE)
        return answer_of(n != other->number);
    if (node->op == BL_OPERATOR_LT)
        return answer_of(n < other->number);
    if (node->op == BL_OPERATOR_LE)
        return answer_of(n <= other->number);
    if (node->op == BL_OPERATOR_GT)
        return answer_of(n > other->number);
    return node->op == BL_OPERATOR_GE ? answer_of(n >= other->number) : UNKNOWN;
}

static enum answer holds(const struct bl_node *node, const struct bl_symbol *param, int64_t n)
{
    enum answer left, right;

    if (node->kind == BL_NODE_COMPARE)
        return compare(node, param, n);
    if (node->kind == BL_NODE_NOT) {
        left = holds(node->kids[0], param, n);
        return left == UNKNOWN ? UNKNOWN : answer_of(left == NO);
    }
    if (node->kind != BL_NODE_AND && node->kind != BL_NODE_OR)
        return UNKNOWN;
    left = holds(node->kids[0], param, n);
    right = holds(node->kids[1], param, n);
    if (left == UNKNOWN || right == UNKNOWN)
        return UNKNOWN;
    return answer_of(node->kind == BL_NODE_AND ? left == YES && right == YES
                                               : left == YES || right == YES);
}

/* What one language does with a number. */
struct forms {
    const struct bl_node *texts[SAMPLES + 1]; /* of 1 to SAMPLES */
    bool known, apart; /* are all of them known, is there more than one */
};

static const struct bl_node *text_for(const struct bl_message_text *text,
                                      const struct bl_symbol *param, int64_t n, bool *known)
{
    if (text->rows == NULL)
        return text->text;
    for (const struct bl_statement *row = text->rows; row != NULL; row = row->next) {
        enum answer answer = row->kind != BL_STATEMENT_ROW ? UNKNOWN
                             : row->condition == NULL      ? YES
                                                           : holds(row->condition, param, n);

        if (answer == YES)
            return row->text;
        if (answer == UNKNOWN)
            break;
    }
    *known = false;
    return NULL;
}

static void find_forms(const struct bl_message_text *text, const struct bl_symbol *param,
                       struct forms *out)
{
    *out = (struct forms){.known = true};
    for (uint32_t n = 1; n <= SAMPLES; n++) {
        out->texts[n] = text_for(text, param, n, &out->known);
        out->apart = out->apart || out->texts[n] != out->texts[1];
    }
    out->apart = out->apart && out->known;
}

/* ---- what is said ---------------------------------------------------------------------- */

static bool says(const struct bl_node *node, const struct bl_symbol *param)
{
    if (node == NULL)
        return false;
    if (is_param(node, param))
        return true;
    for (uint32_t i = 0; i < node->kid_count; i++) {
        if (says(node->kids[i], param))
            return true;
    }
    return false;
}

static void report(struct bl_linter *l, const struct bl_symbol *message,
                   const struct bl_message_text *text, const struct bl_symbol *param,
                   const struct bl_node *said, const uint32_t numbers[2], const char *family)
{
    struct bl_diagnostic *d = bl_lint_report(l, BL_D_MISSING_PLURAL, said->span);

    bl_lint_text(l, d, "name", message->name);
    bl_lint_text(l, d, "one", bl_lint_words(l, "%u", (unsigned)numbers[0]));
    bl_lint_text(l, d, "other", bl_lint_words(l, "%u", (unsigned)numbers[1]));
    bl_lint_text(l, d, "language", text->locale->name);
    bl_lint_text(l, d, "forms",
                 bl_lint_words(l, "%s, %s", plural_words[form_of(family, numbers[0])],
                               plural_words[form_of(family, numbers[1])]));
    bl_lint_text(l, d, "parameter", param->name);
}

static void look_at(struct bl_linter *l, const struct bl_symbol *message,
                    const struct bl_message_text *text, size_t p)
{
    const struct bl_symbol *param = text->params.items[p];
    const char *family = family_of(text->locale);
    struct forms forms;

    if (family == NULL)
        return;
    find_forms(text, param, &forms);
    for (uint32_t n = 2; n <= SAMPLES && forms.known; n++) {
        for (uint32_t before = 1; before < n; before++) {
            if (forms.texts[n] != forms.texts[before] ||
                form_of(family, n) == form_of(family, before) || !says(forms.texts[n], param))
                continue;
            report(l, message, text, param, forms.texts[n], (const uint32_t[]){before, n},
                   family);
            return;
        }
    }
}

static void look_at_message(struct bl_linter *l, const struct bl_symbol *symbol)
{
    const struct bl_message *message = symbol->as.message;

    for (size_t p = 0; p < message->params.count; p++) {
        bool apart = false;

        if (!bl_type_is(message->params.items[p]->type, BL_TYPE_INT))
            continue;
        for (size_t t = 0; t < message->count && !apart; t++) {
            struct forms forms;

            if (p < message->texts[t].params.count) {
                find_forms(&message->texts[t], message->texts[t].params.items[p], &forms);
                apart = forms.apart;
            }
        }
        for (size_t t = 0; apart && t < message->count; t++) {
            const struct bl_message_text *text = &message->texts[t];

            if (p < text->params.count && text->package != NULL && text->package->is_root)
                look_at(l, symbol, text, p);
        }
    }
}

void bl_lint_plurals(struct bl_linter *l)
{
    const struct bl_symbol_list *messages = &l->program->symbols[BL_SYMBOL_MESSAGE];

    for (size_t i = 0; i < messages->count; i++)
        look_at_message(l, messages->items[i]);
}
