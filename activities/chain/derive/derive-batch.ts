import type pg from 'pg'
import { type ColdReader, withOldTransactions } from '../../../db/chain/cold-transactions.ts'
import { readCursor } from '../../../db/chain/follows.ts'
import { readMarks } from '../../../db/chain/marks.ts'
import { rangeTokens } from '../../../db/chain/wallet-raw.ts'
import { identifyUsed } from '../identify-tokens.ts'
import type { ChainNetwork } from '../networks.ts'
import { storeInternals } from '../store-internals.ts'
import type { Explanation } from '../store-internals.ts'
import { commitDerived, rangeOf } from './commit-derived.ts'
import { readTouchedBalances } from './touched-balances.ts'
import { unspentBalances } from './unspent-balances.ts'

export interface BatchDeps {
  pool: pg.Pool
  network: ChainNetwork
  /** transactions a day of a wallet, beyond which it is not derived until the next one */
  dailyLimit: number
  now: () => Date
  /** Absent: no exports are known here. */
  readCold?: ColdReader | undefined
}

/**
 * Derives the touched wallets of a network up to the cursor of its follower: what needs the node first, for all
 * wallets together, then their rows, balances, P&L marks and events in one transaction. Repeating it changes
 * nothing.
 */
export async function deriveBatch(deps: BatchDeps, walletIds: readonly string[]): Promise<void> {
  const { pool, network, now } = deps
  const { id: networkId, source, blockchain } = network
  const block = await readCursor(pool, networkId)
  if (!block) return
  const marks = await readMarks(pool, { networkId, walletIds, isTaken: false })
  const explanations = new Map<string, Explanation>()
  for (const { walletId, addresses, fromBlock, reason, isTouched } of marks)
    if (reason === 'unexplained' && !isTouched) {
      const asked = { address: addresses[0]!, fromBlock, toBlock: block.number }
      explanations.set(walletId, await storeInternals(deps, asked))
    }
  const ranges = marks.map((mark) => rangeOf(mark, block))
  const tokens = await rangeTokens(pool, { networkId, ranges })
  const identifying = { pool, source, now, onProgress: () => {} }
  await identifyUsed(identifying, { networkId, blockchain, used: mergeUses(tokens) })
  const { readManyBalances } = source
  const asked = { networkId, block, marks, tokens }
  const balances = readManyBalances
    ? await readTouchedBalances({ pool, readManyBalances }, { ...asked, blockHash: block.hash })
    : await unspentBalances(pool, asked)
  await withOldTransactions(deps.readCold, (old) =>
    commitDerived(deps, { block, marks, explanations, balances, old }),
  )
}

/** What one contract shows in the ranges of several wallets. */
function mergeUses(tokens: Awaited<ReturnType<typeof rangeTokens>>) {
  return [...Map.groupBy(tokens, ({ address }) => address)].map(([address, all]) => ({
    address,
    receivers: Math.max(...all.map(({ receivers }) => receivers)),
    isNft: all.some(({ isNft }) => isNft),
  }))
}
