import { isUuid } from '../../db/values/uuid.ts'
import type { RouteContext, Shown } from '../route.ts'
import { openShare } from './open-share.ts'
import type { PortfolioInput } from './select-portfolios.ts'

/**
 * The portfolios of a call, as `selectPortfolios` selects them. null: it will refuse the call. Throws the errors of
 * `openShare`.
 */
export async function portfoliosShown(
  { query, headers }: PortfolioInput,
  context: Pick<RouteContext, 'account' | 'shares'>,
): Promise<Shown | null> {
  const { portfolioId = null, shareToken, passcode, ...question } = query
  const token = headers.sharetoken ?? shareToken
  if (token !== undefined) {
    const opened = await openShare(context, { token, passcode: headers.passcode ?? passcode })
    if (portfolioId !== null && portfolioId !== opened.portfolioId) return null
    // Opened once: each wrong passcode counts.
    const portfolios = { accountId: opened.accountId, portfolioId: opened.portfolioId }
    return { holders: { portfolios }, question, context: { shares: { open: async () => opened } } }
  }
  if (!context.account || (portfolioId !== null && !isUuid(portfolioId))) return null
  return { holders: { portfolios: { accountId: context.account.id, portfolioId } }, question }
}
