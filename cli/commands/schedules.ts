import { parseArgs } from 'node:util'
import { type Client, ScheduleNotFoundError, ScheduleOverlapPolicy } from '@temporalio/client'
import { CommandError } from '../command.ts'
import { withOperatorTemporal } from '../operator-temporal.ts'

const USAGE = `sluice schedules list
sluice schedules pause|resume|trigger ID
sluice schedules backfill ID --from 2026-01-01T00:00:00Z --to 2026-01-02T00:00:00Z`

export async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { from: { type: 'string' }, to: { type: 'string' } },
  })
  const [action = 'list', id] = positionals
  if (action === 'list') {
    console.table(await withOperatorTemporal(listSchedules))
    return 0
  }
  if (!id) throw new CommandError(USAGE)
  await withOperatorTemporal((client) => act(client, { action, id, ...values }))
  console.log(`${id}: ${action} done`)
  return 0
}

interface Action {
  action: string
  id: string
  from?: string
  to?: string
}

async function act(client: Client, { action, id, from, to }: Action): Promise<void> {
  const handle = client.schedule.getHandle(id)
  try {
    switch (action) {
      case 'pause':
        return await handle.pause('by the operator')
      case 'resume':
        return await handle.unpause('by the operator')
      case 'trigger':
        return await handle.trigger()
      case 'backfill':
        return await handle.backfill({
          start: instant(from),
          end: instant(to),
          overlap: ScheduleOverlapPolicy.BUFFER_ALL,
        })
      default:
        throw new CommandError(USAGE)
    }
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) throw new CommandError(`no schedule ${id}`)
    throw error
  }
}

/** One line per schedule: when it runs, whether it is paused, its last start and its next. */
export async function listSchedules(client: Client): Promise<Record<string, string>[]> {
  const lines: Record<string, string>[] = []
  for await (const { scheduleId } of client.schedule.list()) {
    const { spec, state, info } = await client.schedule.getHandle(scheduleId).describe()
    lines.push({
      id: scheduleId,
      every: `${(spec.intervals?.[0]?.every ?? 0) / 1000} s`,
      state: state.paused ? `paused ${state.note ?? ''}`.trim() : 'active',
      last: info.recentActions.at(-1)?.takenAt.toISOString() ?? 'never',
      next: info.nextActionTimes[0]?.toISOString() ?? 'none',
    })
  }
  return lines.sort((a, b) => a['id']!.localeCompare(b['id']!))
}

function instant(text: string | undefined): Date {
  const date = new Date(text ?? '')
  if (Number.isNaN(date.getTime())) throw new CommandError(USAGE)
  return date
}
