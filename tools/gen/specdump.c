/* SPDX-License-Identifier: Apache-2.0 */
#include "specdump.h"

#include "spec/tables.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Writes one page of docs/reference, or the list of numbers, from the tables of runtime/spec to
 * standard output. tools/gen/run calls it for every page. */

static void begin(const char *title, const char *file, const char *about)
{
    printf("<!-- Written by tools/gen/run from runtime/spec/%s. Change that and run it. -->\n\n"
           "# %s\n\n%s\n",
           file, title, about);
}

/* A cell of a table: bars would end it, and `<` might begin HTML. */
static void cell(bl_str s)
{
    fputs("| ", stdout);
    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] == '|' || s.ptr[i] == '<' || s.ptr[i] == '*')
            putchar('\\');
        putchar(s.ptr[i]);
    }
    putchar(' ');
}

static void code_cell(bl_str s)
{
    if (s.len == 0)
        cell(s);
    else
        printf("| `%.*s` ", BL_STR_ARG(s));
}

static void text_cell(const char *s)
{
    cell(bl_str_from(s));
}

static void number_cell(uint64_t number)
{
    printf("| %" PRIu64 " ", number);
}

static void end_row(void)
{
    puts("|");
}

/* "| a | b |" and the line of hyphens below it. */
static void table(const char *head)
{
    printf("\n%s\n", head);
    for (const char *at = head; *at != '\0'; at++)
        fputs(*at == '|' ? (at[1] == '\0' ? "|" : "| --- ") : "", stdout);
    putchar('\n');
}

/* LABEL_THERE as "label there". */
static const char *plain(const char *name)
{
    static char words[64];
    size_t i = 0;

    for (; name[i] != '\0' && i + 1 < sizeof(words); i++)
        words[i] = name[i] == '_' ? ' ' : bl_ascii_lower(name[i]);
    words[i] = '\0';
    return words;
}

/* ---- types ------------------------------------------------------------------------------ */

static void put_type(bl_type type)
{
    for (unsigned i = 0; i < bl_type_list_depth(type); i++)
        fputs("list of ", stdout);
    if (bl_type_kind(type) == BL_TYPE_ENUM) {
        bl_str name = bl_enum_name((enum bl_enum)bl_type_ref(type));

        printf("[%.*s](types.md#%.*s)", BL_STR_ARG(name), BL_STR_ARG(name));
    } else if (bl_type_kind(type) == BL_TYPE_ENTITY) {
        bl_str name = bl_entity_info((enum bl_entity)bl_type_ref(type))->name;

        printf("[%.*s](entities.md#%.*s)", BL_STR_ARG(name), BL_STR_ARG(name));
    } else {
        bl_str name = bl_type_kind_name(bl_type_kind(type));

        printf("%.*s", BL_STR_ARG(name));
    }
    if (bl_type_is_optional(type))
        putchar('?');
}

