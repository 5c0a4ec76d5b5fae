import { coldReader } from '../../activities/chain/read-cold.ts'
import { rebuildTransactions } from '../../activities/chain/rebuild.ts'
import type { Given } from '../command-spec.ts'
import { exportTarget } from '../export-target.ts'
import { withOperatorDatabase } from '../operator-database.ts'
import { printRecord } from '../print.ts'
import { createProgress } from '../progress.ts'
import type { REBUILD } from '../specs/data.ts'

/** Returns exit code 1 when a wallet could not be rebuilt. */
export async function run(given: Given<typeof REBUILD>): Promise<number> {
  const readCold = coldReader(exportTarget())
  const progress = createProgress()
  const { wallets, transactions, failed } = await withOperatorDatabase((_, pool) =>
    rebuildTransactions({ pool, now: () => new Date(), readCold }, (share) =>
      progress.show(share, 'rebuilding'),
    ),
  ).finally(() => progress.end())
  if (given.json) {
    printRecord({ transactions, wallets, failed }, given)
    return failed.length === 0 ? 0 : 1
  }
  console.log(`${transactions} transactions of ${wallets} wallets rebuilt`)
  for (const { address, networkId, reason } of failed)
    console.log(`not rebuilt, its next sync tries again: ${address} on ${networkId}: ${reason}`)
  return failed.length === 0 ? 0 : 1
}
