import { readFileSync } from 'node:fs'
import { html, type Html } from '../../web/parts/html.ts'
import { inlineCode } from '../../web/parts/inline-code.ts'
import { docsPage } from './docs-layout.ts'

const FILE = new URL('../../CHANGELOG.md', import.meta.url)

/** CHANGELOG.md as a page. */
export const changelogPage = (): string =>
  docsPage({ at: '/v1/docs/changelog', title: 'Changelog', body: changelog(readFileSync(FILE, 'utf8')) })

/** Headings, lists and paragraphs of a changelog. Links keep their text: the files are not served. */
export function changelog(text: string): Html {
  const blocks = text
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('# '))
  const parts: Html[] = []
  let items: Html[] = []
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
  return html`${parts}`
}
