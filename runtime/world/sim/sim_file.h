/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_WORLD_SIM_SIM_FILE_H
#define BL_WORLD_SIM_SIM_FILE_H

#include "event/json.h"
#include "world/sim/sim_model.h"

/* World files: what loading (sim_load.c, sim_entry.c) and dumping (sim_dump.c) share. Private
 * to this room. */

enum bl_sim_extra_kind {
    BL_SIM_EXTRA_TIME,      /* int64_t */
    BL_SIM_EXTRA_NUMBER,    /* int64_t, 0: not there */
    BL_SIM_EXTRA_NAME,      /* bl_str, empty: not there */
    BL_SIM_EXTRA_LOCK,      /* bl_str, a word of lock_reason */
    BL_SIM_EXTRA_DISMISSAL, /* bl_str, a word of dismissal */
};
struct bl_sim_extra_row {
    enum bl_entity entity;
    bl_str key;
    enum bl_sim_extra_kind kind;
    size_t offset; /* in what `handle` points to */
};
size_t bl_sim_extra_count(void);
const struct bl_sim_extra_row *bl_sim_extra_at(size_t index);

struct bl_sim_loader {
    struct bl_sim *sim;
    struct bl_diagnostics *sink;
    uint32_t source;
    bool broken; /* a mistake was reported */
};

/* Reports a mistake about a node. `argument` may be NULL. Always false. */
bool bl_sim_report(struct bl_sim_loader *loader, enum bl_diagnostic_code code,
                   const struct bl_json *node, const char *argument, bl_str value);
/* "'issues[0].titel' is not known here" with the nearest of the keys, which `next` lists. */
bool bl_sim_report_key(struct bl_sim_loader *loader, const struct bl_json *node,
                       bl_str (*next)(const void *context, size_t index), const void *context);

/* A value as a type wants it, with the model's own things. `holder` is what the value stands
 * in. */
bool bl_sim_convert(struct bl_sim_loader *loader, const struct bl_json *node, bl_type type,
                    struct bl_object *holder, struct bl_value *out);

/* Sets the fields of an object from its entry: unknown and missing keys are mistakes. False
 * when something of it cannot be used. */
bool bl_sim_fill(struct bl_sim_loader *loader, const struct bl_json *entry,
                 struct bl_object *object);

/* Does this field follow from others, so that it is neither loaded nor dumped? */
bool bl_sim_field_follows(enum bl_field field);

/* What an entry says under a key that is a name, a number above zero …; false with a mistake
 * reported when it does not. */
bool bl_sim_read_number(struct bl_sim_loader *loader, const struct bl_json *entry,
                        const char *key, int64_t *out);
bool bl_sim_read_name(struct bl_sim_loader *loader, const struct bl_json *entry,
                      const char *key, bl_type type, bl_str *out);

/* An object of names and texts, each added. */
bool bl_sim_load_named(struct bl_sim_loader *l, const struct bl_json *node,
                       enum bl_status (*add)(struct bl_sim *sim, bl_str name, bl_str text));

/* The plain keys at the top of a world file: sim_load_plain.c. */
bool bl_sim_load_tracked_files(struct bl_sim_loader *l, const struct bl_json *node);
bool bl_sim_load_secrets(struct bl_sim_loader *l, const struct bl_json *node);
bool bl_sim_load_public_repositories(struct bl_sim_loader *l, const struct bl_json *node);
bool bl_sim_load_variables(struct bl_sim_loader *l, const struct bl_json *node);
bool bl_sim_load_job_files(struct bl_sim_loader *l, const struct bl_json *node);
bool bl_sim_load_stores(struct bl_sim_loader *l, const struct bl_json *node);
bool bl_sim_load_checkout(struct bl_sim_loader *l, const struct bl_json *node);
bool bl_sim_load_checkout_commit(struct bl_sim_loader *l, const struct bl_json *node);
bool bl_sim_load_git_reading(struct bl_sim_loader *l, const struct bl_json *node);
bool bl_sim_load_foreign_issues(struct bl_sim_loader *l, const struct bl_json *node);

#endif
