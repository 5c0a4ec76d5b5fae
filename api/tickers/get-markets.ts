import { z } from 'zod'
import { readExchange } from '../../db/tickers/read-exchanges.ts'
import { countTickers, readTickers, readTickersAsOf } from '../../db/tickers/read-tickers.ts'
import { booleanParam, coinIdParam, limit, page, textParam } from '../params.ts'
import { defineRoute } from '../route.ts'
import { pageMeta, pageMetaSchema, toNumber } from '../shapes.ts'

const name = (description: string, example: string) =>
  textParam({ maxLength: 200, description }).meta({ example: example })

export const getTickerMarkets = defineRoute({
  method: 'GET',
  path: '/tickers/markets',
  tag: 'Markets',
  summary: 'Markets of the exchanges by trading volume',
  description:
    'Each market is one pair on one exchange. A market is verified if its source marks it neither as an outlier nor as stale, and its price is within 10 % of the price of its coin.',
  query: z.object({
    page: page(),
    limit: limit(),
    exchange: name('Name or id of the exchange, any case', 'Binance').optional(),
    fromCoin: name('Symbol of the traded coin, any case', 'BTC').optional(),
    toCoin: name('Symbol of the quote currency, any case', 'USDT').optional(),
    coinId: coinIdParam('Coin id of either side of the pair').optional(),
    onlyVerified: booleanParam({ default: false }),
  }),
  response: z.object({
    meta: pageMetaSchema,
    result: z.array(
      z.object({
        exchange: z.string(),
        pair: z.string().describe('`from/to`'),
        from: z.string(),
        to: z.string(),
        price: z.number().describe('Price of one `from` in USD'),
        pairPrice: z.number().describe('Units of `to` per unit of `from`'),
        pairVolume: z.number().describe('Volume over 24 hours in units of `from`'),
        volume: z.number().describe('Volume over 24 hours, USD'),
        _created_at: z.iso.datetime().describe('When the market was first read'),
        _updated_at: z.iso.datetime().describe('Time of the last trade'),
      }),
    ),
  }),
  credits: 3,
  plan: 'any',
  x402: '0.001',
  mayLag: true,
  shared: { reads: ['ticker_exchanges', 'tickers'] },
  async handler({ query: options }, { db }) {
    const { exchange, fromCoin, toCoin, coinId, onlyVerified } = options
    const [asOf, found] = await Promise.all([
      readTickersAsOf(db),
      exchange === undefined ? null : readExchange(db, exchange),
    ])
    const matching = {
      // No exchange has an empty id, so an unknown name matches nothing.
      exchangeId: found === null ? null : (found?.id ?? ''),
      coinId,
      onlyVerified,
      base: fromCoin?.toUpperCase(),
      target: toCoin?.toUpperCase(),
    }
    const [rows, itemCount] = await Promise.all([
      readTickers(db, { ...matching, limit: options.limit, offset: (options.page - 1) * options.limit }),
      countTickers(db, matching),
    ])
    return {
      body: {
        meta: pageMeta({ page: options.page, limit: options.limit, itemCount }),
        result: rows.map((row) => ({
          exchange: row.exchange,
          pair: `${row.base}/${row.target}`,
          from: row.base,
          to: row.target,
          price: toNumber(row.price_usd),
          volume: toNumber(row.volume_usd),
          pairPrice: toNumber(row.pair_price),
          pairVolume: toNumber(row.pair_volume),
          _created_at: row.first_seen_at.toISOString(),
          _updated_at: row.at.toISOString(),
        })),
      },
      asOf,
    }
  },
})
