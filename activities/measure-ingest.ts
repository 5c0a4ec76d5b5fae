import { Counter, Gauge, type Registry } from 'prom-client'
import type { Db } from '../db/schema.ts'
import { WEBHOOK_STATES } from '../db/events/count-webhooks.ts'
import type { SyncCounts } from '../db/sources/read-figures.ts'
import type { SourceHealth } from '../db/sources/read.ts'
import type { SourceSettings } from '../db/sources/settings.ts'
import { quotaLeft } from '../db/sources/source-state.ts'
import { AREAS } from './all-areas.ts'
import { answersOf, type IngestFigures, readIngestFigures, targetOf } from './ingest-figures.ts'

interface IngestDeps {
  db: Db
  registry: Registry
  now: () => Date
  /** Sources that are off are skipped. */
  /** As they are set now. */
  sources: () => readonly SourceSettings[]
}

const SYNC_STATES = ['fresh', 'late', 'failed', 'pending'] as const

/**
 * Metrics of ingestion from the database, the same on every worker. Returns the function that refreshes them.
 * It rejects when the database is down, and the metrics are then empty.
 */
export function measureIngest({ db, registry, now, sources }: IngestDeps): () => Promise<void> {
  const registers = [registry]
  const gauge = <L extends string>(name: string, help: string, labelNames: L[]) =>
    new Gauge({ name: `sluice_${name}`, help, labelNames, registers })

  const lag = gauge(
    'source_lag_seconds',
    'Age of the newest data that a source gave, in seconds. Infinity: it gave none.',
    [...(['source', 'area'] as const)],
  )
  const target = gauge('source_freshness_target_seconds', 'Lag from which a source counts as late.', [
    ...(['source', 'area'] as const),
  ])
  const failing = gauge('source_failing', '1 if the last request to a source got no usable answer, else 0.', [
    'source',
  ])
  const dataAge = gauge(
    'source_data_age_seconds',
    'How old the newest data of the last answer with times was when it came.',
    [...(['source', 'area'] as const)],
  )
  const requests = gauge('source_requests_24h', 'Requests to a source in the last 24 hours.', ['source'])
  const failures = gauge(
    'source_failures_24h',
    'Requests to a source in the last 24 hours without a usable answer.',
    ['source'],
  )
  const quota = gauge(
    'source_quota_requests',
    'Units that the plan of a source allows per day or month: requests, or what its vendor counts.',
    [...(['source', 'per'] as const)],
  )
  const left = gauge('source_quota_left', 'Units left in the current day or month of the plan.', [
    'source',
    'per',
  ])
  const changes = gauge(
    'source_changes',
    'Fields in the answers of a source that have vanished, appeared or changed their type.',
    [...(['source', 'change'] as const)],
  )
  const quarantined = gauge('quarantined_rows', 'Quarantined rows of a source.', ['source'])
  const syncs = gauge('syncs', 'Wallets (chain) and exchange accounts (exchanges) by sync state.', [
    ...(['area', 'of', 'state'] as const),
  ])
  const oldestSync = gauge(
    'sync_oldest_seconds',
    'Seconds since the last complete sync of the wallet or account that waits longest.',
    [...(['area', 'of'] as const)],
  )
  const syncTarget = gauge('sync_freshness_target_seconds', 'Age from which a sync counts as late.', ['area'])
  const outboxPending = gauge('outbox_pending', 'Accepted commands whose workflow has not started.', [])
  const outboxOldest = gauge(
    'outbox_oldest_seconds',
    'Age of the oldest command whose workflow has not started.',
    [],
  )
  const endpoints = gauge('webhook_endpoints', 'Webhook endpoints by state.', ['state'])
  const overfull = gauge(
    'webhook_endpoints_overfull',
    'Webhook endpoints that were paused because too many events waited for them.',
    [],
  )
  const undelivered = gauge('webhook_events_waiting', 'Events on their way to webhook endpoints.', [])
  const held = gauge(
    'network_branch_held',
    '1 if the nodes of a followed network are on different branches, and the follower stays on one, else 0.',
    ['network'],
  )
  const rewinds = gauge('network_rewinds_24h', 'Rewinds of a followed network in the last 24 hours.', [
    'network',
  ])
  const rows = new Counter({
    name: 'sluice_rows_written_total',
    help: 'Rows inserted or updated in the tables of an area, from the statistics of Postgres.',
    labelNames: ['area'],
    registers,
  })
  const all = [
    lag,
    target,
    failing,
    dataAge,
    requests,
    failures,
    quota,
    left,
    changes,
    quarantined,
    syncs,
    oldestSync,
    syncTarget,
    outboxPending,
    outboxOldest,
    endpoints,
    overfull,
    undelivered,
    held,
    rewinds,
    rows,
  ]

  function setSource(settings: SourceSettings, health: SourceHealth | undefined): void {
    const { name: source, area, quota: given } = settings
    const labels = { source, area }
    if (settings.freshnessTargetSeconds !== null) target.set(labels, settings.freshnessTargetSeconds)
    if (given) {
      quota.set({ source, per: given.per }, given.units)
      left.set({ source, per: given.per }, quotaLeft(given, health))
    }
    // A source that was never asked is not late.
    if (!health || (!health.lastSuccessAt && !health.lastFailureAt)) return
    const { lagSeconds, isFailing } = answersOf(health, now())
    lag.set(labels, lagSeconds)
    failing.set({ source }, isFailing ? 1 : 0)
    if (health.dataAgeSeconds !== null) dataAge.set(labels, health.dataAgeSeconds)
    requests.set({ source }, health.requests24h)
    failures.set({ source }, health.failures24h)
    quarantined.set({ source }, health.quarantined)
  }

  function setSyncs(area: string, counts: readonly SyncCounts[]): void {
    syncTarget.set({ area }, targetOf(area))
    for (const one of counts) {
      for (const state of SYNC_STATES) syncs.set({ area, of: one.of, state }, one[state])
      if (one.oldestS !== null) oldestSync.set({ area, of: one.of }, one.oldestS)
    }
  }

  function setAll({
    health,
    changes: changed,
    outbox,
    rowsWritten,
    syncs: counts,
    webhooks,
    branches,
  }: IngestFigures): void {
    const healthOf = new Map(health.map((row) => [row.source, row]))
    for (const settings of sources())
      if (settings.missing === null) setSource(settings, healthOf.get(settings.name))
    for (const { source, change } of changed) changes.inc({ source, change })
    for (const area of AREAS) {
      const written = area.tables.reduce((sum, table) => sum + (rowsWritten.get(table) ?? 0), 0)
      rows.inc({ area: area.name }, written)
    }
    for (const [area, of] of Object.entries(counts)) setSyncs(area, of)
    outboxPending.set(outbox.pending)
    outboxOldest.set(outbox.oldestS)
    for (const state of WEBHOOK_STATES) endpoints.set({ state }, webhooks.endpoints.get(state) ?? 0)
    overfull.set(webhooks.overfull)
    undelivered.set(webhooks.waiting)
    for (const branch of branches) {
      held.set({ network: branch.network }, branch.isHeld ? 1 : 0)
      rewinds.set({ network: branch.network }, branch.rewinds)
    }
  }

  return async () => {
    try {
      const figures = await readIngestFigures(db)
      for (const one of all) one.reset()
      setAll(figures)
    } catch (error) {
      for (const one of all) one.reset()
      throw error
    }
  }
}
