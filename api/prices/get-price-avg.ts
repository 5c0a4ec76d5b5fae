import { z } from 'zod'
import { readCoin } from '../../db/prices/read-coins.ts'
import { readPricesAt } from '../../db/prices/read-prices.ts'
import { invalidParameter, notFound } from '../errors.ts'
import { coinIdParam, unixSecondsParam } from '../params.ts'
import { IN_FUTURE } from '../reasons.ts'
import { defineRoute } from '../route.ts'
import { ratio, toNumber, tripleSchema } from '../shapes.ts'
import { coinNotFound } from './get-coin.ts'

export const getPriceAvg = defineRoute({
  method: 'GET',
  path: '/coins/price/avg',
  tag: 'Coins',
  summary: 'Market-average price of a coin at an instant',
  description:
    'The average over all markets: the last stored price at or before the instant. Returns 404 when the coin had no price yet, 400 for an instant in the future.',
  query: z.object({ coinId: coinIdParam('Coin id'), timestamp: unixSecondsParam() }),
  response: tripleSchema,
  credits: 4,
  plan: 'any',
  x402: '0.001',
  mayLag: true,
  shared: { reads: ['coins', 'coin_quotes', 'coin_risks', 'price_days', 'price_hours'] },
  async handler({ query: { coinId, timestamp } }, { db, now }) {
    if (timestamp > now()) throw invalidParameter('timestamp', IN_FUTURE)
    const priceOf = async (id: string) => {
      const [price] = await readPricesAt(db, { coinId: id, instants: [timestamp] })
      return price ?? null
    }
    const [coin, usd, btc, eth] = await Promise.all([
      readCoin(db, coinId),
      priceOf(coinId),
      priceOf('bitcoin'),
      priceOf('ethereum'),
    ])
    if (!coin) throw coinNotFound(coinId)
    if (usd === null || btc === null || eth === null)
      throw notFound(`No price of coin '${coinId}' at this time`)
    return { body: { USD: toNumber(usd), BTC: ratio(usd, btc), ETH: ratio(usd, eth) }, asOf: coin.at }
  },
})
