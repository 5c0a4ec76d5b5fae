import type { DeliverDeps } from '../../activities/events/deliver-webhooks.ts'
import { publishBatch } from '../../activities/events/publish-batch.ts'
import { lockNetwork } from '../../db/chain/branches.ts'
import { rewindNetwork } from '../../db/chain/write.ts'
import { releaseHeldEvents } from '../../db/events/publish.ts'
import { transact } from '../../db/transact.ts'
import { deliverDue } from './deliver-due.ts'
import { networkId, toldWallet } from './watched-wallet.ts'

/** A piece of work of a process, as JSON. */
export type EventStep =
  | { kind: 'find'; wallet: { walletId: string; address: string }; earlier: number[]; blocks: number[] }
  | { kind: 'lose'; above: number }
  | { kind: 'publish' | 'release' | 'deliver' }

const ETHER = 10n ** 18n
const FIRST_BLOCK_MS = Date.parse('2026-10-01T00:00:00Z')

/** Done again after its process was killed, a step has the same end as without the kill. */
export async function runEventStep(deps: DeliverDeps, step: EventStep): Promise<void> {
  const { pool, now } = deps
  switch (step.kind) {
    case 'find': {
      const received = new Map(step.earlier.map((number) => [number, ETHER]))
      const wallet = toldWallet(pool, { ...step.wallet, now, received })
      const at = (number: number) => new Date(FIRST_BLOCK_MS + number * 12_000)
      await wallet.derive(step.blocks.map((number) => ({ number, ether: 1n, at: at(number) })))
      await wallet.complete()
      break
    }
    case 'lose':
      await transact(pool, async ({ client }) => {
        await lockNetwork(client, { networkId, mode: 'rewind' })
        await rewindNetwork(client, { networkId, block: step.above })
      })
      break
    case 'publish':
      while ((await publishBatch({ pool })).isMore) continue
      break
    case 'release':
      await releaseHeldEvents(pool)
      break
    case 'deliver':
      await deliverDue(deps)
  }
}
