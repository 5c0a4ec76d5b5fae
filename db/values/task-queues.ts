/** Task queue of workflows and of all activities that end soon. */
export const TASK_QUEUE = 'sluice'

/** Task queue of the followers, whose activities take an hour and must not take the places of others. */
export const FOLLOW_QUEUE = 'sluice-follow'

/** What must not take the places of what somebody waits for: reads of history, computing, exports. */
export const APART = ['history', 'derived', 'exports'] as const
export type Apart = (typeof APART)[number]

/** Task queue of such activities of the workflows on `taskQueue`: `sluice-history`. */
export const queueApart = (taskQueue: string, apart: Apart): string => `${taskQueue}-${apart}`

/**
 * Activities at the same time in one worker process, by queue; `main` is that of the workflows. What reads history
 * mostly waits for sources, what is derived takes a processor, and an export reads every table.
 */
export type WorkerPlaces = Readonly<Record<'main' | Apart, number>>
export const PLACES: WorkerPlaces = { main: 16, history: 8, derived: 4, exports: 1 }
