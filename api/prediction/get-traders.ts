import { z } from 'zod'
import { LEADER_PERIODS } from '../../db/prediction/leader-periods.ts'
import { readPredictionAsOf } from '../../db/prediction/read-as-of.ts'
import { readLeaderPage, TRADER_SORTS, type TraderSort } from '../../db/prediction/read-traders.ts'
import { enumParam, textParam } from '../params.ts'
import { defineRoute } from '../route.ts'
import { listSchema, wrappedPage } from './envelope.ts'
import { categoryParam, minVolumeParam, paging } from './prediction-params.ts'
import { toTraderRow, traderRowSchema } from './trader-row.ts'
import { TRADERS } from './shared-tables.ts'

const SORTS = Object.keys(TRADER_SORTS) as TraderSort[]

export const getTraders = defineRoute({
  method: 'GET',
  path: '/prediction/traders',
  tag: 'Prediction markets',
  summary: 'Leaderboard of traders',
  description:
    'Computed from the known trades at average cost; a resolution pays 0 or 1. A period is today and the 1, 7 or 30 UTC days before it. Ranks are those of the whole leaderboard; `minVolume` and `search` do not change them.',
  query: z.object({
    period: enumParam(LEADER_PERIODS).default('1m'),
    sortBy: enumParam(SORTS).default('pnl'),
    category: categoryParam(),
    minVolume: minVolumeParam(),
    search: textParam({ maxLength: 100, description: 'Start of a name or address' })
      .meta({ example: '0xf39f' })
      .optional(),
    ...paging,
  }),
  response: listSchema(traderRowSchema),
  credits: 2,
  plan: 'any',
  x402: null,
  mayLag: true,
  shared: { reads: [...TRADERS, 'prediction_leaders'], stamped: true },
  async handler({ query }, { db, now }) {
    const offset = (query.page - 1) * query.limit
    const { rows, itemCount } = await readLeaderPage(db, { ...query, category: query.category ?? '', offset })
    return {
      body: wrappedPage(rows.map(toTraderRow), { ...query, now: now(), itemCount }),
      asOf: await readPredictionAsOf(db, 'polymarket'),
    }
  },
})
