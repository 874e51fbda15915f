/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/checker.h"
#include "sema/embedded.h"

/* Files and packages: `use a.b` is the file b of the folder a, or the folder a/b, first beside
 * the using file, then in the folders of the search path, then among what comes with the
 * compiler. */

#define PACKAGES_DEEP 64 /* packages that use one another in a chain */

struct link {
    struct bl_package *package;
    struct bl_span use; /* where the one before names it */
    struct link *outer;
};

/* Where files come from: the loader, or the table of embedded files. */
struct place {
    bool embedded;
    bl_str folder; /* empty: where relative paths begin */
};

static bl_str joined(struct bl_checker *c, bl_str folder, bl_str name)
{
    if (folder.len == 0)
        return name;
    if (folder.ptr[folder.len - 1] == '/')
        return bl_sema_text(c, "%.*s%.*s", BL_STR_ARG(folder), BL_STR_ARG(name));
    return bl_sema_text(c, "%.*s/%.*s", BL_STR_ARG(folder), BL_STR_ARG(name));
}

static bl_str folder_of(bl_str path)
{
    size_t at = path.len;

    while (at > 0 && path.ptr[at - 1] != '/')
        at--;
    return bl_str_slice(path, 0, at > 1 ? at - 1 : at);
}

static bool is_test_name(bl_str name)
{
    return bl_str_ends_with(name, BL_STR("_test.policy"));
}

/* ---- reading -------------------------------------------------------------------------------
 */

static enum bl_status read_embedded(bl_str path, bl_str *text)
{
    for (size_t i = 0; i < bl_embedded_file_count; i++) {
        const struct bl_embedded_file *file = &bl_embedded_files[i];

        if (bl_str_equal(bl_str_from(file->path), path)) {
            *text = (bl_str){(const char *)file->text, file->len};
            return BL_OK;
        }
    }
    return BL_ERR_INVALID;
}

static enum bl_status read_file(struct bl_checker *c, bool embedded, bl_str path, bl_str *text)
{
    enum bl_status status;

    if (embedded)
        return read_embedded(path, text);
    status = c->loader->read(c->loader->context, c->arena, path, text);
    if (status == BL_OK && text->len > bl_limit(BL_LIMIT_SOURCE_BYTES))
        return BL_ERR_LIMIT;
    return status;
}

static enum bl_status list_embedded(struct bl_checker *c, bl_str folder, bl_str **names,
                                    size_t *count)
{
    bl_str prefix = joined(c, folder, BL_STR(""));

    *count = 0;
    *names = BL_NEW_ARRAY(c->arena, bl_embedded_file_count + 1, bl_str);
    for (size_t i = 0; *names != NULL && i < bl_embedded_file_count; i++) {
        bl_str path = bl_str_from(bl_embedded_files[i].path);
        bl_str rest = bl_str_slice(path, prefix.len, path.len);

        if (bl_str_starts_with(path, prefix) && bl_str_find_char(rest, '/') == SIZE_MAX)
            (*names)[(*count)++] = rest;
    }
    return *count > 0 ? BL_OK : BL_ERR_INVALID;
}

static enum bl_status list_folder(struct bl_checker *c, bool embedded, bl_str folder,
                                  bl_str **names, size_t *count)
{
    if (embedded)
        return list_embedded(c, folder, names, count);
    if (folder.len == 0)
        folder = BL_STR(".");
    return c->loader->list(c->loader->context, c->arena, folder, names, count);
}

static void report_unreadable(struct bl_checker *c, struct bl_span use, bl_str path,
                              enum bl_status status)
{
    struct bl_diagnostic *d;

    if (status == BL_ERR_NOMEM)
        return;
    d = bl_sema_error(c, status == BL_ERR_LIMIT ? BL_D_FILE_TOO_LARGE : BL_D_FILE_UNREADABLE,
                      use);
    bl_sema_arg(c, d, "path", path);
}

static bool is_loaded(struct bl_checker *c, bl_str path)
{
    for (size_t i = 0; i < c->program->files.count; i++) {
        uint32_t source = c->program->files.items[i]->ast.source;

        if (bl_str_equal(bl_sources_get(c->sources, source)->path, path))
            return true;
    }
    return false;
}

/* Parses and matches a file into the package; NULL when it is not there. A file that the parser
 * stumbles over takes part with what was understood. */
