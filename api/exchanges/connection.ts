import { type Connection, readConnection } from '../../db/exchanges/read-connection.ts'
import { isUuid } from '../../db/values/uuid.ts'
import { portfolioNotFound } from '../errors.ts'
import type { RouteContext } from '../route.ts'

/** The connection behind a portfolio id. 404 when it is another account's, as when nobody has it. */
export async function connectionOf(
  { db, account }: Pick<RouteContext, 'db' | 'account'>,
  portfolioId: string,
): Promise<Connection> {
  const found =
    account && isUuid(portfolioId)
      ? await readConnection(db, { accountId: account.id, connectionId: portfolioId })
      : undefined
  // Credentials that no exchange has accepted yet make no portfolio.
  if (!found || found.activeVersion === null) throw portfolioNotFound(portfolioId)
  return found
}

export const syncStatusOf = ({ syncedAt, requested }: Connection): 'syncing' | 'synced' =>
  syncedAt && !requested ? 'synced' : 'syncing'
