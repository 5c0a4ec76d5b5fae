import { afterEach, describe, expect, test } from 'vitest'
import type { InternalTransfer } from '../../activities/chain/chain-data.ts'
import type { RpcBlock, RpcTransaction } from '../../activities/chain/sources/decode-transaction.ts'
import { createRpcSource } from '../../activities/chain/sources/rpc.ts'
import { SourceUnavailable } from '../../activities/errors.ts'
import { serveJsonRpc } from '../setup/replay-rpc.ts'
import { address, hash } from '../setup/wallet-factories.ts'
import { oneNode } from './one-node.ts'

// What is read from a node that lags, changes its branch or lacks a method. What is decoded from right answers is
// compared elsewhere, with recorded blocks.

const [ME, THEM] = [1, 2].map((i) => address(0xa0 + i)) as [string, string]
const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

const hex = (number: number) => `0x${number.toString(16)}`
const transactionOf = (id: number): RpcTransaction => ({
  hash: hash(id),
  from: THEM,
  to: ME,
  value: '0x5',
  input: '0x',
})
/** A block of payments to ME. */
const blockOf = (number: number, payments = 1): RpcBlock => ({
  number: hex(number),
  hash: hash(0xb0000 + number),
  parentHash: hash(0xb0000 + number - 1),
  timestamp: '0x64',
  logsBloom: '0x00',
  transactions: Array.from({ length: payments }, (_, k) => transactionOf(number * 100_000 + k)),
})
const receiptOf = (id: string, block: RpcBlock) => ({
  transactionHash: id,
  blockHash: block.hash,
  blockNumber: block.number,
  transactionIndex: '0x0',
  status: '0x1',
  gasUsed: '0x1',
  effectiveGasPrice: '0x1',
  logs: [],
})
const receiptsOf = (block: RpcBlock) =>
  (block.transactions as RpcTransaction[]).map((one) => receiptOf(one.hash, block))
const refuse = (code: number, message: string) => () => {
  throw { code, message }
}

type Handlers = Parameters<typeof serveJsonRpc>[0]

/** A source at a node with these methods and with blocks of one payment, and what it was asked. */
async function sourceOf(handlers: Handlers = {}, paymentsOf: (number: number) => number = () => 1) {
  const blockAt = (number: string) => blockOf(Number(number), paymentsOf(Number(number)))
  const { url, asked, stop } = await serveJsonRpc({
    eth_getBlockByNumber: ([number]) => blockAt(number),
    eth_getBlockReceipts: ([number]) => receiptsOf(blockAt(number)),
    eth_getLogs: () => [],
    ...handlers,
  })
  stops.push(stop)
  const contracts = { wrapped: null, nativeToken: null, entryPoints: [] }
  return { ...createRpcSource({ clients: oneNode(url, 'rpc:test'), contracts }), asked }
}

describe('the head', () => {
  const headWhere = async (latest: Handlers[string], finalized: Handlers[string]) =>
    (
      await sourceOf({
        eth_getBlockByNumber: (params) => (params[0] === 'latest' ? latest(params) : finalized(params)),
      })
    ).head()
  const block = () => blockOf(90)

  test.each<[what: string, finalized: Handlers[string], number: number]>([
    ['the number of the final block', () => blockOf(60), 60],
    ['0 where the node knows none yet', () => null, 0],
    ['0 where the node does not know the tag', refuse(-32_602, 'invalid block tag'), 0],
  ])('has %s', async (_what, finalized, number) => {
    const { block: latest, finalized: final } = await headWhere(block, finalized)
    expect([latest.number, latest.hash, final]).toEqual([90, blockOf(90).hash, number])
  })

  test('fails without a latest block, and with the reason of the node', async () => {
    const none = headWhere(() => null, block)
    await expect(none).rejects.toThrow(SourceUnavailable)
    await expect(none).rejects.toThrow('no latest block')
    await expect(headWhere(refuse(-32_000, 'something broke'), block)).rejects.toThrow('something broke')
  })
})

describe('blocks that may still change', () => {
  const range = { fromBlock: 7, toBlock: 9, accounts: new Set([ME]) }

  test('are read in their order, each the parent of the next', async () => {
    const { readBlocks } = await sourceOf()
    const { blocks, transfers } = await readBlocks(range)
    expect(blocks.map(({ number }) => number)).toEqual([7, 8, 9])
    expect(transfers).toHaveLength(3)
  })

  test.each([8, 9])('fail where block %i has another parent', async (number) => {
    const moved = { ...blockOf(number, 0), parentHash: hash(1) }
    const { readBlocks } = await sourceOf({
      eth_getBlockByNumber: ([asked]) => (Number(asked) === number ? moved : blockOf(Number(asked), 0)),
      eth_getBlockReceipts: () => [],
    })
    await expect(readBlocks(range)).rejects.toThrow(`block ${number} does not follow`)
  })

  test('from a node without receipts of blocks are those that the accounts occur in', async () => {
    const strangers = (one: RpcBlock) => ({ ...one, transactions: [{ ...transactionOf(1), to: THEM }] })
    const { readBlocks, asked } = await sourceOf({
      eth_getBlockByNumber: ([asked]) =>
        Number(asked) === 8 ? strangers(blockOf(8)) : blockOf(Number(asked)),
      eth_getBlockReceipts: refuse(-32_601, 'method not found'),
      eth_getTransactionReceipt: ([id]) =>
        receiptOf(
          id,
          [7, 9]
            .map((number) => blockOf(number))
            .find(({ transactions: [one] }) => (one as RpcTransaction).hash === id)!,
        ),
    })
    const { blocks, transactions } = await readBlocks(range)
    expect(blocks.map(({ number }) => number)).toEqual([7, 8, 9])
    expect(transactions.map(({ blockNumber }) => blockNumber)).toEqual([7, 9])
    expect(asked.filter(([method]) => method === 'eth_getTransactionReceipt')).toHaveLength(2)
  })
})

