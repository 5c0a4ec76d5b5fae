import type pg from 'pg'
import { OF_PORTFOLIO_WALLET } from './seed-portfolios.ts'

/** Equal questions to the API and to PostGraphile, by endpoint. */
export const EQUAL_QUESTIONS: Record<string, { path: string; query: string; rows: number }> = {
  '/coins': {
    path: '/coins?limit=20',
    query:
      '{ coins(first: 20) { nodes { rowId symbol name icon rank slug priceUsd volume24HUsd marketCapUsd fullyDilutedValuationUsd availableSupply totalSupply priceChange1H priceChange1D priceChange1W websiteUrl redditUrl twitterUrl explorers } } }',
    rows: 20,
  },
  '/coins/{coinId}/charts': {
    path: '/coins/coin-17/charts?period=1y',
    query: '{ chartOf(coin: "coin-17") { nodes { at usd btc eth } } }',
    rows: 365,
  },
  '/news': {
    path: '/news?limit=20',
    query:
      '{ latestNews(first: 20) { nodes { rowId link title summary imageUrl publishedAt sentiment reactions coinIds sourceName webUrl } } }',
    rows: 20,
  },
  '/prediction/markets': {
    path: '/prediction/markets?limit=20',
    query:
      '{ openMarkets(first: 20) { nodes { slug venue venueMarketId question label url description imageUrl category eventSlug eventTitle tags status outcomes lastTradePrice bestBid bestAsk priceChange1H priceChange24H priceChange7D volume24HUsd volume7DUsd volumeTotalUsd liquidityUsd openInterestUsd tradersCount startAt endAt resolvedAt createdAt updatedAt } } }',
    rows: 20,
  },
  '/prediction/markets/{slug}/trades': {
    path: '/prediction/markets/market-2/trades?limit=20',
    query:
      '{ tradesOf(market: "market-2", first: 20) { nodes { rowId at outcome side price size valueUsd traderName traderAddress txHash } } }',
    rows: 20,
  },
  '/wallet/pl/history': {
    path: `/wallet/pl/history?address=${OF_PORTFOLIO_WALLET}&connectionId=ethereum&range=1m&interval=daily`,
    query: `{ daysOf(ofAddress: "${OF_PORTFOLIO_WALLET}", ofNetwork: "ethereum") { nodes { at valueUsd flowUsd } } }`,
    rows: 30,
  },
}

/** The fields of the API's answers as views, with the functions that PostGraphile's documentation advises for lists. */
export const createGraphqlSchema = (owner: pg.Pool): Promise<unknown> =>
  owner.query(`
    create schema peer_graphql;
    create view peer_graphql.coin as
      select id, symbol, name, icon, rank, slug, price_usd, volume_24h_usd, market_cap_usd, fully_diluted_valuation_usd,
        available_supply, total_supply, price_change_1h, price_change_1d, price_change_1w, website_url, reddit_url,
        twitter_url, explorers
      from public.coins join public.coin_quotes on coin_id = id where delisted_at is null;
    create function peer_graphql.coins() returns setof peer_graphql.coin language sql stable as $$
      select * from peer_graphql.coin order by rank, id $$;
    create view peer_graphql.price_point as
      select d.coin_id, d.at, d.usd, d.usd / b.usd as btc, d.usd / e.usd as eth from public.price_days d
      join public.price_days b on b.coin_id = 'bitcoin' and b.at = d.at
      join public.price_days e on e.coin_id = 'ethereum' and e.at = d.at;
    create function peer_graphql.chart_of(coin text) returns setof peer_graphql.price_point language sql stable as $$
      select * from peer_graphql.price_point where coin_id = coin and at > now() - interval '1 year' order by at $$;
    create view peer_graphql.article as
      select n.id, n.link, n.title, n.summary, n.image_url, n.published_at, n.sentiment, n.reactions, n.coin_ids,
        s.name as source_name, s.web_url
      from public.news_items n join public.news_sources s using (source);
    create function peer_graphql.latest_news() returns setof peer_graphql.article language sql stable as $$
      select * from peer_graphql.article order by published_at desc, id desc $$;
    create view peer_graphql.market as
      select m.id, m.slug, m.venue, m.venue_market_id, m.question, m.label, m.url, m.description, m.image_url, m.category,
        e.slug as event_slug, e.title as event_title, m.tags, m.status, m.last_trade_price, m.best_bid, m.best_ask,
        m.price_change_1h, m.price_change_24h, m.price_change_7d, m.volume_24h_usd, m.volume_7d_usd, m.volume_total_usd,
        m.liquidity_usd, m.open_interest_usd, m.traders_count, m.start_at, m.end_at, m.resolved_at, m.created_at,
        m.updated_at, (select jsonb_agg(jsonb_build_object('name', o.name, 'price', o.price::text) order by o.position)
          from public.prediction_outcomes o where o.market_id = m.id) as outcomes
      from public.prediction_markets m left join public.prediction_events e on e.id = m.event_id;
    create function peer_graphql.open_markets() returns setof peer_graphql.market language sql stable as $$
      select * from peer_graphql.market where status = 'open' order by volume_24h_usd desc, id desc $$;
    create view peer_graphql.trade as
      select t.market_id, t.id, t.at, t.outcome, t.side, t.price, t.size, t.value_usd, t.tx_hash, p.name as trader_name,
        p.address as trader_address
      from public.prediction_trades t left join public.prediction_traders p on p.id = t.trader_id;
    create function peer_graphql.trades_of(market text) returns setof peer_graphql.trade language sql stable as $$
      select * from peer_graphql.trade
      where market_id = (select id from public.prediction_markets where slug = market) order by at desc, id desc $$;
    create view peer_graphql.pl_day as
      select w.address, b.network_id, d.at, d.value_usd, d.flow_usd from public.pl_days d
      join public.books b on b.id = d.book_id join public.wallets w on w.id = b.wallet_id;
    create function peer_graphql.days_of(of_address text, of_network text) returns setof peer_graphql.pl_day
    language sql stable as $$
      select * from peer_graphql.pl_day where address = of_address and network_id = of_network
        and at > now() - interval '1 month' order by at $$`)

/** Throws unless the peer answers every query with its rows. */
export async function checkPeer(url: string): Promise<void> {
  for (const [name, { query, rows }] of Object.entries(EQUAL_QUESTIONS)) {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    })
    const body = await response.text()
    const data = (JSON.parse(body) as { data?: Record<string, { nodes: unknown[] } | null> | null }).data
    const found = data && Object.values(data)[0]?.nodes.length
    if (!found || Math.abs(found - rows) > 2)
      throw new Error(`PostGraphile answers ${name} with ${found ?? 'no'} rows: ${body.slice(0, 200)}`)
  }
}
