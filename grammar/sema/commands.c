/* SPDX-License-Identifier: Apache-2.0 */
#include "sema/checker.h"

/* Families of commands. What judges a comment — rows of the family, and of each command all up
 * to its last row that checks — is typed when a condition first asks `comment is F`, which may
 * be in the middle of another body; what a command does then is typed with the rules. */

enum state { STATE_NEW, STATE_JUDGING, STATE_JUDGED };

static const uint32_t brings_command = BL_AMBIENT_BIT(BL_AMBIENT_COMMAND);

/* ---- heads
 * ------------------------------------------------------------------------------------------ */

/* One word of the first line: blanks would end it, and case does not count. */
static bl_str read_word(struct bl_checker *c, struct bl_node *node, bool is_lower)
{
    bl_str word = bl_sema_plain_text(c, node);
    bool is_word = word.len > 0;

    for (size_t i = 0; i < word.len; i++) {
        unsigned char byte = (unsigned char)word.ptr[i];

        is_word =
            is_word && byte > ' ' && byte != 0x7f && !(is_lower && byte >= 'A' && byte <= 'Z');
    }
    if (!is_word)
        bl_sema_arg(c, bl_sema_error(c, BL_D_COMMAND_BLANK, node->span), "word", word);
    return word;
}

static void read_by(struct bl_checker *c, struct bl_commands *commands,
                    struct bl_clause *clause)
{
    for (uint32_t i = 0; i < clause->slots[0].count; i++) {
        struct bl_node *word = clause->slots[0].nodes[i];
        struct bl_symbol *actor = bl_sema_find_kind(c, word, BL_SYMBOL_ACTOR);
        struct bl_symbol **slot = NULL;

        if (actor == NULL)
            continue;
        bl_sema_callable(c, actor, word->span);
        bl_sema_need_all(c, word, &actor->as.callable->needs);
        if (actor->as.callable->params.count == 1)
            slot = BL_PUSH(c->arena, commands->by);
        if (slot != NULL)
            *slot = actor;
    }
}

static void read_events(struct bl_checker *c, struct bl_rule *rule, struct bl_clause *clause)
{
    for (uint32_t i = 0; i < clause->slots[0].count; i++) {
        struct bl_node *path = clause->slots[0].nodes[i];
        unsigned event = bl_sema_read_event(c, path);

        if (event == BL_EVENT_COUNT)
            continue;
        if ((bl_sema_bringers(BL_AMBIENT_COMMENT) >> event & 1) == 0) {
            struct bl_diagnostic *d = bl_sema_error(c, BL_D_COMMANDS_EVENT, path->span);

            bl_sema_arg(c, d, "event", bl_sema_event_name(c, event));
            continue;
        }
        rule->events |= UINT64_C(1) << event;
    }
}

static struct bl_node *read_text(struct bl_checker *c, struct bl_clause *clause)
{
    bl_sema_plain_text(c, bl_slot_node(clause, 0));
    return bl_slot_node(clause, 0);
}

/* ---- the family
 * ----------------------------------------------------------------------------------------- */

static struct bl_rule *new_rule(struct bl_checker *c, struct bl_symbol *symbol, uint64_t events)
{
    struct bl_rule *rule = BL_NEW(c->arena, struct bl_rule);

    if (rule == NULL)
        return NULL;
    rule->symbol = symbol;
    rule->events = events;
    return rule;
}

static void begin(struct bl_checker *c, struct bl_body *body, struct bl_symbol *symbol,
                  struct bl_need_list *needs, uint64_t events, uint32_t brings)
{
    bl_sema_body_begin(c, body, symbol);
    body->needs = needs;
    body->events = events;
    body->brings = brings;
}

static void type_strips(struct bl_checker *c, struct bl_commands *family,
                        struct bl_clause *clause)
{
    for (uint32_t i = 0; i < clause->slots[0].count; i++) {
        struct bl_node **slot = BL_PUSH(c->arena, family->strips);

        bl_sema_expect(c, clause->slots[0].nodes[i], BL_TYPE_PATTERN);
        if (slot != NULL)
            *slot = clause->slots[0].nodes[i];
    }
}

