import { expect, test } from 'vitest'
import { legWorthsUsd } from '../../db/exchanges/leg-worths.ts'
import type { Leg } from '../../db/exchanges/read-transactions.ts'

const leg = (coinId: string, delta: string, priceUsd: string | null, rest: Partial<Leg> = {}): Leg => ({
  role: 'base',
  asset: coinId,
  delta,
  priceUsd,
  coinId,
  currency: null,
  name: null,
  icon: null,
  isStable: false,
  ...rest,
})
const worths = (...legs: Leg[]) => [...legWorthsUsd(legs).values()]

test('both sides of a swap have the value of the side that values it in P&L', () => {
  const usdt = leg('tether', '-50', '0.99', { isStable: true })
  expect(worths(leg('solana', '0.5', '98'), usdt)).toEqual([49.5, 49.5])
  expect(worths(leg('solana', '-0.5', '98'), leg('ethereum', '0.02', '2500'))).toEqual([50, 50])
  // Of two coins that are trusted alike the given one.
  expect(worths(leg('solana', '-0.5', '98'), leg('uniswap', '5', '10'))).toEqual([49, 49])
})

test('an unpriced side takes the value of the other; alone it has none', () => {
  expect(worths(leg('solana', '-0.5', '98'), leg('odd', '5', null))).toEqual([49, 49])
  expect(worths(leg('odd', '5', null))).toEqual([null])
  expect(worths(leg('solana', '2', '98'))).toEqual([196])
})
