import { registerHooks } from 'node:module'
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createChainActivities } from '../../activities/chain/index.ts'
import { REQUESTS_OF_ADDRESS, REQUESTS_OF_SYNC } from '../../activities/chain/requests.ts'
import { createHttpClient } from '../../activities/http.ts'
import type { WorkerConfig } from '../../activities/ingest-config.ts'
import { lockNetwork } from '../../db/chain/branches.ts'
import { rewindNetwork } from '../../db/chain/write.ts'
import { openDb } from '../../db/connect.ts'
import { transact } from '../../db/transact.ts'
import { bitcoinWallets } from '../../sandbox/bitcoin/actors.ts'
import { type BitcoinChain, createBitcoinChain } from '../../sandbox/bitcoin/chain.ts'
import { createEsplora } from '../../sandbox/bitcoin/esplora.ts'
import type { syncWallet as SyncWallet } from '../../workflows/chain/sync-wallet.ts'
import { ANCHOR, market } from '../chain/other-chains.ts'
import { workflowHost } from '../live/simulated-workflow-api.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { stopLater } from './actors.ts'
import { createClock } from './double.ts'
import type { FakeClock } from './double.ts'
import { startEsplora } from './esplora.ts'
import { atPlanRates } from './plan-rates.ts'
import { simulatedGate } from './simulated-gate.ts'

// Bitcoin's wallets where no network is followed, by the workflow of a sync and the public Esplora: one request in five
// seconds, and a block each ten minutes.

const database = await testDatabase()
const { pool, close } = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
afterAll(close)
beforeEach(() => query(database.ownerUrl, 'truncate blocks, transactions, transfers, wallets cascade'))

const KEY = bitcoinWallets[0]!
const HOUR_MS = 3_600_000

/** The workflow and what it imports, with the host of the test for Temporal. Under names that no other file gets. */
const { syncWallet } = await (async () => {
  const own = '../../workflows/chain/sync-wallet.ts?simulated'
  const hooks = registerHooks({
    resolve(name, context, next) {
      if (!context.parentURL?.endsWith('?simulated')) return next(name, context)
      if (name === '@temporalio/workflow')
        return next(new URL('../live/simulated-workflow-api.ts', import.meta.url).href, context)
      const found = next(name, context)
      return found.url.includes('/workflows/') ? { ...found, url: `${found.url}?simulated` } : found
    },
  })
  const workflows = (await import(own)) as { syncWallet: typeof SyncWallet }
  hooks.deregister()
  return workflows
})()

async function open(clock: FakeClock) {
  const chain = createBitcoinChain({ market })
  let current = chain
  const double = stopLater(await startEsplora({ clock, chain: createEsplora(() => current) }))
  const sources = atPlanRates({ esplora: { url: double.url, key: null } })
  const gate = await simulatedGate({ database, clock, limits: sources })
  const http = createHttpClient({ gate, sources, random: () => 0 })
  vi.useFakeTimers({ toFake: ['Date'], now: clock.now() })
  onTestFinished(async () => {
    vi.useRealTimers()
    await http.close()
    await gate.close()
  })
  const chainActivities = createChainActivities({
    pool,
    http,
    now: () => new Date(clock.now()),
    config: { sources } as unknown as WorkerConfig,
    heartbeat: () => {},
    nodes: () => Promise.reject(new Error('Bitcoin has no nodes here')),
  })
  const done: Record<string, () => unknown> = {
    ...(chainActivities as unknown as Record<string, () => unknown>),
    listWalletCoins: () => null,
    recomputeBookPnl: () => ({}),
    readFirstPositions: () => ({}),
  }
  const host = {
    /** Temporal tries an activity again; here a failure ends the test. */
    async activity(name: string, input: unknown) {
      vi.setSystemTime(clock.now())
      const result = await (done[name] as (given: unknown) => unknown)(input)
      vi.setSystemTime(clock.now())
      return result
    },
  } as unknown as Parameters<typeof workflowHost.run>[0]
  const sync = async (address: string) => {
    double.asked.length = 0
    const startMs = clock.now()
    await workflowHost.run(host, () => syncWallet({ address, networkId: 'bitcoin' }))
    const asked = double.asked.map(({ path }) => path)
    return {
      minutes: (clock.now() - startMs) / 60_000,
      requests: asked.length,
      counters: asked.filter((path) => /^\/address\/[^/]+$/.test(path)).length,
      pages: asked.filter((path) => path.includes('/txs/chain')).length,
    }
  }
  const replace = (by: BitcoinChain) => {
    current = by
  }
  return { chain, double, sync, replace }
}

const ADDRESS = bitcoinWallets[1]!.name

const usedOf = (chain: BitcoinChain, nowMs: number): string[] =>
  ([0, 1] as const)
    .flatMap((branch) => Array.from({ length: 600 }, (_, i) => KEY.addressAt(branch, i)))
    .filter((address) => chain.of(address, nowMs / 1_000).length > 0)

