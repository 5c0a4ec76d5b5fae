import type pg from 'pg'
import { coverWallets } from '../../../db/chain/coverage.ts'
import { confirmThrough, lockFollow, moveFollow } from '../../../db/chain/follows.ts'
import type { BlockMark, FollowMethod } from '../../../db/chain/follows.ts'
import { markTouched } from '../../../db/chain/touched.ts'
import type { Touch } from '../../../db/chain/touched.ts'
import { lockNetwork } from '../../../db/chain/branches.ts'
import { writeRange } from '../../../db/chain/write.ts'
import { transact } from '../../../db/transact.ts'
import type { ChainRange } from '../chain-data.ts'
import { checkBranch } from '../reorg.ts'
import type { BlockReader, FollowedWallet, ReadBlock } from './block-reader.ts'
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
  /** blocks that have been compared once more; null: none */
  confirm: { above: number; block: number } | null
}

interface CommitDeps {
  pool: pg.Pool
  reader: Pick<BlockReader, 'findWallets' | 'keep'>
}

/**
 * Writes rows, touched wallets, coverage, cursor and what is confirmed in one transaction. Throws Superseded, CursorMoved, or
 * ReorgDetected when stored blocks are of another branch.
 */
export async function commitBatch({ pool, reader }: CommitDeps, batch: Batch): Promise<void> {
  const { networkId, blocks, late } = batch
  const last = blocks.at(-1)!.block
  await transact(pool, async ({ client }) => {
    await lockNetwork(client, { networkId, mode: 'write' })
    const follow = await lockFollow(client, batch)
    if (!follow) throw new Superseded(`${networkId}: a later attempt follows the network`)
    if (follow.cursor?.hash !== batch.after?.hash) throw new CursorMoved(`${networkId}: the cursor moved`)
    await checkBranch(client, { networkId, range: rangeOf([...late, ...blocks], null) })
    await coverWallets(client, { networkId, ...batch.cover })
    await writeBlocks(client, { ...batch, reader, blocks: [...late, ...blocks] })
    await moveFollow(client, {
      networkId,
      cursor: markOf(last),
      cursorAt: new Date(last.atMs),
      headBlock: batch.headBlock,
      method: batch.method,
    })
    if (batch.confirm) await confirmThrough(client, { ...batch.confirm, networkId, epoch: batch.epoch })
  })
}

/**
 * Writes blocks at or below the cursor in which a log had been left out. Throws Superseded, or ReorgDetected
 * when the stored blocks are of another branch.
 */
export async function commitLeftOut(
  { pool, reader }: CommitDeps,
  input: Pick<Batch, 'networkId' | 'source' | 'epoch' | 'fetchedAt' | 'blocks'>,
): Promise<void> {
  const { networkId, blocks } = input
  await transact(pool, async ({ client }) => {
    await lockNetwork(client, { networkId, mode: 'write' })
    if (!(await lockFollow(client, input)))
      throw new Superseded(`${networkId}: a later attempt follows the network`)
    await checkBranch(client, { networkId, range: rangeOf(blocks, null) })
    await writeBlocks(client, { ...input, reader })
  })
}

/** Writes the blocks and what involves covered wallets, and marks these. */
async function writeBlocks(
  client: pg.ClientBase,
  input: Pick<Batch, 'networkId' | 'source' | 'fetchedAt' | 'blocks'> & Pick<CommitDeps, 'reader'>,
): Promise<void> {
  const { networkId, fetchedAt, blocks, reader } = input
  const throughBlock = blocks.at(-1)!.block.number
  const addresses = [...new Set(blocks.flatMap(({ match }) => [...match.addresses]))]
  const wallets = await reader.findWallets(client, { addresses, fetchedAt, throughBlock })
  const range = rangeOf(blocks, wallets.length > 0 ? reader.keep(wallets) : null)
  await writeRange(client, { ...input, range })
  await markTouched(client, { networkId, touches: touchesOf(wallets, blocks) })
}

/** The blocks, and what is kept of their transactions; null: nothing. */
function rangeOf(blocks: readonly ReadBlock[], keep: ReturnType<BlockReader['keep']> | null): ChainRange {
  const range: ChainRange = { blocks: blocks.map(({ block }) => block), transactions: [], transfers: [] }
  if (keep === null) return range
  for (const decoded of blocks.flatMap((block) => block.decoded)) {
    const transfers = keep(decoded)
    if (!transfers) continue
    range.transactions.push(decoded.transaction)
    range.transfers.push(...transfers)
  }
  return range
}

function touchesOf(wallets: readonly FollowedWallet[], blocks: readonly ReadBlock[]): Touch[] {
  const touches = new Map<string, Touch>()
  for (const { block, match } of blocks)
    for (const { walletId, address } of wallets)
      if (match.addresses.has(address)) {
        const fromBlock = touches.get(walletId)?.fromBlock ?? block.number
        touches.set(walletId, { walletId, fromBlock, throughBlock: block.number })
      }
  return [...touches.values()]
}
