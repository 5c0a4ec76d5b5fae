import { proxyActivities } from '@temporalio/workflow'
import type { DefiActivities } from '../../activities/defi/index.ts'
import type { PricesActivities } from '../../activities/prices/index.ts'
import { bulkLoad, quickCall, sourceCall } from '../policies.ts'

const { listDueDefiWallets } = proxyActivities<DefiActivities>(quickCall)
const { readDefiWallet } = proxyActivities<DefiActivities>({
  ...sourceCall,
  // Few attempts, so that an unavailable node does not block other networks. The wallet is due again later.
  retry: { ...sourceCall.retry, maximumAttempts: 3 },
})

const { ensureHourlyPrices } = proxyActivities<PricesActivities>(bulkLoad)

const HOUR_MS = 3_600_000

export interface RefreshDefiInput {
  /** a wallet is due when its last read is older than this, or when it was synced since */
  olderThanSeconds: number
  limit: number
  /** number of wallets read at the same time */
  parallel: number
}

/** Reads the positions of due wallets, `parallel` at a time, and prices tokens that only they contain. */
export async function refreshDefi(input: RefreshDefiInput): Promise<{ read: number; failed: number }> {
  const { olderThanSeconds, limit, parallel } = input
  const due = await listDueDefiWallets({ olderThanSeconds, limit })
  const counts = { read: 0, failed: 0 }
  const unpriced = new Set<string>()
  const work = async (): Promise<void> => {
    for (let wallet = due.shift(); wallet; wallet = due.shift()) {
      try {
        const read = await readDefiWallet(wallet)
        for (const coinId of read.unpriced) unpriced.add(coinId)
        counts.read++
      } catch {
        counts.failed++
      }
    }
  }
  await Promise.all(Array.from({ length: parallel }, work))
  if (unpriced.size > 0) await ensureHourlyPrices({ coinIds: [...unpriced], ...lastHour() })
  return counts
}

function lastHour(): { from: string; to: string } {
  const nowMs = Date.now()
  return { from: new Date(nowMs - HOUR_MS).toISOString(), to: new Date(nowMs).toISOString() }
}
