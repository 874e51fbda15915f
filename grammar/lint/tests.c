/* SPDX-License-Identifier: Apache-2.0 */
#include "lint/linter.h"

/* Tests that pass whatever the policy does. */

static bool expects(const struct bl_statement *list)
{
    for (const struct bl_statement *s = list; s != NULL; s = s->next) {
        if (s->kind == BL_STATEMENT_EXPECT || s->kind == BL_STATEMENT_EXPECT_EFFECT ||
            s->kind == BL_STATEMENT_EXPECT_EXACTLY || s->kind == BL_STATEMENT_EXPECT_GOLDEN ||
            expects(s->body))
            return true;
    }
    return false;
}

void bl_lint_tests(struct bl_linter *l)
{
    for (size_t i = 0; i < l->program->tests.count; i++) {
        const struct bl_test *test = &l->program->tests.items[i];

        if (test->file->package->is_root && !expects(test->body))
            bl_lint_report(l, BL_D_TEST_EXPECTS_NOTHING, test->name->span);
    }
}
