/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/tables.h"
#include "support/check.h"
#include "type_words.h"

/* The table of fields of the review, §4, word for word: unmarked facts are GitHub's own or the
 * policy's, "a" anyone's, "m" a maintainer's, "r" the actor's of the record. A field of ours
 * that the review does not have stands in `added`. */
struct expected {
    const char *entity, *field, *type, *read;
    char level;
};
static const struct expected reviewed[] = {
    {"event", "key", "text", "payload", ' '},
    {"event", "at", "time", "payload", ' '},
    {"event", "actor", "user", "payload", ' '},
    {"event", "text_changed", "bool", "payload", 'r'},
    {"event", "inputs", "inputs", "payload", 'm'},
    {"inputs", "task", "task", "payload", 'm'},
    {"inputs", "issue", "int", "payload", 'm'},
    {"inputs", "dry_run", "bool", "payload", 'm'},
    {"event", "issue_number", "int", "payload", ' '},
    {"event", "issue_author", "user", "payload", ' '},
    {"event", "on_pull_request", "bool", "payload", ' '},
    {"event", "run_event", "name", "payload", ' '},
    {"event", "state", "enum status_state", "payload", 'r'},
    {"event", "sha", "name", "payload", ' '},
    {"event", "run_repository", "repository_name", "payload", ' '},
    {"event", "repository", "repository_name", "payload", ' '},
    {"event", "default_branch", "name", "payload", ' '},
    {"event", "pull_number", "int", "payload", ' '},
    {"user", "login", "name", "stored", ' '},
    {"user", "id", "int", "stored", ' '},
    {"user", "kind", "enum user_kind", "stored", ' '},
    {"user", "association", "enum association", "stored", ' '},
    {"user", "permission", "enum permission", "permission", ' '},
    {"issue", "number", "int", "stored", ' '},
    {"issue", "title", "untrusted", "issue", 'a'},
    {"issue", "text", "untrusted", "issue", 'a'},
    {"issue", "state", "enum issue_state", "issue", 'a'},
    {"issue", "state_reason", "enum state_reason?", "issue", 'a'},
    {"issue", "author", "user", "issue", ' '},
    {"issue", "created_at", "time", "issue", ' '},
    {"issue", "labels", "list of label", "issue", 'm'},
    {"issue", "assignees", "list of user", "issue", 'm'},
    {"issue", "locked", "bool", "issue", 'm'},
    {"issue", "thumbs_up", "int", "issue", 'a'},
    {"issue", "comment_count", "int", "issue", 'a'},
    {"issue", "repository", "repository_name", "stored", ' '},
    {"issue", "comments", "list of comment", "comments", 'r'},
    {"issue", "timeline", "list of timeline_event", "timeline", 'r'},
    {"issue", "text_edits", "list of edit", "edits", 'r'},
    {"issue", "closed_by", "list of pull_request", "closing_pulls", 'r'},
    {"comment", "id", "int", "stored", ' '},
    {"comment", "author", "user", "stored", ' '},
    {"comment", "created_at", "time", "stored", ' '},
    {"comment", "text", "untrusted", "stored", 'r'},
    {"comment", "thumbs_up", "int", "stored", 'a'},
    {"comment", "thumbs_down", "int", "stored", 'a'},
    {"comment", "issue", "issue", "stored", ' '},
    {"comment", "reactions", "list of reaction", "reactions", 'r'},
    {"timeline_event", "kind", "enum timeline_kind", "stored", 'r'},
    {"timeline_event", "actor", "user", "stored", ' '},
    {"timeline_event", "at", "time", "stored", ' '},
    {"timeline_event", "label", "label?", "stored", 'r'},
    {"edit", "editor", "user", "stored", ' '},
    {"edit", "at", "time", "stored", ' '},
    {"reaction", "user", "user", "stored", ' '},
    {"reaction", "kind", "enum reaction_kind", "stored", 'r'},
    {"label", "name", "name", "stored", 'm'},
    {"label", "description", "text", "declared", ' '},
    {"label", "options", "list of text", "declared", ' '},
    {"label", "ask", "bool", "declared", ' '},
    {"pull_request", "number", "int", "stored", ' '},
    {"pull_request", "author", "user", "pull", ' '},
    {"pull_request", "created_at", "time", "pull", ' '},
    {"pull_request", "base", "name", "pull", 'a'},
    {"pull_request", "head_branch", "name", "pull", 'a'},
    {"pull_request", "head", "commit", "pull", 'a'},
    {"pull_request", "head_repository", "repository_name", "pull", ' '},
    {"pull_request", "repository", "repository_name", "stored", ' '},
    {"pull_request", "merged_at", "time?", "pull", 'm'},
    {"pull_request", "labels", "list of label", "pull", 'm'},
    {"pull_request", "closes", "list of issue", "closing_issues", 'r'},
    {"pull_request", "commits", "list of commit", "pull_commits", 'a'},
    {"pull_request", "timeline", "list of timeline_event", "timeline", 'r'},
    {"commit", "sha", "name", "stored", ' '},
    {"commit", "author", "user", "commit", 'a'},
    {"commit", "committer", "user", "commit", 'a'},
    {"commit", "author_email", "name", "commit", 'a'},
    {"commit", "message", "untrusted", "commit", 'a'},
    {"commit", "committed_at", "time", "commit", 'a'},
    {"commit", "made_at", "time", "commit", 'a'},
    {"status", "context", "name", "stored", 'r'},
    {"status", "state", "enum status_state", "stored", 'r'},
    {"status", "creator", "user", "stored", ' '},
    {"status", "commit", "commit", "stored", ' '},
    {"status", "created_at", "time", "stored", ' '},
    {"release", "tag", "name", "stored", 'm'},
    {"release", "draft", "bool", "stored", 'm'},
    {"release", "prerelease", "bool", "stored", 'm'},
    {"release", "published_at", "time", "stored", ' '},
    {"discussion", "number", "int", "stored", ' '},
    {"discussion", "title", "untrusted", "stored", 'a'},
    {"discussion", "text", "untrusted", "stored", 'a'},
    {"discussion", "category", "name", "stored", 'm'},
    {"discussion", "answered", "bool", "stored", 'a'},
    {"alert", "number", "int", "stored", ' '},
    {"alert", "link", "link", "stored", ' '},
    {"alert", "tool", "name", "stored", ' '},
    {"alert", "rule", "name", "stored", ' '},
    {"alert", "path", "path", "stored", ' '},
    {"repository", "name", "repository_name", "stored", ' '},
    {"repository", "new_issue_link", "link", "stored", ' '},
    {"repository", "security_policy", "file_link", "stored", ' '},
    {"repository_name", "public", "bool", "repository", 'm'},
    {"usage", "model", "name", "stored", ' '},
    {"usage", "end", "enum task_end", "stored", ' '},
    {"usage", "turns", "int", "stored", ' '},
    {"usage", "tokens_in", "int", "stored", ' '},
    {"usage", "tokens_cached", "int", "stored", ' '},
    {"usage", "tokens_out", "int", "stored", ' '},
    {"usage", "duration", "duration", "stored", ' '},
    {"usage", "cost", "money", "stored", ' '},
    {"verdict", "passes", "bool", "stored", ' '},
    {"verdict", "rule", "name", "stored", ' '},
    {"verdict", "text", "clean log", "stored", ' '},
    {"secret_setting", "is_set", "bool", "secret", ' '},
    {"variable", "value", "text?", "variable", 'm'},
    {"accepted_finding", "tool", "name", "stored", ' '},
    {"accepted_finding", "rule", "name", "stored", ' '},
    {"accepted_finding", "path", "path?", "stored", ' '},
    {"accepted_finding", "until", "date?", "stored", ' '},
    {"accepted_finding", "reason", "enum dismissal", "stored", ' '},
    {"date", "day_of_month", "int", "stored", ' '},
    {"date", "midnight", "time", "stored", ' '},
    {"time", "day", "date", "stored", ' '},
};

