import { afterEach, describe, expect, test } from 'vitest'
import { ZERO_ADDRESS } from '../../activities/chain/chain-data.ts'
import { decodeLog, NATIVE_LOGS, TOPICS } from '../../activities/chain/sources/decode-log.ts'
import { loggedTransfer } from '../../activities/chain/sources/native-transfers.ts'
import { createRpcClient } from '../../activities/nodes/rpc-client.ts'
import { createTraceReader } from '../../activities/chain/sources/rpc-traces.ts'
import { serveJsonRpc } from '../setup/replay-rpc.ts'

const [ME, THEM, OPERATOR] = ['aa', 'bb', 'cc'].map((digits) => `0x${digits.repeat(20)}`) as [
  string,
  string,
  string,
]
const TOKEN = `0x${'11'.repeat(20)}`
const NONE = { wrapped: null, nativeToken: null, entryPoints: [] }
const topic = (account: string) => `0x${account.slice(2).padStart(64, '0')}`
const data = (...words: bigint[]) => `0x${words.map((word) => word.toString(16).padStart(64, '0')).join('')}`
const log = (topics: string[], content: string) => ({
  address: TOKEN,
  topics,
  data: content,
  blockNumber: '0x1',
  blockHash: '0x2',
  transactionHash: '0x3',
  logIndex: '0x5',
})

