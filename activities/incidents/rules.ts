import type { Severity } from '../../db/incidents/tables.ts'
import type { OpenPaymentCount } from '../../db/payments/ledger.ts'
import type { SyncCounts } from '../../db/sources/read-figures.ts'
import type { SourceHealth } from '../../db/sources/read.ts'
import type { SourceSettings } from '../../db/sources/settings.ts'
import { quotaLeft } from '../../db/sources/source-state.ts'
import { duration } from '../../db/values/duration.ts'
import { answersOf, type IngestFigures, targetOf } from '../ingest-figures.ts'
import type { RuleName } from './rule-names.ts'

/** What rules look at. */
export interface Facts {
  figures: IngestFigures
  /** Sources with what their plans allow. */
  sources: readonly SourceSettings[]
  /** Rows that were quarantined within an hour, by source. */
  quarantined: ReadonlyMap<string, number>
  openPayments: readonly OpenPaymentCount[]
  lostPayments: number
  /** Parts that the worker cannot use, with the reason. */
  notReady: readonly { part: string; reason: string }[]
  at: Date
}

export interface Rule {
  name: RuleName
  severity: Severity
  /** How long it must hold before anybody is told. */
  forSeconds: number
  find: (facts: Facts) => readonly { subject: string; summary: string }[]
}

const FEWEST_REQUESTS = 50
const SYNC_AREAS = ['chain', 'exchanges'] as const
const MOST_QUARANTINED = 100
const [OLD_COMMAND_S, OLD_PAYMENT_S] = [60, 900]

const percent = (part: number): string => `${Math.round(100 * part)} %`

/**
 * Those of the alerts for Prometheus that the database tells of: name, severity and time are the same. The others need
 * the metrics of processes.
 */
