/* SPDX-License-Identifier: Apache-2.0 */
#include "support/scripted_world.h"

#include "support/check.h"

#include <inttypes.h>

static struct scripted_issue *find_issue(struct scripted_world *s, int64_t number)
{
    for (size_t i = 0; i < s->issue_count; i++) {
        if (s->issues[i].number == number && !s->issues[i].deleted)
            return &s->issues[i];
    }
    return NULL;
}

static struct scripted_comment *find_comment(struct scripted_world *s, int64_t id)
{
    for (size_t i = 0; i < s->comment_count; i++) {
        if (s->comments[i].id == id && !s->comments[i].deleted)
            return &s->comments[i];
    }
    return NULL;
}

/* ---- reads ------------------------------------------------------------------------------- */

static struct bl_object *thing(const struct scripted_world *s, struct bl_snapshot *snapshot,
                               enum bl_entity entity, int64_t number)
{
    return bl_snapshot_object(snapshot, entity, number, bl_str_from(s->repository));
}

static struct bl_value user(struct bl_snapshot *snapshot, const char *login,
                            unsigned association)
{
    struct bl_object *object = bl_snapshot_object(snapshot, BL_ENTITY_USER,
                                                  bl_user_key(association), bl_str_from(login));

    if (object == NULL)
        return bl_absent();
    bool bot = bl_str_ends_with(bl_str_from(login), BL_STR("[bot]"));
    bl_object_set(object, BL_FIELD_USER_LOGIN, bl_text(bl_str_from(login)));
    bl_object_set(
        object, BL_FIELD_USER_KIND,
        bl_member_value(BL_ENUM_USER_KIND, bot ? BL_USER_KIND_BOT : BL_USER_KIND_PERSON));
    bl_object_set(object, BL_FIELD_USER_ASSOCIATION,
                  bl_member_value(BL_ENUM_ASSOCIATION, association));
    return bl_object_value(object);
}

static void push(struct bl_snapshot *snapshot, struct bl_list *list, struct bl_value v)
{
    if (list != NULL && !bl_is_absent(v) &&
        bl_list_push(bl_snapshot_arena(snapshot), list, v) != BL_OK)
        list->count = 0;
}

static struct bl_value listed(struct bl_list *list)
{
    return list != NULL ? bl_list_value(list) : bl_absent();
}

static void set_issue(const struct scripted_world *s, struct bl_snapshot *snapshot,
                      const struct scripted_issue *issue, struct bl_object *object)
{
    struct bl_list *labels = bl_list_create(bl_snapshot_arena(snapshot));
    struct bl_value reason = bl_member_value(BL_ENUM_STATE_REASON, issue->reason);

    (void)s;
    for (size_t i = 0; i < issue->label_count; i++)
        push(snapshot, labels, bl_text(issue->labels[i]));
    bl_object_set(object, BL_FIELD_ISSUE_TITLE, bl_text(bl_str_from(issue->title)));
    bl_object_set(object, BL_FIELD_ISSUE_TEXT, bl_text(bl_str_from(issue->text)));
    bl_object_set(object, BL_FIELD_ISSUE_STATE,
                  bl_member_value(BL_ENUM_ISSUE_STATE,
                                  issue->closed ? BL_ISSUE_STATE_CLOSED : BL_ISSUE_STATE_OPEN));
    bl_object_set(object, BL_FIELD_ISSUE_STATE_REASON, issue->closed ? reason : bl_absent());
    bl_object_set(object, BL_FIELD_ISSUE_AUTHOR,
                  user(snapshot, issue->author, issue->association));
    bl_object_set(object, BL_FIELD_ISSUE_CREATED_AT, bl_number(BL_V_TIME, issue->created));
    bl_object_set(object, BL_FIELD_ISSUE_LABELS, listed(labels));
    bl_object_set(object, BL_FIELD_ISSUE_LOCKED, bl_bool(issue->locked));
}

static struct bl_object *issue_object(const struct scripted_world *s,
                                      struct bl_snapshot *snapshot, int64_t number)
{
    struct bl_object *object = thing(s, snapshot, BL_ENTITY_ISSUE, number);

