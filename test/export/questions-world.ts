import type { Db } from '../../db/schema.ts'
import { storedText } from '../../db/chain/stored-transaction.ts'
import { deriveLegs } from '../../db/exchanges/derive-legs.ts'
import { decimal, multiply } from '../../db/values/decimal.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import type { Connection } from '../../db/connect.ts'
import { portfolioWorld } from '../portfolios/portfolio-world.ts'
import type { TestDatabase } from '../setup/database.ts'
import { insertCoin, insertPrices } from '../setup/factories.ts'
import { query } from '../setup/query.ts'
import { activateNetworks, address, hash, insertWallet } from '../setup/wallet-factories.ts'

export const NOW = new Date('2026-05-03T12:00:00Z')
const START = Date.UTC(2026, 1, 12)
const at = (text: string) => new Date(`2026-${text}Z`)
const dayAt = (day: number) => new Date(START + day * DAY_MS)

/** A price that moves up and down, different for each coin. */
const priceOf = (base: number, day: number) => (base * (1 + Math.sin(day * 1.7 + base) / 20)).toFixed(6)
const DAYS = 81

const [FRIEND, EXCHANGE] = [address(501), address(502)]

interface Moved {
  at: Date
  amount: string
  /** Paid by the wallet, in ether. */
  fee?: string
  counterparty?: string
}

const MOVED: readonly Moved[] = [
  { at: at('02-13T06:00:00'), amount: '2.123456', counterparty: FRIEND },
  { at: at('03-08T06:00:00'), amount: '-0.333333', fee: '0.002000000000000001', counterparty: EXCHANGE },
  { at: at('03-10T06:00:00'), amount: '0.5', counterparty: FRIEND },
  { at: at('03-20T06:00:00'), amount: '0', fee: '0.001' },
  { at: at('04-30T06:00:00'), amount: '1.000001' },
]

/** Fills a database with known data for each question: portfolios of three kinds, markets, news and NFTs. */
export async function insertQuestionsWorld(
  database: TestDatabase,
  { owner, ingest, accountId }: { owner: Db; ingest: Pick<Connection<Db>, 'db' | 'pool'>; accountId: string },
): Promise<void> {
  const run = (text: string, values: unknown[] = []) => query(database.ownerUrl, text, values)
  for (const [id, base] of [
    ['bitcoin', 50_000],
    ['ethereum', 2_000],
    ['tether', 1],
  ] as const) {
    const points = Array.from({ length: DAYS }, (_, day) => [dayAt(day), priceOf(base, day)] as const)
    await insertCoin(owner, { id, symbol: id.slice(0, 3), priceUsd: String(base), at: NOW })
    await insertPrices(owner, { coinId: id, resolution: 'day', points })
  }
  await activateNetworks(owner, ['ethereum'])
  const portfolios = portfolioWorld(database, { db: owner }, ingest, () => NOW)
  const walletId = await insertWallet(owner, { address: address(1), syncs: { ethereum: NOW } })
  for (const [n, moved] of MOVED.entries()) await insertMoved(run, walletId, n, moved)
  await portfolios.compute({ walletId, networkId: 'ethereum' })
  await portfolios.walletPortfolio(accountId, address(1), 'ethereum', 'Wallet')
  await portfolios.manualPortfolio(
    accountId,
    [
      { at: at('02-20T09:00:00'), coinId: 'bitcoin', count: 1, priceUsd: 49_000 },
      { at: at('03-15T09:00:00'), coinId: 'bitcoin', count: 1, priceUsd: 51_000 },
      { at: at('04-10T09:00:00'), coinId: 'bitcoin', count: -1.5, priceUsd: 52_000 },
    ],
    { name: 'By hand', costMethod: 'fifo' },
  )
  await run(
    `insert into exchange_assets (venue, asset, coin_id, source, fetched_at) values
     ('binance', 'BTC', 'bitcoin', 'symbol', now()), ('binance', 'USDT', 'tether', 'symbol', now())`,
  )
  const connectionId = await portfolios.exchangePortfolio(accountId, [
    ['deposit', at('03-01T10:00:00'), 'USDT', 100_000],
    ['fill', at('03-02T10:00:00'), 'BTC', 1, ['USDT', -50_000]],
    ['fill', at('04-02T10:00:00'), 'BTC', -0.25, ['USDT', 13_000]],
  ])
  await run(
    `update exchange_transactions set fee_asset = 'BTC', fee_amount = 0.001, derived = false where connection_id = $1 and kind = 'fill'`,
    [connectionId],
  )
  await deriveLegs(ingest.pool, { connectionId, statedAt: at('03-01T00:00:00') })
  await portfolios.compute({ connectionId })
  await portfolios.settle(accountId)
  await insertVenues(run)
  await insertNews(run)
  await insertFloors(run)
}