export const RULES: readonly Rule[] = [
  {
    name: 'NotReady',
    severity: 'page',
    forSeconds: 120,
    find: ({ notReady }) =>
      notReady.map(({ part, reason }) => ({
        subject: part,
        summary: `A worker cannot use ${part}: ${reason}`,
      })),
  },
  {
    name: 'SourceLate',
    severity: 'ticket',
    forSeconds: 600,
    find: (facts) =>
      onSources(facts).flatMap(({ settings, health }) => {
        const target = settings.freshnessTargetSeconds
        if (!health || target === null) return []
        const { lagSeconds, isFailing } = answersOf(health, facts.at)
        const hasOldData = (health.dataAgeSeconds ?? 0) > target
        if (lagSeconds <= target || !(isFailing || hasOldData)) return []
        const since = health.lastSuccessAt ? `for ${duration(lagSeconds)}` : 'so far'
        const why = health.lastFailure ?? 'no reason is known'
        const finding = isFailing
          ? `gives no usable answer ${since}: ${why}`
          : `answers with old data: its newest is of ${duration(lagSeconds)} ago`
        return [{ subject: settings.name, summary: `${settings.name} ${finding}` }]
      }),
  },
  {
    name: 'SourceErrors',
    severity: 'ticket',
    forSeconds: 1_800,
    find: (facts) =>
      onSources(facts).flatMap(({ settings: { name }, health }) => {
        const { requests24h = 0, failures24h = 0 } = health ?? {}
        return requests24h > FEWEST_REQUESTS && failures24h / requests24h > 0.25
          ? [
              {
                subject: name,
                summary: `${percent(failures24h / requests24h)} of the requests to ${name} fail`,
              },
            ]
          : []
      }),
  },
  {
    name: 'SourceQuotaLow',
    severity: 'ticket',
    forSeconds: 300,
    find: (facts) =>
      onSources(facts).flatMap(({ settings: { name, quota }, health }) => {
        const left = quota ? quotaLeft(quota, health) / quota.units : 1
        return quota && left < 0.1
          ? [{ subject: name, summary: `${name} has ${percent(left)} of its ${quota.per} left` }]
          : []
      }),
  },
  {
    name: 'SourceDrift',
    severity: 'ticket',
    forSeconds: 300,
    find({ figures }) {
      const gone = figures.changes.filter(({ change }) => change !== 'appeared')
      return [...new Set(gone.map(({ source }) => source))].map((source) => {
        const count = gone.filter((one) => one.source === source).length
        const fields = count === 1 ? 'A field' : `${count} fields`
        return { subject: source, summary: `${fields} in the answers of ${source} vanished or changed type` }
      })
    },
  },
  {
    name: 'RowsQuarantined',
    severity: 'ticket',
    forSeconds: 300,
    find: ({ quarantined }) =>
      [...quarantined]
        .filter(([, rows]) => rows > MOST_QUARANTINED)
        .map(([source, rows]) => ({
          subject: source,
          summary: `${rows} rows of ${source} were quarantined within an hour`,
        })),
  },
  {
    name: 'SyncsLate',
    severity: 'ticket',
    forSeconds: 600,
    find: (facts) =>
      syncsOf(facts).flatMap(({ area, oldestS, of }) =>
        oldestS !== null && oldestS > 3 * targetOf(area)
          ? [{ subject: of, summary: `The oldest sync at ${of} is ${duration(oldestS)} old` }]
          : [],
      ),
  },
  {
    name: 'SyncsFail',
    severity: 'ticket',
    forSeconds: 900,
    find: (facts) =>
      syncsOf(facts).flatMap(({ of, fresh, late, failed, pending }) => {
        const share = failed / (fresh + late + failed + pending)
        return share > 0.1 ? [{ subject: of, summary: `${percent(share)} of the syncs at ${of} fail` }] : []
      }),
  },
  {
    name: 'BranchHeld',
    severity: 'ticket',
    forSeconds: 60,
    find: ({ figures }) =>
      figures.branches
        .filter(({ isHeld }) => isHeld)
        .map(({ network }) => ({
          subject: network,
          summary: `The nodes of ${network} are on different branches, and one is followed`,
        })),
  },
  {
    name: 'WebhooksPaused',
    severity: 'ticket',
    forSeconds: 300,
    find: ({ figures: { webhooks } }) =>
      webhooks.overfull > 0
        ? [
            {
              subject: '',
              summary: `${webhooks.overfull} webhook endpoints are paused: too many events wait`,
            },
          ]
        : [],
  },
  {
    name: 'OutboxStuck',
    severity: 'page',
    forSeconds: 120,
    find: ({ figures: { outbox } }) =>
      outbox.oldestS > OLD_COMMAND_S
        ? [{ subject: '', summary: `An accepted command has waited for ${duration(outbox.oldestS)}` }]
        : [],
  },
  {
    name: 'PaymentsOpen',
    severity: 'ticket',
    forSeconds: 300,
    find: ({ openPayments }) =>
      openPayments
        .filter(({ state, oldestS }) => state !== 'claimed' && oldestS > OLD_PAYMENT_S)
        .map(({ state, oldestS }) => ({
          subject: state,
          summary: `A payment has been ${state} for ${duration(oldestS)}`,
        })),
  },
  {
    name: 'PaymentLost',
    severity: 'page',
    forSeconds: 0,
    find: ({ lostPayments }) =>
      lostPayments > 0
        ? [
            {
              subject: '',
              summary: `A reorg of the chain removed ${lostPayments === 1 ? 'a settled payment' : `${lostPayments} settled payments`}`,
            },
          ]
        : [],
  },
]

function onSources({ sources, figures }: Facts): { settings: SourceSettings; health?: SourceHealth }[] {
  const healthOf = new Map(figures.health.map((row) => [row.source, row]))
  return sources.flatMap((settings) => {
    const health = healthOf.get(settings.name)
    return settings.missing === null ? [{ settings, ...(health && { health }) }] : []
  })
}

const syncsOf = ({ figures }: Facts): (SyncCounts & { area: string })[] =>
  SYNC_AREAS.flatMap((area) => figures.syncs[area].map((counts) => ({ ...counts, area })))
