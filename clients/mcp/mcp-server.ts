import { type McpServerFactory, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import { openApiDocument } from '../../api/openapi.ts'
import type { Route } from '../../api/route.ts'
import { callApi, failure } from './call-api.ts'
import { inputSchemaOf, toolsOf } from './tool.ts'
import { ArgumentError, toolRequest } from './tool-request.ts'

export interface McpOptions {
  routes: readonly Route[]
  /** Address of the API, with /v1. */
  url: string
  /**
   * API key or bearer token for stdio, where the client cannot send one with each request. null: over HTTP.
   */
  key: string | null
}

const INSTRUCTIONS =
  'Crypto market, wallet, portfolio and prediction market data of one Sluice installation. All tools only read. A call ' +
  'costs the credits in its description; an error costs none. getQuote returns the price of a call and is free.'

/**
 * Creates the server of a connection or request. It has a tool for each GET route, which calls the API with
 * the caller's key.
 */
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
        // Protocol versions before 2026 allow only objects as structured content, so lists are wrapped in
        // one.
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

/** Returns the credentials of an HTTP request itself. */
function credentialsOf(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    ['x-api-key', 'authorization'].flatMap((name) => {
      const value = headers.get(name)
      return value === null ? [] : [[name, value]]
    }),
  )
}
