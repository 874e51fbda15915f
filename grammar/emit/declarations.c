/* SPDX-License-Identifier: Apache-2.0 */
#include "base/digest.h"
#include "emit/lowering.h"

/* ---- types
 * ------------------------------------------------------------------------------------- */

static uint32_t enum_number(struct bl_emitter *e, unsigned declared)
{
    if (e->enums[declared] == BL_NONE) {
        const struct bl_enum_declared *list = &e->program->enums.items[declared];
        bl_str name = list->symbol != NULL ? list->symbol->name : (bl_str){NULL, 0};
        e->enums[declared] =
            bl_builder_enum(e->b, name, list->members.items, list->members.count);
    }
    return e->enums[declared];
}

static uint32_t record_number(struct bl_emitter *e, unsigned declared)
{
    if (e->records[declared] != BL_NONE)
        return e->records[declared];
    const struct bl_record_declared *record = &e->program->records.items[declared];
    struct bl_builder_member *fields =
        BL_NEW_ARRAY(e->arena, record->count + 1, struct bl_builder_member);
    if (fields == NULL)
        return BL_NONE;
    for (size_t i = 0; i < record->count; i++)
        fields[i] = (struct bl_builder_member){record->fields[i].name,
                                               bl_emit_type(e, record->fields[i].type), 0};
    e->records[declared] = bl_builder_record(e->b, record->name, fields, record->count);
    return e->records[declared];
}

static unsigned posted_number(struct bl_emitter *e, unsigned declared)
{
    if (e->posted[declared] == BL_TYPE_ERROR) {
        const struct bl_posted_kinds *set = &e->program->posted.items[declared];
        uint32_t *kinds = BL_NEW_ARRAY(e->arena, set->count + 1, uint32_t);
        for (size_t i = 0; kinds != NULL && i < set->count; i++)
            kinds[i] = set->kinds[i]->number;
        if (kinds != NULL)
            e->posted[declared] = bl_builder_posted(e->b, kinds, set->count);
    }
    return bl_type_ref(e->posted[declared]);
}

bl_type bl_emit_type(struct bl_emitter *e, bl_type type)
{
    unsigned ref = bl_type_ref(type);
    unsigned number = ref;
    enum bl_type_kind kind = bl_type_kind(type);
    if (kind == BL_TYPE_ENUM && ref >= BL_ENUM_COUNT)
        number = BL_ENUM_COUNT + enum_number(e, ref - BL_ENUM_COUNT);
    else if (kind == BL_TYPE_RECORD)
        number = record_number(e, ref);
    else if (kind == BL_TYPE_POSTED)
        number = posted_number(e, ref);
    return (type & 0xffffu) | ((bl_type)number << 16);
}

/* ---- labels, tasks, languages, comments
 * ----------------------------------------------------------- */

static struct bl_symbol_list *all(struct bl_emitter *e, enum bl_symbol_kind kind)
{
    return &e->program->symbols[kind];
}

/* The description as a function when it holds settings, else as words. */
static void describe(struct bl_emitter *e, const struct bl_label *label,
                     struct bl_module_label *row)
{
    struct bl_node *text = label->description;
    if (text == NULL)
        return;
    bool is_plain = text->kid_count == 0 ||
                    (text->kid_count == 1 && text->kids[0]->kind == BL_NODE_STRING_PART);
    if (is_plain) {
        if (text->kid_count > 0)
            row->description = bl_builder_string(e->b, text->kids[0]->text);
        return;
    }
    struct bl_body body =
        bl_body_begin(e, BL_STR("description"), BL_FUNCTION_PURE, BL_TYPE_TEXT, BL_NONE);
    unsigned words = bl_lower_text(&body, text, BL_PLACE_COUNT);
    bl_put(&body, BL_OP_RETURN, 0, words, 0, text->span);
    row->description_function = bl_body_end(&body);
}

