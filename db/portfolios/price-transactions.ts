import { sql } from 'kysely'
import type { Db } from '../schema.ts'
import { LEG_PRICE } from '../exchanges/price-legs.ts'
import { priceInForce } from '../prices/read-prices.ts'
import { UNIT_COINS } from '../values/coins.ts'

/** Coin or currency whose stored price is needed: with a stated price, only that of its currency. */
const PRICED = sql`
  cross join lateral (
    select case when leg.price is null then
        case when leg.coin_id like 'FiatCoin%' then substr(leg.coin_id, 9) end
      else leg.currency end as currency,
      case when leg.price is null then
        case when leg.coin_id not like 'FiatCoin%' then leg.coin_id end
      else case leg.currency when 'BTC' then 'bitcoin' when 'ETH' then 'ethereum' end end as coin_id
  ) as a`

/**
 * The newest quote where it is in force at the instant of a leg, by the rules of `shownPrices`, else the
 * stored price. So what its owner states as bought now is worth what it cost.
 */
const STATED_PRICE = sql.raw(`coalesce(
  (select price_usd from coin_quotes where coin_id = a.coin_id and at <= leg.at
     and leg.at <> date_trunc('day', leg.at, 'UTC')
     and at > (${priceInForce({ coinId: 'a.coin_id', at: 'leg.at', columns: 'at' })}) - interval '1 hour'),
  ${LEG_PRICE})`)

/**
 * Sets the USD price of new transactions: the stated price at the rate of its instant, else the price in
 * force then. A transaction before the first known price keeps the price it has. Returns the earliest instant
 * of the new ones; null: nothing is new. Needs an open transaction.
 */
export async function priceTransactions(
  db: Db,
  { portfolioId }: { portfolioId: string },
): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    with priced as (
      update manual_transactions t
      set derived = true, price_usd = coalesce(new.usd, t.price_usd)
      from (
        select leg.id, coalesce(leg.price, 1) * ${STATED_PRICE} as usd
        from manual_transactions leg ${PRICED}
        where leg.portfolio_id = ${portfolioId} and not leg.derived
      ) as new
      where t.id = new.id
      returning t.at
    ) select min(at) as at from priced`.execute(db)
  return rows[0]?.at ?? null
}

/** Coins whose prices the figures need for new transactions, and from when on; null: nothing is new. */
export async function coinsToPrice(
  db: Db,
  { portfolioId }: { portfolioId: string },
): Promise<{ coinIds: string[]; from: Date } | null> {
  const { rows } = await sql<{ coin_ids: string[]; from_at: Date | null }>`
    select array(
      select coin_id from manual_transactions where portfolio_id = ${portfolioId} and coin_id not like 'FiatCoin%'
      union select unnest(${Object.values(UNIT_COINS)}::text[]) order by 1
    ) as coin_ids,
    (select min(at) from manual_transactions where portfolio_id = ${portfolioId} and not derived) as from_at`.execute(
    db,
  )
  const { coin_ids: coinIds, from_at: from } = rows[0]!
  return from && { coinIds, from }
}