    if (object != NULL) {
        bl_object_set(object, BL_FIELD_ISSUE_NUMBER, bl_int(number));
        bl_object_set(object, BL_FIELD_ISSUE_REPOSITORY, bl_text(object->name));
    }
    return object;
}

static struct bl_object *comment_object(const struct scripted_world *s,
                                        struct bl_snapshot *snapshot,
                                        const struct scripted_comment *comment)
{
    struct bl_object *object = thing(s, snapshot, BL_ENTITY_COMMENT, comment->id);

    if (object == NULL)
        return NULL;
    bl_object_set(object, BL_FIELD_COMMENT_ID, bl_int(comment->id));
    bl_object_set(object, BL_FIELD_COMMENT_AUTHOR,
                  user(snapshot, comment->author, BL_ASSOCIATION_NOBODY));
    bl_object_set(object, BL_FIELD_COMMENT_CREATED_AT, bl_number(BL_V_TIME, comment->created));
    bl_object_set(object, BL_FIELD_COMMENT_TEXT, bl_text(comment->text));
    struct bl_object *issue = issue_object(s, snapshot, comment->issue);
    if (issue != NULL)
        bl_object_set(object, BL_FIELD_COMMENT_ISSUE, bl_object_value(issue));
    return object;
}

static struct bl_value comments_of(const struct scripted_world *s, struct bl_snapshot *snapshot,
                                   int64_t issue)
{
    struct bl_list *list = bl_list_create(bl_snapshot_arena(snapshot));

    for (size_t i = 0; i < s->comment_count; i++) {
        if (s->comments[i].issue != issue || s->comments[i].deleted)
            continue;
        struct bl_object *object = comment_object(s, snapshot, &s->comments[i]);
        if (object != NULL)
            push(snapshot, list, bl_object_value(object));
    }
    return listed(list);
}

static struct bl_value reactions_of(const struct scripted_world *s,
                                    struct bl_snapshot *snapshot,
                                    const struct scripted_comment *comment)
{
    struct bl_list *list = bl_list_create(bl_snapshot_arena(snapshot));

    for (unsigned kind = 0; kind < 8; kind++) {
        if ((comment->reactions >> kind & 1) == 0)
            continue;
        struct bl_object *object = bl_snapshot_object(
            snapshot, BL_ENTITY_REACTION, comment->id * 8 + kind, bl_str_from(s->repository));
        if (object == NULL)
            continue;
        bl_object_set(object, BL_FIELD_REACTION_USER,
                      user(snapshot, s->account, BL_ASSOCIATION_NOBODY));
        bl_object_set(object, BL_FIELD_REACTION_KIND,
                      bl_member_value(BL_ENUM_REACTION_KIND, kind));
        push(snapshot, list, bl_object_value(object));
    }
    return listed(list);
}

static struct bl_value issues(const struct scripted_world *s, struct bl_snapshot *snapshot,
                              bool closed)
{
    struct bl_list *list = bl_list_create(bl_snapshot_arena(snapshot));

    for (size_t i = 0; i < s->issue_count; i++) {
        if (s->issues[i].closed != closed || s->issues[i].deleted)
            continue;
        struct bl_object *object = issue_object(s, snapshot, s->issues[i].number);
        if (object == NULL)
            continue;
        set_issue(s, snapshot, &s->issues[i], object);
        push(snapshot, list, bl_object_value(object));
    }
    return listed(list);
}

static bool fails(struct scripted_world *s, enum bl_read read, int64_t key,
                  struct bl_failure *failure)
{
    s->reads[read]++;
    if (!s->fails || s->failing != read || (s->failing_key != 0 && s->failing_key != key))
        return false;
    if (s->fail_times > 0 && --s->fail_times == 0)
        s->fails = false;
    failure->why = BL_STR("GitHub answered 502");
    failure->again = true;
    return true;
}

static enum bl_answer load(void *self, struct bl_snapshot *snapshot, struct bl_object *object,
                           enum bl_read read, struct bl_failure *failure)
{
    struct scripted_world *s = self;
    struct scripted_issue *issue = find_issue(s, object->key);
    struct scripted_comment *comment = find_comment(s, object->key);

