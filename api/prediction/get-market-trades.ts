import { z } from 'zod'
import { readPredictionAsOf } from '../../db/prediction/read-as-of.ts'
import { readMarket } from '../../db/prediction/read-markets.ts'
import { readTradePage } from '../../db/prediction/read-trades.ts'
import { enumParam } from '../params.ts'
import { defineRoute } from '../route.ts'
import { listSchema, wrappedPage } from './envelope.ts'
import { outcomeOf, outcomeParam } from './outcome-param.ts'
import { checkWindow, fromTo, marketNotFound, minValueParam, paging, slugParam } from './prediction-params.ts'
import { toTrade, tradeSchema } from './trade.ts'
import { MARKETS } from './shared-tables.ts'

export const getMarketTrades = defineRoute({
  method: 'GET',
  path: '/prediction/markets/{slug}/trades',
  tag: 'Prediction markets',
  summary: 'Trades of a market, the newest first',
  description:
    'Polymarket reports both sides of a trade, each as its own item. Kalshi reports the side of the taker.',
  pathParams: z.object({ slug: slugParam('Slug of the market') }),
  query: z.object({
    ...paging,
    outcome: outcomeParam('all'),
    side: enumParam(['buy', 'sell']).optional(),
    minValue: minValueParam(),
    ...fromTo,
  }),
  response: listSchema(tradeSchema),
  credits: 2,
  plan: 'any',
  x402: null,
  mayLag: true,
  shared: {
    reads: [...MARKETS, 'prediction_trade_days', 'prediction_traders', 'prediction_trades'],
    stamped: true,
  },
  async handler({ path: { slug }, query }, { db, now }) {
    checkWindow(query)
    const market = await readMarket(db, slug)
    if (!market) throw marketNotFound()
    const { side, minValue, from, to, limit } = query
    const { rows, itemCount } = await readTradePage(db, {
      marketId: market.id,
      outcome: outcomeOf(market, query.outcome)?.position,
      side,
      minValue,
      from,
      to,
      limit,
      offset: (query.page - 1) * limit,
    })
    return {
      body: wrappedPage(rows.map(toTrade), { ...query, now: now(), itemCount }),
      asOf: await readPredictionAsOf(db, market.venue),
    }
  },
})
