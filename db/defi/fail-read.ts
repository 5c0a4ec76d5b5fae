import type pg from 'pg'

/** Stores that nothing could be read. Stored positions stay. */
export async function failDefiRead(
  pool: pg.Pool,
  input: { walletId: string; networkId: string; source: string; at: Date; failure: string },
): Promise<void> {
  await pool.query(
    `insert into defi_reads (wallet_id, network_id, failed_at, failure, source) values ($1, $2, $3, $4, $5)
     on conflict (wallet_id, network_id) do update set failed_at = excluded.failed_at, failure = excluded.failure`,
    [input.walletId, input.networkId, input.at, input.failure, input.source],
  )
}
