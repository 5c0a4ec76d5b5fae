import { sql } from 'kysely'
import type { ReadonlyDb } from '../schema.ts'
import { readSql } from '../read-sql.ts'

/** A token with its last sale. Prices are in the main currency of its collection. */
export interface AssetRow {
  networkId: string
  address: string
  blockchain: string
  explorerUrl: string
  tokenId: string
  standard: string
  name: string | null
  imageUrl: string | null
  url: string | null
  source: string
  rarityRank: number | null
  rarityScore: string | null
  listPrice: string | null
  listSource: string | null
  traits: AssetTrait[]
  lastSaleAt: Date | null
  lastSalePrice: string | null
}

export interface AssetTrait {
  key: string
  kind: string
  value: string
  tokenCount: number
  onSaleCount: number
  /** decimal text */
  floorAskPrice: string | null
  /** ISO 8601 */
  createdAt: string
}

export interface AssetCollection {
  networkId: string
  address: string
  assetsCount: number
  listedAssets: number
  /** the older of the last readings of its tokens and its offers; null: never read */
  readAt: Date | null
}

/** The collection of a contract. If several networks have the address: the one with the most tokens. */
export async function readAssetCollection(
  db: ReadonlyDb,
  address: string,
): Promise<AssetCollection | undefined> {
  const rows = await readSql(
    db,
    sql<AssetCollection>`
      select collection.network_id as "networkId", collection.address, collection.assets_count as "assetsCount",
        coalesce((select max(list_position) from nft_assets as asset where asset.network_id = collection.network_id
          and asset.address = collection.address and asset.list_position is not null), 0) as "listedAssets",
        least(collection.assets_at, collection.market_at) as "readAt"
      from nft_collections as collection join networks as network on network.id = collection.network_id
      where collection.address = ${address} order by collection.assets_count desc, network.position limit 1`,
  )
  return rows[0]
}

const asset = sql`
  asset.network_id as "networkId", asset.address, network.blockchain, network.explorer_url as "explorerUrl",
  asset.token_id as "tokenId", asset.standard, asset.name, asset.image_url as "imageUrl", asset.url, asset.source,
  asset.rarity_rank as "rarityRank", asset.rarity_score as "rarityScore", asset.list_price as "listPrice",
  asset.list_source as "listSource", coalesce(counted.traits, '[]') as traits,
  sale.at as "lastSaleAt", sale.price as "lastSalePrice"
  from nft_assets as asset join networks as network on network.id = asset.network_id
  left join lateral (
    select jsonb_agg(jsonb_build_object('key', trait.key, 'kind', trait.kind, 'value', trait.value,
      'tokenCount', trait.token_count, 'onSaleCount', trait.on_sale_count,
      'floorAskPrice', trait.floor_ask_price::text, 'createdAt', trait.created_at) order by own.place) as traits
    from jsonb_array_elements(asset.traits) with ordinality as own (trait, place)
    join nft_traits as trait on trait.network_id = asset.network_id and trait.address = asset.address
      and trait.key = own.trait ->> 'key' and trait.value = own.trait ->> 'value'
  ) as counted on true
  left join lateral (
    select at, price from nft_sales as sold
    where sold.network_id = asset.network_id and sold.address = asset.address and sold.token_id = asset.token_id
    order by at desc limit 1
  ) as sale on true`

/** A page of a collection's tokens: all by token id, or those on sale by price. */
export async function readAssets(
  db: ReadonlyDb,
  page: { networkId: string; address: string; isListed: boolean; limit: number; offset: number },
): Promise<AssetRow[]> {
  const place = sql.ref(page.isListed ? 'asset.list_position' : 'asset.position')
  return readSql(
    db,
    sql<AssetRow>`select ${asset} where asset.network_id = ${page.networkId} and asset.address = ${page.address}
      and ${place} > ${page.offset}::bigint and ${place} <= ${page.offset + page.limit}::bigint order by ${place}`,
  )
}

export async function readAsset(
  db: ReadonlyDb,
  key: { networkId: string; address: string; tokenId: string },
): Promise<AssetRow | undefined> {
  const rows = await readSql(
    db,
    sql<AssetRow>`select ${asset} where asset.network_id = ${key.networkId} and asset.address = ${key.address}
      and asset.token_id = ${key.tokenId}::numeric`,
  )
  return rows[0]
}
