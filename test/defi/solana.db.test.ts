import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDefiActivities } from '../../activities/defi/index.ts'
import { STAKE_PROGRAM } from '../../activities/defi/solana/stake-layout.ts'
import { getBalance } from '../../api/chain/get-balance.ts'
import { getWalletDefi } from '../../api/defi/get-wallet-defi.ts'
import { openDb } from '../../db/connect.ts'
import { holdersToSweep, markedWallets } from '../../db/defi/due-wallets.ts'
import { solanaWallets, staker } from '../../sandbox/solana/actors.ts'
import { ANCHOR, startOtherChains } from '../chain/other-chains.ts'
import { syncDirectly } from '../chain/sync-directly.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { endpoint } from '../setup/endpoint.ts'
import { insertCoin } from '../setup/factories.ts'
import { query } from '../setup/query.ts'
import { activateNetworks } from '../setup/wallet-factories.ts'

// The simulated Solana, from a wallet's history to the endpoints.

const SOL_USD = 200
const RESERVE = 0.00228288
const NO_NODES = () => Promise.reject(new Error('Solana has no nodes of that kind'))
const database = await testDatabase()
const api = await startApi({ database, routes: [getWalletDefi, getBalance] })
const { key } = await api.newAccount()
const defi = endpoint(api, { route: getWalletDefi, key })
const balance = endpoint(api, { route: getBalance, key })
const { pool, close } = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
const { state, networkOf, asked, http, sources } = await startOtherChains()
const now = () => new Date(state.nowMs)
const activities = createDefiActivities({
  pool,
  now,
  heartbeat: () => {},
  nodes: NO_NODES,
  http,
  config: { sources },
})
const refresh = () => activities.readDueDefi({ olderThanSeconds: 300, limit: 10 })
afterAll(close)

beforeAll(async () => {
  const at = now()
  await activateNetworks(api.owner, ['solana'])
  for (const [id, symbol, priceUsd] of [
    ['bitcoin', 'btc', '80000'],
    ['ethereum', 'eth', '2000'],
    ['solana', 'sol', String(SOL_USD)],
  ] as const)
    await insertCoin(api.owner, { id, symbol, priceUsd, at })
  for (const address of [staker, solanaWallets[0]!.address])
    await syncDirectly({ pool, network: await networkOf(pool, 'solana'), address })
})

const path = `/wallet/defi?address=${staker}&connectionId=solana`
const investmentsOf = async () => {
  const { body } = await defi(path)
  return body.protocols.flatMap((protocol: any) =>
    protocol.investments.map((one: any) => ({
      protocol: protocol.name,
      name: one.name,
      unlockAt: one.unlockAt,
      assets: one.assets.map((asset: any) => [asset.title, asset.amount, asset.symbol]),
      usd: one.value.USD,
    })),
  )
}

test('positions are pending until they are read, in a few calls', async () => {
  expect((await defi(path)).body).toMatchObject({ protocols: [] })
  expect((await defi(path)).body.meta.pending).toContain(`solana:${staker}`)
  asked.length = 0
  expect(await refresh()).toEqual({ read: 2, failed: 0, unpriced: [] })
  const methods = asked.map((body) => (JSON.parse(body) as { method: string }).method)
  // One wallet has no staked token and no stake account: its stake accounts are all that is asked for it.
  const counts = [...Map.groupBy(methods, (method) => method)].map(([method, all]) => [method, all.length])
  expect(Object.fromEntries(counts)).toEqual({
    getEpochInfo: 1,
    getBlockTime: 1,
    // Reads within ten milliseconds share a call, on a busy machine all of them.
    getMultipleAccounts: expect.toSatisfy((calls: number) => calls <= 3),
    getProgramAccounts: 3,
    getTokenAccountsByOwner: 2,
  })
  expect(await markedWallets(pool, { limit: 10 })).toEqual([])
  const [read] = await query<Record<string, any>>(
    database.ownerUrl,
    `select read.* from defi_reads as read join wallets as wallet on wallet.id = wallet_id where address = '${staker}'`,
  )
  expect(read).toMatchObject({ network_id: 'solana', source: 'solana', failure: null, fetched_at: now() })
  expect(read!['block_hash']).toBe(read!['block_number'])
  // The time of the final slot, which is 32 slots old.
  expect(ANCHOR - read!['block_at'].getTime() / 1_000).toBeLessThanOrEqual(14)
})

