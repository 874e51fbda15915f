/* SPDX-License-Identifier: Apache-2.0 */
#include "program_text.h"

#include <string.h>

/* A production is a sentence with holes: `{b}` is an expression of the type of that letter.
 *
 *   b bool  i int  u untrusted  t time  d date  s duration  p user  l label  L labels
 *   C comments  T time?  I issue?  O own comment?  e state
 *
 * `{#}` is a number, `{w}` a word, `{x}` a new name in scope behind it: `{x:c}` binds one of
 * type c (a comment), and `{x}` says its name again. */

#define DEPTH_MAX 5
#define SCOPE_MAX 8

struct maker {
    const uint8_t *bytes;
    size_t len, at;
    struct bl_buf *out;
    unsigned depth, loops, names;
    struct {
        char type;
        unsigned name;
    } scope[SCOPE_MAX];
    unsigned scoped;
    unsigned defines[128]; /* how many there are, by letter of their type */
    bool in_define;        /* no event is known */
};

static unsigned choose(struct maker *m, unsigned count)
{
    return count < 2 || m->at >= m->len ? 0 : m->bytes[m->at++] % count;
}

/* By type: what is small first. */
static const char *const productions[128][24] = {
    ['b'] = {"issue.locked",
             "issue has {l}",
             "{i} > {i}",
             "issue.state == {e}",
             "{p} is robot",
             "{p} == {p}",
             "{t} < {t}",
             "{d} == {d}",
             "{u} contains \"{w}\"",
             "{u} matches /{w}(s|ed)?\\b/i",
             "({b} and {b})",
             "({b} or {b})",
             "not ({b})",
             "{T} is set",
             "{I} is set",
             "(any {x:c} in {C} where ({b}))",
             "(no {x:c} in {C} where ({b}))",
             "(all {x:c} in {C} where ({b}))",
             "{l} in {L}",
             "{s} <= {s}",
             "(if {b} then {b} else {b})",
             "{O} is set",
             "{T} == {t}"},
    ['i'] = {"{#}", "issue.thumbs_up", "issue.number", "limit", "count({L})", "count({C})",
             "({i} + {i})", "({i} - {i})", "({i} * {#})", "length({u})", "days({d}, {d})",
             "(count {x:c} in {C} where ({b}))", "larger({i}, {i})",
             "(if {b} then {i} else {i})", "sum(each {x:c} in {C} where ({b}) giving {i})",
             "({O}?.rounds else {i})"},
    ['u'] = {"issue.title", "issue.text", "lower({u})", "trim({u})", "cut({u}, {#})",
             "prose({u})", "strip({u}, /{w}/)", "(form_answer({u}, \"{w}\") else {u})",
             "(first(words({u})) else {u})"},
    ['t'] = {"issue.created_at", "now", "({t} - {s})", "({t} + {s})", "({T} else {t})",
             "larger({t}, {t})", "{d}.midnight"},
    ['d'] = {"today", "{t}.day", "2026-11-02", "({d} + {#} days)"},
    ['s'] = {"{#} days", "patience", "{#} hours", "({s} + {s})", "({t} - {t})"},
    ['p'] = {"issue.author", "me"},
    ['l'] = {"label_a", "label_b", "label_c"},
    ['L'] = {"issue.labels", "[{l}, {l}]", "areas", "declared_labels",
             "(each {x:l} in {L} where ({b}))", "take({L}, {#})", "distinct({L})"},
    ['C'] = {"issue.comments", "(each {x:c} in {C} where ({b}))", "take({C}, {#})"},
    ['T'] = {"issue.closed_at", "(last {x:c} in {C} where ({b}))?.created_at",
             "latest({T}, {T})", "{O}?.created_at", "{I}?.created_at", "{O}?.since"},
    ['I'] = {"issue_number({#})", "(first {x:n} in repository.open_issues where ({b}))",
             "issue_number({i})"},
    ['O'] = {"last(posted(issue, kept))", "first(posted(issue, kept))",
             "(last {x:o} in posted(issue, kept) where ({b}))"},
    ['e'] = {"open", "closed"},
};
/* What a name in scope of a type gives beside itself. */
static const struct {
    char scope, type;
    const char *text;
} members[] = {
    {'c', 'u', "{v}.text"},
    {'c', 'p', "{v}.author"},
    {'c', 't', "{v}.created_at"},
    {'c', 'i', "{v}.thumbs_up"},
    {'c', 'b', "{v} is kept"},
    {'l', 'l', "{v}"},
    {'n', 'i', "{v}.number"},
    {'n', 't', "{v}.created_at"},
    {'n', 'b', "{v} has label_a"},
    {'o', 'i', "{v}.rounds"},
    {'o', 'T', "{v}.since"},
    {'b', 'b', "{v}"},
    {'i', 'i', "{v}"},
    {'t', 't', "{v}"},
    {'u', 'u', "{v}"},
    {'T', 'T', "{v}"},
};

