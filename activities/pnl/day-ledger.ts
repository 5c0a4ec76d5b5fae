import type { Money } from '../../db/pnl/unit-prices.ts'
import { externalFlow } from '../../db/pnl/external-flow.ts'
import type { Leg } from '../../db/pnl/leg.ts'
import type { FirstPrices } from '../../db/pnl/measured-legs.ts'
import { add, isZero, multiply, ZERO } from '../../db/values/decimal.ts'
import type { Decimal } from '../../db/values/decimal.ts'
import { DAY_MS } from '../../db/values/periods.ts'

export interface DayChanges {
  flow: Money
  /** closing balance of each coin that changed on the day */
  balances: Map<string, Decimal>
}

/**
 * Walks transactions in order and keeps, for each day of a window, the external flow and the balances that changed.
 * `balances` is the state at the start of the window and is carried along.
 */
export function createDayLedger(input: {
  fromMs: number
  days: number
  balances: Map<string, Decimal>
  firsts: FirstPrices
  convert: (usd: Decimal, atMs: number) => Money
}) {
  const { balances, firsts } = input
  const noMoney = { usd: ZERO, btc: ZERO, eth: ZERO }
  const days = Array.from({ length: input.days }, (): DayChanges => ({ flow: noMoney, balances: new Map() }))
  const dayOf = (atMs: number) => days[Math.floor((atMs - input.fromMs) / DAY_MS)]!

  const addFlow = (atMs: number, usd: Decimal) => {
    const day = dayOf(atMs)
    const money = input.convert(usd, atMs)
    day.flow = {
      usd: add(day.flow.usd, money.usd),
      btc: add(day.flow.btc, money.btc),
      eth: add(day.flow.eth, money.eth),
    }
  }

  // Coins held or met before their first price: what is held then enters as a flow, one moment before the price.
  const toMs = input.fromMs + input.days * DAY_MS
  let pending: { coinId: string; atMs: number; usd: Decimal }[] = []
  const awaitFirstPrice = (coinId: string, sinceMs: number) => {
    const first = firsts.get(coinId)
    if (!first || first.atMs <= sinceMs || first.atMs > toMs) return
    if (pending.some((other) => other.coinId === coinId)) return
    pending = [...pending, first].sort((a, b) => a.atMs - b.atMs)
  }
  const passFirstPrices = (untilMs: number) => {
    while (pending.length > 0 && pending[0]!.atMs <= untilMs) {
      const { coinId, atMs, usd } = pending.shift()!
      const held = balances.get(coinId)
      if (held && !isZero(held)) addFlow(atMs - 1, multiply(held, usd))
    }
  }
  for (const coinId of balances.keys()) awaitFirstPrice(coinId, input.fromMs)

  return {
    days,
    apply(legs: readonly Leg[]): void {
      const { atMs } = legs[0]!
      passFirstPrices(atMs)
      const flow = externalFlow(legs, () => false)
      if (flow) addFlow(flow.atMs, flow.usd)
      const changed = dayOf(atMs).balances
      for (const { coinId, quantity } of legs) {
        const balance = add(balances.get(coinId) ?? ZERO, quantity)
        balances.set(coinId, balance)
        changed.set(coinId, balance)
        awaitFirstPrice(coinId, atMs)
      }
    },
    close(): void {
      passFirstPrices(toMs)
    },
  }
}
