/** Days that a text names, as `YYYY-MM-DD` in the venue's time zone. */
export interface Period {
  /** `by`: at any time up to the last day; `on`: on that day; `in`: during that span */
  kind: 'by' | 'on' | 'in'
  /** null: from now on */
  from: string | null
  to: string
  precision: 'day' | 'month' | 'quarter' | 'season' | 'year'
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const MONTH =
  'Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?'
const TIME = '(?:,? (?:at )?\\d{1,2}(?::\\d\\d)? ?(?:[AaPp]\\.?[Mm]\\.?)?(?: ?(?:E[SD]?T|UTC))?(?![\\d%,]))?'
const DATES = new RegExp(
  [
    `(?<iso>20\\d\\d-\\d\\d-\\d\\d)`,
    `\\b(?<dayFirst>\\d{1,2}) (?<monthAfter>${MONTH}) '?(?<yearAfter>(?:20)?\\d\\d)\\b`,
    `\\b(?<monthDay>${MONTH})\\.? (?:\\d{1,2}-)?(?<day>\\d{1,2})\\b(?:st|nd|rd|th)?(?:,? (?<dayYear>20\\d\\d)\\b)?${TIME}`,
    `\\b(?<month>${MONTH})\\b\\.?(?:,? (?<monthYear>20\\d\\d)\\b)?`,
    `\\bQ(?<quarter>[1-4])\\b(?:,? (?:of )?(?<quarterYear>20\\d\\d)\\b)?`,
    `\\b(?<season>20\\d\\d)[-/](?:20)?(?<seasonEnd>\\d\\d)\\b`,
    `(?<![$€£\\d.,])\\b(?<year>20\\d\\d)\\b(?![,.]?\\d|%)`,
  ].join('|'),
  'g',
)
const BEFORE =
  /(?:\b(?<word>by|before|until|through|on|in|at|of|for|during|after|since|from|between|and|this)(?: the)?)?(?<ending> ?(?:the )?(?:end of|year ending in))?\s*$/i

const iso = (year: number, month: number, day: number): string =>
  new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10)
export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10)

/**
 * The periods of a text in order, and the text without them. Dates without a year get one close to `near`.
 */
export function readPeriods(text: string, near: Date | null): { periods: Period[]; rest: string } {
  const periods: Period[] = []
  let rest = ''
  let done = 0
  for (const match of text.matchAll(DATES)) {
    const span = spanOf(match.groups!, near)
    const lead = BEFORE.exec(text.slice(done, match.index))!
    if (!span) continue
    const { word = '', ending = '' } = lead.groups!
    const period = periodOf(span, word.toLowerCase(), ending.trim().toLowerCase())
    if (period) periods.push(period)
    rest += `${text.slice(done, done + lead.index)} `
    done = match.index + match[0].length
  }
  return { periods, rest: rest + text.slice(done) }
}

type Span = Pick<Period, 'precision' | 'to'> & { from: string }

function spanOf(groups: Record<string, string | undefined>, near: Date | null): Span | null {
  const { iso: isoDate, dayFirst, monthAfter, yearAfter, monthDay, day, dayYear } = groups
  const oneDay = (year: number, month: number, date: number): Span => {
    const at = iso(year, month, date)
    return { precision: 'day', from: at, to: at }
  }
  if (isoDate) return { precision: 'day', from: isoDate, to: isoDate }
  if (dayFirst) return oneDay(2000 + (Number(yearAfter) % 100), monthNumber(monthAfter!), Number(dayFirst))
  if (monthDay) {
    const month = monthNumber(monthDay)
    const year = dayYear ? Number(dayYear) : nearestYear(month, Number(day), near)
    return year === null || Number(day) > 31 ? null : oneDay(year, month, Number(day))
  }
  const { month: monthName, monthYear, quarter, quarterYear, season, seasonEnd, year } = groups
  if (monthName) {
    const month = monthNumber(monthName)
    const of = monthYear ? Number(monthYear) : nearestYear(month, 15, near)
    return of === null ? null : { precision: 'month', from: iso(of, month, 1), to: iso(of, month + 1, 0) }
  }
  if (quarter) {
    const first = (Number(quarter) - 1) * 3 + 1
    const of = quarterYear ? Number(quarterYear) : nearestYear(first + 1, 15, near)
    return of === null ? null : { precision: 'quarter', from: iso(of, first, 1), to: iso(of, first + 3, 0) }
  }
  if (season)
    return (Number(season) + 1) % 100 === Number(seasonEnd)
      ? { precision: 'season', from: iso(Number(season), 7, 1), to: iso(Number(season) + 1, 6, 30) }
      : null
  return { precision: 'year', from: `${year!}-01-01`, to: `${year!}-12-31` }
}

const monthNumber = (name: string): number => MONTHS.indexOf(name.slice(0, 3)) + 1

/** The year in which a day lies closest to an instant. */
function nearestYear(month: number, day: number, near: Date | null): number | null {
  if (!near) return null
  const year = near.getUTCFullYear()
  const distance = (of: number): number => Math.abs(Date.UTC(of, month - 1, day) - near.getTime())
  return [year - 1, year, year + 1].toSorted((a, b) => distance(a) - distance(b))[0]!
}

/** Null for the start of a window. */
function periodOf({ precision, from, to }: Span, word: string, ending: string): Period | null {
  if (['since', 'from', 'between'].includes(word)) return null
  if (word === 'before') return { kind: 'by', from: null, to: addDays(from, -1), precision: 'day' }
  if (['by', 'until', 'through', 'and'].includes(word))
    return { kind: 'by', from: null, to, precision: 'day' }
  if (ending.includes('end of')) return { kind: 'on', from: to, to, precision: 'day' }
  return { kind: precision === 'day' ? 'on' : 'in', from, to, precision }
}

/** First time of day in a text ("at 5 PM EST", "12:00 in the ET timezone"), in minutes after midnight UTC. */
export function readMinute(text: string, month: number): number | null {
  const match =
    /\b(\d{1,2})(?::(\d\d))? ?([ap])\.?m\.?(?:-[\d:]+ ?[ap]\.?m\.?)? ?(E[SD]?T|UTC)\b/i.exec(text) ??
    /\b(\d{1,2}):(\d\d) ?()(?:in the )?(E[SD]?T|UTC)\b/i.exec(text)
  if (!match) return null
  const [, hour, minute = '0', half = '', zone] = match
  const hours = half === '' ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  const summer = month >= 4 && month <= 10
  const behind = /UTC/i.test(zone!) ? 0 : /EDT/i.test(zone!) || (/^ET$/i.test(zone!) && summer) ? 4 : 5
  return (hours + behind) * 60 + Number(minute)
}
