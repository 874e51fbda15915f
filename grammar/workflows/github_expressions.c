/* SPDX-License-Identifier: Apache-2.0 */
#include "base/utf8.h"
#include "workflows/writer.h"

/* Parameters of the defines and actors that are written out in place. */
struct binding {
    const struct bl_symbol *parameter;
    const struct bl_node *value;
    const struct binding *outer; /* of the value, and the next one of this body */
};
struct writing {
    struct bl_writer *w;
    const struct bl_knowing *knowing;
    struct bl_buf *out;
    const struct binding *bound;
    unsigned depth;
};

/* Where the payload has a field of the event, by the table that the reader has, too. */
static const struct {
    unsigned families; /* 0: a field of another thing than the event */
    enum bl_field field;
    const char *path, *kind;
    enum bl_entity entity;
} paths[] = {
#define F(id) (1u << BL_FAMILY_##id)
#define ALL   (~0u)
#define BL_PAYLOAD_THING(entity, key, name)
#define BL_PAYLOAD(entity, field, path, kind, need)                                            \
    {0, BL_FIELD_##entity##_##field, path, #kind, BL_ENTITY_##entity},
#define BL_EVENT_THING(families, member, entity, path)
#define BL_EVENT_PAYLOAD(families, field, path, kind, need)                                    \
    {families, BL_FIELD_EVENT_##field, path, #kind, BL_ENTITY_EVENT},
#define BL_EVENT_AT(event, path)
#define BL_EVENT_KEY(families, path, other)
#define BL_EVENT_STAMP(families, path)
#include "event/payloads.def"
#undef BL_PAYLOAD_THING
#undef BL_PAYLOAD
#undef BL_EVENT_THING
#undef BL_EVENT_PAYLOAD
#undef BL_EVENT_AT
#undef BL_EVENT_KEY
#undef BL_EVENT_STAMP
#undef F
#undef ALL
};

/* How tightly GitHub's operators bind, loosest first. */
enum binding_level { LEVEL_OR, LEVEL_AND, LEVEL_COMPARE, LEVEL_UNARY };

static void put_condition(struct writing *x, const struct bl_node *node,
                          enum binding_level least);
static void put_value(struct writing *x, const struct bl_node *node);

/* ---- words
 * -------------------------------------------------------------------------------------- */

void bl_write_words(struct bl_buf *out, bl_str words)
{
    for (size_t found = 0; found != SIZE_MAX; words = bl_str_slice(words, found, words.len)) {
        found = bl_str_find(words, BL_STR("${{"));
        bl_buf_put(out, bl_str_slice(words, 0, found));
        if (found == SIZE_MAX)
            return;
        BL_PUT(out, "${{ '${{' }}");
        found += 3;
    }
}

void bl_write_quoted(struct bl_buf *out, bl_str words)
{
    bl_buf_put_char(out, '\'');
    for (size_t i = 0; i < words.len; i++) {
        bl_buf_put_char(out, words.ptr[i]);
        if (words.ptr[i] == '\'')
            bl_buf_put_char(out, '\'');
    }
    bl_buf_put_char(out, '\'');
}

static void refuse(struct writing *x, const struct bl_node *node)
{
    struct bl_diagnostic *d;
    bl_str text = bl_sources_text(x->w->program->sources, node->span);

    x->w->failed = true;
    if (x->w->sink == NULL)
        return;
    d = bl_report(x->w->sink, BL_D_CONDITION_ELSEWHERE, node->span);
    bl_diagnostic_text(x->w->sink, d, "text", bl_utf8_prefix(text, 60));
}

/* ---- what stands behind a name
 * ------------------------------------------------------------------ */

static const struct binding *find_bound(const struct writing *x, const struct bl_symbol *symbol)
{
    const struct binding *b = x->bound;

    while (b != NULL && b->parameter != symbol)
        b = b->outer;
    return b;
}

/* Writes a value in the scope that it was given in. */
static void put_bound(struct writing *x, const struct binding *b,
                      void (*put)(struct writing *x, const struct bl_node *node))
{
    struct writing inner = *x;

    inner.bound = b->outer;
    put(&inner, b->value);
}

/* The body of a define or actor, its parameters standing for the arguments. Their number is
 * small, so they are chained in front of the scope of the call. */
static void put_call(struct writing *x, const struct bl_node *call,
                     const struct bl_callable *callable, struct bl_node *const *arguments,
                     void (*put)(struct writing *x, const struct bl_node *node))
{
    struct writing inner = *x;
    struct binding bound[4];
    size_t count = callable->params.count;

    if (callable->value == NULL || count > 4 || ++inner.depth > bl_limit(BL_LIMIT_CALL_DEPTH)) {
        refuse(x, call);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        bound[i] = (struct binding){callable->params.items[i], arguments[i], inner.bound};
        inner.bound = &bound[i];
    }
    put(&inner, callable->value);
}

static bool is_given(const struct bl_node *node, const char *name)
{
    return node->kind == BL_NODE_NAME && node->symbol != NULL &&
           node->symbol->kind == BL_SYMBOL_LOCAL &&
           node->symbol->as.local->kind == BL_LOCAL_GIVEN &&
           (name == NULL || bl_str_equal(node->text, bl_str_from(name)));
}

static bool has_output(const struct bl_job_uses *uses, bl_str name)
{
    for (size_t i = 0; i < uses->outputs.count; i++) {
        if (bl_str_equal(uses->outputs.items[i], name))
            return true;
    }
    return false;
}

static bool gives(const struct writing *x, const struct bl_symbol *job, bl_str output)
{
    const struct bl_job_uses *uses = &x->w->uses[job->number];

    if (bl_str_equal(output, BL_STR(BL_OUTPUT_TASK)))
        return uses->starts;
    if (bl_str_equal(output, BL_STR(BL_OUTPUT_ANSWER)))
        return job->as.job->runs == BL_RUNS_TASK;
    return has_output(uses, output);
}

/* An output of a job before this one; `job` is empty for the nearest that has it. */
static bool put_output(struct writing *x, bl_str job, bl_str output)
{
    const struct bl_symbol *at = x->knowing->job;

    for (at = at != NULL ? at->as.job->after : NULL; at != NULL; at = at->as.job->after) {
        if (job.len > 0 ? !bl_str_equal(at->name, job) : !gives(x, at, output))
            continue;
        if (!gives(x, at, output))
            return false;
        bl_buf_printf(x->out, "needs.%.*s.outputs.%.*s", BL_STR_ARG(at->name),
                      BL_STR_ARG(output));
        return true;
    }
    return false;
}

static bool put_given(struct writing *x, const struct bl_node *node)
{
    if (is_given(node, "task") || is_given(node, "answer"))
        return put_output(x, (bl_str){NULL, 0}, node->text);
    if (node->kind == BL_NODE_FIELD && is_given(node->kids[0], NULL))
        return put_output(x, node->kids[0]->text, node->text);
    return false;
}

/* ---- fields of the event
 * ------------------------------------------------------------------------ */

static bool is_kind(const char *kind, const char *other)
{
    return bl_str_equal(bl_str_from(kind), bl_str_from(other));
}

static void put_path(struct bl_buf *out, const char *path, const char *kind)
{
    if (is_kind(kind, "REF"))
        BL_PUT(out, "github.ref_name");
    else if (bl_str_starts_with(bl_str_from(path), BL_STR("inputs.")))
        bl_buf_printf(out, "%s", path);
    else
        bl_buf_printf(out, "github.event.%s%s", path,
                      is_kind(kind, "REPO") ? ".full_name" : "");
    if (is_kind(kind, "PRESENT"))
        BL_PUT(out, " != null");
}

static unsigned families_of(uint64_t events)
{
    unsigned families = 0;

    for (unsigned i = 0; i < BL_EVENT_COUNT; i++) {
        if ((events >> i & 1) != 0)
            families |= 1u << bl_event_info((enum bl_event_id)i)->family;
    }
    return families;
}

/* False when the payload has no such field. Where the events of the workflow have it in several
 * places, the one that is there counts. `part`: of a user. */
static bool put_field(struct writing *x, enum bl_field field, const char *part)
{
    unsigned families = families_of(x->knowing->events);
    const char *chosen[8];
    const char *kinds[8];
    size_t count = 0;

    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        bool known = false;

        if (paths[i].field != field || count == 8 || is_kind(paths[i].kind, "TIME") ||
            (paths[i].entity == BL_ENTITY_EVENT ? (paths[i].families & families) == 0
                                                : paths[i].entity != BL_ENTITY_INPUTS))
            continue;
        for (size_t j = 0; j < count; j++)
            known = known || is_kind(chosen[j], paths[i].path);
        chosen[count] = paths[i].path;
        kinds[count] = paths[i].kind;
        count += known ? 0 : 1;
    }
    if (count > 1)
        bl_buf_put_char(x->out, '(');
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            BL_PUT(x->out, " || ");
        put_path(x->out, chosen[i], kinds[i]);
        bl_buf_printf(x->out, "%s", part);
    }
    if (count > 1)
        bl_buf_put_char(x->out, ')');
    return count > 0;
}

