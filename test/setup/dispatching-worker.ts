import type { ActivityDeps } from '../../activities/deps.ts'
import { dispatchOutbox } from '../../activities/dispatch-outbox.ts'
import { startWorker } from './worker.ts'

/** A worker that also dispatches the outbox, as the real one does. Call `stop` after the tests. */
export async function startDispatchingWorker(input: {
  taskQueue: string
  activities: object
  deps: Pick<ActivityDeps, 'pool' | 'log'>
}) {
  const { taskQueue, activities } = input
  const { pool, log } = input.deps
  const worker = await startWorker({ taskQueue, activities })
  const ended = new AbortController()
  const dispatching = dispatchOutbox({
    pool,
    log,
    client: worker.client,
    taskQueue,
    known: new Set(),
    signal: ended.signal,
  })
  async function stop(): Promise<void> {
    ended.abort()
    await dispatching
    await worker.stop()
  }
  return { ...worker, stop }
}
