import { type Client, WorkflowIdConflictPolicy } from '@temporalio/client'
import type { LoopSpec } from './area.ts'

/** Starts the workflows that keep loops alive. One that runs already goes on. */
export async function startLoops(deps: {
  client: Client
  taskQueue: string
  loops: readonly LoopSpec[]
}): Promise<void> {
  const { client, taskQueue, loops } = deps
  for (const { id, workflow, input } of loops)
    await client.workflow.start(workflow, {
      workflowId: id,
      taskQueue,
      args: input ? [input] : [],
      workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
    })
}
