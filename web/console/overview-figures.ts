import type { Queue } from '../../db/console/read-sources.ts'
import { firstRunId } from '../../db/values/first-run.ts'
import { duration } from '../../db/values/duration.ts'
import { count } from '../parts/format.ts'
import { type Mood, percent, secondsBetween } from './figures.ts'
import type { ShownSource } from './sources-part.ts'
import type { ScheduleState, TemporalState } from './temporal.ts'

/** If a command waits longer, the worker or Temporal is down. */
const LATE_COMMAND_S = 30

export interface OverviewFacts {
  sources: readonly ShownSource[]
  queue: Queue
  /** null: Temporal does not answer. undefined: no server is set. */
  workflows: TemporalState | null | undefined
  /** Number of rows in quarantine. */
  quarantined: number
  at: Date
}

/** A headline figure with its details. */
export interface OverviewFigure {
  name: string
  /** Place in the console with more details. */
  href: string
  figure: string
  detail: string
  mood: Mood
}

/** Returns the headline figures of the console and of `sluice status`. */
export function overviewFigures({
  sources,
  queue,
  workflows,
  quarantined,
  at,
}: OverviewFacts): OverviewFigure[] {
  const on = sources.filter(({ state }) => state.state !== 'off')
  const late = on.filter(({ state }) => state.isLate).length
  const failing = on.filter(({ state }) => state.state === 'failing').length
  const paused = on.filter(({ state }) => state.state === 'paused').length
  const [requests, failures] = sumOf24h(on)
  const stopped = workflows?.schedules.filter(({ isPaused }) => isPaused).length ?? 0
  const waiting = workflows?.schedules.filter(({ waitsForFirstRun }) => waitsForFirstRun) ?? []
  const broken = workflows?.schedules.filter(({ lastStatus }) => isBad(lastStatus)).length ?? 0
  const waitsS = queue.oldestCommandAt ? secondsBetween(queue.oldestCommandAt, at) : 0
  return [
    {
      name: 'Sources',
      href: '#sources',
      figure: `${on.length} on`,
      detail: `${late} late, ${failing} failing, ${paused} paused, ${sources.length - on.length} off`,
      mood: late + failing > 0 ? 'bad' : paused > 0 ? 'odd' : 'good',
    },
    {
      name: 'Errors, 24 h',
      href: '#sources',
      figure: percent(failures, requests) || 'none',
      detail: `${count(failures)} of ${count(requests)} requests`,
      mood: failures === 0 ? 'good' : failures * 20 > requests ? 'bad' : 'odd',
    },
    {
      name: 'Schedules',
      href: '#schedules',
      figure: workflows ? `${workflows.schedules.length - stopped - waiting.length} active` : 'unknown',
      detail: workflows ? `${broken} failed, ${stopped} paused` : 'Temporal does not answer',
      mood: !workflows || broken > 0 ? 'bad' : stopped > 0 ? 'odd' : 'good',
    },
    {
      name: 'First ingestion',
      href: '#schedules',
      figure: !workflows ? 'unknown' : waiting.length > 0 ? 'running' : 'done',
      detail: workflows ? firstRuns(workflows, waiting) : 'Temporal does not answer',
      mood: !workflows ? 'bad' : waiting.length > 0 ? 'odd' : 'good',
    },
    {
      name: 'Workflows',
      href: '#workflows',
      figure: workflows ? `${count(workflows.running.length)} running` : 'unknown',
      detail: workflows ? `${workflows.failed.length} failed in 24 h` : 'Temporal does not answer',
      mood: !workflows || workflows.failed.length > 0 ? 'bad' : 'good',
    },
    {
      name: 'Sync queue',
      href: '#queue',
      figure: `${count(queue.commands)} waiting`,
      detail: queue.oldestCommandAt
        ? `for ${duration(waitsS)}`
        : `${queue.walletsFailed + queue.exchangesFailed} syncs failed`,
      mood:
        waitsS > LATE_COMMAND_S ? 'bad' : queue.walletsFailed + queue.exchangesFailed > 0 ? 'odd' : 'good',
    },
    {
      name: 'Quarantine',
      href: '/console/quarantine',
      figure: quarantined === 1 ? '1 row' : `${count(quarantined)} rows`,
      detail: quarantined > 0 ? 'see the reasons' : 'nothing is quarantined',
      mood: quarantined > 0 ? 'odd' : 'good',
    },
  ]
}

const isBad = (status: string | null): boolean =>
  status === 'FAILED' || status === 'TIMED_OUT' || status === 'TERMINATED'

const sumOf24h = (sources: readonly ShownSource[]): [requests: number, failures: number] => [
  sources.reduce((sum, { health }) => sum + (health?.requests24h ?? 0), 0),
  sources.reduce((sum, { health }) => sum + (health?.failures24h ?? 0), 0),
]

/** `9 of 18 first runs ended, now refresh-nfts` */
function firstRuns({ schedules, running }: TemporalState, waiting: readonly ScheduleState[]): string {
  const names = new Set(running.map(({ name }) => name))
  const now = waiting.map(({ id }) => id).filter((id) => names.has(firstRunId(id)))
  const ended = `${schedules.length - waiting.length} of ${schedules.length} first runs ended`
  return now.length > 0 ? `${ended}, now ${now.join(', ')}` : ended
}
