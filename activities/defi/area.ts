import type { AreaSpec } from '../area.ts'

/** Positions of synced wallets in DeFi protocols, read from the JSON-RPC nodes of the chain area. */
export const defiArea: AreaSpec = {
  name: 'defi',
  sources: [],
  schedules: [
    // A sync makes its wallet due at once; the others follow because interest and prices of pools go on.
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
