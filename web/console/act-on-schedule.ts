import { type Client, ScheduleNotFoundError } from '@temporalio/client'
import { doNoted } from '../../db/console/note-action.ts'
import type { Db, ReadonlyDb } from '../../db/schema.ts'

export type ScheduleAction = 'pause' | 'resume' | 'trigger'

/** Pauses, resumes or starts a schedule and notes who did it. false: there is no such schedule. */
export async function actOnSchedule(
  { db, client }: { db: Db | ReadonlyDb; client: Client },
  { action, id, operator }: { action: ScheduleAction; id: string; operator: string },
): Promise<boolean> {
  const handle = client.schedule.getHandle(id)
  try {
    await handle.describe()
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return false
    throw error
  }
  await doNoted(db, { operator, action: `${action} a schedule`, subject: id }, async () => {
    if (action === 'trigger') await handle.trigger()
    else if (action === 'pause') await handle.pause(`by ${operator}`)
    else await handle.unpause(`by ${operator}`)
  })
  return true
}
