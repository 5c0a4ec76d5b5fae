import { sql } from 'kysely'
import type { Db } from '../../db/schema.ts'
import { countsSql } from '../../db/pnl/legs/roles.ts'
import { type Check, MOST_DIFFERENCES } from './check.ts'

interface Row {
  address: string
  network_id: string
  coin_id: string
  raw: string
  moved: string
}

/**
 * Checks that each balance is the sum of the wallet's movements up to its block, openings included. Wallets
 * with a running sync, and followed ones with an incomplete history, count as behind. `wallet` null: all wallets.
 */
export async function checkBalances(
  db: Db,
  wallet: { address: string; networkId: string } | null,
): Promise<Check> {
  const scope = sql`
    from wallet_syncs s join wallets w on w.id = s.wallet_id
    join wallet_coverage c on c.wallet_id = s.wallet_id and c.network_id = s.network_id
    where (${wallet === null} or (w.address = ${wallet?.address ?? ''} and s.network_id = ${wallet?.networkId ?? ''}))`
  const settled = sql`s.synced_at is not null
    and (c.followed and c.state = 'synced' or s.cursor_block >= s.head_block and s.normalised_block >= s.head_block)`
  const { rows } = await sql<{ compared: number; behind: number }>`
    select coalesce(sum((select count(*) from balances b where b.wallet_id = s.wallet_id and b.network_id = s.network_id))
        filter (where ${settled}), 0)::int as compared,
      (count(*) filter (where not (${settled})))::int as behind ${scope}`.execute(db)
  const { rows: wrong } = await sql<Row>`
    select s.address, b.network_id, b.coin_id, b.raw, m.moved
    from (select s.wallet_id, s.network_id, w.address ${scope} and ${settled}) s
    join balances b on b.wallet_id = s.wallet_id and b.network_id = s.network_id
    cross join lateral (
      select coalesce(sum(raw), 0) as moved from movements m
      where m.wallet_id = b.wallet_id and m.network_id = b.network_id and m.coin_id = b.coin_id
        and m.block_number <= b.block_number and ${sql.raw(countsSql('m.role'))}
    ) m
    where b.raw <> m.moved order by s.address, b.network_id, b.coin_id limit ${MOST_DIFFERENCES}`.execute(db)
  const lineOf = ({ address, network_id, coin_id, raw, moved }: Row) =>
    `${address} on ${network_id}, ${coin_id}: the balance is ${raw}, its movements sum to ${moved}`
  return { check: 'balances = movements', ...rows[0]!, differences: wrong.map(lineOf) }
}
