/* SPDX-License-Identifier: Apache-2.0 */
#include "support/assembler.h"

#include <string.h>

#define LABELS_MAX 64

struct label {
    bl_str name;
    uint32_t place; /* BL_NONE until it has one */
};

struct assembler {
    struct bl_builder *b;
    bool open; /* a function was begun */
    struct bl_function function;
    struct label labels[LABELS_MAX];
    size_t label_count;
    const char *problem;
};

static void fail(struct assembler *a, const char *problem)
{
    if (a->problem == NULL)
        a->problem = problem;
}

/* ---- words --------------------------------------------------------------------------------
 */

static bool take(bl_str *s, const char *word)
{
    if (!bl_str_starts_with(*s, bl_str_from(word)))
        return false;
    *s = bl_str_slice(*s, strlen(word), s->len);
    return true;
}

static bool is_word(bl_str s, const char *word)
{
    return bl_str_equal(s, bl_str_from(word));
}

static bool number_of(bl_str s, int64_t *out)
{
    bool negative = take(&s, "-");
    int64_t value = 0;

    if (s.len == 0)
        return false;
    for (size_t i = 0; i < s.len; i++) {
        if (!bl_is_ascii_digit(s.ptr[i]))
            return false;
        value = value * 10 + (s.ptr[i] - '0');
    }
    *out = negative ? -value : value;
    return true;
}

/* Up to a comma outside of quotes. */
static bl_str take_operand(bl_str *rest)
{
    bool quoted = false;
    size_t at = 0;

    while (at < rest->len && (quoted || rest->ptr[at] != ',')) {
        quoted ^= rest->ptr[at] == '"';
        at++;
    }
    bl_str operand = bl_str_trim(bl_str_slice(*rest, 0, at));
    *rest = bl_str_slice(*rest, at + 1, rest->len);
    return operand;
}

/* ---- types --------------------------------------------------------------------------------
 */

static bl_type clean_type(bl_str places)
{
    unsigned mask = 0;

    while (places.len > 0) {
        size_t plus = bl_str_find_char(places, '+');
        enum bl_place place = bl_place_find(bl_str_slice(places, 0, plus));

        if (place == BL_PLACE_COUNT)
            return BL_TYPE_ERROR;
        mask |= 1u << (unsigned)place;
        places = bl_str_slice(places, plus == SIZE_MAX ? places.len : plus + 1, places.len);
    }
    return BL_TYPE_MAKE(BL_TYPE_CLEAN, mask);
}

static bl_type scalar_type(bl_str words)
{
    enum bl_type_kind kind = bl_type_kind_find(words);
    enum bl_entity entity = bl_entity_find(words);
    enum bl_enum enumeration = bl_enum_find(words);
    int64_t ref;

    if (kind != BL_TYPE_KIND_COUNT)
        return (bl_type)kind;
    if (entity != BL_ENTITY_COUNT)
        return BL_TYPE_MAKE(BL_TYPE_ENTITY, entity);
    if (enumeration < BL_ENUM_OWN_COUNT)
        return BL_TYPE_MAKE(BL_TYPE_ENUM, enumeration);
    if (is_word(words, "iterator"))
        return BL_TYPE_ITERATOR;
    if (is_word(words, "none"))
        return BL_TYPE_NONE;
    if (take(&words, "clean "))
        return clean_type(words);
    if (take(&words, "enum ") && number_of(words, &ref))
        return BL_TYPE_MAKE(BL_TYPE_ENUM, BL_ENUM_COUNT + ref);
    if (take(&words, "record ") && number_of(words, &ref))
        return BL_TYPE_MAKE(BL_TYPE_RECORD, ref);
    if (take(&words, "posted ") && number_of(words, &ref))
        return BL_TYPE_MAKE(BL_TYPE_POSTED, ref);
    return BL_TYPE_ERROR;
}

bl_type assemble_type(bl_str words)
{
    unsigned lists = 0;
    bool optional = false;

    while (take(&words, "list of "))
        lists++;
    if (bl_str_ends_with(words, BL_STR("?"))) {
        optional = true;
        words.len--;
    }
    bl_type type = scalar_type(words) | lists << 8;
    return optional ? BL_OPTIONAL(type) : type;
}

