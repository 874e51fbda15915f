// SPDX-License-Identifier: Apache-2.0
//
// What a person reads off a repository: whose word it is, what waits since when, what the assistant
// promised. Written from the requirements (LIF, DUP, CMD) and not from the policies, to judge them.

export const DAY = 86400;
export const dayOf = (at) => Math.floor(at / DAY);
export const dateOf = (day) => new Date(day * DAY * 1000).toISOString().slice(0, 10);

export const remindAfter = 15; // LIF-03
export const closeAfter = 30; // LIF-04
export const duplicateGrace = 3; // DUP-06
const waitingLabels = ['needs-info', 'stale'];
const exemptLabels = ['pinned', 'security']; // LIF-19

const same = (a, b) => a.toLowerCase() === b.toLowerCase();

export const has = (issue, label) => issue.labels.some((name) => same(name, label));
export const commentsOf = (state, issue) => issue.comments.map((id) => state.comments.get(id));
export const isBot = (state, login) => state.findUser(login)?.kind === 'bot' || login.endsWith('[bot]');
export const isExempt = (issue) => exemptLabels.some((label) => has(issue, label));
export const waits = (issue) => has(issue, 'needs-info');
export { waitingLabels };

// EVT-29, D-9
export function isMaintainer(state, login) {
    const user = state.findUser(login);
    if (!user || isBot(state, login)) {
        return false;
    }
    return (
        ['owner', 'member', 'collaborator'].includes(user.association) ||
        (['contributor', 'nobody'].includes(user.association) &&
            ['admin', 'maintain', 'write', 'triage'].includes(state.permission(login)))
    );
}

export const mayPush = (state, login) =>
    !isBot(state, login) && ['admin', 'maintain', 'write'].includes(state.permission(login));

// Of an own comment: {kind, …attributes}; null of everyone else's, and of one without a marker.
export function markerOf(state, comment) {
    if (!same(comment.author, state.account)) {
        return null;
    }
    const found = /^<!-- issue-assistant:([a-z-]+)((?: [a-z-]+=\S*)*) -->\r?(?:\n|$)/.exec(comment.text);
    if (!found) {
        return null;
    }
    const out = { kind: found[1] };
    for (const pair of found[2].split(' ').filter(Boolean)) {
        const at = pair.indexOf('=');
        out[pair.slice(0, at)] = decodeURIComponent(pair.slice(at + 1));
    }
    return out;
}

export const posted = (state, issue, ...kinds) =>
    commentsOf(state, issue)
        .map((comment) => ({ comment, marker: markerOf(state, comment) }))
        .filter(({ marker }) => marker !== null && kinds.includes(marker.kind));

// A command that was carried out is no part of the conversation. CMD-17
export function isCommand(state, issue, comment) {
    return (
        /^\/assistant(?:[ \t]|\r?\n|$)/.test(comment.text) &&
        (isMaintainer(state, comment.author) || same(comment.author, issue.author)) &&
        comment.reactions.some((r) => r.kind === 'eyes' && same(r.user, state.account))
    );
}

export const isWord = (state, issue, comment) =>
    !isBot(state, comment.author) && !isCommand(state, issue, comment);

const newest = (...times) => Math.max(-Infinity, ...times.filter((at) => at !== undefined));
const lastOf = (list, test) => list.filter(test).at(-1);

export const labelSet = (issue, label) =>
    lastOf(issue.timeline, (e) => e.kind === 'labeled' && same(e.label, label));

export const reminders = (state, issue) =>
    posted(state, issue, 'reminder').map(({ comment, marker }) => ({
        at: comment.createdAt,
        day: marker.closes,
        text: comment.text,
    }));

// What asked the reporter last. LIF-14, LIF-35, A-22, A-82. A person who opens the issue again asks
// anew, or nobody would have seen a reminder; and a reminder that was taken back, by a person or
// because the issue was left alone for a time, has to come again before anything closes.
export function waitsSince(state, issue) {
    const asks = posted(state, issue, 'analysis', 'follow-up-reply').filter(({ marker }) => marker.questions === '1');
    const words = commentsOf(state, issue).filter(
        (comment) =>
            isMaintainer(state, comment.author) &&
            !same(comment.author, issue.author) &&
            isWord(state, issue, comment),
    );
    const opened = lastOf(issue.timeline, (e) => e.kind === 'reopened');
    const begin = newest(
        labelSet(issue, 'needs-info')?.at,
        asks.at(-1)?.comment.createdAt,
        words.at(-1)?.createdAt,
        opened?.at,
    );
    const first = begin === -Infinity ? issue.createdAt : begin;
    const takenBack = issue.timeline.filter(
        (e) =>
            e.kind === 'unlabeled' &&
            same(e.label, 'stale') &&
            reminders(state, issue).some((r) => r.at >= first && r.at < e.at),
    );
    return newest(first, takenBack.at(-1)?.at);
}

// LIF-06, LIF-07; a bot answers nothing, with words or with edits. EVT-32
export const answeredSince = (state, issue, since) =>
    commentsOf(state, issue).some(
        (c) => c.createdAt > since && same(c.author, issue.author) && isWord(state, issue, c),
    ) || issue.edits.some((e) => e.at > since && same(e.editor, issue.author) && !isBot(state, e.editor));

// The notice that holds: one that the label stands for. A label that a person set later is the person's.
export function duplicateNotice(state, issue) {
    const notice = posted(state, issue, 'analysis', 'duplicate-notice')
        .filter(({ marker }) => marker.duplicate !== undefined)
        .at(-1);
    if (!notice) {
        return null;
    }
    const set = labelSet(issue, 'possible-duplicate');
    const byPerson = set && !same(set.actor, state.account) && set.at > notice.comment.createdAt;
    return byPerson
        ? null
        : { at: notice.comment.createdAt, original: Number(notice.marker.duplicate), comment: notice.comment };
}

// DUP-07, DUP-12, DUP-14
export const objectedSince = (state, issue, since) =>
    commentsOf(state, issue).some((c) => c.createdAt > since && isWord(state, issue, c));

// DUP-08, DUP-09
export const thumbsDown = (state, issue, comment) =>
    comment.reactions.some(
        (r) => r.kind === 'thumbs_down' && (same(r.user, issue.author) || mayPush(state, r.user)),
    );
