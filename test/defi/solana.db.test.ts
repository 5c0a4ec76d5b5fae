import { expect, test } from 'vitest'
import { STAKE_PROGRAM } from '../../activities/defi/solana/stake-layout.ts'
import { holdersToSweep, markedWallets } from '../../db/defi/due-wallets.ts'
import { solanaWallets, staker } from '../../sandbox/solana/actors.ts'
import { ANCHOR } from '../chain/other-chains.ts'
import { query } from '../setup/query.ts'
import { investmentsIn, startSolanaWorld } from './solana-world.ts'

// The simulated Solana, from a wallet's history to the endpoints.

const SOL_USD = 200
const RESERVE = 0.00228288
const { database, pool, state, now, http, defi, balance, readDue, readCounted } = await startSolanaWorld({
  wallets: [staker, solanaWallets[0]!.address],
  coins: [
    ['bitcoin', '80000'],
    ['ethereum', '2000'],
    ['solana', String(SOL_USD)],
  ],
})

const path = `/wallet/defi?address=${staker}&connectionId=solana`
const investmentsOf = async () => {
  const { body } = await defi(path)
  return investmentsIn(body).map(({ protocol, name, unlockAt, value, assets }) => ({
    protocol,
    name,
    unlockAt,
    assets: assets.map((asset: any) => [asset.title, asset.amount, asset.coinId]),
    usd: value.USD,
  }))
}

test('positions are pending until they are read, in a few calls', async () => {
  expect((await defi(path)).body).toMatchObject({ protocols: [] })
  expect((await defi(path)).body.meta.pending).toContain(`solana:${staker}`)
  const { read, calls } = await readCounted()
  expect(read).toEqual({ read: 2, failed: 0, unpriced: [] })
  // One wallet has no staked token and no stake account: its stake accounts are all that is asked for it.
  expect(calls).toEqual({
    getEpochInfo: 1,
    getBlockTime: 1,
    getMultipleAccounts: 2,
    getProgramAccounts: 3,
    getTokenAccountsByOwner: 2,
  })
  expect(await markedWallets(pool, { limit: 10 })).toEqual([])
  const [stored] = await query<Record<string, any>>(
    database.ownerUrl,
    `select read.* from defi_reads as read join wallets as wallet on wallet.id = wallet_id where address = '${staker}'`,
  )
  expect(stored).toMatchObject({ network_id: 'solana', source: 'solana', failure: null, fetched_at: now() })
  expect(stored!['block_hash']).toBe(stored!['block_number'])
  // The time of the final slot, which is 32 slots old.
  expect(ANCHOR - stored!['block_at'].getTime() / 1_000).toBeLessThanOrEqual(14)
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
      stake('Active stake', [['Staked', 100 + RESERVE, 'solana']]),
      { ...stake('Deactivating stake', [['Withdrawing', 40 + RESERVE, 'solana']]), unlockAt: near(end) },
      stake('Inactive stake', [['Claimable', 10 + RESERVE, 'solana']]),
      row('Jito', 'JitoSOL', [['Staked', 62.5, 'solana']]),
      row('Marinade', 'mSOL', [['Staked', 68.75, 'solana']]),
      row('Marinade Tickets', 'Unstake ticket', [['Claimable', 7, 'solana']]),
      {
        ...row('Marinade Tickets', 'Unstake ticket', [['Withdrawing', 3, 'solana']]),
        unlockAt: near(end + 45 * 60_000),
      },
    ]),
  )
  expect(rows).toHaveLength(7)
  const { body } = await defi(path)
  expect(body.totalAssets.USD).toBeCloseTo((160 + 3 * RESERVE + 62.5 + 68.75) * SOL_USD, 6)
})

type Asset = [title: string, amount: number, coinId: string]
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
  expect(await readDue()).toMatchObject({ read: 1, failed: 0 })
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
  const refusing = readDue({
    ...http,
    fetchJson: (request) => {
      const { method, params } = request.body as { method: string; params: unknown[] }
      const isRefused = method === 'getProgramAccounts' && params[0] === STAKE_PROGRAM
      // With another filter the simulated node refuses as the public one does.
      const body = isRefused ? { jsonrpc: '2.0', id: 1, method, params: [params[0], {}] } : request.body
      return http.fetchJson({ ...request, body })
    },
  })
  expect(await refusing).toMatchObject({ read: 1, failed: 0 })
  expect(await investmentsOf()).toEqual(before)
  const [read] = await query<Record<string, any>>(
    database.ownerUrl,
    `select * from defi_reads where wallet_id = ${rows[0]!.id}`,
  )
  expect(read!['failure']).toContain('solana-staking: solana: getProgramAccounts: The RPC call')
  expect(await markedWallets(pool, { limit: 10 })).toEqual([])
})
