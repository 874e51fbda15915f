/* SPDX-License-Identifier: Apache-2.0 */
#include "emit/lowering.h"

/* Commands. For each family one function says which word the event's comment gives, one judges
 * it, one says of any comment whether it is a command that was carried out. They read and write
 * nothing, so that all who ask get one answer. Each command is an entry that plans its effects
 * when the judgement accepts it, and the family one for refusals. */

#define VERDICT BL_TYPE_MAKE(BL_TYPE_ENTITY, BL_ENTITY_VERDICT)
#define COMMENT BL_TYPE_MAKE(BL_TYPE_ENTITY, BL_ENTITY_COMMENT)

static const struct bl_commands *part(const struct bl_symbol *symbol)
{
    return symbol->as.commands;
}

/* ---- the event's comment
 * ---------------------------------------------------------------------------------- */

/* Judging is about the event's comment and its issue, whatever stands for them where it is
 * asked. */
static unsigned bind_event(struct bl_body *body, struct bl_span span)
{
    unsigned comment = bl_ambient_register(body, BL_AMBIENT_EVENT_COMMENT, span);
    unsigned issue = bl_lower_field(body, comment, BL_FIELD_COMMENT_ISSUE, span);
    bl_put(body, BL_OP_BIND, 0, comment, BL_AMBIENT_COMMENT, span);
    bl_put(body, BL_OP_BIND, 0, issue, BL_AMBIENT_ISSUE, span);
    return comment;
}

/* The text of a comment without what the family strips. */
static unsigned text_of(struct bl_body *body, const struct bl_commands *family,
                        unsigned comment, struct bl_span span)
{
    unsigned text = bl_lower_field(body, comment, BL_FIELD_COMMENT_TEXT, span);
    for (size_t i = 0; i < family->strips.count; i++) {
        struct bl_node *pattern = family->strips.items[i];
        unsigned args[2] = {text, bl_lower(body, pattern)};
        text =
            bl_lower_builtin(body, BL_BUILTIN_STRIP, BL_TYPE_UNTRUSTED, args, 2, pattern->span);
    }
    return text;
}

static unsigned read_command(struct bl_body *body, const struct bl_commands *family,
                             enum bl_builtin builtin, bl_type result, unsigned comment,
                             struct bl_span span)
{
    unsigned args[2] = {text_of(body, family, comment, span),
                        bl_const_text(body, BL_TYPE_TEXT, family->word, span)};
    return bl_lower_builtin(body, builtin, result, args, 2, span);
}

static void leave_unless_set(struct bl_body *body, unsigned value, unsigned target,
                             struct bl_span span)
{
    unsigned is_set = bl_code_register(body->code, BL_TYPE_BOOL);
    bl_put(body, BL_OP_IS_SET, is_set, value, 0, span);
    bl_code_jump(body->code, BL_OP_JUMP_UNLESS, is_set, target, span);
}

static unsigned require(struct bl_body *body, unsigned value, struct bl_span span)
{
    bl_type type = bl_type_base(bl_code_type(body->code, value));
    unsigned known = bl_code_register(body->code, type);
    bl_put(body, BL_OP_REQUIRE, known, value, 0, span);
    return known;
}

/* Goes on when the comment's writer is one of the actors, else to `target`. */
static void ask_writer(struct bl_body *body, const struct bl_symbol_list *by, unsigned comment,
                       unsigned target, struct bl_span span)
{
    struct bl_code *code = body->code;
    if (by->count == 0)
        return;
    unsigned author = bl_lower_field(body, comment, BL_FIELD_COMMENT_AUTHOR, span);
    unsigned is_one = bl_code_register(code, BL_TYPE_BOOL);
    unsigned found = bl_code_target(code);
    for (size_t i = 0; i < by->count; i++) {
        bl_put(body, BL_OP_CALL, is_one, author, bl_emit_callable(body->e, by->items[i]), span);
        bl_code_jump(code, BL_OP_JUMP_IF, is_one, found, span);
    }
    bl_code_jump(code, BL_OP_JUMP, 0, target, span);
    bl_code_place(code, found);
}

