import type { AreaSpec } from '../area.ts'
import { EXCHANGE_SPECS } from './exchanges.ts'

/** Exchange accounts: fills, deposits, withdrawals, balances. */
export const exchangesArea: AreaSpec = {
  name: 'exchanges',
  sources: EXCHANGE_SPECS.map(({ source }) => source),
  questions: async () => (await import('./questions.ts')).exchangeQuestions,
  schedules: [
    {
      id: 'refresh-exchanges',
      workflow: 'refreshExchanges',
      everySeconds: 60,
      jitterSeconds: 10,
      input: { olderThanSeconds: 300, limit: 200, parallel: 4 },
    },
  ],
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
