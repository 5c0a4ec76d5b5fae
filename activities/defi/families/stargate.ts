import { type Hex, parseAbi, zeroAddress } from 'viem'
import type { BlockReader } from '../block-reader.ts'
import { contractAt } from '../contract-at.ts'
import type { ByNetwork } from '../deployments/by-network.ts'
import type { HeldToken } from '../held-tokens.ts'
import {
  OPEN,
  type Position,
  type PositionAsset,
  type Protocol,
  defineProtocol,
  nonZero,
  unclaimed,
} from '../position.ts'
import { readParts } from '../read-parts.ts'

export interface StargateDeployment {
  /** where liquidity tokens earn rewards; null: nowhere */
  staking: string | null
  pools: readonly string[]
}

const POOL_ABI = parseAbi([
  'function lpToken() view returns (address)',
  'function token() view returns (address)',
  'function sharedDecimals() view returns (uint8)',
])
const TOKEN_ABI = parseAbi(['function decimals() view returns (uint8)'])
const STAKING_ABI = parseAbi([
  'function balanceOf(address token, address user) view returns (uint256)',
  'function rewarder(address token) view returns (address)',
])
const REWARDER_ABI = parseAbi([
  'function getRewards(address token, address user) view returns (address[] tokens, uint256[] amounts)',
])

/**
 * Pools of Stargate v2: what the account's liquidity tokens redeem, in hand and staked, and its rewards. A pool pays
 * whole units of the decimals that all networks share, and no more at a time than it has on this network.
 */
export function stargate(spec: {
  id: string
  name: string
  deployments: ByNetwork<StargateDeployment>
}): Protocol {
  return defineProtocol({
    ...spec,
    family: 'Stargate',
    async read({ reader, deployment, account, held }) {
      const { staking } = deployment
      const pools = deployment.pools.map((id) => ({ id }))
      const tokens = await held()
      return await readParts(pools, ({ id }) =>
        readPool({ reader, staking, id, user: account as Hex, tokens }),
      )
    },
  })
}

async function readPool(input: {
  reader: BlockReader
  staking: string | null
  id: string
  user: Hex
  tokens: readonly HeldToken[]
}): Promise<Position | null> {
  const { reader, staking, id, user } = input
  const pool = contractAt(POOL_ABI, id)
  const [liquidity, token, sharedDecimals] = await reader.read([
    pool('lpToken', []),
    pool('token', []),
    pool('sharedDecimals', []),
  ])
  const held = input.tokens.find((one) => one.token === liquidity.toLowerCase())?.raw ?? 0n
  const staked = staking === null ? NOTHING : await readStaked(reader, { staking, liquidity, user })
  if (held === 0n && staked.raw === 0n && staked.rewards.length === 0) return null
  const [decimals] = await reader.read([contractAt(TOKEN_ABI, liquidity)('decimals', [])])
  const unit = 10n ** BigInt(decimals - sharedDecimals)
  const paid = token === zeroAddress ? null : token.toLowerCase()
  const assets = nonZero([
    { role: 'supplied', token: paid, raw: held - (held % unit) },
    { role: 'staked', token: paid, raw: staked.raw - (staked.raw % unit) },
    ...staked.rewards,
  ])
  return assets.length === 0 ? null : { id, name: 'Liquidity', poolAddress: id, ...OPEN, assets }
}

interface Staked {
  /** liquidity tokens */
  raw: bigint
  rewards: PositionAsset[]
}

const NOTHING: Staked = { raw: 0n, rewards: [] }

async function readStaked(
  reader: BlockReader,
  of: { staking: string; liquidity: Hex; user: Hex },
): Promise<Staked> {
  const { liquidity, user } = of
  const staking = contractAt(STAKING_ABI, of.staking)
  const [raw, rewarder] = await reader.read([
    staking('balanceOf', [liquidity, user]),
    staking('rewarder', [liquidity]),
  ])
  if (rewarder === zeroAddress) return { raw, rewards: [] }
  const [[tokens, amounts]] = await reader.read([
    contractAt(REWARDER_ABI, rewarder)('getRewards', [liquidity, user]),
  ])
  return { raw, rewards: unclaimed(tokens, amounts) }
}
