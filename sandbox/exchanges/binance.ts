import { createHmac, timingSafeEqual } from 'node:crypto'
import {
  type Account,
  createAccount,
  type Fill,
  type Transfer,
  unitText,
  type ExchangeRules,
} from './account.ts'
import { binanceKeys, type ExchangeKey } from './keys.ts'
import { binanceRules } from './rules.ts'
import type { Market } from '../market/market.ts'
import { dribbletRow, tradeRow, transferRow } from './binance-rows.ts'
import { numberOf, ok, type Upstream, type UpstreamReply, type UpstreamRequest } from '../upstream.ts'

const DAY_MS = 86_400_000
const refusal = (status: number, code: number, msg: string): UpstreamReply => ({
  status,
  body: { code, msg },
})

/** Simulates Binance's spot API: public data of a few markets and the signed endpoints of an account. */
export function createBinance(options: {
  market: Market
  seed: number
  anchor: number
  /** How far the exchange's clock is ahead, in ms. */
  clockOffsetMs?: number
  eventsPerDay?: number
  /** Account that every key shows instead of an invented history. */
  account?: Account
}): Upstream {
  const { market, seed, anchor, clockOffsetMs = 0, eventsPerDay } = options
  const rules = options.account?.rules ?? binanceRules
  const accounts = new Map<string, Account>()

  function accountOf({ account: name }: ExchangeKey): Account {
    const account =
      options.account ??
      accounts.get(name) ??
      createAccount({
        seed,
        name,
        anchor,
        rules,
        priceUsd: market.priceUsd,
        ...(eventsPerDay !== undefined && { eventsPerDay }),
      })
    accounts.set(name, account)
    return account
  }

  return (request) => {
    const nowMs = Math.floor(request.now * 1000) + clockOffsetMs
    const path = request.path.join('/')
    const open = publicAnswer(path, { rules, nowMs })
    if (open) return ok(open)
    const signed = SIGNED[path]
    if (!signed) return { status: 404, body: { code: -1, msg: 'unknown path' } }
    const key = binanceKeys.find(({ apiKey }) => apiKey === request.headers['x-mbx-apikey'])
    if (!key) return refusal(401, -2015, 'Invalid API-key, IP, or permissions for action.')
    return (
      clockProblem(request, nowMs) ??
      signatureProblem(request, key) ??
      signed({ key, account: accountOf(key), query: request.query, nowMs })
    )
  }
}

function publicAnswer(path: string, { rules, nowMs }: { rules: ExchangeRules; nowMs: number }): unknown {
  if (path === 'api/v3/ping') return {}
  if (path === 'api/v3/time') return { serverTime: nowMs }
  if (path === 'api/v3/exchangeInfo') return { timezone: 'UTC', serverTime: nowMs, symbols: symbols(rules) }
  // Derivatives and margin: CCXT reads them by default; empty here.
  if (['fapi/v1/exchangeInfo', 'dapi/v1/exchangeInfo'].includes(path)) return { symbols: [] }
  return null
}

function symbols({ pairs, decimals }: ExchangeRules) {
  return pairs.map(([base, quote]) => {
    const { amount, price } = decimals(base)
    const step = (places: number) => unitText(10n ** BigInt(8 - places))
    return {
      symbol: base + quote,
      status: 'TRADING',
      baseAsset: base,
      baseAssetPrecision: 8,
      quoteAsset: quote,
      quotePrecision: 8,
      quoteAssetPrecision: 8,
      orderTypes: ['LIMIT', 'MARKET'],
      isSpotTradingAllowed: true,
      isMarginTradingAllowed: false,
      filters: [
        {
          filterType: 'PRICE_FILTER',
          minPrice: step(price),
          maxPrice: '1000000.00000000',
          tickSize: step(price),
        },
        { filterType: 'LOT_SIZE', minQty: step(amount), maxQty: '9000000.00000000', stepSize: step(amount) },
        { filterType: 'NOTIONAL', minNotional: '5.00000000', applyMinToMarket: true },
      ],
      permissions: [],
      permissionSets: [['SPOT']],
    }
  })
}

/** A timestamp is valid from `recvWindow` before to one second after the exchange's time. */
function clockProblem({ query }: UpstreamRequest, nowMs: number): UpstreamReply | null {
  const timestamp = Number(query.get('timestamp') ?? NaN)
  const window = Number(query.get('recvWindow') ?? 5_000)
  if (!Number.isInteger(timestamp))
    return refusal(400, -1102, "Mandatory parameter 'timestamp' was not sent, was empty/null, or malformed.")
  if (timestamp < nowMs - window)
    return refusal(400, -1021, 'Timestamp for this request is outside of the recvWindow.')
  if (timestamp >= nowMs + 1_000)
    return refusal(400, -1021, "Timestamp for this request was 1000ms ahead of the server's time.")
  return null
}

/** HMAC-SHA256 over the query as sent, without the signature. */
function signatureProblem({ target }: UpstreamRequest, key: ExchangeKey): UpstreamReply | null {
  const [, payload, signature] = /^[^?]*\?(.*)&signature=([0-9a-f]{64})$/.exec(target) ?? []
  const expected = createHmac('sha256', key.apiSecret)
    .update(payload ?? '')
    .digest()
  if (signature && timingSafeEqual(Buffer.from(signature, 'hex'), expected)) return null
  return refusal(400, -1022, 'Signature for this request is not valid.')
}

