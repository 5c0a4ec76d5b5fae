import type { AreaSpec } from '../area.ts'

/** DeFi positions of synced wallets, read from the JSON-RPC nodes of the chain area. */
export const defiArea: AreaSpec = {
  name: 'defi',
  sources: [],
  schedules: [
    // A synced wallet is due at once. The others are read again because interest and pool prices change.
    {
      id: 'refresh-defi',
      workflow: 'refreshDefi',
      everySeconds: 30,
      jitterSeconds: 5,
      input: { olderThanSeconds: 300, limit: 500, parallel: 4 },
    },
  ],
  tables: ['defi_protocols', 'defi_deployments', 'defi_reads', 'defi_positions', 'defi_assets'],
  freshnessTargetSeconds: 600,
}
