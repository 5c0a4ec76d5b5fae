import { mkdtemp, rm, stat } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { foldLots } from '../../../db/pnl/lots/fold-lots.ts'
import { hourlySeries } from '../../../db/pnl/periods/hourly-series.ts'
import { ledgerOf } from '../../pnl/engine/ledger.ts'
import { postingsOf } from '../../../db/pnl/lots/postings.ts'
import { createPriceCube } from '../../../db/pnl/periods/price-cube.ts'
import { toNumber } from '../../../db/values/decimal.ts'
import { loadLegs, openDuckDb, QUERIES, readPrices, runQuery, writePrices } from './duckdb.ts'
import type { Series } from './duckdb.ts'
import { COINS, coinName, FROM_MS, history, HOURS } from './history.ts'
import { benchMaterialised } from './materialised.ts'
import { median, runPairs } from '../shared/pairs.ts'

const TRANSACTIONS = 100_000
const PAIRS = 7
const log = (line: string) => console.log(`bench:pl ${line}`)
const ms = (value: number) => `${value.toFixed(value < 10 ? 2 : 0)} ms`

const loadAtStart = loadavg()[0]!
if (loadAtStart > 1)
  log(`the load before the start is ${loadAtStart.toFixed(1)}: absolute times will be too long`)

const folder = await mkdtemp(join(tmpdir(), 'sluice-bench-pl-'))
try {
  const file = join(folder, 'prices.parquet')
  const duckdb = await openDuckDb()
  log(`writing ${(COINS * HOURS).toLocaleString('en')} prices to Parquet`)
  await writePrices(duckdb, file)
  const loadStartMs = performance.now()
  const prices = await readPrices(duckdb, file)
  const loadMs = performance.now() - loadStartMs

  const transactions = [...history({ count: TRANSACTIONS, priceOf: (coin, hour) => prices[coin]![hour]! })]
  const coins = new Map(Array.from({ length: COINS }, (_, coin) => [coinName(coin), coin]))
  await loadLegs(duckdb, transactions, coins)
  const cube = createPriceCube({ fromMs: FROM_MS, hours: HOURS })
  for (const [coinId, coin] of coins) prices[coin]!.forEach((usd, hour) => cube.put(coinId, hour, usd))

  // The fastest DuckDB query counts. The first runs of each side are the warm-up.
  const tried: { name: string; sql: string; ms: number }[] = []
  for (const [name, query] of Object.entries(QUERIES)) {
    const sql = query(file)
    await runQuery(duckdb, sql)
    const startMs = performance.now()
    await runQuery(duckdb, sql)
    tried.push({ name, sql, ms: performance.now() - startMs })
  }
  const best = tried.toSorted((a, b) => a.ms - b.ms)[0]!
  const ours = () => hourlySeries({ cube, transactions })
  for (let round = 0; round < 3; round++) ours()
  const difference = compareSeries(ours(), await runQuery(duckdb, best.sql))
  const pairs = await runPairs({ pairs: PAIRS, ours, peer: () => runQuery(duckdb, best.sql) })
  const ratios = pairs.map((pair) => pair.ours / pair.peer)
  const foldMs = timeFolds()
  duckdb.closeSync()

  const stored = await benchMaterialised({ transactions, prices, log })
  const changes = stored.changes.map(({ daysMs }) => daysMs)
  const change = median(changes)
  const coinRows = median(stored.changes.map(({ coinsMs }) => coinsMs))
  const rssRatio = stored.tenfold.peakRssMb / stored.full.peakRssMb

  const legs = transactions.reduce((total, list) => total + list.length, 0)
  console.log(`
P&L of ${TRANSACTIONS.toLocaleString('en')} transactions (${legs.toLocaleString('en')} legs), ${COINS} coins, 5 years hourly; ${cpus().length} cores, ${cpus()[0]!.model}, Node ${process.versions.node}, load ${loadAtStart.toFixed(1)} at the start, ${new Date().toISOString().slice(0, 10)}

| ratio | median | best | worst | floor | goal |
| G10 hourly P&L, warm cube / DuckDB on Parquet | ${median(ratios).toFixed(3)} | ${Math.min(...ratios).toFixed(3)} | ${Math.max(...ratios).toFixed(3)} | 0.5 | 0.1 |
| peak memory of the materialiser, 10x wallet / 1x | ${rssRatio.toFixed(2)} | | | | 1 |

| raw figure | |
| ours, hourly, ${PAIRS} pairs | ${pairs.map((pair) => ms(pair.ours)).join(', ')} |
| DuckDB (${best.name}; two threads), same pairs | ${pairs.map((pair) => ms(pair.peer)).join(', ')} |
| DuckDB, each way once | ${tried.map((way) => `${way.name} ${ms(way.ms)}`).join(', ')} |
| largest relative difference of values; of flows | ${difference.value.toExponential(1)}; ${difference.flow.toExponential(1)} |
| loading the cube from ${((await stat(file)).size / 2 ** 20).toFixed(0)} MB of Parquet, once | ${ms(loadMs)} |
| exact cost basis: average; FIFO | ${ms(foldMs.average)}; ${ms(foldMs.fifo)} |
| Postgres, all days computed and written; coin rows | ${ms(stored.full.daysMs)}; ${ms(stored.full.coinsMs)}, peak ${stored.full.peakRssMb.toFixed(0)} MB |
| the same for 1,000,000 transactions | ${ms(stored.tenfold.daysMs)}; ${ms(stored.tenfold.coinsMs)}, peak ${stored.tenfold.peakRssMb.toFixed(0)} MB |
| a change 30 days back: days (limit 100 ms) | median ${ms(change)}, best ${ms(Math.min(...changes))}, worst ${ms(Math.max(...changes))} of ${changes.length} |
| the same: coin rows of the two months since | median ${ms(coinRows)} |
| reading 5 years of daily points | ${ms(stored.readMs)} |
| reading value, cost and profit in euros | ${ms(stored.euroMs)} |
`)
  if (process.argv.includes('--json')) {
    console.log(
      JSON.stringify({
        G10: median(ratios),
        G10_worst: Math.max(...ratios),
        change_30_days_of_100_ms: change / 100,
        rss_10x: rssRatio,
      }),
    )
  }

  function timeFolds(): Record<'average' | 'fifo', number> {
    const accounts = new Set(['ethereum'])
    const time = (method: 'average' | 'fifo') => {
      const ledger = ledgerOf({ legs: transactions.flat(), matches: [], accounts })
      const rules = {
        isStable: () => false,
        trust: () => 0,
        isInternal: ledger.isInternal,
        feeOf: ledger.feeOf,
      }
      const startMs = performance.now()
      const entries = ledger.transactions.map((transaction) => ({
        ...transaction,
        postings: postingsOf(transaction, rules),
      }))
      foldLots({ entries, method })
      return performance.now() - startMs
    }
    time('average')
    return { average: time('average'), fifo: time('fifo') }
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}

/**
 * Largest difference of two series, relative to the value and to the largest flow. Throws above 1e-12, which
 * voids the ratio.
 */
function compareSeries(ours: ReturnType<typeof hourlySeries>, peer: Series): { value: number; flow: number } {
  const largest = { value: 0, flow: 0 }
  const note = (what: 'value' | 'flow', a: number, b: number, scale: number) => {
    largest[what] = Math.max(largest[what], scale === 0 ? Math.abs(a - b) : Math.abs(a - b) / scale)
  }
  for (let hour = 0; hour < HOURS; hour++) {
    note('value', ours.valueUsd[hour]!, peer.value[hour]!, Math.abs(peer.value[hour]!))
    const flow = ours.flowUsd.get(hour)
    note('flow', flow ? toNumber(flow) : 0, peer.flow[hour]!, Math.abs(peer.flow[hour]!))
  }
  if (largest.value > 1e-12 || largest.flow > 1e-12) {
    throw new Error(`results differ: values by ${largest.value}, flows by ${largest.flow}`)
  }
  return largest
}
