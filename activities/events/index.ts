import { dropOldEvents } from '../../db/events/drop-old-events.ts'
import type { ActivityDeps } from '../deps.ts'
import { resolveName } from '../public-lookup.ts'
import { decidePortfolioAlerts } from './decide-portfolio-alerts.ts'
import { deliverWebhooks } from './deliver-webhooks.ts'
import { publishLoop } from './publish-loop.ts'
import { createWebhookSender } from './send-webhook.ts'

export type EventsActivities = ReturnType<typeof createEventsActivities>

export function createEventsActivities(
  deps: Pick<ActivityDeps, 'db' | 'pool' | 'ending' | 'wait' | 'config' | 'now' | 'log'>,
) {
  return {
    /** Publishes for about an hour. */
    async publishEvents(): Promise<void> {
      await publishLoop(deps)
    },

    /** Decides the alerts on portfolios for about an hour. */
    async decidePortfolioAlerts(): Promise<void> {
      await decidePortfolioAlerts(deps)
    },

    /** Delivers for about an hour. */
    async deliverWebhooks(): Promise<void> {
      const { webhookHosts: allowed, exchangeKeys: privateKeys } = deps.config
      const sender = createWebhookSender({ allowed, resolve: resolveName })
      try {
        await deliverWebhooks({ ...deps, sender, privateKeys, random: Math.random })
      } finally {
        await sender.close()
      }
    },

    dropOldEvents: () => dropOldEvents(deps.pool),
  }
}
