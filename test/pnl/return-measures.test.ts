import { expect, test } from 'vitest'
import irr from './cases/07-irr.json' with { type: 'json' }
import { annualRate } from './return-measures.ts'

irr.cases.forEach(({ dates, amounts, excel, pyxirr }, index) => {
  test(`07 case ${index + 1}: the rate equals pyxirr's to nine places and Excel's to four`, () => {
    const rate = annualRate(dates.map((date, at) => ({ atMs: Date.parse(date), amount: amounts[at]! })))
    expect(rate).toBeCloseTo(Number(pyxirr), 9)
    expect(Math.abs(rate - Number(excel))).toBeLessThan(1e-4)
  })
})
