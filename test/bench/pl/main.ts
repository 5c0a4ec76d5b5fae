import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
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
import { benchMaterialised, type MaterialisedResult } from './materialised.ts'
import { busyReason } from '../shared/machine.ts'
import { median, runPairs } from '../shared/pairs.ts'
import { printReport } from '../shared/report.ts'

const TRANSACTIONS = 100_000
const PAIRS = 7
const log = (line: string) => console.log(`bench:pl ${line}`)
const ms = (value: number) => `${value.toFixed(value < 10 ? 2 : 0)} ms`

const busy = busyReason()

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
  const legs = transactions.reduce((total, list) => total + list.length, 0)
  const each = (values: readonly number[]) => values.map(ms).join(', ')
  printReport({
    title: `P&L of ${TRANSACTIONS.toLocaleString('en')} transactions (${legs.toLocaleString('en')} legs), ${COINS} coins, 5 years hourly`,
    ratios: [
      {
        id: 'G10',
        name: 'hourly P&L, warm cube / DuckDB on Parquet (time)',
        values: ratios,
        floor: 0.15,
        goal: 0.07,
        lessIsBetter: true,
      },
      {
        id: 'change',
        name: 'days after a change 30 days back, ms',
        values: stored.changes.map(({ daysMs }) => daysMs),
        floor: 100,
        goal: 40,
        lessIsBetter: true,
      },
      {
        id: 'memory',
        name: 'peak memory of the materialiser, a wallet of 1,000,000 / of 100,000',
        values: [stored.tenfold.peakRssMb / stored.full.peakRssMb],
        floor: 1.5,
        goal: 1,
        lessIsBetter: true,
      },
    ],
    raw: [
      [`ours, hourly, ${PAIRS} pairs`, each(pairs.map((pair) => pair.ours))],
      [`DuckDB (${best.name}; two threads), same pairs`, each(pairs.map((pair) => pair.peer))],
      ['DuckDB, each way once', tried.map((way) => `${way.name} ${ms(way.ms)}`).join(', ')],
      [
        'largest relative difference of values; of flows',
        `${difference.value.toExponential(1)}; ${difference.flow.toExponential(1)}`,
      ],
      [
        `loading the cube from ${((await stat(file)).size / 2 ** 20).toFixed(0)} MB of Parquet, once`,
        ms(loadMs),
      ],
      ['exact cost basis: average; FIFO', `${ms(foldMs.average)}; ${ms(foldMs.fifo)}`],
      ['Postgres, all days computed and written; coin rows; peak', partsOf(stored.full)],
      ['the same for 1,000,000 transactions', partsOf(stored.tenfold)],
      [
        'after the change: coin rows of the two months since',
        ms(median(stored.changes.map(({ coinsMs }) => coinsMs))),
      ],
      ...stored.portfolios.map(({ portfolios, stillMs, movingMs }): [string, string] => [
        `${portfolios.toLocaleString('en')} portfolios after a corrected price 30 days back: no transaction since; one each`,
        `${ms(stillMs)}; ${ms(movingMs)}`,
      ]),
      ['reading 5 years of daily points', ms(stored.readMs)],
      ['reading value, cost and profit in euros', ms(stored.euroMs)],
    ],
    busy,
    json: process.argv.includes('--json'),
  })

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

function partsOf({ daysMs, coinsMs, peakRssMb }: MaterialisedResult['full']): string {
  return `${ms(daysMs)}; ${ms(coinsMs)}; ${peakRssMb.toFixed(0)} MB`
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