static void types_page(void)
{
    begin(
        "Types", "types.def, enums.def and places.def",
        "What a value can be. `T?` is a `T` or absent; `list of T` has elements that are never "
        "absent, at\nmost three lists deep. *Equal*: values compare with `==`. *Ordered*: with "
        "`<` too. *Shown*: it renders\nitself safely wherever text goes. *Marker*: it may be "
        "an "
        "attribute of a marker.");
    table("| no. | type | equal | ordered | shown | marker | what it is |");
#define BL_TYPE(id, spelling, flags, doc)                                                      \
    number_cell(BL_TYPE_##id);                                                                 \
    cell(BL_STR(spelling));                                                                    \
    text_cell((flags)&BL_TYPE_E ? "yes" : "");                                                 \
    text_cell((flags)&BL_TYPE_O ? "yes" : "");                                                 \
    text_cell((flags) & (BL_TYPE_R | BL_TYPE_W) ? "yes" : "");                                 \
    text_cell((flags)&BL_TYPE_V ? "yes" : "");                                                 \
    cell(BL_STR(doc));                                                                         \
    end_row();
#include "spec/types.def"
#undef BL_TYPE

    puts("\n## Places\n\nWhere text leaves. Clean text is fit for some of them.");
    table("| place | what text goes there |");
#define BL_PLACE(id, name, doc)                                                                \
    code_cell(BL_STR(name));                                                                   \
    cell(BL_STR(doc));                                                                         \
    end_row();
#include "spec/places.def"
#undef BL_PLACE

    puts("\n## Enumerations\n\nGitHub's closed lists. A declared `enum` with the same members "
         "in "
         "the same order is the same type.");
    for (unsigned i = 0; i < BL_ENUM_OWN_COUNT; i++) {
        printf("\n### %.*s\n\n", BL_STR_ARG(bl_enum_name((enum bl_enum)i)));
        for (unsigned j = 0; j < bl_enum_member_count((enum bl_enum)i); j++)
            printf("%s`%.*s`", j > 0 ? ", " : "",
                   BL_STR_ARG(bl_enum_member((enum bl_enum)i, j)));
        puts("");
    }
}

/* ---- entities and ambient names --------------------------------------------------------- */

static const char *level_words(enum bl_level level)
{
    switch (level) {
    case BL_LEVEL_ANYONE:
        return "anyone";
    case BL_LEVEL_AI:
        return "an AI";
    case BL_LEVEL_MAINTAINER:
        return "a maintainer";
    case BL_LEVEL_POLICY:
        return "";
    case BL_LEVEL_ACTOR:
        return "its actor";
    }
    return "";
}

static void put_permission(enum bl_permission permission)
{
    const struct bl_permission_info *info = bl_permission_info(permission);

    if (info->key.len == 0)
        fputs("| ", stdout);
    else
        printf("| `%.*s: %.*s` ", BL_STR_ARG(info->key), BL_STR_ARG(info->level));
}

static void entity_section(enum bl_entity entity)
{
    const struct bl_entity_info *info = bl_entity_info(entity);

    printf("\n## %.*s\n", BL_STR_ARG(info->name));
    if (info->renders)
        puts("\nMay stand in a placeholder: it shows itself as the place asks.");
    table("| field | type | read | whose word | what it says |");
    for (unsigned i = 0; i < info->field_count; i++) {
        const struct bl_field_info *field =
            bl_field_info((enum bl_field)(info->first_field + i));

        code_cell(field->name);
        fputs("| ", stdout);
        put_type(field->type);
        putchar(' ');
        cell(bl_read_info(field->read)->name);
        text_cell(level_words(field->level));
        cell(field->doc);
        end_row();
    }
}

static void entities_page(void)
{
    begin(
        "Things of GitHub", "entities.def, ambients.def and reads.def",
        "The fields that values have. *Read* says what must be asked for the field to be known "
        "(see below).\n*Whose word*: who can make the field say what it says; nothing there "
        "means GitHub itself or the policy.");
    for (unsigned i = 0; i < BL_ENTITY_COUNT; i++)
        entity_section((enum bl_entity)i);

    puts("\n## Ambient names\n\nNames that stand for what a rule is about.");
    table("| name | type | what it is |");
    for (unsigned i = 0; i < BL_AMBIENT_COUNT; i++) {
        const struct bl_ambient_info *info = bl_ambient_info((enum bl_ambient)i);

        code_cell(info->name);
        fputs("| ", stdout);
        put_type(info->type);
        putchar(' ');
        cell(info->doc);
        end_row();
    }

    puts(
        "\n## Reads\n\nWhat can be asked of the world, and the permission that a job needs for "
        "it.");
    table("| read | permission | what it brings |");
    for (unsigned i = 0; i < BL_READ_COUNT; i++) {
        const struct bl_read_info *info = bl_read_info((enum bl_read)i);

        code_cell(info->name);
        put_permission(info->permission);
        cell(info->doc);
        end_row();
    }
}

/* ---- events ----------------------------------------------------------------------------- */

static bool family_carries(enum bl_event_family family, enum bl_field field)
{
    for (unsigned i = 0; i < BL_EVENT_COUNT; i++) {
        if (bl_event_info((enum bl_event_id)i)->family == family)
            return bl_event_carries((enum bl_event_id)i, field);
    }
    return false;
}

/* Does every family carry it? Such fields are said once, above. */
static bool all_carry(enum bl_field field)
{
    for (unsigned i = 0; i < BL_FAMILY_COUNT; i++) {
        if (!family_carries((enum bl_event_family)i, field))
            return false;
    }
    return true;
}

static void put_event_fields(enum bl_event_family family, bool common)
{
    const struct bl_entity_info *info = bl_entity_info(BL_ENTITY_EVENT);
    const char *between = "";

    for (unsigned i = 0; i < info->field_count; i++) {
        enum bl_field field = (enum bl_field)(info->first_field + i);

        if (all_carry(field) == common && (common || family_carries(family, field))) {
            printf("%s`%.*s`", between, BL_STR_ARG(bl_field_info(field)->name));
            between = ", ";
        }
    }
    if (*between == '\0')
        fputs("none", stdout);
}

static void put_family_actions(enum bl_event_family family)
{
    const char *between = "";

    for (unsigned i = 0; i < BL_EVENT_COUNT; i++) {
        const struct bl_event_info *info = bl_event_info((enum bl_event_id)i);

        if (info->family != family)
            continue;
        printf("%s`%.*s%s%.*s`", between, BL_STR_ARG(info->event),
               info->action.len > 0 ? "." : "", BL_STR_ARG(info->action));
        between = ", ";
    }
}

static void put_ambients(enum bl_event_family family)
{
    uint32_t set = 0;
    const char *between = "";

    for (unsigned i = 0; i < BL_EVENT_COUNT; i++) {
        if (bl_event_info((enum bl_event_id)i)->family == family)
            set |= bl_event_info((enum bl_event_id)i)->ambients;
    }
    for (unsigned i = 0; i < BL_AMBIENT_COUNT; i++) {
        if ((set & BL_AMBIENT_BIT(i)) != 0) {
            printf("%s`%.*s`", between, BL_STR_ARG(bl_ambient_info((enum bl_ambient)i)->name));
            between = ", ";
        }
    }
    if (set == 0)
        fputs("nothing", stdout);
}

static void events_page(void)
{
    begin("Events", "events.def",
          "What a rule can be about. Beside what an event brings, every rule knows `event`, "
          "`repository`, `now`,\n`today` and `me`.");
    fputs("\nEvery event has these fields: ", stdout);
    put_event_fields(BL_FAMILY_ISSUES, true);
    puts(".");
    for (unsigned i = 0; i < BL_FAMILY_COUNT; i++) {
        enum bl_event_family family = (enum bl_event_family)i;

        printf("\n## %.*s\n\n", BL_STR_ARG(bl_family_name(family)));
        fputs("- Events: ", stdout);
        put_family_actions(family);
        fputs("\n- Brings: ", stdout);
        put_ambients(family);
        fputs("\n- Fields of its own: ", stdout);
        put_event_fields(family, false);
        puts("");
    }

    puts("\n## Not handled yet\n\nGitHub sends these, and no rule can be about them.\n");
#define BL_EVENT_FAMILY(id, name, ambients, level)
#define BL_EVENT(id, event, action, family)
#define BL_EVENT_CARRIES(field, families)
#define BL_EVENT_ACTION(family, action)                                                        \
    printf("- `%.*s.%s`\n", BL_STR_ARG(bl_family_name(BL_FAMILY_##family)), action);
#include "spec/events.def"
#undef BL_EVENT_FAMILY
#undef BL_EVENT
#undef BL_EVENT_CARRIES
#undef BL_EVENT_ACTION
}

/* ---- effects, builtins, steps, opcodes -------------------------------------------------- */

static void effects_page(void)
{
    begin(
        "Effects", "effects.def",
        "What a policy can do to the world. An effect is skipped when its proof is there, so a "
        "run can be\nrepeated. The order is the rank between different blocks; inside a block "
        "the written order holds.");
    table("| effect | arguments | order | permission | proof | what it does |");
#define BL_EFFECT(id, words, order, permission, proof, args, doc)                              \
    code_cell(BL_STR(words));                                                                  \
    cell(BL_STR(args));                                                                        \
    number_cell(order);                                                                        \
    put_permission(BL_PERMISSION_##permission);                                                \
    text_cell(BL_PROOF_##proof == BL_PROOF_ALWAYS ? "none" : plain(#proof));                   \
    cell(BL_STR(doc));                                                                         \
    end_row();
#include "spec/effects.def"
#undef BL_EFFECT
}

static void builtins_page(void)
{
    begin("Builtins", "builtins.def",
          "Functions of the language. `T` is any type, the same at each place; `ordered` one "
          "with "
          "an order;\n`text!` a text whose kind the result keeps; `*T` one or more. A builtin "
          "that reads asks the world.");
    table("| builtin | gives | reads | what it gives |");
    for (unsigned i = 0; i < BL_BUILTIN_COUNT; i++) {
        const struct bl_builtin_info *info = bl_builtin_info((enum bl_builtin)i);

        printf("| `%.*s(%.*s)` ", BL_STR_ARG(info->name), BL_STR_ARG(info->params));
        code_cell(info->result);
        cell(info->read == BL_READ_STORED ? BL_STR("") : bl_read_info(info->read)->name);
        cell(info->doc);
        end_row();
    }
}

static void steps_page(void)
{
    static const char *const phases[] = {
        [BL_PHASE_GIVEN] = "given",
        [BL_PHASE_WHEN] = "when",
        [BL_PHASE_EXPECT] = "expect",
    };

    begin("Steps of tests", "steps.def",
          "What tests of policies do: `given` builds the world, `when` lets something happen, "
          "`expect` asks.");
    table("| step | phase | arguments | what happens |");
    for (unsigned i = 0; i < BL_STEP_COUNT; i++) {
        const struct bl_step_info *info = bl_step_info((enum bl_step)i);

        code_cell(info->words);
        text_cell(phases[info->phase]);
        cell(info->args);
        cell(info->doc);
        end_row();
    }
}

static void opcodes_page(void)
{
    begin("Instructions", "opcodes.def",
          "The instructions of a module. Each has 8 bytes: the opcode, `a` (8 bits), `b` (16 "
          "bits), `c` (32 bits),\nlittle-endian. *Dst* is a register that is written, *src* "
          "one that is "
          "read, *range* the first of some that are\nread.");
    table("| no. | instruction | a | b | c | does | meaning |");
#define BL_OP(id, mnemonic, a, b, c, rule, flags, doc)                                         \
    number_cell(BL_OP_##id);                                                                   \
    code_cell(BL_STR(mnemonic));                                                               \
    text_cell(BL_OPERAND_##a == BL_OPERAND_NO ? "" : plain(#a));                               \
    text_cell(BL_OPERAND_##b == BL_OPERAND_NO ? "" : plain(#b));                               \
    text_cell(BL_OPERAND_##c == BL_OPERAND_NO ? "" : plain(#c));                               \
    text_cell((flags)&BL_OP_B   ? "branches"                                                   \
              : (flags)&BL_OP_E ? "ends"                                                       \
              : (flags)&BL_OP_R ? "reads"                                                      \
              : (flags)&BL_OP_W ? "writes"                                                     \
                                : "");                                                         \
    cell(BL_STR(doc));                                                                         \
    end_row();
#include "spec/opcodes.def"
#undef BL_OP
}

static void limits_page(void)
{
    begin("Limits", "limits.def",
          "Bounds that hold everywhere. Reaching one is an error, never a wrong answer.");
    table("| limit | value | of what |");
    for (unsigned i = 0; i < BL_LIMIT_COUNT; i++) {
        const struct bl_limit_info *info = bl_limit_info((enum bl_limit)i);

        code_cell(info->name);
        number_cell(info->value);
        cell(info->why);
        end_row();
    }
}

/* ---- diagnostics ------------------------------------------------------------------------ */

static const char *severity_words(enum bl_severity severity)
{
    switch (severity) {
    case BL_SEVERITY_OFF:
        return "Off";
    case BL_SEVERITY_NOTE:
        return "Note";
    case BL_SEVERITY_WARNING:
        return "Warning";
    case BL_SEVERITY_ERROR:
        return "Error";
    }
    return "";
}

/* Messages are plain text with words in back-ticks: outside of those, what Markdown would take
 * for HTML, emphasis or a link is escaped. */
static void put_plain(bl_str s)
{
    bool code = false;

    for (size_t i = 0; i < s.len; i++) {
        code = code != (s.ptr[i] == '`');
        if (!code && strchr("<*_[\\", s.ptr[i]) != NULL)
            putchar('\\');
        putchar(s.ptr[i]);
    }
}

static void diagnostics_page(void)
{
    unsigned last = 0;

    begin(
        "Diagnostics", "diagnostics.def",
        "Everything that the tools say. A name in braces stands for what the message is about. "
        "A lint rule has\na name: `lint NAME off` in a policy, or `# allow NAME: reason` on a "
        "line, silences it.");
    for (;;) {
        const struct bl_diagnostic_info *next = NULL;

        /* The table grows at the end of its ranges; the page is in the order of numbers. */
        for (size_t i = 0; i < bl_diagnostic_count(); i++) {
            const struct bl_diagnostic_info *info = bl_diagnostic_at(i);

            if (info->number > last && (next == NULL || info->number < next->number))
                next = info;
        }
        if (next == NULL)
            return;
        last = next->number;
        printf("\n## PL%04u\n\n**%s**", next->number, severity_words(next->severity));
        if (next->lint.len > 0)
            printf(" `%.*s`", BL_STR_ARG(next->lint));
        fputs(": ", stdout);
        put_plain(next->message);
        if (next->help.len > 0) {
            putchar(' ');
            put_plain(next->help);
        }
        puts("");
        if (next->more.len > 0) {
            puts("");
            put_plain(next->more);
            puts("");
        }
    }
}

static const struct {
    const char *name;
    void (*write)(void);
} pages[] = {
    {"builtins", builtins_page},
    {"clauses", specdump_clauses},
    {"declarations", specdump_declarations},
    {"diagnostics", diagnostics_page},
    {"effects", effects_page},
    {"entities", entities_page},
    {"events", events_page},
    {"limits", limits_page},
    {"opcodes", opcodes_page},
    {"steps", steps_page},
    {"tree", specdump_tree},
    {"tree-schema", specdump_tree_schema},
    {"types", types_page},
    {"numbers", specdump_numbers},
};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 2 && i < sizeof(pages) / sizeof(pages[0]); i++) {
        if (strcmp(argv[1], pages[i].name) == 0) {
            pages[i].write();
            return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
        }
    }
    fputs("Usage: specdump "
          "builtins|clauses|declarations|diagnostics|effects|entities|events|limits|opcodes|"
          "steps|tree|tree-schema|types|numbers\n",
          stderr);
    return 2;
}
