import { type FollowState, readFollows } from '../../db/console/read-follows.ts'
import { readSourceChanges } from '../../db/console/read-changes.ts'
import { readQuarantineReasons } from '../../db/sources/read.ts'
import type { Given, GivenOf } from '../command-spec.ts'
import type { ReadonlyDb } from '../../db/schema.ts'
import { duration } from '../../db/values/duration.ts'
import { knownSources } from '../known-sources.ts'
import { withOperatorDatabase } from '../operator-database.ts'
import { operatorEnvironment } from '../operator-environment.ts'
import { printRows, toJson } from '../print.ts'
import { acceptDrift, changeLine, showDrift } from '../source-drift.ts'
import { sourceLine } from '../source-line.ts'
import type { SOURCES } from '../specs/watch.ts'

const MOST_REASONS = 5

export async function run(given: Given<typeof SOURCES>): Promise<void> {
  switch (given.action) {
    case '':
      return list(given)
    case 'drift':
      return withOperatorDatabase((db) => showDrift(db, given))
    case 'accept':
      return withOperatorDatabase((db, pool) => acceptDrift(db, pool, given))
  }
}

/**
 * Lists every source: whether it is on or which variable it lacks, its last answer and delay, its errors and
 * the rest of its allowance. Then lists the followed networks, changed answers, and quarantined rows by reason.
 */
async function list(given: GivenOf<typeof SOURCES, ''>): Promise<void> {
  const env = operatorEnvironment()
  const { sources, follows, changes, reasons } = await withOperatorDatabase(async (db) => ({
    sources: await knownSources(db, env),
    follows: await readFollows(db as unknown as ReadonlyDb),
    changes: await readSourceChanges(db),
    reasons: await readQuarantineReasons(db, { perSource: MOST_REASONS }),
  }))
  const now = new Date()
  const lines = sources.map((source) => sourceLine({ ...source, now }))
  if (given.json) return console.log(toJson({ sources: lines, follows, changes, refused: reasons }))
  printRows(lines, given)
  if (follows.length > 0) {
    console.log('\nFollowed networks:')
    printRows(
      follows.map((follow) => followLine(follow, now)),
      given,
    )
  }
  if (changes.length > 0) {
    console.log('\nAnswers that have changed ("sluice sources accept SOURCE" accepts them):')
    printRows(changes.map(changeLine), given)
  }
  if (reasons.length === 0) return
  console.log(
    '\nQuarantined rows by the most frequent reasons of each source ("sluice quarantine list" shows all):',
  )
  printRows(reasons, given)
}

/** Returns the state of a follower as a row of a table. */
function followLine(follow: FollowState, now: Date): Record<string, string | number> {
  const { networkId, mode, method, tickMs, cursorBlock, headBlock, advancedAt, reason } = follow
  const behind = cursorBlock === null || headBlock === null ? '' : Math.max(0, headBlock - cursorBlock)
  return {
    network: networkId,
    mode,
    method: `${method ?? ''}${tickMs === null ? '' : ` every ${duration(tickMs / 1_000)}`}`,
    block: cursorBlock ?? '',
    head: headBlock ?? '',
    behind,
    node: follow.node ?? '',
    rewinds: follow.rewinds24h,
    disagreements: follow.disagreements,
    advanced: advancedAt ? `${duration((now.getTime() - advancedAt.getTime()) / 1_000)} ago` : 'never',
    reason: reason?.slice(0, 60) ?? '',
  }
}
