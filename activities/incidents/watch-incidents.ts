import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Logger } from 'pino'
import { type Finding, keepIncidents, lockIncidents } from '../../db/incidents/keep-incidents.ts'
import { noteNotices, readDueNotices } from '../../db/incidents/notices.ts'
import type { Db } from '../../db/schema.ts'
import { countLostPayments } from '../../db/payments/chain-ledger.ts'
import { countOpenPayments } from '../../db/payments/ledger.ts'
import { readQuarantinedWithin } from '../../db/sources/read-figures.ts'
import type { SourceSettings } from '../../db/sources/settings.ts'
import { transact } from '../../db/transact.ts'
import { type ReadinessCheck, unusableParts } from '../../ops/telemetry/readiness.ts'
import { readIngestFigures } from '../ingest-figures.ts'
import { reasonOf, type Receiver } from './receivers.ts'
import { type Facts, RULES } from './rules.ts'

export interface WatchDeps {
  db: Db
  pool: pg.Pool
  now: () => Date
  /** As they are set now. */
  sources: () => readonly SourceSettings[]
  receivers: readonly Receiver[]
  /** Parts of the worker by name; rejects with the reason when one is not usable. */
  checks: Readonly<Record<string, ReadinessCheck>>
  /** Called after each look that could be made, such as to tell a service that notices silence. */
  alive: () => Promise<void>
  log: Pick<Logger, 'warn'>
}

const EVERY_MS = 30_000
const HOUR_S = 3_600

/** Looks for incidents until the signal, and tells the receivers. Of several workers one does. */
export async function watchIncidents(deps: WatchDeps & { signal: AbortSignal }): Promise<void> {
  const { log, signal } = deps
  while (!signal.aborted) {
    await look(deps).catch((error: unknown) =>
      log.warn({ reason: reasonOf(error) }, 'cannot look for incidents, will retry'),
    )
    await sleep(EVERY_MS, undefined, { signal }).catch(() => {})
  }
}

/** One look, unless another worker looks. What receivers did not take is told again by a later one. */
export async function look(deps: WatchDeps): Promise<void> {
  // The lock is held while they are told, so that two workers do not tell the same.
  const hasLooked = await transact(deps.pool, async ({ client }) => {
    if (!(await lockIncidents(client))) return false
    const facts = await readFacts(deps)
    const findings = RULES.flatMap(({ name: rule, severity, forSeconds, find }) =>
      find(facts).map((found): Finding => ({ ...found, rule, severity, forSeconds })),
    )
    await keepIncidents(client, { findings, at: facts.at })
    await tell(client, deps)
    return true
  })
  if (hasLooked) await deps.alive()
}

async function tell(client: pg.ClientBase, { receivers, now, log }: WatchDeps): Promise<void> {
  const at = now()
  const due = await readDueNotices(client, { receivers: receivers.map(({ name }) => name), at })
  await Promise.all(
    receivers.map(async (receiver) => {
      const notices = due.filter((one) => one.receiver === receiver.name)
      if (notices.length === 0) return
      const failure = await receiver.send(notices).then(() => null, reasonOf)
      await noteNotices(client, { notices, failure, at })
      if (failure !== null)
        log.warn({ receiver: receiver.name, reason: failure }, 'a receiver of incidents took nothing')
    }),
  )
}

async function readFacts({ db, pool, now, sources, checks }: WatchDeps): Promise<Facts> {
  const [figures, quarantined, openPayments, lostPayments, notReady] = await Promise.all([
    readIngestFigures(db),
    readQuarantinedWithin(db, { seconds: HOUR_S }),
    countOpenPayments(pool),
    countLostPayments(pool),
    unusableParts(checks),
  ])
  return {
    figures,
    sources: sources(),
    quarantined,
    openPayments,
    lostPayments,
    notReady,
    at: now(),
  }
}
