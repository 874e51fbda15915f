// SPDX-License-Identifier: Apache-2.0
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))

// What the sanitizer of the shipped policy makes of the texts; one run of the program for all of them.
export function clean(sanitizer, texts) {
  const run = spawnSync(
    process.env.BL_BYLAW,
    ['try', 'sanitizer', sanitizer, '--jsonl', '-p', process.env.BL_POLICY ?? join(here, '../../policies/issue_assistant'), '-w', join(here, 'world.json')],
    {
      input: texts.map((input, id) => JSON.stringify({ id, input }) + '\n').join(''),
      maxBuffer: 1 << 30,
      encoding: 'utf8',
      env: { PATH: process.env.PATH }
    }
  )
  if (run.status !== 0) throw new Error(`bylaw ended with ${run.status}: ${run.stderr.slice(0, 2000)}`)
  const lines = run.stdout.split('\n').filter((line) => line !== '')
  if (lines.length !== texts.length) throw new Error(`${lines.length} answers to ${texts.length} texts`)
  return lines.map((line, id) => {
    const answer = JSON.parse(line)
    if (answer.id !== id) throw new Error(`answer ${answer.id} to text ${id}`)
    return answer
  })
}

// References that the world of the tests has.
export const allowed = {
  references: { has: (text) => /^(?:#|gh-)0*7$/i.test(text) },
  links: new Set()
}
