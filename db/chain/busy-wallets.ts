import type pg from 'pg'

/** Wallets with more transactions than are derived at once. */
export interface BusyWallets {
  overHour: ReadonlySet<string>
  overDay: ReadonlySet<string>
}

/** Those of the wallets with more transactions than `hourly` in the hour, or `daily` in the UTC day, of an instant. */
export async function busyWallets(
  client: pg.ClientBase,
  input: { networkId: string; walletIds: readonly string[]; at: Date; hourly: number; daily: number },
): Promise<BusyWallets> {
  const { rows } = await client.query<{ wallet_id: string; over_day: boolean }>(
    `select asked.wallet_id, counted.rows > $5::integer as over_day
     from unnest($2::bigint[]) as asked (wallet_id)
     join transaction_days as counted on counted.ledger = asked.wallet_id || ':' || $1 and counted.coin = ''
       and counted.day = ($3::timestamptz at time zone 'UTC')::date and counted.rows > least($4::integer, $5::integer)
     where counted.rows > $5::integer or (
       select count(*) from (
         select from wallet_transactions as row where row.wallet_id = asked.wallet_id and network_id = $1
           and at > $3::timestamptz - interval '1 hour' limit $4::integer + 1) as recent) > $4::integer`,
    [input.networkId, input.walletIds, input.at, input.hourly, input.daily],
  )
  return {
    overHour: new Set(rows.map(({ wallet_id }) => wallet_id)),
    overDay: new Set(rows.filter(({ over_day }) => over_day).map(({ wallet_id }) => wallet_id)),
  }
}
