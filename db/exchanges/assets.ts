import type pg from 'pg'

/**
 * Identifies each asset of the account as a currency with rates, as the best ranked coin with that symbol, or
 * as unknown. Kraken marks holdings in its programmes by a suffix (`ETH.F`); they are worth the asset itself.
 * Keeps what the operator stated. Needs an open transaction, so that assets and dirty marks of P&L commit
 * together. Returns the coins and the instant of the account's first transaction (null: it has none).
 */
export async function identifyAssets(
  client: pg.ClientBase,
  input: { connectionId: string; at: Date },
): Promise<{ coinIds: string[]; from: Date | null }> {
  const { rows: identified } = await client.query<{ asset: string }>(
    `insert into exchange_assets as stored (venue, asset, coin_id, currency, source, fetched_at)
     select c.venue, held.asset, case when fiat.currency is null then coin.id end, fiat.currency, 'symbol', $2
     from exchange_connections c
     cross join lateral (
       select asset from exchange_balances where connection_id = c.id
       union select asset from exchange_transactions where connection_id = c.id
       union select quote_asset from exchange_transactions where connection_id = c.id and quote_asset is not null
       union select fee_asset from exchange_transactions where connection_id = c.id and fee_asset is not null
     ) as held
     cross join lateral (select regexp_replace(upper(held.asset), '\\.[SFBMP]$', '') as symbol) as named
     left join lateral (
       select named.symbol as currency
       where named.symbol = 'USD' or exists (select from fx_rates where currency = named.symbol)
     ) as fiat on true
     left join lateral (
       select id from coins where upper(symbol) = named.symbol and rank is not null
       order by delisted_at is not null, rank, id limit 1
     ) as coin on true
     where c.id = $1
     order by held.asset -- one order of locks for all accounts of an exchange
     on conflict (venue, asset) do update
     set coin_id = excluded.coin_id, currency = excluded.currency, fetched_at = excluded.fetched_at
     where stored.source = 'symbol' and stored.coin_id is null and stored.currency is null
       and (excluded.coin_id is not null or excluded.currency is not null)
     returning asset`,
    [input.connectionId, input.at],
  )
  // The identity changes legs of every account at the exchange: mark P&L dirty from the first such leg on.
  await client.query(
    `update pl_states as state set dirty_from = least(state.dirty_from, first.at), legs_changed = true
     from (
       select book.id as book_id, min(leg.at) as at
       from exchange_connections one
       join exchange_connections other on other.venue = one.venue
       join books as book on book.connection_id = other.id
       join exchange_legs leg on leg.connection_id = other.id and leg.asset = any($2)
       where one.id = $1 group by book.id
     ) as first
     where state.book_id = first.book_id and cardinality($2) > 0`,
    [input.connectionId, identified.map(({ asset }) => asset)],
  )
  const { rows } = await client.query<{ coin_ids: string[]; from_at: Date | null }>(
    `select array(
         select distinct a.coin_id from exchange_assets a
         where a.venue = c.venue and a.coin_id is not null and a.asset in (
           select asset from exchange_balances where connection_id = c.id
           union select asset from exchange_transactions where connection_id = c.id
           union select quote_asset from exchange_transactions where connection_id = c.id
           union select fee_asset from exchange_transactions where connection_id = c.id)
         order by 1) as coin_ids,
       least((select min(at) from exchange_transactions where connection_id = c.id and status = 'ok'),
         (select min(at) from transaction_parts where connection_id = c.id)) as from_at
     from exchange_connections c where c.id = $1`,
    [input.connectionId],
  )
  return { coinIds: rows[0]?.coin_ids ?? [], from: rows[0]?.from_at ?? null }
}
