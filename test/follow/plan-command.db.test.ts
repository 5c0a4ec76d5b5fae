import { afterAll, expect, test, vi } from 'vitest'
import { openDb } from '../../db/connect.ts'
import { runCommand } from '../cli/run-command.ts'
import { testDatabase } from '../setup/database.ts'
import { address } from '../setup/wallet-factories.ts'
import { stopLater } from '../upstreams/actors.ts'
import { createClock } from '../upstreams/double.ts'
import { anyNode } from '../upstreams/nodes/any-node.ts'
import { base } from '../upstreams/nodes/base.ts'
import { createMemoryChain } from '../upstreams/nodes/chain.ts'
import { startNode } from '../upstreams/nodes/node-double.ts'
import { track } from './follow-directly.ts'

const database = await testDatabase()
const { pool, close } = openDb({ url: database.ownerUrl, maxConnections: 1, applicationName: 'test' })
afterAll(async () => {
  vi.unstubAllEnvs()
  await close()
})

async function plan(): Promise<Record<string, unknown>[]> {
  const printed: string[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line))
  try {
    await runCommand('plan', '--json')
    return (JSON.parse(printed.join('\n')) as { networks: Record<string, unknown>[] }).networks
  } finally {
    log.mockRestore()
  }
}

test('sluice plan shows what sources are asked for, of what is stored', async () => {
  const printed: string[] = []
  vi.stubEnv('DATABASE_URL', database.ownerUrl)
  vi.stubEnv('SOURCES', 'live')
  vi.stubEnv('FOLLOW_NETWORKS', 'ethereum')
  vi.stubEnv('RPC_URL_ETHEREUM', 'http://127.0.0.1:1')
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line))
  try {
    await runCommand('plan')
  } finally {
    log.mockRestore()
    vi.unstubAllEnvs()
  }
  // What needs no network is printed before networks are asked.
  expect(printed[0]).toMatch(
    /^For nothing yet:\nsource .*\n(.*\n)*coinpaprika +quotes +96 +196 of 645 requests +15 min/,
  )
  expect(printed[1]).toMatch(/^network +wallets/)
})

test('sluice plan shows how each network is followed within the allowance of its nodes', async () => {
  const chain = createMemoryChain()
  for (let i = 0; i < 200; i++) chain.mine()
  const clock = createClock()
  const free = await startNode({ vendor: anyNode(), chain, clock })
  const chainOfBase = createMemoryChain({ chainId: 8_453 })
  for (let i = 0; i < 200; i++) chainOfBase.mine()
  const ofBase = await startNode({ vendor: base(), chain: chainOfBase, clock })
  stopLater(free)
  stopLater(ofBase)
  await track(pool, address(1), address(2))
  const host = new URL(free.nodeUrl).host
  vi.stubEnv('DATABASE_URL', database.ownerUrl)
  vi.stubEnv('RPC_URL_ETHEREUM', free.nodeUrl)
  vi.stubEnv('RPC_URL_BASE_WALLET', ofBase.nodeUrl)
  expect(await plan()).toEqual([
    {
      network: 'ethereum',
      wallets: 2,
      node: host,
      method: 'receipts',
      tick: '',
      requests: 15_120,
      units: 15_120,
      allowance: '',
      perSecond: '',
      freshness: '12 s',
      reason: '',
    },
    expect.objectContaining({
      network: 'base-wallet',
      wallets: 0,
      method: 'logs',
      freshness: '2 s',
      reason: 'no node that can be asked has the receipts of blocks',
    }),
  ])
  // 60 % of 10,000 units are for heads, and nine tenths of them are planned with.
  vi.stubEnv('NODE_BUDGETS', `${host}=10000`)
  vi.stubEnv('FOLLOW_NETWORKS', 'ethereum')
  expect(await plan()).toEqual([
    expect.objectContaining({
      method: 'ranges',
      tick: '96 s',
      units: 5_400,
      allowance: 5_400,
      freshness: '96 s',
      reason: 'no allowance of a node bears each block',
    }),
  ])
  // 60 % of ten calls in a second are for heads: four blocks in a second take more.
  const chainOfArbitrum = createMemoryChain({ chainId: 42_161 })
  for (let i = 0; i < 200; i++) chainOfArbitrum.mine()
  const ofArbitrum = stopLater(await startNode({ vendor: anyNode(), chain: chainOfArbitrum, clock }))
  vi.stubEnv('RPC_URL_ARBITRUM_WALLET', ofArbitrum.nodeUrl)
  vi.stubEnv('NODE_BUDGETS', `${new URL(ofArbitrum.nodeUrl).host}=10000000@10`)
  vi.stubEnv('FOLLOW_NETWORKS', 'arbitrum-wallet')
  expect(await plan()).toEqual([
    expect.objectContaining({ method: 'ranges', reason: 'no rate of a node bears each block' }),
  ])
})
