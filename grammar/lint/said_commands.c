/* SPDX-License-Identifier: Apache-2.0 */
#include "lint/linter.h"

/* Which commands the texts of a test say: the words of each text are looked up, so that a test
 * costs what it says and not that times the commands there are. */

struct said {
    const struct bl_symbol *family;
    bl_str word;
    const struct bl_symbol *command; /* NULL: the family's own word */
};
struct bl_said_commands {
    struct said *words; /* those of families, then those of commands, each in order */
    size_t family_count, count;
    bool *reached; /* by number of the command */
    bool any;      /* a text that only a run knows may say every one of them */
};

static int by_family_word(const void *a, const void *b)
{
    return bl_str_compare(((const struct said *)a)->word, ((const struct said *)b)->word);
}

/* People write the word of a command in any case. */
static int by_command(const void *a, const void *b)
{
    const struct said *one = a, *other = b;
    size_t length = one->word.len < other->word.len ? one->word.len : other->word.len;

    if (one->family != other->family)
        return one->family->number < other->family->number ? -1 : 1;
    for (size_t i = 0; i < length; i++) {
        char left = bl_ascii_lower(one->word.ptr[i]),
             right = bl_ascii_lower(other->word.ptr[i]);

        if (left != right)
            return left < right ? -1 : 1;
    }
    return one->word.len < other->word.len ? -1 : one->word.len > other->word.len;
}

static void sort(struct said *words, size_t count, int (*order)(const void *, const void *))
{
    if (count > 1)
        qsort(words, count, sizeof(*words), order);
}

static const struct said *find(const struct said *words, size_t count,
                               const struct bl_symbol *family, bl_str word,
                               int (*order)(const void *, const void *))
{
    const struct said key = {family, word, NULL};

    return count > 0 ? bsearch(&key, words, count, sizeof(key), order) : NULL;
}

struct bl_said_commands *bl_said_commands_begin(struct bl_linter *l)
{
    const struct bl_symbol_list *families = &l->program->symbols[BL_SYMBOL_COMMANDS];
    const struct bl_symbol_list *commands = &l->program->symbols[BL_SYMBOL_COMMAND];
    struct bl_said_commands *said = BL_NEW(l->arena, struct bl_said_commands);

    if (said == NULL)
        return NULL;
    said->words = BL_NEW_ARRAY(l->arena, families->count + commands->count + 1, struct said);
    said->reached = BL_NEW_ARRAY(l->arena, commands->count + 1, bool);
    if (said->words == NULL || said->reached == NULL)
        return NULL;
    for (size_t i = 0; i < families->count; i++) {
        const struct bl_symbol *family = families->items[i];

        said->words[said->count++] = (struct said){family, family->as.commands->word, NULL};
    }
    said->family_count = said->count;
    for (size_t i = 0; i < commands->count; i++) {
        const struct bl_symbol *command = commands->items[i];

        said->words[said->count++] =
            (struct said){command->as.commands->family, command->as.commands->word, command};
    }
    sort(said->words, said->family_count, by_family_word);
    sort(said->words + said->family_count, said->count - said->family_count, by_command);
    return said;
}

static bl_str next_word(bl_str text, size_t *at)
{
    size_t from;

    while (*at < text.len && bl_is_ascii_space(text.ptr[*at]))
        ++*at;
    from = *at;
    while (*at < text.len && !bl_is_ascii_space(text.ptr[*at]))
        ++*at;
    return bl_str_slice(text, from, *at);
}

static void look_at_text(struct bl_said_commands *said, bl_str text, bool *addressed)
{
    const struct said *commands = said->words + said->family_count;
    const struct bl_symbol *family = NULL;
    size_t at = 0;

    for (bl_str word = next_word(text, &at); word.len > 0; word = next_word(text, &at)) {
        const struct said *begun =
            find(said->words, said->family_count, NULL, word, by_family_word);
        const struct said *command = NULL;

        if (family != NULL)
            command =
                find(commands, said->count - said->family_count, family, word, by_command);
        if (command != NULL)
            said->reached[command->command->number] = true;
        /* What a family strips may stand between its word and the command's. */
        if (begun != NULL)
            family = begun->family;
        else if (family != NULL && family->as.commands->strips.count == 0)
            family = NULL;
        *addressed = *addressed || begun != NULL;
    }
}

static void look_at_node(struct bl_said_commands *said, const struct bl_node *node,
                         bool *addressed)
{
    bl_type type = node != NULL ? bl_type_base(node->type) : BL_TYPE_ERROR;

    if (node == NULL || (node->kind == BL_NODE_NAME && node->symbol != NULL &&
                         node->symbol->kind == BL_SYMBOL_LOCAL))
        return; /* a column, whose rows are looked at by themselves */
    if (node->kind == BL_NODE_STRING && node->kid_count <= 1) {
        look_at_text(said, node->text, addressed);
    } else if (bl_type_is(type, BL_TYPE_TEXT) || bl_type_is(type, BL_TYPE_UNTRUSTED)) {
        said->any = true;
        *addressed = true;
    }
}

bool bl_said_commands_look(struct bl_said_commands *said, const struct bl_test *test)
{
    bool addressed = false;

    for (const struct bl_statement *s = test->body; s != NULL; s = s->next) {
        for (size_t i = 0; s->kind == BL_STATEMENT_STEP && i < s->items.count; i++)
            look_at_node(said, s->items.items[i], &addressed);
    }
    for (size_t i = 0; i < test->row_count; i++) {
        for (size_t k = 0; k < test->columns.count; k++)
            look_at_node(said, test->rows[i].values[k], &addressed);
    }
    return addressed;
}

bool bl_said_commands_reach(const struct bl_said_commands *said,
                            const struct bl_symbol *command)
{
    return said->any || said->reached[command->number];
}
