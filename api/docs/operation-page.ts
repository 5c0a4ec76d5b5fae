import { content, html, type Html } from '../../web/parts/html.ts'
import { inlineCode } from '../../web/parts/inline-code.ts'
import type { JsonSchema } from '../json-schema.ts'
import { answersJson, type OpenApiDocument } from '../openapi.ts'
import { fieldsList } from './answer-fields.ts'
import { callExamples } from './call-examples.ts'
import { docsPage } from './docs-layout.ts'
import { type DocsOperation, tagHref } from './docs-operations.ts'
import { jsonText } from './literals.ts'
import { parametersTable, shownParameters } from './parameters-table.ts'
import { playground } from './playground.ts'
import { type RecordedCall, recordedCall } from '../recorded-calls.ts'

interface Content {
  content: Record<string, { schema: JsonSchema }>
}

/** The page of one operation: what it takes and answers, an example, and a form that calls it. */
export function operationPage(of: DocsOperation, document: OpenApiDocument, script: string): string {
  const { method, path, operation, tag, href } = of
  const { operationId, summary, description, deprecated, parameters, requestBody, responses } = operation
  const call = recordedCall(operationId)
  const schemaIn = ({ content }: Content): JsonSchema => Object.values(content)[0]!.schema
  const body = html`<p>
      <code>${method} /v1${path}</code>${deprecated && html` <strong>deprecated</strong>`}
    </p>
    ${description.split('\n\n').map((paragraph) => html`<p>${inlineCode(paragraph)}</p>`)}
    <h2>Parameters</h2>
    ${parametersTable(shownParameters(parameters))}
    ${
      requestBody !== undefined &&
      html`<h3>Body</h3>
        ${fieldsList(schemaIn(requestBody as Content), document.components)}`
    }
    ${call && exampleSection(of, call)}
    <h2>Try it</h2>
    ${playground(of, call)}
    <h2>Answer</h2>
    ${!answersJson(operation) && html`<p>Server-sent events. The data of each is:</p>`}
    ${fieldsList(schemaIn(responses['200'] as Content), document.components)}
    <h2>Errors</h2>
    <p>
      Status codes:
      ${Object.keys(responses)
        .filter((status) => status !== '200')
        .map((status, n) => html`${n > 0 && ', '}<a href="/v1/docs/errors#status-${status}">${status}</a>`)}
    </p>`
  return docsPage({
    at: href,
    title: summary,
    tag: { href: tagHref(tag), name: tag },
    body,
    script,
  })
}

/** Longest answer on a page, in characters. */
const LONGEST = 10_000

function exampleSection(of: DocsOperation, call: RecordedCall): Html {
  const { answer, isCut } = call
  const whole = typeof answer === 'string' ? answer : jsonText(answer)
  const text = whole.length <= LONGEST ? whole : `${whole.slice(0, whole.lastIndexOf('\n', LONGEST))}\n…`
  return html`<h2>Example</h2>
    <p class="soft">
      A call to the sandbox and its answer, recorded by a
      test${isCut && '. Longer lists show their first items'}.
      <code>API</code> is the address of this installation with <code>/v1</code>, <code>KEY</code> your key.
    </p>
    ${callExamples(of, call)}
    <h3>Answer of the example</h3>
    <pre tabindex="0" role="region" aria-label="Answer of the example">${content(text)}</pre>
    ${text !== whole && html`<p class="soft">The whole answer is in <a href="/v1/openapi.json">openapi.json</a>.</p>`}`
}
