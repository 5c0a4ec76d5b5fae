import { duration } from '../../db/values/duration.ts'
import { count } from '../parts/format.ts'
import { html, type Html } from '../parts/html.ts'
import { table } from '../parts/table.ts'
import { ago, badge, type Mood, share, until } from './figures.ts'
import { workflowPath } from './workflow-pages.ts'
import type { RunningWorkflow, ScheduleState, TemporalState } from './temporal.ts'

/** null: Temporal does not answer. undefined: no server is set. */
type Known = TemporalState | null | undefined

const MOST_SHOWN = 20

const MOODS: Record<string, Mood> = {
  COMPLETED: 'good',
  RUNNING: 'good',
  CONTINUED_AS_NEW: 'good',
  FAILED: 'bad',
  TIMED_OUT: 'bad',
  TERMINATED: 'bad',
  CANCELLED: 'odd',
}

/** `timed out` */
const inWords = (status: string): string => status.toLowerCase().replaceAll('_', ' ')

export const outcome = (status: string): Html => badge(MOODS[status] ?? 'none', inWords(status))

const linked = (text: string, url: string | null): Html =>
  url === null ? html`${text}` : html`<a href="${url}" rel="noreferrer">${text}</a>`

const unknown = (state: null | undefined): Html =>
  html`<p class="panel problem">
    ${state === null ? 'Temporal does not answer. No workflow starts until it does.' : 'No Temporal server is set for the console.'}
  </p>`

/** Shows last run, result and next run of each schedule. `buttons`: what operators may do to it. */
export function schedulesPart(
  state: Known,
  { at, buttons }: { at: Date; buttons?: (id: string, isPaused: boolean) => Html },
): Html {
  if (!state) return unknown(state)
  return table({
    label: 'Schedules',
    columns: [
      'Schedule',
      'State',
      'Every',
      'Last run',
      'Result',
      'Next run',
      ...(buttons ? ['Actions'] : []),
    ],
    rows: state.schedules.map((one) => [
      one.id,
      stateOf(one),
      duration(one.everySeconds),
      one.lastAt ? linked(ago(one.lastAt, at), one.lastUrl) : 'never',
      one.lastStatus === null ? '–' : outcome(one.lastStatus),
      one.isPaused || one.waitsForFirstRun || !one.nextAt ? '–' : until(one.nextAt, at),
      ...(buttons ? [buttons(one.id, one.isPaused || one.waitsForFirstRun)] : []),
    ]),
  })
}

function stateOf({ isPaused, waitsForFirstRun, note }: ScheduleState): Html {
  if (waitsForFirstRun) return badge('none', 'first run')
  return isPaused ? badge('odd', `paused ${note ?? ''}`.trim()) : badge('good', 'active')
}

/** Shows how much waits in each task queue, and how many worker processes take it. */
export function queuesPart(state: Known): Html {
  if (!state) return unknown(state)
  return table({
    label: 'Task queues',
    columns: ['Task queue', 'Waiting', 'Oldest', 'Workers'],
    numbers: ['Waiting', 'Workers'],
    rows: state.queues.map(({ name, waiting, oldestSeconds, workers }) => [
      name,
      count(waiting),
      oldestSeconds === null ? '–' : duration(oldestSeconds),
      workers === 0 ? badge('bad', 'none') : count(workers),
    ]),
  })
}

/** Shows running workflows by type, the oldest by name, and failed ones. */
export function workflowsPart(state: Known, at: Date): Html {
  if (!state) return unknown(state)
  const { running, runningByType, failed } = state
  const oldest = running.toSorted((a, b) => +a.startedAt - +b.startedAt).slice(0, MOST_SHOWN)
  return html`${
    runningByType.length === 0
      ? html`<p class="soft">No workflow is running.</p>`
      : table({
          label: 'Running workflows by type',
          columns: ['Type', 'Running', 'Share'],
          numbers: ['Running'],
          rows: runningByType.map((one) => [one.type, count(one.count), share(one.count / running.length)]),
        })
  }
  ${
    oldest.length > 0 &&
    html`<h3>Longest running</h3>
      ${table({
        label: 'Longest-running workflows',
        columns: ['Workflow', 'Type', 'Started'],
        rows: oldest.map((one) => [nameOf(one), one.type, ago(one.startedAt, at)]),
      })}`
  }
  ${
    failed.length > 0 &&
    html`<h3>Failed in the last 24 hours</h3>
      ${table({
        label: 'Workflows that failed in the last 24 hours',
        columns: ['Workflow', 'Type', 'Result', 'Ended'],
        rows: failed.map((one) => [
          html`<a href="${workflowPath(one.runId)}">${shortName(one)}</a>`,
          one.type,
          outcome(one.status),
          one.endedAt ? ago(one.endedAt, at) : '–',
        ]),
      })}`
  }`
}

const shortName = ({ name }: RunningWorkflow): string => (name.length > 40 ? `${name.slice(0, 39)}…` : name)

const nameOf = (workflow: RunningWorkflow): Html => linked(shortName(workflow), workflow.url)