/* Only events of the family have a comment that is judged. */
static void ask_event(struct bl_body *body, uint64_t events, unsigned target,
                      struct bl_span span)
{
    struct bl_code *code = body->code;
    unsigned is_it = bl_code_register(code, BL_TYPE_BOOL);
    unsigned found = bl_code_target(code);
    for (unsigned event = 0; event < BL_EVENT_COUNT; event++) {
        if ((events >> event & 1) == 0)
            continue;
        bl_put(body, BL_OP_EVENT_IS, is_it, 0, event, span);
        bl_code_jump(code, BL_OP_JUMP_IF, is_it, found, span);
    }
    bl_code_jump(code, BL_OP_JUMP, 0, target, span);
    bl_code_place(code, found);
}

static void give_absent(struct bl_body *body, bl_type type, unsigned target,
                        struct bl_span span)
{
    bl_code_place(body->code, target);
    unsigned nothing = bl_code_register(body->code, BL_OPTIONAL(type));
    bl_put(body, BL_OP_ABSENT, nothing, 0, 0, span);
    bl_put(body, BL_OP_RETURN, 0, nothing, 0, span);
}

static uint32_t given_function(struct bl_emitter *e, struct bl_symbol *symbol)
{
    struct bl_judges *judges = &e->judges[symbol->number];
    if (judges->given != BL_NONE)
        return judges->given;
    const struct bl_commands *family = part(symbol);
    struct bl_span at = symbol->span;
    bl_type result = BL_OPTIONAL(BL_TYPE_UNTRUSTED);
    struct bl_body body = bl_body_begin(e, symbol->name, BL_FUNCTION_PURE, result, BL_NONE);
    unsigned none = bl_code_target(body.code);
    ask_event(&body, family->refused->events, none, at);
    unsigned brought = bl_code_register(body.code, BL_OPTIONAL(COMMENT));
    bl_put(&body, BL_OP_AMBIENT, brought, 0, BL_AMBIENT_EVENT_COMMENT, at);
    leave_unless_set(&body, brought, none, at);
    unsigned comment = bind_event(&body, at);
    unsigned word = read_command(&body, family, BL_BUILTIN_COMMAND_WORD, result, comment, at);
    leave_unless_set(&body, word, none, at);
    ask_writer(&body, &family->by, comment, none, at);
    bl_put(&body, BL_OP_RETURN, 0, word, 0, at);
    give_absent(&body, BL_TYPE_UNTRUSTED, none, at);
    judges->given = bl_body_end(&body);
    return judges->given;
}

/* ---- what a command takes
 * ------------------------------------------------------------------------------------------ */

static void refuse_text(struct bl_body *body, unsigned text, bl_str unwanted, enum bl_opcode op,
                        bool when, unsigned target, struct bl_span span)
{
    unsigned answer = bl_code_register(body->code, BL_TYPE_BOOL);
    unsigned words = bl_const_text(body, BL_TYPE_TEXT, unwanted, span);
    bl_put(body, op, answer, text, words, span);
    bl_code_jump(body->code, when ? BL_OP_JUMP_IF : BL_OP_JUMP_UNLESS, answer, target, span);
}

static unsigned issue_of(struct bl_body *body, unsigned text, unsigned malformed,
                         struct bl_span span)
{
    bl_type issue = BL_TYPE_MAKE(BL_TYPE_ENTITY, BL_ENTITY_ISSUE);
    unsigned number = bl_lower_builtin(body, BL_BUILTIN_WRITTEN_NUMBER,
                                       BL_OPTIONAL(BL_TYPE_INT), &text, 1, span);
    unsigned found =
        bl_lower_builtin(body, BL_BUILTIN_ISSUE_NUMBER, BL_OPTIONAL(issue), &number, 1, span);
    leave_unless_set(body, found, malformed, span);
    return require(body, found, span);
}

/* The parameter becomes a local; a command without it, or with words behind it, is malformed.
 */
