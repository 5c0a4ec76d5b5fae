import { readMarks, settleMarks } from '../../db/defi/marks.ts'
import type { DefiWallet } from '../../db/defi/due-wallets.ts'
import { failDefiRead } from '../../db/defi/fail-read.ts'
import { unpricedCoins } from '../../db/defi/unpriced-coins.ts'
import type { ActivityDeps } from '../deps.ts'
import { SourceUnavailable } from '../errors.ts'
import { inHalves, mapConcurrently } from '../many-items.ts'
import { type NetworkDeps, networkToRead, sourceOf } from './open-network.ts'
import { readWallets } from './read-wallets.ts'

/** Wallets in one batch: their reads share calls, and their rows one transaction. */
export const BATCH_WALLETS = 50
/** Networks read at the same time. */
const PARALLEL = 4

export interface DefiReads {
  read: number
  failed: number
  /** ids of coins that have no price yet */
  unpriced: string[]
}

export type DefiDeps = Pick<ActivityDeps, 'pool' | 'now'> & NetworkDeps

/**
 * Reads wallets in batches, a few networks at a time. A failure is stored, and a wallet that fails stops no other.
 * With `as budgets allow` a network is left for later while its nodes' share for wallets is ahead of the day.
 */
export async function readBatches(
  deps: DefiDeps,
  wallets: readonly DefiWallet[],
  pace: 'now' | 'as budgets allow' = 'now',
): Promise<DefiReads & { failures: Error[] }> {
  const done = { read: 0, failed: 0, unpriced: new Set<string>(), failures: [] as Error[] }
  const fail = async (networkId: string, own: readonly DefiWallet[], error: unknown): Promise<void> => {
    const failure = error instanceof Error ? error : new Error(String(error))
    done.failed += own.length
    done.failures.push(failure)
    await storeFailure(deps, { networkId, wallets: own, failure: failure.message })
  }
  const networks = [...Map.groupBy(wallets, ({ networkId }) => networkId)]
  await mapConcurrently(networks, PARALLEL, async ([networkId, own]) => {
    let network: Awaited<ReturnType<typeof networkToRead>>
    try {
      network = await networkToRead(deps, networkId)
    } catch (error) {
      return await fail(networkId, own, error)
    }
    const readBatch = async (batch: readonly DefiWallet[]): Promise<void> => {
      const { read, failed } = await readWallets(
        { ...deps, open: network.open },
        { networkId, wallets: batch },
      )
      const walletIds = [...read.keys()]
      done.read += walletIds.length
      done.failed += failed.length
      done.failures.push(...failed.map(({ error }) => error))
      for (const coinId of await unpricedCoins(deps.pool, { networkId, walletIds })) done.unpriced.add(coinId)
    }
    for (let index = 0; index < own.length; index += BATCH_WALLETS) {
      if (pace === 'as budgets allow' && !network.isOnPace()) return
      const failures: { wallet: DefiWallet; error: unknown }[] = []
      let unavailable: unknown
      await inHalves(
        own.slice(index, index + BATCH_WALLETS),
        async (batch) => {
          // Halves of a batch are no better while the node does not answer.
          if (unavailable) throw unavailable
          try {
            await readBatch(batch)
          } catch (error) {
            if (error instanceof SourceUnavailable) unavailable = error
            throw error
          }
        },
        (wallet, error) => failures.push({ wallet, error }),
      )
      for (const { wallet, error } of failures) await fail(networkId, [wallet], error)
    }
  })
  return { ...done, unpriced: [...done.unpriced] }
}

async function storeFailure(
  { pool, now }: DefiDeps,
  input: { networkId: string; wallets: readonly DefiWallet[]; failure: string },
): Promise<void> {
  const { networkId, wallets, failure } = input
  for (const { walletId } of wallets)
    await failDefiRead(pool, { walletId, networkId, source: sourceOf(networkId), at: now(), failure })
  const walletIds = wallets.map(({ walletId }) => walletId)
  const marks = await readMarks(pool, { networkId, walletIds })
  await settleMarks(pool, { networkId, blockNumber: null, marks, completeIds: [] })
}
