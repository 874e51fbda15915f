/* SPDX-License-Identifier: Apache-2.0 */
#include "event/json.h"
#include "show/show_text.h"

/* The typed tree for programs. Nodes stand in one list for each file, children before their
 * parents and named by their places in it, so that no reader needs a stack and the file itself
 * is the last one. */

static const char *const node_names[] = {
#define BL_NODE(id, name, children) #id,
#include "syntax/ast.def"
#undef BL_NODE
};
static const char *const block_names[] = {
#define BL_CLAUSE_BLOCK(id, name, included, inner) #id,
#define BL_CLAUSE(id, block, words, shape, often, doc)
#include "spec/clauses.def"
#undef BL_CLAUSE_BLOCK
#undef BL_CLAUSE
};
static const char *const resolution_names[] = {
#define BL_RESOLUTION(id, name, doc) name,
#include "sema/resolutions.def"
#undef BL_RESOLUTION
};

struct tree {
    const struct bl_program *program;
    struct bl_json_writer json;
    unsigned count; /* of the nodes written of this file */
};
#define NO_NODE UINT32_MAX

/* ---- small parts
 * ------------------------------------------------------------------------------------ */

static void put_word(struct tree *t, const char *key, bl_str value)
{
    if (value.len == 0)
        return;
    bl_json_key(&t->json, bl_str_from(key));
    bl_json_string(&t->json, value);
}

static void put_number(struct tree *t, const char *key, int64_t value)
{
    bl_json_key(&t->json, bl_str_from(key));
    bl_json_integer(&t->json, value);
}

static void put_true(struct tree *t, const char *key)
{
    bl_json_key(&t->json, bl_str_from(key));
    bl_json_bool(&t->json, true);
}

/* "OPTIONAL_FIELD" as "optional_field". */
static void put_lower(struct tree *t, const char *key, const char *name)
{
    char words[32];
    size_t i = 0;

    for (; name[i] != '\0' && i + 1 < sizeof words; i++)
        words[i] = bl_ascii_lower(name[i]);
    words[i] = '\0';
    put_word(t, key, bl_str_from(words));
}

static void put_span(struct tree *t, const char *key, struct bl_span span)
{
    bl_json_key(&t->json, bl_str_from(key));
    bl_json_begin_array(&t->json);
    bl_json_integer(&t->json, span.lo);
    bl_json_integer(&t->json, span.hi);
    bl_json_end_array(&t->json);
}

static bool is_unknown(bl_type type)
{
    return bl_type_kind(type) == BL_TYPE_ERROR && !bl_type_is_list(type);
}

static void put_type(struct tree *t, const char *key, bl_type type)
{
    struct bl_buf words;

    if (is_unknown(type))
        return;
    bl_buf_init(&words, t->program->arena, 0x10000);
    bl_program_type_name(t->program, type, &words);
    put_word(t, key, bl_buf_str(&words));
}

/* Where a name is declared, by the place of the file in the list of all. What the language
 * itself gives, such as 'match', stands in no file. */
static void put_place(struct tree *t, struct bl_span span)
{
    for (size_t i = 0; i < t->program->files.count; i++) {
        if (t->program->files.items[i]->ast.source != span.source || span.hi == span.lo)
            continue;
        put_number(t, "file", (int64_t)i);
        put_span(t, "span", span);
    }
}

static void put_symbol(struct tree *t, const struct bl_symbol *symbol)
{
    bl_json_begin_object(&t->json);
    put_word(t, "kind", bl_symbol_kind_name(symbol->kind));
    put_word(t, "name", symbol->name);
    put_place(t, symbol->span);
    bl_json_end_object(&t->json);
}

/* ---- nodes
 * ------------------------------------------------------------------------------------------ */

