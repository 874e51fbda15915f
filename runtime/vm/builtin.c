/* SPDX-License-Identifier: Apache-2.0 */
#include "vm/builtins.h"

/* The rows of builtins.def spell their functions in lower case; this table is the one place
 * that joins the two, and a row without a line here does not compile. */
static enum bl_status (*const functions[])(struct bl_builtin_call *) = {
    [BL_BUILTIN_COUNT_OF] = bl_builtin_count_of,
    [BL_BUILTIN_FIRST] = bl_builtin_first,
    [BL_BUILTIN_LAST] = bl_builtin_last,
    [BL_BUILTIN_ONLY] = bl_builtin_only,
    [BL_BUILTIN_TAKE] = bl_builtin_take,
    [BL_BUILTIN_DISTINCT] = bl_builtin_distinct,
    [BL_BUILTIN_FLAT] = bl_builtin_flat,
    [BL_BUILTIN_SUM] = bl_builtin_sum,
    [BL_BUILTIN_MEDIAN] = bl_builtin_median,
    [BL_BUILTIN_LATEST] = bl_builtin_latest,
    [BL_BUILTIN_LARGER] = bl_builtin_larger,
    [BL_BUILTIN_DAYS] = bl_builtin_days,
    [BL_BUILTIN_LENGTH] = bl_builtin_length,
    [BL_BUILTIN_BYTES_OF] = bl_builtin_bytes_of,
    [BL_BUILTIN_LOWER] = bl_builtin_lower,
    [BL_BUILTIN_TRIM] = bl_builtin_trim,
    [BL_BUILTIN_CUT] = bl_builtin_cut,
    [BL_BUILTIN_STRIP] = bl_builtin_strip,
    [BL_BUILTIN_BLANK] = bl_builtin_blank,
    [BL_BUILTIN_FINDS] = bl_builtin_finds,
    [BL_BUILTIN_WORDS] = bl_builtin_words,
    [BL_BUILTIN_PROSE] = bl_builtin_prose,
    [BL_BUILTIN_FORM_TEXT] = bl_builtin_form_text,
    [BL_BUILTIN_FORM_ANSWER] = bl_builtin_form_answer,
    [BL_BUILTIN_STOPWORDS] = bl_builtin_stopwords,
    [BL_BUILTIN_SAME_THING] = bl_builtin_same_thing,
    [BL_BUILTIN_POSTED] = bl_builtin_posted,
    [BL_BUILTIN_ISSUE_NUMBER] = bl_builtin_issue_number,
    [BL_BUILTIN_ISSUE] = bl_builtin_issue,
    [BL_BUILTIN_ALERT] = bl_builtin_alert,
    [BL_BUILTIN_SUGGESTED_DUPLICATE] = bl_builtin_suggested_duplicate,
    [BL_BUILTIN_ISSUES_CREATED] = bl_builtin_issues_created,
    [BL_BUILTIN_COMMENTS_CHANGED_SINCE] = bl_builtin_comments_changed_since,
    [BL_BUILTIN_NUMBERED] = bl_builtin_numbered,
    [BL_BUILTIN_MONEY] = bl_builtin_money,
    [BL_BUILTIN_COMMAND_WORD] = bl_builtin_command_word,
    [BL_BUILTIN_COMMAND_LINE] = bl_builtin_command_line,
    [BL_BUILTIN_COMMAND_REST] = bl_builtin_command_rest,
    [BL_BUILTIN_WRITTEN_NUMBER] = bl_builtin_written_number,
    [BL_BUILTIN_OPEN_ISSUES_WITH] = bl_builtin_open_issues_with,
    [BL_BUILTIN_TEXTS] = bl_builtin_texts,
    [BL_BUILTIN_CLOSED_UNLOCKED_ISSUES] = bl_builtin_closed_unlocked_issues,
    [BL_BUILTIN_MERGED_PULLS] = bl_builtin_merged_pulls,
    [BL_BUILTIN_SHIPS] = bl_builtin_ships,
    [BL_BUILTIN_SEARCH_ISSUES] = bl_builtin_search_issues,
    [BL_BUILTIN_PULLS_WITH_HEAD] = bl_builtin_pulls_with_head,
    [BL_BUILTIN_STRIP_EXCEPT] = bl_builtin_strip_except,
    [BL_BUILTIN_ONE_LINE] = bl_builtin_one_line,
    [BL_BUILTIN_CUT_SHORT] = bl_builtin_cut_short,
    [BL_BUILTIN_CLEAN_LINKS] = bl_builtin_clean_links,
    [BL_BUILTIN_CLEAN_ADDRESSES] = bl_builtin_clean_addresses,
    [BL_BUILTIN_GIT_READING] = bl_builtin_git_reading,
    [BL_BUILTIN_PATCH_FILE] = bl_builtin_patch_file,
    [BL_BUILTIN_PATCH_CREATING] = bl_builtin_patch_creating,
    [BL_BUILTIN_CLEAN_REFERENCES] = bl_builtin_clean_references,
    [BL_BUILTIN_FENCED] = bl_builtin_fenced,
    [BL_BUILTIN_QUOTED] = bl_builtin_quoted,
    [BL_BUILTIN_OLDEST_FIRST] = bl_builtin_oldest_first,
    [BL_BUILTIN_MOST_FIRST] = bl_builtin_most_first,
    [BL_BUILTIN_ITEM_LINES] = bl_builtin_item_lines,
    [BL_BUILTIN_LINK_TO] = bl_builtin_link_to,
};
_Static_assert(sizeof functions / sizeof functions[0] == (size_t)BL_BUILTIN_COUNT,
               "every builtin has its function");

enum bl_status bl_builtin_run(enum bl_builtin builtin, struct bl_builtin_call *call)
{
    if ((unsigned)builtin >= BL_BUILTIN_COUNT || functions[builtin] == NULL)
        return bl_machine_guard(call->machine, BL_STR("A builtin has no function."));
    return functions[builtin](call);
}
