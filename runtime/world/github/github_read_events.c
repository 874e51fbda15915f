/* SPDX-License-Identifier: Apache-2.0 */
#include "base/time.h"
#include "event/names.h"
#include "world/github/github_read.h"

/* What happened to an issue, and reactions: elements of lists that payloads do not have. */

static bool take_time(const struct bl_json *json, const char *key, struct bl_value *out)
{
    const struct bl_json *node = bl_json_get(json, bl_str_from(key));
    int64_t seconds;
    if (node == NULL || node->kind != BL_JSON_STRING ||
        !bl_time_parse(node->string, &seconds)) {
        return false;
    }
    *out = bl_number(BL_V_TIME, seconds);
    return true;
}

static bool take_id(const struct bl_json *json, int64_t *out)
{
    const struct bl_json *node = bl_json_get(json, BL_STR("id"));
    *out = node != NULL && node->kind == BL_JSON_INT ? node->integer : 0;
    return *out > 0;
}

/* Who an assignment says did it is in `assigner`: its actor is who was assigned. */
static const struct bl_json *actor_of(const struct bl_json *json)
{
    const struct bl_json *assigner = bl_json_get(json, BL_STR("assigner"));
    return assigner != NULL ? assigner : bl_json_get(json, BL_STR("actor"));
}

struct bl_object *bl_github_timeline_event(struct bl_github *github, const struct bl_json *json,
                                           struct bl_github_item *item)
{
    struct bl_payload_reader reader = bl_github_reader(github);
    const struct bl_json *word = bl_json_get(json, BL_STR("event"));
    const struct bl_json *label = bl_json_at(json, BL_STR("label.name"));
    const struct bl_json *actor = actor_of(json);
    struct bl_value at;
    int64_t id;
    if (word == NULL || word->kind != BL_JSON_STRING) {
        return NULL;
    }
    unsigned kind = bl_enum_member_find(BL_ENUM_TIMELINE_KIND, word->string);
    item->skip = kind >= bl_enum_member_count(BL_ENUM_TIMELINE_KIND);
    if (item->skip) {
        return NULL;
    }
    if (actor == NULL || !take_id(json, &id) || !take_time(json, "created_at", &at)) {
        return NULL;
    }
    bool labels = kind == BL_TIMELINE_KIND_LABELED || kind == BL_TIMELINE_KIND_UNLABELED;
    if (labels &&
        (label == NULL || label->kind != BL_JSON_STRING || !bl_is_name(label->string))) {
        return NULL;
    }
    struct bl_object *user = bl_payload_user(&reader, actor, NULL);
    struct bl_object *event = bl_object_create(&github->scratch, BL_ENTITY_TIMELINE_EVENT, id,
                                               github->options.repository);
    if (user == NULL || event == NULL) {
        return NULL;
    }
    bl_object_set(event, BL_FIELD_TIMELINE_EVENT_KIND,
                  bl_member_value(BL_ENUM_TIMELINE_KIND, kind));
    bl_object_set(event, BL_FIELD_TIMELINE_EVENT_ACTOR, bl_object_value(user));
    bl_object_set(event, BL_FIELD_TIMELINE_EVENT_AT, at);
    bl_object_set(event, BL_FIELD_TIMELINE_EVENT_LABEL,
                  labels ? bl_text(label->string) : bl_absent());
    return event;
}

struct bl_object *bl_github_reaction(struct bl_github *github, const struct bl_json *json,
                                     struct bl_github_item *item)
{
    static const struct {
        bl_str content;
        unsigned kind;
    } contents[] = {
        {{"+1", 2}, BL_REACTION_KIND_THUMBS_UP}, {{"-1", 2}, BL_REACTION_KIND_THUMBS_DOWN},
        {{"eyes", 4}, BL_REACTION_KIND_EYES},    {{"confused", 8}, BL_REACTION_KIND_CONFUSED},
        {{"heart", 5}, BL_REACTION_KIND_HEART},  {{"hooray", 6}, BL_REACTION_KIND_HOORAY},
        {{"laugh", 5}, BL_REACTION_KIND_LAUGH},  {{"rocket", 6}, BL_REACTION_KIND_ROCKET},
    };
    const size_t count = sizeof(contents) / sizeof(contents[0]);
    struct bl_payload_reader reader = bl_github_reader(github);
    const struct bl_json *content = bl_json_get(json, BL_STR("content"));
    const struct bl_json *user = bl_json_get(json, BL_STR("user"));
    struct bl_value at;
    int64_t id;
    size_t i = 0;
    if (content == NULL || content->kind != BL_JSON_STRING || user == NULL ||
        !take_id(json, &id) || !take_time(json, "created_at", &at)) {
        return NULL;
    }
    while (i < count && !bl_str_equal(contents[i].content, content->string)) {
        i++;
    }
    item->skip = i == count;
    if (item->skip) {
        return NULL;
    }
    struct bl_object *person = bl_payload_user(&reader, user, NULL);
    struct bl_object *thing =
        bl_object_create(&github->scratch, BL_ENTITY_REACTION, id, github->options.repository);
    if (person == NULL || thing == NULL) {
        return NULL;
    }
    bl_object_set(thing, BL_FIELD_REACTION_USER, bl_object_value(person));
    bl_object_set(thing, BL_FIELD_REACTION_KIND,
                  bl_member_value(BL_ENUM_REACTION_KIND, contents[i].kind));
    bl_object_set(thing, BL_FIELD_REACTION_AT, at);
    return thing;
}
