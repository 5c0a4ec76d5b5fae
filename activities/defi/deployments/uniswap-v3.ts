import type { ByNetwork } from './by-network.ts'

/**
 * NonfungiblePositionManager of Uniswap v3 and of its forks, from npm's @uniswap/sdk-core (CHAIN_TO_ADDRESSES_MAP),
 * https://developer.pancakeswap.finance/contracts/v3/addresses and https://docs.sushi.com (V3 deployments).
 */
export const UNISWAP_V3_MANAGERS = {
  uniswap: {
    ethereum: '0xc36442b4a4522e871399cd717abdd847ab11fe88',
    binancesmartchain: '0x7b8a01b39d58278b5de7e48c8449c9f4f5170613',
    'base-wallet': '0x03a520b32c04bf3beef7beb72e919cf822ed34f1',
    'polygon-wallet': '0xc36442b4a4522e871399cd717abdd847ab11fe88',
    'arbitrum-wallet': '0xc36442b4a4522e871399cd717abdd847ab11fe88',
    'optimism-wallet': '0xc36442b4a4522e871399cd717abdd847ab11fe88',
    'avalanche-wallet': '0x655c406ebfa14ee2006250925e54ec43ad184f8b',
    'monad-wallet': '0x7197e214c0b767cfb76fb734ab638e2c192f4e53',
    'unichain-wallet': '0x943e6e07a7e8e791dafc44083e54041d743c46e9',
    'worldchain-wallet': '0xec12a9f9a09f50550686363766cc153d03c27b5e',
    'soneium-wallet': '0x56c1205b0244332011c1e866f4ea5384eb6bfa2c',
    'ink-wallet': '0xc0836e5b058bbe22ae2266e1ac488a1a0fd8dce8',
    'blast-wallet': '0xb218e4f7cf0533d4696fdfc419a0023d33345f28',
    'zora-wallet': '0xbc91e8dfa3ff18de43853372a3d7dfe585137d78',
    'celo-wallet': '0x3d79edaabc0eab6f08ed885c05fc0b014290d95a',
    'linea-wallet': '0x4615c383f85d0a2bbed973d83ccecf5cb7121463',
    'megaeth-wallet': '0xcdc86e98184e96436f733a8bf31bd4f0214e6d7d',
    'xlayer-wallet': '0x315e413a11ab0df498ef83873012430ca36638ae',
  },
  pancakeswap: {
    ethereum: '0x46a15b0b27311cedf172ab29e4f4766fbe7f4364',
    binancesmartchain: '0x46a15b0b27311cedf172ab29e4f4766fbe7f4364',
    'base-wallet': '0x46a15b0b27311cedf172ab29e4f4766fbe7f4364',
    'arbitrum-wallet': '0x46a15b0b27311cedf172ab29e4f4766fbe7f4364',
    'linea-wallet': '0x46a15b0b27311cedf172ab29e4f4766fbe7f4364',
    'opbnb-wallet': '0x46a15b0b27311cedf172ab29e4f4766fbe7f4364',
  },
  sushiswap: {
    ethereum: '0x2214a42d8e2a1d20635c2cb0664422c528b6a432',
    'base-wallet': '0x80c7dd17b01855a6d2347444a0fcc36136a314de',
    'polygon-wallet': '0xb7402ee99f0a008e461098ac3a27f4957df89a40',
    'arbitrum-wallet': '0xf0cbce1942a68beb3d1b73f0dd86c8dcc363ef49',
  },
} satisfies Record<string, ByNetwork<string>>