/* Where ours says more than the review, or less: what a person could choose is at most that
 * person's word, and what may be missing is optional. */
static const struct expected differs[] = {
    {"event", "merged", "bool", "payload", 'm'},     /* as merged_at */
    {"event", "context", "name", "payload", 'r'},    /* as status.context */
    {"event", "run_branch", "name", "payload", 'a'}, /* a fork names its branches */
    {"issue", "closed_at", "time?", "issue", 'a'},   /* authors close their own issues */
    {"pull_request", "merge_commit", "commit?", "pull", 'm'},
    {"status", "target_link", "untrusted?", "stored", 'r'},
};

static void check_field(const struct expected *e)
{
    enum bl_entity entity = bl_entity_find(bl_str_from(e->entity));
    enum bl_field field;
    const struct bl_field_info *info;
    enum bl_level level = e->level == 'a'   ? BL_LEVEL_ANYONE
                          : e->level == 'm' ? BL_LEVEL_MAINTAINER
                          : e->level == 'r' ? BL_LEVEL_ACTOR
                                            : BL_LEVEL_POLICY;

    check_case("%s.%s", e->entity, e->field);
    check(entity != BL_ENTITY_COUNT);
    field = bl_field_find(entity, bl_str_from(e->field));
    check(field != BL_FIELD_COUNT);
    info = bl_field_info(field);
    check_int(info->entity, entity);
    check_str(info->name, e->field);
    check_int(info->type, type_of(e->type));
    check_int(info->read, bl_read_find(bl_str_from(e->read)));
    check_int(info->level, level);
}

