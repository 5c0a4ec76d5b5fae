import type pg from 'pg'
import type { TransferSum } from './independent-transfers.ts'

/** The same figures as `chainTransfers`, computed from the stored rows. */
export async function storedTransfers(pool: pg.Pool, networkId: string): Promise<TransferSum[]> {
  const { rows } = await pool.query<TransferSum>(
    `select kind, coalesce(token_address, '') as token, wallet.address as wallet, count(*)::integer as count,
       sum(case when to_address = wallet.address then raw else 0 end
         - case when from_address = wallet.address then raw else 0 end) as net
     from transfers join wallets as wallet on wallet.address in (from_address, to_address)
     where network_id = $1 and kind <> 'approval' group by 1, 2, 3`,
    [networkId],
  )
  return rows
}

export function sumText(row: TransferSum): string {
  return `${row.kind} ${row.token} ${row.wallet} ${row.count} ${row.net}`
}
