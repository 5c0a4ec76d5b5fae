import {
  type CallToolResult,
  type McpServerFactory,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server'
import { llmsText } from '../../api/llms-text.ts'
import { openApiDocument } from '../../api/openapi.ts'
import type { Route } from '../../api/route.ts'
import { callApi, type Send } from './call-api.ts'
import { describeEndpoint, ENDPOINT_TOOLS, MAX_ITEMS, searchEndpoints } from './endpoint-tools.ts'
import { PROMPTS, promptText } from './prompts.ts'
import { failure, resultOf, resultOfAll } from './result.ts'
import { TASKS } from './tasks/index.ts'
import type { Task } from './tasks/task.ts'
import { type Tool, toolsOf } from './tool.ts'
import { ArgumentError, toolRequest } from './tool-request.ts'

export interface McpOptions {
  routes: readonly Route[]
  send: Send
  /**
   * API key or bearer token for stdio, where the client cannot send one with each request. null: over HTTP.
   */
  key: string | null
  /** Headers with credentials that a request over HTTP may bring for the API. */
  credentialHeaders?: readonly string[]
  now?: () => Date
}

const INSTRUCTIONS =
  'Crypto market, wallet, portfolio and prediction market data of one Sluice installation. All tools only read. Start ' +
  'with a task such as portfolioSummary or coinOverview. For the rest find an endpoint with searchEndpoints, read its ' +
  'arguments with describeEndpoint, and ask for the fields that you need with callEndpoint. A call costs credits, which ' +
  'each answer states; an error costs none.'

const REFERENCE = 'sluice://reference'

/** Creates the server of a connection or request. Its tools call the API with the caller's key. */
export function createMcpServers({
  routes,
  send,
  key,
  credentialHeaders = ['x-api-key', 'authorization'],
  now = () => new Date(),
}: McpOptions): McpServerFactory {
  const document = openApiDocument(routes)
  const endpoints = toolsOf(document)
  const byName = new Map(endpoints.map((tool) => [tool.name, tool]))
  const byPath = new Map(endpoints.map((tool) => [tool.path, tool]))
  const list = listed(routes)
  return ({ requestInfo }) => {
    const credentials = requestInfo ? credentialsOf(requestInfo.headers, credentialHeaders) : keyAlone(key)
    const server = new Server(
      { name: 'sluice', title: document.info.title, version: document.info.version },
      { capabilities: { tools: {}, prompts: {}, resources: {} }, instructions: INSTRUCTIONS },
    )
    const ask = (tool: Tool, args: Record<string, unknown>, signal: AbortSignal) =>
      callApi({ send, request: toolRequest(tool, args), credentials, signal })

    async function runTask(
      task: Task,
      args: Record<string, unknown>,
      signal: AbortSignal,
    ): Promise<CallToolResult> {
      checkArguments(task, args)
      const answers = []
      // One after the other, because the API limits requests a second.
      for (const [name, call] of Object.entries(task.calls(args, now()))) {
        const { path, fields, maxItems = MAX_ITEMS } = call
        const answer = await ask(byPath.get(path)!, call.arguments, signal)
        answers.push({ name, answer, trimming: { maxItems, ...(fields && { fields }) } })
      }
      return resultOfAll(answers)
    }

    async function call(
      name: string,
      args: Record<string, unknown>,
      signal: AbortSignal,
    ): Promise<CallToolResult> {
      const task = TASKS.find((one) => one.name === name)
      if (task) return runTask(task, args, signal)
      if (name === 'searchEndpoints') return said(searchEndpoints(endpoints, textArgument(args, 'words')))
      if (name === 'describeEndpoint') return said(describeEndpoint(endpointOf(args)))
      if (name === 'callEndpoint') {
        const { arguments: given, fields, maxItems = MAX_ITEMS } = args as CallEndpoint
        const trimming = { maxItems, ...(fields && { fields }) }
        return resultOf(await ask(endpointOf(args), given ?? {}, signal), trimming)
      }
      // Clients that know an endpoint by its name get its whole answer.
      const endpoint = byName.get(name)
      if (!endpoint) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}`)
      return resultOf(await ask(endpoint, args, signal))
    }

    function endpointOf(args: Record<string, unknown>): Tool {
      const name = textArgument(args, 'name')
      const found = byName.get(name)
      if (!found) throw new ArgumentError(`No endpoint is called ${name}. Find one with searchEndpoints.`)
      return found
    }

    server.setRequestHandler('tools/list', () => ({ tools: list }))
    server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
      try {
        return await call(params.name, params.arguments ?? {}, mcpReq.signal)
      } catch (error) {
        if (error instanceof ArgumentError) return failure(error.message)
        throw error
      }
    })
    server.setRequestHandler('prompts/list', () => ({
      prompts: PROMPTS.map(({ text: _text, ...prompt }) => prompt),
    }))
    server.setRequestHandler('prompts/get', ({ params }) => {
      const text = promptText(params.name, params.arguments ?? {})
      if (text === null)
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt: ${params.name}`)
      return { messages: [{ role: 'user', content: { type: 'text', text } }] }
    })
    server.setRequestHandler('resources/list', () => ({
      resources: [
        {
          uri: REFERENCE,
          name: 'reference',
          title: 'Every endpoint with its price and parameters',
          mimeType: 'text/plain',
        },
      ],
    }))
    server.setRequestHandler('resources/read', ({ params }) => {
      if (params.uri !== REFERENCE)
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown resource: ${params.uri}`)
      return { contents: [{ uri: REFERENCE, mimeType: 'text/plain', text: llmsText(document) }] }
    })
    return server
  }
}

interface CallEndpoint {
  arguments?: Record<string, unknown>
  fields?: string[]
  maxItems?: number
}

const ANNOTATIONS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }

/** The tools that clients see: tasks with their price, and the three that reach all endpoints. */
function listed(routes: readonly Route[]) {
  const routeOf = (path: string) => routes.find((route) => route.method === 'GET' && route.path === path)!
  const tasks = TASKS.map(({ name, title, description, properties, required = [], calls }) => {
    const asked = Object.values(calls({}, new Date(0))).map(({ path }) => routeOf(path))
    const credits = asked.reduce((sum, route) => sum + route.credits, 0)
    const each = asked.some(({ multiplied }) => multiplied) ? ' for each network' : ''
    return {
      name,
      title,
      description: `${description} ${credits === 0 ? 'Free' : `Costs ${credits} credits${each}`}.`,
      inputSchema: {
        type: 'object' as const,
        properties,
        ...(required.length > 0 && { required: [...required] }),
        additionalProperties: false,
      },
    }
  })
  return [...tasks, ...ENDPOINT_TOOLS].map((tool) => ({ ...tool, annotations: ANNOTATIONS }))
}

function checkArguments({ properties, required = [] }: Task, args: Record<string, unknown>): void {
  const unknown = Object.keys(args).find((name) => !Object.hasOwn(properties, name))
  if (unknown !== undefined) throw new ArgumentError(`Unknown argument: ${unknown}`)
  const missing = required.find((name) => args[name] === undefined || args[name] === null)
  if (missing !== undefined) throw new ArgumentError(`Missing argument: ${missing}`)
}

function textArgument(args: Record<string, unknown>, name: string): string {
  const value = args[name]
  if (typeof value !== 'string' || value === '') throw new ArgumentError(`Missing argument: ${name}`)
  return value
}

const said = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] })

const keyAlone = (key: string | null) => (key === null ? {} : { authorization: `Bearer ${key}` })

/** Returns the credentials of an HTTP request itself. */
function credentialsOf(headers: Headers, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = headers.get(name)
      return value === null ? [] : [[name, value]]
    }),
  )
}
