import type pg from 'pg'
import type { Logger } from 'pino'
import { pauseOverfull } from '../../db/events/record-attempts.ts'
import { takeDueDeliveries, takeProbes, type TakenDelivery } from '../../db/events/take-deliveries.ts'
import { transact } from '../../db/transact.ts'
import { HOUR_MS } from '../../db/values/periods.ts'
import { signatureHeaders } from '../../db/values/webhook-signature.ts'
import { type LoopDeps, pause } from '../pause.ts'
import { PATIENCE, PROBE_PAUSE } from './delivery-rules.ts'
import { createSecretOpener } from './open-secrets.ts'
import { type Attempted, recordReceipts } from './record-receipts.ts'
import type { Receipt, WebhookSender } from './send-webhook.ts'

export interface DeliverDeps {
  pool: pg.Pool
  sender: WebhookSender
  /** Keys that open the secrets of endpoints, newest first. */
  privateKeys: readonly string[]
  now: () => Date
  /** 0 to 1 */
  random: () => number
  log: Pick<Logger, 'error'>
}

/** A slow receiver holds at most four of them with events that were not tried before. */
const AT_ONCE = 128
const POLL_MS = 100
/** While events come: their next ones may be due already. */
const BUSY_POLL_MS = 10
/** Probes are due once a minute. */
const PROBES_MS = 1_000
/** Longer than an attempt and its record. After it, another process sends the event again. */
const TAKEN_MS = 60_000
/** Events that may wait for one endpoint. */
const MOST_WAITING = 10_000
const CHECK_EVERY_MS = 60_000

/**
 * Sends events to their endpoints until the time is over or the worker ends, and records what it has started.
 */
export async function deliverWebhooks(deps: DeliverDeps & LoopDeps & { lastsMs?: number }): Promise<void> {
  const { pool, ending, lastsMs = HOUR_MS } = deps
  const deliverer = createDeliverer(deps)
  const endMs = performance.now() + lastsMs
  let checkAtMs = 0
  while (!ending?.aborted && performance.now() < endMs) {
    if (performance.now() >= checkAtMs) {
      await transact(pool, ({ client }) => pauseOverfull(client, MOST_WAITING))
      checkAtMs = performance.now() + CHECK_EVERY_MS
    }
    const isBusy = await deliverer.round()
    await Promise.race([deliverer.anyEnded(), pause(deps, isBusy ? BUSY_POLL_MS : POLL_MS)])
  }
  await deliverer.finish()
}

/**
 * Sends each event at least once: an attempt counts when its record has committed. The next event of its lane
 * is not taken before.
 */
export function createDeliverer(deps: DeliverDeps) {
  const running = new Set<Promise<void>>()
  const secretsOf = createSecretOpener(deps.privateKeys)
  let ended: Attempted[] = []
  let probedAtMs = -Infinity

  const start = (delivery: TakenDelivery): void => {
    const work = attempt(deps, { delivery, secretsOf }).then((receipt) => {
      ended.push({ delivery, receipt, at: deps.now() })
      running.delete(work)
    })
    running.add(work)
  }
  const record = async (): Promise<void> => {
    const attempted = ended
    ended = []
    await recordReceipts(deps, attempted)
  }

  async function take(limit: number): Promise<{ found: number; taken: TakenDelivery[] }> {
    if (limit === 0) return { found: 0, taken: [] }
    const now = deps.now()
    const taking = { now, takenUntil: new Date(now.getTime() + TAKEN_MS), patience: PATIENCE }
    let probes: TakenDelivery[] = []
    if (now.getTime() - probedAtMs >= PROBES_MS) {
      const nextProbeAt = new Date(now.getTime() + PROBE_PAUSE)
      probes = await takeProbes(deps.pool, { ...taking, limit, nextProbeAt })
      if (probes.length < limit) probedAtMs = now.getTime()
    }
    const due = await takeDueDeliveries(deps.pool, { ...taking, limit: limit - probes.length })
    return { found: probes.length + due.found, taken: [...probes, ...due.taken] }
  }

  return {
    /** Records what has ended and starts what is due. Returns whether it found any. */
    async round(): Promise<boolean> {
      await record()
      const { found, taken } = await take(AT_ONCE - running.size)
      taken.forEach(start)
      return found > 0
    },
    /** Resolves when one of the running attempts ends; never if there is none. */
    anyEnded: (): Promise<void> => Promise.race(running),
    async finish(): Promise<void> {
      await Promise.all(running)
      await record()
    },
  }
}

/** One attempt, signed at its own time. Never throws: what fails here is a failed attempt. */
async function attempt(
  deps: DeliverDeps,
  input: { delivery: TakenDelivery; secretsOf: ReturnType<typeof createSecretOpener> },
): Promise<Receipt> {
  const { url, body, endpointId } = input.delivery
  try {
    const secrets = input.secretsOf(input.delivery)
    const { id } = JSON.parse(body) as { id: string }
    const headers = signatureHeaders({ id, body, at: deps.now(), secrets })
    return await deps.sender.send({ url, headers, body })
  } catch (error) {
    deps.log.error({ endpointId, reason: (error as Error).message }, 'cannot sign an event')
    return { status: null, failure: 'this server cannot sign the event', retryAfterMs: null, ms: 0 }
  }
}
