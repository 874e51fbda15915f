/* SPDX-License-Identifier: Apache-2.0 */
#include "emit/lowering.h"

struct bl_body bl_body_begin(struct bl_emitter *e, bl_str name, enum bl_function_kind kind,
                             bl_type result, uint32_t job)
{
    struct bl_body body = {
        .e = e,
        .code = bl_code_begin(e->b, name, kind, result, job),
        .serial = ++e->code_serial,
        .span = BL_NO_SPAN,
    };
    return body;
}

void bl_body_params(struct bl_body *body, const struct bl_symbol_list *params)
{
    for (size_t i = 0; i < params->count; i++) {
        struct bl_symbol *param = params->items[i];
        bl_body_local(body, param,
                      bl_code_param(body->code, bl_emit_type(body->e, param->type)));
    }
}

uint32_t bl_body_end(struct bl_body *body)
{
    return bl_code_end(body->code);
}

void bl_body_local(struct bl_body *body, struct bl_symbol *local, unsigned reg)
{
    local->emit[0] = reg;
    local->emit[1] = body->serial;
}

unsigned bl_body_local_register(struct bl_body *body, const struct bl_symbol *local)
{
    if (local->emit[1] != body->serial) {
        /* Sema lets a body name its own locals alone. */
        bl_emit_defect(body->e, local->span, local->name);
        return 0;
    }
    return local->emit[0];
}

uint32_t bl_put(struct bl_body *body, enum bl_opcode op, unsigned a, unsigned b, uint32_t c,
                struct bl_span span)
{
    return bl_code_emit(body->code, op, a, b, c, span);
}

void bl_emit_defect(struct bl_emitter *e, struct bl_span span, bl_str what)
{
    bl_diagnostic_text(e->sink, bl_report(e->sink, BL_D_EMIT_DEFECT, span), "what", what);
}

struct bl_rebound bl_rebind(struct bl_body *body, const struct bl_symbol *local, unsigned reg)
{
    struct bl_rebound none = {BL_AMBIENT_COUNT, 0};
    const struct bl_local *info = local->as.local;
    if (info->rebinds == BL_AMBIENT_COUNT || !info->ambient_used)
        return none;
    /* Nobody knows here whether there is an outer one; an optional register holds both answers.
     */
    bl_type type = bl_ambient_info(info->rebinds)->type;
    unsigned saved = bl_code_register(body->code, BL_OPTIONAL(type));
    bl_put(body, BL_OP_AMBIENT, saved, 0, info->rebinds, local->span);
    bl_put(body, BL_OP_BIND, 0, reg, info->rebinds, local->span);
    return (struct bl_rebound){info->rebinds, saved};
}

void bl_rebind_restore(struct bl_body *body, const struct bl_rebound *rebound)
{
    if (rebound->ambient == BL_AMBIENT_COUNT)
        return;
    struct bl_code *code = body->code;
    unsigned is_set = bl_code_register(code, BL_TYPE_BOOL);
    unsigned outer = bl_code_register(code, bl_ambient_info(rebound->ambient)->type);
    unsigned behind = bl_code_target(code);
    bl_put(body, BL_OP_IS_SET, is_set, rebound->saved, 0, BL_NO_SPAN);
    bl_code_jump(code, BL_OP_JUMP_UNLESS, is_set, behind, BL_NO_SPAN);
    bl_put(body, BL_OP_REQUIRE, outer, rebound->saved, 0, BL_NO_SPAN);
    bl_put(body, BL_OP_BIND, 0, outer, rebound->ambient, BL_NO_SPAN);
    bl_code_place(code, behind);
}

uint32_t bl_emit_site(struct bl_emitter *e, uint32_t kind, uint32_t detail, struct bl_span span)
{
    struct bl_site site = {
        .kind = kind, .detail = detail, .source = span.source, .lo = span.lo, .hi = span.hi};
    return bl_add_SITES(e->b, site);
}
