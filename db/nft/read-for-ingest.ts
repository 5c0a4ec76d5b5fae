import { sql } from 'kysely'
import type { Db } from '../schema.ts'
import type { CollectionKey } from './due-collections.ts'
import type { NftStandard } from './tables.ts'

export interface KnownCollection {
  slug: string | null
  blockchain: string
  /** symbol and coin id of the native coin */
  nativeSymbol: string
  nativeCoinId: string
  /** main currency */
  coinId: string
  currencies: Record<string, string>
  assetsNext: string | null
  newestSaleAt: Date | null
}

export async function readCollection(db: Db, key: CollectionKey): Promise<KnownCollection> {
  const { rows } = await sql<KnownCollection>`
    select collection.slug, network.blockchain, network.symbol as "nativeSymbol", network.coin_id as "nativeCoinId",
      collection.coin_id as "coinId", collection.currencies, collection.assets_next as "assetsNext",
      (select max(at) from nft_sales as sale where sale.network_id = collection.network_id
        and sale.address = collection.address) as "newestSaleAt"
    from nft_collections as collection join networks as network on network.id = collection.network_id
    where collection.network_id = ${key.networkId} and collection.address = ${key.address}`.execute(db)
  const row = rows[0]
  if (!row) throw new Error(`no NFT collection ${key.networkId} ${key.address}`)
  return row
}

/** Whether the marketplace's figures of a collection were read since an instant. */
export async function hasFigures(db: Db, input: CollectionKey & { since: Date }): Promise<boolean> {
  const { rows } = await sql`
    select from nft_points where network_id = ${input.networkId} and address = ${input.address}
      and at > ${input.since}::timestamptz - interval '1 hour' and fetched_at > ${input.since}
      and volume_total is not null limit 1`.execute(db)
  return rows.length > 0
}

/** Coin ids by token contract on a blockchain; that of the wrapped native asset is the native one. */
export async function coinsOfContracts(
  db: Db,
  { blockchain, addresses }: { blockchain: string; addresses: readonly string[] },
): Promise<Map<string, string>> {
  const { rows } = await sql<{ address: string; coin_id: string }>`
    select address, coin_id from coin_contracts
    where blockchain = ${blockchain} and address = any(${[...addresses]}::text[])
    union all
    select wrapped_address, coin_id from networks
    where blockchain = ${blockchain} and wrapped_address = any(${[...addresses]}::text[])`.execute(db)
  return new Map(rows.map((row) => [row.address, row.coin_id]))
}

/** Current prices in USD by coin id. */
export async function quotesOf(db: Db, coinIds: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ coin_id: string; price_usd: string }>`
    select coin_id, price_usd from coin_quotes where coin_id = any(${[...coinIds]}::text[])`.execute(db)
  return new Map(rows.map((row) => [row.coin_id, row.price_usd]))
}

export interface UndescribedToken extends CollectionKey {
  tokenId: string
  standard: NftStandard
}

/**
 * Tokens on the given networks that a stored transfer moved and that have no description, without spam.
 * A token whose contract gave no usable answer is returned again after a week.
 */
export async function undescribedTokens(
  db: Db,
  options: { networkIds: readonly string[]; at: Date; limit: number },
): Promise<UndescribedToken[]> {
  const { rows } = await sql<UndescribedToken>`
    select distinct moved.network_id as "networkId", moved.token_address as address, moved.token_id::text as "tokenId",
      moved.kind as standard
    from transfers as moved
    join tokens as token on token.network_id = moved.network_id and token.address = moved.token_address
    where moved.kind in ('erc721', 'erc1155') and moved.network_id = any(${[...options.networkIds]}::text[])
      and token.spam_reason is null
      -- Skip tokens whose collection is unknown: its counts would miss them.
      and exists (select from nft_collections as known
        where known.network_id = moved.network_id and known.address = moved.token_address)
      and not exists (select from nft_assets as asset
        where asset.network_id = moved.network_id and asset.address = moved.token_address
          and asset.token_id = moved.token_id
          and (asset.name is not null or asset.image_url is not null
            or asset.metadata_at > ${options.at}::timestamptz - interval '7 days'))
    order by 1, 2, 3 limit ${options.limit}`.execute(db)
  return rows
}

export interface UnpricedSale {
  txHash: string
  orderHash: string
  tokenId: string
  at: Date
  seller: string
  buyer: string
  quantity: string
  amount: string
  coinId: string
}

/** Sales of a collection in a known coin that had no price when the sale was stored. */
export async function unpricedSales(db: Db, key: CollectionKey): Promise<UnpricedSale[]> {
  const { rows } = await sql<UnpricedSale>`
    select tx_hash as "txHash", order_hash as "orderHash", token_id as "tokenId", at, seller, buyer, quantity, amount,
      payment_coin_id as "coinId"
    from nft_sales where network_id = ${key.networkId} and address = ${key.address}
      and payment_coin_id is not null and price_usd is null
    order by at desc limit 1000`.execute(db)
  return rows
}
