import { type Hex, parseAbi, zeroAddress } from 'viem'
import type { BlockReader } from '../block-reader.ts'
import { contractAt } from '../contract-at.ts'
import type { ByNetwork } from '../deployments/by-network.ts'
import { OPEN, type Position, type Protocol, defineProtocol, nonZero } from '../position.ts'
import { readParts } from '../read-parts.ts'
import { shareOfPool } from './share-of-pool.ts'

export interface SolidlyDeployment {
  factory: string
  /** tells the gauge of a pool, in which most liquidity tokens are staked */
  voter: string
}

const POOL_ABI = parseAbi([
  'function token0() view returns (address)',
  'function token1() view returns (address)',
  'function stable() view returns (bool)',
  'function totalSupply() view returns (uint256)',
  'function balanceOf(address owner) view returns (uint256)',
  'function claimFees() returns (uint256 claimed0, uint256 claimed1)',
])
const FACTORY_ABI = parseAbi([
  'function getPool(address tokenA, address tokenB, bool stable) view returns (address)',
])
const VOTER_ABI = parseAbi(['function gauges(address pool) view returns (address)'])
const GAUGE_ABI = parseAbi([
  'function balanceOf(address account) view returns (uint256)',
  'function earned(address account) view returns (uint256)',
  'function rewardToken() view returns (address)',
])
const TOKEN_ABI = parseAbi(['function balanceOf(address owner) view returns (uint256)'])

interface Pool {
  id: Hex
  token0: Hex
  token1: Hex
  isStable: boolean
}

/**
 * Pools of Solidly's descendants (Velodrome, Aerodrome) whose liquidity tokens once came to the account: what burning
 * its tokens pays, with its fees; those staked in the pool's gauge earn the reward instead.
 */
export function solidly(spec: {
  id: string
  name: string
  deployments: ByNetwork<SolidlyDeployment>
}): Protocol {
  return defineProtocol({
    ...spec,
    family: 'Solidly',
    async read({ reader, deployment, account, received }) {
      const pools = await poolsAmong(reader, deployment.factory, received)
      const user = account as Hex
      return await readParts(pools, (pool) => readPool({ reader, voter: deployment.voter, pool, user }))
    },
  })
}

/** A contract that names two tokens is a pool only if the factory names it for these tokens. */
async function poolsAmong(
  reader: BlockReader,
  factory: string,
  received: readonly string[],
): Promise<Pool[]> {
  const facts = await Promise.all(
    received.map((token) => {
      const pool = contractAt(POOL_ABI, token)
      return reader.tryRead([pool('token0', []), pool('token1', []), pool('stable', [])])
    }),
  )
  const named = received.flatMap((id, i): Pool[] => {
    const [token0, token1, isStable] = facts[i]!
    return token0 && token1 && isStable !== null ? [{ id: id as Hex, token0, token1, isStable }] : []
  })
  const pools = await reader.read(
    named.map(({ token0, token1, isStable }) =>
      contractAt(FACTORY_ABI, factory)('getPool', [token0, token1, isStable]),
    ),
  )
  return named.filter(({ id }, i) => pools[i]!.toLowerCase() === id)
}

async function readPool(input: {
  reader: BlockReader
  voter: string
  pool: Pool
  user: Hex
}): Promise<Position | null> {
  const { reader, voter, user } = input
  const { id, token0, token1, isStable } = input.pool
  const pool = contractAt(POOL_ABI, id)
  const [supply, held, held0, held1, gauge] = await reader.read([
    pool('totalSupply', []),
    pool('balanceOf', [user]),
    contractAt(TOKEN_ABI, token0)('balanceOf', [id]),
    contractAt(TOKEN_ABI, token1)('balanceOf', [id]),
    contractAt(VOTER_ABI, voter)('gauges', [id]),
  ])
  const tokens = [token0.toLowerCase(), token1.toLowerCase()]
  const [staked, earned, reward] =
    gauge === zeroAddress ? [0n, 0n, null] : await readGauge(reader, { gauge, user })
  const [fees] = held === 0n ? [null] : await reader.tryAs(user, [pool('claimFees', [])])
  const assets = [
    ...shareOfPool({ tokens, balances: [held0, held1], raw: held + staked, supply }),
    ...nonZero([
      ...tokens.map((token, i) => ({ role: 'unclaimed', token, raw: fees?.[i] ?? 0n }) as const),
      { role: 'unclaimed', token: reward, raw: earned },
    ]),
  ]
  const name = `Liquidity, ${isStable ? 'stable' : 'volatile'}`
  return assets.length === 0 ? null : { id, name, poolAddress: id, ...OPEN, assets }
}

async function readGauge(
  reader: BlockReader,
  { gauge: at, user }: { gauge: Hex; user: Hex },
): Promise<[bigint, bigint, string]> {
  const gauge = contractAt(GAUGE_ABI, at)
  const [staked, earned, reward] = await reader.read([
    gauge('balanceOf', [user]),
    gauge('earned', [user]),
    gauge('rewardToken', []),
  ])
  return [staked, earned, reward.toLowerCase()]
}