static void labels(struct bl_emitter *e)
{
    struct bl_symbol_list *list = all(e, BL_SYMBOL_LABEL);
    for (size_t i = 0; i < list->count; i++) {
        const struct bl_symbol *symbol = list->items[i];
        const struct bl_label *label = symbol->as.label;
        struct bl_module_label row = {.name = bl_builder_string(e->b, symbol->name),
                                      .shown = bl_builder_string(e->b, label->shown),
                                      .color = bl_builder_string(e->b, label->color),
                                      .description = bl_builder_string(e->b, (bl_str){NULL, 0}),
                                      .ask = label->ask,
                                      .description_function = BL_NONE};
        describe(e, label, &row);
        bl_str *options = BL_NEW_ARRAY(e->arena, label->options.count + 1, bl_str);
        for (size_t o = 0; options != NULL && o < label->options.count; o++)
            if (label->options.items[o]->kid_count > 0)
                options[o] = label->options.items[o]->kids[0]->text;
        if (options != NULL)
            bl_builder_label(e->b, row, options, label->options.count);
    }
}

static void locales(struct bl_emitter *e)
{
    struct bl_symbol_list *list = all(e, BL_SYMBOL_LOCALE);
    for (size_t i = 0; i < list->count; i++) {
        const struct bl_symbol *symbol = list->items[i];
        const struct bl_locale *locale = symbol->as.locale;
        struct bl_module_locale row = {.code = bl_builder_string(e->b, symbol->name),
                                       .name = bl_builder_string(e->b, locale->shown),
                                       .day = bl_builder_string(e->b, locale->day),
                                       .first_month = BL_NONE,
                                       .like = locale->like != NULL ? locale->like->number
                                                                    : BL_NONE};
        bool has_months = locale->months.count == 12;
        bl_builder_locale(e->b, row, has_months ? locale->months.items : NULL,
                          locale->stopwords.items, locale->stopwords.count);
    }
}

static void comments(struct bl_emitter *e)
{
    struct bl_symbol_list *list = all(e, BL_SYMBOL_COMMENT);
    for (size_t i = 0; i < list->count; i++) {
        const struct bl_document *document = list->items[i]->as.document;
        struct bl_builder_member *members =
            BL_NEW_ARRAY(e->arena, document->attribute_count + 1, struct bl_builder_member);
        if (members == NULL)
            return;
        for (size_t a = 0; a < document->attribute_count; a++)
            members[a] = (struct bl_builder_member){
                document->attributes[a].name, bl_emit_type(e, document->attributes[a].type),
                document->attributes[a].once ? BL_ATTRIBUTE_ONCE : 0};
        bl_builder_comment(e->b, list->items[i]->name, members, document->attribute_count);
    }
}

uint32_t bl_emit_outside(struct bl_emitter *e, struct bl_symbol *symbol)
{
    if (symbol->emit[0] == 0) {
        struct bl_module_name row = {bl_builder_string(e->b, symbol->name),
                                     bl_builder_string(e->b, symbol->as.outside->shown)};
        symbol->emit[0] = bl_add_VARIABLES(e->b, row) + 1;
    }
    return symbol->emit[0] - 1;
}

/* ---- settings
 * ---------------------------------------------------------------------------------------- */

static uint32_t value_function(struct bl_emitter *e, struct bl_symbol *symbol)
{
    bl_type type = bl_emit_type(e, symbol->type);
    struct bl_body body = bl_body_begin(e, symbol->name, BL_FUNCTION_PURE, type, BL_NONE);
    unsigned value = bl_lower_as(&body, symbol->as.setting->value, type);
    bl_put(&body, BL_OP_RETURN, 0, value, 0, symbol->as.setting->value->span);
    return bl_body_end(&body);
}

struct check {
    struct bl_body *body;
    struct bl_symbol *symbol;
    unsigned value; /* the setting, known to be set */
};

static void answer(struct bl_body *body, bool passes, bl_str rule, unsigned words,
                   struct bl_span span)
{
    struct bl_emitter *e = body->e;
    bl_type types[3] = {BL_TYPE_BOOL, BL_TYPE_NAME,
                        BL_TYPE_MAKE(BL_TYPE_CLEAN, 1u << BL_PLACE_LOG)};
    unsigned result =
        bl_code_register(body->code, BL_TYPE_MAKE(BL_TYPE_ENTITY, BL_ENTITY_VERDICT));
    unsigned first = bl_code_range(body->code, types, 3);
    bl_put(body, BL_OP_CONST, first, 0, bl_builder_number(e->b, BL_TYPE_BOOL, passes), span);
    bl_put(body, BL_OP_CONST, first + 1, 0, bl_builder_text(e->b, BL_TYPE_NAME, rule), span);
    bl_put(body, BL_OP_MOVE, first + 2, words, 0, span);
    bl_put(body, BL_OP_VERDICT, result, first, 0, span);
    bl_put(body, BL_OP_RETURN, 0, result, 0, span);
}

