// Written from the route table by "npm run sluice openapi".

export interface Paths {
  '/status': {
    /**
     * Status of the service
     *
     * The status is `degraded` while the database is unreachable.
     *
     * Free, without a key.
     */
    get: {
      parameters: {}
      responses: {
        200: {
          content: {
            'application/json': StatusResponse
          }
        }
      }
    }
  }
  '/usage/credits': {
    /**
     * Credits of the current period
     *
     * Works without credits. Includes every charge whose response came before this request.
     *
     * Costs 0 credits.
     */
    get: {
      parameters: {}
      responses: {
        200: {
          content: {
            'application/json': UsageCreditsResponse
          }
        }
      }
    }
  }
  '/quote': {
    /**
     * Price of a call
     *
     * Returns the exact price of a call without making it: credits, and USDC at the pay-per-request gateway. Returns 400 and 404 as the call itself would, and 404 for a method that the path does not have. The price does not depend on remaining credits, plan or available data.
     *
     * Costs 0 credits.
     */
    get: {
      parameters: {
        query: {
          /** Method of the call */
          method?: 'GET' | 'PATCH' | 'POST' | 'PUT' | 'DELETE'
          /** Path of the call with its query string, percent-encoded as a whole: `/wallet/pl?address=..&connectionId=all`. With or without /v1 */
          path: string
          /** JSON body of a PATCH or POST, read only if the price depends on it. Never send credentials */
          body?: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': QuoteResponse
          }
        }
      }
    }
  }
  '/coins': {
    /**
     * Coins with their market data
     *
     * Filters are `<field>~<operator>` or `<field>-<operator>` with greaterThan, equals or lessThan. Money is in the requested currency; `priceChange7d` filters the response field `priceChange1w`. Filters compare what the answer shows, so an unknown amount or change is 0; a coin without a rank passes no filter of ranks. Coins without a value for the sort field come last. Risk scores are derived from volume, daily closes and market capitalisation; coins with less than two weeks of closes have none.
     *
     * Costs 2 credits.
     */
    get: {
      parameters: {
        query?: {
          /** Page number, from 1 */
          page?: number
          /** Items per page */
          limit?: number
          /** Coin ids */
          coinIds?: Array<string>
          /** Currency of the values */
          currency?: string
          /** Part of the name, any case */
          name?: string
          /** Symbol, any case */
          symbol?: string
          /** Contract addresses, any case */
          contractAddresses?: Array<string>
          /** Blockchains on which the coin has a contract. Names in /wallet/blockchains and codes of CCXT are accepted too */
          blockchains?: Array<string>
          /** Names or ids of categories, any case, such as `Layer 1 (L1)`, `layer-1`, `defi` or `memecoins`; returns coins in at least one of them */
          categories?: Array<string>
          /** Adds risk scores to coins that have them */
          includeRiskScore?: 'true' | 'false'
          sortBy?: 'rank' | 'marketCap' | 'price' | 'volume' | 'priceChange1h' | 'priceChange1d' | 'priceChange7d' | 'name' | 'symbol'
          sortDir?: 'asc' | 'desc'
          /** marketCap > value */
          'marketCap~greaterThan'?: number
          /** marketCap > value */
          'marketCap-greaterThan'?: number
          /** marketCap = value */
          'marketCap~equals'?: number
          /** marketCap = value */
          'marketCap-equals'?: number
          /** marketCap < value */
          'marketCap~lessThan'?: number
          /** marketCap < value */
          'marketCap-lessThan'?: number
          /** fullyDilutedValuation > value */
          'fullyDilutedValuation~greaterThan'?: number
          /** fullyDilutedValuation > value */
          'fullyDilutedValuation-greaterThan'?: number
          /** fullyDilutedValuation = value */
          'fullyDilutedValuation~equals'?: number
          /** fullyDilutedValuation = value */
          'fullyDilutedValuation-equals'?: number
          /** fullyDilutedValuation < value */
          'fullyDilutedValuation~lessThan'?: number
          /** fullyDilutedValuation < value */
          'fullyDilutedValuation-lessThan'?: number
          /** volume > value */
          'volume~greaterThan'?: number
          /** volume > value */
          'volume-greaterThan'?: number
          /** volume = value */
          'volume~equals'?: number
          /** volume = value */
          'volume-equals'?: number
          /** volume < value */
          'volume~lessThan'?: number
          /** volume < value */
          'volume-lessThan'?: number
          /** priceChange1h > value */
          'priceChange1h~greaterThan'?: number
          /** priceChange1h > value */
          'priceChange1h-greaterThan'?: number
          /** priceChange1h = value */
          'priceChange1h~equals'?: number
          /** priceChange1h = value */
          'priceChange1h-equals'?: number
          /** priceChange1h < value */
          'priceChange1h~lessThan'?: number
          /** priceChange1h < value */
          'priceChange1h-lessThan'?: number
          /** priceChange1d > value */
          'priceChange1d~greaterThan'?: number
          /** priceChange1d > value */
          'priceChange1d-greaterThan'?: number
          /** priceChange1d = value */
          'priceChange1d~equals'?: number
          /** priceChange1d = value */
          'priceChange1d-equals'?: number
          /** priceChange1d < value */
          'priceChange1d~lessThan'?: number
          /** priceChange1d < value */
          'priceChange1d-lessThan'?: number
          /** priceChange7d > value */
          'priceChange7d~greaterThan'?: number
          /** priceChange7d > value */
          'priceChange7d-greaterThan'?: number
          /** priceChange7d = value */
          'priceChange7d~equals'?: number
          /** priceChange7d = value */
          'priceChange7d-equals'?: number
          /** priceChange7d < value */
          'priceChange7d~lessThan'?: number
          /** priceChange7d < value */
          'priceChange7d-lessThan'?: number
          /** availableSupply > value */
          'availableSupply~greaterThan'?: number
          /** availableSupply > value */
          'availableSupply-greaterThan'?: number
          /** availableSupply = value */
          'availableSupply~equals'?: number
          /** availableSupply = value */
          'availableSupply-equals'?: number
          /** availableSupply < value */
          'availableSupply~lessThan'?: number
          /** availableSupply < value */
          'availableSupply-lessThan'?: number
          /** totalSupply > value */
          'totalSupply~greaterThan'?: number
          /** totalSupply > value */
          'totalSupply-greaterThan'?: number
          /** totalSupply = value */
          'totalSupply~equals'?: number
          /** totalSupply = value */
          'totalSupply-equals'?: number
          /** totalSupply < value */
          'totalSupply~lessThan'?: number
          /** totalSupply < value */
          'totalSupply-lessThan'?: number
          /** rank > value */
          'rank~greaterThan'?: number
          /** rank > value */
          'rank-greaterThan'?: number
          /** rank = value */
          'rank~equals'?: number
          /** rank = value */
          'rank-equals'?: number
          /** rank < value */
          'rank~lessThan'?: number
          /** rank < value */
          'rank-lessThan'?: number
          /** price > value */
          'price~greaterThan'?: number
          /** price > value */
          'price-greaterThan'?: number
          /** price = value */
          'price~equals'?: number
          /** price = value */
          'price-equals'?: number
          /** price < value */
          'price~lessThan'?: number
          /** price < value */
          'price-lessThan'?: number
          /** riskScore > value; requires includeRiskScore */
          'riskScore~greaterThan'?: number
          /** riskScore > value; requires includeRiskScore */
          'riskScore-greaterThan'?: number
          /** riskScore = value; requires includeRiskScore */
          'riskScore~equals'?: number
          /** riskScore = value; requires includeRiskScore */
          'riskScore-equals'?: number
          /** riskScore < value; requires includeRiskScore */
          'riskScore~lessThan'?: number
          /** riskScore < value; requires includeRiskScore */
          'riskScore-lessThan'?: number
        }
      }
      responses: {
        200: {
          content: {
            'application/json': CoinsResponse
          }
        }
      }
    }
  }
  '/coins/{coinId}': {
    /**
     * One coin with its market data
     *
     * Costs 1 credits.
     */
    get: {
      parameters: {
        path: {
          /** Coin id */
          coinId: string
        }
        query?: {
          /** Currency of the values */
          currency?: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Coin
          }
        }
      }
    }
  }
  '/coins/{coinId}/charts': {
    /**
     * Price history of a coin
     *
     * Hourly points for periods up to `1m`, which is 30 days as in `priceChange1m`, daily points (00:00 UTC) for longer ones; the last point is the current price. BTC and ETH values use prices of the same instant. Points from before BTC and ETH had a price are left out.
     *
     * Costs 3 credits.
     */
    get: {
      parameters: {
        path: {
          /** Coin id */
          coinId: string
        }
        query: {
          period: '24h' | '1w' | '1m' | '3m' | '6m' | '1y' | 'all'
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Array<Array<number>>
          }
        }
      }
    }
  }
  '/coins/charts': {
    /**
     * Price histories of several coins
     *
     * One entry per coin, in the order of the ids, with the points of /coins/{coinId}/charts. An unknown coin has an empty chart and the `errorMessage` ERR_COIN_CHART_NOT_FOUND, and is charged too.
     *
     * Costs 3 credits for each network or wallet named, 0 for `all`.
     */
    get: {
      parameters: {
        query: {
          period: '24h' | '1w' | '1m' | '3m' | '6m' | '1y' | 'all'
          /** Coin ids */
          coinIds: Array<string>
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Array<CoinsChart>
          }
        }
      }
    }
  }
  '/coins/price/avg': {
    /**
     * Market-average price of a coin at an instant
     *
     * The average over all markets: the last stored price at or before the instant. Returns 404 when the coin had no price yet, 400 for an instant in the future.
     *
     * Costs 4 credits.
     */
    get: {
      parameters: {
        query: {
          /** Coin id */
          coinId: string
          /** Unix time in seconds */
          timestamp: number
        }
      }
      responses: {
        200: {
          content: {
            'application/json': CurrencyAmounts
          }
        }
      }
    }
  }
  '/coins/price/exchange': {
    /**
     * Price of a pair on an exchange at an instant
     *
     * The last stored price at or before the instant, at most 24 hours older. Prices are read every three hours from the installation of this service on. For the thirty largest Binance markets, hourly closes of the exchange are added from thirty days before the installation on. A pair is also priced from its inverse market. Returns 404 when there is no price or the exchange is unknown, 400 for an instant in the future.
     *
     * Costs 5 credits.
     */
    get: {
      parameters: {
        query: {
          /** Name or id of the exchange, any case */
          exchange: string
          /** Symbol, any case */
          from: string
          /** Symbol, any case */
          to: string
          /** Unix time in seconds */
          timestamp: number
        }
      }
      responses: {
        200: {
          content: {
            'application/json': CoinsPriceExchangeResponse
          }
        }
      }
    }
  }
  '/markets': {
    /**
     * Totals of the crypto market
     *
     * Costs 1 credits.
     */
    get: {
      parameters: {}
      responses: {
        200: {
          content: {
            'application/json': MarketsResponse
          }
        }
      }
    }
  }
  '/tickers/exchanges': {
    /**
     * Exchanges by trading volume
     *
     * Costs 2 credits.
     */
    get: {
      parameters: {}
      responses: {
        200: {
          content: {
            'application/json': Array<TickersExchange>
          }
        }
      }
    }
  }
  '/tickers/markets': {
    /**
     * Markets of the exchanges by trading volume
     *
     * Each market is one pair on one exchange. A market is verified if its source marks it neither as an outlier nor as stale, and its price is within 10 % of the price of its coin.
     *
     * Costs 3 credits.
     */
    get: {
      parameters: {
        query?: {
          /** Page number, from 1 */
          page?: number
          /** Items per page */
          limit?: number
          /** Name or id of the exchange, any case */
          exchange?: string
          /** Symbol of the traded coin, any case */
          fromCoin?: string
          /** Symbol of the quote currency, any case */
          toCoin?: string
          /** Coin id of either side of the pair */
          coinId?: string
          onlyVerified?: 'true' | 'false'
        }
      }
      responses: {
        200: {
          content: {
            'application/json': TickersMarketsResponse
          }
        }
      }
    }
  }
  '/fiats': {
    /**
     * Fiat currencies with their rates
     *
     * Costs 1 credits.
     */
    get: {
      parameters: {}
      responses: {
        200: {
          content: {
            'application/json': Array<Fiat>
          }
        }
      }
    }
  }
  '/currencies': {
    /**
     * Exchange rates of all supported currencies
     *
     * Reference rates of central banks, and the current prices of BTC and ETH. Discontinued currencies are not listed and not accepted as `currency`.
     *
     * Costs 1 credits.
     */
    get: {
      parameters: {}
      responses: {
        200: {
          content: {
            'application/json': CurrenciesResponse
          }
        }
      }
    }
  }
  '/news': {
    /**
     * News, newest first
     *
     * Costs 5 credits.
     */
    get: {
      parameters: {
        query?: {
          /** Page number, from 1 */
          page?: number
          /** Items per page */
          limit?: number
          /** Inclusive start of the publication time */
          from?: string
          /** Exclusive end of the publication time, after `from` */
          to?: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': NewsResponse
          }
        }
      }
    }
  }
  '/news/type/{type}': {
    /**
     * News of one type
     *
     * Newest first, except `trending`, which is ordered by how fast coverage of its subjects grows. `bullish` and `bearish` are derived from the words of title and summary. `handpicked` is chosen by the operator.
     *
     * Costs 5 credits.
     */
    get: {
      parameters: {
        path: {
          type: 'handpicked' | 'trending' | 'latest' | 'bullish' | 'bearish'
        }
        query?: {
          /** Page number, from 1 */
          page?: number
          /** Items per page */
          limit?: number
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Array<NewsItem>
          }
        }
      }
    }
  }
  '/news/sources': {
    /**
     * News sources with their health
     *
     * Costs 2 credits.
     */
    get: {
      parameters: {}
      responses: {
        200: {
          content: {
            'application/json': Array<NewsSource>
          }
        }
      }
    }
  }
  '/news/{id}': {
    /**
     * One article
     *
     * Costs 1 credits.
     */
    get: {
      parameters: {
        path: {
          /** Id of an article from a news list */
          id: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': NewsItem
          }
        }
      }
    }
  }
  '/insights/btc-dominance': {
    /**
     * Bitcoin's share of the market capitalisation over time
     *
     * Oldest point first. Steps are 15 minutes for `24h`, 1 hour for `1w`, 4 hours for `1m` and 1 day for longer periods, counted back from the newest sample. Each point is the newest sample of its step, with the time of that sample. Steps without a sample have no point.
     *
     * Costs 10 credits.
     */
    get: {
      parameters: {
        query: {
          /** Period up to the newest sample */
          type: '24h' | '1w' | '1m' | '3m' | '6m' | '1y' | 'all'
        }
      }
      responses: {
        200: {
          content: {
            'application/json': InsightsBtcDominanceResponse
          }
        }
      }
    }
  }
  '/insights/fear-and-greed': {
    /**
     * Fear and greed index now, yesterday and a week ago
     *
     * Costs 10 credits.
     */
    get: {
      parameters: {}
      responses: {
        200: {
          content: {
            'application/json': InsightsFearAndGreedResponse
          }
        }
      }
    }
  }
  '/insights/fear-and-greed/chart': {
    /**
     * Daily history of the fear and greed index
     *
     * Oldest day first. Days without a published value have no point.
     *
     * Costs 10 credits.
     */
    get: {
      parameters: {}
      responses: {
        200: {
          content: {
            'application/json': InsightsFearAndGreedChartResponse
          }
        }
      }
    }
  }
  '/insights/rainbow-chart/{coinId}': {
    /**
     * Rainbow chart of bitcoin or ethereum
     *
     * All daily closes (00:00 UTC at the end of the day), oldest first, with a logarithmic regression over them. Bands are half a standard deviation wide; band 5 is centred on the trend. Trend and band are absent with fewer than three closes.
     *
     * Costs 10 credits.
     */
    get: {
      parameters: {
        path: {
          coinId: 'bitcoin' | 'ethereum'
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Array<InsightsRainbowChart>
          }
        }
      }
    }
  }
  '/token-risks': {
    /**
     * Risks of a token
     *
     * Select the token by `coinId`, or by `contractAddress` with `chain`. For a coin with contracts on several networks, the first network with data is reported, in the order ethereum, binance_smart, polygon-pos, base, arbitrum-one, optimism, avalanche, solana. A token without data has empty `results`: its risks are unknown, which does not mean that it is safe. The request then starts a check, so a later call may return data.
     *
     * Costs 5000 credits.
     */
    get: {
      parameters: {
        query?: {
          /** Coin id; use it instead of contractAddress and chain */
          coinId?: string
          /** Contract address; requires chain */
          contractAddress?: string
          /** Network of the contract */
          chain?: 'ethereum' | 'binance_smart' | 'polygon-pos' | 'base' | 'arbitrum-one' | 'optimism' | 'avalanche'
          /** Most severe checks first; by default found risks come first */
          sortBy?: 'severity'
        }
      }
      responses: {
        200: {
          content: {
            'application/json': TokenRisksResponse
          }
        }
      }
    }
  }
  '/nft/wallet/{address}/assets': {
    /**
     * The NFTs of a wallet by collection
     *
     * Holdings on every network of `all` that the wallet was synced on, or on the networks that the request names, computed from its transfers, without spam collections. Those on Solana come from its node, which must have the Digital Asset Standard: also compressed, frozen and delegated ones, without burnt ones. The most valuable collections come first. Pages count collections. `meta.pending` names the networks whose history or NFTs are not complete. The first read of a wallet starts its sync.
     *
     * Costs 40 credits for each network or wallet named, 40 for `all`.
     */
    get: {
      parameters: {
        path: {
          /** Wallet address on EVM networks or Solana */
          address: string
        }
        query?: {
          /** One network, several separated by commas, or `all` (Bitcoin, Solana and ten EVM networks); wins over `blockchain`. Names in /wallet/blockchains and /coins and codes of CCXT are accepted too, in any case */
          connectionId?: Array<'ethereum' | 'binancesmartchain' | 'base-wallet' | 'polygon-wallet' | 'arbitrum-wallet' | 'optimism-wallet' | 'avalanche-wallet' | 'hyperevm-wallet' | 'monad-wallet' | 'plasma-wallet' | 'bitcoin' | 'solana' | 'unichain-wallet' | 'worldchain-wallet' | 'ink-wallet' | 'soneium-wallet' | 'mode-wallet' | 'zora-wallet' | 'lisk-wallet' | 'bob-wallet' | 'superseed-wallet' | 'blast-wallet' | 'manta-wallet' | 'katana-wallet' | 'opbnb-wallet' | 'celo-wallet' | 'mantle-wallet' | 'shape-wallet' | 'arbitrum-nova-wallet' | 'apechain-wallet' | 'linea-wallet' | 'scroll-wallet' | 'zksync-wallet' | 'abstract-wallet' | 'polygon-zkevm-wallet' | 'taiko-wallet' | 'metis-wallet' | 'megaeth-wallet' | 'xlayer-wallet' | 'etherlink-wallet' | 'gnosis-wallet' | 'sonic-wallet' | 'fantom-wallet' | 'berachain-wallet' | 'sei-wallet' | 'cronos-wallet' | 'moonbeam-wallet' | 'moonriver-wallet' | 'ronin-wallet' | 'core-wallet' | 'flare-wallet' | 'rootstock-wallet' | 'aurora-wallet' | 'litecoin' | 'dogecoin' | 'bitcoin-cash' | 'tron' | 'xrpl' | 'sui' | 'ton' | 'cardano' | 'cosmos' | 'osmosis' | 'celestia' | 'all'>
          /** One blockchain, several separated by commas, or `all`; used when `connectionId` is absent */
          blockchain?: Array<'ethereum' | 'binance_smart' | 'base' | 'polygon-pos' | 'arbitrum-one' | 'optimism' | 'avalanche' | 'hyperevm' | 'monad' | 'plasma' | 'bitcoin' | 'solana' | 'unichain' | 'world-chain' | 'ink' | 'soneium' | 'mode' | 'zora-network' | 'lisk' | 'bob-network' | 'superseed' | 'blast' | 'manta-pacific' | 'katana' | 'opbnb' | 'celo' | 'mantle' | 'shape' | 'arbitrum-nova' | 'apechain' | 'linea' | 'scroll' | 'zksync' | 'abstract' | 'polygon-zkevm' | 'taiko' | 'metis-andromeda' | 'megaeth' | 'x-layer' | 'etherlink' | 'xdai' | 'sonic' | 'fantom' | 'berachain' | 'sei-v2' | 'cronos' | 'moonbeam' | 'moonriver' | 'ronin' | 'core' | 'flare-network' | 'rootstock' | 'aurora' | 'litecoin' | 'dogecoin' | 'bitcoin-cash' | 'tron' | 'xrp' | 'sui' | 'ton' | 'cardano' | 'cosmos' | 'osmosis' | 'celestia' | 'all'>
          /** Page number, from 1 */
          page?: number
          /** Items per page */
          limit?: number
        }
      }
      responses: {
        200: {
          content: {
            'application/json': NftWalletAssetsResponse
          }
        }
      }
    }
  }
  '/nft/collection/{collectionAddress}': {
    /**
     * One NFT collection with its figures
     *
     * Prices are in the main currency (`mainCurrencyId`), except fields with Usd in their name. A field is absent when no source fills it. Changes over 7 or 30 days appear once the service has stored that much history.
     *
     * Costs 3 credits.
     */
    get: {
      parameters: {
        path: {
          /** Contract address of an NFT collection; on Solana its account */
          collectionAddress: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': NftCollection
          }
        }
      }
    }
  }
  '/nft/trending': {
    /**
     * The NFT collections most traded in a day
     *
     * Costs 2 credits.
     */
    get: {
      parameters: {
        query?: {
          /** Page number, from 1 */
          page?: number
          /** Items per page */
          limit?: number
        }
      }
      responses: {
        200: {
          content: {
            'application/json': NftTrendingResponse
          }
        }
      }
    }
  }
  '/nft/{collectionAddress}/assets': {
    /**
     * The tokens of an NFT collection
     *
     * `all` returns all known tokens by token id. `listed` returns the tokens on sale when offers were last read, cheapest first.
     *
     * Costs 8 credits.
     */
    get: {
      parameters: {
        path: {
          /** Contract address of an NFT collection; on Solana its account */
          collectionAddress: string
        }
        query?: {
          /** Page number, from 1 */
          page?: number
          /** Items per page */
          limit?: number
          type?: 'listed' | 'all'
        }
      }
      responses: {
        200: {
          content: {
            'application/json': NftAssetsResponse
          }
        }
      }
    }
  }
  '/nft/{collectionAddress}/asset/{tokenId}': {
    /**
     * One token of an NFT collection
     *
     * Costs 5 credits.
     */
    get: {
      parameters: {
        path: {
          /** Contract address of an NFT collection; on Solana its account */
          collectionAddress: string
          /** Token id, a decimal number below 2^256; on Solana the account of the token */
          tokenId: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': NftAsset
          }
        }
      }
    }
  }
  '/wallet/blockchains': {
    /**
     * Networks on which wallets can be read
     *
     * Costs 1 credits.
     */
    get: {
      parameters: {}
      responses: {
        200: {
          content: {
            'application/json': Array<WalletBlockchain>
          }
        }
      }
    }
  }
  '/wallet/balance': {
    /**
     * Balances of a wallet
     *
     * Balances as of the last sync of each network, the most valuable first, without tokens of spam unless `includeSpam` asks for them, and without dust if `minValueUsd` says what is. X-Data-As-Of is the oldest sync, or the oldest price if that is older; X-Price-As-Of is the latter. The first read of a wallet starts its sync and waits for its balances: of the native coin and of listed coins, until the history is complete. Until then `X-Sync-Status` is `syncing`. Returns 503 with Retry-After if no balances arrive in time.
     *
     * Costs 40 credits for each network or wallet named, 400 for `all`.
     */
    get: {
      parameters: {
        query: {
          /** EVM address (mixed case must match its EIP-55 checksum), Bitcoin address, xpub, ypub or zpub, Solana address, or an address or extended key of a network beyond `all` */
          address: string
          /** Also tokens of spam, at the end, without a price. If absent or false, `X-Hidden-Spam` says how many are left out */
          includeSpam?: 'true' | 'false'
          /** Leaves out balances (dust) that are worth less in USD; `X-Hidden-Dust` says how many. Coins without a market price stay. If absent, all are listed, so that totals are complete */
          minValueUsd?: number
          /** One network, several separated by commas, or `all` (Bitcoin, Solana and ten EVM networks); wins over `blockchain`. Names in /wallet/blockchains and /coins and codes of CCXT are accepted too, in any case */
          connectionId?: Array<'ethereum' | 'binancesmartchain' | 'base-wallet' | 'polygon-wallet' | 'arbitrum-wallet' | 'optimism-wallet' | 'avalanche-wallet' | 'hyperevm-wallet' | 'monad-wallet' | 'plasma-wallet' | 'bitcoin' | 'solana' | 'unichain-wallet' | 'worldchain-wallet' | 'ink-wallet' | 'soneium-wallet' | 'mode-wallet' | 'zora-wallet' | 'lisk-wallet' | 'bob-wallet' | 'superseed-wallet' | 'blast-wallet' | 'manta-wallet' | 'katana-wallet' | 'opbnb-wallet' | 'celo-wallet' | 'mantle-wallet' | 'shape-wallet' | 'arbitrum-nova-wallet' | 'apechain-wallet' | 'linea-wallet' | 'scroll-wallet' | 'zksync-wallet' | 'abstract-wallet' | 'polygon-zkevm-wallet' | 'taiko-wallet' | 'metis-wallet' | 'megaeth-wallet' | 'xlayer-wallet' | 'etherlink-wallet' | 'gnosis-wallet' | 'sonic-wallet' | 'fantom-wallet' | 'berachain-wallet' | 'sei-wallet' | 'cronos-wallet' | 'moonbeam-wallet' | 'moonriver-wallet' | 'ronin-wallet' | 'core-wallet' | 'flare-wallet' | 'rootstock-wallet' | 'aurora-wallet' | 'litecoin' | 'dogecoin' | 'bitcoin-cash' | 'tron' | 'xrpl' | 'sui' | 'ton' | 'cardano' | 'cosmos' | 'osmosis' | 'celestia' | 'all'>
          /** One blockchain, several separated by commas, or `all`; used when `connectionId` is absent */
          blockchain?: Array<'ethereum' | 'binance_smart' | 'base' | 'polygon-pos' | 'arbitrum-one' | 'optimism' | 'avalanche' | 'hyperevm' | 'monad' | 'plasma' | 'bitcoin' | 'solana' | 'unichain' | 'world-chain' | 'ink' | 'soneium' | 'mode' | 'zora-network' | 'lisk' | 'bob-network' | 'superseed' | 'blast' | 'manta-pacific' | 'katana' | 'opbnb' | 'celo' | 'mantle' | 'shape' | 'arbitrum-nova' | 'apechain' | 'linea' | 'scroll' | 'zksync' | 'abstract' | 'polygon-zkevm' | 'taiko' | 'metis-andromeda' | 'megaeth' | 'x-layer' | 'etherlink' | 'xdai' | 'sonic' | 'fantom' | 'berachain' | 'sei-v2' | 'cronos' | 'moonbeam' | 'moonriver' | 'ronin' | 'core' | 'flare-network' | 'rootstock' | 'aurora' | 'litecoin' | 'dogecoin' | 'bitcoin-cash' | 'tron' | 'xrp' | 'sui' | 'ton' | 'cardano' | 'cosmos' | 'osmosis' | 'celestia' | 'all'>
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Array<WalletBalance>
          }
        }
      }
    }
  }
  '/wallet/balance/many': {
    /**
     * Balances of several wallets
     *
     * One entry per wallet and network, as of its last sync; a first read starts the sync and waits as in /wallet/balance. Pass `wallets`, or `address` with `blockchain` (default `all`). Leaves out wallets without balances: `X-Sync-Pending` names them. A wallet whose first sync fails on our side is not charged.
     *
     * Costs 40 credits for each network or wallet named, 400 for `all`.
     */
    get: {
      parameters: {
        query?: {
          /** Comma-separated `connectionId:address` or `blockchain:address` pairs; the network may be `all` */
          wallets?: Array<string>
          /** Used when `wallets` is absent */
          address?: string
          /** One network, several separated by commas, or `all` (Bitcoin, Solana and ten EVM networks); wins over `blockchain`. Names in /wallet/blockchains and /coins and codes of CCXT are accepted too, in any case */
          connectionId?: Array<'ethereum' | 'binancesmartchain' | 'base-wallet' | 'polygon-wallet' | 'arbitrum-wallet' | 'optimism-wallet' | 'avalanche-wallet' | 'hyperevm-wallet' | 'monad-wallet' | 'plasma-wallet' | 'bitcoin' | 'solana' | 'unichain-wallet' | 'worldchain-wallet' | 'ink-wallet' | 'soneium-wallet' | 'mode-wallet' | 'zora-wallet' | 'lisk-wallet' | 'bob-wallet' | 'superseed-wallet' | 'blast-wallet' | 'manta-wallet' | 'katana-wallet' | 'opbnb-wallet' | 'celo-wallet' | 'mantle-wallet' | 'shape-wallet' | 'arbitrum-nova-wallet' | 'apechain-wallet' | 'linea-wallet' | 'scroll-wallet' | 'zksync-wallet' | 'abstract-wallet' | 'polygon-zkevm-wallet' | 'taiko-wallet' | 'metis-wallet' | 'megaeth-wallet' | 'xlayer-wallet' | 'etherlink-wallet' | 'gnosis-wallet' | 'sonic-wallet' | 'fantom-wallet' | 'berachain-wallet' | 'sei-wallet' | 'cronos-wallet' | 'moonbeam-wallet' | 'moonriver-wallet' | 'ronin-wallet' | 'core-wallet' | 'flare-wallet' | 'rootstock-wallet' | 'aurora-wallet' | 'litecoin' | 'dogecoin' | 'bitcoin-cash' | 'tron' | 'xrpl' | 'sui' | 'ton' | 'cardano' | 'cosmos' | 'osmosis' | 'celestia' | 'all'>
          /** One blockchain, several separated by commas, or `all`; used when `connectionId` is absent */
          blockchain?: Array<'ethereum' | 'binance_smart' | 'base' | 'polygon-pos' | 'arbitrum-one' | 'optimism' | 'avalanche' | 'hyperevm' | 'monad' | 'plasma' | 'bitcoin' | 'solana' | 'unichain' | 'world-chain' | 'ink' | 'soneium' | 'mode' | 'zora-network' | 'lisk' | 'bob-network' | 'superseed' | 'blast' | 'manta-pacific' | 'katana' | 'opbnb' | 'celo' | 'mantle' | 'shape' | 'arbitrum-nova' | 'apechain' | 'linea' | 'scroll' | 'zksync' | 'abstract' | 'polygon-zkevm' | 'taiko' | 'metis-andromeda' | 'megaeth' | 'x-layer' | 'etherlink' | 'xdai' | 'sonic' | 'fantom' | 'berachain' | 'sei-v2' | 'cronos' | 'moonbeam' | 'moonriver' | 'ronin' | 'core' | 'flare-network' | 'rootstock' | 'aurora' | 'litecoin' | 'dogecoin' | 'bitcoin-cash' | 'tron' | 'xrp' | 'sui' | 'ton' | 'cardano' | 'cosmos' | 'osmosis' | 'celestia' | 'all'>
          /** Former name of `blockchain` */
          networks?: Array<'ethereum' | 'binance_smart' | 'base' | 'polygon-pos' | 'arbitrum-one' | 'optimism' | 'avalanche' | 'hyperevm' | 'monad' | 'plasma' | 'bitcoin' | 'solana' | 'unichain' | 'world-chain' | 'ink' | 'soneium' | 'mode' | 'zora-network' | 'lisk' | 'bob-network' | 'superseed' | 'blast' | 'manta-pacific' | 'katana' | 'opbnb' | 'celo' | 'mantle' | 'shape' | 'arbitrum-nova' | 'apechain' | 'linea' | 'scroll' | 'zksync' | 'abstract' | 'polygon-zkevm' | 'taiko' | 'metis-andromeda' | 'megaeth' | 'x-layer' | 'etherlink' | 'xdai' | 'sonic' | 'fantom' | 'berachain' | 'sei-v2' | 'cronos' | 'moonbeam' | 'moonriver' | 'ronin' | 'core' | 'flare-network' | 'rootstock' | 'aurora' | 'litecoin' | 'dogecoin' | 'bitcoin-cash' | 'tron' | 'xrp' | 'sui' | 'ton' | 'cardano' | 'cosmos' | 'osmosis' | 'celestia' | 'all'>
          /** Also tokens of spam, at the end, without a price. If absent or false, `X-Hidden-Spam` says how many are left out */
          includeSpam?: 'true' | 'false'
          /** Leaves out balances (dust) that are worth less in USD; `X-Hidden-Dust` says how many. Coins without a market price stay. If absent, all are listed, so that totals are complete */
          minValueUsd?: number
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Array<WalletBalanceMany>
          }
        }
      }
    }
  }
  '/wallet/balances': {
    /**
     * Former path of /wallet/balance/many
     *
     * Costs 40 credits for each network or wallet named, 400 for `all`.
     *
     * @deprecated
     */
    get: {
      parameters: {
        query?: {
          /** Comma-separated `connectionId:address` or `blockchain:address` pairs; the network may be `all` */
          wallets?: Array<string>
          /** Used when `wallets` is absent */
          address?: string
          /** One network, several separated by commas, or `all` (Bitcoin, Solana and ten EVM networks); wins over `blockchain`. Names in /wallet/blockchains and /coins and codes of CCXT are accepted too, in any case */
          connectionId?: Array<'ethereum' | 'binancesmartchain' | 'base-wallet' | 'polygon-wallet' | 'arbitrum-wallet' | 'optimism-wallet' | 'avalanche-wallet' | 'hyperevm-wallet' | 'monad-wallet' | 'plasma-wallet' | 'bitcoin' | 'solana' | 'unichain-wallet' | 'worldchain-wallet' | 'ink-wallet' | 'soneium-wallet' | 'mode-wallet' | 'zora-wallet' | 'lisk-wallet' | 'bob-wallet' | 'superseed-wallet' | 'blast-wallet' | 'manta-wallet' | 'katana-wallet' | 'opbnb-wallet' | 'celo-wallet' | 'mantle-wallet' | 'shape-wallet' | 'arbitrum-nova-wallet' | 'apechain-wallet' | 'linea-wallet' | 'scroll-wallet' | 'zksync-wallet' | 'abstract-wallet' | 'polygon-zkevm-wallet' | 'taiko-wallet' | 'metis-wallet' | 'megaeth-wallet' | 'xlayer-wallet' | 'etherlink-wallet' | 'gnosis-wallet' | 'sonic-wallet' | 'fantom-wallet' | 'berachain-wallet' | 'sei-wallet' | 'cronos-wallet' | 'moonbeam-wallet' | 'moonriver-wallet' | 'ronin-wallet' | 'core-wallet' | 'flare-wallet' | 'rootstock-wallet' | 'aurora-wallet' | 'litecoin' | 'dogecoin' | 'bitcoin-cash' | 'tron' | 'xrpl' | 'sui' | 'ton' | 'cardano' | 'cosmos' | 'osmosis' | 'celestia' | 'all'>
          /** One blockchain, several separated by commas, or `all`; used when `connectionId` is absent */
          blockchain?: Array<'ethereum' | 'binance_smart' | 'base' | 'polygon-pos' | 'arbitrum-one' | 'optimism' | 'avalanche' | 'hyperevm' | 'monad' | 'plasma' | 'bitcoin' | 'solana' | 'unichain' | 'world-chain' | 'ink' | 'soneium' | 'mode' | 'zora-network' | 'lisk' | 'bob-network' | 'superseed' | 'blast' | 'manta-pacific' | 'katana' | 'opbnb' | 'celo' | 'mantle' | 'shape' | 'arbitrum-nova' | 'apechain' | 'linea' | 'scroll' | 'zksync' | 'abstract' | 'polygon-zkevm' | 'taiko' | 'metis-andromeda' | 'megaeth' | 'x-layer' | 'etherlink' | 'xdai' | 'sonic' | 'fantom' | 'berachain' | 'sei-v2' | 'cronos' | 'moonbeam' | 'moonriver' | 'ronin' | 'core' | 'flare-network' | 'rootstock' | 'aurora' | 'litecoin' | 'dogecoin' | 'bitcoin-cash' | 'tron' | 'xrp' | 'sui' | 'ton' | 'cardano' | 'cosmos' | 'osmosis' | 'celestia' | 'all'>
          /** Former name of `blockchain` */
          networks?: Array<'ethereum' | 'binance_smart' | 'base' | 'polygon-pos' | 'arbitrum-one' | 'optimism' | 'avalanche' | 'hyperevm' | 'monad' | 'plasma' | 'bitcoin' | 'solana' | 'unichain' | 'world-chain' | 'ink' | 'soneium' | 'mode' | 'zora-network' | 'lisk' | 'bob-network' | 'superseed' | 'blast' | 'manta-pacific' | 'katana' | 'opbnb' | 'celo' | 'mantle' | 'shape' | 'arbitrum-nova' | 'apechain' | 'linea' | 'scroll' | 'zksync' | 'abstract' | 'polygon-zkevm' | 'taiko' | 'metis-andromeda' | 'megaeth' | 'x-layer' | 'etherlink' | 'xdai' | 'sonic' | 'fantom' | 'berachain' | 'sei-v2' | 'cronos' | 'moonbeam' | 'moonriver' | 'ronin' | 'core' | 'flare-network' | 'rootstock' | 'aurora' | 'litecoin' | 'dogecoin' | 'bitcoin-cash' | 'tron' | 'xrp' | 'sui' | 'ton' | 'cardano' | 'cosmos' | 'osmosis' | 'celestia' | 'all'>
          /** Also tokens of spam, at the end, without a price. If absent or false, `X-Hidden-Spam` says how many are left out */
          includeSpam?: 'true' | 'false'
          /** Leaves out balances (dust) that are worth less in USD; `X-Hidden-Dust` says how many. Coins without a market price stay. If absent, all are listed, so that totals are complete */
          minValueUsd?: number
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Array<WalletBalanceMany>
          }
        }
      }
    }
  }
  '/wallet/status': {
    /**
     * Sync status of a wallet
     *
     * `synced` when every listed network was synced after its last request with PATCH /wallet/transactions, and its figures are computed. A wallet on a followed network is `synced` as long as its history is complete and all blocks are read. `all` means every network that it covers and that has a source or was synced. `lastSyncedAt` is the age of what is served: on a followed network that of its follower, which is seconds. The sync of a network that was never requested starts.
     *
     * Costs 3 credits for each network or wallet named, 30 for `all`.
     */
    get: {
      parameters: {
        query: {
          /** EVM address (mixed case must match its EIP-55 checksum), Bitcoin address, xpub, ypub or zpub, Solana address, or an address or extended key of a network beyond `all` */
          address: string
          /** One network, several separated by commas, or `all` (Bitcoin, Solana and ten EVM networks); wins over `blockchain`. Names in /wallet/blockchains and /coins and codes of CCXT are accepted too, in any case */
          connectionId?: Array<'ethereum' | 'binancesmartchain' | 'base-wallet' | 'polygon-wallet' | 'arbitrum-wallet' | 'optimism-wallet' | 'avalanche-wallet' | 'hyperevm-wallet' | 'monad-wallet' | 'plasma-wallet' | 'bitcoin' | 'solana' | 'unichain-wallet' | 'worldchain-wallet' | 'ink-wallet' | 'soneium-wallet' | 'mode-wallet' | 'zora-wallet' | 'lisk-wallet' | 'bob-wallet' | 'superseed-wallet' | 'blast-wallet' | 'manta-wallet' | 'katana-wallet' | 'opbnb-wallet' | 'celo-wallet' | 'mantle-wallet' | 'shape-wallet' | 'arbitrum-nova-wallet' | 'apechain-wallet' | 'linea-wallet' | 'scroll-wallet' | 'zksync-wallet' | 'abstract-wallet' | 'polygon-zkevm-wallet' | 'taiko-wallet' | 'metis-wallet' | 'megaeth-wallet' | 'xlayer-wallet' | 'etherlink-wallet' | 'gnosis-wallet' | 'sonic-wallet' | 'fantom-wallet' | 'berachain-wallet' | 'sei-wallet' | 'cronos-wallet' | 'moonbeam-wallet' | 'moonriver-wallet' | 'ronin-wallet' | 'core-wallet' | 'flare-wallet' | 'rootstock-wallet' | 'aurora-wallet' | 'litecoin' | 'dogecoin' | 'bitcoin-cash' | 'tron' | 'xrpl' | 'sui' | 'ton' | 'cardano' | 'cosmos' | 'osmosis' | 'celestia' | 'all'>
          /** One blockchain, several separated by commas, or `all`; used when `connectionId` is absent */
          blockchain?: Array<'ethereum' | 'binance_smart' | 'base' | 'polygon-pos' | 'arbitrum-one' | 'optimism' | 'avalanche' | 'hyperevm' | 'monad' | 'plasma' | 'bitcoin' | 'solana' | 'unichain' | 'world-chain' | 'ink' | 'soneium' | 'mode' | 'zora-network' | 'lisk' | 'bob-network' | 'superseed' | 'blast' | 'manta-pacific' | 'katana' | 'opbnb' | 'celo' | 'mantle' | 'shape' | 'arbitrum-nova' | 'apechain' | 'linea' | 'scroll' | 'zksync' | 'abstract' | 'polygon-zkevm' | 'taiko' | 'metis-andromeda' | 'megaeth' | 'x-layer' | 'etherlink' | 'xdai' | 'sonic' | 'fantom' | 'berachain' | 'sei-v2' | 'cronos' | 'moonbeam' | 'moonriver' | 'ronin' | 'core' | 'flare-network' | 'rootstock' | 'aurora' | 'litecoin' | 'dogecoin' | 'bitcoin-cash' | 'tron' | 'xrp' | 'sui' | 'ton' | 'cardano' | 'cosmos' | 'osmosis' | 'celestia' | 'all'>
        }
      }
      responses: {
        200: {
          content: {
            'application/json': WalletStatusResponse
          }
        }
      }
    }
  }
  '/wallet/transactions': {
    /**
     * Start a sync of wallet transactions
     *
     * Pass the wallets in the query or in the body. Returns `syncing` and syncs in the background: poll GET /wallet/status until `synced`. Returns `synced` when everything was synced in the last 30 seconds or is followed with each block; then it only has the balances compared with the chain, at most every five minutes. Repeated requests start no second sync of the same wallet and network.
     *
     * Costs 50 credits for each network or wallet named, 500 for `all`.
     */
    patch: {
      parameters: {
        query?: {
          /** EVM address (mixed case must match its EIP-55 checksum), Bitcoin address, xpub, ypub or zpub, Solana address, or an address or extended key of a network beyond `all` */
          address?: string
          /** One network, several separated by commas, or `all` (Bitcoin, Solana and ten EVM networks); wins over `blockchain`. Names in /wallet/blockchains and /coins and codes of CCXT are accepted too, in any case */
          connectionId?: Array<'ethereum' | 'binancesmartchain' | 'base-wallet' | 'polygon-wallet' | 'arbitrum-wallet' | 'optimism-wallet' | 'avalanche-wallet' | 'hyperevm-wallet' | 'monad-wallet' | 'plasma-wallet' | 'bitcoin' | 'solana' | 'unichain-wallet' | 'worldchain-wallet' | 'ink-wallet' | 'soneium-wallet' | 'mode-wallet' | 'zora-wallet' | 'lisk-wallet' | 'bob-wallet' | 'superseed-wallet' | 'blast-wallet' | 'manta-wallet' | 'katana-wallet' | 'opbnb-wallet' | 'celo-wallet' | 'mantle-wallet' | 'shape-wallet' | 'arbitrum-nova-wallet' | 'apechain-wallet' | 'linea-wallet' | 'scroll-wallet' | 'zksync-wallet' | 'abstract-wallet' | 'polygon-zkevm-wallet' | 'taiko-wallet' | 'metis-wallet' | 'megaeth-wallet' | 'xlayer-wallet' | 'etherlink-wallet' | 'gnosis-wallet' | 'sonic-wallet' | 'fantom-wallet' | 'berachain-wallet' | 'sei-wallet' | 'cronos-wallet' | 'moonbeam-wallet' | 'moonriver-wallet' | 'ronin-wallet' | 'core-wallet' | 'flare-wallet' | 'rootstock-wallet' | 'aurora-wallet' | 'litecoin' | 'dogecoin' | 'bitcoin-cash' | 'tron' | 'xrpl' | 'sui' | 'ton' | 'cardano' | 'cosmos' | 'osmosis' | 'celestia' | 'all'>
          /** One blockchain, several separated by commas, or `all`; used when `connectionId` is absent */
          blockchain?: Array<'ethereum' | 'binance_smart' | 'base' | 'polygon-pos' | 'arbitrum-one' | 'optimism' | 'avalanche' | 'hyperevm' | 'monad' | 'plasma' | 'bitcoin' | 'solana' | 'unichain' | 'world-chain' | 'ink' | 'soneium' | 'mode' | 'zora-network' | 'lisk' | 'bob-network' | 'superseed' | 'blast' | 'manta-pacific' | 'katana' | 'opbnb' | 'celo' | 'mantle' | 'shape' | 'arbitrum-nova' | 'apechain' | 'linea' | 'scroll' | 'zksync' | 'abstract' | 'polygon-zkevm' | 'taiko' | 'metis-andromeda' | 'megaeth' | 'x-layer' | 'etherlink' | 'xdai' | 'sonic' | 'fantom' | 'berachain' | 'sei-v2' | 'cronos' | 'moonbeam' | 'moonriver' | 'ronin' | 'core' | 'flare-network' | 'rootstock' | 'aurora' | 'litecoin' | 'dogecoin' | 'bitcoin-cash' | 'tron' | 'xrp' | 'sui' | 'ton' | 'cardano' | 'cosmos' | 'osmosis' | 'celestia' | 'all'>
        }
        header?: {
          /** Repeated requests with the same key and parameters take effect once, are charged once and get the first answer */
          'Idempotency-Key'?: string
        }
      }
      requestBody?: {
        content: {
          'application/json': PatchWalletTransactionsBody
        }
      }
      responses: {
        200: {
          content: {
            'application/json': SyncStatus
          }
        }
      }
    }
    /**
     * Transactions of wallets, newest first
     *
     * One list for all listed wallets. Returns 409 until the history of a listed network is complete; the first read of a wallet starts its sync. `all` means every network that it covers and that has a source or was synced: it returns what is complete, and `meta.pending` names the missing networks.
     *
     * Costs 30 credits for each network or wallet named, 300 for `all`.
     */
    get: {
      parameters: {
        query?: {
          /** Comma-separated `connectionId:address` or `blockchain:address` pairs; the network may be `all` */
          wallets?: Array<string>
          /** Required when `wallets` is absent */
          address?: string
          /** One network, several separated by commas, or `all` (Bitcoin, Solana and ten EVM networks); wins over `blockchain`. Names in /wallet/blockchains and /coins and codes of CCXT are accepted too, in any case */
          connectionId?: Array<'ethereum' | 'binancesmartchain' | 'base-wallet' | 'polygon-wallet' | 'arbitrum-wallet' | 'optimism-wallet' | 'avalanche-wallet' | 'hyperevm-wallet' | 'monad-wallet' | 'plasma-wallet' | 'bitcoin' | 'solana' | 'unichain-wallet' | 'worldchain-wallet' | 'ink-wallet' | 'soneium-wallet' | 'mode-wallet' | 'zora-wallet' | 'lisk-wallet' | 'bob-wallet' | 'superseed-wallet' | 'blast-wallet' | 'manta-wallet' | 'katana-wallet' | 'opbnb-wallet' | 'celo-wallet' | 'mantle-wallet' | 'shape-wallet' | 'arbitrum-nova-wallet' | 'apechain-wallet' | 'linea-wallet' | 'scroll-wallet' | 'zksync-wallet' | 'abstract-wallet' | 'polygon-zkevm-wallet' | 'taiko-wallet' | 'metis-wallet' | 'megaeth-wallet' | 'xlayer-wallet' | 'etherlink-wallet' | 'gnosis-wallet' | 'sonic-wallet' | 'fantom-wallet' | 'berachain-wallet' | 'sei-wallet' | 'cronos-wallet' | 'moonbeam-wallet' | 'moonriver-wallet' | 'ronin-wallet' | 'core-wallet' | 'flare-wallet' | 'rootstock-wallet' | 'aurora-wallet' | 'litecoin' | 'dogecoin' | 'bitcoin-cash' | 'tron' | 'xrpl' | 'sui' | 'ton' | 'cardano' | 'cosmos' | 'osmosis' | 'celestia' | 'all'>
          /** One blockchain, several separated by commas, or `all`; used when `connectionId` is absent */
          blockchain?: Array<'ethereum' | 'binance_smart' | 'base' | 'polygon-pos' | 'arbitrum-one' | 'optimism' | 'avalanche' | 'hyperevm' | 'monad' | 'plasma' | 'bitcoin' | 'solana' | 'unichain' | 'world-chain' | 'ink' | 'soneium' | 'mode' | 'zora-network' | 'lisk' | 'bob-network' | 'superseed' | 'blast' | 'manta-pacific' | 'katana' | 'opbnb' | 'celo' | 'mantle' | 'shape' | 'arbitrum-nova' | 'apechain' | 'linea' | 'scroll' | 'zksync' | 'abstract' | 'polygon-zkevm' | 'taiko' | 'metis-andromeda' | 'megaeth' | 'x-layer' | 'etherlink' | 'xdai' | 'sonic' | 'fantom' | 'berachain' | 'sei-v2' | 'cronos' | 'moonbeam' | 'moonriver' | 'ronin' | 'core' | 'flare-network' | 'rootstock' | 'aurora' | 'litecoin' | 'dogecoin' | 'bitcoin-cash' | 'tron' | 'xrp' | 'sui' | 'ton' | 'cardano' | 'cosmos' | 'osmosis' | 'celestia' | 'all'>
          /** Page number, from 1 */
          page?: number
          /** Items per page */
          limit?: number
          /** Inclusive start */
          from?: string
          /** Exclusive end, after `from` */
          to?: string
          /** Currency of the values */
          currency?: string
          types?: Array<'deposit' | 'withdraw' | 'approve' | 'executed' | 'balance' | 'fee'>
          /** Coin id */
          coinId?: string
          /** Hash of one transaction */
          txId?: string
          hideUnidentifiedCoins?: 'true' | 'false' | '1' | '0'
        }
      }
      responses: {
        200: {
          content: {
            'application/json': WalletTransactionsResponse
          }
        }
      }
    }
  }
  '/wallet/chart': {
    /**
     * Value of a wallet over time
     *
     * Hourly points for `24h`, daily points (00:00 UTC) for longer ranges, from the first transaction on; the last point is now, at the newest quotes. Each point uses the prices of its own time. Without points until the history of a network is complete; `meta.pending` names the missing networks. The first read of a wallet starts its sync.
     *
     * Costs 40 credits for each network or wallet named, 400 for `all`.
     */
    get: {
      parameters: {
        query: {
          /** EVM address (mixed case must match its EIP-55 checksum), Bitcoin address, xpub, ypub or zpub, Solana address, or an address or extended key of a network beyond `all` */
          address: string
          type: '24h' | '1w' | '1m' | '3m' | '6m' | '1y' | 'all'
          /** One network, several separated by commas, or `all` (Bitcoin, Solana and ten EVM networks); wins over `blockchain`. Names in /wallet/blockchains and /coins and codes of CCXT are accepted too, in any case */
          connectionId?: Array<'ethereum' | 'binancesmartchain' | 'base-wallet' | 'polygon-wallet' | 'arbitrum-wallet' | 'optimism-wallet' | 'avalanche-wallet' | 'hyperevm-wallet' | 'monad-wallet' | 'plasma-wallet' | 'bitcoin' | 'solana' | 'unichain-wallet' | 'worldchain-wallet' | 'ink-wallet' | 'soneium-wallet' | 'mode-wallet' | 'zora-wallet' | 'lisk-wallet' | 'bob-wallet' | 'superseed-wallet' | 'blast-wallet' | 'manta-wallet' | 'katana-wallet' | 'opbnb-wallet' | 'celo-wallet' | 'mantle-wallet' | 'shape-wallet' | 'arbitrum-nova-wallet' | 'apechain-wallet' | 'linea-wallet' | 'scroll-wallet' | 'zksync-wallet' | 'abstract-wallet' | 'polygon-zkevm-wallet' | 'taiko-wallet' | 'metis-wallet' | 'megaeth-wallet' | 'xlayer-wallet' | 'etherlink-wallet' | 'gnosis-wallet' | 'sonic-wallet' | 'fantom-wallet' | 'berachain-wallet' | 'sei-wallet' | 'cronos-wallet' | 'moonbeam-wallet' | 'moonriver-wallet' | 'ronin-wallet' | 'core-wallet' | 'flare-wallet' | 'rootstock-wallet' | 'aurora-wallet' | 'litecoin' | 'dogecoin' | 'bitcoin-cash' | 'tron' | 'xrpl' | 'sui' | 'ton' | 'cardano' | 'cosmos' | 'osmosis' | 'celestia' | 'all'>
          /** One blockchain, several separated by commas, or `all`; used when `connectionId` is absent */
          blockchain?: Array<'ethereum' | 'binance_smart' | 'base' | 'polygon-pos' | 'arbitrum-one' | 'optimism' | 'avalanche' | 'hyperevm' | 'monad' | 'plasma' | 'bitcoin' | 'solana' | 'unichain' | 'world-chain' | 'ink' | 'soneium' | 'mode' | 'zora-network' | 'lisk' | 'bob-network' | 'superseed' | 'blast' | 'manta-pacific' | 'katana' | 'opbnb' | 'celo' | 'mantle' | 'shape' | 'arbitrum-nova' | 'apechain' | 'linea' | 'scroll' | 'zksync' | 'abstract' | 'polygon-zkevm' | 'taiko' | 'metis-andromeda' | 'megaeth' | 'x-layer' | 'etherlink' | 'xdai' | 'sonic' | 'fantom' | 'berachain' | 'sei-v2' | 'cronos' | 'moonbeam' | 'moonriver' | 'ronin' | 'core' | 'flare-network' | 'rootstock' | 'aurora' | 'litecoin' | 'dogecoin' | 'bitcoin-cash' | 'tron' | 'xrp' | 'sui' | 'ton' | 'cardano' | 'cosmos' | 'osmosis' | 'celestia' | 'all'>
        }
      }
      responses: {
        200: {
          content: {
            'application/json': WalletChartResponse
          }
        }
      }
    }
  }
  '/wallet/charts': {
    /**
     * Value of several wallets over time
     *
     * Points as in /wallet/chart. With `aggregated`, one entry with the sums over all wallets; each wallet and network counts once. Otherwise one entry per item of `wallets`. A wallet without a complete history has a `message`; its first read starts the sync. A wallet whose sync fails on our side is not charged.
     *
     * Costs 40 credits for each network or wallet named, 400 for `all`.
     */
    get: {
      parameters: {
        query: {
          type: '24h' | '1w' | '1m' | '3m' | '6m' | '1y' | 'all'
          /** Comma-separated `connectionId:address` or `blockchain:address` pairs; the network may be `all` */
          wallets: Array<string>
          aggregated?: 'true' | 'false'
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Array<WalletChart>
          }
        }
      }
    }
  }
  '/wallet/pl': {
    /**
     * Cost and profit of each coin of a wallet
     *
     * Figures at average cost, on one network or on all synced networks. Includes coins that the wallet no longer holds, with their profit. Figures in BTC and ETH use the prices of each instant. Realised plus unrealised profit of all coins equals the profit of /wallet/pl/history. Returns 409 until a first sync is complete; the first read of a wallet starts it. `meta.pending` names networks that are still missing.
     *
     * Costs 25 credits for each network or wallet named, 250 for `all`.
     */
    get: {
      parameters: {
        query: {
          /** EVM address (mixed case must match its EIP-55 checksum), Bitcoin address, xpub, ypub or zpub, Solana address, or an address or extended key of a network beyond `all` */
          address: string
          /** Return only this coin */
          coinId?: string
          /** Page number, from 1 */
          page?: number
          /** Items per page */
          limit?: number
          /** One network, several separated by commas, or `all` (Bitcoin, Solana and ten EVM networks); wins over `blockchain`. Names in /wallet/blockchains and /coins and codes of CCXT are accepted too, in any case */
          connectionId?: Array<'ethereum' | 'binancesmartchain' | 'base-wallet' | 'polygon-wallet' | 'arbitrum-wallet' | 'optimism-wallet' | 'avalanche-wallet' | 'hyperevm-wallet' | 'monad-wallet' | 'plasma-wallet' | 'bitcoin' | 'solana' | 'unichain-wallet' | 'worldchain-wallet' | 'ink-wallet' | 'soneium-wallet' | 'mode-wallet' | 'zora-wallet' | 'lisk-wallet' | 'bob-wallet' | 'superseed-wallet' | 'blast-wallet' | 'manta-wallet' | 'katana-wallet' | 'opbnb-wallet' | 'celo-wallet' | 'mantle-wallet' | 'shape-wallet' | 'arbitrum-nova-wallet' | 'apechain-wallet' | 'linea-wallet' | 'scroll-wallet' | 'zksync-wallet' | 'abstract-wallet' | 'polygon-zkevm-wallet' | 'taiko-wallet' | 'metis-wallet' | 'megaeth-wallet' | 'xlayer-wallet' | 'etherlink-wallet' | 'gnosis-wallet' | 'sonic-wallet' | 'fantom-wallet' | 'berachain-wallet' | 'sei-wallet' | 'cronos-wallet' | 'moonbeam-wallet' | 'moonriver-wallet' | 'ronin-wallet' | 'core-wallet' | 'flare-wallet' | 'rootstock-wallet' | 'aurora-wallet' | 'litecoin' | 'dogecoin' | 'bitcoin-cash' | 'tron' | 'xrpl' | 'sui' | 'ton' | 'cardano' | 'cosmos' | 'osmosis' | 'celestia' | 'all'>
          /** One blockchain, several separated by commas, or `all`; used when `connectionId` is absent */
          blockchain?: Array<'ethereum' | 'binance_smart' | 'base' | 'polygon-pos' | 'arbitrum-one' | 'optimism' | 'avalanche' | 'hyperevm' | 'monad' | 'plasma' | 'bitcoin' | 'solana' | 'unichain' | 'world-chain' | 'ink' | 'soneium' | 'mode' | 'zora-network' | 'lisk' | 'bob-network' | 'superseed' | 'blast' | 'manta-pacific' | 'katana' | 'opbnb' | 'celo' | 'mantle' | 'shape' | 'arbitrum-nova' | 'apechain' | 'linea' | 'scroll' | 'zksync' | 'abstract' | 'polygon-zkevm' | 'taiko' | 'metis-andromeda' | 'megaeth' | 'x-layer' | 'etherlink' | 'xdai' | 'sonic' | 'fantom' | 'berachain' | 'sei-v2' | 'cronos' | 'moonbeam' | 'moonriver' | 'ronin' | 'core' | 'flare-network' | 'rootstock' | 'aurora' | 'litecoin' | 'dogecoin' | 'bitcoin-cash' | 'tron' | 'xrp' | 'sui' | 'ton' | 'cardano' | 'cosmos' | 'osmosis' | 'celestia' | 'all'>
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Holdings
          }
        }
      }
    }
  }
  '/wallet/pl/history': {
    /**
     * Profit and loss of a wallet over time
     *
     * Cash-flow-adjusted profit or loss per UTC period. Pass `range`, or `from` and `to`; the window may cut off the first and last period. Empty before the first transaction, and until the history of a network is complete: `meta.pending` names those that are not. The first read of a wallet starts its sync. Each amount is converted at the rate of its own time.
     *
     * Costs 25 credits for each network or wallet named, 250 for `all`.
     */
    get: {
      parameters: {
        query: {
          /** EVM address (mixed case must match its EIP-55 checksum), Bitcoin address, xpub, ypub or zpub, Solana address, or an address or extended key of a network beyond `all` */
          address: string
          /** Length of the periods; `hourly` only within the latest 24 hours */
          interval: 'hourly' | 'daily' | 'weekly' | 'monthly' | 'yearly'
          /** Preset range that ends now. Send this or `from` and `to` */
          range?: '24h' | '1w' | '1m' | '3m' | '6m' | '1y' | 'all'
          /** Inclusive start; needs `to` */
          from?: string
          /** Exclusive end; needs `from` */
          to?: string
          /** Currency of the values */
          currency?: string
          /** One network, several separated by commas, or `all` (Bitcoin, Solana and ten EVM networks); wins over `blockchain`. Names in /wallet/blockchains and /coins and codes of CCXT are accepted too, in any case */
          connectionId?: Array<'ethereum' | 'binancesmartchain' | 'base-wallet' | 'polygon-wallet' | 'arbitrum-wallet' | 'optimism-wallet' | 'avalanche-wallet' | 'hyperevm-wallet' | 'monad-wallet' | 'plasma-wallet' | 'bitcoin' | 'solana' | 'unichain-wallet' | 'worldchain-wallet' | 'ink-wallet' | 'soneium-wallet' | 'mode-wallet' | 'zora-wallet' | 'lisk-wallet' | 'bob-wallet' | 'superseed-wallet' | 'blast-wallet' | 'manta-wallet' | 'katana-wallet' | 'opbnb-wallet' | 'celo-wallet' | 'mantle-wallet' | 'shape-wallet' | 'arbitrum-nova-wallet' | 'apechain-wallet' | 'linea-wallet' | 'scroll-wallet' | 'zksync-wallet' | 'abstract-wallet' | 'polygon-zkevm-wallet' | 'taiko-wallet' | 'metis-wallet' | 'megaeth-wallet' | 'xlayer-wallet' | 'etherlink-wallet' | 'gnosis-wallet' | 'sonic-wallet' | 'fantom-wallet' | 'berachain-wallet' | 'sei-wallet' | 'cronos-wallet' | 'moonbeam-wallet' | 'moonriver-wallet' | 'ronin-wallet' | 'core-wallet' | 'flare-wallet' | 'rootstock-wallet' | 'aurora-wallet' | 'litecoin' | 'dogecoin' | 'bitcoin-cash' | 'tron' | 'xrpl' | 'sui' | 'ton' | 'cardano' | 'cosmos' | 'osmosis' | 'celestia' | 'all'>
          /** One blockchain, several separated by commas, or `all`; used when `connectionId` is absent */
          blockchain?: Array<'ethereum' | 'binance_smart' | 'base' | 'polygon-pos' | 'arbitrum-one' | 'optimism' | 'avalanche' | 'hyperevm' | 'monad' | 'plasma' | 'bitcoin' | 'solana' | 'unichain' | 'world-chain' | 'ink' | 'soneium' | 'mode' | 'zora-network' | 'lisk' | 'bob-network' | 'superseed' | 'blast' | 'manta-pacific' | 'katana' | 'opbnb' | 'celo' | 'mantle' | 'shape' | 'arbitrum-nova' | 'apechain' | 'linea' | 'scroll' | 'zksync' | 'abstract' | 'polygon-zkevm' | 'taiko' | 'metis-andromeda' | 'megaeth' | 'x-layer' | 'etherlink' | 'xdai' | 'sonic' | 'fantom' | 'berachain' | 'sei-v2' | 'cronos' | 'moonbeam' | 'moonriver' | 'ronin' | 'core' | 'flare-network' | 'rootstock' | 'aurora' | 'litecoin' | 'dogecoin' | 'bitcoin-cash' | 'tron' | 'xrp' | 'sui' | 'ton' | 'cardano' | 'cosmos' | 'osmosis' | 'celestia' | 'all'>
        }
      }
      responses: {
        200: {
          content: {
            'application/json': PlHistory
          }
        }
      }
    }
  }
  '/wallet/explain': {
    /**
     * Breakdown of one figure of a wallet
     *
     * Explains a point of /wallet/pl/history, given by its `date` and the same `interval`, window and `currency`: the values at both ends with every position and price, and each flow. Explains a row of /wallet/pl, given by `coinId` alone: the months that add up to it, the open lots and the last 24 hours. With `month`: each entry of that month with its prices and the lots it used. Amounts are exact decimals that add up to the figure to the last digit. Returns 409 until a first sync is complete, which the first read starts, and while the figures do not include the latest changes.
     *
     * Costs 25 credits for each network or wallet named, 250 for `all`.
     */
    get: {
      parameters: {
        query: {
          /** EVM address (mixed case must match its EIP-55 checksum), Bitcoin address, xpub, ypub or zpub, Solana address, or an address or extended key of a network beyond `all` */
          address: string
          /** Interval of the history that contains the point */
          interval?: 'hourly' | 'daily' | 'weekly' | 'monthly' | 'yearly'
          /** Preset range that ends now. Send this or `from` and `to` */
          range?: '24h' | '1w' | '1m' | '3m' | '6m' | '1y' | 'all'
          /** Inclusive start; needs `to` */
          from?: string
          /** Exclusive end; needs `from` */
          to?: string
          /** Currency of the values */
          currency?: string
          /** Point to explain: its `date` in the history of the same window */
          date?: string
          /** Coin to explain, instead of a point of the history */
          coinId?: string
          /** Month (YYYY-MM) whose entries or flows to list */
          month?: string
          /** Number of one entry of `month`. The pages then list its lots */
          entry?: number
          /** Page number, from 1 */
          page?: number
          /** Items per page */
          limit?: number
          /** One network, several separated by commas, or `all` (Bitcoin, Solana and ten EVM networks); wins over `blockchain`. Names in /wallet/blockchains and /coins and codes of CCXT are accepted too, in any case */
          connectionId?: Array<'ethereum' | 'binancesmartchain' | 'base-wallet' | 'polygon-wallet' | 'arbitrum-wallet' | 'optimism-wallet' | 'avalanche-wallet' | 'hyperevm-wallet' | 'monad-wallet' | 'plasma-wallet' | 'bitcoin' | 'solana' | 'unichain-wallet' | 'worldchain-wallet' | 'ink-wallet' | 'soneium-wallet' | 'mode-wallet' | 'zora-wallet' | 'lisk-wallet' | 'bob-wallet' | 'superseed-wallet' | 'blast-wallet' | 'manta-wallet' | 'katana-wallet' | 'opbnb-wallet' | 'celo-wallet' | 'mantle-wallet' | 'shape-wallet' | 'arbitrum-nova-wallet' | 'apechain-wallet' | 'linea-wallet' | 'scroll-wallet' | 'zksync-wallet' | 'abstract-wallet' | 'polygon-zkevm-wallet' | 'taiko-wallet' | 'metis-wallet' | 'megaeth-wallet' | 'xlayer-wallet' | 'etherlink-wallet' | 'gnosis-wallet' | 'sonic-wallet' | 'fantom-wallet' | 'berachain-wallet' | 'sei-wallet' | 'cronos-wallet' | 'moonbeam-wallet' | 'moonriver-wallet' | 'ronin-wallet' | 'core-wallet' | 'flare-wallet' | 'rootstock-wallet' | 'aurora-wallet' | 'litecoin' | 'dogecoin' | 'bitcoin-cash' | 'tron' | 'xrpl' | 'sui' | 'ton' | 'cardano' | 'cosmos' | 'osmosis' | 'celestia' | 'all'>
          /** One blockchain, several separated by commas, or `all`; used when `connectionId` is absent */
          blockchain?: Array<'ethereum' | 'binance_smart' | 'base' | 'polygon-pos' | 'arbitrum-one' | 'optimism' | 'avalanche' | 'hyperevm' | 'monad' | 'plasma' | 'bitcoin' | 'solana' | 'unichain' | 'world-chain' | 'ink' | 'soneium' | 'mode' | 'zora-network' | 'lisk' | 'bob-network' | 'superseed' | 'blast' | 'manta-pacific' | 'katana' | 'opbnb' | 'celo' | 'mantle' | 'shape' | 'arbitrum-nova' | 'apechain' | 'linea' | 'scroll' | 'zksync' | 'abstract' | 'polygon-zkevm' | 'taiko' | 'metis-andromeda' | 'megaeth' | 'x-layer' | 'etherlink' | 'xdai' | 'sonic' | 'fantom' | 'berachain' | 'sei-v2' | 'cronos' | 'moonbeam' | 'moonriver' | 'ronin' | 'core' | 'flare-network' | 'rootstock' | 'aurora' | 'litecoin' | 'dogecoin' | 'bitcoin-cash' | 'tron' | 'xrp' | 'sui' | 'ton' | 'cardano' | 'cosmos' | 'osmosis' | 'celestia' | 'all'>
        }
      }
      responses: {
        200: {
          content: {
            'application/json': ExplainedPoint | ExplainedCoin
          }
        }
      }
    }
  }
  '/wallet/defi': {
    /**
     * Positions of a wallet in DeFi protocols
     *
     * Positions are read on chain after each sync of the wallet, each network at one block (on Solana from one slot on), and valued at current prices. A protocol that does not answer is shown as last read; X-Data-As-Of is the time of the oldest read or price. `meta.pending` names the networks whose positions have not been read. The first read of a wallet starts its sync.
     *
     * Costs 400 credits for each network or wallet named, 4000 for `all`. Paid plans only.
     */
    get: {
      parameters: {
        query: {
          /** EVM address (mixed case must match its EIP-55 checksum), Bitcoin address, xpub, ypub or zpub, Solana address, or an address or extended key of a network beyond `all` */
          address: string
          /** One network, several separated by commas, or `all` (Bitcoin, Solana and ten EVM networks); wins over `blockchain`. Names in /wallet/blockchains and /coins and codes of CCXT are accepted too, in any case */
          connectionId?: Array<'ethereum' | 'binancesmartchain' | 'base-wallet' | 'polygon-wallet' | 'arbitrum-wallet' | 'optimism-wallet' | 'avalanche-wallet' | 'hyperevm-wallet' | 'monad-wallet' | 'plasma-wallet' | 'bitcoin' | 'solana' | 'unichain-wallet' | 'worldchain-wallet' | 'ink-wallet' | 'soneium-wallet' | 'mode-wallet' | 'zora-wallet' | 'lisk-wallet' | 'bob-wallet' | 'superseed-wallet' | 'blast-wallet' | 'manta-wallet' | 'katana-wallet' | 'opbnb-wallet' | 'celo-wallet' | 'mantle-wallet' | 'shape-wallet' | 'arbitrum-nova-wallet' | 'apechain-wallet' | 'linea-wallet' | 'scroll-wallet' | 'zksync-wallet' | 'abstract-wallet' | 'polygon-zkevm-wallet' | 'taiko-wallet' | 'metis-wallet' | 'megaeth-wallet' | 'xlayer-wallet' | 'etherlink-wallet' | 'gnosis-wallet' | 'sonic-wallet' | 'fantom-wallet' | 'berachain-wallet' | 'sei-wallet' | 'cronos-wallet' | 'moonbeam-wallet' | 'moonriver-wallet' | 'ronin-wallet' | 'core-wallet' | 'flare-wallet' | 'rootstock-wallet' | 'aurora-wallet' | 'litecoin' | 'dogecoin' | 'bitcoin-cash' | 'tron' | 'xrpl' | 'sui' | 'ton' | 'cardano' | 'cosmos' | 'osmosis' | 'celestia' | 'all'>
          /** One blockchain, several separated by commas, or `all`; used when `connectionId` is absent */
          blockchain?: Array<'ethereum' | 'binance_smart' | 'base' | 'polygon-pos' | 'arbitrum-one' | 'optimism' | 'avalanche' | 'hyperevm' | 'monad' | 'plasma' | 'bitcoin' | 'solana' | 'unichain' | 'world-chain' | 'ink' | 'soneium' | 'mode' | 'zora-network' | 'lisk' | 'bob-network' | 'superseed' | 'blast' | 'manta-pacific' | 'katana' | 'opbnb' | 'celo' | 'mantle' | 'shape' | 'arbitrum-nova' | 'apechain' | 'linea' | 'scroll' | 'zksync' | 'abstract' | 'polygon-zkevm' | 'taiko' | 'metis-andromeda' | 'megaeth' | 'x-layer' | 'etherlink' | 'xdai' | 'sonic' | 'fantom' | 'berachain' | 'sei-v2' | 'cronos' | 'moonbeam' | 'moonriver' | 'ronin' | 'core' | 'flare-network' | 'rootstock' | 'aurora' | 'litecoin' | 'dogecoin' | 'bitcoin-cash' | 'tron' | 'xrp' | 'sui' | 'ton' | 'cardano' | 'cosmos' | 'osmosis' | 'celestia' | 'all'>
        }
      }
      responses: {
        200: {
          content: {
            'application/json': WalletDefiResponse
          }
        }
      }
    }
  }
  '/exchange/support': {
    /**
     * Exchanges whose accounts can be connected
     *
     * Costs 1 credits.
     */
    get: {
      parameters: {}
      responses: {
        200: {
          content: {
            'application/json': Array<ExchangeSupport>
          }
        }
      }
    }
  }
  '/exchange/balance': {
    /**
     * Connect an exchange account and return its balances
     *
     * The credentials are tried at the exchange before anything is charged. Returns 400 when the exchange refuses them or says that the key may do more than read. Credentials are stored encrypted and never returned. The same key gives the same portfolio id. `balances` is empty until the exchange has answered: repeat the request. The history is read after PATCH /exchange/sync.
     *
     * Costs 10 credits.
     */
    post: {
      parameters: {
        header?: {
          /** Repeated requests with the same key and parameters take effect once, are charged once and get the first answer */
          'Idempotency-Key'?: string
        }
      }
      requestBody: {
        content: {
          'application/json': PostExchangeBalanceBody
        }
      }
      responses: {
        200: {
          content: {
            'application/json': PostExchangeBalanceResponse
          }
        }
      }
    }
  }
  '/exchange/status': {
    /**
     * Sync status of an exchange account
     *
     * `synced` when a sync has completed since the last PATCH /exchange/sync and the figures are computed.
     *
     * Costs 3 credits.
     */
    get: {
      parameters: {
        query: {
          /** Id of the portfolio, as returned when it was connected */
          portfolioId: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': SyncStatus
          }
        }
      }
    }
  }
  '/exchange/sync': {
    /**
     * Start the sync of an exchange account
     *
     * Reads fills, deposits, withdrawals and balances in the background: poll GET /exchange/status until `synced`. Only one sync runs per account, however often it is requested.
     *
     * Costs 20 credits.
     */
    patch: {
      parameters: {
        query: {
          /** Id of the portfolio, as returned when it was connected */
          portfolioId: string
        }
        header?: {
          /** Repeated requests with the same key and parameters take effect once, are charged once and get the first answer */
          'Idempotency-Key'?: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Success
          }
        }
      }
    }
  }
  '/exchange/transactions': {
    /**
     * Transactions of an exchange account, newest first
     *
     * Settled fills, conversions, deposits and withdrawals. Returns 409 before the first sync.
     *
     * Costs 4 credits.
     */
    get: {
      parameters: {
        query: {
          /** Id of the portfolio, as returned when it was connected */
          portfolioId: string
          /** Page number, from 1 */
          page?: number
          /** Items per page */
          limit?: number
          /** Inclusive start */
          from?: string
          /** Exclusive end, after `from` */
          to?: string
          /** Currency of the values */
          currency?: string
          types?: Array<'deposit' | 'withdraw' | 'approve' | 'executed' | 'balance' | 'fee'>
          hideUnidentifiedCoins?: 'true' | 'false' | '1' | '0'
        }
      }
      responses: {
        200: {
          content: {
            'application/json': WalletTransactionsResponse
          }
        }
      }
    }
  }
  '/exchange/chart': {
    /**
     * Value of an exchange account over time
     *
     * `24h` returns hourly points; longer ranges return daily points (00:00 UTC). The last point is the current value, at the newest quotes. Each point uses the prices of its instant. The chart starts at the first transaction. Without points until the history is complete: `meta.pending` then has the id.
     *
     * Costs 50 credits.
     */
    get: {
      parameters: {
        query: {
          /** Id of the portfolio, as returned when it was connected */
          portfolioId: string
          type: '24h' | '1w' | '1m' | '3m' | '6m' | '1y' | 'all'
        }
      }
      responses: {
        200: {
          content: {
            'application/json': WalletChartResponse
          }
        }
      }
    }
  }
  '/exchange/pl': {
    /**
     * Cost and profit of the coins of an exchange account
     *
     * Uses average cost and includes sold coins with their realised profit. As in /wallet/pl, realised plus unrealised profit of all coins equals the profit of /exchange/pl/history. Returns 409 before the first sync.
     *
     * Costs 25 credits.
     */
    get: {
      parameters: {
        query: {
          /** Id of the portfolio, as returned when it was connected */
          portfolioId: string
          /** Return only this coin */
          coinId?: string
          /** Page number, from 1 */
          page?: number
          /** Items per page */
          limit?: number
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Holdings
          }
        }
      }
    }
  }
  '/exchange/pl/history': {
    /**
     * Profit and loss of an exchange account over time
     *
     * Cash-flow-adjusted profit in UTC periods, as in /wallet/pl/history. Send `range`, or `from` and `to`. Deposits, withdrawals, adjustments and balances that the history does not explain are flows; rewards are profit. Empty until the history is complete: `meta.pending` then has the id.
     *
     * Costs 25 credits.
     */
    get: {
      parameters: {
        query: {
          /** Id of the portfolio, as returned when it was connected */
          portfolioId: string
          /** Length of the periods; `hourly` only within the latest 24 hours */
          interval: 'hourly' | 'daily' | 'weekly' | 'monthly' | 'yearly'
          /** Preset range that ends now. Send this or `from` and `to` */
          range?: '24h' | '1w' | '1m' | '3m' | '6m' | '1y' | 'all'
          /** Inclusive start; needs `to` */
          from?: string
          /** Exclusive end; needs `from` */
          to?: string
          /** Currency of the values */
          currency?: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': PlHistory
          }
        }
      }
    }
  }
  '/portfolio/list': {
    /**
     * Portfolios of the account
     *
     * Wallets, exchange accounts and manual portfolios; the oldest first.
     *
     * Costs 5 credits.
     */
    get: {
      parameters: {}
      responses: {
        200: {
          content: {
            'application/json': PortfolioListResponse
          }
        }
      }
    }
  }
  '/portfolio/value': {
    /**
     * Value, cost and profit of a portfolio
     *
     * Sums over the coins of /portfolio/coins. In every currency, cost and proceeds use the rates of their own instants, values the rate of now, so that `allTimeProfitLoss` is the sum of /portfolio/pl/history.
     *
     * Costs 10 credits.
     */
    get: {
      parameters: {
        query?: {
          /** Id of one portfolio; without it and without a share token, all portfolios of the account combined */
          portfolioId?: string
          /** Token of a shared portfolio; the header `sharetoken` wins */
          shareToken?: string
          /** Passcode of six digits, if the shared portfolio has one; the header `passcode` wins */
          passcode?: string
          /** Answer as of this instant, from the data known then: YYYY-MM-DD (UTC midnight) or RFC 3339 timestamp with its zone, not in the future */
          asOf?: string
          /** Currency of the values */
          currency?: string
        }
        header?: {
          /** Token of a shared portfolio: what follows `/p/` in its link */
          sharetoken?: string
          /** Passcode of six digits, if the shared portfolio has one */
          passcode?: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': PortfolioValueResponse
          }
        }
      }
    }
  }
  '/portfolio/coins': {
    /**
     * Coins of a portfolio with their cost and profit
     *
     * Uses the cost method of the portfolio, or of the account when all its portfolios are combined. The most valuable coin comes first; coins held in the past are included. Figures in BTC and ETH use the prices of each instant. Realised plus unrealised profit over all coins equals the profit of /portfolio/pl/history. Until the history of a portfolio is complete, its balances count as received at this moment, and `meta.pending` names it.
     *
     * Costs 8 credits.
     */
    get: {
      parameters: {
        query?: {
          /** Id of one portfolio; without it and without a share token, all portfolios of the account combined */
          portfolioId?: string
          /** Token of a shared portfolio; the header `sharetoken` wins */
          shareToken?: string
          /** Passcode of six digits, if the shared portfolio has one; the header `passcode` wins */
          passcode?: string
          /** Answer as of this instant, from the data known then: YYYY-MM-DD (UTC midnight) or RFC 3339 timestamp with its zone, not in the future */
          asOf?: string
          /** Page number, from 1 */
          page?: number
          /** Items per page */
          limit?: number
          /** Adds the four risk scores of coins that have them */
          includeRiskScore?: 'true' | 'false'
        }
        header?: {
          /** Token of a shared portfolio: what follows `/p/` in its link */
          sharetoken?: string
          /** Passcode of six digits, if the shared portfolio has one */
          passcode?: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': PortfolioCoinsResponse
          }
        }
      }
    }
  }
  '/portfolio/chart': {
    /**
     * Value of a portfolio over time
     *
     * Hourly points for `24h`, daily points (00:00 UTC) for longer ranges; the last point is now, at the newest quotes. Each point uses the prices of its own instant. Starts at the first transaction. Until the history of a portfolio is complete, only the last point contains its balances, and `meta.pending` names it.
     *
     * Costs 10 credits.
     */
    get: {
      parameters: {
        query: {
          /** Id of one portfolio; without it and without a share token, all portfolios of the account combined */
          portfolioId?: string
          /** Token of a shared portfolio; the header `sharetoken` wins */
          shareToken?: string
          /** Passcode of six digits, if the shared portfolio has one; the header `passcode` wins */
          passcode?: string
          type: '24h' | '1w' | '1m' | '3m' | '6m' | '1y' | 'all'
        }
        header?: {
          /** Token of a shared portfolio: what follows `/p/` in its link */
          sharetoken?: string
          /** Passcode of six digits, if the shared portfolio has one */
          passcode?: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': WalletChartResponse
          }
        }
      }
    }
  }
  '/portfolio/transactions': {
    /**
     * Transactions of a portfolio, newest first
     *
     * One list of wallet, exchange and manual transactions. `totalWorth` uses price and rate of the instant of the transaction, `currentValue` those of now. Without the transactions of portfolios whose history is not complete: `meta.pending` names them.
     *
     * Costs 4 credits.
     */
    get: {
      parameters: {
        query: {
          /** Id of one portfolio; without it and without a share token, all portfolios of the account combined */
          portfolioId?: string
          /** Token of a shared portfolio; the header `sharetoken` wins */
          shareToken?: string
          /** Passcode of six digits, if the shared portfolio has one; the header `passcode` wins */
          passcode?: string
          /** Currency of the values */
          currency: string
          /** Page number, from 1 */
          page?: number
          /** Items per page */
          limit?: number
          /** Transactions that moved this coin */
          coinId?: string
          /** Inclusive start */
          from?: string
          /** Exclusive end, after `from` */
          to?: string
        }
        header?: {
          /** Token of a shared portfolio: what follows `/p/` in its link */
          sharetoken?: string
          /** Passcode of six digits, if the shared portfolio has one */
          passcode?: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': PortfolioTransactionsResponse
          }
        }
      }
    }
  }
  '/portfolio/defi': {
    /**
     * Positions of a portfolio in DeFi protocols
     *
     * Positions of its wallets, as in /wallet/defi; none without a wallet. `meta.pending` names portfolios whose positions have not been read.
     *
     * Costs 200 credits. Paid plans only.
     */
    get: {
      parameters: {
        query?: {
          /** Id of one portfolio; without it and without a share token, all portfolios of the account combined */
          portfolioId?: string
          /** Token of a shared portfolio; the header `sharetoken` wins */
          shareToken?: string
          /** Passcode of six digits, if the shared portfolio has one; the header `passcode` wins */
          passcode?: string
        }
        header?: {
          /** Token of a shared portfolio: what follows `/p/` in its link */
          sharetoken?: string
          /** Passcode of six digits, if the shared portfolio has one */
          passcode?: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': WalletDefiResponse
          }
        }
      }
    }
  }
  '/portfolio/snapshot/items': {
    /**
     * Holdings of a portfolio at each UTC midnight
     *
     * One snapshot per UTC day, taken at its start and never changed, even when transactions of earlier days are added or found later. Days before the portfolio was added are filled from its history. The oldest comes first. Changes compare with the previous snapshot; those of the first compare with zero. A coin that is gone is listed once more. `meta.pending` names portfolios whose history is not complete; they have no snapshots yet.
     *
     * Costs 500 credits.
     */
    get: {
      parameters: {
        query?: {
          /** Id of one portfolio; without it and without a share token, all portfolios of the account combined */
          portfolioId?: string
          /** Token of a shared portfolio; the header `sharetoken` wins */
          shareToken?: string
          /** Passcode of six digits, if the shared portfolio has one; the header `passcode` wins */
          passcode?: string
          /** Answer as of this instant, from the data known then: YYYY-MM-DD (UTC midnight) or RFC 3339 timestamp with its zone, not in the future */
          asOf?: string
          /** Page number, from 1 */
          page?: number
          /** Items per page */
          limit?: number
          /** First day */
          from?: string
          /** Last day, not before `from` */
          to?: string
          /** Only these coins, also in the totals */
          coinIds?: Array<string>
        }
        header?: {
          /** Token of a shared portfolio: what follows `/p/` in its link */
          sharetoken?: string
          /** Passcode of six digits, if the shared portfolio has one */
          passcode?: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': PortfolioSnapshotItemsResponse
          }
        }
      }
    }
  }
  '/portfolio/pl/history': {
    /**
     * Profit and loss of a portfolio over time
     *
     * As in /wallet/pl/history: cash-flow-adjusted, in UTC periods. Pass `range`, or `from` and `to`. Transfers between combined portfolios do not count as flows. Empty before the first transaction, and until a history is complete: `meta.pending` names portfolios whose history is not.
     *
     * Costs 25 credits.
     */
    get: {
      parameters: {
        query: {
          /** Id of one portfolio; without it and without a share token, all portfolios of the account combined */
          portfolioId?: string
          /** Token of a shared portfolio; the header `sharetoken` wins */
          shareToken?: string
          /** Passcode of six digits, if the shared portfolio has one; the header `passcode` wins */
          passcode?: string
          /** Length of the periods; `hourly` only within the latest 24 hours */
          interval: 'hourly' | 'daily' | 'weekly' | 'monthly' | 'yearly'
          /** Preset range that ends now. Send this or `from` and `to` */
          range?: '24h' | '1w' | '1m' | '3m' | '6m' | '1y' | 'all'
          /** Inclusive start; needs `to` */
          from?: string
          /** Exclusive end; needs `from` */
          to?: string
          /** Currency of the values */
          currency?: string
        }
        header?: {
          /** Token of a shared portfolio: what follows `/p/` in its link */
          sharetoken?: string
          /** Passcode of six digits, if the shared portfolio has one */
          passcode?: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': PlHistory
          }
        }
      }
    }
  }
  '/portfolio/explain': {
    /**
     * Breakdown of one figure of a portfolio
     *
     * As in /wallet/explain: explains a point of /portfolio/pl/history or a row of /portfolio/coins. 409 until a first history is complete, and while the figures do not include the latest change.
     *
     * Costs 25 credits.
     */
    get: {
      parameters: {
        query?: {
          /** Id of one portfolio; without it and without a share token, all portfolios of the account combined */
          portfolioId?: string
          /** Token of a shared portfolio; the header `sharetoken` wins */
          shareToken?: string
          /** Passcode of six digits, if the shared portfolio has one; the header `passcode` wins */
          passcode?: string
          /** Interval of the history that contains the point */
          interval?: 'hourly' | 'daily' | 'weekly' | 'monthly' | 'yearly'
          /** Preset range that ends now. Send this or `from` and `to` */
          range?: '24h' | '1w' | '1m' | '3m' | '6m' | '1y' | 'all'
          /** Inclusive start; needs `to` */
          from?: string
          /** Exclusive end; needs `from` */
          to?: string
          /** Currency of the values */
          currency?: string
          /** Point to explain: its `date` in the history of the same window */
          date?: string
          /** Coin to explain, instead of a point of the history */
          coinId?: string
          /** Month (YYYY-MM) whose entries or flows to list */
          month?: string
          /** Number of one entry of `month`. The pages then list its lots */
          entry?: number
          /** Page number, from 1 */
          page?: number
          /** Items per page */
          limit?: number
        }
        header?: {
          /** Token of a shared portfolio: what follows `/p/` in its link */
          sharetoken?: string
          /** Passcode of six digits, if the shared portfolio has one */
          passcode?: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': ExplainedPoint | ExplainedCoin
          }
        }
      }
    }
  }
  '/portfolio/report': {
    /**
     * Disposals and income of a portfolio in a year, for a tax report
     *
     * A row for each lot that a sale, send or fee took, with both transactions, by the cost method of the portfolio, or of the account when all its portfolios are combined. Only combined portfolios know their own transfers: in the report of one, a transfer to another is a disposal, marked `isOwnTransfer`. With another currency than USD, proceeds convert at the rate of the disposal and cost at that of the acquisition; `average` has USD alone. Income has no cost, so its worth is in the gains again when it is sold: `incomeInGains` says how much, unless the method is `average`. With `Accept: text/csv` the answer is a line for each lot and receipt. It is no tax advice: read `warnings` and `notes`. 409 until a first history is complete, and while figures or lots are being computed.
     *
     * Costs 25 credits.
     */
    get: {
      parameters: {
        query: {
          /** Id of one portfolio; without it and without a share token, all portfolios of the account combined */
          portfolioId?: string
          /** Token of a shared portfolio; the header `sharetoken` wins */
          shareToken?: string
          /** Passcode of six digits, if the shared portfolio has one; the header `passcode` wins */
          passcode?: string
          /** Calendar year in UTC */
          year: number
          /** Country whose line between short-term and long-term and whose notes apply; uk is refused, because shares are pooled there */
          country?: 'generic' | 'us' | 'de' | 'uk'
          /** Currency of the values */
          currency?: string
        }
        header?: {
          /** Token of a shared portfolio: what follows `/p/` in its link */
          sharetoken?: string
          /** Passcode of six digits, if the shared portfolio has one */
          passcode?: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': PortfolioReportResponse
          }
        }
      }
    }
  }
  '/portfolio/status': {
    /**
     * Whether a portfolio is synced
     *
     * `synced` once the wallet or exchange account has been synced since the last sync request, and the figures of the portfolio and of the account are computed, with the DeFi positions of a wallet. Then all reads of it agree, and none says `X-Sync-Status: syncing`. Needs `portfolioId` or a share token.
     *
     * Costs 3 credits.
     */
    get: {
      parameters: {
        query?: {
          /** Id of the portfolio, as returned when it was connected */
          portfolioId?: string
          /** Token of a shared portfolio; the header `sharetoken` wins */
          shareToken?: string
          /** Passcode of six digits, if the shared portfolio has one; the header `passcode` wins */
          passcode?: string
        }
        header?: {
          /** Token of a shared portfolio: what follows `/p/` in its link */
          sharetoken?: string
          /** Passcode of six digits, if the shared portfolio has one */
          passcode?: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': PortfolioStatusResponse
          }
        }
      }
    }
  }
  '/portfolio/wallet': {
    /**
     * Connect a wallet on one network
     *
     * Starts a sync unless the wallet was synced in the last 30 seconds or is followed with each block, and returns when the first balances are stored, at most after the wait of a first read. Poll GET /portfolio/status until the history is `synced`. Connecting the same wallet on the same network again returns the same portfolio id; a `name` then renames the portfolio.
     *
     * Costs 40 credits.
     */
    post: {
      parameters: {
        header?: {
          /** Repeated requests with the same key and parameters take effect once, are charged once and get the first answer */
          'Idempotency-Key'?: string
        }
      }
      requestBody: {
        content: {
          'application/json': PostPortfolioWalletBody
        }
      }
      responses: {
        200: {
          content: {
            'application/json': ConnectedPortfolio
          }
        }
      }
    }
  }
  '/portfolio/exchange': {
    /**
     * Connect an exchange account
     *
     * Connects as POST /exchange/balance does and returns the same portfolio id. Starts a sync unless the account was synced in the last 30 seconds: poll GET /portfolio/status until `synced`. 503 while the exchange has not answered yet: retry.
     *
     * Costs 10 credits.
     */
    post: {
      parameters: {
        header?: {
          /** Repeated requests with the same key and parameters take effect once, are charged once and get the first answer */
          'Idempotency-Key'?: string
        }
      }
      requestBody: {
        content: {
          'application/json': PostExchangeBalanceBody
        }
      }
      responses: {
        200: {
          content: {
            'application/json': ConnectedPortfolio
          }
        }
      }
    }
  }
  '/connect/redeem': {
    /**
     * Redeem the one-time code of a connect kit
     *
     * A user who connected something with a connect kit of the account brings a code to your app. Send it from your server within 10 minutes. Only then a wallet is connected, and the sync starts, as with POST /portfolio/wallet and POST /portfolio/exchange. 404 for a code that is unknown, expired, redeemed, or of a kit of another account. With an `Idempotency-Key` a repeated request gets the first answer.
     *
     * Costs 40 credits.
     */
    post: {
      parameters: {
        header?: {
          /** Repeated requests with the same key and parameters take effect once, are charged once and get the first answer */
          'Idempotency-Key'?: string
        }
      }
      requestBody: {
        content: {
          'application/json': PostConnectRedeemBody
        }
      }
      responses: {
        200: {
          content: {
            'application/json': PostConnectRedeemResponse
          }
        }
      }
    }
  }
  '/portfolio/transaction': {
    /**
     * Add a transaction to a manual portfolio
     *
     * The figures of the portfolio are recomputed from the day of the transaction on; GET /portfolio/status returns `synced` when they are ready. When you sell more than is held, the missing amount is added at that instant. PATCH and DELETE take the `id` of the answer.
     *
     * Costs 4 credits.
     */
    post: {
      parameters: {
        query?: {
          /** Token of a shared portfolio; the header `sharetoken` wins */
          shareToken?: string
          /** Passcode of six digits, if the shared portfolio has one; the header `passcode` wins */
          passcode?: string
        }
        header?: {
          /** Token of a shared portfolio: what follows `/p/` in its link */
          sharetoken?: string
          /** Passcode of six digits, if the shared portfolio has one */
          passcode?: string
          /** Repeated requests with the same key and parameters take effect once, are charged once and get the first answer */
          'Idempotency-Key'?: string
        }
      }
      requestBody: {
        content: {
          'application/json': PostPortfolioTransactionBody
        }
      }
      responses: {
        200: {
          content: {
            'application/json': PortfolioTransaction
          }
        }
      }
    }
  }
  '/portfolio/transaction/{id}': {
    /**
     * Correct a transaction of a manual portfolio
     *
     * Fields that are absent keep their value. The figures of the portfolio are recomputed from the earlier of the old and the new day on; GET /portfolio/status returns `synced` when they are ready. Snapshots and answers with `asOf` keep what was known at their time.
     *
     * Costs 4 credits.
     */
    patch: {
      parameters: {
        path: {
          /** Id of a manual transaction, as in GET /portfolio/transactions */
          id: string
        }
        header?: {
          /** Repeated requests with the same key and parameters take effect once, are charged once and get the first answer */
          'Idempotency-Key'?: string
        }
      }
      requestBody: {
        content: {
          'application/json': PatchPortfolioTransactionBody
        }
      }
      responses: {
        200: {
          content: {
            'application/json': PortfolioTransaction
          }
        }
      }
    }
    /**
     * Delete a transaction of a manual portfolio
     *
     * The figures of the portfolio are recomputed from the day of the transaction on; GET /portfolio/status returns `synced` when they are ready. Snapshots and answers with `asOf` keep what was known at their time. A second call returns 404.
     *
     * Costs 4 credits.
     */
    delete: {
      parameters: {
        path: {
          /** Id of a manual transaction, as in GET /portfolio/transactions */
          id: string
        }
        header?: {
          /** Repeated requests with the same key and parameters take effect once, are charged once and get the first answer */
          'Idempotency-Key'?: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Success
          }
        }
      }
    }
  }
  '/portfolio/sync': {
    /**
     * Start the sync of one portfolio or of all portfolios
     *
     * Without `portfolioId`, syncs all wallets and exchange accounts. Returns `synced` when all of them were synced in the last 30 seconds or are followed with each block; otherwise poll GET /portfolio/status. Manual portfolios do not sync.
     *
     * Costs 30 credits for each network or wallet named, 300 for `all`.
     */
    patch: {
      parameters: {
        query?: {
          /** Id of the portfolio, as returned when it was connected */
          portfolioId?: string
        }
        header?: {
          /** Repeated requests with the same key and parameters take effect once, are charged once and get the first answer */
          'Idempotency-Key'?: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': SyncStatus
          }
        }
      }
    }
  }
  '/portfolio/{portfolioId}': {
    /**
     * Remove a portfolio
     *
     * Also removes its share links and everything that only this portfolio has: manual transactions, or the credentials of an exchange account and all data read with them. Chain data stays. A second call returns 404.
     *
     * Costs 10 credits.
     */
    delete: {
      parameters: {
        path: {
          /** Id of the portfolio, as returned when it was connected */
          portfolioId: string
        }
        header?: {
          /** Repeated requests with the same key and parameters take effect once, are charged once and get the first answer */
          'Idempotency-Key'?: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Success
          }
        }
      }
    }
  }
  '/events': {
    /**
     * Events of your wallets, oldest first
     *
     * What happened to the wallets and exchange accounts among your portfolios, to wallets that your streams and webhooks name, and what fired your alerts. Your first read subscribes the account for three days, and each later read again: events begin then, and each costs its credits once, however it is received. 410: events after that number are no longer kept, and `X-Oldest-Event` has the oldest number that is.
     *
     * Costs 3 credits.
     */
    get: {
      parameters: {
        query?: {
          /** Only events after this number. Absent: from the oldest event that is kept */
          after?: string
          /** Only events of these types. The account pays for no others */
          types?: Array<'wallet.transaction' | 'wallet.balance' | 'wallet.synced' | 'exchange.transaction' | 'exchange.synced' | 'portfolio.value' | 'coin.price' | 'market.price' | 'market.resolved' | 'endpoint.disabled' | 'test.ping'>
          /** Most events of one answer */
          limit?: number
        }
      }
      responses: {
        200: {
          content: {
            'application/json': EventsResponse
          }
        }
      }
    }
  }
  '/events/ticket': {
    /**
     * A ticket that opens one stream in a browser
     *
     * Browsers send no key with a stream. Send the ticket as `ticket` of GET /events/stream within a minute. It opens one stream, and is free: the stream costs its credits.
     *
     * Costs 0 credits.
     */
    post: {
      parameters: {
        header?: {
          /** Repeated requests with the same key and parameters take effect once, are charged once and get the first answer */
          'Idempotency-Key'?: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': PostEventsTicketResponse
          }
        }
      }
    }
  }
  '/alerts': {
    /**
     * Your alerts, oldest first
     *
     * Costs 3 credits.
     */
    get: {
      parameters: {
        query?: {
          /** Page number, from 1 */
          page?: number
          /** Items per page */
          limit?: number
        }
      }
      responses: {
        200: {
          content: {
            'application/json': AlertsResponse
          }
        }
      }
    }
    /**
     * Add an alert
     *
     * The account gets an event when the rule fires: in its stream, in GET /events, and at its webhook endpoints. A limit fires once for each crossing: it is armed again when the price is behind it by half a percent. A price that is past the limit already is no crossing. Moves of a portfolio are measured from its value when the rule last fired or was added. Your plan limits alerts.
     *
     * Costs 10 credits.
     */
    post: {
      parameters: {
        header?: {
          /** Repeated requests with the same key and parameters take effect once, are charged once and get the first answer */
          'Idempotency-Key'?: string
        }
      }
      requestBody: {
        content: {
          'application/json': NewPortfolioValueAlert | NewCoinPriceAlert | NewMarketPriceAlert | NewMarketResolvedAlert
        }
      }
      responses: {
        200: {
          content: {
            'application/json': PortfolioValueAlert | CoinPriceAlert | MarketPriceAlert | MarketResolvedAlert
          }
        }
      }
    }
    /**
     * Remove alerts
     *
     * All of them or none: 404 if one is unknown. Events that they have made stay.
     *
     * Costs 10 credits.
     */
    delete: {
      parameters: {
        query: {
          /** Ids of alerts */
          ids: Array<string>
        }
        header?: {
          /** Repeated requests with the same key and parameters take effect once, are charged once and get the first answer */
          'Idempotency-Key'?: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Success
          }
        }
      }
    }
  }
  '/webhooks': {
    /**
     * Add a webhook endpoint
     *
     * The endpoint gets a `test.ping` first, and nothing else before it has answered 2xx. Requests are signed by Standard Webhooks with the `secret` of this answer, which is shown once. A wallet that is unknown so far is synced first. Your plan limits endpoints and watched wallets.
     *
     * Costs 10 credits.
     */
    post: {
      parameters: {
        header?: {
          /** Repeated requests with the same key and parameters take effect once, are charged once and get the first answer */
          'Idempotency-Key'?: string
        }
      }
      requestBody: {
        content: {
          'application/json': PostWebhooksBody
        }
      }
      responses: {
        200: {
          content: {
            'application/json': PostWebhooksResponse
          }
        }
      }
    }
    /**
     * Webhook endpoints
     *
     * Costs 3 credits.
     */
    get: {
      parameters: {}
      responses: {
        200: {
          content: {
            'application/json': WebhooksResponse
          }
        }
      }
    }
  }
  '/webhooks/{id}': {
    /**
     * One webhook endpoint
     *
     * Costs 3 credits.
     */
    get: {
      parameters: {
        path: {
          /** Id of a webhook endpoint */
          id: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Webhook
          }
        }
      }
    }
    /**
     * Change, pause or start a webhook endpoint
     *
     * Fields that are absent keep their value. With another `url` the endpoint gets nothing before it has answered a new ping.
     *
     * Costs 10 credits.
     */
    patch: {
      parameters: {
        path: {
          /** Id of a webhook endpoint */
          id: string
        }
        header?: {
          /** Repeated requests with the same key and parameters take effect once, are charged once and get the first answer */
          'Idempotency-Key'?: string
        }
      }
      requestBody: {
        content: {
          'application/json': PatchWebhookBody
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Webhook
          }
        }
      }
    }
    /**
     * Remove a webhook endpoint
     *
     * Events that wait for it are not sent. They stay in GET /events.
     *
     * Costs 10 credits.
     */
    delete: {
      parameters: {
        path: {
          /** Id of a webhook endpoint */
          id: string
        }
        header?: {
          /** Repeated requests with the same key and parameters take effect once, are charged once and get the first answer */
          'Idempotency-Key'?: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Success
          }
        }
      }
    }
  }
  '/webhooks/{id}/wallets': {
    /**
     * Add wallets to a webhook endpoint
     *
     * Counts from what is found next. Wallets that the endpoint has stay. A wallet that is unknown so far is synced first.
     *
     * Costs 10 credits.
     */
    put: {
      parameters: {
        path: {
          /** Id of a webhook endpoint */
          id: string
        }
        header?: {
          /** Repeated requests with the same key and parameters take effect once, are charged once and get the first answer */
          'Idempotency-Key'?: string
        }
      }
      requestBody: {
        content: {
          'application/json': PutWebhookWalletsBody
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Success
          }
        }
      }
    }
    /**
     * Take wallets from a webhook endpoint
     *
     * Each on the networks with which it was added. Wallets that the endpoint does not have are ignored.
     *
     * Costs 10 credits.
     */
    delete: {
      parameters: {
        path: {
          /** Id of a webhook endpoint */
          id: string
        }
        header?: {
          /** Repeated requests with the same key and parameters take effect once, are charged once and get the first answer */
          'Idempotency-Key'?: string
        }
      }
      requestBody: {
        content: {
          'application/json': PutWebhookWalletsBody
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Success
          }
        }
      }
    }
  }
  '/webhooks/{id}/rotate': {
    /**
     * Give a webhook endpoint another secret
     *
     * For 24 hours requests are signed with the earlier secret too, so that you can change it without a gap.
     *
     * Costs 10 credits.
     */
    post: {
      parameters: {
        path: {
          /** Id of a webhook endpoint */
          id: string
        }
        header?: {
          /** Repeated requests with the same key and parameters take effect once, are charged once and get the first answer */
          'Idempotency-Key'?: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': PostWebhookRotateResponse
          }
        }
      }
    }
  }
  '/webhooks/{id}/test': {
    /**
     * Send a test.ping
     *
     * GET /webhooks/{id}/deliveries says how it went. Paused and disabled endpoints get none.
     *
     * Costs 10 credits.
     */
    post: {
      parameters: {
        path: {
          /** Id of a webhook endpoint */
          id: string
        }
        header?: {
          /** Repeated requests with the same key and parameters take effect once, are charged once and get the first answer */
          'Idempotency-Key'?: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Success
          }
        }
      }
    }
  }
  '/webhooks/{id}/replay': {
    /**
     * Send events again
     *
     * Sends what the endpoint was to get from an event or a time on, delivered or not, in order and ten a second: at most 10,000 events a call. Go on after `throughSeq`. Events that are on their way are not sent twice. They are not charged again.
     *
     * Costs 10 credits.
     */
    post: {
      parameters: {
        path: {
          /** Id of a webhook endpoint */
          id: string
        }
        header?: {
          /** Repeated requests with the same key and parameters take effect once, are charged once and get the first answer */
          'Idempotency-Key'?: string
        }
      }
      requestBody: {
        content: {
          'application/json': PostWebhookReplayBody
        }
      }
      responses: {
        200: {
          content: {
            'application/json': PostWebhookReplayResponse
          }
        }
      }
    }
  }
  '/webhooks/{id}/deliveries': {
    /**
     * Deliveries of a webhook endpoint
     *
     * The newest first. Events that are older than your plan keeps are gone.
     *
     * Costs 3 credits.
     */
    get: {
      parameters: {
        path: {
          /** Id of a webhook endpoint */
          id: string
        }
        query?: {
          /** Items per page */
          limit?: number
          /** Only older events, for the next page */
          beforeSeq?: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': WebhookDeliveriesResponse
          }
        }
      }
    }
  }
  '/prediction/markets': {
    /**
     * Prediction markets of all venues
     *
     * Unknown values sort as the lowest.
     *
     * Costs 2 credits.
     */
    get: {
      parameters: {
        query?: {
          /** Page number, from 1 */
          page?: number
          /** Items per page */
          limit?: number
          venue?: 'polymarket' | 'kalshi' | 'limitless' | 'predictit' | 'manifold'
          /** `resolved` includes `cancelled` */
          status?: 'open' | 'closed' | 'resolved' | 'all'
          /** Category, any case */
          category?: string
          /** Slugs of tags; selects items with at least one of them */
          tag?: Array<string>
          /** Words in the question */
          search?: string
          /** Minimum 24-hour volume, USD */
          minVolume24h?: number
          /** Minimum liquidity, USD */
          minLiquidity?: number
          /** YYYY-MM-DD (UTC midnight) or RFC 3339 timestamp with its zone */
          endsAfter?: string
          /** YYYY-MM-DD (UTC midnight) or RFC 3339 timestamp with its zone */
          endsBefore?: string
          sortDir?: 'asc' | 'desc'
          /** Slug of an event */
          eventSlug?: string
          sortBy?: 'volume24h' | 'volumeTotal' | 'liquidity' | 'openInterest' | 'endDate' | 'createdAt' | 'priceChange24h'
        }
      }
      responses: {
        200: {
          content: {
            'application/json': PredictionMarketsResponse
          }
        }
      }
    }
  }
  '/prediction/markets/{slug}': {
    /**
     * One prediction market
     *
     * Costs 1 credits.
     */
    get: {
      parameters: {
        path: {
          /** Slug of the market */
          slug: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': PredictionMarketResponse
          }
        }
      }
    }
  }
  '/prediction/markets/{slug}/history': {
    /**
     * Price history of a market
     *
     * Pass `range`, or `from` and `to`. Without `interval`, the length of the window determines it. 400 for an interval that would give more than 5000 points.
     *
     * Costs 3 credits.
     */
    get: {
      parameters: {
        path: {
          /** Slug of the market */
          slug: string
        }
        query?: {
          /** Preset that ends now; `1w` when `range`, `from` and `to` are absent */
          range?: '24h' | '1w' | '1m' | '3m' | '6m' | '1y' | 'all'
          /** Inclusive start */
          from?: string
          /** Exclusive end, after `from` */
          to?: string
          interval?: '5m' | '1h' | '6h' | '1d'
          /** Id or name (any case) of an outcome; all when absent */
          outcome?: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': PredictionMarketHistoryResponse
          }
        }
      }
    }
  }
  '/prediction/markets/{slug}/orderbook': {
    /**
     * Order book of an outcome
     *
     * The order book is empty unless the market is open.
     *
     * Costs 2 credits.
     */
    get: {
      parameters: {
        path: {
          /** Slug of the market */
          slug: string
        }
        query?: {
          /** Id or name (any case) of an outcome; the first when absent */
          outcome?: string
          /** Levels of each side */
          depth?: number
        }
      }
      responses: {
        200: {
          content: {
            'application/json': PredictionMarketOrderbookResponse
          }
        }
      }
    }
  }
  '/prediction/markets/{slug}/trades': {
    /**
     * Trades of a market, the newest first
     *
     * Polymarket reports both sides of a trade, each as its own item. Kalshi reports the side of the taker.
     *
     * Costs 2 credits.
     */
    get: {
      parameters: {
        path: {
          /** Slug of the market */
          slug: string
        }
        query?: {
          /** Page number, from 1 */
          page?: number
          /** Items per page */
          limit?: number
          /** Id or name (any case) of an outcome; all when absent */
          outcome?: string
          side?: 'buy' | 'sell'
          /** Minimum of price times size, USD */
          minValue?: number
          /** Inclusive start */
          from?: string
          /** Exclusive end, after `from` */
          to?: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': PredictionMarketTradesResponse
          }
        }
      }
    }
  }
  '/prediction/markets/{slug}/holders': {
    /**
     * Largest holders of each outcome
     *
     * Empty for Kalshi, which does not identify traders.
     *
     * Costs 3 credits.
     */
    get: {
      parameters: {
        path: {
          /** Slug of the market */
          slug: string
        }
        query?: {
          /** Id or name (any case) of an outcome; all when absent */
          outcome?: string
          /** Items per page */
          limit?: number
        }
      }
      responses: {
        200: {
          content: {
            'application/json': PredictionMarketHoldersResponse
          }
        }
      }
    }
  }
  '/prediction/markets/{slug}/cross-venue': {
    /**
     * The same question at other venues
     *
     * Markets match when entity, threshold, comparator, deadline and source of resolution agree; a difference in one of them rules out a match. For a market that asks the opposite, the prices are those of the opposite outcome.
     *
     * Costs 10 credits.
     */
    get: {
      parameters: {
        path: {
          /** Slug of the market */
          slug: string
        }
        query?: {
          /** Minimum score of a match */
          minScore?: number
        }
      }
      responses: {
        200: {
          content: {
            'application/json': PredictionMarketCrossVenueResponse
          }
        }
      }
    }
  }
  '/prediction/events': {
    /**
     * Events of all venues; an event groups related markets
     *
     * Costs 2 credits.
     */
    get: {
      parameters: {
        query?: {
          /** Page number, from 1 */
          page?: number
          /** Items per page */
          limit?: number
          venue?: 'polymarket' | 'kalshi' | 'limitless' | 'predictit' | 'manifold'
          /** `resolved` includes `cancelled` */
          status?: 'open' | 'closed' | 'resolved' | 'all'
          /** Category, any case */
          category?: string
          /** Slugs of tags; selects items with at least one of them */
          tag?: Array<string>
          /** Words in the question */
          search?: string
          /** Minimum 24-hour volume, USD */
          minVolume24h?: number
          /** Minimum liquidity, USD */
          minLiquidity?: number
          /** YYYY-MM-DD (UTC midnight) or RFC 3339 timestamp with its zone */
          endsAfter?: string
          /** YYYY-MM-DD (UTC midnight) or RFC 3339 timestamp with its zone */
          endsBefore?: string
          sortDir?: 'asc' | 'desc'
          sortBy?: 'volume24h' | 'volumeTotal' | 'liquidity' | 'endDate' | 'createdAt'
        }
      }
      responses: {
        200: {
          content: {
            'application/json': PredictionEventsResponse
          }
        }
      }
    }
  }
  '/prediction/events/{slug}': {
    /**
     * One event with its markets
     *
     * Costs 2 credits.
     */
    get: {
      parameters: {
        path: {
          /** Slug of the event */
          slug: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': PredictionEventResponse
          }
        }
      }
    }
  }
  '/prediction/events/{slug}/cross-venue': {
    /**
     * The same event at other venues, outcome by outcome
     *
     * Two events match when they have matching markets.
     *
     * Costs 10 credits.
     */
    get: {
      parameters: {
        path: {
          /** Slug of the event */
          slug: string
        }
        query?: {
          /** Minimum score of a match */
          minScore?: number
        }
      }
      responses: {
        200: {
          content: {
            'application/json': PredictionEventCrossVenueResponse
          }
        }
      }
    }
  }
  '/prediction/traders': {
    /**
     * Leaderboard of traders
     *
     * Computed from the known trades at average cost; a resolution pays 0 or 1. A period is today and the 1, 7 or 30 UTC days before it. Ranks are those of the whole leaderboard; `minVolume` and `search` do not change them.
     *
     * Costs 2 credits.
     */
    get: {
      parameters: {
        query?: {
          period?: '24h' | '1w' | '1m' | 'all'
          sortBy?: 'pnl' | 'volume' | 'roi' | 'winRate' | 'tradesCount'
          /** Category, any case */
          category?: string
          /** Minimum volume in the period, USD */
          minVolume?: number
          /** Start of a name or address */
          search?: string
          /** Page number, from 1 */
          page?: number
          /** Items per page */
          limit?: number
        }
      }
      responses: {
        200: {
          content: {
            'application/json': PredictionTradersResponse
          }
        }
      }
    }
  }
  '/prediction/traders/{address}': {
    /**
     * One trader, from the first known trade on
     *
     * Costs 2 credits.
     */
    get: {
      parameters: {
        path: {
          /** Address of the account */
          address: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': PredictionTraderResponse
          }
        }
      }
    }
  }
  '/prediction/traders/{address}/positions': {
    /**
     * Positions of a trader
     *
     * Costs 3 credits.
     */
    get: {
      parameters: {
        path: {
          /** Address of the account */
          address: string
        }
        query?: {
          status?: 'open' | 'closed' | 'all'
          /** The largest or latest first */
          sortBy?: 'value' | 'pnl' | 'date'
          /** Page number, from 1 */
          page?: number
          /** Items per page */
          limit?: number
        }
      }
      responses: {
        200: {
          content: {
            'application/json': PredictionTraderPositionsResponse
          }
        }
      }
    }
  }
  '/prediction/traders/{address}/trades': {
    /**
     * Trades of a trader, the newest first
     *
     * Costs 3 credits.
     */
    get: {
      parameters: {
        path: {
          /** Address of the account */
          address: string
        }
        query?: {
          /** Page number, from 1 */
          page?: number
          /** Items per page */
          limit?: number
          /** Slug of a market */
          marketSlug?: string
          side?: 'buy' | 'sell'
          /** Inclusive start */
          from?: string
          /** Exclusive end, after `from` */
          to?: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': PredictionMarketTradesResponse
          }
        }
      }
    }
  }
  '/prediction/traders/{address}/pnl': {
    /**
     * Profit and loss of a trader over time
     *
     * Ranges start at 00:00 UTC. `hourly` needs `range=24h`. Splits of dollars into shares are dated by day, so hourly points do not show them.
     *
     * Costs 3 credits.
     */
    get: {
      parameters: {
        path: {
          /** Address of the account */
          address: string
        }
        query?: {
          /** Preset that ends now and starts at 00:00 UTC */
          range?: '24h' | '1w' | '1m' | '3m' | '6m' | '1y' | 'all'
          interval?: 'hourly' | 'daily' | 'weekly' | 'monthly'
        }
      }
      responses: {
        200: {
          content: {
            'application/json': PredictionTraderPnlResponse
          }
        }
      }
    }
  }
  '/prediction/platform/overview': {
    /**
     * Totals over all venues and for each venue
     *
     * Costs 3 credits.
     */
    get: {
      parameters: {
        query?: {
          venue?: 'polymarket' | 'kalshi' | 'limitless' | 'predictit' | 'manifold'
        }
      }
      responses: {
        200: {
          content: {
            'application/json': PredictionPlatformOverviewResponse
          }
        }
      }
    }
  }
  '/prediction/platform/volume': {
    /**
     * Volume of the venues over time
     *
     * Costs 3 credits.
     */
    get: {
      parameters: {
        query?: {
          /** Preset that ends now and starts at 00:00 UTC */
          range?: '24h' | '1w' | '1m' | '3m' | '6m' | '1y' | 'all'
          interval?: 'daily' | 'weekly' | 'monthly'
          venue?: 'polymarket' | 'kalshi' | 'limitless' | 'predictit' | 'manifold'
        }
      }
      responses: {
        200: {
          content: {
            'application/json': PredictionPlatformVolumeResponse
          }
        }
      }
    }
  }
  '/prediction/platform/categories': {
    /**
     * Volume by category, the largest first
     *
     * Costs 3 credits.
     */
    get: {
      parameters: {
        query?: {
          /** Preset that ends now and starts at 00:00 UTC */
          range?: '24h' | '1w' | '1m' | '3m' | '6m' | '1y' | 'all'
          venue?: 'polymarket' | 'kalshi' | 'limitless' | 'predictit' | 'manifold'
        }
      }
      responses: {
        200: {
          content: {
            'application/json': PredictionPlatformCategoriesResponse
          }
        }
      }
    }
  }
  '/prediction/search': {
    /**
     * Search for markets, events and traders
     *
     * The best match comes first, then the largest volume. All words must occur, in any grammatical form; the last word may be a prefix. Traders match by the start of their name or address.
     *
     * Costs 2 credits.
     */
    get: {
      parameters: {
        query: {
          /** At least 2 characters */
          q: string
          type?: 'all' | 'markets' | 'events' | 'traders'
          venue?: 'polymarket' | 'kalshi' | 'limitless' | 'predictit' | 'manifold'
          /** `resolved` includes `cancelled` */
          status?: 'open' | 'closed' | 'resolved' | 'all'
          /** Items of each type */
          limit?: number
        }
      }
      responses: {
        200: {
          content: {
            'application/json': PredictionSearchResponse
          }
        }
      }
    }
  }
  '/prediction/tags': {
    /**
     * Tags of markets and events
     *
     * Costs 1 credits.
     */
    get: {
      parameters: {
        query?: {
          /** Page number, from 1 */
          page?: number
          /** Items per page */
          limit?: number
          /** Largest first; labels in alphabetical order */
          sortBy?: 'marketsCount' | 'volume24h' | 'label'
        }
      }
      responses: {
        200: {
          content: {
            'application/json': PredictionTagsResponse
          }
        }
      }
    }
  }
}

