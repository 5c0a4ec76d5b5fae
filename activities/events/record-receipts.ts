import type pg from 'pg'
import {
  announceDisabled,
  type AttemptRow,
  type EndpointHealth,
  lockHealth,
  releaseDeliveries,
  writeAttempts,
  writeDelivered,
  writeHealth,
} from '../../db/events/record-attempts.ts'
import type { TakenDelivery } from '../../db/events/take-deliveries.ts'
import { transact } from '../../db/transact.ts'
import { healthAfter, isBackingOff, nextAttemptAt } from './delivery-rules.ts'
import type { Receipt } from './send-webhook.ts'

/** An attempt that has ended. */
export interface Attempted {
  delivery: TakenDelivery
  receipt: Receipt
  at: Date
}

/**
 * Stores what became of attempts, in the order in which they ended, and what follows for their endpoints. Most
 * succeed, and nothing follows: one statement ends those.
 */
export async function recordReceipts(
  deps: { pool: pg.Pool; random: () => number },
  attempted: readonly Attempted[],
): Promise<void> {
  const failing = new Set(
    attempted.filter(({ receipt }) => receipt.failure !== null).map(({ delivery }) => delivery.endpointId),
  )
  const delivered = attempted.filter(({ delivery }) => !failing.has(delivery.endpointId))
  const ended = await writeDelivered(
    deps.pool,
    delivered.map(({ delivery, receipt, at }) => ({ ...delivery, ...receipt, deliveredAt: at })),
  )
  const left = new Set(delivered.filter((_one, place) => !ended.has(place)))
  await recordChanges(
    deps,
    attempted.filter((one) => left.has(one) || failing.has(one.delivery.endpointId)),
  )
}

async function recordChanges(
  deps: { pool: pg.Pool; random: () => number },
  attempted: readonly Attempted[],
): Promise<void> {
  if (attempted.length === 0) return
  await transact(deps.pool, async ({ client }) => {
    const before = await lockHealth(client, [
      ...new Set(attempted.map(({ delivery }) => delivery.endpointId)),
    ])
    const after = new Map(before)
    const rows: AttemptRow[] = []
    for (const one of attempted) {
      const { endpointId } = one.delivery
      const known = after.get(endpointId)
      // Its account deleted the endpoint meanwhile.
      if (!known) continue
      const health = healthAfter(known, one.receipt, one.at)
      after.set(endpointId, health)
      rows.push(rowOf(one, health, deps.random()))
    }
    await writeHealth(client, after)
    await writeAttempts(client, rows)
    const changes = [...after].map(([id, health]) => ({ id, health, was: before.get(id)!.state }))
    for (const { id, health, was } of changes)
      if (health.state === 'active' && was !== 'active')
        await releaseDeliveries(client, { endpointId: id, from: attempted.at(-1)!.at })
    const disabled = changes.filter(({ health, was }) => health.state === 'disabled' && was !== 'disabled')
    if (disabled.length > 0)
      await announceDisabled(
        client,
        disabled.map(({ id, health }) => ({ id, reason: health.reason! })),
      )
  })
}

function rowOf({ delivery, receipt, at }: Attempted, health: EndpointHealth, random: number): AttemptRow {
  const { endpointId, seq, takenUntil } = delivery
  const { status, ms, failure } = receipt
  const ended = { endpointId, seq, takenUntil, status, ms, failure }
  if (failure === null) return { ...ended, nextAt: null, deliveredAt: at }
  const attempts = delivery.attempts + 1
  const isTriedAlone = health.state === 'active' || (health.state === 'new' && !isBackingOff(health))
  return {
    ...ended,
    nextAt: isTriedAlone ? nextAttemptAt({ attempts, outcome: receipt, at, random }) : 'infinity',
    deliveredAt: null,
  }
}
