/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/args.h"

#define HELP_COLUMN 30
#define HELP_WIDTH  96

static const struct bl_option *find_option(const struct bl_command_line *line, bl_str name)
{
    for (size_t i = 0; i < line->option_count; i++)
        if (bl_str_equal(bl_str_from(line->options[i].name), name))
            return &line->options[i];
    return NULL;
}

static const struct bl_option *find_letter(const struct bl_command_line *line, char letter)
{
    for (size_t i = 0; i < line->option_count; i++)
        if (line->options[i].letter == letter)
            return &line->options[i];
    return NULL;
}

static bl_str say(struct bl_arena *arena, const char *format, ...) BL_PRINTF(2, 3);
static bl_str say(struct bl_arena *arena, const char *format, ...)
{
    char text[512];
    va_list list;
    va_start(list, format);
    int length = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    size_t size = length < 0 ? 0 : (size_t)length;
    return bl_arena_copy(arena, (bl_str){text, size < sizeof text ? size : sizeof text - 1});
}

static bl_str unknown_option(const struct bl_arguments *args, bl_str name)
{
    const struct bl_option *best = NULL;
    unsigned best_distance = 3;
    for (size_t i = 0; i < args->line->option_count; i++) {
        unsigned distance =
            bl_str_distance(bl_str_from(args->line->options[i].name), name, best_distance);
        if (distance < best_distance) {
            best = &args->line->options[i];
            best_distance = distance;
        }
    }
    if (best != NULL)
        return say(args->arena, "There is no option '--%.*s'. Did you mean '--%s'?",
                   BL_STR_ARG(name), best->name);
    return say(args->arena, "There is no option '--%.*s'.", BL_STR_ARG(name));
}

static bool choice_allows(const char *choices, bl_str value)
{
    bl_str rest = bl_str_from(choices);
    while (rest.len > 0) {
        size_t bar = bl_str_find_char(rest, '|');
        size_t end = bar == SIZE_MAX ? rest.len : bar;
        if (bl_str_equal(bl_str_slice(rest, 0, end), value))
            return true;
        rest = bl_str_slice(rest, end + 1, rest.len);
    }
    return false;
}

static bool add_given(struct bl_arguments *args, const struct bl_option *option, bl_str value,
                      bl_str *error)
{
    if ((option->flags & BL_OPTION_MANY) == 0 && bl_argument_is(args, option->name)) {
        *error = say(args->arena, "The option '--%s' stands twice.", option->name);
        return false;
    }
    if (option->choices != NULL && !choice_allows(option->choices, value)) {
        *error = say(args->arena, "'--%s' takes one of %s, not '%.*s'.", option->name,
                     option->choices, BL_STR_ARG(value));
        return false;
    }
    struct bl_given *given = BL_PUSH(args->arena, args->given);
    if (given == NULL) {
        *error = BL_STR("Out of memory.");
        return false;
    }
    *given = (struct bl_given){option, value};
    return true;
}

struct reading {
    int argc;
    char **argv;
    int at;
};

static bool take_value(struct bl_arguments *args, const struct bl_option *option,
                       struct reading *reading, bl_str *value, bl_str *error)
{
    if (option->value == NULL)
        return true;
    if (reading->at + 1 >= reading->argc) {
        *error = say(args->arena, "The option '--%s' needs a value: %s.", option->name,
                     option->value);
        return false;
    }
    *value = bl_str_from(reading->argv[++reading->at]);
    return true;
}

static bool read_long(struct bl_arguments *args, struct reading *reading, bl_str word,
                      bl_str *error)
{
    size_t equals = bl_str_find_char(word, '=');
    bl_str name = equals == SIZE_MAX ? word : bl_str_slice(word, 0, equals);
    if (bl_str_equal(name, BL_STR("help")))
        return args->help = true;
    if (bl_str_equal(name, BL_STR("version")))
        return args->version = true;
    const struct bl_option *option = find_option(args->line, name);
    if (option == NULL) {
        *error = unknown_option(args, name);
        return false;
    }
    bl_str value = {NULL, 0};
    if (equals != SIZE_MAX) {
        if (option->value == NULL) {
            *error = say(args->arena, "The option '--%s' takes no value.", option->name);
            return false;
        }
        value = bl_str_slice(word, equals + 1, word.len);
    } else if (!take_value(args, option, reading, &value, error)) {
        return false;
    }
    return add_given(args, option, value, error);
}

static bool read_letters(struct bl_arguments *args, struct reading *reading, bl_str letters,
                         bl_str *error)
{
    for (size_t i = 0; i < letters.len; i++) {
        if (letters.ptr[i] == 'h') {
            args->help = true;
            continue;
        }
        const struct bl_option *option = find_letter(args->line, letters.ptr[i]);
        if (option == NULL) {
            *error = say(args->arena, "There is no option '-%c'.", letters.ptr[i]);
            return false;
        }
        bl_str value = {NULL, 0};
        bool has_rest = option->value != NULL && i + 1 < letters.len;
        if (has_rest)
            value = bl_str_slice(letters, i + 1, letters.len);
        else if (!take_value(args, option, reading, &value, error))
            return false;
        if (!add_given(args, option, value, error))
            return false;
        if (has_rest)
            break;
    }
    return true;
}