/* ---- operands -----------------------------------------------------------------------------
 */

static uint32_t member_of(const struct assembler *a, bl_type type, bl_str word)
{
    unsigned ref = bl_type_ref(type);
    const struct bl_module_enum *row;

    if (ref < BL_ENUM_COUNT)
        return bl_enum_member_find((enum bl_enum)ref, word);
    row = &a->b->ENUMS.items[ref - BL_ENUM_COUNT];
    for (uint32_t i = 0; i < row->count; i++) {
        struct bl_string_ref name = a->b->MEMBERS.items[row->first + i];

        if (bl_str_equal((bl_str){a->b->STRINGS.items + name.offset, name.length}, word))
            return i;
    }
    return BL_NONE;
}

static uint32_t constant(struct assembler *a, bl_str words)
{
    size_t blank = words.len;
    bl_type type = BL_TYPE_TEXT;
    int64_t number;

    if (number_of(words, &number))
        return bl_builder_number(a->b, BL_TYPE_INT, number);
    if (is_word(words, "true") || is_word(words, "false"))
        return bl_builder_number(a->b, BL_TYPE_BOOL, is_word(words, "true"));
    size_t quote = bl_str_find_char(words, '"');
    if (quote != 0) {
        size_t end = quote == SIZE_MAX ? words.len : quote;

        /* The value is the last word, or what stands in quotes. */
        for (blank = end; blank > 0 && words.ptr[blank - 1] != ' ';)
            blank--;
        type = assemble_type(bl_str_trim(bl_str_slice(words, 0, blank)));
        words = bl_str_slice(words, blank, words.len);
    }
    if (bl_type_kind(type) == BL_TYPE_ERROR)
        fail(a, "a constant has an unknown type");
    if (quote != SIZE_MAX)
        return bl_builder_text(a->b, type, bl_str_slice(words, 1, words.len - 1));
    if (!number_of(words, &number))
        number = member_of(a, type, words);
    return bl_builder_number(a->b, type, number);
}

static uint32_t label(struct assembler *a, bl_str name)
{
    for (size_t i = 0; i < a->label_count; i++) {
        if (bl_str_equal(a->labels[i].name, name))
            return (uint32_t)i;
    }
    if (a->label_count == LABELS_MAX) {
        fail(a, "a function has too many labels");
        return 0;
    }
    a->labels[a->label_count] = (struct label){name, BL_NONE};
    return (uint32_t)a->label_count++;
}

/* Index of the newest row of that name. */
#define FIND_ROW(a, section, name, out)                                                        \
    do {                                                                                       \
        for (size_t i = (a)->b->section.count; i-- > 0 && (out) == BL_NONE;) {                 \
            struct bl_string_ref ref = (a)->b->section.items[i].name;                          \
            if (bl_str_equal((bl_str){(a)->b->STRINGS.items + ref.offset, ref.length}, words)) \
                (out) = (uint32_t)i;                                                           \
        }                                                                                      \
    } while (0)

static uint32_t row(struct assembler *a, enum bl_operand kind, bl_str words)
{
    uint32_t found = BL_NONE;

    if (kind == BL_OPERAND_FN)
        FIND_ROW(a, FUNCTIONS, name, found);
    else if (kind == BL_OPERAND_SETTING)
        FIND_ROW(a, SETTINGS, name, found);
    else if (kind == BL_OPERAND_MESSAGE)
        FIND_ROW(a, MESSAGES, name, found);
    else if (kind == BL_OPERAND_SOUGHT)
        FIND_ROW(a, SOUGHT, source, found);
    else if (kind == BL_OPERAND_SECRETS)
        FIND_ROW(a, SECRETS, name, found);
    else if (kind == BL_OPERAND_STORE)
        FIND_ROW(a, STORES, name, found);
    else
        FIND_ROW(a, RECORDS, name, found);
    if (found == BL_NONE)
        fail(a, "nothing has this name");
    return found;
}

static uint32_t field(struct assembler *a, bl_str words)
{
    size_t dot = bl_str_find_char(words, '.');
    enum bl_entity entity = bl_entity_find(bl_str_slice(words, 0, dot));

    if (dot == SIZE_MAX || entity == BL_ENTITY_COUNT) {
        fail(a, "there is no such field");
        return 0;
    }
    return bl_field_find(entity, bl_str_slice(words, dot + 1, words.len));
}

