/* SPDX-License-Identifier: Apache-2.0 */
#include "run/usage.h"

#include "event/json.h"

/* The figures of an engine: an object of numbers, a model and how it ended. */

#define USAGE_DEPTH 4

struct reading {
    struct bl_arena *arena;
    const struct bl_json *root;
    struct bl_diagnostics *sink;
    uint32_t source;
    bool good;
};

static const struct bl_json *find(struct reading *r, const char *key)
{
    const struct bl_json *node = bl_json_get(r->root, bl_str_from(key));

    if (node == NULL) {
        struct bl_diagnostic *d = bl_report(r->sink, BL_D_JSON_MISSING, BL_NO_SPAN);

        bl_diagnostic_text(r->sink, d, "path", bl_str_from(key));
        r->good = false;
    }
    return node;
}

static void wrong(struct reading *r, const char *key, const char *wanted)
{
    struct bl_diagnostic *d = bl_report(r->sink, BL_D_JSON_WRONG_TYPE, BL_NO_SPAN);

    bl_diagnostic_text(r->sink, d, "path", bl_str_from(key));
    bl_diagnostic_text(r->sink, d, "wanted", bl_str_from(wanted));
    r->good = false;
}

static int64_t number(struct reading *r, const char *key)
{
    const struct bl_json *node = find(r, key);

    if (node == NULL)
        return 0;
    if (node->kind != BL_JSON_INT || node->integer < 0) {
        wrong(r, key, "a whole number that is not below 0");
        return 0;
    }
    return node->integer;
}

/* Dollars as a decimal number, in ten-thousandths; what is finer is cut off. */
static int64_t dollars(struct reading *r, const char *key)
{
    const struct bl_json *node = find(r, key);
    bl_str s = node != NULL ? node->string : (bl_str){NULL, 0};
    bool good = node != NULL && (node->kind == BL_JSON_INT || node->kind == BL_JSON_NUMBER) &&
                s.len > 0 && s.len <= 24;
    int64_t amount = 0;
    unsigned decimals = 0;
    bool fraction = false;

    for (size_t i = 0; good && i < s.len; i++) {
        if (s.ptr[i] == '.' && !fraction) {
            fraction = true;
        } else if (!bl_is_ascii_digit(s.ptr[i]) || amount > INT64_C(100000000000)) {
            good = false;
        } else if (!fraction || decimals < 4) {
            amount = amount * 10 + (s.ptr[i] - '0');
            decimals += fraction ? 1 : 0;
        }
    }
    for (; decimals < 4; decimals++)
        amount *= 10;
    if (!good && node != NULL)
        wrong(r, key, "an amount in dollars, such as 0.0123");
    return good ? amount : 0;
}

static unsigned ending(struct reading *r, const char *key)
{
    const struct bl_json *node = find(r, key);
    unsigned member = node != NULL && node->kind == BL_JSON_STRING
                          ? bl_enum_member_find(BL_ENUM_TASK_END, node->string)
                          : BL_ENUM_COUNT;

    if (member < bl_enum_member_count(BL_ENUM_TASK_END))
        return member;
    if (node != NULL)
        wrong(r, key, "answered, stopped_at_turns, stopped_at_budget or failed");
    return 0;
}

static bl_str model(struct reading *r, const char *key)
{
    const struct bl_json *node = find(r, key);

    if (node != NULL && node->kind == BL_JSON_STRING && node->string.len <= 200)
        return node->string;
    if (node != NULL)
        wrong(r, key, "the name of a model");
    return (bl_str){NULL, 0};
}

enum bl_status bl_usage_read(struct bl_arena *arena, bl_str text, struct bl_object **out,
                             struct bl_diagnostics *sink)
{
    static const struct {
        const char *key;
        enum bl_field field;
    } counts[] = {{"turns", BL_FIELD_USAGE_TURNS},
                  {"tokens_in", BL_FIELD_USAGE_TOKENS_IN},
                  {"tokens_cached", BL_FIELD_USAGE_TOKENS_CACHED},
                  {"tokens_out", BL_FIELD_USAGE_TOKENS_OUT}};
    struct bl_json_error error;
    size_t notes = 0;
    struct reading r = {.arena = arena, .sink = sink, .good = true};
    struct bl_object *usage = bl_object_create(arena, BL_ENTITY_USAGE, 0, (bl_str){NULL, 0});

    *out = NULL;
    r.root = bl_json_parse(arena, text, USAGE_DEPTH, &notes, &error);
    if (arena->failed || usage == NULL)
        return BL_ERR_NOMEM;
    if (r.root == NULL) {
        bl_diagnostic_text(sink, bl_report(sink, BL_D_JSON_BROKEN, BL_NO_SPAN), "problem",
                           error.message);
        return BL_ERR_INVALID;
    }
    bl_object_set(usage, BL_FIELD_USAGE_MODEL, bl_text(model(&r, "model")));
    bl_object_set(usage, BL_FIELD_USAGE_END,
                  bl_member_value(BL_ENUM_TASK_END, ending(&r, "end")));
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        bl_object_set(usage, counts[i].field, bl_int(number(&r, counts[i].key)));
    bl_object_set(usage, BL_FIELD_USAGE_DURATION,
                  bl_number(BL_V_DURATION, number(&r, "seconds")));
    bl_object_set(usage, BL_FIELD_USAGE_COST, bl_number(BL_V_MONEY, dollars(&r, "cost")));
    *out = usage;
    return r.good ? BL_OK : BL_ERR_INVALID;
}
