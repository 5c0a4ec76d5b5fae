import type { AreaSpec } from '../area.ts'

/** What accounts keep together: wallets, accounts at exchanges, and transactions stated by hand. */
export const portfoliosArea: AreaSpec = {
  name: 'portfolios',
  sources: [],
  schedules: [
    {
      id: 'forget-replaced',
      workflow: 'forgetReplaced',
      everySeconds: 86_400,
      jitterSeconds: 3_600,
      input: null,
    },
  ],
  tables: ['portfolios', 'manual_transactions', 'portfolio_shares'],
  freshnessTargetSeconds: 600,
}
