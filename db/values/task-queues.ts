/** Task queue of workflows and of all activities that end soon. */
export const TASK_QUEUE = 'sluice'

/** Task queue of the followers, whose activities take an hour and must not take the places of others. */
export const FOLLOW_QUEUE = 'sluice-follow'

/** What must not take the places of what somebody waits for: reads of history, computing, exports. */
export const APART = ['history', 'derived', 'exports'] as const
export type Apart = (typeof APART)[number]

/** Task queue of such activities of the workflows on `taskQueue`: `sluice-history`. */
export const queueApart = (taskQueue: string, apart: Apart): string => `${taskQueue}-${apart}`
