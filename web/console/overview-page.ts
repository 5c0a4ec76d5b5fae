import type { ReadonlyDb } from '../../db/schema.ts'
import { html, type Html } from '../parts/html.ts'
import type { Visit } from '../parts/visit.ts'
import { changesPart } from './changes-part.ts'
import { tile } from './figures.ts'
import { followsPart } from './follows-part.ts'
import { incidentsPart } from './incidents-part.ts'
import { live, liveSign } from './live.ts'
import { nodesPart } from './nodes-part.ts'
import { queuePanel } from './queue-panel.ts'
import type { OverviewFigure } from './overview-figures.ts'
import { readShownOverview } from './read-overview.ts'
import { offSources, sourcesPart } from './sources-part.ts'
import { SCHEDULES } from './schedule-pages.ts'
import type { Temporal } from './temporal.ts'
import { queuesPart, schedulesPart, workflowsPart } from './workflows-part.ts'

const EVERY_S = 5

interface OverviewDeps {
  db: ReadonlyDb
  temporal: Temporal | null
  now: () => Date
}

/** Shows whether everything runs, and what does not. A part that cannot be read says so, and the others are shown. */
export function overviewPage(deps: OverviewDeps) {
  return async ({ csrf, flash, show }: Visit): Promise<void> => {
    const { at, incidents, sources, changes, follows, nodes, queue, workflows, figures } =
      await readShownOverview(deps)
    show({
      title: 'Overview',
      // It lists every source, and reloads itself.
      compressed: true,
      body: html`${await flash()} ${liveSign(at, { everySeconds: EVERY_S })}
        ${live(
          'incidents-now',
          part(incidents, (read) => (read.length > 0 ? incidentsPart(read, { at, csrf }) : html``)),
        )}
        ${live('tiles', tiles(figures))}
        <h2 id="sources">Sources</h2>
        ${live(
          'sources-now',
          part(sources, (read) => sourcesPart(read, at)),
        )}
        ${live(
          'changes-now',
          part(changes, (read) => changesPart(read, at)),
        )}
        ${live(
          'follows-now',
          part(follows, (read) => followsPart(read, at)),
        )}
        ${live('nodes-now', part(nodes, nodesPart))}
        <details>
          <summary>Sources that are off</summary>
          ${live('sources-off', part(sources, offSources))}
        </details>
        <h2 id="schedules">Schedules</h2>
        <p><a href="${SCHEDULES}">Pause, resume or start a schedule</a></p>
        ${live('schedules-now', schedulesPart(workflows, { at }))}
        <h2 id="workflows">Workflows</h2>
        ${live('workflows-now', workflowsPart(workflows, at))}
        <h2 id="task-queues">Task queues</h2>
        ${live('task-queues-now', queuesPart(workflows))}
        <h2 id="queue">Sync queue</h2>
        ${live(
          'queue-now',
          part(queue, (read) => queuePanel(read, at)),
        )}`,
    })
  }
}

const tiles = (figures: readonly OverviewFigure[]): Html =>
  html`<div class="tiles">${figures.map(tile)}</div>`

/** undefined: it did not answer in time. */
function part<Read>(read: Read | undefined, show: (read: Read) => Html): Html {
  if (read !== undefined) return show(read)
  return html`<p class="panel problem">
    The database was too slow for this part, so it is not shown. The page reads it again.
  </p>`
}
