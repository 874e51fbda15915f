/* SPDX-License-Identifier: Apache-2.0 */
#include "base/sort.h"
#include "base/time.h"
#include "base/utf8.h"
#include "vm/builtins.h"

/* Things of the repository that are found by a number or a time. */

enum bl_status bl_machine_ask(struct bl_machine *machine, enum bl_read read,
                              const struct bl_value *args, size_t count, struct bl_value *out)
{
    enum bl_status status = bl_charge(machine, BL_CHARGE_READ);

    if (status != BL_OK)
        return status;
    if (machine->snapshot == NULL)
        return bl_machine_fail(machine, BL_ERR_READ, BL_STR("There is nothing to read from"));
    machine->failure = (struct bl_failure){0};
    return bl_snapshot_query(machine->snapshot, read, args, count, out, &machine->failure);
}

static enum bl_status ask(struct bl_builtin_call *call, enum bl_read read, size_t count)
{
    return bl_machine_ask(call->machine, read, call->args, count, call->out);
}

/* Nothing has a number below 1: no question is asked. */
static bool is_number(struct bl_value v)
{
    return v.tag == BL_V_INT && v.as.i >= 1;
}

enum bl_status bl_builtin_issue_number(struct bl_builtin_call *call)
{
    return is_number(call->args[0]) ? ask(call, BL_READ_ISSUE, 1) : BL_OK;
}

enum bl_status bl_builtin_numbered(struct bl_builtin_call *call)
{
    return is_number(call->args[0]) ? ask(call, BL_READ_NUMBERED, 1) : BL_OK;
}

/* No question: whoever has the issue knows that its number is taken. */
enum bl_status bl_builtin_thing(struct bl_builtin_call *call)
{
    struct bl_machine *machine = call->machine;
    const struct bl_object *issue = bl_object_of(call->args[0]);
    struct bl_object *thing;

    if (issue == NULL || machine->snapshot == NULL)
        return bl_machine_guard(machine, BL_STR("An issue is something else."));
    thing = bl_snapshot_object(machine->snapshot, BL_ENTITY_NUMBERED, issue->key, issue->name);
    if (thing == NULL)
        return bl_machine_nomem(machine);
    *call->out = bl_object_value(thing);
    return BL_OK;
}

enum bl_status bl_builtin_issue(struct bl_builtin_call *call)
{
    enum bl_status status = bl_builtin_issue_number(call);

    if (status == BL_OK && bl_is_absent(*call->out))
        return bl_machine_fail(call->machine, BL_ERR_READ,
                               BL_STR("There is no issue of this number"));
    return status;
}

enum bl_status bl_builtin_alert(struct bl_builtin_call *call)
{
    enum bl_status status = is_number(call->args[0]) ? ask(call, BL_READ_ALERTS, 1) : BL_OK;

    if (status == BL_OK && bl_is_absent(*call->out))
        return bl_machine_fail(call->machine, BL_ERR_READ,
                               BL_STR("There is no alert of this number"));
    return status;
}

enum bl_status bl_builtin_pull_request(struct bl_builtin_call *call)
{
    enum bl_status status = is_number(call->args[0]) ? ask(call, BL_READ_PULL, 1) : BL_OK;

    if (status == BL_OK && bl_is_absent(*call->out))
        return bl_machine_fail(call->machine, BL_ERR_READ,
                               BL_STR("There is no pull request of this number"));
    return status;
}

enum bl_status bl_builtin_suggested_duplicate(struct bl_builtin_call *call)
{
    return is_number(call->args[0]) ? ask(call, BL_READ_SUGGESTION, 1) : BL_OK;
}

enum bl_status bl_builtin_issues_created(struct bl_builtin_call *call)
{
    return ask(call, BL_READ_ISSUES_CREATED, 2);
}

enum bl_status bl_builtin_comments_changed_since(struct bl_builtin_call *call)
{
    return ask(call, BL_READ_COMMENTS_CHANGED, 1);
}

enum bl_status bl_builtin_merged_pulls(struct bl_builtin_call *call)
{
    return ask(call, BL_READ_MERGED_PULLS, 1);
}

/* Only "not found" means that it is not there: then the release holds no such commit. */
enum bl_status bl_builtin_ships(struct bl_builtin_call *call)
{
    const struct bl_object *release = bl_object_of(call->args[0]);
    const struct bl_object *commit = bl_object_of(call->args[1]);

    *call->out = bl_bool(false);
    if (commit == NULL)
        return BL_OK;
    if (release == NULL)
        return bl_machine_guard(call->machine, BL_STR("A release is something else."));
    struct bl_value names[] = {bl_text(release->name), bl_text(commit->name)};
    struct bl_builtin_call asked = *call;
    asked.args = names;
    enum bl_status status = ask(&asked, BL_READ_SHIPS, 2);
    if (status == BL_OK && bl_is_absent(*call->out))
        *call->out = bl_bool(false);
    return status;
}

