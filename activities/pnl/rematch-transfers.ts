import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { type LegRow, legSource } from '../../db/pnl/leg-source.ts'
import { MATCH_WINDOW_MS, type Scope } from '../../db/pnl/scopes.ts'
import { insertMatches } from '../../db/pnl/write-matches.ts'
import { fromRaw } from '../../db/values/decimal.ts'
import { createTransferMatcher } from './match-transfers.ts'

const PAGE_ROWS = 5_000

/** Later than any leg. */
const END = new Date('9999-01-01')

interface TransferRow extends LegRow {
  book_id: string
}

/**
 * Finds the own transfers between the books of a scope again from an instant on. Pairs that arrived before it stay as
 * they are: they depend on nothing later. `db` has to be in a transaction that has locked the scope.
 */
export async function rematchTransfers(input: { db: Db; scope: Scope; fromMs: number }): Promise<void> {
  const { db } = input
  const { id: scopeId, books } = input.scope
  const from = new Date(Math.max(input.fromMs, 0))
  const windowStart = new Date(Math.max(from.getTime() - MATCH_WINDOW_MS, 0))
  await sql`delete from transfer_matches where scope_id = ${scopeId} and to_at >= ${from}`.execute(db)
  if (books.length < 2) return

  const transfers = books.map(
    (book) => sql`
      select ${book.id}::bigint as book_id, leg.* from (${legSource(book).legs({ from: windowStart, to: END })}) as leg
      where role = 'transfer'`,
  )
  await sql`declare pnl_transfers no scroll cursor for
    select * from (${sql.join(transfers, sql` union all `)}) as leg
    where at_ms >= ${from.getTime()}::float8 or (raw < 0 and not exists (
      select from transfer_matches as kept
      where kept.scope_id = ${scopeId} and kept.from_book_id = leg.book_id and kept.from_tx_id = leg.tx_id and kept.from_seq = leg.seq))
    order by at_ms, sign(raw), book_id, tx_id collate "C", seq`.execute(db)
  const match = createTransferMatcher<ReturnType<typeof legOf>>()
  for (;;) {
    const { rows } = await sql<TransferRow>`fetch ${sql.lit(PAGE_ROWS)} from pnl_transfers`.execute(db)
    const found = rows.map((row) => match(legOf(row))).filter((pair) => pair !== null)
    await insertMatches({ db, scopeId, matches: found })
    if (rows.length < PAGE_ROWS) break
  }
  await sql`close pnl_transfers`.execute(db)
}

function legOf(row: TransferRow) {
  return {
    account: row.book_id,
    txId: row.tx_id,
    seq: row.seq,
    atMs: row.at_ms,
    coinId: row.coin_id,
    quantity: fromRaw(BigInt(row.raw), row.decimals),
    price: row.price_usd,
  }
}
