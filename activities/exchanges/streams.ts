import type { Exchange } from 'ccxt'
import { DAY_MS, type PageRequest, type Paging } from './paging.ts'
import { tradePage, transferPage } from './rows.ts'
import type { StreamSpec } from './exchange.ts'

/** Fills can arrive slightly late; transfers change their status for days. */
export const FILL_LOOKBACK_MS = 10 * 60_000
export const TRANSFER_LOOKBACK_MS = 14 * DAY_MS

type Window = Paging & { kind: 'window' }

/** Paging for a list that is read by time. */
export function timeWindow(options: {
  page: number
  /** Longest time range of one request; null: any */
  windowDays: number | null
  /** How many days the list is kept, or the date of its start. */
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
    // One second less, so that rounding at the exchange does not exceed the limit.
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

/** Rounds the end up to a full second, since some exchanges cut it and would omit the last rows. */
const extra = ({ untilMs, fromId }: PageRequest) => ({
  ...(untilMs !== undefined && { until: Math.ceil(untilMs / 1_000) * 1_000 }),
  ...(fromId !== undefined && { fromId }),
})

/** Calls an endpoint for which CCXT has no unified method. */
export async function callImplicit(client: Exchange, method: string): Promise<Record<string, unknown>> {
  const call = (client as unknown as Record<string, (params: object) => Promise<unknown>>)[method]
  if (!call) throw new Error(`CCXT has no ${method}`)
  return ((await call.call(client, {})) ?? {}) as Record<string, unknown>
}