enum bl_status bl_builtin_runs(struct bl_builtin_call *call)
{
    return ask(call, BL_READ_RUNS, 2);
}

/* Of a repository that is not public nothing is asked: what its token may read, everyone would.
 */
enum bl_status bl_builtin_foreign_issue(struct bl_builtin_call *call)
{
    struct bl_machine *machine = call->machine;
    const struct bl_object *part = bl_object_of(call->args[0]);
    struct bl_value is_public = bl_absent(), there = bl_absent();

    if (part == NULL || machine->snapshot == NULL)
        return bl_machine_guard(machine, BL_STR("A reference is something else."));
    struct bl_value args[] = {bl_object_get(part, BL_FIELD_REFERENCE_PART_REPOSITORY),
                              bl_object_get(part, BL_FIELD_REFERENCE_PART_NUMBER)};
    if (!is_number(args[1]) || bl_text_of(args[0]).len == 0)
        return BL_OK;
    args[0] = bl_text(bl_text_of(args[0]));
    enum bl_status status = bl_machine_ask(machine, BL_READ_REPOSITORY, args, 1, &is_public);
    if (status != BL_OK || is_public.tag != BL_V_BOOL || is_public.as.i == 0)
        return status;
    status = bl_machine_ask(machine, BL_READ_FOREIGN_ISSUE, args, 2, &there);
    if (status != BL_OK || there.tag != BL_V_BOOL || there.as.i == 0)
        return status;
    struct bl_object *thing = bl_snapshot_object(machine->snapshot, BL_ENTITY_NUMBERED,
                                                 args[1].as.i, bl_text_of(args[0]));
    if (thing == NULL)
        return bl_machine_nomem(machine);
    *call->out = bl_object_value(thing);
    return BL_OK;
}

enum bl_status bl_builtin_pulls_with_head(struct bl_builtin_call *call)
{
    const struct bl_object *commit = bl_object_of(call->args[0]);

    if (commit == NULL)
        return bl_machine_guard(call->machine, BL_STR("A commit is something else."));
    struct bl_value name = bl_text(commit->name);
    struct bl_builtin_call asked = *call;
    asked.args = &name;
    return ask(&asked, BL_READ_PULLS_WITH_HEAD, 1);
}

enum bl_status bl_builtin_open_issues_with(struct bl_builtin_call *call)
{
    return ask(call, BL_READ_LABELLED_ISSUES, 1);
}

/* ---- search ------------------------------------------------------------------------------ */

#define SEARCH_CHARS 256 /* GitHub takes no more */
#define SEARCH_MOST  100 /* a page: who needs more has not searched well */

/* A text in quotation marks means itself: no word in it is an operator or a qualifier of
 * GitHub's. What could end it, and what no line has, becomes a blank. */
static void put_quoted(bl_str text, struct bl_buf *out)
{
    bool blank = true; /* nothing yet, or a blank just now */
    size_t begun = out->len;

    for (size_t at = 0; at < text.len;) {
        size_t from = at;
        uint32_t c = bl_utf8_decode(text, &at);
        bool is_blank = c <= 0x20 || c == '"' || c == '\\' || (c >= 0x7F && c <= 0xA0) ||
                        c == 0x2028 || c == 0x2029;

        if (!is_blank && blank)
            bl_buf_put(out, out->len == begun ? BL_STR("\"") : BL_STR(" "));
        if (!is_blank)
            bl_buf_put(out, bl_str_slice(text, from, at));
        blank = is_blank;
    }
    if (out->len > begun)
        bl_buf_put_char(out, '"');
}

/* The texts that fit, in their order. */
static enum bl_status search_words(struct bl_machine *machine, struct bl_list *texts,
                                   struct bl_buf *out)
{
    enum bl_status status = BL_OK;
    size_t chars = 0;
    bool end = false;

    for (uint32_t i = 0; status == BL_OK && !end; i++) {
        struct bl_value text;
        struct bl_buf one;

        status = bl_list_at(texts, i, &text, &end);
        if (status != BL_OK || end)
            break;
        bl_buf_init(&one, machine->arena, bl_text_of(text).len + 2);
        put_quoted(bl_text_of(text), &one);
        size_t more = bl_utf8_length(bl_buf_str(&one)) + (out->len > 0 ? 1 : 0);
        if (one.failed)
            return bl_machine_nomem(machine);
        if (one.len == 0 || chars + more > SEARCH_CHARS)
            continue;
        if (out->len > 0)
            bl_buf_put_char(out, ' ');
        bl_buf_put(out, bl_buf_str(&one));
        chars += more;
    }
    return status;
}