    if (fails(s, read, object->key, failure))
        return BL_FAILED;
    if (object->entity == BL_ENTITY_COMMENT) {
        if (comment == NULL)
            return BL_MISSING;
        if (read == BL_READ_REACTIONS)
            bl_object_set(object, BL_FIELD_COMMENT_REACTIONS,
                          reactions_of(s, snapshot, comment));
        else
            (void)comment_object(s, snapshot, comment);
        return BL_FOUND;
    }
    if (object->entity == BL_ENTITY_ISSUE) {
        if (issue == NULL)
            return BL_MISSING;
        if (read == BL_READ_COMMENTS)
            bl_object_set(object, BL_FIELD_ISSUE_COMMENTS,
                          comments_of(s, snapshot, object->key));
        else if (read == BL_READ_ISSUE)
            set_issue(s, snapshot, issue, object);
        return BL_FOUND;
    }
    if (object->entity == BL_ENTITY_REPOSITORY && read == BL_READ_OPEN_ISSUES)
        bl_object_set(object, BL_FIELD_REPOSITORY_OPEN_ISSUES, issues(s, snapshot, false));
    else if (object->entity == BL_ENTITY_REPOSITORY && read == BL_READ_CLOSED_ISSUES)
        bl_object_set(object, BL_FIELD_REPOSITORY_CLOSED_ISSUES, issues(s, snapshot, true));
    else
        return BL_FAILED;
    return BL_FOUND;
}

static enum bl_answer query(void *self, struct bl_snapshot *snapshot, enum bl_read read,
                            const struct bl_value *args, size_t count, struct bl_value *out,
                            struct bl_failure *failure)
{
    struct scripted_world *s = self;
    int64_t key = count > 0 && args[0].tag == BL_V_INT ? args[0].as.i : 0;

    if (fails(s, read, key, failure))
        return BL_FAILED;
    if (read == BL_READ_REPOSITORY && count == 1) {
        *out = bl_bool(bl_str_equal(bl_text_of(args[0]), bl_str_from(s->repository)));
        return BL_FOUND;
    }
    if (read == BL_READ_REPOSITORY) {
        struct bl_object *object = thing(s, snapshot, BL_ENTITY_REPOSITORY, 0);
        if (object != NULL)
            bl_object_set(object, BL_FIELD_REPOSITORY_NAME, bl_text(object->name));
        *out = object != NULL ? bl_object_value(object) : bl_absent();
        return BL_FOUND;
    }
    if (read == BL_READ_ISSUE || read == BL_READ_NUMBERED) {
        if (find_issue(s, key) == NULL)
            return BL_MISSING;
        struct bl_object *object = read == BL_READ_ISSUE
                                       ? issue_object(s, snapshot, key)
                                       : thing(s, snapshot, BL_ENTITY_NUMBERED, key);
        *out = object != NULL ? bl_object_value(object) : bl_absent();
        return BL_FOUND;
    }
    if (read == BL_READ_ISSUES_CREATED || read == BL_READ_COMMENTS_CHANGED) {
        *out = read == BL_READ_ISSUES_CREATED ? issues(s, snapshot, false)
                                              : comments_of(s, snapshot, 12);
        return BL_FOUND;
    }
    if (read == BL_READ_STORE) {
        *out = bl_text(bl_str_from(s->store != NULL ? s->store : ""));
        return s->store != NULL ? BL_FOUND : BL_MISSING;
    }
    if (read == BL_READ_VARIABLE) {
        if (s->variable == NULL)
            return BL_MISSING;
        *out = bl_text(bl_str_from(s->variable));
        return BL_FOUND;
    }
    if (read == BL_READ_SECRET) {
        *out = bl_bool(s->secret);
        return BL_FOUND;
    }
    return BL_FAILED;
}

/* ---- writes ------------------------------------------------------------------------------ */

static void remove_label(struct scripted_issue *issue, bl_str label)
{
    size_t kept = 0;

    for (size_t i = 0; i < issue->label_count; i++) {
        if (!bl_str_equal_nocase(issue->labels[i], label))
            issue->labels[kept++] = issue->labels[i];
    }
    issue->label_count = kept;
}

static bl_str first_line_of(bl_str text)
{
    size_t end = bl_str_find_char(text, '\n');

    return bl_str_slice(text, 0, end == SIZE_MAX ? text.len : end);
}

