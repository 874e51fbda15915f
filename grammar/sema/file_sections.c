/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/checker.h"

/* `section_of`: what a file of the repository must say, as data. Everything in it is known when
 * the policy is read, so that whoever writes the section runs nothing. */

static void complain(struct bl_checker *c, struct bl_span span, const char *what)
{
    bl_sema_arg(c, bl_sema_error(c, BL_D_SECTION_OF, span), "what", bl_str_from(what));
}

/* The file that a setting names: the first, when it names several. NULL when it names none;
 * *is_known is false when the value is computed. */
static const struct bl_node *first_path(const struct bl_node *value, bool *is_known)
{
    /* Settings rest on each other without a cycle: values.c saw to it. */
    while (value != NULL && value->resolution == BL_RESOLVED_SETTING)
        value = value->symbol->as.setting->value;
    *is_known = value != NULL;
    if (value == NULL || value->kind == BL_NODE_STRING)
        return value;
    if (value->kind == BL_NODE_LIST)
        return value->kid_count > 0 ? first_path(value->kids[0], is_known) : NULL;
    *is_known = value->kind == BL_NODE_NONE;
    return NULL;
}

static void read_path(struct bl_checker *c, struct bl_file_section *section,
                      struct bl_node *name)
{
    struct bl_symbol *symbol = bl_sema_find_kind(c, name, BL_SYMBOL_SETTING);
    bool is_known;

    if (symbol == NULL || bl_is_error(symbol->type))
        return;
    if (bl_type_kind(symbol->type) != BL_TYPE_PATH || bl_type_list_depth(symbol->type) > 1) {
        complain(c, name->span, "the setting holds no path");
        return;
    }
    const struct bl_node *path = first_path(symbol->as.setting->value, &is_known);
    if (!is_known ||
        (path != NULL && path->kid_count > 0 && path->kids[0]->kind != BL_NODE_STRING_PART))
        complain(c, name->span, "the value of the setting is computed");
    else if (path != NULL && path->kid_count > 0)
        section->path = path->kids[0]->text;
}

/* The words of a message in one language; NULL when it has none there. */
static struct bl_message_text *text_in(const struct bl_message *message,
                                       const struct bl_symbol *locale)
{
    for (size_t i = 0; i < message->count; i++) {
        if (message->texts[i].locale == locale)
            return &message->texts[i];
    }
    return NULL;
}

static bl_str plain(struct bl_checker *c, struct bl_message_text *text)
{
    if (text->text != NULL)
        return bl_sema_plain_text(c, text->text);
    complain(c, text->span, "a message of it has rows");
    return (bl_str){NULL, 0};
}

/* The language of reference is that of the policy, and comes first: its number is 0. */
static void put_in_front(struct bl_file_section *section)
{
    for (size_t i = 0; i < section->count; i++) {
        struct bl_section_words first = section->words[i];

        if (first.locale->number != 0)
            continue;
        section->words[i] = section->words[0];
        section->words[0] = first;
        return;
    }
}

static void read_words(struct bl_checker *c, struct bl_file_section *section,
                       struct bl_message *heading, struct bl_message *message)
{
    section->words = BL_NEW_ARRAY(c->arena, message->count + 1, struct bl_section_words);
    for (size_t i = 0; section->words != NULL && i < message->count; i++) {
        struct bl_message_text *below = &message->texts[i];
        struct bl_message_text *above = text_in(heading, below->locale);
        struct bl_section_words *words = &section->words[section->count];

        if (above == NULL)
            continue;
        *words = (struct bl_section_words){below->locale, plain(c, above), plain(c, below)};
        if (words->heading.ptr != NULL && (bl_str_trim(words->heading).len == 0 ||
                                           bl_str_find_char(words->heading, '\n') != SIZE_MAX))
            complain(c, above->span, "its heading is no line of text");
        section->count++;
    }
    put_in_front(section);
    if (section->count == 0)
        complain(c, section->span, "no language has both messages");
}

static void read_section(struct bl_checker *c, struct bl_file *file, struct bl_clause *clause)
{
    struct bl_file_section section = {.span = clause->node->span};
    struct bl_symbol *heading = NULL, *message = NULL;
    struct bl_file_section *slot;

    (void)file;
    if (clause->id != BL_CLAUSE_SECTION_OF)
        return;
    read_path(c, &section, bl_slot_node(clause, 0));
    for (struct bl_clause *row = clause->block; row != NULL; row = row->next) {
        struct bl_symbol *found = bl_sema_find_kind(c, bl_slot_node(row, 0), BL_SYMBOL_MESSAGE);

        if (row->id == BL_CLAUSE_SECTION_OF_HEADING)
            heading = found;
        else
            message = found;
    }
    if (heading == NULL || message == NULL)
        return;
    read_words(c, &section, heading->as.message, message->as.message);
    slot = BL_PUSH(c->arena, c->program->sections);
    if (slot != NULL)
        *slot = section;
}

void bl_sema_sections(struct bl_checker *c)
{
    bl_sema_each_clause(c, read_section);
}
