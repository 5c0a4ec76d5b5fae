import { expect, test } from 'vitest'
import { runScenario, type Scenario } from './scenario.ts'

// Coins without a market price. TKN has none; A holds 10,000 USDC from the day before on.

const prices = { USDC: { '2023-01-01': '1' }, ETH: { '2023-01-01': '2000' } }
const funded: Scenario['transactions'] = { '2023-12-31': [['transfer', 'A', 'USDC', '10000']] }
const bought: Scenario['transactions'] = {
  ...funded,
  '2024-01-01T10:00Z': [
    ['trade', 'A', 'USDC', '-3497'],
    ['trade', 'A', 'TKN', '100'],
  ],
}
const soldFor = (usd: string, count = '-100'): Scenario['transactions'] => ({
  '2024-01-02T10:00Z': [
    ['trade', 'A', 'TKN', count],
    ['trade', 'A', 'USDC', usd],
  ],
})
const twoDays = (
  transactions: Scenario['transactions'],
  more: Partial<Scenario> = {},
): ReturnType<typeof runScenario> => runScenario({ prices, transactions, to: '2024-01-03', ...more })

test('bought for 3,497 and sold for 5,070 is a profit of 1,573, and neither is a flow', () => {
  const result = twoDays({ ...bought, ...soldFor('5070') })
  expect(result.days).toEqual(['0 0% 0', '1573 15.73% 0'])
  expect(result.coin('TKN')).toMatchObject({ count: '0', value: '0', basis: '0', realized: '1573' })
})

test('counts with what was paid for it while it is held', () => {
  const result = twoDays(bought)
  expect([result.days, result.closing]).toEqual([['0 0% 0', '0 0% 0'], '10000'])
  expect(result.coin('TKN')).toMatchObject({
    count: '100',
    value: '3497',
    basis: '3497',
    unrealized: '0 0%',
    averageBuy: '34.97',
  })
})

test('a part that is sold takes its part of the cost', () => {
  const result = twoDays({ ...bought, ...soldFor('2000', '-50') })
  expect(result.days).toEqual(['0 0% 0', '251.5 2.515% 0'])
  expect(result.coin('TKN')).toMatchObject({ count: '50', value: '1748.5', realized: '251.5' })
})

test('sold after a deposit of unknown cost, only the coins of known cost make a profit', () => {
  const transactions = {
    ...bought,
    '2024-01-01T12:00Z': [['transfer', 'A', 'TKN', '60']] as Scenario['transactions'][string],
    ...soldFor('8000', '-160'),
  }
  // 100 of known cost bring 5,000; the other 60 come in at their 3,000.
  expect(twoDays(transactions).days).toEqual(['0 0% 0', '1503 15.03% 3000'])
})

test('a withdrawal takes the cost across the border', () => {
  const transactions = {
    ...bought,
    '2024-01-02T10:00Z': [['transfer', 'A', 'TKN', '-100']] as Scenario['transactions'][string],
  }
  const result = twoDays(transactions)
  expect(result.days).toEqual(['0 0% 0', '0 0% -3497'])
  expect(result.coin('TKN')).toMatchObject({ count: '0', basis: '0', realized: '0' })
})

test('a swap for another coin without a price takes the cost across the border', () => {
  const transactions = {
    ...bought,
    '2024-01-02T10:00Z': [
      ['trade', 'A', 'TKN', '-100'],
      ['trade', 'A', 'OTH', '7'],
    ] as Scenario['transactions'][string],
  }
  const result = twoDays(transactions)
  expect(result.days).toEqual(['0 0% 0', '0 0% -3497'])
  expect(result.coin('OTH')).toMatchObject({ count: '7', value: '0', basis: '0' })
})

test('a swap with a priced coin beside it gives the other coin the cost of both', () => {
  const transactions = {
    ...bought,
    '2024-01-02T10:00Z': [
      ['trade', 'A', 'TKN', '-100'],
      ['trade', 'A', 'USDC', '-3'],
      ['trade', 'A', 'OTH', '7'],
    ] as Scenario['transactions'][string],
  }
  const result = twoDays(transactions)
  expect(result.days).toEqual(['0 0% 0', '0 0% 0'])
  expect(result.coin('OTH')).toMatchObject({ count: '7', value: '3500', basis: '3500' })
})

test('at its first market price the coins of known cost make a profit, the others are a flow', () => {
  const result = twoDays(
    { ...bought, '2024-01-01T12:00Z': [['transfer', 'A', 'TKN', '60']] },
    { prices: { ...prices, TKN: { '2024-01-02T15:00Z': '40' } } },
  )
  expect(result.days).toEqual(['0 0% 0', '503 5.03% 2400'])
  expect(result.coin('TKN')).toMatchObject({ count: '160', value: '6400', basis: '5897' })
})

test('shares of a vault count with what was put in, and the gain comes when they are redeemed', () => {
  const transactions: Scenario['transactions'] = {
    ...funded,
    '2024-01-01T10:00Z': [
      ['wrap', 'A', 'USDC', '-1000'],
      ['wrap', 'A', 'SHR', '990'],
    ],
    '2024-01-02T10:00Z': [
      ['wrap', 'A', 'SHR', '-990'],
      ['wrap', 'A', 'USDC', '1003'],
    ],
  }
  const result = twoDays(transactions)
  expect(result.days).toEqual(['0 0% 0', '3 0.03% 0'])
  expect(result.coin('USDC')).toMatchObject({ count: '10003', basis: '10000' })
})

test('a fee paid in a coin without a price costs what was paid for it', () => {
  const transactions = {
    ...bought,
    '2024-01-02T10:00Z': [['fee', 'A', 'TKN', '-10']] as Scenario['transactions'][string],
  }
  expect(twoDays(transactions).days).toEqual(['0 0% 0', '-349.7 -3.497% 0'])
})

test('income without a price has a cost of 0 and is profit when it is sold', () => {
  const transactions: Scenario['transactions'] = {
    ...funded,
    '2024-01-01T10:00Z': [['airdrop', 'A', 'TKN', '100']],
    ...soldFor('500'),
  }
  expect(twoDays(transactions).days).toEqual(['0 0% 0', '500 5% 0'])
})

test.each(['average', 'fifo', 'lifo', 'hifo'] as const)(
  'by %s, the coins add up to the history',
  (method) => {
    const transactions: Scenario['transactions'] = {
      ...bought,
      '2024-01-01T11:00Z': [
        ['trade', 'A', 'ETH', '-1'],
        ['trade', 'A', 'TKN', '40'],
      ],
      '2024-01-01T12:00Z': [['transfer', 'A', 'TKN', '-20']],
      ...soldFor('5070', '-90'),
    }
    const result = twoDays({ '2023-12-30': [['transfer', 'A', 'ETH', '3']], ...transactions }, { method })
    const profit = (coin: string) => {
      const { realized, unrealized } = result.coin(coin)
      return Number(realized) + Number(unrealized.split(' ')[0])
    }
    const history = result.days.reduce((sum, day) => sum + Number(day.split(' ')[0]), 0)
    expect(profit('TKN') + profit('USDC') + profit('ETH')).toBeCloseTo(history, 4)
    expect(history).toBeGreaterThan(0)
  },
)
