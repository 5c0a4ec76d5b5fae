import { COSMOS_NETWORKS } from '../../db/values/networks/account-networks.ts'
import { UTXO_NETWORKS } from '../../db/values/networks/utxo-networks.ts'
import type { AreaSpec, SourceSpec } from '../area.ts'

/** Compute units of a request to Alchemy's Transfers API. */
export const ALCHEMY_TRANSFERS_UNITS = 120

/** Operators name a Blockbook themselves: those of Trezor are for its own wallet. */
const BLOCKBOOKS = UTXO_NETWORKS.map(({ id, name, history: [source] }): SourceSpec => ({
  name: source,
  adapter: 'blockbook',
  meaning: `${name} wallets: a [Blockbook](https://github.com/trezor/blockbook) of the network`,
  sandbox: { path: `/blockbook/${id}` },
  without: `No ${name} wallets`,
  urlVariable: `${id.toUpperCase().replaceAll('-', '_')}_BLOCKBOOK_URL`,
  defaultUrl: null,
  requestsPerSecond: 5,
  burst: 10,
}))

/** Operators name an archive node: public ones keep the transactions of days or weeks. */
const COSMOS_NODES = COSMOS_NETWORKS.map(({ id, name, history: [source] }): SourceSpec => ({
  name: source,
  adapter: 'cosmos',
  meaning: `${name} wallets: the REST interface of a node with the whole history`,
  sandbox: { path: `/cosmos-rest/${id}` },
  without: `No ${name} wallets`,
  urlVariable: `${id.toUpperCase()}_REST_URL`,
  defaultUrl: null,
  // Providers of nodes publish no common limit.
  requestsPerSecond: 2,
  burst: 5,
}))

/**
 * Wallets: transactions, transfers, tokens and balances. The JSON-RPC nodes of EVM networks are configured by
 * RPC_URL_<NETWORK>; Bitcoin comes from Esplora, what descends from it from Blockbook, Solana from its JSON-RPC.
 */
