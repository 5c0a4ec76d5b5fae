import { atInstant } from '../../db/at-instant.ts'
import type { ReadonlyDb } from '../../db/schema.ts'
import { readPortfolio, readPortfolios } from '../../db/portfolios/read-portfolios.ts'
import { invalidParameter, portfolioNotFound, sharedPortfolioNotFound } from '../errors.ts'
import { instantParam } from '../params.ts'
import { IN_FUTURE } from '../reasons.ts'
import type { RouteContext } from '../route.ts'
import { type PortfolioInput, type SelectedPortfolios, selectPortfolios } from './select-portfolios.ts'

/** Parameter of the endpoints that can answer as of an earlier instant. */
export const asOfShape = {
  asOf: instantParam(
    'Answer as of this instant, from the data known then: YYYY-MM-DD (UTC midnight) or RFC 3339 timestamp with its zone, not in the future',
  ).optional(),
}

/** Input of an answer: the tables, the clock and the selected portfolios. */
interface Asked {
  db: ReadonlyDb
  now: Date
  selected: SelectedPortfolios
  /** Whether `db` shows an earlier instant. */
  isPast: boolean
}

/**
 * Answers from the data known now or, with `asOf`, from the data known then. Access is checked as of now.
 * Throws 400 for an instant in the future, and for one so early that replaced data is deleted.
 */
export async function answerAsOf<T>(
  context: RouteContext,
  input: PortfolioInput & { query: { asOf?: Date | undefined } },
  answer: (asked: Asked) => Promise<T>,
): Promise<T> {
  const { asOf } = input.query
  const now = context.now()
  if (asOf && asOf > now) throw invalidParameter('asOf', IN_FUTURE)
  const selected = await selectPortfolios(context, input)
  if (!asOf) return answer({ db: context.db, now, selected, isPast: false })
  const answered = await atInstant(context.db, {
    instant: asOf,
    read: async (db) => ({
      body: await answer({
        db,
        now: asOf,
        selected: await asTheyWere(db, { selected, input }),
        isPast: true,
      }),
    }),
  })
  if (!answered) throw invalidParameter('asOf', 'It is before the instant from which replaced data is kept')
  return answered.body
}

/** Throws 404 for a portfolio that did not exist yet. */
async function asTheyWere(
  db: ReadonlyDb,
  { selected, input }: { selected: SelectedPortfolios; input: PortfolioInput },
): Promise<SelectedPortfolios> {
  const { accountId, isWhole } = selected
  if (isWhole) return { ...selected, portfolios: await readPortfolios(db, { accountId }) }
  const portfolioId = selected.portfolios[0]!.id
  const then = await readPortfolio(db, { accountId, portfolioId })
  if (then) return { ...selected, portfolios: [then] }
  throw input.query.portfolioId === undefined ? sharedPortfolioNotFound() : portfolioNotFound(portfolioId)
}
