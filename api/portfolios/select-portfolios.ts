import type { z } from 'zod'
import { type Portfolio, readPortfolio, readPortfolios } from '../../db/portfolios/read-portfolios.ts'
import { isUuid } from '../../db/values/uuid.ts'
import { portfolioNotFound, sharedPortfolioNotFound, shareTokenRequired } from '../errors.ts'
import { identifierParam, PORTFOLIO_EXAMPLE } from '../params.ts'
import type { RouteContext } from '../route.ts'
import { openShare } from './open-share.ts'
import { type shareHeaders, shareParams } from './share-params.ts'

/** Query parameters of every read under /portfolio; its headers are `shareHeaders`. */
export const portfolioParams = {
  portfolioId: identifierParam(
    'Id of one portfolio; without it and without a share token, all portfolios of the account combined',
  )
    .meta({ example: PORTFOLIO_EXAMPLE })
    .optional(),
  ...shareParams,
}

/** Input of a route with `portfolioParams` and `shareHeaders`: it selects the portfolios. */
export interface PortfolioInput {
  query: {
    portfolioId?: string | undefined
    shareToken?: string | undefined
    passcode?: string | undefined
  }
  headers: z.output<typeof shareHeaders>
}

/** The portfolios that a request selects. */
export interface SelectedPortfolios {
  /** Owner of the portfolios: with a share token the sharing account, else the caller. */
  accountId: string
  portfolios: Portfolio[]
  /** All portfolios of the account combined: transfers between them are no flows. */
  isWhole: boolean
}

/**
 * A share token opens the portfolio of its owner to anyone who has the token; the caller pays. Throws 404 for
 * a portfolio that the account does not have, even if another account has it, and the errors of `openShare`.
 */
export async function selectPortfolios(
  { db, account, shares }: Pick<RouteContext, 'db' | 'account' | 'shares'>,
  { query, headers }: PortfolioInput,
): Promise<SelectedPortfolios> {
  const { portfolioId } = query
  const token = headers.sharetoken ?? query.shareToken
  if (token !== undefined) {
    const opened = await openShare({ shares }, { token, passcode: headers.passcode ?? query.passcode })
    const shared = await readPortfolio(db, opened)
    if (!shared || (portfolioId !== undefined && portfolioId !== shared.id)) throw sharedPortfolioNotFound()
    return { accountId: shared.accountId, portfolios: [shared], isWhole: false }
  }
  // A caller without an account has no portfolios.
  if (!account) throw shareTokenRequired()
  const accountId = account.id
  if (portfolioId === undefined)
    return { accountId, portfolios: await readPortfolios(db, { accountId }), isWhole: true }
  const found = isUuid(portfolioId) ? await readPortfolio(db, { accountId, portfolioId }) : undefined
  if (!found) throw portfolioNotFound(portfolioId)
  return { accountId, portfolios: [found], isWhole: false }
}
