// SPDX-License-Identifier: Apache-2.0
//
// Whole runs of the shipped assistant on hostile words: answers made from the schema that the policy itself gives to
// the engine, in a repository whose titles, texts and comments are hostile too. What a run leaves is held against what
// it leaves when all of them are plain: nothing more may be live, and what stands around them has to stay.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { payload } from '../world/fake/webhooks.mjs'
import { dumpWorld, loadWorld } from '../world/fake/world_file.mjs'
import { environment, readLog, readPairs } from '../world/run/runner.mjs'
import { compile } from '../world/year/simulator.mjs'
import { read } from './oracle.mjs'
import { allowed } from './sanitize.mjs'
import { generated, random } from './texts.mjs'

const NOW = '2026-11-20T05:00:00Z'
const REPOSITORY = 'acme/widgets'
const NUMBER = 5012
const PLAIN = 'Plain words.'
const CHECKOUT = { 'src/a.c': 'int a;\n', 'docs/b.md': '# Plain words.\n' }

// `word` gives the texts that others write; only #7 and the issue itself exist.
function worldOf(word) {
  return {
    now: NOW,
    repository: REPOSITORY,
    account: 'github-actions[bot]',
    users: [
      { login: 'maria', association: 'owner' },
      { login: 'alice', association: 'nobody' }
    ],
    labels: ['bug', 'enhancement', 'question', 'documentation', 'needs-info', 'possible-duplicate', 'needs-triage'].map((name) => ({
      name,
      color: 'ededed'
    })),
    checkout: CHECKOUT,
    issues: [
      { number: 7, title: line(word()), text: word(), author: 'maria', created_at: '2026-10-01T10:00:00Z' },
      { number: NUMBER, title: line(word()), text: word(), author: 'alice', created_at: '2026-11-20T04:59:00Z' }
    ]
  }
}

// GitHub's titles have one line, and some words.
const line = (text) => text.replace(/[\r\n\u0000-\u001f]+/g, ' ').trim().slice(0, 200).toWellFormed() || 'a'

// A value of the schema. Texts come from `word`, cut to what the schema takes.
function valueOf(schema, next, word) {
  if (schema.anyOf !== undefined) return valueOf(schema.anyOf[next(schema.anyOf.length)], next, word)
  if (schema.enum !== undefined) return schema.enum[next(schema.enum.length)]
  const type = Array.isArray(schema.type) ? schema.type[next(schema.type.length)] : schema.type
  switch (type) {
    case 'null':
      return null
    case 'boolean':
      return next(8) === 0
    case 'integer':
      return Math.max(schema.minimum ?? 0, [7, 7, 99, 3][next(4)])
    case 'string':
      return [...word()].slice(0, schema.maxLength ?? 200).join('').toWellFormed()
    case 'array': {
      if (schema.items.enum?.length === 0) return []
      const items = Array.from({ length: next((schema.maxItems ?? 3) + 1) }, () => valueOf(schema.items, next, word))
      return schema.items.type === 'object' ? items : [...new Set(items)]
    }
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties).map(([name, one]) => [name, name === 'path' && next(2) === 0 ? Object.keys(CHECKOUT)[next(2)] : valueOf(one, next, word)])
      )
    default:
      throw new Error(`the schema has ${JSON.stringify(schema)}`)
  }
}

export class Product {
  constructor() {
    this.folder = mkdtempSync(join(tmpdir(), 'bylaw-oracle-'))
    this.policy = compile(this.folder)
    this.schemas = new Map()
    this.done = 0
  }

  close() {
    rmSync(this.folder, { recursive: true })
  }

