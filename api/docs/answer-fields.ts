import { html, type Html } from '../../web/parts/html.ts'
import { inlineCode } from '../../web/parts/inline-code.ts'
import type { JsonSchema } from '../json-schema.ts'
import { nameOf, resolved } from '../openapi-components.ts'
import type { OpenApiDocument } from '../openapi.ts'

type Components = OpenApiDocument['components']

/** Where a list of fields is made: what the page has described so far is not described again. */
interface Place {
  components: Components
  seen: Set<string>
  /** Objects inside so many others are only named. */
  levels: number
}

/** Longest list on a page, in characters of its HTML. A longer one is shown with fewer levels. */
const LONGEST = 8_000
const MOST_LEVELS = 8

/** The fields of a request or an answer as nested lists. An object that comes again is only named. */
export function fieldsList(schema: JsonSchema, components: Components): Html {
  const objects = objectsIn(schema, components)
  if (objects.length === 0) return html`<p>${typeText(schema, components)}</p>`
  for (let levels = MOST_LEVELS; ; levels--) {
    const shown = options(objects, { components, seen: new Set(), levels })
    if (shown.html.length > LONGEST && levels > 1) continue
    const rest =
      levels < MOST_LEVELS &&
      html`<p class="soft">
        The fields of inner objects are in <a href="/v1/openapi.json">openapi.json</a> under their names.
      </p>`
    return html`<div class="fields">${shown}</div>
      ${rest}`
  }
}

const options = (objects: readonly JsonSchema[], place: Place): Html =>
  html`${objects.map((one, n) => html`${n > 0 && html`<p>or</p>`}${fieldsOf(one, place)}`)}`

function fieldsOf(object: JsonSchema, place: Place): Html {
  const { components, seen, levels } = place
  const deeper = { ...place, levels: levels - 1 }
  if (typeof object['$ref'] === 'string') {
    if (seen.has(object['$ref'])) return html` (as above)`
    seen.add(object['$ref'])
  }
  const {
    properties,
    required = [],
    additionalProperties,
  } = resolved(object, components) as {
    properties?: Record<string, JsonSchema>
    required?: string[]
    additionalProperties?: JsonSchema
  }
  const entries = properties ? Object.entries(properties) : [['…', additionalProperties!] as const]
  return html`<ul>
    ${entries.map(([name, schema]) => {
      const { description } = { ...resolved(schema, components), ...schema } as { description?: string }
      const inside = objectsIn(schema, components)
      const isOptional = properties !== undefined && !required.includes(name)
      // End tags of items are optional, and pages have hundreds of them.
      return html`<li>
        <code>${name}</code> <i>${typeText(schema, components)}${isOptional && ', optional'}</i>${
          description !== undefined && html`: ${inlineCode(description)}`
        }${levels > 1 && inside.length > 0 && options(inside, deeper)}
       `
    })}
  </ul>`
}

/** The objects that a schema stands for, as references: itself, the items of its list, or the options of its union. */
function objectsIn(schema: JsonSchema, components: Components): JsonSchema[] {
  const { type, items, anyOf, oneOf } = resolved(schema, components) as Parts
  if (type === 'object') return [schema]
  if (items) return objectsIn(items, components)
  return (anyOf ?? oneOf ?? []).flatMap((option) => objectsIn(option, components))
}

interface Parts {
  type?: string | string[]
  items?: JsonSchema
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  enum?: unknown[]
}

function typeText(schema: JsonSchema, components: Components): string {
  const own = resolved(schema, components)
  const { type, items, anyOf, oneOf, enum: choices } = own as Parts
  if (type === 'object' && typeof schema['$ref'] === 'string') return nameOf(schema['$ref'])
  if ('const' in own) return JSON.stringify(own['const'])
  if (choices) return choices.map(String).join(' | ')
  if (items) return `list of ${plural(typeText(items, components))}`
  const either = anyOf ?? oneOf
  // Next to a `type`, anyOf only lists formats of text.
  if (either && type === undefined)
    return [...new Set(either.map((option) => typeText(option, components)))].join(' or ')
  return Array.isArray(type) ? type.join(' or ') : (type ?? 'any value')
}

const plural = (text: string): string =>
  /^(object|number|string|integer|boolean)$/.test(text) ? `${text}s` : text
