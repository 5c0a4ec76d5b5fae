import { Context } from '@temporalio/activity'
import { Client, Connection } from '@temporalio/client'
import { DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { activeNetworks } from '../../activities/active-networks.ts'
import { readWorkerConfig } from '../../activities/config.ts'
import { dispatchPending } from '../../activities/dispatch-outbox.ts'
import { createHttpClient } from '../../activities/http.ts'
import { createActivities } from '../../activities/create-activities.ts'
import { createSourceGate } from '../../activities/source-gate.ts'
import { routes } from '../../api/routes.ts'
import { markActiveNetworks } from '../../db/sources/write.ts'
import { networkWithId, type NetworkId } from '../../db/values/networks.ts'
import { bitcoinWallets, BLOCKBOOK_COINS } from '../../sandbox/bitcoin/actors.ts'
import { cardanoWallets } from '../../sandbox/cardano/actors.ts'
import { actorsOf, COSMOS_NETS } from '../../sandbox/cosmos/actors.ts'
import { solanaWallets } from '../../sandbox/solana/actors.ts'
import { suiWallets } from '../../sandbox/sui/actors.ts'
import { tonWallets } from '../../sandbox/ton/actors.ts'
import { tronWallets } from '../../sandbox/tron/actors.ts'
import { xrplWallets } from '../../sandbox/xrpl/actors.ts'
import type { checkWallets } from '../../workflows/chain/check-wallets.ts'
import { startPriceWorld } from '../prices/price-world.ts'
import { recordHistory } from '../replay/record-history.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { createWorkers } from '../setup/worker.ts'
import '../setup/provided.ts'

const TASK_QUEUE = 'other-chains-test'
const database = await testDatabase()
const { deps, env, url } = await startPriceWorld(database)
const api = await startApi({ database, routes })
const { key } = await api.newAccount()
const stops: (() => unknown)[] = []
let client: Client

beforeAll(async () => {
  const config = readWorkerConfig({
    ...env,
    ESPLORA_URL: `${url}/esplora/api`,
    SOLANA_URL: `${url}/solana`,
    LITECOIN_BLOCKBOOK_URL: `${url}/blockbook/litecoin`,
    DOGECOIN_BLOCKBOOK_URL: `${url}/blockbook/dogecoin`,
    BITCOIN_CASH_BLOCKBOOK_URL: `${url}/blockbook/bitcoin-cash`,
    TRONGRID_URL: `${url}/trongrid`,
    XRPL_URL: `${url}/xrpl`,
    COSMOS_REST_URL: `${url}/cosmos-rest/cosmos`,
    OSMOSIS_REST_URL: `${url}/cosmos-rest/osmosis`,
    CELESTIA_REST_URL: `${url}/cosmos-rest/celestia`,
    SUI_GRAPHQL_URL: `${url}/sui-graphql`,
    TONCENTER_URL: `${url}/toncenter`,
    KOIOS_URL: `${url}/koios/api/v1`,
  })
  const gate = createSourceGate({ db: deps.db, limits: config.sources })
  const http = createHttpClient({ gate, sources: config.sources, random: Math.random })
  const heartbeat = () => Context.current().heartbeat()
  const activities = createActivities({ ...deps, config, http, heartbeat, now: () => new Date() })
  await markActiveNetworks(deps.db, activeNetworks(config))
  await activities.refreshQuotes()
  await activities.refreshListings()
  Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] })
  const address = inject('temporalAddress')
  const connection = await NativeConnection.connect({ address })
  const worker = await createWorkers({
    connection,
    taskQueue: TASK_QUEUE,
    activities,
    shutdownGraceTime: '2s',
  })
  const running = worker.run()
  client = new Client({ connection: await Connection.connect({ address }) })
  stops.push(
    () => http.close(),
    () => client.connection.close(),
    () => connection.close(),
    () => running,
    () => worker.shutdown(),
  )
})
afterAll(async () => {
  const workflow = process.env['RECORD_HISTORY']
  if (workflow) await recordHistory(client, { taskQueue: TASK_QUEUE, workflow })
  for (const stop of stops.reverse()) await stop()
})

async function get(path: string) {
  const response = await api.get(path, key)
  expect(response.status, path).toBe(200)
  return (await response.json()) as any
}

/** Requests a sync as a client does and waits for its workflow. */
async function sync(query: string, workflowId: string): Promise<void> {
  const answer = await api.get(`/wallet/transactions?${query}`, key, { method: 'PATCH' })
  expect(await answer.json()).toEqual({ status: 'syncing' })
  await dispatchPending({ pool: deps.pool, client, taskQueue: TASK_QUEUE, known: new Set() })
  await client.workflow.getHandle(workflowId).result()
  expect(await get(`/wallet/status?${query}`)).toEqual({ status: 'synced', lastSyncedAt: expect.any(String) })
}

