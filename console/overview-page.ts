import type { ReadonlyDb } from '../db/connect.ts'
import { type Queue, readQueue, readSources } from '../db/console/read-sources.ts'
import { readRefusalCounts } from '../db/console/read-quarantine.ts'
import { sourceState } from '../db/sources/source-state.ts'
import { duration } from '../db/values/duration.ts'
import { count } from '../pages/format.ts'
import { html, type Html } from '../pages/html.ts'
import type { Visit } from '../pages/visit.ts'
import { percent, secondsBetween, tile } from './figures.ts'
import { live, liveSign } from './live.ts'
import { queuePanel } from './queue-panel.ts'
import { offSources, type ShownSource, sourcesPart } from './sources-part.ts'
import type { Temporal, TemporalState } from './temporal.ts'
import { schedulesPart, workflowsPart } from './workflows-part.ts'

const EVERY_S = 5
/** A command that waits longer has no worker, or no Temporal, to take it. */
const LATE_COMMAND_S = 30

interface OverviewDeps {
  db: ReadonlyDb
  temporal: Temporal | null
  now: () => Date
}

/** What an operator looks at first: whether everything runs, and what does not. */
export function overviewPage({ db, temporal, now }: OverviewDeps) {
  return async ({ flash, show }: Visit): Promise<void> => {
    const [known, queue, refusals, workflows] = await Promise.all([
      readSources(db),
      readQueue(db),
      readRefusalCounts(db),
      temporal?.read(),
    ])
    const at = now()
    const sources = known.map((source) => ({ ...source, state: sourceState({ ...source, now: at }) }))
    const refused = refusals.reduce((sum, { rows }) => sum + rows, 0)
    show({
      title: 'Overview',
      body: html`${await flash()} ${liveSign(at, { everySeconds: EVERY_S })}
        ${live('tiles', tiles({ sources, queue, workflows, refused, at }))}
        <h2 id="sources">Sources</h2>
        ${live('sources-now', sourcesPart(sources, at))}
        <details>
          <summary>Sources that are off</summary>
          ${live('sources-off', offSources(sources))}
        </details>
        <h2 id="schedules">Schedules</h2>
        ${live('schedules-now', schedulesPart(workflows, at))}
        <h2 id="workflows">Workflows</h2>
        ${live('workflows-now', workflowsPart(workflows, at))}
        <h2 id="queue">Sync queue</h2>
        ${live('queue-now', queuePanel(queue, at))}`,
    })
  }
}

interface TileFacts {
  sources: readonly ShownSource[]
  queue: Queue
  workflows: TemporalState | null | undefined
  refused: number
  at: Date
}

function tiles({ sources, queue, workflows, refused, at }: TileFacts): Html {
  const on = sources.filter(({ state }) => state.state !== 'off')
  const late = on.filter(({ state }) => state.isLate).length
  const paused = on.filter(({ state }) => state.state === 'paused').length
  const [requests, failures] = sumOf24h(on)
  const stopped = workflows?.schedules.filter(({ isPaused }) => isPaused).length ?? 0
  const broken = workflows?.schedules.filter(({ lastStatus }) => isBad(lastStatus)).length ?? 0
  const waitsS = queue.oldestCommandAt ? secondsBetween(queue.oldestCommandAt, at) : 0
  return html`<div class="tiles">
    ${tile({
      ...{ name: 'Sources', href: '#sources', figure: `${on.length} on` },
      detail: `${late} late, ${paused} paused, ${sources.length - on.length} off`,
      mood: late > 0 ? 'bad' : paused > 0 ? 'odd' : 'good',
    })}
    ${tile({
      ...{ name: 'Errors, 24 h', href: '#sources', figure: percent(failures, requests) || 'none' },
      detail: `${count(failures)} of ${count(requests)} requests`,
      mood: failures === 0 ? 'good' : failures * 20 > requests ? 'bad' : 'odd',
    })}
    ${tile({
      ...{ name: 'Schedules', href: '#schedules' },
      figure: workflows ? `${workflows.schedules.length - stopped} active` : 'unknown',
      detail: workflows ? `${broken} failed, ${stopped} paused` : 'Temporal does not answer',
      mood: !workflows || broken > 0 ? 'bad' : stopped > 0 ? 'odd' : 'good',
    })}
    ${tile({
      ...{ name: 'Workflows', href: '#workflows' },
      figure: workflows ? `${count(workflows.running.length)} running` : 'unknown',
      detail: workflows ? `${workflows.failed.length} failed in 24 h` : 'Temporal does not answer',
      mood: !workflows || workflows.failed.length > 0 ? 'bad' : 'good',
    })}
    ${tile({
      ...{ name: 'Sync queue', href: '#queue', figure: `${count(queue.commands)} waiting` },
      detail: queue.oldestCommandAt
        ? `for ${duration(waitsS)}`
        : `${queue.walletsFailed + queue.exchangesFailed} syncs failed`,
      mood:
        waitsS > LATE_COMMAND_S ? 'bad' : queue.walletsFailed + queue.exchangesFailed > 0 ? 'odd' : 'good',
    })}
    ${tile({
      ...{
        name: 'Quarantine',
        href: '/console/quarantine',
        figure: refused === 1 ? '1 row' : `${count(refused)} rows`,
      },
      detail: refused > 0 ? 'refused by us' : 'nothing was refused',
      mood: refused > 0 ? 'odd' : 'good',
    })}
  </div>`
}

const isBad = (status: string | null): boolean =>
  status === 'FAILED' || status === 'TIMED_OUT' || status === 'TERMINATED'

const sumOf24h = (sources: readonly ShownSource[]): [requests: number, failures: number] => [
  sources.reduce((sum, { health }) => sum + (health?.requests24h ?? 0), 0),
  sources.reduce((sum, { health }) => sum + (health?.failures24h ?? 0), 0),
]
