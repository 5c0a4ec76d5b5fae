import type { AreaSpec } from '../area.ts'

/** Portfolios of accounts: wallets, exchange accounts and manual portfolios. */
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
  orders: { recomputePortfolio: 'waiting', refreshAccount: 'waiting', removePortfolio: 'refresh' },
  tables: ['portfolios', 'manual_transactions', 'portfolio_shares'],
}
