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
  /** read the last blocks before the cursor again: a lagging source may have missed rows */
  lookBack: boolean
  /** page to resume at, for a source that pages backwards */
  next: string | null
}

export interface BackfillProgress {
  cursorBlock: number
  /** the lower of the input's `headBlock` and the current head, which a reorg may have moved back */
  headBlock: number
  lookBack: boolean
  next: string | null
}

export interface BackfillNetwork {
  id: string
  reorgDepth: number
  source: WalletSource
}

/** A step starts no further part after this time. */
const STEP_MS = 5_000

/**
 * Reads the next parts of a wallet's history. Commits each part's rows together with the cursor while the
 * next part is being read. After a reorg it deletes the rows of replaced blocks; the next step reads them
 * again.
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
      // The next part may depend on accounts that this part found and that are not stored yet.
      reading = hasMore && !isTimeUp && part.accounts.length === 0 ? read(to) : null
      // Awaited in the next round; never if this commit fails, which must not raise an unhandled rejection.
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

/**
 * Throws ReorgDetected when the part does not continue the stored blocks, or another run moved the cursor.
 */
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
    // A lagging source may deliver rows late, below the blocks that are already normalised.
    const normalised = inserted + found > 0 ? part.fromBlock - 1 : part.through
    const hasMoved = await moveCursor(client, {
      walletId,
      networkId,
      from: from.cursorBlock,
      to: to.cursorBlock,
      headBlock: to.headBlock,
      normalisedAtMost: normalised,
    })
    // Another attempt of this step or a rewind moved the cursor first: the next step continues from there.
    if (!hasMoved) throw new ReorgDetected(networkId, from.cursorBlock)
  })
}
