import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hourlySeries } from '../../db/pnl/periods/hourly-series.ts'
import { ledgerOf } from './engine/ledger.ts'
import { createPriceCube } from '../../db/pnl/periods/price-cube.ts'
import { scopePeriods } from './engine/scope-periods.ts'
import { createPriceBook } from '../../db/pnl/valuation/price-book.ts'
import type { PricePoint } from '../../db/pnl/valuation/price-book.ts'
import type { Leg } from '../../db/pnl/legs/leg.ts'
import { approximate } from '../../db/values/approximate.ts'
import { formatDecimal, fromRaw, toNumber, ZERO } from '../../db/values/decimal.ts'
import { cutPoints, HOUR_MS } from '../../db/values/periods.ts'

const FROM_MS = Date.parse('2024-01-01')
const HOURS = 24 * 14
const COINS = ['ethereum', 'bitcoin', 'usd-coin', 'dust']

test('an approximated amount is within 1e-15 of the exact one', () => {
  fc.assert(
    fc.property(fc.bigInt(-(2n ** 256n), 2n ** 256n), fc.integer({ min: 0, max: 60 }), (raw, decimals) => {
      const exact = toNumber(fromRaw(raw, decimals))
      expect(Math.abs(approximate(fromRaw(raw, decimals)) - exact)).toBeLessThanOrEqual(
        Math.abs(exact) * 1e-15,
      )
    }),
  )
})

const leg = fc.record({
  minute: fc.integer({ min: 0, max: HOURS * 60 - 1 }),
  coin: fc.constantFrom(...COINS),
  raw: fc.bigInt(1n, 10n ** 30n),
  decimals: fc.constantFrom(6, 18),
  role: fc.constantFrom<Leg['role'][]>('transfer', 'trade', 'fee', 'airdrop'),
})

test('values from the price cube are within 1e-12 of the exact ones, and flows are exact', () => {
  fc.assert(
    fc.property(
      fc.array(leg, { minLength: 1, maxLength: 60 }),
      fc.array(fc.integer({ min: 1, max: 10 ** 9 }), { minLength: 40, maxLength: 40 }),
      (items, walk) => {
        const cube = createPriceCube({ fromMs: FROM_MS, hours: HOURS + 1 })
        const points: PricePoint[] = []
        COINS.forEach((coinId, index) => {
          for (let hour = 0; hour <= HOURS; hour++) {
            // Leaves gaps that the cube must fill with the last price.
            if (hour > 0 && (hour * (index + 3)) % 7 === 0) continue
            const usd = fromRaw(BigInt(walk[(hour + 11 * index) % walk.length]!), 6 + index)
            points.push({ coinId, atMs: FROM_MS + hour * HOUR_MS, usd })
            cube.put(coinId, hour, toNumber(usd))
          }
        })
        const prices = createPriceBook(points)
        const legs = items.map((item, index): Leg => {
          const atMs = FROM_MS + item.minute * 60_000
          const priceUsd = prices.at(item.coin, atMs)
          return {
            account: 'a',
            txId: `${index}`,
            seq: 0,
            atMs,
            role: item.role,
            coinId: item.coin,
            quantity: fromRaw(item.raw, item.decimals),
            priceUsd,
          }
        })
        const ledger = ledgerOf({ legs, matches: [], accounts: new Set(['a']) })
        const series = hourlySeries({
          cube,
          transactions: ledger.transactions.map((transaction) => transaction.legs),
        })
        const cutsMs = cutPoints({ interval: 'hourly', fromMs: FROM_MS, toMs: FROM_MS + HOURS * HOUR_MS })
        scopePeriods({ ledger, prices, fromMs: FROM_MS, cutsMs }).forEach((period, hour) => {
          const exact = toNumber(period.closing)
          expect(Math.abs(series.valueUsd[hour + 1]! - exact)).toBeLessThanOrEqual(Math.abs(exact) * 1e-12)
          expect(formatDecimal(series.flowUsd.get(hour) ?? ZERO)).toBe(formatDecimal(period.flow))
        })
      },
    ),
  )
})
