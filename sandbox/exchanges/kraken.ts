import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import {
  type Account,
  type AccountEvent,
  createAccount,
  type Fill,
  hexOf,
  statusOf,
  unitText,
} from './account.ts'
import { type ExchangeKey, krakenKeys } from './keys.ts'
import { krakenRules } from './rules.ts'
import type { Market } from '../market/market.ts'
import { ok, type Upstream, type UpstreamReply, type UpstreamRequest } from '../upstream.ts'

/** Kraken's asset names: older assets have a prefix, and Bitcoin is XBT. */
const NAMES: Record<string, string> = { BTC: 'XXBT', ETH: 'XETH', USD: 'ZUSD', EUR: 'ZEUR' }
const nameOf = (asset: string): string => NAMES[asset] ?? asset
const altName = (asset: string): string => (asset === 'BTC' ? 'XBT' : asset)
const pairOf = (base: string, quote: string): string =>
  base === 'BTC' || base === 'ETH' ? nameOf(base) + nameOf(quote) : base + quote

const PAGE = 50
/** Errors come with status 200. */
const refusal = (error: string): UpstreamReply => ok({ error: [error] })
const answer = (result: unknown): UpstreamReply => ok({ error: [], result })

/** Simulates Kraken's spot API: public data of a few markets and the signed endpoints of an account. */
export function createKraken(options: {
  market: Market
  seed: number
  anchor: number
  eventsPerDay?: number
}): Upstream {
  const { market, seed, anchor, eventsPerDay } = options
  const rules = krakenRules(seed)
  const accounts = new Map<string, Account>()
  const nonces = new Map<string, number>()

  function accountOf({ account: name }: ExchangeKey): Account {
    const account =
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
    const nowMs = Math.floor(request.now * 1000)
    const [version, access, method] = request.path
    if (version !== '0') return refusal('EGeneral:Unknown method')
    if (access === 'public') return publicAnswer(method, nowMs, rules)
    const key = krakenKeys.find(({ apiKey }) => apiKey === request.headers['api-key'])
    if (!key) return refusal('EAPI:Invalid key')
    const params = new URLSearchParams(request.bodyText)
    if (!isSigned(request, key, params)) return refusal('EAPI:Invalid signature')
    const nonce = Number(params.get('nonce'))
    if (nonce <= (nonces.get(key.apiKey) ?? 0)) return refusal('EAPI:Invalid nonce')
    nonces.set(key.apiKey, nonce)
    const found = PRIVATE[method ?? '']
    return found ? found({ key, params, nowMs, account: accountOf(key) }) : refusal('EGeneral:Unknown method')
  }
}

/** HMAC-SHA512 with the decoded secret over path and SHA-256 of nonce and body. */
function isSigned(
  { path, headers, bodyText, method }: UpstreamRequest,
  key: ExchangeKey,
  params: URLSearchParams,
) {
  const digest = createHash('sha256')
    .update((params.get('nonce') ?? '') + bodyText)
    .digest()
  const expected = createHmac('sha512', Buffer.from(key.apiSecret, 'base64'))
    .update(`/${path.join('/')}`)
    .update(digest)
    .digest()
  const given = Buffer.from(headers['api-sign'] ?? '', 'base64')
  return method === 'POST' && given.length === expected.length && timingSafeEqual(given, expected)
}

function publicAnswer(method: string | undefined, nowMs: number, rules: Account['rules']): UpstreamReply {
  if (method === 'Time')
    return answer({ unixtime: Math.floor(nowMs / 1000), rfc1123: new Date(nowMs).toUTCString() })
  if (method === 'Assets')
    return answer(
      Object.fromEntries(
        Object.keys(rules.assets).map((asset) => [
          nameOf(asset),
          {
            aclass: 'currency',
            altname: altName(asset),
            decimals: 10,
            display_decimals: 5,
            status: 'enabled',
          },
        ]),
      ),
    )
  if (method !== 'AssetPairs') return refusal('EGeneral:Unknown method')
  return answer(
    Object.fromEntries(
      rules.pairs.map(([base, quote]) => {
        const { amount, price } = rules.decimals(base)
        return [
          pairOf(base, quote),
          {
            altname: altName(base) + altName(quote),
            wsname: `${altName(base)}/${altName(quote)}`,
            aclass_base: 'currency',
            base: nameOf(base),
            aclass_quote: 'currency',
            quote: nameOf(quote),
            pair_decimals: price,
            lot_decimals: amount,
            cost_decimals: 8,
            lot_multiplier: 1,
            status: 'online',
            leverage_buy: [],
            leverage_sell: [],
            fees: [[0, 0.26]],
            fees_maker: [[0, 0.16]],
            fee_volume_currency: 'ZUSD',
            ordermin: '0.0001',
            costmin: '0.5',
            tick_size: '0.01',
          },
        ]
      }),
    ),
  )
}

