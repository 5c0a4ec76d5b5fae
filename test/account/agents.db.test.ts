import { auth, Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'
import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import { routes } from '../../api/routes.ts'
import { DEMO_SUBJECT } from '../../db/values/demo-names.ts'
import { testDatabase } from '../setup/database.ts'
import { PASSWORD, SHELL_SECRET, startAccountWorld } from './account-world.ts'
import { Agent, connectAgent, REDIRECT } from './agent.ts'
import { browse } from './browse.ts'

// The official client goes through the whole flow against the real API and the real provider; a form client stands for
// the browser of the user.

const database = await testDatabase()
const { api, url, issuer, openTo, signIn } = await startAccountWorld({ database, routes, hasAgents: true })
const { accountId } = await api.newAccount({ plan: 'enterprise', credits: 10_000 })
await openTo(accountId)
const MCP = new URL(`${url}/mcp`)
const connect = (agent: Agent) => connectAgent(agent, MCP)

/** Signs in at the provider as the browser of the user and returns the consent page. */
async function openConsent(asked: URL) {
  const browser = browse(issuer)
  const form = new URL((await browser.get(asked.href)).location!, issuer).href
  const signedIn = await browser.post(form, { user: DEMO_SUBJECT, password: PASSWORD })
  const page = await browser.follow(signedIn, issuer)
  const action = /action="(\/interaction\/[^"]+\/consent)"/.exec(page.text)?.[1]
  const answer = async (value: string): Promise<URL> => {
    let { location } = await browser.post(`${issuer}${action}`, { answer: value })
    while (location !== null && !location.startsWith(REDIRECT)) ({ location } = await browser.get(location))
    return new URL(location!)
  }
  return { page, answer }
}

/** Connects an agent that the user lets in. */
async function letIn(agent: Agent): Promise<Client> {
  await expect(connect(agent)).rejects.toThrow(UnauthorizedError)
  const { answer } = await openConsent(agent.asked!)
  const back = await answer('yes')
  const transport = new StreamableHTTPClientTransport(MCP, { authProvider: agent })
  await transport.finishAuth(back.searchParams)
  return connect(agent)
}

const remaining = async () =>
  Number((await api.meter.admit(new Map([[accountId, 0]]))).get(accountId)!.balance.available)

test('an agent without a token learns where to get one', async () => {
  const refused = await fetch(MCP, {
    method: 'POST',
    body: '{}',
    headers: { 'content-type': 'application/json' },
  })
  const metadataUrl = `${url}/.well-known/oauth-protected-resource/mcp`
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
    401,
    `Bearer scope="sluice:read", resource_metadata="${metadataUrl}"`,
  ])
  expect(await (await fetch(metadataUrl)).json()).toMatchObject({
    resource: MCP.href,
    authorization_servers: [issuer],
    scopes_supported: ['sluice:read'],
  })
  const server = await (await fetch(`${issuer}/.well-known/oauth-authorization-server`)).json()
  expect(server).toMatchObject({
    issuer,
    registration_endpoint: `${issuer}/reg`,
    revocation_endpoint: `${issuer}/token/revocation`,
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: expect.arrayContaining(['none']) as string[],
  })
})