export interface Webhooks {
  'wallet.transaction': {
    post: {
      requestBody: {
        content: {
          'application/json': EventWalletTransaction
        }
      }
    }
  }
  'wallet.balance': {
    post: {
      requestBody: {
        content: {
          'application/json': EventWalletBalance
        }
      }
    }
  }
  'wallet.synced': {
    post: {
      requestBody: {
        content: {
          'application/json': EventWalletSynced
        }
      }
    }
  }
  'exchange.transaction': {
    post: {
      requestBody: {
        content: {
          'application/json': EventExchangeTransaction
        }
      }
    }
  }
  'exchange.synced': {
    post: {
      requestBody: {
        content: {
          'application/json': EventExchangeSynced
        }
      }
    }
  }
  'portfolio.value': {
    post: {
      requestBody: {
        content: {
          'application/json': EventPortfolioValue
        }
      }
    }
  }
  'coin.price': {
    post: {
      requestBody: {
        content: {
          'application/json': EventCoinPrice
        }
      }
    }
  }
  'market.price': {
    post: {
      requestBody: {
        content: {
          'application/json': EventMarketPrice
        }
      }
    }
  }
  'market.resolved': {
    post: {
      requestBody: {
        content: {
          'application/json': EventMarketResolved
        }
      }
    }
  }
  'endpoint.disabled': {
    post: {
      requestBody: {
        content: {
          'application/json': EventEndpointDisabled
        }
      }
    }
  }
  'test.ping': {
    post: {
      requestBody: {
        content: {
          'application/json': EventTestPing
        }
      }
    }
  }
}

