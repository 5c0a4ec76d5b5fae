import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { matchTransfers } from '../../db/pnl/legs/match-transfers.ts'
import { openDb, openReadonlyDb } from '../../db/connect.ts'
import { readPortfolioBooks } from '../../db/pnl/books.ts'
import { readPlPeriods } from '../../db/pnl/periods/read-periods.ts'
import { formatDecimal } from '../../db/values/decimal.ts'
import { DAY_MS, HOUR_MS } from '../../db/values/periods.ts'
import { testDatabase } from '../setup/database.ts'
import { insertCoin } from '../setup/factories.ts'
import { atLeast, runs } from '../setup/runs.ts'
import { createAccount, type Holder, HOLDERS, type TestLeg } from './account-world.ts'
import { forgetFigures } from './folded-rows.ts'
import { expectLawThree } from './law-three.ts'
import { loadPrices, putPrice } from './world.ts'

const database = await testDatabase()
const connection = openDb({ url: database.ownerUrl, maxConnections: 4, applicationName: 'test' })
const api = openReadonlyDb({ url: database.apiUrl, maxConnections: 2, applicationName: 'test' })
const { db, pool } = connection
afterAll(() => Promise.all([connection.close(), api.close()]))

const RUNS = runs({ short: 3, long: 1_000 })
const START_MS = Date.parse('2024-03-20')
const NOW_MS = START_MS + 20 * DAY_MS

beforeAll(async () => {
  await pool.query('select ensure_price_partitions($1, $2)', [new Date(START_MS - DAY_MS), new Date(NOW_MS)])
  await insertCoin(db, { id: 'ethereum', at: new Date(START_MS) })
  await pool.query(
    `insert into exchange_assets (venue, asset, coin_id, source, fetched_at) values ('binance', 'ethereum', 'ethereum', 'symbol', now())`,
  )
  for (let day = 0; day <= 20; day++)
    for (const [coinId, usd] of [
      ['ethereum', 2_000 + ((day * 37) % 100)],
      ['bitcoin', 60_000],
    ] as const)
      await putPrice(db, { table: 'price_days', coinId, atMs: START_MS + day * DAY_MS, usd: String(usd) })
})

let transactions = 0

/** Transfers of similar amounts, so that many could match, each at its own instant. */
const transfer = fc
  .record({
    holder: fc.constantFrom(...HOLDERS),
    minute: fc.integer({ min: 0, max: 16 * 24 * 60 }),
    milli: fc.oneof(fc.integer({ min: -1_010, max: -995 }), fc.integer({ min: 990, max: 1_005 })),
  })
  .map(({ holder, minute, milli }): TestLeg => {
    const tx = ++transactions
    return {
      holder,
      tx,
      atMs: START_MS + minute * 60_000 + (tx % 60_000),
      seq: 0,
      role: 'transfer',
      coinId: 'ethereum',
      raw: BigInt(milli) * 10n ** 15n,
      priceUsd: null,
    }
  })
/** A first deposit, so that no holder sends more than it has. */
const enough = (holder: Holder, index: number): TestLeg => ({
  holder,
  tx: ++transactions,
  atMs: START_MS,
  seq: 0,
  role: 'transfer',
  coinId: 'ethereum',
  raw: BigInt(100 + index) * 10n ** 18n,
  priceUsd: null,
})
const step = fc.oneof(
  fc.array(transfer, { minLength: 1, maxLength: 3 }).map((late) => ({ kind: 'late' as const, late })),
  fc.record({ kind: fc.constant('delete' as const), pick: fc.nat(5) }),
)
type Account = Awaited<ReturnType<typeof createAccount>>

/** Own transfers by scope as sorted texts 'fee from tx > to tx'. */
async function matchesOf({ accountId, walletId }: Account): Promise<{ account: string[]; wallet: string[] }> {
  const { rows } = await pool.query<{ is_wallet: boolean; fee: string; left: string; arrived: string }>(
    `select s.wallet_id is not null as is_wallet, fee, substring(from_tx_id from '[0-9a-f]{8}$') as left,
       substring(to_tx_id from '[0-9a-f]{8}$') as arrived
     from transfer_matches join scopes s on s.id = scope_id where account_id = $1 or wallet_id = $2`,
    [accountId, walletId],
  )
  const text = (isWallet: boolean) =>
    rows
      .filter((row) => row.is_wallet === isWallet)
      .map(({ fee, left, arrived }) => `${Number(fee)} ${left} > ${arrived}`)
      .sort()
  return { account: text(false), wallet: text(true) }
}

