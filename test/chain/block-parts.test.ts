import { afterEach, describe, expect, test } from 'vitest'
import type { RpcBlock, RpcTransaction } from '../../activities/chain/sources/decode-transaction.ts'
import { createBlockParts, wantedOf } from '../../activities/chain/sources/rpc-blocks.ts'
import { SourceUnavailable } from '../../activities/errors.ts'
import { createRpcClient } from '../../activities/nodes/rpc-client.ts'
import { serveJsonRpc } from '../setup/replay-rpc.ts'
import { address, hash } from '../setup/wallet-factories.ts'

const [ME, THEM, OTHER] = [1, 2, 3].map((i) => address(0xa0 + i)) as [string, string, string]
const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

const transactionOf = (id: number, rest: Partial<RpcTransaction> = {}): RpcTransaction => ({
  hash: hash(id),
  from: THEM,
  to: OTHER,
  value: '0x0',
  input: '0x',
  ...rest,
})
const blockOf = (number: number, transactions: RpcTransaction[] = [], logsBloom = '0x00'): RpcBlock => ({
  number: `0x${number.toString(16)}`,
  hash: hash(0xb000 + number),
  parentHash: hash(0xb000 + number - 1),
  timestamp: '0x64',
  logsBloom,
  transactions,
})
const receiptOf = ({ hash: transactionHash }: RpcTransaction, block: RpcBlock) => ({
  transactionHash,
  blockHash: block.hash,
})

/** Parts of blocks from a node with these methods, and what it was asked. */
async function partsOf(handlers: Parameters<typeof serveJsonRpc>[0]) {
  const { url, asked, stop } = await serveJsonRpc(handlers)
  stops.push(stop)
  return { ...createBlockParts(createRpcClient({ url, source: 'test' })), asked }
}

test('a header that the chain lacks is none, a block that it lacks makes the node lag', async () => {
  const block = blockOf(7)
  const asked: unknown[] = []
  const { headers, blocks } = await partsOf({
    eth_getBlockByNumber: ([number, full]) => (asked.push(full), number === '0x7' ? block : null),
  })
  expect(await headers([7, 8])).toEqual([expect.objectContaining({ number: 7, hash: block.hash }), null])
  expect(await blocks([7])).toEqual([block])
  // Only blocks are read with their transactions.
  expect(asked).toEqual([false, false, true])
  await expect(blocks([7, 8])).rejects.toThrow('block 8 is missing')
})

describe('all receipts of blocks', () => {
  const own = [transactionOf(1), transactionOf(2)]
  const block = blockOf(7, own)
  const receipts = own.map((one) => receiptOf(one, block))
  const answering = async (answer: unknown) =>
    (await partsOf({ eth_getBlockReceipts: () => answer })).allReceipts([block])

  test('are those of each block, none of an empty one', async () => {
    const { allReceipts } = await partsOf({
      eth_getBlockReceipts: ([number]) => (number === '0x7' ? receipts : []),
    })
    expect(await allReceipts([block, blockOf(8)])).toEqual(receipts)
  })

  test.each<[what: string, answer: unknown]>([
    ['nothing', null],
    ['none', []],
    ['one too few', receipts.slice(1)],
    ['one too many', [...receipts, receipts[0]]],
    ['one of another branch', [receipts[0], { ...receipts[1], blockHash: hash(9) }]],
    ['all of another branch', receipts.map((one) => ({ ...one, blockHash: hash(9) }))],
  ])('make the node lag where it gives %s', async (_what, answer) => {
    await expect(answering(answer)).rejects.toThrow(SourceUnavailable)
  })

  test('are null from a node without the method, and another refusal is an error', async () => {
    expect(await (await partsOf({})).allReceipts([block])).toBeNull()
    const { allReceipts } = await partsOf({
      eth_getBlockReceipts: () => {
        throw { code: -32000, message: 'something broke' }
      },
    })
    await expect(allReceipts([block])).rejects.toThrow('something broke')
  })
})