export interface Error {
  statusCode: number
  message: string
  requestId: string
  path: string
  /** Repeats the message, in errors about a share token */
  error?: string
}

export interface UnauthorizedError {
  statusCode: number
  message: string
  requestId: string
  path: string
  error: 'Unauthorized'
}

export interface UnavailableError {
  statusCode: number
  message: string
}

export interface AlertsResponse {
  meta: SimplePageMeta
  result: Array<PortfolioValueAlert | CoinPriceAlert | MarketPriceAlert | MarketResolvedAlert>
}

export interface AmountsByPeriod {
  '24h': number
  '1w': number
  '1m': number
  all: number
}

export interface Coin {
  id: string
  /** URL; empty when unknown */
  icon: string
  name: string
  /** Upper case */
  symbol: string
  /** Rank by market capitalisation; 0 when unranked */
  rank: number
  /** Price in the requested currency */
  price: number
  priceBtc: number
  /** Volume over 24 hours in the requested currency; 0 when unknown */
  volume: number
  /** Market capitalisation in the requested currency; 0 when unknown */
  marketCap: number
  /** Circulating supply; 0 when unknown */
  availableSupply: number
  /** Total supply; 0 when unknown */
  totalSupply: number
  /** Price change over 1 hour in percent; 0 when unknown */
  priceChange1h: number
  /** Price change over 1 day in percent; 0 when unknown */
  priceChange1d: number
  /** Price change over 1 week in percent; 0 when unknown */
  priceChange1w: number
  /** Price change over 1 month in percent; 0 when unknown */
  priceChange1m: number
  /** Fully diluted valuation in the requested currency */
  fullyDilutedValuation?: number
  /** Highest price, converted at the rate of its day */
  allTimeHigh?: number
  /** Lowest price, converted at the rate of its day */
  allTimeLow?: number
  slug: string
  websiteUrl?: string
  redditUrl?: string
  twitterUrl?: string
  explorers: Array<string>
  categories: Array<string>
  /** The first of `contractAddresses` */
  contractAddress?: string
  /** Decimals of `contractAddress` */
  decimals?: number
  /** Empty for native coins */
  contractAddresses?: Array<CoinContractAddress>
  isStable?: true
  /** Hexadecimal RGB without # */
  color?: string
  /** 0 to 100, only with includeRiskScore: how easy the coin is to trade, from its volume; higher is easier */
  liquidityScore?: number
  /** 0 to 100, only with includeRiskScore: how much the price moves, from 30 daily closes; higher moves more */
  volatilityScore?: number
  /** 0 to 100, only with includeRiskScore: how large the market capitalisation is; higher is larger */
  marketCapScore?: number
  /** 0 to 100, only with includeRiskScore: weighted sum of the three scores; higher is riskier */
  riskScore?: number
  /** Mean absolute change between daily closes, percent */
  avgChange?: number
}