describe('settled blocks', () => {
  const accounts = new Set([ME])

  test('end after the part with which there are 20,000 rows', async () => {
    // Parts have 40 blocks.
    const paymentsOf = (number: number) => (number === 40 || number === 80 ? 10_000 : 0)
    const { readSettled } = await sourceOf({}, paymentsOf)
    const { range, through } = await readSettled({ fromBlock: 1, toBlock: 200, accounts })
    expect([through, range.transfers.length]).toEqual([80, 20_000])
    expect(range.blocks.map(({ number }) => number)).toEqual([40, 80])
  })

  test('with fewer rows are read to their end, with one report of progress for each part', async () => {
    let parts = 0
    const { readSettled } = await sourceOf({}, (number) => (number === 3 ? 2 : 0))
    const read = await readSettled({ fromBlock: 1, toBlock: 81, accounts, onProgress: () => void parts++ })
    expect([read.through, read.range.transfers.length, parts]).toEqual([81, 2, 3])
    expect(read.range.blocks.map(({ number }) => number)).toEqual([3])
  })
})

describe('transactions by hash', () => {
  const accounts = new Set([ME])
  const own = blockOf(7)
  const { hash: id } = own.transactions[0] as RpcTransaction
  const answering = (transaction: unknown, receipt: unknown) =>
    sourceOf({
      eth_getTransactionByHash: () => transaction,
      eth_getTransactionReceipt: () => receipt,
    })
  const request = { hashes: [id], internals: [] as InternalTransfer[], accounts }

  test.each<[what: string, transaction: unknown, receipt: unknown]>([
    ['transaction', null, receiptOf(id, own)],
    ['receipt', own.transactions[0], null],
  ])('make the node lag without the %s', async (_what, transaction, receipt) => {
    const { readTransactions } = await answering(transaction, receipt)
    const reading = readTransactions(request)
    await expect(reading).rejects.toThrow(SourceUnavailable)
    await expect(reading).rejects.toThrow(`transaction ${id} is missing: the node lags`)
  })

  test('fail with a receipt of another branch', async () => {
    const { readTransactions } = await answering(own.transactions[0], {
      ...receiptOf(id, own),
      blockHash: hash(9),
    })
    await expect(readTransactions(request)).rejects.toThrow(`the receipt of ${id} is from another branch`)
  })

  test.each([
    ['is not read if another source named it', own.hash, 0],
    ['is read if another source named one of another branch', hash(9), 1],
  ])('their block %s', async (_what, named, reads) => {
    const { readTransactions, asked } = await answering(own.transactions[0], receiptOf(id, own))
    const known = { number: 7, hash: named, parentHash: null, atMs: 100_000 }
    const unused = { ...known, number: 8 }
    const { blocks, transfers } = await readTransactions({ ...request, blocks: [known, unused] })
    expect(blocks.map(({ number, hash: of }) => [number, of])).toEqual([[7, own.hash]])
    expect(transfers).toHaveLength(1)
    expect(asked.filter(([method]) => method === 'eth_getBlockByNumber')).toHaveLength(reads)
  })

  test('have what another source found inside them', async () => {
    const { readTransactions } = await answering(own.transactions[0], receiptOf(id, own))
    const inside: InternalTransfer = { txHash: id, from: THEM, to: ME, value: 7n }
    const { transfers } = await readTransactions({ ...request, internals: [inside] })
    expect(transfers.map(({ kind, raw }) => [kind, raw])).toEqual([
      ['native', 5n],
      ['internal', 7n],
    ])
  })

  test('are asked for 200 at a time, with one report of progress each', async () => {
    let parts = 0
    const blocks = new Map(Array.from({ length: 3 }, (_, k) => [k + 1, blockOf(k + 1, 100)]))
    const blockOfId = (wanted: string) =>
      [...blocks.values()].find(({ transactions }) =>
        (transactions as RpcTransaction[]).some((one) => one.hash === wanted),
      )!
    const { readTransactions } = await sourceOf({
      eth_getTransactionByHash: ([wanted]) => ({ ...transactionOf(1), hash: wanted }),
      eth_getTransactionReceipt: ([wanted]) => receiptOf(wanted, blockOfId(wanted)),
    })
    const hashes = [...blocks.values()].flatMap(({ transactions }) =>
      (transactions as RpcTransaction[]).map((one) => one.hash),
    )
    const read = await readTransactions({ ...request, hashes, onProgress: () => void parts++ })
    expect([read.transactions.length, read.blocks.length, parts]).toEqual([300, 3, 2])
  })
})
