import type { Client, ScheduleSummary, WorkflowExecutionInfo } from '@temporalio/client'
import { firstRunId, WAITS_FOR_FIRST_RUN } from '../../db/values/first-run.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import { readTaskQueues } from './task-queues.ts'
import type { TaskQueueState } from './task-queues.ts'

export interface RunningWorkflow {
  type: string
  /** Workflow id without the parts that identify a tenant's data. */
  name: string
  startedAt: Date
  /** Page of the Temporal UI; null: no UI is set. */
  url: string | null
}

export interface EndedWorkflow extends RunningWorkflow {
  runId: string
  /** FAILED, TIMED_OUT, TERMINATED. */
  status: string
  endedAt: Date | null
}

export interface ScheduleState {
  id: string
  everySeconds: number
  /** Paused by the operator. */
  isPaused: boolean
  /** Paused until the first ingestion has run it once. */
  waitsForFirstRun: boolean
  note: string | null
  lastAt: Date | null
  /** COMPLETED, RUNNING, FAILED...; null: never ran, or its history is gone. */
  lastStatus: string | null
  lastUrl: string | null
  nextAt: Date | null
}

export interface TemporalState {
  schedules: ScheduleState[]
  running: RunningWorkflow[]
  /** Running workflows by type. */
  runningByType: { type: string; count: number }[]
  /** Workflows that failed in the last 24 hours, newest first. */
  failed: EndedWorkflow[]
  queues: TaskQueueState[]
}

interface TemporalDeps {
  address: string
  namespace: string
  /** URL of the Temporal UI; null: no links. */
  uiUrl: string | null
  now: () => Date
}

const DEADLINE_MS = 3_000
/** All viewers share one query to Temporal per this time. */
const FRESH_MS = 2_000
const MOST_RUNNING = 500
const MOST_FAILED = 10

export interface Temporal {
  /** null: Temporal does not answer. */
  read: () => Promise<TemporalState | null>
  /** Runs an action. Throws TemporalAway if Temporal does not answer in time. */
  use: <T>(work: (client: Client) => Promise<T>) => Promise<T>
  close: () => Promise<void>
}

/** Temporal does not answer. */
export class TemporalAway extends Error {
  constructor(cause: unknown) {
    super('Temporal does not answer.', { cause })
    this.name = 'TemporalAway'
  }
}

/** Reads running and scheduled workflows from Temporal's visibility store. Connects on first use. */
export function createTemporal(deps: TemporalDeps): Temporal {
  let client: Promise<Client> | null = null
  let known: { untilMs: number; state: Promise<TemporalState | null> } | null = null

  async function connect(): Promise<Client> {
    // Loaded on the first visit, because nothing else in the API needs it.
    const { Client: TemporalClient, Connection } = await import('@temporalio/client')
    const connection = await Connection.connect({ address: deps.address, connectTimeout: DEADLINE_MS })
    return new TemporalClient({ connection, namespace: deps.namespace })
  }

  function forget(): void {
    const broken = client
    client = null
    void broken?.then(({ connection }) => connection.close()).catch(() => {})
  }

  async function withClient<T>(work: (connected: Client) => Promise<T>): Promise<T> {
    client ??= connect()
    const connected = await client
    return await connected.connection.withDeadline(Date.now() + DEADLINE_MS, () => work(connected))
  }

  async function ask(): Promise<TemporalState | null> {
    try {
      return await withClient((connected) => readState(connected, deps))
    } catch {
      forget()
      return null
    }
  }

  async function use<T>(work: (connected: Client) => Promise<T>): Promise<T> {
    try {
      return await withClient(work)
    } catch (error) {
      if (!isAway(error)) throw error
      forget()
      throw new TemporalAway(error)
    } finally {
      // The next page shows what the action changed.
      known = null
    }
  }

  return {
    use,
    read() {
      const nowMs = deps.now().getTime()
      if (!known || known.untilMs <= nowMs) known = { untilMs: nowMs + FRESH_MS, state: ask() }
      return known.state
    },
    close: async () => {
      await client?.then(({ connection }) => connection.close()).catch(() => {})
    },
  }
}

/** gRPC: DEADLINE_EXCEEDED, UNAVAILABLE. Temporal's client wraps some of its errors. */
function isAway(error: unknown): boolean {
  for (let one: unknown = error; one instanceof Error; one = one.cause)
    if ([4, 14].includes((one as Error & { code?: number }).code ?? 0) || /connect/i.test(one.message))
      return true
  return false
}

