import { afterEach, describe, expect, test } from 'vitest'
import { createRpcClient } from '../../activities/nodes/rpc-client.ts'
import { createLogReader, transactionsByLogs } from '../../activities/chain/sources/rpc-logs.ts'
import { serveJsonRpc } from '../setup/replay-rpc.ts'

const TOPIC = `0x${'ab'.repeat(32)}`
const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

interface Provider {
  /** returns the provider's error for a range; null: accepts it */
  refuse: (from: number, to: number) => { code: number; message: string } | null
  dataBytes?: number
}

/** A log reader on a node with one log in every block. */
async function readerOf({ refuse, dataBytes = 32 }: Provider) {
  const asked: number[] = []
  const receipts: number[] = []
  const log = (block: number) => ({
    address: `0x${'11'.repeat(20)}`,
    topics: [TOPIC],
    data: `0x${'00'.repeat(dataBytes)}`,
    blockNumber: `0x${block.toString(16)}`,
    blockHash: '0x1',
    transactionHash: '0x2',
    logIndex: '0x0',
  })
  const server = await serveJsonRpc({
    eth_getLogs: ([filter]) => {
      const [from, to] = [Number(filter.fromBlock), Number(filter.toBlock)]
      asked.push(to - from + 1)
      const refusal = refuse(from, to)
      if (refusal) throw refusal
      return Array.from({ length: to - from + 1 }, (_, i) => log(from + i))
    },
    eth_getBlockReceipts: ([number]) => {
      receipts.push(Number(number))
      return [{ logs: [log(Number(number)), { ...log(Number(number)), topics: ['0x0'] }] }]
    },
  })
  stops.push(server.stop)
  const read = createLogReader(createRpcClient({ url: server.url, source: 'test' }))
  return {
    asked,
    receipts,
    read: async (fromBlock: number, toBlock: number) => {
      const logs = []
      let readTo = fromBlock - 1
      for await (const page of read({ fromBlock, toBlock, filters: [[TOPIC]] })) {
        logs.push(...page.logs)
        readTo = page.toBlock
      }
      expect(readTo).toBe(toBlock)
      return logs
    },
  }
}

const every = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)
const blocksOf = (logs: { blockNumber: string }[]) => logs.map((log) => Number(log.blockNumber))

