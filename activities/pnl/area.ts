import type { AreaSpec } from '../area.ts'

/** P&L of books (wallets on networks, exchange accounts, manual portfolios), from legs and prices. */
export const pnlArea: AreaSpec = {
  name: 'pnl',
  sources: [],
  schedules: [
    // Handles price changes and midnights. For new transactions a sync computes P&L itself, and the loop that of
    // followed wallets.
    {
      id: 'refresh-pnl',
      workflow: 'refreshPnl',
      everySeconds: 300,
      jitterSeconds: 30,
      input: { limit: 1_000 },
    },
    {
      id: 'snapshot-portfolios',
      workflow: 'snapshotPortfolios',
      everySeconds: 300,
      jitterSeconds: 30,
      input: { limit: 500 },
    },
  ],
  loops: [{ id: 'compute-changed-pnl', workflow: 'computeChangedPnl' }],
  tables: [
    'books',
    'pl_days',
    'balance_days',
    'pl_states',
    'transfer_matches',
    'scopes',
    'folds',
    'coin_folds',
    'coin_fold_days',
    'lot_uses',
    'coin_moves',
    'role_treatments',
    'portfolio_snapshots',
    'transaction_days',
  ],
}