static void take(struct bl_body *body, const struct bl_commands *command, unsigned comment,
                 unsigned malformed, struct bl_span span)
{
    const struct bl_commands *family = part(command->family);
    bool is_text = command->taken != NULL && command->taken->type == BL_TYPE_UNTRUSTED;
    bl_str nothing = {NULL, 0};
    unsigned text = read_command(
        body, family, command->takes_rest ? BL_BUILTIN_COMMAND_REST : BL_BUILTIN_COMMAND_LINE,
        BL_TYPE_UNTRUSTED, comment, span);
    refuse_text(body, text, nothing, BL_OP_EQ, command->taken != NULL, malformed, span);
    if (command->taken == NULL)
        return;
    if (is_text && !command->takes_rest) {
        refuse_text(body, text, BL_STR(" "), BL_OP_CONTAINS, true, malformed, span);
        refuse_text(body, text, BL_STR("\t"), BL_OP_CONTAINS, true, malformed, span);
    }
    unsigned value = is_text ? text : issue_of(body, text, malformed, span);
    bl_body_local(body, command->taken, value);
    (void)bl_rebind(body, command->taken, value);
}

/* ---- judging
 * --------------------------------------------------------------------------------------------
 */

static bool has_checks(const struct bl_statement *s)
{
    if (s->kind == BL_STATEMENT_REFUSE || s->kind == BL_STATEMENT_REQUIRE ||
        s->kind == BL_STATEMENT_PASS || s->kind == BL_STATEMENT_CHECK)
        return true;
    for (const struct bl_statement *inner = s->body; inner != NULL; inner = inner->next)
        if (has_checks(inner))
            return true;
    return s->otherwise != NULL && has_checks(s->otherwise);
}

/* Rows that check, and what they name; effects are no part of the judgement. */
static void judging(struct bl_body *body, struct bl_statement *s, void *context)
{
    if (s->kind == BL_STATEMENT_LET)
        (void)bl_lower_flow(body, s, judging, context);
    else if (has_checks(s) && !bl_lower_flow(body, s, judging, context))
        bl_lower_check(body, s, context);
}

static void verdict_at(struct bl_body *body, unsigned target, const char *rule,
                       struct bl_node *text, struct bl_span span)
{
    bl_code_place(body->code, target);
    bl_lower_verdict(body, false, bl_str_from(rule), text, span);
}

/* (): verdict about the event's comment, which is this command. */
static uint32_t judge_command(struct bl_emitter *e, struct bl_symbol *symbol)
{
    const struct bl_commands *command = part(symbol);
    const struct bl_commands *family = part(command->family);
    struct bl_body body = bl_body_begin(e, symbol->name, BL_FUNCTION_PURE, VERDICT, BL_NONE);
    unsigned denied = bl_code_target(body.code), malformed = bl_code_target(body.code);
    unsigned comment = bind_event(&body, symbol->span);
    body.span = symbol->span;
    ask_writer(&body, &command->by, comment, denied, symbol->span);
    bl_lower_list(&body, family->refusals, bl_lower_check, NULL);
    take(&body, command, comment, malformed, symbol->span);
    for (struct bl_statement *s = command->rule->body; s != command->unjudged; s = s->next) {
        body.span = s->span;
        judging(&body, s, NULL);
    }
    bl_lower_verdict(&body, true, BL_STR("allowed"), NULL, symbol->span);
    if (command->by.count > 0)
        verdict_at(&body, denied, "denied", family->denied, symbol->span);
    verdict_at(&body, malformed, "malformed", family->malformed, symbol->span);
    return bl_body_end(&body);
}

static void go_unless_word(struct bl_body *body, unsigned word,
                           const struct bl_commands *command, unsigned target,
                           struct bl_span span)
{
    refuse_text(body, word, command->word, BL_OP_EQ, false, target, span);
}

