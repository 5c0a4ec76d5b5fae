import { pino } from 'pino'
import type pg from 'pg'
import { deriveDue } from '../../activities/chain/derive/derive-wallets.ts'
import type { ChainNetwork } from '../../activities/chain/networks.ts'

/** Derives what is due, as the loop does, until nothing is. Returns the number of batches. */
export async function deriveAll(options: {
  pool: pg.Pool
  network: ChainNetwork
  now?: () => Date
}): Promise<number> {
  const { pool, network, now = () => new Date() } = options
  const deps = { pool, networkOf: () => Promise.resolve(network), now, log: pino({ level: 'silent' }) }
  for (let batches = 0; ; batches++) {
    const failed = await deriveDue(deps, { networkIds: [network.id], lane: 0, lanes: 1 })
    if (failed === null) return batches
    if (failed.length > 0) throw new Error('the source does not answer')
  }
}
