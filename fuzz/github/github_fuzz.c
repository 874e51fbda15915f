/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz_target.h"
#include "world/github/github_address.h"
#include "world/github/github_wire.h"

/* Answers of GitHub, or of whoever stands in its place: headers (Link, Retry-After …), REST and
 * GraphQL. The first byte says what is read or written, the rest are answers, parted by RS
 * (0x1E): three digits of status, lines of headers, an empty line, the body.
 *
 * Whatever comes: the client asks the API's host alone, and not for ever; a write is sent once
 * unless GitHub says that it did nothing; what it says of failures is one line of plain text.
 */

#define ARENA_BYTES ((size_t)64 << 20)
#define REQUESTS    20
#define LIST_READ   400 /* elements that are looked at */

struct wire {
    bl_str rest;
    size_t writes;
    size_t sent;
};

static bl_str cut(bl_str *rest, bl_str at)
{
    size_t end = bl_str_find(*rest, at);
    bl_str part = bl_str_slice(*rest, 0, end);
    *rest = end == SIZE_MAX ? (bl_str){NULL, 0} : bl_str_slice(*rest, end + at.len, rest->len);
    return part;
}

static enum bl_github_wire send_request(void *self, struct bl_arena *arena,
                                        const struct bl_github_request *request,
                                        struct bl_github_answer *answer)
{
    struct wire *wire = self;
    bl_str one = cut(&wire->rest, BL_STR("\x1e"));
    struct bl_address address;
    long status = 0;
    FUZZ_REQUIRE(bl_address_parse(request->url, &address) && address.port == 443 &&
                 bl_str_equal(address.scheme, BL_STR("https")) &&
                 bl_str_equal_nocase(address.host, BL_STR("api.github.com")));
    wire->sent++;
    wire->writes += request->fresh;
    *answer = (struct bl_github_answer){.status = 0};
    bl_github_headers_init(&answer->headers);
    if (one.len < 3) {
        return one.len == 1 ? BL_WIRE_NOT_SENT : BL_WIRE_BROKEN;
    }
    for (size_t i = 0; i < 3; i++) {
        status = status * 10 + (one.ptr[i] - '0') % 10;
    }
    one = bl_str_slice(one, 3, one.len);
    bl_str headers = cut(&one, BL_STR("\n\n"));
    while (headers.len > 0) {
        bl_github_headers_line(&answer->headers, arena, cut(&headers, BL_STR("\n")));
    }
    answer->status = status;
    answer->body = bl_arena_copy(arena, one);
    return arena->failed ? BL_WIRE_NO_MEMORY : BL_WIRE_ANSWERED;
}

static int64_t now(void *context)
{
    (void)context;
    return 1000000;
}

static void wait(void *context, int64_t seconds)
{
    (void)context;
    FUZZ_REQUIRE(seconds > 0 && seconds <= 600);
}

static void require_plain(bl_str text)
{
    FUZZ_REQUIRE(bl_str_find(text, BL_STR("secret-token")) == SIZE_MAX);
    for (size_t i = 0; i < text.len; i++) {
        FUZZ_REQUIRE((unsigned char)text.ptr[i] >= 0x20 && text.ptr[i] != 0x7F);
    }
}

static void look(struct bl_value value)
{
    struct bl_value item;
    bool end = value.tag != BL_V_LIST;
    for (uint32_t i = 0; !end && i < LIST_READ; i++) {
        if (bl_list_at(value.as.list, i, &item, &end) != BL_OK) {
            return;
        }
    }
}

struct way {
    enum bl_entity entity;
    enum bl_read read;
    int64_t key;
    const char *name;
};