let accounts = 0

test('after late and deleted legs, own transfers equal a full run and the pure matcher; law 3 holds', async () => {
  const compared = { equal: 0, bridges: 0 }
  const steps = fc.array(step, { minLength: 1, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(fc.array(transfer, { minLength: 10, maxLength: 30 }), steps, async (first, changes) => {
      const account = await createAccount({ connection, number: ++accounts, nowMs: NOW_MS })
      for (const holder of HOLDERS) await account.follow(holder)
      await account.store([...HOLDERS.map(enough), ...first])
      await account.compute()
      for (const change of changes) {
        if (change.kind === 'late') await account.store(change.late)
        else await account.remove(HOLDERS.length + change.pick)
        await account.compute()
      }
      const found = await matchesOf(account)
      const prices = await loadPrices(db)
      const pure = (holders: readonly Holder[]) =>
        matchTransfers(
          account.pureLegs(prices).filter((leg) => holders.includes(leg.account as Holder)),
          (name) => (name === 'manual' ? null : name),
        )
          .map(({ out, in: arrival }) => {
            const fee = -(Number(formatDecimal(out.quantity)) + Number(formatDecimal(arrival.quantity)))
            return `${Number(fee.toFixed(3)) + 0} ${out.txId} > ${arrival.txId}`
          })
          .sort()
      expect(found.account).toEqual(pure(HOLDERS))
      expect(found.wallet).toEqual(pure(['ethereum', 'base-wallet']))

      const books = [...(await readPortfolioBooks(api.db, Object.values(account.ids))).values()]
      const sets = [
        { books, accountId: account.accountId },
        { books: books.filter((book) => 'walletId' in book) },
      ]
      const law = () =>
        Promise.all(
          sets
            .filter((set) => set.books.length > 0)
            .map((set) => expectLawThree({ db: api.db, nowMs: NOW_MS, ...set })),
        )
      const profits = await law()
      await forgetFigures(pool, account)
      await account.compute()
      expect(await matchesOf(account)).toEqual(found)
      expect(await law()).toEqual(profits)
      const equal = [...found.account, ...found.wallet].filter((match) => match.startsWith('0 ')).length
      compared.equal += equal
      compared.bridges += found.account.length + found.wallet.length - equal
    }),
    { numRuns: RUNS, endOnFailure: true },
  )
  expect(compared.equal).toBeGreaterThanOrEqual(atLeast(RUNS, 2))
  expect(compared.bridges).toBeGreaterThanOrEqual(atLeast(RUNS, 1))
})

test('in the history of an account a bridge fee is no flow, and an amount in flight counts', async () => {
  const account = await createAccount({ connection, number: ++accounts, nowMs: NOW_MS })
  await account.follow('ethereum')
  await account.follow('base-wallet')
  const leg = (holder: Holder, day: number, hour: number, raw: bigint): TestLeg => ({
    holder,
    tx: ++transactions,
    atMs: START_MS + day * DAY_MS + hour * HOUR_MS,
    seq: 0,
    role: 'transfer',
    coinId: 'ethereum',
    raw: raw * 10n ** 15n,
    priceUsd: null,
  })
  await account.store([leg('ethereum', 0, 1, 20_000n), leg('ethereum', 1, 23, -10_000n)])
  await account.store([leg('base-wallet', 2, 3, 9_990n)])
  await account.compute()
  const books = [...(await readPortfolioBooks(api.db, Object.values(account.ids))).values()]
  const window = { interval: 'daily', fromMs: null, toMs: START_MS + 3 * DAY_MS, currency: 'USD' } as const
  const periods = (await readPlPeriods({ db: api.db, books, accountId: account.accountId, ...window }))!
  expect(periods.map(({ closing, flow }) => [closing, flow].map(formatDecimal))).toEqual([
    [String(20 * 2_037), String(20 * 2_000)],
    ['41459.26', '0'],
    [String(19.99 * 2_011), '0'],
  ])
})
