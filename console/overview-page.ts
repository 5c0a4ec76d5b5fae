import type { ReadonlyDb } from '../db/connect.ts'
import { readQueue, readSources } from '../db/console/read-sources.ts'
import { readRefusalCounts } from '../db/console/read-quarantine.ts'
import { sourceState } from '../db/sources/source-state.ts'
import { html, type Html } from '../pages/html.ts'
import type { Visit } from '../pages/visit.ts'
import { tile } from './figures.ts'
import { live, liveSign } from './live.ts'
import { queuePanel } from './queue-panel.ts'
import { type OverviewFigure, overviewFigures } from './overview-figures.ts'
import { offSources, sourcesPart } from './sources-part.ts'
import type { Temporal } from './temporal.ts'
import { schedulesPart, workflowsPart } from './workflows-part.ts'

const EVERY_S = 5

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
        ${live('tiles', tiles(overviewFigures({ sources, queue, workflows, refused, at })))}
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

const tiles = (figures: readonly OverviewFigure[]): Html =>
  html`<div class="tiles">${figures.map(tile)}</div>`
