import { recomputeBook, recomputeBooks } from '../../../activities/pnl/recompute-books.ts'
import type { openDb } from '../../../db/connect.ts'
import { markBookDirty } from '../../../db/pnl/books.ts'
import { dueBooks } from '../../../db/pnl/periods/due-books.ts'
import { noteChanges } from '../../../db/pnl/valuation/price-changes.ts'
import { transact } from '../../../db/transact.ts'
import { DAY_MS } from '../../../db/values/periods.ts'
import { coinName, COINS } from './history.ts'
import { MOVEMENT_COLUMNS } from './seed-database.ts'

type Owner = Pick<ReturnType<typeof openDb>, 'db' | 'pool'>

/** Its price is corrected, and every portfolio holds it. */
const COIN = 7
const CORRECTED_DAYS_AGO = 30
const COUNTS = [100, 1_000] as const

/** Milliseconds from a correction of a price to the P&L of so many portfolios that hold its coin. */
export interface PortfolioTimes {
  portfolios: number
  /** none has a transaction since */
  stillMs: number
  /** each has one since */
  movingMs: number
}

/** Corrects a price 30 days back for many wallets of a hundred transactions, which are older. */
export async function benchPortfolios(
  owner: Owner,
  { nowMs, firstWallet }: { nowMs: number; firstWallet: number },
): Promise<PortfolioTimes[]> {
  const wallets = Array.from({ length: Math.max(...COUNTS) }, (_, index) => String(firstWallet + index))
  const daysAgo = (days: number) => new Date(nowMs - days * DAY_MS)
  const compute = async () => {
    for (const walletId of wallets)
      await recomputeBook({ ...owner, nowMs, book: { walletId, networkId: 'ethereum' } })
    await owner.pool.query('vacuum analyze')
  }
  const measure = async () => {
    const times: number[] = []
    // The first round warms up.
    for (const count of [...COUNTS.slice(-1), ...COUNTS]) {
      await correct(owner, daysAgo(CORRECTED_DAYS_AGO))
      times.push(await recompute(owner, { nowMs, wallets: wallets.slice(0, count) }))
      await recompute(owner, { nowMs, wallets })
    }
    return times.slice(1)
  }
  await insertTransactions(owner, { wallets, from: daysAgo(90), count: 100, first: coinName(COIN) })
  await compute()
  const stillMs = await measure()
  await insertTransactions(owner, { wallets, from: daysAgo(10), count: 1, first: coinName(COIN + 1) })
  for (const walletId of wallets)
    await markBookDirty({ ...owner, book: { walletId, networkId: 'ethereum' }, from: daysAgo(10) })
  await compute()
  const movingMs = await measure()
  return COUNTS.map((portfolios, i) => ({ portfolios, stillMs: stillMs[i]!, movingMs: movingMs[i]! }))
}

/** One each 14 hours from an instant on; `first`: the coin of the first one. */
async function insertTransactions(
  { pool }: Owner,
  { wallets, from, count, first }: { wallets: readonly string[]; from: Date; count: number; first: string },
): Promise<void> {
  await pool.query(
    `insert into movements (${MOVEMENT_COLUMNS.join(', ')})
     select wallet, 'ethereum', $2::timestamptz + n * interval '14 hours', 0, '0xblock', 0, format('0x%s-%s-%s', wallet, $2, n),
       0, 'transfer', case n when 0 then $4 else 'coin-' || 2 + (wallet * 31 + n) % $5 end, 1000000000000000000, 18, 5,
       'bench', now()
     from unnest($1::bigint[]) as wallet, generate_series(0, $3::int - 1) as n`,
    [wallets, from, count, first, COINS - 2],
  )
}

async function correct({ pool }: Owner, day: Date): Promise<void> {
  const coinId = coinName(COIN)
  await transact(pool, async ({ db, client }) => {
    await client.query('update price_days set usd = usd * 1.01 where coin_id = $1 and at = $2', [coinId, day])
    await noteChanges({ db, changes: [{ coinId, from: day }] })
  })
}

/** Brings the due books of wallets up to date, as the schedule does. Throws if none was due. */
async function recompute(
  { db, pool }: Owner,
  { nowMs, wallets }: { nowMs: number; wallets: readonly string[] },
): Promise<number> {
  const ids = new Set(wallets)
  const startMs = performance.now()
  const due = await dueBooks({ db, midnight: new Date(nowMs), afterId: '0', limit: 10_000 })
  const books = due.filter((book) => 'walletId' in book && ids.has(book.walletId))
  const { computed } = await recomputeBooks({
    db,
    pool,
    books,
    nowMs,
    onProgress: () => {},
    onFailure: (what, error) => {
      throw new Error(what, { cause: error })
    },
  })
  if (computed !== books.length) throw new Error(`${computed} of ${books.length} portfolios were computed`)
  return performance.now() - startMs
}
