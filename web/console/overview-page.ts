import type { ReadonlyDb } from '../../db/schema.ts'
import { html, type Html } from '../parts/html.ts'
import type { Visit } from '../parts/visit.ts'
import { changesPart } from './changes-part.ts'
import { tile } from './figures.ts'
import { followsPart } from './follows-part.ts'
import { live, liveSign } from './live.ts'
import { nodesPart } from './nodes-part.ts'
import { queuePanel } from './queue-panel.ts'
import type { OverviewFigure } from './overview-figures.ts'
import { readOverview } from './read-overview.ts'
import { offSources, sourcesPart } from './sources-part.ts'
import type { Temporal } from './temporal.ts'
import { schedulesPart, workflowsPart } from './workflows-part.ts'

const EVERY_S = 5

interface OverviewDeps {
  db: ReadonlyDb
  temporal: Temporal | null
  now: () => Date
}

/** Shows whether everything runs, and what does not. */
export function overviewPage(deps: OverviewDeps) {
  return async ({ flash, show }: Visit): Promise<void> => {
    const { at, sources, changes, follows, nodes, queue, workflows, figures } = await readOverview(deps)
    show({
      title: 'Overview',
      body: html`${await flash()} ${liveSign(at, { everySeconds: EVERY_S })} ${live('tiles', tiles(figures))}
        <h2 id="sources">Sources</h2>
        ${live('sources-now', sourcesPart(sources, at))} ${live('changes-now', changesPart(changes, at))}
        ${live('follows-now', followsPart(follows, at))} ${live('nodes-now', nodesPart(nodes))}
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
