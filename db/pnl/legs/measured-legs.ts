import { sql } from 'kysely'
import type { Db, ReadonlyDb } from '../../schema.ts'
import { preparedSelect } from '../../read-sql.ts'
import { decimal, fromRaw } from '../../values/decimal.ts'
import { firstPrices } from '../valuation/price-book.ts'
import type { LegRow } from './leg-source.ts'
import type { Leg } from './leg.ts'
import type { PricePoint } from '../valuation/price-book.ts'
import { pricesInForce } from '../valuation/prices-in-force.ts'
import type { Role } from './roles.ts'
import { TREATED_ROLES, type Treatment } from './roles.ts'

/**
 * First prices by coin, for a pass that starts at a midnight; filled as coins appear; null for a coin without
 * prices. A coin with a price exactly at that midnight counts as priced from then on, because nothing earlier
 * is needed.
 */
export interface FirstPrices {
  readonly fromMs: number
  readonly byCoin: Map<string, PricePoint | null>
}

/** The stored legs of a book. */
interface Ledger {
  bookId: string
  rows: readonly LegRow[]
}

/**
 * Converts the stored rows of books to legs with prices, in the order of the ledgers. A coin has a market price from
 * its first stored price on; a later leg without a price of its own gets the price in force.
 */
export async function measuredLegs(input: {
  db: Db | ReadonlyDb
  ledgers: readonly Ledger[]
  firsts: FirstPrices
}): Promise<Leg[][]> {
  const { db, ledgers, firsts } = input
  await learnFirstPrices(db, firsts, new Set(ledgers.flatMap(({ rows }) => rows.map((row) => row.coin_id))))
  const unpriced: { coinId: string; atMs: number; leg: Leg }[] = []
  const measured: Leg[][] = []
  const treated = await readTreatments(db, ledgers)
  for (const ledger of ledgers) {
    const treatments = treated.get(ledger.bookId)
    measured.push(
      ledger.rows.map((row): Leg => {
        const atMs = row.at_ms
        const first = firsts.byCoin.get(row.coin_id)
        const isMeasured = first != null && first.atMs <= atMs
        const treatment = treatments?.get(row.role)
        const leg: Leg = {
          account: ledger.bookId,
          txId: row.tx_id,
          seq: row.seq,
          atMs,
          role: row.role as Role,
          coinId: row.coin_id,
          quantity: fromRaw(BigInt(row.raw), row.decimals),
          priceUsd: row.price_usd === null ? null : decimal(row.price_usd),
          ...(!isMeasured && { isUnpriced: true }),
          ...((row.corrected || treatment) && { isCorrected: true }),
          ...(treatment && { treatment }),
        }
        if (isMeasured && row.price_usd === null) unpriced.push({ coinId: row.coin_id, atMs, leg })
        return leg
      }),
    )
  }
  const prices = await pricesInForce(db, unpriced)
  unpriced.forEach(({ leg }, index) => (leg.priceUsd = prices[index]!.usd))
  return measured
}

/** Adds first prices of unknown coins. One query of the midnight's daily prices finds nearly all of them. */
export async function learnFirstPrices(
  db: Db | ReadonlyDb,
  { fromMs, byCoin }: FirstPrices,
  coinIds: Iterable<string>,
): Promise<void> {
  const unknown = [...coinIds].filter((coinId) => !byCoin.has(coinId))
  if (unknown.length === 0) return
  const { rows } = await sql<{ coin_id: string; usd: string }>`
    ${preparedSelect('midnight_prices')} coin_id, usd from price_days
    where coin_id = any(${unknown}::text[]) and at = ${new Date(fromMs)}`.execute(db as Db)
  for (const { coin_id: coinId, usd } of rows) byCoin.set(coinId, { coinId, atMs: fromMs, usd: decimal(usd) })
  const unpriced = unknown.filter((coinId) => !byCoin.has(coinId))
  const found = await firstPrices(db, unpriced)
  for (const coinId of unpriced) byCoin.set(coinId, found.get(coinId) ?? null)
}

const TREATED: ReadonlySet<string> = new Set(TREATED_ROLES)

/** Returns the operator's treatments by book and role. Queries only when a leg has a treatable role. */
async function readTreatments(
  db: Db | ReadonlyDb,
  ledgers: readonly Ledger[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, Treatment>>> {
  const treatable = ledgers.filter(({ rows }) => rows.some(({ role }) => TREATED.has(role)))
  if (treatable.length === 0) return new Map()
  const found = await (db as Db)
    .selectFrom('role_treatments')
    .select(['book_id', 'role', 'treatment'])
    .where(
      'book_id',
      'in',
      treatable.map(({ bookId }) => bookId),
    )
    .execute()
  const byBook = Map.groupBy(found, (row) => row.book_id)
  return new Map(
    [...byBook].map(([bookId, rows]) => [bookId, new Map(rows.map((row) => [row.role, row.treatment]))]),
  )
}
