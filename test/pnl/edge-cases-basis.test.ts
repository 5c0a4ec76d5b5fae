import { expect, test } from 'vitest'
import { COST_METHODS } from '../../db/pnl/lots/lot-pool.ts'
import { runScenario } from './scenario.ts'
import type { Scenario, ScenarioLeg } from './scenario.ts'

/** Numbered edge cases of the P&L rules, one day each unless a case needs more. */

const USDC = { '2023-01-01': '1' }
const BEFORE = '2023-06-01'
const NOON = '2024-01-01T12:00Z'

const days = (scenario: Scenario) => runScenario(scenario).days

test('21: wrapping keeps cost basis and dates', () => {
  const prices = {
    ETH: { '2023-01-01': '1000', '2023-08-01': '3000' },
    WETH: { '2023-01-01': '1000', '2023-08-01': '3000' },
    USDC,
  }
  const result = runScenario({
    prices,
    method: 'fifo',
    transactions: {
      [BEFORE]: [['transfer', 'A', 'ETH', '1']],
      '2023-09-01': [['transfer', 'A', 'WETH', '1']],
      '2024-01-01T10:00Z': [
        ['wrap', 'A', 'ETH', '-1'],
        ['wrap', 'A', 'WETH', '1'],
      ],
      [NOON]: [
        ['trade', 'A', 'WETH', '-1'],
        ['trade', 'A', 'USDC', '3000'],
      ],
    },
  })
  // The ETH of June, since wrapped, is older than the WETH of September, so FIFO sells it.
  expect([result.days, result.gains, result.coin('WETH').basis]).toEqual([['0 0% 0'], ['WETH 2000'], '3000'])
})

test('22: lending 1,000 and getting back 1,003 is a profit of 3', () => {
  const result = runScenario({
    prices: { USDC, aUSDC: { '2023-01-01': '1' } },
    transactions: {
      [BEFORE]: [['transfer', 'A', 'USDC', '1000']],
      '2024-01-01T01:00Z': [
        ['wrap', 'A', 'USDC', '-1000'],
        ['wrap', 'A', 'aUSDC', '1000'],
      ],
      [NOON]: [
        ['wrap', 'A', 'aUSDC', '-1000'],
        ['wrap', 'A', 'USDC', '1003'],
      ],
    },
  })
  expect([result.days, result.coin('USDC').basis]).toEqual([['3 0.3% 0'], '1000'])
})

test('23: a liquidity position takes the cost basis of both coins', () => {
  const result = runScenario({
    prices: { USDC, ETH: { '2023-01-01': '1800', '2023-12-01': '2000' }, LP: { '2023-01-01': '4000' } },
    transactions: {
      [BEFORE]: [
        ['transfer', 'A', 'ETH', '1'],
        ['transfer', 'A', 'USDC', '2000'],
      ],
      [NOON]: [
        ['wrap', 'A', 'ETH', '-1'],
        ['wrap', 'A', 'USDC', '-2000'],
        ['wrap', 'A', 'LP', '1'],
      ],
    },
  })
  expect([result.days, result.coin('LP').basis]).toEqual([['0 0% 0'], '3800'])
})

test('24: a loan is neither profit nor flow', () => {
  const prices = { USDC, DEBT: { '2023-01-01': '-1' } }
  const transactions: Scenario['transactions'] = {
    [NOON]: [
      ['trade', 'A', 'USDC', '1000'],
      ['trade', 'A', 'DEBT', '1000'],
    ],
  }
  const result = runScenario({ prices, transactions })
  expect([result.days, result.coin('DEBT').basis]).toEqual([['0 0% 0'], '-1000'])
})

test('25: a liquidation of 1.1 ETH for a debt of 1,000 is a loss of 100', () => {
  const prices = { ETH: { '2023-01-01': '1000' }, DEBT: { '2023-01-01': '-1' } }
  const result = runScenario({
    prices,
    transactions: {
      [BEFORE]: [['transfer', 'A', 'ETH', '2']],
      '2023-06-02': [
        ['trade', 'A', 'DEBT', '1000'],
        ['trade', 'A', 'ETH', '1'],
      ],
      [NOON]: [
        ['trade', 'A', 'ETH', '-1.1'],
        ['trade', 'A', 'DEBT', '-1000'],
      ],
    },
  })
  expect(result.days[0]!.split(' ')[0]).toBe('-100')
})

