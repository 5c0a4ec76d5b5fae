import { sql } from 'kysely'
import type { Db, ReadonlyDb } from '../schema.ts'
import { shownPrices } from '../pnl/valuation/shown-prices.ts'
import { readSql } from '../read-sql.ts'
import { add, decimal, type Decimal, multiply, ZERO } from '../values/decimal.ts'

interface HeldCoin {
  portfolioId: string
  /** Null: the portfolio holds nothing. */
  coinId: string | null
  count: string | null
  /** What was paid for the coin, as long as it has no market price. */
  paidUsd: string | null
}

/**
 * Values of portfolios in USD at an instant, the `totalValue` of /portfolio/value. Those without complete
 * figures have none: the history is not there, or newer blocks are still to come, so parts of it would count.
 */
export async function portfolioValues(
  db: Db | ReadonlyDb,
  { portfolioIds, nowMs }: { portfolioIds: readonly string[]; nowMs: number },
): Promise<Map<string, Decimal>> {
  const held = await readHeldCoins(db, portfolioIds)
  const coinIds = [...new Set(held.flatMap(({ coinId }) => coinId ?? []))]
  const prices = await shownPrices(
    db,
    coinIds.map((coinId) => ({ coinId, atMs: nowMs })),
  )
  const priceOf = new Map(coinIds.map((coinId, index) => [coinId, prices[index]?.usd]))
  const values = new Map<string, Decimal>()
  for (const { portfolioId, coinId, count, paidUsd } of held) {
    const price = coinId === null ? ZERO : priceOf.get(coinId)
    const worth = price ? multiply(decimal(count ?? '0'), price) : decimal(paidUsd!)
    values.set(portfolioId, add(values.get(portfolioId) ?? ZERO, worth))
  }
  return values
}

const readHeldCoins = (db: Db | ReadonlyDb, portfolioIds: readonly string[]): Promise<HeldCoin[]> =>
  readSql(
    db,
    sql<HeldCoin>`
      select p.id as "portfolioId", coin.coin_id as "coinId",
        coin.quantity + coin.unvalued_quantity as count, coin.paid_usd as "paidUsd"
      from portfolios p
      join portfolio_books b on b.portfolio_id = p.id
      join scopes s on s.book_id = b.book_id
      join folds f on f.scope_id = s.id and f.method = p.cost_method and f.folded_at is not null
      left join lateral (
        select state.* from fold_coins(f.id) as held (coin_id) cross join lateral (
          select coin_id, quantity, unvalued_quantity, paid_usd from coin_folds
          where fold_id = f.id and coin_id = held.coin_id order by month desc limit 1
        ) as state
      ) as coin on true
      where p.id = any(${[...portfolioIds]}::uuid[]) and case p.kind
        when 'wallet' then exists (
          select from wallets w join wallet_coverage c on c.wallet_id = w.id and c.network_id = p.network_id
          where w.address = p.address and c.state = 'synced')
        when 'exchange' then exists (
          select from exchange_connections c where c.id = p.id and c.synced_at is not null)
        else true end`,
  )
