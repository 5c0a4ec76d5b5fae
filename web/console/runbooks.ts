import { existsSync, readFileSync } from 'node:fs'
import { html, type Html } from '../parts/html.ts'
import { inlineCode } from '../parts/inline-code.ts'

const FILE = new URL('../../docs/runbooks.md', import.meta.url)

/** Paragraphs of each section of docs/runbooks.md by its rule. Empty where the page is not installed. */
const SECTIONS: ReadonlyMap<string, readonly string[]> = new Map(
  (existsSync(FILE) ? readFileSync(FILE, 'utf8') : '')
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [rule = '', ...paragraphs] = section.split(/\n\n+/).map((text) => text.trim())
      return [rule, paragraphs.filter((text) => text !== '')]
    }),
)

export const hasRunbook = (rule: string): boolean => SECTIONS.has(rule)

/** What a rule means, where to look and how to mend it; null: there is no such rule. */
export function runbook(rule: string): Html | null {
  const paragraphs = SECTIONS.get(rule)
  return paragraphs ? html`${paragraphs.map(paragraph)}` : null
}

/** `**Look.** The log of `sluice sources`, see [NotReady](#notready)` */
function paragraph(text: string): Html {
  const [, head, rest = text] = /^\*\*(\w+\.)\*\*([^]*)$/.exec(text) ?? []
  const parts = rest.split(/(\[[^\]]+\]\([^)]+\))/)
  return html`<p>${head !== undefined && html`<strong>${head}</strong>`}${parts.map(inline)}</p>`
}

/** Links to other runbooks stay links. Those to other pages, which are not served, keep their words. */
function inline(part: string): Html {
  const [, words = part, target = ''] = /^\[([^\]]+)\]\(([^)]+)\)$/.exec(part) ?? []
  return SECTIONS.has(words) && target.startsWith('#')
    ? html`<a href="/console/runbooks/${words}">${words}</a>`
    : inlineCode(words)
}
