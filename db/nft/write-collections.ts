import { sql } from 'kysely'
import type { Db } from '../schema.ts'
import type { CollectionKey } from './due-collections.ts'
import type { NftGeckoRecord, NftStandard } from './tables.ts'

interface Origin {
  source: string
  fetchedAt: Date
}

/** Stores the most traded collections with their ranks; all others lose their rank. */
export async function storeTrending(
  db: Db,
  input: Origin & { collections: readonly (CollectionKey & { slug: string; name: string })[] },
): Promise<void> {
  const { collections, source, fetchedAt } = input
  await sql`
    with listed as (
      select distinct on (given.network_id, given.address) given.*, network.coin_id
      from unnest(${collections.map((one) => one.networkId)}::text[], ${collections.map((one) => one.address)}::text[],
        ${collections.map((one) => one.slug)}::text[], ${collections.map((one) => one.name)}::text[])
        with ordinality as given (network_id, address, slug, name, place)
      join networks as network on network.id = given.network_id order by given.network_id, given.address, place
    ), ranked as (
      select *, row_number() over (order by place) as rank from listed
    ), dropped as (
      update nft_collections as stored set trending_rank = null
      where trending_rank is not null
        and not exists (select from ranked where (network_id, address) = (stored.network_id, stored.address))
    )
    insert into nft_collections (network_id, address, slug, name, coin_id, trending_rank, source, fetched_at)
    select network_id, address, slug, name, coin_id, rank, ${source}, ${fetchedAt} from ranked
    on conflict (network_id, address) do update
      set trending_rank = excluded.trending_rank, slug = coalesce(nft_collections.slug, excluded.slug)`.execute(
    db,
  )
}

/**
 * Stores the contracts whose tokens a stored transfer moved and returns how many are new. The contract's own
 * name is used until a source describes the collection.
 */
export async function storeMovedContracts(db: Db, { fetchedAt }: { fetchedAt: Date }): Promise<number> {
  const result = await sql`
    insert into nft_collections as stored (network_id, address, standard, name, coin_id, moved, source, fetched_at)
    select token.network_id, token.address, kind.of_nft,
      coalesce(token.name, token.symbol, token.address), network.coin_id, true, token.source, ${fetchedAt}
    from tokens as token join networks as network on network.id = token.network_id
    cross join lateral (
      select kind as of_nft from transfers where network_id = token.network_id and token_address = token.address
        and kind in ('erc721', 'erc1155') limit 1
    ) as kind
    where not exists (select from nft_collections as known
      where known.network_id = token.network_id and known.address = token.address and known.moved)
    on conflict (network_id, address) do update
      set moved = true, standard = coalesce(stored.standard, excluded.standard)`.execute(db)
  return Number(result.numAffectedRows ?? 0)
}

export interface Description {
  slug: string | null
  standard: NftStandard | null
  /** null: the source has no description */
  record: {
    name: string
    description: string
    imageUrl: string | null
    bannerUrl: string | null
    category: string | null
    urls: readonly { name: string; url: string }[]
    verified: boolean | null
    /** null: the source has no such field; the same for all fields below */
    disabled: boolean | null
    createdAt: Date | null
    creatorFeeBps: number | null
    totalSupply: string | null
    currencies: readonly (CollectionKey & { symbol: string })[] | null
  } | null
}

/**
 * Stores a source's description of a collection. Fields that the source lacks keep their values, except `slug`:
 * null means that the marketplace lacks the contract.
 */
