import type pg from 'pg'
import { lockMarks, moveNormalised, ownAddresses } from '../../db/chain/sync-progress.ts'
import { lockNetwork } from '../../db/chain/branches.ts'
import { transact } from '../../db/transact.ts'
import { deriveRanges } from './derive/derive-ranges.ts'
import {
  type ColdReader,
  type OldTransactions,
  withOldTransactions,
} from '../../db/chain/cold-transactions.ts'
import { rewriteOpenings } from './opening-row.ts'

export interface NormaliseInput {
  walletId: string
  address: string
  networkId: string
}

export interface NormaliseDeps {
  pool: pg.Pool
  now: () => Date
  /** Absent: no exports are known here. */
  readCold?: ColdReader | undefined
}

export interface NormaliseProgress {
  normalisedBlock: number
  transactions: number
  done: boolean
}

/**
 * Derives the next wallet transactions and movements from the raw rows, prices each movement at its own
 * instant, and moves the normalised mark. Repeating a range gives the same rows. If the stored rows have an
 * outdated form, it starts at the first block. Throws, and changes nothing, if rows are in files that cannot be read.
 */
export async function normaliseStep(deps: NormaliseDeps, input: NormaliseInput): Promise<NormaliseProgress> {
  return await withOldTransactions(deps.readCold, (old) => normaliseOnce(deps, input, old))
}

async function normaliseOnce(
  deps: Pick<NormaliseDeps, 'pool' | 'now'>,
  input: NormaliseInput,
  old: OldTransactions,
): Promise<NormaliseProgress> {
  const { walletId, address, networkId } = input
  return await transact(deps.pool, async (transaction) => {
    const { client } = transaction
    await lockNetwork(client, { networkId, mode: 'write' })
    const { cursor, normalised, isOutdated } = await lockMarks(client, { walletId, networkId })
    const fromBlock = isOutdated ? 0 : normalised + 1
    if (fromBlock > cursor) return { normalisedBlock: cursor, transactions: 0, done: true }

    const addresses = await ownAddresses(client, { networkId, address })
    if (isOutdated) await rewriteOpenings(client, { walletId, networkId, addresses, now: deps.now() })
    const ranges = [{ walletId, addresses, fromBlock, toBlock: cursor }]
    // Rows of an older form are known already.
    const asked = { networkId, ranges, isNews: !isOutdated, now: deps.now(), old }
    const { through, transactions } = (await deriveRanges(transaction, asked))[0]!
    await moveNormalised(client, { walletId, networkId, to: through })
    return { normalisedBlock: through, transactions: transactions.length, done: through >= cursor }
  })
}
