import { type Portfolio, readPortfolio } from '../../db/portfolios/read-portfolios.ts'
import {
  type CorrectableTransaction,
  readCorrectableTransaction,
} from '../../db/portfolios/read-manual-transactions.ts'
import { isUuid } from '../../db/values/uuid.ts'
import { notFound } from '../errors.ts'
import { identifierParam } from '../params.ts'
import type { ReadonlyDb } from '../../db/schema.ts'

export const transactionIdParam = () =>
  identifierParam('Id of a manual transaction, as in GET /portfolio/transactions').meta({
    example: '019ac2f4-0b6e-7d19-8a44-62c90e1d5b73',
  })

/** A manual transaction of the caller with its portfolio. Throws the same 404 for those of other accounts. */
export async function findTransaction(
  db: ReadonlyDb,
  { accountId, id }: { accountId: string | undefined; id: string },
): Promise<{ transaction: CorrectableTransaction; portfolio: Portfolio }> {
  if (accountId !== undefined && isUuid(id)) {
    const transaction = await readCorrectableTransaction(db, { accountId, id })
    const portfolio = transaction && (await readPortfolio(db, { accountId, ...transaction }))
    if (portfolio) return { transaction, portfolio }
  }
  throw notFound(`Transaction with id '${id}' not found`)
}