static void sentence(struct maker *m, const char *text);

static void put_number(struct maker *m)
{
    static const unsigned numbers[] = {1, 2, 3, 7, 30, 0};
    bl_buf_put_int(m->out, numbers[choose(m, 6)]);
}

static void put_word(struct maker *m)
{
    static const char *const words[] = {"crash", "docs", "slow", "editor"};
    bl_buf_put(m->out, bl_str_from(words[choose(m, 4)]));
}

/* A use of a name in scope, or a call of a define, where one fits. */
static bool put_known(struct maker *m, char type)
{
    const char *found[32];
    unsigned names[32], count = 0;

    for (unsigned i = 0; i < m->scoped; i++)
        for (size_t k = 0; k < sizeof members / sizeof members[0] && count < 32; k++)
            if (members[k].scope == m->scope[i].type && members[k].type == type) {
                names[count] = m->scope[i].name;
                found[count++] = members[k].text;
            }
    unsigned defines = m->defines[(unsigned char)type];
    unsigned pick = choose(m, 2 * (count + defines) + 2);
    if (pick < count) {
        const char *hole = strstr(found[pick], "{v}");
        bl_buf_printf(m->out, "x%u%s", names[pick], hole + 3);
        return true;
    }
    if (pick - count < defines) {
        bl_buf_printf(m->out, "define_%c%u(issue)", type >= 'a' ? type : type + 'a' - 'A',
                      (pick - count) + (type >= 'a' ? 0 : 100));
        return true;
    }
    return false;
}

static void expression(struct maker *m, char type)
{
    const char *const *list = productions[(unsigned char)type];
    unsigned count = 0, small = 0;

    if (type == 'p' && !m->in_define && choose(m, 3) == 1) {
        BL_PUT(m->out, "event.actor");
        return;
    }
    if (put_known(m, type))
        return;
    while (count < 24 && list[count] != NULL)
        count++;
    while (small < count && strchr(list[small], '{') == NULL)
        small++;
    if (small == 0)
        small = 1;
    m->depth++;
    const char *text = list[choose(m, m->depth > DEPTH_MAX ? small : count)];
    /* Loops nest three deep at most. */
    if (strstr(text, "{x:") != NULL && m->loops >= 2)
        text = list[0];
    sentence(m, text);
    m->depth--;
}

