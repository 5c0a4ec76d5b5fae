import { z } from 'zod'
import { readPredictionAsOf } from '../../db/prediction/read-as-of.ts'
import { readEvent } from '../../db/prediction/read-events.ts'
import { readEventMarkets } from '../../db/prediction/read-markets.ts'
import { defineRoute } from '../route.ts'
import { dataSchema, wrapped } from './envelope.ts'
import { eventSchema, toEvent } from './event.ts'
import { marketSchema, toMarket } from './market.ts'
import { eventNotFound, slugParam } from './prediction-params.ts'
import { MARKETS } from './shared-tables.ts'

export const getPredictionEvent = defineRoute({
  method: 'GET',
  path: '/prediction/events/{slug}',
  tag: 'Prediction markets',
  summary: 'One event with its markets',
  pathParams: z.object({ slug: slugParam('Slug of the event') }),
  response: dataSchema(
    eventSchema
      .extend({
        markets: z
          .array(marketSchema)
          .describe('Highest price of Yes first; of the first outcome where none is Yes'),
      })
      .meta({ title: 'PredictionEventDetails' }),
  ),
  credits: 2,
  plan: 'any',
  x402: null,
  mayLag: true,
  shared: { reads: MARKETS, stamped: true },
  async handler({ path: { slug } }, { db, now }) {
    const event = await readEvent(db, slug)
    if (!event) throw eventNotFound()
    const markets = await readEventMarkets(db, event.id)
    return {
      body: wrapped({ ...toEvent(event), markets: markets.map(toMarket) }, now()),
      asOf: await readPredictionAsOf(db, event.venue),
    }
  },
})
