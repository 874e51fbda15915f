/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/checker.h"

/* Runners: the image that jobs run on, and the file with the hosts that its firewall lets
 * through. */

static bool is_image(bl_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];

        if (!bl_is_ascii_alpha(c) && !bl_is_ascii_digit(c) &&
            bl_str_find_char(BL_STR("._-+"), c) == SIZE_MAX)
            return false;
    }
    return text.len > 0;
}

/* A name in the folder .github; the folder of workflows is not below it here. */
static bool is_file(bl_str text)
{
    bl_str name = bl_str_starts_with(text, BL_STR(".github/")) ? bl_str_slice(text, 8, text.len)
                                                               : (bl_str){NULL, 0};

    return bl_path_is_plain(name) && bl_str_find_char(name, '/') == SIZE_MAX &&
           (bl_str_ends_with(name, BL_STR(".yml")) || bl_str_ends_with(name, BL_STR(".yaml")));
}

static bool is_taken(struct bl_checker *c, const struct bl_symbol *runner, bl_str file)
{
    const struct bl_symbol_list *all = &c->program->symbols[BL_SYMBOL_RUNNER];

    for (uint32_t i = 0; i < runner->number; i++) {
        for (struct bl_clause *row = all->items[i]->clause->block; row != NULL; row = row->next)
            if (row->id == BL_CLAUSE_RUNNER_FILE &&
                bl_str_equal_nocase(bl_sema_plain_text(c, bl_slot_node(row, 0)), file))
                return true;
    }
    return false;
}

static void check_words(struct bl_checker *c, const struct bl_clause *row,
                        const char *const *words, const char *wanted)
{
    for (uint32_t i = 0; i < row->slots[0].count; i++) {
        struct bl_node *node = row->slots[0].nodes[i];
        bool known = node->kind == BL_NODE_BROKEN;
        struct bl_diagnostic *d;

        for (size_t k = 0; words[k] != NULL; k++)
            known = known || bl_str_equal(node->text, bl_str_from(words[k]));
        if (known)
            continue;
        d = bl_sema_error(c, BL_D_UNKNOWN_WORD, node->span);
        bl_sema_arg_node(c, d, "name", node);
        bl_sema_arg(c, d, "wanted", bl_str_from(wanted));
    }
}

static void check_file(struct bl_checker *c, const struct bl_symbol *runner,
                       const struct bl_clause *row)
{
    struct bl_node *node = bl_slot_node(row, 0);
    bl_str text = bl_sema_plain_text(c, node);

    if (text.ptr != NULL && (!is_file(text) || is_taken(c, runner, text)))
        bl_sema_arg(c, bl_sema_error(c, BL_D_RUNNER_FILE_NAME, node->span), "text", text);
}

void bl_sema_runner(struct bl_checker *c, struct bl_symbol *runner)
{
    static const char *const modes[] = {"enforce", "audit", NULL};
    static const char *const whose[] = {"default", "engine", NULL};
    static const char *const names[] = {"file", "mode", "hosts"};
    bool has[3] = {false, false, false};
    struct bl_node *image = bl_slot_node(runner->clause, 1);
    bl_str text = bl_sema_plain_text(c, image);

    if (text.ptr != NULL && !is_image(text))
        bl_sema_arg(c, bl_sema_error(c, BL_D_PLAIN_WORD, image->span), "text", text);
    for (struct bl_clause *row = runner->clause->block; row != NULL; row = row->next) {
        if (row->id == BL_CLAUSE_RUNNER_FILE) {
            has[0] = true;
            check_file(c, runner, row);
        } else if (row->id == BL_CLAUSE_RUNNER_MODE) {
            has[1] = true;
            check_words(c, row, modes, "enforce or audit");
        } else if (row->id == BL_CLAUSE_RUNNER_HOSTS) {
            has[2] = true;
            check_words(c, row, whose, "default or engine");
        }
    }
    for (size_t i = 0; i < 3 && (has[0] || has[1] || has[2]); i++) {
        struct bl_diagnostic *d;

        if (has[i])
            continue;
        d = bl_sema_error(c, BL_D_RUNNER_LACKS, runner->span);
        bl_sema_arg(c, d, "name", runner->name);
        bl_sema_arg(c, d, "what", bl_str_from(names[i]));
    }
}
