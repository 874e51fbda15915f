/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/tables.h"
#include "support/check.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* GitHub's keys under `permissions:` and their levels (workflow syntax). */
TEST(permissions_are_keys_of_workflows)
{
    static const char *const keys[] = {"actions", "contents",      "discussions",
                                       "issues",  "pull-requests", "security-events",
                                       "statuses"};

    check_size(bl_permission_info(BL_PERMISSION_NONE)->key.len, 0);
    for (unsigned i = BL_PERMISSION_NONE + 1u; i < BL_PERMISSION_COUNT; i++) {
        const struct bl_permission_info *info = bl_permission_info((enum bl_permission)i);
        bool known = false;

        for (size_t j = 0; j < LENGTH(keys); j++)
            known = known || bl_str_equal(info->key, bl_str_from(keys[j]));
        check_case("%.*s", BL_STR_ARG(info->key));
        check(known);
        check(bl_str_equal(info->level, BL_STR("read")) ||
              bl_str_equal(info->level, BL_STR("write")));
    }
    check(bl_permission_info(BL_PERMISSION_COUNT) == NULL);
}

/* Design, "Calls and permissions": the key that each read needs. */
TEST(reads_need_the_permission_of_their_call)
{
    static const struct {
        const char *read, *key;
    } cases[] = {
        {"payload", ""},
        {"stored", ""},
        {"declared", ""},
        {"issue", "issues"},
        {"comments", "issues"},
        {"timeline", "issues"},
        {"edits", "issues"},
        {"reactions", "issues"},
        {"labels", "issues"},
        {"open_issues", "issues"},
        {"labelled_issues", "issues"},
        {"closed_issues", "issues"},
        {"issues_created", "issues"},
        {"comments_changed", "issues"},
        {"numbered", "issues"},
        {"permission", ""},
        {"pull", "pull-requests"},
        {"closing_pulls", "pull-requests"},
        {"closing_issues", "pull-requests"},
        {"pull_commits", "pull-requests"},
        {"commit", "contents"},
        {"releases", "contents"},
        {"discussions", "discussions"},
        {"alerts", "security-events"},
        {"pulls_with_head", "pull-requests"},
        {"search", "issues"},
        {"tracked_files", ""},
        {"checkout_file", ""},
        {"runs", "actions"},
        {"run_jobs", "actions"},
        {"foreign_issue", ""},
        {"checkout_commit", ""},
        {"variable", ""},
        {"secret", ""},
        {"repository", ""},
    };

    for (size_t i = 0; i < LENGTH(cases); i++) {
        enum bl_read read = bl_read_find(bl_str_from(cases[i].read));
        const struct bl_permission_info *permission;

        check_case("%s", cases[i].read);
        check(read != BL_READ_COUNT);
        check_str(bl_read_info(read)->name, cases[i].read);
        permission = bl_permission_info(bl_read_info(read)->permission);
        check_str(permission->key, cases[i].key);
        check_str(permission->level, cases[i].key[0] != '\0' ? "read" : "");
    }
    check_int(bl_read_find(BL_STR("everything")), BL_READ_COUNT);
    check(bl_read_info(BL_READ_COUNT) == NULL);
}

/* Review §1.18. */
TEST(places_are_those_of_the_language)
{
    static const char *const names[] = {"comment", "comment_line", "timeline", "log",
                                        "summary", "prompt",       "argument"};

    check_int(BL_PLACE_COUNT, LENGTH(names));
    for (size_t i = 0; i < LENGTH(names); i++) {
        check_str(bl_place_name((enum bl_place)i), names[i]);
        check_int(bl_place_find(bl_str_from(names[i])), i);
    }
    check_int(bl_place_find(BL_STR("mail")), BL_PLACE_COUNT);
    check_size(bl_place_name(BL_PLACE_COUNT).len, 0);
}