static bool is_user(bl_type type)
{
    return bl_type_base(type) == bl_entity_info(BL_ENTITY_USER)->type;
}

/* A part of a user: ".login" of event.actor. */
static void put_user_part(struct writing *x, const struct bl_node *node, const char *part)
{
    const struct binding *b =
        node->resolution == BL_RESOLVED_LOCAL ? find_bound(x, node->symbol) : NULL;

    if (b != NULL) {
        struct writing inner = *x;

        inner.bound = b->outer;
        put_user_part(&inner, b->value, part);
    } else if (node->resolution != BL_RESOLVED_FIELD ||
               !put_field(x, (enum bl_field)node->index, part)) {
        refuse(x, node);
    }
}

static void put_field_value(struct writing *x, const struct bl_node *node)
{
    enum bl_field field = (enum bl_field)node->index;

    if (field == BL_FIELD_USER_LOGIN)
        put_user_part(x, node->kids[0], ".login");
    else if (field == BL_FIELD_USER_ID)
        put_user_part(x, node->kids[0], ".id");
    else if (!put_field(x, field, is_user(node->declared) ? ".login" : ""))
        refuse(x, node);
}

/* ---- values
 * ------------------------------------------------------------------------------------- */

/* Own words that stand as they are; false for what is no constant. */
static bool words_of(const struct writing *x, const struct bl_node *node, bl_str *out)
{
    if (node->kind == BL_NODE_STRING &&
        (node->kid_count == 0 ||
         (node->kid_count == 1 && node->kids[0]->kind == BL_NODE_STRING_PART))) {
        *out = node->kid_count == 0 ? BL_STR("") : node->kids[0]->text;
    } else if (node->kind == BL_NODE_NAME && node->resolution == BL_RESOLVED_ENUM) {
        *out = bl_program_member(x->w->program, bl_type_ref(node->declared), node->index);
    } else if (node->kind == BL_NODE_NAME &&
               (node->resolution == BL_RESOLVED_WORD || node->resolution == BL_RESOLVED_TASK)) {
        *out = node->text;
    } else if (node->kind == BL_NODE_NAME && node->resolution == BL_RESOLVED_LABEL) {
        *out = node->symbol->as.label->shown;
    } else {
        return false;
    }
    return true;
}

