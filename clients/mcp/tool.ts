import type { JSONObject } from '@modelcontextprotocol/server'
import type { JsonSchema } from '../../api/json-schema.ts'
import type { OpenApiDocument, Operation, Parameter } from '../../api/openapi.ts'

/** One argument of a tool, and where the API takes it. */
export interface ToolArgument {
  name: string
  required: boolean
  place: Parameter['in']
  /** The parameter's own name. */
  sentAs: string
  schema: JsonSchema
}

/** One GET of the table. */
export interface Tool {
  /** The operation id of the published description: `GET /coins/{coinId}` is `getCoinsByCoinId`. */
  name: string
  title: string
  /** What it answers and what it costs. */
  description: string
  /** Below /v1, parameters in braces. */
  path: string
  arguments: readonly ToolArgument[]
}

/** A tool for every GET of the description. */
export function toolsOf(document: OpenApiDocument): Tool[] {
  return Object.entries(document.paths).flatMap(([path, { get }]) => (get ? [toolOf(path, get)] : []))
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

/** What models take as the name of an argument. Filters of the API have a second spelling, with `-` for `~`, that fits. */
const NAME = /^[\w.-]{1,64}$/

/** What a query may hold and a header as well goes into the header: addresses stay in logs. */
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

/** JSON Schema of the arguments. */
export function inputSchemaOf(tool: Tool) {
  const required = tool.arguments.flatMap((one) => (one.required ? [one.name] : []))
  return {
    type: 'object' as const,
    properties: Object.fromEntries(tool.arguments.map(({ name, schema }) => [name, schema as JSONObject])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  }
}
