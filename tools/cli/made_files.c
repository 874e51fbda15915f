/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/made_files.h"

#include "base/utf8.h"
#include "report/diff.h"
#include "text/sections.h"
#include "workflows/workflows.h"

#define FOLDER  ".github/workflows"
#define NOTHING ((bl_str){NULL, 0})

static enum bl_exit no_memory(struct bl_session *session)
{
    bl_session_say(session, NOTHING, BL_STR("Out of memory."));
    return BL_EXIT_INTERNAL;
}

static enum bl_exit refuse(struct bl_session *session, bl_str path, const char *why)
{
    bl_session_say(session, path, bl_str_from(why));
    return BL_EXIT_INPUT;
}

static bl_str below(struct bl_session *session, bl_str folder, bl_str path)
{
    struct bl_buf out;

    if (folder.len == 0 || bl_str_equal(folder, BL_STR(".")))
        return path;
    bl_buf_init(&out, &session->arena, folder.len + path.len + 2);
    bl_buf_put(&out, folder);
    if (!bl_str_ends_with(folder, BL_STR("/")))
        bl_buf_put_char(&out, '/');
    bl_buf_put(&out, path);
    return bl_buf_str(&out);
}

/* ---- what is there
 * ------------------------------------------------------------------------------ */

enum bl_exit bl_made_begin(struct bl_session *session, bl_str folder,
                           struct bl_made_files *made)
{
    *made = (struct bl_made_files){.folder = folder};
    return bl_path_is_folder(&session->arena, folder.len > 0 ? folder : BL_STR("."))
               ? BL_EXIT_OK
               : refuse(session, folder,
                        "There is no such folder; give that of the repository.");
}

/* The repository may be a stranger's: what is read and written stays inside of the folder that
 * was given. */
static bool leads_away(struct bl_session *session, bl_str folder, bl_str path)
{
    for (size_t i = 1; i <= path.len; i++) {
        bl_str part = below(session, folder, bl_str_slice(path, 0, i));

        if ((i < path.len && path.ptr[i] != '/') || !bl_path_is_link(&session->arena, part))
            continue;
        refuse(session, part,
               "This is a link, which may lead out of the folder. Take it away.");
        return true;
    }
    return false;
}

static enum bl_exit look(struct bl_session *session, const struct bl_made_files *made,
                         bl_str path, struct bl_made_file *file)
{
    bl_str why = NOTHING, folder = made->folder.len > 0 ? made->folder : BL_STR(".");

    file->path = path;
    if (leads_away(session, made->folder, path))
        return BL_EXIT_INPUT;
    enum bl_file_result result =
        bl_file_read_below(&session->arena, folder, path,
                           (size_t)bl_limit(BL_LIMIT_SOURCE_BYTES), &file->found, &why);
    file->is_there = result == BL_FILE_READ;
    if (result != BL_FILE_FAILED)
        return BL_EXIT_OK;
    bl_session_say(session, below(session, made->folder, path), why);
    return BL_EXIT_INPUT;
}

/* Of what is added to. */
static enum bl_exit look_at_text(struct bl_session *session, const struct bl_made_files *made,
                                 bl_str path, struct bl_made_file *file)
{
    enum bl_exit exit = look(session, made, path, file);

    if (exit == BL_EXIT_OK && (bl_utf8_invalid_at(file->found) != file->found.len ||
                               bl_str_find_char(file->found, '\0') != SIZE_MAX))
        exit =
            refuse(session, below(session, made->folder, path), "The file is not UTF-8 text.");
    return exit;
}

/* Two declarations may add to one file: the second adds to what the first one made. */
static struct bl_made_file *made_before(struct bl_made_files *made, bl_str path)
{
    for (size_t i = 0; i < made->list.count; i++) {
        if (bl_str_equal(made->list.items[i].path, path))
            return &made->list.items[i];
    }
    return NULL;
}

static enum bl_exit keep(struct bl_session *session, struct bl_made_files *made,
                         const struct bl_made_file *file)
{
    struct bl_made_file *slot = BL_PUSH(&session->arena, made->list);

    if (slot == NULL)
        return no_memory(session);
    *slot = *file;
    return BL_EXIT_OK;
}

/* ---- workflows
 * ---------------------------------------------------------------------------------- */

static bool is_declared(const struct bl_workflow_files *files, bl_str name)
{
    for (size_t i = 0; i < files->count; i++) {
        const struct bl_symbol *symbol = files->items[i].symbol;

        if (symbol->kind == BL_SYMBOL_WORKFLOW && bl_str_equal(symbol->as.workflow->file, name))
            return true;
    }
    return false;
}

/* Workflows that were made once and that the policy declares no more: they still run. */
static enum bl_exit find_left(struct bl_session *session, const struct bl_workflow_files *files,
                              struct bl_made_files *made)
{
    static const char *const suffixes[] = {".yml", ".yaml"};
    bl_str folder = below(session, made->folder, BL_STR(FOLDER));

