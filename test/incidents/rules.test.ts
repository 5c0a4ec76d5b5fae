import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { RULE_NAMES } from '../../activities/incidents/rule-names.ts'
import { type Facts, RULES } from '../../activities/incidents/rules.ts'
import type { SourceHealth } from '../../db/sources/read.ts'
import type { SourceSettings } from '../../db/sources/settings.ts'

const AT = new Date('2026-11-20T12:00:00Z')
const ago = (seconds: number) => new Date(AT.getTime() - seconds * 1_000)

const quiet: Facts = {
  figures: {
    health: [],
    changes: [],
    outbox: { pending: 0, oldestS: 0 },
    rowsWritten: new Map(),
    syncs: { chain: [], exchanges: [] },
    webhooks: { endpoints: new Map(), overfull: 0, waiting: 0 },
    branches: [],
  },
  sources: [],
  quarantined: new Map(),
  openPayments: [],
  lostPayments: 0,
  notReady: [],
  at: AT,
}

const source = (part: Partial<SourceSettings>): SourceSettings => ({
  name: 'vendor',
  area: 'prices',
  missing: null,
  freshnessTargetSeconds: 900,
  requestsPerSecond: 1,
  burst: 1,
  quota: null,
  account: null,
  ...part,
})

const health = (part: Partial<SourceHealth>): SourceHealth => ({
  source: 'vendor',
  lastSuccessAt: ago(60),
  lastFailureAt: null,
  lastFailure: null,
  consecutiveFailures: 0,
  nextRequestAt: null,
  requests24h: 100,
  failures24h: 0,
  requestsToday: 0,
  requestsThisMonth: 0,
  spentToday: 0,
  spentThisMonth: 0,
  requestsByHour: [],
  failuresByHour: [],
  quarantined: 0,
  dataAgeSeconds: null,
  ...part,
})

const found = (part: Omit<Partial<Facts>, 'figures'> & { figures?: Partial<Facts['figures']> }) => {
  const facts = { ...quiet, ...part, figures: { ...quiet.figures, ...part.figures } }
  return RULES.flatMap(({ name, find }) => find(facts).map(({ summary }) => `${name}: ${summary}`))
}

test('name, severity and time are those of the alerts for Prometheus', () => {
  const text = readFileSync(join(import.meta.dirname, '../../ops/prometheus/alerts.yml'), 'utf8')
  const alerts = text.split(/^ +- alert: /m).map((part) => ({
    name: part.split('\n', 1)[0],
    forSeconds: 60 * Number(/^ +for: (\d+)m$/m.exec(part)?.[1] ?? 0),
    severity: /severity: (\w+)/.exec(part)?.[1],
  }))
  expect(RULES.map(({ name }) => name)).toEqual(RULE_NAMES)
  for (const { name, severity, forSeconds } of RULES)
    expect(alerts).toContainEqual({ name, severity, forSeconds })
})

test('nothing is found where nothing is wrong', () => {
  expect(found({ sources: [source({})], figures: { health: [health({})] } })).toEqual([])
})

