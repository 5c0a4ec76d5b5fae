import type pg from 'pg'
import type { WebhookState } from './tables.ts'

/** What decides whether an endpoint gets events. */
export interface EndpointHealth {
  state: WebhookState
  /** Why it is not active, in general words. */
  reason: string | null
  /** Failures in a row. */
  failures: number
  failingSince: Date | null
  /** Nothing is sent before. */
  nextProbeAt: Date | null
}

/** Locks endpoints until the transaction ends. Deleted ones are absent. */
export async function lockHealth(
  client: pg.ClientBase,
  endpointIds: readonly string[],
): Promise<Map<string, EndpointHealth>> {
  const { rows } = await client.query<EndpointHealth & { id: string }>(
    `select id, state, reason, failures, failing_since as "failingSince", next_probe_at as "nextProbeAt"
     from webhook_endpoints where id = any($1) order by id for update`,
    [endpointIds],
  )
  return new Map(rows.map(({ id, ...health }) => [id, health]))
}

export async function writeHealth(
  client: pg.ClientBase,
  healths: ReadonlyMap<string, EndpointHealth>,
): Promise<void> {
  const all = [...healths.values()]
  await client.query(
    `update webhook_endpoints e set state = h.state, reason = h.reason, failures = h.failures,
       failing_since = h.failing_since, next_probe_at = h.next_probe_at
     from unnest($1::uuid[], $2::text[], $3::text[], $4::integer[], $5::timestamptz[], $6::timestamptz[])
       h (id, state, reason, failures, failing_since, next_probe_at)
     where e.id = h.id`,
    [
      [...healths.keys()],
      all.map(({ state }) => state),
      all.map(({ reason }) => reason),
      all.map(({ failures }) => failures),
      all.map(({ failingSince }) => failingSince),
      all.map(({ nextProbeAt }) => nextProbeAt),
    ],
  )
}

export interface AttemptRow {
  endpointId: string
  seq: string
  takenUntil: Date
  status: number | null
  ms: number
  failure: string | null
  /** infinity: when its endpoint gets events again; null: not any more */
  nextAt: Date | 'infinity' | null
  deliveredAt: Date | null
}

/** Ends attempts. One that another process has taken since then changes nothing. */
export async function writeAttempts(client: pg.ClientBase, attempts: readonly AttemptRow[]): Promise<void> {
  await client.query(
    `update deliveries d set attempts = d.attempts + 1, next_at = a.next_at, status = a.status, ms = a.ms,
       failure = a.failure, delivered_at = a.delivered_at
     from unnest($1::uuid[], $2::bigint[], $3::timestamptz[], $4::timestamptz[], $5::integer[], $6::integer[],
       $7::text[], $8::timestamptz[])
       a (endpoint_id, seq, taken_until, next_at, status, ms, failure, delivered_at)
     where d.endpoint_id = a.endpoint_id and d.seq = a.seq and d.next_at = a.taken_until`,
    [
      attempts.map(({ endpointId }) => endpointId),
      attempts.map(({ seq }) => seq),
      attempts.map(({ takenUntil }) => takenUntil),
      attempts.map(({ nextAt }) => nextAt),
      attempts.map(({ status }) => status),
      attempts.map(({ ms }) => ms),
      attempts.map(({ failure }) => failure),
      attempts.map(({ deliveredAt }) => deliveredAt),
    ],
  )
}

/**
 * Ends attempts that succeeded, where that changes nothing for their endpoints. Returns the places of those that
 * it has ended. Not among them: those of endpoints that had failed or are gone, and those that another process
 * has taken since then.
 */
export async function writeDelivered(
  pool: pg.Pool,
  attempts: readonly Pick<
    AttemptRow,
    'endpointId' | 'seq' | 'takenUntil' | 'status' | 'ms' | 'deliveredAt'
  >[],
): Promise<ReadonlySet<number>> {
  if (attempts.length === 0) return new Set()
  const { rows } = await pool.query<{ place: number }>({
    name: 'write_delivered',
    text: `update deliveries d set attempts = d.attempts + 1, next_at = null, status = a.status, ms = a.ms,
        failure = null, delivered_at = a.delivered_at
      from unnest($1::uuid[], $2::bigint[], $3::timestamptz[], $4::integer[], $5::integer[], $6::timestamptz[])
        with ordinality a (endpoint_id, seq, taken_until, status, ms, delivered_at, n)
      where d.endpoint_id = a.endpoint_id and d.seq = a.seq and d.next_at = a.taken_until
        and (select e.state = 'active' and e.failures = 0 from webhook_endpoints e where e.id = a.endpoint_id)
      returning a.n::integer - 1 as place`,
    values: [
      attempts.map(({ endpointId }) => endpointId),
      attempts.map(({ seq }) => seq),
      attempts.map(({ takenUntil }) => takenUntil),
      attempts.map(({ status }) => status),
      attempts.map(({ ms }) => ms),
      attempts.map(({ deliveredAt }) => deliveredAt),
    ],
  })
  return new Set(rows.map(({ place }) => place))
}

/**
 * Lets what waited for an endpoint go out in order, ten a second, so that a receiver that has just come back is
 * not flooded. These events have all their attempts again.
 */
export async function releaseDeliveries(
  client: pg.ClientBase,
  { endpointId, from }: { endpointId: string; from: Date },
): Promise<void> {
  await client.query(
    `update deliveries d set attempts = 0, next_at = $2::timestamptz + (w.place - 1) * interval '100 ms'
     from (select seq, row_number() over (order by seq) as place from deliveries
       where endpoint_id = $1 and next_at = 'infinity') w
     where d.endpoint_id = $1 and d.seq = w.seq`,
    [endpointId, from],
  )
}

/** Tells the account of endpoints, on its stream and at its other endpoints, that they get nothing more. */
export async function announceDisabled(
  client: pg.ClientBase,
  endpoints: readonly { id: string; reason: string }[],
): Promise<void> {
  await client.query(
    `insert into event_sources (kind, account_id, payload)
     select 'endpoint.disabled', e.account_id, jsonb_build_object('endpointId', e.id, 'reason', g.reason)
     from unnest($1::uuid[], $2::text[]) g (id, reason) join webhook_endpoints e on e.id = g.id`,
    [endpoints.map(({ id }) => id), endpoints.map(({ reason }) => reason)],
  )
}

/** Pauses endpoints for which `most` events or more wait. Returns how many. */
export async function pauseOverfull(client: pg.ClientBase, most: number): Promise<number> {
  const reason = `${most.toLocaleString('en')} events wait for it`
  const { rows } = await client.query<{ id: string }>(
    `update webhook_endpoints e set state = 'paused', reason = $2
     where e.state in ('new', 'active', 'backing_off') and (
       select count(*) from (
         select from deliveries d where d.endpoint_id = e.id and d.next_at is not null limit $1) w) >= $1
     returning e.id`,
    [most, reason],
  )
  if (rows.length > 0)
    await announceDisabled(
      client,
      rows.map(({ id }) => ({ id, reason })),
    )
  return rows.length
}
