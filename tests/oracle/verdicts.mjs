// SPDX-License-Identifier: Apache-2.0
//
// Cleaned texts before the oracle: alone and in each place of a comment, where nothing of them may be live and
// what stands around them has to be read as without them.

import { read } from './oracle.mjs'
import { allowed, clean } from './sanitize.mjs'

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
// The sanitizers of the shipped policy, and where their texts stand.
export const sanitizers = [
  ['comment_text', blocks],
  ['comment_line', lines],
  ['reason', lines]
]

// What is wrong with a cleaned text in its places.
export function wrongs(output, places) {
  const wrong = []
  for (const [place, put] of places) {
    const { found: all, code, links } = read(put(output), allowed)
    const found = all.filter((thing) => thing.kind !== 'heading' || thing.text !== '### Title')
    if (place !== 'alone' && (code.at(-1) !== 'code' || links.at(-1) !== OWN))
      found.push({ kind: 'what follows', text: JSON.stringify({ code, links }) })
    if (found.length > 0) wrong.push({ place, found })
  }
  return wrong
}

// Cleans the texts and judges what became of them. `placesOf` says where the text of a number stands.
export function judge(sanitizer, texts, placesOf) {
  const answers = clean(sanitizer, texts)
  const bad = []
  const fallbacks = []
  for (const [i, answer] of answers.entries()) {
    if (answer.refused) bad.push({ input: texts[i], refused: answer.reason })
    if (answer.fallback) fallbacks.push({ reason: answer.reason, text: texts[i] })
    for (const wrong of wrongs(answer.output, placesOf(i, answer.output))) bad.push({ ...wrong, input: texts[i], output: answer.output })
  }
  return { answers, bad, fallbacks }
}
