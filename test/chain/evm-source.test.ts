import { describe, expect, test } from 'vitest'
import { SourceUnavailable } from '../../activities/errors.ts'
import { refusalError } from '../../activities/nodes/rpc.ts'
import type { ChainBlock, ChainRange, InternalTransfer } from '../../activities/chain/chain-data.ts'
import { createEvmSource } from '../../activities/chain/sources/evm.ts'
import type {
  ExplorerAnswer,
  ExplorerRequest,
  Explorers,
  ExplorerStep,
} from '../../activities/chain/sources/explorer.ts'
import type { RpcSource } from '../../activities/chain/sources/rpc.ts'
import { address, hash } from '../setup/wallet-factories.ts'
import { historyRequest } from './history-request.ts'

const [OWN, OTHER] = [address(1), address(2)]
const [HEAD, SETTLED, REORG_DEPTH] = [10_000, 9_900, 64] as const

const blockOf = (number: number): ChainBlock => ({
  number,
  hash: hash(number),
  parentHash: hash(number - 1),
  atMs: number * 1_000,
})
const rangeOf = (...numbers: number[]): ChainRange => ({
  blocks: numbers.map(blockOf),
  transactions: [],
  transfers: [],
})

interface Sources {
  /** null: no explorer may answer */
  explore?: ((request: ExplorerRequest) => ExplorerAnswer) | null
  /** how far the node gets when it reads by logs */
  settledTo?: (toBlock: number) => number
  /** what the node's traces tell of each asked block; null: it has none */
  trace?: (numbers: readonly number[]) => InternalTransfer[] | null
  headers?: (number: number) => ChainBlock | null
  /** a range that the node gives by hash */
  found?: ChainRange
}

function reading({ explore = null, settledTo = (to) => to, trace, headers = blockOf, found }: Sources) {
  const asked: unknown[][] = []
  const told: ExplorerRequest[] = []
  const explorers: Explorers = {
    canAnswer: () => explore !== null,
    async read(request) {
      told.push(request)
      return explore!(request)
    },
  }
  const rpc = {
    source: 'node',
    client: {
      source: 'node',
      send: async (calls: { method: string }[]) =>
        calls.map(({ method }, i) => ({
          result: method === 'eth_getBalance' ? '0x5' : i === 1 ? '0x' : `0x${'0'.repeat(63)}7`,
        })),
    } as unknown as RpcSource['client'],
    head: async () => ({ block: blockOf(HEAD), finalized: SETTLED }),
    headers: async (numbers: readonly number[]) => (
      asked.push(['headers', ...numbers]),
      numbers.map(headers)
    ),
    readBlocks: async ({ fromBlock, toBlock }) => (asked.push(['blocks', fromBlock, toBlock]), rangeOf()),
    readSettled: async ({ fromBlock, toBlock }) => {
      asked.push(['settled', fromBlock, toBlock])
      return { range: rangeOf(), through: settledTo(toBlock) }
    },
    readInternals: async ({ numbers }) => (asked.push(['traces', ...numbers]), trace?.(numbers) ?? null),
    async readTransactions({ hashes, internals }) {
      asked.push([
        'transactions',
        ...hashes,
        internals.map(({ txHash, value }) => `${txHash} ${value}`).join(),
      ])
      return found ?? rangeOf()
    },
  } as Partial<RpcSource> as RpcSource
  const source = createEvmSource({ chainId: 1, reorgDepth: REORG_DEPTH, rpc, explorers })
  const history = (cursor: number, lookBack = true) =>
    source.readHistory(historyRequest({ address: OWN, cursor, headBlock: HEAD, settled: SETTLED, lookBack }))
  const internals = (fromBlock: number, toBlock: number) =>
    source.readInternals!({ address: OWN, fromBlock, toBlock })
  return { source, history, internals, asked, told }
}
const step = (rest: Partial<ExplorerStep>): ExplorerAnswer => ({
  source: 'scan',
  step: { hashes: [], internals: [], through: SETTLED, next: null, ...rest },
})
const empty = () => step({})
const refusing = (blocks: number) => (): ExplorerAnswer => ({ refused: 'no explorer', blocks })

