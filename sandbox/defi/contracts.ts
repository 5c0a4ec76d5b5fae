import type { ByNetwork } from '../../activities/defi/deployments/by-network.ts'
import { CONVEX } from '../../activities/defi/deployments/convex.ts'
import {
  AAVE_V3_MARKETS,
  COMPOUND_V2_COMPTROLLERS,
  COMPOUND_V3_COMETS,
  MORPHO_BLUE,
  STAKED_AAVE,
} from '../../activities/defi/deployments/lending.ts'
import { MAKER } from '../../activities/defi/deployments/maker.ts'
import { BALANCER_V3_VAULTS, SLIPSTREAM_MANAGERS } from '../../activities/defi/deployments/pools.ts'
import { EIGENLAYER, LIDO, VOTE_LOCKS } from '../../activities/defi/deployments/staking.ts'
import { STARGATE } from '../../activities/defi/deployments/stargate.ts'
import { UNISWAP_V3_MANAGERS } from '../../activities/defi/deployments/uniswap-v3.ts'
import { UNISWAP_V4 } from '../../activities/defi/deployments/uniswap-v4.ts'
import type { VoteLock } from '../../activities/defi/families/vote-locks.ts'
import type { Address } from '../chain/actors.ts'
import type { ContractName } from '../chain/calls.ts'
import type { NetworkId } from '../chain/tokens.ts'

export const multicall3: Address = '0xca11bde05977b3631167028862be2a173976ca11'

/** The pools of USDC and WETH with a fee of 0.05 %, at their mainnet addresses. */
export const usdcPools: Record<NetworkId, Address> = {
  ethereum: '0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640',
  'base-wallet': '0xd0b53d9277642d899df5c87a3966a349a798f224',
}

/** A pool of MOSS and WETH with a fee of 0.3 %. MOSS is in no coin list. */
export const mossPool: Address = '0x9003000000000000000000000000000000000001'

/** Answers every call with zeros: empty lists, no code behind addresses, no balance. */
export const ZEROS = '0x6110006000f3'

/** Entry contracts of protocols that nobody in the sandbox uses. */
export function unusedContracts(network: NetworkId): Address[] {
  const { venus, moonwell, compound } = COMPOUND_V2_COMPTROLLERS
  const { pancakeswap, sushiswap } = UNISWAP_V3_MANAGERS
  const rows: ByNetwork<string>[] = [pancakeswap, sushiswap, compound, venus, moonwell]
  rows.push(SLIPSTREAM_MANAGERS.aerodrome, BALANCER_V3_VAULTS)
  const { strategyManager } = EIGENLAYER[network] ?? {}
  const locks: ByNetwork<VoteLock>[] = [VOTE_LOCKS.curve, VOTE_LOCKS.balancer]
  const { morpho, vaults = [] } = MORPHO_BLUE[network] ?? {}
  const uniswapV4 = UNISWAP_V4[network]?.manager
  const { staking, pools = [] } = STARGATE[network] ?? {}
  const { proxies, lists } = MAKER[network] ?? {}
  const { booster, cvxCrvRewards, cvxCrvStaking, cvxRewards, locker } = CONVEX[network] ?? {}
  const others = [
    strategyManager,
    uniswapV4,
    ...locks.map((places) => places[network]?.escrow),
    morpho,
    ...vaults,
    staking,
    ...pools,
    proxies,
    lists,
    booster,
    cvxCrvRewards,
    cvxCrvStaking,
    cvxRewards,
    locker,
  ]
  return [...rows.map((places) => places[network]), ...others].filter(
    (at) => typeof at === 'string',
  ) as Address[]
}

/** The contracts of the protocols that are used in the sandbox. Those without bookings answer with zeros. */
export function defiContracts(network: NetworkId): [Address, ContractName][] {
  const lido = LIDO[network]
  const aave: ByNetwork<Record<string, string>>[] = [AAVE_V3_MARKETS.aave, AAVE_V3_MARKETS.spark]
  const contracts: [string | undefined, ContractName][] = [
    [multicall3, 'Multicall3'],
    ...aave
      .flatMap((markets) => Object.values(markets[network] ?? {}))
      .map((at) => [at, 'AaveMarket'] as [string, ContractName]),
    [STAKED_AAVE[network], 'StakedAave'],
    ...Object.values(COMPOUND_V3_COMETS[network] ?? {}).map((at) => [at, 'Comet'] as [string, ContractName]),
    [UNISWAP_V3_MANAGERS.uniswap[network], 'PositionManager'],
    [usdcPools[network], 'ConcentratedPool'],
    [network === 'ethereum' ? mossPool : undefined, 'ConcentratedPool'],
    [lido?.stEth, 'Steth'],
    [lido?.wstEth, 'Wsteth'],
    [lido?.withdrawalQueue, 'WithdrawalQueue'],
  ]
  return contracts.filter((one): one is [Address, ContractName] => one[0] !== undefined)
}