describe('adaptive log ranges', () => {
  test.each([
    ['query is limited to a 50 block range', 50],
    ['eth_getLogs requests with up to a 10 block range', 10],
    ['Max range: 500', 500],
    ['exceed maximum block range: 800', null],
    ['query returned more than 10000 results', null],
    ['block range too large', null],
  ])('after the error "%s" it reads every log once, in order', async (message, largest) => {
    const limit = largest ?? 300
    const refuse = (from: number, to: number) => (to - from + 1 > limit ? { code: -32000, message } : null)
    const { asked, read } = await readerOf({ refuse })
    expect(blocksOf(await read(5, 1_504))).toEqual(every(5, 1_504))
    // Uses the suggested number at once.
    if (message.includes('limited to')) expect(asked[1]).toBe(largest)
  })

  test('uses the range that the provider suggests', async () => {
    const message = 'Query returned more than 10000 results. Try with this block range [0x64, 0x77].'
    const { asked, read } = await readerOf({
      refuse: (from, to) => (from === 100 && to > 119 ? { code: -32005, message } : null),
    })
    expect(blocksOf(await read(100, 400))).toEqual(every(100, 400))
    expect(asked[1]).toBe(20)
  })

  test('remembers the size for the next call', async () => {
    const refuse = (from: number, to: number) =>
      to - from + 1 > 100 ? { code: -32005, message: 'limited to 100' } : null
    const { asked, read } = await readerOf({ refuse })
    await read(0, 99)
    await read(100, 1_099)
    const before = asked.length
    await read(1_100, 1_199)
    expect(Math.max(...asked.slice(before))).toBeLessThanOrEqual(110)
  })

  test('splits the range after a response of more than 10 MiB', async () => {
    const { asked, read } = await readerOf({ refuse: () => null, dataBytes: 100_000 })
    expect(blocksOf(await read(0, 119))).toEqual(every(0, 119))
    expect(asked[0]).toBe(120)
    expect(asked.length).toBeGreaterThan(2)
  })

  test.each(['limit exceeded', 'query returned more than 10000 results'])(
    'reads a single block that is refused with "%s" by its receipts',
    async (message) => {
      const { receipts, read } = await readerOf({ refuse: () => ({ code: -32005, message }) })
      expect(blocksOf(await read(7, 10))).toEqual(every(7, 10))
      expect(receipts).toEqual(every(7, 10))
    },
  )

  test('no receipts are read while a smaller range may pass', async () => {
    const refuse = (from: number, to: number) =>
      to - from + 1 > 1 ? { code: -32005, message: 'query returned more than 10000 results' } : null
    const { asked, receipts, read } = await readerOf({ refuse })
    expect(blocksOf(await read(7, 10))).toEqual([7, 8, 9, 10])
    expect(asked).toContain(2)
    expect(receipts).toEqual([])
  })

  test('every block of a node without logs is read by its receipts', async () => {
    const { receipts, read } = await readerOf({
      refuse: () => ({ code: -32601, message: 'the method eth_getLogs does not exist' }),
    })
    expect(blocksOf(await read(7, 10))).toEqual([7, 8, 9, 10])
    expect(receipts).toEqual([7, 8, 9, 10])
  })

  test('ranges grow while a node accepts them', async () => {
    const { asked, read } = await readerOf({ refuse: () => null })
    await read(0, 5_000)
    expect(asked[1]).toBe(2 * asked[0]!)
  })

  test('does not mistake a rate limit for a range limit', async () => {
    const { read } = await readerOf({
      refuse: () => ({ code: -32005, message: 'daily request rate limit exceeded' }),
    })
    await expect(read(0, 10)).rejects.toMatchObject({ name: 'SourceUnavailable' })
  })

  test('of receipts it gives the logs that match one of the filters', async () => {
    const [a, b, c] = ['a', 'b', 'c'].map((digit) => `0x${digit.repeat(64)}`) as [string, string, string]
    const logs = [[a], [a, b], [a, c], [b, c], [c, a, b], []].map((topics) => ({ topics }))
    const server = await serveJsonRpc({ eth_getBlockReceipts: () => [{ logs }] })
    stops.push(server.stop)
    const read = createLogReader(createRpcClient({ url: server.url, source: 'test' }))
    const matching = async (...filters: Parameters<typeof read>[0]['filters'][number][]) => {
      const found = []
      for await (const page of read({ fromBlock: 1, toBlock: 1, filters })) found.push(...page.logs)
      return found.map(({ topics }) => topics)
    }
    expect(await matching([a])).toEqual([[a], [a, b], [a, c]])
    expect(await matching([a, c])).toEqual([[a, c]])
    expect(await matching([null, [b, c]])).toEqual([
      [a, b],
      [a, c],
      [b, c],
    ])
    expect(await matching([[b, c], null, b], [a, b])).toEqual([
      [a, b],
      [c, a, b],
    ])
  })

  test('the transactions of accounts are read until there are enough logs', async () => {
    const account = `0x${'22'.repeat(20)}`
    const server = await serveJsonRpc({
      eth_getLogs: ([{ fromBlock, toBlock }]) => {
        if (Number(toBlock) - Number(fromBlock) >= 10) throw { code: -32005, message: 'limited to 10' }
        return [{ transactionHash: fromBlock }]
      },
    })
    stops.push(server.stop)
    const readLogs = createLogReader(createRpcClient({ url: server.url, source: 'test' }))
    const found = async (enough: number) => {
      const accounts = new Set([account])
      const { hashes, toBlock } = await transactionsByLogs({
        readLogs,
        fromBlock: 0,
        toBlock: 29,
        accounts,
        enough,
      })
      return [[...hashes].map(Number), toBlock]
    }
    // Three filters give three logs of each ten blocks.
    expect(await found(100)).toEqual([[0, 10, 20], 29])
    expect(await found(6)).toEqual([[0, 10], 19])
    expect(await found(1)).toEqual([[0], 9])
  })
})