static uint32_t judge_function(struct bl_emitter *e, struct bl_symbol *symbol)
{
    struct bl_judges *judges = &e->judges[symbol->number];
    if (judges->judged != BL_NONE)
        return judges->judged;
    const struct bl_commands *family = part(symbol);
    struct bl_span at = symbol->span;
    struct bl_body body =
        bl_body_begin(e, symbol->name, BL_FUNCTION_PURE, BL_OPTIONAL(VERDICT), BL_NONE);
    unsigned none = bl_code_target(body.code);
    unsigned given = bl_code_register(body.code, BL_OPTIONAL(BL_TYPE_UNTRUSTED));
    bl_put(&body, BL_OP_CALL, given, 0, given_function(e, symbol), at);
    leave_unless_set(&body, given, none, at);
    unsigned word = require(&body, given, at);
    unsigned verdict = bl_code_register(body.code, VERDICT);
    for (size_t i = 0; i < family->commands.count; i++) {
        struct bl_symbol *command = family->commands.items[i];
        unsigned next = bl_code_target(body.code);
        size_t mark = bl_code_mark(body.code);
        go_unless_word(&body, word, part(command), next, command->span);
        unsigned number =
            bl_const_number(&body, BL_TYPE_COMMAND, command->number, command->span);
        bl_put(&body, BL_OP_BIND, 0, number, BL_AMBIENT_COMMAND, command->span);
        bl_put(&body, BL_OP_CALL, verdict, 0, judge_command(e, command), command->span);
        bl_put(&body, BL_OP_RETURN, 0, verdict, 0, command->span);
        bl_code_place(body.code, next);
        bl_code_release(body.code, mark);
    }
    bl_lower_verdict(&body, false, BL_STR("unknown"), family->unknown, at);
    give_absent(&body, VERDICT, none, at);
    judges->judged = bl_body_end(&body);
    return judges->judged;
}

/* ---- comment is F
 * ------------------------------------------------------------------------------------------ */

/* Does an own reaction stand on the comment? */
static unsigned find_reaction(struct bl_body *body, const struct bl_commands *family,
                              unsigned comment, struct bl_span at)
{
    struct bl_code *code = body->code;
    bl_type reaction = BL_TYPE_MAKE(BL_TYPE_ENTITY, BL_ENTITY_REACTION);
    bl_type kind_type = BL_TYPE_MAKE(BL_TYPE_ENUM, BL_ENUM_REACTION_KIND);
    unsigned found = bl_const_number(body, BL_TYPE_BOOL, 0, at);
    unsigned me = bl_ambient_register(body, BL_AMBIENT_ME, at);
    unsigned wanted = bl_const_number(body, kind_type, family->reaction, at);
    unsigned element = bl_code_register(code, reaction);
    unsigned kind = bl_code_register(code, kind_type);
    unsigned user = bl_code_register(code, BL_TYPE_MAKE(BL_TYPE_ENTITY, BL_ENTITY_USER));
    unsigned is_it = bl_code_register(code, BL_TYPE_BOOL);
    unsigned list = bl_code_loop_list(code, BL_LIST_OF(reaction));
    bl_put(body, BL_OP_FIELD, list, comment, BL_FIELD_COMMENT_REACTIONS, at);
    struct bl_code_loop loop = bl_code_loop_begin(code, list, element, at);
    bl_put(body, BL_OP_FIELD, kind, element, BL_FIELD_REACTION_KIND, at);
    bl_put(body, BL_OP_EQ, is_it, kind, wanted, at);
    bl_code_jump(code, BL_OP_JUMP_UNLESS, is_it, loop.again, at);
    bl_put(body, BL_OP_FIELD, user, element, BL_FIELD_REACTION_USER, at);
    bl_put(body, BL_OP_EQ, is_it, user, me, at);
    bl_code_jump(code, BL_OP_JUMP_UNLESS, is_it, loop.again, at);
    bl_put(body, BL_OP_CONST, found, 0, bl_builder_number(body->e->b, BL_TYPE_BOOL, 1), at);
    bl_code_jump(code, BL_OP_JUMP, 0, loop.exit, at);
    bl_code_loop_end(code, &loop, at);
    return found;
}

/* Of the event's own comment the judgement says it; of another one the reaction that was left,
 * which is read only when the text begins as a command does. */
