// SPDX-License-Identifier: Apache-2.0
// A policy from a seed: sound rules, rules and declarations with one planted fault each, and sound ones that
// look much like those. What is wrong with a line is known because it was made so: the truth stands beside
// the lines as they are made, and knows nothing of the compiler.
import { random } from './rule_sets.mjs';

const associations = ['owner', 'member', 'collaborator', 'contributor', 'first_timer', 'nobody'];
const words = ['crash', 'docs', 'slow', 'wish', 'typo', 'build'];
// On issues.opened `now` is when the issue was opened, so that its age says nothing there.
const events = ['issues.edited', 'issues.reopened', 'issues.assigned', 'issues.locked', 'issues.pinned'];

// A unit is a group of lines that shares no name, label or person with any other: nothing in one unit can
// touch another. `$` in a line is the number of the unit, `¶` a `$` of a pattern. Lines with a fault are [text, code, …].
// Rules ask for the unit's own person first, so that no rule of another unit applies with them.
const who = 'issue.author.login == "user$"';
const label = 'label label$ "label$" { color "cccccc" }';
const rule = (when, effects = 'add label label$', on = 'issues.reopened', name = 'rule$') =>
  `rule ${name} { on ${on}; when ${who}${when ? ` and ${when}` : ''}; ${effects} }`;

// ---- pairs of conditions: what holds between the two ------------------------------------------------------------

function apart(r, person = false) { // never both; `person`: also what the rule's own person excludes
  const n = 3 + r.below(30);
  const [a, b] = associations.slice(r.below(3)).slice(0, 2);
  const word = r.pick(words);
  return r.pick([
    ['issue has label$', 'issue lacks label$'],
    [`issue.thumbs_up > ${n}`, `issue.thumbs_up < ${n - r.below(3)}`],
    [`issue.thumbs_up >= ${n}`, `issue.thumbs_up == ${n - 1}`],
    ['issue.state == open', 'issue.state == closed'],
    [`issue.author.association == ${a}`, `issue.author.association == ${b}`],
    [`issue.author.association == ${a}`, `issue.author.association in [${associations.filter((x) => x !== a).slice(0, 2).join(', ')}]`],
    [`issue.title contains "${word}"`, `not (issue.title contains "${word}")`],
    [`issue.created_at < now - ${n + 5} days`, `issue.created_at > now - ${n} days`],
    ['issue.locked', 'not issue.locked'],
    ['issue.closed_at is set', 'issue.closed_at is absent'],
    ...(person ? [['issue.author.login == "other$"', 'issue.thumbs_up > 0']] : []),
  ]);
}

function within(r) { // the first is never without the second
  const n = 3 + r.below(30);
  const [a, b] = associations.slice(r.below(3)).slice(0, 2);
  const word = r.pick(words);
  return r.pick([
    [`issue.thumbs_up > ${n}`, `issue.thumbs_up > ${n - 1 - r.below(3)}`],
    [`issue.thumbs_up == ${n}`, `issue.thumbs_up >= ${n}`],
    ['issue.state == open', 'issue.state != closed'],
    [`issue.author.association == ${a}`, `issue.author.association in [${a}, ${b}]`],
    [`issue.title contains "${word}s"`, `issue.title contains "${word}"`],
    [`issue.title starts_with "${word}"`, `issue.title contains "${word}"`],
    [`issue.created_at < now - ${n + 5} days`, `issue.created_at < now - ${n} days`],
    ['issue has label$', 'issue has label$'],
    ['not (issue has label$)', 'issue lacks label$'],
  ]);
}

function crossing(r, neither = false) { // each with and without the other; `neither`: both may be false, too
  const n = 3 + r.below(30);
  const [a, b] = associations.slice(r.below(3)).slice(0, 2);
  const [one, two] = [words[r.below(3)], words[3 + r.below(3)]];
  const covering = neither ? [] : [
    [`issue.thumbs_up > ${n}`, `issue.thumbs_up < ${n + 2 + r.below(5)}`],
    [`issue.created_at < now - ${n} days`, `issue.created_at > now - ${n + 5} days`],
    [`issue.author.association in [${a}, ${b}]`, `issue.author.association != ${b}`],
  ];
  return r.pick([
    ...covering,
    [`issue.author.association in [${a}, ${b}]`, `issue.author.association in [${b}, nobody]`],
    [`issue.title contains "${one}"`, `issue.title contains "${two}"`],
    ['issue has label$', 'issue.locked'],
    ['issue.closed_at is set', 'issue.locked'],
    [`issue.title contains "${one}"`, `issue.thumbs_up != ${n}`],
  ]);
}

