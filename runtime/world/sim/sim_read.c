/* SPDX-License-Identifier: Apache-2.0 */
#include "world/sim/sim_read.h"

/* GitHub lists at most so many commits of a pull request, and does not say that it stopped. */
#define PULL_COMMITS_MAX 250

/* ---- faults ------------------------------------------------------------------------------ */

static const struct {
    const char *name;
    bl_str why;
    bool again;
} faults[] = {
    [BL_FAULT_MISSING] = {"missing", {"GitHub answered 404", 19}, false},
    [BL_FAULT_SERVER_ERROR] = {"server_error", {"GitHub answered 502", 19}, true},
    [BL_FAULT_RATE_LIMIT] = {"rate_limit", {"GitHub's rate limit was reached", 31}, true},
    [BL_FAULT_REFUSED] = {"refused",
                          {"GitHub answered 403: the token may not do this", 46},
                          false},
    [BL_FAULT_LOST_ANSWER] = {"lost_answer", {"the answer was lost", 19}, true},
};

enum bl_sim_fault bl_sim_fault_find(bl_str name)
{
    for (size_t i = 1; i < sizeof(faults) / sizeof(faults[0]); i++) {
        if (bl_str_equal(name, bl_str_from(faults[i].name))) {
            return (enum bl_sim_fault)i;
        }
    }
    return BL_FAULT_NONE;
}

void bl_sim_fail_reads(struct bl_sim *sim, enum bl_read read, enum bl_sim_fault fault,
                       unsigned skip, unsigned times)
{
    sim->read_faults[read] = (struct bl_sim_planned_fault){fault, skip, times};
}

enum bl_sim_fault bl_sim_take_fault(struct bl_sim_planned_fault *planned)
{
    if (planned->times == 0) {
        return BL_FAULT_NONE;
    }
    if (planned->skip > 0) {
        planned->skip--;
        return BL_FAULT_NONE;
    }
    planned->times--;
    return planned->fault;
}

void bl_sim_explain_fault(enum bl_sim_fault fault, struct bl_failure *failure)
{
    failure->why = faults[fault].why;
    failure->again = faults[fault].again;
}

void bl_sim_set_page(struct bl_sim *sim, uint32_t elements)
{
    sim->page = elements > 0 ? elements : 1;
}

/* ---- lists by pages ---------------------------------------------------------------------- */

/* What the list was when it was first asked for; pages only uncover it. */
struct pages {
    struct bl_sim *sim;
    struct bl_arena *arena;
    enum bl_read read;
    struct bl_value *items;
    uint32_t count;
    uint32_t next;
    bool whole; /* as one page */
};

static enum bl_status uncover(struct bl_list *list, struct pages *pages)
{
    uint32_t left = pages->count - pages->next;
    uint32_t end = !pages->whole && left > pages->sim->page ? pages->next + pages->sim->page
                                                            : pages->count;
    while (pages->next < end) {
        enum bl_status status = bl_list_push(pages->arena, list, pages->items[pages->next]);
        if (status != BL_OK) {
            return status;
        }
        pages->next++;
    }
    list->complete = pages->next == pages->count;
    return BL_OK;
}

static enum bl_status more(struct bl_list *list, void *context)
{
    struct pages *pages = context;
    if (bl_sim_take_fault(&pages->sim->read_faults[pages->read]) != BL_FAULT_NONE) {
        return BL_ERR_READ;
    }
    return uncover(list, pages);
}

/* ---- values for a snapshot --------------------------------------------------------------- */

static bool show_fields(struct bl_sim *sim, struct bl_snapshot *snapshot,
                        struct bl_object *thing, struct bl_object *shown, enum bl_read read,
                        bool *some);

static bool show_value(struct bl_sim *sim, struct bl_snapshot *snapshot, struct bl_value v,
                       enum bl_read read, struct bl_value *out);