/* Without a word the whole repository would be found: nothing is asked, nothing is found. */
enum bl_status bl_builtin_search_issues(struct bl_builtin_call *call)
{
    struct bl_machine *machine = call->machine;
    struct bl_list *texts = NULL;
    struct bl_buf words;
    int64_t most = call->args[1].as.i;
    enum bl_status status = bl_machine_list(machine, call->args[0], &texts);

    bl_buf_init(&words, machine->arena, SEARCH_CHARS * 4);
    if (status == BL_OK)
        status = search_words(machine, texts, &words);
    if (status != BL_OK)
        return status;
    if (words.failed)
        return bl_machine_nomem(machine);
    if (words.len == 0 || most < 1) {
        struct bl_list *nothing = bl_list_create(machine->arena);

        if (nothing == NULL)
            return bl_machine_nomem(machine);
        *call->out = bl_list_value(nothing);
        return BL_OK;
    }
    struct bl_value asked[] = {bl_text(bl_buf_str(&words)),
                               bl_int(most < SEARCH_MOST ? most : SEARCH_MOST)};
    struct bl_builtin_call query = *call;
    query.args = asked;
    return ask(&query, BL_READ_SEARCH, 2);
}

/* The names of kinds are no values: the compiler makes the instruction POSTED of it. */
enum bl_status bl_builtin_posted(struct bl_builtin_call *call)
{
    return bl_machine_guard(call->machine, BL_STR("posted is an instruction of its own."));
}

/* ---- closed issues ----------------------------------------------------------------------- */

struct closed {
    int64_t at;
    struct bl_value issue;
};

static int compare_closed(const void *a, const void *b, const void *context)
{
    const struct closed *x = a, *y = b;

    (void)context;
    return (x->at > y->at) - (x->at < y->at);
}

/* One of the closed issues joins when it was closed before the day and is not locked. */
static enum bl_status consider(struct bl_machine *machine, struct bl_value issue, int64_t day,
                               struct closed *items, size_t *count)
{
    struct bl_object *object = bl_object_of(issue);
    struct bl_value at, locked;

    if (object == NULL)
        return bl_machine_guard(machine, BL_STR("A list of issues holds something else."));
    enum bl_status status = bl_machine_field(machine, object, BL_FIELD_ISSUE_CLOSED_AT, &at);
    if (status == BL_OK)
        status = bl_machine_field(machine, object, BL_FIELD_ISSUE_LOCKED, &locked);
    if (status != BL_OK || bl_is_absent(at) || bl_day_of_time(at.as.i) >= day ||
        (locked.tag == BL_V_BOOL && locked.as.i != 0))
        return status;
    items[*count] = (struct closed){at.as.i, issue};
    (*count)++;
    return BL_OK;
}

/* The list of the world is in another order, so all of it is read first. */
static enum bl_status closed_issues(struct bl_machine *machine, struct bl_list **out,
                                    size_t *length)
{
    struct bl_object *repository = bl_object_of(machine->ambient[BL_AMBIENT_REPOSITORY]);
    struct bl_value issues;
    bool end = false;

    if (repository == NULL)
        return bl_machine_fail(machine, BL_ERR_READ, BL_STR("There is nothing to read from"));
    enum bl_status status =
        bl_machine_field(machine, repository, BL_FIELD_REPOSITORY_CLOSED_ISSUES, &issues);
    if (status == BL_OK)
        status = bl_machine_list(machine, issues, out);
    for (*length = 0; status == BL_OK && !end; *length += end ? 0 : 1) {
        struct bl_value issue;

        status = bl_list_at(*out, (uint32_t)*length, &issue, &end);
    }
    return status;
}

enum bl_status bl_builtin_closed_unlocked_issues(struct bl_builtin_call *call)
{
    struct bl_machine *machine = call->machine;
    struct bl_list *found = bl_list_create(machine->arena);
    struct bl_list *issues = NULL;
    size_t length = 0;
    size_t count = 0;
    enum bl_status status = closed_issues(machine, &issues, &length);

    if (status != BL_OK)
        return status;
    struct closed *items = BL_NEW_ARRAY(machine->arena, length + 1, struct closed);
    if (found == NULL || items == NULL)
        return bl_machine_nomem(machine);
    for (size_t i = 0; status == BL_OK && i < length; i++) {
        struct bl_value issue;
        bool end;

        status = bl_list_at(issues, (uint32_t)i, &issue, &end);
        if (status == BL_OK)
            status = consider(machine, issue, call->args[0].as.i, items, &count);
    }
    if (!bl_sort(machine->arena, items, count, sizeof *items, compare_closed, NULL))
        return bl_machine_nomem(machine);
    for (size_t i = 0; status == BL_OK && i < count; i++)
        status = bl_machine_push(machine, found, items[i].issue);
    *call->out = bl_list_value(found);
    return status;
}