export interface CoinContractAddress {
  blockchain: string
  contractAddress: string
}

export interface CoinLabel {
  id: string
  name: string
  symbol: string
  icon: string
}

export interface CoinPriceAlert {
  type: 'coin.price'
  /** Id of a coin */
  coinId: string
  /** Fires when the price in USD rises to it */
  above?: number
  /** Fires when the price in USD falls to it */
  below?: number
  /** Fires when the price has moved so far, up or down, in `windowSeconds` */
  changePercent?: number
  /** The price is compared with the hourly one so long ago */
  windowSeconds?: number
  id: string
  /** The webhook endpoint that gets the events. null: each whose `types` have the type */
  endpointId: string | null
  /** false: it has fired, or the value was past the limit when the alert was added. It is armed again once the value is far enough behind the limit. Of a portfolio always true */
  armed: boolean
  /** RFC 3339; null: never */
  firedAt: string | null
  createdAt: string
}

export interface CoinsChart {
  coinId: string
  chart: Array<Array<number>>
  errorMessage?: 'ERR_COIN_CHART_NOT_FOUND'
}

export interface CoinsPriceExchangeResponse {
  /** Units of `to` per unit of `from` */
  price: number
}

export interface CoinsResponse {
  meta: PageMeta
  result: Array<Coin>
}

