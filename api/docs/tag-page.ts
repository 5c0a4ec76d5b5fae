import { html, type Html } from '../../web/parts/html.ts'
import { docsPage } from './docs-layout.ts'
import { type DocsOperation, tagHref } from './docs-operations.ts'

/** The page of a tag: its operations with their prices. */
export function tagPage(
  { name, description }: { name: string; description: string },
  operations: readonly DocsOperation[],
): string {
  return docsPage({
    at: tagHref(name),
    title: name,
    body: html`<p>${description}</p>
      ${operations.map(operationPanel)}`,
  })
}

function operationPanel({ method, path, href, operation }: DocsOperation): Html {
  const paragraphs = operation.description.split('\n\n')
  return html`<section class="panel">
    <h2><a href="${href}">${operation.summary}</a>${operation.deprecated && ' (deprecated)'}</h2>
    <p><code>${method} /v1${path}</code> <span class="soft">${paragraphs.at(-1)}</span></p>
  </section>`
}
