import { type Client, type ScheduleDescription, ScheduleNotFoundError } from '@temporalio/client'
import { doNoted } from '../../db/console/note-action.ts'
import type { Db, ReadonlyDb } from '../../db/schema.ts'
import { SOURCES_MEMO } from '../../db/values/run-attributes.ts'

/**
 * Starts every schedule whose runs ask a source, and notes who did it. A run that is going goes on. Returns their ids;
 * empty: no schedule asks it, so nothing is noted.
 */
export async function triggerSource(
  { db, client }: { db: Db | ReadonlyDb; client: Client },
  { source, operator }: { source: string; operator: string },
): Promise<string[]> {
  const schedules = await schedulesOf(client, source)
  if (schedules.length === 0) return []
  await doNoted(db, { operator, action: 'run the schedules of a source', subject: source }, () =>
    Promise.all(schedules.map((id) => client.schedule.getHandle(id).trigger())),
  )
  return schedules
}

async function schedulesOf(client: Client, source: string): Promise<string[]> {
  const ids: string[] = []
  for await (const { scheduleId } of client.schedule.list()) ids.push(scheduleId)
  const asking = await Promise.all(ids.map((id) => asks(client, { id, source })))
  return ids.filter((_, i) => asking[i]).toSorted((a, b) => a.localeCompare(b))
}

/** The list still names a deleted schedule for a moment. */
async function asks(client: Client, { id, source }: { id: string; source: string }): Promise<boolean> {
  try {
    return sourcesOf(await client.schedule.getHandle(id).describe()).includes(source)
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return false
    throw error
  }
}

function sourcesOf({ action }: ScheduleDescription): readonly unknown[] {
  const sources = action.memo?.[SOURCES_MEMO]
  return Array.isArray(sources) ? sources : []
}
