import { expect, test } from 'vitest'
import { TOPICS } from '../../activities/chain/sources/decode-log.ts'
import {
  accountsOf,
  decodeBlock,
  decodeTransaction,
  keepTouching,
  mentions,
  takeTouching,
} from '../../activities/chain/sources/decode-transaction.ts'
import type { RpcReceipt, RpcTransaction } from '../../activities/chain/sources/decode-transaction.ts'
import { address, hash } from '../setup/wallet-factories.ts'

const [ME, THEM, OTHER, TOKEN, ENTRY] = [1, 2, 3, 4, 5].map(address) as [
  string,
  string,
  string,
  string,
  string,
]
const contracts = { wrapped: null, nativeToken: null, entryPoints: [ENTRY] }
const topic = (account: string) => `0x${account.slice(2).padStart(64, '0')}`
const data = (...words: number[]) => `0x${words.map((word) => word.toString(16).padStart(64, '0')).join('')}`
const header = {
  number: '0x7',
  hash: hash(7),
  parentHash: hash(6),
  timestamp: '0x64',
  logsBloom: '0x',
  transactions: [],
}
const block = decodeBlock(header)
const log = (event: keyof typeof TOPICS, topics: string[], content: string, rest: object = {}) => ({
  address: TOKEN,
  topics: [TOPICS[event], ...topics],
  data: content,
  blockNumber: '0x7',
  blockHash: hash(7),
  transactionHash: hash(1),
  logIndex: '0x0',
  ...rest,
})
const transfer = (from: string, to: string, rest: object = {}) =>
  log('transfer', [topic(from), topic(to)], data(5), rest)
const approval = (from: string, to: string) => log('approval', [topic(from), topic(to)], data(9))
const operation = (of: string) =>
  log('operation', [hash(9), topic(of), topic(address(0))], data(0, 1, 70), { address: ENTRY })

const decode = (
  given: { transaction?: Partial<RpcTransaction>; receipt?: Partial<RpcReceipt> } = {},
  ...logs: ReturnType<typeof log>[]
) =>
  decodeTransaction({
    transaction: { hash: hash(1), from: ME, to: THEM, value: '0x0', input: '0x', ...given.transaction },
    receipt: {
      transactionHash: hash(1),
      transactionIndex: '0x3',
      blockHash: hash(7),
      blockNumber: '0x7',
      contractAddress: null,
      gasUsed: '0xa',
      logs,
      ...given.receipt,
    },
    block,
    contracts,
  })

test('times of blocks are seconds', () => {
  expect(block).toEqual({ number: 7, hash: hash(7), parentHash: hash(6), atMs: 100_000 })
})

test('the fee is the gas at its price, and what a rollup takes for the data', () => {
  const fee = (receipt: Partial<RpcReceipt>) => decode({ receipt }).transaction.fee
  expect(fee({ effectiveGasPrice: '0x3' })).toBe(30n)
  expect(fee({ effectiveGasPrice: '0x3', l1Fee: '0x7' })).toBe(37n)
  expect(fee({})).toBe(0n)
})

test('the selector is the first four bytes of the call, where there are as many', () => {
  const selector = (input: string) => decode({ transaction: { input } }).transaction.selector
  expect([selector('0xABCDEF0199'), selector('0xabcdef01'), selector('0xabcdef0'), selector('0x')]).toEqual([
    '0xabcdef01',
    '0xabcdef01',
    null,
    null,
  ])
})

test('a transaction without a status succeeded, and its value goes to the contract that it creates', () => {
  const value = '0x9'
  const receiver = (transaction: Partial<RpcTransaction>, receipt: Partial<RpcReceipt> = {}) =>
    decode({ transaction: { value, ...transaction }, receipt }).transfers.map(({ to }) => to)
  expect(receiver({})).toEqual([THEM])
  expect(receiver({}, { status: '0x1' })).toEqual([THEM])
  expect(receiver({}, { status: '0x0' })).toEqual([])
  expect(receiver({ to: null }, { contractAddress: OTHER })).toEqual([OTHER])
  expect(receiver({ to: null })).toEqual([ME])
})

test('logs that were removed do not count, and receivers of a token are counted once, without those of approvals', () => {
  const { transfers } = decode(
    {},
    transfer(ME, THEM),
    transfer(ME, OTHER),
    transfer(ME, OTHER),
    approval(ME, ENTRY),
    transfer(ME, ENTRY, { removed: true }),
    transfer(ME, THEM, { address: OTHER }),
  )
  expect(transfers.map(({ kind, token, fanOut }) => [kind, token, fanOut])).toEqual([
    ['erc20', TOKEN, 2],
    ['erc20', TOKEN, 2],
    ['erc20', TOKEN, 2],
    ['approval', TOKEN, 1],
    ['erc20', OTHER, 1],
  ])
})

test('a log is about who moves or gets something, who approves, and who operated', () => {
  const about = (one: ReturnType<typeof log>) => accountsOf(one, contracts)
  expect(about(transfer(ME, THEM))).toEqual([ME, THEM])
  expect(about(approval(ME, THEM))).toEqual([ME])
  expect(about(operation(ME))).toEqual([ME])
})

test('a log mentions an account in any of its topics', () => {
  const one = transfer(THEM, ME)
  expect([ME, THEM, OTHER].map((account) => mentions(new Set([account]), one))).toEqual([true, true, false])
  expect(mentions(null, one)).toBe(true)
})

const other = { transaction: { from: OTHER, to: OTHER } }
test.each<[what: string, decoded: ReturnType<typeof decode>, kept: string[] | null]>([
  ['its sender', decode({ transaction: { from: ME, to: OTHER } }), []],
  ['its receiver', decode({ transaction: { from: OTHER, to: ME } }), []],
  ['who gives in it', decode(other, transfer(ME, THEM), transfer(THEM, OTHER)), ['erc20']],
  ['who gets in it', decode(other, transfer(THEM, ME)), ['erc20']],
  ['who approves in it', decode(other, approval(ME, THEM)), ['approval']],
  ['who operated in it', decode(other, operation(ME)), ['operation']],
  ['no account that is approved', decode(other, approval(THEM, ME)), null],
  ['nobody in a creation of others', decode({ transaction: { from: OTHER, to: null } }), null],
])('a transaction is of %s', (_what, decoded, kept) => {
  const accounts = new Set([ME])
  expect(keepTouching(accounts, decoded)?.map(({ kind }) => kind) ?? null).toEqual(kept)
  const range = { transactions: [], transfers: [] }
  expect(takeTouching(range, accounts, decoded)).toBe(kept !== null)
  expect([range.transactions.length, range.transfers.length]).toEqual([
    kept === null ? 0 : 1,
    kept?.length ?? 0,
  ])
})

test('the contract that runs operations has none itself, and without accounts all is kept', () => {
  expect(keepTouching(new Set([ENTRY]), decode(other, operation(ME)))).toBeNull()
  expect(keepTouching(null, decode(other, operation(ME), approval(THEM, ME)))).toHaveLength(2)
})
