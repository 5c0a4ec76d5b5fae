import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { coinRows } from '../../../api/chain/holdings.ts'
import { totalsIn } from '../../../api/chain/totals-in.ts'
import { foldChanges } from '../../../activities/pnl/fold-scope.ts'
import { recomputeBook } from '../../../activities/pnl/recompute-books.ts'
import { ownerUrl } from '../../../cli/postgres/postgres-service.ts'
import { startTemporaryPostgres } from '../../../cli/postgres/temporary-postgres.ts'
import { openDb, openReadonlyDb } from '../../../db/connect.ts'
import { migrate } from '../../../db/migrate.ts'
import { openBook, readBooks, markBookDirty } from '../../../db/pnl/books.ts'
import type { Leg } from '../../../db/pnl/legs/leg.ts'
import { findFold } from '../../../db/pnl/lots/folds.ts'
import { readPlPeriods } from '../../../db/pnl/periods/read-periods.ts'
import { DAY_MS, HOUR_MS } from '../../../db/values/periods.ts'
import { TO_MS } from './history.ts'
import { benchPortfolios, type PortfolioTimes } from './portfolios.ts'
import { median } from '../shared/pairs.ts'
import { seedEuro, seedMovements, seedPrices, seedTenfold } from './seed-database.ts'

const run = promisify(execFile)
const NETWORK = 'ethereum'
const WALLET = { walletId: '1', networkId: NETWORK }
const NOW_MS = TO_MS
const CHANGES = 21

/** Milliseconds of each part. */
interface Parts {
  /** the series of days: values, flows, balances */
  daysMs: number
  /** the coin rows: lots and totals at average cost, in USD, BTC and ETH */
  coinsMs: number
}

interface FullRun extends Parts {
  days: number
  peakRssMb: number
}

export interface MaterialisedResult {
  full: FullRun
  tenfold: FullRun
  /** time from the commit of each late change */
  changes: Parts[]
  readMs: number
  /** value, cost and profit in euros, each amount at the rate of its day */
  euroMs: number
  /** after a correction of one price */
  portfolios: PortfolioTimes[]
}

/** Measures the same wallet in Postgres: full and incremental computation of its days, memory, and reads. */
export async function benchMaterialised(input: {
  transactions: Leg[][]
  prices: Float64Array[]
  log: (line: string) => void
}): Promise<MaterialisedResult> {
  const { log } = input
  const server = await startTemporaryPostgres()
  const databaseUrl = ownerUrl({ ...server, database: 'postgres' })
  const owner = openDb({ url: databaseUrl, maxConnections: 4, applicationName: 'bench' })
  const reader = openReadonlyDb({ url: databaseUrl, maxConnections: 4, applicationName: 'bench' })
  try {
    await migrate({ databaseUrl, passwords: {}, log: () => {} })
    log('filling Postgres: prices and two wallets')
    await seedPrices(owner.pool, input.prices)
    await seedEuro(owner.pool)
    await seedMovements(owner.pool, '1', input.transactions)
    await seedTenfold(owner.pool, { from: '1', to: '2' })
    await owner.pool.query('vacuum analyze')

    log('computing all days of both wallets, each in a separate process')
    const full = await inProcess(databaseUrl, '1')
    const tenfold = await inProcess(databaseUrl, '2')
    await owner.pool.query('vacuum analyze pl_days, balance_days')
    log(`${CHANGES} changes 30 days back`)
    const changes = await lateChanges(owner)

    const scope = { db: reader.db, books: await readBooks(reader.db, [WALLET]) }
    const readMs = await timeReads(() =>
      readPlPeriods({ ...scope, interval: 'daily', fromMs: null, toMs: NOW_MS, currency: 'USD' }),
    )
    const now = new Date(NOW_MS)
    const readCoins = async () => ({
      foldId: await findFold(reader.db, scope),
      rows: await coinRows(reader.db, { ...scope, now }),
      received: new Map(),
    })
    const euroMs = await timeReads(() => totalsIn(reader.db, { now, currency: 'EUR', read: readCoins }))
    log('a corrected price, for 1,000 more wallets')
    const portfolios = await benchPortfolios(owner, { nowMs: NOW_MS, firstWallet: 1_001 })
    return { full, tenfold, changes, readMs, euroMs, portfolios }
  } finally {
    await owner.close()
    await reader.close()
    await server.stop()
  }
}

async function timeReads(read: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 5; round++) {
    const startMs = performance.now()
    await read()
    times.push(performance.now() - startMs)
  }
  return median(times)
}

async function inProcess(databaseUrl: string, walletId: string): Promise<FullRun> {
  const file = new URL('recompute-process.ts', import.meta.url).pathname
  const { stdout } = await run(process.execPath, [file, databaseUrl, walletId, String(NOW_MS)])
  return JSON.parse(stdout) as FullRun
}

type Owner = ReturnType<typeof openDb>

/** Adds a transaction 30 days late, CHANGES times. At the end everything must equal a full run. */
async function lateChanges({ db, pool }: Owner): Promise<Parts[]> {
  const times: Parts[] = []
  const { id: bookId } = await openBook(db, WALLET)
  const fold = () => foldChanges({ db, pool, change: { bookId }, nowMs: NOW_MS })
  const runWhole = async () => {
    await markBookDirty({ db, book: WALLET, from: new Date(0) })
    await recomputeBook({ pool, book: WALLET, nowMs: NOW_MS })
    await fold()
  }
  // Sets the prices of all legs to those in force, as the last run does. It writes most rows anew.
  await runWhole()
  await pool.query('vacuum analyze')
  for (let change = 0; change < CHANGES; change++) {
    const at = new Date(NOW_MS - 30 * DAY_MS + change * HOUR_MS)
    await pool.query(
      `insert into movements (wallet_id, network_id, at, block_number, block_hash, tx_index, tx_hash, seq, role, coin_id,
         raw, decimals, price_usd, source, fetched_at)
       values (1, $1, $2, 0, '0xlate', 0, $3, 0, 'transfer', 'coin-7', 1000000000000000000, 18, 5, 'bench', now())`,
      [NETWORK, at, `0xlate${change}`],
    )
    await markBookDirty({ db, book: WALLET, from: at, to: at })
    const startMs = performance.now()
    await recomputeBook({ pool, book: WALLET, nowMs: NOW_MS })
    const daysMs = performance.now() - startMs
    await fold()
    times.push({ daysMs, coinsMs: performance.now() - startMs - daysMs })
  }
  const incremental = await fingerprint(pool)
  await runWhole()
  if ((await fingerprint(pool)) !== incremental) throw new Error('incremental and full computation differ')
  return times
}

async function fingerprint(pool: Owner['pool']): Promise<string> {
  const { rows } = await pool.query<{ hash: string }>(
    `select (select md5(string_agg(d::text, '' order by at)) from pl_days d where book_id = book.id)
       || (select md5(string_agg(b::text, '' order by coin_id, at)) from balance_days b where book_id = book.id)
       || (select md5(string_agg(c::text, '' order by coin_id, month)) from coin_folds c
         join folds on folds.id = fold_id join scopes on scopes.id = scope_id where scopes.book_id = book.id) as hash
     from books as book where wallet_id = 1`,
  )
  return rows[0]!.hash
}
