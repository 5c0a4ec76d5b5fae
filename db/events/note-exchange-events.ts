import type pg from 'pg'
import { type ListedTransaction, readTransactionsByKey } from '../exchanges/read-transactions.ts'
import type { Db } from '../schema.ts'

/** What the source of an `exchange.transaction` keeps, so that the event needs no row that may be gone by then. */
export interface ExchangeTransactionPayload {
  portfolioId: string
  exchange: string
  /** It was old when it was found. */
  late: boolean
  /** As JSON keeps it. */
  row: Omit<ListedTransaction, 'at'> & { at: string }
}

export interface ExchangeSyncedPayload {
  portfolioId: string
  exchange: string
  transactions: number
}

interface TransactionKey {
  kind: string
  key: string
}

/**
 * Settled fills and transfers that have no legs yet, if the account watches its portfolios: they are about to be
 * derived for the first time. History is no news: neither that of a first sync, nor what is found a week late.
 */
export async function newExchangeTransactions(
  client: pg.ClientBase,
  connectionId: string,
): Promise<TransactionKey[]> {
  const { rows } = await client.query<TransactionKey>(
    `select t.kind, t.key from exchange_connections c join exchange_transactions t on t.connection_id = c.id
     where c.id = $1 and c.synced_at is not null and watches_portfolios(c.account_id, 'exchange.transaction')
       and not t.derived and t.status = 'ok' and t.type <> 'balance' and t.at > c.covered_to - interval '7 days'
       and not exists (
         select from exchange_legs l where l.connection_id = t.connection_id and l.kind = t.kind and l.key = t.key)
     order by t.at, t.kind, t.key`,
    [connectionId],
  )
  return rows
}

/** Notes them once they have legs, in the same transaction. */
export async function noteExchangeTransactions(
  { client, db }: { client: pg.ClientBase; db: Db },
  { connectionId, keys }: { connectionId: string; keys: readonly TransactionKey[] },
): Promise<void> {
  const found = await readTransactionsByKey(
    db,
    keys.map((key) => ({ connectionId, ...key })),
  )
  const rows = keys.flatMap((_key, index) => found.get(index) ?? []).filter(({ legs }) => legs.length > 0)
  if (rows.length === 0) return
  await client.query(
    `insert into event_sources (kind, account_id, payload)
     select 'exchange.transaction', c.account_id,
       jsonb_build_object('portfolioId', c.id, 'exchange', c.venue, 'row', row,
         'late', (row ->> 'at')::timestamptz < now() - interval '10 minutes')
     from exchange_connections c, unnest($2::jsonb[]) with ordinality as told (row, position)
     where c.id = $1 order by position`,
    [connectionId, rows.map((row) => JSON.stringify(row))],
  )
}

/** Notes the end of a sync. One that nobody asked for is no news, unless it is the first one (`before` is null). */
export async function noteExchangeSynced(
  client: pg.ClientBase,
  { connectionId, before }: { connectionId: string; before: Date | null },
): Promise<void> {
  await client.query(
    `insert into event_sources (kind, account_id, payload)
     select 'exchange.synced', c.account_id, jsonb_build_object('portfolioId', c.id, 'exchange', c.venue,
       'transactions', (select count(*) from exchange_transactions where connection_id = c.id and status = 'ok'))
     from exchange_connections c
     where c.id = $1 and watches_portfolios(c.account_id, 'exchange.synced')
       and ($2::timestamptz is null or exists (
         select from outbox
         where workflow = 'syncExchange' and workflow_id = 'exchange:' || c.id and created_at > $2))`,
    [connectionId, before],
  )
}