static void put_value(struct writing *x, const struct bl_node *node)
{
    const struct binding *b =
        node->resolution == BL_RESOLVED_LOCAL ? find_bound(x, node->symbol) : NULL;
    bl_str words;

    if (b != NULL)
        put_bound(x, b, put_value);
    else if (words_of(x, node, &words))
        bl_write_quoted(x->out, words);
    else if (node->kind == BL_NODE_INT)
        bl_buf_put_int(x->out, node->number);
    else if (node->kind == BL_NODE_BOOL)
        bl_buf_put(x->out, node->text);
    else if (node->resolution == BL_RESOLVED_SETTING && node->symbol->as.setting->value != NULL)
        put_value(x, node->symbol->as.setting->value);
    else if (node->resolution == BL_RESOLVED_CALL && node->symbol->kind == BL_SYMBOL_DEFINE)
        put_call(x, node, node->symbol->as.callable, node->kids, put_value);
    else if (node->resolution == BL_RESOLVED_FIELD)
        put_field_value(x, node);
    else if (!put_given(x, node))
        refuse(x, node);
}

/* ---- conditions
 * --------------------------------------------------------------------------------- */

static bool is_user_kind(const struct bl_node *node)
{
    return node->resolution == BL_RESOLVED_FIELD && node->index == BL_FIELD_USER_KIND;
}

