// SPDX-License-Identifier: Apache-2.0
//
// Changed policies, whose years must break a rule: a rule that nothing breaks looks at nothing.
//     BL_POLICYC=… BL_BYLAW=… node --test tests/world/year/mutants.test.mjs
// BL_MUTANT: a part of the names of those that are tried.
import assert from 'node:assert/strict';
import test from 'node:test';

import { year } from './drive.mjs';
import { Simulator } from './simulator.mjs';

// What a careless change would do, and what people do when it shows. [what, from, to, doing]
const mutants = [
    ['closes early', 'close_after : duration = 30 days', 'close_after : duration = 29 days'],
    ['reminds late', 'remind_after : duration = 15 days', 'remind_after : duration = 16 days'],
    ['closes duplicates early', 'duplicate_grace : duration = 3 days', 'duplicate_grace : duration = 2 days'],
    ['closes duplicates late', 'duplicate_grace : duration = 3 days', 'duplicate_grace : duration = 4 days'],
    ['closes whatever the reminder named', 'on     day promised(issue) when not fix_waits(issue) {', 'on     day remind_after + 2 days {'],
    ['leaves nobody alone', '(any l in issue.labels where l in exempt_labels)', 'false', { addsLabel: 10, asksByLabel: 10, maintainerAsks: 10 }],
    ['hears no answers', 'ends   when answered(issue, waiting_since(issue))', 'ends   when issue.locked'],
    ['hears no answers at once', 'when answers_now and issue.state == open', 'when answers_now and issue.locked'],
    ['takes bots for people', 'comment.author is not robot and comment', 'comment', { botComments: 10, maintainerCommands: 5, maintainerAsks: 2 }],
    ['takes commands for words', ' and comment is not assistant_command', '', { maintainerCommands: 10, reporterCommands: 10, maintainerAsks: 3 }],
    ['hears no objections', 'objected(issue, note.created_at) or ', '', { thirdComments: 10, answers: 4 }],
    ['sees no thumbs', 'r.kind == thumbs_down and', 'r.kind == heart and', { reacts: 10, retitles: 5 }],
    ['believes in every notice', 'give if note is set and not (label is set and label.actor != me and label.at > note.created_at) then note else none', 'give note', { marksDuplicate: 10, thirdComments: 10 }],
    ['reminds again when a question is deleted', 'when reminded(issue) is absent { post', 'when issue.state == open { post', { maintainerAsks: 10, deletes: 15 }],
    ['forgets that a reminder was taken back', 'give withdrawn?.at else begun', 'give begun', { removesLabel: 10, asksByLabel: 5 }],
    ['closes what was opened again', '(last e in issue.timeline where e.kind == reopened)?.at', 'issue.created_at', { closes: 6, reopens: 6, asksByLabel: 6 }],
    ['leaves labels behind', 'remove labels needs_triage, needs_info', 'remove labels needs_info', { retitles: 10, thirdCommands: 1 }],
    ['answers bots', 'when event.actor.kind != bot ', 'when event.actor.kind != bot or true '],
];

for (const [what, from, to, doing] of mutants.filter(([name]) => name.includes(process.env.BL_MUTANT ?? ''))) {
    test(`a policy that ${what} is found out`, async () => {
        const home = new Simulator([[from, to]]);
        try {
            const { violations, days } = await year(home, { seed: 7, issues: 150, doing, days: 200, until: 1 });
            assert.notEqual(violations.length, 0, 'no rule was broken');
            console.log(`day ${days + 1}: ${violations[0]}`);
        } finally {
            home.close();
        }
    });
}
