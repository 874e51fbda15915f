// SPDX-License-Identifier: Apache-2.0
import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'

// HTML with everything that a stranger wrote in it: GitHub's own filters come later.
export function compileHtml(markdown) {
  return micromark(markdown, 'utf8', {
    allowDangerousHtml: true,
    allowDangerousProtocol: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()]
  })
}
