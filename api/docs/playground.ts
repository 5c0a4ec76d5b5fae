import { content, html, type Html } from '../../web/parts/html.ts'
import type { JsonSchema } from '../json-schema.ts'
import type { Parameter } from '../openapi.ts'
import type { DocsOperation } from './docs-operations.ts'
import { jsonText } from './literals.ts'
import { shownParameters } from './parameters-table.ts'
import { pickList } from './pick-lists.ts'
import { type RecordedCall, textValues } from '../recorded-calls.ts'

/**
 * The form that calls an endpoint, filled in with the recorded call. call-form.js finds the fields by their data
 * attributes.
 */
export function playground(of: DocsOperation, call: RecordedCall | null): Html {
  const { method, path, operation } = of
  const given = call ? textValues(path, call) : new Map<string, string>()
  const isKeyed = operation.security.length > 0
  return html`<p class="panel problem" id="no-script">
      Without JavaScript you can read this page but not call the API from it.
    </p>
    <form autocomplete="off" data-method="${method}" data-path="${path}">
      ${isKeyed && keyField()}
      ${shownParameters(operation.parameters).map((parameter) => field(of, { parameter, given }))}
      ${operation.requestBody !== undefined && bodyField(operation.requestBody as { required: boolean }, call)}
      <button>Call ${method} ${path}</button>
    </form>
    <div class="answer" aria-live="polite"></div>`
}

const keyField = (): Html =>
  html`<label>
      API key
      <input id="key" type="password" autocomplete="off" spellcheck="false" aria-describedby="about-key" />
    </label>
    <label class="check"><input type="checkbox" id="keep-key" /> Keep the key until this tab is closed</label>
    <p class="soft" id="about-key">
      Used for the calls of this page, which cost credits. The page does not store it unless you say so.
    </p>`

function field(
  of: DocsOperation,
  { parameter, given }: { parameter: Parameter; given: ReadonlyMap<string, string> },
): Html {
  const { name, in: place, required, schema } = parameter
  const list = pickList(of, name)
  // Ids of an account are those of the account that was recorded, and no others have them.
  const value = list?.isOwn ? '' : (given.get(name) ?? '')
  const id = `${place}-${name}`
  const shared = html`id="${id}" data-name="${name}" data-in="${place}"${required && html` required`}`
  return html`<label for="${id}"
      ><code>${name}</code>
      <span class="soft"
        >${[place !== 'query' && place, required && 'required'].filter(Boolean).join(', ')}</span
      ></label
    >
    ${control(schema, { shared, value })} ${list && pickButton(id, list)}`
}

const pickButton = (
  id: string,
  { path, items, value, label }: NonNullable<ReturnType<typeof pickList>>,
): Html =>
  html`<button
    type="button"
    class="plain"
    data-for="${id}"
    data-from="${path}"
    data-items="${items}"
    data-value="${value}"
    data-label="${label}"
  >
    Choose from GET ${path.split('?')[0]}
  </button>`

function control(schema: JsonSchema, { shared, value }: { shared: Html; value: string }): Html {
  const {
    enum: choices,
    items,
    default: fallback,
  } = schema as {
    enum?: string[]
    items?: { enum?: string[] }
    default?: unknown
  }
  const unset = fallback === undefined ? '' : String(fallback)
  const chosen = value.split(',')
  // The end tag is optional, and some lists have many choices.
  const option = (choice: string) => html`<option${chosen.includes(choice) && html` selected`}>${choice}`
  if (items?.enum)
    return html`<select ${shared} multiple size="${Math.min(items.enum.length, 6)}">
      ${items.enum.map(option)}
    </select>`
  if (choices)
    return html`<select ${shared}>
      <option value="">${unset}</option>
      ${choices.map(option)}
    </select>`
  return html`<input
    ${shared}
    value="${value}"
    placeholder="${unset}"
    autocomplete="off"
    spellcheck="false"
  />`
}

function bodyField({ required }: { required: boolean }, call: RecordedCall | null): Html {
  const text = call?.body === undefined ? '' : jsonText(call.body)
  return html`<label for="body">Body <span class="soft">JSON${required && ', required'}</span></label>
    <textarea
      id="body"
      data-in="body"
      rows="${Math.min(Math.max(text.split('\n').length, 4), 14)}"
      spellcheck="false"
      ${required && html` required`}
    >
${content(text)}</textarea>`
}
