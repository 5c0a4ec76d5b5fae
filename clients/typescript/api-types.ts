// Written from the route table by "npm run sluice openapi".

export interface Paths {
  '/status': {
    /**
     * Whether the service works
     *
     * `degraded` while the database is out of reach.
     *
     * Free, without a key.
     */
    get: {
      parameters: {}
      responses: {
        200: {
          content: {
            'application/json': {
              status: 'ok' | 'degraded'
              version: '1.0'
              timestamp: string
            }
          }
        }
      }
    }
  }
  '/usage/credits': {
    /**
     * Credits of the current period
     *
     * Free, also with no credits left. Every charge answered before the request is in it.
     *
     * Costs 0 credits.
     */
    get: {
      parameters: {}
      responses: {
        200: {
          content: {
            'application/json': {
              totalCredits: number
              usedCredits: number
              remainingCredits: number
              subscription: 'FREE' | 'STARTER' | 'PRO' | 'ENTERPRISE'
            }
          }
        }
      }
    }
  }
  '/quote': {
    /**
     * What a call would cost
     *
     * The exact credits and the price at the pay-per-request gateway of a call that is not made, by the functions that charge it. Answers 400 and 404 as the call itself would; a method that the path does not have is 404. Credits that are left, the plan and whether the data is there play no part.
     *
     * Costs 0 credits.
     */
    get: {
      parameters: {
        query: {
          /** Method of the call */
          method?: 'GET' | 'PATCH' | 'POST' | 'DELETE'
          /** Path of the call with its query string, percent-encoded as a whole: `/wallet/pl?address=..&connectionId=all`. With or without /v1 */
          path: string
          /** JSON body of a PATCH or POST; only looked at where the price depends on it. Never send credentials */
          body?: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              /** Method and path as they are listed */
              endpoint: string
              credits: number
              /** What multiplies the base price; null for a fixed one */
              multipliers: string | null
              /** null: not sold at the gateway */
              x402: {
                /** In units of 0.000001 USDC */
                amount: string
                usdc: string
              } | null
            }
          }
        }
      }
    }
  }
  '/coins': {
    /**
     * Coins with their market data
     *
     * Filters are `<field>~<operator>` or `<field>-<operator>` with greaterThan, equals or lessThan, money in the requested currency; `priceChange7d` is the response field `priceChange1w`. Coins without a value come last. Risk scores are derived from volumes, daily closes and capitalisations; coins with less than two weeks of closes have none.
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
          /** Blockchains that the coin has a contract on */
          blockchains?: Array<string>
          /** Category names, any case; coins of at least one of them */
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
          /** riskScore > value; needs includeRiskScore */
          'riskScore~greaterThan'?: number
          /** riskScore > value; needs includeRiskScore */
          'riskScore-greaterThan'?: number
          /** riskScore = value; needs includeRiskScore */
          'riskScore~equals'?: number
          /** riskScore = value; needs includeRiskScore */
          'riskScore-equals'?: number
          /** riskScore < value; needs includeRiskScore */
          'riskScore~lessThan'?: number
          /** riskScore < value; needs includeRiskScore */
          'riskScore-lessThan'?: number
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              meta: {
                page: number
                limit: number
                /** Items on all pages */
                itemCount: number
                pageCount: number
                hasPreviousPage: boolean
                hasNextPage: boolean
              }
              result: Array<{
                id: string
                /** URL, empty when unknown */
                icon: string
                name: string
                /** Upper case */
                symbol: string
                /** Rank by market capitalisation, 0 when unranked */
                rank: number
                /** In the requested currency */
                price: number
                priceBtc: number
                /** Volume of 24 hours in the requested currency, 0 when unknown */
                volume: number
                /** Market capitalisation in the requested currency, 0 when unknown */
                marketCap: number
                /** Circulating supply, 0 when unknown */
                availableSupply: number
                /** 0 when unknown */
                totalSupply: number
                /** Change of the price over 1 hour in percent, 0 when unknown */
                priceChange1h: number
                /** Change of the price over 1 day in percent, 0 when unknown */
                priceChange1d: number
                /** Change of the price over 1 week in percent, 0 when unknown */
                priceChange1w: number
                /** Change of the price over 1 month in percent, 0 when unknown */
                priceChange1m: number
                /** In the requested currency */
                fullyDilutedValuation?: number
                /** Converted with the rate of its own day */
                allTimeHigh?: number
                /** Converted with the rate of its own day */
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
                contractAddresses?: Array<{
                  blockchain: string
                  contractAddress: string
                }>
                isStable?: true
                /** Hexadecimal RGB without # */
                color?: string
                /** 0 to 100, with includeRiskScore: how easily it is traded, from its volume; higher is easier */
                liquidityScore?: number
                /** 0 to 100, with includeRiskScore: how much it moves, from 30 daily closes; higher is more */
                volatilityScore?: number
                /** 0 to 100, with includeRiskScore: how large it is; higher is larger */
                marketCapScore?: number
                /** 0 to 100, with includeRiskScore: all three together; higher is riskier */
                riskScore?: number
                /** Mean absolute change from one daily close to the next, percent */
                avgChange?: number
              }>
            }
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
            'application/json': {
              id: string
              /** URL, empty when unknown */
              icon: string
              name: string
              /** Upper case */
              symbol: string
              /** Rank by market capitalisation, 0 when unranked */
              rank: number
              /** In the requested currency */
              price: number
              priceBtc: number
              /** Volume of 24 hours in the requested currency, 0 when unknown */
              volume: number
              /** Market capitalisation in the requested currency, 0 when unknown */
              marketCap: number
              /** Circulating supply, 0 when unknown */
              availableSupply: number
              /** 0 when unknown */
              totalSupply: number
              /** Change of the price over 1 hour in percent, 0 when unknown */
              priceChange1h: number
              /** Change of the price over 1 day in percent, 0 when unknown */
              priceChange1d: number
              /** Change of the price over 1 week in percent, 0 when unknown */
              priceChange1w: number
              /** Change of the price over 1 month in percent, 0 when unknown */
              priceChange1m: number
              /** In the requested currency */
              fullyDilutedValuation?: number
              /** Converted with the rate of its own day */
              allTimeHigh?: number
              /** Converted with the rate of its own day */
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
              contractAddresses?: Array<{
                blockchain: string
                contractAddress: string
              }>
              isStable?: true
              /** Hexadecimal RGB without # */
              color?: string
              /** 0 to 100, with includeRiskScore: how easily it is traded, from its volume; higher is easier */
              liquidityScore?: number
              /** 0 to 100, with includeRiskScore: how much it moves, from 30 daily closes; higher is more */
              volatilityScore?: number
              /** 0 to 100, with includeRiskScore: how large it is; higher is larger */
              marketCapScore?: number
              /** 0 to 100, with includeRiskScore: all three together; higher is riskier */
              riskScore?: number
              /** Mean absolute change from one daily close to the next, percent */
              avgChange?: number
            }
          }
        }
      }
    }
  }
  '/coins/{coinId}/charts': {
    /**
     * Price history of a coin
     *
     * Hourly points up to `1m`, daily ones (00:00 UTC) above; the last point is the current price. BTC and ETH are of the same instant. A point is left out while either was not priced yet.
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
     * One entry per coin, in the order of the ids, with points as of /coins/{coinId}/charts. A coin that is unknown has an empty chart and the `errorMessage` ERR_COIN_CHART_NOT_FOUND; it is paid for as well.
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
            'application/json': Array<{
              coinId: string
              chart: Array<Array<number>>
              errorMessage?: 'ERR_COIN_CHART_NOT_FOUND'
            }>
          }
        }
      }
    }
  }
  '/coins/price/avg': {
    /**
     * Market-average price of a coin at an instant
     *
     * The average over markets in force at the instant: the last stored point at or before it. 404 when the coin had no price yet, 400 for an instant in the future.
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
            'application/json': {
              USD: number
              BTC: number
              ETH: number
            }
          }
        }
      }
    }
  }
  '/coins/price/exchange': {
    /**
     * Price of a pair on an exchange at an instant
     *
     * Rests on the prices of markets that this service has read every three hours since it was installed, and for the thirty largest markets of Binance on the hourly closes of the exchange itself, from thirty days before: the last one at or before the instant, at most 24 hours older. The inverse of a market counts as well. 404 when there is none, or the exchange is unknown; 400 for an instant in the future.
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
            'application/json': {
              /** Units of `to` for one of `from` */
              price: number
            }
          }
        }
      }
    }
  }
  '/markets': {
    /**
     * Totals of the whole market
     *
     * Costs 1 credits.
     */
    get: {
      parameters: {}
      responses: {
        200: {
          content: {
            'application/json': {
              /** USD */
              marketCap: number
              /** USD, 24 hours */
              volume: number
              /** Percent of the market capitalisation */
              btcDominance: number
              /** Percent against 24 hours before, 0 when that is unknown */
              marketCapChange: number
              /** Percent against 24 hours before, 0 when that is unknown */
              volumeChange: number
              /** Percentage points against 24 hours before, 0 when that is unknown */
              btcDominanceChange: number
            }
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
            'application/json': Array<{
              id: string
              name: string
              /** By `volume24h`, from 1 */
              rank: number
              /** Change of the volume over 24 hours in percent, 0 when unknown */
              change24h: number
              /** USD */
              volume24h: number
              /** USD, 0 when unknown */
              volume7d: number
              /** URL of the logo */
              icon?: string
              /** Web site */
              url?: string
              /** USD, 30 days */
              volume1m?: number
            }>
          }
        }
      }
    }
  }
  '/tickers/markets': {
    /**
     * Markets of the exchanges by trading volume
     *
     * Each market is one pair on one exchange. A verified one is neither an outlier nor old to its source, and within 10 % of the price of its coin.
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
          /** Symbol of what it is priced in, any case */
          toCoin?: string
          /** Coin id of either side */
          coinId?: string
          onlyVerified?: 'true' | 'false'
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              meta: {
                page: number
                limit: number
                /** Items on all pages */
                itemCount: number
                pageCount: number
                hasPreviousPage: boolean
                hasNextPage: boolean
              }
              result: Array<{
                exchange: string
                /** `from/to` */
                pair: string
                from: string
                to: string
                /** USD */
                price: number
                /** Units of `to` for one of `from` */
                pairPrice: number
                /** Units of `from` in 24 hours */
                pairVolume: number
                /** USD, 24 hours */
                volume: number
                /** When the market was first read */
                _created_at: string
                /** Last trade */
                _updated_at: string
              }>
            }
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
            'application/json': Array<{
              /** Currency code */
              name: string
              /** Units for one USD */
              rate: number
              symbol: string
              /** Flag */
              imageUrl: string
            }>
          }
        }
      }
    }
  }
  '/currencies': {
    /**
     * Rates of all currencies that values can be asked in
     *
     * Reference rates of central banks, and BTC and ETH at their quotes. A currency that has ended is not listed, and cannot be asked for.
     *
     * Costs 1 credits.
     */
    get: {
      parameters: {}
      responses: {
        200: {
          content: {
            'application/json': {
              /** Units of the currency for one USD, by code; USD is 1 */
              result: Record<string, number>
              /** From when on each rate is in force: reference rates are carried forward over days without one */
              as_of: Record<string, string>
            }
          }
        }
      }
    }
  }
  '/news': {
    /**
     * News, the newest first
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
            'application/json': {
              result: Array<{
                id: string
                /** Publication time, Unix milliseconds */
                feedDate: number
                source: string
                title: string
                /** Picked by the operator */
                isFeatured: boolean
                /** Article */
                link: string
                /** Site of the source */
                sourceLink: string
                /** Image of the article, else of the source; empty where neither has one */
                imgUrl: string
                /** Count by reaction */
                reactionsCount: Record<string, number>
                reactions: Array<string>
                shareURL: string
                /** Coin ids */
                relatedCoins: Array<string>
                /** Whether the source publishes the whole article in its feed */
                content: boolean
                bigImg: boolean
                searchKeyWords?: Array<string>
                /** Plain text */
                description?: string
                coins?: Array<{
                  /** Symbol */
                  coinKeyWords: string
                  /** Price change of 24 hours in percent */
                  coinPercent: number
                  /** Symbol */
                  coinTitleKeyWords: string
                  /** Name */
                  coinNameKeyWords: string
                  /** Coin id */
                  coinIdKeyWords: string
                }>
              }>
            }
          }
        }
      }
    }
  }
  '/news/type/{type}': {
    /**
     * News of one kind
     *
     * Newest first; `trending` by how fast its subjects are being written about. `bullish` and `bearish` are read from the words of title and summary, `handpicked` is chosen by the operator.
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
            'application/json': Array<{
              id: string
              /** Publication time, Unix milliseconds */
              feedDate: number
              source: string
              title: string
              /** Picked by the operator */
              isFeatured: boolean
              /** Article */
              link: string
              /** Site of the source */
              sourceLink: string
              /** Image of the article, else of the source; empty where neither has one */
              imgUrl: string
              /** Count by reaction */
              reactionsCount: Record<string, number>
              reactions: Array<string>
              shareURL: string
              /** Coin ids */
              relatedCoins: Array<string>
              /** Whether the source publishes the whole article in its feed */
              content: boolean
              bigImg: boolean
              searchKeyWords?: Array<string>
              /** Plain text */
              description?: string
              coins?: Array<{
                /** Symbol */
                coinKeyWords: string
                /** Price change of 24 hours in percent */
                coinPercent: number
                /** Symbol */
                coinTitleKeyWords: string
                /** Name */
                coinNameKeyWords: string
                /** Coin id */
                coinIdKeyWords: string
              }>
            }>
          }
        }
      }
    }
  }
  '/news/sources': {
    /**
     * Where the news come from
     *
     * Costs 2 credits.
     */
    get: {
      parameters: {}
      responses: {
        200: {
          content: {
            'application/json': Array<{
              sourcename: string
              weburl: string
              feedurl: string
              _created_at: string
              /** When the feed last answered */
              _updated_at: string
              sourceImg?: string
              /** `failing`: the last attempt failed. `stale`: no answer for over an hour */
              health: 'ok' | 'failing' | 'stale'
            }>
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
          /** Id of an item of a list */
          id: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              id: string
              /** Publication time, Unix milliseconds */
              feedDate: number
              source: string
              title: string
              /** Picked by the operator */
              isFeatured: boolean
              /** Article */
              link: string
              /** Site of the source */
              sourceLink: string
              /** Image of the article, else of the source; empty where neither has one */
              imgUrl: string
              /** Count by reaction */
              reactionsCount: Record<string, number>
              reactions: Array<string>
              shareURL: string
              /** Coin ids */
              relatedCoins: Array<string>
              /** Whether the source publishes the whole article in its feed */
              content: boolean
              bigImg: boolean
              searchKeyWords?: Array<string>
              /** Plain text */
              description?: string
              coins?: Array<{
                /** Symbol */
                coinKeyWords: string
                /** Price change of 24 hours in percent */
                coinPercent: number
                /** Symbol */
                coinTitleKeyWords: string
                /** Name */
                coinNameKeyWords: string
                /** Coin id */
                coinIdKeyWords: string
              }>
            }
          }
        }
      }
    }
  }
  '/insights/btc-dominance': {
    /**
     * Bitcoin's share of the market capitalisation over time
     *
     * Oldest point first: every 15 minutes for `24h`, hourly for `1w`, 4-hourly for `1m`, daily above. Each is the newest sample of its step, at its own time; steps are counted back from the newest of all.
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
            'application/json': {
              data: Array<Array<number>>
            }
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
            'application/json': {
              name: 'Fear and Greed Index'
              now: {
                value: number
                /** 0 to 24 extreme fear, to 44 fear, to 55 neutral, to 75 greed, above extreme greed */
                value_classification: 'Extreme fear' | 'Fear' | 'Neutral' | 'Greed' | 'Extreme greed'
                /** Unix seconds, the UTC midnight at which the day begins */
                timestamp: number
                /** When the value was received */
                update_time: string
              }
              /** Absent where the index has no value of that day */
              yesterday?: {
                value: number
                /** 0 to 24 extreme fear, to 44 fear, to 55 neutral, to 75 greed, above extreme greed */
                value_classification: 'Extreme fear' | 'Fear' | 'Neutral' | 'Greed' | 'Extreme greed'
                /** Unix seconds, the UTC midnight at which the day begins */
                timestamp: number
              }
              /** Absent where the index has no value of that day */
              lastWeek?: {
                value: number
                /** 0 to 24 extreme fear, to 44 fear, to 55 neutral, to 75 greed, above extreme greed */
                value_classification: 'Extreme fear' | 'Fear' | 'Neutral' | 'Greed' | 'Extreme greed'
                /** Unix seconds, the UTC midnight at which the day begins */
                timestamp: number
              }
            }
          }
        }
      }
    }
  }
  '/insights/fear-and-greed/chart': {
    /**
     * Fear and greed index of every day
     *
     * Oldest day first. Days that the publisher left out have no point.
     *
     * Costs 10 credits.
     */
    get: {
      parameters: {}
      responses: {
        200: {
          content: {
            'application/json': {
              name: 'Fear and Greed Index'
              data: Array<{
                /** Unix seconds, the UTC midnight at which the day begins */
                timestamp: string
                value: number
                /** 0 to 24 extreme fear, to 44 fear, to 55 neutral, to 75 greed, above extreme greed */
                value_classification: 'Extreme fear' | 'Fear' | 'Neutral' | 'Greed' | 'Extreme greed'
              }>
            }
          }
        }
      }
    }
  }
  '/insights/rainbow-chart/{coinId}': {
    /**
     * Rainbow chart of bitcoin or ethereum
     *
     * Every daily close (00:00 UTC at the end of the day), oldest first, with the logarithmic regression over all of them. Bands are half a standard deviation wide around the trend, which is band 5. Trend and band are absent while there are fewer than three closes.
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
            'application/json': Array<{
              /** Close in USD, exact */
              price: string
              time: string
              /** Price in USD that the regression gives for the day */
              trend?: string
              /** 1: cheapest to 9: dearest */
              band?: number
            }>
          }
        }
      }
    }
  }
  '/token-risks': {
    /**
     * What can go wrong with a token
     *
     * By `coinId`, or by `contractAddress` with `chain`. Of a coin with contracts on several networks the first with data is reported: ethereum, binance_smart, polygon-pos, base, arbitrum-one, optimism, avalanche, solana. A token without data has an empty `results`: nothing is known of it, which does not mean that it is safe; asking for it has it checked, so that a later call may find data.
     *
     * Costs 5000 credits.
     */
    get: {
      parameters: {
        query?: {
          /** Coin id; instead of contractAddress and chain */
          coinId?: string
          /** Contract; needs chain */
          contractAddress?: string
          /** Network of the contract */
          chain?: 'ethereum' | 'binance_smart' | 'polygon-pos' | 'base' | 'arbitrum-one' | 'optimism' | 'avalanche'
          /** The gravest checks first; else found risks first */
          sortBy?: 'severity'
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              /** Checks with a known result; one that is missing is unknown. Empty without data */
              results: Array<{
                title: string
                key: string
                /** Whether the risk was found */
                value: 'true' | 'false'
                subtitle: string
                note: string
                description: string
                severity: 'critical' | 'high' | 'medium' | 'low' | 'minor'
              }>
              /** Higher is riskier; absent while too little is known */
              score?: number
              /** Absent when unknown */
              marketEndorsed?: boolean
              /** Absent when unknown */
              ownershipRenounced?: boolean
              /** The source's page about the token */
              risksProviderUrl?: string
            }
          }
        }
      }
    }
  }
  '/nft/wallet/{address}/assets': {
    /**
     * The NFTs of a wallet by collection
     *
     * Holdings on every network that the wallet was synced on, from its transfers there, without collections that are spam; the most valuable collections first. Pages count collections. 409 when no network was synced: start with PATCH /wallet/transactions.
     *
     * Costs 40 credits.
     */
    get: {
      parameters: {
        path: {
          /** Wallet address */
          address: string
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
            'application/json': {
              meta: {
                page: number
                limit: number
                /** Items on all pages */
                itemCount: number
                pageCount: number
                hasPreviousPage: boolean
                hasNextPage: boolean
              }
              data?: Array<{
                name: string
                /** Empty when unknown */
                logo: string
                /** Contract */
                address: string
                /** Of one token of the collection, USD, 0 when unknown */
                floorPrice: number
                /** Of all copies that the wallet holds, USD, 0 when unknown */
                totalFloorPrice: number
                /** What they were last sold for, USD at the instants of the sales */
                totalLastSalePrice: number
                id: string
                /** Different tokens */
                assetsCount: number
                blockchain: string
                assets: Array<{
                  /** Empty when unknown */
                  previewImg: string
                  /** Of the collection, USD, 0 when unknown */
                  floorPrice: number
                  tokenId: string
                  name?: string
                  /** Copies held, as the contract counts them; 1 for ERC-721 */
                  count: string
                }>
              }>
            }
          }
        }
      }
    }
  }
  '/nft/collection/{collectionAddress}': {
    /**
     * One NFT collection with its figures
     *
     * Prices are in the main currency (`mainCurrencyId`), but for those with Usd in their name. A field that no source fills is absent; changes over a week or a month need as much history of our own.
     *
     * Costs 3 credits.
     */
    get: {
      parameters: {
        path: {
          /** Contract of an NFT collection */
          collectionAddress: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              /** Contract */
              address: string
              description: string
              name: string
              bannerImg?: string
              blockchain?: string
              img?: string
              relevantUrls?: Array<{
                name: string
                url: string
              }>
              /** At the marketplace */
              slug?: string
              /** At CoinGecko */
              slugCs?: string
              /** Who described it */
              source?: string
              verified?: boolean
              /** Whether public listings show it: no spam, fit for everybody */
              show?: boolean
              /** By market capitalisation, in its category */
              rank?: number
              /** By market capitalisation, over all collections */
              rankAll?: number
              /** Tokens that we know */
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
              /** Average price of the sales of a day in the main currency */
              oneDayAveragePrice?: number
              /** Average price of the sales of a week in the main currency */
              sevenDayAveragePrice?: number
              /** Average price of the sales of 30 days in the main currency */
              thirtyDayAveragePrice?: number
              /** Supply at the floor in the main currency */
              marketcapMc?: number
              /** Supply at the floor in USD */
              marketcapUsd?: number
              /** Coin id of the main currency */
              mainCurrencyId?: string
              /** Sales of a day */
              oneDaySales?: number
              /** Sales of a week */
              sevenDaySales?: number
              /** Sales of 30 days */
              thirtyDaySales?: number
              /** All sales */
              totalSales?: number
              /** Volume of 30 days in the main currency */
              thirtyDayVolume?: number
              /** Volume of all sales in the main currency */
              totalVolume?: number
              /** Volume of a day in the main currency */
              volume?: number
              /** Volume of a day in the main currency */
              volumeMc24h?: number
              /** Volume of a week in the main currency */
              volumeMc7d?: number
              /** Volume of a day in USD */
              volumeUsd24h?: number
              /** Volume of a week in USD */
              volumeUsd7d?: number
              /** Change of the floor over 24 hours, percent */
              floorPriceChange24h?: number
              /** Change of the floor over a week, percent */
              floorPriceChange7d?: number
              /** Change of the market capitalisation over 24 hours, percent */
              marketcapChange24h?: number
              /** Change of the market capitalisation over a week, percent */
              marketcapChange7d?: number
              /** Change of the volume of a day against the a day before, percent */
              volumeChange24h?: number
              /** Change of the volume of a week against the a week before, percent */
              volumeChange7d?: number
              /** Owners more or less than 24 hours before */
              ownersCountChange24h?: number
              /** Owners more or less than a week before */
              ownersCountChange7d?: number
              /** Of a day's resales, those for more than the token's sale before, percent */
              salesInProfit?: number
              /** Percentage points more or less than 24 hours before */
              salesInProfitChange24h?: number
              /** Percentage points more or less than a week before */
              salesInProfitChange7d?: number
              /** Change of the volume of a day against the a day before, percent */
              oneDayChange?: number
              /** Change of the volume of a week against the a week before, percent */
              sevenDayChange?: number
              /** Change of the volume of 30 days against the 30 days before, percent */
              thirtyDayChange?: number
              /** Basis points */
              creatorFee?: number
              /** When its sales were last read */
              transactionsUpdateDate?: string
              createdDate?: string
            }
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
            'application/json': {
              meta: {
                page: number
                limit: number
                /** Items on all pages */
                itemCount: number
                pageCount: number
                hasPreviousPage: boolean
                hasNextPage: boolean
              }
              data: Array<{
                /** Contract */
                address: string
                description: string
                name: string
                bannerImg?: string
                blockchain?: string
                img?: string
                relevantUrls?: Array<{
                  name: string
                  url: string
                }>
                /** At the marketplace */
                slug?: string
                /** At CoinGecko */
                slugCs?: string
                /** Who described it */
                source?: string
                verified?: boolean
                /** Whether public listings show it: no spam, fit for everybody */
                show?: boolean
                /** By market capitalisation, in its category */
                rank?: number
                /** By market capitalisation, over all collections */
                rankAll?: number
                /** Tokens that we know */
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
                /** Average price of the sales of a day in the main currency */
                oneDayAveragePrice?: number
                /** Average price of the sales of a week in the main currency */
                sevenDayAveragePrice?: number
                /** Average price of the sales of 30 days in the main currency */
                thirtyDayAveragePrice?: number
                /** Supply at the floor in the main currency */
                marketcapMc?: number
                /** Supply at the floor in USD */
                marketcapUsd?: number
                /** Coin id of the main currency */
                mainCurrencyId?: string
                /** Sales of a day */
                oneDaySales?: number
                /** Sales of a week */
                sevenDaySales?: number
                /** Sales of 30 days */
                thirtyDaySales?: number
                /** All sales */
                totalSales?: number
                /** Volume of 30 days in the main currency */
                thirtyDayVolume?: number
                /** Volume of all sales in the main currency */
                totalVolume?: number
                /** Volume of a day in the main currency */
                volume?: number
                /** Volume of a day in the main currency */
                volumeMc24h?: number
                /** Volume of a week in the main currency */
                volumeMc7d?: number
                /** Volume of a day in USD */
                volumeUsd24h?: number
                /** Volume of a week in USD */
                volumeUsd7d?: number
                /** Change of the floor over 24 hours, percent */
                floorPriceChange24h?: number
                /** Change of the floor over a week, percent */
                floorPriceChange7d?: number
                /** Change of the market capitalisation over 24 hours, percent */
                marketcapChange24h?: number
                /** Change of the market capitalisation over a week, percent */
                marketcapChange7d?: number
                /** Change of the volume of a day against the a day before, percent */
                volumeChange24h?: number
                /** Change of the volume of a week against the a week before, percent */
                volumeChange7d?: number
                /** Owners more or less than 24 hours before */
                ownersCountChange24h?: number
                /** Owners more or less than a week before */
                ownersCountChange7d?: number
                /** Of a day's resales, those for more than the token's sale before, percent */
                salesInProfit?: number
                /** Percentage points more or less than 24 hours before */
                salesInProfitChange24h?: number
                /** Percentage points more or less than a week before */
                salesInProfitChange7d?: number
                /** Change of the volume of a day against the a day before, percent */
                oneDayChange?: number
                /** Change of the volume of a week against the a week before, percent */
                sevenDayChange?: number
                /** Change of the volume of 30 days against the 30 days before, percent */
                thirtyDayChange?: number
                /** Basis points */
                creatorFee?: number
                /** When its sales were last read */
                transactionsUpdateDate?: string
                createdDate?: string
              }>
            }
          }
        }
      }
    }
  }
  '/nft/{collectionAddress}/assets': {
    /**
     * The tokens of an NFT collection
     *
     * `all`: by token id. `listed`: those on sale when offers were last read, the cheapest first.
     *
     * Costs 8 credits.
     */
    get: {
      parameters: {
        path: {
          /** Contract of an NFT collection */
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
            'application/json': {
              meta: {
                page: number
                limit: number
                /** Items on all pages */
                itemCount: number
                pageCount: number
                hasPreviousPage: boolean
                hasNextPage: boolean
              }
              data: Array<{
                /** Contract */
                address: string
                blockchain: string
                tokenId: string
                collectionId: string
                name: string | null
                /** Empty when unknown */
                previewUrl: string
                /** Page at the marketplace, else at the explorer */
                url: string
                /** Who described it: the marketplace, or a node for what its contract says */
                source: string
                /** erc721 or erc1155 */
                standard: string
                /** 1: the rarest; 0: unknown */
                rarityRank: number
                /** Information content of its traits in bits; 0: unknown */
                rarityScore: number
                attributes: Array<{
                  key: string
                  kind: string
                  value: string
                  /** Tokens of the collection that have it */
                  tokenCount: number
                  /** Of those, on sale */
                  onSaleCount: number
                  /** Cheapest offer of one that has it, main currency */
                  floorAskPrice: number | null
                  /** No source of bids: always null */
                  topBidValue: number | null
                  /** When it was first seen */
                  createdAt: string
                }>
                lastSaleDate?: string
                /** Main currency of the collection, at the instant of the sale */
                lastSalePrice?: number
                listSource?: string
                /** Cheapest offer, main currency of the collection */
                listPrice?: number
              }>
            }
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
          /** Contract of an NFT collection */
          collectionAddress: string
          /** Token id, a decimal number below 2^256 */
          tokenId: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              /** Contract */
              address: string
              blockchain: string
              tokenId: string
              collectionId: string
              name: string | null
              /** Empty when unknown */
              previewUrl: string
              /** Page at the marketplace, else at the explorer */
              url: string
              /** Who described it: the marketplace, or a node for what its contract says */
              source: string
              /** erc721 or erc1155 */
              standard: string
              /** 1: the rarest; 0: unknown */
              rarityRank: number
              /** Information content of its traits in bits; 0: unknown */
              rarityScore: number
              attributes: Array<{
                key: string
                kind: string
                value: string
                /** Tokens of the collection that have it */
                tokenCount: number
                /** Of those, on sale */
                onSaleCount: number
                /** Cheapest offer of one that has it, main currency */
                floorAskPrice: number | null
                /** No source of bids: always null */
                topBidValue: number | null
                /** When it was first seen */
                createdAt: string
              }>
              lastSaleDate?: string
              /** Main currency of the collection, at the instant of the sale */
              lastSalePrice?: number
              listSource?: string
              /** Cheapest offer, main currency of the collection */
              listPrice?: number
            }
          }
        }
      }
    }
  }
  '/wallet/blockchains': {
    /**
     * Networks that wallets can be read on
     *
     * Costs 1 credits.
     */
    get: {
      parameters: {}
      responses: {
        200: {
          content: {
            'application/json': Array<{
              name: string
              connectionId: string
              /** Value of the parameter `blockchain` */
              chain: string
              icon: string
            }>
          }
        }
      }
    }
  }
  '/wallet/balance': {
    /**
     * What a wallet holds
     *
     * Balances as of the last sync of each network (X-Data-As-Of: the oldest), the most valuable first, without tokens that are spam. Listed networks that were never synced are left out; 409 when none was: start with PATCH /wallet/transactions.
     *
     * Costs 40 credits for each network or wallet named, 400 for `all`.
     */
    get: {
      parameters: {
        query: {
          /** EVM address (mixed case has to match its EIP-55 checksum), Bitcoin address or xpub, ypub, zpub, or Solana address */
          address: string
          /** One network, several, or `all`; wins over `blockchain` */
          connectionId?: Array<'ethereum' | 'binancesmartchain' | 'base-wallet' | 'polygon-wallet' | 'arbitrum-wallet' | 'optimism-wallet' | 'avalanche-wallet' | 'hyperevm-wallet' | 'monad-wallet' | 'plasma-wallet' | 'bitcoin' | 'solana' | 'all'>
          /** One blockchain, several, or `all`; used when `connectionId` is absent */
          blockchain?: Array<'ethereum' | 'binance_smart' | 'base' | 'polygon-pos' | 'arbitrum-one' | 'optimism' | 'avalanche' | 'hyperevm' | 'monad' | 'plasma' | 'bitcoin' | 'solana' | 'all'>
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Array<{
              coinId: string
              name: string
              symbol: string
              /** Empty when unknown */
              imgUrl: string
              /** In coins; in base units where `decimals` is absent */
              amount: number
              /** USD, 0 when unknown */
              price: number
              priceBtc: number
              /** Change of the price over 24 hours in percent */
              pCh24h: number
              /** 0: unranked */
              rank: number
              /** USD, 24 hours */
              volume: number
              /** Blockchain */
              chain: string
              connectionId: string
              /** Absent when the contract names none */
              decimals?: number
              /** Absent for the native coin */
              contractAddress?: string
            }>
          }
        }
      }
    }
  }
  '/wallet/balance/many': {
    /**
     * What several wallets hold
     *
     * One entry per wallet and network that was synced, as of its last sync. `wallets`, or `address` with `blockchain` (default `all`). 409 when nothing listed was synced. One whose sync fails on our side costs nothing.
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
          /** One network, several, or `all`; wins over `blockchain` */
          connectionId?: Array<'ethereum' | 'binancesmartchain' | 'base-wallet' | 'polygon-wallet' | 'arbitrum-wallet' | 'optimism-wallet' | 'avalanche-wallet' | 'hyperevm-wallet' | 'monad-wallet' | 'plasma-wallet' | 'bitcoin' | 'solana' | 'all'>
          /** One blockchain, several, or `all`; used when `connectionId` is absent */
          blockchain?: Array<'ethereum' | 'binance_smart' | 'base' | 'polygon-pos' | 'arbitrum-one' | 'optimism' | 'avalanche' | 'hyperevm' | 'monad' | 'plasma' | 'bitcoin' | 'solana' | 'all'>
          /** Old name of `blockchain` */
          networks?: Array<'ethereum' | 'binance_smart' | 'base' | 'polygon-pos' | 'arbitrum-one' | 'optimism' | 'avalanche' | 'hyperevm' | 'monad' | 'plasma' | 'bitcoin' | 'solana' | 'all'>
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Array<{
              blockchain: string
              address: string
              connectionId: string
              balances: Array<{
                coinId: string
                name: string
                symbol: string
                /** Empty when unknown */
                imgUrl: string
                /** In coins; in base units where `decimals` is absent */
                amount: number
                /** USD, 0 when unknown */
                price: number
                priceBtc: number
                /** Change of the price over 24 hours in percent */
                pCh24h: number
                /** 0: unranked */
                rank: number
                /** USD, 24 hours */
                volume: number
                /** Blockchain */
                chain: string
                connectionId: string
                /** Absent when the contract names none */
                decimals?: number
                /** Absent for the native coin */
                contractAddress?: string
              }>
            }>
          }
        }
      }
    }
  }
  '/wallet/balances': {
    /**
     * Old path of /wallet/balance/many
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
          /** One network, several, or `all`; wins over `blockchain` */
          connectionId?: Array<'ethereum' | 'binancesmartchain' | 'base-wallet' | 'polygon-wallet' | 'arbitrum-wallet' | 'optimism-wallet' | 'avalanche-wallet' | 'hyperevm-wallet' | 'monad-wallet' | 'plasma-wallet' | 'bitcoin' | 'solana' | 'all'>
          /** One blockchain, several, or `all`; used when `connectionId` is absent */
          blockchain?: Array<'ethereum' | 'binance_smart' | 'base' | 'polygon-pos' | 'arbitrum-one' | 'optimism' | 'avalanche' | 'hyperevm' | 'monad' | 'plasma' | 'bitcoin' | 'solana' | 'all'>
          /** Old name of `blockchain` */
          networks?: Array<'ethereum' | 'binance_smart' | 'base' | 'polygon-pos' | 'arbitrum-one' | 'optimism' | 'avalanche' | 'hyperevm' | 'monad' | 'plasma' | 'bitcoin' | 'solana' | 'all'>
        }
      }
      responses: {
        200: {
          content: {
            'application/json': Array<{
              blockchain: string
              address: string
              connectionId: string
              balances: Array<{
                coinId: string
                name: string
                symbol: string
                /** Empty when unknown */
                imgUrl: string
                /** In coins; in base units where `decimals` is absent */
                amount: number
                /** USD, 0 when unknown */
                price: number
                priceBtc: number
                /** Change of the price over 24 hours in percent */
                pCh24h: number
                /** 0: unranked */
                rank: number
                /** USD, 24 hours */
                volume: number
                /** Blockchain */
                chain: string
                connectionId: string
                /** Absent when the contract names none */
                decimals?: number
                /** Absent for the native coin */
                contractAddress?: string
              }>
            }>
          }
        }
      }
    }
  }
  '/wallet/status': {
    /**
     * Whether the transactions of a wallet are synced
     *
     * `synced` when every listed network has been synced since it was last asked for with PATCH /wallet/transactions; `all` stands for the networks that were asked for. A network that nobody asked for stays `syncing`.
     *
     * Costs 3 credits for each network or wallet named, 30 for `all`.
     */
    get: {
      parameters: {
        query: {
          /** EVM address (mixed case has to match its EIP-55 checksum), Bitcoin address or xpub, ypub, zpub, or Solana address */
          address: string
          /** One network, several, or `all`; wins over `blockchain` */
          connectionId?: Array<'ethereum' | 'binancesmartchain' | 'base-wallet' | 'polygon-wallet' | 'arbitrum-wallet' | 'optimism-wallet' | 'avalanche-wallet' | 'hyperevm-wallet' | 'monad-wallet' | 'plasma-wallet' | 'bitcoin' | 'solana' | 'all'>
          /** One blockchain, several, or `all`; used when `connectionId` is absent */
          blockchain?: Array<'ethereum' | 'binance_smart' | 'base' | 'polygon-pos' | 'arbitrum-one' | 'optimism' | 'avalanche' | 'hyperevm' | 'monad' | 'plasma' | 'bitcoin' | 'solana' | 'all'>
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              status: 'syncing' | 'synced'
            }
          }
        }
      }
    }
  }
  '/wallet/transactions': {
    /**
     * Starts the sync of transactions
     *
     * Wallets in the query, or in the body. Answers `syncing`, and the sync runs on its own: poll GET /wallet/status until `synced`. Answers `synced` when all of it was synced in the last 30 seconds. One sync runs per wallet and network, however often it is asked for.
     *
     * Costs 50 credits for each network or wallet named, 500 for `all`.
     */
    patch: {
      parameters: {
        query?: {
          /** EVM address (mixed case has to match its EIP-55 checksum), Bitcoin address or xpub, ypub, zpub, or Solana address */
          address?: string
          /** One network, several, or `all`; wins over `blockchain` */
          connectionId?: Array<'ethereum' | 'binancesmartchain' | 'base-wallet' | 'polygon-wallet' | 'arbitrum-wallet' | 'optimism-wallet' | 'avalanche-wallet' | 'hyperevm-wallet' | 'monad-wallet' | 'plasma-wallet' | 'bitcoin' | 'solana' | 'all'>
          /** One blockchain, several, or `all`; used when `connectionId` is absent */
          blockchain?: Array<'ethereum' | 'binance_smart' | 'base' | 'polygon-pos' | 'arbitrum-one' | 'optimism' | 'avalanche' | 'hyperevm' | 'monad' | 'plasma' | 'bitcoin' | 'solana' | 'all'>
        }
        header?: {
          /** Repeats with the same key and parameters have one effect and one charge, and get the first answer */
          'Idempotency-Key'?: string
        }
      }
      requestBody?: {
        content: {
          'application/json': {
            wallets: Array<{
              /** EVM address (mixed case has to match its EIP-55 checksum), Bitcoin address or xpub, ypub, zpub, or Solana address */
              address: string
              /** One network or `all`; wins over `blockchain` */
              connectionId?: 'ethereum' | 'binancesmartchain' | 'base-wallet' | 'polygon-wallet' | 'arbitrum-wallet' | 'optimism-wallet' | 'avalanche-wallet' | 'hyperevm-wallet' | 'monad-wallet' | 'plasma-wallet' | 'bitcoin' | 'solana' | 'all'
              /** One blockchain or `all`; used when `connectionId` is absent */
              blockchain?: 'ethereum' | 'binance_smart' | 'base' | 'polygon-pos' | 'arbitrum-one' | 'optimism' | 'avalanche' | 'hyperevm' | 'monad' | 'plasma' | 'bitcoin' | 'solana' | 'all'
            }>
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              status: 'syncing' | 'synced'
            }
          }
        }
      }
    }
    /**
     * Transactions of wallets, newest first
     *
     * One list over all named wallets. `all` stands for the networks that the wallet was synced on. 409 when a named network was never synced: start with PATCH /wallet/transactions.
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
          /** One network, several, or `all`; wins over `blockchain` */
          connectionId?: Array<'ethereum' | 'binancesmartchain' | 'base-wallet' | 'polygon-wallet' | 'arbitrum-wallet' | 'optimism-wallet' | 'avalanche-wallet' | 'hyperevm-wallet' | 'monad-wallet' | 'plasma-wallet' | 'bitcoin' | 'solana' | 'all'>
          /** One blockchain, several, or `all`; used when `connectionId` is absent */
          blockchain?: Array<'ethereum' | 'binance_smart' | 'base' | 'polygon-pos' | 'arbitrum-one' | 'optimism' | 'avalanche' | 'hyperevm' | 'monad' | 'plasma' | 'bitcoin' | 'solana' | 'all'>
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
            'application/json': {
              meta: {
                page: number
                limit: number
              }
              result: Array<{
                /** Label: Received, Sent, Swap, Buy, Sell, Approve, Balance, Fee */
                type: string
                date: string
                mainContent: {
                  coinIcons: Array<string>
                  coinAssets: Array<string>
                }
                transactions: Array<{
                  action: string
                  items: Array<{
                    id: string
                    /** Negative: out */
                    count: number
                    /** At the instant of the transaction, 0 when unknown */
                    totalWorth: number
                    coin?: {
                      id: string
                      name: string
                      symbol: string
                      icon: string
                    }
                    nft?: {
                      id: string
                      name: string
                      icon: string
                    }
                    toAddress?: string
                    fromAddress?: string
                  }>
                }>
                fee?: {
                  coin: {
                    id: string
                    name: string
                    symbol: string
                    icon: string
                  }
                  count: number
                  totalWorth: number
                }
                hash?: {
                  id: string
                  explorerUrl: string
                }
                coinData?: {
                  /** Negative: out */
                  count: number
                  symbol: string
                  /** At the price of now, 0 when unknown */
                  currentValue: number
                }
                profitLoss?: {
                  /** Change of the worth since the transaction; negated for what was given away */
                  profit: number
                  profitPercent: number
                  currentValue: number
                }
              }>
            }
          }
        }
      }
    }
  }
  '/wallet/chart': {
    /**
     * Value of a wallet over time
     *
     * Hourly points for `24h`, daily ones (00:00 UTC) above, the last one now; each with the prices of its own instant. From the first transaction on. Listed networks that were never synced are left out; 409 when none was.
     *
     * Costs 40 credits for each network or wallet named, 400 for `all`.
     */
    get: {
      parameters: {
        query: {
          /** EVM address (mixed case has to match its EIP-55 checksum), Bitcoin address or xpub, ypub, zpub, or Solana address */
          address: string
          type: '24h' | '1w' | '1m' | '3m' | '6m' | '1y' | 'all'
          /** One network, several, or `all`; wins over `blockchain` */
          connectionId?: Array<'ethereum' | 'binancesmartchain' | 'base-wallet' | 'polygon-wallet' | 'arbitrum-wallet' | 'optimism-wallet' | 'avalanche-wallet' | 'hyperevm-wallet' | 'monad-wallet' | 'plasma-wallet' | 'bitcoin' | 'solana' | 'all'>
          /** One blockchain, several, or `all`; used when `connectionId` is absent */
          blockchain?: Array<'ethereum' | 'binance_smart' | 'base' | 'polygon-pos' | 'arbitrum-one' | 'optimism' | 'avalanche' | 'hyperevm' | 'monad' | 'plasma' | 'bitcoin' | 'solana' | 'all'>
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              result: Array<Array<number>>
            }
          }
        }
      }
    }
  }
  '/wallet/charts': {
    /**
     * Values of several wallets over time
     *
     * Points as in /wallet/chart. Aggregated: one entry with the sums over all wallets, each wallet and network counted once. Otherwise one entry per item of `wallets`. A wallet that was never synced has a `message`; one whose sync fails on our side costs nothing.
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
            'application/json': Array<{
              data: Array<Array<number>>
              walletAddress?: string
              connectionId?: string
              blockchain?: string
              /** Why the wallet, or one of the wallets, is missing; empty when none is */
              message?: string
            }>
          }
        }
      }
    }
  }
  '/wallet/pl': {
    /**
     * Coins of a wallet with what they cost and earned
     *
     * At average cost, on one network or on all that were synced; the coins that were held once as well, for what they earned. Figures in BTC and ETH are made of the prices of each instant. Over all coins what is realised and unrealised is the profit of /wallet/pl/history. 409 before the first sync.
     *
     * Costs 25 credits for each network or wallet named, 250 for `all`.
     */
    get: {
      parameters: {
        query: {
          /** EVM address (mixed case has to match its EIP-55 checksum), Bitcoin address or xpub, ypub, zpub, or Solana address */
          address: string
          /** This coin alone */
          coinId?: string
          /** Page number, from 1 */
          page?: number
          /** Items per page */
          limit?: number
          /** One network, several, or `all`; wins over `blockchain` */
          connectionId?: Array<'ethereum' | 'binancesmartchain' | 'base-wallet' | 'polygon-wallet' | 'arbitrum-wallet' | 'optimism-wallet' | 'avalanche-wallet' | 'hyperevm-wallet' | 'monad-wallet' | 'plasma-wallet' | 'bitcoin' | 'solana' | 'all'>
          /** One blockchain, several, or `all`; used when `connectionId` is absent */
          blockchain?: Array<'ethereum' | 'binance_smart' | 'base' | 'polygon-pos' | 'arbitrum-one' | 'optimism' | 'avalanche' | 'hyperevm' | 'monad' | 'plasma' | 'bitcoin' | 'solana' | 'all'>
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              result: Array<{
                coin: {
                  identifier: string
                  symbol: string
                  name: string
                  /** Empty when unknown */
                  icon: string
                  /** 0: unranked */
                  rank: number
                  /** Change of the price over 1 hour in percent */
                  priceChange1h: number
                  /** Change of the price over 24 hours in percent */
                  priceChange24h: number
                  /** Change of the price over 7 days in percent */
                  priceChange7d: number
                  /** Change of the price over 1 month in percent */
                  priceChange1m: number
                  /** USD, 24 hours */
                  volume: number
                  isFake: boolean
                  isFiat: boolean
                }
                count: number
                price: {
                  USD: number
                  BTC: number
                  ETH: number
                }
                /** Of what is held */
                totalCost: {
                  USD: number
                  BTC: number
                  ETH: number
                }
                profit: {
                  allTime: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  hour24: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  lastTrade: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  unrealized: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  realized: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                }
                /** 0 where there is nothing to divide by */
                profitPercent: {
                  allTime: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  hour24: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  lastTrade: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  unrealized: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  realized: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                }
                averageBuy: {
                  allTime: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  hour24: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  lastTrade: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  unrealized: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  realized: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                }
                averageSell: {
                  allTime: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  hour24: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  lastTrade: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  unrealized: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  realized: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                }
                /** Mean absolute change from one daily close to the next in percent */
                avgChange: number
              }>
              /** Of all pages */
              summary: {
                totalValue: {
                  USD: number
                  BTC: number
                  ETH: number
                }
                totalCost: {
                  USD: number
                  BTC: number
                  ETH: number
                }
                profit: {
                  allTime: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  hour24: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  lastTrade: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  unrealized: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  realized: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                }
                /** Of the totals */
                profitPercent: {
                  allTime: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  hour24: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  lastTrade: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  unrealized: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  realized: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                }
              }
            }
          }
        }
      }
    }
  }
  '/wallet/pl/history': {
    /**
     * Profit and loss of a wallet over time
     *
     * Cash-flow-adjusted, in UTC periods of which the first and the last may be cut off by the window. `range`, or `from` and `to`. Empty before the first transaction, and when none of the networks was synced. Every amount is converted with the rate of its own instant.
     *
     * Costs 25 credits for each network or wallet named, 250 for `all`.
     */
    get: {
      parameters: {
        query: {
          /** EVM address (mixed case has to match its EIP-55 checksum), Bitcoin address or xpub, ypub, zpub, or Solana address */
          address: string
          /** `hourly` only within the latest 24 hours */
          interval: 'hourly' | 'daily' | 'weekly' | 'monthly' | 'yearly'
          /** Preset that ends now; or `from` and `to` */
          range?: '24h' | '1w' | '1m' | '3m' | '6m' | '1y' | 'all'
          /** Inclusive start, with `to` */
          from?: string
          /** Exclusive end, with `from` */
          to?: string
          /** Currency of the values */
          currency?: string
          /** One network, several, or `all`; wins over `blockchain` */
          connectionId?: Array<'ethereum' | 'binancesmartchain' | 'base-wallet' | 'polygon-wallet' | 'arbitrum-wallet' | 'optimism-wallet' | 'avalanche-wallet' | 'hyperevm-wallet' | 'monad-wallet' | 'plasma-wallet' | 'bitcoin' | 'solana' | 'all'>
          /** One blockchain, several, or `all`; used when `connectionId` is absent */
          blockchain?: Array<'ethereum' | 'binance_smart' | 'base' | 'polygon-pos' | 'arbitrum-one' | 'optimism' | 'avalanche' | 'hyperevm' | 'monad' | 'plasma' | 'bitcoin' | 'solana' | 'all'>
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              result: Array<{
                /** End of the period */
                date: string
                /** Change of the value less external flows */
                profitLoss: number
                /** Of the value at the start; 0 where that is none */
                profitLossPercent: number
              }>
              meta: {
                currency: string
                range: '24h' | '1w' | '1m' | '3m' | '6m' | '1y' | 'all' | null
                interval: 'hourly' | 'daily' | 'weekly' | 'monthly' | 'yearly'
                from: string | null
                to: string
                /** Oldest sync of what is included */
                lastSyncedAt: string | null
              }
            }
          }
        }
      }
    }
  }
  '/wallet/explain': {
    /**
     * What a figure of a wallet is the sum of
     *
     * Of a point of /wallet/pl/history (its `date`, with the same `interval`, window and `currency`) the values at both ends with every position and price, and each flow. Of a row of /wallet/pl (`coinId` alone) the months that add up to it, the open lots and the last 24 hours; with `month` each entry of that month with its prices and the lots that it used. Amounts are exact decimals, which add up to the figure to the last digit. 409 before the first sync, and while something has changed that is not in the figures yet.
     *
     * Costs 25 credits for each network or wallet named, 250 for `all`.
     */
    get: {
      parameters: {
        query: {
          /** EVM address (mixed case has to match its EIP-55 checksum), Bitcoin address or xpub, ypub, zpub, or Solana address */
          address: string
          /** As of the history */
          interval?: 'hourly' | 'daily' | 'weekly' | 'monthly' | 'yearly'
          /** Preset that ends now; or `from` and `to` */
          range?: '24h' | '1w' | '1m' | '3m' | '6m' | '1y' | 'all'
          /** Inclusive start, with `to` */
          from?: string
          /** Exclusive end, with `from` */
          to?: string
          /** Currency of the values */
          currency?: string
          /** `date` of a point of the history in the same window */
          date?: string
          /** Or a coin of the list of coins */
          coinId?: string
          /** The month (YYYY-MM) to list each entry of */
          month?: string
          /** The number of one entry of that month: pages are those of its lots then */
          entry?: number
          /** Page number, from 1 */
          page?: number
          /** Items per page */
          limit?: number
          /** One network, several, or `all`; wins over `blockchain` */
          connectionId?: Array<'ethereum' | 'binancesmartchain' | 'base-wallet' | 'polygon-wallet' | 'arbitrum-wallet' | 'optimism-wallet' | 'avalanche-wallet' | 'hyperevm-wallet' | 'monad-wallet' | 'plasma-wallet' | 'bitcoin' | 'solana' | 'all'>
          /** One blockchain, several, or `all`; used when `connectionId` is absent */
          blockchain?: Array<'ethereum' | 'binance_smart' | 'base' | 'polygon-pos' | 'arbitrum-one' | 'optimism' | 'avalanche' | 'hyperevm' | 'monad' | 'plasma' | 'bitcoin' | 'solana' | 'all'>
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              figure: {
                from: string
                date: string
                /** Exact decimal */
                profitLoss: string
                /** Exact decimal */
                profitLossPercent: string
                /** As in the history */
                shown: {
                  profitLoss: number
                  profitLossPercent: number
                }
              }
              equation: 'profitLoss = end.value - start.value - flows.value'
              currency: string
              start: {
                at: string
                /** Of `ledgers` and `inFlight` together */
                value: string
                /** Exact decimal */
                valueUsd: string
                /** Null for USD, and where there is no price yet: the value is 0 then */
                rate: {
                  /** Of BTC and ETH, which amounts are divided by, to 30 places */
                  unitUsd: string | null
                  /** Of a fiat currency, which amounts are multiplied by */
                  perUsd: string | null
                  at: string
                  source: string
                } | null
                /** In USD each is the sum of its positions */
                ledgers: Array<{
                  /** Network of the wallet, or id of the portfolio */
                  ledger: string
                  /** Exact decimal */
                  value: string
                  /** Exact decimal */
                  valueUsd: string
                }>
                positions: {
                  /** On all pages */
                  count: number
                  /** What has a price, the most valuable first */
                  items: Array<{
                    /** Network of the wallet, or id of the portfolio */
                    ledger: string
                    coinId: string
                    /** Exact decimal */
                    count: string
                    price: {
                      /** Exact decimal */
                      usd: string
                      at: string
                      source: string
                    }
                    /** Exact decimal */
                    valueUsd: string
                    stale: boolean
                  }>
                }
                /** Transfers between the ledgers that had left and not arrived */
                inFlight: {
                  /** On all pages */
                  count: number
                  items: Array<{
                    /** Network of the wallet, or id of the portfolio */
                    from: string
                    /** Network of the wallet, or id of the portfolio */
                    to: string
                    leftAt: string
                    arrivesAt: string
                    coinId: string
                    /** Exact decimal */
                    count: string
                    price: {
                      /** Exact decimal */
                      usd: string
                      at: string
                      source: string
                    }
                    /** Exact decimal */
                    valueUsd: string
                    /** Exact decimal */
                    value: string
                  }>
                }
              }
              end: {
                at: string
                /** Of `ledgers` and `inFlight` together */
                value: string
                /** Exact decimal */
                valueUsd: string
                /** Null for USD, and where there is no price yet: the value is 0 then */
                rate: {
                  /** Of BTC and ETH, which amounts are divided by, to 30 places */
                  unitUsd: string | null
                  /** Of a fiat currency, which amounts are multiplied by */
                  perUsd: string | null
                  at: string
                  source: string
                } | null
                /** In USD each is the sum of its positions */
                ledgers: Array<{
                  /** Network of the wallet, or id of the portfolio */
                  ledger: string
                  /** Exact decimal */
                  value: string
                  /** Exact decimal */
                  valueUsd: string
                }>
                positions: {
                  /** On all pages */
                  count: number
                  /** What has a price, the most valuable first */
                  items: Array<{
                    /** Network of the wallet, or id of the portfolio */
                    ledger: string
                    coinId: string
                    /** Exact decimal */
                    count: string
                    price: {
                      /** Exact decimal */
                      usd: string
                      at: string
                      source: string
                    }
                    /** Exact decimal */
                    valueUsd: string
                    stale: boolean
                  }>
                }
                /** Transfers between the ledgers that had left and not arrived */
                inFlight: {
                  /** On all pages */
                  count: number
                  items: Array<{
                    /** Network of the wallet, or id of the portfolio */
                    from: string
                    /** Network of the wallet, or id of the portfolio */
                    to: string
                    leftAt: string
                    arrivesAt: string
                    coinId: string
                    /** Exact decimal */
                    count: string
                    price: {
                      /** Exact decimal */
                      usd: string
                      at: string
                      source: string
                    }
                    /** Exact decimal */
                    valueUsd: string
                    /** Exact decimal */
                    value: string
                  }>
                }
              }
              flows: {
                /** Of all months */
                value: string
                months: Array<{
                  month: string
                  /** Exact decimal */
                  value: string
                }>
                /** On all pages */
                count: number
                /** The oldest first; of a period of more than 31 days those of `month` alone, which add up to its value */
                items: Array<{
                  at: string
                  /** Network of the wallet, or id of the portfolio */
                  ledger: string
                  /** Null for a first price */
                  transaction: string | null
                  /** The operator says that it is so, the exchange states it otherwise */
                  isCorrected?: true
                  /** Exact decimal */
                  value: string
                  /** The sum of the terms */
                  valueUsd: string
                  /** Null for USD, and where there is no price yet: the value is 0 then */
                  rate: {
                    /** Of BTC and ETH, which amounts are divided by, to 30 places */
                    unitUsd: string | null
                    /** Of a fiat currency, which amounts are multiplied by */
                    perUsd: string | null
                    at: string
                    source: string
                  } | null
                  /** `own transfer`: takes back what the flow of one of its ends counts */
                  reason: 'transfer' | 'first price' | 'own transfer'
                  terms: Array<{
                    coinId: string
                    /** Positive in, negative out */
                    count: string
                    price: {
                      /** Exact decimal */
                      usd: string
                      at: string
                      source: string
                    }
                    /** Exact decimal */
                    valueUsd: string
                    /** `opening`: what the history does not explain, or was sold without having been bought */
                    kind: 'transfer' | 'opening' | 'unpriced swap' | 'first price'
                  }>
                }>
              }
            } | {
              figure: {
                coinId: string
                method: 'average' | 'fifo' | 'lifo' | 'hifo'
                /** Exact decimal */
                count: string
                price: {
                  /** Exact decimal */
                  USD: string
                  /** Exact decimal */
                  BTC: string
                  /** Exact decimal */
                  ETH: string
                }
                value: {
                  /** Exact decimal */
                  USD: string
                  /** Exact decimal */
                  BTC: string
                  /** Exact decimal */
                  ETH: string
                }
                totalCost: {
                  /** Exact decimal */
                  USD: string
                  /** Exact decimal */
                  BTC: string
                  /** Exact decimal */
                  ETH: string
                }
                profit: {
                  allTime: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                  hour24: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                  lastTrade: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                  unrealized: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                  realized: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                }
                base: {
                  allTime: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                  hour24: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                  lastTrade: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                  unrealized: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                  realized: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                }
                profitPercent: {
                  allTime: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                  hour24: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                  lastTrade: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                  unrealized: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                  realized: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                }
                averageBuy: {
                  allTime: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                  hour24: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                  lastTrade: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                  unrealized: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                  realized: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                }
                averageSell: {
                  allTime: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                  hour24: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                  lastTrade: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                  unrealized: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                  realized: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                }
                /** As in the list of coins */
                shown: {
                  coin: {
                    identifier: string
                    symbol: string
                    name: string
                    /** Empty when unknown */
                    icon: string
                    /** 0: unranked */
                    rank: number
                    /** Change of the price over 1 hour in percent */
                    priceChange1h: number
                    /** Change of the price over 24 hours in percent */
                    priceChange24h: number
                    /** Change of the price over 7 days in percent */
                    priceChange7d: number
                    /** Change of the price over 1 month in percent */
                    priceChange1m: number
                    /** USD, 24 hours */
                    volume: number
                    isFake: boolean
                    isFiat: boolean
                  }
                  count: number
                  price: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  /** Of what is held */
                  totalCost: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  profit: {
                    allTime: {
                      USD: number
                      BTC: number
                      ETH: number
                    }
                    hour24: {
                      USD: number
                      BTC: number
                      ETH: number
                    }
                    lastTrade: {
                      USD: number
                      BTC: number
                      ETH: number
                    }
                    unrealized: {
                      USD: number
                      BTC: number
                      ETH: number
                    }
                    realized: {
                      USD: number
                      BTC: number
                      ETH: number
                    }
                  }
                  /** 0 where there is nothing to divide by */
                  profitPercent: {
                    allTime: {
                      USD: number
                      BTC: number
                      ETH: number
                    }
                    hour24: {
                      USD: number
                      BTC: number
                      ETH: number
                    }
                    lastTrade: {
                      USD: number
                      BTC: number
                      ETH: number
                    }
                    unrealized: {
                      USD: number
                      BTC: number
                      ETH: number
                    }
                    realized: {
                      USD: number
                      BTC: number
                      ETH: number
                    }
                  }
                  averageBuy: {
                    allTime: {
                      USD: number
                      BTC: number
                      ETH: number
                    }
                    hour24: {
                      USD: number
                      BTC: number
                      ETH: number
                    }
                    lastTrade: {
                      USD: number
                      BTC: number
                      ETH: number
                    }
                    unrealized: {
                      USD: number
                      BTC: number
                      ETH: number
                    }
                    realized: {
                      USD: number
                      BTC: number
                      ETH: number
                    }
                  }
                  averageSell: {
                    allTime: {
                      USD: number
                      BTC: number
                      ETH: number
                    }
                    hour24: {
                      USD: number
                      BTC: number
                      ETH: number
                    }
                    lastTrade: {
                      USD: number
                      BTC: number
                      ETH: number
                    }
                    unrealized: {
                      USD: number
                      BTC: number
                      ETH: number
                    }
                    realized: {
                      USD: number
                      BTC: number
                      ETH: number
                    }
                  }
                  /** Mean absolute change from one daily close to the next in percent */
                  avgChange: number
                  /** 0 to 100, with includeRiskScore: how easily it is traded, from its volume; higher is easier */
                  liquidityScore?: number
                  /** 0 to 100, with includeRiskScore: how much it moves, from 30 daily closes; higher is more */
                  volatilityScore?: number
                  /** 0 to 100, with includeRiskScore: how large it is; higher is larger */
                  marketCapScore?: number
                  /** 0 to 100, with includeRiskScore: all three together; higher is riskier */
                  riskScore?: number
                }
              }
              equations: Array<string>
              /** Null: never yet, it counts as 0 */
              prices: {
                now: {
                  /** Exact decimal */
                  usd: string
                  at: string
                  source: string
                } | null
                dayAgo: {
                  /** Exact decimal */
                  usd: string
                  at: string
                  source: string
                } | null
              }
              units: {
                now: {
                  BTC: {
                    /** Exact decimal */
                    usd: string
                    at: string
                    source: string
                  } | null
                  ETH: {
                    /** Exact decimal */
                    usd: string
                    at: string
                    source: string
                  } | null
                }
                dayAgo: {
                  BTC: {
                    /** Exact decimal */
                    usd: string
                    at: string
                    source: string
                  } | null
                  ETH: {
                    /** Exact decimal */
                    usd: string
                    at: string
                    source: string
                  } | null
                }
              }
              /** The sums of the months */
              totals: {
                /** Held */
                count: string
                /** Of what is held */
                cost: {
                  /** Exact decimal */
                  USD: string
                  /** Exact decimal */
                  BTC: string
                  /** Exact decimal */
                  ETH: string
                }
                /** Its cost */
                acquired: {
                  /** Exact decimal */
                  count: string
                  amount: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                }
                /** Its proceeds */
                disposed: {
                  /** Exact decimal */
                  count: string
                  amount: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                }
                disposedCost: {
                  /** Exact decimal */
                  USD: string
                  /** Exact decimal */
                  BTC: string
                  /** Exact decimal */
                  ETH: string
                }
                /** Proceeds of what was sold or sent */
                sold: {
                  /** Exact decimal */
                  count: string
                  amount: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                }
                /** What wraps and the like brought with its cost, less what they took */
                carried: {
                  /** Exact decimal */
                  count: string
                  amount: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                }
                /** Went out without being there */
                uncovered: string
              }
              /** The oldest first */
              months: {
                /** On all pages */
                count: number
                items: Array<{
                  month: string
                  /** Held */
                  count: string
                  /** Of what is held */
                  cost: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                  /** Its cost */
                  acquired: {
                    /** Exact decimal */
                    count: string
                    amount: {
                      /** Exact decimal */
                      USD: string
                      /** Exact decimal */
                      BTC: string
                      /** Exact decimal */
                      ETH: string
                    }
                  }
                  /** Its proceeds */
                  disposed: {
                    /** Exact decimal */
                    count: string
                    amount: {
                      /** Exact decimal */
                      USD: string
                      /** Exact decimal */
                      BTC: string
                      /** Exact decimal */
                      ETH: string
                    }
                  }
                  disposedCost: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                  /** Proceeds of what was sold or sent */
                  sold: {
                    /** Exact decimal */
                    count: string
                    amount: {
                      /** Exact decimal */
                      USD: string
                      /** Exact decimal */
                      BTC: string
                      /** Exact decimal */
                      ETH: string
                    }
                  }
                  /** What wraps and the like brought with its cost, less what they took */
                  carried: {
                    /** Exact decimal */
                    count: string
                    amount: {
                      /** Exact decimal */
                      USD: string
                      /** Exact decimal */
                      BTC: string
                      /** Exact decimal */
                      ETH: string
                    }
                  }
                  /** Went out without being there */
                  uncovered: string
                }>
              }
              /** They add up to the cost */
              openLots: {
                USD: {
                  /** On all pages */
                  count: number
                  items: Array<{
                    /** Null at average cost: all lots are one */
                    acquiredAt: string | null
                    /** Exact decimal */
                    count: string
                    /** Exact decimal */
                    cost: string
                  }>
                }
                BTC: {
                  /** On all pages */
                  count: number
                  items: Array<{
                    /** Null at average cost: all lots are one */
                    acquiredAt: string | null
                    /** Exact decimal */
                    count: string
                    /** Exact decimal */
                    cost: string
                  }>
                }
                ETH: {
                  /** On all pages */
                  count: number
                  items: Array<{
                    /** Null at average cost: all lots are one */
                    acquiredAt: string | null
                    /** Exact decimal */
                    count: string
                    /** Exact decimal */
                    cost: string
                  }>
                }
              }
              lastTrade: {
                side: 'buy' | 'sell'
                /** Exact decimal */
                count: string
                amount: {
                  /** Exact decimal */
                  USD: string
                  /** Exact decimal */
                  BTC: string
                  /** Exact decimal */
                  ETH: string
                }
              } | null
              hour24: {
                dayAgo: {
                  /** Exact decimal */
                  count: string
                  value: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                }
                acquired: {
                  /** Exact decimal */
                  USD: string
                  /** Exact decimal */
                  BTC: string
                  /** Exact decimal */
                  ETH: string
                }
                disposed: {
                  /** Exact decimal */
                  USD: string
                  /** Exact decimal */
                  BTC: string
                  /** Exact decimal */
                  ETH: string
                }
                bought: {
                  /** Exact decimal */
                  count: string
                  amount: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                }
                sold: {
                  /** Exact decimal */
                  count: string
                  amount: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                }
                moves: {
                  /** On all pages */
                  count: number
                  items: Array<{
                    at: string
                    /** Positive in, negative out; 0 where nothing of what went out was there */
                    count: string
                    isTrade: boolean
                    /** Cost or proceeds */
                    amount: {
                      /** Exact decimal */
                      USD: string
                      /** Exact decimal */
                      BTC: string
                      /** Exact decimal */
                      ETH: string
                    }
                    /** 0 for fees and income, which are profit */
                    market: {
                      /** Exact decimal */
                      USD: string
                      /** Exact decimal */
                      BTC: string
                      /** Exact decimal */
                      ETH: string
                    }
                  }>
                }
              }
              /** What the month that was asked for is the sum of */
              entries: {
                /** On all pages */
                count: number
                items: Array<{
                  at: string
                  /** Null for a first price: of all together */
                  ledger: string | null
                  transaction: string
                  /** The operator says that it is so, the exchange states it otherwise */
                  isCorrected?: true
                  kind: 'acquire' | 'dispose' | 'carry out' | 'carry in'
                  reason: string | null
                  /** Exact decimal */
                  count: string
                  /** Cost of an acquisition, proceeds of a disposal */
                  amount: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                  /** Of the lots */
                  cost: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                  /** What came in, or what it was taken from; all of them add up to the cost. The first of them, where no `entry` was asked for */
                  lots: {
                    USD: {
                      /** On all pages */
                      count: number
                      items: Array<{
                        /** Null at average cost: all lots are one */
                        acquiredAt: string | null
                        /** Exact decimal */
                        count: string
                        /** Exact decimal */
                        cost: string
                      }>
                    }
                    BTC: {
                      /** On all pages */
                      count: number
                      items: Array<{
                        /** Null at average cost: all lots are one */
                        acquiredAt: string | null
                        /** Exact decimal */
                        count: string
                        /** Exact decimal */
                        cost: string
                      }>
                    }
                    ETH: {
                      /** On all pages */
                      count: number
                      items: Array<{
                        /** Null at average cost: all lots are one */
                        acquiredAt: string | null
                        /** Exact decimal */
                        count: string
                        /** Exact decimal */
                        cost: string
                      }>
                    }
                  }
                  /** Went out without being there */
                  uncovered: string
                  /** What amounts in USD are divided by, to 30 places */
                  units: {
                    BTC: {
                      /** Exact decimal */
                      usd: string
                      at: string
                      source: string
                    } | null
                    ETH: {
                      /** Exact decimal */
                      usd: string
                      at: string
                      source: string
                    } | null
                  }
                  /** Of the whole transaction */
                  legs: Array<{
                    coinId: string
                    /** Exact decimal */
                    count: string
                    role: string
                    price: {
                      /** Exact decimal */
                      usd: string
                      at: string
                      source: string
                    } | null
                  }>
                }>
              } | null
            }
          }
        }
      }
    }
  }
  '/wallet/defi': {
    /**
     * Positions of a wallet in DeFi protocols
     *
     * Read on chain after each sync of the wallet, every network at one block, and valued at the prices of now. A protocol that does not answer is shown as it was last read (X-Data-As-Of: the oldest read). Listed networks that were never synced are left out; 409 when no positions were read yet: start with PATCH /wallet/transactions.
     *
     * Costs 400 credits for each network or wallet named, 4000 for `all`. Paid plans only.
     */
    get: {
      parameters: {
        query: {
          /** EVM address; mixed case has to match its EIP-55 checksum */
          address: string
          /** One network, several, or `all`; wins over `blockchain` */
          connectionId?: Array<'ethereum' | 'binancesmartchain' | 'base-wallet' | 'polygon-wallet' | 'arbitrum-wallet' | 'optimism-wallet' | 'avalanche-wallet' | 'hyperevm-wallet' | 'monad-wallet' | 'plasma-wallet' | 'bitcoin' | 'solana' | 'all'>
          /** One blockchain, several, or `all`; used when `connectionId` is absent */
          blockchain?: Array<'ethereum' | 'binance_smart' | 'base' | 'polygon-pos' | 'arbitrum-one' | 'optimism' | 'avalanche' | 'hyperevm' | 'monad' | 'plasma' | 'bitcoin' | 'solana' | 'all'>
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              /** Of the investments whose value is known */
              totalAssets: {
                USD: number
                BTC: number
                ETH: number
              }
              protocols: Array<{
                id: string
                name: string
                logo: string
                totalValue: {
                  USD: number
                  BTC: number
                  ETH: number
                }
                blockchain: {
                  name: string
                  icon: string
                }
                /** Value of the parameter `blockchain` */
                chain: string
                walletAddress: string
                url: string
                investments: Array<{
                  id: string
                  name: string
                  /** Without what is owed; absent when a price is unknown */
                  value?: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  symbols: string
                  assets: Array<{
                    /** Contract; absent for the native coin */
                    address?: string
                    title: 'Supplied' | 'Borrowed' | 'Staked' | 'Unclaimed' | 'Withdrawing' | 'Claimable'
                    /** In coins, negative when it is owed; in base units when the contract names no decimals */
                    amount: number
                    /** Empty when unknown */
                    symbol: string
                    /** Of one coin; absent when unknown */
                    price?: {
                      USD: number
                      BTC: number
                      ETH: number
                    }
                    coinId: string
                    logo?: string
                    /** The token is marked as spam */
                    danger: boolean
                  }>
                  poolAddress: string
                  poolProjectId: string
                  /** Liquidated below 1; absent when nothing is owed */
                  healthRate?: number
                  healthRateLink?: string
                  /** Value owed for 1 supplied; absent when nothing is owed */
                  debtRatio?: number
                  debtRatioLink?: string
                  /** Absent when it can be taken out, or nobody knows when */
                  unlockAt?: string
                  /** Until when it can be taken out, once unlocked */
                  endAt?: string
                  /** False: held by the wallet itself */
                  isProxy: boolean
                }>
              }>
            }
          }
        }
      }
    }
  }
  '/exchange/support': {
    /**
     * Exchanges that accounts can be connected at
     *
     * Costs 1 credits.
     */
    get: {
      parameters: {}
      responses: {
        200: {
          content: {
            'application/json': Array<{
              connectionId: string
              name: string
              icon: string
              /** The fields that POST /exchange/balance needs */
              connectionFields: Array<{
                name: string
                key: string
              }>
            }>
          }
        }
      }
    }
  }
  '/exchange/balance': {
    /**
     * Connects an account at an exchange and answers its balances
     *
     * The credentials are tried at the exchange before anything is charged: 400 when it refuses them, or when it says that the key may do more than read. They are stored encrypted and never answered. The same key again gives the same portfolio id. `balances` is empty while the exchange has not answered yet: ask again. The history is read from PATCH /exchange/sync on.
     *
     * Costs 10 credits.
     */
    post: {
      parameters: {
        header?: {
          /** Repeats with the same key and parameters have one effect and one charge, and get the first answer */
          'Idempotency-Key'?: string
        }
      }
      requestBody: {
        content: {
          'application/json': {
            /** From GET /exchange/support */
            connectionId: string
            /** The fields that GET /exchange/support lists for the exchange */
            connectionFields: {
              apiKey: string
              apiSecret: string
              passphrase?: string
            }
            name?: string
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              balances: Array<{
                /** The asset of the exchange where the coin is unknown */
                coinId: string
                amount: number
                /** USD, 0 when unknown */
                price: number
                priceBtc: number
              }>
              portfolio: {
                id: string
                status: 'syncing' | 'synced'
                connectionId: string
                name?: string
              }
            }
          }
        }
      }
    }
  }
  '/exchange/status': {
    /**
     * Whether an exchange account is synced
     *
     * `synced` when it has been synced since PATCH /exchange/sync was last asked for.
     *
     * Costs 3 credits.
     */
    get: {
      parameters: {
        query: {
          /** Id of the portfolio, as the request that connected it answers it */
          portfolioId: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              status: 'syncing' | 'synced'
            }
          }
        }
      }
    }
  }
  '/exchange/sync': {
    /**
     * Starts the sync of an exchange account
     *
     * Fills, deposits, withdrawals and balances. It runs on its own: poll GET /exchange/status until `synced`. One sync runs per account, however often it is asked for.
     *
     * Costs 20 credits.
     */
    patch: {
      parameters: {
        query: {
          /** Id of the portfolio, as the request that connected it answers it */
          portfolioId: string
        }
        header?: {
          /** Repeats with the same key and parameters have one effect and one charge, and get the first answer */
          'Idempotency-Key'?: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              success: boolean
            }
          }
        }
      }
    }
  }
  '/exchange/transactions': {
    /**
     * Transactions of an exchange account, newest first
     *
     * Settled fills, conversions, deposits and withdrawals. 409 before the first sync.
     *
     * Costs 4 credits.
     */
    get: {
      parameters: {
        query: {
          /** Id of the portfolio, as the request that connected it answers it */
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
            'application/json': {
              meta: {
                page: number
                limit: number
              }
              result: Array<{
                /** Label: Received, Sent, Swap, Buy, Sell, Approve, Balance, Fee */
                type: string
                date: string
                mainContent: {
                  coinIcons: Array<string>
                  coinAssets: Array<string>
                }
                transactions: Array<{
                  action: string
                  items: Array<{
                    id: string
                    /** Negative: out */
                    count: number
                    /** At the instant of the transaction, 0 when unknown */
                    totalWorth: number
                    coin?: {
                      id: string
                      name: string
                      symbol: string
                      icon: string
                    }
                    nft?: {
                      id: string
                      name: string
                      icon: string
                    }
                    toAddress?: string
                    fromAddress?: string
                  }>
                }>
                fee?: {
                  coin: {
                    id: string
                    name: string
                    symbol: string
                    icon: string
                  }
                  count: number
                  totalWorth: number
                }
                hash?: {
                  id: string
                  explorerUrl: string
                }
                coinData?: {
                  /** Negative: out */
                  count: number
                  symbol: string
                  /** At the price of now, 0 when unknown */
                  currentValue: number
                }
                profitLoss?: {
                  /** Change of the worth since the transaction; negated for what was given away */
                  profit: number
                  profitPercent: number
                  currentValue: number
                }
              }>
            }
          }
        }
      }
    }
  }
  '/exchange/chart': {
    /**
     * Value of an exchange account over time
     *
     * Hourly points for `24h`, daily ones (00:00 UTC) above, the last one now; each with the prices of its own instant. From the first transaction on. 409 before the first sync.
     *
     * Costs 50 credits.
     */
    get: {
      parameters: {
        query: {
          /** Id of the portfolio, as the request that connected it answers it */
          portfolioId: string
          type: '24h' | '1w' | '1m' | '3m' | '6m' | '1y' | 'all'
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              result: Array<Array<number>>
            }
          }
        }
      }
    }
  }
  '/exchange/pl': {
    /**
     * Coins of an exchange account with what they cost and earned
     *
     * At average cost; the coins that were held once as well, for what they earned. As /wallet/pl: over all coins what is realised and unrealised is the profit of /exchange/pl/history. 409 before the first sync.
     *
     * Costs 25 credits.
     */
    get: {
      parameters: {
        query: {
          /** Id of the portfolio, as the request that connected it answers it */
          portfolioId: string
          /** This coin alone */
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
            'application/json': {
              result: Array<{
                coin: {
                  identifier: string
                  symbol: string
                  name: string
                  /** Empty when unknown */
                  icon: string
                  /** 0: unranked */
                  rank: number
                  /** Change of the price over 1 hour in percent */
                  priceChange1h: number
                  /** Change of the price over 24 hours in percent */
                  priceChange24h: number
                  /** Change of the price over 7 days in percent */
                  priceChange7d: number
                  /** Change of the price over 1 month in percent */
                  priceChange1m: number
                  /** USD, 24 hours */
                  volume: number
                  isFake: boolean
                  isFiat: boolean
                }
                count: number
                price: {
                  USD: number
                  BTC: number
                  ETH: number
                }
                /** Of what is held */
                totalCost: {
                  USD: number
                  BTC: number
                  ETH: number
                }
                profit: {
                  allTime: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  hour24: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  lastTrade: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  unrealized: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  realized: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                }
                /** 0 where there is nothing to divide by */
                profitPercent: {
                  allTime: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  hour24: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  lastTrade: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  unrealized: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  realized: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                }
                averageBuy: {
                  allTime: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  hour24: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  lastTrade: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  unrealized: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  realized: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                }
                averageSell: {
                  allTime: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  hour24: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  lastTrade: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  unrealized: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  realized: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                }
                /** Mean absolute change from one daily close to the next in percent */
                avgChange: number
              }>
              /** Of all pages */
              summary: {
                totalValue: {
                  USD: number
                  BTC: number
                  ETH: number
                }
                totalCost: {
                  USD: number
                  BTC: number
                  ETH: number
                }
                profit: {
                  allTime: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  hour24: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  lastTrade: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  unrealized: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  realized: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                }
                /** Of the totals */
                profitPercent: {
                  allTime: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  hour24: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  lastTrade: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  unrealized: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  realized: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                }
              }
            }
          }
        }
      }
    }
  }
  '/exchange/pl/history': {
    /**
     * Profit and loss of an exchange account over time
     *
     * As /wallet/pl/history: cash-flow-adjusted, in UTC periods. `range`, or `from` and `to`. Deposits and withdrawals are flows, and so are adjustments and what the exchange states beyond its history; rewards are profit. 409 before the first sync.
     *
     * Costs 25 credits.
     */
    get: {
      parameters: {
        query: {
          /** Id of the portfolio, as the request that connected it answers it */
          portfolioId: string
          /** `hourly` only within the latest 24 hours */
          interval: 'hourly' | 'daily' | 'weekly' | 'monthly' | 'yearly'
          /** Preset that ends now; or `from` and `to` */
          range?: '24h' | '1w' | '1m' | '3m' | '6m' | '1y' | 'all'
          /** Inclusive start, with `to` */
          from?: string
          /** Exclusive end, with `from` */
          to?: string
          /** Currency of the values */
          currency?: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              result: Array<{
                /** End of the period */
                date: string
                /** Change of the value less external flows */
                profitLoss: number
                /** Of the value at the start; 0 where that is none */
                profitLossPercent: number
              }>
              meta: {
                currency: string
                range: '24h' | '1w' | '1m' | '3m' | '6m' | '1y' | 'all' | null
                interval: 'hourly' | 'daily' | 'weekly' | 'monthly' | 'yearly'
                from: string | null
                to: string
                /** Oldest sync of what is included */
                lastSyncedAt: string | null
              }
            }
          }
        }
      }
    }
  }
  '/portfolio/list': {
    /**
     * Portfolios of the account
     *
     * Wallets, accounts at exchanges, and those whose transactions are stated by hand; the oldest first.
     *
     * Costs 5 credits.
     */
    get: {
      parameters: {}
      responses: {
        200: {
          content: {
            'application/json': {
              result: Array<{
                portfolioId: string
                portfolioName: string
                portfolioType: 'manual' | 'wallet' | 'exchange'
              }>
            }
          }
        }
      }
    }
  }
  '/portfolio/value': {
    /**
     * What a portfolio is worth, what it cost and what it earned
     *
     * Sums over the coins of /portfolio/coins. BTC and ETH are folded at the prices of each instant; every other currency is the figure in USD at the rate of now.
     *
     * Costs 10 credits.
     */
    get: {
      parameters: {
        query?: {
          /** Id of one portfolio; without it, and without a share token, all of the account together */
          portfolioId?: string
          /** Token of a shared portfolio; the header `sharetoken` wins */
          shareToken?: string
          /** Six digits, where the shared portfolio has them; the header `passcode` wins */
          passcode?: string
          /** The answer of that instant, from what was known then: YYYY-MM-DD (UTC midnight) or RFC 3339 timestamp with its zone, not in the future */
          asOf?: string
          /** Currency of the values */
          currency?: string
        }
        header?: {
          /** Token of a shared portfolio: what follows `/p/` in its link */
          sharetoken?: string
          /** Six digits, where the shared portfolio has them */
          passcode?: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              /** Of all coins */
              totalValue: number
              /** Of the positions that /portfolio/defi lists. A token that stands for a position is a coin as well: it is in `totalValue` */
              defiValue: number
              /** Of what is held */
              totalCost: number
              /** `totalValue` less `totalCost` */
              unrealizedProfitLoss: number
              /** Percent of `totalCost`; 0 where that is 0 */
              unrealizedProfitLossPercent: number
              /** Of what was sold, spent or sent */
              realizedProfitLoss: number
              /** Percent of what that had cost; 0 where that is 0 */
              realizedProfitLossPercent: number
              /** Realised and unrealised */
              allTimeProfitLoss: number
              /** Percent of what all coins ever acquired cost; 0 where that is 0 */
              allTimeProfitLossPercent: number
            }
          }
        }
      }
    }
  }
  '/portfolio/coins': {
    /**
     * Coins of a portfolio with what they cost and earned
     *
     * By the cost method of the portfolio, or of the account where all its portfolios are taken together; the most valuable first, the coins that were held once as well. Figures in BTC and ETH are made of the prices of each instant. Over all coins what is realised and unrealised is the profit of /portfolio/pl/history. 409 before the first sync.
     *
     * Costs 8 credits.
     */
    get: {
      parameters: {
        query?: {
          /** Id of one portfolio; without it, and without a share token, all of the account together */
          portfolioId?: string
          /** Token of a shared portfolio; the header `sharetoken` wins */
          shareToken?: string
          /** Six digits, where the shared portfolio has them; the header `passcode` wins */
          passcode?: string
          /** The answer of that instant, from what was known then: YYYY-MM-DD (UTC midnight) or RFC 3339 timestamp with its zone, not in the future */
          asOf?: string
          /** Page number, from 1 */
          page?: number
          /** Items per page */
          limit?: number
          /** Adds the four scores where they are known */
          includeRiskScore?: 'true' | 'false'
        }
        header?: {
          /** Token of a shared portfolio: what follows `/p/` in its link */
          sharetoken?: string
          /** Six digits, where the shared portfolio has them */
          passcode?: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              result: Array<{
                coin: {
                  identifier: string
                  symbol: string
                  name: string
                  /** Empty when unknown */
                  icon: string
                  /** 0: unranked */
                  rank: number
                  /** Change of the price over 1 hour in percent */
                  priceChange1h: number
                  /** Change of the price over 24 hours in percent */
                  priceChange24h: number
                  /** Change of the price over 7 days in percent */
                  priceChange7d: number
                  /** Change of the price over 1 month in percent */
                  priceChange1m: number
                  /** USD, 24 hours */
                  volume: number
                  isFake: boolean
                  isFiat: boolean
                }
                count: number
                price: {
                  USD: number
                  BTC: number
                  ETH: number
                }
                /** Of what is held */
                totalCost: {
                  USD: number
                  BTC: number
                  ETH: number
                }
                profit: {
                  allTime: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  hour24: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  lastTrade: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  unrealized: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  realized: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                }
                /** 0 where there is nothing to divide by */
                profitPercent: {
                  allTime: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  hour24: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  lastTrade: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  unrealized: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  realized: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                }
                averageBuy: {
                  allTime: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  hour24: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  lastTrade: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  unrealized: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  realized: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                }
                averageSell: {
                  allTime: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  hour24: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  lastTrade: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  unrealized: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  realized: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                }
                /** Mean absolute change from one daily close to the next in percent */
                avgChange: number
                /** 0 to 100, with includeRiskScore: how easily it is traded, from its volume; higher is easier */
                liquidityScore?: number
                /** 0 to 100, with includeRiskScore: how much it moves, from 30 daily closes; higher is more */
                volatilityScore?: number
                /** 0 to 100, with includeRiskScore: how large it is; higher is larger */
                marketCapScore?: number
                /** 0 to 100, with includeRiskScore: all three together; higher is riskier */
                riskScore?: number
              }>
            }
          }
        }
      }
    }
  }
  '/portfolio/chart': {
    /**
     * Value of a portfolio over time
     *
     * Hourly points for `24h`, daily ones (00:00 UTC) above, the last one now; each with the prices of its own instant. From the first transaction on. 409 before the first sync.
     *
     * Costs 10 credits.
     */
    get: {
      parameters: {
        query: {
          /** Id of one portfolio; without it, and without a share token, all of the account together */
          portfolioId?: string
          /** Token of a shared portfolio; the header `sharetoken` wins */
          shareToken?: string
          /** Six digits, where the shared portfolio has them; the header `passcode` wins */
          passcode?: string
          type: '24h' | '1w' | '1m' | '3m' | '6m' | '1y' | 'all'
        }
        header?: {
          /** Token of a shared portfolio: what follows `/p/` in its link */
          sharetoken?: string
          /** Six digits, where the shared portfolio has them */
          passcode?: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              result: Array<Array<number>>
            }
          }
        }
      }
    }
  }
  '/portfolio/transactions': {
    /**
     * Transactions of a portfolio, newest first
     *
     * One list over wallets, exchange accounts and what is stated by hand. Worths are of the instant of the transaction, at its rate; current values of now. 409 before the first sync.
     *
     * Costs 4 credits.
     */
    get: {
      parameters: {
        query: {
          /** Id of one portfolio; without it, and without a share token, all of the account together */
          portfolioId?: string
          /** Token of a shared portfolio; the header `sharetoken` wins */
          shareToken?: string
          /** Six digits, where the shared portfolio has them; the header `passcode` wins */
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
          /** Six digits, where the shared portfolio has them */
          passcode?: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              data: Array<{
                /** What paid a fee and moved nothing else, as an approval, is `Sent` without transfers */
                transactionType: 'Sent' | 'Received' | 'Swap' | 'Buy' | 'Sell' | 'Roll In' | 'Dust Convert'
                date: string
                /** All 0 when unknown */
                profitLoss: {
                  /** Change of the worth since the transaction; negated for what went out */
                  profit: number
                  profitPercent: number
                  currentValue: number
                }
                /** Count 0: none was paid */
                fee: {
                  coin: {
                    identifier: string
                    symbol: string
                    name: string
                    /** Empty when unknown */
                    icon: string
                    /** 0: unranked */
                    rank: number
                    /** Change of the price over 1 hour in percent */
                    priceChange1h: number
                    /** Change of the price over 24 hours in percent */
                    priceChange24h: number
                    /** Change of the price over 7 days in percent */
                    priceChange7d: number
                    /** Change of the price over 1 month in percent */
                    priceChange1m: number
                    /** USD, 24 hours */
                    volume: number
                    isFake: boolean
                    isFiat: boolean
                  }
                  count: number
                  /** At the instant of the transaction, 0 when unknown */
                  totalWorth: number
                  /** Of one at that instant, 0 when unknown */
                  price: number
                  toAddress?: string
                  fromAddress?: string
                }
                portfolioInfo: {
                  name: string
                  icon: string
                }
                coinData?: {
                  identifier: string
                  /** Negative: out */
                  count: number
                  symbol: string
                  /** At the instant of the transaction, 0 when unknown */
                  totalWorth: number
                  /** At the price of now, 0 when unknown */
                  currentValue: number
                }
                transfers?: Array<{
                  transferType: 'Received' | 'Sent'
                  items: Array<{
                    coin: {
                      identifier: string
                      symbol: string
                      name: string
                      /** Empty when unknown */
                      icon: string
                      /** 0: unranked */
                      rank: number
                      /** Change of the price over 1 hour in percent */
                      priceChange1h: number
                      /** Change of the price over 24 hours in percent */
                      priceChange24h: number
                      /** Change of the price over 7 days in percent */
                      priceChange7d: number
                      /** Change of the price over 1 month in percent */
                      priceChange1m: number
                      /** USD, 24 hours */
                      volume: number
                      isFake: boolean
                      isFiat: boolean
                    }
                    count: number
                    /** At the instant of the transaction, 0 when unknown */
                    totalWorth: number
                    /** Of one at that instant, 0 when unknown */
                    price: number
                    toAddress?: string
                    fromAddress?: string
                  }>
                }>
                /** Of a transaction that was stated by hand; of one of an exchange, how the operator has it counted */
                note?: string
              }>
              meta: {
                page: number
                limit: number
              }
            }
          }
        }
      }
    }
  }
  '/portfolio/defi': {
    /**
     * Positions of a portfolio in DeFi protocols
     *
     * Those of its wallets, as /wallet/defi; none where it follows no wallet. 409 when the positions of no wallet were read yet.
     *
     * Costs 200 credits. Paid plans only.
     */
    get: {
      parameters: {
        query?: {
          /** Id of one portfolio; without it, and without a share token, all of the account together */
          portfolioId?: string
          /** Token of a shared portfolio; the header `sharetoken` wins */
          shareToken?: string
          /** Six digits, where the shared portfolio has them; the header `passcode` wins */
          passcode?: string
        }
        header?: {
          /** Token of a shared portfolio: what follows `/p/` in its link */
          sharetoken?: string
          /** Six digits, where the shared portfolio has them */
          passcode?: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              /** Of the investments whose value is known */
              totalAssets: {
                USD: number
                BTC: number
                ETH: number
              }
              protocols: Array<{
                id: string
                name: string
                logo: string
                totalValue: {
                  USD: number
                  BTC: number
                  ETH: number
                }
                blockchain: {
                  name: string
                  icon: string
                }
                /** Value of the parameter `blockchain` */
                chain: string
                walletAddress: string
                url: string
                investments: Array<{
                  id: string
                  name: string
                  /** Without what is owed; absent when a price is unknown */
                  value?: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  symbols: string
                  assets: Array<{
                    /** Contract; absent for the native coin */
                    address?: string
                    title: 'Supplied' | 'Borrowed' | 'Staked' | 'Unclaimed' | 'Withdrawing' | 'Claimable'
                    /** In coins, negative when it is owed; in base units when the contract names no decimals */
                    amount: number
                    /** Empty when unknown */
                    symbol: string
                    /** Of one coin; absent when unknown */
                    price?: {
                      USD: number
                      BTC: number
                      ETH: number
                    }
                    coinId: string
                    logo?: string
                    /** The token is marked as spam */
                    danger: boolean
                  }>
                  poolAddress: string
                  poolProjectId: string
                  /** Liquidated below 1; absent when nothing is owed */
                  healthRate?: number
                  healthRateLink?: string
                  /** Value owed for 1 supplied; absent when nothing is owed */
                  debtRatio?: number
                  debtRatioLink?: string
                  /** Absent when it can be taken out, or nobody knows when */
                  unlockAt?: string
                  /** Until when it can be taken out, once unlocked */
                  endAt?: string
                  /** False: held by the wallet itself */
                  isProxy: boolean
                }>
              }>
            }
          }
        }
      }
    }
  }
  '/portfolio/snapshot/items': {
    /**
     * What a portfolio held at each midnight
     *
     * One snapshot per UTC day, taken at its beginning and kept as it was: what is stated or found later of an earlier day changes none. The days before a portfolio was followed are filled from its history. The oldest first; changes are against the snapshot before, and against nothing for the first. A coin that is gone is listed once more. 409 before the first sync.
     *
     * Costs 500 credits.
     */
    get: {
      parameters: {
        query?: {
          /** Id of one portfolio; without it, and without a share token, all of the account together */
          portfolioId?: string
          /** Token of a shared portfolio; the header `sharetoken` wins */
          shareToken?: string
          /** Six digits, where the shared portfolio has them; the header `passcode` wins */
          passcode?: string
          /** The answer of that instant, from what was known then: YYYY-MM-DD (UTC midnight) or RFC 3339 timestamp with its zone, not in the future */
          asOf?: string
          /** Page number, from 1 */
          page?: number
          /** Items per page */
          limit?: number
          /** First day */
          from?: string
          /** Last day, not before `from` */
          to?: string
          /** These coins alone, in the totals as well */
          coinIds?: Array<string>
        }
        header?: {
          /** Token of a shared portfolio: what follows `/p/` in its link */
          sharetoken?: string
          /** Six digits, where the shared portfolio has them */
          passcode?: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              result: Array<{
                date: string
                /** The largest balance first */
                coinBalances: Array<{
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
                  /** 0 where one of both prices is unknown */
                  pricePercentChange: number
                }>
                totalBalance: number
                totalBalanceChange: number
                /** 0 where there was nothing before */
                totalBalancePercentChange: number
              }>
            }
          }
        }
      }
    }
  }
  '/portfolio/pl/history': {
    /**
     * Profit and loss of a portfolio over time
     *
     * As /wallet/pl/history: cash-flow-adjusted, in UTC periods. `range`, or `from` and `to`. Transfers between portfolios that are taken together are no flows. Empty before the first transaction, and when nothing was synced.
     *
     * Costs 25 credits.
     */
    get: {
      parameters: {
        query: {
          /** Id of one portfolio; without it, and without a share token, all of the account together */
          portfolioId?: string
          /** Token of a shared portfolio; the header `sharetoken` wins */
          shareToken?: string
          /** Six digits, where the shared portfolio has them; the header `passcode` wins */
          passcode?: string
          /** `hourly` only within the latest 24 hours */
          interval: 'hourly' | 'daily' | 'weekly' | 'monthly' | 'yearly'
          /** Preset that ends now; or `from` and `to` */
          range?: '24h' | '1w' | '1m' | '3m' | '6m' | '1y' | 'all'
          /** Inclusive start, with `to` */
          from?: string
          /** Exclusive end, with `from` */
          to?: string
          /** Currency of the values */
          currency?: string
        }
        header?: {
          /** Token of a shared portfolio: what follows `/p/` in its link */
          sharetoken?: string
          /** Six digits, where the shared portfolio has them */
          passcode?: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              result: Array<{
                /** End of the period */
                date: string
                /** Change of the value less external flows */
                profitLoss: number
                /** Of the value at the start; 0 where that is none */
                profitLossPercent: number
              }>
              meta: {
                currency: string
                range: '24h' | '1w' | '1m' | '3m' | '6m' | '1y' | 'all' | null
                interval: 'hourly' | 'daily' | 'weekly' | 'monthly' | 'yearly'
                from: string | null
                to: string
                /** Oldest sync of what is included */
                lastSyncedAt: string | null
              }
            }
          }
        }
      }
    }
  }
  '/portfolio/explain': {
    /**
     * What a figure of a portfolio is the sum of
     *
     * As /wallet/explain: a point of /portfolio/pl/history, or a row of /portfolio/coins. 409 before the first sync, and while something has changed that is not in the figures yet.
     *
     * Costs 25 credits.
     */
    get: {
      parameters: {
        query?: {
          /** Id of one portfolio; without it, and without a share token, all of the account together */
          portfolioId?: string
          /** Token of a shared portfolio; the header `sharetoken` wins */
          shareToken?: string
          /** Six digits, where the shared portfolio has them; the header `passcode` wins */
          passcode?: string
          /** As of the history */
          interval?: 'hourly' | 'daily' | 'weekly' | 'monthly' | 'yearly'
          /** Preset that ends now; or `from` and `to` */
          range?: '24h' | '1w' | '1m' | '3m' | '6m' | '1y' | 'all'
          /** Inclusive start, with `to` */
          from?: string
          /** Exclusive end, with `from` */
          to?: string
          /** Currency of the values */
          currency?: string
          /** `date` of a point of the history in the same window */
          date?: string
          /** Or a coin of the list of coins */
          coinId?: string
          /** The month (YYYY-MM) to list each entry of */
          month?: string
          /** The number of one entry of that month: pages are those of its lots then */
          entry?: number
          /** Page number, from 1 */
          page?: number
          /** Items per page */
          limit?: number
        }
        header?: {
          /** Token of a shared portfolio: what follows `/p/` in its link */
          sharetoken?: string
          /** Six digits, where the shared portfolio has them */
          passcode?: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              figure: {
                from: string
                date: string
                /** Exact decimal */
                profitLoss: string
                /** Exact decimal */
                profitLossPercent: string
                /** As in the history */
                shown: {
                  profitLoss: number
                  profitLossPercent: number
                }
              }
              equation: 'profitLoss = end.value - start.value - flows.value'
              currency: string
              start: {
                at: string
                /** Of `ledgers` and `inFlight` together */
                value: string
                /** Exact decimal */
                valueUsd: string
                /** Null for USD, and where there is no price yet: the value is 0 then */
                rate: {
                  /** Of BTC and ETH, which amounts are divided by, to 30 places */
                  unitUsd: string | null
                  /** Of a fiat currency, which amounts are multiplied by */
                  perUsd: string | null
                  at: string
                  source: string
                } | null
                /** In USD each is the sum of its positions */
                ledgers: Array<{
                  /** Network of the wallet, or id of the portfolio */
                  ledger: string
                  /** Exact decimal */
                  value: string
                  /** Exact decimal */
                  valueUsd: string
                }>
                positions: {
                  /** On all pages */
                  count: number
                  /** What has a price, the most valuable first */
                  items: Array<{
                    /** Network of the wallet, or id of the portfolio */
                    ledger: string
                    coinId: string
                    /** Exact decimal */
                    count: string
                    price: {
                      /** Exact decimal */
                      usd: string
                      at: string
                      source: string
                    }
                    /** Exact decimal */
                    valueUsd: string
                    stale: boolean
                  }>
                }
                /** Transfers between the ledgers that had left and not arrived */
                inFlight: {
                  /** On all pages */
                  count: number
                  items: Array<{
                    /** Network of the wallet, or id of the portfolio */
                    from: string
                    /** Network of the wallet, or id of the portfolio */
                    to: string
                    leftAt: string
                    arrivesAt: string
                    coinId: string
                    /** Exact decimal */
                    count: string
                    price: {
                      /** Exact decimal */
                      usd: string
                      at: string
                      source: string
                    }
                    /** Exact decimal */
                    valueUsd: string
                    /** Exact decimal */
                    value: string
                  }>
                }
              }
              end: {
                at: string
                /** Of `ledgers` and `inFlight` together */
                value: string
                /** Exact decimal */
                valueUsd: string
                /** Null for USD, and where there is no price yet: the value is 0 then */
                rate: {
                  /** Of BTC and ETH, which amounts are divided by, to 30 places */
                  unitUsd: string | null
                  /** Of a fiat currency, which amounts are multiplied by */
                  perUsd: string | null
                  at: string
                  source: string
                } | null
                /** In USD each is the sum of its positions */
                ledgers: Array<{
                  /** Network of the wallet, or id of the portfolio */
                  ledger: string
                  /** Exact decimal */
                  value: string
                  /** Exact decimal */
                  valueUsd: string
                }>
                positions: {
                  /** On all pages */
                  count: number
                  /** What has a price, the most valuable first */
                  items: Array<{
                    /** Network of the wallet, or id of the portfolio */
                    ledger: string
                    coinId: string
                    /** Exact decimal */
                    count: string
                    price: {
                      /** Exact decimal */
                      usd: string
                      at: string
                      source: string
                    }
                    /** Exact decimal */
                    valueUsd: string
                    stale: boolean
                  }>
                }
                /** Transfers between the ledgers that had left and not arrived */
                inFlight: {
                  /** On all pages */
                  count: number
                  items: Array<{
                    /** Network of the wallet, or id of the portfolio */
                    from: string
                    /** Network of the wallet, or id of the portfolio */
                    to: string
                    leftAt: string
                    arrivesAt: string
                    coinId: string
                    /** Exact decimal */
                    count: string
                    price: {
                      /** Exact decimal */
                      usd: string
                      at: string
                      source: string
                    }
                    /** Exact decimal */
                    valueUsd: string
                    /** Exact decimal */
                    value: string
                  }>
                }
              }
              flows: {
                /** Of all months */
                value: string
                months: Array<{
                  month: string
                  /** Exact decimal */
                  value: string
                }>
                /** On all pages */
                count: number
                /** The oldest first; of a period of more than 31 days those of `month` alone, which add up to its value */
                items: Array<{
                  at: string
                  /** Network of the wallet, or id of the portfolio */
                  ledger: string
                  /** Null for a first price */
                  transaction: string | null
                  /** The operator says that it is so, the exchange states it otherwise */
                  isCorrected?: true
                  /** Exact decimal */
                  value: string
                  /** The sum of the terms */
                  valueUsd: string
                  /** Null for USD, and where there is no price yet: the value is 0 then */
                  rate: {
                    /** Of BTC and ETH, which amounts are divided by, to 30 places */
                    unitUsd: string | null
                    /** Of a fiat currency, which amounts are multiplied by */
                    perUsd: string | null
                    at: string
                    source: string
                  } | null
                  /** `own transfer`: takes back what the flow of one of its ends counts */
                  reason: 'transfer' | 'first price' | 'own transfer'
                  terms: Array<{
                    coinId: string
                    /** Positive in, negative out */
                    count: string
                    price: {
                      /** Exact decimal */
                      usd: string
                      at: string
                      source: string
                    }
                    /** Exact decimal */
                    valueUsd: string
                    /** `opening`: what the history does not explain, or was sold without having been bought */
                    kind: 'transfer' | 'opening' | 'unpriced swap' | 'first price'
                  }>
                }>
              }
            } | {
              figure: {
                coinId: string
                method: 'average' | 'fifo' | 'lifo' | 'hifo'
                /** Exact decimal */
                count: string
                price: {
                  /** Exact decimal */
                  USD: string
                  /** Exact decimal */
                  BTC: string
                  /** Exact decimal */
                  ETH: string
                }
                value: {
                  /** Exact decimal */
                  USD: string
                  /** Exact decimal */
                  BTC: string
                  /** Exact decimal */
                  ETH: string
                }
                totalCost: {
                  /** Exact decimal */
                  USD: string
                  /** Exact decimal */
                  BTC: string
                  /** Exact decimal */
                  ETH: string
                }
                profit: {
                  allTime: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                  hour24: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                  lastTrade: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                  unrealized: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                  realized: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                }
                base: {
                  allTime: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                  hour24: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                  lastTrade: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                  unrealized: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                  realized: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                }
                profitPercent: {
                  allTime: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                  hour24: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                  lastTrade: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                  unrealized: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                  realized: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                }
                averageBuy: {
                  allTime: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                  hour24: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                  lastTrade: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                  unrealized: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                  realized: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                }
                averageSell: {
                  allTime: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                  hour24: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                  lastTrade: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                  unrealized: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                  realized: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                }
                /** As in the list of coins */
                shown: {
                  coin: {
                    identifier: string
                    symbol: string
                    name: string
                    /** Empty when unknown */
                    icon: string
                    /** 0: unranked */
                    rank: number
                    /** Change of the price over 1 hour in percent */
                    priceChange1h: number
                    /** Change of the price over 24 hours in percent */
                    priceChange24h: number
                    /** Change of the price over 7 days in percent */
                    priceChange7d: number
                    /** Change of the price over 1 month in percent */
                    priceChange1m: number
                    /** USD, 24 hours */
                    volume: number
                    isFake: boolean
                    isFiat: boolean
                  }
                  count: number
                  price: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  /** Of what is held */
                  totalCost: {
                    USD: number
                    BTC: number
                    ETH: number
                  }
                  profit: {
                    allTime: {
                      USD: number
                      BTC: number
                      ETH: number
                    }
                    hour24: {
                      USD: number
                      BTC: number
                      ETH: number
                    }
                    lastTrade: {
                      USD: number
                      BTC: number
                      ETH: number
                    }
                    unrealized: {
                      USD: number
                      BTC: number
                      ETH: number
                    }
                    realized: {
                      USD: number
                      BTC: number
                      ETH: number
                    }
                  }
                  /** 0 where there is nothing to divide by */
                  profitPercent: {
                    allTime: {
                      USD: number
                      BTC: number
                      ETH: number
                    }
                    hour24: {
                      USD: number
                      BTC: number
                      ETH: number
                    }
                    lastTrade: {
                      USD: number
                      BTC: number
                      ETH: number
                    }
                    unrealized: {
                      USD: number
                      BTC: number
                      ETH: number
                    }
                    realized: {
                      USD: number
                      BTC: number
                      ETH: number
                    }
                  }
                  averageBuy: {
                    allTime: {
                      USD: number
                      BTC: number
                      ETH: number
                    }
                    hour24: {
                      USD: number
                      BTC: number
                      ETH: number
                    }
                    lastTrade: {
                      USD: number
                      BTC: number
                      ETH: number
                    }
                    unrealized: {
                      USD: number
                      BTC: number
                      ETH: number
                    }
                    realized: {
                      USD: number
                      BTC: number
                      ETH: number
                    }
                  }
                  averageSell: {
                    allTime: {
                      USD: number
                      BTC: number
                      ETH: number
                    }
                    hour24: {
                      USD: number
                      BTC: number
                      ETH: number
                    }
                    lastTrade: {
                      USD: number
                      BTC: number
                      ETH: number
                    }
                    unrealized: {
                      USD: number
                      BTC: number
                      ETH: number
                    }
                    realized: {
                      USD: number
                      BTC: number
                      ETH: number
                    }
                  }
                  /** Mean absolute change from one daily close to the next in percent */
                  avgChange: number
                  /** 0 to 100, with includeRiskScore: how easily it is traded, from its volume; higher is easier */
                  liquidityScore?: number
                  /** 0 to 100, with includeRiskScore: how much it moves, from 30 daily closes; higher is more */
                  volatilityScore?: number
                  /** 0 to 100, with includeRiskScore: how large it is; higher is larger */
                  marketCapScore?: number
                  /** 0 to 100, with includeRiskScore: all three together; higher is riskier */
                  riskScore?: number
                }
              }
              equations: Array<string>
              /** Null: never yet, it counts as 0 */
              prices: {
                now: {
                  /** Exact decimal */
                  usd: string
                  at: string
                  source: string
                } | null
                dayAgo: {
                  /** Exact decimal */
                  usd: string
                  at: string
                  source: string
                } | null
              }
              units: {
                now: {
                  BTC: {
                    /** Exact decimal */
                    usd: string
                    at: string
                    source: string
                  } | null
                  ETH: {
                    /** Exact decimal */
                    usd: string
                    at: string
                    source: string
                  } | null
                }
                dayAgo: {
                  BTC: {
                    /** Exact decimal */
                    usd: string
                    at: string
                    source: string
                  } | null
                  ETH: {
                    /** Exact decimal */
                    usd: string
                    at: string
                    source: string
                  } | null
                }
              }
              /** The sums of the months */
              totals: {
                /** Held */
                count: string
                /** Of what is held */
                cost: {
                  /** Exact decimal */
                  USD: string
                  /** Exact decimal */
                  BTC: string
                  /** Exact decimal */
                  ETH: string
                }
                /** Its cost */
                acquired: {
                  /** Exact decimal */
                  count: string
                  amount: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                }
                /** Its proceeds */
                disposed: {
                  /** Exact decimal */
                  count: string
                  amount: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                }
                disposedCost: {
                  /** Exact decimal */
                  USD: string
                  /** Exact decimal */
                  BTC: string
                  /** Exact decimal */
                  ETH: string
                }
                /** Proceeds of what was sold or sent */
                sold: {
                  /** Exact decimal */
                  count: string
                  amount: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                }
                /** What wraps and the like brought with its cost, less what they took */
                carried: {
                  /** Exact decimal */
                  count: string
                  amount: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                }
                /** Went out without being there */
                uncovered: string
              }
              /** The oldest first */
              months: {
                /** On all pages */
                count: number
                items: Array<{
                  month: string
                  /** Held */
                  count: string
                  /** Of what is held */
                  cost: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                  /** Its cost */
                  acquired: {
                    /** Exact decimal */
                    count: string
                    amount: {
                      /** Exact decimal */
                      USD: string
                      /** Exact decimal */
                      BTC: string
                      /** Exact decimal */
                      ETH: string
                    }
                  }
                  /** Its proceeds */
                  disposed: {
                    /** Exact decimal */
                    count: string
                    amount: {
                      /** Exact decimal */
                      USD: string
                      /** Exact decimal */
                      BTC: string
                      /** Exact decimal */
                      ETH: string
                    }
                  }
                  disposedCost: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                  /** Proceeds of what was sold or sent */
                  sold: {
                    /** Exact decimal */
                    count: string
                    amount: {
                      /** Exact decimal */
                      USD: string
                      /** Exact decimal */
                      BTC: string
                      /** Exact decimal */
                      ETH: string
                    }
                  }
                  /** What wraps and the like brought with its cost, less what they took */
                  carried: {
                    /** Exact decimal */
                    count: string
                    amount: {
                      /** Exact decimal */
                      USD: string
                      /** Exact decimal */
                      BTC: string
                      /** Exact decimal */
                      ETH: string
                    }
                  }
                  /** Went out without being there */
                  uncovered: string
                }>
              }
              /** They add up to the cost */
              openLots: {
                USD: {
                  /** On all pages */
                  count: number
                  items: Array<{
                    /** Null at average cost: all lots are one */
                    acquiredAt: string | null
                    /** Exact decimal */
                    count: string
                    /** Exact decimal */
                    cost: string
                  }>
                }
                BTC: {
                  /** On all pages */
                  count: number
                  items: Array<{
                    /** Null at average cost: all lots are one */
                    acquiredAt: string | null
                    /** Exact decimal */
                    count: string
                    /** Exact decimal */
                    cost: string
                  }>
                }
                ETH: {
                  /** On all pages */
                  count: number
                  items: Array<{
                    /** Null at average cost: all lots are one */
                    acquiredAt: string | null
                    /** Exact decimal */
                    count: string
                    /** Exact decimal */
                    cost: string
                  }>
                }
              }
              lastTrade: {
                side: 'buy' | 'sell'
                /** Exact decimal */
                count: string
                amount: {
                  /** Exact decimal */
                  USD: string
                  /** Exact decimal */
                  BTC: string
                  /** Exact decimal */
                  ETH: string
                }
              } | null
              hour24: {
                dayAgo: {
                  /** Exact decimal */
                  count: string
                  value: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                }
                acquired: {
                  /** Exact decimal */
                  USD: string
                  /** Exact decimal */
                  BTC: string
                  /** Exact decimal */
                  ETH: string
                }
                disposed: {
                  /** Exact decimal */
                  USD: string
                  /** Exact decimal */
                  BTC: string
                  /** Exact decimal */
                  ETH: string
                }
                bought: {
                  /** Exact decimal */
                  count: string
                  amount: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                }
                sold: {
                  /** Exact decimal */
                  count: string
                  amount: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                }
                moves: {
                  /** On all pages */
                  count: number
                  items: Array<{
                    at: string
                    /** Positive in, negative out; 0 where nothing of what went out was there */
                    count: string
                    isTrade: boolean
                    /** Cost or proceeds */
                    amount: {
                      /** Exact decimal */
                      USD: string
                      /** Exact decimal */
                      BTC: string
                      /** Exact decimal */
                      ETH: string
                    }
                    /** 0 for fees and income, which are profit */
                    market: {
                      /** Exact decimal */
                      USD: string
                      /** Exact decimal */
                      BTC: string
                      /** Exact decimal */
                      ETH: string
                    }
                  }>
                }
              }
              /** What the month that was asked for is the sum of */
              entries: {
                /** On all pages */
                count: number
                items: Array<{
                  at: string
                  /** Null for a first price: of all together */
                  ledger: string | null
                  transaction: string
                  /** The operator says that it is so, the exchange states it otherwise */
                  isCorrected?: true
                  kind: 'acquire' | 'dispose' | 'carry out' | 'carry in'
                  reason: string | null
                  /** Exact decimal */
                  count: string
                  /** Cost of an acquisition, proceeds of a disposal */
                  amount: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                  /** Of the lots */
                  cost: {
                    /** Exact decimal */
                    USD: string
                    /** Exact decimal */
                    BTC: string
                    /** Exact decimal */
                    ETH: string
                  }
                  /** What came in, or what it was taken from; all of them add up to the cost. The first of them, where no `entry` was asked for */
                  lots: {
                    USD: {
                      /** On all pages */
                      count: number
                      items: Array<{
                        /** Null at average cost: all lots are one */
                        acquiredAt: string | null
                        /** Exact decimal */
                        count: string
                        /** Exact decimal */
                        cost: string
                      }>
                    }
                    BTC: {
                      /** On all pages */
                      count: number
                      items: Array<{
                        /** Null at average cost: all lots are one */
                        acquiredAt: string | null
                        /** Exact decimal */
                        count: string
                        /** Exact decimal */
                        cost: string
                      }>
                    }
                    ETH: {
                      /** On all pages */
                      count: number
                      items: Array<{
                        /** Null at average cost: all lots are one */
                        acquiredAt: string | null
                        /** Exact decimal */
                        count: string
                        /** Exact decimal */
                        cost: string
                      }>
                    }
                  }
                  /** Went out without being there */
                  uncovered: string
                  /** What amounts in USD are divided by, to 30 places */
                  units: {
                    BTC: {
                      /** Exact decimal */
                      usd: string
                      at: string
                      source: string
                    } | null
                    ETH: {
                      /** Exact decimal */
                      usd: string
                      at: string
                      source: string
                    } | null
                  }
                  /** Of the whole transaction */
                  legs: Array<{
                    coinId: string
                    /** Exact decimal */
                    count: string
                    role: string
                    price: {
                      /** Exact decimal */
                      usd: string
                      at: string
                      source: string
                    } | null
                  }>
                }>
              } | null
            }
          }
        }
      }
    }
  }
  '/portfolio/status': {
    /**
     * Whether a portfolio is synced
     *
     * `synced` when what it follows has been synced since it was last asked for; of transactions that were stated by hand, when their figures are computed. `portfolioId` or a share token is needed.
     *
     * Costs 3 credits.
     */
    get: {
      parameters: {
        query?: {
          /** Id of the portfolio, as the request that connected it answers it */
          portfolioId?: string
          /** Token of a shared portfolio; the header `sharetoken` wins */
          shareToken?: string
          /** Six digits, where the shared portfolio has them; the header `passcode` wins */
          passcode?: string
        }
        header?: {
          /** Token of a shared portfolio: what follows `/p/` in its link */
          sharetoken?: string
          /** Six digits, where the shared portfolio has them */
          passcode?: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              status: 'syncing' | 'synced'
            }
          }
        }
      }
    }
  }
  '/portfolio/wallet': {
    /**
     * Connects a wallet on one network
     *
     * Its sync starts, unless it was synced in the last 30 seconds: poll GET /portfolio/status until `synced`. The same wallet on the same network again gives the same portfolio id; a name that comes with it is its new one.
     *
     * Costs 40 credits.
     */
    post: {
      parameters: {
        header?: {
          /** Repeats with the same key and parameters have one effect and one charge, and get the first answer */
          'Idempotency-Key'?: string
        }
      }
      requestBody: {
        content: {
          'application/json': {
            /** EVM address (mixed case has to match its EIP-55 checksum), Bitcoin address or xpub, ypub, zpub, or Solana address */
            address: string
            /** One network */
            connectionId: 'ethereum' | 'binancesmartchain' | 'base-wallet' | 'polygon-wallet' | 'arbitrum-wallet' | 'optimism-wallet' | 'avalanche-wallet' | 'hyperevm-wallet' | 'monad-wallet' | 'plasma-wallet' | 'bitcoin' | 'solana'
            name?: string
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              portfolioId: string
              /** The network or the exchange */
              connectionId: string
              /** `existing`: the account had it already */
              status: 'connected' | 'existing'
            }
          }
        }
      }
    }
  }
  '/portfolio/exchange': {
    /**
     * Connects an account at an exchange
     *
     * As POST /exchange/balance does, with the same portfolio id; its sync starts as well, unless it was synced in the last 30 seconds: poll GET /portfolio/status until `synced`. 503 while the exchange has not answered yet: ask again.
     *
     * Costs 10 credits.
     */
    post: {
      parameters: {
        header?: {
          /** Repeats with the same key and parameters have one effect and one charge, and get the first answer */
          'Idempotency-Key'?: string
        }
      }
      requestBody: {
        content: {
          'application/json': {
            /** From GET /exchange/support */
            connectionId: string
            /** The fields that GET /exchange/support lists for the exchange */
            connectionFields: {
              apiKey: string
              apiSecret: string
              passphrase?: string
            }
            name?: string
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              portfolioId: string
              /** The network or the exchange */
              connectionId: string
              /** `existing`: the account had it already */
              status: 'connected' | 'existing'
            }
          }
        }
      }
    }
  }
  '/portfolio/transaction': {
    /**
     * Adds a transaction to a portfolio whose transactions are stated by hand
     *
     * The figures of the portfolio are computed anew from its day on: GET /portfolio/status says when they are. Selling more than is held makes the rest appear at that moment.
     *
     * Costs 4 credits.
     */
    post: {
      parameters: {
        query?: {
          /** Token of a shared portfolio; the header `sharetoken` wins */
          shareToken?: string
          /** Six digits, where the shared portfolio has them; the header `passcode` wins */
          passcode?: string
        }
        header?: {
          /** Token of a shared portfolio: what follows `/p/` in its link */
          sharetoken?: string
          /** Six digits, where the shared portfolio has them */
          passcode?: string
          /** Repeats with the same key and parameters have one effect and one charge, and get the first answer */
          'Idempotency-Key'?: string
        }
      }
      requestBody: {
        content: {
          'application/json': {
            /** Id of a coin, or FiatCoin with the code of a currency */
            coinId: string
            /** Negative: sold */
            count: number
            /** Unix time in milliseconds; now */
            date?: number
            /** Of one, in the currency; that of the instant */
            price?: number
            currency?: string
            notes?: string
            portfolioId?: string
          }
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              /** What paid a fee and moved nothing else, as an approval, is `Sent` without transfers */
              transactionType: 'Sent' | 'Received' | 'Swap' | 'Buy' | 'Sell' | 'Roll In' | 'Dust Convert'
              date: string
              /** All 0 when unknown */
              profitLoss: {
                /** Change of the worth since the transaction; negated for what went out */
                profit: number
                profitPercent: number
                currentValue: number
              }
              /** Count 0: none was paid */
              fee: {
                coin: {
                  identifier: string
                  symbol: string
                  name: string
                  /** Empty when unknown */
                  icon: string
                  /** 0: unranked */
                  rank: number
                  /** Change of the price over 1 hour in percent */
                  priceChange1h: number
                  /** Change of the price over 24 hours in percent */
                  priceChange24h: number
                  /** Change of the price over 7 days in percent */
                  priceChange7d: number
                  /** Change of the price over 1 month in percent */
                  priceChange1m: number
                  /** USD, 24 hours */
                  volume: number
                  isFake: boolean
                  isFiat: boolean
                }
                count: number
                /** At the instant of the transaction, 0 when unknown */
                totalWorth: number
                /** Of one at that instant, 0 when unknown */
                price: number
                toAddress?: string
                fromAddress?: string
              }
              portfolioInfo: {
                name: string
                icon: string
              }
              coinData?: {
                identifier: string
                /** Negative: out */
                count: number
                symbol: string
                /** At the instant of the transaction, 0 when unknown */
                totalWorth: number
                /** At the price of now, 0 when unknown */
                currentValue: number
              }
              transfers?: Array<{
                transferType: 'Received' | 'Sent'
                items: Array<{
                  coin: {
                    identifier: string
                    symbol: string
                    name: string
                    /** Empty when unknown */
                    icon: string
                    /** 0: unranked */
                    rank: number
                    /** Change of the price over 1 hour in percent */
                    priceChange1h: number
                    /** Change of the price over 24 hours in percent */
                    priceChange24h: number
                    /** Change of the price over 7 days in percent */
                    priceChange7d: number
                    /** Change of the price over 1 month in percent */
                    priceChange1m: number
                    /** USD, 24 hours */
                    volume: number
                    isFake: boolean
                    isFiat: boolean
                  }
                  count: number
                  /** At the instant of the transaction, 0 when unknown */
                  totalWorth: number
                  /** Of one at that instant, 0 when unknown */
                  price: number
                  toAddress?: string
                  fromAddress?: string
                }>
              }>
              /** Of a transaction that was stated by hand; of one of an exchange, how the operator has it counted */
              note?: string
            }
          }
        }
      }
    }
  }
  '/portfolio/sync': {
    /**
     * Starts the sync of a portfolio, or of all of them
     *
     * Without `portfolioId` of all that follow a wallet or an account at an exchange. Answers `synced` when all of it was synced in the last 30 seconds; else poll GET /portfolio/status. What is stated by hand needs no sync.
     *
     * Costs 30 credits for each network or wallet named, 300 for `all`.
     */
    patch: {
      parameters: {
        query?: {
          /** Id of the portfolio, as the request that connected it answers it */
          portfolioId?: string
        }
        header?: {
          /** Repeats with the same key and parameters have one effect and one charge, and get the first answer */
          'Idempotency-Key'?: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              status: 'syncing' | 'synced'
            }
          }
        }
      }
    }
  }
  '/portfolio/{portfolioId}': {
    /**
     * Removes a portfolio
     *
     * With its share links, and with everything that only it has: transactions that were stated by hand; of an account at an exchange the credentials and all that was read with them. What is on a chain stays known. 404 the second time.
     *
     * Costs 10 credits.
     */
    delete: {
      parameters: {
        path: {
          /** Id of the portfolio, as the request that connected it answers it */
          portfolioId: string
        }
        header?: {
          /** Repeats with the same key and parameters have one effect and one charge, and get the first answer */
          'Idempotency-Key'?: string
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              success: boolean
            }
          }
        }
      }
    }
  }
  '/prediction/markets': {
    /**
     * Prediction markets of all venues
     *
     * A value that is unknown is sorted as the lowest.
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
          venue?: 'polymarket' | 'kalshi'
          /** `resolved` includes what was called off */
          status?: 'open' | 'closed' | 'resolved' | 'all'
          /** Category, any case */
          category?: string
          /** Slugs of tags; items of at least one of them */
          tag?: Array<string>
          /** Words of the question */
          search?: string
          /** USD */
          minVolume24h?: number
          /** USD */
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
            'application/json': {
              success: true
              data: Array<{
                id: string
                /** Unique across venues */
                slug: string
                venue: 'polymarket' | 'kalshi'
                venueMarketId: string
                question: string
                url: string
                description: string | null
                imageUrl: string | null
                category: string | null
                eventSlug: string | null
                eventTitle: string | null
                tags: Array<{
                  slug: string
                  label: string
                }>
                status: 'open' | 'closed' | 'resolved' | 'cancelled'
                /** In the order of the venue: Yes need not be the first */
                outcomes: Array<{
                  id: string
                  name: string
                  /** 0 to 1 */
                  price: number
                  priceChange24h: number | null
                  /** null until it is resolved */
                  winner: boolean | null
                }>
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
                /** Volume of 24 hours as the venue counts it, USD */
                volume24h: number
                /** Volume of 7 days, USD */
                volume7d: number
                /** Volume since the start, USD */
                volumeTotal: number
                /** Liquidity, USD */
                liquidity: number
                /** Open interest, USD */
                openInterest: number
                /** Accounts whose trades are known; null: the venue names nobody */
                tradersCount: number | null
                /** ISO 8601, when trading began; null when unknown */
                startDate: string | null
                /** ISO 8601, when trading ends; null when unknown */
                endDate: string | null
                /** ISO 8601, when it was resolved; null when unknown */
                resolvedAt: string | null
                resolution: {
                  outcomeId: string
                  outcome: string
                  source: string | null
                } | null
                createdAt: string
                updatedAt: string
              }>
              meta: {
                page: number
                limit: number
                /** Items on all pages */
                itemCount: number
                pageCount: number
                hasPreviousPage: boolean
                hasNextPage: boolean
              }
              /** ISO 8601, when the answer was made */
              timestamp: string
            }
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
            'application/json': {
              success: true
              data: {
                id: string
                /** Unique across venues */
                slug: string
                venue: 'polymarket' | 'kalshi'
                venueMarketId: string
                question: string
                url: string
                description: string | null
                imageUrl: string | null
                category: string | null
                eventSlug: string | null
                eventTitle: string | null
                tags: Array<{
                  slug: string
                  label: string
                }>
                status: 'open' | 'closed' | 'resolved' | 'cancelled'
                /** In the order of the venue: Yes need not be the first */
                outcomes: Array<{
                  id: string
                  name: string
                  /** 0 to 1 */
                  price: number
                  priceChange24h: number | null
                  /** null until it is resolved */
                  winner: boolean | null
                }>
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
                /** Volume of 24 hours as the venue counts it, USD */
                volume24h: number
                /** Volume of 7 days, USD */
                volume7d: number
                /** Volume since the start, USD */
                volumeTotal: number
                /** Liquidity, USD */
                liquidity: number
                /** Open interest, USD */
                openInterest: number
                /** Accounts whose trades are known; null: the venue names nobody */
                tradersCount: number | null
                /** ISO 8601, when trading began; null when unknown */
                startDate: string | null
                /** ISO 8601, when trading ends; null when unknown */
                endDate: string | null
                /** ISO 8601, when it was resolved; null when unknown */
                resolvedAt: string | null
                resolution: {
                  outcomeId: string
                  outcome: string
                  source: string | null
                } | null
                createdAt: string
                updatedAt: string
              }
              /** ISO 8601, when the answer was made */
              timestamp: string
            }
          }
        }
      }
    }
  }
  '/prediction/markets/{slug}/history': {
    /**
     * Price history of a market
     *
     * `range`, or `from` and `to`. The interval follows from the length of the window when it is absent; one that would give more than 5000 points is refused.
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
          /** Preset that ends now, `1w` when absent; or `from` and `to` */
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
            'application/json': {
              success: true
              data: {
                slug: string
                interval: '5m' | '1h' | '6h' | '1d'
                series: Array<{
                  outcomeId: string
                  outcome: string
                  points: Array<{
                    /** ISO 8601, end of the interval */
                    date: string
                    price: number
                    /** Traded in the interval, USD, from the trades that are known */
                    volume: number
                  }>
                }>
              }
              /** ISO 8601, when the answer was made */
              timestamp: string
            }
          }
        }
      }
    }
  }
  '/prediction/markets/{slug}/orderbook': {
    /**
     * Order book of an outcome
     *
     * A market that is over has an empty order book.
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
            'application/json': {
              success: true
              data: {
                slug: string
                outcomeId: string
                outcome: string
                /** The highest first */
                bids: Array<{
                  price: number
                  /** Shares */
                  size: number
                  /** Shares of this level and the better ones */
                  total: number
                }>
                /** The lowest first */
                asks: Array<{
                  price: number
                  /** Shares */
                  size: number
                  /** Shares of this level and the better ones */
                  total: number
                }>
                bestBid: number | null
                bestAsk: number | null
                midpoint: number | null
                spread: number | null
                tickSize: number | null
                /** ISO 8601, when the order book was so */
                updatedAt: string
              }
              /** ISO 8601, when the answer was made */
              timestamp: string
            }
          }
        }
      }
    }
  }
  '/prediction/markets/{slug}/trades': {
    /**
     * Trades of a market, the newest first
     *
     * Polymarket shows both sides of a trade: each is an item. Kalshi shows the side of the taker.
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
          /** Least price times size, USD */
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
            'application/json': {
              success: true
              data: Array<{
                id: string
                date: string
                marketSlug: string
                question: string
                venue: 'polymarket' | 'kalshi'
                side: 'buy' | 'sell'
                outcomeId: string
                outcome: string
                price: number
                /** Shares */
                size: number
                /** Price times size, USD */
                value: number
                /** null: the venue names nobody */
                trader: {
                  address: string
                  name: string | null
                  avatar: string | null
                } | null
                txHash: string | null
              }>
              meta: {
                page: number
                limit: number
                /** Items on all pages */
                itemCount: number
                pageCount: number
                hasPreviousPage: boolean
                hasNextPage: boolean
              }
              /** ISO 8601, when the answer was made */
              timestamp: string
            }
          }
        }
      }
    }
  }
  '/prediction/markets/{slug}/holders': {
    /**
     * Largest holders of each outcome
     *
     * Empty at Kalshi, which names nobody.
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
            'application/json': {
              success: true
              data: Array<{
                outcomeId: string
                outcome: string
                holders: Array<{
                  rank: number
                  trader: {
                    address: string
                    name: string | null
                    avatar: string | null
                  }
                  shares: number
                  /** At the current price, USD */
                  value: number
                  /** Of the purchases that are known; null without one */
                  avgPrice: number | null
                  /** Of the shares at that price, USD */
                  unrealizedPnl: number | null
                  /** Of all shares of the outcome */
                  sharePercent: number | null
                }>
              }>
              /** ISO 8601, when the answer was made */
              timestamp: string
            }
          }
        }
      }
    }
  }
  '/prediction/markets/{slug}/cross-venue': {
    /**
     * The same question at other venues
     *
     * Markets match where entity, threshold, comparator, deadline and source of resolution agree; one that differs rules a match out. Where a market asks the opposite, its prices are those of its No.
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
          /** Least score of a match */
          minScore?: number
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              success: true
              data: {
                slug: string
                question: string
                /** The market itself, then those that ask the same, the surest first */
                venues: Array<{
                  venue: 'polymarket' | 'kalshi'
                  marketSlug: string
                  question: string
                  url: string
                  /** 0 to 1; the market itself and what the operator confirmed have 1 */
                  matchScore: number
                  /** Of what the market asked for claims */
                  yesPrice: number
                  bestBid: number | null
                  bestAsk: number | null
                  /** USD */
                  volume24h: number
                  /** USD */
                  liquidity: number
                  endDate: string | null
                }>
                summary: {
                  venuesCount: number
                  averagePrice: number
                  /** By the volume of 24 hours; the average where there is none */
                  weightedPrice: number
                  /** Highest less lowest yesPrice */
                  priceGap: number
                  lowestAsk: {
                    venue: 'polymarket' | 'kalshi'
                    price: number
                  } | null
                  highestBid: {
                    venue: 'polymarket' | 'kalshi'
                    price: number
                  } | null
                  /** Whether a venue bids more than another one asks */
                  arbitrage: boolean
                }
              }
              /** ISO 8601, when the answer was made */
              timestamp: string
            }
          }
        }
      }
    }
  }
  '/prediction/events': {
    /**
     * Events: questions with their markets, of all venues
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
          venue?: 'polymarket' | 'kalshi'
          /** `resolved` includes what was called off */
          status?: 'open' | 'closed' | 'resolved' | 'all'
          /** Category, any case */
          category?: string
          /** Slugs of tags; items of at least one of them */
          tag?: Array<string>
          /** Words of the question */
          search?: string
          /** USD */
          minVolume24h?: number
          /** USD */
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
            'application/json': {
              success: true
              data: Array<{
                id: string
                /** Unique across venues */
                slug: string
                venue: 'polymarket' | 'kalshi'
                title: string
                url: string
                description: string | null
                imageUrl: string | null
                category: string | null
                tags: Array<{
                  slug: string
                  label: string
                }>
                /** Open while one of its markets is */
                status: 'open' | 'closed' | 'resolved' | 'cancelled'
                marketsCount: number
                /** Whether at most one of its markets resolves to Yes */
                mutuallyExclusive: boolean
                /** The market with the likeliest Yes */
                topOutcome: {
                  marketSlug: string
                  label: string
                  price: number
                } | null
                volume24h: number
                volumeTotal: number
                liquidity: number
                openInterest: number
                startDate: string | null
                endDate: string | null
                createdAt: string
                updatedAt: string
              }>
              meta: {
                page: number
                limit: number
                /** Items on all pages */
                itemCount: number
                pageCount: number
                hasPreviousPage: boolean
                hasNextPage: boolean
              }
              /** ISO 8601, when the answer was made */
              timestamp: string
            }
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
            'application/json': {
              success: true
              data: {
                id: string
                /** Unique across venues */
                slug: string
                venue: 'polymarket' | 'kalshi'
                title: string
                url: string
                description: string | null
                imageUrl: string | null
                category: string | null
                tags: Array<{
                  slug: string
                  label: string
                }>
                /** Open while one of its markets is */
                status: 'open' | 'closed' | 'resolved' | 'cancelled'
                marketsCount: number
                /** Whether at most one of its markets resolves to Yes */
                mutuallyExclusive: boolean
                /** The market with the likeliest Yes */
                topOutcome: {
                  marketSlug: string
                  label: string
                  price: number
                } | null
                volume24h: number
                volumeTotal: number
                liquidity: number
                openInterest: number
                startDate: string | null
                endDate: string | null
                createdAt: string
                updatedAt: string
                /** The likeliest first */
                markets: Array<{
                  id: string
                  /** Unique across venues */
                  slug: string
                  venue: 'polymarket' | 'kalshi'
                  venueMarketId: string
                  question: string
                  url: string
                  description: string | null
                  imageUrl: string | null
                  category: string | null
                  eventSlug: string | null
                  eventTitle: string | null
                  tags: Array<{
                    slug: string
                    label: string
                  }>
                  status: 'open' | 'closed' | 'resolved' | 'cancelled'
                  /** In the order of the venue: Yes need not be the first */
                  outcomes: Array<{
                    id: string
                    name: string
                    /** 0 to 1 */
                    price: number
                    priceChange24h: number | null
                    /** null until it is resolved */
                    winner: boolean | null
                  }>
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
                  /** Volume of 24 hours as the venue counts it, USD */
                  volume24h: number
                  /** Volume of 7 days, USD */
                  volume7d: number
                  /** Volume since the start, USD */
                  volumeTotal: number
                  /** Liquidity, USD */
                  liquidity: number
                  /** Open interest, USD */
                  openInterest: number
                  /** Accounts whose trades are known; null: the venue names nobody */
                  tradersCount: number | null
                  /** ISO 8601, when trading began; null when unknown */
                  startDate: string | null
                  /** ISO 8601, when trading ends; null when unknown */
                  endDate: string | null
                  /** ISO 8601, when it was resolved; null when unknown */
                  resolvedAt: string | null
                  resolution: {
                    outcomeId: string
                    outcome: string
                    source: string | null
                  } | null
                  createdAt: string
                  updatedAt: string
                }>
              }
              /** ISO 8601, when the answer was made */
              timestamp: string
            }
          }
        }
      }
    }
  }
  '/prediction/events/{slug}/cross-venue': {
    /**
     * The same event at other venues, outcome by outcome
     *
     * Events match by the markets that they have in common.
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
          /** Least score of a match */
          minScore?: number
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              success: true
              data: {
                slug: string
                title: string
                /** The event itself, then those with markets in common, the surest first */
                venues: Array<{
                  venue: 'polymarket' | 'kalshi'
                  eventSlug: string
                  title: string
                  url: string
                  /** 0 to 1; the event itself has 1 */
                  matchScore: number
                  marketsCount: number
                  /** USD */
                  volumeTotal: number
                }>
                /** The markets of the event, those that another venue has first */
                outcomes: Array<{
                  label: string
                  /** Of the market itself, then of those that ask the same */
                  prices: Array<{
                    venue: 'polymarket' | 'kalshi'
                    marketSlug: string
                    yesPrice: number
                  }>
                  /** Highest less lowest */
                  priceGap: number
                }>
                summary: {
                  venuesCount: number
                  /** Outcomes that another venue has */
                  matchedOutcomes: number
                  maxPriceGap: number
                  /** USD */
                  totalVolume: number
                }
              }
              /** ISO 8601, when the answer was made */
              timestamp: string
            }
          }
        }
      }
    }
  }
  '/prediction/traders': {
    /**
     * Leaderboard of traders
     *
     * From the trades that we hold: average cost, resolutions pay 0 or 1. A period is today and the 1, 7 or 30 UTC days before it. Ranks are those of the whole board, whatever else is filtered.
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
          /** Least volume of the period, USD */
          minVolume?: number
          /** Beginning of a name or an address */
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
            'application/json': {
              success: true
              data: Array<{
                /** By the chosen sort */
                rank: number
                address: string
                name: string | null
                avatar: string | null
                venue: 'polymarket' | 'kalshi'
                /** Of the period, realised and unrealised, from the trades that are known, USD */
                pnl: number
                /** P&L by the money that was at work in the period, percent */
                roi: number
                /** USD */
                volume: number
                /** Positions closed with a gain, of all closed in the period, 0 to 1 */
                winRate: number
                tradesCount: number
                /** Markets with a position in the period */
                marketsTraded: number
                openPositions: number
                /** Of the open positions at current prices, USD */
                openValue: number
                /** `whale`: open positions of 10,000 USD or more; `active`: 100 trades or more; `sharp`: wins at least 60 % and made money */
                labels: Array<string>
              }>
              meta: {
                page: number
                limit: number
                /** Items on all pages */
                itemCount: number
                pageCount: number
                hasPreviousPage: boolean
                hasNextPage: boolean
              }
              /** ISO 8601, when the answer was made */
              timestamp: string
            }
          }
        }
      }
    }
  }
  '/prediction/traders/{address}': {
    /**
     * One trader, since the first trade that is known
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
            'application/json': {
              success: true
              data: {
                address: string
                name: string | null
                avatar: string | null
                venue: 'polymarket' | 'kalshi'
                /** Of the period, realised and unrealised, from the trades that are known, USD */
                pnl: number
                /** P&L by the money that was at work in the period, percent */
                roi: number
                /** USD */
                volume: number
                /** Positions closed with a gain, of all closed in the period, 0 to 1 */
                winRate: number
                tradesCount: number
                /** Markets with a position in the period */
                marketsTraded: number
                openPositions: number
                /** Of the open positions at current prices, USD */
                openValue: number
                /** `whale`: open positions of 10,000 USD or more; `active`: 100 trades or more; `sharp`: wins at least 60 % and made money */
                labels: Array<string>
                pnlByPeriod: {
                  '24h': number
                  '1w': number
                  '1m': number
                  all: number
                }
                volumeByPeriod: {
                  '24h': number
                  '1w': number
                  '1m': number
                  all: number
                }
                realizedPnl: number
                unrealizedPnl: number
                /** Of one closed position, 0 without one */
                biggestWin: number
                /** Of one closed position, 0 or below */
                biggestLoss: number
                categories: Array<{
                  category: string
                  pnl: number
                  volume: number
                  tradesCount: number
                }>
                firstTradeAt: string | null
                lastTradeAt: string | null
                profileUrl: string
              }
              /** ISO 8601, when the answer was made */
              timestamp: string
            }
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
            'application/json': {
              success: true
              data: Array<{
                marketSlug: string
                question: string
                eventSlug: string | null
                venue: 'polymarket' | 'kalshi'
                outcomeId: string
                outcome: string
                /** Held; of one that was won or lost, to the end */
                shares: number
                /** Of all purchases */
                avgPrice: number
                currentPrice: number
                /** Of the shares held, at average cost, USD */
                costBasis: number
                /** Of the shares held, at the current price, USD */
                value: number
                /** 0 for what is closed */
                unrealizedPnl: number
                unrealizedPnlPercent: number
                realizedPnl: number
                status: 'open' | 'won' | 'lost' | 'sold'
                openedAt: string
                closedAt: string | null
                endDate: string | null
                /** Whether its shares pay out */
                redeemable: boolean
              }>
              meta: {
                page: number
                limit: number
                /** Items on all pages */
                itemCount: number
                pageCount: number
                hasPreviousPage: boolean
                hasNextPage: boolean
              }
              /** ISO 8601, when the answer was made */
              timestamp: string
            }
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
            'application/json': {
              success: true
              data: Array<{
                id: string
                date: string
                marketSlug: string
                question: string
                venue: 'polymarket' | 'kalshi'
                side: 'buy' | 'sell'
                outcomeId: string
                outcome: string
                price: number
                /** Shares */
                size: number
                /** Price times size, USD */
                value: number
                /** null: the venue names nobody */
                trader: {
                  address: string
                  name: string | null
                  avatar: string | null
                } | null
                txHash: string | null
              }>
              meta: {
                page: number
                limit: number
                /** Items on all pages */
                itemCount: number
                pageCount: number
                hasPreviousPage: boolean
                hasNextPage: boolean
              }
              /** ISO 8601, when the answer was made */
              timestamp: string
            }
          }
        }
      }
    }
  }
  '/prediction/traders/{address}/pnl': {
    /**
     * Profit and loss of a trader over time
     *
     * Ranges start at 00:00 UTC. `hourly` needs `range=24h`; shares that come from split dollars are told by the day.
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
          /** Preset that ends now */
          range?: '24h' | '1w' | '1m' | '3m' | '6m' | '1y' | 'all'
          interval?: 'hourly' | 'daily' | 'weekly' | 'monthly'
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              success: true
              data: {
                address: string
                range: '24h' | '1w' | '1m' | '3m' | '6m' | '1y' | 'all'
                interval: 'hourly' | 'daily' | 'weekly' | 'monthly'
                points: Array<{
                  /** ISO 8601, start of the interval (UTC) */
                  date: string
                  /** Realised and unrealised of the interval, USD */
                  pnl: number
                  /** Since the start of the range */
                  cumulativePnl: number
                  volume: number
                }>
                summary: {
                  /** Of all time */
                  realizedPnl: number
                  /** Of what is open now */
                  unrealizedPnl: number
                  /** Of the range */
                  totalPnl: number
                  /** Of the range */
                  volume: number
                }
              }
              /** ISO 8601, when the answer was made */
              timestamp: string
            }
          }
        }
      }
    }
  }
  '/prediction/platform/overview': {
    /**
     * What the venues come to
     *
     * Costs 3 credits.
     */
    get: {
      parameters: {
        query?: {
          venue?: 'polymarket' | 'kalshi'
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              success: true
              data: {
                totals: {
                  volume24h: number
                  volume7d: number
                  /** Of the markets that are known, USD */
                  volumeTotal: number
                  openInterest: number
                  liquidity: number
                  openMarkets: number
                  openEvents: number
                  /** Accounts with a trade; venues that name nobody add none */
                  activeTraders24h: number
                  trades24h: number
                }
                venues: Array<{
                  venue: 'polymarket' | 'kalshi'
                  volume24h: number
                  volume7d: number
                  /** Of the markets that are known, USD */
                  volumeTotal: number
                  openInterest: number
                  liquidity: number
                  openMarkets: number
                  openEvents: number
                  /** Accounts with a trade; venues that name nobody add none */
                  activeTraders24h: number
                  trades24h: number
                }>
              }
              /** ISO 8601, when the answer was made */
              timestamp: string
            }
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
          /** Preset that ends now */
          range?: '24h' | '1w' | '1m' | '3m' | '6m' | '1y' | 'all'
          interval?: 'daily' | 'weekly' | 'monthly'
          venue?: 'polymarket' | 'kalshi'
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              success: true
              data: {
                interval: 'daily' | 'weekly' | 'monthly'
                points: Array<{
                  /** ISO 8601, start of the interval (UTC) */
                  date: string
                  /** From the trades that are known, each counted once, USD */
                  volume: number
                  tradesCount: number
                  activeTraders: number
                }>
              }
              /** ISO 8601, when the answer was made */
              timestamp: string
            }
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
          /** Preset that ends now */
          range?: '24h' | '1w' | '1m' | '3m' | '6m' | '1y' | 'all'
          venue?: 'polymarket' | 'kalshi'
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              success: true
              data: Array<{
                category: string
                /** From the trades that are known, USD */
                volume: number
                /** Percent of all categories */
                volumeShare: number
                /** Open ones */
                marketsCount: number
                /** Of the open ones, USD */
                openInterest: number
              }>
              /** ISO 8601, when the answer was made */
              timestamp: string
            }
          }
        }
      }
    }
  }
  '/prediction/search': {
    /**
     * Markets, events and traders by words
     *
     * The best match first, then the largest volume. All words have to be there, in any form; the last one may be cut short. Traders are found by the beginning of their name or address.
     *
     * Costs 2 credits.
     */
    get: {
      parameters: {
        query: {
          /** At least 2 characters */
          q: string
          type?: 'all' | 'markets' | 'events' | 'traders'
          venue?: 'polymarket' | 'kalshi'
          /** `resolved` includes what was called off */
          status?: 'open' | 'closed' | 'resolved' | 'all'
          /** Items of each type */
          limit?: number
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              success: true
              data: {
                markets: Array<{
                  id: string
                  /** Unique across venues */
                  slug: string
                  venue: 'polymarket' | 'kalshi'
                  venueMarketId: string
                  question: string
                  url: string
                  description: string | null
                  imageUrl: string | null
                  category: string | null
                  eventSlug: string | null
                  eventTitle: string | null
                  tags: Array<{
                    slug: string
                    label: string
                  }>
                  status: 'open' | 'closed' | 'resolved' | 'cancelled'
                  /** In the order of the venue: Yes need not be the first */
                  outcomes: Array<{
                    id: string
                    name: string
                    /** 0 to 1 */
                    price: number
                    priceChange24h: number | null
                    /** null until it is resolved */
                    winner: boolean | null
                  }>
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
                  /** Volume of 24 hours as the venue counts it, USD */
                  volume24h: number
                  /** Volume of 7 days, USD */
                  volume7d: number
                  /** Volume since the start, USD */
                  volumeTotal: number
                  /** Liquidity, USD */
                  liquidity: number
                  /** Open interest, USD */
                  openInterest: number
                  /** Accounts whose trades are known; null: the venue names nobody */
                  tradersCount: number | null
                  /** ISO 8601, when trading began; null when unknown */
                  startDate: string | null
                  /** ISO 8601, when trading ends; null when unknown */
                  endDate: string | null
                  /** ISO 8601, when it was resolved; null when unknown */
                  resolvedAt: string | null
                  resolution: {
                    outcomeId: string
                    outcome: string
                    source: string | null
                  } | null
                  createdAt: string
                  updatedAt: string
                }>
                events: Array<{
                  id: string
                  /** Unique across venues */
                  slug: string
                  venue: 'polymarket' | 'kalshi'
                  title: string
                  url: string
                  description: string | null
                  imageUrl: string | null
                  category: string | null
                  tags: Array<{
                    slug: string
                    label: string
                  }>
                  /** Open while one of its markets is */
                  status: 'open' | 'closed' | 'resolved' | 'cancelled'
                  marketsCount: number
                  /** Whether at most one of its markets resolves to Yes */
                  mutuallyExclusive: boolean
                  /** The market with the likeliest Yes */
                  topOutcome: {
                    marketSlug: string
                    label: string
                    price: number
                  } | null
                  volume24h: number
                  volumeTotal: number
                  liquidity: number
                  openInterest: number
                  startDate: string | null
                  endDate: string | null
                  createdAt: string
                  updatedAt: string
                }>
                traders: Array<{
                  /** By the chosen sort */
                  rank: number
                  address: string
                  name: string | null
                  avatar: string | null
                  venue: 'polymarket' | 'kalshi'
                  /** Of the period, realised and unrealised, from the trades that are known, USD */
                  pnl: number
                  /** P&L by the money that was at work in the period, percent */
                  roi: number
                  /** USD */
                  volume: number
                  /** Positions closed with a gain, of all closed in the period, 0 to 1 */
                  winRate: number
                  tradesCount: number
                  /** Markets with a position in the period */
                  marketsTraded: number
                  openPositions: number
                  /** Of the open positions at current prices, USD */
                  openValue: number
                  /** `whale`: open positions of 10,000 USD or more; `active`: 100 trades or more; `sharp`: wins at least 60 % and made money */
                  labels: Array<string>
                }>
              }
              meta: {
                query: string
                /** All that match */
                counts: {
                  markets: number
                  events: number
                  traders: number
                }
              }
              timestamp: string
            }
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
          /** The largest first; labels from A */
          sortBy?: 'marketsCount' | 'volume24h' | 'label'
        }
      }
      responses: {
        200: {
          content: {
            'application/json': {
              success: true
              data: Array<{
                slug: string
                label: string
                marketsCount: number
                eventsCount: number
                /** USD */
                volume24h: number
              }>
              meta: {
                page: number
                limit: number
                /** Items on all pages */
                itemCount: number
                pageCount: number
                hasPreviousPage: boolean
                hasNextPage: boolean
              }
              /** ISO 8601, when the answer was made */
              timestamp: string
            }
          }
        }
      }
    }
  }
}
