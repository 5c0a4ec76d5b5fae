import { releaseHeldEvents } from '../../db/events/publish.ts'
import { HOUR_MS } from '../../db/values/periods.ts'
import type { ActivityDeps } from '../deps.ts'
import { pause } from '../pause.ts'
import { publishBatch } from './publish-batch.ts'

const POLL_MS = 100
const RELEASE_MS = 1_000

/** Publishes what happened as it happens, until the time is over or the worker ends. */
export async function publishLoop(
  deps: Pick<ActivityDeps, 'pool' | 'ending' | 'wait'> & { lastsMs?: number },
): Promise<void> {
  const { ending, lastsMs = HOUR_MS } = deps
  const endMs = performance.now() + lastsMs
  let releaseAtMs = 0
  while (!ending?.aborted && performance.now() < endMs) {
    if (performance.now() >= releaseAtMs) {
      await releaseHeldEvents(deps.pool)
      releaseAtMs = performance.now() + RELEASE_MS
    }
    const { isMore } = await publishBatch(deps)
    if (!isMore) await pause(deps, POLL_MS)
  }
}
