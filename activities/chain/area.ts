import type { AreaSpec } from '../area.ts'

/**
 * Wallets: transactions, transfers, tokens and balances. The JSON-RPC nodes of EVM networks are configured by
 * RPC_URL_<NETWORK>; Bitcoin comes from Esplora, Solana from its JSON-RPC.
 */
export const chainArea: AreaSpec = {
  name: 'chain',
  sources: [
    {
      name: 'etherscan',
      meaning: 'Wallet history',
      sandbox: { path: '/etherscan/v2/api', key: 'sandbox' },
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
      meaning: 'Wallet history, used when Etherscan is not configured',
      sandbox: { path: '/blockscout' },
      urlVariable: 'BLOCKSCOUT_URL',
      defaultUrl: 'https://api.blockscout.com',
      keyVariable: 'BLOCKSCOUT_API_KEY',
      keyRequired: true,
      requestsPerSecond: 5,
      burst: 5,
    },
    {
      name: 'esplora',
      meaning: 'Bitcoin wallets; for example `https://mempool.space/api`',
      sandbox: { path: '/esplora/api' },
      urlVariable: 'ESPLORA_URL',
      defaultUrl: 'https://blockstream.info/api',
      keyVariable: null,
      keyRequired: false,
      requestsPerSecond: 5,
      burst: 10,
    },
    {
      name: 'solana',
      meaning: "Solana wallets; the URL contains the provider's key",
      sandbox: { path: '/solana' },
      urlVariable: 'SOLANA_URL',
      defaultUrl: 'https://api.mainnet-beta.solana.com',
      keyVariable: null,
      keyRequired: false,
      // The public node allows 40 calls of one method in 10 seconds.
      requestsPerSecond: 4,
      burst: 10,
    },
  ],
  questions: async () => (await import('./questions.ts')).chainQuestions,
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
    'networks',
    'blocks',
    'wallets',
    'wallet_syncs',
    'tokens',
    'transactions',
    'transfers',
    'wallet_accounts',
    'wallet_transactions',
    'movements',
    'balances',
  ],
  freshnessTargetSeconds: 600,
}