/* What `index` names. */
static void put_index(struct tree *t, const struct bl_node *node)
{
    struct bl_buf words;

    switch ((enum bl_resolution)node->resolution) {
    case BL_RESOLVED_AMBIENT:
        put_word(t, "of", bl_ambient_info((enum bl_ambient)node->index)->name);
        return;
    case BL_RESOLVED_BUILTIN:
        put_word(t, "of", bl_builtin_info((enum bl_builtin)node->index)->name);
        return;
    case BL_RESOLVED_ENUM:
        put_word(t, "of", bl_program_member(t->program, bl_type_ref(node->type), node->index));
        return;
    case BL_RESOLVED_FIELD:
    case BL_RESOLVED_HAS: {
        const struct bl_field_info *field = bl_field_info((enum bl_field)node->index);

        bl_buf_init(&words, t->program->arena, 0x1000);
        bl_buf_printf(&words, "%.*s.%.*s", BL_STR_ARG(bl_entity_info(field->entity)->name),
                      BL_STR_ARG(field->name));
        put_word(t, "of", bl_buf_str(&words));
        return;
    }
    case BL_RESOLVED_IS_EVENT:
        bl_buf_init(&words, t->program->arena, 0x1000);
        bl_show_event(&words, node->index);
        put_word(t, "of", bl_buf_str(&words));
        return;
    case BL_RESOLVED_TEXT:
        if (node->index < BL_PLACE_COUNT)
            put_word(t, "of", bl_place_name((enum bl_place)node->index));
        return;
    case BL_RESOLVED_NOT:
    case BL_RESOLVED_LOCAL:
    case BL_RESOLVED_SETTING:
    case BL_RESOLVED_LABEL:
    case BL_RESOLVED_GROUP:
    case BL_RESOLVED_TASK:
    case BL_RESOLVED_LOCALE:
    case BL_RESOLVED_COMMAND:
    case BL_RESOLVED_WORD:
    case BL_RESOLVED_VARIABLE:
    case BL_RESOLVED_SECRET:
    case BL_RESOLVED_KIND:
    case BL_RESOLVED_STORE:
    case BL_RESOLVED_SECRETS:
    case BL_RESOLVED_ANSWER:
    case BL_RESOLVED_CALL:
    case BL_RESOLVED_RECORD:
    case BL_RESOLVED_MESSAGE:
    case BL_RESOLVED_DOCUMENT:
    case BL_RESOLVED_CLEANER:
    case BL_RESOLVED_ATTRIBUTE:
    case BL_RESOLVED_RECORD_FIELD:
    case BL_RESOLVED_IS_SET:
    case BL_RESOLVED_IS_ABSENT:
    case BL_RESOLVED_IS_ACTOR:
    case BL_RESOLVED_IS_KIND:
    case BL_RESOLVED_IS_PULL:
    case BL_RESOLVED_IS_COMMAND:
    case BL_RESOLVED_PATTERN:
    case BL_RESOLVED_GLOB:
    case BL_RESOLVED_SAME:
    case BL_RESOLVED_LOOP:
        break;
    }
}

static void put_meaning(struct tree *t, const struct bl_node *node)
{
    put_type(t, "type", node->type);
    if (node->declared != node->type && !is_unknown(node->type))
        put_type(t, "declared", node->declared);
    if (node->resolution != BL_RESOLVED_NOT) {
        put_word(t, "means", bl_str_from(resolution_names[node->resolution]));
        put_index(t, node);
    }
    if (node->symbol != NULL) {
        bl_json_key(&t->json, BL_STR("symbol"));
        put_symbol(t, node->symbol);
    }
}

static bool has_value(enum bl_node_kind kind)
{
    return kind == BL_NODE_INT || kind == BL_NODE_DURATION || kind == BL_NODE_PERCENT ||
           kind == BL_NODE_MONEY || kind == BL_NODE_DATE || kind == BL_NODE_TIME;
}

static void put_node(struct tree *t, const struct bl_node *node, const struct bl_clause *clause)
{
    put_lower(t, "node", node_names[node->kind]);
    put_span(t, "span", node->span);
    if (node->name_span.hi > node->name_span.lo)
        put_span(t, "name_span", node->name_span);
    if (clause != NULL) {
        put_lower(t, "block", block_names[bl_clause_info(clause->id)->block]);
        put_word(t, "clause", bl_clause_info(clause->id)->words);
    }
    put_word(t, "text", node->text);
    put_word(t, "flags", node->flags);
    put_word(t, "operator", bl_operator_spelling(node->op));
    if (has_value(node->kind))
        put_number(t, "value", node->number);
    if (node->parenthesised)
        put_true(t, "parenthesised");
    put_meaning(t, node);
}

static uint32_t put_tree(struct tree *t, const struct bl_node *node,
                         const struct bl_clause *clause, const struct bl_clause *inner);

/* The children first; their numbers, in the arena. `inner`: the clauses among them, in order.
 */