type Signed = (context: {
  key: ExchangeKey
  account: Account
  query: URLSearchParams
  nowMs: number
}) => UpstreamReply

const SIGNED: Record<string, Signed> = {
  'api/v3/account': ({ account, nowMs, key }) =>
    ok({
      makerCommission: 10,
      takerCommission: 10,
      canTrade: key.mayTrade,
      canWithdraw: key.mayTrade,
      canDeposit: true,
      accountType: 'SPOT',
      updateTime: nowMs,
      permissions: ['SPOT'],
      balances: [
        ...account
          .balancesAt(nowMs)
          .map(([asset, amount]) => ({ asset, free: unitText(amount), locked: '0.00000000' })),
        { asset: 'DOGE', free: '0.00000000', locked: '0.00000000' },
      ],
    }),
  'sapi/v1/account/apiRestrictions': ({ key: { mayTrade } }) =>
    ok({
      ipRestrict: false,
      createTime: 1_700_000_000_000,
      enableReading: true,
      enableWithdrawals: mayTrade,
      enableInternalTransfer: false,
      enableMargin: false,
      enableFutures: false,
      permitsUniversalTransfer: false,
      enableVanillaOptions: false,
      enableSpotAndMarginTrading: mayTrade,
    }),
  'sapi/v1/capital/config/getall': () => ok([]),
  'sapi/v1/margin/allPairs': () => ok([]),
  'sapi/v1/margin/isolated/allPairs': () => ok([]),
  'api/v3/myTrades': myTrades,
  'sapi/v1/capital/deposit/hisrec': (context) => transfers(context, 'deposit'),
  'sapi/v1/capital/withdraw/history': (context) => transfers(context, 'withdrawal'),
  'sapi/v1/asset/dribblet': dribblet,
}

/**
 * Ids count within the symbol. `fromId` excludes times; times span at most 24 hours; neither: the newest
 * fills.
 */
function myTrades({ account, query, nowMs }: Parameters<Signed>[0]): UpstreamReply {
  const symbol = query.get('symbol')
  if (!symbol)
    return refusal(400, -1102, "Mandatory parameter 'symbol' was not sent, was empty/null, or malformed.")
  if (!account.rules.pairs.some(([base, quote]) => base + quote === symbol))
    return refusal(400, -1121, 'Invalid symbol.')
  const limit = numberOf(query, 'limit', { or: 500, max: 1_000 })
  const fills = account
    .eventsUntil(nowMs)
    .filter((event): event is Fill => event.kind === 'fill' && event.base + event.quote === symbol)
    .map((fill, index) => ({ fill, id: 1_000 + index }))
  const [fromId, start, end] = ['fromId', 'startTime', 'endTime'].map((name) => query.get(name))
  if (fromId !== null && (start !== null || end !== null))
    return refusal(400, -1128, 'Combination of optional parameters invalid.')
  if (start && end && Number(end) - Number(start) > DAY_MS)
    return refusal(400, -1127, 'More than 24 hours between startTime and endTime.')
  const rows =
    fromId !== null
      ? fills.filter(({ id }) => id >= Number(fromId)).slice(0, limit)
      : start
        ? fills.filter(({ fill }) => inRange(fill, query, DAY_MS)).slice(0, limit)
        : fills.filter(({ fill }) => inRange(fill, query, Infinity)).slice(-limit)
  return ok(rows.map(({ fill, id }) => tradeRow(fill, id)))
}

/** Newest first, within 90 days; without a start, those of the last 90 days. */
function transfers(
  { account, query, nowMs }: Parameters<Signed>[0],
  kind: 'deposit' | 'withdrawal',
): UpstreamReply {
  const [start, end] = [
    Number(query.get('startTime') ?? nowMs - 90 * DAY_MS),
    Number(query.get('endTime') ?? nowMs),
  ]
  if (end - start > 90 * DAY_MS)
    return refusal(400, -1127, 'The interval between startTime and endTime must be within 90 days.')
  const rows = account
    .eventsUntil(nowMs)
    .filter((event): event is Transfer => event.kind === kind && event.at >= start && event.at <= end)
    .reverse()
  const offset = numberOf(query, 'offset', { or: 0, max: 1_000_000 })
  const limit = numberOf(query, 'limit', { or: 1_000, max: 1_000 })
  return ok(rows.slice(offset, offset + limit).map((row) => transferRow(row, nowMs)))
}

/** The newest 100 small balances converted to BNB. */
function dribblet({ account, query, nowMs }: Parameters<Signed>[0]): UpstreamReply {
  const rows = account
    .eventsUntil(nowMs)
    .filter((event) => event.kind === 'dust')
    .filter((event) => inRange(event, query, Infinity))
    .slice(-100)
    .reverse()
  return ok({
    total: rows.length,
    userAssetDribblets: rows.map(dribbletRow),
  })
}

function inRange({ at }: { at: number }, query: URLSearchParams, widestMs: number): boolean {
  const start = query.get('startTime')
  const end = query.get('endTime')
  if (start !== null && at < Number(start)) return false
  if (end !== null) return at <= Number(end)
  return start === null || at <= Number(start) + widestMs
}