static void sentence(struct maker *m, const char *text)
{
    unsigned scoped = m->scoped, loops = m->loops;
    const char *bind = strstr(text, "{x:");
    unsigned name = m->names;
    char bound = 0;

    if (bind != NULL) {
        bound = bind[3];
        m->names++;
        m->loops++;
    }
    for (; *text != '\0'; text++) {
        if (text[0] != '{' || text[1] == '\0' || (text[2] != '}' && text[2] != ':')) {
            bl_buf_put_char(m->out, *text);
            continue;
        }
        char hole = text[1];
        if (hole == '#')
            put_number(m);
        else if (hole == 'w')
            put_word(m);
        else if (hole == 'x')
            bl_buf_printf(m->out, "x%u", name);
        else
            expression(m, hole);
        text = strchr(text, '}');
        /* Behind its list the name is in scope; those of things and own comments have a list
         * without holes. */
        if (bound != 0 && m->scoped < SCOPE_MAX &&
            (hole == 'x') == (bound == 'n' || bound == 'o')) {
            m->scope[m->scoped].type = bound;
            m->scope[m->scoped++].name = name;
            bound = 0;
        }
    }
    m->scoped = scoped;
    m->loops = loops;
}

/* ---- declarations
 * ----------------------------------------------------------------------------
 */

static const char head[] =
    "package mine { account \"github-actions[bot]\"; marker \"mine\" }\n"
    "actor robot(user) = user.kind == bot\n"
    "label label_a \"a\" { color \"d73a4a\"; group areas; option \"A\" }\n"
    "label label_b \"bug\" { color \"d73a4a\"; group areas }\n"
    "label label_c \"c\" { color \"d73a4a\"; description \"Waits {patience}.\" }\n"
    "group areas\n"
    "setting limit : int = 3 { min 1; max 9 }\n"
    "setting patience : duration = 15 days { min 1 days }\n"
    "locale en \"English\" { day \"{month} {day}, {year}\"; months \"January\", \"February\", "
    "\"March\", \"April\", \"May\", \"June\", \"July\", \"August\", \"September\", "
    "\"October\", "
    "\"November\", \"December\" }\n"
    "words en { message hello(who : user, n : int, day : date) \"Hello {who}, {n} until "
    "{day}.\" "
    "}\n"
    "task triage\n"
    "job event { may write issues; runs rules }\n"
    "job sweep { may write issues; runs morning }\n";

static const char *const effects[] = {
    "add label {l}",
    "add labels {L}",
    "remove label {l}",
    "remove labels {l}, {l}",
    "post kept",
    "notice \"{w}: \\{issue.number\\}\"",
    "close not_planned",
    "reopen",
    "lock resolved",
    "ensure label {l}",
    "milestone \"Old\" closed",
    "start triage",
    "close duplicate of issue",
    "when {b} { notice \"{w}\" }",
    "when {b} { add label {l} }\n  otherwise when {b} { remove label {l} }\n"
    "  otherwise { notice \"{w}\" }",
    "for each {x:c} in {C} where ({b}) { notice \"{w}\" }",
    "warn \"{w}\"",
    "output number {i}",
    "close duplicate of ({I} else issue)",
    "when last(posted(issue, kept)) is set { mark last(posted(issue, kept)) { rounds {i}; "
    "since {t} } }",
};

static void put_effects(struct maker *m)
{
    unsigned count = 1 + choose(m, 3);

    for (unsigned i = 0; i < count; i++) {
        BL_PUT(m->out, "  ");
        sentence(m, effects[choose(m, sizeof effects / sizeof effects[0])]);
        BL_PUT(m->out, "\n");
    }
}

static void put_define(struct maker *m, unsigned forms)
{
    static const char types[] = "biutdsLTIO";
    char type = types[choose(m, sizeof types - 1)];
    unsigned *number = &m->defines[(unsigned char)type];

    m->in_define = true;
    bl_buf_printf(m->out, "define define_%c%u(issue)", type >= 'a' ? type : type + 'a' - 'A',
                  *number + (type >= 'a' ? 0 : 100));
    if (choose(m, forms) == 0) {
        BL_PUT(m->out, " = ");
        expression(m, type);
        BL_PUT(m->out, "\n");
    } else {
        unsigned name = m->names++;
        bl_buf_printf(m->out, " {\n  let x%u = ", name);
        expression(m, 'i');
        m->scope[0].type = 'i';
        m->scope[0].name = name;
        m->scoped = 1;
        BL_PUT(m->out, "\n  give ");
        expression(m, type);
        BL_PUT(m->out, "\n}\n");
        m->scoped = 0;
    }
    ++*number;
    m->in_define = false;
}