static const struct way loads[] = {
    {BL_ENTITY_ISSUE, BL_READ_ISSUE, 12, "octo/demo"},
    {BL_ENTITY_ISSUE, BL_READ_COMMENTS, 12, "octo/demo"},
    {BL_ENTITY_ISSUE, BL_READ_TIMELINE, 12, "octo/demo"},
    {BL_ENTITY_ISSUE, BL_READ_EDITS, 12, "octo/demo"},
    {BL_ENTITY_ISSUE, BL_READ_CLOSING_PULLS, 12, "octo/demo"},
    {BL_ENTITY_COMMENT, BL_READ_COMMENTS, 7, "octo/demo"},
    {BL_ENTITY_COMMENT, BL_READ_REACTIONS, 7, "octo/demo"},
    {BL_ENTITY_USER, BL_READ_PERMISSION, 0, "alice"},
    {BL_ENTITY_PULL_REQUEST, BL_READ_PULL, 12, "octo/demo"},
    {BL_ENTITY_PULL_REQUEST, BL_READ_CLOSING_ISSUES, 12, "octo/demo"},
    {BL_ENTITY_PULL_REQUEST, BL_READ_PULL_COMMITS, 12, "octo/demo"},
    {BL_ENTITY_COMMIT, BL_READ_COMMIT, 0, "0123456789012345678901234567890123456789"},
    {BL_ENTITY_REPOSITORY, BL_READ_REPOSITORY, 0, "octo/demo"},
    {BL_ENTITY_REPOSITORY, BL_READ_OPEN_ISSUES, 0, "octo/demo"},
    {BL_ENTITY_REPOSITORY, BL_READ_DISCUSSIONS, 0, "octo/demo"},
    {BL_ENTITY_REPOSITORY, BL_READ_RELEASES, 0, "octo/demo"},
    {BL_ENTITY_REPOSITORY, BL_READ_LABELS, 0, "octo/demo"},
    {BL_ENTITY_REPOSITORY, BL_READ_ALERTS, 0, "octo/demo"},
    {BL_ENTITY_REPOSITORY, BL_READ_CLOSED_ISSUES, 0, "octo/demo"},
    {BL_ENTITY_PULL_REQUEST, BL_READ_TIMELINE, 12, "octo/demo"},
    {BL_ENTITY_RUN, BL_READ_RUN_JOBS, 7, "octo/demo"},
};
static const enum bl_read queries[] = {
    BL_READ_ISSUE,           BL_READ_NUMBERED,         BL_READ_PULL,
    BL_READ_ISSUES_CREATED,  BL_READ_COMMENTS_CHANGED, BL_READ_REPOSITORY,
    BL_READ_LABELLED_ISSUES, BL_READ_PULLS_WITH_HEAD,  BL_READ_SEARCH};
static const enum bl_effect effects[] = {
    BL_EFFECT_ENSURE_LABEL, BL_EFFECT_MARK,   BL_EFFECT_ADD_LABEL,    BL_EFFECT_POST,
    BL_EFFECT_MILESTONE,    BL_EFFECT_CLOSE,  BL_EFFECT_REMOVE_LABEL, BL_EFFECT_REACT,
    BL_EFFECT_LOCK,         BL_EFFECT_REOPEN, BL_EFFECT_STATUS,       BL_EFFECT_DISMISS};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static void run_load(struct bl_snapshot *snapshot, const struct way *way)
{
    struct bl_failure failure = {.again = false};
    struct bl_object *object =
        bl_snapshot_object(snapshot, way->entity, way->key, bl_str_from(way->name));
    if (object != NULL && bl_snapshot_load(snapshot, object, way->read, &failure) == BL_FOUND) {
        const struct bl_entity_info *info = bl_entity_info(way->entity);
        for (unsigned i = 0; i < info->field_count; i++) {
            look(bl_object_get(object, (enum bl_field)(info->first_field + i)));
        }
    }
    require_plain(failure.what);
    require_plain(failure.why);
    require_plain(failure.help);
}

static void run_query(struct bl_snapshot *snapshot, enum bl_read read)
{
    struct bl_failure failure = {.again = false};
    struct bl_value args[2] = {bl_int(12), bl_int(2000000000)};
    if (read == BL_READ_LABELLED_ISSUES || read == BL_READ_PULLS_WITH_HEAD ||
        read == BL_READ_SEARCH) {
        args[0] = bl_text(BL_STR("a \"label\""));
    }
    struct bl_value out;
    size_t count = read == BL_READ_ISSUES_CREATED || read == BL_READ_SEARCH ? 2
                   : read == BL_READ_REPOSITORY                             ? 0
                                                                            : 1;
    if (bl_snapshot_query(snapshot, read, args, count, &out, &failure) == BL_OK) {
        look(out);
    }
    require_plain(failure.why);
}

