import type { z } from 'zod'
import type { ReadonlyDb } from '../../db/schema.ts'
import type { CoinEntry } from '../../db/pnl/explain/explain-month.ts'
import { type InUnits, inUnits, type Unit } from '../../db/pnl/lots/fold-rows.ts'
import { type Role, ROLES } from '../../db/pnl/legs/roles.ts'
import { type Origin, priceOrigins, rateOrigins } from '../../db/pnl/explain/price-origins.ts'
import { pricesInForce } from '../../db/pnl/valuation/prices-in-force.ts'
import { type Decimal, formatDecimal } from '../../db/values/decimal.ts'
import type { coinSchema } from './explain-coin-schema.ts'

type Entry = NonNullable<z.output<typeof coinSchema>['entries']>['items'][number]

export const text = formatDecimal

/** The API shows every income role as `airdrop`. */
const shownRole = (role: Role): string => (ROLES[role].income ? 'airdrop' : role)

export const triple = ({ usd, btc, eth }: InUnits<Decimal>) => ({
  USD: text(usd),
  BTC: text(btc),
  ETH: text(eth),
})

export const shownPrice = ({ usd, atMs, source }: Origin) => ({
  usd: text(usd),
  at: new Date(atMs).toISOString(),
  source,
})

/** `isDated` false: method `average`, where all lots are one and its date means nothing. */
export const shownLot = (lot: { atMs: number; quantity: Decimal; cost: Decimal }, isDated: boolean) => ({
  acquiredAt: isDated ? new Date(lot.atMs).toISOString() : null,
  count: text(lot.quantity),
  cost: text(lot.cost),
})

/** Entries of a coin with the lots that they used and the prices of all legs of the transaction. */
export async function shownEntries(
  db: ReadonlyDb,
  input: {
    entries: readonly CoinEntry[]
    isDated: boolean
    lotsOf: <T>(lots: readonly T[]) => T[]
    nameOf: (bookId: string) => string
  },
): Promise<Entry[]> {
  const { entries, isDated, lotsOf, nameOf } = input
  const measured = entries.flatMap(({ entry: { legs } }) =>
    legs.flatMap(({ coinId, atMs, priceUsd }) => (priceUsd ? [{ coinId, atMs, usd: priceUsd }] : [])),
  )
  const prices = (await priceOrigins(db, measured)).values()
  const instantsMs = entries.map(({ entry }) => entry.atMs)
  const ratesOf = { instantsMs, pricesOf: pricesInForce }
  const btcAt = await rateOrigins(db, { currency: 'BTC', ...ratesOf })
  const ethAt = await rateOrigins(db, { currency: 'ETH', ...ratesOf })
  const shown = (origin: Origin | null) => origin && shownPrice(origin)
  return entries.map(({ entry: { atMs, txId, bookId, legs }, use }) => {
    const { kind, reason, quantity, missing } = use.usd
    const lots = (unit: Unit) => ({
      count: use[unit].lots.length,
      items: lotsOf(use[unit].lots).map((lot) => shownLot(lot, isDated || kind === 'acquire')),
    })
    return {
      at: new Date(atMs).toISOString(),
      ledger: bookId && nameOf(bookId),
      transaction: txId,
      kind,
      reason,
      ...(legs.some(({ isCorrected }) => isCorrected) && { isCorrected: true }),
      count: text(quantity),
      amount: triple(inUnits((unit) => use[unit].amount)),
      cost: triple(inUnits((unit) => use[unit].cost)),
      lots: { USD: lots('usd'), BTC: lots('btc'), ETH: lots('eth') },
      uncovered: text(missing),
      units: { BTC: shown(btcAt(atMs)), ETH: shown(ethAt(atMs)) },
      legs: legs.map(({ coinId, quantity: count, role, priceUsd }) => ({
        coinId,
        count: text(count),
        role: shownRole(role),
        price: priceUsd ? shownPrice(prices.next().value!) : null,
      })),
    }
  })
}
