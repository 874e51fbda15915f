/* SPDX-License-Identifier: Apache-2.0 */
#include "compile.h"
#include "support/check.h"

/* What program.h promises to those who lower: for each kind of node and resolution. */

static const char policy[] =
    "label bug \"bug\" { color \"FFFFFF\"; group kinds; description \"Over {limit}.\" }\n"
    "group kinds\n"
    "setting limit : int = 3\n"
    "enum mood { good; bad }\n"
    "record pair { left : int; right : text? }\n"
    "variable switch \"SWITCH\"\n"
    "task triage\n"
    "locale en \"English\" { }\n"
    "words en { message hello(author : user) \"Hello, {author}.\" }\n"
    "comment asked { marker { questions : bool = true }; language en; say hello(issue.author) "
    "}\n"
    "comment told { marker { questions : bool = true }; say hello(issue.author) }\n"
    "actor owner(user) = user.association == owner\n"
    "job event { may write issues; runs rules }\n"
    "define notes(issue) = posted(issue, asked, told)\n"
    "define last_note(issue) = last(notes(issue))\n"
    "define is_asked(comment) : bool = comment is asked and comment.questions\n"
    "define guarded(issue) : bool = issue.closed_at is set and issue.closed_at < now\n"
    "define by_else(issue) : time = issue.closed_at else issue.created_at\n"
    "define by_field(issue) : time? = last_note(issue)?.created_at\n"
    "define made = pair(limit, none)\n"
    "define nothing : list of label = []\n"
    "define rows : list of label = if limit > 3 then [] else kinds + [bug]\n"
    "define hot(issue) : bool = any c in issue.comments where c.author is owner\n"
    "define numbers(issue) : list of int = each c in issue.comments giving c.id\n"
    "define moody(m : mood) : bool = m == good\n"
    "define off : bool = switch.value is set and switch.value == \"off\"\n"
    "define path_like(path) : bool = path matches \"src/**\"\n"
    "define reader(issue) : bool = issue.title matches /x/i\n"
    "define whose : bool = issue.author is owner\n"
    "rule r {\n"
    "  on issues.opened, workflow_dispatch\n"
    "  when event is issues.opened and issue has bug and issue lacks bug and issue is not "
    "pull_request\n"
    "  notice \"Issue {issue.number} by {issue.author}: {right_of(made)}\"\n"
    "  when next == triage { start triage }\n"
    "}\n"
    "define right_of(p : pair) : text = p.right else \"none\"\n"
    "define next : task = triage\n"
    "step s {\n"
    "  for each issue in repository.open_issues where issue has bug {\n"
    "    when whose { remove label bug }\n"
    "    for each c in issue.comments where c is asked { notice \"{c.questions}\" }\n"
    "  }\n"
    "}\n"
    "sweep m { run s when event is schedule }\n"
    "job sweeper { may write issues; runs m }\n";

static const bl_type issue_type = BL_TYPE_MAKE(BL_TYPE_ENTITY, BL_ENTITY_ISSUE);

static struct bl_node *node_of(struct compiled *c, enum bl_node_kind kind, const char *text,
                               enum bl_resolution resolution)
{
    struct bl_node *node = find_node(c, kind, text);
    check_case("%s", text);
    check(node != NULL);
    check_int(node->resolution, resolution);
    return node;
}

TEST(names)
{
    struct compiled c;
    compile_text(&c, policy);
    check_size(c.sink.errors, 0);
    check_status(c.status, BL_OK);

    struct bl_node *node = node_of(&c, BL_NODE_CALL, "right_of(made)", BL_RESOLVED_CALL);
    check_int(node->kids[0]->resolution, BL_RESOLVED_CALL); /* a bare name without arguments */
    check(node->kids[0]->symbol == find_symbol(&c, "made"));
    check(node->symbol->kind == BL_SYMBOL_DEFINE);
    check_int(node->type, BL_TYPE_TEXT);
    node = node_of(&c, BL_NODE_CALL, "pair(limit, none)", BL_RESOLVED_RECORD);
    check_int(node->kids[0]->resolution, BL_RESOLVED_SETTING);
    check_int(node->kids[1]->type, BL_OPTIONAL(BL_TYPE_TEXT));
    node = node_of(&c, BL_NODE_FIELD, "switch.value", BL_RESOLVED_FIELD);
    check_int(node->kids[0]->resolution, BL_RESOLVED_VARIABLE);
    check_int(node->index, BL_FIELD_VARIABLE_VALUE);
    node = node_of(&c, BL_NODE_CALL, "posted(issue, asked, told)", BL_RESOLVED_BUILTIN);
    check_int(node->index, BL_BUILTIN_POSTED);
    check_int(node->kids[1]->resolution, BL_RESOLVED_KIND);
    check(bl_type_is_list(node->type) && bl_type_kind(node->type) == BL_TYPE_POSTED);
    check_size(c.program->posted.items[bl_type_ref(node->type)].count, 2);
    node = node_of(&c, BL_NODE_COMPARE, "m == good", BL_RESOLVED_NOT);
    check_int(node->kids[0]->resolution, BL_RESOLVED_LOCAL);
    check_int(node->kids[1]->resolution, BL_RESOLVED_ENUM);
    check_int(node->kids[1]->index, 0);
    release_compiled(&c);
}

