import type pg from 'pg'
import { FORMAT_VERSION } from '../../db/chain/stored-transaction.ts'
import { openDb } from '../../db/connect.ts'
import { markActiveNetworks } from '../../db/sources/write.ts'
import type { TestDatabase } from '../setup/database.ts'
import { createClock } from '../upstreams/double.ts'
import { startDayWorld } from './day-world.ts'
import type { DayWorld } from './day-world.ts'
import { startDayWorker } from './day-worker.ts'
import { createSimulation, openQueries } from './simulation.ts'
import { simulateTime } from './simulated-time.ts'

const DAY_START_MS = Date.UTC(2026, 10, 3)
const HOUR_MS = 3_600_000
/** What is touched last is derived, and explained, before the end. */
const QUIET_MS = 600_000

/** Not at the times of blocks. */
const SAMPLE_MS = 61_700

interface Sample {
  networkId: string
  ageMs: number
}

/** Runs a day of a worker, from 00:00 UTC on. Fewer `hours` are for those who change the simulation. */
export async function runDay(input: {
  database: TestDatabase
  hours?: number
  perDay?: number
  /** Called at the end of each hour but the last, such as to take a service away. */
  onHour?: (hour: number, day: { world: DayWorld; pool: pg.Pool }) => Promise<void>
}) {
  const { database, hours = 24, perDay = 600, onHour } = input
  const clock = createClock(DAY_START_MS)
  // The windows of quotas end with the day, so it is looked at just before.
  const endMs = DAY_START_MS + hours * HOUR_MS - 1
  const world = await startDayWorld({ clock, perDay, quietFromMs: endMs - QUIET_MS })
  const time = await simulateTime(database, clock.now())
  const connection = openDb({
    url: time.url,
    maxConnections: 12,
    applicationName: 'day',
    connectDeadlineMs: 60_000,
  })
  const { pool } = connection
  const simulation = createSimulation({
    clock,
    onMove: async () => void (await pool.query(time.set, [clock.now()])),
    openRequests: world.nodes.openRequests,
    openQueries: () => openQueries(pool),
  })
  await trackAll(connection.pool, world)
  await markActiveNetworks(connection.db, [...world.networks.map(({ id }) => id), 'bitcoin'])
  const worker = startDayWorker({ connection, clock, simulation, world })
  const samples: Sample[] = []
  const joined: { address: string; networkId: string }[] = []
  // Followers begin some blocks below the head.
  const settleMs = Math.min(HOUR_MS, (hours * HOUR_MS) / 4)

  simulation.start('samples', async () => {
    while (!simulation.ending.aborted) {
      await simulation.wait(SAMPLE_MS)
      const { rows } = await pool.query<{ network_id: string; cursor_at: Date }>(
        'select network_id, cursor_at from network_follows where cursor_at is not null',
      )
      for (const row of rows)
        if (clock.now() - DAY_START_MS > settleMs)
          samples.push({ networkId: row.network_id, ageMs: clock.now() - row.cursor_at.getTime() })
    }
  })
  simulation.start('progress', async () => {
    for (let hour = 1; !simulation.ending.aborted; hour++) {
      await simulation.wait(HOUR_MS)
      if (!simulation.ending.aborted) await onHour?.(hour, { world, pool })
      const megabytes = Math.round(process.memoryUsage().rss / 2 ** 20)
      const seconds = Math.round(process.cpuUsage().user / 1e6)
      const failed = worker.failures.length
      console.log(
        new Date(clock.now()).toISOString(),
        `${megabytes} MB, ${seconds} s of CPU, failed ${failed}`,
      )
    }
  })
  // Somebody asks for each of the newcomers, one after the other.
  simulation.start('newcomers', async () => {
    const asked = world.networks.flatMap(({ id, newcomers }) =>
      newcomers.map((address) => ({ address, networkId: id })),
    )
    const everyMs = (hours * HOUR_MS - 2 * QUIET_MS) / asked.length
    for (const wallet of asked) {
      await simulation.wait(everyMs)
      if (simulation.ending.aborted) return
      joined.push(wallet)
      await worker.sync(wallet)
    }
  })
  await simulation.runUntil(endMs)

  async function stop(): Promise<void> {
    await worker.close()
    await connection.close()
    await world.stop()
  }
  return { world, worker, samples, joined, pool, stop }
}

/** Wallets whose history is read: nothing happened to them before. */
async function trackAll(pool: pg.Pool, { networks, bitcoin }: DayWorld): Promise<void> {
  const all = [
    ...networks.map(({ id, wallets, chain }) => ({ id, wallets, head: chain.head() })),
    { id: 'bitcoin', wallets: bitcoin.wallets, head: bitcoin.chain.head() },
  ]
  for (const { id, wallets, head } of all) {
    await pool.query('insert into wallets (address) select unnest($1::text[]) on conflict do nothing', [
      wallets,
    ])
    await pool.query(
      `insert into wallet_syncs (wallet_id, network_id, cursor_block, normalised_block, head_block, synced_at,
         format_version, normalised_version)
       select id, $2, $3, $3, $3, clock_timestamp(), $4, $4 from wallets where address = any($1)`,
      [wallets, id, head, FORMAT_VERSION],
    )
  }
}
