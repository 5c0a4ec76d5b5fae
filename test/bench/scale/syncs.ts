import { type Client, WorkflowIdConflictPolicy } from '@temporalio/client'

/** Syncs that are asked for at the same time. */
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

/** Syncs of wallets that have nothing new, one after the other by each caller, through Temporal and the workers. */
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

/** Resolves to the number of events in its history. */
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
