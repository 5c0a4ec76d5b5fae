import type { AreaSpec } from '../area.ts'

/** DeFi positions of synced wallets, read from the JSON-RPC nodes of the chain area. */
export const defiArea: AreaSpec = {
  name: 'defi',
  sources: [],
  requests: async () => (await import('./requests.ts')).defiRequests,
  schedules: [
    // A marked wallet is due at once. Positions are read again because interest and pool prices change.
    {
      id: 'refresh-defi',
      workflow: 'refreshDefi',
      everySeconds: 30,
      jitterSeconds: 5,
      input: { olderThanSeconds: 300, limit: 500 },
    },
  ],
  tables: ['defi_protocols', 'defi_deployments', 'defi_reads', 'defi_marks', 'defi_positions', 'defi_assets'],
}
