import { sql } from 'kysely'
import type { Db, ReadonlyDb } from '../../schema.ts'
import { preparedSelect, readSql } from '../../read-sql.ts'
import type { Book } from '../books.ts'
import { holderRows } from '../holders.ts'
import { type Instant, instantsOf } from './instants.ts'
import { type LegRow, legSource, legSources } from './leg-source.ts'
import { type FirstPrices, measuredLegs } from './measured-legs.ts'

/** Page size. A page is larger when more legs share one instant. */
const PAGE_LEGS = 5_000

/**
 * Yields the legs of a book in [fromMs, toMs), one instant at a time, in ledger order and without spam.
 */
export async function* streamTransactions(input: {
  db: Db
  book: Book
  fromMs: number
  toMs: number
  firsts: FirstPrices
}): AsyncGenerator<Instant> {
  const { db, book, firsts } = input
  const { isOrdered } = legSource(book)
  for await (const rows of readLegs(input)) {
    const [legs] = await measuredLegs({ db, ledgers: [{ bookId: book.id, rows }], firsts })
    yield* instantsOf(legs!, { isOrdered })
  }
}

/**
 * Yields the stored legs of a book in [fromMs, toMs) in ledger order, page by page, so that memory does not
 * grow with the book. Legs of one instant stay in one page.
 */
export async function* readLegs(input: {
  db: Db
  book: Book
  fromMs: number
  toMs: number
}): AsyncGenerator<LegRow[]> {
  const { db, book, toMs } = input
  let { fromMs } = input
  for (let limit = PAGE_LEGS; ;) {
    const rows = await readPage({ db, book, fromMs, toMs, limit })
    if (rows.length < limit) {
      yield rows
      return
    }
    const lastMs = rows.at(-1)!.at_ms
    const whole = rows.filter((row) => row.at_ms < lastMs)
    limit = whole.length > 0 ? PAGE_LEGS : limit * 2
    if (whole.length > 0) yield whole
    fromMs = lastMs
  }
}

/**
 * Returns the stored legs of each of some books in [fromMs, toMs), in ledger order. One statement for each kind of
 * book, whatever their number; for short times, because nothing bounds the memory.
 */
export async function readLegsOf(input: {
  db: ReadonlyDb
  books: readonly Book[]
  fromMs: number
  toMs: number
}): Promise<readonly LegRow[][]> {
  const { db, books, fromMs, toMs } = input
  return holderRows(['legs', books, fromMs, toMs], async () => {
    const window = { from: new Date(fromMs), to: new Date(toMs) }
    const found = await Promise.all(
      legSources(books).map(async ({ kind, books, rows, legs }) => {
        const pages = await readSql(
          db,
          sql<LegTexts>`${preparedSelect(`legs_of_${kind}_books`)} page.* from ${rows}
            cross join lateral (select ${TEXTS} from (${legs(window)}) as leg) as page order by place`,
        )
        return books.map((book, index) => [book, legsIn(pages[index]!)] as const)
      }),
    )
    const byBook = new Map(found.flat())
    return books.map((book) => byBook.get(book)!)
  })
}

async function readPage(input: {
  db: Db
  book: Book
  fromMs: number
  toMs: number
  limit: number
}): Promise<LegRow[]> {
  const { kind, legs } = legSource(input.book)
  const window = { from: new Date(input.fromMs), to: new Date(input.toMs) }
  const [page] = await readSql(
    input.db,
    sql<LegTexts>`${preparedSelect(`legs_${kind}`)} ${TEXTS}
      from (select * from (${legs(window)}) as leg limit ${input.limit}) as leg`,
  )
  return legsIn(page!)
}

interface LegTexts {
  tx_ids: string[]
  coin_ids: string[]
  /** null: no legs */
  figures: string | null
}

/**
 * Legs as a few long texts instead of rows, because the driver parses rows ten times as slowly. Their statements are
 * prepared, because planning takes longer than reading a month of most books.
 */
const TEXTS = sql`json_agg(tx_id) as tx_ids, json_agg(coin_id) as coin_ids,
  string_agg(concat_ws(' ', seq, at_ms, role, raw, decimals, corrected, price_usd), ',') as figures`

function legsIn({ tx_ids: txIds, coin_ids: coinIds, figures }: LegTexts): LegRow[] {
  if (figures === null) return []
  return figures.split(',').map((text, index): LegRow => {
    const [seq, atMs, role, raw, decimals, corrected, price] = text.split(' ')
    return {
      tx_id: txIds[index]!,
      seq: Number(seq),
      at_ms: Number(atMs),
      role: role!,
      coin_id: coinIds[index]!,
      raw: raw!,
      decimals: Number(decimals),
      price_usd: price ?? null,
      corrected: corrected === 't',
    }
  })
}
