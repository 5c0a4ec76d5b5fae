import type { CollectionKey } from '../../db/nft/due-collections.ts'
import { describeCollection as store, storeGeckoRecord } from '../../db/nft/write-collections.ts'
import { markStep } from '../../db/nft/due-collections.ts'
import { readCollection } from '../../db/nft/read-for-ingest.ts'
import { hasFloorDays, storeFloorDays } from '../../db/nft/floor-days.ts'
import { transact } from '../../db/transact.ts'
import { COINGECKO } from '../coingecko.ts'
import type { ActivityDeps } from '../deps.ts'
import type { CoinGeckoNfts } from './sources/coingecko.ts'
import { OPENSEA, type OpenSea } from './sources/opensea.ts'

type Deps = Pick<ActivityDeps, 'db' | 'pool' | 'now'>

/** Reads the marketplace's record of a collection, found by its contract. */
export async function describeCollection(
  { db, now }: Deps,
  opensea: OpenSea,
  key: CollectionKey,
): Promise<void> {
  const contract = await opensea.contract(key)
  const slug = contract?.slug ?? null
  const record = slug === null ? null : await opensea.collection(slug)
  const standard = contract?.standard ?? null
  await store(db, { ...key, slug: record?.slug ?? null, standard, record, source: OPENSEA, fetchedAt: now() })
}

/** Reads CoinGecko's record of a collection, if CoinGecko lists it, and its floor prices of past days. */
export async function readGeckoRecord(
  { db, pool, now }: Deps,
  coingecko: CoinGeckoNfts,
  key: CollectionKey,
): Promise<void> {
  const { blockchain } = await readCollection(db, key)
  const record = await coingecko.collection({ blockchain, address: key.address })
  const fetchedAt = now()
  if (record) {
    const coinId = await storeGeckoRecord(db, {
      network_id: key.networkId,
      address: key.address,
      nativeCoin: record.nativeCoin,
      gecko_id: record.geckoId,
      rank: record.rank,
      floor_price: record.floorPrice,
      floor_price_change_1d: record.floorPriceChange1d,
      floor_price_change_7d: record.floorPriceChange7d,
      market_cap: record.marketCap,
      market_cap_change_1d: record.marketCapChange1d,
      volume_1d: record.volume1d,
      volume_change_1d: record.volumeChange1d,
      owners_count: record.ownersCount,
      owners_change_1d: record.ownersChange1d,
      total_supply: record.totalSupply,
      sales_1d: record.sales1d,
      average_price_1d: record.averagePrice1d,
      source: COINGECKO,
      fetched_at: fetchedAt,
    })
    const days = await coingecko.floorDays(record.geckoId, { isWhole: !(await hasFloorDays(db, key)) })
    if (coinId !== null)
      await transact(pool, ({ client }) =>
        storeFloorDays(client, { ...key, coinId, days, source: COINGECKO, fetchedAt: now() }),
      )
  }
  await markStep(db, { ...key, step: 'gecko', at: fetchedAt, failure: null })
}
