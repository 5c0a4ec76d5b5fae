import type pg from 'pg'
import { writeBalances, storedBalances } from '../../../db/chain/balances.ts'
import type { BalanceToWrite } from '../../../db/chain/balances.ts'
import { isStored, readCursor } from '../../../db/chain/follows.ts'
import { readMarks, settleMarks } from '../../../db/chain/marks.ts'
import type { Mark, MarkLeft } from '../../../db/chain/marks.ts'
import { rangeTokens } from '../../../db/chain/wallet-raw.ts'
import type { RawRange } from '../../../db/chain/wallet-raw.ts'
import { lockNetwork } from '../../../db/chain/write.ts'
import { rolesWhere } from '../../../db/pnl/legs/roles.ts'
import { transact } from '../../../db/transact.ts'
import type { ChainBlock } from '../chain-data.ts'
import { compareBalances } from '../compare-balances.ts'
import type { BalancesAt } from '../compare-balances.ts'
import { identifyUsed } from '../identify-tokens.ts'
import type { ChainNetwork } from '../networks.ts'
import { noteBalances } from '../note-balances.ts'
import { loadContext } from '../wallet-context.ts'
import { deriveRanges } from './derive-ranges.ts'
import type { DerivedRange } from './derive-ranges.ts'
import { readTouchedBalances } from './touched-balances.ts'
import { unspentBalances } from './unspent-balances.ts'

export interface BatchDeps {
  pool: pg.Pool
  network: ChainNetwork
  now: () => Date
}

/**
 * Derives the touched wallets of a network up to the cursor of its follower: what needs the node first, for all
 * wallets together, then their rows, balances, P&L marks and events in one transaction. Repeating it changes
 * nothing. Leaves marks alone that changed meanwhile, and all of them after a reorg.
 */
export async function deriveBatch(deps: BatchDeps, walletIds: readonly string[]): Promise<void> {
  const { pool, network, now } = deps
  const { id: networkId, source, blockchain } = network
  const block = await readCursor(pool, networkId)
  if (!block) return
  const marks = await readMarks(pool, { networkId, walletIds, isTaken: false })
  const ranges = marks.map((mark) => rangeOf(mark, block))
  const tokens = await rangeTokens(pool, { networkId, ranges })
  const identifying = { pool, source, now, onProgress: () => {} }
  await identifyUsed(identifying, { networkId, blockchain, used: mergeUses(tokens) })
  const { readManyBalances } = source
  const asked = { networkId, block, marks, tokens }
  const balances = readManyBalances
    ? await readTouchedBalances({ pool, readManyBalances }, { ...asked, blockHash: block.hash })
    : await unspentBalances(pool, asked)
  await commit(deps, { block, marks, balances })
}

/** What one contract shows in the ranges of several wallets. */
function mergeUses(tokens: Awaited<ReturnType<typeof rangeTokens>>) {
  return [...Map.groupBy(tokens, ({ address }) => address)].map(([address, all]) => ({
    address,
    receivers: Math.max(...all.map(({ receivers }) => receivers)),
    isNft: all.some(({ isNft }) => isNft),
  }))
}

/** May be empty: nothing below the block is left to derive. */
function rangeOf({ walletId, addresses, fromBlock, throughBlock }: Mark, block: ChainBlock): RawRange {
  return { walletId, addresses, fromBlock, toBlock: Math.min(throughBlock, block.number) }
}

interface Prepared {
  block: ChainBlock
  marks: readonly Mark[]
  balances: ReadonlyMap<string, BalanceToWrite[]>
}

async function commit(
  { pool, network, now }: BatchDeps,
  { block, marks, balances }: Prepared,
): Promise<void> {
  const { id: networkId, source } = network
  await transact(pool, async (transaction) => {
    const { client } = transaction
    await lockNetwork(client, { networkId, mode: 'write' })
    if (!(await isStored(client, { networkId, block }))) return
    const prepared = new Map(marks.map((mark) => [mark.walletId, mark]))
    const locked = await readMarks(client, { networkId, walletIds: [...prepared.keys()], isTaken: true })
    // What changed but for later blocks was not prepared: the next batch takes it.
    const taken = locked.filter((mark) => {
      const { reason, fromBlock, isWhole } = prepared.get(mark.walletId)!
      return mark.reason === reason && mark.fromBlock === fromBlock && mark.isWhole === isWhole
    })
    const whole = taken.filter(({ isWhole }) => isWhole)
    const ranges = whole.map((mark) => rangeOf(mark, block))
    const derived = await deriveRanges(transaction, { networkId, ranges, isNews: true, now: now() })
    const context = await loadContext(client, { networkId, tokens: [] })
    const at: BalancesAt = { networkId, block, source: source.name, now: now(), context }
    const complete = whole.filter((mark, i) => derived[i]!.through >= ranges[i]!.toBlock)
    const byWallet = new Map(derived.map((one) => [one.walletId, one]))
    await compareBalances(transaction, {
      ...at,
      wallets: complete.map(({ walletId, fromBlock, isFirst, reason }) => ({
        walletId,
        balances: balances.get(walletId)!,
        isWhole: false,
        isFirst,
        moved: reason === 'reorg' ? null : { fromBlock, byCoin: movedBy(byWallet.get(walletId)!) },
      })),
      mayOpenNative: () => true,
    })
    const waiting = taken.filter(({ isWhole }) => !isWhole)
    await storeOnly(client, { ...at, waiting, balances })
    const left = taken.flatMap((mark) => leftOf(mark, { block, derived: byWallet.get(mark.walletId) }))
    const kept = new Set(left.map(({ walletId }) => walletId))
    const done = taken.map(({ walletId }) => walletId).filter((walletId) => !kept.has(walletId))
    await settleMarks(client, { networkId, walletIds: done, left })
  })
}

/** Stores the balances of wallets whose history is not complete: their movements do not say enough. */
async function storeOnly(
  client: pg.ClientBase,
  input: BalancesAt & { waiting: readonly Mark[]; balances: Prepared['balances'] },
): Promise<void> {
  const { networkId, block, source, now, waiting } = input
  if (waiting.length === 0) return
  const wallets = waiting.map(({ walletId }) => ({
    walletId,
    balances: input.balances.get(walletId)!,
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
  { walletId, fromBlock, throughBlock, reason, isWhole }: Mark,
  { block, derived }: { block: ChainBlock; derived: DerivedRange | undefined },
): MarkLeft[] {
  if (!isWhole) return [{ walletId, fromBlock, throughBlock, reason, waitMs: null, isNew: false }]
  const through = derived!.through
  if (through >= throughBlock) return []
  const isNew = through >= block.number
  return [
    { walletId, fromBlock: through + 1, throughBlock, reason: isNew ? 'block' : reason, waitMs: 0, isNew },
  ]
}