/* min and max: refused with the bound in the words. */
static void bound(struct check *c, struct bl_node *limit, bool is_least)
{
    struct bl_body *body = c->body;
    struct bl_code *code = body->code;
    size_t mark = bl_code_mark(code);
    unsigned edge = bl_lower(body, limit);
    unsigned holds = bl_code_register(code, BL_TYPE_BOOL);
    unsigned next = bl_code_target(code);
    bl_put(body, BL_OP_LE, holds, is_least ? edge : c->value, is_least ? c->value : edge,
           limit->span);
    bl_code_jump(code, BL_OP_JUMP_IF, holds, next, limit->span);
    bl_type text = BL_TYPE_TEXT;
    bl_type parts[5] = {text, text, text, text, text};
    unsigned first = bl_code_range(code, parts, 5);
    bl_str words[5] = {c->symbol->name,
                       BL_STR(" is "),
                       {NULL, 0},
                       is_least ? BL_STR(", and may be no less than ")
                                : BL_STR(", and may be no more than "),
                       {NULL, 0}};
    for (unsigned i = 0; i < 5; i++) {
        if (words[i].len > 0)
            bl_put(body, BL_OP_CONST, first + i, 0,
                   bl_builder_text(body->e->b, BL_TYPE_TEXT, words[i]), limit->span);
        else
            bl_put(body, BL_OP_RENDER, first + i, i == 2 ? c->value : edge, BL_PLACE_LOG,
                   limit->span);
    }
    unsigned sentence = bl_code_register(code, BL_TYPE_TEXT);
    bl_put(body, BL_OP_BUILD, sentence, first, 5, limit->span);
    answer(body, false, c->symbol->name, sentence, limit->span);
    bl_code_place(code, next);
    bl_code_release(code, mark);
}

static void requirement(struct check *c, const struct bl_requirement *r)
{
    struct bl_body *body = c->body;
    size_t mark = bl_code_mark(body->code);
    unsigned next = bl_code_target(body->code);
    bl_lower_condition(body, r->condition, true, next);
    answer(body, false, c->symbol->name, bl_lower_text(body, r->text, BL_PLACE_LOG),
           r->condition->span);
    bl_code_place(body->code, next);
    bl_code_release(body->code, mark);
}

static uint32_t check_function(struct bl_emitter *e, struct bl_symbol *symbol, uint32_t setting)
{
    const struct bl_setting *info = symbol->as.setting;
    if (info->least == NULL && info->greatest == NULL && info->requires == NULL)
        return BL_NONE;
    bl_type verdict = BL_TYPE_MAKE(BL_TYPE_ENTITY, BL_ENTITY_VERDICT);
    struct bl_body body = bl_body_begin(e, symbol->name, BL_FUNCTION_PURE, verdict, BL_NONE);
    struct bl_code *code = body.code;
    bl_type type = bl_emit_type(e, symbol->type);
    unsigned given = bl_code_register(code, type);
    bl_put(&body, BL_OP_SETTING, given, 0, setting, symbol->span);
    struct check c = {&body, symbol, given};
    unsigned absent = bl_code_target(code);
    if (bl_type_is_optional(type)) {
        unsigned is_set = bl_code_register(code, BL_TYPE_BOOL);
        bl_put(&body, BL_OP_IS_SET, is_set, given, 0, symbol->span);
        bl_code_jump(code, BL_OP_JUMP_UNLESS, is_set, absent, symbol->span);
        c.value = bl_code_register(code, bl_type_base(type));
        bl_put(&body, BL_OP_REQUIRE, c.value, given, 0, symbol->span);
    }
    if (info->least != NULL)
        bound(&c, info->least, true);
    if (info->greatest != NULL)
        bound(&c, info->greatest, false);
    for (const struct bl_requirement *r = info->requires; r != NULL; r = r->next)
        requirement(&c, r);
    bl_code_place(code, absent);
    answer(&body, true, symbol->name,
           bl_const_text(&body, BL_TYPE_TEXT, (bl_str){NULL, 0}, symbol->span), symbol->span);
    return bl_body_end(&body);
}