test('/wallet/defi has stake, staked tokens and tickets, in SOL', async () => {
  // Of the 432,000 slots of the anchor's epoch 240,000 less the 32 that are not final have passed.
  const end = (ANCHOR - 13) * 1_000 + (432_000 - 240_000 + 32) * 400
  const near = (ms: number) => new Date(ms).toISOString().slice(0, 15)
  const rows = await investmentsOf()
  expect(
    rows.map(({ unlockAt, ...one }: any) => ({
      ...one,
      ...(unlockAt && { unlockAt: unlockAt.slice(0, 15) }),
    })),
  ).toEqual(
    expect.arrayContaining([
      stake('Active stake', [['Staked', 100 + RESERVE, 'SOL']]),
      { ...stake('Deactivating stake', [['Withdrawing', 40 + RESERVE, 'SOL']]), unlockAt: near(end) },
      stake('Inactive stake', [['Claimable', 10 + RESERVE, 'SOL']]),
      row('Jito', 'JitoSOL', [['Staked', 62.5, 'SOL']]),
      row('Marinade', 'mSOL', [['Staked', 68.75, 'SOL']]),
      row('Marinade Tickets', 'Unstake ticket', [['Claimable', 7, 'SOL']]),
      {
        ...row('Marinade Tickets', 'Unstake ticket', [['Withdrawing', 3, 'SOL']]),
        unlockAt: near(end + 45 * 60_000),
      },
    ]),
  )
  expect(rows).toHaveLength(7)
  const { body } = await defi(path)
  expect(body.totalAssets.USD).toBeCloseTo((160 + 3 * RESERVE + 62.5 + 68.75) * SOL_USD, 6)
})

type Asset = [title: string, amount: number, symbol: string]
const row = (protocol: string, name: string, assets: Asset[]) => ({
  protocol,
  name,
  assets,
  usd: expect.closeTo(assets[0]![1] * SOL_USD, 6),
})
const stake = (name: string, assets: Asset[]) => row('Solana Staking', name, assets)

test('what is staked has left the balance, so it counts once', async () => {
  const { body } = await balance(`/wallet/balance?address=${staker}&connectionId=solana`)
  const sol = body.find(({ coinId }: { coinId: string }) => coinId === 'solana')
  // 500 SOL came; stake, its reserves, swaps, rents and fees left.
  expect(sol.amount).toBeGreaterThan(500 - 150 - 125 - 0.1)
  expect(sol.amount).toBeLessThan(500 - 150 - 125)
})

test('stakers are swept once an hour, and what ended in an epoch is to be claimed in the next', async () => {
  const sweep = (minutes: number) =>
    holdersToSweep(pool, { before: new Date(state.nowMs + minutes * 60_000), limit: 10 })
  expect(await sweep(50)).toEqual([])
  expect(await sweep(60)).toMatchObject([{ address: staker, networkId: 'solana' }])
  state.nowMs += 2 * 86_400_000
  expect(await refresh()).toMatchObject({ read: 1, failed: 0 })
  const titles = (await investmentsOf()).flatMap((one: any) => one.assets.map(([title]: Asset) => title))
  expect(titles.filter((title: string) => title === 'Claimable')).toHaveLength(4)
  expect(titles).not.toContain('Withdrawing')
})

test('a node that lists no stake accounts keeps their last reading, and the others are read', async () => {
  const { rows } = await pool.query<{ id: string }>(`select id from wallets where address = '${staker}'`)
  await query(
    database.ownerUrl,
    `insert into defi_marks (wallet_id, network_id) values (${rows[0]!.id}, 'solana')`,
  )
  const before = await investmentsOf()
  const refusing = createDefiActivities({
    pool,
    now,
    heartbeat: () => {},
    nodes: NO_NODES,
    config: { sources },
    http: {
      ...http,
      fetchJson: (request) => {
        const { method, params } = request.body as { method: string; params: unknown[] }
        const isRefused = method === 'getProgramAccounts' && params[0] === STAKE_PROGRAM
        // With another filter the simulated node refuses as the public one does.
        const body = isRefused ? { jsonrpc: '2.0', id: 1, method, params: [params[0], {}] } : request.body
        return http.fetchJson({ ...request, body })
      },
    },
  })
  expect(await refusing.readDueDefi({ olderThanSeconds: 300, limit: 10 })).toMatchObject({
    read: 1,
    failed: 0,
  })
  expect(await investmentsOf()).toEqual(before)
  const [read] = await query<Record<string, any>>(
    database.ownerUrl,
    `select * from defi_reads where wallet_id = ${rows[0]!.id}`,
  )
  expect(read!['failure']).toContain('solana-staking: solana: getProgramAccounts: The RPC call')
  expect(await markedWallets(pool, { limit: 10 })).toEqual([])
})
