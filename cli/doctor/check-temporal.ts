import { Client, Connection } from '@temporalio/client'
import { AREAS } from '../../activities/all-areas.ts'
import { WAITS_FOR_FIRST_RUN } from '../../db/values/first-run.ts'
import { TASK_QUEUE } from '../../db/values/task-queues.ts'
import { attempt, fail, type Finding, ok, warn } from './finding.ts'

const DEADLINE_MS = 5_000
/** A polling worker shows up again within a minute. */
const POLLED_MS = 90_000

/**
 * Checks Temporal: reachability, namespace, a worker that polls the task queue, and the schedules of all
 * areas.
 */
export async function checkTemporal(env: Record<string, string | undefined>): Promise<Finding[]> {
  const address = env['TEMPORAL_ADDRESS']
  if (!address) return [fail('Temporal', 'no address', 'run "npm start", or set TEMPORAL_ADDRESS')]
  const namespace = env['TEMPORAL_NAMESPACE'] || 'default'
  const mend = `is the server up at ${address}, and is ${namespace} its namespace (TEMPORAL_NAMESPACE)?`
  return attempt(
    'Temporal',
    async () => {
      const connection = await Connection.connect({ address, connectTimeout: DEADLINE_MS })
      try {
        return await connection.withDeadline(Date.now() + DEADLINE_MS, () =>
          ask(connection, { address, namespace }),
        )
      } finally {
        await connection.close()
      }
    },
    mend,
  )
}

async function ask(
  connection: Connection,
  { address, namespace }: { address: string; namespace: string },
): Promise<Finding[]> {
  await connection.workflowService.describeNamespace({ namespace })
  const { pollers } = await connection.workflowService.describeTaskQueue({
    namespace,
    taskQueue: { name: TASK_QUEUE },
    taskQueueType: 1,
  })
  const now = Date.now()
  const polling = (pollers ?? []).filter(
    ({ lastAccessTime }) => now - Number(lastAccessTime?.seconds ?? 0) * 1_000 < POLLED_MS,
  )
  const worker =
    polling.length > 0
      ? ok('worker', `${polling.length} polling the task queue ${TASK_QUEUE}`)
      : fail(
          'worker',
          `no worker polls the task queue ${TASK_QUEUE}`,
          'start the worker; its log says why it stopped',
        )
  return [
    ok('Temporal', `${address}, namespace ${namespace}`),
    worker,
    ...(await schedules(connection, namespace)),
  ]
}

async function schedules(connection: Connection, namespace: string): Promise<Finding[]> {
  const client = new Client({ connection, namespace })
  const found = new Map<string, Pause | null>()
  for await (const { scheduleId, state } of client.schedule.list())
    found.set(scheduleId, state.paused ? { note: state.note } : null)
  const wanted = AREAS.flatMap((area) => area.schedules.map(({ id }) => id))
  return [scheduleFinding(wanted, found)]
}

/** Why a schedule is paused. */
interface Pause {
  note: string | undefined
}

/** Judges the schedules that should exist by those that do; null: one that is not paused. */
export function scheduleFinding(
  wanted: readonly string[],
  found: ReadonlyMap<string, Pause | null>,
): Finding {
  const missing = wanted.filter((id) => !found.has(id))
  if (missing.length > 0)
    return fail('schedules', `missing: ${missing.join(', ')}`, 'start the worker: it creates them')
  // The worker ends a pause until the first run by itself.
  const isWaiting = (id: string) => found.get(id)?.note === WAITS_FOR_FIRST_RUN
  const paused = wanted.filter((id) => found.get(id) && !isWaiting(id))
  if (paused.length > 0)
    return warn('schedules', `paused: ${paused.join(', ')}`, 'run "sluice schedules resume ID"')
  const waiting = wanted.filter(isWaiting).length
  return ok(
    'schedules',
    `${wanted.length} exist${waiting > 0 ? `, ${waiting} wait for their first run` : ''}`,
  )
}