test('26: failed transactions and approvals lose their gas', () => {
  const transactions: Scenario['transactions'] = {
    [BEFORE]: [['transfer', 'A', 'ETH', '1']],
    [NOON]: [['fee', 'A', 'ETH', '-0.002']],
  }
  const result = runScenario({ prices: { ETH: { '2023-01-01': '2500' } }, transactions })
  expect([result.days, result.gains]).toEqual([['-5 -0.2% 0'], ['ETH -5']])
})

test('27: a swap with sponsored gas has no fee', () => {
  const swap = (fee: ScenarioLeg[]) =>
    runScenario({
      prices: { USDC, ETH: { '2023-01-01': '2000' } },
      transactions: {
        [BEFORE]: [
          ['transfer', 'A', 'USDC', '2000'],
          ['transfer', 'A', 'ETH', '1'],
        ],
        [NOON]: [['trade', 'A', 'USDC', '-2000'], ['trade', 'A', 'ETH', '1'], ...fee],
      },
    })
  expect([swap([]).days, swap([]).gains]).toEqual([['0 0% 0'], ['USDC 0']])
  expect(swap([['fee', 'A', 'ETH', '-0.002']]).days).toEqual(['-4 -0.1% 0'])
})

test('28: a coin without a price that is bought for 2,000 and sold for 3,300 makes 1,300', () => {
  const transactions: Scenario['transactions'] = {
    [BEFORE]: [['transfer', 'A', 'USDC', '5000']],
    '2024-01-01T10:00Z': [
      ['trade', 'A', 'USDC', '-2000'],
      ['trade', 'A', 'UNLISTED', '1'],
    ],
    '2024-01-02T10:00Z': [
      ['trade', 'A', 'USDC', '3300'],
      ['trade', 'A', 'UNLISTED', '-1'],
    ],
  }
  expect(days({ prices: { USDC }, transactions, to: '2024-01-03' })).toEqual(['0 0% 0', '1300 26% 0'])
})

test('29: a stable coin that loses and regains its peg is a loss, then a profit', () => {
  const prices = { USDC: { '2023-01-01': '1', '2024-01-02': '0.98', '2024-01-03': '1' } }
  const transactions: Scenario['transactions'] = { [BEFORE]: [['transfer', 'A', 'USDC', '1000']] }
  expect(days({ prices, transactions, to: '2024-01-03' })).toEqual(['-20 -2% 0', '20 2.040816% 0'])
})

test('30: in EUR the lots use the rate of each instant', () => {
  // USD per EUR while one USD goes from 0.90 to 0.95 EUR.
  const EUR = {
    '2023-01-01': '1.111111111111111111111111111111',
    '2024-01-02': '1.052631578947368421052631578947',
  }
  const prices = { ETH: { '2023-01-01': '2000' }, EUR }
  const transactions: Scenario['transactions'] = { [NOON]: [['transfer', 'A', 'ETH', '1']] }
  expect(runScenario({ prices, transactions, unit: 'EUR' }).coin('ETH').unrealized).toBe('100 5.555556%')
  expect(runScenario({ prices, transactions }).coin('ETH').unrealized).toBe('0 0%')
})

test('31: a gain in USD can be a loss in BTC, held or sold', () => {
  const prices = {
    USDC,
    ETH: { '2023-01-01': '2000', '2024-01-01': '3000' },
    BTC: { '2023-01-01': '40000', '2024-01-01': '80000' },
  }
  const held: Scenario['transactions'] = { [BEFORE]: [['transfer', 'A', 'ETH', '1']] }
  expect(runScenario({ prices, transactions: held }).coin('ETH').unrealized).toBe('1000 50%')
  expect(runScenario({ prices, transactions: held, unit: 'BTC' }).coin('ETH').unrealized).toBe('-0.0125 -25%')
  const transactions: Scenario['transactions'] = {
    ...held,
    [NOON]: [
      ['trade', 'A', 'ETH', '-1'],
      ['trade', 'A', 'USDC', '3000'],
    ],
  }
  expect(runScenario({ prices, transactions }).gains).toEqual(['ETH 1000'])
  expect(runScenario({ prices, transactions, unit: 'BTC' }).gains).toEqual(['ETH -0.0125'])
})

test('32: selling 2 with 1.5 known adds an opening of 0.5 at the sale price', () => {
  const result = runScenario({
    prices: { USDC, ETH: { '2023-01-01': '1000', '2024-01-01': '2000' } },
    transactions: {
      [BEFORE]: [['transfer', 'A', 'ETH', '1.5']],
      [NOON]: [
        ['trade', 'A', 'ETH', '-2'],
        ['trade', 'A', 'USDC', '4000'],
      ],
    },
  })
  expect(result.days).toEqual(['0 0% 1000'])
  expect([result.openings, result.coin('ETH').realized]).toEqual([['0.5 ETH'], '1500'])
})