describe('the history', () => {
  test.each([
    [1_000, true, 937],
    [1_000, false, 1_001],
    [10, true, 0],
    [-1, true, 0],
  ])(
    'after block %i, looking back (%s), is asked of explorers from block %i',
    async (cursor, lookBack, from) => {
      const { history, told } = reading({ explore: empty })
      expect(await history(cursor, lookBack)).toMatchObject({
        source: 'scan',
        fromBlock: from,
        through: SETTLED,
      })
      expect(told).toMatchObject([{ chainId: 1, address: OWN, fromBlock: from, toBlock: SETTLED }])
    },
  )

  test('does not look back where no explorer may answer', async () => {
    const { history, asked } = reading({})
    await history(SETTLED)
    expect(asked).toEqual([['blocks', SETTLED + 1, HEAD]])
  })

  test('is complete no further than the explorer says, and never less than it was', async () => {
    const to = (through: number) => reading({ explore: () => step({ through }) }).history(1_000)
    expect((await to(1_500)).through).toBe(1_500)
    expect((await to(950)).through).toBe(1_000)
  })

  test('of the last settled block is of explorers, and after it of whole blocks of the node, 200 at a time', async () => {
    const last = reading({ explore: empty })
    await last.history(SETTLED - 1, false)
    expect(last.told).toMatchObject([{ fromBlock: SETTLED, toBlock: SETTLED }])
    const { history, told, asked } = reading({ explore: empty })
    expect(await history(SETTLED, false)).toMatchObject({ source: 'node', fromBlock: 9_901, through: HEAD })
    expect(await history(9_700, false)).toMatchObject({ source: 'scan' })
    expect(told).toHaveLength(1)
    expect(asked[0]).toEqual(['blocks', 9_901, HEAD])
  })

  test('of a head that is far ahead is read 200 blocks at a time', async () => {
    const { source, asked } = reading({})
    const asking = { address: OWN, cursor: 500, headBlock: HEAD, settled: 0, lookBack: false }
    const part = await source.readHistory(historyRequest(asking))
    expect(part).toMatchObject({ fromBlock: 501, through: 700 })
    expect(asked).toEqual([['blocks', 501, 700]])
  })

  test.each([
    [100_000, 1_001, 3_000],
    [3, 1_001, 1_003],
    [1, 1_001, 1_001],
  ])('of %i blocks that no explorer gives is read by logs from %i to %i', async (blocks, from, to) => {
    const { history, asked } = reading({ explore: refusing(blocks) })
    const part = await history(1_000, false)
    expect(part).toMatchObject({ source: 'node', fromBlock: from, through: to })
    expect(part.missing).toBeUndefined()
    expect(asked[0]).toEqual(['settled', from, to])
    expect(part.range.blocks).toEqual([blockOf(to)])
  })

  test('is read by logs no further than what is settled, and never less than it was', async () => {
    const { history, asked } = reading({ explore: refusing(2_000) })
    expect((await history(9_800, false)).through).toBe(SETTLED)
    expect(asked[0]).toEqual(['settled', 9_801, SETTLED])
    const early = reading({ explore: refusing(2_000), settledTo: () => 950 })
    expect((await early.history(1_000)).through).toBe(1_000)
  })

  test('of more blocks than a node reads in reasonable time is missing', async () => {
    const { history, asked } = reading({ explore: refusing(100_001) })
    const part = await history(1_000, false)
    expect(part).toMatchObject({ source: 'node', through: SETTLED, missing: 'no explorer' })
    expect(part.range).toEqual(rangeOf(SETTLED))
    expect(asked).toEqual([['headers', SETTLED]])
  })
})

describe('the block that the next part must continue', () => {
  test('is asked for if it is not among those of the part', async () => {
    const { history, asked } = reading({ explore: empty, found: rangeOf(2_000) })
    expect((await history(1_000)).range.blocks).toEqual([blockOf(2_000), blockOf(SETTLED)])
    expect(asked.at(-1)).toEqual(['headers', SETTLED])
    const known = reading({ explore: empty, found: rangeOf(2_000, SETTLED) })
    expect((await known.history(1_000)).range.blocks).toHaveLength(2)
    expect(known.asked).toHaveLength(1)
  })

  test('is block 0 too, and there is none before it', async () => {
    const to = (through: number) => reading({ explore: () => step({ through }) }).history(-1)
    expect((await to(0)).range.blocks).toEqual([blockOf(0)])
    expect((await to(-1)).range.blocks).toEqual([])
  })

  test('may be one that the chain or the archive does not give, but no other failure is passed over', async () => {
    const part = (headers: (number: number) => ChainBlock | null) =>
      reading({ explore: empty, headers }).history(1_000)
    expect((await part(() => null)).range.blocks).toEqual([])
    const failing = (kind: 'archive' | 'method') => () => {
      throw refusalError('node', `no: ${kind}`, { refusal: { kind } })
    }
    expect((await part(failing('archive'))).range.blocks).toEqual([])
    await expect(part(failing('method'))).rejects.toThrow('no: method')
  })
})

