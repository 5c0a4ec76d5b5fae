import { lockCoins } from '../../db/prices/lock-coins.ts'
import { readAliases, readQuotedPrices } from '../../db/prices/read-for-ingest.ts'
import { markQuotesStale, storeCoins, storeMappings, storePriceOnly } from '../../db/prices/write-coins.ts'
import { noteDataAge } from '../../db/sources/note-data-age.ts'
import { quarantineRows } from '../../db/sources/write.ts'
import { transact } from '../../db/transact.ts'
import { COINGECKO } from '../coingecko.ts'
import type { ActivityDeps } from '../deps.ts'
import { SourceRejected } from '../errors.ts'
import type { QuarantinedRow } from '../parse-rows.ts'
import { holdBackReason } from './hold-back.ts'
import { KNOWN_COINS } from './known-coins.ts'
import { type PriceSources, required } from './price-sources.ts'
import { type AliasPrice, DEFILLAMA } from './sources/defillama.ts'
import { MOST_FOLLOWED, type QuotesResult } from './store-markets.ts'

/**
 * Renews the prices of stored coins from DefiLlama, which knows them by CoinGecko's ids. Volumes and the like
 * stay as another source gave them. Without any coin, those that every installation knows become coins.
 */
export async function refreshByAlias(deps: ActivityDeps, sources: PriceSources): Promise<QuotesResult> {
  const defillama = required(sources, 'defillama')
  const stored = await readAliases(deps.db, { source: COINGECKO, limit: MOST_FOLLOWED })
  const fresh = stored.length > 0 ? [] : KNOWN_COINS.map((coin) => ({ ...coin, upstreamId: coin.coinId }))
  const targets = [...stored, ...fresh]
  const { found, quarantined } = await defillama.pricesByAlias(targets.map(({ upstreamId }) => upstreamId))
  if (found.size === 0) throw new SourceRejected(DEFILLAMA, 'it has no price of any coin')
  const fetchedAt = deps.now()
  const times = [...found.values()].map(({ at }) => at)
  await noteDataAge(deps.db, { source: DEFILLAMA, times, now: fetchedAt })
  return transact(deps.pool, async (transaction) => {
    await lockCoins(transaction)
    const { db } = transaction
    const rows = fresh
      .filter(({ upstreamId }) => found.has(upstreamId))
      .map((coin) => ({ ...coin, icon: null, rank: null }))
    const added = await storeCoins(transaction, { coins: rows, source: DEFILLAMA, fetchedAt })
    await storeMappings(transaction, { source: COINGECKO, mappings: rows })
    const previous = await readQuotedPrices(db)
    const good: (AliasPrice & { coinId: string })[] = []
    const held: QuarantinedRow[] = []
    const stale: string[] = []
    for (const { coinId, upstreamId } of targets) {
      const price = found.get(upstreamId)
      if (!price) continue
      const before = previous.get(coinId) ?? null
      const incoming = { usd: price.priceUsd, at: price.at }
      const reason = holdBackReason({ incoming, previous: before, second: null, now: fetchedAt })
      if (reason !== null) {
        held.push({ reason: `held back: ${reason}`, payload: { id: upstreamId, ...price } })
        stale.push(coinId)
      } else if (before === null || price.at >= before.at) good.push({ ...price, coinId })
    }
    const refused = [...quarantined, ...held]
    await quarantineRows(db, { source: DEFILLAMA, area: 'prices', quarantined: refused, fetchedAt })
    await markQuotesStale(db, stale)
    const changed = await storePriceOnly(transaction, { prices: good, source: DEFILLAMA, fetchedAt })
    const counts = { held: held.length, quarantined: quarantined.length }
    return { source: DEFILLAMA, newCoins: added.length, changed, ...counts }
  })
}
