import type { ReadonlyDb } from '../../db/schema.ts'
import { readSourceChanges } from '../../db/console/read-changes.ts'
import { readFollows } from '../../db/console/read-follows.ts'
import { readNodeUsage } from '../../db/console/read-node-usage.ts'
import { readQuarantineCounts } from '../../db/console/read-quarantine.ts'
import { readQueue, readSources } from '../../db/console/read-sources.ts'
import { readOpenIncidents } from '../../db/incidents/operator.ts'
import { sourceState } from '../../db/sources/source-state.ts'
import { inTime } from './in-time.ts'
import { overviewFigures } from './overview-figures.ts'
import type { Temporal } from './temporal.ts'

interface OverviewDeps {
  db: ReadonlyDb
  temporal: Temporal | null
  now: () => Date
}

/** Reads the headline figures and their data for `sluice status`. Throws if a part cannot be read. */
export async function readOverview(deps: OverviewDeps) {
  const reads = startReads(deps)
  const [known, changes, follows, nodes, queue, refusals, workflows] = await Promise.all([
    reads.known,
    reads.changes,
    reads.follows,
    reads.nodes,
    reads.queue,
    reads.refusals,
    reads.workflows,
  ])
  const at = deps.now()
  const sources = withStates(known, at)
  const figures = overviewFigures({ sources, queue, workflows, quarantined: sumOf(refusals), at })
  return { at, sources, changes, follows, nodes, queue, refusals, workflows, figures }
}

/** The same for the console: a part that does not answer in time is undefined, and the others are shown. */
export async function readShownOverview(deps: OverviewDeps) {
  const reads = startReads(deps)
  const [incidents, known, changes, follows, nodes, queue, refusals, workflows] = await Promise.all([
    inTime(readOpenIncidents(deps.db)),
    inTime(reads.known),
    inTime(reads.changes),
    inTime(reads.follows),
    inTime(reads.nodes),
    inTime(reads.queue),
    inTime(reads.refusals),
    reads.workflows,
  ])
  const at = deps.now()
  const sources = known && withStates(known, at)
  const figures = overviewFigures({
    sources,
    queue,
    workflows,
    quarantined: refusals && sumOf(refusals),
    at,
  })
  return { at, incidents, sources, changes, follows, nodes, queue, workflows, figures }
}

function startReads({ db, temporal }: OverviewDeps) {
  return {
    known: readSources(db),
    changes: readSourceChanges(db),
    follows: readFollows(db),
    nodes: readNodeUsage(db),
    queue: readQueue(db),
    refusals: readQuarantineCounts(db),
    /** null: Temporal does not answer. undefined: no server is set. */
    workflows: Promise.resolve(temporal?.read()),
  }
}

const withStates = (known: Awaited<ReturnType<typeof readSources>>, at: Date) =>
  known.map((source) => ({ ...source, state: sourceState({ ...source, now: at }) }))

const sumOf = (refusals: Awaited<ReturnType<typeof readQuarantineCounts>>): number =>
  refusals.reduce((sum, { rows }) => sum + rows, 0)
