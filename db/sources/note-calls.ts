import type pg from 'pg'

/** Calls to a source, with those that had no usable answer. */
export interface Calls {
  source: string
  calls: number
  failures: number
  /** of the last one; null: none */
  succeededAt: Date | null
  failedAt: Date | null
  failure: string | null
}

/** Adds calls to the health of sources, in the hour at which they are stored. */
export async function noteCalls(pool: pg.Pool, notes: readonly Calls[]): Promise<void> {
  await pool.query(
    // In one order, so that two workers never wait for each other's rows.
    `with given as (
       select * from unnest($1::text[], $2::int[], $3::int[], $4::timestamptz[], $5::timestamptz[], $6::text[])
         as _ (source, calls, failures, succeeded_at, failed_at, failure)
     ), states as (
       insert into source_states as known (source, last_success_at, last_failure_at, last_failure, consecutive_failures)
       select source, succeeded_at, failed_at, failure, case when succeeded_at is null then failures else 0 end from given
       order by source
       on conflict (source) do update set
         last_success_at = greatest(known.last_success_at, excluded.last_success_at),
         last_failure_at = greatest(known.last_failure_at, excluded.last_failure_at),
         last_failure = coalesce(excluded.last_failure, known.last_failure),
         consecutive_failures = case when excluded.last_success_at is null
           then known.consecutive_failures + excluded.consecutive_failures else 0 end
     )
     insert into source_hours as known (source, hour, requests, failures)
     select source, date_trunc('hour', now(), 'UTC'), calls, failures from given order by source
     on conflict (source, hour) do update
       set requests = known.requests + excluded.requests, failures = known.failures + excluded.failures`,
    [
      notes.map(({ source }) => source),
      notes.map(({ calls }) => calls),
      notes.map(({ failures }) => failures),
      notes.map(({ succeededAt }) => succeededAt),
      notes.map(({ failedAt }) => failedAt),
      notes.map(({ failure }) => failure?.slice(0, 300) ?? null),
    ],
  )
}
