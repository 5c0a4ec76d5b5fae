import { startTemporal } from '../supervisor/start-parts.ts'
import { supervise } from '../supervisor/supervise.ts'

/** Sets everything up, runs it until a signal arrives, and stops it. */
export async function run(): Promise<number> {
  return supervise({ apis: 1, workers: 1, startTemporal })
}
