import { afterAll, expect, onTestFinished, test } from 'vitest'
import { createNetworks } from '../../../activities/chain/networks.ts'
import { REQUESTS_OF_ADDRESS, REQUESTS_OF_SYNC } from '../../../activities/chain/requests.ts'
import { SourceRejected, SourceUnavailable } from '../../../activities/errors.ts'
import { createHttpClient } from '../../../activities/http.ts'
import { openDb } from '../../../db/connect.ts'
import { BLOCKBOOK_COINS } from '../../../sandbox/bitcoin/actors.ts'
import { createBitcoinChain } from '../../../sandbox/bitcoin/chain.ts'
import { cardanoWallets } from '../../../sandbox/cardano/actors.ts'
import { createCardanoChain } from '../../../sandbox/cardano/ledger.ts'
import { tonWallets } from '../../../sandbox/ton/actors.ts'
import { createTonChain } from '../../../sandbox/ton/ledger.ts'
import { actorsOf, COSMOS_NETS } from '../../../sandbox/cosmos/actors.ts'
import { createCosmosChain } from '../../../sandbox/cosmos/ledger.ts'
import { suiWallets } from '../../../sandbox/sui/actors.ts'
import { createSuiChain } from '../../../sandbox/sui/ledger.ts'
import { tronWallets } from '../../../sandbox/tron/actors.ts'
import { createTronChain } from '../../../sandbox/tron/chain.ts'
import { xrplWallets } from '../../../sandbox/xrpl/actors.ts'
import { createXrplChain } from '../../../sandbox/xrpl/ledger.ts'
import { ANCHOR, market } from '../../chain/other-chains.ts'
import { syncDirectly } from '../../chain/sync-directly.ts'
import { testDatabase } from '../../setup/database.ts'
import { stopLater } from '../actors.ts'
import { createClock } from '../double.ts'
import type { FakeClock } from '../double.ts'
import { atPlanRates } from '../plan-rates.ts'
import type { RuledDouble } from '../prices/ruled.ts'
import { simulatedGate } from '../simulated-gate.ts'
import { startBlockbook } from './blockbook.ts'
import { startCosmos } from './cosmos.ts'
import { startKoios } from './koios.ts'
import { startRippled } from './rippled.ts'
import { startToncenter } from './toncenter.ts'
import { startSui } from './sui.ts'
import { startTrongrid } from './trongrid.ts'

// Wallets against strict doubles at the rates of their plans, and what the plan says that a sync of one asks.

const database = await testDatabase()
const { pool, close } = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
afterAll(() => close())

const coin = BLOCKBOOK_COINS[0]!
const net = COSMOS_NETS[0]!

interface Case {
  networkId: string
  source: string
  address: string
  /** of a sync: each token of Tron takes one */
  requests: { most: number; least: number }
  /** More requests than the service bears at once. */
  flood: number
  start: (clock: FakeClock) => Promise<RuledDouble>
}

const exactly = (count: number) => ({ most: count, least: count })
const cases: Case[] = [
  {
    networkId: coin.id,
    source: `${coin.id}-blockbook`,
    address: coin.wallets.at(-1)!.name,
    requests: exactly(REQUESTS_OF_SYNC.utxo + REQUESTS_OF_ADDRESS),
    flood: 320,
    start: (clock) => startBlockbook({ clock, coin, chain: createBitcoinChain({ market, coin }) }),
  },
  {
    networkId: 'tron',
    source: 'trongrid',
    address: tronWallets[1]!.address,
    requests: { most: REQUESTS_OF_SYNC.tron, least: REQUESTS_OF_SYNC.tron - 2 },
    flood: 20,
    start: (clock) => startTrongrid({ clock, chain: createTronChain({ market }) }),
  },
  {
    networkId: 'xrpl',
    source: 'xrpl',
    address: xrplWallets[0]!.address,
    requests: exactly(REQUESTS_OF_SYNC.xrpl),
    flood: 130,
    start: (clock) => startRippled({ clock, chain: createXrplChain({ market }) }),
  },
  {
    networkId: 'ton',
    source: 'toncenter',
    address: tonWallets[0]!.address,
    requests: exactly(REQUESTS_OF_SYNC.ton),
    flood: 5,
    start: (clock) => startToncenter({ clock, chain: createTonChain({ market }) }),
  },
  {
    networkId: 'cardano',
    source: 'koios',
    address: cardanoWallets[0]!.name,
    requests: exactly(REQUESTS_OF_SYNC.cardano),
    flood: 130,
    start: async (clock) => {
      const double = await startKoios({ clock, chain: createCardanoChain({ market }) })
      return { ...double, url: `${double.url}/api/v1` }
    },
  },
  {
    networkId: 'cosmos',
    source: 'cosmos-rest',
    address: actorsOf(net).wallets[0]!.address,
    requests: exactly(REQUESTS_OF_SYNC.cosmos),
    flood: 130,
    start: (clock) => startCosmos({ clock, chain: createCosmosChain({ market, net }) }),
  },
  {
    networkId: 'sui',
    source: 'sui-graphql',
    address: suiWallets[0]!.address,
    requests: exactly(REQUESTS_OF_SYNC.sui),
    flood: 130,
    start: (clock) => startSui({ clock, chain: createSuiChain({ market }) }),
  },
]