test('34: a rebase is income', () => {
  const transactions: Scenario['transactions'] = {
    [BEFORE]: [['transfer', 'A', 'stETH', '1']],
    [NOON]: [['airdrop', 'A', 'stETH', '0.0001']],
  }
  expect(days({ prices: { stETH: { '2023-01-01': '2000' } }, transactions })).toEqual(['0.2 0.01% 0'])
})

test('38: a migration of 100 to 1 keeps the cost basis', () => {
  const result = runScenario({
    prices: { OLD: { '2023-01-01': '1' }, NEW: { '2023-01-01': '100' } },
    transactions: {
      [BEFORE]: [['transfer', 'A', 'OLD', '100']],
      [NOON]: [
        ['wrap', 'A', 'OLD', '-100'],
        ['wrap', 'A', 'NEW', '1'],
      ],
    },
  })
  expect([result.days, result.coin('NEW').basis]).toEqual([['0 0% 0'], '100'])
})

test('39: a perpetual with +50, funding -3 and fee -2 is a profit of 45', () => {
  const transactions: Scenario['transactions'] = {
    [BEFORE]: [['transfer', 'A', 'USDC', '100']],
    [NOON]: [
      ['airdrop', 'A', 'USDC', '50'],
      ['fee', 'A', 'USDC', '-3'],
      ['fee', 'A', 'USDC', '-2'],
    ],
  }
  expect(days({ prices: { USDC }, transactions })).toEqual(['45 45% 0'])
})

test('40: a fee in a third coin raises the cost and sells that coin', () => {
  const result = runScenario({
    prices: { USDC, BNB: { '2023-01-01': '300', '2023-12-01': '400' }, ETH: { '2023-01-01': '2000' } },
    transactions: {
      [BEFORE]: [
        ['transfer', 'A', 'USDC', '2000'],
        ['transfer', 'A', 'BNB', '1'],
      ],
      [NOON]: [
        ['trade', 'A', 'USDC', '-2000'],
        ['trade', 'A', 'ETH', '1'],
        ['fee', 'A', 'BNB', '-0.005'],
      ],
    },
  })
  expect([result.coin('ETH').basis, result.gains]).toEqual(['2002', ['USDC 0', 'BNB 0.5']])
})

const purchase = (fee: [string, string]): Scenario => ({
  prices: { USDC, ETH: { '2023-01-01': '2000' } },
  transactions: {
    [BEFORE]: [['transfer', 'A', 'USDC', '2000']],
    [NOON]: [
      ['trade', 'A', 'USDC', '-2000'],
      ['trade', 'A', 'ETH', '1'],
      ['fee', 'A', ...fee],
    ],
  },
})

test('41: a maker rebate lowers the cost', () => {
  const result = runScenario(purchase(['USDC', '0.2']))
  expect([result.coin('ETH').basis, result.coin('USDC').basis]).toEqual(['1999.8', '0.2'])
})

test('42: a fee withheld from the received coin leaves fewer units at the full value', () => {
  expect(runScenario(purchase(['ETH', '-0.001'])).coin('ETH').averageBuy).toBe('2002.002002')
})

test('46: a token sent to the zero address is an outflow at market', () => {
  const transactions: Scenario['transactions'] = {
    [BEFORE]: [['transfer', 'A', 'ETH', '1']],
    [NOON]: [['transfer', 'A', 'ETH', '-1']],
  }
  expect(days({ prices: { ETH: { '2023-01-01': '2000' } }, transactions })).toEqual(['0 0% -2000'])
})

test.each(COST_METHODS)('50, %s: 2^256-1 base units of 18 decimals are exact', (method) => {
  const all = '115792089237316195423570985008687907853269984665640564039457.584007913129639935'
  const prices = { USDC, MAX: { '2023-01-01': '0.000000000000000003' } }
  const bought: Scenario['transactions'] = { [BEFORE]: [['transfer', 'A', 'MAX', all]] }
  const worth = '347376267711948586270712955026063723559809.953996921692118372752023739388919805'
  const held = runScenario({ prices, transactions: bought, method })
  expect([held.closing, held.coin('MAX').count]).toEqual([worth, all])
  const sent = { ...bought, [NOON]: [['transfer', 'A', 'MAX', `-${all}`]] satisfies ScenarioLeg[] }
  const none = runScenario({ prices, transactions: sent, method })
  expect([none.closing, none.days, none.gains]).toEqual(['0', [`0 0% -${worth}`], ['MAX 0']])
  expect([none.coin('MAX').count, none.coin('MAX').basis]).toEqual(['0', '0'])
})