const sent = (txHash: string, value = 1n): InternalTransfer => ({ txHash, from: OTHER, to: OWN, value })
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)

describe('what contracts sent', () => {
  test('in 20 blocks is told by traces alone', async () => {
    const { internals, asked, told } = reading({ explore: empty, trace: () => [sent('0xa')] })
    expect(await internals(101, 120)).toMatchObject({ source: 'node', isWhole: true })
    expect(asked).toEqual([
      ['traces', ...numbers(101, 120)],
      ['transactions', '0xa', '0xa 1'],
    ])
    expect(told).toEqual([])
  })

  test('in more blocks is told by explorers, and by traces where those do not know a transaction', async () => {
    const explore = () => step({ hashes: ['0xa', '0xc'], internals: [sent('0xa', 5n)] })
    const { internals, asked, told } = reading({ explore, trace: () => [sent('0xa'), sent('0xb')] })
    expect(await internals(100, 120)).toMatchObject({ source: 'scan', isWhole: true })
    expect(asked).toEqual([
      ['traces', ...numbers(101, 120)],
      ['transactions', '0xa', '0xc', '0xb', '0xa 5,0xb 1'],
    ])
    expect(told).toMatchObject([
      { chainId: 1, fromBlock: 100, toBlock: 120, next: null, onlyInternals: true },
    ])
  })

  test('is read from explorers to the end, page by page and range by range', async () => {
    const answers = [
      step({ hashes: ['0xa'], through: 99, next: 'second' }),
      step({ hashes: ['0xb'], through: 150 }),
      step({ hashes: ['0xc'], through: 200 }),
    ]
    const { internals, asked, told } = reading({ explore: () => answers.shift()! })
    await internals(100, 200)
    expect(told.map(({ fromBlock, next }) => [fromBlock, next])).toEqual([
      [100, null],
      [100, 'second'],
      [151, null],
    ])
    expect(asked.at(-1)).toEqual(['transactions', '0xa', '0xb', '0xc', ''])
  })

  test.each<
    [what: string, explore: Exclude<Sources['explore'], undefined>, traces: boolean, isWhole: boolean | null]
  >([
    ['no explorer and no traces', null, false, null],
    ['a refusing explorer and no traces', refusing(1), false, null],
    ['a refusing explorer', refusing(1), true, true],
    ['no explorer', null, true, true],
    ['an explorer and no traces', empty, false, true],
  ])('with %s is told as far as somebody knows', async (_what, explore, traces, isWhole) => {
    const { internals } = reading({ explore, ...(traces && { trace: () => [] }) })
    const found = await internals(100, 200)
    expect(found?.isWhole ?? null).toBe(isWhole)
  })

  test('is not whole while an explorer may tell more later; another failure is one', async () => {
    const failing = (error: Error) =>
      reading({
        trace: () => [sent('0xa')],
        explore: () => {
          throw error
        },
      }).internals(100, 200)
    expect(await failing(new SourceUnavailable('scan', 'busy'))).toMatchObject({
      source: 'node',
      isWhole: false,
    })
    await expect(failing(new Error('broken'))).rejects.toThrow('broken')
  })
})

test('what an address holds leaves out contracts that do not answer', async () => {
  const { source } = reading({})
  const contracts = [address(3), address(4)]
  expect(await source.readHoldings({ address: OWN, contracts })).toEqual({
    block: blockOf(HEAD),
    native: 5n,
    tokens: [{ address: address(4), raw: 7n }],
  })
})

test('a head that the node does not give makes balances unavailable', async () => {
  const { source } = reading({ headers: () => null })
  const balances = source.readBalances({ address: OWN, accounts: [], tokens: [], headBlock: HEAD })
  await expect(balances).rejects.toBeInstanceOf(SourceUnavailable)
})

test('a part of an EVM network holds all of its blocks', () => {
  expect(reading({}).source.readsByBlock).toBe(true)
})
