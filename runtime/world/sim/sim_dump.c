/* SPDX-License-Identifier: Apache-2.0 */
#include "base/time.h"
#include "world/sim/sim_file.h"

/* The model as a world file. What loading would set anyway is left out, so that a dump shows
 * what happened. */

struct dump {
    const struct bl_sim *sim;
    struct bl_json_writer json;
};

static void put_thing(struct dump *d, struct bl_object *thing);

static void put_time(struct dump *d, int64_t time)
{
    char text[BL_TIME_TEXT_MAX];
    bl_json_string(&d->json, (bl_str){text, bl_time_format(time, text)});
}

static void put_object(struct dump *d, struct bl_object *object)
{
    enum bl_entity entity = (enum bl_entity)object->entity;
    if (entity == BL_ENTITY_USER || entity == BL_ENTITY_COMMIT) {
        bl_json_string(&d->json, object->name);
    } else if (entity == BL_ENTITY_ISSUE) {
        bl_json_integer(&d->json, object->key);
    } else {
        put_thing(d, object);
    }
}

static void put_value(struct dump *d, struct bl_value v)
{
    if (v.tag == BL_V_TEXT) {
        bl_json_string(&d->json, bl_text_of(v));
    } else if (v.tag == BL_V_BOOL) {
        bl_json_bool(&d->json, v.as.i != 0);
    } else if (v.tag == BL_V_TIME) {
        put_time(d, v.as.i);
    } else if (v.tag == BL_V_ENUM) {
        bl_json_string(&d->json, bl_enum_member((enum bl_enum)v.aux, (unsigned)v.as.i));
    } else if (v.tag == BL_V_OBJECT) {
        put_object(d, v.as.object);
    } else if (v.tag == BL_V_LIST) {
        bl_json_begin_array(&d->json);
        for (uint32_t i = 0; i < v.as.list->count; i++) {
            put_value(d, v.as.list->items[i]);
        }
        bl_json_end_array(&d->json);
    } else {
        bl_json_integer(&d->json, v.as.i);
    }
}

/* Is this what the field is when its key is left out? */
static bool is_default(struct bl_value v, bl_type type)
{
    if (v.tag == BL_V_LIST) {
        return v.as.list->count == 0;
    }
    if (v.tag == BL_V_TEXT) {
        return v.len == 0;
    }
    return v.tag == BL_V_ABSENT || (v.tag == BL_V_BOOL && v.as.i == 0) ||
           (bl_type_is(type, BL_TYPE_INT) && v.as.i == 0);
}

static void put_fields(struct dump *d, const struct bl_object *thing,
                       const struct bl_object *but)
{
    const struct bl_entity_info *info = bl_entity_info((enum bl_entity)thing->entity);
    for (unsigned i = 0; i < info->field_count; i++) {
        enum bl_field field = (enum bl_field)(info->first_field + i);
        const struct bl_field_info *row = bl_field_info(field);
        struct bl_value v = bl_object_get(thing, field);
        bool elsewhere = but != NULL && bl_field_find((enum bl_entity)but->entity, row->name) !=
                                            BL_FIELD_COUNT;
        if (!elsewhere && bl_object_knows(thing, field) && !bl_sim_field_follows(field) &&
            !is_default(v, row->type)) {
            bl_json_key(&d->json, row->name);
            put_value(d, v);
        }
    }
}

static void put_extra(struct dump *d, const struct bl_sim_extra_row *row, const void *member)
{
    if (row->kind == BL_SIM_EXTRA_TIME || row->kind == BL_SIM_EXTRA_NUMBER) {
        int64_t number = *(const int64_t *)member;
        if (number != 0) {
            bl_json_key(&d->json, row->key);
            if (row->kind == BL_SIM_EXTRA_TIME) {
                put_time(d, number);
            } else {
                bl_json_integer(&d->json, number);
            }
        }
        return;
    }
    bl_str text = *(const bl_str *)member;
    if (text.len > 0) {
        bl_json_key(&d->json, row->key);
        bl_json_string(&d->json, text);
    }
}

static void put_extras(struct dump *d, const struct bl_object *thing)
{
    for (size_t i = 0; i < bl_sim_extra_count(); i++) {
        const struct bl_sim_extra_row *row = bl_sim_extra_at(i);
        if ((unsigned)row->entity == thing->entity) {
            put_extra(d, row, (const char *)thing->handle + row->offset);
        }
    }
}

static void put_thing(struct dump *d, struct bl_object *thing)
{
    bl_json_begin_object(&d->json);
    if (thing->entity == BL_ENTITY_PULL_REQUEST) {
        put_fields(d, thing->handle, NULL);
        put_extras(d, thing->handle);
        put_fields(d, thing, thing->handle);
    } else {
        put_fields(d, thing, NULL);
        put_extras(d, thing);
    }
    bl_json_end_object(&d->json);
}

static bool is_dumped(const struct bl_object *thing, bool dismissed)
{
    if (thing->entity == BL_ENTITY_ALERT) {
        const struct bl_sim_alert_more *more = thing->handle;
        return (more->dismissed.len > 0) == dismissed;
    }
    if (thing->entity == BL_ENTITY_ISSUE) {
        return bl_object_get(thing, BL_FIELD_ISSUE_IS_PULL_REQUEST).as.i == 0;
    }
    /* A commit that was only named comes back when it is named again. */
    return thing->entity != BL_ENTITY_COMMIT ||
           bl_object_knows(thing, BL_FIELD_COMMIT_COMMITTED_AT);
}

