// SPDX-License-Identifier: Apache-2.0
//
// What GitHub makes of Markdown, by other hands than the cleaner's: micromark reads it, parse5 reads the
// HTML, and a model of GitHub's filters looks at the text nodes. Shares no code and no table with runtime/.

import { compiled } from './compile.mjs'
import { parseFragment } from 'parse5'

const HERE = 'https://github.com/acme/widgets/issues/1'

// Tokens that no cleaned text may have, whatever HTML they give.
const FORBIDDEN = {
  htmlFlow: 'html',
  htmlText: 'html',
  image: 'image',
  definition: 'definition',
  gfmFootnoteDefinition: 'note',
  gfmFootnoteCall: 'note',
  taskListCheck: 'checkbox',
  atxHeading: 'heading',
  setextHeading: 'heading',
  table: 'table'
}

function tokens(markdown, events) {
  const found = []
  for (const [what, token] of events) {
    if (what === 'enter' && FORBIDDEN[token.type] !== undefined)
      found.push({
        kind: FORBIDDEN[token.type],
        text: markdown.slice(token.start.offset, token.end.offset)
      })
  }
  return found
}

// ---- the filters on text nodes ------------------------------------------------------------------

const before = '(?<![A-Za-z0-9])'
const rules = [
  ['mention', new RegExp(`${before}@[A-Za-z0-9][A-Za-z0-9_-]*(?:/[A-Za-z0-9_.-]+)?`, 'g')],
  ['reference', /[A-Za-z0-9_.-]*[A-Za-z0-9_.-]\/[A-Za-z0-9_.-]+#\d+/g],
  ['reference', /[A-Za-z0-9][A-Za-z0-9-]*#\d+/g],
  ['reference', new RegExp(`${before}#\\d+`, 'g')],
  ['reference', new RegExp(`${before}GH-\\d+`, 'gi')],
  ['reference', /[A-Za-z0-9][A-Za-z0-9_.-]*@[0-9a-f]{7,40}(?![A-Za-z0-9])/g],
  ['reference', new RegExp(`${before}GHSA(?:-[A-Za-z0-9]{4}){3}`, 'gi')],
  ['address', /(?<![A-Za-z])(?:https?|ftp):\/\/[^\s<]+/gi],
  ['address', /(?<![A-Za-z0-9_.-])www\.[^\s<]+/gi],
  ['email', /[A-Za-z0-9.+_-]+@[A-Za-z0-9_-]+\.[A-Za-z0-9_.-]*[A-Za-z]/g]
]

// How far of it an address is linked: signs at its end are not, nor what looks like a reference to a character, nor a
// parenthesis that it does not open (GFM 6.9; cmark-gfm leaves out every semicolon).
function linked(address) {
  let end = address.length
  for (;;) {
    const last = address[end - 1]
    const count = (sign) => address.slice(0, end).split(sign).length
    if (last === ';') end -= /&[A-Za-z]+;$/.exec(address.slice(0, end))?.[0].length ?? 1
    else if (/[?!.,:*_~'"]/.test(last) || (last === ')' && count(')') > count('('))) end--
    else return address.slice(0, end)
  }
}

const isAddress = ([kind]) => kind === 'address'

// Addresses that may be there become links, in which GitHub looks for nothing more.
function withoutOwn(text, allowed) {
  for (const [, rule] of rules.filter(isAddress))
    text = text.replace(rule, (address) => {
      const link = linked(address)
      return isAllowed(link, allowed) ? ' '.repeat(link.length) + address.slice(link.length) : address
    })
  return text
}

function ofText(whole, allowed) {
  const found = []
  const taken = new Set()
  const text = withoutOwn(whole, allowed)
  for (const [kind, rule] of rules) {
    for (const match of text.matchAll(rule)) {
      const end = match.index + match[0].length
      if (kind === 'reference' && taken.has(end)) continue
      if (kind === 'reference') taken.add(end)
      if (!allowed.references.has(match[0])) found.push({ kind, text: match[0] })
    }
  }
  return found
}

function isAllowed(href, allowed) {
  let url
  try {
    url = new URL(href, HERE)
  } catch {
    return false
  }
  if (allowed.links.has(url.href)) return true
  return (
    url.protocol === 'https:' &&
    url.host === 'github.com' &&
    url.username === '' &&
    url.password === '' &&
    url.port === '' &&
    isPage(url.pathname.split('/').slice(1), url.search)
  )
}

// A page of the own repository that shows what stands there: no form with words in it, no branch of a fork.
function isPage([owner, name, kind, ...rest], query) {
  if (`${owner}/${name}`.toLowerCase() !== 'acme/widgets') return false
  const more = rest.length > 0 && rest[0] !== ''
  const isNumber = /^[0-9]+$/.test(rest[0] ?? '')
  switch (kind?.toLowerCase()) {
    case 'blob':
    case 'tree':
      return more && ['', '?plain=1'].includes(query)
    case 'issues':
      return query === '' && (!more || isNumber)
    case 'pull':
      return query === '' && isNumber
    case 'releases':
      return query === '' && (!more || ['latest', 'tag', 'download'].includes(rest[0].toLowerCase()))
    case 'commit':
      return query === '' && /^[0-9a-f]{7,}$/i.test(rest[0] ?? '')
    case 'compare':
      return query === '' && more && !/[:%]/.test(rest.join('/'))
    default:
      return false
  }
}

// What GitHub's renderer of formulas would take, in the text of one block; code is one sign that is no dollar.
const FORMULAS = [/\$\$[^]+?\$\$/g, /\$\uFFFC\$/g, /\$(?![\s$])(?:[^$]*[^\s$])?\$(?![A-Za-z0-9])/g]
const BLOCKS = new Set('p li h1 h2 h3 h4 h5 h6 td th blockquote div #document-fragment'.split(' '))

function flat(node) {
  if (node.nodeName === '#text') return node.value
  if (node.nodeName === 'code' || node.nodeName === 'pre') return '\uFFFC'
  return (node.childNodes ?? []).map((child) => (BLOCKS.has(child.nodeName) ? '\n\n' : flat(child))).join('')
}

function formulas(node, found) {
  if (BLOCKS.has(node.nodeName)) {
    const text = flat(node)
    for (const rule of FORMULAS)
      for (const paragraph of text.split(/\n[ \t]*\n/))
        for (const match of paragraph.matchAll(rule)) found.push({ kind: 'formula', text: match[0] })
  }
  for (const child of node.childNodes ?? []) formulas(child, found)
}

const KNOWN = new Set(
  ('p br em strong del code pre a ul ol li blockquote h1 h2 h3 h4 h5 h6 hr table thead tbody tr th td ' +
    'input section sup').split(' ')
)

function walk(node, allowed, found) {
  for (const child of node.childNodes ?? []) {
    const attribute = (name) => child.attrs?.find((a) => a.name === name)?.value
    if (child.nodeName === '#text') found.push(...ofText(child.value, allowed))
    else if (child.nodeName === '#comment') found.push({ kind: 'html', text: child.data })
    else if (child.nodeName === 'img') found.push({ kind: 'image', text: attribute('src') ?? '' })
    else if (child.nodeName === 'a') {
      const href = attribute('href') ?? ''
      if (!isAllowed(href, allowed)) found.push({ kind: 'link', text: href })
      if (attribute('title') !== undefined) found.push({ kind: 'title', text: attribute('title') })
    } else if (!KNOWN.has(child.nodeName)) found.push({ kind: 'html', text: child.nodeName })
    else if (child.nodeName === 'code' || child.nodeName === 'pre') continue
    else walk(child, allowed, found)
  }
}

// What of `markdown` GitHub would make live, and the code and links that a reader sees, in order: what has to
// be the same around a text. `allowed`: references that may stay, as written, and links.
export function read(markdown, allowed = { references: new Set(), links: new Set() }) {
  const { events, html } = compiled(markdown)
  const found = tokens(markdown, events)
  const tree = parseFragment(html)
  walk(tree, allowed, found)
  formulas(tree, found)
  return { found, ...seen(tree) }
}

function seen(tree) {
  const code = []
  const links = []
  const images = []
  const look = (node) => {
    for (const child of node.childNodes ?? []) {
      if (child.nodeName === 'code') code.push(text(child))
      else if (child.nodeName === 'img') images.push(child.attrs.find((a) => a.name === 'src')?.value)
      else if (child.nodeName === 'a') links.push(child.attrs.find((a) => a.name === 'href')?.value)
      if (child.nodeName !== 'code') look(child)
    }
  }
  look(tree)
  return { code, links, images }
}

function text(node) {
  return node.nodeName === '#text' ? node.value : (node.childNodes ?? []).map(text).join('')
}