TEST(guards)
{
    struct compiled c;
    compile_text(&c, policy);
    struct bl_node *compare = find_node(&c, BL_NODE_COMPARE, "issue.closed_at < now");
    check(compare != NULL);
    struct bl_node *closed = compare->kids[0];
    check_int(closed->declared, BL_OPTIONAL(BL_TYPE_TIME));
    check_int(closed->type, BL_TYPE_TIME);

    struct bl_node *questions = find_node(&c, BL_NODE_FIELD, "comment.questions");
    check_int(questions->resolution, BL_RESOLVED_ATTRIBUTE);
    check_int(questions->kids[0]->declared, BL_TYPE_MAKE(BL_TYPE_ENTITY, BL_ENTITY_COMMENT));
    check_int(bl_type_kind(questions->kids[0]->type), BL_TYPE_POSTED);

    struct bl_node *is = find_node(&c, BL_NODE_IS, "comment is asked");
    check_int(is->resolution, BL_RESOLVED_IS_KIND);
    check(is->symbol == find_symbol(&c, "asked"));
    check_int(BL_TYPE_MAKE(BL_TYPE_POSTED, is->index), questions->kids[0]->type);

    struct bl_node *chain =
        find_node(&c, BL_NODE_OPTIONAL_FIELD, "last_note(issue)?.created_at");
    check_int(chain->type, BL_OPTIONAL(BL_TYPE_TIME));
    check_int(chain->index, BL_FIELD_COMMENT_CREATED_AT);
    struct bl_node *off = find_node(&c, BL_NODE_COMPARE, "switch.value == \"off\"");
    check_int(off->kids[0]->type, BL_TYPE_TEXT);
    release_compiled(&c);
}

TEST(operators)
{
    struct compiled c;
    compile_text(&c, policy);
    struct bl_node *node = find_node(&c, BL_NODE_COMPARE, "issue has bug");
    check_int(node->resolution, BL_RESOLVED_HAS);
    check_int(node->index, BL_FIELD_ISSUE_LABELS);
    check_int(node->kids[1]->resolution, BL_RESOLVED_LABEL);
    node = find_node(&c, BL_NODE_IS, "event is issues.opened");
    check_int(node->resolution, BL_RESOLVED_IS_EVENT);
    check_int(node->index, BL_EVENT_ISSUES_OPENED);
    node = find_node(&c, BL_NODE_IS_NOT, "issue is not pull_request");
    check_int(node->resolution, BL_RESOLVED_IS_PULL);
    node = find_node(&c, BL_NODE_IS, "c.author is owner");
    check_int(node->resolution, BL_RESOLVED_IS_ACTOR);
    check(node->symbol->kind == BL_SYMBOL_ACTOR);
    node = find_node(&c, BL_NODE_COMPARE, "path matches \"src/**\"");
    check_int(node->resolution, BL_RESOLVED_GLOB);
    node = find_node(&c, BL_NODE_COMPARE, "issue.title matches /x/i");
    check_int(node->resolution, BL_RESOLVED_PATTERN);
    node = find_node(&c, BL_NODE_ANY, "any c in issue.comments where c.author is owner");
    check_int(node->resolution, BL_RESOLVED_LOOP);
    check_int(node->symbol->as.local->kind, BL_LOCAL_LOOP);
    node = find_node(&c, BL_NODE_IF, "if limit > 3 then [] else kinds + [bug]");
    check_int(node->kids[1]->type, BL_LIST_OF(BL_TYPE_LABEL));
    check_int(find_symbol(&c, "nothing")->as.callable->value->type, BL_LIST_OF(BL_TYPE_LABEL));
    node = find_node(&c, BL_NODE_STRING,
                     "\"Issue {issue.number} by {issue.author}: {right_of(made)}\"");
    check_int(node->resolution, BL_RESOLVED_TEXT);
    check_int(node->index, BL_PLACE_LOG);
    node = find_node(&c, BL_NODE_STRING, "\"Over {limit}.\"");
    check_int(node->index, BL_PLACE_COUNT);
    check_int(node->type, BL_TYPE_TEXT);
    release_compiled(&c);
}

