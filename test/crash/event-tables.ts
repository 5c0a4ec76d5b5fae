type Ask = <Row extends object>(text: string) => Promise<Row[]>

/** What became of events, without ids, numbers and times of processes. Accounts have names of their own. */
const CONTENTS: Record<string, string> = {
  account_events: `select account.name, row_number() over (partition by account.id order by seq) as place, type, held,
      credits, cardinality(endpoint_ids) as endpoints, body::jsonb -> 'data' as data
    from account_events as event join accounts as account on account.id = account_id`,
  deliveries: `select account.name, row_number() over (partition by endpoint_id order by seq) as place,
      delivered_at is not null as delivered, next_at is null as ended, failure
    from deliveries join webhook_endpoints as endpoint on endpoint.id = endpoint_id
    join accounts as account on account.id = endpoint.account_id`,
  ledger_entries: `select account.name, kind, endpoint, credits, count(*) from ledger_entries
    join accounts as account on account.id = account_id group by 1, 2, 3, 4`,
  event_sources: `select kind, address, payload from event_sources left join wallets on wallets.id = wallet_id`,
  told_transactions: `select account.name, address, tx_hash from told_transactions
    join accounts as account on account.id = account_id join wallets on wallets.id = wallet_id`,
  unconfirmed_transactions: `select address, tx_hash, block_number, late from unconfirmed_transactions
    join wallets on wallets.id = wallet_id`,
}

export async function eventTables(ask: Ask): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  for (const [table, select] of Object.entries(CONTENTS))
    found[table] = (
      await ask<{ text: string }>(`select t::text as text from (${select}) as t order by 1`)
    ).map(({ text }) => text)
  return found
}
