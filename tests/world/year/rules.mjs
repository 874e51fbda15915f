// SPDX-License-Identifier: Apache-2.0
//
// What must hold after every event and every morning, whatever people did: a list of sentences for what
// does not. The numbers are those of the requirements, not of the policies.

import {
    answeredSince, closeAfter, commentsOf, dateOf, dayOf, duplicateGrace, duplicateNotice, has, isBot, isExempt, isMaintainer, isWord,
    markerOf, objectedSince, posted, remindAfter, reminders, thumbsDown, waits, waitsSince,
} from './reading.mjs';

const same = (a, b) => a.toLowerCase() === b.toLowerCase();
const issuesOf = (state) => [...state.issues.values()].filter((issue) => !issue.pull);
const own = (state, issue) => commentsOf(state, issue).filter((c) => same(c.author, state.account));
const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];
const inWords = (day) => {
    const [year, month, date] = day.split('-').map(Number);
    return `${months[month - 1]} ${date}, ${year}`;
};

// ---- what closed ---------------------------------------------------------------------------------

// Nothing closes before its named day, and nothing closes over an answer. LIF-04, LIF-08, LIF-10, LIF-23
function closedForSilence(before, issue, today, say) {
    const since = waitsSince(before, issue);
    const named = reminders(before, issue).filter((r) => r.at >= since).at(-1);
    if (!waits(issue)) {
        say('closed for silence, and it waited for nobody');
    }
    if (today - dayOf(since) < closeAfter) {
        say(`closed ${today - dayOf(since)} days after ${dateOf(dayOf(since))}, ${closeAfter} are promised`);
    }
    if (!named) {
        say('closed for silence without a reminder');
    } else if (named.day > dateOf(today)) {
        say(`closed on ${dateOf(today)}, named was ${named.day}`);
    } else if (today - dayOf(named.at) < closeAfter - remindAfter) {
        say(`closed ${today - dayOf(named.at)} days after its reminder`);
    }
    if (answeredSince(before, issue, since)) {
        say('closed over an answer');
    }
}

// DUP-06 to DUP-10, DUP-17
function closedAsDuplicate(before, issue, today, say) {
    const notice = has(issue, 'possible-duplicate') ? duplicateNotice(before, issue) : null;
    if (!notice) {
        say('closed as a duplicate without a notice');
        return;
    }
    if (today - dayOf(notice.at) < duplicateGrace) {
        say(`closed as a duplicate ${today - dayOf(notice.at)} days after the notice`);
    }
    if (objectedSince(before, issue, notice.at)) {
        say('closed as a duplicate over an objection');
    }
    if (thumbsDown(before, issue, notice.comment)) {
        say('closed as a duplicate over a thumbs down');
    }
    if (before.issues.get(notice.original)?.state !== 'open') {
        say('closed as a duplicate of what is not open');
    }
}

// Labels that exclude each other and what a closing leaves.
function leftBehind(issue, say) {
    for (const label of ['needs-info', 'stale', 'possible-duplicate']) {
        if (has(issue, label)) {
            say(`closed and still ${label}`);
        }
    }
    if (has(issue, 'duplicate') && has(issue, 'needs-triage')) {
        say('duplicate and needs-triage at once');
    }
}

// ---- what is open --------------------------------------------------------------------------------

// Reminded in time, or answered. LIF-03, LIF-08, LIF-24
function openAndWaiting(after, issue, today, say) {
    const since = waitsSince(after, issue);
    const days = today - dayOf(since);
    const named = reminders(after, issue).filter((r) => r.at >= since).at(-1);
    if (answeredSince(after, issue, since)) {
        say('answered and still waiting');
    } else if (isExempt(issue)) {
        return;
    } else if (days >= remindAfter && !named) {
        say(`waits for ${days} days without a reminder`);
    } else if (named && named.day <= dateOf(today)) {
        say(`still open on ${dateOf(today)}, named was ${named.day}`);
    }
    if (named && has(issue, 'stale') === false) {
        say('reminded and not stale');
    }
}

function openAndNoticed(after, issue, today, say) {
    const notice = duplicateNotice(after, issue);
    if (notice && !isExempt(issue) && today - dayOf(notice.at) >= duplicateGrace) {
        say(`possible-duplicate ${today - dayOf(notice.at)} days after the notice`);
    }
}

