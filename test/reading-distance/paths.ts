/** From what a node or a source says to what `/v1` answers: the activities that write it and the route that reads it. */
export const PATHS = {
  transaction: [
    'activities/chain/sources/rpc.ts',
    'activities/chain/backfill-step.ts',
    'activities/chain/normalise-step.ts',
    'api/chain/get-transactions.ts',
  ],
  'P&L point': ['activities/pnl/recompute-book.ts', 'api/chain/get-pl-history.ts'],
}