static uint32_t is_function(struct bl_emitter *e, struct bl_symbol *symbol)
{
    struct bl_judges *judges = &e->judges[symbol->number];
    if (judges->is != BL_NONE)
        return judges->is;
    const struct bl_commands *family = part(symbol);
    struct bl_span at = symbol->span;
    struct bl_body body =
        bl_body_begin(e, symbol->name, BL_FUNCTION_PURE, BL_TYPE_BOOL, BL_NONE);
    struct bl_code *code = body.code;
    unsigned comment = bl_code_param(code, COMMENT);
    unsigned other = bl_code_target(code), no = bl_code_target(code);
    unsigned brought = bl_code_register(code, BL_OPTIONAL(COMMENT));
    unsigned answer = bl_code_register(code, BL_TYPE_BOOL);
    ask_event(&body, family->refused->events, other, at);
    bl_put(&body, BL_OP_AMBIENT, brought, 0, BL_AMBIENT_EVENT_COMMENT, at);
    leave_unless_set(&body, brought, other, at);
    unsigned id = bl_lower_field(&body, comment, BL_FIELD_COMMENT_ID, at);
    unsigned own = bl_lower_field(&body, require(&body, brought, at), BL_FIELD_COMMENT_ID, at);
    bl_put(&body, BL_OP_EQ, answer, id, own, at);
    bl_code_jump(code, BL_OP_JUMP_UNLESS, answer, other, at);
    unsigned verdict = bl_code_register(code, BL_OPTIONAL(VERDICT));
    bl_put(&body, BL_OP_CALL, verdict, 0, judge_function(e, symbol), at);
    leave_unless_set(&body, verdict, no, at);
    unsigned passes =
        bl_lower_field(&body, require(&body, verdict, at), BL_FIELD_VERDICT_PASSES, at);
    bl_put(&body, BL_OP_RETURN, 0, passes, 0, at);
    bl_code_place(code, other);
    unsigned word = read_command(&body, family, BL_BUILTIN_COMMAND_WORD,
                                 BL_OPTIONAL(BL_TYPE_UNTRUSTED), comment, at);
    leave_unless_set(&body, word, no, at);
    bl_put(&body, BL_OP_RETURN, 0, find_reaction(&body, family, comment, at), 0, at);
    bl_code_place(code, no);
    unsigned refused = bl_const_number(&body, BL_TYPE_BOOL, 0, at);
    bl_put(&body, BL_OP_RETURN, 0, refused, 0, at);
    judges->is = bl_body_end(&body);
    return judges->is;
}

unsigned bl_lower_is_command(struct bl_body *body, struct bl_node *node)
{
    struct bl_emitter *e = body->e;
    unsigned result = bl_code_register(body->code, BL_TYPE_BOOL);
    bl_type type = COMMENT;
    uint32_t function = is_function(e, node->symbol);
    size_t mark = bl_code_mark(body->code);
    unsigned first = bl_code_range(body->code, &type, 1);
    bl_lower_into(body, node->kids[0], first);
    bl_put(body, BL_OP_CALL, result, first, function, node->span);
    bl_code_release(body->code, mark);
    return result;
}

/* ---- entries
 * -----------------------------------------------------------------------------------------------
 */

static bool has_effects(const struct bl_statement *s)
{
    if (s->kind == BL_STATEMENT_EFFECT)
        return true;
    for (const struct bl_statement *inner = s->body; inner != NULL; inner = inner->next)
        if (has_effects(inner))
            return true;
    return s->otherwise != NULL && has_effects(s->otherwise);
}

/* What a command does; its checks were asked by the judgement. */
static void deed(struct bl_body *body, struct bl_statement *s, void *context)
{
    if (s->kind == BL_STATEMENT_LET)
        (void)bl_lower_flow(body, s, deed, context);
    else if (has_effects(s) && !bl_lower_flow(body, s, deed, context))
        bl_lower_effect(body, s);
}

static unsigned ask_judge(struct bl_body *body, struct bl_symbol *family, bool accepted,
                          unsigned not_fired, struct bl_span at)
{
    unsigned answer = bl_code_register(body->code, BL_OPTIONAL(VERDICT));
    bl_put(body, BL_OP_CALL, answer, 0, judge_function(body->e, family), at);
    leave_unless_set(body, answer, not_fired, at);
    unsigned verdict = require(body, answer, at);
    unsigned passes = bl_lower_field(body, verdict, BL_FIELD_VERDICT_PASSES, at);
    bl_code_condition(body->code);
    bl_code_jump(body->code, accepted ? BL_OP_JUMP_UNLESS : BL_OP_JUMP_IF, passes, not_fired,
                 at);
    return verdict;
}