export async function describeCollection(db: Db, input: CollectionKey & Origin & Description): Promise<void> {
  const { networkId, address, slug, standard, record, source, fetchedAt } = input
  await sql`
    update nft_collections set slug = ${slug}, standard = coalesce(${standard}, standard),
      described_at = ${fetchedAt}, failure = null
    where network_id = ${networkId} and address = ${address}`.execute(db)
  if (!record) return
  const payments = (record.currencies ?? []).filter((one) => one.networkId === networkId)
  await sql`
    update nft_collections as collection set
      name = ${record.name}, description = coalesce(nullif(${record.description}, ''), description),
      image_url = coalesce(${record.imageUrl}, image_url), banner_url = coalesce(${record.bannerUrl}, banner_url),
      category = coalesce(${record.category}, category),
      urls = coalesce(nullif(${JSON.stringify(record.urls)}::jsonb, '[]'), urls),
      verified = coalesce(${record.verified}, verified), disabled = coalesce(${record.disabled}, disabled),
      created_at = coalesce(${record.createdAt}, created_at),
      creator_fee_bps = coalesce(${record.creatorFeeBps}, creator_fee_bps),
      total_supply = coalesce(${record.totalSupply}::numeric, total_supply),
      currencies = case when ${record.currencies === null} then currencies else coalesce((
        select jsonb_object_agg(payment.symbol, coin.id)
        from unnest(${payments.map((one) => one.symbol)}::text[], ${payments.map((one) => one.address)}::text[])
          as payment (symbol, address)
        join networks as network on network.id = ${networkId}
        cross join lateral (
          select network.coin_id as id where payment.address = ${ZERO_ADDRESS}
          union all
          select coin_id from coin_contracts
          where coin_contracts.blockchain = network.blockchain and coin_contracts.address = payment.address
        ) as coin
      ), '{}') end, source = ${source}, fetched_at = ${fetchedAt}
    where network_id = ${networkId} and address = ${address}`.execute(db)
}

const ZERO_ADDRESS = '0x0000000000000000000000000000000000000000'

/** Stores CoinGecko's record. Its currency becomes the main currency, whose coin id is returned; null: unknown coin */
export async function storeGeckoRecord(
  db: Db,
  record: NftGeckoRecord & { nativeCoin: string },
): Promise<string | null> {
  const { nativeCoin, ...row } = record
  const { rows } = await sql<{ coin_id: string }>`
    with main as (
      select coalesce((select coin_id from coin_mappings where source = ${row.source}
        and upstream_id = ${nativeCoin}), (select id from coins where id = ${nativeCoin})) as coin_id
    )
    update nft_collections set coin_id = main.coin_id from main
    where network_id = ${row.network_id} and address = ${row.address} and main.coin_id is not null
    returning main.coin_id`.execute(db)
  // Prices in an unknown coin would be read as prices in the main currency.
  if (!rows[0]) return null
  const { network_id: _network, address: _address, ...values } = row
  await db
    .insertInto('nft_gecko_records')
    .values(row)
    .onConflict((conflict) => conflict.columns(['network_id', 'address']).doUpdateSet(values))
    .execute()
  return rows[0].coin_id
}

/** Ranks the collections of each category by market value: supply times floor price. */
export async function rankCategories(db: Db): Promise<void> {
  await sql`
    with valued as (
      select collection.network_id, collection.address, collection.category,
        latest.floor_price * quote.price_usd
          * coalesce(collection.total_supply, gecko.total_supply, nullif(collection.assets_count, 0)) as usd
      from nft_collections as collection
      left join coin_quotes as quote on quote.coin_id = collection.coin_id
      left join nft_gecko_records as gecko
        on gecko.network_id = collection.network_id and gecko.address = collection.address
      cross join lateral (
        select floor_price from nft_points as point
        where point.network_id = collection.network_id and point.address = collection.address
        order by at desc limit 1
      ) as latest
    ), ranked as (
      select network_id, address, rank() over (partition by category order by usd desc)::integer as rank
      from valued where category is not null and usd is not null
    )
    update nft_collections as stored set category_rank = placed.rank
    from (
      select network_id, address, ranked.rank from nft_collections left join ranked using (network_id, address)
    ) as placed
    where (stored.network_id, stored.address) = (placed.network_id, placed.address)
      and stored.category_rank is distinct from placed.rank`.execute(db)
}
