import type { Exchange } from 'ccxt'
import { DAY_MS, type PageRequest, type Paging } from './paging.ts'
import { tradePage, transferPage } from './rows.ts'
import type { StreamSpec } from './exchange.ts'

/** Fills may come a little late; transfers change their state for days. */
export const FILL_LOOKBACK_MS = 10 * 60_000
export const TRANSFER_LOOKBACK_MS = 14 * DAY_MS

type Window = Paging & { kind: 'window' }

/** A list that is asked for by time. */
export function timeWindow(options: {
  page: number
  /** Widest stretch of one request; null: any. */
  windowDays: number | null
  /** How far back the list is kept; or the day that it begins at. */
  history: number | `${number}-${number}-${number}`
  lookbackMs: number
  fullPage?: 'oldest'
}): Window {
  const { page, windowDays, history, fullPage = 'newest', lookbackMs } = options
  return {
    kind: 'window',
    page,
    fullPage,
    lookbackMs,
    // A second less, so that rounding at the exchange does not make it too wide.
    windowMs: windowDays === null ? null : windowDays * DAY_MS - 1_000,
    ...(typeof history === 'number'
      ? { historyMs: history * DAY_MS - 3_600_000, startMs: null }
      : { historyMs: null, startMs: Date.parse(history) }),
  }
}

export const fillStream = (
  paging: Paging,
  options: { lists: 'one' | 'symbols'; params?: object },
): StreamSpec => ({
  name: 'fills',
  paging,
  lists: options.lists,
  read: async (client, request) =>
    tradePage(
      await client.fetchMyTrades(request.list, request.sinceMs, request.limit, {
        ...extra(request),
        ...options.params,
      }),
    ),
})

export const depositStream = (paging: Paging): StreamSpec => ({
  name: 'deposits',
  paging,
  lists: 'one',
  read: async (client, request) =>
    transferPage(
      await client.fetchDeposits(undefined, request.sinceMs, request.limit, extra(request)),
      'deposit',
    ),
})

export const withdrawalStream = (paging: Paging): StreamSpec => ({
  name: 'withdrawals',
  paging,
  lists: 'one',
  read: async (client, request) =>
    transferPage(
      await client.fetchWithdrawals(undefined, request.sinceMs, request.limit, extra(request)),
      'withdrawal',
    ),
})

/** Some exchanges cut ends to seconds: the next full one, so that nothing at the end is left out. */
const extra = ({ untilMs, fromId }: PageRequest) => ({
  ...(untilMs !== undefined && { until: Math.ceil(untilMs / 1_000) * 1_000 }),
  ...(fromId !== undefined && { fromId }),
})

/** Calls an endpoint that CCXT has no unified method for. */
export async function callImplicit(client: Exchange, method: string): Promise<Record<string, unknown>> {
  const call = (client as unknown as Record<string, (params: object) => Promise<unknown>>)[method]
  if (!call) throw new Error(`CCXT has no ${method}`)
  return ((await call.call(client, {})) ?? {}) as Record<string, unknown>
}
