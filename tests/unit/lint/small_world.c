/* SPDX-License-Identifier: Apache-2.0 */
#include "small_world.h"

#include "support/check.h"

#include <string.h>

const char *const small_titles[4] = {"crash", "a crash in docs", "docs", "wish"};
const char *const small_logins[3] = {"alice", "bob", "helper[bot]"};

static int part(size_t *n, int count)
{
    int value = (int)(*n % (size_t)count);

    *n /= (size_t)count;
    return value;
}

struct small_world small_world(size_t n)
{
    struct small_world w = {.event = part(&n, 2) != 0 ? BL_EVENT_ISSUES_EDITED
                                                      : BL_EVENT_ISSUES_OPENED};

    w.is_closed = part(&n, 2) != 0;
    w.locked = part(&n, 2) != 0;
    w.has_bug = part(&n, 2) != 0;
    w.has_stale = part(&n, 2) != 0;
    w.login = part(&n, 3);
    w.thumbs = part(&n, 5);
    w.title = part(&n, 4);
    w.closed_at = part(&n, 3) - 1;
    w.age = part(&n, 4);
    w.limit = part(&n, 3);
    return w;
}

/* ---- values ---------------------------------------------------------------------------- */

enum kind { ABSENT, NUMBER, TEXT, THING, VERDICT };
struct value {
    enum kind kind;
    int64_t number; /* VERDICT: does it pass? */
    bl_str text;    /* VERDICT: the row */
};
struct list {
    struct value items[8];
    uint32_t count;
};

struct local {
    const struct bl_symbol *symbol;
    struct value value;
    const struct local *next;
};

struct evaluation {
    const struct small_world *w;
    const struct local *locals;
};

static struct value value_of(struct evaluation *e, const struct bl_node *node);
static bool truth(struct evaluation *e, const struct bl_node *node);

static struct value number(int64_t n)
{
    return (struct value){.kind = NUMBER, .number = n};
}

static struct value text(const char *t)
{
    return (struct value){.kind = TEXT, .text = bl_str_from(t)};
}

static struct value field(const struct small_world *w, enum bl_field which)
{
    switch ((int)which) {
    case BL_FIELD_ISSUE_STATE:
        return number(w->is_closed ? BL_ISSUE_STATE_CLOSED : BL_ISSUE_STATE_OPEN);
    case BL_FIELD_ISSUE_LOCKED:
        return number(w->locked);
    case BL_FIELD_ISSUE_TITLE:
        return text(small_titles[w->title]);
    case BL_FIELD_ISSUE_THUMBS_UP:
        return number(w->thumbs);
    case BL_FIELD_ISSUE_CREATED_AT:
        return number(SMALL_NOW - w->age * 3600);
    case BL_FIELD_ISSUE_CLOSED_AT:
        return w->closed_at < 0 ? (struct value){.kind = ABSENT}
                                : number(SMALL_NOW - w->closed_at * 3600);
    case BL_FIELD_ISSUE_AUTHOR:
        return (struct value){.kind = THING, .number = w->login};
    case BL_FIELD_USER_LOGIN:
        return text(small_logins[w->login]);
    case BL_FIELD_USER_KIND:
        return number(w->login == 2 ? BL_USER_KIND_BOT : BL_USER_KIND_PERSON);
    case BL_FIELD_USER_ASSOCIATION:
        return number(BL_ASSOCIATION_NOBODY);
    case BL_FIELD_ISSUE_COMMENT_COUNT:
        return number(0);
    default:
        break;
    }
    check_case("field %d", (int)which);
    check(false);
    return number(0);
}

/* ---- calls ----------------------------------------------------------------------------- */

/* Rows of a check; ABSENT when none decided. */
static struct value verdict(struct evaluation *e, const struct bl_statement *body)
{
    const struct local *outside = e->locals;
    struct local lets[4];
    size_t let = 0;
    struct value found = {.kind = ABSENT};

    for (const struct bl_statement *s = body; s != NULL && found.kind == ABSENT; s = s->next) {
        switch ((int)s->kind) {
        case BL_STATEMENT_LET:
            check(let < 4);
            lets[let] = (struct local){s->symbol, value_of(e, s->value), e->locals};
            e->locals = &lets[let++];
            break;
        case BL_STATEMENT_REFUSE:
        case BL_STATEMENT_PASS:
        case BL_STATEMENT_REQUIRE:
            if (truth(e, s->condition) != (s->kind == BL_STATEMENT_REQUIRE))
                found = (struct value){VERDICT, s->kind == BL_STATEMENT_PASS, s->name};
            break;
        case BL_STATEMENT_CHECK:
            found = value_of(e, s->value);
            if (found.number != 0)
                found.kind = ABSENT;
            break;
        case BL_STATEMENT_WHEN:
            for (const struct bl_statement *arm = s; arm != NULL; arm = arm->otherwise) {
                if (arm->condition == NULL || truth(e, arm->condition)) {
                    found = verdict(e, arm->body);
                    break;
                }
            }
            break;
        default:
            check(false);
        }
    }
    e->locals = outside;
    return found;
}

