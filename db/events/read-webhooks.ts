import { sql } from 'kysely'
import { readSql } from '../read-sql.ts'
import type { ReadonlyDb } from '../schema.ts'
import type { WebhookState } from './tables.ts'
import type { WebhookOptions } from './webhook-write.ts'

export interface Webhook {
  id: string
  url: string
  types: string[]
  options: WebhookOptions
  state: WebhookState
  reason: string | null
  failingSince: Date | null
  /** Until then the secret before the last rotation signs too. */
  previousUntil: Date | null
  createdAt: Date
  /** It gets the events of all wallets among the portfolios. */
  watchesPortfolios: boolean
  /** Wallets that were named one by one. */
  wallets: number
}

/** The webhook endpoints of an account, or one of them, the oldest first. */
export async function readWebhooks(
  db: ReadonlyDb,
  { accountId, id = null }: { accountId: string; id?: string | null },
): Promise<Webhook[]> {
  return readSql(
    db,
    sql<Webhook>`
      select e.id, e.url, e.types, e.options, e.state, e.reason, e.failing_since as "failingSince",
        e.previous_until as "previousUntil", e.created_at as "createdAt",
        exists (select from event_subscriptions s where s.endpoint_id = e.id and s.wallet_id is null)
          as "watchesPortfolios",
        (select count(distinct s.wallet_id)::integer from event_subscriptions s where s.endpoint_id = e.id) as wallets
      from webhook_endpoints e
      where e.account_id = ${accountId} and (${id}::uuid is null or e.id = ${id})
      order by e.created_at, e.id`,
  )
}

/** How many of these wallets an account watches already, and how many wallets altogether. */
export async function countWatched(
  db: ReadonlyDb,
  { accountId, addresses }: { accountId: string; addresses: readonly string[] },
): Promise<{ known: number; total: number }> {
  const [row] = await readSql(
    db,
    sql<{ known: number; total: number }>`
      select count(distinct s.wallet_id)::integer as total,
        (count(distinct s.wallet_id) filter (where w.address = any(${[...addresses]}::text[])))::integer as known
      from event_subscriptions s join wallets w on w.id = s.wallet_id
      where s.account_id = ${accountId} and (s.expires_at is null or s.expires_at > now())`,
  )
  return row!
}

export interface Delivery {
  seq: string
  eventId: string
  type: string
  createdAt: Date
  attempts: number
  status: number | null
  ms: number | null
  failure: string | null
  /** Null: none is planned, or it waits for its endpoint. */
  nextAt: Date | null
  isOpen: boolean
  deliveredAt: Date | null
}

/** The deliveries of an endpoint, the newest first. */
export async function readDeliveries(
  db: ReadonlyDb,
  input: { accountId: string; endpointId: string; beforeSeq: string | null; limit: number },
): Promise<Delivery[]> {
  const { accountId, endpointId, beforeSeq, limit } = input
  return readSql(
    db,
    sql<Delivery>`
      select d.seq, 'evt_' || replace(a.id::text, '-', '') as "eventId", a.type, a.created_at as "createdAt",
        d.attempts, d.status, d.ms, d.failure, d.next_at is not null as "isOpen",
        case when isfinite(d.next_at) then d.next_at end as "nextAt", d.delivered_at as "deliveredAt"
      from deliveries d join account_events a on a.account_id = ${accountId} and a.seq = d.seq
      where d.endpoint_id = ${endpointId} and (${beforeSeq}::bigint is null or d.seq < ${beforeSeq})
      order by d.seq desc limit ${limit}`,
  )
}

/** What can be sent to an endpoint again from a number or a time on: at most `limit` events. null: nothing */
export async function readReplay(
  db: ReadonlyDb,
  input: { accountId: string; endpointId: string; fromSeq: string; from: Date | null; limit: number },
): Promise<{ events: number; fromSeq: string; throughSeq: string } | null> {
  const { accountId, endpointId, fromSeq, from, limit } = input
  const [row] = await readSql(
    db,
    sql<{ events: number; fromSeq: string; throughSeq: string } | { fromSeq: null }>`
      select count(*)::integer as events, min(seq) as "fromSeq", max(seq) as "throughSeq" from (
        select a.seq from account_events a
        where a.account_id = ${accountId} and ${endpointId}::uuid = any(a.endpoint_ids)
          and a.seq >= ${fromSeq} and (${from}::timestamptz is null or a.created_at >= ${from})
        order by a.seq limit ${limit}) found`,
  )
  return row && row.fromSeq !== null ? row : null
}