/* Rows that decide about every command of the family. */
static void judge_family(struct bl_checker *c, struct bl_symbol *symbol)
{
    struct bl_commands *family = symbol->as.commands;
    struct bl_statement **tail = &family->refusals;

    for (struct bl_clause *clause = symbol->clause->block; clause != NULL;
         clause = clause->next) {
        if (clause->id == BL_CLAUSE_COMMANDS_BY) {
            read_by(c, family, clause);
        } else if (clause->id == BL_CLAUSE_COMMANDS_STRIP) {
            type_strips(c, family, clause);
        } else if (clause->id == BL_CLAUSE_COMMANDS_DENIED) {
            family->denied = read_text(c, clause);
        } else if (clause->id == BL_CLAUSE_COMMANDS_UNKNOWN) {
            family->unknown = read_text(c, clause);
        } else if (clause->id == BL_CLAUSE_COMMANDS_MALFORMED) {
            family->malformed = read_text(c, clause);
        } else if (clause->id == BL_CLAUSE_COMMANDS_REFUSE) {
            *tail = bl_sema_check_row(c, clause);
            if (*tail != NULL)
                tail = &(*tail)->next;
        }
    }
}

/* ---- one command: what judges it
 * ------------------------------------------------------------------------------------------ */

static bool is_check(const struct bl_clause *clause)
{
    if (bl_clause_info(clause->id)->block == BL_BLOCK_CHECKS)
        return true;
    for (const struct bl_clause *inner = clause->block; inner != NULL; inner = inner->next) {
        if (is_check(inner))
            return true;
    }
    return false;
}

static bool is_arm(const struct bl_clause *clause)
{
    return clause != NULL &&
           (clause->id == BL_CLAUSE_OTHERWISE_WHEN || clause->id == BL_CLAUSE_OTHERWISE);
}

/* The last clause of those that judge; NULL when no row checks. */
static struct bl_clause *last_judged(struct bl_clause *clauses)
{
    struct bl_clause *last = NULL;

    for (struct bl_clause *clause = clauses; clause != NULL; clause = clause->next) {
        if (is_check(clause))
            last = clause;
    }
    while (last != NULL && is_arm(last->next))
        last = last->next;
    return last;
}

static void type_taken(struct bl_checker *c, struct bl_commands *command,
                       struct bl_clause *clause)
{
    const struct bl_node *phrase = clause->node->kids[0];
    const struct bl_node *end = phrase->kids[phrase->kid_count - 1];
    struct bl_node *name = bl_slot_node(clause, 0);
    bl_type type = bl_sema_read_type(c, clause->slots[1].nodes, clause->slots[1].count, NULL,
                                     name->text, NULL);

    command->takes_rest = end->kind == BL_NODE_NAME && end != clause->slots[1].nodes[0] &&
                          bl_str_equal(end->text, BL_STR("rest"));
    if (!bl_is_error(type) && type != BL_TYPE_UNTRUSTED &&
        (type != BL_ENTITY_TYPE(ISSUE) || command->takes_rest)) {
        struct bl_diagnostic *d =
            bl_sema_error(c, BL_D_COMMAND_TAKES_TYPE, clause->slots[1].nodes[0]->span);

        bl_sema_arg_type(c, d, "type", type);
        type = BL_TYPE_ERROR;
    }
    command->taken =
        bl_scope_local(c, BL_LOCAL_TAKEN, name, name->text, type, bl_slot_node(clause, 0));
    if (command->taken != NULL)
        command->taken->as.local->value = NULL;
}

static void read_head(struct bl_checker *c, struct bl_symbol *symbol)
{
    struct bl_commands *command = symbol->as.commands;

    command->word = symbol->name;
    for (struct bl_clause *clause = symbol->clause->block; clause != NULL;
         clause = clause->next) {
        if (clause->id == BL_CLAUSE_COMMAND_WORD)
            command->word = read_word(c, bl_slot_node(clause, 0), true);
        else if (clause->id == BL_CLAUSE_COMMAND_BY)
            read_by(c, command, clause);
        else if (clause->id == BL_CLAUSE_COMMAND_TAKES)
            type_taken(c, command, clause);
    }
}

static struct bl_statement **end_of(struct bl_statement **list)
{
    while (*list != NULL)
        list = &(*list)->next;
    return list;
}

/* The body stays open: what it does is typed later, with what is known by then. */
static void judge_command(struct bl_checker *c, struct bl_symbol *symbol, uint64_t events)
{
    struct bl_commands *command = symbol->as.commands;
    struct bl_clause *last = last_judged(symbol->clause->block);
    struct bl_body *body = BL_NEW(c->arena, struct bl_body);

    command->rule = new_rule(c, symbol, events);
    if (command->rule == NULL || body == NULL)
        return;
    begin(c, body, symbol, &command->needs, events, brings_command);
    read_head(c, symbol);
    if (last != NULL) {
        struct bl_clause *behind = last->next;

        last->next = NULL;
        command->rule->body = bl_sema_statements(c, symbol->clause->block);
        last->next = behind;
    }
    command->calls = body->calls;
    command->typing = body;
    bl_sema_body_end(c);
}

