import { decimal, divide, formatDecimal } from '../../db/values/decimal.ts'
import type { QuarantinedRow } from '../parse-rows.ts'
import type { FiatRate } from './market-data.ts'

/** Units of a currency for one euro, from that UTC midnight on. */
export interface EuroRate {
  currency: string
  at: Date
  perEur: string
}

export interface EuroRates {
  rows: EuroRate[]
  quarantined: QuarantinedRow[]
}

/** The same for one US dollar, the euro's own rate among them. A day without a rate of the dollar cannot be converted. */
export function toDollarRates({ rows, quarantined }: EuroRates): {
  rates: FiatRate[]
  quarantined: QuarantinedRow[]
} {
  const dollars = new Map(
    rows.flatMap((row) => (row.currency === 'USD' ? [[row.at.getTime(), row.perEur]] : [])),
  )
  const rates: FiatRate[] = []
  const unconverted: QuarantinedRow[] = []
  for (const { currency, at, perEur } of rows) {
    const dollar = dollars.get(at.getTime())
    // Six significant digits come in; fifteen places keep the smallest rates apart.
    const perUsd = (amount: string) => formatDecimal(divide(decimal(amount), decimal(dollar!), 15))
    if (dollar === undefined)
      unconverted.push({ reason: 'no rate of the dollar on this day', payload: { currency, at, perEur } })
    else if (currency === 'USD') rates.push({ currency: 'EUR', at, perUsd: perUsd('1') })
    else rates.push({ currency, at, perUsd: perUsd(perEur) })
  }
  return { rates, quarantined: [...quarantined, ...unconverted] }
}
