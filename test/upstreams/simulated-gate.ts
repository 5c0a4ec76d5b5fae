import { openDb } from '../../db/connect.ts'
import { createSourceGate } from '../../activities/source-gate.ts'
import type { SourceGate, SourceLimit } from '../../activities/source-gate.ts'
import type { TestDatabase } from '../setup/database.ts'
import { query } from '../setup/query.ts'
import type { FakeClock } from './double.ts'

/**
 * The product's own rate limits in Postgres, on a fake clock: a schema before pg_catalog has its own
 * clock_timestamp(). The clock moves when every request waits for its turn.
 */
export async function simulatedGate(options: {
  database: TestDatabase
  clock: FakeClock
  limits: Record<string, SourceLimit>
}): Promise<SourceGate & { close: () => Promise<void> }> {
  const { database, clock, limits } = options
  await query(
    database.ownerUrl,
    `create schema if not exists fake;
     create table if not exists fake.clock (at timestamptz not null);
     truncate fake.clock, source_states;
     insert into fake.clock values (now());
     create or replace function fake.clock_timestamp() returns timestamptz language sql volatile
       as 'select at from fake.clock';
     grant usage on schema fake to ingest;
     grant select, update on fake.clock to ingest`,
  )
  const url = new URL(database.ingestUrl)
  url.searchParams.set('options', '-c search_path=fake,public,pg_catalog')
  const { db, pool, close } = openDb({ url: url.href, maxConnections: 1, applicationName: 'gate' })
  const gate = createSourceGate({ db, limits, wait })
  let working = 0
  let waiting: { at: number; wake: () => void }[] = []

  function moveOn(): void {
    const next = waiting.toSorted((a, b) => a.at - b.at)[0]
    if (working > 0 || !next) return
    waiting = waiting.filter((one) => one !== next)
    clock.advance(Math.max(0, next.at - clock.now()))
    working++
    next.wake()
  }

  function wait(ms: number): Promise<void> {
    working--
    return new Promise((resolve) => {
      waiting.push({ at: clock.now() + Math.ceil(ms), wake: resolve })
      setImmediate(moveOn)
    })
  }

  const atThisTime = async <T>(work: () => Promise<T>): Promise<T> => {
    await pool.query('update fake.clock set at = to_timestamp($1::float8 / 1000)', [clock.now()])
    return await work()
  }
  const ended = async (work: () => Promise<void>): Promise<void> => {
    await atThisTime(work)
    working--
    setImmediate(moveOn)
  }

  return {
    async admit(source) {
      working++
      try {
        await atThisTime(() => gate.admit(source))
      } catch (error) {
        working--
        setImmediate(moveOn)
        throw error
      }
    },
    succeeded: (source) => ended(() => gate.succeeded(source)),
    failed: (failure) => ended(() => gate.failed(failure)),
    close,
  }
}