/* A bot is one by GitHub's word, or by its login. */
static void put_bot(struct writing *x, const struct bl_node *user, bool is)
{
    put_user_part(x, user, ".type");
    bl_buf_put(x->out,
               is ? BL_STR(" == 'Bot' || endsWith(") : BL_STR(" != 'Bot' && !endsWith("));
    put_user_part(x, user, ".login");
    BL_PUT(x->out, ", '[bot]')");
}

static void put_function(struct writing *x, const char *name, const struct bl_node *node)
{
    bl_buf_printf(x->out, "%s(", name);
    put_value(x, node->kids[0]);
    BL_PUT(x->out, ", ");
    put_value(x, node->kids[1]);
    bl_buf_put_char(x->out, ')');
}

static void put_in(struct writing *x, const struct bl_node *node)
{
    const struct bl_node *list = node->kids[1];

    if (list->kind != BL_NODE_LIST || list->kid_count == 0) {
        refuse(x, node);
        return;
    }
    for (uint32_t i = 0; i < list->kid_count; i++) {
        bl_buf_put(x->out, i > 0 ? BL_STR(" || ") : BL_STR(""));
        put_value(x, node->kids[0]);
        BL_PUT(x->out, " == ");
        put_value(x, list->kids[i]);
    }
}

static void put_compare(struct writing *x, const struct bl_node *node)
{
    bl_str sign = bl_operator_spelling(node->op);
    bool equal = node->op == BL_OPERATOR_EQ;

    if (node->op == BL_OPERATOR_STARTS_WITH) {
        put_function(x, "startsWith", node);
    } else if (node->op == BL_OPERATOR_ENDS_WITH) {
        put_function(x, "endsWith", node);
    } else if (node->op == BL_OPERATOR_CONTAINS) {
        put_function(x, "contains", node);
    } else if (node->op == BL_OPERATOR_IN) {
        put_in(x, node);
    } else if (node->op < BL_OPERATOR_EQ || node->op > BL_OPERATOR_GE) {
        refuse(x, node);
    } else if ((equal || node->op == BL_OPERATOR_NE) && is_user_kind(node->kids[0]) &&
               node->kids[1]->resolution == BL_RESOLVED_ENUM) {
        put_bot(x, node->kids[0]->kids[0], equal == (node->kids[1]->index == BL_USER_KIND_BOT));
    } else {
        put_value(x, node->kids[0]);
        bl_buf_printf(x->out, " %.*s ", BL_STR_ARG(sign));
        put_value(x, node->kids[1]);
    }
}

static void put_event(struct writing *x, const struct bl_node *node, bool is)
{
    const struct bl_event_info *event = bl_event_info((enum bl_event_id)node->index);
    const char *sign = is ? "==" : "!=";

    bl_buf_printf(x->out, "github.event_name %s '%.*s'", sign, BL_STR_ARG(event->event));
    if (event->action.len > 0)
        bl_buf_printf(x->out, " %s github.event.action %s '%.*s'", is ? "&&" : "||", sign,
                      BL_STR_ARG(event->action));
}