export interface ConnectedPortfolio {
  portfolioId: string
  /** The network or the exchange */
  connectionId: string
  /** `existing`: the account had already connected it */
  status: 'connected' | 'existing'
}

export interface CountedAmounts {
  /** Exact decimal */
  count: string
  amount: ExactAmounts
}

export type Currencies = Record<string, number>

export type CurrenciesAsOf = Record<string, string>

export interface CurrenciesResponse {
  /** Units of the currency per USD, by code; USD is 1 */
  result: Currencies
  /** Start of validity of each rate; reference rates are carried forward over days without one */
  as_of: CurrenciesAsOf
}

export interface CurrencyAmounts {
  USD: number
  BTC: number
  ETH: number
}

export interface EventCoinPrice {
  /** The same in every attempt to send the event */
  id: string
  type: 'coin.price'
  /** When the event was made */
  timestamp: string
  /** Place in the order of events, a whole number: send the last one as `after` to go on */
  seq: string
  data: EventCoinPriceData
}

export interface EventCoinPriceData {
  alertId: string
  coinId: string
  priceUsd: number
  priceAt: string
  /** How far the price has moved in the window of the rule; null: the rule has none */
  changePercent: number | null
  /** As the alert states it */
  rule: EventCoinPriceDataRule
}

export interface EventCoinPriceDataRule {
  above?: number
  below?: number
  changePercent?: number
  windowSeconds?: number
}

export interface EventEndpointDisabled {
  /** The same in every attempt to send the event */
  id: string
  type: 'endpoint.disabled'
  /** When the event was made */
  timestamp: string
  /** Place in the order of events, a whole number: send the last one as `after` to go on */
  seq: string
  data: EventEndpointDisabledData
}

export interface EventEndpointDisabledData {
  endpointId: string
  reason: string
}

export interface EventExchangeSynced {
  /** The same in every attempt to send the event */
  id: string
  type: 'exchange.synced'
  /** When the event was made */
  timestamp: string
  /** Place in the order of events, a whole number: send the last one as `after` to go on */
  seq: string
  data: EventExchangeSyncedData
}

export interface EventExchangeSyncedData {
  portfolioId: string
  /** Exchange */
  connectionId: string
  /** Settled transactions of the exchange account */
  transactions: number
}

export interface EventExchangeTransaction {
  /** The same in every attempt to send the event */
  id: string
  type: 'exchange.transaction'
  /** When the event was made */
  timestamp: string
  /** Place in the order of events, a whole number: send the last one as `after` to go on */
  seq: string
  data: EventExchangeTransactionData
}

export interface EventExchangeTransactionData {
  portfolioId: string
  /** Exchange */
  connectionId: string
  /** It was more than ten minutes old when it was found */
  late: boolean
  /** The item of GET /exchange/transactions in USD */
  transaction: WalletTransaction
}

export interface EventMarketPrice {
  /** The same in every attempt to send the event */
  id: string
  type: 'market.price'
  /** When the event was made */
  timestamp: string
  /** Place in the order of events, a whole number: send the last one as `after` to go on */
  seq: string
  data: EventMarketPriceData
}

export interface EventMarketPriceData {
  alertId: string
  marketId: string
  /** Of GET /prediction/markets/{slug} */
  slug: string
  venue: string
  question: string
  status: 'open' | 'closed' | 'resolved' | 'cancelled'
  outcomes: Array<EventMarketPriceDataOutcome>
  /** As the alert states it */
  rule: EventMarketPriceDataRule
}

export interface EventMarketPriceDataOutcome {
  id: string
  name: string
  /** 0 to 1 */
  price: number
  /** null until the market is resolved */
  winner: boolean | null
}

export interface EventMarketPriceDataRule {
  outcomeId?: string
  above?: number
  below?: number
}

export interface EventMarketResolved {
  /** The same in every attempt to send the event */
  id: string
  type: 'market.resolved'
  /** When the event was made */
  timestamp: string
  /** Place in the order of events, a whole number: send the last one as `after` to go on */
  seq: string
  data: EventMarketResolvedData
}

export interface EventMarketResolvedData {
  alertId: string
  marketId: string
  /** Of GET /prediction/markets/{slug} */
  slug: string
  venue: string
  question: string
  status: 'open' | 'closed' | 'resolved' | 'cancelled'
  outcomes: Array<EventMarketPriceDataOutcome>
  rule: EventMarketResolvedDataRule
}

export interface EventMarketResolvedDataRule {}

export interface EventPortfolioValue {
  /** The same in every attempt to send the event */
  id: string
  type: 'portfolio.value'
  /** When the event was made */
  timestamp: string
  /** Place in the order of events, a whole number: send the last one as `after` to go on */
  seq: string
  data: EventPortfolioValueData
}

export interface EventPortfolioValueData {
  alertId: string
  portfolioId: string
  /** `totalValue` of GET /portfolio/value in USD */
  valueUsd: number
  /** As told by the event before, or when the alert was added */
  previousValueUsd: number
  /** null: the portfolio was worth nothing */
  changePercent: number | null
  /** As the alert states it */
  rule: EventPortfolioValueDataRule
}

