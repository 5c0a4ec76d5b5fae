import type pg from 'pg'

/** What was spent of the allowance of an account, for one kind of work of one source. */
export interface Usage {
  account: string
  source: string
  work: string
  /** start of the UTC day, as an ISO instant */
  day: string
  requests: number
  units: number
}

/** Units that an account has spent for one kind of work. */
export interface SpentUnits {
  account: string
  work: string
  /** on the given day */
  day: number
  /** in the month of it, up to and with that day */
  month: number
}

/** Adds to what all workers have spent. */
export async function addUsage(pool: pg.Pool, usage: readonly Usage[]): Promise<void> {
  await pool.query(
    // In one order, so that two workers never wait for each other's rows.
    `insert into source_usage as known (account, source, work, day, requests, units)
     select * from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::bigint[], $6::bigint[])
       as spent (account, source, work, day, requests, units)
     order by account, day, source, work
     on conflict (account, day, source, work) do update
       set requests = known.requests + excluded.requests, units = known.units + excluded.units`,
    [
      usage.map(({ account }) => account),
      usage.map(({ source }) => source),
      usage.map(({ work }) => work),
      usage.map(({ day }) => day),
      usage.map(({ requests }) => requests),
      usage.map(({ units }) => units),
    ],
  )
}

/** Reads what all workers have spent on a day and in its month. */
export async function readUsage(pool: pg.Pool, day: string): Promise<SpentUnits[]> {
  const { rows } = await pool.query<SpentUnits>(
    `select account, work, coalesce(sum(units) filter (where day = $1::timestamptz), 0)::float8 as day, sum(units)::float8 as month
     from source_usage where day between date_trunc('month', $1::timestamptz, 'UTC') and $1
     group by account, work`,
    [day],
  )
  return rows
}
