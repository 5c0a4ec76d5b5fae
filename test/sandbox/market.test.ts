import { describe, expect, test } from 'vitest'
import { coins } from '../../sandbox/market/coins.ts'
import { createMarket } from '../../sandbox/market/market.ts'
import { tokens } from '../../sandbox/chain/tokens.ts'

const hour = 3600
const day = 24 * hour
const anchor = Date.UTC(2026, 10, 21) / 1000
const market = createMarket({ seed: 7, anchor })
const listable = coins.filter((c) => c.paprikaId !== null)

function hourly(id: string, count: number): number[] {
  return Array.from({ length: count }, (_, i) => market.priceUsd(id, anchor - i * hour)!)
}

describe('the price world', () => {
  test('is a pure function of the seed, the coin and the time', () => {
    const again = createMarket({ seed: 7, anchor })
    const other = createMarket({ seed: 8, anchor })
    const at = anchor - 12_345_678
    for (const { id } of coins) expect(again.priceUsd(id, at)).toBe(market.priceUsd(id, at))
    expect(other.priceUsd('bitcoin', at)).not.toBe(market.priceUsd('bitcoin', at))
  })

  test('continues after the anchor', () => {
    expect(market.priceUsd('bitcoin', anchor + 400 * day)).toBeGreaterThan(1000)
  })

  test('has 200 coins with unique ids at both upstreams', () => {
    expect(listable).toHaveLength(200)
    expect(new Set(coins.map((c) => c.id)).size).toBe(coins.length)
    expect(new Set(listable.map((c) => c.paprikaId)).size).toBe(200)
  })

  test('prices move by plausible amounts per hour and day', () => {
    const logs = hourly('bitcoin', 24 * 700).map(Math.log)
    const deviation = (step: number): number => {
      const changes = logs.slice(step).map((v, i) => v - logs[i]!)
      return Math.sqrt(changes.reduce((sum, c) => sum + c * c, 0) / changes.length)
    }
    expect(deviation(24)).toBeGreaterThan(0.01)
    expect(deviation(24)).toBeLessThan(0.04)
    expect(deviation(1)).toBeGreaterThan(0.001)
    expect(deviation(1)).toBeLessThan(0.012)
  })

  test('other coins follow bitcoin, and wrapped ones equal their original', () => {
    const changes = (id: string): number[] => {
      const prices = hourly(id, 24 * 365).filter((_, i) => i % 24 === 0)
      return prices.slice(1).map((p, i) => Math.log(p / prices[i]!))
    }
    const correlation = (a: number[], b: number[]): number => {
      const sum = (x: number[]): number => x.reduce((s, v) => s + v, 0)
      const product = sum(a.map((v, i) => v * b[i]!))
      return product / Math.sqrt(sum(a.map((v) => v * v)) * sum(b.map((v) => v * v)))
    }
    expect(correlation(changes('bitcoin'), changes('ethereum'))).toBeGreaterThan(0.5)
    expect(hourly('weth', 100)).toEqual(hourly('ethereum', 100))
  })

  test('stablecoins keep their peg, except for one episode of dai', () => {
    for (const price of hourly('usd-coin', 24 * 700)) expect(Math.abs(price - 1)).toBeLessThan(0.02)
    expect(Math.min(...hourly('dai', 24 * 700))).toBeCloseTo(0.87, 2)
    expect(hourly('dai', 24 * 700).filter((p) => p < 0.95).length).toBeLessThan(5 * 24)
  })

  test('coins listed inside the window have no earlier prices', () => {
    const late = listable.filter((c) => c.listedDaysBefore !== null)
    expect(late.length).toBeGreaterThan(20)
    for (const coin of late) {
      const at = anchor - coin.listedDaysBefore! * day
      expect(market.priceUsd(coin.id, at - 1)).toBeNull()
      expect(market.listedCoins(at - 1)).not.toContain(coin)
      if (coin.delistedDaysBefore === null) expect(market.priceUsd(coin.id, at)).toBeGreaterThan(0)
    }
  })

  test('delisted coins leave the lists but keep their history', () => {
    const gone = listable.filter((c) => c.delistedDaysBefore !== null)
    expect(gone.length).toBeGreaterThan(10)
    for (const coin of gone) {
      const at = anchor - coin.delistedDaysBefore! * day
      expect(market.listedCoins(anchor)).not.toContain(coin)
      expect(market.priceUsd(coin.id, at)).toBeNull()
      expect(market.priceUsd(coin.id, at - 1)).toBeGreaterThan(0)
    }
  })

  test('some coins have hours without a price', () => {
    const gappy = listable.filter((c) => c.hasGaps)
    expect(gappy.length).toBeGreaterThan(10)
    for (const coin of gappy) {
      const missing = Array.from({ length: 24 * 730 }, (_, i) => market.isGap(coin, anchor - i * hour))
      expect(missing.filter(Boolean).length).toBeGreaterThan(50)
      expect(missing.filter(Boolean).length).toBeLessThan(24 * 730 * 0.05)
    }
  })

  test('prices the tokens of the sandbox chains under their contracts', () => {
    for (const token of tokens.filter((t) => t.coinId !== null)) {
      const platform = token.network === 'ethereum' ? 'ethereum' : 'base'
      const coin = market.coinOfContract(platform, token.address.toUpperCase().replace('0X', '0x'))
      expect(coin?.id).toBe(token.coinId)
      expect(coin?.platforms[platform]?.decimals).toBe(token.decimals)
    }
    expect(market.coinOfContract('ethereum', '0x5ba4000000000000000000000000000000000001')).toBeNull()
  })
})
