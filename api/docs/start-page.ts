import { html } from '../../web/parts/html.ts'
import type { OpenApiDocument } from '../openapi.ts'
import { docsPage } from './docs-layout.ts'
import { docsOperations, tagHref } from './docs-operations.ts'

/** How to begin, and all operations by tag. Each keeps the anchor that it had when all were on one page. */
export function startPage(document: OpenApiDocument, script: string): string {
  const { info, tags } = document
  const operations = docsOperations(document)
  const body = html`<p>
      ${info.description} For programs: <a href="/v1/openapi.json">openapi.json</a>. For language models:
      <a href="/llms.txt">llms.txt</a>.
    </p>
    <h2>Begin</h2>
    <ol>
      <li>
        Get a key: <code>npm start</code> prints one for the sandbox, and the
        <a href="/account">account page</a>
        makes one where the operator has set it up.
      </li>
      <li>Send it in <code>X-API-KEY</code> or as <code>Authorization: Bearer</code>, not in both.</li>
      <li>
        Call something:
        <pre tabindex="0" role="region" aria-label="A first call">
curl -s -H "X-API-KEY: $KEY" "$API/coins?limit=2"</pre>
        <code>API</code> is the address of this installation with <code>/v1</code>.
      </li>
      <li>
        Each answer says its price and what is left in <code>X-Credits-Cost</code> and
        <code>X-Credits-Remaining</code>. <a href="/v1/docs/credits">Work out</a> what a month of calls costs.
      </li>
    </ol>
    ${tags.map(
      ({ name, description }) =>
        html`<h2><a href="${tagHref(name)}">${name}</a></h2>
          <p>${description}</p>
          <ul>
            ${operations
              .filter(({ tag }) => tag === name)
              .map(
                ({ method, path, href, operation }) =>
                  html`<li id="${operation.operationId}">
                    <a href="${href}">${operation.summary}</a> <code>${method} ${path}</code>
                  </li>`,
              )}
          </ul>`,
    )}`
  return docsPage({ at: '/v1/docs', title: `${info.title} API ${info.version}`, body, script })
}
