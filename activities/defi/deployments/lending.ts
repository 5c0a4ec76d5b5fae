import type { MorphoDeployment } from '../families/morpho-blue.ts'
import type { ByNetwork } from './by-network.ts'

/**
 * PoolAddressesProvider of each market of Aave v3 and its forks, from npm's @aave-dao/aave-address-book and
 * https://docs.spark.fi/dev/deployments.
 */
export const AAVE_V3_MARKETS = {
  aave: {
    ethereum: {
      Core: '0x2f39d218133afab8f2b819b1066c7e434ad94e9e',
      Prime: '0xcfbf336fe147d643b9cb705648500e101504b16d',
      EtherFi: '0xeba440b438ad808101d1c451c1c5322c90befcda',
      Horizon: '0x5d39e06b825c1f2b80bf2756a73e28efaa128ba0',
    },
    binancesmartchain: { Core: '0xff75b6da14ffbbfd355daf7a2731456b3562ba6d' },
    'base-wallet': { Core: '0xe20fcbdbffc4dd138ce8b2e6fbb6cb49777ad64d' },
    'polygon-wallet': { Core: '0xa97684ead0e402dc232d5a977953df7ecbab3cdb' },
    'arbitrum-wallet': { Core: '0xa97684ead0e402dc232d5a977953df7ecbab3cdb' },
    'optimism-wallet': { Core: '0xa97684ead0e402dc232d5a977953df7ecbab3cdb' },
    'avalanche-wallet': { Core: '0xa97684ead0e402dc232d5a977953df7ecbab3cdb' },
    'monad-wallet': { Core: '0x34793fb9935f7bb5e5ae920fb963f39063e7a615' },
    'plasma-wallet': { Core: '0x061d8e131f26512348ee5fa42e2df1ba9d6505e9' },
    'celo-wallet': { Core: '0x9f7cf9417d5251c59fe94fb9147feee1aad9cea5' },
    'fantom-wallet': { Core: '0xa97684ead0e402dc232d5a977953df7ecbab3cdb' },
    'gnosis-wallet': { Core: '0x36616cf17557639614c1cddb356b1b83fc0b2132' },
    'linea-wallet': { Core: '0x89502c3731f69ddc95b65753708a07f8cd0373f4' },
    'mantle-wallet': { Core: '0xba50cd2a20f6da35d788639e581bca8d0b5d4d5f' },
    'megaeth-wallet': { Core: '0x46dcd5f4600319b02649fd76b55aa6c1035ca478' },
    'metis-wallet': { Core: '0xb9fabd7500b2c6781c35dd48d54f81fc2299d7af' },
    'scroll-wallet': { Core: '0x69850d0b276776781c063771b161bd8894bcdd04' },
    'soneium-wallet': { Core: '0x82405d1a189bd6ce4667809c35b37fbe136a4c5b' },
    'sonic-wallet': { Core: '0x5c2e738f6e27bce0f7558051bf90605dd6176900' },
    'xlayer-wallet': { Core: '0xdff435bccf782f11187d3a4454d96702ed78e092' },
  },
  spark: {
    ethereum: { SparkLend: '0x02c3ea4e34c0cbd694d2adfa2c690eecbc1793ee' },
    'gnosis-wallet': { SparkLend: '0xa98dacb3fc964a6a0d2ce3b77294241585eaba6d' },
  },
  // Aave v3 under a licence of Aave
  tydro: { 'ink-wallet': { Tydro: '0x4172e6aaec070acb31aace343a58c93e4c70f44d' } },
} satisfies Record<string, ByNetwork<Record<string, string>>>

/** stkAAVE: https://github.com/bgd-labs/aave-address-book (AaveSafetyModule.STK_AAVE) */
export const STAKED_AAVE: ByNetwork<string> = { ethereum: '0x4da27a545c0c5b758a6ba100e3a049001de870f5' }