static void check_words(struct bl_checker *c, const struct bl_symbol *family)
{
    const struct bl_symbol_list *list = &family->as.commands->commands;

    for (size_t i = 0; i < list->count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (!bl_str_equal_nocase(list->items[i]->as.commands->word,
                                     list->items[j]->as.commands->word))
                continue;
            struct bl_diagnostic *d =
                bl_sema_error(c, BL_D_COMMAND_TWICE, list->items[i]->span);

            bl_sema_arg(c, d, "family", family->name);
            bl_sema_arg(c, d, "word", list->items[i]->as.commands->word);
            bl_diagnostic_label(c->sink, d, list->items[j]->span,
                                BL_STR("It stands here first."));
            break;
        }
    }
}

/* ---- judging
 * ---------------------------------------------------------------------------------------------
 */

static void report_cycle(struct bl_checker *c, struct bl_symbol *family, struct bl_span use)
{
    struct bl_diagnostic *d = bl_sema_error(c, BL_D_DEFINITION_CYCLE, use);

    bl_sema_arg(c, d, "name", family->name);
    for (struct bl_body *body = c->body; body != NULL; body = body->outer) {
        if (body->symbol == NULL)
            continue;
        bl_diagnostic_label(
            c->sink, d, body->symbol->span,
            bl_sema_text(c, "'%.*s' is asked for on the way.", BL_STR_ARG(body->symbol->name)));
        if (body->symbol == family || (body->symbol->kind == BL_SYMBOL_COMMAND &&
                                       body->symbol->as.commands->family == family))
            break;
    }
    bl_sema_help(c, d, "Give what asks a parameter that says whether a command was given.");
}

static void judge_all(struct bl_checker *c, struct bl_symbol *symbol)
{
    struct bl_commands *family = symbol->as.commands;
    uint64_t events = family->refused->events;
    struct bl_body body;
    unsigned calls;

    begin(c, &body, symbol, &family->needs, events, brings_command);
    family->word = read_word(c, bl_slot_node(symbol->clause, 1), false);
    judge_family(c, symbol);
    calls = body.calls;
    bl_sema_body_end(c);
    for (size_t i = 0; i < family->commands.count; i++) {
        struct bl_symbol *command = family->commands.items[i];

        judge_command(c, command, events);
        if (command->as.commands->calls > calls)
            calls = command->as.commands->calls;
    }
    family->calls = calls + 2;
    check_words(c, symbol);
}

static void note_calls(struct bl_checker *c, const struct bl_commands *family)
{
    if (c->body != NULL && c->body->calls <= family->calls)
        c->body->calls = family->calls + 1;
}

void bl_sema_judge(struct bl_checker *c, struct bl_symbol *symbol, struct bl_span use)
{
    struct bl_commands *family = symbol->as.commands;

    if (family->state == STATE_JUDGING)
        report_cycle(c, symbol, use);
    if (family->state == STATE_JUDGED)
        note_calls(c, family);
    if (family->state != STATE_NEW)
        return;
    family->state = STATE_JUDGING;
    family->refused = new_rule(c, symbol, 0);
    if (family->refused == NULL)
        return;
    for (struct bl_clause *clause = symbol->clause->block; clause != NULL;
         clause = clause->next) {
        if (clause->id == BL_CLAUSE_COMMANDS_ON)
            read_events(c, family->refused, clause);
    }
    if (bl_sema_nest(c, symbol)) {
        judge_all(c, symbol);
        bl_sema_unnest(c, symbol);
    } else {
        struct bl_diagnostic *d = bl_sema_error(c, BL_D_CALLS_TOO_DEEP, use);

        bl_sema_arg(c, d, "name", symbol->name);
        bl_diagnostic_int(c->sink, d, "count", (int64_t)bl_limit(BL_LIMIT_CALL_DEPTH));
    }
    family->state = STATE_JUDGED;
    note_calls(c, family);
}

/* ---- what they do
 * ----------------------------------------------------------------------------------------- */

static struct bl_clause *clause_of(const struct bl_symbol *symbol, enum bl_clause_id id)
{
    struct bl_clause *clause = symbol->clause->block;

