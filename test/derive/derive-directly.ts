import { pino } from 'pino'
import type pg from 'pg'
import { deriveDue } from '../../activities/chain/derive/derive-wallets.ts'
import type { ColdReader } from '../../db/chain/cold-transactions.ts'
import type { ChainNetwork } from '../../activities/chain/networks.ts'

interface DeriveOptions {
  pool: pg.Pool
  network: ChainNetwork
  now?: () => Date
  dailyLimit?: number
  readCold?: ColdReader | undefined
}

/** Derives what is due, as the loop does, until nothing is or the source fails. Returns the number of batches. */
export async function deriveSome(options: DeriveOptions): Promise<{ batches: number; isDone: boolean }> {
  const { pool, network, now = () => new Date(), dailyLimit = 50_000, readCold } = options
  const networkOf = () => Promise.resolve(network)
  const deps = { pool, networkOf, dailyLimit, now, readCold, log: pino({ level: 'silent' }) }
  for (let batches = 0; ; batches++) {
    const failed = await deriveDue(deps, { networkIds: [network.id], lane: 0, lanes: 1 })
    if (failed === null || failed.length > 0) return { batches, isDone: failed === null }
  }
}

/** The same, where the source must not fail. */
export async function deriveAll(options: DeriveOptions): Promise<number> {
  const { batches, isDone } = await deriveSome(options)
  if (!isDone) throw new Error('the source does not answer')
  return batches
}