TEST(fields_are_those_of_the_review)
{
    for (size_t i = 0; i < sizeof(reviewed) / sizeof(reviewed[0]); i++)
        check_field(&reviewed[i]);
    for (size_t i = 0; i < sizeof(differs) / sizeof(differs[0]); i++)
        check_field(&differs[i]);
}

/* A hole is no field, whatever number a module names. */
TEST(field_numbers_are_entity_and_position)
{
    size_t fields = 0;

    for (unsigned i = 0; i < BL_FIELD_COUNT + 100u; i++) {
        const struct bl_field_info *info = bl_field_info((enum bl_field)i);
        const struct bl_entity_info *entity = bl_entity_info((enum bl_entity)(i / 32));
        bool expected = entity != NULL && i % 32 < entity->field_count;

        check_case("field %u", i);
        check_int(info != NULL, expected);
        if (info == NULL)
            continue;
        check_int(info->entity, i / 32);
        check_int(bl_field_slot((enum bl_field)i), i % 32);
        check_int(bl_field_find(info->entity, info->name), i);
        check_int(entity->first_field, i - i % 32);
        fields++;
    }
    check(fields > sizeof(reviewed) / sizeof(reviewed[0]));
    check(bl_field_info((enum bl_field)UINT32_MAX) == NULL);
    check(bl_entity_info((enum bl_entity)UINT32_MAX) == NULL);
    check_int(bl_field_find(BL_ENTITY_COUNT, BL_STR("number")), BL_FIELD_COUNT);
    check_int(bl_field_find(BL_ENTITY_ISSUE, BL_STR("login")), BL_FIELD_COUNT);
    check_int(bl_field_find(BL_ENTITY_ISSUE, BL_STR("")), BL_FIELD_COUNT);
    check_int(bl_entity_find(BL_STR("issues")), BL_ENTITY_COUNT);
}

TEST(values_have_the_fields_of_their_type)
{
    static const struct {
        const char *type;
        enum bl_entity entity;
    } cases[] = {
        {"issue", BL_ENTITY_ISSUE},
        {"user", BL_ENTITY_USER},
        {"label", BL_ENTITY_LABEL},
        {"date", BL_ENTITY_DATE},
        {"time", BL_ENTITY_TIME},
        {"path", BL_ENTITY_PATH},
        {"repository_name", BL_ENTITY_REPOSITORY_NAME},
        {"posted 0", BL_ENTITY_COMMENT},
        {"posted 7", BL_ENTITY_COMMENT},
        {"int", BL_ENTITY_COUNT},
        {"text", BL_ENTITY_COUNT},
        {"none", BL_ENTITY_COUNT},
        {"error", BL_ENTITY_COUNT},
        {"record 0", BL_ENTITY_COUNT},
        {"issue?", BL_ENTITY_COUNT},
        {"label?", BL_ENTITY_COUNT},
        {"posted 0?", BL_ENTITY_COUNT},
        {"list of issue", BL_ENTITY_COUNT},
        {"list of posted 0", BL_ENTITY_COUNT},
        {"list of label", BL_ENTITY_COUNT},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        check_case("%s", cases[i].type);
        check_int(bl_entity_of_type(type_of(cases[i].type)), cases[i].entity);
    }
    check_int(bl_entity_of_type(BL_TYPE_MAKE(BL_TYPE_ENTITY, 999)), BL_ENTITY_COUNT);
}

