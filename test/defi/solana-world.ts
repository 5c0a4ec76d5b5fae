import { afterAll, beforeAll } from 'vitest'
import { createDefiActivities } from '../../activities/defi/index.ts'
import type { HttpClient } from '../../activities/http-client.ts'
import { getBalance } from '../../api/chain/get-balance.ts'
import { getWalletDefi } from '../../api/defi/get-wallet-defi.ts'
import { openDb } from '../../db/connect.ts'
import type { SolanaToken } from '../../sandbox/solana/tokens.ts'
import { startOtherChains } from '../chain/other-chains.ts'
import { syncDirectly } from '../chain/sync-directly.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint } from '../setup/endpoint.ts'
import { insertCoin } from '../setup/factories.ts'
import { activateNetworks } from '../setup/wallet-factories.ts'

/** A coin and, if it is a token of Solana, which. */
type PricedCoin = [id: string, priceUsd: string, token?: SolanaToken]

/** The simulated Solana, of which wallets are synced, and what reads their positions and answers about them. */
export async function startSolanaWorld({ wallets, coins }: { wallets: string[]; coins: PricedCoin[] }) {
  const database = await testDatabase()
  const api = await startApi({ database, routes: [getWalletDefi, getBalance] })
  const { key } = await api.newAccount()
  const { pool, close } = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
  afterAll(close)
  const { state, networkOf, asked, http, sources } = await startOtherChains()
  const now = () => new Date(state.nowMs)

  function readDue(client: HttpClient = http) {
    const activities = createDefiActivities({
      pool,
      now,
      heartbeat: () => {},
      nodes: () => Promise.reject(new Error('Solana has no nodes of that kind')),
      http: client,
      config: { sources },
    })
    return activities.readDueDefi({ olderThanSeconds: 300, limit: 10 })
  }

  /** What reading wallets answers, and how often each method of the node was asked for it. */
  async function readCounted() {
    asked.length = 0
    const read = await readDue()
    const methods = asked.map((body) => (JSON.parse(body) as { method: string }).method)
    const calls = [...Map.groupBy(methods, (method) => method)].map(([method, all]) => [method, all.length])
    return { read, calls: Object.fromEntries(calls) as Record<string, number> }
  }

  beforeAll(async () => {
    await activateNetworks(api.owner, ['solana'])
    for (const [id, priceUsd, token] of coins) {
      const contracts = token ? [{ blockchain: 'solana', address: token.mint, decimals: token.decimals }] : []
      await insertCoin(api.owner, { id, priceUsd, at: now(), contracts })
    }
    for (const address of wallets)
      await syncDirectly({ pool, network: await networkOf(pool, 'solana'), address })
  })

  return {
    database,
    pool,
    state,
    now,
    http,
    readDue,
    defi: endpoint(api, { route: getWalletDefi, key }),
    balance: endpoint(api, { route: getBalance, key }),
    readCounted,
  }
}

/** Investments of an answer of GET /wallet/defi, each with its protocol. */
export const investmentsIn = ({ protocols }: any): any[] =>
  protocols.flatMap(({ name: protocol, investments }: any) =>
    investments.map((one: any) => ({ protocol, ...one })),
  )
