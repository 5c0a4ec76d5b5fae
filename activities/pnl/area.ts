import type { AreaSpec } from '../area.ts'

/** Profit and loss of books, i.e. wallets on networks, exchange accounts and manual portfolios, derived from their legs and the prices. */
export const pnlArea: AreaSpec = {
  name: 'pnl',
  sources: [],
  schedules: [
    // Late transactions come with a sync, which computes them itself; this one follows price changes and midnights.
    {
      id: 'refresh-pnl',
      workflow: 'refreshPnl',
      everySeconds: 300,
      jitterSeconds: 30,
      input: { limit: 500, parallel: 2 },
    },
    {
      id: 'snapshot-portfolios',
      workflow: 'snapshotPortfolios',
      everySeconds: 300,
      jitterSeconds: 30,
      input: { limit: 500 },
    },
  ],
  tables: [
    'books',
    'pl_days',
    'balance_days',
    'pl_states',
    'transfer_matches',
    'scopes',
    'folds',
    'coin_folds',
    'coin_moves',
    'role_treatments',
    'portfolio_snapshots',
    'transaction_days',
  ],
  freshnessTargetSeconds: 86_400 + 1_800,
}
