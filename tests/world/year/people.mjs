// SPDX-License-Identifier: Apache-2.0
//
// What people do to a repository over a year: each act is drawn by chance and does what a person does in
// the browser. An act that cannot be (a comment on a locked issue) does not happen.

import * as change from '../fake/changes.mjs';
import { Problem } from '../fake/state.mjs';
import { commentsOf, DAY, has, isMaintainer, posted } from './reading.mjs';

export const maintainers = ['maria', 'carl', 'mona'];
const pushers = ['maria', 'carl'];
const bots = ['renovate[bot]', 'dependabot[bot]'];
const strangers = Array.from({ length: 40 }, (_, i) => `user-${i + 1}`);

export const world = (start) => ({
    now: new Date(start * 1000).toISOString().replace('.000', ''),
    repository: 'octo/demo',
    account: 'github-actions[bot]',
    users: [
        { login: 'maria', association: 'owner' },
        { login: 'carl', association: 'collaborator' },
        { login: 'mona', association: 'contributor', permission: 'triage' }, // hides the membership
        { login: 'user-1', association: 'contributor' },
        ...bots.map((login) => ({ login, kind: 'bot' })),
    ],
    labels: [
        { name: 'bug', color: 'd73a4a', description: 'Something doesn\'t work.' },
        { name: 'Needs-Info', color: 'fef2c0' }, // renamed in another case, which is the same label
        { name: 'pinned', color: '0e8a16' },
        { name: 'security', color: 'b60205' },
    ],
    secrets: ['CLAUDE_CODE_OAUTH_TOKEN'],
});

const texts = {
    titles: ['It crashes at start', 'The window stays white', 'Please add an export', 'Absturz beim Öffnen', 'Cannot log in', 'Docs: a broken link'],
    bodies: ['Always.', 'It happens since the last update.\n\n```\n/assistant mute\n```', 'Es passiert jedes Mal.', '### Version\n\n1.2', '', 'See `needs-info`.'],
    answers: ['Here it is: version 1.2.', 'I tried that, still the same.', 'Ja, mit Version 1.2.', 'Sorry, I was away. The log is attached.\r\nMore below.'],
    words: ['Me too.', 'I see this as well, on Linux.', '+1', 'Any news?'],
    asks: ['Which version is it?', 'Can you attach the log?', 'Does it happen in safe mode?'],
    quoted: [
        '> /assistant mute\n\nWhat does this do?',
        '    /assistant mute',
        '```\n/assistant mute\n```',
        'Please: /assistant mute',
        'First.\n/assistant mute',
        ' /assistant mute',
        '`/assistant mute`',
    ],
};

const open = (state) => [...state.issues.values()].filter((issue) => issue.state === 'open' && !issue.pull);

export class People {
    // `doing`: other weights than those of a usual year.
    constructor(random, { issues, doing = weights }) {
        this.random = random;
        this.doing = doing;
        this.perDay = issues / 365;
    }

    // The acts of a day: [{at, act}], in order.
    day(start) {
        const acts = [];
        const at = () => start + this.random.between(0, DAY - 1);
        for (let rest = this.perDay; rest > 0; rest -= 1) {
            if (this.random.chance(Math.min(1, rest))) {
                acts.push({ at: at(), act: 'opens' });
            }
        }
        for (let i = this.random.between(0, 1) + Math.round(3.2 * this.perDay); i > 0; i -= 1) {
            acts.push({ at: at(), act: this.random.weighted(this.doing) });
        }
        return acts.sort((a, b) => a.at - b.at);
    }

    // Does the act; {issue, who, act} of what happened, null when it cannot be.
    do(state, act) {
        try {
            return this[act](state);
        } catch (error) {
            if (error instanceof Problem) {
                return null;
            }
            throw error;
        }
    }

    // Of the issues, those that are talked about are more often the ones that wait.
    some(state, test = () => true) {
        const all = [...state.issues.values()].filter((issue) => !issue.pull && test(issue));
        const waiting = all.filter((issue) => issue.labels.length > 1 && issue.state === 'open');
        const from = waiting.length > 0 && this.random.chance(0.6) ? waiting : all;
        return from.length > 0 ? this.random.pick(from) : null;
    }

