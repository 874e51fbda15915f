// SPDX-License-Identifier: Apache-2.0
//
// What the shipped cleaner does to texts that nobody made to harm: the Markdown and changelogs that this
// computer has. Prints how many stay byte for byte, what changed the others, and how many became code as a
// whole; lists those. Not a test of the suite, since computers differ: node tests/oracle/benign.mjs [FOLDER…]

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { clean } from './sanitize.mjs'

const folders = process.argv.length > 2 ? process.argv.slice(2) : ['/usr/share/doc', '/usr/lib/node_modules', 'tests']
const files = []

function look(folder, depth) {
  let entries = []
  try {
    entries = readdirSync(folder, { withFileTypes: true })
  } catch {
    return
  }
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && depth < 9) look(path, depth + 1)
    else if (entry.isFile() && /(\.md|readme|changelog|news|history|changes)(\.debian)?(\.txt)?(\.gz)?$/i.test(entry.name)) files.push(path)
  }
}
for (const folder of folders) look(folder, 0)

const texts = []
const names = []
for (const path of files) {
  if (statSync(path).size > 1 << 20) continue
  let bytes = readFileSync(path)
  if (path.endsWith('.gz')) bytes = gunzipSync(bytes)
  // As long as GitHub takes a text.
  const text = bytes.toString('utf8').slice(0, 65536).toWellFormed()
  if (text.includes('\u0000')) continue
  texts.push(text)
  names.push(path)
}

const kinds = new Map()
let same = 0
let escapes = 0
let fallbacks = 0
let bytes = 0
let lines = 0
let kept = 0
for (let from = 0; from < texts.length; from += 500) {
  const answers = clean('comment_text', texts.slice(from, from + 500))
  for (const [i, answer] of answers.entries()) {
    const text = texts[from + i].replace(/\r\n?/g, '\n').trim()
    bytes += text.length
    const findings = answer.findings.filter((f) => f.kind !== 'stripped')
    const out = new Set(answer.output.split('\n'))
    for (const line of text.split('\n')) {
      lines++
      kept += out.has(line)
    }
    if (answer.output === text) same++
    else if (answer.fallback) {
      fallbacks++
      console.log(`${answer.reason}: ${names[from + i]}`)
    } else if (findings.length === 0) escapes++
    for (const kind of new Set(findings.map((finding) => finding.kind))) kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
    if (answer.refused) console.log(`refused: ${names[from + i]}: ${answer.reason}`)
  }
}
const share = (n) => `${n} (${((100 * n) / texts.length).toFixed(2)} %)`
console.log(`${texts.length} texts, ${(bytes / 1e6).toFixed(1)} MB`)
console.log(`lines that stay byte for byte: ${((100 * kept) / lines).toFixed(2)} % of ${lines}`)
console.log(`byte for byte the same: ${share(same)}`)
console.log(`escapes alone: ${share(escapes)}`)
console.log(`as a whole code: ${share(fallbacks)}`)
console.log('texts with:')
for (const [kind, n] of [...kinds].sort((a, b) => b[1] - a[1])) console.log(`  ${kind}: ${share(n)}`)
