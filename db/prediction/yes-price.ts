import { type RawBuilder, sql } from 'kysely'

/** Subquery of the price of Yes in a market, or of its first outcome. `marketId` is an SQL expression. */
export const yesPriceOf = (marketId: RawBuilder<unknown>) => sql`(
  select price from prediction_outcomes where market_id = ${marketId} order by (lower(name) = 'yes') desc, position limit 1
)`