TEST(rules_steps_and_what_they_ask_for)
{
    struct compiled c;
    compile_text(&c, policy);
    const struct bl_rule *rule = find_symbol(&c, "r")->as.rule;
    check_int(rule->events, UINT64_C(1) << BL_EVENT_ISSUES_OPENED |
                                UINT64_C(1) << BL_EVENT_WORKFLOW_DISPATCH);
    check(rule->job == find_symbol(&c, "event"));
    const struct bl_statement *when = rule->body;
    check_int(when->kind, BL_STATEMENT_WHEN); /* without a block: the rest is its body */
    check(when->next == NULL);
    check_int(when->body->kind, BL_STATEMENT_EFFECT);
    check_int(when->body->effect, BL_EFFECT_NOTICE);
    check_int(when->body->next->kind, BL_STATEMENT_WHEN);
    check_int(when->body->next->body->effect, BL_EFFECT_START);
    check_int(when->body->next->body->value->resolution, BL_RESOLVED_TASK);

    const struct bl_rule *step = find_symbol(&c, "s")->as.rule;
    const struct bl_statement *loop = step->body;
    check_int(loop->kind, BL_STATEMENT_FOR);
    check_int(loop->symbol->type, issue_type);
    check_int(loop->symbol->as.local->rebinds, BL_AMBIENT_ISSUE);
    check(loop->symbol->as.local->ambient_used); /* `whose` reads the issue in hand */
    check_int(loop->body->body->target, BL_AMBIENT_ISSUE);
    check_size(step->needs.count, 0);
    check_int(step->capabilities, BL_CAP(BL_PERMISSION_ISSUES_WRITE));
    const struct bl_callable *whose = find_symbol(&c, "whose")->as.callable;
    check_int(whose->ambients, BL_AMBIENT_BIT(BL_AMBIENT_ISSUE));
    check_size(whose->needs.count, 1);
    const struct bl_sweep *sweep = find_symbol(&c, "m")->as.sweep;
    check_size(sweep->count, 1);
    check_int(sweep->items[0].condition->resolution, BL_RESOLVED_IS_EVENT);
    release_compiled(&c);
}

TEST(declarations)
{
    struct compiled c;
    compile_text(&c, policy);
    const struct bl_label *bug = find_symbol(&c, "bug")->as.label;
    check_str(bug->shown, "bug");
    check_str(bug->color, "ffffff");
    check(bug->ask);
    check_size(find_symbol(&c, "kinds")->as.group->labels.count, 1);
    const struct bl_document *asked = find_symbol(&c, "asked")->as.document;
    check_size(asked->attribute_count, 1);
    check_int(asked->attributes[0].type, BL_TYPE_BOOL);
    check_int(asked->body->kind, BL_STATEMENT_SAY);
    check_int(asked->body->value->resolution, BL_RESOLVED_MESSAGE);
    check_int(asked->language->resolution, BL_RESOLVED_LOCALE);
    const struct bl_symbol *hello = find_symbol(&c, "hello");
    check_int(hello->type, BL_TYPE_MAKE(BL_TYPE_CLEAN, 1u << BL_PLACE_COMMENT));
    struct bl_buf name;
    bl_buf_init(&name, &c.arena, 100);
    bl_program_type_name(c.program, BL_OPTIONAL(issue_type), &name);
    check_str(bl_buf_str(&name), "issue?");
    release_compiled(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names),        cmocka_unit_test(guards),
        cmocka_unit_test(operators),    cmocka_unit_test(rules_steps_and_what_they_ask_for),
        cmocka_unit_test(declarations),
    };
    return check_main(tests);
}