/* A list of the repository comes with the fields that each thing has in its own read. */
static bool show_item(struct bl_sim *sim, struct bl_snapshot *snapshot, struct bl_value v,
                      enum bl_read read, struct bl_value *out)
{
    if (!show_value(sim, snapshot, v, read, out)) {
        return false;
    }
    bool whole = read == BL_READ_OPEN_ISSUES || read == BL_READ_CLOSED_ISSUES ||
                 read == BL_READ_ISSUES_CREATED || read == BL_READ_MERGED_PULLS;
    if (whole && v.tag == BL_V_OBJECT) {
        enum bl_read own = read == BL_READ_MERGED_PULLS ? BL_READ_PULL : BL_READ_ISSUE;
        bool some;
        (void)show_fields(sim, snapshot, v.as.object, out->as.object, own, &some);
    }
    return !bl_snapshot_arena(snapshot)->failed;
}

static bool show_list(struct bl_sim *sim, struct bl_snapshot *snapshot,
                      const struct bl_list *from, enum bl_read read, struct bl_value *out)
{
    struct bl_arena *arena = bl_snapshot_arena(snapshot);
    struct bl_list *list = bl_list_create(arena);
    struct pages *pages = BL_NEW(arena, struct pages);
    struct bl_value *items = BL_NEW_ARRAY(arena, from->count, struct bl_value);
    if (list == NULL || pages == NULL || items == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < from->count; i++) {
        if (!show_item(sim, snapshot, from->items[i], read, &items[i])) {
            return false;
        }
    }
    /* The labels of one issue come with it; what is a read of its own comes in pages. */
    bool whole = read == BL_READ_ISSUE || read == BL_READ_PULL;
    *pages = (struct pages){sim, arena, read, items, from->count, 0, whole};
    list->more = more;
    list->context = pages;
    *out = bl_list_value(list);
    return uncover(list, pages) == BL_OK;
}

static bool show_value(struct bl_sim *sim, struct bl_snapshot *snapshot, struct bl_value v,
                       enum bl_read read, struct bl_value *out)
{
    *out = v;
    if (v.tag == BL_V_LIST) {
        return show_list(sim, snapshot, v.as.list, read, out);
    }
    if (v.tag == BL_V_OBJECT) {
        struct bl_object *shown = bl_sim_show(sim, snapshot, v.as.object);
        *out = shown != NULL ? bl_object_value(shown) : bl_absent();
        return shown != NULL;
    }
    return true;
}

/* Sets the fields of one read; *some when one of them is known. False when one is not. */
static bool show_fields(struct bl_sim *sim, struct bl_snapshot *snapshot,
                        struct bl_object *thing, struct bl_object *shown, enum bl_read read,
                        bool *some)
{
    const struct bl_entity_info *info = bl_entity_info((enum bl_entity)thing->entity);
    bool whole = true;
    *some = false;
    for (unsigned i = 0; i < info->field_count; i++) {
        enum bl_field field = (enum bl_field)(info->first_field + i);
        struct bl_value v;
        if (bl_field_info(field)->read != read) {
            continue;
        }
        if (bl_sim_value(sim, thing, field, &v) && show_value(sim, snapshot, v, read, &v)) {
            bl_object_set(shown, field, v);
            *some = true;
        } else {
            whole = false;
        }
    }
    return whole;
}

/* ---- struct bl_world --------------------------------------------------------------------- */

static bool take_read_fault(struct bl_sim *sim, enum bl_read read, struct bl_failure *failure,
                            enum bl_answer *answer)
{
    enum bl_sim_fault fault = bl_sim_take_fault(&sim->read_faults[read]);
    if (fault == BL_FAULT_NONE) {
        return false;
    }
    bl_sim_explain_fault(fault, failure);
    *answer = fault == BL_FAULT_MISSING ? BL_MISSING : BL_FAILED;
    return true;
}

/* What is not there is missing, unless only a payload is known. */
static enum bl_answer not_there(const struct bl_sim *sim, struct bl_failure *failure)
{
    if (!sim->partial) {
        return BL_MISSING;
    }
    failure->why = BL_STR("the payload does not hold it");
    failure->help = BL_SIM_WORLD_HELP;
    return BL_FAILED;
}

static struct bl_object *find(struct bl_sim *sim, const struct bl_object *object)
{
    if (object->entity == BL_ENTITY_REPOSITORY) {
        return bl_str_equal_nocase(object->name, sim->repository) ? sim->self : NULL;
    }
    struct bl_object *thing =
        bl_sim_find(sim, (enum bl_entity)object->entity, object->key, object->name);
    /* Everyone may be asked about, and most are strangers. */
    return thing == NULL && object->entity == BL_ENTITY_USER ? bl_sim_user_of(sim, object->name)
                                                             : thing;
}

