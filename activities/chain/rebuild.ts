import { outdatedSyncs } from '../../db/chain/sync-progress.ts'
import { type NormaliseDeps, normaliseStep } from './normalise-step.ts'

export interface Rebuilt {
  wallets: number
  transactions: number
  /** the wallet's next sync derives these */
  failed: { address: string; networkId: string; reason: string }[]
}

/**
 * Derives wallet transactions with an outdated form again, without calling a source. Each wallet is committed
 * by itself. `onProgress` gets the share of wallets done, from 0 to 1.
 */
export async function rebuildTransactions(
  deps: NormaliseDeps,
  onProgress: (share: number) => void,
): Promise<Rebuilt> {
  const outdated = await outdatedSyncs(deps.pool)
  const rebuilt: Rebuilt = { wallets: 0, transactions: 0, failed: [] }
  for (const [index, sync] of outdated.entries()) {
    onProgress(index / outdated.length)
    try {
      for (let done = false; !done;) {
        const step = await normaliseStep(deps, sync)
        rebuilt.transactions += step.transactions
        done = step.done
      }
      rebuilt.wallets++
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      rebuilt.failed.push({ address: sync.address, networkId: sync.networkId, reason })
    }
  }
  return rebuilt
}