interface Case {
  networkId: NetworkId
  address: string
  /** Coins with prices. */
  coins: string[]
  /** Coins that the wallet holds. */
  held: string[]
  transaction: RegExp
}

const HEX = /^[0-9a-f]{64}$/
const utxoWallet = (id: string): string => BLOCKBOOK_COINS.find((coin) => coin.id === id)!.wallets[0]!.name
const cosmosWallet = (id: string): string =>
  actorsOf(COSMOS_NETS.find((net) => net.id === id)!).wallets[1]!.address

const cases: Case[] = [
  {
    networkId: 'bitcoin',
    address: bitcoinWallets[0]!.name,
    coins: ['bitcoin'],
    held: ['bitcoin'],
    transaction: /^[0-9a-f]{64}$/,
  },
  {
    networkId: 'solana',
    address: solanaWallets[0]!.address,
    coins: ['solana', 'tether', 'usd-coin'],
    // It sends the last of its tether at 22:30 each day.
    held: ['solana', 'usd-coin', 'sluice-drop'],
    transaction: /^[1-9A-HJ-NP-Za-km-z]{80,88}$/,
  },
  ...['litecoin', 'dogecoin', 'bitcoin-cash'].map((id): Case => ({
    networkId: id as NetworkId,
    address: utxoWallet(id),
    coins: [id],
    held: [id],
    transaction: HEX,
  })),
  {
    networkId: 'tron',
    address: tronWallets[0]!.address,
    coins: ['tron', 'tether'],
    held: ['tron', 'tether'],
    transaction: HEX,
  },
  {
    networkId: 'xrpl',
    address: xrplWallets[0]!.address,
    coins: ['ripple'],
    held: ['ripple'],
    transaction: /^[0-9A-F]{64}$/,
  },
  {
    networkId: 'cosmos',
    address: cosmosWallet('cosmos'),
    coins: ['cosmos', 'osmosis'],
    held: ['cosmos', 'osmosis'],
    transaction: HEX,
  },
  {
    networkId: 'osmosis',
    address: cosmosWallet('osmosis'),
    coins: ['osmosis', 'cosmos', 'usd-coin'],
    held: ['osmosis', 'cosmos', 'usd-coin'],
    transaction: HEX,
  },
  {
    networkId: 'celestia',
    address: cosmosWallet('celestia'),
    coins: ['celestia'],
    held: ['celestia'],
    transaction: HEX,
  },
  {
    networkId: 'sui',
    address: suiWallets[0]!.address,
    coins: ['sui', 'usd-coin'],
    held: ['sui', 'usd-coin'],
    transaction: /^[1-9A-HJ-NP-Za-km-z]{43,44}$/,
  },
  {
    networkId: 'ton',
    address: tonWallets[0]!.address,
    coins: ['the-open-network', 'tether'],
    held: ['the-open-network', 'tether'],
    transaction: HEX,
  },
  {
    networkId: 'cardano',
    address: cardanoWallets[0]!.name,
    coins: ['cardano', 'usd-coin'],
    held: ['cardano', 'usd-coin'],
    transaction: HEX,
  },
]