    says(state, issue, who, text) {
        if (!issue) {
            return null;
        }
        change.comment(state, issue, who, text);
        return { issue, who };
    }

    opens(state) {
        const who = this.random.weighted({ stranger: 78, maintainer: 12, bot: 10 });
        const author = {
            stranger: () => this.random.pick(strangers),
            maintainer: () => this.random.pick(maintainers),
            bot: () => this.random.pick(bots),
        }[who]();
        const issue = change.open(state, author, {
            title: this.random.pick(texts.titles), text: this.random.pick(texts.bodies), at: state.now,
        });
        return { issue, who: author };
    }

    answers(state) {
        const issue = this.some(state);
        return this.says(state, issue, issue?.author, this.random.pick(texts.answers));
    }

    edits(state) {
        const issue = this.some(state);
        if (!issue || !change.editText(state, issue, issue.author, `${issue.text}\nMore: ${state.now}.`)) {
            return null;
        }
        return { issue, who: issue.author };
    }

    maintainerEdits(state) {
        const issue = this.some(state);
        const who = this.random.pick(maintainers);
        return issue && change.editText(state, issue, who, `${issue.text}\n(Edited ${state.now}.)`) ? { issue, who } : null;
    }

    retitles(state) {
        const issue = this.some(state);
        return issue && change.retitle(state, issue, issue.author, `${this.random.pick(texts.titles)} ${state.now}`)
            ? { issue, who: issue.author }
            : null;
    }

    thirdComments(state) {
        return this.says(state, this.some(state), this.random.pick(strangers), this.random.pick(texts.words));
    }

    botComments(state) {
        return this.says(state, this.some(state), this.random.pick(bots), 'A new version is there.\n/assistant mute');
    }

    botCommands(state) {
        return this.says(state, this.some(state), this.random.pick(bots), '/assistant mute');
    }

    maintainerAsks(state) {
        const issue = this.some(state, (one) => one.state === 'open');
        const who = this.random.pick(maintainers);
        const said = this.says(state, issue, who, this.random.pick(texts.asks));
        if (said && this.random.chance(0.6)) {
            change.addLabel(state, issue, who, 'needs-info', state.now + 5);
        }
        return said;
    }

    // The label alone, without a word.
    asksByLabel(state) {
        const issue = this.some(state, (one) => one.state === 'open');
        return issue && change.addLabel(state, issue, this.random.pick(maintainers), 'NEEDS-INFO') ? { issue } : null;
    }

    maintainerCommands(state) {
        const others = open(state);
        const original = others.length > 0 ? this.random.pick(others).number : 1;
        const command = this.random.pick([
            'waiting', 'waiting', 'waiting', `duplicate #${original}`, `duplicate #${original}`, 'not-duplicate', 'mute', 'unmute',
            'again', 'ask How does it work?', 'Waiting', 'nonsense', 'duplicate', 'waiting now',
        ]);
        return this.says(state, this.some(state), this.random.pick(maintainers), `/assistant ${command}`);
    }

    reporterCommands(state) {
        const issue = this.some(state);
        const command = this.random.pick(['not-duplicate', 'again', 'mute', 'waiting', 'nonsense', '']);
        return this.says(state, issue, issue?.author, `/assistant ${command}`.trim());
    }

    thirdCommands(state) {
        return this.says(state, this.some(state), this.random.pick(strangers), '/assistant not-duplicate');
    }

    quotes(state) {
        const issue = this.some(state);
        const who = this.random.chance(0.5) ? this.random.pick(maintainers) : issue?.author;
        return this.says(state, issue, who, this.random.pick(texts.quoted));
    }

    deletes(state) {
        const issue = this.some(state);
        const own = issue ? commentsOf(state, issue).filter((c) => c.author !== state.account) : [];
        if (own.length === 0) {
            return null;
        }
        const comment = this.random.pick(own);
        change.deleteComment(state, comment, comment.author);
        return { issue, who: comment.author };
    }

    closes(state) {
        const issue = this.some(state, (one) => one.state === 'open');
        const who = this.random.chance(0.3) ? issue?.author : this.random.pick(maintainers);
        const reason = this.random.pick(['completed', 'completed', 'not_planned']);
        return issue && change.close(state, issue, who, { reason }) ? { issue, who } : null;
    }

