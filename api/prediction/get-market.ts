import { z } from 'zod'
import { readPredictionAsOf } from '../../db/prediction/read-as-of.ts'
import { readMarket } from '../../db/prediction/read-markets.ts'
import { defineRoute } from '../route.ts'
import { dataSchema, wrapped } from './envelope.ts'
import { marketSchema, toMarket } from './market.ts'
import { marketNotFound, slugParam } from './prediction-params.ts'
import { MARKETS } from './shared-tables.ts'

export const getPredictionMarket = defineRoute({
  method: 'GET',
  path: '/prediction/markets/{slug}',
  tag: 'Prediction markets',
  summary: 'One prediction market',
  pathParams: z.object({ slug: slugParam('Slug of the market') }),
  response: dataSchema(marketSchema),
  credits: 1,
  plan: 'any',
  x402: null,
  mayLag: true,
  shared: { reads: MARKETS, stamped: true },
  async handler({ path: { slug } }, { db, now }) {
    const market = await readMarket(db, slug)
    if (!market) throw marketNotFound()
    return { body: wrapped(toMarket(market), now()), asOf: await readPredictionAsOf(db, market.venue) }
  },
})
