// SPDX-License-Identifier: Apache-2.0
//
// The long run: long.mjs TEXTS SEED… makes so many hostile texts from each seed and cleans each with every sanitizer.
// What a sanitizer makes of a text is judged alone, and for one of them, in its turn, in a place of a comment too; a
// twelfth is cleaned twice. Two sanitizers often make the same of a text: that is read once. Prints a line of numbers
// for each seed, and before it what was live and what became code as a whole; ends with 1 if anything was live.
//
// long.mjs --answers RUNS SEED… does so many whole runs of each task on hostile answers in place of it.

import { Product, judgeAnswers } from './whole_runs.mjs'
import { judge, sanitizers } from './verdicts.mjs'
import { generated } from './texts.mjs'

const AT_ONCE = 10000
const whole = process.argv[2] === '--answers'
const [count, ...seeds] = process.argv.slice(whole ? 3 : 2).map(Number)

// One seed: so many texts through every sanitizer.
function texts(seed) {
  // `cleaned`: texts by sanitizers; `read`: what the oracle read.
  const sum = { seed, texts: 0, cleaned: 0, read: 0, live: 0, fallbacks: 0 }
  const tell = (sanitizer, { bad, fallbacks }) => {
    sum.live += bad.length
    sum.fallbacks += fallbacks.length
    for (const thing of bad) console.log('LIVE', sanitizer, JSON.stringify(thing))
    for (const { reason, text } of fallbacks) console.log('fallback', sanitizer, reason, JSON.stringify(text))
  }
  for (let from = 0; from < count; from += AT_ONCE) {
    const made = generated(seed + from, Math.min(AT_ONCE, count - from))
    const alone = new Set()
    sum.texts += made.length
    for (const [turn, [sanitizer, places]] of sanitizers.entries()) {
      const [first, ...others] = places
      const { answers, ...one } = judge(sanitizer, made, (i, output) => {
        const some = alone.has(output) ? [] : [first]
        alone.add(output)
        if (i % sanitizers.length === turn) some.push(others[Math.floor(i / sanitizers.length) % others.length])
        sum.read += some.length
        return some
      })
      tell(sanitizer, one)
      // Cleaned once more, still nothing is live.
      const outputs = answers.filter((_, i) => i % 12 === turn).map((answer) => answer.output)
      tell(sanitizer, judge(sanitizer, outputs, () => [first]))
      sum.cleaned += made.length
      sum.read += outputs.length
    }
  }
  return sum
}

function wholeRuns(seed) {
  const product = new Product()
  const { bad, ...sum } = judgeAnswers(product, seed, count)
  product.close()
  for (const thing of bad) console.log('LIVE', JSON.stringify(thing))
  return { seed, ...sum, live: bad.length }
}

for (const seed of seeds) {
  const sum = whole ? wholeRuns(seed) : texts(seed)
  console.log(JSON.stringify(sum))
  if (sum.live > 0) process.exitCode = 1
}
