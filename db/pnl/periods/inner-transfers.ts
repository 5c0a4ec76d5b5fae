import { sql } from 'kysely'
import type { ReadonlyDb } from '../../schema.ts'
import { readSql } from '../../read-sql.ts'
import { add, decimal, fromRaw, multiply, negate } from '../../values/decimal.ts'
import { endOfDay } from '../../values/periods.ts'
import { type BookSet, isScopeOf } from '../books.ts'
import { holderRows } from '../holders.ts'
import { inUnits } from '../valuation/money.ts'
import { type PriceInForce, pricesInForce } from '../valuation/prices-in-force.ts'
import { shownPrices } from '../valuation/shown-prices.ts'
import type { TransferMatch } from '../tables.ts'
import { isStale, unitPrices } from './values-in-detail.ts'
import type { DetailedFlow, ValuePoint, Worth } from './values-in-detail.ts'

type TransferRow = Omit<TransferMatch, 'scope_id'>

/** An own transfer under way at an instant. */
export interface InFlight extends ValuePoint {
  worth: Worth & { price: PriceInForce }
  fromBookId: string
  toBookId: string
  leftMs: number
  arrivesMs: number
}

/** Reverses the flow of one end of an own transfer. */
export interface TakenBack extends DetailedFlow {
  bookId: string
}

/**
 * Returns the corrections for own transfers inside a set of books: the reversed flows of both ends, and the
 * value of transfers under way at an instant. Add them to the sums over the books. A transfer of a coin
 * without a price at the departure stays a flow.
 */
export async function innerTransfers(input: {
  db: ReadonlyDb
  set: BookSet
  instantsMs: readonly number[]
}): Promise<{ points: InFlight[]; flows: TakenBack[] }> {
  const { db, set, instantsMs } = input
  const [firstMs, lastMs] = [instantsMs[0]!, instantsMs.at(-1)!]
  const books = sql`any(${set.books.map(({ id }) => id)}::bigint[])`
  const untilMs = endOfDay(lastMs)
  const found = await holderRows(['transfers', set.accountId, set.books, firstMs, untilMs], () =>
    readSql(
      db,
      sql<TransferRow>`
        select * from transfer_matches
        where scope_id = (select id from scopes where ${isScopeOf(set)})
          and from_book_id = ${books} and to_book_id = ${books}
          and from_at < ${new Date(untilMs)} and to_at >= ${new Date(firstMs)}
        order by from_at, from_tx_id, from_seq`,
    ),
  )
  const rows = found.filter(({ from_at: leftAt }) => leftAt.getTime() < lastMs)
  const ends = rows.flatMap(({ coin_id: coinId, from_at, to_at }) => [
    { coinId, atMs: from_at.getTime() },
    { coinId, atMs: to_at.getTime() },
  ])
  const inForce = await pricesInForce(db, ends)
  const units = await unitPrices({ db, instantsMs: ends.map((end) => end.atMs), pricesOf: pricesInForce })

  const flows: TakenBack[] = []
  const inFlight: { coinId: string; atMs: number; row: TransferRow }[] = []
  const quantityOf = ({ raw, decimals }: TransferRow) => fromRaw(BigInt(raw), decimals)
  rows.forEach((row, index) => {
    const [left, arrived] = [2 * index, 2 * index + 1]
    if (!inForce[left]) return
    const coinId = row.coin_id
    const [leftMs, arrivedMs] = [row.from_at.getTime(), row.to_at.getTime()]
    const takeBack = (end: 'from' | 'to', price: PriceInForce | null) => {
      const kept = row[`${end}_price_usd`]
      const priceUsd = kept === null ? price!.usd : decimal(kept)
      const quantity = end === 'from' ? add(quantityOf(row), decimal(row.fee)) : negate(quantityOf(row))
      const usd = multiply(quantity, priceUsd)
      const leg = { txId: row[`${end}_tx_id`], seq: row[`${end}_seq`], role: 'transfer' as const }
      flows.push({
        atMs: row[`${end}_at`].getTime(),
        bookId: row[`${end}_book_id`],
        money: inUnits(usd, ...units[end === 'from' ? left : arrived]!),
        terms: [{ leg, coinId, quantity, priceUsd, usd }],
      })
    }
    takeBack('from', inForce[left])
    takeBack('to', inForce[arrived]!)
    for (const atMs of instantsMs) {
      if (leftMs < atMs && arrivedMs >= atMs) inFlight.push({ coinId, atMs, row })
    }
  })
  const prices = await shownPrices(db, inFlight)
  const flightUnits = await unitPrices({
    db,
    instantsMs: inFlight.map(({ atMs }) => atMs),
    pricesOf: shownPrices,
  })
  const points = inFlight.map(({ coinId, atMs, row }, index): InFlight => {
    const [price, quantity] = [prices[index]!, quantityOf(row)]
    const worth = { coinId, quantity, price, usd: multiply(quantity, price.usd) }
    return {
      atMs,
      value: inUnits(worth.usd, ...flightUnits[index]!),
      stale: isStale(price, atMs),
      pricedAtMs: price.atMs,
      worth,
      fromBookId: row.from_book_id,
      toBookId: row.to_book_id,
      leftMs: row.from_at.getTime(),
      arrivesMs: row.to_at.getTime(),
    }
  })
  return { points, flows: flows.filter((flow) => flow.atMs >= firstMs && flow.atMs < lastMs) }
}
