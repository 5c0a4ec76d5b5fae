import type { ByNetwork } from './by-network.ts'

/**
 * Factory of Uniswap v2 and of its forks, from npm's @uniswap/sdk-core (V2_FACTORY_ADDRESSES), and from
 * https://github.com/DefiLlama/DefiLlama-Adapters (projects/sushiswap, pancake-swap, quickswap and traderjoe).
 */
export const UNISWAP_V2_FACTORIES = {
  uniswap: {
    ethereum: '0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f',
    binancesmartchain: '0x8909dc15e40173ff4699343b6eb8132c65e18ec6',
    'base-wallet': '0x8909dc15e40173ff4699343b6eb8132c65e18ec6',
    'polygon-wallet': '0x9e5a52f57b3038f1b8eee45f28b3c1967e22799c',
    'arbitrum-wallet': '0xf1d7cc64fb4452f05c498126312ebe29f30fbcf9',
    'optimism-wallet': '0x0c3c1c532f1e39edf36be9fe0be1410313e074bf',
    'avalanche-wallet': '0x9e5a52f57b3038f1b8eee45f28b3c1967e22799c',
    'monad-wallet': '0x182a927119d56008d921126764bf884221b10f59',
    'unichain-wallet': '0x1f98400000000000000000000000000000000002',
    'worldchain-wallet': '0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f',
    'soneium-wallet': '0x97febbc2adbd5644ba22736e962564b23f5828ce',
    'ink-wallet': '0xfe57a6ba1951f69ae2ed4abe23e0f095df500c04',
    'blast-wallet': '0x5c346464d33f90babaf70db6388507cc889c1070',
    'celo-wallet': '0x79a530c8e2fa8748b7b40dd3629c0520c2ccf03f',
    'linea-wallet': '0x114a43df6c5f54ebb8a9d70cd1951d3dd68004c7',
    'megaeth-wallet': '0xbf56488c857a881ae7e3bed27cf99c10a7ab7e50',
    'xlayer-wallet': '0xdf38f24fe153761634be942f9d859f3dba857e95',
  },
  sushiswap: {
    ethereum: '0xc0aee478e3658e2610c5f7a4a2e1777ce9e4f2ac',
    binancesmartchain: '0xc35dadb65012ec5796536bd9864ed8773abc74c4',
    'base-wallet': '0x71524b4f93c58fcbf659783284e38825f0622859',
    'polygon-wallet': '0xc35dadb65012ec5796536bd9864ed8773abc74c4',
    'arbitrum-wallet': '0xc35dadb65012ec5796536bd9864ed8773abc74c4',
    'optimism-wallet': '0xfbc12984689e5f15626bad03ad60160fe98b303c',
    'avalanche-wallet': '0xc35dadb65012ec5796536bd9864ed8773abc74c4',
    'gnosis-wallet': '0xc35dadb65012ec5796536bd9864ed8773abc74c4',
    'fantom-wallet': '0xc35dadb65012ec5796536bd9864ed8773abc74c4',
    'linea-wallet': '0xfbc12984689e5f15626bad03ad60160fe98b303c',
    'katana-wallet': '0x72d111b4d6f31b38919ae39779f570b747d6acd9',
  },
  pancakeswap: {
    ethereum: '0x1097053fd2ea711dad45caccc45eff7548fcb362',
    binancesmartchain: '0xca143ce32fe78f1f7019d7d551a6402fc5350c73',
    'base-wallet': '0x02a84c1b3bbd7401a5f7fa98a384ebc70bb5749e',
    'arbitrum-wallet': '0x02a84c1b3bbd7401a5f7fa98a384ebc70bb5749e',
    'linea-wallet': '0x02a84c1b3bbd7401a5f7fa98a384ebc70bb5749e',
    'opbnb-wallet': '0x02a84c1b3bbd7401a5f7fa98a384ebc70bb5749e',
  },
  quickswap: { 'polygon-wallet': '0x5757371414417b8c6caad45baef941abc7d3ab32' },
  traderJoe: { 'avalanche-wallet': '0x9ad6c38be94206ca50bb0d90783181662f0cfa10' },
} satisfies Record<string, ByNetwork<string>>
