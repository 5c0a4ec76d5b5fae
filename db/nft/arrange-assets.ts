import type pg from 'pg'
import type { CollectionKey } from './due-collections.ts'

/**
 * Recomputes what depends on all tokens of a collection: cheapest offers, counts and floors of trait values,
 * rarity, and the positions for paging. Writes only changed rows. Needs an open transaction.
 *
 * Rarity follows OpenRarity without its last division: the information content of a token's traits in bits,
 * where a missing trait counts as a value.
 */
export async function arrangeAssets(client: pg.ClientBase, input: Arrangement): Promise<void> {
  await arrangeOffers(client, input)
  const key = [input.networkId, input.address]
  await hashed(client, async () => {
    await client.query(RARITY, key)
    await client.query(COUNT, key)
  })
}

/** The part of `arrangeAssets` that depends on offers. */
export async function arrangeOffers(client: pg.ClientBase, input: Arrangement): Promise<void> {
  const key = [input.networkId, input.address]
  await hashed(client, async () => {
    await client.query(OFFERS, [...key, input.source, input.at])
    await client.query(TRAITS, [...key, input.source, input.at])
    await client.query(POSITIONS, key)
  })
}

/**
 * Runs statements without nested-loop joins. New tables have no statistics, and without them the planner
 * would compare each token of a collection with every other.
 */
async function hashed(client: pg.ClientBase, run: () => Promise<void>): Promise<void> {
  await client.query('set local enable_nestloop = off')
  await run()
  await client.query('set local enable_nestloop = on')
}

type Arrangement = CollectionKey & { source: string; at: Date }

// The CTEs are materialized: without statistics the planner would compute them once per row.

const OFFERS = `
  with offered as materialized (
    select asset.token_id, best.price, best.ends_at from nft_assets as asset
    left join lateral (
      select price, ends_at from nft_listings as listing
      where listing.network_id = $1 and listing.address = $2 and listing.token_id = asset.token_id
        and listing.ends_at > $4
      order by price nulls last, ends_at desc limit 1
    ) as best on true
    where asset.network_id = $1 and asset.address = $2
  )
  update nft_assets as asset set list_price = offered.price, listed_until = offered.ends_at,
    list_source = case when offered.ends_at is not null then $3 end
  from offered
  where asset.network_id = $1 and asset.address = $2 and asset.token_id = offered.token_id
    and (asset.list_price, asset.listed_until) is distinct from (offered.price, offered.ends_at)`

const TRAITS = `
  with counted as materialized (
    select trait.key, trait.value, min(trait.kind) as kind,
      count(distinct asset.token_id)::integer as token_count,
      (count(distinct asset.token_id) filter (where asset.list_source is not null))::integer as on_sale_count,
      min(asset.list_price) as floor_ask_price
    from nft_assets as asset
    cross join lateral jsonb_to_recordset(asset.traits) as trait (key text, kind text, value text)
    where asset.network_id = $1 and asset.address = $2 group by trait.key, trait.value
  ), gone as (
    delete from nft_traits as stored where network_id = $1 and address = $2
      and not exists (select from counted where (key, value) = (stored.key, stored.value))
  )
  insert into nft_traits as stored
    (network_id, address, key, value, kind, token_count, on_sale_count, floor_ask_price, created_at, source, fetched_at)
  select $1, $2, key, value, kind, token_count, on_sale_count, floor_ask_price, $4, $3, $4 from counted
  on conflict (network_id, address, key, value) do update set kind = excluded.kind,
    token_count = excluded.token_count, on_sale_count = excluded.on_sale_count,
    floor_ask_price = excluded.floor_ask_price, source = excluded.source, fetched_at = excluded.fetched_at
  where (stored.kind, stored.token_count, stored.on_sale_count, stored.floor_ask_price)
    is distinct from (excluded.kind, excluded.token_count, excluded.on_sale_count, excluded.floor_ask_price)`

const RARITY = `
  with size as materialized (
    select count(*)::float8 as tokens from nft_assets where network_id = $1 and address = $2 and traits <> '[]'
  ), keys as materialized (
    select key, case when sum(token_count) < size.tokens then ln(size.tokens / (size.tokens - sum(token_count))) else 0 end
      as information
    from nft_traits cross join size where network_id = $1 and address = $2 group by key, size.tokens
  ), scored as materialized (
    select asset.token_id, round(((
      select sum(ln(size.tokens / trait.token_count))
      from (select distinct key, value from jsonb_to_recordset(asset.traits) as own (key text, value text)) as own
      join nft_traits as trait on trait.network_id = $1 and trait.address = $2 and trait.key = own.key
        and trait.value = own.value
    ) + coalesce((
      select sum(keys.information) from keys where not exists (
        select from jsonb_to_recordset(asset.traits) as own (key text) where own.key = keys.key)
    ), 0))::numeric / ln(2::numeric), 6) as score
    from nft_assets as asset cross join size where asset.network_id = $1 and asset.address = $2
  ), ranked as materialized (
    select token_id, score, case when score is not null then rank() over (order by score desc nulls last) end::integer
      as rank
    from scored
  )
  update nft_assets as asset set rarity_score = ranked.score, rarity_rank = ranked.rank from ranked
  where asset.network_id = $1 and asset.address = $2 and asset.token_id = ranked.token_id
    and (asset.rarity_score, asset.rarity_rank) is distinct from (ranked.score, ranked.rank)`

const POSITIONS = `
  with placed as materialized (
    select token_id, row_number() over (order by token_id)::integer as position,
      case when list_source is not null then row_number() over (
        partition by list_source is null order by list_price nulls last, token_id) end::integer as list_position
    from nft_assets where network_id = $1 and address = $2
  )
  update nft_assets as asset set position = placed.position, list_position = placed.list_position from placed
  where asset.network_id = $1 and asset.address = $2 and asset.token_id = placed.token_id
    and (asset.position, asset.list_position) is distinct from (placed.position, placed.list_position)`

const COUNT = `
  update nft_collections set assets_count = counted.rows from (
    select count(*)::integer as rows from nft_assets where network_id = $1 and address = $2
  ) as counted
  where network_id = $1 and address = $2 and assets_count <> counted.rows`