export const chainArea: AreaSpec = {
  name: 'chain',
  sources: [
    {
      name: 'etherscan',
      meaning: 'Wallet history: [which explorer is asked](figures.md#sources-of-evm-networks)',
      sandbox: { path: '/etherscan/v2/api', key: 'sandbox' },
      without:
        'Blockscout and Routescan answer for the networks that they serve. Elsewhere a node reads up to 100,000 blocks, and a longer history is a gap',
      urlVariable: 'ETHERSCAN_URL',
      defaultUrl: 'https://api.etherscan.io/v2/api',
      key: {
        variable: 'ETHERSCAN_API_KEY',
        gives:
          'The history of wallets on most networks; on Base, Optimism, BNB and Avalanche only with a paid plan',
        from: 'https://etherscan.io/apis',
        isRequired: true,
      },
      // A burst would put more than three into one second.
      requestsPerSecond: 3,
      burst: 1,
      quota: { requests: 100_000, per: 'day' },
    },
    {
      name: 'blockscout',
      meaning: 'Wallet history',
      sandbox: { path: '/blockscout' },
      without:
        'On Base, Optimism and Gnosis a node reads up to 100,000 blocks, and a longer history is a gap',
      urlVariable: 'BLOCKSCOUT_URL',
      defaultUrl: 'https://api.blockscout.com',
      key: {
        variable: 'BLOCKSCOUT_API_KEY',
        gives: 'The history of wallets on Base, Optimism and Gnosis, and a second explorer elsewhere',
        from: 'https://dev.blockscout.com',
        isRequired: true,
      },
      requestsPerSecond: 5,
      burst: 1,
      // 100,000 credits at 20 a call
      quota: { requests: 5_000, per: 'day', units: '100,000 credits, 20 a call' },
    },
    {
      name: 'routescan',
      adapter: 'etherscan',
      meaning: 'Wallet history of Ethereum and Avalanche',
      without: 'On Avalanche, Etherscan (paid plan) and Blockscout are asked; on Ethereum, the same two',
      urlVariable: 'ROUTESCAN_URL',
      defaultUrl: 'https://api.routescan.io/v2/network/mainnet/evm',
      key: {
        variable: 'ROUTESCAN_API_KEY',
        gives: 'Ten times the requests. Pages that show the data to the public must name Routescan',
        from: 'https://routescan.io',
        isRequired: false,
      },
      requestsPerSecond: 5,
      burst: 1,
      quota: { requests: 100_000, per: 'day' },
      keyless: { requestsPerSecond: 2, burst: 1, quota: { requests: 10_000, per: 'day' } },
    },
    {
      name: 'alchemy-transfers',
      meaning:
        'Wallet history of BNB and wherever no other explorer answers. In its address, `{network}` stands for the name of the network. What contracts sent is known on Ethereum and Polygon only',
      without: 'On BNB the history needs a paid plan of Etherscan',
      urlVariable: 'ALCHEMY_TRANSFERS_URL',
      defaultUrl: 'https://{network}.g.alchemy.com/v2',
      key: {
        variable: 'ALCHEMY_API_KEY',
        gives: 'The history of wallets on BNB, and another explorer elsewhere',
        from: 'https://dashboard.alchemy.com',
        isRequired: true,
      },
      // 240 of the free plan's 500 units a second: the rest is for the nodes and NFTs of the account.
      requestsPerSecond: 2,
      burst: 2,
      nodeCost: () => ALCHEMY_TRANSFERS_UNITS,
    },
    {
      name: 'esplora',
      meaning: 'Bitcoin wallets; for example `https://mempool.space/api`',
      sandbox: { path: '/esplora/api' },
      without: 'No Bitcoin wallets',
      urlVariable: 'ESPLORA_URL',
      defaultUrl: 'https://blockstream.info/api',
      // The public node bears one request in five seconds. An own node: ESPLORA_RPS.
      requestsPerSecond: 0.2,
      burst: 10,
    },
    ...BLOCKBOOKS,
    {
      name: 'solana',
      meaning:
        "Solana wallets, and their NFTs if the node has the Digital Asset Standard, as those of Helius, QuickNode and Triton; the URL contains the provider's key",
      sandbox: { path: '/solana' },
      without: 'No Solana wallets',
      urlVariable: 'SOLANA_URL',
      defaultUrl: 'https://api.mainnet-beta.solana.com',
      // The public node allows 40 calls of one method in 10 seconds: 5 at once and 3 a second are 35.
      requestsPerSecond: 3,
      burst: 5,
    },
    {
      name: 'trongrid',
      meaning: 'Tron wallets; for example `https://api.trongrid.io`',
      sandbox: { path: '/trongrid' },
      without: 'No Tron wallets',
      urlVariable: 'TRONGRID_URL',
      defaultUrl: null,
      key: {
        variable: 'TRONGRID_API_KEY',
        gives: 'A steady allowance at TronGrid, once `TRONGRID_URL` names it',
        from: 'https://www.trongrid.io',
        isRequired: false,
      },
      requestsPerSecond: 10,
      burst: 10,
      quota: { requests: 100_000, per: 'day' },
      // Not published; busy addresses are refused for a while.
      keyless: { requestsPerSecond: 1, burst: 3 },
    },
    {
      name: 'xrpl',
      meaning:
        'Wallets of the XRP Ledger: a server with the full history, for example `https://s2.ripple.com:51234`',
      sandbox: { path: '/xrpl' },
      without: 'No wallets of the XRP Ledger',
      urlVariable: 'XRPL_URL',
      defaultUrl: null,
      // The public servers publish no limit, and refuse busy addresses for a while.
      requestsPerSecond: 2,
      burst: 5,
    },
    ...COSMOS_NODES,
    {
      name: 'sui-graphql',
      adapter: 'sui',
      meaning:
        'Sui wallets: a GraphQL server with the full history, for example `https://graphql.mainnet.sui.io/graphql`',
      sandbox: { path: '/sui-graphql' },
      without: 'No Sui wallets',
      urlVariable: 'SUI_GRAPHQL_URL',
      defaultUrl: null,
      // The public server publishes no limit.
      requestsPerSecond: 2,
      burst: 5,
    },
    {
      name: 'toncenter',
      meaning: 'TON wallets: an indexer with API v3, for example `https://toncenter.com`',
      sandbox: { path: '/toncenter' },
      without: 'No TON wallets',
      urlVariable: 'TONCENTER_URL',
      defaultUrl: null,
      key: {
        variable: 'TONCENTER_API_KEY',
        gives: 'Ten times the requests of TON Center, once `TONCENTER_URL` names it',
        from: 'https://t.me/toncenter',
        isRequired: false,
      },
      // A burst would put more than ten into one second.
      requestsPerSecond: 10,
      burst: 1,
      keyless: { requestsPerSecond: 1, burst: 1 },
    },
    {
      name: 'koios',
      meaning: 'Cardano wallets: a Koios with API v1, for example `https://api.koios.rest/api/v1`',
      sandbox: { path: '/koios/api/v1' },
      without: 'No Cardano wallets',
      urlVariable: 'KOIOS_URL',
      defaultUrl: null,
      key: {
        variable: 'KOIOS_TOKEN',
        gives: 'Ten times the requests of a day at Koios, and longer ones, once `KOIOS_URL` names it',
        from: 'https://koios.rest/pricing/Pricing.html',
        isRequired: false,
      },
      // 100 requests of one endpoint in 10 seconds; more are refused for 60 seconds.
      requestsPerSecond: 5,
      burst: 10,
      quota: { requests: 50_000, per: 'day' },
      keyless: { requestsPerSecond: 5, burst: 10, quota: { requests: 5_000, per: 'day' } },
    },
  ],
  questions: async () => (await import('./questions.ts')).chainQuestions,
  requests: async () => (await import('./requests.ts')).chainRequests,
  schedules: [
    {
      id: 'refresh-wallets',
      workflow: 'refreshWallets',
      everySeconds: 60,
      jitterSeconds: 10,
      input: { olderThanSeconds: 300, limit: 500, parallel: 8 },
    },
    {
      id: 'check-wallets',
      workflow: 'checkWallets',
      everySeconds: 60,
      jitterSeconds: 10,
      // Below the age at which a wallet is due for a sync.
      input: { networkId: 'solana', olderThanSeconds: 200, accounts: 5_000, parallel: 4 },
      sources: ['solana'],
    },
  ],
  orders: { syncWallet: 'waiting', verifyWallets: 'refresh' },
  tables: [
    'networks',
    'blocks',
    'wallets',
    'wallet_syncs',
    'tokens',
    'transactions',
    'transfers',
    'wallet_accounts',
    'account_checks',
    'wallet_transactions',
    'movements',
    'balances',
    'wallet_spam',
  ],
  works: { backfillWallet: 'history' },
  freshnessTargetSeconds: 600,
}