test('the official client registers, gets consent, reads, spends credits, refreshes, and is ended by the owner', async () => {
  const agent = new Agent('Books <b>agent</b>')
  await expect(connect(agent)).rejects.toThrow(UnauthorizedError)
  expect(agent.asked!.searchParams.get('resource')).toBe(MCP.href)
  const { page, answer } = await openConsent(agent.asked!)
  expect(page.text).toContain('<strong>Books &#60;b&#62;agent&#60;/b&#62;</strong>')
  expect(page.text).toContain('spend the credits of your account')
  expect(page.headers.get('content-security-policy')).toContain("form-action 'self' http://127.0.0.1:33418;")
  const back = await answer('yes')
  const transport = new StreamableHTTPClientTransport(MCP, { authProvider: agent })
  await transport.finishAuth(back.searchParams)
  expect(decodeJwt(agent.kept!.access_token)).toMatchObject({
    iss: issuer,
    aud: MCP.href,
    sub: DEMO_SUBJECT,
    scope: 'sluice:read',
  })

  const client = await connect(agent)
  const { tools } = await client.listTools()
  expect(JSON.stringify(tools).length).toBeLessThan(20_000)
  const before = await remaining()
  const result = await client.callTool({ name: 'getCoins', arguments: { limit: 1 } })
  expect(result.isError).toBeUndefined()
  const cost = Number((result._meta as Record<string, string>)['x-credits-cost'])
  expect(cost).toBeGreaterThan(0)
  expect(await remaining()).toBe(before - cost)

  // The token is for MCP alone: the API refuses it, and MCP refuses that of the API.
  const atApi = await fetch(`${url}/v1/coins`, {
    headers: { authorization: `Bearer ${agent.kept!.access_token}` },
  })
  expect(atApi.status).toBe(401)

  const former = agent.kept!
  expect(await auth(agent, { serverUrl: MCP })).toBe('AUTHORIZED')
  expect(agent.kept!.access_token).not.toBe(former.access_token)
  expect((await client.callTool({ name: 'getFiats' })).isError).toBeUndefined()

  const owner = (await signIn()).browser
  expect((await owner.get('/account/agents')).text).toContain('Books &#60;b&#62;agent&#60;/b&#62;')
  const clientId = agent.client!.client_id
  const ended = await owner.submit('/account/agents', '/account/agents/end', {
    subject: DEMO_SUBJECT,
    client: clientId,
  })
  expect(ended.text).toContain('The agent is ended.')
  const call = (token: string) =>
    fetch(MCP, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: '{}' })
  const refused = await call(agent.kept!.access_token)
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
    401,
    expect.stringContaining('error="invalid_token"'),
  ])
  const refreshed = await fetch(`${issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: agent.kept!.refresh_token!,
      client_id: clientId,
    }),
  })
  expect([refreshed.status, await refreshed.json()]).toEqual([
    400,
    expect.objectContaining({ error: 'invalid_grant' }),
  ])
  // The owner lets it in again with a new consent.
  agent.kept = undefined
  expect((await letIn(agent)).getServerVersion()?.name).toBe('sluice')
})

describe('is refused', () => {
  test('an agent that the user does not let in', async () => {
    const agent = new Agent()
    await expect(connect(agent)).rejects.toThrow(UnauthorizedError)
    const { answer } = await openConsent(agent.asked!)
    expect((await answer('no')).searchParams.get('error')).toBe('access_denied')
    expect(agent.kept).toBeUndefined()
  })

  test('a token of the API, and one without the scope to read', async () => {
    const token = async (form: Record<string, string>) => {
      const response = await fetch(`${issuer}/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`sluice-shell:${encodeURIComponent(SHELL_SECRET)}`)}` },
        body: new URLSearchParams({ grant_type: 'client_credentials', ...form }),
      })
      return (await response.json()) as { access_token?: string; error?: string }
    }
    const { access_token: text } = await token({ scope: 'sluice:read' })
    const refused = await fetch(MCP, {
      method: 'POST',
      headers: { authorization: `Bearer ${text}` },
      body: '{}',
    })
    expect(refused.status).toBe(401)
    expect((await token({ scope: 'sluice:read', resource: MCP.href })).error).toBe('invalid_target')
  })

  test('an agent that wants a token of the API, a code without PKCE, or a redirect over plain HTTP', async () => {
    const agent = new Agent()
    await expect(connect(agent)).rejects.toThrow(UnauthorizedError)
    const withChange = async (name: string, value: string) => {
      const changed = new URL(agent.asked!)
      if (value === '') changed.searchParams.delete(name)
      else changed.searchParams.set(name, value)
      const { location } = await browse(issuer).get(changed.href)
      return new URL(location!).searchParams.get('error')
    }
    expect(await withChange('resource', 'urn:sluice:api')).toBe('invalid_target')
    expect(await withChange('code_challenge', '')).toBe('invalid_request')
    const register = await fetch(`${issuer}/reg`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: ['http://evil.example/callback'] }),
    })
    expect(register.status).toBe(400)
  })

  test('a page of another site, and a page with a key and a token', async () => {
    const post = (headers: Record<string, string>) => fetch(MCP, { method: 'POST', headers, body: '{}' })
    expect((await post({ origin: 'https://evil.example' })).status).toBe(403)
    const { key } = await api.newAccount()
    expect((await post({ 'x-api-key': key, authorization: 'Bearer a.b.c' })).status).toBe(401)
  })
})

test('a key works in place of a token', async () => {
  const { key } = await api.newAccount({ credits: 100 })
  const client = new Client({ name: 'test', version: '1' })
  const requestInit = { headers: { 'x-api-key': key } }
  await client.connect(new StreamableHTTPClientTransport(MCP, { requestInit }))
  const result = await client.callTool({ name: 'getCoins', arguments: { limit: 1 } })
  expect(result._meta).toMatchObject({ 'x-credits-remaining': '98' })
})

test('a network registers 20 agents an hour', async () => {
  const register = async () =>
    (
      await fetch(`${issuer}/reg`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ redirect_uris: [REDIRECT] }),
      })
    ).status
  const statuses = []
  for (let n = 0; n < 21; n++) statuses.push(await register())
  expect(statuses[0]).toBe(201)
  expect(statuses.at(-1)).toBe(429)
})
