/* SPDX-License-Identifier: Apache-2.0 */
#include "world/github/github_parts.h"

/* What is so already where no field of the language says it: the label, the milestone, the
 * status that an effect would write. One GET each. */

#define WORDS_BYTES 400

struct looking {
    struct bl_github *github;
    const struct bl_effect_call *call;
    struct bl_failure *failure;
    struct bl_buf url;
    const struct bl_json *json;
};

static struct bl_value argument(const struct looking *l, size_t index)
{
    return index < l->call->arg_count ? l->call->args[index] : bl_absent();
}

static bool says(const struct bl_json *json, const char *path, bl_str value, bool nocase)
{
    const struct bl_json *node = bl_json_at(json, bl_str_from(path));
    bl_str text = node != NULL && node->kind == BL_JSON_STRING ? node->string : BL_STR("");
    return nocase ? bl_str_equal_nocase(text, value) : bl_str_equal(text, value);
}

static enum bl_github_outcome get(struct looking *l, enum bl_json_kind kind)
{
    struct bl_github_result result = {.json = NULL};
    if (!bl_github_url_end(l->github, &l->url, l->failure)) {
        return BL_GITHUB_FAILED;
    }
    const struct bl_github_call call = {
        .method = BL_GITHUB_GET,
        .url = bl_buf_str(&l->url),
        .elsewhere_is_missing = true,
        .permission = bl_effect_info(l->call->effect)->permission,
    };
    enum bl_github_outcome outcome = bl_github_call(l->github, &call, &result, l->failure);
    if (outcome == BL_GITHUB_DONE && (result.json == NULL || result.json->kind != kind)) {
        return bl_github_wrong_shape(l->github, &call, l->failure);
    }
    l->json = result.json;
    return outcome;
}

static enum bl_github_outcome label_holds(struct looking *l, bool *there)
{
    bl_github_url_below(l->github, &l->url, "/labels/");
    bl_address_put_step(&l->url, bl_text_of(argument(l, 0)));
    enum bl_github_outcome outcome = get(l, BL_JSON_OBJECT);
    *there = outcome == BL_GITHUB_DONE && says(l->json, "color", l->call->label_color, true) &&
             says(l->json, "description", l->call->label_description, false);
    return outcome;
}

static enum bl_github_outcome milestone_holds(struct looking *l, bool *there)
{
    const struct bl_object *target =
        l->call->target != NULL ? l->call->target : bl_object_of(argument(l, 0));
    bl_str title = bl_text_of(argument(l, 1));
    /* What acts on nothing, or elsewhere, is refused by the write. */
    if (target == NULL || !bl_str_equal_nocase(target->name, l->github->options.repository)) {
        return BL_GITHUB_DONE;
    }
    bl_github_url_below(l->github, &l->url, "/issues/");
    bl_buf_put_int(&l->url, target->key);
    enum bl_github_outcome outcome = get(l, BL_JSON_OBJECT);
    *there = outcome == BL_GITHUB_DONE && title.len > 0 &&
             says(l->json, "milestone.title", title, false);
    return outcome;
}

/* The newest comes first. One that stands behind a hundred others is set again. */
static enum bl_github_outcome status_holds(struct looking *l, bool *there)
{
    const struct bl_object *commit = bl_object_of(argument(l, 0));
    if (commit == NULL) {
        return BL_GITHUB_DONE;
    }
    bl_github_url_below(l->github, &l->url, "/commits/");
    bl_address_put_step(&l->url, commit->name);
    BL_PUT(&l->url, "/statuses?per_page=100");
    enum bl_github_outcome outcome = get(l, BL_JSON_ARRAY);
    for (size_t i = 0; outcome == BL_GITHUB_DONE && i < l->json->count; i++) {
        const struct bl_json *status = &l->json->items[i];
        if (says(status, "context", bl_text_of(argument(l, 1)), false)) {
            bl_str state = bl_enum_member(BL_ENUM_STATUS_STATE, (unsigned)argument(l, 2).as.i);
            *there = says(status, "state", state, false) &&
                     says(status, "description", bl_text_of(argument(l, 3)), false) &&
                     says(status, "creator.login", l->call->account, true);
            return outcome;
        }
    }
    return outcome;
}

/* Whoever closed it first has said why: also an alert that is fixed needs no dismissal. */
static enum bl_github_outcome alert_holds(struct looking *l, bool *there)
{
    const struct bl_object *alert = bl_object_of(argument(l, 0));
    if (alert == NULL || !bl_str_equal_nocase(alert->name, l->github->options.repository)) {
        return BL_GITHUB_DONE;
    }
    bl_github_url_below(l->github, &l->url, "/code-scanning/alerts/");
    bl_buf_put_int(&l->url, alert->key);
    enum bl_github_outcome outcome = get(l, BL_JSON_OBJECT);
    *there = outcome == BL_GITHUB_DONE && (says(l->json, "state", BL_STR("dismissed"), false) ||
                                           says(l->json, "state", BL_STR("fixed"), false));
    return outcome;
}

enum bl_answer bl_github_holds(void *self, struct bl_arena *arena,
                               const struct bl_effect_call *call, bool *there,
                               struct bl_failure *failure)
{
    struct bl_github *github = self;
    struct looking l = {.github = github, .call = call, .failure = failure};
    enum bl_github_outcome outcome = BL_GITHUB_DONE;
    *failure = (struct bl_failure){.again = false};
    *there = false;
    bl_github_scratch_begin(github);
    if (call->effect == BL_EFFECT_ENSURE_LABEL) {
        outcome = label_holds(&l, there);
    } else if (call->effect == BL_EFFECT_MILESTONE) {
        outcome = milestone_holds(&l, there);
    } else if (call->effect == BL_EFFECT_STATUS) {
        outcome = status_holds(&l, there);
    } else if (call->effect == BL_EFFECT_DISMISS) {
        outcome = alert_holds(&l, there);
    }
    if (outcome == BL_GITHUB_FAILED || outcome == BL_GITHUB_UNKNOWN) {
        struct bl_buf what;
        bl_buf_init(&what, arena, WORDS_BYTES);
        bl_buf_printf(&what, "Whether '%.*s' is needed could not be read",
                      BL_STR_ARG(bl_effect_info(call->effect)->words));
        failure->what = bl_buf_str(&what);
    }
    return bl_github_answer(outcome);
}
