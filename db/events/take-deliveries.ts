import type pg from 'pg'
import type { SealedSecret } from '../values/sealed-secret.ts'

/** An event that this process has to send now. */
export interface TakenDelivery {
  endpointId: string
  accountId: string
  url: string
  seq: string
  /** Before this one. */
  attempts: number
  /** The envelope, as it is signed. */
  body: string
  /** Newest first: after a rotation the earlier one signs too. */
  secrets: SealedSecret[]
  /** Another process sends it again after this time, and then only its record counts. */
  takenUntil: Date
}

interface Taken {
  endpoint_id: string
  account_id: string
  url: string
  seq: string
  attempts: number
  body: string
  key_id: string
  wrapped_key: Buffer
  ciphertext: Buffer
  previous_key_id: string | null
  previous_wrapped_key: Buffer | null
  previous_ciphertext: Buffer | null
}

/** What is sent, of the rows that `taken` has claimed. */
const CONTENT = `
  select t.endpoint_id, e.account_id, e.url, t.seq, t.attempts, a.body, e.key_id, e.wrapped_key, e.ciphertext,
    case when e.previous_until > $1 then e.previous_key_id end as previous_key_id,
    e.previous_wrapped_key, e.previous_ciphertext
  from taken t
  join webhook_endpoints e on e.id = t.endpoint_id
  -- One look at the index for each, whatever the planner knows of a table that has grown.
  cross join lateral (select body from account_events where account_id = e.account_id and seq = t.seq limit 1) a`

/**
 * Takes deliveries that are due, for at most `limit` attempts: of each lane the next event that was not sent, and
 * those that were tried before. Those whose endpoint gets nothing at present are put aside, so that they do not
 * stand in the way of others: `found` counts them too. A new endpoint gets its ping, until `patience` attempts
 * in a row have failed. Processes that take at the same time skip each other's rows.
 */
export async function takeDueDeliveries(
  pool: pg.Pool,
  input: { now: Date; takenUntil: Date; limit: number; patience: number },
): Promise<{ found: number; taken: TakenDelivery[] }> {
  const { now, takenUntil, limit, patience } = input
  const { rows } = await pool.query<Taken | { endpoint_id: null }>({
    name: 'take_due_deliveries',
    text: `with recursive heads as (
      (select endpoint_id, lane, seq, next_at from deliveries
        where attempts = 0 and next_at < 'infinity' order by endpoint_id, lane, seq limit 1)
      union all
      select next.* from heads cross join lateral (
        select endpoint_id, lane, seq, next_at from deliveries
        where attempts = 0 and next_at < 'infinity' and (endpoint_id, lane) > (heads.endpoint_id, heads.lane)
        order by endpoint_id, lane, seq limit 1) next
    ), ready as (
      select endpoint_id, seq, next_at from heads where next_at <= $1
      union all
      (select endpoint_id, seq, next_at from deliveries
        where attempts > 0 and next_at <= $1 order by next_at, seq limit $3)
    ), due as (
      select d.endpoint_id, d.seq, e.next_probe_at,
        e.state = 'active' or (e.state = 'new' and e.failures < $4 and exists (
          select from account_events a
          where a.account_id = e.account_id and a.seq = d.seq and a.type = 'test.ping')) as is_sent
      from ready join deliveries d using (endpoint_id, seq) join webhook_endpoints e on e.id = d.endpoint_id
      where d.next_at <= $1
      order by ready.next_at, d.seq limit $3
      for update of d skip locked for share of e skip locked
    ), moved as (
      update deliveries d set next_at = case
          when not due.is_sent then 'infinity'
          when due.next_probe_at > $1 then due.next_probe_at
          else $2 end
      from due where d.endpoint_id = due.endpoint_id and d.seq = due.seq
      returning d.endpoint_id, d.seq, d.attempts, due.is_sent and coalesce(due.next_probe_at <= $1, true) as is_taken
    ), taken as (select * from moved where is_taken)
    ${CONTENT}
    union all
    select null, null, null, null, null, null, null, null, null, null, null, null from moved where not is_taken`,
    values: [now, takenUntil, limit, patience],
  })
  const taken = rows.filter((row): row is Taken => row.endpoint_id !== null)
  return { found: rows.length, taken: taken.map((row) => toDelivery(row, takenUntil)) }
}

/**
 * Takes one event of each endpoint that failed `patience` times in a row and was not probed for a minute: the
 * one that was tried least often, so that an event on which the receiver fails does not keep the others
 * waiting. Of a new endpoint its ping.
 */
export async function takeProbes(
  pool: pg.Pool,
  input: { now: Date; takenUntil: Date; limit: number; patience: number; nextProbeAt: Date },
): Promise<TakenDelivery[]> {
  const { now, takenUntil, limit, patience, nextProbeAt } = input
  const { rows } = await pool.query<Taken>({
    name: 'take_probes',
    text: `with due as (
      select e.id, (
          select d.seq from deliveries d
          where d.endpoint_id = e.id and d.next_at is not null and (e.state = 'backing_off' or exists (
            select from account_events a
            where a.account_id = e.account_id and a.seq = d.seq and a.type = 'test.ping'))
          order by d.attempts, d.seq limit 1) as seq
      from webhook_endpoints e
      where e.failures >= $5 and e.state in ('new', 'backing_off') and e.next_probe_at <= $1
      order by e.next_probe_at limit $3
      for update skip locked
    ), probed as (
      update webhook_endpoints e set next_probe_at = $4 from due where e.id = due.id and due.seq is not null
    ), taken as (
      update deliveries d set next_at = $2 from due where d.endpoint_id = due.id and d.seq = due.seq
      returning d.endpoint_id, d.seq, d.attempts
    ) ${CONTENT}`,
    values: [now, takenUntil, limit, nextProbeAt, patience],
  })
  return rows.map((row) => toDelivery(row, takenUntil))
}

function toDelivery(row: Taken, takenUntil: Date): TakenDelivery {
  const { endpoint_id: endpointId, account_id: accountId, url, seq, attempts, body } = row
  const secrets = [{ keyId: row.key_id, wrappedKey: row.wrapped_key, ciphertext: row.ciphertext }]
  if (row.previous_key_id !== null)
    secrets.push({
      keyId: row.previous_key_id,
      wrappedKey: row.previous_wrapped_key!,
      ciphertext: row.previous_ciphertext!,
    })
  return { endpointId, accountId, url, seq, attempts, body, secrets, takenUntil }
}
