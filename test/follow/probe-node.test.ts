import { expect, test } from 'vitest'
import { SourceRejected } from '../../activities/errors.ts'
import { probeNode } from '../../activities/nodes/probe-node.ts'
import type { RpcClient } from '../../activities/nodes/rpc.ts'
import { createLogRange } from '../../activities/nodes/rpc-limits.ts'

/** Probes a node that gives these answers; without one it refuses. Returns what it found, and was asked. */
async function probe(answers: Record<string, (...params: unknown[]) => unknown>, head = 3_000_000) {
  const asked: unknown[][] = []
  const latest = { number: `0x${head.toString(16)}`, hash: 'hash' }
  const client = {
    batchCalls: 20,
    logRange: createLogRange(),
    send: () => Promise.resolve([]),
    call(method: string, ...params: unknown[]) {
      asked.push([method, ...params])
      if (method === 'eth_chainId') return Promise.resolve('0x7')
      if (method === 'eth_getBlockByNumber' && params[0] === 'latest') return Promise.resolve(latest)
      const answer = answers[method]
      return answer
        ? Promise.resolve(answer(...params))
        : Promise.reject(new SourceRejected('node', 'refused'))
    },
  } as unknown as RpcClient
  const found = await probeNode(client)
  return { found, of: (method: string) => asked.filter(([one]) => one === method).map(([, ...rest]) => rest) }
}

test('a node that refuses all but its head offers nothing', async () => {
  expect((await probe({})).found).toEqual({
    chainId: 7,
    head: 3_000_000,
    receipts: null,
    logBlocks: 0,
    batchCalls: 20,
    traces: null,
    hasOldBlocks: false,
  })
})

test('headers are asked for without transactions: the head, and a block of a year ago or the first one', async () => {
  const header = { eth_getBlockByNumber: () => ({}) }
  const { found, of } = await probe(header)
  expect(of('eth_getBlockByNumber')).toEqual([
    ['latest', false],
    ['0xf4240', false],
  ])
  expect(found.hasOldBlocks).toBe(true)
  expect((await probe(header, 1_999_999)).of('eth_getBlockByNumber')[1]).toEqual(['0x0', false])
  expect((await probe({ eth_getBlockByNumber: () => null })).found.hasOldBlocks).toBe(false)
})

test('receipts are asked for by hash, and by number of a node that gives none by hash', async () => {
  const receiptsOf = async (answer: (key: unknown) => unknown) =>
    (await probe({ eth_getBlockReceipts: answer })).found.receipts
  expect(await receiptsOf(() => [])).toBe('hash')
  expect(await receiptsOf((key) => (key === 'hash' ? null : []))).toBe('number')
  expect(await receiptsOf(() => null)).toBeNull()
})

test('traces are those of blocks, or else of geth', async () => {
  const tracesOf = async (...methods: string[]) =>
    (await probe(Object.fromEntries(methods.map((one) => [one, () => []])))).found.traces
  expect(await tracesOf('trace_block', 'debug_traceBlockByNumber')).toBe('trace_block')
  expect(await tracesOf('debug_traceBlockByNumber')).toBe('debug_traceBlockByNumber')
})

test('logs are asked for of ten thousand blocks up to the head, or of all of a shorter chain', async () => {
  const logs = { eth_getLogs: () => [] }
  const { found, of } = await probe(logs)
  expect(found.logBlocks).toBe(10_000)
  expect(of('eth_getLogs')).toMatchObject([[{ fromBlock: '0x2d9fb1', toBlock: '0x2dc6c0' }]])
  const short = await probe(logs, 99)
  expect(short.found.logBlocks).toBe(100)
  expect(short.of('eth_getLogs')).toMatchObject([[{ fromBlock: '0x0', toBlock: '0x63' }]])
})