  // What a job leaves: { code, end, log, outputs, summary, files }.
  run(job, task, state, event, answer) {
    const folder = join(this.folder, `run-${this.done++}`)
    mkdirSync(folder)
    const file = (name, content) => {
      if (content !== undefined) writeFileSync(join(folder, name), JSON.stringify(content))
      return join(folder, name)
    }
    const [eventName, action, about] = event
    const then = Object.assign(loadWorld(dumpWorld(state)), { server: 'https://github.com', api: 'https://api.github.com' })
    const args = ['run', job, '-p', this.policy, '-w', file('world.json', dumpWorld(state)), '--end-state', file('end.json'), '--task', task]
    const eventPath = file('event.json', payload(then, eventName, action, about(then)))
    if (answer !== undefined) args.push('--answer', file('answer.json', answer))
    else args.push('--folder', file('files'))
    const env = environment({ folder, eventName, eventPath, repository: REPOSITORY, repositoryId: 1 })
    const done = spawnSync(process.env.BL_BYLAW, args, { cwd: folder, env, encoding: 'utf8', maxBuffer: 1 << 26 })
    const left = (name) => readFileSync(env[`GITHUB_${name}`], 'utf8')
    const result = {
      code: done.status,
      words: done.stdout + done.stderr,
      logs: [readLog(done.stdout), readLog(done.stderr)],
      outputs: readPairs(left('OUTPUT')),
      others: left('ENV') + left('PATH') + left('STATE'),
      summary: left('STEP_SUMMARY'),
      files: answer === undefined ? filesOf(join(folder, 'files')) : []
    }
    if (done.status === 0) result.end = loadWorld(JSON.parse(readFileSync(file('end.json'), 'utf8')))
    rmSync(folder, { recursive: true })
    return result
  }

  // The schema that the policy gives to the engine with the task.
  schema(task, state, event) {
    if (!this.schemas.has(task)) {
      const { files, words } = this.run('analyze', task, state, event)
      const own = files.find(([name]) => name === 'answer_schema.json')
      assert.ok(own !== undefined, words)
      this.schemas.set(task, JSON.parse(own[1]))
    }
    return this.schemas.get(task)
  }
}

function filesOf(folder, below = '') {
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? filesOf(folder, join(below, entry.name))
      : [[join(below, entry.name), readFileSync(join(folder, below, entry.name), 'utf8')]]
  )
}

// ---- what is wrong ------------------------------------------------------------------------------

// The comment counts what it folds away, in its language: "Where to look: 6 links".
const name = (thing) => JSON.stringify([thing.kind, thing.kind === 'html' ? thing.text.replace(/: [0-9]+ \p{L}+</u, ': N<') : thing.text])

// What is live in `markdown` beyond what is in `plain`, and what of that is gone: a heading goes with its words.
export function differences(markdown, plain) {
  const rest = read(plain, allowed).found.map(name)
  const more = []
  for (const thing of read(markdown, allowed).found) {
    const at = rest.indexOf(name(thing))
    if (at >= 0) rest.splice(at, 1)
    else more.push(thing)
  }
  for (const thing of rest) if (!thing.startsWith('["heading"')) more.push({ kind: 'gone', text: thing })
  return more
}

// What a run says of texts that no one could write on GitHub.
const SAYS_NUL = /^[0-9]+ NUL characters in texts of the event were replaced by U\+FFFD\.$/

function wrongsOfLogs(hostile, plain) {
  const wrong = []
  for (const [i, log] of hostile.logs.entries()) {
    const names = ({ commands }) => JSON.stringify(commands.filter((command) => !SAYS_NUL.test(command.data)).map((command) => command.name))
    if (log.failures.length > 0) wrong.push({ kind: 'log', text: log.failures.join() })
    if (names(log) !== names(plain.logs[i])) wrong.push({ kind: 'command', text: names(log) })
    if (log.masks.length !== plain.logs[i].masks.length) wrong.push({ kind: 'mask', text: log.masks.join() })
  }
  if (JSON.stringify(hostile.outputs) !== JSON.stringify(plain.outputs)) wrong.push({ kind: 'output', text: JSON.stringify(hostile.outputs) })
  if (hostile.others !== '') wrong.push({ kind: 'variable', text: hostile.others })
  return [...wrong, ...differences(hostile.summary, plain.summary)]
}

// Files for the engine: headings and fences are ours, each line of a list of issues is one.
function wrongsOfFiles(hostile, plain) {
  const wrong = []
  const others = new Map(plain.files)
  for (const [path, text] of hostile.files) {
    const other = others.get(path)
    if (path.endsWith('.jsonl')) {
      const lines = text.split('\n')
      if (lines.length !== other.split('\n').length) wrong.push({ kind: 'line', text: path })
      for (const one of lines.filter((one) => one !== '')) JSON.parse(one)
    } else if (path.endsWith('.md')) {
      const [one, two] = [read(text, allowed), read(other, allowed)]
      if (JSON.stringify(one.found) !== JSON.stringify(two.found)) wrong.push({ kind: 'file', text: `${path}: ${JSON.stringify(one.found)}` })
      if (one.code.length !== two.code.length) wrong.push({ kind: 'fence', text: path })
    }
  }
  if (hostile.files.length !== plain.files.length) wrong.push({ kind: 'files', text: String(hostile.files.length) })
  return wrong
}