static struct bl_file *take_file(struct bl_checker *c, struct bl_package *package, bl_str path,
                                 bl_str text)
{
    struct bl_file *file = BL_NEW(c->arena, struct bl_file);
    struct bl_file **slot;
    uint32_t source;

    if (file == NULL)
        return NULL;
    if (c->program->files.count >= bl_limit(BL_LIMIT_SOURCES)) {
        struct bl_diagnostic *d = bl_sema_error(c, BL_D_TOO_MANY_FILES, package->span);

        bl_diagnostic_int(c->sink, d, "count", (int64_t)bl_limit(BL_LIMIT_SOURCES));
        return NULL;
    }
    source = bl_sources_add(c->sources, path, text);
    if (source == BL_NO_SOURCE)
        return NULL;
    if (bl_parse(c->arena, c->sources, source, c->sink, &file->ast) == BL_ERR_NOMEM)
        return NULL;
    file->package = package;
    file->is_test = is_test_name(path);
    if (file->ast.file != NULL)
        file->clauses =
            bl_clauses_match(c->arena, c->sources, c->sink, file->ast.file, BL_BLOCK_TOP);
    slot = BL_PUSH(c->arena, c->program->files);
    if (slot != NULL)
        *slot = file;
    return file;
}

static bool has_package_clause(const struct bl_file *file)
{
    for (const struct bl_clause *clause = file->clauses; clause != NULL;
         clause = clause->next) {
        if (clause->id == BL_CLAUSE_PACKAGE)
            return true;
    }
    return false;
}

/* ---- packages ------------------------------------------------------------------------------
 */

static struct bl_package *new_package(struct bl_checker *c, bl_str path, struct bl_span use)
{
    struct bl_package *package = BL_NEW(c->arena, struct bl_package);

    if (package != NULL) {
        package->path = path;
        package->span = use;
    }
    return package;
}

static void load_uses(struct bl_checker *c, struct link *link, size_t first_file,
                      bool embedded);

/* The package goes behind those that it uses. */
static void finish_package(struct bl_checker *c, struct bl_package *package)
{
    struct bl_package **slot = BL_PUSH(c->arena, c->program->packages);

    if (slot == NULL)
        return;
    package->number = (uint32_t)c->program->packages.count - 1;
    *slot = package;
    package->reaches = BL_NEW_ARRAY(c->arena, package->number / 64 + 1, uint64_t);
    for (size_t i = 0; package->reaches != NULL && i < package->use_count; i++) {
        const struct bl_package *used = package->uses[i];

        package->reaches[used->number / 64] |= UINT64_C(1) << (used->number % 64);
        for (uint32_t w = 0; used->reaches != NULL && w <= used->number / 64; w++)
            package->reaches[w] |= used->reaches[w];
    }
}

bool bl_package_uses(const struct bl_package *package, const struct bl_package *used)
{
    return package->number > used->number && package->reaches != NULL &&
           (package->reaches[used->number / 64] >> (used->number % 64) & 1) != 0;
}

static struct bl_package *find_package(struct bl_checker *c, bl_str key)
{
    for (size_t i = 0; i < c->program->packages.count; i++) {
        if (bl_str_equal(c->program->packages.items[i]->path, key))
            return c->program->packages.items[i];
    }
    return NULL;
}

static bool take_folder(struct bl_checker *c, struct bl_package *package, bool embedded,
                        bl_str folder, bool tests)
{
    bl_str *names;
    size_t count;
    size_t taken = 0;
    enum bl_status status = list_folder(c, embedded, folder, &names, &count);

    if (status != BL_OK) {
        if (status != BL_ERR_INVALID)
            report_unreadable(c, package->span, folder, status);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        bl_str path = joined(c, folder, names[i]);
        bl_str text;

        if (is_test_name(names[i]) && !tests)
            continue;
        taken++;
        if (is_loaded(c, path))
            continue;
        status = read_file(c, embedded, path, &text);
        if (status == BL_OK)
            take_file(c, package, path, text);
        else
            report_unreadable(c, package->span, path, status);
    }
    return taken > 0;
}

static void report_cycle(struct bl_checker *c, struct link *link, struct bl_package *again,
                         struct bl_span use)
{
    struct bl_diagnostic *d = bl_sema_error(c, BL_D_PACKAGE_CYCLE, use);

    bl_sema_arg(c, d, "name", again->path);
    for (struct link *at = link; at != NULL && at->package != again; at = at->outer)
        bl_diagnostic_label(
            c->sink, d, at->use,
            bl_sema_text(c, "'%.*s' is taken in here.", BL_STR_ARG(at->package->path)));
}

static void add_use(struct bl_checker *c, struct bl_package *package, struct bl_package *used)
{
    struct bl_package **slot;

    for (size_t i = 0; i < package->use_count; i++) {
        if (package->uses[i] == used)
            return;
    }
    slot = bl_arena_push(c->arena, (void **)&package->uses, &package->use_count,
                         &package->use_capacity, sizeof *package->uses);
    if (slot != NULL)
        *slot = used;
}