static void run_effect(struct bl_github *github, struct bl_snapshot *snapshot,
                       struct wire *wire, enum bl_effect effect)
{
    struct bl_failure failure;
    bool label = effect == BL_EFFECT_ENSURE_LABEL;
    bool comment = effect == BL_EFFECT_MARK || effect == BL_EFFECT_REACT;
    struct bl_object *issue =
        effect == BL_EFFECT_STATUS
            ? bl_snapshot_object(snapshot, BL_ENTITY_COMMIT, 0,
                                 BL_STR("0123456789012345678901234567890123456789"))
            : bl_snapshot_object(snapshot,
                                 effect == BL_EFFECT_DISMISS ? BL_ENTITY_ALERT
                                 : comment                   ? BL_ENTITY_COMMENT
                                                             : BL_ENTITY_ISSUE,
                                 12, BL_STR("octo/demo"));
    if (issue == NULL) {
        return;
    }
    struct bl_value args[4] = {label ? bl_text(BL_STR("bug")) : bl_object_value(issue),
                               bl_text(BL_STR("bug")), bl_absent(), bl_absent()};
    if (effect == BL_EFFECT_CLOSE) {
        args[1] = bl_member_value(BL_ENUM_STATE_REASON, BL_STATE_REASON_DUPLICATE);
        args[2] = bl_object_value(issue);
    }
    if (effect == BL_EFFECT_REACT) {
        args[1] = bl_member_value(BL_ENUM_REACTION_KIND, 0);
    } else if (effect == BL_EFFECT_LOCK) {
        args[1] = bl_member_value(BL_ENUM_LOCK_REASON, 0);
    } else if (effect == BL_EFFECT_DISMISS) {
        args[1] = bl_member_value(BL_ENUM_DISMISSAL, 0);
        args[2] = bl_text(BL_STR("x"));
    } else if (effect == BL_EFFECT_STATUS) {
        args[2] = bl_member_value(BL_ENUM_STATUS_STATE, 0);
        args[3] = bl_text(BL_STR("x"));
    }
    const struct bl_effect_call call = {.effect = effect,
                                        .args = args,
                                        .arg_count = 4,
                                        .body = BL_STR("<!-- x -->"),
                                        .label_color = BL_STR("ffffff"),
                                        .label_description = BL_STR("x")};
    const struct bl_world *world = bl_github_world(github);
    (void)world->write(world->self, bl_snapshot_arena(snapshot), &call, &failure);
    require_plain(failure.what);
    require_plain(failure.why);
    require_plain(failure.help);
    /* At most the milestone and the issue, each again for a secondary limit. */
    size_t limit = effect == BL_EFFECT_MILESTONE ? 2 : 1;
    FUZZ_REQUIRE(wire->writes <= limit + bl_github_counts(github).waits);
}

/* Who goes through issues: what is asked of them in one query, forgotten at a write, read
 * again. */
static void run_batch(struct bl_github *github, struct bl_snapshot *snapshot, struct wire *wire)
{
    struct bl_arena *arena = bl_snapshot_arena(snapshot);
    const struct bl_world *world = bl_github_world(github);
    struct bl_list *list = bl_list_create(arena);
    struct bl_object *issues[3];
    for (size_t i = 0; i < COUNT(issues); i++) {
        issues[i] =
            bl_snapshot_object(snapshot, BL_ENTITY_ISSUE, 12 + (int64_t)i, BL_STR("octo/demo"));
        if (list == NULL || issues[i] == NULL ||
            bl_list_push(arena, list, bl_object_value(issues[i])) != BL_OK) {
            return;
        }
    }
    world->expect(world->self, list);
    for (size_t round = 0; round < 2; round++) {
        for (size_t i = 0; i < COUNT(issues); i++) {
            static const enum bl_field fields[] = {
                BL_FIELD_ISSUE_COMMENTS, BL_FIELD_ISSUE_TIMELINE, BL_FIELD_ISSUE_TEXT_EDITS};
            for (size_t k = 0; k < COUNT(fields); k++) {
                struct bl_failure failure = {.again = false};
                struct bl_value list_of;
                if (bl_snapshot_field(snapshot, issues[i], fields[k], &list_of, &failure) ==
                    BL_OK) {
                    look(list_of);
                }
                require_plain(failure.why);
            }
        }
        if (round == 0) {
            run_effect(github, snapshot, wire, BL_EFFECT_POST);
        }
    }
}

/* ---- rows of stores: the job's own, whatever their file holds -------------------------------
 */

#define ROWS_PATH "data/rows.jsonl"

