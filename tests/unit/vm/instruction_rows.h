/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BL_TESTS_UNIT_VM_INSTRUCTION_ROWS_H
#define BL_TESTS_UNIT_VM_INSTRUCTION_ROWS_H

/* A function `f` without parameters and what it gives, in words. */
static const struct {
    const char *code;
    const char *gives;
} rows[] = {
    {"pure f() : bool\n return-bool true\n", "true"},
    {"pure f() : bool\n return-bool false\n", "false"},
    /* holds */
    {"pure f() : bool\n regs text, bool\n const r0, \"crash\"\n holds r1, r0, any\n return "
     "r1\n",
     "true"},
    {"pure f() : bool\n regs text, bool\n const r0, \"crash\"\n holds r1, r0, numbered\n"
     " return r1\n",
     "false"},
    /* const, absent, move, require, is-set */
    {"pure f() : int\n regs int\n const r0, 12\n return r0\n", "12"},
    {"pure f() : text\n regs text\n const r0, \"a b\"\n return r0\n", "\"a b\""},
    {"pure f() : enum 0\n regs enum 0\n const r0, enum 0 high\n return r0\n", "high"},
    {"pure f() : issue_state\n regs issue_state\n const r0, issue_state closed\n return r0\n",
     "closed"},
    {"pure f() : task\n regs task\n const r0, task 1\n return r0\n", "report"},
    {"pure f() : int?\n regs int?\n absent r0\n return r0\n", "none"},
    {"pure f() : int?\n regs int, int?\n const r0, 5\n move r1, r0\n return r1\n", "5"},
    {"pure f() : int\n regs int, int?, int\n const r0, 5\n move r1, r0\n require r2, r1\n"
     " return r2\n",
     "5"},
    {"pure f() : bool\n regs int?, bool\n absent r0\n is-set r1, r0\n return r1\n", "false"},
    /* not, eq, ne, lt, le */
    {"pure f() : bool\n regs bool\n const r0, true\n not r0, r0\n return r0\n", "false"},
    {"pure f() : bool\n regs int, int, bool\n const r0, 5\n const r1, 5\n eq r2, r0, r1\n"
     " return r2\n",
     "true"},
    {"pure f() : bool\n regs int, int, bool\n const r0, 5\n const r1, 5\n ne r2, r0, r1\n"
     " return r2\n",
     "false"},
    {"pure f() : bool\n regs int?, int, bool\n absent r0\n const r1, 5\n eq r2, r0, r1\n"
     " return r2\n",
     "false"},
    {"pure f() : bool\n regs int?, int, bool\n absent r0\n const r1, 5\n ne r2, r0, r1\n"
     " return r2\n",
     "true"},
    {"pure f() : bool\n regs label, text, bool\n const r0, label \"BUG\"\n"
     " const r1, \"bug\"\n eq r2, r0, r1\n return r2\n",
     "true"},
    {"pure f() : bool\n regs text, label, bool\n const r0, \"bug\"\n"
     " const r1, label \"BUG\"\n eq r2, r0, r1\n return r2\n",
     "true"},
    {"pure f() : bool\n regs name, text, bool\n const r0, name \"V1\"\n const r1, \"v1\"\n"
     " eq r2, r0, r1\n return r2\n",
     "false"},
    {"pure f() : bool\n regs int, int, bool\n const r0, 5\n const r1, 5\n lt r2, r0, r1\n"
     " return r2\n",
     "false"},
    {"pure f() : bool\n regs int, int, bool\n const r0, 4\n const r1, 5\n lt r2, r0, r1\n"
     " return r2\n",
     "true"},
    {"pure f() : bool\n regs int, int, bool\n const r0, 5\n const r1, 5\n le r2, r0, r1\n"
     " return r2\n",
     "true"},
    {"pure f() : bool\n regs int, int, bool\n const r0, 6\n const r1, 5\n le r2, r0, r1\n"
     " return r2\n",
     "false"},
    /* add, sub, mul */
    {"pure f() : int\n regs int, int\n const r0, 40\n const r1, 2\n add r0, r0, r1\n"
     " return r0\n",
     "42"},
    {"pure f() : int\n regs int, int\n const r0, 9223372036854775807\n const r1, 2\n"
     " add r0, r0, r1\n return r0\n",
     "9223372036854775807"},
    {"pure f() : date\n regs date, duration\n const r0, date 10\n const r1, duration 172800\n"
     " add r0, r0, r1\n return r0\n",
     "1970-01-13"},
    {"pure f() : date\n regs date, duration\n const r0, date 10\n const r1, duration 172799\n"
     " add r0, r0, r1\n return r0\n",
     "1970-01-12"},
    {"pure f() : time\n regs time, duration\n const r0, time 100\n const r1, duration 60\n"
     " add r0, r0, r1\n return r0\n",
     "1970-01-01T00:02:40Z"},
    {"pure f() : duration\n regs duration, duration\n const r0, duration 3600\n"
     " const r1, duration 60\n add r0, r0, r1\n return r0\n",
     "61 minutes"},
    {"pure f() : money\n regs money, money\n const r0, money 5000\n const r1, money 5000\n"
     " add r0, r0, r1\n return r0\n",
     "$1.00"},
    {"pure f() : text\n regs text, text\n const r0, \"a\"\n const r1, \"b\"\n"
     " add r0, r0, r1\n return r0\n",
     "\"ab\""},
    {"pure f() : list of int\n regs list of int, list of int, int, list of int\n list r0\n"
     " list r1\n const r2, 1\n push r0, r2\n const r2, 2\n push r1, r2\n add r3, r0, r1\n"
     " return r3\n",
     "[1, 2]"},
    {"pure f() : int\n regs int, int\n const r0, 40\n const r1, 2\n sub r0, r0, r1\n"
     " return r0\n",
     "38"},
    {"pure f() : duration\n regs time, time, duration\n const r0, time 160\n"
     " const r1, time 100\n sub r2, r0, r1\n return r2\n",
     "1 minute"},
    {"pure f() : time\n regs time, duration\n const r0, time 160\n const r1, duration 60\n"
     " sub r0, r0, r1\n return r0\n",
     "1970-01-01T00:01:40Z"},
    {"pure f() : date\n regs date, duration\n const r0, date 10\n const r1, duration 86400\n"
     " sub r0, r0, r1\n return r0\n",
     "1970-01-10"},
    {"pure f() : int\n regs int, int\n const r0, 6\n const r1, 7\n mul r0, r0, r1\n"
     " return r0\n",
     "42"},
    {"pure f() : int\n regs int, percent\n const r0, 99\n const r1, percent 10\n"
     " mul r0, r0, r1\n return r0\n",
     "9"}, /* rounds down */
    {"pure f() : duration\n regs duration, int\n const r0, duration 60\n const r1, 5\n"
     " mul r0, r0, r1\n return r0\n",
     "5 minutes"},
    /* in, contains, starts, ends, matches, glob */
    {"pure f() : bool\n regs issue, list of label, label, bool\n ambient r0, issue\n"
     " field r1, r0, issue.labels\n const r2, label \"needs info\"\n in r3, r2, r1\n"
     " return r3\n",
     "true"},
    {"pure f() : bool\n regs issue, list of label, label, bool\n ambient r0, issue\n"
     " field r1, r0, issue.labels\n const r2, label \"stale\"\n in r3, r2, r1\n return r3\n",
     "false"},
    {"pure f() : bool\n regs int?, list of int, int, bool\n absent r0\n list r1\n"
     " const r2, 1\n push r1, r2\n in r3, r0, r1\n return r3\n",
     "false"},
    {"pure f() : bool\n regs text, text, bool\n const r0, \"abc\"\n const r1, \"b\"\n"
     " contains r2, r0, r1\n return r2\n",
     "true"},
    {"pure f() : bool\n regs text, text, bool\n const r0, \"abc\"\n const r1, \"b\"\n"
     " starts r2, r0, r1\n return r2\n",
     "false"},
    {"pure f() : bool\n regs text, text, bool\n const r0, \"abc\"\n const r1, \"bc\"\n"
     " ends r2, r0, r1\n return r2\n",
     "true"},
    {"pure f() : bool\n regs issue, untrusted, pattern, bool\n ambient r0, issue\n"
     " field r1, r0, issue.title\n const r2, pattern 0\n matches r3, r1, r2\n return r3\n",
     "true"},
    {"pure f() : bool\n regs issue, untrusted, pattern, bool\n ambient r0, issue\n"
     " field r1, r0, issue.title\n const r2, pattern 1\n matches r3, r1, r2\n return r3\n",
     "false"},
    {"pure f() : bool\n regs issue, untrusted, bool\n ambient r0, issue\n"
     " field r1, r0, issue.title\n found r2, r1, crash\n return r2\n",
     "true"},
    {"pure f() : bool\n regs issue, untrusted, bool\n ambient r0, issue\n"
     " field r1, r0, issue.title\n found r2, r1, ^crash\n return r2\n",
     "false"},
    {"pure f() : bool\n regs path, path, bool\n const r0, path \"src/a.ts\"\n"
     " const r1, path \"src/**/*.ts\"\n glob r2, r0, r1\n return r2\n",
     "true"},
    {"pure f() : bool\n regs path, list of path, path, bool\n const r0, path \"src/a.ts\"\n"
     " list r1\n const r2, path \"*.md\"\n push r1, r2\n const r2, path \"**/a.*\"\n"
     " push r1, r2\n glob r3, r0, r1\n return r3\n",
     "true"},
    /* field: of things, labels, days, times, paths, repositories, what the workflow passes */
    {"pure f() : untrusted\n regs issue, untrusted\n ambient r0, issue\n"
     " field r1, r0, issue.title\n return r1\n",
     "\"It crashes\""},
    {"pure f() : name\n regs issue, user, name\n ambient r0, issue\n"
     " field r1, r0, issue.author\n field r2, r1, user.login\n return r2\n",
     "\"alice\""},
    {"pure f() : text\n regs label, text\n const r0, label \"needs info\"\n"
     " field r1, r0, label.description\n return r1\n",
     "\"Waits for its reporter\""},
    {"pure f() : text\n regs label, text\n const r0, label \"unknown\"\n"
     " field r1, r0, label.description\n return r1\n",
     "\"\""},
    {"pure f() : list of text\n regs label, list of text\n const r0, label \"NEEDS INFO\"\n"
     " field r1, r0, label.options\n return r1\n",
     "[Yes, No]"},
    {"pure f() : bool\n regs label, bool\n const r0, label \"needs info\"\n"
     " field r1, r0, label.ask\n return r1\n",
     "true"},
    {"pure f() : name\n regs label, name\n const r0, label \"bug\"\n"
     " field r1, r0, label.name\n return r1\n",
     "\"bug\""},
    {"pure f() : int\n regs date, int\n const r0, date 10\n field r1, r0, date.day_of_month\n"
     " return r1\n",
     "11"},
    {"pure f() : time\n regs date, time\n const r0, date 1\n field r1, r0, date.midnight\n"
     " return r1\n",
     "1970-01-02T00:00:00Z"},
    {"pure f() : date\n regs time, date\n const r0, time 86399\n field r1, r0, time.day\n"
     " return r1\n",
     "1970-01-01"},
    {"pure f() : bool\n regs path, bool\n const r0, path \"src/a_b-c.ts\"\n"
     " field r1, r0, path.plain\n return r1\n",
     "true"},
    {"pure f() : bool\n regs path, bool\n const r0, path \"src/../a\"\n"
     " field r1, r0, path.plain\n return r1\n",
     "false"},
    {"pure f() : untrusted\n regs path, untrusted\n const r0, path \"src/a\"\n"
     " field r1, r0, path.text\n return r1\n",
     "\"src/a\""},
    {"pure f() : bool\n regs repository_name, bool\n const r0, repository_name \"o/r\"\n"
     " field r1, r0, repository_name.public\n return r1\n",
     "true"},
    {"pure f() : text?\n regs variable, text?\n const r0, variable 0\n"
     " field r1, r0, variable.value\n return r1\n",
     "\"off\""},
    {"pure f() : bool\n regs secret_setting, bool\n const r0, secret_setting 1\n"
     " field r1, r0, secret_setting.is_set\n return r1\n",
     "true"},
    /* attr, posted, as-posted */
    {"pure f() : list of posted 2\n regs issue, list of posted 2\n ambient r0, issue\n"
     " posted r1, r0, posted 2\n return r1\n",
     "[comment 1001]"},
    {"pure f() : list of posted 1\n regs issue, list of posted 1\n ambient r0, issue\n"
     " posted r1, r0, posted 1\n return r1\n",
     "[comment 1002]"},
    {"pure f() : int\n regs issue, list of posted 2, posted 2?, posted 2, int\n"
     " ambient r0, issue\n posted r1, r0, posted 2\n builtin r2, r1, first\n"
     " require r3, r2\n attr r4, r3, name \"to\"\n return r4\n",
     "7"},
    {"pure f() : name?\n regs issue, list of posted 2, posted 2?, posted 2, name?\n"
     " ambient r0, issue\n posted r1, r0, posted 2\n builtin r2, r1, first\n"
     " require r3, r2\n attr r4, r3, name \"tag\"\n return r4\n",
     "\"v1\""},
    {"pure f() : list of posted 2\n regs issue, list of comment, list of posted 2\n"
     " ambient r0, issue\n field r1, r0, issue.comments\n posted r2, r1, posted 2\n"
     " return r2\n",
     "[comment 1001]"},
    {"pure f() : posted 2?\n"
     " regs issue, list of comment, comment?, comment, posted 2?\n ambient r0, issue\n"
     " field r1, r0, issue.comments\n builtin r2, r1, first\n require r3, r2\n"
     " as-posted r4, r3, posted 2\n return r4\n",
     "none"},
    {"pure f() : time\n regs issue, list of posted 2, posted 2?, posted 2, time\n"
     " ambient r0, issue\n posted r1, r0, posted 2\n builtin r2, r1, first\n"
     " require r3, r2\n field r4, r3, comment.created_at\n return r4\n",
     "1970-01-01T00:00:00Z"},
    /* gate */
    {"pure g() : int\n regs int\n const r0, 3\n return r0\n"
     "pure f() : int?\n regs int?\n gate r0, r0, g\n return r0\n",
     "3"},
    {"pure g() : issue\n regs int, issue\n const r0, 99\n builtin r1, r0, issue\n return r1\n"
     "pure f() : issue?\n regs issue?\n gate r0, r0, g\n return r0\n",
     "none"},
    /* attempt */
    {"pure g() : list of int\n regs list of int, int\n list r0\n const r1, 3\n push r0, r1\n"
     " return r0\n"
     "pure f() : list of int?\n regs list of int?\n attempt r0, r0, g\n return r0\n",
     "[3]"},
    {"pure g() : list of issue\n regs int, issue, list of issue\n const r0, 99\n"
     " builtin r1, r0, issue\n list r2\n push r2, r1\n return r2\n"
     "pure f() : list of issue?\n regs list of issue?\n attempt r0, r0, g\n return r0\n",
     "none"},
    /* record, member, verdict */
    {"pure f() : text\n regs int, text, record 0, text\n const r0, 3\n const r1, \"three\"\n"
     " record r2, r0, pair\n member r3, r2, 1\n return r3\n",
     "\"three\""},
    {"pure f() : record 0\n regs int, text, record 0\n const r0, 3\n const r1, \"three\"\n"
     " record r2, r0, pair\n return r2\n",
     "(3, three)"},
    {"pure f() : clean log\n regs bool, name, text, verdict, clean log\n const r0, true\n"
     " const r1, name \"n\"\n const r2, \"why\"\n verdict r3, r0\n field r4, r3, verdict.text\n"
     " return r4\n",
     "\"why\""},
    /* list, push, iter, next, loop */
    {"pure f() : list of int\n regs list of int, int?, int\n list r0\n absent r1\n"
     " push r0, r1\n const r2, 7\n push r0, r2\n return r0\n",
     "[7]"},
    {"pure f() : int\n regs list of int, iterator, int, int, int\n list r0\n const r3, 1\n"
     " push r0, r3\n push r0, r3\n const r3, 5\n push r0, r3\n const r4, 0\n iter r0\n"
     "again:\n next r2, r0, out\n add r4, r4, r2\n loop again\nout:\n return r4\n",
     "7"},
    {"pure f() : int\n regs list of int, iterator, int, int\n list r0\n const r3, 9\n iter r0\n"
     "again:\n next r2, r0, out\n move r3, r2\n loop again\nout:\n return r3\n",
     "9"},
    /* jumps */
    {"pure f() : int\n regs bool, int\n const r0, true\n const r1, 1\n jump-if r0, yes\n"
     " const r1, 2\nyes:\n return r1\n",
     "1"},
    {"pure f() : int\n regs bool, int\n const r0, true\n const r1, 1\n jump-unless r0, no\n"
     " const r1, 2\nno:\n return r1\n",
     "2"},
    {"pure f() : int\n regs int\n const r0, 1\n jump out\nout:\n return r0\n", "1"},
    /* call, end */
    {"pure twice(int) : int\n regs int\n add r1, r0, r0\n return r1\n"
     "pure f() : int\n regs int, int\n const r0, 21\n call r1, r0, twice\n return r1\n",
     "42"},
    /* ambient, event-is, bind */
    {"pure f() : time\n regs time\n ambient r0, now\n return r0\n", "2026-11-02T08:00:00Z"},
    {"pure f() : comment?\n regs comment?\n ambient r0, comment\n return r0\n", "none"},
    {"pure f() : bool\n regs bool\n event-is r0, issues.opened\n return r0\n", "true"},
    {"pure f() : bool\n regs bool\n event-is r0, issues.closed\n return r0\n", "false"},
    {"pure day(date) : clean comment\n regs clean comment\n render r1, r0, comment\n"
     " return r1\n"
     "pure f() : clean comment\n regs locale, date, clean comment\n const r0, locale 1\n"
     " bind r0, language\n const r1, date 0\n call r2, r1, day\n return r2\n",
     "\"1. Januar 1970\""},
    /* render, build */
    {"pure f() : clean comment\n regs label, text, clean comment, clean comment\n"
     " const r0, label \"bug\"\n const r1, \"It is \"\n render r2, r0, comment\n"
     " build r3, r1, 2\n return r3\n",
     "\"It is `bug`\""},
    {"pure f() : text\n regs text\n build r0, r0, 0\n return r0\n", "\"\""},
};

#endif
