// SPDX-License-Identifier: Apache-2.0
//
// What GitHub would send for a change: the payload from the state as it is at that moment. The server
// holds each against its description; see checkDeliveries.

import { checkPayload, webhookNames } from './descriptions.mjs';
import { comment, issue, label, milestone, repository, user } from './render.mjs';
import { commit, pull, release, status } from './render_code.mjs';

export function payload(state, name, action, about) {
    const out = action === '' ? {} : { action };
    const { issue: row } = about;
    if (row && name === 'pull_request') {
        out.number = row.number;
        out.pull_request = pull(state, row);
    } else if (row) {
        out.issue = issue(state, row);
    }
    if (about.comment) {
        out.comment = comment(state, about.comment);
    }
    if (about.label) {
        out.label = label(state, about.label);
    }
    if (about.milestone) {
        out.milestone = milestone(state, about.milestone);
    }
    if (about.assignee) {
        out.assignee = user(state, about.assignee);
    }
    if (about.changes) {
        out.changes = about.changes;
    } else if (action === 'edited') {
        out.changes = {};
    } else if (action === 'transferred') {
        out.changes = { new_issue: issue(state, row), new_repository: repository(state) };
    }
    if (about.release) {
        out.release = release(state, about.release);
    }
    if (about.status) {
        Object.assign(out, statusFields(state, about.status));
    }
    if (about.inputs) {
        out.inputs = about.inputs;
        out.ref = `refs/heads/${state.repository.defaultBranch}`;
        out.workflow = '.github/workflows/issues.yml';
    }
    if (about.schedule) {
        out.schedule = about.schedule;
    }
    out.repository = { ...repository(state), custom_properties: {} };
    if (about.sender) {
        out.sender = user(state, about.sender);
    }
    return out;
}

// A world file need not name an address; a payload has one.
function withAddresses(seen) {
    const fill = (person) => ({ ...person, email: person.email || 'noreply@github.com' });
    const { author, committer } = seen.commit;
    return { ...seen, commit: { ...seen.commit, author: fill(author), committer: fill(committer) } };
}

function statusFields(state, row) {
    const seen = status(state, row);
    return {
        id: row.id,
        sha: row.commit,
        name: state.repository.name,
        target_url: row.targetLink,
        avatar_url: seen.avatar_url,
        context: row.context,
        description: row.description,
        state: row.state,
        commit: withAddresses(commit(state, state.commit(row.commit))),
        branches: [],
        created_at: seen.created_at,
        updated_at: seen.updated_at,
    };
}

// Actions whose payloads nobody here reads are not kept.
export function deliver(state, name, action, about) {
    const described = `${name.replaceAll('_', '-')}${action === '' ? '' : `-${action}`}`;
    if (webhookNames.has(described)) {
        state.deliveries.push({ name, action, described, payload: payload(state, name, action, about) });
    }
}

// Of all payloads that were sent since the last call: what their descriptions do not allow.
export function checkDeliveries(state) {
    const errors = [];
    for (const delivery of state.deliveries.filter((d) => !d.checked)) {
        delivery.checked = true;
        for (const words of checkPayload(delivery.described, delivery.payload)) {
            errors.push(`${delivery.described}: ${words}`);
        }
    }
    return errors;
}
