import { createRandom } from '../chain/random.ts'
import { hash32, hashText } from '../market/noise.ts'

/** Amounts are in units of 1e-8, in which all figures are exact. Times are in Unix milliseconds. */
export type Fill = {
  kind: 'fill'
  /** Rises with time, over all symbols. */
  id: number
  at: number
  base: string
  quote: string
  side: 'buy' | 'sell'
  amount: bigint
  price: bigint
  cost: bigint
  fee: { asset: string; amount: bigint }
  maker: boolean
}
export type Transfer = {
  kind: 'deposit' | 'withdrawal'
  id: number
  at: number
  asset: string
  amount: bigint
  fee: bigint
  /** Pending until then. */
  settledAt: number
  failed: boolean
}
export type Dust = {
  kind: 'dust'
  id: number
  at: number
  asset: string
  amount: bigint
  /** Amount of BNB before the charge. */
  received: bigint
  charge: bigint
}
export type AccountEvent = Fill | Transfer | Dust

/** Rules of an exchange for the history of an account. */
export type ExchangeRules = {
  exchange: string
  /** Coin id by asset; null: money, priced by `moneyUsd` */
  assets: Record<string, string | null>
  moneyUsd: (asset: string, at: number) => number
  pairs: readonly (readonly [base: string, quote: string])[]
  /** Decimals of amounts and prices by base asset. Their sum is at most 8, so that costs are exact. */
  decimals: (base: string) => { amount: number; price: number }
  feeRate: { maker: number; taker: number }
  /** Asset of fees while its balance suffices; else buys pay in `feeOfPurchase` and sells in money. */
  feeAsset: string | null
  feeOfPurchase: 'base' | 'quote'
  withdrawalFee: Record<string, bigint>
  dust: boolean
}

const UNIT = 100_000_000n
const DAY_MS = 86_400_000
const HISTORY_DAYS = 730
const SETTLING_MS = 3_600_000

export type Account = ReturnType<typeof createAccount>

/**
 * The endless history of an exchange account, a pure function of seed and name. It begins with a deposit and
 * never overdraws; balances are the sums of its events.
 */
