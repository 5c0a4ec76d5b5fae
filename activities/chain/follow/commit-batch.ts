import type pg from 'pg'
import { coveredWallets, coverWallets } from '../../../db/chain/coverage.ts'
import { lockFollow, moveFollow } from '../../../db/chain/follows.ts'
import type { BlockMark, FollowMethod } from '../../../db/chain/follows.ts'
import { markTouched } from '../../../db/chain/touched.ts'
import type { Touch } from '../../../db/chain/touched.ts'
import { lockNetwork, writeRange } from '../../../db/chain/write.ts'
import { transact } from '../../../db/transact.ts'
import type { ChainRange } from '../chain-data.ts'
import { checkBranch } from '../reorg.ts'
import { keepTouching } from '../sources/decode-transaction.ts'
import type { ReadBlock } from './block-reader.ts'
import { markOf } from './read-batch.ts'

/** A later attempt follows the network: this one must end. */
export class Superseded extends Error {}

/** A rewind moved the cursor: the batch does not continue it. */
export class CursorMoved extends Error {}

export interface Batch {
  networkId: string
  source: string
  epoch: string
  fetchedAt: Date
  /** the cursor that the batch continues; null: the first batch */
  after: BlockMark | null
  headBlock: number
  method: FollowMethod
  /** consecutive, at least one */
  blocks: readonly ReadBlock[]
  /** earlier blocks, for the wallets that this batch covers first */
  late: readonly ReadBlock[]
  cover: { walletIds: readonly string[]; fromBlock: number }
}

/**
 * Writes rows, touched wallets, coverage and cursor in one transaction. Throws Superseded, CursorMoved, or
 * ReorgDetected when stored blocks are of another branch.
 */
export async function commitBatch(pool: pg.Pool, batch: Batch): Promise<void> {
  const { networkId, source, fetchedAt, blocks, late } = batch
  const last = blocks.at(-1)!.block
  await transact(pool, async ({ client }) => {
    await lockNetwork(client, { networkId, mode: 'write' })
    const follow = await lockFollow(client, batch)
    if (!follow) throw new Superseded(`${networkId}: a later attempt follows the network`)
    if (follow.cursor?.hash !== batch.after?.hash) throw new CursorMoved(`${networkId}: the cursor moved`)
    await checkBranch(client, { networkId, range: rangeOf([...late, ...blocks], new Set()) })
    await coverWallets(client, { networkId, ...batch.cover })
    const touched = [...late, ...blocks]
    const addresses = [...new Set(touched.flatMap(({ match }) => [...match.addresses]))]
    const wallets = await coveredWallets(client, { networkId, addresses })
    const known = new Set(wallets.map(({ address }) => address))
    await writeRange(client, {
      networkId,
      source,
      fetchedAt,
      range: rangeOf(touched, known),
    })
    const touches = wallets.map((wallet) => touchOf(wallet, touched))
    await markTouched(client, { networkId, touches })
    await moveFollow(client, {
      networkId,
      cursor: markOf(last),
      cursorAt: new Date(last.atMs),
      headBlock: Math.max(batch.headBlock, last.number),
      method: batch.method,
    })
  })
}

/** The blocks, and of their transactions what involves the wallets. */
function rangeOf(blocks: readonly ReadBlock[], wallets: ReadonlySet<string>): ChainRange {
  const range: ChainRange = { blocks: blocks.map(({ block }) => block), transactions: [], transfers: [] }
  if (wallets.size === 0) return range
  for (const decoded of blocks.flatMap((block) => block.decoded)) {
    const transfers = keepTouching(wallets, decoded)
    if (!transfers) continue
    range.transactions.push(decoded.transaction)
    range.transfers.push(...transfers)
  }
  return range
}

function touchOf(wallet: { walletId: string; address: string }, blocks: readonly ReadBlock[]): Touch {
  const numbers = blocks
    .filter(({ match }) => match.addresses.has(wallet.address))
    .map(({ block }) => block.number)
  return { walletId: wallet.walletId, fromBlock: numbers[0]!, throughBlock: numbers.at(-1)! }
}
