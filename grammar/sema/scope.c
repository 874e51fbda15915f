/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/checker.h"
#include "sema/embedded.h"

/* Open addressing; names of one space differ. */
struct bl_names {
    struct bl_symbol **slots;
    size_t capacity; /* a power of two */
    size_t count;
};

bool bl_scope_create(struct bl_checker *c)
{
    struct bl_scope *scope = BL_NEW(c->arena, struct bl_scope);

    if (scope == NULL)
        return false;
    for (unsigned i = 0; i < BL_SPACE_LOCALS; i++) {
        scope->spaces[i] = BL_NEW(c->arena, struct bl_names);
        if (scope->spaces[i] == NULL)
            return false;
    }
    c->program->scope = scope;
    return true;
}

enum bl_space bl_symbol_space(enum bl_symbol_kind kind)
{
    static const unsigned char spaces[] = {
#define BL_SYMBOL(id, name, space) [BL_SYMBOL_##id] = BL_SPACE_##space,
#include "sema/symbols.def"
#undef BL_SYMBOL
    };

    return (enum bl_space)spaces[kind];
}

static struct bl_symbol *find_in(const struct bl_names *names, bl_str name)
{
    size_t at;

    if (names->capacity == 0)
        return NULL;
    at = (size_t)bl_str_hash(name, 0) & (names->capacity - 1);
    while (names->slots[at] != NULL && !bl_str_equal(names->slots[at]->name, name))
        at = (at + 1) & (names->capacity - 1);
    return names->slots[at];
}

struct bl_symbol *bl_program_find(const struct bl_program *program, enum bl_space space,
                                  bl_str name)
{
    if (program->scope == NULL || space >= BL_SPACE_LOCALS)
        return NULL;
    return find_in(program->scope->spaces[space], name);
}

struct bl_symbol *bl_scope_find(const struct bl_checker *c, enum bl_space space, bl_str name)
{
    return bl_program_find(c->program, space, name);
}

static bool grow(struct bl_checker *c, struct bl_names *names)
{
    size_t capacity = names->capacity == 0 ? 64 : names->capacity * 2;
    struct bl_symbol **slots = BL_NEW_ARRAY(c->arena, capacity, struct bl_symbol *);

    if (slots == NULL)
        return false;
    for (size_t i = 0; i < names->capacity; i++) {
        size_t at;

        if (names->slots[i] == NULL)
            continue;
        at = (size_t)bl_str_hash(names->slots[i]->name, 0) & (capacity - 1);
        while (slots[at] != NULL)
            at = (at + 1) & (capacity - 1);
        slots[at] = names->slots[i];
    }
    names->slots = slots;
    names->capacity = capacity;
    return true;
}

bool bl_scope_add(struct bl_checker *c, struct bl_symbol *symbol, struct bl_symbol **taken)
{
    struct bl_names *names = c->program->scope->spaces[bl_symbol_space(symbol->kind)];
    size_t at;

    *taken = find_in(names, symbol->name);
    if (*taken != NULL)
        return false;
    if (names->count * 2 >= names->capacity && !grow(c, names))
        return true; /* out of memory is said once, at the end */
    at = (size_t)bl_str_hash(symbol->name, 0) & (names->capacity - 1);
    while (names->slots[at] != NULL)
        at = (at + 1) & (names->capacity - 1);
    names->slots[at] = symbol;
    names->count++;
    return true;
}

/* ---- names that should differ ---------------------------------------------------------- */

static bl_str *slot_of(const struct bl_name_set *set, bl_str name)
{
    size_t at = (size_t)bl_str_hash(name, 0) & (set->capacity - 1);

    while (set->slots[at].ptr != NULL && !bl_str_equal(set->slots[at], name))
        at = (at + 1) & (set->capacity - 1);
    return &set->slots[at];
}