type Run = (text: string, values?: unknown[]) => Promise<unknown>

/** The movements of a transaction and the row that the API shows, as a sync stores them. */
async function insertMoved(
  run: Run,
  walletId: string,
  n: number,
  { at: time, amount, fee, counterparty }: Moved,
) {
  const price = priceOf(2_000, Math.floor((time.getTime() - START) / DAY_MS))
  const tx = hash(n + 1)
  const isEmpty = amount === '0'
  const legs = [
    ...(isEmpty ? [] : [[0, 'transfer', amount, counterparty ?? null] as const]),
    ...(fee === undefined ? [] : [[1, 'fee', `-${fee}`, null] as const]),
  ]
  for (const [seq, role, coins, other] of legs)
    await run(
      `insert into movements (wallet_id, network_id, at, block_number, block_hash, tx_index, tx_hash, seq, role, coin_id, raw, decimals,
         counterparty, price_usd, price_at, price_source, source, fetched_at)
       values ($1, 'ethereum', $2, $3, 'block', 0, $4, $5, $6, 'ethereum', $7::numeric * 1e18, 18, $8, $9, $2, 'test', 'test', $2)`,
      [walletId, time, n, tx, seq, role, coins, other, price],
    )
  const asset = { coinId: 'ethereum', name: 'Ethereum', symbol: 'ETH', icon: null }
  const worthOf = (coins: string) => multiply(decimal(coins.replace('-', '')), decimal(price))
  const isOut = amount.startsWith('-') || isEmpty
  const action = isOut ? 'Sent' : 'Received'
  const fragment = storedText({
    label: action,
    at: time,
    hash: tx,
    explorerUrl: 'https://etherscan.io',
    page: 'tx',
    legs: isEmpty
      ? []
      : [
          {
            action,
            count: decimal(amount),
            worthUsd: worthOf(amount),
            asset,
            nft: null,
            counterparty: counterparty ?? null,
          },
        ],
    approval: null,
    fee: fee === undefined ? null : { count: decimal(fee), worthUsd: worthOf(fee), asset },
  })
  await run(
    `insert into wallet_transactions (wallet_id, network_id, at, block_number, block_hash, tx_index, hash, type, coin_ids, identified,
       main_coin_id, main_symbol, main_count, main_value_usd, fragment, source, fetched_at)
     values ($1, 'ethereum', $2, $3, 'block', 0, $4, $5, '{ethereum}', true, 'ethereum', 'ETH', $6, $7::numeric * $8, $9, 'test', $2)`,
    [
      walletId,
      time,
      n,
      tx,
      isEmpty ? 'fee' : isOut ? 'withdraw' : 'deposit',
      amount,
      amount,
      price,
      fragment,
    ],
  )
}