static void set_first_line(struct scripted_world *s, struct scripted_comment *comment,
                           bl_str line)
{
    struct bl_buf text;

    bl_buf_init(&text, s->arena, 1 << 20);
    bl_buf_put(&text, line);
    bl_buf_put(&text, bl_str_behind_line(comment->text));
    comment->text = bl_buf_str(&text);
}

static void on_issue(struct scripted_world *s, struct scripted_issue *issue,
                     const struct bl_effect_call *call)
{
    switch (call->effect) {
    case BL_EFFECT_ADD_LABEL:
        remove_label(issue, bl_text_of(call->args[1]));
        if (issue->label_count < SCRIPTED_LABELS)
            issue->labels[issue->label_count++] =
                bl_arena_copy(s->arena, bl_text_of(call->args[1]));
        break;
    case BL_EFFECT_REMOVE_LABEL:
        remove_label(issue, bl_text_of(call->args[1]));
        break;
    case BL_EFFECT_CLOSE:
        issue->closed = true;
        issue->reason = (unsigned)call->args[1].as.i;
        break;
    case BL_EFFECT_REOPEN:
        issue->closed = false;
        break;
    case BL_EFFECT_LOCK:
        issue->locked = true;
        break;
    case BL_EFFECT_POST:
        if (s->comment_count < SCRIPTED_COMMENTS)
            s->comments[s->comment_count++] =
                (struct scripted_comment){.id = 1000 + (int64_t)s->comment_count,
                                          .issue = issue->number,
                                          .author = s->account,
                                          .text = bl_arena_copy(s->arena, call->body)};
        break;
    case BL_EFFECT_ENSURE_LABEL:
    case BL_EFFECT_MARK:
    case BL_EFFECT_REACT:
    case BL_EFFECT_MILESTONE:
    case BL_EFFECT_STATUS:
    case BL_EFFECT_DISMISS:
    case BL_EFFECT_KEEP:
    case BL_EFFECT_SUGGEST_DUPLICATE:
    case BL_EFFECT_START:
    case BL_EFFECT_OUTPUT:
    case BL_EFFECT_NOTICE:
    case BL_EFFECT_WARN:
    case BL_EFFECT_ERROR:
    case BL_EFFECT_FAIL:
    case BL_EFFECT_SUMMARY:
    case BL_EFFECT_COUNT:
        break;
    }
}

static void put_log(struct scripted_world *s, const struct bl_effect_call *call)
{
    bl_buf_put(&s->log, bl_effect_info(call->effect)->words);
    if (call->target != NULL) {
        bl_buf_put_char(&s->log, ' ');
        bl_buf_put_int(&s->log, call->target->key);
    }
    if (call->effect == BL_EFFECT_ADD_LABEL || call->effect == BL_EFFECT_REMOVE_LABEL) {
        bl_buf_put_char(&s->log, ' ');
        bl_buf_put(&s->log, bl_text_of(call->args[1]));
    }
    if (call->effect == BL_EFFECT_POST || call->effect == BL_EFFECT_MARK) {
        bl_buf_put_char(&s->log, ' ');
        bl_buf_put(&s->log, first_line_of(call->body));
    }
    if (call->effect == BL_EFFECT_ENSURE_LABEL)
        bl_buf_printf(&s->log, " %.*s %.*s '%.*s'", BL_STR_ARG(bl_text_of(call->args[0])),
                      BL_STR_ARG(call->label_color), BL_STR_ARG(call->label_description));
    bl_buf_put_char(&s->log, '\n');
}

static enum bl_written write_effect(void *self, struct bl_arena *arena,
                                    const struct bl_effect_call *call,
                                    struct bl_failure *failure)
{
    struct scripted_world *s = self;
    struct scripted_issue *issue =
        call->target != NULL ? find_issue(s, call->target->key) : NULL;
    struct scripted_comment *comment =
        call->target != NULL ? find_comment(s, call->target->key) : NULL;