export function createAccount(options: {
  seed: number
  name: string
  /** Unix seconds; the history begins two years before. */
  anchor: number
  rules: ExchangeRules
  priceUsd: (coinId: string, at: number) => number | null
  eventsPerDay?: number
}) {
  const { rules, anchor, eventsPerDay = 0.45 } = options
  const key = hashText(options.seed, `${rules.exchange}:${options.name}`)
  const startMs = (anchor - HISTORY_DAYS * 86_400) * 1000
  const stepMs = DAY_MS / eventsPerDay
  const balances = new Map<string, bigint>()
  const events: AccountEvent[] = []
  let slot = 0

  const held = (asset: string): bigint => balances.get(asset) ?? 0n
  const change = (asset: string, amount: bigint): void => void balances.set(asset, held(asset) + amount)
  const money = Object.keys(rules.assets).find((asset) => rules.assets[asset] === null || asset === 'USDT')!

  function usd(asset: string, at: number): number {
    const coinId = rules.assets[asset]
    if (coinId === null || coinId === undefined) return rules.moneyUsd(asset, at / 1000)
    return options.priceUsd(coinId, at / 1000) ?? 0
  }

  const toUnits = (value: number, decimals: number): bigint =>
    BigInt(Math.round(value * 10 ** decimals)) * 10n ** BigInt(8 - decimals)

  function deposit(at: number, asset: string, amount: bigint): AccountEvent {
    return { kind: 'deposit', id: slot, at, asset, amount, fee: 0n, settledAt: at, failed: false }
  }

  function trade(at: number, random: ReturnType<typeof createRandom>): AccountEvent | null {
    const [base, quote] = random.pick(rules.pairs)
    const { amount: amountDecimals, price: priceDecimals } = rules.decimals(base)
    const ratio = usd(base, at) / usd(quote, at)
    if (!Number.isFinite(ratio) || ratio <= 0) return null
    const price = toUnits(ratio * (1 + random.between(-0.002, 0.002)), priceDecimals)
    if (price === 0n) return null
    const buys = held(base) * price < held(quote) * UNIT || random.chance(0.3)
    // Selling nearly everything leaves dust.
    const share = !buys && random.chance(0.3) ? 0.998 : random.between(0.03, 0.25)
    const budget = buys ? (Number(held(quote)) / Number(price)) * share : (Number(held(base)) / 1e8) * share
    const amount = toUnits(Math.floor(budget * 10 ** amountDecimals) / 10 ** amountDecimals, amountDecimals)
    const cost = (amount * price) / UNIT
    if (amount === 0n || (Number(cost) / 1e8) * usd(quote, at) < 10) return null
    const maker = random.chance(0.4)
    const rate = maker ? rules.feeRate.maker : rules.feeRate.taker
    const fee = feeOf({ at, base, quote, buys, amount, cost, rate })
    const side = buys ? 'buy' : 'sell'
    return { kind: 'fill', id: slot, at, base, quote, side, amount, price, cost, fee, maker }
  }

  function feeOf(trade: {
    at: number
    base: string
    quote: string
    buys: boolean
    amount: bigint
    cost: bigint
    rate: number
  }): Fill['fee'] {
    const { at, base, quote, buys, amount, cost } = trade
    const part = (whole: bigint) => (whole * BigInt(Math.round(trade.rate * 1e6))) / 1_000_000n
    const { feeAsset } = rules
    if (feeAsset !== null && base !== feeAsset) {
      const due = toUnits((Number(part(cost)) / 1e8) * (usd(quote, at) / usd(feeAsset, at)), 8)
      if (due > 0n && held(feeAsset) > 20n * due) return { asset: feeAsset, amount: due }
    }
    if (buys && rules.feeOfPurchase === 'base') return { asset: base, amount: part(amount) }
    return { asset: quote, amount: part(cost) }
  }

  function withdrawal(at: number, random: ReturnType<typeof createRandom>): AccountEvent | null {
    const asset = random.pick(Object.keys(rules.withdrawalFee))
    const fee = rules.withdrawalFee[asset]!
    const amount = (held(asset) / 10_000_000n) * 1_000_000n
    if (amount <= fee * 5n) return null
    const settledAt = at + SETTLING_MS
    return { kind: 'withdrawal', id: slot, at, asset, amount, fee, settledAt, failed: random.chance(0.15) }
  }

  function dust(at: number): AccountEvent | null {
    for (const [asset, amount] of balances) {
      const value = (Number(amount) / 1e8) * usd(asset, at)
      if (asset === 'BNB' || amount <= 0n || value > 25 || value < 0.01) continue
      const received = toUnits(value / usd('BNB', at), 8)
      if (received < 100n) continue
      return { kind: 'dust', id: slot, at, asset, amount, received, charge: received / 50n }
    }
    return null
  }

  function eventOf(at: number): AccountEvent | null {
    const random = createRandom(hash32(key, slot))
    if (slot === 0) return deposit(at, money, 25_000n * UNIT)
    if (slot === 1) return deposit(at, 'BTC', UNIT / 4n)
    if (slot % 40 === 0) return deposit(at, money, BigInt(1_000 + random.integer(4_000)) * UNIT)
    if (rules.dust && slot % 35 === 17) return dust(at)
    if (slot % 23 === 11) return withdrawal(at, random)
    return trade(at, random)
  }

  /** All events up to an instant, oldest first. */
  function eventsUntil(nowMs: number): AccountEvent[] {
    for (; startMs + slot * stepMs <= nowMs; slot++) {
      const at = Math.floor(startMs + slot * stepMs + (hash32(key ^ 0x5157, slot) % 1_000))
      const event = eventOf(at)
      if (!event) continue
      for (const [asset, amount] of changesOf(event)) change(asset, amount)
      events.push(event)
    }
    return events.filter(({ at }) => at <= nowMs)
  }

  /** Balances at an instant. A pending withdrawal is already deducted. */
  function balancesAt(nowMs: number): [asset: string, amount: bigint][] {
    eventsUntil(nowMs)
    return [...balances].filter(([, amount]) => amount > 0n).sort(([a], [b]) => (a < b ? -1 : 1))
  }

  return { eventsUntil, balancesAt, rules }
}

/** Balance changes by an event. */
export function changesOf(event: AccountEvent): [asset: string, amount: bigint][] {
  if (event.kind === 'fill') {
    const sign = event.side === 'buy' ? 1n : -1n
    return [
      [event.base, sign * event.amount],
      [event.quote, -sign * event.cost],
      [event.fee.asset, -event.fee.amount],
    ]
  }
  if (event.kind === 'dust')
    return [
      [event.asset, -event.amount],
      ['BNB', event.received - event.charge],
    ]
  if (event.kind === 'deposit') return [[event.asset, event.amount]]
  return event.failed ? [] : [[event.asset, -event.amount - event.fee]]
}

/** Decimal text of 1e-8 units. */
export function unitText(amount: bigint, decimals = 8): string {
  const digits = (amount < 0n ? -amount : amount).toString().padStart(9, '0')
  const text = `${amount < 0n ? '-' : ''}${digits.slice(0, -8)}.${digits.slice(-8)}`
  return decimals >= 8 ? text + '0'.repeat(decimals - 8) : text.slice(0, text.length - (8 - decimals))
}

/** Status of a transfer at an instant. */
export function statusOf(transfer: Transfer, nowMs: number): 'pending' | 'ok' | 'failed' {
  if (nowMs < transfer.settledAt) return 'pending'
  return transfer.failed ? 'failed' : 'ok'
}

/** An invented identifier: hex digits computed from id and salt. */
export function hexOf({ salt, id, length }: { salt: string; id: number; length: number }): string {
  let text = ''
  for (let i = 0; text.length < length; i++)
    text += hash32(hashText(id, salt), i).toString(16).padStart(8, '0')
  return text.slice(0, length)
}
