/* SPDX-License-Identifier: Apache-2.0 */
#include "bylaw/recording.h"

#include "bylaw/recording_mask.h"

#define NOTHING    ((bl_str){NULL, 0})
#define FILE_BYTES ((size_t)1 << 30)
#define SHORTEST   8u /* a secret of fewer bytes stands in texts by chance */
#define HIDDEN     "[REDACTED]"
#define MANIFEST   "recording.json"

bl_str bl_recording_path(struct bl_arena *arena, bl_str folder, const char *name)
{
    struct bl_buf path;
    bl_buf_init(&path, arena, folder.len + 64);
    bl_buf_put(&path, folder);
    BL_PUT(&path, "/");
    bl_buf_put(&path, bl_str_from(name));
    return bl_buf_str(&path);
}

static void say(struct bl_recording *recording, const char *name, bl_str why)
{
    if (!recording->broken)
        bl_session_say(recording->session,
                       bl_recording_path(recording->arena, recording->folder, name), why);
    recording->broken = true;
}

bool bl_recording_begin(struct bl_recording *recording, struct bl_session *session,
                        struct bl_arena *arena, bl_str folder)
{
    bl_str why = NOTHING;
    bl_str *names = NULL;
    size_t count = 0;
    *recording = (struct bl_recording){.session = session, .arena = arena, .folder = folder};
    if (bl_folder_make_private(arena, folder, &why) != BL_OK)
        say(recording, "", why);
    else if (bl_file_exists(arena, bl_recording_path(arena, folder, MANIFEST), &why))
        say(recording, MANIFEST, BL_STR("There is a recording already. Name another folder."));
    else if (bl_folder_list(arena, folder, NOTHING, &names, &count, &why) != BL_FILE_READ)
        say(recording, "", why);
    /* A link in it would lead what is recorded elsewhere. */
    else if (count > 0)
        say(recording, "", BL_STR("The folder is not empty. Name another one."));
    /* Also of a run that asks GitHub nothing: whatever it reads may show the token. */
    bl_recording_hide(recording, bl_environment("GITHUB_TOKEN"));
    return !recording->broken;
}

/* ---- hiding ------------------------------------------------------------------------------ */

static void add_secret(struct bl_recording *recording, bl_str secret)
{
    bl_str *slot = BL_PUSH(recording->arena, recording->secrets);
    if (slot != NULL)
        *slot = secret;
}

