import type pg from 'pg'
import { notFound } from '../../../api/errors.ts'
import { readKit } from '../../../db/account/connect-codes.ts'
import type { ConnectKit } from '../../../db/account/kits.ts'
import { isUuid } from '../../../db/values/uuid.ts'

export const kitNotFound = () => notFound('The app is not known here.')

/** The kit of an address. Throws 404. */
export async function findKit(pool: pg.Pool, kitId: string): Promise<ConnectKit & { accountId: string }> {
  const kit = isUuid(kitId) ? await readKit(pool, kitId) : null
  if (!kit) throw kitNotFound()
  return kit
}
