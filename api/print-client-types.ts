import type { JsonSchema } from './json-schema.ts'
import { nameOf } from './openapi-components.ts'
import { answersJson, openApiDocument, type Operation, type Parameter } from './openapi.ts'
import { routes } from './routes.ts'

/**
 * Text of clients/typescript/api-types.ts: the API and the events that webhooks post, as two TypeScript
 * interfaces in the shape of openapi-typescript, so that clients built for such types can use them.
 */
export function printClientTypes(): string {
  const { paths, webhooks, components } = openApiDocument(routes)
  const entries = Object.entries(paths).flatMap(([path, methods]) => {
    // Streams need a client of their own.
    const calls = Object.entries(methods).filter(([, operation]) => answersJson(operation))
    const operations = calls.map(
      ([method, operation]) => `${comment(operation)}${method}: ${operationType(operation)}`,
    )
    return operations.length > 0 ? [`${quoted(path)}: ${braces(operations)}`] : []
  })
  const events = Object.entries(webhooks).map(([type, { post }]) => {
    const body = contentType(post.requestBody as Content)
    return `${quoted(type)}: ${braces([`post: ${braces([`requestBody: ${body}`])}`])}`
  })
  const named = Object.entries(components['schemas'] as Record<string, JsonSchema>)
  const interfaces = named.map(([name, schema]) => `export ${declaration(name, typeOf(schema))}`)
  return `// Written from the route table by "npm run sluice openapi".

export interface Paths ${braces(entries)}

export interface Webhooks ${braces(events)}

${interfaces.join('\n\n')}
`
}

interface Content {
  content: { 'application/json': { schema: JsonSchema } }
}

function operationType({ parameters, requestBody, responses }: Operation): string {
  const places = (['path', 'query', 'header'] as const).flatMap((place) => {
    const own = parameters.filter((one) => one.in === place)
    if (own.length === 0) return []
    return [`${place}${mark(own.some(({ required }) => required))}: ${parametersType(own)}`]
  })
  const body = requestBody as (Content & { required: boolean }) | undefined
  return braces([
    `parameters: ${braces(places)}`,
    ...(body ? [`requestBody${mark(body.required)}: ${contentType(body)}`] : []),
    `responses: ${braces([`200: ${contentType(responses['200'] as Content)}`])}`,
  ])
}

const contentType = ({ content }: Content): string =>
  braces([`content: ${braces([`'application/json': ${typeOf(content['application/json'].schema)}`])}`])

const parametersType = (parameters: readonly Parameter[]): string =>
  braces(
    parameters.map(
      ({ name, required, description, schema }) =>
        `${comment({ description })}${key(name)}${mark(required)}: ${typeOf(schema)}`,
    ),
  )

/** The TypeScript type of a schema. Throws for schemas that the route table does not use. */
function typeOf(schema: JsonSchema): string {
  const { type, oneOf } = schema as { type?: string | string[]; oneOf?: JsonSchema[] }
  const { anyOf = oneOf } = schema as { anyOf?: JsonSchema[] }
  if (typeof schema['$ref'] === 'string') return nameOf(schema['$ref'])
  if ('const' in schema) return literal(schema['const'])
  if (Array.isArray(schema['enum'])) return schema['enum'].map(literal).join(' | ')
  if (Array.isArray(type)) return type.map((one) => typeOf({ ...schema, type: one })).join(' | ')
  // Next to a `type`, anyOf only lists formats of text.
  if (anyOf && type === undefined) return anyOf.map(typeOf).join(' | ')
  switch (type) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return type
    case 'integer':
      return 'number'
    case 'array':
      return `Array<${typeOf(schema['items'] as JsonSchema)}>`
    case 'object':
      return objectType(schema)
    default:
      throw new Error(`no type for ${JSON.stringify(schema)}`)
  }
}

function objectType({ properties, required = [], additionalProperties }: JsonSchema): string {
  if (!properties) return `Record<string, ${typeOf(additionalProperties as JsonSchema)}>`
  return braces(
    Object.entries(properties as Record<string, JsonSchema>).map(([name, schema]) => {
      const { description } = schema as { description?: string }
      const isRequired = (required as string[]).includes(name)
      return `${comment({ description })}${key(name)}${mark(isRequired)}: ${typeOf(schema)}`
    }),
  )
}

const declaration = (name: string, type: string): string =>
  type.startsWith('{') ? `interface ${name} ${type}` : `type ${name} = ${type}`

const mark = (isRequired: boolean): string => (isRequired ? '' : '?')
const literal = (value: unknown): string =>
  typeof value === 'string' ? quoted(value) : JSON.stringify(value)
const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`
const key = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name))

const braces = (entries: readonly string[]): string =>
  entries.length === 0 ? '{}' : `{\n${entries.join('\n').replace(/^(?=.)/gm, '  ')}\n}`

function comment(of: {
  summary?: string | undefined
  description?: string | undefined
  deprecated?: true
}): string {
  const parts = [of.summary, of.description, of.deprecated && '@deprecated'].filter(Boolean)
  const text = parts.join('\n\n').replaceAll('*/', '*\\/')
  if (text === '') return ''
  return text.includes('\n')
    ? `/**\n${text.replace(/^/gm, ' * ').replace(/ +$/gm, '')}\n */\n`
    : `/** ${text} */\n`
}