static const char base64_digits[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* The characters of Base64 that come from the secret alone when `before` bytes stand before it:
 * a header that names a user first, a file that holds more. */
static bl_str in_base64(struct bl_arena *arena, bl_str secret, size_t before, bool for_url)
{
    struct bl_buf out;
    size_t bits = 0, skip = before % 3 * 8;
    unsigned held = 0;
    bl_buf_init(&out, arena, secret.len * 2 + 8);
    /* Begins with the first group of six bits that no byte before it has a part in. */
    size_t drop = skip == 0 ? 0 : skip == 8 ? 4 : 2;
    for (size_t i = 0; i < secret.len; i++) {
        unsigned byte = (unsigned char)secret.ptr[i];
        for (unsigned b = 8; b-- > 0;) {
            if (drop > 0) {
                drop--;
                continue;
            }
            held = held << 1 | (byte >> b & 1u);
            if (++bits == 6) {
                char c = base64_digits[held];
                bl_buf_put_char(&out, for_url && c == '+'   ? '-'
                                      : for_url && c == '/' ? '_'
                                                            : c);
                bits = 0;
                held = 0;
            }
        }
    }
    return bl_buf_str(&out);
}

static bl_str in_hex(struct bl_arena *arena, bl_str secret, const char *digits)
{
    struct bl_buf out;
    bl_buf_init(&out, arena, secret.len * 2 + 1);
    for (size_t i = 0; i < secret.len; i++) {
        unsigned byte = (unsigned char)secret.ptr[i];
        bl_buf_put_char(&out, digits[byte >> 4]);
        bl_buf_put_char(&out, digits[byte & 15]);
    }
    return bl_buf_str(&out);
}

/* As it stands in an address. */
static bl_str in_address(struct bl_arena *arena, bl_str secret, const char *digits)
{
    struct bl_buf out;
    bl_buf_init(&out, arena, secret.len * 3 + 1);
    for (size_t i = 0; i < secret.len; i++) {
        unsigned char byte = (unsigned char)secret.ptr[i];
        if (bl_is_ascii_alpha((char)byte) || bl_is_ascii_digit((char)byte) || byte == '-' ||
            byte == '.' || byte == '_' || byte == '~') {
            bl_buf_put_char(&out, (char)byte);
            continue;
        }
        bl_buf_put_char(&out, '%');
        bl_buf_put_char(&out, digits[byte >> 4]);
        bl_buf_put_char(&out, digits[byte & 15]);
    }
    return bl_buf_str(&out);
}

/* As it stands in a text of JSON, without the quotes. */
static bl_str escaped(struct bl_arena *arena, bl_str text)
{
    struct bl_buf out;
    struct bl_json_writer w;
    bl_buf_init(&out, arena, text.len * 6 + 8);
    bl_json_writer_init(&w, &out, false);
    bl_json_string(&w, text);
    return bl_str_slice(bl_buf_str(&out), 1, out.len - 1);
}

/* What a program encoded that somebody encoded before: a header within a file of secrets. */
static void hide_encoded_again(struct bl_recording *recording, bl_str coded)
{
    for (size_t before = 0; before < 3; before++) {
        add_secret(recording, in_base64(recording->arena, coded, before, false));
        add_secret(recording, in_base64(recording->arena, coded, before, true));
    }
    add_secret(recording, in_hex(recording->arena, coded, "0123456789abcdef"));
}

void bl_recording_hide(struct bl_recording *recording, bl_str secret)
{
    static const char lower[] = "0123456789abcdef", upper[] = "0123456789ABCDEF";
    struct bl_arena *arena = recording->arena;
    if (secret.len < SHORTEST)
        return;
    /* A request to GraphQL is JSON in a line of JSON, and so is a text in an answer that quotes
     * JSON. The longest form is looked for first. */
    bl_str forms[4] = {secret};
    for (size_t i = 1; i < 4; i++)
        forms[i] = escaped(arena, forms[i - 1]);
    for (size_t i = 4; i-- > 1;)
        if (forms[i].len > forms[i - 1].len)
            add_secret(recording, forms[i]);
    add_secret(recording, in_address(arena, secret, upper));
    add_secret(recording, in_address(arena, secret, lower));
    add_secret(recording, secret);
    add_secret(recording, in_hex(arena, secret, lower));
    add_secret(recording, in_hex(arena, secret, upper));
    for (size_t before = 0; before < 3; before++) {
        for (unsigned for_url = 0; for_url < 2; for_url++) {
            bl_str coded = in_base64(arena, secret, before, for_url != 0);
            add_secret(recording, coded);
            hide_encoded_again(recording, coded);
        }
    }
    hide_encoded_again(recording, in_hex(arena, secret, lower));
    recording->late = recording->written;
}

static bl_str without(struct bl_arena *arena, bl_str text, bl_str secret)
{
    struct bl_buf out;
    size_t at = bl_str_find(text, secret);
    if (at == SIZE_MAX)
        return text;
    bl_buf_init(&out, arena, text.len + text.len / secret.len * sizeof HIDDEN + 1);
    for (; at != SIZE_MAX; at = bl_str_find(text, secret)) {
        bl_buf_put(&out, bl_str_slice(text, 0, at));
        BL_PUT(&out, HIDDEN);
        text = bl_str_slice(text, at + secret.len, SIZE_MAX);
    }
    bl_buf_put(&out, text);
    return bl_buf_str(&out);
}

static bl_str hidden(const struct bl_recording *recording, struct bl_arena *arena, bl_str text)
{
    for (size_t i = 0; i < recording->secrets.count; i++)
        text = without(arena, text, recording->secrets.items[i]);
    return text;
}

/* Files of our own form have keys of our own: `secrets` of a world file are names. */
static bool has_foreign_keys(const char *name)
{
    return bl_str_equal(bl_str_from(name), BL_STR("event.json"));
}

static int hex_digit(char c)
{
    return bl_is_ascii_digit(c)                     ? c - '0'
           : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10
                                                    : -1;
}

/* The character that "\\uXXXX" stands for when JSON may hold it as it is; else '\0'. */
static char plain_of(bl_str escape)
{
    int code = 0;
    if (escape.len < 6 || escape.ptr[1] != 'u')
        return '\0';
    for (size_t i = 2; i < 6; i++) {
        int digit = hex_digit(escape.ptr[i]);
        if (digit < 0)
            return '\0';
        code = code * 16 + digit;
    }
    return code > ' ' && code < 0x7F && code != '"' && code != '\\' ? (char)code : '\0';
}

/* The same JSON without escapes that nothing asks for: a secret is written in one way. */
static bl_str without_needless_escapes(struct bl_arena *arena, bl_str json)
{
    struct bl_buf out;
    if (bl_str_find_char(json, '\\') == SIZE_MAX)
        return json;
    bl_buf_init(&out, arena, json.len + 1);
    for (size_t i = 0; i < json.len; i++) {
        bl_str rest = bl_str_slice(json, i, json.len);
        char plain = '\0';
        if (rest.ptr[0] == '\\' && rest.len > 1) {
            plain = rest.ptr[1] == '/' ? '/' : plain_of(rest);
            if (plain == '\0')
                bl_buf_put_char(&out, '\\');
            i += plain != '\0' && rest.ptr[1] == 'u' ? 5 : 1;
        }
        bl_buf_put_char(&out, plain != '\0' ? plain : json.ptr[i]);
    }
    return bl_buf_str(&out);
}

/* Hidden before masks are looked for, since a mask can take a part of the token and leave the
 * rest, and once more behind them. */
static bl_str redacted(struct bl_recording *recording, struct bl_arena *arena, const char *name,
                       bl_str text)
{
    text = hidden(recording, arena, without_needless_escapes(arena, text));
    if (recording->mask != NULL && text.len > 0)
        text = bl_recording_masked(recording->mask, arena, text, has_foreign_keys(name));
    return hidden(recording, arena, text);
}

/* ---- files ------------------------------------------------------------------------------- */

void bl_recording_put(struct bl_recording *recording, const char *name, bl_str content,
                      bool plain)
{
    bl_str why = NOTHING;
    bl_str path = bl_recording_path(recording->arena, recording->folder, name);
    recording->written = true;
    if (!plain)
        content = redacted(recording, recording->arena, name, content);
    if (content.len == 0)
        recording->broken = true;
    else if (recording->arena->failed)
        say(recording, name, BL_STR("Out of memory."));
    else if (bl_file_write_private(recording->arena, path, content, &why) != BL_OK)
        say(recording, name, why);
}

void bl_recording_line(struct bl_recording *recording, const char *name, bl_str line)
{
    struct bl_arena scratch;
    struct bl_buf text;
    bl_str why = BL_STR("Out of memory.");
    bl_arena_init(&scratch, FILE_BYTES, NULL);
    recording->written = true;
    line = redacted(recording, &scratch, name, line);
    bl_buf_init(&text, &scratch, line.len + 1);
    bl_buf_put(&text, line);
    BL_PUT(&text, "\n");
    if (line.len == 0 || text.failed ||
        bl_file_append_private(&scratch, bl_recording_path(&scratch, recording->folder, name),
                               bl_buf_str(&text), &why) != BL_OK)
        say(recording, name, bl_arena_copy(recording->arena, why));
    bl_arena_reset(&scratch);
}

bool bl_recording_read(struct bl_session *session, bl_str folder, const char *name,
                       bool optional, bl_str *out)
{
    bl_str why = NOTHING;
    bl_str path = bl_recording_path(&session->arena, folder, name);
    enum bl_file_result result = bl_file_read(&session->arena, path, FILE_BYTES, out, &why);
    if (result == BL_FILE_READ)
        return true;
    *out = BL_STR("");
    if (result == BL_FILE_MISSING && optional)
        return true;
    bl_session_say(session, path, why);
    return false;
}

bool bl_recording_mask(struct bl_recording *recording)
{
    recording->mask = bl_recording_mask_create(recording->session, recording->arena);
    recording->broken = recording->broken || recording->mask == NULL;
    return recording->mask != NULL;
}

void bl_recording_end(struct bl_recording *recording)
{
    static const char *const names[] = {"event.json", "world.json", "github.jsonl",
                                        "passed.jsonl", "redactions.jsonl"};
    for (size_t i = 0; recording->late && i < sizeof names / sizeof names[0]; i++) {
        bl_str text;
        if (bl_recording_read(recording->session, recording->folder, names[i], true, &text) &&
            text.len > 0)
            bl_recording_put(recording, names[i], hidden(recording, recording->arena, text),
                             true);
    }
    if (recording->mask != NULL)
        bl_recording_mask_end(recording->mask);
}

/* ---- which run it was -------------------------------------------------------------------- */

static void put_text(struct bl_json_writer *w, const char *key, bl_str text)
{
    bl_json_key(w, bl_str_from(key));
    bl_json_string(w, text);
}

static void put_number(struct bl_json_writer *w, const char *key, int64_t number)
{
    bl_json_key(w, bl_str_from(key));
    bl_json_integer(w, number);
}

void bl_recording_manifest(struct bl_recording *recording, const struct bl_recorded *recorded)
{
    struct bl_buf out;
    struct bl_json_writer w;
    bl_buf_init(&out, recording->arena, 1 << 16);
    bl_json_writer_init(&w, &out, true);
    bl_json_begin_object(&w);
    put_number(&w, "format", BL_RECORDING_FORMAT);
    put_text(&w, "bylaw", BL_STR(BL_VERSION));
    put_text(&w, "world", recorded->world);
    put_text(&w, "job", recorded->job);
    put_text(&w, "event_name", recorded->event_name);
    put_number(&w, "now", recorded->now);
    put_number(&w, "id_seed", recorded->id_seed);
    put_number(&w, "dry_run", recorded->dry);
    put_number(&w, "index", recorded->use_index);
    put_text(&w, "api_url", recorded->api_url);
    put_text(&w, "graphql_url", recorded->graphql_url);
    put_text(&w, "repository", recorded->repository);
    put_number(&w, "repository_id", recorded->repository_id);
    put_number(&w, "issue_fields", recorded->issue_fields);
    bl_json_end_object(&w);
    BL_PUT(&out, "\n");
    bl_recording_put(recording, MANIFEST, bl_buf_str(&out), false);
}

static bl_str text_of(const struct bl_json *json, const char *key)
{
    const struct bl_json *node = bl_json_get(json, bl_str_from(key));
    return node != NULL && node->kind == BL_JSON_STRING ? node->string : BL_STR("");
}

static int64_t number_of(const struct bl_json *json, const char *key)
{
    const struct bl_json *node = bl_json_get(json, bl_str_from(key));
    return node != NULL && node->kind == BL_JSON_INT ? node->integer : -1;
}

/* What stands there was written by whoever wrote the folder. */
static bool is_sensible(const struct bl_json *json)
{
    static const struct {
        const char *key;
        int64_t most;
    } numbers[] = {
        {"now", INT64_C(253402300799)},      /* the last second of 9999 */
        {"id_seed", (INT64_C(1) << 53) - 1}, /* as exact as JSON has numbers */
        {"dry_run", 1},
        {"index", 1},
        {"repository_id", INT64_MAX},
        {"issue_fields", UINT32_MAX},
    };

    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        int64_t number = number_of(json, numbers[i].key);
        if (number < 0 || number > numbers[i].most)
            return false;
    }
    return true;
}

bool bl_recorded_read(struct bl_session *session, bl_str folder, struct bl_recorded *out)
{
    struct bl_json_error error;
    size_t notes = 0;
    bl_str text;
    if (!bl_recording_read(session, folder, MANIFEST, false, &text))
        return false;
    const struct bl_json *json = bl_json_parse(&session->arena, text, 2, &notes, &error);
    *out = (struct bl_recorded){
        .world = text_of(json, "world"),
        .job = text_of(json, "job"),
        .event_name = text_of(json, "event_name"),
        .now = number_of(json, "now"),
        .id_seed = number_of(json, "id_seed"),
        .dry = number_of(json, "dry_run") == 1,
        .use_index = number_of(json, "index") == 1,
        .api_url = text_of(json, "api_url"),
        .graphql_url = text_of(json, "graphql_url"),
        .repository = text_of(json, "repository"),
        .repository_id = number_of(json, "repository_id"),
        .issue_fields = (uint32_t)number_of(json, "issue_fields"),
    };
    if (number_of(json, "format") == BL_RECORDING_FORMAT && is_sensible(json))
        return true;
    bl_session_say(session, bl_recording_path(&session->arena, folder, MANIFEST),
                   BL_STR("It is no recording that this version reads."));
    return false;
}