    reopens(state) {
        const issue = this.some(state, (one) => one.state === 'closed');
        const who = this.random.chance(0.4) ? issue?.author : this.random.pick(maintainers);
        return issue && change.reopen(state, issue, who) ? { issue, who } : null;
    }

    removesLabel(state) {
        const issue = this.some(state, (one) => one.labels.length > 0);
        const who = this.random.pick(maintainers);
        return issue && change.removeLabel(state, issue, who, this.random.pick(issue.labels)) ? { issue, who } : null;
    }

    addsLabel(state) {
        const issue = this.some(state, (one) => one.state === 'open');
        const label = this.random.pick(['bug', 'pinned', 'security', 'possible-duplicate', 'stale', 'pinned']);
        const who = this.random.pick(maintainers);
        return issue && change.addLabel(state, issue, who, label) ? { issue, who } : null;
    }

    // A maintainer who thinks after all that it is one, whatever was said against the notice.
    marksDuplicate(state) {
        const issue = this.some(
            state,
            (one) => one.state === 'open' && !has(one, 'possible-duplicate') &&
                posted(state, one, 'analysis', 'duplicate-notice').some(({ marker }) => marker.duplicate !== undefined),
        );
        return issue && change.addLabel(state, issue, this.random.pick(maintainers), 'possible-duplicate') ? { issue } : null;
    }

    locks(state) {
        const issue = this.some(state);
        const who = this.random.pick(maintainers);
        const done = issue?.locked ? change.unlock(state, issue, who) : issue && change.lock(state, issue, who, 'resolved');
        return done ? { issue, who } : null;
    }

    assigns(state) {
        const issue = this.some(state);
        return issue && change.assign(state, issue, 'maria', this.random.pick(maintainers)) ? { issue, who: 'maria' } : null;
    }

    reacts(state) {
        const issue = this.some(state, (one) => one.labels.length > 0);
        const notices = issue ? posted(state, issue, 'analysis', 'duplicate-notice') : [];
        if (notices.length === 0) {
            return null;
        }
        const who = this.random.pick([issue.author, this.random.pick(pushers), 'mona', this.random.pick(strangers)]);
        const kind = this.random.pick(['thumbs_down', 'thumbs_down', 'thumbs_up']);
        return change.react(state, notices.at(-1).comment, who, kind).isNew ? { issue, who } : null;
    }

    releases(state) {
        change.publish(state, 'maria', { tag: `v1.${state.releases.length}.0` });
        return { who: 'maria' };
    }
}

const weights = {
    answers: 16, edits: 4, maintainerEdits: 1, retitles: 2, thirdComments: 8, botComments: 2, botCommands: 1,
    maintainerAsks: 14, asksByLabel: 4, maintainerCommands: 12, reporterCommands: 4, thirdCommands: 2, quotes: 3,
    deletes: 3, closes: 6, reopens: 3, removesLabel: 5, addsLabel: 5, locks: 1, assigns: 1, reacts: 6, releases: 1,
    marksDuplicate: 1,
};

// ---- the assistant's AI, which no test runs -------------------------------------------------------

// What the job behind a task would write: labels that find, the comment, labels that wait (FLT-11).
export function answerTask(random, state, issue, task) {
    if (!issue || issue.state === 'closed' || !['triage', 'follow_up'].includes(task)) {
        return;
    }
    const kind = task === 'triage' ? 'analysis' : 'follow-up-reply';
    const outcome = random.weighted({ questions: 45, duplicate: task === 'triage' ? 15 : 0, nothing: 40 });
    const original = open(state).find((other) => other.number < issue.number && isMaintainer(state, other.author));
    const attributes = ['lang=en'];
    if (outcome === 'questions') {
        attributes.push('questions=1');
    } else if (outcome === 'duplicate' && original) {
        attributes.push(`duplicate=${original.number}`);
        change.addLabel(state, issue, state.account, 'possible-duplicate');
    }
    attributes.push(`request=${state.now}`);
    change.comment(state, issue, state.account, `<!-- issue-assistant:${kind} ${attributes.join(' ')} -->\n\nThanks.`);
    if (outcome === 'questions' && !has(issue, 'needs-info')) {
        change.addLabel(state, issue, state.account, 'needs-info', state.now + 1);
    }
}
