// SPDX-License-Identifier: Apache-2.0
import { compile, parse, postprocess, preprocess } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'

// Putting the extensions together takes longer than reading a short text, so it's done once; what the parser
// remembers of a text goes before the next.
const parser = parse({ extensions: [gfm()] })
const settings = { allowDangerousHtml: true, allowDangerousProtocol: true, htmlExtensions: [gfmHtml()] }

// The events of the text, and HTML with everything that a stranger wrote in it: GitHub's own filters come later.
export function compiled(markdown) {
  parser.defined = []
  parser.lazy = {}
  delete parser.gfmFootnotes
  const events = postprocess(parser.document().write(preprocess()(markdown, 'utf8', true)))
  return { events, html: compile(settings)(events) }
}