describe('decoding logs to transfers', () => {
  const batch = (content: string) =>
    decodeLog(log([TOPICS.transferBatch, topic(OPERATOR), topic(ME), topic(THEM)], content), NONE)

  test('decodes single and batch ERC-1155 transfers', () => {
    const single = log([TOPICS.transferSingle, topic(OPERATOR), topic(ME), topic(THEM)], data(7n, 2n ** 255n))
    const shared = { kind: 'erc1155', position: 5, token: TOKEN, from: ME, to: THEM }
    expect(decodeLog(single, NONE)).toEqual([{ ...shared, item: 0, tokenId: 7n, raw: 2n ** 255n }])
    expect(batch(data(64n, 160n, 2n, 7n, 8n, 2n, 70n, 80n))).toEqual([
      { ...shared, item: 0, tokenId: 7n, raw: 70n },
      { ...shared, item: 1, tokenId: 8n, raw: 80n },
    ])
  })

  test.each([
    ['empty', '0x'],
    ['offset outside', data(64n, 2n ** 200n, 1n, 7n)],
    ['length outside', data(64n, 128n, 2n ** 255n, 7n)],
    ['unequal lengths', data(64n, 128n, 1n, 7n, 0n)],
  ])('ignores a malformed batch: %s', (_, content) => {
    expect(batch(content)).toEqual([])
  })

  test('ignores a Transfer without data and other events', () => {
    expect(decodeLog(log([TOPICS.transfer, topic(ME), topic(THEM)], '0x'), NONE)).toEqual([])
    expect(decodeLog(log([TOPICS.transfer], data(1n, 2n, 3n)), NONE)).toEqual([])
    expect(decodeLog(log([`0x${'ab'.repeat(32)}`, topic(ME)], data(1n)), NONE)).toEqual([])
  })

  const places = [OPERATOR, ME, THEM].map(topic)
  test.each<[event: keyof typeof TOPICS, topics: number, words: number, transfers: object[]]>([
    ['transfer', 2, 1, [{ kind: 'erc20', from: OPERATOR, to: ME, raw: 1n }]],
    ['transfer', 1, 1, []],
    ['transfer', 3, 0, [{ kind: 'erc721', from: OPERATOR, to: ME, tokenId: BigInt(topic(THEM)), raw: 1n }]],
    ['transferSingle', 3, 2, [{ kind: 'erc1155', from: ME, to: THEM, tokenId: 1n, raw: 2n }]],
    ['transferSingle', 3, 1, []],
    ['transferSingle', 2, 2, []],
    ['transferSingle', 1, 2, []],
    ['transferBatch', 2, 2, []],
    ['transferBatch', 1, 2, []],
    ['approval', 2, 1, [{ kind: 'approval', from: OPERATOR, to: ME, raw: 1n, tokenId: null }]],
    ['approval', 3, 0, [{ kind: 'approval', from: OPERATOR, to: ME, raw: 1n, tokenId: BigInt(topic(THEM)) }]],
    ['approval', 2, 0, []],
    ['approval', 1, 1, []],
    ['approvalForAll', 2, 1, [{ kind: 'approval', from: OPERATOR, to: ME, raw: 1n }]],
    ['approvalForAll', 2, 0, []],
    ['approvalForAll', 1, 1, []],
    ['approvalForAll', 0, 1, []],
    ['deposit', 1, 1, [{ kind: 'wrap', from: ZERO_ADDRESS, to: OPERATOR, raw: 1n }]],
    ['withdrawal', 1, 1, [{ kind: 'wrap', from: OPERATOR, to: ZERO_ADDRESS, raw: 1n }]],
    ['deposit', 0, 1, []],
    ['deposit', 1, 0, []],
  ])('%s with %i topics and %i words of data', (event, topics, words, transfers) => {
    const one = log(
      [TOPICS[event], ...places.slice(0, topics)],
      data(...Array.from({ length: words }, (_, i) => BigInt(i + 1))),
    )
    const found = decodeLog(one, { ...NONE, wrapped: TOKEN })
    expect(found).toHaveLength(transfers.length)
    expect(found).toMatchObject(transfers)
  })

  test('a batch without a receiver is none', () => {
    const items = data(64n, 128n, 1n, 7n, 1n, 70n)
    expect(decodeLog(log([TOPICS.transferBatch, topic(OPERATOR), topic(ME)], items), NONE)).toEqual([])
    expect(batch(items)).toMatchObject([{ tokenId: 7n, raw: 70n }])
  })

  test('half of a word of data is no word', () => {
    const short = `${data()}${'0'.repeat(63)}`
    expect(decodeLog(log([TOPICS.transfer, topic(ME), topic(THEM)], short), NONE)).toEqual([])
  })

  test('logs of native coins are of no token, also where none shows the native coin', () => {
    const moved = { ...log([TOPICS.transfer, topic(ME), topic(THEM)], data(9n)), address: NATIVE_LOGS }
    expect(decodeLog(moved, NONE)).toEqual([])
  })

  test('Deposit counts only for the wrapped native asset', () => {
    const deposit = log([TOPICS.deposit, topic(ME)], data(9n))
    expect(decodeLog(deposit, { ...NONE, wrapped: TOKEN })).toMatchObject([{ kind: 'wrap', to: ME, raw: 9n }])
    expect(decodeLog(deposit, NONE)).toEqual([])
  })

  test('Transfer of the contract that shows the native coin is native, its approvals are not', () => {
    const contracts = { ...NONE, nativeToken: TOKEN }
    const moved = log([TOPICS.transfer, topic(ME), topic(THEM)], data(9n))
    expect(loggedTransfer(moved, contracts)).toEqual([{ from: ME, to: THEM, value: 9n }])
    expect(decodeLog(moved, contracts)).toEqual([])
    expect(loggedTransfer(moved, NONE)).toEqual([])
    const approved = log([TOPICS.approval, topic(ME), topic(THEM)], data(9n))
    expect(decodeLog(approved, contracts)).toMatchObject([{ kind: 'approval', token: TOKEN, raw: 9n }])
  })

  test('fees of ZKsync chains are not native transfers too', () => {
    const bootloader = `0x${'8001'.padStart(40, '0')}`
    for (const [from, to] of [
      [ME, bootloader],
      [bootloader, ME],
    ] as const)
      expect(
        loggedTransfer(log([TOPICS.transfer, topic(from), topic(to)], data(9n)), {
          ...NONE,
          nativeToken: TOKEN,
        }),
      ).toEqual([])
  })
})