/* Is the package named by `key` one of those that are being read? */
static struct bl_package *in_chain(struct link *link, bl_str key)
{
    for (; link != NULL; link = link->outer) {
        if (bl_str_equal(link->package->path, key))
            return link->package;
    }
    return NULL;
}

enum found { FOUND_NOT, FOUND_FILE, FOUND_FOLDER, FOUND_BROKEN };

/* Looks for the package at one place; `text` is that of a file. */
static enum found look_at(struct bl_checker *c, struct place place, bl_str relative,
                          struct bl_span use, bl_str *path, bl_str *text)
{
    bl_str *names;
    size_t count;
    enum bl_status status;

    *path = joined(c, place.folder, bl_sema_text(c, "%.*s.policy", BL_STR_ARG(relative)));
    status = read_file(c, place.embedded, *path, text);
    if (status == BL_OK)
        return FOUND_FILE;
    if (status != BL_ERR_INVALID) {
        report_unreadable(c, use, *path, status);
        return FOUND_BROKEN;
    }
    *path = joined(c, place.folder, relative);
    status = list_folder(c, place.embedded, *path, &names, &count);
    return status == BL_OK && count > 0 ? FOUND_FOLDER : FOUND_NOT;
}

static enum found look_for(struct bl_checker *c, bl_str dotted, bl_str relative,
                           struct place beside, struct bl_span use, struct place *where,
                           bl_str *path, bl_str *text)
{
    enum found found;
    bool std = bl_str_starts_with(dotted, BL_STR("std."));

    *where = beside;
    found = look_at(c, *where, relative, use, path, text);
    for (size_t i = 0; found == FOUND_NOT && i < c->options->search_count; i++) {
        *where = (struct place){false, c->options->search[i]};
        found = look_at(c, *where, relative, use, path, text);
    }
    if (found != FOUND_NOT || c->options->no_embedded)
        return found;
    *where = (struct place){true, std ? BL_STR("stdlib") : BL_STR("policies")};
    found = look_at(c, *where, std ? bl_str_slice(relative, 4, relative.len) : relative, use,
                    path, text);
    if (found != FOUND_NOT)
        return found;
    *where = (struct place){true, (bl_str){NULL, 0}};
    return look_at(c, *where, relative, use, path, text);
}

/* The package that an embedded file belongs to: std.github, locales.de, issue_assistant. */
static bl_str package_of(struct bl_checker *c, const char *path)
{
    bl_str rest = bl_str_from(path), folder, name;
    size_t slash = bl_str_find_char(rest, '/');

    if (slash == SIZE_MAX)
        return (bl_str){NULL, 0};
    folder = bl_str_slice(rest, 0, slash);
    name = bl_str_slice(rest, slash + 1, rest.len);
    slash = bl_str_find_char(name, '/');
    if (slash != SIZE_MAX) /* a product */
        return bl_str_slice(name, 0, slash);
    name = bl_str_slice(name, 0, bl_str_find_char(name, '.'));
    if (bl_str_equal(folder, BL_STR("stdlib")))
        return bl_sema_text(c, "std.%.*s", BL_STR_ARG(name));
    return bl_sema_text(c, "%.*s.%.*s", BL_STR_ARG(folder), BL_STR_ARG(name));
}

static void consider_embedded(struct bl_checker *c, struct bl_diagnostic *d, bl_str dotted,
                              struct bl_span use)
{
    struct bl_likeness like = bl_likeness_begin(dotted);

    for (size_t i = 0; !c->options->no_embedded && i < bl_embedded_file_count; i++)
        bl_likeness_consider(&like, package_of(c, bl_embedded_files[i].path));
    if (like.best.len > 0)
        bl_likeness_help(c, &like, d, use);
}

static void report_missing(struct bl_checker *c, struct link *link, bl_str dotted,
                           struct bl_span use)
{
    struct bl_diagnostic *d = bl_sema_error(c, BL_D_PACKAGE_MISSING, use);

    bl_sema_arg(c, d, "name", dotted);
    consider_embedded(c, d, dotted, use);
    for (struct link *at = link; at != NULL && at->outer != NULL; at = at->outer)
        bl_diagnostic_label(
            c->sink, d, at->use,
            bl_sema_text(c, "'%.*s' is taken in here.", BL_STR_ARG(at->package->path)));
}

static void load_use(struct bl_checker *c, struct link *link, struct bl_node *path_node,
                     struct place beside)
{
    bl_str dotted = bl_sema_path_text(c, path_node);
    char *slashed = BL_NEW_ARRAY(c->arena, dotted.len + 1, char);
    struct place where;
    bl_str path, text, key;
    struct bl_package *package;
    enum found found;
    unsigned deep = 0;

