import { once } from 'node:events'
import type { Server } from 'node:http'
import { StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'
import { decodeJwt } from 'jose'
import Provider from 'oidc-provider'
import { afterAll, expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { freePort } from '../../cli/supervisor/free-port.ts'
import { listAgents, setAgentEnded } from '../../db/account/agents.ts'
import { openDb } from '../../db/connect.ts'
import { linkIdentity } from '../../db/metering/write.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { Agent, connectAgent, REDIRECT } from './agent.ts'
import { browse } from './browse.ts'

// An operator who has an OpenID provider lets agents in through it: oidc-provider as it comes, with its own pages, and
// with the settings alone that docs/account.md asks of another provider.

const USER = 'ann@corp.example'
const [apiPort, issuerPort] = [await freePort(), await freePort()]
const [url, issuer] = [`http://127.0.0.1:${apiPort}`, `http://127.0.0.1:${issuerPort}`]
const MCP = new URL(`${url}/mcp`)
const AUDIENCE = 'urn:corp:api'

const provider = new Provider(issuer, {
  scopes: ['openid', 'offline_access', 'sluice:read', 'sluice:write'],
  clientDefaults: { application_type: 'native', token_endpoint_auth_method: 'none' },
  features: {
    registration: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => MCP.href,
      useGrantedResource: () => true,
      getResourceServerInfo: (_ctx, resource) => ({
        scope: 'sluice:read sluice:write',
        audience: resource,
        accessTokenFormat: 'jwt',
      }),
    },
  },
})
const server = provider.listen(issuerPort, '127.0.0.1') as Server
await once(server, 'listening')

const database = await testDatabase()
const pages = openDb({ url: database.accountUrl, maxConnections: 1, applicationName: 'test' })
afterAll(async () => {
  server.close()
  server.closeAllConnections()
  await pages.close()
})
const tokens = { issuer, tokenType: 'at+jwt' as const }
const api = await startApi({
  database,
  routes,
  port: apiPort,
  overrides: { issuer: { ...tokens, audience: AUDIENCE } },
  agents: { url, issuer: { ...tokens, audience: MCP.href } },
})
const { accountId } = await api.newAccount({ plan: 'pro', credits: 100 })

/** Signs in and agrees on the provider's own pages. Returns where the provider leads. */
async function agree(asked: URL): Promise<URL> {
  const browser = browse(issuer)
  let { location } = await browser.get(asked.href)
  while (location !== null && !location.startsWith(REDIRECT)) {
    const page = await browser.get(location)
    const prompt = /name="prompt" value="(\w+)"/.exec(page.text)?.[1]
    if (prompt === undefined) ({ location } = page)
    else ({ location } = await browser.post(location, { prompt, login: USER, password: 'of no concern' }))
  }
  return new URL(location!)
}

async function letIn(agent: Agent) {
  await expect(connectAgent(agent, MCP)).rejects.toThrow(UnauthorizedError)
  expect(agent.asked!.origin).toBe(issuer)
  const transport = new StreamableHTTPClientTransport(MCP, { authProvider: agent })
  await transport.finishAuth((await agree(agent.asked!)).searchParams)
}

test('an agent comes in through an external provider, reads for the linked account, and is ended by its owner', async () => {
  const agent = new Agent()
  await letIn(agent)
  expect(decodeJwt(agent.kept!.access_token)).toMatchObject({
    iss: issuer,
    aud: MCP.href,
    sub: USER,
    scope: 'sluice:read',
  })
  // The provider knows the user, and this installation does not yet.
  await expect(connectAgent(agent, MCP)).rejects.toThrow()
  await linkIdentity(api.owner, { issuer, subject: USER, accountId })

  const client = await connectAgent(agent, MCP)
  const result = await client.callTool({ name: 'getCoins', arguments: { limit: 1 } })
  expect([result.isError, result._meta]).toMatchObject([undefined, { 'x-credits-remaining': '98' }])

  const headers = { authorization: `Bearer ${agent.kept!.access_token}` }
  expect((await fetch(`${url}/v1/coins`, { headers })).status).toBe(401)

  const clientId = agent.client!.client_id
  expect(await listAgents(pages.pool, accountId)).toMatchObject([{ subject: USER, clientId, endedAt: null }])
  const one = { accountId, subject: USER, clientId }
  expect(await setAgentEnded(pages.pool, { ...one, isEnded: true })).toBe(true)
  const refused = await fetch(MCP, { method: 'POST', headers, body: '{}' })
  expect(refused.status).toBe(401)
  // The provider does not know that the agent was ended, so its new tokens are refused too.
  agent.kept = undefined
  await letIn(agent)
  await expect(connectAgent(agent, MCP)).rejects.toThrow()
  expect(await setAgentEnded(pages.pool, { ...one, isEnded: false })).toBe(true)
  expect((await connectAgent(agent, MCP)).getServerVersion()?.name).toBe('sluice')
})
