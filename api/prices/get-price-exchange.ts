import { z } from 'zod'
import { readExchange } from '../../db/tickers/read-exchanges.ts'
import { readPairPrice } from '../../db/tickers/read-tickers.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import { invalidParameter, notFound } from '../errors.ts'
import { textParam, unixSecondsParam } from '../params.ts'
import { IN_FUTURE } from '../reasons.ts'
import { defineRoute } from '../route.ts'
import { ratio, toNumber } from '../shapes.ts'

const name = (description: string, example: string) =>
  textParam({ maxLength: 200, description }).meta({ example: example })

export const getPriceExchange = defineRoute({
  method: 'GET',
  path: '/coins/price/exchange',
  tag: 'Coins',
  summary: 'Price of a pair on an exchange at an instant',
  description:
    'The last stored price at or before the instant, at most 24 hours older. Prices are read every three hours from the installation of this service on. For the thirty largest Binance markets, hourly closes of the exchange are added from thirty days before the installation on. A pair is also priced from its inverse market. Returns 404 when there is no price or the exchange is unknown, 400 for an instant in the future.',
  query: z.object({
    exchange: name('Name or id of the exchange, any case', 'Binance'),
    from: name('Symbol, any case', 'BTC'),
    to: name('Symbol, any case', 'USDT'),
    timestamp: unixSecondsParam(),
  }),
  response: z.object({ price: z.number().describe('Units of `to` per unit of `from`') }),
  credits: 5,
  plan: 'any',
  x402: '0.001',
  mayLag: true,
  shared: { reads: ['ticker_exchanges', 'ticker_prices'] },
  async handler({ query }, { db, now }) {
    const { exchange, timestamp: at } = query
    if (at > now()) throw invalidParameter('timestamp', IN_FUTURE)
    const found = await readExchange(db, exchange)
    if (!found) throw notFound('Exchange not found')
    const [from, to] = [query.from.toUpperCase(), query.to.toUpperCase()]
    const window = { exchangeId: found.id, at, notBefore: new Date(at.getTime() - DAY_MS) }
    const [direct, inverse] = await Promise.all([
      readPairPrice(db, { ...window, base: from, target: to }),
      readPairPrice(db, { ...window, base: to, target: from }),
    ])
    if (!direct && !inverse) throw notFound('No price of this pair at this time')
    const price = direct ? toNumber(direct.pairPrice) : ratio('1', inverse!.pairPrice)
    return { body: { price }, asOf: found.tickersAt }
  },
})
