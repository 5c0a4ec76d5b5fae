import { afterAll, beforeEach, expect, test } from 'vitest'
import { checkWallets } from '../../activities/chain/check-wallets.ts'
import { FORMAT_VERSION } from '../../db/chain/stored-transaction.ts'
import { dueSyncs } from '../../db/chain/syncs.ts'
import { openDb } from '../../db/connect.ts'
import { solanaWallets } from '../../sandbox/solana/actors.ts'
import { testDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import { ANCHOR, startOtherChains } from './other-chains.ts'
import { syncDirectly } from './sync-directly.ts'

const database = await testDatabase()
const { pool, close } = openDb({ url: database.ingestUrl, maxConnections: 4, applicationName: 'test' })
afterAll(close)
const { state, solana, networkOf, asked } = await startOtherChains()
const network = await networkOf(pool, 'solana')
const all = solanaWallets.map(({ address }) => address)
const HOUR_S = 3_600

beforeEach(async () => {
  state.nowMs = ANCHOR * 1_000
  await query(database.ownerUrl, 'truncate blocks, transactions, transfers, account_checks, wallets cascade')
  await query(database.ownerUrl, 'update networks set active = true')
})

const sync = (address: string) => syncDirectly({ pool, network, address })
/** Four minutes pass. */
async function age(): Promise<void> {
  await query(database.ownerUrl, `update wallet_syncs set synced_at = now() - interval '250 seconds'`)
  await query(database.ownerUrl, `update account_checks set checked_at = now() - interval '250 seconds'`)
}

async function check(accounts = 5_000) {
  asked.length = 0
  const { changed } = await checkWallets(
    { pool, source: network.source, onProgress: () => {} },
    { networkId: 'solana', olderThanSeconds: 200, accounts },
  )
  return changed.map(({ address }) => address)
}

/** Syncs what the check finds, as its workflow does, until nothing is left. */
async function settle(): Promise<void> {
  for (let changed = await check(); changed.length > 0; changed = await check()) {
    for (const address of changed) await sync(address)
    await age()
  }
}

const methods = () => asked.map((body) => (JSON.parse(body) as { method: string }).method)
const ages = async () =>
  (
    await query<{ s: number }>(
      database.ownerUrl,
      'select extract(epoch from now() - synced_at) as s from wallet_coverage order by wallet_id',
    )
  ).map(({ s }) => Number(s))
/** Which version of each row of a wallet is stored. */
const versions = () =>
  query(
    database.ownerUrl,
    `select wallet_id::text, xmin::text from wallet_syncs
     union all select account, xmin::text from wallet_accounts order by 1, 2`,
  )

test('quiet wallets are current by one call for 100 accounts, without a write for each, and are not due', async () => {
  for (const address of all) await sync(address)
  await age()
  await settle()
  await age()
  const before = await versions()
  expect(await check()).toEqual([])
  expect(methods()).toEqual(['getMultipleAccounts'])
  expect(await versions()).toEqual(before)
  expect(Math.max(...(await ages()))).toBeLessThan(100)
  expect(await query(database.ownerUrl, 'select from account_checks')).toHaveLength(1)
  await query(database.ownerUrl, `update wallet_syncs set synced_at = synced_at - interval '150 seconds'`)
  expect(
    await dueSyncs(pool, {
      olderThanSeconds: 300,
      limit: 9,
      formatVersion: FORMAT_VERSION,
      gapNetworks: ['ethereum'],
    }),
  ).toEqual([])
})

test('exactly the wallets whose accounts changed are synced, and then they are quiet', async () => {
  for (const address of all) await sync(address)
  await age()
  await settle()
  const accounts = (address: string) => [address, ...solana.tokenAccountsOf(address)]
  const newest = (address: string) =>
    accounts(address).map((one) => solana.of(one, state.nowMs / 1_000)[0]?.signature)
  let moved = 0
  for (let hours = 0; hours < 400 && moved < 4; hours++) {
    const before = all.map(newest)
    state.nowMs += HOUR_S * 1_000
    const expected = all.filter((address, i) => newest(address).join() !== before[i]!.join())
    if (expected.length === 0) continue
    moved++
    await age()
    expect((await check()).toSorted()).toEqual(expected.toSorted())
    // A worker that ends before it syncs them leaves them due, and nothing says that they are current.
    const stale = (await ages()).filter((seconds) => seconds > 200)
    expect(stale).toHaveLength(expected.length)
    await age()
    expect((await check()).toSorted()).toEqual(expected.toSorted())
    for (const address of expected) await sync(address)
    await age()
    expect(await check()).toEqual([])
  }
  expect(moved).toBe(4)
})

test('a token account that somebody else opened is found by the daily list', async () => {
  const [address] = all as [string]
  await sync(address)
  await age()
  await settle()
  await query(
    database.ownerUrl,
    `delete from wallet_accounts where account = (select max(account) from wallet_accounts where role = 'token')`,
  )
  await age()
  expect(await check()).toEqual([])
  await query(database.ownerUrl, `update wallet_accounts set listed_at = listed_at - interval '25 hours'`)
  await age()
  expect(await check()).toEqual([address])
  expect(Math.min(...(await ages()))).toBeGreaterThan(200)
  expect(methods()).toEqual(['getTokenAccountsByOwner', 'getTokenAccountsByOwner', 'getMultipleAccounts'])
})

test('a run ends after the accounts that it may check', async () => {
  for (const address of all) await sync(address)
  await age()
  await settle()
  await age()
  expect(await check(0)).toEqual([])
  expect(asked).toEqual([])
})

test('more than a hundred wallets are checked in spans, each with a time of its own', async () => {
  await query(
    database.ownerUrl,
    `insert into wallets (address) select 'wallet ' || n from generate_series(1, 250) as n`,
  )
  await query(
    database.ownerUrl,
    `insert into wallet_syncs (wallet_id, network_id, cursor_block, normalised_block, synced_at)
     select id, 'solana', 5, 5, now() from wallets`,
  )
  // Without token accounts, and with a balance of zero.
  await query(
    database.ownerUrl,
    `insert into wallet_accounts (wallet_id, network_id, account, role, seen, seen_block, listed_at, source, fetched_at)
     select id, 'solana', address, 'wallet', '0', 5, now(), 'test', now() from wallets`,
  )
  await age()
  const source = { ...network.source, readStates: silent }
  const run = async (accounts: number) =>
    await checkWallets(
      { pool, source, onProgress: () => {} },
      { networkId: 'solana', olderThanSeconds: 200, accounts },
    )
  const fresh = async () => (await ages()).filter((seconds) => seconds < 100).length
  expect(await run(150)).toEqual({ accounts: 200, changed: [] })
  expect(await fresh()).toBe(200)
  expect(await run(150)).toEqual({ accounts: 50, changed: [] })
  expect(await fresh()).toBe(250)
  expect(await run(150)).toEqual({ accounts: 0, changed: [] })
})

async function silent(accounts: readonly string[]) {
  return { block: 9, states: accounts.map(() => '0') }
}
