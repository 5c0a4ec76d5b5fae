import type { JSONObject } from '@modelcontextprotocol/server'
import { inputSchemaOf, type Tool } from './tool.ts'

/** How many items of each list come back unless the agent asks for more. */
export const MAX_ITEMS = 20
const MOST_ITEMS = 1_000
const FOUND = 12

const fields = {
  type: 'array',
  items: { type: 'string' },
  description: 'Dotted paths to keep, such as result.coin.symbol; lists are passed through',
}
const maxItems = {
  type: 'integer',
  minimum: 1,
  maximum: MOST_ITEMS,
  description: `Items of each list that come back, ${MAX_ITEMS} if absent`,
}

/** Three tools that reach every GET route, so that the list of tools stays short. */
export const ENDPOINT_TOOLS = [
  {
    name: 'searchEndpoints',
    title: 'Find an endpoint',
    description:
      'Names and summaries of the endpoints whose description has these words. Use it when no other tool answers.',
    inputSchema: object({ words: { type: 'string' } }, ['words']),
  },
  {
    name: 'describeEndpoint',
    title: 'Arguments and price of an endpoint',
    description: 'Description, arguments and price of an endpoint by its name.',
    inputSchema: object({ name: { type: 'string' } }, ['name']),
  },
  {
    name: 'callEndpoint',
    title: 'Call an endpoint',
    description: 'Calls an endpoint by its name. Ask for the fields that you need.',
    inputSchema: object({ name: { type: 'string' }, arguments: { type: 'object' }, fields, maxItems }, [
      'name',
    ]),
  },
]

function object(properties: Record<string, JSONObject>, required: readonly string[]) {
  return { type: 'object' as const, properties, required: [...required], additionalProperties: false }
}

/** The endpoints that have most of the words in their name, title, path or description, best first. */
export function searchEndpoints(tools: readonly Tool[], words: string): string {
  const wanted = words.toLowerCase().split(/\W+/).filter(Boolean)
  const scored = tools.map((tool) => {
    const name = `${tool.name} ${tool.title} ${tool.path}`.toLowerCase()
    const description = tool.description.toLowerCase()
    const score = wanted.reduce(
      (sum, word) => sum + (name.includes(word) ? 3 : description.includes(word) ? 1 : 0),
      0,
    )
    return { tool, score }
  })
  const found = scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score)
  if (found.length === 0) return 'No endpoint has these words.'
  return found
    .slice(0, FOUND)
    .map(({ tool }) => `${tool.name}: ${tool.title} (GET ${tool.path})`)
    .join('\n')
}

export const describeEndpoint = (tool: Tool): string =>
  `GET ${tool.path}\n${tool.description}\n\nArguments: ${JSON.stringify(inputSchemaOf(tool))}`
