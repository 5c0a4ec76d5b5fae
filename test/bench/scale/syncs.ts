import { type Client, WorkflowIdConflictPolicy } from '@temporalio/client'

/** Concurrent callers. */
const CALLERS = 16

export interface Sync {
  address: string
  networkId: string
}

export interface SyncRate {
  syncs: number
  perSecond: number
  p99Ms: number
}

/**
 * Measures syncs of wallets without new data through Temporal and the workers. Each caller runs one after the
 * other.
 */
export async function measureSyncs(
  client: Client,
  syncs: readonly Sync[],
  seconds: number,
): Promise<SyncRate> {
  const startMs = performance.now()
  const endMs = startMs + seconds * 1_000
  let next = 0
  const tookMs: number[] = []
  const caller = async (): Promise<void> => {
    while (performance.now() < endMs) {
      const beganMs = performance.now()
      await syncOnce(client, syncs[next++ % syncs.length]!)
      tookMs.push(performance.now() - beganMs)
    }
  }
  await Promise.all(Array.from({ length: Math.min(CALLERS, syncs.length) }, caller))
  const perSecond = (tookMs.length / (performance.now() - startMs)) * 1_000
  tookMs.sort((a, b) => a - b)
  return { syncs: tookMs.length, perSecond, p99Ms: tookMs[Math.floor(tookMs.length * 0.99)]! }
}

/** Runs one sync and returns the number of events in its history. */
export async function syncOnce(client: Client, { address, networkId }: Sync): Promise<number> {
  const handle = await client.workflow.start('syncWallet', {
    workflowId: `sync:${address}:${networkId}`,
    taskQueue: 'sluice',
    args: [{ address, networkId }],
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
  })
  await handle.result()
  return (await handle.describe()).historyLength
}