struct rows {
    bl_str file;    /* what is read */
    uint8_t answer; /* what reading and writing say */
    size_t kept;
};

static enum bl_answer read_rows(void *context, enum bl_read read, bl_str asked, bl_str *value)
{
    static const enum bl_answer answers[] = {BL_FOUND, BL_MISSING, BL_FAILED};
    struct rows *rows = context;
    FUZZ_REQUIRE(read == BL_READ_STORE && bl_str_equal(asked, BL_STR(ROWS_PATH)));
    *value = rows->file;
    return answers[rows->answer % COUNT(answers)];
}

static enum bl_written keep_rows(void *context, bl_str path, bl_str text,
                                 struct bl_failure *failure)
{
    struct rows *rows = context;
    FUZZ_REQUIRE(bl_str_equal(path, BL_STR(ROWS_PATH)) && bl_str_equal(text, rows->file));
    rows->kept++;
    if (rows->answer % 2 == 0)
        return BL_WRITTEN;
    failure->why = BL_STR("it is full");
    return BL_NOT_WRITTEN;
}

static void run_keep(struct bl_github *github, struct bl_snapshot *snapshot, struct rows *rows)
{
    const struct bl_value path = bl_text(BL_STR(ROWS_PATH));
    struct bl_failure failure = {.again = false};
    struct bl_value out = bl_absent();
    enum bl_status status =
        bl_snapshot_query(snapshot, BL_READ_STORE, &path, 1, &out, &failure);
    /* What failed is neither empty nor absent. */
    FUZZ_REQUIRE((status == BL_OK) == (rows->answer % 3 != 2));
    FUZZ_REQUIRE(rows->answer % 3 != 0 || bl_str_equal(bl_text_of(out), rows->file));
    require_plain(failure.why);
    const struct bl_effect_call call = {
        .effect = BL_EFFECT_KEEP, .path = BL_STR(ROWS_PATH), .body = rows->file};
    const struct bl_world *world = bl_github_world(github);
    enum bl_written written =
        world->write(world->self, bl_snapshot_arena(snapshot), &call, &failure);
    FUZZ_REQUIRE(rows->kept == 1 && (written == BL_WRITTEN) == (rows->answer % 2 == 0));
    require_plain(failure.why);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct bl_arena arena;
    struct wire wire = {.sent = 0};
    struct rows rows = {.kept = 0};
    const struct bl_github_transport transport = {.self = &wire, .send = send_request};
    const struct bl_github_options options = {
        .repository = BL_STR("octo/demo"),
        .repository_id = 77,
        .token = BL_STR("secret-token"),
        .clock = {now, wait, NULL},
        .job = {.text = read_rows, .keep = keep_rows, .context = &rows},
        .requests = REQUESTS,
        .write_gap_s = UINT32_MAX,
    };
    bl_str problem;
    if (len == 0) {
        return 0;
    }
    bl_arena_init(&arena, ARENA_BYTES, NULL);
    wire.rest = (bl_str){(const char *)bytes + 1, len - 1};
    struct bl_github *github = bl_github_create_over(&arena, &options, &transport, &problem);
    FUZZ_REQUIRE(github != NULL);
    struct bl_snapshot *snapshot = bl_snapshot_create(&arena, bl_github_world(github));
    size_t which = bytes[0] % (COUNT(loads) + COUNT(queries) + COUNT(effects) + 2);
    if (which < COUNT(loads)) {
        run_load(snapshot, &loads[which]);
    } else if (which < COUNT(loads) + COUNT(queries)) {
        run_query(snapshot, queries[which - COUNT(loads)]);
    } else if (which == COUNT(loads) + COUNT(queries) + COUNT(effects)) {
        run_batch(github, snapshot, &wire);
    } else if (which > COUNT(loads) + COUNT(queries) + COUNT(effects)) {
        rows.answer = len > 1 ? bytes[1] : 0;
        rows.file = len > 2 ? bl_str_slice(wire.rest, 1, wire.rest.len) : BL_STR("");
        run_keep(github, snapshot, &rows);
        FUZZ_REQUIRE(wire.sent == 0);
    } else {
        run_effect(github, snapshot, &wire, effects[which - COUNT(loads) - COUNT(queries)]);
    }
    FUZZ_REQUIRE(wire.sent <= REQUESTS);
    bl_github_close(github);
    bl_arena_reset(&arena);
    return 0;
}