describe('value sent by contracts', () => {
  const stops: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop()
  })
  const readerOf = async (handlers: Parameters<typeof serveJsonRpc>[0]) => {
    const server = await serveJsonRpc(handlers)
    stops.push(server.stop)
    return createTraceReader(createRpcClient({ url: server.url, source: 'test' }))
  }
  const expected = [
    { txHash: '0x1', from: ME, to: THEM, value: 5n },
    { txHash: '0x1', from: THEM, to: OPERATOR, value: 3n },
  ]

  test('trace_block: skips the top call, delegate calls and everything below a failed call', async () => {
    const call = (traceAddress: number[], from: string, to: string, value: bigint, rest: object = {}) => ({
      type: 'call',
      transactionHash: '0x1',
      traceAddress,
      result: {},
      action: { from, to, value: `0x${value.toString(16)}`, callType: 'call' },
      ...rest,
    })
    const read = await readerOf({
      trace_block: () => [
        call([], ME, THEM, 100n),
        call([0], ME, THEM, 5n),
        call([0, 0], THEM, OPERATOR, 3n),
        {
          ...call([0, 1], THEM, ME, 8n),
          action: { from: THEM, to: ME, value: '0x8', callType: 'delegatecall' },
        },
        call([1], ME, OPERATOR, 7n, { error: 'Reverted' }),
        call([1, 0], OPERATOR, ME, 7n),
        { type: 'reward', traceAddress: [], transactionHash: null, action: {} },
      ],
    })
    expect(await read([1])).toEqual(expected)
  })

  test('trace_block: a contract that destroys itself sends what it held, and one that is created gets what it is given', async () => {
    const trace = (type: string, at: number, action: object, result: object | null = {}) => ({
      type,
      transactionHash: '0x1',
      traceAddress: [0, at],
      result,
      action,
    })
    const gone = { address: ME, refundAddress: THEM, balance: '0x5' }
    const read = await readerOf({
      trace_block: () => [
        trace('suicide', 0, gone, null),
        trace('selfdestruct', 1, { ...gone, balance: '0x6' }, null),
        trace('suicide', 2, { ...gone, refundAddress: undefined }, null),
        trace('suicide', 3, { ...gone, address: undefined }, null),
        trace('create', 4, { from: ME, value: '0x7' }, { address: OPERATOR }),
        // A failed call in another branch.
        { ...trace('call', 5, { from: ME, to: THEM, value: '0x8', callType: 'call' }), error: 'Reverted' },
        trace('call', 6, { from: ME, to: THEM, value: '0x9', callType: 'call' }),
        trace('call', 7, { to: THEM, value: '0x9', callType: 'call' }),
        {
          ...trace('call', 0, { from: ME, to: THEM, value: '0x1', callType: 'call' }),
          traceAddress: [1, 5],
          error: 'Reverted',
        },
        { ...trace('call', 0, { from: ME, to: THEM, value: '0x2', callType: 'call' }), traceAddress: [2, 5] },
      ],
    })
    const found = (await read([1]))!.map(({ from, to, value }) => [from, to, value])
    expect(found).toEqual([
      [ME, THEM, 5n],
      [ME, THEM, 6n],
      [ME, OPERATOR, 7n],
      [ME, THEM, 9n],
      [ME, THEM, 2n],
    ])
  })

  test('uses debug_traceBlockByNumber when trace_block is missing', async () => {
    const frame = (type: string, from: string, to: string, value: bigint, rest: object = {}) => ({
      type,
      from,
      to,
      value: `0x${value.toString(16)}`,
      ...rest,
    })
    const inner = [frame('CALL', THEM, OPERATOR, 3n), frame('DELEGATECALL', THEM, ME, 8n)]
    const failed = { error: 'execution reverted', calls: [frame('CALL', OPERATOR, ME, 7n)] }
    const calls = [frame('CALL', ME, THEM, 5n, { calls: inner }), frame('CALL', ME, OPERATOR, 7n, failed)]
    const read = await readerOf({
      debug_traceBlockByNumber: () => [{ txHash: '0x1', result: frame('CALL', ME, THEM, 100n, { calls }) }],
    })
    expect(await read([1])).toEqual(expected)
  })

  test('each method is asked of every block in its own form, and one that is refused not again', async () => {
    const asked: [method: string, params: unknown[]][] = []
    const read = await readerOf({
      trace_block: (params) => {
        asked.push(['trace_block', params])
        throw { code: -32601, message: 'the method trace_block does not exist' }
      },
      debug_traceBlockByNumber: (params) => (asked.push(['debug_traceBlockByNumber', params]), []),
    })
    expect(await read([1])).toEqual([])
    expect(await read([16, 17])).toEqual([])
    const byGeth = (block: string) => ['debug_traceBlockByNumber', [block, { tracer: 'callTracer' }]]
    expect(asked).toEqual([['trace_block', ['0x1']], ...['0x1', '0x10', '0x11'].map(byGeth)])
  })

  test('returns null for a node with neither method', async () => {
    expect(await (await readerOf({}))([1])).toBeNull()
  })
})
