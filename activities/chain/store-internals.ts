import type pg from 'pg'
import { lockNetwork } from '../../db/chain/branches.ts'
import { writeRange } from '../../db/chain/write.ts'
import { transact } from '../../db/transact.ts'
import { SourceRejected, SourceUnavailable } from '../errors.ts'
import type { ChainNetwork } from './networks.ts'
import { checkBranch } from './reorg.ts'
import type { InternalsRequest } from './wallet-source.ts'

/** Explorers know of a transfer this much later than the chain. */
export const EXPLORER_LAG_MS = 15_000
/** After an opening they are asked once more: some take longer to know what contracts sent. */
export const ASK_AGAIN_MS = 5 * 60_000

/**
 * `told`: what can be had is stored, and after an opening it is asked for once more. `unknown`: nobody can tell.
 * `later`: somebody can, but does not now.
 */
export type Explanation = 'told' | 'unknown' | 'later'

/** Asks what contracts sent to or from a wallet whose native coins do not add up, and stores what they did. */
export async function storeInternals(
  deps: { pool: pg.Pool; network: Pick<ChainNetwork, 'id' | 'source'>; now: () => Date },
  asked: InternalsRequest,
): Promise<Explanation> {
  const { pool, network, now } = deps
  const { id: networkId, source } = network
  try {
    const found = await source.readInternals?.(asked)
    if (!found) return 'unknown'
    const { range, isWhole } = found
    if (range.transactions.length > 0)
      await transact(pool, async ({ client }) => {
        await lockNetwork(client, { networkId, mode: 'write' })
        await checkBranch(client, { networkId, range })
        await writeRange(client, { networkId, source: found.source, fetchedAt: now(), range })
      })
    return isWhole ? 'told' : 'later'
  } catch (error) {
    if (error instanceof SourceUnavailable) return 'later'
    // Nodes of free plans refuse old blocks, also those that an explorer has named. No wallet waits for ever for that.
    if (error instanceof SourceRejected) return 'told'
    throw error
  }
}
