// The time-dependent parts of an installation's tables. Comparisons of two installations of one world, and of
// one installation before and after a restart, ignore them. The rest must be equal, row for row.

/** Columns of any table with the time when a row was written or read. */
export const STAMPS = ['fetched_at', 'recorded_at', 'last_seen_at', 'checked_at', 'created_at', 'updated_at']

/**
 * Tables of pending work: commands, whose number depends on the machine's speed, and changes not yet
 * processed. Also counts of changes and of requests, and what depends on which answers were looked at.
 */
export const PASSING = [
  'outbox',
  'price_changes',
  'pl_runs',
  'source_shapes',
  'source_usage',
  'table_revisions',
]

/** Time-dependent columns by reason. `all`: only the number of rows is compared. */
const PRESENT: Record<string, Record<string, 'all' | readonly string[]>> = {
  'time of the last or next reading': {
    source_states: 'all',
    kysely_migration: ['timestamp'],
    prediction_cursors: ['at'],
    prediction_trade_states: ['detail_at', 'prices_at', 'loaded_to'],
    prediction_books: ['at'],
    nft_assets: ['metadata_at'],
    news_sources: ['etag', 'last_modified'],
    nft_holding_reads: ['read_at', 'tried_at'],
    price_histories: ['from_at', 'to_at'],
    balances: ['block_number', 'block_hash'],
    defi_assets: ['raw', 'block_number', 'block_hash'],
    defi_positions: ['block_number', 'block_hash'],
    defi_reads: ['block_number', 'block_hash', 'block_at', 'complete_at'],
    exchange_connections: ['synced_at', 'covered_to'],
    exchange_cursors: ['position', 'complete_at'],
    folds: ['folded_at', 'revision', 'days_revision', 'uses_revision', 'dirty_from'],
    pl_states: ['dirty_from', 'repriced_from', 'repriced_to', 'revision', 'legs_changed'],
    // The first check of a network may come later.
    wallet_accounts: ['read_block', 'seen', 'seen_block'],
    wallet_syncs: [
      'requested_at',
      'cursor_block',
      'head_block',
      'balances_at',
      'synced_at',
      'normalised_block',
    ],
    ticker_exchanges: ['at', 'tickers_at', 'charted_at'],
    tickers: ['at', 'first_seen_at', 'seen_at'],
    nft_collections: ['described_at', 'gecko_at', 'assets_at', 'market_at'],
  },
  'current prices and values computed from them': {
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
  'current odds, volumes and open interest': {
    prediction_books: ['bids', 'asks'],
    prediction_counts: ['open_interest_usd'],
    prediction_events: ['top_market_id', 'volume_24h_usd', 'volume_total_usd', 'open_interest_usd'],
    prediction_leaders: [
      'pnl_usd',
      'volume_usd',
      'trades',
      'markets_traded',
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
      'notional_24h_usd',
      'notional_total_usd',
      'open_interest_usd',
      'traders_count',
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
  'current volumes of exchanges and their largest markets': {
    ticker_exchanges: ['volume_24h_usd', 'volume_7d_usd', 'volume_30d_usd', 'change_24h', 'rank'],
    tickers: 'all',
  },
  'usage of callers, and the processes that serve them': {
    credit_periods: ['posted', 'fresh_until'],
    payment_owners: ['id', 'alive_until'],
    rate_states: ['due_us'],
    usage_days: ['calls', 'credits'],
  },
  'which of two venues delivered it first': { prediction_tags: ['source'] },
}

/**
 * Time series, with the column of their time; `newest` and `window` are in days. Rows of the last `newest`
 * days (default 1) still change, and rows before `window`, or before the instant `from` of the row `t`,
 * disappear. Only rows in between are compared.
 */
const SERIES: Record<string, { at: string; newest?: number; window?: number; from?: string }> = {
  // Syncs store the head block that they saw.
  blocks: { at: 'at' },
  ledger_entries: { at: 'at' },
  market_totals: { at: 'at' },
  // A feed has a fixed number of articles, so a new one removes the oldest, from yesterday or last month.
  // Articles of the half day before the start are in every feed.
  news_items: { at: 'published_at', newest: 0, window: 1.5 },
  // Every 25th article, and the topics of the last days: all depends on the current time.
  news_anchors: { at: 'published_at', newest: 400 },
  news_trending: { at: 'fetched_at' },
  nft_points: { at: 'at' },
  nft_sales: { at: 'at' },
  // The largest holders of a market change with each fill.
  prediction_holders: { at: 'fetched_at', newest: 400 },
  // An open position changes with every fill.
  prediction_positions: { at: 'closed_at' },
  prediction_prices: { at: 'at' },
  prediction_trade_days: { at: 'day' },
  prediction_trader_days: { at: 'day' },
  prediction_trades: { at: 'at' },
  prediction_venue_periods: { at: 'start_at', newest: 32 },
  // A history starts two years, or a week, before the hour of its first reading.
  price_hours: {
    at: 'at',
    from: `(select date_trunc('day', h.from_at, 'UTC') + interval '2 days' from price_histories h
      where h.coin_id = t.coin_id and h.resolution = 'hour')`,
  },
  source_hours: { at: 'hour' },
  // Current prices, and histories of the currently largest pairs.
  ticker_prices: { at: 'at', newest: 400 },
  ticker_exchange_volumes: { at: 'at', window: 12 },
}

const DAY_MS = 86_400_000

export const moving = Object.values(PRESENT).flatMap((tables) => Object.entries(tables))

/** Whether a column is time-dependent. */
export const isPresent = (table: string, column: string): boolean =>
  moving.some(([name, columns]) => name === table && (columns === 'all' || columns.includes(column)))

/** SQL condition for the rows to compare, given the start time of the test. null: all rows */
export function settledRows(table: string, begunAt: Date): string | null {
  const series = SERIES[table]
  if (!series) return null
  const { at, newest = 1, window, from } = series
  const daysBefore = (days: number) => new Date(begunAt.getTime() - days * DAY_MS).toISOString()
  // One day less at the start too, because the window moves while the other installations are filled.
  const since = window === undefined ? from : `'${daysBefore(window - 1)}'`
  const until = `"${at}" < '${daysBefore(newest)}'`
  return since === undefined ? until : `${until} and "${at}" >= ${since}`
}
