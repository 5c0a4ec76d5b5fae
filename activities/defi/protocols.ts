import { CONVEX } from './deployments/convex.ts'
import { GMX } from './deployments/gmx.ts'
import { AAVE_V3_MARKETS, COMPOUND_V2_COMPTROLLERS, MORPHO_BLUE } from './deployments/lending.ts'
import { MAKER } from './deployments/maker.ts'
import { PENDLE } from './deployments/pendle.ts'
import {
  BALANCER_V2_VAULTS,
  BALANCER_V3_VAULTS,
  CURVE_REGISTRIES,
  SLIPSTREAM_MANAGERS,
  SOLIDLY,
} from './deployments/pools.ts'
import { STAKED_TOKENS, VOTE_LOCKS } from './deployments/staking.ts'
import { STARGATE } from './deployments/stargate.ts'
import { UNISWAP_V2_FACTORIES } from './deployments/uniswap-v2.ts'
import { UNISWAP_V3_MANAGERS } from './deployments/uniswap-v3.ts'
import { UNISWAP_V4 } from './deployments/uniswap-v4.ts'
import { VAULTS } from './deployments/vaults.ts'
import { aaveV3 } from './families/aave-v3.ts'
import { balancerV2, balancerV3 } from './families/balancer.ts'
import { compoundV2 } from './families/compound-v2.ts'
import { convex } from './families/convex.ts'
import { curve } from './families/curve.ts'
import { erc4626 } from './families/erc4626.ts'
import { gmx } from './families/gmx.ts'
import { maker } from './families/maker.ts'
import { morphoBlue } from './families/morpho-blue.ts'
import { pendle } from './families/pendle.ts'
import { solidly } from './families/solidly.ts'
import { stakedTokens } from './families/staked-tokens.ts'
import { stargate } from './families/stargate.ts'
import { EIGHT_OF_25, uniswapV2 } from './families/uniswap-v2.ts'
import { uniswapV3 } from './families/uniswap-v3.ts'
import { uniswapV4 } from './families/uniswap-v4.ts'
import { voteLocks } from './families/vote-locks.ts'
import type { Protocol } from './position.ts'
import { aaveStaking } from './protocols/aave-staking.ts'
import { compoundV3 } from './protocols/compound-v3.ts'
import { eigenlayer } from './protocols/eigenlayer.ts'
import { lido } from './protocols/lido.ts'

