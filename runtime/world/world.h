/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_WORLD_WORLD_H
#define BL_WORLD_WORLD_H

#include "base/diagnostic.h"
#include "value/value.h"

/* The world behind the interface: a repository on GitHub (world/github), or one in memory
 * (world/sim). The machine reads through it, plans are carried out on it; neither knows which.
 */

/* Reads answer found, missing or failed. Only "not found" is missing; everything else that is
 * not a whole, understood answer is failed, and the language never sees that as a value. */
enum bl_answer { BL_FOUND, BL_MISSING, BL_FAILED };

/* Why a read or a write failed, in words for one line of a log, without text of strangers.
 * Sentences of ours and names that were asked for; lives in the arena of the call. */
struct bl_failure {
    bl_str what; /* "The comments of issue 12 could not be read" */
    bl_str why;  /* "GitHub answered 502" */
    bl_str help; /* what to do, may be empty */
    bool again;  /* the same run later may succeed */
    bool
        over; /* this run will get no other answer: it stops, and does not try the next thing */
};

/* An effect as it goes to the world: the row of effects.def, its arguments in the order of the
 * row, and what the module adds. Texts are rendered and checked already. */
struct bl_effect_call {
    enum bl_effect effect;
    const struct bl_value *args;
    size_t arg_count;
    struct bl_object *target; /* issue, pull request, comment or commit acted on; may be NULL */
    bl_str body; /* POST: the whole comment with its marker line; MARK: the new first line */
    bl_str label_color;       /* ENSURE_LABEL: six hex digits */
    bl_str label_description; /* ENSURE_LABEL */
    bl_str account;           /* who the policy writes as */
    bl_str path;              /* KEEP: the file, whose whole text becomes `body` */
};

enum bl_written { BL_WRITTEN, BL_NOT_WRITTEN, BL_UNKNOWN_WRITTEN };

/* One look at the world during a unit, see below. */
struct bl_snapshot;

struct bl_world {
    void *self;

    /* Makes every field of `object` known that belongs to `read` in entities.def, and of a
     * single thing also what is stored with it (bl_object_set). MISSING: it does not exist.
     * Things that it hands out come from bl_snapshot_object, everything else from
     * bl_snapshot_arena. A world that knows a thing in part sets what it knows, fills *failure
     * and answers FOUND: the rest fails when it is asked for. A comment may be loaded with
     * COMMENTS: its stored fields are read again, from that comment alone. */
    enum bl_answer (*load)(void *self, struct bl_snapshot *snapshot, struct bl_object *object,
                           enum bl_read read, struct bl_failure *failure);

    /* Reads that belong to no object; FOUND sets *out:
     * - ISSUE(int number): the issue; MISSING when there is none or it is a pull request
     * - NUMBERED(int number): the numbered thing; MISSING when the number is free
     * - PULL(int number): the pull request
     * - ALERTS(int number): the alert, open or not (tests alone ask for one)
     * - LABELLED_ISSUES(text label): as OPEN_ISSUES, those that have the label, whatever its
     * case
     * - ISSUES_CREATED(time, time): issues without pull requests, oldest first
     * - COMMENTS_CHANGED(time): comments by their last change, oldest first
     * - MERGED_PULLS(time): the pull requests merged then or later, oldest merge first
     * - SUGGESTION(int number): an int, of which issue it was suggested to be a duplicate
     * - SEARCH(text words, int most): issues that hold all of the words, each in quotation
     * marks without any inside, newest first
     * - PULLS_WITH_HEAD(text id of a commit): the open pull requests whose head it is, by
     * number
     * - SHIPS(text tag, text id of a commit): bool; MISSING when one of them does not exist
     * - VARIABLE(text name): a text; MISSING when it is not set
     * - SECRET(text name): bool, whether it is set
     * - GIT_READING(text of a patch): text/patch.h's reading, by git; MISSING when git reads
     *   no patch in it
     * - JOB_FILE(text name): the text of a file that an earlier step of the job left
     * - RUNS(text file, time): the runs of that workflow created then or later, newest first
     * - FOREIGN_ISSUE(text repository, int number): true; MISSING when that public repository
     *   has nothing of this number
     * - CHECKOUT_FILE(text path): the text of a file that git tracks there; MISSING when it
     *   tracks none of this path, or what stands there is no text of an ordinary file
     * - CHECKOUT_COMMIT(empty text): the id of the commit that is checked out
     * - STORE(text path): the text of the file of a store; MISSING when there is none
     * - REPOSITORY(): the repository
     * - REPOSITORY(text name): bool, whether everyone may read that repository */
    enum bl_answer (*query)(void *self, struct bl_snapshot *snapshot, enum bl_read read,
                            const struct bl_value *args, size_t count, struct bl_value *out,
                            struct bl_failure *failure);

