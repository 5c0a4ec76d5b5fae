import { sql } from 'kysely'
import type { Db } from '../connect.ts'
import type { Leg } from './leg.ts'
import { MOVEMENT_COLUMNS, measuredLegs } from './measured-legs.ts'
import type { FirstPrices, MovementRow } from './measured-legs.ts'

const PAGE_ROWS = 5_000

/**
 * The movements of a wallet on a network from `fromMs` on and before `toMs`, as the legs of one transaction after the
 * other, in chain order and without spam. Read through a cursor, so that memory does not grow with the wallet;
 * `db` has to be in a transaction.
 */
export async function* streamTransactions(input: {
  db: Db
  walletId: string
  networkId: string
  fromMs: number
  toMs: number
  firsts: FirstPrices
}): AsyncGenerator<Leg[]> {
  const { db, firsts } = input
  await sql`declare pnl_movements no scroll cursor for
    select ${MOVEMENT_COLUMNS} from movements
    where wallet_id = ${input.walletId} and network_id = ${input.networkId}
      and at >= ${new Date(input.fromMs)} and at < ${new Date(input.toMs)} and role <> 'spam'
    order by at, tx_index, tx_hash, seq`.execute(db)
  let transaction: Leg[] = []
  for (;;) {
    const { rows } = await sql<MovementRow>`fetch ${sql.lit(PAGE_ROWS)} from pnl_movements`.execute(db)
    for (const leg of await measuredLegs({ db, rows, firsts })) {
      if (transaction.length > 0 && transaction[0]!.txId !== leg.txId) {
        yield transaction
        transaction = []
      }
      transaction.push(leg)
    }
    if (rows.length < PAGE_ROWS) break
  }
  if (transaction.length > 0) yield transaction
  await sql`close pnl_movements`.execute(db)
}
