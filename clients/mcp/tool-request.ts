import type { Tool, ToolArgument } from './tool.ts'

/** An argument that cannot be sent. The message is for the model. */
export class ArgumentError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ArgumentError'
  }
}

export interface ToolRequest {
  /** Below /v1, with its query. */
  target: string
  headers: Headers
}

/** The request that a call of the tool stands for. What its values have to be like the API says. */
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

/** Null is what models send for what they leave out. */
function textOf(argument: ToolArgument, value: unknown): string | undefined {
  if (value === undefined || value === null) {
    if (argument.required) throw new ArgumentError(`Missing argument: ${argument.name}`)
    return undefined
  }
  // Lists are one comma-separated value.
  const items = Array.isArray(value) && argument.schema['type'] === 'array' ? value : [value]
  if (!items.every((item) => ['string', 'number', 'boolean'].includes(typeof item)))
    throw new ArgumentError(`Invalid argument: ${argument.name}`)
  return items.join(',')
}

/** Dots alone would lead to another path. */
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