type Private = (context: {
  key: ExchangeKey
  account: Account
  params: URLSearchParams
  nowMs: number
}) => UpstreamReply

const PRIVATE: Record<string, Private> = {
  GetApiKeyInfo: ({ key }) =>
    answer({
      api_key_name: key.account,
      permissions: [
        'query-funds',
        'query-open-trades',
        'query-closed-trades',
        'query-ledger',
        ...(key.mayTrade ? ['modify-trades', 'withdraw-funds'] : []),
      ],
    }),
  BalanceEx: ({ account, nowMs }) =>
    answer(
      Object.fromEntries(
        account
          .balancesAt(nowMs)
          .map(([asset, amount]) => [
            nameOf(asset),
            { balance: unitText(amount, 10), hold_trade: '0.0000000000' },
          ]),
      ),
    ),
  TradesHistory: ({ account, params, nowMs }) => {
    const fills = account
      .eventsUntil(nowMs)
      .filter((event): event is Fill => event.kind === 'fill')
      .map((fill) => [identifier('T', fill.id), tradeOf(fill)] as const)
    const { rows, count } = pageOf(fills, params)
    return answer({ trades: Object.fromEntries(rows), count })
  },
  Ledgers: ({ account, params, nowMs }) => {
    const { rows, count } = pageOf(ledgerOf(account.eventsUntil(nowMs), nowMs), params)
    return answer({ ledger: Object.fromEntries(rows), count })
  },
}

/** Newest first, 50 per page, from an offset. Excludes the start and includes the end. Times in seconds. */
function pageOf<Row extends { time: number }>(rows: (readonly [string, Row])[], params: URLSearchParams) {
  const start = Number(params.get('start') ?? 0)
  const end = Number(params.get('end') ?? Infinity)
  const inside = rows.filter(([, { time }]) => time > start && time <= end).reverse()
  const offset = Number(params.get('ofs') ?? 0)
  return { rows: inside.slice(offset, offset + PAGE), count: inside.length }
}

function identifier(prefix: string, id: number): string {
  const text = hexOf({ salt: prefix, id, length: 16 }).toUpperCase()
  return `${prefix}${text.slice(0, 5)}-${text.slice(5, 10)}-${text.slice(10, 16)}`
}

function tradeOf(fill: Fill) {
  return {
    ordertxid: identifier('O', fill.id),
    postxid: identifier('P', fill.id),
    pair: pairOf(fill.base, fill.quote),
    time: fill.at / 1000,
    type: fill.side,
    ordertype: 'limit',
    price: unitText(fill.price, 5),
    cost: unitText(fill.cost),
    fee: unitText(fill.fee.amount),
    vol: unitText(fill.amount),
    margin: '0.00000',
    misc: '',
    trade_id: 10_000 + fill.id,
    maker: fill.maker,
  }
}

/** Two entries per trade, one per successful transfer. */
function ledgerOf(events: readonly AccountEvent[], nowMs: number) {
  let entry = 0
  const line = (
    event: AccountEvent,
    of: { type: string; asset: string; amount: bigint; fee: bigint; refid: string },
  ) => {
    const row = {
      refid: of.refid,
      time: event.at / 1000,
      type: of.type,
      subtype: '',
      aclass: 'currency',
      asset: nameOf(of.asset),
      amount: unitText(of.amount, 10),
      fee: unitText(of.fee, 10),
      balance: '0.0000000000',
    }
    return [identifier('L', entry++), row] as const
  }
  return events.flatMap((event) => {
    if (event.kind === 'dust') return []
    if (event.kind === 'fill') {
      const { base, quote, amount, cost, fee } = event
      const refid = identifier('T', event.id)
      const sign = event.side === 'buy' ? 1n : -1n
      return [
        line(event, { type: 'trade', asset: base, amount: sign * amount, fee: 0n, refid }),
        line(event, { type: 'trade', asset: quote, amount: -sign * cost, fee: fee.amount, refid }),
      ]
    }
    if (statusOf(event, nowMs) !== 'ok') return []
    const { kind, asset, fee } = event
    const amount = kind === 'deposit' ? event.amount : -event.amount
    return [line(event, { type: kind, asset, amount, fee, refid: identifier('F', event.id) })]
  })
}
