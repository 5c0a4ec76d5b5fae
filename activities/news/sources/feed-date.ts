const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** Offsets from UTC in hours of the zone names that feeds use; RFC 822 defines the first of them. */
const ZONES: Record<string, number> = {
  z: 0,
  ut: 0,
  utc: 0,
  gmt: 0,
  est: -5,
  edt: -4,
  cst: -6,
  cdt: -5,
  mst: -7,
  mdt: -6,
  pst: -8,
  pdt: -7,
  wet: 0,
  west: 1,
  bst: 1,
  ist: 5.5,
  cet: 1,
  cest: 2,
  eet: 2,
  eest: 3,
  msk: 3,
  sgt: 8,
  hkt: 8,
  jst: 9,
  kst: 9,
  aest: 10,
  aedt: 11,
  brt: -3,
  akst: -9,
  akdt: -8,
  hst: -10,
}

const ISO_DAY = /(\d{4})-(\d\d)-(\d\d)/
const DAY_MONTH = /(\d{1,2})[ -]([a-z]{3})[a-z.]*[ -](\d{4}|\d\d)(?!\d)/
const MONTH_DAY = /([a-z]{3})[a-z.]* (\d{1,2}),? (\d{4})/
const TIME =
  /(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d+))?)? ?([ap]m)?(?: ?(?:([+-])(\d\d):?(\d\d)|([a-z]{1,4})\b))?/

const EARLIEST_MS = Date.UTC(1990, 0, 1)
const SLACK_MS = 86_400_000

/**
 * Parses the dates of feeds: RFC 822 with zone names, with or without weekday and seconds, ISO 8601, and
 * other formats found in feeds. Without a zone the date is UTC. Returns null for anything else, for days that
 * do not exist, and for instants before 1990 or more than a day after `now`, which are placeholders or
 * mistakes.
 */
export function parseFeedDate(text: string, now: Date): Date | null {
  const line = text.toLowerCase().replace(/\s+/g, ' ').trim()
  const day = dayMs(line)
  if (day === null) return null
  const time = timeMs(line.slice(day.end))
  const ms = time === null ? NaN : day.ms + time
  return ms >= EARLIEST_MS && ms <= now.getTime() + SLACK_MS ? new Date(ms) : null
}

function dayMs(line: string): { ms: number; end: number } | null {
  const iso = ISO_DAY.exec(line)
  const dayFirst = DAY_MONTH.exec(line)
  const monthFirst = MONTH_DAY.exec(line)
  const [match, year, month, day] = iso
    ? [iso, iso[1], Number(iso[2]) - 1, iso[3]]
    : dayFirst
      ? [dayFirst, dayFirst[3], MONTHS.indexOf(dayFirst[2]!), dayFirst[1]]
      : monthFirst
        ? [monthFirst, monthFirst[3], MONTHS.indexOf(monthFirst[1]!), monthFirst[2]]
        : [null, '', -1, '']
  if (match === null) return null
  const date = new Date(Date.UTC(fullYear(year!), month, Number(day)))
  // Date.UTC turns a day that does not exist into another one.
  if (date.getUTCMonth() !== month || date.getUTCDate() !== Number(day)) return null
  return { ms: date.getTime(), end: match.index + match[0].length }
}

/** RFC 822 years have two digits: below 70 is 20xx, else 19xx. */
function fullYear(text: string): number {
  const year = Number(text)
  return text.length === 4 ? year : year + (year < 70 ? 2000 : 1900)
}

/**
 * Milliseconds from the UTC midnight of the written day; 0: there is no time; null: the time does not exist.
 */
function timeMs(rest: string): number | null {
  const match = TIME.exec(rest)
  if (!match) return 0
  const [, hours, minutes, seconds = '0', fraction = '0', half, sign, zoneHours, zoneMinutes, zone] = match
  if (Number(hours) > (half ? 12 : 23) || Number(minutes) > 59 || Number(seconds) > 60) return null
  const hour = half ? (Number(hours) % 12) + (half === 'pm' ? 12 : 0) : Number(hours)
  const offsetMinutes = sign
    ? Number(`${sign}1`) * (Number(zoneHours) * 60 + Number(zoneMinutes))
    : (ZONES[zone ?? 'z'] ?? 0) * 60
  const secondsOfDay = hour * 3600 + (Number(minutes) - offsetMinutes) * 60 + Number(seconds)
  return secondsOfDay * 1000 + Math.floor(Number(`0.${fraction}`) * 1000)
}
