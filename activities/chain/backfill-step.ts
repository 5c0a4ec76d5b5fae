import type pg from 'pg'
import { moveCursor, readCursor } from '../../db/chain/sync-marks.ts'
import { findStored } from '../../db/chain/wallet-raw.ts'
import { readAccounts, writeAccounts } from '../../db/chain/wallet-accounts.ts'
import { lockNetwork, writeRange } from '../../db/chain/write.ts'
import { transact } from '../../db/transact.ts'
import { checkBranch, ReorgDetected, undoReorg } from './reorg.ts'
import type { HistoryPart, WalletSource } from './wallet-source.ts'

export interface BackfillInput {
  walletId: string
  address: string
  networkId: string
  /** head seen when the sync started */
  headBlock: number
  /** read the last blocks before the cursor once more, for rows that the source had not had yet */
  lookBack: boolean
  /** where a source that pages backwards goes on */
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
  reorgDepth: number
  source: WalletSource
}

/** After this a step ends with the part in hand. */
const STEP_MS = 5_000

/**
 * Reads on in a wallet's history and commits each part's rows with the cursor, while the next part is being read. A reorg
 * takes back the rows of the blocks that are gone; the next step reads them anew.
 */
export async function backfillStep(
  deps: { pool: pg.Pool; now: () => Date; onProgress: () => void },
  network: BackfillNetwork,
  input: BackfillInput,
): Promise<BackfillProgress> {
  const { pool, now } = deps
  const { source, reorgDepth } = network
  const { walletId, networkId, address } = input
  const undo = () => undoReorg({ pool, source, networkId, reorgDepth })
  await undo()
  const startMs = now().getTime()
  const { block: head, finalized } = await source.head()
  const headBlock = Math.min(input.headBlock, head.number)
  const settled = Math.min(headBlock, Math.max(finalized, head.number - reorgDepth))
  const accounts = await readAccounts(pool, { walletId, networkId })
  const read = async (from: BackfillProgress): Promise<ReadPart> => {
    const fetchedAt = now()
    const part = await source.readHistory({
      address,
      accounts,
      settled,
      headBlock,
      onProgress: deps.onProgress,
      cursor: from.cursorBlock,
      lookBack: from.lookBack,
      next: from.next,
      findStored: (hashes) => findStored(pool, { networkId, address, hashes }),
    })
    const lookBack = part.next !== null && from.lookBack
    return { part, fetchedAt, from, to: { cursorBlock: part.through, headBlock, lookBack, next: part.next } }
  }

  const cursorBlock = await readCursor(pool, input)
  let progress: BackfillProgress = { cursorBlock, headBlock, lookBack: input.lookBack, next: input.next }
  if (cursorBlock >= headBlock) return { ...progress, lookBack: false, next: null }
  try {
    for (let reading: Promise<ReadPart> | null = read(progress); reading;) {
      const current: ReadPart = await reading
      const { part, to } = current
      const hasMore = to.cursorBlock < headBlock || to.next !== null
      const isTimeUp = now().getTime() - startMs >= STEP_MS
      // What is read next may depend on accounts that this part has found, and they are not stored yet.
      reading = hasMore && !isTimeUp && part.accounts.length === 0 ? read(to) : null
      // It is awaited in the next round, or never when this part cannot be committed.
      reading?.catch(() => {})
      await commitPart(pool, { walletId, networkId, ...current })
      progress = to
    }
    return progress
  } catch (error) {
    if (!(error instanceof ReorgDetected)) throw error
    await undo()
    return { cursorBlock: await readCursor(pool, input), headBlock, lookBack: input.lookBack, next: null }
  }
}

interface ReadPart {
  part: HistoryPart
  fetchedAt: Date
  from: BackfillProgress
  to: BackfillProgress
}

/** Throws ReorgDetected when the part does not join what is stored, or the cursor has moved meanwhile. */
async function commitPart(
  pool: pg.Pool,
  { walletId, networkId, part, fetchedAt, from, to }: ReadPart & { walletId: string; networkId: string },
): Promise<void> {
  await transact(pool, async ({ client }) => {
    await lockNetwork(client, { networkId, mode: 'write' })
    await checkBranch(client, { networkId, range: part.range })
    const origin = { source: part.source, fetchedAt }
    const inserted = await writeRange(client, { networkId, ...origin, range: part.range })
    const found = await writeAccounts(client, { walletId, networkId, ...origin, accounts: part.accounts })
    // Rows that came late (a source that lagged) lie below what is normalised already.
    const normalised = inserted + found > 0 ? part.fromBlock - 1 : part.through
    const hasMoved = await moveCursor(client, {
      walletId,
      networkId,
      from: from.cursorBlock,
      to: to.cursorBlock,
      headBlock: to.headBlock,
      normalisedAtMost: normalised,
    })
    // Another attempt of this step, or a rewind, was faster: what it left is where the next step goes on.
    if (!hasMoved) throw new ReorgDetected(networkId, from.cursorBlock)
  })
}