/** Comet of each market: https://github.com/compound-finance/comet/tree/main/deployments (roots.json) */
export const COMPOUND_V3_COMETS: ByNetwork<Record<string, string>> = {
  ethereum: {
    USDC: '0xc3d688b66703497daa19211eedff47f25384cdc3',
    WETH: '0xa17581a9e3356d9a858b789d68b4d866e593ae94',
    USDT: '0x3afdc9bca9213a35503b077a6072f3d0d5ab0840',
    wstETH: '0x3d0bb1ccab520a66e607822fc55bc921738fafe3',
    USDS: '0x5d409e56d886231adaf00c8775665ad0f9897b56',
    WBTC: '0xe85dc543813b8c2cfeaac371517b925a166a9293',
  },
  'base-wallet': {
    USDC: '0xb125e6687d4313864e53df431d5425969c15eb2f',
    USDbC: '0x9c4ec768c28520b50860ea7a15bd7213a9ff58bf',
    WETH: '0x46e6b214b524310239732d51387075e0e70970bf',
    AERO: '0x784efeb622244d2348d4f2522f8860b96fbece89',
    USDS: '0x2c776041ccfe903071af44aa147368a9c8eea518',
  },
  'polygon-wallet': {
    'USDC.e': '0xf25212e676d1f7f89cd72ffee66158f541246445',
    USDT: '0xaeb318360f27748acb200ce616e389a6c9409a07',
  },
  'arbitrum-wallet': {
    USDC: '0x9c4ec768c28520b50860ea7a15bd7213a9ff58bf',
    'USDC.e': '0xa5edbdd9646f8dff606d7448e414884c7d905dca',
    WETH: '0x6f7d514bbd4aff3bcd1140b7344b32f063dee486',
    USDT: '0xd98be00b5d27fc98112bde293e487f8d4ca57d07',
  },
  'optimism-wallet': {
    USDC: '0x2e44e174f7d53f0212823acc11c01a11d58c5bcb',
    USDT: '0x995e394b8b2437ac8ce61ee0bc610d617962b214',
    WETH: '0xe36a30d249f7761327fd973001a32010b521b6fd',
  },
}

/**
 * Comptroller of Compound v2 and its forks, from https://github.com/DefiLlama/DefiLlama-Adapters
 * (registries/compound.js and projects/benqi).
 */
export const COMPOUND_V2_COMPTROLLERS = {
  compound: { ethereum: '0x3d9819210a31b4961b30ef54be2aed79b9c9cd3b' },
  venus: {
    ethereum: '0x687a01ecf6d3907658f7a7c714749fac32336d1b',
    binancesmartchain: '0xfd36e2c2a6789db23113685031d7f16329158384',
    'base-wallet': '0x0c7973f9598aa62f9e03b94e92c967fd5437426c',
    'arbitrum-wallet': '0x317c1a5739f39046e20b08ac9beea3f10fd43326',
    'optimism-wallet': '0x5593ff68be84c966821eef5f0a988c285d5b7cec',
    'unichain-wallet': '0xe22af1e6b78318e1fe1053edbd7209b8fc62c4fe',
    'opbnb-wallet': '0xd6e3e2a1d8d95cae355d15b3b9f8e5c2511874dd',
  },
  moonwell: {
    ethereum: '0xdec80bb934397575594e91970b37baf65f5b21be',
    'base-wallet': '0xfbb21d0380bee3312b33c4353c8936a0f13ef26c',
    'optimism-wallet': '0xca889f40aae37fff165bccf69aef1e82b5c511b9',
    'moonbeam-wallet': '0x8e00d5e02e65a19337cdba98bba9f84d4186a180',
    'moonriver-wallet': '0x0b7a0eaa884849c6af7a129e899536dddca4905e',
  },
  benqi: { 'avalanche-wallet': '0x486af39519b4dc9a7fccd318217352830e8ad9b4' },
} satisfies Record<string, ByNetwork<string>>

/**
 * Morpho (https://docs.morpho.org/addresses), and vaults that lend in its large markets, from
 * https://github.com/DefiLlama/DefiLlama-Adapters (projects/helper/curators and zyfai).
 */
export const MORPHO_BLUE: ByNetwork<MorphoDeployment> = {
  ethereum: {
    morpho: '0xbbbbbbbbbb9cc5e90e3b3af64bdaf62c37eeffcb',
    vaults: [
      '0xbeef01735c132ada46aa9aa4c54623caa92a64cb', // Steakhouse USDC
      '0xdd0f28e19c1780eb6396170735d45153d261490d', // Gauntlet USDC Prime
      '0x78fc2c2ed1a4cdb5402365934ae5648adad094d0', // Re7 WETH
    ],
  },
  'base-wallet': {
    morpho: '0xbbbbbbbbbb9cc5e90e3b3af64bdaf62c37eeffcb',
    vaults: [
      '0xee8f4ec5672f09119b96ab6fb59c27e1b7e44b61', // Gauntlet USDC Prime
      '0xc1256ae5ff1cf2719d4937adb3bbccab2e00a2ca', // Moonwell Flagship USDC
      '0xa0e430870c4604ccfc7b38ca7845b1ff653d0ff1', // Moonwell Flagship ETH
    ],
  },
}
