// SPDX-License-Identifier: Apache-2.0
// Sets of rules from a seed, with what is true of them: which conditions no event satisfies, which
// rules want opposite things on some event, which do nothing that another does not do. The truth
// comes from the sets of values that each atom allows and knows nothing of the compiler.

export function random(seed) {
  let state = (seed * 2654435761 + 1) >>> 0;
  const next = () => {
    state ^= state << 13; state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5; state >>>= 0;
    return state / 4294967296;
  };
  return {
    below: (n) => Math.floor(next() * n),
    chance: (p) => next() < p,
    pick: (list) => list[Math.floor(next() * list.length)],
  };
}

const events = ['issues.unlocked', 'issues.edited', 'issues.reopened', 'issues.assigned', 'issues.locked', 'issues.pinned'];
const associations = ['owner', 'member', 'collaborator', 'contributor', 'first_timer', 'nobody'];
const words = ['crash', 'docs', 'slow', 'wish', 'typo', 'build'];
const logins = Array.from({ length: 12 }, (_, i) => `user${i}`);

// ---- atoms: { words: as a policy says it, smt, facts: variable -> allowed values } --------------------
// Values: enumerations and logins are sets (a login may be any other: '*'), labels and words of the
// title are true or false, numbers are intervals.

const full = {
  state: () => ({ set: new Set(['open', 'closed']) }),
  association: () => ({ set: new Set(associations) }),
  login: () => ({ set: new Set([...logins, '*']) }),
  locked: () => ({ set: new Set([true, false]) }),
  thumbs: () => ({ lo: 0, hi: 1000000 }),
  age: () => ({ lo: 0, hi: 1000000 }), // days since it was opened
};
const whole = (name) => (full[name] ?? (() => ({ set: new Set([true, false]) })))();

function meet(a, b) {
  if (a.set) return { set: new Set([...a.set].filter((v) => b.set.has(v))) };
  return { lo: Math.max(a.lo, b.lo), hi: Math.min(a.hi, b.hi) };
}
const isEmpty = (a) => (a.set ? a.set.size === 0 : a.lo > a.hi);

function set(variable, values, text, smt) {
  return { variable, allowed: [{ set: new Set(values) }], text, smt };
}
function range(variable, parts, text, smt) {
  return { variable, allowed: parts, text, smt };
}

export function atom(r, labels) {
  const kind = r.below(9);
  if (kind === 0) {
    const state = r.pick(['open', 'closed']);
    const not = r.chance(0.3);
    const is = not ? (state === 'open' ? 'closed' : 'open') : state;
    return set('state', [is], `issue.state ${not ? '!=' : '=='} ${state}`, `(= state ${is === 'open' ? 0 : 1})`);
  }
  if (kind === 1) {
    const some = associations.filter(() => r.chance(0.4));
    if (some.length === 0 || some.length === associations.length) some.splice(0, some.length, r.pick(associations));
    const text = some.length === 1 ? `issue.author.association == ${some[0]}` : `issue.author.association in [${some.join(', ')}]`;
    return set('association', some, text, `(or ${some.map((s) => `(= association ${associations.indexOf(s)})`).join(' ')})`);
  }
  if (kind === 2 || kind === 3) {
    const login = r.pick(logins);
    const not = r.chance(0.15);
    const values = not ? [...logins, '*'].filter((l) => l !== login) : [login];
    const smt = `(= login "${login}")`;
    return set('login', values, `issue.author.login ${not ? '!=' : '=='} "${login}"`, not ? `(not ${smt})` : smt);
  }
  if (kind === 4 || kind === 5) {
    const label = r.pick(labels);
    const has = r.chance(0.6);
    return set(`has ${label}`, [has], `issue ${has ? 'has' : 'lacks'} ${label}`, has ? `has_${label}` : `(not has_${label})`);
  }
  if (kind === 6) {
    const word = r.pick(words);
    const not = r.chance(0.2);
    const smt = `(str.contains title "${word}")`;
    return set(`title ${word}`, [!not], not ? `not (issue.title contains "${word}")` : `issue.title contains "${word}"`, not ? `(not ${smt})` : smt);
  }
  if (kind === 7) {
    const n = r.below(40);
    const op = r.pick(['<', '<=', '>', '>=', '==', '!=']);
    const parts = { '<': [{ lo: 0, hi: n - 1 }], '<=': [{ lo: 0, hi: n }], '>': [{ lo: n + 1, hi: 1000000 }],
      '>=': [{ lo: n, hi: 1000000 }], '==': [{ lo: n, hi: n }],
      '!=': [{ lo: 0, hi: n - 1 }, { lo: n + 1, hi: 1000000 }] }[op];
    const smt = op === '!=' ? `(not (= thumbs ${n}))` : `(${op === '==' ? '=' : op} thumbs ${n})`;
    return range('thumbs', parts.filter((p) => p.lo <= p.hi), `issue.thumbs_up ${op} ${n}`, smt);
  }
  const days = 1 + r.below(40);
  if (r.chance(0.5)) {
    return range('age', [{ lo: days + 1, hi: 1000000 }], `now - issue.created_at >= ${days + 1} days`, `(>= age ${days + 1})`);
  }
  return range('age', [{ lo: 0, hi: days }], `issue.created_at + ${days} days >= now`, `(<= age ${days})`);
}

// ---- conditions as disjunctions of conjunctions of allowed values --------------------------------------

const always = [new Map()];

