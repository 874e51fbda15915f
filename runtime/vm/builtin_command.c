/* SPDX-License-Identifier: Apache-2.0 */
#include "vm/builtins.h"

/* Comments that begin with a command: the words of a policy at the first column of the first
 * line, then a blank or nothing; the word behind them is the command. */

struct command {
    bl_str word;
    bl_str line; /* behind the word, to the end of the first line */
    bl_str rest; /* behind the word, to the end */
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Lines end with LF or CR LF; a lone CR is white space of the line. */
static size_t line_end(bl_str s)
{
    size_t end = bl_str_find_char(s, '\n');

    return end == SIZE_MAX ? s.len : end;
}

static bool read_command(bl_str text, bl_str begin, struct command *out)
{
    size_t end = line_end(text);
    size_t at = begin.len;

    while (end > 0 && text.ptr[end - 1] == '\r')
        end--;
    if (begin.len == 0 || begin.len > end || !bl_str_starts_with(text, begin) ||
        (at < end && !is_blank(text.ptr[at])))
        return false;
    while (at < end && is_blank(text.ptr[at]))
        at++;
    size_t from = at;
    while (at < end && !is_blank(text.ptr[at]))
        at++;
    out->word = bl_str_slice(text, from, at);
    out->line = bl_str_trim(bl_str_slice(text, at, end));
    out->rest = bl_str_trim(bl_str_slice(text, at, text.len));
    return true;
}

static bool read_arguments(struct bl_builtin_call *call, struct command *out)
{
    return read_command(bl_text_of(call->args[0]), bl_text_of(call->args[1]), out);
}

enum bl_status bl_builtin_command_word(struct bl_builtin_call *call)
{
    struct command command;
    struct bl_buf word;

    if (!read_arguments(call, &command))
        return bl_charge(call->machine, 1);
    bl_machine_buf(call->machine, &word);
    for (size_t i = 0; i < command.word.len; i++)
        bl_buf_put_char(&word, bl_ascii_lower(command.word.ptr[i]));
    return bl_machine_text(call->machine, &word, call->out);
}

enum bl_status bl_builtin_command_line(struct bl_builtin_call *call)
{
    struct command command = {{NULL, 0}, {NULL, 0}, {NULL, 0}};

    (void)read_arguments(call, &command);
    *call->out = bl_text(command.line);
    return bl_charge_text(call->machine, command.line.len);
}

enum bl_status bl_builtin_command_rest(struct bl_builtin_call *call)
{
    struct command command = {{NULL, 0}, {NULL, 0}, {NULL, 0}};

    (void)read_arguments(call, &command);
    *call->out = bl_text(command.rest);
    return bl_charge_text(call->machine, command.rest.len);
}

/* ---- numbers ----------------------------------------------------------------------------- */

/* Removes `begin` without regard to case. */
static bool skip(bl_str *s, bl_str begin)
{
    if (s->len < begin.len || !bl_str_equal_nocase(bl_str_slice(*s, 0, begin.len), begin))
        return false;
    *s = bl_str_slice(*s, begin.len, s->len);
    return true;
}

bl_str bl_repository_page(const struct bl_machine *machine, size_t more)
{
    static const bl_str page = {"/issues/new", 11};
    struct bl_object *repository = bl_object_of(machine->ambient[BL_AMBIENT_REPOSITORY]);
    bl_str address = {NULL, 0};

    if (repository != NULL && bl_object_knows(repository, BL_FIELD_REPOSITORY_NEW_ISSUE_LINK))
        address = bl_text_of(bl_object_get(repository, BL_FIELD_REPOSITORY_NEW_ISSUE_LINK));
    size_t at = bl_str_find(address, page);
    return bl_str_slice(address, 0, at == SIZE_MAX ? 0 : at + 1 + more);
}

enum bl_status bl_builtin_written_number(struct bl_builtin_call *call)
{
    bl_str s = bl_str_trim(bl_text_of(call->args[0]));
    bl_str address = bl_repository_page(call->machine, sizeof "issues/" - 1);
    int64_t number = 0;

    if (!skip(&s, BL_STR("#")) && address.len > 0)
        (void)skip(&s, address);
    bool is_number = s.len > 0 && s.len <= 18;
    for (size_t i = 0; is_number && i < s.len; i++) {
        is_number = bl_is_ascii_digit(s.ptr[i]);
        number = number * 10 + (s.ptr[i] - '0');
    }
    if (is_number)
        *call->out = bl_int(number);
    return bl_charge(call->machine, 1);
}
