import type { SharedPortfolio, Shares } from '../../db/portfolios/shares.ts'
import { passcodeRequired, sharedPortfolioNotFound, sharingEnded } from '../errors.ts'
import type { RouteContext } from '../route.ts'

declare module '../route.ts' {
  interface RouteContext {
    /** Opens the portfolios that share tokens show. */
    shares: Shares
  }
}

/** Opens the portfolio of a token. Throws 404, or 403 for a wrong passcode or an owner who may not share. */
export async function openShare(
  { shares }: Pick<RouteContext, 'shares'>,
  share: { token: string; passcode: string | undefined },
): Promise<SharedPortfolio> {
  const opened = await shares.open(share)
  switch (opened) {
    case 'unknown':
      throw sharedPortfolioNotFound()
    case 'unentitled':
      throw sharingEnded()
    case 'passcode':
      throw passcodeRequired()
    default:
      return opened
  }
}
