import { describe, expect, test } from 'vitest'
import { knownIdOf, marketSymbolOf } from '../../activities/prices/known-coins.ts'
import { identifyCoins, type StoredCoin } from '../../activities/prices/match-coins.ts'

const row = (upstreamId: string, symbol: string, name: string, priceUsd = '1') => ({
  upstreamId,
  symbol,
  name,
  priceUsd,
})
const coin = (coinId: string, symbol: string, name: string, told: Partial<StoredCoin> = {}): StoredCoin => ({
  coinId,
  symbol,
  name,
  priceUsd: '1',
  isMapped: false,
  ...told,
})
/** Ids of the rows: of stored coins, and of new ones. */
function ids(rows: Parameters<typeof identifyCoins>[0], stored: StoredCoin[], keepsIds = false) {
  const { same, fresh } = identifyCoins(rows, { stored, keepsIds })
  return [Object.fromEntries(same), Object.fromEntries(fresh)]
}

describe('a coin of another source', () => {
  const bitcoin = [row('btc-bitcoin', 'BTC', 'Bitcoin', '100')]

  test('is the stored one of its symbol and name at about its price, and no new one', () => {
    const stored = (told: Partial<StoredCoin>) => [coin('bitcoin', 'btc', 'bitcoin', told)]
    expect(ids(bitcoin, stored({ priceUsd: '101' }))).toEqual([{ 'btc-bitcoin': 'bitcoin' }, {}])
    expect(ids(bitcoin, stored({ priceUsd: '200' }))).toEqual([{}, {}])
    expect(ids(bitcoin, stored({ priceUsd: null }))).toEqual([{}, {}])
    expect(ids(bitcoin, stored({ priceUsd: '101', isMapped: true }))).toEqual([{}, {}])
  })

  test('is the stored one that has its id and symbol at about its price under another name', () => {
    const dog = [row('dog', 'DOG', 'Dog Inu')]
    const stored = (told: Partial<StoredCoin>) => [coin('dog', 'dog', 'Doggy', told)]
    for (const keepsIds of [true, false])
      expect(ids([row('dog', 'DOG', 'Dog')], stored({}), keepsIds)).toEqual([{ dog: 'dog' }, {}])
    expect(ids(dog, stored({}), true)).toEqual([{ dog: 'dog' }, {}])
    expect(ids(dog, stored({ priceUsd: '2' }), true)).toEqual([{}, { dog: 'dog-2' }])
    expect(ids(dog, stored({ symbol: 'DGG' }), true)).toEqual([{}, { dog: 'dog-2' }])
    expect(ids(dog, stored({ isMapped: true }), true)).toEqual([{}, { dog: 'dog-2' }])
  })

  test('has an id that nobody has: of the known coins, of its name, or of its source', () => {
    expect(ids([row('tusd-trueusd', 'TUSD', 'TrueUSD')], [])).toEqual([{}, { 'tusd-trueusd': 'true-usd' }])
    const some = [row('sme-some', 'SME', '(Some) New-Coin!')]
    const taken = (...names: string[]) => names.map((name) => coin(name, 'OTH', name))
    expect(ids(some, [])).toEqual([{}, { 'sme-some': 'some-new-coin' }])
    expect(ids(some, taken('some-new-coin'))).toEqual([{}, { 'sme-some': 'sme-some' }])
    expect(ids(some, taken('some-new-coin', 'sme-some'))).toEqual([{}, { 'sme-some': 'sme-some-2' }])
    expect(ids(some, taken('some-new-coin', 'sme-some', 'sme-some-2'))).toEqual([{}, {}])
    expect(ids([row('sme-some', 'SME', '!')], [])).toEqual([{}, { 'sme-some': 'sme-some' }])
  })

  test('has none while two have its symbol and name, unless its source has the ids of coins here', () => {
    const two = [row('uni-a', 'UNI', 'Uni'), row('uni-b', 'uni', 'uni')]
    expect(ids(two, [])).toEqual([{}, {}])
    expect(ids(two, [], true)).toEqual([{}, { 'uni-a': 'uni-a', 'uni-b': 'uni-b' }])
  })
})

test('a known coin is found by its symbol with any of its names, and has the symbol of markets', () => {
  for (const [symbol, name, coinId] of [
    ['BNB', 'Binance Coin', 'binancecoin'],
    ['bnb', 'bnb', 'binancecoin'],
    ['SNX', 'Synthetix', 'havven'],
    ['TUSD', 'True-USD', 'true-usd'],
  ] as const) {
    expect(knownIdOf({ symbol, name })).toBe(coinId)
    expect(marketSymbolOf(coinId)).toBe(symbol.toUpperCase())
  }
  expect(knownIdOf({ symbol: 'BNB', name: 'Other' })).toBeNull()
  expect(marketSymbolOf('bnb')).toBeNull()
})
