// What of an installation's tables is of the instant at which it was read. Two installations of one world are compared
// without it, and one with itself after a restart. The rest is the same, row for row.

/** Columns that say when a row was written or read, in any table. */
export const STAMPS = ['fetched_at', 'recorded_at', 'last_seen_at', 'checked_at', 'created_at', 'updated_at']

/** What is on its way: commands, of which a slow machine gives another one, and changes that are to be settled. */
export const PASSING = ['outbox', 'price_changes', 'pl_runs']

/** Columns of tables by what they show; `all`: nothing but how many rows there are is compared. */
const PRESENT: Record<string, Record<string, 'all' | readonly string[]>> = {
  'when it was read, or is to be read again': {
    source_states: 'all',
    kysely_migration: ['timestamp'],
    prediction_cursors: ['at'],
    prediction_trade_states: ['detail_at', 'prices_at', 'loaded_to'],
    prediction_books: ['at'],
    nft_assets: ['metadata_at'],
    price_histories: ['from_at', 'to_at'],
    balances: ['block_number', 'block_hash'],
    defi_assets: ['raw', 'block_number', 'block_hash'],
    defi_positions: ['block_number', 'block_hash'],
    defi_reads: ['block_number', 'block_hash', 'block_at', 'complete_at'],
    exchange_connections: ['synced_at', 'covered_to'],
    exchange_cursors: ['complete_at'],
    folds: ['folded_at', 'revision', 'dirty_from'],
    pl_states: ['dirty_from', 'repriced_from', 'revision'],
    wallet_accounts: ['read_block'],
    wallet_syncs: ['requested_at', 'cursor_block', 'head_block', 'synced_at', 'normalised_block'],
    ticker_exchanges: ['at', 'tickers_at', 'charted_at'],
    tickers: ['at', 'first_seen_at', 'seen_at'],
    nft_collections: ['described_at', 'gecko_at', 'assets_at', 'market_at'],
  },
  'prices of now, and what is computed of them': {
    coin_quotes: 'all',
    coin_listings: [
      'rank',
      'price_usd',
      'market_cap_usd',
      'fully_diluted_valuation_usd',
      'volume_24h_usd',
      'price_change_1h',
      'price_change_1d',
      'price_change_1w',
      'risk_score',
    ],
    coins: ['rank'],
    coin_risks: ['liquidity_score', 'market_cap_score', 'risk_score'],
    nft_assets: ['list_price', 'list_position'],
    nft_collections: ['category_rank', 'trending_rank', 'listed_count'],
    nft_gecko_records: [
      'rank',
      'owners_change_1d',
      'floor_price',
      'floor_price_change_1d',
      'floor_price_change_7d',
      'market_cap',
      'market_cap_change_1d',
      'volume_1d',
      'volume_change_1d',
      'sales_1d',
      'average_price_1d',
    ],
    nft_listings: ['amount', 'price'],
    nft_traits: ['floor_ask_price'],
  },
  'odds, volumes and open interest of now': {
    prediction_books: ['bids', 'asks'],
    prediction_counts: ['open_interest_usd'],
    prediction_events: ['top_market_id', 'volume_24h_usd', 'volume_total_usd', 'open_interest_usd'],
    prediction_leaders: [
      'pnl_usd',
      'volume_usd',
      'trades',
      'roi',
      'rank_pnl',
      'rank_roi',
      'rank_win_rate',
      'rank_trades',
      'rank_volume',
    ],
    prediction_markets: [
      'last_trade_price',
      'best_bid',
      'best_ask',
      'price_change_1h',
      'price_change_24h',
      'price_change_7d',
      'volume_24h_usd',
      'volume_7d_usd',
      'volume_total_usd',
      'open_interest_usd',
    ],
    prediction_outcomes: ['price', 'price_change_24h'],
    prediction_tags: ['volume_24h_usd'],
    prediction_trade_states: ['volume_usd', 'detail_volume_usd'],
    prediction_venues: [
      'trades_24h',
      'active_traders_24h',
      'volume_24h_usd',
      'volume_7d_usd',
      'volume_total_usd',
      'open_interest_usd',
    ],
  },
  'volumes of exchanges of now, and which markets are the largest': {
    ticker_exchanges: ['volume_24h_usd', 'volume_7d_usd', 'volume_30d_usd', 'change_24h', 'rank'],
    tickers: 'all',
  },
  'what callers have used up, and who serves them': {
    credit_periods: ['posted', 'fresh_until'],
    payment_owners: ['id', 'alive_until'],
    rate_states: ['due_us'],
    usage_days: ['calls', 'credits'],
  },
  'which of two venues named it first': { prediction_tags: ['source'] },
}

/**
 * Series, in days and by the column of their time: rows of the last day, or of more where a row is that of a period, move and come. Those
 * before the window go, or before the instant `from` of the row `t`. What lies between is compared.
 */
const SERIES: Record<string, { at: string; newest?: number; window?: number; from?: string }> = {
  // Syncs keep the head that they saw.
  blocks: { at: 'at' },
  ledger_entries: { at: 'at' },
  market_totals: { at: 'at' },
  // A feed has so many articles: a new one pushes out the oldest, which is of yesterday or of last month. Those of half a
  // day before are in all of them.
  news_items: { at: 'published_at', newest: 0, window: 1.5 },
  // Each 25th of them, and what is talked of in the last days: all of it is of now.
  news_anchors: { at: 'published_at', newest: 400 },
  news_trending: { at: 'fetched_at' },
  nft_points: { at: 'at' },
  nft_sales: { at: 'at' },
  // Who holds most of a market: each fill moves it.
  prediction_holders: { at: 'fetched_at', newest: 400 },
  // An open one changes with every fill.
  prediction_positions: { at: 'closed_at' },
  prediction_prices: { at: 'at' },
  prediction_trade_days: { at: 'day' },
  prediction_trader_days: { at: 'day' },
  prediction_trades: { at: 'at' },
  prediction_venue_periods: { at: 'start_at', newest: 32 },
  // A history begins two years, or a week, before the hour of its first reading.
  price_hours: {
    at: 'at',
    from: `(select date_trunc('day', h.from_at, 'UTC') + interval '2 days' from price_histories h
      where h.coin_id = t.coin_id and h.resolution = 'hour')`,
  },
  source_hours: { at: 'hour' },
  // Prices of now, and histories of the pairs that are the largest now.
  ticker_prices: { at: 'at', newest: 400 },
  ticker_exchange_volumes: { at: 'at', window: 12 },
}

const DAY_MS = 86_400_000

export const moving = Object.values(PRESENT).flatMap((tables) => Object.entries(tables))

/** Whether a column shows the present. */
export const isPresent = (table: string, column: string): boolean =>
  moving.some(([name, columns]) => name === table && (columns === 'all' || columns.includes(column)))

/** Which rows of a table are compared by whoever began at an instant; null: all of them. */
export function settledRows(table: string, begunAt: Date): string | null {
  const series = SERIES[table]
  if (!series) return null
  const { at, newest = 1, window, from } = series
  const daysBefore = (days: number) => new Date(begunAt.getTime() - days * DAY_MS).toISOString()
  // A day less at its begin too: a window slides while the others are filled.
  const since = window === undefined ? from : `'${daysBefore(window - 1)}'`
  const until = `"${at}" < '${daysBefore(newest)}'`
  return since === undefined ? until : `${until} and "${at}" >= ${since}`
}
