import fc from 'fast-check'
import { insertOpenings } from '../pnl/engine/insert-openings.ts'
import { ledgerOf } from '../pnl/engine/ledger.ts'
import type { LedgerTransaction } from '../../db/pnl/lots/postings.ts'
import type { Leg } from '../../db/pnl/legs/leg.ts'
import type { Role } from '../../db/pnl/legs/roles.ts'
import { compare, decimal, divide, fromRaw, isZero, multiply, negate } from '../../db/values/decimal.ts'
import type { Decimal } from '../../db/values/decimal.ts'

/**
 * Coins with decimal places and a few prices, so that many lots have the same unit cost. At most 12 places,
 * because rp2 treats quantities as equal that differ by less than 1e-13.
 */
const COINS: Record<string, { places: number; prices: readonly string[]; most: number }> = {
  USDC: { places: 6, prices: ['1', '1', '1', '0.98'], most: 5_000 },
  BTC: { places: 8, prices: ['40000', '41250.5', '39999.99', '61234.125'], most: 2 },
  ETH: { places: 12, prices: ['2000', '2002.5', '1875.25', '3100.01'], most: 20 },
  BNB: { places: 8, prices: ['300', '300.3', '412.75'], most: 40 },
  DOGE: { places: 0, prices: ['0.08', '0.081', '0.1234567'], most: 50_000 },
}
export const COIN_IDS = Object.keys(COINS)
export const STABLE = 'USDC'
const START_MS = Date.parse('2024-01-01')

const coin = fc.constantFrom(...COIN_IDS)
const event = fc.record({
  kind: fc.constantFrom('buy', 'buy', 'sell', 'sell', 'swap', 'receive', 'send', 'fee'),
  // Few instants, so that many transactions have the same one.
  minute: fc.integer({ min: 0, max: 40 }),
  coin,
  other: coin,
  // Tenths of the usual size make lots that are used up exactly. Other sizes are arbitrary.
  size: fc.oneof(
    fc.integer({ min: 1, max: 10 }).map((tenths) => tenths * 100_000),
    fc.integer({ min: 1, max: 1_000_000 }),
  ),
  slippage: fc.integer({ min: -30, max: 30 }),
  prices: fc.tuple(fc.nat(), fc.nat(), fc.nat()),
  fee: fc.record({ kind: fc.constantFrom('none', 'money', 'given', 'received', 'third'), rate: fc.nat(20) }),
})
type Event = typeof event extends fc.Arbitrary<infer T> ? T : never

/** The first transactions receive every coin, so that most sales have lots. */
const history = fc.array(event, { minLength: 20, maxLength: 60 }).map((events): LedgerTransaction[] => {
  const given = COIN_IDS.map((coinId): Event => {
    const fee = { kind: 'none' as const, rate: 0 }
    const prices: [number, number, number] = [0, 0, 0]
    return {
      kind: 'receive',
      minute: 0,
      coin: coinId,
      other: coinId,
      size: 900_000,
      slippage: 0,
      prices,
      fee,
    }
  })
  const legs = insertOpenings([...given, ...events].flatMap(legsOf))
  return ledgerOf({ legs, matches: [], accounts: new Set(['account']) }).transactions
})

/** Returns the same histories on every run. */
export function lotHistories(count: number): LedgerTransaction[][] {
  return fc.sample(history, { numRuns: count, seed: 20_240_101 })
}

function legsOf(item: Event, index: number): Leg[] {
  let seq = 0
  const price = (coinId: string) => {
    const { prices } = COINS[coinId]!
    // One price per coin and transaction.
    return decimal(prices[item.prices[COIN_IDS.indexOf(coinId) % 3]! % prices.length]!)
  }
  const leg = (role: Role, coinId: string, quantity: Decimal): Leg => ({
    account: 'account',
    txId: `tx${String(index).padStart(2, '0')}`,
    seq: seq++,
    atMs: START_MS + item.minute * 60_000,
    role,
    coinId,
    quantity,
    priceUsd: price(coinId),
  })
  const { places, most } = COINS[item.coin]!
  const amount = atLeastOneUnit(fromRaw(BigInt(item.size) * BigInt(most), 6), places)
  const value = multiply(amount, price(item.coin))
  /** The quantity of a coin that `permille` of the value buys. */
  const worth = (coinId: string, permille: number) =>
    divide(multiply(value, fromRaw(BigInt(permille), 3)), price(coinId), COINS[coinId]!.places)
  const feeIn = (coinId: string) => {
    const quantity = worth(coinId, item.fee.rate)
    return isZero(quantity) ? [] : [leg('fee', coinId, negate(quantity))]
  }
  const swap = (from: string, to: string) => {
    if (from === to) return []
    const counter = item.coin === from ? to : from
    const countered = atLeastOneUnit(worth(counter, 1_000 + item.slippage), COINS[counter]!.places)
    const fees = {
      none: () => [],
      money: () => feeIn(STABLE),
      given: () => feeIn(from),
      received: () => feeIn(to),
      third: () => feeIn(COIN_IDS.find((id) => id !== from && id !== to && id !== STABLE)!),
    }[item.fee.kind]
    return [
      leg('trade', from, negate(item.coin === from ? amount : countered)),
      leg('trade', to, item.coin === from ? countered : amount),
      ...fees(),
    ]
  }
  switch (item.kind) {
    case 'buy':
      return swap(STABLE, item.coin)
    case 'sell':
      return swap(item.coin, STABLE)
    case 'swap':
      return swap(item.coin, item.other)
    case 'receive':
      return [leg('transfer', item.coin, amount)]
    case 'send':
      return [leg('transfer', item.coin, negate(amount)), ...feeIn(item.other)]
    default:
      return feeIn(item.coin)
  }
}

function atLeastOneUnit(quantity: Decimal, places: number): Decimal {
  const rounded = divide(quantity, decimal('1'), places)
  const unit = fromRaw(1n, places)
  return compare(rounded, unit) < 0 ? unit : rounded
}