static uint32_t *put_kids(struct tree *t, const struct bl_node *node,
                          const struct bl_clause *inner)
{
    uint32_t *kids = BL_NEW_ARRAY(t->program->arena, node->kid_count + 1u, uint32_t);

    for (uint32_t i = 0; kids != NULL && i < node->kid_count; i++) {
        const struct bl_node *kid = node->kids[i];
        bool is_clause = inner != NULL && kid == inner->node;

        kids[i] = NO_NODE;
        if (kid == NULL)
            continue;
        if (is_clause)
            kids[i] = put_tree(t, kid, inner, inner->block);
        else /* a block has the clauses of the clause that it belongs to */
            kids[i] = put_tree(t, kid, NULL, kid->kind == BL_NODE_BLOCK ? inner : NULL);
        inner = is_clause ? inner->next : inner;
    }
    return kids;
}

static uint32_t put_tree(struct tree *t, const struct bl_node *node,
                         const struct bl_clause *clause, const struct bl_clause *inner)
{
    const uint32_t *kids = put_kids(t, node, inner);

    if (kids == NULL)
        return NO_NODE;
    bl_json_begin_object(&t->json);
    put_node(t, node, clause);
    if (node->kid_count > 0) {
        bl_json_key(&t->json, BL_STR("kids"));
        bl_json_begin_array(&t->json);
        for (uint32_t i = 0; i < node->kid_count; i++) {
            if (kids[i] == NO_NODE)
                bl_json_null(&t->json);
            else
                bl_json_integer(&t->json, kids[i]);
        }
        bl_json_end_array(&t->json);
    }
    bl_json_end_object(&t->json);
    return t->count++;
}

/* ---- files and symbols
 * ------------------------------------------------------------------------------ */

static void put_comments(struct tree *t, const struct bl_file *file)
{
    bl_json_key(&t->json, BL_STR("comments"));
    bl_json_begin_array(&t->json);
    for (size_t i = 0; i < file->ast.comments.count; i++) {
        const struct bl_comment *comment = &file->ast.comments.items[i];

        bl_json_begin_object(&t->json);
        put_span(t, "span", comment->span);
        if (comment->is_doc)
            put_true(t, "doc");
        bl_json_end_object(&t->json);
    }
    bl_json_end_array(&t->json);
}

static void put_source(struct tree *t, const struct bl_file *file)
{
    const struct bl_source *source = bl_sources_get(t->program->sources, file->ast.source);

    bl_json_begin_object(&t->json);
    put_word(t, "path", source == NULL ? (bl_str){NULL, 0} : source->path);
    if (file->package != NULL) {
        put_word(t, "package", file->package->name);
        if (file->package->embedded)
            put_true(t, "embedded");
    }
    if (file->is_test)
        put_true(t, "test");
    if (file->package != NULL && file->package->is_root) {
        put_comments(t, file);
        bl_json_key(&t->json, BL_STR("nodes"));
        bl_json_begin_array(&t->json);
        t->count = 0;
        put_tree(t, file->ast.file, NULL, file->clauses);
        bl_json_end_array(&t->json);
    }
    bl_json_end_object(&t->json);
}

static void put_declaration(struct tree *t, const struct bl_symbol *symbol)
{
    bl_json_begin_object(&t->json);
    put_word(t, "kind", bl_symbol_kind_name(symbol->kind));
    put_word(t, "name", symbol->name);
    put_place(t, symbol->span);
    put_span(t, "declaration", symbol->clause->node->span);
    put_type(t, "type", symbol->type);
    put_word(t, "doc", bl_show_doc(t->program, symbol->clause));
    if (symbol->used)
        put_true(t, "used");
    bl_json_end_object(&t->json);
}

void bl_show_tree(const struct bl_program *program, struct bl_buf *out)
{
    struct tree t = {.program = program};

    bl_json_writer_init(&t.json, out, false);
    bl_json_begin_object(&t.json);
    put_number(&t, "version", 1);
    bl_json_key(&t.json, BL_STR("files"));
    bl_json_begin_array(&t.json);
    for (size_t i = 0; i < program->files.count; i++)
        put_source(&t, program->files.items[i]);
    bl_json_end_array(&t.json);
    bl_json_key(&t.json, BL_STR("symbols"));
    bl_json_begin_array(&t.json);
    for (unsigned kind = 0; kind < BL_SYMBOL_KIND_COUNT; kind++) {
        for (size_t i = 0; i < program->symbols[kind].count; i++) {
            if (program->symbols[kind].items[i]->clause != NULL)
                put_declaration(&t, program->symbols[kind].items[i]);
        }
    }
    bl_json_end_array(&t.json);
    bl_json_end_object(&t.json);
    bl_buf_put_char(out, '\n');
    out->failed = out->failed || program->arena->failed;
}
