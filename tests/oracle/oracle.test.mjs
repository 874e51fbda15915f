// SPDX-License-Identifier: Apache-2.0
//
// The oracle itself, held to what GitHub's renderer made of the same Markdown.
// req: TST-02 TST-03 TST-04

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readdirSync, readFileSync } from 'node:fs'
import { parseFragment } from 'parse5'
import { read } from './oracle.mjs'

const folder = new URL('recordings/', import.meta.url)
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.md'))
  .map((name) => name.slice(0, -3))

// Code and links of GitHub's HTML, without what GitHub adds: anchors of headings, notes, its own images.
function recorded(html) {
  const out = { code: [], links: [] }
  const attribute = (node, name) => node.attrs?.find((a) => a.name === name)?.value
  const text = (node) => (node.nodeName === '#text' ? node.value : (node.childNodes ?? []).map(text).join(''))
  const look = (node) => {
    for (const child of node.childNodes ?? []) {
      if (child.nodeName === 'code' || child.nodeName === 'pre') {
        out.code.push(text(child).replace(/\n$/, ''))
        continue
      }
      const href = child.nodeName === 'a' ? attribute(child, 'href') : undefined
      if (href !== undefined && !href.startsWith('#') && !/camo\.githubusercontent|\/raw\//.test(href)) out.links.push(href)
      look(child)
    }
  }
  look(parseFragment(html))
  return out
}

test('every link that GitHub makes is one for the oracle, and code is code', (t) => {
  let compared = 0
  const others = []
  for (const name of names) {
    const markdown = readFileSync(new URL(name + '.md', folder), 'utf8')
    const github = recorded(readFileSync(new URL(name + '.html', folder), 'utf8'))
    const ours = read(markdown)
    const missing = github.links.filter(
      (href) => !ours.links.some((link) => same(link, href)) && !ours.found.some((found) => says(found, href))
    )
    if (missing.length > 0) others.push(name)
    else compared++
  }
  assert.deepEqual(others, OTHERWISE)
  t.diagnostic(`${compared} of ${names.length} recordings agree`)
  assert.ok(compared > 80)
})

// Where a link of GitHub ends at another byte than micromark's, so that only its target differs.
// Images get a link to themselves, which is GitHub's own.
const OTHERWISE = [
  'gfm-autolink-literal__http-path-start',
  'gfm-autolink-literal__www-domain-continue',
  'gfm-autolink-literal__www-domain-start.comment',
  'rehype-github__image__baseline',
  'rehype-github__image__domain',
  'rehype-github__image__errors',
  'rehype-github__image__title'
]

// A bare address that micromark ends elsewhere, or does not link and the model of the filters reports.
function says(found, href) {
  const bare = (x) => x.replace(/^(?:mailto:|https?:\/\/)/i, '').slice(0, 6)
  return ['address', 'email', 'link'].includes(found.kind) && bare(found.text) === bare(href.replace(/%5D/g, ']'))
}

function same(a, b) {
  const plain = (x) => {
    try {
      return new URL(decodeURI(x), 'https://github.com/').href
    } catch {
      return x
    }
  }
  return plain(a ?? '') === plain(b)
}

test('mentions, references and addresses in text are seen as GitHub sees them', () => {
  const live = (markdown) => read(markdown).found.map((f) => `${f.kind} ${f.text}`)
  assert.deepEqual(live('\\@octocat'), ['mention @octocat'])
  assert.deepEqual(live('&#64;octocat'), ['mention @octocat'])
  assert.deepEqual(live('a@octocat'), [])
  assert.deepEqual(live('`@octocat` a'), [])
  assert.deepEqual(live('`x`@octocat'), ['mention @octocat'])
  assert.deepEqual(live('other/repo#5'), ['reference other/repo#5'])
  assert.deepEqual(live('GH-12 #3'), ['reference #3', 'reference GH-12'])
  assert.deepEqual(live('octocat@deadbeef1'), ['reference octocat@deadbeef1'])
  assert.deepEqual(live('[x](https://github.com/acme/widgets/issues/7)'), [])
  assert.deepEqual(live('[x](https://github.com/acme/widgets/../../evil)'), ['link https://github.com/acme/widgets/../../evil'])
  // Micromark links nothing behind a bracket that nothing closes; GitHub's link ends before the last sign.
  assert.deepEqual(live('[(https://github.com/acme/widgets/issues/7) x'), [])
  assert.deepEqual(live('[ https://github.com/acme/widgets/issues/7.'), [])
  assert.deepEqual(live('[(https://github.com/acme/widgets/issues/new?title=x). y').length, 1)
  assert.deepEqual(live('[(https://evil.example/a) x').length, 1)
  assert.deepEqual(live('<b>x</b>').length > 0, true)
  assert.deepEqual(live('a\n:-'), ['table a\n:-'])
})
