import { z } from 'zod'
import { knownAlerts } from '../../db/events/read-alerts.ts'
import { isUuid } from '../../db/values/uuid.ts'
import { notFound, unavailable } from '../errors.ts'
import { identifierListParam } from '../params.ts'
import { defineRoute } from '../route.ts'

export const deleteAlerts = defineRoute({
  method: 'DELETE',
  path: '/alerts',
  tag: 'Events',
  summary: 'Remove alerts',
  description: 'All of them or none: 404 if one is unknown. Events that they have made stay.',
  query: z.object({
    ids: identifierListParam('Ids of alerts', { maxItems: 100 }).meta({
      example: ['019ac2f6-5f0a-7b38-a1c2-9d5e7f3b1a60'],
    }),
  }),
  response: z.object({ success: z.boolean() }),
  credits: 10,
  plan: 'any',
  x402: null,
  async handler({ query: { ids } }, { account, db }) {
    if (!account) throw unavailable()
    const known = await knownAlerts(db, { accountId: account.id, ids: ids.filter(isUuid) })
    const unknown = ids.find((id) => !known.has(id))
    if (unknown !== undefined) throw notFound(`Alert with id '${unknown}' not found`)
    return { body: { success: true }, asOf: null, writes: [{ kind: 'alert-delete', ids: [...known] }] }
  },
})
