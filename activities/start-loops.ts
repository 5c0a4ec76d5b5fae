import { type Client, WorkflowIdConflictPolicy } from '@temporalio/client'
import type { LoopSpec } from './area.ts'
import type { KnownAttributes } from './run-attributes.ts'
import { loopRun } from './run-options.ts'

/** Starts the workflows that keep loops alive. One that runs already goes on. */
export async function startLoops({
  client,
  taskQueue,
  loops,
  known,
}: {
  client: Client
  taskQueue: string
  loops: readonly LoopSpec[]
  known: KnownAttributes
}): Promise<void> {
  for (const loop of loops) {
    const { id, workflow, input } = loop
    await client.workflow.start(workflow, {
      workflowId: id,
      taskQueue,
      args: input ? [input] : [],
      workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
      ...loopRun(loop, known),
    })
  }
}
