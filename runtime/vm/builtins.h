/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_VM_BUILTINS_H
#define BL_VM_BUILTINS_H

#include "vm/machine.h"

/* The functions of builtins.def, one file a topic: builtin_list.c, builtin_text.c,
 * builtin_words.c, builtin_form.c, builtin_command.c, builtin_read.c, builtin_record.c,
 * builtin_document.c, builtin_checkout.c, builtin_random.c, patch_things.c. They take any value
 * without harm; what their types promise is true in verified code. */
struct bl_builtin_call {
    struct bl_machine *machine;
    const struct bl_value *args; /* as many as the row has parameters */
    const bl_type *types;        /* of the registers that hold them */
    struct bl_value *out;        /* absent at first */
};

enum bl_status bl_builtin_run(enum bl_builtin builtin, struct bl_builtin_call *call);

enum bl_status bl_builtin_count_of(struct bl_builtin_call *call);
enum bl_status bl_builtin_first(struct bl_builtin_call *call);
enum bl_status bl_builtin_last(struct bl_builtin_call *call);
enum bl_status bl_builtin_only(struct bl_builtin_call *call);
enum bl_status bl_builtin_take(struct bl_builtin_call *call);
enum bl_status bl_builtin_distinct(struct bl_builtin_call *call);
enum bl_status bl_builtin_flat(struct bl_builtin_call *call);
enum bl_status bl_builtin_sum(struct bl_builtin_call *call);
enum bl_status bl_builtin_median(struct bl_builtin_call *call);
enum bl_status bl_builtin_latest(struct bl_builtin_call *call);
enum bl_status bl_builtin_larger(struct bl_builtin_call *call);
enum bl_status bl_builtin_days(struct bl_builtin_call *call);
enum bl_status bl_builtin_length(struct bl_builtin_call *call);
enum bl_status bl_builtin_bytes_of(struct bl_builtin_call *call);
enum bl_status bl_builtin_lower(struct bl_builtin_call *call);
enum bl_status bl_builtin_trim(struct bl_builtin_call *call);
enum bl_status bl_builtin_cut(struct bl_builtin_call *call);
enum bl_status bl_builtin_strip(struct bl_builtin_call *call);
enum bl_status bl_builtin_blank(struct bl_builtin_call *call);
enum bl_status bl_builtin_finds(struct bl_builtin_call *call);
enum bl_status bl_builtin_words(struct bl_builtin_call *call);
enum bl_status bl_builtin_prose(struct bl_builtin_call *call);
enum bl_status bl_builtin_form_text(struct bl_builtin_call *call);
enum bl_status bl_builtin_form_answer(struct bl_builtin_call *call);
enum bl_status bl_builtin_stopwords(struct bl_builtin_call *call);
enum bl_status bl_builtin_same_thing(struct bl_builtin_call *call);
enum bl_status bl_builtin_posted(struct bl_builtin_call *call);
enum bl_status bl_builtin_issue_number(struct bl_builtin_call *call);
enum bl_status bl_builtin_issue(struct bl_builtin_call *call);
enum bl_status bl_builtin_alert(struct bl_builtin_call *call);
enum bl_status bl_builtin_pull_request(struct bl_builtin_call *call);
enum bl_status bl_builtin_issues_created(struct bl_builtin_call *call);
enum bl_status bl_builtin_comments_changed_since(struct bl_builtin_call *call);
enum bl_status bl_builtin_numbered(struct bl_builtin_call *call);
enum bl_status bl_builtin_money(struct bl_builtin_call *call);
enum bl_status bl_builtin_grouped(struct bl_builtin_call *call);
enum bl_status bl_builtin_open_issues_with(struct bl_builtin_call *call);
enum bl_status bl_builtin_closed_unlocked_issues(struct bl_builtin_call *call);
enum bl_status bl_builtin_merged_pulls(struct bl_builtin_call *call);
enum bl_status bl_builtin_pulls_with_head(struct bl_builtin_call *call);
enum bl_status bl_builtin_search_issues(struct bl_builtin_call *call);
enum bl_status bl_builtin_suggested_duplicate(struct bl_builtin_call *call);
enum bl_status bl_builtin_ships(struct bl_builtin_call *call);
enum bl_status bl_builtin_command_word(struct bl_builtin_call *call);
enum bl_status bl_builtin_command_line(struct bl_builtin_call *call);
enum bl_status bl_builtin_command_rest(struct bl_builtin_call *call);
enum bl_status bl_builtin_strip_except(struct bl_builtin_call *call);
enum bl_status bl_builtin_one_line(struct bl_builtin_call *call);
enum bl_status bl_builtin_cut_short(struct bl_builtin_call *call);
enum bl_status bl_builtin_clean_links(struct bl_builtin_call *call);
enum bl_status bl_builtin_clean_addresses(struct bl_builtin_call *call);
enum bl_status bl_builtin_clean_references(struct bl_builtin_call *call);
enum bl_status bl_builtin_git_reading(struct bl_builtin_call *call);
enum bl_status bl_builtin_patch_file(struct bl_builtin_call *call);
enum bl_status bl_builtin_patch_creating(struct bl_builtin_call *call);
enum bl_status bl_builtin_masks(struct bl_builtin_call *call);
enum bl_status bl_builtin_readings(struct bl_builtin_call *call);
enum bl_status bl_builtin_redacted(struct bl_builtin_call *call);
enum bl_status bl_builtin_join(struct bl_builtin_call *call);
enum bl_status bl_builtin_crc32(struct bl_builtin_call *call);
enum bl_status bl_builtin_crc32_swapped(struct bl_builtin_call *call);
enum bl_status bl_builtin_shorten(struct bl_builtin_call *call);
enum bl_status bl_builtin_texts(struct bl_builtin_call *call);
enum bl_status bl_builtin_written_number(struct bl_builtin_call *call);
enum bl_status bl_builtin_fenced(struct bl_builtin_call *call);
enum bl_status bl_builtin_quoted(struct bl_builtin_call *call);
enum bl_status bl_builtin_item_lines(struct bl_builtin_call *call);
enum bl_status bl_builtin_link_to(struct bl_builtin_call *call);
enum bl_status bl_builtin_oldest_first(struct bl_builtin_call *call);
enum bl_status bl_builtin_most_first(struct bl_builtin_call *call);
enum bl_status bl_builtin_joined(struct bl_builtin_call *call);
enum bl_status bl_builtin_json_value(struct bl_builtin_call *call);
enum bl_status bl_builtin_line_in(struct bl_builtin_call *call);
enum bl_status bl_builtin_heading_in(struct bl_builtin_call *call);
enum bl_status bl_builtin_file_heading(struct bl_builtin_call *call);
enum bl_status bl_builtin_file_place(struct bl_builtin_call *call);
enum bl_status bl_builtin_checkout_text(struct bl_builtin_call *call);
enum bl_status bl_builtin_generated(struct bl_builtin_call *call);
enum bl_status bl_builtin_job_info(struct bl_builtin_call *call);
enum bl_status bl_builtin_runs(struct bl_builtin_call *call);
enum bl_status bl_builtin_foreign_issue(struct bl_builtin_call *call);
enum bl_status bl_builtin_thing(struct bl_builtin_call *call);
enum bl_status bl_builtin_lines_of(struct bl_builtin_call *call);
enum bl_status bl_builtin_random_runs(struct bl_builtin_call *call);
enum bl_status bl_builtin_tracked(struct bl_builtin_call *call);
enum bl_status bl_builtin_attempt(struct bl_builtin_call *call);

#endif
