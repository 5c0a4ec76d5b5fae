import { z } from 'zod'
import { readExchangeValues, readFirstAt } from '../../db/exchanges/read-value-points.ts'
import { toNumber } from '../../db/values/decimal.ts'
import { RANGES } from '../../db/values/periods.ts'
import { notSynced } from '../errors.ts'
import { enumParam } from '../params.ts'
import { defineRoute } from '../route.ts'
import { type Point4, pointSchema } from '../shapes.ts'
import { chartInstants } from '../wallet/chart-instants.ts'
import { connectionOf, portfolioIdParam } from './connection.ts'

export const getExchangeChart = defineRoute({
  method: 'GET',
  path: '/exchange/chart',
  tag: 'Exchanges',
  summary: 'Value of an exchange account over time',
  description:
    'Hourly points for `24h`, daily ones (00:00 UTC) above, the last one now; each with the prices of its own instant. From the first transaction on. 409 before the first sync.',
  query: z.object({ portfolioId: portfolioIdParam(), type: enumParam(RANGES) }),
  response: z.object({ result: z.array(pointSchema('milliseconds')) }),
  credits: 50,
  plan: 'any',
  x402: null,
  needsSync: true,
  async handler({ query: { portfolioId, type } }, context) {
    const { id, syncedAt, coveredTo } = await connectionOf(context, portfolioId)
    if (!syncedAt) throw notSynced()
    const nowMs = context.now().getTime()
    const historyMs = (await readFirstAt(context.db, id))?.getTime() ?? Infinity
    const instantsMs = chartInstants({ range: type, nowMs, historyMs })
    const points =
      instantsMs.length === 0 ? [] : await readExchangeValues(context.db, { connectionId: id, instantsMs })
    const result = points.map(({ atMs, value: { usd, btc, eth } }): Point4 => [
      atMs,
      toNumber(usd),
      toNumber(btc),
      toNumber(eth),
    ])
    return { body: { result }, asOf: coveredTo }
  },
})
