import { AREAS } from '../../activities/areas.ts'
import { sourceOff } from '../../activities/config.ts'
import { readSourceHealth } from '../../db/sources/read.ts'
import { withOperatorDatabase } from '../operator-database.ts'
import { operatorEnvironment } from '../operator-environment.ts'

/** Every source: on, or off for want of which variable; its last answer, its failures, what it sent that was refused. */
export async function run(): Promise<number> {
  const env = operatorEnvironment()
  const health = new Map((await withOperatorDatabase(readSourceHealth)).map((row) => [row.source, row]))
  const lines = AREAS.flatMap((area) =>
    area.sources.map((spec) => {
      const missing = sourceOff(spec, env)
      const row = health.get(spec.name)
      return {
        source: spec.name,
        area: area.name,
        state: missing === null ? 'on' : `off: set ${missing}`,
        'last success': row?.last_success_at?.toISOString() ?? 'never',
        'lag s': row?.lag_seconds ?? null,
        failures: row?.consecutive_failures ?? 0,
        'last failure': row?.last_failure?.slice(0, 60) ?? '',
        quarantined: row?.quarantined ?? 0,
      }
    }),
  )
  console.table(lines)
  return 0
}
