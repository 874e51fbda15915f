/* SPDX-License-Identifier: Apache-2.0 */
#include "text/patch.h"
#include "vm/builtins.h"

/* Patches as things. A patch is its text, and is read when more than its length is asked for:
 * one that a row refuses for its length costs nothing. */

/* What is compared with git's reading: by its text. What cannot be read has neither key nor
 * name, and such a thing equals none but itself. */
enum reading { UNREAD, READ_WELL };

struct bl_object *bl_patch_thing(struct bl_arena *arena, bl_str text)
{
    struct bl_object *patch = bl_object_create(arena, BL_ENTITY_PATCH, 0, text);

    if (patch != NULL)
        bl_object_set(patch, BL_FIELD_PATCH_BYTES, bl_int((int64_t)text.len));
    return patch;
}

static struct bl_object *reading_thing(struct bl_arena *arena, enum reading kind, bl_str text)
{
    struct bl_object *reading =
        bl_object_create(arena, BL_ENTITY_PATCH_READING, (int64_t)kind, text);

    if (reading != NULL)
        bl_object_set(reading, BL_FIELD_PATCH_READING_TEXT, bl_text(text));
    return reading;
}

static enum bl_status add_line(struct bl_machine *machine, struct bl_list *lines,
                               const struct bl_patch_line *line)
{
    struct bl_object *thing = bl_object_create(machine->arena, BL_ENTITY_PATCH_LINE,
                                               (int64_t)line->number, line->text);

    if (thing == NULL)
        return bl_machine_nomem(machine);
    bl_object_set(thing, BL_FIELD_PATCH_LINE_NUMBER, bl_int((int64_t)line->number));
    bl_object_set(thing, BL_FIELD_PATCH_LINE_TEXT, bl_text(line->text));
    return bl_machine_push(machine, lines, bl_object_value(thing));
}

static enum bl_status add_file(struct bl_machine *machine, struct bl_list *files,
                               const struct bl_patch *patch, const struct bl_patch_file *file)
{
    int64_t number = 1 + (int64_t)(file - patch->files.items);
    struct bl_object *thing =
        bl_object_create(machine->arena, BL_ENTITY_PATCH_FILE, number, file->path);
    struct bl_list *lines = bl_list_create(machine->arena);
    enum bl_status status = BL_OK;

    if (thing == NULL || lines == NULL)
        return bl_machine_nomem(machine);
    for (size_t i = 0; status == BL_OK && i < file->added; i++)
        status = add_line(machine, lines, &patch->lines.items[file->first_line + i]);
    bl_object_set(thing, BL_FIELD_PATCH_FILE_PATH, bl_text(file->path));
    bl_object_set(thing, BL_FIELD_PATCH_FILE_CHANGE,
                  bl_member_value(BL_ENUM_FILE_CHANGE, file->change));
    bl_object_set(thing, BL_FIELD_PATCH_FILE_BINARY, bl_bool(file->binary));
    bl_object_set(thing, BL_FIELD_PATCH_FILE_MODE_CHANGED, bl_bool(file->mode_changed));
    bl_object_set(thing, BL_FIELD_PATCH_FILE_ORDINARY, bl_bool(file->ordinary));
    bl_object_set(thing, BL_FIELD_PATCH_FILE_ADDED, bl_int((int64_t)file->added));
    bl_object_set(thing, BL_FIELD_PATCH_FILE_REMOVED, bl_int((int64_t)file->removed));
    bl_object_set(thing, BL_FIELD_PATCH_FILE_ADDED_LINES, bl_list_value(lines));
    return status == BL_OK ? bl_machine_push(machine, files, bl_object_value(thing)) : status;
}

enum bl_status bl_patch_load(struct bl_machine *machine, struct bl_object *thing)
{
    struct bl_list *files = bl_list_create(machine->arena);
    struct bl_patch patch;
    enum bl_status status = bl_charge_text(machine, thing->name.len);

    if (status != BL_OK)
        return status;
    if (files == NULL || bl_patch_read(machine->arena, thing->name, &patch) != BL_OK)
        return bl_machine_nomem(machine);
    bool readable = patch.problem.len == 0;
    if (!readable)
        patch = (struct bl_patch){.steps = patch.steps};
    for (size_t i = 0; status == BL_OK && i < patch.files.count; i++)
        status = add_file(machine, files, &patch, &patch.files.items[i]);
    struct bl_object *reading =
        reading_thing(machine->arena, readable ? READ_WELL : UNREAD, patch.reading);
    if (status != BL_OK)
        return status;
    if (reading == NULL)
        return bl_machine_nomem(machine);
    bl_object_set(thing, BL_FIELD_PATCH_READABLE, bl_bool(readable));
    bl_object_set(thing, BL_FIELD_PATCH_READING, bl_object_value(reading));
    bl_object_set(thing, BL_FIELD_PATCH_FILES, bl_list_value(files));
    bl_object_set(thing, BL_FIELD_PATCH_ADDED, bl_int((int64_t)patch.added));
    bl_object_set(thing, BL_FIELD_PATCH_REMOVED, bl_int((int64_t)patch.removed));
    return bl_charge(machine, patch.lines.count + patch.files.count);
}

/* ---- functions --------------------------------------------------------------------------- */

static enum bl_status give(struct bl_builtin_call *call, struct bl_object *thing)
{
    if (thing == NULL)
        return bl_machine_nomem(call->machine);
    *call->out = bl_object_value(thing);
    return BL_OK;
}

/* Git says of the empty text that there is nothing to read, which is how it reads it. */
enum bl_status bl_builtin_git_reading(struct bl_builtin_call *call)
{
    struct bl_machine *machine = call->machine;
    struct bl_object *patch = bl_object_of(call->args[0]);
    struct bl_value said = bl_absent();

    if (patch == NULL)
        return bl_machine_guard(machine, BL_STR("A patch is something else."));
    struct bl_value text = bl_text(patch->name);
    if (patch->name.len == 0)
        return give(call, reading_thing(machine->arena, READ_WELL, patch->name));
    enum bl_status status = bl_machine_ask(machine, BL_READ_GIT_READING, &text, 1, &said);
    if (status != BL_OK)
        return status;
    return give(call, bl_is_absent(said)
                          ? reading_thing(machine->arena, UNREAD, (bl_str){NULL, 0})
                          : reading_thing(machine->arena, READ_WELL, bl_text_of(said)));
}

enum bl_status bl_builtin_patch_file(struct bl_builtin_call *call)
{
    struct bl_machine *machine = call->machine;
    struct bl_value text = bl_absent();
    enum bl_status status = bl_machine_ask(machine, BL_READ_JOB_FILE, call->args, 1, &text);

    if (status != BL_OK)
        return status;
    if (bl_is_absent(text))
        return bl_machine_fail(machine, BL_ERR_READ,
                               BL_STR("There is no such file of the job"));
    return give(call, bl_patch_thing(machine->arena, bl_text_of(text)));
}

enum bl_status bl_builtin_patch_creating(struct bl_builtin_call *call)
{
    struct bl_machine *machine = call->machine;
    bl_str path = bl_text_of(call->args[0]);
    bl_str lines = bl_text_of(call->args[1]);
    bl_str text = bl_patch_of_new_file(machine->arena, path, lines);

    if (text.len == 0 && machine->arena->failed)
        return bl_machine_nomem(machine);
    if (text.len == 0)
        return bl_machine_fail(machine, BL_ERR_LIMIT, BL_STR("A text is too long."));
    enum bl_status status = bl_charge_text(machine, text.len);
    return status != BL_OK ? status : give(call, bl_patch_thing(machine->arena, text));
}
