import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, WorkflowIdConflictPolicy } from '@temporalio/client'
import type pg from 'pg'
import type { Logger } from 'pino'
import { markDispatched, type PendingMessage, takePending } from '../db/sources/outbox.ts'
import { transact } from '../db/transact.ts'
import { parseTraceparent } from '../ops/telemetry/traceparent.ts'
import type { Tracer } from '../ops/telemetry/tracer.ts'
import { isRefused, type KnownAttributes } from './run-attributes.ts'
import { orderedRun } from './run-options.ts'

interface DispatchDeps {
  pool: pg.Pool
  client: Client
  taskQueue: string
  known: KnownAttributes
  log: Logger
  tracer?: Tracer | null
  /** Ends the loop. */
  signal: AbortSignal
}

const POLL_MS = 300
const LONGEST_PAUSE_MS = 10_000
const BATCH = 20
const START_DEADLINE_MS = 5_000

/**
 * Starts a workflow for each command in the outbox, until the signal. A message is marked only after its
 * workflow runs, and a workflow already running under that id counts as started: neither a crash nor a
 * Temporal outage loses or doubles a command.
 */
export async function dispatchOutbox(deps: DispatchDeps): Promise<void> {
  const { log, signal } = deps
  let pauseMs = POLL_MS
  while (!signal.aborted) {
    try {
      const sent = await dispatchPending(deps)
      pauseMs = POLL_MS
      if (sent === BATCH) continue
    } catch (error) {
      log.warn(
        { reason: error instanceof Error ? error.message : String(error) },
        'cannot dispatch the outbox, will retry',
      )
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
    }
    await sleep(pauseMs, undefined, { signal }).catch(() => {})
  }
}

/**
 * Dispatches one batch and returns its size. Other workers skip the messages locked here. A message that
 * cannot be sent stays in the outbox and does not stop the others; its error is thrown at the end.
 */
export async function dispatchPending(deps: Omit<DispatchDeps, 'log' | 'signal'>): Promise<number> {
  const { sent, failure } = await transact(deps.pool, async ({ db }) => {
    const rows = await takePending(db, { limit: BATCH })
    const outcomes = await deps.client.connection.withDeadline(Date.now() + START_DEADLINE_MS, () =>
      Promise.allSettled(rows.map((message) => startTraced(deps, message))),
    )
    const started = rows.filter((_, i) => outcomes[i]!.status === 'fulfilled').map((row) => row.id)
    await markDispatched(db, started)
    return { sent: started.length, failure: outcomes.find((outcome) => outcome.status === 'rejected') }
  })
  if (failure) throw failure.reason
  return sent
}

/** Starts the workflow as part of the trace of the request that asked for it. */
async function startTraced(
  deps: Pick<DispatchDeps, 'client' | 'taskQueue' | 'known' | 'tracer'>,
  message: PendingMessage,
): Promise<void> {
  const parent = deps.tracer ? parseTraceparent(message.traceparent) : null
  const start = () => startWorkflow(deps, message)
  if (!deps.tracer || !parent) return start()
  return deps.tracer.run({ name: `start ${message.workflow}`, kind: 'producer', parent }, start)
}

async function startWorkflow(
  { client, taskQueue, known }: Pick<DispatchDeps, 'client' | 'taskQueue' | 'known'>,
  message: PendingMessage,
): Promise<void> {
  const { workflow, workflow_id: workflowId, signal, input, account_id: accountId } = message
  const start = async (with_: KnownAttributes): Promise<void> => {
    const options = {
      workflowId,
      taskQueue,
      args: [input],
      workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
      ...orderedRun({ workflow, input, accountId }, with_),
    }
    if (signal === null) await client.workflow.start(workflow, options)
    else await client.workflow.signalWithStart(workflow, { ...options, signal })
  }
  try {
    await start(known)
  } catch (error) {
    // A part of the server may not know an attribute yet, and somebody may remove one: the command matters more.
    if (known.size === 0 || !isRefused(error)) throw error
    await start(new Set())
  }
}
