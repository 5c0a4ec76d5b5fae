import type pg from 'pg'
import { storedBalances, writeBalances } from '../../../db/chain/balances.ts'
import type { BalanceToWrite } from '../../../db/chain/balances.ts'
import { lockNetwork } from '../../../db/chain/branches.ts'
import { busyWallets } from '../../../db/chain/busy-wallets.ts'
import type { BusyWallets } from '../../../db/chain/busy-wallets.ts'
import type { OldTransactions } from '../../../db/chain/cold-transactions.ts'
import { pauseWallets } from '../../../db/chain/coverage.ts'
import { isStored } from '../../../db/chain/follows.ts'
import { readMarks, settleMarks } from '../../../db/chain/marks.ts'
import type { Mark, MarkLeft } from '../../../db/chain/marks.ts'
import type { RawRange } from '../../../db/chain/wallet-raw.ts'
import { rolesWhere } from '../../../db/pnl/legs/roles.ts'
import { transact } from '../../../db/transact.ts'
import type { Transaction } from '../../../db/transact.ts'
import { DAY_MS, startOfPeriod } from '../../../db/values/periods.ts'
import type { ChainBlock } from '../chain-data.ts'
import { compareBalances } from '../compare-balances.ts'
import type { BalancesAt, Compared } from '../compare-balances.ts'
import { noteBalances } from '../note-balances.ts'
import { ASK_AGAIN_MS, EXPLORER_LAG_MS } from '../store-internals.ts'
import type { Explanation } from '../store-internals.ts'
import { loadContext } from '../wallet-context.ts'
import type { BatchDeps } from './derive-batch.ts'
import { deriveRanges } from './derive-ranges.ts'
import type { DerivedRange } from './derive-ranges.ts'

/** What touched wallets hold at the block of the cursor. */
interface Prepared {
  block: ChainBlock
  marks: readonly Mark[]
  /** what came of asking, by wallet whose native coins did not add up */
  explanations: ReadonlyMap<string, Explanation>
  balances: ReadonlyMap<string, BalanceToWrite[]>
  old: OldTransactions
}

/** Pause before an explorer that did not answer is asked again. */
const EXPLORER_PAUSE_MS = 60_000
/** A wallet with more transactions in an hour is derived once a minute. */
const HOURLY_LIMIT = 500
const REST_MS = 60_000

/** May be empty: nothing below the block is left to derive. */
export function rangeOf({ walletId, addresses, fromBlock, throughBlock }: Mark, block: ChainBlock): RawRange {
  return { walletId, addresses, fromBlock, toBlock: Math.min(throughBlock, block.number) }
}

/** Writes what becomes of the marks. Leaves those alone that changed meanwhile, and all of them after a reorg. */
export async function commitDerived(
  { pool, network, now, dailyLimit }: BatchDeps,
  prepared: Prepared,
): Promise<void> {
  const { block } = prepared
  const { id: networkId, source } = network
  await transact(pool, async (transaction) => {
    const { client } = transaction
    await lockNetwork(client, { networkId, mode: 'write' })
    if (!(await isStored(client, { networkId, block }))) return
    const taken = await takeMarks(client, networkId, prepared.marks)
    const context = await loadContext(client, { networkId, tokens: [] })
    const at: BalancesAt = { networkId, block, source: source.name, now: now(), context }
    const whole = taken.filter(({ isWhole }) => isWhole)
    const ranges = whole.map((mark) => rangeOf(mark, block))
    const asked = { networkId, ranges, isNews: true, now: at.now, old: prepared.old }
    const derived = await deriveRanges(transaction, asked)
    const byWallet = new Map(derived.map((one) => [one.walletId, one]))
    const complete = whole.filter(
      (mark) => byWallet.get(mark.walletId)!.through >= rangeOf(mark, block).toBlock,
    )
    const { explanations } = prepared
    const { unexplained, opened } = await compare(transaction, {
      ...at,
      balances: prepared.balances,
      complete: complete.map((mark) => ({ mark, derived: byWallet.get(mark.walletId)! })),
      explanations,
      mayExplain: source.readInternals !== undefined,
    })
    const waiting = taken.filter(({ isWhole }) => !isWhole)
    await storeOnly(client, { ...at, waiting, balances: prepared.balances })
    const moved = derived.filter(({ transactions }) => transactions.length > 0)
    const busy = await busyWallets(client, {
      networkId,
      walletIds: moved.map(({ walletId }) => walletId),
      at: new Date(block.atMs),
      hourly: HOURLY_LIMIT,
      daily: dailyLimit,
    })
    const until = new Date(startOfPeriod('daily', block.atMs) + DAY_MS)
    await pauseWallets(client, { networkId, walletIds: [...busy.overDay], until })
    const left = taken.flatMap((mark) => {
      const { walletId } = mark
      return leftOf(mark, {
        block,
        busy,
        derived: byWallet.get(walletId),
        verified: unexplained.get(walletId),
        explanation: explanations.get(walletId),
        isOpened: opened.has(walletId),
      })
    })
    const kept = new Set(left.map(({ walletId }) => walletId))
    const done = taken.map(({ walletId }) => walletId).filter((walletId) => !kept.has(walletId))
    await settleMarks(client, { networkId, walletIds: done, left })
  })
}

