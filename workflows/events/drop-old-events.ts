import type { EventsActivities } from '../../activities/events/index.ts'
import { activitiesApart } from '../activities-apart.ts'
import { bulkLoad } from '../policies.ts'

const bulk = activitiesApart<EventsActivities>('derived', bulkLoad)

/** Drops events that are older than their accounts' plans keep them. */
export async function dropOldEvents(): Promise<{ gone: number }> {
  return { gone: await bulk.dropOldEvents() }
}
