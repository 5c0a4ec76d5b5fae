import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@temporalio/client'
import proto from '@temporalio/proto'

const { History } = proto.temporal.api.history.v1
const PATIENCE_MS = 10_000

/** Keeps the history of a completed run of a workflow on the queue for replay.test.ts. */
export async function recordHistory(
  client: Client,
  { taskQueue, workflow }: { taskQueue: string; workflow: string },
): Promise<void> {
  const workflowId = await completedRun(
    client,
    `TaskQueue = '${taskQueue}' and WorkflowType = '${workflow}' and ExecutionStatus = 'Completed'`,
  )
  if (workflowId === null) return
  const history = await client.workflow.getHandle(workflowId).fetchHistory()
  const plain = History.toObject(History.create(history), { longs: String, bytes: String, enums: String })
  // Names of machines, processes and folders are no part of what a workflow does.
  const json = JSON.stringify(plain, (key, value: unknown) => (key === 'identity' ? undefined : value), 1)
  const text = json.replaceAll(join(import.meta.dirname, '../..'), '')
  const name = workflow.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  writeFileSync(join(import.meta.dirname, 'histories', `${name}.json`), `${text}\n`)
}

/** Null: there is none, also when the server has had time to list it. */
async function completedRun(client: Client, query: string): Promise<string | null> {
  for (const endMs = Date.now() + PATIENCE_MS; Date.now() < endMs; await sleep(250))
    for await (const { workflowId } of client.workflow.list({ query })) return workflowId
  return null
}