    (void)arena;
    if (s->writes >= s->cut_after || (s->refuses && call->effect == s->refused)) {
        failure->what = BL_STR("The write was not made");
        failure->why = BL_STR("GitHub answered 500");
        return BL_NOT_WRITTEN;
    }
    s->writes++;
    put_log(s, call);
    if (comment != NULL && call->effect == BL_EFFECT_REACT)
        comment->reactions |= 1u << (unsigned)call->args[1].as.i;
    else if (comment != NULL && call->effect == BL_EFFECT_MARK)
        set_first_line(s, comment, call->body);
    else if (issue != NULL)
        on_issue(s, issue, call);
    if (s->writes == s->lost) {
        failure->what = BL_STR("The answer was lost");
        return BL_UNKNOWN_WRITTEN;
    }
    return BL_WRITTEN;
}

static int64_t now(void *self)
{
    (void)self;
    return 0;
}

/* ---- for tests --------------------------------------------------------------------------- */

void scripted_init(struct scripted_world *s, struct bl_arena *arena)
{
    *s = (struct scripted_world){
        .world = {.self = s, .load = load, .query = query, .write = write_effect, .now = now},
        .arena = arena,
        .repository = "o/r",
        .account = "bot[bot]",
        .cut_after = SIZE_MAX,
    };
    bl_buf_init(&s->log, arena, 1 << 20);
}

struct scripted_issue *scripted_issue(struct scripted_world *s, int64_t number)
{
    check(s->issue_count < SCRIPTED_ISSUES);
    struct scripted_issue *issue = &s->issues[s->issue_count++];
    *issue = (struct scripted_issue){
        .number = number,
        .author = "alice",
        .title = "A title",
        .text = "A text",
        .association = BL_ASSOCIATION_NOBODY,
    };
    return issue;
}

void scripted_label(struct scripted_world *s, int64_t number, const char *label)
{
    struct scripted_issue *issue = find_issue(s, number);

    check(issue != NULL && issue->label_count < SCRIPTED_LABELS);
    issue->labels[issue->label_count++] = bl_str_from(label);
}

struct scripted_comment *scripted_comment(struct scripted_world *s, int64_t issue,
                                          const char *author, const char *text)
{
    check(s->comment_count < SCRIPTED_COMMENTS);
    struct scripted_comment *comment = &s->comments[s->comment_count++];
    *comment = (struct scripted_comment){
        .id = 1000 + (int64_t)s->comment_count - 1,
        .issue = issue,
        .author = author,
        .text = bl_str_from(text),
    };
    return comment;
}

bool scripted_has_label(const struct scripted_world *s, int64_t number, const char *label)
{
    for (size_t i = 0; i < s->issue_count; i++) {
        for (size_t k = 0; s->issues[i].number == number && k < s->issues[i].label_count; k++) {
            if (bl_str_equal(s->issues[i].labels[k], bl_str_from(label)))
                return true;
        }
    }
    return false;
}

static void put_sorted_labels(struct bl_buf *out, const struct scripted_issue *issue)
{
    bl_str last = {NULL, 0};

    for (size_t put = 0; put < issue->label_count; put++) {
        const bl_str *least = NULL;
        for (size_t i = 0; i < issue->label_count; i++) {
            if ((put == 0 || bl_str_compare(issue->labels[i], last) > 0) &&
                (least == NULL || bl_str_compare(issue->labels[i], *least) < 0))
                least = &issue->labels[i];
        }
        if (least == NULL)
            return;
        bl_buf_printf(out, " %.*s", BL_STR_ARG(*least));
        last = *least;
    }
}

bl_str scripted_state(struct scripted_world *s)
{
    struct bl_buf out;

    bl_buf_init(&out, s->arena, 1 << 20);
    for (size_t i = 0; i < s->issue_count; i++) {
        const struct scripted_issue *issue = &s->issues[i];

        bl_buf_printf(&out, "#%" PRId64 " %s %u %s:", issue->number,
                      issue->closed ? "closed" : "open", issue->closed ? issue->reason : 0,
                      issue->locked ? "locked" : "");
        put_sorted_labels(&out, issue);
        bl_buf_put_char(&out, '\n');
        for (size_t k = 0; k < s->comment_count; k++) {
            const struct scripted_comment *comment = &s->comments[k];

            if (comment->issue == issue->number && !comment->deleted)
                bl_buf_printf(&out, "  %s %u %.*s\n", comment->author, comment->reactions,
                              BL_STR_ARG(comment->text));
        }
    }
    return bl_buf_str(&out);
}
