// SPDX-License-Identifier: Apache-2.0
//
// The one state behind REST and GraphQL: a repository, its people and a clock. Times are seconds
// since 1970, names of people are logins; 'ghost' is somebody who is gone. Every field that a
// description demands and a world file does not know has its default here.

export const GHOST = { login: 'ghost', id: 10137 };

// Facts of github.com that policies may name.
const wellKnown = new Map([
    ['ghost', GHOST.id],
    ['github-actions[bot]', 41898282],
    ['dependabot[bot]', 49699333],
    ['web-flow', 19864447],
]);

// Ids of comments and events are larger than 2^31 on GitHub by now; so are these, and a program that
// keeps one in an int shows it.
const FIRST_ID = 3000000000;
const FIRST_USER_ID = 100001;
const REPOSITORY_ID = 512345678;
const ISSUE_ID_BASE = 2600000000;

export class Problem extends Error {
    constructor(status, message, more = {}) {
        super(message);
        this.status = status;
        this.more = more;
    }
}

export const notFound = (message = 'Not Found') => new Problem(404, message);

// GitHub's way of saying what is wrong with a request.
export const invalid = (resource, field, code, message) =>
    new Problem(422, 'Validation Failed', {
        errors: [{ resource, field, code, ...(message ? { message } : {}) }],
    });

const same = (a, b) => a.toLowerCase() === b.toLowerCase();

export class State {
    constructor({ repository = 'octo/widgets', account = 'github-actions[bot]', now = 0 } = {}) {
        this.now = now;
        this.account = account;
        this.repository = {
            id: REPOSITORY_ID,
            name: repository,
            public: true,
            defaultBranch: 'main',
            description: null,
            createdAt: 1262304000, // 2010
            discussions: true,
            formerNames: [],
        };
        this.others = new Map(); // repositories of which only this is known: name -> public
        this.users = new Map();
        this.labels = [];
        this.milestones = [];
        this.issues = new Map(); // pull requests too
        this.gone = new Map(); // number -> 'deleted', or the address of where it went
        this.comments = new Map();
        this.commits = new Map();
        this.statuses = [];
        this.releases = [];
        this.discussions = new Map();
        this.alerts = new Map();
        this.runs = [];
        this.jobs = [];
        this.variables = [];
        this.secrets = [];
        this.files = [];
        this.closesAtMerge = true;
        this.lastId = FIRST_ID;
        this.lastLabelId = 7000000000;
        this.deliveries = []; // what GitHub would send
        this.user(account);
    }

    nextId() {
        this.lastId += 1;
        return this.lastId;
    }

    nextNumber() {
        return Math.max(0, ...this.issues.keys(), ...this.discussions.keys(), ...this.gone.keys()) + 1;
    }

    // ---- people

    findUser(login) {
        return this.users.get(login.toLowerCase());
    }

    user(login) {
        const known = this.findUser(login);
        if (known) {
            return known;
        }
        const user = {
            login,
            id: wellKnown.get(login.toLowerCase()) ?? FIRST_USER_ID + this.users.size,
            kind: login.endsWith('[bot]') ? 'bot' : 'person',
            association: 'nobody',
            permission: null, // follows from the association until somebody says it
        };
        this.users.set(login.toLowerCase(), user);
        return user;
    }

    permission(login) {
        const user = this.findUser(login);
        if (user?.permission) {
            return user.permission;
        }
        switch (user?.association) {
            case 'owner':
                return 'admin';
            case 'member':
            case 'collaborator':
                return 'write';
            default:
                return this.repository.public ? 'read' : 'no_access';
        }
    }

    // ---- things by name

    isRepository(name) {
        return same(name, this.repository.name);
    }

    issue(number) {
        const issue = this.issues.get(number);
        if (issue) {
            return issue;
        }
        const gone = this.gone.get(number);
        if (gone === 'deleted') {
            throw new Problem(410, 'This issue was deleted');
        }
        if (gone !== undefined) {
            throw new Problem(301, 'Moved Permanently', { location: gone });
        }
        throw notFound();
    }

    pull(number) {
        const issue = this.issues.get(number);
        if (!issue?.pull) {
            throw notFound();
        }
        return issue;
    }

    comment(id) {
        const comment = this.comments.get(id);
        if (!comment) {
            throw notFound();
        }
        return comment;
    }

    findLabel(name) {
        return this.labels.find((label) => same(label.name, name));
    }

    label(name) {
        const label = this.findLabel(name);
        if (!label) {
            throw notFound();
        }
        return label;
    }

    addLabel(name, color = 'ededed', description = null, isDefault = false) {
        this.lastLabelId += 1;
        const label = { id: this.lastLabelId, name, color, description, isDefault };
        this.labels.push(label);
        return label;
    }