static struct value check_of(struct evaluation *e, const struct bl_statement *body)
{
    struct value found = verdict(e, body);

    return found.kind == VERDICT ? found : (struct value){VERDICT, 1, BL_STR("allowed")};
}

static struct value call(struct evaluation *e, const struct bl_node *node,
                         struct bl_node *const *arguments, uint32_t count)
{
    const struct bl_callable *callable = node->symbol->as.callable;
    struct local parameters[4], lets[8];
    struct evaluation inner = {e->w, NULL};
    size_t let = 0;

    check(count <= 4 && callable->params.count == count);
    for (uint32_t i = 0; i < count; i++) {
        parameters[i] =
            (struct local){callable->params.items[i], value_of(e, arguments[i]), inner.locals};
        inner.locals = &parameters[i];
    }
    if (callable->value != NULL)
        return value_of(&inner, callable->value);
    if (node->symbol->kind == BL_SYMBOL_CHECK)
        return check_of(&inner, callable->body);
    for (const struct bl_statement *s = callable->body; s != NULL; s = s->next) {
        if (s->kind == BL_STATEMENT_LET) {
            check(let < 8);
            lets[let] = (struct local){s->symbol, value_of(&inner, s->value), inner.locals};
            inner.locals = &lets[let++];
        } else if (s->kind == BL_STATEMENT_GIVE) {
            return value_of(&inner, s->value);
        } else if (s->kind == BL_STATEMENT_ROW) {
            if (s->condition == NULL || value_of(&inner, s->condition).number != 0)
                return value_of(&inner, s->value);
        } else {
            check(false);
        }
    }
    check(false);
    return number(0);
}

static struct value name(struct evaluation *e, const struct bl_node *node)
{
    switch (node->resolution) {
    case BL_RESOLVED_LOCAL:
        for (const struct local *l = e->locals; l != NULL; l = l->next) {
            if (l->symbol == node->symbol)
                return l->value;
        }
        break;
    case BL_RESOLVED_AMBIENT:
        if (node->index == (uint32_t)BL_AMBIENT_NOW)
            return number(SMALL_NOW);
        if (node->index == (uint32_t)BL_AMBIENT_TODAY)
            return number(SMALL_NOW / 86400);
        return (struct value){.kind = THING,
                              .number = node->index == (uint32_t)BL_AMBIENT_ME ? 2 : -1};
    case BL_RESOLVED_SETTING:
        return number(e->w->limit);
    case BL_RESOLVED_ENUM:
        return number(node->index);
    case BL_RESOLVED_WORD:
        return (struct value){.kind = TEXT, .text = node->text};
    case BL_RESOLVED_LABEL:
        return (struct value){.kind = TEXT, .text = node->symbol->as.label->shown};
    case BL_RESOLVED_CALL:
        return call(e, node, node->kids, node->kid_count);
    default:
        break;
    }
    check_case("name %.*s", BL_STR_ARG(node->text));
    check(false);
    return number(0);
}

/* ---- lists ----------------------------------------------------------------------------- */

static void put(struct list *list, struct value value)
{
    check(list->count < 8);
    list->items[list->count++] = value;
}

static struct list labels(const struct small_world *w)
{
    struct list list = {.count = 0};

    if (w->has_bug)
        put(&list, text("bug"));
    if (w->has_stale)
        put(&list, text("Stale"));
    return list;
}

static struct list list_of(struct evaluation *e, const struct bl_node *node);

/* The elements of a loop for which its condition holds; of `each`, what it gives. */
static struct list chosen(struct evaluation *e, const struct bl_node *loop)
{
    struct list all = list_of(e, loop->kids[0]), some = {.count = 0};
    const struct local *outside = e->locals;

    for (uint32_t i = 0; i < all.count; i++) {
        struct local element = {loop->symbol, all.items[i], outside};

        e->locals = &element;
        if (loop->kid_count > 1 && loop->kids[1] != NULL && !truth(e, loop->kids[1]))
            continue;
        put(&some, loop->kid_count > 2 && loop->kids[2] != NULL ? value_of(e, loop->kids[2])
                                                                : all.items[i]);
    }
    e->locals = outside;
    return some;
}