    /* Carries out one effect, at most once. NOT_WRITTEN: nothing happened, failure says why;
     * UNKNOWN_WRITTEN: it may or may not have happened (a lost answer). A label that is gone
     * already counts as removed. */
    enum bl_written (*write)(void *self, struct bl_arena *arena,
                             const struct bl_effect_call *call, struct bl_failure *failure);

    /* Whether the end of an effect is there already, where no field of the language says it: a
     * label with that colour and description, the milestone of an issue, the newest status of a
     * commit and context, set by the run's account; an alert that is closed. FOUND sets *there;
     * MISSING: what it acts on is not there, so neither is its end. NULL: nobody can say. */
    enum bl_answer (*holds)(void *self, struct bl_arena *arena,
                            const struct bl_effect_call *call, bool *there,
                            struct bl_failure *failure);

    /* The clock: seconds since 1970, UTC. Asked once a run. */
    int64_t (*now)(void *self);

    /* Why the last page of a list did not come, of which the list itself can only say that it
     * failed. NULL: the world has no pages. */
    const struct bl_failure *(*page_failure)(void *self);

    /* The things of a list are gone through one after another from now on, and much the same is
     * asked of each: a world may read it of several at once. NULL ends it. NULL as function: it
     * makes no difference. */
    void (*expect)(void *self, struct bl_list *things);

    /* The account that the run writes with, as its comments show it ("github-actions[bot]" on
     * GitHub; the module names the one whose markers count). */
};

/* During a unit every read is made once (by thing and arguments) and answered from memory after
 * that, also one that failed. Objects are unified: the same issue is the same bl_object. The
 * event's own things are put in before the first rule runs. */

/* NULL when out of memory. `world` may be NULL when a run can do without (pure tests): every
 * read then fails. */
struct bl_snapshot *bl_snapshot_create(struct bl_arena *arena, const struct bl_world *world);
struct bl_arena *bl_snapshot_arena(struct bl_snapshot *snapshot);

/* The object of that identity if the snapshot has met it, else a new one with no field known
 * but what its identity says (number, repository, login, association, tag, id of the commit,
 * name). Worlds call it for every thing that they hand out, so that facts of one thing meet in
 * one place. `name` is copied when new. NULL when out of memory. Identity is entity, key and
 * name:
 * - ISSUE, PULL_REQUEST, COMMENT, DISCUSSION, ALERT, STATUS, RUN, NUMBERED: the number or id,
 * and owner/name of the repository without case; REPOSITORY: 0 and owner/name
 * - RELEASE, COMMIT: 0, and the tag or the id of the commit
 * - USER: bl_user_key() and the login without case; the association is that of the thing
 * through which a user was reached, so one person may be several objects. The permission is
 * read once for all of them: a world is asked for it with the user of key 0. */
struct bl_object *bl_snapshot_object(struct bl_snapshot *snapshot, enum bl_entity entity,
                                     int64_t key, bl_str name);

/* Puts in a thing of the event by its identity: what comes with the payload or is stored with
 * the thing (PAYLOAD, STORED) is taken over, every other field is left to be read fresh, since
 * an event may have waited in a queue. Returns the snapshot's own object; NULL when out of
 * memory, or when `thing` is NULL. */
struct bl_object *bl_snapshot_adopt(struct bl_snapshot *snapshot,
                                    const struct bl_object *thing);

/* Makes the read for the object unless it was made already. MISSING and FAILED set *failure. */
enum bl_answer bl_snapshot_load(struct bl_snapshot *snapshot, struct bl_object *object,
                                enum bl_read read, struct bl_failure *failure);
/* The field's value, read when it is not known yet. BL_ERR_READ: failed, or the thing is
 * missing, or nobody can say it (a payload without the field); *failure says what. */
BL_NODISCARD enum bl_status bl_snapshot_field(struct bl_snapshot *snapshot,
                                              struct bl_object *object, enum bl_field field,
                                              struct bl_value *out, struct bl_failure *failure);
/* As bl_world.query, memoised; MISSING gives BL_OK and absent. */
BL_NODISCARD enum bl_status bl_snapshot_query(struct bl_snapshot *snapshot, enum bl_read read,
                                              const struct bl_value *args, size_t count,
                                              struct bl_value *out, struct bl_failure *failure);
/* What the world said of the object is read again when it is asked next: for a run that goes on
 * with another unit after it wrote. Stored fields stay. */
void bl_snapshot_forget(struct bl_snapshot *snapshot, struct bl_object *object);
/* A list of pages can only say that it failed; its world knows why. */
void bl_snapshot_complete_failure(const struct bl_snapshot *snapshot,
                                  struct bl_failure *failure);
/* Reads made so far (not those answered from memory). */
size_t bl_snapshot_reads(const struct bl_snapshot *snapshot);

#endif
