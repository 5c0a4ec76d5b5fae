import { html } from '../../web/parts/html.ts'
import { inlineCode } from '../../web/parts/inline-code.ts'
import { table } from '../../web/parts/table.ts'
import { ERROR_STATUSES } from '../error-catalogue.ts'
import { errorBody, invalidParameter } from '../errors.ts'
import { docsPage } from './docs-layout.ts'
import { jsonText } from './literals.ts'

const EXAMPLE = errorBody(invalidParameter('limit', 'It must be a whole number from 1 to 1000'), {
  requestId: '019ac2f0-5b1e-7a44-9c3d-8e2f6a70b915',
  path: '/v1/coins',
})

/** The catalogue of errors, by status. */
export function errorsPage(): string {
  const body = html`<p>
      Errors cost no credits. Match status and message: the list changes only by additions. Words in
      <code>&lt;brackets&gt;</code> differ from call to call.
    </p>
    <pre tabindex="0" role="region" aria-label="Body of an error">${jsonText(EXAMPLE)}</pre>
    <p>An operator finds the log lines of a call by its <code>requestId</code>.</p>
    ${ERROR_STATUSES.map(
      ({ status, description, retry, errors }) =>
        html`<h2 id="status-${status}">${status}</h2>
          <p>${description}. Send it again? ${inlineCode(retry)}.</p>
          ${table({
            label: `Errors with status ${status}`,
            columns: ['Message', 'Meaning'],
            rows: errors.map(({ message, meaning, isGateway }) => [
              html`<code>${message}</code>`,
              html`<span>${inlineCode(meaning)}.${isGateway && ' Pay-per-request gateway only.'}</span>`,
            ]),
          })}`,
    )}`
  return docsPage({ at: '/v1/docs/errors', title: 'Errors', body })
}
