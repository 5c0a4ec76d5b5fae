import { html, type Html } from '../../web/parts/html.ts'
import type { JsonSchema } from '../json-schema.ts'
import type { OpenApiDocument, Operation, Parameter } from '../openapi.ts'
import { resolved } from '../openapi-components.ts'

/**
 * One endpoint: its description and the form that calls it. call-form.js finds the fields by their data
 * attributes.
 */
export function operationSection(
  entry: { path: string; method: string; operation: Operation },
  components: OpenApiDocument['components'],
): Html {
  const { path, method, operation } = entry
  const { operationId, summary, description, deprecated, parameters, requestBody, responses } = operation
  return html`<details id="${operationId}">
    <summary><code>${method} /v1${path}</code> ${summary}${deprecated && ' (deprecated)'}</summary>
    ${description.split('\n\n').map((paragraph) => html`<p>${paragraph}</p>`)}
    <p>Status codes: ${Object.keys(responses).join(', ')}</p>
    <form data-method="${method}" data-path="${path}">
      ${parameters.filter(({ name }) => !name.includes('~')).map(field)}
      ${requestBody !== undefined && bodyField(requestBody as RequestBody, components)}
      <button>Call ${method} ${path}</button>
    </form>
    <div class="answer" aria-live="polite"></div>
  </details>`
}

interface RequestBody {
  required: boolean
  content: { 'application/json': { schema: JsonSchema } }
}

function field({ name, in: place, required, description, schema }: Parameter): Html {
  const { enum: choices, default: fallback } = schema as { enum?: string[]; default?: unknown }
  const about = [place !== 'query' && place, required && 'required', description, valuesOf(schema)]
  const shared = html`data-name="${name}" data-in="${place}"${required && html` required`}`
  const unset = fallback === undefined ? '' : String(fallback)
  return html`<label>
    <code>${name}</code> <span class="soft">${about.filter(Boolean).join('; ')}</span>
    ${
      choices
        ? html`<select ${shared}>
            <option value="">${unset}</option>
            ${choices.map((choice) => html`<option>${choice}</option>`)}
          </select>`
        : html`<input ${shared} placeholder="${unset}" autocomplete="off" spellcheck="false" />`
    }
  </label>`
}

function bodyField({ required, content }: RequestBody, components: OpenApiDocument['components']): Html {
  type Fields = { properties?: object; required?: string[] }
  const schema = resolved(content['application/json'].schema, components)
  const options = (schema['oneOf'] as JsonSchema[] | undefined) ?? [schema]
  const forms: Fields[] = options.map((option) => resolved(option, components))
  const all = new Set(forms.flatMap(({ properties = {} }) => Object.keys(properties)))
  const isNeeded = (name: string) => forms.every(({ required: needed }) => needed?.includes(name))
  const names = [...all].map((name) => (isNeeded(name) ? `${name} (required)` : name))
  return html`<label>
    Body <span class="soft">JSON${required && ', required'}; ${names.join(', ')}</span>
    <textarea data-in="body" rows="4" spellcheck="false" ${required && html` required`}></textarea>
  </label>`
}

function valuesOf({ type, minimum, maximum, items }: JsonSchema): string | undefined {
  if (type === 'array') {
    const choices = (items as { enum?: string[] }).enum
    return choices
      ? `one or more, separated by commas: ${choices.join(', ')}`
      : 'one or more, separated by commas'
  }
  return minimum === undefined ? undefined : `${Number(minimum)} to ${Number(maximum)}`
}