// Only an answer ends a waiting, and only an objection a notice: no bot's word, no command. EVT-32, DUP-07, DUP-14, CMD-17
function endedForNothing(before, was, is, say) {
    if (waits(was) && !waits(is) && !has(is, 'fixed-in-next-release')) {
        if (!answeredSince(before, was, waitsSince(before, was))) {
            say('waits no longer, and nobody answered');
        }
    }
    if (has(was, 'possible-duplicate') && !has(is, 'possible-duplicate')) {
        const notice = duplicateNotice(before, was);
        const original = before.issues.get(notice?.original);
        const kept = notice && (original?.state !== 'open' || original.number === was.number ||
            objectedSince(before, was, notice.at) || thumbsDown(before, was, notice.comment));
        if (!kept) {
            say('no possible duplicate any longer, and nobody objected');
        }
    }
}

// ---- what is written -----------------------------------------------------------------------------

// Never two comments for one step; the day in words is the day of the marker. LIF-33, CMT-17
export function comments(state, issue, say) {
    const seen = new Set();
    for (const comment of own(state, issue)) {
        const line = comment.text.split('\n')[0];
        if (seen.has(line)) {
            say(`two comments for one step: ${line}`);
        }
        seen.add(line);
        const marker = markerOf(state, comment);
        if (marker?.kind === 'reminder' && !comment.text.includes(inWords(marker.closes))) {
            say(`a reminder names another day than ${marker.closes}`);
        }
    }
    const all = reminders(state, issue);
    for (const [i, reminder] of all.entries()) {
        const again = all[i + 1];
        if (again && !begunBetween(state, issue, reminder.at, again.at)) {
            say(`reminded twice in one waiting, on ${dateOf(dayOf(reminder.at))} and ${dateOf(dayOf(again.at))}`);
        }
    }
}

function begunBetween(state, issue, from, to) {
    const within = (at) => at > from && at <= to;
    return (
        issue.timeline.some(
            (e) =>
                within(e.at) &&
                ((e.kind === 'labeled' && same(e.label, 'needs-info')) ||
                    e.kind === 'reopened' ||
                    (e.kind === 'unlabeled' && same(e.label, 'stale'))),
        ) ||
        commentsOf(state, issue).some(
            (c) =>
                within(c.createdAt) &&
                (markerOf(state, c)?.questions === '1' ||
                    (isMaintainer(state, c.author) && isWord(state, issue, c))),
        )
    );
}

// What gives the assistant a reason to set a label (again): after the moment at which a person took it off.
const reasons = {
    'needs-info': (state, issue, at) =>
        posted(state, issue, 'analysis', 'follow-up-reply').some(({ comment, marker }) => comment.createdAt > at && marker.questions === '1') ||
        commandsSince(state, issue, at),
    stale: (state, issue, at) => reminders(state, issue).some((r) => r.at > at),
    'possible-duplicate': (state, issue, at) =>
        posted(state, issue, 'analysis', 'duplicate-notice').some(({ comment, marker }) => comment.createdAt >= at && marker.duplicate !== undefined),
    'needs-triage': (state, issue, at) => posted(state, issue, 'reopened').some(({ comment }) => comment.createdAt > at),
    duplicate: (state, issue, at) => posted(state, issue, 'closed-duplicate').some(({ comment }) => comment.createdAt > at),
    'assistant-muted': (state, issue, at) => commandsSince(state, issue, at),
};
const commandsSince = (state, issue, at) =>
    commentsOf(state, issue).some((c) => c.createdAt > at && c.text.startsWith('/assistant') && !isBot(state, c.author));

// possible-duplicate that a person set, with no notice behind it, is the person's.
function takenFromPeople(state, issue, i, say) {
    const { label } = issue.timeline[i];
    const set = issue.timeline.slice(0, i).filter((e) => e.kind === 'labeled' && same(e.label, label)).at(-1);
    if (!same(label, 'possible-duplicate') || !set || same(set.actor, state.account) || issue.state === 'closed') {
        return;
    }
    if (!reasons['possible-duplicate'](state, issue, set.at) && !commandsSince(state, issue, set.at)) {
        say(`${label}, which ${set.actor} set, is taken off`);
    }
}

