import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@temporalio/client'
import proto from '@temporalio/proto'

const { History } = proto.temporal.api.history.v1
const PATIENCE_MS = 10_000

/** Records the history of a workflow run on the queue that has ended, for replay.test.ts. */
export async function recordHistory(
  client: Client,
  { taskQueue, workflow }: { taskQueue: string; workflow: string },
): Promise<void> {
  const run = await endedRun(
    client,
    `TaskQueue = '${taskQueue}' and WorkflowType = '${workflow}' and ExecutionStatus in ('Completed', 'ContinuedAsNew')`,
  )
  if (run === null) return
  const history = await client.workflow.getHandle(run.workflowId, run.runId).fetchHistory()
  const plain = History.toObject(History.create(history), { longs: String, bytes: String, enums: String })
  // Remove machine, process and folder names, which differ per machine.
  const json = JSON.stringify(plain, (key, value: unknown) => (key === 'identity' ? undefined : value), 1)
  const text = json.replaceAll(join(import.meta.dirname, '../..'), '')
  const name = workflow.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  writeFileSync(join(import.meta.dirname, 'histories', `${name}.json`), `${text}\n`)
}

/** Null if the server does not list one in time. */
async function endedRun(
  client: Client,
  query: string,
): Promise<{ workflowId: string; runId: string } | null> {
  for (const endMs = Date.now() + PATIENCE_MS; Date.now() < endMs; await sleep(250))
    for await (const run of client.workflow.list({ query })) return run
  return null
}
