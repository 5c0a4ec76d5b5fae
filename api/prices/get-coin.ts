import { z } from 'zod'
import { readCoin } from '../../db/prices/read-coins.ts'
import { notFound } from '../errors.ts'
import { currencyParam, coinIdParam } from '../params.ts'
import { currentRate } from './current-rate.ts'
import { defineRoute } from '../route.ts'
import { coinSchema, toCoins } from './coin.ts'

export const coinNotFound = (coinId: string) => notFound(`Coin with id '${coinId}' not found`)

export const getCoin = defineRoute({
  method: 'GET',
  path: '/coins/{coinId}',
  tag: 'Coins',
  summary: 'One coin with its market data',
  pathParams: z.object({ coinId: coinIdParam('Coin id') }),
  query: z.object({ currency: currencyParam() }),
  response: coinSchema,
  credits: 1,
  plan: 'any',
  x402: '0.001',
  mayLag: true,
  shared: {
    reads: ['coins', 'coin_contracts', 'coin_quotes', 'coin_risks', 'fx_rates', 'price_days', 'price_hours'],
    byMinute: true,
  },
  async handler({ path, query: { currency } }, { db, now }) {
    const [row, perUsd] = await Promise.all([
      readCoin(db, path.coinId),
      currentRate(db, { currency, now: now() }),
    ])
    if (!row) throw coinNotFound(path.coinId)
    const [coin] = await toCoins(db, { rows: [row], currency, perUsd, withRisks: false })
    return { body: coin!, asOf: row.at, priceAsOf: row.at }
  },
})
