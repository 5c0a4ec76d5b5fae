import { sql } from 'kysely'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { readFirstBalances } from '../../activities/chain/first-balances.ts'
import type { Holdings, HoldingsRequest, WalletSource } from '../../activities/chain/wallet-source.ts'
import { openDb } from '../../db/connect.ts'
import { startSync } from '../../db/chain/syncs.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin } from '../setup/factories.ts'
import { query } from '../setup/query.ts'
import { address, hash } from '../setup/wallet-factories.ts'

const database = await testDatabase()
const { pool, close } = openDb({ url: database.ingestUrl, maxConnections: 2, applicationName: 'test' })
const owner = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
afterAll(() => Promise.all([close(), owner.close()]))

const WALLET = address(1)
const [USDC, LARGE, UNLISTED] = [address(0xa), address(0xb), address(0xc)]
const AT = new Date('2026-03-10T10:00:00Z')
const block = { number: 7, hash: hash(7), parentHash: null, atMs: AT.getTime() }

await insertCoin(owner.db, { id: 'usd-coin', symbol: 'usdc', rank: 7, priceUsd: '1', at: AT })
await insertCoin(owner.db, { id: 'large', symbol: 'lrg', rank: 3, priceUsd: '1', at: AT })
for (const [coinId, contract] of [
  ['usd-coin', USDC],
  ['large', LARGE],
] as const)
  await sql`insert into coin_contracts (blockchain, address, coin_id, source, fetched_at)
    values ('ethereum', ${contract}, ${coinId}, 'test', ${AT})`.execute(owner.db)

beforeEach(() => query(database.ownerUrl, 'truncate balances, wallet_syncs, wallets, tokens cascade'))

/** Runs the first step of a sync on a source that says what the wallet holds. */
async function read(holdings: Holdings | null) {
  const asked: { contracts?: readonly string[]; metadata: string[][] } = { metadata: [] }
  const source = {
    name: 'test',
    readHoldings: async ({ contracts }: HoldingsRequest) => {
      asked.contracts = contracts
      return holdings
    },
    readTokens: async (addresses: readonly string[]) => {
      asked.metadata.push([...addresses])
      return addresses.map((one) => ({ address: one, symbol: 'USDC', name: 'USD Coin', decimals: 6 }))
    },
  } as unknown as WalletSource
  const { walletId } = await startSync(pool, { address: WALLET, networkId: 'ethereum', headBlock: 7 })
  const wallet = { walletId, address: WALLET, networkId: 'ethereum', blockchain: 'ethereum' }
  await readFirstBalances({ pool, source, now: () => AT }, wallet)
  return asked
}

const stored = () =>
  query(
    database.ownerUrl,
    `select coin_id, token_address, raw, decimals::int from balances where raw <> 0 order by coin_id`,
  )
const isMarked = async () =>
  (
    await query<{ marked: boolean }>(
      database.ownerUrl,
      'select balances_at is not null as marked from wallet_syncs',
    )
  )[0]!.marked

test('stores the native coin and tokens of listed coins, and asks the contracts of the largest coins first', async () => {
  const tokens = [
    { address: USDC, raw: 5_000_000n },
    { address: LARGE, raw: 0n },
    // Its spam verdict needs the history.
    { address: UNLISTED, raw: 9n },
  ]
  const asked = await read({ block, native: 10n, tokens })
  expect(asked).toEqual({ contracts: [LARGE, USDC], metadata: [[USDC]] })
  expect(await stored()).toEqual([
    { coin_id: 'ethereum', token_address: null, raw: '10', decimals: 18 },
    { coin_id: 'usd-coin', token_address: USDC, raw: '5000000', decimals: 6 },
  ])
  expect(await isMarked()).toBe(true)
  expect((await read({ block, native: 10n, tokens })).metadata).toEqual([])
})

test('a contract that shows the native coin is not asked, though a coin list names it', async () => {
  await query(database.ownerUrl, `update networks set native_token = $1 where id = 'ethereum'`, [LARGE])
  const asked = await read({ block, native: 10n, tokens: [] })
  await query(database.ownerUrl, `update networks set native_token = null where id = 'ethereum'`)
  expect(asked.contracts).toEqual([USDC])
})

test('a wallet that holds nothing has known balances: none', async () => {
  await read({ block, native: 0n, tokens: [] })
  expect([await stored(), await isMarked()]).toEqual([[], true])
})

test('a source that knows a wallet only by its history stores nothing', async () => {
  await read(null)
  expect([await stored(), await isMarked()]).toEqual([[], false])
})

test('a late attempt leaves the balances of a synced wallet alone', async () => {
  await read({ block, native: 10n, tokens: [] })
  await query(database.ownerUrl, 'update wallet_syncs set synced_at = now()')
  await read({ block, native: 3n, tokens: [] })
  expect(await stored()).toMatchObject([{ raw: '10' }])
})
