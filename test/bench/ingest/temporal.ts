import { join } from 'node:path'
import { Client, Connection } from '@temporalio/client'
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker'
import type pg from 'pg'
import { cacheFolder } from '../../../cli/folders.ts'
import { freePort } from '../../../cli/supervisor/free-port.ts'
import { findTemporal } from '../../../cli/temporal/find-temporal.ts'
import { temporalService } from '../../../cli/temporal/temporal-service.ts'
import { activityInterceptor } from '../../../activities/activity-interceptor.ts'
import type { Cleanup } from '../shared/cleanup.ts'
import { startPart } from '../shared/start-part.ts'
import type { BatchInput } from './write-batch.ts'
import { writeBatch } from './write-batch.ts'
import type { ingestBatches } from './workflow.ts'

const TASK_QUEUE = 'bench'

/**
 * Starts the Temporal development server with the product's settings and a database file, and a worker in
 * this process. Returns a function that writes batches in a workflow.
 */
export async function startWorkflows(input: {
  folder: string
  pool: pg.Pool
  cleanup: Cleanup
  log: (line: string) => void
}): Promise<(batches: BatchInput[]) => Promise<number>> {
  const { cleanup, folder, log, pool } = input
  const choice = await findTemporal({
    env: { ...process.env, TEMPORAL_ADDRESS: '' },
    cacheFolder: cacheFolder(),
    log,
  })
  if ('address' in choice)
    throw new Error('the benchmark needs its own Temporal server: unset TEMPORAL_ADDRESS')
  const port = await freePort()
  const spec = temporalService({ program: choice.program, port, file: join(folder, 'temporal.db') })
  await startPart(spec, cleanup)

  const address = `127.0.0.1:${port}`
  Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] })
  const connection = await NativeConnection.connect({ address })
  const worker = await Worker.create({
    connection,
    taskQueue: TASK_QUEUE,
    workflowsPath: join(import.meta.dirname, 'workflow.ts'),
    activities: { writeBatch: (batch: BatchInput) => writeBatch(pool, batch) },
    interceptors: { activity: [activityInterceptor] },
    shutdownGraceTime: '1s',
    shutdownForceTime: '2s',
  })
  const running = worker.run()
  const clientConnection = await Connection.connect({ address })
  cleanup.add(async () => {
    worker.shutdown()
    await running
    await clientConnection.close()
    await connection.close()
  })
  const client = new Client({ connection: clientConnection })
  let runs = 0
  return (batches) =>
    client.workflow.execute<typeof ingestBatches>('ingestBatches', {
      workflowId: `ingest-${runs++}`,
      taskQueue: TASK_QUEUE,
      args: [batches],
    })
}
