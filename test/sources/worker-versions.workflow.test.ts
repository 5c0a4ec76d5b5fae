import { randomUUID } from 'node:crypto'
import { Client, Connection } from '@temporalio/client'
import { ApplicationFailure } from '@temporalio/common'
import { msToTs } from '@temporalio/common/lib/time.js'
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker'
import { afterAll, expect, inject, test } from 'vitest'
import { ofVersion, useFirstVersion } from '../../activities/worker-version.ts'
import { openDb } from '../../db/connect.ts'
import { listVersions } from '../../ops/temporal/worker-versions.ts'
import { sluiceHere } from '../cli/sluice-here.ts'
import { testDatabase } from '../setup/database.ts'

// Two releases side by side on a real Temporal server: what began with one goes on with it.

const NAMESPACE = `versions-${randomUUID().slice(0, 8)}`
const TASK_QUEUE = 'sluice'
const address = inject('temporalAddress')
const database = await testDatabase()
const temporal = await Connection.connect({ address })
await temporal.workflowService.registerNamespace({
  namespace: NAMESPACE,
  workflowExecutionRetentionPeriod: msToTs('1 day'),
})
const client = new Client({ connection: temporal, namespace: NAMESPACE })
Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] })
const connection = await NativeConnection.connect({ address })
const sluice = sluiceHere({
  DATABASE_URL: database.ownerUrl,
  TEMPORAL_ADDRESS: address,
  TEMPORAL_NAMESPACE: NAMESPACE,
})
const owner = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
const stops: (() => Promise<unknown>)[] = []
afterAll(async () => {
  held.resolve()
  for (const stop of stops) await stop()
  await connection.close()
  await owner.close()
  await temporal.close()
})

/** What workers did: `one begins a`. */
const log: string[] = []
const held = Promise.withResolvers<void>()

async function startVersion(version: string): Promise<void> {
  const worker = await Worker.create({
    connection,
    namespace: NAMESPACE,
    taskQueue: TASK_QUEUE,
    workflowBundle: { codePath: inject('workflowBundle') },
    ...ofVersion(version),
    activities: {
      async beginWalletSync({ address: wallet }: { address: string }) {
        log.push(`${version} begins ${wallet}`)
        await held.promise
        throw ApplicationFailure.nonRetryable('seen')
      },
      async failWalletSync({ address: wallet }: { address: string }) {
        log.push(`${version} ends ${wallet}`)
      },
      async publishEvents() {
        log.push(`${version} publishes`)
        await new Promise((resolve) => setTimeout(resolve, 200))
      },
    },
  })
  const running = worker.run()
  stops.push(async () => {
    worker.shutdown()
    await running
  })
}

const startSync = (wallet: string) =>
  client.workflow.start('syncWallet', {
    taskQueue: TASK_QUEUE,
    workflowId: `sync:${wallet}`,
    args: [{ address: wallet, networkId: 'base' }],
  })
const stateOf = async () => (await listVersions(client)).map(({ version, state }) => `${version} ${state}`)

test('a run goes on with the release that began it, loops and new runs change to the next when it is used', async () => {
  expect(await listVersions(client)).toEqual([])
  await startVersion('one')
  await useFirstVersion(client, 'one')
  await expect.poll(stateOf).toEqual(['one current'])
  const first = await startSync('a')
  await client.workflow.start('publishEvents', {
    taskQueue: TASK_QUEUE,
    workflowId: 'publish-events',
    args: [],
  })
  await expect.poll(() => log).toContain('one begins a')
  await expect.poll(() => log).toContain('one publishes')

  // A second release starts, and has no work yet.
  await startVersion('two')
  await useFirstVersion(client, 'two')
  await expect.poll(stateOf).toEqual(['two inactive', 'one current'])
  const second = await startSync('b')
  await expect.poll(() => log).toContain('one begins b')
  expect((await sluice('workers', 'use', 'three')).stderr).toContain(
    'no worker has the version three; there are two, one',
  )
  expect(JSON.parse((await sluice('workers', 'use', 'two', '--json')).stdout)).toEqual({ version: 'two' })

  const third = await startSync('c')
  await expect.poll(() => log).toContain('two begins c')
  await expect.poll(() => log).toContain('two publishes')
  await expect.poll(stateOf).toEqual(['two current', 'one draining'])
  held.resolve()
  for (const run of [first, second, third]) await expect(run.result()).rejects.toThrow()
  expect(log.filter((line) => line.includes('ends')).toSorted()).toEqual([
    'one ends a',
    'one ends b',
    'two ends c',
  ])
  expect((await sluice('workers')).stdout).toMatch(/two +current/)
  expect(JSON.parse((await sluice('workers', '--json')).stdout)).toMatchObject([
    { version: 'two', state: 'current', createdAt: expect.stringMatching(/Z$/) as string },
    { version: 'one', state: 'draining' },
  ])
  const { rows } = await owner.pool.query(
    'select operator is not null as named, action, subject from operator_actions',
  )
  expect(rows).toEqual([{ named: true, action: 'use a version of workers', subject: 'two' }])
  await client.workflow.getHandle('publish-events').terminate()
})
