import { sql } from 'kysely'
import type { ReadonlyDb } from '../connect.ts'
import { readSql } from '../read-sql.ts'
import { decimal, fromRaw, multiply } from '../values/decimal.ts'
import { DAY_MS } from '../values/periods.ts'
import { type BookSet, isScopeOf } from './book-sets.ts'
import { inUnits, negateMoney } from './money.ts'
import { pricesInForce } from './prices-in-force.ts'
import { unitPrices } from './values-in-detail.ts'
import type { MoneyFlow, ValuePoint } from './values-in-detail.ts'

interface TransferRow {
  coin_id: string
  raw: string
  decimals: number
  from_at: Date
  to_at: Date
  from_price_usd: string | null
  to_price_usd: string | null
}

/**
 * What own transfers change for a set that holds both of their books: the flows that each book counts alone are taken
 * back, and what is in flight at an instant is worth its amount. To be added to the sums over the books.
 * A transfer of a coin that had no price at the departure stays a flow.
 */
export async function innerTransfers(input: {
  db: ReadonlyDb
  set: BookSet
  instantsMs: readonly number[]
}): Promise<{ points: ValuePoint[]; flows: MoneyFlow[] }> {
  const { db, set, instantsMs } = input
  const [firstMs, lastMs] = [instantsMs[0]!, instantsMs.at(-1)!]
  const books = sql`any(${set.books.map(({ id }) => id)}::bigint[])`
  const rows = await readSql(
    db,
    sql<TransferRow>`
      select coin_id, raw, decimals, from_at, to_at, from_price_usd, to_price_usd from transfer_matches
      where scope_id = (select id from scopes where ${isScopeOf(set)})
        and from_book_id = ${books} and to_book_id = ${books}
        and from_at < ${new Date(lastMs)} and to_at >= ${new Date(firstMs)}
      order by from_at, from_tx_id, from_seq`,
  )
  const ends = rows.flatMap(({ coin_id: coinId, from_at, to_at }) => [
    { coinId, atMs: from_at.getTime() },
    { coinId, atMs: to_at.getTime() },
  ])
  const inForce = await pricesInForce(db, ends)
  const units = await unitPrices(
    db,
    ends.map((end) => end.atMs),
  )

  const flows: MoneyFlow[] = []
  const inFlight: { coinId: string; atMs: number; row: TransferRow }[] = []
  rows.forEach((row, index) => {
    const [left, arrived] = [2 * index, 2 * index + 1]
    if (!inForce[left]) return
    const worth = (end: number, price: string | null) => {
      const usd = multiply(
        fromRaw(BigInt(row.raw), row.decimals),
        price === null ? inForce[end]!.usd : decimal(price),
      )
      return inUnits(usd, ...units[end]!)
    }
    const [leftMs, arrivedMs] = [row.from_at.getTime(), row.to_at.getTime()]
    flows.push({ atMs: leftMs, money: worth(left, row.from_price_usd) })
    flows.push({ atMs: arrivedMs, money: negateMoney(worth(arrived, row.to_price_usd)) })
    for (const atMs of instantsMs) {
      if (leftMs < atMs && arrivedMs >= atMs) inFlight.push({ coinId: row.coin_id, atMs, row })
    }
  })
  const prices = await pricesInForce(db, inFlight)
  const flightUnits = await unitPrices(
    db,
    inFlight.map(({ atMs }) => atMs),
  )
  const points = inFlight.map(({ atMs, row }, index): ValuePoint => {
    const price = prices[index]!
    const usd = multiply(fromRaw(BigInt(row.raw), row.decimals), price.usd)
    return { atMs, value: inUnits(usd, ...flightUnits[index]!), stale: price.atMs <= atMs - DAY_MS }
  })
  return { points, flows: flows.filter((flow) => flow.atMs >= firstMs && flow.atMs < lastMs) }
}
