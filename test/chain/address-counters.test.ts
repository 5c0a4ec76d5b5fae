import { expect, test } from 'vitest'
import {
  areEqual,
  balanceOf,
  countersOf,
  countersText,
  knownCounters,
} from '../../activities/chain/sources/address-counters.ts'

const counters = { transactions: 3, received: 9n, sent: 4n }
const account = { account: 'a', role: 'address' as const, readBlock: 1, newest: null }

test('counters of an address are known as they were stored, with their block', () => {
  expect([balanceOf(counters), countersText(counters)]).toEqual([5n, '3 9 4'])
  expect(countersOf('3 9 4')).toEqual(counters)
  expect(knownCounters({ ...account, seen: '3 9 4', seenBlock: 0 })).toEqual({ ...counters, block: 0 })
  expect(knownCounters({ ...account, seen: null, seenBlock: 7 })).toBeNull()
  expect(knownCounters({ ...account, seen: '3 9 4', seenBlock: null })).toBeNull()
  expect(knownCounters(undefined)).toBeNull()
})

test('counters differ in the number of transactions, what came or what went', () => {
  expect(areEqual(counters, { ...counters })).toBe(true)
  const others = [{ transactions: 4 }, { received: 8n }, { sent: 5n }]
  expect(others.map((one) => areEqual(counters, { ...counters, ...one }))).toEqual([false, false, false])
})
