import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { backfillStep } from '../../activities/chain/backfill-step.ts'
import { createExplorers } from '../../activities/chain/sources/explorer.ts'
import { createEvmSource } from '../../activities/chain/sources/evm.ts'
import type { Explorer } from '../../activities/chain/sources/explorer.ts'
import type { RpcSource } from '../../activities/chain/sources/rpc.ts'
import { NotInPlan } from '../../activities/errors.ts'
import { openDb } from '../../db/connect.ts'
import { readPlace } from '../../db/chain/sync-progress.ts'
import { completeSync, startSync } from '../../db/chain/syncs.ts'
import { routes } from '../../api/routes.ts'
import { startApi } from '../setup/api.ts'
import { testDatabase } from '../setup/database.ts'
import { activateNetworks, address } from '../setup/wallet-factories.ts'

const database = await testDatabase()
const api = await startApi({ database, routes })
const { key } = await api.newAccount()
const { pool, close } = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
afterAll(close)

const networkId = 'base-wallet'
const HEAD = 300_000
const hash = (number: number) => `0x${number.toString(16).padStart(64, '0')}`
const block = (number: number) => ({ number, hash: hash(number), parentHash: hash(number - 1), atMs: number })
const empty = () => ({ blocks: [], transactions: [], transfers: [] })

/** A node of a long chain in which nothing happens. `asked`: how many settled blocks it had to read. */
function quietNode() {
  const asked = { blocks: 0 }
  const rpc: RpcSource = {
    source: 'rpc:base-wallet',
    client: null!,
    head: async () => ({ block: block(HEAD), finalized: HEAD - 50 }),
    headers: async (numbers) => numbers.map(block),
    readBlocks: async ({ fromBlock, toBlock }) => ({
      ...empty(),
      blocks: Array.from({ length: toBlock - fromBlock + 1 }, (_, i) => block(fromBlock + i)),
    }),
    readSettled: async ({ fromBlock, toBlock }) => {
      asked.blocks += toBlock - fromBlock + 1
      return { range: empty(), through: toBlock }
    },
    readInternals: async () => null,
    readTransactions: async () => empty(),
  }
  return { rpc, asked }
}

/** An explorer with a key that does not cover the chain until `state.covers` is set. */
function explorerOf(state: { covers: boolean; asked: number; ranges?: string[] }): Explorer {
  return {
    source: 'etherscan',
    step: async ({ fromBlock, toBlock }) => {
      state.asked++
      state.ranges?.push(`${fromBlock} to ${toBlock}`)
      if (!state.covers) throw new NotInPlan('etherscan', 'not supported for this chain')
      return { hashes: [], internals: [], through: toBlock, next: null }
    },
  }
}

async function sync(explorers: ReturnType<typeof createExplorers>, rpc: RpcSource, wallet: string) {
  const source = createEvmSource({ chainId: 8453, reorgDepth: 30, rpc, explorers })
  const { walletId } = await startSync(pool, { address: wallet, networkId, headBlock: HEAD })
  const deps = { pool, now: () => new Date(), onProgress: () => {} }
  let step = { cursorBlock: -1, headBlock: HEAD, lookBack: true, next: null as string | null }
  do
    step = await backfillStep(
      deps,
      { id: networkId, reorgDepth: 30, source },
      { walletId, address: wallet, networkId, ...step },
    )
  while (step.cursorBlock < HEAD || step.next !== null)
  return await readPlace(pool, { walletId, networkId })
}

describe('history that no explorer gives', () => {
  test('of a long chain is a gap with a reason, and the sync ends', async () => {
    const { rpc, asked } = quietNode()
    const { cursor, gap } = await sync(createExplorers([], Date.now), rpc, address(1))
    expect(cursor).toBe(HEAD)
    expect(gap).toEqual({
      fromBlock: 0,
      toBlock: HEAD - 30,
      reason: 'no explorer of this network is configured',
    })
    expect(asked.blocks).toBe(0)
  })

  test('is shown to operators with its reason, and to consumers without it', async () => {
    const wallet = address(3)
    await activateNetworks(api.owner, [networkId])
    await sync(createExplorers([], Date.now), quietNode().rpc, wallet)
    const { rows } = await pool.query<{ id: string }>(
      `update wallet_syncs set normalised_block = head_block from wallets
       where id = wallet_id and address = $1 returning id`,
      [wallet],
    )
    await completeSync(pool, { walletId: rows[0]!.id, networkId })
    const answer = await api.get(`/wallet/status?address=${wallet}&connectionId=${networkId}`, key)
    expect(await answer.json()).toEqual({
      status: 'synced',
      lastSyncedAt: expect.any(String),
      message: 'Transactions on base-wallet up to 1970-01-01T00:04:59.970Z are incomplete.',
    })
    const shown = await sql`select gap_reason from operations.queue where wallets_with_gaps > 0`.execute(
      api.owner,
    )
    expect(shown.rows).toEqual([{ gap_reason: 'no explorer of this network is configured' }])
  })

  test('is read as soon as an explorer gives it', async () => {
    const { rpc } = quietNode()
    let nowMs = 0
    const state = { covers: false, asked: 0 }
    const explorers = createExplorers([explorerOf(state)], () => nowMs)
    const first = await sync(explorers, rpc, address(2))
    expect(first.gap?.reason).toBe('etherscan: not supported for this chain')
    await sync(explorers, rpc, address(2))
    expect(state.asked).toBe(1)
    state.covers = true
    nowMs += 3_600_000
    expect(await sync(explorers, rpc, address(2))).toEqual({
      cursor: HEAD,
      walk: null,
      gap: null,
      coveredFrom: null,
    })
  })

  test('ends where the follower begins, and what the follower has stored is not read again', async () => {
    const wallet = address(4)
    const { rpc, asked } = quietNode()
    let nowMs = 0
    const state = { covers: false, asked: 0, ranges: [] as string[] }
    const explorers = createExplorers([explorerOf(state)], () => nowMs)
    await sync(explorers, rpc, wallet)
    const [coveredFrom, followedTo] = [200_000, HEAD - 20]
    await pool.query(
      `update wallet_syncs set gap_to = $2::bigint - 1, covered_from = $2, cursor_block = $2::bigint - 1
       from wallets where id = wallet_id and address = $1`,
      [wallet, coveredFrom],
    )
    await pool.query(
      `insert into network_follows (network_id, mode, cursor_block, cursor_hash, cursor_at)
       values ($1, 'blocks', $2, $3, now())`,
      [networkId, followedTo, hash(followedTo)],
    )
    // The explorer still lacks the network, and what nobody gives stays what it was.
    const still = await sync(explorers, rpc, wallet)
    expect(still).toMatchObject({
      cursor: HEAD,
      coveredFrom,
      gap: { fromBlock: 0, toBlock: coveredFrom - 1 },
    })
    expect(asked.blocks).toBe(0)
    state.ranges.length = 0
    nowMs += 3_600_000
    const again = await sync(explorers, rpc, wallet)
    expect(again.gap).toMatchObject({ fromBlock: 0, toBlock: coveredFrom - 1 })
    state.covers = true
    state.ranges.length = 0
    nowMs += 3_600_000
    expect(await sync(explorers, rpc, wallet)).toMatchObject({ cursor: HEAD, gap: null })
    expect(state.ranges[0]).toBe(`0 to ${coveredFrom - 1}`)
    expect(state.ranges.slice(1)).toEqual([])
    expect(asked.blocks).toBe(0)
    await pool.query('delete from network_follows where network_id = $1', [networkId])
  })
})
