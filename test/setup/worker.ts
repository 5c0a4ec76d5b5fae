import { randomUUID } from 'node:crypto'
import { Client, Connection, type Workflow, type WorkflowResultType } from '@temporalio/client'
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker'
import { inject } from 'vitest'
import { activityInterceptor } from '../../activities/activity-interceptor.ts'
import { recordHistory } from '../replay/record-history.ts'
import './provided.ts'

/**
 * Starts a worker with the real workflows on the test's Temporal server. Call `stop` after the tests. If
 * RECORD_HISTORY names a workflow, `stop` records the history of a run.
 */
export async function startWorker({ taskQueue, activities }: { taskQueue: string; activities: object }) {
  Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] })
  const address = inject('temporalAddress')
  const connection = await NativeConnection.connect({ address })
  const worker = await Worker.create({
    connection,
    taskQueue,
    workflowBundle: { codePath: inject('workflowBundle') },
    activities,
    interceptors: { activity: [activityInterceptor] },
  })
  const running = worker.run()
  const client = new Client({ connection: await Connection.connect({ address }) })

  /** Runs one workflow and returns its result. */
  async function run<T extends Workflow>(name: string, input?: unknown): Promise<WorkflowResultType<T>> {
    const args = (input === undefined ? [] : [input]) as Parameters<T>
    return client.workflow.execute<T>(name, {
      taskQueue,
      workflowId: `${name}-${randomUUID()}`,
      args,
    } as never)
  }

  async function stop(): Promise<void> {
    const workflow = process.env['RECORD_HISTORY']
    if (workflow) await recordHistory(client, { taskQueue, workflow })
    worker.shutdown()
    await running
    await client.connection.close()
    await connection.close()
  }

  return { client, taskQueue, run, stop }
}