/** Satoshis of addresses in the blocks up to a height. */
function heldOf(chain: BitcoinChain, addresses: readonly string[], height: number): string {
  const own = new Set(addresses)
  const txs = new Map(addresses.flatMap((one) => chain.of(one, Infinity).map((tx) => [tx.txid, tx] as const)))
  const sum = (rows: readonly { address: string | null; value: number }[]) =>
    rows.reduce((total, one) => (own.has(one.address ?? '') ? total + BigInt(one.value) : total), 0n)
  let held = 0n
  for (const { block, vin, vout } of txs.values()) if (block.height <= height) held += sum(vout) - sum(vin)
  return String(held)
}

async function synced(address: string) {
  const [row] = await query<{ head: number; cursor: number; moved: string; held: string }>(
    database.ownerUrl,
    `select head_block::int as head, cursor_block::int as cursor,
       (select sum(raw)::text from movements where wallet_id = sync.wallet_id) as moved,
       (select sum(raw)::text from balances where wallet_id = sync.wallet_id) as held
     from wallet_syncs as sync join wallets on wallets.id = sync.wallet_id
     where address = $1 and synced_at is not null`,
    [address],
  )
  return row!
}

test('a key with 200 addresses is synced within the pace though blocks arrive all the while, and remembers', async () => {
  const clock = createClock(ANCHOR * 1_000)
  const { chain, double, sync } = await open(clock)
  const first = await sync(KEY.name)
  const used = usedOf(chain, ANCHOR * 1_000)
  expect(used.length).toBeGreaterThan(150)
  expect(double.refused).toEqual([])
  // Five blocks and more arrive.
  expect(first.minutes).toBeGreaterThan(50)
  expect(first.minutes).toBeLessThan(70)
  const then = await synced(KEY.name)
  expect(then.cursor).toBe(then.head)
  expect([then.moved, then.held]).toEqual(Array(2).fill(heldOf(chain, used, then.head)))

  // Each address is asked once for its counters, and nothing else: there is no page without a change.
  clock.advance(HOUR_MS)
  const again = await sync(KEY.name)
  const paid = usedOf(chain, clock.now()).filter((one) =>
    chain.of(one, clock.now() / 1_000).some(({ block }) => block.height > then.head),
  )
  expect(again.counters).toBeLessThanOrEqual(first.counters + paid.length)
  expect(again.pages).toBeLessThanOrEqual(2 * paid.length)
  expect(again.requests).toBeLessThan(1.5 * again.counters)
  expect(double.refused).toEqual([])
  const now = await synced(KEY.name)
  expect(now.head).toBeGreaterThan(then.head)
  expect([now.moved, now.held]).toEqual(Array(2).fill(heldOf(chain, usedOf(chain, clock.now()), now.head)))
})

test('a quiet address costs its counters and the blocks, as the plan says', async () => {
  const clock = createClock(ANCHOR * 1_000)
  const { double, sync } = await open(clock)
  await sync(ADDRESS)
  clock.advance(1_800_000)
  const { requests, counters, pages } = await sync(ADDRESS)
  expect([counters, pages]).toEqual([1, 0])
  // Its address counts as one of those of a key.
  expect(requests).toBe(REQUESTS_OF_SYNC.bitcoin + REQUESTS_OF_ADDRESS)
  expect(double.refused).toEqual([])
})

test('a reorg forgets what was told of the addresses that lost rows, and of no others', async () => {
  const clock = createClock(ANCHOR * 1_000)
  const { chain, sync, replace } = await open(clock)
  await sync(ADDRESS)
  const before = await synced(ADDRESS)
  const last = chain.of(ADDRESS, clock.now() / 1_000)[0]!.block.height
  const seen = () =>
    query(
      database.ownerUrl,
      'select read_block::int as read, seen_block::int as at, seen from wallet_accounts',
    )
  const [known] = await seen()
  expect(known).toMatchObject({ read: before.head, at: before.head })

  const rewind = (block: number) =>
    transact(pool, async ({ client }) => {
      await lockNetwork(client, { networkId: 'bitcoin', mode: 'rewind' })
      await rewindNetwork(client, { networkId: 'bitcoin', block })
    })
  await rewind(last)
  expect(await seen()).toEqual([{ ...known, read: last, at: last }])
  await rewind(last - 1)
  expect(await seen()).toEqual([{ read: last - 1, at: null, seen: null }])

  // The other branch has the transaction one block later, with the same counters.
  replace(createBitcoinChain({ market, fork: { height: last, keep: 1 } }))
  clock.advance(HOUR_MS)
  await sync(ADDRESS)
  const rows = await query<{ block: number }>(
    database.ownerUrl,
    `select max(block_number)::int as block from transfers where $1 in (from_address, to_address)`,
    [ADDRESS],
  )
  expect(rows[0]!.block).toBe(last + 1)
})
