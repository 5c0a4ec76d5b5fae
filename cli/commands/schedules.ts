import { userInfo } from 'node:os'
import {
  type Client,
  type ScheduleDescription,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
} from '@temporalio/client'
import { duration } from '../../db/values/duration.ts'
import { firstRunId } from '../../db/values/first-run.ts'
import { doNoted } from '../../db/console/note-action.ts'
import { actOnSchedule } from '../../web/console/act-on-schedule.ts'
import { CommandError } from '../command.ts'
import { notBefore } from '../not-before.ts'
import { withOperatorDatabase } from '../operator-database.ts'
import type { Given, GivenOf } from '../command-spec.ts'
import { withOperatorTemporal } from '../operator-temporal.ts'
import { printRecord, printRows } from '../print.ts'
import type { SCHEDULES } from '../specs/watch.ts'

export async function run(given: Given<typeof SCHEDULES>): Promise<void> {
  if (given.action === 'list') {
    const schedules = await withOperatorTemporal(listSchedules)
    return printRows(given.json ? schedules : schedules.map(lineOf), given)
  }
  await withOperatorTemporal((client) => act(client, given))
}

async function act(
  client: Client,
  given: Exclude<Given<typeof SCHEDULES>, { action: 'list' }>,
): Promise<void> {
  const { action, id } = given
  const operator = userInfo().username
  const unknown = new CommandError(`there is no schedule ${id}; see "sluice schedules list"`)
  if (action === 'backfill')
    return backfill(client, given).catch((error: unknown) => {
      throw error instanceof ScheduleNotFoundError ? unknown : error
    })
  if (!(await withOperatorDatabase((db) => actOnSchedule({ db, client }, { action, id, operator }))))
    throw unknown
  if (given.json) return printRecord({ schedule: id, action }, given)
  console.log(`${id}: ${action} done`)
}

const lineOf = ({ id, everySeconds, state, note, lastAt, nextAt }: ListedSchedule) => ({
  id,
  every: duration(everySeconds),
  state: state === 'paused' ? `paused ${note ?? ''}`.trim() : state,
  last: lastAt ?? 'never',
  next: nextAt ?? 'none',
})

/** Starts a run for each time the schedule was due in the span, and prints the number of runs. */
async function backfill(client: Client, given: GivenOf<typeof SCHEDULES, 'backfill'>): Promise<void> {
  const { id, from: start, to: end } = given
  if (start >= end) throw notBefore(start, end)
  const handle = client.schedule.getHandle(id)
  const { spec } = await handle.describe()
  const everyMs = spec.intervals?.[0]?.every ?? 0
  // Temporal's intervals begin at the epoch.
  const runs =
    everyMs === 0 ? 0 : Math.floor(end.getTime() / everyMs) - Math.ceil(start.getTime() / everyMs) + 1
  const dryRun = given['dry-run']
  if (!dryRun) {
    const noted = { operator: userInfo().username, action: `run a schedule ${runs} times`, subject: id }
    await withOperatorDatabase((db) =>
      doNoted(db, noted, () => handle.backfill({ start, end, overlap: ScheduleOverlapPolicy.BUFFER_ALL })),
    )
  }
  if (given.json) return printRecord({ schedule: id, runs, dryRun }, given)
  console.log(
    dryRun
      ? `${id}: would run ${runs} times, one after the other`
      : `${id}: backfill done, ${runs} runs, one after the other`,
  )
}

export interface ListedSchedule {
  id: string
  everySeconds: number
  state: 'active' | 'paused'
  /** Why it is paused, or who resumed it; null: nobody did either. */
  note: string | null
  /** null: never */
  lastAt: Date | null
  /** null: none is planned */
  nextAt: Date | null
}

/** Returns a row per schedule: its interval, whether it is paused, its last start and its next. */
export async function listSchedules(client: Client): Promise<ListedSchedule[]> {
  const lines: ListedSchedule[] = []
  for await (const { scheduleId } of client.schedule.list()) {
    const described = await describe(client, scheduleId)
    // The list still names a deleted schedule for a moment.
    if (!described) continue
    const { spec, state, info } = described
    const firstRunAt = await client.workflow
      .getHandle(firstRunId(scheduleId))
      .describe()
      .then(({ startTime }) => startTime)
      // The workflow does not exist, or its history is gone.
      .catch(() => null)
    lines.push({
      id: scheduleId,
      everySeconds: (spec.intervals?.[0]?.every ?? 0) / 1_000,
      state: state.paused ? 'paused' : 'active',
      note: state.note || null,
      lastAt: info.recentActions.at(-1)?.takenAt ?? firstRunAt,
      nextAt: info.nextActionTimes[0] ?? null,
    })
  }
  return lines.sort((a, b) => a.id.localeCompare(b.id))
}

/** Returns the schedule; null: it is gone. */
function describe(client: Client, id: string): Promise<ScheduleDescription | null> {
  return client.schedule
    .getHandle(id)
    .describe()
    .catch((error: unknown) => {
      if (error instanceof ScheduleNotFoundError) return null
      throw error
    })
}
