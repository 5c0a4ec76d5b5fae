import { rebuildTransactions } from '../../activities/chain/rebuild.ts'
import { withOperatorDatabase } from '../operator-database.ts'
import { createProgress } from '../progress.ts'

/** Returns exit code 1 when a wallet could not be rebuilt. */
export async function run(): Promise<number> {
  const progress = createProgress()
  const { wallets, transactions, failed } = await withOperatorDatabase((_, pool) =>
    rebuildTransactions({ pool, now: () => new Date() }, (share) => progress.show(share, 'rebuilding')),
  ).finally(() => progress.end())
  console.log(`${transactions} transactions of ${wallets} wallets rebuilt`)
  for (const { address, networkId, reason } of failed)
    console.log(`not rebuilt, its next sync tries again: ${address} on ${networkId}: ${reason}`)
  return failed.length === 0 ? 0 : 1
}
