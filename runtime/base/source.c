/* SPDX-License-Identifier: Apache-2.0 */
#include "base/source.h"

void bl_sources_init(struct bl_sources *sources, struct bl_arena *arena)
{
    *sources = (struct bl_sources){.arena = arena};
}

uint32_t bl_sources_add(struct bl_sources *sources, bl_str path, bl_str text)
{
    /* Spans are 32 bits wide, and the last number means none. */
    if (text.len > UINT32_MAX - 1 || sources->list.count >= BL_NO_SOURCE) {
        return BL_NO_SOURCE;
    }
    struct bl_source *source = BL_PUSH(sources->arena, sources->list);
    if (source == NULL) {
        return BL_NO_SOURCE;
    }
    source->path = path;
    source->text = text;
    return (uint32_t)(sources->list.count - 1);
}

uint32_t bl_sources_add_later(struct bl_sources *sources, bl_str path)
{
    uint32_t number = bl_sources_add(sources, path, (bl_str){NULL, 0});
    if (number != BL_NO_SOURCE) {
        sources->list.items[number].later = true;
    }
    return number;
}

void bl_sources_mark_foreign(struct bl_sources *sources, uint32_t number)
{
    if (number < sources->list.count) {
        sources->list.items[number].foreign = true;
    }
}

/* The source with its text; NULL when it is unknown. */
static struct bl_source *with_text(struct bl_sources *sources, uint32_t number)
{
    if (number >= sources->list.count) {
        return NULL;
    }
    struct bl_source *source = &sources->list.items[number];
    if (source->later) {
        source->later = false;
        source->text = sources->fetch(sources->fetch_context, number);
    }
    return source;
}

const struct bl_source *bl_sources_get(const struct bl_sources *sources, uint32_t number)
{
    return number < sources->list.count ? &sources->list.items[number] : NULL;
}

/* The source with its line map; NULL when it is unknown or memory is out. */
static const struct bl_source *with_lines(struct bl_sources *sources, uint32_t number)
{
    struct bl_source *source = with_text(sources, number);
    if (source == NULL || source->line_starts != NULL) {
        return source;
    }
    size_t count = 1;
    for (size_t i = 0; i < source->text.len; i++) {
        count += source->text.ptr[i] == '\n';
    }
    uint32_t *starts = BL_NEW_ARRAY(sources->arena, count, uint32_t);
    if (starts == NULL) {
        return NULL;
    }
    size_t line = 1;
    for (size_t i = 0; i < source->text.len; i++) {
        if (source->text.ptr[i] == '\n') {
            starts[line++] = (uint32_t)(i + 1);
        }
    }
    source->line_starts = starts;
    source->line_count = count;
    return source;
}

/* Index of the line that holds a byte: the last one that starts at or before it. */
static size_t line_of(const struct bl_source *source, uint32_t offset)
{
    size_t low = 0;
    size_t high = source->line_count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (source->line_starts[middle] <= offset) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

struct bl_position bl_sources_position(struct bl_sources *sources, uint32_t number,
                                       uint32_t offset)
{
    const struct bl_source *source = with_lines(sources, number);
    if (source == NULL) {
        return (struct bl_position){0, 0, 0, 0};
    }
    if (offset > source->text.len) {
        offset = (uint32_t)source->text.len;
    }
    size_t line = line_of(source, offset);
    uint32_t start = source->line_starts[line];
    struct bl_position position = {
        .line = (uint32_t)(line + 1),
        .column = offset - start + 1,
        .column_chars = 1,
        .column_utf16 = 1,
    };
    /* An offset inside a code point counts as its beginning. The text may be what a message
     * about bad UTF-8 points into, so nothing here relies on its being valid. */
    const char *text = source->text.ptr;
    while (offset > start && offset < source->text.len && (text[offset] & 0xC0) == 0x80) {
        offset--;
    }
    for (uint32_t i = start; i < offset; i++) {
        unsigned char byte = (unsigned char)text[i];
        if ((byte & 0xC0) != 0x80) {
            position.column_chars += 1;
            position.column_utf16 += byte >= 0xF0 ? 2 : 1;
        }
    }
    return position;
}

bl_str bl_sources_line(struct bl_sources *sources, uint32_t number, uint32_t line)
{
    const struct bl_source *source = with_lines(sources, number);
    if (source == NULL || line == 0 || line > source->line_count) {
        return (bl_str){NULL, 0};
    }
    size_t from = source->line_starts[line - 1];
    size_t to = line < source->line_count ? source->line_starts[line] : source->text.len;
    bl_str text = bl_str_slice(source->text, from, to);
    if (bl_str_ends_with(text, BL_STR("\n"))) {
        text.len--;
        text.len -= bl_str_ends_with(text, BL_STR("\r"));
    }
    return text;
}

bl_str bl_sources_text(struct bl_sources *sources, struct bl_span span)
{
    const struct bl_source *source = with_text(sources, span.source);
    return source != NULL ? bl_str_slice(source->text, span.lo, span.hi) : (bl_str){NULL, 0};
}

struct bl_span bl_span_join(struct bl_span a, struct bl_span b)
{
    if (a.source == BL_NO_SOURCE) {
        return b;
    }
    if (b.source != a.source) {
        return a;
    }
    return (struct bl_span){
        .lo = a.lo < b.lo ? a.lo : b.lo,
        .hi = a.hi > b.hi ? a.hi : b.hi,
        .source = a.source,
    };
}