bool bl_arguments_read(struct bl_arguments *out, const struct bl_command_line *line,
                       struct bl_arena *arena, int argc, char **argv, int first, bl_str *error)
{
    *out = (struct bl_arguments){.line = line, .arena = arena};
    struct reading reading = {argc, argv, first};
    bool options_end = false;
    for (; reading.at < argc; reading.at++) {
        bl_str word = bl_str_from(argv[reading.at]);
        if (!options_end && bl_str_equal(word, BL_STR("--"))) {
            options_end = true;
        } else if (!options_end && bl_str_starts_with(word, BL_STR("--"))) {
            if (!read_long(out, &reading, bl_str_slice(word, 2, word.len), error))
                return false;
        } else if (!options_end && word.len > 1 && word.ptr[0] == '-') {
            if (!read_letters(out, &reading, bl_str_slice(word, 1, word.len), error))
                return false;
        } else if (line->operand == NULL) {
            *error = say(arena, "'%.*s' is one word too many.", BL_STR_ARG(word));
            return false;
        } else {
            bl_str *operand = BL_PUSH(arena, out->operands);
            if (operand == NULL) {
                *error = BL_STR("Out of memory.");
                return false;
            }
            *operand = word;
        }
    }
    return true;
}

bool bl_argument_is(const struct bl_arguments *arguments, const char *name)
{
    for (size_t i = 0; i < arguments->given.count; i++)
        if (bl_str_equal(bl_str_from(arguments->given.items[i].option->name),
                         bl_str_from(name)))
            return true;
    return false;
}

bl_str bl_argument(const struct bl_arguments *arguments, const char *name, bl_str otherwise)
{
    bl_str value = otherwise;
    for (size_t i = 0; i < arguments->given.count; i++)
        if (bl_str_equal(bl_str_from(arguments->given.items[i].option->name),
                         bl_str_from(name)))
            value = arguments->given.items[i].value;
    return value;
}

bl_str *bl_argument_list(const struct bl_arguments *arguments, struct bl_arena *arena,
                         const char *name, size_t *count)
{
    bl_str *values = BL_NEW_ARRAY(arena, arguments->given.count + 1, bl_str);
    *count = 0;
    for (size_t i = 0; values != NULL && i < arguments->given.count; i++)
        if (bl_str_equal(bl_str_from(arguments->given.items[i].option->name),
                         bl_str_from(name)))
            values[(*count)++] = arguments->given.items[i].value;
    return values;
}

/* Words of `text` from column `from` on, broken before HELP_WIDTH, further lines indented. */
static void wrapped(struct bl_buf *out, size_t from, bl_str text, size_t indent)
{
    size_t column = from;
    while (text.len > 0) {
        size_t blank = bl_str_find_char(text, ' ');
        size_t end = blank == SIZE_MAX ? text.len : blank;
        if (column > indent && column + 1 + end > HELP_WIDTH) {
            bl_buf_printf(out, "\n%*s", (int)indent, "");
            column = indent;
        } else if (column > indent) {
            bl_buf_put_char(out, ' ');
            column++;
        }
        bl_buf_put(out, bl_str_slice(text, 0, end));
        column += end;
        text = bl_str_slice(text, end + 1, text.len);
    }
    bl_buf_put_char(out, '\n');
}

static void option_line(struct bl_buf *out, char letter, const char *name, const char *value,
                        const char *choices, const char *help)
{
    size_t start = out->len;
    if (letter != 0)
        bl_buf_printf(out, "  -%c, --%s", letter, name);
    else
        bl_buf_printf(out, "      --%s", name);
    if (value != NULL)
        bl_buf_printf(out, " %s", choices != NULL ? choices : value);
    size_t width = out->len - start;
    if (width + 2 > HELP_COLUMN) {
        BL_PUT(out, "\n");
        width = 0;
    }
    bl_buf_printf(out, "%*s", (int)(HELP_COLUMN - width), "");
    wrapped(out, HELP_COLUMN, bl_str_from(help), HELP_COLUMN);
}

void bl_arguments_help(const struct bl_command_line *line, struct bl_buf *out)
{
    bl_buf_printf(out, "%s: %s\n\nUsage: %s %s\n", line->tool, line->summary, line->tool,
                  line->usage);
    if (line->about != NULL)
        bl_buf_printf(out, "\n%s\n", line->about);
    BL_PUT(out, "\nOptions:\n");
    for (size_t i = 0; i < line->option_count; i++)
        option_line(out, line->options[i].letter, line->options[i].name, line->options[i].value,
                    line->options[i].choices, line->options[i].help);
    option_line(out, 'h', "help", NULL, NULL, "Print this page.");
    option_line(out, 0, "version", NULL, NULL, "Print the version.");
    if (line->examples != NULL)
        bl_buf_printf(out, "\nExamples:\n%s", line->examples);
    if (line->exits != NULL) {
        bl_buf_printf(out, "\nExit codes:\n%s", line->exits);
        return;
    }
    BL_PUT(out, "\nExit codes:\n"
                "  0   done, nothing found\n"
                "  1   refused, findings, a failed test or a failed unit of a sweep\n"
                "  2   wrong use\n"
                "  3   the policy does not compile\n"
                "  4   bad input: event, module, world or other file\n"
                "  5   GitHub stopped the run; run it again\n"
                "  70  internal: a defect, memory or budget\n");
}
