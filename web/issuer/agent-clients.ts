import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { type Client, type Configuration, errors } from 'oidc-provider'
import { ApiError } from '../../api/errors.ts'
import { clientNetwork } from './client-network.ts'

export const AGENT_SCOPE = 'sluice:read'
const ACCESS_S = 3_600
/** What a user allowed an agent ends after so long. */
export const AGENT_S = 90 * 86_400
const LOOPBACKS = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Registrations of one network in an hour, of which nothing is left after a day unless a user lets the agent in. */
const MOST_REGISTRATIONS = 20
const HOUR_MS = 3_600_000

/** How agents register (RFC 7591). They have no secret: PKCE proves that the one that asked gets the code. */
export const AGENT_REGISTRATION = {
  registration: { enabled: true, initialAccessToken: false, issueRegistrationAccessToken: false },
  revocation: { enabled: true },
} satisfies Configuration['features']

/** What an agent's token is for. */
export const agentResource = (audience: string) => ({
  scope: AGENT_SCOPE,
  audience,
  accessTokenFormat: 'jwt' as const,
  accessTokenTTL: ACCESS_S,
  jwt: { sign: { alg: 'RS256' as const } },
})

/** Throws if an agent asks for a code at an address that others could read. */
export function checkAgentAddresses({ redirectUris = [] }: Client): void {
  for (const uri of redirectUris) {
    const { protocol, hostname } = new URL(uri)
    if (protocol === 'http:' && !LOOPBACKS.has(hostname))
      throw new errors.InvalidTarget('the agent would receive its code over plain HTTP')
  }
}

/** Refuses registrations of a network that registers very many. */
export function limitRegistrations(app: FastifyInstance): void {
  const counts = new LRUCache<string, number>({ max: 10_000, ttl: HOUR_MS, noUpdateTTL: true })
  app.addHook('onRequest', async (request: FastifyRequest) => {
    if (request.method !== 'POST' || !/^\/reg(?:[/?]|$)/.test(request.url)) return
    const network = clientNetwork(request.ip)
    const count = (counts.get(network) ?? 0) + 1
    counts.set(network, count)
    if (count > MOST_REGISTRATIONS)
      throw new ApiError(429, 'Too many agents registered from your network. Try again in an hour.')
  })
}
