/* SPDX-License-Identifier: Apache-2.0 */
#include "spec/tables.h"
#include "support/check.h"
#include "unit/world/github/github_fixture.h"

#include <stdio.h>
#include <string.h>

/* req: TST-25 */
/* Every effect that a policy can have, carried out with every answer to its looks: what is sent
 * that changes something is one of these, on the issue, comment, commit or alert of the effect.
 * No label or comment is deleted, no issue or pull request is made, and nothing else is
 * written to. */

static struct fixture f;
static struct bl_failure failure;

static const struct {
    enum bl_github_method method;
    const char *path; /* behind the API's host */
} allowed[] = {
    {BL_GITHUB_POST, "/repos/octo/demo/labels"},
    {BL_GITHUB_PATCH, "/repos/octo/demo/labels/bug"},
    {BL_GITHUB_PATCH, "/repos/octo/demo/issues/comments/900"},
    {BL_GITHUB_POST, "/repos/octo/demo/issues/comments/900/reactions"},
    {BL_GITHUB_POST, "/repos/octo/demo/issues/12/labels"},
    {BL_GITHUB_DELETE, "/repos/octo/demo/issues/12/labels/bug"},
    {BL_GITHUB_POST, "/repos/octo/demo/issues/12/comments"},
    {BL_GITHUB_PATCH, "/repos/octo/demo/issues/12"},
    {BL_GITHUB_PUT, "/repos/octo/demo/issues/12/lock"},
    {BL_GITHUB_POST, "/repos/octo/demo/milestones"},
    {BL_GITHUB_POST, "/repos/octo/demo/statuses/6113728f"},
    {BL_GITHUB_PATCH, "/repos/octo/demo/code-scanning/alerts/7"},
};
#define ALLOWED_COUNT (sizeof allowed / sizeof allowed[0])

static bool used[ALLOWED_COUNT];

static void check_sent_is_allowed(const struct sent *sent)
{
    const char *path = strstr(sent->url, "/repos/");

    if (sent->method == BL_GITHUB_GET)
        return;
    /* The only GraphQL that writes sets an issue's labels or state, by its node. */
    if (strstr(sent->url, "/graphql") != NULL) {
        check(strstr(sent->body, "mutation") == NULL ||
              strstr(sent->body, "addLabelsToLabelable") != NULL ||
              strstr(sent->body, "updateIssue") != NULL ||
              strstr(sent->body, "closeIssue") != NULL);
        return;
    }
    for (size_t i = 0; path != NULL && i < ALLOWED_COUNT; i++) {
        if (allowed[i].method == sent->method && strcmp(allowed[i].path, path) == 0) {
            used[i] = true;
            return;
        }
    }
    check_case("%d %s", (int)sent->method, sent->url);
    check(false);
}

static struct bl_object *acted_on(enum bl_effect effect)
{
    if (effect == BL_EFFECT_STATUS)
        return thing(&f, BL_ENTITY_COMMIT, 0, "6113728f");
    if (effect == BL_EFFECT_DISMISS)
        return thing(&f, BL_ENTITY_ALERT, 7, "octo/demo");
    return effect == BL_EFFECT_MARK || effect == BL_EFFECT_REACT
               ? thing(&f, BL_ENTITY_COMMENT, 900, "octo/demo")
               : thing(&f, BL_ENTITY_ISSUE, 12, "octo/demo");
}

static void carry_out(enum bl_effect effect)
{
    const bl_str bug = BL_STR("bug");
    struct bl_value args[4] = {bl_object_value(acted_on(effect)), bl_text(bug), bl_absent(),
                               bl_absent()};
    struct bl_effect_call call = {.effect = effect,
                                  .args = args,
                                  .arg_count = 4,
                                  .body = BL_STR("<!-- demo:kind a=1 -->"),
                                  .account = BL_STR("bot[bot]"),
                                  .label_color = BL_STR("ededed"),
                                  .label_description = BL_STR("Waits.")};

    if (effect == BL_EFFECT_ENSURE_LABEL) {
        args[0] = bl_text(bug);
    } else if (effect == BL_EFFECT_CLOSE) {
        args[1] = bl_member_value(BL_ENUM_STATE_REASON, BL_STATE_REASON_NOT_PLANNED);
    } else if (effect == BL_EFFECT_LOCK) {
        args[1] = bl_member_value(BL_ENUM_LOCK_REASON, 0);
    } else if (effect == BL_EFFECT_REACT) {
        args[1] = bl_member_value(BL_ENUM_REACTION_KIND, 0);
    } else if (effect == BL_EFFECT_DISMISS) {
        args[1] = bl_member_value(BL_ENUM_DISMISSAL, 0);
        args[2] = bl_text(BL_STR("x"));
    } else if (effect == BL_EFFECT_STATUS) {
        args[2] = bl_member_value(BL_ENUM_STATUS_STATE, 0);
        args[3] = bl_text(BL_STR("x"));
    }
    (void)bl_github_world(f.github)->write(f.github, &f.arena, &call, &failure);
}

TEST(no_effect_reaches_further_than_it_says)
{
    static const struct reply first[] = {
        OK("{}"),
        OK("[]"),
        ANSWER(404, "{}"),
        OK(ISSUE("")),
        ANSWER(422, "{\"errors\":[{\"resource\":\"Label\",\"code\":\"already_exists\","
                    "\"field\":\"name\"}]}"),
        OK("{\"name\":\"bug\",\"color\":\"ffffff\",\"description\":\"x\"}"),
        OK("[{\"title\":\"bug\",\"number\":3,\"state\":\"closed\"}]"),
        OK("{\"id\":900,\"body\":\"<!-- demo:kind a=0 -->\\nText\",\"user\":{\"login\":"
           "\"bot[bot]\",\"id\":1,\"type\":\"Bot\"}}"),
    };

    for (unsigned effect = 0; effect < BL_EFFECT_COUNT; effect++) {
        for (size_t i = 0; i < sizeof first / sizeof first[0]; i++) {
            const struct reply replies[] = {first[i], ANSWER(201, "{\"number\":3}"), OK("{}"),
                                            OK("[]"), OK("{}")};

            check_case("%s, answer %d", bl_effect_info((enum bl_effect)effect)->words.ptr,
                       (int)i);
            begin_client(&f, NULL, NULL);
            give_replies(&f, replies, sizeof replies / sizeof replies[0]);
            carry_out((enum bl_effect)effect);
            for (size_t s = 0; s < f.sent_count; s++)
                check_sent_is_allowed(&f.sent[s]);
            end_client(&f);
        }
    }
    /* Each is there because an effect needs it. */
    for (size_t i = 0; i < ALLOWED_COUNT; i++) {
        check_case("%s", allowed[i].path);
        check(used[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_effect_reaches_further_than_it_says)};
    return check_main(tests);
}
