/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_WORLD_SIM_SIM_MODEL_H
#define BL_WORLD_SIM_SIM_MODEL_H

#include "world/sim/sim.h"

/* The repository as the simulator holds it. Private to this room.
 *
 * Things are bl_objects with the fields of entities.def, so that loading, reading and dumping
 * go over the table and a new field needs no line here. Their objects are the model's own; what
 * the machine gets are objects of its snapshot (sim_read.c). What entities.def does not have is
 * in the structs behind `handle`. In a repository that is known in part (seeded from a payload)
 * fields may be unknown; in every other one the functions that add a thing set them all. */

/* Things of one entity, sorted by key and then by name without case. */
struct bl_sim_things {
    struct bl_object **items;
    size_t count;
    size_t capacity;
};

struct bl_sim_label_row {
    bl_str name;
    bl_str color;
    bl_str description;
};
struct bl_sim_milestone {
    bl_str title;
    bool closed;
};
struct bl_sim_setting {
    bl_str name;
    bl_str value;
};

/* Behind an ISSUE, which a pull request is too. */
struct bl_sim_issue_more {
    int64_t updated_at;
    bl_str milestone;       /* empty: none */
    bl_str lock_reason;     /* a word of lock_reason; empty: none */
    int64_t duplicate_of;   /* 0: none */
    int64_t suggested;      /* of which a duplicate was suggested; 0: none */
    struct bl_object *pull; /* the PULL_REQUEST of this number; NULL: an issue */
};
/* Behind a COMMENT. */
struct bl_sim_comment_more {
    int64_t updated_at;
};
/* Behind a RELEASE. */
struct bl_sim_release_more {
    int64_t id;
    bl_str commit;
};

/* Behind a STATUS. */
struct bl_sim_status_more {
    bl_str description;
};

/* Behind an ALERT. */
struct bl_sim_alert_more {
    bl_str dismissed; /* a word of dismissal; empty: it is open */
    bl_str comment;   /* the words for it */
};

/* Behind a RUN. */
struct bl_sim_run_more {
    bl_str workflow; /* the name of its file */
};

struct bl_sim_texts {
    bl_str *items;
    size_t count;
    size_t capacity;
};

struct bl_sim_files {
    struct bl_sim_setting *items;
    size_t count;
    size_t capacity;
};

struct bl_sim_planned_fault {
    enum bl_sim_fault fault;
    unsigned skip;
    unsigned times;
};

struct bl_sim {
    struct bl_arena *arena;
    struct bl_world world;
    bl_str repository;
    bl_str account;
    int64_t now;
    bool partial; /* known from a payload alone */
    bool loaded;
    bool is_public;
    bool closes_at_merge;
    struct bl_object *self; /* the REPOSITORY */
    struct bl_sim_things things[BL_ENTITY_COUNT];
    BL_VEC(struct bl_sim_label_row) labels;
    BL_VEC(struct bl_sim_milestone) milestones;
    BL_VEC(struct bl_sim_setting) variables;
    struct bl_sim_texts secrets;
    struct bl_sim_texts files;
    struct bl_sim_texts foreign_issues; /* "owner/name#7", of public repositories */
    struct bl_sim_texts public_repositories;
    struct bl_sim_files job_files;
    struct bl_sim_files checkout; /* tracked files whose text is known */
    struct bl_sim_files stores;   /* the files of stores by their paths */
    bl_str checkout_commit;       /* empty: one that is made up */
    bl_str git_reading;           /* of every patch; NULL: that of `git` */
    struct bl_sim_git git;
    int64_t last_run; /* of runs and their jobs */
    int64_t last_id;  /* of comments, timeline events, reactions, edits, statuses */
    struct bl_sim_planned_fault read_faults[BL_READ_COUNT];
    struct bl_sim_planned_fault write_fault;
    uint32_t page;
    bool cut;
    size_t writes_left; /* before the cut */
    BL_VEC(bl_str) written;
    bl_str problem;
};

/* Names the repository; only before there are things in it. */
bool bl_sim_set_repository(struct bl_sim *sim, bl_str name);

/* Texts are copied into the model; on failure the arena has failed. */
bl_str bl_sim_keep(struct bl_sim *sim, bl_str text);
struct bl_value bl_sim_keep_text(struct bl_sim *sim, bl_str text);

struct bl_object *bl_sim_find(const struct bl_sim *sim, enum bl_entity entity, int64_t key,
                              bl_str name);
/* Adds a thing that is not there yet, with no field known; NULL when out of memory. Numbered
 * things take the name of the repository. */
struct bl_object *bl_sim_add(struct bl_sim *sim, enum bl_entity entity, int64_t key,
                             bl_str name);
void bl_sim_remove(struct bl_sim *sim, struct bl_object *object);
int64_t bl_sim_next_id(struct bl_sim *sim);
/* A number that no issue, pull request or discussion has. */
int64_t bl_sim_next_number(const struct bl_sim *sim);

/* The user of a login, added as a stranger when new; NULL when out of memory or no login. */
struct bl_object *bl_sim_user_of(struct bl_sim *sim, bl_str login);
struct bl_object *bl_sim_issue_of(const struct bl_sim *sim, int64_t number);
struct bl_object *bl_sim_commit_of(struct bl_sim *sim, bl_str sha);
struct bl_sim_issue_more *bl_sim_issue_more(struct bl_object *issue);
struct bl_sim_comment_more *bl_sim_comment_more(struct bl_object *comment);

/* A new issue with everything known, without history. `pull`: it is a pull request, whose own
 * thing is added too. */
struct bl_object *bl_sim_add_issue(struct bl_sim *sim, int64_t number, struct bl_object *author,
                                   bl_str title, bl_str text, int64_t at, bool pull);
/* Sets every field that is not known to what it is when nothing was said. */
bool bl_sim_complete(struct bl_sim *sim, struct bl_object *object);

/* The address of something below the repository. */
struct bl_value bl_sim_link(struct bl_sim *sim, bl_str path);
/* The list in a field; NULL when it is not known. */
struct bl_list *bl_sim_list(const struct bl_object *object, enum bl_field field);
/* Sets the field to a new, empty list; NULL when out of memory. */
struct bl_list *bl_sim_new_list(struct bl_sim *sim, struct bl_object *object,
                                enum bl_field field);
/* Puts an object into a list that is sorted by the time in `at_field`, behind its equals. */
bool bl_sim_insert(struct bl_sim *sim, struct bl_list *list, struct bl_object *object,
                   enum bl_field at_field);

/* Sorts things; those of which neither goes before the other keep their order. */
typedef bool bl_sim_before(const struct bl_object *a, const struct bl_object *b);
bool bl_sim_sort(struct bl_sim *sim, struct bl_list *list, bl_sim_before *before);

/* Whether the release of a tag holds a commit, see struct bl_sim_release (sim_code.c). */
enum bl_answer bl_sim_ships(const struct bl_sim *sim, bl_str tag, bl_str sha, bool *out);

int64_t bl_sim_time(const struct bl_object *object, enum bl_field field); /* 0: absent */
unsigned bl_sim_member(const struct bl_object *object, enum bl_field field);

struct bl_sim_label_row *bl_sim_find_label(struct bl_sim *sim, bl_str name);
struct bl_sim_label_row *bl_sim_add_label(struct bl_sim *sim, bl_str name, bl_str color,
                                          bl_str description);

#endif
