import { type Connection, readConnection } from '../../db/exchanges/read-connection.ts'
import { isUuid } from '../../db/values/uuid.ts'
import { portfolioNotFound } from '../errors.ts'
import type { RouteContext } from '../route.ts'

/** The connection of a portfolio id. Throws 404 when it does not exist or belongs to another account. */
export async function connectionOf(
  { db, account }: Pick<RouteContext, 'db' | 'account'>,
  portfolioId: string,
): Promise<Connection> {
  const found =
    account && isUuid(portfolioId)
      ? await readConnection(db, { accountId: account.id, connectionId: portfolioId })
      : undefined
  // There is no portfolio until the exchange has accepted the credentials.
  if (!found || found.activeVersion === null) throw portfolioNotFound(portfolioId)
  return found
}

export const syncStatusOf = ({ syncedAt, requested }: Connection): 'syncing' | 'synced' =>
  syncedAt && !requested ? 'synced' : 'syncing'
