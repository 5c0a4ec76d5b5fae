import { expect, test } from 'vitest'
import { periodProfit } from '../../db/pnl/periods/period-profit.ts'
import { decimal, formatDecimal } from '../../db/values/decimal.ts'
import { runScenario } from './scenario.ts'
import type { Scenario } from './scenario.ts'

/** Numbered edge cases of the P&L rules, one day each unless a case needs more. */

const USDC = { '2023-01-01': '1' }
const BEFORE = '2023-06-01'
const NOON = '2024-01-01T12:00Z'

const days = (scenario: Scenario) => runScenario(scenario).days
const percentOf = (opening: string, closing: string, flow = '0') => {
  const result = periodProfit({ opening: decimal(opening), closing: decimal(closing), flow: decimal(flow) })
  return [formatDecimal(result.profitLoss), Number(formatDecimal(result.profitLossPercent))]
}

test('2: a first deposit of 1,000 that ends at 1,050 is a profit of 50 and 0%', () => {
  const prices = { ETH: { '2024-01-01': '1000', '2024-01-01T23:00Z': '1050' } }
  expect(days({ prices, transactions: { [NOON]: [['transfer', 'A', 'ETH', '1']] } })).toEqual(['50 0% 1000'])
})

test('3: sending away 1,000 when it is worth 1,100 is a profit of 100', () => {
  const prices = { ETH: { '2023-01-01': '1000', '2024-01-01T11:00Z': '1100' } }
  const transactions: Scenario['transactions'] = {
    [BEFORE]: [['transfer', 'A', 'ETH', '1']],
    [NOON]: [['transfer', 'A', 'ETH', '-1']],
  }
  expect(days({ prices, transactions })).toEqual(['100 10% -1100'])
})

test('4: 500 in and 520 out on the same day is a profit of 20', () => {
  const prices = { ETH: { '2023-01-01': '500', '2024-01-01T11:00Z': '520' } }
  const transactions: Scenario['transactions'] = {
    '2024-01-01T09:00Z': [['transfer', 'A', 'ETH', '1']],
    [NOON]: [['transfer', 'A', 'ETH', '-1']],
  }
  expect(days({ prices, transactions })).toEqual(['20 0% -20'])
})

test('5: an empty period in the middle is a point with profit 0', () => {
  const transactions: Scenario['transactions'] = { [NOON]: [['transfer', 'A', 'USDC', '5']] }
  expect(days({ prices: { USDC }, transactions, to: '2024-01-04' })).toEqual(['0 0% 5', '0 0% 0', '0 0% 0'])
})

test('6 and 7: a flow at midnight belongs to the new period, one just before it to the old period', () => {
  const at = (instant: string) =>
    days({
      prices: { USDC },
      transactions: { [instant]: [['transfer', 'A', 'USDC', '5']] },
      to: '2024-01-03',
    })
  expect(at('2024-01-02T00:00:00.000Z')).toEqual(['0 0% 0', '0 0% 5'])
  expect(at('2024-01-01T23:59:59.999999Z')).toEqual(['0 0% 5', '0 0% 0'])
})

test('8: half an ETH received at 2,450 that ends at 2,310 is a loss of 70', () => {
  const prices = { ETH: { '2024-01-01': '2450', '2024-01-02': '2310' } }
  expect(days({ prices, transactions: { [NOON]: [['transfer', 'A', 'ETH', '0.5']] } })).toEqual([
    '-70 0% 1225',
  ])
})

const ownTransfer: Scenario = {
  prices: { ETH: { '2023-01-01': '2100' } },
  transactions: {
    [BEFORE]: [['transfer', 'A', 'ETH', '1']],
    [NOON]: [
      ['transfer', 'A', 'ETH', '-0.5'],
      ['fee', 'A', 'ETH', '-0.01'],
    ],
    '2024-01-01T12:20Z': [['transfer', 'B', 'ETH', '0.5']],
  },
}

test('9: an own transfer costs only its fee and is no flow', () => {
  expect(days(ownTransfer)).toEqual(['-21 -1% 0'])
})

test('10: the sender alone sees the same transfer as an outflow', () => {
  expect(days({ ...ownTransfer, accounts: ['A'] })).toEqual(['-21 -1% -1050'])
})

test('11: a transfer in flight at midnight still counts', () => {
  const result = runScenario({
    prices: { ETH: { '2023-01-01': '2260' } },
    transactions: {
      [BEFORE]: [['transfer', 'A', 'ETH', '0.199']],
      '2024-01-01T23:30Z': [['transfer', 'A', 'ETH', '-0.199']],
      '2024-01-02T00:10Z': [['transfer', 'B', 'ETH', '0.199']],
    },
  })
  expect([result.closing, ...result.days]).toEqual(['449.74', '0 0% 0'])
})

test('12: a transfer that does not arrive within 72 hours is a withdrawal', () => {
  const arriving = (instant: string) =>
    runScenario({
      ...ownTransfer,
      transactions: {
        [BEFORE]: [['transfer', 'A', 'ETH', '1']],
        [NOON]: [['transfer', 'A', 'ETH', '-0.5']],
        [instant]: [['transfer', 'B', 'ETH', '0.5']],
      },
      to: '2024-01-06',
    })
  expect(arriving('2024-01-04T12:00Z').days).toEqual(Array<string>(5).fill('0 0% 0'))
  expect(arriving('2024-01-04T12:01Z').days).toEqual([
    '0 0% -1050',
    '0 0% 0',
    '0 0% 0',
    '0 0% 1050',
    '0 0% 0',
  ])
})

