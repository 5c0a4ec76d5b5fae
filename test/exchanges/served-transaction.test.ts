import { expect, test } from 'vitest'
import type { Leg, ListedTransaction } from '../../db/exchanges/read-transactions.ts'
import { exchangeTransaction, mainCoin } from '../../db/exchanges/served-transaction.ts'

const leg = (role: Leg['role'], asset: string, delta: string, rest: Partial<Leg> = {}): Leg => ({
  role,
  asset,
  delta,
  priceUsd: null,
  coinId: asset.toLowerCase(),
  currency: null,
  name: null,
  icon: null,
  isStable: false,
  ...rest,
})
const row = (type: ListedTransaction['type'], legs: Leg[], rest: Partial<ListedTransaction> = {}) =>
  ({
    kind: 'fill',
    key: '1',
    type,
    at: new Date('2026-03-01T00:00:00Z'),
    network: null,
    address: null,
    txHash: null,
    legs,
    parts: [],
    ...rest,
  }) satisfies ListedTransaction
const context = { prices: new Map([['btc', 200]]), rates: { then: 2, now: 3 } }
const served = (...given: Parameters<typeof row>) => exchangeTransaction(row(...given), context)

const [BTC, ETH] = [
  leg('base', 'BTC', '1', { priceUsd: '100' }),
  leg('quote', 'ETH', '-5', { priceUsd: '20' }),
]
const EUR = leg('quote', 'EUR', '-90', { coinId: null, currency: 'EUR', priceUsd: '1.1' })
const USDT = leg('quote', 'USDT', '-100', { isStable: true, priceUsd: '1' })

test.each<[string, string, Leg[]]>([
  ['Buy', 'for money', [BTC, EUR]],
  ['Buy', 'for a stable coin', [BTC, USDT]],
  [
    'Sell',
    'for money',
    [
      { ...BTC, delta: '-1' },
      { ...EUR, delta: '90' },
    ],
  ],
  ['Swap', 'for another coin', [BTC, ETH]],
  ['Swap', 'of money for money', [{ ...EUR, role: 'base', delta: '90' }, USDT]],
  ['Swap', 'without another side', [BTC]],
])('a trade is a %s %s', (label, _, legs) => {
  expect(served('executed', legs).type).toBe(label)
})

test('the main coin is the one that came in, and of a sale the one that was sold', () => {
  const main = (type: ListedTransaction['type'], ...legs: Leg[]) => mainCoin(row(type, legs), context)
  expect(main('executed', ETH, BTC)).toEqual({ coinId: 'btc', totalWorth: 200 })
  expect(main('executed', { ...EUR, delta: '90' }, { ...BTC, delta: '-1' })?.coinId).toBe('btc')
  expect(main('withdraw', ETH)?.coinId).toBe('eth')
  expect(main('fee', leg('fee', 'BNB', '-1'))?.coinId).toBe('bnb')
  expect(main('executed')).toBeNull()
  expect(served('executed', []).coinData).toBeUndefined()
})

test('a fee is what was paid; a transaction that is only a fee moves nothing', () => {
  const fee = leg('fee', 'BNB', '-2', { priceUsd: '5' })
  expect(served('executed', [BTC, ETH, fee]).fee).toMatchObject({ count: 2, totalWorth: 20 })
  expect(served('executed', [BTC, ETH, { ...fee, delta: '2' }]).fee).toMatchObject({
    count: -2,
    totalWorth: -20,
  })
  expect(served('executed', [BTC, ETH]).fee).toBeUndefined()
  const alone = served('fee', [{ ...fee, role: 'base' }])
  expect(alone).toMatchObject({ type: 'Sent', fee: { count: 2 }, coinData: { count: -2, symbol: 'BNB' } })
  expect(alone.transactions).toEqual([])
})

test('profit is what a coin gained since it came, or what a sent one would have lost', () => {
  const profitOf = (...legs: Leg[]) => served('deposit', legs).profitLoss
  // 100 USD at a rate of 2 are 200; now 200 USD at a rate of 3 are 600.
  expect(profitOf(BTC)).toEqual({ profit: 400, profitPercent: 200, currentValue: 600 })
  expect(profitOf({ ...BTC, delta: '-1' })).toEqual({ profit: -400, profitPercent: -200, currentValue: 600 })
  expect(profitOf({ ...BTC, priceUsd: '0' })).toEqual({ profit: 600, profitPercent: 0, currentValue: 600 })
  expect(profitOf({ ...BTC, priceUsd: null })).toBeUndefined()
  expect(profitOf(ETH)).toBeUndefined()
  expect(served('deposit', [ETH]).coinData).toEqual({ count: -5, symbol: 'ETH', currentValue: 0 })
})

test('what moved is grouped by direction, with the address of the other side', () => {
  const both = served('executed', [BTC, ETH], { address: '0xother' })
  expect(both.transactions).toMatchObject([
    { action: 'Received', items: [{ id: 'fill:1:base', count: 1, fromAddress: '0xother' }] },
    { action: 'Sent', items: [{ id: 'fill:1:quote', count: -5, toAddress: '0xother' }] },
  ])
  expect(served('deposit', [BTC]).transactions[0]!.items[0]).not.toHaveProperty('fromAddress')
  const icon = { icon: 'https://icons.test/1.png' }
  const shown = served('executed', [
    { ...BTC, ...icon },
    { ...ETH, ...icon },
    { ...EUR, role: 'quote' },
  ])
  expect(shown.mainContent.coinIcons).toEqual([icon.icon])
})

test('a coin is named by its id, money by its currency, an unknown asset by itself', () => {
  const coinOf = (given: Leg) => served('deposit', [given]).transactions[0]!.items[0]!.coin
  expect(coinOf({ ...BTC, name: 'Bitcoin' })).toEqual({ id: 'btc', name: 'Bitcoin', symbol: 'BTC', icon: '' })
  expect(coinOf(EUR)).toMatchObject({ id: expect.stringContaining('EUR'), name: 'EUR' })
  expect(coinOf(EUR)!.id).not.toBe('EUR')
  expect(coinOf({ ...BTC, coinId: null })).toMatchObject({ id: 'BTC', name: 'BTC' })
})

test.each([
  ['ETH', 'https://etherscan.io/tx/0x1'],
  ['trx', 'https://www.oklink.com/tron/tx/0x1'],
  ['unknown', ''],
  [null, ''],
])('a hash on %s leads to its explorer', (network, explorerUrl) => {
  expect(served('deposit', [BTC], { network, txHash: '0x1' }).hash).toEqual({ id: '0x1', explorerUrl })
})

test('a transaction without a hash has none', () => {
  expect(served('deposit', [BTC], { network: 'ETH' })).not.toHaveProperty('hash')
})
