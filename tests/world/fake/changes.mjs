// SPDX-License-Identifier: Apache-2.0
//
// What changes in the repository, whoever does it, with what GitHub does beside it: the event in the
// timeline, the times, the payload that is sent. GitHub leaves no event for what is so already.

import { invalid, Problem, same } from './state.mjs';
import { deliver } from './webhooks.mjs';

const COMMENT_CHARS = 65536;
const LABEL_NAME_CHARS = 50;
const LABEL_DESCRIPTION_CHARS = 100;
const LABELS_PER_ISSUE = 100;
const STATUS_DESCRIPTION_CHARS = 140;

const characters = (text) => [...text].length;

function touch(state, issue, at) {
    issue.updatedAt = Math.max(issue.updatedAt, at);
}

function event(state, issue, kind, actor, at, more = {}) {
    state.user(actor);
    touch(state, issue, at);
    const row = { id: state.nextId(), kind, actor, at, label: null, ...more };
    const later = issue.timeline.findIndex((other) => other.at > at);
    issue.timeline.splice(later < 0 ? issue.timeline.length : later, 0, row);
    return row;
}

const eventName = (issue) => (issue.pull ? 'pull_request' : 'issues');

// ---- labels ------------------------------------------------------------------------------------

export function checkLabel(state, { name, color, description }, but = null) {
    if (name !== undefined) {
        if (name.trim() === '') {
            throw invalid('Label', 'name', 'missing_field');
        }
        if (characters(name) > LABEL_NAME_CHARS) {
            throw invalid('Label', 'name', 'custom', 'name is too long (maximum is 50 characters)');
        }
        const other = state.findLabel(name);
        if (other && other !== but) {
            throw invalid('Label', 'name', 'already_exists');
        }
    }
    if (color !== undefined && !/^[0-9a-fA-F]{6}$/.test(color)) {
        throw invalid('Label', 'color', 'invalid');
    }
    if (description && characters(description) > LABEL_DESCRIPTION_CHARS) {
        throw invalid(
            'Label', 'description', 'custom', 'description is too long (maximum is 100 characters)',
        );
    }
}

export function addLabel(state, issue, actor, wanted, at = state.now) {
    const { name, rationale, confidence } = typeof wanted === 'string' ? { name: wanted } : wanted;
    if (issue.labels.some((label) => same(label, name))) {
        return false;
    }
    if (!state.findLabel(name)) {
        checkLabel(state, { name });
        state.addLabel(name);
    }
    if (issue.labels.length >= LABELS_PER_ISSUE) {
        throw invalid('Label', 'labels', 'custom', 'an issue has at most 100 labels');
    }
    const label = state.findLabel(name);
    issue.labels.push(label.name);
    const intent = rationale || confidence ? { rationale: rationale ?? null, confidence } : null;
    event(state, issue, 'labeled', actor, at, { label: label.name, intent });
    deliver(state, eventName(issue), 'labeled', { issue, label, sender: actor });
    return true;
}

export function removeLabel(state, issue, actor, name, at = state.now) {
    const index = issue.labels.findIndex((label) => same(label, name));
    if (index < 0) {
        return false;
    }
    const [removed] = issue.labels.splice(index, 1);
    event(state, issue, 'unlabeled', actor, at, { label: removed });
    const label = state.findLabel(removed);
    deliver(state, eventName(issue), 'unlabeled', { issue, label, sender: actor });
    return true;
}

export function setLabels(state, issue, actor, wanted, at = state.now) {
    const names = wanted.map((label) => (typeof label === 'string' ? label : label.name));
    for (const old of [...issue.labels]) {
        if (!names.some((name) => same(name, old))) {
            removeLabel(state, issue, actor, old, at);
        }
    }
    for (const label of wanted) {
        addLabel(state, issue, actor, label, at);
    }
}

// A label of the repository that is renamed keeps its issues.
export function renameLabel(state, label, name) {
    for (const issue of state.issues.values()) {
        issue.labels = issue.labels.map((other) => (other === label.name ? name : other));
    }
    label.name = name;
}

export function deleteLabel(state, label) {
    state.labels = state.labels.filter((other) => other !== label);
    for (const issue of state.issues.values()) {
        issue.labels = issue.labels.filter((name) => name !== label.name);
    }
}

// ---- state -------------------------------------------------------------------------------------

// GitHub ignores the reason for an issue whose state does not change.
export function close(state, issue, actor, { reason = 'completed', duplicateOf = null } = {}, at = state.now) {
    if (issue.state === 'closed') {
        return false;
    }
    issue.state = 'closed';
    issue.stateReason = issue.pull ? null : reason;
    issue.closedAt = at;
    issue.closedBy = actor;
    issue.duplicateOf = reason === 'duplicate' ? duplicateOf : null;
    event(state, issue, 'closed', actor, at, { reason: issue.stateReason, duplicateOf });
    deliver(state, eventName(issue), 'closed', { issue, sender: actor });
    return true;
}