static bool grow_set(struct bl_checker *c, struct bl_name_set *set)
{
    struct bl_name_set bigger = {.capacity = set->capacity == 0 ? 16 : set->capacity * 2,
                                 .count = set->count};

    bigger.slots = BL_NEW_ARRAY(c->arena, bigger.capacity, bl_str);
    if (bigger.slots == NULL)
        return false;
    for (size_t i = 0; i < set->capacity; i++) {
        if (set->slots[i].ptr != NULL)
            *slot_of(&bigger, set->slots[i]) = set->slots[i];
    }
    *set = bigger;
    return true;
}

bool bl_name_set_add(struct bl_checker *c, struct bl_name_set *set, bl_str name)
{
    bl_str *slot;

    if (name.ptr == NULL || (set->count * 2 >= set->capacity && !grow_set(c, set)))
        return true;
    slot = slot_of(set, name);
    if (slot->ptr != NULL)
        return false;
    *slot = name;
    set->count++;
    return true;
}

bool bl_name_set_has(const struct bl_name_set *set, bl_str name)
{
    return set->capacity > 0 && slot_of(set, name)->ptr != NULL;
}

/* ---- locals --------------------------------------------------------------------------------
 */

static struct bl_scoped **bucket_of(struct bl_body *body, bl_str name)
{
    return &body->named[bl_str_hash(name, 0) & (BL_LOCAL_BUCKETS - 1)];
}

/* The one that was brought last, so that an inner one hides an outer one. */
static struct bl_scoped *scoped_as(const struct bl_checker *c, bl_str name)
{
    struct bl_scoped *s = *bucket_of(c->body, name);

    while (s != NULL && !bl_str_equal(s->symbol->name, name))
        s = s->behind;
    return s;
}

struct bl_symbol *bl_scope_find_local(const struct bl_checker *c, bl_str name)
{
    struct bl_scoped *s = c->body != NULL ? scoped_as(c, name) : NULL;

    return s != NULL ? s->symbol : NULL;
}

/* A local that is named as an ambient and has its type stands for it. */
static enum bl_ambient ambient_of(bl_str name, bl_type type)
{
    enum bl_ambient ambient = bl_ambient_find(name);

    if (ambient == BL_AMBIENT_COUNT || bl_ambient_info(ambient)->type != type ||
        (bl_type_kind(type) != BL_TYPE_ENTITY && ambient != BL_AMBIENT_LANGUAGE))
        return BL_AMBIENT_COUNT;
    return ambient;
}

void bl_scope_bring(struct bl_checker *c, struct bl_symbol *local)
{
    struct bl_scoped *scoped = BL_NEW(c->arena, struct bl_scoped);
    enum bl_ambient rebinds = local->as.local->rebinds;

    if (scoped == NULL)
        return;
    scoped->symbol = local;
    scoped->next = c->body->locals;
    scoped->depth = c->body->depth;
    scoped->behind = *bucket_of(c->body, local->name);
    *bucket_of(c->body, local->name) = scoped;
    c->body->locals = scoped;
    if (rebinds != BL_AMBIENT_COUNT)
        c->body->rebound[rebinds] = local;
}

struct bl_symbol *bl_scope_local(struct bl_checker *c, enum bl_local_kind kind,
                                 const struct bl_node *name_node, bl_str name, bl_type type,
                                 struct bl_node *value)
{
    struct bl_symbol *symbol = BL_NEW(c->arena, struct bl_symbol);
    struct bl_local *local = BL_NEW(c->arena, struct bl_local);
    struct bl_scoped *first;

    if (symbol == NULL || local == NULL)
        return NULL;
    first = scoped_as(c, name);
    if (first != NULL && first->depth == c->body->depth && name_node != NULL) {
        struct bl_diagnostic *d = bl_sema_error(c, BL_D_DECLARED_TWICE, name_node->span);

        bl_sema_arg(c, d, "name", name);
        bl_diagnostic_label(c->sink, d, first->symbol->span, BL_STR("It stands here first."));
    }
    local->kind = kind;
    local->value = value;
    local->rebinds = ambient_of(name, type);
    symbol->kind = BL_SYMBOL_LOCAL;
    symbol->name = name;
    symbol->span = name_node != NULL ? name_node->span : BL_NO_SPAN;
    symbol->type = type;
    symbol->package = c->body->package;
    symbol->as.local = local;
    bl_scope_bring(c, symbol);
    return symbol;
}