    if (slashed == NULL)
        return;
    for (size_t i = 0; i < dotted.len; i++)
        slashed[i] = dotted.ptr[i] == '.' ? '/' : dotted.ptr[i];
    found = look_for(c, dotted, (bl_str){slashed, dotted.len}, beside, path_node->span, &where,
                     &path, &text);
    if (found == FOUND_NOT)
        report_missing(c, link, dotted, path_node->span);
    if (found == FOUND_NOT || found == FOUND_BROKEN)
        return;
    key = where.embedded ? bl_sema_text(c, "(%.*s)", BL_STR_ARG(path)) : path;
    package = in_chain(link, key);
    if (package != NULL) {
        report_cycle(c, link, package, path_node->span);
        return;
    }
    package = find_package(c, key);
    for (struct link *at = link; at != NULL; at = at->outer)
        deep++;
    if (package == NULL && deep < PACKAGES_DEEP) {
        struct link next = {new_package(c, key, path_node->span), path_node->span, link};
        size_t first = c->program->files.count;

        package = next.package;
        if (package == NULL)
            return;
        package->embedded = where.embedded;
        if (found == FOUND_FOLDER)
            take_folder(c, package, where.embedded, path, false);
        else if (!is_loaded(c, path))
            take_file(c, package, path, text);
        load_uses(c, &next, first, where.embedded);
        finish_package(c, package);
    }
    if (package != NULL)
        add_use(c, link->package, package);
}

static void load_uses(struct bl_checker *c, struct link *link, size_t first_file, bool embedded)
{
    size_t end = c->program->files.count;

    for (size_t i = first_file; i < end; i++) {
        struct bl_file *file = c->program->files.items[i];
        bl_str path = bl_sources_get(c->sources, file->ast.source)->path;

        for (struct bl_clause *clause = file->clauses; clause != NULL; clause = clause->next) {
            if (clause->id == BL_CLAUSE_USE)
                load_use(c, link, bl_slot_node(clause, 0),
                         (struct place){embedded, folder_of(path)});
        }
    }
}

bool bl_sema_read_beside(struct bl_checker *c, struct bl_span at, bl_str path, bl_str *text)
{
    const struct bl_source *source =
        at.source < c->sources->list.count ? &c->sources->list.items[at.source] : NULL;
    bool embedded = c->body != NULL && c->body->package != NULL && c->body->package->embedded;
    bl_str whole =
        joined(c, source != NULL ? folder_of(source->path) : (bl_str){NULL, 0}, path);
    enum bl_status status = read_file(c, embedded, whole, text);

    if (status == BL_OK)
        return true;
    *text = (bl_str){NULL, 0};
    report_unreadable(c, at, whole, status);
    return false;
}

/* ---- the roots -----------------------------------------------------------------------------
 */

static void load_root(struct bl_checker *c, struct bl_package *package, bl_str root)
{
    bool tests = c->options->tests;
    bl_str text;
    struct bl_file *file;
    enum bl_status status;

    if (is_loaded(c, root))
        return;
    status = read_file(c, false, root, &text);
    if (status != BL_OK) { /* no file, or a folder: loaders cannot read those */
        if (!take_folder(c, package, false, root, tests))
            report_unreadable(c, BL_NO_SPAN, root, status);
        return;
    }
    file = take_file(c, package, root, text);
    if (file != NULL && (has_package_clause(file) || file->is_test))
        take_folder(c, package, false, folder_of(root), tests || file->is_test);
}

/* Files of a package that is used come before those of the package that uses it. */
static void order_files(struct bl_checker *c)
{
    size_t count = c->program->files.count;
    struct bl_file **ordered = BL_NEW_ARRAY(c->arena, count + 1, struct bl_file *);
    size_t at = 0;

    if (ordered == NULL)
        return;
    for (size_t p = 0; p < c->program->packages.count; p++) {
        for (size_t i = 0; i < count; i++) {
            if (c->program->files.items[i]->package == c->program->packages.items[p])
                ordered[at++] = c->program->files.items[i];
        }
    }
    for (size_t i = 0; i < at; i++)
        c->program->files.items[i] = ordered[i];
    c->program->files.count = at;
}

void bl_sema_load(struct bl_checker *c, const bl_str *roots, size_t root_count)
{
    struct bl_package *package =
        new_package(c, root_count > 0 ? roots[0] : (bl_str){NULL, 0}, BL_NO_SPAN);
    struct link link = {package, BL_NO_SPAN, NULL};

    if (package == NULL)
        return;
    package->is_root = true;
    for (size_t i = 0; i < root_count; i++)
        load_root(c, package, roots[i]);
    load_uses(c, &link, 0, false);
    finish_package(c, package);
    order_files(c);
}