/* A job that decides says `none` when it gives no task. */
static void put_set(struct writing *x, const struct bl_node *node, bool is)
{
    const struct bl_node *value = node->kids[0];
    bool task = is_given(value, "task");

    put_value(x, value);
    bl_buf_put(x->out, is ? BL_STR(" != ''") : BL_STR(" == ''"));
    if (task) {
        bl_buf_put(x->out, is ? BL_STR(" && ") : BL_STR(" || "));
        put_value(x, value);
        bl_buf_put(x->out, is ? BL_STR(" != 'none'") : BL_STR(" == 'none'"));
    }
}

static void put_inner(struct writing *x, const struct bl_node *node)
{
    put_condition(x, node, LEVEL_OR);
}

static void put_is(struct writing *x, const struct bl_node *node)
{
    bool is = node->kind == BL_NODE_IS;

    if (node->resolution == BL_RESOLVED_IS_EVENT) {
        put_event(x, node, is);
    } else if (node->resolution == BL_RESOLVED_IS_SET ||
               node->resolution == BL_RESOLVED_IS_ABSENT) {
        put_set(x, node, is == (node->resolution == BL_RESOLVED_IS_SET));
    } else if (node->resolution == BL_RESOLVED_IS_ACTOR) {
        bl_buf_put(x->out, is ? BL_STR("") : BL_STR("!("));
        put_call(x, node, node->symbol->as.callable, node->kids, put_inner);
        bl_buf_put(x->out, is ? BL_STR("") : BL_STR(")"));
    } else {
        refuse(x, node);
    }
}

static bool is_presence(const struct bl_node *node)
{
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        if (node->resolution == BL_RESOLVED_FIELD && node->index == (uint32_t)paths[i].field &&
            is_kind(paths[i].kind, "PRESENT"))
            return true;
    }
    return false;
}

static enum binding_level level_of_compare(const struct bl_node *node)
{
    if (node->op == BL_OPERATOR_IN)
        return node->kids[1]->kid_count > 1 ? LEVEL_OR : LEVEL_COMPARE;
    if (node->op < BL_OPERATOR_EQ || node->op > BL_OPERATOR_GE)
        return LEVEL_UNARY; /* a function */
    if (!is_user_kind(node->kids[0]))
        return LEVEL_COMPARE;
    return (node->op == BL_OPERATOR_EQ) == (node->kids[1]->index == BL_USER_KIND_BOT)
               ? LEVEL_OR
               : LEVEL_AND;
}

static enum binding_level level_of_is(const struct bl_node *node)
{
    bool is = (node->kind == BL_NODE_IS) != (node->resolution == BL_RESOLVED_IS_ABSENT);
    bool joined = node->resolution == BL_RESOLVED_IS_EVENT
                      ? bl_event_info((enum bl_event_id)node->index)->action.len > 0
                      : is_given(node->kids[0], "task");

    if (node->resolution == BL_RESOLVED_IS_ACTOR)
        return is ? LEVEL_OR : LEVEL_UNARY; /* its body may be anything */
    return !joined ? LEVEL_COMPARE : is ? LEVEL_AND : LEVEL_OR;
}

static enum binding_level level_of(const struct bl_node *node)
{
    if (node->kind == BL_NODE_OR || node->resolution == BL_RESOLVED_CALL)
        return LEVEL_OR;
    if (node->kind == BL_NODE_AND)
        return LEVEL_AND;
    if (node->kind == BL_NODE_COMPARE)
        return level_of_compare(node);
    if (node->kind == BL_NODE_IS || node->kind == BL_NODE_IS_NOT)
        return level_of_is(node);
    return is_presence(node) ? LEVEL_COMPARE : LEVEL_UNARY;
}

static void put_condition(struct writing *x, const struct bl_node *node,
                          enum binding_level least)
{
    const struct binding *b =
        node->resolution == BL_RESOLVED_LOCAL ? find_bound(x, node->symbol) : NULL;
    bool parted = level_of(node) < least || b != NULL;

