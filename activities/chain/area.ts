import type { AreaSpec } from '../area.ts'

/** EVM wallets: transactions, transfers, tokens and balances. JSON-RPC nodes are configured by RPC_URL_<NETWORK>. */
export const chainArea: AreaSpec = {
  name: 'chain',
  sources: [
    {
      name: 'etherscan',
      urlVariable: 'ETHERSCAN_URL',
      defaultUrl: 'https://api.etherscan.io/v2/api',
      keyVariable: 'ETHERSCAN_API_KEY',
      keyRequired: true,
      requestsPerSecond: 3,
      burst: 3,
      quota: { requests: 100_000, per: 'day' },
    },
    {
      name: 'blockscout',
      urlVariable: 'BLOCKSCOUT_URL',
      defaultUrl: 'https://api.blockscout.com',
      keyVariable: 'BLOCKSCOUT_API_KEY',
      keyRequired: true,
      requestsPerSecond: 5,
      burst: 5,
    },
  ],
  schedules: [
    {
      id: 'refresh-wallets',
      workflow: 'refreshWallets',
      everySeconds: 60,
      jitterSeconds: 10,
      input: { olderThanSeconds: 300, limit: 500, parallel: 8 },
    },
  ],
  tables: [
    ...['networks', 'blocks', 'wallets', 'wallet_syncs', 'tokens', 'transactions', 'transfers'],
    ...['wallet_transactions', 'movements', 'balances'],
  ],
  freshnessTargetSeconds: 600,
}
