import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { chooseArguments, type Facts, learn } from './agent-arguments.ts'
import { countCalls } from './count-calls.ts'

// An agent with the official client knows the list of tools and /v1/openapi.json, and nothing else.

const { url, key, wallet } = inject('installation')
/** Some data arrive minutes after the start. */
const PATIENCE = { timeout: 120_000, interval: 1_000 }
const client = new Client({ name: 'agent', version: '1' })
const env = { PATH: process.env['PATH'] ?? '', SLUICE_URL: url, SLUICE_API_KEY: key }
const launcher = join(import.meta.dirname, '../../cli/launch.mjs')
await client.connect(new StdioClientTransport({ command: process.execPath, args: [launcher, 'mcp'], env }))
afterAll(() => client.close())
const { tools } = await client.listTools()
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

async function use(name: string, args: Record<string, unknown>): Promise<any> {
  return vi.waitFor(async () => {
    calls++
    const result = await client.callTool({ name, arguments: args })
    const { text } = result.content[0] as { text: string }
    expect([name, args, result.isError ? text : 'answered']).toEqual([name, args, 'answered'])
    const answer = JSON.parse(text)
    // Protocols before 2026 allow only objects.
    const wrapped = Array.isArray(answer) && client.getProtocolEra() === 'legacy'
    expect(result.structuredContent).toEqual(wrapped ? { result: answer } : answer)
    return answer
  }, PATIENCE)
}

test('there is a tool for each read of the published description that ends', () => {
  const ending = [...operations.values()].filter((get) => get?.responses['200'].content['application/json'])
  expect(tools.map(({ name }) => name).sort()).toEqual(
    ending.map(({ operationId }) => operationId as string).sort(),
  )
})

describe.each([...Map.groupBy(tools, ({ name }) => operations.get(name)?.tags?.[0] as string)])(
  '%s',
  (tag, ofTag) => {
    countCalls({ name: 'MCP client', part: tag, calls: () => calls })
    beforeAll(async () => {
      facts ??= await vi.waitFor(() => learn(use, { wallet }), PATIENCE)
    })

    test.each(ofTag)('$name answers as its schema says', async (tool) => {
      const answer = await use(tool.name, chooseArguments(tool, facts))
      const { schema } = operations.get(tool.name).responses['200'].content['application/json']
      const checked = validator.getValidator({ ...schema, components: published.components })(answer)
      expect(checked.errorMessage).toBeUndefined()
    })
  },
)
