import type pg from 'pg'

/** A mark as it was before a read. */
export interface DefiMark {
  walletId: string
  /** text, so that no digit is lost */
  markedAt: string
}

/** The marks of some wallets. Read them before the first request. */
export async function readMarks(
  pool: pg.Pool,
  input: { networkId: string; walletIds: readonly string[] },
): Promise<DefiMark[]> {
  const { rows } = await pool.query<DefiMark>(
    `select wallet_id as "walletId", marked_at::text as "markedAt" from defi_marks
     where network_id = $1 and wallet_id = any($2)`,
    [input.networkId, input.walletIds],
  )
  return rows
}

/**
 * Deletes the marks of wallets that a read has answered completely, unless they were marked again since, or the node
 * did not have the marked block yet. The others are due again after a pause that grows to six hours.
 */
export async function settleMarks(
  client: pg.ClientBase | pg.Pool,
  read: {
    networkId: string
    /** null: nothing answered */
    blockNumber: number | null
    marks: readonly DefiMark[]
    /** wallets whose positions are all known */
    completeIds: readonly string[]
  },
): Promise<void> {
  if (read.marks.length === 0) return
  await client.query(
    `with locked as materialized (
       select mark.wallet_id, mark.network_id,
         mark.wallet_id = any($4::bigint[]) and coalesce(mark.block_number <= $5::bigint, true) as is_settled
       from defi_marks as mark join unnest($2::bigint[], $3::text[]) as taken (wallet_id, marked_at)
         on taken.wallet_id = mark.wallet_id and taken.marked_at::timestamptz = mark.marked_at
       where mark.network_id = $1 order by mark.wallet_id for update of mark
     ), gone as (
       delete from defi_marks as mark using locked where is_settled
         and mark.wallet_id = locked.wallet_id and mark.network_id = locked.network_id
     )
     update defi_marks as mark set attempts = attempts + 1,
       next_at = clock_timestamp() + least(interval '15 seconds' * 2 ^ least(attempts, 12), interval '6 hours')
     from locked where not is_settled and mark.wallet_id = locked.wallet_id and mark.network_id = locked.network_id`,
    [
      read.networkId,
      read.marks.map(({ walletId }) => walletId),
      read.marks.map(({ markedAt }) => markedAt),
      read.completeIds,
      read.blockNumber,
    ],
  )
}
