import { userInfo } from 'node:os'
import { type FollowState, readFollows } from '../../db/console/read-follows.ts'
import { readSourceChanges } from '../../db/console/read-changes.ts'
import { readQuarantineReasons } from '../../db/sources/read.ts'
import { CommandError, UsageError } from '../command.ts'
import type { Given, GivenOf } from '../command-spec.ts'
import { meant } from '../parse-given.ts'
import { readSources } from '../../db/console/read-sources.ts'
import type { Db, ReadonlyDb } from '../../db/schema.ts'
import { limitSource, pauseSource } from '../../db/sources/orders.ts'
import { duration } from '../../db/values/duration.ts'
import { knownSources } from '../known-sources.ts'
import { withOperatorDatabase } from '../operator-database.ts'
import { operatorEnvironment } from '../operator-environment.ts'
import { withOperatorTemporal } from '../operator-temporal.ts'
import { triggerSource } from '../../web/console/trigger-source.ts'
import { printRecord, printRows, toJson } from '../print.ts'
import { acceptDrift, changeLine, showDrift } from '../source-drift.ts'
import { sourceData, sourceLine } from '../source-line.ts'
import type { SOURCES } from '../specs/sources.ts'

const MOST_REASONS = 5

export async function run(given: Given<typeof SOURCES>): Promise<void> {
  switch (given.action) {
    case '':
      return list(given)
    case 'drift':
      return withOperatorDatabase((db) => showDrift(db, given))
    case 'accept':
      return withOperatorDatabase((db, pool) => acceptDrift(db, pool, given))
    case 'pause':
    case 'resume':
      return pause(given)
    case 'trigger':
      return trigger(given)
    case 'limit':
      return limit(given)
  }
}

async function pause(given: GivenOf<typeof SOURCES, 'pause'> | GivenOf<typeof SOURCES, 'resume'>) {
  const { source, action } = given
  const isPaused = action === 'pause'
  const operator = userInfo().username
  await withOperatorDatabase(async (db) => {
    await requireSource(db, source)
    const changed = await pauseSource(db, { source, isPaused, operator })
    if (given.json) return printRecord({ source, paused: isPaused, changed }, given)
    const state = isPaused ? 'paused in all workers until "sluice sources resume"' : 'asked again'
    console.log(`${source} ${changed ? 'is' : 'was'} ${state}`)
  })
}

async function trigger(given: GivenOf<typeof SOURCES, 'trigger'>): Promise<void> {
  const { source } = given
  const operator = userInfo().username
  const schedules = await withOperatorDatabase(async (db) => {
    await requireSource(db, source)
    return withOperatorTemporal((client) => triggerSource({ db, client }, { source, operator }))
  })
  if (schedules.length === 0)
    throw new CommandError(`no schedule asks ${source}: it is asked when something needs it`)
  if (given.json) return printRecord({ source, schedules }, given)
  console.log(`${source}: started ${schedules.join(', ')}`)
}

async function limit(given: GivenOf<typeof SOURCES, 'limit'>): Promise<void> {
  const { source, rate, burst = null, units, per } = given
  const requestsPerSecond = rate === undefined ? null : Number(rate)
  if (requestsPerSecond !== null && !(requestsPerSecond > 0 && requestsPerSecond <= 10_000))
    throw new UsageError(`--rate must be a number of more than 0 and at most 10000, not "${rate}"`)
  const limits = { requestsPerSecond, burst, quota: units === undefined ? null : { units, per } }
  await withOperatorDatabase(async (db) => {
    await requireSource(db, source)
    if (!(await limitSource(db, { source, limits, operator: userInfo().username })))
      throw new CommandError(`${source} is a node: NODE_BUDGETS sets its rate; --units sets its budget`)
    if (given.json) return printRecord({ source, ...limits }, given)
    console.log(
      `${source}: all workers keep to it within seconds; what was not given is as the worker is set`,
    )
  })
}

async function requireSource(db: Db, source: string): Promise<void> {
  const known = await readSources(db)
  if (known.some(({ settings }) => settings.name === source)) return
  const names = known.map(({ settings }) => settings.name)
  throw new CommandError(`no source ${source}${meant(source, names)}; see "sluice sources"`)
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
  if (given.json) {
    const data = sources.map((source) => sourceData({ ...source, now }))
    return console.log(toJson({ sources: data, follows, changes, refused: reasons }))
  }
  const lines = sources.map((source) => sourceLine({ ...source, now }))
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