export function reopen(state, issue, actor, at = state.now) {
    if (issue.state === 'open') {
        return false;
    }
    if (issue.pull?.mergedAt) {
        throw invalid('PullRequest', 'state', 'invalid', 'a merged pull request stays closed');
    }
    issue.state = 'open';
    issue.stateReason = issue.pull ? null : 'reopened';
    issue.closedAt = null;
    issue.closedBy = null;
    issue.duplicateOf = null;
    event(state, issue, 'reopened', actor, at, { reason: issue.stateReason });
    deliver(state, eventName(issue), 'reopened', { issue, sender: actor });
    return true;
}

export function lock(state, issue, actor, reason = null, at = state.now) {
    const before = issue.locked;
    issue.locked = true;
    issue.lockReason = reason;
    if (before) {
        return false;
    }
    event(state, issue, 'locked', actor, at, { lockReason: reason });
    deliver(state, eventName(issue), 'locked', { issue, sender: actor });
    return true;
}

export function unlock(state, issue, actor, at = state.now) {
    if (!issue.locked) {
        return false;
    }
    issue.locked = false;
    issue.lockReason = null;
    event(state, issue, 'unlocked', actor, at);
    deliver(state, eventName(issue), 'unlocked', { issue, sender: actor });
    return true;
}

// The event of an assignment names who was assigned as its actor, and who did it as `assigner`.
export function assign(state, issue, actor, login, at = state.now) {
    const user = state.user(login);
    if (issue.assignees.some((name) => same(name, login))) {
        return false;
    }
    issue.assignees.push(user.login);
    event(state, issue, 'assigned', actor, at, { assignee: user.login });
    deliver(state, eventName(issue), 'assigned', { issue, assignee: user.login, sender: actor });
    return true;
}

export function unassign(state, issue, actor, login, at = state.now) {
    const index = issue.assignees.findIndex((name) => same(name, login));
    if (index < 0) {
        return false;
    }
    const [removed] = issue.assignees.splice(index, 1);
    event(state, issue, 'unassigned', actor, at, { assignee: removed });
    deliver(state, eventName(issue), 'unassigned', { issue, assignee: removed, sender: actor });
    return true;
}

// `number` of a milestone, or null.
export function setMilestone(state, issue, actor, number, at = state.now) {
    if (issue.milestone === number) {
        return false;
    }
    const next = number === null ? null : state.milestones.find((m) => m.number === number);
    if (next === undefined) {
        throw invalid('Issue', 'milestone', 'invalid');
    }
    if (issue.milestone !== null) {
        const old = state.milestone(issue.milestone);
        issue.milestone = null;
        event(state, issue, 'demilestoned', actor, at, { milestone: old.title });
        deliver(state, eventName(issue), 'demilestoned', { issue, milestone: old, sender: actor });
    }
    if (next !== null) {
        issue.milestone = next.number;
        event(state, issue, 'milestoned', actor, at, { milestone: next.title });
        deliver(state, eventName(issue), 'milestoned', { issue, milestone: next, sender: actor });
    }
    return true;
}

export function retitle(state, issue, actor, title, at = state.now) {
    if (issue.title === title) {
        return false;
    }
    const from = issue.title;
    issue.title = title;
    event(state, issue, 'renamed', actor, at, { rename: { from, to: title } });
    deliver(state, eventName(issue), 'edited', { issue, changes: { title: { from } }, sender: actor });
    return true;
}

export function editText(state, issue, actor, text, at = state.now) {
    if (issue.text === text) {
        return false;
    }
    const from = issue.text;
    issue.text = text;
    issue.edits.push({ id: state.nextId(), editor: state.user(actor).login, at });
    issue.edits.sort((a, b) => a.at - b.at);
    touch(state, issue, at);
    deliver(state, eventName(issue), 'edited', { issue, changes: { body: { from } }, sender: actor });
    return true;
}

export function open(state, actor, { number = state.nextNumber(), title, text = '', at = state.now }) {
    const issue = state.addIssue(number, {
        title,
        text,
        author: state.user(actor).login,
        createdAt: at,
    });
    deliver(state, 'issues', 'opened', { issue, sender: actor });
    return issue;
}

export function removeIssue(state, issue, actor, where = 'deleted') {
    const name = where === 'deleted' ? 'deleted' : 'transferred';
    deliver(state, 'issues', name, { issue, sender: actor });
    for (const id of issue.comments) {
        state.comments.delete(id);
    }
    state.issues.delete(issue.number);
    state.gone.set(issue.number, where);
}

