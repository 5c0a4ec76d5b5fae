import { describe, expect, onTestFinished, test } from 'vitest'
import { createAlchemyTransfers } from '../../activities/chain/sources/alchemy-transfers.ts'
import { createBlockscout } from '../../activities/chain/sources/blockscout.ts'
import { createEtherscan, createRoutescan } from '../../activities/chain/sources/etherscan.ts'
import { BlockTooFull } from '../../activities/chain/sources/explorer.ts'
import type { Explorer } from '../../activities/chain/sources/explorer.ts'
import { NotInPlan } from '../../activities/errors.ts'
import { createHttpClient } from '../../activities/http.ts'
import type { SourceFailure } from '../../activities/source-gate.ts'
import { ALICE, BOB, stopLater, TOKEN } from './actors.ts'
import { ALCHEMY_KEY, startAlchemyTransfers } from './alchemy-transfers.ts'
import { BLOCKSCOUT_KEY, startBlockscoutPro } from './blockscout.ts'
import { createClock } from './double.ts'
import type { FakeClock } from './double.ts'
import { ETHERSCAN_KEY, startEtherscan } from './etherscan.ts'
import { createMemoryChain, tokenTransfer } from './nodes/chain.ts'
import type { MemoryChain } from './nodes/chain.ts'
import { startRoutescan } from './routescan.ts'

// The product's explorers against the strict doubles, whose rows stand in the names.

/** Blocks of `perBlock` transactions of BOB: one sends to ALICE, one moves a token, one by a contract. */
function chainOf(blocks: number, { chainId = 1, perBlock = 3 } = {}): MemoryChain {
  const chain = createMemoryChain({ chainId })
  for (let i = 1; i <= blocks; i++)
    chain.mine(
      ...[
        { from: BOB, to: ALICE, value: 1n },
        tokenTransfer({ token: TOKEN, from: BOB, to: ALICE, raw: 5n }),
        { from: BOB, to: TOKEN, internals: [{ from: TOKEN, to: ALICE, value: 2n }] },
      ].slice(0, perBlock),
    )
  return chain
}

const hashesOf = (chain: MemoryChain) =>
  new Set(
    Array.from({ length: chain.head() + 1 }, (_, number) =>
      chain.block(number)!.transactions.map(({ hash }) => hash),
    ).flat(),
  )

/** A client whose requests to a source are as far apart as its plan wants. */
function paced(clock: FakeClock, { url, everyMs }: { url: string; everyMs: number }) {
  const failures: SourceFailure[] = []
  const gate = {
    admit: async () => clock.advance(everyMs),
    succeeded: async () => {},
    failed: async (failure: SourceFailure) => {
      failures.push(failure)
    },
  }
  const sources = {
    etherscan: { url },
    blockscout: { url },
    routescan: { url },
    'alchemy-transfers': { url },
  }
  const http = createHttpClient({ gate, sources, random: () => 0 })
  onTestFinished(() => http.close())
  return { http, failures }
}

async function readAll(explorer: Explorer, chain: MemoryChain, address = ALICE) {
  const hashes: string[] = []
  let internals = 0
  let [fromBlock, steps, next]: [number, number, string | null] = [0, 0, null]
  while (fromBlock <= chain.head()) {
    const request = { chainId: chain.chainId, address, fromBlock, toBlock: chain.head(), next }
    const step = await explorer.step(request)
    hashes.push(...step.hashes)
    internals += step.internals.length
    fromBlock = step.next === null ? step.through + 1 : fromBlock
    next = step.next
    steps++
  }
  return { hashes: new Set(hashes), internals, steps }
}

