import type { Mark } from '../../../db/chain/marks.ts'
import { lockNetwork, writeRange } from '../../../db/chain/write.ts'
import { transact } from '../../../db/transact.ts'
import { SourceRejected, SourceUnavailable } from '../../errors.ts'
import { checkBranch } from '../reorg.ts'
import type { BatchDeps } from './derive-batch.ts'

/**
 * Asks what contracts sent to or from a wallet whose native coins do not add up, and stores what they did. If nobody
 * can tell, an opening makes up the difference. False: somebody can, but does not answer now.
 */
export async function storeInternals(
  { pool, network, now }: Pick<BatchDeps, 'pool' | 'network' | 'now'>,
  { addresses, fromBlock, throughBlock }: Mark,
): Promise<boolean> {
  const { id: networkId, source } = network
  try {
    const asked = { address: addresses[0]!, fromBlock, toBlock: throughBlock }
    const found = await source.readInternals?.(asked)
    if (!found || found.range.transactions.length === 0) return true
    await transact(pool, async ({ client }) => {
      await lockNetwork(client, { networkId, mode: 'write' })
      await checkBranch(client, { networkId, range: found.range })
      await writeRange(client, { networkId, source: found.source, fetchedAt: now(), range: found.range })
    })
  } catch (error) {
    if (error instanceof SourceUnavailable) return false
    if (!(error instanceof SourceRejected)) throw error
  }
  return true
}
