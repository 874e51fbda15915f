/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TEXT_REREAD_JUDGE_H
#define BL_TEXT_REREAD_JUDGE_H

#include "base/buf.h"
#include "text/reread.h"

/* What may show, for text/reread.c: it says what the parser sees, in the order of the text, and
 * the judge says what of it is not ours. It shares no rule with the cleaner. */

struct bl_judged {
    bl_str kind, text;
};

struct bl_judge {
    struct bl_arena *arena;
    const struct bl_reread_rules *rules;
    uint32_t *slots; /* numbers of `allowed` from 1, by hash */
    size_t mask;
    BL_VEC(struct bl_judged) own; /* what shows without the texts of others */
    size_t met;                   /* so many of them showed again */
    bool listens;
    bool in_link;
    bool failed;         /* out of memory */
    struct bl_buf words; /* the run of words in hand */
    struct bl_buf block; /* the words of the block in hand, code as one sign */
    bl_str found;
};

/* `most`: bytes of both texts. False when out of memory. */
bool bl_judge_init(struct bl_judge *j, struct bl_arena *arena,
                   const struct bl_reread_rules *rules, size_t most);
/* While it listens, what shows is ours. */
void bl_judge_listen(struct bl_judge *j, bool listens);
/* Something of a kind (a string literal). What is live has to be ours or allowed. */
void bl_judge_see(struct bl_judge *j, bl_str kind, bl_str text, bool is_live);
void bl_judge_heading(struct bl_judge *j);
/* A span or block of code. */
void bl_judge_code(struct bl_judge *j, bl_str code, bl_str info);
/* Words, a run of which GitHub's filters look at together. */
void bl_judge_words(struct bl_judge *j, bl_str words);
void bl_judge_end_words(struct bl_judge *j);
void bl_judge_end_block(struct bl_judge *j);
void bl_judge_link(struct bl_judge *j, bool begins);
bool bl_judge_is_done(const struct bl_judge *j);
bl_str bl_judge_verdict(const struct bl_judge *j);

#endif
