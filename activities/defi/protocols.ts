import type { Protocol } from './position.ts'
import { aaveStaking } from './protocols/aave-staking.ts'
import { aaveV3 } from './protocols/aave-v3.ts'
import { compoundV3 } from './protocols/compound-v3.ts'
import { lido } from './protocols/lido.ts'
import { uniswapV3 } from './protocols/uniswap-v3.ts'

/**
 * All protocols. Each also needs its rows in `defi_protocols` and `defi_deployments`. The migration that adds a
 * deployment must also put the synced wallets of its network into `defi_marks`, because they are read only when
 * marked.
 */
export const PROTOCOLS: readonly Protocol[] = [aaveV3, aaveStaking, compoundV3, uniswapV3, lido]
