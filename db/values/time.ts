const DATE = /^(\d{4})-(\d\d)-(\d\d)$/
const INSTANT = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d\d):(\d\d))$/

/** The years that both RFC 3339 and Postgres can write. */
const FIRST_MS = -62_135_596_800_000 // 0001-01-01
const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/**
 * Parses `YYYY-MM-DD` (UTC midnight) or an RFC 3339 timestamp with a zone. Returns null for anything else,
 * including days that do not exist and leap seconds. Digits below the millisecond are dropped.
 */
export function parseInstant(text: string): Date | null {
  const date = DATE.exec(text)
  if (date) return inRange(midnightMs(date[1]!, date[2]!, date[3]!))
  const match = INSTANT.exec(text)
  if (!match) return null
  const dayMs = midnightMs(match[1]!, match[2]!, match[3]!)
  const [hour, minute, second] = [Number(match[4]), Number(match[5]), Number(match[6])]
  if (dayMs === null || hour > 23 || minute > 59 || second > 59) return null
  const offsetMs = offset(match[8], match[9], match[10])
  if (offsetMs === null) return null
  const milliseconds = Number((match[7] ?? '').padEnd(3, '0').slice(0, 3))
  return inRange(dayMs + ((hour * 60 + minute) * 60 + second) * 1_000 + milliseconds - offsetMs)
}

function midnightMs(year: string, month: string, day: string): number | null {
  const date = new Date(0)
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  // A day or month out of range rolls over to another month.
  const exists = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day)
  return exists ? date.getTime() : null
}

function offset(sign: string | undefined, hours = '', minutes = ''): number | null {
  if (sign === undefined) return 0
  if (Number(hours) > 23 || Number(minutes) > 59) return null
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * 60_000
  return sign === '-' ? -offsetMs : offsetMs
}

function inRange(instantMs: number | null): Date | null {
  return instantMs === null || instantMs < FIRST_MS || instantMs > LAST_MS ? null : new Date(instantMs)
}
