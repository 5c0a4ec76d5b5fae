import { readDayChange, readNewestTotals } from '../../db/prices/read-for-ingest.ts'
import { addTotals } from '../../db/prices/write-totals.ts'
import { quarantineRows } from '../../db/sources/write.ts'
import { add, decimal, divide, formatDecimal, isZero, multiply, subtract } from '../../db/values/decimal.ts'
import { COINGECKO } from '../coingecko.ts'
import type { ActivityDeps } from '../deps.ts'
import { SourceRejected, SourceUnavailable } from '../errors.ts'
import { holdBackReason } from './hold-back.ts'
import type { MarketTotals } from './market-data.ts'
import { type PriceSources, required } from './price-sources.ts'
import { COINPAPRIKA } from './sources/coinpaprika.ts'

/** In the order in which they are asked. */
const SOURCES = [COINGECKO, COINPAPRIKA] as const
const PERCENT = decimal('0.01')

type TotalsSource = (typeof SOURCES)[number]
type StoredTotals = NonNullable<Awaited<ReturnType<typeof readNewestTotals>>>

/**
 * Stores the totals of the whole market, one row per instant of the source: CoinGecko's; when it fails, or what it says
 * is held back, CoinPaprika's. Returns rows added. Throws the failure of the first source that is on.
 */
export async function refreshTotals(deps: ActivityDeps, sources: PriceSources): Promise<number> {
  const on = SOURCES.filter((source) => sources[source] !== null)
  let failure: unknown = new SourceRejected('totals of the market', 'no source of them is on')
  for (const source of on) {
    try {
      return await storeTotals(deps, { source, totals: await readTotals(deps, { source, sources }) })
    } catch (error) {
      if (!(error instanceof SourceUnavailable || error instanceof SourceRejected)) throw error
      deps.log.warn({ reason: error.message }, 'no totals of the market from this source')
      if (source === on[0]) failure = error
    }
  }
  throw failure
}

/** What the source says now. Throws SourceRejected when that cannot be; it is in the quarantine then. */
async function readTotals(
  { db, now }: ActivityDeps,
  { source, sources }: { source: TotalsSource; sources: PriceSources },
): Promise<MarketTotals> {
  const { rows, quarantined } = await required(sources, source).marketTotals()
  // A stand-in is also held against those before it; they are not against it, or its lies would keep them out.
  const trusted = SOURCES.slice(0, SOURCES.indexOf(source) + 1)
  const previous = await readNewestTotals(db, { sources: trusted })
  const held = rows.flatMap((totals) => {
    const reason = problemOf(totals, { source, previous, now: now() })
    return reason === null ? [] : [{ reason: `held back: ${reason}`, payload: totals }]
  })
  const bad = [...quarantined, ...held]
  await quarantineRows(db, { source, area: 'prices', quarantined: bad, fetchedAt: now() })
  if (bad[0]) throw new SourceRejected(source, `totals of the market: ${bad[0].reason}`)
  return rows[0]!
}

/** Why totals cannot be true; null: they can. Sources agree on the market, less so on which of its volume is real. */
function problemOf(
  totals: MarketTotals,
  { source, previous, now }: { source: string; previous: StoredTotals | null; now: Date },
): string | null {
  type Totals = Pick<MarketTotals, 'marketCapUsd' | 'volume24hUsd' | 'btcDominance'>
  const figures = [
    ({ marketCapUsd }: Totals) => marketCapUsd,
    ({ marketCapUsd, btcDominance }: Totals) =>
      formatDecimal(multiply(multiply(decimal(marketCapUsd), decimal(btcDominance)), PERCENT)),
    ...(previous?.source === source ? [({ volume24hUsd }: Totals) => volume24hUsd] : []),
  ]
  for (const usdOf of figures) {
    const reason = holdBackReason({
      incoming: { usd: usdOf(totals), at: totals.at },
      previous: previous && { usd: usdOf(previous), at: previous.at },
      second: null,
      now,
    })
    if (reason !== null) return reason
  }
  return null
}

async function storeTotals(
  { db, now }: ActivityDeps,
  { source, totals }: { source: TotalsSource; totals: MarketTotals },
): Promise<number> {
  // An answer out of a cache may be older than what is stored: no news, and nothing wrong.
  const newest = await readNewestTotals(db, { sources: SOURCES })
  if (newest !== null && totals.at < newest.at) return 0
  const btcDominanceChange = dominanceChange(totals, await readDayChange(db, 'bitcoin'))
  return addTotals(db, { ...totals, btcDominanceChange, source, fetchedAt: now() })
}

/**
 * Percentage points by which the dominance changed over 24 hours. Bitcoin's capitalisation moves with its price: its
 * supply grows by thousandths of a percent a day. Null when either change is unknown.
 */
function dominanceChange(totals: MarketTotals, bitcoinChange: string | null): string | null {
  if (totals.marketCapChange === null || bitcoinChange === null) return null
  const factor = (percent: string) => add(decimal('1'), divide(decimal(percent), decimal('100')))
  const bitcoin = factor(bitcoinChange)
  if (isZero(bitcoin)) return null
  const now = decimal(totals.btcDominance)
  const before = divide(multiply(now, factor(totals.marketCapChange)), bitcoin, 12)
  return formatDecimal(subtract(now, before))
}
