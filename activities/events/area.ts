import type { AreaSpec } from '../area.ts'

/** Events that are pushed to accounts: what happened to wallets that they watch. */
export const eventsArea: AreaSpec = {
  name: 'events',
  sources: [],
  schedules: [
    {
      id: 'drop-old-events',
      workflow: 'dropOldEvents',
      everySeconds: 3_600,
      jitterSeconds: 600,
      input: null,
    },
  ],
  loops: [
    { id: 'decide-portfolio-alerts', workflow: 'decidePortfolioAlerts' },
    { id: 'publish-events', workflow: 'publishEvents' },
    { id: 'deliver-webhooks', workflow: 'deliverWebhooks' },
  ],
  tables: ['account_events'],
}