/* What is stored with the thing, on the object that was asked about. A user who was reached
 * through nothing has no association. */
static bool show_stored(struct bl_sim *sim, struct bl_snapshot *snapshot,
                        struct bl_object *thing, struct bl_object *object)
{
    if (object->entity != BL_ENTITY_USER) {
        return bl_sim_show(sim, snapshot, thing) != NULL;
    }
    static const enum bl_field fields[] = {BL_FIELD_USER_ID, BL_FIELD_USER_KIND};
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
        if (bl_object_knows(thing, fields[i])) {
            bl_object_set(object, fields[i], bl_object_get(thing, fields[i]));
        }
    }
    return true;
}

enum bl_answer bl_sim_read_load(void *self, struct bl_snapshot *snapshot,
                                struct bl_object *object, enum bl_read read,
                                struct bl_failure *failure)
{
    struct bl_sim *sim = self;
    enum bl_answer answer;
    if (take_read_fault(sim, read, failure, &answer)) {
        return answer;
    }
    struct bl_object *thing = find(sim, object);
    if (thing == NULL) {
        return not_there(sim, failure);
    }
    if (!show_stored(sim, snapshot, thing, object)) {
        return BL_FAILED;
    }
    if (object->entity == BL_ENTITY_COMMENT && read == BL_READ_COMMENTS) {
        return BL_FOUND;
    }
    if (read == BL_READ_PULL_COMMITS) {
        const struct bl_list *commits = bl_sim_list(thing, BL_FIELD_PULL_REQUEST_COMMITS);
        if (commits != NULL && commits->count >= PULL_COMMITS_MAX) {
            failure->why = BL_STR("GitHub lists no more than 250 of them");
            return BL_FAILED;
        }
    }
    bool some;
    if (show_fields(sim, snapshot, thing, object, read, &some)) {
        return BL_FOUND;
    }
    /* What a payload leaves out of a thing fails when a rule asks for it, and not before. */
    answer = not_there(sim, failure);
    return sim->partial && some ? BL_FOUND : answer;
}

static enum bl_answer show_one(struct bl_sim *sim, struct bl_snapshot *snapshot,
                               struct bl_object *thing, enum bl_read read, struct bl_value *out,
                               struct bl_failure *failure)
{
    if (thing == NULL) {
        return not_there(sim, failure);
    }
    struct bl_object *shown = bl_sim_show(sim, snapshot, thing);
    if (shown == NULL) {
        return BL_FAILED;
    }
    bool some;
    (void)show_fields(sim, snapshot, thing, shown, read, &some);
    *out = bl_object_value(shown);
    return BL_FOUND;
}

static enum bl_answer query_issue(struct bl_sim *sim, struct bl_snapshot *snapshot,
                                  int64_t number, struct bl_value *out,
                                  struct bl_failure *failure)
{
    struct bl_object *issue = bl_sim_issue_of(sim, number);
    if (issue != NULL && bl_object_get(issue, BL_FIELD_ISSUE_IS_PULL_REQUEST).as.i != 0) {
        return BL_MISSING;
    }
    return show_one(sim, snapshot, issue, BL_READ_ISSUE, out, failure);
}

static enum bl_answer query_numbered(struct bl_sim *sim, struct bl_snapshot *snapshot,
                                     int64_t number, struct bl_value *out,
                                     struct bl_failure *failure)
{
    if (bl_sim_issue_of(sim, number) == NULL &&
        bl_sim_find(sim, BL_ENTITY_DISCUSSION, number, BL_STR("")) == NULL) {
        return not_there(sim, failure);
    }
    struct bl_object *shown =
        bl_snapshot_object(snapshot, BL_ENTITY_NUMBERED, number, sim->repository);
    if (shown == NULL) {
        return BL_FAILED;
    }
    bl_object_set(shown, BL_FIELD_NUMBERED_NUMBER, bl_int(number));
    *out = bl_object_value(shown);
    return BL_FOUND;
}

