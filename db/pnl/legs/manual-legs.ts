import { sql } from 'kysely'
import { formatDecimal } from '../../values/decimal.ts'
import { inOrder, isCountedIn, legRows, partLegs, PARTS } from './exchange-legs.ts'
import type { KeyOfBook, LegReads, LegSource } from './leg-source.ts'
import { shownPrices } from '../valuation/shown-prices.ts'

/** Manual amounts have no base units: enough places for all of them, so that a balance keeps its scale. */
const PLACES = sql`greatest(18, scale(count))`

/** What is read of a manual portfolio. */
export const manualReads = (portfolioId: KeyOfBook): LegReads => ({
  kind: 'manual',

  legs: (window) =>
    inOrder(sql`
      select at, id::text as tx_id, 0 as seq, floor(extract(epoch from at) * 1000)::float8 as at_ms, 'transfer' as role,
        coin_id, trunc(count * 10::numeric ^ ${PLACES}) as raw, ${PLACES} as decimals, price_usd, false as corrected
      from manual_transactions where portfolio_id = ${portfolioId} and at >= ${window.from} and at < ${window.to}
      union all ${legRows(partLegs(portfolioId, window))}`),

  first: sql<{ at: Date }>`
    (select at from manual_transactions where portfolio_id = ${portfolioId} order by at limit 1)
    union all
    (select coalesce(p.at, t.at) from ${PARTS} where ${isCountedIn(portfolioId)})
    order by at limit 1`,
})

/**
 * The legs of a manual portfolio. Purchases and sales are flows at the stated price. Includes transactions
 * that the operator moved into it.
 */
export function manualLegs(book: { id: string; portfolioId: string }): LegSource {
  const { portfolioId } = book
  return {
    ...manualReads(portfolioId),
    mayOwe: false,
    isOrdered: false,

    async lock(db) {
      await sql`select from portfolios where id = ${portfolioId} for no key update`.execute(db)
    },

    async reprice(db, { from, to }) {
      const rows = await db
        .selectFrom('manual_transactions')
        .select(['id', 'coin_id', 'at'])
        .where('portfolio_id', '=', portfolioId)
        .where('at', '>=', from)
        .where(sql<boolean>`at <= ${to}`)
        .where('price', 'is', null)
        .execute()
      const prices = await shownPrices(
        db,
        rows.map(({ coin_id: coinId, at }) => ({ coinId, atMs: at.getTime() })),
      )
      await sql`
        update manual_transactions as stored set price_usd = price.usd
        from unnest(${rows.map(({ id }) => id)}::uuid[],
          ${prices.map((price) => price && formatDecimal(price.usd))}::numeric[]) as price (id, usd)
        where stored.id = price.id and stored.price_usd is distinct from price.usd`.execute(db)
    },
  }
}
