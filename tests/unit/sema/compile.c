/* SPDX-License-Identifier: Apache-2.0 */
#include "compile.h"

static enum bl_status read_file(void *context, struct bl_arena *arena, bl_str path,
                                bl_str *text)
{
    const struct compiled *c = context;
    (void)arena;
    for (const struct memory_file *file = c->files; file->path != NULL; file++) {
        if (!bl_str_equal(bl_str_from(file->path), path))
            continue;
        *text = bl_str_from(file->text);
        return file->status;
    }
    return BL_ERR_INVALID;
}

static enum bl_status list_folder(void *context, struct bl_arena *arena, bl_str folder,
                                  bl_str **names, size_t *count)
{
    const struct compiled *c = context;
    BL_VEC(bl_str) list = {NULL, 0, 0};
    bool here = bl_str_equal(folder, BL_STR("."));
    for (const struct memory_file *file = c->files; file->path != NULL; file++) {
        bl_str path = bl_str_from(file->path);
        bl_str rest = here ? path : bl_str_slice(path, folder.len + 1, path.len);
        if ((!here && (!bl_str_starts_with(path, folder) || path.ptr[folder.len] != '/')) ||
            bl_str_find_char(rest, '/') != SIZE_MAX)
            continue;
        bl_str *slot = BL_PUSH(arena, list);
        if (slot == NULL)
            return BL_ERR_NOMEM;
        *slot = rest;
    }
    *names = list.items;
    *count = list.count;
    return list.count > 0 ? BL_OK : BL_ERR_INVALID;
}

void compile_files(struct compiled *c, const struct memory_file *files, const char *root,
                   const struct bl_sema_options *options, const struct bl_allocator *allocator)
{
    const struct bl_sema_options none = {.no_embedded = true};
    struct bl_loader loader = {c, read_file, list_folder};
    bl_str path = bl_str_from(root);

    *c = (struct compiled){.files = files};
    bl_arena_init(&c->arena, SIZE_MAX / 2, allocator);
    bl_sources_init(&c->sources, &c->arena);
    bl_diagnostics_init(&c->sink, &c->arena, 1000);
    c->status = bl_sema(&c->arena, &c->sources, &c->sink, &loader, &path, 1,
                        options != NULL ? options : &none, &c->program);
    bl_diagnostics_sort(&c->sink);
}

void compile_text(struct compiled *c, const char *text)
{
    static struct memory_file files[2];
    files[0] = (struct memory_file){"a.policy", text, BL_OK};
    compile_files(c, files, "a.policy", NULL, NULL);
}

void release_compiled(struct compiled *c)
{
    bl_arena_reset(&c->arena);
}

size_t count_code(const struct compiled *c, unsigned code)
{
    size_t count = 0;
    for (size_t i = 0; i < c->sink.list.count; i++)
        count += c->sink.list.items[i]->code == code;
    return count;
}

static struct bl_node *find_in(struct compiled *c, struct bl_node *node, enum bl_node_kind kind,
                               bl_str text)
{
    if (node == NULL)
        return NULL;
    if (node->kind == kind && bl_str_equal(bl_sources_text(&c->sources, node->span), text))
        return node;
    for (uint32_t i = 0; i < node->kid_count; i++) {
        struct bl_node *found = find_in(c, node->kids[i], kind, text);
        if (found != NULL)
            return found;
    }
    return NULL;
}

struct bl_node *find_node(struct compiled *c, enum bl_node_kind kind, const char *text)
{
    for (size_t i = 0; i < c->program->files.count; i++) {
        struct bl_node *found =
            find_in(c, c->program->files.items[i]->ast.file, kind, bl_str_from(text));
        if (found != NULL)
            return found;
    }
    return NULL;
}

struct bl_symbol *find_symbol(const struct compiled *c, const char *name)
{
    for (unsigned space = 0; space < BL_SPACE_LOCALS; space++) {
        struct bl_symbol *symbol =
            bl_program_find(c->program, (enum bl_space)space, bl_str_from(name));
        if (symbol != NULL)
            return symbol;
    }
    return NULL;
}
