import { html, type Html } from '../../web/parts/html.ts'
import { page } from '../../web/parts/page.ts'

/** Pages of the reference besides those of tags, in the order of its navigation. */
const PLACES = [
  ['/v1/docs', 'Reference'],
  ['/v1/docs/errors', 'Errors'],
  ['/v1/docs/credits', 'Credits'],
  ['/v1/docs/changelog', 'Changelog'],
] as const

/** One page of the reference. `at`: its path; `tag`: the page above it. */
export function docsPage(content: {
  at: string
  title: string
  tag?: { href: string; name: string }
  body: Html
  /** What was searched for. */
  query?: string
  script?: string
}): string {
  const { at, title, tag, body, query = '', script } = content
  const header = html`<header>
    <nav aria-label="Reference">
      ${PLACES.map(([href, name]) => html`<a href="${href}" ${href === at && html` aria-current="page"`}>${name}</a>`)}
      ${tag && html`› <a href="${tag.href}">${tag.name}</a>`}
      <form action="/v1/docs/search" role="search">
        <label>Search <input type="search" name="q" value="${query}" maxlength="100" /></label>
      </form>
    </nav>
  </header>`
  return page({ title, header, body, ...(script !== undefined && { script, isModule: true }) })
}
