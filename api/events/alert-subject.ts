import type { Alert } from '../../db/events/read-alerts.ts'
import { readPortfolio } from '../../db/portfolios/read-portfolios.ts'
import { readMarketsById } from '../../db/prediction/read-markets.ts'
import { readCurrentPrice } from '../../db/prices/read-current-price.ts'
import type { ReadonlyDb } from '../../db/schema.ts'
import { isUuid } from '../../db/values/uuid.ts'
import { invalidParameter, notFound, portfolioNotFound } from '../errors.ts'
import { outcomeId } from '../prediction/market.ts'
import { marketNotFound } from '../prediction/prediction-params.ts'
import { oneOf } from '../reasons.ts'

type Stated = Pick<Alert, 'type' | 'subject' | 'rule'>

/** Throws 404 unless what an alert is about exists; a portfolio, unless the account has it. */
export async function checkSubject(
  db: ReadonlyDb,
  { accountId, ...alert }: Stated & { accountId: string },
): Promise<void> {
  switch (alert.type) {
    case 'portfolio.value':
      return await checkPortfolio(db, { accountId, portfolioId: alert.subject })
    case 'coin.price':
      return await checkCoin(db, alert.subject)
    case 'market.price':
    case 'market.resolved':
      return await checkMarket(db, alert)
  }
}

async function checkPortfolio(
  db: ReadonlyDb,
  asked: { accountId: string; portfolioId: string },
): Promise<void> {
  const { portfolioId } = asked
  if (!isUuid(portfolioId) || !(await readPortfolio(db, asked))) throw portfolioNotFound(portfolioId)
}

async function checkCoin(db: ReadonlyDb, coinId: string): Promise<void> {
  if (!(await readCurrentPrice(db, coinId))) throw notFound(`Coin with id '${coinId}' not found`)
}

async function checkMarket(db: ReadonlyDb, { subject, rule }: Stated): Promise<void> {
  const [market] = /^[1-9]\d{0,8}$/.test(subject) ? await readMarketsById(db, [Number(subject)]) : []
  if (!market) throw marketNotFound()
  const outcomes = market.outcomes.map(({ position }) => outcomeId({ marketId: market.id, position }))
  const { outcomeId: wanted } = rule
  if (wanted !== undefined && !outcomes.includes(String(wanted)))
    throw invalidParameter('outcomeId', oneOf(outcomes, wanted))
}
