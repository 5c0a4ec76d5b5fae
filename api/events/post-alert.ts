import { countAlerts, isPast } from '../../db/events/read-alerts.ts'
import { EVENT_LIMITS } from '../../db/events/plan-limits.ts'
import { readWebhooks } from '../../db/events/read-webhooks.ts'
import type { PlanId } from '../../db/metering/tables.ts'
import { portfolioValues } from '../../db/portfolios/portfolio-values.ts'
import type { ReadonlyDb } from '../../db/schema.ts'
import { formatDecimal } from '../../db/values/decimal.ts'
import { isUuid } from '../../db/values/uuid.ts'
import { uuidV7 } from '../../db/values/uuid-v7.ts'
import { invalidParameter, unavailable } from '../errors.ts'
import { defineRoute } from '../route.ts'
import { alertBody, alertSchema, describeAlert, statedAlert } from './alert.ts'
import { checkSubject } from './alert-subject.ts'
import { refuseMore } from './refuse-more.ts'

export const postAlert = defineRoute({
  method: 'POST',
  path: '/alerts',
  tag: 'Events',
  summary: 'Add an alert',
  description:
    'The account gets an event when the rule fires: in its stream, in GET /events, and at its webhook endpoints. A limit fires once for each crossing: it is armed again when the price is behind it by half a percent. A price that is past the limit already is no crossing. Moves of a portfolio are measured from its value when the rule last fired or was added. Your plan limits alerts.',
  requestBody: alertBody,
  response: alertSchema,
  credits: 10,
  plan: 'any',
  x402: null,
  async handler({ body }, { account, db, now }) {
    if (!account) throw unavailable()
    const most = EVENT_LIMITS[account.plan as PlanId].alerts
    const stated = statedAlert(body)
    const { endpointId } = body
    if (endpointId !== null && !(await hasWebhook(db, { accountId: account.id, id: endpointId })))
      throw invalidParameter('endpointId', 'It must be the id of a webhook endpoint of yours')
    await checkSubject(db, { ...stated, accountId: account.id })
    refuseMore((await countAlerts(db, account.id)) + 1, { of: 'alerts', most })
    const createdAt = now()
    const id = uuidV7(createdAt.getTime())
    const alert = { ...stated, id, endpointId, createdAt, armed: !(await isPast(db, stated)) }
    return {
      body: describeAlert({ ...alert, firedAt: null }),
      asOf: null,
      writes: [{ kind: 'alert-create', ...alert, valueUsd: await valueOf(db, stated, createdAt), most }],
    }
  },
})

/** Of a portfolio now, in USD; null: it has no complete figures, or the alert is about something else. */
async function valueOf(
  db: ReadonlyDb,
  { type, subject }: { type: string; subject: string },
  at: Date,
): Promise<string | null> {
  if (type !== 'portfolio.value') return null
  const value = (await portfolioValues(db, { portfolioIds: [subject], nowMs: at.getTime() })).get(subject)
  return value ? formatDecimal(value) : null
}

const hasWebhook = async (db: ReadonlyDb, of: { accountId: string; id: string }): Promise<boolean> =>
  isUuid(of.id) && (await readWebhooks(db, of)).length > 0
