import type { AddressInfo } from 'node:net'
import type pg from 'pg'
import { afterAll } from 'vitest'
import { createNetworks } from '../../activities/chain/networks.ts'
import { BLOCKBOOK_COINS } from '../../sandbox/bitcoin/actors.ts'
import { createBlockbook } from '../../sandbox/bitcoin/blockbook.ts'
import { type BitcoinChain, createBitcoinChain } from '../../sandbox/bitcoin/chain.ts'
import { createKoios } from '../../sandbox/cardano/koios.ts'
import { createCardanoChain } from '../../sandbox/cardano/ledger.ts'
import { COSMOS_NETS } from '../../sandbox/cosmos/actors.ts'
import { createCosmosChain } from '../../sandbox/cosmos/ledger.ts'
import { createCosmosRest } from '../../sandbox/cosmos/rest.ts'
import { createFaults } from '../../sandbox/faults.ts'
import { createMarket } from '../../sandbox/market/market.ts'
import { createSandboxServer } from '../../sandbox/server.ts'
import { lazy } from '../../sandbox/lazy.ts'
import { createSolanaChain } from '../../sandbox/solana/chain.ts'
import { createEsplora } from '../../sandbox/bitcoin/esplora.ts'
import { createSolana } from '../../sandbox/solana/solana.ts'
import { createSuiGraphql } from '../../sandbox/sui/graphql.ts'
import { createSuiChain } from '../../sandbox/sui/ledger.ts'
import { createTonChain } from '../../sandbox/ton/ledger.ts'
import { createToncenter } from '../../sandbox/ton/toncenter.ts'
import { createTronChain } from '../../sandbox/tron/chain.ts'
import { createTrongrid } from '../../sandbox/tron/trongrid.ts'
import { createXrplChain } from '../../sandbox/xrpl/ledger.ts'
import { createRippled } from '../../sandbox/xrpl/rippled.ts'
import type { Upstream } from '../../sandbox/upstream.ts'
import type { NetworkId } from '../../db/values/networks.ts'
import { freeHttp } from './free-http.ts'

/** Well inside the two years, so that transactions after an instant exist too. */
export const ANCHOR = Date.UTC(2026, 10, 20) / 1_000
export const market = createMarket({ seed: 7, anchor: ANCHOR })

/**
 * Starts the simulated Bitcoin, the networks that descend from it, Solana, Tron, the XRP Ledger, chains of the
 * Cosmos SDK, Sui, TON and Cardano on a free port. Tests may move the clock and replace chains; it stops after the file.
 */
export async function startOtherChains() {
  const faults = createFaults()
  const state = {
    nowMs: ANCHOR * 1_000,
    bitcoin: createBitcoinChain({ market }),
    cardano: lazy(() => createCardanoChain({ market })),
    /** of a Blockbook, by network; made when they are asked for */
    utxo: new Map(
      BLOCKBOOK_COINS.map((coin): [string, () => BitcoinChain] => [
        coin.id,
        lazy(() => createBitcoinChain({ market, coin })),
      ]),
    ),
  }
  const solana = createSolanaChain({ market })
  const xrpl = lazy(() => createXrplChain({ market }))
  const tron = lazy(() => createTronChain({ market }))
  const cosmos = COSMOS_NETS.map((net) => ({ net, chain: lazy(() => createCosmosChain({ market, net })) }))
  const sui = lazy(() => createSuiChain({ market }))
  const ton = lazy(() => createTonChain({ market }))
  /** bodies of the calls to Solana's node */
  const asked: string[] = []
  const noted =
    (upstream: Upstream): Upstream =>
    (request) => {
      asked.push(request.bodyText)
      return upstream(request)
    }
  const mounts = [
    { base: '/esplora/api', upstream: createEsplora(() => state.bitcoin) },
    ...BLOCKBOOK_COINS.map((coin) => ({
      base: `/blockbook/${coin.id}`,
      upstream: createBlockbook(coin, () => state.utxo.get(coin.id)!()),
    })),
    { base: '/trongrid', upstream: createTrongrid(tron) },
    { base: '/xrpl', upstream: createRippled(xrpl) },
    ...cosmos.map(({ net, chain }) => ({ base: `/cosmos/${net.id}`, upstream: createCosmosRest(chain) })),
    { base: '/sui', upstream: createSuiGraphql(sui) },
    { base: '/toncenter', upstream: createToncenter(ton) },
    { base: '/koios', upstream: createKoios(() => state.cardano()) },
    { base: '/solana', upstream: noted(createSolana(() => solana)) },
  ]
  const server = createSandboxServer({ mounts, faults, nowMs: () => state.nowMs })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const limit = { key: null, requestsPerSecond: 1_000, burst: 1_000 }
  const sources = {
    esplora: { url: `${url}/esplora/api`, ...limit },
    solana: { url: `${url}/solana`, ...limit },
    xrpl: { url: `${url}/xrpl`, ...limit },
    'sui-graphql': { url: `${url}/sui`, ...limit },
    toncenter: { url: `${url}/toncenter`, ...limit },
    koios: { url: `${url}/koios/api/v1`, ...limit },
    trongrid: { url: `${url}/trongrid`, ...limit },
    ...Object.fromEntries(
      cosmos.map(({ net: { id } }) => [`${id}-rest`, { url: `${url}/cosmos/${id}`, ...limit }]),
    ),
    ...Object.fromEntries(
      BLOCKBOOK_COINS.map(({ id }) => [`${id}-blockbook`, { url: `${url}/blockbook/${id}`, ...limit }]),
    ),
  }
  const http = freeHttp(sources)
  afterAll(async () => {
    await http.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const noNodes = () => Promise.reject(new Error('these networks have no nodes'))
  const networkOf = (pool: pg.Pool, networkId: NetworkId) =>
    createNetworks({ pool, http, nodes: noNodes, config: { sources }, now: () => new Date() })(networkId)
  return { state, solana, tron, xrpl, cosmos, sui, ton, faults, networkOf, asked, http, sources }
}
