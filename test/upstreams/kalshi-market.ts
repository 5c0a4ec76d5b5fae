import { createHash } from 'node:crypto'

// Markets of Kalshi with their trades, as live and archived routes show them.

export interface KalshiTrade {
  id: string
  /** seconds */
  at: number
  outcome: 'yes' | 'no'
  yes: string
  no: string
  count: string
  isBlock: boolean
}

export interface KalshiMarket {
  ticker: string
  event: string
  series: string
  status: 'active' | 'closed' | 'determined' | 'disputed' | 'finalized'
  result: '' | 'yes' | 'no' | 'scalar' | 'void'
  /** what a scalar result pays */
  value: string | null
  isProvisional: boolean
  /** seconds */
  opensAt: number
  closesAt: number
  settledAt: number | null
  /** newest first */
  trades: KalshiTrade[]
}

/** A market with that many trades, one in each of the seconds before `newestAt`, two in every tenth. */
export function createKalshiMarket(options: {
  number: number
  trades: number
  /** seconds, of the newest trade */
  newestAt: number
  /** seconds between two trades */
  apart?: number
  closesAt?: number
  settledAt?: number
  status?: KalshiMarket['status']
  result?: KalshiMarket['result']
  value?: string
  isProvisional?: boolean
}): KalshiMarket {
  const { number, trades, newestAt, apart = 1 } = options
  const series = `KXDOUBLE${number}`
  const { settledAt = null, closesAt = settledAt ?? newestAt + 864_000 } = options
  return {
    ticker: `${series}-26NOV-A`,
    event: `${series}-26NOV`,
    series,
    status: options.status ?? (settledAt === null ? 'active' : 'finalized'),
    result: options.result ?? (settledAt === null ? '' : 'yes'),
    value: options.value ?? null,
    isProvisional: options.isProvisional ?? false,
    opensAt: newestAt - trades * apart - 3_600,
    closesAt,
    settledAt,
    trades: Array.from({ length: trades }, (_, i) =>
      tradeOf(number, i, newestAt - (i - Number(i % 10 === 9)) * apart),
    ),
  }
}

/** Prices have tenths of a cent, counts are fractional, and a few are block trades. */
function tradeOf(number: number, i: number, at: number): KalshiTrade {
  const mills = 300 + ((i * 7) % 400)
  const text = (of: number) => `0.${String(of).padStart(3, '0')}${i % 2 ? '0' : ''}`
  return {
    id: createHash('sha256').update(`${number} ${i}`).digest('hex').slice(0, 32),
    at,
    outcome: i % 3 === 0 ? 'no' : 'yes',
    yes: text(mills),
    no: text(1_000 - mills),
    count: `${(i % 50) + 1}.${i % 4 ? '00' : '25'}`,
    isBlock: i % 97 === 0,
  }
}