static struct list list_of(struct evaluation *e, const struct bl_node *node)
{
    struct list list = {.count = 0};

    if (node->kind == BL_NODE_EACH)
        return chosen(e, node);
    if (node->kind == BL_NODE_FIELD && node->index == (uint32_t)BL_FIELD_ISSUE_LABELS)
        return labels(e->w);
    if (node->kind == BL_NODE_FIELD && node->index == (uint32_t)BL_FIELD_ISSUE_COMMENTS)
        return list;
    if (node->resolution == BL_RESOLVED_CALL && node->kid_count == 0)
        return list_of(e, node->symbol->as.callable->value);
    check_case("list %.*s", BL_STR_ARG(node->text));
    check(node->kind == BL_NODE_LIST);
    for (uint32_t i = 0; i < node->kid_count; i++)
        put(&list, value_of(e, node->kids[i]));
    return list;
}

static struct value builtin(struct evaluation *e, const struct bl_node *node)
{
    struct value first;
    struct list list;

    switch ((int)node->index) {
    case BL_BUILTIN_LOWER:
        first = value_of(e, node->kids[0]);
        return bl_str_equal(first.text, BL_STR("Stale")) ? text("stale") : first;
    case BL_BUILTIN_TRIM:
        return value_of(e, node->kids[0]);
    case BL_BUILTIN_LENGTH:
        return number((int64_t)value_of(e, node->kids[0]).text.len);
    case BL_BUILTIN_DAYS:
        first = value_of(e, node->kids[0]);
        return number(value_of(e, node->kids[1]).number - first.number);
    default:
        break;
    }
    list = list_of(e, node->kids[0]);
    if (node->index == (uint32_t)BL_BUILTIN_COUNT_OF)
        return number(list.count);
    check(node->index == (uint32_t)BL_BUILTIN_FIRST);
    return list.count > 0 ? list.items[0] : (struct value){.kind = ABSENT};
}

/* ---- conditions ------------------------------------------------------------------------ */

static bool has(const struct small_world *w, const struct bl_node *label)
{
    return bl_str_equal(label->symbol->as.label->shown, BL_STR("bug")) ? w->has_bug
                                                                       : w->has_stale;
}

static bool equal(struct value a, struct value b)
{
    if (a.kind == ABSENT || b.kind == ABSENT)
        return false;
    if (a.kind == TEXT)
        return bl_str_equal(a.text, b.text);
    return a.number == b.number;
}

static bool matches(bl_str text_of, const struct bl_node *pattern)
{
    bl_str source = pattern->text;

    /* The few that the conditions have. */
    if (bl_str_equal(source, BL_STR("^crash")))
        return bl_str_starts_with(text_of, BL_STR("crash"));
    if (bl_str_equal(source, BL_STR("docs$")))
        return bl_str_ends_with(text_of, BL_STR("docs"));
    check(bl_str_equal(source, BL_STR("cra?sh|wish")));
    return bl_str_find(text_of, BL_STR("crash")) != SIZE_MAX ||
           bl_str_find(text_of, BL_STR("wish")) != SIZE_MAX;
}

static bool compare(struct evaluation *e, const struct bl_node *node)
{
    struct value a, b;

    if (node->resolution == BL_RESOLVED_HAS)
        return has(e->w, node->kids[1]) == (node->op == BL_OPERATOR_HAS);
    a = value_of(e, node->kids[0]);
    if (node->op == BL_OPERATOR_MATCHES)
        return matches(a.text, node->kids[1]);
    if (node->op == BL_OPERATOR_IN) {
        struct list list = list_of(e, node->kids[1]);

        for (uint32_t i = 0; i < list.count; i++) {
            if (equal(a, list.items[i]))
                return true;
        }
        return false;
    }
    b = value_of(e, node->kids[1]);
    switch ((int)node->op) {
    case BL_OPERATOR_EQ:
        return equal(a, b);
    case BL_OPERATOR_NE:
        return !equal(a, b);
    case BL_OPERATOR_CONTAINS:
        return bl_str_find(a.text, b.text) != SIZE_MAX;
    case BL_OPERATOR_STARTS_WITH:
        return bl_str_starts_with(a.text, b.text);
    case BL_OPERATOR_ENDS_WITH:
        return bl_str_ends_with(a.text, b.text);
    default:
        break;
    }
    if (a.kind == ABSENT || b.kind == ABSENT)
        return false;
    return node->op == BL_OPERATOR_LT   ? a.number < b.number
           : node->op == BL_OPERATOR_LE ? a.number <= b.number
           : node->op == BL_OPERATOR_GT ? a.number > b.number
                                        : a.number >= b.number;
}

