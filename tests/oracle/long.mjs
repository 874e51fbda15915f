// SPDX-License-Identifier: Apache-2.0
//
// The long run: long.mjs TEXTS SEED… makes so many hostile texts from each seed and cleans each with every sanitizer.
// What a sanitizer makes of a text is judged alone, and for one of them, in its turn, in a place of a comment too; a
// twelfth is cleaned twice. Two sanitizers often make the same of a text: that is read once. Prints a line of numbers
// for each seed, and before it what was live and what became code as a whole; ends with 1 if anything was live.

import { judge, sanitizers } from './verdicts.mjs'
import { generated } from './texts.mjs'

const AT_ONCE = 10000
const [count, ...seeds] = process.argv.slice(2).map(Number)
let live = 0

for (const seed of seeds) {
  // `cleaned`: texts by sanitizers; `read`: what the oracle read.
  const sum = { seed, texts: 0, cleaned: 0, read: 0, live: 0, fallbacks: 0 }
  for (let from = 0; from < count; from += AT_ONCE) {
    const texts = generated(seed + from, Math.min(AT_ONCE, count - from))
    const alone = new Set()
    for (const [turn, [sanitizer, places]] of sanitizers.entries()) {
      const [first, ...others] = places
      const { answers, ...one } = judge(sanitizer, texts, (i, output) => {
        const some = alone.has(output) ? [] : [first]
        alone.add(output)
        if (i % sanitizers.length === turn) some.push(others[Math.floor(i / sanitizers.length) % others.length])
        sum.read += some.length
        return some
      })
      // Cleaned once more, still nothing is live.
      const outputs = answers.filter((_, i) => i % 12 === turn).map((answer) => answer.output)
      const again = judge(sanitizer, outputs, () => [first])
      sum.cleaned += texts.length
      sum.read += outputs.length
      for (const { bad, fallbacks } of [one, again]) {
        sum.live += bad.length
        sum.fallbacks += fallbacks.length
        for (const thing of bad) console.log('LIVE', sanitizer, JSON.stringify(thing))
        for (const { reason, text } of fallbacks) console.log('fallback', sanitizer, reason, JSON.stringify(text))
      }
    }
    sum.texts += texts.length
  }
  live += sum.live
  console.log(JSON.stringify(sum))
}
process.exitCode = live > 0 ? 1 : 0
