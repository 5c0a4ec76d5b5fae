import { sql } from 'kysely'
import type { Db } from '../schema.ts'

/** Wallets with positions, which are read again at intervals, by network. */
export async function countHolders(db: Db): Promise<{ networkId: string; holders: number }[]> {
  const { rows } = await sql<{ networkId: string; holders: number }>`
    select read.network_id as "networkId", count(*)::int as holders
    from defi_reads as read join networks as network on network.id = read.network_id and network.active
    where read.is_holder group by read.network_id order by read.network_id`.execute(db)
  return rows
}