    milestone(number) {
        const milestone = this.milestones.find((m) => m.number === number);
        if (!milestone) {
            throw notFound();
        }
        return milestone;
    }

    addMilestone(title, { state = 'open', description = null, number } = {}) {
        const next = Math.max(0, ...this.milestones.map((m) => m.number)) + 1;
        const milestone = {
            number: number ?? next,
            id: 9000000 + (number ?? next),
            title,
            description,
            state,
            creator: this.account,
            createdAt: this.now,
            updatedAt: this.now,
            closedAt: state === 'closed' ? this.now : null,
            dueOn: null,
        };
        this.milestones.push(milestone);
        return milestone;
    }

    issueId(number) {
        return ISSUE_ID_BASE + number;
    }

    addIssue(number, fields = {}) {
        const createdAt = fields.createdAt ?? this.now;
        const issue = {
            number,
            title: '',
            text: '',
            author: GHOST.login,
            createdAt,
            updatedAt: createdAt,
            closedAt: null,
            closedBy: null,
            state: 'open',
            stateReason: null,
            labels: [],
            assignees: [],
            locked: false,
            lockReason: null,
            milestone: null, // its number
            duplicateOf: null,
            comments: [],
            timeline: [],
            edits: [],
            reactions: [],
            thumbsUp: 0, // beside those of `reactions`
            pull: null,
            ...fields,
        };
        this.issues.set(number, issue);
        return issue;
    }

    addPull(number, fields = {}, pull = {}) {
        const issue = this.addIssue(number, fields);
        issue.pull = {
            base: this.repository.defaultBranch,
            headBranch: `branch-${number}`,
            head: null, // the id of a commit
            headRepository: this.repository.name, // null: deleted
            draft: false,
            mergedAt: null,
            mergedBy: null,
            mergeCommit: null,
            closes: [], // numbers of this repository
            commits: [], // ids
            files: [],
            ...pull,
        };
        return issue;
    }

    addComment(issue, fields) {
        const comment = {
            id: fields.id ?? this.nextId(),
            issue: issue.number,
            author: GHOST.login,
            text: '',
            createdAt: this.now,
            updatedAt: fields.updatedAt ?? fields.createdAt ?? this.now,
            reactions: [],
            thumbsUp: 0,
            thumbsDown: 0,
            ...fields,
        };
        comment.id = fields.id ?? comment.id;
        this.lastId = Math.max(this.lastId, comment.id);
        this.comments.set(comment.id, comment);
        const later = issue.comments.findIndex((id) => {
            const other = this.comments.get(id);
            return other.createdAt > comment.createdAt;
        });
        issue.comments.splice(later < 0 ? issue.comments.length : later, 0, comment.id);
        return comment;
    }

    commit(sha) {
        if (!this.commits.has(sha)) {
            this.commits.set(sha, {
                sha,
                author: null,
                committer: null,
                authorName: '',
                authorEmail: '',
                committerName: '',
                committerEmail: '',
                message: '',
                committedAt: 0,
                madeAt: 0,
                parents: [],
            });
        }
        return this.commits.get(sha);
    }

    addRelease(fields) {
        const release = {
            id: this.nextId(),
            tag: '',
            name: null,
            body: null,
            draft: false,
            prerelease: false,
            author: this.account,
            createdAt: fields.publishedAt ?? this.now,
            publishedAt: null,
            commit: null,
            ...fields,
        };
        this.releases.push(release);
        return release;
    }

    latestRelease() {
        const final = this.releases.filter((r) => !r.draft && !r.prerelease);
        return final.sort((a, b) => a.publishedAt - b.publishedAt).at(-1) ?? null;
    }

    addDiscussion(number, fields = {}) {
        const createdAt = fields.createdAt ?? this.now;
        const discussion = {
            number,
            title: '',
            text: '',
            author: GHOST.login,
            category: 'General',
            answered: false,
            createdAt,
            updatedAt: createdAt,
            ...fields,
        };
        this.discussions.set(number, discussion);
        return discussion;
    }

    addAlert(number, fields = {}) {
        const alert = {
            number,
            tool: 'CodeQL',
            rule: '',
            path: '',
            state: 'open',
            createdAt: this.now,
            dismissedAt: null,
            dismissedBy: null,
            dismissedReason: null,
            dismissedComment: null,
            ...fields,
        };
        this.alerts.set(number, alert);
        return alert;
    }

    // All issues and pull requests that say they close an issue.
    closingPulls(number) {
        return [...this.issues.values()]
            .filter((issue) => issue.pull?.closes.includes(number))
            .sort((a, b) => a.number - b.number);
    }
}

export { same };