export interface EventPortfolioValueDataRule {
  changePercent: number
  everySeconds: number
}

export interface EventTestPing {
  /** The same in every attempt to send the event */
  id: string
  type: 'test.ping'
  /** When the event was made */
  timestamp: string
  /** Place in the order of events, a whole number: send the last one as `after` to go on */
  seq: string
  data: EventTestPingData
}

export interface EventTestPingData {
  endpointId: string
}

export interface EventWalletBalance {
  /** The same in every attempt to send the event */
  id: string
  type: 'wallet.balance'
  /** When the event was made */
  timestamp: string
  /** Place in the order of events, a whole number: send the last one as `after` to go on */
  seq: string
  data: EventWalletBalanceData
}

export interface EventWalletBalanceData {
  address: string
  /** Network */
  connectionId: string
  blockchain: string
  coinId: string
  /** Exact decimal number */
  amount: string
  /** Exact decimal number */
  previousAmount: string
  /** null: the coin has no price */
  priceUsd: number | null
  blockNumber: number
}

export interface EventWalletSynced {
  /** The same in every attempt to send the event */
  id: string
  type: 'wallet.synced'
  /** When the event was made */
  timestamp: string
  /** Place in the order of events, a whole number: send the last one as `after` to go on */
  seq: string
  data: EventWalletSyncedData
}

export interface EventWalletSyncedData {
  address: string
  /** Network */
  connectionId: string
  blockchain: string
  /** Transactions of the wallet on the network */
  transactions: number
}

export interface EventWalletTransaction {
  /** The same in every attempt to send the event */
  id: string
  type: 'wallet.transaction'
  /** When the event was made */
  timestamp: string
  /** Place in the order of events, a whole number: send the last one as `after` to go on */
  seq: string
  data: EventWalletTransactionData
}

export interface EventWalletTransactionData {
  address: string
  /** Network */
  connectionId: string
  blockchain: string
  /** `unconfirmed`: a reorg may still replace its block; `confirmed`: none can; `reorged`: one has */
  status: 'unconfirmed' | 'confirmed' | 'reorged'
  blockNumber: number
  blockHash: string
  /** The block was more than ten minutes old when the transaction was found */
  late: boolean
  /** Lists of the transaction are cut */
  truncated?: true
  /** Where the whole transaction is, if it is cut */
  url?: string
  /** The item of GET /wallet/transactions in USD */
  transaction: WalletTransaction
}

export interface EventsMeta {
  limit: number
  /** Number of the last event: the next `after`. null: there is none */
  next: string | null
}

export interface EventsResponse {
  meta: EventsMeta
  result: Array<EventWalletTransaction | EventWalletBalance | EventWalletSynced | EventExchangeTransaction | EventExchangeSynced | EventPortfolioValue | EventCoinPrice | EventMarketPrice | EventMarketResolved | EventEndpointDisabled | EventTestPing>
}

export interface ExactAmounts {
  /** Exact decimal */
  USD: string
  /** Exact decimal */
  BTC: string
  /** Exact decimal */
  ETH: string
}

export interface ExactProfitAmounts {
  allTime: ExactAmounts
  hour24: ExactAmounts
  lastTrade: ExactAmounts
  unrealized: ExactAmounts
  realized: ExactAmounts
}

export interface ExchangeSupport {
  connectionId: string
  name: string
  icon: string
  /** The fields that POST /exchange/balance requires */
  connectionFields: Array<ExchangeSupportConnectionField>
}

export interface ExchangeSupportConnectionField {
  name: string
  key: string
}

export interface ExplainedCoin {
  figure: ExplainedCoinFigure
  equations: Array<string>
  /** Null when the coin has no market price yet; it counts with what was paid for it */
  prices: ExplainedCoinPrices
  units: ExplainedCoinUnits
  /** Sums of the months */
  totals: ExplainedCoinTotals
  /** Oldest first */
  months: ExplainedCoinMonths
  /** Lots still held; they add up to the cost basis */
  openLots: LotsByUnit
  lastTrade: ExplainedCoinLastTrade | null
  hour24: ExplainedCoinHour24
  /** Entries that add up to the requested `month`; null without it */
  entries: ExplainedCoinEntries | null
}

export interface ExplainedCoinEntries {
  /** Number of items on all pages */
  count: number
  items: Array<LotEntry>
}

export interface ExplainedCoinFigure {
  coinId: string
  method: 'average' | 'fifo' | 'lifo' | 'hifo'
  /** Exact decimal */
  count: string
  price: ExactAmounts
  value: ExactAmounts
  totalCost: ExactAmounts
  profit: ExactProfitAmounts
  base: ExactProfitAmounts
  profitPercent: ExactProfitAmounts
  averageBuy: ExactProfitAmounts
  averageSell: ExactProfitAmounts
  /** The same coin as the list of coins returns it */
  shown: ScoredHolding
}

export interface ExplainedCoinHour24 {
  dayAgo: ExplainedCoinHour24DayAgo
  acquired: ExactAmounts
  disposed: ExactAmounts
  bought: CountedAmounts
  sold: CountedAmounts
  moves: ExplainedCoinHour24Moves
}

export interface ExplainedCoinHour24DayAgo {
  /** Exact decimal */
  count: string
  value: ExactAmounts
}

export interface ExplainedCoinHour24Moves {
  /** Number of items on all pages */
  count: number
  items: Array<ExplainedCoinHour24MovesItem>
}

export interface ExplainedCoinHour24MovesItem {
  at: string
  /** Positive in, negative out; 0 when nothing was held of what went out */
  count: string
  isTrade: boolean
  /** Cost or proceeds */
  amount: ExactAmounts
  /** Change of what was paid, while the coin had no market price */
  paidUsd: string
  /** Market value; 0 for fees and income, which are profit or loss */
  market: ExactAmounts
}

export interface ExplainedCoinLastTrade {
  side: 'buy' | 'sell'
  /** Exact decimal */
  count: string
  amount: ExactAmounts
}

export interface ExplainedCoinMonths {
  /** Number of items on all pages */
  count: number
  items: Array<ExplainedCoinMonthsItem>
}

export interface ExplainedCoinMonthsItem {
  month: string
  /** Quantity held at a known cost */
  count: string
  /** Cost basis of the quantity held */
  cost: ExactAmounts
  /** Quantity acquired and its cost */
  acquired: CountedAmounts
  /** Quantity disposed of and its proceeds */
  disposed: CountedAmounts
  disposedCost: ExactAmounts
  /** Quantity sold or sent and its proceeds */
  sold: CountedAmounts
  /** Net quantity moved by wraps and the like, and its cost basis */
  carried: CountedAmounts
  /** Quantity disposed of that was never acquired */
  uncovered: string
  /** Quantity held at an unknown cost, while the coin has no market price */
  unvalued: string
  /** What was paid for the quantity held, while the coin had no market price */
  paidUsd: string
}

export interface ExplainedCoinPrices {
  now: ExplainedPrice | null
  dayAgo: ExplainedPrice | null
}

export interface ExplainedCoinTotals {
  /** Quantity held at a known cost */
  count: string
  /** Cost basis of the quantity held */
  cost: ExactAmounts
  /** Quantity acquired and its cost */
  acquired: CountedAmounts
  /** Quantity disposed of and its proceeds */
  disposed: CountedAmounts
  disposedCost: ExactAmounts
  /** Quantity sold or sent and its proceeds */
  sold: CountedAmounts
  /** Net quantity moved by wraps and the like, and its cost basis */
  carried: CountedAmounts
  /** Quantity disposed of that was never acquired */
  uncovered: string
  /** Quantity held at an unknown cost, while the coin has no market price */
  unvalued: string
  /** What was paid for the quantity held, while the coin had no market price */
  paidUsd: string
}

export interface ExplainedCoinUnits {
  now: ExplainedCoinUnitsNow
  dayAgo: ExplainedCoinUnitsNow
}

export interface ExplainedCoinUnitsNow {
  BTC: ExplainedPrice | null
  ETH: ExplainedPrice | null
}

export interface ExplainedFlow {
  at: string
  /** Network of the wallet, or id of the portfolio */
  ledger: string
  /** Null for a first price */
  transaction: string | null
  /** Present when an operator corrected this transaction or how it counts */
  isCorrected?: true
  /** Exact decimal */
  value: string
  /** Sum of the terms */
  valueUsd: string
  /** Null for USD, and before the first price of the currency, when the value is 0 */
  rate: ExplainedRate | null
  /** `own transfer`: reverses the flow of one end of a transfer between the ledgers */
  reason: 'transfer' | 'first price' | 'own transfer'
  terms: Array<ExplainedFlowTerm>
}

export interface ExplainedFlowTerm {
  coinId: string
  /** Positive in, negative out */
  count: string
  /** Null for a coin without a market price; the transaction tells its value */
  price: ExplainedPrice | null
  /** Exact decimal */
  valueUsd: string
  /** `opening`: an amount that the history does not explain, such as coins sold but never bought. `unpriced swap`: coins without a market price whose cost is unknown, or a swap without any price */
  kind: 'transfer' | 'opening' | 'unpriced swap' | 'first price'
}

export interface ExplainedPoint {
  figure: ExplainedPointFigure
  equation: 'profitLoss = end.value - start.value - flows.value'
  currency: string
  start: ExplainedValue
  end: ExplainedValue
  flows: ExplainedPointFlows
}

export interface ExplainedPointFigure {
  from: string
  date: string
  /** Exact decimal */
  profitLoss: string
  /** Exact decimal */
  profitLossPercent: string
  /** The same figures as the history returns them */
  shown: ExplainedPointFigureShown
}

export interface ExplainedPointFigureShown {
  profitLoss: number
  profitLossPercent: number
}

export interface ExplainedPointFlows {
  /** Sum of all months */
  value: string
  months: Array<ExplainedPointFlowsMonth>
  /** Number of items on all pages */
  count: number
  /** Oldest first. For a period of more than 31 days, only the flows of `month`, which add up to its value */
  items: Array<ExplainedFlow>
}

export interface ExplainedPointFlowsMonth {
  month: string
  /** Exact decimal */
  value: string
}

export interface ExplainedPrice {
  /** Exact decimal */
  usd: string
  at: string
  /** Source of the price; `quote`: the newest quote, `transaction`: stated or paid with the transaction */
  source: string
}

export interface ExplainedRate {
  /** For BTC and ETH: price in USD by which amounts are divided, to 30 places */
  unitUsd: string | null
  /** For a fiat currency: rate by which amounts in USD are multiplied */
  perUsd: string | null
  at: string
  /** Source of the price; `quote`: the newest quote, `transaction`: stated or paid with the transaction */
  source: string
}

export interface ExplainedValue {
  at: string
  /** Sum of `ledgers` and `inFlight` */
  value: string
  /** Exact decimal */
  valueUsd: string
  /** Null for USD, and before the first price of the currency, when the value is 0 */
  rate: ExplainedRate | null
  /** The value of each in USD is the sum of its positions */
  ledgers: Array<ExplainedValueLedger>
  positions: ExplainedValuePositions
  /** Transfers between the ledgers that were under way */
  inFlight: ExplainedValueInFlight
}

export interface ExplainedValueInFlight {
  /** Number of items on all pages */
  count: number
  items: Array<ExplainedValueInFlightItem>
}

export interface ExplainedValueInFlightItem {
  /** Network of the wallet, or id of the portfolio */
  from: string
  /** Network of the wallet, or id of the portfolio */
  to: string
  leftAt: string
  arrivesAt: string
  coinId: string
  /** Exact decimal */
  count: string
  /** Exact decimal */
  valueUsd: string
  price: ExplainedPrice
  /** Exact decimal */
  value: string
}

export interface ExplainedValueLedger {
  /** Network of the wallet, or id of the portfolio */
  ledger: string
  /** Exact decimal */
  value: string
  /** Exact decimal */
  valueUsd: string
}

export interface ExplainedValuePositions {
  /** Number of items on all pages */
  count: number
  /** Positions with a value, most valuable first */
  items: Array<ExplainedValuePositionsItem>
}

export interface ExplainedValuePositionsItem {
  /** Network of the wallet, or id of the portfolio */
  ledger: string
  coinId: string
  /** Exact decimal */
  count: string
  /** Exact decimal */
  valueUsd: string
  /** Null for a coin without a market price; its value is what was paid for it */
  price: ExplainedPrice | null
  stale: boolean
}

export interface Fiat {
  /** Currency code */
  name: string
  /** Units of the currency per USD */
  rate: number
  symbol: string
  /** URL of the flag */
  imageUrl: string
}

export interface HeldCoin {
  identifier: string
  symbol: string
  name: string
  /** Empty when unknown */
  icon: string
  /** 0: unranked */
  rank: number
  /** Price change over 1 hour in percent */
  priceChange1h: number
  /** Price change over 24 hours in percent */
  priceChange24h: number
  /** Price change over 7 days in percent */
  priceChange7d: number
  /** Price change over 1 month in percent */
  priceChange1m: number
  /** Trading volume of the last 24 hours in USD */
  volume: number
  isFake: boolean
  isFiat: boolean
}

export interface Holding {
  coin: HeldCoin
  count: number
  price: CurrencyAmounts
  /** False: the coin has no market price. `price` is 0, and values count what was paid for it, as far as that is known */
  isPriced: boolean
  /** Cost of the amount still held */
  totalCost: CurrencyAmounts
  profit: ProfitAmounts
  /** Profit in percent; 0 when there is no base to divide by */
  profitPercent: ProfitAmounts
  averageBuy: ProfitAmounts
  averageSell: ProfitAmounts
  /** Mean absolute change between daily closes in percent */
  avgChange: number
}

export interface Holdings {
  result: Array<Holding>
  /** Totals over all pages */
  summary: HoldingsSummary
  meta?: PendingMeta
}

export interface HoldingsSummary {
  totalValue: CurrencyAmounts
  totalCost: CurrencyAmounts
  /** Coins, and NFTs that were paid for, held without a market price: their number, and what was paid for them as far as that is known, which is a part of `totalValue` */
  unpriced: HoldingsSummaryUnpriced
  profit: ProfitAmounts
  /** Percent of the totals */
  profitPercent: ProfitAmounts
}

export interface HoldingsSummaryUnpriced {
  count: number
  cost: CurrencyAmounts
}

export interface InsightsBtcDominanceResponse {
  data: Array<Array<number>>
}

export interface InsightsFearAndGreedChart {
  /** Unix seconds of the UTC midnight at which the day begins */
  timestamp: string
  value: number
  /** 0 to 24: extreme fear; 25 to 44: fear; 45 to 55: neutral; 56 to 75: greed; 76 to 100: extreme greed */
  value_classification: 'Extreme fear' | 'Fear' | 'Neutral' | 'Greed' | 'Extreme greed'
}

export interface InsightsFearAndGreedChartResponse {
  name: 'Fear and Greed Index'
  data: Array<InsightsFearAndGreedChart>
}

export interface InsightsFearAndGreedNow {
  value: number
  /** 0 to 24: extreme fear; 25 to 44: fear; 45 to 55: neutral; 56 to 75: greed; 76 to 100: extreme greed */
  value_classification: 'Extreme fear' | 'Fear' | 'Neutral' | 'Greed' | 'Extreme greed'
  /** Unix seconds of the UTC midnight at which the day begins */
  timestamp: number
  /** When the value was received */
  update_time: string
}

export interface InsightsFearAndGreedResponse {
  name: 'Fear and Greed Index'
  now: InsightsFearAndGreedNow
  /** Absent when the index has no value for that day */
  yesterday?: InsightsFearAndGreedYesterday
  /** Absent when the index has no value for that day */
  lastWeek?: InsightsFearAndGreedYesterday
}

export interface InsightsFearAndGreedYesterday {
  value: number
  /** 0 to 24: extreme fear; 25 to 44: fear; 45 to 55: neutral; 56 to 75: greed; 76 to 100: extreme greed */
  value_classification: 'Extreme fear' | 'Fear' | 'Neutral' | 'Greed' | 'Extreme greed'
  /** Unix seconds of the UTC midnight at which the day begins */
  timestamp: number
}

export interface InsightsRainbowChart {
  /** Exact close in USD */
  price: string
  time: string
  /** Regression price of the day in USD */
  trend?: string
  /** 1 (cheapest) to 9 (most expensive) */
  band?: number
}

export interface Lot {
  /** Null with the method `average`, where all lots are one */
  acquiredAt: string | null
  /** Exact decimal */
  count: string
  /** Exact decimal */
  cost: string
}

export interface LotEntry {
  at: string
  /** Null for a first price, which counts for all ledgers together */
  ledger: string | null
  transaction: string
  /** Present when an operator corrected this transaction or how it counts */
  isCorrected?: true
  kind: 'acquire' | 'dispose' | 'carry out' | 'carry in'
  reason: string | null
  /** Exact decimal */
  count: string
  /** Cost of an acquisition or proceeds of a disposal */
  amount: ExactAmounts
  /** Cost of the lots */
  cost: ExactAmounts
  /** Lots added or used; all of them add up to the cost. Without `entry` only the first `limit` are listed */
  lots: LotsByUnit
  /** Quantity disposed of that was never acquired */
  uncovered: string
  /** Prices in USD by which amounts in USD are divided, to 30 places */
  units: ExplainedCoinUnitsNow
  /** All legs of the transaction */
  legs: Array<LotEntryLeg>
}

export interface LotEntryLeg {
  coinId: string
  /** Exact decimal */
  count: string
  role: string
  price: ExplainedPrice | null
}

export interface LotsByUnit {
  USD: LotsByUnitUSD
  BTC: LotsByUnitUSD
  ETH: LotsByUnitUSD
}

export interface LotsByUnitUSD {
  /** Number of items on all pages */
  count: number
  items: Array<Lot>
}

export interface MarketPriceAlert {
  type: 'market.price'
  /** Id of a prediction market */
  marketId: string
  /** Id of an outcome; absent: Yes, or the first one */
  outcomeId?: string
  /** Fires when the price of the outcome rises to it */
  above?: number
  /** Fires when the price of the outcome falls to it */
  below?: number
  id: string
  /** The webhook endpoint that gets the events. null: each whose `types` have the type */
  endpointId: string | null
  /** false: it has fired, or the value was past the limit when the alert was added. It is armed again once the value is far enough behind the limit. Of a portfolio always true */
  armed: boolean
  /** RFC 3339; null: never */
  firedAt: string | null
  createdAt: string
}

export interface MarketResolvedAlert {
  type: 'market.resolved'
  /** Id of a prediction market */
  marketId: string
  id: string
  /** The webhook endpoint that gets the events. null: each whose `types` have the type */
  endpointId: string | null
  /** false: it has fired, or the value was past the limit when the alert was added. It is armed again once the value is far enough behind the limit. Of a portfolio always true */
  armed: boolean
  /** RFC 3339; null: never */
  firedAt: string | null
  createdAt: string
}

export interface MarketsResponse {
  /** Market capitalisation, USD */
  marketCap: number
  /** Volume over 24 hours, USD */
  volume: number
  /** Share of Bitcoin in the market capitalisation, percent */
  btcDominance: number
  /** Change in percent over 24 hours; 0 when unknown */
  marketCapChange: number
  /** Change in percent over 24 hours; 0 when unknown */
  volumeChange: number
  /** Change in percentage points over 24 hours; 0 when unknown */
  btcDominanceChange: number
}

export interface NewCoinPriceAlert {
  type: 'coin.price'
  /** Id of a coin */
  coinId: string
  /** Fires when the price in USD rises to it */
  above?: number
  /** Fires when the price in USD falls to it */
  below?: number
  /** Fires when the price has moved so far, up or down, in `windowSeconds` */
  changePercent?: number
  /** The price is compared with the hourly one so long ago */
  windowSeconds?: number
  /** The webhook endpoint that gets the events. null: each whose `types` have the type */
  endpointId?: string | null
}

export interface NewMarketPriceAlert {
  type: 'market.price'
  /** Id of a prediction market */
  marketId: string
  /** Id of an outcome; absent: Yes, or the first one */
  outcomeId?: string
  /** Fires when the price of the outcome rises to it */
  above?: number
  /** Fires when the price of the outcome falls to it */
  below?: number
  /** The webhook endpoint that gets the events. null: each whose `types` have the type */
  endpointId?: string | null
}

export interface NewMarketResolvedAlert {
  type: 'market.resolved'
  /** Id of a prediction market */
  marketId: string
  /** The webhook endpoint that gets the events. null: each whose `types` have the type */
  endpointId?: string | null
}

export interface NewPortfolioValueAlert {
  type: 'portfolio.value'
  /** Id of a portfolio */
  portfolioId: string
  /** Fires when the value in USD has moved so far, up or down, since it last fired or was added */
  changePercent: number
  /** It fires once in so many seconds at most */
  everySeconds?: number
  /** The webhook endpoint that gets the events. null: each whose `types` have the type */
  endpointId?: string | null
}

export interface NewsItem {
  id: string
  /** Publication time in Unix milliseconds */
  feedDate: number
  source: string
  title: string
  /** Whether the operator picked the article */
  isFeatured: boolean
  /** URL of the article */
  link: string
  /** URL of the web site of the source */
  sourceLink: string
  /** URL of the image of the article, else of the source; empty when neither has one */
  imgUrl: string
  /** Number of reactions by kind */
  reactionsCount: NewsItemReactionsCount
  reactions: Array<string>
  /** URL to share: a page of this service with source and coins, else the article itself */
  shareURL: string
  /** Ids of the coins that the article is about */
  relatedCoins: Array<string>
  /** Whether the source publishes the whole article in its feed */
  content: boolean
  bigImg: boolean
  searchKeyWords?: Array<string>
  /** Summary as plain text */
  description?: string
  coins?: Array<NewsItemCoin>
}

export interface NewsItemCoin {
  /** Symbol of the coin */
  coinKeyWords: string
  /** Price change over 24 hours in percent; 0 when unknown */
  coinPercent: number
  /** Symbol of the coin */
  coinTitleKeyWords: string
  /** Name of the coin */
  coinNameKeyWords: string
  /** Coin id */
  coinIdKeyWords: string
}

export type NewsItemReactionsCount = Record<string, number>

export interface NewsResponse {
  result: Array<NewsItem>
}

export interface NewsSource {
  sourcename: string
  weburl: string
  feedurl: string
  _created_at: string
  /** Time of the last answer of the feed */
  _updated_at: string
  sourceImg?: string
  /** `failing`: the last attempt failed; `stale`: no answer for over an hour */
  health: 'ok' | 'failing' | 'stale'
}

export interface NftAsset {
  /** Contract address; on Solana the account of the collection */
  address: string
  blockchain: string
  tokenId: string
  collectionId: string
  name: string | null
  /** Empty when unknown */
  previewUrl: string
  /** Page on the marketplace, or on the block explorer if the marketplace has none */
  url: string
  /** Source of the description: a marketplace, or `rpc:<network>` when the contract gave it */
  source: string
  /** erc721 or erc1155; on Solana metaplex (a mint with metadata), core (Metaplex Core) or compressed (a leaf of a Merkle tree) */
  standard: string
  /** 1 is the rarest; 0 when unknown */
  rarityRank: number
  /** Information content of the traits in bits; 0 when unknown */
  rarityScore: number
  attributes: Array<NftAssetAttribute>
  lastSaleDate?: string
  /** In the main currency of the collection, at the rate of the time of sale */
  lastSalePrice?: number
  listSource?: string
  /** Cheapest offer in the main currency of the collection */
  listPrice?: number
}

export interface NftAssetAttribute {
  key: string
  kind: string
  value: string
  /** Tokens of the collection with this value */
  tokenCount: number
  /** How many of these tokens are on sale */
  onSaleCount: number
  /** Cheapest offer of a token with this value, in the main currency */
  floorAskPrice: number | null
  /** Always null: no source provides bids */
  topBidValue: number | null
  /** When this value was first seen */
  createdAt: string
}

export interface NftAssetsResponse {
  meta: PageMeta
  data: Array<NftAsset>
}

export interface NftCollection {
  /** Contract address */
  address: string
  description: string
  name: string
  bannerImg?: string
  blockchain?: string
  img?: string
  relevantUrls?: Array<NftCollectionRelevantUrl>
  /** Slug on the marketplace */
  slug?: string
  /** CoinGecko id */
  slugCs?: string
  /** Source of the description */
  source?: string
  verified?: boolean
  /** False for spam, NSFW and delisted collections, which public lists should hide */
  show?: boolean
  /** Rank by market capitalisation in its category */
  rank?: number
  /** Rank by market capitalisation among all collections */
  rankAll?: number
  /** Known tokens */
  count?: number
  totalSupply?: number
  /** Tokens on sale */
  listedCount?: number
  ownersCount?: number
  /** Average price of all sales in the main currency */
  averagePrice?: number
  /** Cheapest offer in the main currency */
  floorPriceMc?: number
  /** Cheapest offer in USD */
  floorPriceUsd?: number
  /** Average sale price of the last day in the main currency */
  oneDayAveragePrice?: number
  /** Average sale price of the last 7 days in the main currency */
  sevenDayAveragePrice?: number
  /** Average sale price of the last 30 days in the main currency */
  thirtyDayAveragePrice?: number
  /** Market capitalisation (supply times floor price) in the main currency */
  marketcapMc?: number
  /** Market capitalisation (supply times floor price) in USD */
  marketcapUsd?: number
  /** Coin id of the main currency */
  mainCurrencyId?: string
  /** Sales of the last day */
  oneDaySales?: number
  /** Sales of the last 7 days */
  sevenDaySales?: number
  /** Sales of the last 30 days */
  thirtyDaySales?: number
  /** All-time sales */
  totalSales?: number
  /** Volume of the last 30 days in the main currency */
  thirtyDayVolume?: number
  /** All-time volume in the main currency */
  totalVolume?: number
  /** Volume of the last day in the main currency */
  volume?: number
  /** Volume of the last day in the main currency */
  volumeMc24h?: number
  /** Volume of the last 7 days in the main currency */
  volumeMc7d?: number
  /** Volume of the last day in USD */
  volumeUsd24h?: number
  /** Volume of the last 7 days in USD */
  volumeUsd7d?: number
  /** Change of the floor price over 24 hours, in percent */
  floorPriceChange24h?: number
  /** Change of the floor price over 7 days, in percent */
  floorPriceChange7d?: number
  /** Change of the market capitalisation over 24 hours, in percent */
  marketcapChange24h?: number
  /** Change of the market capitalisation over 7 days, in percent */
  marketcapChange7d?: number
  /** Change of the volume of the last day against the day before, in percent */
  volumeChange24h?: number
  /** Change of the volume of the last 7 days against the 7 days before, in percent */
  volumeChange7d?: number
  /** Change of the number of owners over 24 hours */
  ownersCountChange24h?: number
  /** Change of the number of owners over 7 days */
  ownersCountChange7d?: number
  /** Share of a day's resales above the token's previous sale price, in percent */
  salesInProfit?: number
  /** Change of salesInProfit over 24 hours in percentage points */
  salesInProfitChange24h?: number
  /** Change of salesInProfit over 7 days in percentage points */
  salesInProfitChange7d?: number
  /** Change of the volume of the last day against the day before, in percent */
  oneDayChange?: number
  /** Change of the volume of the last 7 days against the 7 days before, in percent */
  sevenDayChange?: number
  /** Change of the volume of the last 30 days against the 30 days before, in percent */
  thirtyDayChange?: number
  /** Creator fee in basis points */
  creatorFee?: number
  /** When its sales were last read */
  transactionsUpdateDate?: string
  createdDate?: string
}

