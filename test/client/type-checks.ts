import type { JsonSchema } from '../../api/json-schema.ts'
import { resolved } from '../../api/openapi-components.ts'
import { answersJson, type OpenApiDocument, type Operation } from '../../api/openapi.ts'

/**
 * Helpers of the checks below. `equal` compiles only for the same type, `keys` only for the same properties.
 */
export const PRELUDE = `
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
declare function equal<A, B>(same: Same<A, B>): void
type Needed<T> = { [K in keyof T]-?: {} extends Pick<T, K> ? never : K }[keyof T]
declare function keys<T, All, Required>(all: Same<keyof T, All>, needed: Same<Needed<T>, Required>): void
`

/**
 * Returns statements that compile only if the types of the client match the OpenAPI document: every property
 * with its name, its type, and whether it is optional.
 */
export function typeChecksOf(published: OpenApiDocument): string[] {
  const document = withoutReferences(published)
  // Streams are not in the types.
  const paths = Object.entries(document.paths).flatMap(([path, operations]) => {
    const calls = Object.entries(operations).filter(([, operation]) => answersJson(operation))
    return calls.length > 0 ? [[path, Object.fromEntries(calls)] as const] : []
  })
  const names = union(paths.map(([path]) => path))
  const checks = [`keys<Paths, ${names}, ${names}>(true, true)`]
  for (const [path, methods] of paths) {
    const at = `Paths[${JSON.stringify(path)}]`
    checks.push(`keys<${at}, ${union(Object.keys(methods))}, ${union(Object.keys(methods))}>(true, true)`)
    for (const [method, operation] of Object.entries(methods))
      checks.push(...ofOperation(`${at}['${method}']`, operation))
  }
  const types = union(Object.keys(document.webhooks))
  checks.push(`keys<Webhooks, ${types}, ${types}>(true, true)`)
  for (const [type, { post }] of Object.entries(document.webhooks)) {
    const at = `Webhooks[${JSON.stringify(type)}]['post']['requestBody']['content']['application/json']`
    checks.push(...ofSchema(at, schemaOf(post.requestBody)))
  }
  return checks
}

/** The document with each named schema in the places that refer to it. */
export function withoutReferences(document: OpenApiDocument): OpenApiDocument {
  const inline = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(inline)
    if (typeof part !== 'object' || part === null) return part
    const { $ref: ref } = part as JsonSchema
    if (typeof ref === 'string' && ref.startsWith('#/components/schemas/'))
      return inline(resolved(part as JsonSchema, document.components))
    return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, inline(value)]))
  }
  return inline(document) as OpenApiDocument
}

const schemaOf = (of: unknown): JsonSchema =>
  (of as { content: { 'application/json': { schema: JsonSchema } } }).content['application/json'].schema

function ofOperation(at: string, { parameters, requestBody, responses }: Operation): string[] {
  const places = [...new Set(parameters.map((one) => one.in))]
  const needed = places.filter((place) => parameters.some((one) => one.in === place && one.required))
  const checks = [`keys<${at}['parameters'], ${union(places)}, ${union(needed)}>(true, true)`]
  for (const place of places) {
    const own = parameters.filter((one) => one.in === place)
    const schema = {
      type: 'object',
      properties: Object.fromEntries(own.map((one) => [one.name, one.schema])),
      required: own.filter((one) => one.required).map(({ name }) => name),
    }
    checks.push(...ofSchema(`NonNullable<${at}['parameters']['${place}']>`, schema))
  }
  if (requestBody)
    checks.push(
      ...ofSchema(`NonNullable<${at}['requestBody']>['content']['application/json']`, schemaOf(requestBody)),
    )
  else checks.push(`equal<'requestBody' extends keyof ${at} ? true : false, false>(true)`)
  return [
    ...checks,
    ...ofSchema(`${at}['responses'][200]['content']['application/json']`, schemaOf(responses['200'])),
  ]
}

/** Returns checks of the type expression `at` against a schema. */
function ofSchema(at: string, schema: JsonSchema): string[] {
  const members = membersOf(schema)
  const others = members.filter(({ type }) => type !== 'null')
  if (members.length > others.length && others.some(isNested))
    return [
      `equal<null extends ${at} ? true : false, true>(true)`,
      ...ofSchema(`NonNullable<${at}>`, { anyOf: others }),
    ]
  if (members.every((one) => !isNested(one))) return [`equal<${at}, ${members.map(leaf).join(' | ')}>(true)`]
  if (members.length > 1) return members.flatMap((one) => ofSchema(memberOf(at, one, members), one))
  return ofNested(at, members[0]!)
}

function ofNested(
  at: string,
  { type, items, properties, required = [], additionalProperties }: JsonSchema,
): string[] {
  if (type === 'array')
    return [
      `equal<${at} extends readonly unknown[] ? true : false, true>(true)`,
      ...ofSchema(`${at}[number]`, items as JsonSchema),
    ]
  if (!properties)
    return [
      `equal<keyof ${at}, string>(true)`,
      ...ofSchema(`${at}[string]`, additionalProperties as JsonSchema),
    ]
  const entries = Object.entries(properties as Record<string, JsonSchema>)
  const needed = required as string[]
  return [
    `keys<${at}, ${union(entries.map(([name]) => name))}, ${union(needed)}>(true, true)`,
    ...entries.flatMap(([name, schema]) => {
      const property = `${at}[${JSON.stringify(name)}]`
      return ofSchema(needed.includes(name) ? property : `Exclude<${property}, undefined>`, schema)
    }),
  ]
}

function membersOf(schema: JsonSchema): JsonSchema[] {
  const { type, oneOf } = schema
  const { anyOf = oneOf } = schema
  if (Array.isArray(type)) return type.map((one: string) => ({ ...schema, type: one }))
  return Array.isArray(anyOf) && type === undefined ? (anyOf as JsonSchema[]).flatMap(membersOf) : [schema]
}

const isNested = ({ type }: JsonSchema): boolean => type === 'object' || type === 'array'

/** Selects one of several types: an object by a property that the others do not have, or have with other values. */
function memberOf(at: string, one: JsonSchema, members: readonly JsonSchema[]): string {
  if (!isNested(one)) return `Extract<${at}, ${leaf(one)}>`
  if (one['type'] === 'array') return `Extract<${at}, readonly unknown[]>`
  const namesOf = ({ required = [] }: JsonSchema) => required as string[]
  const others = new Set(members.filter((other) => other !== one).flatMap(namesOf))
  const own = namesOf(one).find((name) => !others.has(name))
  const properties = one['properties'] as Record<string, JsonSchema>
  const tag = Object.keys(properties).find((name) => 'const' in properties[name]!)
  if (own === undefined && tag !== undefined)
    return `Extract<${at}, Record<${JSON.stringify(tag)}, ${leaf(properties[tag]!)}>>`
  if (own === undefined) throw new Error(`no property distinguishes ${at} from its other forms`)
  return `Extract<${at}, Record<${JSON.stringify(own)}, unknown>>`
}

function leaf(schema: JsonSchema): string {
  if ('const' in schema) return JSON.stringify(schema['const'])
  const values = schema['enum'] as unknown[] | undefined
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ')
  return schema['type'] === 'integer' ? 'number' : String(schema['type'])
}

const union = (names: readonly string[]): string =>
  names.length === 0 ? 'never' : names.map((name) => JSON.stringify(name)).join(' | ')