static uint32_t site(struct assembler *a, enum bl_opcode op, bl_str words)
{
    struct bl_site made = {.source = BL_NO_SOURCE};
    size_t colon = bl_str_find_char(words, ':');
    int64_t detail = 0;

    if (colon != SIZE_MAX && number_of(bl_str_slice(words, colon + 1, words.len), &detail))
        words = bl_str_slice(words, 0, colon);
    made.detail = (uint32_t)detail;
    if (op == BL_OP_EFFECT) {
        while (made.kind < BL_EFFECT_COUNT &&
               !bl_str_equal(bl_effect_info((enum bl_effect)made.kind)->words, words))
            made.kind++;
    } else if (op == BL_OP_STEP) {
        while (made.kind < BL_STEP_COUNT &&
               !bl_str_equal(bl_step_info((enum bl_step)made.kind)->words, words))
            made.kind++;
    }
    return bl_add_SITES(a->b, made);
}

static uint32_t operand(struct assembler *a, enum bl_opcode op, enum bl_operand kind,
                        bl_str words)
{
    bl_str rest = words;
    int64_t number = 0;

    if (take(&rest, "#") && number_of(rest, &number))
        return (uint32_t)number;
    rest = words;
    switch (kind) {
    case BL_OPERAND_DST:
    case BL_OPERAND_SRC:
    case BL_OPERAND_RANGE:
        if (!take(&rest, "r") || !number_of(rest, &number))
            fail(a, "a register is r and a number");
        return (uint32_t)number;
    case BL_OPERAND_COUNT:
    case BL_OPERAND_MEMBER:
    case BL_OPERAND_SANITIZER:
        if (!number_of(words, &number))
            fail(a, "a number is asked for");
        return (uint32_t)number;
    case BL_OPERAND_CONST:
        return constant(a, words);
    case BL_OPERAND_FN:
    case BL_OPERAND_SETTING:
    case BL_OPERAND_MESSAGE:
    case BL_OPERAND_SOUGHT:
    case BL_OPERAND_SECRETS:
    case BL_OPERAND_STORE:
    case BL_OPERAND_RECORD:
        return row(a, kind, words);
    case BL_OPERAND_FIELD:
        return field(a, words);
    case BL_OPERAND_BUILTIN:
        return bl_builtin_find(words);
    case BL_OPERAND_AMBIENT:
        return bl_ambient_find(words);
    case BL_OPERAND_EVENT:
        return bl_event_find_spelling(words);
    case BL_OPERAND_PLACE:
        return bl_place_find(words);
    case BL_OPERAND_TRUTH:
        return bl_str_equal(words, BL_STR("true"));
    case BL_OPERAND_TYPE:
        return assemble_type(words);
    case BL_OPERAND_SITE:
        return site(a, op, words);
    case BL_OPERAND_JUMP:
    case BL_OPERAND_LOOP:
        return label(a, words);
    case BL_OPERAND_NO:
        break;
    }
    return 0;
}

/* ---- lines --------------------------------------------------------------------------------
 */

/* Places of labels into operands: they stand there as the label's number plus 0x80000000. */
#define LABEL_BIT 0x80000000u

static void end_function(struct assembler *a)
{
    if (!a->open)
        return;
    for (size_t i = a->function.first_insn; i < a->b->CODE.count && a->b->CODE.items != NULL;
         i++) {
        struct bl_insn *insn = &a->b->CODE.items[i];

        if (insn->c < LABEL_BIT || insn->c >= LABEL_BIT + LABELS_MAX)
            continue;
        insn->c = a->labels[insn->c - LABEL_BIT].place;
        if (insn->c == BL_NONE)
            fail(a, "a label has no place");
    }
    bl_add_FUNCTIONS(a->b, a->function);
    a->open = false;
    a->label_count = 0;
}

static void add_registers(struct assembler *a, bl_str types)
{
    while (types.len > 0) {
        bl_add_REGISTERS(a->b, assemble_type(take_operand(&types)));
        a->function.register_count++;
    }
}