static bool created_before(const struct bl_object *a, const struct bl_object *b)
{
    return bl_sim_time(a, BL_FIELD_ISSUE_CREATED_AT) <
           bl_sim_time(b, BL_FIELD_ISSUE_CREATED_AT);
}

static bool changed_before(const struct bl_object *a, const struct bl_object *b)
{
    const struct bl_sim_comment_more *x = a->handle;
    const struct bl_sim_comment_more *y = b->handle;
    return x->updated_at < y->updated_at;
}

static bool merged_before(const struct bl_object *a, const struct bl_object *b)
{
    return bl_sim_time(a, BL_FIELD_PULL_REQUEST_MERGED_AT) <
           bl_sim_time(b, BL_FIELD_PULL_REQUEST_MERGED_AT);
}

static bool is_asked_for(struct bl_object *thing, enum bl_read read,
                         const struct bl_value *args)
{
    if (read == BL_READ_MERGED_PULLS) {
        int64_t merged = bl_sim_time(thing, BL_FIELD_PULL_REQUEST_MERGED_AT);
        return merged != 0 && merged >= args[0].as.i;
    }
    if (read == BL_READ_PULLS_WITH_HEAD) {
        const struct bl_object *head =
            bl_object_of(bl_object_get(thing, BL_FIELD_PULL_REQUEST_HEAD));
        return head != NULL && bl_str_equal_nocase(head->name, bl_text_of(args[0])) &&
               bl_sim_member(thing->handle, BL_FIELD_ISSUE_STATE) == BL_ISSUE_STATE_OPEN;
    }
    if (read == BL_READ_COMMENTS_CHANGED) {
        return bl_sim_comment_more(thing)->updated_at >= args[0].as.i;
    }
    int64_t at = bl_sim_time(thing, BL_FIELD_ISSUE_CREATED_AT);
    return at >= args[0].as.i && at <= args[1].as.i &&
           bl_object_get(thing, BL_FIELD_ISSUE_IS_PULL_REQUEST).as.i == 0;
}

static enum bl_answer query_list(struct bl_sim *sim, struct bl_snapshot *snapshot,
                                 enum bl_read read, const struct bl_value *args,
                                 struct bl_value *out, struct bl_failure *failure)
{
    bool comments = read == BL_READ_COMMENTS_CHANGED;
    bool pulls = read == BL_READ_MERGED_PULLS || read == BL_READ_PULLS_WITH_HEAD;
    const struct bl_sim_things *things = &sim->things[comments ? BL_ENTITY_COMMENT
                                                      : pulls  ? BL_ENTITY_PULL_REQUEST
                                                               : BL_ENTITY_ISSUE];
    struct bl_list *list = bl_list_create(sim->arena);
    if (sim->partial) {
        return not_there(sim, failure);
    }
    for (size_t i = 0; list != NULL && i < things->count; i++) {
        if (is_asked_for(things->items[i], read, args) &&
            bl_list_push(sim->arena, list, bl_object_value(things->items[i])) != BL_OK) {
            return BL_FAILED;
        }
    }
    return list != NULL &&
                   bl_sim_sort(sim, list,
                               comments ? changed_before
                               : pulls  ? merged_before
                                        : created_before) &&
                   show_list(sim, snapshot, list, read, out)
               ? BL_FOUND
               : BL_FAILED;
}

/* ---- search ------------------------------------------------------------------------------ */

static bool newer(const struct bl_object *a, const struct bl_object *b)
{
    return created_before(b, a);
}

static bool holds_word(bl_str text, bl_str word)
{
    for (size_t i = 0; i + word.len <= text.len; i++) {
        if (bl_str_equal_nocase(bl_str_slice(text, i, i + word.len), word)) {
            return true;
        }
    }
    return false;
}

