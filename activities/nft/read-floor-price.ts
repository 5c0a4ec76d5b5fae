import { type CollectionKey, markStep } from '../../db/nft/due-collections.ts'
import { hasFigures, quotesOf, readCollection } from '../../db/nft/read-for-ingest.ts'
import { storeFloor } from '../../db/nft/write-market.ts'
import type { ActivityDeps } from '../deps.ts'
import { inMainCurrency, POINT_MS } from './market-point.ts'
import { ALCHEMY_NFT, type AlchemyNft } from './sources/alchemy-nft.ts'

/** The area's freshness target: younger marketplace figures stay, and the marketplace is asked again. */
const FRESH_MS = 3_600_000

/** Reads the floor price of a collection, Alchemy's only market figure. */
export async function readFloorPrice(
  { db, now }: Pick<ActivityDeps, 'db' | 'now'>,
  alchemy: AlchemyNft,
  key: CollectionKey,
): Promise<void> {
  if (await hasFigures(db, { ...key, since: new Date(now().getTime() - FRESH_MS) })) return
  const collection = await readCollection(db, key)
  const { price, symbol, at } = await alchemy.floorPrice(key)
  const fetchedAt = now()
  const coins = [collection.coinId, collection.nativeCoinId, ...Object.values(collection.currencies)]
  const quotes = await quotesOf(db, [...new Set(coins)])
  const readAt = Math.min(at?.getTime() ?? fetchedAt.getTime(), fetchedAt.getTime())
  await storeFloor(db, {
    ...key,
    at: new Date(Math.floor(readAt / POINT_MS) * POINT_MS),
    floorPrice: inMainCurrency(price, { symbol, collection, quotes }),
    source: ALCHEMY_NFT,
    fetchedAt,
  })
  await markStep(db, { ...key, step: 'market', at: fetchedAt, failure: null })
}
