import {
  ActivityFailure,
  ContinueAsNew,
  continueAsNew,
  CancellationScope,
  isCancellation,
  patched,
  proxyActivities,
  rootCause,
  workflowInfo,
} from '@temporalio/workflow'
import type { ChainActivities, WalletSyncKey } from '../../activities/chain/index.ts'
import type { DefiActivities } from '../../activities/defi/index.ts'
import type { NftActivities } from '../../activities/nft/index.ts'
import type { PnlActivities } from '../../activities/pnl/index.ts'
import type { PricesActivities } from '../../activities/prices/index.ts'
import { activitiesApart } from '../activities-apart.ts'
import { bulkLoad, firstLook, quickCall } from '../policies.ts'

const quick = proxyActivities<ChainActivities>(quickCall)
const first = proxyActivities<ChainActivities & DefiActivities & NftActivities>(firstLook)
const bulk = proxyActivities<ChainActivities>(bulkLoad)
const history = activitiesApart<ChainActivities & PricesActivities>('history', bulkLoad)
const derived = activitiesApart<ChainActivities & PnlActivities>('derived', bulkLoad)

const HEAD_AGE_MS = 5 * 60_000

export interface SyncWalletInput extends WalletSyncKey {
  /** set by the workflow itself when it continues as new */
  resume?: { walletId: string; headBlock: number; lookBack: boolean; next: string | null }
}

export interface SyncWalletResult {
  walletId: string
  headBlock: number
}

/**
 * Syncs one wallet on one network up to the head seen at its start: raw rows first, then derived rows. Its
 * workflow id is `sync:{address}:{networkId}`, so only one runs at a time. Records a failure in
 * `wallet_syncs.failure`.
 */
export async function syncWallet(input: SyncWalletInput): Promise<SyncWalletResult> {
  const { address, networkId } = input
  try {
    return await run(input)
  } catch (error) {
    if (!isCancellation(error) && !(error instanceof ContinueAsNew))
      await CancellationScope.nonCancellable(() =>
        quick.failWalletSync({ address, networkId, failure: failureOf(error) }),
      )
    throw error
  }
}

async function run(input: SyncWalletInput): Promise<SyncWalletResult> {
  const { address, networkId } = input
  for (;;) {
    const startedMs = input.resume ? 0 : Date.now()
    const { walletId, headBlock, isFirst, readsOldBalances } = await backfill(input)
    delete input.resume
    const wallet = { walletId, address, networkId }
    await bulk.identifyWalletTokens({ address, networkId })
    const coins = await quick.listWalletCoins({ address, networkId })
    if (coins) {
      await history.ensureHourlyPrices(coins)
      // A token that got a price by its contract counts as a coin and not as spam.
      await bulk.identifyWalletTokens({ address, networkId })
    }
    // Nodes keep balances only for a few hundred blocks: after a long backfill, catch up with the head first.
    if (!readsOldBalances && Date.now() - startedMs > HEAD_AGE_MS) continue
    while (!(await derived.normaliseWallet(wallet)).done) continue
    await bulk.verifyWalletBalances({ ...wallet, headBlock })
    await derived.recomputeBookPnl({ walletId, networkId })
    // Positions belong to what `synced` promises. Those of later syncs are read on their own schedule.
    if (isFirst) await first.readFirstPositions(wallet).catch(rethrowCancellation)
    if (isFirst && networkId === 'solana' && patched('first-nft-holdings'))
      await first.readFirstHoldings({ address }).catch(rethrowCancellation)
    if (await quick.completeWalletSync({ walletId, networkId })) return { walletId, headBlock }
    // A reorg deleted rows meanwhile: start again with the current head.
  }
}

async function backfill(
  input: SyncWalletInput,
): Promise<{ walletId: string; headBlock: number; isFirst: boolean; readsOldBalances: boolean }> {
  const { address, networkId } = input
  const begun = input.resume ? null : await quick.beginWalletSync({ address, networkId })
  const start = input.resume ?? { ...begun!, lookBack: true, next: null }
  const { walletId } = start
  // Absent in histories of runs that began before there were first balances.
  const isFirst = begun?.isFirst ?? false
  const readsOldBalances = begun?.readsOldBalances ?? false
  // Requests wait for these balances. Without them they get what the whole sync stores.
  if (isFirst) await first.readFirstBalances({ walletId, address, networkId }).catch(rethrowCancellation)
  let { headBlock, lookBack, next } = start
  for (;;) {
    const step = await history.backfillWallet({ walletId, address, networkId, headBlock, lookBack, next })
    ;({ headBlock, lookBack, next } = step)
    if (step.cursorBlock >= headBlock && next === null)
      return { walletId, headBlock, isFirst, readsOldBalances }
    if (workflowInfo().continueAsNewSuggested)
      await continueAsNew<typeof syncWallet>({
        address,
        networkId,
        resume: { walletId, headBlock, lookBack, next },
      })
  }
}

function rethrowCancellation(error: unknown): void {
  if (isCancellation(error)) throw error
}

function failureOf(error: unknown): string {
  const text = error instanceof ActivityFailure ? rootCause(error) : undefined
  return (text ?? (error instanceof Error ? error.message : String(error))).slice(0, 500)
}