    while (clause != NULL && clause->id != id)
        clause = clause->next;
    return clause;
}

static struct bl_clause *block_of(const struct bl_symbol *symbol, enum bl_clause_id id)
{
    const struct bl_clause *clause = clause_of(symbol, id);

    return clause != NULL ? clause->block : NULL;
}

/* The first reaction of a list of effects, not below a condition. */
static const struct bl_statement *reaction_in(const struct bl_statement *list)
{
    for (const struct bl_statement *s = list; s != NULL; s = s->next) {
        if (s->kind == BL_STATEMENT_EFFECT && s->effect == BL_EFFECT_REACT)
            return s;
    }
    return NULL;
}

static bool reacts_with(const struct bl_statement *list, uint32_t member)
{
    for (const struct bl_statement *s = list; s != NULL; s = s->next) {
        if ((s->kind == BL_STATEMENT_EFFECT && s->effect == BL_EFFECT_REACT &&
             s->member == member) ||
            reacts_with(s->body, member) ||
            (s->otherwise != NULL && reacts_with(s->otherwise, member)))
            return true;
    }
    return false;
}

static uint32_t type_outcomes(struct bl_checker *c, struct bl_symbol *symbol)
{
    struct bl_commands *family = symbol->as.commands;
    struct bl_rule *refused = family->refused;
    const struct bl_statement *reaction;
    struct bl_body body;
    uint32_t capabilities;

    begin(c, &body, symbol, &family->needs, refused->events, brings_command);
    family->accepted = bl_sema_block(c, block_of(symbol, BL_CLAUSE_COMMANDS_ACCEPTED));
    capabilities = body.capabilities;
    bl_sema_body_end(c);
    begin(c, &body, symbol, &refused->needs, refused->events,
          BL_AMBIENT_BIT(BL_AMBIENT_REFUSAL));
    refused->body = bl_sema_block(c, block_of(symbol, BL_CLAUSE_COMMANDS_REFUSED));
    refused->capabilities = body.capabilities;
    bl_sema_body_end(c);
    reaction = reaction_in(family->accepted);
    if (reaction != NULL)
        family->reaction = reaction->member;
    /* A family without 'accepted' was told so already. */
    if (clause_of(symbol, BL_CLAUSE_COMMANDS_ACCEPTED) != NULL &&
        (reaction == NULL || reacts_with(refused->body, family->reaction))) {
        struct bl_diagnostic *d = bl_sema_error(c, BL_D_COMMANDS_REACTION, symbol->span);

        bl_sema_arg(c, d, "name", symbol->name);
    }
    bl_sema_settle_needs(c, &family->needs, refused->events, false);
    bl_sema_settle_needs(c, &refused->needs, refused->events, false);
    return capabilities;
}

static void type_command(struct bl_checker *c, struct bl_symbol *symbol,
                         const struct bl_commands *family, uint32_t capabilities)
{
    struct bl_commands *command = symbol->as.commands;
    struct bl_clause *last = last_judged(symbol->clause->block);
    struct bl_body *body = command->typing;
    struct bl_statement **tail;

    if (body == NULL)
        return;
    body->outer = c->body;
    c->body = body;
    body->needs = &command->rule->needs;
    tail = end_of(&command->rule->body);
    *tail = bl_sema_statements(c, last != NULL ? last->next : symbol->clause->block);
    if (*tail == NULL)
        *tail = family->accepted;
    else
        *end_of(tail) = family->accepted;
    command->unjudged = *tail;
    command->rule->capabilities = body->capabilities | capabilities;
    bl_sema_body_end(c);
    bl_sema_settle_needs(c, &command->needs, command->rule->events, false);
    bl_sema_settle_needs(c, &command->rule->needs, command->rule->events, false);
}

void bl_sema_commands(struct bl_checker *c)
{
    const struct bl_symbol_list *families = &c->program->symbols[BL_SYMBOL_COMMANDS];

    for (size_t i = 0; i < families->count; i++) {
        struct bl_symbol *symbol = families->items[i];
        struct bl_commands *family = symbol->as.commands;
        uint32_t capabilities;

        bl_sema_judge(c, symbol, symbol->span);
        if (family->refused == NULL)
            continue;
        capabilities = type_outcomes(c, symbol);
        for (size_t k = 0; k < family->commands.count; k++)
            type_command(c, family->commands.items[k], family, capabilities);
    }
}
