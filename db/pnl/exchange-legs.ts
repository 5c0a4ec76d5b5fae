import { sql } from 'kysely'
import { repriceLegs } from '../exchanges/price-legs.ts'
import type { LegRow, LegSource } from './leg-source.ts'

/**
 * What legs of an exchange do. Adjustments and what the venue states beyond its history cross the border, as nothing
 * tells where they came from; rewards are income.
 */
const ROLE = sql`case
  when leg.role = 'fee' or t.kind = 'fee' then 'fee'
  when t.kind in ('fill', 'dust', 'convert') then 'trade'
  when t.kind in ('deposit', 'withdrawal') then 'transfer'
  when t.kind = 'reward' then 'airdrop'
  else 'opening' end`

/**
 * What happened together: a trade with its further fees, whose keys go on with a number; the sides of a conversion that
 * the venue lists one by one under one reference.
 */
const TRANSACTION = sql`case
  when t.kind in ('dust', 'convert') and t.quote_asset is null and t.order_id is not null then t.kind || ' ' || t.order_id
  when t.kind in ('fill', 'dust', 'convert') then 'trade ' || t.key
  when t.kind = 'fee' then 'trade ' || regexp_replace(t.key, ':[0-9]+$', '')
  else t.kind || ' ' || t.key end`

/** Amounts of venues have no base units: places enough for all of them, so that a balance keeps its scale. */
const PLACES = sql`greatest(18, scale(leg.delta))`

/**
 * The ledger of an account at an exchange. An asset that is not identified stands for itself and has no price: what is
 * swapped for it crosses the border.
 */
export function exchangeLegs(book: { id: string; connectionId: string }): LegSource {
  const { connectionId } = book
  return {
    mayOwe: false,

    legs: ({ from, to }) => sql<LegRow>`
      select tx_id, (row_number() over (partition by at, tx_id order by kind, key, role) - 1)::integer as seq,
        floor(extract(epoch from at) * 1000)::float8 as at_ms, leg_role as role, coin_id,
        trunc(delta * 10::numeric ^ places) as raw, places as decimals, price_usd
      from (
        select t.kind, t.key, t.at, leg.role, leg.delta, leg.price_usd, ${TRANSACTION} as tx_id, ${ROLE} as leg_role,
          coalesce(a.coin_id, 'FiatCoin' || a.currency, c.venue || ' ' || leg.asset) as coin_id, ${PLACES} as places
        from exchange_transactions t
        join exchange_connections c on c.id = t.connection_id
        join exchange_legs leg on leg.connection_id = t.connection_id and leg.kind = t.kind and leg.key = t.key
        left join exchange_assets a on a.venue = c.venue and a.asset = leg.asset
        where t.connection_id = ${connectionId} and t.status = 'ok' and t.at >= ${from} and t.at < ${to}
      ) as leg
      order by at, tx_id collate "C", seq`,

    first: sql<{ at: Date }>`
      select at from exchange_transactions where connection_id = ${connectionId} and status = 'ok' order by at limit 1`,

    async lockToReprice(db) {
      await sql`
        select from exchange_connections where id = ${connectionId} and exists (
          select from pl_states where book_id = ${book.id} and repriced_from is not null)
        for update`.execute(db)
    },

    reprice: (db, from) => repriceLegs(db, { connectionId, from }),
  }
}