export interface NftCollectionRelevantUrl {
  name: string
  url: string
}

export interface NftTrendingResponse {
  meta: PageMeta
  data: Array<NftCollection>
}

export interface NftWalletAsset {
  name: string
  /** Empty when unknown */
  logo: string
  /** Contract address; on Solana the account of the collection, or of the token if it has no verified collection */
  address: string
  /** Floor price of one token in USD; 0 when unknown */
  floorPrice: number
  /** Floor price times the copies held, in USD; 0 when unknown */
  totalFloorPrice: number
  /** Sum of the last sale prices of all copies held, in USD at the time of each sale */
  totalLastSalePrice: number
  id: string
  /** Number of distinct tokens */
  assetsCount: number
  blockchain: string
  assets: Array<NftWalletAssetAsset>
}

export interface NftWalletAssetAsset {
  /** Empty when unknown */
  previewImg: string
  /** Floor price of the collection in USD; 0 when unknown */
  floorPrice: number
  tokenId: string
  name?: string
  /** Copies held, as the contract counts them; 1 for ERC-721 */
  count: string
}

export interface NftWalletAssetsResponse {
  meta: WalletPageMeta
  data?: Array<NftWalletAsset>
}

export interface PageMeta {
  page: number
  limit: number
  /** Items on all pages */
  itemCount: number
  pageCount: number
  hasPreviousPage: boolean
  hasNextPage: boolean
}

export interface PatchPortfolioTransactionBody {
  /** Id of a coin, or `FiatCoin` followed by the code of a currency */
  coinId?: string
  /** Negative for a sale */
  count?: number
  /** Unix time in milliseconds */
  date?: number
  /** Price of one in `currency`; null: the price at the instant of the transaction */
  price?: number | null
  /** Currency of `price` */
  currency?: string
  /** An empty text removes the note */
  notes?: string
}

export interface PatchWalletTransactionsBody {
  wallets?: Array<PatchWalletTransactionsWallet>
}

export interface PatchWalletTransactionsWallet {
  /** EVM address (mixed case must match its EIP-55 checksum), Bitcoin address, xpub, ypub or zpub, Solana address, or an address or extended key of a network beyond `all` */
  address: string
  /** One network, several separated by commas, or `all` (Bitcoin, Solana and ten EVM networks); wins over `blockchain`. Names in /wallet/blockchains and /coins and codes of CCXT are accepted too, in any case */
  connectionId?: string
  /** One blockchain, several separated by commas, or `all`; used when `connectionId` is absent */
  blockchain?: string
}

export interface PatchWebhookBody {
  /** Where events are posted: https, port 443 or 8443, a public address, no user name. Hosts in a private network need WEBHOOK_ALLOWED_HOSTS of the operator */
  url?: string
  /** Types of events. `test.ping` always arrives */
  types?: Array<'wallet.transaction' | 'wallet.balance' | 'wallet.synced' | 'exchange.transaction' | 'exchange.synced' | 'portfolio.value' | 'coin.price' | 'market.price' | 'market.resolved' | 'endpoint.disabled' | 'test.ping'>
  /** Of a transaction: the first event and whether a reorg took it, only the event when it is confirmed, or both */
  confirmed?: 'first' | 'only' | 'both'
  /** Transactions of a smaller value are left out */
  minValueUsd?: number
  /** Also transactions of tokens that are probably spam */
  includeSpam?: boolean
  /** `active` starts a paused or disabled endpoint again, with a ping that it has to answer. What waits for it is sent then */
  state?: 'active' | 'paused'
}

export interface PendingMeta {
  /** Only while something is missing: the wallets (`connectionId:address`) or portfolios (id) whose history is not complete or whose figures are being computed */
  pending?: Array<string>
}

export interface PlHistory {
  result: Array<PlHistoryPoint>
  meta: PlHistoryMeta
}

export interface PlHistoryMeta {
  currency: string
  range: '24h' | '1w' | '1m' | '3m' | '6m' | '1y' | 'all' | null
  interval: 'hourly' | 'daily' | 'weekly' | 'monthly' | 'yearly'
  /** Null when the result is empty and nothing was synced */
  from: string | null
  to: string
  /** Oldest last sync among the included wallets and portfolios; null before the first sync */
  lastSyncedAt: string | null
  /** Only while something is missing: the wallets (`connectionId:address`) or portfolios (id) whose history is not complete or whose figures are being computed */
  pending?: Array<string>
}

export interface PlHistoryPoint {
  /** End of the period */
  date: string
  /** Change of the value less external flows */
  profitLoss: number
  /** Percentage of the value at the start; 0 when that value is 0 */
  profitLossPercent: number
}

export interface PortfolioCoinsResponse {
  result: Array<ScoredHolding>
  meta?: PendingMeta
}

export interface PortfolioList {
  portfolioId: string
  portfolioName: string
  portfolioType: 'manual' | 'wallet' | 'exchange'
}

export interface PortfolioListResponse {
  result: Array<PortfolioList>
}

export interface PortfolioReportDisposal {
  coinId: string
  /** Null: never acquired, or method average */
  acquiredAt: string | null
  disposedAt: string
  term: 'short' | 'long' | 'unknown'
  /** trade, send, tradefee, fee or loss */
  reason: string
  /** Quantity taken from this lot, exact decimal */
  quantity: string
  /** Proceeds after fees, exact decimal */
  proceeds: string
  /** Cost basis with fees, exact decimal */
  cost: string
  /** Proceeds less cost, exact decimal */
  gain: string
  /** Fee that the proceeds no longer contain, exact decimal */
  fee: string
  incomeWorth: string | null
  /** True: it was never acquired, so its cost counts as 0 */
  isUncovered: boolean
  /** True: it arrived in another portfolio of the account */
  isOwnTransfer: boolean
  acquired: TaxTransaction | null
  disposed: TaxTransaction
}

export interface PortfolioReportIncome {
  coinId: string
  acquiredAt: string
  /** airdrop, reward, interest, rebase or wrap */
  role: string
  /** Quantity received, exact decimal */
  quantity: string
  /** Market value when it was received, exact decimal */
  worth: string
  acquired: TaxTransaction
}

export interface PortfolioReportResponse {
  year: number
  country: 'generic' | 'us' | 'de' | 'uk'
  currency: string
  method: 'average' | 'fifo' | 'lifo' | 'hifo'
  totals: PortfolioReportTotals
  /** Worth of all income when it was received, exact decimal */
  incomeTotal: string
  incomeInGains: string | null
  disposals: Array<PortfolioReportDisposal>
  income: Array<PortfolioReportIncome>
  /** What in this report needs attention */
  warnings: Array<string>
  /** What the rules of the country need beyond it */
  notes: Array<string>
  meta?: PendingMeta
}

export interface PortfolioReportTotals {
  short: TaxTotal
  long: TaxTotal
  unknown: TaxTotal
  all: TaxTotal
}

export interface PortfolioSnapshotItem {
  date: string
  /** The largest balance first */
  coinBalances: Array<PortfolioSnapshotItemCoinBalance>
  totalBalance: number
  totalBalanceChange: number
  /** 0 when the previous total is 0 */
  totalBalancePercentChange: number
}

export interface PortfolioSnapshotItemCoinBalance {
  symbol: string
  /** Empty when unknown */
  icon: string
  quantity: number
  /** USD, at the price of that midnight */
  balance: number
  quantityChange: number
  balanceChange: number
  /** USD, 0 when unknown */
  pricePerUnit: number
  /** 0 when either price is unknown */
  pricePercentChange: number
}

export interface PortfolioSnapshotItemsResponse {
  result: Array<PortfolioSnapshotItem>
  meta?: PendingMeta
}

export interface PortfolioStatusResponse {
  status: 'syncing' | 'synced'
  /** What is being read on a followed network */
  message?: string
}

export interface PortfolioTransaction {
  /** Id of a manual transaction, for PATCH and DELETE /portfolio/transaction/{id} */
  id?: string
  /** A transaction that only paid a fee, such as an approval, is `Sent` without transfers */
  transactionType: 'Sent' | 'Received' | 'Swap' | 'Buy' | 'Sell' | 'Roll In' | 'Dust Convert'
  date: string
  /** All 0 when unknown */
  profitLoss: PortfolioTransactionProfitLoss
  /** `count` is 0 when no fee was paid */
  fee: PortfolioTransactionFee
  portfolioInfo: WalletDefiProtocolBlockchain
  coinData?: PortfolioTransactionCoinData
  transfers?: Array<PortfolioTransactionTransfer>
  /** Note of a manual transaction; for an exchange transaction, how an operator corrected it */
  note?: string
}

export interface PortfolioTransactionCoinData {
  identifier: string
  /** Negative when outgoing */
  count: number
  symbol: string
  /** Value at the instant of the transaction; 0 when unknown */
  totalWorth: number
  /** Value at the current price; 0 when unknown */
  currentValue: number
}

export interface PortfolioTransactionFee {
  coin: HeldCoin
  count: number
  /** Value at the instant of the transaction; 0 when unknown */
  totalWorth: number
  /** Price of one at that instant; 0 when unknown */
  price: number
  toAddress?: string
  fromAddress?: string
}

export interface PortfolioTransactionProfitLoss {
  /** Change in value since the transaction; negated for outgoing amounts */
  profit: number
  profitPercent: number
  currentValue: number
}

export interface PortfolioTransactionTransfer {
  transferType: 'Received' | 'Sent'
  items: Array<PortfolioTransactionFee>
}

export interface PortfolioTransactionsResponse {
  data: Array<PortfolioTransaction>
  meta: SimplePageMeta
}

export interface PortfolioValueAlert {
  type: 'portfolio.value'
  /** Id of a portfolio */
  portfolioId: string
  /** Fires when the value in USD has moved so far, up or down, since it last fired or was added */
  changePercent: number
  /** It fires once in so many seconds at most */
  everySeconds: number
  id: string
  /** The webhook endpoint that gets the events. null: each whose `types` have the type */
  endpointId: string | null
  /** false: it has fired, or the value was past the limit when the alert was added. It is armed again once the value is far enough behind the limit. Of a portfolio always true */
  armed: boolean
  /** RFC 3339; null: never */
  firedAt: string | null
  createdAt: string
}

export interface PortfolioValueResponse {
  /** Value of all coins */
  totalValue: number
  /** Value of the positions that /portfolio/defi lists. A token that represents a position is also a coin and counts in `totalValue` */
  defiValue: number
  /** Coins, and NFTs that were paid for, held without a market price: their number, and what was paid for them as far as that is known, which is a part of `totalValue` */
  unpriced: PortfolioValueUnpriced
  /** Cost of the coins held */
  totalCost: number
  /** `totalValue` minus `totalCost` */
  unrealizedProfitLoss: number
  /** Percent of `totalCost`; 0 when that is 0 */
  unrealizedProfitLossPercent: number
  /** Profit on coins sold, spent or sent */
  realizedProfitLoss: number
  /** Percent of the cost of those coins; 0 when that is 0 */
  realizedProfitLossPercent: number
  /** Realised plus unrealised profit */
  allTimeProfitLoss: number
  /** Percent of the cost of all coins ever acquired; 0 when that is 0 */
  allTimeProfitLossPercent: number
  meta?: PendingMeta
}

export interface PortfolioValueUnpriced {
  count: number
  cost: number
}

export interface PostConnectRedeemBody {
  code: string
}

export interface PostConnectRedeemResponse {
  portfolioId: string
  /** The network or the exchange */
  connectionId: string
  /** `existing`: the account had already connected it */
  status: 'connected' | 'existing'
  /** The connect kit that the user saw */
  kitId: string
  /** Address of a wallet; null for an exchange account */
  address: string | null
  /** Whether the user proved by a signature that the wallet is theirs. Anyone can type an address */
  signedIn: boolean
}

export interface PostEventsTicketResponse {
  ticket: string
  expiresAt: string
}

export interface PostExchangeBalanceBalance {
  /** Coin id, or the exchange's asset code when the coin is unknown */
  coinId: string
  amount: number
  /** Price of one coin in USD; 0 without one */
  price: number
  /** False: the asset has no market price */
  isPriced: boolean
  priceBtc: number
}

export interface PostExchangeBalanceBody {
  /** Exchange id from GET /exchange/support */
  connectionId: string
  /** The fields that GET /exchange/support lists for this exchange */
  connectionFields: PostExchangeBalanceConnectionFields
  name?: string
}

export interface PostExchangeBalanceConnectionFields {
  apiKey: string
  apiSecret: string
  passphrase?: string
}

export interface PostExchangeBalancePortfolio {
  id: string
  status: 'syncing' | 'synced'
  connectionId: string
  name?: string
}

export interface PostExchangeBalanceResponse {
  balances: Array<PostExchangeBalanceBalance>
  portfolio: PostExchangeBalancePortfolio
}

export interface PostPortfolioTransactionBody {
  /** Id of a coin, or `FiatCoin` followed by the code of a currency */
  coinId: string
  /** Negative for a sale */
  count: number
  /** Unix time in milliseconds; now when absent */
  date?: number
  /** Price of one in `currency`; the price at that instant when absent */
  price?: number
  currency?: string
  notes?: string
  portfolioId?: string
}

export interface PostPortfolioWalletBody {
  /** EVM address (mixed case must match its EIP-55 checksum), Bitcoin address, xpub, ypub or zpub, Solana address, or an address or extended key of a network beyond `all` */
  address: string
  /** One network */
  connectionId: 'ethereum' | 'binancesmartchain' | 'base-wallet' | 'polygon-wallet' | 'arbitrum-wallet' | 'optimism-wallet' | 'avalanche-wallet' | 'hyperevm-wallet' | 'monad-wallet' | 'plasma-wallet' | 'bitcoin' | 'solana' | 'unichain-wallet' | 'worldchain-wallet' | 'ink-wallet' | 'soneium-wallet' | 'mode-wallet' | 'zora-wallet' | 'lisk-wallet' | 'bob-wallet' | 'superseed-wallet' | 'blast-wallet' | 'manta-wallet' | 'katana-wallet' | 'opbnb-wallet' | 'celo-wallet' | 'mantle-wallet' | 'shape-wallet' | 'arbitrum-nova-wallet' | 'apechain-wallet' | 'linea-wallet' | 'scroll-wallet' | 'zksync-wallet' | 'abstract-wallet' | 'polygon-zkevm-wallet' | 'taiko-wallet' | 'metis-wallet' | 'megaeth-wallet' | 'xlayer-wallet' | 'etherlink-wallet' | 'gnosis-wallet' | 'sonic-wallet' | 'fantom-wallet' | 'berachain-wallet' | 'sei-wallet' | 'cronos-wallet' | 'moonbeam-wallet' | 'moonriver-wallet' | 'ronin-wallet' | 'core-wallet' | 'flare-wallet' | 'rootstock-wallet' | 'aurora-wallet' | 'litecoin' | 'dogecoin' | 'bitcoin-cash' | 'tron' | 'xrpl' | 'sui' | 'ton' | 'cardano' | 'cosmos' | 'osmosis' | 'celestia'
  name?: string
}

export interface PostWebhookReplayBody {
  /** The first event to send again, by its `seq` */
  fromSeq?: string
  /** The time from which on events are sent again, RFC 3339 */
  from?: string
}

export interface PostWebhookReplayResponse {
  events: number
  /** The last of them; null: there are none */
  throughSeq: string | null
}

export interface PostWebhookRotateResponse {
  /** Shown once. null: this is the repeated answer to an Idempotency-Key, and secrets are not kept. Rotate then */
  secret: string | null
  /** RFC 3339 */
  previousSecretUntil: string
}

export interface PostWebhooksBody {
  /** Where events are posted: https, port 443 or 8443, a public address, no user name. Hosts in a private network need WEBHOOK_ALLOWED_HOSTS of the operator */
  url: string
  /** Types of events. `test.ping` always arrives */
  types: Array<'wallet.transaction' | 'wallet.balance' | 'wallet.synced' | 'exchange.transaction' | 'exchange.synced' | 'portfolio.value' | 'coin.price' | 'market.price' | 'market.resolved' | 'endpoint.disabled' | 'test.ping'>
  /** `all`: every wallet and exchange account among your portfolios, also those added later. Or a list of wallets */
  wallets: 'all' | Array<PatchWalletTransactionsWallet>
  /** Of a transaction: the first event and whether a reorg took it, only the event when it is confirmed, or both */
  confirmed?: 'first' | 'only' | 'both'
  /** Transactions of a smaller value are left out */
  minValueUsd?: number
  /** Also transactions of tokens that are probably spam */
  includeSpam?: boolean
}

export interface PostWebhooksResponse {
  id: string
  /** Where events are posted: https, port 443 or 8443, a public address, no user name. Hosts in a private network need WEBHOOK_ALLOWED_HOSTS of the operator */
  url: string
  types: Array<string>
  /** Of a transaction: the first event and whether a reorg took it, only the event when it is confirmed, or both */
  confirmed: 'first' | 'only' | 'both'
  /** Transactions of a smaller value are left out */
  minValueUsd: number
  /** Also transactions of tokens that are probably spam */
  includeSpam: boolean
  /** It gets the events of all wallets among your portfolios */
  allPortfolios: boolean
  /** Wallets that were added one by one */
  wallets: number
  /** `new`: it has not answered its ping. `backing_off`: it fails, so one event a minute is tried. `paused`, `disabled`: nothing is sent until it is `active` again by PATCH */
  state: 'new' | 'active' | 'backing_off' | 'paused' | 'disabled'
  /** Why it is not active */
  reason: string | null
  /** RFC 3339; null: the last attempt arrived */
  failingSince: string | null
  /** RFC 3339: until then the secret before the last rotation signs too */
  previousSecretUntil: string | null
  createdAt: string
  /** Shown once. null: this is the repeated answer to an Idempotency-Key, and secrets are not kept. Rotate then */
  secret: string | null
}

export interface PredictionEvent {
  id: string
  /** Unique across venues */
  slug: string
  venue: 'polymarket' | 'kalshi' | 'limitless' | 'predictit' | 'manifold'
  /** Whether the venue trades play money, which nobody can pay out. No figure in USD has any of it */
  playMoney: boolean
  title: string
  url: string
  description: string | null
  imageUrl: string | null
  category: string | null
  tags: Array<PredictionMarketTag>
  /** Open while at least one of its markets is open */
  status: 'open' | 'closed' | 'resolved' | 'cancelled'
  marketsCount: number
  /** Whether at most one of its markets resolves to Yes */
  mutuallyExclusive: boolean
  /** Market with the highest price of Yes */
  topOutcome: PredictionEventTopOutcome | null
  /** USD; 0 for play money */
  volume24h: number
  /** USD; 0 for play money */
  volumeTotal: number
  /** USD; 0 for play money */
  liquidity: number
  /** USD; 0 for play money */
  openInterest: number
  startDate: string | null
  endDate: string | null
  createdAt: string
  updatedAt: string
}

export interface PredictionEventCrossVenue {
  slug: string
  title: string
  /** The event itself first, then events with matching markets, highest score first */
  venues: Array<PredictionEventCrossVenueVenue>
  /** Markets of the event; those with a match come first */
  outcomes: Array<PredictionEventCrossVenueOutcome>
  summary: PredictionEventCrossVenueSummary
}

export interface PredictionEventCrossVenueOutcome {
  label: string
  /** The market itself first, then its matches */
  prices: Array<PredictionYesPrice>
  /** Highest minus lowest price. Prices in play money count only where there are no others */
  priceGap: number
}

export interface PredictionEventCrossVenueResponse {
  success: true
  data: PredictionEventCrossVenue
  /** ISO 8601, time of the response */
  timestamp: string
}

export interface PredictionEventCrossVenueSummary {
  venuesCount: number
  /** Outcomes with a match at another venue */
  matchedOutcomes: number
  maxPriceGap: number
  /** USD */
  totalVolume: number
}

export interface PredictionEventCrossVenueVenue {
  venue: 'polymarket' | 'kalshi' | 'limitless' | 'predictit' | 'manifold'
  /** Whether the venue trades play money, which nobody can pay out. No figure in USD has any of it */
  playMoney: boolean
  eventSlug: string
  title: string
  url: string
  /** 0 to 1; 1 for the event itself */
  matchScore: number
  marketsCount: number
  /** USD; 0 for play money */
  volumeTotal: number
}

export interface PredictionEventDetails {
  id: string
  /** Unique across venues */
  slug: string
  venue: 'polymarket' | 'kalshi' | 'limitless' | 'predictit' | 'manifold'
  /** Whether the venue trades play money, which nobody can pay out. No figure in USD has any of it */
  playMoney: boolean
  title: string
  url: string
  description: string | null
  imageUrl: string | null
  category: string | null
  tags: Array<PredictionMarketTag>
  /** Open while at least one of its markets is open */
  status: 'open' | 'closed' | 'resolved' | 'cancelled'
  marketsCount: number
  /** Whether at most one of its markets resolves to Yes */
  mutuallyExclusive: boolean
  /** Market with the highest price of Yes */
  topOutcome: PredictionEventTopOutcome | null
  /** USD; 0 for play money */
  volume24h: number
  /** USD; 0 for play money */
  volumeTotal: number
  /** USD; 0 for play money */
  liquidity: number
  /** USD; 0 for play money */
  openInterest: number
  startDate: string | null
  endDate: string | null
  createdAt: string
  updatedAt: string
  /** Highest price of Yes first; of the first outcome where none is Yes */
  markets: Array<PredictionMarket>
}

export interface PredictionEventResponse {
  success: true
  data: PredictionEventDetails
  /** ISO 8601, time of the response */
  timestamp: string
}

export interface PredictionEventTopOutcome {
  marketSlug: string
  label: string
  price: number
}

export interface PredictionEventsResponse {
  success: true
  data: Array<PredictionEvent>
  meta: PageMeta
  /** ISO 8601, time of the response */
  timestamp: string
}

export interface PredictionMarket {
  id: string
  /** Unique across venues */
  slug: string
  venue: 'polymarket' | 'kalshi' | 'limitless' | 'predictit' | 'manifold'
  /** Whether the venue trades play money, which nobody can pay out. No figure in USD has any of it */
  playMoney: boolean
  venueMarketId: string
  question: string
  url: string
  description: string | null
  imageUrl: string | null
  category: string | null
  eventSlug: string | null
  eventTitle: string | null
  tags: Array<PredictionMarketTag>
  status: 'open' | 'closed' | 'resolved' | 'cancelled'
  /** In the order of the venue; Yes is not always first */
  outcomes: Array<PredictionMarketOutcome>
  /** Last trade of the first outcome, 0 to 1 */
  lastTradePrice: number | null
  /** Best bid of the first outcome, 0 to 1 */
  bestBid: number | null
  /** Best ask of the first outcome, 0 to 1 */
  bestAsk: number | null
  spread: number | null
  /** Difference of the first outcome's price over 1 hour; null when unknown */
  priceChange1h: number | null
  /** Difference of the first outcome's price over 24 hours; null when unknown */
  priceChange24h: number | null
  /** Difference of the first outcome's price over 7 days; null when unknown */
  priceChange7d: number | null
  /** Price times size of the trades over 24 hours, USD; null while the trades of the market are not read, and for play money */
  volume24h: number | null
  /** Price times size of the trades since 00:00 UTC seven days ago; Polymarket states it over 168 hours, USD; null while the trades of the market are not read, and for play money */
  volume7d: number | null
  /** Price times size of the trades since the start, USD; null while the trades of the market are not read, and for play money */
  volumeTotal: number | null
  /** What the contracts traded over 24 hours pay at most, USD; null when the venue does not count them */
  notional24h: number | null
  /** What the contracts traded since the start pay at most, USD; null when the venue does not count them */
  notionalTotal: number | null
  /** Liquidity, USD; 0 for play money */
  liquidity: number
  /** Open interest, USD; 0 for play money */
  openInterest: number
  /** Accounts with known trades, or as the venue states them; null when neither is known */
  tradersCount: number | null
  /** ISO 8601, when trading began; null when unknown */
  startDate: string | null
  /** ISO 8601, when trading ends; null when unknown */
  endDate: string | null
  /** ISO 8601, when it was resolved; null when unknown */
  resolvedAt: string | null
  resolution: PredictionMarketResolution | null
  createdAt: string
  updatedAt: string
}

export interface PredictionMarketCrossVenue {
  slug: string
  question: string
  /** The market itself first, then its matches, highest score first */
  venues: Array<PredictionMarketCrossVenueVenue>
  /** Prices in play money count only where no market in real money matches */
  summary: PredictionMarketCrossVenueSummary
}

