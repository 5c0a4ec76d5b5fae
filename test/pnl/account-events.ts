import fc from 'fast-check'
import type { Role } from '../../db/pnl/legs/roles.ts'
import { DAY_MS, HOUR_MS } from '../../db/values/periods.ts'
import { type Holder, HOLDERS, type TestLeg } from './account-world.ts'
import type { TestMarket } from './world.ts'

// Generators of random account histories.

// Long enough to refold from several months, with a coin whose first price comes in the middle.
export const START_MS = Date.parse('2024-01-20')
export const DAYS = 75
export const NOW_MS = START_MS + DAYS * DAY_MS + 5 * HOUR_MS
export const COINS = ['ethereum', 'bitcoin', 'usd-coin', 'late-coin', 'never-priced']
export const MARKET: TestMarket = { coinIds: COINS, from: new Date(START_MS), to: new Date(NOW_MS) }
const UNPRICED = new Set(['late-coin', 'never-priced'])

/** One event of an account. Some events are own transfers, and bridges take a fee from some of these. */
export const event = fc.record({
  kind: fc.constantFrom(
    'in',
    'in',
    'out',
    'swap',
    'wrap',
    'fee',
    'airdrop',
    'move',
    'move',
    'bridge',
    'bridge',
  ),
  minute: fc.integer({ min: 0, max: DAYS * 24 * 60 }),
  holder: fc.constantFrom(...HOLDERS),
  there: fc.constantFrom(...HOLDERS),
  coin: fc.constantFrom(...COINS),
  other: fc.constantFrom(...COINS),
  raw: fc.bigInt(1n, 10n ** 21n),
  otherRaw: fc.bigInt(1n, 10n ** 21n),
  travelMs: fc.integer({ min: 1, max: 80 * HOUR_MS }),
  /** fee of a bridge, in thousandths of the amount */
  taken: fc.integer({ min: 1, max: 12 }),
})
type Event = typeof event extends fc.Arbitrary<infer T> ? T : never

let transactions = 0

const ROLES: Partial<Record<Event['kind'], Role>> = {
  swap: 'trade',
  wrap: 'wrap',
  fee: 'fee',
  airdrop: 'airdrop',
}

/** A manual portfolio has only transfers, and an exchange has no wraps. */
function roleOf(kind: Event['kind'], at: Holder): Role {
  const role = ROLES[kind] ?? 'transfer'
  if (at === 'manual') return 'transfer'
  return at === 'exchange' && role === 'wrap' ? 'trade' : role
}

/** Gives each transaction its own instant, because simultaneous ones in two books have no order. */
export function legsOf(items: readonly Event[]): TestLeg[] {
  return items.flatMap((item): TestLeg[] => {
    const tx = transactions++
    const atMs = START_MS + item.minute * 60_000 + (tx % 60_000)
    const role = roleOf(item.kind, item.holder)
    const priceUsd = role === 'transfer' && item.holder === 'manual' && tx % 2 === 0 ? '3.21' : null
    const leg = (coinId: string, raw: bigint, seq = 0): TestLeg => ({
      holder: item.holder,
      tx,
      atMs,
      seq,
      role,
      coinId,
      raw,
      priceUsd,
    })
    // All amounts differ, so that nothing becomes an own transfer by chance.
    const raw = item.raw * 100_000n + BigInt(tx)
    if (item.kind === 'move' || item.kind === 'bridge') {
      const coinId = UNPRICED.has(item.coin) ? 'usd-coin' : item.coin
      const arrival = { holder: item.there, tx: transactions++, atMs: atMs + item.travelMs, priceUsd: null }
      const taken = item.kind === 'bridge' ? (item.raw * BigInt(item.taken)) / 1_000n : 0n
      return [leg(coinId, -item.raw), { ...leg(coinId, item.raw - taken), ...arrival }]
    }
    if (role === 'trade' || role === 'wrap')
      return item.coin === item.other ? [] : [leg(item.coin, -item.raw), leg(item.other, item.otherRaw, 1)]
    return [leg(item.coin, item.kind === 'out' || role === 'fee' ? -raw : raw)]
  })
}