/** An event at two venues with two outcomes. Kalshi asks the second the other way round. */
async function insertVenues(run: Run): Promise<void> {
  for (const venue of ['polymarket', 'kalshi']) {
    await run(
      `insert into prediction_events (slug, venue, venue_event_id, title, url, status, mutually_exclusive, created_at, updated_at, source, fetched_at)
       values ($1, $2, 'event', 'Rain', 'https://venue.example', 'open', false, '2026-01-01Z', '2026-01-01Z', 'test', now())`,
      [`rain-${venue}`, venue],
    )
    for (const [place, price] of [
      ['Paris', venue === 'kalshi' ? 0.36 : 0.31],
      ['Oslo', venue === 'kalshi' ? 0.4 : 0.62],
    ] as const) {
      await run(
        `with market as (
           insert into prediction_markets (slug, venue, venue_market_id, event_id, question, label, url, status, created_at, updated_at,
             source, fetched_at)
           select lower($1) || '-' || $2, $2, $1, id, 'Rain in ' || $1 || '?', $1, 'https://venue.example', 'open', '2026-01-01Z',
             '2026-01-01Z', 'test', now() from prediction_events where venue = $2 returning id
         )
         insert into prediction_outcomes (market_id, position, venue_outcome_id, name, price, source, fetched_at)
         select id, position, position, name, case position when 0 then $3::numeric else 1 - $3::numeric end, 'test', now()
         from market, unnest(array[0, 1], array['Yes', 'No']) as outcome (position, name)`,
        [place, venue, price],
      )
    }
  }
  const market = (slug: string) => `(select id from prediction_markets where slug = '${slug}')`
  for (const [place, inverted] of [
    ['paris', false],
    ['oslo', true],
  ] as const)
    await run(
      `insert into prediction_matches (polymarket_id, kalshi_id, relation, inverted, score, vetoes, method, status, source, fetched_at)
       values (${market(`${place}-polymarket`)}, ${market(`${place}-kalshi`)}, 'same', $1, 0.95, '[]', 'test', 'auto', 'test', now())`,
      [inverted],
    )
  await run(
    `insert into prediction_event_matches (polymarket_id, kalshi_id, score, markets, method, source, fetched_at)
     select p.id, k.id, 0.95, 2, 'test', 'test', now() from prediction_events p, prediction_events k
     where p.venue = 'polymarket' and k.venue = 'kalshi'`,
  )
  for (let day = 30; day < 60; day++)
    await run(
      `insert into prediction_prices (market_id, outcome, minutes, at, price, source, fetched_at)
       values (${market('paris-polymarket')}, 0, 1440, $1, $2, 'test', now()), (${market('oslo-kalshi')}, 0, 1440, $1, 0.4, 'test', now())`,
      [dayAt(day), (0.3 + Math.cos(day) / 10).toFixed(4)],
    )
}

async function insertNews(run: Run): Promise<void> {
  await run(
    `insert into news_sources (source, name, web_url, feed_url, fetched_at)
     values ('desk', 'Desk', 'https://desk.example', 'https://desk.example/feed', now())`,
  )
  // Three a day at most, the last of a day shortly before midnight.
  await run(
    `insert into news_items (id, source, link, title, has_content, coin_ids, sentiment, sentiment_score, analysis, published_at, fetched_at)
     select lpad(to_hex(n), 64, '0'), 'desk', 'https://desk.example/' || n, 'Title ' || n, false,
       case n % 4 when 0 then '{bitcoin}'::text[] when 1 then '{ethereum,bitcoin}' when 2 then '{ethereum}' else '{}' end,
       (array['bullish', 'bearish', 'neutral'])[n % 3 + 1], (array[0.5, -0.25, 0])[n % 3 + 1], 'v1',
       timestamptz '2026-04-01T07:59:59Z' + n * interval '8 hours', now() from generate_series(0, 60) as n`,
  )
}

/** Points of a floor price every six hours for ten days, with a gap before the last. */
async function insertFloors(run: Run): Promise<void> {
  await run(
    `insert into nft_collections (network_id, address, name, coin_id, source, fetched_at)
     values ('ethereum', $1, 'Squares', 'ethereum', 'test', now())`,
    [address(900)],
  )
  await run(
    `insert into nft_points (network_id, address, at, floor_price, source, fetched_at)
     select 'ethereum', $1, timestamptz '2026-04-20Z' + n * interval '6 hours', 1.5 + n % 7 / 10.0, 'test', now()
     from generate_series(0, 40) as n where n not between 30 and 33`,
    [address(900)],
  )
}
