import { isSchema, pascal, singular } from './openapi-components.ts'
import { type OpenApiDocument, openApiDocument } from './openapi.ts'
import type { JsonSchema } from './json-schema.ts'
import type { Route } from './route.ts'

/** The OpenAPI document as programs get it. */
export const publishedOpenApi = (routes: readonly Route[]): OpenApiDocument =>
  published(openApiDocument(routes))

/** The same document with long lists of choices once, and without enumerations. */
export const published = (document: OpenApiDocument): OpenApiDocument =>
  withoutEnums(withNamedChoices(document))

/** Choices of a parameter that are more than this get a name. */
const MOST_INLINE = 20

/** Puts long lists of choices of parameters, such as all networks, among the schemas. Throws if two have one name. */
function withNamedChoices(document: OpenApiDocument): OpenApiDocument {
  const schemas = { ...(document.components['schemas'] as Record<string, JsonSchema>) }
  const names = new Map<string, string>()
  const named = (schema: JsonSchema, name: string): JsonSchema => {
    if (isSchema(schema['items'])) return { ...schema, items: named(schema['items'], singular(name)) }
    if (!Array.isArray(schema['enum']) || schema['enum'].length <= MOST_INLINE) return schema
    const { default: fallback, ...choices } = schema
    const text = JSON.stringify(choices)
    const used = names.get(text) ?? name
    if (!names.has(text) && used in schemas) throw new Error(`Two schemas have the name ${used}`)
    names.set(text, used)
    schemas[used] = choices
    return { $ref: `#/components/schemas/${used}`, ...(fallback !== undefined && { default: fallback }) }
  }
  const paths = mapped(document.paths, (methods) =>
    mapped(methods, (operation) => ({
      ...operation,
      parameters: operation.parameters.map((one) => ({
        ...one,
        schema: named(one.schema, pascal(one.name)),
      })),
    })),
  )
  return { ...document, paths, components: { ...document.components, schemas } }
}

const mapped = <T>(record: Record<string, T>, change: (value: T) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))

/**
 * Writes enumerations as unions of constants, which say the same. Generators of clients write a file for every
 * `enum`, and give its members names like VALUE_0; a constant becomes a literal type where it stands.
 */
function withoutEnums<T>(part: T): T
function withoutEnums(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withoutEnums)
  if (typeof part !== 'object' || part === null) return part
  const { enum: values, type, ...rest } = part as { enum?: unknown; type?: unknown }
  if (!Array.isArray(values))
    return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, withoutEnums(value)]))
  const constants = values.map((value) => ({ ...(type !== undefined && { type }), const: value as unknown }))
  return { ...rest, ...(constants.length === 1 ? constants[0] : { anyOf: constants }) }
}
