/* SPDX-License-Identifier: Apache-2.0 */
#include "show/show_text.h"

#define TEXT_MAX 0x1000000u

bool bl_show_is_own(const struct bl_program *program, const struct bl_symbol *symbol)
{
    return symbol->package != NULL && symbol->clause != NULL &&
           (symbol->package->is_root || symbol->package == program->product);
}

size_t bl_show_own_count(const struct bl_program *program, enum bl_symbol_kind kind)
{
    size_t count = 0;

    for (size_t i = 0; i < program->symbols[kind].count; i++)
        count += bl_show_is_own(program, program->symbols[kind].items[i]) ? 1 : 0;
    return count;
}

bl_str bl_show_title(const struct bl_program *program)
{
    if (program->product != NULL && program->product->name.len > 0)
        return program->product->name;
    for (size_t i = 0; i < program->packages.count; i++) {
        if (program->packages.items[i]->is_root && program->packages.items[i]->name.len > 0)
            return program->packages.items[i]->name;
    }
    return BL_STR("policy");
}

/* ---- words
 * ------------------------------------------------------------------------------------------ */

static bool is_control(char c)
{
    return (unsigned char)c < 0x20 || (unsigned char)c == 0x7f;
}

/* A pipe ends a cell even behind a backslash in some readers, so it and the backslash are
 * entities; everything else that means something is escaped. */
void bl_show_prose(struct bl_buf *out, bl_str words)
{
    bl_show_prose_part(out, words, true);
}

/* `begins`: only blanks and digits so far, as "1." and "1)" begin a list. */
void bl_show_prose_part(struct bl_buf *out, bl_str words, bool begins)
{
    for (size_t i = 0; i < words.len; i++) {
        char c = words.ptr[i];

        if (is_control(c))
            bl_buf_put_char(out, ' ');
        else if (c == '|' || c == '\\')
            bl_buf_printf(out, "&#%d;", c);
        else if (bl_str_find_char(BL_STR("`*_[]<>~!&$"), c) != SIZE_MAX ||
                 (begins && bl_str_find_char(BL_STR("#+-=.)"), c) != SIZE_MAX))
            bl_buf_printf(out, "\\%c", c);
        else
            bl_buf_put_char(out, c);
        begins = begins && (bl_is_ascii_digit(c) || c == ' ');
    }
}

static bool needs_tags(bl_str code)
{
    for (size_t i = 0; i < code.len; i++) {
        if (code.ptr[i] == '`' || code.ptr[i] == '|')
            return true;
    }
    return code.len > 0 && code.ptr[code.len - 1] == '\\';
}

void bl_show_code(struct bl_buf *out, bl_str code)
{
    bool tags = needs_tags(code);

    if (code.len == 0)
        return;
    bl_buf_put(out, tags ? BL_STR("<code>") : BL_STR("`"));
    for (size_t i = 0; i < code.len; i++) {
        char c = code.ptr[i];

        if (is_control(c))
            bl_buf_put_char(out, ' ');
        else if (tags && bl_str_find_char(BL_STR("`|\\<>&*_[]~!$:@#"), c) != SIZE_MAX)
            bl_buf_printf(out, "&#%d;", c);
        else
            bl_buf_put_char(out, c);
    }
    bl_buf_put(out, tags ? BL_STR("</code>") : BL_STR("`"));
}

void bl_show_quoted(struct bl_buf *out, bl_str words)
{
    bl_buf_put_char(out, '"');
    for (size_t i = 0; i < words.len; i++) {
        char c = words.ptr[i];

        if (is_control(c))
            bl_buf_put_char(out, ' ');
        else if (bl_str_find_char(BL_STR("\"#<>&`%{};\\"), c) != SIZE_MAX)
            bl_buf_printf(out, "#%d;", c);
        else
            bl_buf_put_char(out, c);
    }
    bl_buf_put_char(out, '"');
}

/* ---- source
 * ----------------------------------------------------------------------------------------- */

static const struct bl_file *file_of(const struct bl_program *program, uint32_t source)
{
    for (size_t i = 0; i < program->files.count; i++) {
        if (program->files.items[i]->ast.source == source)
            return program->files.items[i];
    }
    return NULL;
}

static const struct bl_comment *comments_of(const struct bl_file *file)
{
    return file->ast.comments.items;
}