    for (size_t s = 0; s < sizeof suffixes / sizeof suffixes[0]; s++) {
        bl_str *names = NULL, why = NOTHING;
        size_t count = 0;

        if (bl_folder_list(&session->arena, folder, bl_str_from(suffixes[s]), &names, &count,
                           &why) != BL_FILE_READ)
            continue; /* what is declared is missing then, and is said */
        for (size_t i = 0; i < count; i++) {
            bl_str text = NOTHING, *slot;

            if (is_declared(files, names[i]) ||
                bl_file_read_below(&session->arena, folder, names[i],
                                   (size_t)bl_limit(BL_LIMIT_SOURCE_BYTES), &text,
                                   &why) != BL_FILE_READ ||
                !bl_workflow_is_made(text))
                continue;
            slot = BL_PUSH(&session->arena, made->left);
            if (slot == NULL)
                return no_memory(session);
            *slot = below(session, folder, names[i]);
        }
    }
    return BL_EXIT_OK;
}

enum bl_exit bl_made_workflows(struct bl_session *session, struct bl_made_files *made)
{
    struct bl_workflow_files files;
    enum bl_status status = bl_workflows_write(session->program, &session->sink, &files);
    enum bl_exit exit = BL_EXIT_OK;

    if (status != BL_OK)
        return status == BL_ERR_NOMEM ? no_memory(session) : BL_EXIT_POLICY;
    for (size_t i = 0; i < files.count && exit == BL_EXIT_OK; i++) {
        struct bl_made_file file = {.missing = BL_D_WORKFLOW_MISSING,
                                    .differs = BL_D_WORKFLOW_DIFFERS,
                                    .wanted = files.items[i].text,
                                    .is_whole = true,
                                    .span = files.items[i].symbol->span};
        bl_str pinned = NOTHING;

        exit = look(session, made, files.items[i].path, &file);
        if (exit != BL_EXIT_OK)
            return exit;
        if (file.is_there) {
            file.is_right =
                bl_workflow_is_same(&session->arena, file.wanted, file.found, &pinned);
            file.found = file.is_right ? file.found : pinned;
        }
        exit = keep(session, made, &file);
    }
    return exit == BL_EXIT_OK ? find_left(session, &files, made) : exit;
}

/* ---- sections, and what git ignores
 * ------------------------------------------------------------- */

static const struct bl_section_words *choose(const struct bl_file_section *section,
                                             const struct bl_symbol *language)
{
    for (size_t i = 0; i < section->count; i++) {
        if (section->words[i].locale == language)
            return &section->words[i];
    }
    return language == NULL && section->count > 0 ? &section->words[0] : NULL;
}

static enum bl_exit add_section(struct bl_session *session,
                                const struct bl_file_section *section,
                                const struct bl_symbol *language, struct bl_made_file *file)
{
    const struct bl_section_words *words = choose(section, language);
    bl_str *titles = BL_NEW_ARRAY(&session->arena, section->count + 1, bl_str);
    bl_str before = file->is_there ? file->found : BL_STR("");

    if (titles == NULL)
        return no_memory(session);
    for (size_t i = 0; i < section->count; i++)
        titles[i] = section->words[i].heading;
    if (bl_section_find(&session->arena, before, titles, section->count, &file->is_right) !=
        BL_OK)
        return no_memory(session);
    file->wanted = before;
    if (file->is_right)
        return BL_EXIT_OK;
    if (words == NULL)
        return refuse(session, language->name,
                      "The section of the policy has no words in this language.");
    file->name = words->heading;
    enum bl_status status =
        bl_section_add(&session->arena, before, words->heading, words->words, &file->wanted);
    if (status == BL_ERR_REFUSED)
        return refuse(session, file->path,
                      "The file ends within a fence, a comment or other HTML, where a section "
                      "would be no section. End it first.");
    return status == BL_OK ? BL_EXIT_OK : no_memory(session);
}

enum bl_exit bl_made_sections(struct bl_session *session, const struct bl_symbol *language,
                              struct bl_made_files *made)
{
    for (size_t i = 0; i < session->program->sections.count; i++) {
        const struct bl_file_section *section = &session->program->sections.items[i];
        struct bl_made_file file = {.missing = BL_D_SECTION_MISSING,
                                    .differs = BL_D_SECTION_MISSING,
                                    .span = section->span};
        struct bl_made_file *before = made_before(made, section->path);
        enum bl_exit exit = BL_EXIT_OK;

        if (section->path.len == 0)
            continue;
        if (before == NULL) {
            exit = look_at_text(session, made, section->path, &file);
        } else {
            file.path = section->path;
            file.found = before->wanted;
            file.is_there = true;
        }
        if (exit == BL_EXIT_OK)
            exit = add_section(session, section, language, &file);
        if (exit == BL_EXIT_OK)
            exit = keep(session, made, &file);
        if (exit != BL_EXIT_OK)
            return exit;
    }
    return BL_EXIT_OK;
}

