import { readFileSync } from 'node:fs'
import { Client, Connection } from '@temporalio/client'
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { failWhenChanged } from '../../activities/fail-when-changed.ts'
import '../setup/provided.ts'

const taskQueue = 'changed-code-test'
let connection: NativeConnection
let client: Client

beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] })
  const address = inject('temporalAddress')
  connection = await NativeConnection.connect({ address })
  client = new Client({ connection: await Connection.connect({ address }) })
})
afterAll(async () => {
  await client.connection.close()
  await connection.close()
})

test('a scheduled run that old code began and changed code cannot replay fails, and does not block later runs', async () => {
  const older = readFileSync(inject('workflowBundle'), 'utf8')
  const newer = older.replaceAll('refreshQuotes', 'readQuotesElsewhere')
  expect(newer).not.toBe(older)
  const start = () =>
    client.workflow.start('refreshCoins', { taskQueue, workflowId: 'changed-code', args: [] })
  const run = await withWorker(older, async () => {
    const begun = await start()
    const pending = async () => (await begun.describe()).raw.pendingActivities?.length
    await expect.poll(pending).toBe(1)
    return begun
  })
  await withWorker(newer, async () => {
    await run.signal('somebody looks')
    await expect(run.result()).rejects.toThrow()
  })
  expect((await run.describe()).status.name).toBe('FAILED')
  await (await start()).terminate()
})

async function withWorker<T>(code: string, work: () => Promise<T>): Promise<T> {
  const worker = await Worker.create({
    connection,
    taskQueue,
    workflowBundle: { code },
    workflowFailureErrorTypes: failWhenChanged([{ workflow: 'refreshCoins' }]),
  })
  return worker.runUntil(work)
}
