import type { ReadonlyDb } from '../../db/schema.ts'
import { readSourceChanges } from '../../db/console/read-changes.ts'
import { readFollows } from '../../db/console/read-follows.ts'
import { readNodeUsage } from '../../db/console/read-node-usage.ts'
import { readQuarantineCounts } from '../../db/console/read-quarantine.ts'
import { readQueue, readSources } from '../../db/console/read-sources.ts'
import { sourceState } from '../../db/sources/source-state.ts'
import { overviewFigures } from './overview-figures.ts'
import type { Temporal } from './temporal.ts'

/** Reads the headline figures and their data, for the console and `sluice status`. */
export async function readOverview(deps: { db: ReadonlyDb; temporal: Temporal | null; now: () => Date }) {
  const { db, temporal, now } = deps
  const [known, changes, follows, nodes, queue, refusals, workflows] = await Promise.all([
    readSources(db),
    readSourceChanges(db),
    readFollows(db),
    readNodeUsage(db),
    readQueue(db),
    readQuarantineCounts(db),
    temporal?.read(),
  ])
  const at = now()
  const sources = known.map((source) => ({ ...source, state: sourceState({ ...source, now: at }) }))
  const quarantined = refusals.reduce((sum, { rows }) => sum + rows, 0)
  const figures = overviewFigures({ sources, queue, workflows, quarantined, at })
  return { at, sources, changes, follows, nodes, queue, refusals, workflows, figures }
}