static bool is(struct evaluation *e, const struct bl_node *node)
{
    switch (node->resolution) {
    case BL_RESOLVED_IS_SET:
        return value_of(e, node->kids[0]).kind != ABSENT;
    case BL_RESOLVED_IS_ABSENT:
        return value_of(e, node->kids[0]).kind == ABSENT;
    case BL_RESOLVED_IS_EVENT:
        return e->w->event == (enum bl_event_id)node->index;
    case BL_RESOLVED_IS_ACTOR:
        return call(e, node, node->kids, 1).number != 0;
    default:
        check(false);
    }
    return false;
}

static struct value arithmetic(struct evaluation *e, const struct bl_node *node)
{
    struct value a = value_of(e, node->kids[0]), b = value_of(e, node->kids[1]);

    if (a.kind == ABSENT || b.kind == ABSENT)
        return (struct value){.kind = ABSENT};
    return number(node->op == BL_OPERATOR_ADD   ? a.number + b.number
                  : node->op == BL_OPERATOR_SUB ? a.number - b.number
                                                : a.number * b.number);
}

static struct value part_of_verdict(struct evaluation *e, const struct bl_node *node)
{
    struct value found = value_of(e, node->kids[0]);

    if (node->index == (uint32_t)BL_FIELD_VERDICT_PASSES)
        return number(found.number);
    check(node->index == (uint32_t)BL_FIELD_VERDICT_RULE);
    return (struct value){.kind = TEXT, .text = found.text};
}

static bool truth(struct evaluation *e, const struct bl_node *node)
{
    return value_of(e, node).number != 0;
}

static struct value value_of(struct evaluation *e, const struct bl_node *node)
{
    struct value first;
    struct list list;

    switch ((int)node->kind) {
    case BL_NODE_NAME:
    case BL_NODE_CALL:
        return node->resolution == BL_RESOLVED_BUILTIN ? builtin(e, node) : name(e, node);
    case BL_NODE_FIELD:
    case BL_NODE_OPTIONAL_FIELD:
        if (node->index == (uint32_t)BL_FIELD_VERDICT_PASSES ||
            node->index == (uint32_t)BL_FIELD_VERDICT_RULE)
            return part_of_verdict(e, node);
        if (node->index == (uint32_t)BL_FIELD_TIME_DAY)
            return number(value_of(e, node->kids[0]).number / 86400);
        if (node->index == (uint32_t)BL_FIELD_DATE_MIDNIGHT)
            return number(value_of(e, node->kids[0]).number * 86400);
        return field(e->w, (enum bl_field)node->index);
    case BL_NODE_STRING:
        return (struct value){.kind = TEXT, .text = node->text};
    case BL_NODE_INT:
    case BL_NODE_DURATION:
    case BL_NODE_BOOL:
        return number(node->number);
    case BL_NODE_NONE:
        return (struct value){.kind = ABSENT};
    case BL_NODE_ANY:
    case BL_NODE_NO:
        return number((chosen(e, node).count > 0) == (node->kind == BL_NODE_ANY));
    case BL_NODE_ALL:
        return number(chosen(e, node).count == list_of(e, node->kids[0]).count);
    case BL_NODE_COUNT:
        return number(chosen(e, node).count);
    case BL_NODE_FIRST:
    case BL_NODE_LAST:
        list = chosen(e, node);
        return list.count == 0 ? (struct value){.kind = ABSENT}
                               : list.items[node->kind == BL_NODE_FIRST ? 0 : list.count - 1];
    case BL_NODE_ARITHMETIC:
        return arithmetic(e, node);
    case BL_NODE_IF:
        return value_of(e, node->kids[truth(e, node->kids[0]) ? 1 : 2]);
    case BL_NODE_ELSE:
        first = value_of(e, node->kids[0]);
        return first.kind != ABSENT ? first : value_of(e, node->kids[1]);
    case BL_NODE_NOT:
        return number(!truth(e, node->kids[0]));
    case BL_NODE_AND:
        return number(truth(e, node->kids[0]) && truth(e, node->kids[1]));
    case BL_NODE_OR:
        return number(truth(e, node->kids[0]) || truth(e, node->kids[1]));
    case BL_NODE_COMPARE:
        return number(compare(e, node));
    case BL_NODE_IS:
        return number(is(e, node));
    case BL_NODE_IS_NOT:
        return number(!is(e, node));
    default:
        check_case("node %d", (int)node->kind);
        check(false);
    }
    return number(0);
}

bool small_holds(const struct small_world *w, const struct bl_node *condition)
{
    struct evaluation e = {w, NULL};

    return truth(&e, condition);
}