function both(a, b) {
  const out = [];
  for (const one of a) {
    for (const other of b) {
      const joined = new Map(one);
      let empty = false;
      for (const [name, value] of other) {
        const now = joined.has(name) ? meet(joined.get(name), value) : value;
        if (isEmpty(now)) { empty = true; break; }
        joined.set(name, now);
      }
      if (!empty) out.push(joined);
    }
  }
  return out;
}
const ofAtom = (a) => a.allowed.map((value) => new Map([[a.variable, value]]));

function complement(name, value) {
  if (value.set) {
    const rest = [...whole(name).set].filter((v) => !value.set.has(v));
    return rest.length > 0 ? [new Map([[name, { set: new Set(rest) }]])] : [];
  }
  const all = whole(name);
  return [{ lo: all.lo, hi: value.lo - 1 }, { lo: value.hi + 1, hi: all.hi }]
    .filter((p) => p.lo <= p.hi).map((p) => new Map([[name, p]]));
}
// Everything that the disjunction leaves out.
function not(a) {
  let out = always;
  for (const conjunction of a) {
    const some = [];
    for (const [name, value] of conjunction) some.push(...complement(name, value));
    out = both(out, some);
  }
  return out;
}

const dnf = (rule) => {
  let out = always;
  for (const part of rule.parts) {
    const some = part.flatMap((a) => ofAtom(a));
    out = both(out, some);
  }
  return out;
};

// ---- rules --------------------------------------------------------------------------------------------------

const text = (rule) =>
  rule.parts.map((part) => (part.length === 1 ? part[0].text : `(${part.map((a) => a.text).join(' or ')})`)).join(' and ');
export const smt = (rule) =>
  `(and (or ${rule.events.map((e) => `(= event ${events.indexOf(e)})`).join(' ')}) ${rule.parts
    .map((part) => `(or ${part.map((a) => a.smt).join(' ')})`).join(' ')})`;

function newRule(r, labels, atoms) {
  const parts = [];
  const count = 1 + r.below(3);
  for (let i = 0; i < count; i++) {
    parts.push(r.chance(0.2) ? [atoms(), atoms()] : [atoms()]);
  }
  const start = r.below(events.length);
  return {
    events: events.slice(start, start + 1 + r.below(2)),
    parts,
    adds: r.chance(0.75),
    label: r.pick(labels),
  };
}

/* Copies with other words, or with more conditions; contradictions; opposites. */
function plant(r, rules, labels, atoms) {
  const rule = r.pick(rules);
  const copy = { ...rule, parts: rule.parts.map((p) => [...p]), events: [...rule.events] };
  const kind = r.below(4);
  if (kind === 0) copy.parts.reverse();
  else if (kind === 1) copy.parts.push([atoms()]);
  else if (kind === 2) copy.adds = !copy.adds;
  else copy.parts.push([atoms()], [atoms()], [atoms()]);
  return copy;
}

export function ruleSet(seed, count, atoms = (r, labels) => atom(r, labels)) {
  const r = random(seed);
  const labelCount = Math.max(4, Math.floor(count / 5));
  const labels = Array.from({ length: labelCount }, (_, i) => `label${i}`);
  const rules = [];
  for (let i = 0; i < count; i++) {
    rules.push(i > 10 && r.chance(0.1) ? plant(r, rules, labels, () => atoms(r, labels)) : newRule(r, labels, () => atoms(r, labels)));
  }
  rules.forEach((rule, i) => { rule.name = `rule${i}`; });
  const policy = [
    'job event { may write issues; runs rules }',
    ...labels.map((l) => `label ${l} "${l}" { color "cccccc" }`),
    ...rules.map((rule) =>
      `rule ${rule.name} { on ${rule.events.join(', ')}; when ${text(rule)}; ${rule.adds ? 'add' : 'remove'} label ${rule.label} }`),
    '',
  ].join('\n');
  return { labels, rules, policy, firstLine: 2 + labels.length };
}

// ---- the truth ------------------------------------------------------------------------------------------------

const sharesEvent = (a, b) => a.events.some((e) => b.events.includes(e));
const pair = (a, b) => [a.name, b.name].sort().join(' ');

/* What lint must find: names of rules that never apply, pairs that conflict, and rules of which
 * another does everything (with all those others). */
export function truth(rules) {
  for (const rule of rules) rule.dnf = dnf(rule);
  const never = rules.filter((rule) => rule.dnf.length === 0).map((rule) => rule.name);
  const conflicts = [];
  const covered = new Map();
  const byLabel = new Map();
  for (const rule of rules) {
    if (rule.dnf.length === 0) continue;
    if (!byLabel.has(rule.label)) byLabel.set(rule.label, []);
    byLabel.get(rule.label).push(rule);
  }
  for (const group of byLabel.values()) {
    for (const a of group) {
      for (const b of group) {
        if (a === b) continue;
        if (a.adds !== b.adds) {
          if (a.name < b.name && sharesEvent(a, b) && both(a.dnf, b.dnf).length > 0) conflicts.push(pair(a, b));
          continue;
        }
        if (!a.events.every((e) => b.events.includes(e)) || both(a.dnf, not(b.dnf)).length > 0) continue;
        if (!covered.has(a.name)) covered.set(a.name, new Set());
        covered.get(a.name).add(b.name);
      }
    }
  }
  return { never, conflicts, covered };
}

export const smtPrelude = (labels) => [
  '(set-option :print-success false)',
  '(declare-const event Int)', '(declare-const state Int)', '(declare-const association Int)', '(declare-const login String)',
  '(declare-const title String)', '(declare-const thumbs Int)', '(declare-const age Int)',
  '(assert (and (>= event 0) (<= event 5) (>= state 0) (<= state 1) (>= association 0) (<= association 5) (>= thumbs 0) (>= age 0)))',
  ...labels.map((l) => `(declare-const has_${l} Bool)`),
].join('\n');
