import { z } from 'zod'
import { dateField, decimalField } from '../../fields.ts'
import type { HttpClient } from '../../http-client.ts'
import { parseRows, type QuarantinedRow } from '../../parse-rows.ts'
import type { FiatRate } from '../market-data.ts'

export const FRANKFURTER = 'frankfurter'

const row = z.object({
  date: dateField,
  base: z.literal('USD'),
  quote: z.string().regex(/^[A-Z]{3}$/),
  rate: decimalField.refine((rate) => !/^(-|0$)/.test(rate), 'rate is not above zero'),
})

/**
 * Client of Frankfurter's API v2: reference rates of the ECB, because rates blended over providers cannot be
 * told again. No rows on weekends and holidays.
 */
export function createFrankfurter({ http, url }: { http: HttpClient; url: string }) {
  async function rates(range: {
    from: string
    to: string
  }): Promise<{ rates: FiatRate[]; quarantined: QuarantinedRow[] }> {
    const answer = await http.fetchJson({
      source: FRANKFURTER,
      url: `${url}/v2/rates?base=USD&providers=ECB&from=${range.from}&to=${range.to}`,
      schema: z.array(z.unknown()),
    })
    const { rows, quarantined } = parseRows(row, answer)
    return {
      rates: rows.map(({ date, quote, rate }) => ({ currency: quote, at: date, perUsd: rate })),
      quarantined,
    }
  }

  return { rates }
}

export type Frankfurter = ReturnType<typeof createFrankfurter>
