import type pg from 'pg'
import { blocksToConfirm } from '../../../db/chain/follows.ts'
import { SourceRejected, SourceUnavailable } from '../../errors.ts'
import { refusalOf } from '../../nodes/rpc.ts'
import type { Confirming } from './block-reader.ts'
import type { HeaderReader } from './read-headers.ts'

/**
 * Compares blocks with rows once more when they are final or `reorgDepth` deep. Returns the block up to which all
 * are confirmed. Throws SourceRejected when such a block has changed.
 */
export async function confirmBlocks(
  deps: {
    pool: pg.Pool
    chain: Pick<HeaderReader, 'finalized' | 'headers'>
    /** Looks once more for what was left out of blocks, before they count as confirmed. */
    audit: (range: { above: number; through: number }) => Promise<void>
  },
  input: Confirming & { networkId: string; source: string; reorgDepth: number },
): Promise<number> {
  const { pool, chain } = deps
  const { networkId, source, cursor, confirmed, headBlock } = input
  const settled = Math.max(await chain.finalized(), headBlock - input.reorgDepth)
  const block = Math.min(cursor.number, settled)
  if (block <= confirmed) return confirmed
  try {
    await deps.audit({ above: confirmed, through: block })
    await expectUnchanged()
  } catch (error) {
    // No node has blocks as old any more: what was read of them is all that is known.
    if (refusalOf(error)?.kind !== 'archive') throw error
  }
  return block

  async function expectUnchanged(): Promise<void> {
    const stored = await blocksToConfirm(pool, { networkId, above: confirmed, through: block })
    const seen = await chain.headers(stored.map(({ number }) => number))
    for (const [i, { number, hash }] of stored.entries()) {
      const found = seen[i]
      if (!found) throw new SourceUnavailable(source, `block ${number} is missing: the node lags`)
      if (found.hash !== hash)
        throw new SourceRejected(
          source,
          `block ${number} is settled as ${hash}, and the node has ${found.hash}`,
        )
    }
  }
}