    if (parted)
        bl_buf_put_char(x->out, '(');
    if (node->kind == BL_NODE_AND || node->kind == BL_NODE_OR) {
        bool both = node->kind == BL_NODE_AND;

        put_condition(x, node->kids[0], both ? LEVEL_AND : LEVEL_OR);
        bl_buf_put(x->out, both ? BL_STR(" && ") : BL_STR(" || "));
        put_condition(x, node->kids[1], both ? LEVEL_AND : LEVEL_OR);
    } else if (node->kind == BL_NODE_NOT) {
        bl_buf_put_char(x->out, '!');
        put_condition(x, node->kids[0], LEVEL_UNARY);
    } else if (node->kind == BL_NODE_COMPARE) {
        put_compare(x, node);
    } else if (node->kind == BL_NODE_IS || node->kind == BL_NODE_IS_NOT) {
        put_is(x, node);
    } else if (node->resolution == BL_RESOLVED_CALL && node->symbol->kind == BL_SYMBOL_DEFINE) {
        put_call(x, node, node->symbol->as.callable, node->kids, put_inner);
    } else if (b != NULL) {
        put_bound(x, b, put_inner);
    } else {
        put_value(x, node);
    }
    if (parted)
        bl_buf_put_char(x->out, ')');
}

/* ---- for others
 * --------------------------------------------------------------------------------- */

void bl_write_condition(struct bl_writer *w, const struct bl_knowing *knowing,
                        const struct bl_node *node, bool bare, struct bl_buf *out)
{
    struct writing x = {w, knowing, out, NULL, 0};

    put_condition(&x, node, bare ? LEVEL_OR : LEVEL_AND);
}

/* A value whose words are known now; they are put aside, since what begins an expression may
 * stand half in one and half in the next. */
static bool put_known(struct writing *x, const struct bl_node *node, struct bl_buf *words)
{
    bl_str text;

    if (node->resolution == BL_RESOLVED_SETTING && node->symbol->as.setting->value != NULL)
        return put_known(x, node->symbol->as.setting->value, words);
    if (words_of(x, node, &text) || node->kind == BL_NODE_STRING_PART) {
        bl_buf_put(words, node->kind == BL_NODE_STRING_PART ? node->text : text);
    } else if (node->kind == BL_NODE_INT) {
        bl_buf_put_int(words, node->number);
    } else if (node->kind == BL_NODE_BOOL) {
        bl_buf_put(words, node->text);
    } else if (node->kind == BL_NODE_NAME && node->resolution == BL_RESOLVED_NOT &&
               !bl_str_equal(node->text, BL_STR("default_branch"))) {
        bl_buf_put(words, node->text); /* a word for an action */
    } else {
        return false;
    }
    return true;
}

static void put_part(struct writing *x, const struct bl_node *node, struct bl_buf *words)
{
    if (put_known(x, node, words))
        return;
    bl_write_words(x->out, bl_buf_str(words));
    words->len = 0;
    BL_PUT(x->out, "${{ ");
    if (node->kind == BL_NODE_NAME && node->resolution == BL_RESOLVED_NOT)
        BL_PUT(x->out, BL_DEFAULT_BRANCH); /* its name is no word of a policy */
    else
        put_value(x, node);
    BL_PUT(x->out, " }}");
}

void bl_write_value(struct bl_writer *w, const struct bl_knowing *knowing,
                    const struct bl_node *node, struct bl_buf *out)
{
    struct writing x = {w, knowing, out, NULL, 0};
    struct bl_buf words;

    bl_buf_init(&words, w->program->arena, (size_t)bl_limit(BL_LIMIT_TEXT_BYTES));
    for (uint32_t i = 0; node->kind == BL_NODE_STRING && i < node->kid_count; i++)
        put_part(&x, node->kids[i], &words);
    if (node->kind != BL_NODE_STRING)
        put_part(&x, node, &words);
    bl_write_words(out, bl_buf_str(&words));
    out->failed = out->failed || words.failed;
}
