import { type Running, type ServiceSpec, startService } from '../../../cli/supervisor/service.ts'
import type { Cleanup } from './cleanup.ts'

/** Starts a process of a benchmark and waits until it is up. Its output is discarded. */
export async function startPart(spec: ServiceSpec, cleanup: Cleanup): Promise<Running> {
  const running = startService(spec, { onLine: () => {}, onSpawn: () => {}, onExit: () => {} })
  cleanup.add(running.stop)
  await running.ready
  return running
}
