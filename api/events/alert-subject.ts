import type { Alert } from '../../db/events/read-alerts.ts'
import { readMarketsById } from '../../db/prediction/read-markets.ts'
import { readCurrentPrice } from '../../db/prices/read-current-price.ts'
import type { ReadonlyDb } from '../../db/schema.ts'
import { invalidParameter, notFound } from '../errors.ts'
import { outcomeId } from '../prediction/market.ts'
import { marketNotFound } from '../prediction/prediction-params.ts'
import { oneOf } from '../reasons.ts'

type Stated = Pick<Alert, 'type' | 'subject' | 'rule'>

/** Throws 404 unless what an alert is about exists. */
export async function checkSubject(db: ReadonlyDb, alert: Stated): Promise<void> {
  if (alert.type !== 'coin.price') return checkMarket(db, alert)
  if (!(await readCurrentPrice(db, alert.subject)))
    throw notFound(`Coin with id '${alert.subject}' not found`)
}

async function checkMarket(db: ReadonlyDb, { subject, rule }: Stated): Promise<void> {
  const [market] = /^[1-9]\d{0,8}$/.test(subject) ? await readMarketsById(db, [Number(subject)]) : []
  if (!market) throw marketNotFound()
  const outcomes = market.outcomes.map(({ position }) => outcomeId({ marketId: market.id, position }))
  const { outcomeId: wanted } = rule
  if (wanted !== undefined && !outcomes.includes(String(wanted)))
    throw invalidParameter('outcomeId', oneOf(outcomes, wanted))
}
