import { OF_WALLETS } from './one-sided-wallets.ts'

/** Fields by the reason why only one of both knows them. */
type Reasons = Readonly<Record<string, readonly string[]>>

export interface OneSided {
  /** The double answers with them, and its adapter does not read them. What is within one is not listed. */
  unread: Reasons
  /** The adapter reads them, and the double never has them. */
  absent: Reasons
  /** Read, and in answers of some runs only: which answers are asked for depends on what comes first. */
  seldom?: readonly string[]
}

/**
 * Fields that a double has and its adapter never reads, or the other way round, by source. `[]`: each item of a list;
 * `*`: each name that is an id. fields.db.test.ts runs each adapter against its double and compares, so a field that is
 * read from today on, or that a double gains, must change this list. Nodes, feeds, XML and exchanges are not in it: their
 * answers do not pass a schema of JSON.
 */
export const ONE_SIDED: Readonly<Record<string, OneSided>> = {
  ...OF_WALLETS,
  coingecko: {
    unread: {
      'Says what the question said, or what another field says.': ['id'],
    },
    absent: {
      'Optional changes, which the API leaves out if they are missing.': [
        '[].price_change_percentage_1h_in_currency',
        '[].price_change_percentage_30d_in_currency',
        '[].price_change_percentage_7d_in_currency',
        'data.volume_change_percentage_24h_usd',
      ],
      'Only in refusals, and this run has none. Tests of refusals have it.': [
        'error',
        'error_code',
        'status',
      ],
      'Optional: coins of the double name no such pages.': [
        'links.subreddit_url',
        'links.twitter_screen_name',
      ],
    },
  },
  coinpaprika: {
    unread: {
      'Not shown: no field of the API has it.': [
        '[].beta_value',
        '[].first_data_at',
        '[].quotes.USD.volume_24h_change_24h',
      ],
      'Supplies are those of CoinGecko: the free plan here has no circulating one.': ['[].max_supply'],
    },
    absent: {},
  },
  defillama: {
    unread: {
      'A price is compared with the last one and with other sources. What this number means is not documented.':
        ['coins.*.confidence'],
      'Says what the question said, or what another field says.': ['coins.*.symbol'],
    },
    absent: {},
  },
  'polymarket-gamma': {
    unread: {
      '`closed` and the status of the resolution say whether it trades.': ['events[].markets[].active'],
    },
    absent: {
      'Optional words and pictures.': [
        'events[].category',
        'events[].image',
        'events[].markets[].category',
        'events[].markets[].events',
        'events[].markets[].tags',
        'events[].tags',
        'events[].updatedAt',
      ],
      'Markets of this run are open. test/upstreams/polymarket.db.test.ts has others.': [
        'events[].markets[].closedTime',
        'events[].markets[].umaEndDate',
        'events[].markets[].umaResolutionStatus',
        'events[].resolutionSource',
      ],
      'Markets of version 2, which test/upstreams/polymarket.db.test.ts has.': [
        'events[].markets[].positionIds',
      ],
      'The double has one page here.': ['next_cursor'],
    },
  },
  'polymarket-data': {
    unread: {
      'The market was asked by its id, and its words are those of the list of markets. The asset says the outcome.':
        [
          '[].holders[].asset',
          '[].holders[].outcomeIndex',
          'data[].bio',
          'data[].condition_id',
          'data[].event_slug',
          'data[].icon',
          'data[].outcome',
          'data[].outcome_index',
          'data[].profile_image_optimized',
          'data[].slug',
          'data[].title',
        ],
      'The next cursor says whether there is more.': [
        'pagination.has_more',
        'pagination.limit',
        'pagination.offset',
      ],
    },
    absent: {},
  },
  'polymarket-clob': {
    unread: {
      'Not shown: no field of the API has it.': ['asset_id', 'hash', 'market', 'min_order_size', 'neg_risk'],
      'The last price is that of the trades.': ['last_trade_price'],
    },
    absent: {},
  },
  kalshi: {
    unread: {
      'Volumes and open interest are those of the market.': [
        'candlesticks[].open_interest_fp',
        'candlesticks[].volume_fp',
      ],
      'A price of a period is its close.': [
        'candlesticks[].price.high_dollars',
        'candlesticks[].price.low_dollars',
        'candlesticks[].price.open_dollars',
        'candlesticks[].yes_ask.high_dollars',
        'candlesticks[].yes_ask.low_dollars',
        'candlesticks[].yes_ask.open_dollars',
        'candlesticks[].yes_bid.high_dollars',
        'candlesticks[].yes_bid.low_dollars',
        'candlesticks[].yes_bid.open_dollars',
      ],
      'Not shown: no field of the API has it.': [
        'events[].markets[].market_type',
        'events[].markets[].no_sub_title',
        'events[].markets[].price_level_structure',
        'events[].markets[].price_ranges[].end',
        'events[].markets[].price_ranges[].start',
        'events[].markets[].rules_secondary',
        'events[].markets[].settlement_bounds_type',
      ],
      'One minus those of the other side.': [
        'events[].markets[].no_ask_dollars',
        'events[].markets[].no_bid_dollars',
      ],
      'Orders and positions belong to accounts.': ['market_positions_last_updated_ts', 'orders_updated_ts'],
      'The market was asked by its ticker.': ['ticker', 'trades[].ticker'],
      'Block trades are kept as all others. The API has no field for them.': ['trades[].is_block_trade'],
      '`taker_outcome_side` says it.': ['trades[].taker_book_side'],
    },
    absent: {
      'Names and forms of the archive, and of periods without a trade (test/upstreams/kalshi.db.test.ts).': [
        'candlesticks[].price.close',
        'candlesticks[].price.previous',
        'candlesticks[].price.previous_dollars',
        'candlesticks[].yes_ask.close',
        'candlesticks[].yes_ask.previous',
        'candlesticks[].yes_ask.previous_dollars',
        'candlesticks[].yes_bid.close',
        'candlesticks[].yes_bid.previous',
        'candlesticks[].yes_bid.previous_dollars',
      ],
      'Optional: the double has no markets by a strike.': [
        'events[].markets[].cap_strike',
        'events[].markets[].floor_strike',
        'events[].markets[].strike_type',
      ],
      'Markets of this run are open. test/upstreams/kalshi.db.test.ts has others.': [
        'events[].markets[].is_provisional',
        'events[].markets[].settlement_ts',
        'events[].markets[].settlement_value_dollars',
        'events[].settlement_sources',
      ],
    },
  },
}
