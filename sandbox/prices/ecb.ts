import { fiatCodes, isFixingDay, ratePerEuro } from '../market/fiat.ts'
import { type Upstream, type UpstreamReply } from '../upstream.ts'

const dayMs = 86_400_000
const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

function fixingDays(from: string, to: string): string[] {
  const days: string[] = []
  for (let ms = Date.parse(`${from}T00:00:00Z`); ms <= Date.parse(`${to}T00:00:00Z`); ms += dayMs)
    if (isFixingDay(dateOf(ms))) days.push(dateOf(ms))
  return days
}

/**
 * GET /service/data/EXR/D..EUR.SP00.A of the data portal: one line per currency and day, grouped by currency.
 */
export function createEcb({ seed }: { seed: number }): Upstream {
  return ({ path, query, now }): UpstreamReply => {
    if (path.join('/') !== 'service/data/EXR/D..EUR.SP00.A') return { status: 404, body: 'No results found.' }
    const today = dateOf(now * 1000)
    const asked = query.get('endPeriod') ?? today
    const days = fixingDays(query.get('startPeriod') ?? '1999-01-04', asked < today ? asked : today)
    const lines = fiatCodes
      .filter((code) => code !== 'EUR')
      .flatMap((code) =>
        days.flatMap((date) => {
          const rate = ratePerEuro({ seed, code, date })
          return rate === null ? [] : [`D,${code},${date},${rate}`]
        }),
      )
    if (lines.length === 0)
      return { status: 404, body: 'No results found.', headers: { 'content-type': 'text/plain' } }
    const text = ['FREQ,CURRENCY,TIME_PERIOD,OBS_VALUE', ...lines, ''].join('\n')
    return { status: 200, body: text, headers: { 'content-type': 'text/csv' } }
  }
}

/** GET /eurofxref-daily.xml and /eurofxref-hist-90d.xml, newest day first. */
export function createEurofxref({ seed }: { seed: number }): Upstream {
  return ({ path, now }): UpstreamReply => {
    const [file] = path
    const count = file === 'eurofxref-daily.xml' ? 1 : file === 'eurofxref-hist-90d.xml' ? 64 : 0
    if (count === 0) return { status: 404, body: 'Not Found', headers: { 'content-type': 'text/html' } }
    const days = fixingDays(dateOf((now - 100 * 86_400) * 1000), dateOf(now * 1000))
      .slice(-count)
      .reverse()
    const cubes = days.map((date) => {
      const rates = fiatCodes.flatMap((code) => {
        const rate = code === 'EUR' ? null : ratePerEuro({ seed, code, date })
        return rate === null ? [] : [`<Cube currency="${code}" rate="${rate}"/>`]
      })
      return `<Cube time="${date}">${rates.join('')}</Cube>`
    })
    const head =
      '<?xml version="1.0" encoding="UTF-8"?><gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref"><gesmes:subject>Reference rates</gesmes:subject><gesmes:Sender><gesmes:name>European Central Bank</gesmes:name></gesmes:Sender>'
    const body = `${head}<Cube>${cubes.join('')}</Cube></gesmes:Envelope>`
    return { status: 200, body, headers: { 'content-type': 'text/xml' } }
  }
}