/* NAME(types) : result job N */
static void begin_function(struct assembler *a, enum bl_function_kind kind, bl_str rest)
{
    size_t open = bl_str_find_char(rest, '(');
    size_t close = bl_str_find_char(rest, ')');
    int64_t job;

    end_function(a);
    a->open = true;
    a->function = (struct bl_function){
        .name = bl_builder_string(a->b, bl_str_slice(rest, 0, open)),
        .kind = (uint8_t)kind,
        .first_register = (uint32_t)a->b->REGISTERS.count,
        .first_insn = (uint32_t)a->b->CODE.count,
        .first_place = (uint32_t)a->b->MAP.count,
        .result = BL_TYPE_NONE,
        .job = BL_NONE,
    };
    add_registers(a, bl_str_slice(rest, open + 1, close));
    a->function.param_count = (uint8_t)a->function.register_count;
    rest = bl_str_trim(bl_str_slice(rest, close + 1, rest.len));
    size_t at = bl_str_find(rest, BL_STR("job "));
    if (at != SIZE_MAX && number_of(bl_str_slice(rest, at + 4, rest.len), &job)) {
        a->function.job = (uint32_t)job;
        rest = bl_str_trim(bl_str_slice(rest, 0, at));
    }
    if (take(&rest, ": "))
        a->function.result = assemble_type(rest);
}

static void add_insn(struct assembler *a, bl_str line)
{
    size_t blank = bl_str_find_char(line, ' ');
    bl_str mnemonic = bl_str_slice(line, 0, blank);
    bl_str rest = blank == SIZE_MAX ? (bl_str){NULL, 0} : bl_str_slice(line, blank, line.len);
    uint32_t values[3] = {0, 0, 0};
    unsigned op = 0;

    while (op < BL_OP_COUNT &&
           !bl_str_equal(bl_op_info((enum bl_opcode)op)->mnemonic, mnemonic))
        op++;
    if (op == BL_OP_COUNT) {
        fail(a, "there is no such instruction");
        return;
    }
    const struct bl_op_info *info = bl_op_info((enum bl_opcode)op);
    const enum bl_operand kinds[] = {info->a, info->b, info->c};
    for (size_t i = 0; i < 3; i++) {
        if (kinds[i] == BL_OPERAND_NO)
            continue;
        bl_str words = take_operand(&rest);

        if (words.len == 0)
            fail(a, "an operand is missing");
        values[i] = operand(a, (enum bl_opcode)op, kinds[i], words);
        if ((kinds[i] == BL_OPERAND_JUMP || kinds[i] == BL_OPERAND_LOOP) && words.ptr[0] != '#')
            values[i] |= LABEL_BIT;
    }
    bl_add_CODE(a->b, (struct bl_insn){(uint8_t)op, (uint8_t)values[0], (uint16_t)values[1],
                                       values[2]});
}

static void add_line(struct assembler *a, bl_str line)
{
    size_t comment = bl_str_find_char(line, ';');

    line = bl_str_trim(bl_str_slice(line, 0, comment));
    if (line.len == 0)
        return;
    if (take(&line, "pure ")) {
        begin_function(a, BL_FUNCTION_PURE, line);
    } else if (take(&line, "entry ")) {
        begin_function(a, BL_FUNCTION_ENTRY, line);
    } else if (take(&line, "test ")) {
        begin_function(a, BL_FUNCTION_TEST, line);
    } else if (take(&line, "regs ")) {
        add_registers(a, line);
    } else if (bl_str_ends_with(line, BL_STR(":"))) {
        a->labels[label(a, bl_str_slice(line, 0, line.len - 1))].place =
            (uint32_t)a->b->CODE.count - a->function.first_insn;
    } else {
        add_insn(a, line);
    }
}

const char *assemble(struct bl_builder *b, const char *text, unsigned *line)
{
    struct assembler a = {.b = b};
    bl_str rest = bl_str_from(text);

    *line = 0;
    while (rest.len > 0 && a.problem == NULL) {
        size_t end = bl_str_find_char(rest, '\n');

        ++*line;
        add_line(&a, bl_str_slice(rest, 0, end));
        rest = end == SIZE_MAX ? (bl_str){NULL, 0} : bl_str_slice(rest, end + 1, rest.len);
    }
    end_function(&a);
    return a.problem;
}