// ---- the tasks ----------------------------------------------------------------------------------

const issueOf = (state) => state.issue(NUMBER)
const opened = ['issues', 'opened', (state) => ({ issue: issueOf(state), sender: 'alice' })]
const commented = (login) => [
  'issue_comment',
  'created',
  (state) => ({ issue: issueOf(state), comment: state.comments.get(issueOf(state).comments.at(-1)), sender: login })
]

// Comments of others, one minute later than all that is there.
function withComment(state, login, text, reactions = []) {
  const world = dumpWorld(state)
  const issue = world.issues.find(({ number }) => number === NUMBER)
  const now = new Date(Date.parse(world.now) + 60000).toISOString().replace('.000', '')
  issue.comments = [...(issue.comments ?? []), { id: 9000000001, author: login, created_at: now, text, reactions: reactions.map((kind) => ({ user: 'github-actions[bot]', kind, at: now })) }]
  return loadWorld({ ...world, now })
}

const tasks = [
  ['triage', opened, (state) => state],
  ['maintainer_question', commented('maria'), (state, word) => withComment(state, 'maria', `/assistant ask ${word()}`, ['eyes'])],
  [
    'follow_up',
    commented('alice'),
    (state, word, product) => {
      const second = (n) => (n > 1 ? 1 : 0)
      const answer = { ...valueOf(product.schema('triage', state, opened), second, () => PLAIN), duplicates: [], missing_information: ['Which?'] }
      const asked = product.run('apply', 'triage', state, opened, answer)
      assert.equal(asked.code, 0, asked.words)
      return withComment(asked.end, 'alice', word())
    }
  ]
]

const posted = ({ end }) =>
  issueOf(end).comments.map((id) => end.comments.get(id)).filter(({ author }) => author === 'github-actions[bot]').map(({ text }) => text)

// So many answers of each task from the seed: { runs, texts, refused, bad }.
export function judgeAnswers(product, seed, count) {
  const sum = { runs: 0, texts: 0, refused: 0, comments: 0, bad: [] }
  for (const [i, [task, event, before]] of tasks.entries()) {
    const texts = generated(seed + i, 40 * count)
    for (let k = 0; k < count; k++) {
      let used = 0
      const hostileWord = () => texts[k * 40 + (used++ % 40)]
      // No two are the same, since rows that are the same become one.
      let said = 0
      const sides = [hostileWord, () => `${PLAIN} ${++said}`].map((word) => {
        const state = before(loadWorld(worldOf(word)), word, product)
        const answer = valueOf(product.schema(task, state, event), random(seed + k), word)
        return { answer, applied: product.run('apply', task, state, event, answer), files: product.run('analyze', task, state, event) }
      })
      const [hostile, plain] = sides
      assert.equal(plain.applied.code, 0, plain.applied.words)
      sum.runs++
      sum.texts += used
      const wrong = [...wrongsOfFiles(hostile.files, plain.files), ...wrongsOfLogs(hostile.files, plain.files)]
      if (hostile.applied.code !== 0) sum.refused++
      else {
        const [bodies, others] = [posted(hostile.applied), posted(plain.applied)]
        sum.comments += bodies.length
        if (bodies.length !== others.length) wrong.push({ kind: 'comments', text: String(bodies.length) })
        else bodies.forEach((body, n) => wrong.push(...differences(body, others[n]).map((thing) => ({ ...thing, body }))))
        wrong.push(...wrongsOfLogs(hostile.applied, plain.applied))
        if (JSON.stringify([...issueOf(hostile.applied.end).labels]) !== JSON.stringify([...issueOf(plain.applied.end).labels]))
          wrong.push({ kind: 'labels', text: JSON.stringify(issueOf(hostile.applied.end).labels) })
      }
      if (wrong.length > 0) sum.bad.push({ task, seed: seed + k, wrong, answer: hostile.answer })
    }
  }
  return sum
}
