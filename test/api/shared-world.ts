import type { Db } from '../../db/schema.ts'
import { sql } from 'kysely'
import { seedCoins } from '../bench/areas/seed-coins.ts'
import { seedNews } from '../bench/areas/seed-news.ts'
import type pg from 'pg'

const COINS = 40
const COLLECTION = `0x${'c'.repeat(40)}`
const TOKEN = `0x${'a'.repeat(40)}`

/** Fills the areas whose answers all callers share, beside prediction markets. */
export async function fillShared(owner: { db: Db; pool: pg.Pool }): Promise<void> {
  const { db } = owner
  await seedCoins(db, COINS)
  await seedNews(owner, 300)
  const statements = [
    sql`insert into price_hours (coin_id, at, usd, source, fetched_at)
      select c.id, date_trunc('hour', now()) - hour * interval '1 hour', 1 + (c.rank * 7 + hour) % 50, 'test', now()
      from coins c, generate_series(0, 48) as hour where c.rank < 5`,
    sql`insert into fx_rates (currency, at, per_usd, source, fetched_at)
      select code, date_trunc('day', now(), 'UTC') - day * interval '1 day', 1.1 + day, 'test', now()
      from unnest(array['EUR', 'GBP']) code, generate_series(0, 5) as day`,
    sql`insert into market_totals (at, market_cap_usd, volume_24h_usd, btc_dominance, source, fetched_at)
      select now() - n * interval '20 minutes', 1e12 + n, 1e10, 50 + n % 5, 'test', now() from generate_series(0, 100) as n`,
    sql`insert into fear_greed (source, at, value, fetched_at)
      select 'test', date_trunc('day', now(), 'UTC') - n * interval '1 day', 40 + n % 30, now() from generate_series(0, 20) as n`,
    sql`insert into coin_contracts (coin_id, blockchain, address, decimals, source, fetched_at)
      values ('coin-1', 'ethereum', ${TOKEN}, 18, 'test', now())`,
    sql`insert into coin_risks (coin_id, liquidity_score, volatility_score, market_cap_score, risk_score, avg_change, source, fetched_at)
      select id, 50, 50, 50, 50, 1, 'test', now() from coins where rank between 1 and 20`,
    sql`insert into ticker_exchanges (id, name, rank, volume_24h_usd, at, tickers_at, source, fetched_at)
      values ('binance', 'Binance', 1, 1e9, now(), now(), 'test', now()), ('kraken', 'Kraken', 2, 1e8, now(), now(), 'test', now())`,
    sql`insert into tickers (exchange_id, base, target, base_coin_id, pair_price, pair_volume, price_usd, volume_usd, verified, at, first_seen_at, seen_at, source, fetched_at)
      select 'binance', 'C' || n, 'USDT', 'coin-' || n, n, 10, n, 10 * n, true, now(), now(), now(), 'test', now()
      from generate_series(1, 30) as n`,
    sql`insert into ticker_prices (exchange_id, base, target, at, pair_price, source, fetched_at)
      values ('binance', 'C1', 'USDT', '2025-01-01', 7, 'test', now())`,
    sql`insert into nft_collections (network_id, address, standard, slug, name, coin_id, assets_count, trending_rank, source, fetched_at)
      values ('ethereum', ${COLLECTION}, 'erc721', 'birds', 'Birds', 'ethereum', 5, 1, 'test', now())`,
    sql`insert into nft_assets (network_id, address, token_id, standard, name, position, source, fetched_at)
      select 'ethereum', ${COLLECTION}, n, 'erc721', 'Bird ' || n, n, 'test', now() from generate_series(1, 5) as n`,
    sql`insert into token_risks (blockchain, address, known, source, fetched_at, checked_at)
      values ('ethereum', ${TOKEN}, true, 'test', now(), now() + interval '1 day')`,
  ]
  for (const statement of statements) await statement.execute(db)
}

/** Valid requests of the endpoints of `fillShared`. */
export const SHARED_REQUESTS = [
  '/coins',
  '/coins?limit=5&page=3&currency=EUR&includeRiskScore=true',
  '/coins?name=coin%201&sortBy=marketCap&sortDir=desc&currency=BTC',
  '/coins/coin-1',
  '/coins/coin-3?currency=GBP',
  '/coins/coin-3/charts?period=24h',
  '/coins/coin-3/charts?period=1y',
  '/coins/charts?period=all&coinIds=coin-1,coin-2',
  `/coins/price/avg?coinId=coin-2&timestamp=${Math.floor(Date.now() / 1_000) - 30 * 86_400}`,
  '/coins/price/exchange?exchange=binance&from=C1&to=USDT&timestamp=1735700000',
  '/token-risks?coinId=coin-1',
  '/currencies',
  '/fiats',
  '/markets',
  '/tickers/exchanges',
  '/tickers/markets?exchange=binance',
  '/insights/btc-dominance?type=24h',
  '/insights/btc-dominance?type=all',
  '/insights/fear-and-greed',
  '/insights/fear-and-greed/chart',
  '/insights/rainbow-chart/bitcoin',
  '/news',
  '/news?page=3&limit=7',
  '/news/type/bullish',
  '/news/type/trending',
  '/nft/trending',
  `/nft/collection/${COLLECTION}`,
  `/nft/${COLLECTION}/assets`,
  `/nft/${COLLECTION}/asset/1`,
]