static bool has_line(bl_str text, bl_str line)
{
    while (text.len > 0) {
        size_t end = bl_str_find_char(text, '\n');

        if (bl_str_equal(bl_str_trim(bl_str_slice(text, 0, end)), line))
            return true;
        text = bl_str_slice(text, end == SIZE_MAX ? text.len : end + 1, text.len);
    }
    return false;
}

enum bl_exit bl_made_ignored(struct bl_session *session, struct bl_made_files *made)
{
    const struct bl_package *product = session->program->product;
    struct bl_made_file file = {.missing = BL_D_FOLDER_NOT_IGNORED,
                                .differs = BL_D_FOLDER_NOT_IGNORED};
    struct bl_buf line;

    if (product == NULL || product->folder.len == 0)
        return BL_EXIT_OK;
    file.span = product->span;
    bl_buf_init(&line, &session->arena, product->folder.len + 3);
    bl_buf_printf(&line, "/%.*s/", BL_STR_ARG(product->folder));
    file.name = bl_buf_str(&line);
    enum bl_exit exit = look_at_text(session, made, BL_STR(".gitignore"), &file);
    if (exit != BL_EXIT_OK)
        return exit;
    /* With or without the strokes, it is the folder. */
    for (size_t from = 0; from < 2; from++)
        for (size_t less = 0; less < 2; less++)
            file.is_right =
                file.is_right ||
                has_line(file.found, bl_str_slice(file.name, from, file.name.len - less));
    if (!file.is_right &&
        bl_line_add(&session->arena, file.found, file.name, &file.wanted) != BL_OK)
        return no_memory(session);
    return keep(session, made, &file);
}

/* ---- comparing, showing, writing
 * ---------------------------------------------------------------- */

bl_str bl_made_path(struct bl_session *session, const struct bl_made_files *made,
                    const struct bl_made_file *file)
{
    return below(session, made->folder, file->path);
}

static void find(struct bl_session *session, enum bl_diagnostic_code code, struct bl_span span,
                 bl_str path, bl_str name)
{
    struct bl_diagnostic *d = bl_report(&session->sink, code, span);

    bl_diagnostic_text(&session->sink, d, "path", path);
    if (name.len > 0)
        bl_diagnostic_text(&session->sink, d, "name", name);
}

enum bl_exit bl_made_compare(struct bl_session *session, const struct bl_made_files *made,
                             struct bl_buf *diff)
{
    enum bl_exit exit = made->left.count > 0 ? BL_EXIT_FINDINGS : BL_EXIT_OK;

    for (size_t i = 0; i < made->list.count; i++) {
        const struct bl_made_file *file = &made->list.items[i];
        bl_str path = below(session, made->folder, file->path);

        if (file->is_right)
            continue;
        exit = BL_EXIT_FINDINGS;
        if (file->missing == BL_D_FOLDER_NOT_IGNORED)
            path = file->name;
        find(session, file->is_there ? file->differs : file->missing, file->span, path,
             file->missing == BL_D_FOLDER_NOT_IGNORED ? NOTHING : file->name);
        if (file->is_whole && file->is_there)
            bl_diff_write(&session->arena, path, file->found, file->wanted, diff);
    }
    for (size_t i = 0; i < made->left.count; i++)
        find(session, BL_D_WORKFLOW_LEFT, BL_NO_SPAN, made->left.items[i], NOTHING);
    return exit;
}

void bl_made_show(struct bl_session *session, const struct bl_made_files *made,
                  struct bl_buf *diff)
{
    for (size_t i = 0; i < made->list.count; i++) {
        const struct bl_made_file *file = &made->list.items[i];

        if (!file->is_right)
            bl_diff_write(&session->arena, below(session, made->folder, file->path),
                          file->found, file->wanted, diff);
    }
}

/* The folders in which the file lies. */
static enum bl_exit make_folders(struct bl_session *session, const struct bl_made_files *made,
                                 bl_str path)
{
    for (size_t i = 0; i < path.len; i++) {
        bl_str why = NOTHING, part = below(session, made->folder, bl_str_slice(path, 0, i));

        if (path.ptr[i] != '/' || bl_folder_create(&session->arena, part, &why) == BL_OK)
            continue;
        bl_session_say(session, part, why);
        return BL_EXIT_INPUT;
    }
    return BL_EXIT_OK;
}

enum bl_exit bl_made_write(struct bl_session *session, const struct bl_made_files *made)
{
    for (size_t i = 0; i < made->list.count; i++) {
        const struct bl_made_file *file = &made->list.items[i];
        bl_str why = NOTHING, path = below(session, made->folder, file->path);

        if (file->is_right)
            continue;
        enum bl_exit exit = make_folders(session, made, file->path);
        if (exit != BL_EXIT_OK)
            return exit;
        enum bl_status status = bl_path_is_file(&session->arena, path)
                                    ? bl_file_replace(&session->arena, path, file->wanted, &why)
                                    : bl_file_write(&session->arena, path, file->wanted, &why);
        if (status == BL_OK)
            continue;
        bl_session_say(session, path, why);
        return BL_EXIT_INPUT;
    }
    return BL_EXIT_OK;
}
