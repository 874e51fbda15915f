/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TEXT_CLEAN_H
#define BL_TEXT_CLEAN_H

#include "base/buf.h"
#include "spec/cleaning.h"
#include "text/address.h"
#include "text/pattern.h"

/* Cleaning of Markdown that a stranger wrote. The rules come from a policy; this scans,
 * removes, and writes. It goes in stages, since what becomes of a link decides which references
 * there are:
 *
 *     bl_clean_begin        code is set apart, removals run until nothing changes, links are
 * found (the policy decides each link) bl_clean_read         the text as GitHub's filters will
 * see it: addresses and references (the policy decides each of them) bl_clean_finish       the
 * cleaned text
 *
 * Everything is linear in the text and lives in the arena. `steps` counts the bytes that were
 * looked at, for tests. */

struct bl_clean_rules {
    uint32_t words;                  /* bit for each bl_clean_word that the policy names */
    const struct bl_pattern *strips; /* what character references may not stand for */
    size_t strip_count;
    bl_str repository; /* owner/name of the own one */
};
static inline bool bl_clean_has(const struct bl_clean_rules *rules, enum bl_clean_word word)
{
    return (rules->words >> (unsigned)word & 1u) != 0;
}

/* Something that GitHub would link. */
struct bl_clean_part {
    enum bl_clean_class kind;
    enum bl_clean_action action; /* the policy's decision; CODE at first, TEXT for a link */
    uint32_t rule;               /* the caller's: which rule decided; UINT32_MAX none */
    bl_str words;                /* what it says, decoded */
    size_t lo, hi;               /* in the input */
    /* LINK, ADDRESS */
    struct bl_address address; /* of the target, decoded */
    bool stands_alone;         /* GitHub's link would cover exactly this */
    bool image;                /* LINK: it is an image; it leaves its description */
    bl_str written;            /* LINK: the target as it is written */
    /* the others */
    int64_t number;    /* of NUMBER and FOREIGN; 0: none */
    bl_str repository; /* owner/name of FOREIGN; empty: a user's */
    bool after_bang;
    bool after_at;
    /* where it stands, for the cleaner */
    uint32_t first,
        last;      /* LINK: in the stable text; else in the decoded text; `last` excluded */
    uint32_t tail; /* LINK: where "](" begins */
};

/* What was done, span by span. */
struct bl_clean_finding {
    bl_str kind;                 /* a word of cleaning.def; "invisible" */
    enum bl_clean_word word;     /* the step; BL_CLEAN_WORD_COUNT: a part */
    enum bl_clean_action action; /* of a part */
    uint32_t rule;               /* of a part */
    size_t lo, hi;               /* in the input */
};

struct bl_cleaning;

/* Sets code apart, removes, finds links. NULL when out of memory. `text` and `rules` stay as
 * they are until the end. */
struct bl_cleaning *bl_clean_begin(struct bl_arena *arena, bl_str text,
                                   const struct bl_clean_rules *rules);
/* The links and, after bl_clean_read, the addresses and references, in their order. Their
 * `action` and `rule` may be written. */
struct bl_clean_part *bl_clean_links(struct bl_cleaning *cleaning, size_t *count);
struct bl_clean_part *bl_clean_found(struct bl_cleaning *cleaning, size_t *count);
/* Decodes what the decisions about links leave. Decisions about links are fixed now. False when
 * out of memory. */
bool bl_clean_read(struct bl_cleaning *cleaning);
/* The cleaned text into `out`, which is empty. False when out of memory or over out's maximum.
 */
bool bl_clean_finish(struct bl_cleaning *cleaning, struct bl_buf *out);

const struct bl_clean_finding *bl_clean_findings(const struct bl_cleaning *cleaning,
                                                 size_t *count);
uint64_t bl_clean_steps(const struct bl_cleaning *cleaning);
/* Texts that the result may show as a link or reference: targets of kept links and addresses,
 * kept references as they are written. For another parser's reading. */
const bl_str *bl_clean_allowed(const struct bl_cleaning *cleaning, size_t *count);

/* The text as one block of code that nothing in it can close; `one_line`: as one span. */
void bl_clean_fenced(bl_str text, bool one_line, struct bl_buf *out);

#endif
