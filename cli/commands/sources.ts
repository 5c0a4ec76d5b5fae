import { allSourceSettings } from '../../activities/source-settings.ts'
import { readQuarantineReasons, readSourceHealth } from '../../db/sources/read.ts'
import type { Given } from '../command-spec.ts'
import { withOperatorDatabase } from '../operator-database.ts'
import { operatorEnvironment } from '../operator-environment.ts'
import { printRows, toJson } from '../print.ts'
import { sourceLine } from '../source-line.ts'
import type { SOURCES } from '../specs/watch.ts'

const MOST_REASONS = 5

/**
 * Lists every source: whether it is on or which variable it lacks, its last answer and delay, its errors and
 * the rest of its allowance. Then lists its quarantined rows by reason.
 */
export async function run(given: Given<typeof SOURCES>): Promise<void> {
  const env = operatorEnvironment()
  const { health, reasons } = await withOperatorDatabase(async (db) => ({
    health: await readSourceHealth(db),
    reasons: await readQuarantineReasons(db, { perSource: MOST_REASONS }),
  }))
  const healthOf = new Map(health.map((row) => [row.source, row]))
  const now = new Date()
  const lines = allSourceSettings(env).map((settings) =>
    sourceLine({ settings, health: healthOf.get(settings.name), now }),
  )
  if (given.json) return console.log(toJson({ sources: lines, refused: reasons }))
  printRows(lines, given)
  if (reasons.length === 0) return
  console.log(
    '\nQuarantined rows by the most frequent reasons of each source ("sluice quarantine list" shows all):',
  )
  printRows(reasons, given)
}
