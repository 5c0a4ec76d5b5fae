import type pg from 'pg'
import { vi } from 'vitest'
import { openDb } from '../../db/connect.ts'
import type { TestDatabase } from '../setup/database.ts'
import { createClock } from '../upstreams/double.ts'
import { startAreasWorker } from './areas-worker.ts'
import { type AreasWorld, startAreasWorld } from './areas-world.ts'
import { createSimulation, openQueries, waitingTransactions } from './simulation.ts'
import { simulateTime } from './simulated-time.ts'

const DAY_START_MS = Date.UTC(2026, 10, 3)
const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000]
const QUIET_MS = 20 * MINUTE_MS
/** Somebody asks for the first wallet soon after the start. */
const FIRST_WALLET_MS = 5 * MINUTE_MS

/** Runs a worker with all areas for a day, from 00:00 UTC on. */
export async function runAreasDay(input: {
  database: TestDatabase
  hours: number
  keys: Record<string, string>
  /** networks whose wallets are asked for; absent: all */
  networks?: readonly string[]
  /** Called at the start of each hour, from 0 on, such as to take a service away. */
  onHour?: (hour: number, day: { world: AreasWorld; pool: pg.Pool }) => Promise<void>
}) {
  const { database, hours, keys, onHour } = input
  const clock = createClock(DAY_START_MS)
  // Workflows and some activities read the clock of the machine.
  vi.useFakeTimers({ toFake: ['Date'], now: clock.now() })
  const endMs = DAY_START_MS + hours * HOUR_MS - 1
  const world = await startAreasWorld({ clock, quietFromMs: endMs - QUIET_MS, keys })
  const time = await simulateTime(database, clock.now())
  const connection = openDb({
    url: time.url,
    maxConnections: 12,
    applicationName: 'day',
    connectDeadlineMs: 60_000,
  })
  const { pool } = connection
  /** last queries of transactions within which somebody waited for a source */
  const held: string[] = []
  const simulation = createSimulation({
    clock,
    async onMove() {
      vi.setSystemTime(clock.now())
      await pool.query(time.set, [clock.now()])
    },
    openRequests: world.nodes.openRequests,
    openQueries: () => openQueries(pool),
    onStuck: async () => void held.push(...(await waitingTransactions(database.ownerUrl))),
  })
  const worker = await startAreasWorker({ connection, clock, simulation, world, keys })
  const { temporal } = worker

  simulation.start('visitors', async () => {
    await simulation.wait(FIRST_WALLET_MS)
    for (const { address, networkId } of world.wallets) {
      if (input.networks && !input.networks.includes(networkId)) continue
      if (simulation.ending.aborted) return
      const id = `sync:${address}:${networkId}`
      simulation.start(id, async () => {
        await temporal.run('syncWallet', { id, args: [{ address, networkId }] }).catch(() => {})
      })
      await simulation.wait(20_000)
    }
  })
  simulation.start('venues', async () => {
    while (!simulation.ending.aborted) {
      await simulation.wait(5 * MINUTE_MS)
      world.trade()
    }
  })
  await onHour?.(0, { world, pool })
  simulation.start('progress', async () => {
    for (let hour = 1; !simulation.ending.aborted; hour++) {
      await simulation.wait(HOUR_MS)
      if (!simulation.ending.aborted) await onHour?.(hour, { world, pool })
      const megabytes = Math.round(process.memoryUsage().rss / 2 ** 20)
      const seconds = Math.round(process.cpuUsage().user / 1e6)
      console.log(
        new Date(clock.now()).toISOString(),
        `${megabytes} MB, ${seconds} s of CPU, failed ${temporal.failures.length}`,
      )
    }
  })
  await simulation.runUntil(endMs)

  async function stop(): Promise<void> {
    await worker.close()
    await connection.close()
    await world.stop()
    vi.useRealTimers()
  }
  return { clock, world, worker, pool, held, stop }
}

export type AreasDay = Awaited<ReturnType<typeof runAreasDay>>