static void command_body(struct bl_body *body, struct bl_symbol *symbol, unsigned not_fired)
{
    const struct bl_commands *command = part(symbol);
    struct bl_span at = symbol->span;
    unsigned given = bl_code_register(body->code, BL_OPTIONAL(BL_TYPE_UNTRUSTED));
    bl_put(body, BL_OP_CALL, given, 0, given_function(body->e, command->family), at);
    go_unless_word(body, given, command, not_fired, at);
    (void)ask_judge(body, command->family, true, not_fired, at);
    unsigned number = bl_const_number(body, BL_TYPE_COMMAND, symbol->number, at);
    bl_put(body, BL_OP_BIND, 0, number, BL_AMBIENT_COMMAND, at);
    unsigned comment = bl_ambient_register(body, BL_AMBIENT_EVENT_COMMENT, at);
    if (command->taken != NULL)
        take(body, command, comment, not_fired, at);
}

static void refused_body(struct bl_body *body, struct bl_symbol *family, unsigned not_fired)
{
    unsigned verdict = ask_judge(body, family, false, not_fired, family->span);
    bl_put(body, BL_OP_BIND, 0, verdict, BL_AMBIENT_REFUSAL, family->span);
}

static void add_entry(struct bl_emitter *e, struct bl_symbol *symbol,
                      const struct bl_rule *rule, bl_str name,
                      void (*begin)(struct bl_body *, struct bl_symbol *, unsigned))
{
    struct bl_span at = symbol->span;
    struct bl_entry row = bl_emit_entry(e, BL_ENTRY_RULE, name, at);
    row.job = bl_emit_job(rule->job);
    uint32_t entry = bl_add_ENTRIES(e->b, row);
    struct bl_body body =
        bl_body_begin(e, name, BL_FUNCTION_ENTRY, BL_TYPE_BOOL, bl_emit_job(rule->job));
    unsigned not_fired = bl_code_target(body.code);
    body.span = at;
    begin(&body, symbol, not_fired);
    bl_put(&body, BL_OP_FIRED, 0, 0, 0, at);
    bl_lower_list(&body, rule->body, deed, NULL);
    bl_put(&body, BL_OP_RETURN_BOOL, 0, 0, true, at);
    bl_code_place(body.code, not_fired);
    bl_put(&body, BL_OP_RETURN_BOOL, 0, 0, false, at);
    uint32_t function = bl_body_end(&body);
    if (entry < e->b->ENTRIES.count)
        e->b->ENTRIES.items[entry].function = function;
    for (unsigned event = 0; event < BL_EVENT_COUNT; event++)
        if ((rule->events >> event & 1) != 0)
            bl_builder_event_rule(e->b, (enum bl_event_id)event, entry);
}

/* As it is written in a comment: "/say hello". */
static bl_str written(struct bl_emitter *e, const struct bl_commands *family, bl_str word)
{
    struct bl_buf name;
    bl_buf_init(&name, e->arena, family->word.len + word.len + 2);
    bl_buf_put(&name, family->word);
    bl_buf_put_char(&name, ' ');
    bl_buf_put(&name, word);
    return bl_buf_str(&name);
}

void bl_emit_commands(struct bl_emitter *e)
{
    const struct bl_symbol_list *families = &e->program->symbols[BL_SYMBOL_COMMANDS];
    for (size_t i = 0; i < families->count; i++) {
        struct bl_symbol *symbol = families->items[i];
        const struct bl_commands *family = part(symbol);
        for (size_t k = 0; k < family->commands.count; k++) {
            struct bl_symbol *command = family->commands.items[k];
            if (part(command)->rule != NULL)
                add_entry(e, command, part(command)->rule,
                          written(e, family, part(command)->word), command_body);
        }
        add_entry(e, symbol, family->refused, family->word, refused_body);
    }
}