static void put_rule(struct maker *m, unsigned number)
{
    static const char *const events[] = {"issues.opened", "issues.edited, issues.closed",
                                         "issue_comment.created", "issues.labeled"};
    static const char lets[] = "bituT";

    bl_buf_printf(m->out, "rule rule%u {\n  on %s\n", number, events[choose(m, 4)]);
    if (choose(m, 2) == 1) {
        char type = lets[choose(m, sizeof lets - 1)];
        unsigned name = m->names++;
        bl_buf_printf(m->out, "  let x%u = ", name);
        expression(m, type);
        BL_PUT(m->out, "\n");
        m->scope[0].type = type;
        m->scope[0].name = name;
        m->scoped = 1;
    }
    BL_PUT(m->out, "  when ");
    expression(m, 'b');
    BL_PUT(m->out, "\n");
    put_effects(m);
    BL_PUT(m->out, "}\n");
    m->scoped = 0;
}

static void put_sweep(struct maker *m)
{
    BL_PUT(m->out, "sweep morning { run old_ones; run waiting }\n"
                   "step old_ones {\n  for each issue in repository.open_issues where (");
    m->in_define = true;
    m->loops = 1;
    expression(m, 'b');
    BL_PUT(m->out, ") {\n");
    put_effects(m);
    BL_PUT(m->out,
           "  }\n}\nlifecycle waiting {\n"
           "  of each issue in repository.open_issues where issue has label_a\n  since ");
    expression(m, 'T');
    BL_PUT(m->out, "\n  ends when ");
    expression(m, 'b');
    BL_PUT(m->out, " { remove label label_b }\n  on day ");
    expression(m, 's');
    BL_PUT(m->out, " {\n");
    put_effects(m);
    BL_PUT(m->out, "  }\n  on day patience + 9 days when ");
    expression(m, 'b');
    BL_PUT(m->out, " {\n");
    put_effects(m);
    BL_PUT(m->out, "  }\n}\n");
    m->in_define = false;
    m->loops = 0;
}

static void put_decision(struct maker *m)
{
    m->in_define = true;
    BL_PUT(m->out, "decision chosen(issue) : int {\n  ");
    expression(m, 'b');
    BL_PUT(m->out, " => ");
    expression(m, 'i');
    BL_PUT(m->out, "\n  otherwise => limit\n}\ncheck fits(issue) {\n  refuse full when ");
    expression(m, 'b');
    BL_PUT(m->out, " \"It is full: {chosen(issue)}.\"\n  require small ");
    expression(m, 'b');
    BL_PUT(m->out, " \"It is large.\"\n}\n");
    m->in_define = false;
}

void program_text(const uint8_t *bytes, size_t len, struct bl_buf *out)
{
    struct maker m = {.bytes = bytes, .len = len, .out = out};

    bl_buf_put(out, bl_str_from(head));
    BL_PUT(out, "comment kept { marker { rounds : int = ");
    expression(&m, 'i');
    BL_PUT(out, "; since : time? = ");
    expression(&m, 'T');
    BL_PUT(out, " }; once_by rounds; say hello(issue.author, ");
    expression(&m, 'i');
    BL_PUT(out, ", ");
    expression(&m, 'd');
    BL_PUT(out, ") }\n");
    unsigned defines = choose(&m, 5);
    for (unsigned i = 0; i < defines; i++)
        put_define(&m, 2);
    put_decision(&m);
    put_sweep(&m);
    BL_PUT(out, "rule asks { on issues.opened; when fits(issue).passes and chosen(issue) > 1; "
                "notice \"{fits(issue).text}\" }\n");
    unsigned rules = 1 + choose(&m, 4);
    for (unsigned i = 0; i < rules; i++)
        put_rule(&m, i);
}