async function readState(client: Client, deps: TemporalDeps): Promise<TemporalState> {
  const since = new Date(deps.now().getTime() - DAY_MS).toISOString()
  const [summaries, running, failed, queues] = await Promise.all([
    collect(client.schedule.list(), Infinity),
    collect(client.workflow.list({ query: `ExecutionStatus = 'Running'` }), MOST_RUNNING),
    collect(
      client.workflow.list({
        query: `ExecutionStatus IN ('Failed', 'TimedOut', 'Terminated') AND CloseTime > '${since}'`,
      }),
      MOST_FAILED,
    ),
    readTaskQueues(client),
  ])
  const last = await readLastRuns(client, summaries)
  const counts = Map.groupBy(running, ({ type }) => type)
  return {
    schedules: summaries
      .map((summary) => scheduleOf(summary, last, deps))
      .sort((a, b) => a.id.localeCompare(b.id)),
    running: running.map((one) => workflowOf(one, deps)),
    runningByType: [...counts]
      .map(([type, of]) => ({ type, count: of.length }))
      .sort((a, b) => b.count - a.count || a.type.localeCompare(b.type)),
    failed: failed.map((one) => ({
      ...workflowOf(one, deps),
      runId: one.runId,
      status: one.status.name,
      endedAt: one.closeTime ?? null,
    })),
    queues,
  }
}

/** Returns the last run of each schedule by workflow id. */
async function readLastRuns(
  client: Client,
  summaries: readonly ScheduleSummary[],
): Promise<Map<string, WorkflowExecutionInfo>> {
  const ids = summaries.map(lastRunId)
  if (ids.length === 0) return new Map()
  const list = ids.map((id) => `'${id.replaceAll("'", '')}'`).join(', ')
  const runs = await collect(client.workflow.list({ query: `WorkflowId IN (${list})` }), ids.length * 2)
  return new Map(runs.map((run) => [run.workflowId, run]))
}

type Info = ScheduleSummary['info']

const lastActionOf = (info: Info) => info.recentActions.at(-1)

/** A schedule that has started nothing itself was last run by the first ingestion. */
function lastRunId({ scheduleId, info }: ScheduleSummary): string {
  const action = lastActionOf(info)?.action
  return action?.type === 'startWorkflow' ? action.workflow.workflowId : firstRunId(scheduleId)
}

function scheduleOf(
  summary: ScheduleSummary,
  last: Map<string, WorkflowExecutionInfo>,
  deps: TemporalDeps,
): ScheduleState {
  const { scheduleId, spec, state, info } = summary
  const run = last.get(lastRunId(summary))
  const waitsForFirstRun = state.paused && state.note === WAITS_FOR_FIRST_RUN
  return {
    id: scheduleId,
    everySeconds: (spec?.intervals?.[0]?.every ?? 0) / 1_000,
    isPaused: state.paused && !waitsForFirstRun,
    waitsForFirstRun,
    note: state.note || null,
    lastAt: lastActionOf(info)?.takenAt ?? run?.startTime ?? null,
    lastStatus: run?.status.name ?? null,
    lastUrl: run ? urlOf(run, deps) : null,
    nextAt: info.nextActionTimes[0] ?? null,
  }
}

const workflowOf = (info: WorkflowExecutionInfo, deps: TemporalDeps): RunningWorkflow => ({
  type: info.type,
  name: nameOf(info),
  startedAt: info.startTime,
  url: urlOf(info, deps),
})

/** Hides the part after `word:`, which is an address, an extended key or an id of a tenant. */
export const nameOfWorkflow = (workflowId: string): string => workflowId.replace(/^([a-z-]+:).*/s, '$1…')
const nameOf = ({ workflowId }: WorkflowExecutionInfo) => nameOfWorkflow(workflowId)

function urlOf(info: WorkflowExecutionInfo, { uiUrl, namespace }: TemporalDeps): string | null {
  if (uiUrl === null) return null
  const { workflowId, runId } = info
  const list = `${uiUrl}/namespaces/${encodeURIComponent(namespace)}/workflows`
  return nameOf(info) === workflowId
    ? `${list}/${encodeURIComponent(workflowId)}/${encodeURIComponent(runId)}/history`
    : `${list}?query=${encodeURIComponent(`RunId="${runId}"`)}`
}

async function collect<T>(items: AsyncIterable<T>, most: number): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) {
    found.push(item)
    if (found.length >= most) break
  }
  return found
}
