import { ApplicationFailure } from '@temporalio/activity'
import type { Client } from '@temporalio/client'
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest'
import type { ScheduleSpec } from '../../activities/area.ts'
import { ensureSchedules } from '../../activities/ensure-schedules.ts'
import { createFirstIngestionActivities, startFirstIngestion } from '../../activities/first-ingestion.ts'
import { FIRST_INGESTION } from '../../db/values/first-run.ts'
import { waitForFirstIngestion } from '../../cli/first-run/wait-for-data.ts'
import '../setup/provided.ts'
import { startWorker } from '../setup/worker.ts'

/** Activities that have begun, in order. */
let begun: string[] = []
let holds: { name: string; release: () => void }[] = []

/** An activity that runs until it is released. */
const held = (name: string) => async () => {
  begun.push(name)
  await new Promise<void>((release) => holds.push({ name, release }))
}

const first = (id: string, workflow: string, after?: string[]): ScheduleSpec => ({
  id,
  workflow,
  everySeconds: 86_400,
  jitterSeconds: 1,
  input: null,
  ...(after && { after }),
})
const all = [
  // Declared first, runs last.
  first('test-third', 'forgetReplaced', ['test-second', 'of an area that is gone']),
  first('test-second', 'refreshFiats', ['test-first']),
  first('test-first', 'exportTables'),
  first('test-alone', 'refreshCoins'),
]
const activities = {
  exportTables: held('test-first'),
  refreshFiats: held('test-second'),
  forgetReplaced: held('test-third'),
  refreshQuotes: async () => {
    begun.push('test-alone')
    throw ApplicationFailure.nonRetryable('its source is away')
  },
}

const taskQueue = 'first-ingestion-test'
let schedules: ScheduleSpec[] = all
let worker: Awaited<ReturnType<typeof startWorker>>
let client: Client
const own = () => createFirstIngestionActivities({ client, schedules, known: new Set() })

beforeAll(async () => {
  worker = await startWorker({
    taskQueue,
    activities: {
      ...activities,
      listFirstRuns: () => own().listFirstRuns(),
      openSchedule: (input: { id: string }) => own().openSchedule(input),
    },
  })
  client = worker.client
})

/** Does what a worker does when it starts with these schedules. */
async function begin(these: ScheduleSpec[]): Promise<void> {
  schedules = these
  await ensureSchedules({ client, taskQueue, schedules, known: new Set() })
  await startFirstIngestion({ client, taskQueue })
}
const ingestion = () => client.workflow.getHandle(FIRST_INGESTION).result()
const stateOf = async (id: string) => (await client.schedule.getHandle(id).describe()).state
const isOpen = async (id: string) => !(await stateOf(id)).paused
const untilBegun = (...names: string[]) => expect.poll(() => begun.toSorted()).toEqual(names.toSorted())
const letGo = (name: string) => {
  for (const hold of holds) if (hold.name === name) hold.release()
}

afterEach(async () => {
  await client.workflow
    .getHandle(FIRST_INGESTION)
    .terminate()
    .catch(() => {})
  for (const { id } of all)
    await client.schedule
      .getHandle(id)
      .delete()
      .catch(() => {})
  for (const { release } of holds) release()
  begun = []
  holds = []
})
afterAll(() => worker.stop())

test('each first run begins after the runs that it names, in any declared order, and then opens its schedule', async () => {
  await begin(all)
  await untilBegun('test-alone', 'test-first')
  // A failed run counts as ended: the next interval repeats it.
  await expect.poll(() => isOpen('test-alone')).toBe(true)
  expect(await stateOf('test-first')).toMatchObject({ paused: true, note: 'waits for its first run' })
  expect(await stateOf('test-second')).toMatchObject({ paused: true })
  letGo('test-first')
  await untilBegun('test-alone', 'test-first', 'test-second')
  expect(await isOpen('test-first')).toBe(true)
  expect(await isOpen('test-third')).toBe(false)
  letGo('test-second')
  await untilBegun('test-alone', 'test-first', 'test-second', 'test-third')
  // `npm start` waits for it in the same way.
  const env = { TEMPORAL_ADDRESS: inject('temporalAddress') }
  const patience = (ms: number) => ({ log: () => {}, deadlineMs: Date.now() + ms })
  expect(await waitForFirstIngestion(env, patience(0))).toBe(false)
  letGo('test-third')
  expect(await waitForFirstIngestion(env, patience(30_000))).toBe(true)
  expect(await ingestion()).toEqual({
    completed: ['test-first', 'test-second', 'test-third'],
    failed: ['test-alone'],
  })
  for (const { id } of all) expect(await isOpen(id)).toBe(true)
})

test('a second start repeats no first run, and runs a schedule that is new', async () => {
  await begin(all.filter(({ id }) => id === 'test-first'))
  await untilBegun('test-first')
  await begin(all.filter(({ id }) => id === 'test-first' || id === 'test-second'))
  letGo('test-first')
  await untilBegun('test-first', 'test-second')
  letGo('test-second')
  expect(await ingestion()).toEqual({ completed: ['test-first', 'test-second'], failed: [] })
  // The next start after all runs have ended.
  await startFirstIngestion({ client, taskQueue })
  expect(await ingestion()).toEqual({ completed: [], failed: [] })
  expect(begun).toHaveLength(2)
})

test('the next start resumes a first ingestion that was terminated', async () => {
  await begin(all)
  await untilBegun('test-alone', 'test-first')
  letGo('test-first')
  await untilBegun('test-alone', 'test-first', 'test-second')
  await client.workflow.getHandle(FIRST_INGESTION).terminate()
  await begin(all)
  await expect.poll(() => begun.filter((name) => name === 'test-second')).toHaveLength(2)
  expect(begun.filter((name) => name === 'test-first')).toHaveLength(1)
  letGo('test-second')
  await expect.poll(() => begun).toContain('test-third')
  letGo('test-third')
  expect(await ingestion()).toMatchObject({ completed: ['test-second', 'test-third'] })
})

test('a schedule that the operator pauses stays paused, and schedules of an older installation are not changed', async () => {
  const [second, third] = ['test-second', 'test-third'].map((id) => all.find((one) => one.id === id)!)
  // These schedules exist already, one of them paused.
  await ensureSchedules({ client, taskQueue, schedules: [second!, third!], known: new Set() })
  await client.schedule.getHandle('test-second').unpause()
  await client.schedule.getHandle('test-third').pause('by the operator')
  await begin(all)
  await untilBegun('test-alone', 'test-first')
  await client.schedule.getHandle('test-first').pause('by the operator')
  letGo('test-first')
  expect(await ingestion()).toEqual({ completed: ['test-first'], failed: ['test-alone'] })
  expect(await stateOf('test-first')).toMatchObject({ paused: true, note: 'by the operator' })
  expect(await stateOf('test-third')).toMatchObject({ paused: true, note: 'by the operator' })
  expect(await isOpen('test-second')).toBe(true)
  expect(begun.toSorted()).toEqual(['test-alone', 'test-first'])
})