/* Every text between two quotation marks stands in the title or the text. */
static bool holds_words(const struct bl_object *issue, bl_str words)
{
    bl_str title = bl_text_of(bl_object_get(issue, BL_FIELD_ISSUE_TITLE));
    bl_str text = bl_text_of(bl_object_get(issue, BL_FIELD_ISSUE_TEXT));
    bool good = bl_object_get(issue, BL_FIELD_ISSUE_IS_PULL_REQUEST).as.i == 0;
    for (size_t at = bl_str_find_char(words, '"'); good && at != SIZE_MAX;
         at = bl_str_find_char(words, '"')) {
        words = bl_str_slice(words, at + 1, words.len);
        size_t end = bl_str_find_char(words, '"');
        bl_str word = bl_str_slice(words, 0, end);
        good = holds_word(title, word) || holds_word(text, word);
        words = bl_str_slice(words, end == SIZE_MAX ? words.len : end + 1, words.len);
    }
    return good;
}

static enum bl_answer query_search(struct bl_sim *sim, struct bl_snapshot *snapshot,
                                   const struct bl_value *args, struct bl_value *out,
                                   struct bl_failure *failure)
{
    const struct bl_sim_things *issues = &sim->things[BL_ENTITY_ISSUE];
    struct bl_list *list = bl_list_create(sim->arena);
    if (sim->partial) {
        return not_there(sim, failure);
    }
    for (size_t i = 0; list != NULL && i < issues->count; i++) {
        if (holds_words(issues->items[i], bl_text_of(args[0])) &&
            bl_list_push(sim->arena, list, bl_object_value(issues->items[i])) != BL_OK) {
            return BL_FAILED;
        }
    }
    if (list == NULL || !bl_sim_sort(sim, list, newer)) {
        return BL_FAILED;
    }
    list->count = list->count < args[1].as.i ? list->count : (uint32_t)args[1].as.i;
    return show_list(sim, snapshot, list, BL_READ_SEARCH, out) ? BL_FOUND : BL_FAILED;
}

static bool has_label(struct bl_sim *sim, struct bl_object *issue, bl_str name)
{
    struct bl_value labels;
    if (!bl_sim_value(sim, issue, BL_FIELD_ISSUE_LABELS, &labels) || labels.tag != BL_V_LIST) {
        return false;
    }
    for (uint32_t i = 0; i < labels.as.list->count; i++) {
        if (bl_str_equal_nocase(bl_text_of(labels.as.list->items[i]), name)) {
            return true;
        }
    }
    return false;
}

/* Those of the list of open issues; a fault that was planned for that list hits this one too.
 */
static enum bl_answer query_labelled(struct bl_sim *sim, struct bl_snapshot *snapshot,
                                     bl_str label, struct bl_value *out,
                                     struct bl_failure *failure)
{
    enum bl_answer answer;
    struct bl_value open;
    struct bl_list *list = bl_list_create(sim->arena);
    if (take_read_fault(sim, BL_READ_OPEN_ISSUES, failure, &answer)) {
        return answer;
    }
    if (!bl_sim_value(sim, sim->self, BL_FIELD_REPOSITORY_OPEN_ISSUES, &open) ||
        open.tag != BL_V_LIST) {
        return not_there(sim, failure);
    }
    for (uint32_t i = 0; list != NULL && i < open.as.list->count; i++) {
        struct bl_value issue = open.as.list->items[i];
        if (has_label(sim, issue.as.object, label) &&
            bl_list_push(sim->arena, list, issue) != BL_OK) {
            return BL_FAILED;
        }
    }
    return list != NULL && show_list(sim, snapshot, list, BL_READ_OPEN_ISSUES, out) ? BL_FOUND
                                                                                    : BL_FAILED;
}

static enum bl_answer query_ships(struct bl_sim *sim, const struct bl_value *args,
                                  struct bl_value *out, struct bl_failure *failure)
{
    bool ships = false;
    enum bl_answer answer = bl_sim_ships(sim, bl_text_of(args[0]), bl_text_of(args[1]), &ships);
    *out = bl_bool(ships);
    return answer == BL_FOUND ? answer : not_there(sim, failure);
}

static enum bl_answer query_repository(struct bl_sim *sim, struct bl_snapshot *snapshot,
                                       const struct bl_value *args, size_t count,
                                       struct bl_value *out, struct bl_failure *failure)
{
    if (count == 0) {
        return show_one(sim, snapshot, sim->self, BL_READ_REPOSITORY, out, failure);
    }
    bl_str name = bl_text_of(args[0]);
    if (sim->partial) {
        return not_there(sim, failure);
    }
    if (bl_str_equal_nocase(name, sim->repository)) {
        *out = bl_bool(sim->is_public);
        return BL_FOUND;
    }
    for (size_t i = 0; i < sim->public_repositories.count; i++) {
        if (bl_str_equal_nocase(sim->public_repositories.items[i], name)) {
            *out = bl_bool(true);
            return BL_FOUND;
        }
    }
    return BL_MISSING;
}