describe('Etherscan with a free key', () => {
  async function etherscan(chain: MemoryChain, key = ETHERSCAN_KEY) {
    const clock = createClock()
    const double = stopLater(await startEtherscan({ clock, chains: [chain] }))
    const { http, failures } = paced(clock, { url: double.apiUrl, everyMs: 334 })
    return { double, failures, explorer: createEtherscan({ http, url: double.apiUrl, key }) }
  }

  test('25, 27: a history of pages that end inside of blocks is read whole, within all limits', async () => {
    const chain = chainOf(1_100)
    const { explorer, double } = await etherscan(chain)
    const { hashes, internals } = await readAll(explorer, chain)
    expect(hashes).toEqual(hashesOf(chain))
    expect(internals).toBe(1_100)
    expect(double.refused).toEqual([])
  })

  test('26: a range that times out is halved until it is answered', async () => {
    const chain = chainOf(300)
    const { explorer, double } = await etherscan(chain)
    double.state.widestRange = 40
    const { hashes } = await readAll(explorer, chain)
    expect(hashes).toEqual(hashesOf(chain))
    expect(double.refused.length).toBeLessThan(10)
  })

  test('26: a block that is too much for an answer is named as such', async () => {
    const chain = chainOf(3)
    const { explorer, double } = await etherscan(chain)
    double.state.widestRange = 0
    await expect(readAll(explorer, chain)).rejects.toThrow(BlockTooFull)
  })

  test.each([
    [23, 'a chain that the free plan lacks', { chainId: 8453, key: ETHERSCAN_KEY }],
    [24, 'a bad key', { chainId: 1, key: 'bad' }],
  ])('%i: %s is one request and no reason to ask again', async (row, _what, { chainId, key }) => {
    const chain = chainOf(2, { chainId })
    const { explorer, double } = await etherscan(chain, key)
    await expect(readAll(explorer, chain)).rejects.toThrow(NotInPlan)
    expect(double.refused).toEqual([row])
  })

  test('24: "too many invalid api key attempts, please try again later" is not tried again', async () => {
    const chain = chainOf(2)
    const { explorer, double } = await etherscan(chain, 'bad')
    for (let i = 0; i < 7; i++) await expect(readAll(explorer, chain)).rejects.toThrow(NotInPlan)
    expect(double.asked).toHaveLength(7)
  })
})

describe('Routescan without a key', () => {
  async function routescan(chain: MemoryChain) {
    const clock = createClock()
    const double = stopLater(await startRoutescan({ clock, chains: [chain] }))
    const { http } = paced(clock, { url: double.networkUrl, everyMs: 500 })
    return { double, explorer: createRoutescan({ http, url: double.networkUrl, key: null }) }
  }

  test('31: a history is read in pages of 500 rows', async () => {
    const chain = chainOf(700)
    const { explorer, double } = await routescan(chain)
    expect((await readAll(explorer, chain)).hashes).toEqual(hashesOf(chain))
    expect(double.refused).toEqual([])
  })

  test('31: a chain that it does not have is no reason to ask again', async () => {
    const chain = chainOf(2, { chainId: 8453 })
    const { explorer, double } = await routescan(chain)
    await expect(readAll(explorer, chain)).rejects.toThrow(NotInPlan)
    expect(double.refused).toEqual([31])
  })
})

describe('Blockscout', () => {
  async function blockscout(
    chain: MemoryChain,
    { key = BLOCKSCOUT_KEY as string | null, everyMs = 200 } = {},
  ) {
    const clock = createClock()
    const double = stopLater(await startBlockscoutPro({ clock, chains: [chain], dayCredits: 1_200 }))
    const { http, failures } = paced(clock, { url: double.url, everyMs })
    return { double, failures, explorer: createBlockscout({ http, url: double.url, key }) }
  }

  test.each(['v11', 'v12'] as const)(
    '29: %s: all pages are read, and nothing unknown is sent',
    async (version) => {
      const chain = chainOf(320, { chainId: 8453 })
      const { explorer, double } = await blockscout(chain)
      double.state.version = version
      const { hashes, internals } = await readAll(explorer, chain)
      expect(hashes).toEqual(hashesOf(chain))
      expect(internals).toBe(320)
      expect(double.refused).toEqual([])
    },
  )

  test('28: a 429 is waited for as long as its header says', async () => {
    const chain = chainOf(200, { chainId: 8453 })
    const { explorer, failures } = await blockscout(chain, { everyMs: 150 })
    await readAll(explorer, chain).catch(() => {})
    expect(failures[0]).toMatchObject({ source: 'blockscout', retryAfterMs: 300 })
  })

  test.each([null, 'bad'])('28: with the key %s it is out of the plan', async (key) => {
    const chain = chainOf(1, { chainId: 8453 })
    const { explorer, double } = await blockscout(chain, { key })
    await expect(readAll(explorer, chain)).rejects.toThrow(NotInPlan)
    expect(double.asked).toHaveLength(1)
  })

  test.each([
    [429, 'is paused until they are back', 54_000_000],
    [402, 'is out of the plan', null],
  ] as const)('28: spent credits (%i): it %s', async (status, _what, longerThan) => {
    const chain = chainOf(1_200, { chainId: 8453, perBlock: 1 })
    const { explorer, double, failures } = await blockscout(chain)
    double.state.spentStatus = status
    for (let i = 0; i < 60; i++) await readAll(explorer, chainOf(1, { chainId: 8453 })).catch(() => {})
    await expect(readAll(explorer, chain)).rejects.toThrow(status === 402 ? NotInPlan : 'rate limit')
    if (longerThan !== null) expect(failures[0]!.retryAfterMs).toBeGreaterThan(longerThan - 1_000_000)
  })
})