export interface PredictionMarketCrossVenueResponse {
  success: true
  data: PredictionMarketCrossVenue
  /** ISO 8601, time of the response */
  timestamp: string
}

export interface PredictionMarketCrossVenueSummary {
  /** With those of play money */
  venuesCount: number
  /** Mean of one market for each venue and event, the one with the most 24-hour volume */
  averagePrice: number
  /** The same, weighted by 24-hour volume; the plain average without volume */
  weightedPrice: number
  /** Highest minus lowest `yesPrice` */
  priceGap: number
  lowestAsk: PredictionQuote | null
  highestBid: PredictionQuote | null
  /** Whether the best bid of one venue is above the best ask of another */
  arbitrage: boolean
}

export interface PredictionMarketCrossVenueVenue {
  venue: 'polymarket' | 'kalshi' | 'limitless' | 'predictit' | 'manifold'
  /** Whether the venue trades play money, which nobody can pay out. No figure in USD has any of it */
  playMoney: boolean
  marketSlug: string
  question: string
  url: string
  /** 0 to 1; 1 for the market itself and for matches that an operator confirmed */
  matchScore: number
  /** Price of the outcome that the requested market claims */
  yesPrice: number
  bestBid: number | null
  bestAsk: number | null
  /** Price times size, USD; null while the trades of the market are not read, and for play money */
  volume24h: number | null
  /** USD; 0 for play money */
  liquidity: number
  endDate: string | null
}

export interface PredictionMarketHistory {
  slug: string
  interval: '5m' | '1h' | '6h' | '1d'
  series: Array<PredictionMarketHistorySeries>
}

export interface PredictionMarketHistoryResponse {
  success: true
  data: PredictionMarketHistory
  /** ISO 8601, time of the response */
  timestamp: string
}

export interface PredictionMarketHistorySeries {
  outcomeId: string
  outcome: string
  points: Array<PredictionMarketHistorySeriesPoint>
}

export interface PredictionMarketHistorySeriesPoint {
  /** ISO 8601, end of the interval */
  date: string
  price: number
  /** Volume of the known trades in the interval, USD */
  volume: number
}

export interface PredictionMarketHolder {
  outcomeId: string
  outcome: string
  holders: Array<PredictionMarketHolderHolder>
}

export interface PredictionMarketHolderHolder {
  rank: number
  trader: PredictionPerson
  shares: number
  /** Value at the current price, USD */
  value: number
  /** Average price of the known purchases; null without one */
  avgPrice: number | null
  /** Profit of the shares at the current price, USD; null without `avgPrice` */
  unrealizedPnl: number | null
  /** Percent of all shares of the outcome; null when unknown */
  sharePercent: number | null
}

export interface PredictionMarketHoldersResponse {
  success: true
  data: Array<PredictionMarketHolder>
  /** ISO 8601, time of the response */
  timestamp: string
}

export interface PredictionMarketOrderbook {
  slug: string
  outcomeId: string
  outcome: string
  /** The highest first */
  bids: Array<PredictionMarketOrderbookBid>
  /** The lowest first */
  asks: Array<PredictionMarketOrderbookBid>
  bestBid: number | null
  bestAsk: number | null
  midpoint: number | null
  spread: number | null
  tickSize: number | null
  /** ISO 8601, time of this state of the order book */
  updatedAt: string
}

export interface PredictionMarketOrderbookBid {
  price: number
  /** Shares */
  size: number
  /** Shares of this level and all better levels */
  total: number
}

export interface PredictionMarketOrderbookResponse {
  success: true
  data: PredictionMarketOrderbook
  /** ISO 8601, time of the response */
  timestamp: string
}

export interface PredictionMarketOutcome {
  id: string
  name: string
  /** 0 to 1 */
  price: number
  priceChange24h: number | null
  /** null until the market is resolved */
  winner: boolean | null
}

export interface PredictionMarketResolution {
  outcomeId: string
  outcome: string
  source: string | null
}

export interface PredictionMarketResponse {
  success: true
  data: PredictionMarket
  /** ISO 8601, time of the response */
  timestamp: string
}

export interface PredictionMarketTag {
  slug: string
  label: string
}

export interface PredictionMarketTrade {
  id: string
  date: string
  marketSlug: string
  question: string
  venue: 'polymarket' | 'kalshi' | 'limitless' | 'predictit' | 'manifold'
  side: 'buy' | 'sell'
  outcomeId: string
  outcome: string
  price: number
  /** Shares */
  size: number
  /** Price times size, USD */
  value: number
  /** null when the venue does not identify traders */
  trader: PredictionPerson | null
  txHash: string | null
}

export interface PredictionMarketTradesResponse {
  success: true
  data: Array<PredictionMarketTrade>
  meta: PageMeta
  /** ISO 8601, time of the response */
  timestamp: string
}

export interface PredictionMarketsResponse {
  success: true
  data: Array<PredictionMarket>
  meta: PageMeta
  /** ISO 8601, time of the response */
  timestamp: string
}

export interface PredictionPerson {
  address: string
  name: string | null
  avatar: string | null
}

export interface PredictionPlatformCategoriesResponse {
  success: true
  data: Array<PredictionPlatformCategory>
  /** ISO 8601, time of the response */
  timestamp: string
}

export interface PredictionPlatformCategory {
  category: string
  /** Volume of the known trades, USD */
  volume: number
  /** Percent of the volume of all categories */
  volumeShare: number
  /** Open markets */
  marketsCount: number
  /** Open interest of the open markets, USD */
  openInterest: number
}

export interface PredictionPlatformOverview {
  totals: PredictionPlatformOverviewTotals
  venues: Array<PredictionPlatformOverviewVenue>
}

export interface PredictionPlatformOverviewResponse {
  success: true
  data: PredictionPlatformOverview
  /** ISO 8601, time of the response */
  timestamp: string
}

export interface PredictionPlatformOverviewTotals {
  volume24h: number
  volume7d: number
  /** Volume of the known markets, USD */
  volumeTotal: number
  openInterest: number
  liquidity: number
  /** With those of play money */
  openMarkets: number
  /** With those of play money */
  openEvents: number
  /** Accounts with a trade; 0 for a venue that does not identify traders */
  activeTraders24h: number
  trades24h: number
}

export interface PredictionPlatformOverviewVenue {
  venue: 'polymarket' | 'kalshi' | 'limitless' | 'predictit' | 'manifold'
  /** Whether the venue trades play money, which nobody can pay out. No figure in USD has any of it */
  playMoney: boolean
  volume24h: number
  volume7d: number
  /** Volume of the known markets, USD */
  volumeTotal: number
  openInterest: number
  liquidity: number
  /** With those of play money */
  openMarkets: number
  /** With those of play money */
  openEvents: number
  /** Accounts with a trade; 0 for a venue that does not identify traders */
  activeTraders24h: number
  trades24h: number
}

export interface PredictionPlatformVolume {
  interval: 'daily' | 'weekly' | 'monthly'
  points: Array<PredictionPlatformVolumePoint>
}

export interface PredictionPlatformVolumePoint {
  /** ISO 8601, start of the interval (UTC) */
  date: string
  /** Volume of the known trades, each counted once, USD */
  volume: number
  tradesCount: number
  activeTraders: number
}

export interface PredictionPlatformVolumeResponse {
  success: true
  data: PredictionPlatformVolume
  /** ISO 8601, time of the response */
  timestamp: string
}

export interface PredictionQuote {
  venue: 'polymarket' | 'kalshi' | 'limitless' | 'predictit' | 'manifold'
  price: number
}

export interface PredictionSearch {
  markets: Array<PredictionMarket>
  events: Array<PredictionEvent>
  traders: Array<PredictionTrader>
}

export interface PredictionSearchMeta {
  query: string
  /** Numbers of all matches, not only those returned */
  counts: PredictionSearchMetaCounts
}

export interface PredictionSearchMetaCounts {
  markets: number
  events: number
  traders: number
}

export interface PredictionSearchResponse {
  success: true
  data: PredictionSearch
  meta: PredictionSearchMeta
  timestamp: string
}

export interface PredictionTag {
  slug: string
  label: string
  marketsCount: number
  eventsCount: number
  /** USD */
  volume24h: number
}

export interface PredictionTagsResponse {
  success: true
  data: Array<PredictionTag>
  meta: PageMeta
  /** ISO 8601, time of the response */
  timestamp: string
}

export interface PredictionTrader {
  /** Rank by `sortBy` */
  rank: number
  address: string
  name: string | null
  avatar: string | null
  venue: 'polymarket' | 'kalshi'
  /** Realised and unrealised profit in the period, from the known trades, USD */
  pnl: number
  /** P&L divided by the capital used in the period, percent */
  roi: number
  /** USD */
  volume: number
  /** Share of the positions closed in the period that made a profit, 0 to 1 */
  winRate: number
  tradesCount: number
  /** Markets with a position in the period */
  marketsTraded: number
  openPositions: number
  /** Value of the open positions at current prices, USD */
  openValue: number
  /** `whale`: open positions of 10,000 USD or more; `active`: 100 trades or more; `sharp`: win rate of at least 60 % and a profit */
  labels: Array<string>
}

export interface PredictionTraderDetails {
  address: string
  name: string | null
  avatar: string | null
  venue: 'polymarket' | 'kalshi'
  /** Realised and unrealised profit in the period, from the known trades, USD */
  pnl: number
  /** P&L divided by the capital used in the period, percent */
  roi: number
  /** USD */
  volume: number
  /** Share of the positions closed in the period that made a profit, 0 to 1 */
  winRate: number
  tradesCount: number
  /** Markets with a position in the period */
  marketsTraded: number
  openPositions: number
  /** Value of the open positions at current prices, USD */
  openValue: number
  /** `whale`: open positions of 10,000 USD or more; `active`: 100 trades or more; `sharp`: win rate of at least 60 % and a profit */
  labels: Array<string>
  pnlByPeriod: AmountsByPeriod
  volumeByPeriod: AmountsByPeriod
  realizedPnl: number
  unrealizedPnl: number
  /** Largest profit of one closed position, USD; 0 without a profit */
  biggestWin: number
  /** Largest loss of one closed position, USD; 0 or negative */
  biggestLoss: number
  categories: Array<PredictionTraderDetailsCategory>
  firstTradeAt: string | null
  lastTradeAt: string | null
  profileUrl: string
}

export interface PredictionTraderDetailsCategory {
  category: string
  pnl: number
  volume: number
  tradesCount: number
}

export interface PredictionTraderPnl {
  address: string
  range: '24h' | '1w' | '1m' | '3m' | '6m' | '1y' | 'all'
  interval: 'hourly' | 'daily' | 'weekly' | 'monthly'
  points: Array<PredictionTraderPnlPoint>
  summary: PredictionTraderPnlSummary
}

export interface PredictionTraderPnlPoint {
  /** ISO 8601, start of the interval (UTC) */
  date: string
  /** Realised and unrealised profit in the interval, USD */
  pnl: number
  /** Sum of `pnl` since the start of the range, USD */
  cumulativePnl: number
  volume: number
}

export interface PredictionTraderPnlResponse {
  success: true
  data: PredictionTraderPnl
  /** ISO 8601, time of the response */
  timestamp: string
}

export interface PredictionTraderPnlSummary {
  /** All-time realised profit, USD */
  realizedPnl: number
  /** Unrealised profit of the open positions, USD */
  unrealizedPnl: number
  /** Profit in the range, USD */
  totalPnl: number
  /** Volume in the range, USD */
  volume: number
}

export interface PredictionTraderPosition {
  marketSlug: string
  question: string
  eventSlug: string | null
  venue: 'polymarket' | 'kalshi' | 'limitless' | 'predictit' | 'manifold'
  outcomeId: string
  outcome: string
  /** Shares held; for a won or lost position, those held at the end */
  shares: number
  /** Average price of all purchases */
  avgPrice: number
  currentPrice: number
  /** Cost of the shares held, at average cost, USD */
  costBasis: number
  /** Value of the shares held at the current price, USD */
  value: number
  /** 0 for a closed position */
  unrealizedPnl: number
  unrealizedPnlPercent: number
  realizedPnl: number
  status: 'open' | 'won' | 'lost' | 'sold'
  openedAt: string
  closedAt: string | null
  endDate: string | null
  /** Whether the shares pay out */
  redeemable: boolean
}

export interface PredictionTraderPositionsResponse {
  success: true
  data: Array<PredictionTraderPosition>
  meta: PageMeta
  /** ISO 8601, time of the response */
  timestamp: string
}

export interface PredictionTraderResponse {
  success: true
  data: PredictionTraderDetails
  /** ISO 8601, time of the response */
  timestamp: string
}

export interface PredictionTradersResponse {
  success: true
  data: Array<PredictionTrader>
  meta: PageMeta
  /** ISO 8601, time of the response */
  timestamp: string
}

export interface PredictionYesPrice {
  venue: 'polymarket' | 'kalshi' | 'limitless' | 'predictit' | 'manifold'
  /** Whether the venue trades play money, which nobody can pay out. No figure in USD has any of it */
  playMoney: boolean
  marketSlug: string
  yesPrice: number
}

export interface ProfitAmounts {
  allTime: CurrencyAmounts
  hour24: CurrencyAmounts
  lastTrade: CurrencyAmounts
  unrealized: CurrencyAmounts
  realized: CurrencyAmounts
}

export interface PutWebhookWalletsBody {
  /** `all`: every wallet and exchange account among your portfolios, also those added later. Or a list of wallets */
  wallets: 'all' | Array<PatchWalletTransactionsWallet>
}

export interface QuoteResponse {
  /** Method and path as in this reference */
  endpoint: string
  credits: number
  /** Multipliers of the base price; null if the price is fixed */
  multipliers: string | null
  /** null when the gateway does not sell the call */
  x402: QuoteX402 | null
}

export interface QuoteX402 {
  /** In units of 0.000001 USDC */
  amount: string
  usdc: string
}

export interface ScoredHolding {
  coin: HeldCoin
  count: number
  price: CurrencyAmounts
  /** False: the coin has no market price. `price` is 0, and values count what was paid for it, as far as that is known */
  isPriced: boolean
  /** Cost of the amount still held */
  totalCost: CurrencyAmounts
  profit: ProfitAmounts
  /** Profit in percent; 0 when there is no base to divide by */
  profitPercent: ProfitAmounts
  averageBuy: ProfitAmounts
  averageSell: ProfitAmounts
  /** Mean absolute change between daily closes in percent */
  avgChange: number
  /** 0 to 100, only with includeRiskScore: how easy the coin is to trade, from its volume; higher is easier */
  liquidityScore?: number
  /** 0 to 100, only with includeRiskScore: how much the price moves, from 30 daily closes; higher moves more */
  volatilityScore?: number
  /** 0 to 100, only with includeRiskScore: how large the market capitalisation is; higher is larger */
  marketCapScore?: number
  /** 0 to 100, only with includeRiskScore: weighted sum of the three scores; higher is riskier */
  riskScore?: number
}

export interface SimplePageMeta {
  page: number
  limit: number
  /** Only while something is missing: the wallets (`connectionId:address`) or portfolios (id) whose history is not complete or whose figures are being computed */
  pending?: Array<string>
}

export interface StatusResponse {
  status: 'ok' | 'degraded'
  version: '1.0'
  timestamp: string
}

export interface Success {
  success: boolean
}

export interface SyncStatus {
  status: 'syncing' | 'synced'
}

export interface TaxTotal {
  disposals: number
  /** Proceeds after fees, exact decimal */
  proceeds: string
  /** Cost basis with fees, exact decimal */
  cost: string
  /** Proceeds less cost, exact decimal */
  gain: string
}

export interface TaxTransaction {
  portfolioId: string | null
  id: string
}

export interface TickersExchange {
  id: string
  name: string
  /** Rank by `volume24h`; 1 is the largest */
  rank: number
  /** Volume change over 24 hours in percent; 0 when unknown */
  change24h: number
  /** Volume over 24 hours, USD */
  volume24h: number
  /** Volume over 7 days, USD; 0 when unknown */
  volume7d: number
  /** URL of the logo */
  icon?: string
  /** URL of the web site */
  url?: string
  /** Volume over 30 days, USD */
  volume1m?: number
}

export interface TickersMarket {
  exchange: string
  /** `from/to` */
  pair: string
  from: string
  to: string
  /** Price of one `from` in USD */
  price: number
  /** Units of `to` per unit of `from` */
  pairPrice: number
  /** Volume over 24 hours in units of `from` */
  pairVolume: number
  /** Volume over 24 hours, USD */
  volume: number
  /** When the market was first read */
  _created_at: string
  /** Time of the last trade */
  _updated_at: string
}

export interface TickersMarketsResponse {
  meta: PageMeta
  result: Array<TickersMarket>
}

export interface TokenRisk {
  title: string
  key: string
  /** Whether the risk was found */
  value: 'true' | 'false'
  subtitle: string
  note: string
  description: string
  severity: 'critical' | 'high' | 'medium' | 'low' | 'minor'
}

export interface TokenRisksResponse {
  /** Checks with a known result; missing checks are unknown. Empty without data */
  results: Array<TokenRisk>
  /** 0 to 100, higher is riskier; absent when too little is known */
  score?: number
  /** Whether the source lists it as trusted; absent when unknown */
  marketEndorsed?: boolean
  /** Whether the owner gave up ownership; absent when unknown */
  ownershipRenounced?: boolean
  /** URL of the page of the source about the token */
  risksProviderUrl?: string
}

export interface TransactionItem {
  id: string
  /** Negative when it leaves the wallet */
  count: number
  /** Value at the time of the transaction, 0 when unknown */
  totalWorth: number
  coin?: CoinLabel
  nft?: TransactionItemNft
  toAddress?: string
  fromAddress?: string
}

export interface TransactionItemNft {
  id: string
  name: string
  icon: string
}

export interface UsageCreditsResponse {
  totalCredits: number
  usedCredits: number
  remainingCredits: number
  subscription: 'FREE' | 'STARTER' | 'PRO' | 'ENTERPRISE'
}

export interface WalletBalance {
  coinId: string
  name: string
  symbol: string
  /** Empty when unknown */
  imgUrl: string
  /** In coins; in base units if `decimals` is absent */
  amount: number
  /** Price in USD, 0 without one */
  price: number
  /** False: the coin has no market price */
  isPriced: boolean
  priceBtc: number
  /** Price change over 24 hours in percent */
  pCh24h: number
  /** 0: unranked */
  rank: number
  /** Trading volume of the last 24 hours in USD */
  volume: number
  /** Blockchain */
  chain: string
  connectionId: string
  /** Absent when the contract does not state it */
  decimals?: number
  /** Absent for the native coin */
  contractAddress?: string
  /** Why the token counts as spam: its name or symbol is an advertisement, it has the symbol of a well-known coin, or one transaction sent it to many wallets. Absent: it does not */
  spam?: 'advertises' | 'impersonates' | 'multisend'
}

export interface WalletBalanceMany {
  blockchain: string
  address: string
  connectionId: string
  balances: Array<WalletBalance>
}

export interface WalletBlockchain {
  name: string
  connectionId: string
  /** Value of the parameter `blockchain` */
  chain: string
  icon: string
}

export interface WalletChart {
  data: Array<Array<number>>
  walletAddress?: string
  connectionId?: string
  blockchain?: string
  /** Why the wallet, or one of the wallets, is missing; empty when none is missing */
  message?: string
}

export interface WalletChartResponse {
  result: Array<Array<number>>
  meta?: PendingMeta
}

export interface WalletDefiProtocol {
  id: string
  name: string
  logo: string
  totalValue: CurrencyAmounts
  blockchain: WalletDefiProtocolBlockchain
  /** Value of the parameter `blockchain` */
  chain: string
  walletAddress: string
  url: string
  investments: Array<WalletDefiProtocolInvestment>
}

export interface WalletDefiProtocolBlockchain {
  name: string
  icon: string
}

export interface WalletDefiProtocolInvestment {
  id: string
  name: string
  /** Value less debt; absent when a price is unknown */
  value?: CurrencyAmounts
  /** What the wallet paid for the token that stands for the position, at average cost. Absent when there is no such token, when a part of it has no known cost, and until profit and loss has the latest transaction */
  totalCost?: CurrencyAmounts
  /** `value` less `totalCost`; absent with it */
  profit?: CurrencyAmounts
  /** Of `totalCost`; 0 when that is 0 */
  profitPercent?: CurrencyAmounts
  symbols: string
  assets: Array<WalletDefiProtocolInvestmentAsset>
  poolAddress: string
  poolProjectId: string
  /** The position is liquidated below 1; absent without debt */
  healthRate?: number
  healthRateLink?: string
  /** Debt divided by supplied value; absent without debt */
  debtRatio?: number
  debtRatioLink?: string
  /** When withdrawal becomes possible; absent when it is possible or the time is unknown */
  unlockAt?: string
  /** End of the time for withdrawal, once unlocked */
  endAt?: string
  /** True when a contract of the wallet, such as a DSProxy, holds the position */
  isProxy: boolean
}

export interface WalletDefiProtocolInvestmentAsset {
  /** Contract address; absent for the native coin */
  address?: string
  title: 'Supplied' | 'Borrowed' | 'Staked' | 'Locked' | 'Unclaimed' | 'Withdrawing' | 'Claimable'
  /** In coins, negative when owed; in base units when the contract gives no decimals */
  amount: number
  /** Empty when unknown */
  symbol: string
  /** Interest in a year in percent, without interest on it, at the rate of the last read; of a debt what it costs. Absent when the protocol states no rate */
  apr?: number
  /** Value of the amount, negative when owed; absent when a price is unknown or the token is spam */
  price?: CurrencyAmounts
  /** Price of one coin; absent when unknown */
  unitPrice?: CurrencyAmounts
  coinId: string
  logo?: string
  /** True when the token is marked as spam */
  danger: boolean
}

export interface WalletDefiResponse {
  /** Sum of the investments with a known value */
  totalAssets: CurrencyAmounts
  protocols: Array<WalletDefiProtocol>
  meta?: PendingMeta
}

export interface WalletPageMeta {
  page: number
  limit: number
  /** Items on all pages */
  itemCount: number
  pageCount: number
  hasPreviousPage: boolean
  hasNextPage: boolean
  /** Only while something is missing: the wallets (`connectionId:address`) or portfolios (id) whose history is not complete or whose figures are being computed */
  pending?: Array<string>
}

export interface WalletStatusResponse {
  status: 'syncing' | 'synced'
  /** Everything up to this time is served on each network with a complete history; null: on none. The same as X-Data-As-Of */
  lastSyncedAt: string | null
  /** What is being read on followed networks, and what part of the history no source gives */
  message?: string
}

export interface WalletTransaction {
  /** Received, Sent, Swap, Buy, Sell or Balance. A transaction that only paid a fee or approved an amount is `Sent` without `transactions` */
  type: string
  date: string
  mainContent: WalletTransactionMainContent
  transactions: Array<WalletTransactionTransaction>
  /** Set if the transaction only allows an address to spend a coin */
  approval?: WalletTransactionApproval
  fee?: WalletTransactionFee
  hash?: WalletTransactionHash
  coinData?: WalletTransactionCoinData
  profitLoss?: WalletTransactionProfitLoss
}

export interface WalletTransactionApproval {
  coin: CoinLabel
  /** Approved amount */
  count: number
  /** Address that may spend it */
  toAddress?: string
}

export interface WalletTransactionCoinData {
  /** Negative when it left the wallet */
  count: number
  symbol: string
  /** Value at the current price, 0 when unknown */
  currentValue: number
}

export interface WalletTransactionFee {
  coin: CoinLabel
  count: number
  totalWorth: number
}

export interface WalletTransactionHash {
  id: string
  explorerUrl: string
}

export interface WalletTransactionMainContent {
  coinIcons: Array<string>
  coinAssets: Array<string>
}

export interface WalletTransactionProfitLoss {
  /** Change in value since the transaction; negated for coins that left the wallet */
  profit: number
  profitPercent: number
  currentValue: number
}

export interface WalletTransactionTransaction {
  action: 'Received' | 'Sent'
  items: Array<TransactionItem>
}

export interface WalletTransactionsResponse {
  meta: SimplePageMeta
  result: Array<WalletTransaction>
}

export interface Webhook {
  id: string
  /** Where events are posted: https, port 443 or 8443, a public address, no user name. Hosts in a private network need WEBHOOK_ALLOWED_HOSTS of the operator */
  url: string
  types: Array<string>
  /** Of a transaction: the first event and whether a reorg took it, only the event when it is confirmed, or both */
  confirmed: 'first' | 'only' | 'both'
  /** Transactions of a smaller value are left out */
  minValueUsd: number
  /** Also transactions of tokens that are probably spam */
  includeSpam: boolean
  /** It gets the events of all wallets among your portfolios */
  allPortfolios: boolean
  /** Wallets that were added one by one */
  wallets: number
  /** `new`: it has not answered its ping. `backing_off`: it fails, so one event a minute is tried. `paused`, `disabled`: nothing is sent until it is `active` again by PATCH */
  state: 'new' | 'active' | 'backing_off' | 'paused' | 'disabled'
  /** Why it is not active */
  reason: string | null
  /** RFC 3339; null: the last attempt arrived */
  failingSince: string | null
  /** RFC 3339: until then the secret before the last rotation signs too */
  previousSecretUntil: string | null
  createdAt: string
}

export interface WebhookDeliveriesResponse {
  result: Array<WebhookDelivery>
}

export interface WebhookDelivery {
  seq: string
  /** Also the header `webhook-id` */
  eventId: string
  type: string
  createdAt: string
  /** `failed`: all attempts failed. Send it again by POST /webhooks/{id}/replay */
  state: 'delivered' | 'waiting' | 'failed'
  /** Begins again when the endpoint recovers or the event is replayed */
  attempts: number
  /** Status of the last answer; null: none came */
  status: number | null
  /** Milliseconds until the last answer */
  ms: number | null
  /** Why the last attempt failed */
  failure: string | null
  /** RFC 3339; null: none is planned, or the endpoint has to recover first */
  nextAttemptAt: string | null
  deliveredAt: string | null
}

export interface WebhooksResponse {
  result: Array<Webhook>
}