test.each<[finding: string, facts: Parameters<typeof found>[0]]>([
  [
    'NotReady: A worker cannot use temporal: connection refused',
    { notReady: [{ part: 'temporal', reason: 'connection refused' }] },
  ],
  [
    'SourceLate: vendor gives no usable answer for 20 min: status 500',
    {
      sources: [source({})],
      figures: {
        health: [health({ lastSuccessAt: ago(1_200), lastFailureAt: ago(5), lastFailure: 'status 500' })],
      },
    },
  ],
  [
    'SourceLate: vendor answers with old data: its newest is of 20 min ago',
    { sources: [source({})], figures: { health: [health({ dataAgeSeconds: 1_140 })] } },
  ],
  [
    'SourceErrors: 26 % of the requests to vendor fail',
    { sources: [source({})], figures: { health: [health({ failures24h: 26 })] } },
  ],
  [
    'SourceQuotaLow: vendor has 5 % of its month left',
    {
      sources: [source({ quota: { units: 1_000, per: 'month', unit: 'credits' } })],
      figures: { health: [health({ spentThisMonth: 950 })] },
    },
  ],
  [
    'SourceDrift: A field in the answers of vendor vanished or changed type',
    {
      figures: {
        changes: [
          {
            source: 'vendor',
            operation: '/x',
            field: 'price',
            change: 'vanished',
            was: 'number',
            is: null,
            answers: 5,
            since: AT,
            lastAt: AT,
          },
        ],
      },
    },
  ],
  [
    'RowsQuarantined: 101 rows of vendor were quarantined within an hour',
    { quarantined: new Map([['vendor', 101]]) },
  ],
  [
    'SyncsLate: The oldest sync at ethereum is 60 min old',
    {
      figures: {
        syncs: {
          chain: [{ of: 'ethereum', fresh: 9, late: 1, failed: 0, pending: 0, oldestS: 3_600 }],
          exchanges: [],
        },
      },
    },
  ],
  [
    'SyncsFail: 20 % of the syncs at kraken fail',
    {
      figures: {
        syncs: {
          chain: [],
          exchanges: [{ of: 'kraken', fresh: 3, late: 2, failed: 2, pending: 3, oldestS: 1 }],
        },
      },
    },
  ],
  [
    'BranchHeld: The nodes of ethereum are on different branches, and one is followed',
    { figures: { branches: [{ network: 'ethereum', isHeld: true, rewinds: 0 }] } },
  ],
  [
    'WebhooksPaused: 2 webhook endpoints are paused: too many events wait',
    { figures: { webhooks: { endpoints: new Map(), overfull: 2, waiting: 0 } } },
  ],
  [
    'OutboxStuck: An accepted command has waited for 2 min',
    { figures: { outbox: { pending: 1, oldestS: 120 } } },
  ],
  [
    'PaymentsOpen: A payment has been unknown for 20 min',
    { openPayments: [{ state: 'unknown', payments: '1', oldestS: 1_200 }] },
  ],
  ['PaymentLost: A reorg of the chain removed a settled payment', { lostPayments: 1 }],
])('%s', (finding, facts) => {
  expect(found(facts)).toEqual([finding])
})

test('a source that was not asked yet, one without a target and one that nobody needed for a while are not late', () => {
  const unused = health({ lastSuccessAt: ago(9_000) })
  const failing = health({ lastSuccessAt: ago(9_000), lastFailureAt: ago(5) })
  expect(found({ sources: [source({})] })).toEqual([])
  expect(found({ sources: [source({})], figures: { health: [unused] } })).toEqual([])
  const aimless = source({ freshnessTargetSeconds: null })
  expect(found({ sources: [aimless], figures: { health: [failing] } })).toEqual([])
})

test('each source is judged by its own figures, and fields of several are counted apart', () => {
  const [one, other] = [source({ name: 'one' }), source({ name: 'other' })]
  const change = {
    operation: '/x',
    field: 'price',
    was: 'number',
    is: null,
    answers: 5,
    since: AT,
    lastAt: AT,
  }
  expect(
    found({
      sources: [one, other],
      figures: {
        health: [
          health({ source: 'one', failures24h: 50 }),
          health({ source: 'other', requests24h: 50, failures24h: 50 }),
        ],
        changes: [
          { ...change, source: 'one', change: 'appeared' },
          { ...change, source: 'one', change: 'vanished' },
          { ...change, source: 'other', change: 'vanished' },
          { ...change, source: 'other', change: 'vanished', field: 'volume' },
        ],
      },
    }),
  ).toEqual([
    'SourceErrors: 50 % of the requests to one fail',
    'SourceDrift: A field in the answers of one vanished or changed type',
    'SourceDrift: 2 fields in the answers of other vanished or changed type',
  ])
})

test('a source that is off, and one at its limits, are not wrong', () => {
  const late = health({ lastSuccessAt: ago(1_200), lastFailureAt: ago(5), failures24h: 90 })
  expect(found({ sources: [source({ missing: 'VENDOR_URL' })], figures: { health: [late] } })).toEqual([])
  const atLimits = health({ lastSuccessAt: ago(900), lastFailureAt: ago(5), failures24h: 25 })
  const limits = { quota: { units: 1_000, per: 'day', unit: 'requests' } } as const
  expect(
    found({
      sources: [source(limits)],
      figures: { health: [{ ...atLimits, spentToday: 900 }], outbox: { pending: 1, oldestS: 60 } },
      quarantined: new Map([['vendor', 100]]),
      openPayments: [
        { state: 'claimed', payments: '1', oldestS: 9_999 },
        { state: 'unknown', payments: '1', oldestS: 900 },
      ],
    }),
  ).toEqual([])
})
