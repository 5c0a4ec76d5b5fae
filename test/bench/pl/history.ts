import type { Leg } from '../../../db/pnl/legs/leg.ts'
import type { Role } from '../../../db/pnl/legs/roles.ts'
import { decimal, fromRaw } from '../../../db/values/decimal.ts'
import { DAY_MS, HOUR_MS } from '../../../db/values/periods.ts'

export const COINS = 200
export const DAYS = 1825
export const HOURS = DAYS * 24 + 1
export const FROM_MS = Date.parse('2021-01-01')
export const TO_MS = FROM_MS + DAYS * DAY_MS

/** Coins 0 and 1 are bitcoin and ethereum, the units of account. */
export const coinName = (coin: number) => (coin === 0 ? 'bitcoin' : coin === 1 ? 'ethereum' : `coin-${coin}`)

/** DuckDB SQL for the price of a coin at an hour: waves around a level between 0.01 and 100,000, 6 places. */
export const PRICE_SQL = `round(power(10, coin % 8 - 2) * (1.7 + 0.5 * sin(hour / (500.0 + 7 * coin)) + 0.1 * sin(hour * 0.37 + coin)), 6)`

function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * Generates a wallet's transactions in order from a seed: first a large deposit of each coin, then transfers,
 * swaps and plain fees evenly over five years. Swaps and outgoing transfers have a fee. About 2.2 legs each.
 */
export function* history(input: {
  count: number
  priceOf: (coin: number, hour: number) => number
}): Generator<Leg[]> {
  const next = random(7)
  const pick = (below: number) => Math.floor(next() * below)
  for (let index = 0; index < input.count; index++) {
    const share = index / input.count
    const atMs = FROM_MS + Math.floor(share * (TO_MS - FROM_MS - HOUR_MS)) + 1_000
    const hour = Math.floor((atMs - FROM_MS) / HOUR_MS)
    const legs: Leg[] = []
    const leg = (role: Role, coin: number, raw: bigint) =>
      legs.push({
        account: 'ethereum',
        txId: `0x${index.toString(16).padStart(8, '0')}`,
        seq: legs.length,
        atMs,
        role,
        coinId: coinName(coin),
        quantity: fromRaw(raw, 18),
        priceUsd: decimal(input.priceOf(coin, hour).toString()),
      })
    const amount = () => BigInt(Math.floor(next() * 1e9) + 1) * 10n ** 9n
    const coin = pick(COINS)
    const kind = next()
    if (index < COINS) leg('transfer', index, 10n ** 24n)
    else if (kind < 0.25) leg('transfer', coin, amount())
    else if (kind < 0.45) leg('transfer', coin, -amount())
    else if (kind < 0.95) {
      leg('trade', coin, -amount())
      leg('trade', (coin + 1 + pick(COINS - 1)) % COINS, amount())
    }
    if (legs.length === 0 || (index >= COINS && kind >= 0.25))
      leg('fee', 1, -BigInt(pick(1e6) + 1) * 10n ** 9n)
    yield legs
  }
}
