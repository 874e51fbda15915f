/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TESTS_WORLD_SCENARIO_H
#define BL_TESTS_WORLD_SCENARIO_H

#include "world/github/github.h"
#include "world/sim/sim_people.h"

/* The program that scenarios run through: one world behind the interface, driven line by line
 * (scenario_main.c says how). */

struct scenario {
    struct bl_arena arena;
    struct bl_sim *sim;       /* or */
    struct bl_github *github; /* one of the two */
    const struct bl_world *world;
    struct bl_snapshot *snapshot;
    bl_str repository;
    bl_str account;
    int64_t now; /* moves when the client waits */
    int64_t waited;
};

/* A member of a command as text, number or flag; what is not there is empty, 0, false. */
bl_str scenario_text(const struct bl_json *command, const char *key);
int64_t scenario_number(const struct bl_json *command, const char *key);
bool scenario_flag(const struct bl_json *command, const char *key);

/* A value with what is stored with the things in it; lists are read to their end. False when a
 * page failed. */
bool scenario_put_value(struct scenario *s, struct bl_json_writer *out, struct bl_value value,
                        unsigned depth);
/* The thing that a command is about, by its entity and number, login, tag, sha or id. */
struct bl_object *scenario_thing(struct scenario *s, const struct bl_json *command);

/* Answers "read" and "ask": {"answer": found, missing or failed, "value": …, "why": …}. */
void scenario_read(struct scenario *s, const struct bl_json *command,
                   struct bl_json_writer *out);
void scenario_ask(struct scenario *s, const struct bl_json *command,
                  struct bl_json_writer *out);
/* Answers "effect": {"written": yes, no, unknown or there, "why": …}. */
void scenario_effect(struct scenario *s, const struct bl_json *command,
                     struct bl_json_writer *out);
/* Answers "act", what a person does to the simulator: {"done": …}. */
void scenario_act(struct scenario *s, const struct bl_json *command,
                  struct bl_json_writer *out);

#endif