/* Review §4, "effect": permission and proof. */
TEST(effects_have_their_permission_and_proof)
{
    static const struct {
        const char *words, *key;
        enum bl_proof proof;
    } cases[] = {
        {"ensure label", "issues", BL_PROOF_LABEL_EQUAL},
        {"add label", "issues", BL_PROOF_LABEL_THERE},
        {"remove label", "issues", BL_PROOF_LABEL_GONE},
        {"post", "issues", BL_PROOF_OWN_COMMENT},
        {"mark", "issues", BL_PROOF_VALUE_IN_MARKER},
        {"react", "issues", BL_PROOF_OWN_REACTION},
        {"close", "issues", BL_PROOF_STATE_CLOSED},
        {"reopen", "issues", BL_PROOF_STATE_OPEN},
        {"lock", "issues", BL_PROOF_LOCKED},
        {"milestone", "issues", BL_PROOF_MILESTONE_SET},
        {"status", "statuses", BL_PROOF_STATUS_EQUAL},
        {"start", "", BL_PROOF_ALWAYS},
        {"output", "", BL_PROOF_ALWAYS},
        {"notice", "", BL_PROOF_ALWAYS},
        {"warn", "", BL_PROOF_ALWAYS},
        {"error", "", BL_PROOF_ALWAYS},
        {"fail", "", BL_PROOF_ALWAYS},
        {"summary", "", BL_PROOF_ALWAYS},
        {"dismiss", "security-events", BL_PROOF_ALERT_CLOSED},
        {"suggest_duplicate", "issues", BL_PROOF_ALWAYS},
        {"keep", "", BL_PROOF_ROW_EQUAL},
    };

    check_size(BL_EFFECT_COUNT, LENGTH(cases));
    for (size_t i = 0; i < LENGTH(cases); i++) {
        const struct bl_effect_info *info = NULL;

        for (unsigned j = 0; j < BL_EFFECT_COUNT; j++) {
            if (bl_str_equal(bl_effect_info((enum bl_effect)j)->words,
                             bl_str_from(cases[i].words)))
                info = bl_effect_info((enum bl_effect)j);
        }
        check_case("%s", cases[i].words);
        check(info != NULL);
        check_str(bl_permission_info(info->permission)->key, cases[i].key);
        check_str(bl_permission_info(info->permission)->level,
                  cases[i].key[0] != '\0' ? "write" : "");
        check_int(info->proof, cases[i].proof);
    }
    check(bl_effect_info(BL_EFFECT_COUNT) == NULL);
}

/* Review §5.3: ensure, mark, add, post, react, suggest, milestone, close, lock, remove, reopen,
 * status/dismiss/keep, start/output; "an issue closes before its labels go" (FLT-19). */
TEST(chains_of_different_blocks_merge_in_this_order)
{
    static const enum bl_effect order[] = {
        BL_EFFECT_ENSURE_LABEL, BL_EFFECT_MARK,   BL_EFFECT_ADD_LABEL,
        BL_EFFECT_POST,         BL_EFFECT_REACT,  BL_EFFECT_SUGGEST_DUPLICATE,
        BL_EFFECT_MILESTONE,    BL_EFFECT_CLOSE,  BL_EFFECT_LOCK,
        BL_EFFECT_REMOVE_LABEL, BL_EFFECT_REOPEN, BL_EFFECT_STATUS,
        BL_EFFECT_START,
    };

    for (size_t i = 0; i + 1 < LENGTH(order); i++) {
        check_case("%.*s", BL_STR_ARG(bl_effect_info(order[i])->words));
        check(bl_effect_info(order[i])->order < bl_effect_info(order[i + 1])->order);
    }
    check_int(bl_effect_info(BL_EFFECT_DISMISS)->order,
              bl_effect_info(BL_EFFECT_STATUS)->order);
    check_int(bl_effect_info(BL_EFFECT_KEEP)->order, bl_effect_info(BL_EFFECT_STATUS)->order);
    check_int(bl_effect_info(BL_EFFECT_START)->order, bl_effect_info(BL_EFFECT_OUTPUT)->order);
}

