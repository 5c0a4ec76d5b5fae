import { lockCoins } from '../../db/prices/lock-coins.ts'
import {
  countListed,
  readMappings,
  readStoredCoins,
  readUndescribedCoins,
} from '../../db/prices/read-for-ingest.ts'
import { describeCoin, markListed, storeContracts, storeMappings } from '../../db/prices/write-coins.ts'
import { quarantineRows } from '../../db/sources/write.ts'
import { transact } from '../../db/transact.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import { COINGECKO } from '../coingecko.ts'
import type { ActivityDeps } from '../deps.ts'
import { isSourceError, SourceRejected, SourceUnavailable } from '../errors.ts'
import { mapConcurrently } from '../many-items.ts'
import { identityOf } from './known-coins.ts'
import type { ListedCoin } from './market-data.ts'
import { uniqueBy } from './match-coins.ts'
import { type PriceSources, required } from './price-sources.ts'
import type { CoinGecko } from './sources/coingecko.ts'

export interface ListingsResult {
  contracts: number
  delisted: number
}

/** A list that holds less than this share of the known coins counts as broken and delists nothing. */
const SMALLEST_SHARE = 0.5

/** Descriptions of one call, for as long as some are missing: each costs a request of the plan. */
export const MOST_DESCRIBED = { keyless: 3, free: 10, full: Infinity } as const

/**
 * Reads the list of all coins: learns its ids of coins that another source brought, stores the contracts of
 * known coins and delists known coins that are missing. Coins stored after the list was requested are not
 * judged by it, since they may be too new to be in it. Without a key the list is a welcome extra: nothing
 * depends on it.
 */
export async function refreshListings(deps: ActivityDeps, sources: PriceSources): Promise<ListingsResult> {
  const coingecko = required(sources, 'coingecko')
  try {
    return await storeListings(deps, coingecko)
  } catch (error) {
    if (coingecko.plan !== 'keyless' || !isSourceError(error)) throw error
    deps.log.warn(
      { source: COINGECKO, reason: error.message },
      'the list of all coins waits for the next run',
    )
    return { contracts: 0, delisted: 0 }
  }
}

async function storeListings(deps: ActivityDeps, coingecko: CoinGecko): Promise<ListingsResult> {
  const source = COINGECKO
  const known = await readMappings(deps.db, source)
  const listed = await coingecko.listings()
  const fetchedAt = deps.now()
  return transact(deps.pool, async (transaction) => {
    await lockCoins(transaction)
    const { db } = transaction
    const present = await countListed(db, { source, coinIds: [...known.values()] })
    const knownIds = [...known.values()]
    const mappings = newMappings(listed, { known, stored: await readStoredCoins(db, source) })
    await storeMappings(transaction, { source, mappings })
    for (const { upstreamId, coinId } of mappings) known.set(upstreamId, coinId)
    const ours = listed.filter((coin) => known.has(coin.upstreamId))
    if (ours.length < present * SMALLEST_SHARE)
      throw new SourceRejected(source, `its coin list holds only ${ours.length} of ${present} known coins`)
    const listedIds = ours.map((coin) => known.get(coin.upstreamId)!)
    const contracts = ours.flatMap((coin) =>
      coin.contracts.map((contract) => ({
        ...contract,
        coinId: known.get(coin.upstreamId)!,
        decimals: null,
      })),
    )
    const changed = await storeContracts(transaction, { contracts, source, fetchedAt, withDecimals: false })
    const { delisted } = await markListed(transaction, { source, knownIds, listedIds, at: fetchedAt })
    return { contracts: changed, delisted }
  })
}

type StoredCoins = Awaited<ReturnType<typeof readStoredCoins>>

/** Pairs coins of other sources with the list, by symbol and name or by id and symbol. It has no prices. */
function newMappings(
  listed: readonly ListedCoin[],
  { known, stored }: { known: ReadonlyMap<string, string>; stored: StoredCoins },
): { upstreamId: string; coinId: string }[] {
  // Coins that are named by their contract are priced by it.
  const open = stored.filter(({ isMapped, coinId }) => !isMapped && !/^0x[0-9a-f]{40}_/.test(coinId))
  const names = uniqueBy(listed, identityOf)
  const ids = new Map(listed.map((coin) => [`${coin.upstreamId} ${coin.symbol}`, coin]))
  const mappings = open.flatMap((coin) => {
    const match = ids.get(`${coin.coinId} ${coin.symbol.toUpperCase()}`) ?? names.get(identityOf(coin))
    return match && !known.has(match.upstreamId)
      ? [{ upstreamId: match.upstreamId, coinId: coin.coinId }]
      : []
  })
  return [...uniqueBy(mappings, ({ upstreamId }) => upstreamId).values()]
}

/**
 * Reads links, categories and decimals of coins that have none yet, as many as the plan allows for. One that is
 * refused is quarantined, and tried again a week later. Returns the number of coins read.
 */
export async function describeCoins(
  deps: ActivityDeps,
  sources: PriceSources,
  { limit }: { limit: number },
): Promise<number> {
  const coingecko = required(sources, 'coingecko')
  const refusedSince = new Date(deps.now().getTime() - 7 * DAY_MS)
  const coins = await readUndescribedCoins(deps.db, {
    source: COINGECKO,
    limit: Math.min(limit, MOST_DESCRIBED[coingecko.plan]),
    refusedSince,
  })
  let described = 0
  let waits: SourceUnavailable | null = null
  await mapConcurrently(coins, coingecko.plan === 'keyless' ? 1 : 4, async (coin) => {
    if (waits) return
    try {
      await describe(deps, { coingecko, ...coin })
      described++
    } catch (error) {
      if (error instanceof SourceUnavailable) waits = error
      else if (error instanceof SourceRejected)
        await refuse(deps, { coinId: coin.coinId, reason: error.message })
      else throw error
    }
  })
  return described
}

async function describe(
  deps: ActivityDeps,
  { coingecko, coinId, upstreamId }: { coingecko: CoinGecko; coinId: string; upstreamId: string },
): Promise<void> {
  const details = await coingecko.coinDetails(upstreamId)
  const contracts = details.contracts.map((contract) => ({ ...contract, coinId }))
  const fetchedAt = deps.now()
  await transact(deps.pool, async (transaction) => {
    await describeCoin(transaction.db, { coinId, ...details, fetchedAt })
    await storeContracts(transaction, { contracts, source: COINGECKO, fetchedAt, withDecimals: true })
  })
}

const refuse = ({ db, now }: ActivityDeps, { coinId, reason }: { coinId: string; reason: string }) =>
  quarantineRows(db, {
    source: COINGECKO,
    area: 'prices',
    quarantined: [{ reason, payload: { describe: coinId } }],
    fetchedAt: now(),
  })
