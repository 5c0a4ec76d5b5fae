import { expect, test } from 'vitest'
import type { ChainTransaction } from '../../activities/chain/chain-data.ts'
import { ZERO_ADDRESS } from '../../activities/chain/chain-data.ts'
import { NATIVE_LOGS, TOPICS } from '../../activities/chain/sources/decode-log.ts'
import {
  blockWithdrawals,
  hash31,
  internalTransfers,
  loggedOperation,
  loggedTransfer,
  nativeTransfers,
} from '../../activities/chain/sources/native-transfers.ts'
import { address, hash } from '../setup/wallet-factories.ts'

const [ME, THEM, OTHER, ENTRY] = [1, 2, 3, 4].map((n) => address(n)) as [string, string, string, string]
const CONTRACTS = { wrapped: null, nativeToken: null, entryPoints: [ENTRY] }
const topic = (account: string) => `0x${account.slice(2).padStart(64, '0')}`
const data = (...words: bigint[]) => `0x${words.map((word) => word.toString(16).padStart(64, '0')).join('')}`
const log = (of: string, topics: string[], content: string, logIndex = 5) => ({
  address: of,
  topics,
  data: content,
  blockNumber: '0x7',
  blockHash: hash(7),
  transactionHash: hash(1),
  logIndex: `0x${logIndex.toString(16)}`,
})
const moved = (from: string, to: string, value: bigint) =>
  log(NATIVE_LOGS, [TOPICS.transfer, topic(from), topic(to)], data(value))

const transaction = (rest: Partial<ChainTransaction> = {}): ChainTransaction => ({
  hash: hash(1),
  blockNumber: 7,
  blockHash: hash(7),
  atMs: 70_000,
  index: 0,
  from: ME,
  to: THEM,
  value: 9n,
  fee: 1n,
  success: true,
  selector: null,
  ...rest,
})
const seen = (
  rest: Partial<ChainTransaction>,
  facts: { mint?: bigint; logs?: ReturnType<typeof log>[] } = {},
) =>
  nativeTransfers(transaction(rest), {
    receiver: THEM,
    mint: 0n,
    logs: [],
    contracts: CONTRACTS,
    ...facts,
  }).map(({ kind, from, to, raw }) => [kind, from, to, raw])

test('the value of a transaction moves if it succeeds, and none does not', () => {
  expect(seen({})).toEqual([['native', ME, THEM, 9n]])
  expect(seen({ success: false })).toEqual([])
  expect(seen({ value: 0n })).toEqual([])
})

test('what a deposit to a rollup credits comes to the sender, also if the transaction fails', () => {
  const credited = ['mint', ZERO_ADDRESS, ME, 5n]
  expect(seen({ success: false }, { mint: 5n })).toEqual([credited])
  expect(seen({}, { mint: 5n })).toEqual([credited, ['native', ME, THEM, 9n]])
})

test('a log of the value itself does not count twice, and those of other transfers count', () => {
  const inside = [moved(OTHER, THEM, 9n), moved(ME, OTHER, 9n), moved(ME, THEM, 8n)]
  expect(seen({}, { logs: [...inside, moved(ME, THEM, 9n), moved(ME, THEM, 9n)] })).toEqual([
    ['native', ME, THEM, 9n],
    ['internal', OTHER, THEM, 9n],
    ['internal', ME, OTHER, 9n],
    ['internal', ME, THEM, 8n],
    ['internal', ME, THEM, 9n],
  ])
  expect(seen({ value: 0n }, { logs: [moved(ME, THEM, 0n)] })).toEqual([['internal', ME, THEM, 0n]])
})

test.each([
  ['another event', [TOPICS.approval, topic(ME), topic(THEM)], data(9n)],
  ['no sender', [TOPICS.transfer], data(9n)],
  ['no receiver', [TOPICS.transfer, topic(ME)], data(9n)],
  ['no value', [TOPICS.transfer, topic(ME), topic(THEM)], '0x'],
])('a log of native coins with %s is no transfer', (_what, topics, content) => {
  expect(loggedTransfer(log(NATIVE_LOGS, topics, content), CONTRACTS)).toEqual([])
})

const operation = (rest: { of?: string; topics?: string[]; content?: string } = {}) =>
  loggedOperation(
    log(
      rest.of ?? ENTRY,
      rest.topics ?? [TOPICS.operation, hash(9), topic(ME), topic(ZERO_ADDRESS)],
      rest.content ?? data(0n, 1n, 70n, 6n),
    ),
    CONTRACTS,
  )

test('an operation costs its account what it used, and nothing if another pays', () => {
  expect(operation()).toEqual([{ from: ME, to: ENTRY, raw: 70n }])
  expect(operation({ topics: [TOPICS.operation, hash(9), topic(ME), topic(OTHER)] })).toEqual([
    { from: ME, to: ENTRY, raw: 0n },
  ])
  expect(operation({ content: data(0n, 1n, 70n) })).toHaveLength(1)
})

test.each([
  ['of a contract that runs none', { of: OTHER }],
  ['of another event', { topics: [TOPICS.transfer, hash(9), topic(ME), topic(ZERO_ADDRESS)] }],
  ['without a sender', { topics: [TOPICS.operation, hash(9)] }],
  ['without a paymaster', { topics: [TOPICS.operation, hash(9), topic(ME)] }],
  ['with too little data', { content: data(0n, 1n) }],
])('a log %s is no operation', (_what, rest) => expect(operation(rest)).toEqual([]))

test('withdrawals of a block are one transaction that succeeds, in gwei, after all others', () => {
  const block = { number: 7, hash: hash(7), parentHash: hash(6), atMs: 70_000 }
  expect(blockWithdrawals(block, null)).toBeNull()
  expect(blockWithdrawals(block, [])).toBeNull()
  const found = blockWithdrawals(block, [
    { index: '0x10', address: ME.toUpperCase().replace('X', 'x'), amount: '0x5' },
  ])!
  expect(found.transaction).toMatchObject({ hash: hash(7), success: true, index: 999_999, fee: 0n, from: '' })
  expect(found.transfers).toMatchObject([{ kind: 'withdrawal', position: 16, to: ME, raw: 5_000_000_000n }])
})

test('equal transfers inside a transaction have places of their own, which do not depend on others', () => {
  const row = (to: string) => ({ txHash: hash(1), from: ME, to, value: 5n })
  const places = internalTransfers(transaction(), [row(THEM), row(OTHER), row(THEM), row(THEM)]).map(
    (one) => one.position,
  )
  expect(new Set(places).size).toBe(4)
  expect(places.every((place) => place >= 0 && place < 2 ** 31)).toBe(true)
  const alone = internalTransfers(transaction(), [row(THEM), row(THEM)]).map(({ position }) => position)
  expect(alone).toEqual([places[0], places[2]])
  // They are keys of stored rows.
  expect(alone).toEqual([0, 1].map((ordinal) => hash31(`${ME}${THEM}5#${ordinal}`)))
})
