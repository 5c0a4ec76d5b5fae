import { sql } from 'kysely'
import type { Db } from '../../../db/schema.ts'

/** Inserts coins with quotes and daily prices of two years. Triggers write the rows of the coin list. */
export async function seedCoins(db: Db, coins: number): Promise<void> {
  const numbers = sql`generate_series(1, ${sql.lit(coins)}) as n`
  await sql`insert into coins (id, symbol, name, rank, slug, categories, last_seen_at, source, fetched_at)
    select 'coin-' || n, 'C' || n, 'Coin ' || n, n, 'coin-' || n, array['category-' || n % 40], now(), 'bench', now()
    from ${numbers}`.execute(db)
  for (const coin of ['bitcoin', 'ethereum'])
    await sql`insert into coins (id, symbol, name, rank, slug, categories, last_seen_at, source, fetched_at)
      values (${coin}, upper(left(${coin}, 3)), ${coin}, 0, ${coin}, '{}', now(), 'bench', now())`.execute(db)
  await sql`insert into coin_quotes (coin_id, price_usd, volume_24h_usd, market_cap_usd, price_change_1h,
      price_change_1d, price_change_1w, at, source, fetched_at)
    select id, 1 + length(id), 1e9 / (rank + 1), 1e11 / (rank + 1), rank % 7 - 3, rank % 11 - 5, rank % 13 - 6, now(),
      'bench', now() from coins`.execute(db)
  await sql`select ensure_price_partitions(now() - interval '731 days', now())`.execute(db)
  await sql`insert into price_days (coin_id, at, usd, source, fetched_at)
    select c.id, date_trunc('day', now(), 'UTC') - day * interval '1 day', 1 + (c.rank * 31 + day * 7) % 1000, 'bench', now()
    from coins c, generate_series(0, 729) as day`.execute(db)
}
