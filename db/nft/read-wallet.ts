import { sql } from 'kysely'
import type { ReadonlyDb } from '../schema.ts'
import { readSql } from '../read-sql.ts'

/** A wallet's holdings of one collection. Money is in USD; null: unknown. */
export interface HeldCollection {
  networkId: string
  address: string
  blockchain: string
  name: string
  logo: string | null
  /** distinct tokens */
  tokens: number
  /** copies of all tokens, as the contract counts them */
  copies: string
  floorUsd: string | null
  totalFloorUsd: string | null
  pricedAt: Date | null
}

interface Wallet {
  address: string
  networkIds: readonly string[]
}

/** `contracts` limits the holdings to these collections, which is much less to sum. */
type Scope = Wallet & { contracts?: readonly string[] }

/**
 * Holdings are the sum of the stored transfers, so after a reorg they match the stored branch. Where transfers do not
 * show them, they are what the source listed.
 */
const held = ({ address, networkIds, contracts }: Scope) => {
  const moved = sql`from transfers where network_id = any(${[...networkIds]}::text[])
    and kind in ('erc721', 'erc1155')
    ${contracts ? sql`and token_address = any(${[...contracts]}::text[])` : sql``}`
  return sql`
    select network_id, token_address, token_id, sum(change) as copies from (
      select network_id, token_address, token_id, raw as change ${moved} and to_address = ${address}
      union all
      select network_id, token_address, token_id, -raw ${moved} and from_address = ${address}
    ) as moves group by network_id, token_address, token_id having sum(change) > 0
    union all
    select network_id, address, token_id, 1 from nft_holdings
    where network_id = any(${[...networkIds]}::text[]) and owner = ${address}
      ${contracts ? sql`and address = any(${[...contracts]}::text[])` : sql``}`
}

/** The collections of which a wallet holds tokens, without spam, most valuable first. */
export async function readHeldCollections(db: ReadonlyDb, wallet: Wallet): Promise<HeldCollection[]> {
  return readSql(
    db,
    sql<HeldCollection>`
      select owned.network_id as "networkId", owned.token_address as address, network.blockchain,
        coalesce(collection.name, token.name, token.symbol, owned.token_address) as name,
        collection.image_url as logo, owned.tokens, owned.copies,
        floor.price * quote.price_usd as "floorUsd", floor.price * quote.price_usd * owned.copies as "totalFloorUsd",
        least(floor.fetched_at, quote.at) as "pricedAt"
      from (
        select network_id, token_address, count(*)::integer as tokens, sum(copies) as copies
        from (${held(wallet)}) as held group by network_id, token_address
      ) as owned
      join networks as network on network.id = owned.network_id
      left join tokens as token on token.network_id = owned.network_id and token.address = owned.token_address
      left join nft_collections as collection
        on collection.network_id = owned.network_id and collection.address = owned.token_address
      left join lateral (
        select floor_price as price, fetched_at from nft_points as point
        where point.network_id = owned.network_id and point.address = owned.token_address order by at desc limit 1
      ) as newest on true
      left join nft_gecko_records as gecko
        on gecko.network_id = owned.network_id and gecko.address = owned.token_address
      cross join lateral (
        select coalesce(newest.price, gecko.floor_price) as price,
          case when newest.price is not null then newest.fetched_at else gecko.fetched_at end as fetched_at
      ) as floor
      left join coin_quotes as quote on quote.coin_id = collection.coin_id
      where token.spam_reason is null and collection.disabled is not true
      order by "totalFloorUsd" desc nulls last, network.position, owned.token_address`,
  )
}

export interface HeldToken {
  networkId: string
  address: string
  tokenId: string
  copies: string
  name: string | null
  imageUrl: string | null
  /** price of one copy at the time of sale; null: never sold, or paid in something without a price */
  lastSaleUsd: string | null
}

/** The tokens that a wallet holds of the given collections, by token id. */
export async function readHeldTokens(
  db: ReadonlyDb,
  query: Wallet & { collections: readonly { networkId: string; address: string }[] },
): Promise<HeldToken[]> {
  const { collections } = query
  return readSql(
    db,
    sql<HeldToken>`
      select held.network_id as "networkId", held.token_address as address, held.token_id as "tokenId", held.copies,
        asset.name, asset.image_url as "imageUrl", sale.price_usd as "lastSaleUsd"
      from (${held({ ...query, contracts: collections.map((one) => one.address) })}) as held
      join unnest(${collections.map((one) => one.networkId)}::text[], ${collections.map((one) => one.address)}::text[])
        as asked (network_id, address) on asked.network_id = held.network_id and asked.address = held.token_address
      left join nft_assets as asset on asset.network_id = held.network_id and asset.address = held.token_address
        and asset.token_id = held.token_id
      left join lateral (
        select price_usd from nft_sales as sold
        where sold.network_id = held.network_id and sold.address = held.token_address and sold.token_id = held.token_id
        order by at desc limit 1
      ) as sale on true
      order by held.token_id`,
  )
}
