/**
 * Entries of each path from a source to the answer of `/v1`: the activities that write and the route that
 * reads.
 */
export const PATHS = {
  transaction: [
    'activities/chain/sources/rpc.ts',
    'activities/chain/backfill-step.ts',
    'activities/chain/normalise-step.ts',
    'api/chain/get-transactions.ts',
  ],
  'P&L point': ['activities/pnl/index.ts', 'api/chain/get-pl-history.ts'],
}
