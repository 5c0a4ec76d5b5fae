import type { SolidlyDeployment } from '../families/solidly.ts'
import type { ByNetwork } from './by-network.ts'

/** https://aerodrome.finance/security and https://velodrome.finance/security */
export const SOLIDLY = {
  aerodrome: {
    'base-wallet': {
      factory: '0x420dd381b31aef6683db6b902084cb0ffece40da',
      voter: '0x16613524e02ad97edfef371bc883f2f5d6c480a5',
    },
  },
  velodrome: {
    'optimism-wallet': {
      factory: '0xf1046053aa5682b4f9a81b5481394da16be5ff5a',
      voter: '0x41c914ee0c7e1a5edcd0295623e6dc557b5abf3c',
    },
  },
} satisfies Record<string, ByNetwork<SolidlyDeployment>>

/** Position managers of their pools with ranges, where a pool has a tick spacing instead of a fee. */
export const SLIPSTREAM_MANAGERS = {
  aerodrome: { 'base-wallet': '0x827922686190790b37229fd06084350e74485b72' },
  velodrome: { 'optimism-wallet': '0x416b433906b1b72fa758e166e239c43d68dc6f29' },
} satisfies Record<string, ByNetwork<string>>

const VAULT_V2 = '0xba12222222228d8ba445958a75a0704d566bf2c8'
const VAULT_V3 = '0xba1333333333a1ba1108e8412f11850a5c319ba9'

/** Vaults, from https://docs.balancer.fi (deployment addresses). */
export const BALANCER_V2_VAULTS: ByNetwork<string> = {
  ethereum: VAULT_V2,
  'base-wallet': VAULT_V2,
  'polygon-wallet': VAULT_V2,
  'arbitrum-wallet': VAULT_V2,
  'optimism-wallet': VAULT_V2,
  'avalanche-wallet': VAULT_V2,
  'gnosis-wallet': VAULT_V2,
}
export const BALANCER_V3_VAULTS: ByNetwork<string> = {
  ethereum: VAULT_V3,
  'base-wallet': VAULT_V3,
  'arbitrum-wallet': VAULT_V3,
  'optimism-wallet': VAULT_V3,
  'avalanche-wallet': VAULT_V3,
  'gnosis-wallet': VAULT_V3,
}

/** MetaRegistry: https://docs.curve.finance (deployments) */
export const CURVE_REGISTRIES: ByNetwork<string> = { ethereum: '0xf98b45fa17de75fb1ad0e7afd971b0ca00e379fc' }
