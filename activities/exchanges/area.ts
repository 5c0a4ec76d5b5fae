import type { AreaSpec } from '../area.ts'
import { EXCHANGES } from '../../db/values/exchanges.ts'
import { exchangeSpec } from './exchanges.ts'

/** Exchange accounts: fills, deposits, withdrawals, balances. */
export const exchangesArea: AreaSpec = {
  name: 'exchanges',
  sources: EXCHANGES.map(({ id, name }) => ({
    ...exchangeSpec(id).source,
    meaning: `Accounts at ${name}, each with its own key`,
    without: `No accounts at ${name}`,
  })),
  questions: async () => (await import('./questions.ts')).exchangeQuestions,
  requests: async () => (await import('./requests.ts')).exchangeRequests,
  schedules: [
    {
      id: 'refresh-exchanges',
      workflow: 'refreshExchanges',
      everySeconds: 60,
      jitterSeconds: 10,
      input: { olderThanSeconds: 300, limit: 200, parallel: 4 },
    },
  ],
  orders: { connectExchange: 'waiting', syncExchange: 'waiting' },
  tables: [
    'exchange_connections',
    'exchange_balances',
    'exchange_assets',
    'exchange_transactions',
    'exchange_legs',
    'exchange_cursors',
  ],
  freshnessTargetSeconds: 600,
}