test('13: selling one ETH of 2,000 for 1,980 is a loss of 20', () => {
  const transactions: Scenario['transactions'] = {
    [BEFORE]: [['transfer', 'A', 'ETH', '1']],
    [NOON]: [
      ['trade', 'A', 'ETH', '-1'],
      ['trade', 'A', 'USDC', '1980'],
    ],
  }
  const result = runScenario({ prices: { USDC, ETH: { '2023-01-01': '2000' } }, transactions })
  expect([result.days, result.gains]).toEqual([['-20 -1% 0'], ['ETH -20']])
})

test('14: a leg without a price takes its value from the other one', () => {
  const result = runScenario({
    prices: { ETH: { '2023-01-01': '2000' } },
    transactions: {
      [BEFORE]: [['transfer', 'A', 'XYZ', '7']],
      [NOON]: [
        ['trade', 'A', 'XYZ', '-7'],
        ['trade', 'A', 'ETH', '0.5'],
      ],
    },
  })
  expect([result.days, result.coin('ETH').basis]).toEqual([['0 0% 1000'], '1000'])
})

test('15: a swap of two coins without a price changes nothing', () => {
  const transactions: Scenario['transactions'] = {
    [BEFORE]: [['transfer', 'A', 'XYZ', '7']],
    [NOON]: [
      ['trade', 'A', 'XYZ', '-7'],
      ['trade', 'A', 'ZYX', '9'],
    ],
  }
  expect(days({ prices: {}, transactions })).toEqual(['0 0% 0'])
  // The received coin becomes a receipt when it gets its first price, like any holding.
  const later = runScenario({ prices: { ZYX: { '2024-01-02T10:00Z': '2' } }, transactions, to: '2024-01-03' })
  expect([later.days, later.coin('ZYX').basis]).toEqual([['0 0% 0', '0 0% 18'], '18'])
})

test('16: a deposit without a price is a flow at its first price', () => {
  const prices = { XYZ: { '2024-01-03T10:00Z': '0.10' } }
  const transactions: Scenario['transactions'] = { [NOON]: [['transfer', 'A', 'XYZ', '1000']] }
  const result = runScenario({ prices, transactions, to: '2024-01-04' })
  expect([result.days, result.coin('XYZ').basis]).toEqual([['0 0% 0', '0 0% 0', '0 0% 100'], '100'])
  const midnight = { XYZ: { '2024-01-03': '0.10' } }
  expect(days({ prices: midnight, transactions, to: '2024-01-04' })).toEqual(['0 0% 0', '0 0% 100', '0 0% 0'])
})

test('17: a gap in the prices uses the last price', () => {
  const prices = { ETH: { '2023-12-01': '2000' } }
  const transactions: Scenario['transactions'] = { '2023-12-02': [['transfer', 'A', 'ETH', '1']] }
  expect(days({ prices, transactions })).toEqual(['0 0% 0'])
})

test('18: a corrected price at a boundary moves the profit between its two days', () => {
  const transactions: Scenario['transactions'] = { [BEFORE]: [['transfer', 'A', 'ETH', '1']] }
  const boundary = (usd: string) =>
    days({
      prices: { ETH: { '2023-01-01': '2000', '2024-01-02': usd, '2024-01-03': '2000' } },
      transactions,
      to: '2024-01-03',
    })
  expect(boundary('2000').map((day) => day.split(' ')[0])).toEqual(['0', '0'])
  expect(boundary('2100').map((day) => day.split(' ')[0])).toEqual(['100', '-100'])
})

test.each(['airdrop', 'reward', 'interest', 'rebase'] as const)(
  '19: %s is profit with a cost basis of 0',
  (role) => {
    const prices = { DROP: { '2023-01-01': '0.5', '2024-01-02': '0.45' } }
    const result = runScenario({ prices, transactions: { [NOON]: [[role, 'A', 'DROP', '1000']] } })
    expect([result.days, result.coin('DROP').basis]).toEqual([['450 0% 0'], '0'])
  },
)

test('20: spam counts nowhere', () => {
  const prices = { SCAM: { '2023-01-01': '1' } }
  const result = runScenario({ prices, transactions: { [NOON]: [['spam', 'A', 'SCAM', '1000000000000']] } })
  expect([result.days, result.closing]).toEqual([['0 0% 0'], '0'])
})

test('33: a chain balance of 3 with movements of 2 adds an opening of 1, which is a flow', () => {
  const result = runScenario({
    prices: { ETH: { '2023-01-01': '2000' } },
    transactions: {
      [BEFORE]: [['transfer', 'A', 'ETH', '2']],
      [NOON]: [['opening', 'A', 'ETH', '1']],
    },
  })
  expect(result.days).toEqual(['0 0% 2000'])
  expect([result.coin('ETH').count, result.coin('ETH').basis]).toEqual(['3', '6000'])
})

test('43, 44, 45: percentages of dust, of a debt and of a small opening value', () => {
  expect(percentOf('0.000001', '5.000001')).toEqual(['5', 0])
  expect(percentOf('-100', '-50')).toEqual(['50', 50])
  expect(percentOf('10', '10110', '10000')).toEqual(['100', 1000])
})
