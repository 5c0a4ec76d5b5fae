import { type Hex, decodeFunctionData, encodeFunctionResult, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { createMulticall } from '../../activities/defi/multicall.ts'
import { OPEN } from '../../activities/defi/position.ts'
import { readParts } from '../../activities/defi/read-parts.ts'
import { SourceRejected, SourceUnavailable } from '../../activities/errors.ts'
import type { RpcAnswer, RpcCall, RpcClient } from '../../activities/nodes/rpc.ts'

// Reads that share something: the parts of a protocol, and the calls of a block.

type Told = Error | null
const parts = (told: Readonly<Record<string, Told>>) =>
  readParts(
    Object.keys(told).map((id) => ({ id })),
    async ({ id }) => {
      if (told[id]) throw told[id]
      return { id, name: id, poolAddress: id, ...OPEN, assets: [] }
    },
  )
const refused = (reason: string) => new SourceRejected('node', reason)

test('a part that does not answer is unknown alone, and nothing is unknown where nothing is asked', async () => {
  const { positions, unknown } = await parts({ a: null, b: refused('reverts'), c: null })
  expect(positions.map(({ id }) => id)).toEqual(['a', 'c'])
  expect(unknown).toEqual([{ id: 'b', reason: 'node: reverts' }])
  expect(await parts({})).toEqual({ positions: [], unknown: [] })
})

test('a protocol none of whose parts answers is refused as its first part, also if it has only one', async () => {
  await expect(parts({ a: refused('first'), b: refused('second') })).rejects.toThrow('node: first')
  await expect(parts({ a: refused('only') })).rejects.toBeInstanceOf(SourceRejected)
})

test('a part that the node cannot answer now makes the whole read unavailable', async () => {
  const read = parts({ a: null, b: new SourceUnavailable('node', 'busy') })
  await expect(read).rejects.toBeInstanceOf(SourceUnavailable)
})

const MULTICALL = parseAbi([
  'struct Call3 { address target; bool allowFailure; bytes callData; }',
  'struct Result { bool success; bytes returnData; }',
  'function aggregate3(Call3[] calls) payable returns (Result[])',
])

/** Reads through a node that answers each read with its own data, unless `refusal` says why not. */
function asking(refusal: (reads: readonly Hex[]) => Error | null) {
  const sizes: number[] = []
  let sent = 0
  const answer = ({ params }: RpcCall): RpcAnswer => {
    const [{ data }] = params as [{ data: Hex }]
    const [calls] = decodeFunctionData({ abi: MULTICALL, data }).args
    const reads = calls.map(({ callData }) => callData)
    sizes.push(reads.length)
    const error = refusal(reads)
    if (error) return { error }
    const result = reads.map((returnData) => ({ success: true, returnData }))
    return { result: encodeFunctionResult({ abi: MULTICALL, functionName: 'aggregate3', result }) }
  }
  const client = {
    source: 'node',
    send: async (calls: readonly RpcCall[]) => {
      if (++sent > 20) throw new Error('asked without end')
      return calls.map(answer)
    },
  } as Partial<RpcClient> as RpcClient
  const read = createMulticall({
    client,
    callAt: (call) => ({ method: 'eth_call', params: [call] }),
    onProgress: () => {},
  })
  const to = `0x${'11'.repeat(20)}`
  return {
    sizes,
    sent: () => sent,
    read: (...reads: readonly Hex[]) =>
      Promise.all(
        reads.map((data) =>
          read({ to, data }).then(
            ({ returnData }) => returnData,
            (error: unknown) => String(error),
          ),
        ),
      ),
  }
}

test('reads of one moment share a call, equal ones an answer, and later ones are asked anew', async () => {
  const { read, sizes } = asking(() => null)
  expect(await read('0x01', '0x02', '0x01')).toEqual(['0x01', '0x02', '0x01'])
  expect(await read('0x02', '0x03')).toEqual(['0x02', '0x03'])
  expect(sizes).toEqual([2, 1])
})

test('of a call that the node refuses, halves are asked until only the read that it refuses fails', async () => {
  const { read, sizes, sent } = asking((reads) => (reads.includes('0x03') ? refused('too costly') : null))
  expect(await read('0x01', '0x02', '0x03', '0x04', '0x05')).toEqual([
    '0x01',
    '0x02',
    'SourceRejected: node: too costly',
    '0x04',
    '0x05',
  ])
  // Both halves of a call are sent together.
  expect([sizes, sent()]).toEqual([[5, 2, 3, 1, 2], 3])
})

test('of a call that the node cannot answer now, no half is asked', async () => {
  const { read, sizes } = asking(() => new SourceUnavailable('node', 'busy'))
  const busy = 'SourceUnavailable: node: busy'
  expect(await read('0x01', '0x02', '0x03')).toEqual([busy, busy, busy])
  expect(sizes).toEqual([3])
})
