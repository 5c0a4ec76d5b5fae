import type pg from 'pg'
import {
  joinFollower,
  moveCursor,
  readAccounts,
  readPlace,
  reopenGap,
  writeAccounts,
} from '../../db/chain/sync-progress.ts'
import { findStored } from '../../db/chain/wallet-raw.ts'
import { lockNetwork } from '../../db/chain/branches.ts'
import { writeRange } from '../../db/chain/write.ts'
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
  /** as in the progress of the last step */
  next: string | null
}

export interface BackfillProgress {
  cursorBlock: number
  /** the lower of the input's `headBlock` and the current head, which a reorg may have moved back */
  headBlock: number
  lookBack: boolean
  /** not null: a range is half read; the page where it goes on is stored with the cursor */
  next: string | null
}

export interface BackfillNetwork {
  id: string
  reorgDepth: number
  source: WalletSource
}

/** A step starts no further part after this time. */
const STEP_MS = 5_000

/** Where the next part begins. The bounds of a half read range stay those with which it began. */
interface Position extends BackfillProgress {
  settled: number
}

/**
 * Reads the next parts of a wallet's history. Commits each part's rows together with the place after it while
 * the next part is being read, so a source that fails costs at most one part. After a reorg it deletes the
 * rows of replaced blocks; the next step reads them again. Blocks that a follower has stored are not read again.
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
  const read = async (from: Position): Promise<ReadPart> => {
    const fetchedAt = now()
    const part = await source.readHistory({
      address,
      accounts,
      settled: from.settled,
      headBlock: from.headBlock,
      onProgress: deps.onProgress,
      cursor: from.cursorBlock,
      lookBack: from.lookBack,
      next: from.next,
      findStored: (hashes) => findStored(pool, { networkId, address, hashes }),
    })
    const after = part.next === null ? { ...end, lookBack: false } : from
    return { part, fetchedAt, from, to: { ...after, cursorBlock: part.through, next: part.next } }
  }
  const resultOf = ({ cursorBlock, lookBack, next }: Position) => ({ cursorBlock, headBlock, lookBack, next })

  let place = await readPlace(pool, input)
  if (place.gap && source.mayFillGaps?.()) place = await reopenGap(pool, input)
  if (source.readsByBlock && (await takeOverFollowed(pool, input))) place = await readPlace(pool, input)
  const isBelow = source.readsByBlock && place.coveredFrom !== null && place.cursor < place.coveredFrom - 1
  const most = isBelow ? place.coveredFrom! - 1 : Infinity
  const end = { headBlock: Math.min(headBlock, most), settled: Math.min(settled, most) }
  let progress: Position = place.walk
    ? { ...place.walk, cursorBlock: place.cursor }
    : { cursorBlock: place.cursor, ...end, lookBack: input.lookBack, next: null }
  if (place.cursor >= headBlock) return { ...resultOf(progress), lookBack: false, next: null }
  try {
    for (let reading: Promise<ReadPart> | null = read(progress); reading;) {
      const current: ReadPart = await reading
      const { part, to } = current
      const hasMore = to.cursorBlock < end.headBlock || to.next !== null
      const isTimeUp = now().getTime() - startMs >= STEP_MS
      // The next part may depend on accounts that this part found and that are not stored yet.
      reading = hasMore && !isTimeUp && part.accounts.length === 0 ? read(to) : null
      // Awaited in the next round; never if this commit fails, which must not raise an unhandled rejection.
      reading?.catch(() => {})
      await commitPart(pool, { walletId, networkId, headBlock, ...current })
      progress = to
    }
    return resultOf(progress)
  } catch (error) {
    if (!(error instanceof ReorgDetected)) throw error
    await undo()
    const { cursor } = await readPlace(pool, input)
    return { cursorBlock: cursor, headBlock, lookBack: input.lookBack, next: null }
  }
}

/** Moves the cursor behind what the follower has stored of the wallet. No rewind runs meanwhile. */
async function takeOverFollowed(
  pool: pg.Pool,
  { walletId, networkId }: { walletId: string; networkId: string },
): Promise<boolean> {
  return await transact(pool, async ({ client }) => {
    await lockNetwork(client, { networkId, mode: 'write' })
    return await joinFollower(client, { walletId, networkId })
  })
}

interface ReadPart {
  part: HistoryPart
  fetchedAt: Date
  from: Position
  to: Position
}

/**
 * Throws ReorgDetected when the part does not continue the stored blocks, or another run moved the cursor.
 */
async function commitPart(
  pool: pg.Pool,
  input: ReadPart & { walletId: string; networkId: string; headBlock: number },
): Promise<void> {
  const { walletId, networkId, headBlock, part, fetchedAt, from, to } = input
  const { next, settled, lookBack } = to
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
      headBlock,
      normalisedAtMost: normalised,
      walk: next === null ? null : { headBlock: to.headBlock, settled, lookBack, next },
      gap:
        part.missing === undefined
          ? null
          : { fromBlock: part.fromBlock, toBlock: part.through, reason: part.missing },
    })
    // Another attempt of this step or a rewind moved the cursor first: the next step continues from there.
    if (!hasMoved) throw new ReorgDetected(networkId, from.cursorBlock)
  })
}
