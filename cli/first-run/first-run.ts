import { AREAS } from '../../activities/areas.ts'
import { sourceOff } from '../../activities/config.ts'
import { openDb } from '../../db/connect.ts'
import { networks } from '../../sandbox/chain/networks.ts'
import type { SandboxWallet } from '../supervisor/start-parts.ts'
import { countRows } from './count-rows.ts'
import { demoExchange } from './demo-exchange.ts'
import { demoIdentity } from './demo-identity.ts'
import { demoPortfolios } from './demo-portfolios.ts'
import { demoWallets } from './demo-wallets.ts'
import { DEMO_SUBJECT, OPERATOR_SUBJECT, SHELL_CLIENT } from '../../issuer/demo-names.ts'
import { demoKey } from './demo-key.ts'
import { waitForFirstIngestion, waitForPrices, waitForWallet } from './wait-for-data.ts'

const PATIENCE_MS = 300_000

interface DemoUsers {
  password: string
  operatorPassword: string
  shellSecret: string
}

interface FirstRunOptions {
  home: string
  /** As the worker sees it. */
  env: Record<string, string>
  /** Of the embedded issuer; null: there is another one, or none. */
  demoUser: DemoUsers | null
  apiUrl: string
  /** Of the gateway where calls are paid with test money; null: there is none. */
  gatewayUrl: string | null
  /** Wallets of the sandbox; none with live sources. */
  wallets: readonly SandboxWallet[]
  log: (line: string) => void
}

/** Has the first data ingested, waits for it, and shows how to ask for it. Does little when it is there already. */
export async function firstRun(options: FirstRunOptions): Promise<void> {
  const { home, env, demoUser, apiUrl, gatewayUrl, wallets, log } = options
  const { db, close } = openDb({ url: env.DATABASE_URL!, maxConnections: 1, applicationName: 'sluice-start' })
  try {
    const key = await demoKey({ home, db })
    if (demoUser) await demoIdentity(db, { key, issuer: env.OIDC_ISSUER! })
    const wallet = wallets[0]
    if (!wallet) return showLive({ apiUrl, key, env })
    const wait = { db, log, deadlineMs: Date.now() + PATIENCE_MS }
    const networkIds = networks.map(({ id }) => id)
    const target = `address=${wallet.address}&connectionId=${networkIds.join(',')}`
    if (!(await waitForPrices(wait))) log('the prices are not complete yet; see logs/worker.log')
    await requestSync(`${apiUrl}/wallet/transactions?${target}`, key)
    log(`wallet ${wallet.address}: sync requested`)
    const [synced, portfolioId, others] = await Promise.all([
      waitForWallet(wait, { address: wallet.address, networkIds }),
      demoExchange({ apiUrl, key, ...wait }),
      demoWallets({ apiUrl, key, ...wait }),
    ])
    if (!synced) log('the wallet is not synced yet; see logs/worker.log')
    if (portfolioId === null) log('the exchange account is not synced yet; see logs/worker.log')
    const portfolios = await demoPortfolios({
      ...{ apiUrl, key, ...wait },
      wallet: { address: wallet.address, connectionId: networkIds[0]! },
    }).catch((error: Error) => {
      log(error.message)
      return null
    })
    if (!portfolios) log('the portfolios are not computed yet; see logs/worker.log')
    if (!(await waitForFirstIngestion(env, wait)))
      log('the first ingestion goes on; "sluice status" shows how far it is')
    console.log('\nWhat is stored (rows per table):')
    for (const { area, tables } of await countRows(db)) console.log(`  ${area.padEnd(11)}${tables}`)
    const paths = [`/coins?limit=3`, `/wallet/balance?${target}`, `/wallet/transactions?${target}&limit=5`]
    console.log(`\nAPI key   ${key}`)
    console.log(`Wallet    ${wallet.address} (${wallet.label}) on ${networkIds.join(', ')}`)
    for (const other of others) console.log(`Wallet    ${other.address} on ${other.connectionId}`)
    if (portfolioId !== null) console.log(`Exchange  portfolioId ${portfolioId} (binance)`)
    for (const one of portfolios ?? [])
      console.log(`Portfolio ${one.portfolioId} (${one.portfolioType}: ${one.portfolioName})`)
    if (demoUser) showAccount(env, demoUser)
    console.log()
    await showCalls({ apiUrl, key, paths })
    if (gatewayUrl !== null) {
      console.log(`\nGateway   ${gatewayUrl}, calls paid in test USDC, without a key`)
      console.log(`npx sluice pay '/coins?limit=5'`)
    }
    console.log('\n*** SANDBOX: prices, wallets and chains are invented by a local simulator.')
    console.log('*** Every answer says so (X-Data-Source: sandbox). Real upstreams: SOURCES=live npm start\n')
  } finally {
    await close()
  }
}

/** Each call is tried before it is shown. */
async function showCalls(calls: { apiUrl: string; key: string; paths: readonly string[] }): Promise<void> {
  for (const path of calls.paths) {
    const url = `${calls.apiUrl}${path}`
    const response = await fetch(url, { headers: { 'x-api-key': calls.key } })
    if (!response.ok) console.log(`# answers ${response.status} now: ${await response.text()}`)
    console.log(`curl -s -H 'X-API-KEY: ${calls.key}' '${url}'`)
  }
}

/** How to sign in, and how a shell gets a token. */
function showAccount(
  env: Record<string, string>,
  { password, operatorPassword, shellSecret }: DemoUsers,
): void {
  console.log(`Account   ${env.ACCOUNT_URL}/account (user ${DEMO_SUBJECT}, password ${password})`)
  console.log(`Console   ${env.ACCOUNT_URL}/console (user ${OPERATOR_SUBJECT}, password ${operatorPassword})`)
  console.log(
    `Token     curl -s -u ${SHELL_CLIENT}:${shellSecret} -d grant_type=client_credentials -d 'scope=sluice:read sluice:write' ${env.OIDC_ISSUER}/token`,
  )
}

async function requestSync(url: string, key: string): Promise<void> {
  const response = await fetch(url, { method: 'PATCH', headers: { 'x-api-key': key } })
  if (!response.ok) throw new Error(`the sync was refused: ${response.status} ${await response.text()}`)
}

async function showLive(live: { apiUrl: string; key: string; env: Record<string, string> }): Promise<void> {
  console.log('\nLive sources:')
  for (const spec of AREAS.flatMap((area) => area.sources)) {
    const missing = sourceOff(spec, live.env)
    console.log(`  ${spec.name.padEnd(12)}${missing === null ? 'on' : `off: set ${missing}`}`)
  }
  const nodes = Object.keys(live.env).filter((name) => name.startsWith('RPC_URL_') && live.env[name])
  const first = networks[0]!.rpcUrlVariable
  console.log(
    `  ${'nodes'.padEnd(12)}${nodes.length > 0 ? nodes.join(', ') : `off: set ${first} and the like`}`,
  )
  console.log(`\nAPI key   ${live.key}\n`)
  await showCalls({ ...live, paths: ['/status', '/usage/credits', '/coins?limit=3'] })
}
