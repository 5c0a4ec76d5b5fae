import { type McpServerFactory, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import { openApiDocument } from '../../api/openapi.ts'
import type { Route } from '../../api/route.ts'
import { callApi, failure } from './call-api.ts'
import { inputSchemaOf, toolsOf } from './tool.ts'
import { ArgumentError, toolRequest } from './tool-request.ts'

export interface McpOptions {
  routes: readonly Route[]
  /** Of the API, with /v1. */
  url: string
  /** An API key or a bearer token, where the client has no way to send one with each request (stdio). */
  key: string | null
}

const INSTRUCTIONS =
  'Crypto market, wallet, portfolio and prediction market data of one Sluice installation. Every tool reads; a call ' +
  'costs the credits that its description names, an error costs none. getQuote says for free what a call would cost.'

/** Makes the server of one connection or request: a tool for each GET of the table, answered by the API with the caller's key. */
export function createMcpServers({ routes, url, key }: McpOptions): McpServerFactory {
  const document = openApiDocument(routes)
  const tools = new Map(toolsOf(document).map((tool) => [tool.name, tool]))
  const list = [...tools.values()].map((tool) => ({
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: inputSchemaOf(tool),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  }))
  return ({ requestInfo }) => {
    const credentials = requestInfo ? credentialsOf(requestInfo.headers) : keyAlone(key)
    const server = new Server(
      { name: 'sluice', title: document.info.title, version: document.info.version },
      { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
    )
    server.setRequestHandler('tools/list', () => ({ tools: list }))
    server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
      const tool = tools.get(params.name)
      if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name}`)
      try {
        const request = toolRequest(tool, params.arguments ?? {})
        const result = await callApi({ url, request, credentials, signal: mcpReq.signal })
        // Before 2026 structured content is an object: lists stand in one.
        return server.projectCallToolResult(result, undefined)
      } catch (error) {
        if (error instanceof ArgumentError) return failure(error.message)
        throw error
      }
    })
    return server
  }
}

const keyAlone = (key: string | null) => (key === null ? {} : { authorization: `Bearer ${key}` })

/** Of a request over HTTP: its own and no other. */
function credentialsOf(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    ['x-api-key', 'authorization'].flatMap((name) => {
      const value = headers.get(name)
      return value === null ? [] : [[name, value]]
    }),
  )
}