// ---- comments and reactions --------------------------------------------------------------------

function checkText(resource, text) {
    if (text.trim() === '') {
        throw invalid(resource, 'body', 'missing_field', 'Body can\'t be blank');
    }
    if (characters(text) > COMMENT_CHARS) {
        throw invalid(resource, 'body', 'custom', 'body is too long (maximum is 65536 characters)');
    }
}

const mayWrite = (state, login) =>
    same(login, state.account) || ['admin', 'maintain', 'write'].includes(state.permission(login));

export function comment(state, issue, actor, text, at = state.now) {
    checkText('IssueComment', text);
    if (issue.locked && !mayWrite(state, actor)) {
        throw new Problem(403, 'Unable to create comment because issue is locked.');
    }
    const row = state.addComment(issue, {
        author: state.user(actor).login,
        text,
        createdAt: at,
        updatedAt: at,
    });
    touch(state, issue, at);
    deliver(state, 'issue_comment', 'created', { issue, comment: row, sender: actor });
    return row;
}

export function editComment(state, row, actor, text, at = state.now) {
    checkText('IssueComment', text);
    const from = row.text;
    if (from === text) {
        return false;
    }
    const issue = state.issues.get(row.issue);
    row.text = text;
    row.updatedAt = Math.max(row.updatedAt, at);
    touch(state, issue, at);
    deliver(state, 'issue_comment', 'edited', {
        issue, comment: row, changes: { body: { from } }, sender: actor,
    });
    return true;
}

export function deleteComment(state, row, actor, at = state.now) {
    const issue = state.issues.get(row.issue);
    deliver(state, 'issue_comment', 'deleted', { issue, comment: row, sender: actor });
    issue.comments = issue.comments.filter((id) => id !== row.id);
    state.comments.delete(row.id);
    touch(state, issue, at);
}

// On an issue or a comment. GitHub sends nothing. {reaction, isNew}
export function react(state, holder, actor, kind, at = state.now) {
    const user = state.user(actor).login;
    const old = holder.reactions.find((r) => r.kind === kind && same(r.user, user));
    if (old) {
        return { reaction: old, isNew: false };
    }
    const reaction = { id: state.nextId(), user, kind, at };
    holder.reactions.push(reaction);
    holder.reactions.sort((a, b) => a.at - b.at);
    return { reaction, isNew: true };
}

// ---- code --------------------------------------------------------------------------------------

export function setStatus(state, actor, sha, { context = 'default', state: word, description, target_url }, at = state.now) {
    if (description && characters(description) > STATUS_DESCRIPTION_CHARS) {
        throw invalid(
            'Status', 'description', 'custom', 'description is too long (maximum is 140 characters)',
        );
    }
    const status = {
        id: state.nextId(),
        context,
        state: word,
        creator: state.user(actor).login,
        commit: sha,
        createdAt: at,
        targetLink: target_url || null,
        description: description ?? null,
    };
    state.statuses.push(status);
    deliver(state, 'status', '', { status, sender: actor });
    return status;
}

export function openPull(state, actor, { number = state.nextNumber(), title, text = '', at = state.now, ...pull }) {
    const issue = state.addPull(
        number, { title, text, author: state.user(actor).login, createdAt: at }, pull,
    );
    for (const sha of [issue.pull.head, ...issue.pull.commits].filter(Boolean)) {
        state.commit(sha);
    }
    deliver(state, 'pull_request', 'opened', { issue, sender: actor });
    return issue;
}

export function merge(state, issue, actor, sha, at = state.now) {
    if (issue.state === 'closed') {
        throw new Problem(405, 'Pull Request is not mergeable');
    }
    const { pull } = issue;
    state.commit(sha);
    Object.assign(pull, { mergedAt: at, mergedBy: state.user(actor).login, mergeCommit: sha });
    close(state, issue, actor, {}, at);
    if (state.closesAtMerge && pull.base === state.repository.defaultBranch) {
        for (const number of pull.closes) {
            const closed = state.issues.get(number);
            if (closed?.state === 'open') {
                close(state, closed, actor, {}, at);
            }
        }
    }
}

export function publish(state, actor, { tag, draft = false, prerelease = false, commit = null, at = state.now }) {
    if (state.releases.some((release) => release.tag === tag)) {
        throw invalid('Release', 'tag_name', 'already_exists');
    }
    const release = state.addRelease({
        tag, draft, prerelease, commit, author: state.user(actor).login, createdAt: at,
        publishedAt: draft ? null : at,
    });
    deliver(state, 'release', draft ? 'created' : 'published', { release, sender: actor });
    return release;
}
