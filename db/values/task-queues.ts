/** Task queue of workflows and of all activities that end soon. */
export const TASK_QUEUE = 'sluice'

/** Task queue of the followers, whose activities take an hour and must not take the places of others. */
export const FOLLOW_QUEUE = 'sluice-follow'
