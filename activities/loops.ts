// Activities that run until their worker shuts down. They have a worker of their own: activities/follow-worker.ts.
export { createDeriveActivities } from './chain/derive/index.ts'
export { createFollowActivities } from './chain/follow/index.ts'
