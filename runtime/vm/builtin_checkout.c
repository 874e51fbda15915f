/* SPDX-License-Identifier: Apache-2.0 */
#include "text/headings.h"
#include "vm/builtins.h"

/* Files: those beside the policy, and those of the checkout with their lines and headings. */

/* A line ends with LF or CRLF; behind the last end there is no line. */
enum bl_status bl_builtin_lines_of(struct bl_builtin_call *call)
{
    struct bl_machine *machine = call->machine;
    bl_str rest = bl_text_of(call->args[0]);
    struct bl_list *lines = bl_list_create(machine->arena);
    enum bl_status status =
        lines != NULL ? bl_charge_text(machine, rest.len) : bl_machine_nomem(machine);

    if (lines != NULL)
        *call->out = bl_list_value(lines);
    while (status == BL_OK && rest.len > 0) {
        size_t end = bl_str_find_char(rest, '\n');
        bl_str line = bl_str_slice(rest, 0, end);

        rest = end == SIZE_MAX ? (bl_str){NULL, 0} : bl_str_slice(rest, end + 1, rest.len);
        if (line.len > 0 && line.ptr[line.len - 1] == '\r')
            line.len--;
        status = bl_machine_push(machine, lines, bl_text(line));
    }
    return status;
}

/* ---- the checkout ------------------------------------------------------------------------ */

/* The path as git has it, when git tracks exactly this one. */
enum bl_status bl_builtin_tracked(struct bl_builtin_call *call)
{
    struct bl_machine *machine = call->machine;
    struct bl_object *repository = bl_object_of(machine->ambient[BL_AMBIENT_REPOSITORY]);
    bl_str path = bl_text_of(call->args[0]);
    struct bl_value all = bl_absent();
    struct bl_list *files = NULL;

    if (repository == NULL)
        return bl_machine_fail(machine, BL_ERR_READ, BL_STR("There is nothing to read from"));
    enum bl_status status =
        bl_machine_field(machine, repository, BL_FIELD_REPOSITORY_TRACKED_FILES, &all);
    if (status == BL_OK)
        status = bl_machine_list(machine, all, &files);
    for (uint32_t i = 0; status == BL_OK && i < files->count; i++) {
        if (bl_str_equal(bl_text_of(files->items[i]), path)) {
            *call->out = files->items[i];
            break;
        }
    }
    return status;
}

/* The text of a file that git tracks; absent when it tracks none of that path, or no text. */
static enum bl_status file_text(struct bl_machine *machine, struct bl_value path,
                                struct bl_value *text)
{
    struct bl_value asked = bl_text(bl_text_of(path));
    enum bl_status status = bl_machine_ask(machine, BL_READ_CHECKOUT_FILE, &asked, 1, text);

    return status == BL_OK ? bl_charge_text(machine, bl_text_of(*text).len) : status;
}

/* What the AI reads as the repository's own: one that is there and cannot be read is no reason
 * to go on without it. */
enum bl_status bl_builtin_checkout_text(struct bl_builtin_call *call)
{
    struct bl_value path = bl_absent();
    struct bl_builtin_call tracked = *call;
    enum bl_status status = file_text(call->machine, call->args[0], call->out);

    if (status == BL_OK && !bl_is_absent(*call->out)) {
        *call->out = bl_text(bl_str_trim(bl_text_of(*call->out)));
        return BL_OK;
    }
    tracked.out = &path;
    if (status == BL_OK)
        status = bl_builtin_tracked(&tracked);
    if (status == BL_OK && !bl_is_absent(path))
        return bl_machine_fail(call->machine, BL_ERR_READ,
                               BL_STR("A file of the checkout is no text, or too long"));
    return status;
}

static int64_t lines_in(bl_str text)
{
    int64_t lines = text.len > 0 && text.ptr[text.len - 1] != '\n';

    for (size_t i = 0; i < text.len; i++)
        lines += text.ptr[i] == '\n';
    return lines;
}

enum bl_status bl_builtin_line_in(struct bl_builtin_call *call)
{
    struct bl_value line = call->args[1], text = bl_absent();

    if (line.tag != BL_V_INT || line.as.i < 1)
        return BL_OK;
    enum bl_status status = file_text(call->machine, call->args[0], &text);
    if (status == BL_OK && line.as.i <= lines_in(bl_text_of(text)))
        *call->out = line;
    return status;
}

/* The first heading of a file for which `is` holds; NULL when there is none. */
static enum bl_status find_heading(struct bl_machine *machine, struct bl_value path,
                                   bool (*is)(const struct bl_heading *heading,
                                              const void *wanted),
                                   const void *wanted, const struct bl_heading **out)
{
    struct bl_headings headings;
    struct bl_value text = bl_absent();
    enum bl_status status = file_text(machine, path, &text);

    *out = NULL;
    if (status != BL_OK)
        return status;
    if (bl_headings_read(machine->arena, bl_text_of(text), &headings) != BL_OK)
        return bl_machine_nomem(machine);
    for (size_t i = 0; *out == NULL && i < headings.list.count; i++) {
        if (is(&headings.list.items[i], wanted))
            *out = &headings.list.items[i];
    }
    return bl_charge(machine, headings.list.count);
}

static bool has_anchor(const struct bl_heading *heading, const void *wanted)
{
    const bl_str *anchor = wanted;

    return bl_str_equal_nocase(heading->anchor, *anchor);
}

