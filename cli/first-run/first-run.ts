import { openDb } from '../../db/connect.ts'
import type { Db } from '../../db/schema.ts'
import { networks } from '../../sandbox/chain/networks.ts'
import type { SandboxWallet } from '../supervisor/start-parts.ts'
import { reasonOf } from '../explain-error.ts'
import { attempt, type Patience } from './attempt.ts'
import { countRows } from './count-rows.ts'
import { demoApi } from './demo-api.ts'
import { demoExchange } from './demo-exchange.ts'
import { demoIdentity } from './demo-identity.ts'
import { demoPortfolios } from './demo-portfolios.ts'
import { demoWallets } from './demo-wallets.ts'
import { DEMO_SUBJECT, OPERATOR_SUBJECT, SHELL_CLIENT } from '../../db/values/demo-names.ts'
import { demoKey } from './demo-key.ts'
import { liveSourceLines } from './live-sources.ts'
import { syncWallet, waitForFirstIngestion, waitForPrices } from './wait-for-data.ts'

const PATIENCE_MS = 300_000

interface DemoUsers {
  password: string
  operatorPassword: string
  shellSecret: string
}

interface FirstRunOptions {
  home: string
  /** Environment of the worker. */
  env: Record<string, string>
  /** Users of the sandbox at the embedded issuer; null: live sources, or another issuer. */
  demoUser: DemoUsers | null
  apiUrl: string
  /** Address of the gateway if it takes test money; otherwise null. */
  gatewayUrl: string | null
  /** Wallets of the sandbox; empty with live sources. */
  wallets: readonly SandboxWallet[]
  log: (line: string) => void
  /** Time limit for retries and for waiting for data. */
  patienceMs?: number
}

/**
 * Ingests the data of the demo and prints how to query it. Then waits for the first ingestion of all areas
 * and prints what is stored. Does little if the data exists already. Never rejects: a failing step is
 * retried, then logged as a warning.
 */
export async function firstRun(options: FirstRunOptions): Promise<void> {
  const { home, env, demoUser, apiUrl, wallets, log, patienceMs = PATIENCE_MS } = options
  const { db, close } = openDb({ url: env.DATABASE_URL!, maxConnections: 1, applicationName: 'sluice-start' })
  const wait = { db, log, deadlineMs: Date.now() + patienceMs }
  try {
    const key = await attempt('the demo has no API key', wait, () => demoKey({ home, db }))
    if (key === undefined) return
    if (demoUser)
      await attempt('the demo users cannot sign in', wait, () =>
        demoIdentity(db, { key, issuer: env.OIDC_ISSUER! }),
      )
    const wallet = wallets[0]
    if (!wallet) return await showLive({ apiUrl, key, env })
    const networkIds = networks.map(({ id }) => id)
    const target = `address=${wallet.address}&connectionId=${networkIds.join(',')}`
    const demo = await makeDemo({ ...wait, key, apiUrl, address: wallet.address, networkIds, target })
    await showDemo({ ...options, key, wallet, networkIds, target, demo })
    if (!(await waitForFirstIngestion(env, wait)))
      log('the first ingestion continues; "sluice status" shows its progress')
    await showCounts(wait)
    console.log('\n*** SANDBOX: a local simulator invents prices, wallets and chains.')
    console.log(
      '*** Every answer says so (X-Data-Source: sandbox). Real upstreams: SOURCES=live npx sluice start\n',
    )
  } finally {
    await close()
  }
}

interface MakeDemoOptions extends Patience {
  db: Db
  apiUrl: string
  key: string
  address: string
  networkIds: string[]
  /** The wallet as query parameters of the API. */
  target: string
}

/** Syncs wallets, an exchange account and portfolios. Returns those that are ready in time. */
async function makeDemo({ apiUrl, key, address, networkIds, target, ...wait }: MakeDemoOptions) {
  const { log, deadlineMs } = wait
  const send = demoApi({ apiUrl, key, deadlineMs })
  const prices = await attempt('the prices cannot be counted', wait, () => waitForPrices(wait))
  if (prices === false) log('the prices are not complete yet; see logs/worker.log')
  const [synced, exchange, others] = await Promise.all([
    attempt('the wallet is not synced', wait, () =>
      syncWallet(wait, { address, networkIds }, async () => {
        await send('PATCH', `/wallet/transactions?${target}`)
        log(`wallet ${address}: sync requested`)
      }),
    ),
    attempt('the exchange account is not synced', wait, () => demoExchange({ send, key, ...wait })),
    attempt('the other wallets are not synced', wait, () => demoWallets({ send, ...wait })),
  ])
  if (synced === false) log('the wallet is not synced yet; see logs/worker.log')
  if (exchange === null) log('the exchange account is not synced yet; see logs/worker.log')
  const wallet = { address, connectionId: networkIds[0]! }
  const portfolios = await attempt('the portfolios are not computed', wait, () =>
    demoPortfolios({ send, key, ...wait, wallet }),
  )
  if (portfolios === null) log('the portfolios are not computed yet; see logs/worker.log')
  return { exchange, others: others ?? [], portfolios: portfolios ?? [] }
}

