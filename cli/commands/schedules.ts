import {
  type Client,
  type ScheduleDescription,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
} from '@temporalio/client'
import { firstRunId } from '../../db/values/first-run.ts'
import { CommandError, UsageError } from '../command.ts'
import type { Given, GivenOf } from '../command-spec.ts'
import { withOperatorTemporal } from '../operator-temporal.ts'
import { printRows } from '../print.ts'
import type { SCHEDULES } from '../specs/watch.ts'

export async function run(given: Given<typeof SCHEDULES>): Promise<void> {
  if (given.action === 'list') return printRows(await withOperatorTemporal(listSchedules), given)
  await withOperatorTemporal((client) => act(client, given))
}

async function act(
  client: Client,
  given: Exclude<Given<typeof SCHEDULES>, { action: 'list' }>,
): Promise<void> {
  const { action, id } = given
  const handle = client.schedule.getHandle(id)
  try {
    switch (action) {
      case 'pause':
        await handle.pause('by the operator')
        break
      case 'resume':
        await handle.unpause('by the operator')
        break
      case 'trigger':
        await handle.trigger()
        break
      case 'backfill':
        await backfill(client, given)
    }
  } catch (error) {
    if (error instanceof ScheduleNotFoundError)
      throw new CommandError(`there is no schedule ${id}; see "sluice schedules list"`)
    throw error
  }
  if (action !== 'backfill') console.log(`${id}: ${action} done`)
}

/** Starts a run for each time the schedule was due in the span, and prints the number of runs. */
async function backfill(client: Client, given: GivenOf<typeof SCHEDULES, 'backfill'>): Promise<void> {
  const { id, from: start, to: end } = given
  if (start >= end) throw new UsageError('--from must be before --to')
  const handle = client.schedule.getHandle(id)
  const { spec } = await handle.describe()
  const everyMs = spec.intervals?.[0]?.every ?? 0
  // Temporal's intervals begin at the epoch.
  const runs =
    everyMs === 0 ? 0 : Math.floor(end.getTime() / everyMs) - Math.ceil(start.getTime() / everyMs) + 1
  if (given['dry-run']) return console.log(`${id}: would run ${runs} times, one after the other`)
  await handle.backfill({ start, end, overlap: ScheduleOverlapPolicy.BUFFER_ALL })
  console.log(`${id}: backfill done, ${runs} runs, one after the other`)
}

/** Returns a row per schedule: its interval, whether it is paused, its last start and its next. */
export async function listSchedules(client: Client): Promise<Record<string, string>[]> {
  const lines: Record<string, string>[] = []
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
      every: `${(spec.intervals?.[0]?.every ?? 0) / 1000} s`,
      state: state.paused ? `paused ${state.note ?? ''}`.trim() : 'active',
      last: (info.recentActions.at(-1)?.takenAt ?? firstRunAt)?.toISOString() ?? 'never',
      next: info.nextActionTimes[0]?.toISOString() ?? 'none',
    })
  }
  return lines.sort((a, b) => a['id']!.localeCompare(b['id']!))
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