/* The first comment that ends behind `offset`; they stand in the order of the file. */
static size_t comment_behind(const struct bl_file *file, uint32_t offset)
{
    size_t low = 0, high = file->ast.comments.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (comments_of(file)[middle].span.hi <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bl_str squeezed(struct bl_buf *out)
{
    return bl_str_trim(bl_buf_str(out));
}

static void put_squeezed(struct bl_buf *out, bl_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        bool blank = bl_is_ascii_space(text.ptr[i]);

        if (!blank)
            bl_buf_put_char(out, text.ptr[i]);
        else if (out->len > 0 && out->ptr[out->len - 1] != ' ')
            bl_buf_put_char(out, ' ');
    }
}

bl_str bl_show_source(const struct bl_program *program, struct bl_span span)
{
    const struct bl_file *file = file_of(program, span.source);
    struct bl_buf out;
    uint32_t at = span.lo;

    if (file == NULL)
        return (bl_str){NULL, 0};
    bl_buf_init(&out, program->arena, TEXT_MAX);
    for (size_t i = comment_behind(file, span.lo); i < file->ast.comments.count; i++) {
        struct bl_span comment = comments_of(file)[i].span;

        if (comment.lo >= span.hi)
            break;
        put_squeezed(&out, bl_sources_text(program->sources,
                                           (struct bl_span){at, comment.lo, span.source}));
        at = comment.hi;
    }
    if (at < span.hi)
        put_squeezed(&out, bl_sources_text(program->sources,
                                           (struct bl_span){at, span.hi, span.source}));
    return squeezed(&out);
}

bl_str bl_show_node(const struct bl_program *program, const struct bl_node *node)
{
    return node == NULL ? (bl_str){NULL, 0} : bl_show_source(program, node->span);
}

bl_str bl_show_head(const struct bl_program *program, const struct bl_node *clause)
{
    struct bl_span span = clause->span;

    if (clause->kind == BL_NODE_CLAUSE && clause->kid_count > 2 && clause->kids[2] != NULL)
        span.hi = clause->kids[2]->span.lo;
    return bl_show_source(program, span);
}

/* Does `text` hold nothing but blanks, and at most that many line ends? */
static bool is_gap(bl_str text, unsigned lines)
{
    unsigned seen = 0;

    for (size_t i = 0; i < text.len; i++) {
        if (!bl_is_ascii_space(text.ptr[i]))
            return false;
        seen += text.ptr[i] == '\n' ? 1 : 0;
    }
    return seen <= lines;
}

/* Comments [from, to) that follow each other, line by line. */
static bl_str joined(const struct bl_program *program, const struct bl_file *file, size_t from,
                     size_t to)
{
    struct bl_buf out;

    bl_buf_init(&out, program->arena, TEXT_MAX);
    for (size_t i = from; i < to; i++) {
        bl_str line = bl_sources_text(program->sources, comments_of(file)[i].span);

        while (line.len > 0 && line.ptr[0] == '#')
            line = bl_str_slice(line, 1, line.len);
        bl_buf_put_char(&out, ' ');
        put_squeezed(&out, line);
    }
    return squeezed(&out);
}

static bool follows(const struct bl_program *program, const struct bl_file *file, uint32_t from,
                    uint32_t to)
{
    return is_gap(
        bl_sources_text(program->sources, (struct bl_span){from, to, file->ast.source}), 1);
}

bl_str bl_show_doc(const struct bl_program *program, const struct bl_clause *clause)
{
    const struct bl_file *file =
        clause == NULL ? NULL : file_of(program, clause->node->span.source);
    uint32_t at;
    size_t last, first;

    if (file == NULL)
        return (bl_str){NULL, 0};
    at = clause->node->span.lo;
    last = first = comment_behind(file, at);
    while (first > 0) {
        const struct bl_comment *comment = &comments_of(file)[first - 1];

        if (!comment->is_doc || !comment->own_line ||
            !follows(program, file, comment->span.hi, at))
            break;
        at = comment->span.lo;
        first--;
    }
    return joined(program, file, first, last);
}

bl_str bl_show_file_doc(const struct bl_program *program, const struct bl_file *file)
{
    size_t count = file->ast.comments.count, last = 0;
    uint32_t end = 0;

    while (last < count && comments_of(file)[last].is_doc &&
           follows(program, file, end, comments_of(file)[last].span.lo)) {
        end = comments_of(file)[last].span.hi;
        last++;
    }
    if (last > 0 && file->clauses != NULL &&
        follows(program, file, end, file->clauses->node->span.lo))
        return (bl_str){NULL, 0};
    return joined(program, file, 0, last);
}

bl_str bl_show_place(const struct bl_program *program, struct bl_span span)
{
    const struct bl_source *source = bl_sources_get(program->sources, span.source);
    struct bl_position position = bl_sources_position(program->sources, span.source, span.lo);
    struct bl_buf out;

    if (source == NULL)
        return (bl_str){NULL, 0};
    bl_buf_init(&out, program->arena, TEXT_MAX);
    bl_buf_printf(&out, "%.*s:%u", BL_STR_ARG(source->path), position.line);
    return bl_buf_str(&out);
}

void bl_show_event(struct bl_buf *out, unsigned event)
{
    const struct bl_event_info *info = bl_event_info((enum bl_event_id)event);

    bl_buf_put(out, info->event);
    if (info->action.len > 0)
        bl_buf_printf(out, ".%.*s", BL_STR_ARG(info->action));
}

bl_str bl_show_condition(const struct bl_program *program, const struct bl_node *condition)
{
    return condition == NULL ? BL_STR("otherwise") : bl_show_node(program, condition);
}
