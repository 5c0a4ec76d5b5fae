import type { JSONObject } from '@modelcontextprotocol/server'
import type { JsonSchema } from '../../api/json-schema.ts'
import { answersJson, type OpenApiDocument, type Operation, type Parameter } from '../../api/openapi.ts'

/** One argument of a tool, and where the API expects it. */
export interface ToolArgument {
  name: string
  required: boolean
  place: Parameter['in']
  /** Name of the API's parameter. */
  sentAs: string
  schema: JsonSchema
}

/** One GET route as a tool. */
export interface Tool {
  /** Operation id of the OpenAPI document: `GET /coins/{coinId}` is `getCoin`. */
  name: string
  title: string
  /** What the tool returns and what it costs. */
  description: string
  /** Path below /v1, parameters in braces. */
  path: string
  arguments: readonly ToolArgument[]
}

/** Returns a tool for every GET of the OpenAPI document that answers with JSON. */
export function toolsOf(document: OpenApiDocument): Tool[] {
  return Object.entries(document.paths).flatMap(([path, { get }]) =>
    get && answersJson(get) ? [toolOf(path, get)] : [],
  )
}

function toolOf(path: string, operation: Operation): Tool {
  const { operationId, summary, description, deprecated, parameters } = operation
  return {
    name: operationId,
    title: summary,
    description: [deprecated && 'Deprecated.', `${summary}.`, description].filter(Boolean).join('\n\n'),
    path,
    arguments: argumentsOf(parameters),
  }
}

/**
 * Argument names that models accept. Filters of the API have a second spelling, with `-` for `~`, that fits.
 */
const NAME = /^[\w.-]{1,64}$/

/**
 * Prefers the header for parameters allowed in query and header, because addresses in URLs end up in logs.
 */
function argumentsOf(parameters: readonly Parameter[]): ToolArgument[] {
  const headers = new Map(
    parameters.flatMap((one) => (one.in === 'header' ? [[one.name.toLowerCase(), one.name] as const] : [])),
  )
  const others = parameters.filter((one) => one.in !== 'header' && NAME.test(one.name))
  const named = new Set(others.map(({ name }) => name.toLowerCase()))
  const alone = parameters.filter((one) => one.in === 'header' && !named.has(one.name.toLowerCase()))
  return [...others, ...alone].map(({ name, in: place, required, description, schema }) => {
    const header = headers.get(name.toLowerCase())
    return {
      name,
      required,
      ...(header === undefined ? { place, sentAs: name } : { place: 'header', sentAs: header }),
      schema: { ...schema, ...(description !== undefined && { description }) },
    }
  })
}

/** Returns the JSON Schema of the arguments. */
export function inputSchemaOf(tool: Tool) {
  const required = tool.arguments.flatMap((one) => (one.required ? [one.name] : []))
  return {
    type: 'object' as const,
    properties: Object.fromEntries(tool.arguments.map(({ name, schema }) => [name, schema as JSONObject])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  }
}