describe('receipts of some transactions', () => {
  const transactions = [1, 2, 3, 4, 5].map((id) => transactionOf(id))
  const wantedIn = (number: number, { wanted, of }: { wanted: number; of: number }) => ({
    raw: blockOf(number, transactions.slice(0, of)),
    transactions: transactions.slice(0, wanted),
  })
  const byHash = ([id]: string[]) => ({ transactionHash: id })

  test.each([
    [1, 1, false],
    [2, 2, true],
    [2, 4, true],
    [2, 5, false],
    [3, 5, true],
  ])('%i of the %i of a block are read with the whole block: %s', async (wanted, of, isWhole) => {
    const one = wantedIn(7, { wanted, of })
    const { receipts, asked } = await partsOf({
      eth_getBlockReceipts: () => transactions.slice(0, of).map((each) => receiptOf(each, one.raw)),
      eth_getTransactionReceipt: byHash,
    })
    const found = (await receipts([one])).map(({ transactionHash }) => transactionHash)
    expect(found).toEqual(expect.arrayContaining(one.transactions.map((each) => each.hash)))
    expect(asked).toEqual(
      isWhole
        ? [['eth_getBlockReceipts', '0x7']]
        : one.transactions.map((each) => ['eth_getTransactionReceipt', each.hash]),
    )
  })

  test('are read by their hashes from a node that gives none of whole blocks', async () => {
    const { receipts } = await partsOf({ eth_getTransactionReceipt: byHash })
    const found = await receipts([wantedIn(7, { wanted: 4, of: 4 }), wantedIn(8, { wanted: 1, of: 5 })])
    expect(found.map(({ transactionHash }) => transactionHash)).toEqual([1, 2, 3, 4, 1].map((id) => hash(id)))
  })

  test('that a node lacks make it lag', async () => {
    const { receipts } = await partsOf({ eth_getTransactionReceipt: () => null })
    await expect(receipts([wantedIn(7, { wanted: 1, of: 1 })])).rejects.toThrow(SourceUnavailable)
  })
})

describe('logs of blocks', () => {
  const logs = (...indexes: number[]) => indexes.map((i) => ({ logIndex: `0x${i.toString(16)}` }))

  test.each<[what: string, bloom: string, found: object[]]>([
    ['none where the bloom is empty', '0x0000', []],
    ['all where it is not', '0x0100', logs(0, 1, 2)],
  ])('are %s', async (_what, bloom, found) => {
    const parts = await partsOf({ eth_getLogs: () => found })
    const block = blockOf(7, [], bloom)
    expect(await parts.logs([block])).toEqual(found)
    // By hash, so that they are of this branch.
    expect(parts.asked).toEqual([['eth_getLogs', { blockHash: block.hash }]])
  })

  test.each<[what: string, bloom: string, found: object[]]>([
    ['none yet', '0x0100', []],
    ['some of a block without any', '0x0000', logs(0)],
    ['not the first', '0x0100', logs(1, 2)],
    ['not all between', '0x0100', logs(0, 2)],
  ])('make the node lag where it gives %s', async (_what, bloom, found) => {
    const parts = await partsOf({ eth_getLogs: () => found })
    await expect(parts.logs([blockOf(7, [], bloom)])).rejects.toThrow(SourceUnavailable)
  })
})

test('wanted are transactions of the accounts, those named by hash and those that moved their coins inside', () => {
  const own = [
    transactionOf(1),
    transactionOf(2, { from: ME.toUpperCase().replace('0X', '0x') }),
    transactionOf(3, { to: ME.toUpperCase().replace('0X', '0x') }),
    transactionOf(4, { to: null }),
    transactionOf(5),
    transactionOf(6),
    transactionOf(7),
  ]
  const moved = (id: number, from: string, to: string) => ({ txHash: hash(id), from, to, value: 1n })
  const wanted = (traces: ReturnType<typeof moved>[] | null) =>
    wantedOf([blockOf(7, own)], { accounts: new Set([ME]), hashes: new Set([hash(5)]), traces }).map(
      ({ raw, transactions }) => [raw.number, transactions.map((one) => own.indexOf(one) + 1)],
    )
  expect(wanted(null)).toEqual([['0x7', [2, 3, 5]]])
  expect(wanted([moved(6, THEM, ME), moved(7, THEM, OTHER)])).toEqual([['0x7', [2, 3, 5, 6]]])
})
