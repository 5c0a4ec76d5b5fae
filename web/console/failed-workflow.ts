import { randomUUID } from 'node:crypto'
import type { Client } from '@temporalio/client'
import type { ProtoFailure } from '@temporalio/common'
import { doNoted } from '../../db/console/note-action.ts'
import type { Db, ReadonlyDb } from '../../db/schema.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import { isUuid } from '../../db/values/uuid.ts'
import { nameOfWorkflow } from './temporal.ts'

/** A run of a workflow. */
export interface FoundWorkflow {
  runId: string
  /** It may name a wallet or an account: `name` does not. */
  workflowId: string
  name: string
  type: string
  /** RUNNING, COMPLETED, CONTINUED_AS_NEW, FAILED, TIMED_OUT, TERMINATED, CANCELLED. */
  status: string
  startedAt: Date
  endedAt: Date | null
}

export interface FailureDetails extends FoundWorkflow {
  /** Messages from the outermost to the cause. */
  reasons: string[]
  /** The activity that failed, and how often it was tried. null: no activity is at fault. */
  activity: string | null
  tries: number | null
}

const FAILED = `ExecutionStatus IN ('Failed', 'TimedOut', 'Terminated', 'Canceled')`
/** Events from the end among which the failed activity is. */
const LAST_EVENTS = 200

/** Failed workflows of the last 24 hours, newest first. */
export async function listFailedWorkflows(
  client: Client,
  { limit, now }: { limit: number; now: Date },
): Promise<FoundWorkflow[]> {
  const since = new Date(now.getTime() - DAY_MS).toISOString()
  return await listWorkflows(client, `${FAILED} AND CloseTime > '${since}'`, limit)
}

/** Reads why a run failed. null: there is no such run, or it has not failed. */
export async function readFailure(client: Client, runId: string): Promise<FailureDetails | null> {
  const found = await find(client, runId)
  return found && { ...found, ...(await reasonsOf(client, found)) }
}

/**
 * Starts a failed workflow again, under the same id and with the same input. `running`: one of this id runs already.
 * `gone`: there is no such run, or it has not failed.
 */
export async function runAgain(
  { db, client }: { db: Db | ReadonlyDb; client: Client },
  { runId, operator }: { runId: string; operator: string },
): Promise<'started' | 'running' | 'gone'> {
  const found = await find(client, runId)
  if (!found) return 'gone'
  const { namespace } = client.options
  const { workflowId, name } = found
  // The list of actions names no wallet and no account that nobody typed.
  const subject = name === workflowId ? workflowId : `${name} ${runId}`
  const { history } = await client.workflowService.getWorkflowExecutionHistory({
    namespace,
    execution: { workflowId, runId },
    maximumPageSize: 1,
  })
  const begun = history?.events?.[0]?.workflowExecutionStartedEventAttributes
  if (!begun) return 'gone'
  try {
    await doNoted(db, { operator, action: 'run a workflow again', subject }, () =>
      client.workflowService.startWorkflowExecution({
        namespace,
        workflowId,
        requestId: randomUUID(),
        workflowType: begun.workflowType ?? null,
        taskQueue: { name: begun.taskQueue?.name ?? null },
        // The payloads as they are: what was given is given again.
        input: begun.input ?? null,
        memo: begun.memo ?? null,
        searchAttributes: begun.searchAttributes ?? null,
        priority: begun.priority ?? null,
        header: begun.header ?? null,
        workflowExecutionTimeout: begun.workflowExecutionTimeout ?? null,
        workflowRunTimeout: begun.workflowRunTimeout ?? null,
        workflowTaskTimeout: begun.workflowTaskTimeout ?? null,
        retryPolicy: begun.retryPolicy ?? null,
      }),
    )
    return 'started'
  } catch (error) {
    if ((error as { code?: number }).code === ALREADY_EXISTS) return 'running'
    throw error
  }
}

/** A status of gRPC. */
const ALREADY_EXISTS = 6

async function find(client: Client, runId: string): Promise<FoundWorkflow | null> {
  if (!isUuid(runId)) return null
  return (await listWorkflows(client, `RunId = '${runId}' AND ${FAILED}`, 1))[0] ?? null
}

/** Runs by a query of Temporal, newest first. */
export async function listWorkflows(client: Client, query: string, limit: number): Promise<FoundWorkflow[]> {
  const found: FoundWorkflow[] = []
  for await (const info of client.workflow.list({ query, pageSize: limit })) {
    const { runId, workflowId, type, status, startTime, closeTime } = info
    found.push({
      runId,
      workflowId,
      name: nameOfWorkflow(workflowId),
      type,
      status: status.name,
      startedAt: startTime,
      endedAt: closeTime ?? null,
    })
    if (found.length >= limit) break
  }
  return found
}

async function reasonsOf(
  client: Client,
  { workflowId, runId }: FoundWorkflow,
): Promise<Pick<FailureDetails, 'reasons' | 'activity' | 'tries'>> {
  const { history } = await client.workflowService.getWorkflowExecutionHistoryReverse({
    namespace: client.options.namespace,
    execution: { workflowId, runId },
    maximumPageSize: LAST_EVENTS,
  })
  const events = history?.events ?? []
  const [end] = events
  const failures = causesOf(end?.workflowExecutionFailedEventAttributes?.failure)
  const failed = failures.find(({ activityFailureInfo }) => activityFailureInfo)?.activityFailureInfo
  const started = events.find(
    ({ activityTaskStartedEventAttributes: one }) =>
      failed && one && String(one.scheduledEventId) === String(failed.scheduledEventId),
  )?.activityTaskStartedEventAttributes
  return {
    reasons:
      failures.length > 0
        ? failures.flatMap(({ message }) => message || [])
        : [end?.workflowExecutionTerminatedEventAttributes?.reason || otherReason(end ?? {})],
    activity: failed?.activityType?.name ?? null,
    tries: started?.attempt ?? null,
  }
}

function otherReason(end: object): string {
  if ('workflowExecutionTimedOutEventAttributes' in end && end.workflowExecutionTimedOutEventAttributes)
    return 'It took longer than it may.'
  return 'Somebody ended it.'
}

/** A failure and its causes, the outermost first. */
function causesOf(failure: ProtoFailure | null | undefined): ProtoFailure[] {
  const all: ProtoFailure[] = []
  for (let one = failure; one; one = one.cause) all.push(one)
  return all
}
