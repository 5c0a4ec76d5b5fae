import { type Hex, parseAbi } from 'viem'
import type { BlockReader } from '../block-reader.ts'
import { contractAt } from '../contract-at.ts'
import type { ByNetwork } from '../deployments/by-network.ts'
import {
  OPEN,
  type Position,
  type PositionAsset,
  type Protocol,
  defineProtocol,
  openPosition,
  unclaimed,
} from '../position.ts'
import { readParts } from '../read-parts.ts'
import { curvePool } from './curve.ts'

/** Contracts of Convex, lower case. */
export interface ConvexDeployment {
  /** lists the pools in which liquidity of Curve is staked */
  booster: string
  cvx: string
  cvxCrv: string
  /** where cvxCRV is staked, in the form of a pool of liquidity */
  cvxCrvRewards: string
  /** staked cvxCRV as a token */
  cvxCrvStaking: string
  /** where CVX is staked without a lock */
  cvxRewards: string
  /** where CVX is locked for votes */
  locker: string
  /** MetaRegistry of Curve */
  registry: string
}

const BOOSTER_ABI = parseAbi([
  'function poolLength() view returns (uint256)',
  'function poolInfo(uint256 pid) view returns (address lptoken, address token, address gauge, address crvRewards, address stash, bool shutdown)',
])
const REWARDS_ABI = parseAbi([
  'function balanceOf(address account) view returns (uint256)',
  'function earned(address account) view returns (uint256)',
  'function rewardToken() view returns (address)',
  'function extraRewardsLength() view returns (uint256)',
  'function extraRewards(uint256 index) view returns (address)',
])
const WRAPPER_ABI = parseAbi([
  'function token() view returns (address)',
  'function rewardPool() view returns (address)',
])
const CVX_ABI = parseAbi([
  'function operator() view returns (address)',
  'function totalSupply() view returns (uint256)',
  'function maxSupply() view returns (uint256)',
  'function totalCliffs() view returns (uint256)',
  'function reductionPerCliff() view returns (uint256)',
])
const LOCKER_ABI = parseAbi([
  'struct Lock { uint112 amount; uint112 boosted; uint32 unlockTime; }',
  'struct Earned { address token; uint256 amount; }',
  'function lockedBalances(address user) view returns (uint256 total, uint256 unlockable, uint256 locked, Lock[] locks)',
  'function claimableRewards(address account) view returns (Earned[])',
])
const STAKING_ABI = parseAbi([
  'struct Earned { address token; uint256 amount; }',
  'function balanceOf(address account) view returns (uint256)',
  'function earned(address account) returns (Earned[])',
])
const TOKEN_ABI = parseAbi(['function balanceOf(address owner) view returns (uint256)'])

interface Asked {
  reader: BlockReader
  deployment: ConvexDeployment
  user: Hex
}

/**
 * Convex on Curve: liquidity that is staked there or held as deposit tokens, as a share of Curve's pool; staked cvxCRV
 * and CVX; locked CVX, one position per unlock time; all with the rewards that a claim pays. Pools are looked for by
 * the liquidity and deposit tokens that once came to the account.
 */
export function convex(spec: {
  id: string
  name: string
  deployments: ByNetwork<ConvexDeployment>
}): Protocol {
  return defineProtocol({
    ...spec,
    family: 'Convex',
    async read({ reader, deployment, account, received }) {
      const asked: Asked = { reader, deployment, user: account as Hex }
      const { cvxCrvRewards, cvxCrvStaking, cvxRewards } = deployment
      const pools = await poolsAmong(asked, received)
      const places = [
        { id: cvxCrvRewards, read: readCvxCrv },
        { id: cvxCrvStaking, read: readWrappedCvxCrv },
        { id: cvxRewards, read: readCvx },
        ...pools.map((pool) => ({ id: pool.id, read: () => readPool(asked, pool) })),
      ]
      const [reading, locks] = await Promise.all([
        readParts(places, ({ read }) => read(asked)),
        readLocks(asked),
      ])
      return { ...reading, positions: [...reading.positions, ...locks] }
    },
  })
}

interface Pool {
  /** where deposit tokens are staked, lower case */
  id: string
  lptoken: Hex
  token: Hex
}

async function poolsAmong({ reader, deployment }: Asked, received: readonly string[]): Promise<Pool[]> {
  if (received.length === 0) return []
  const booster = contractAt(BOOSTER_ABI, deployment.booster)
  const [length] = await reader.read([booster('poolLength', [])])
  const pids = Array.from({ length: Number(length) }, (_, pid) => BigInt(pid))
  const pools = await reader.read(pids.map((pid) => booster('poolInfo', [pid])))
  return pools.flatMap(([lptoken, token, , crvRewards]) =>
    received.includes(lptoken.toLowerCase()) || received.includes(token.toLowerCase())
      ? [{ id: crvRewards.toLowerCase(), lptoken, token }]
      : [],
  )
}

async function readPool(asked: Asked, { id, lptoken, token }: Pool): Promise<Position | null> {
  const { reader, deployment, user } = asked
  const [[held], stake] = await Promise.all([
    reader.read([contractAt(TOKEN_ABI, token)('balanceOf', [user])]),
    readStake(asked, id),
  ])
  const amounts = [
    { role: 'supplied', raw: held },
    { role: 'staked', raw: stake.raw },
  ] as const
  const rewards = await withCvx(asked, stake)
  if (held + stake.raw === 0n && rewards.length === 0) return null
  const { name, assetsOf } = await curvePool({ reader, registry: deployment.registry, token: lptoken })
  const shares = amounts.flatMap(({ role, raw }) => assetsOf(raw).map((asset) => ({ ...asset, role })))
  return openPosition({ id, name, assets: [...shares, ...rewards] })
}