struct bl_scope_mark bl_scope_enter(struct bl_checker *c)
{
    struct bl_scope_mark mark = {.locals = c->body->locals};

    for (unsigned i = 0; i < BL_AMBIENT_COUNT; i++)
        mark.rebound[i] = c->body->rebound[i];
    c->body->depth++;
    return mark;
}

void bl_scope_leave(struct bl_checker *c, struct bl_scope_mark mark)
{
    for (; c->body->locals != mark.locals; c->body->locals = c->body->locals->next)
        *bucket_of(c->body, c->body->locals->symbol->name) = c->body->locals->behind;
    for (unsigned i = 0; i < BL_AMBIENT_COUNT; i++)
        c->body->rebound[i] = mark.rebound[i];
    c->body->depth--;
}

/* ---- likeness ------------------------------------------------------------------------------
 */

void bl_likeness_symbols(struct bl_checker *c, struct bl_likeness *l, enum bl_symbol_kind kind)
{
    const struct bl_symbol_list *list = &c->program->symbols[kind];

    /* Errors above the cap are counted and not shown; a search for each would be quadratic. */
    if (c->sink->errors >= c->sink->max_errors)
        return;
    for (size_t i = 0; i < list->count; i++)
        bl_likeness_consider(l, list->items[i]->name);
}

/* ---- what the standard library declares ---------------------------------------------------
 */

/* Does a line of the text declare the name: a word, the name, and no letter behind it? */
static bool declares(bl_str text, bl_str name)
{
    while (text.len > 0) {
        size_t end = bl_str_find_char(text, '\n');
        bl_str line = bl_str_slice(text, 0, end);
        size_t word = 0;

        while (word < line.len && line.ptr[word] >= 'a' && line.ptr[word] <= 'z')
            word++;
        bl_str rest = bl_str_slice(line, word, line.len);
        bl_str behind = bl_str_slice(rest, name.len + 1, rest.len);
        if (word > 0 && bl_str_starts_with(rest, BL_STR(" ")) &&
            bl_str_starts_with(bl_str_slice(rest, 1, rest.len), name) &&
            (behind.len == 0 || behind.ptr[0] == ' ' || behind.ptr[0] == '('))
            return true;
        text = end == SIZE_MAX ? (bl_str){NULL, 0} : bl_str_slice(text, end + 1, text.len);
    }
    return false;
}

bool bl_sema_library_help(struct bl_checker *c, struct bl_diagnostic *d, bl_str name)
{
    static const char folder[] = "stdlib/", ending[] = ".policy";

    for (size_t i = 0; d != NULL && name.len > 0 && i < bl_embedded_file_count; i++) {
        const struct bl_embedded_file *file = &bl_embedded_files[i];
        bl_str path = bl_str_from(file->path);

        if (!bl_str_starts_with(path, bl_str_from(folder)) ||
            !declares((bl_str){(const char *)file->text, file->len}, name))
            continue;
        path = bl_str_slice(path, sizeof folder - 1, path.len - (sizeof ending - 1));
        bl_sema_help(c, d, "It comes with the standard library: write 'use std.%.*s'.",
                     BL_STR_ARG(path));
        return true;
    }
    return false;
}

void bl_likeness_help(struct bl_checker *c, const struct bl_likeness *l,
                      struct bl_diagnostic *d, struct bl_span span)
{
    char names[400];
    bl_str all;

    if (l->best.len > 0) {
        bl_sema_help(c, d, "Did you mean '%.*s'?", BL_STR_ARG(l->best));
        bl_diagnostic_fix(c->sink, d, span, l->best);
        return;
    }
    if (bl_sema_library_help(c, d, l->name))
        return;
    all = bl_likeness_list(l, names, sizeof names);
    if (all.len > 0)
        bl_sema_help(c, d, l->count > 1 ? "There are %.*s." : "There is %.*s.",
                     BL_STR_ARG(all));
}