/** All protocols, in the order in which answers list them. Each also needs its site in `stored-protocols.ts`. */
export const PROTOCOLS: readonly Protocol[] = [
  aaveV3({ id: 'aave-v3', name: 'Aave V3', markets: AAVE_V3_MARKETS.aave }),
  aaveStaking,
  compoundV3,
  uniswapV3({ id: 'uniswap-v3', name: 'Uniswap V3', managers: UNISWAP_V3_MANAGERS.uniswap }),
  lido,
  erc4626({ id: 'morpho-vaults', name: 'Morpho Vaults', deployments: VAULTS.morpho }),
  erc4626({ id: 'euler-v2', name: 'Euler V2', deployments: VAULTS.euler }),
  erc4626({ id: 'fluid-lending', name: 'Fluid Lending', deployments: VAULTS.fluid }),
  erc4626({ id: 'yearn-v3', name: 'Yearn V3', deployments: VAULTS.yearn }),
  erc4626({ id: 'sky', name: 'Sky', deployments: VAULTS.sky }),
  erc4626({ id: 'spark-savings', name: 'Spark Savings', deployments: VAULTS.sparkSavings }),
  erc4626({ id: 'ethena', name: 'Ethena', deployments: VAULTS.ethena }),
  erc4626({ id: 'maple', name: 'Maple', deployments: VAULTS.maple }),
  erc4626({ id: 'frax', name: 'Frax', deployments: VAULTS.frax }),
  erc4626({ id: 'curve-savings', name: 'Savings crvUSD', deployments: VAULTS.curveSavings }),
  erc4626({ id: 'inverse', name: 'Inverse', deployments: VAULTS.inverse }),
  erc4626({ id: 'falcon', name: 'Falcon', deployments: VAULTS.falcon }),
  uniswapV2({ id: 'uniswap-v2', name: 'Uniswap V2', factories: UNISWAP_V2_FACTORIES.uniswap }),
  uniswapV2({ id: 'sushiswap', name: 'SushiSwap', factories: UNISWAP_V2_FACTORIES.sushiswap }),
  uniswapV2({
    id: 'pancakeswap',
    name: 'PancakeSwap',
    factories: UNISWAP_V2_FACTORIES.pancakeswap,
    feeShare: EIGHT_OF_25,
  }),
  uniswapV2({ id: 'quickswap', name: 'QuickSwap', factories: UNISWAP_V2_FACTORIES.quickswap }),
  uniswapV2({ id: 'trader-joe', name: 'Trader Joe', factories: UNISWAP_V2_FACTORIES.traderJoe }),
  uniswapV3({ id: 'pancakeswap-v3', name: 'PancakeSwap V3', managers: UNISWAP_V3_MANAGERS.pancakeswap }),
  uniswapV3({ id: 'sushiswap-v3', name: 'SushiSwap V3', managers: UNISWAP_V3_MANAGERS.sushiswap }),
  aaveV3({ id: 'spark', name: 'Spark', markets: AAVE_V3_MARKETS.spark }),
  aaveV3({ id: 'tydro', name: 'Tydro', markets: AAVE_V3_MARKETS.tydro }),
  morphoBlue({ id: 'morpho-blue', name: 'Morpho Blue', deployments: MORPHO_BLUE }),
  compoundV2({ id: 'compound-v2', name: 'Compound V2', comptrollers: COMPOUND_V2_COMPTROLLERS.compound }),
  compoundV2({ id: 'venus', name: 'Venus', comptrollers: COMPOUND_V2_COMPTROLLERS.venus }),
  compoundV2({ id: 'moonwell', name: 'Moonwell', comptrollers: COMPOUND_V2_COMPTROLLERS.moonwell }),
  compoundV2({ id: 'benqi', name: 'Benqi', comptrollers: COMPOUND_V2_COMPTROLLERS.benqi }),
  stakedTokens({ id: 'rocket-pool', name: 'Rocket Pool', tokens: STAKED_TOKENS.rocketPool }),
  stakedTokens({ id: 'ether-fi', name: 'ether.fi', tokens: STAKED_TOKENS.etherFi }),
  stakedTokens({ id: 'coinbase-staked-eth', name: 'Coinbase Staked ETH', tokens: STAKED_TOKENS.coinbase }),
  stakedTokens({ id: 'swell', name: 'Swell', tokens: STAKED_TOKENS.swell }),
  stakedTokens({ id: 'benqi-staking', name: 'Benqi Staking', tokens: STAKED_TOKENS.benqi }),
  eigenlayer,
  solidly({ id: 'aerodrome', name: 'Aerodrome', deployments: SOLIDLY.aerodrome }),
  solidly({ id: 'velodrome', name: 'Velodrome', deployments: SOLIDLY.velodrome }),
  uniswapV3({
    id: 'aerodrome-slipstream',
    name: 'Aerodrome Slipstream',
    managers: SLIPSTREAM_MANAGERS.aerodrome,
    poolsBy: 'tickSpacing',
  }),
  uniswapV3({
    id: 'velodrome-slipstream',
    name: 'Velodrome Slipstream',
    managers: SLIPSTREAM_MANAGERS.velodrome,
    poolsBy: 'tickSpacing',
  }),
  curve({ id: 'curve', name: 'Curve', registries: CURVE_REGISTRIES }),
  voteLocks({ id: 'curve-locks', name: 'Curve Locks', locks: VOTE_LOCKS.curve }),
  balancerV2({ id: 'balancer-v2', name: 'Balancer V2', vaults: BALANCER_V2_VAULTS }),
  balancerV3({ id: 'balancer-v3', name: 'Balancer V3', vaults: BALANCER_V3_VAULTS }),
  voteLocks({ id: 'balancer-locks', name: 'Balancer Locks', locks: VOTE_LOCKS.balancer }),
  uniswapV4({ id: 'uniswap-v4', name: 'Uniswap V4', deployments: UNISWAP_V4 }),
  erc4626({ id: 'origin', name: 'Origin', deployments: VAULTS.origin }),
  pendle({ id: 'pendle', name: 'Pendle', deployments: PENDLE }),
  stargate({ id: 'stargate', name: 'Stargate', deployments: STARGATE }),
  maker({ id: 'maker', name: 'Maker', deployments: MAKER }),
  convex({ id: 'convex', name: 'Convex', deployments: CONVEX }),
  gmx({ id: 'gmx-staking', name: 'GMX Staking', deployments: GMX }),
]