enum bl_answer bl_sim_read_query(void *self, struct bl_snapshot *snapshot, enum bl_read read,
                                 const struct bl_value *args, size_t count,
                                 struct bl_value *out, struct bl_failure *failure)
{
    struct bl_sim *sim = self;
    enum bl_answer answer;
    if (take_read_fault(sim, read, failure, &answer)) {
        return answer;
    }
    if (read == BL_READ_ISSUE && count == 1) {
        return query_issue(sim, snapshot, args[0].as.i, out, failure);
    }
    if (read == BL_READ_NUMBERED && count == 1) {
        return query_numbered(sim, snapshot, args[0].as.i, out, failure);
    }
    if (read == BL_READ_PULL && count == 1) {
        struct bl_object *pull =
            bl_sim_find(sim, BL_ENTITY_PULL_REQUEST, args[0].as.i, BL_STR(""));
        return show_one(sim, snapshot, pull, BL_READ_PULL, out, failure);
    }
    if (read == BL_READ_ALERTS && count == 1) {
        struct bl_object *alert = bl_sim_find(sim, BL_ENTITY_ALERT, args[0].as.i, BL_STR(""));
        return show_one(sim, snapshot, alert, BL_READ_STORED, out, failure);
    }
    if (read == BL_READ_LABELLED_ISSUES && count == 1) {
        return query_labelled(sim, snapshot, bl_text_of(args[0]), out, failure);
    }
    if ((read == BL_READ_ISSUES_CREATED && count == 2) ||
        ((read == BL_READ_COMMENTS_CHANGED || read == BL_READ_MERGED_PULLS ||
          read == BL_READ_PULLS_WITH_HEAD) &&
         count == 1)) {
        return query_list(sim, snapshot, read, args, out, failure);
    }
    if (read == BL_READ_SUGGESTION && count == 1) {
        struct bl_object *issue = bl_sim_issue_of(sim, args[0].as.i);
        *out = bl_int(issue != NULL ? bl_sim_issue_more(issue)->suggested : 0);
        return out->as.i != 0 ? BL_FOUND : BL_MISSING;
    }
    if (read == BL_READ_RUNS && count == 2) {
        struct bl_list *runs = bl_sim_runs(sim, bl_text_of(args[0]), args[1].as.i);
        return runs != NULL && show_list(sim, snapshot, runs, read, out) ? BL_FOUND : BL_FAILED;
    }
    if (read == BL_READ_FOREIGN_ISSUE && count == 2) {
        *out = bl_bool(bl_sim_is_foreign(sim, bl_text_of(args[0]), args[1].as.i));
        return out->as.i != 0 ? BL_FOUND : BL_MISSING;
    }
    if (read == BL_READ_SEARCH && count == 2) {
        return query_search(sim, snapshot, args, out, failure);
    }
    if (read == BL_READ_SHIPS && count == 2) {
        return query_ships(sim, args, out, failure);
    }
    if ((read == BL_READ_VARIABLE || read == BL_READ_SECRET || read == BL_READ_JOB_FILE ||
         read == BL_READ_GIT_READING || read == BL_READ_CHECKOUT_FILE ||
         read == BL_READ_CHECKOUT_COMMIT || read == BL_READ_STORE) &&
        count == 1) {
        /* A payload knows nothing of the job. */
        return sim->partial && read != BL_READ_GIT_READING
                   ? not_there(sim, failure)
                   : bl_sim_query_job(sim, bl_snapshot_arena(snapshot), read,
                                      bl_text_of(args[0]), out, failure);
    }
    if (read == BL_READ_REPOSITORY && count <= 1) {
        return query_repository(sim, snapshot, args, count, out, failure);
    }
    failure->why = BL_STR("the simulator has no such read");
    return BL_FAILED;
}
