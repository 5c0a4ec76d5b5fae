import { z } from 'zod'
import { readPredictionAsOf } from '../../db/prediction/read-as-of.ts'
import { readMarket } from '../../db/prediction/read-markets.ts'
import { readTradePage } from '../../db/prediction/read-trades.ts'
import { enumParam } from '../params.ts'
import { defineRoute } from '../route.ts'
import { listSchema, wrappedPage } from './envelope.ts'
import {
  addressPath,
  checkWindow,
  fromTo,
  marketNotFound,
  paging,
  requireTrader,
  slugParam,
} from './prediction-params.ts'
import { toTrade, tradeSchema } from './trade.ts'

export const getTraderTrades = defineRoute({
  method: 'GET',
  path: '/prediction/traders/{address}/trades',
  tag: 'Prediction markets',
  summary: 'Trades of a trader, the newest first',
  pathParams: addressPath,
  query: z.object({
    ...paging,
    marketSlug: slugParam('Slug of a market').optional(),
    side: enumParam(['buy', 'sell']).optional(),
    ...fromTo,
  }),
  response: listSchema(tradeSchema),
  credits: 3,
  plan: 'any',
  x402: null,
  mayLag: true,
  shared: {
    reads: [
      'prediction_markets',
      'prediction_outcomes',
      'prediction_traders',
      'prediction_trades',
      'prediction_venues',
    ],
    stamped: true,
  },
  async handler({ path: { address }, query }, { db, now }) {
    checkWindow(query)
    const { id: traderId } = await requireTrader(db, address)
    const market = query.marketSlug === undefined ? undefined : await readMarket(db, query.marketSlug)
    if (query.marketSlug !== undefined && !market) throw marketNotFound()
    const { side, from, to, limit } = query
    const offset = (query.page - 1) * limit
    const { rows, itemCount } = await readTradePage(db, {
      traderId,
      marketId: market?.id,
      side,
      from,
      to,
      limit,
      offset,
    })
    return {
      body: wrappedPage(rows.map(toTrade), { ...query, now: now(), itemCount }),
      asOf: await readPredictionAsOf(db, 'polymarket'),
    }
  },
})
