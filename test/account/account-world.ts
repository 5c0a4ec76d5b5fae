import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import type { AccountConfig } from '../../web/account/config.ts'
import type { HttpServerDeps } from '../../api/http-server.ts'
import type { Route } from '../../api/route.ts'
import { freePort } from '../../cli/supervisor/free-port.ts'
import { linkIdentity, setDegen } from '../../db/metering/write.ts'
import { DEMO_SUBJECT, OPERATOR_SUBJECT, SHELL_CLIENT } from '../../db/values/demo-names.ts'
import { SHARE_PEPPER, startApi } from '../setup/api.ts'
import type { Temporal } from '../../web/console/temporal.ts'
import type { TestDatabase } from '../setup/database.ts'
import { browse } from './browse.ts'
import { AUDIENCE, startEmbeddedIssuer } from './embedded-issuer.ts'

export const PASSWORD = 'password of the tests'
export const OPERATOR_PASSWORD = 'password of the operator'
export const SHELL_SECRET = 'secret of the shell'

/** Starts the API with its account page and a real issuer. Both stop after the test file. */
export async function startAccountWorld(options: {
  database: TestDatabase
  routes: readonly Route[]
  overrides?: Parameters<typeof startApi>[0]['overrides']
  /** Temporal as the console sees it; absent: none. */
  temporal?: Temporal
  /** Settings that the console shows; absent: none. */
  env?: Record<string, string>
  /** A replica for reads; absent: none. */
  replicaUrl?: string
  /** Folder of logs that the console shows; absent: none. */
  logFolder?: string
  /** Secret that encrypts cookies. */
  secret?: string
  /** Serves MCP over HTTP; needs the real routes. */
  hasAgents?: boolean
  /** Hooks of the issuer that see all requests. */
  watchIssuer?: HttpServerDeps['watch']
  /** Everybody sees the portfolios of the demo user. */
  hasDemo?: boolean
}) {
  const home = await mkdtemp(join(tmpdir(), 'sluice-account-'))
  const [apiPort, issuerPort] = [await freePort(), await freePort()]
  const [url, issuer] = [`http://127.0.0.1:${apiPort}`, `http://127.0.0.1:${issuerPort}`]
  const client = { id: 'sluice-account', secret: 'secret of the page', url }
  const running = await startEmbeddedIssuer(
    {
      issuer,
      client,
      databaseUrl: options.database.issuerUrl,
      demoUsers: { [DEMO_SUBJECT]: PASSWORD, [OPERATOR_SUBJECT]: OPERATOR_PASSWORD },
      shellSecret: SHELL_SECRET,
      keysFile: join(home, 'keys.json'),
    },
    options.watchIssuer && { watch: options.watchIssuer },
  )
  afterAll(async () => {
    await running.close()
    await rm(home, { recursive: true })
  })
  const account: AccountConfig = {
    issuer,
    isEmbedded: true,
    clientId: client.id,
    clientSecret: client.secret,
    url,
    databaseUrl: options.database.accountUrl,
    secret: options.secret ?? 'secret of the cookies',
    pepper: SHARE_PEPPER,
    ...(options.hasDemo && { demoSubject: DEMO_SUBJECT }),
  }
  const overrides = {
    ...options.overrides,
    issuer: { issuer, audience: AUDIENCE, tokenType: 'at+jwt' as const },
  }
  const agents = { url, issuer: { ...overrides.issuer, audience: `${url}/mcp`, clientId: client.id } }
  const operators = {
    databaseUrl: options.database.consoleUrl,
    temporal: options.temporal ?? null,
    logFolder: options.logFolder ?? null,
    env: options.env ?? {},
  }
  const api = await startApi({
    ...options,
    account,
    console: operators,
    overrides,
    ...(options.hasAgents && { agents }),
    port: apiPort,
  })

  /** Links the demo user and the shell client to the account. */
  async function openTo(accountId: string): Promise<void> {
    for (const subject of [DEMO_SUBJECT, SHELL_CLIENT])
      await linkIdentity(api.owner, { issuer, subject, accountId })
    await setDegen(api.owner, { accountId, degen: true })
  }

  /** Returns a signed-in browser, as the demo user unless told otherwise. */
  async function signIn({
    as = DEMO_SUBJECT,
    to = 'account',
    password = as === OPERATOR_SUBJECT ? OPERATOR_PASSWORD : PASSWORD,
  }: { as?: string; to?: string; password?: string } = {}) {
    const browser = browse(url)
    const begun = await browser.get(`/account/sign-in?to=${to}`)
    const atIssuer = await browser.get(begun.location!)
    const form = new URL(atIssuer.location!, issuer).href
    const answer = await browser.post(form, { user: as, password })
    return { browser, landed: await browser.follow(answer, issuer) }
  }

  /** Starts another API server on the same database, with another cookie secret if given. Returns its URL. */
  async function another(secret = account.secret): Promise<string> {
    const port = await freePort()
    await startApi({ ...options, account: { ...account, secret }, console: operators, overrides, port })
    return `http://127.0.0.1:${port}`
  }

  return { api, url, issuer, openTo, signIn, another }
}
