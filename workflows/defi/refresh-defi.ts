import { proxyActivities } from '@temporalio/workflow'
import type { DefiActivities } from '../../activities/defi/index.ts'
import type { PricesActivities } from '../../activities/prices/index.ts'
import { bulkLoad } from '../policies.ts'

const { readDueDefi } = proxyActivities<DefiActivities>(bulkLoad)
const { ensureHourlyPrices } = proxyActivities<PricesActivities>(bulkLoad)

const HOUR_MS = 3_600_000

export interface RefreshDefiInput {
  /** positions are read again when they are older than this */
  olderThanSeconds: number
  /** most wallets of one run that something happened to, and most with positions */
  limit: number
}

/**
 * Reads the positions of wallets that something happened to, and again those of wallets that have some, because
 * interest and pool prices change. Then prices tokens that only positions contain.
 */
export async function refreshDefi(input: RefreshDefiInput): Promise<{ read: number; failed: number }> {
  const { read, failed, unpriced } = await readDueDefi(input)
  if (unpriced.length > 0) await ensureHourlyPrices({ coinIds: unpriced, ...lastHour() })
  return { read, failed }
}

function lastHour(): { from: string; to: string } {
  const nowMs = Date.now()
  return { from: new Date(nowMs - HOUR_MS).toISOString(), to: new Date(nowMs).toISOString() }
}
