import { readMappings, readUndescribedCoins } from '../../db/prices/read-for-ingest.ts'
import { describeCoin, markListed, storeContracts } from '../../db/prices/write-coins.ts'
import { transact } from '../../db/transact.ts'
import { COINGECKO } from '../coingecko.ts'
import type { ActivityDeps } from '../deps.ts'
import { SourceRejected } from '../errors.ts'
import { mapConcurrently } from './map-concurrently.ts'
import { type PriceSources, required } from './price-sources.ts'

export interface ListingsResult {
  contracts: number
  delisted: number
}

/** A list with fewer than this part of the known coins is taken for broken: nothing is delisted by it. */
const SMALLEST_SHARE = 0.5

/** Reads the list of all coins: contracts of the known ones, and which of them are gone. */
export async function refreshListings(deps: ActivityDeps, sources: PriceSources): Promise<ListingsResult> {
  const listed = await required(sources, 'coingecko').listings()
  const fetchedAt = deps.now()
  return transact(deps.pool, async (transaction) => {
    const known = await readMappings(transaction.db, COINGECKO)
    const ours = listed.filter((coin) => known.has(coin.upstreamId))
    const present = await transaction.db
      .selectFrom('coins')
      .select((eb) => eb.fn.countAll<string>().as('count'))
      .where('source', '=', COINGECKO)
      .where('delisted_at', 'is', null)
      .executeTakeFirstOrThrow()
    if (ours.length < Number(present.count) * SMALLEST_SHARE)
      throw new SourceRejected(COINGECKO, `its list holds ${ours.length} of ${present.count} known coins`)
    const contracts = ours.flatMap((coin) =>
      coin.contracts.map((contract) => ({
        ...contract,
        coinId: known.get(coin.upstreamId)!,
        decimals: null,
      })),
    )
    const source = COINGECKO
    const changed = await storeContracts(transaction, { contracts, source, fetchedAt, withDecimals: false })
    const listedIds = ours.map((coin) => known.get(coin.upstreamId)!)
    const { delisted } = await markListed(transaction, { source, listedIds, at: fetchedAt })
    return { contracts: changed, delisted }
  })
}

/** Reads the description of coins that have none yet: links, categories, decimals. Returns how many were read. */
export async function describeCoins(
  deps: ActivityDeps,
  sources: PriceSources,
  { limit }: { limit: number },
): Promise<number> {
  const coingecko = required(sources, 'coingecko')
  const coins = await readUndescribedCoins(deps.db, { source: COINGECKO, limit })
  await mapConcurrently(coins, 4, async ({ coinId, upstreamId }) => {
    const details = await coingecko.coinDetails(upstreamId)
    const contracts = details.contracts.map((contract) => ({ ...contract, coinId }))
    const fetchedAt = deps.now()
    await transact(deps.pool, async (transaction) => {
      await describeCoin(transaction.db, { coinId, ...details, fetchedAt })
      await storeContracts(transaction, { contracts, source: COINGECKO, fetchedAt, withDecimals: true })
    })
  })
  return coins.length
}