describe('Alchemy transfers with a free key', () => {
  async function transfers(chain: MemoryChain, key = ALCHEMY_KEY) {
    const clock = createClock()
    const double = stopLater(await startAlchemyTransfers({ clock, chains: [chain] }))
    const { http } = paced(clock, { url: double.apiUrl, everyMs: 500 })
    return { double, explorer: createAlchemyTransfers({ http, url: double.apiUrl, key }) }
  }

  test('15: a history of pages that end inside of blocks is read whole, with what contracts sent', async () => {
    const chain = chainOf(1_100)
    // Sent without a value, failed, and created a contract: they cost fees.
    chain.mine(
      { from: ALICE, to: TOKEN },
      { from: ALICE, to: BOB, value: 1n, fails: true },
      { from: ALICE, to: null },
      { from: ALICE, to: ALICE, value: 3n },
    )
    const { explorer, double } = await transfers(chain)
    const { hashes, internals, steps } = await readAll(explorer, chain)
    expect(hashes).toEqual(hashesOf(chain))
    expect(internals).toBe(1_100)
    expect(steps).toBeGreaterThan(3)
    expect(double.refused).toEqual([])
  })

  test('15: a block with more rows than a page is read by the keys of its pages', async () => {
    const chain = createMemoryChain({ chainId: 1 })
    chain.mine({ from: BOB, to: ALICE, value: 1n })
    chain.mine(...Array.from({ length: 2_500 }, () => ({ from: BOB, to: ALICE, value: 1n })))
    const { explorer, double } = await transfers(chain)
    expect((await readAll(explorer, chain)).hashes).toEqual(hashesOf(chain))
    expect(double.refused).toEqual([])
  })

  test('15: on BNB it tells all but what contracts sent, and says so', async () => {
    const chain = chainOf(700, { chainId: 56 })
    const { explorer, double } = await transfers(chain)
    const { hashes, internals } = await readAll(explorer, chain)
    const known = chainOf(700, { chainId: 56, perBlock: 2 })
    expect([hashes.size, internals]).toEqual([hashesOf(known).size, 0])
    expect(explorer.lacksInternals!(56)).toBe(true)
    const asked = { chainId: 56, address: ALICE, fromBlock: 1, toBlock: 9, next: null, onlyInternals: true }
    await expect(explorer.step(asked)).rejects.toThrow(NotInPlan)
    expect(double.refused).toEqual([])
  })

  test.each([
    ['a bad key', { chainId: 1, key: 'bad' }],
    ['a network that it does not have', { chainId: 250, key: ALCHEMY_KEY }],
  ])('15: %s is no reason to ask again', async (_what, { chainId, key }) => {
    const chain = chainOf(2, { chainId })
    const { explorer, double } = await transfers(chain, key)
    await expect(readAll(explorer, chain)).rejects.toThrow(NotInPlan)
    expect(double.asked.length).toBeLessThanOrEqual(1)
  })
})
