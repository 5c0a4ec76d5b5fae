import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { chooseArguments, type Facts, learn, type ListedTool } from './agent-arguments.ts'
import { countCalls } from './count-calls.ts'

// An agent with the official client knows the list of tools, what describeEndpoint says, and /v1/openapi.json.

const { url, key, wallet } = inject('installation')
/** Some data arrive minutes after the start. */
const PATIENCE = { timeout: 120_000, interval: 1_000 }
const client = new Client({ name: 'agent', version: '1' })
const env = { PATH: process.env['PATH'] ?? '', SLUICE_URL: url, SLUICE_API_KEY: key }
const launcher = join(import.meta.dirname, '../../cli/launch.mjs')
await client.connect(new StdioClientTransport({ command: process.execPath, args: [launcher, 'mcp'], env }))
afterAll(() => client.close())
const published = (await (await fetch(`${url}/openapi.json`)).json()) as any
const operations = new Map<string, any>(
  Object.values<any>(published.paths).map(({ get }) => [get?.operationId, get]),
)
const validator = new AjvJsonSchemaValidator()
let calls = 0
let facts: Facts
// An agent reads. Its owner has an endpoint, which need not answer.
await fetch(`${url}/webhooks`, {
  method: 'POST',
  headers: { 'X-API-KEY': key, 'Content-Type': 'application/json' },
  body: JSON.stringify({ url: 'https://hooks.example.com/in', types: ['test.ping'], wallets: 'all' }),
})

/** Endpoints as the server describes them. */
const endpoints: ListedTool[] = []
for (const get of operations.values()) {
  if (!get?.responses['200'].content['application/json']) continue
  const name = get.operationId as string
  const { content } = await client.callTool({ name: 'describeEndpoint', arguments: { name } })
  const [, schema] = (content[0] as { text: string }).text.split('\nArguments: ')
  endpoints.push({ name, inputSchema: JSON.parse(schema!) })
}
const tasks = (await client.listTools()).tools.filter(({ name }) => !/Endpoints?$/.test(name))

async function use(name: string, args: Record<string, unknown>): Promise<any> {
  return vi.waitFor(async () => {
    calls++
    const result = await client.callTool({ name, arguments: args })
    const { text } = result.content[0] as { text: string }
    expect([name, args, result.isError ? text : 'answered']).toEqual([name, args, 'answered'])
    return JSON.parse(text)
  }, PATIENCE)
}

beforeAll(async () => {
  facts = await vi.waitFor(() => learn(use, { wallet }), PATIENCE)
})

describe('tasks', () => {
  countCalls({ name: 'MCP client', part: 'tasks', calls: () => calls })

  test.each(tasks)('$name answers every part of its question', async (task) => {
    const { coins } = await use('portfolioSummary', {})
    const own = {
      ...facts,
      connectionId: 'ethereum',
      slug: facts['market slug'],
      coinId: coins.result[0].coin.identifier,
    }
    const args = chooseArguments({ ...task, inputSchema: { ...task.inputSchema, properties: {} } }, own)
    const answer = await vi.waitFor(async () => {
      const parts = await use(task.name, args)
      expect([task.name, parts]).toEqual([task.name, withoutErrors(parts)])
      return parts
    }, PATIENCE)
    expect(JSON.stringify(answer).length).toBeLessThan(80_000)
  })
})

const withoutErrors = (parts: object) =>
  Object.fromEntries(
    Object.entries(parts).filter(([, part]) => !(part && typeof part === 'object' && 'error' in part)),
  )

describe.each([...Map.groupBy(endpoints, ({ name }) => operations.get(name)?.tags?.[0] as string)])(
  '%s',
  (tag, ofTag) => {
    countCalls({ name: 'MCP client', part: tag, calls: () => calls })
    test.each(ofTag)('$name answers as its schema says', async (tool) => {
      const answer = await use(tool.name, chooseArguments(tool, facts))
      const { schema } = operations.get(tool.name).responses['200'].content['application/json']
      const checked = validator.getValidator({ ...schema, components: published.components })(answer)
      expect(checked.errorMessage).toBeUndefined()
    })
  },
)