interface ShowDemoOptions extends Omit<MakeDemoOptions, keyof Patience | 'db' | 'address'> {
  env: Record<string, string>
  demoUser: DemoUsers | null
  gatewayUrl: string | null
  wallet: SandboxWallet
  demo: Awaited<ReturnType<typeof makeDemo>>
}

/** Prints the demo data and the calls that return it. */
async function showDemo(options: ShowDemoOptions): Promise<void> {
  const { env, demoUser, apiUrl, gatewayUrl, key, wallet, networkIds, target, demo } = options
  console.log(`\nAPI key   ${key}`)
  console.log(`Wallet    ${wallet.address} (${wallet.label}) on ${networkIds.join(', ')}`)
  for (const other of demo.others) console.log(`Wallet    ${other.address} on ${other.connectionId}`)
  if (demo.exchange) console.log(`Exchange  portfolioId ${demo.exchange} (binance)`)
  for (const one of demo.portfolios)
    console.log(`Portfolio ${one.portfolioId} (${one.portfolioType}: ${one.portfolioName})`)
  if (demoUser) showAccount(env, demoUser)
  console.log()
  const paths = [`/coins?limit=3`, `/wallet/balance?${target}`, `/wallet/transactions?${target}&limit=5`]
  await showCalls({ apiUrl, key, paths })
  if (gatewayUrl === null) return
  console.log(`\nGateway   ${gatewayUrl}, calls are paid in test USDC, without a key`)
  console.log(`npx sluice pay '/coins?limit=5'\n`)
}

async function showCounts({ db, ...patience }: Patience & { db: Db }): Promise<void> {
  const counts = await attempt('the stored rows cannot be counted', patience, () => countRows(db))
  if (!counts) return
  console.log('\nWhat is stored (rows per table):')
  for (const { area, tables } of counts) console.log(`  ${area.padEnd(11)}${tables}`)
}

/** Tries each call and prints it. */
async function showCalls(calls: { apiUrl: string; key: string; paths: readonly string[] }): Promise<void> {
  for (const path of calls.paths) {
    const url = `${calls.apiUrl}${path}`
    const problem = await problemOf(url, calls.key)
    if (problem !== null) console.log(`# answers now: ${problem}`)
    console.log(`curl -s -H 'X-API-KEY: ${calls.key}' '${url}'`)
  }
}

async function problemOf(url: string, key: string): Promise<string | null> {
  try {
    const response = await fetch(url, { headers: { 'x-api-key': key, prefer: 'handling=strict' } })
    const text = await response.text()
    return response.ok ? null : `${response.status} ${text}`
  } catch (error) {
    return `nothing, ${reasonOf(error)}`
  }
}

/** Prints how to sign in and how a shell gets a token. */
function showAccount(
  env: Record<string, string>,
  { password, operatorPassword, shellSecret }: DemoUsers,
): void {
  console.log(`Demo      ${env.ACCOUNT_URL}/demo (what the account page shows, without sign-in)`)
  console.log(`Account   ${env.ACCOUNT_URL}/account (user ${DEMO_SUBJECT}, password ${password})`)
  console.log(`Console   ${env.ACCOUNT_URL}/console (user ${OPERATOR_SUBJECT}, password ${operatorPassword})`)
  console.log(
    `Token     curl -s -u ${SHELL_CLIENT}:${shellSecret} -d grant_type=client_credentials -d 'scope=sluice:read sluice:write' ${env.OIDC_ISSUER}/token`,
  )
}

async function showLive(live: { apiUrl: string; key: string; env: Record<string, string> }): Promise<void> {
  console.log('\nLive sources:')
  for (const line of liveSourceLines(live.env)) console.log(line)
  console.log(`\nAPI key   ${live.key}`)
  if (live.env.ISSUER_URL) {
    console.log(`Account   ${live.env.ACCOUNT_URL}/account, for users that you invite:`)
    console.log(`npx sluice users invite NAME --account demo --console`)
  }
  console.log()
  await showCalls({ ...live, paths: ['/status', '/usage/credits', '/coins?limit=3'] })
}
