import type { AreaSpec } from '../area.ts'

/** What accounts keep together: wallets, accounts at exchanges, and transactions stated by hand. */
export const portfoliosArea: AreaSpec = {
  name: 'portfolios',
  sources: [],
  schedules: [],
  tables: ['portfolios', 'manual_transactions', 'portfolio_shares'],
  freshnessTargetSeconds: 600,
}
