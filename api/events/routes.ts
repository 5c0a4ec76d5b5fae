import type { Route } from '../route.ts'
import { deleteAlerts } from './delete-alerts.ts'
import { getAlerts } from './get-alerts.ts'
import { getEvents } from './get-events.ts'
import { getEventStream } from './get-stream.ts'
import { postAlert } from './post-alert.ts'
import { postEventTicket } from './post-ticket.ts'
import { webhookRoutes } from './webhook-routes.ts'

export const eventsRoutes: readonly Route[] = [
  getEvents,
  getEventStream,
  postEventTicket,
  getAlerts,
  postAlert,
  deleteAlerts,
  ...webhookRoutes,
]