// A label that a person took off is not set again without a new reason. FLT-15
export function labelsOfPeople(state, issue, since, say) {
    for (const [i, event] of issue.timeline.entries()) {
        if (event.kind === 'unlabeled' && event.at >= since && same(event.actor, state.account)) {
            takenFromPeople(state, issue, i, say);
        }
        if (event.kind !== 'labeled' || event.at < since || !same(event.actor, state.account)) {
            continue;
        }
        const last = issue.timeline
            .slice(0, i)
            .filter((e) => e.kind === 'unlabeled' && same(e.label, event.label))
            .at(-1);
        const reason = reasons[event.label.toLowerCase()];
        if (last && !same(last.actor, state.account) && reason && !reason(state, issue, last.at)) {
            say(`${event.label}, which ${last.actor} took off, is set again`);
        }
    }
}

// ---- a morning -----------------------------------------------------------------------------------

// Left alone: nothing said, nothing closed, nothing set; stale goes. LIF-18, LIF-23, LIF-24
function exempt(before, after, was, is, say) {
    if (own(after, is).length > own(before, was).length) {
        say('exempt and spoken to');
    }
    if (was.state === 'open' && is.state === 'closed') {
        say('exempt and closed');
    }
    for (const label of is.labels) {
        if (!has(was, label)) {
            say(`exempt and labelled ${label}`);
        }
    }
}

export function afterMorning(before, after) {
    const found = [];
    const today = dayOf(after.now);
    for (const is of issuesOf(after)) {
        const was = before.issues.get(is.number);
        const say = (what) => found.push(`#${is.number} on ${dateOf(today)}: ${what}`);
        const closed = was.state === 'open' && is.state === 'closed';
        const fixed = has(was, 'fixed-in-next-release');
        if (closed && is.stateReason === 'not_planned') {
            closedForSilence(before, was, today, say);
        } else if (closed && is.stateReason === 'duplicate') {
            closedAsDuplicate(before, was, today, say);
        } else if (closed && !fixed) {
            say(`closed as ${is.stateReason}, for no reason`);
        }
        if (closed && !fixed) {
            leftBehind(is, say);
        }
        if (was.locked && own(after, is).length > own(before, was).length) {
            say('locked and spoken to');
        }
        if (isExempt(was) && !fixed) {
            exempt(before, after, was, is, say);
        }
        if (is.state === 'open' && was.state === 'open' && !fixed) {
            endedForNothing(before, was, is, say);
        }
        if (is.state === 'open' && !is.locked && !fixed && waits(is)) {
            openAndWaiting(after, is, today, say);
        }
        if (is.state === 'open' && !is.locked && has(is, 'possible-duplicate')) {
            openAndNoticed(after, is, today, say);
        }
        comments(after, is, say);
        labelsOfPeople(after, is, after.now, say);
    }
    return found;
}

// ---- an event ------------------------------------------------------------------------------------

export function afterEvent(before, after, number, who) {
    const found = [];
    const was = before.issues.get(number);
    const is = after.issues.get(number);
    const say = (what) => found.push(`#${number} at ${new Date(after.now * 1000).toISOString()}: ${what}`);
    for (const other of issuesOf(after)) {
        if (other.number !== number && other.timeline.length !== before.issues.get(other.number).timeline.length) {
            found.push(`#${other.number}: changed by an event of #${number}`);
        }
    }
    const written = own(after, is).length > own(before, was).length || is.timeline.length > was.timeline.length;
    if (isBot(after, who) && written) {
        say('a bot\'s event was answered');
    }
    if (was.state === 'open' && is.state === 'closed') {
        say('closed by an event');
    }
    // The answer ends the waiting at once. LIF-05, EVT-34
    const last = commentsOf(after, is).find((c) => c.id === commentsOf(before, was).at(-1)?.id);
    const answer = last && same(last.author, who) && last.createdAt === before.now && same(who, was.author) && isWord(after, is, last);
    if (answer && is.state === 'open' && (has(is, 'needs-info') || has(is, 'stale'))) {
        say('answered and still waiting');
    }
    comments(after, is, say);
    labelsOfPeople(after, is, after.now, say);
    return found;
}
