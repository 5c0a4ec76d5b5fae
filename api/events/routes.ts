import type { Route } from '../route.ts'
import { getEvents } from './get-events.ts'
import { getEventStream } from './get-stream.ts'
import { postEventTicket } from './post-ticket.ts'
import { webhookRoutes } from './webhook-routes.ts'

export const eventsRoutes: readonly Route[] = [getEvents, getEventStream, postEventTicket, ...webhookRoutes]