describe.each(cases)('$networkId from the simulator to the endpoints', (one) => {
  const { networkId, address } = one
  const network = networkWithId(networkId)
  const target = `address=${address}&connectionId=${networkId}`

  test('a requested sync gives transactions, balances, charts and P&L', async () => {
    expect((await api.get(`/wallet/transactions?${target}`, key)).status).toBe(409)
    await sync(target, `sync:${address}:${networkId}`)
    const { result } = await get(`/wallet/transactions?${target}&limit=100`)
    expect(result.length).toBeGreaterThan(50)
    for (const item of result) {
      expect(item.hash.id).toMatch(one.transaction)
      const page = item.hash.explorerUrl.startsWith(`${network.explorerUrl}/block/`) ? 'block' : 'tx'
      expect(item.hash.explorerUrl).toBe(`${network.explorerUrl}/${page}/${item.hash.id}`)
      // What Cardano credits at the start of an epoch has no transaction of its own.
      if (page === 'block') expect([networkId, item.type]).toEqual(['cardano', 'Received'])
    }
    // The deposit of a stake address goes to nobody.
    const isDeposit = (item: any) => networkId === 'cardano' && item.transactions[0].items[0].count === -2
    const found = result.find(
      (item: any) => item.type === 'Sent' && item.fee && item.transactions.length > 0 && !isDeposit(item),
    )
    expect(found.fee.totalWorth).toBeGreaterThan(0)
    const item = found.transactions[0].items[0]
    expect(item.totalWorth).toBeGreaterThan(0)
    expect(item.count).toBeLessThan(0)
    expect(item.toAddress).toBeTypeOf('string')
    const alone = await get(`/wallet/transactions?${target}&txId=${found.hash.id}`)
    expect(alone.result.map((row: any) => row.hash.id)).toEqual([found.hash.id])
    const pairs = await get(`/wallet/transactions?wallets=${networkId}:${address}&limit=100`)
    expect(pairs.result).toEqual(result)

    const balances = await get(`/wallet/balance?${target}`)
    expect(balances.map((row: any) => row.coinId)).toEqual(expect.arrayContaining(one.held))
    for (const row of balances.filter(({ coinId }: any) => one.coins.includes(coinId))) {
      expect(row).toMatchObject({ connectionId: networkId, chain: network.blockchain })
      expect(row.amount * row.price).toBeGreaterThan(0)
    }
    const name = network.inAll ? 'all' : networkId
    expect(await get(`/wallet/balance?address=${address}&connectionId=${name}`)).toEqual(balances)
    expect(await get(`/wallet/balance/many?wallets=${name}:${address}`)).toEqual([
      { blockchain: network.blockchain, address, connectionId: networkId, balances },
    ])

    const chart = await get(`/wallet/chart?${target}&type=1y`)
    expect(chart.result.length).toBeGreaterThan(360)
    // The chart ends with the newest prices, like the balances.
    const [, endUsd] = chart.result.at(-1)
    const worth = balances.reduce((sum: number, row: any) => sum + row.amount * row.price, 0)
    // What was paid for a coin without a price counts in the chart alone.
    if (balances.every((row: any) => row.isPriced)) expect(endUsd / worth).toBeCloseTo(1, 6)
    else expect(endUsd).toBeGreaterThan(worth)
    const history = await get(`/wallet/pl/history?${target}&interval=monthly&range=all`)
    expect(history.result.length).toBeGreaterThan(20)
  })

  test('has no openings, and all movements of known coins have a price', async () => {
    const { rows } = await deps.pool.query(
      `select count(*) filter (where role = 'opening')::integer as openings,
         count(*) filter (where price_usd is null and coin_id = any($2))::integer as unpriced
       from movements where network_id = $1`,
      [networkId, one.coins],
    )
    expect(rows).toEqual([{ openings: 0, unpriced: 0 }])
  })
})

test('the first sync of a wallet of Solana has read its NFTs', async () => {
  const { meta, data } = await get(`/nft/wallet/${solanaWallets[0]!.address}/assets`)
  expect([meta.pending, data.length]).toEqual([undefined, 3])
})

test('a check syncs a wallet that was never checked, and then none that is idle', async () => {
  const check = async (times: number) => {
    await deps.pool.query(
      `update wallet_syncs set synced_at = now() - interval '250 seconds' where network_id = 'solana'`,
    )
    await deps.pool.query(`update account_checks set checked_at = now() - interval '250 seconds'`)
    return await client.workflow.execute<typeof checkWallets>('checkWallets', {
      workflowId: `check-wallets-test-${times}`,
      taskQueue: TASK_QUEUE,
      args: [{ networkId: 'solana', olderThanSeconds: 200, accounts: 5_000, parallel: 4 }],
    })
  }
  const first = await check(1)
  expect(first.accounts).toBeGreaterThan(1)
  expect(first.started).toBe(1)
  expect(await check(2)).toEqual({ accounts: first.accounts, started: 0 })
  const { rows } = await deps.pool.query(
    `select 1 from wallet_coverage where network_id = 'solana' and synced_at < now() - interval '200 seconds'`,
  )
  expect(rows).toEqual([])
})

test('all means the networks that fit the address of each wallet', async () => {
  const [bitcoin, solana] = [bitcoinWallets[2]!.name, solanaWallets[2]!.address]
  const wallets = [bitcoin, solana].map((address) => ({ address, connectionId: 'all' }))
  const answer = await api.get('/wallet/transactions', key, {
    method: 'PATCH',
    body: JSON.stringify({ wallets }),
    headers: { 'content-type': 'application/json' },
  })
  expect(await answer.json()).toEqual({ status: 'syncing' })
  const { rows } = await deps.pool.query(
    `select workflow_id from outbox where dispatched_at is null order by id`,
  )
  expect(rows).toEqual([{ workflow_id: `sync:${bitcoin}:bitcoin` }, { workflow_id: `sync:${solana}:solana` }])
})
