import type { z } from 'zod'
import { EVENT_LIMITS } from '../../db/events/plan-limits.ts'
import { type Alert, countAlerts, isPast } from '../../db/events/read-alerts.ts'
import { readWebhooks } from '../../db/events/read-webhooks.ts'
import type { AlertWrite } from '../../db/events/alert-write.ts'
import type { PlanId } from '../../db/metering/tables.ts'
import { portfolioValues } from '../../db/portfolios/portfolio-values.ts'
import type { ReadonlyDb } from '../../db/schema.ts'
import { formatDecimal } from '../../db/values/decimal.ts'
import { isUuid } from '../../db/values/uuid.ts'
import { uuidV7 } from '../../db/values/uuid-v7.ts'
import { invalidParameter } from '../errors.ts'
import { type alertBody, statedAlert } from './alert.ts'
import { checkSubject } from './alert-subject.ts'
import { refuseMore } from './refuse-more.ts'

/**
 * Decides on an alert that an account adds. Throws 404 if what it is about does not exist, and 400 for an
 * unknown endpoint and for more alerts than the plan allows.
 */
export async function newAlert(
  { db, now }: { db: ReadonlyDb; now: () => Date },
  { account, body }: { account: { id: string; plan: string }; body: z.output<typeof alertBody> },
): Promise<{ alert: Alert; write: AlertWrite }> {
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
  const valueUsd = await valueOf(db, stated, createdAt)
  return {
    alert: { ...alert, firedAt: null },
    write: { kind: 'alert-create', ...alert, valueUsd, most },
  }
}

/** Of a portfolio now, in USD; null: it has no complete figures, or the alert is about something else. */
async function valueOf(
  db: ReadonlyDb,
  { type, subject }: Pick<Alert, 'type' | 'subject'>,
  at: Date,
): Promise<string | null> {
  if (type !== 'portfolio.value') return null
  const value = (await portfolioValues(db, { portfolioIds: [subject], nowMs: at.getTime() })).get(subject)
  return value ? formatDecimal(value) : null
}

const hasWebhook = async (db: ReadonlyDb, of: { accountId: string; id: string }): Promise<boolean> =>
  isUuid(of.id) && (await readWebhooks(db, of)).length > 0
