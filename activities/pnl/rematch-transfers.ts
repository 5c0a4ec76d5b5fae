import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { insertMatches } from '../../db/pnl/write-matches.ts'
import { fromRaw } from '../../db/values/decimal.ts'
import { createTransferMatcher, MATCH_WINDOW_MS } from './match-transfers.ts'

const PAGE_ROWS = 5_000

interface TransferRow {
  network_id: string
  tx_hash: string
  seq: number
  at: Date
  coin_id: string
  raw: string
  decimals: number
}

/**
 * Finds the own transfers of a wallet again from an instant on. Pairs that arrived before it stay as they are: they
 * depend on nothing later. Wallets are done one at a time; `db` has to be in a transaction.
 */
export async function rematchTransfers(input: { db: Db; walletId: string; fromMs: number }): Promise<void> {
  const { db, walletId } = input
  const from = new Date(Math.max(input.fromMs, 0))
  const windowStart = new Date(Math.max(from.getTime() - MATCH_WINDOW_MS, 0))
  const { rows: networks } = await sql<{ network_id: string }>`
    select network_id from pl_states where wallet_id = ${walletId}`.execute(db)
  if (networks.length < 2) return
  await sql`select pg_advisory_xact_lock(hashtext('transfer_matches'), hashtext(${walletId}::text))`.execute(
    db,
  )
  await sql`delete from transfer_matches where wallet_id = ${walletId} and to_at >= ${from}`.execute(db)

  const ids = networks.map((row) => row.network_id)
  await sql`declare pnl_transfers no scroll cursor for
    select network_id, tx_hash, seq, at, coin_id, raw, decimals from movements as leg
    where wallet_id = ${walletId} and network_id = any(${ids}::text[]) and at >= ${windowStart} and role = 'transfer'
      and (at >= ${from} or (raw < 0 and not exists (
        select from transfer_matches as kept where kept.wallet_id = leg.wallet_id
          and kept.from_network_id = leg.network_id and kept.from_tx_hash = leg.tx_hash and kept.from_seq = leg.seq)))
    order by at, sign(raw), network_id collate "C", tx_hash collate "C", seq`.execute(db)
  const match = createTransferMatcher()
  for (;;) {
    const { rows } = await sql<TransferRow>`fetch ${sql.lit(PAGE_ROWS)} from pnl_transfers`.execute(db)
    const found = rows.map((row) => match(legOf(row))).filter((pair) => pair !== null)
    await insertMatches({ db, walletId, matches: found })
    if (rows.length < PAGE_ROWS) break
  }
  await sql`close pnl_transfers`.execute(db)
}

function legOf(row: TransferRow) {
  return {
    account: row.network_id,
    txId: row.tx_hash,
    seq: row.seq,
    atMs: row.at.getTime(),
    coinId: row.coin_id,
    quantity: fromRaw(BigInt(row.raw), row.decimals),
  }
}
