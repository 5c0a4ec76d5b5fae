import type { Queue } from '../../db/console/read-sources.ts'
import { firstRunId } from '../../db/values/first-run.ts'
import { duration } from '../../db/values/duration.ts'
import { count, counted } from '../parts/format.ts'
import { type Mood, percent, secondsBetween } from './figures.ts'
import type { ShownSource } from './sources-part.ts'
import type { ScheduleState, TemporalState } from './temporal.ts'

/** If a command waits longer, the worker or Temporal is down. */
const LATE_COMMAND_S = 30

export interface OverviewFacts {
  /** undefined, as of the queue and the quarantine: it could not be read in time. */
  sources: readonly ShownSource[] | undefined
  queue: Queue | undefined
  /** null: Temporal does not answer. undefined: no server is set. */
  workflows: TemporalState | null | undefined
  /** Number of rows in quarantine. */
  quarantined: number | undefined
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
export function overviewFigures(facts: OverviewFacts): OverviewFigure[] {
  const { sources, queue, workflows, quarantined, at } = facts
  return [
    ...(sources
      ? sourceFigures(sources)
      : [unread('Sources', '#sources'), unread('Errors, 24 h', '#sources')]),
    ...workflowFigures(workflows),
    queue ? queueFigure(queue, at) : unread('Sync queue', '#queue'),
    quarantined === undefined ? unread('Quarantine', '/console/quarantine') : quarantineFigure(quarantined),
  ]
}

const unread = (name: string, href: string): OverviewFigure => ({
  name,
  href,
  figure: 'unknown',
  detail: 'the database was too slow',
  mood: 'bad',
})

function sourceFigures(sources: readonly ShownSource[]): OverviewFigure[] {
  const on = sources.filter(({ state }) => state.state !== 'off')
  const late = on.filter(({ state }) => state.isLate).length
  const failing = on.filter(({ state }) => state.state === 'failing').length
  const paused = on.filter(({ state }) => state.state === 'paused').length
  const [requests, failures] = sumOf24h(on)
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
      detail: `${count(failures)} of ${counted(requests, 'request')}`,
      mood: failures === 0 ? 'good' : failures * 20 > requests ? 'bad' : 'odd',
    },
  ]
}

function workflowFigures(workflows: OverviewFacts['workflows']): OverviewFigure[] {
  const stopped = workflows?.schedules.filter(({ isPaused }) => isPaused).length ?? 0
  const waiting = workflows?.schedules.filter(({ waitsForFirstRun }) => waitsForFirstRun) ?? []
  const broken = workflows?.schedules.filter(({ lastStatus }) => isBad(lastStatus)).length ?? 0
  return [
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
  ]
}

function queueFigure(queue: Queue, at: Date): OverviewFigure {
  const waitsS = queue.oldestCommandAt ? secondsBetween(queue.oldestCommandAt, at) : 0
  const failed = queue.walletsFailed + queue.exchangesFailed
  return {
    name: 'Sync queue',
    href: '#queue',
    figure: `${count(queue.commands)} waiting`,
    detail: queue.oldestCommandAt ? `for ${duration(waitsS)}` : `${failed} syncs failed`,
    mood: waitsS > LATE_COMMAND_S ? 'bad' : failed > 0 ? 'odd' : 'good',
  }
}

const quarantineFigure = (rows: number): OverviewFigure => ({
  name: 'Quarantine',
  href: '/console/quarantine',
  figure: counted(rows, 'row'),
  detail: rows > 0 ? 'see the reasons' : 'nothing is quarantined',
  mood: rows > 0 ? 'odd' : 'good',
})

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
