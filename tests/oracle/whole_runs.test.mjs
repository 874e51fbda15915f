// SPDX-License-Identifier: Apache-2.0
//
// Whole runs of the shipped assistant on hostile answers, titles, texts and comments. BL_ORACLE_RUNS and
// BL_ORACLE_SEED choose how many of each task and which; long.mjs makes many.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Product, differences, judgeAnswers } from './whole_runs.mjs'

const runs = Number(process.env.BL_ORACLE_RUNS ?? 10)
const seed = Number(process.env.BL_ORACLE_SEED ?? 1)

test('what is more, and what is gone, is a difference', () => {
  const kinds = (markdown, plain) => differences(markdown, plain).map(({ kind }) => kind)
  assert.deepEqual(kinds('### Answer\n\nword', '### Answer\n\nother'), [])
  assert.deepEqual(kinds('### Answer\n\n@mallory', '### Answer\n\nother'), ['mention'])
  assert.deepEqual(kinds('word', '# Title\n\n#9'), ['gone'])
})

// req: OUT-01 SAN-01 SAN-03 TST-09
test('nothing of a stranger or an engine is live in what a run leaves', (t) => {
  const product = new Product()
  t.after(() => product.close())
  const sum = judgeAnswers(product, seed, runs)
  assert.deepEqual(sum.bad.slice(0, 3), [], JSON.stringify(sum.bad[0]?.wrong))
  // Most answers are taken: a run that refuses all of them proves nothing.
  assert.ok(sum.comments > sum.runs / 2 && sum.refused < sum.runs / 10, JSON.stringify({ ...sum, bad: sum.bad.length }))
})
