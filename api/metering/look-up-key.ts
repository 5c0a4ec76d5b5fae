import { timingSafeEqual } from 'node:crypto'
import type { Meter } from '../../db/metering/meter.ts'
import { hashApiKey } from '../../db/values/api-key.ts'
import type { Access } from './access.ts'

/** Returns the access of an API key; null when it is unknown, revoked or expired. */
export async function lookUpKey(meter: Pick<Meter, 'authenticate'>, key: string): Promise<Access | null> {
  const hash = hashApiKey(key)
  const found = await meter.authenticate(hash)
  if (!found || !timingSafeEqual(found.storedHash, hash)) return null
  return { accountId: found.accountId, reads: true, writes: !found.readOnly, opens: found.opens }
}
