import { DomUtils, parseDocument } from 'htmlparser2'
import { z } from 'zod'
import { SourceRejected } from '../../errors.ts'
import { dateField, decimalField } from '../../fields.ts'
import type { HttpClient } from '../../http-client.ts'
import { parseRows } from '../../parse-rows.ts'
import type { EuroRate, EuroRates } from '../euro-rates.ts'

export const EUROFXREF = 'eurofxref'

const cube = z
  .object({
    time: dateField,
    currency: z.string().regex(/^[A-Z]{3}$/),
    rate: decimalField.refine((rate) => !/^(-|0$)/.test(rate), 'rate is not above zero'),
  })
  .transform(({ time, currency, rate }): EuroRate => ({ currency, at: time, perEur: rate }))

/** Client of the European Central Bank's XML file: reference rates of the last ninety days. */
export function createEurofxref({ http, url }: { http: HttpClient; url: string }) {
  async function rates(): Promise<EuroRates> {
    return http.fetchText({
      source: EUROFXREF,
      url: `${url}/eurofxref-hist-90d.xml`,
      headers: { accept: 'text/xml' },
      read: ({ status, text }) => {
        if (status !== 200) throw new SourceRejected(EUROFXREF, `status ${status}: ${text.slice(0, 200)}`)
        const cubes = DomUtils.getElementsByTagName('Cube', parseDocument(text, { xmlMode: true }))
        const rows = cubes.flatMap(({ attribs, parent }) =>
          'currency' in attribs
            ? [{ ...attribs, time: parent && 'attribs' in parent ? parent.attribs['time'] : undefined }]
            : [],
        )
        if (rows.length === 0) throw new SourceRejected(EUROFXREF, 'no rates in its file')
        return parseRows(cube, rows)
      },
    })
  }

  return { rates }
}