// ---- units ------------------------------------------------------------------------------------------------------
// Of each kind a faulty one and its sound neighbour.

const unused = (code, declaration, use, effects) => ({
  faulty: () => [[declaration, code], label, rule('')],
  sound: () => [declaration, label, rule(use, effects)],
});

const kinds = {
  sound_rule: {
    sound: (r) => {
      const [a, b] = crossing(r, true);
      return [label, rule(r.pick([a, `${a} and ${b}`, `(${a} or ${b})`, `not (${a} and ${b})`]), 'add label label$', r.pick(events))];
    },
  },
  // names that nothing uses
  unused_label: unused(601, 'label other_label$ "other$" { color "cccccc" }', 'issue lacks other_label$'),
  unused_group: {
    faulty: () => [['group group$', 602], 'label label$ "label$" { color "cccccc"; group group$ }', rule('')],
    sound: () => ['group group$', 'label label$ "label$" { color "cccccc"; group group$ }', rule('', 'add labels group$')],
  },
  unused_setting: unused(603, 'setting setting$ : int = 3', 'issue.thumbs_up > setting$'),
  unused_define: unused(605, 'define define$(issue) : bool = issue.thumbs_up > 7', 'define$(issue)'),
  unused_decision: unused(606, 'decision decision$(issue) : int { issue.locked => 1; otherwise => 2 }', 'decision$(issue) == 1'),
  unused_check: unused(607, 'check check$(issue) { refuse locked when issue.locked "It is locked." }', 'check$(issue).passes'),
  unused_actor: unused(608, 'actor actor$(user) = user.association == owner', 'issue.author is actor$'),
  unused_task: {
    faulty: () => [['task task$', 609], label, rule('')],
    sound: () => ['task task$ { answer { sure$ : bool } }', label, rule('', 'add label label$; start task$'), `rule answered$ { on task$.answered; when ${who} and answer.sure$; remove label label$ }`],
  },
  unanswered_task: {
    faulty: () => [['task task$ { answer { sure$ : bool } }', 673], label, rule('', 'add label label$; start task$')],
    sound: () => ['task task$ { answer { sure$ : bool } }', label, rule('', 'start task$'), `rule answered$ { on task$.answered; when ${who} and answer.sure$; add label label$ }`],
  },
  unused_comment: unused(610, 'comment comment$ { language en; say hello }', '', 'add label label$; post comment$'),
  unused_part: {
    faulty: () => [['part part$ { say hello }', 610], label, rule('')],
    sound: () => [label, 'part part$ { say hello }', 'comment comment$ { language en; part part$ }', rule('', 'add label label$; post comment$')],
  },
  unused_let: {
    faulty: (r) => [label, [`rule rule$ { on issues.reopened; let name = issue.${r.pick(['title', 'locked', 'author'])}; when ${who}; add label label$ }`, 611]],
    sound: () => [label, `rule rule$ { on issues.reopened; let name = issue.locked; when ${who} and name; add label label$ }`],
  },
  unused_parameter: {
    faulty: () => [label, ['define define$(issue, since : time) : bool = issue.locked', 612], rule('define$(issue, now)')],
    sound: (r) => [label, r.pick(['define define$(issue, since : time) : bool = issue.created_at < since', 'define define$(issue, _since : time) : bool = issue.locked']),
      rule('define$(issue, now - 3 days)')],
  },
  unused_member: {
    faulty: () => [label, ['enum enum$ { one$; two$; three$ }', 613], 'decision decision$(issue) : enum$ { issue.locked => one$; otherwise => two$ }', rule('decision$(issue) == one$')],
    sound: () => [label, 'enum enum$ { one$; two$; three$ }', 'decision decision$(issue) : enum$ { issue.locked => one$; issue.state == open => three$; otherwise => two$ }', rule('decision$(issue) == one$')],
  },
  unused_variable: unused(615, 'variable variable$ "VARIABLE_$"', 'variable$.value is set'),
  unused_secret: unused(615, 'secret secret$ "SECRET_$"', 'secret$.is_set'),
  unused_step: {
    faulty: () => [label, ['step step$ { for each issue in repository.open_issues where issue has label$ { remove label label$ } }', 616]],
    sweep: true,
    sound: () => [label, 'step step$ { for each issue in repository.open_issues where issue has label$ { remove label label$ } }'],
  },
  // messages
  unused_message: {
    faulty: () => ({ en: [['message message$ "One, $."', 604]], de: ['message message$ "Eins, $."'] }),
    sound: () => ({ en: ['message message$ "One, $."'], de: ['message message$ "Eins, $."'], top: ['comment comment$ { language en; say message$ }', rule('', 'post comment$')] }),
  },
  missing_translation: {
    faulty: () => ({ en: [['message message$ "One, $."', 650]], top: ['comment comment$ { language en; say message$ }', rule('', 'post comment$')] }),
    sound: () => ({ en: ['message message$ "One, $."'], de: ['message message$ "Eins, $."'], top: ['comment comment$ { language en; say message$ }', rule('', 'post comment$')] }),
  },
  missing_placeholder: {
    faulty: () => ({ en: ['message message$(author : user) "Hello, {author}."'], de: [['message message$(author : user) "Hallo, $."', 651]],
      top: ['comment comment$ { language en; say message$(issue.author) }', rule('', 'post comment$')] }),
    sound: () => ({ en: ['message message$(author : user) "Hello, {author}."'], de: ['message message$(author : user) "{author}, hallo."'],
      top: ['comment comment$ { language en; say message$(issue.author) }', rule('', 'post comment$')] }),
  },
  // conditions
  never_holds: {
    faulty: (r) => {
      const [a, b] = apart(r, true);
      return [label, [rule(r.chance(0.5) ? `${a} and ${b}` : `${b} and ${a}`), 620]];
    },
    sound: (r) => [label, rule(crossing(r).join(' and '))],
  },
  never_through_define: {
    faulty: (r) => {
      const [a, b] = apart(r);
      return [label, `define define$(issue) : bool = ${a}`, [rule(`define$(issue) and ${b}`), 620]];
    },
    sound: (r) => {
      const [a, b] = crossing(r);
      return [label, `define define$(issue) : bool = ${a}`, rule(`define$(issue) and ${b}`)];
    },
  },
  never_on_event: {
    faulty: () => [label, [rule('event is issues.edited'), 620]],
    sound: () => [label, rule('event is issues.edited', 'add label label$', 'issues.reopened, issues.edited')],
  },
  never_inside: {
    faulty: (r) => {
      const [a, b] = apart(r);
      return [label, `rule rule$ {`, '  on   issues.reopened', `  when ${who} and ${a}`, '  add  label label$', [`  when ${b} { notice "Never." }`, 620], '}'];
    },
    sound: (r) => {
      const [a, b] = crossing(r);
      return [label, `rule rule$ {`, '  on   issues.reopened', `  when ${who} and ${a}`, '  add  label label$', `  when ${b} { notice "At times." }`, '}'];
    },
  },
  always_holds: {
    faulty: (r) => [label, [rule(within(r).join(' and ')), 621]],
    sound: (r) => [label, rule(crossing(r).join(' and '))],
  },
  always_by_both: {
    faulty: (r) => {
      const n = r.below(20);
      return [label, [rule(r.pick([`(issue.thumbs_up > ${n} or issue.thumbs_up <= ${n})`, '(issue has label$ or issue lacks label$)',
        '(issue.author.association != owner or issue.author.association != member)', 'issue.thumbs_up >= 0'])), 621]];
    },
    sound: (r) => {
      const n = r.below(20);
      return [label, rule(r.pick([`(issue.thumbs_up > ${n + 1} or issue.thumbs_up <= ${n})`, '(issue has label$ or issue.locked)', 'issue.thumbs_up > 0',
        '(issue.author.association == owner or issue.author.association == member)']))];
    },
  },
  unreachable_row: {
    faulty: (r) => {
      const [a, b] = within(r);
      return [label, 'decision decision$(issue) : int {', `  ${b} => 1`, [`  ${a} => 2`, 622], '  otherwise => 3', '}', rule('decision$(issue) == 1')];
    },
    sound: (r) => {
      const [a, b] = crossing(r);
      return [label, 'decision decision$(issue) : int {', `  ${b} => 1`, `  ${a} => 2`, '  otherwise => 3', '}', rule('decision$(issue) == 1')];
    },
  },
  with_itself: {
    faulty: (r) => [label, [rule(r.pick(['issue.author == issue.author', 'issue.created_at < issue.created_at', 'issue.title == issue.title'])), 623]],
    sound: () => [label, rule('issue.author == event.actor')],
  },
  two_negations: {
    faulty: (r) => [label, [rule(r.pick(['not (not issue.locked)', 'not (issue lacks label$)', 'not (issue.state != open)', 'not (issue is not pull_request)'])), 624]],
    sound: (r) => [label, rule(r.pick(['not issue.locked', 'not (issue has label$)', 'not (issue.state == open)', 'not (issue is pull_request)']))],
  },
  turned: {
    faulty: (r) => [label, [rule(r.pick(['7 < issue.thumbs_up', 'open == issue.state', '"x" != issue.title'])), 619]],
    sound: (r) => [label, rule(r.pick(['issue.thumbs_up > 7', '2 * issue.thumbs_up < issue.comment_count', 'issue.state == open']))],
  },
  shadowed: {
    faulty: (r) => [label, 'define define$ = issue.locked', r.pick([
      [`rule rule$ { on issues.reopened; let define$ = issue.title; when ${who} and define$ contains "x"; add label label$ }`, 617],
      [rule('any define$ in issue.assignees where define$.login == "x"'), 617]]), rule('define$', 'add label label$', 'issues.edited', 'user_of$')],
    sound: () => [label, 'define define$ = issue.locked', rule('any user in issue.assignees where user.login == "x"'), rule('define$', 'add label label$', 'issues.edited', 'user_of$')],
  },
  // pairs of rules
  duplicate: {
    faulty: (r) => {
      const [a, b] = crossing(r);
      return [label, rule(`${a} and ${b}`), [rule(`${b} and ${a}`, 'add label label$', 'issues.reopened', 'twin$'), 630]];
    },
    sound: (r) => {
      const [a, b] = crossing(r);
      return [label, 'label other$ "Other $" { color "cccccc" }', rule(`${a} and ${b}`), rule(`${b} and ${a}`, 'add label other$', 'issues.reopened', 'twin$')];
    },
  },
  redundant: {
    faulty: (r) => {
      const [a, b] = crossing(r);
      return r.pick([
        [label, rule(a), [rule(`${a} and ${b}`, 'add label label$', 'issues.reopened', 'narrow$'), 631]],
        [label, rule(a, 'add label label$', 'issues.reopened, issues.edited'), [rule(a, 'add label label$', 'issues.reopened', 'narrow$'), 631]],
      ]);
    },
    sound: (r) => {
      const [a, b] = crossing(r);
      return r.pick([
        [label, rule(a), rule(b, 'add label label$', 'issues.reopened', 'narrow$')],
        [label, rule(a), rule(a, 'add label label$', 'issues.edited', 'narrow$')],
      ]);
    },
  },
  conflict: {
    faulty: (r) => {
      const [a, b] = crossing(r);
      return [label, rule(a), [rule(b, 'remove label label$', 'issues.reopened', 'takes$'), 632]];
    },
    sound: (r) => {
      const [a, b] = apart(r);
      return r.pick([
        [label, rule(a), rule(b, 'remove label label$', 'issues.reopened', 'takes$')],
        [label, rule('issue.thumbs_up > 3'), rule('issue.locked', 'remove label label$', 'issues.edited', 'takes$')],
        [label, rule('issue.thumbs_up > 3'), rule('issue.locked', 'over rule$; remove label label$', 'issues.reopened', 'takes$')],
      ]);
    },
  },
  opposite_effects: {
    faulty: (r) => {
      const [a, b] = crossing(r);
      return [label, 'rule rule$ {', '  on   issues.reopened', `  when ${who}`, `  when ${a} { add label label$ }`, [`  when ${b} { remove label label$ }`, 634], '}'];
    },
    sound: (r) => {
      const [a, b] = apart(r);
      return [label, 'rule rule$ {', '  on   issues.reopened', `  when ${who}`, `  when ${a} { add label label$ }`, `  when ${b} { remove label label$ }`, '}'];
    },
  },
  // patterns
  pattern_is_text: {
    faulty: (r) => {
      const word = r.pick(words);
      return [label, [rule(`issue.title matches ${r.pick([`/${word}/`, `/^${word}/`, `/\\[${word}\\]/`, `/${word}\\?/`])}`), 625]];
    },
    sound: (r) => {
      const word = r.pick(words);
      return [label, rule(`issue.title matches ${r.pick([`/${word}/i`, `/${word}s?/`, `/\\b${word}/`, `/[${word}]/`, `/${word}|other/`])}`)];
    },
  },
  pattern_anchors: {
    faulty: (r) => [label, [rule(`issue.title matches ${r.pick(['/^one|two¶/', '/^one|two/i', '/one|two|three¶/'])}`), 628]],
    sound: (r) => [label, rule(`issue.title matches ${r.pick(['/^one|^two/', '/^(?:one|two)¶/', '/one|^two/', '/(?:^|x)one/', '/^none¶|[0-9]/'])}`)],
  },
  pattern_empty: {
    faulty: (r) => [label, [rule(`issue.title matches ${r.pick(['/one||two/', '/re(|open)ed [0-9]/', '/(?:one|)[0-9]x/'])}`), 618]],
    sound: (r) => [label, rule(`issue.title matches ${r.pick(['/one|two/', '/re(?:open)?ed [0-9]/', '/[|]|x[0-9]/', '/one\\|\\|two?/'])}`)],
  },
  pattern_of_nothing: {
    faulty: (r) => [label, [rule(`issue.title matches ${r.pick(['/one¶two/', '/[a-z]^one/', '/o\\bne?/'])}`), 629]],
    sound: (r) => [label, rule(`issue.title matches ${r.pick(['/one¶\\ntwo?/m', '/one\\b two?/', '/(?:^|\\s)one/'])}`)],
  },
  idle_wildcard: {
    faulty: (r) => {
      const word = r.pick(words);
      return [label, [rule(`issue.title matches ${r.pick([`/.*${word}s?/`, `/${word}[0-9].*/`, `/.*${word}.*/`, `/.*${word}/i`])}`), 626]];
    },
    sound: (r) => {
      const word = r.pick(words);
      return [label, rule(`issue.title matches ${r.pick([`/${word}.*[0-9]/`, `/^.*${word}/`, `/${word}s?\\.*/`, `/${word}[.*]/`])}`)];
    },
  },
  capitals_in_lower: {
    faulty: (r) => [label, [rule(`lower(issue.title) ${r.pick(['contains', 'starts_with', 'ends_with', '=='])} "${r.pick(words).toUpperCase()}"`), 627]],
    sound: (r) => [label, rule(r.pick([`lower(issue.title) contains "${r.pick(words)}"`, `issue.title contains "${r.pick(words).toUpperCase()}"`]))],
  },
  // runs that come again
  posted_again: {
    faulty: () => [label, 'comment kept$ { language en; marker { day : date = today }; once_by day; say hello }',
      'step step$ {', '  for each issue in repository.open_issues where issue has label$ {', ['    post kept$', 643], '  }', '}'],
    sound: () => [label, 'comment kept$ { language en; marker { day : time = issue.created_at }; once_by day; say hello }',
      'step step$ {', '  for each issue in repository.open_issues where issue has label$ {', '    post kept$', '  }', '}'],
    sweeps: true,
  },
  triggers_itself: {
    faulty: () => [label, 'label mark$ "mark$" { color "cccccc" }', [rule('issue lacks mark$', 'add label label$', 'issues.labeled'), 640]],
    sound: () => [label, 'label mark$ "mark$" { color "cccccc" }', r_of(['event.actor is not robot and issue lacks mark$'])],
  },
  loses_effect: {
    faulty: () => [label, 'label mark$ "mark$" { color "cccccc" }', [rule('issue lacks label$', 'add label label$; add label mark$', 'issues.edited'), 641]],
    sound: () => [label, 'label mark$ "mark$" { color "cccccc" }', rule('issue lacks label$', 'add label mark$; add label label$', 'issues.edited')],
  },
  reads_own_mark: {
    faulty: () => ['comment kept$ { language en; marker { rounds : int = 0 }; once_by rounds; say hello }', 'rule posts$ { on issues.reopened; when issue.author.login == "poster$"; post kept$ }',
      'rule rule$ {', '  on   issues.pinned', `  when ${who}`, '  let  own = last(posted(issue, kept$))', '  when own is set and own.rounds < 3', ['  mark own { rounds 1 }', 642], '}'],
    sound: () => ['comment kept$ { language en; marker { rounds : int = 0 }; once_by rounds; say hello }', 'rule posts$ { on issues.reopened; when issue.author.login == "poster$"; post kept$ }',
      'rule rule$ {', '  on   issues.pinned', `  when ${who}`, '  let  own = last(posted(issue, kept$))', '  when own is set', '  mark own { rounds 1 }', '}'],
  },
  // workflows
  placeholder_pin: {
    faulty: (r) => [[`action action$ "example/action$@${'0'.repeat(32 + r.below(8)).padEnd(40, '7')}" { version "v1" }`, 654]],
    sound: (r) => [`action action$ "example/action$@${'0'.repeat(r.below(32)).padEnd(40, '7')}" { version "v1" }`],
  },
  no_checkout: {
    faulty: () => ['action action$ "example/action$@7777777777777777777777777777777777777777" { version "v1" }', 'steps steps$ { uses action$ }',
      'workflow flow$ "Flow $" { file "flow$.yml"; on issues.opened; runner "ubuntu-24.04"; begins steps$ }', ['job job$ { of flow$; may write issues; runs flow_sweep$ }', 655],
      'sweep flow_sweep$ { run flow_step$ }', label, 'step flow_step$ { for each issue in repository.open_issues where issue has label$ { remove label label$ } }'],
    sound: () => ['action action$ "actions/checkout@7777777777777777777777777777777777777777" { version "v1" }', 'steps steps$ { uses action$ }',
      'workflow flow$ "Flow $" { file "flow$.yml"; on issues.opened; runner "ubuntu-24.04"; begins steps$ }', 'job job$ { of flow$; may write issues; runs flow_sweep$ }',
      'sweep flow_sweep$ { run flow_step$ }', label, 'step flow_step$ { for each issue in repository.open_issues where issue has label$ { remove label label$ } }'],
  },
  // comments
  todo: {
    faulty: (r) => [[`# ${r.pick(['TODO', 'FIXME', 'XXX', 'TODO:', 'FIXME(someone):'])} say more`, 656], label, rule('')],
    sound: (r) => [`# ${r.pick(['Nothing to do, no TODO', 'TODOS', 'todo'])} here`, label, rule('')],
  },
  description_differs: {
    faulty: (r) => {
      const n = 2 + r.below(20);
      return r.pick([
        [[`## Waits ${n + 1} days.`, 657], `setting setting$ : duration = ${n} days`, label, rule('issue.created_at < now - setting$')],
        [`setting setting$ : duration = ${n} days ## not ${n} hours`, label, rule('issue.created_at < now - setting$')].map((x, i) => (i ? x : [x, 657])),
      ]);
    },
    sound: (r) => {
      const n = 2 + r.below(20);
      return r.pick([
        [`## Waits ${n} days, no longer ${n + 1} days.`, `setting setting$ : duration = ${n} days`, label, rule('issue.created_at < now - setting$')],
        [`## Waits ${24 * n} hours.`, `setting setting$ : duration = ${n} days`, label, rule('issue.created_at < now - setting$')],
        [`# Waits ${n + 1} days.`, `setting setting$ : duration = ${n} days`, label, rule('issue.created_at < now - setting$')],
      ]);
    },
  },
  // others
  unindexed: {
    faulty: (r) => [label, [`rule rule$ { on issues.reopened; when ${r.pick(['issue.thumbs_up > 7', 'not issue.locked', 'issue.author.login != "user$"'])}; add label label$ }`, 652]],
    sound: () => [label, rule('issue.thumbs_up > 7')],
  },
  suppressed: {
    faulty: () => [[`${label} # allow unused-label: it is used`, 660], rule('')],
    sound: () => ['label other$ "other$" { color "cccccc" } # allow unused-label: people set it by hand', label, rule('')],
  },
  suppressed_silently: {
    faulty: () => [['label other$ "other$" { color "cccccc" } # allow unused-label', 661], label, rule('')],
    sound: () => ['label other$ "other$" { color "cccccc" } # allow PL0601: people set it by hand', label, rule('')],
  },
  suppressed_unknown: {
    faulty: (r) => [[`${label} # allow ${r.pick(['unused-lable', 'PL0999'])}: a slip`, 662], rule('')],
    sound: () => [`${label} # allow us a remark`, rule('')],
  },
};

