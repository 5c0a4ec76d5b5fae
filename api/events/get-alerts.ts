import { z } from 'zod'
import { readAlerts } from '../../db/events/read-alerts.ts'
import { unavailable } from '../errors.ts'
import { limit, page } from '../params.ts'
import { defineRoute } from '../route.ts'
import { pageMetaSimpleSchema } from '../shapes.ts'
import { alertSchema, describeAlert } from './alert.ts'

export const getAlerts = defineRoute({
  method: 'GET',
  path: '/alerts',
  tag: 'Events',
  summary: 'Your alerts, oldest first',
  query: z.object({ page: page(), limit: limit() }),
  response: z.object({ meta: pageMetaSimpleSchema, result: z.array(alertSchema) }),
  credits: 3,
  plan: 'any',
  x402: null,
  async handler({ query }, { account, db }) {
    if (!account) throw unavailable()
    const offset = (query.page - 1) * query.limit
    const alerts = await readAlerts(db, { accountId: account.id, offset, limit: query.limit })
    return { body: { meta: query, result: alerts.map(describeAlert) }, asOf: null }
  },
})