/* Review §4, "ambient", as far as it is built. */
TEST(ambient_names_have_their_types)
{
    static const struct {
        const char *name, *type;
    } cases[] = {
        {"event", "event"},
        {"issue", "issue"},
        {"comment", "comment"},
        {"pull_request", "pull_request"},
        {"status", "status"},
        {"command", "command"},
        {"repository", "repository"},
        {"now", "time"},
        {"today", "date"},
        {"me", "user"},
        {"locales", "list of locale"},
        {"declared_labels", "list of label"},
        {"accepted", "list of accepted_finding"},
        {"refusal", "verdict"},
        {"release", "release"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        enum bl_ambient ambient = bl_ambient_find(bl_str_from(cases[i].name));

        check_case("%s", cases[i].name);
        check(ambient != BL_AMBIENT_COUNT);
        check_int(bl_ambient_info(ambient)->type, type_of(cases[i].type));
        check_str(bl_ambient_info(ambient)->name, cases[i].name);
    }
    check_int(bl_ambient_find(BL_STR("nobody")), BL_AMBIENT_COUNT);
    check(bl_ambient_info(BL_AMBIENT_COUNT) == NULL);
}

/* GitHub's own lists: REST description, `author_association`, `reaction.content`,
 * `state_reason`, `lock_reason`, status `state`, collaborator permissions. */
TEST(enumerations_are_those_of_github)
{
    static const struct {
        const char *name;
        const char *members[12];
    } cases[] = {
        {"user_kind", {"person", "bot"}},
        {"association",
         {"owner", "member", "collaborator", "contributor", "first_timer", "nobody"}},
        {"permission", {"admin", "maintain", "write", "triage", "read", "no_access"}},
        {"issue_state", {"open", "closed"}},
        {"state_reason", {"completed", "not_planned", "duplicate", "reopened"}},
        {"timeline_kind",
         {"labeled", "unlabeled", "closed", "reopened", "locked", "unlocked", "milestoned",
          "demilestoned", "assigned", "unassigned", "renamed"}},
        {"reaction_kind",
         {"thumbs_up", "thumbs_down", "eyes", "confused", "heart", "hooray", "laugh",
          "rocket"}},
        {"status_state", {"error", "failure", "pending", "success"}},
        {"lock_reason", {"off_topic", "too_heated", "resolved", "spam"}},
        {"task_end", {"answered", "stopped_at_turns", "stopped_at_budget", "failed"}},
        {"link_kind",
         {"blob", "tree", "releases", "issues", "pull", "commit", "compare", "discussions",
          "wiki", "other"}},
        {"file_change", {"edited", "created", "deleted", "renamed", "copied"}},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        enum bl_enum which = bl_enum_find(bl_str_from(cases[i].name));
        unsigned count = 0;

        check_case("%s", cases[i].name);
        check(which != BL_ENUM_COUNT);
        check_str(bl_enum_name(which), cases[i].name);
        for (; count < 12 && cases[i].members[count] != NULL; count++) {
            check_str(bl_enum_member(which, count), cases[i].members[count]);
            check_int(bl_enum_member_find(which, bl_str_from(cases[i].members[count])), count);
        }
        check_int(bl_enum_member_count(which), count);
        check_int(bl_enum_member_find(which, BL_STR("elsewhere")), count);
        check_size(bl_enum_member(which, count).len, 0);
    }
    check_int(BL_STATE_REASON_NOT_PLANNED, 1);
    check_int(BL_PERMISSION_NO_ACCESS, 5);
    check_int(bl_enum_find(BL_STR("colour")), BL_ENUM_COUNT);
    for (unsigned i = BL_ENUM_OWN_COUNT; i < BL_ENUM_COUNT + 2u; i++) {
        check_size(bl_enum_name((enum bl_enum)i).len, 0);
        check_int(bl_enum_member_count((enum bl_enum)i), 0);
        check_size(bl_enum_member((enum bl_enum)i, 0).len, 0);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_are_those_of_the_review),
        cmocka_unit_test(field_numbers_are_entity_and_position),
        cmocka_unit_test(values_have_the_fields_of_their_type),
        cmocka_unit_test(ambient_names_have_their_types),
        cmocka_unit_test(enumerations_are_those_of_github),
    };

    return check_main(tests);
}
