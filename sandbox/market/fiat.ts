import { createNoise, hashText } from './noise.ts'

// Units of the currency per euro. `dailyVolatility` is the standard deviation of the daily change.
const perEuro: Record<string, number> = {
  AUD: 1.66,
  BGN: 1.9558,
  BRL: 6.2,
  CAD: 1.56,
  CHF: 0.94,
  CNY: 7.9,
  CZK: 24.9,
  DKK: 7.46,
  GBP: 0.85,
  HKD: 8.6,
  HUF: 402,
  IDR: 17_900,
  ILS: 3.95,
  INR: 94,
  ISK: 146,
  JPY: 163,
  KRW: 1510,
  MXN: 21.2,
  MYR: 4.85,
  NOK: 11.7,
  NZD: 1.82,
  PHP: 63,
  PLN: 4.26,
  RON: 4.98,
  SEK: 11.2,
  SGD: 1.46,
  THB: 37.4,
  TRY: 41,
  USD: 1.1,
  ZAR: 20.1,
}
const pegged = new Set(['BGN', 'DKK'])
const dailyVolatility = 0.004
const bgnEnd = '2025-12-31'

export const fiatNames: Record<string, string> = {
  AUD: 'Australian Dollar',
  BGN: 'Bulgarian Lev',
  BRL: 'Brazilian Real',
  CAD: 'Canadian Dollar',
  CHF: 'Swiss Franc',
  CNY: 'Chinese Renminbi Yuan',
  CZK: 'Czech Koruna',
  DKK: 'Danish Krone',
  EUR: 'Euro',
  GBP: 'British Pound',
  HKD: 'Hong Kong Dollar',
  HUF: 'Hungarian Forint',
  IDR: 'Indonesian Rupiah',
  ILS: 'Israeli New Sheqel',
  INR: 'Indian Rupee',
  ISK: 'Icelandic Króna',
  JPY: 'Japanese Yen',
  KRW: 'South Korean Won',
  MXN: 'Mexican Peso',
  MYR: 'Malaysian Ringgit',
  NOK: 'Norwegian Krone',
  NZD: 'New Zealand Dollar',
  PHP: 'Philippine Peso',
  PLN: 'Polish Złoty',
  RON: 'Romanian Leu',
  SEK: 'Swedish Krona',
  SGD: 'Singapore Dollar',
  THB: 'Thai Baht',
  TRY: 'Turkish Lira',
  USD: 'United States Dollar',
  ZAR: 'South African Rand',
}

export const fiatCodes = Object.keys(fiatNames)

/** Whether the ECB publishes rates on a day: Monday to Friday except its fixed holidays. */
export function isFixingDay(date: string): boolean {
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay()
  return weekday !== 0 && weekday !== 6 && !['01-01', '05-01', '12-25', '12-26'].includes(date.slice(5))
}

/** The last fixing day up to and including a date (YYYY-MM-DD). */
export function fixingDayUpTo(date: string): string {
  let at = Date.parse(`${date}T00:00:00Z`)
  while (!isFixingDay(new Date(at).toISOString().slice(0, 10))) at -= 86_400_000
  return new Date(at).toISOString().slice(0, 10)
}

const noises = new Map<string, (at: number) => number>()

function noiseOf(seed: number, code: string): (at: number) => number {
  const key = `${seed} ${code}`
  let found = noises.get(key)
  if (!found) noises.set(key, (found = createNoise(hashText(seed, code))))
  return found
}

/** Units of a currency per euro on a fixing day; null: unknown or discontinued currency. */
export function ratePerEuro(options: { seed: number; code: string; date: string }): number | null {
  const { seed, code, date } = options
  if (code === 'EUR') return 1
  const level = perEuro[code]
  if (level === undefined || (code === 'BGN' && date > bgnEnd)) return null
  if (pegged.has(code)) return level
  const at = Date.parse(`${date}T14:00:00Z`) / 1000
  return Number((level * Math.exp(dailyVolatility * noiseOf(seed, code)(at))).toPrecision(5))
}

/** Units of a currency per US dollar at the last fixing up to an instant (Unix seconds); null: no rate. */
export function ratePerUsd(options: { seed: number; code: string; at: number }): number | null {
  const date = fixingDayUpTo(new Date(options.at * 1000).toISOString().slice(0, 10))
  const rate = ratePerEuro({ seed: options.seed, code: options.code, date })
  return rate === null ? null : rate / ratePerEuro({ seed: options.seed, code: 'USD', date })!
}
