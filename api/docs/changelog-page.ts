import { readFileSync } from 'node:fs'
import { html, type Html } from '../../web/parts/html.ts'
import { inlineCode } from '../../web/parts/inline-code.ts'
import { docsPage } from './docs-layout.ts'

const FILE = new URL('../../CHANGELOG.md', import.meta.url)

/** Most characters of lines on the page, so that it stays small while the file grows. */
const MOST_CHARACTERS = 26_000

/** The newest part of CHANGELOG.md as a page. */
export const changelogPage = (): string =>
  docsPage({ at: '/v1/docs/changelog', title: 'Changelog', body: changelog(readFileSync(FILE, 'utf8')) })

/**
 * Headings, lists and paragraphs of a changelog, from the top as far as they fit. Links keep their text: the files
 * are not served.
 */
export function changelog(text: string): Html {
  const blocks = text
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('# '))
  const parts: Html[] = []
  let items: Html[] = []
  let left = MOST_CHARACTERS
  const endList = () => {
    if (items.length > 0)
      parts.push(
        html`<ul>
          ${items}
        </ul>`,
      )
    items = []
  }
  for (const line of blocks) {
    left -= line.length
    if (left < 0) break
    if (line.startsWith('- ')) {
      items.push(html`<li>${inlineCode(line.slice(2))}</li>`)
      continue
    }
    endList()
    if (line.startsWith('### ')) parts.push(html`<h3>${line.slice(4)}</h3>`)
    else if (line.startsWith('## ')) parts.push(html`<h2>${line.slice(3).replaceAll(/[[\]]/g, '')}</h2>`)
    else parts.push(html`<p>${inlineCode(line)}</p>`)
  }
  endList()
  if (left < 0) parts.push(html`<p class="soft">Older changes are in CHANGELOG.md of this version.</p>`)
  return html`${parts}`
}
