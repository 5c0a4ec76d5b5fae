import { pino } from 'pino'
import { activeNetworks } from '../../activities/active-networks.ts'
import { AREAS } from '../../activities/all-areas.ts'
import type { ScheduleSpec } from '../../activities/area.ts'
import { readIngestConfig } from '../../activities/config.ts'
import { createActivities } from '../../activities/create-activities.ts'
import { watchAnswers } from '../../activities/drift/watch-answers.ts'
import type { FirstIngestionActivities } from '../../activities/first-ingestion.ts'
import { createHttpClient } from '../../activities/http.ts'
import { followLoops } from '../../activities/follow-worker.ts'
import { createDeriveActivities, createFollowActivities } from '../../activities/loops.ts'
import { createNodes } from '../../activities/nodes/create-nodes.ts'
import { createNodeNotes } from '../../activities/nodes/node-notes.ts'
import { keepAllowances, sourceAllowances } from '../../activities/source-allowances.ts'
import { createSourceGate } from '../../activities/source-gate.ts'
import { allSourceSettings, nodeSettings, unitsOf } from '../../activities/source-settings.ts'
import { createSourceUsage } from '../../activities/source-usage.ts'
import type { Connection } from '../../db/connect.ts'
import type { Db } from '../../db/schema.ts'
import { storeSourceSettings } from '../../db/sources/settings.ts'
import { markActiveNetworks } from '../../db/sources/write.ts'
import * as workflows from '../../workflows/index.ts'
import { createRandom } from '../upstreams/double.ts'
import type { FakeClock } from '../upstreams/double.ts'
import type { AreasWorld } from './areas-world.ts'
import { createSimulatedTemporal } from './simulated-temporal.ts'
import type { Simulation } from './simulation.ts'

const MINUTE_MS = 60_000
const SCHEDULES = AREAS.flatMap(({ schedules }) => schedules)

/**
 * A worker with the settings of an operator, as activities/worker.ts puts it together: all activities, all schedules,
 * the first ingestion, the followers and the other loops, on simulated time.
 */
export async function startAreasWorker(deps: {
  connection: Connection<Db>
  clock: FakeClock
  simulation: Simulation
  world: AreasWorld
  /** keys by variable */
  keys: Record<string, string>
}) {
  const { connection, clock, simulation, world, keys } = deps
  const { pool, db } = connection
  const now = () => new Date(clock.now())
  const log = pino({ level: 'silent' })
  const own = { SOURCES: 'live', ...keys }
  const config = readIngestConfig({ ...own, ...world.settings })
  // Allowances are those of the vendors' addresses.
  const settings = [...allSourceSettings(own), ...nodeSettings(config)]
  const usage = createSourceUsage({ pool, now, log })
  const wait = async (ms: number) => {
    await simulation.wait(ms)
    if (simulation.ending.aborted) throw new Error('the simulation is over')
  }
  const gate = simulation.gated((waitHere) =>
    keepAllowances(
      createSourceGate({
        db,
        limits: config.sources,
        async wait(ms) {
          await waitHere(ms)
          if (simulation.ending.aborted) throw new Error('the simulation is over')
        },
      }),
      { allowances: sourceAllowances(settings), unitsOf, usage, now },
    ),
  )
  const watch = watchAnswers({ pool, now, log })
  const http = createHttpClient({ gate, sources: config.sources, random: () => 0, watch: watch.note })
  const activityDeps = {
    ...connection,
    http,
    now,
    config,
    log,
    heartbeat: () => {},
    ending: simulation.ending,
    // Loops that look many times a second look once a minute.
    wait: (ms: number) => simulation.wait(Math.max(ms, MINUTE_MS)),
  }
  const notes = createNodeNotes({ pool, now, log })
  const nodes = createNodes({ ...activityDeps, usage, notes, pause: wait })
  await storeSourceSettings(pool, settings)
  await markActiveNetworks(db, activeNetworks(config))

  const waiting = new Map(SCHEDULES.map((schedule) => [schedule.id, schedule]))
  const firstRuns: FirstIngestionActivities = {
    listFirstRuns: async () =>
      [...waiting.values()].map(({ id, workflow, input, after = [] }) => ({ id, workflow, input, after })),
    async openSchedule({ id }) {
      const schedule = waiting.get(id)
      if (waiting.delete(id)) keepSchedule(schedule!)
    },
  }
  const loopDeps = {
    ...activityDeps,
    poolOf: nodes.poolOf,
    nodes: nodes.nodes,
    ending: () => simulation.ending,
    wait: simulation.wait,
  }
  const temporal = createSimulatedTemporal({
    clock,
    simulation,
    workflows,
    activities: {
      ...createActivities(activityDeps, nodes),
      ...createFollowActivities(loopDeps),
      ...createDeriveActivities(loopDeps),
      ...firstRuns,
    } as never,
  })
  const random = createRandom(3)

  /** Intervals count from 1970, with a delay of each start. What still runs when the next is due skips it. */
  function keepSchedule({ id, workflow, everySeconds, jitterSeconds, input }: ScheduleSpec): void {
    const everyMs = everySeconds * 1_000
    simulation.start(`schedule ${id}`, async () => {
      while (!simulation.ending.aborted) {
        const next = (Math.floor(clock.now() / everyMs) + 1) * everyMs + random() * jitterSeconds * 1_000
        await simulation.wait(next - clock.now())
        if (simulation.ending.aborted) return
        await temporal.run(workflow, { id, args: input === null ? [] : [input] }).catch(() => {})
      }
    })
  }

  const loops = [...AREAS.flatMap((area) => area.loops ?? []), ...followLoops(config.followedNetworks)]
  for (const { id, workflow, input } of loops)
    simulation.start(id, async () => {
      await temporal.run(workflow, { id, args: input ? [input] : [] }).catch(() => {})
    })
  simulation.start('first ingestion', async () => {
    await temporal.run('firstIngestion', { id: 'first-ingestion', args: [] }).catch(() => {})
  })
  return {
    config,
    temporal,
    log,
    async close() {
      await http.close()
      await watch.idle()
      await usage.close()
      await notes.store()
    },
  }
}
