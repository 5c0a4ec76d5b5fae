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

export const syncStatusOf = (connection: Connection): 'syncing' | 'synced' =>
  !connection.requested && pendingOf(connection).length === 0 ? 'synced' : 'syncing'

/** Its id if its history is not complete, or its figures are being computed. */
export const pendingOf = ({ id, syncedAt, isComputed }: Connection): string[] =>
  syncedAt && isComputed ? [] : [id]
