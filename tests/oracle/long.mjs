// SPDX-License-Identifier: Apache-2.0
//
// The long run: long.mjs TEXTS SEED… makes so many hostile texts from each seed, cleans them with each
// sanitizer, and judges them alone and in a place of a comment, a fourth of them cleaned twice. Prints a line of numbers for each seed and sanitizer, and
// before it what was live and what became code as a whole; ends with 1 if anything was live.

import { judge, sanitizers } from './verdicts.mjs'
import { generated } from './texts.mjs'

const AT_ONCE = 4000
const [count, ...seeds] = process.argv.slice(2).map(Number)
let live = 0

for (const seed of seeds) {
  for (const [sanitizer, places] of sanitizers) {
    const sum = { seed, sanitizer, texts: 0, judged: 0, live: 0, fallbacks: 0, again: 0 }
    for (let from = 0; from < count; from += AT_ONCE) {
      const texts = generated(seed + from, Math.min(AT_ONCE, count - from))
      const { answers, bad, fallbacks } = judge(sanitizer, texts, places, true)
      // Cleaned once more, still nothing is live.
      const outputs = answers.filter((_, i) => i % 4 === 0).map((answer) => answer.output)
      const again = judge(sanitizer, outputs, places.slice(0, 1))
      sum.texts += texts.length
      sum.judged += 2 * texts.length + outputs.length
      sum.live += bad.length + again.bad.length
      sum.fallbacks += fallbacks.length
      sum.again += again.fallbacks.length
      for (const thing of [...bad, ...again.bad]) console.log('LIVE', sanitizer, JSON.stringify(thing))
      for (const { reason, text } of [...fallbacks, ...again.fallbacks]) console.log('fallback', sanitizer, reason, JSON.stringify(text))
    }
    live += sum.live
    console.log(JSON.stringify(sum))
  }
}
process.exitCode = live > 0 ? 1 : 0
