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
 * read from today on, or that a double gains, must change this list. Nodes, feeds, XML, RugCheck and exchanges are not
 * in it, because their answers do not pass the schema of a client, and neither is alternative.me, which gives a number
 * for each day.
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
  'alchemy-nft': {
    unread: {
      'The floor of one marketplace only, so that its points make one line.': ['looksRare'],
    },
    absent: {
      'Optional words, pictures and numbers, which are absent for many contracts, as for this one.': [
        'nfts[].image.cachedUrl',
        'nfts[].image.originalUrl',
        'nfts[].image.pngUrl',
        'openSea.retrievedAt',
        'openSeaMetadata.bannerImageUrl',
        'openSeaMetadata.collectionSlug',
        'openSeaMetadata.description',
        'openSeaMetadata.discordUrl',
        'openSeaMetadata.externalUrl',
        'openSeaMetadata.imageUrl',
        'openSeaMetadata.safelistRequestStatus',
        'openSeaMetadata.twitterUsername',
        'totalSupply',
      ],
    },
  },
  opensea: {
    unread: {
      'Says what the question said, or what another field says.': [
        'address',
        'chain',
        'asset_events[].chain',
        'asset_events[].event_type',
        'asset_events[].closing_date',
        'asset_events[].nft.collection',
        'listings[].chain',
        'listings[].status',
        'listings[].type',
        'nfts[].collection',
      ],
      'An event names its token. What is known of the token is read from its own list.': [
        'asset_events[].nft.decimals',
        'asset_events[].nft.description',
        'asset_events[].nft.display_animation_url',
        'asset_events[].nft.display_image_url',
        'asset_events[].nft.estimated_value_usd',
        'asset_events[].nft.image_url',
        'asset_events[].nft.is_disabled',
        'asset_events[].nft.is_nsfw',
        'asset_events[].nft.metadata_url',
        'asset_events[].nft.name',
        'asset_events[].nft.opensea_url',
        'asset_events[].nft.original_animation_url',
        'asset_events[].nft.original_image_url',
        'asset_events[].nft.token_standard',
        'asset_events[].nft.traits',
        'asset_events[].nft.updated_at',
      ],
      'The token of a payment is known by its address, a listing says its currency within its order.': [
        'asset_events[].payment.symbol',
        'listings[].price.current.currency',
        'payment_tokens[].decimals',
        'payment_tokens[].eth_price',
        'payment_tokens[].image',
        'payment_tokens[].name',
        'payment_tokens[].usd_price',
      ],
      'What only a buyer needs to fill an order.': [
        'asset_events[].protocol_address',
        'listings[].protocol_address',
        'listings[].protocol_data.parameters.conduitKey',
        'listings[].protocol_data.parameters.consideration[].endAmount',
        'listings[].protocol_data.parameters.consideration[].identifierOrCriteria',
        'listings[].protocol_data.parameters.consideration[].recipient',
        'listings[].protocol_data.parameters.consideration[].startAmount',
        'listings[].protocol_data.parameters.counter',
        'listings[].protocol_data.parameters.offer[].endAmount',
        'listings[].protocol_data.parameters.orderType',
        'listings[].protocol_data.parameters.salt',
        'listings[].protocol_data.parameters.startTime',
        'listings[].protocol_data.parameters.totalOriginalConsiderationItems',
        'listings[].protocol_data.parameters.zone',
        'listings[].protocol_data.parameters.zoneHash',
        'listings[].protocol_data.signature',
        'listings[].remaining_quantity',
      ],
      'Not shown: no field of the API has it.': [
        'collection_offers_enabled',
        'collections[].collection_offers_enabled',
        'collections[].owner',
        'collections[].trait_offers_enabled',
        'editors',
        'fees[].required',
        'intervals[].sales_diff',
        'intervals[].volume_diff',
        'intervals[].volume_symbol',
        'nfts[].decimals',
        'nfts[].description',
        'nfts[].display_animation_url',
        'nfts[].estimated_value_usd',
        'nfts[].is_disabled',
        'nfts[].is_nsfw',
        'nfts[].metadata_url',
        'nfts[].original_animation_url',
        'nfts[].original_image_url',
        'nfts[].traits[].max_value',
        'nfts[].updated_at',
        'owner',
        'rarity',
        'total.market_cap',
        'trait_offers_enabled',
        'unique_item_count',
      ],
    },
    absent: {
      'A list of collections has less of each than its own page.': [
        'collections[].created_date',
        'collections[].fees',
        'collections[].payment_tokens',
        'collections[].pricing_currencies',
        'collections[].total_supply',
      ],
      'A newer name of `payment_tokens`.': ['pricing_currencies'],
    },
  },
  'alchemy-transfers': {
    unread: {
      'Of JSON-RPC: requests go out one by one.': ['id', 'jsonrpc'],
      'Amounts and tokens come from receipts of a node. Rows say which transactions there are.': [
        'result.transfers[].*',
        'result.transfers[].asset',
        'result.transfers[].erc721TokenId',
        'result.transfers[].rawContract.address',
        'result.transfers[].rawContract.decimal',
        'result.transfers[].tokenId',
        'result.transfers[].uniqueId',
        'result.transfers[].value',
      ],
    },
    absent: {
      'Only in refusals, and this run has none. Tests of refusals have it.': ['error'],
      'One page has all rows of this run. test/upstreams/explorer-adapters.test.ts has more.': [
        'result.pageKey',
      ],
    },
  },
}