/* The value of a setting that somebody changed, among those that the node names. */
static const struct bl_node *changed_in(const struct bl_node *node)
{
    const struct bl_node *found = NULL;
    if (node == NULL)
        return NULL;
    if (node->resolution == BL_RESOLVED_SETTING &&
        node->symbol->as.setting->value != node->symbol->as.setting->preset)
        return node->symbol->as.setting->value;
    for (uint32_t i = 0; found == NULL && i < node->kid_count; i++)
        found = changed_in(node->kids[i]);
    return found;
}

/* Where the reader looks when it is refused: what was set, here or of a setting that its bounds
 * and requirements name; a product's own values fit each other. */
static struct bl_span blamed(const struct bl_symbol *symbol)
{
    const struct bl_setting *setting = symbol->as.setting;
    const struct bl_node *changed = NULL;
    if (setting->value != setting->preset)
        return setting->value->span;
    changed = changed_in(setting->value);
    changed = changed != NULL ? changed : changed_in(setting->least);
    changed = changed != NULL ? changed : changed_in(setting->greatest);
    for (const struct bl_requirement *r = setting->requires; r != NULL && changed == NULL;
         r = r->next)
        changed = changed_in(r->condition);
    return changed != NULL ? changed->span : setting->value->span;
}

uint32_t bl_emit_setting(struct bl_emitter *e, struct bl_symbol *symbol)
{
    if (symbol->emit[0] != 0)
        return symbol->emit[0] - 1;
    struct bl_span at = blamed(symbol);
    uint32_t function = value_function(e, symbol);
    uint32_t setting = bl_add_SETTINGS(
        e->b, (struct bl_module_setting){bl_builder_string(e->b, symbol->name), function,
                                         BL_NONE, at.source, at.lo, at.hi});
    symbol->emit[0] = setting + 1;
    uint32_t check = check_function(e, symbol, setting);
    if (setting < e->b->SETTINGS.count)
        e->b->SETTINGS.items[setting].check = check;
    return setting;
}

/* ---- all of them
 * ---------------------------------------------------------------------------------------- */

static void sources(struct bl_emitter *e)
{
    const struct bl_sources *list = e->program->sources;
    for (size_t i = 0; i < list->list.count; i++) {
        const struct bl_source *source = &list->list.items[i];
        struct bl_module_source row = {.path = bl_builder_string(e->b, source->path),
                                       .bytes = (uint32_t)source->text.len};
        bl_digest(source->text, row.digest);
        bl_add_SOURCES(e->b, row);
    }
}

static void info(struct bl_emitter *e)
{
    const struct bl_package *product = e->program->product;
    struct bl_digest_state state;
    bl_digest_begin(&state);
    for (size_t i = 0; i < e->b->SOURCES.count; i++) {
        const struct bl_module_source *source = &e->b->SOURCES.items[i];
        bl_digest_add(&state, e->program->sources->list.items[i].path);
        bl_digest_add(&state, (bl_str){"\0", 1});
        bl_digest_add(&state, (bl_str){(const char *)source->digest, BL_DIGEST_BYTES});
    }
    if (e->b->INFO.count == 0)
        return;
    struct bl_module_info *row = &e->b->INFO.items[0];
    bl_digest_end(&state, row->digest);
    if (product == NULL)
        return;
    row->package = bl_builder_string(e->b, product->name);
    row->account = bl_builder_string(e->b, product->account);
    row->marker = bl_builder_string(e->b, product->marker);
    row->folder = bl_builder_string(e->b, product->folder);
}

static void accepted(struct bl_emitter *e)
{
    for (size_t i = 0; i < e->program->accepted.count; i++) {
        const struct bl_accepted *one = &e->program->accepted.items[i];
        struct bl_module_accepted row = {.tool = bl_builder_string(e->b, one->tool),
                                         .rule = bl_builder_string(e->b, one->rule),
                                         .path = bl_builder_string(e->b, one->path),
                                         .comment = bl_builder_string(e->b, one->comment),
                                         .reason = one->reason,
                                         .until = one->until};
        bl_add_ACCEPTED(e->b, row);
    }
}

void bl_emit_tables(struct bl_emitter *e)
{
    sources(e);
    info(e);
    locales(e);
    comments(e);
    struct bl_symbol_list *settings = all(e, BL_SYMBOL_SETTING);
    for (size_t i = 0; i < settings->count; i++)
        (void)bl_emit_setting(e, settings->items[i]);
    labels(e);
    bl_emit_stores(e);
    accepted(e);
}
