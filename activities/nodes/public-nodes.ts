/**
 * Nodes that answer without a key, by network, of different operators and in the order in which they are asked. None has
 * old blocks for sure. From the public list of DefiLlama/chainlist of 2026-08-22.
 */
export const PUBLIC_NODES: Readonly<Record<string, readonly string[]>> = {
  ethereum: [
    'https://ethereum-rpc.publicnode.com',
    'https://eth.drpc.org',
    'https://mainnet.gateway.tenderly.co',
  ],
  'base-wallet': [
    'https://base-rpc.publicnode.com',
    'https://base.drpc.org',
    'https://mainnet.base.org',
    'https://base.gateway.tenderly.co',
  ],
  'arbitrum-wallet': [
    'https://arbitrum-one-rpc.publicnode.com',
    'https://arbitrum.drpc.org',
    'https://arb1.arbitrum.io/rpc',
    'https://arbitrum.gateway.tenderly.co',
  ],
  'optimism-wallet': [
    'https://optimism-rpc.publicnode.com',
    'https://optimism.drpc.org',
    'https://mainnet.optimism.io',
    'https://optimism.gateway.tenderly.co',
  ],
  'polygon-wallet': [
    'https://polygon-bor-rpc.publicnode.com',
    'https://polygon.drpc.org',
    'https://polygon-rpc.com',
    'https://polygon.gateway.tenderly.co',
  ],
  binancesmartchain: [
    'https://bsc-rpc.publicnode.com',
    'https://bsc.drpc.org',
    'https://bsc-dataseed.bnbchain.org',
  ],
  'avalanche-wallet': [
    'https://avalanche-c-chain-rpc.publicnode.com',
    'https://avalanche.drpc.org',
    'https://api.avax.network/ext/bc/C/rpc',
    'https://avalanche-mainnet.gateway.tenderly.co',
  ],
}
