import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createMcpHandler, originValidationResponse } from '@modelcontextprotocol/server'
import { addPath } from '../../api/http-server.ts'
import { type Access, vouchedAccess } from '../../api/metering/access.ts'
import { isJwtLike, type Issuer, READ_SCOPE } from '../../api/metering/bearer.ts'
import type { Route } from '../../api/route.ts'
import type { Meter } from '../../db/metering/meter.ts'
import { createAgentAccess, type Refusal } from './agent-access.ts'
import type { Send } from '../../clients/mcp/call-api.ts'
import { MCP_PATH } from '../../clients/mcp/mcp-path.ts'
import { createMcpServers } from '../../clients/mcp/mcp-server.ts'

/** RFC 9728, section 3.1: the path of the resource follows. */
const METADATA = '/.well-known/oauth-protected-resource'

/** Wrong keys count against the address of the agent, also if they come through MCP. */
const callerAddress = new AsyncLocalStorage<string>()

export interface McpPages {
  routes: readonly Route[]
  /** Origin of the API as clients see it. */
  url: string
  /** Provider whose tokens are accepted; its audience is that of this server. */
  issuer: Issuer
  meter: Pick<Meter, 'admitAgent'>
  now: () => Date
  monotonicMs: () => number
}

/**
 * MCP for agents of other people's machines: streamable HTTP with OAuth, or with an API key in X-API-KEY. The token of an
 * agent is for this server only and goes no further: its calls enter the API with the access that was checked here.
 */
export function mcpPages(options: McpPages): (app: FastifyInstance) => Promise<void> {
  const { routes, url, issuer } = options
  const { hostname } = new URL(url)
  const metadataUrl = `${url}${METADATA}${MCP_PATH}`
  const metadata = {
    resource: `${url}${MCP_PATH}`,
    authorization_servers: [issuer.issuer],
    scopes_supported: [READ_SCOPE],
    bearer_methods_supported: ['header'],
    resource_name: 'Sluice',
    resource_documentation: `${url}/v1/docs`,
  }

  return async (app) => {
    const accessOf = createAgentAccess(issuer, { ...options, logger: app.log })
    const handler = createMcpHandler(
      createMcpServers({
        routes,
        send: sendInside(app),
        key: null,
        credentialHeaders: ['x-api-key'],
        now: options.now,
      }),
    )
    app.addHook('onClose', () => handler.close())

    async function accessOrRefusal(request: FastifyRequest): Promise<Access | 'key' | Refusal> {
      const { authorization } = request.headers
      if (request.headers['x-api-key'] !== undefined)
        return authorization === undefined ? 'key' : 'invalid_token'
      if (authorization === undefined) return 'missing'
      const token = /^bearer +(\S+)$/i.exec(authorization)?.[1]
      return token !== undefined && isJwtLike(token) ? accessOf(token) : 'invalid_token'
    }

    async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
      const asked = toRequest(request, reply, url)
      const foreign = originValidationResponse(asked, [hostname])
      if (foreign) return send(reply, foreign)
      const access = await accessOrRefusal(request)
      const handle = () => callerAddress.run(request.ip, () => handler.fetch(asked))
      if (access === 'key') return send(reply, await handle())
      if (typeof access === 'string') return refuse(reply, access, metadataUrl)
      return send(reply, await vouchedAccess.run(access, handle))
    }

    const describe = async (_request: FastifyRequest, reply: FastifyReply) =>
      reply.header('access-control-allow-origin', '*').send(metadata)
    for (const path of [METADATA, `${METADATA}${MCP_PATH}`])
      addPath(app, { url: path, served: [{ method: 'GET', handler: describe }] }, true)

    await app.register(async (scope) => {
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
      const served = (['GET', 'POST', 'DELETE'] as const).map((method) => ({ method, handler: answer }))
      addPath(scope, { url: MCP_PATH, served }, true)
    })
  }
}

/** Sends requests to the API of this process. They count and cost as those from outside. */
const sendInside =
  (app: FastifyInstance): Send =>
  async (target, { headers, signal }) => {
    const answer = await app.inject({
      method: 'GET',
      url: `/v1${target}`,
      headers: Object.fromEntries(headers),
      remoteAddress: callerAddress.getStore()!,
      signal,
    })
    const kept = new Headers()
    for (const [name, value] of Object.entries(answer.headers)) kept.set(name, String(value))
    return {
      ok: answer.statusCode < 300,
      status: answer.statusCode,
      headers: kept,
      text: async () => answer.payload,
    }
  }

/** RFC 9728, section 5.1: the client learns where to ask for a token. */
function refuse(reply: FastifyReply, refusal: Refusal, metadataUrl: string): FastifyReply {
  const isForbidden = refusal === 'insufficient_scope'
  const error = refusal === 'missing' ? '' : `error="${refusal}", `
  return reply
    .code(isForbidden ? 403 : 401)
    .header('www-authenticate', `Bearer ${error}scope="${READ_SCOPE}", resource_metadata="${metadataUrl}"`)
    .send({
      statusCode: isForbidden ? 403 : 401,
      message: isForbidden
        ? `The token needs the scope ${READ_SCOPE}`
        : 'A token for this server or an API key is needed',
    })
}

/** Converts a request; its signal aborts when the client disconnects. */
function toRequest({ method, url, headers, body }: FastifyRequest, reply: FastifyReply, origin: string) {
  const left = new AbortController()
  reply.raw.once('close', () => left.abort())
  const kept = new Headers()
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) kept.set(name, String(value))
  return new Request(new URL(url, origin), {
    method,
    headers: kept,
    signal: left.signal,
    ...(Buffer.isBuffer(body) && { body: new Uint8Array(body) }),
  })
}

const send = (reply: FastifyReply, response: Response): FastifyReply =>
  reply
    .code(response.status)
    .headers(Object.fromEntries(response.headers))
    .send(response.body ?? '')