/* As an AI may write it: with # in front, and in any case. */
enum bl_status bl_builtin_heading_in(struct bl_builtin_call *call)
{
    const struct bl_heading *heading;
    bl_str anchor = bl_str_trim(bl_text_of(call->args[1]));

    if (bl_str_starts_with(anchor, BL_STR("#")))
        anchor = bl_str_slice(anchor, 1, anchor.len);
    if (anchor.len == 0)
        return BL_OK;
    enum bl_status status =
        find_heading(call->machine, call->args[0], has_anchor, &anchor, &heading);
    if (status == BL_OK && heading != NULL)
        *call->out = bl_text(heading->anchor);
    return status;
}

/* ---- links to files ---------------------------------------------------------------------- */

static void put_hex(struct bl_buf *out, char c)
{
    bl_buf_printf(out, "%%%02X", (unsigned)(unsigned char)c);
}

/* Characters that would end the path of an address are written in hex; the place that shows it
 * sees to all others. A repository that nobody knows has no pages: the bare path is no address,
 * and is shown as a name. */
static void put_page(struct bl_machine *machine, bl_str path, bl_str commit,
                     struct bl_buf *address)
{
    bl_str page = bl_repository_page(machine, 0);

    bl_buf_put(address, page);
    if (page.len > 0)
        bl_buf_printf(address, "blob/%.*s/", BL_STR_ARG(commit));
    for (size_t i = 0; i < path.len; i++) {
        if (bl_str_find_char(BL_STR("%?#\n"), path.ptr[i]) != SIZE_MAX)
            put_hex(address, path.ptr[i]);
        else
            bl_buf_put_char(address, path.ptr[i]);
    }
}

static void put_anchor(bl_str anchor, struct bl_buf *address)
{
    bl_buf_put_char(address, '#');
    for (size_t i = 0; i < anchor.len; i++) {
        char c = anchor.ptr[i];

        if (bl_is_ascii_alpha(c) || bl_is_ascii_digit(c) || c == '-' || c == '_')
            bl_buf_put_char(address, c);
        else
            put_hex(address, c);
    }
}

enum bl_status bl_builtin_link_to(struct bl_builtin_call *call)
{
    struct bl_buf address;

    bl_machine_buf(call->machine, &address);
    put_page(call->machine, bl_text_of(call->args[0]), BL_STR("HEAD"), &address);
    return bl_machine_text(call->machine, &address, call->out);
}

static bool is_titled(const struct bl_heading *heading, const void *wanted)
{
    const struct bl_list *titles = wanted;

    for (uint32_t i = 0; i < titles->count; i++) {
        if (bl_str_equal_nocase(heading->text, bl_str_trim(bl_text_of(titles->items[i]))))
            return true;
    }
    return false;
}

enum bl_status bl_builtin_file_heading(struct bl_builtin_call *call)
{
    struct bl_machine *machine = call->machine;
    const struct bl_heading *heading = NULL;
    struct bl_list *titles;
    struct bl_buf address;
    enum bl_status status = bl_machine_list(machine, call->args[1], &titles);

    if (status == BL_OK)
        status = find_heading(machine, call->args[0], is_titled, titles, &heading);
    if (status != BL_OK)
        return status;
    bl_machine_buf(machine, &address);
    put_page(machine, bl_text_of(call->args[0]), BL_STR("HEAD"), &address);
    if (heading != NULL)
        put_anchor(heading->anchor, &address);
    return bl_machine_text(machine, &address, call->out);
}

/* A line is that of the commit at hand: later ones may move it. */
static enum bl_status put_line(struct bl_machine *machine, bl_str path, int64_t line,
                               bool plain, struct bl_buf *out)
{
    struct bl_value commit = bl_absent(), none = bl_text(BL_STR(""));
    enum bl_status status = bl_machine_ask(machine, BL_READ_CHECKOUT_COMMIT, &none, 1, &commit);

    if (status != BL_OK)
        return status;
    put_page(machine, path, bl_text_of(commit), out);
    bl_buf_put(out, plain ? BL_STR("?plain=1#L") : BL_STR("#L"));
    bl_buf_put_int(out, line);
    bl_buf_printf(out, "\n%.*s:", BL_STR_ARG(path));
    bl_buf_put_int(out, line);
    return BL_OK;
}

/* The address and, behind a line end, the words that are shown for it. */
enum bl_status bl_builtin_file_place(struct bl_builtin_call *call)
{
    struct bl_machine *machine = call->machine;
    const struct bl_heading *heading = NULL;
    bl_str path = bl_text_of(call->args[0]);
    struct bl_value line = call->args[1], anchor = call->args[2];
    struct bl_buf out;
    enum bl_status status = BL_OK;

    bl_machine_buf(machine, &out);
    if (line.tag == BL_V_INT) {
        status = put_line(machine, path, line.as.i, call->args[3].as.i != 0, &out);
        return status == BL_OK ? bl_machine_text(machine, &out, call->out) : status;
    }
    bl_str wanted = bl_text_of(anchor);
    if (wanted.len > 0)
        status = find_heading(machine, call->args[0], has_anchor, &wanted, &heading);
    if (status != BL_OK)
        return status;
    put_page(machine, path, BL_STR("HEAD"), &out);
    if (heading != NULL)
        put_anchor(heading->anchor, &out);
    bl_buf_put_char(&out, '\n');
    bl_buf_put(&out, heading != NULL ? heading->text : path);
    return bl_machine_text(machine, &out, call->out);
}
