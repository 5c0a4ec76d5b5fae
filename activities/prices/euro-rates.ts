import { decimal, divide, formatDecimal } from '../../db/values/decimal.ts'
import type { QuarantinedRow } from '../parse-rows.ts'
import type { FiatRate } from './market-data.ts'

/** Units of a currency per euro, in force from the UTC midnight `at`. */
export interface EuroRate {
  currency: string
  at: Date
  perEur: string
}

export interface EuroRates {
  rows: EuroRate[]
  quarantined: QuarantinedRow[]
}

/**
 * Converts rates per euro to rates per US dollar and adds the euro. Days without a dollar rate are
 * quarantined.
 */
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
    // The source gives six significant digits; fifteen places keep the smallest rates distinct.
    const perUsd = (amount: string) => formatDecimal(divide(decimal(amount), decimal(dollar!), 15))
    if (dollar === undefined)
      unconverted.push({ reason: 'no dollar rate on this day', payload: { currency, at, perEur } })
    else if (currency === 'USD') rates.push({ currency: 'EUR', at, perUsd: perUsd('1') })
    else rates.push({ currency, at, perUsd: perUsd(perEur) })
  }
  return { rates, quarantined: [...quarantined, ...unconverted] }
}
