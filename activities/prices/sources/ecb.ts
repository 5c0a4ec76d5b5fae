import { parse } from 'csv-parse/sync'
import { z } from 'zod'
import { SourceRejected } from '../../errors.ts'
import { dateField, decimalField } from '../../fields.ts'
import type { HttpClient } from '../../http-client.ts'
import { parseRows } from '../../parse-rows.ts'
import type { EuroRate, EuroRates } from '../euro-rates.ts'

export const ECB = 'ecb'

const row = z
  .object({
    FREQ: z.literal('D'),
    CURRENCY: z.string().regex(/^[A-Z]{3}$/),
    TIME_PERIOD: dateField,
    OBS_VALUE: decimalField.refine((rate) => !/^(-|0$)/.test(rate), 'rate is not above zero'),
  })
  .transform((values): EuroRate => ({
    currency: values.CURRENCY,
    at: values.TIME_PERIOD,
    perEur: values.OBS_VALUE,
  }))

/** Client of the European Central Bank's data portal: reference rates as CSV. */
export function createEcb({ http, url }: { http: HttpClient; url: string }) {
  async function rates({ from, to }: { from: string; to: string }): Promise<EuroRates> {
    return http.fetchText({
      source: ECB,
      url: `${url}/service/data/EXR/D..EUR.SP00.A?format=csvdata&startPeriod=${from}&endPeriod=${to}`,
      headers: { accept: 'text/csv' },
      read: ({ status, text }) => {
        // The portal returns 404 for a window without a fixing day.
        if (status === 404) return { rows: [], quarantined: [] }
        if (status !== 200) throw new SourceRejected(ECB, `status ${status}: ${text.slice(0, 200)}`)
        return parseRows(
          row,
          parse(text, { columns: true, skip_empty_lines: true, relax_column_count: true }),
        )
      },
    })
  }

  return { rates }
}