/* What the columns of an instruction promise to the verifier. */
TEST(opcodes_are_of_one_piece)
{
    for (unsigned i = 0; i < BL_OP_COUNT; i++) {
        const struct bl_op_info *info = bl_op_info((enum bl_opcode)i);
        bool branches = info->c == BL_OPERAND_JUMP || info->c == BL_OPERAND_LOOP;

        check_case("%.*s", BL_STR_ARG(info->mnemonic));
        check(info->mnemonic.len > 0 && info->doc.len > 0);
        check_int((info->flags & BL_OP_B) != 0, branches);
        /* Results are written by their own operand alone. */
        check(info->b != BL_OPERAND_DST && info->c != BL_OPERAND_DST);
        for (unsigned j = 0; j < i; j++)
            check(!bl_str_equal(bl_op_info((enum bl_opcode)j)->mnemonic, info->mnemonic));
    }
    check_int(bl_op_info(BL_OP_RETURN)->flags, BL_OP_E);
    check_int(bl_op_info(BL_OP_END)->flags, BL_OP_E);
    check_int(bl_op_info(BL_OP_EFFECT)->flags, BL_OP_W);
    check_int(bl_op_info(BL_OP_FIELD)->flags, BL_OP_R);
    check(bl_op_info(BL_OP_COUNT) == NULL);
    check(bl_op_info((enum bl_opcode)255) == NULL);
}

TEST(limits_have_the_values_of_the_design)
{
    /* 65,536 characters a text (CTX-30), 25 MB a payload, three nested loops (review §5.12),
     * 1 MiB a policy. */
    check_int(bl_limit(BL_LIMIT_COMMENT_CHARS), 65536);
    check_int(bl_limit(BL_LIMIT_EVENT_BYTES), 25 * 1024 * 1024);
    check_int(bl_limit(BL_LIMIT_LOOP_DEPTH), 3);
    check_int(bl_limit(BL_LIMIT_SOURCE_BYTES), 1024 * 1024);
    check(bl_limit(BL_LIMIT_REGISTERS) <= 254);
    for (unsigned i = 0; i < BL_LIMIT_COUNT; i++) {
        const struct bl_limit_info *info = bl_limit_info((enum bl_limit)i);

        check_case("%.*s", BL_STR_ARG(info->name));
        check(info->value > 0);
        check_int(bl_limit((enum bl_limit)i), info->value);
        check(info->why.len > 0);
    }
    check(bl_limit_info(BL_LIMIT_COUNT) == NULL);
    check_int(bl_limit(BL_LIMIT_COUNT), 0);
}

TEST(builtins_read_what_their_cost_says)
{
    for (unsigned i = 0; i < BL_BUILTIN_COUNT; i++) {
        const struct bl_builtin_info *info = bl_builtin_info((enum bl_builtin)i);

        check_case("%.*s", BL_STR_ARG(info->name));
        check_int(info->cost == BL_COST_READ, info->read != BL_READ_STORED);
        check_int(bl_builtin_find(info->name), i);
    }
    check_int(bl_builtin_find(BL_STR("print")), BL_BUILTIN_COUNT);
    check(bl_builtin_info(BL_BUILTIN_COUNT) == NULL);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(permissions_are_keys_of_workflows),
        cmocka_unit_test(reads_need_the_permission_of_their_call),
        cmocka_unit_test(places_are_those_of_the_language),
        cmocka_unit_test(effects_have_their_permission_and_proof),
        cmocka_unit_test(chains_of_different_blocks_merge_in_this_order),
        cmocka_unit_test(opcodes_are_of_one_piece),
        cmocka_unit_test(limits_have_the_values_of_the_design),
        cmocka_unit_test(builtins_read_what_their_cost_says),
    };

    return check_main(tests);
}
