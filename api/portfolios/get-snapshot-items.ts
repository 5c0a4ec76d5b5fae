import { z } from 'zod'
import { readSnapshotDates } from '../../db/portfolios/read-snapshots.ts'
import { dateParam, identifierListParam, limit, page } from '../params.ts'
import { defineRoute } from '../route.ts'
import { pendingMeta } from '../shapes.ts'
import { answerAsOf, asOfShape } from './as-of.ts'
import { ageOf, hasHistory, withoutHistory } from './holding-set.ts'
import { portfolioParams } from './select-portfolios.ts'
import { shareHeaders } from './share-params.ts'
import { snapshotItems, snapshotSchema } from './snapshot-items.ts'

const query = z
  .object({
    ...portfolioParams,
    ...asOfShape,
    page: page(),
    limit: limit(),
    from: dateParam('First day').optional(),
    to: dateParam('Last day, not before `from`').optional(),
    coinIds: identifierListParam('Only these coins, also in the totals')
      .meta({ example: ['bitcoin', 'ethereum'] })
      .optional(),
  })
  .superRefine(({ from, to }, context) => {
    if (from && to && from > to)
      context.addIssue({ code: 'custom', message: 'It must not be before `from`', path: ['to'] })
  })

export const getSnapshotItems = defineRoute({
  method: 'GET',
  path: '/portfolio/snapshot/items',
  tag: 'Portfolios',
  summary: 'Holdings of a portfolio at each UTC midnight',
  description:
    'One snapshot per UTC day, taken at its start and never changed, even when transactions of earlier days are added or found later. Days before the portfolio was added are filled from its history. The oldest comes first. Changes compare with the previous snapshot; those of the first compare with zero. A coin that is gone is listed once more. `meta.pending` names portfolios whose history is not complete; they have no snapshots yet.',
  query,
  headers: shareHeaders,
  response: z.object({ result: z.array(snapshotSchema), meta: pendingMeta }),
  credits: 500,
  plan: 'any',
  x402: '0.05',
  handler: (input, context) =>
    answerAsOf(context, input, async ({ db, selected: { portfolios } }) => {
      const { query: options } = input
      const portfolioIds = portfolios.filter(hasHistory).map(({ id }) => id)
      const { from, to, coinIds } = options
      const offset = (options.page - 1) * options.limit
      const page = await readSnapshotDates(db, { portfolioIds, from, to, offset, limit: options.limit })
      return {
        body: { result: await snapshotItems(db, { portfolioIds, coinIds, ...page }) },
        asOf: ageOf(portfolios),
        pending: withoutHistory(portfolios),
      }
    }),
})
