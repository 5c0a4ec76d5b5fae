import { readQuotedPrices } from '../../db/prices/read-for-ingest.ts'
import { quarantineRows } from '../../db/sources/write.ts'
import { readExchangeMappings, readListedExchanges } from '../../db/tickers/read-for-ingest.ts'
import { rankExchanges, storeExchanges, storeVolumes } from '../../db/tickers/write-exchanges.ts'
import { transact } from '../../db/transact.ts'
import { decimal, formatDecimal, multiply } from '../../db/values/decimal.ts'
import { DAY_MS, HOUR_MS } from '../../db/values/periods.ts'
import { COINGECKO } from '../coingecko.ts'
import type { ActivityDeps } from '../deps.ts'
import { SourceRejected, SourceUnavailable } from '../errors.ts'
import type { ExchangeList } from './exchange-data.ts'
import { mergeExchanges, type SourcedExchange } from './merge-exchanges.ts'
import { COINPAPRIKA } from '../coinpaprika.ts'
import type { TickerSources } from './ticker-sources.ts'

/**
 * Reads the exchanges with their volumes from CoinPaprika, or from CoinGecko where CoinPaprika lacks the
 * exchange. CoinGecko also gives the logos. Either source alone is enough. CoinGecko's volumes are in BTC:
 * without a bitcoin price, the source counts as failed. Returns the number of listed exchanges.
 */
export async function refreshExchanges(deps: ActivityDeps, sources: TickerSources): Promise<number> {
  const btcUsd = (await readQuotedPrices(deps.db)).get('bitcoin')?.usd ?? null
  const hasWorth = btcUsd !== null || sources.coingecko === null
  if (!hasWorth) deps.log.warn('bitcoin has no price yet: exchange volumes in BTC are not read')
  const paprika = await readList(deps, { source: COINPAPRIKA, adapter: sources.coinpaprika })
  const gecko = hasWorth ? await readList(deps, { source: COINGECKO, adapter: sources.coingecko }) : null
  if (!paprika && !gecko && hasWorth)
    throw new SourceUnavailable(COINPAPRIKA, 'neither CoinPaprika nor CoinGecko returned exchanges')
  // The last answer of a source that fails stays valid for a day.
  const silent = new Set([...(paprika ? [] : [COINPAPRIKA]), ...(gecko ? [] : [COINGECKO])])
  const now = deps.now()
  const first = inUsd(COINPAPRIKA, paprika, btcUsd)
  const second = inUsd(COINGECKO, gecko, btcUsd)
  return transact(deps.pool, async (transaction) => {
    const known = await readExchangeMappings(transaction.db)
    const kept = (await readListedExchanges(transaction.db))
      .filter(({ source, at }) => silent.has(source) && now.getTime() - at.getTime() < DAY_MS)
      .map(({ id }) => id)
    const exchanges = mergeExchanges({ first, second, known }).filter(
      ({ exchangeId }) => !kept.includes(exchangeId),
    )
    await storeExchanges(transaction, { exchanges, at: now, fetchedAt: now })
    const at = new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS)
    const points = exchanges.flatMap(({ exchangeId, bySource }) =>
      bySource.map(({ source, volume24hUsd }) => ({ exchangeId, source, at, volume24hUsd })),
    )
    await storeVolumes(transaction, { points, fetchedAt: now })
    for (const [source, list] of [
      [COINPAPRIKA, paprika],
      [COINGECKO, gecko],
    ] as const)
      await quarantineRows(transaction.db, {
        source,
        area: 'tickers',
        quarantined: list?.quarantined ?? [],
        fetchedAt: now,
      })
    return rankExchanges(transaction, {
      listedIds: [...kept, ...exchanges.map(({ exchangeId }) => exchangeId)],
    })
  })
}

interface Readable {
  source: string
  adapter: { exchanges: () => Promise<ExchangeList> } | null
}

/** Reads the list of one source; null: it is off or failed, and the other source is used alone. */
async function readList({ log }: ActivityDeps, { source, adapter }: Readable): Promise<ExchangeList | null> {
  if (!adapter) return null
  try {
    return await adapter.exchanges()
  } catch (error) {
    if (!(error instanceof SourceUnavailable || error instanceof SourceRejected)) throw error
    log.warn(
      { source, reason: error.message },
      'could not read exchanges from this source: using the other one',
    )
    return null
  }
}

/** Converts volumes to USD. Leaves out rows without a volume, and rows in BTC while bitcoin has no price. */
function inUsd(source: string, list: ExchangeList | null, btcUsd: string | null): SourcedExchange[] {
  return (list?.rows ?? []).flatMap((row) => {
    const perUnit = row.currency === 'USD' ? '1' : btcUsd
    if (perUnit === null || row.volume24h === null || row.volume24h === '0') return []
    const usd = (amount: string) => formatDecimal(multiply(decimal(amount), decimal(perUnit)))
    const { upstreamId, name, icon, url, volume24h, volume7d, volume30d } = row
    return {
      source,
      upstreamId,
      name,
      icon,
      url,
      volume24hUsd: usd(volume24h),
      volume7dUsd: volume7d && usd(volume7d),
      volume30dUsd: volume30d && usd(volume30d),
    }
  })
}
