import { type RawBuilder, sql } from 'kysely'
import { repriceLegs } from '../../exchanges/price-legs.ts'
import type { KeyOfBook, LegReads, LegRow, LegSource } from './leg-source.ts'
import { countsSql, EXCHANGE_ROLES } from './roles.ts'

// Legs of exchange accounts: as the exchange reports them, and as the operator corrected them. Manual portfolios have
// parts of them.

const KINDS = Object.entries(EXCHANGE_ROLES).map(
  ([kind, role]) => sql`when ${sql.lit(kind)} then ${sql.lit(role)}`,
)

/** Role of a leg: the one stored with the transaction, else the one of its kind. */
const ROLE = sql`case when leg.role = 'fee' then 'fee' else coalesce(t.role, case t.kind ${sql.join(KINDS, sql` `)} end) end`

/**
 * Groups rows of one transaction: a trade with its further fees, whose keys end in a number, and the sides of
 * a conversion that the exchange lists separately under one reference.
 */
const TRANSACTION = sql`case
  when t.kind in ('dust', 'convert') and t.quote_asset is null and t.order_id is not null then t.kind || ' ' || t.order_id
  when t.kind in ('fill', 'dust', 'convert') then 'trade ' || t.key
  when t.kind = 'fee' then 'trade ' || regexp_replace(t.key, ':[0-9]+$', '')
  else t.kind || ' ' || t.key end`

/** Exchange amounts have no base units: enough places for all of them, so that a balance keeps its scale. */
const PLACES = sql`greatest(18, scale(leg.delta))`

const COIN = sql`coalesce(a.coin_id, 'FiatCoin' || a.currency, c.venue || '_' || leg.asset) as coin_id`

const LEGS = sql`
  join exchange_connections c on c.id = t.connection_id
  join exchange_legs leg on leg.connection_id = t.connection_id and leg.kind = t.kind and leg.key = t.key
  left join exchange_assets a on a.venue = c.venue and a.asset = leg.asset`

const SAME_ROW = (other: string) =>
  sql.raw(`${other}.connection_id = t.connection_id and ${other}.kind = t.kind and ${other}.key = t.key`)

/** SQL condition on rows `t` of an account: settled and not corrected. */
const isAsStated = (connectionId: KeyOfBook): RawBuilder<boolean> => sql`
  t.connection_id = ${connectionId} and t.status = 'ok'
  and not exists (select from transaction_parts as part where ${SAME_ROW('part')})`

/** SQL condition on parts `p` of rows `t`: they count in this portfolio. */
export const isCountedIn = (portfolioId: KeyOfBook): RawBuilder<boolean> => sql`
  coalesce(p.portfolio_id, p.connection_id) = ${portfolioId}
  and t.status = 'ok' and ${sql.raw(countsSql("coalesce(p.role, '')"))}`

/** Parts of corrected transactions with their rows. */
export const PARTS = sql`transaction_parts p join exchange_transactions t on ${SAME_ROW('p')}`

/** Uncorrected legs of [from, to). */
const statedLegs = (connectionId: KeyOfBook, { from, to }: { from: Date; to: Date }) => sql`
  select t.kind, t.key, t.at, leg.role, leg.delta, leg.price_usd, ${TRANSACTION} as tx_id, ${ROLE} as leg_role, ${COIN},
    ${PLACES} as places, false as corrected
  from exchange_transactions t ${LEGS}
  where ${isAsStated(connectionId)} and t.at >= ${from} and t.at < ${to}`

/**
 * Legs of [from, to) of the parts that count in a portfolio. A part that was moved to another portfolio or
 * instant gets the price in force and is a transaction of its own.
 */
export const partLegs = (portfolioId: KeyOfBook, { from, to }: { from: Date; to: Date }) => sql`
  select t.kind, t.key, coalesce(p.at, t.at) as at, leg.role, round(
      case when p.share is null then leg.delta - coalesce((
        select sum(round(leg.delta * part.share, ${PLACES})) from transaction_parts as part
        where ${SAME_ROW('part')} and part.share is not null), 0)
      else leg.delta * p.share end, ${PLACES}) as delta,
    case when p.at is null and p.portfolio_id is null then leg.price_usd end as price_usd,
    case when p.part = 0 and p.at is null and p.portfolio_id is null then ${TRANSACTION}
      else concat(case when p.portfolio_id is not null then t.connection_id || ' ' end, t.kind, ' ', t.key, ' part ', p.part) end as tx_id,
    case when leg.role = 'fee' then 'fee' else coalesce(p.role, ${ROLE}) end as leg_role, ${COIN},
    ${PLACES} as places, true as corrected
  from ${PARTS} ${LEGS}
  where ${isCountedIn(portfolioId)} and coalesce(p.at, t.at) >= ${from} and coalesce(p.at, t.at) < ${to}`

/** Leg rows with their instants and places in them, without spam. */
export const legRows = (legs: RawBuilder<unknown>) => sql`
  select at, tx_id, (row_number() over (partition by at, tx_id order by kind, key, role) - 1)::integer as seq,
    floor(extract(epoch from at) * 1000)::float8 as at_ms, leg_role as role, coin_id,
    trunc(delta * 10::numeric ^ places) as raw, places as decimals, price_usd, corrected
  from (${legs}) as leg where ${sql.raw(countsSql('leg_role'))}`

/** Sorts legs by time and transaction. No source states an order within an instant: see `instantsOf`. */
export const inOrder = (rows: RawBuilder<unknown>): RawBuilder<LegRow> => sql`
  select tx_id, seq, at_ms, role, coin_id, raw, decimals, price_usd, corrected from (${rows}) as leg
  order by at, tx_id collate "C", seq`

/** What is read of an exchange account. */
export const exchangeReads = (connectionId: KeyOfBook): LegReads => ({
  kind: 'exchange',

  legs: (window) =>
    inOrder(legRows(sql`${statedLegs(connectionId, window)} union all ${partLegs(connectionId, window)}`)),

  first: sql<{ at: Date }>`
    (select t.at from exchange_transactions t where ${isAsStated(connectionId)} order by t.at limit 1)
    union all
    (select coalesce(p.at, t.at) from ${PARTS} where ${isCountedIn(connectionId)})
    order by at limit 1`,
})

/**
 * The legs of an exchange account. An unidentified asset is a coin of its own without a price, so coins
 * swapped for it are a flow.
 */
export function exchangeLegs(book: { id: string; connectionId: string }): LegSource {
  const { connectionId } = book
  return {
    ...exchangeReads(connectionId),
    mayOwe: false,
    isOrdered: false,

    async lock(db) {
      await sql`select from exchange_connections where id = ${connectionId} for no key update`.execute(db)
    },

    reprice: (db, time) => repriceLegs(db, { connectionId, ...time }),
  }
}
