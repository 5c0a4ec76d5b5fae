import type { Exchange } from 'ccxt'
import type { Arguments, ExchangePage, ExchangeSpec, ListMethod, ListSpec, StreamSpec } from './exchange.ts'
import { ledgerPage } from './ledger-rows.ts'
import { DAY_MS, type PageRequest, type Paging } from './paging.ts'
import type { StatusMeanings } from './transfer-status.ts'
import { endsOf, mixedTransferPage, tradePage, transferPage } from './rows.ts'

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
      read: async (reader, request) => byAsset(await readList(list, { spec, reader, request }), spec.assetOf),
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
  const days = list.windowDays === undefined ? limited(declared.untilDays) : list.windowDays
  // One second less, so that rounding at the exchange does not exceed the limit.
  const windowMs = days === null ? null : days * DAY_MS - 1_000
  const span = { page, lookbackMs, ...historyOf(list, declared) }
  if (list.by === 'offset') return { kind: 'offset', ...span, windowMs, isTimed: list.isTimed ?? true }
  if (list.by === 'back') return { kind: 'back', ...span }
  return { kind: 'window', ...span, windowMs, fullPage: list.fullPage ?? 'newest' }
}

function historyOf(
  { name, history, by = 'window' }: ListSpec,
  { daysBack }: Declared,
): Pick<Paging & { kind: 'window' }, 'historyMs' | 'startMs'> {
  const kept = history ?? limited(daysBack)
  if (kept === null && by !== 'window') return { historyMs: null, startMs: null }
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

async function readList(
  list: ListSpec,
  { spec, reader, request }: { spec: ExchangeSpec; reader: Exchange; request: PageRequest },
): Promise<ExchangePage> {
  const { since, limit, params } = (list.ask ?? unified)(request)
  const method = reader[list.method] as Method
  const symbol = list.method === 'fetchMyTrades' ? request.list : undefined
  reader.enableLastJsonResponse = list.isMixed === true
  const sent = await method.call(reader, symbol, since, limit, { ...params, ...list.params })
  const page = pageOf(list, sent, spec.statuses)
  return list.isMixed ? { ...page, ...sentEnds(reader.last_json_response) } : page
}

/** Size and ids of the whole answer. */
function sentEnds(answer: unknown): Pick<ExchangePage, 'count' | 'firstId' | 'lastId'> {
  if (!Array.isArray(answer)) throw new RangeError('an answer that is no list')
  const { count, firstId, lastId } = endsOf(answer.map(({ id }: { id?: unknown }) => ({ id: String(id) })))
  return { count, firstId, lastId }
}

function pageOf(list: ListSpec, sent: unknown[], statuses: StatusMeanings | undefined): ExchangePage {
  const { method, name, ledger, otherTransfers: others } = list
  const items = list.hasNoIds ? sent.map(idByTime) : sent
  switch (method) {
    case 'fetchMyTrades':
      return { ...tradePage(items.filter((item) => !isElsewhere(list, item))), ...endsOf(items) }
    case 'fetchMyDustTrades':
      // One transaction converts several assets, each once: its id and the symbol identify the trade.
      return tradePage(
        items.map((trade) => ({ ...(trade as object), id: (trade as { order?: string }).order })),
        'dust',
      )
    case 'fetchDeposits':
      return transferPage(items, 'deposit', statuses)
    case 'fetchWithdrawals':
      return transferPage(items, 'withdrawal', statuses)
    case 'fetchDepositsWithdrawals':
      return mixedTransferPage(items, { others, statuses })
    case 'fetchLedger':
      if (!ledger) throw new Error(`the entries of ${name} have no meanings`)
      return ledgerPage(items, ledger, statuses)
  }
}

const isElsewhere = (list: ListSpec, item: unknown): boolean =>
  list.isElsewhere?.((item as { info?: Record<string, unknown> }).info ?? {}) ?? false

function idByTime(transfer: unknown): unknown {
  const { timestamp, amount, address = '' } = transfer as Record<string, unknown>
  return { ...(transfer as object), id: [timestamp, amount, address].join(':') }
}

/** Ends at the next full second, since some exchanges cut the end, and some leave out rows at it. */
const unified = ({ sinceMs, untilMs, limit, fromId }: PageRequest): Arguments => ({
  since: sinceMs,
  limit,
  params: {
    ...(untilMs !== undefined && { until: (Math.floor(untilMs / 1_000) + 1) * 1_000 }),
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
export async function callImplicit(
  client: Exchange,
  method: string,
  params: Record<string, unknown> = {},
): Promise<Record<string, unknown>> {
  const call = (client as unknown as Record<string, (params: object) => Promise<unknown>>)[method]
  if (!call) throw new Error(`CCXT has no ${method}`)
  return ((await call.call(client, params)) ?? {}) as Record<string, unknown>
}