static void put_some(struct dump *d, const char *key, enum bl_entity entity, bool dismissed)
{
    const struct bl_sim_things *things = &d->sim->things[entity];
    bool begun = false;
    for (size_t i = 0; i < things->count; i++) {
        if (!is_dumped(things->items[i], dismissed)) {
            continue;
        }
        if (!begun) {
            bl_json_key(&d->json, bl_str_from(key));
            bl_json_begin_array(&d->json);
            begun = true;
        }
        put_thing(d, things->items[i]);
    }
    if (begun) {
        bl_json_end_array(&d->json);
    }
}

static void put_things(struct dump *d, const char *key, enum bl_entity entity)
{
    put_some(d, key, entity, false);
}

static void put_texts(struct dump *d, const char *key, const bl_str *items, size_t count)
{
    if (count == 0) {
        return;
    }
    bl_json_key(&d->json, bl_str_from(key));
    bl_json_begin_array(&d->json);
    for (size_t i = 0; i < count; i++) {
        bl_json_string(&d->json, items[i]);
    }
    bl_json_end_array(&d->json);
}

static void put_text(struct dump *d, const char *key, bl_str text)
{
    if (text.len > 0) {
        bl_json_key(&d->json, bl_str_from(key));
        bl_json_string(&d->json, text);
    }
}

static void put_labels(struct dump *d)
{
    if (d->sim->labels.count == 0) {
        return;
    }
    bl_json_key(&d->json, BL_STR("labels"));
    bl_json_begin_array(&d->json);
    for (size_t i = 0; i < d->sim->labels.count; i++) {
        const struct bl_sim_label_row *row = &d->sim->labels.items[i];
        bl_json_begin_object(&d->json);
        put_text(d, "name", row->name);
        put_text(d, "color", row->color);
        put_text(d, "description", row->description);
        bl_json_end_object(&d->json);
    }
    bl_json_end_array(&d->json);
}

static void put_milestones(struct dump *d)
{
    if (d->sim->milestones.count == 0) {
        return;
    }
    bl_json_key(&d->json, BL_STR("milestones"));
    bl_json_begin_array(&d->json);
    for (size_t i = 0; i < d->sim->milestones.count; i++) {
        bl_json_begin_object(&d->json);
        put_text(d, "title", d->sim->milestones.items[i].title);
        bl_json_key(&d->json, BL_STR("closed"));
        bl_json_bool(&d->json, d->sim->milestones.items[i].closed);
        bl_json_end_object(&d->json);
    }
    bl_json_end_array(&d->json);
}

static void put_named(struct dump *d, const char *key, const struct bl_sim_setting *items,
                      size_t count)
{
    if (count == 0) {
        return;
    }
    bl_json_key(&d->json, bl_str_from(key));
    bl_json_begin_object(&d->json);
    for (size_t i = 0; i < count; i++) {
        bl_json_key(&d->json, items[i].name);
        bl_json_string(&d->json, items[i].value);
    }
    bl_json_end_object(&d->json);
}

static void put_head(struct dump *d)
{
    const struct bl_sim *sim = d->sim;
    bl_json_key(&d->json, BL_STR("now"));
    put_time(d, sim->now);
    put_text(d, "repository", sim->repository);
    bl_json_key(&d->json, BL_STR("public"));
    bl_json_bool(&d->json, sim->is_public);
    put_text(d, "default_branch",
             bl_text_of(bl_object_get(sim->self, BL_FIELD_REPOSITORY_DEFAULT_BRANCH)));
    if (sim->closes_at_merge) {
        bl_json_key(&d->json, BL_STR("closes_at_merge"));
        bl_json_bool(&d->json, true);
    }
    put_text(d, "account", sim->account);
}

void bl_sim_dump(const struct bl_sim *sim, struct bl_buf *out)
{
    struct dump d = {.sim = sim};
    bl_json_writer_init(&d.json, out, true);
    bl_json_begin_object(&d.json);
    put_head(&d);
    put_things(&d, "users", BL_ENTITY_USER);
    put_labels(&d);
    put_milestones(&d);
    put_things(&d, "commits", BL_ENTITY_COMMIT);
    put_things(&d, "issues", BL_ENTITY_ISSUE);
    put_things(&d, "pull_requests", BL_ENTITY_PULL_REQUEST);
    put_things(&d, "discussions", BL_ENTITY_DISCUSSION);
    put_things(&d, "releases", BL_ENTITY_RELEASE);
    put_things(&d, "statuses", BL_ENTITY_STATUS);
    put_things(&d, "open_alerts", BL_ENTITY_ALERT);
    put_some(&d, "dismissed_alerts", BL_ENTITY_ALERT, true);
    put_things(&d, "runs", BL_ENTITY_RUN);
    put_texts(&d, "tracked_files", sim->files.items, sim->files.count);
    put_named(&d, "checkout", sim->checkout.items, sim->checkout.count);
    if (sim->checkout_commit.len > 0) {
        put_text(&d, "checkout_commit", sim->checkout_commit);
    }
    put_texts(&d, "public_repositories", sim->public_repositories.items,
              sim->public_repositories.count);
    put_texts(&d, "foreign_issues", sim->foreign_issues.items, sim->foreign_issues.count);
    put_named(&d, "job_files", sim->job_files.items, sim->job_files.count);
    put_named(&d, "stores", sim->stores.items, sim->stores.count);
    if (sim->git_reading.ptr != NULL) {
        put_text(&d, "git_reading", sim->git_reading);
    }
    put_named(&d, "variables", sim->variables.items, sim->variables.count);
    put_texts(&d, "secrets", sim->secrets.items, sim->secrets.count);
    bl_json_end_object(&d.json);
    bl_buf_put_char(out, '\n');
}
