import type pg from 'pg'
import { storedBalances } from '../../../db/chain/balances.ts'
import { readCursor } from '../../../db/chain/follows.ts'
import { quietWallets } from '../../../db/chain/quiet-wallets.ts'
import { markDiffering } from '../../../db/chain/touched.ts'
import { networkOf } from '../../../db/chain/wallet-assets.ts'
import { transact } from '../../../db/transact.ts'
import type { ChainNetwork } from '../networks.ts'
import { readTouchedBalances } from './touched-balances.ts'

const SWEEP_MS = 6 * 3_600_000
/** Parts of a sweep, so that it asks little at a time. */
const PARTS = 360
const PART_MS = SWEEP_MS / PARTS

/** Number of the part of the sweeps that is due at a time. */
export const partAt = (nowMs: number): number => Math.floor(nowMs / PART_MS)

/**
 * Compares the native balances of a part of the quiet wallets of a network with the chain, and marks those that
 * differ: without traces nothing tells of value that a contract sends in a block which does not name the wallet.
 * Where the follower reads balances itself, it does nothing.
 */
export async function sweepBalances(
  { pool, network }: { pool: pg.Pool; network: ChainNetwork },
  part: number,
): Promise<void> {
  const { id: networkId, source } = network
  const { readManyBalances } = source
  const block = readManyBalances ? await readCursor(pool, networkId) : null
  if (!readManyBalances || !block) return
  const marks = await quietWallets(pool, { networkId, part: part % PARTS, parts: PARTS })
  if (marks.length === 0) return
  const { coin_id: coinId } = await networkOf(pool, networkId)
  const asked = { networkId, blockHash: block.hash, marks, tokens: [] }
  const read = await readTouchedBalances({ pool, readManyBalances }, asked)
  await transact(pool, async ({ client }) => {
    const walletIds = marks.map(({ walletId }) => walletId)
    const stored = (await storedBalances(client, { networkId, walletIds })).filter(
      (one) => one.coinId === coinId,
    )
    const held = new Map(stored.map(({ walletId, raw }) => [walletId, raw]))
    const differing = walletIds.filter((walletId) => {
      const native = read.get(walletId)?.find((one) => one.coinId === coinId)
      return native && native.raw !== (held.get(walletId) ?? 0n)
    })
    if (differing.length > 0)
      await markDiffering(client, { networkId, walletIds: differing, block: block.number })
  })
}
