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
  /** at one of a few instants that it shares with other events of its holder */
  isShared: fc.boolean(),
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

const SHARED_MINUTES = 15 * 24 * 60

/** Transactions of one book can share an instant. Those of two books do not, because they have no order. */
export function legsOf(items: readonly Event[]): TestLeg[] {
  return items.flatMap((item): TestLeg[] => {
    const tx = transactions++
    const shared = (Math.floor(item.minute / SHARED_MINUTES) + 1) * SHARED_MINUTES
    const minute = item.isShared ? Math.min(shared, DAYS * 24 * 60) : item.minute
    const ofMinute = item.isShared ? HOLDERS.indexOf(item.holder) : HOLDERS.length + (tx % 50_000)
    const atMs = START_MS + minute * 60_000 + ofMinute
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
      const coinId = item.coin
      const arrival = { holder: item.there, tx: transactions++, atMs: atMs + item.travelMs, priceUsd: null }
      const taken = item.kind === 'bridge' ? (item.raw * BigInt(item.taken)) / 1_000n : 0n
      return [leg(coinId, -item.raw), { ...leg(coinId, item.raw - taken), ...arrival }]
    }
    if (role === 'trade' || role === 'wrap')
      return item.coin === item.other ? [] : [leg(item.coin, -item.raw), leg(item.other, item.otherRaw, 1)]
    return [leg(item.coin, item.kind === 'out' || role === 'fee' ? -raw : raw)]
  })
}

/** A deposit of each coin at the begin, so that no wallet owes: the lots of a debt are not known. */
export function firstDeposits(holders: readonly Holder[], fromMs = START_MS): TestLeg[] {
  return holders.flatMap((holder, wallet) =>
    COINS.map((coinId, index): TestLeg => {
      const n = wallet * COINS.length + index
      const raw = 10n ** 28n + BigInt(n)
      const tx = 0x7000_0000 + n
      return { holder, tx, atMs: fromMs + n, seq: 0, role: 'transfer', coinId, raw, priceUsd: null }
    }),
  )
}

/** The same transactions, stored in reverse. Where an instant has no order, their ids are in reverse as well. */
export function inReverse(legs: readonly TestLeg[]): TestLeg[] {
  const hasOrder = ({ holder }: TestLeg) => holder !== 'exchange' && holder !== 'manual'
  const ids = [...new Set(legs.filter((leg) => !hasOrder(leg)).map(({ tx }) => tx))]
  const renamed = new Map(ids.toReversed().map((tx) => [tx, transactions++]))
  return [...Map.groupBy(legs, ({ tx }) => tx).values()]
    .reverse()
    .flat()
    .map((leg) => ({ ...leg, tx: renamed.get(leg.tx) ?? leg.tx }))
}
