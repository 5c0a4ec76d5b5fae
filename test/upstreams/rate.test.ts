import { expect, onTestFinished, test } from 'vitest'
import { createNodePool } from '../../activities/nodes/node-pool.ts'
import { createUsageCounts } from '../../activities/usage-counts.ts'
import { createSimulation } from '../live/simulation.ts'
import { nameVendorHosts } from '../live/vendor-hosts.ts'
import { stopLater } from './actors.ts'
import { createClock } from './double.ts'
import { alchemy } from './nodes/alchemy.ts'
import { ankr } from './nodes/ankr.ts'
import { createBooks } from './nodes/books.ts'
import { createMemoryChain } from './nodes/chain.ts'
import { drpc } from './nodes/drpc.ts'
import { infura } from './nodes/infura.ts'
import { startNode } from './nodes/node-double.ts'
import type { Vendor } from './nodes/vendor.ts'

const RECEIPTS = { method: 'eth_getBlockReceipts', params: ['latest'] }
const BALANCE = { method: 'eth_getBalance', params: [`0x${'11'.repeat(20)}`, 'latest'] }

/** Two networks of one account, asked for much at once. */
async function askAtOnce(vendor: Vendor, host: string, call: typeof BALANCE) {
  const clock = createClock()
  const hosts = nameVendorHosts()
  onTestFinished(hosts.stop)
  const books = createBooks(vendor, clock)
  const chain = createMemoryChain()
  chain.mine()
  const nodes = [1, 2].map(() => startNode({ vendor, chain, clock, books }))
  const urls = (await Promise.all(nodes)).map(stopLater).map(({ nodeUrl }) => hosts.urlOf(host, nodeUrl))
  const simulation = createSimulation({
    clock,
    onMove: async () => {},
    openRequests: hosts.open,
    openQueries: () => 0,
  })
  const now = () => new Date(clock.now())
  const pool = createNodePool({
    networkId: 'ethereum',
    chainId: 1,
    urls,
    now,
    usage: createUsageCounts(now),
    pause: simulation.wait,
  })
  const startMs = clock.now()
  const answers: unknown[] = []
  for (const name of ['one', 'other'])
    simulation.start(name, async () => {
      answers.push(...(await pool.client('history').batch(Array.from({ length: 150 }, () => call))))
    })
  await simulation.runUntil(Infinity)
  return { answers, refused: [...books.broken], seconds: (clock.now() - startMs) / 1_000 }
}

test.each([
  ['150 receipts of blocks twice take Alchemy five minutes', alchemy, 'eth.g.alchemy.com', RECEIPTS, 300],
  ['150 balances twice take Alchemy ten seconds', alchemy, 'eth.g.alchemy.com', BALANCE, 10],
  ['150 balances twice take Infura most of a minute', infura, 'mainnet.infura.io', BALANCE, 48],
  ['150 balances twice take dRPC no time', drpc(), 'eth.drpc.org', BALANCE, 0],
  ['150 balances twice take Ankr no time', ankr, 'rpc.ankr.com', BALANCE, 0],
])('a node is asked no faster than its plan allows: %s', async (_name, vendor, host, call, least) => {
  const { answers, refused, seconds } = await askAtOnce(vendor, host, call)
  expect(answers).toHaveLength(300)
  expect(refused).toEqual([])
  expect(seconds).toBeGreaterThanOrEqual(least)
  expect(seconds).toBeLessThanOrEqual(least * 1.4 + 1)
})
