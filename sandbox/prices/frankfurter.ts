import { fiatCodes, fiatNames, fixingDayUpTo, isFixingDay, ratePerEuro } from '../market/fiat.ts'
import { ok, type Upstream, type UpstreamReply } from '../upstream.ts'

const notFound: UpstreamReply = { status: 404, body: { message: 'not found' } }
const firstDate = '1999-01-04'
const isDate = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))

function fixingDays(from: string, to: string): string[] {
  const days: string[] = []
  for (let at = Date.parse(from); at <= Date.parse(to); at += 86_400_000) {
    const date = new Date(at).toISOString().slice(0, 10)
    if (isFixingDay(date)) days.push(date)
  }
  return days
}

/** Simulates Frankfurter's API v1 and v2: European reference rates on fixing days only. */
export function createFrankfurter(options: { seed: number }): Upstream {
  function rates(date: string, base: string, quotes: string[]): Record<string, number> | null {
    const perEuro = (code: string): number | null => ratePerEuro({ seed: options.seed, code, date })
    const of = perEuro(base)
    if (of === null) return null
    const result: Record<string, number> = {}
    for (const code of quotes) {
      const rate = perEuro(code)
      if (rate !== null && code !== base) result[code] = Number((rate / of).toPrecision(5))
    }
    return result
  }

  function version1(what: string, query: URLSearchParams, today: string): UpstreamReply {
    const base = query.get('base') ?? 'EUR'
    const quotes = query.get('symbols')?.split(',') ?? fiatCodes
    if (what === 'currencies') return ok(fiatNames)
    const amount = Number(query.get('amount') ?? 1)
    const [start, end] = what.includes('..') ? what.split('..') : [undefined, undefined]
    if (start !== undefined) {
      const to = end && end < today ? end : today
      if (!isDate(start) || !isDate(to)) return notFound
      const days = fixingDays(fixingDayUpTo(start), to)
      const each = days.flatMap((date) => {
        const found = rates(date, base, quotes)
        return found ? [[date, found] as const] : []
      })
      if (each.length === 0) return notFound
      const [first, last] = [each[0]![0], each.at(-1)![0]]
      return ok({ amount, base, start_date: first, end_date: last, rates: Object.fromEntries(each) })
    }
    const asked = what === 'latest' ? today : what
    if (!isDate(asked) || asked < firstDate) return notFound
    const date = fixingDayUpTo(asked < today ? asked : today)
    const found = rates(date, base, quotes)
    return found && Object.keys(found).length > 0 ? ok({ amount, base, date, rates: found }) : notFound
  }

  function version2(path: string[], query: URLSearchParams, today: string): UpstreamReply {
    const rowsOf = (date: string, base: string, quotes: string[]) =>
      Object.entries(rates(date, base, quotes) ?? {}).map(([quote, rate]) => ({ date, base, quote, rate }))
    const upToToday = (date: string): string => (date < today ? date : today)
    const asked = query.get('date') ?? today
    if (![asked, query.get('from') ?? today, query.get('to') ?? today].every(isDate)) {
      return { status: 422, body: { message: 'invalid date' } }
    }
    if (path[0] === 'currencies')
      return ok(fiatCodes.map((code) => ({ iso_code: code, name: fiatNames[code] })))
    if (path[0] === 'rate' && path[1] && path[2]) {
      const row = rowsOf(fixingDayUpTo(upToToday(asked)), path[1], [path[2]])[0]
      return row ? ok(row) : notFound
    }
    if (path[0] !== 'rates') return notFound
    const base = query.get('base') ?? 'EUR'
    const quotes = query.get('quotes')?.split(',') ?? fiatCodes
    const from = query.get('from')
    if (!from) return ok(rowsOf(fixingDayUpTo(upToToday(asked)), base, quotes))
    const days = fixingDays(from, upToToday(query.get('to') ?? today))
    return ok(days.flatMap((date) => rowsOf(date, base, quotes)))
  }

  return ({ path, query, now }) => {
    const today = new Date(now * 1000).toISOString().slice(0, 10)
    const codes = [query.get('base'), query.get('symbols'), query.get('quotes')].flatMap(
      (list) => list?.split(',') ?? [],
    )
    if (codes.some((code) => !fiatCodes.includes(code))) return notFound
    const [version, ...rest] = path
    if (version === 'v1' && rest.length === 1) return version1(rest[0]!, query, today)
    return version === 'v2' ? version2(rest, query, today) : notFound
  }
}
