import { z } from 'zod'
import { readPredictionAsOf } from '../../db/prediction/read-as-of.ts'
import { EVENT_SORTS, type EventSort, readEventPage } from '../../db/prediction/read-events.ts'
import { enumParam } from '../params.ts'
import { defineRoute } from '../route.ts'
import { listSchema, wrappedPage } from './envelope.ts'
import { eventSchema, toEvent } from './event.ts'
import { keptLists } from './kept-lists.ts'
import { itemFilters } from './prediction-params.ts'
import { EVENTS } from './shared-tables.ts'

const SORTS = Object.keys(EVENT_SORTS) as EventSort[]

export const getPredictionEvents = defineRoute({
  method: 'GET',
  path: '/prediction/events',
  tag: 'Prediction markets',
  summary: 'Events of all venues; an event groups related markets',
  query: z.object({ ...itemFilters, sortBy: enumParam(SORTS).default('volume24h') }),
  response: listSchema(eventSchema),
  credits: 2,
  plan: 'any',
  x402: null,
  mayLag: true,
  shared: {
    reads: [...EVENTS, 'prediction_counts', 'prediction_markets', 'prediction_outcomes'],
    stamped: true,
  },
  async handler({ query: { tag, ...query } }, { db, now }) {
    const offset = (query.page - 1) * query.limit
    const { rows, itemCount } = await readEventPage(db, { ...query, tags: tag, offset }, keptLists(db))
    return {
      body: wrappedPage(rows.map(toEvent), { ...query, now: now(), itemCount }),
      asOf: await readPredictionAsOf(db, query.venue),
    }
  },
})
