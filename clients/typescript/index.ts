export type { Paths, Webhooks } from './api-types.ts'
export { type ErrorKind, SluiceError } from './errors.ts'
export { type EventType, type SluiceEvent, UnverifiedEvent, verifyEvent } from './events.ts'
export { eachItem, type ItemOf, type PagedPath } from './pages.ts'
export {
  type Answer,
  type ClientOptions,
  createSluiceClient,
  type Data,
  type Input,
  type SluiceClient,
} from './sluice-client.ts'
export { streamEvents, type StreamOptions } from './stream.ts'
