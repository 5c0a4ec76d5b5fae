import { lockCoins } from '../../db/prices/lock-coins.ts'
import { countListed, readMappings, readUndescribedCoins } from '../../db/prices/read-for-ingest.ts'
import { describeCoin, markListed, storeContracts } from '../../db/prices/write-coins.ts'
import { transact } from '../../db/transact.ts'
import { COINGECKO } from '../coingecko.ts'
import type { ActivityDeps } from '../deps.ts'
import { SourceRejected } from '../errors.ts'
import { mapConcurrently } from '../many-items.ts'
import { type PriceSources, required } from './price-sources.ts'

export interface ListingsResult {
  contracts: number
  delisted: number
}

/** A list that holds less than this share of the known coins counts as broken and delists nothing. */
const SMALLEST_SHARE = 0.5

/**
 * Reads the list of all coins: stores the contracts of known coins and delists known coins that are missing.
 * Coins stored after the list was requested are not judged by it, since they may be too new to be in it.
 */
export async function refreshListings(deps: ActivityDeps, sources: PriceSources): Promise<ListingsResult> {
  const source = COINGECKO
  const known = await readMappings(deps.db, source)
  const listed = await required(sources, 'coingecko').listings()
  const fetchedAt = deps.now()
  const ours = listed.filter((coin) => known.has(coin.upstreamId))
  const contracts = ours.flatMap((coin) =>
    coin.contracts.map((contract) => ({
      ...contract,
      coinId: known.get(coin.upstreamId)!,
      decimals: null,
    })),
  )
  const knownIds = [...known.values()]
  const listedIds = ours.map((coin) => known.get(coin.upstreamId)!)
  return transact(deps.pool, async (transaction) => {
    await lockCoins(transaction)
    const present = await countListed(transaction.db, { source, coinIds: knownIds })
    if (ours.length < present * SMALLEST_SHARE)
      throw new SourceRejected(source, `its coin list holds only ${ours.length} of ${present} known coins`)
    const changed = await storeContracts(transaction, { contracts, source, fetchedAt, withDecimals: false })
    const { delisted } = await markListed(transaction, { source, knownIds, listedIds, at: fetchedAt })
    return { contracts: changed, delisted }
  })
}

/** Reads links, categories and decimals of coins that have none yet. Returns the number of coins read. */
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
