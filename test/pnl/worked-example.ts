import type { Leg, Match } from '../../db/pnl/legs/leg.ts'
import type { Role } from '../../db/pnl/legs/roles.ts'
import { decimal, negate } from '../../db/values/decimal.ts'
import { DAY_MS } from '../../db/values/periods.ts'
import { createPriceBook } from '../../db/pnl/valuation/price-book.ts'
import type { PricePoint } from '../../db/pnl/valuation/price-book.ts'
import fixture from './cases/01-worked-example.json' with { type: 'json' }

export { fixture }

interface CaseTransaction {
  id: string
  ts: string
  kind: string
  legs?: string[][]
  out?: string[]
  inn?: string[]
  frm?: string
  to?: string
  asset?: string
  qty?: string
  arrive?: string
  arrive_price?: string
  price: Record<string, string>
  fees: string[][]
}

const ROLES: Record<string, Role> = {
  deposit: 'transfer',
  withdraw: 'transfer',
  trade: 'trade',
  wrap: 'wrap',
  airdrop: 'airdrop',
  spam: 'spam',
}

/** Case 01 as legs, own transfers and prices. */
export function workedExample() {
  const legs: Leg[] = []
  const matches: Match[] = []
  const points: PricePoint[] = []
  for (const transaction of fixture.transactions as unknown as CaseTransaction[]) {
    const atMs = Date.parse(transaction.ts)
    for (const [coinId, usd] of Object.entries(transaction.price))
      points.push({ coinId, atMs, usd: decimal(usd) })
    let seq = 0
    const leg = (
      role: Role,
      [account, coinId, quantity]: string[],
      sign: 1 | -1,
      when = atMs,
      price?: string,
    ): Leg => ({
      account: account!,
      txId: when === atMs ? transaction.id : `${transaction.id} arrival`,
      seq: seq++,
      atMs: when,
      role,
      coinId: coinId!,
      quantity: sign === 1 ? decimal(quantity!) : negate(decimal(quantity!)),
      priceUsd: decimal(price ?? transaction.price[coinId!]!),
    })
    const role = ROLES[transaction.kind]!
    const outgoing = transaction.kind === 'withdraw' ? -1 : 1
    for (const item of transaction.legs ?? []) legs.push(leg(role, item, outgoing))
    if (transaction.out) legs.push(leg(role, transaction.out, -1))
    if (transaction.inn) legs.push(leg(role, transaction.inn, 1))
    if (transaction.kind === 'transfer') {
      const { frm, to, asset, qty, arrive, arrive_price } = transaction
      const arriveMs = Date.parse(arrive!)
      points.push({ coinId: asset!, atMs: arriveMs, usd: decimal(arrive_price!) })
      const out = leg('transfer', [frm!, asset!, qty!], -1)
      const arrival = leg('transfer', [to!, asset!, qty!], 1, arriveMs, arrive_price)
      legs.push(out, arrival)
      matches.push({ out, in: arrival })
    }
    for (const fee of transaction.fees) legs.push(leg('fee', fee, -1))
  }
  for (const [coinId, days] of Object.entries(fixture.dayEndPrices)) {
    if (fixture.untrusted.includes(coinId)) continue
    for (const [day, usd] of Object.entries(days)) {
      points.push({ coinId, atMs: Date.parse(day) + DAY_MS, usd: decimal(usd) })
    }
  }
  return { legs, matches, prices: createPriceBook(points) }
}

export const ACCOUNTS = {
  portfolio: ['E', 'W:ethereum', 'W:base'],
  exchange: ['E'],
  wallet_all: ['W:ethereum', 'W:base'],
  wallet_ethereum: ['W:ethereum'],
  wallet_base: ['W:base'],
}

export const STABLE = new Set(['USDC', 'aUSDC'])