const FLOODS: Record<string, string> = {
  trongrid: '/walletsolidity/getblock',
  [`${coin.id}-blockbook`]: '/api/status',
  'cosmos-rest': '/cosmos/base/tendermint/v1beta1/blocks/latest',
  toncenter: '/api/v3/masterchainInfo',
  koios: '/tip',
}

async function open(source: string, { clock, start }: { clock: FakeClock; start: Case['start'] }) {
  const double = stopLater(await start(clock))
  const sources = atPlanRates({ [source]: { url: double.url, key: null } })
  const gate = await simulatedGate({ database, clock, limits: sources })
  const http = createHttpClient({ gate, sources, random: () => 0 })
  onTestFinished(() => gate.close())
  onTestFinished(() => http.close())
  const nodes = () => Promise.reject(new Error('these networks have no nodes'))
  const now = () => new Date(clock.now())
  return { double, networkOf: createNetworks({ pool, http, nodes, config: { sources }, now }) }
}

test.each(cases)(
  '$source bears a wallet at its pace, a later sync asks what the plan says, and a refusal passes',
  { timeout: 200_000 },
  async ({ networkId, source, address, requests, flood, start }) => {
    const clock = createClock(ANCHOR * 1_000)
    const { double, networkOf } = await open(source, { clock, start })
    const network = await networkOf(networkId)
    await syncDirectly({ pool, network, address })
    clock.advance(1_800_000)
    double.asked.length = 0
    await syncDirectly({ pool, network, address })
    expect(double.refused).toEqual([])
    expect(double.asked.length).toBeLessThanOrEqual(requests.most)
    expect(double.asked.length).toBeGreaterThanOrEqual(requests.least)

    // Somebody else spends the allowance of the address.
    const call = { method: 'POST', body: '{"method":"ledger","params":[{}]}' }
    const isRead = /toncenter$|koios$|blockbook$|rest$/.test(source)
    for (let i = 0; i < flood; i++)
      await fetch(double.url + (FLOODS[source] ?? '/'), isRead ? {} : call).then((reply) => reply.text())
    expect(double.refused.length).toBeGreaterThan(0)
    const answer = await network.source.head().catch((error: unknown) => error)
    // A second later TON Center answers again, which is within the tries of one request.
    if (source === 'toncenter') expect(answer).toMatchObject({ block: { parentHash: null } })
    else expect(answer instanceof SourceUnavailable || answer instanceof SourceRejected).toBe(true)
    clock.advance(1_800_000)
    await syncDirectly({ pool, network, address })
  },
)

test('a busy server of the XRP Ledger says so with status 200, and is asked again later', async () => {
  const clock = createClock(ANCHOR * 1_000)
  let rippled: Awaited<ReturnType<typeof startRippled>> | undefined
  const start = async () => (rippled = await startRippled({ clock, chain: createXrplChain({ market }) }))
  const { networkOf } = await open('xrpl', { clock, start })
  const { source } = await networkOf('xrpl')
  rippled!.state.isBusy = true
  await expect(source.head()).rejects.toBeInstanceOf(SourceUnavailable)
  rippled!.state.isBusy = false
  clock.advance(600_000)
  expect((await source.head()).finalized).toBeGreaterThan(0)
})
