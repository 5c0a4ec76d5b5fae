import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  type McpHttpHandler,
  type McpServerFactory,
  originValidationResponse,
} from '@modelcontextprotocol/server'

const PATH = '/mcp'

export interface HttpMcp {
  /** Address for clients. */
  url: string
  close: () => Promise<void>
}

/**
 * Serves MCP over streamable HTTP to this machine only. It refuses other host names and other origins, so
 * that a site in a browser on this machine cannot reach it, neither directly nor through a host name that
 * points here. `port`: 0 for any free port.
 */
export async function serveHttp(options: { factory: McpServerFactory; port: number }): Promise<HttpMcp> {
  const handler = createMcpHandler(options.factory)
  const server = createServer((incoming, outgoing) => {
    answer(handler, incoming, outgoing).catch(() => outgoing.destroy())
  })
  server.listen(options.port, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}${PATH}`,
    close: async () => {
      await handler.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function answer(
  handler: McpHttpHandler,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const request = toRequest(incoming, outgoing)
  const response =
    hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
    originValidationResponse(request, localhostAllowedOrigins()) ??
    (new URL(request.url).pathname === PATH
      ? await handler.fetch(request)
      : new Response(null, { status: 404 }))
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  if (response.body) await pipeline(Readable.fromWeb(response.body), outgoing)
  else outgoing.end()
}

/** Converts a request; its signal aborts when the client disconnects. */
function toRequest(incoming: IncomingMessage, outgoing: ServerResponse): Request {
  const { method = 'GET', url = '/', headersDistinct } = incoming
  const left = new AbortController()
  outgoing.once('close', () => left.abort())
  const headers = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  )
  const hasBody = method !== 'GET' && method !== 'HEAD'
  return new Request(new URL(url, 'http://127.0.0.1'), {
    method,
    headers,
    signal: left.signal,
    ...(hasBody && { body: Readable.toWeb(incoming), duplex: 'half' }),
  })
}