async function readCvxCrv(asked: Asked): Promise<Position | null> {
  const { cvxCrv, cvxCrvRewards: id } = asked.deployment
  const stake = await readStake(asked, id)
  const assets = [
    { role: 'staked', token: cvxCrv, raw: stake.raw } as const,
    ...(await withCvx(asked, stake)),
  ]
  return openPosition({ id, name: 'Staked cvxCRV', assets })
}

/** Staked CVX earns CRV and is paid in cvxCRV, less the fee that `earned` has taken off. */
async function readCvx(asked: Asked): Promise<Position | null> {
  const { cvx, cvxCrv, cvxRewards: id } = asked.deployment
  const { raw, earned, extra } = await readStake(asked, id)
  const assets = [
    { role: 'staked', token: cvx, raw } as const,
    { role: 'unclaimed', token: cvxCrv, raw: earned.raw } as const,
    ...extra,
  ]
  return openPosition({ id, name: 'Staked CVX', assets })
}

async function readWrappedCvxCrv({ reader, deployment, user }: Asked): Promise<Position | null> {
  const { cvxCrv, cvxCrvStaking: id } = deployment
  const staking = contractAt(STAKING_ABI, id)
  const [raw] = await reader.read([staking('balanceOf', [user])])
  // Counting rewards costs much gas, so it is done for holders only.
  if (raw === 0n) return null
  const [earned] = await reader.read([staking('earned', [user])])
  const assets = [{ role: 'staked', token: cvxCrv, raw } as const, ...paid(earned)]
  return openPosition({ id, name: 'Staked cvxCRV', assets })
}

async function readLocks({ reader, deployment, user }: Asked): Promise<Position[]> {
  const { cvx, locker: id } = deployment
  const locker = contractAt(LOCKER_ABI, id)
  const [[, unlockable, , locks], rewards] = await reader.read([
    locker('lockedBalances', [user]),
    locker('claimableRewards', [user]),
  ])
  const name = 'Locked CVX'
  const over = { role: 'claimable', token: cvx, raw: unlockable } as const
  const free = openPosition({ id, name, assets: [over, ...paid(rewards)] })
  const locked = locks.map(({ amount, unlockTime }): Position => ({
    ...OPEN,
    id: `${id}:${unlockTime}`,
    name,
    poolAddress: id,
    unlockAt: new Date(unlockTime * 1_000),
    assets: [{ role: 'locked', token: cvx, raw: amount }],
  }))
  return [...(free ? [free] : []), ...locked]
}

const paid = (earned: readonly { token: Hex; amount: bigint }[]): PositionAsset[] =>
  unclaimed(
    earned.map(({ token }) => token),
    earned.map(({ amount }) => amount),
  )

interface Stake {
  raw: bigint
  earned: { token: Hex; raw: bigint }
  extra: PositionAsset[]
}

async function readStake({ reader, user }: Asked, pool: string): Promise<Stake> {
  const rewards = contractAt(REWARDS_ABI, pool)
  const [raw, earned, token, length] = await reader.read([
    rewards('balanceOf', [user]),
    rewards('earned', [user]),
    rewards('rewardToken', []),
    rewards('extraRewardsLength', []),
  ])
  const indexes = Array.from({ length: Number(length) }, (_, i) => BigInt(i))
  const pools = await reader.read(indexes.map((i) => rewards('extraRewards', [i])))
  const [amounts, tokens] = await Promise.all([
    reader.read(pools.map((of) => contractAt(REWARDS_ABI, of)('earned', [user]))),
    Promise.all(pools.map((of) => extraToken(reader, of))),
  ])
  return { raw, earned: { token, raw: earned }, extra: unclaimed(tokens, amounts) }
}

/** Newer pools pay through a wrapper that stands for the token. */
async function extraToken(reader: BlockReader, pool: Hex): Promise<Hex> {
  const [token] = await reader.read([contractAt(REWARDS_ABI, pool)('rewardToken', [])])
  const wrapper = contractAt(WRAPPER_ABI, token)
  const [wrapped, of] = await reader.tryRead([wrapper('token', []), wrapper('rewardPool', [])])
  return wrapped !== null && of === pool ? wrapped : token
}

/** The rewards of a stake with the CVX that a claim of its CRV mints. */
async function withCvx(asked: Asked, { earned, extra }: Stake): Promise<PositionAsset[]> {
  const cvx = asked.deployment.cvx as Hex
  const minted = earned.raw === 0n ? 0n : await mintedCvx(asked, earned.raw)
  const inCvx = extra.find(({ token }) => token === cvx)?.raw ?? 0n
  const others = extra.filter(({ token }) => token !== cvx)
  return [...unclaimed([earned.token, cvx], [earned.raw, minted + inCvx]), ...others]
}

/** CVX mints less for each CRV with every cliff of its supply that is passed, and nothing for another operator. */
async function mintedCvx({ reader, deployment }: Asked, crv: bigint): Promise<bigint> {
  const cvx = contractAt(CVX_ABI, deployment.cvx)
  const [operator, supply, most, cliffs, ofCliff] = await reader.read([
    cvx('operator', []),
    cvx('totalSupply', []),
    cvx('maxSupply', []),
    cvx('totalCliffs', []),
    cvx('reductionPerCliff', []),
  ])
  const cliff = supply / ofCliff
  if (operator.toLowerCase() !== deployment.booster || cliff >= cliffs) return 0n
  const amount = (crv * (cliffs - cliff)) / cliffs
  return amount < most - supply ? amount : most - supply
}
