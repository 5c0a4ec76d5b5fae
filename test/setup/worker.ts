import { randomUUID } from 'node:crypto'
import { Client, Connection, type Workflow, type WorkflowResultType } from '@temporalio/client'
import { DefaultLogger, NativeConnection, Runtime, Worker, type WorkerOptions } from '@temporalio/worker'
import { inject } from 'vitest'
import { activityInterceptor } from '../../activities/activity-interceptor.ts'
import { createQueueWorkers } from '../../activities/queue-workers.ts'
import { recordHistory } from '../replay/record-history.ts'
import './provided.ts'

/** Workers for a task queue and for the queues beside it, as in the real process. */
export async function createWorkers(options: WorkerOptions) {
  const workers = [
    await Worker.create({ ...options, workflowBundle: { codePath: inject('workflowBundle') } }),
    ...(await createQueueWorkers(options)),
  ]
  return {
    run: () => Promise.all(workers.map((worker) => worker.run())),
    shutdown: () => {
      for (const worker of workers) worker.shutdown()
    },
  }
}

/**
 * Starts a worker with the real workflows on the test's Temporal server. Call `stop` after the tests. If
 * RECORD_HISTORY names a workflow, `stop` records the history of a run.
 */
export async function startWorker({ taskQueue, activities }: { taskQueue: string; activities: object }) {
  Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] })
  const address = inject('temporalAddress')
  const connection = await NativeConnection.connect({ address })
  const options = { connection, taskQueue, activities, interceptors: { activity: [activityInterceptor] } }
  const workers = await createWorkers(options)
  const running = workers.run()
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
    workers.shutdown()
    await running
    await client.connection.close()
    await connection.close()
  }

  return { client, taskQueue, run, stop }
}
