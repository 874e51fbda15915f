/* SPDX-License-Identifier: Apache-2.0 */
#include "bylaw/recording_mask.h"

#include "bylaw/redact_check.h"

struct bl_recording_mask {
    struct bl_session *session; /* that says what goes wrong */
    struct bl_session shipped;  /* of the shipped redaction; without a module when not needed */
    const struct bl_module *module;
    struct bl_text_run *run;
    BL_VEC(struct bl_redactor *) redactors;
};

static struct bl_recording_mask *fail(struct bl_recording_mask *mask, bl_str why)
{
    bl_session_say(mask->session, (bl_str){NULL, 0},
                   why.len > 0 ? why
                               : BL_STR("Nothing is recorded: the redaction of the recording "
                                        "cannot be used."));
    return NULL;
}

static bool load_shipped(struct bl_recording_mask *mask)
{
    static const struct bl_overlay overlay = {
        {"shipped.policy", sizeof "shipped.policy" - 1},
        {"use redaction\n", sizeof "use redaction\n" - 1}};
    struct bl_arguments none = {.arena = &mask->shipped.arena};
    mask->shipped.overlay = &overlay;
    mask->shipped.overlay_count = 1;
    return bl_session_load(&mask->shipped, &none, &overlay.path, 1, false) == BL_EXIT_OK;
}

static enum bl_status add_redactor(struct bl_recording_mask *mask, struct bl_arena *arena,
                                   uint32_t index, const struct bl_redaction_input *input,
                                   bl_str *problem)
{
    struct bl_secret_host host = bl_machine_host(bl_text_run_machine(mask->run));
    struct bl_redactor **slot = BL_PUSH(arena, mask->redactors);
    return slot != NULL
               ? bl_redactor_create(arena, mask->module, index, &host, input, slot, problem)
               : BL_ERR_NOMEM;
}

struct bl_recording_mask *bl_recording_mask_create(struct bl_session *session,
                                                   struct bl_arena *arena)
{
    struct bl_recording_mask *mask = BL_NEW(arena, struct bl_recording_mask);
    struct bl_redaction_input input = {.literals = NULL};
    struct bl_environment_variable *environment = NULL;
    size_t variables = 0;
    bl_str problem = BL_STR("");
    if (mask == NULL)
        return NULL;
    mask->session = session;
    mask->module = &session->module;
    bl_session_begin(&mask->shipped, "bylaw");
    if (session->module.REDACTIONS_count == 0) {
        if (!load_shipped(mask))
            return fail(mask, problem);
        mask->module = &mask->shipped.module;
    }
    /* Their clock makes no difference. */
    struct bl_run_options options = {.module = mask->module, .job = BL_NONE};
    if (bl_texts_key(session, problem, input.key) != BL_EXIT_OK)
        return NULL;
    enum bl_status status =
        bl_texts_environment(arena, &environment, &variables) ? BL_OK : BL_ERR_NOMEM;
    options.environment = environment;
    options.environment_count = variables;
    if (status == BL_OK)
        status = bl_text_run_begin(arena, &options, &mask->run, &mask->shipped.sink);
    for (uint32_t i = 0; status == BL_OK && i < mask->module->REDACTIONS_count; i++)
        status = add_redactor(mask, arena, i, &input, &problem);
    return status == BL_OK ? mask : fail(mask, problem);
}

bl_str bl_recording_masked(struct bl_recording_mask *mask, struct bl_arena *arena, bl_str json,
                           bool fields)
{
    bl_str problem = BL_STR("");
    for (size_t i = 0; i < mask->redactors.count; i++) {
        struct bl_redacted redacted;
        bl_text_run_renew(mask->run);
        if (bl_mask_json(mask->redactors.items[i], arena, json, fields, &redacted, &problem) !=
            BL_OK) {
            (void)fail(mask, problem);
            return BL_STR("");
        }
        json = redacted.text;
    }
    return json;
}

void bl_recording_mask_end(struct bl_recording_mask *mask)
{
    bl_session_end(&mask->shipped);
}
