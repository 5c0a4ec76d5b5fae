import { dropOldEvents } from '../../db/events/drop-old-events.ts'
import type { ActivityDeps } from '../deps.ts'
import { publishLoop } from './publish-loop.ts'

export type EventsActivities = ReturnType<typeof createEventsActivities>

export function createEventsActivities(deps: Pick<ActivityDeps, 'pool' | 'ending'>) {
  return {
    /** Publishes for about an hour. */
    async publishEvents(): Promise<void> {
      await publishLoop(deps)
    },

    dropOldEvents: () => dropOldEvents(deps.pool),
  }
}
