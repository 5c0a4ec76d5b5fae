import type pg from 'pg'
import { lockNetwork, writeRange } from '../../db/chain/write.ts'
import { transact } from '../../db/transact.ts'
import type { ChainRange } from './chain-data.ts'
import { checkBranch, ReorgDetected, undoReorg } from './reorg.ts'
import type { Explorer } from './sources/explorer.ts'
import type { RpcSource } from './sources/rpc.ts'

export interface BackfillInput {
  walletId: string
  address: string
  networkId: string
  /** head seen when the sync started */
  headBlock: number
  /** read the last blocks before the cursor once more, for rows that the explorer had not had yet */
  lookBack: boolean
  /** where an explorer that pages backwards goes on */
  next: string | null
}

export interface BackfillProgress {
  cursorBlock: number
  /** the lower of `headBlock` and the chain's head now, which a reorg may have moved back */
  headBlock: number
  lookBack: boolean
  next: string | null
}

export interface BackfillNetwork {
  id: string
  chainId: number
  reorgDepth: number
  rpc: RpcSource
  /** null: history comes from the node alone, whose blocks are all read */
  explorer: Explorer | null
}

const SETTLED_BLOCKS_PER_STEP = 2_000
const HEAD_BLOCKS_PER_STEP = 200

/**
 * Reads the next part of a wallet's history and commits its rows with the cursor. Settled blocks come from the
 * explorer, or by logs from the node; blocks that may still change are read whole and linked by parent hash.
 * A reorg takes back the rows of the blocks that are gone; the next step reads them anew.
 */
export async function backfillStep(
  deps: { pool: pg.Pool; now: () => Date; onProgress: () => void },
  network: BackfillNetwork,
  input: BackfillInput,
): Promise<BackfillProgress> {
  const { pool } = deps
  const { rpc } = network
  const { walletId, networkId } = input
  const undo = () => undoReorg({ pool, rpc, networkId, reorgDepth: network.reorgDepth })
  await undo()
  const cursor = await readCursor(pool, input)
  const { block: head, finalized } = await rpc.head()
  const headBlock = Math.min(input.headBlock, head.number)
  if (cursor >= headBlock) return { cursorBlock: cursor, headBlock, lookBack: false, next: null }

  const settled = Math.min(headBlock, Math.max(finalized, head.number - network.reorgDepth))
  const fetchedAt = deps.now()
  const lookBackFrom = Math.max(0, cursor + 1 - network.reorgDepth)
  const fromBlock = input.lookBack && network.explorer ? lookBackFrom : cursor + 1
  const part =
    fromBlock <= settled
      ? await readSettledPart(deps, network, { ...input, cursor, fromBlock, settled })
      : await readHeadPart(deps, network, { ...input, cursor, headBlock })
  try {
    return await transact(pool, async ({ client }) => {
      await lockNetwork(client, { networkId, mode: 'write' })
      await checkBranch(client, { networkId, range: part.range })
      const inserted = await writeRange(client, {
        networkId,
        source: part.source,
        fetchedAt,
        range: part.range,
      })
      // Rows that came late (an explorer that lagged) lie below what is normalised already.
      const normalised = inserted > 0 ? part.fromBlock - 1 : part.through
      const { rowCount } = await client.query(
        `update wallet_syncs set cursor_block = $3, head_block = $4,
           normalised_block = least(normalised_block, $5)
         where wallet_id = $1 and network_id = $2 and cursor_block = $6`,
        [walletId, networkId, part.through, headBlock, normalised, cursor],
      )
      // Another attempt of this step, or a rewind, was faster: what it left is where the next step goes on.
      if (rowCount === 0) throw new ReorgDetected(networkId, cursor)
      const lookBack = part.next !== null && input.lookBack
      return { cursorBlock: part.through, headBlock, lookBack, next: part.next }
    })
  } catch (error) {
    if (!(error instanceof ReorgDetected)) throw error
    await undo()
    return { cursorBlock: await readCursor(pool, input), headBlock, lookBack: input.lookBack, next: null }
  }
}

interface Part {
  source: string
  range: ChainRange
  fromBlock: number
  through: number
  next: string | null
}

async function readSettledPart(
  deps: { onProgress: () => void },
  network: BackfillNetwork,
  input: BackfillInput & { cursor: number; fromBlock: number; settled: number },
): Promise<Part> {
  const { rpc, explorer } = network
  const accounts = new Set([input.address])
  const { fromBlock } = input
  if (!explorer) {
    const { range, through } = await rpc.readSettled({
      fromBlock,
      toBlock: Math.min(input.settled, input.cursor + SETTLED_BLOCKS_PER_STEP),
      accounts,
      onProgress: deps.onProgress,
    })
    await addBoundary(rpc, range, through)
    return { source: rpc.source, range, fromBlock, through, next: null }
  }
  const request = { chainId: network.chainId, address: input.address, fromBlock, toBlock: input.settled }
  const step = await explorer.step({ ...request, next: input.next })
  const range = await rpc.readTransactions({ ...step, accounts, onProgress: deps.onProgress })
  const through = Math.max(input.cursor, step.through)
  await addBoundary(rpc, range, through)
  return { source: explorer.source, range, fromBlock, through, next: step.next }
}

async function readHeadPart(
  deps: { onProgress: () => void },
  network: BackfillNetwork,
  input: BackfillInput & { cursor: number; headBlock: number },
): Promise<Part> {
  const { rpc } = network
  const fromBlock = input.cursor + 1
  const through = Math.min(input.headBlock, input.cursor + HEAD_BLOCKS_PER_STEP)
  const accounts = new Set([input.address])
  const range = await rpc.readBlocks({ fromBlock, toBlock: through, accounts, onProgress: deps.onProgress })
  return { source: rpc.source, range, fromBlock, through, next: null }
}

/** The block that the next range has to continue. */
async function addBoundary(rpc: RpcSource, range: ChainRange, number: number): Promise<void> {
  if (number < 0 || range.blocks.some((block) => block.number === number)) return
  const [block] = await rpc.headers([number])
  if (block) range.blocks.push(block)
}

async function readCursor(pool: pg.Pool, input: { walletId: string; networkId: string }): Promise<number> {
  const { rows } = await pool.query<{ cursor_block: string }>(
    'select cursor_block from wallet_syncs where wallet_id = $1 and network_id = $2',
    [input.walletId, input.networkId],
  )
  return Number(rows[0]?.cursor_block ?? -1)
}
