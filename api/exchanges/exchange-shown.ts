import { isUuid } from '../../db/values/uuid.ts'
import type { RouteContext, Shown } from '../route.ts'

/** The exchange account of a call. null: `connectionOf` will refuse the call. */
export function exchangeShown(
  { query: { portfolioId, ...question } }: { query: { portfolioId: string } },
  { account }: Pick<RouteContext, 'account'>,
): Shown | null {
  if (!account || !isUuid(portfolioId)) return null
  return { holders: { portfolios: { accountId: account.id, portfolioId } }, question }
}
