import type { Tool, ToolArgument } from './tool.ts'

/** An argument that cannot be sent to the API. The message is for the model. */
export class ArgumentError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ArgumentError'
  }
}

export interface ToolRequest {
  /** Path below /v1, with the query. */
  target: string
  headers: Headers
}

/** Converts a call of a tool to an API request. The API itself checks the values. */
export function toolRequest(tool: Tool, args: Record<string, unknown>): ToolRequest {
  const known = new Map(tool.arguments.map((one) => [one.name, one]))
  const unknown = Object.keys(args).find((name) => !known.has(name))
  if (unknown !== undefined) throw new ArgumentError(`Unknown argument: ${unknown}`)
  const query = new URLSearchParams()
  const headers = new Headers()
  let { path } = tool
  for (const argument of tool.arguments) {
    const text = textOf(argument, args[argument.name])
    if (text === undefined) continue
    if (argument.place === 'query') query.set(argument.sentAs, text)
    else if (argument.place === 'header') setHeader(headers, argument, text)
    else path = path.replace(`{${argument.sentAs}}`, encodeURIComponent(segment(argument, text)))
  }
  return { target: query.size > 0 ? `${path}?${query.toString()}` : path, headers }
}

/** Treats null as absent, because models send null for arguments that they leave out. */
function textOf(argument: ToolArgument, value: unknown): string | undefined {
  if (value === undefined || value === null) {
    if (argument.required) throw new ArgumentError(`Missing argument: ${argument.name}`)
    return undefined
  }
  // The API takes lists as one comma-separated value.
  const items = Array.isArray(value) && argument.schema['type'] === 'array' ? value : [value]
  if (!items.every((item) => ['string', 'number', 'boolean'].includes(typeof item)))
    throw new ArgumentError(`Invalid argument: ${argument.name}`)
  return items.join(',')
}

/** Rejects `.` and `..`, which would change the path. */
function segment({ name }: ToolArgument, text: string): string {
  if (text === '' || text === '.' || text === '..' || !text.isWellFormed())
    throw new ArgumentError(`Invalid argument: ${name}`)
  return text
}

function setHeader(headers: Headers, { name, sentAs }: ToolArgument, text: string): void {
  try {
    headers.set(sentAs, text)
  } catch {
    throw new ArgumentError(`Invalid argument: ${name}`)
  }
}