/** Locks the marks. One that changed, but for later blocks, was not prepared: the next batch takes it. */
async function takeMarks(client: pg.ClientBase, networkId: string, marks: readonly Mark[]): Promise<Mark[]> {
  const read = new Map(marks.map((mark) => [mark.walletId, mark]))
  const locked = await readMarks(client, { networkId, walletIds: [...read.keys()], isTaken: true })
  return locked.filter((mark) => {
    const { reason, fromBlock, isWhole } = read.get(mark.walletId)!
    return mark.reason === reason && mark.fromBlock === fromBlock && mark.isWhole === isWhole
  })
}

interface Complete {
  mark: Mark
  derived: DerivedRange
}

/** Compares balances. Native coins are opened only when whoever can explain them has been asked. */
async function compare(
  transaction: Transaction,
  input: BalancesAt & {
    balances: Prepared['balances']
    complete: readonly Complete[]
    explanations: Prepared['explanations']
    mayExplain: boolean
  },
): Promise<Compared> {
  const { complete, explanations, mayExplain, balances, ...at } = input
  return await compareBalances(transaction, {
    ...at,
    wallets: complete.map(({ mark: { walletId, reason, fromBlock, isFirst }, derived }) => {
      const isUnexplained = reason === 'unexplained'
      return {
        walletId,
        balances: balances.get(walletId)!,
        isWhole: false,
        isFirst,
        // After a reorg the stored balances may be of the other branch.
        moved: reason === 'reorg' || isUnexplained ? null : { fromBlock, byCoin: movedBy(derived) },
        // Since then its balances were stored, though they did not add up.
        verified: isUnexplained ? fromBlock - 1 : null,
      }
    }),
    mayOpenNative: (walletId) => !mayExplain || (explanations.get(walletId) ?? 'later') !== 'later',
  })
}

/** Stores the balances of wallets whose history is not complete: their movements do not say enough. */
async function storeOnly(
  client: pg.ClientBase,
  input: BalancesAt & { waiting: readonly Mark[]; balances: Prepared['balances'] },
): Promise<void> {
  const { networkId, block, source, now, waiting, balances } = input
  if (waiting.length === 0) return
  const wallets = waiting.map(({ walletId }) => ({
    walletId,
    balances: balances.get(walletId)!,
    isWhole: false,
  }))
  const walletIds = wallets.map(({ walletId }) => walletId)
  const stored = await storedBalances(client, { networkId, walletIds })
  await noteBalances(client, { networkId, stored, wallets, blockNumber: block.number })
  await writeBalances(client, { networkId, block, source, fetchedAt: now, wallets })
}

const COUNTED = new Set<string>(rolesWhere(({ counts }) => counts))

/** Base units that the derived transactions move, by coin. */
function movedBy({ transactions }: DerivedRange): Map<string, bigint> {
  const moved = new Map<string, bigint>()
  for (const { movements } of transactions)
    for (const one of movements)
      if (COUNTED.has(one.role)) moved.set(one.coinId, (moved.get(one.coinId) ?? 0n) + one.raw)
  return moved
}

function leftOf(
  mark: Mark,
  found: {
    block: ChainBlock
    busy: BusyWallets
    derived: DerivedRange | undefined
    verified: number | undefined
    explanation: Explanation | undefined
    isOpened: boolean
  },
): MarkLeft[] {
  const { block, busy, derived, verified, explanation, isOpened } = found
  const { walletId, fromBlock, throughBlock, isWhole } = mark
  // Its history is read first.
  if (!isWhole || !derived) return [{ ...mark, waitMs: null, since: 'mark' }]
  if (busy.overDay.has(walletId)) return []
  const next = derived.through + 1
  if (verified !== undefined)
    return [
      {
        walletId,
        fromBlock: Math.min(verified + 1, fromBlock),
        throughBlock: Math.max(throughBlock, block.number),
        reason: 'unexplained',
        waitMs: explanation === 'later' ? EXPLORER_PAUSE_MS : EXPLORER_LAG_MS,
        since: 'now',
      },
    ]
  // More transactions than fit into one batch.
  if (next <= Math.min(throughBlock, block.number))
    return [{ ...mark, fromBlock: next, waitMs: 0, since: 'mark' }]
  // Those who told may know more later. Who was touched meanwhile has not been asked yet.
  const isAskedLater = mark.reason === 'unexplained' && explanation === undefined
  if (isAskedLater || (isOpened && explanation === 'told')) {
    const waitMs = isAskedLater ? EXPLORER_LAG_MS : ASK_AGAIN_MS
    return [{ ...mark, throughBlock: Math.max(throughBlock, block.number), waitMs, since: 'wait' }]
  }
  if (busy.overHour.has(walletId))
    return [{ ...mark, fromBlock: next, reason: 'block', waitMs: REST_MS, since: 'now' }]
  return next > throughBlock ? [] : [{ ...mark, fromBlock: next, reason: 'block', waitMs: 0, since: 'now' }]
}
