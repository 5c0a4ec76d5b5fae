import type { JsonSchema } from './json-schema.ts'

/** Named schemas of a document: every object of a request or answer is one. */
export interface SchemaNames {
  /** The same schema with a reference in place of each object. `name` is that of an object without a `title`. */
  refer: (schema: JsonSchema, name: string, suffix?: string) => JsonSchema
  /** The objects by name. */
  components: () => Record<string, JsonSchema>
}

/** Properties of an answer that hold what it is about: their content has its name. */
const TRANSPARENT = new Set(['result', 'results', 'data', 'items'])

/**
 * Names come from `.meta({ title })` of the schema that declares an object or an enumeration. An object without a
 * title has the name of its place: `coins` in `NewsItem` is `NewsItemCoin`. Two that are alike share a name.
 * Throws if two that differ have the same one.
 */
export function schemaNames(all: readonly JsonSchema[]): SchemaNames {
  const titles = new Map<string, string>()
  for (const schema of all) collectTitles(schema, titles)
  const names = new Map<string, string>()
  const components = new Map<string, { text: string; schema: JsonSchema }>()

  function refer(schema: JsonSchema, name: string, suffix = ''): JsonSchema {
    const { description, title, ...own } = schema
    const described = description !== undefined && { description }
    if (own['type'] !== 'object' && title === undefined) return { ...described, ...withParts(own, name) }
    const text = textOf(own)
    const used = (title as string | undefined) ?? titles.get(text) ?? names.get(text) ?? name + suffix
    const known = components.get(used)
    if (known && known.text !== text) throw new Error(`Two schemas have the name ${used}. Give one a title.`)
    if (!known) {
      const isAnswer = suffix !== '' && used === name + suffix
      names.set(text, used)
      components.set(used, { text, schema: {} })
      components.set(used, { text, schema: withParts(own, isAnswer ? name : used, isAnswer) })
    }
    return { $ref: `#/components/schemas/${used}`, ...described }
  }

  /** The schema with references in its parts. `name` is that of the object around them. */
  function withParts(schema: JsonSchema, name: string, isAnswer = false): JsonSchema {
    const parts: JsonSchema = { ...schema }
    const { properties, items, additionalProperties } = schema as Record<string, unknown>
    if (isSchema(properties)) {
      const of = ([key, part]: [string, unknown]) => [
        key,
        refer(part as JsonSchema, isAnswer && TRANSPARENT.has(key) ? name : name + pascal(key)),
      ]
      parts['properties'] = Object.fromEntries(Object.entries(properties).map(of))
    }
    if (isSchema(items)) parts['items'] = refer(items, singular(name))
    if (isSchema(additionalProperties))
      parts['additionalProperties'] = refer(additionalProperties, `${name}Value`)
    for (const word of ['anyOf', 'oneOf'])
      if (Array.isArray(schema[word]))
        parts[word] = (schema[word] as JsonSchema[]).map((option) => refer(option, name + kindOf(option)))
    return parts
  }

  return {
    refer,
    components: () =>
      Object.fromEntries(
        [...components].map(([name, { schema }]) => [name, schema] as const).toSorted(byName),
      ),
  }
}

/** The schema that a reference of the document names, or the schema itself. */
export const resolved = (schema: JsonSchema, components: Record<string, unknown>): JsonSchema =>
  typeof schema['$ref'] === 'string'
    ? (components['schemas'] as Record<string, JsonSchema>)[nameOf(schema['$ref'])]!
    : schema

export const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

export const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) => (a < b ? -1 : 1)

function collectTitles(schema: unknown, titles: Map<string, string>): void {
  if (typeof schema !== 'object' || schema === null) return
  const { description: _description, title, ...own } = schema as JsonSchema
  if (typeof title === 'string') titles.set(textOf(own), title)
  for (const part of Object.values(own)) collectTitles(part, titles)
}

/** Equal for schemas that say the same, whatever the order of their keys and the names inside. */
const textOf = (schema: unknown): string =>
  JSON.stringify(schema, (key, value: unknown) => {
    if (key === 'title' && typeof value === 'string') return undefined
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  })

/** What sets an option of a union apart: the value of its `type`. */
function kindOf({ properties }: JsonSchema): string {
  const { type } = (properties ?? {}) as { type?: JsonSchema }
  return typeof type?.['const'] === 'string' ? pascal(type['const']) : ''
}

/** `price_change.1h` is `PriceChange1h`. */
export const pascal = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

/** `categories` is `category`, `addresses` is `address`. */
export function singular(word: string): string {
  if (/series$/i.test(word)) return word
  return word
    .replace(/^news$/i, '$&Item')
    .replace(/ies$/, 'y')
    .replace(/(ss|x|ch)es$/, '$1')
    .replace(/([^s])s$/, '$1')
}
