import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { createNodeNotes } from '../../activities/nodes/node-notes.ts'
import type { NodeNotes } from '../../activities/nodes/node-notes.ts'
import { createNodePool } from '../../activities/nodes/node-pool.ts'
import { allSourceSettings, nodeSettings } from '../../activities/source-settings.ts'
import { createSourceUsage } from '../../activities/source-usage.ts'
import { createUsageCounts } from '../../activities/usage-counts.ts'
import { sourceLine } from '../../cli/source-line.ts'
import { openDb } from '../../db/connect.ts'
import { readSources } from '../../db/console/read-sources.ts'
import { storeSourceSettings } from '../../db/sources/settings.ts'
import { testDatabase } from '../setup/database.ts'
import { stopLater } from '../upstreams/actors.ts'
import { createClock } from '../upstreams/double.ts'
import { anyNode } from '../upstreams/nodes/any-node.ts'
import { alchemy } from '../upstreams/nodes/alchemy.ts'
import { createMemoryChain } from '../upstreams/nodes/chain.ts'
import { startNode } from '../upstreams/nodes/node-double.ts'

const database = await testDatabase()
const { db, pool, close } = openDb({ url: database.ingestUrl, maxConnections: 2, applicationName: 'test' })
const owner = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
afterAll(() => Promise.all([close(), owner.close()]))

const log = pino({ level: 'silent' })
const now = () => new Date()
const linesOf = async () =>
  new Map((await readSources(owner.db)).map((one) => [one.settings.name, sourceLine({ ...one, now: now() })]))

test('each node of each network is a source with its pace and the allowance of its account', async () => {
  const key = '0123456789abcdef'
  const rpcUrls = {
    ethereum: [`https://eth-mainnet.g.alchemy.com/v2/${key}`, 'https://node.example/'],
    polygon: [`https://polygon-mainnet.g.alchemy.com/v2/${key}`],
  }
  const settings = nodeSettings({ rpcUrls, nodeBudgets: new Map() })
  expect(JSON.stringify(settings)).not.toContain(key)
  expect(settings[0]).toEqual({
    name: 'ethereum eth-mainnet.g.alchemy.com',
    area: 'nodes',
    missing: null,
    freshnessTargetSeconds: null,
    // 500 compute units a second, and 26 for a read of a contract.
    requestsPerSecond: 500 / 26,
    burst: 192,
    account: 'alchemy.com',
    quota: { units: 30_000_000, per: 'month', unit: 'compute units' },
  })
  await storeSourceSettings(pool, [...allSourceSettings({ SOURCES: 'live' }), ...settings])
  const read = await readSources(owner.db)
  for (const one of settings)
    expect(read.map(({ settings: stored }) => stored)).toContainEqual(expect.objectContaining(one))
})

test('two keys at one host are one source', async () => {
  const rpcUrls = { ethereum: ['https://node.example/first-key', 'https://node.example/second-key'] }
  const settings = nodeSettings({ rpcUrls, nodeBudgets: new Map() })
  expect(settings.map(({ name }) => name)).toEqual(['ethereum node.example'])
  await storeSourceSettings(pool, settings)
})

test('what a node answered, refused and spent shows as for any other source', async () => {
  const [clock, chain] = [createClock(), createMemoryChain({ funds: {} })]
  const [down, up] = [
    await startNode({ vendor: anyNode(), chain, clock }),
    await startNode({ vendor: anyNode(), chain, clock }),
  ]
  stopLater(up)
  const urls = [down.nodeUrl, up.nodeUrl]
  await down.stop()
  const nodeBudgets = new Map([[new URL(up.nodeUrl).host, { aDay: 1_000, aSecond: null }]])
  await storeSourceSettings(pool, nodeSettings({ rpcUrls: { ethereum: urls }, nodeBudgets }))
  const usage = createSourceUsage({ pool, now, log })
  const notes = createNodeNotes({ pool, now, log })
  const nodes = createNodePool({
    networkId: 'ethereum',
    chainId: 1,
    urls,
    budgets: nodeBudgets,
    usage,
    notes,
    pause: async () => {},
  })
  for (let i = 0; i < 3; i++) await nodes.client('heads').call('eth_blockNumber')
  await notes.store()
  await usage.close()

  const lines = await linesOf()
  const [failed, well] = urls.map((url) => lines.get(`ethereum ${new URL(url).host}`)!)
  expect(failed).toMatchObject({ area: 'nodes', state: 'failing', 'last success': 'never' })
  expect(failed!['last failure']).not.toBe('')
  expect(well).toMatchObject({ state: 'on', 'last failure': '', target: '' })
  expect(well!['errors 24 h']).toMatch(/^0 of /)
  // The call that tells the chain, and those that were asked for.
  expect(well!['budget left']).toMatch(/^99\d of 1000 this day$/)
  expect(await db.selectFrom('source_usage').select('account').distinct().execute()).toContainEqual({
    account: new URL(up.nodeUrl).host,
  })
})

test('a call that the plan of a node does not take is no failure of the node, and the last failure names no key', async () => {
  const [clock, chain] = [createClock(), createMemoryChain({ funds: {} })]
  const node = stopLater(await startNode({ vendor: alchemy, chain, clock }))
  const notes: Parameters<NodeNotes['note']>[0][] = []
  const nodes = createNodePool({
    networkId: 'base-wallet',
    chainId: 1,
    urls: [node.nodeUrl],
    usage: createUsageCounts(now),
    notes: { note: (one) => notes.push(one) },
    pause: async () => {},
  })
  const filter = { fromBlock: '0x0', toBlock: '0x1000' }
  await expect(nodes.client('history').call('eth_getLogs', filter)).rejects.toThrow()
  await node.stop()
  await expect(nodes.client('history').call('eth_blockNumber')).rejects.toThrow()
  expect(notes.map(({ failures }) => failures)).toEqual([0, 1])
  expect(notes[1]!.failure).not.toContain(new URL(node.nodeUrl).pathname.split('/').at(-1))
})
