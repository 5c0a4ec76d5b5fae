import { expect, test } from 'vitest'
import { createAddressSet } from '../../activities/chain/follow/address-set.ts'
import type {
  FollowedBlock,
  FollowedHeader,
  FollowedReceipt,
} from '../../activities/chain/follow/block-data.ts'
import { matchBlock, mayMatch } from '../../activities/chain/follow/match-block.ts'
import { address, hash } from '../setup/wallet-factories.ts'

const nobody = address(99)
const topic = (of: string) => `0x${of.slice(2).padStart(64, '0')}`

function receipt(fields: Partial<FollowedReceipt>, ...topics: string[][]): FollowedReceipt {
  const logs = topics.map((all) => ({ address: nobody, topics: all, data: '0x' }))
  return { from: nobody, to: nobody, contractAddress: null, logs, ...fields } as unknown as FollowedReceipt
}

const block: FollowedBlock = {
  header: { withdrawals: [{ address: address(8) }] } as unknown as FollowedHeader,
  transactions: [
    receipt({ from: address(1) }),
    receipt({ to: `0x${address(2).slice(2).toUpperCase()}` }),
    receipt({ to: null, contractAddress: address(3) }),
    receipt({}, [hash(0), topic(address(4))], [hash(0), hash(0), topic(address(5))]),
    receipt({}, [hash(0), hash(0), hash(0), topic(address(6))]),
    receipt({}, [topic(address(7)), `0x${'1'.repeat(24)}${address(7).slice(2)}`]),
  ],
  read: () => Promise.resolve([]),
}

function matched(...wallets: string[]) {
  const set = createAddressSet()
  for (const one of wallets) set.add(one)
  return matchBlock(set, block)
}

test.each([
  ['sender', 1, [0]],
  ['receiver', 2, [1]],
  ['created contract', 3, [2]],
  ['first topic of a log', 4, [3]],
  ['second topic', 5, [3]],
  ['third topic', 6, [4]],
  ['receiver of a withdrawal', 8, []],
])('a wallet is matched as %s', (_role, wallet, transactions) => {
  const match = matched(address(wallet))
  expect([...match.addresses]).toEqual([address(wallet)])
  expect(match.transactions).toEqual(transactions)
})

test('the name of an event and a number that is no address match nothing', () => {
  expect(matched(address(7)).addresses.size).toBe(0)
})

test('the contract that emits a log is a candidate, and a transaction is listed once', () => {
  expect(matched(nobody, address(4)).transactions).toEqual([0, 1, 2, 3, 4, 5])
})

test('a wallet that is added later is found in the candidates of the block', () => {
  const { candidates } = matched()
  const set = createAddressSet()
  set.add(address(100))
  expect(mayMatch(set, candidates)).toBe(false)
  set.add(address(6))
  expect(mayMatch(set, candidates)).toBe(true)
})

test('a candidate is known by both halves of its last digits', () => {
  const wallet = `0x${'1'.repeat(24)}0123456789abcdef`
  const { candidates } = matchBlock(createAddressSet(), {
    ...block,
    transactions: [receipt({ from: wallet })],
  })
  const holds = (one: string) => {
    const set = createAddressSet()
    set.add(one)
    return mayMatch(set, candidates)
  }
  expect(holds(wallet)).toBe(true)
  expect(holds(`0x${'1'.repeat(24)}0123456700000000`)).toBe(false)
})
