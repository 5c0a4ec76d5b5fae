import type { Db } from '../../db/schema.ts'
import { markFolds } from '../../db/pnl/lots/folds.ts'
import type { Scope } from '../../db/pnl/scopes.ts'
import type { Book } from '../../db/pnl/books.ts'
import {
  deleteMatchesSince,
  insertMatches,
  readTransfers,
  type TransferRow,
  createTransferMatcher,
} from '../../db/pnl/legs/match-transfers.ts'
import { fromRaw } from '../../db/values/decimal.ts'

/**
 * Matches the own transfers of locked scopes again, from `fromMs` or from where their set of books changed,
 * and marks their folds dirty. `fromMs` is Infinity when the books themselves did not change.
 */
export async function settleScopes(input: {
  db: Db
  scopes: readonly Scope[]
  fromMs: number
}): Promise<void> {
  const { db, scopes } = input
  const changes = scopes.map((scope) => {
    const fromMs = Math.min(input.fromMs, scope.dirtyMs ?? Infinity)
    return { scope, fromMs: fromMs === Infinity ? null : fromMs }
  })
  for (const { scope, fromMs } of changes) {
    if (fromMs !== null) await rematchTransfers({ db, scope, fromMs })
  }
  await markFolds(db, changes)
}

/**
 * Matches the own transfers between the books of a scope again, from `fromMs` on. Earlier matches stay,
 * because they depend on nothing later. `db` must be in a transaction that has locked the scope.
 */
async function rematchTransfers(input: { db: Db; scope: Scope; fromMs: number }): Promise<void> {
  const { db, scope } = input
  const since = { db, scope, fromMs: Math.max(input.fromMs, 0) }
  await deleteMatchesSince(since)
  if (scope.books.length < 2) return

  const places = new Map(scope.books.map((book) => [book.id, placeOf(book)]))
  let found: { out: StoredTransfer; in: StoredTransfer }[] = []
  const matcher = createTransferMatcher<StoredTransfer>((match) => found.push(match))
  const store = async (): Promise<void> => {
    await insertMatches({ db, scopeId: scope.id, matches: found })
    found = []
  }
  for await (const page of readTransfers(since)) {
    for (const leg of page) matcher.add(legOf(leg, places.get(leg.book_id)!))
    await store()
  }
  matcher.end()
  await store()
}

/** null: a manual portfolio. It is on no network, so its own transfers match only with equal amounts. */
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
