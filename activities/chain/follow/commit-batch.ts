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
  /** at least one, ascending; not each of a range */
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
  const { networkId, blocks, late } = batch
  const last = blocks.at(-1)!.block
  await transact(pool, async ({ client }) => {
    await lockNetwork(client, { networkId, mode: 'write' })
    const follow = await lockFollow(client, batch)
    if (!follow) throw new Superseded(`${networkId}: a later attempt follows the network`)
    if (follow.cursor?.hash !== batch.after?.hash) throw new CursorMoved(`${networkId}: the cursor moved`)
    await checkBranch(client, { networkId, range: rangeOf([...late, ...blocks], new Set()) })
    await coverWallets(client, { networkId, ...batch.cover })
    await writeBlocks(client, { ...batch, blocks: [...late, ...blocks] })
    await moveFollow(client, {
      networkId,
      cursor: markOf(last),
      cursorAt: new Date(last.atMs),
      headBlock: Math.max(batch.headBlock, last.number),
      method: batch.method,
    })
  })
}

/**
 * Writes blocks at or below the cursor in which a log had been left out. Throws Superseded, or ReorgDetected
 * when the stored blocks are of another branch.
 */
export async function commitLeftOut(
  pool: pg.Pool,
  input: Pick<Batch, 'networkId' | 'source' | 'epoch' | 'fetchedAt' | 'blocks'>,
): Promise<void> {
  const { networkId, blocks } = input
  await transact(pool, async ({ client }) => {
    await lockNetwork(client, { networkId, mode: 'write' })
    if (!(await lockFollow(client, input)))
      throw new Superseded(`${networkId}: a later attempt follows the network`)
    await checkBranch(client, { networkId, range: rangeOf(blocks, new Set()) })
    await writeBlocks(client, input)
  })
}

/** Writes the blocks and what involves covered wallets, and marks these. */
async function writeBlocks(
  client: pg.ClientBase,
  input: Pick<Batch, 'networkId' | 'source' | 'fetchedAt' | 'blocks'>,
): Promise<void> {
  const { networkId, blocks } = input
  const addresses = [...new Set(blocks.flatMap(({ match }) => [...match.addresses]))]
  const wallets = await coveredWallets(client, { networkId, addresses })
  const known = new Set(wallets.map(({ address }) => address))
  await writeRange(client, { ...input, range: rangeOf(blocks, known) })
  const touches = wallets.map((wallet) => touchOf(wallet, blocks))
  await markTouched(client, { networkId, touches })
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
