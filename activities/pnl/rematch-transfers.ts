import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { Book } from '../../db/pnl/books.ts'
import { type LegRow, legSource } from '../../db/pnl/leg-source.ts'
import { MATCH_WINDOW_MS, matchedSince, type Scope } from '../../db/pnl/scopes.ts'
import { insertMatches } from '../../db/pnl/write-matches.ts'
import { fromRaw } from '../../db/values/decimal.ts'
import { createTransferMatcher } from './match-transfers.ts'

const PAGE_ROWS = 5_000

/** Later than any leg. */
const END = new Date('9999-01-01')

interface TransferRow extends Omit<LegRow, 'role' | 'corrected'> {
  book_id: string
}

/**
 * Finds the own transfers between the books of a scope again from an instant on. Pairs that were decided before it stay as
 * they are: they depend on nothing later. `db` has to be in a transaction that has locked the scope.
 */
export async function rematchTransfers(input: { db: Db; scope: Scope; fromMs: number }): Promise<void> {
  const { db } = input
  const { id: scopeId, books } = input.scope
  const fromMs = Math.max(input.fromMs, 0)
  const bridgedMs = Math.max(fromMs - MATCH_WINDOW_MS, 0)
  const windowStart = new Date(matchedSince(fromMs))
  await sql`
    delete from transfer_matches
    where scope_id = ${scopeId}
      and (to_at >= ${new Date(fromMs)} or (fee > 0 and to_at >= ${new Date(bridgedMs)}))`.execute(db)
  if (books.length < 2) return

  const transfers = books.map(
    (book) => sql`
      select ${book.id}::bigint as book_id, tx_id, seq, at_ms, coin_id, raw, decimals, price_usd
      from (${legSource(book).legs({ from: windowStart, to: END })}) as leg
      where role = 'transfer'`,
  )
  await sql`declare pnl_transfers no scroll cursor for
    select * from (${sql.join(transfers, sql` union all `)}) as leg
    where at_ms >= ${fromMs}::float8 or (raw < 0 and not exists (
      select from transfer_matches as kept
      where kept.scope_id = ${scopeId} and kept.from_book_id = leg.book_id and kept.from_tx_id = leg.tx_id and kept.from_seq = leg.seq))
      or (raw >= 0 and at_ms >= ${bridgedMs}::float8 and not exists (
      select from transfer_matches as kept
      where kept.scope_id = ${scopeId} and kept.to_at >= ${new Date(bridgedMs)}
        and kept.to_book_id = leg.book_id and kept.to_tx_id = leg.tx_id and kept.to_seq = leg.seq))
    order by at_ms, sign(raw), book_id, tx_id collate "C", seq`.execute(db)
  const places = new Map(books.map((book) => [book.id, placeOf(book)]))
  let found: { out: StoredTransfer; in: StoredTransfer }[] = []
  const matcher = createTransferMatcher<StoredTransfer>((match) => found.push(match))
  for (;;) {
    const { rows } = await sql<TransferRow>`fetch ${sql.lit(PAGE_ROWS)} from pnl_transfers`.execute(db)
    for (const row of rows) matcher.add(legOf(row, places.get(row.book_id)!))
    const isLast = rows.length < PAGE_ROWS
    if (isLast) matcher.end()
    await insertMatches({ db, scopeId, matches: found })
    found = []
    if (isLast) break
  }
  await sql`close pnl_transfers`.execute(db)
}

/** What is stated by hand is on no network: it is taken for an own transfer only where the amounts are equal. */
function placeOf(book: Book): string | null {
  if ('walletId' in book) return book.networkId
  return 'connectionId' in book ? book.connectionId : null
}

type StoredTransfer = ReturnType<typeof legOf>

function legOf(row: TransferRow, place: string | null) {
  return {
    account: row.book_id,
    txId: row.tx_id,
    seq: row.seq,
    atMs: row.at_ms,
    coinId: row.coin_id,
    quantity: fromRaw(BigInt(row.raw), row.decimals),
    price: row.price_usd,
    place,
  }
}
