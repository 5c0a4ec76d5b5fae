import { readNewestRate } from '../../db/prices/read-for-ingest.ts'
import { storeFiatRates } from '../../db/prices/write.ts'
import { quarantineRows } from '../../db/sources/write.ts'
import { transact } from '../../db/transact.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import type { ActivityDeps } from '../deps.ts'
import { SourceRejected, SourceUnavailable } from '../errors.ts'
import type { QuarantinedRow } from '../parse-rows.ts'
import { toDollarRates } from './euro-rates.ts'
import type { FiatRate } from './market-data.ts'
import type { PriceSources } from './price-sources.ts'
import { ECB } from './sources/ecb.ts'
import { EUROFXREF } from './sources/eurofxref.ts'
import { FRANKFURTER } from './sources/frankfurter.ts'

const HISTORY_DAYS = 3 * 365
/** Recent days are read again: banks sometimes correct a rate. */
const LOOKBACK_DAYS = 7

interface FiatSource {
  name: string
  rates: (range: {
    from: string
    to: string
  }) => Promise<{ rates: FiatRate[]; quarantined: QuarantinedRow[] }>
}

/**
 * Reads the reference rates since the newest stored one (three years the first time) from the first source
 * that answers. Days without rates have no rows: readers carry the last rate forward. Returns the number of
 * new or changed rows. `afresh` reads all three years again.
 */
export async function refreshFiats(
  deps: ActivityDeps,
  sources: PriceSources,
  { afresh = false }: { afresh?: boolean } = {},
): Promise<number> {
  let failure: Error | null = null
  for (const source of inOrder(sources)) {
    try {
      return await refreshFrom(deps, source, afresh)
    } catch (error) {
      if (!(error instanceof SourceUnavailable || error instanceof SourceRejected)) throw error
      deps.log.warn(
        { source: source.name, reason: error.message },
        'could not read currency rates from this source',
      )
      // The cause that an operator has to know is that of the preferred source.
      failure ??= error
    }
  }
  throw failure ?? new SourceRejected(FRANKFURTER, 'this source is off')
}

function inOrder({ frankfurter, ecb, eurofxref }: PriceSources): FiatSource[] {
  return [
    ...(frankfurter ? [{ name: FRANKFURTER, rates: frankfurter.rates }] : []),
    ...(ecb
      ? [
          {
            name: ECB,
            rates: async (range: { from: string; to: string }) => toDollarRates(await ecb.rates(range)),
          },
        ]
      : []),
    ...(eurofxref ? [{ name: EUROFXREF, rates: async () => toDollarRates(await eurofxref.rates()) }] : []),
  ]
}

async function refreshFrom(
  deps: ActivityDeps,
  { name: source, rates: read }: FiatSource,
  afresh: boolean,
): Promise<number> {
  const now = deps.now()
  const newest = await readNewestRate(deps.db, source)
  const fromMs =
    newest === null || afresh
      ? now.getTime() - HISTORY_DAYS * DAY_MS
      : newest.getTime() - LOOKBACK_DAYS * DAY_MS
  const { rates, quarantined } = await read({ from: dateOf(fromMs), to: dateOf(now.getTime()) })
  const fetchedAt = deps.now()
  return transact(deps.pool, async (transaction) => {
    await quarantineRows(transaction.db, { source, area: 'prices', quarantined, fetchedAt })
    return storeFiatRates(transaction, { rates, source, fetchedAt })
  })
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
