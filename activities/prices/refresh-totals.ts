import { readDayChange, readNewestTotals } from '../../db/prices/read-for-ingest.ts'
import { addTotals } from '../../db/prices/write-totals.ts'
import { noteDataAge } from '../../db/sources/note-data-age.ts'
import { quarantineRows } from '../../db/sources/write.ts'
import { add, decimal, divide, formatDecimal, isZero, multiply, subtract } from '../../db/values/decimal.ts'
import { COINGECKO } from '../coingecko.ts'
import type { ActivityDeps } from '../deps.ts'
import { SourceRejected, SourceUnavailable } from '../errors.ts'
import { holdBackReason } from './hold-back.ts'
import type { MarketTotals } from './market-data.ts'
import { type PriceSources, required } from './price-sources.ts'
import { COINPAPRIKA } from '../coinpaprika.ts'

/** In the order of preference. */
const SOURCES = [COINGECKO, COINPAPRIKA] as const
const PERCENT = decimal('0.01')
/** Each call counts against the month of a free plan. */
export const FREE_TOTALS_PACE_MS = 55 * 60_000

type TotalsSource = (typeof SOURCES)[number]
type StoredTotals = NonNullable<Awaited<ReturnType<typeof readNewestTotals>>>

/**
 * Stores the market totals, one row per instant of the source. Uses CoinGecko, or CoinPaprika when CoinGecko
 * fails or its totals are held back. Returns the number of rows added. Throws the failure of the first source
 * that is on.
 */
export async function refreshTotals(deps: ActivityDeps, sources: PriceSources): Promise<number> {
  const { coingecko } = sources
  if (coingecko?.plan === 'free') {
    const last = await readNewestTotals(deps.db, { sources: [COINGECKO] })
    if (last !== null && deps.now().getTime() - last.at.getTime() < FREE_TOTALS_PACE_MS) return 0
  }
  // Without a key, calls of CoinGecko are few: it stands in for CoinPaprika.
  const order = coingecko?.plan === 'keyless' ? SOURCES.toReversed() : SOURCES
  const on = order.filter((source) => sources[source] !== null)
  let failure: unknown = new SourceRejected('market totals', 'CoinGecko and CoinPaprika are both off')
  for (const source of on) {
    try {
      return await storeTotals(deps, { source, totals: await readTotals(deps, { source, sources }) })
    } catch (error) {
      if (!(error instanceof SourceUnavailable || error instanceof SourceRejected)) throw error
      deps.log.warn({ reason: error.message }, 'could not read market totals from this source')
      if (source === on[0]) failure = error
    }
  }
  throw failure
}

/** Reads the totals of a source. Quarantines implausible totals and throws SourceRejected. */
async function readTotals(
  { db, now }: ActivityDeps,
  { source, sources }: { source: TotalsSource; sources: PriceSources },
): Promise<MarketTotals> {
  const { rows, quarantined } = await required(sources, source).marketTotals()
  await noteDataAge(db, { source, times: rows.map(({ at }) => at), now: now() })
  // A source is checked against itself and the preferred ones only: a wrong stand-in must not block
  // CoinGecko.
  const trusted = SOURCES.slice(0, SOURCES.indexOf(source) + 1)
  const previous = await readNewestTotals(db, { sources: trusted })
  const held = rows.flatMap((totals) => {
    const reason = problemOf(totals, { source, previous, now: now() })
    return reason === null ? [] : [{ reason: `held back: ${reason}`, payload: totals }]
  })
  const bad = [...quarantined, ...held]
  await quarantineRows(db, { source, area: 'prices', quarantined: bad, fetchedAt: now() })
  if (bad[0]) throw new SourceRejected(source, `market totals: ${bad[0].reason}`)
  return rows[0]!
}

/**
 * Returns why totals are implausible; null: they are plausible. Volume is compared within one source only:
 * sources disagree on which volume is real.
 */
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
  // A cached answer may be older than the stored totals: skip it, it is no error.
  const newest = await readNewestTotals(db, { sources: SOURCES })
  if (newest !== null && totals.at < newest.at) return 0
  const btcDominanceChange = dominanceChange(totals, await readDayChange(db, 'bitcoin'))
  return addTotals(db, { ...totals, btcDominanceChange, source, fetchedAt: now() })
}

/**
 * The change of the dominance over 24 hours in percentage points. Takes Bitcoin's price change for the change
 * of its capitalisation: its supply grows by thousandths of a percent a day. Null when either change is
 * unknown.
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
