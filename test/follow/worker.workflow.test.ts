import { dirname } from 'node:path'
import { Client, Connection } from '@temporalio/client'
import { msToTs } from '@temporalio/common/lib/time.js'
import { afterAll, expect, inject, test } from 'vitest'
import { AREAS } from '../../activities/all-areas.ts'
import { openDb } from '../../db/connect.ts'
import { testDatabase } from '../setup/database.ts'
import '../setup/provided.ts'
import { address } from '../setup/wallet-factories.ts'
import { startProcess, type TestProcess } from '../telemetry/start-process.ts'
import { createMemoryChain } from '../upstreams/nodes/chain.ts'
import { serveBitcoin } from './follow-bitcoin.ts'
import { createMemoryBitcoin } from './memory-bitcoin.ts'
import { memoryNode } from './memory-node.ts'

/** A separate namespace, because other files create the same schedules. */
const NAMESPACE = 'follow'
const database = await testDatabase()
const { pool, close } = openDb({ url: database.ingestUrl, maxConnections: 2, applicationName: 'test' })
const temporal = await Connection.connect({ address: inject('temporalAddress') })
await temporal.workflowService.registerNamespace({
  namespace: NAMESPACE,
  workflowExecutionRetentionPeriod: msToTs('1 day'),
})
const client = new Client({ connection: temporal, namespace: NAMESPACE })
const chain = createMemoryChain()
for (let i = 0; i < 80; i++) chain.mine()
const server = await memoryNode(chain).serve()

const bitcoin = createMemoryBitcoin()
for (let i = 0; i < 20; i++) bitcoin.mine()
const esplora = await serveBitcoin(bitcoin)

const SOMEBODY = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const workers: TestProcess[] = []
async function startWorker(settings: Record<string, string>): Promise<TestProcess> {
  const worker = await startProcess('activities/worker.ts', {
    INGEST_DATABASE_URL: database.ingestUrl,
    SOURCES: 'sandbox',
    TEMPORAL_ADDRESS: inject('temporalAddress'),
    TEMPORAL_NAMESPACE: NAMESPACE,
    WORKFLOW_CACHE: dirname(inject('workflowBundle')),
    RPC_URL_ETHEREUM: server.url,
    ...settings,
  })
  workers.push(worker)
  return worker
}

afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.end()))
  for (const { id } of AREAS.flatMap((area) => area.schedules)) await client.schedule.getHandle(id).delete()
  const running = client.workflow.list({ query: `ExecutionStatus = 'Running'` })
  for await (const { workflowId } of running) await client.workflow.getHandle(workflowId).terminate()
  await temporal.close()
  await server.stop()
  await esplora.stop()
  await close()
})

async function stateOf(network: string) {
  const { rows } = await pool.query(
    'select cursor_block::int as cursor, epoch::int as epoch, mode, method, reason from network_follows where network_id = $1',
    [network],
  )
  return rows[0]
}
const state = () => stateOf('ethereum')

/** A network without wallets is not read. */
async function trackSomebody(): Promise<void> {
  await pool.query('insert into wallets (address) values ($1), ($2)', [address(7), SOMEBODY])
  await pool.query(
    `insert into wallet_syncs (wallet_id, network_id)
     select id, case address when $1 then 'bitcoin' else 'ethereum' end from wallets`,
    [SOMEBODY],
  )
}

test('a worker follows the networks of its setting as its nodes allow, hands them over, and lets them go', async () => {
  await trackSomebody()
  const first = await startWorker({ FOLLOW_NETWORKS: 'ethereum,bitcoin', ESPLORA_URL: esplora.url })
  await expect.poll(() => stateOf('bitcoin')).toMatchObject({ cursor: 19, mode: 'blocks', method: 'raw' })
  await expect.poll(state).toMatchObject({ cursor: 80, mode: 'blocks' })
  chain.mine()
  await expect.poll(state).toMatchObject({ cursor: 81, mode: 'blocks' })
  const ofNetwork = async () => {
    const ids: string[] = []
    const found = client.workflow.list({
      query: `SluiceNetwork = 'ethereum' AND WorkflowType = 'followNetwork'`,
    })
    for await (const { workflowId } of found) ids.push(workflowId)
    return ids
  }
  await expect.poll(ofNetwork).toEqual(['follow:ethereum'])
  expect(await first.end()).toBe(0)

  const second = await startWorker({ FOLLOW_NETWORKS: 'ethereum' })
  chain.mine()
  await expect.poll(state).toMatchObject({ cursor: 82, epoch: 2, mode: 'blocks' })
  expect(await second.end()).toBe(0)

  // 60 % of the allowance are for heads, which is less than two calls a block.
  const { host } = new URL(server.url)
  const limited = await startWorker({ FOLLOW_NETWORKS: 'ethereum', NODE_BUDGETS: `${host}=10000` })
  chain.mine()
  await expect.poll(state).toMatchObject({ cursor: 83, mode: 'ranges' })
  expect(await limited.end()).toBe(0)

  const third = await startWorker({})
  await expect
    .poll(state)
    .toMatchObject({ cursor: 83, mode: 'off', reason: 'FOLLOW_NETWORKS does not name it' })
  await expect.poll(() => stateOf('bitcoin')).toMatchObject({ cursor: 19, mode: 'off' })
  await client.workflow.getHandle('follow:ethereum').result()
  expect(await third.end()).toBe(0)
})
