import { type OpenApiDocument, openApiDocument } from './openapi.ts'
import type { Route } from './route.ts'

/** The OpenAPI document as programs get it. */
export const publishedOpenApi = (routes: readonly Route[]): OpenApiDocument =>
  withoutEnums(openApiDocument(routes))

/**
 * Writes enumerations as unions of constants, which say the same. Generators of clients write a file for every
 * `enum`, and give its members names like VALUE_0; a constant becomes a literal type where it stands.
 */
export function withoutEnums<T>(part: T): T
export function withoutEnums(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withoutEnums)
  if (typeof part !== 'object' || part === null) return part
  const { enum: values, type, ...rest } = part as { enum?: unknown; type?: unknown }
  if (!Array.isArray(values))
    return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, withoutEnums(value)]))
  const constants = values.map((value) => ({ ...(type !== undefined && { type }), const: value as unknown }))
  return { ...rest, ...(constants.length === 1 ? constants[0] : { anyOf: constants }) }
}
