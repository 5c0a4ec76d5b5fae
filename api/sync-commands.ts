import type { Command } from '../db/metering/meter.ts'

/** A sync that is not older is not done again. */
const FRESH_MS = 30_000

/** Whether a sync just ended, and none was asked for since. */
export function isFresh(sync: { syncedAt: Date | null; requested: boolean }, now: Date): boolean {
  return sync.syncedAt !== null && !sync.requested && now.getTime() - sync.syncedAt.getTime() < FRESH_MS
}

/** Syncs a wallet on a network; one that runs already is the one that is asked for. */
export const walletSync = (sync: { address: string; networkId: string }): Command => ({
  workflow: 'syncWallet',
  workflowId: `sync:${sync.address}:${sync.networkId}`,
  input: sync,
})

/** The same of a connected account at an exchange. */
export const exchangeSync = (connectionId: string): Command => ({
  workflow: 'syncExchange',
  workflowId: `exchange:${connectionId}`,
  input: { connectionId },
})
