import { type Portfolio, readPortfolio, readPortfolios } from '../../db/portfolios/read-portfolios.ts'
import { portfolioNotFound, unavailable } from '../errors.ts'
import { identifierParam, isUuid } from '../params.ts'
import type { RouteContext } from '../route.ts'

/** Query parameters of every read under /portfolio. */
export const portfolioParams = {
  portfolioId: identifierParam(
    'Id of one portfolio; without it, and without a share token, all of the account together',
  ).optional(),
}

/** What a request says of whose figures it wants. */
export interface PortfolioInput {
  portfolioId?: string | undefined
  shareToken?: string | undefined
  passcode?: string | undefined
}

/** The portfolios that a request stands for. */
export interface SelectedPortfolios {
  /** Whose they are: with a share token the owner's, else the caller's. */
  accountId: string
  portfolios: Portfolio[]
  /** All of the account together: transfers between them are no flows. */
  isWhole: boolean
}

/** Throws 404 for a portfolio that the account does not have, whoever else does. */
export async function selectPortfolios(
  { db, account }: Pick<RouteContext, 'db' | 'account'>,
  { portfolioId }: PortfolioInput,
): Promise<SelectedPortfolios> {
  // The route that calls this is for keys alone.
  if (!account) throw unavailable()
  const accountId = account.id
  if (portfolioId === undefined)
    return { accountId, portfolios: await readPortfolios(db, { accountId }), isWhole: true }
  const found = isUuid(portfolioId) ? await readPortfolio(db, { accountId, portfolioId }) : undefined
  if (!found) throw portfolioNotFound(portfolioId)
  return { accountId, portfolios: [found], isWhole: false }
}
