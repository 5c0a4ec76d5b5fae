import type { Exchange } from 'ccxt'
import type { Arguments, ExchangePage, ExchangeSpec, ListMethod, ListSpec, StreamSpec } from './exchange.ts'
import { ledgerPage } from './ledger-rows.ts'
import { DAY_MS, type PageRequest, type Paging } from './paging.ts'
import { tradePage, transferPage } from './rows.ts'

/** Fills can arrive slightly late; transfers change their status for days. */
const FILL_LOOKBACK_MS = 10 * 60_000
const TRANSFER_LOOKBACK_MS = 14 * DAY_MS

/** What CCXT declares of a method. Days of 1,000 and more mean that there is no limit. */
interface Declared {
  limit?: number
  untilDays?: number
  daysBack?: number
  symbolRequired?: boolean
}
const UNLIMITED_DAYS = 1_000

/** The lists of an exchange: each as its row says and, where that says nothing, as CCXT's class declares. */
export const streamsOf = (spec: ExchangeSpec, client: Exchange): StreamSpec[] =>
  spec.lists.map((list) => {
    const declared = declaredOf(client, list.method)
    return {
      name: list.name,
      lists: list.of ?? (declared.symbolRequired === true ? 'symbols' : 'one'),
      paging: pagingOf(list, declared),
      read: async (reader, request) => byAsset(await readList(list, reader, request), spec.assetOf),
    }
  })

function declaredOf(client: Exchange, method: ListMethod): Declared {
  const features = client.features as { spot?: Record<string, Declared | undefined> } | undefined
  return features?.spot?.[method] ?? {}
}

function pagingOf(list: ListSpec, declared: Declared): Paging {
  const page = list.page ?? declared.limit
  if (page === undefined) throw new Error(`neither the row nor CCXT gives the page size of ${list.name}`)
  const lookbackMs = list.method === 'fetchMyTrades' ? FILL_LOOKBACK_MS : TRANSFER_LOOKBACK_MS
  if (list.by === 'id') return { kind: 'id', page, first: list.first ?? '0' }
  if (list.by === 'offset') return { kind: 'offset', page, lookbackMs }
  const windowDays = list.windowDays === undefined ? limited(declared.untilDays) : list.windowDays
  return {
    kind: 'window',
    page,
    fullPage: list.fullPage ?? 'newest',
    lookbackMs,
    // One second less, so that rounding at the exchange does not exceed the limit.
    windowMs: windowDays === null ? null : windowDays * DAY_MS - 1_000,
    ...historyOf(list, declared),
  }
}

function historyOf(
  { name, history }: ListSpec,
  { daysBack }: Declared,
): Pick<Paging & { kind: 'window' }, 'historyMs' | 'startMs'> {
  const kept = history ?? limited(daysBack)
  if (kept === null) throw new Error(`neither the row nor CCXT gives the history of ${name}`)
  return typeof kept === 'number'
    ? { historyMs: kept * DAY_MS - 3_600_000, startMs: null }
    : { historyMs: null, startMs: Date.parse(kept) }
}

const limited = (days: number | undefined): number | null =>
  days === undefined || days >= UNLIMITED_DAYS ? null : days

type Method = (
  name: string | undefined,
  since: number | undefined,
  limit: number | undefined,
  params: object,
) => Promise<unknown[]>

async function readList(list: ListSpec, client: Exchange, request: PageRequest): Promise<ExchangePage> {
  const { since, limit, params } = (list.ask ?? unified)(request)
  const method = client[list.method] as Method
  const symbol = list.method === 'fetchMyTrades' ? request.list : undefined
  return pageOf(list, await method.call(client, symbol, since, limit, { ...params, ...list.params }))
}

function pageOf({ method, name, ledger }: ListSpec, items: unknown[]): ExchangePage {
  switch (method) {
    case 'fetchMyTrades':
      return tradePage(items)
    case 'fetchMyDustTrades':
      // One transaction converts several assets, each once: its id and the symbol identify the trade.
      return tradePage(
        items.map((trade) => ({ ...(trade as object), id: (trade as { order?: string }).order })),
        'dust',
      )
    case 'fetchDeposits':
      return transferPage(items, 'deposit')
    case 'fetchWithdrawals':
      return transferPage(items, 'withdrawal')
    case 'fetchLedger':
      if (!ledger) throw new Error(`the entries of ${name} have no meanings`)
      return ledgerPage(items, ledger)
  }
}

/** Rounds the end up to a full second, since some exchanges cut it and would omit the last rows. */
const unified = ({ sinceMs, untilMs, limit, fromId }: PageRequest): Arguments => ({
  since: sinceMs,
  limit,
  params: {
    ...(untilMs !== undefined && { until: Math.ceil(untilMs / 1_000) * 1_000 }),
    ...(fromId !== undefined && { fromId }),
  },
})

function byAsset(page: ExchangePage, assetOf: ExchangeSpec['assetOf']): ExchangePage {
  if (!assetOf) return page
  const rows = page.rows.map((row) => ({
    ...row,
    asset: assetOf(row.asset),
    fee_asset: row.fee_asset && assetOf(row.fee_asset),
  }))
  return { ...page, rows }
}

/** Calls an endpoint for which CCXT has no unified method. */
export async function callImplicit(client: Exchange, method: string): Promise<Record<string, unknown>> {
  const call = (client as unknown as Record<string, (params: object) => Promise<unknown>>)[method]
  if (!call) throw new Error(`CCXT has no ${method}`)
  return ((await call.call(client, {})) ?? {}) as Record<string, unknown>
}
