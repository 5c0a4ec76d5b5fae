import { coinsToPrice } from '../../db/chain/coins-to-price.ts'
import { completeSync, dueSyncs, failSync, networksWithGaps, startSync } from '../../db/chain/syncs.ts'
import { FORMAT_VERSION } from '../../db/chain/stored-transaction.ts'
import { markToVerify } from '../../db/chain/touched.ts'
import { ownAddresses } from '../../db/chain/sync-progress.ts'
import type { ActivityDeps, NodeDeps } from '../deps.ts'
import { isSourceError } from '../errors.ts'
import { backfillStep } from './backfill-step.ts'
import type { BackfillInput, BackfillProgress } from './backfill-step.ts'
import { checkWallets } from './check-wallets.ts'
import type { CheckInput, CheckResult } from './check-wallets.ts'
import { readFirstBalances } from './first-balances.ts'
import { coldReader } from './read-cold.ts'
import { identifyTokens } from './identify-tokens.ts'
import { createNetworks } from './networks.ts'
import { normaliseStep } from './normalise-step.ts'
import type { NormaliseInput, NormaliseProgress } from './normalise-step.ts'
import { undoReorg } from './reorg.ts'
import { verifyBalances } from './verify-balances.ts'
import type { VerifyInput } from './verify-balances.ts'

export interface WalletSyncKey {
  /** canonical: see db/values/wallet-address.ts */
  address: string
  networkId: string
}

export type ChainActivities = ReturnType<typeof createChainActivities>

/**
 * The activities that read chains or write their rows. Idempotent; they return cursors and counts, never
 * rows.
 */
export function createChainActivities(
  deps: Pick<ActivityDeps, 'pool' | 'http' | 'now' | 'config' | 'heartbeat'> & NodeDeps,
) {
  const { pool, now, heartbeat } = deps
  const networkOf = createNetworks(deps)
  const readCold = coldReader(deps.config.exportTarget)

  /** false also for a network that is off */
  async function mayFillGaps(networkId: string): Promise<boolean> {
    try {
      return (await networkOf(networkId)).source.mayFillGaps?.() ?? false
    } catch (error) {
      if (isSourceError(error)) return false
      throw error
    }
  }

  return {
    /** Undoes a reorg if there was one, and records the head that the sync must reach. */
    async beginWalletSync({ address, networkId }: WalletSyncKey) {
      const { source, reorgDepth } = await networkOf(networkId)
      await undoReorg({ pool, source, networkId, reorgDepth })
      const { block } = await source.head()
      const { walletId, synced } = await startSync(pool, { address, networkId, headBlock: block.number })
      return {
        walletId,
        headBlock: block.number,
        isFirst: !synced,
        readsOldBalances: source.readsOldBalances ?? false,
      }
    },

    async readFirstBalances(input: WalletSyncKey & { walletId: string }) {
      const { source, blockchain } = await networkOf(input.networkId)
      return await readFirstBalances({ pool, source, now }, { ...input, blockchain })
    },

    async backfillWallet(input: BackfillInput): Promise<BackfillProgress> {
      const network = await networkOf(input.networkId)
      return await backfillStep({ pool, now, onProgress: heartbeat }, network, input)
    },

    async identifyWalletTokens({ address, networkId }: WalletSyncKey) {
      const { source, blockchain } = await networkOf(networkId)
      return await identifyTokens(
        { pool, source, now, onProgress: heartbeat },
        { networkId, blockchain, address },
      )
    },

    /** Coins whose prices the wallet needs, and since when; null while it has no history. */
    async listWalletCoins({ address, networkId }: WalletSyncKey) {
      const addresses = await ownAddresses(pool, { networkId, address })
      const found = await coinsToPrice(pool, { networkId, addresses })
      return found && { coinIds: found.coinIds, from: found.from.toISOString(), to: now().toISOString() }
    },

    async normaliseWallet(input: NormaliseInput): Promise<NormaliseProgress> {
      return await normaliseStep({ pool, now, readCold }, input)
    },

    async verifyWalletBalances(input: VerifyInput) {
      const network = await networkOf(input.networkId)
      return await verifyBalances({ pool, network, now, readCold }, input)
    },

    async markWalletsToVerify({ wallets }: { wallets: readonly WalletSyncKey[] }) {
      return await markToVerify(pool, wallets)
    },

    /** false: a reorg during the sync left the rows short of the head, so the sync must continue. */
    async completeWalletSync({ walletId, networkId }: { walletId: string; networkId: string }) {
      return await completeSync(pool, { walletId, networkId })
    },

    async failWalletSync({ address, networkId, failure }: WalletSyncKey & { failure: string }) {
      await failSync(pool, { address, networkId, failure })
    },

    async checkWallets(input: CheckInput): Promise<CheckResult> {
      const { source } = await networkOf(input.networkId)
      return await checkWallets({ pool, source, onProgress: heartbeat }, input)
    },

    async listDueWallets(input: { olderThanSeconds: number; limit: number }) {
      const withGaps = await networksWithGaps(pool)
      const canFill = await Promise.all(withGaps.map(mayFillGaps))
      const gapNetworks = withGaps.filter((_, i) => canFill[i])
      return await dueSyncs(pool, { ...input, formatVersion: FORMAT_VERSION, gapNetworks })
    },
  }
}
