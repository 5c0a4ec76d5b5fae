import { z } from 'zod'
import { readPredictionAsOf } from '../../db/prediction/read-as-of.ts'
import { readTagPage, TAG_SORTS } from '../../db/prediction/read-platform.ts'
import { enumParam } from '../params.ts'
import { defineRoute } from '../route.ts'
import { toNumber } from '../shapes.ts'
import { listSchema, wrappedPage } from './envelope.ts'
import { paging } from './prediction-params.ts'

const SORTS = Object.keys(TAG_SORTS) as (keyof typeof TAG_SORTS)[]

const tagSchema = z.object({
  slug: z.string(),
  label: z.string(),
  marketsCount: z.number().int(),
  eventsCount: z.number().int(),
  volume24h: z.number().describe('USD'),
})

export const getPredictionTags = defineRoute({
  method: 'GET',
  path: '/prediction/tags',
  tag: 'Prediction markets',
  summary: 'Tags of markets and events',
  query: z.object({
    ...paging,
    sortBy: enumParam(SORTS, 'Largest first; labels in alphabetical order').default('marketsCount'),
  }),
  response: listSchema(tagSchema),
  credits: 1,
  plan: 'any',
  x402: null,
  mayLag: true,
  shared: { reads: ['prediction_tags', 'prediction_venues'], stamped: true },
  async handler({ query }, { db, now }) {
    const offset = (query.page - 1) * query.limit
    const { rows, itemCount } = await readTagPage(db, { ...query, offset })
    const data = rows.map(
      ({ slug, label, markets_count: marketsCount, events_count: eventsCount, volume_24h_usd: volume }) => ({
        slug,
        label,
        marketsCount,
        eventsCount,
        volume24h: toNumber(volume),
      }),
    )
    return {
      body: wrappedPage(data, { ...query, now: now(), itemCount }),
      asOf: await readPredictionAsOf(db),
    }
  },
})
