import type { FakeClock } from '../double.ts'
import { createMeter } from '../meter.ts'
import { type RuledDouble, startRuled } from '../prices/ruled.ts'

const DAY_MS = 86_400_000
const CODES = ['EUR', 'GBP', 'JPY', 'BGN']
/** Bulgaria's own currency ended with 2025. */
const LAST_DAYS: Record<string, string> = { BGN: '2025-12-31' }

/** The reference rate of the ECB, which has none on a weekend. */
export const ecbRate = (quote: string, date: string): number =>
  Number((CODES.indexOf(quote) + 1 + (Date.parse(date) / DAY_MS / 100_000) * 0.5).toPrecision(6))

/** Row 46: Frankfurter v2. */
export function startFrankfurter({ clock }: { clock: FakeClock }): Promise<RuledDouble> {
  // Not published.
  const second = createMeter(clock, [{ name: 'second', most: 2, span: 1_000 }])
  return startRuled(
    [{ row: 46, refuse: ({ address }) => (second.take(address) ? { status: 429, body: '' } : null) }],
    ({ path, query }) => {
      if (path !== '/v2/rates') return { status: 404, body: '{"message":"not found"}' }
      // Rates are blended over providers unless one is named.
      const isBlended = query.get('providers') !== 'ECB'
      const rows = []
      const to = Math.min(clock.now(), Date.parse(query.get('to')!))
      for (let at = Date.parse(query.get('from')!); at <= to; at += DAY_MS) {
        const date = new Date(at).toISOString().slice(0, 10)
        if ([0, 6].includes(new Date(at).getUTCDay())) continue
        for (const quote of CODES)
          if (date <= (LAST_DAYS[quote] ?? '9999'))
            rows.push({ date, base: 'USD', quote, rate: ecbRate(quote, date) * (isBlended ? 1.0007 : 1) })
      }
      return { body: rows }
    },
  )
}
