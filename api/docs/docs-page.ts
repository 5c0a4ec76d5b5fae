import { readFileSync } from 'node:fs'
import { html } from '../../web/parts/html.ts'
import { page, pageHeaders } from '../../web/parts/page.ts'
import type { OpenApiDocument } from '../openapi.ts'
import { operationSection } from './operation-section.ts'

/** The script of the forms, and its path. */
export const DOCS_SCRIPT = {
  url: '/v1/docs.js',
  body: readFileSync(new URL('./call-form.js', import.meta.url), 'utf8'),
}

export const DOCS_HEADERS = pageHeaders({ scripted: true })

/** Renders the whole API reference with forms that call the API. The page loads nothing from other hosts. */
export function docsPage({ info, tags, paths, components }: OpenApiDocument): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  const body = html`<p>
      ${info.description} Send the key in <code>X-API-KEY</code> or as <code>Authorization: Bearer</code>. For
      programs: <a href="/v1/openapi.json">openapi.json</a>. For language models:
      <a href="/llms.txt">llms.txt</a>.
    </p>
    <form autocomplete="off">
      <label>
        API key
        <input id="key" type="password" autocomplete="off" spellcheck="false" aria-describedby="about-key" />
      </label>
      <p class="soft" id="about-key">
        Used for the calls on this page, which cost credits. The page does not store it.
      </p>
    </form>
    <p class="panel problem" id="no-script">
      Without JavaScript you can read this page but not call the API from it.
    </p>
    ${tags.map(
      ({ name }) =>
        html`<h2>${name}</h2>
          ${operations.filter(({ operation }) => operation.tags.includes(name)).map((entry) => operationSection(entry, components))}`,
    )}`
  return page({ title: `${info.title} API ${info.version}`, body, script: DOCS_SCRIPT.url })
}
