import type pg from 'pg'
import { storedHashes } from '../../db/chain/write.ts'
import { refusalOf } from '../nodes/rpc.ts'
import type { ChainBlock } from './chain-data.ts'
import type { WalletSource } from './wallet-source.ts'

/**
 * The source with headers also for stored blocks that its node no longer gives. Such blocks are deeper than
 * any reorg, so they count as unchanged: free plans keep about 128 blocks.
 */
export function withKeptHeaders(
  pool: pg.Pool,
  { source, networkId }: { source: WalletSource; networkId: string },
): WalletSource {
  const { headers } = source
  if (headers === null) return source

  async function stored(number: number): Promise<ChainBlock | null> {
    const hash = (await storedHashes(pool, { networkId, numbers: [number] })).get(number)
    return hash === undefined ? null : { number, hash, parentHash: null, atMs: 0 }
  }

  async function kept(numbers: readonly number[]): Promise<(ChainBlock | null)[]> {
    try {
      return await headers!(numbers)
    } catch (error) {
      if (refusalOf(error)?.kind !== 'archive') throw error
      if (numbers.length === 1) return [await stored(numbers[0]!)]
      const middle = Math.ceil(numbers.length / 2)
      return [...(await kept(numbers.slice(0, middle))), ...(await kept(numbers.slice(middle)))]
    }
  }

  return { ...source, headers: kept }
}
