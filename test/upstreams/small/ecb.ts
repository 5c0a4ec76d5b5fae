import type { FakeClock, Reply } from '../double.ts'
import { partsOf, type RuledDouble, startRuled } from '../prices/ruled.ts'
import { ecbRate } from './frankfurter.ts'

const DAY_MS = 86_400_000
const CODES = ['USD', 'GBP', 'JPY', 'BGN']
/** Bulgaria's own currency ended with 2025. */
const LAST_DAYS: Record<string, string> = { BGN: '2025-12-31' }

export interface EcbDouble extends RuledDouble {
  state: {
    /** Maintenance: a page for people, with status 200. */
    isClosed: boolean
  }
}

/** What of an euro a currency costs on a day. */
export const perEuro = (code: string, date: string): number =>
  code === 'USD' ? 1 / ecbRate('EUR', date) : ecbRate(code, date) / ecbRate('EUR', date)

/** Days with a fixing, between two dates: none on weekends. */
function rowsOf(fromMs: number, toMs: number): { code: string; date: string; rate: string }[] {
  const rows = []
  for (let at = fromMs; at <= toMs; at += DAY_MS) {
    const date = new Date(at).toISOString().slice(0, 10)
    if ([0, 6].includes(new Date(at).getUTCDay())) continue
    for (const code of CODES)
      if (date <= (LAST_DAYS[code] ?? '9999'))
        rows.push({ code, date, rate: perEuro(code, date).toPrecision(6) })
  }
  return rows
}

/**
 * Section 7: the data portal and the file of 90 days. The portal answers 404 to a window without a fixing, and 400 to a
 * date that it cannot read; its rows have dozens of columns, and a day without a rate has an empty one
 * (data.ecb.europa.eu/help/api/data).
 */
export async function startEcb({ clock }: { clock: FakeClock }): Promise<EcbDouble> {
  const state = { isClosed: false }
  const csv = (rows: ReturnType<typeof rowsOf>): Reply => ({
    headers: { 'content-type': 'text/csv' },
    body: [
      'KEY,FREQ,CURRENCY,CURRENCY_DENOM,EXR_TYPE,EXR_SUFFIX,TIME_PERIOD,OBS_VALUE,OBS_STATUS,TITLE',
      ...rows.map(
        ({ code, date, rate }) =>
          `EXR.D.${code}.EUR.SP00.A,D,${code},EUR,SP00,A,${date},${rate},A,"${code}, euro"`,
      ),
      // A holiday of one currency.
      ...(rows.length > 0
        ? [`EXR.D.TRY.EUR.SP00.A,D,TRY,EUR,SP00,A,${rows[0]!.date},,H,"Turkish lira, euro"`]
        : []),
    ].join('\n'),
  })
  const file = (): Reply => {
    const rows = rowsOf(Math.floor(clock.now() / DAY_MS) * DAY_MS - 90 * DAY_MS, clock.now())
    const days = Map.groupBy(rows, ({ date }) => date)
    const cubes = [...days].toReversed().map(([date, of]) => {
      const inside = of.map(({ code, rate }) => `<Cube currency="${code}" rate="${rate}"/>`).join('')
      return `<Cube time="${date}">${inside}</Cube>`
    })
    const names = 'xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01"'
    return {
      headers: { 'content-type': 'text/xml' },
      body: `<gesmes:Envelope ${names}><gesmes:subject>Reference rates</gesmes:subject><Cube>${cubes.join('')}</Cube></gesmes:Envelope>`,
    }
  }
  const server = await startRuled(
    [
      {
        row: 0,
        refuse: () =>
          state.isClosed
            ? { headers: { 'content-type': 'text/html' }, body: '<!doctype html><p>Maintenance</p>' }
            : null,
      },
    ],
    (asked) => {
      if (asked.path.endsWith('/eurofxref-hist-90d.xml')) return file()
      const series = partsOf(asked).at(-1)
      const [from, to] = ['startPeriod', 'endPeriod'].map((name) => Date.parse(asked.query.get(name) ?? ''))
      if (series !== 'D..EUR.SP00.A') return { status: 404, body: 'No results found.' }
      if (!Number.isFinite(from) || !Number.isFinite(to))
        return { status: 400, body: 'Syntax error in query' }
      const rows = rowsOf(from!, Math.min(to!, clock.now()))
      return rows.length === 0 ? { status: 404, body: 'No results found.' } : csv(rows)
    },
  )
  return { ...server, state }
}
