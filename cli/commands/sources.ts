import { allSourceSettings } from '../../activities/source-settings.ts'
import { readQuarantineReasons, readSourceHealth } from '../../db/sources/read.ts'
import { withOperatorDatabase } from '../operator-database.ts'
import { operatorEnvironment } from '../operator-environment.ts'
import { sourceLine } from '../source-line.ts'

const MOST_REASONS = 5

/**
 * Every source: on, or off for want of which variable; its last answer, how late that is, its errors, and what is left
 * of its allowance. Then the rows it sent that were refused, by reason.
 */
export async function run(): Promise<number> {
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
  console.table(lines)
  if (reasons.length === 0) return 0
  console.log('Refused rows, the most frequent reasons of each source:')
  console.table(reasons.map(({ newestAt, ...row }) => ({ ...row, newest: newestAt.toISOString() })))
  return 0
}
