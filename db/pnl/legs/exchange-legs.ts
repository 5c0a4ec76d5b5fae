import { sql } from 'kysely'
import { repriceLegs } from '../../exchanges/price-legs.ts'
import { inOrder, isAsStated, isCountedIn, legRows, partLegs, PARTS, statedLegs } from './exchange-parts.ts'
import type { LegSource } from './leg-source.ts'

/**
 * The legs of an exchange account. An unidentified asset is a coin of its own without a price, so coins
 * swapped for it are a flow.
 */
export function exchangeLegs(book: { id: string; connectionId: string }): LegSource {
  const { connectionId } = book
  return {
    kind: 'exchange',
    mayOwe: false,
    isOrdered: false,

    legs: (window) =>
      inOrder(legRows(sql`${statedLegs(connectionId, window)} union all ${partLegs(connectionId, window)}`)),

    first: sql<{ at: Date }>`
      (select t.at from exchange_transactions t where ${isAsStated(connectionId)} order by t.at limit 1)
      union all
      (select coalesce(p.at, t.at) from ${PARTS} where ${isCountedIn(connectionId)})
      order by at limit 1`,

    async lock(db) {
      await sql`select from exchange_connections where id = ${connectionId} for no key update`.execute(db)
    },

    reprice: (db, time) => repriceLegs(db, { connectionId, ...time }),
  }
}