function r_of([when]) {
  return rule(when, 'add label label$', 'issues.labeled');
}

// ---- the policy --------------------------------------------------------------------------------------------------

export function seededPolicy(seed, ruleCount) {
  const r = random(seed);
  const names = Object.keys(kinds);
  const sections = { top: [], en: [], de: [] };
  const steps = [];
  let rules = 0;
  for (let n = 1; rules < ruleCount; n++) {
    const name = n <= names.length ? names[n - 1] : r.pick([...names, ...Array(names.length).fill('sound_rule')]);
    const kind = kinds[name];
    const faulty = kind.faulty && (n <= names.length || r.chance(0.5));
    const made = faulty ? kind.faulty(r) : kind.sound(r);
    const parts = Array.isArray(made) ? { top: made } : made;
    for (const section of Object.keys(parts)) {
      for (const line of parts[section]) {
        const [text, ...codes] = Array.isArray(line) ? line : [line];
        sections[section].push({ text: text.replaceAll('$', String(n)).replaceAll('¶', '$'), codes, unit: `${name} ${n}` });
        if (/^rule /.test(text)) rules++;
      }
    }
    if (kind.sweeps || (kind.sweep && !faulty)) steps.push(`step${n}`);
  }
  const plain = (text, ...codes) => ({ text, codes, unit: 'frame' });
  const lines = [
    plain('use product.kept'),
    plain('use more.spare', 614),
    plain('lint unindexed-rule warn'),
    plain('job event { may write issues; runs rules }'),
    plain('job apply { may write issues; runs answers }'),
    plain('task kept { answer { sure : bool } }'),
    plain('rule kept_answered { on kept.answered; when issue.author.login == "kept" and answer.sure; remove label evening }'),
    plain('job sweep { may write issues; runs morning }'),
    plain(`sweep morning { ${['morning_step', ...steps].map((s) => `run ${s}`).join('; ')} }`),
    plain('step morning_step { for each issue in repository.open_issues where issue has evening { remove label evening } }'),
    // A job that holds more than its steps need.
    plain('job spare { may write issues, statuses; runs evening }', 653),
    plain('sweep evening { run evening_step }'),
    plain('label evening "evening" { color "cccccc" }'),
    plain('step evening_step { for each issue in repository.open_issues where issue has evening { remove label evening } }'),
    plain('sweep unheard { run evening_too }', 616),
    plain('step evening_too { for each issue in repository.open_issues where issue has evening { remove label evening } }'),
    plain('actor robot(user) = user.kind == bot'),
    plain('rule by_robots { on issues.pinned; when issue.author is robot and issue has evening and issue.title contains kept_word; notice "A robot."; start kept }'),
    plain('locale en "English" { }'),
    plain('locale de "German" { }'),
    plain('words en {'),
    plain('  message hello "Hello."'),
    ...sections.en,
    plain('}'),
    plain('words de {'),
    plain('  message hello "Hallo."'),
    ...sections.de,
    plain('}'),
    ...sections.top,
  ];
  const truth = [];
  lines.forEach((line, i) => line.codes.forEach((code) => truth.push({ line: i + 1, code, unit: line.unit, text: line.text })));
  const packages = {
    'product/kept.policy': 'package seeded { account "github-actions[bot]"; marker "seeded" }\ndefine kept_word = "kept"\n',
    'more/spare.policy': 'define spare_word = "spare"\n',
  };
  return { packages, policy: `${lines.map((l) => l.text).join('\n')}\n`, truth, rules, lines };
}
export const faultKinds = () => [601, 602, 603, 604, 605, 606, 607, 608, 609, 610, 611, 612, 613, 614, 615, 616, 617, 618, 619, 620, 621, 622, 623, 624, 625, 626, 627, 628, 629, 630, 631, 632, 634,
  640, 641, 642, 643, 650, 651, 652, 653, 654, 655, 656, 657, 673, 660, 661, 662];
